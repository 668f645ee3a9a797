//! Price limits in a shopper's own words: "por menos de 15 euros", "entre 10 y 20 €", "under €15". An amount in another currency
//! than the shop's is none.

use std::ops::Range;

use crate::{
    index::Filters,
    language::List,
    price::{Price, hundredths},
    shop::currency::{self, Sign},
};

/// Which end of a range an amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Min,
    Max,
}

impl End {
    /// The end that the beginning of `words` makes of an amount, and how many of them it takes.
    fn at(list: List, words: &[&str]) -> Option<(Self, usize)> {
        let found = list.in_all().at(words)?;
        let end = if found.key == "min" {
            Self::Min
        } else {
            Self::Max
        };
        Some((end, found.words))
    }
}

/// The currency that `words` begin with, if they do: how many of them name it, and whether it is the shop's.
fn currency_at(words: &[&str], currency: &str) -> Option<(usize, Sign)> {
    let first = words.first()?;
    let own = (*first == currency.to_ascii_lowercase()).then_some(Sign::Own);
    if let Some(sign) = own.or_else(|| currency::sign(first, currency)) {
        return Some((1, sign));
    }
    let unit = List::Units.in_all().at(words)?;
    let is_own = currency::is_unit_of(unit.key, currency);
    let sign = if is_own { Sign::Own } else { Sign::Foreign };
    currency::is_unit(unit.key).then_some((unit.words, sign))
}

/// The amount that a folded text is, with the shop's currency before or behind it or without one.
pub(super) fn whole(text: &str, currency: &str) -> Option<Price> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|(_, word)| *word).collect();
    let (amount, count) = amount(&words, currency, false)?;
    // Nothing but blanks between them: "-10" is no amount.
    let is_blank = text.split_whitespace().collect::<String>() == words.concat();
    amount.own().filter(|_| count == words.len() && is_blank)
}

/// An amount of money that somebody writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amount {
    Own(Price),
    /// In another currency than the shop's.
    Foreign,
}

impl Amount {
    fn own(self) -> Option<Price> {
        match self {
            Self::Own(price) => Some(price),
            Self::Foreign => None,
        }
    }
}

/// Sets the limits that folded `text` names and `filters` does not have yet, and gives the text without them; nothing where it
/// names none. A limit in another currency than the shop's is a warning and no limit.
pub(super) fn take(
    text: &str,
    currency: &str,
    filters: &mut Filters,
    warnings: &mut Vec<String>,
) -> Option<String> {
    let tokens = tokens(text);
    // Who asks whether an item costs less wants to know that of the item, not others. "Vale, …" agrees.
    let amounts = List::Amounts.in_all();
    let asks = |(at, (_, word)): (usize, &(_, &str))| {
        amounts.stands(word, "asking") || (at > 0 && amounts.stands(word, "asking-inside"))
    };
    if tokens.iter().enumerate().any(asks) {
        return None;
    }
    let words: Vec<&str> = tokens.iter().map(|(_, word)| *word).collect();
    let mut left = String::new();
    let (mut at, mut from) = (0, 0);
    while at < words.len() {
        // "For kids under 10" is an age.
        let is_for = words[..at].iter().any(|word| amounts.stands(word, "whom"));
        let Some(Limit { words: count, ends }) = limit(&words[at..], currency, is_for) else {
            at += 1;
            continue;
        };
        // "No quiero gastar más de 20 €."
        let is_least = matches!(ends, Some((Some(_), None)));
        let denied = spending_denied(&words[..at]).filter(|_| is_least);
        match ends {
            Some((least, _)) if denied.is_some() => {
                filters.precio_max = filters.precio_max.or(least);
            }
            Some((min, max)) => {
                filters.precio_min = filters.precio_min.or(min);
                filters.precio_max = filters.precio_max.or(max);
            }
            None => warnings.push(format!("price: not in {currency}, ignored")),
        }
        let mut first = denied.unwrap_or(at);
        while first > 0
            && tokens[first - 1].0.start >= from
            && amounts.stands(words[first - 1], "leading")
        {
            first -= 1;
        }
        left.push_str(&text[from..tokens[first].0.start]);
        at += count;
        from = tokens[at - 1].0.end;
    }
    if from == 0 {
        return None;
    }
    left.push_str(&text[from..]);
    Some(left.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where the last of some words deny that something is spent: "no quiero gastar", and not "¿no tenéis algo".
fn spending_denied(before: &[&str]) -> Option<usize> {
    const NEAR: usize = 6;
    let [markers, amounts] = [List::Markers, List::Amounts].map(List::in_all);
    let mut near = before.len().saturating_sub(NEAR)..before.len();
    let denied = near.find(|at| markers.stands(before[*at], "negation"))?;
    let is_spent = near.any(|at| amounts.stands(before[at], "spending"));
    is_spent.then_some(denied)
}

/// A limit at the beginning of some words.
struct Limit {
    /// How many of them it takes.
    words: usize,
    /// The least and the most; nothing where it is in another currency.
    ends: Option<(Option<Price>, Option<Price>)>,
}

/// The limit that `words` begin with; a small number alone is none where it `may_be_age`.
fn limit(words: &[&str], currency: &str, may_be_age: bool) -> Option<Limit> {
    let leading = || {
        let (end, length) = End::at(List::BeforeAmount, words)?;
        let named = amount(&words[length..], currency, true);
        let bare = || bare(&words[length..], currency, end, may_be_age);
        let (amount, count) = named.or_else(bare)?;
        Some((length + count, end, amount))
    };
    let trailing = || {
        let (amount, count) = amount(words, currency, true)?;
        let (end, length) = End::at(List::BehindAmount, &words[count..])?;
        Some((count + length, end, amount))
    };
    if let Some((words, end, amount)) = leading().or_else(trailing) {
        let ends = amount.own().map(|price| match end {
            End::Min => (Some(price), None),
            End::Max => (None, Some(price)),
        });
        return Some(Limit { words, ends });
    }
    let amounts = List::Amounts.in_all();
    let (_, from) = words
        .split_first()
        .filter(|(word, _)| amounts.stands(word, "between"))?;
    let (low, low_count) = amount(from, currency, false)?;
    let (_, to) = from[low_count..]
        .split_first()
        .filter(|(word, _)| amounts.stands(word, "and"))?;
    let (high, high_count) = amount(to, currency, true)?;
    let both = low.own().zip(high.own());
    Some(Limit {
        words: 2 + low_count + high_count,
        ends: both.map(|(low, high)| (Some(low.min(high)), Some(low.max(high)))),
    })
}

/// The amount that `words` begin with, and how many of them it takes. A number alone may be pages or years.
fn amount(words: &[&str], currency: &str, needs_currency: bool) -> Option<(Amount, usize)> {
    let before = currency_at(words, currency);
    let mut count = before.map_or(0, |(count, _)| count);
    let mut minor = hundredths(words.get(count)?)?;
    count += 1;
    let is_thousand = |word: &&str| List::Amounts.in_all().stands(word, "thousand");
    if words.get(count).is_some_and(is_thousand) {
        minor = minor.checked_mul(1_000)?;
        count += 1;
    }
    let behind = currency_at(&words[count..], currency);
    count += behind.map_or(0, |(count, _)| count);
    let mut named = [before, behind].into_iter().flatten();
    if named.any(|(_, sign)| sign == Sign::Foreign) {
        return Some((Amount::Foreign, count));
    }
    let is_named = before.or(behind).is_some();
    let price = Price::from_minor(minor);
    let stands = (is_named || !needs_currency) && price <= Price::MAX;
    stands.then_some((Amount::Own(price), count))
}

/// The number that `words` begin with, where nothing behind it says what it counts: "menos de 15".
fn bare(words: &[&str], currency: &str, end: End, may_be_age: bool) -> Option<(Amount, usize)> {
    /// Smaller ones may be copies that are wanted, larger ones years.
    const LEAST: Price = Price::from_minor(1_000);
    const MOST: Price = Price::from_minor(100_000);
    /// "For kids under 10", and not "for winter under 60".
    const OLDEST: Price = Price::from_minor(2_000);
    let (amount, count) = amount(words, currency, false)?;
    let price = amount.own()?;
    let is_alone = words.get(count).is_none_or(|next| List::is_small(next));
    let is_price =
        price < MOST && (end == End::Max || price >= LEAST) && !(may_be_age && price < OLDEST);
    (is_alone && is_price).then_some((amount, count))
}

/// Words, numbers with their decimals, and signs of currencies, with their places.
fn tokens(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut is_within_word = false;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let sign = (!is_within_word).then(|| sign_length(rest)).flatten();
        let length = if let Some(length) = sign {
            length
        } else if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic());
            end.unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if first.is_alphanumeric() || sign.is_some() {
            tokens.push((start..start + length, &rest[..length]));
        }
        is_within_word = first.is_alphabetic() && sign.is_none();
        rest = &rest[length..];
    }
    tokens
}

/// How long the sign of a currency is that `text` begins with: "r$ 20", "s/ 20".
fn sign_length(text: &str) -> Option<usize> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let ends: Vec<usize> = ends.take(currency::SIGN_CHARS).collect();
    // What is letters alone is a word.
    let is_sign = |end: &&usize| {
        let sign = &text[..**end];
        sign.contains(|c: char| !c.is_alphabetic()) && currency::sign(sign, "").is_some()
    };
    ends.iter().rev().find(is_sign).copied()
}

/// Digits, with the marks between them.
fn number_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if c.is_ascii_digit() {
            end = at + 1;
        } else if !(matches!(c, '.' | ',') && goes_on) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, left: &str, min: Option<i64>, max: Option<i64>) {
        check_in("EUR", text, left, min, max);
    }

    #[track_caller]
    fn check_in(currency: &str, text: &str, left: &str, min: Option<i64>, max: Option<i64>) {
        let mut filters = Filters::default();
        let mut warnings = Vec::new();
        let found = take(text, currency, &mut filters, &mut warnings);
        assert_eq!(warnings, [""; 0], "{text}");
        let expected = Filters {
            precio_min: min.map(Price::from_minor),
            precio_max: max.map(Price::from_minor),
            ..Filters::default()
        };
        assert_eq!(
            (found.as_deref(), filters),
            (Some(left), expected),
            "{text}"
        );
    }

    /// What is denied of a least is a most.
    #[test]
    fn no_more_than_is_a_most() {
        for (text, left) in [
            ("novelas, no quiero gastar mas de 15 euros", "novelas,"),
            ("nao gasto mais de 15€ num romance", "num romance"),
            ("i don't want to spend more than 15 euros", "i"),
            ("novels, 15 euros tops", "novels,"),
        ] {
            check(text, left, None, Some(1500));
        }
        check("for winter under 60", "for winter", None, Some(6000));
        let polite = "¿no teneis algo de mas de 20 euros?";
        check(polite, "¿no teneis algo ?", Some(2000), None);
    }

    #[test]
    fn limits_in_words() {
        for text in [
            "novelas por menos de 15 euros",
            "novelas que cuesten menos de 15€",
            "novelas de menos de 15,00 euros",
            "novelas hasta 15 €",
            "novelas como mucho 15 euros",
            "novelas a no mas de 15 euros",
            "novelas por 15 euros o menos",
            "novelas 15 eur como maximo",
            "novelas under €15",
            "novelas for less than 15 euros",
        ] {
            check(text, "novelas", None, Some(1500));
        }
        for (text, left, max) in [
            ("¿algo por menos de 9,90 €?", "¿algo ?", 990),
            ("vale, ¿y por menos de 10 euros?", "vale, ¿y ?", 1000),
        ] {
            check(text, left, None, Some(max));
        }
        check("mas de 20 euros", "", Some(2000), None);
        check(
            "regalos a partir de 20.5 euros",
            "regalos",
            Some(2050),
            None,
        );
        check(
            "ensayo de mas de 10 euros y menos de 20 euros",
            "ensayo y",
            Some(1000),
            Some(2000),
        );
        for text in [
            "cuentos entre 10 y 20 euros",
            "cuentos entre 20€ y 10€",
            "cuentos between €10 and €20",
        ] {
            check(text, "cuentos", Some(1000), Some(2000));
        }
    }

    #[test]
    fn other_numbers() {
        for text in [
            "",
            "novelas de menos de 200 paginas",
            "mas de 20 mil leguas de viaje submarino",
            "hasta 1984",
            "entre 1936 y 1939",
            "¿rayuela cuesta menos de 20 euros?",
            "¿cuanto vale dune? ¿mas de 10 euros?",
            "15 euros",
            "menos de euros",
            "menos de 99999999999 euros",
            "hasta luego",
        ] {
            let mut filters = Filters::default();
            let found = take(text, "EUR", &mut filters, &mut Vec::new());
            assert_eq!(found, None, "{text}");
            assert!(filters.is_empty(), "{text}");
        }
    }

    #[test]
    fn limits_in_the_shops_currency_and_in_no_other() {
        for (currency, text, max) in [
            ("MXN", "novelas por menos de 300 pesos", 30_000),
            ("MXN", "novelas por menos de $300", 30_000),
            ("MXN", "novelas por menos de 300 pesos mexicanos", 30_000),
            ("MXN", "novelas under mx$300", 30_000),
            ("MXN", "novelas hasta 1,500.50 mxn", 150_050),
            ("ARS", "novelas hasta 20 mil pesos", 2_000_000),
            ("CLP", "novelas por menos de $25.000", 2_500_000),
            ("USD", "novelas under $20", 2_000),
            ("USD", "novelas for less than 20 bucks", 2_000),
            ("USD", "novelas por menos de 20 dolares", 2_000),
            ("USD", "novelas up to us$ 20", 2_000),
            ("BRL", "novelas ate 50 reais", 5_000),
            ("BRL", "novelas por menos de r$ 49,90", 4_990),
            ("PEN", "novelas hasta s/ 50", 5_000),
            ("PEN", "novelas por menos de 50 soles", 5_000),
            ("GTQ", "novelas por menos de q100", 10_000),
            ("GBP", "novelas under £20", 2_000),
            ("GBP", "novelas under 20 quid", 2_000),
            ("JPY", "novelas por menos de 1000 yenes", 100_000),
        ] {
            check_in(currency, text, "novelas", None, Some(max));
        }
        check_in(
            "MXN",
            "cuentos entre 100 y $200",
            "cuentos",
            Some(10_000),
            Some(20_000),
        );
        for (currency, text) in [
            ("EUR", "novelas por menos de 300 pesos"),
            ("EUR", "novelas under $20"),
            ("EUR", "novelas ate 50 reais"),
            ("EUR", "novelas entre 10 y 20 dolares"),
            ("EUR", "novelas entre $10 y 20 euros"),
            ("MXN", "novelas por menos de 300 dolares"),
            ("MXN", "novelas por menos de 300 pesos argentinos"),
            ("MXN", "novelas por menos de us$300"),
            ("MXN", "novelas por menos de 15 euros"),
            ("BRL", "novelas ate $50"),
            ("BRL", "novelas por menos de 20 libras"),
            ("USD", "novelas por menos de r$20"),
        ] {
            let (mut filters, mut warnings) = (Filters::default(), Vec::new());
            let left = take(text, currency, &mut filters, &mut warnings);
            assert_eq!(left.as_deref(), Some("novelas"), "{currency} {text}");
            assert!(filters.is_empty(), "{currency} {text}");
            let warned = format!("price: not in {currency}, ignored");
            assert_eq!(warnings, [warned], "{currency} {text}");
        }
    }

    #[test]
    fn amounts_alone() {
        for (currency, text, expected) in [
            ("EUR", "20", Some(2_000)),
            ("EUR", "12.5 euros", Some(1_250)),
            ("EUR", "12,50 €", Some(1_250)),
            ("EUR", "€10,5", Some(1_050)),
            ("EUR", "1.500", Some(150_000)),
            ("EUR", "$10", None),
            ("EUR", "10 pesos", None),
            ("EUR", "10 libros", None),
            ("EUR", "-10", None),
            ("EUR", "10 - 20", None),
            ("EUR", "", None),
            ("MXN", "10 pesos", Some(1_000)),
            ("MXN", "10 €", None),
        ] {
            let expected = expected.map(Price::from_minor);
            assert_eq!(whole(text, currency), expected, "{currency} {text}");
        }
    }

    #[test]
    fn what_is_set_stays() {
        let mut filters = Filters {
            precio_max: Some(Price::from_minor(1000)),
            ..Filters::default()
        };
        take("hasta 30 euros", "EUR", &mut filters, &mut Vec::new()).expect("a limit");
        assert_eq!(filters.precio_max, Some(Price::from_minor(1000)));
    }

    #[test]
    fn a_number_alone_is_an_amount_where_nothing_is_counted() {
        check("novelas por menos de 15", "novelas", None, Some(1_500));
        check("sci-fi under 10 please", "sci-fi please", None, Some(1_000));
        check("algo de mas de 20?", "algo ?", Some(2_000), None);
        for text in [
            "books for kids under 10",
            "menos de 300 paginas",
            "desde 1990",
            "quiero mas de 5",
            "hasta 8 anos",
        ] {
            let mut filters = Filters::default();
            assert_eq!(
                take(text, "EUR", &mut filters, &mut Vec::new()),
                None,
                "{text}"
            );
        }
    }
}
