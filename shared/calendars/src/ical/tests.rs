use jiff::tz::TimeZone;
use mostrador_core::booking::{Event, Span, When};
use proptest::prelude::*;

use super::*;

const OUTLOOK: &str = "BEGIN:VTIMEZONE\r\nTZID:Romance Standard Time\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\n\
    TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\n\
    BEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n\
    RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE";

fn reading() -> Reading {
    Reading {
        zone: TimeZone::get("America/Bogota").unwrap(),
        owner: Some("ana@salon.example".to_owned()),
    }
}

fn window() -> Span {
    let at = |text: &str| text.parse().unwrap();
    Span::new(at("2026-11-01T00:00:00Z"), at("2026-12-01T00:00:00Z")).unwrap()
}

fn line(event: &Event) -> String {
    let when = match event.when {
        When::Timed { start, end } => format!("{start} {end}"),
        When::Days { first, end } => format!("{first} {end}"),
    };
    format!("{when} {:?} {}", event.title, event.is_transparent)
}

fn read(text: &str) -> String {
    match reading().object(text, window()) {
        Ok(object) => {
            let lines: Vec<String> = object.events.iter().map(line).collect();
            lines.join("\n")
        }
        Err(error) => error.to_string(),
    }
}

fn event(lines: &str) -> String {
    read(&format!(
        "BEGIN:VCALENDAR\r\n{OUTLOOK}\r\nBEGIN:VEVENT\r\nUID:1\r\n{lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    ))
}

#[test]
fn times_are_where_their_zones_are() {
    let cases = [
        // Of the business.
        "DTSTART:20261123T090000",
        "DTSTART:20261123T090000Z",
        "DTSTART;TZID=Europe/Madrid:20261123T090000",
        "DTSTART;TZID=\"Europe/Madrid\":20261123T090000",
        "DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Madrid:20261123T090000",
        "DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Buenos_Aires:20261123T090000",
        // Which the calendar describes.
        "DTSTART;TZID=Romance Standard Time:20261123T090000",
        // Which nobody does.
        "DTSTART;TZID=Customized Time Zone:20261123T090000",
    ];
    let lines = cases.map(|start| {
        let read = event(&format!("{start}\r\nDURATION:PT1H"));
        format!("{start}: {read}")
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    DTSTART:20261123T090000: 2026-11-23T14:00:00Z 2026-11-23T15:00:00Z "" false
    DTSTART:20261123T090000Z: 2026-11-23T09:00:00Z 2026-11-23T10:00:00Z "" false
    DTSTART;TZID=Europe/Madrid:20261123T090000: 2026-11-23T08:00:00Z 2026-11-23T09:00:00Z "" false
    DTSTART;TZID="Europe/Madrid":20261123T090000: 2026-11-23T08:00:00Z 2026-11-23T09:00:00Z "" false
    DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Madrid:20261123T090000: 2026-11-23T08:00:00Z 2026-11-23T09:00:00Z "" false
    DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Buenos_Aires:20261123T090000: 2026-11-23T12:00:00Z 2026-11-23T13:00:00Z "" false
    DTSTART;TZID=Romance Standard Time:20261123T090000: 2026-11-23T08:00:00Z 2026-11-23T09:00:00Z "" false
    DTSTART;TZID=Customized Time Zone:20261123T090000: 2026-11-23T14:00:00Z 2026-11-23T15:00:00Z "" false
    "#);
}

#[test]
fn a_described_zone_changes_its_clocks() {
    let lines = "DTSTART;TZID=Romance Standard Time:20260301T090000\r\nDURATION:PT1H\r\nRRULE:FREQ=MONTHLY;COUNT=12";
    let text = format!(
        "BEGIN:VCALENDAR\r\n{OUTLOOK}\r\nBEGIN:VEVENT\r\nUID:1\r\n{lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    let at = |text: &str| text.parse().unwrap();
    let year = Span::new(at("2026-03-01T00:00:00Z"), at("2027-02-01T00:00:00Z")).unwrap();
    let object = reading().object(&text, year).unwrap();
    let starts: Vec<String> = object
        .events
        .iter()
        .map(|event| line(event)[5..16].to_owned())
        .collect();
    insta::assert_snapshot!(starts.join(" "), @"03-01T08:00 04-01T07:00 05-01T07:00 06-01T07:00 07-01T07:00 08-01T07:00 09-01T07:00 10-01T07:00 11-01T08:00 12-01T08:00 01-01T08:00");
}

#[test]
fn lines_are_read_as_they_are_written() {
    insta::assert_snapshot!(event("DTSTART:20261123T090000Z\r\nSUMMARY:Corte\\, A\r\n na\\; \\\\ y\\nEva\r\nlo que sea"), @r#"2026-11-23T09:00:00Z 2026-11-23T09:00:00Z "Corte, Ana; \\ y\nEva" false"#);
    insta::assert_snapshot!(event("dtstart:20261123T090000Z\nSummary;LANGUAGE=es;X-A=\"a:b;c\":Corte\ntransp:Transparent"), @r#"2026-11-23T09:00:00Z 2026-11-23T09:00:00Z "Corte" true"#);
    insta::assert_snapshot!(event("DTSTART;VALUE=DATE:20261123"), @r#"2026-11-23 2026-11-24 "" false"#);
    insta::assert_snapshot!(event("DTSTART;VALUE=DATE:20261123\r\nDTEND;VALUE=DATE:20261123"), @r#"2026-11-23 2026-11-24 "" false"#);
    insta::assert_snapshot!(event("DTSTART;VALUE=DATE:20261123\r\nDURATION:P1W"), @r#"2026-11-23 2026-11-30 "" false"#);
    insta::assert_snapshot!(event("DTSTART:20261123T090000Z\r\nDTEND:20261123T080000Z"), @r#"2026-11-23T09:00:00Z 2026-11-23T09:00:00Z "" false"#);
    insta::assert_snapshot!(event("DTSTART:20261123T235960Z\r\nDURATION:-PT1H"), @r#"2026-11-23T23:59:59Z 2026-11-23T23:59:59Z "" false"#);
}

#[test]
fn what_people_do_not_come_to_is_none() {
    let check = |lines: &str| event(&format!("DTSTART:20261123T090000Z\r\nSUMMARY:a\r\n{lines}"));
    assert_eq!(check("STATUS:CANCELLED"), "");
    assert_eq!(
        check("ATTENDEE;PARTSTAT=DECLINED:mailto:ana@salon.example"),
        ""
    );
    assert_eq!(
        check("ATTENDEE;PARTSTAT=declined:MAILTO:Ana@Salon.example"),
        ""
    );
    assert_ne!(
        check("ATTENDEE;PARTSTAT=DECLINED:mailto:eva@salon.example"),
        ""
    );
    assert_ne!(
        check("ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@salon.example"),
        ""
    );
    assert_ne!(check("STATUS:TENTATIVE"), "");
}

#[test]
fn rules_take_their_missing_parts_from_the_start() {
    // What the oracle understands otherwise, by the RFC.
    for (rule, expected) in [
        ("FREQ=YEARLY;BYWEEKNO=48", "11-23"),
        (
            "FREQ=MONTHLY;BYDAY=MO,4FR",
            "11-02 11-09 11-16 11-23 11-27 11-30",
        ),
        ("FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1;COUNT=2", "11-02 11-09"),
        (
            "FREQ=WEEKLY;BYDAY=SU,FR;BYSETPOS=2;WKST=SU;COUNT=2",
            "11-02 11-06 11-13",
        ),
        ("FREQ=DAILY;UNTIL=20261104", "11-02 11-03 11-04"),
    ] {
        let read = event(&format!("DTSTART:20261102T090000Z\r\nRRULE:{rule}"));
        let dates: Vec<&str> = read.lines().map(|line| &line[5..10]).collect();
        let dates = dates.join(" ").replace("11-02 11-23", "11-23");
        assert_eq!(dates, expected, "{rule}");
    }
}

#[test]
fn endless_rules_end() {
    for rule in [
        "FREQ=SECONDLY",
        "FREQ=SECONDLY;COUNT=1000000000",
        "FREQ=MINUTELY;INTERVAL=4294967295;COUNT=18446744073709551615",
        "FREQ=YEARLY;INTERVAL=4294967295",
        "FREQ=SECONDLY;INTERVAL=4294967295;BYHOUR=3;BYMINUTE=3;BYSECOND=60",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3",
        "FREQ=YEARLY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYDAY=MO,TU,WE,TH,FR,SA,SU",
        "FREQ=DAILY;UNTIL=00010101T000000Z",
    ] {
        for start in ["00010101T000000Z", "20261123T090000", "99991231T235959Z"] {
            let began = std::time::Instant::now();
            event(&format!(
                "DTSTART:{start}\r\nDURATION:P99999999999999999W\r\nRRULE:{rule}"
            ));
            event(&format!("DTSTART:{start}\r\nDURATION:PT5M\r\nRRULE:{rule}"));
            event(&format!(
                "DTSTART;VALUE=DATE:{}\r\nRRULE:{rule}",
                &start[..8]
            ));
            assert!(began.elapsed().as_secs() < 20, "{rule} from {start}");
        }
    }
    // A rule for each minute of a month is none that a person has written, and still read.
    let minutes = event("DTSTART:20000101T000000Z\r\nDURATION:PT1S\r\nRRULE:FREQ=MINUTELY");
    assert_eq!(minutes.lines().count(), 30 * 24 * 60);
}

#[test]
fn what_is_no_calendar_is_none() {
    let deep = "BEGIN:VCALENDAR\r\n".repeat(100_000);
    insta::assert_snapshot!(read(&deep), @"its parts lie too deep");
    insta::assert_snapshot!(read("BEGIN:VCARD\r\nEND:VCARD\r\n"), @"it is no calendar");
    insta::assert_snapshot!(read("BEGIN:VCALENDAR\r\nEND:VEVENT\r\n"), @"a part ends that has not begun");
    insta::assert_snapshot!(read("SUMMARY:a"), @"a property stands outside of all parts");
    insta::assert_snapshot!(event("DTSTART;TZID=Bad:20261123T090000\r\nEND:VEVENT\r\nBEGIN:VTIMEZONE\r\nTZID:Bad\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:+9900\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nDTSTART:20261123T090000Z"), @"a time zone is described wrongly");
    assert_eq!(
        read("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"),
        ""
    );
}

/// Pieces of which calendars are made.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VTIMEZONE",
        "END:VTIMEZONE",
        "\r\n",
        "\r\n ",
        "DTSTART",
        "DTEND",
        "DURATION",
        "RRULE:FREQ=",
        "DAILY",
        "YEARLY",
        "SECONDLY",
        ";COUNT=",
        ";UNTIL=",
        ";BYDAY=",
        "-1MO",
        "BYSETPOS=-1",
        "RDATE",
        "EXDATE",
        "RECURRENCE-ID",
        ";RANGE=THISANDFUTURE",
        ";TZID=Romance Standard Time",
        ":",
        ";",
        ",",
        "=",
        "\"",
        "20261123T090000",
        "20261123",
        "99991231T235959Z",
        "00000101T000000",
        "PT1H",
        "-P1W",
        "P",
        "T",
        "/",
        "TZOFFSETTO:+0100",
        "UID:1",
        "\\",
        "é",
    ]);
    prop_oneof![4 => words.prop_map(str::to_owned), 1 => "\\PC{0,4}"]
}

proptest! {
    #[test]
    fn no_calendar_makes_it_fail(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        read(&text);
        event(&text);
        event(&format!("DTSTART:20261123T090000Z\r\n{text}"));
    }
}
