//! What is free: when an appointment for a service can begin, and with whom.
//!
//! A calendar is open by its hours or by its events, within its branch's hours. An appointment lies in what is open, and nothing of it
//! or of its buffers in what is busy, booked or held; its buffers may lie outside of what is open, but not in another day.

mod nearest;

use std::num::NonZeroU16;

use jiff::{
    Timestamp, ToSpan,
    civil::Date,
    tz::{Offset, TimeZone},
};

use super::{
    Branch, BranchId, Business, Calendar, CalendarId, Day, Event, LocalDay, Marker, Service,
    Source, Span,
    event::Effect,
    local_day::{date_at, days},
    span::MINUTE_SECONDS,
    spans::{difference, intersection, union},
};

pub use nearest::nearest;

/// Slots begin at whole steps of the clock, so that nobody is offered 10:37 because something ended then.
pub const STEP_MINUTES: u16 = 5;

/// The dates from one up to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dates {
    pub from: Date,
    pub to: Date,
}

impl Dates {
    /// One date.
    #[must_use]
    pub const fn on(date: Date) -> Self {
        Self {
            from: date,
            to: date,
        }
    }
}

/// A calendar with what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Agenda<'a, 'd> {
    pub calendar: &'a Calendar,
    /// Whatever of it is elsewhere, in any order: all that has a part in the dates that are asked for, or lies closer to them than the
    /// service's buffers.
    pub events: &'d [Event],
    /// Those of its days in which something has been booked, in any order.
    pub days: &'d [Day],
}

/// A time that is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot<'a> {
    pub calendar: &'a CalendarId,
    /// The appointment, without its buffers.
    pub time: Span,
    /// How far the business's clocks are ahead of UTC when it begins.
    pub offset: Offset,
}

impl std::fmt::Display for Slot<'_> {
    /// When it begins, by RFC 3339 with its offset.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.time.start().display_with_offset(self.offset))
    }
}

/// Why a time cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the calendar does not offer the service")]
    NotOffered,
    #[error("it begins between two steps of the clock")]
    BetweenSteps,
    /// It has begun, or begins within the business's notice.
    #[error("it is too soon")]
    TooSoon,
    /// It is after the business's window, or none of the dates that are looked at.
    #[error("it is on none of the dates that are open for appointments")]
    OutsideWindow,
    #[error("the calendar is closed")]
    Closed,
    #[error("somebody else has a part of it")]
    Taken,
}

/// What is free for a service in some calendars.
#[derive(Debug)]
pub struct Search<'a> {
    duration_minutes: NonZeroU16,
    buffer_before_minutes: u16,
    buffer_after_minutes: u16,
    step_seconds: i64,
    time_zone: &'a TimeZone,
    /// Before it nothing begins.
    earliest: i64,
    /// The dates that are both asked for and within the window.
    days: Vec<LocalDay>,
    looked_at: Vec<LookedAt<'a>>,
}

/// A calendar that offers the service.
#[derive(Debug)]
struct LookedAt<'a> {
    calendar: &'a CalendarId,
    /// In order and apart: where an appointment lies, and what it may have no part of.
    open: Vec<Span>,
    shut: Vec<Span>,
}

impl<'a> Search<'a> {
    /// Looks at `dates` as they are at `now`. Calendars that do not offer the service are left out.
    #[must_use]
    pub fn new(
        business: &'a Business,
        service: &Service,
        dates: Dates,
        agendas: &[Agenda<'a, '_>],
        now: Timestamp,
    ) -> Self {
        let time_zone = &business.time_zone;
        let today = date_at(now.as_second(), time_zone);
        let last = today.saturating_add(i64::from(business.booking_window_days).days());
        let days = days(dates.from.max(today), dates.to.min(last), time_zone);
        let step = business
            .slot_step_minutes
            .unwrap_or(service.duration_minutes);
        let notice = i64::from(business.min_notice_minutes) * MINUTE_SECONDS;
        let begun = i64::from(now.subsec_nanosecond() > 0);
        let mut search = Self {
            duration_minutes: service.duration_minutes,
            buffer_before_minutes: service.buffer_before_minutes,
            buffer_after_minutes: service.buffer_after_minutes,
            step_seconds: i64::from(step.get()) * MINUTE_SECONDS,
            time_zone,
            earliest: now.as_second() + begun + notice,
            days,
            looked_at: Vec::with_capacity(agendas.len()),
        };
        let mut branches = BranchHours::default();
        for agenda in agendas
            .iter()
            .filter(|one| one.calendar.offers(&service.id))
        {
            let branch = business.branch(&agenda.calendar.branch);
            let hours = branch.map_or(&[][..], |branch| branches.of(branch, &search.days));
            let looked_at = search.look_at(agenda, hours, &business.availability_marker, now);
            search.looked_at.push(looked_at);
        }
        search
    }

    fn look_at(
        &self,
        agenda: &Agenda<'a, '_>,
        branch: &[Span],
        marker: &Marker,
        now: Timestamp,
    ) -> LookedAt<'a> {
        let marker = match agenda.calendar.source {
            Source::Kept { .. } => None,
            Source::Google { .. } | Source::CalDav { .. } => Some(marker),
        };
        let (before, after) = self.buffers();
        let (mut marked, mut shut) = (Vec::new(), Vec::new());
        let dates = self.days.first().zip(self.days.last());
        let dates =
            dates.and_then(|(first, last)| Span::new(first.span().start(), last.span().end()));
        let Some(dates) = dates.map(|dates| dates.widened(before, after)) else {
            return LookedAt {
                calendar: &agenda.calendar.id,
                open: Vec::new(),
                shut: Vec::new(),
            };
        };
        for event in agenda.events {
            // What it is called matters only where it has a part in the dates.
            let span = event.span(self.time_zone, Effect::Blocks);
            if !span.is_some_and(|span| span.overlaps(dates)) {
                continue;
            }
            match event.effect(marker) {
                Effect::Opens => marked.extend(event.span(self.time_zone, Effect::Opens)),
                Effect::Blocks => shut.extend(span),
                Effect::Nothing => {}
            }
        }
        let booked = agenda.days.iter().flat_map(|day| day.entries(now));
        shut.extend(booked.map(|entry| entry.booking.blocked()));
        // An appointment keeps away from everything by its own buffers: the one behind it from what comes after.
        let shut = shut.into_iter().map(|span| span.widened(after, before));
        let open = match &agenda.calendar.source {
            Source::Kept { hours: Some(hours) } => intersection(branch, &hours.over(&self.days)),
            Source::Kept { hours: None } => branch.to_vec(),
            Source::Google { .. } | Source::CalDav { .. } => intersection(branch, &union(marked)),
        };
        LookedAt {
            calendar: &agenda.calendar.id,
            open: intersection(&open, &self.rooms()),
            shut: union(shut.collect()),
        }
    }

    /// Where in each of the days an appointment can lie without a buffer leaving the day.
    fn rooms(&self) -> Vec<Span> {
        let (before, after) = self.buffers();
        let [before, after] = [before, after].map(|minutes| i64::from(minutes) * MINUTE_SECONDS);
        let rooms = self.days.iter().filter_map(|day| {
            let span = day.span();
            Span::of_seconds(span.start_second() + before, span.end_second() - after)
        });
        rooms.collect()
    }

    fn buffers(&self) -> (u16, u16) {
        (self.buffer_before_minutes, self.buffer_after_minutes)
    }

    /// All slots, in the order of time and then of the calendars.
    #[must_use]
    pub fn slots(&self) -> Vec<Slot<'a>> {
        let mut slots: Vec<Slot<'a>> = Vec::new();
        for calendar in &self.looked_at {
            slots.extend(self.cut(calendar));
        }
        // Each calendar's are in order already.
        slots.sort_by_key(|slot| slot.time.start_second());
        slots
    }

    /// The first slot, of several at the same time that of the first calendar.
    #[must_use]
    pub fn first(&self) -> Option<Slot<'a>> {
        let firsts = self.looked_at.iter();
        let firsts = firsts.filter_map(|calendar| self.cut(calendar).next());
        firsts.min_by_key(|slot| slot.time.start_second())
    }

    /// A time that somebody asks for by name: any that is free and begins at a step of the clock, whether or not it is among the slots.
    ///
    /// # Errors
    /// [`Refusal`], the first that there is in their order.
    pub fn at(&self, calendar: &CalendarId, start: Timestamp) -> Result<Slot<'a>, Refusal> {
        let mut calendars = self.looked_at.iter();
        let calendar = calendars.find(|one| one.calendar == calendar);
        let calendar = calendar.ok_or(Refusal::NotOffered)?;
        let time = Span::lasting(start, self.duration_minutes);
        let second = time.start_second();
        if start.subsec_nanosecond() != 0 || up_to_step(second) != second {
            return Err(Refusal::BetweenSteps);
        }
        if second < self.earliest {
            return Err(Refusal::TooSoon);
        }
        let day = self.days.iter().find(|day| day.span().holds_second(second));
        let day = day.ok_or(Refusal::OutsideWindow)?;
        if !calendar.open.iter().any(|open| open.holds(time)) {
            return Err(Refusal::Closed);
        }
        if calendar.shut.iter().any(|shut| shut.overlaps(time)) {
            return Err(Refusal::Taken);
        }
        Ok(Slot {
            calendar: calendar.calendar,
            time,
            offset: day.offset_at(second),
        })
    }

    /// The slots of one calendar: each stretch that is free is cut from its beginning on.
    fn cut(&self, calendar: &LookedAt<'a>) -> impl Iterator<Item = Slot<'a>> {
        let length = i64::from(self.duration_minutes.get()) * MINUTE_SECONDS;
        let id = calendar.calendar;
        let mut days = self.days.iter().peekable();
        let free = difference(&calendar.open, &calendar.shut).into_iter();
        let starts = free.flat_map(move |span| {
            let first = up_to_step(span.start_second());
            let step = self.step_seconds;
            let starts =
                std::iter::successors(Some(first), move |start| Some(up_to_step(start + step)));
            starts.take_while(move |start| start + length <= span.end_second())
        });
        starts.filter_map(move |start| {
            if start < self.earliest {
                return None;
            }
            while days
                .next_if(|day| day.span().end_second() <= start)
                .is_some()
            {}
            Some(Slot {
                calendar: id,
                time: Span::of_seconds(start, start + length)?,
                offset: days.peek()?.offset_at(start),
            })
        })
    }
}

/// The first second from one on at which a step begins. Every zone is whole steps ahead of UTC, or behind it.
fn up_to_step(second: i64) -> i64 {
    let step = i64::from(STEP_MINUTES) * MINUTE_SECONDS;
    second + (-second).rem_euclid(step)
}

/// When branches are open, each looked up once.
#[derive(Default)]
struct BranchHours<'a>(Vec<(&'a BranchId, Vec<Span>)>);

impl<'a> BranchHours<'a> {
    fn of(&mut self, branch: &'a Branch, days: &[LocalDay]) -> &[Span] {
        let known = self.0.iter().position(|(id, _)| **id == branch.id);
        let place = known.unwrap_or_else(|| {
            self.0.push((&branch.id, branch.hours.over(days)));
            self.0.len() - 1
        });
        &self.0[place].1
    }
}

#[cfg(test)]
mod tests;
