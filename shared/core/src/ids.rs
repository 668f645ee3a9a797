//! Identifiers with their rules; plain strings and numbers on the wire.

use std::fmt;

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
    /// [`InvalidOwner`] where the two could not be told apart again or a key would not hold them (2,048 bytes at most).
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

/// A conversation's number in its owner's series: 1, 2, 3 …
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct ConversationNumber(pub u32);

impl ConversationNumber {
    pub const FIRST: Self = Self(1);
    /// The largest that its eight digits in a key can hold.
    pub const MAX: Self = Self(99_999_999);

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
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
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
