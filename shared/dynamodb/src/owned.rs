//! Reading tables whose rows lie under their owner, with sort key `item`.

use aws_sdk_dynamodb::{Client, operation::get_item::builders::GetItemFluentBuilder};
use mostrador_core::ids::Owner;
use time::OffsetDateTime;

use crate::{
    attributes::{Row, number, s},
    error::StoreError,
};

/// A row that is left without content says so; readers pass it over.
pub(crate) const ERASED: &str = "erased";
/// Whether a row is there for its readers: neither erased nor past its end, which TTL sees late.
pub(crate) fn is_current(row: &Row) -> bool {
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let has_lapsed = number(row, "expires_at").is_some_and(|end: i64| end <= now);
    !row.contains_key(ERASED) && !has_lapsed
}

/// Least rows of a page that follows another.
const PAGE_MIN: usize = 100;

/// One row as it is now.
pub(crate) async fn get(
    client: &Client,
    table: &str,
    owner: &Owner,
    key: &str,
) -> Result<Option<Row>, StoreError> {
    let request = request(client, table, owner, key).consistent_read(true);
    Ok(request.send().await.map_err(StoreError::new)?.item)
}

/// One row as it is, or was a moment ago, at half the price.
pub(crate) async fn get_cheaply(
    client: &Client,
    table: &str,
    owner: &Owner,
    key: &str,
) -> Result<Option<Row>, StoreError> {
    let request = request(client, table, owner, key);
    Ok(request.send().await.map_err(StoreError::new)?.item)
}

fn request(client: &Client, table: &str, owner: &Owner, key: &str) -> GetItemFluentBuilder {
    client
        .get_item()
        .table_name(table)
        .key("owner", s(owner.to_string()))
        .key("item", s(key))
}

/// The last rows from key `from` to key `to` that `counts` lets through, last first, at most `limit`.
pub(crate) async fn newest(
    client: &Client,
    table: &str,
    owner: &Owner,
    (from, to): (&str, &str),
    limit: usize,
    counts: impl Fn(&Row) -> bool,
) -> Result<Vec<Row>, StoreError> {
    let (mut found, mut start_key) = (Vec::new(), None);
    let mut at_once = limit;
    loop {
        let left = i32::try_from(at_once).unwrap_or(i32::MAX);
        let page = client
            .query()
            .table_name(table)
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(left)
            .key_condition_expression("#o = :o AND #i BETWEEN :from AND :to")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#i", "item")
            .expression_attribute_values(":o", s(owner.to_string()))
            .expression_attribute_values(":from", s(from))
            .expression_attribute_values(":to", s(to))
            .set_exclusive_start_key(start_key.take())
            .send()
            .await
            .map_err(StoreError::new)?;
        start_key = page.last_evaluated_key;
        found.extend(page.items.unwrap_or_default().into_iter().filter(&counts));
        if start_key.is_none() || found.len() >= limit {
            found.truncate(limit);
            return Ok(found);
        }
        // Where some do not count, many may not.
        at_once = limit.max(PAGE_MIN);
    }
}
