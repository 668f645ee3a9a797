//! Quantities that attributes state, and what they say of two items beside each other.

use std::collections::BTreeMap;

use super::{
    Fault,
    lexicon::Lexicon,
    order::{Measure, in_order, of_how_many},
    reading::Reading,
    token::{Kind, Token, tokens},
};
use crate::{answer::part::Field, language::Language, text::fold};

/// Words between "more" and "than".
const BETWEEN: usize = 3;

/// A difference in another unit may be rounded by this part.
const ROUNDED: i64 = 50;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    Mass,
    Length,
    Volume,
    Time,
    /// A number without a unit of these: pages, people.
    Plain,
}

/// A number that an attribute states by itself: "128 páginas", "110 cm".
#[derive(Debug, Clone)]
pub(super) struct Quantity {
    pub(super) key: String,
    pub(super) dimension: Dimension,
    /// As it is written, in hundredths.
    pub(super) written: i64,
    /// In hundredths of a gram, a millimetre, a millilitre or a minute.
    pub(super) amount: i64,
}

impl Quantity {
    /// Whether a folded word begins as its key does: "capacidade" and `capacidad`.
    pub(super) fn is_called(&self, word: &str) -> bool {
        /// So many letters make a root.
        const ROOT: usize = 5;
        let key = fold(&self.key);
        let alike = key
            .chars()
            .zip(word.chars())
            .take_while(|(one, other)| one == other);
        alike.count() >= ROOT
    }
}

/// What a folded word measures by itself: "pesa", "time".
fn dimension(reading: &Reading<'_>, word: &str) -> Option<Dimension> {
    let measured = [
        ("mass", Dimension::Mass),
        ("length", Dimension::Length),
        ("volume", Dimension::Volume),
        ("time", Dimension::Time),
    ];
    let mut measured = measured.into_iter();
    let (_, found) = measured.find(|(key, _)| reading.lexicon.markers.stands(word, key))?;
    Some(found)
}

/// What a unit is of, and how many hundredths of a gram, a millimetre, a millilitre or a minute it has.
pub(super) fn scale(unit: &str) -> Option<(Dimension, i64)> {
    Some(match unit {
        "g" => (Dimension::Mass, 100),
        "kg" => (Dimension::Mass, 100_000),
        "lb" => (Dimension::Mass, 45_359),
        "oz" => (Dimension::Mass, 2_835),
        "mm" => (Dimension::Length, 100),
        "cm" => (Dimension::Length, 1_000),
        "m" => (Dimension::Length, 100_000),
        "in" => (Dimension::Length, 2_540),
        "ft" => (Dimension::Length, 30_480),
        "ml" => (Dimension::Volume, 100),
        "cl" => (Dimension::Volume, 1_000),
        "l" => (Dimension::Volume, 100_000),
        "min" => (Dimension::Time, 100),
        "h" => (Dimension::Time, 6_000),
        _ => return None,
    })
}

/// A number of a unit, written as a sign or in a word of the language.
pub(super) fn scaled(number: i64, unit: &str, lexicon: &Lexicon) -> Option<(Dimension, i64)> {
    let named = || {
        let mut units = lexicon.units.all(std::slice::from_ref(&unit));
        units.find_map(|(_, found)| scale(found.key))
    };
    let (dimension, size) = scale(unit).or_else(named)?;
    Some((dimension, number.checked_mul(size)? / 100))
}

/// What attributes state as one number each, its unit in whatever language.
pub(super) fn quantities(attributes: &BTreeMap<String, Vec<String>>) -> Vec<Quantity> {
    let quantities = attributes.iter().filter_map(|(key, values)| {
        let [value] = &values[..] else { return None };
        let tokens = tokens(value, 0);
        let at = tokens.iter().position(|token| token.number().is_some())?;
        let sign = at.checked_sub(1).and_then(|before| tokens[before].mark());
        let is_below_zero = matches!(sign, Some('-' | '−')) && !tokens[at].spaced;
        let written = tokens[at].number()? * if is_below_zero { -1 } else { 1 };
        let unit = tokens.get(at + 1).map_or("", |unit| unit.folded.as_str());
        let mut lexicons = Language::all().map(Lexicon::of);
        let scaled = lexicons.find_map(|lexicon| scaled(written, unit, &lexicon));
        let (dimension, amount) = scaled.unwrap_or((Dimension::Plain, written));
        Some(Quantity {
            key: key.clone(),
            dimension,
            written,
            amount,
        })
    });
    quantities.collect()
}

/// What both of two items state, each beside the other's.
pub(super) fn beside<'a>(
    reading: &Reading<'a>,
    one: usize,
    other: usize,
) -> Vec<(&'a Quantity, &'a Quantity)> {
    let pairs = reading.known[one].quantities.iter().filter_map(|own| {
        let mut others = reading.known[other].quantities.iter();
        let same = others.find(|of| of.key == own.key && of.dimension == own.dimension)?;
        Some((own, same))
    });
    pairs.collect()
}

/// "5+ instead of 8+", "20 cm taller": of another that is compared, behind what is of the subject itself; or what the two differ by.
pub(super) fn is_compared(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let mut before = reading.tokens[..at].iter().filter_map(Token::number);
    let subject = reading.subject;
    let follows = before.any(|number| {
        subject
            .iter()
            .any(|item| reading.known[*item].states(number))
    });
    let mut line = reading.at.line.iter();
    let is_anothers = (follows || reading.marks("against"))
        && line.any(|item| reading.known[*item].states(number));
    let unit = reading.tokens.get(at + 1);
    let claimed = unit.and_then(|unit| scaled(number, &unit.folded, reading.lexicon));
    let differ = |(own, other): &(&Quantity, &Quantity)| match claimed {
        Some((dimension, amount)) => {
            let difference = (own.amount - other.amount).abs();
            dimension == own.dimension && (difference - amount).abs() <= amount / ROUNDED
        }
        None => own.written != other.written && (own.written - other.written).abs() == number,
    };
    let mut pairs = reading.compared().into_iter();
    is_anothers || pairs.any(|(one, other)| beside(reading, one, other).iter().any(differ))
}

/// Whether a number of a unit is what something shown measures, or what two that are compared differ by.
pub(super) fn is_measured(reading: &Reading<'_>, at: usize, unit: &str) -> bool {
    let number = reading.tokens[at].number();
    let claimed = number.and_then(|number| Some((number, scaled(number, unit, reading.lexicon)?)));
    claimed.is_some_and(|(number, (dimension, amount))| {
        let mut quantities = reading.known.iter().flat_map(|known| &known.quantities);
        quantities.any(|of| of.dimension == dimension && of.amount == amount)
            || is_compared(reading, at, number)
    })
}

/// Whether what is said to be more or less than another's, or than all others', is so by something that the shop states as a number.
/// Where it states nothing of the kind of the two, nobody can tell.
pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let words: Vec<&str> = reading.words.iter().map(String::as_str).collect();
    let stands = |at: usize, key: &str| reading.lexicon.markers.stands(words[at], key);
    let has_number = reading.tokens.iter().any(|token| token.number().is_some());
    let Some(own) = reading.subject.first() else {
        return Ok(());
    };
    if first_of(reading).is_some_and(|count| !is_extreme(reading, *own, count)) {
        return Err(Fault::Claim);
    }
    for at in 0..words.len() {
        let (is_more, is_less) = (stands(at, "more"), stands(at, "less"));
        // "A wider brim than": one way or the other.
        let is_either = is_comparative(reading, words[at]);
        let is_claim = reading.lexicon.claims.at(&words[at..]).is_some();
        if is_claim || !(is_more || is_less || is_either) {
            continue;
        }
        let behind = &words[at + 1..words.len().min(at + 1 + BETWEEN)];
        let mut places = behind.iter().enumerate();
        let than = places.find(|(_, word)| reading.lexicon.markers.stands(word, "than"));
        let Some((than, _)) = than else { continue };
        let standard = &words[at + 1 + than..];
        let is_item = standard.iter().take(4).any(|word| *word == "·");
        let (before, after) = (&words[..at], &words[at + 1..]);
        let is_priced = is_item && than == 0 && !is_either && reading.marks_near("costs");
        if is_priced && !in_order(reading, Measure::Price, is_less, Some(false), before, after) {
            return Err(Fault::Claim);
        }
        if !is_item || has_number || reading.marks("costs") {
            continue;
        }
        let named: Vec<usize> = reading
            .named
            .iter()
            .copied()
            .filter(|item| item != own)
            .collect();
        let mut pairs: Vec<_> = named
            .iter()
            .flat_map(|other| beside(reading, *own, *other))
            .collect();
        // "More litres than", "más capacidad que": what it names, and nothing else.
        let is_named = |(of, _): &(&Quantity, &Quantity)| {
            let mut said = behind[..than].iter().chain(before);
            said.any(|word| {
                let unit = scaled(of.written, word, reading.lexicon);
                unit.is_some_and(|(dimension, _)| dimension == of.dimension)
                    || dimension(reading, word) == Some(of.dimension)
                    || of.is_called(word)
            })
        };
        if pairs.iter().any(is_named) {
            pairs.retain(is_named);
        }
        let is_so = |(own, other): &(&Quantity, &Quantity)| {
            own.amount != other.amount && (is_either || (own.amount > other.amount) == is_more)
        };
        if !pairs.is_empty() && !pairs.iter().any(is_so) {
            return Err(Fault::Claim);
        }
    }
    Ok(())
}

/// "Wider", where a language compares by an ending.
fn is_comparative(reading: &Reading<'_>, word: &str) -> bool {
    /// Letters before the ending.
    const ROOT: usize = 3;
    let mut endings = word.char_indices().skip(ROOT);
    endings.any(|(at, _)| {
        reading
            .lexicon
            .markers
            .stands(&word[at..], "comparative-ending")
    }) && !reading.lexicon.is_function(word)
}

/// "La más estrecha de las cinco": of how many it is said to be before all others, in something that is no price and no age.
fn first_of(reading: &Reading<'_>) -> Option<usize> {
    /// Words on either side of what orders.
    const AROUND: usize = 2;
    let mut keys = ["all", "group", "of-all"].iter();
    let all = keys
        .any(|key| reading.marks(key))
        .then_some(reading.everything.len());
    // "The most stitches": what it names is compared with all others'.
    let quantities = reading.subject.first();
    let mut quantities = quantities
        .into_iter()
        .flat_map(|own| &reading.known[*own].quantities);
    let mut marked = reading.lexicon.markers.all(reading.words);
    let most = marked.find(|(_, found)| found.key == "most");
    // "La de mayor capacidad", and not "pesa 240 gramos más".
    let behind = most.map_or(reading.words.len(), |(at, found)| at + found.words);
    let names_quantity = quantities.any(|of| {
        let measures = |word| dimension(reading, word) == Some(of.dimension);
        reading.words.iter().any(|word| of.is_called(word))
            || reading.words[behind..].iter().any(|word| measures(word))
    });
    let all = all.or(names_quantity.then_some(reading.everything.len()));
    let mut otherwise = ["opinion", "under"].iter();
    // "La que más te conviene", and not "la que menos pesa de lo que te enseño".
    let is_of_person = most.is_some_and(|(at, found)| {
        let around =
            at.saturating_sub(AROUND)..(at + found.words + AROUND).min(reading.words.len());
        reading.lexicon.marks(&reading.words[around], "person")
    });
    let is_said = most.is_some()
        && !is_of_person
        && reading.lexicon.claims.find(reading.words).is_none()
        && reading.makers.is_empty()
        && !reading
            .tokens
            .iter()
            .any(|token| matches!(token.kind, Kind::Fact(_, Field::Maker)))
        && !otherwise.any(|key| reading.marks(key));
    of_how_many(reading).or(all).filter(|_| is_said)
}

/// Whether an item has more or less than all but itself of `count` in something that the shop states of it and of others, where it
/// states anything.
fn is_extreme(reading: &Reading<'_>, own: usize, count: usize) -> bool {
    let others = reading.everything.iter().filter(|other| **other != own);
    let mut pairs: Vec<_> = others
        .flat_map(|other| beside(reading, own, *other))
        .collect();
    // "The biggest capacity of them all": of what it names, and nothing else.
    let is_named = |(of, _): &(&Quantity, &Quantity)| {
        let mut words = reading.words.iter();
        words.any(|word| dimension(reading, word) == Some(of.dimension) || of.is_called(word))
    };
    if pairs.iter().any(is_named) {
        pairs.retain(is_named);
    }
    let is_before = |key: &str, more: bool| {
        let same = pairs.iter().filter(|(of, _)| of.key == key);
        let before = same.clone().filter(|(own, other)| {
            own.amount != other.amount && (own.amount > other.amount) == more
        });
        let (before, same) = (before.count(), same.count());
        before > 0 && (before == same || before + 1 >= count)
    };
    let mut keys = pairs.iter().map(|(of, _)| of.key.as_str());
    pairs.is_empty() || keys.any(|key| is_before(key, true) || is_before(key, false))
}

#[cfg(test)]
mod tests {
    use super::quantities;
    use crate::answer::prose::{
        Item,
        trial::{judge, packs, tells_apart},
    };

    const MESSAGE: &str = "a pack for my daughter, she is 9, we need 2 packs for 150 euros";

    #[test]
    fn what_is_more_or_less_is_so_by_what_the_shop_states() {
        let pairs = [
            ("{2} weighs less than {1}.", "{1} weighs less than {2}."),
            ("{1} is heavier than {3}.", "{3} is heavier than {1}."),
            (
                "{2} is 400 g lighter than {1}.",
                "{2} is 300 g lighter than {1}.",
            ),
            (
                "{1} holds more litres than {2}.",
                "{2} holds more litres than {3}.",
            ),
            (
                "{1} is the roomiest of the three.",
                "{3} is the roomiest of the three.",
            ),
            (
                "{1} has the biggest capacity of the three.",
                "{3} has the biggest capacity of the three.",
            ),
            (
                "{2} dries within 90 minutes.",
                "{2} dries within 70 minutes.",
            ),
            ("{2} dries in 1.5 hours.", "{2} dries in 2 hours."),
            // All but one that are shown are so many.
            ("Lightest of the two is {3}.", "Lightest of the two is {1}."),
        ];
        tells_apart("en", &packs(), MESSAGE, &pairs);
        let pairs = [(
            "{2} es la que menos pesa de todo lo que te enseño.",
            "{3} es la que menos pesa de todo lo que te enseño.",
        )];
        tells_apart("es", &packs(), MESSAGE, &pairs);
    }

    #[test]
    fn what_compares_in_nothing_that_differs_is_not_so() {
        let [ridge, meadow, _] = packs();
        let mut twin = ridge.clone();
        twin.id = 4;
        twin.title = "Hollow".to_owned();
        let stands = |other: &Item| {
            let items = [ridge.clone(), other.clone()];
            let judged = judge("en", &items, MESSAGE, "{1} is wider than {2}.");
            judged.faults.is_empty()
        };
        assert!(stands(&meadow));
        assert!(!stands(&twin));
    }

    #[test]
    fn degrees_may_be_below_zero() {
        let written = |value: &str| {
            let attributes = [("confort".to_owned(), vec![value.to_owned()])];
            quantities(&attributes.into())[0].written
        };
        assert_eq!(written("−2 °C"), -200);
        assert_eq!(written("-2 °C"), -200);
        assert_eq!(written("2 °C"), 200);
    }

    #[test]
    fn ages_are_stated_or_among_those_that_are() {
        let pairs = [
            ("{2} is for ages 8 to 12.", "{2} is for ages 4 to 12."),
            ("{2} suits a nine-year-old.", "{2} suits a five-year-old."),
        ];
        tells_apart("en", &packs(), MESSAGE, &pairs);
    }

    #[test]
    fn what_counts_something_is_no_amount() {
        // 70 and the 2 packs, and the 9 years, are none.
        for (line, stands) in [
            ("{2} leaves you €80.", true),
            ("{2} leaves you €68.", false),
            ("{2} leaves you €61.", false),
        ] {
            let judged = judge("en", &packs(), MESSAGE, line);
            assert_eq!(judged.faults.is_empty(), stands, "{line}");
        }
    }
}
