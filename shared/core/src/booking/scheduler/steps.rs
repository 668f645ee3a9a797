//! What each change makes of an appointment and of its days.

use jiff::Timestamp;

use super::{
    NotBooked, Order, Scheduler, Wanted,
    instead::{no_alternatives, offered},
};
use crate::booking::{
    Appointment, Booking, BookingError, Calendar, CancelError, Change, ConfirmError, Day,
    HoldError, Moved, NoRoom, Refusal, Reschedule, RescheduleError, State, reschedule,
};
/// What a change makes of an appointment and of its days.
pub(super) struct Step {
    pub(super) becomes: Appointment,
    pub(super) days: Vec<Day>,
}

impl Scheduler {
    pub(super) async fn hold<'a>(
        &self,
        order: Order<'a>,
        wanted: Wanted<'a, '_>,
    ) -> Result<Step, NotBooked<'a>> {
        let hold = |day: &Day, booking: &Booking, now| {
            day.hold(booking, now).map_err(|error| match error {
                HoldError::NoRoom(NoRoom::Taken) | HoldError::IdInUse => Refusal::Taken,
                HoldError::NoRoom(NoRoom::OutsideDay) => Refusal::Closed,
                HoldError::Past | HoldError::Ended => Refusal::TooSoon,
            })
        };
        self.begin(order, wanted, (State::Held, None), hold).await
    }

    pub(super) async fn book<'a>(
        &self,
        order: Order<'a>,
        wanted: Wanted<'a, '_>,
        full_name: Option<&str>,
    ) -> Result<Step, NotBooked<'a>> {
        let confirm = |day: &Day, booking: &Booking, now| {
            day.confirm(booking, now).map_err(|error| match error {
                ConfirmError::NoRoom(NoRoom::Taken)
                | ConfirmError::AlreadyConfirmed
                | ConfirmError::Different => Refusal::Taken,
                ConfirmError::NoRoom(NoRoom::OutsideDay) => Refusal::Closed,
                ConfirmError::Past => Refusal::TooSoon,
            })
        };
        let begins = (State::Confirmed, full_name);
        self.begin(order, wanted, begins, confirm).await
    }

    /// An appointment that was not there before, with the place that `take` takes.
    async fn begin<'a>(
        &self,
        order: Order<'a>,
        wanted: Wanted<'a, '_>,
        (state, full_name): (State, Option<&str>),
        take: impl Fn(&Day, &Booking, Timestamp) -> Result<Day, Refusal> + Send,
    ) -> Result<Step, NotBooked<'a>> {
        let Wanted {
            service,
            calendar,
            start,
        } = wanted;
        let booking = service.booking(order.id.clone(), order.customer.clone(), start);
        let looked = self.look_at(order.business, &calendar.id, start).await?;
        let now = self.now();
        let taken = match offered(order.business, wanted, &looked, now) {
            Ok(()) => {
                let day = looked.day(order.business, &calendar.id, start)?;
                take(&day, &booking, now)
            }
            Err(reason) => Err(reason),
        };
        match taken {
            Ok(day) => Ok(Step {
                becomes: Appointment {
                    branch: calendar.branch.clone(),
                    calendar: calendar.id.clone(),
                    booking,
                    price: service.price,
                    state,
                    full_name: full_name.map(str::to_owned),
                    reason: None,
                },
                days: vec![day],
            }),
            Err(reason) => Err(self.instead(order.business, wanted, None, reason).await),
        }
    }

    pub(super) async fn confirm<'a>(
        &self,
        order: Order<'a>,
        appointment: &Appointment,
    ) -> Result<Step, NotBooked<'a>> {
        let now = self.now();
        let state = appointment.after(Change::Confirm, now)?;
        let (business, booking) = (order.business, &appointment.booking);
        let (calendar, start) = (&appointment.calendar, booking.start_at);
        let looked = self.look_at(business, calendar, start).await?;
        let day = looked.day(business, calendar, start)?;
        let service = business.service(&booking.service);
        let calendar = business.calendar(calendar);
        let as_booked = service.map(|service| service.as_booked(booking));
        let wanted = as_booked
            .as_ref()
            .zip(calendar)
            .map(|(service, calendar)| Wanted {
                service,
                calendar,
                start,
            });
        // What has ended is only had if it is offered.
        let is_offered = match (day.entry(order.id, now), wanted) {
            (Some(_), _) => Ok(()),
            (None, None) => Err(Refusal::NotOffered),
            (None, Some(wanted)) => offered(business, wanted, &looked, now),
        };
        let reason = match is_offered.map(|()| day.confirm(booking, now)) {
            Ok(Ok(day)) => {
                return Ok(Step {
                    becomes: Appointment {
                        state,
                        ..appointment.clone()
                    },
                    days: vec![day],
                });
            }
            // The day does not know what the appointment says.
            Ok(Err(ConfirmError::AlreadyConfirmed | ConfirmError::Different)) => {
                return Err(BookingError::Corrupt.into());
            }
            Ok(Err(ConfirmError::NoRoom(NoRoom::Taken))) => Refusal::Taken,
            Ok(Err(ConfirmError::NoRoom(NoRoom::OutsideDay))) => Refusal::Closed,
            Ok(Err(ConfirmError::Past)) => Refusal::TooSoon,
            Err(reason) => reason,
        };
        Err(match wanted {
            Some(wanted) => self.instead(business, wanted, None, reason).await,
            None => no_alternatives(reason),
        })
    }

    pub(super) async fn reschedule<'a>(
        &self,
        order: Order<'a>,
        appointment: &Appointment,
        calendar: &'a Calendar,
        start: Timestamp,
    ) -> Result<Step, NotBooked<'a>> {
        let now = self.now();
        let state = appointment.after(Change::Reschedule, now)?;
        let (business, id) = (order.business, order.id);
        let service = business.service(&appointment.booking.service);
        let service = service.ok_or_else(|| no_alternatives(Refusal::NotOffered))?;
        let service = service.as_booked(&appointment.booking);
        let wanted = Wanted {
            service: &service,
            calendar,
            start,
        };
        let mut looked = self.look_at(business, &calendar.id, start).await?;
        let to = looked.day(business, &calendar.id, start)?;
        let date = business.date_of(appointment.booking.start_at);
        let from = match appointment.calendar == calendar.id && date == to.date() {
            true => to.clone(),
            false => self.day_of(business, appointment).await?,
        };
        looked.free(Some(id), now);
        let moves = Reschedule {
            id,
            start_at: start,
            hold: None,
        };
        let is_offered = offered(business, wanted, &looked, now);
        let reason = match is_offered.map(|()| reschedule(&from, &to, &moves, now)) {
            Ok(Ok(moved)) => {
                return Ok(Step {
                    becomes: Appointment {
                        branch: calendar.branch.clone(),
                        calendar: calendar.id.clone(),
                        booking: Booking {
                            start_at: start,
                            ..appointment.booking.clone()
                        },
                        state,
                        ..appointment.clone()
                    },
                    days: match moved {
                        Moved::Within(day) => vec![day],
                        Moved::Between { from, to } => vec![from, to],
                    },
                });
            }
            // The day does not know what the appointment says.
            Ok(Err(RescheduleError::NotConfirmed)) => return Err(BookingError::Corrupt.into()),
            Ok(Err(
                RescheduleError::NoRoom(NoRoom::Taken)
                | RescheduleError::Different
                | RescheduleError::IdInUse,
            )) => Refusal::Taken,
            Ok(Err(RescheduleError::NoRoom(NoRoom::OutsideDay))) => Refusal::Closed,
            Ok(Err(RescheduleError::Past)) => Refusal::TooSoon,
            Err(reason) => reason,
        };
        Err(self
            .instead(business, wanted, Some(appointment), reason)
            .await)
    }

    /// An appointment that is over before it was, with its place given back.
    pub(super) async fn give_back<'a>(
        &self,
        order: Order<'a>,
        appointment: &Appointment,
        change: Change,
        reason: Option<&str>,
    ) -> Result<Step, NotBooked<'a>> {
        let now = self.now();
        let state = appointment.after(change, now)?;
        let day = self.day_of(order.business, appointment).await?;
        let freed = match change {
            // A hold that has ended has no place any more.
            Change::Release => day.release(order.id, now).ok(),
            _ => match day.cancel(order.id, now) {
                Ok(freed) => Some(freed),
                Err(CancelError::NotConfirmed) => return Err(BookingError::Corrupt.into()),
            },
        };
        Ok(Step {
            becomes: Appointment {
                state,
                reason: reason.map(str::to_owned),
                ..appointment.clone()
            },
            days: freed.into_iter().collect(),
        })
    }

    /// What has become of an appointment whose time has come.
    pub(super) fn end<'a>(
        &self,
        appointment: &Appointment,
        change: Change,
    ) -> Result<Step, NotBooked<'a>> {
        let state = appointment.after(change, self.now())?;
        Ok(Step {
            becomes: Appointment {
                state,
                ..appointment.clone()
            },
            days: Vec::new(),
        })
    }
}
