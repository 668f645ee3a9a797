//! The `catalogue` table: one row an item, with its copies and what of them is set aside.

use std::collections::HashMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    types::{AttributeValue, KeysAndAttributes, TableDescription},
};
use mostrador_core::{
    catalogue::{Catalogue, CatalogueError, Details, Hold, Item, StockedItem},
    price::Price,
};

use crate::{
    attributes::{Row, n, number, s, text},
    error::StoreError,
    tables::{BEST, BEST_OF_ALL, BY_ISBN, BY_SOLD, SOLD},
};

/// [`Catalogue`] on a table with partition key `libro_id`.
#[derive(Debug, Clone)]
pub struct DynamoCatalogue {
    pub(crate) client: Client,
    pub(crate) table: String,
}

/// Keys that one batch may ask for.
pub(crate) const BATCH: usize = 100;
/// How often keys that a batch left out are asked for again.
const BATCH_TRIES: usize = 5;

impl DynamoCatalogue {
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }

    /// Every item, for building the index.
    #[must_use]
    pub fn pages(&self) -> Pages<'_> {
        Pages {
            catalogue: self,
            after: None,
            ended: false,
        }
    }

    /// How many items there are, as the table last counted them, which may be hours ago.
    ///
    /// # Errors
    /// [`CatalogueError`] where the table cannot be asked.
    pub async fn rough_count(&self) -> Result<usize, CatalogueError> {
        let description = self
            .client
            .describe_table()
            .table_name(&self.table)
            .send()
            .await
            .map_err(|error| unavailable(StoreError::new(error)))?;
        let count = description.table().and_then(TableDescription::item_count);
        Ok(count
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or_default())
    }

    /// At most `limit` items from behind `after` on, and behind what the next page begins.
    async fn page(
        &self,
        after: Option<Row>,
        limit: Option<usize>,
    ) -> Result<(Vec<StockedItem>, Option<Row>), CatalogueError> {
        let page = self
            .client
            .scan()
            .table_name(&self.table)
            .set_limit(limit.and_then(|limit| i32::try_from(limit).ok()))
            .set_exclusive_start_key(after)
            .send()
            .await
            .map_err(|error| unavailable(StoreError::new(error)))?;
        let items = page.items().iter().filter_map(readable).collect();
        Ok((items, page.last_evaluated_key))
    }
}

/// The whole catalogue, a page (at most 1 MB) at a time.
pub struct Pages<'a> {
    catalogue: &'a DynamoCatalogue,
    after: Option<Row>,
    ended: bool,
}

impl Pages<'_> {
    /// The next page; `None` after the last.
    ///
    /// # Errors
    /// [`CatalogueError`] where the page or a row of it cannot be read.
    pub async fn next(&mut self) -> Result<Option<Vec<StockedItem>>, CatalogueError> {
        if self.ended {
            return Ok(None);
        }
        let (items, after) = self.catalogue.page(self.after.take(), None).await?;
        self.ended = after.is_none();
        self.after = after;
        Ok(Some(items))
    }
}

fn unavailable(error: StoreError) -> CatalogueError {
    CatalogueError(error.boxed())
}

#[async_trait]
impl Catalogue for DynamoCatalogue {
    async fn get(&self, ids: &[u64], consistent: bool) -> Result<Vec<StockedItem>, CatalogueError> {
        let rows = self.rows(ids, consistent).await?;
        Ok(rows.iter().filter_map(readable).collect())
    }

    async fn find_isbn(&self, isbn: &str) -> Result<Option<u64>, CatalogueError> {
        let found = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(BY_ISBN)
            .key_condition_expression("isbn = :isbn")
            .expression_attribute_values(":isbn", s(isbn))
            .limit(1)
            .send()
            .await
            .map_err(|error| unavailable(StoreError::new(error)))?;
        Ok(found
            .items()
            .first()
            .and_then(|row| number(row, "libro_id")))
    }

    async fn most_sold(&self, limit: usize) -> Result<Vec<u64>, CatalogueError> {
        let mut numbers = Vec::new();
        let mut after = None;
        loop {
            let left = limit.saturating_sub(numbers.len());
            let page = self
                .client
                .query()
                .table_name(&self.table)
                .index_name(BY_SOLD)
                .key_condition_expression("#best = :all")
                .expression_attribute_names("#best", BEST)
                .expression_attribute_values(":all", s(BEST_OF_ALL))
                .scan_index_forward(false)
                .set_limit(i32::try_from(left).ok())
                .set_exclusive_start_key(after)
                .send()
                .await
                .map_err(|error| unavailable(StoreError::new(error)))?;
            let found = page.items().iter();
            numbers.extend(found.filter_map(|row| number::<u64>(row, "libro_id")));
            after = page.last_evaluated_key;
            if after.is_none() || numbers.len() >= limit {
                return Ok(numbers);
            }
        }
    }

    async fn scan(&self, limit: usize) -> Result<Vec<StockedItem>, CatalogueError> {
        let mut items = Vec::new();
        let mut after = None;
        loop {
            let left = limit.saturating_sub(items.len());
            let (page, next) = self.page(after, Some(left)).await?;
            items.extend(page);
            after = next;
            if after.is_none() || items.len() >= limit {
                return Ok(items);
            }
        }
    }
}

impl DynamoCatalogue {
    /// The rows of these items as they lie there, damaged ones too.
    pub(crate) async fn rows(
        &self,
        ids: &[u64],
        consistent: bool,
    ) -> Result<Vec<Row>, CatalogueError> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let mut rows = Vec::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            rows.extend(self.batch(ids, consistent).await?);
        }
        Ok(rows)
    }

    /// The rows of so many items as one call may ask for.
    async fn batch(&self, ids: &[u64], consistent: bool) -> Result<Vec<Row>, CatalogueError> {
        let keys = ids
            .iter()
            .map(|id| Row::from([("libro_id".to_owned(), n(id))]))
            .collect();
        let mut wanted = KeysAndAttributes::builder()
            .set_keys(Some(keys))
            .consistent_read(consistent)
            .build()
            .map_err(|error| unavailable(StoreError::new(error)))?;
        let mut rows = Vec::with_capacity(ids.len());
        for _ in 0..BATCH_TRIES {
            let answer = self
                .client
                .batch_get_item()
                .request_items(&self.table, wanted)
                .send()
                .await
                .map_err(|error| unavailable(StoreError::new(error)))?;
            let mut found = answer.responses.unwrap_or_default();
            rows.extend(found.remove(&self.table).unwrap_or_default());
            match answer
                .unprocessed_keys
                .unwrap_or_default()
                .remove(&self.table)
            {
                Some(left) if !left.keys().is_empty() => wanted = left,
                _ => return Ok(rows),
            }
        }
        Err(CatalogueError("the table kept leaving keys out".into()))
    }
}

/// The attributes a shop describes an item by.
pub(crate) fn describe(item: &Item) -> Row {
    let mut row = Row::from([
        ("libro_id".to_owned(), n(item.libro_id)),
        ("titulo".to_owned(), s(&item.titulo)),
        ("autor".to_owned(), s(&item.autor)),
        ("precio".to_owned(), n(item.precio.minor())),
        ("categoria".to_owned(), s(&item.categoria)),
        ("editorial".to_owned(), s(&item.editorial)),
        ("descripcion".to_owned(), s(&item.descripcion)),
    ]);
    // A key of an index cannot be empty, so it is left out.
    if !item.isbn.is_empty() {
        row.insert("isbn".into(), s(&item.isbn));
    }
    if let Some(year) = item.publicado {
        row.insert("publicado".into(), n(year));
    }
    if let Some(details) = written(&item.details) {
        row.insert("details".into(), s(details));
    }
    row
}

/// As JSON; nothing where there are none.
fn written(details: &Details) -> Option<String> {
    let details = Some(details).filter(|details| !details.is_empty())?;
    serde_json::to_string(details).ok()
}

fn read(details: Option<&str>) -> Option<Details> {
    details.map_or_else(
        || Some(Details::default()),
        |details| serde_json::from_str(details).ok(),
    )
}

pub(crate) fn encode(stocked: &StockedItem) -> Row {
    let mut row = describe(&stocked.item);
    row.insert("on_hand".into(), n(stocked.on_hand));
    row.insert("holds".into(), encode_holds(&stocked.holds));
    row.insert("version".into(), n(stocked.version));
    row.extend(encode_sold(stocked.sold));
    row
}

/// The attributes by which what has been sold is in the index of that; none where nothing has been.
pub(crate) fn encode_sold(sold: u32) -> Row {
    let sold = (sold > 0).then(|| [(SOLD, n(sold)), (BEST, s(BEST_OF_ALL))]);
    let sold = sold.into_iter().flatten();
    sold.map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(crate) fn encode_holds(holds: &[Hold]) -> AttributeValue {
    AttributeValue::L(
        holds
            .iter()
            .map(|hold| {
                AttributeValue::M(HashMap::from([
                    ("reservation".to_owned(), s(hold.reservation.to_string())),
                    ("copies".to_owned(), n(hold.copies)),
                    ("until".to_owned(), n(hold.until.unix_timestamp())),
                ]))
            })
            .collect(),
    )
}

/// The item of a row. A damaged one counts as none, which is logged; the others are sold.
fn readable(row: &Row) -> Option<StockedItem> {
    let read = decode(row);
    if read.is_none() {
        let libro_id: Option<u64> = number(row, "libro_id");
        tracing::error!(
            libro_id,
            "an item of the catalogue cannot be read; import it again"
        );
    }
    read
}

pub(crate) fn decode(row: &Row) -> Option<StockedItem> {
    let libro_id = number(row, "libro_id")?;
    let owned = |name: &str| Some(text(row, name)?.to_owned());
    let holds = decode_holds(row)?;
    Some(StockedItem {
        item: Item {
            libro_id,
            titulo: owned("titulo")?,
            autor: owned("autor")?,
            isbn: owned("isbn").unwrap_or_default(),
            precio: Price::from_minor(number(row, "precio")?),
            categoria: owned("categoria")?,
            editorial: owned("editorial")?,
            publicado: number(row, "publicado"),
            descripcion: owned("descripcion")?,
            details: read(text(row, "details"))?,
        },
        on_hand: number(row, "on_hand")?,
        holds,
        sold: number(row, SOLD).unwrap_or_default(),
        version: number(row, "version")?,
    })
}

pub(crate) fn decode_holds(row: &Row) -> Option<Vec<Hold>> {
    let holds = row.get("holds")?.as_l().ok()?;
    holds.iter().map(decode_hold).collect()
}

fn decode_hold(value: &AttributeValue) -> Option<Hold> {
    let hold = value.as_m().ok()?;
    Some(Hold {
        reservation: text(hold, "reservation")?.parse().ok()?,
        copies: number(hold, "copies")?,
        until: time::OffsetDateTime::from_unix_timestamp(number(hold, "until")?).ok()?,
    })
}
