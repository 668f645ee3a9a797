//! Appointments, services and slots in words for people and in members for programs.

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};

use super::Visit;
use crate::{
    booking::{Appointment, Service, Slot},
    clock::timestamp,
    language::Argument,
    price::Price,
    shop::{clock, in_words},
};

impl Visit<'_> {
    pub(super) fn now(&self) -> Timestamp {
        timestamp(self.attempt.now)
    }

    pub(super) fn today(&self) -> Date {
        self.business.date_of(self.now())
    }

    /// `10:00`.
    pub(super) fn time(&self, at: Timestamp) -> String {
        clock(self.business.minute_of(at))
    }

    /// "el viernes 27 de noviembre".
    pub(super) fn day(&self, date: Date) -> String {
        self.with_date("appointment-day", date, &[])
    }

    /// "el viernes 27 de noviembre a las 10:00".
    pub(super) fn when(&self, at: Timestamp) -> String {
        let time = self.time(at);
        let arguments = [("time", (&time).into())];
        self.with_date("appointment-time", self.business.date_of(at), &arguments)
    }

    /// "viernes 27 de noviembre".
    pub(super) fn date_line(&self, date: Date) -> String {
        self.with_date("appointment-date", date, &[])
    }

    fn with_date(&self, key: &str, date: Date, more: &[(&'static str, Argument<'_>)]) -> String {
        self.attempt
            .message(key, &[in_words(date).as_slice(), more].concat())
    }

    /// An amount in the business's own currency.
    pub(super) fn price(&self, price: Price) -> String {
        price.in_currency(self.attempt.locale().language, &self.business.currency)
    }

    /// "Corte: 45 min, 25,00 €".
    pub(super) fn service_line(&self, service: &Service) -> String {
        let price = self.price(service.price);
        let arguments = [
            ("service", (&service.name).into()),
            ("minutes", service.duration_minutes.get().into()),
            ("price", (&price).into()),
        ];
        self.attempt.message("service-line", &arguments)
    }

    pub(super) fn described(&self, service: &Service) -> Value {
        let category = self.business.category(&service.category);
        json!({
            "service_id": service.id,
            "name": service.name,
            "category_id": service.category,
            "category": category.map(|category| &category.name),
            "description": service.description,
            "duration_minutes": service.duration_minutes,
            "price": service.price,
            "currency": self.business.currency,
        })
    }

    /// "el viernes 27 de noviembre a las 10:00 con Ana".
    pub(super) fn slot_line(&self, slot: &Slot<'_>) -> String {
        let when = self.when(slot.time.start());
        let calendar = self.business.calendar(slot.calendar);
        let calendar = calendar.map_or("", |calendar| &calendar.name);
        let arguments = [("when", (&when).into()), ("calendar", calendar.into())];
        self.attempt.message("slot-line", &arguments)
    }

    pub(super) fn slot(&self, slot: &Slot<'_>) -> Value {
        let start = slot.time.start();
        let calendar = self.business.calendar(slot.calendar);
        json!({
            "starts_at": slot.to_string(),
            "date": self.business.date_of(start).to_string(),
            "time": self.time(start),
            "calendar_id": slot.calendar,
            "calendar": calendar.map(|calendar| &calendar.name),
            "branch_id": calendar.map(|calendar| &calendar.branch),
        })
    }

    /// A message about an appointment: `$service`, `$when`, `$calendar`, `$branch`, `$price`. What is no longer in the business's file
    /// goes by its id.
    pub(super) fn of_appointment(&self, key: &str, one: &Appointment) -> String {
        let business = &self.business;
        let booking = &one.booking;
        let service = business.service(&booking.service);
        let calendar = business.calendar(&one.calendar);
        let branch = business.branch(&one.branch);
        let (when, price) = (self.when(booking.start_at), self.price(one.price));
        let named = one.full_name.as_ref().map(|name| {
            let name = [("name", name.into())];
            self.attempt.message("appointment-named", &name)
        });
        let arguments = [
            ("named", named.as_deref().unwrap_or_default().into()),
            ("when", (&when).into()),
            ("price", (&price).into()),
            (
                "service",
                service
                    .map_or(booking.service.as_str(), |it| &it.name)
                    .into(),
            ),
            (
                "calendar",
                calendar.map_or(one.calendar.as_str(), |it| &it.name).into(),
            ),
            (
                "branch",
                branch.map_or(one.branch.as_str(), |it| &it.name).into(),
            ),
        ];
        self.attempt.message(key, &arguments)
    }

    pub(super) fn appointment(&self, one: &Appointment) -> Value {
        let business = &self.business;
        let (booking, time) = (&one.booking, one.booking.time());
        let zone = &business.time_zone;
        let at = |at: Timestamp| at.display_with_offset(zone.to_offset(at)).to_string();
        json!({
            "appointment_id": booking.id,
            "state": one.state,
            "service_id": booking.service,
            "service": business.service(&booking.service).map(|service| &service.name),
            "branch_id": one.branch,
            "branch": business.branch(&one.branch).map(|branch| &branch.name),
            "calendar_id": one.calendar,
            "calendar": business.calendar(&one.calendar).map(|calendar| &calendar.name),
            "starts_at": at(time.start()),
            "ends_at": at(time.end()),
            "date": business.date_of(time.start()).to_string(),
            "time": self.time(time.start()),
            "duration_minutes": booking.duration_minutes,
            "price": one.price,
            "currency": business.currency,
            "full_name": one.full_name,
            "reason": one.reason,
        })
    }
}
