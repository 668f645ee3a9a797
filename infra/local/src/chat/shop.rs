//! The shop that is talked to, as its sentences need it.

use mostrador_core::{
    language::Language,
    shop::{Noun, Profile},
};
use serde_json::Value;

use super::{client::Client, failure::Failure};

/// The shop that answers there; a failure where none does.
pub(super) async fn fetch(client: &Client) -> Result<Profile, Failure> {
    let answer = client.get("/api/agent/shop/").await?;
    of_answer(&answer, client.language).ok_or(Failure::Foreign)
}

fn of_answer(answer: &Value, language: Language) -> Option<Profile> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut shop = Profile {
        name: text(&answer["name"])?,
        assistant: text(&answer["assistant"]),
        currency: text(&answer["currency"]["code"])?,
        ..Profile::default()
    };
    let noun: Option<Noun> = serde_json::from_value(answer["noun"].clone()).ok();
    if let Some(noun) = noun {
        shop.noun.insert(language.tag().to_owned(), noun);
    }
    Some(shop)
}
