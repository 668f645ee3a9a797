//! Appointments as they are asked for: held, confirmed, moved and let go, against whoever wants the same place.

mod looked;

use std::sync::Arc;

use futures_util::future::try_join_all;
use jiff::{Timestamp, ToSpan};
use uuid::Uuid;

use self::looked::Looked;
use super::{
    Agenda, Appointment, AppointmentId, Booking, BookingError, Bookings, Business, BusinessId,
    Calendar, CancelError, Change, ChangeError, ConfirmError, CustomerId, Dates, Day, HoldError,
    Kept, Moved, Mutation, NoRoom, Refusal, Reschedule, RescheduleError, Search, Service, Slot,
    State, nearest, reschedule,
};
use crate::{
    clock::Clock,
    limits::Settlement,
    log::{ATTEMPTS, FIRST_PAUSE},
};

/// Other times that are offered where one cannot be had.
const ALTERNATIVES: usize = 3;
/// They are looked for so many days before and behind the one that was wanted.
const DAYS_AROUND: i64 = 7;

/// A time, with whom, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a, 's> {
    pub service: &'s Service,
    pub calendar: &'a Calendar,
    pub start: Timestamp,
}

/// Why an appointment is not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum NotBooked<'a> {
    /// The time cannot be had, and these can, the nearest first.
    #[error("{reason}")]
    Unavailable {
        reason: Refusal,
        alternatives: Vec<Slot<'a>>,
    },
    #[error("there is no such appointment")]
    NotFound,
    #[error(transparent)]
    Closed(#[from] ChangeError),
    #[error(transparent)]
    Store(#[from] BookingError),
}

/// Makes and changes appointments, each once whoever is at it.
#[derive(Clone)]
pub struct Scheduler {
    pub bookings: Arc<dyn Bookings>,
    pub clock: Arc<dyn Clock>,
}

/// What is to become of an appointment.
#[derive(Debug, Clone, Copy)]
pub enum Wish<'a> {
    /// Keeps a place for some minutes, under an id that is new.
    Hold(Wanted<'a, 'a>),
    Confirm,
    Release,
    /// To another time, with whom it was or somebody else. It takes as long as it did when it was booked.
    Reschedule {
        calendar: &'a Calendar,
        start: Timestamp,
    },
    Cancel,
    Complete,
    MarkNoShow,
}

/// Whose appointment is to be changed, and by what.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    pub business: &'a Business,
    pub customer: &'a CustomerId,
    /// No other customer's has it.
    pub id: &'a AppointmentId,
    pub wish: Wish<'a>,
    /// What becomes of the request with the change.
    pub settlement: Option<&'a Settlement>,
}

/// What a change makes of an appointment and of its days.
struct Step {
    becomes: Appointment,
    days: Vec<Day>,
}

impl Scheduler {
    fn now(&self) -> Timestamp {
        let now = self.clock.now().unix_timestamp_nanos();
        Timestamp::from_nanosecond(now).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// What is free for a service in some calendars.
    ///
    /// # Errors
    /// [`BookingError`].
    pub async fn slots<'a>(
        &self,
        business: &'a Business,
        service: &Service,
        calendars: &[&'a Calendar],
        dates: Dates,
    ) -> Result<Vec<Slot<'a>>, BookingError> {
        self.slots_beside(business, service, calendars, dates, None)
            .await
    }

    /// The same for one who has an appointment already, which is in nobody's way.
    async fn slots_beside<'a>(
        &self,
        business: &'a Business,
        service: &Service,
        calendars: &[&'a Calendar],
        dates: Dates,
        own: Option<&AppointmentId>,
    ) -> Result<Vec<Slot<'a>>, BookingError> {
        let now = self.now();
        let looks = calendars
            .iter()
            .map(|calendar| self.look(business, &calendar.id, dates));
        let mut looked = try_join_all(looks).await?;
        for looked in &mut looked {
            looked.free(own, now);
        }
        let pairs = calendars.iter().zip(&looked);
        let agendas: Vec<Agenda<'a, '_>> = pairs
            .map(|(calendar, looked)| looked.agenda(calendar))
            .collect();
        Ok(Search::new(business, service, dates, &agendas, now).slots())
    }

    /// Changes an appointment, again after every lost race; the appointment as it is afterwards.
    ///
    /// # Errors
    /// [`NotBooked`]. Nothing was written, unless the store does not answer, or is busy, or nobody knows.
    pub async fn take<'a>(&self, order: Order<'a>) -> Result<Appointment, NotBooked<'a>> {
        let effect_id = self.clock.new_id();
        for race in 0..ATTEMPTS - 1 {
            match self.once(order, effect_id).await {
                Err(NotBooked::Store(BookingError::Conflict)) => self.pause(race).await,
                settled => return settled,
            }
        }
        self.once(order, effect_id).await
    }

    async fn pause(&self, race: usize) {
        self.clock.pause_up_to(FIRST_PAUSE * (1 << race)).await;
    }

    async fn once<'a>(
        &self,
        order: Order<'a>,
        effect_id: Uuid,
    ) -> Result<Appointment, NotBooked<'a>> {
        let kept = self.kept(order).await?;
        let step = match self.step(order, kept.as_ref()).await {
            // The appointment and its days are read one after the other: a change between the two looks like a reason.
            Err(
                refused @ (NotBooked::Unavailable { .. } | NotBooked::Store(BookingError::Corrupt)),
            ) => {
                let version = |kept: &Option<Kept>| kept.as_ref().map(|kept| kept.version);
                let again = self.kept(order).await?;
                return Err(match version(&again) == version(&kept) {
                    true => refused,
                    false => BookingError::Conflict.into(),
                });
            }
            decided => decided?,
        };
        let becomes = step.becomes;
        let kept = kept.unwrap_or_else(|| Kept::new(becomes.clone()));
        let mutation = Mutation {
            effect_id,
            appointment: Kept {
                appointment: becomes.clone(),
                ..kept
            },
            days: step.days,
            settlement: order.settlement.cloned(),
        };
        self.make(&order.business.id, &mutation).await?;
        Ok(becomes)
    }

    /// Makes the mutation happen, again while another change is at work: it may be this one itself, of which the answer was lost.
    async fn make(&self, business: &BusinessId, mutation: &Mutation) -> Result<(), BookingError> {
        for race in 0..ATTEMPTS - 1 {
            match self.bookings.commit(business, mutation).await {
                Err(BookingError::Busy) => self.pause(race).await,
                settled => return settled,
            }
        }
        self.bookings.commit(business, mutation).await
    }

    async fn kept(&self, order: Order<'_>) -> Result<Option<Kept>, BookingError> {
        let business = &order.business.id;
        let kept = self
            .bookings
            .appointment(business, order.customer, order.id);
        kept.await
    }

    async fn step<'a>(&self, order: Order<'a>, kept: Option<&Kept>) -> Result<Step, NotBooked<'a>> {
        let kept = match (order.wish, kept) {
            (Wish::Hold(wanted), None) => return self.hold(order, wanted).await,
            (_, None) => return Err(NotBooked::NotFound),
            (_, Some(kept)) => &kept.appointment,
        };
        match order.wish {
            // Its id is another change's.
            Wish::Hold(_) => {
                kept.state.after(Change::Release)?;
                Err(ChangeError::Held.into())
            }
            Wish::Confirm => self.confirm(order, kept).await,
            Wish::Release => self.give_back(order, kept, Change::Release).await,
            Wish::Reschedule { calendar, start } => {
                self.reschedule(order, kept, calendar, start).await
            }
            Wish::Cancel => self.give_back(order, kept, Change::Cancel).await,
            Wish::Complete => self.end(kept, Change::Complete),
            Wish::MarkNoShow => self.end(kept, Change::MarkNoShow),
        }
    }

    async fn hold<'a>(
        &self,
        order: Order<'a>,
        wanted: Wanted<'a, '_>,
    ) -> Result<Step, NotBooked<'a>> {
        let Wanted {
            service,
            calendar,
            start,
        } = wanted;
        let booking = service.booking(order.id.clone(), order.customer.clone(), start);
        let looked = self.look_at(order.business, &calendar.id, start).await?;
        let now = self.now();
        let reason = match offered(order.business, wanted, &looked, now) {
            Ok(()) => match looked
                .day(order.business, &calendar.id, start)?
                .hold(&booking, now)
            {
                Ok(day) => {
                    return Ok(Step {
                        becomes: Appointment {
                            branch: calendar.branch.clone(),
                            calendar: calendar.id.clone(),
                            booking,
                            price: service.price,
                            state: State::Held,
                        },
                        days: vec![day],
                    });
                }
                Err(HoldError::NoRoom(NoRoom::Taken) | HoldError::IdInUse) => Refusal::Taken,
                Err(HoldError::NoRoom(NoRoom::OutsideDay)) => Refusal::Closed,
                Err(HoldError::Past | HoldError::Ended) => Refusal::TooSoon,
            },
            Err(reason) => reason,
        };
        Err(self.instead(order.business, wanted, None, reason).await)
    }

    async fn confirm<'a>(
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

    async fn reschedule<'a>(
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
                        price: appointment.price,
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
    async fn give_back<'a>(
        &self,
        order: Order<'a>,
        appointment: &Appointment,
        change: Change,
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
                ..appointment.clone()
            },
            days: freed.into_iter().collect(),
        })
    }

    /// What has become of an appointment whose time has come.
    fn end<'a>(&self, appointment: &Appointment, change: Change) -> Result<Step, NotBooked<'a>> {
        let state = appointment.after(change, self.now())?;
        Ok(Step {
            becomes: Appointment {
                state,
                ..appointment.clone()
            },
            days: Vec::new(),
        })
    }

    /// What is said in the place of a time that cannot be had, to one who has `own` already: what that has a part of is free for it.
    async fn instead<'a>(
        &self,
        business: &'a Business,
        wanted: Wanted<'a, '_>,
        own: Option<&Appointment>,
        reason: Refusal,
    ) -> NotBooked<'a> {
        let Wanted {
            service,
            calendar,
            start,
        } = wanted;
        let date = business.date_of(start);
        let dates = Dates {
            from: date.saturating_sub(DAYS_AROUND.days()),
            to: date.saturating_add(DAYS_AROUND.days()),
        };
        let calendars: Vec<&Calendar> = business.offering(&calendar.branch, &service.id).collect();
        let id = own.map(|own| &own.booking.id);
        let slots = self.slots_beside(business, service, &calendars, dates, id);
        match slots.await {
            Ok(mut slots) => {
                // Where it is already is no other time.
                slots.retain(|slot| {
                    let is_own = |own: &Appointment| {
                        own.calendar == *slot.calendar && own.booking.start_at == slot.time.start()
                    };
                    !own.is_some_and(is_own)
                });
                NotBooked::Unavailable {
                    reason,
                    alternatives: nearest(&slots, start, ALTERNATIVES),
                }
            }
            Err(error) => {
                tracing::warn!(%error, "no alternatives are told");
                no_alternatives(reason)
            }
        }
    }
}

fn no_alternatives<'a>(reason: Refusal) -> NotBooked<'a> {
    NotBooked::Unavailable {
        reason,
        alternatives: Vec::new(),
    }
}

/// Whether a time is one that is offered.
fn offered(
    business: &Business,
    wanted: Wanted<'_, '_>,
    looked: &Looked,
    now: Timestamp,
) -> Result<(), Refusal> {
    let dates = Dates::on(business.date_of(wanted.start));
    let agendas = [looked.agenda(wanted.calendar)];
    let search = Search::new(business, wanted.service, dates, &agendas, now);
    search.at(&wanted.calendar.id, wanted.start).map(|_| ())
}
