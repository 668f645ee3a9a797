//! Price limits in a shopper's own words: "por menos de 15 euros", "entre 10 y 20 €", "under €15".

use std::ops::Range;

use crate::{index::Filters, language::List, price::Price};

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

/// Whether `word` names the currency, which is the only one that prices are in.
fn is_currency(word: &str) -> bool {
    word == "€" || List::Units.in_all().stands(word, "EUR")
}

/// A value without the currency's name at its end.
pub(super) fn without_currency(value: &str) -> &str {
    let amount = value.trim_end_matches(char::is_alphabetic);
    if is_currency(&value[amount.len()..]) {
        amount
    } else {
        value
    }
}

/// Sets the limits that folded `text` names and `filters` does not have yet, and gives the text without them; nothing where it
/// names none.
pub(super) fn take(text: &str, filters: &mut Filters) -> Option<String> {
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
        let Some((count, min, max)) = limit(&words[at..]) else {
            at += 1;
            continue;
        };
        filters.precio_min = filters.precio_min.or(min);
        filters.precio_max = filters.precio_max.or(max);
        let mut first = at;
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

/// The limit that `words` begin with: how many of them it takes, and its ends.
fn limit(words: &[&str]) -> Option<(usize, Option<Price>, Option<Price>)> {
    let ends = |end, price| match end {
        End::Min => (Some(price), None),
        End::Max => (None, Some(price)),
    };
    let leading = || {
        let (end, length) = End::at(List::BeforeAmount, words)?;
        let (price, count) = amount(&words[length..], true)?;
        Some((length + count, end, price))
    };
    let trailing = || {
        let (price, count) = amount(words, true)?;
        let (end, length) = End::at(List::BehindAmount, &words[count..])?;
        Some((count + length, end, price))
    };
    if let Some((count, end, price)) = leading().or_else(trailing) {
        let (min, max) = ends(end, price);
        return Some((count, min, max));
    }
    let amounts = List::Amounts.in_all();
    let (_, from) = words
        .split_first()
        .filter(|(word, _)| amounts.stands(word, "between"))?;
    let (low, low_count) = amount(from, false)?;
    let (_, to) = from[low_count..]
        .split_first()
        .filter(|(word, _)| amounts.stands(word, "and"))?;
    let (high, high_count) = amount(to, true)?;
    let count = 2 + low_count + high_count;
    Some((count, Some(low.min(high)), Some(low.max(high))))
}

/// The amount that `words` begin with, and how many of them it takes. A number alone may be pages or years.
fn amount(words: &[&str], needs_currency: bool) -> Option<(Price, usize)> {
    let (is_named, number) = match words {
        [currency, number, ..] if is_currency(currency) => (true, number),
        [number, ..] => (false, number),
        [] => return None,
    };
    let price = Price::parse(number).ok()?;
    let follows = words.get(1).is_some_and(|word| is_currency(word));
    let count = 1 + usize::from(is_named || follows);
    (is_named || follows || !needs_currency).then_some((price, count))
}

/// Words, numbers with their decimals, and signs of a currency, with their places.
fn tokens(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic());
            end.unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if first.is_alphanumeric() || first == '€' {
            tokens.push((start..start + length, &rest[..length]));
        }
        rest = &rest[length..];
    }
    tokens
}

fn number_length(text: &str) -> usize {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let whole = digits(text);
    let decimals = text[whole..].strip_prefix([',', '.']).map_or(0, digits);
    if decimals == 0 {
        whole
    } else {
        whole + 1 + decimals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, left: &str, min: Option<i64>, max: Option<i64>) {
        let mut filters = Filters::default();
        let found = take(text, &mut filters);
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
        check(
            "¿algo de terror por menos de 9,90 €?",
            "¿algo de terror ?",
            None,
            Some(990),
        );
        check(
            "vale, ¿y por menos de 10 euros?",
            "vale, ¿y ?",
            None,
            Some(1000),
        );
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
            assert_eq!(take(text, &mut filters), None, "{text}");
            assert!(filters.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_set_stays() {
        let mut filters = Filters {
            precio_max: Some(Price::from_minor(1000)),
            ..Filters::default()
        };
        take("hasta 30 euros", &mut filters).expect("a limit");
        assert_eq!(filters.precio_max, Some(Price::from_minor(1000)));
    }
}
