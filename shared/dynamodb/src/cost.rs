//! What calls cost: the capacity units that the service reports.

use std::cell::Cell;

use aws_sdk_dynamodb::{
    config::{
        ConfigBag, Intercept, RuntimeComponents,
        interceptors::{
            AfterDeserializationInterceptorContextRef, BeforeSerializationInterceptorContextMut,
        },
    },
    error::BoxError,
    operation::{
        batch_get_item::{BatchGetItemInput, BatchGetItemOutput},
        delete_item::{DeleteItemInput, DeleteItemOutput},
        get_item::{GetItemInput, GetItemOutput},
        put_item::{PutItemInput, PutItemOutput},
        query::{QueryInput, QueryOutput},
        transact_write_items::{TransactWriteItemsInput, TransactWriteItemsOutput},
        update_item::{UpdateItemInput, UpdateItemOutput},
    },
    types::{ConsumedCapacity, ReturnConsumedCapacity},
};

/// Calls, and what they took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Those that were answered; one that is tried again counts as often as it was answered.
    pub calls: u32,
    pub read_units: f64,
    pub write_units: f64,
}

tokio::task_local! {
    static COST: Cell<Cost>;
}

/// What `work` gives, and what the calls of its own task cost.
pub async fn metered<T>(work: impl Future<Output = T>) -> (T, Cost) {
    let measured = async {
        let done = work.await;
        (done, COST.with(Cell::get))
    };
    COST.scope(Cell::default(), measured).await
}

/// Asks for the cost of calls within [`metered`], and adds it up.
#[derive(Debug)]
pub(crate) struct Meter;

/// Whether something reads or writes.
#[derive(Clone, Copy)]
enum Kind {
    Read,
    Write,
}

/// `taken` is one table's units, or several tables'.
fn count<'a>(kind: Kind, taken: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    let taken = taken.into_iter();
    let units: f64 = taken.filter_map(ConsumedCapacity::capacity_units).sum();
    // Outside of `metered` nobody wants to know.
    let _ = COST.try_with(|cost| {
        let mut counted = cost.get();
        counted.calls += 1;
        match kind {
            Kind::Read => counted.read_units += units,
            Kind::Write => counted.write_units += units,
        }
        cost.set(counted);
    });
}

macro_rules! request_capacity {
    ($input:expr, $($operation:ty),+) => {
        $(if let Some(input) = $input.downcast_mut::<$operation>() {
            input.return_consumed_capacity = Some(ReturnConsumedCapacity::Total);
        })+
    };
}

macro_rules! counted {
    ($output:expr, $kind:expr, $($operation:ty),+) => {
        $(if let Some(output) = $output.downcast_ref::<$operation>() {
            count($kind, output.consumed_capacity());
        })+
    };
}

impl Intercept for Meter {
    fn name(&self) -> &'static str {
        "Meter"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if COST.try_with(|_| ()).is_ok() {
            let input = context.input_mut();
            request_capacity!(
                input,
                QueryInput,
                GetItemInput,
                BatchGetItemInput,
                PutItemInput,
                UpdateItemInput,
                DeleteItemInput,
                TransactWriteItemsInput
            );
        }
        Ok(())
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Ok(output) = context.output_or_error() {
            counted!(
                output,
                Kind::Read,
                QueryOutput,
                GetItemOutput,
                BatchGetItemOutput
            );
            counted!(
                output,
                Kind::Write,
                PutItemOutput,
                UpdateItemOutput,
                DeleteItemOutput,
                TransactWriteItemsOutput
            );
        }
        Ok(())
    }
}
