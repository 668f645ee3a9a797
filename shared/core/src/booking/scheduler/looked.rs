//! What of a calendar is booked, and what of it cannot be read.

use jiff::Timestamp;

use super::Scheduler;
use crate::booking::{
    Agenda, Appointment, AppointmentId, BookingError, Business, Calendar, Dates, Day, Event,
    LocalDay, Refusal, When,
};

/// A calendar's dates as they are read: what is booked, and what is busy besides.
pub(super) struct Looked {
    pub(super) days: Vec<Day>,
    pub(super) events: Vec<Event>,
}

impl Scheduler {
    pub(super) async fn look_at(
        &self,
        business: &Business,
        calendar: &Calendar,
        start: Timestamp,
    ) -> Result<Looked, BookingError> {
        let date = business.date_of(start);
        let dates = Dates {
            from: date,
            to: date,
        };
        self.look(business, calendar, dates).await
    }

    pub(super) async fn look(
        &self,
        business: &Business,
        calendar: &Calendar,
        dates: Dates,
    ) -> Result<Looked, BookingError> {
        let read = self
            .bookings
            .days(&business.id, &calendar.id, dates)
            .await?;
        // Of a day that cannot be read nothing is free.
        let damaged = read.damaged.into_iter().filter_map(|date| {
            Some(Event {
                when: When::Days {
                    first: date,
                    end: date.tomorrow().ok()?,
                },
                title: String::new(),
                is_transparent: false,
            })
        });
        Ok(Looked {
            events: damaged.collect(),
            days: read.days,
        })
    }

    /// The day that an appointment is in.
    pub(super) async fn day_of(
        &self,
        business: &Business,
        appointment: &Appointment,
    ) -> Result<Day, BookingError> {
        let start = appointment.booking.start_at;
        let date = business.date_of(start);
        let dates = Dates {
            from: date,
            to: date,
        };
        let read = self
            .bookings
            .days(&business.id, &appointment.calendar, dates);
        let read = read.await?;
        if !read.damaged.is_empty() {
            return Err(BookingError::Corrupt);
        }
        let new = || {
            let day = LocalDay::of(date, &business.time_zone)?;
            Some(Day::new(appointment.calendar.clone(), &day))
        };
        let day = read.days.into_iter().next().or_else(new);
        day.ok_or(BookingError::Corrupt)
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
    pub(super) fn day(
        &self,
        business: &Business,
        calendar: &Calendar,
        start: Timestamp,
    ) -> Result<Day, Refusal> {
        let date = business.date_of(start);
        let found = self.days.iter().find(|day| day.date() == date);
        let new = || {
            let day = LocalDay::of(date, &business.time_zone)?;
            Some(Day::new(calendar.id.clone(), &day))
        };
        found.cloned().or_else(new).ok_or(Refusal::OutsideWindow)
    }
}
