//! Rate windows in the `limits` table: counters that a condition keeps at their limit.

use async_trait::async_trait;
use aws_sdk_dynamodb::{Client, types::ReturnValue};
use mostrador_core::limits::{Limits, LimitsError, Rate, WindowKey};

use crate::{
    attributes::{n, number, s},
    error::WriteFailure,
};

/// [`Limits`] on a table with partition key `subject` and sort key `item`; windows expire by TTL.
#[derive(Debug, Clone)]
pub struct DynamoLimits {
    client: Client,
    table: String,
}

impl DynamoLimits {
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }
}

#[async_trait]
impl Limits for DynamoLimits {
    async fn take(
        &self,
        key: &WindowKey,
        tokens: u32,
        rate: Rate,
    ) -> Result<Option<u32>, LimitsError> {
        let Some(most_before) = rate.limit.checked_sub(tokens) else {
            return Ok(None);
        };
        let window_end = (key.window + 1) * u64::from(rate.window_seconds);
        // Tried again after a lost answer it counts twice, which admits too few and never too many.
        let taken = self
            .client
            .update_item()
            .table_name(&self.table)
            .key("subject", s(&key.subject))
            .key("item", s(format!("rate#{}#{}", key.scope, key.window)))
            .update_expression("ADD used :tokens SET expires_at = :end")
            .condition_expression("attribute_not_exists(used) OR used <= :most")
            .expression_attribute_values(":tokens", n(tokens))
            .expression_attribute_values(":most", n(most_before))
            .expression_attribute_values(":end", n(window_end + 60))
            .return_values(ReturnValue::UpdatedNew)
            .send()
            .await;
        match taken.map_err(WriteFailure::from) {
            Ok(updated) => Ok(Some(
                updated
                    .attributes()
                    .and_then(|row| number(row, "used"))
                    .unwrap_or(rate.limit),
            )),
            Err(WriteFailure::Condition(_)) => Ok(None),
            Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => {
                Err(LimitsError(error.boxed()))
            }
        }
    }
}
