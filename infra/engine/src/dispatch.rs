//! From an operation's name and JSON to the engine's call, and back to JSON.

use dynoxide::{Database, errors::DynoxideError};
use serde::{Serialize, de::DeserializeOwned};

/// Status and body of the answer. Only the operations the product uses are known.
pub(crate) fn dispatch(database: &Database, operation: &str, body: &[u8]) -> (u16, String) {
    let call = Call { body };
    match operation {
        "PutItem" => call.run(|request| database.put_item(request)),
        "GetItem" => call.run(|request| database.get_item(request)),
        "UpdateItem" => call.run(|request| database.update_item(request)),
        "DeleteItem" => call.run(|request| database.delete_item(request)),
        "Query" => call.run(|request| database.query(request)),
        "Scan" => call.run(|request| database.scan(request)),
        "BatchGetItem" => call.run(|request| database.batch_get_item(request)),
        "BatchWriteItem" => call.run(|request| database.batch_write_item(request)),
        "TransactWriteItems" => call.run(|request| database.transact_write_items(request)),
        "CreateTable" => call.run(|request| database.create_table(request)),
        "DescribeTable" => call.run(|request| database.describe_table(request)),
        "UpdateTimeToLive" => call.run(|request| database.update_time_to_live(request)),
        "ListStreams" => call.run(|request| database.list_streams(request)),
        "DescribeStream" => call.run(|request| database.describe_stream(request)),
        "GetShardIterator" => call.run(|request| database.get_shard_iterator(request)),
        "GetRecords" => call.run(|request| database.get_records(request)),
        _ => (
            400,
            r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#.to_owned(),
        ),
    }
}

struct Call<'a> {
    body: &'a [u8],
}

impl Call<'_> {
    fn run<Q: DeserializeOwned, A: Serialize>(
        &self,
        perform: impl FnOnce(Q) -> Result<A, DynoxideError>,
    ) -> (u16, String) {
        let Ok(request) = serde_json::from_slice(self.body) else {
            return (
                400,
                r#"{"__type":"com.amazon.coral.service#SerializationException"}"#.to_owned(),
            );
        };
        match perform(request) {
            Ok(answer) => match serde_json::to_string(&answer) {
                Ok(json) => (200, json),
                Err(_) => (
                    500,
                    r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#
                        .to_owned(),
                ),
            },
            Err(error) => (error.status_code(), error.to_json()),
        }
    }
}
