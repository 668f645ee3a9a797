//! Stock: what is reserved, sold and given back adds up, whoever comes at once.

use serde_json::{Value, json};

use crate::harness::{
    Answer, Caller, all_at_once, cents, item, keys, masked, shop, until_admitted,
};

fn reserve(customer: &Caller<'_>, libro_id: u64, cantidad: u64) -> Answer {
    let payload = json!({"book_id": libro_id, "cantidad": cantidad});
    until_admitted(|| customer.act("reserve_book", payload.clone()))
}

#[test]
fn a_reservation_holds_its_copies_until_it_is_cancelled_once() {
    let customer = shop().customer("reserving");
    let guest = shop().guest();
    let before = guest.stock(42);
    let titulo = item(42)["titulo"].as_str().unwrap().to_owned();
    let body = masked(reserve(&customer, 42, 2).is(200), &["expires_at"]);
    let reservation = |estado: &str| {
        json!({
            "reservation_id": 1, "libro_id": 42, "titulo": titulo, "cantidad": 2, "estado": estado, "expires_at": "…",
        })
    };
    let result = |action: &str, data: Value| {
        json!([
            {"type": "action_result", "action": action, "ok": true, "error": null, "warnings": [], "data": data}
        ])
    };
    let expected = json!({
        "message": format!("Reservado: te guardo 2 de «{titulo}» durante 24 horas."), "results": [reservation("activa")],
        "actions": result("reserve_book", json!({"reservation_id": 1})),
    });
    assert_eq!(body, expected);
    assert_eq!(guest.stock(42), before - 2);

    let listed = customer.act("list_reservations", json!({}));
    let expected = json!({
        "message": "Tienes 1 reserva activa.", "results": [reservation("activa")],
        "actions": result("list_reservations", json!({"active": 1, "next": null})),
    });
    assert_eq!(listed.seen(&["expires_at"]), (200, expected));

    let cancelled = customer.act("cancel_reservation", json!({"reservation_id": 1}));
    let expected = json!({
        "message": format!("Cancelé tu reserva de «{titulo}»."), "results": [reservation("cancelada")],
        "actions": result("cancel_reservation", json!({"reservation_id": 1})),
    });
    assert_eq!(cancelled.seen(&["expires_at"]), (200, expected));
    assert_eq!(guest.stock(42), before);

    let repeated = customer.act("cancel_reservation", json!({"reservation_id": 1}));
    assert_eq!(
        (repeated.status, repeated.code().as_str()),
        (400, "reservation_closed")
    );
    assert_eq!(guest.stock(42), before);
}

#[test]
fn reservations_are_limited_by_title_and_in_all() {
    let customer = shop().customer("greedy");
    let limited = |libro_id, cantidad| {
        let answer = reserve(&customer, libro_id, cantidad);
        (answer.status, answer.code())
    };
    let done = (200, String::new());
    let over = (400, "reservation_limit".to_owned());
    for (libro_id, cantidad, expected) in [
        (46, 4, &over),
        (46, 2, &done),
        (46, 2, &over),
        (46, 1, &done),
        (46, 1, &over),
        (48, 3, &over),
        (48, 2, &done),
        (55, 1, &over),
    ] {
        assert_eq!(
            &limited(libro_id, cantidad),
            expected,
            "{cantidad} of {libro_id}"
        );
    }
    customer
        .act("cancel_reservation", json!({"reservation_id": 3}))
        .is(200);
    assert_eq!(limited(55, 2), done);
}

/// What is held is counted, and not what is held of the newest hundred.
#[test]
fn reserving_and_cancelling_a_hundred_times_frees_nothing() {
    let customer = shop().customer("patient");
    reserve(&customer, 56, 3).is(200);
    let before = shop().guest().stock(58);
    for id in 2..=110 {
        reserve(&customer, 58, 1).is(200);
        let cancelled = customer.act("cancel_reservation", json!({"reservation_id": id}));
        cancelled.is(200);
    }
    assert_eq!(shop().guest().stock(58), before);
    assert_eq!(reserve(&customer, 56, 1).code(), "reservation_limit");
    reserve(&customer, 58, 2).is(200);
    assert_eq!(reserve(&customer, 58, 1).code(), "reservation_limit");
    let listed = customer
        .act("list_reservations", json!({"limit": 2}))
        .is(200);
    assert_eq!(listed["message"], "Tienes 2 reservas activas.");
    let data = listed["actions"][0]["data"].clone();
    assert_eq!(data, json!({"active": 2, "next": 110}));
    assert_eq!(keys(&listed["results"], "reservation_id"), [111, 110]);
    let older = customer.act("list_reservations", json!({"before": 3, "limit": 50}));
    let older = older.is(200);
    assert_eq!(keys(&older["results"], "reservation_id"), [2, 1]);
    assert_eq!(older["actions"][0]["data"]["next"], Value::Null);
}

#[test]
fn what_is_anothers_looks_as_if_it_were_not_there() {
    let (owner, stranger) = (shop().customer("owner"), shop().customer("stranger"));
    reserve(&owner, 65, 1).is(200);
    owner.act("add_to_cart", json!({"book_id": 65})).is(200);
    let ordered = owner.act("checkout", json!({})).is(200);
    assert_eq!(ordered["actions"][0]["data"]["order_id"], 1);
    let before = owner.act("list_orders", json!({})).text;
    for (action, name) in [
        ("cancel_reservation", "reservation_id"),
        ("order_status", "order_id"),
        ("cancel_order", "order_id"),
    ] {
        let foreign = stranger.act(action, json!({name: 1}));
        let missing = owner.act(action, json!({name: 7_777}));
        assert_eq!(foreign.status, 400);
        assert_eq!(foreign.seen(&[]), missing.seen(&[]), "{action}");
    }
    let listed = |action: &str| stranger.act(action, json!({})).is(200)["results"].clone();
    assert_eq!(
        (listed("list_orders"), listed("list_reservations")),
        (json!([]), json!([]))
    );
    assert_eq!(owner.act("list_orders", json!({})).text, before);
}

#[test]
fn the_last_copies_are_reserved_by_exactly_as_many() {
    for (libro_id, copies) in [(7, 1), (60, 2)] {
        let customers: Vec<_> = (0..16).map(|_| shop().customer("racing")).collect();
        let answers = all_at_once(16, |index| reserve(&customers[index], libro_id, 1));
        let outcomes = answers.iter().map(|answer| (answer.status, answer.code()));
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.partition(|(status, _)| *status == 200);
        assert_eq!(won.len(), copies, "book {libro_id}");
        assert!(
            lost.iter()
                .all(|lost| *lost == (400, "insufficient_stock".to_owned())),
            "{lost:?}"
        );
        assert_eq!(shop().guest().stock(libro_id), 0);
    }
}

#[test]
fn the_last_copies_are_sold_to_exactly_as_many() {
    for (libro_id, copies) in [(50, 1), (68, 2)] {
        // Two customers, each trying from eight places.
        let customers = [shop().customer("first"), shop().customer("second")];
        let answers = all_at_once(16, |index| {
            let customer = &customers[index % 2];
            until_admitted(|| customer.act("add_to_cart", json!({"book_id": libro_id})));
            until_admitted(|| customer.act("checkout", json!({})))
        });
        for refusal in answers.iter().filter(|answer| answer.status != 200) {
            let code = refusal.code();
            assert!(
                ["insufficient_stock", "empty_cart"].contains(&code.as_str()),
                "{refusal:?}"
            );
        }
        let sold: u64 = customers
            .iter()
            .flat_map(|customer| {
                let orders = customer.act("list_orders", json!({})).is(200);
                keys(&orders["results"], "lineas")
            })
            .map(|lines| lines[0]["cantidad"].as_u64().unwrap())
            .sum();
        assert_eq!(
            (sold, shop().guest().stock(libro_id)),
            (copies, 0),
            "book {libro_id}"
        );
    }
}

#[test]
fn the_last_copies_are_reserved_or_sold_never_both() {
    let customers: Vec<_> = (0..16).map(|_| shop().customer("mixed")).collect();
    let answers = all_at_once(16, |index| {
        let customer = &customers[index];
        if index % 2 == 0 {
            return reserve(customer, 73, 1);
        }
        until_admitted(|| customer.act("add_to_cart", json!({"book_id": 73})));
        until_admitted(|| customer.act("checkout", json!({})))
    });
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!((won, shop().guest().stock(73)), (2, 0));
}

#[test]
fn what_is_put_aside_is_nobody_elses() {
    let (first, second) = (shop().customer("first"), shop().customer("second"));
    reserve(&first, 76, 3).is(200);
    for action in ["add_to_cart", "reserve_book"] {
        let refused = second.act(action, json!({"book_id": 76}));
        let seen = (refused.status, refused.code());
        assert_eq!(seen, (400, "insufficient_stock".to_owned()), "{action}");
    }
    let three = json!({"book_id": 76, "cantidad": 3});
    first.act("add_to_cart", three).is(200);
    first
        .act("cancel_reservation", json!({"reservation_id": 1}))
        .is(200);
    second.act("reserve_book", json!({"book_id": 76})).is(200);
    // A cart promises nothing: what another has put aside since is gone.
    let late = first.act("checkout", json!({}));
    assert_eq!(
        (late.status, late.code().as_str()),
        (400, "insufficient_stock")
    );
}

#[test]
fn reserving_and_cancelling_at_once_keeps_the_sum() {
    let customers: Vec<_> = (0..8).map(|_| shop().customer("churning")).collect();
    let before = shop().guest().stock(70);
    let kept: u64 = all_at_once(16, |index| {
        let customer = &customers[index / 2];
        let body = reserve(customer, 70, 1);
        if body.status != 200 {
            return 0;
        }
        let id = body.json()["results"][0]["reservation_id"].clone();
        if index % 4 == 0 {
            return 1;
        }
        // Twice at once from the same customer: one of the two ends it.
        let ended = all_at_once(2, |_| {
            until_admitted(|| customer.act("cancel_reservation", json!({"reservation_id": id})))
        });
        let mut codes: Vec<String> = ended.iter().map(Answer::code).collect();
        codes.sort();
        assert_eq!(codes, ["", "reservation_closed"]);
        0
    })
    .iter()
    .sum();
    assert_eq!(shop().guest().stock(70), before - kept);
}

#[test]
fn one_customers_own_reservation_is_what_is_sold() {
    let customer = shop().customer("collecting");
    let before = shop().guest().stock(77);
    reserve(&customer, 77, 2).is(200);
    customer
        .act("add_to_cart", json!({"book_id": 77, "cantidad": 2}))
        .is(200);
    let order = customer.act("checkout", json!({})).is(200)["results"][0].clone();
    assert_eq!(cents(&order["total"]), 2 * cents(&item(77)["precio"]));
    assert_eq!(shop().guest().stock(77), before - 2);
    let listed = customer.act("list_reservations", json!({})).is(200);
    assert_eq!(keys(&listed["results"], "estado"), ["vendida"]);
    let cancelled = customer.act("cancel_reservation", json!({"reservation_id": 1}));
    assert_eq!(
        (cancelled.status, cancelled.code().as_str()),
        (400, "reservation_closed")
    );
    assert_eq!(shop().guest().stock(77), before - 2);
}
