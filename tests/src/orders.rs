//! Orders: from the cart to the counter and back, with prices that stay what they were.

use serde_json::{Value, json};

use crate::harness::{
    Answer, Setup, Shop, all_at_once, cents, item, keys, local_only, shop, until_admitted,
};

fn order_line(libro_id: u64, cantidad: u64) -> Value {
    let item = item(libro_id);
    json!({"libro_id": libro_id, "titulo": item["titulo"], "cantidad": cantidad, "precio": item["precio"]})
}

#[test]
fn an_order_takes_stock_and_gives_it_back_once() {
    let customer = shop().customer("buyer");
    let guest = shop().guest();
    let stocks = || [86, 107].map(|id| guest.stock(id));
    let before = stocks();
    customer
        .act("add_to_cart", json!({"book_id": 86, "cantidad": 3}))
        .is(200);
    customer.act("add_to_cart", json!({"book_id": 107})).is(200);
    let total = 3 * cents(&item(86)["precio"]) + cents(&item(107)["precio"]);
    let (whole, decimals) = (total / 100, total % 100);
    let order = |estado: &str| {
        json!({
            "order_id": 1, "estado": estado, "lineas": [order_line(86, 3), order_line(107, 1)],
            "total": format!("{whole}.{decimals:02}"), "created_at": "…",
        })
    };
    let data = |estado: &str| json!({"order_id": 1, "estado": estado, "total": format!("{whole}.{decimals:02}")});
    let check_order = |action: &str, message: &str, estado: &str| {
        let expected = json!({
            "message": message, "results": [order(estado)],
            "actions": [{
                "type": "action_result", "action": action, "ok": true, "error": null, "warnings": [],
                "data": data(estado),
            }],
        });
        let answer = customer.act(action, json!({"order_id": 1}));
        assert_eq!(answer.seen(&["created_at"]), (200, expected), "{action}");
    };
    let price = format!("{whole},{decimals:02} €");
    check_order(
        "checkout",
        &format!("¡Listo! Tu pedido 1 está hecho: {price} en total. Ahora la tienda lo prepara."),
        "Pendiente",
    );
    assert_eq!(stocks(), [before[0] - 3, before[1] - 1]);
    assert_eq!(
        customer.act("view_cart", json!({})).is(200)["results"],
        json!([])
    );
    let pending = format!("Tu pedido 1 está pendiente: {price} en total.");
    check_order("order_status", &pending, "Pendiente");
    check_order("cancel_order", "Cancelé tu pedido 1.", "Cancelado");
    assert_eq!(stocks(), before);
    let repeated = customer.act("cancel_order", json!({"order_id": 1}));
    assert_eq!(
        (repeated.status, repeated.code().as_str()),
        (400, "order_closed")
    );
    assert_eq!(stocks(), before);
    let listed = customer.act("list_orders", json!({})).is(200);
    assert_eq!(listed["message"], "Tienes 1 pedido.");
    assert_eq!(keys(&listed["results"], "estado"), ["Cancelado"]);
}

#[test]
fn checkout_is_all_or_nothing() {
    let (first, second) = (shop().customer("first"), shop().customer("second"));
    // The only copy of 63 goes to the first; the second's other book stays on the shelf.
    for customer in [&first, &second] {
        customer.act("add_to_cart", json!({"book_id": 63})).is(200);
    }
    second
        .act("add_to_cart", json!({"book_id": 108, "cantidad": 2}))
        .is(200);
    let cart = second.act("view_cart", json!({})).text;
    let before = shop().guest().stock(108);
    first.act("checkout", json!({})).is(200);
    let refused = second.act("checkout", json!({}));
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (400, "insufficient_stock")
    );
    assert_eq!(shop().guest().stock(108), before);
    assert_eq!(second.act("view_cart", json!({})).text, cart);
    assert_eq!(
        second.act("list_orders", json!({})).is(200)["results"],
        json!([])
    );
}

#[test]
fn cancelling_from_many_places_returns_stock_once() {
    let customer = shop().customer("undecided");
    let before = shop().guest().stock(112);
    customer
        .act("add_to_cart", json!({"book_id": 112, "cantidad": 2}))
        .is(200);
    customer.act("checkout", json!({})).is(200);
    let answers = all_at_once(8, |_| {
        until_admitted(|| customer.act("cancel_order", json!({"order_id": 1})))
    });
    let mut codes: Vec<String> = answers.iter().map(Answer::code).collect();
    codes.sort();
    let mut expected = vec![""];
    expected.extend(["order_closed"; 7]);
    assert_eq!(codes, expected);
    assert_eq!(shop().guest().stock(112), before);
}

#[test]
fn checking_out_from_many_places_makes_one_order() {
    let customer = shop().customer("impatient");
    let before = shop().guest().stock(125);
    customer
        .act("add_to_cart", json!({"book_id": 125, "cantidad": 2}))
        .is(200);
    let answers = all_at_once(8, |_| {
        until_admitted(|| customer.act("checkout", json!({})))
    });
    let mut codes: Vec<String> = answers.iter().map(Answer::code).collect();
    codes.sort();
    let mut expected = vec![""];
    expected.extend(["empty_cart"; 7]);
    assert_eq!(codes, expected);
    assert_eq!(shop().guest().stock(125), before - 2);
    assert_eq!(
        customer.act("list_orders", json!({})).is(200)["actions"][0]["data"],
        json!({"count": 1, "next": null})
    );
}

#[test]
fn an_order_that_is_under_way_cannot_be_cancelled() {
    local_only("the demo customer who comes with a past");
    let ana = shop().signed_in_as("ana");
    for (order_id, estado) in [(1, "Entregado"), (2, "En Proceso")] {
        let status = ana
            .act("order_status", json!({"order_id": order_id}))
            .is(200);
        assert_eq!(status["results"][0]["estado"], estado);
        let refused = ana.act("cancel_order", json!({"order_id": order_id}));
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (400, "order_closed")
        );
    }
}

#[test]
fn an_order_keeps_the_prices_of_its_day() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("catalogue.jsonl");
    let priced = |precio: &str| {
        let mut repriced = item(127);
        repriced["precio"] = json!(precio);
        std::fs::write(&file, format!("{repriced}\n{}\n", item(134))).expect("a catalogue");
    };
    let setup = Setup::new()
        .kept_in(&folder.path().join("data"))
        .option("--catalogue", file.to_str().expect("a path"));
    priced("10.00");
    let shop = setup.start();
    let name = shop.customer("pinned").name;
    let two = json!({"book_id": 127, "cantidad": 2});
    shop.signed_in_as(&name)
        .act("add_to_cart", two.clone())
        .is(200);
    let order = shop.signed_in_as(&name).act("checkout", json!({})).is(200)["results"][0].clone();
    assert_eq!(order["total"], "20.00");
    shop.signed_in_as(&name).act("add_to_cart", two).is(200);
    assert_eq!(shop.interrupt().code(), Some(0));

    priced("12.50");
    let shop = setup.start();
    let customer = shop.signed_in_as(&name);
    let status = customer.act("order_status", json!({"order_id": 1})).is(200);
    assert_eq!(status["results"][0], order);
    let cart = customer.act("view_cart", json!({})).is(200);
    assert_eq!(cart["actions"][0]["data"], json!({"total": "25.00"}));
    let found = customer.chat("libro 127").is(200);
    assert_eq!(found["results"][0]["precio"], "12.50");
}

/// As prices in guaraníes are: each below the largest price, their sum far above.
const DEAR: &str = r#"
{"libro_id": 1, "titulo": "Enciclopedia escolar", "precio": "9999999.99", "stock": 20}
{"libro_id": 2, "titulo": "Atlas mayor", "precio": "20000.00", "stock": 1}
"#;

fn dear_shop(settings: &[(&str, &str)]) -> (tempfile::TempDir, Shop) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dear.jsonl");
    std::fs::write(&file, DEAR.trim()).expect("written");
    let setup = Setup::new().option("--catalogue", &file.display().to_string());
    let setup = settings
        .iter()
        .fold(setup, |setup, (name, value)| setup.set(name, value));
    (folder, setup.start())
}

#[test]
fn a_sum_over_the_largest_price_is_ordered_listed_exported_and_erased() {
    let (_folder, shop) = dear_shop(&[]);
    let customer = shop.customer("school");
    customer
        .act("add_to_cart", json!({"book_id": 1, "cantidad": 10}))
        .is(200);
    customer.act("add_to_cart", json!({"book_id": 2})).is(200);
    let cart = customer.act("view_cart", json!({})).is(200);
    assert_eq!(
        cart["message"],
        "En tu carrito hay 2 títulos: 100.019.999,90 € en total."
    );
    let ordered = customer.act("checkout", json!({})).is(200);
    assert_eq!(
        ordered["message"],
        "¡Listo! Tu pedido 1 está hecho: 100.019.999,90 € en total. Ahora la tienda lo prepara."
    );
    let listed = customer.act("list_orders", json!({})).is(200);
    assert_eq!(keys(&listed["results"], "total"), ["100019999.90"]);
    assert_eq!(
        customer.act("order_status", json!({"order_id": 1})).status,
        200
    );
    let exported = customer.get("/api/agent/history/export/");
    assert_eq!(exported.status, 200, "{exported:?}");
    assert!(exported.text.contains("100019999.90"), "{exported:?}");
    let erased = customer
        .call("DELETE", "/api/agent/history/all/")
        .send()
        .is(200);
    assert_eq!(
        (&erased["orders_kept"], &erased["cancelled"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(shop.guest().stock(1), 20);
}

#[test]
fn only_the_shops_limit_is_too_much() {
    let (_folder, shop) = dear_shop(&[("ORDER_TOTAL_MAX", "10000000")]);
    let customer = shop.customer("too-much");
    for item in [1, 2] {
        customer
            .act("add_to_cart", json!({"book_id": item}))
            .is(200);
    }
    let refused = customer.act("checkout", json!({}));
    let seen = (refused.status, refused.code());
    assert_eq!(seen, (400, "order_too_large".to_owned()), "{refused:?}");
    let message = refused.json()["message"].clone();
    assert_eq!(
        message,
        "Tu pedido suma 10.019.999,99 € y aquí puedo tramitar hasta 10.000.000,00 €: quita algo o habla con la tienda."
    );
    assert_eq!(shop.guest().stock(1), 20);
    customer
        .act("remove_from_cart", json!({"book_id": 2}))
        .is(200);
    customer.act("checkout", json!({})).is(200);
}

#[test]
fn orders_are_listed_in_parts() {
    let customer = shop().customer("regular");
    for _ in 0..3 {
        customer.act("add_to_cart", json!({"book_id": 126})).is(200);
        customer.act("checkout", json!({})).is(200);
    }
    let listed = customer.act("list_orders", json!({"limit": 2})).is(200);
    assert_eq!(listed["message"], "Tienes 3 pedidos.");
    assert_eq!(keys(&listed["results"], "order_id"), [3, 2]);
    assert_eq!(listed["actions"][0]["data"], json!({"count": 3, "next": 2}));
    let rest = customer
        .act("list_orders", json!({"limit": 2, "before": 2}))
        .is(200);
    assert_eq!(keys(&rest["results"], "order_id"), [1]);
    assert_eq!(
        rest["actions"][0]["data"],
        json!({"count": 3, "next": null})
    );
    for order in 1..=3 {
        customer
            .act("cancel_order", json!({"order_id": order}))
            .is(200);
    }
}
