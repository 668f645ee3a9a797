//! The endpoint for programs.

use mostrador_core::turn::{Answer, ChatBody};
use mostrador_web::openapi::{Access, Document, Operation, idempotency_parameter};

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
