//! The cart: what is in it, what it costs, and that nobody's change is lost.

use serde_json::{Value, json};

use crate::{
    actions::done,
    harness::{all_at_once, cents, item, keys, shop, until_admitted},
};

fn line(libro_id: u64, cantidad: u64, subtotal: &str) -> Value {
    let item = item(libro_id);
    json!({
        "id": libro_id.to_string(), "libro_id": libro_id, "titulo": item["titulo"], "autor": item["autor"], "precio": item["precio"],
        "cantidad": cantidad, "subtotal": subtotal,
    })
}

#[test]
fn a_cart_from_first_to_last() {
    let customer = shop().customer("cart");
    let (dune, hobbit) = (line(231, 2, "35.90"), line(232, 1, "39.90"));
    let steps = [
        (
            "view_cart",
            json!({}),
            "Tu carrito está vacío.",
            json!([]),
            "0.00",
        ),
        (
            "add_to_cart",
            json!({"book_id": 231, "cantidad": 2}),
            "Hecho: ya llevas 2 de «El hobbit» en el carrito.",
            json!([dune]),
            "35.90",
        ),
        (
            "add_to_cart",
            json!({"book_id": "232"}),
            "Hecho: «El Señor de los Anillos» está en tu carrito.",
            json!([dune, hobbit]),
            "75.80",
        ),
        (
            "add_to_cart",
            json!({"book_id": 231, "cantidad": "1"}),
            "Hecho: ya llevas 3 de «El hobbit» en el carrito.",
            json!([line(231, 3, "53.85"), hobbit]),
            "93.75",
        ),
        (
            "view_cart",
            json!(null),
            "En tu carrito hay 2 títulos: 93,75 € en total.",
            json!([line(231, 3, "53.85"), hobbit]),
            "93.75",
        ),
        (
            "remove_from_cart",
            json!({"book_id": 231, "cantidad": 2}),
            "Hecho: te queda 1 en el carrito.",
            json!([line(231, 1, "17.95"), hobbit]),
            "57.85",
        ),
        (
            "remove_from_cart",
            json!({"book_id": 232}),
            "Hecho: lo quité del carrito.",
            json!([line(231, 1, "17.95")]),
            "17.95",
        ),
        (
            "clear_cart",
            json!({}),
            "Tu carrito está vacío.",
            json!([]),
            "0.00",
        ),
        (
            "view_cart",
            json!({}),
            "Tu carrito está vacío.",
            json!([]),
            "0.00",
        ),
    ];
    for (action, payload, message, lines, total) in steps {
        let expected = done(action, message, &lines, &json!({"total": total}));
        let answer = customer.act(action, payload);
        assert_eq!(answer.seen(&[]), (200, expected), "{action}");
    }
    // A cart takes no stock.
    assert_eq!(shop().guest().stock(231), 3);
}

#[test]
fn quantities_are_clamped_with_a_warning() {
    for (cantidad, expected, warnings) in [
        (json!(null), 1, json!([])),
        (json!(10), 10, json!([])),
        (json!("4"), 4, json!([])),
        (json!(0), 1, json!(["quantity_raised_to_1"])),
        (json!(-7), 1, json!(["quantity_raised_to_1"])),
        (json!(11), 10, json!(["quantity_lowered_to_10"])),
        (json!(1e300), 10, json!(["quantity_lowered_to_10"])),
        (json!("muchos"), 1, json!(["quantity_not_a_number"])),
        (json!(2.5), 1, json!(["quantity_not_a_number"])),
        (json!([3]), 1, json!(["quantity_not_a_number"])),
        (json!(true), 1, json!(["quantity_not_a_number"])),
    ] {
        let customer = shop().customer("quantity");
        let body = customer
            .act("add_to_cart", json!({"book_id": 10, "cantidad": cantidad}))
            .is(200);
        assert_eq!(
            (
                &body["results"][0]["cantidad"],
                &keys(&body["actions"], "warnings")[0]
            ),
            (&json!(expected), &warnings),
            "{cantidad}"
        );
    }
}

#[test]
fn concurrent_changes_of_one_cart_lose_nothing() {
    let customer = shop().customer("hasty");
    let items = [10, 21, 28, 37];
    all_at_once(32, |index| {
        let payload = json!({"book_id": items[index % items.len()], "cantidad": 1});
        until_admitted(|| customer.act("add_to_cart", payload.clone())).is(200)
    });
    let cart = customer.act("view_cart", json!({})).is(200);
    let lines = cart["results"].as_array().unwrap();
    let mut counted: Vec<_> = lines
        .iter()
        .map(|line| (line["libro_id"].as_u64(), line["cantidad"].as_u64()))
        .collect();
    counted.sort_unstable();
    assert_eq!(counted, items.map(|id| (Some(id), Some(8))));
    let total: u64 = lines.iter().map(|line| cents(&line["subtotal"])).sum();
    let sum: u64 = items.iter().map(|id| 8 * cents(&item(*id)["precio"])).sum();
    assert_eq!(
        (total, cents(&cart["actions"][0]["data"]["total"])),
        (sum, sum)
    );
}
