//! What the SDK's errors mean to us.

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError,
        transact_write_items::TransactWriteItemsError, update_item::UpdateItemError,
    },
    types::{AttributeValue, CancellationReason},
};

use crate::attributes::Row;

/// A call that did not succeed, whatever the operation.
#[derive(Debug, thiserror::Error)]
#[error("the table store did not answer as it should")]
pub struct StoreError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl StoreError {
    pub(crate) fn new(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Box::new(source))
    }

    pub(crate) fn boxed(self) -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(self)
    }
}

/// A conditional write that did not happen, or may not have.
pub(crate) enum WriteFailure {
    /// Conditions failed: whose, by their place in the transaction, and the row that stands there, where the service returned it.
    Condition(Vec<(usize, Option<Row>)>),
    /// A transaction was at work on the rows, perhaps our own first try.
    Busy(StoreError),
    Other(StoreError),
}

impl From<SdkError<PutItemError>> for WriteFailure {
    fn from(error: SdkError<PutItemError>) -> Self {
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                Self::Condition(vec![(0, failed.item().cloned())])
            }
            Some(PutItemError::TransactionConflictException(_)) => {
                Self::Busy(StoreError::new(error))
            }
            _ => Self::Other(StoreError::new(error)),
        }
    }
}

impl From<SdkError<UpdateItemError>> for WriteFailure {
    fn from(error: SdkError<UpdateItemError>) -> Self {
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                Self::Condition(vec![(0, failed.item().cloned())])
            }
            Some(UpdateItemError::TransactionConflictException(_)) => {
                Self::Busy(StoreError::new(error))
            }
            _ => Self::Other(StoreError::new(error)),
        }
    }
}

impl From<SdkError<DeleteItemError>> for WriteFailure {
    fn from(error: SdkError<DeleteItemError>) -> Self {
        match error.as_service_error() {
            Some(DeleteItemError::ConditionalCheckFailedException(failed)) => {
                Self::Condition(vec![(0, failed.item().cloned())])
            }
            Some(DeleteItemError::TransactionConflictException(_)) => {
                Self::Busy(StoreError::new(error))
            }
            _ => Self::Other(StoreError::new(error)),
        }
    }
}

impl From<SdkError<TransactWriteItemsError>> for WriteFailure {
    fn from(error: SdkError<TransactWriteItemsError>) -> Self {
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                let reasons = cancelled.cancellation_reasons();
                let failed: Vec<_> = reasons
                    .iter()
                    .enumerate()
                    .filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"))
                    .map(|(place, reason)| (place, reason.item().cloned()))
                    .collect();
                let busy =
                    |reason: &CancellationReason| reason.code() == Some("TransactionConflict");
                if !failed.is_empty() {
                    Self::Condition(failed)
                } else if reasons.iter().any(busy) {
                    Self::Busy(StoreError::new(error))
                } else {
                    Self::Other(StoreError::new(error))
                }
            }
            Some(TransactWriteItemsError::TransactionInProgressException(_)) => {
                Self::Busy(StoreError::new(error))
            }
            _ => Self::Other(StoreError::new(error)),
        }
    }
}

/// An attribute as text, for comparing.
pub(crate) fn text_of(value: Option<&AttributeValue>) -> Option<&str> {
    value
        .and_then(|value| value.as_s().ok())
        .map(String::as_str)
}
