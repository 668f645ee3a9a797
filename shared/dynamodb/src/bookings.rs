//! The `bookings` table: what a business is, a row for each day of a calendar in which something was booked, and one for each
//! appointment, under its customer.

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::{BuildError, SdkError},
    operation::{put_item::PutItemError, query::builders::QueryFluentBuilder},
    types::{Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem},
};
use jiff::civil::Date;
use mostrador_core::{
    booking::{
        AppointmentId, BookingError, Bookings, Business, BusinessId, CalendarId, Dates, Day, Days,
        Kept, Mutation,
    },
    effects::Happened,
    ids::Owner,
};

use crate::{
    attributes::{Row, n, number, s, text},
    error::{StoreError, WriteFailure},
    idempotency,
    tables::Tables,
};

/// [`Bookings`] on a table with partition key `subject`, a business or an owner, and sort key `item`; what a change settles
/// lies in the limits table.
#[derive(Debug, Clone)]
pub struct DynamoBookings {
    client: Client,
    table: String,
    limits: String,
}

/// Most bytes of a business: a row ends at 400 KB, its names included.
const BUSINESS_BYTES: usize = 380 << 10;

impl DynamoBookings {
    #[must_use]
    pub fn new(client: Client, tables: &Tables) -> Self {
        Self {
            client,
            table: tables.bookings.clone(),
            limits: tables.limits.clone(),
        }
    }

    async fn get(&self, subject: String, item: String) -> Result<Option<Row>, BookingError> {
        let found = self
            .client
            .get_item()
            .table_name(&self.table)
            .key("subject", s(subject))
            .key("item", s(item))
            .consistent_read(true)
            .send()
            .await
            .map_err(unavailable)?;
        Ok(found.item)
    }

    /// The rows of a subject from one key up to another, both included.
    fn range(&self, subject: String, from: String, to: String) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("#s = :s AND #i BETWEEN :from AND :to")
            .expression_attribute_names("#s", "subject")
            .expression_attribute_names("#i", "item")
            .expression_attribute_values(":s", s(subject))
            .expression_attribute_values(":from", s(from))
            .expression_attribute_values(":to", s(to))
    }

    /// A row that is put only in the place of the version before it.
    fn put_behind(&self, row: Row, before: u64) -> Result<TransactWriteItem, BuildError> {
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(row))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::None);
        let put = match before {
            0 => put
                .condition_expression("attribute_not_exists(#s)")
                .expression_attribute_names("#s", "subject"),
            before => put
                .condition_expression("version = :read")
                .expression_attribute_values(":read", n(before)),
        };
        Ok(TransactWriteItem::builder().put(put.build()?).build())
    }

    /// A day that is put only in the place of the one that it was made from.
    pub(crate) fn put_day(
        &self,
        business: &BusinessId,
        day: &Day,
    ) -> Result<TransactWriteItem, BuildError> {
        let before = day.version().saturating_sub(1);
        self.put_behind(day_row(business, day), before)
    }

    async fn write(&self, business: &BusinessId, mutation: &Mutation) -> Result<(), WriteFailure> {
        let built = |error: BuildError| WriteFailure::Other(StoreError::new(error));
        let kept = &mutation.appointment;
        let row = appointment_row(business, mutation);
        let mut writes = vec![self.put_behind(row, kept.version).map_err(built)?];
        for day in &mutation.days {
            writes.push(self.put_day(business, day).map_err(built)?);
        }
        if let Some(settlement) = &mutation.settlement {
            let settled = idempotency::settle(&self.limits, settlement).map_err(built)?;
            writes.push(TransactWriteItem::builder().update(settled).build());
        }
        self.client
            .transact_write_items()
            .set_transact_items(Some(writes))
            .send()
            .await?;
        Ok(())
    }
}

fn of_business(business: &BusinessId) -> String {
    business.to_string()
}

/// No id has a `#` in it, and every owner has.
fn appointment_key(business: &BusinessId, id: &str) -> String {
    format!("{APPOINTMENT}{business}#{id}")
}

fn day_key(calendar: &CalendarId, date: Date) -> String {
    format!("day#{calendar}#{date}")
}

pub(crate) const APPOINTMENT: &str = "appointment#";
const BUSINESS: &str = "business";

fn day_row(business: &BusinessId, day: &Day) -> Row {
    Row::from([
        ("subject".to_owned(), s(of_business(business))),
        ("item".to_owned(), s(day_key(day.calendar(), day.date()))),
        ("version".to_owned(), n(day.version())),
        ("document".to_owned(), s(written(day))),
    ])
}

fn appointment_row(business: &BusinessId, mutation: &Mutation) -> Row {
    let kept = &mutation.appointment;
    let booking = &kept.appointment.booking;
    Row::from([
        ("subject".to_owned(), s(booking.customer.to_string())),
        (
            "item".to_owned(),
            s(appointment_key(business, booking.id.as_str())),
        ),
        ("version".to_owned(), n(kept.version + 1)),
        ("document".to_owned(), s(written(&kept.appointment))),
        (
            "effects".to_owned(),
            s(written(&kept.effects_with(mutation.effect_id))),
        ),
    ])
}

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn kept(row: &Row) -> Result<Kept, BookingError> {
    let read = || {
        Some(Kept {
            appointment: serde_json::from_str(text(row, "document")?).ok()?,
            version: number(row, "version")?,
            effects: serde_json::from_str(text(row, "effects")?).ok()?,
        })
    };
    read().ok_or(BookingError::Corrupt)
}

/// A day, if it is whole and its row is its own.
fn day(row: &Row) -> Option<Day> {
    let day: Day = serde_json::from_str(text(row, "document")?).ok()?;
    let is_own = number(row, "version") == Some(day.version());
    is_own.then_some(day)
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> BookingError {
    BookingError::Unavailable(StoreError::new(error).boxed())
}

#[async_trait]
impl Bookings for DynamoBookings {
    async fn business(&self, business: &BusinessId) -> Result<Option<String>, BookingError> {
        let row = self.get(of_business(business), BUSINESS.to_owned()).await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let file = text(&row, "document").ok_or(BookingError::Corrupt)?;
        Ok(Some(file.to_owned()))
    }

    async fn put_business(&self, business: &Business, file: &str) -> Result<(), BookingError> {
        if file.len() > BUSINESS_BYTES {
            return Err(BookingError::TooLarge {
                bytes: file.len(),
                most: BUSINESS_BYTES,
            });
        }
        let zone = business.time_zone.iana_name().unwrap_or_default();
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .item("subject", s(of_business(&business.id)))
            .item("item", s(BUSINESS))
            .item("document", s(file))
            .item("time_zone", s(zone))
            .condition_expression("attribute_not_exists(#s) OR time_zone = :zone")
            .expression_attribute_names("#s", "subject")
            .expression_attribute_values(":zone", s(zone));
        match put.send().await.map_err(SdkError::into_service_error) {
            Ok(_) => Ok(()),
            Err(PutItemError::ConditionalCheckFailedException(_)) => Err(BookingError::OtherZone),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn days(
        &self,
        business: &BusinessId,
        calendar: &CalendarId,
        dates: Dates,
    ) -> Result<Days, BookingError> {
        let [from, to] = [dates.from, dates.to].map(|date| day_key(calendar, date));
        let mut found = Days::default();
        if from > to {
            return Ok(found);
        }
        let pages = self.range(of_business(business), from, to);
        let mut rows = pages.into_paginator().items().send();
        while let Some(row) = rows.next().await {
            let row = row.map_err(unavailable)?;
            let item = text(&row, "item").unwrap_or_default();
            match day(&row) {
                Some(day) if day_key(day.calendar(), day.date()) == item => found.days.push(day),
                _ => {
                    tracing::error!(item, "a day cannot be read, and counts as full");
                    let date = item.rsplit_once('#').map(|(_, date)| date.parse::<Date>());
                    found.damaged.extend(date.and_then(Result::ok));
                }
            }
        }
        Ok(found)
    }

    async fn appointment(
        &self,
        business: &BusinessId,
        customer: &Owner,
        id: &AppointmentId,
    ) -> Result<Option<Kept>, BookingError> {
        let item = appointment_key(business, id.as_str());
        let row = self.get(customer.to_string(), item).await?;
        row.as_ref().map(kept).transpose()
    }

    async fn appointments(
        &self,
        business: &BusinessId,
        customer: &Owner,
        before: Option<&AppointmentId>,
        limit: usize,
    ) -> Result<Vec<Kept>, BookingError> {
        // Behind every id, and before none of them: an id has no control characters.
        let to = before.map_or_else(|| char::MAX.to_string(), ToString::to_string);
        let [from, to] = ["", &to].map(|id| appointment_key(business, id));
        let range = self.range(customer.to_string(), from, to);
        let mut rows = range
            .scan_index_forward(false)
            .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX))
            .into_paginator()
            .items()
            .send();
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(row) = rows.next().await
        {
            let row = row.map_err(unavailable)?;
            match kept(&row) {
                Ok(kept) if before != Some(&kept.appointment.booking.id) => found.push(kept),
                Ok(_) => {}
                Err(_) => {
                    let item = text(&row, "item").unwrap_or_default();
                    tracing::error!(item, "left out: an appointment cannot be read");
                }
            }
        }
        Ok(found)
    }

    async fn everywhere(&self, customer: &Owner) -> Result<Vec<(BusinessId, Kept)>, BookingError> {
        let (from, to) = (
            APPOINTMENT.to_owned(),
            format!("{APPOINTMENT}{}", char::MAX),
        );
        let range = self.range(customer.to_string(), from, to);
        let mut rows = range.into_paginator().items().send();
        let mut found = Vec::new();
        while let Some(row) = rows.next().await {
            let row = row.map_err(unavailable)?;
            let item = text(&row, "item").unwrap_or_default();
            let business = item.split('#').nth(1).and_then(BusinessId::read);
            match business.zip(kept(&row).ok()) {
                Some(one) => found.push(one),
                None => tracing::error!(item, "left out: an appointment cannot be read"),
            }
        }
        Ok(found)
    }

    async fn commit(&self, business: &BusinessId, mutation: &Mutation) -> Result<(), BookingError> {
        let Err(failure) = self.write(business, mutation).await else {
            return Ok(());
        };
        // The client tries again by itself: what stands in the way may be our own first try.
        let booking = &mutation.appointment.appointment.booking;
        let now = self.appointment(business, &booking.customer, &booking.id);
        let happened = now
            .await
            .map(|now| now.map_or(Happened::No, |now| now.shows(mutation)));
        match (failure, happened) {
            (_, Ok(Happened::Yes)) => Ok(()),
            (WriteFailure::Condition(failed), Ok(Happened::No)) => {
                let before = 1 + mutation.days.len();
                let is_overtaken = failed.iter().all(|(place, _)| *place == before);
                Err(match is_overtaken {
                    true => BookingError::Overtaken,
                    false => BookingError::Conflict,
                })
            }
            (_, Ok(Happened::Unknown)) => Err(BookingError::Unknown),
            (WriteFailure::Condition(_), Err(error)) => Err(error),
            (WriteFailure::Busy(_), _) => Err(BookingError::Busy),
            (WriteFailure::Other(error), _) => Err(BookingError::Unavailable(error.boxed())),
        }
    }
}
