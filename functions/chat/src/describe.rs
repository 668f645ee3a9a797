//! The endpoint for programs.

use mostrador_core::{answer::Answer, turn::ChatBody};
use mostrador_web::openapi::{
    Access, Document, ITEM, Operation, idempotency_parameter, model_key_parameter,
};
use serde_json::json;

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let request = document.schema::<ChatBody>();
    let answer = document.schema::<Answer>();
    document.add(Operation {
        path: super::PATH,
        method: "POST",
        id: "chat",
        summary: "Ask the counter; the answer comes whole.",
        access: Access::Anyone,
        parameters: vec![idempotency_parameter(), model_key_parameter()],
        request: Some(request),
        request_example: json!({"message": "novela de realismo mágico sobre una familia", "k": 3}),
        content_type: "application/json",
        answers: vec![(200, Some(answer))],
        answer_example: json!({
            "message": "Aquí lo tienes:\n- «Cien años de soledad», de Gabriel García Márquez: 25,99 €, quedan 15.\n\
                        - ¿Quieres ver libros parecidos?",
            "segments": [
                [{"text": "Aquí lo tienes:"}],
                [
                    {"text": "- "}, {"text": "«Cien años de soledad», de Gabriel García Márquez", "item": 0}, {"text": ": "},
                    {"text": "25,99 €", "item": 0, "fact": "precio"}, {"text": ", "},
                    {"text": "quedan 15", "item": 0, "fact": "stock"}, {"text": "."},
                ],
                [{"text": "- ¿Quieres ver libros parecidos?"}],
            ],
            "results": [ITEM.clone()],
            "actions": [{"type": "view_book", "libro_id": 1}],
            "notice": "Te responde un asistente automático; los precios y las existencias son los del catálogo.",
            "conversation": 1, "persist_history_confirmation": true,
        }),
        problems: &[400, 401, 404, 406, 409, 413, 415, 422, 429, 503],
    });
}
