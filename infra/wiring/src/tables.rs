//! The core's ports on the tables.

use std::sync::Arc;

use mostrador_core::{
    actions::{Counter, approvals::Approvals, fulfilment::Fulfilment},
    booking::{BusinessId, Reception, Scheduler},
    desk::Desk,
    history::History,
    limits::Idempotency,
    shop::ProfileSource,
};
use mostrador_dynamodb::{
    DynamoBookings, DynamoCatalogue, DynamoEraser, DynamoLog, DynamoPurchases, DynamoView,
};
use mostrador_web::{SettingError, SystemClock};

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
            reception: self.reception()?,
        })
    }

    /// Appointments, as they are kept.
    #[must_use]
    pub fn bookings(&self) -> Arc<DynamoBookings> {
        Arc::new(DynamoBookings::new(self.dynamodb.clone(), &self.tables))
    }

    /// Where customers book, if the shop takes appointments.
    fn reception(&self) -> Result<Option<Reception>, WiringError> {
        let Some(business) = self.environment().text("BUSINESS_ID") else {
            return Ok(None);
        };
        let business = BusinessId::read(&business).ok_or(SettingError::Invalid {
            name: "BUSINESS_ID",
            expected: "the id of a business: up to 40 small letters, digits and `-`",
        })?;
        Ok(Some(Reception {
            scheduler: Scheduler {
                bookings: self.bookings(),
                clock: Arc::new(SystemClock),
            },
            business,
            known: None,
        }))
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
