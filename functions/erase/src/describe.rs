//! The endpoint for programs.

use mostrador_core::erasure::Erased;
use mostrador_web::openapi::{Access, Document, Operation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What was erased.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Forgotten {
    pub(crate) message: String,
    #[serde(flatten)]
    pub(crate) erased: Erased,
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let forgotten = document.schema::<Forgotten>();
    document.add(Operation {
        path: super::PATH,
        method: "DELETE",
        id: "erase_customer",
        summary: "Erase everything that is kept of the customer. Orders stay in the shop's books without telling whose they were.",
        access: Access::SignedIn,
        parameters: Vec::new(),
        request: None,
        request_example: Value::Null,
        answer_example: json!({
            "message": "Hecho: borré todo lo que tenía de ti.", "conversations": 2, "cancelled": 1, "orders_kept": 1, "appointments": 0,
            "files": 0,
        }),
        content_type: "application/json",
        answers: vec![(200, Some(forgotten))],
        problems: &[401, 406, 409, 413, 429, 503],
    });
}
