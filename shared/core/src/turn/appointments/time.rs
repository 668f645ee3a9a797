//! When an appointment is to be: what is free of what is wanted, or what is asked.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{Awaited, Desk, Errand, LINES, Outcome, Reply, SLOTS, record_of};
use crate::{
    shop::{clock, in_words},
    understand::hour::{Hour, Times},
};

/// When something may begin, and with whom.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) starts_at: String,
    pub(super) date: String,
    pub(super) time: String,
    pub(super) calendar: Option<String>,
}

impl Start {
    fn of(slot: &Value) -> Option<Self> {
        let text = |name: &str| slot.get(name)?.as_str().map(str::to_owned);
        Some(Self {
            starts_at: text("starts_at")?,
            time: text("time")?,
            date: text("date")?,
            calendar: text("calendar_id"),
        })
    }
}

impl Desk<'_> {
    /// "10", in answer to when.
    pub(super) fn answered_hour(&self, errand: &Errand) -> Option<Hour> {
        let Times {
            hour,
            after,
            before,
            ..
        } = self.details.times;
        if hour.or(after).or(before).is_some() {
            return None;
        }
        match errand.awaited {
            Some(Awaited::Time | Awaited::Service | Awaited::Branch | Awaited::Name) => {
                let is_loose = self.details.dates.is_empty();
                let loose = || Times::loose(self.message).filter(|_| is_loose);
                Times::answer(self.message).or_else(loose)
            }
            // "Make it 6 instead."
            Some(Awaited::Answer) if self.details.dates.is_empty() => Times::loose(self.message),
            _ => None,
        }
    }

    /// The time that is wanted of a service, if it is known and free; or what is said of it, behind `first`.
    pub(super) async fn when(
        &self,
        mut payload: Value,
        errand: Errand,
        first: Option<String>,
    ) -> Result<(Start, Errand), Reply> {
        let dates = errand.dates.clone();
        if let Some((from, to)) = &dates {
            payload["from"] = json!(from);
            payload["to"] = json!(to);
        }
        if let Some(part) = errand.part.filter(|_| errand.hour.is_none()) {
            let minutes = part.minutes();
            payload["time_from"] = json!(clock(minutes.start));
            payload["time_to"] = json!(clock(minutes.end));
        }
        if let Some((from, to)) = &errand.window {
            payload["time_from"] = json!(from);
            payload["time_to"] = json!(to);
        }
        // One date is listed by who has time.
        if let Some((date, _)) = dates.as_ref().filter(|(from, to)| from == to) {
            payload["date"] = json!(date);
        }
        let outcome = self.look(SLOTS, &payload).await?;
        let slots: Vec<Start> = outcome.results.iter().filter_map(Start::of).collect();
        if errand.is_earliest || errand.is_latest {
            // The last of the first day that has any.
            let date = slots.first().map(|first| first.date.clone());
            let mut of_day = slots
                .iter()
                .filter(|slot| Some(&slot.date) == date.as_ref());
            let found = match errand.is_earliest {
                true => slots.first(),
                false => of_day.next_back(),
            };
            return match found {
                Some(earliest) => Ok((earliest.clone(), errand)),
                None => Err(self.ask_time(first, outcome, errand)),
            };
        }
        let Some(hour) = errand.hour else {
            return match (&slots[..], &dates) {
                ([only], Some(_)) => Ok((only.clone(), errand)),
                _ => Err(self.ask_time(first, outcome, errand)),
            };
        };
        let minutes = hour.minutes();
        let times: Vec<String> = minutes.iter().copied().map(clock).collect();
        let found = times
            .iter()
            .find_map(|time| slots.iter().find(|slot| slot.time == *time));
        if let Some(found) = found {
            let found = found.clone();
            return Ok((found, errand));
        }
        let is_said = !errand.is_kept_hour || self.details.times.is_same_time;
        let (Some((date, _)), true) = (&dates, is_said) else {
            let is_one = dates.as_ref().is_some_and(|(from, to)| from == to);
            let not_then = times.first().filter(|_| is_one && !slots.is_empty());
            let not_then = not_then.map(|time| {
                self.locale
                    .message("time-not-free", &[("time", time.into())])
            });
            return Err(self.ask_time(not_then.or(first), outcome, errand));
        };
        let date: Option<Date> = date.parse().ok();
        let start = date.zip(minutes.first());
        let start = start.and_then(|(date, minute)| self.business.at(date, *minute));
        match start.zip(times.first()).zip(date) {
            Some(((start, time), date)) => Ok((
                Start {
                    starts_at: start.to_string(),
                    date: date.to_string(),
                    time: time.clone(),
                    calendar: None,
                },
                errand,
            )),
            None => Err(self.ask_time(first, outcome, errand)),
        }
    }

    /// "El viernes 27 de noviembre a las 10:00".
    pub(super) fn when_text(&self, start: &Start) -> String {
        let Ok(date) = start.date.parse::<Date>() else {
            return start.time.clone();
        };
        let time = [("time", (&start.time).into())];
        let arguments = [in_words(date).as_slice(), &time].concat();
        self.locale.message("appointment-time", &arguments)
    }

    /// What is free, behind `first`, and which of it is wanted.
    fn ask_time(&self, first: Option<String>, outcome: Outcome, mut errand: Errand) -> Reply {
        errand.awaited = Some(Awaited::Time);
        errand.hour = None;
        let question = match &errand.dates {
            Some((from, to)) if from == to => "which-time",
            _ => "which-day",
        };
        let is_any = !outcome.results.is_empty();
        let opening = match first {
            Some(first) => format!("{}. {}", first.trim_end_matches('.'), outcome.message),
            None => outcome.message,
        };
        let lines = std::iter::once(opening).chain(outcome.details.into_iter().take(LINES));
        let question = is_any.then(|| self.text(question));
        Reply::new(
            SLOTS,
            record_of(lines.chain(question).collect()),
            Some(errand),
        )
    }
}
