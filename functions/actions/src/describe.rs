//! The endpoints for programs.

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
    /// `book_id` and `cantidad`, or `items` with several of both for `add_to_cart`, `reservation_id`, `order_id`, `text`, `note_id`, `notes` or `approval`, as the action needs. Appointments take `service`, `starts_at` and more, as their
    /// page says. Lists take `limit` (1 to 100, default
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
    /// Cart lines, reservations, orders, what is remembered, services, free times or appointments.
    pub(super) results: Vec<Value>,
    /// One `action_result`.
    pub(super) actions: Vec<Action>,
    /// The refusal's code, where it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trace: Option<Value>,
}

/// What is to be remembered of the customer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ProfileBody {
    /// Sentences of at most 200 characters, in the order in which they are to be shown: at most 20. Those that are remembered already
    /// keep their numbers, all others are forgotten.
    notes: Vec<String>,
}

/// What is remembered of the customer at their wish.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProfileAnswer {
    #[schemars(with = "Vec<ProfileNote>")]
    pub(super) notes: Vec<Value>,
}

/// A sentence that is remembered.
#[derive(Debug, Serialize, JsonSchema)]
struct ProfileNote {
    /// Its number among all that were ever remembered.
    note_id: u32,
    /// In the customer's own words.
    text: String,
    #[schemars(extend("format" = "date-time"))]
    created_at: String,
}

/// Adds these endpoints to the document.
pub fn describe(document: &mut Document) {
    let request = document.schema::<ActionBody>();
    let answer = document.schema::<ActionAnswer>();
    document.add(Operation {
        path: super::ACTIONS,
        method: "POST",
        id: "act",
        summary: "Have something done: cart, reservations, orders, appointments.",
        access: Access::SignedIn,
        parameters: vec![idempotency_parameter()],
        request: Some(request),
        request_example: json!({"action": "add_to_cart", "payload": {"book_id": 1, "cantidad": 2}}),
        content_type: "application/json",
        answers: vec![(200, Some(answer.clone())), (400, Some(answer))],
        answer_example: json!({
            "message": "Hecho: ya llevas 2 de «Cien años de soledad» en el carrito.",
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
    describe_profile(document);
}

fn describe_profile(document: &mut Document) {
    let request = document.schema::<ProfileBody>();
    let answer = document.schema::<ProfileAnswer>();
    let answered = |notes: Value, operation: Operation| Operation {
        answers: vec![(200, Some(answer.clone()))],
        answer_example: json!({"notes": notes}),
        ..operation
    };
    let operation =
        |method, id, summary| Operation::new(super::PROFILE, method, id, summary, Access::SignedIn);
    let note = json!({"note_id": 1, "text": "leo en inglés", "created_at": "2026-09-21T14:13:20Z"});
    document.add(answered(
        json!([note]),
        Operation {
            problems: &[401, 406, 413, 429, 503],
            ..operation(
                "GET",
                "read_profile",
                "What is remembered of the customer at their wish.",
            )
        },
    ));
    document.add(answered(
        json!([note]),
        Operation {
            request: Some(request),
            request_example: json!({"notes": ["leo en inglés"]}),
            problems: &[400, 401, 406, 409, 413, 415, 429, 503],
            ..operation(
                "PATCH",
                "change_profile",
                "Have exactly these sentences remembered of the customer.",
            )
        },
    ));
    document.add(answered(
        json!([]),
        Operation {
            problems: &[401, 406, 409, 413, 429, 503],
            ..operation(
                "DELETE",
                "forget_profile",
                "Have everything forgotten that is remembered of the customer.",
            )
        },
    ));
}
