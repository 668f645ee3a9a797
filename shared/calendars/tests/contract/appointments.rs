//! Appointments that are written into a calendar.

use mostrador_core::booking::RemoteError;

use crate::setup::{appointment, each, entry, lines, span, window};

const FROM: &str = "2026-11-23T09:00:00Z";
const TO: &str = "2026-11-23T09:30:00Z";

#[tokio::test]
async fn the_same_twice_is_the_same_once() {
    each(|desk| async move {
        let remote = desk.remote();
        let one = entry("a1", "Corte, Ana; y \\ Eva\nniña 💇", FROM, TO);
        let version = remote.put(&one, None).await.unwrap();
        assert_eq!(remote.put(&one, None).await.unwrap(), version);
        let at_noon = entry("a1", "Corte", "2026-11-23T12:00:00Z", "2026-11-23T12:30:00Z");
        let moved = remote.put(&at_noon, Some(&version)).await.unwrap();
        assert_ne!(moved, version);
        // Its answer was lost: it is sent once more, with the version from before.
        assert_eq!(remote.put(&at_noon, Some(&version)).await.unwrap(), moved);
        let events = remote.look(window()).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @"2026-11-23T12:00:00Z 2026-11-23T12:30:00Z Corte");
        }
    })
    .await;
}

#[tokio::test]
async fn titles_come_back_as_they_were_written() {
    each(|desk| async move {
        let remote = desk.remote();
        for (number, title) in [
            "Corte, Ana; y \\ Eva\nniña 💇",
            "",
            " ",
            "una línea muy larga que no cabe en setenta y cinco bytes y que por eso se parte en dos o más",
            "<b>&amp;]]></b>",
            "BEGIN:VEVENT",
        ]
        .into_iter()
        .enumerate()
        {
            let one = entry(&format!("a{number}"), title, FROM, TO);
            let version = remote.put(&one, None).await.unwrap();
            assert_eq!(remote.put(&one, None).await.unwrap(), version, "{title}");
            let events = remote.look(one.time).await.unwrap();
            let found = events.iter().any(|event| event.title.trim() == title.trim());
            assert!(found, "{title}: {events:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_somebody_has_changed_is_not_written_over() {
    each(|desk| async move {
        let remote = desk.remote();
        let one = entry("a1", "Corte", FROM, TO);
        let version = remote.put(&one, None).await.unwrap();
        let theirs = span("2026-11-24T09:00:00Z", "2026-11-24T09:30:00Z");
        desk.move_appointment(&one.appointment, theirs).await;
        let ours = entry("a1", "Corte", "2026-11-23T12:00:00Z", "2026-11-23T12:30:00Z");
        for (entry, version) in [(&ours, Some(version.as_str())), (&ours, None), (&one, None)] {
            let error = remote.put(entry, version).await.unwrap_err();
            assert!(matches!(error, RemoteError::Conflict), "{error:?}");
        }
        let error = remote.remove(&one.appointment, Some(&version)).await.unwrap_err();
        assert!(matches!(error, RemoteError::Conflict), "{error:?}");
        let events = remote.look(window()).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @"2026-11-24T09:00:00Z 2026-11-24T09:30:00Z Corte");
        }
        // Who has seen the change may write over it.
        let all = remote.changes(window(), None).await.unwrap();
        let seen = &all.objects[0].version;
        let version = remote.put(&ours, Some(seen)).await.unwrap();
        remote.remove(&ours.appointment, Some(&version)).await.unwrap();
        assert_eq!(remote.look(window()).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn what_somebody_has_deleted_is_not_brought_back() {
    each(|desk| async move {
        let remote = desk.remote();
        let one = entry("a1", "Corte", FROM, TO);
        let version = remote.put(&one, None).await.unwrap();
        desk.delete_appointment(&one.appointment).await;
        let ours = entry("a1", "Corte", "2026-11-23T12:00:00Z", "2026-11-23T12:30:00Z");
        let error = remote.put(&ours, Some(&version)).await.unwrap_err();
        assert!(matches!(error, RemoteError::Conflict), "{error:?}");
        remote.remove(&one.appointment, Some(&version)).await.unwrap();
        assert_eq!(remote.look(window()).await.unwrap(), []);
        // As a new one it may be written.
        remote.put(&ours, None).await.unwrap();
        let events = remote.look(window()).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&events), @"2026-11-23T12:00:00Z 2026-11-23T12:30:00Z Corte");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_gone_may_be_removed() {
    each(|desk| async move {
        let remote = desk.remote();
        let one = entry("a1", "Corte", FROM, TO);
        let version = remote.put(&one, None).await.unwrap();
        remote
            .remove(&one.appointment, Some(&version))
            .await
            .unwrap();
        remote
            .remove(&one.appointment, Some(&version))
            .await
            .unwrap();
        remote.remove(&one.appointment, None).await.unwrap();
        remote.remove(&appointment("never"), None).await.unwrap();
        assert_eq!(remote.look(window()).await.unwrap(), []);
        // And be written once more.
        let version = remote.put(&one, None).await.unwrap();
        assert_eq!(remote.put(&one, None).await.unwrap(), version);
        remote.remove(&one.appointment, None).await.unwrap();
        assert_eq!(remote.look(window()).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn any_id_is_one_appointment() {
    each(|desk| async move {
        let remote = desk.remote();
        let long = "9".repeat(128);
        let ids = [
            "a/b",
            "a_2fb",
            "ñ",
            "../x",
            "A",
            "a",
            "+34600000000",
            "%41",
            &long,
        ];
        for id in ids {
            remote.put(&entry(id, id, FROM, TO), None).await.unwrap();
        }
        let all = remote.changes(window(), None).await.unwrap();
        let mut known: Vec<String> = all
            .objects
            .iter()
            .map(|object| {
                assert_eq!(object.events.len(), 1);
                let own = object.appointment.as_ref().unwrap().to_string();
                assert_eq!(own, object.events[0].title);
                own
            })
            .collect();
        known.sort();
        let mut ids = ids.map(str::to_owned);
        ids.sort();
        assert_eq!(known, ids);
        for id in &ids {
            remote.remove(&appointment(id), None).await.unwrap();
        }
        assert_eq!(remote.look(window()).await.unwrap(), []);
    })
    .await;
}
