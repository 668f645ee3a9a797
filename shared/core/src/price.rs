//! Money in minor units, so that sums are exact.

use std::fmt;

use serde::{Deserialize, Serialize, de};

/// An amount in hundredths of the shop's currency; on the wire a string with two decimals (`"25.99"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Price(i64);

/// The text is not an amount: digits, with at most two decimals after a point or a comma.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an amount with at most two decimals")]
pub struct InvalidPrice;

impl Price {
    /// The largest amount taken from outside: 10,000,000.00.
    pub const MAX: Self = Self(1_000_000_000);

    #[must_use]
    pub const fn from_minor(minor: i64) -> Self {
        Self(minor)
    }

    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// `self * quantity`.
    #[must_use]
    pub fn times(self, quantity: u32) -> Self {
        Self(self.0.saturating_mul(i64::from(quantity)))
    }

    /// Reads `25`, `25.9`, `25,99` and `25.99 €`.
    ///
    /// # Errors
    /// [`InvalidPrice`] for anything else, negative amounts and amounts over [`Price::MAX`] included.
    pub fn parse(text: &str) -> Result<Self, InvalidPrice> {
        let text = text
            .trim()
            .trim_start_matches(['€', '$'])
            .trim_end_matches(['€', '$'])
            .trim();
        let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || whole.len() > 8
            || decimals.len() > 2
            || !digits(whole)
            || !digits(decimals)
        {
            return Err(InvalidPrice);
        }
        let whole: i64 = whole.parse().map_err(|_| InvalidPrice)?;
        let decimals: i64 = format!("{decimals:0<2}")
            .parse()
            .map_err(|_| InvalidPrice)?;
        let price = Self(whole * 100 + decimals);
        if price > Self::MAX {
            Err(InvalidPrice)
        } else {
            Ok(price)
        }
    }

    /// The amount as a shopper reads it in `language`: `25,99 €` or `€25.99`.
    #[must_use]
    pub fn display(self, language: crate::language::Language) -> String {
        match language {
            crate::language::Language::Spanish => format!("{},{:02} €", self.0 / 100, self.0 % 100),
            crate::language::Language::English => format!("€{}.{:02}", self.0 / 100, self.0 % 100),
        }
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl std::iter::Sum for Price {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.map(|amount| amount.0).sum())
    }
}

impl Serialize for Price {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

impl schemars::JsonSchema for Price {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Price".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string", "pattern": r"^\d+\.\d{2}$", "examples": ["25.99"],
            "description": "An amount in the shop's currency with two decimals."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_amounts_and_refuses_the_rest() {
        let minor = |text: &str| Price::parse(text).map(Price::minor);
        for (text, expected) in [
            ("25.99", 2599),
            ("25,9", 2590),
            ("20", 2000),
            (" 7 € ", 700),
            ("0.05", 5),
            ("10000000", 1_000_000_000),
        ] {
            assert_eq!(minor(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            "-1",
            "1.999",
            "1e4",
            "abc",
            "1.2.3",
            "NaN",
            "10000000.01",
            "99999999999",
            "٣",
        ] {
            assert_eq!(minor(text), Err(InvalidPrice), "{text}");
        }
    }
}
