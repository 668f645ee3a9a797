//! A customer who is erased is gone, whatever was under way.

use std::sync::Arc;

use mostrador_core::{
    actions::{Payload, perform},
    catalogue::Catalogue,
    erasure::{Erased, Eraser, Erasure, ErasureError},
    files::NoFiles,
    ids::{ConversationNumber, Owner, Seq},
    language::Language,
    limits::{Idempotency, Kept, KeyState, Settlement, StoredAnswer},
    log::{Commit, Log, Position, PutError, Summary},
    projection::catch_up,
    purchases::{Account, Mutation, Note, Order, Purchases},
    view::{Projected, View},
};
use serde_json::json;
use time::Duration;

use crate::{
    clock::StoppedClock,
    limits::request,
    log::commit,
    purchases::mutation,
    setup::{Stores, noon, owner},
};

pub(crate) fn erasure(stores: &Stores) -> Erasure {
    Erasure {
        log: Arc::new(stores.log()),
        counter: stores.counter(StoppedClock::at_noon()),
        shelves: Arc::new(NoFiles),
        eraser: Arc::new(stores.eraser()),
    }
}

/// Two conversations of three messages each, the first with a summary; all in the view.
pub(crate) async fn talked(stores: &Stores, ana: &Owner) -> Vec<Commit> {
    let (log, view) = (stores.log(), stores.view());
    let mut put = Vec::new();
    for number in [1, 2].map(ConversationNumber) {
        let mut position = Position::start_of(number);
        for turn in 0..3 {
            let next = commit(position, &format!("secreto {number} {turn}"));
            log.put(ana, &next, None).await.unwrap();
            position = Position::after(&next);
            put.push(next);
        }
        catch_up(&log, &view, ana, number, 6).await.unwrap();
    }
    put
}

fn summary(text: &str) -> Summary {
    Summary {
        text: text.to_owned(),
        through: Seq(3),
        messages: 3,
        made_by: "extractive".into(),
    }
}

#[tokio::test]
async fn nothing_is_left_and_nothing_comes_back() {
    for stores in Stores::all().await {
        let (log, view, ana, luis) = (stores.log(), stores.view(), owner("ana"), owner("luis"));
        let one = ConversationNumber(1);
        let before = talked(&stores, &ana).await;
        talked(&stores, &luis).await;
        view.summarise(&ana, one, &summary("secreto"), noon())
            .await
            .unwrap();
        let in_flight = view.conversation(&ana, one).await.unwrap().unwrap();
        let keyed = request("k", "a");
        stores.idempotency().acquire(&keyed, noon()).await.unwrap();
        let remembered = Note {
            note_id: 1,
            text: "mi secreto".to_owned(),
            created_at: noon(),
        };
        let account = Account {
            notes: vec![remembered],
            notes_made: 1,
            ..Account::default()
        };
        let purchases = stores.purchases();
        purchases.commit(&ana, &mutation(account)).await.unwrap();

        let erased = erasure(&stores).erase(&ana).await.unwrap();
        assert_eq!(erased.conversations, 2);
        // Again, as after an erasure that was cut off.
        assert_eq!(erasure(&stores).erase(&ana).await.unwrap(), erased);

        let of_ana = stores.everything_of(&ana).await;
        assert!(!of_ana.contains("secreto"), "{of_ana}");
        assert_eq!(log.newest(&ana, Some(one), 10).await.unwrap(), vec![]);
        assert_eq!(view.conversations(&ana, None, 10).await.unwrap(), vec![]);
        // A turn that had read the log before writes nowhere: its place is taken, and there is nothing to follow.
        for old in [&before[1], &before[2], &before[5]] {
            let late = commit(Position::after(old), "secreto tardío");
            let put = log.put(&ana, &late, None).await;
            assert!(
                matches!(put, Err(PutError::Conflict)),
                "{put:?} {:?}",
                old.conversation
            );
        }
        // A request under way has no effect.
        let settlement = Settlement {
            request: keyed.clone(),
            kept: Kept::Answered(StoredAnswer::json(200, &"secreto")),
        };
        let newest = log.newest(&ana, None, 1).await.unwrap().pop().unwrap();
        let late = commit(Position::after(&newest), "secreto tardío");
        let put = log.put(&ana, &late, Some(&settlement)).await;
        assert!(matches!(put, Err(PutError::Overtaken)), "{put:?}");
        let state = stores
            .idempotency()
            .acquire(&request("k", "b"), noon())
            .await;
        assert_eq!(state.unwrap(), KeyState::Acquired(None));
        // A projection and a summary under way bring nothing back.
        view.advance(
            &ana,
            &Projected {
                through: Seq(99),
                ..in_flight
            },
        )
        .await
        .unwrap();
        let summarised = view.summarise(&ana, one, &summary("secreto"), noon()).await;
        assert!(!summarised.unwrap());
        assert_eq!(view.summary(&ana, one).await.unwrap(), None);
        let of_ana = stores.everything_of(&ana).await;
        assert!(!of_ana.contains("secreto"), "{of_ana}");
        // Somebody else has everything.
        assert_eq!(log.newest(&luis, None, 10).await.unwrap().len(), 3);
        assert_eq!(view.conversations(&luis, None, 10).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn orders_stay_without_a_name_and_copies_come_back() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 10), (2, 10)]).await;
        let (ana, erasure) = (owner("ana"), erasure(&stores));
        let act = async |action: &str, payload: serde_json::Value| {
            let payload = Payload(payload.as_object().cloned().unwrap());
            let counter = &erasure.counter;
            let done = perform(
                counter,
                &ana,
                Language::default(),
                action,
                &payload,
                &|_| None,
            );
            assert_eq!(done.await.unwrap().error, None, "{action}");
        };
        act("add_to_cart", json!({"book_id": 1, "cantidad": 2})).await;
        act("checkout", json!({})).await;
        act("reserve_book", json!({"book_id": 2})).await;
        act("add_to_cart", json!({"book_id": 2})).await;
        let erased = erasure.erase(&ana).await.unwrap();
        let expected = Erased {
            files: 0,
            conversations: 0,
            cancelled: 2,
            orders_kept: 1,
            appointments: 0,
        };
        assert_eq!(erased, expected);
        let purchases = stores.purchases();
        assert_eq!(purchases.account(&ana).await.unwrap(), Account::default());
        assert_eq!(purchases.orders(&ana, None, 10).await.unwrap(), vec![]);
        assert_eq!(
            purchases.reservations(&ana, None, 10).await.unwrap(),
            vec![]
        );
        for item in stores.catalogue().get(&[1, 2], true).await.unwrap() {
            assert_eq!(item.available(noon() + Duration::seconds(1)), 10);
        }
        let everything = stores.everything().await;
        assert!(everything.contains("default#erased-"), "{everything}");
        assert!(!everything.contains("default#ana\""), "{everything}");
    }
}

/// What a customer does while they are being erased is noticed, and never half of it is gone.
#[tokio::test]
async fn an_account_that_moved_is_not_taken_away() {
    for stores in Stores::all().await {
        let (ana, purchases, eraser) = (owner("ana"), stores.purchases(), stores.eraser());
        purchases
            .commit(&ana, &mutation(Account::default()))
            .await
            .unwrap();
        let read = purchases.account(&ana).await.unwrap();
        // Meanwhile.
        let order = Order::new(1, vec![], noon());
        let ordered = Mutation {
            orders: vec![(order.clone(), None)],
            ..mutation(read.clone())
        };
        purchases.commit(&ana, &ordered).await.unwrap();
        let erased = eraser.purchases(&ana, read.version).await;
        assert!(matches!(erased, Err(ErasureError::Conflict)), "{erased:?}");
        assert_eq!(purchases.orders(&ana, None, 10).await.unwrap(), vec![order]);
        let now = purchases.account(&ana).await.unwrap();
        assert_eq!(now.version, read.version + 1);
        assert_eq!(eraser.purchases(&ana, now.version).await.unwrap(), 1);
        assert_eq!(purchases.account(&ana).await.unwrap(), Account::default());
        // Once more, as after a lost answer.
        assert_eq!(eraser.purchases(&ana, 0).await.unwrap(), 0);
    }
}
