//! The one list of languages.

/// What a language's folder holds.
pub(super) struct Files {
    pub(super) tag: &'static str,
    pub(super) messages: [&'static str; super::messages::FILES.len()],
    pub(super) lists: [&'static str; super::lexicon::LISTS.len()],
}

/// A folder beside this file, by its name: the language's tag.
macro_rules! files {
    ($tag:literal) => {
        Files {
            tag: $tag,
            messages: super::messages::messages!($tag),
            lists: super::lexicon::lists!($tag),
        }
    };
}

/// A caller whose language is not known has the first.
pub(super) static LANGUAGES: [Files; super::Language::COUNT] =
    [files!("es"), files!("en"), files!("pt")];
