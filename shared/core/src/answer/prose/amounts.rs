//! Amounts that nothing shown has, computed from what is shown: differences, sums, multiples, and what the shopper's own amount leaves.

use super::{
    Prose,
    reading::Reading,
    token::{Token, of_count},
    units::{Unit, unit},
};

impl Prose {
    /// Small whole numbers that may be so many of an item: "dos suman", and not "las dos", which are two items.
    pub(super) fn copies<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = i64> + 'a {
        let numbers = tokens.iter().enumerate();
        let numbers = numbers.filter_map(|(at, token)| Some((at, token.number()?)));
        let counts = numbers.filter(|(at, number)| {
            let before = at.checked_sub(1).map(|before| &tokens[before].folded);
            let is_group = before.is_some_and(|word| {
                self.lexicon.is_article(word) || self.lexicon.markers.stands(word, "together")
            });
            // Of more than are shown, it is copies.
            let is_group = is_group && *number <= of_count(self.everything.len());
            (200..=1000).contains(number) && number % 100 == 0 && !is_group
        });
        counts.map(|(_, number)| number)
    }
}

/// How many of an item are spoken of, where a number stands right before it.
pub(super) fn several_of_each<'a>(
    reading: &'a Reading<'_>,
) -> impl Iterator<Item = (i64, usize)> + 'a {
    let tokens = reading.tokens.iter().enumerate();
    let numbers = tokens.filter_map(|(at, token)| Some((at, token.number()?)));
    let counts = numbers.filter(|(_, number)| {
        let is_count = (200..=1000).contains(number) && number % 100 == 0;
        is_count && !reading.marks("left")
    });
    counts.filter_map(|(at, number)| {
        let mut rest = reading.tokens[at + 1..]
            .iter()
            .skip_while(|token| reading.lexicon.is_function(&token.folded));
        Some((number / 100, rest.next()?.one_item()?))
    })
}

/// What is named comes to, each so many times as is said: "{1} and two of {2}".
pub(super) fn sum_of_several(reading: &Reading<'_>) -> i64 {
    let amounts = reading.named.iter().map(|item| {
        let mut several = several_of_each(reading);
        let copies = several.find(|(_, of)| of == item);
        reading.known[*item].item.price_minor * copies.map_or(1, |(copies, _)| copies)
    });
    amounts.sum()
}

/// What two items that are compared differ by, the right way round.
pub(super) fn is_difference(
    reading: &Reading<'_>,
    at: usize,
    equals: &dyn Fn(i64) -> bool,
) -> bool {
    let price = |item: usize| reading.known[item].item.price_minor;
    let claims = |one: &str, other: &str| reading.claims(one) || reading.claims(other);
    let is_less = reading.marks("less") || claims("cheap", "cheaper");
    let is_more = reading.marks("more") || claims("dear", "dearer");
    let names_both = reading.at.line.len() > 1
        && !is_less
        && !is_more
        && (!is_priced(reading, at)
            || is_cents(reading, at)
            || (reading.named.is_empty() && !follows_price(reading, at)));
    let is_between = reading.marks("between") && reading.named.len() == 2;
    let is_either =
        is_between || reading.marks_near("difference") || reading.marks("group") || names_both;
    // "110 € por encima de tu presupuesto" is no difference of two items.
    let is_of_budget = reading.marks("budget") && reading.at.line.len() < 2;
    if (!is_less && !is_more && !is_either) || is_of_budget {
        return false;
    }
    reading.compared().iter().any(|(one, other)| {
        let difference = price(*one) - price(*other);
        let is_right_way = is_either || is_less == is_more || (difference < 0) == is_less;
        is_right_way && equals(difference.abs())
    })
}

/// Whether a number counts cents.
pub(super) fn is_cents(reading: &Reading<'_>, at: usize) -> bool {
    let next = reading.tokens.get(at + 1);
    next.is_some_and(|next| reading.lexicon.units.stands(&next.folded, "cents"))
}

/// Whether an amount is what the shopper's own leaves or lacks, or so many of an item, among all that the line speaks of, where no price's
/// verb stands before it.
pub(super) fn is_derived(reading: &Reading<'_>, at: usize, equals: &dyn Fn(i64) -> bool) -> bool {
    /// So many items have sums enough.
    const SUMMED: usize = 4;
    let mut items: Vec<usize> = Vec::new();
    let groups = [reading.at.whole, reading.subject, reading.group];
    for item in groups.into_iter().flatten() {
        if !items.contains(item) {
            items.push(*item);
        }
    }
    if items.is_empty() {
        // An amount alone is none that is derived.
        if !says_more(reading) {
            return false;
        }
        items = reading.everything.to_vec();
    }
    let price = |item: &usize| reading.known[*item].item.price_minor;
    // "59,90 € más 14,50 € son 74,40 €", each of which is judged by itself.
    let others = reading.tokens[..at].iter().enumerate();
    let others = others.filter_map(|(place, token)| {
        let is_money = matches!(unit(reading, place), Ok(Unit::Money));
        token.number().filter(|_| is_money)
    });
    let others: Vec<i64> = others.collect();
    if let [.., one, other] = others[..]
        && equals(one + other)
    {
        return true;
    }
    let times = items.iter().flat_map(|item| {
        let counts = reading.at.counts.iter();
        counts.map(move |count| reading.known[*item].item.price_minor * count / 100)
    });
    let times: Vec<i64> = times.collect();
    let is_price = follows_price(reading, at) && !is_cents(reading, at);
    if (!is_price || reading.marks("sum")) && times.iter().any(|amount| equals(*amount)) {
        return true;
    }
    if is_price {
        return false;
    }
    items.truncate(SUMMED);
    let singles = items.iter().map(price);
    let subsets = 1_u32..1 << items.len();
    let sums = subsets.map(|subset| {
        let places = items.iter().enumerate();
        let chosen = places.filter(|(place, _)| subset & (1 << place) != 0);
        chosen.map(|(_, item)| price(item)).sum::<i64>()
    });
    let mut amounts = singles.chain(sums).chain(times.iter().copied());
    amounts.any(|amount| {
        let mut budgets = reading.wish.budgets.iter();
        budgets.any(|budget| *budget != amount && equals((budget - amount).abs()))
    })
}

/// Whether a price's verb stands right before a number.
pub(super) fn follows_price(reading: &Reading<'_>, at: usize) -> bool {
    follows(reading, at, &["at", "costs"]) && !reading.claims("beyond")
}

/// Whether a word that one of the markers `keys` lists stands right before a number, signs left aside.
pub(super) fn follows(reading: &Reading<'_>, at: usize, keys: &[&str]) -> bool {
    let before = reading.tokens[..at].iter().rev();
    let word = before.into_iter().find(|token| token.mark().is_none());
    word.is_some_and(|word| {
        let markers = &reading.lexicon.markers;
        keys.iter().any(|key| markers.stands(&word.folded, key))
    })
}

/// What the shopper's own amount leaves, or lacks.
pub(super) fn is_left_over(reading: &Reading<'_>, at: usize, equals: &dyn Fn(i64) -> bool) -> bool {
    let mut keys = ["budget", "difference", "more", "less", "under", "over"].iter();
    let compares = keys.any(|key| reading.marks_near(key))
        || reading.claims_near("beyond")
        || reading.claims_near("within");
    let is_amount = compares || !is_priced(reading, at);
    let price = |item: &usize| reading.known[*item].item.price_minor;
    let sum = |items: &[usize]| items.iter().map(price).sum::<i64>();
    let mentioned = reading.mentioned();
    let sums = [sum(reading.subject), sum(&mentioned), sum(reading.group)];
    // Of several together, what they come to.
    let single = reading
        .subject
        .iter()
        .filter(|_| reading.subject.len() == 1);
    // Of one of several that are spoken of together: "con el más barato de los dos te sobran…".
    let each = [&mentioned[..], reading.group];
    let each = each
        .into_iter()
        .flatten()
        .filter(|_| reading.subject.len() != 1);
    // "… come to 30.60, sixty cents more than you have".
    let said = reading.at.numbers.iter().copied();
    let amounts = single.map(price).chain(each.map(price)).chain(sums);
    let mut amounts = amounts.chain(said);
    let leaves = |amount: i64| {
        let mut budgets = reading.wish.budgets.iter();
        budgets.any(|budget| *budget != amount && equals((budget - amount).abs()))
    };
    is_amount && (amounts.any(|amount| amount > 0 && leaves(amount)) || made(reading).any(equals))
}

/// What sums and multiples of what the line names differ by, among each other and from the shopper's own amounts.
fn made(reading: &Reading<'_>) -> impl Iterator<Item = i64> {
    /// So many named items have sums enough.
    const NAMED: usize = 4;
    let mut named: Vec<usize> = reading.at.line.to_vec();
    named.extend(
        reading
            .subject
            .iter()
            .filter(|item| !reading.at.line.contains(item)),
    );
    named.truncate(NAMED);
    let price = |item: &usize| reading.known[*item].item.price_minor;
    let subsets = 1_u32..1 << named.len();
    let sums = subsets
        .filter(|subset| subset.count_ones() > 1)
        .map(|subset| {
            let places = named.iter().enumerate();
            let chosen = places.filter(|(place, _)| subset & (1 << place) != 0);
            chosen.map(|(_, item)| price(item)).sum::<i64>()
        });
    let copies = reading.tokens.iter().filter_map(Token::number);
    let copies: Vec<i64> = copies
        .filter(|copies| [200, 300].contains(copies))
        .collect();
    let times = named
        .iter()
        .flat_map(|item| copies.iter().map(|copies| price(item) * copies / 100));
    let made: Vec<i64> = sums.chain(times).collect();
    let others: Vec<i64> = named
        .iter()
        .map(price)
        .chain(reading.wish.budgets.iter().copied())
        .collect();
    made.into_iter().flat_map(move |one| {
        let differences = others.iter().map(move |other| (one - other).abs());
        differences.filter(|amount| *amount > 0).collect::<Vec<_>>()
    })
}

/// The sums of what is named, or of any of what is shown.
pub(super) fn sums<'a>(reading: &'a Reading<'_>) -> impl Iterator<Item = i64> + 'a {
    /// So many items have sums enough.
    const SUMMED: usize = 8;
    let is_pair = reading.marks("both") && reading.at.line.len() > 1;
    let items: Vec<usize> = if reading.named.len() > 1 || is_pair {
        reading.mentioned()
    } else if (2..reading.everything.len()).contains(&reading.subject.len()) {
        reading.subject.to_vec()
    } else if reading.makers.len() > 1 {
        reading.makers.to_vec()
    } else {
        reading.everything.iter().copied().take(SUMMED).collect()
    };
    let items: Vec<usize> = items.into_iter().take(SUMMED).collect();
    let subsets = 0_u32..1 << items.len();
    let subsets = subsets.filter(|subset| subset.count_ones() > 1);
    subsets.map(move |subset| {
        let places = items.iter().enumerate();
        let chosen = places.filter(|(place, _)| subset & (1 << place) != 0);
        chosen
            .map(|(_, item)| reading.known[*item].item.price_minor)
            .sum()
    })
}

/// Whether a number stands right behind a price's verb, or by itself as a price does.
fn is_priced(reading: &Reading<'_>, at: usize) -> bool {
    let is_verb = follows(reading, at, &["at", "costs", "is"]);
    let only_says_it = reading.named.len() < 2 && !says_more(reading);
    is_verb || several_of_each(reading).next().is_some() || reading.marks("costs") || only_says_it
}

/// Whether a clause has a word that says something beside its amounts.
pub(super) fn says_more(reading: &Reading<'_>) -> bool {
    let units = reading.lexicon.units;
    let mut words = reading.words.iter();
    words.any(|word| {
        *word != "·" && !reading.lexicon.is_function(word) && units.at(&[word.as_str()]).is_none()
    })
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{judge, novels, tells_apart};

    const MESSAGE: &str = "something about the sea for 20 euros";

    #[test]
    fn amounts_are_computed_and_no_others_stand() {
        let pairs = [
            ("{3} is €10 too much.", "{3} is €9 too much."),
            ("{2} leaves you €5.50.", "{2} leaves you €6.50."),
            (
                "€10 plus €14.50 makes €24.50.",
                "€10 plus €14.50 makes €25.50.",
            ),
            ("{2} is €4.50 more than {1}.", "{1} is €4.50 more than {2}."),
            ("{2} costs €14.50.", "{2} costs €5.50."),
            ("Your €20 covers {2}.", "€20 is what {2} costs."),
            ("With €20, {2} is yours.", "€20."),
            ("{1} and {2} come to €24.50.", "{1} and {2} come to €26.50."),
            // "Up to" is a bound elsewhere.
            ("{1} and {3} add up to €40.", "{1} and {3} add up to €45."),
            (
                "{1} and two of {2} come to €39.",
                "{1} and two of {2} come to €38.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
        let pairs = [
            (
                "{1} se queda 2 € por debajo de tu mínimo de 12.",
                "{1} se queda 3 € por debajo de tu mínimo de 12.",
            ),
            (
                "A {2} le sobran 5,50 € de tu tope de 20.",
                "A {2} le sobran 6,50 € de tu tope de 20.",
            ),
            (
                "Hay un libro disponible por menos de 20 €.",
                "Hay dos libros disponibles por menos de 20 €.",
            ),
        ];
        tells_apart("es", &novels(), "algo del mar, entre 12 y 20 €", &pairs);
        // A count is no addend.
        let judged = judge("en", &novels(), MESSAGE, "{2} has 2 of €10 for €12.");
        assert!(!judged.faults.is_empty());
    }

    #[test]
    fn what_the_shoppers_own_amount_leaves_is_taken_from_it() {
        let pairs = [
            (
                "{2} leaves you €5.50 from your €20.",
                "{2} leaves you €4.50 from your €20.",
            ),
            (
                "{1} (€10.00) + {2} (€14.50) = €24.50.",
                "{1} (€10.00) + {2} (€14.50) = €23.50.",
            ),
        ];
        tells_apart("en", &novels(), "a novel, about €20", &pairs);
        let pairs = [(
            "{2} cuesta 14,50 € y te sobran 5,50 para el papel de regalo.",
            "{2} cuesta 14,50 € y lleva papel de regalo.",
        )];
        tells_apart("es", &novels(), "una novela, unos 20 euros", &pairs);
    }

    #[test]
    fn what_is_counted_is_there_so_many_times() {
        let pairs = [
            (
                "Two of the three are available.",
                "All three are available.",
            ),
            ("One is sold out.", "Two are sold out."),
            (
                "{2} by Quill is the last copy.",
                "{3} by Valdor is the last copy.",
            ),
            (
                "The one by Quill costs €14.50.",
                "The one by Quill costs €30.",
            ),
        ];
        tells_apart("en", &novels(), MESSAGE, &pairs);
    }
}
