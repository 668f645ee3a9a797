//! Bringing a shop's list of items into the table.

use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use mostrador_core::catalogue::{CatalogueError, Item, StockedItem};
use tokio::task::JoinSet;

use crate::{
    attributes::{Row, n, number},
    catalogue::{BATCH, DynamoCatalogue, decode, decode_holds, describe, encode},
    error::StoreError,
    tables::SOLD,
};

/// Items that one batch of writes takes.
const WRITE_BATCH: usize = 25;
/// Batches under way at once.
const BATCHES_AT_ONCE: usize = 4;
/// How often what a batch of writes left out is sent again.
const WRITE_TRIES: usize = 8;

/// What an import changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportSummary {
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
}

/// Writes the items that are new or differ; copies set aside for customers stay so, and so does what was sold.
/// Running it again changes nothing.
///
/// # Errors
/// [`CatalogueError`]; what was written until then stays, and another run brings in the rest.
pub async fn import(
    catalogue: &DynamoCatalogue,
    items: &[(Item, u32)],
    mut progress: impl FnMut(usize),
) -> Result<ImportSummary, CatalogueError> {
    let mut summary = ImportSummary::default();
    let mut running: JoinSet<Result<(ImportSummary, usize), CatalogueError>> = JoinSet::new();
    for batch in items.chunks(BATCH) {
        if running.len() >= BATCHES_AT_ONCE {
            settle(running.join_next().await, &mut summary, &mut progress)?;
        }
        let (catalogue, batch) = (catalogue.clone(), batch.to_vec());
        running.spawn(async move { Ok((import_batch(&catalogue, &batch).await?, batch.len())) });
    }
    while let Some(ended) = running.join_next().await {
        settle(Some(ended), &mut summary, &mut progress)?;
    }
    Ok(summary)
}

type Ended = Result<Result<(ImportSummary, usize), CatalogueError>, tokio::task::JoinError>;

fn settle(
    ended: Option<Ended>,
    summary: &mut ImportSummary,
    progress: &mut impl FnMut(usize),
) -> Result<(), CatalogueError> {
    if let Some(ended) = ended {
        let (part, items) = ended.map_err(|error| unavailable(StoreError::new(error)))??;
        summary.added += part.added;
        summary.changed += part.changed;
        summary.unchanged += part.unchanged;
        progress(items);
    }
    Ok(())
}

async fn import_batch(
    catalogue: &DynamoCatalogue,
    batch: &[(Item, u32)],
) -> Result<ImportSummary, CatalogueError> {
    let ids: Vec<u64> = batch.iter().map(|(item, _)| item.libro_id).collect();
    let present = catalogue.rows(&ids, true).await?;
    let mut summary = ImportSummary::default();
    let mut new = Vec::new();
    for (item, copies) in batch {
        let of_item = |row: &&Row| number(row, "libro_id") == Some(item.libro_id);
        let stands = present.iter().find(of_item);
        let fresh = StockedItem {
            item: item.clone(),
            on_hand: *copies,
            holds: Vec::new(),
            sold: 0,
            version: 1,
        };
        match (stands, stands.and_then(decode)) {
            (None, _) => {
                new.push(fresh);
                summary.added += 1;
            }
            // Damaged, so that nobody sells it: it is written anew, with what of its holds and of its sales is whole.
            (Some(row), None) => {
                new.push(StockedItem {
                    holds: decode_holds(row).unwrap_or_default(),
                    sold: number(row, SOLD).unwrap_or_default(),
                    version: 1 + number(row, "version").unwrap_or(0),
                    ..fresh
                });
                summary.changed += 1;
            }
            (_, Some(present)) if present.item == *item && present.on_hand == *copies => {
                summary.unchanged += 1
            }
            (_, Some(_)) => {
                update(catalogue, item, *copies).await?;
                summary.changed += 1;
            }
        }
    }
    for items in new.chunks(WRITE_BATCH) {
        put(catalogue, items).await?;
    }
    Ok(summary)
}

/// Writes the shop's description over what was there, whatever happened to it meanwhile; the version moves on, so that a purchase
/// that read the old copies loses its race.
async fn update(
    catalogue: &DynamoCatalogue,
    item: &Item,
    copies: u32,
) -> Result<(), CatalogueError> {
    let mut described = describe(item);
    described.remove("libro_id");
    described.insert("on_hand".into(), n(copies));
    let gone = ["isbn", "publicado", "details"]
        .into_iter()
        .filter(|name| !described.contains_key(*name))
        .collect::<Vec<_>>();
    let mut request = catalogue
        .client
        .update_item()
        .table_name(&catalogue.table)
        .key("libro_id", n(item.libro_id))
        .expression_attribute_names("#version", "version")
        .expression_attribute_values(":one", n(1));
    let mut sets = vec!["#version = #version + :one".to_owned()];
    for (name, value) in described {
        sets.push(format!("#{name} = :{name}"));
        request = request
            .expression_attribute_names(format!("#{name}"), &name)
            .expression_attribute_values(format!(":{name}"), value);
    }
    let remove = if gone.is_empty() {
        String::new()
    } else {
        format!(" REMOVE {}", gone.join(", "))
    };
    request
        .update_expression(format!("SET {}{remove}", sets.join(", ")))
        .send()
        .await
        .map_err(|error| unavailable(StoreError::new(error)))?;
    Ok(())
}

async fn put(catalogue: &DynamoCatalogue, items: &[StockedItem]) -> Result<(), CatalogueError> {
    let mut requests = Vec::with_capacity(items.len());
    for stocked in items {
        let put = PutRequest::builder()
            .set_item(Some(encode(stocked)))
            .build();
        let put = put.map_err(|error| unavailable(StoreError::new(error)))?;
        requests.push(WriteRequest::builder().put_request(put).build());
    }
    for attempt in 0..WRITE_TRIES {
        let answer = catalogue
            .client
            .batch_write_item()
            .request_items(&catalogue.table, requests)
            .send()
            .await
            .map_err(|error| unavailable(StoreError::new(error)))?;
        match answer
            .unprocessed_items
            .unwrap_or_default()
            .remove(&catalogue.table)
        {
            Some(left) if !left.is_empty() => requests = left,
            _ => return Ok(()),
        }
        tokio::time::sleep(std::time::Duration::from_millis(50 << attempt)).await;
    }
    Err(CatalogueError("the table kept leaving writes out".into()))
}

fn unavailable(error: StoreError) -> CatalogueError {
    CatalogueError(error.boxed())
}
