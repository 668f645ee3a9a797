//! The shop's profile: what it sells, and how that is called.

mod attributes;
mod check;
pub mod currency;
mod faults;
mod hours;
mod kinds;
mod profile;
mod read;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    language::{Argument, Arguments, Language, PageText},
    text::{place_of, words},
};

pub use faults::Fault;
pub(crate) use faults::{Faults, listed};
pub use hours::{Interval, InvalidInterval, Opening, Weekday};
pub(crate) use hours::{clock, date, in_words, minute};
pub use kinds::Kinds;
pub(crate) use kinds::{age, says_age};
pub use profile::{
    Attribute, Contact, Document, Exception, Helpline, Holds, Passage, Place, Profile, Prompt,
    Sells, Texts,
};
pub(crate) use read::{read_members, without_unread};

/// A word for one item of the shop's, in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noun {
    pub one: String,
    pub many: String,
    /// `f` or `m`, where the language has either.
    #[serde(default = "masculine")]
    pub gender: String,
}

fn masculine() -> String {
    "m".to_owned()
}

/// A shop of books that has published no profile.
static BOOKSHOP: LazyLock<Profile> = LazyLock::new(|| {
    // A test reads it.
    serde_json::from_str(include_str!("shop/bookshop.json")).unwrap_or_else(|error| {
        tracing::error!(%error, "the profile of every shop that has none");
        Profile::named("Mostrador")
    })
});

impl Default for Profile {
    fn default() -> Self {
        BOOKSHOP.clone()
    }
}

/// Where the shop's profile comes from.
#[async_trait]
pub trait ProfileSource: Send + Sync {
    /// The profile as it is published, or else the default.
    async fn current(&self) -> Arc<Profile>;
}

/// A profile that stays as it is.
#[async_trait]
impl ProfileSource for Arc<Profile> {
    async fn current(&self) -> Arc<Profile> {
        Self::clone(self)
    }
}

/// A language, and the shop's own words in it.
#[derive(Debug, Clone, Copy)]
pub struct Locale<'a> {
    pub language: Language,
    pub shop: &'a Profile,
}

impl Profile {
    /// Whether its items are books.
    #[must_use]
    pub fn sells_books(&self) -> bool {
        self.sells == Sells::Books
    }

    /// Whether a message says what one of its items is called in any language: "libro".
    pub(crate) fn says_noun(&self, message: &str) -> bool {
        let said = words(message);
        let nouns = self.noun.values();
        let mut nouns = nouns.flat_map(|noun| [words(&noun.one), words(&noun.many)]);
        nouns.any(|noun| !noun.is_empty() && place_of(&noun, &said).is_some())
    }

    /// The language in which `message` is answered: its own where that is clear and the shop answers in it, else `accepted`; where
    /// that is the default, which need not have been asked for, the one language that has what the message calls the shop's categories;
    /// else the shop's default.
    #[must_use]
    pub fn language_of(&self, message: &str, accepted: Language) -> Language {
        let is_default = accepted == Language::default();
        let of_kinds = || self.kinds.language_of(message).filter(|_| is_default);
        let own = Language::of_text(message).or_else(of_kinds);
        let own = own.filter(|language| self.languages().contains(language));
        self.locale(own.unwrap_or(accepted)).language
    }

    /// This shop's words in `language`, or in its default where it does not answer in that.
    #[must_use]
    pub fn locale(&self, language: Language) -> Locale<'_> {
        let languages = self.languages();
        let answers = languages.contains(&language);
        Locale {
            language: if answers {
                language
            } else {
                self.default_language()
            },
            shop: self,
        }
    }
}

impl<'a> Locale<'a> {
    /// How the shop is reached, in a line; nothing where its profile does not say.
    #[must_use]
    pub fn contact(&self) -> Option<String> {
        let contact = &self.shop.contact;
        let whatsapp = contact.whatsapp.as_ref();
        let whatsapp = whatsapp.map(|number| format!("WhatsApp {number}"));
        let ways = [
            contact.phone.clone(),
            whatsapp,
            contact.email.clone(),
            contact.url.clone(),
        ];
        let ways: Vec<String> = ways.into_iter().flatten().collect();
        let list = ways.join("; ");
        (!list.is_empty()).then(|| self.message("shop-contact", &[("list", (&list).into())]))
    }

    /// Who speaks.
    #[must_use]
    pub(crate) fn who(self) -> String {
        let shop = ("shop", (&self.shop.name).into());
        match &self.shop.assistant {
            Some(assistant) => self.message("shop-who", &[("assistant", assistant.into()), shop]),
            None => self.message("shop-who-itself", &[shop]),
        }
    }

    /// The message `key`, with `arguments` and the shop's noun (`$item`, `$items`, `$gender`, `$sells`) in their places.
    #[must_use]
    pub fn message(self, key: &str, arguments: &Arguments<'_>) -> String {
        let noun = self.noun();
        let all = [self.arguments(&noun).as_slice(), arguments].concat();
        self.language.message(key, &all)
    }

    /// The message `key`, which takes no arguments but the shop's noun.
    #[must_use]
    pub fn text(self, key: &str) -> String {
        self.message(key, &[])
    }

    /// The chat page's strings.
    #[must_use]
    pub fn page(self) -> BTreeMap<&'static str, PageText> {
        self.language.page(&self.arguments(&self.noun()))
    }

    /// The shop's noun, or else a general one.
    #[must_use]
    pub fn noun(&self) -> Cow<'_, Noun> {
        let noun = self.shop.noun.get(self.language.tag());
        noun.map_or_else(
            || {
                Cow::Owned(Noun {
                    one: self.language.text("item-one"),
                    many: self.language.text("item-many"),
                    gender: masculine(),
                })
            },
            Cow::Borrowed,
        )
    }

    /// What a shopper may begin with.
    #[must_use]
    pub fn starters(self) -> &'a [String] {
        let starters = self.shop.starters.get(self.language.tag());
        starters.map(Vec::as_slice).unwrap_or_default()
    }

    fn arguments(self, noun: &Noun) -> [(&'static str, Argument<'_>); 4] {
        [
            ("item", (&noun.one).into()),
            ("items", (&noun.many).into()),
            ("gender", (&noun.gender).into()),
            ("sells", self.shop.sells.name().into()),
        ]
    }
}
