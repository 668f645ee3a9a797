//! Where appointments are asked for: with which business.

use std::sync::Arc;

use super::{BookingError, Business, BusinessId, Scheduler};

/// The businesses of an installation, and what makes their appointments.
#[derive(Clone)]
pub struct Reception {
    pub scheduler: Scheduler,
    /// Whose appointments are meant where none is named.
    pub business: BusinessId,
    /// That business, where it was read already.
    pub known: Option<Arc<Business>>,
}

impl Reception {
    /// The business of that name, or the one that is meant without any; nothing where there is none.
    ///
    /// # Errors
    /// [`BookingError`].
    pub async fn business(
        &self,
        named: Option<&str>,
    ) -> Result<Option<Arc<Business>>, BookingError> {
        if let (None, Some(known)) = (named, &self.known) {
            return Ok(Some(Arc::clone(known)));
        }
        let id = match named {
            Some(named) => BusinessId::read(named),
            None => Some(self.business.clone()),
        };
        let Some(id) = id else {
            return Ok(None);
        };
        let Some(file) = self.scheduler.bookings.business(&id).await? else {
            return Ok(None);
        };
        let file = serde_json::from_str(&file).map_err(|_| BookingError::Corrupt)?;
        let business = Business::read(file).map_err(|faults| {
            tracing::error!(business = %id, ?faults, "a business's file is not what it has to be by now");
            BookingError::Corrupt
        })?;
        Ok(Some(Arc::new(business)))
    }
}
