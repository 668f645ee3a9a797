//! The endpoint for programs.

use mostrador_core::turn::Answer;
use mostrador_web::openapi::{Access, Document, Operation, idempotency_parameter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The request as it is documented; the reader takes more than this, and forgives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ChatBody {
    /// What the shopper says: 1 to 4,000 characters.
    #[schemars(length(min = 1, max = 4000))]
    message: String,
    /// How many results: 1 to 20, 5 where it is left out.
    #[serde(default)]
    k: Option<u32>,
    /// Meaning and keywords (true) or keywords alone.
    #[serde(default)]
    prefer_vector: Option<bool>,
    /// Whether a model may word the answer.
    #[serde(default)]
    use_llm: Option<bool>,
    /// Whether to tell how the answer came about.
    #[serde(default)]
    trace: Option<bool>,
    /// Whether to keep question and answer (signed-in callers).
    #[serde(default)]
    save_history: Option<bool>,
    /// The conversation's number; the active one where it is left out.
    #[serde(default)]
    conversation: Option<u32>,
    /// The model to ask, where the shop offers a choice.
    #[serde(default)]
    model: Option<String>,
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let request = document.schema::<ChatBody>();
    let answer = document.schema::<Answer>();
    document.add(Operation {
        path: super::ROUTES[0].path,
        method: "POST",
        id: "chat",
        summary: "Ask the counter; the answer comes whole.",
        access: Access::Anyone,
        parameters: vec![idempotency_parameter()],
        request: Some(request),
        content_type: "application/json",
        answers: vec![(200, Some(answer))],
        problems: &[400, 401, 404, 406, 409, 413, 415, 422, 429, 503],
    });
}
