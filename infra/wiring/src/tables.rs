//! The core's ports on the tables.

use std::sync::Arc;

use mostrador_core::{
    actions::{Counter, approvals::Approvals, fulfilment::Fulfilment},
    desk::Desk,
    history::History,
    limits::Idempotency,
    shop::ProfileSource,
};
use mostrador_dynamodb::{DynamoCatalogue, DynamoEraser, DynamoLog, DynamoPurchases, DynamoView};
use mostrador_web::SystemClock;

use crate::{Wiring, WiringError};

impl Wiring {
    /// The log of conversations.
    #[must_use]
    pub fn log(&self) -> Arc<DynamoLog> {
        Arc::new(DynamoLog::new(self.dynamodb.clone(), &self.tables))
    }

    /// The view of conversations.
    #[must_use]
    pub fn view(&self) -> Arc<DynamoView> {
        Arc::new(DynamoView::new(self.dynamodb.clone(), &self.tables))
    }

    /// What the shop has, and at what price.
    #[must_use]
    pub fn catalogue(&self) -> DynamoCatalogue {
        DynamoCatalogue::new(self.dynamodb.clone(), &self.tables.catalogue)
    }

    /// Carts, reservations and orders.
    #[must_use]
    pub fn purchases(&self) -> Arc<DynamoPurchases> {
        Arc::new(DynamoPurchases::new(self.dynamodb.clone(), &self.tables))
    }

    /// What takes a customer out of the tables.
    #[must_use]
    pub fn eraser(&self) -> Arc<DynamoEraser> {
        Arc::new(DynamoEraser::new(self.dynamodb.clone(), &self.tables))
    }

    /// Conversations, to be read and written.
    #[must_use]
    pub fn history(&self) -> History {
        History {
            log: self.log(),
            view: self.view(),
            clock: Arc::new(SystemClock),
        }
    }

    /// Where customers act, in the words of `shop`.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn counter(&self, shop: Arc<dyn ProfileSource>) -> Result<Counter, WiringError> {
        Ok(Counter {
            catalogue: Arc::new(self.catalogue()),
            purchases: self.purchases(),
            clock: Arc::new(SystemClock),
            order_total_max: self.environment().amount("ORDER_TOTAL_MAX")?,
            shop,
        })
    }

    /// What the shop's staff do with what their customers have ordered and put aside.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn fulfilment(&self, shop: Arc<dyn ProfileSource>) -> Result<Fulfilment, WiringError> {
        Ok(Fulfilment {
            counter: self.counter(shop)?,
            log: self.log(),
            queues: self.purchases(),
        })
    }

    /// What the shop's staff do where a person is needed.
    #[must_use]
    pub fn desk(&self) -> Desk {
        Desk {
            history: self.history(),
        }
    }

    /// What was proposed to customers, and their decisions.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn approvals(
        &self,
        idempotency: Arc<dyn Idempotency>,
        shop: Arc<dyn ProfileSource>,
    ) -> Result<Approvals, WiringError> {
        Ok(Approvals {
            log: self.log(),
            idempotency,
            counter: self.counter(shop)?,
        })
    }
}
