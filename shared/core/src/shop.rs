//! The shop's profile: what it sells, and how that is called.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::language::{Argument, Arguments, Language, PageText};

/// What a shop says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it sells, by the tags of languages.
    pub noun: BTreeMap<String, Noun>,
}

/// A word for one item of the shop's, in one language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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

/// The bookshop that is there to be tried.
static BOOKSHOP: LazyLock<Profile> = LazyLock::new(|| {
    let noun = |one: &str, many: &str| Noun {
        one: one.to_owned(),
        many: many.to_owned(),
        gender: masculine(),
    };
    Profile {
        noun: BTreeMap::from([
            ("es".to_owned(), noun("libro", "libros")),
            ("en".to_owned(), noun("book", "books")),
            ("pt".to_owned(), noun("livro", "livros")),
        ]),
    }
});

impl Default for Profile {
    fn default() -> Self {
        BOOKSHOP.clone()
    }
}

/// A language, and the shop's own words in it.
#[derive(Debug, Clone, Copy)]
pub struct Locale<'a> {
    pub language: Language,
    pub shop: &'a Profile,
}

impl Profile {
    /// `books` or `other`: what messages that know books ask for.
    fn sells(&self) -> &'static str {
        let sells_books = self.noun.get("en").is_some_and(|noun| noun.one == "book");
        if sells_books { "books" } else { "other" }
    }

    /// This shop's words in `language`.
    #[must_use]
    pub fn locale(&self, language: Language) -> Locale<'_> {
        Locale {
            language,
            shop: self,
        }
    }
}

impl Locale<'_> {
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
    fn noun(&self) -> Cow<'_, Noun> {
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

    fn arguments(self, noun: &Noun) -> [(&'static str, Argument<'_>); 4] {
        [
            ("item", (&noun.one).into()),
            ("items", (&noun.many).into()),
            ("gender", (&noun.gender).into()),
            ("sells", self.shop.sells().into()),
        ]
    }
}
