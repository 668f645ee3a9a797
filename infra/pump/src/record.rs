//! From the SDK's record to the one that Lambda sends.

use std::{
    collections::{BTreeMap, HashMap},
    time::SystemTime,
};

use aws_sdk_dynamodbstreams::{
    primitives::{Blob, DateTime},
    types::{AttributeValue, Record},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

/// A record of a stream, as the event has it.
#[derive(Clone)]
pub(crate) struct StreamRecord {
    pub(crate) number: String,
    /// Up to where the shard is done when this record is: its own number, or that of what was filtered out right after it.
    pub(crate) through: String,
    pub(crate) created_at: Option<SystemTime>,
    pub(crate) size_bytes: usize,
    pub(crate) json: Value,
}

impl StreamRecord {
    /// None for a record without a sequence number, which no service sends.
    pub(crate) fn of(record: Record, stream: &str) -> Option<Self> {
        let change = record.dynamodb?;
        let number = change.sequence_number?;
        let mut dynamodb = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                dynamodb.insert(name.to_owned(), value);
            }
        };
        put(
            "ApproximateCreationDateTime",
            change.approximate_creation_date_time.as_ref().map(seconds),
        );
        put("Keys", change.keys.as_ref().map(image));
        put("NewImage", change.new_image.as_ref().map(image));
        put("OldImage", change.old_image.as_ref().map(image));
        put("SequenceNumber", Some(json!(number)));
        put("SizeBytes", change.size_bytes.map(Value::from));
        let view = change.stream_view_type.as_ref();
        put("StreamViewType", view.map(|view| json!(view.as_str())));
        let mut json = json!({
            "eventID": record.event_id,
            "eventName": record.event_name.as_ref().map(|name| name.as_str()),
            "eventVersion": record.event_version,
            "eventSource": record.event_source,
            "awsRegion": record.aws_region,
            "dynamodb": dynamodb,
            "eventSourceARN": stream,
        });
        // Only what time-to-live removed has one.
        if let Some(identity) = record.user_identity {
            json["userIdentity"] =
                json!({"type": identity.r#type, "principalId": identity.principal_id});
        }
        Some(Self {
            through: number.clone(),
            number,
            created_at: change
                .approximate_creation_date_time
                .and_then(|at| at.try_into().ok()),
            size_bytes: change
                .size_bytes
                .and_then(|size| size.try_into().ok())
                .unwrap_or_default(),
            json,
        })
    }
}

/// Seconds since 1970: whole ones are written without a fraction.
fn seconds(at: &DateTime) -> Value {
    match at.subsec_nanos() {
        0 => json!(at.secs()),
        _ => json!(at.as_secs_f64()),
    }
}

/// The same text for the same item, whatever order a hash map has.
fn image(item: &HashMap<String, AttributeValue>) -> Value {
    let sorted: BTreeMap<_, _> = item.iter().collect();
    let members = sorted
        .into_iter()
        .map(|(name, value)| (name.clone(), attribute(value)));
    members.collect::<Map<_, _>>().into()
}

fn attribute(value: &AttributeValue) -> Value {
    let base64 = |bytes: &Blob| STANDARD.encode(bytes);
    match value {
        AttributeValue::S(text) => json!({"S": text}),
        AttributeValue::N(number) => json!({"N": number}),
        AttributeValue::Bool(value) => json!({"BOOL": value}),
        AttributeValue::Null(value) => json!({"NULL": value}),
        AttributeValue::B(bytes) => json!({"B": base64(bytes)}),
        AttributeValue::M(members) => json!({"M": image(members)}),
        AttributeValue::L(values) => {
            json!({"L": values.iter().map(attribute).collect::<Vec<_>>()})
        }
        AttributeValue::Ss(texts) => json!({"SS": texts}),
        AttributeValue::Ns(numbers) => json!({"NS": numbers}),
        AttributeValue::Bs(values) => {
            json!({"BS": values.iter().map(base64).collect::<Vec<_>>()})
        }
        // A type that DynamoDB has not had yet.
        _ => json!({}),
    }
}
