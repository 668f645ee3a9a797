//! The endpoints for programs, and the types they answer with.

use std::collections::BTreeMap;

use mostrador_core::{
    catalogue::BookResult,
    index::{Facets, Source},
    model::CostMode,
};
use mostrador_web::openapi::{Access, BOOK, Document, Operation, query_parameter, such_as};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Books found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SearchAnswer {
    pub(crate) query: String,
    pub(crate) k: usize,
    pub(crate) source: Source,
    pub(crate) degraded: bool,
    pub(crate) warnings: Vec<String>,
    pub(crate) results: Vec<BookResult>,
    /// Where `facets` was true: the categories and authors of everything found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) facets: Option<Facets>,
}

/// What is configured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Status {
    pub(crate) llm: LlmStatus,
    pub(crate) retrieval: RetrievalStatus,
    pub(crate) tools: ToolStatus,
    pub(crate) limits: BTreeMap<String, RateStatus>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LlmStatus {
    pub(crate) provider: String,
    pub(crate) model: Option<String>,
    pub(crate) available: bool,
    /// `model`, or `deterministic` where every answer is built from the results.
    pub(crate) mode: String,
    pub(crate) requires_byo_key: bool,
    pub(crate) byo_key_allowed: bool,
    pub(crate) timeout_sec: u64,
    pub(crate) max_tokens: u32,
    pub(crate) cost_mode: CostMode,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RetrievalStatus {
    pub(crate) vector_ready: bool,
    pub(crate) build_id: Option<String>,
    pub(crate) items: usize,
    pub(crate) embedder: Option<String>,
    pub(crate) built_at: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToolStatus {
    pub(crate) read_only: Vec<String>,
    pub(crate) actions: Vec<String>,
    pub(crate) actions_requires_auth: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RateStatus {
    pub(crate) limit: u32,
    pub(crate) window_seconds: u32,
}

/// Adds these endpoints to the document.
pub fn describe(document: &mut Document) {
    let answer = document.schema::<SearchAnswer>();
    let status = document.schema::<Status>();
    // Hints: what is not understood counts as left out, with a warning.
    let amount = || json!({"type": "string"});
    let parameters = vec![
        such_as(
            query_parameter(
                "q",
                "Free text, up to 1,000 characters without the blanks around it.",
                Value::Null,
            ),
            "una familia en un pueblo",
        ),
        query_parameter(
            "k",
            "How many results: 1 to 20, 5 where it is left out.",
            json!({"type": "string"}),
        ),
        query_parameter(
            "prefer_vector",
            "Meaning and keywords (true) or keywords alone.",
            json!({"type": "string"}),
        ),
        query_parameter(
            "prefix",
            "The last word may be the beginning of one, for suggestions while somebody types.",
            json!({"type": "string"}),
        ),
        query_parameter(
            "facets",
            "Also count the categories and authors of everything found.",
            json!({"type": "string"}),
        ),
        query_parameter("categoria", "Words of the category.", Value::Null),
        query_parameter(
            "autor",
            "Words of the author's name, in any order.",
            Value::Null,
        ),
        query_parameter("editorial", "Words of the publisher's name.", Value::Null),
        query_parameter(
            "disponible",
            "Copies left (true) or sold out (false).",
            json!({"type": "string"}),
        ),
        such_as(
            query_parameter("precio_min", "Lowest price.", amount()),
            "10",
        ),
        such_as(
            query_parameter("precio_max", "Highest price.", amount()),
            "19.95",
        ),
        query_parameter(
            "similar_to",
            "A book's number: its neighbours, without itself.",
            json!({"type": "string"}),
        ),
    ];
    let operation = |path, id, summary, access, answer| Operation {
        path,
        method: "GET",
        id,
        summary,
        access,
        parameters: Vec::new(),
        request: None,
        request_example: Value::Null,
        answer_example: Value::Null,
        content_type: "application/json",
        answers: vec![(200, Some(answer))],
        problems: &[401, 406, 413, 429, 503],
    };
    document.add(Operation {
        parameters,
        answer_example: json!({
            "query": "una familia en un pueblo", "k": 5, "source": "vector", "degraded": false, "warnings": [],
            "results": [BOOK.clone()],
        }),
        problems: &[400, 401, 406, 413, 429, 503],
        ..operation(super::SEARCH, "search", "Find books.", Access::Anyone, answer)
    });
    document.add(operation(
        super::STATUS,
        "status",
        "What is configured.",
        Access::SignedIn,
        status,
    ));
}
