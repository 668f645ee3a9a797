//! Each tool as a model uses it: records are rendered by the shop, in true figures, and by nobody else.

use serde_json::{Value, json};

use super::{
    Does, QUESTION, REPLY, calls, nothing, replies,
    shop::{Turn, ana, engine, turn},
};
use crate::{ids::Owner, turn::What};

const CART: &str = "En tu carrito hay 2 títulos: 47,40 € en total.\n\
    - «Rayuela»: 2 × 18,95 €\n\
    - «Pedro Páramo»: 1 × 9,50 €";
const ORDERS: &str = "Tienes 2 pedidos.\n\
    - Pedido 2: pendiente, 45,40 €\n\
    - Pedido 1: entregado, 11,00 €";
const ORDER: &str = "Tu pedido 2 está pendiente: 45,40 € en total.\n\
    - «Rayuela»: 2 × 17,95 €\n\
    - «Pedro Páramo»: 1 × 9,50 €";
const RESERVATIONS: &str = "Tienes 1 reserva activa.\n\
    - «Pedro Páramo» (1), durante 20 horas más";

const NOTES: &str = "No recuerdo nada de ti. Si quieres que recuerde algo, dime por ejemplo: «recuerda que leo en inglés».";

const SHOP: &str = "Aquí vendemos libros.";

/// A turn of `owner` whose model calls a tool, and then replies this.
async fn using(owner: Option<Owner>, tool: &'static str, arguments: Value, then: Does) -> Turn {
    let engine = engine(vec![calls(tool, arguments), then]);
    turn(&engine, owner, QUESTION, nothing).await.unwrap()
}

/// What came of the tool that the model called: its error, and what it rendered.
fn outcome(turn: &Turn) -> (Option<String>, Vec<String>) {
    let mut results = turn.events.iter().filter_map(|event| match &event.what {
        What::ToolResult { result, error, .. } => Some((error.clone(), result.lines.clone())),
        _ => None,
    });
    results.next_back().unwrap()
}

#[tokio::test(start_paused = true)]
async fn looked_up_records_are_rendered_by_the_shop() {
    for (tool, arguments, expected, error) in [
        ("view_cart", json!({}), CART, None),
        ("list_orders", json!({}), ORDERS, None),
        ("order_status", json!({"order_id": 2}), ORDER, None),
        ("list_reservations", json!({}), RESERVATIONS, None),
        ("view_profile", json!({}), NOTES, None),
        ("shop_info", json!({}), SHOP, None),
        (
            "order_status",
            json!({"order_id": 9}),
            "No encuentro ese pedido.",
            Some("order_not_found"),
        ),
    ] {
        let turn = using(Some(ana()), tool, arguments, replies("")).await;
        assert_eq!(turn.answer.message, expected, "{tool}");
        let lines = expected
            .lines()
            .map(|line| line.trim_start_matches("- ").to_owned());
        assert_eq!(
            outcome(&turn),
            (error.map(str::to_owned), lines.collect()),
            "{tool}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_may_go_on_beside_a_record_but_not_about_it() {
    for (reply, goes_on) in [
        ("Aquí lo tienes.", false),
        ("Tu carrito suma 12,00 €.", false),
        ("En total son 18,95 €.", false),
        ("Son 47,40 € en total.", false),
        ("Tu pedido ya está entregado.", false),
        ("Llega mañana.", false),
        ("¿Te lo dejo en 12,00 €?", false),
        ("¿Busco algo más?", true),
        ("{1} es de 1963.", true),
    ] {
        let turn = using(Some(ana()), "view_cart", json!({}), replies(reply)).await;
        let after = turn.answer.message.strip_prefix(CART);
        let after = after.unwrap_or_else(|| panic!("{reply}: {}", turn.answer.message));
        assert_eq!(!after.is_empty(), goes_on, "{reply}: {after}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_order_of_somebody_elses_does_not_exist() {
    let other = Owner::new("default", "eva").unwrap();
    for order_id in [1, 2, 9] {
        let arguments = json!({"order_id": order_id});
        let turn = using(Some(other.clone()), "order_status", arguments, replies("")).await;
        assert_eq!(
            turn.answer.message, "No encuentro ese pedido.",
            "{order_id}"
        );
    }
    let turn = using(Some(other), "list_orders", json!({}), replies("")).await;
    assert_eq!(turn.answer.message, "Todavía no tienes pedidos.");
}

#[tokio::test(start_paused = true)]
async fn a_guest_has_nothing_looked_up() {
    for tool in [
        "view_cart",
        "list_orders",
        "order_status",
        "list_reservations",
        "view_profile",
    ] {
        let turn = using(None, tool, json!({}), replies(REPLY)).await;
        assert!(
            turn.answer.message.contains("Rayuela"),
            "{}",
            turn.answer.message
        );
        let refused = (Some("invalid_arguments".to_owned()), vec![]);
        assert_eq!(outcome(&turn), refused, "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn tools_that_find_items_list_them() {
    for (tool, arguments) in [
        ("search_catalog", json!({"text": "Rulfo"})),
        ("lookup_book", json!({"item_id": 3})),
        ("filter_catalog", json!({"autor": "Rulfo"})),
        ("recommend_similar", json!({"item_id": 1})),
    ] {
        let turn = using(Some(ana()), tool, arguments, replies("- {1} es breve.")).await;
        let mut ids = turn.answer.results.iter().map(|item| item.libro_id);
        assert!(ids.any(|id| id == 3), "{tool}: {:?}", turn.answer.results);
        assert_eq!(outcome(&turn), (None, vec![]), "{tool}");
    }
}
