//! What of branches, categories, services and calendars makes no sense.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    num::NonZeroU16,
};

use serde_json::Value;

use super::{
    ADDRESS_CHARS, BRANCHES_MOST, BUFFER_MINUTES, CALENDARS_MOST, CATEGORIES_MOST, Check,
    DURATION_MINUTES, EXCEPTIONS_MOST, MESSAGE_CHARS, NAME_CHARS, SERVICES_MOST,
};
use crate::{
    booking::{
        Branch, BranchId, Calendar, CalendarId, Category, CategoryId, Hours, Service, ServiceId,
        Source, SpecialDays,
        file::{BranchFile, BusinessFile, CalendarFile, CategoryFile, ServiceFile, Whole},
    },
    language::Language,
    price::Price,
    shop::{Exception, Interval, currency, listed},
};

/// What a calendar's address elsewhere may have, in characters.
const ELSEWHERE_CHARS: usize = 500;
/// Most other names of a service.
const ALSO_CALLED_MOST: usize = 20;

impl Check {
    pub(super) fn branches(&mut self, files: &[BranchFile]) -> Vec<Branch> {
        self.count("branches", files.len(), BRANCHES_MOST);
        let (mut ids, mut names) = (HashMap::new(), HashMap::new());
        let mut branches = Vec::new();
        for (index, file) in files.iter().enumerate() {
            let path = format!("branches[{index}]");
            let id = self.id(&format!("{path}.id"), &file.id, BranchId::read, &mut ids);
            self.name(&format!("{path}.name"), &file.name, &mut names);
            self.faults
                .text(&format!("{path}.address"), &file.address, ADDRESS_CHARS);
            let hours = self.hours(&path, &file.hours, &file.exceptions);
            if hours.is_empty() && file.hours.values().all(Vec::is_empty) {
                self.faults.add(
                    format!("{path}.hours"),
                    "are missing — write monday = [\"10:00-14:00\"] and so on",
                );
            }
            branches.extend(id.map(|id| Branch {
                id,
                name: file.name.clone(),
                address: file.address.clone(),
                hours,
            }));
        }
        branches
    }

    pub(super) fn categories(&mut self, files: &[CategoryFile]) -> Vec<Category> {
        self.count("categories", files.len(), CATEGORIES_MOST);
        let (mut ids, mut names) = (HashMap::new(), HashMap::new());
        let mut categories = Vec::new();
        for (index, file) in files.iter().enumerate() {
            let path = format!("categories[{index}]");
            let id = self.id(&format!("{path}.id"), &file.id, CategoryId::read, &mut ids);
            self.name(&format!("{path}.name"), &file.name, &mut names);
            let name = file.name.clone();
            categories.extend(id.map(|id| Category { id, name }));
        }
        categories
    }

    pub(super) fn services(&mut self, file: &BusinessFile) -> Vec<Service> {
        self.count("services", file.services.len(), SERVICES_MOST);
        let (mut ids, mut names) = (HashMap::new(), HashMap::new());
        let mut services = Vec::new();
        for (index, service) in file.services.iter().enumerate() {
            let path = format!("services[{index}]");
            let id = self.id(
                &format!("{path}.id"),
                &service.id,
                ServiceId::read,
                &mut ids,
            );
            self.name(&format!("{path}.name"), &service.name, &mut names);
            services.extend(id.and_then(|id| self.service(&path, id, service, file)));
        }
        services
    }

    fn service(
        &mut self,
        path: &str,
        id: ServiceId,
        service: &ServiceFile,
        file: &BusinessFile,
    ) -> Option<Service> {
        let categories = file.categories.iter().map(|category| category.id.as_str());
        let place = format!("{path}.category");
        self.reference(&place, &service.category, "category", categories);
        self.faults.optional(
            &format!("{path}.description"),
            service.description.as_deref(),
            MESSAGE_CHARS,
        );
        let count = service.also_called.len();
        if count > ALSO_CALLED_MOST {
            let place = format!("{path}.also_called");
            let fault = format!("are {count} — leave {ALSO_CALLED_MOST} at most");
            self.faults.add(&place, fault);
        }
        for (place, name) in service.also_called.iter().enumerate() {
            let path = format!("{path}.also_called[{place}]");
            self.faults.optional(&path, Some(name), NAME_CHARS);
        }
        let price = self.price(&format!("{path}.price"), &service.price, &file.currency);
        let place = format!("{path}.duration_minutes");
        if service.duration_minutes.is_none() {
            self.faults
                .add(&place, "is missing — write how long it takes, such as 45");
        }
        let duration = self.number(&place, service.duration_minutes, DURATION_MINUTES);
        let mut buffer = |name: &str, minutes: Option<Whole>| {
            let minutes = self.number(&format!("{path}.{name}"), minutes, BUFFER_MINUTES);
            minutes.unwrap_or_default()
        };
        let before = buffer("buffer_before_minutes", service.buffer_before_minutes);
        let after = buffer("buffer_after_minutes", service.buffer_after_minutes);
        Some(Service {
            id,
            name: service.name.clone(),
            also_called: service.also_called.clone(),
            category: CategoryId::read(&service.category)?,
            description: service.description.clone(),
            price: price?,
            duration_minutes: NonZeroU16::new(duration?)?,
            buffer_before_minutes: before,
            buffer_after_minutes: after,
        })
    }

    /// An amount, as a number or as a text; one of nothing is what some first visits cost.
    fn price(&mut self, path: &str, written: &Value, code: &str) -> Option<Price> {
        let text = match written {
            Value::Null => {
                self.faults
                    .add(path, "is missing — write an amount, such as \"25.00\"");
                return None;
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let Ok(price) = Price::parse(&text) else {
            self.faults.add(
                path,
                format!(
                    "{text:?} is no amount with at most two decimals — write one such as \"25.00\""
                ),
            );
            return None;
        };
        if currency::minor_digits(code) == Some(0) && price.minor() % 100 != 0 {
            self.faults.add(
                path,
                format!("{text:?} has decimals, and {code} has none — write whole amounts"),
            );
        }
        Some(price)
    }

    pub(super) fn calendars(&mut self, file: &BusinessFile) -> Vec<Calendar> {
        self.count("calendars", file.calendars.len(), CALENDARS_MOST);
        let mut ids = HashMap::new();
        // Two branches may have an Ana each.
        let mut names: HashMap<&str, HashMap<String, String>> = HashMap::new();
        let mut elsewhere: HashMap<&str, String> = HashMap::new();
        let mut calendars = Vec::new();
        for (index, calendar) in file.calendars.iter().enumerate() {
            let path = format!("calendars[{index}]");
            let place = format!("{path}.id");
            let id = self.id(&place, &calendar.id, CalendarId::read, &mut ids);
            let names = names.entry(calendar.branch.as_str()).or_default();
            self.name(&format!("{path}.name"), &calendar.name, names);
            let branches = file.branches.iter().map(|branch| branch.id.as_str());
            let place = format!("{path}.branch");
            self.reference(&place, &calendar.branch, "branch", branches);
            self.offers(&path, calendar, file);
            let source = self.source(&path, calendar, &mut elsewhere);
            let offers = calendar.offers.iter();
            let calendar = id
                .zip(BranchId::read(&calendar.branch))
                .map(|(id, branch)| Calendar {
                    id,
                    name: calendar.name.clone(),
                    branch,
                    offers: offers.filter_map(|id| ServiceId::read(id)).collect(),
                    source,
                });
            calendars.extend(calendar);
        }
        calendars
    }

    fn offers(&mut self, path: &str, calendar: &CalendarFile, file: &BusinessFile) {
        let path = format!("{path}.offers");
        if calendar.offers.is_empty() {
            self.faults
                .add(&path, "is missing or empty — write the ids of services");
        }
        let mut before = BTreeSet::new();
        for (index, id) in calendar.offers.iter().enumerate() {
            let path = format!("{path}[{index}]");
            if !before.insert(id) {
                self.faults
                    .add(&path, format!("{id:?} is there twice — leave one"));
                continue;
            }
            let services = file.services.iter().map(|service| service.id.as_str());
            self.reference(&path, id, "service", services);
        }
    }

    /// By what a calendar is open, which is one thing alone.
    fn source<'f>(
        &mut self,
        path: &str,
        calendar: &'f CalendarFile,
        elsewhere: &mut HashMap<&'f str, String>,
    ) -> Source {
        let google = calendar.google_calendar_id.as_deref();
        let caldav = calendar.caldav_url.as_deref();
        if google.is_some() && caldav.is_some() {
            self.faults.add(
                format!("{path}.caldav_url"),
                "is there beside google_calendar_id — leave one of the two",
            );
        }
        let own = [
            ("hours", !calendar.hours.is_empty()),
            ("exceptions", !calendar.exceptions.is_empty()),
        ];
        for (name, _) in own
            .into_iter()
            .filter(|(_, is)| *is && google.or(caldav).is_some())
        {
            self.faults.add(
                format!("{path}.{name}"),
                "are of no use where a calendar elsewhere says when it is open — leave them out",
            );
        }
        for (name, address) in [("google_calendar_id", google), ("caldav_url", caldav)] {
            let path = format!("{path}.{name}");
            let Some(address) = address else { continue };
            self.faults.text(&path, address, ELSEWHERE_CHARS);
            if let Some(first) = elsewhere.insert(address, path.clone()) {
                self.faults.add(
                    &path,
                    format!("{address:?} is {first} already — one calendar is one person's or one room's"),
                );
            }
        }
        self.faults.url(&format!("{path}.caldav_url"), caldav);
        if let Some(id) = google.filter(|id| !id.contains('@') && !id.trim().is_empty()) {
            self.faults.add(
                format!("{path}.google_calendar_id"),
                format!("{id:?} is no calendar's — write it like \"…@group.calendar.google.com\""),
            );
        }
        let hours = self.hours(path, &calendar.hours, &calendar.exceptions);
        match (google, caldav) {
            (Some(id), _) => Source::Google {
                calendar_id: id.to_owned(),
            },
            (None, Some(url)) => Source::CalDav {
                url: url.to_owned(),
            },
            (None, None) => {
                if calendar.hours.is_empty() && !calendar.exceptions.is_empty() {
                    self.faults.add(
                        format!("{path}.hours"),
                        "are missing, and exceptions need them — write monday = [\"10:00-14:00\"] and so on",
                    );
                }
                Source::Kept {
                    hours: (!calendar.hours.is_empty()).then_some(hours),
                }
            }
        }
    }

    fn hours(
        &mut self,
        path: &str,
        week: &BTreeMap<String, Vec<Interval>>,
        exceptions: &[Exception],
    ) -> Hours {
        let mut hours = Hours::default();
        for (weekday, minutes) in self.faults.week(&format!("{path}.hours"), week) {
            hours.week[weekday as usize] = minutes;
        }
        let path = format!("{path}.exceptions");
        if exceptions.len() > EXCEPTIONS_MOST {
            let count = exceptions.len();
            self.faults.add(
                &path,
                format!("are {count} — leave {EXCEPTIONS_MOST} at most"),
            );
        }
        for (index, exception) in exceptions.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let dates = self.faults.dates(&path, exception);
            let place = format!("{path}.hours");
            let minutes = self.faults.intervals(&place, &exception.hours);
            for (tag, text) in &exception.reason {
                let path = format!("{path}.reason.{tag}");
                if !Language::all().any(|language| language.tag() == tag) {
                    let all = listed(Language::all().map(Language::tag));
                    self.faults.add(
                        &path,
                        format!("{tag:?} is no language that there is — write one of {all}"),
                    );
                }
                self.faults.text(&path, text, NAME_CHARS * 2);
            }
            hours.special.extend(dates.map(|dates| SpecialDays {
                dates,
                hours: minutes,
                reason: exception.reason.clone(),
            }));
        }
        hours
    }

    /// What nobody would ever be given.
    pub(super) fn is_offered(&mut self, file: &BusinessFile) {
        let calendars = &file.calendars;
        for (index, service) in file.services.iter().enumerate() {
            let is_offered = calendars.iter().any(|one| one.offers.contains(&service.id));
            if !service.id.is_empty() && !is_offered {
                self.faults.add(
                    format!("services[{index}]"),
                    format!("{:?} is offered by nobody — add it to the offers of a calendar, or leave it out", service.id),
                );
            }
        }
        for (index, branch) in file.branches.iter().enumerate() {
            let has_calendar = calendars.iter().any(|one| one.branch == branch.id);
            if !branch.id.is_empty() && !has_calendar {
                self.faults.add(
                    format!("branches[{index}]"),
                    format!(
                        "{:?} has no calendar — write one with branch = {:?}, or leave it out",
                        branch.id, branch.id
                    ),
                );
            }
        }
    }
}
