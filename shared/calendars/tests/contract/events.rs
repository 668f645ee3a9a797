//! Events of every form.

use mostrador_core::booking::RemoteError;

use crate::{
    draft::{Draft, Other},
    setup::{each, lines, span, summary, window},
};

#[tokio::test]
async fn events_of_every_form_are_read() {
    each(|desk| async move {
        let remote = desk.remote();
        let draft = Draft::new;
        let fair = draft("Feria", "20261205", "20261208");
        let weekly = Draft {
            recurrence: vec![
                "RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=MO",
                "EXDATE;TZID=Europe/Madrid:20261130T160000",
            ],
            others: vec![
                Other {
                    instead_of: "20261207T160000",
                    draft: draft("disponible (martes)", "20261208T100000", "20261208T120000"),
                },
                Other {
                    instead_of: "20261214T160000",
                    draft: Draft {
                        is_cancelled: true,
                        ..draft("disponible", "20261214T160000", "20261214T200000")
                    },
                },
            ],
            ..draft("disponible", "20261116T160000", "20261116T200000")
        };
        let free = Draft {
            is_transparent: true,
            ..draft("Recordatorio", "20261120T100000", "20261120T110000")
        };
        let declined = Draft {
            is_declined: true,
            ..draft("Reunión", "20261120T120000", "20261120T130000")
        };
        let yearly = Draft {
            recurrence: vec!["RRULE:FREQ=YEARLY"],
            ..draft("Aniversario", "20101224", "20101225")
        };
        for (name, draft) in [
            ("feria", fair),
            ("semanal", weekly),
            ("libre", free),
            ("reunion", declined),
            ("aniversario", yearly),
        ] {
            desk.write(name, &draft).await;
        }
        let events = remote.look(window()).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @r"
            2026-11-16T15:00:00Z 2026-11-16T19:00:00Z disponible
            2026-11-20T09:00:00Z 2026-11-20T10:00:00Z Recordatorio (free)
            2026-11-23T15:00:00Z 2026-11-23T19:00:00Z disponible
            2026-12-05 2026-12-08 Feria
            2026-12-08T09:00:00Z 2026-12-08T11:00:00Z disponible (martes)
            2026-12-21T15:00:00Z 2026-12-21T19:00:00Z disponible
            2026-12-24 2026-12-25 Aniversario
            ");
        }
        let all = remote.changes(window(), None).await.unwrap();
        let changed = all.objects.iter().flat_map(|object| object.events.clone());
        let changed: Vec<_> = changed.collect();
        assert_eq!(lines(&changed), lines(&events));
        let short = span("2026-12-08T10:00:00Z", "2026-12-08T12:00:00Z");
        let events = remote.look(short).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @"2026-12-08T09:00:00Z 2026-12-08T11:00:00Z disponible (martes)");
        }
    })
    .await;
}

#[tokio::test]
async fn a_changed_mind_is_seen() {
    each(|desk| async move {
        let remote = desk.remote();
        let invited = Draft::new("Reunión", "20261120T120000", "20261120T130000");
        desk.write("reunion", &invited).await;
        let all = remote.changes(window(), None).await.unwrap();
        assert_eq!(all.objects[0].events.len(), 1);
        let declined = Draft {
            is_declined: true,
            ..invited
        };
        desk.write("reunion", &declined).await;
        let changed = remote.changes(window(), Some(&all.token)).await.unwrap();
        assert_eq!(summary(&changed), "changes, 0 gone\ntheirs: ");
        assert_eq!(changed.objects[0].id, all.objects[0].id);
    })
    .await;
}

#[tokio::test]
async fn clocks_are_changed() {
    each(|desk| async move {
        let remote = desk.remote();
        for (name, zone, start, end) in [
            (
                "madrid",
                "Europe/Madrid",
                "20261024T013000",
                "20261024T033000",
            ),
            (
                "nueva-york",
                "America/New_York",
                "20261031T013000",
                "20261031T023000",
            ),
            (
                "bogota",
                "America/Bogota",
                "20261024T013000",
                "20261024T023000",
            ),
        ] {
            let draft = Draft {
                zone,
                recurrence: vec!["RRULE:FREQ=DAILY;COUNT=3"],
                ..Draft::new(name, start, end)
            };
            desk.write(name, &draft).await;
        }
        let window = span("2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z");
        let events = remote.look(window).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @r"
            2026-10-23T23:30:00Z 2026-10-24T01:30:00Z madrid
            2026-10-24T06:30:00Z 2026-10-24T07:30:00Z bogota
            2026-10-24T23:30:00Z 2026-10-25T01:30:00Z madrid
            2026-10-25T06:30:00Z 2026-10-25T07:30:00Z bogota
            2026-10-26T00:30:00Z 2026-10-26T02:30:00Z madrid
            2026-10-26T06:30:00Z 2026-10-26T07:30:00Z bogota
            2026-10-31T05:30:00Z 2026-10-31T06:30:00Z nueva-york
            2026-11-01T05:30:00Z 2026-11-01T06:30:00Z nueva-york
            2026-11-02T06:30:00Z 2026-11-02T07:30:00Z nueva-york
            ");
        }
    })
    .await;
}

#[tokio::test]
async fn who_may_not_is_refused() {
    each(|desk| async move {
        let status = |error: RemoteError| match error {
            RemoteError::Refused { status } => status,
            error => panic!("{error:?}"),
        };
        let stranger = desk.stranger();
        let error = stranger.changes(window(), None).await.unwrap_err();
        // A server of tokens says so of a key in its own way.
        assert!(matches!(status(error), 400 | 401));
        let error = stranger.look(window()).await.unwrap_err();
        assert!(matches!(status(error), 400 | 401));
        let nowhere = desk.nowhere();
        let error = nowhere.changes(window(), None).await.unwrap_err();
        assert_eq!(status(error), 404);
    })
    .await;
}
