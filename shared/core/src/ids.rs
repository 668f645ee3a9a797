//! Identifiers with their rules; plain strings and numbers on the wire.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The partition everything of one customer lies in: `tenant#user`, both from the verified token.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    tenant: String,
    user: String,
}

/// A tenant or user name that cannot be part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "tenant and user must be 1 to 512 bytes without control characters, the tenant without '#'"
)]
pub struct InvalidOwner;

impl Owner {
    /// # Errors
    /// [`InvalidOwner`] where the two could not be separated later or a key would not hold them (2,048 bytes at most).
    pub fn new(tenant: &str, user: &str) -> Result<Self, InvalidOwner> {
        let fits = |name: &str| {
            !name.is_empty() && name.len() <= 512 && !name.chars().any(char::is_control)
        };
        if !fits(tenant) || !fits(user) || tenant.contains('#') {
            return Err(InvalidOwner);
        }
        Ok(Self {
            tenant: tenant.to_owned(),
            user: user.to_owned(),
        })
    }

    /// The shop, or part of one, that the user belongs to.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Another user of the same tenant, whose name is ours to choose.
    #[must_use]
    pub fn replaced_by(&self, user: &str) -> Self {
        Self {
            tenant: self.tenant.clone(),
            user: user.to_owned(),
        }
    }

    /// Reads what [`Owner`] is written as in keys.
    ///
    /// # Errors
    /// [`InvalidOwner`].
    pub fn from_key(key: &str) -> Result<Self, InvalidOwner> {
        let (tenant, user) = key.split_once('#').ok_or(InvalidOwner)?;
        Self::new(tenant, user)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.tenant, self.user)
    }
}

impl Serialize for Owner {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Owner {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        Self::from_key(&key).map_err(serde::de::Error::custom)
    }
}

/// What the shop calls an item: a number, or a text without blanks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct ItemId(String);

impl ItemId {
    /// The longest, in characters.
    pub const CHARS_MAX: usize = 64;
    /// The largest number of an item: larger ones do not survive a JavaScript client.
    pub const NUMBER_MAX: u64 = 1 << 53;

    /// Nothing where it cannot be an item's.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_harmless = |c: char| !c.is_control() && !c.is_whitespace();
        let fits = !text.is_empty() && text.chars().count() <= Self::CHARS_MAX;
        let is_far = text == "0" || (is_written_number(text) && own_number(text).is_none());
        (fits && !is_far && text.chars().all(is_harmless)).then(|| Self(text.to_owned()))
    }

    /// The number that tables, index and log have for the item: its own, or one that follows from its text.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.own_number().unwrap_or_else(|| {
            // FNV-1a, of which the upper 52 bits are taken: two of a million items share a number once in ten thousand
            // catalogues, and an import refuses them.
            let hash = self
                .0
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
                });
            (Self::NUMBER_MAX >> 1) | (hash >> 12)
        })
    }

    /// The number that it is, if it is one.
    #[must_use]
    pub fn own_number(&self) -> Option<u64> {
        own_number(&self.0)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Digits without a zero before them: "007" is a text.
fn is_written_number(text: &str) -> bool {
    !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn own_number(text: &str) -> Option<u64> {
    let number = Some(text)
        .filter(|text| is_written_number(text))?
        .parse()
        .ok();
    number.filter(|number| (1..=ItemId::NUMBER_MAX).contains(number))
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<u64> for ItemId {
    fn from(number: u64) -> Self {
        Self(number.to_string())
    }
}

impl<'de> Deserialize<'de> for ItemId {
    /// A number or a text.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        let written = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        Self::read(&written).ok_or_else(|| serde::de::Error::custom("that is no item's id"))
    }
}

/// A conversation's number in its owner's series: 1, 2, 3 …
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ConversationNumber(pub u32);

impl ConversationNumber {
    pub const FIRST: Self = Self(1);
    /// The largest that its eight digits in a key can hold.
    pub const MAX: Self = Self(99_999_999);

    /// Nothing where no conversation can have that number.
    #[must_use]
    pub fn of(number: u64) -> Option<Self> {
        let number = Self(u32::try_from(number).ok()?);
        (Self::FIRST..=Self::MAX)
            .contains(&number)
            .then_some(number)
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for ConversationNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08}", self.0)
    }
}

/// An event's place in its conversation: 1, 2, 3 … without gaps.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    pub const FIRST: Self = Self(1);
    /// The largest that its twelve digits in a key can hold.
    pub const MAX: Self = Self(999_999_999_999);

    #[must_use]
    pub fn plus(self, count: usize) -> Self {
        Self(self.0 + count as u64)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_cannot_be_confused() {
        let owner = |tenant, user| Owner::new(tenant, user).map(|owner| owner.to_string());
        assert_eq!(owner("default", "ana"), Ok("default#ana".into()));
        assert_eq!(owner("default", "a#b"), Ok("default#a#b".into()));
        for (tenant, user) in [
            ("a#b", "c"),
            ("", "c"),
            ("a", ""),
            ("a", "b\0"),
            ("a", &"x".repeat(513)),
        ] {
            assert_eq!(owner(tenant, user), Err(InvalidOwner));
        }
    }
}
