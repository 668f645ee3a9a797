//! Appointments as they are asked for: held, confirmed, moved and let go, against whoever wants the same place.

mod instead;
mod looked;
mod steps;

use std::sync::Arc;

use futures_util::future::try_join_all;
use jiff::Timestamp;
use uuid::Uuid;

use self::steps::Step;
use super::{
    Agenda, Appointment, AppointmentId, BookingError, Bookings, Business, BusinessId, Calendar,
    Change, ChangeError, Dates, Kept, Mutation, Refusal, Search, Service, Slot,
};
use crate::{
    clock::{Clock, timestamp},
    ids::Owner,
    limits::Settlement,
    log::{ATTEMPTS, FIRST_PAUSE},
};

/// How often a change is tried: everybody who wants anything of a day changes the one item that it is, and a lost race says nothing of the
/// place that is wanted.
const RACES: usize = 4 * ATTEMPTS;

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
    /// Takes a place at once, under an id that is new.
    Book {
        wanted: Wanted<'a, 'a>,
        /// Whom it is for.
        full_name: Option<&'a str>,
    },
    Confirm,
    Release,
    /// To another time, with whom it was or somebody else. It takes as long as it did when it was booked.
    Reschedule {
        calendar: &'a Calendar,
        start: Timestamp,
    },
    Cancel {
        reason: Option<&'a str>,
    },
    Complete,
    MarkNoShow,
}

/// What becomes of a request with the change that it asked for.
pub type Settle<'a> = &'a (dyn Fn(&Appointment) -> Option<Settlement> + Sync);

/// Whose appointment is to be changed, and by what.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    pub business: &'a Business,
    pub customer: &'a Owner,
    /// No other customer's has it.
    pub id: &'a AppointmentId,
    pub wish: Wish<'a>,
    /// By the appointment as it is to be.
    pub settle: Option<Settle<'a>>,
}

impl Scheduler {
    fn now(&self) -> Timestamp {
        timestamp(self.clock.now())
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

    /// Of these calendars the first with whom a time can be had. Where it can with none, the one that is told why: with whom it is taken
    /// before all others.
    ///
    /// # Errors
    /// [`BookingError`].
    pub async fn whoever<'a>(
        &self,
        business: &'a Business,
        service: &Service,
        calendars: &[&'a Calendar],
        start: Timestamp,
    ) -> Result<Option<&'a Calendar>, BookingError> {
        let now = self.now();
        let looks = calendars
            .iter()
            .map(|calendar| self.look_at(business, &calendar.id, start));
        let looked = try_join_all(looks).await?;
        let mut refused = None;
        for (calendar, looked) in calendars.iter().zip(&looked) {
            let wanted = Wanted {
                service,
                calendar,
                start,
            };
            match instead::offered(business, wanted, looked, now) {
                Ok(()) => return Ok(Some(calendar)),
                Err(reason) if refused.is_none() || reason == Refusal::Taken => {
                    refused = Some(*calendar);
                }
                Err(_) => {}
            }
        }
        Ok(refused)
    }

    /// What an appointment would become now; nothing is changed.
    ///
    /// # Errors
    /// As of [`Self::take`].
    pub async fn would_be<'a>(&self, order: Order<'a>) -> Result<Appointment, NotBooked<'a>> {
        let (_, step) = self.decide(order).await?;
        Ok(step.becomes)
    }

    /// Changes an appointment, again after every lost race; the appointment as it is afterwards.
    ///
    /// # Errors
    /// [`NotBooked`]. Nothing was written, unless the store does not answer, or is busy, or nobody knows.
    pub async fn take<'a>(&self, order: Order<'a>) -> Result<Appointment, NotBooked<'a>> {
        let effect_id = self.clock.new_id();
        for race in 0..RACES - 1 {
            match self.once(order, effect_id).await {
                Err(NotBooked::Store(BookingError::Conflict)) => self.pause(race).await,
                settled => return settled,
            }
        }
        match self.once(order, effect_id).await {
            Err(NotBooked::Store(BookingError::Conflict)) => Err(self.overrun(order).await),
            settled => settled,
        }
    }

    /// What is said to one who has lost each race for a place: so many want that day that others are offered.
    async fn overrun<'a>(&self, order: Order<'a>) -> NotBooked<'a> {
        let conflict = || NotBooked::Store(BookingError::Conflict);
        match order.wish {
            Wish::Hold(wanted) | Wish::Book { wanted, .. } => {
                self.instead(order.business, wanted, None, Refusal::Taken)
                    .await
            }
            Wish::Reschedule { calendar, start } => {
                let Ok(Some(kept)) = self.kept(order).await else {
                    return conflict();
                };
                let own = &kept.appointment;
                let Some(service) = order.business.service(&own.booking.service) else {
                    return conflict();
                };
                let service = &service.as_booked(&own.booking);
                let wanted = Wanted {
                    service,
                    calendar,
                    start,
                };
                self.instead(order.business, wanted, Some(own), Refusal::Taken)
                    .await
            }
            Wish::Confirm
            | Wish::Release
            | Wish::Cancel { .. }
            | Wish::Complete
            | Wish::MarkNoShow => conflict(),
        }
    }

    async fn pause(&self, race: usize) {
        let longest = FIRST_PAUSE * (1 << race.min(ATTEMPTS));
        self.clock.pause_up_to(longest).await;
    }

    async fn once<'a>(
        &self,
        order: Order<'a>,
        effect_id: Uuid,
    ) -> Result<Appointment, NotBooked<'a>> {
        let (kept, step) = self.decide(order).await?;
        let becomes = step.becomes;
        let kept = kept.unwrap_or_else(|| Kept::new(becomes.clone()));
        let mutation = Mutation {
            effect_id,
            appointment: Kept {
                appointment: becomes.clone(),
                ..kept
            },
            days: step.days,
            settlement: order.settle.and_then(|settle| settle(&becomes)),
        };
        self.make(&order.business.id, &mutation).await?;
        Ok(becomes)
    }

    /// The appointment as it is kept, and what is to become of it.
    async fn decide<'a>(&self, order: Order<'a>) -> Result<(Option<Kept>, Step), NotBooked<'a>> {
        let kept = self.kept(order).await?;
        match self.step(order, kept.as_ref()).await {
            // The appointment and its days are read one after the other: a change between the two looks like a reason.
            Err(
                refused @ (NotBooked::Unavailable { .. } | NotBooked::Store(BookingError::Corrupt)),
            ) => {
                let version = |kept: &Option<Kept>| kept.as_ref().map(|kept| kept.version);
                let again = self.kept(order).await?;
                Err(match version(&again) == version(&kept) {
                    true => refused,
                    false => BookingError::Conflict.into(),
                })
            }
            decided => Ok((kept, decided?)),
        }
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
            (Wish::Book { wanted, full_name }, None) => {
                return self.book(order, wanted, full_name).await;
            }
            (_, None) => return Err(NotBooked::NotFound),
            (_, Some(kept)) => &kept.appointment,
        };
        match order.wish {
            // Its id is another change's.
            Wish::Hold(_) | Wish::Book { .. } => {
                kept.state.after(Change::Release)?;
                Err(ChangeError::Held.into())
            }
            Wish::Confirm => self.confirm(order, kept).await,
            Wish::Release => self.give_back(order, kept, Change::Release, None).await,
            Wish::Reschedule { calendar, start } => {
                self.reschedule(order, kept, calendar, start).await
            }
            Wish::Cancel { reason } => self.give_back(order, kept, Change::Cancel, reason).await,
            Wish::Complete => self.end(kept, Change::Complete),
            Wish::MarkNoShow => self.end(kept, Change::MarkNoShow),
        }
    }
}
