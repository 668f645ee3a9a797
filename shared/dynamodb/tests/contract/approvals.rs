//! What a model has proposed: not for ever, and told once whatever was lost.

use std::sync::Arc;

use async_trait::async_trait;
use mostrador_core::{
    actions::{
        Counter, Payload,
        approvals::{Approvals, Decision},
    },
    clock::Clock,
    ids::{ConversationNumber, Owner},
    language::Language,
    limits::{Idempotency, IdempotentRequest, StoredAnswer},
    log::{Commit, Event, Log, Position, Stored},
};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::{NoContext, Timestamp, Uuid};

use crate::setup::{Stores, noon, owner};

/// A clock that stands still, so long after the proposals of these tests.
struct After(Duration);

fn id_at(at: OffsetDateTime) -> Uuid {
    let seconds = u64::try_from(at.unix_timestamp()).unwrap();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, 0))
}

#[async_trait]
impl Clock for After {
    fn now(&self) -> OffsetDateTime {
        noon() + self.0
    }
    fn new_id(&self) -> Uuid {
        id_at(self.now())
    }
    async fn pause(&self, time: std::time::Duration) {
        tokio::time::sleep(time).await;
    }
    async fn pause_up_to(&self, longest: std::time::Duration) {
        tokio::time::sleep(longest).await;
    }
}

fn approvals(stores: &Stores, after: Duration) -> Approvals {
    Approvals {
        log: Arc::new(stores.log()),
        idempotency: Arc::new(stores.idempotency()),
        counter: Counter {
            catalogue: Arc::new(stores.catalogue()),
            purchases: Arc::new(stores.purchases()),
            clock: Arc::new(After(after)),
        },
    }
}

/// A proposal to empty the cart, in a conversation of its own.
async fn propose(stores: &Stores, owner: &Owner) -> Uuid {
    let approval_id = id_at(noon());
    let events = [
        Event::ConversationStarted {},
        Event::ApprovalRequested {
            approval_id,
            tool_name: "clear_cart".into(),
            args: json!({}),
            expires_at: noon() + Duration::minutes(15),
        },
    ];
    let commit = Commit::at(
        Position::start_of(ConversationNumber::FIRST),
        events.map(Stored::Known).to_vec(),
        Uuid::now_v7(),
        Uuid::now_v7(),
        noon(),
    );
    stores.log().put(owner, &commit, None).await.unwrap();
    approval_id
}

async fn decide(
    stores: &Stores,
    owner: &Owner,
    approval: Uuid,
    (decision, after): (Decision, Duration),
) -> Option<&'static str> {
    let payload = Payload(json!({"approval": approval}).as_object().unwrap().clone());
    let approvals = approvals(stores, after);
    let decided = approvals.decide(owner, Language::Spanish, decision, &payload);
    decided.await.unwrap().error
}

/// What the conversation was told of decisions.
async fn told(stores: &Stores, owner: &Owner) -> Vec<(bool, Option<String>)> {
    let commits = stores.log().whole(owner, ConversationNumber::FIRST).await;
    let events = commits
        .unwrap()
        .into_iter()
        .flat_map(|commit| commit.events);
    let told = events.filter_map(|event| match event {
        Stored::Known(Event::ApprovalResolved {
            approved, error, ..
        }) => Some((approved, error)),
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn an_approval_is_good_for_a_quarter_of_an_hour() {
    let in_time = Duration::minutes(15) - Duration::seconds(1);
    for stores in Stores::all().await {
        let late = Duration::minutes(15);
        for (name, after, error, resolved) in [
            ("late", late, Some("approval_closed"), vec![]),
            ("years", late * 100_000, Some("approval_closed"), vec![]),
            ("in time", in_time, None, vec![(true, None)]),
        ] {
            let owner = owner(&format!("ana-{name}"));
            let approval = propose(&stores, &owner).await;
            let decided = decide(&stores, &owner, approval, (Decision::Approve, after)).await;
            assert_eq!(decided, error, "{name}");
            assert_eq!(told(&stores, &owner).await, resolved, "{name}");
        }
    }
}

#[tokio::test]
async fn an_outcome_that_was_never_told_is_told_once() {
    for stores in Stores::all().await {
        let owner = owner("ana");
        let approval = propose(&stores, &owner).await;
        // Done, and then the function died.
        let request = IdempotentRequest {
            owner: owner.to_string(),
            operation: "approval".into(),
            key: approval.to_string(),
            body_hash: "approve".into(),
            lease: Uuid::now_v7(),
        };
        let idempotency = stores.idempotency();
        idempotency.acquire(&request, noon()).await.unwrap();
        let done = json!({"approved": true, "error": null, "message": "Hecho."});
        let done = StoredAnswer::json(200, &done);
        idempotency.complete(&request, &done).await.unwrap();
        for decision in [Decision::Approve, Decision::Reject, Decision::Approve] {
            let decided = decide(&stores, &owner, approval, (decision, Duration::minutes(1))).await;
            assert_eq!(decided, Some("approval_closed"));
        }
        assert_eq!(told(&stores, &owner).await, [(true, None)]);
    }
}
