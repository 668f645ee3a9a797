//! Currencies, by ISO 4217, and how amounts are written in them.

use std::{collections::HashMap, sync::LazyLock};

use serde::Serialize;

use crate::{language::Language, text::fold};

/// Of those in use: all but the ones below have hundredths.
const CODES: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC \
    CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR \
    ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK \
    MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE \
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF \
    XPF YER ZAR ZMW ZWG";
const WITHOUT_MINOR_UNITS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const WITH_THOUSANDTHS: &str = "BHD IQD JOD KWD LYD OMR TND";

/// How many decimals amounts of this currency have: 2 for `EUR`, 0 for `JPY`; nothing where there is no such currency.
#[must_use]
pub fn minor_digits(code: &str) -> Option<u8> {
    let is_among = |codes: &str| codes.split(' ').any(|other| other == code);
    if !is_among(CODES) {
        None
    } else if is_among(WITHOUT_MINOR_UNITS) {
        Some(0)
    } else if is_among(WITH_THOUSANDTHS) {
        Some(3)
    } else {
        Some(2)
    }
}

/// How amounts of a currency are written in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notation {
    /// The sign, on the side on which it stands, with the blank that parts it from the number.
    pub before: String,
    pub after: String,
    /// The mark of thousands, in numbers of so many digits and more.
    pub group: String,
    pub grouped_from: usize,
    /// The mark of decimals, and how many there are.
    pub point: String,
    pub decimals: u8,
}

impl Notation {
    /// As the language's own messages have it, by an example such as `12.345,67 €`.
    #[must_use]
    pub fn of(language: Language, code: &str) -> Self {
        let example = language.message("amount", &[("currency", code.into())]);
        let is_digit = |c: char| c.is_ascii_digit();
        let start = example.find(is_digit).unwrap_or(example.len());
        let end = example.rfind(is_digit).map_or(start, |last| last + 1);
        let number = &example[start..end];
        let mark = |at: Option<usize>| {
            let mark = at.and_then(|at| number[at..].chars().next());
            mark.map(String::from).unwrap_or_default()
        };
        let point = number.rfind(|c| !is_digit(c));
        let whole = &number[..point.unwrap_or(number.len())];
        Self {
            before: example[..start].to_owned(),
            after: example[end..].to_owned(),
            group: mark(whole.find(|c| !is_digit(c))),
            grouped_from: whole.chars().filter(char::is_ascii_digit).count(),
            point: mark(point),
            decimals: minor_digits(code).unwrap_or(2),
        }
    }

    /// An amount of so many hundredths.
    #[must_use]
    pub fn write(&self, hundredths: i64) -> String {
        let (whole, rest) = (hundredths / 100, hundredths % 100);
        let digits = whole.to_string();
        let mut number = String::with_capacity(digits.len() + 8);
        for (at, digit) in digits.char_indices() {
            let is_group = at > 0 && (digits.len() - at).is_multiple_of(3);
            if is_group && digits.len() >= self.grouped_from {
                number.push_str(&self.group);
            }
            number.push(digit);
        }
        let decimals = match self.decimals {
            0 if rest == 0 => String::new(),
            3 => format!("{}{rest:02}0", self.point),
            _ => format!("{}{rest:02}", self.point),
        };
        format!("{}{number}{decimals}{}", self.before, self.after)
    }
}

/// The folded signs of all languages, such as `r$`, with the currencies that are written so.
static SIGNS: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let mut signs: HashMap<String, Vec<&'static str>> = HashMap::new();
    for code in CODES.split(' ') {
        for language in Language::all() {
            let Notation { before, after, .. } = Notation::of(language, code);
            let sign = [before.trim(), after.trim()].concat();
            if sign != code {
                signs.entry(fold(&sign)).or_default().push(code);
            }
        }
    }
    signs
});

/// Longest of the signs, in characters.
pub const SIGN_CHARS: usize = 3;

/// Whose sign a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// The currency's in question.
    Own,
    /// Another one's.
    Foreign,
}

/// Whether a folded text is a sign of the currency `code`, such as `mx$`, or of another one; nothing where it is no sign. What is
/// letters alone is a sign in its own shop and a word anywhere else.
#[must_use]
pub fn sign(folded: &str, code: &str) -> Option<Sign> {
    let codes = SIGNS.get(folded);
    if codes.is_some_and(|codes| codes.contains(&code)) {
        return Some(Sign::Own);
    }
    let mut chars = folded.chars();
    let is_known = codes.is_some() && folded.contains(|c: char| !c.is_alphabetic());
    let is_one = chars.next().is_some_and(is_symbol) && chars.next().is_none();
    (is_known || is_one).then_some(Sign::Foreign)
}

/// Whether a character is the sign of some currency.
#[must_use]
pub fn is_symbol(c: char) -> bool {
    matches!(
        c,
        '$' | '¢' | '£' | '¤' | '¥' | '฿' | '\u{20a0}'..='\u{20c0}'
    )
}

/// Whether a unit of the language's lexicon is a currency: its key is codes with a bar between them.
#[must_use]
pub fn is_unit(key: &str) -> bool {
    key.starts_with(char::is_uppercase)
}

/// Whether a unit of the language's lexicon may be the currency `code`.
#[must_use]
pub fn is_unit_of(key: &str, code: &str) -> bool {
    let codes = key.trim_end_matches(AMBIGUOUS);
    codes.split('/').any(|own| own == code)
}

/// Ends the key of currencies whose names are other words, too, such as `real`: these are one behind a number alone.
pub const AMBIGUOUS: char = '?';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_has_its_decimals() {
        for (code, expected) in [
            ("EUR", Some(2)),
            ("MXN", Some(2)),
            ("CLP", Some(0)),
            ("TND", Some(3)),
            ("XPF", Some(0)),
            ("AED", Some(2)),
            ("ZWG", Some(2)),
            ("eur", None),
            ("EURO", None),
            ("ESP", None),
            ("", None),
            ("EUR USD", None),
        ] {
            assert_eq!(minor_digits(code), expected, "{code}");
        }
        for code in CODES.split(' ') {
            assert_eq!(code.len(), 3, "{code}");
        }
        for code in [WITHOUT_MINOR_UNITS, WITH_THOUSANDTHS].join(" ").split(' ') {
            assert_ne!(minor_digits(code), Some(2), "{code}");
        }
    }

    #[test]
    fn amounts_are_written_as_the_language_and_the_currency_have_it() {
        for (tag, code, expected) in [
            ("es", "EUR", "25,99 € | 1234,50 € | 1.234.567,00 €"),
            ("es", "MXN", "$25.99 | $1,234.50 | $1,234,567.00"),
            ("es", "CLP", "$25,99 | $1.234,50 | $1.234.567"),
            ("es", "PEN", "S/ 25.99 | S/ 1,234.50 | S/ 1,234,567.00"),
            ("es", "SEK", "25,99 SEK | 1234,50 SEK | 1.234.567,00 SEK"),
            ("en", "EUR", "€25.99 | €1,234.50 | €1,234,567.00"),
            ("en", "USD", "$25.99 | $1,234.50 | $1,234,567.00"),
            ("en", "MXN", "MX$25.99 | MX$1,234.50 | MX$1,234,567.00"),
            (
                "en",
                "BHD",
                "BHD 25.990 | BHD 1,234.500 | BHD 1,234,567.000",
            ),
            ("pt", "BRL", "R$ 25,99 | R$ 1.234,50 | R$ 1.234.567,00"),
            ("pt", "EUR", "25,99 € | 1234,50 € | 1.234.567,00 €"),
            ("pt", "USD", "US$ 25,99 | US$ 1.234,50 | US$ 1.234.567,00"),
        ] {
            let notation = Notation::of(Language::from_tag(tag).unwrap(), code);
            let written = [2_599, 123_450, 123_456_700].map(|amount| notation.write(amount));
            assert_eq!(written.join(" | "), expected, "{tag} {code}");
        }
        let yen = Notation::of(Language::from_tag("en").unwrap(), "JPY");
        assert_eq!(yen.write(100_000), "¥1,000");
    }

    #[test]
    fn every_example_can_be_read() {
        for language in Language::all() {
            for code in CODES.split(' ') {
                let notation = Notation::of(language, code);
                let sign = [notation.before.trim(), notation.after.trim()].concat();
                let marks = [&notation.group, &notation.point];
                assert!(
                    !sign.is_empty()
                        && (sign == code || sign.chars().count() <= SIGN_CHARS)
                        && marks.iter().all(|mark| [".", ","].contains(&mark.as_str()))
                        && marks[0] != marks[1]
                        && (4..=5).contains(&notation.grouped_from),
                    "{} {code} {notation:?}",
                    language.tag()
                );
            }
        }
    }

    #[test]
    fn a_sign_is_the_shops_or_anothers() {
        for (text, code, expected) in [
            ("$", "MXN", Some(Sign::Own)),
            ("mx$", "MXN", Some(Sign::Own)),
            ("us$", "MXN", Some(Sign::Foreign)),
            ("$", "EUR", Some(Sign::Foreign)),
            ("$", "BRL", Some(Sign::Foreign)),
            ("r$", "BRL", Some(Sign::Own)),
            ("€", "EUR", Some(Sign::Own)),
            ("₺", "EUR", Some(Sign::Foreign)),
            ("s/", "PEN", Some(Sign::Own)),
            ("q", "GTQ", Some(Sign::Own)),
            ("q", "EUR", None),
            ("%", "EUR", None),
            ("", "EUR", None),
        ] {
            assert_eq!(sign(text, code), expected, "{text} {code}");
        }
    }
}
