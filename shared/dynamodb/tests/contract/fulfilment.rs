//! What staff see and do: what waits, in order; a step with its notice, once and whole; and never what is another tenant's.

use std::sync::Arc;

use mostrador_core::{
    actions::{
        Counter, Payload,
        fulfilment::{Fulfilment, Moved, Step, StepFailure, StepOf},
        perform,
    },
    catalogue::Catalogue,
    ids::Owner,
    language::Language,
    log::{About, Commit, Draft, Event, Position, Stored, append},
    purchases::{
        OrderMove, OrderStatus, PurchaseError, Purchases, QueuePlace, Queues, ReservationEnd,
    },
};
use serde_json::{Value, json};
use time::Duration;

use crate::{
    erasure::erasure,
    setup::{Stores, noon, owner},
};

fn eva() -> Owner {
    owner("eva")
}

pub(crate) fn fulfilment(stores: &Stores) -> Fulfilment {
    Fulfilment {
        counter: erasure(stores).counter,
        log: Arc::new(stores.log()),
        queues: Arc::new(stores.purchases()),
    }
}

pub(crate) async fn act(counter: &Counter, owner: &Owner, action: &str, payload: Value) {
    let payload = Payload(payload.as_object().cloned().unwrap());
    let done = perform(
        counter,
        owner,
        Language::default(),
        action,
        &payload,
        &|_| None,
    );
    let done = done.await.unwrap();
    assert_eq!(done.error, None, "{action}: {}", done.message);
}

/// Has so many copies of each item ordered.
pub(crate) async fn order(counter: &Counter, owner: &Owner, lines: &[(u64, u32)]) {
    for (id, copies) in lines {
        let payload = json!({"book_id": id, "cantidad": copies});
        act(counter, owner, "add_to_cart", payload).await;
    }
    act(counter, owner, "checkout", json!({})).await;
}

async fn says_hello(fulfilment: &Fulfilment, owner: &Owner) {
    let decide = |newest: Option<&Commit>, _| {
        Ok::<_, std::convert::Infallible>(Draft {
            position: Position::active(newest),
            events: vec![Event::UserMessageSent {
                content: "hola".to_owned(),
            }],
            settlement: None,
        })
    };
    let clock = &*fulfilment.counter.clock;
    let target = (None, clock.new_id());
    append(&*fulfilment.log, clock, owner, target, None, decide)
        .await
        .unwrap();
}

/// A step of an order, with its copies back in stock where it ends it.
pub(crate) fn to(order_id: u32, to: OrderStatus) -> Step {
    Step {
        of: StepOf::Order {
            order_id,
            to,
            restock: true,
        },
        note: None,
    }
}

pub(crate) async fn take(
    fulfilment: &Fulfilment,
    customer: &Owner,
    step: &Step,
) -> Result<Moved, StepFailure> {
    fulfilment.take(&eva(), customer, step, &|_| None).await
}

/// The staff's messages in the customer's conversation, oldest first.
async fn notices(fulfilment: &Fulfilment, owner: &Owner) -> Vec<(String, String, Option<About>)> {
    let mut commits = fulfilment.log.newest(owner, None, 99).await.unwrap();
    commits.reverse();
    let events = commits.into_iter().flat_map(|commit| commit.events);
    let notices = events.filter_map(|event| match event {
        Stored::Known(Event::StaffMessageSent { content, by, about }) => Some((content, by, about)),
        _ => None,
    });
    notices.collect()
}

#[tokio::test]
async fn an_order_goes_its_way_and_its_customer_is_told_of_each_step() {
    use OrderStatus::{Devuelto, EnDevolucion, EnProceso, Entregado};
    for stores in Stores::all().await {
        stores.stock(&[(1, 5)]).await;
        let (fulfilment, ana) = (fulfilment(&stores), owner("ana"));
        says_hello(&fulfilment, &ana).await;
        order(&fulfilment.counter, &ana, &[(1, 2)]).await;
        let on_hand = || async { stores.catalogue().get(&[1], true).await.unwrap()[0].on_hand };
        assert_eq!(on_hand().await, 3);
        for (step, is_taken) in [
            (Entregado, false),
            (EnProceso, true),
            (EnProceso, false),
            (Entregado, true),
            (Devuelto, false),
            (EnDevolucion, true),
            (Devuelto, true),
        ] {
            let taken = take(&fulfilment, &ana, &to(1, step)).await;
            assert_eq!(taken.is_ok(), is_taken, "{step:?}: {taken:?}");
        }
        let closed = take(&fulfilment, &ana, &to(1, EnProceso)).await;
        assert!(matches!(closed, Err(StepFailure::Closed)), "{closed:?}");
        assert_eq!(on_hand().await, 5);
        let kept = stores.purchases().order(&ana, 1).await.unwrap().unwrap();
        let by = |step: &OrderMove| (step.to, step.by.clone());
        let moves: Vec<_> = kept.moves.iter().map(by).collect();
        let path = [EnProceso, Entregado, EnDevolucion, Devuelto];
        assert_eq!(moves, path.map(|step| (step, Some("eva".to_owned()))));
        let notices = notices(&fulfilment, &ana).await;
        let about: Vec<_> = notices
            .iter()
            .map(|(_, by, about)| (by.as_str(), about))
            .collect();
        let expected = path.map(|step| {
            Some(About::Order {
                order_id: 1,
                estado: step.name().to_owned(),
            })
        });
        assert_eq!(about, expected.each_ref().map(|about| ("eva", about)));
        assert_eq!(notices[0].0, "Tu pedido 1 ya se está preparando.");
    }
}

#[tokio::test]
async fn what_waits_is_seen_by_its_tenants_staff_in_order_and_in_parts() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 100)]).await;
        let fulfilment = fulfilment(&stores);
        let elsewhere = Owner::new("elsewhere", "ana").unwrap();
        for user in ["ana", "bea", "carla"] {
            order(&fulfilment.counter, &owner(user), &[(1, 2)]).await;
            order(&fulfilment.counter, &owner(user), &[(1, 2)]).await;
        }
        order(&fulfilment.counter, &elsewhere, &[(1, 2)]).await;
        take(&fulfilment, &owner("bea"), &to(1, OrderStatus::EnProceso))
            .await
            .unwrap();
        let queues = stores.purchases();
        let tenant = eva().tenant().to_owned();
        let mut seen: Vec<QueuePlace> = Vec::new();
        loop {
            let found = queues.queued_orders(&tenant, OrderStatus::Pendiente, seen.last(), 2);
            let found = found.await.unwrap();
            if found.is_empty() {
                break;
            }
            seen.extend(found.into_iter().map(|queued| queued.place));
        }
        assert!(
            seen.is_sorted_by(|newer, older| newer.at >= older.at),
            "{seen:?}"
        );
        let mut all: Vec<_> = seen
            .iter()
            .map(|place| (place.user.as_str(), place.number))
            .collect();
        all.sort_unstable();
        let expected = [
            ("ana", 1),
            ("ana", 2),
            ("bea", 2),
            ("carla", 1),
            ("carla", 2),
        ];
        assert_eq!(all, expected);
        let moved = queues.queued_orders(&tenant, OrderStatus::EnProceso, None, 9);
        let moved = moved.await.unwrap();
        assert_eq!(moved.len(), 1);
        assert_eq!(moved[0].place.user, "bea");
    }
}

#[tokio::test]
async fn a_reservation_is_handed_over_as_a_delivered_order() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 5)]).await;
        let (fulfilment, ana) = (fulfilment(&stores), owner("ana"));
        let queues = stores.purchases();
        let waits = || async {
            let now = fulfilment.counter.clock.now();
            let found = queues
                .queued_reservations(eva().tenant(), now, None, 9)
                .await;
            found.unwrap().len()
        };
        for _ in 0..2 {
            act(
                &fulfilment.counter,
                &ana,
                "reserve_book",
                json!({"book_id": 1}),
            )
            .await;
        }
        assert_eq!(waits().await, 2);
        let step = |reservation_id, to| Step {
            of: StepOf::Reservation { reservation_id, to },
            note: Some("Gracias.".to_owned()),
        };
        let collected = take(&fulfilment, &ana, &step(1, ReservationEnd::Vendida)).await;
        let order = collected.unwrap().order.unwrap();
        assert_eq!((order.order_id, order.estado), (1, OrderStatus::Entregado));
        take(&fulfilment, &ana, &step(2, ReservationEnd::Cancelada))
            .await
            .unwrap();
        let again = take(&fulfilment, &ana, &step(1, ReservationEnd::Vendida)).await;
        assert!(matches!(again, Err(StepFailure::Closed)), "{again:?}");
        let missing = take(&fulfilment, &ana, &step(3, ReservationEnd::Vendida)).await;
        assert!(matches!(missing, Err(StepFailure::NotFound)), "{missing:?}");
        assert_eq!(waits().await, 0);
        let stocked = stores.catalogue().get(&[1], true).await.unwrap();
        assert_eq!((stocked[0].on_hand, stocked[0].holds.len()), (4, 0));
        let account = stores.purchases().account(&ana).await.unwrap();
        assert_eq!((account.orders_made, account.held.len()), (1, 0));
        // They have never said anything: there is no conversation to be told.
        assert_eq!(notices(&fulfilment, &ana).await, vec![]);
        // One that has lapsed waits no more.
        act(
            &fulfilment.counter,
            &ana,
            "reserve_book",
            json!({"book_id": 1}),
        )
        .await;
        let later = fulfilment.counter.clock.now() + Duration::hours(25);
        let found = queues
            .queued_reservations(eva().tenant(), later, None, 9)
            .await;
        assert_eq!(found.unwrap().len(), 0);
    }
}

/// A notice that finds its place taken takes its whole step with it.
#[tokio::test]
async fn a_step_and_its_notice_stand_or_fall_together() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 5)]).await;
        let (fulfilment, ana) = (fulfilment(&stores), owner("ana"));
        says_hello(&fulfilment, &ana).await;
        order(&fulfilment.counter, &ana, &[(1, 2)]).await;
        let purchases = stores.purchases();
        let account = purchases.account(&ana).await.unwrap();
        let before = purchases.order(&ana, 1).await.unwrap().unwrap();
        let newest = fulfilment.log.newest(&ana, None, 1).await.unwrap().pop();
        let mut moved = before.clone();
        moved.estado = OrderStatus::EnProceso;
        let mut mutation = crate::purchases::mutation(account);
        mutation.orders.push((moved, Some(OrderStatus::Pendiente)));
        let message = Stored::Known(Event::StaffMessageSent {
            content: "…".to_owned(),
            by: "eva".to_owned(),
            about: None,
        });
        let ids = [(); 2].map(|()| fulfilment.counter.clock.new_id());
        mutation.notice = Some(Commit::at(
            Position::after(newest.as_ref().unwrap()),
            vec![message],
            ids[0],
            ids[1],
            noon(),
        ));
        // Meanwhile the customer says something.
        says_hello(&fulfilment, &ana).await;
        let done = purchases.commit(&ana, &mutation).await;
        assert!(matches!(done, Err(PurchaseError::Conflict)), "{done:?}");
        assert_eq!(purchases.order(&ana, 1).await.unwrap(), Some(before));
        let commits = fulfilment.log.newest(&ana, None, 99).await.unwrap();
        assert_eq!(commits.len(), 2);
    }
}

/// What an erased customer had ordered is still seen to, and nobody is told.
#[tokio::test]
async fn an_order_outlives_its_customer() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 5)]).await;
        let (fulfilment, ana) = (fulfilment(&stores), owner("ana"));
        says_hello(&fulfilment, &ana).await;
        order(&fulfilment.counter, &ana, &[(1, 2)]).await;
        take(&fulfilment, &ana, &to(1, OrderStatus::EnProceso))
            .await
            .unwrap();
        erasure(&stores).erase(&ana).await.unwrap();
        let gone = take(&fulfilment, &ana, &to(1, OrderStatus::Entregado)).await;
        assert!(matches!(gone, Err(StepFailure::NotFound)), "{gone:?}");
        let queues = stores.purchases();
        let eva = eva();
        let found = queues.queued_orders(eva.tenant(), OrderStatus::EnProceso, None, 9);
        let place = found.await.unwrap().pop().unwrap().place;
        let nobody = owner(&place.user);
        take(
            &fulfilment,
            &nobody,
            &to(place.number, OrderStatus::Entregado),
        )
        .await
        .unwrap();
        assert_eq!(notices(&fulfilment, &nobody).await, vec![]);
        assert_eq!(notices(&fulfilment, &ana).await, vec![]);
    }
}

/// A step and an erasure that meet: the step is there, whoever the order belongs to by then, and its copies went back once.
#[tokio::test]
async fn an_erasure_and_a_step_do_not_cross() {
    const ROUNDS: u32 = 60;
    for stores in Stores::all().await {
        stores.stock(&[(1, 5)]).await;
        let (fulfilment, eva) = (fulfilment(&stores), eva());
        let queues = stores.purchases();
        for round in 0..ROUNDS {
            let ana = owner(&format!("ana-{round}"));
            order(&fulfilment.counter, &ana, &[(1, 2)]).await;
            take(&fulfilment, &ana, &to(1, OrderStatus::EnProceso))
                .await
                .unwrap();
            let step = async {
                tokio::time::sleep(std::time::Duration::from_micros(u64::from(round) * 50)).await;
                take(&fulfilment, &ana, &to(1, OrderStatus::Cancelado)).await
            };
            let erasure = erasure(&stores);
            let (erased, taken) = tokio::join!(erasure.erase(&ana), step);
            if erased.is_err() {
                erasure.erase(&ana).await.unwrap();
            }
            let open = queues.queued_orders(eva.tenant(), OrderStatus::EnProceso, None, 9);
            let open = open.await.unwrap();
            match taken {
                Ok(_) => assert_eq!(open, vec![], "round {round}"),
                Err(_) => {
                    let place = &open[0].place;
                    let nobody = owner(&place.user);
                    take(
                        &fulfilment,
                        &nobody,
                        &to(place.number, OrderStatus::Cancelado),
                    )
                    .await
                    .unwrap();
                }
            }
            let stocked = stores.catalogue().get(&[1], true).await.unwrap();
            assert_eq!(stocked[0].on_hand, 5, "round {round}");
        }
    }
}
