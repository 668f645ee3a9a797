//! Purchases: an effect happens whole and once, and only on what it assumed.

use mostrador_core::{
    actions::{Payload, perform},
    catalogue::{Catalogue, Hold},
    language::Language,
    price::Price,
    purchases::{
        Account, CartLine, HOLDS_PER_ITEM, Mutation, Note, Order, OrderLine, OrderStatus,
        PurchaseError, Purchases, Reservation, ReservationEnd,
    },
};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use crate::{
    erasure::erasure,
    setup::{Stores, item, noon, owner},
};

/// A change of nothing but the account.
pub(crate) fn mutation(account: Account) -> Mutation {
    Mutation {
        effect_id: Uuid::now_v7(),
        account,
        items: vec![],
        reservations: vec![],
        orders: vec![],
        settlement: None,
        notice: None,
    }
}

/// An answer that is lost while other changes follow: the effect is known again among the newest, and else not known, never denied.
#[tokio::test]
async fn an_effect_is_recognised_behind_later_ones() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        let first = mutation(Account::default());
        purchases.commit(&ana, &first).await.unwrap();
        for _ in 0..7 {
            let account = purchases.account(&ana).await.unwrap();
            purchases.commit(&ana, &mutation(account)).await.unwrap();
            purchases.commit(&ana, &first).await.unwrap();
        }
        let account = purchases.account(&ana).await.unwrap();
        assert_eq!((account.version, account.effects.len()), (8, 8));
        purchases.commit(&ana, &mutation(account)).await.unwrap();
        let forgotten = purchases.commit(&ana, &first).await;
        assert!(
            matches!(forgotten, Err(PurchaseError::Busy)),
            "{forgotten:?}"
        );
    }
}

#[tokio::test]
async fn an_account_changes_only_from_what_was_read() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        assert_eq!(purchases.account(&ana).await.unwrap(), Account::default());
        let cart = vec![CartLine {
            libro_id: 1,
            cantidad: 2,
        }];
        let first = mutation(Account {
            cart: cart.clone(),
            ..Account::default()
        });
        purchases.commit(&ana, &first).await.unwrap();
        // Again, as after a lost answer: it is in already. Another from the same reading is not let in.
        purchases.commit(&ana, &first).await.unwrap();
        let rival = mutation(Account::default());
        assert!(matches!(
            purchases.commit(&ana, &rival).await,
            Err(PurchaseError::Conflict)
        ));
        assert_eq!(
            purchases.account(&ana).await.unwrap(),
            Account {
                version: 1,
                cart,
                effects: vec![first.effect_id],
                ..Account::default()
            }
        );
        assert_eq!(
            purchases.account(&owner("luis")).await.unwrap(),
            Account::default()
        );
    }
}

/// What is remembered comes back; where it is damaged, the rest of the account does, and no number twice. Who has had nothing
/// remembered has a row as of before.
#[tokio::test]
async fn what_is_remembered_comes_back() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        let cart = vec![CartLine {
            libro_id: 1,
            cantidad: 2,
        }];
        let without = Account {
            cart: cart.clone(),
            ..Account::default()
        };
        purchases.commit(&ana, &mutation(without)).await.unwrap();
        let row = stores.everything_of(&ana).await;
        assert!(!row.contains("notes"), "{row}");
        let account = purchases.account(&ana).await.unwrap();
        assert_eq!((&account.notes[..], account.notes_made), (&[][..], 0));

        let notes = vec![Note {
            note_id: 2,
            text: "leo en inglés, y «nada» más".to_owned(),
            created_at: noon() + Duration::nanoseconds(1),
        }];
        let with_notes = Account {
            notes: notes.clone(),
            notes_made: 3,
            ..account
        };
        purchases.commit(&ana, &mutation(with_notes)).await.unwrap();
        let account = purchases.account(&ana).await.unwrap();
        assert_eq!((&account.notes, account.notes_made), (&notes, 3));
        let none_left = Account {
            notes: Vec::new(),
            ..account
        };
        purchases.commit(&ana, &mutation(none_left)).await.unwrap();
        let account = purchases.account(&ana).await.unwrap();
        assert_eq!((&account.notes[..], account.notes_made), (&[][..], 3));

        for damage in [None, Some("{")] {
            let damage = stores.damage_purchase((&ana, "account"), "notes", damage);
            damage.await;
            let account = purchases.account(&ana).await.unwrap();
            assert_eq!((&account.notes[..], account.notes_made), (&[][..], 3));
            assert_eq!(account.cart, cart);
        }
        let luis = purchases.account(&owner("luis")).await.unwrap();
        assert_eq!(luis, Account::default());
    }
}

#[tokio::test]
async fn stock_order_and_reservation_stand_or_fall_together() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 3), (2, 5)]).await;
        let (purchases, catalogue, ana) = (stores.purchases(), stores.catalogue(), owner("ana"));
        let reservation = Reservation {
            reservation_id: 1,
            hold: Uuid::now_v7(),
            libro_id: 1,
            titulo: "Libro 1".into(),
            cantidad: 2,
            ended: None,
            ended_by: None,
            created_at: noon(),
            expires_at: noon() + Duration::hours(24),
            language: None,
        };
        let line = OrderLine {
            libro_id: 2,
            titulo: "Libro 2".into(),
            cantidad: 5,
            precio: item(2).precio,
        };
        let order = Order::new(1, vec![line], noon());
        let mut items = catalogue.get(&[2, 1], true).await.unwrap();
        items.sort_by_key(|stocked| stocked.item.libro_id);
        items[0].holds.push(Hold {
            reservation: reservation.hold,
            copies: 2,
            until: reservation.expires_at,
        });
        items[1].on_hand = 0;
        let both = Mutation {
            items: items.clone(),
            reservations: vec![reservation.clone()],
            orders: vec![(order.clone(), None)],
            settlement: None,
            ..mutation(Account {
                reservations_made: 1,
                orders_made: 1,
                ..Account::default()
            })
        };
        purchases.commit(&ana, &both).await.unwrap();
        purchases.commit(&ana, &both).await.unwrap();
        let mut left = catalogue.get(&[1, 2, 3], true).await.unwrap();
        left.sort_by_key(|stocked| stocked.item.libro_id);
        let available: Vec<_> = left
            .iter()
            .map(|b| {
                (
                    b.version,
                    b.available(noon()),
                    b.available(noon() + Duration::days(2)),
                )
            })
            .collect();
        assert_eq!(available, [(2, 1, 3), (2, 0, 0)]);
        assert_eq!(
            purchases.reservations(&ana, None, 9).await.unwrap(),
            vec![reservation.clone()]
        );
        assert_eq!(
            purchases.reservation(&ana, 1).await.unwrap(),
            Some(reservation)
        );
        assert_eq!(purchases.order(&ana, 1).await.unwrap(), Some(order.clone()));
        assert_eq!(purchases.order(&owner("luis"), 1).await.unwrap(), None);

        // On an item that has moved since: nothing of it happens, the account included.
        let account = purchases.account(&ana).await.unwrap();
        let stale = Mutation {
            items,
            ..mutation(Account {
                orders_made: 9,
                ..account.clone()
            })
        };
        assert!(matches!(
            purchases.commit(&ana, &stale).await,
            Err(PurchaseError::Conflict)
        ));
        assert_eq!(purchases.account(&ana).await.unwrap(), account);

        // An order changes only from the status that was read.
        let cancelled = Order {
            estado: OrderStatus::Cancelado,
            ..order.clone()
        };
        let change = |expected| Mutation {
            orders: vec![(cancelled.clone(), Some(expected))],
            settlement: None,
            ..mutation(account.clone())
        };
        let wrong = purchases
            .commit(&ana, &change(OrderStatus::EnProceso))
            .await;
        assert!(matches!(wrong, Err(PurchaseError::Conflict)));
        purchases
            .commit(&ana, &change(OrderStatus::Pendiente))
            .await
            .unwrap();
        assert_eq!(
            purchases.orders(&ana, None, 9).await.unwrap(),
            vec![cancelled]
        );
    }
}

/// A school order in guaraníes: no line is over the largest price, their sum is.
#[tokio::test]
async fn an_order_over_the_largest_price_round_trips() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        let line = |libro_id| OrderLine {
            libro_id,
            titulo: format!("Libro {libro_id}"),
            cantidad: 10,
            precio: Price::MAX,
        };
        let order = Order::new(1, (1..=40).map(line).collect(), noon());
        assert_eq!(order.total.to_string(), "4000000000.00");
        let ordered = Mutation {
            orders: vec![(order.clone(), None)],
            ..mutation(Account {
                orders_made: 1,
                ..Account::default()
            })
        };
        purchases.commit(&ana, &ordered).await.unwrap();
        assert_eq!(purchases.order(&ana, 1).await.unwrap(), Some(order.clone()));
        assert_eq!(purchases.orders(&ana, None, 9).await.unwrap(), [order]);
    }
}

fn reservation(reservation_id: u32) -> Reservation {
    Reservation {
        reservation_id,
        hold: Uuid::from_u128(reservation_id.into()),
        libro_id: 1,
        titulo: "Libro 1".into(),
        cantidad: 1,
        ended: Some(ReservationEnd::Cancelada),
        ended_by: None,
        created_at: noon() + Duration::seconds(reservation_id.into()),
        expires_at: noon() + Duration::seconds(reservation_id.into()) + Duration::hours(24),
        language: None,
    }
}

/// What an account holds is known from itself. One of before, which does not say, is asked of its reservations, however many were
/// made and cancelled since.
#[tokio::test]
async fn what_is_held_is_known_behind_however_many_reservations() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        let made = 250;
        for first in (1..=made).step_by(50) {
            let account = purchases.account(&ana).await.unwrap();
            let mut reservations: Vec<_> = (first..first + 50).map(reservation).collect();
            for held in reservations
                .iter_mut()
                .filter(|r| [2, 120].contains(&r.reservation_id))
            {
                held.ended = None;
            }
            let account = Account {
                held: vec![],
                reservations_made: first + 49,
                ..account
            };
            let reserved = Mutation {
                reservations,
                ..mutation(account)
            };
            purchases.commit(&ana, &reserved).await.unwrap();
        }
        let held = async |purchases: &dyn Purchases| {
            let held = purchases.account(&ana).await.unwrap().held;
            held.iter()
                .map(|held| held.reservation_id)
                .collect::<Vec<_>>()
        };
        assert_eq!(held(&purchases).await, [0; 0]);
        let account = (&ana, "account");
        for damage in [None, Some("damaged")] {
            stores.damage_purchase(account, "held", damage).await;
            assert_eq!(held(&purchases).await, [2, 120], "{damage:?}");
        }
        // Pages, newest first, without a gap.
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = purchases.reservations(&ana, before, 70).await.unwrap();
            before = page.last().map(|oldest| oldest.reservation_id);
            seen.extend(page.iter().map(|reservation| reservation.reservation_id));
            if page.len() < 70 {
                break;
            }
        }
        assert!(seen.into_iter().eq((1..=made).rev()));
    }
}

#[tokio::test]
async fn a_damaged_record_costs_itself() {
    for stores in Stores::all().await {
        let (purchases, ana) = (stores.purchases(), owner("ana"));
        for number in 1..=3 {
            let account = purchases.account(&ana).await.unwrap();
            let both = Mutation {
                reservations: vec![reservation(number)],
                orders: vec![(Order::new(number, vec![], noon()), None)],
                ..mutation(Account {
                    orders_made: number,
                    reservations_made: number,
                    ..account
                })
            };
            purchases.commit(&ana, &both).await.unwrap();
        }
        for key in ["order#0000000002", "reservation#0000000002"] {
            let damage = stores.damage_purchase((&ana, key), "document", Some("{"));
            damage.await;
        }
        let orders = purchases.orders(&ana, None, 2).await.unwrap();
        let orders: Vec<_> = orders.iter().map(|order| order.order_id).collect();
        let reservations = purchases.reservations(&ana, None, 2).await.unwrap();
        let reservations: Vec<_> = reservations.iter().map(|r| r.reservation_id).collect();
        assert_eq!((orders, reservations), (vec![3, 1], vec![3, 1]));
        // And it is erased like the others.
        let erased = erasure(&stores).erase(&ana).await.unwrap();
        assert_eq!(erased.orders_kept, 3);
        let left = stores.everything_of(&ana).await;
        assert!(!left.contains("order#"), "{left}");
    }
}

/// So many reservations fit into an item's row; one more is refused until one has lapsed, and buying goes on.
#[tokio::test]
async fn an_item_is_held_by_so_many_and_no_more() {
    for stores in Stores::all().await {
        let copies = 2 * u32::try_from(HOLDS_PER_ITEM).unwrap();
        stores.stock(&[(1, copies)]).await;
        let (purchases, catalogue, counter) = (
            stores.purchases(),
            stores.catalogue(),
            erasure(&stores).counter,
        );
        let held = |lapsed: usize| {
            let until =
                move |number| noon() + Duration::minutes(if number < lapsed { 0 } else { 9 });
            let hold = move |number| Hold {
                reservation: Uuid::now_v7(),
                copies: 1,
                until: until(number),
            };
            (0..HOLDS_PER_ITEM).map(hold).collect()
        };
        for (lapsed, name, refused) in [(0, "ana", Some("reservation_limit")), (1, "luis", None)] {
            let mut items = catalogue.get(&[1], true).await.unwrap();
            items[0].holds = held(lapsed);
            let full = Mutation {
                items,
                ..mutation(Account::default())
            };
            let somebody = owner(&format!("before {name}"));
            purchases.commit(&somebody, &full).await.unwrap();
            let ask = async |action: &str| {
                let payload = Payload(json!({"book_id": 1}).as_object().cloned().unwrap());
                let customer = (&owner(name), Language::default());
                let done = perform(&counter, customer.0, customer.1, action, &payload, &|_| {
                    None
                })
                .await;
                done.unwrap().error
            };
            assert_eq!(ask("reserve_book").await, refused, "{lapsed}");
            assert_eq!(ask("add_to_cart").await, None);
            assert_eq!(ask("checkout").await, None);
        }
    }
}

#[tokio::test]
async fn an_import_changes_what_differs_and_keeps_what_is_set_aside() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 3), (2, 5)]).await;
        let (purchases, catalogue, ana) = (stores.purchases(), stores.catalogue(), owner("ana"));
        let mut held = catalogue.get(&[1], true).await.unwrap();
        held[0].holds.push(Hold {
            reservation: Uuid::now_v7(),
            copies: 1,
            until: noon(),
        });
        purchases
            .commit(
                &ana,
                &Mutation {
                    items: held.clone(),
                    ..mutation(Account::default())
                },
            )
            .await
            .unwrap();
        let mut done = 0;
        let items = [(item(1), 7), (item(2), 5), (item(3), 1)];
        let summary = mostrador_dynamodb::import(&catalogue, &items, |items| done += items)
            .await
            .unwrap();
        assert_eq!(
            (summary.added, summary.changed, summary.unchanged, done),
            (1, 1, 1, 3)
        );
        let after = catalogue.get(&[1], true).await.unwrap();
        assert_eq!(
            (after[0].on_hand, &after[0].holds, after[0].version),
            (7, &held[0].holds, 3)
        );
        let mut pages = catalogue.pages();
        let mut count = 0;
        while let Some(page) = pages.next().await.unwrap() {
            count += page.len();
        }
        assert_eq!(count, 3);
    }
}
