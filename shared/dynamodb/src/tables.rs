//! The tables: their names, and their making where no template makes them.

use aws_sdk_dynamodb::{
    Client,
    operation::create_table::builders::CreateTableFluentBuilder,
    types::{
        AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
        KeyType, Projection, ProjectionType, ScalarAttributeType, StreamSpecification,
        StreamViewType, TimeToLiveSpecification,
    },
};

use time::{Duration, OffsetDateTime};

use crate::{attributes::n, error::StoreError};

/// The index of the catalogue by ISBN.
pub(crate) const BY_ISBN: &str = "by_isbn";

/// The index of the catalogue by what has been sold, and its keys. All of it is under one value of the first.
pub(crate) const BY_SOLD: &str = "by_sold";
pub(crate) const BEST: &str = "best";
pub(crate) const BEST_OF_ALL: &str = "all";
pub(crate) const SOLD: &str = "sold";

/// The index of purchases and of conversations by what staff have to see to, and its keys.
pub(crate) const BY_QUEUE: &str = "by_queue";
pub(crate) const QUEUE: &str = "queue";
pub(crate) const QUEUED_AT: &str = "queued_at";

/// What the tables are called, and how long messages stay in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    pub events: String,
    pub conversations: String,
    pub catalogue: String,
    pub purchases: String,
    pub bookings: String,
    pub limits: String,
    /// For good, unless it is set.
    pub retention: Option<Duration>,
}

/// `RETENTION_DAYS` is no number of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "RETENTION_DAYS must be a whole number of days from 1 to 36500, or 0 to keep conversations for good"
)]
pub struct InvalidRetention;

impl Default for Tables {
    fn default() -> Self {
        let name = |name: &str| format!("mostrador-{name}");
        Self {
            events: name("events"),
            conversations: name("conversations"),
            catalogue: name("catalogue"),
            purchases: name("purchases"),
            bookings: name("bookings"),
            limits: name("limits"),
            retention: None,
        }
    }
}

impl Tables {
    /// Reads `EVENTS_TABLE`, `CONVERSATIONS_TABLE`, `CATALOGUE_TABLE`, `PURCHASES_TABLE`, `BOOKINGS_TABLE` and `LIMITS_TABLE`; a function
    /// is only given those it uses. `RETENTION_DAYS` is how many days messages stay, 0 for good.
    ///
    /// # Errors
    /// [`InvalidRetention`].
    pub fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidRetention> {
        let default = Self::default();
        let days = read("RETENTION_DAYS").map_or(Ok(0), |days| days.trim().parse());
        let days = days.ok().filter(|days| (0..=36_500).contains(days));
        let days: i64 = days.ok_or(InvalidRetention)?;
        Ok(Self {
            events: read("EVENTS_TABLE").unwrap_or(default.events),
            conversations: read("CONVERSATIONS_TABLE").unwrap_or(default.conversations),
            catalogue: read("CATALOGUE_TABLE").unwrap_or(default.catalogue),
            purchases: read("PURCHASES_TABLE").unwrap_or(default.purchases),
            bookings: read("BOOKINGS_TABLE").unwrap_or(default.bookings),
            limits: read("LIMITS_TABLE").unwrap_or(default.limits),
            retention: (days > 0).then(|| Duration::days(days)),
        })
    }
}

/// The attribute that ends a row so long after `at`.
pub(crate) fn expires(
    retention: Option<Duration>,
    at: OffsetDateTime,
) -> Option<(String, AttributeValue)> {
    let end = at + retention?;
    Some(("expires_at".into(), n(end.unix_timestamp())))
}

/// Makes the tables that are not there yet; the template makes the same ones.
///
/// # Errors
/// [`StoreError`] where the store refuses.
pub async fn create_tables(client: &Client, names: &Tables) -> Result<(), StoreError> {
    use ScalarAttributeType::{N, S};
    let keyed = |table: &str, key: &str, kind: ScalarAttributeType, sort: Option<&str>| {
        let mut request = client
            .create_table()
            .table_name(table)
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(definition(key, kind).into_iter().collect()))
            .set_key_schema(Some(element(key, KeyType::Hash).into_iter().collect()));
        if let Some(sort) = sort {
            request = with_attribute(request, sort, S).set_key_schema(Some(
                element(key, KeyType::Hash)
                    .into_iter()
                    .chain(element(sort, KeyType::Range))
                    .collect(),
            ));
        }
        request
    };
    let index = |name: &str, keys: Vec<KeySchemaElement>, projection: ProjectionType| {
        GlobalSecondaryIndex::builder()
            .index_name(name)
            .set_key_schema(Some(keys))
            .projection(Projection::builder().projection_type(projection).build())
            .build()
            .map_err(StoreError::new)
    };
    let by_isbn = element("isbn", KeyType::Hash).into_iter().collect();
    let by_isbn = index(BY_ISBN, by_isbn, ProjectionType::KeysOnly)?;
    let by_sold = element(BEST, KeyType::Hash).into_iter();
    let by_sold = by_sold.chain(element(SOLD, KeyType::Range)).collect();
    let by_sold = index(BY_SOLD, by_sold, ProjectionType::KeysOnly)?;
    let by_queue = || {
        let keys = element(QUEUE, KeyType::Hash).into_iter();
        let keys = keys.chain(element(QUEUED_AT, KeyType::Range)).collect();
        index(BY_QUEUE, keys, ProjectionType::All)
    };
    // The attributes of a table that has it.
    let queued = |request| with_attribute(with_attribute(request, QUEUE, S), QUEUED_AT, N);
    // The keys alone: a stream keeps for a day what a customer may have had erased.
    let stream = || {
        StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(StreamViewType::KeysOnly)
            .build()
            .map_err(StoreError::new)
    };
    let events = keyed(&names.events, "owner", S, Some("commit"));
    create(events.stream_specification(stream()?)).await?;
    let conversations = keyed(&names.conversations, "owner", S, Some("item"));
    let conversations = queued(conversations).global_secondary_indexes(by_queue()?);
    create(conversations.stream_specification(stream()?)).await?;
    let catalogue = keyed(&names.catalogue, "libro_id", N, None);
    let catalogue = with_attribute(with_attribute(catalogue, "isbn", S), BEST, S);
    let catalogue = with_attribute(catalogue, SOLD, N).global_secondary_indexes(by_isbn);
    create(catalogue.global_secondary_indexes(by_sold)).await?;
    let purchases = keyed(&names.purchases, "owner", S, Some("item"));
    create(queued(purchases).global_secondary_indexes(by_queue()?)).await?;
    create(keyed(&names.bookings, "subject", S, Some("item"))).await?;
    create(keyed(&names.limits, "subject", S, Some("item"))).await?;
    for table in [&names.events, &names.conversations, &names.limits] {
        let ttl = TimeToLiveSpecification::builder()
            .enabled(true)
            .attribute_name("expires_at")
            .build();
        // Already switched on is an error to the service and none to us.
        let _ = client
            .update_time_to_live()
            .table_name(table)
            .time_to_live_specification(ttl.map_err(StoreError::new)?)
            .send()
            .await;
    }
    Ok(())
}

/// Whether tables are there that an earlier version made: some keys have changed since.
///
/// # Errors
/// [`StoreError`] where the store does not answer.
pub async fn are_outdated(client: &Client, names: &Tables) -> Result<bool, StoreError> {
    let described = async |table: &str| {
        let described = client.describe_table().table_name(table).send().await;
        described.map_err(StoreError::new)
    };
    let limits = described(&names.limits).await?;
    let mut keys = limits
        .table()
        .into_iter()
        .flat_map(|table| table.key_schema());
    let mut is_current = keys.any(|key| key.attribute_name() == "subject");
    for (table, name) in [
        (&names.purchases, BY_QUEUE),
        (&names.conversations, BY_QUEUE),
        (&names.catalogue, BY_SOLD),
    ] {
        let described = described(table).await?;
        let indexes = described.table().into_iter();
        let mut indexes = indexes.flat_map(|table| table.global_secondary_indexes());
        is_current &= indexes.any(|index| index.index_name() == Some(name));
    }
    Ok(!is_current)
}

async fn create(request: CreateTableFluentBuilder) -> Result<(), StoreError> {
    match request.send().await {
        Ok(_) => Ok(()),
        Err(error)
            if error
                .as_service_error()
                .is_some_and(|error| error.is_resource_in_use_exception()) =>
        {
            Ok(())
        }
        Err(error) => Err(StoreError::new(error)),
    }
}

fn with_attribute(
    request: CreateTableFluentBuilder,
    name: &str,
    kind: ScalarAttributeType,
) -> CreateTableFluentBuilder {
    let mut definitions = request
        .get_attribute_definitions()
        .clone()
        .unwrap_or_default();
    definitions.extend(definition(name, kind));
    request.set_attribute_definitions(Some(definitions))
}

fn definition(name: &str, kind: ScalarAttributeType) -> Option<AttributeDefinition> {
    AttributeDefinition::builder()
        .attribute_name(name)
        .attribute_type(kind)
        .build()
        .ok()
}

fn element(name: &str, kind: KeyType) -> Option<KeySchemaElement> {
    KeySchemaElement::builder()
        .attribute_name(name)
        .key_type(kind)
        .build()
        .ok()
}
