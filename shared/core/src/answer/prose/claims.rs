//! Claims of order, price, age and stock: recognised by a few words, and computed from what is shown.

use super::{
    Fault, alone,
    measures::{self, Dimension, beside},
    order::{Measure, in_order, is_none_before},
    reading::Reading,
};

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
            "short" => order(Measure::Length, true, None),
            "shorter" => order(Measure::Length, true, Some(false)),
            "shortest" => order(Measure::Length, true, Some(true)),
            "long" => order(Measure::Length, false, None),
            "longer" => order(Measure::Length, false, Some(false)),
            "longest" => order(Measure::Length, false, Some(true)),
            "light" => order(Measure::Weight, true, None),
            "lighter" => order(Measure::Weight, true, Some(false)),
            "lightest" => order(Measure::Weight, true, Some(true)),
            "heavy" => order(Measure::Weight, false, None),
            "heavier" => order(Measure::Weight, false, Some(false)),
            "heaviest" => order(Measure::Weight, false, Some(true)),
            "fewer-copies" => order(Measure::Stock, true, None),
            "more-copies" => order(Measure::Stock, false, None),
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

/// Whether a key claims that one is before another.
pub(super) fn is_comparative(key: &str) -> bool {
    let claim = Claim::from_key(key);
    matches!(
        claim,
        Some(Claim::Order {
            of_all: Some(false) | None,
            ..
        })
    )
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
    let words = reading.words.iter().map(String::as_str);
    let words: Vec<&str> = words.filter(|word| !is_adverb(reading, word)).collect();
    let mut at = 0;
    while at < words.len() {
        let Some(found) = reading.lexicon.claims.at(&words[at..]) else {
            at += 1;
            continue;
        };
        if let Some(claim) = Claim::from_key(found.key)
            && !is_figurative(reading, &claim)
            && !is_end_of_range(reading, &claim)
            && !stands(reading, &claim, &words, at, found.words)
        {
            return Err(Fault::Claim);
        }
        at += found.words;
    }
    if is_one_left(reading) && reading.known[reading.subject[0]].item.stock != 1 {
        return Err(Fault::Claim);
    }
    measures::check(reading)?;
    if reading.is_of_one_alone() && !reading.at.is_question && !alone::is_only(reading) {
        return Err(Fault::Claim);
    }
    Ok(())
}

/// "Pasa ligeramente de tu límite": what stands within a claim and is none, by its ending.
fn is_adverb(reading: &Reading<'_>, word: &str) -> bool {
    /// Letters before the ending.
    const ROOT: usize = 3;
    let markers = &reading.lexicon.markers;
    let mut endings = word.char_indices().skip(ROOT);
    endings.any(|(at, _)| markers.stands(&word[at..], "adverb-ending"))
        && !reading.lexicon.has(word)
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

/// "Del más ligero al más pesado", "from the cheapest to the dearest" say how something is sorted: two ends of one measure with nothing
/// but small words between them, behind what opens a range.
fn is_end_of_range(reading: &Reading<'_>, claim: &Claim) -> bool {
    /// Words from what opens a range to its first end: "entre el libro".
    const OPENS: usize = 3;
    let end = |claim: &Claim| match claim {
        Claim::Order { measure, least, .. } => Some((*measure, *least)),
        _ => None,
    };
    let ends = reading.lexicon.claims.all(reading.words);
    let ends = ends.filter_map(|(at, found)| {
        let (measure, least) = end(&Claim::from_key(found.key)?)?;
        Some((at, at + found.words, measure, least))
    });
    let ends: Vec<_> = ends.collect();
    let [(from, until, measure, least), (at, _, other, other_least)] = ends[..] else {
        return false;
    };
    let markers = &reading.lexicon.markers;
    let mut before = reading.words[from.saturating_sub(OPENS)..from].iter();
    let opens = before.any(|word| markers.stands(word, "by") || markers.stands(word, "between"));
    let mut between = reading.words.get(until..at).into_iter().flatten();
    end(claim).is_some_and(|(own, _)| own == measure)
        && (measure, least) == (other, !other_least)
        && opens
        && between.all(|word| reading.lexicon.is_function(word))
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
    let is_of_none = reading.marks("none") || reading.at.is_denied;
    // A claim about nothing that is shown asks, wishes or is about the shop at large.
    if subject.is_empty() {
        let any = |holds: &dyn Fn(&usize) -> bool| reading.everything.iter().any(holds);
        return reading.at.is_question
            || match claim {
                Claim::SoldOut => any(&|at| item(at).stock == 0) || reading.everything.is_empty(),
                Claim::Available => any(&|at| alone::is_there(reading, *at)) != negated,
                Claim::Order { measure, least, .. } => {
                    !is_of_none || is_none_before(reading, *measure, *least)
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
            // What is said of a price is of no weight.
            let is_priced = reading.marks("costs");
            let measured = measured.filter(|_| !is_priced);
            // "Casi el doble de lo que pensabas".
            let together = subject.iter().map(|at| item(at).price_minor).sum::<i64>();
            let budgets = reading.wish.budgets.iter();
            let budgets = budgets.filter(|_| reading.named.is_empty());
            let wished = budgets.map(|budget| (together, *budget));
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
            let exceeds = |at: &usize| item(at).price_minor > budget;
            if negated {
                subject.iter().any(exceeds)
            } else {
                all(&exceeds) || (subject.len() > 1 && together > budget)
            }
        }),
        Claim::Order {
            measure,
            least,
            of_all,
        } => {
            if is_of_none {
                return is_none_before(reading, *measure, *least);
            }
            let after: Vec<&str> = words[at + length..].to_vec();
            return in_order(reading, *measure, *least, *of_all, &words[..at], &after) != negated;
        }
    };
    holds != negated
}

/// "Ya no me queda más que una", "only one remains": of one item, where nothing is named behind that would be counted.
fn is_one_left(reading: &Reading<'_>) -> bool {
    let lexicon = reading.lexicon;
    let is_one = |word: &String| lexicon.numeral_of(word) == Some("1");
    let is_left = |word: &String| {
        let mut keys = ["left", "remains"].into_iter();
        keys.any(|key| lexicon.markers.stands(word, key))
    };
    let mut pairs = reading.words.windows(2);
    let remains = reading.marks("only") && pairs.any(|pair| is_one(&pair[0]) && is_left(&pair[1]));
    // "Nos queda uno", "apenas nos queda un sobre", and not "ainda sobra um trocado".
    let ends_with_one = match reading.words {
        [.., one, noun] => is_one(noun) || (is_one(one) && !reading.marks("difference")),
        _ => false,
    };
    reading.subject.len() == 1
        && (reading.at.line.len() == 1 || reading.named == reading.subject)
        && !reading.at.is_question
        && (reading.marks("remains") || (reading.marks("left") && reading.marks("negation")))
        && (remains || ends_with_one)
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

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart};

    const MESSAGE: &str = "something for 20 euros";

    #[test]
    fn stock_is_as_it_is() {
        let pairs = [
            ("Of {2} only one remains.", "Of {3} only one remains."),
            ("{1} is sold out.", "{2} is sold out."),
            ("{3} has a few copies left.", "{2} has a few copies left."),
            ("{2} is the last copy.", "{3} is the last copy."),
            (
                "{2} is down to a single one.",
                "{3} is down to a single one.",
            ),
            (
                "{3} is the best stocked of the lot.",
                "{2} is the best stocked of the lot.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
        let pairs = [(
            "De {2} apenas nos queda un sobre.",
            "De {3} apenas nos queda un sobre.",
        )];
        tells_apart("es", &novels(), MESSAGE, &pairs);
    }

    #[test]
    fn what_goes_on_comparing_is_of_the_same() {
        let pairs = [
            (
                "{3} is newer than {2}, and it costs more too.",
                "{2} is older than {3}, and it costs more too.",
            ),
            (
                "From the cheapest to the dearest, {1} and {3}.",
                "The dearest is {1}.",
            ),
            ("None is newer than {3}.", "None is newer than {2}."),
            ("None is cheaper than {1}.", "None is cheaper than {2}."),
            (
                "Newer than {3}, there is nothing.",
                "Newer than {2}, there is nothing.",
            ),
            (
                "{3} costs more than either {1} or {2}.",
                "{2} costs more than either {1} or {3}.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
        let pairs = [(
            "Entre el libro más caro y el más barato van 20 €.",
            "El libro más caro es {1} frente al más barato, {3}.",
        )];
        tells_apart("es", &novels(), MESSAGE, &pairs);
    }

    #[test]
    fn a_price_is_within_what_was_said_or_beyond_it() {
        let pairs = [
            ("{2} is within your budget.", "{3} is within your budget."),
            ("{3} is over your budget.", "{2} is over your budget."),
            (
                "{3} is slightly over your budget.",
                "{2} is slightly over your budget.",
            ),
            (
                "{1} is not over your budget.",
                "{3} is not over your budget.",
            ),
            // Together they are.
            (
                "{1} and {2} together are over your budget.",
                "{1} is over your budget.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
    }

    #[test]
    fn so_many_times_is_of_prices_or_of_what_is_measured() {
        let pairs = [
            (
                "{3} costs about twice as much as {2}.",
                "{2} costs about twice as much as {1}.",
            ),
            (
                "{3} is not half the price of {2}.",
                "{3} is half the price of {2}.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
    }
}
