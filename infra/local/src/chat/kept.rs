//! What the shop keeps of a customer, and what it is configured with.

use mostrador_core::{
    price::{Price, Total},
    purchases::OrderStatus,
    shop::{Locale, Profile},
};
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{client::Client, failure::Failure, text};

/// Most messages that are printed: the newest.
const MESSAGES: usize = 50;

/// The conversation's messages, and the customer's cart, reservations, orders and notes.
pub(super) async fn all(client: &Client, shop: &Profile) -> Result<Vec<String>, Failure> {
    let locale = Locale {
        language: client.language,
        shop,
    };
    let page = format!("/api/agent/history/?limit={MESSAGES}");
    let mut all = messages(&client.get(&page).await?, locale);
    let now = OffsetDateTime::now_utc();
    for (action, row) in ROWS {
        let body = json!({"action": action});
        let answer = client.post("/api/agent/actions/", &body).await?;
        let mut entries: Vec<&Value> = answer["results"].as_array().into_iter().flatten().collect();
        // By words they are listed so, and meant by their places.
        entries.sort_by_key(|entry| entry["reservation_id"].as_u64());
        all.push(text(&answer["message"]));
        let rows = entries
            .into_iter()
            .filter_map(|entry| row(entry, now, locale));
        all.extend(rows.enumerate().map(|(place, row)| match action {
            // Orders have numbers already.
            "list_orders" => format!("  - {row}"),
            _ => format!("  {}. {row}", place + 1),
        }));
    }
    Ok(all)
}

/// How an entry of the customer's own is written; nothing where it is over.
type Row = fn(&Value, OffsetDateTime, Locale<'_>) -> Option<String>;

const ROWS: [(&str, Row); 4] = [
    ("view_cart", cart_row),
    ("list_reservations", reservation_row),
    ("list_orders", order_row),
    ("view_profile", note_row),
];

fn messages(page: &Value, locale: Locale<'_>) -> Vec<String> {
    let language = locale.language;
    let messages = page["messages"].as_array().map(Vec::as_slice);
    let messages = messages.unwrap_or_default();
    if messages.is_empty() {
        return vec![language.terminal("no-messages", &[])];
    }
    let conversation = &page["conversation"];
    let number = conversation["id"].to_string();
    let count = conversation["message_count"].as_u64().unwrap_or_default();
    let arguments = [("number", (&number).into()), ("count", count.into())];
    let mut lines = vec![language.terminal("kept-messages", &arguments)];
    if !page["next"].is_null() {
        lines.push("  …".to_owned());
    }
    for message in messages {
        let is_of_person = message["meta"]["from"] == "staff";
        let who = match message["role"].as_str() {
            Some("user") => language.terminal("you", &[]),
            Some("assistant") if is_of_person => language.terminal("person", &[]),
            Some("assistant") => locale.shop.assistant().to_owned(),
            _ => language.terminal("shop", &[]),
        };
        let content = text(&message["content"]).replace('\n', "\n    ");
        lines.push(format!("  {who}: {content}"));
    }
    lines
}

fn cart_row(entry: &Value, _: OffsetDateTime, locale: Locale<'_>) -> Option<String> {
    let title = text(&entry["titulo"]);
    let price = Price::parse(entry["precio"].as_str()?)
        .ok()?
        .display(locale);
    let arguments = [
        ("title", (&title).into()),
        ("count", entry["cantidad"].as_u64()?.into()),
        ("price", (&price).into()),
    ];
    Some(locale.message("bought", &arguments))
}

fn reservation_row(entry: &Value, now: OffsetDateTime, locale: Locale<'_>) -> Option<String> {
    let title = text(&entry["titulo"]);
    let until = OffsetDateTime::parse(entry["expires_at"].as_str()?, &Rfc3339).ok()?;
    let hours = (until - now).whole_hours().max(0).unsigned_abs();
    let arguments = [
        ("title", (&title).into()),
        ("count", entry["cantidad"].as_u64()?.into()),
        ("hours", hours.into()),
    ];
    let is_active = entry["estado"] == "activa";
    is_active.then(|| locale.message("reservation-line", &arguments))
}

fn order_row(entry: &Value, _: OffsetDateTime, locale: Locale<'_>) -> Option<String> {
    let status: OrderStatus = serde_json::from_value(entry["estado"].clone()).ok()?;
    let status = locale.text(status.message());
    let total = Total::parse(entry["total"].as_str()?).ok()?.display(locale);
    let arguments = [
        ("id", entry["order_id"].as_u64()?.into()),
        ("status", (&status).into()),
        ("total", (&total).into()),
    ];
    Some(locale.message("order-line", &arguments))
}

fn note_row(entry: &Value, _: OffsetDateTime, _: Locale<'_>) -> Option<String> {
    entry["text"].as_str().map(str::to_owned)
}

/// Which model and which index answer.
pub(super) async fn state(client: &Client) -> Result<Vec<String>, Failure> {
    let language = client.language;
    let status = client.get("/api/agent/status/").await?;
    let model = match status["llm"]["model"].as_str() {
        Some(model) => language.terminal("state-model", &[("model", model.into())]),
        None => language.terminal("state-no-model", &[]),
    };
    let retrieval = &status["retrieval"];
    let index = match retrieval["build_id"].as_str() {
        Some(build) => {
            let count = retrieval["items"].as_u64().unwrap_or_default();
            let arguments = [("build", build.into()), ("count", count.into())];
            language.terminal("state-index", &arguments)
        }
        None => language.terminal("state-no-index", &[]),
    };
    Ok(vec![model, index])
}
