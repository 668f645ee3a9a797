//! `mostrador business`: the whole of what it prints, over good and bad files.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{path::Path, process::Command};

/// What the program prints, with its exit code, started in `folder`.
fn business(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mostrador"))
        .arg("business")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    format!(
        "{}{}exit code {code}",
        text(output.stdout),
        text(output.stderr)
    )
}

fn check(folder: &Path, file: &str) -> String {
    business(folder, &["check", file])
}

fn of_text(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("business.toml"), text).unwrap();
    check(folder.path(), "business.toml")
}

#[test]
fn the_demo_businesses_are_good() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    insta::assert_snapshot!(check(&demo, "salon/business.toml"), @r#"
    salon/business.toml can be used
      name        Salón Brisa, with Lola
      time zone   Europe/Madrid
      booked      up to 60 days ahead, 120 minutes before at the latest
      slots       15 minutes
      branches    Ruzafa (14 services, 3 calendars); Benimaclet (13 services, 2 calendars)
      services    5 of Corte y peinado; 3 of Color; 3 of Manos y pies; 3 of Rostro y depilación
      calendars   Carmen (by hours of its own); Marcos (by hours of its own); Noelia (by the branch's hours); Irene (by the branch's hours); Yasmín (by hours of its own)
    exit code 0
    "#);
    insta::assert_snapshot!(check(&demo, "clinic/business.toml"), @r#"
    clinic/business.toml can be used
      name        Clínica Dos Ríos, with Recepción
      time zone   Europe/Madrid
      booked      up to 90 days ahead, 240 minutes before at the latest
      slots       as long as the service
      branches    Clínica Dos Ríos (10 services, 5 calendars)
      services    4 of Fisioterapia; 4 of Odontología; 2 of Actividades en sala
      calendars   Beatriz (by Google Calendar); Hugo (by CalDAV); Dra. Vidal (by hours of its own); Samuel (by hours of its own); Sala polivalente (by the branch's hours)
    exit code 0
    "#);
}

#[test]
fn every_fault_is_printed_with_its_place() {
    let toml = r#"id = "Salón"
business_name = "Salón"
time_zone = "Madrid"
currency = "€"
telefono = "1"

[[branches]]
id = "centro"
name = "Centro"
address = "Calle Mayor, 1"
hours.monday = ["14:00-10:00"]
hours.lunes = ["10:00-14:00"]

[[categories]]
id = "pelo"
name = "Pelo"

[[services]]
id = "corte"
name = "Corte"
category = "cabello"
price = "veinte"
duration_minutes = 0
buffer_after_minutes = -5

[[services]]
id = "corte"
name = "Tinte"
category = "pelo"
price = 30
duration_minutes = "90"

[[calendars]]
id = "ana"
name = "Ana"
branch = "norte"
offers = ["barba"]
"#;
    insta::assert_snapshot!(of_text(toml), @r#"
    business.toml:1:1: id: "Salón" is no id — write up to 40 small letters, digits and -, such as "centro"
    business.toml:3:1: time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid"
    business.toml:4:1: currency: "€" is no currency — write three letters of ISO 4217, such as EUR
    business.toml:5:1: telefono: unknown field `telefono`, expected one of `id`, `business_name`, `time_zone`, `currency`, `whatsapp_number`, `bot_name`, `greeting_message`, `booking_window_days`, `min_notice_minutes`, `availability_marker`, `slot_step_minutes`, `branches`, `categories`, `services`, `calendars`
    business.toml:7:1: branches[0]: "centro" has no calendar — write one with branch = "centro", or leave it out
    business.toml:11:17: branches[0].hours.monday[0]: "14:00-10:00" ends before it begins — write "10:00-14:00", or what is after midnight as the next day's "00:00-…"
    business.toml:12:7: branches[0].hours.lunes: "lunes" is no weekday — write one of monday, tuesday, wednesday, thursday, friday, saturday, sunday
    business.toml:18:1: services[0]: "corte" is offered by nobody — add it to the offers of a calendar, or leave it out
    business.toml:21:1: services[0].category: "cabello" is the id of no category — write one of pelo
    business.toml:22:1: services[0].price: "veinte" is no amount with at most two decimals — write one such as "25.00"
    business.toml:23:1: services[0].duration_minutes: 0 is too little or too much — write 5 to 720
    business.toml:24:1: services[0].buffer_after_minutes: -5 is too little or too much — write 0 to 240
    business.toml:26:1: services[1]: "corte" is offered by nobody — add it to the offers of a calendar, or leave it out
    business.toml:27:1: services[1].id: "corte" is services[0] already — write another
    business.toml:31:1: services[1].duration_minutes: invalid type: string "90", expected a whole number
    business.toml:36:1: calendars[0].branch: "norte" is the id of no branch — write one of centro
    business.toml:37:11: calendars[0].offers[0]: "barba" is the id of no service — write one of corte
    error: 17 faults
    exit code 1
    "#);
    insta::assert_snapshot!(of_text("id = alba\n[[branches]\n"), @r#"
    business.toml:1:6: is not TOML — string values must be quoted, expected literal string
    business.toml:2:12: is not TOML — unclosed array table, expected `]`
    error: 2 faults
    exit code 1
    "#);
}

#[test]
fn what_is_no_file_of_a_business_is_named() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(check(folder.path(), "business.toml"), @r#"
    error: business.toml cannot be read: No such file or directory (os error 2)
    exit code 1
    "#);
    std::fs::write(folder.path().join("business.json"), "{}").unwrap();
    insta::assert_snapshot!(check(folder.path(), "business.json"), @r#"
    error: business.json is no .toml
    exit code 1
    "#);
}

/// What is imported is kept, again in its own place, and nothing is of a file that has a fault.
#[test]
fn a_business_is_imported_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/salon/business.toml");
    let toml = std::fs::read_to_string(demo).unwrap();
    let import = |toml: &str| {
        std::fs::write(folder.path().join("business.toml"), toml).unwrap();
        business(folder.path(), &["import", "business.toml"])
    };
    insta::assert_snapshot!(import(&toml.replace("Europe/Madrid", "Madrid")), @r#"
    business.toml:8:1: time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid"
    error: 1 fault
    exit code 1
    "#);
    insta::assert_snapshot!(import(&toml), @r"
    Salón Brisa is kept as salon-brisa
    exit code 0
    ");
    insta::assert_snapshot!(import(&toml), @r"
    Salón Brisa was kept as salon-brisa already, and nothing of it has changed
    exit code 0
    ");
    let shorter = toml.replace("booking_window_days = 60", "booking_window_days = 30");
    insta::assert_snapshot!(import(&shorter), @r"
    Salón Brisa is kept as salon-brisa, in the place of what it was before; its appointments stay
    exit code 0
    ");
    insta::assert_snapshot!(import(&toml.replace("Europe/Madrid", "Atlantic/Canary")), @r"
    error: a business that is kept stays in its time zone: give it another id
    exit code 1
    ");
}
