//! A shop's profile.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Interval, Kinds, Noun};
use crate::{ids::ItemId, language::Language};

/// A text in several languages, by their tags.
pub type Texts = BTreeMap<String, String>;

/// A shop's profile. Everything but the name may be left out; [`Profile::check`] reports what of it makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    #[serde(default)]
    pub name: String,
    /// The assistant's name; the shop's, where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<String>,
    /// How the assistant writes, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<String>,
    /// The tags of the languages it answers in, the default first; all that there are, where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// What its prices are in, by ISO 4217.
    #[serde(default = "euro")]
    pub currency: String,
    /// Where its clock is, by the IANA's names. Opening hours need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// What its items are, whatever they are called.
    #[serde(default)]
    pub sells: Sells,
    /// What it calls its items, by the tags of languages; a general word, where it does not say.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub noun: BTreeMap<String, Noun>,
    /// What its items have besides what all items have, in the order in which they are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    #[serde(default, skip_serializing_if = "Contact::is_empty")]
    pub contact: Contact,
    /// When it is open, by the names of weekdays. A day that is left out is a day on which it is closed; no day at all says nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hours: BTreeMap<String, Vec<Interval>>,
    /// Days with other hours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// Its branches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// What it says of shipping, returns and the like, by topic.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub policies: BTreeMap<String, Texts>,
    /// What else it says of itself, from the Markdown files beside the profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    /// What else its categories are called, by their names and the tags of languages.
    #[serde(default, skip_serializing_if = "Kinds::is_empty")]
    pub kinds: Kinds,
    /// The items that it recommends itself, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<ItemId>,
    #[serde(default)]
    pub prompt: Prompt,
    /// What a shopper may begin with, by the tags of languages.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub starters: BTreeMap<String, Vec<String>>,
    /// Whether an item may cost nothing.
    #[serde(default)]
    pub zero_prices: bool,
    /// Whether persons of the shop answer in the chat, where a customer asks for one.
    #[serde(default)]
    pub handoff: bool,
    /// Whom somebody in distress can call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub helpline: Option<Helpline>,
}

fn euro() -> String {
    "EUR".to_owned()
}

/// What items are: books have numbers, authors and publishers, and anything else has what the profile says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sells {
    Books,
    #[default]
    Other,
}

impl Sells {
    /// As the profile names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Books => "books",
            Self::Other => "other",
        }
    }
}

/// Something that a shop's items have: an author, a size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// What the catalogue calls it.
    pub key: String,
    /// What people call it.
    pub label: Texts,
    #[serde(rename = "type")]
    pub holds: Holds,
    /// It names an item, as an author or a brand does.
    #[serde(default)]
    pub names: bool,
    /// Shoppers may filter by it.
    #[serde(default)]
    pub filter: bool,
    /// Its values are counted over what was found.
    #[serde(default)]
    pub facet: bool,
}

/// What an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    Text,
    Number,
    /// Several texts, such as the sizes there are.
    List,
}

impl Holds {
    /// As the profile names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::List => "list",
        }
    }
}

/// How to reach the shop.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// A number with its country, `+34 …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whatsapp: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Contact {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A day, or days up to another one, with other hours than their weekday's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// `2026-12-25`.
    #[serde(default)]
    pub date: String,
    /// The last of several days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// None where it is closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hours: Vec<Interval>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reason: Texts,
}

/// A longer text about the shop, cut into passages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What customers see as its source.
    pub title: String,
    /// The tag of its language; the shop's default, where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    pub passages: Vec<Passage>,
}

/// A paragraph of a document, told word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// What stands above it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    pub text: String,
}

impl Passage {
    /// Longest text of one, in characters: an answer has room for it.
    pub const CHARS_MAX: usize = 600;
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub name: String,
    pub address: String,
}

/// What an answer may be like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prompt {
    /// So many lines that begin with a dash, where there is enough to list.
    pub bullets_min: u16,
    pub bullets_max: u16,
    pub max_chars: u16,
    /// How a model is to write, where that differs from the assistant's tone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<String>,
}

impl Default for Prompt {
    fn default() -> Self {
        Self {
            bullets_min: 2,
            bullets_max: 5,
            max_chars: 800,
            tone: None,
        }
    }
}

/// Whom somebody in distress can call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Helpline {
    pub name: String,
    pub phone: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Profile {
    /// A shop that has a name and has said nothing else of itself.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            assistant: None,
            tone: None,
            languages: Vec::new(),
            currency: euro(),
            time_zone: None,
            sells: Sells::Other,
            noun: BTreeMap::new(),
            attributes: Vec::new(),
            contact: Contact::default(),
            hours: BTreeMap::new(),
            exceptions: Vec::new(),
            places: Vec::new(),
            policies: BTreeMap::new(),
            documents: Vec::new(),
            kinds: Kinds::default(),
            picks: Vec::new(),
            prompt: Prompt::default(),
            starters: BTreeMap::new(),
            zero_prices: false,
            handoff: false,
            helpline: None,
        }
    }

    /// What the assistant is called.
    #[must_use]
    pub fn assistant(&self) -> &str {
        self.assistant.as_deref().unwrap_or(&self.name)
    }

    /// How a model is to write, where the shop says.
    #[must_use]
    pub fn tone(&self) -> Option<&str> {
        self.prompt.tone.as_deref().or(self.tone.as_deref())
    }

    /// The languages it answers in, the default first.
    #[must_use]
    pub fn languages(&self) -> Vec<Language> {
        if self.languages.is_empty() {
            return Language::all().collect();
        }
        let mut languages = Vec::new();
        for language in self
            .languages
            .iter()
            .filter_map(|tag| Language::from_tag(tag))
        {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        languages
    }

    /// The language of a shopper whose own is not known.
    #[must_use]
    pub fn default_language(&self) -> Language {
        self.languages().first().copied().unwrap_or_default()
    }

    /// A text in `language`, or else in the shop's default, or else in any.
    #[must_use]
    pub fn text<'a>(&self, texts: &'a Texts, language: Language) -> Option<&'a str> {
        let text = texts
            .get(language.tag())
            .or_else(|| texts.get(self.default_language().tag()))
            .or_else(|| texts.values().next());
        text.map(String::as_str)
    }

    /// The documents in `language`, or else in the shop's default.
    pub(crate) fn documents_in(&self, language: Language) -> impl Iterator<Item = &Document> {
        let default = self.default_language();
        let is_in = move |document: &Document, language: Language| {
            let own = document.language.as_deref().and_then(Language::from_tag);
            own.unwrap_or(default) == language
        };
        let has_own = self.documents.iter().any(|one| is_in(one, language));
        let language = if has_own { language } else { default };
        let documents = self.documents.iter();
        documents.filter(move |document| is_in(document, language))
    }

    /// The attribute of that key.
    #[must_use]
    pub fn attribute(&self, key: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.key == key)
    }
}
