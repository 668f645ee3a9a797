mod laws;

use super::*;
use crate::booking::tests::at;

pub(super) fn id(text: &str) -> AppointmentId {
    AppointmentId::read(text).unwrap()
}

/// An appointment of half an hour with buffers of 5 minutes before it and of 10 after it.
pub(super) fn booking(id_text: &str, customer: &str, start: &str) -> Booking {
    Booking {
        id: id(id_text),
        customer: Owner::new("t", customer).unwrap(),
        service: ServiceId::read("corte").unwrap(),
        start_at: at(start),
        duration_minutes: NonZeroU16::new(30).unwrap(),
        buffer_before_minutes: 5,
        buffer_after_minutes: 10,
    }
}

/// In Madrid, where it is an hour later than in UTC.
pub(super) fn empty(calendar: &str, date: &str) -> Day {
    let zone = jiff::tz::TimeZone::get("Europe/Madrid").unwrap();
    let day = LocalDay::of(date.parse().unwrap(), &zone).unwrap();
    Day::new(CalendarId::read(calendar).unwrap(), &day)
}

fn written(day: &Day, now: &str) -> String {
    let entries = day.entries(at(now)).map(|entry| {
        let place = match entry.place {
            Place::HeldUntil(until) => format!("held until {until}"),
            Place::Confirmed => "confirmed".to_owned(),
        };
        format!("{} at {} {place}", entry.booking.id, entry.booking.start_at)
    });
    let entries: Vec<String> = entries.collect();
    format!("{}: {}", day.version(), entries.join("; "))
}

const NOW: &str = "2026-11-23T08:00:00Z";
/// The first instant at which what is held from `NOW` on has ended.
const ENDED: &str = "2026-11-23T08:05:00Z";

#[test]
fn a_place_is_held_and_then_confirmed() {
    let one = booking("a", "ana", "2026-11-23T10:00:00Z");
    let day = empty("sillon", "2026-11-23");
    let held = day.hold(&one, at(NOW)).unwrap();
    insta::assert_snapshot!(written(&held, NOW), @"1: a at 2026-11-23T10:00:00Z held until 2026-11-23T08:05:00Z");
    insta::assert_snapshot!(written(&held, "2026-11-23T08:04:59Z"), @"1: a at 2026-11-23T10:00:00Z held until 2026-11-23T08:05:00Z");
    insta::assert_snapshot!(written(&held, ENDED), @"1:");
    let confirmed = held.confirm(&one, at(NOW)).unwrap();
    insta::assert_snapshot!(written(&confirmed, ENDED), @"2: a at 2026-11-23T10:00:00Z confirmed");
    assert_eq!(
        confirmed.confirm(&one, at(NOW)),
        Err(ConfirmError::AlreadyConfirmed)
    );
    assert_eq!(confirmed.hold(&one, at(NOW)), Err(HoldError::IdInUse));
    assert_eq!(
        confirmed.release(&one.id, at(NOW)),
        Err(ReleaseError::NotHeld)
    );
    assert_eq!(
        held.cancel(&one.id, at(NOW)),
        Err(CancelError::NotConfirmed)
    );
    let cancelled = confirmed.cancel(&one.id, at(NOW)).unwrap();
    insta::assert_snapshot!(written(&cancelled, NOW), @"3:");
    assert_eq!(
        cancelled.cancel(&one.id, at(NOW)),
        Err(CancelError::NotConfirmed)
    );
    let released = held.release(&one.id, at(NOW)).unwrap();
    insta::assert_snapshot!(written(&released, NOW), @"2:");
}

/// With buffers of 5 and 10 minutes, 15 minutes lie between two.
#[test]
fn buffers_are_nobodys() {
    let first = booking("a", "ana", "2026-11-23T10:00:00Z");
    let day = empty("sillon", "2026-11-23")
        .confirm(&first, at(NOW))
        .unwrap();
    for (start, expected) in [
        (
            "2026-11-23T10:00:00Z",
            Err(HoldError::NoRoom(NoRoom::Taken)),
        ),
        (
            "2026-11-23T10:15:00Z",
            Err(HoldError::NoRoom(NoRoom::Taken)),
        ),
        (
            "2026-11-23T10:44:59Z",
            Err(HoldError::NoRoom(NoRoom::Taken)),
        ),
        ("2026-11-23T10:45:00Z", Ok(2)),
        ("2026-11-23T09:15:00Z", Ok(2)),
        (
            "2026-11-23T09:15:01Z",
            Err(HoldError::NoRoom(NoRoom::Taken)),
        ),
        // The day begins at 23:00 and ends at 23:00, and buffers are part of it.
        ("2026-11-22T23:04:59Z", Err(HoldError::Past)),
        ("2026-11-23T22:20:00Z", Ok(2)),
        (
            "2026-11-23T22:20:01Z",
            Err(HoldError::NoRoom(NoRoom::OutsideDay)),
        ),
        (
            "2026-11-24T10:00:00Z",
            Err(HoldError::NoRoom(NoRoom::OutsideDay)),
        ),
        ("2026-11-23T07:59:59Z", Err(HoldError::Past)),
        (NOW, Ok(2)),
    ] {
        let second = booking("b", "luis", start);
        let held = day.hold(&second, at(NOW)).map(|day| day.version());
        assert_eq!(held, expected, "{start}");
    }
    let early = booking("b", "luis", "2026-11-22T23:04:59Z");
    let before = day.hold(&early, at("2026-11-22T20:00:00Z"));
    assert_eq!(before, Err(HoldError::NoRoom(NoRoom::OutsideDay)));
}

/// Whether or not somebody has changed the day meanwhile, and so has dropped the hold.
#[test]
fn an_ended_hold_is_confirmed_where_its_place_is_free() {
    let one = booking("a", "ana", "2026-11-23T10:00:00Z");
    let same = booking("b", "luis", "2026-11-23T10:15:00Z");
    let other = booking("c", "eva", "2026-11-23T12:00:00Z");
    let held = empty("sillon", "2026-11-23").hold(&one, at(NOW)).unwrap();
    let touched = held.confirm(&other, at(ENDED)).unwrap();
    for day in [&held, &touched] {
        let confirmed = day.confirm(&one, at(ENDED)).unwrap();
        assert!(confirmed.entry(&one.id, at(ENDED)).is_some());
        assert_eq!(day.release(&one.id, at(ENDED)), Err(ReleaseError::NotHeld));
        let taken = day.hold(&same, at(ENDED)).unwrap();
        assert_eq!(
            taken.confirm(&one, at(ENDED)),
            Err(ConfirmError::NoRoom(NoRoom::Taken))
        );
        let late = at("2026-11-23T10:00:01Z");
        assert_eq!(day.confirm(&one, late), Err(ConfirmError::Past));
    }
    // As long as it is held, nobody else has it, and it is confirmed even where its time has come meanwhile.
    assert_eq!(
        held.hold(&same, at(NOW)),
        Err(HoldError::NoRoom(NoRoom::Taken))
    );
    assert_eq!(
        held.confirm(&same, at(NOW)),
        Err(ConfirmError::NoRoom(NoRoom::Taken))
    );
    let soon = booking("d", "ana", "2026-11-23T08:02:00Z");
    let held = empty("sillon", "2026-11-23").hold(&soon, at(NOW)).unwrap();
    held.confirm(&soon, at("2026-11-23T08:04:00Z")).unwrap();
    let otherwise = booking("d", "luis", "2026-11-23T08:02:00Z");
    assert_eq!(
        held.confirm(&otherwise, at(NOW)),
        Err(ConfirmError::Different)
    );
}

#[test]
fn an_appointment_moves_within_a_day_and_between_two() {
    let one = booking("a", "ana", "2026-11-23T10:00:00Z");
    let monday = empty("sillon", "2026-11-23")
        .confirm(&one, at(NOW))
        .unwrap();
    let other = booking("b", "luis", "2026-11-24T10:00:00Z");
    let tuesday = empty("sillon", "2026-11-24")
        .confirm(&other, at(NOW))
        .unwrap();
    let to = |start: &str| Reschedule {
        id: &one.id,
        start_at: at(start),
        hold: None,
    };
    let moved =
        |from: &Day, to: &Day, wanted: &Reschedule<'_>| match reschedule(from, to, wanted, at(NOW))
        {
            Ok(Moved::Within(day)) => written(&day, NOW),
            Ok(Moved::Between { from, to }) => {
                format!("{} | {}", written(&from, NOW), written(&to, NOW))
            }
            Err(error) => error.to_string(),
        };
    // Its own old place is not in its way.
    insta::assert_snapshot!(moved(&monday, &monday, &to("2026-11-23T10:10:00Z")), @"2: a at 2026-11-23T10:10:00Z confirmed");
    insta::assert_snapshot!(moved(&monday, &tuesday, &to("2026-11-24T09:00:00Z")), @"2:  | 2: a at 2026-11-24T09:00:00Z confirmed; b at 2026-11-24T10:00:00Z confirmed");
    insta::assert_snapshot!(moved(&monday, &tuesday, &to("2026-11-24T10:10:00Z")), @"somebody else has a part of it");
    insta::assert_snapshot!(moved(&monday, &tuesday, &to("2026-11-25T10:10:00Z")), @"it does not lie within the day");
    insta::assert_snapshot!(moved(&monday, &monday, &to("2026-11-23T07:00:00Z")), @"it has begun");
    insta::assert_snapshot!(moved(&tuesday, &monday, &to("2026-11-23T12:00:00Z")), @"it is not confirmed");
    // What the customer holds meanwhile is theirs to take, and nobody else's.
    let kept = booking("h", "ana", "2026-11-24T12:00:00Z");
    let held = tuesday.hold(&kept, at(NOW)).unwrap();
    let by = |hold: &'static str, start: &str| (id(hold), at(start));
    for (hold, start_at) in [
        by("h", "2026-11-24T12:00:00Z"),
        by("h", "2026-11-24T12:05:00Z"),
    ] {
        let hold = Some(&hold);
        let wanted = Reschedule {
            id: &one.id,
            start_at,
            hold,
        };
        let Ok(Moved::Between { from, to }) = reschedule(&monday, &held, &wanted, at(NOW)) else {
            panic!("{start_at}");
        };
        assert_eq!(from.entries(at(NOW)).count(), 0);
        let ids = to.entries(at(NOW)).map(|entry| entry.booking.id.as_str());
        assert_eq!(ids.collect::<Vec<_>>(), ["b", "a"]);
    }
    insta::assert_snapshot!(moved(&monday, &held, &to("2026-11-24T12:00:00Z")), @"somebody else has a part of it");
    // Neither a confirmed appointment nor another customer's hold is.
    let others = booking("k", "luis", "2026-11-24T14:00:00Z");
    let held = held.hold(&others, at(NOW)).unwrap();
    for (hold, start_at) in [
        by("b", "2026-11-24T10:00:00Z"),
        by("k", "2026-11-24T14:00:00Z"),
    ] {
        let foreign = Reschedule {
            id: &one.id,
            start_at,
            hold: Some(&hold),
        };
        assert_eq!(
            reschedule(&monday, &held, &foreign, at(NOW)),
            Err(RescheduleError::Different)
        );
    }
}

#[test]
fn a_day_is_read_as_it_was_written_and_no_other_is() {
    let one = booking("a", "ana", "2026-11-23T10:00:00Z");
    let two = booking("b", "luis", "2026-11-23T12:00:00Z");
    let day = empty("sillon", "2026-11-23")
        .confirm(&one, at(NOW))
        .unwrap();
    let day = day.hold(&two, at(NOW)).unwrap();
    let written = serde_json::to_string_pretty(&day).unwrap();
    assert_eq!(serde_json::from_str::<Day>(&written).unwrap(), day);
    insta::assert_snapshot!(written, @r#"
    {
      "calendar": "sillon",
      "date": "2026-11-23",
      "span": {
        "start_at": "2026-11-22T23:00:00Z",
        "end_at": "2026-11-23T23:00:00Z"
      },
      "version": 2,
      "entries": [
        {
          "id": "a",
          "customer": "t#ana",
          "service": "corte",
          "start_at": "2026-11-23T10:00:00Z",
          "duration_minutes": 30,
          "buffer_before_minutes": 5,
          "buffer_after_minutes": 10,
          "place": "confirmed"
        },
        {
          "id": "b",
          "customer": "t#luis",
          "service": "corte",
          "start_at": "2026-11-23T12:00:00Z",
          "duration_minutes": 30,
          "buffer_before_minutes": 5,
          "buffer_after_minutes": 10,
          "place": {
            "held_until": "2026-11-23T08:05:00Z"
          }
        }
      ]
    }
    "#);
    let read = |from: &str, to: &str| {
        let read = serde_json::from_str::<Day>(&written.replace(from, to));
        let error = read.unwrap_err().to_string();
        error.split(" at line").next().unwrap().to_owned()
    };
    insta::assert_snapshot!(read("T12:00:00Z", "T10:44:00Z"), @"appointments a and b overlap");
    insta::assert_snapshot!(read("-23T12:00:00Z", "-24T12:00:00Z"), @"appointment b lies outside of the day");
    insta::assert_snapshot!(read("\"b\"", "\"a\""), @"appointment a is there twice");
    insta::assert_snapshot!(read("\"2026-11-23\"", "\"2026-11-33\""), @r#""2026-11-33" is no date"#);
}
