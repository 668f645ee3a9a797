//! What sells most: counted with the order itself, and not counted any more with what undoes it.

use mostrador_core::{
    actions::fulfilment::{Step, StepOf},
    catalogue::{Catalogue, Item},
    purchases::{Mutation, OrderStatus, Purchases, ReservationEnd},
};
use serde_json::json;

use crate::{
    fulfilment::{act, fulfilment, order, take, to},
    purchases::mutation,
    setup::{Stores, item, owner},
};

#[tokio::test]
async fn orders_are_counted_until_they_are_cancelled_or_returned() {
    use OrderStatus::{Cancelado, Devuelto, EnDevolucion, EnProceso, Entregado};
    for stores in Stores::all().await {
        stores.stock(&[(1, 9), (2, 9), (3, 9)]).await;
        let (fulfilment, catalogue) = (fulfilment(&stores), stores.catalogue());
        let (ana, luis) = (owner("ana"), owner("luis"));
        let counter = &fulfilment.counter;
        let best = async || catalogue.most_sold(9).await.unwrap();
        assert_eq!(best().await, [0_u64; 0]);
        order(counter, &ana, &[(1, 1), (2, 3)]).await;
        order(counter, &luis, &[(1, 1), (3, 1)]).await;
        assert_eq!(best().await, [2, 1, 3]);
        assert_eq!(catalogue.most_sold(2).await.unwrap(), [2, 1]);
        act(counter, &ana, "cancel_order", json!({"order_id": 1})).await;
        let left = best().await;
        assert_eq!((left.len(), left.contains(&2)), (2, false));
        // Whether the copies come back makes no difference.
        let lost = Step {
            of: StepOf::Order {
                order_id: 1,
                to: Cancelado,
                restock: false,
            },
            note: None,
        };
        take(&fulfilment, &luis, &lost).await.unwrap();
        assert_eq!(best().await, [0_u64; 0]);
        let stocked = catalogue.get(&[3], true).await.unwrap();
        assert_eq!((stocked[0].on_hand, stocked[0].sold), (8, 0));
        order(counter, &luis, &[(3, 2)]).await;
        for next in [EnProceso, Entregado, EnDevolucion] {
            take(&fulfilment, &luis, &to(2, next)).await.unwrap();
            assert_eq!(best().await, [3], "{next:?}");
        }
        take(&fulfilment, &luis, &to(2, Devuelto)).await.unwrap();
        assert_eq!(best().await, [0_u64; 0]);
    }
}

/// A call of DynamoDB asks for a hundred items at most: a customer's newest orders may have more.
#[tokio::test]
async fn more_items_than_a_call_may_ask_for_are_found() {
    for stores in Stores::all().await {
        let stock: Vec<(u64, u32)> = (1..=230).map(|number| (number, 1)).collect();
        stores.stock(&stock).await;
        let wanted: Vec<u64> = (1..=240).chain([7]).collect();
        let found = stores.catalogue().get(&wanted, true).await.unwrap();
        let mut numbers: Vec<u64> = found.iter().map(|found| found.item.libro_id).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=230).collect::<Vec<u64>>());
    }
}

#[tokio::test]
async fn a_reservation_that_is_handed_over_is_sold() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 9)]).await;
        let (fulfilment, ana) = (fulfilment(&stores), owner("ana"));
        act(
            &fulfilment.counter,
            &ana,
            "reserve_book",
            json!({"book_id": 1}),
        )
        .await;
        assert_eq!(stores.catalogue().most_sold(9).await.unwrap(), [0_u64; 0]);
        let handed_over = Step {
            of: StepOf::Reservation {
                reservation_id: 1,
                to: ReservationEnd::Vendida,
            },
            note: None,
        };
        take(&fulfilment, &ana, &handed_over).await.unwrap();
        assert_eq!(stores.catalogue().most_sold(9).await.unwrap(), [1]);
    }
}

#[tokio::test]
async fn a_count_is_changed_once_and_kept_by_an_import() {
    for stores in Stores::all().await {
        stores.stock(&[(1, 9), (2, 9)]).await;
        let (purchases, catalogue, ana) = (stores.purchases(), stores.catalogue(), owner("ana"));
        let mut items = catalogue.get(&[1], true).await.unwrap();
        items[0].sold = 4;
        let sold = Mutation {
            items,
            ..mutation(purchases.account(&ana).await.unwrap())
        };
        // The same effect a second time changes nothing.
        purchases.commit(&ana, &sold).await.unwrap();
        purchases.commit(&ana, &sold).await.unwrap();
        let dearer = Item {
            precio: item(2).precio,
            ..item(1)
        };
        let items = [(dearer, 20), (item(2), 9)];
        mostrador_dynamodb::import(&catalogue, &items, |_| {})
            .await
            .unwrap();
        let after = catalogue.get(&[1], true).await.unwrap();
        assert_eq!((after[0].on_hand, after[0].sold), (20, 4));
        // What cannot be read is written anew, with what was sold of it.
        stores.damage_item(1).await;
        assert_eq!(catalogue.get(&[1], true).await.unwrap(), []);
        mostrador_dynamodb::import(&catalogue, &items, |_| {})
            .await
            .unwrap();
        assert_eq!(catalogue.get(&[1], true).await.unwrap()[0].sold, 4);
        assert_eq!(catalogue.most_sold(9).await.unwrap(), [1]);
    }
}
