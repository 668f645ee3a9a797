//! What Google's API refuses, and how its tokens are used.

use std::sync::Arc;

use mostrador_calendars::{Google, GoogleAccount};
use mostrador_core::booking::{Remote, RemoteError};
use mostrador_google_calendar::{
    Fault::{Backend, Forbidden, Quota, RateLimit, TooManyRequests, UserRateLimit},
    GoogleCalendar,
};
use secrecy::SecretString;

use crate::{
    google::{GoogleDesk, account},
    scripted::{Scripted, answer},
    setup::{Desk, OWNER, entry, patience, window, zone},
};

#[tokio::test]
async fn a_busy_google_is_asked_for_a_while() {
    let desk = GoogleDesk::start().await;
    let remote = desk.remote();
    for fault in [RateLimit, UserRateLimit, Quota, TooManyRequests, Backend] {
        let before = desk.server.calls();
        desk.server.fail_next(&[fault, fault]);
        assert_eq!(remote.look(window()).await.unwrap(), []);
        assert_eq!(desk.server.calls() - before, 3, "{fault:?}");
        desk.server.fail_next(&[fault, fault, fault]);
        let error = remote.look(window()).await.unwrap_err();
        assert!(matches!(error, RemoteError::Unavailable(_)), "{error:?}");
    }
    let before = desk.server.calls();
    desk.server.fail_next(&[Forbidden]);
    let error = remote.look(window()).await.unwrap_err();
    assert!(
        matches!(error, RemoteError::Refused { status: 403 }),
        "{error:?}"
    );
    assert_eq!(desk.server.calls() - before, 1);
    // What was written before an answer was lost is known, and is there once.
    let one = entry(
        "a1",
        "Corte",
        "2026-11-23T09:00:00Z",
        "2026-11-23T09:30:00Z",
    );
    desk.server.fail_next(&[Backend, RateLimit]);
    let version = remote.put(&one, None).await.unwrap();
    desk.server.fail_next(&[TooManyRequests]);
    assert_eq!(remote.put(&one, None).await.unwrap(), version);
}

#[tokio::test]
async fn a_token_is_fetched_once() {
    let desk = GoogleDesk::start().await;
    let (one, other) = (desk.remote(), desk.remote());
    let calls = (0..8).map(|number| {
        let remote = if number % 2 == 0 {
            one.clone()
        } else {
            other.clone()
        };
        tokio::spawn(async move { remote.look(window()).await.unwrap() })
    });
    let calls: Vec<_> = calls.collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), []);
    }
    assert_eq!(desk.server.granted(), 1);
    desk.server.revoke_tokens();
    assert_eq!(one.look(window()).await.unwrap(), []);
    assert_eq!(other.look(window()).await.unwrap(), []);
    assert_eq!(desk.server.granted(), 2);
}

#[tokio::test]
async fn a_key_of_somebody_else_gets_no_token() {
    let server = GoogleCalendar::start(&[OWNER]).await.unwrap();
    let another = GoogleCalendar::start(&[OWNER]).await.unwrap();
    let account = Arc::new(account(&server, &another.key_file()));
    let remote = Google::new(account, OWNER, zone()).unwrap();
    let error = remote.look(window()).await.unwrap_err();
    assert!(
        matches!(error, RemoteError::Refused { status: 400 }),
        "{error:?}"
    );
    assert_eq!((server.granted(), server.calls()), (0, 0));
    for file in ["", "{}", r#"{"client_email": "a", "private_key": "b"}"#] {
        let file = SecretString::from(file);
        let url = server.base_url();
        let account = GoogleAccount::new(&file, &url, &url, patience());
        assert!(account.is_err());
    }
}

/// What comes of looking at a server with that answer, with a token of our own server.
async fn look(body: &str) -> String {
    let server = GoogleCalendar::start(&[OWNER]).await.unwrap();
    let scripted = Scripted::start(vec![answer("200 OK", &[], body)]).await;
    let key_file = SecretString::from(server.key_file());
    let account = GoogleAccount::new(&key_file, &scripted.url, &server.token_url(), patience());
    let remote = Google::new(Arc::new(account.unwrap()), OWNER, zone()).unwrap();
    match remote.look(window()).await {
        Ok(events) => format!("{events:?}"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn garbage_is_no_list_of_events() {
    let mut outcomes = Vec::new();
    for body in [
        "garbage",
        "[]",
        "{}",
        r#"{"kind": "calendar#events", "items": [{}]}"#,
        r#"{"kind": "calendar#events", "items": [{"id": "1"}]}"#,
        r#"{"kind": "calendar#events", "items": [{"id": "1", "start": {"dateTime": "soon"}, "end": {"dateTime": "later"}}]}"#,
        r#"{"kind": "calendar#events", "items": [{"id": "1", "status": "cancelled"}]}"#,
        r#"{"kind": "calendar#events", "items": [], "nextPageToken": "1"}"#,
    ] {
        outcomes.push(look(body).await);
    }
    insta::assert_snapshot!(outcomes.join("\n"), @r"
    the calendar's answer cannot be read: it is no answer of a calendar of Google's
    the calendar's answer cannot be read: it is no answer of a calendar of Google's
    the calendar's answer cannot be read: it is no answer of a calendar of Google's
    the calendar's answer cannot be read: it is no answer of a calendar of Google's
    the calendar's answer cannot be read: an event has no time
    the calendar's answer cannot be read: an event has no time
    []
    the calendar's answer cannot be read: its list has no end
    ");
}
