//! Rates that are never overshot; keys that remember.

use std::sync::Arc;

use mostrador_core::limits::{
    Idempotency, IdempotentRequest, KeyState, Limits, Rate, Scope, StoredAnswer, WindowKey,
};
use time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::setup::{Stores, noon};

#[tokio::test(flavor = "multi_thread")]
async fn a_window_admits_exactly_its_limit() {
    for stores in Stores::all().await {
        let limits = Arc::new(stores.limits());
        let rate = Rate {
            limit: 20,
            window_seconds: 60,
        };
        let key = WindowKey {
            scope: Scope::Chat,
            subject: "default#ana".into(),
            window: 68_374_800,
        };
        let mut callers = JoinSet::new();
        for _ in 0..64 {
            let (limits, key) = (Arc::clone(&limits), key.clone());
            callers.spawn(async move { limits.take(&key, 1, rate).await.unwrap() });
        }
        let mut used: Vec<u32> = callers.join_all().await.into_iter().flatten().collect();
        used.sort_unstable();
        assert_eq!(used, (1..=20).collect::<Vec<_>>());
        let next = WindowKey {
            window: key.window + 1,
            ..key.clone()
        };
        let other = WindowKey {
            scope: Scope::Search,
            ..key
        };
        assert_eq!(limits.take(&next, 15, rate).await.unwrap(), Some(15));
        assert_eq!(limits.take(&next, 6, rate).await.unwrap(), None);
        assert_eq!(limits.take(&next, 5, rate).await.unwrap(), Some(20));
        assert_eq!(limits.take(&other, 21, rate).await.unwrap(), None);
    }
}

fn request(key: &str, body: &str) -> IdempotentRequest {
    IdempotentRequest {
        owner: "default#ana".into(),
        operation: "/api/agent/actions/".into(),
        key: key.into(),
        body_hash: body.into(),
        lease: Uuid::now_v7(),
    }
}

#[tokio::test]
async fn a_key_remembers_its_answer_for_a_day() {
    for stores in Stores::all().await {
        let store = stores.idempotency();
        let (first, again, other_body) = (request("k", "a"), request("k", "a"), request("k", "b"));
        let answer = StoredAnswer {
            status: 200,
            content_type: "application/json".into(),
            body: "{}".into(),
        };
        assert_eq!(
            store.acquire(&first, noon()).await.unwrap(),
            KeyState::Acquired
        );
        assert_eq!(
            store.acquire(&again, noon()).await.unwrap(),
            KeyState::InProgress
        );
        assert_eq!(
            store.acquire(&other_body, noon()).await.unwrap(),
            KeyState::Mismatch
        );
        store.complete(&first, &answer).await.unwrap();
        let later = noon() + Duration::hours(23);
        assert_eq!(
            store.acquire(&again, later).await.unwrap(),
            KeyState::Answered(answer)
        );
        assert_eq!(
            store.acquire(&other_body, later).await.unwrap(),
            KeyState::Mismatch
        );
        assert_eq!(
            store
                .acquire(&other_body, noon() + Duration::hours(24))
                .await
                .unwrap(),
            KeyState::Acquired
        );
    }
}

#[tokio::test]
async fn a_lease_ends_and_who_was_overtaken_writes_nothing() {
    for stores in Stores::all().await {
        let store = stores.idempotency();
        let (slow, successor, third) = (request("k", "a"), request("k", "a"), request("k", "a"));
        let answer = |body: &str| StoredAnswer {
            status: 200,
            content_type: "application/json".into(),
            body: body.into(),
        };
        assert_eq!(
            store.acquire(&slow, noon()).await.unwrap(),
            KeyState::Acquired
        );
        assert_eq!(
            store
                .acquire(&successor, noon() + Duration::seconds(61))
                .await
                .unwrap(),
            KeyState::Acquired
        );
        store.complete(&slow, &answer("slow")).await.unwrap();
        store.release(&slow).await.unwrap();
        assert_eq!(
            store
                .acquire(&third, noon() + Duration::seconds(62))
                .await
                .unwrap(),
            KeyState::InProgress
        );
        store
            .complete(&successor, &answer("successor"))
            .await
            .unwrap();
        let seen = store
            .acquire(&third, noon() + Duration::seconds(63))
            .await
            .unwrap();
        assert_eq!(seen, KeyState::Answered(answer("successor")));
        let freed = request("free", "a");
        assert_eq!(
            store.acquire(&freed, noon()).await.unwrap(),
            KeyState::Acquired
        );
        store.release(&freed).await.unwrap();
        assert_eq!(
            store.acquire(&request("free", "b"), noon()).await.unwrap(),
            KeyState::Acquired
        );
    }
}
