//! Sentences for people: Fluent messages, one file a language.

use std::sync::LazyLock;

use fluent_bundle::{
    FluentArgs, FluentResource, FluentValue, bundle::FluentBundle as Bundle,
    concurrent::FluentBundle,
};

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

from_counts!(u32, u64, usize);

/// Read once in a process, when the first message is rendered.
static MESSAGES: LazyLock<Vec<FluentBundle<FluentResource>>> = LazyLock::new(|| {
    LANGUAGES
        .iter()
        .map(|files| read(files.tag, files.messages))
        .collect()
});

fn read(tag: &str, messages: &str) -> FluentBundle<FluentResource> {
    let mut bundle = Bundle::new_concurrent(tag.parse().into_iter().collect());
    // Isolating marks would stand in every surface's text; none of the languages is written from right to left.
    bundle.set_use_isolating(false);
    let resource = FluentResource::try_new(messages.to_owned());
    // A test holds that every file is read without an error; what can be read of a damaged one is used.
    let (Ok(resource) | Err((resource, _))) = resource;
    bundle.add_resource_overriding(resource);
    bundle
}

impl Language {
    /// The message `key` in this language, with `arguments` in their places.
    ///
    /// A key that does not exist is rendered as itself; a test looks for such keys.
    #[must_use]
    pub fn message(self, key: &str, arguments: &[(&'static str, Argument<'_>)]) -> String {
        let bundle = &MESSAGES[usize::from(self.0)];
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, "there is no such message");
            return key.to_owned();
        };
        let mut given = FluentArgs::with_capacity(arguments.len());
        for (name, argument) in arguments {
            let value = match *argument {
                Argument::Text(text) => FluentValue::from(text),
                Argument::Count(count) => FluentValue::from(count),
            };
            given.set(*name, value);
        }
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&given), &mut errors);
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a message lacks something");
        }
        text.into_owned()
    }

    /// The message `key`, which takes no arguments.
    #[must_use]
    pub fn text(self, key: &str) -> String {
        self.message(key, &[])
    }
}
