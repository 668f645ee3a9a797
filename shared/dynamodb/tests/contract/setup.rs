//! Stores with tables of their own.

use mostrador_core::{catalogue::Book, ids::Owner, price::Price};
use mostrador_dynamodb::{
    Client, DynamoCatalogue, DynamoEraser, DynamoIdempotency, DynamoLimits, DynamoLog,
    DynamoPurchases, DynamoView, Tables, connect, create_tables, import,
};
use mostrador_engine::{Engine, local};
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) struct Stores {
    client: Client,
    tables: Tables,
    // The engine lives as long as its stores.
    _engine: Option<Engine>,
}

impl Stores {
    /// One set of stores for each engine at hand.
    pub(crate) async fn all() -> Vec<Self> {
        let engine = Engine::in_memory().unwrap();
        let mut engines = vec![(engine.configuration().await, Some(engine))];
        if let Ok(endpoint) = std::env::var("MOSTRADOR_TEST_DYNAMODB_ENDPOINT") {
            engines.push((local(&endpoint).await, None));
        }
        let mut stores = Vec::new();
        for (shared, engine) in engines {
            let client = connect(&shared);
            let name = |table: &str| format!("contract-{}-{table}", Uuid::now_v7());
            let tables = Tables {
                events: name("e"),
                conversations: name("v"),
                catalogue: name("c"),
                purchases: name("p"),
                limits: name("l"),
                retention: None,
            };
            create_tables(&client, &tables).await.unwrap();
            stores.push(Self {
                client,
                tables,
                _engine: engine,
            });
        }
        stores
    }

    pub(crate) fn log(&self) -> DynamoLog {
        DynamoLog::new(self.client.clone(), &self.tables)
    }

    pub(crate) fn catalogue(&self) -> DynamoCatalogue {
        DynamoCatalogue::new(self.client.clone(), &self.tables.catalogue)
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

    pub(crate) fn view(&self) -> DynamoView {
        DynamoView::new(self.client.clone(), &self.tables)
    }

    pub(crate) fn eraser(&self) -> DynamoEraser {
        DynamoEraser::new(self.client.clone(), &self.tables)
    }

    /// All items of the tables that hold something of customers, as they are written.
    pub(crate) async fn everything(&self) -> String {
        let Tables {
            events,
            conversations,
            purchases,
            limits,
            ..
        } = &self.tables;
        let mut all = String::new();
        for table in [events, conversations, purchases, limits] {
            let items = self.client.scan().table_name(table).into_paginator();
            let items: Vec<_> = items
                .items()
                .send()
                .collect::<Result<_, _>>()
                .await
                .unwrap();
            all.extend(items.iter().map(|item| format!("{item:?}\n")));
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
        let books: Vec<_> = copies
            .iter()
            .map(|(id, copies)| (book(*id), *copies))
            .collect();
        import(&self.catalogue(), &books, |_| {}).await.unwrap();
    }
}

pub(crate) fn book(libro_id: u64) -> Book {
    Book {
        libro_id,
        titulo: format!("Libro {libro_id}"),
        autor: "Ana María Matute".into(),
        isbn: String::new(),
        precio: Price::from_minor(1_000 + i64::try_from(libro_id).unwrap()),
        categoria: "Novela".into(),
        editorial: "Destino".into(),
        publicado: None,
        descripcion: String::new(),
    }
}

pub(crate) fn owner(user: &str) -> Owner {
    Owner::new("default", user).unwrap()
}

/// Noon of the first day of 2100: an engine removes what is past its end by the real clock.
pub(crate) fn noon() -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(4_102_488_000).unwrap()
}
