//! What is free.

use std::ops::Range;

use jiff::{Timestamp, ToSpan};
use serde_json::json;

use super::{Attempt, Outcome, Payload, Stopped, Visit};
use crate::{
    booking::{Calendar, Dates, Service, Slot},
    shop::minute,
};

/// So many days are looked at where it is not said which.
const DAYS: i64 = 7;
/// Most days that are looked at at once.
const DAYS_MOST: i64 = 31;
/// Most slots of one answer; it says from when it goes on.
const SLOTS: usize = 200;
/// Times of one line for people.
const TIMES_PER_LINE: usize = 12;
/// So many times that follow each other within so many minutes are told as the first and the last of them.
const CLOSE_TOGETHER: usize = 4;
const CLOSE_MINUTES: i64 = 30;

/// The slots of a date, or of several.
pub(super) async fn slots(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let query = visit.query(payload)?;
    visit.free(&query).await
}

/// For what, in which calendars and on which dates something free is looked for.
struct SlotQuery<'a> {
    service: &'a Service,
    calendars: Vec<&'a Calendar>,
    dates: Dates,
    /// Of the day, by the clocks of the business.
    minutes: Range<u16>,
}

impl Visit<'_> {
    fn query(&self, payload: &Payload) -> Result<SlotQuery<'_>, Stopped> {
        let branch = self.branch(payload)?;
        let service = self.service(payload, branch)?;
        let calendars = self.calendars(payload, branch, service)?;
        Ok(SlotQuery {
            service,
            calendars,
            dates: self.dates(payload)?,
            minutes: self.minutes(payload)?,
        })
    }

    /// `time_from` up to `time_to`; the whole day without them.
    fn minutes(&self, payload: &Payload) -> Result<Range<u16>, Stopped> {
        let read = |name, default| payload.text(name).map_or(Some(default), minute);
        let bounds = read("time_from", 0).zip(read("time_to", 24 * 60));
        let not_understood = || self.attempt.refused("invalid_time", &[]);
        let (from, to) = bounds.ok_or_else(not_understood)?;
        Ok(from..to)
    }

    /// `date`, or `from` up to `to`; the next days without any.
    fn dates(&self, payload: &Payload) -> Result<Dates, Stopped> {
        if let Some(date) = self.date(payload, "date")? {
            return Ok(Dates::on(date));
        }
        let from = self.date(payload, "from")?.unwrap_or_else(|| self.today());
        let to = self.date(payload, "to")?;
        let to = to.unwrap_or_else(|| from.saturating_add((DAYS - 1).days()));
        if to < from || to > from.saturating_add((DAYS_MOST - 1).days()) {
            return Err(self.attempt.refused("invalid_date", &[]).into());
        }
        Ok(Dates { from, to })
    }

    async fn free(&self, query: &SlotQuery<'_>) -> Result<Outcome, Stopped> {
        let (attempt, business) = (self.attempt, &self.business);
        let SlotQuery {
            service,
            calendars,
            dates,
            minutes,
        } = query;
        let is_then = |slot: &Slot<'_>| minutes.contains(&business.minute_of(slot.time.start()));
        let scheduler = self.scheduler;
        let mut slots = scheduler
            .slots(business, service, calendars, *dates)
            .await?;
        slots.retain(is_then);
        let (count, one_date) = (slots.len(), dates.from == dates.to);
        let next = slots.get(SLOTS).map(ToString::to_string);
        slots.truncate(SLOTS);
        let day = one_date.then(|| self.day(dates.from));
        let arguments = [
            ("count", count.into()),
            ("service", (&service.name).into()),
            ("day", day.as_deref().unwrap_or_default().into()),
            ("days", if one_date { "one" } else { "many" }.into()),
        ];
        let mut message = attempt.message("slots", &arguments);
        if slots.is_empty() {
            let (today, window) = (self.today(), i64::from(business.booking_window_days));
            let later = Dates {
                from: dates.to.saturating_add(1.day()).max(today),
                to: today.saturating_add(window.days()),
            };
            let later = scheduler.slots(business, service, calendars, later).await?;
            if let Some(first) = later.iter().find(|slot| is_then(slot)) {
                let line = self.slot_line(first);
                let next = attempt.message("slots-next", &[("when", (&line).into())]);
                message = format!("{message} {next}");
            }
        }
        let mut outcome = Outcome::done(
            message,
            slots.iter().map(|slot| self.slot(slot)).collect(),
            json!({"count": count, "service_id": service.id, "business_id": business.id, "next": next}),
        );
        let lines = if one_date {
            self.by_calendar(&slots, calendars)
        } else {
            self.by_day(&slots)
        };
        outcome.details = attempt.listed(&lines, lines.len(), Clone::clone);
        Ok(outcome)
    }

    /// `Ana: 10:00, 11:30`, a line for each calendar that has any.
    fn by_calendar(&self, slots: &[Slot<'_>], calendars: &[&Calendar]) -> Vec<String> {
        let lines = calendars.iter().filter_map(|calendar| {
            let own = slots.iter().filter(|slot| *slot.calendar == calendar.id);
            let times = self.times_of(own);
            (!times.is_empty()).then(|| format!("{}: {times}", calendar.name))
        });
        lines.collect()
    }

    /// `viernes 27 de noviembre: 10:00, 11:30`, a line for each day that has any.
    fn by_day(&self, slots: &[Slot<'_>]) -> Vec<String> {
        let date = |slot: &Slot<'_>| self.business.date_of(slot.time.start());
        let days = slots.chunk_by(|one, other| date(one) == date(other));
        let lines = days.map(|slots| {
            let day = slots.first().map(|slot| self.date_line(date(slot)));
            let times = self.times_of(slots.iter());
            format!("{}: {times}", day.unwrap_or_default())
        });
        lines.collect()
    }

    /// When slots begin, each time once; many that follow closely on each other as the first and the last of them: `10:00–13:30`.
    fn times_of<'s>(&self, slots: impl Iterator<Item = &'s Slot<'s>>) -> String {
        let mut starts: Vec<Timestamp> = slots.map(|slot| slot.time.start()).collect();
        starts.dedup();
        let gap = |one: usize| starts[one + 1].duration_since(starts[one]).as_mins();
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < starts.len() {
            let mut last = at;
            while last + 1 < starts.len() && gap(last) == gap(at) {
                last += 1;
            }
            let is_close = last > at && gap(at) <= CLOSE_MINUTES;
            if is_close && last - at + 1 >= CLOSE_TOGETHER {
                parts.push(format!(
                    "{}–{}",
                    self.time(starts[at]),
                    self.time(starts[last])
                ));
                at = last + 1;
            } else {
                parts.push(self.time(starts[at]));
                at += 1;
            }
        }
        if parts.len() > TIMES_PER_LINE {
            parts.truncate(TIMES_PER_LINE);
            parts.push("…".to_owned());
        }
        parts.join(", ")
    }
}
