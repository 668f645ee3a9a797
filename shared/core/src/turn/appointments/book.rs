//! A new appointment: what is still to be known of it, and then whether it is to be made.

use serde_json::{Value, json};

use super::{Awaited, Desk, Errand, LINES, Record, Reply, SLOTS, Start, members, record_of};
use crate::{
    actions::propose,
    booking::{Appointment, Service},
    shop::clock,
    understand::hour::Hour,
};

impl Desk<'_> {
    pub(super) async fn book(&self, mut errand: Errand) -> Reply {
        let service = errand.service.as_deref();
        let service = service.and_then(|id| {
            let services = self.business.services.iter();
            services
                .into_iter()
                .find(|service| service.id.as_str() == id)
        });
        let Some(service) = service else {
            return self.ask_service(errand).await;
        };
        let branches = self.branches(&errand, service);
        if branches.len() > 1 && !errand.is_anywhere && !errand.is_earliest {
            let list = branches.join(" / ");
            let question = self
                .locale
                .message("which-branch", &[("list", (&list).into())]);
            errand.awaited = Some(Awaited::Branch);
            let line = self.details(service).await;
            let lines = line.into_iter().chain([question]).collect();
            return Reply::new(SLOTS, record_of(lines), Some(errand));
        }
        let mut payload = json!({"service_name": service.id});
        for (name, value) in [
            ("branch_id", &errand.branch),
            ("calendar_name", &errand.calendar),
        ] {
            if let Some(value) = value {
                payload[name] = json!(value);
            }
        }
        // What it costs is told where it is named.
        let details = match self.details.services[..] {
            [named] if named.id == service.id => self.details(service).await,
            _ => None,
        };
        let (start, mut errand) = match self.when(payload, errand, details).await {
            Ok(found) => found,
            Err(reply) => return reply,
        };
        let name = self.known_name().await;
        let is_free = start.calendar.is_some() || self.is_free(service, &errand, &start).await;
        if is_free
            && self.caller.owner.is_some()
            && name.is_none()
            && errand.full_name.is_none()
            && !errand.was_asked_name
        {
            errand.was_asked_name = true;
            errand.awaited = Some(Awaited::Name);
            let when = self.when_text(&start);
            let question = self
                .locale
                .message("which-name", &[("when", (&when).into())]);
            return Reply::new(SLOTS, record_of(vec![question]), Some(errand));
        }
        let mut payload = json!({"service": service.id, "starts_at": start.starts_at});
        let calendar = start.calendar.as_ref().or(errand.calendar.as_ref());
        let name = errand.full_name.clone().or(name);
        for (member, value) in [
            ("branch_id", errand.branch.as_ref()),
            ("calendar", calendar),
            ("full_name", name.as_ref()),
        ] {
            if let Some(value) = value {
                payload[member] = json!(value);
            }
        }
        self.propose("create_appointment", &payload, start, errand)
    }

    /// Whether a time between the listed ones can be had.
    async fn is_free(&self, service: &Service, errand: &Errand, start: &Start) -> bool {
        let Some(owner) = &self.caller.owner else {
            return true;
        };
        let payload = json!({
            "service": service.id, "starts_at": start.starts_at, "branch_id": errand.branch, "calendar": errand.calendar,
        });
        let (language, payload) = (self.caller.language, members(&payload));
        let asked = propose(
            &self.counter,
            owner,
            language,
            "create_appointment",
            &payload,
        );
        asked.await.is_ok_and(|outcome| outcome.effective)
    }

    /// What is meant of the appointment that was made last: its service by "otra", its date by "ese mismo día".
    pub(super) async fn add_last(&self, errand: &mut Errand) {
        let times = self.details.times;
        let wants_date = (times.is_same_day || times.is_same_time) && errand.dates.is_none();
        let wants_hour = times.is_same_time && errand.hour.is_none();
        let named = &self.details.services;
        let wants_service = errand.service.is_none()
            && ((times.is_another && named.is_empty())
                || (times.is_same_thing && named.len() != 1));
        let is_like = times.is_another || times.is_same_time || times.is_same_thing;
        if !(wants_date || wants_hour || wants_service || is_like || times.is_same_weekday) {
            return;
        }
        let Some(last) = self.last().await else {
            return;
        };
        let booking = &last.booking;
        let date = self.business.date_of(booking.start_at);
        let mut dates = self.details.dates.iter();
        let is_its_weekday = dates.any(|named| named.weekday() == date.weekday());
        if wants_date || (times.is_same_weekday && is_its_weekday) {
            let date = date.to_string();
            errand.dates = Some((date.clone(), date));
        }
        if wants_hour {
            let time = clock(self.business.minute_of(booking.start_at));
            errand.hour = Hour::written(&time);
        }
        let is_among = named.is_empty() || named.iter().any(|one| one.id == booking.service);
        if wants_service && is_among {
            errand.service = Some(booking.service.to_string());
            errand.among.clear();
        }
        // "Otro corte" is where the first is, and with whom.
        let is_of_it = errand.service.as_deref() == Some(booking.service.as_str());
        if is_like && is_of_it && errand.branch.is_none() && errand.calendar.is_none() {
            errand.branch = Some(last.branch.to_string());
            errand.calendar = (!times.is_anyone).then(|| last.calendar.to_string());
        }
    }

    /// The appointment that was made last.
    pub(super) async fn last(&self) -> Option<Appointment> {
        let owner = self.caller.owner.as_ref()?;
        let bookings = &self.counter.reception.as_ref()?.scheduler.bookings;
        let newest = bookings.appointments(&self.business.id, owner, None, 1);
        Some(newest.await.ok()?.pop()?.appointment)
    }

    pub(super) fn propose(
        &self,
        action: &'static str,
        payload: &Value,
        start: Start,
        mut errand: Errand,
    ) -> Reply {
        let when = self.when_text(&start);
        errand.time = Some(start.time);
        errand.awaited = Some(Awaited::Answer);
        Reply {
            proposal: Some((action, members(payload))),
            when: Some(when),
            ..Reply::new(action, Record::default(), Some(errand))
        }
    }

    /// The name that the customer's appointments were made in before.
    async fn known_name(&self) -> Option<String> {
        let owner = self.caller.owner.as_ref()?;
        let account = self.counter.purchases.account(owner).await.ok()?;
        if account.contact.full_name.is_some() {
            return account.contact.full_name;
        }
        let reception = self.counter.reception.as_ref()?;
        let bookings = &reception.scheduler.bookings;
        let found = bookings.appointments(&self.business.id, owner, None, LINES);
        let found = found.await.ok()?.into_iter();
        let mut names = found.filter_map(|kept| kept.appointment.full_name);
        names.next()
    }

    /// The branches where a service may be had, by their names, as far as it is not said which.
    fn branches(&self, errand: &Errand, service: &Service) -> Vec<String> {
        if errand.branch.is_some() || errand.calendar.is_some() {
            return Vec::new();
        }
        let branches = self.business.branches.iter();
        let branches = branches.filter(|branch| {
            let mut offering = self.business.offering(Some(&branch.id), &service.id);
            offering.next().is_some()
        });
        branches.map(|branch| branch.name.clone()).collect()
    }

    async fn ask_service(&self, mut errand: Errand) -> Reply {
        errand.awaited = Some(Awaited::Service);
        let services = self.business.services.iter();
        let is_meant = |service: &&Service| errand.among.iter().any(|id| id == service.id.as_str());
        let among: Vec<&Service> = services.filter(is_meant).collect();
        let mut lines = vec![self.text("which-service")];
        if among.is_empty() {
            if let Ok(outcome) = self.look("get_services", &json!({})).await {
                lines.extend(outcome.details.into_iter().take(LINES + 1));
            }
        } else {
            for service in among.iter().take(LINES + 1) {
                lines.extend(self.details(service).await);
            }
        }
        Reply::new("get_services", record_of(lines), Some(errand))
    }
}
