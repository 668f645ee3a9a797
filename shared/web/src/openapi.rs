//! The machine-readable form of the endpoints, made from the types on their wire.

use std::sync::LazyLock;

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::problem::ProblemBody;

/// An item as answers have it, for examples.
pub static ITEM: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "id": "1", "libro_id": 1, "titulo": "Cien años de soledad", "autor": "Gabriel García Márquez", "isbn": "9780307474728",
        "precio": "25.99", "moneda": "EUR", "url": null, "imagen": null, "codigo": "9780307474728", "atributos": {}, "categoria": "Novela", "stock": 15, "editorial": "Sudamericana", "año_publicacion": 1967,
        "descripcion": "Siete generaciones de una familia en Macondo.", "score": 0.83,
    })
});

/// Collects operations into an `OpenAPI` 3.1 document.
pub struct Document {
    generator: SchemaGenerator,
    paths: Map<String, Value>,
}

/// One operation: what it takes and what it gives.
pub struct Operation {
    pub path: &'static str,
    pub method: &'static str,
    pub id: &'static str,
    pub summary: &'static str,
    pub access: Access,
    pub parameters: Vec<Value>,
    pub request: Option<Value>,
    /// A body that is taken.
    pub request_example: Value,
    /// Of good answers.
    pub content_type: &'static str,
    /// Status and schema of good answers, and of bad ones that are no problem bodies.
    pub answers: Vec<(u16, Option<Value>)>,
    /// What the first of them may look like.
    pub answer_example: Value,
    /// Statuses answered with a problem body.
    pub problems: &'static [u16],
}

impl Operation {
    /// An operation without parameters and body whose answers are JSON; answers and problems are added by the caller.
    #[must_use]
    pub fn new(
        path: &'static str,
        method: &'static str,
        id: &'static str,
        summary: &'static str,
        access: Access,
    ) -> Self {
        Self {
            path,
            method,
            id,
            summary,
            access,
            parameters: Vec::new(),
            request: None,
            request_example: Value::Null,
            content_type: "application/json",
            answers: Vec::new(),
            answer_example: Value::Null,
            problems: &[],
        }
    }
}

/// Who may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Anyone,
    SignedIn,
}

impl Default for Document {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self {
            generator: settings.into_generator(),
            paths: Map::new(),
        }
    }
}

impl Document {
    /// The schema of a type, kept once for all who refer to it.
    pub fn schema<T: JsonSchema>(&mut self) -> Value {
        self.generator.subschema_for::<T>().to_value()
    }

    /// Adds an operation.
    pub fn add(&mut self, operation: Operation) {
        let problem = self.schema::<ProblemBody>();
        let mut responses = Map::new();
        let mut example = operation.answer_example;
        for (status, schema) in operation.answers {
            let mut response = json!({"description": reason(status), "headers": answer_headers()});
            if let Some(schema) = schema {
                response["content"] = json!({operation.content_type: {"schema": schema}});
                if !example.is_null() {
                    response["content"][operation.content_type]["example"] = example.take();
                }
            }
            responses.insert(status.to_string(), response);
        }
        for status in operation.problems {
            let entry = responses
                .entry(status.to_string())
                .or_insert_with(|| json!({"description": reason(*status), "headers": answer_headers(), "content": {}}));
            entry["content"]["application/problem+json"] = json!({"schema": problem});
        }
        let mut described = json!({
            "operationId": operation.id, "summary": operation.summary, "responses": responses,
            "security": match operation.access {
                Access::Anyone => json!([{}, {"bearer": []}]),
                Access::SignedIn => json!([{"bearer": []}]),
            },
        });
        if !operation.parameters.is_empty() {
            described["parameters"] = operation.parameters.into();
        }
        if let Some(schema) = operation.request {
            let content = json!({"schema": schema, "example": operation.request_example});
            described["requestBody"] =
                json!({"required": true, "content": {"application/json": content}});
        }
        let path = self
            .paths
            .entry(operation.path)
            .or_insert_with(|| json!({}));
        path[operation.method.to_ascii_lowercase()] = described;
    }

    /// The whole document.
    #[must_use]
    pub fn finish(mut self) -> Value {
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Mostrador", "version": env!("CARGO_PKG_VERSION"),
                "description": "The assistant behind a shop's counter: finds, answers, acts, remembers.",
                "license": {"name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT"},
            },
            "paths": self.paths,
            "components": {
                "schemas": self.generator.take_definitions(true),
                "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            },
        })
    }
}

/// A part of the path.
#[must_use]
pub fn path_parameter(name: &str, description: &str, schema: Value) -> Value {
    json!({"name": name, "in": "path", "required": true, "description": description, "schema": schema})
}

/// A parameter of the query string.
#[must_use]
pub fn query_parameter(name: &str, description: &str, schema: Value) -> Value {
    let schema = if schema.is_null() {
        json!({"type": "string"})
    } else {
        schema
    };
    json!({"name": name, "in": "query", "required": false, "description": description, "schema": schema})
}

/// The same where it cannot be left out.
#[must_use]
pub fn required(mut parameter: Value) -> Value {
    parameter["required"] = true.into();
    parameter
}

/// The same with a value that it may have.
#[must_use]
pub fn such_as(mut parameter: Value, example: impl Into<Value>) -> Value {
    parameter["example"] = example.into();
    parameter
}

/// A whole number of at most sixteen digits; what is above its own range is brought into that.
#[must_use]
pub fn count() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 9_999_999_999_999_999_u64})
}

/// The header that brings a caller's own model key.
#[must_use]
pub fn model_key_parameter() -> Value {
    json!({
        "name": "X-LLM-API-Key", "in": "header", "required": false,
        "description": "A signed-in caller's own key for the model, where the shop takes one (`llm.byo_key_allowed` of the status). It is \
                        used for this request alone and kept nowhere.",
        "schema": {"type": "string"},
    })
}

/// The header that makes a POST repeatable.
#[must_use]
pub fn idempotency_parameter() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header", "required": false,
        "description": "The first terminal answer to the same key and body is replayed for 24 hours (signed-in callers).",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    })
}

fn answer_headers() -> Value {
    json!({"X-Request-Id": {"description": "This request's id, also in the logs.", "schema": {"type": "string", "format": "uuid"}}})
}

fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or_default()
}
