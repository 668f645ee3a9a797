//! The shop that is talked to, as its sentences need it.

use mostrador_core::{
    language::Language,
    shop::{Attribute, Holds, Noun, Profile, Texts},
};
use serde_json::Value;

use super::{client::Client, failure::Failure, text};

/// The shop that answers there; a failure where none does.
pub(super) async fn fetch(client: &Client) -> Result<Profile, Failure> {
    let answer = client.get("/api/agent/shop/").await?;
    of_answer(&answer, client.language).ok_or(Failure::Foreign)
}

pub(super) fn of_answer(answer: &Value, language: Language) -> Option<Profile> {
    let word = |value: &Value| value.as_str().map(str::to_owned);
    let attributes = answer["attributes"].as_array().into_iter().flatten();
    let naming = attributes.filter(|attribute| attribute["names"] == true);
    let mut shop = Profile {
        name: word(&answer["name"])?,
        assistant: word(&answer["assistant"]),
        currency: word(&answer["currency"]["code"])?,
        attributes: naming
            .map(|attribute| naming_attribute(&attribute["key"]))
            .collect(),
        ..Profile::default()
    };
    let noun: Option<Noun> = serde_json::from_value(answer["noun"].clone()).ok();
    if let Some(noun) = noun {
        shop.noun.insert(language.tag().to_owned(), noun);
    }
    Some(shop)
}

fn naming_attribute(key: &Value) -> Attribute {
    Attribute {
        key: text(key),
        label: Texts::new(),
        holds: Holds::Text,
        names: true,
        filter: false,
        facet: false,
    }
}
