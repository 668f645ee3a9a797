//! What waits for the shop's staff: rows of all customers of a tenant, by an index that a table has for it.

use aws_sdk_dynamodb::{Client, types::AttributeValue};

use crate::{
    attributes::{Row, n, s, text},
    error::StoreError,
    owned::is_current,
    tables::{BY_QUEUE, QUEUE, QUEUED_AT},
};

/// Which part of a queue is read.
pub(crate) struct Part {
    pub(crate) queue: String,
    /// From then on.
    pub(crate) from: i64,
    pub(crate) newest_first: bool,
    /// From behind this one on.
    pub(crate) after: Option<After>,
    pub(crate) limit: usize,
}

/// A row of a queue by its keys.
pub(crate) struct After {
    pub(crate) at: i64,
    pub(crate) owner: String,
    pub(crate) item: String,
}

/// The rows of a part, as `read` reads them.
pub(crate) async fn queued<T>(
    client: &Client,
    table: &str,
    part: Part,
    read: impl Fn(&Row) -> Option<T>,
) -> Result<Vec<T>, StoreError> {
    let mut start_key = part.after.map(|after| {
        Row::from([
            (QUEUE.to_owned(), s(&part.queue)),
            (QUEUED_AT.to_owned(), n(after.at)),
            ("owner".to_owned(), s(after.owner)),
            ("item".to_owned(), s(after.item)),
        ])
    });
    let mut found = Vec::new();
    loop {
        let left = i32::try_from(part.limit).unwrap_or(i32::MAX);
        let page = client
            .query()
            .table_name(table)
            .index_name(BY_QUEUE)
            .scan_index_forward(!part.newest_first)
            .limit(left)
            .key_condition_expression("#q = :q AND #at >= :from")
            .expression_attribute_names("#q", QUEUE)
            .expression_attribute_names("#at", QUEUED_AT)
            .expression_attribute_values(":q", s(&part.queue))
            .expression_attribute_values(":from", AttributeValue::N(part.from.to_string()))
            .set_exclusive_start_key(start_key.take())
            .send()
            .await
            .map_err(StoreError::new)?;
        start_key = page.last_evaluated_key;
        for row in page
            .items
            .unwrap_or_default()
            .iter()
            .filter(|row| is_current(row))
        {
            match read(row) {
                Some(queued) => found.push(queued),
                // A damaged one costs itself.
                None => {
                    let item = text(row, "item").unwrap_or_default();
                    tracing::error!(item, "something in a queue cannot be read, and is left out");
                }
            }
        }
        if start_key.is_none() || found.len() >= part.limit {
            found.truncate(part.limit);
            return Ok(found);
        }
    }
}
