//! An appointment as an object of a calendar.

use jiff::{SignedDuration, Timestamp};
use mostrador_core::booking::{AppointmentId, RemoteEntry, Span, When};

use super::request::utc;
use crate::ical::{APPOINTMENT, Reading, escaped};

/// Longest line in bytes, without its end.
const LINE_BYTES_MAX: usize = 75;
/// So far around an appointment it is looked for more times of it.
const AROUND: SignedDuration = SignedDuration::from_hours(24 * 366);

/// A name for files and addresses, another one for each appointment: what is neither a letter nor a digit stands there as its bytes.
/// None begins with a dot, which some servers refuse.
pub(super) fn name(appointment: &AppointmentId) -> String {
    let mut name = String::new();
    for byte in appointment.as_str().bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("_{byte:02x}"));
        }
    }
    name
}

/// The calendar object of an appointment.
pub(super) fn calendar(entry: &RemoteEntry, now: Timestamp) -> String {
    let RemoteEntry {
        appointment,
        title,
        time,
    } = entry;
    let mut text = String::new();
    for line in [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Mostrador//Appointments//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@mostrador", name(appointment)),
        format!("DTSTAMP:{}", utc(now)),
        format!("DTSTART:{}", utc(time.start())),
        format!("DTEND:{}", utc(time.end())),
        format!("SUMMARY:{}", escaped(title)),
        "STATUS:CONFIRMED".to_owned(),
        "TRANSP:OPAQUE".to_owned(),
        format!("{APPOINTMENT}:{}", escaped(appointment.as_str())),
        "END:VEVENT".to_owned(),
        "END:VCALENDAR".to_owned(),
    ] {
        fold(&line, &mut text);
    }
    text
}

/// Adds a line, cut into lines that are as long as they may be.
fn fold(line: &str, text: &mut String) {
    let mut length = 0;
    for c in line.chars() {
        if length + c.len_utf8() > LINE_BYTES_MAX {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(c);
        length += c.len_utf8();
    }
    text.push_str("\r\n");
}

/// Whether a calendar object is that appointment, and nothing else.
pub(super) fn is_written(entry: &RemoteEntry, text: &str, reading: &Reading) -> bool {
    let (start, end) = (entry.time.start(), entry.time.end());
    let from = start.checked_sub(AROUND).unwrap_or(Timestamp::MIN);
    let to = end.checked_add(AROUND).unwrap_or(Timestamp::MAX);
    let Some(window) = Span::new(from, to) else {
        return false;
    };
    let Ok(object) = reading.object(text, window) else {
        return false;
    };
    let plain = |title: &str| {
        let chars = title.chars();
        chars
            .filter(|c| *c == '\n' || !c.is_control())
            .collect::<String>()
    };
    match object.events.as_slice() {
        [event] => {
            object.appointment.as_ref() == Some(&entry.appointment)
                && event.when == When::Timed { start, end }
                && plain(&event.title) == plain(&entry.title)
                && !event.is_transparent
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    fn entry(id: &str, title: &str) -> RemoteEntry {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let time = Span::new(at("2026-11-23T09:00:00Z"), at("2026-11-23T09:30:00Z"));
        RemoteEntry {
            appointment: AppointmentId::read(id).unwrap(),
            title: title.to_owned(),
            time: time.unwrap(),
        }
    }

    #[test]
    fn an_appointment_is_written_and_known_by_its_content() {
        let entry = entry(
            "a/b;1",
            "Corte, Ana; «pelo largo» y más cosas que no caben en una sola línea\n2",
        );
        let text = calendar(&entry, "2026-11-01T00:00:00Z".parse().unwrap());
        insta::assert_snapshot!(text.replace("\r\n", "\n"), @r"
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Mostrador//Appointments//EN
        BEGIN:VEVENT
        UID:a_2fb_3b1@mostrador
        DTSTAMP:20261101T000000Z
        DTSTART:20261123T090000Z
        DTEND:20261123T093000Z
        SUMMARY:Corte\, Ana\; «pelo largo» y más cosas que no caben en una sola 
         línea\n2
        STATUS:CONFIRMED
        TRANSP:OPAQUE
        X-MOSTRADOR-APPOINTMENT:a/b\;1
        END:VEVENT
        END:VCALENDAR
        ");
        let reading = Reading {
            zone: TimeZone::UTC,
            owner: None,
        };
        assert!(is_written(&entry, &text, &reading));
        for changed in [
            text.replace("DTEND:20261123T093000Z", "DTEND:20261123T100000Z"),
            text.replace("Ana", "Eva"),
            text.replace("OPAQUE", "TRANSPARENT"),
            text.replace("CONFIRMED", "CANCELLED"),
            text.replace("STATUS", "RRULE:FREQ=MONTHLY\r\nSTATUS"),
            text.replace(APPOINTMENT, "X-OTHER"),
            "nothing".to_owned(),
        ] {
            assert_ne!(changed, text);
            assert!(!is_written(&entry, &changed, &reading), "{changed}");
        }
    }

    #[test]
    fn names_are_plain_and_each_its_own() {
        let names = ["a-B1", "a/b", "a_2fb", "ñ", "../x"].map(|id| {
            let id = AppointmentId::read(id).unwrap();
            name(&id)
        });
        assert_eq!(names, ["a-B1", "a_2fb", "a_5f2fb", "_c3_b1", "_2e_2e_2fx"]);
    }
}
