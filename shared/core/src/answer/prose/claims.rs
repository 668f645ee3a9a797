//! Claims of order, price, age and stock: recognised by a few words, and computed from what is shown.

use std::cmp::Ordering;

use super::{
    Fault,
    measures::{self, Dimension, beside},
    reading::Reading,
};

/// What can be put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Price,
    Year,
    /// Whatever the shop states as a number of all that are compared.
    Length,
    /// An attribute in grams or kilograms.
    Weight,
}

/// What is claimed.
enum Claim {
    /// The first or last of all, or before or behind another.
    Order {
        measure: Measure,
        least: bool,
        of_all: Option<bool>,
    },
    SamePrice,
    SameYear,
    /// So many times another's price, in hundredths.
    Times(i64),
    SoldOut,
    Available,
    Last,
    Few,
    Many,
    Within,
    Beyond,
}

impl Claim {
    fn from_key(key: &str) -> Option<Self> {
        let order = |measure, least, of_all| {
            Some(Self::Order {
                measure,
                least,
                of_all,
            })
        };
        match key {
            "cheap" => order(Measure::Price, true, None),
            "cheaper" => order(Measure::Price, true, Some(false)),
            "cheapest" => order(Measure::Price, true, Some(true)),
            "dear" => order(Measure::Price, false, None),
            "dearer" => order(Measure::Price, false, Some(false)),
            "dearest" => order(Measure::Price, false, Some(true)),
            "old" => order(Measure::Year, true, None),
            "older" => order(Measure::Year, true, Some(false)),
            "oldest" => order(Measure::Year, true, Some(true)),
            "new" => order(Measure::Year, false, None),
            "newer" => order(Measure::Year, false, Some(false)),
            "newest" => order(Measure::Year, false, Some(true)),
            "short" | "shorter" | "shortest" => order(Measure::Length, true, None),
            "long" | "longer" | "longest" => order(Measure::Length, false, None),
            "light" | "lighter" => order(Measure::Weight, true, None),
            "lightest" => order(Measure::Weight, true, Some(true)),
            "heavy" | "heavier" => order(Measure::Weight, false, None),
            "heaviest" => order(Measure::Weight, false, Some(true)),
            "same-price" => Some(Self::SamePrice),
            "half" => Some(Self::Times(50)),
            "double" => Some(Self::Times(200)),
            "same-year" => Some(Self::SameYear),
            "sold-out" => Some(Self::SoldOut),
            "available" => Some(Self::Available),
            "last" => Some(Self::Last),
            "few" => Some(Self::Few),
            "many" => Some(Self::Many),
            "within" => Some(Self::Within),
            "beyond" => Some(Self::Beyond),
            _ => None,
        }
    }
}

/// Whether a key claims an order.
pub(super) fn is_order(key: &str) -> bool {
    matches!(Claim::from_key(key), Some(Claim::Order { .. }))
}

/// Whether a key claims how many there are.
pub(super) fn is_of_stock(key: &str) -> bool {
    matches!(
        Claim::from_key(key),
        Some(Claim::SoldOut | Claim::Available | Claim::Last | Claim::Few | Claim::Many)
    )
}

/// So many copies are few, and more are many: what a hand holds.
const FEW: u32 = 5;

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let words: Vec<&str> = reading.words.iter().map(String::as_str).collect();
    let mut at = 0;
    while at < words.len() {
        let Some(found) = reading.lexicon.claims.at(&words[at..]) else {
            at += 1;
            continue;
        };
        if let Some(claim) = Claim::from_key(found.key)
            && !is_figurative(reading, &claim)
            && !stands(reading, &claim, &words, at, found.words)
        {
            return Err(Fault::Claim);
        }
        at += found.words;
    }
    for (place, pair) in words.windows(2).enumerate() {
        let stands = |word: &str, key: &str| reading.lexicon.markers.stands(word, key);
        let least = match pair {
            [word, than] if stands(than, "than") && stands(word, "less") => true,
            [word, than] if stands(than, "than") && stands(word, "more") => false,
            _ => continue,
        };
        let after = &words[place + 1..];
        let is_item = after.iter().take(4).any(|word| *word == "·");
        if is_item
            && reading.marks("costs")
            && !in_order(
                reading,
                Measure::Price,
                least,
                Some(false),
                &words[..place],
                after,
            )
        {
            return Err(Fault::Claim);
        }
    }
    if is_one_left(reading) && reading.known[reading.subject[0]].item.stock != 1 {
        return Err(Fault::Claim);
    }
    measures::check(reading)?;
    if reading.is_of_one_alone() && !reading.at.is_question && !is_only(reading) {
        return Err(Fault::Claim);
    }
    Ok(())
}

/// "Una lectura más ligera": nothing that is shown is weighed.
fn is_figurative(reading: &Reading<'_>, claim: &Claim) -> bool {
    let is_weight = matches!(
        claim,
        Claim::Order {
            measure: Measure::Weight,
            ..
        }
    );
    let is_age = matches!(
        claim,
        Claim::Order {
            measure: Measure::Year,
            ..
        }
    );
    let mut known = reading.known.iter();
    (is_weight
        && known.clone().all(|known| {
            known
                .quantities
                .iter()
                .all(|of| of.dimension != Dimension::Mass)
        }))
        || (is_age && known.all(|known| known.item.year.is_none()))
}

fn stands(reading: &Reading<'_>, claim: &Claim, words: &[&str], at: usize, length: usize) -> bool {
    let item = |at: &usize| &reading.known[*at].item;
    let negated = words[at.saturating_sub(3)..at]
        .iter()
        .any(|word| reading.lexicon.markers.stands(word, "negation"))
        // "Zero in stock".
        || reading.tokens.iter().any(|token| token.number() == Some(0));
    // "Si no estuviese agotado": it is.
    let negated = negated && !(reading.marks("if") && matches!(claim, Claim::SoldOut));
    let subject = reading.subject;
    // A claim about nothing that is shown asks, wishes or is about the shop at large.
    if subject.is_empty() {
        let any = |holds: &dyn Fn(&usize) -> bool| reading.everything.iter().any(holds);
        return reading.at.is_question
            || match claim {
                Claim::SoldOut => any(&|at| item(at).stock == 0) || reading.everything.is_empty(),
                Claim::Available => any(&|at| item(at).stock > 0) != negated,
                Claim::Order { measure, least, .. } => {
                    !reading.marks("none") || is_none_before(reading, *measure, *least)
                }
                Claim::SamePrice => same(reading, &|at| Some(item(at).price_minor)),
                Claim::SameYear => same(reading, &|at| item(at).year.map(i64::from)),
                Claim::Last | Claim::Few | Claim::Many | Claim::Times(_) => false,
                Claim::Within | Claim::Beyond => true,
            };
    }
    // "Uno de ellos está agotado", of those that were spoken of together.
    let is_of_one = reading.marks("one-of");
    let group = if is_of_one && subject.len() < 2 {
        reading.everything
    } else {
        subject
    };
    let all = |holds: &dyn Fn(&usize) -> bool| {
        if is_of_one {
            group.iter().any(holds)
        } else {
            subject.iter().all(holds)
        }
    };
    let budget = reading.wish.budget;
    let holds = match claim {
        Claim::SoldOut => all(&|at| item(at).stock == 0),
        Claim::Available => all(&|at| item(at).stock > 0),
        Claim::Last => all(&|at| item(at).stock == 1),
        Claim::Few => all(&|at| (2..=FEW).contains(&item(at).stock)),
        Claim::Many => all(&|at| item(at).stock > FEW),
        Claim::SamePrice => same(reading, &|at| Some(item(at).price_minor)),
        Claim::SameYear => same(reading, &|at| item(at).year.map(i64::from)),
        Claim::Times(times) => {
            let pairs = reading.compared().into_iter();
            let prices = pairs
                .clone()
                .map(|(one, other)| (item(&one).price_minor, item(&other).price_minor));
            let measured = pairs.flat_map(|(one, other)| beside(reading, one, other));
            let measured = measured.map(|(own, other)| (own.amount, other.amount));
            // "Casi el doble de lo que pensabas".
            let together = subject.iter().map(|at| item(at).price_minor).sum::<i64>();
            let wished = reading
                .wish
                .budgets
                .iter()
                .map(|budget| (together, *budget));
            prices.chain(measured).chain(wished).any(|(own, other)| {
                let exact = other * times / 100;
                let is_about = reading.marks("approximately");
                let is_bound = match (reading.marks("over"), reading.marks("under")) {
                    (true, false) => own > exact,
                    (false, true) => own < exact,
                    _ => false,
                };
                is_bound
                    || own == exact
                    || (own - exact).abs() <= 1
                    || (is_about && (own - exact).abs() * 10 <= exact)
            })
        }
        Claim::Within => budget.is_some_and(|budget| all(&|at| item(at).price_minor <= budget)),
        Claim::Beyond => budget.is_some_and(|budget| {
            let together = subject.iter().map(|at| item(at).price_minor).sum::<i64>();
            all(&|at| item(at).price_minor > budget) || (subject.len() > 1 && together > budget)
        }),
        Claim::Order {
            measure,
            least,
            of_all,
        } => {
            if reading.marks("none") {
                return is_none_before(reading, *measure, *least);
            }
            let after: Vec<&str> = words[at + length..].to_vec();
            return in_order(reading, *measure, *least, *of_all, &words[..at], &after) != negated;
        }
    };
    holds != negated
}

/// "Ya no me queda más que una": of one item, at the end of what is said.
fn is_one_left(reading: &Reading<'_>) -> bool {
    let lexicon = reading.lexicon;
    let is_one = |word: &String| lexicon.numeral_of(word) == Some("1");
    reading.subject.len() == 1
        && reading.at.line.len() == 1
        && !reading.at.is_question
        && (reading.marks("remains") || (reading.marks("left") && reading.marks("negation")))
        && reading.words.last().is_some_and(is_one)
}

/// Whether all that are named together have one value.
fn same(reading: &Reading<'_>, value: &dyn Fn(&usize) -> Option<i64>) -> bool {
    // "Al mismo precio están {1} y {4}".
    if let [one, other, ..] = reading.at.whole
        && reading.subject.is_empty()
        && reading.at.line.is_empty()
    {
        return value(one).is_some() && value(one) == value(other);
    }
    let group = reading.mentioned();
    let group = if group.len() > 1 {
        group
    } else {
        reading.everything.to_vec()
    };
    let mut values = group.iter().map(value);
    let Some(Some(first)) = values.next() else {
        return false;
    };
    let subject = reading.subject.first();
    // "{4} costs the same as {1}".
    let than = reading.tokens.iter().position(|token| {
        token.is_plain_word() && reading.lexicon.markers.stands(&token.folded, "than")
    });
    if let Some(than) = than {
        let behind = reading.tokens[than..].iter();
        let mut behind =
            behind.flat_map(|token| token.item().into_iter().chain(token.names.iter().copied()));
        if behind.any(|other| {
            reading
                .subject
                .iter()
                .all(|own| *own != other && value(own) == value(&other))
        }) {
            return true;
        }
    }
    // "{4} vale lo mismo": as another that is shown.
    if reading.mentioned().len() < 2 {
        let own = subject.and_then(value);
        return own.is_some()
            && group
                .iter()
                .filter(|at| Some(*at) != subject)
                .any(|at| value(at) == own);
    }
    values.all(|value| value == Some(first))
}

/// "Nenhum é mais recente do que {4}".
fn is_none_before(reading: &Reading<'_>, measure: Measure, least: bool) -> bool {
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
            of(&|dimension| dimension == Dimension::Length)
                .or_else(|| of(&|dimension| dimension == Dimension::Time))
                .or_else(|| of(&|_| true))
        }
    }
}

fn in_order(
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
        return ahead.count() == rank.unwrap_or(0);
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
        if is_name && reading.known[own].is_called(word) {
            group.retain(|at| reading.known[*at].is_called(word));
        }
    }
}

/// "El único que queda", "the only one under 20": one alone of all that are shown.
fn is_only(reading: &Reading<'_>) -> bool {
    // "La única unidad que hay".
    let counts_copies = |words: &[String]| {
        let [only, unit] = words else { return false };
        reading.lexicon.units.stands(unit, "copies") && !reading.lexicon.is_function(only)
    };
    if !reading.subject.is_empty() && reading.words.windows(2).any(counts_copies) {
        return reading
            .subject
            .iter()
            .all(|at| reading.known[*at].item.stock == 1);
    }
    // "El único de los dos que nos queda".
    let is_of_group = reading.marks("group") && reading.subject.len() > 1;
    let everything = if is_of_group {
        reading.subject.iter()
    } else {
        reading.everything.iter()
    };
    let stock = |at: &&usize| reading.known[**at].item.stock > 0;
    let is_of_stock = reading.claims("available") || reading.marks("left");
    let money: Vec<i64> = reading.money();
    let is_under = reading.marks("under");
    let fits = |at: &&usize| {
        let price = reading.known[**at].item.price_minor;
        money.iter().all(|bound| {
            if is_under {
                price <= *bound
            } else {
                price >= *bound
            }
        })
    };
    let left: Vec<&usize> = match (is_of_stock, money.is_empty()) {
        (true, true) => everything.filter(stock).collect(),
        (false, false) => everything.filter(fits).collect(),
        (true, false) => everything.filter(stock).filter(fits).collect(),
        // "Él es el único que no lo sabe": nothing that is computed.
        (false, true) => return true,
    };
    left.len() == 1 && (reading.subject.is_empty() || is_of_group || reading.subject == [*left[0]])
}
