//! Sentences for people: Fluent messages, some files a language.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, OnceLock},
};

use fluent_bundle::{
    FluentArgs, FluentResource, FluentValue, bundle::FluentBundle as Bundle,
    concurrent::FluentBundle,
};
use fluent_syntax::ast::{Entry, Message, Pattern};
use serde::Serialize;

use super::{Language, languages::LANGUAGES};

/// What stands in a message's place for `{ $name }`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument<'a> {
    Text(&'a str),
    /// Also decides between singular and plural.
    Count(u64),
}

impl<'a> From<&'a str> for Argument<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Argument<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

macro_rules! from_counts {
    ($($number:ty),+) => {$(
        impl From<$number> for Argument<'_> {
            fn from(count: $number) -> Self {
                Self::Count(u64::try_from(count).unwrap_or(u64::MAX))
            }
        }
    )+};
}

from_counts!(u8, u16, u32, u64, usize);

/// The arguments of a message, by their names.
pub type Arguments<'a> = [(&'static str, Argument<'a>)];

/// Which messages: each file is read when its first is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    /// Those of the endpoints.
    Messages,
    /// The chat page's.
    Page,
    /// Those of the conversation in a terminal.
    Terminal,
}

/// The files by their names, in the order of [`File`].
pub(super) const FILES: [&str; 3] = ["messages.ftl", "page.ftl", "terminal.ftl"];

/// The files of a language's folder.
macro_rules! messages {
    ($tag:literal) => {
        [
            include_str!(concat!($tag, "/messages.ftl")),
            include_str!(concat!($tag, "/page.ftl")),
            include_str!(concat!($tag, "/terminal.ftl")),
        ]
    };
}

pub(super) use messages;

/// A file that was read.
struct Read {
    resource: Arc<FluentResource>,
    bundle: FluentBundle<Arc<FluentResource>>,
}

static READ: LazyLock<Vec<[OnceLock<Read>; FILES.len()]>> =
    LazyLock::new(|| LANGUAGES.iter().map(|_| Default::default()).collect());

impl Read {
    fn new(tag: &str, messages: &str) -> Self {
        let resource = FluentResource::try_new(messages.to_owned());
        // A test holds that every file is read without an error; what can be read of a damaged one is used.
        let (Ok(resource) | Err((resource, _))) = resource;
        let resource = Arc::new(resource);
        let mut bundle = Bundle::new_concurrent(tag.parse().into_iter().collect());
        // Isolating marks would stand in every surface's text; none of the languages is written from right to left.
        bundle.set_use_isolating(false);
        bundle.add_resource_overriding(Arc::clone(&resource));
        Self { resource, bundle }
    }

    fn message(&self, key: &str, arguments: &Arguments<'_>) -> String {
        let pattern = self.bundle.get_message(key);
        let Some(pattern) = pattern.and_then(|message| message.value()) else {
            tracing::error!(key, "there is no such message");
            return key.to_owned();
        };
        self.render(key, pattern, arguments)
    }

    fn render(&self, key: &str, pattern: &Pattern<&str>, arguments: &Arguments<'_>) -> String {
        let mut given = FluentArgs::with_capacity(arguments.len());
        for (name, argument) in arguments {
            let value = match *argument {
                Argument::Text(text) => FluentValue::from(text),
                Argument::Count(count) => FluentValue::from(count),
            };
            given.set(*name, value);
        }
        let mut errors = Vec::new();
        let bundle = &self.bundle;
        let text = bundle.format_pattern(pattern, Some(&given), &mut errors);
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a message lacks something");
        }
        text.into_owned()
    }

    /// Every message of the file, in its order.
    fn messages(&self) -> impl Iterator<Item = &Message<&str>> {
        self.resource.entries().filter_map(|entry| match entry {
            Entry::Message(message) => Some(message),
            _ => None,
        })
    }
}

impl Language {
    fn read(self, file: File) -> &'static Read {
        let read = &READ[self.index()][file as usize];
        let files = self.files();
        read.get_or_init(|| Read::new(files.tag, files.messages[file as usize]))
    }

    /// The message `key` in this language, with `arguments` in their places.
    ///
    /// A key that does not exist is rendered as itself; a test looks for such keys.
    #[must_use]
    pub fn message(self, key: &str, arguments: &Arguments<'_>) -> String {
        self.read(File::Messages).message(key, arguments)
    }

    /// The message `key`, which takes no arguments.
    #[must_use]
    pub fn text(self, key: &str) -> String {
        self.message(key, &[])
    }

    /// The message `key` of a conversation in a terminal.
    #[must_use]
    pub fn terminal(self, key: &str, arguments: &Arguments<'_>) -> String {
        self.read(File::Terminal).message(key, arguments)
    }

    /// The chat page's strings, with the shop's `noun` in its places.
    #[must_use]
    pub fn page(self, noun: &Arguments<'_>) -> BTreeMap<&'static str, PageText> {
        let read = self.read(File::Page);
        let filled_in_later = FILLED_IN_BY_PAGE.map(|(name, text)| (name, text.into()));
        let arguments = [noun, &filled_in_later].concat();
        let text = |(key, pattern)| read.render(key, pattern, &arguments);
        let messages = read.messages().map(|message| {
            let key = message.id.name;
            let page_text = match &message.value {
                Some(pattern) => PageText::Plain(text((key, pattern))),
                None => {
                    let forms = message.attributes.iter();
                    let forms = forms.map(|form| (form.id.name, text((key, &form.value))));
                    PageText::Forms(forms.collect())
                }
            };
            (key, page_text)
        });
        messages.collect()
    }
}

/// What the page itself puts into its strings, and how it finds the place.
const FILLED_IN_BY_PAGE: [(&str, &str); 4] = [
    ("count", "{count}"),
    ("seconds", "{seconds}"),
    ("name", "{name}"),
    ("page", "{page}"),
];

/// A string of the page's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PageText {
    Plain(String),
    /// By the names of what it is for: plural categories, tools, states.
    Forms(BTreeMap<&'static str, String>),
}
