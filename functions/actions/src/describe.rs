//! The endpoint for programs.

use mostrador_core::turn::Action;
use mostrador_web::openapi::{Access, Document, Operation, idempotency_parameter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is to be done.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ActionBody {
    /// `add_to_cart`, `view_cart`, `remove_from_cart`, `clear_cart`, `checkout`, `reserve_book`, `list_reservations`,
    /// `cancel_reservation`, `order_status`, `list_orders`, `cancel_order`, `approve` or `reject`.
    action: String,
    /// `book_id` and `cantidad`, `reservation_id`, `order_id` or `approval`, as the action needs. Lists take `limit` (1 to 100, default
    /// 100) and `before`, a number below which they go on: the `next` of the part before.
    #[serde(default)]
    payload: Option<Map<String, Value>>,
    #[serde(default)]
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
        path: super::ROUTES[0].path,
        method: "POST",
        id: "act",
        summary: "Have something done: cart, reservations, orders.",
        access: Access::SignedIn,
        parameters: vec![idempotency_parameter()],
        request: Some(request),
        content_type: "application/json",
        answers: vec![(200, Some(answer.clone())), (400, Some(answer))],
        problems: &[400, 401, 406, 409, 413, 415, 422, 429, 503],
    });
}
