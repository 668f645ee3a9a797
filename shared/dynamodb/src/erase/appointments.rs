//! Taking an owner's appointments out of the bookings table, each with its place in its calendar's day.

use aws_sdk_dynamodb::types::{Delete, TransactWriteItem};
use jiff::{ToSpan, tz::TimeZone};
use mostrador_core::{
    booking::{BookingError, Bookings, BusinessId, Dates, Day, Kept},
    clock::timestamp,
    erasure::{Appointments, ErasureError},
    ids::Owner,
};
use time::OffsetDateTime;

use super::{DynamoEraser, failed, unbuilt};
use crate::{
    attributes::{Row, text},
    bookings::{APPOINTMENT, DynamoBookings, kept},
    error::WriteFailure,
};

impl DynamoEraser {
    pub(super) async fn erase_appointments(
        &self,
        owner: &Owner,
        now: OffsetDateTime,
    ) -> Result<Appointments, ErasureError> {
        let table = &self.tables.bookings;
        let keys = self.keys_of((table, "subject", "item"), owner, APPOINTMENT);
        let mut appointments = Appointments::default();
        for key in keys.await? {
            match self.erase_appointment(key, now).await {
                Ok(()) => appointments.erased += 1,
                Err(ErasureError::Conflict) => appointments.left += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(appointments)
    }

    async fn erase_appointment(&self, key: Row, now: OffsetDateTime) -> Result<(), ErasureError> {
        let table = &self.tables.bookings;
        // Another call may have been quicker.
        let Some(row) = self.row(table, &key).await? else {
            return Ok(());
        };
        let bookings = DynamoBookings::new(self.client.clone(), &self.tables);
        let business = text(&key, "item").and_then(|item| item.split('#').nth(1));
        let business = business.and_then(BusinessId::read);
        let appointment = business.zip(kept(&row).ok());
        if appointment.is_none() {
            tracing::error!(
                "an appointment that cannot be read is erased without its place: nobody knows where that is"
            );
        }
        let day = match &appointment {
            Some((business, kept)) => day_without(&bookings, business, kept, now).await?,
            None => None,
        };
        let delete = Delete::builder().table_name(table).set_key(Some(key));
        let delete = match row.get("version") {
            Some(read) => delete
                .condition_expression("version = :read")
                .expression_attribute_values(":read", read.clone()),
            None => delete.condition_expression("attribute_not_exists(version)"),
        };
        let delete = delete.build().map_err(unbuilt)?;
        let mut writes = vec![TransactWriteItem::builder().delete(delete).build()];
        if let Some(((business, _), day)) = appointment.as_ref().zip(day) {
            writes.push(bookings.put_day(business, &day).map_err(unbuilt)?);
        }
        self.client
            .transact_write_items()
            .set_transact_items(Some(writes))
            .send()
            .await
            .map_err(|error| match WriteFailure::from(error) {
                WriteFailure::Condition(_) | WriteFailure::Busy(_) => ErasureError::Conflict,
                WriteFailure::Other(error) => failed(error),
            })?;
        Ok(())
    }
}

/// The day of an appointment as it is without it; nothing where no day has it.
async fn day_without(
    bookings: &DynamoBookings,
    business: &BusinessId,
    kept: &Kept,
    now: OffsetDateTime,
) -> Result<Option<Day>, ErasureError> {
    let appointment = &kept.appointment;
    let booking = &appointment.booking;
    // Wherever the business is, its date is one of these.
    let date = TimeZone::UTC.to_datetime(booking.start_at).date();
    let dates = Dates {
        from: date.saturating_sub(1.day()),
        to: date.saturating_add(1.day()),
    };
    let days = bookings.days(business, &appointment.calendar, dates);
    let days = days.await.map_err(unreadable)?;
    let now = timestamp(now);
    let mut days = days.days.iter();
    Ok(days.find_map(|day| day.erase(&booking.id, now)))
}

fn unreadable(error: BookingError) -> ErasureError {
    ErasureError::Unavailable(Box::new(error))
}
