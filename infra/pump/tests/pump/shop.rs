//! A table with a stream, consumers that take notes, and a queue that can be looked into.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType, StreamSpecification, StreamViewType,
};
use mostrador_engine::Engine;
use mostrador_pump::{
    BoxError, Client, Consumer, FailedRecord, FailureQueue, Mapping, Running, connect,
};
use serde_json::{Value, json};

pub(crate) const TABLE: &str = "things";

pub(crate) struct Shop {
    pub(crate) tables: aws_sdk_dynamodb::Client,
    pub(crate) streams: Client,
}

impl Shop {
    pub(crate) async fn open(view: StreamViewType) -> Self {
        let configuration = Engine::in_memory().unwrap().configuration().await;
        let tables = aws_sdk_dynamodb::Client::new(&configuration);
        let key = KeySchemaElement::builder()
            .attribute_name("id")
            .key_type(KeyType::Hash);
        let id = AttributeDefinition::builder()
            .attribute_name("id")
            .attribute_type(ScalarAttributeType::S);
        let stream = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(view);
        tables
            .create_table()
            .table_name(TABLE)
            .billing_mode(BillingMode::PayPerRequest)
            .attribute_definitions(id.build().unwrap())
            .key_schema(key.build().unwrap())
            .stream_specification(stream.build().unwrap())
            .send()
            .await
            .unwrap();
        Self {
            tables,
            streams: connect(&configuration),
        }
    }

    pub(crate) async fn with_images() -> Self {
        Self::open(StreamViewType::NewAndOldImages).await
    }

    pub(crate) async fn put(&self, id: &str, number: usize) {
        let put = self.tables.put_item().table_name(TABLE);
        put.item("id", AttributeValue::S(id.to_owned()))
            .item("number", AttributeValue::N(number.to_string()))
            .send()
            .await
            .unwrap();
    }

    /// Puts items with these numbers, each of its own.
    pub(crate) async fn put_all(&self, numbers: std::ops::Range<usize>) {
        for number in numbers {
            self.put(&format!("item-{number}"), number).await;
        }
    }

    pub(crate) fn start(
        &self,
        mapping: Mapping,
        consumer: &Arc<Notes>,
        failures: &Arc<Kept>,
    ) -> Running {
        mapping.start(
            self.streams.clone(),
            TABLE,
            Arc::clone(consumer) as _,
            Arc::clone(failures) as _,
        )
    }
}

/// A mapping that does not wait long.
pub(crate) fn quick() -> Mapping {
    Mapping {
        poll: Duration::from_millis(5),
        pause: Duration::from_millis(1),
        pause_max: Duration::from_millis(5),
        ..Mapping::of("notes")
    }
}

/// What a consumer sees of a batch: each record's number as its item has it.
pub(crate) type Batch = Vec<usize>;
type Answer = dyn Fn(&Batch, &Value) -> Result<Value, BoxError> + Send + Sync;

/// Records its calls and answers as it is set to.
pub(crate) struct Notes {
    calls: Mutex<Vec<Batch>>,
    answer: Box<Answer>,
}

impl Notes {
    pub(crate) fn with(
        answer: impl Fn(&Batch, &Value) -> Result<Value, BoxError> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            calls: Mutex::default(),
            answer: Box::new(answer),
        })
    }

    pub(crate) fn content() -> Arc<Self> {
        Self::with(|_, _| Ok(Value::Null))
    }

    pub(crate) fn calls(&self) -> Vec<Batch> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) fn all(&self) -> Batch {
        self.calls().concat()
    }
}

#[async_trait]
impl Consumer for Notes {
    async fn consume(&self, event: Value) -> Result<Value, BoxError> {
        let records = event["Records"].as_array().unwrap();
        let batch: Batch = records.iter().map(number).collect();
        self.calls.lock().unwrap().push(batch.clone());
        (self.answer)(&batch, &event)
    }
}

pub(crate) fn number(record: &Value) -> usize {
    let number = record["dynamodb"]["NewImage"]["number"]["N"].as_str();
    number.unwrap().parse().unwrap()
}

/// The answer that names the record at a place.
pub(crate) fn failed_at(event: &Value, place: usize) -> Value {
    let number = &event["Records"][place]["dynamodb"]["SequenceNumber"];
    json!({"batchItemFailures": [{"itemIdentifier": number}]})
}

/// A queue in memory.
#[derive(Default)]
pub(crate) struct Kept(pub(crate) Mutex<Vec<FailedRecord>>);

impl Kept {
    /// Number, condition and attempts of each.
    pub(crate) fn reported(&self) -> Vec<(usize, String, u32)> {
        let kept = self.0.lock().unwrap();
        kept.iter()
            .map(|failed| {
                let condition = format!("{:?}", failed.condition);
                (number(&failed.record), condition, failed.attempts)
            })
            .collect()
    }
}

#[async_trait]
impl FailureQueue for Kept {
    async fn keep(&self, failed: FailedRecord) -> Result<(), BoxError> {
        self.0.lock().unwrap().push(failed);
        Ok(())
    }
}
