//! What sells most, counted from the orders of all customers.

use serde_json::{Value, json};

use crate::harness::{Caller, Setup, Shop, keys, shown};

/// What a guest is answered: its opening, and the numbers of the results.
fn answered(shop: &Shop, message: &str) -> (String, Vec<u64>) {
    let answer = shop.guest().chat(message).is(200);
    let said = answer["message"].as_str().unwrap_or_default();
    let opening = said.lines().next().unwrap_or_default().to_owned();
    (opening, shown(&answer))
}

/// The order's number.
fn order(customer: &Caller<'_>, libro_id: u64, cantidad: u64) -> Value {
    let line = json!({"book_id": libro_id, "cantidad": cantidad});
    customer.act("add_to_cart", line).is(200);
    let ordered = customer.act("checkout", json!({})).is(200);
    ordered["actions"][0]["data"]["order_id"].clone()
}

#[test]
fn an_order_moves_an_item_to_the_front_and_its_end_takes_it_off() {
    let shop = Setup::new().start();
    let poetry = "os mais vendidos de poesia";
    let (opening, items) = answered(&shop, poetry);
    assert_eq!(
        opening,
        "Ainda não sei o que mais se vende disso. Enquanto isso, sugiro:"
    );
    // The shop's pick of it comes first.
    assert_eq!(items.first(), Some(&157));
    let (ana, luis) = (shop.customer("ana-buys"), shop.customer("luis-buys"));
    order(&ana, 157, 5);
    let second = order(&luis, 361, 6);
    let (opening, items) = answered(&shop, "los más vendidos");
    assert_eq!(
        (opening.as_str(), &items[..2]),
        ("Lo que más se vende:", &[361, 157][..])
    );
    let (opening, items) = answered(&shop, poetry);
    assert_eq!(
        (opening.as_str(), &items[..]),
        ("O que mais se vende:", &[157][..])
    );
    let (_, items) = answered(&shop, "los más vendidos por menos de 5 euros");
    assert!(!items.contains(&361) && !items.contains(&157), "{items:?}");
    let sorted = shop
        .guest()
        .call("GET", "/api/agent/search/?sort=most_sold&k=2")
        .send();
    assert_eq!(keys(&sorted.is(200)["results"], "libro_id"), [361, 157]);
    luis.act("cancel_order", json!({"order_id": second}))
        .is(200);
    let (opening, items) = answered(&shop, "what are your best sellers?");
    assert_eq!((opening.as_str(), items[0]), ("What sells best:", 157));
    assert!(!items.contains(&361), "{items:?}");
}
