//! Numbers without a unit: what they may be, one after another.

use super::{
    measures::{self, is_compared},
    money::{is_money, is_of_wish},
    numbers::{bound, is_copies, is_count, is_own, is_span, is_stated, is_years},
    reading::Reading,
    token::{Kind, Token, of_count},
};

pub(super) fn is_bare(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    /// Years, in hundredths.
    const YEARS: std::ops::Range<i64> = 100_000..220_000;
    let of = bound(reading, at);
    let of: &[usize] = if of.is_empty() {
        reading.everything
    } else {
        &of
    };
    // "{3} has nine".
    let words = reading.words.iter().map(String::as_str);
    let words: Vec<&str> = words.skip_while(|word| *word != "·").collect();
    if matches!(&words[..], ["·", verb, "·"] if reading.lexicon.markers.stands(verb, "has")) {
        return is_copies(reading, at, number);
    }
    if is_left(reading, at) {
        // Of several that are named, it may be so many of them.
        let counts_items =
            reading.at.line.len() > 1 && !reading.marks("remains") && is_count(reading, number);
        return is_copies(reading, at, number) || counts_items;
    }
    if is_short_year(reading, at, number) {
        return true;
    }
    if number % 100 != 0 {
        return is_money(reading, at, number)
            || is_stated(reading, number)
            || is_own(reading, number)
            || is_compared(reading, at, number);
    }
    let is_of_items = !reading.subject.is_empty() || is_year(reading, of, number);
    if YEARS.contains(&number) && is_of_items {
        return is_year_or_amount(reading, at, number, of);
    }
    let mut topics = reading.lexicon.topics.all(reading.words);
    if topics.any(|(_, found)| found.key == "age") {
        return is_span(reading, number) || is_own(reading, number);
    }
    if is_stated(reading, number)
        || is_own(reading, number)
        || is_compared(reading, at, number)
        || goes_on_counting(reading, at, number)
        || is_bare_amount(reading, at, number, of)
    {
        return true;
    }
    match copies_of(reading, at, number, of) {
        Some(is_so) => is_so,
        None => counts_shown(reading, at, number),
    }
}

fn is_year(reading: &Reading<'_>, items: &[usize], number: i64) -> bool {
    let mut years = items.iter().filter_map(|at| reading.known[*at].item.year);
    years.any(|year| i64::from(year) * 100 == number)
}

/// "Del 97".
fn is_short_year(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    /// Two digits, in hundredths.
    const SHORT: std::ops::Range<i64> = 1_000..10_000;
    let years = reading.subject.iter();
    let mut years = years.filter_map(|at| reading.known[*at].item.year);
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    SHORT.contains(&number)
        && before.is_some_and(|word| reading.lexicon.is_article(&word.folded))
        && years.any(|year| i64::from(year % 100) * 100 == number)
}

fn is_year_or_amount(reading: &Reading<'_>, at: usize, number: i64, of: &[usize]) -> bool {
    let mut bounds = ["over", "under"].iter();
    // "Publicado em 1998": a small word right before it says nothing of a difference.
    let is_small = |place: usize| {
        reading.lexicon.is_function(&reading.words[place])
            && reading.words.get(place + 1).is_some_and(|next| next == "·")
    };
    let mut marked = reading.lexicon.markers.all(reading.words);
    let mut before = reading.lexicon.markers.all(reading.at.context);
    let differs = marked
        .any(|(place, found)| found.key == "difference" && !(found.words == 1 && is_small(place)))
        || before.any(|(_, found)| found.key == "difference");
    let is_priced = reading.marks_near("costs")
        || differs
        || (reading.wish.budgets.contains(&number) && bounds.any(|key| reading.marks_near(key)));
    let is_amount = is_priced && is_money(reading, at, number);
    // "1980 frente a 1934": of two that are compared.
    let beside = reading.at.line.len() > 1 && (at > 0 || reading.at.context.is_empty());
    let others: &[usize] = if beside && !is_first_year(reading, at) {
        reading.at.line
    } else {
        &[]
    };
    is_year(reading, of, number)
        || is_year(reading, others, number)
        || is_stated(reading, number)
        || (is_own(reading, number) && reading.marks("negation"))
        || is_amount
        || is_of_wish(reading, at, number)
}

/// "Tres ejemplares la primera y ocho la segunda", "diez años posterior a {1} y otros quince a {2}".
fn goes_on_counting(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let counts = |unit: &str| {
        let mut units = reading.lexicon.units.all(reading.at.context);
        units.any(|(_, found)| found.key == unit)
    };
    (counts("years") && is_years(reading, number))
        || ((reading.marks_near("left") || counts("copies")) && is_copies(reading, at, number))
}

/// Whether it is a price, so many times one, or made of prices, and says so by what stands around it.
fn is_bare_amount(reading: &Reading<'_>, at: usize, number: i64, of: &[usize]) -> bool {
    /// Fewest that a price has that says so by itself, in hundredths.
    const PRICE: i64 = 1_000;
    /// Fewest that is the rest of an amount.
    const REST: i64 = 10_000;
    let price = |item: &usize| reading.known[*item].item.price_minor;
    let mut keys = ["costs", "sum", "difference", "more", "less", "budget"].iter();
    let is_beside_budget = reading.claims_near("beyond") || reading.claims_near("within");
    let says_so = is_beside_budget || keys.any(|key| reading.marks_near(key));
    // "Cuatro de {1} ya serían 23.960".
    let times = |item: &usize| {
        let mut counts = reading.at.counts.iter();
        counts.any(|count| price(item) * count / 100 == number)
    };
    let is_of_one = of.len() == 1;
    let is_priced = number >= PRICE && (is_of_one || reading.at.line.len() > 1);
    // "Si se lleva {1} y {4} gasta 77.000": what several come to, or leave of the shopper's own amount, is nothing else by chance.
    let sum = reading.subject.iter().map(price).sum::<i64>();
    let is_sum = reading.subject.len() > 1 && number >= PRICE && number == sum;
    let is_rest = number >= REST
        && reading
            .wish
            .budgets
            .iter()
            .any(|own| (own - sum).abs() == number);
    (says_so && is_money(reading, at, number))
        || is_sum
        || (is_rest && !reading.subject.is_empty())
        || (is_of_one && of.iter().any(times))
        || (is_priced && of.iter().any(|item| price(item) == number))
        || is_of_wish(reading, at, number)
}

/// "Sete da Rita Lee", "{3} has nine": whether there are so many of the item behind a number; nothing where it counts no copies.
fn copies_of(reading: &Reading<'_>, at: usize, number: i64, of: &[usize]) -> Option<bool> {
    let behind = &reading.tokens[at + 1..];
    let mut says = behind.iter();
    let says = says.find(|token| !reading.lexicon.is_function(&token.folded));
    let counted = says.filter(|token| !token.is_maker || token.names.len() == 1);
    let counted = counted.and_then(|token| token.item().or(token.names.first().copied()));
    let ends = behind.iter().all(|token| token.mark().is_some());
    let only = (ends && of.len() == 1).then(|| of[0]);
    let is_stock = |of: usize| i64::from(reading.known[of].item.stock) * 100 == number;
    if !reading.marks("costs") && counted.or(only).is_some_and(is_stock) {
        return Some(true);
    }
    let is_of = behind.first().is_some_and(|next| {
        let markers = &reading.lexicon.markers;
        markers.stands(&next.folded, "by") && !markers.stands(&next.folded, "at")
    });
    let mut otherwise = ["costs", "sum", "difference", "if", "person"].iter();
    let numbers = reading.tokens.iter().filter_map(Token::number);
    let is_alone = numbers.count() == 1
        && !says.is_some_and(|says| says.is_maker || matches!(says.kind, Kind::Fact(..)));
    let counts = is_of && is_alone && counted.is_some() && !otherwise.any(|key| reading.marks(key));
    counts.then_some(false)
}

/// How many of what is shown are so and so: "dos de ellos". What stands behind a price's verb or "por" is a price.
fn counts_shown(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let markers = &reading.lexicon.markers;
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    let follows = |key| before.is_some_and(|word| markers.stands(&word.folded, key));
    let next = reading.tokens.get(at + 1).filter(|next| next.is_word());
    // "Hay dos que tratan de eso": of what is shown, where nothing is named whose copies they would be.
    let is_described = next.is_some_and(|next| markers.stands(&next.folded, "which"));
    let counts_some =
        (reading.subject.is_empty() || is_described) && follows("left") && next.is_some();
    // "Solo dos te caben", and not "solo 12".
    let is_few = follows("only")
        && next.is_some_and(|next| reading.lexicon.units.at(&[next.folded.as_str()]).is_none());
    // "Me salen cuatro gafas": so many that are called so.
    let is_called = |called: &Token| {
        let all = reading.known.iter();
        let all = all.filter(|known| known.is_called(&called.folded));
        of_count(all.count()) == number
    };
    let is_price = ["costs", "left", "at"].into_iter().any(follows)
        && !counts_some
        && !is_few
        && !next.is_some_and(is_called);
    // "Five ounces", and not "two in stock".
    let is_measured = next.is_some_and(|next| {
        !reading.lexicon.is_function(&next.folded)
            && measures::scaled(number, &next.folded, reading.lexicon).is_some()
    });
    !is_price
        && !is_measured
        && (number <= of_count(reading.everything.len()) || is_count(reading, number))
}

/// "Quedan dos", "sobram apenas dois": of one item, with nothing behind that would be counted.
fn is_left(reading: &Reading<'_>, at: usize) -> bool {
    let lexicon = reading.lexicon;
    let stands = |word: &Token, key: &str| lexicon.markers.stands(&word.folded, key);
    let before = reading.tokens[..at].iter().rev();
    let before = before.skip_while(|word| stands(word, "only") || stands(word, "approximately"));
    let mut before: Vec<&str> = before.take(2).map(|token| token.folded.as_str()).collect();
    before.reverse();
    let mut marked = lexicon.markers.all(&before);
    let follows =
        marked.any(|(place, found)| found.key == "left" && place + found.words == before.len());
    let next = reading.tokens.get(at + 1).filter(|next| next.is_word());
    let counts_nothing = next.is_none_or(|next| {
        let mut keys = ["by", "more", "which"].into_iter();
        lexicon.is_function(&next.folded) && !keys.any(|key| stands(next, key))
    });
    // "Te quedan 21" is what is left of the shopper's own.
    let is_of_shopper = reading.marks("difference") && reading.marks("person");
    // "Nine in stock".
    let behind = reading.tokens[at + 1..].iter();
    let behind: Vec<&str> = behind.map(|token| token.folded.as_str()).collect();
    let claimed = lexicon.claims.at(&behind);
    let is_in_stock = claimed.is_some_and(|found| found.key == "available");
    // "Two are left".
    let is = lexicon.markers.stands(behind.first().unwrap_or(&""), "is");
    let is_rest = matches!(behind[usize::from(is)..], [word] | [word, "."] if lexicon.markers.stands(word, "remains"));
    let is_of_one = reading.subject.len() == 1 || reading.at.line.len() == 1;
    is_of_one
        && !is_of_shopper
        && (is_in_stock || is_rest || (reading.subject.len() == 1 && counts_nothing && follows))
}

/// Whether no other year stands before a number in its clause.
fn is_first_year(reading: &Reading<'_>, at: usize) -> bool {
    let numbers = reading.tokens[..at].iter().filter_map(Token::number);
    !numbers
        .into_iter()
        .any(|number| (100_000..220_000).contains(&number))
}
