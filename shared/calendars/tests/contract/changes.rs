//! What has changed in a calendar.

use mostrador_core::booking::RemoteError;

use crate::{
    draft::Draft,
    setup::{appointment, each, entry, span, summary, window},
};

#[tokio::test]
async fn all_is_read_once_and_then_what_changes() {
    each(|desk| async move {
        let remote = desk.remote();
        let empty = remote.changes(window(), None).await.unwrap();
        assert_eq!(summary(&empty), "all, 0 gone");
        desk.write(
            "comida",
            &Draft::new("Comida", "20261123T140000", "20261123T150000"),
        )
        .await;
        desk.write(
            "antes",
            &Draft::new("Antes", "20260901T140000", "20260901T150000"),
        )
        .await;
        let all = remote.changes(window(), None).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(summary(&all), @r"
            all, 0 gone
            theirs: 2026-11-23T13:00:00Z 2026-11-23T14:00:00Z Comida
            ");
        }
        let since_empty = remote.changes(window(), Some(&empty.token)).await.unwrap();
        assert!(!since_empty.is_whole);
        let comida = since_empty
            .objects
            .iter()
            .find(|object| !object.events.is_empty());
        assert_eq!(comida, all.objects.first());
        let none = remote.changes(window(), Some(&all.token)).await.unwrap();
        assert_eq!(summary(&none), "changes, 0 gone");
        desk.write(
            "comida",
            &Draft::new("Comida", "20261123T143000", "20261123T150000"),
        )
        .await;
        let moved = remote.changes(window(), Some(&none.token)).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(summary(&moved), @r"
            changes, 0 gone
            theirs: 2026-11-23T13:30:00Z 2026-11-23T14:00:00Z Comida
            ");
        }
        assert_eq!(moved.objects[0].id, all.objects[0].id);
        assert_ne!(moved.objects[0].version, all.objects[0].version);
        desk.delete("comida").await;
        let gone = remote.changes(window(), Some(&moved.token)).await.unwrap();
        assert_eq!(summary(&gone), "changes, 1 gone");
        assert_eq!(gone.gone[0], all.objects[0].id);
        // The same token again tells the same again.
        let same = remote.changes(window(), Some(&moved.token)).await.unwrap();
        assert_eq!(same.gone, gone.gone);
    })
    .await;
}

#[tokio::test]
async fn a_person_moves_and_deletes_an_appointment() {
    each(|desk| async move {
        let remote = desk.remote();
        let one = entry(
            "a1",
            "Corte: Eva",
            "2026-11-23T09:00:00Z",
            "2026-11-23T09:30:00Z",
        );
        let version = remote.put(&one, None).await.unwrap();
        let all = remote.changes(window(), None).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(summary(&all), @r"
            all, 0 gone
            appointment a1: 2026-11-23T09:00:00Z 2026-11-23T09:30:00Z Corte: Eva
            ");
        }
        assert_eq!(all.objects[0].version, version);
        let later = span("2026-11-24T10:00:00Z", "2026-11-24T10:30:00Z");
        desk.move_appointment(&appointment("a1"), later).await;
        let moved = remote.changes(window(), Some(&all.token)).await.unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(summary(&moved), @r"
            changes, 0 gone
            appointment a1: 2026-11-24T10:00:00Z 2026-11-24T10:30:00Z Corte: Eva
            ");
        }
        assert_eq!(moved.objects[0].id, all.objects[0].id);
        desk.delete_appointment(&appointment("a1")).await;
        let gone = remote.changes(window(), Some(&moved.token)).await.unwrap();
        assert_eq!(gone.gone, [all.objects[0].id.clone()]);
    })
    .await;
}

#[tokio::test]
async fn an_old_token_is_told() {
    each(|desk| async move {
        let remote = desk.remote();
        let all = remote.changes(window(), None).await.unwrap();
        let expired = desk.expired(&all.token).await;
        let error = remote.changes(window(), Some(&expired)).await.unwrap_err();
        assert!(matches!(error, RemoteError::TokenExpired), "{error:?}");
        let error = remote
            .changes(window(), Some("another's"))
            .await
            .unwrap_err();
        assert!(matches!(error, RemoteError::TokenExpired), "{error:?}");
        assert!(remote.changes(window(), None).await.unwrap().is_whole);
    })
    .await;
}

#[tokio::test]
async fn many_events_are_all_read() {
    each(|desk| async move {
        let remote = desk.remote();
        let empty = remote.changes(window(), None).await.unwrap();
        for number in 0..120 {
            let title = format!("Número {number}");
            let draft = Draft::new(&title, "20261123T140000", "20261123T150000");
            desk.write(&format!("numero-{number}"), &draft).await;
        }
        let all = remote.changes(window(), None).await.unwrap();
        let changed = remote.changes(window(), Some(&empty.token)).await.unwrap();
        let titles = |changes: &mostrador_core::booking::Changes| {
            let objects = changes.objects.iter();
            let mut titles: Vec<String> = objects.map(|it| it.events[0].title.clone()).collect();
            titles.sort();
            titles.dedup();
            titles.len()
        };
        assert_eq!((titles(&all), all.objects.len()), (120, 120));
        assert_eq!((titles(&changed), changed.objects.len()), (120, 120));
        assert_eq!(remote.look(window()).await.unwrap().len(), 120);
    })
    .await;
}
