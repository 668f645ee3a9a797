//! What every endpoint's requests go through.

use std::sync::Arc;

use mostrador_core::limits::Idempotency;
use mostrador_dynamodb::{DynamoIdempotency, DynamoLimits};
use mostrador_web::Gate;

use crate::{Wiring, WiringError};

impl Wiring {
    /// Who calls, and how often; and what was answered to the same key before, where the endpoint changes something.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn gate(&self, idempotency: Option<Arc<dyn Idempotency>>) -> Result<Gate, WiringError> {
        let limits = DynamoLimits::new(self.dynamodb.clone(), &self.tables.limits);
        let gate = Gate::from_environment(&self.environment(), Arc::new(limits), idempotency)?;
        Ok(gate)
    }

    /// The answers to keys.
    #[must_use]
    pub fn idempotency(&self) -> Arc<dyn Idempotency> {
        Arc::new(self.answers_by_key())
    }

    pub(crate) fn answers_by_key(&self) -> DynamoIdempotency {
        DynamoIdempotency::new(self.dynamodb.clone(), &self.tables.limits)
            .alone_since(self.alone_since)
    }
}
