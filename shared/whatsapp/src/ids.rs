//! Identifiers of the platform: plain strings on the wire, bounded here.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A string that cannot be the identifier that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {expected}")]
pub struct InvalidId {
    expected: &'static str,
}

/// An identifier with its check; `Debug` has what `$logged` makes of it.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $expected:literal, $read:expr, $logged:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// # Errors
            /// [`InvalidId`] where it is empty, too long, or has characters that such identifiers do not have.
            pub fn new(text: &str) -> Result<Self, InvalidId> {
                let read: fn(&str) -> Option<String> = $read;
                read(text).map(Self).ok_or(InvalidId { expected: $expected })
            }

            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let logged: fn(&str) -> String = $logged;
                write!(f, "{}({})", stringify!($name), logged(&self.0))
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::new(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}

id!(
    /// A customer within one business portfolio (`user_id`, "BSUID"): `ES.` and up to 128 letters and digits. It is another one
    /// after the customer has changed number.
    UserId, "a business-scoped user id", |text| scoped(text, 160), str::to_owned
);
id!(
    /// A customer within all portfolios of an organisation that has them linked (`parent_user_id`): `ES.ENT.…`.
    ParentUserId, "a parent user id", |text| scoped(text, 160), str::to_owned
);
id!(
    /// A telephone number in digits, with its country's code and without `+`; also what the platform calls `wa_id`. Never in a log.
    Phone, "a telephone number", digits, |_| "…".to_owned()
);
id!(
    /// The business' number as the platform addresses it (`phone_number_id`).
    PhoneNumberId, "a phone number id", |text| visible(text, 64), str::to_owned
);
id!(
    /// The WhatsApp Business Account (`entry.id`).
    AccountId, "an account id", |text| visible(text, 64), str::to_owned
);
id!(
    /// A message (`wamid.…`). It holds the customer's number in Base64, so logs have [`MessageId::log_name`] instead.
    MessageId, "a message id", |text| visible(text, 512), log_name
);
id!(
    /// A group of customers in which the business takes part.
    GroupId, "a group id", |text| visible(text, 256), str::to_owned
);

impl MessageId {
    /// The same 16 hexadecimal digits for the same message, from which nobody's number can be read.
    #[must_use]
    pub fn log_name(&self) -> String {
        log_name(&self.0)
    }
}

fn log_name(id: &str) -> String {
    let digest = Sha256::digest(id.as_bytes());
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn visible(text: &str, bytes_max: usize) -> Option<String> {
    let fits = !text.is_empty() && text.len() <= bytes_max;
    (fits && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| text.to_owned())
}

/// Two letters of a country, a point, and the rest: so that no telephone number is one.
fn scoped(text: &str, bytes_max: usize) -> Option<String> {
    let (country, rest) = text.split_once('.')?;
    let is_country = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_rest = !rest.is_empty()
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    (is_country && is_rest && text.len() <= bytes_max).then(|| text.to_owned())
}

/// Numbers are displayed as `+34 600-000-000` too.
fn digits(text: &str) -> Option<String> {
    if text.len() > 40 {
        return None;
    }
    let mut digits = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' => digits.push(c),
            '+' | ' ' | '-' | '(' | ')' | '\u{a0}' => {}
            _ => return None,
        }
    }
    // E.164 has at most 15; the shortest numbers of the platform's own are codes of five.
    (5..=15).contains(&digits.len()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_digits() {
        for (text, expected) in [
            ("34600111222", Some("34600111222")),
            ("+34 600-111-222", Some("34600111222")),
            ("+1 (555) 078-3881", Some("15550783881")),
            ("ES.13491208655302741918", None),
            ("1234", None),
            ("1234567890123456", None),
            ("", None),
            ("３４６００１１１２２２", None),
        ] {
            let phone = Phone::new(text).ok();
            assert_eq!(phone.as_ref().map(Phone::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_user_id_is_no_number_and_no_key_of_somebody_else() {
        for text in [
            "ES.1a",
            "US.13491208655302741918",
            "BR.ENT.11815799212886844830",
        ] {
            assert_eq!(UserId::new(text).unwrap().as_str(), text);
        }
        let long = format!("ES.{}", "1".repeat(158));
        for text in [
            "",
            "34600111222",
            "ES.",
            ".1",
            "es.1",
            "ES.1#2",
            "ES.1 2",
            "ES.ñ",
            &long,
        ] {
            assert_eq!(UserId::new(text).ok(), None, "{text}");
        }
    }

    /// `HBgLMTY1MDM4Nzk0MzkV…` is Base64 of a number.
    #[test]
    fn what_is_logged_names_nobody() {
        let id = MessageId::new("wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=");
        let phone = Phone::new("16503879439").unwrap();
        insta::assert_snapshot!(
            format!("{:?} {phone:?}", id.unwrap()),
            @"MessageId(cd3f8a33a571b9a7) Phone(…)"
        );
    }
}
