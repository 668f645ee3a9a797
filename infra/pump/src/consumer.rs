//! Who is called with batches, and the outcome of a batch.

use async_trait::async_trait;
use serde_json::Value;

/// Any error, as consumers and failure queues have them.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A function that a mapping calls.
#[async_trait]
pub trait Consumer: Send + Sync {
    /// Does what a batch asks for and answers with a batch response.
    ///
    /// `event` is a Lambda event of a DynamoDB stream: `{"Records": [...]}`. The answer `{"batchItemFailures": [{"itemIdentifier": "..."}]}`
    /// names the sequence numbers of what failed; the batch is done where it names none.
    ///
    /// # Errors
    /// Whatever failed; the whole batch has failed with it, as it has if this panics or takes longer than the mapping's timeout.
    async fn consume(&self, event: Value) -> Result<Value, BoxError>;
}

/// The outcome of a batch by its answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    /// The records before this place are done.
    FailedFrom(usize),
    Failed,
}

/// Reads a batch response by the rules of `ReportBatchItemFailures`.
///
/// No answer, an empty object and an empty or missing list are success. The lowest number that is named counts. A number that is
/// not the batch's, an empty one and whatever else cannot be read fail the whole batch.
pub(crate) fn verdict(response: &Value, numbers: &[&str]) -> Verdict {
    let failures = match response {
        Value::Null => return Verdict::Done,
        Value::Object(members) => match members.get("batchItemFailures") {
            None | Some(Value::Null) => return Verdict::Done,
            Some(Value::Array(failures)) => failures,
            Some(_) => return Verdict::Failed,
        },
        _ => return Verdict::Failed,
    };
    let mut lowest = None;
    for failure in failures {
        let named = failure["itemIdentifier"].as_str();
        let place = named.and_then(|named| numbers.iter().position(|number| *number == named));
        match (place, lowest) {
            (None, _) => return Verdict::Failed,
            (Some(place), Some(before)) if before <= place => {}
            (place, _) => lowest = place,
        }
    }
    match lowest {
        None => Verdict::Done,
        Some(0) => Verdict::Failed,
        Some(place) => Verdict::FailedFrom(place),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_read_as_lambda_reads_them() {
        let failures = |named: Value| json!({"batchItemFailures": named});
        let check = |response: Value, expected: Verdict| {
            assert_eq!(
                verdict(&response, &["7", "8", "10"]),
                expected,
                "{response}"
            );
        };
        check(Value::Null, Verdict::Done);
        check(json!({}), Verdict::Done);
        check(failures(Value::Null), Verdict::Done);
        check(failures(json!([])), Verdict::Done);
        check(
            failures(json!([{"itemIdentifier": "10"}])),
            Verdict::FailedFrom(2),
        );
        check(
            failures(json!([{"itemIdentifier": "10"}, {"itemIdentifier": "8"}])),
            Verdict::FailedFrom(1),
        );
        check(failures(json!([{"itemIdentifier": "7"}])), Verdict::Failed);
        check(
            failures(json!([{"itemIdentifier": "8"}, {"itemIdentifier": "9"}])),
            Verdict::Failed,
        );
        check(failures(json!([{"itemIdentifier": ""}])), Verdict::Failed);
        check(failures(json!([{"itemIdentifier": null}])), Verdict::Failed);
        check(failures(json!([{"itemId": "8"}])), Verdict::Failed);
        check(failures(json!("8")), Verdict::Failed);
        check(json!("done"), Verdict::Failed);
    }
}
