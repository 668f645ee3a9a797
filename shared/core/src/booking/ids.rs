//! What the things of a business are called: plain texts on the wire.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Of what people name in a file, in characters.
const NAME_CHARS: usize = 40;
/// Of what programs name, in bytes: one fits into a key with several others.
const KEY_BYTES: usize = 128;

/// Small letters, digits and `-`, a letter or a digit first.
fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.starts_with('-')
        && !text.is_empty()
        && text.len() <= NAME_CHARS
        && text.chars().all(is_plain)
}

/// Nothing that would end a line or a part of a key.
fn is_key(text: &str) -> bool {
    let is_harmless = |c: char| !c.is_control() && !c.is_whitespace() && c != '#';
    !text.is_empty() && text.len() <= KEY_BYTES && text.chars().all(is_harmless)
}

macro_rules! text_id {
    ($id:ident, $fits:ident, $description:literal) => {
        #[doc = $description]
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $id(String);

        impl $id {
            /// Nothing where it cannot be one.
            #[must_use]
            pub fn read(text: &str) -> Option<Self> {
                $fits(text).then(|| Self(text.to_owned()))
            }

            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read = Self::read(&text);
                read.ok_or_else(|| serde::de::Error::custom(concat!("no ", stringify!($id))))
            }
        }
    };
}

text_id!(
    BusinessId,
    is_name,
    "A business, among all that one installation serves."
);
text_id!(BranchId, is_name, "A branch of a business.");
text_id!(CategoryId, is_name, "A group of a business's services.");
text_id!(ServiceId, is_name, "What a business offers.");
text_id!(
    CalendarId,
    is_name,
    "A person or a room, by which a place in time is taken."
);
text_id!(
    AppointmentId,
    is_key,
    "An appointment, from the hold that it begins as until long after it is over."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain_and_keys_end_nothing() {
        for (text, name, key) in [
            ("corte-mujer", true, true),
            ("3d", true, true),
            ("", false, false),
            ("-a", false, true),
            ("Corte", false, true),
            ("peluquería", false, true),
            ("a b", false, false),
            ("a#b", false, false),
            ("+34600000000", false, true),
        ] {
            assert_eq!(ServiceId::read(text).is_some(), name, "{text}");
            assert_eq!(AppointmentId::read(text).is_some(), key, "{text}");
        }
        for (length, name, key) in [(40, true, true), (41, false, true), (129, false, false)] {
            let text = "a".repeat(length);
            assert_eq!(ServiceId::read(&text).is_some(), name, "{length}");
            assert_eq!(AppointmentId::read(&text).is_some(), key, "{length}");
        }
        let read = serde_json::from_str::<ServiceId>("\"corte\"").unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), "\"corte\"");
        let refused = serde_json::from_str::<ServiceId>("\"Corte\"").unwrap_err();
        assert_eq!(refused.to_string(), "no ServiceId");
    }
}
