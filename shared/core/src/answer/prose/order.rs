//! Orders: what is before or behind another, or all others, in price, age, length or weight.

use std::cmp::Ordering;

use super::{measures::Dimension, reading::Reading};

/// What can be put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Price,
    Year,
    /// Copies that are left.
    Stock,
    /// Whatever the shop states as a number of all that are compared.
    Length,
    /// An attribute in grams or kilograms.
    Weight,
}

/// "Nenhum é mais recente do que {4}".
pub(super) fn is_none_before(reading: &Reading<'_>, measure: Measure, least: bool) -> bool {
    let named = reading.named.first().or_else(|| reading.subject.first());
    let Some(own) = named.and_then(|standard| value(reading, measure, *standard)) else {
        return true;
    };
    let mut others = reading
        .everything
        .iter()
        .filter_map(|at| value(reading, measure, *at));
    others.all(|other| if least { own <= other } else { own >= other })
}

/// What an item has of a measure, where the shop states it.
fn value(reading: &Reading<'_>, measure: Measure, at: usize) -> Option<i64> {
    let known = &reading.known[at];
    match measure {
        Measure::Price => Some(known.item.price_minor),
        Measure::Year => known.item.year.map(i64::from),
        Measure::Stock => Some(i64::from(known.item.stock)),
        Measure::Weight => {
            let mut quantities = known.quantities.iter();
            let mass = quantities.find(|of| of.dimension == Dimension::Mass);
            mass.map(|of| of.amount)
        }
        // Of several measures nobody says which is meant, but for the only one in units of length.
        Measure::Length => {
            let of = |fits: &dyn Fn(Dimension) -> bool| {
                let mut quantities = known.quantities.iter().filter(|of| fits(of.dimension));
                let only = quantities.next().filter(|_| quantities.next().is_none());
                only.map(|of| of.amount)
            };
            // "El de confort más bajo": what it names.
            let mut quantities = known.quantities.iter();
            let named = quantities.find(|of| reading.words.iter().any(|word| of.is_called(word)));
            named
                .map(|of| of.amount)
                .or_else(|| of(&|dimension| dimension == Dimension::Length))
                .or_else(|| of(&|dimension| dimension == Dimension::Time))
                .or_else(|| of(&|_| true))
        }
    }
}

pub(super) fn in_order(
    reading: &Reading<'_>,
    measure: Measure,
    least: bool,
    of_all: Option<bool>,
    before: &[&str],
    after: &[&str],
) -> bool {
    let lexicon = reading.lexicon;
    let compares = after
        .iter()
        .take(4)
        .any(|word| lexicon.markers.stands(word, "than"));
    // "El libro más barato que tengo", and not "el libro es más barato que {2}".
    let near = before.iter().rev().take(4);
    let mut near = near.take_while(|word| !lexicon.markers.stands(word, "is"));
    let has_article = near.any(|word| lexicon.is_article(word));
    let of_all = of_all.unwrap_or(has_article);
    let Some(own) = reading.subject.first() else {
        return true;
    };
    let value = |at: usize| value(reading, measure, at);
    let Some(own_value) = value(*own) else {
        // Stated by the item's own text, as in "una novela breve", or by nobody.
        return false;
    };
    let is_before = |other: i64| {
        let order = own_value.cmp(&other);
        if least {
            order == Ordering::Less
        } else {
            order == Ordering::Greater
        }
    };
    if of_all {
        if reading.subject.len() > 1 && reading.subject.len() == reading.everything.len() {
            return false;
        }
        let named = reading.mentioned();
        let mut group: Vec<usize> = if reading.marks("group") && named.len() > 1 {
            named
        } else {
            reading.everything.to_vec()
        };
        if reading.group.contains(own) {
            group = reading.group.to_vec();
        }
        if reading.claims_near("available") || reading.marks_near("left") {
            group.retain(|at| reading.known[*at].item.stock > 0);
        }
        retain_called(reading, &mut group, *own, before, after);
        if !reading.makers.is_empty() {
            group.retain(|at| reading.makers.contains(at));
        }
        // "Cuestan lo mismo y son los más baratos": of those that were spoken of together, none is before another.
        let ties = |at: &usize| {
            reading.group.contains(own)
                && reading.group.contains(at)
                && value(*at) == Some(own_value)
        };
        let is_subject = |at: &usize| reading.subject.contains(at) || ties(at);
        let others = group.iter().filter(|at| !is_subject(at));
        let ahead = others.filter(|other| !value(**other).is_none_or(is_before));
        // "El segundo más barato": as many as its rank says are before it.
        let rank = before.last().and_then(|word| {
            let mut ranks = ["second", "third"].iter().zip(1..);
            ranks.find_map(|(key, rank)| lexicon.markers.stands(word, key).then_some(rank))
        });
        let ahead = ahead.count();
        // "Lightest of the four bags": of all but one, and nobody says which.
        let is_called = |word: &&str| reading.known[*own].is_called(word);
        let counted = of_how_many(reading).filter(|_| !after.iter().any(is_called));
        let uncounted = usize::from(counted.is_some_and(|count| count + 1 == group.len()));
        return match rank {
            Some(rank) => ahead == rank,
            None => ahead <= uncounted,
        };
    }
    let others: Vec<usize> = reading
        .compared()
        .iter()
        .filter(|(one, _)| one == own)
        .map(|(_, other)| *other)
        .collect();
    let mut compared = others.iter().filter_map(|other| value(*other)).peekable();
    if compared.peek().is_none() {
        return false;
    }
    if compares && reading.named.len() > 1 {
        compared.all(is_before)
    } else {
        compared.any(is_before)
    }
}

/// "Of the four": a number behind an article.
pub(super) fn of_how_many(reading: &Reading<'_>) -> Option<usize> {
    reading.tokens.windows(2).find_map(|pair| {
        let number = pair[1].number()?;
        let count = usize::try_from(number / 100).ok()?;
        reading.lexicon.is_article(&pair[0].folded).then_some(count)
    })
}

/// "El casaco más barato", "the cheapest jumper": those that are called so, as what is spoken of is.
fn retain_called(
    reading: &Reading<'_>,
    group: &mut Vec<usize>,
    own: usize,
    before: &[&str],
    after: &[&str],
) {
    /// Words on either side of what orders.
    const NEAR: usize = 4;
    let is_end = |word: &&&str| {
        let markers = &reading.lexicon.markers;
        !markers.stands(word, "is") && !markers.stands(word, "than")
    };
    let before = before.iter().rev().take(NEAR).take_while(is_end);
    let after = after.iter().take(NEAR).take_while(is_end);
    for word in before.chain(after) {
        let is_name = *word != "·" && !reading.lexicon.is_function(word);
        let is_called = |at: &usize| reading.known[*at].is_called(word);
        // Called so alone, it is no kind that others are of.
        if is_name && is_called(&own) && group.iter().filter(|at| is_called(at)).count() > 1 {
            group.retain(is_called);
        }
    }
}
