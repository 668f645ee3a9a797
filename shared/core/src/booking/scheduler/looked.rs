//! What of a calendar is booked, and what of it cannot be read.

use jiff::{Timestamp, civil::Date};

use super::Scheduler;
use crate::booking::{
    Agenda, Appointment, AppointmentId, BookingError, Business, Calendar, CalendarId, Dates, Day,
    Event, LocalDay, When,
};

/// A calendar's dates as they are read: what is booked, and what is busy besides.
pub(super) struct Looked {
    days: Vec<Day>,
    damaged: Vec<Date>,
    events: Vec<Event>,
}

impl Scheduler {
    pub(super) async fn look_at(
        &self,
        business: &Business,
        calendar: &CalendarId,
        start: Timestamp,
    ) -> Result<Looked, BookingError> {
        let dates = Dates::on(business.date_of(start));
        self.look(business, calendar, dates).await
    }

    pub(super) async fn look(
        &self,
        business: &Business,
        calendar: &CalendarId,
        dates: Dates,
    ) -> Result<Looked, BookingError> {
        let read = self.bookings.days(&business.id, calendar, dates).await?;
        // Of a day that cannot be read nothing is free.
        let full = read.damaged.iter().filter_map(|date| {
            Some(Event {
                when: When::Days {
                    first: *date,
                    end: date.tomorrow().ok()?,
                },
                title: String::new(),
                is_transparent: false,
            })
        });
        Ok(Looked {
            events: full.collect(),
            days: read.days,
            damaged: read.damaged,
        })
    }

    /// The day that an appointment is in.
    pub(super) async fn day_of(
        &self,
        business: &Business,
        appointment: &Appointment,
    ) -> Result<Day, BookingError> {
        let (calendar, start) = (&appointment.calendar, appointment.booking.start_at);
        let looked = self.look_at(business, calendar, start).await?;
        looked.day(business, calendar, start)
    }
}

impl Looked {
    pub(super) fn agenda<'a>(&self, calendar: &'a Calendar) -> Agenda<'a, '_> {
        Agenda {
            calendar,
            events: &self.events,
            days: &self.days,
        }
    }

    /// Without the place of an appointment that is to be moved: it is not in its own way.
    pub(super) fn free(&mut self, own: Option<&AppointmentId>, now: Timestamp) {
        for day in &mut self.days {
            if let Some(Ok(freed)) = own.map(|own| day.cancel(own, now)) {
                *day = freed;
            }
        }
    }

    /// The day of a time among what was looked at, or one in which nothing is booked.
    ///
    /// # Errors
    /// [`BookingError::Corrupt`] of one that cannot be read.
    pub(super) fn day(
        &self,
        business: &Business,
        calendar: &CalendarId,
        start: Timestamp,
    ) -> Result<Day, BookingError> {
        let date = business.date_of(start);
        if self.damaged.contains(&date) {
            return Err(BookingError::Corrupt);
        }
        let found = self.days.iter().find(|day| day.date() == date);
        let new = || {
            let day = LocalDay::of(date, &business.time_zone)?;
            Some(Day::new(calendar.clone(), &day))
        };
        found.cloned().or_else(new).ok_or(BookingError::Corrupt)
    }
}
