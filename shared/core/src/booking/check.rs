//! From a business's file to a business, with everything in it that makes no sense.

mod parts;

use std::{collections::HashMap, num::NonZeroU16, ops::RangeInclusive};

use serde_json::{Map, Value};

use super::{
    AVAILABILITY_MARKER, Business, BusinessId, Marker,
    file::{BusinessFile, Whole},
};
use crate::{
    shop::{Fault, Faults, read_members, without_unread},
    text::fold,
};

/// Longest texts, in characters: a name, an address, and what is said in a message.
const NAME_CHARS: usize = 60;
const ADDRESS_CHARS: usize = 240;
const MESSAGE_CHARS: usize = 600;
/// Most of each: a request reads a business whole.
const BRANCHES_MOST: usize = 50;
const CATEGORIES_MOST: usize = 50;
const SERVICES_MOST: usize = 300;
const CALENDARS_MOST: usize = 200;
const EXCEPTIONS_MOST: usize = 200;
/// A year: further ahead no calendar elsewhere is mirrored.
const WINDOW_DAYS: RangeInclusive<u16> = 1..=366;
const WINDOW_DAYS_DEFAULT: u16 = 60;
/// Up to thirty days.
const NOTICE_MINUTES: RangeInclusive<u16> = 0..=43_200;
const NOTICE_MINUTES_DEFAULT: u16 = 60;
/// From the clock's step up to twelve hours, which every day has.
const DURATION_MINUTES: RangeInclusive<u16> = 5..=720;
const BUFFER_MINUTES: RangeInclusive<u16> = 0..=240;

impl Business {
    /// Reads a business, with everything that is wrong with it.
    ///
    /// # Errors
    /// Every [`Fault`] of what can be read, and one of each value that cannot; never none.
    pub fn read(members: Map<String, Value>) -> Result<Self, Vec<Fault>> {
        let (file, mut unread) = read_members::<BusinessFile>(members);
        let Some(file) = file else {
            return Err(unread);
        };
        let mut check = Check::default();
        let business = check.business(&file);
        // Whatever a calendar offers that cannot be read, it may offer.
        if !unread
            .iter()
            .any(|fault| fault.path.starts_with("calendars"))
        {
            check.is_offered(&file);
        }
        // What could not be read is not missing besides.
        unread.extend(without_unread(check.faults.0, &unread));
        match business {
            Some(business) if unread.is_empty() => Ok(business),
            _ => Err(unread),
        }
    }
}

#[derive(Default)]
struct Check {
    faults: Faults,
}

impl Check {
    /// Nothing where something that cannot be done without makes no sense.
    fn business(&mut self, file: &BusinessFile) -> Option<Business> {
        let id = self.id("id", &file.id, BusinessId::read, &mut HashMap::new());
        let name = &file.business_name;
        self.faults.text("business_name", name, NAME_CHARS);
        let time_zone = self.required("time_zone", &file.time_zone);
        let time_zone = time_zone.and_then(|name| self.faults.time_zone("time_zone", name));
        if let Some(code) = self.required("currency", &file.currency) {
            self.faults.currency("currency", code);
        }
        if let Some(number) = &file.whatsapp_number {
            self.faults.whatsapp("whatsapp_number", number);
        }
        self.faults
            .optional("bot_name", file.bot_name.as_deref(), NAME_CHARS);
        let greeting = file.greeting_message.as_deref();
        self.faults
            .optional("greeting_message", greeting, MESSAGE_CHARS);
        let marker = self.marker(file.availability_marker.as_deref());
        let window = self.number("booking_window_days", file.booking_window_days, WINDOW_DAYS);
        let notice = self.number(
            "min_notice_minutes",
            file.min_notice_minutes,
            NOTICE_MINUTES,
        );
        let step = self.number(
            "slot_step_minutes",
            file.slot_step_minutes,
            DURATION_MINUTES,
        );
        let branches = self.branches(&file.branches);
        let categories = self.categories(&file.categories);
        let services = self.services(file);
        let calendars = self.calendars(file);
        Some(Business {
            id: id?,
            business_name: name.clone(),
            time_zone: time_zone?,
            currency: file.currency.clone(),
            whatsapp_number: file.whatsapp_number.clone(),
            bot_name: file.bot_name.clone(),
            greeting_message: file.greeting_message.clone(),
            booking_window_days: window.unwrap_or(WINDOW_DAYS_DEFAULT),
            min_notice_minutes: notice.unwrap_or(NOTICE_MINUTES_DEFAULT),
            availability_marker: marker?,
            slot_step_minutes: step.and_then(NonZeroU16::new),
            branches,
            categories,
            services,
            calendars,
        })
    }

    fn marker(&mut self, text: Option<&str>) -> Option<Marker> {
        const PATH: &str = "availability_marker";
        self.faults.optional(PATH, text, NAME_CHARS);
        let text = text.unwrap_or(AVAILABILITY_MARKER);
        match Marker::read(text) {
            Ok(marker) => Some(marker),
            // That it is blank has been named.
            Err(_) if text.trim().is_empty() => None,
            Err(invalid) => {
                self.faults.add(
                    PATH,
                    format!("{text:?} {invalid} — write what the titles have, such as {AVAILABILITY_MARKER:?}"),
                );
                None
            }
        }
    }

    fn required<'t>(&mut self, path: &str, text: &'t str) -> Option<&'t str> {
        let is_there = !text.trim().is_empty();
        if !is_there {
            self.faults.add(path, "is missing or blank — write a text");
        }
        is_there.then_some(text)
    }

    /// A whole number within bounds, where there is one.
    fn number(
        &mut self,
        path: &str,
        given: Option<Whole>,
        bounds: RangeInclusive<u16>,
    ) -> Option<u16> {
        let Whole(given) = given?;
        let number = u16::try_from(given).ok();
        let number = number.filter(|number| bounds.contains(number));
        if number.is_none() {
            let (least, most) = bounds.into_inner();
            self.faults.add(
                path,
                format!("{given} is too little or too much — write {least} to {most}"),
            );
        }
        number
    }

    /// An id that nothing before it has.
    fn id<'f, T>(
        &mut self,
        path: &str,
        text: &'f str,
        read: fn(&str) -> Option<T>,
        before: &mut HashMap<&'f str, String>,
    ) -> Option<T> {
        let text = self.required(path, text)?;
        let id = read(text);
        if id.is_none() {
            self.faults.add(
                path,
                format!("{text:?} is no id — write up to 40 small letters, digits and -, such as \"centro\""),
            );
        }
        if let Some(first) = before.get(text) {
            self.faults
                .add(path, format!("{text:?} is {first} already — write another"));
        } else {
            let thing = path.strip_suffix(".id").unwrap_or(path);
            before.insert(text, thing.to_owned());
        }
        id
    }

    /// A name that nothing before it has: people ask for things by their names.
    fn name(&mut self, path: &str, name: &str, before: &mut HashMap<String, String>) {
        self.faults.text(path, name, NAME_CHARS);
        let folded = fold(name.trim());
        if folded.is_empty() {
            return;
        }
        if let Some(first) = before.get(&folded) {
            self.faults
                .add(path, format!("{name:?} is {first} already — write another"));
        } else {
            let thing = path.strip_suffix(".name").unwrap_or(path);
            before.insert(folded, thing.to_owned());
        }
    }

    /// What has to be named somewhere else in the file.
    fn reference<'f>(
        &mut self,
        path: &str,
        text: &str,
        thing: &str,
        ids: impl Iterator<Item = &'f str>,
    ) {
        if self.required(path, text).is_none() {
            return;
        }
        let mut ids: Vec<&str> = ids.filter(|id| !id.is_empty()).collect();
        if ids.contains(&text) {
            return;
        }
        // So many can be read in one line.
        let more = if ids.len() > 12 { ", …" } else { "" };
        ids.dedup();
        ids.truncate(12);
        let ids = crate::shop::listed(ids);
        self.faults.add(
            path,
            format!("{text:?} is the id of no {thing} — write one of {ids}{more}"),
        );
    }

    fn count(&mut self, path: &str, count: usize, most: usize) {
        if count == 0 {
            self.faults
                .add(path, format!("are missing — write [[{path}]]"));
        } else if count > most {
            self.faults
                .add(path, format!("are {count} — leave {most} at most"));
        }
    }
}
