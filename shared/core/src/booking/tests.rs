//! Files of businesses, read whole.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::*;
use crate::language::Language;

/// The members of a file, with its dates as texts.
pub(super) fn members(text: &str) -> Map<String, Value> {
    fn value(given: toml::Value) -> Value {
        match given {
            toml::Value::String(text) => Value::from(text),
            toml::Value::Integer(number) => Value::from(number),
            toml::Value::Float(number) => Value::from(number),
            toml::Value::Boolean(flag) => Value::from(flag),
            toml::Value::Datetime(date) => Value::from(date.to_string()),
            toml::Value::Array(array) => array.into_iter().map(value).collect(),
            toml::Value::Table(table) => Value::Object(object(table)),
        }
    }
    fn object(table: toml::Table) -> Map<String, Value> {
        let table = table.into_iter();
        table.map(|(name, given)| (name, value(given))).collect()
    }
    object(text.parse().unwrap())
}

pub(super) fn business(text: &str) -> Business {
    Business::read(members(text)).unwrap()
}

fn faults(text: &str) -> String {
    let faults = Business::read(members(text)).unwrap_err();
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    // Whichever languages there are.
    let all: Vec<&str> = Language::all().map(Language::tag).collect();
    lines
        .join("\n")
        .replace(&all.join(", "), "those that there are")
}

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The smallest business that there is.
pub(super) const SMALL: &str = r#"
id = "alba"
business_name = "Alba"
time_zone = "Europe/Madrid"
currency = "EUR"

[[branches]]
id = "centro"
name = "Centro"
address = "Calle Mayor, 1"
hours.monday = ["10:00-14:00", "17:00-20:00"]

[[categories]]
id = "pelo"
name = "Pelo"

[[services]]
id = "corte"
name = "Corte"
category = "pelo"
price = 25
duration_minutes = 45

[[calendars]]
id = "ana"
name = "Ana"
branch = "centro"
offers = ["corte"]
"#;

const SALON: &str = include_str!("../../../../infra/local/demo/salon/business.toml");
const CLINIC: &str = include_str!("../../../../infra/local/demo/clinic/business.toml");

#[test]
fn the_smallest_has_its_defaults() {
    let small = business(SMALL);
    assert_eq!(small.bot_name(), "Alba");
    assert_eq!(
        (small.booking_window_days, small.min_notice_minutes),
        (60, 60)
    );
    assert_eq!(small.availability_marker.as_str(), AVAILABILITY_MARKER);
    assert_eq!(small.slot_step_minutes, None);
    assert_eq!(small.calendars[0].source, Source::Kept { hours: None });
    let corte = &small.services[0];
    assert_eq!(corte.price.to_string(), "25.00");
    assert_eq!(
        (corte.buffer_before_minutes, corte.buffer_after_minutes),
        (0, 0)
    );
}

/// Everything that a demo business has is bookable somewhere.
#[test]
fn the_demo_businesses_can_be_used() {
    let counts = |text: &str| {
        let business = business(text);
        for branch in &business.branches {
            let services: Vec<&str> = business
                .services_at(&branch.id)
                .map(|service| service.id.as_str())
                .collect();
            assert_ne!(services, Vec::<&str>::new(), "{}", branch.id);
        }
        let Business {
            branches,
            categories,
            services,
            calendars,
            ..
        } = &business;
        format!(
            "{}: {} branches, {} categories, {} services, {} calendars",
            business.business_name,
            branches.len(),
            categories.len(),
            services.len(),
            calendars.len()
        )
    };
    insta::assert_snapshot!(counts(SALON), @"Salón Brisa: 2 branches, 4 categories, 14 services, 5 calendars");
    insta::assert_snapshot!(counts(CLINIC), @"Clínica Dos Ríos: 1 branches, 3 categories, 10 services, 5 calendars");
}

#[test]
fn an_exception_stands_before_its_weekday() {
    let text = SMALL.replace(
        "[[categories]]",
        r#"[[branches.exceptions]]
date = 2026-12-28
hours = ["11:00-13:00"]

[[branches.exceptions]]
date = 2026-12-21
until = 2027-01-04
reason.es = "Vacaciones"

[[categories]]"#,
    );
    let business = business(&text);
    let hours = &business.branches[0].hours;
    let on = |date: &str| {
        let (minutes, special) = hours.on(date.parse().unwrap());
        format!(
            "{minutes:?} {}",
            special.map_or("", |special| special
                .reason
                .get("es")
                .map_or("!", String::as_str))
        )
    };
    assert_eq!(on("2026-12-14"), "[600..840, 1020..1200] ");
    assert_eq!(on("2026-12-15"), "[] ");
    assert_eq!(on("2026-12-21"), "[] Vacaciones");
    assert_eq!(on("2026-12-28"), "[660..780] !");
    assert_eq!(on("2027-01-04"), "[] Vacaciones");
    assert_eq!(on("2027-01-11"), "[600..840, 1020..1200] ");
}

#[test]
fn what_makes_no_sense_is_named() {
    insta::assert_snapshot!(faults(""), @r#"
    id: is missing or blank — write a text
    business_name: is missing or blank — write a text
    time_zone: is missing or blank — write a text
    currency: is missing or blank — write a text
    branches: are missing — write [[branches]]
    categories: are missing — write [[categories]]
    services: are missing — write [[services]]
    calendars: are missing — write [[calendars]]
    "#);
    insta::assert_snapshot!(faults(r#"
id = "Alba 1"
business_name = "Alba"
time_zone = "Madrid"
currency = "euro"
whatsapp_number = "600 000 000"
bot_name = ""
greeting_message = "a\nb"
booking_window_days = 0
min_notice_minutes = -1
availability_marker = "✅"
slot_step_minutes = 3

[[branches]]
id = "centro"
name = "Centro"
address = ""
hours = { monday = ["14:00-10:00"], lunes = ["10:00-14:00"], friday = ["10:00-14:00", "13:00-15:00"] }
exceptions = [{ date = 2026-02-30 }, { hours = [] }, { date = 2026-12-26, until = 2026-12-24, reason = { fr = "Noël" } }]

[[branches]]
id = "centro"
name = "CENTRO"
address = "Calle Mayor, 2"

[[categories]]
id = "pelo"
name = "Pelo"

[[services]]
id = "corte"
name = "Corte"
category = "unas"
price = -5
duration_minutes = 0
buffer_before_minutes = -5
buffer_after_minutes = 500

[[services]]
id = "tinte"
name = "corte"
category = "pelo"
price = "treinta"

[[calendars]]
id = "ana"
name = "Ana"
branch = "norte"
offers = ["corte", "corte", "barba"]
google_calendar_id = "ana"
caldav_url = "calendario"
hours.monday = ["9:00-9:00"]

[[calendars]]
id = "luis"
name = "Luis"
branch = "centro"
offers = []
exceptions = [{ date = 2026-12-24 }]

[[calendars]]
id = "eva"
name = "ana "
branch = "norte"
offers = ["corte"]
google_calendar_id = "ana"

[[branches]]
id = "sur"
name = "Sur"
address = "Calle Menor, 1"
hours.monday = ["10:00-14:00"]
"#.replace("date = 2026-02-30", "date = \"2026-02-30\"").as_str()), @r#"
    id: "Alba 1" is no id — write up to 40 small letters, digits and -, such as "centro"
    time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid"
    currency: "euro" is no currency — write three letters of ISO 4217, such as EUR
    whatsapp_number: "600 000 000" has no country — write it like "+34 600 000 000"
    bot_name: is missing or blank — write a text
    greeting_message: has more than one line — write it in one
    availability_marker: "✅" has neither a letter nor a digit — write what the titles have, such as "disponible"
    booking_window_days: 0 is too little or too much — write 1 to 366
    min_notice_minutes: -1 is too little or too much — write 0 to 43200
    slot_step_minutes: 3 is too little or too much — write 5 to 720
    branches[0].address: is missing or blank — write a text
    branches[0].hours.friday[1]: "13:00-15:00" begins before the one before it has ended — write them in order, or as one
    branches[0].hours.lunes: "lunes" is no weekday — write one of monday, tuesday, wednesday, thursday, friday, saturday, sunday
    branches[0].hours.monday[0]: "14:00-10:00" ends before it begins — write "10:00-14:00", or what is after midnight as the next day's "00:00-…"
    branches[0].exceptions[0].date: "2026-02-30" is no date — write it like "2026-12-25"
    branches[0].exceptions[1].date: is missing — write it like "2026-12-25"
    branches[0].exceptions[2].until: 2026-12-24 is before 2026-12-26 — write the last of the days
    branches[0].exceptions[2].reason.fr: "fr" is no language that there is — write one of those that there are
    branches[1].id: "centro" is branches[0] already — write another
    branches[1].name: "CENTRO" is branches[0] already — write another
    branches[1].hours: are missing — write monday = ["10:00-14:00"] and so on
    services[0].category: "unas" is the id of no category — write one of pelo
    services[0].price: "-5" is no amount with at most two decimals — write one such as "25.00"
    services[0].duration_minutes: 0 is too little or too much — write 5 to 720
    services[0].buffer_before_minutes: -5 is too little or too much — write 0 to 240
    services[0].buffer_after_minutes: 500 is too little or too much — write 0 to 240
    services[1].name: "corte" is services[0] already — write another
    services[1].price: "treinta" is no amount with at most two decimals — write one such as "25.00"
    services[1].duration_minutes: is missing — write how long it takes, such as 45
    calendars[0].branch: "norte" is the id of no branch — write one of centro, sur
    calendars[0].offers[1]: "corte" is there twice — leave one
    calendars[0].offers[2]: "barba" is the id of no service — write one of corte, tinte
    calendars[0].caldav_url: is there beside google_calendar_id — leave one of the two
    calendars[0].hours: are of no use where a calendar elsewhere says when it is open — leave them out
    calendars[0].caldav_url: "calendario" is no address — write one such as "https://tienda.example"
    calendars[0].google_calendar_id: "ana" is no calendar's — write it like "…@group.calendar.google.com"
    calendars[0].hours.monday[0]: "9:00-9:00" begins and ends at the same time — write "00:00-24:00" for a whole day
    calendars[1].offers: is missing or empty — write the ids of services
    calendars[1].hours: are missing, and exceptions need them — write monday = ["10:00-14:00"] and so on
    calendars[2].name: "ana " is calendars[0] already — write another
    calendars[2].branch: "norte" is the id of no branch — write one of centro, sur
    calendars[2].google_calendar_id: "ana" is calendars[0].google_calendar_id already — one calendar is one person's or one room's
    calendars[2].google_calendar_id: "ana" is no calendar's — write it like "…@group.calendar.google.com"
    services[1]: "tinte" is offered by nobody — add it to the offers of a calendar, or leave it out
    branches[2]: "sur" has no calendar — write one with branch = "sur", or leave it out
    "#);
}

/// Values of other types hide nothing of what is beside them, however deep.
#[test]
fn what_cannot_be_read_is_named_beside_the_rest() {
    insta::assert_snapshot!(faults(r#"
id = 7
nombre = "Alba"
business_name = ["Alba"]
time_zone = "Europe/Madrid"
currency = "JPY"
booking_window_days = "sesenta"
min_notice_minutes = 1.5

[[branches]]
id = "centro"
name = "Centro"
address = "Calle Mayor, 1"
hours = { monday = "10:00-14:00", tuesday = [7, "25:00-26:00"] }
telefono = "1"
exceptions = ["2026-12-24", { date = 7, motivo = "x" }]

[[categories]]
id = "pelo"
name = "Pelo"

[[services]]
id = "corte"
name = "Corte"
category = "pelo"
price = [25]
duration_minutes = "45"

[[services]]
id = "tinte"
name = "Tinte"
category = "pelo"
price = "25.50"
duration_minutes = true
buffer_after_minutes = -1

[[calendars]]
id = "ana"
name = "Ana"
branch = "centro"
offers = "corte"

[[calendars]]
id = "luis"
name = "Luis"
branch = "centro"
offers = [1, "tinte"]
"#), @r#"
    booking_window_days: invalid type: string "sesenta", expected a whole number
    branches[0].exceptions[0]: invalid type: string "2026-12-24", expected struct Exception
    branches[0].exceptions[1].date: invalid type: integer `7`, expected a string
    branches[0].exceptions[1].motivo: unknown field `motivo`, expected one of `date`, `until`, `hours`, `reason`
    branches[0].hours.monday: invalid type: string "10:00-14:00", expected a sequence
    branches[0].hours.tuesday[0]: invalid type: integer `7`, expected a string
    branches[0].telefono: unknown field `telefono`, expected one of `id`, `name`, `address`, `hours`, `exceptions`
    business_name: invalid type: sequence, expected a string
    calendars[0].offers: invalid type: string "corte", expected a sequence
    calendars[1].offers[0]: invalid type: integer `1`, expected a string
    id: invalid type: integer `7`, expected a string
    min_notice_minutes: invalid type: floating point `1.5`, expected a whole number
    nombre: unknown field `nombre`, expected one of `id`, `business_name`, `time_zone`, `currency`, `whatsapp_number`, `bot_name`, `greeting_message`, `booking_window_days`, `min_notice_minutes`, `availability_marker`, `slot_step_minutes`, `branches`, `categories`, `services`, `calendars`
    services[0].duration_minutes: invalid type: string "45", expected a whole number
    services[1].duration_minutes: invalid type: boolean `true`, expected a whole number
    branches[0].hours.tuesday[1]: "25:00-26:00" is not two times of a day — write "10:00-14:00"
    services[0].price: "[25]" is no amount with at most two decimals — write one such as "25.00"
    services[1].price: "25.50" has decimals, and JPY has none — write whole amounts
    services[1].buffer_after_minutes: -1 is too little or too much — write 0 to 240
    "#);
}

#[test]
fn there_is_only_so_much_of_anything() {
    use std::fmt::Write as _;
    let mut text = SMALL.to_owned();
    for index in 0..300 {
        write!(text, "\n[[services]]\nid = 's{index}'\nname = 'S {index}'\ncategory = 'pelo'\nprice = 1\nduration_minutes = 5\n").unwrap();
    }
    let faults = faults(&text);
    let [count, rest @ ..] = &faults.lines().collect::<Vec<_>>()[..] else {
        panic!("{faults}")
    };
    assert_eq!(*count, "services: are 301 — leave 300 at most");
    // And none of them is offered.
    assert_eq!(rest.len(), 300);
}
