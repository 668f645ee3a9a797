//! Servers that are busy, cut their answers off, or say what no calendar says.

use std::time::Duration;

use mostrador_calendars::{CalDav, CalDavSettings, Patience};
use mostrador_core::booking::{Remote, RemoteError};
use secrecy::SecretString;

use crate::{
    scripted::{Scripted, answer},
    setup::{entry, patience, window, zone},
};

fn caldav(url: &str, patience: Patience) -> CalDav {
    let settings = CalDavSettings {
        collection: url.to_owned(),
        user: "ana".to_owned(),
        password: SecretString::from("canario-7f3a9c"),
        zone: zone(),
        owner: None,
        patience,
    };
    CalDav::new(settings).unwrap()
}

fn multistatus(calendars: &[&str]) -> String {
    let calendars = calendars.iter().enumerate().map(|(number, text)| {
        format!(
            "<d:response><d:href>/calendar/{number}.ics</d:href><d:propstat><d:prop><d:getetag>\"{number}\"</d:getetag>\
             <c:calendar-data><![CDATA[{text}]]></c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )
    });
    let calendars: String = calendars.collect();
    format!(
        "<d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">{calendars}</d:multistatus>"
    )
}

fn chain(error: &RemoteError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    assert!(!text.contains("canario"), "{text}");
    text
}

/// What comes of looking at a server with that one answer, and how often it was asked.
async fn look(bytes: Vec<u8>) -> (String, usize) {
    let server = Scripted::start(vec![bytes]).await;
    let looked = caldav(&server.url, patience()).look(window()).await;
    let outcome = match looked {
        Ok(events) => format!("{events:?}"),
        Err(error) => chain(&error),
    };
    (outcome, server.calls())
}

#[tokio::test]
async fn a_busy_server_is_asked_for_a_while() {
    let busy = answer("503 Service Unavailable", &["retry-after: 0"], "");
    let good = answer("207 Multi-Status", &[], &multistatus(&[]));
    let server = Scripted::start(vec![busy.clone(), busy, good]).await;
    let looked = caldav(&server.url, patience()).look(window()).await;
    assert_eq!((looked.unwrap(), server.calls()), (vec![], 3));
    for (status, headers, expected) in [
        ("503 Service Unavailable", vec![], 3),
        ("429 Too Many Requests", vec!["retry-after: 0"], 3),
        ("500 Internal Server Error", vec![], 3),
        // Longer than anybody waits here.
        ("429 Too Many Requests", vec!["retry-after: 3600"], 1),
    ] {
        let (outcome, calls) = look(answer(status, &headers, "")).await;
        assert_eq!(calls, expected, "{status} {headers:?}");
        assert!(
            outcome.starts_with("the calendar cannot be reached: the server answers"),
            "{outcome}"
        );
    }
}

#[tokio::test]
async fn what_is_refused_is_refused_at_once() {
    for status in [
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "301 Moved Permanently",
    ] {
        let elsewhere = ["location: http://127.0.0.1:1/calendar/"];
        let expected = format!("the calendar refuses: {}", &status[..3]);
        assert_eq!(look(answer(status, &elsewhere, "")).await, (expected, 1));
    }
}

#[tokio::test]
async fn what_is_cut_off_is_no_answer() {
    let whole = answer("207 Multi-Status", &[], &multistatus(&["BEGIN:VCALENDAR"]));
    for length in [0, 20, whole.len() - 1] {
        let (outcome, calls) = look(whole[..length].to_vec()).await;
        assert_eq!(calls, 3, "{outcome}");
        assert!(
            outcome.starts_with("the calendar cannot be reached: the server was not reached"),
            "{outcome}"
        );
    }
    let unheard = caldav("http://127.0.0.1:1/calendar/", patience())
        .look(window())
        .await;
    assert!(matches!(unheard, Err(RemoteError::Unavailable(_))));
}

#[tokio::test]
async fn a_server_that_says_nothing_is_not_waited_for() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/calendar/", listener.local_addr().unwrap());
    let hasty = Patience {
        attempt: Duration::from_millis(50),
        ..patience()
    };
    let unheard = caldav(&url, hasty).look(window()).await;
    assert!(matches!(unheard, Err(RemoteError::Unavailable(_))));
}

#[tokio::test]
async fn garbage_is_no_calendar() {
    let event = |lines: &str| {
        format!(
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n{lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        )
    };
    let bodies = [
        "garbage".to_owned(),
        multistatus(&["garbage"]),
        multistatus(&["BEGIN:VCALENDAR\r\nBEGIN:VEVENT"]),
        multistatus(&[&event("SUMMARY:sin hora")]),
        multistatus(&[&event("DTSTART:20269999T999999")]),
        multistatus(&[&event("DTSTART:20261123T090000Z\r\nRRULE:FREQ=SOMETIMES")]),
        multistatus(&[&event("DTSTART:00010101T000000Z\r\nRRULE:FREQ=SECONDLY")]),
        multistatus(&[&event(
            "DTSTART:00010101T000000Z\r\nRRULE:FREQ=DAILY;COUNT=1000000000",
        )]),
        multistatus(&[&event(
            "DTSTART:20261123T090000Z\r\nRRULE:FREQ=DAILY;INTERVAL=0",
        )]),
        "x".repeat(9 << 20),
    ];
    let mut outcomes = Vec::new();
    for body in bodies {
        let (text, calls) = look(answer("207 Multi-Status", &[], &body)).await;
        assert_eq!(calls, 1);
        outcomes.push(text);
    }
    insta::assert_snapshot!(outcomes.join("\n"), @r"
    the calendar's answer cannot be read: it is no XML that says what its members are
    the calendar's answer cannot be read: it is no calendar
    the calendar's answer cannot be read: it was cut off
    the calendar's answer cannot be read: an event has no start
    the calendar's answer cannot be read: a date or a time of an event is none
    the calendar's answer cannot be read: a rule of recurrence is none
    the calendar's answer cannot be read: an event recurs too often
    the calendar's answer cannot be read: an event recurs too often
    the calendar's answer cannot be read: a rule of recurrence is none
    the calendar's answer cannot be read: the answer is larger than 8388608 bytes
    ");
    let (text, _) = look(answer("200 OK", &[], "<html>Sign in</html>")).await;
    insta::assert_snapshot!(text, @"the calendar's answer cannot be read: it does not say what its members are");
}

#[tokio::test]
async fn truncated_changes_are_asked_on() {
    let part = |number: u8, more: &str| {
        let body = format!(
            "<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/calendar/{number}.ics</d:href>\
             <d:status>HTTP/1.1 404 Not Found</d:status></d:response>{more}<d:sync-token>t{number}</d:sync-token></d:multistatus>"
        );
        answer("207 Multi-Status", &[], &body)
    };
    let full = "<d:response><d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>";
    let server = Scripted::start(vec![part(1, full), part(2, full), part(3, "")]).await;
    let changes = caldav(&server.url, patience())
        .changes(window(), Some("sync t0"))
        .await
        .unwrap();
    assert_eq!(
        changes.gone,
        ["/calendar/1.ics", "/calendar/2.ics", "/calendar/3.ics"]
    );
    assert_eq!((changes.token.as_str(), server.calls()), ("sync t3", 3));
    for (number, token) in ["t0", "t1", "t2"].into_iter().enumerate() {
        assert!(
            server
                .request(number)
                .contains(&format!("<d:sync-token>{token}<"))
        );
    }
}

#[tokio::test]
async fn a_server_without_tokens_or_versions_is_still_read() {
    let none = answer("207 Multi-Status", &[], &multistatus(&[]));
    let server = Scripted::start(vec![none]).await;
    let remote = caldav(&server.url, patience());
    let all = remote.changes(window(), None).await.unwrap();
    let next = remote.changes(window(), Some(&all.token)).await.unwrap();
    assert!(next.is_whole);
    // The version that an answer leaves out is asked for, of what was written.
    let one = entry(
        "a1",
        "Corte",
        "2026-11-23T09:00:00Z",
        "2026-11-23T09:30:00Z",
    );
    let written = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261123T090000Z\r\nDTEND:20261123T093000Z\r\n\
                   SUMMARY:Corte\r\nX-MOSTRADOR-APPOINTMENT:a1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let made = answer("201 Created", &[], "");
    let read = answer("200 OK", &["etag: \"7\""], written);
    let server = Scripted::start(vec![made, read]).await;
    let version = caldav(&server.url, patience())
        .put(&one, None)
        .await
        .unwrap();
    assert_eq!((version.as_str(), server.calls()), ("\"7\"", 2));
    // An answer that is lost is asked for once more, and what is there by then is known.
    let refused = answer("412 Precondition Failed", &[], "");
    let read = answer("200 OK", &["etag: \"8\""], written);
    let server = Scripted::start(vec![vec![], refused, read]).await;
    let version = caldav(&server.url, patience())
        .put(&one, None)
        .await
        .unwrap();
    assert_eq!((version.as_str(), server.calls()), ("\"8\"", 3));
}
