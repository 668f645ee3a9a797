//! Money in minor units, so that sums are exact.

use std::fmt;

use serde::{Deserialize, Serialize, de};

use crate::language::Language;

/// What one copy costs, in hundredths of the shop's currency; on the wire a string with two decimals (`"25.99"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Price(i64);

/// A sum of prices, which has no bound of its own; on the wire like a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Total(i64);

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
    pub fn times(self, quantity: u32) -> Total {
        Total(self.0.saturating_mul(i64::from(quantity)))
    }

    /// Reads `25`, `25.9` and `25,99`; a currency's sign is none of it.
    ///
    /// # Errors
    /// [`InvalidPrice`] for anything else, negative amounts and amounts over [`Price::MAX`] included.
    pub fn parse(text: &str) -> Result<Self, InvalidPrice> {
        let price = Self(parse_minor(text)?);
        if price > Self::MAX {
            Err(InvalidPrice)
        } else {
            Ok(price)
        }
    }

    /// The same as people write it in a question: `25.99 €` and `€25.99` too.
    ///
    /// # Errors
    /// [`InvalidPrice`].
    pub fn parse_written(text: &str) -> Result<Self, InvalidPrice> {
        Self::parse(text.trim().trim_matches('€'))
    }

    /// The amount as a shopper reads it in `language`: `25,99 €` or `€25.99`.
    #[must_use]
    pub fn display(self, language: Language) -> String {
        display(self.0, language)
    }
}

impl Total {
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// Reads what [`Price::parse`] reads, however much it is.
    ///
    /// # Errors
    /// [`InvalidPrice`].
    pub fn parse(text: &str) -> Result<Self, InvalidPrice> {
        parse_minor(text).map(Self)
    }

    /// The sum as a shopper reads it in `language`.
    #[must_use]
    pub fn display(self, language: Language) -> String {
        display(self.0, language)
    }
}

fn parse_minor(text: &str) -> Result<i64, InvalidPrice> {
    let text = text.trim();
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || decimals.len() > 2 || !digits(whole) || !digits(decimals) {
        return Err(InvalidPrice);
    }
    // As many digits as fit an `i64` are read, so that everything that was written is read again.
    let minor = format!("{whole}{decimals:0<2}");
    minor.parse().map_err(|_| InvalidPrice)
}

fn display(minor: i64, language: Language) -> String {
    let whole = (minor / 100).to_string();
    let decimals = format!("{:02}", minor % 100);
    let amount = [("whole", (&whole).into()), ("decimals", (&decimals).into())];
    language.message("price", &amount)
}

impl std::iter::Sum for Total {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.fold(0, |sum, amount| sum.saturating_add(amount.0)))
    }
}

/// What both look like on the wire. What was written is read again, be it over [`Price::MAX`]: our own records are always readable.
macro_rules! on_the_wire {
    ($amount:ident, $description:literal) => {
        impl fmt::Display for $amount {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
            }
        }

        impl Serialize for $amount {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $amount {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                parse_minor(&text).map(Self).map_err(de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $amount {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($amount).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string", "pattern": r"^\d+\.\d{2}$", "examples": ["25.99"],
                    "description": $description
                })
            }
        }
    };
}

on_the_wire!(Price, "An amount in the shop's currency with two decimals.");
on_the_wire!(
    Total,
    "A sum in the shop's currency with two decimals, as large as it gets."
);

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
            (" 7 ", 700),
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
            "$10",
            "10 €",
        ] {
            assert_eq!(minor(text), Err(InvalidPrice), "{text}");
        }
        for (text, expected) in [
            ("10 €", Ok(1_000)),
            ("€10,5", Ok(1_050)),
            ("$10", Err(InvalidPrice)),
        ] {
            assert_eq!(
                Price::parse_written(text).map(Price::minor),
                expected,
                "{text}"
            );
        }
    }

    /// A sum over the largest price was written and never read again: orders, export and erasure of that customer ended there.
    #[test]
    fn any_amount_round_trips() {
        let dear = Price::MAX;
        let sum: Total = [dear.times(10), dear.times(10), dear.times(7)]
            .into_iter()
            .sum();
        assert_eq!(sum.to_string(), "270000000.00");
        for minor in [0, 7, 1_020_000_000, sum.minor(), i64::MAX] {
            let (price, total) = (Price(minor), Total(minor));
            let written = serde_json::to_string(&(price, total)).unwrap();
            let read: (Price, Total) = serde_json::from_str(&written).unwrap();
            assert_eq!(read, (price, total), "{written}");
        }
        assert_eq!(
            Total(i64::MAX),
            [Total(i64::MAX), Total(1)].into_iter().sum()
        );
    }
}
