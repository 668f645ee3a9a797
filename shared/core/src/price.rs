//! Money in minor units, so that sums are exact.

use std::fmt;

use serde::{Deserialize, Serialize, de};

use crate::{
    language::Language,
    shop::{Locale, currency::Notation},
};

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

    /// The amount as a shopper reads it in this shop: `25,99 €`, `€25.99` or `R$ 25,99`.
    #[must_use]
    pub fn display(self, locale: Locale<'_>) -> String {
        display(self.0, locale)
    }
}

impl Price {
    /// The amount in a currency that need not be the shop's.
    #[must_use]
    pub fn in_currency(self, language: Language, currency: &str) -> String {
        Notation::of(language, currency).write(self.0)
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

    /// The sum as a shopper reads it in this shop.
    #[must_use]
    pub fn display(self, locale: Locale<'_>) -> String {
        display(self.0, locale)
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

fn display(minor: i64, locale: Locale<'_>) -> String {
    Notation::of(locale.language, &locale.shop.currency).write(minor)
}

/// A number as people write it, in hundredths: groups of three digits are thousands, one or two digits at the end are decimals.
#[must_use]
pub(crate) fn hundredths(written: &str) -> Option<i64> {
    let parts: Vec<&str> = written.split(['.', ',']).collect();
    // No amount and no count begins so.
    if parts[0].len() > 1 && parts[0].starts_with('0') {
        return None;
    }
    let (last, groups) = parts.split_last()?;
    let has_decimals = !groups.is_empty() && last.len() != 3;
    if has_decimals && last.len() > 2 {
        return None;
    }
    let whole: &[&str] = if has_decimals { groups } else { &parts };
    if whole.len() > 1 && whole[1..].iter().any(|group| group.len() != 3) {
        return None;
    }
    let whole: i64 = whole.concat().parse().ok()?;
    let decimals: i64 = match (has_decimals, last.len()) {
        (false, _) => 0,
        (true, 1) => last.parse::<i64>().ok()? * 10,
        (true, _) => last.parse().ok()?,
    };
    whole.checked_mul(100)?.checked_add(decimals)
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

    #[test]
    fn numbers_are_read_as_both_sides_of_the_sea_write_them() {
        for (written, expected) in [
            ("25,99", Some(2599)),
            ("25.9", Some(2590)),
            ("1.299", Some(129_900)),
            ("1,299.50", Some(129_950)),
            ("89.900", Some(8_990_000)),
            ("1967", Some(196_700)),
            ("1.2.3", None),
            ("1,2345", None),
        ] {
            assert_eq!(hundredths(written), expected, "{written}");
        }
    }
}
