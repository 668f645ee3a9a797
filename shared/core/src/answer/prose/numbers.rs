//! Numbers in a clause: each is rendered, stated, the shopper's own, or computed from what is shown.

use super::{
    Fault, Item,
    amounts::{
        follows_price, is_cents, is_derived, is_difference, is_left_over, says_more,
        several_of_one, sums,
    },
    measures::is_compared,
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
        if let Kind::Number(number) = token.kind
            && token.names.is_empty()
        {
            let unit = unit(reading, at)?;
            let stands = match unit {
                Unit::Money => is_money(reading, at, number),
                Unit::Copies => is_copies(reading, at, number),
                Unit::Items => is_count(reading, number) || is_stated(reading, number),
                Unit::Years => {
                    is_years(reading, number) || is_span(reading, number) || is_own(reading, number)
                }
                Unit::Time => {
                    is_time(reading, number) || (is_own(reading, number) && reading.at.is_question)
                }
                Unit::Days => {
                    is_span(reading, number) || (is_own(reading, number) && reading.at.is_question)
                }
                Unit::Percent | Unit::Other => {
                    is_stated(reading, number) || is_compared(reading, at, number)
                }
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
    // "Las dos suman 21 €" says what they come to, and nothing else.
    let mut otherwise = ["budget", "difference", "more", "less"].iter();
    let only_sums = marks("sum") && !otherwise.any(|key| marks(key));
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
    let comes_first = !reading.tokens[..at].iter().any(names) && !follows_price(reading, at);
    if is_budget && comes_first && reading.at.line == reading.named {
        let reaches = reading.named.iter().all(|item| price(item) <= number);
        if reaches && (!reading.named.is_empty() || reading.at.begins_sentence) {
            return true;
        }
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
        let all = all && !(of.len() > 1 && reading.marks_near("sum"));
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
    // "As três peças que lhe sugiro, {1}, {2} e {4}, …".
    let states_stock = ["left", "only"].iter().any(|key| reading.marks(key));
    let states_stock = states_stock || reading.claims("available");
    let are_so_many = |items: &[usize]| i64::try_from(items.len() * 100) == Ok(number);
    let is_count = are_so_many(reading.named) || (are_so_many(reading.at.whole) && !states_stock);
    if number > 100 && is_count {
        return true;
    }
    let stock = |item: usize| i64::from(reading.known[item].item.stock) * 100;
    let of = bound(reading, at);
    let sum = |items: &[usize]| items.iter().map(|item| stock(*item)).sum::<i64>();
    if of.is_empty() {
        return reading.everything.iter().any(|item| stock(*item) == number);
    }
    // "Three more copies of the first", "tres ejemplares más", and not "nada más un ejemplar".
    let behind = reading.tokens[at + 1..].iter().take(2);
    let mut behind = behind.map(|token| token.folded.as_str());
    if behind.any(|word| {
        let markers = &reading.lexicon.markers;
        markers.stands(word, "more") || markers.stands(word, "less")
    }) {
        let mut pairs = reading.compared().into_iter();
        if pairs.any(|(one, other)| {
            let difference = stock(one) - stock(other);
            difference.abs() == number && (difference > 0) == reading.marks("more")
        }) {
            return true;
        }
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
            // "Mais de cinquenta anos antes de {2}", and not "for more than 8 years".
            let is_bound =
                |key| reading.at.line.len() > 1 && !reading.named.is_empty() && reading.marks(key);
            let (over, under) = (is_bound("over"), is_bound("under"));
            difference == number / 100
                || (over && difference > number / 100)
                || (under && difference < number / 100)
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

/// Whether what is spoken of is of so many years or days by its texts.
fn is_span(reading: &Reading<'_>, number: i64) -> bool {
    let mut items = reading.spoken_of().into_iter();
    items.any(|item| reading.known[item].states_span(number))
}

/// Whether it is stated, in hours, minutes or seconds.
fn is_time(reading: &Reading<'_>, number: i64) -> bool {
    /// Minutes of an hour, seconds of a minute.
    const SCALE: i64 = 60;
    let scaled = (number % SCALE == 0).then_some(number / SCALE);
    let numbers = [Some(number), Some(number * SCALE), scaled];
    numbers
        .into_iter()
        .flatten()
        .any(|number| is_stated(reading, number))
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
    // "Del 97".
    let is_short_year = (10..100).contains(&whole) && decimals == 0 && {
        let years = reading.subject.iter().filter_map(|at| item(at).year);
        years.into_iter().any(|year| i64::from(year % 100) == whole)
    };
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    if is_left(reading, at) {
        // Of several that are named, it may be so many of them.
        let counts_items = reading.at.line.len() > 1 && is_count(reading, number);
        return is_copies(reading, at, number) || counts_items;
    }
    if is_short_year && before.is_some_and(|word| reading.lexicon.is_article(&word.folded)) {
        return true;
    }
    if decimals != 0 {
        return is_money(reading, at, number)
            || is_stated(reading, number)
            || is_own(reading, number)
            || is_compared(reading, at, number);
    }
    if (1000..2200).contains(&whole) && (is_year(of) || !reading.subject.is_empty()) {
        let mut keys = ["costs", "difference", "over", "under"].iter();
        let is_amount = keys.any(|key| reading.marks_near(key)) && is_money(reading, at, number);
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
            || (is_own(reading, number) && reading.marks("negation"))
            || is_amount
            || is_of_wish(reading, at, number);
    }
    let mut topics = reading.lexicon.topics.all(reading.words);
    if topics.any(|(_, found)| found.key == "age") {
        return is_span(reading, number) || is_own(reading, number);
    }
    if is_stated(reading, number) || is_own(reading, number) || is_compared(reading, at, number) {
        return true;
    }
    // "Tres ejemplares la primera y ocho la segunda", "diez años posterior a {1} y otros quince a {2}".
    let counts = |unit: &str| {
        let mut units = reading.lexicon.units.all(reading.at.context);
        units.any(|(_, found)| found.key == unit)
    };
    let counts_copies = counts("copies");
    if counts("years") && is_years(reading, number) {
        return true;
    }
    if (reading.marks_near("left") || counts_copies) && is_copies(reading, at, number) {
        return true;
    }
    let mut keys = ["costs", "sum", "difference", "more", "less", "budget"].iter();
    let is_beside_budget = reading.claims_near("beyond") || reading.claims_near("within");
    if (is_beside_budget || keys.any(|key| reading.marks_near(key)))
        && is_money(reading, at, number)
    {
        return true;
    }
    let mut priced = of
        .iter()
        .filter(|_| reading.at.line.len() > 1 || of.len() == 1);
    if number >= 1000 && priced.any(|at| item(at).price_minor == number) {
        return true;
    }
    if is_of_wish(reading, at, number) {
        return true;
    }
    // "Sete da Rita Lee", "{3} has nine".
    let mut behind = reading.tokens[at + 1..].iter();
    let behind = behind.find(|token| !reading.lexicon.is_function(&token.folded));
    let counted = behind.filter(|token| !token.is_maker || token.names.len() == 1);
    let counted = counted.and_then(|token| token.item().or(token.names.first().copied()));
    let ends = reading.tokens[at + 1..]
        .iter()
        .all(|token| token.mark().is_some());
    let only = (ends && of.len() == 1).then(|| of[0]);
    let is_stock = |of: usize| i64::from(item(&of).stock) * 100 == number;
    if !reading.marks("costs") && counted.or(only).is_some_and(is_stock) {
        return true;
    }
    // How many of what is shown are so and so: "dos de ellos". What stands behind a price's verb or "por" is a price.
    let is_price = before.is_some_and(|word| {
        let keys = ["costs", "left", "at"].iter();
        keys.into_iter()
            .any(|key| reading.lexicon.markers.stands(&word.folded, key))
    });
    // "Hay dos que tratan de eso": of what is shown, where nothing is named whose copies they would be.
    let next = reading.tokens.get(at + 1).filter(|next| next.is_word());
    let is_described =
        next.is_some_and(|next| reading.lexicon.markers.stands(&next.folded, "which"));
    let counts_some = (reading.subject.is_empty() || is_described)
        && before.is_some_and(|word| reading.lexicon.markers.stands(&word.folded, "left"))
        && reading.tokens.get(at + 1).is_some_and(Token::is_word);
    // "Solo dos te caben", and not "solo 12".
    let is_few = before.is_some_and(|word| reading.lexicon.markers.stands(&word.folded, "only"))
        && next.is_some_and(|next| reading.lexicon.units.at(&[next.folded.as_str()]).is_none());
    // "Me salen cuatro gafas": so many that are called so.
    let is_called = |called: &Token| {
        let mut all = reading.known.iter();
        let all = all.by_ref().filter(|known| known.is_called(&called.folded));
        i64::try_from(all.count()).ok() == Some(whole)
    };
    let is_price = is_price && !counts_some && !is_few && !next.is_some_and(is_called);
    let shown = i64::try_from(reading.everything.len()).unwrap_or(i64::MAX);
    !is_price && (whole <= shown || is_count(reading, number))
}

/// "Quedan dos", "sobram apenas dois": of one item, with nothing behind that would be counted.
fn is_left(reading: &Reading<'_>, at: usize) -> bool {
    let lexicon = reading.lexicon;
    let stands = |word: &Token, key: &str| lexicon.markers.stands(&word.folded, key);
    let mut before = reading.tokens[..at].iter().rev();
    let before = before.find(|word| !stands(word, "only") && !stands(word, "approximately"));
    let next = reading.tokens.get(at + 1).filter(|next| next.is_word());
    let counts_nothing = next.is_none_or(|next| {
        lexicon.is_function(&next.folded) && !stands(next, "which") && !stands(next, "by")
    });
    reading.subject.len() == 1 && counts_nothing && before.is_some_and(|word| stands(word, "left"))
}

/// Whether no other year stands before a number in its clause.
fn is_first_year(reading: &Reading<'_>, at: usize) -> bool {
    let numbers = reading.tokens[..at].iter().filter_map(Token::number);
    !numbers
        .into_iter()
        .any(|number| (100_000..220_000).contains(&number))
}

fn names_nothing(reading: &Reading<'_>) -> bool {
    reading.named.is_empty() && reading.subject.is_empty()
}

/// "De tus 60", "los 500": the shopper's own amount.
fn is_of_wish(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    let is_of = before.is_some_and(|word| {
        reading.lexicon.is_article(&word.folded)
            || reading.lexicon.markers.stands(&word.folded, "budget")
            || reading.lexicon.markers.stands(&word.folded, "possessive")
    });
    is_of && reading.wish.budgets.contains(&number)
}
