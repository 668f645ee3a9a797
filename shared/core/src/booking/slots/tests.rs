mod given;
mod oracle;

use std::fmt::Write as _;

use super::*;
use crate::{
    booking::{
        AppointmentId, When,
        tests::{SMALL, at, business},
    },
    ids::Owner,
};

/// A salon in Madrid with one service of 45 minutes; `more` goes before its branch, `of_calendar` into its one calendar.
fn salon(more: &str, of_calendar: &str, of_service: &str) -> Business {
    let text = SMALL.replace("\n[[branches]]", &format!("{more}\n[[branches]]"));
    let text = text.replace(
        "duration_minutes = 45",
        &format!("duration_minutes = 45\n{of_service}"),
    );
    business(&format!("{text}\n{of_calendar}\n"))
}

fn timed(title: &str, start: &str, end: &str) -> Event {
    Event {
        when: When::Timed {
            start: at(start),
            end: at(end),
        },
        title: title.to_owned(),
        is_transparent: false,
    }
}

fn whole_days(title: &str, first: &str, end: &str) -> Event {
    Event {
        when: When::Days {
            first: first.parse().unwrap(),
            end: end.parse().unwrap(),
        },
        title: title.to_owned(),
        is_transparent: false,
    }
}

fn dates(from: &str, to: &str) -> Dates {
    let [from, to] = [from, to].map(|date| date.parse().unwrap());
    Dates { from, to }
}

fn agenda<'a>(business: &'a Business, events: &'a [Event], days: &'a [Day]) -> Agenda<'a, 'a> {
    Agenda {
        calendar: &business.calendars[0],
        events,
        days,
    }
}

/// The slots of the first calendar, a line a day.
fn slots(business: &Business, dates: Dates, now: &str, events: &[Event], days: &[Day]) -> String {
    let agendas = [agenda(business, events, days)];
    let search = Search::new(business, &business.services[0], dates, &agendas, at(now));
    let mut lines = String::new();
    let mut day = String::new();
    for slot in search.slots() {
        let written = slot.to_string();
        let (date, time) = written.split_once('T').unwrap();
        if date != day {
            write!(lines, "\n{date}").unwrap();
            date.clone_into(&mut day);
        }
        write!(lines, " {}", time.replacen(":00", "", 1)).unwrap();
    }
    lines
}

/// A Monday.
const MONDAY: &str = "2026-11-23";
const BEFORE: &str = "2026-11-20T08:00:00Z";

fn on_monday(business: &Business, events: &[Event], days: &[Day]) -> String {
    slots(business, dates(MONDAY, MONDAY), BEFORE, events, days)
}

#[test]
fn a_stretch_is_cut_from_its_beginning() {
    let plain = salon("", "", "");
    insta::assert_snapshot!(on_monday(&plain, &[], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    let half_hours = salon("slot_step_minutes = 30", "", "");
    insta::assert_snapshot!(on_monday(&half_hours, &[], &[]), @r#"

    2026-11-23 10:00+01:00 10:30+01:00 11:00+01:00 11:30+01:00 12:00+01:00 12:30+01:00 13:00+01:00 17:00+01:00 17:30+01:00 18:00+01:00 18:30+01:00 19:00+01:00
    "#);
    // Nobody is offered 10:37.
    let busy = [timed("", "2026-11-23T09:00:00Z", "2026-11-23T09:37:00Z")];
    insta::assert_snapshot!(on_monday(&plain, &busy, &[]), @r#"

    2026-11-23 10:40+01:00 11:25+01:00 12:10+01:00 12:55+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    // A step between two of the clock's is as long as the next of these.
    let odd = salon("slot_step_minutes = 31", "", "");
    insta::assert_snapshot!(on_monday(&odd, &[], &[]), @r#"

    2026-11-23 10:00+01:00 10:35+01:00 11:10+01:00 11:45+01:00 12:20+01:00 12:55+01:00 17:00+01:00 17:35+01:00 18:10+01:00 18:45+01:00
    "#);
}

#[test]
fn a_calendar_kept_here_is_open_by_its_hours_within_its_branchs() {
    let own = salon("", "hours.monday = [\"9:00-11:30\", \"19:00-21:00\"]", "");
    insta::assert_snapshot!(on_monday(&own, &[], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 19:00+01:00
    "#);
    let away = "hours.monday = [\"9:00-14:00\"]\n[[calendars.exceptions]]\ndate = 2026-11-23";
    insta::assert_snapshot!(on_monday(&salon("", away, ""), &[], &[]), @"");
    // No event opens it.
    let marked = [timed(
        "Disponible",
        "2026-11-23T10:00:00Z",
        "2026-11-23T11:00:00Z",
    )];
    insta::assert_snapshot!(on_monday(&own, &marked, &[]), @r#"

    2026-11-23 10:00+01:00 19:00+01:00
    "#);
    let tuesday = slots(&own, dates("2026-11-24", "2026-11-24"), BEFORE, &[], &[]);
    assert_eq!(tuesday, "");
}

#[test]
fn a_calendar_elsewhere_is_open_by_its_markers_alone() {
    let plain = salon("", "caldav_url = \"https://calendario.example/ana/\"", "");
    assert_eq!(on_monday(&plain, &[], &[]), "");
    let lunch = timed("Almuerzo", "2026-11-23T10:30:00Z", "2026-11-23T11:00:00Z");
    assert_eq!(on_monday(&plain, std::slice::from_ref(&lunch), &[]), "");
    let morning = timed(
        "Ana DISPONIBLE",
        "2026-11-23T08:00:00Z",
        "2026-11-23T12:00:00Z",
    );
    insta::assert_snapshot!(on_monday(&plain, &[lunch.clone(), morning.clone()], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 12:00+01:00
    "#);
    // What takes no time takes no place, but a marker opens even so.
    let free = |event: &Event| Event {
        is_transparent: true,
        ..event.clone()
    };
    insta::assert_snapshot!(on_monday(&plain, &[free(&lunch), free(&morning)], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00
    "#);
    // Two markers that meet are one.
    let later = timed("disponible", "2026-11-23T12:00:00Z", "2026-11-23T16:45:00Z");
    insta::assert_snapshot!(on_monday(&plain, &[later.clone(), morning.clone()], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00
    "#);
    let said_no = timed(
        "No disponible",
        "2026-11-23T09:00:00Z",
        "2026-11-23T11:30:00Z",
    );
    insta::assert_snapshot!(on_monday(&plain, &[said_no, morning.clone()], &[]), @"");
    // On the whole day, within the branch's hours; and the other way round.
    let whole = whole_days("disponible", MONDAY, "2026-11-24");
    insta::assert_snapshot!(on_monday(&plain, &[whole, lunch], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 12:00+01:00 12:45+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    let away = whole_days("Congreso", "2026-11-22", "2026-11-24");
    assert_eq!(on_monday(&plain, &[away, morning], &[]), "");
}

fn booked(business: &Business, start: &str, id: &str, now: &str, held: bool) -> Day {
    let day = LocalDay::of(MONDAY.parse().unwrap(), &business.time_zone).unwrap();
    let day = Day::new(business.calendars[0].id.clone(), &day);
    let booking = business.services[0].booking(
        AppointmentId::read(id).unwrap(),
        Owner::new("t", "c").unwrap(),
        at(start),
    );
    if held {
        day.hold(&booking, at(now)).unwrap()
    } else {
        day.confirm(&booking, at(now)).unwrap()
    }
}

#[test]
fn what_is_booked_or_held_is_taken_with_its_buffers() {
    let plain = salon("", "", "");
    let one = booked(&plain, "2026-11-23T10:30:00Z", "a", BEFORE, false);
    insta::assert_snapshot!(on_monday(&plain, &[], &[one]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    // 5 minutes before it and 10 after it: of the one that is booked, and of the one that is wanted.
    let buffers = "buffer_before_minutes = 5\nbuffer_after_minutes = 10";
    let with = salon("", "", buffers);
    insta::assert_snapshot!(on_monday(&with, &[], &[]), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    let one = booked(&with, "2026-11-23T10:30:00Z", "a", BEFORE, false);
    insta::assert_snapshot!(on_monday(&with, &[], std::slice::from_ref(&one)), @r#"

    2026-11-23 10:00+01:00 12:30+01:00 13:15+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    let busy = [timed("", "2026-11-23T10:30:00Z", "2026-11-23T11:15:00Z")];
    insta::assert_snapshot!(on_monday(&with, &busy, &[]), @r#"

    2026-11-23 10:00+01:00 12:20+01:00 13:05+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    // A hold counts until it has ended.
    let held = [booked(
        &plain,
        "2026-11-23T10:30:00Z",
        "a",
        "2026-11-23T07:00:00Z",
        true,
    )];
    let on = |now: &str| slots(&plain, dates(MONDAY, MONDAY), now, &[], &held);
    insta::assert_snapshot!(on("2026-11-23T07:04:59Z"), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    insta::assert_snapshot!(on("2026-11-23T07:05:00Z"), @r#"

    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
}

#[test]
fn buffers_may_leave_the_hours_but_not_the_day() {
    let branch = |hours: &str| SMALL.replace("\"10:00-14:00\", \"17:00-20:00\"", hours);
    let buffers = "duration_minutes = 45\nbuffer_before_minutes = 5\nbuffer_after_minutes = 10";
    let text = |hours: &str| branch(hours).replace("duration_minutes = 45", buffers);
    let on = |hours: &str| on_monday(&business(&text(hours)), &[], &[]);
    insta::assert_snapshot!(on("\"10:00-10:45\""), @r#"

    2026-11-23 10:00+01:00
    "#);
    insta::assert_snapshot!(on("\"0:00-1:00\", \"22:00-24:00\""), @r#"

    2026-11-23 00:05+01:00 22:00+01:00 22:45+01:00
    "#);
}

#[test]
fn nothing_is_offered_too_soon_or_too_late() {
    let plain = salon("booking_window_days = 7\nmin_notice_minutes = 90", "", "");
    let on = |now: &str| slots(&plain, dates("2026-11-16", "2026-12-31"), now, &[], &[]);
    insta::assert_snapshot!(on("2026-11-23T09:44:59Z"), @r#"

    2026-11-23 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    2026-11-30 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    insta::assert_snapshot!(on("2026-11-23T10:00:00.5Z"), @r#"

    2026-11-23 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    2026-11-30 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    // At midnight in Madrid the window grows by a day.
    insta::assert_snapshot!(on("2026-11-15T22:59:59Z"), @r#"

    2026-11-16 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    insta::assert_snapshot!(on("2026-11-15T23:00:00Z"), @r#"

    2026-11-16 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    2026-11-23 10:00+01:00 10:45+01:00 11:30+01:00 12:15+01:00 13:00+01:00 17:00+01:00 17:45+01:00 18:30+01:00 19:15+01:00
    "#);
    let backwards = slots(&plain, dates("2026-11-24", "2026-11-22"), BEFORE, &[], &[]);
    assert_eq!(backwards, "");
}

/// The hour that is left out has none, and the one that comes twice has each twice.
#[test]
fn clocks_that_are_changed_are_followed() {
    let night = |zone: &str, date: &str, hours: &str| {
        let text = SMALL
            .replace("Europe/Madrid", zone)
            .replace("\"10:00-14:00\", \"17:00-20:00\"", hours)
            .replace("monday", "sunday")
            .replace("duration_minutes = 45", "duration_minutes = 30");
        let now = format!("{date}T00:00:00Z");
        let before = at(&now) - 48.hours();
        let business =
            business(&text.replace("id = \"alba\"", "id = \"alba\"\nbooking_window_days = 9"));
        slots(&business, dates(date, date), &before.to_string(), &[], &[])
    };
    insta::assert_snapshot!(night("Europe/Madrid", "2026-03-29", "\"1:00-4:00\""), @r#"

    2026-03-29 01:00+01:00 01:30+01:00 03:00+02:00 03:30+02:00
    "#);
    insta::assert_snapshot!(night("Europe/Madrid", "2026-10-25", "\"1:00-4:00\""), @r#"

    2026-10-25 01:00+02:00 01:30+02:00 02:00+02:00 02:30+02:00 02:00+01:00 02:30+01:00 03:00+01:00 03:30+01:00
    "#);
    insta::assert_snapshot!(night("Europe/Madrid", "2026-10-25", "\"1:00-2:30\""), @r#"

    2026-10-25 01:00+02:00 01:30+02:00 02:00+02:00 02:00+01:00
    "#);
    insta::assert_snapshot!(night("Europe/Madrid", "2026-03-29", "\"2:00-3:00\""), @"");
    insta::assert_snapshot!(night("Australia/Lord_Howe", "2026-04-05", "\"1:00-3:00\""), @r#"

    2026-04-05 01:00+11:00 01:30+11:00 01:30+10:30 02:00+10:30 02:30+10:30
    "#);
    insta::assert_snapshot!(night("Australia/Lord_Howe", "2026-10-04", "\"1:00-3:00\""), @r#"

    2026-10-04 01:00+10:30 01:30+10:30 02:30+11:00
    "#);
    insta::assert_snapshot!(night("America/Sao_Paulo", "2018-11-04", "\"0:00-2:30\""), @r#"

    2018-11-04 01:00-02:00 01:30-02:00 02:00-02:00
    "#);
    // On the eve of which 23:00 comes twice: a Saturday, whose hours are none.
    insta::assert_snapshot!(night("America/Sao_Paulo", "2018-02-18", "\"0:00-1:00\""), @r#"

    2018-02-18 00:00-03:00 00:30-03:00
    "#);
}

const TWO: &str = r#"
[[calendars]]
id = "luis"
name = "Luis"
branch = "centro"
offers = ["corte"]
hours.monday = ["10:15-11:45", "17:00-18:00"]
"#;

#[test]
fn several_calendars_are_in_the_order_of_time() {
    let both = business(&format!("{SMALL}{TWO}"));
    let agendas: Vec<Agenda<'_, '_>> = both
        .calendars
        .iter()
        .map(|calendar| Agenda {
            calendar,
            events: &[],
            days: &[],
        })
        .collect();
    let search = |now: &str| {
        Search::new(
            &both,
            &both.services[0],
            dates(MONDAY, MONDAY),
            &agendas,
            at(now),
        )
    };
    let written = |slot: &Slot<'_>| format!("{} {}", &slot.to_string()[11..16], slot.calendar);
    let slots = search(BEFORE).slots();
    let all: Vec<String> = slots.iter().map(written).collect();
    insta::assert_snapshot!(all.join(", "), @"10:00 ana, 10:15 luis, 10:45 ana, 11:00 luis, 11:30 ana, 12:15 ana, 13:00 ana, 17:00 ana, 17:00 luis, 17:45 ana, 18:30 ana, 19:15 ana");
    assert_eq!(search(BEFORE).first(), Some(slots[0]));
    assert_eq!(search("2026-11-23T19:00:00Z").first(), None);
    let near = |wanted: &str, most: usize| {
        let near = nearest(&slots, at(wanted), most);
        near.iter().map(written).collect::<Vec<_>>().join(", ")
    };
    insta::assert_snapshot!(near("2026-11-23T09:30:00Z", 4), @"10:15 luis, 10:45 ana, 10:00 ana, 11:00 luis");
    // At the same distance the earlier; at the same time the first calendar's.
    insta::assert_snapshot!(near("2026-11-23T16:00:00Z", 3), @"17:00 ana, 17:45 ana, 18:30 ana");
    insta::assert_snapshot!(near("2026-11-23T23:00:00Z", 2), @"19:15 ana, 18:30 ana");
    insta::assert_snapshot!(near("2026-11-20T23:00:00Z", 2), @"10:00 ana, 10:15 luis");
    insta::assert_snapshot!(near("2026-11-23T12:00:00Z", 99), @"13:00 ana, 12:15 ana, 11:30 ana, 11:00 luis, 10:45 ana, 10:15 luis, 10:00 ana, 17:00 ana, 17:45 ana, 18:30 ana, 19:15 ana");
    assert_eq!(near("2026-11-23T12:00:00Z", 0), "");
}

#[test]
fn a_time_that_is_asked_for_is_had_or_the_reason_is_named() {
    let text =
        format!("{SMALL}{TWO}").replace("[[branches]]", "booking_window_days = 7\n[[branches]]");
    let text = text.replace("offers = [\"corte\"]\nhours", "offers = [\"barba\"]\nhours");
    let text = format!(
        "{text}\n[[services]]\nid = \"barba\"\nname = \"Barba\"\ncategory = \"pelo\"\nprice = 9\nduration_minutes = 15\n"
    );
    let both = business(&text);
    let busy = [timed("", "2026-11-23T10:30:00Z", "2026-11-23T11:00:00Z")];
    let agendas: Vec<Agenda<'_, '_>> = both
        .calendars
        .iter()
        .map(|calendar| Agenda {
            calendar,
            events: &busy,
            days: &[],
        })
        .collect();
    let all = dates("2026-11-22", "2026-12-31");
    let search = Search::new(
        &both,
        &both.services[0],
        all,
        &agendas,
        at("2026-11-22T08:30:00Z"),
    );
    let asked = |calendar: usize, start: &str| {
        let calendar = &both.calendars[calendar].id;
        match search.at(calendar, at(start)) {
            Ok(slot) => slot.to_string(),
            Err(refusal) => refusal.to_string(),
        }
    };
    let lines: Vec<String> = [
        (0, "2026-11-23T09:00:00Z"),
        // None of the slots, but free.
        (0, "2026-11-23T09:05:00Z"),
        (0, "2026-11-23T09:07:00Z"),
        (0, "2026-11-23T09:05:00.1Z"),
        (1, "2026-11-23T09:30:00Z"),
        (0, "2026-11-22T09:25:00Z"),
        (0, "2026-11-22T09:30:00Z"),
        (0, "2026-11-21T09:30:00Z"),
        (0, "2026-11-30T09:00:00Z"),
        (0, "2026-11-23T08:55:00Z"),
        (0, "2026-11-23T12:20:00Z"),
        (0, "2026-11-23T09:50:00Z"),
        (0, "2026-11-23T09:45:00Z"),
        (0, "2026-11-23T11:00:00Z"),
    ]
    .into_iter()
    .map(|(calendar, start)| format!("{} {start}: {}", calendar, asked(calendar, start)))
    .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    0 2026-11-23T09:00:00Z: 2026-11-23T10:00:00+01:00
    0 2026-11-23T09:05:00Z: 2026-11-23T10:05:00+01:00
    0 2026-11-23T09:07:00Z: it begins between two steps of the clock
    0 2026-11-23T09:05:00.1Z: it begins between two steps of the clock
    1 2026-11-23T09:30:00Z: the calendar does not offer the service
    0 2026-11-22T09:25:00Z: it is too soon
    0 2026-11-22T09:30:00Z: the calendar is closed
    0 2026-11-21T09:30:00Z: it is too soon
    0 2026-11-30T09:00:00Z: it is on none of the dates that are open for appointments
    0 2026-11-23T08:55:00Z: the calendar is closed
    0 2026-11-23T12:20:00Z: the calendar is closed
    0 2026-11-23T09:50:00Z: somebody else has a part of it
    0 2026-11-23T09:45:00Z: 2026-11-23T10:45:00+01:00
    0 2026-11-23T11:00:00Z: 2026-11-23T12:00:00+01:00
    "#);
}
