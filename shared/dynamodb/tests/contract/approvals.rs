//! What a model has proposed: not for ever, done once and in the log once whatever was lost.

use std::sync::Arc;

use mostrador_core::{
    actions::{
        Payload,
        approvals::{ApprovalFailure, Approvals, Decision},
    },
    erasure::Eraser,
    ids::{ConversationNumber, Owner},
    language::Language,
    limits::{Idempotency, IdempotentRequest, StoredAnswer},
    log::{Commit, Event, Log, Position, Stored},
    purchases::Purchases,
};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::{
    clock::{StoppedClock, id_at},
    setup::{Stores, noon, owner},
};

fn approvals(stores: &Stores, after: Duration) -> Approvals {
    Approvals {
        log: Arc::new(stores.log()),
        idempotency: Arc::new(stores.idempotency()),
        counter: stores.counter(StoppedClock::after(after)),
    }
}

/// A proposal in a conversation of its own.
async fn propose(stores: &Stores, owner: &Owner, (tool, args): (&str, Value)) -> Uuid {
    let approval_id = id_at(noon());
    let events = [
        Event::ConversationStarted {},
        Event::ApprovalRequested {
            approval_id,
            tool_name: tool.into(),
            args,
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

/// A refusal's code and its message.
type Decided = Result<(Option<&'static str>, String), ApprovalFailure>;

async fn decide(
    stores: &Stores,
    owner: &Owner,
    approval: Uuid,
    (decision, after): (Decision, Duration),
) -> Decided {
    let payload = Payload(json!({"approval": approval}).as_object().unwrap().clone());
    let approvals = approvals(stores, after);
    let decided = approvals.decide(owner, Language::default(), decision, &payload);
    let outcome = decided.await?;
    Ok((outcome.error, outcome.message))
}

/// The decision on an approval as the request that it is.
fn request(owner: &Owner, approval: Uuid) -> IdempotentRequest {
    IdempotentRequest {
        owner: owner.to_string(),
        operation: "approval".into(),
        key: approval.to_string(),
        body_hash: "approve".into(),
        lease: Uuid::now_v7(),
    }
}

/// The decisions' outcomes in the log.
async fn resolutions(stores: &Stores, owner: &Owner) -> Vec<(bool, Option<String>)> {
    let commits = stores.log().whole(owner, ConversationNumber::FIRST).await;
    let events = commits
        .unwrap()
        .into_iter()
        .flat_map(|commit| commit.events);
    let resolutions = events.filter_map(|event| match event {
        Stored::Known(Event::ApprovalResolved {
            approved, error, ..
        }) => Some((approved, error)),
        _ => None,
    });
    resolutions.collect()
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
            let approval = propose(&stores, &owner, ("clear_cart", json!({}))).await;
            let decided = decide(&stores, &owner, approval, (Decision::Approve, after)).await;
            assert_eq!(decided.unwrap().0, error, "{name}");
            assert_eq!(resolutions(&stores, &owner).await, resolved, "{name}");
        }
    }
}

/// What was proposed so long ago is not looked for, and what is still to come is not there.
#[tokio::test]
async fn an_unknown_approval_is_not_found_or_closed_by_its_age() {
    for stores in Stores::all().await {
        let ana = owner("ana");
        for (minutes, error) in [
            (-3, "approval_not_found"),
            (0, "approval_not_found"),
            (30, "approval_not_found"),
            (31, "approval_closed"),
        ] {
            let after = Duration::minutes(minutes);
            let nobodys = id_at(noon());
            let decided = decide(&stores, &ana, nobodys, (Decision::Approve, after)).await;
            assert_eq!(decided.unwrap().0, Some(error), "{minutes}");
        }
    }
}

#[tokio::test]
async fn an_outcome_missing_from_the_log_is_appended_once() {
    for stores in Stores::all().await {
        let owner = owner("ana");
        let approval = propose(&stores, &owner, ("clear_cart", json!({}))).await;
        // Done, and then the function died.
        let request = request(&owner, approval);
        let idempotency = stores.idempotency();
        idempotency.acquire(&request, noon()).await.unwrap();
        let done = json!({"approved": true, "error": null, "message": "Hecho."});
        let done = StoredAnswer::json(200, &done);
        idempotency.complete(&request, &done).await.unwrap();
        let closed = Some("approval_closed");
        for (decision, error) in [
            (Decision::Reject, closed),
            (Decision::Approve, None),
            (Decision::Reject, closed),
            (Decision::Approve, closed),
        ] {
            let decided = decide(&stores, &owner, approval, (decision, Duration::minutes(1))).await;
            let (found, message) = decided.unwrap();
            assert_eq!(found, error, "{decision:?}");
            let is_resolved = decision == Decision::Approve;
            assert_eq!(message == "Hecho.", is_resolved, "{decision:?}");
        }
        assert_eq!(resolutions(&stores, &owner).await, [(true, None)]);
    }
}

/// A second use is refused with the outcome of the first, even where only the conversation still knows of it.
#[tokio::test]
async fn a_repeated_decision_is_refused_with_the_outcome() {
    let (approve, reject) = (Decision::Approve, Decision::Reject);
    let (soon, late) = (Duration::minutes(1), Duration::minutes(20));
    for stores in Stores::all().await {
        stores.stock(&[(7, 5), (8, 0)]).await;
        for (item, decision, other, error, in_cart) in [
            (7, approve, reject, None, 2),
            (7, reject, approve, None, 0),
            (8, approve, reject, Some("insufficient_stock"), 0),
        ] {
            let ana = owner(&format!("ana-{item}-{decision:?}"));
            let args = json!({"book_id": item, "cantidad": 2});
            let approval = propose(&stores, &ana, ("add_to_cart", args)).await;
            let decide = async |decision, after| {
                let decided = decide(&stores, &ana, approval, (decision, after)).await;
                decided.unwrap()
            };
            let first = decide(decision, soon).await;
            assert_eq!(first.0, error);
            let repeated = (Some("approval_closed"), first.1);
            assert_eq!(decide(decision, soon).await, repeated);
            // The approval's time is over, and so may be its key's.
            stores.eraser().keys(&ana).await.unwrap();
            assert_eq!(decide(decision, late).await, repeated);
            assert_eq!(decide(other, late).await.0, Some("approval_closed"));
            let account = stores.purchases().account(&ana).await.unwrap();
            let copies: u32 = account.cart.iter().map(|line| line.cantidad).sum();
            assert_eq!(copies, in_cart);
            let approved = decision == Decision::Approve;
            let outcome = (approved, error.map(str::to_owned));
            assert_eq!(resolutions(&stores, &ana).await, [outcome]);
        }
    }
}

#[tokio::test]
async fn a_decision_under_way_is_waited_for_and_then_taken_over() {
    let (approve, reject) = (Decision::Approve, Decision::Reject);
    for stores in Stores::all().await {
        let ana = owner("ana");
        let approval = propose(&stores, &ana, ("clear_cart", json!({}))).await;
        let first = request(&ana, approval);
        stores.idempotency().acquire(&first, noon()).await.unwrap();
        let decide = async |decision, seconds| {
            let after = Duration::seconds(seconds);
            decide(&stores, &ana, approval, (decision, after)).await
        };
        let waiting = decide(approve, 59).await.unwrap_err();
        let under_way = "another attempt at the request is under way";
        assert_eq!(waiting.to_string(), under_way);
        let closed = decide(reject, 59).await.unwrap();
        assert_eq!(closed.0, Some("approval_closed"));
        assert_eq!(decide(approve, 60).await.unwrap().0, None);
        assert_eq!(resolutions(&stores, &ana).await, [(true, None)]);
    }
}
