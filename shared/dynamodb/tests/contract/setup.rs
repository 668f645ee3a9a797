//! Stores with tables of their own.

use std::{collections::HashMap, sync::Arc};

use aws_config::SdkConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use mostrador_core::{
    actions::Counter,
    catalogue::{Details, Item},
    clock::Clock,
    ids::Owner,
    limits::Idempotency,
    log::{Log, MemoryLog},
    price::Price,
    shop::Profile,
};
use mostrador_dynamodb::{
    Client, DynamoBookings, DynamoCatalogue, DynamoEraser, DynamoIdempotency, DynamoLimits,
    DynamoLog, DynamoPurchases, DynamoView, Tables, connect, create_tables, import,
};
use mostrador_engine::{Engine, Faults, Tamper, local};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub(crate) type Row = HashMap<String, AttributeValue>;

pub(crate) struct Stores {
    client: Client,
    tables: Tables,
    // The engine lives as long as its stores.
    engine: Option<Engine>,
}

/// A log, and the memory of requests that goes with it.
pub(crate) struct Logs {
    pub(crate) log: Arc<dyn Log>,
    pub(crate) requests: Arc<dyn Idempotency>,
    // Where they lie.
    _stores: Option<Stores>,
}

impl Logs {
    /// Those in memory, and those of each engine at hand.
    pub(crate) async fn all() -> Vec<Self> {
        let memory = Arc::new(MemoryLog::default());
        let mut all = vec![Self {
            log: memory.clone(),
            requests: memory,
            _stores: None,
        }];
        for stores in Stores::all().await {
            all.push(Self {
                log: Arc::new(stores.log()),
                requests: Arc::new(stores.idempotency()),
                _stores: Some(stores),
            });
        }
        all
    }
}

impl Stores {
    /// One set of stores for each engine at hand.
    pub(crate) async fn all() -> Vec<Self> {
        let mut stores = vec![Self::embedded().await];
        if let Ok(endpoint) = std::env::var("MOSTRADOR_TEST_DYNAMODB_ENDPOINT") {
            stores.push(Self::on(local(&endpoint).await, None).await);
        }
        stores
    }

    /// Stores on an engine of their own.
    pub(crate) async fn embedded() -> Self {
        let engine = Engine::in_memory().unwrap();
        Self::on(engine.configuration().await, Some(engine)).await
    }

    async fn on(shared: SdkConfig, engine: Option<Engine>) -> Self {
        let client = connect(&shared);
        let name = |table: &str| format!("contract-{}-{table}", Uuid::now_v7());
        let tables = Tables {
            events: name("e"),
            conversations: name("v"),
            catalogue: name("c"),
            purchases: name("p"),
            bookings: name("b"),
            limits: name("l"),
            retention: None,
        };
        create_tables(&client, &tables).await.unwrap();
        Self {
            client,
            tables,
            engine,
        }
    }

    pub(crate) fn log(&self) -> DynamoLog {
        DynamoLog::new(self.client.clone(), &self.tables)
    }

    /// The same log, in which messages stay for so long.
    pub(crate) fn log_keeping(&self, retention: Duration) -> DynamoLog {
        let tables = Tables {
            retention: Some(retention),
            ..self.tables.clone()
        };
        DynamoLog::new(self.client.clone(), &tables)
    }

    /// The same log behind something that meddles with calls, where the engine is the embedded one.
    pub(crate) async fn log_through(&self, tamper: Tamper) -> Option<DynamoLog> {
        let meddling = Faults::seeded(0, 0.0).with_tamper(Some(tamper));
        let engine = self.engine.clone()?.faulty(Arc::new(meddling));
        let client = connect(&engine.configuration().await);
        Some(DynamoLog::new(client, &self.tables))
    }

    pub(crate) fn eraser(&self) -> DynamoEraser {
        DynamoEraser::new(self.client.clone(), &self.tables)
    }

    /// Everything in the log's table, as it lies there, by its key.
    pub(crate) async fn log_rows(&self) -> Vec<Row> {
        let scan = self.client.scan().table_name(&self.tables.events);
        let rows = scan.consistent_read(true).into_paginator().items().send();
        let rows: Result<Vec<Row>, _> = rows.collect().await;
        let mut rows = rows.unwrap();
        rows.sort_by_key(|row| row["commit"].as_s().unwrap().clone());
        rows
    }

    pub(crate) async fn put_log_row(&self, row: Row) {
        let put = self.client.put_item().table_name(&self.tables.events);
        put.set_item(Some(row)).send().await.unwrap();
    }

    /// Changes one attribute of a row of purchases, or takes it away.
    pub(crate) async fn damage_purchase(
        &self,
        key: (&Owner, &str),
        attribute: &str,
        value: Option<&str>,
    ) {
        let table = &self.tables.purchases;
        self.damage(table, key, attribute, value).await;
    }

    /// The same of a row of the view.
    pub(crate) async fn damage_view(
        &self,
        key: (&Owner, &str),
        attribute: &str,
        value: Option<&str>,
    ) {
        let table = &self.tables.conversations;
        self.damage(table, key, attribute, value).await;
    }

    /// Takes the title of an item away.
    pub(crate) async fn damage_item(&self, libro_id: u64) {
        let update = self.client.update_item().table_name(&self.tables.catalogue);
        let update = update
            .key("libro_id", AttributeValue::N(libro_id.to_string()))
            .update_expression("REMOVE titulo");
        update.send().await.unwrap();
    }

    async fn damage(
        &self,
        table: &str,
        (owner, key): (&Owner, &str),
        attribute: &str,
        value: Option<&str>,
    ) {
        let update = self.client.update_item().table_name(table);
        let update = update
            .key("owner", AttributeValue::S(owner.to_string()))
            .key("item", AttributeValue::S(key.to_owned()))
            .expression_attribute_names("#a", attribute);
        let update = match value {
            Some(value) => update
                .update_expression("SET #a = :v")
                .expression_attribute_values(":v", AttributeValue::S(value.to_owned())),
            None => update.update_expression("REMOVE #a"),
        };
        update.send().await.unwrap();
    }

    pub(crate) async fn delete_log_row(&self, row: &Row) {
        let delete = self.client.delete_item().table_name(&self.tables.events);
        let delete = delete.key("owner", row["owner"].clone());
        let delete = delete.key("commit", row["commit"].clone());
        delete.send().await.unwrap();
    }

    pub(crate) fn catalogue(&self) -> DynamoCatalogue {
        DynamoCatalogue::new(self.client.clone(), &self.tables.catalogue)
    }

    /// Where customers of a bookshop act.
    pub(crate) fn counter(&self, clock: Arc<dyn Clock>) -> Counter {
        Counter {
            catalogue: Arc::new(self.catalogue()),
            purchases: Arc::new(self.purchases()),
            clock,
            order_total_max: None,
            shop: Arc::new(Arc::<Profile>::default()),
            reception: None,
        }
    }

    pub(crate) fn bookings(&self) -> DynamoBookings {
        DynamoBookings::new(self.client.clone(), &self.tables)
    }

    /// Takes what a row of appointments says away.
    pub(crate) async fn damage_booking(&self, subject: &str, item: &str) {
        let update = self.client.update_item().table_name(&self.tables.bookings);
        let update = update
            .key("subject", AttributeValue::S(subject.to_owned()))
            .key("item", AttributeValue::S(item.to_owned()))
            .update_expression("REMOVE document");
        update.send().await.unwrap();
    }

    pub(crate) fn purchases(&self) -> DynamoPurchases {
        DynamoPurchases::new(self.client.clone(), &self.tables)
    }

    pub(crate) fn limits(&self) -> DynamoLimits {
        DynamoLimits::new(self.client.clone(), &self.tables.limits)
    }

    pub(crate) fn idempotency(&self) -> DynamoIdempotency {
        DynamoIdempotency::new(self.client.clone(), &self.tables.limits)
    }

    pub(crate) fn view_keeping(&self, retention: Duration) -> DynamoView {
        let tables = Tables {
            retention: Some(retention),
            ..self.tables.clone()
        };
        DynamoView::new(self.client.clone(), &tables)
    }

    pub(crate) fn view(&self) -> DynamoView {
        DynamoView::new(self.client.clone(), &self.tables)
    }

    /// All rows of the tables that hold something of customers, as they are written.
    pub(crate) async fn everything(&self) -> String {
        let Tables {
            events,
            conversations,
            purchases,
            bookings,
            limits,
            ..
        } = &self.tables;
        let mut all = String::new();
        for table in [events, conversations, purchases, bookings, limits] {
            let rows = self.client.scan().table_name(table).into_paginator();
            let rows: Vec<_> = rows.items().send().collect::<Result<_, _>>().await.unwrap();
            all.extend(rows.iter().map(|row| format!("{row:?}\n")));
        }
        all
    }

    pub(crate) async fn everything_of(&self, owner: &Owner) -> String {
        let everything = self.everything().await;
        let owner = format!("\"{owner}\"");
        let lines = everything.lines().filter(|line| line.contains(&owner));
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(crate) async fn stock(&self, copies: &[(u64, u32)]) {
        let items: Vec<_> = copies
            .iter()
            .map(|(id, copies)| (item(*id), *copies))
            .collect();
        import(&self.catalogue(), &items, |_| {}).await.unwrap();
    }
}

pub(crate) fn item(libro_id: u64) -> Item {
    Item {
        libro_id,
        titulo: format!("Libro {libro_id}"),
        autor: "Ana María Matute".into(),
        isbn: String::new(),
        precio: Price::from_minor(1_000 + i64::try_from(libro_id).unwrap()),
        categoria: "Novela".into(),
        editorial: "Destino".into(),
        publicado: None,
        descripcion: String::new(),
        details: Details::default(),
    }
}

pub(crate) fn owner(user: &str) -> Owner {
    Owner::new("default", user).unwrap()
}

/// Noon of the first day of 2100: an engine removes what is past its end by the real clock.
pub(crate) fn noon() -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(4_102_488_000).unwrap()
}

/// So many letters, which say nothing of one another: compressed, three quarters of them are left.
pub(crate) fn noise(length: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // The last four bytes of an id are random.
    let random = std::iter::repeat_with(|| Uuid::now_v7().into_bytes())
        .flat_map(|id| id.into_iter().skip(12));
    random
        .take(length)
        .map(|byte| char::from(LETTERS[usize::from(byte % 64)]))
        .collect()
}
