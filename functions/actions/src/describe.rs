//! The endpoint for programs.

use mostrador_core::{actions::ACTIONS, answer::Action};
use mostrador_web::openapi::{Access, Document, Operation, idempotency_parameter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What is to be done.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ActionBody {
    /// What is to be done.
    #[schemars(extend("enum" = ACTIONS))]
    action: String,
    /// `book_id` and `cantidad`, `reservation_id`, `order_id` or `approval`, as the action needs. Lists take `limit` (1 to 100, default
    /// 100) and `before`, a number below which they go on: the `next` of the part before.
    #[serde(default)]
    payload: Option<Map<String, Value>>,
    /// A flag; what is none counts as false.
    #[serde(default)]
    #[schemars(with = "Value")]
    trace: Option<bool>,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct ActionAnswer {
    /// For people.
    pub(super) message: String,
    /// Cart lines, reservations or orders.
    pub(super) results: Vec<Value>,
    /// One `action_result`.
    pub(super) actions: Vec<Action>,
    /// The refusal's code, where it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trace: Option<Value>,
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let request = document.schema::<ActionBody>();
    let answer = document.schema::<ActionAnswer>();
    document.add(Operation {
        path: super::PATH,
        method: "POST",
        id: "act",
        summary: "Have something done: cart, reservations, orders.",
        access: Access::SignedIn,
        parameters: vec![idempotency_parameter()],
        request: Some(request),
        request_example: json!({"action": "add_to_cart", "payload": {"book_id": 1, "cantidad": 2}}),
        content_type: "application/json",
        answers: vec![(200, Some(answer.clone())), (400, Some(answer))],
        answer_example: json!({
            "message": "Añadí «Cien años de soledad» al carrito: ahora llevas 2.",
            "results": [{
                "id": "1", "libro_id": 1, "titulo": "Cien años de soledad", "autor": "Gabriel García Márquez", "cantidad": 2,
                "precio": "25.99", "subtotal": "51.98",
            }],
            "actions": [{
                "type": "action_result", "action": "add_to_cart", "ok": true, "error": null, "warnings": [],
                "data": {"total": "51.98"},
            }],
        }),
        problems: &[400, 401, 406, 409, 413, 415, 422, 429, 503],
    });
}
