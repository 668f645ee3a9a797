//! The customer's own appointments by words: shown, cancelled and moved.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    Awaited, Desk, Errand, Kind, LINES, Record, Reply, SIGNED_OUT, members, record_of,
    was_of_appointment,
};
use crate::{
    actions::perform, chain::Chain, dialogue::place_among, log::Commit, shop::clock, text::words,
    understand::hour::Hour,
};

/// The member of an appointment that has it for people.
const LINE: &str = "line";
/// The tool that reads them.
pub(super) const OWN: &str = "get_user_appointments";

impl Desk<'_> {
    pub(super) async fn view(&self) -> Reply {
        match self.own().await {
            Ok((lines, _)) => Reply::new(OWN, record_of(lines), None),
            Err(reply) => reply,
        }
    }

    pub(super) async fn cancel(&self, errand: Errand) -> Reply {
        let (one, errand, _) = match self.which(errand).await {
            Ok(found) => found,
            Err(reply) => return reply,
        };
        let payload = json!({"appointment_id": one["appointment_id"]});
        let errand = Errand {
            awaited: Some(Awaited::Answer),
            ..errand
        };
        Reply {
            proposal: Some(("cancel_appointment", members(&payload))),
            ..Reply::new("cancel_appointment", Record::default(), Some(errand))
        }
    }

    pub(super) async fn reschedule(&self, errand: Errand) -> Reply {
        let is_known = errand.appointment.is_some();
        let (one, mut errand, by_date) = match self.which(errand).await {
            Ok(found) => found,
            Err(reply) => return reply,
        };
        let text = |name: &str| one[name].as_str().map(str::to_owned);
        if !is_known {
            errand.time = text("time");
            errand.calendar = text("calendar_id");
            errand.branch = text("branch_id");
        }
        // "La del viernes" says which, and not when.
        if self.details.times.day_step.is_some() && errand.dates.is_none() {
            errand.dates = text("date").map(|date| (date.clone(), date));
        }
        let mut said = self.details_without(by_date.as_deref());
        said.services.clear();
        said.add_to(&mut errand, self.today);
        if let Some(hour) = self.answered_hour(&errand) {
            errand.hour = Some(hour);
        }
        // "Cámbiala a las seis" is on the same day.
        let is_elsewhere = said.branch.is_some() || said.calendar.is_some();
        let is_then = is_elsewhere && errand.hour.is_none() && errand.part.is_none();
        if is_then && errand.dates.is_none() {
            // "Mejor con Irene" is at the same time.
            errand.hour = errand.time.as_deref().and_then(Hour::written);
        }
        let is_same_day = errand.dates.is_none() && errand.hour.is_some();
        if is_same_day || self.details.times.is_same_day {
            errand.dates = text("date").map(|date| (date.clone(), date));
        }
        let mut payload = json!({"service_name": one["service_id"], "branch_id": errand.branch});
        if let Some(calendar) = &errand.calendar {
            payload["calendar_name"] = json!(calendar);
        }
        let line = text(LINE).filter(|_| !is_known);
        let (start, errand) = match self.when(payload, errand, line).await {
            Ok(found) => found,
            Err(reply) => return reply,
        };
        let calendar = start.calendar.as_ref().or(errand.calendar.as_ref());
        let payload = json!({
            "appointment_id": one["appointment_id"], "new_starts_at": start.starts_at, "calendar": calendar,
        });
        self.propose("reschedule_appointment", &payload, start, errand)
    }

    /// What was said, without the date by which an appointment was named.
    fn details_without(&self, date: Option<&str>) -> super::Details<'_> {
        let mut details = self.details.clone();
        details
            .dates
            .retain(|one| Some(one.to_string().as_str()) != date);
        details
    }

    /// The customer's appointments to come: lines for people, and each for programs.
    async fn own(&self) -> Result<(Vec<String>, Vec<Value>), Reply> {
        let language = self.caller.language;
        let Some(owner) = &self.caller.owner else {
            let record = Record {
                lines: vec![self.text("sign-in-first")],
                error: Some(SIGNED_OUT),
                ..Record::default()
            };
            return Err(Reply::new(OWN, record, None));
        };
        let payload = members(&json!({}));
        let listed = perform(&self.counter, owner, language, OWN, &payload, &|_| None);
        let outcome = listed.await.map_err(|error| {
            tracing::warn!(error = %Chain(&error), "a customer's appointments cannot be read");
            Reply::new(OWN, Record::unavailable(), None)
        })?;
        let is_to_come = |one: &Value| {
            let end = one["ends_at"].as_str();
            let end: Option<Timestamp> = end.and_then(|end| end.parse().ok());
            one["state"] == "confirmed" && end.is_some_and(|end| end > self.now)
        };
        let mut to_come: Vec<Value> = outcome.results.into_iter().filter(is_to_come).collect();
        if to_come.len() == outcome.details.len() {
            for (one, line) in to_come.iter_mut().zip(&outcome.details) {
                one[LINE] = json!(line);
            }
        }
        let lines = std::iter::once(outcome.message).chain(outcome.details);
        Ok((lines.collect(), to_come))
    }

    /// Whether a message names one service, and a time, of which the customer has no appointment: among those to come, or where one was
    /// called off just now.
    pub(super) async fn names_another(&self, commits: &[Commit]) -> bool {
        let [service] = self.details.services[..] else {
            return false;
        };
        let is_of_it = |one: &Value| one["service_id"] == service.id.as_str();
        let times = self.details.times;
        let says_when = times.is_same_day || times.is_same_time;
        if !says_when && !self.details.says_where_or_when() {
            return false;
        }
        match self.own().await {
            // "Mi cita del lunes" is one that there is not.
            Ok((_, own)) if own.is_empty() => !times.is_of_own || was_of_appointment(commits),
            Ok((_, own)) => !own.iter().any(is_of_it),
            Err(_) => false,
        }
    }

    /// The appointment that is meant, and the date by which it was named; or which of them is asked.
    async fn which(&self, mut errand: Errand) -> Result<(Value, Errand, Option<String>), Reply> {
        let (lines, own) = self.own().await?;
        // "No, la del lunes."
        if errand.kind == Kind::Cancel && !self.details.dates.is_empty() {
            errand.appointment = None;
        }
        let is_one = |one: &&Value| one["appointment_id"].as_str() == errand.appointment.as_deref();
        if let Some(one) = own.iter().find(is_one) {
            return Ok((one.clone(), errand, None));
        }
        if own.is_empty() {
            return Err(Reply::new(OWN, record_of(lines), None));
        }
        let mut date = None;
        let named = match self
            .place(&errand, own.len())
            .and_then(|place| own.get(place))
        {
            Some(one) => Some(one),
            None if own.len() == 1 => own.first(),
            None => {
                let (found, by_date) = self.named(&own);
                date = by_date;
                found
            }
        };
        match named {
            Some(one) => {
                errand.appointment = one["appointment_id"].as_str().map(str::to_owned);
                // "Mi cita del viernes" says which, and not when.
                let own_date = one["date"].as_str().map(str::to_owned);
                let mut dates = self.details.dates.iter().map(ToString::to_string);
                if dates.any(|said| Some(&said) == own_date.as_ref()) {
                    date = own_date;
                }
                Ok((one.clone(), errand, date))
            }
            None => {
                errand.awaited = Some(Awaited::Appointment);
                let lines = lines.into_iter().take(LINES + 1);
                let lines = lines.chain([self.text("which-appointment")]);
                Err(Reply::new(OWN, record_of(lines.collect()), Some(errand)))
            }
        }
    }

    /// The one appointment that has what the message names: a date, a service, a person, an hour.
    fn named<'v>(&self, own: &'v [Value]) -> (Option<&'v Value>, Option<String>) {
        let said = &self.details;
        let dates: Vec<String> = said.dates.iter().map(ToString::to_string).collect();
        let has = |one: &Value, name: &str, of: &[String]| {
            let is = |text: &str| of.iter().any(|of| of == text);
            of.is_empty() || one[name].as_str().is_some_and(is)
        };
        let services: Vec<String> = said.services.iter().map(|one| one.id.to_string()).collect();
        let calendars: Vec<String> = said.calendar.iter().map(|one| one.id.to_string()).collect();
        let hours = said.times.hour.map(Hour::minutes).unwrap_or_default();
        let hours: Vec<String> = hours.into_iter().map(clock).collect();
        let only = |fits: &dyn Fn(&Value) -> bool| {
            let mut found = own.iter().filter(|one| fits(one));
            match (found.next(), found.next()) {
                (Some(one), None) => Some(one),
                _ => None,
            }
        };
        let by_date = |one: &Value| !dates.is_empty() && has(one, "date", &dates);
        let by_name = |one: &Value| {
            let is_said = !services.is_empty() || !calendars.is_empty();
            is_said && has(one, "service_id", &services) && has(one, "calendar_id", &calendars)
        };
        let by_hour = |one: &Value| !hours.is_empty() && has(one, "time", &hours);
        // "La de Gerardo."
        let message = words(self.message);
        let by_person = |one: &Value| {
            let name = words(one["full_name"].as_str().unwrap_or_default());
            name.iter().any(|word| message.contains(word))
        };
        if let Some(one) = only(&by_date) {
            return (Some(one), one["date"].as_str().map(str::to_owned));
        }
        let found = only(&by_name).or_else(|| only(&by_hour));
        (found.or_else(|| only(&by_person)), None)
    }

    /// "La segunda", of those that were listed.
    pub(super) fn place(&self, errand: &Errand, count: usize) -> Option<usize> {
        let is_awaited = errand.awaited == Some(Awaited::Appointment);
        is_awaited
            .then(|| place_among(self.message, count.min(LINES)))
            .flatten()
    }
}
