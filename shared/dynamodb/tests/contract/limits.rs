//! Rates that are never overshot; keys that remember.

use std::sync::Arc;

use mostrador_core::{
    ids::{ConversationNumber, Seq},
    limits::{
        BegunTurn, Idempotency, IdempotentRequest, Kept, KeyState, Limits, Rate, Scope, Settlement,
        StoredAnswer, WindowKey,
    },
    log::{Log, Position, PutError},
    purchases::{Account, Mutation, PurchaseError, Purchases},
};
use time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    log::commit,
    setup::{Logs, Stores, noon, owner},
};

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

pub(crate) fn request(key: &str, body: &str) -> IdempotentRequest {
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
    for logs in Logs::all().await {
        let store = &logs.requests;
        let (first, repeated, other_body) =
            (request("k", "a"), request("k", "a"), request("k", "b"));
        let answer = StoredAnswer {
            status: 200,
            content_type: "application/json".into(),
            body: "{}".into(),
        };
        assert_eq!(
            store.acquire(&first, noon()).await.unwrap(),
            KeyState::Acquired(None)
        );
        assert_eq!(
            store.acquire(&repeated, noon()).await.unwrap(),
            KeyState::InProgress
        );
        assert_eq!(
            store.acquire(&other_body, noon()).await.unwrap(),
            KeyState::Mismatch
        );
        store.complete(&first, &answer).await.unwrap();
        let later = noon() + Duration::hours(23);
        assert_eq!(
            store.acquire(&repeated, later).await.unwrap(),
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
            KeyState::Acquired(None)
        );
    }
}

#[tokio::test]
async fn a_lease_ends_and_who_was_overtaken_writes_nothing() {
    for logs in Logs::all().await {
        let store = &logs.requests;
        let (slow, successor, third) = (request("k", "a"), request("k", "a"), request("k", "a"));
        let answer = |body: &str| StoredAnswer {
            status: 200,
            content_type: "application/json".into(),
            body: body.into(),
        };
        assert_eq!(
            store.acquire(&slow, noon()).await.unwrap(),
            KeyState::Acquired(None)
        );
        assert_eq!(
            store
                .acquire(&successor, noon() + Duration::seconds(61))
                .await
                .unwrap(),
            KeyState::Acquired(None)
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
            KeyState::Acquired(None)
        );
        store.release(&freed).await.unwrap();
        assert_eq!(
            store.acquire(&request("free", "b"), noon()).await.unwrap(),
            KeyState::Acquired(None)
        );
    }
}

#[tokio::test]
async fn a_lease_is_as_long_as_is_set() {
    for stores in Stores::all().await {
        let store = stores.idempotency().with_lease(Duration::seconds(160));
        for (seconds, state) in [
            (0, KeyState::Acquired(None)),
            (159, KeyState::InProgress),
            (160, KeyState::Acquired(None)),
            // Whoever has taken over has as much time.
            (319, KeyState::InProgress),
            (320, KeyState::Acquired(None)),
        ] {
            let at = noon() + Duration::seconds(seconds);
            let found = store.acquire(&request("k", "a"), at).await.unwrap();
            assert_eq!(found, state, "{seconds}");
        }
    }
}

/// A commit and what it settles stand or fall together.
#[tokio::test]
async fn a_commit_settles_its_request_or_is_not_put() {
    for logs in Logs::all().await {
        let (store, log, ana) = (&logs.requests, &logs.log, owner("ana"));
        let slow = request("k", "a");
        store.acquire(&slow, noon()).await.unwrap();
        let begun = BegunTurn {
            conversation: ConversationNumber::FIRST,
            first_seq: Seq::FIRST,
        };
        let answer = StoredAnswer::json(200, &"hecho");
        let settles = |request: &IdempotentRequest, kept: Kept| Settlement {
            request: request.clone(),
            kept,
        };
        let question = commit(Position::start_of(ConversationNumber::FIRST), "hola");
        let settling = settles(&slow, Kept::Begun(begun));
        log.put(&ana, &question, Some(&settling)).await.unwrap();
        // Again, as after a lost answer.
        log.put(&ana, &question, Some(&settling)).await.unwrap();
        // What has begun keeps the key, and who takes over gets it.
        store.release(&slow).await.unwrap();
        let successor = request("k", "a");
        assert_eq!(
            store
                .acquire(&successor, noon() + Duration::seconds(59))
                .await
                .unwrap(),
            KeyState::InProgress
        );
        assert_eq!(
            store
                .acquire(&successor, noon() + Duration::seconds(60))
                .await
                .unwrap(),
            KeyState::Acquired(Some(begun))
        );
        let late = commit(Position::after(&question), "late");
        let refused = log
            .put(
                &ana,
                &late,
                Some(&settles(&slow, Kept::Answered(answer.clone()))),
            )
            .await;
        assert!(matches!(refused, Err(PutError::Overtaken)), "{refused:?}");
        let reply = commit(Position::after(&question), "buenas");
        let answered = settles(&successor, Kept::Answered(answer.clone()));
        log.put(&ana, &reply, Some(&answered)).await.unwrap();
        log.put(&ana, &reply, Some(&answered)).await.unwrap();
        let rival = commit(Position::after(&question), "rival");
        let conflict = log.put(&ana, &rival, Some(&answered)).await;
        assert!(matches!(conflict, Err(PutError::Conflict)), "{conflict:?}");
        // Answered is answered: neither another answer nor another effect.
        let more = commit(Position::after(&reply), "more");
        let repeated = log.put(&ana, &more, Some(&answered)).await;
        assert!(matches!(repeated, Err(PutError::Overtaken)), "{repeated:?}");
        store
            .complete(&successor, &StoredAnswer::json(200, &"otra"))
            .await
            .unwrap();
        store.release(&successor).await.unwrap();
        assert_eq!(
            store.acquire(&request("k", "a"), noon()).await.unwrap(),
            KeyState::Answered(answer)
        );
        assert_eq!(
            log.newest(&ana, None, 10).await.unwrap(),
            vec![reply, question]
        );
    }
}

/// What was released can have no effect any more, even one that is still under way.
#[tokio::test]
async fn a_released_request_has_no_effect() {
    for stores in Stores::all().await {
        let (store, log, purchases) = (stores.idempotency(), stores.log(), stores.purchases());
        let (ana, given_up) = (owner("ana"), request("k", "a"));
        store.acquire(&given_up, noon()).await.unwrap();
        store.release(&given_up).await.unwrap();
        let settlement = Settlement {
            request: given_up,
            kept: Kept::Answered(StoredAnswer::json(200, &"hecho")),
        };
        let late = commit(Position::start_of(ConversationNumber::FIRST), "hola");
        let put = log.put(&ana, &late, Some(&settlement)).await;
        assert!(matches!(put, Err(PutError::Overtaken)), "{put:?}");
        let mutation = Mutation {
            effect_id: Uuid::now_v7(),
            account: Account::default(),
            items: vec![],
            reservations: vec![],
            orders: vec![],
            settlement: Some(settlement),
            notice: None,
        };
        let done = purchases.commit(&ana, &mutation).await;
        assert!(matches!(done, Err(PurchaseError::Overtaken)), "{done:?}");
        assert_eq!(log.newest(&ana, None, 1).await.unwrap(), vec![]);
        assert_eq!(purchases.account(&ana).await.unwrap(), Account::default());
    }
}
