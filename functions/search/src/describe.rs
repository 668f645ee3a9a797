//! The endpoints for programs, and the types they answer with.

use std::collections::BTreeMap;

use mostrador_core::{
    catalogue::ItemResult,
    index::{Facets, Source},
    model::CostMode,
};
use mostrador_web::openapi::{Access, Document, ITEM, Operation, query_parameter, such_as};
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
    pub(crate) results: Vec<ItemResult>,
    /// Where `facets` was true: the categories, authors and attributes of everything found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) facets: Option<Facets>,
}

/// What the shop says of itself, in one of its languages.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopAnswer {
    pub(crate) name: String,
    /// What the assistant is called.
    pub(crate) assistant: String,
    /// The language of the texts below.
    pub(crate) language: String,
    /// All that it answers in, the default first.
    pub(crate) languages: Vec<String>,
    /// What it sells.
    pub(crate) noun: ShopNoun,
    pub(crate) currency: ShopCurrency,
    pub(crate) time_zone: Option<String>,
    /// The seven days, Monday first; nothing where it has no hours.
    pub(crate) hours: Option<Vec<ShopDay>>,
    pub(crate) exceptions: Vec<ShopException>,
    /// Now; nothing where it has no hours.
    pub(crate) opening: Option<ShopOpening>,
    pub(crate) contact: ShopContact,
    pub(crate) places: Vec<ShopPlace>,
    /// What its items have besides what all items have.
    pub(crate) attributes: Vec<ShopAttribute>,
    /// What a shopper may begin with.
    pub(crate) starters: Vec<String>,
    /// What it says of shipping, returns and the like, by topic.
    pub(crate) policies: BTreeMap<String, String>,
    /// Whom somebody in distress can call.
    pub(crate) helpline: Option<ShopHelpline>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopHelpline {
    pub(crate) name: String,
    pub(crate) phone: String,
    pub(crate) url: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopNoun {
    pub(crate) one: String,
    pub(crate) many: String,
    /// `f` or `m`, where the language has either.
    pub(crate) gender: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopCurrency {
    /// By ISO 4217.
    pub(crate) code: String,
    pub(crate) decimals: u8,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopDay {
    /// `monday` to `sunday`.
    pub(crate) day: String,
    /// Such as `10:00-14:00`; none where it is closed.
    pub(crate) hours: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopException {
    pub(crate) date: String,
    /// The last of several days.
    pub(crate) until: Option<String>,
    /// None where it is closed.
    pub(crate) hours: Vec<String>,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopOpening {
    pub(crate) is_open: bool,
    /// When it closes or opens next, by the shop's clock; nothing where it does neither for two months.
    pub(crate) changes_at: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopContact {
    pub(crate) phone: Option<String>,
    pub(crate) whatsapp: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) url: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopPlace {
    pub(crate) name: String,
    pub(crate) address: String,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ShopAttribute {
    pub(crate) key: String,
    pub(crate) label: String,
    /// `text`, `number` or `list`.
    #[serde(rename = "type")]
    pub(crate) holds: String,
    /// It names an item, as an author or a brand does.
    pub(crate) names: bool,
    /// Shoppers may filter by it.
    pub(crate) filter: bool,
    /// Its values are counted over what was found.
    pub(crate) facet: bool,
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
    let shop = document.schema::<ShopAnswer>();
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
            "Also count the categories, the authors (of books) and the attributes with `facet` of everything found.",
            json!({"type": "string"}),
        ),
        query_parameter(
            "sort",
            "The best first (`relevance`, the default), or all that answer the question by price, year or sales: `price_asc`, \
             `price_desc`, `newest`, `most_sold`. What is sold out comes last; what has not been sold is not among the most sold.",
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
        query_parameter(
            "atributo.{key}",
            "Words of an attribute that the shop's profile lets shoppers filter by: `atributo.talla=M`. `GET /api/agent/shop/` names \
             them, in `attributes`; one parameter for each.",
            Value::Null,
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
            "An item's id (a book's number): its neighbours, without itself.",
            json!({"type": "string"}),
        ),
    ];
    let operation = |path, id, summary, access, answer| Operation {
        answers: vec![(200, Some(answer))],
        problems: &[401, 406, 413, 429, 503],
        ..Operation::new(path, "GET", id, summary, access)
    };
    document.add(Operation {
        parameters,
        answer_example: json!({
            "query": "una familia en un pueblo", "k": 5, "source": "vector", "degraded": false, "warnings": [],
            "results": [ITEM.clone()],
        }),
        problems: &[400, 401, 406, 413, 429, 503],
        ..operation(super::SEARCH, "search", "Find books.", Access::Anyone, answer)
    });
    document.add(Operation {
        answer_example: json!({
            "name": "Hilo y Percha", "assistant": "Inés", "language": "es", "languages": ["es", "en"],
            "noun": {"one": "prenda", "many": "prendas", "gender": "f"}, "currency": {"code": "EUR", "decimals": 2},
            "time_zone": "Europe/Madrid", "hours": [{"day": "monday", "hours": ["10:00-14:00", "17:00-20:00"]}],
            "exceptions": [{"date": "2026-12-25", "until": null, "hours": [], "reason": "Navidad"}],
            "opening": {"is_open": true, "changes_at": "2026-06-01T14:00:00+02:00"},
            "contact": {"phone": "+34 910 000 000", "whatsapp": null, "email": "hola@tienda.example", "url": null},
            "places": [{"name": "Hilo y Percha", "address": "Calle del Almendro, 7, 28005 Madrid"}],
            "attributes": [
                {"key": "talla", "label": "Talla", "type": "list", "names": false, "filter": true, "facet": true},
            ],
            "starters": ["Una camisa de lino"],
            "policies": {"shipping": "Enviamos a toda España en dos días laborables."},
            "helpline": null,
        }),
        ..operation(
            super::SHOP,
            "shop",
            "What the shop says of itself.",
            Access::Anyone,
            shop,
        )
    });
    document.add(operation(
        super::STATUS,
        "status",
        "What is configured.",
        Access::SignedIn,
        status,
    ));
}
