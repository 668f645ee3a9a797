//! Numbers in a clause: each is rendered, stated, the shopper's own, or computed from what is shown.

use super::{
    Fault, Item,
    amounts::{is_difference, is_left_over, says_more, several_of_one, sums},
    reading::Reading,
    token::{Kind, Token},
    units::{Unit, unit, units_have_numbers},
};

/// In hundredths of the currency's unit; what "about" allows for.
const NEARLY: i64 = 100;
/// The same as a part of a larger amount: a thirtieth.
const NEARLY_PART: i64 = 30;

/// Eight digits, in hundredths.
const CODE: i64 = 1_000_000_000;

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    units_have_numbers(reading)?;
    for (at, token) in reading.tokens.iter().enumerate() {
        if let Kind::Number(number) = token.kind {
            let unit = unit(reading, at)?;
            let stands = match unit {
                Unit::Money => is_money(reading, at, number),
                Unit::Copies => is_copies(reading, at, number),
                Unit::Items => is_count(reading, number) || is_stated(reading, number),
                Unit::Years => {
                    is_years(reading, number)
                        || is_stated(reading, number)
                        || is_own(reading, number)
                }
                Unit::Time => {
                    is_stated(reading, number)
                        || (is_own(reading, number) && reading.at.is_question)
                }
                Unit::Percent | Unit::Other => is_stated(reading, number),
                Unit::None => is_bare(reading, at, number),
            };
            if !stands {
                return Err(match unit {
                    Unit::Money => Fault::Price,
                    _ => Fault::Number,
                });
            }
        }
        // "4K", "S23": letters and digits that nobody has written.
        let is_mixed = token.is_plain_word() && token.text.chars().any(char::is_numeric);
        if is_mixed && !reading.is_known_word(&token.folded) {
            return Err(Fault::Number);
        }
    }
    Ok(())
}

fn is_cents(reading: &Reading<'_>, at: usize) -> bool {
    let next = reading.tokens.get(at + 1);
    next.is_some_and(|next| reading.lexicon.units.stands(&next.folded, "cents"))
}

fn nearly(number: i64, exact: i64) -> bool {
    (number - exact).abs() <= NEARLY.max(exact / NEARLY_PART)
}

/// The item that a number at `at` is of: named before it in the clause, or after it, or what the clause is about.
fn bound(reading: &Reading<'_>, at: usize) -> Vec<usize> {
    let of = |token: &Token| {
        token
            .item()
            .or_else(|| (token.names.len() == 1).then(|| token.names[0]))
    };
    let before = reading.tokens[..at].iter().rev().find_map(of);
    let behind = || reading.tokens[at..].iter().find_map(of);
    match before.or_else(behind) {
        Some(item) => vec![item],
        None => reading.subject.to_vec(),
    }
}

fn is_money(reading: &Reading<'_>, at: usize, number: i64) -> bool {
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
    if is_difference(reading, at, &equals) || is_left_over(reading, at, &equals) {
        return true;
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
            return (is_budget && !marks("costs")) || are_so_many(reading, at, &priced);
        }
        let negated = marks("negation");
        let all = of.iter().all(|item| keeps(price(item)));
        let together = of.len() > 1 && keeps(sum(&of));
        return (all || together) != negated || (negated && is_budget);
    }
    let mentioned = reading.mentioned();
    if reading.marks_near("sum") && sums(reading).any(&equals) {
        return true;
    }
    if mentioned.len() > 1 && (equals(sum(&mentioned)) || equals(sum(reading.subject))) {
        return true;
    }
    // "Tres de {1} por 20 €": so many times its price.
    if let Some((copies, item)) = several_of_one(reading) {
        return equals(price(&item) * copies);
    }
    // Several copies of one.
    let copies = reading.tokens.iter().filter_map(Token::number);
    let copies: Vec<i64> = copies
        .map(|number| number / 100)
        .filter(|copies| (2..=10).contains(copies))
        .collect();
    let times = |item: &usize| copies.iter().any(|copies| equals(price(item) * copies));
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
    let is_as_such = marks("budget") && (reading.subject.is_empty() || !marks("costs"));
    let before = at
        .checked_sub(1)
        .map(|before| &reading.tokens[before].folded);
    let is_price = before.is_some_and(|word| {
        let mut keys = ["at", "is"].iter();
        keys.any(|key| reading.lexicon.markers.stands(word, key))
    });
    let names_none = reading.tokens.iter().all(|token| !token.quoted);
    let is_at_large =
        of.is_empty() && names_none && !is_price && !marks("costs") && says_more(reading);
    is_budget && (is_as_such || is_at_large || is_of_wish(reading, at, number))
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

/// Whether a bound stands right before a number: "menos de unos 20 €".
fn is_bound(reading: &Reading<'_>, at: usize, key: &str) -> bool {
    /// Words between the two.
    const BETWEEN: usize = 3;
    let from = at.saturating_sub(BETWEEN + 2);
    let words: Vec<&str> = reading.tokens[from..at]
        .iter()
        .map(|token| token.folded.as_str())
        .collect();
    reading.lexicon.marks(&words, key)
}

fn is_copies(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    // "Dos ejemplares suman…": as many as one may take.
    if reading.marks("sum")
        && reading
            .subject
            .iter()
            .all(|item| i64::from(reading.known[*item].item.stock) * 100 >= number)
    {
        return true;
    }
    let stock = |item: usize| i64::from(reading.known[item].item.stock) * 100;
    let of = bound(reading, at);
    let sum = |items: &[usize]| items.iter().map(|item| stock(*item)).sum::<i64>();
    if of.is_empty() {
        return reading.everything.iter().any(|item| stock(*item) == number);
    }
    of.iter().any(|item| stock(*item) == number) || (of.len() > 1 && sum(&of) == number)
}

/// How many there are of what is shown: of all, a maker's or a category's, in stock or not, within the shopper's amount or not.
fn is_count(reading: &Reading<'_>, number: i64) -> bool {
    let items = reading.everything.iter();
    let items: Vec<&Item> = items.map(|at| &reading.known[*at].item).collect();
    let Ok(number) = usize::try_from(number / 100) else {
        return false;
    };
    let named = [reading.subject.len(), reading.before.len()];
    if named.contains(&number) || reading.mentioned().len() == number {
        return true;
    }
    let states: [fn(&Item) -> bool; 3] = [|_| true, |item| item.stock > 0, |item| item.stock == 0];
    let budgets = reading.wish.budgets.iter().copied();
    let bounds: Vec<i64> = budgets.chain([i64::MAX]).collect();
    let names = items.iter().flat_map(|item| [&item.maker, &item.category]);
    let names: Vec<Option<&String>> = names.map(Some).chain([None]).collect();
    names.iter().any(|name| {
        let is_of =
            |item: &Item| name.is_none_or(|name| [&item.maker, &item.category].contains(&name));
        states.iter().any(|state| {
            let all = items.iter().filter(|item| is_of(item) && state(item));
            bounds.iter().any(|bound| {
                let within = all
                    .clone()
                    .filter(|item| item.price_minor <= *bound)
                    .count();
                within == number || all.clone().count() - within == number
            })
        })
    })
}

fn is_years(reading: &Reading<'_>, number: i64) -> bool {
    let year = |item: usize| reading.known[item].item.year.map(i64::from);
    reading.compared().iter().any(|(one, other)| {
        year(*one).zip(year(*other)).is_some_and(|(one, other)| {
            let difference = (one - other).abs();
            difference == number / 100
                || (reading.marks("approximately") && (difference - number / 100).abs() <= 3)
        })
    })
}

/// Whether it stands in the texts of what is spoken of, or in the shopper's own words.
fn is_stated(reading: &Reading<'_>, number: i64) -> bool {
    let own = reading.spoken_of();
    // So long a number is a code, and an item has its own.
    if number >= CODE {
        let code = (number / 100).to_string();
        return own
            .iter()
            .any(|item| reading.known[*item].item.code.ends_with(&code));
    }
    own.iter().any(|item| reading.known[*item].states(number))
}

/// Whether the shopper wrote it; what is as long as a code would be an item's.
fn is_own(reading: &Reading<'_>, number: i64) -> bool {
    (number < CODE || reading.at.is_question) && reading.wish.numbers.contains(&number)
}

fn is_bare(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let item = |item: &usize| &reading.known[*item].item;
    let of = bound(reading, at);
    let of: &[usize] = if of.is_empty() {
        reading.everything
    } else {
        &of
    };
    let is_year = |items: &[usize]| {
        items.iter().any(|at| {
            item(at)
                .year
                .is_some_and(|year| i64::from(year) * 100 == number)
        })
    };
    let (whole, decimals) = (number / 100, number % 100);
    if decimals != 0 {
        return is_money(reading, at, number) || is_stated(reading, number);
    }
    if (1000..2200).contains(&whole) && (is_year(of) || !reading.subject.is_empty()) {
        let is_amount = reading.marks("costs") && is_money(reading, at, number);
        // "1980 frente a 1934": of two that are compared.
        let beside = reading.at.line.len() > 1 && (at > 0 || reading.at.context.is_empty());
        let others: &[usize] = if beside && !is_first_year(reading, at) {
            reading.at.line
        } else {
            &[]
        };
        return is_year(of)
            || is_year(others)
            || is_stated(reading, number)
            || is_amount
            || is_of_wish(reading, at, number);
    }
    if is_stated(reading, number) || is_own(reading, number) {
        return true;
    }
    if reading.marks_near("left") && is_copies(reading, at, number) {
        return true;
    }
    let mut keys = ["costs", "sum", "difference", "more", "less", "budget"].iter();
    if keys.any(|key| reading.marks_near(key)) && is_money(reading, at, number) {
        return true;
    }
    if is_of_wish(reading, at, number) {
        return true;
    }
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    // How many of what is shown are so and so: "dos de ellos". What stands behind a price's verb or "por" is a price.
    let is_price = before.is_some_and(|word| {
        let keys = ["costs", "left", "at"].iter();
        keys.into_iter()
            .any(|key| reading.lexicon.markers.stands(&word.folded, key))
    });
    // "Hay dos que tratan de eso": of what is shown, where nothing is named whose copies they would be.
    let counts_some = reading.subject.is_empty()
        && before.is_some_and(|word| reading.lexicon.markers.stands(&word.folded, "left"))
        && reading.tokens.get(at + 1).is_some_and(Token::is_word);
    let is_price = is_price && !counts_some;
    let shown = i64::try_from(reading.everything.len()).unwrap_or(i64::MAX);
    !is_price && (whole <= shown || is_count(reading, number))
}

/// Whether no other year stands before a number in its clause.
fn is_first_year(reading: &Reading<'_>, at: usize) -> bool {
    let numbers = reading.tokens[..at].iter().filter_map(Token::number);
    !numbers
        .into_iter()
        .any(|number| (100_000..220_000).contains(&number))
}

/// "De tus 60", "los 500": the shopper's own amount.
fn is_of_wish(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    let is_of = before.is_some_and(|word| {
        reading.lexicon.is_article(&word.folded)
            || reading.lexicon.markers.stands(&word.folded, "budget")
    });
    is_of && reading.wish.budgets.contains(&number)
}
