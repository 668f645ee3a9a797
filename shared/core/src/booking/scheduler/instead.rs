//! What is offered, and what is said in the place of what is not.

use jiff::{Timestamp, ToSpan};

use super::{NotBooked, Scheduler, Wanted, looked::Looked};
use crate::booking::{Appointment, Business, Calendar, Dates, Refusal, Search, nearest};

/// Other times that are offered where one cannot be had.
const ALTERNATIVES: usize = 3;
/// They are looked for so many days before and behind the one that was wanted.
const DAYS_AROUND: i64 = 7;

impl Scheduler {
    /// What is said in the place of a time that cannot be had, to one who has `own` already: what that has a part of is free for it.
    pub(super) async fn instead<'a>(
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
        let calendars: Vec<&Calendar> = business
            .offering(Some(&calendar.branch), &service.id)
            .collect();
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

pub(super) fn no_alternatives<'a>(reason: Refusal) -> NotBooked<'a> {
    NotBooked::Unavailable {
        reason,
        alternatives: Vec::new(),
    }
}

/// Whether a time is one that is offered.
pub(super) fn offered(
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
