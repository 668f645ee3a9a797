//! Amounts of money in a clause: each is a price, the shopper's own, or made of what is shown.

use super::{
    amounts::{
        follows, follows_price, is_cents, is_derived, is_difference, is_left_over, says_more,
        several_of_each, sum_of_several, sums,
    },
    numbers::bound,
    reading::Reading,
    token::{Kind, Token},
};
use crate::answer::part::Field;

/// In hundredths of the currency's unit; what "about" allows for.
const NEARLY: i64 = 100;
/// The same as a part of a larger amount: a thirtieth.
const NEARLY_PART: i64 = 30;

pub(super) fn nearly(number: i64, exact: i64) -> bool {
    (number - exact).abs() <= NEARLY.max(exact / NEARLY_PART)
}

/// Whether an amount stands.
pub(super) fn is_money(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let number = if is_cents(reading, at) {
        number / 100
    } else {
        number
    };
    let price = |item: &usize| reading.known[*item].item.price_minor;
    let sum = |items: &[usize]| items.iter().map(price).sum::<i64>();
    let marks = |key: &str| reading.marks(key);
    let is_about = marks("approximately");
    let equals = |exact: i64| number == exact || (is_about && nearly(number, exact));
    let is_budget = reading.wish.budgets.contains(&number);
    let of = bound(reading, at);
    // "Las dos suman 21 €" says what they come to, and nothing else.
    let mut otherwise = ["budget", "difference", "more", "less"].iter();
    let sums_before = reading.named.is_empty() && reading.subject.len() > 1;
    let goes_on = ["left", "over", "under"].iter().any(|key| marks(key));
    let only_sums = (marks("sum") || (sums_before && !goes_on && reading.marks_near("sum")))
        && !otherwise.any(|key| marks(key));
    // "Uno de {1} y otro de {2} hacen 125 pesos".
    if reading.named.len() > 1 && !marks("costs") && number == sum_of_several(reading) {
        return true;
    }
    // "{1} y {2} se llevan 3 €": what the two differ by, and nothing else.
    if let [one, other] = reading.named[..]
        && marks("apart")
        && !marks("budget")
    {
        return equals((price(&one) - price(&other)).abs());
    }
    // "{1} is 4.50 € more than {2}": what the two differ by, and nothing else.
    if reading.named.len() > 1 && marks("than") && (marks("more") || marks("less")) {
        return is_difference(reading, at, &equals) || of.iter().any(|item| equals(price(item)));
    }
    if !only_sums && (is_difference(reading, at, &equals) || is_left_over(reading, at, &equals)) {
        return true;
    }
    if is_of_described(reading, at, number) {
        return true;
    }
    if !only_sums && is_derived(reading, at, &equals) {
        return true;
    }
    // "Twelve euros won't stretch to {4}".
    let exceeds = |item: &usize| price(item) > number;
    if is_budget && marks("negation") && !of.is_empty() && of.iter().all(exceeds) {
        return true;
    }
    // "Your £70 covers {2}".
    let names = |token: &Token| token.item().is_some() || !token.names.is_empty();
    let is_bounded = ["under", "over"]
        .iter()
        .any(|key| is_bound(reading, at, key));
    let follows_name = reading.tokens[..at].iter().any(names);
    let is_of_those = follows_price(reading, at) || (is_bounded && marks("left"));
    let comes_first = !follows_name && !is_of_those;
    if is_budget && comes_first && reading.at.line == reading.named {
        let reaches = |item: &usize| price(item) <= number;
        let has_price = |token: &Token| matches!(token.kind, Kind::Fact(_, Field::Price));
        let is_no_price = !marks("costs") || reading.tokens.iter().any(has_price);
        let reaches_named =
            is_no_price && !reading.named.is_empty() && reading.named.iter().all(reaches);
        // "Con 30 euros para las dos, …": before what it reaches is named.
        let reaches_what_follows = reading.named.is_empty()
            && reading.at.begins_sentence
            && reading.tokens[..at].iter().any(Token::is_word)
            && reading.at.whole.iter().any(reaches);
        if reaches_named || reaches_what_follows {
            return true;
        }
    }
    // "Leaves €5.50 from your €20": what it leaves is judged by itself.
    let is_taken_from = follows(reading, at, &["by"]) || is_of_wish(reading, at, number);
    if is_budget && marks("difference") && is_taken_from {
        return true;
    }
    if let Some(within) = is_between(reading, &of) {
        return within || is_budget;
    }
    for key in ["under", "over"] {
        if !is_bound(reading, at, key) {
            continue;
        }
        // A bound is a claim about what it speaks of, and otherwise only the shopper's own words.
        let keeps = |price: i64| {
            if key == "under" {
                price <= number
            } else {
                price >= number
            }
        };
        if of.is_empty() {
            let priced = |item: &usize| keeps(price(item));
            if counts_more(reading, at, &priced) {
                return false;
            }
            return (is_budget && !marks("costs")) || are_so_many(reading, at, &priced);
        }
        // "Hay más de una opción por debajo de 20 €", "just one of the five is under £20".
        let fitting = of.iter().filter(|item| keeps(price(item))).count();
        let is_of_one = marks("one-of") && fitting == 1;
        if of.len() > 2
            && reading.named.len() != 1
            && (is_of_one
                || (fitting > 0
                    && of.len() == reading.everything.len()
                    && is_budget
                    && speaks_of_some(reading)))
        {
            return true;
        }
        let negated = marks("negation");
        let all = of.iter().all(|item| keeps(price(item)));
        let together = of.len() > 1 && keeps(sum(&of));
        let sums =
            reading.marks("sum") || (reading.marks_near("sum") && !reading.marks_near("both"));
        let all = all && !(of.len() > 1 && sums);
        return (all || together) != negated || (negated && is_budget);
    }
    let mentioned = reading.mentioned();
    if reading.at.line.len() > 1 && equals(sum(reading.at.line)) {
        return true;
    }
    if reading.marks_near("sum") && sums(reading).any(&equals) {
        return true;
    }
    if mentioned.len() > 1 && (equals(sum(&mentioned)) || equals(sum(reading.subject))) {
        return true;
    }
    // "Tres de {1} por 20 €": so many times its price.
    if let Some((copies, item)) = several_of_each(reading).next() {
        return equals(price(&item) * copies);
    }
    // Several copies of one.
    let times =
        |item: &usize| (reading.at.counts.iter()).any(|count| equals(price(item) * count / 100));
    if of
        .iter()
        .any(|item| equals(price(item)) || (reading.marks_near("sum") && times(item)))
    {
        return true;
    }
    // "Dos de los tres cuestan 9,99 €".
    if of.len() != 1 && are_so_many(reading, at, &|item| equals(price(item))) {
        return true;
    }
    // Nobody in particular is spoken of: one of those that are shown, by what orders or counts them.
    if of.is_empty()
        && speaks_of_some(reading)
        && reading.everything.iter().any(|item| equals(price(item)))
    {
        return true;
    }
    // The shopper's own amount, said back as such: "tus 20 €", "con 15 € tienes varias".
    let is_as_such = (marks("budget")
        || (reading.marks_near("budget") && !says_more(reading) && names_nothing(reading)))
        && (reading.subject.is_empty() || !marks("costs"));
    let before = at
        .checked_sub(1)
        .map(|before| &reading.tokens[before].folded);
    let is_price = before.is_some_and(|word| {
        let mut keys = ["at", "is"].iter();
        keys.any(|key| reading.lexicon.markers.stands(word, key))
    });
    let names_none = reading.named.is_empty() && reading.tokens.iter().all(|token| !token.quoted);
    // "Si te ciñes a 90 €": nothing is there yet that it could be the price of.
    let is_of_shopper = marks("if") || marks("person") || marks("budget");
    let begins = reading.at.line.is_empty() && is_of_shopper && !speaks_of_some(reading);
    let is_at_large = names_none && (begins || !is_price) && !marks("costs") && says_more(reading);
    is_budget && (is_as_such || is_at_large || is_of_wish(reading, at, number))
}

/// "Entre 60 y 100 €": whether all that it speaks of cost between its two amounts, where it has two.
fn is_between(reading: &Reading<'_>, of: &[usize]) -> Option<bool> {
    let mut numbers = reading.tokens.iter().filter_map(Token::number);
    let mut words = reading.tokens.iter();
    let marked = words.find(|token| reading.lexicon.markers.stands(&token.folded, "between"));
    let (_, low, high) = (marked?, numbers.next()?, numbers.next()?);
    let price = |item: &usize| reading.known[*item].item.price_minor;
    let is_within = |item: &usize| (low..=high).contains(&price(item));
    (low < high).then(|| !of.is_empty() && of.iter().all(is_within))
}

/// "The $24.99 bit set": what stands behind an amount is what has that price.
fn is_of_described(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let behind = reading.tokens[at + 1..].iter();
    let behind = behind.skip_while(|token| token.mark().is_some());
    let words: Vec<&str> = behind
        .take(2)
        .take_while(|token| token.is_plain_word() && !reading.lexicon.is_function(&token.folded))
        .map(|token| token.folded.as_str())
        .collect();
    let after_article = at > 0 && {
        let before = reading.tokens[..at].iter().rev();
        let word = before.into_iter().find(|token| token.mark().is_none());
        word.is_some_and(|word| reading.lexicon.is_article(&word.folded))
    };
    let mut known = reading.known.iter();
    after_article
        && !words.is_empty()
        && known.any(|known| {
            known.item.price_minor == number && words.iter().all(|word| known.is_called(word))
        })
}

/// Whether a clause without a name speaks of what is shown: "el más barato", "uno por 9 €", "tienes dos opciones".
fn speaks_of_some(reading: &Reading<'_>) -> bool {
    let mut claims = reading.lexicon.claims.all(reading.words);
    let mut units = reading.lexicon.units.all(reading.words);
    let mut keys = ["left", "all", "both", "only", "group", "sum"].iter();
    claims.next().is_some()
        || units.any(|(_, found)| found.key == "items")
        || keys.any(|key| reading.marks_near(key))
        || !reading.at.line.is_empty()
}

/// Whether another number of the clause counts those of what is shown of which something holds: "tres cuestan menos de 20 €".
fn are_so_many(reading: &Reading<'_>, at: usize, holds: &dyn Fn(&usize) -> bool) -> bool {
    let all = reading.everything.iter().filter(|item| holds(item)).count();
    let tokens = reading.tokens.iter().enumerate();
    let mut counts = tokens.filter(|(other, _)| *other < at);
    counts.any(|(_, token)| {
        let count = token.number().filter(|number| number % 100 == 0);
        count.is_some_and(|count| usize::try_from(count / 100) == Ok(all)) && all > 0
    })
}

/// Whether another number of the clause counts more items than there are of which something holds: "hay tres disponibles por menos de 15 €".
fn counts_more(reading: &Reading<'_>, at: usize, holds: &dyn Fn(&usize) -> bool) -> bool {
    let is_available = reading.claims("available");
    let fits =
        |item: &&usize| holds(item) && (!is_available || reading.known[**item].item.stock > 0);
    let all = reading.everything.iter().filter(fits).count();
    let tokens = reading.tokens[..at].iter().enumerate();
    let mut counts = tokens.filter_map(|(other, token)| {
        let unit = reading.tokens.get(other + 1)?;
        let is_items = reading.lexicon.units.stands(&unit.folded, "items");
        token.number().filter(|_| is_items)
    });
    counts.any(|count| usize::try_from(count / 100).is_ok_and(|count| count > all))
}

/// Whether a bound stands right before a number: "menos de unos 20 €".
fn is_bound(reading: &Reading<'_>, at: usize, key: &str) -> bool {
    /// Words between the two.
    const BETWEEN: usize = 3;
    let from = at.saturating_sub(BETWEEN + 2);
    let words: Vec<&str> = reading.tokens[from..at]
        .iter()
        .map(|token| token.folded.as_str())
        .collect();
    let marked: Vec<_> = reading.lexicon.markers.all(&words).collect();
    // "The Crianza from Valdeluz is £12.50" bounds nothing.
    let says_otherwise = |place: usize| {
        let token = &reading.tokens[from + place];
        let mut keys = ["is", "costs"].iter();
        !token.names.is_empty()
            || token.item().is_some()
            || keys.any(|key| reading.lexicon.markers.stands(&token.folded, key))
    };
    let mut bounds = marked.iter().filter(|(_, found)| found.key == key);
    bounds.any(|(from, bound)| {
        // "Add up to", "supera en": no bounds.
        let ends = from + bound.words;
        let mut others = marked.iter();
        !(ends..words.len()).any(says_otherwise)
            && !others.any(|(other, longer)| {
                longer.words > bound.words && other <= from && other + longer.words >= ends
            })
    })
}

/// Whether a clause is of nothing that is shown.
fn names_nothing(reading: &Reading<'_>) -> bool {
    reading.named.is_empty() && reading.subject.is_empty()
}

/// "De tus 60", "los 500", "tu tope de 20": the shopper's own amount.
pub(super) fn is_of_wish(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let before = reading.tokens[..at].iter().rev();
    let mut before = before.filter(|token| token.mark().is_none());
    let stands = |word: &Token, key: &str| reading.lexicon.markers.stands(&word.folded, key);
    let is_own = |word: &Token| stands(word, "budget") || stands(word, "possessive");
    let is_of = before.next().is_some_and(|word| {
        let mut is_by = || stands(word, "by") && before.next().is_some_and(is_own);
        reading.lexicon.is_article(&word.folded) || is_own(word) || is_by()
    });
    is_of && reading.wish.budgets.contains(&number)
}
