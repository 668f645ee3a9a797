//! Numbers in a clause: each is rendered, stated, the shopper's own, or computed from what is shown.

use super::{
    Fault, Item,
    bare::is_bare,
    measures::is_compared,
    money::is_money,
    price::{is_out_of_reach, is_price, is_price_of},
    reading::Reading,
    token::{Kind, Token, of_count},
    units::{Unit, unit, units_have_numbers},
};

/// Eight digits, in hundredths.
const CODE: i64 = 1_000_000_000;

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    units_have_numbers(reading)?;
    for (at, token) in reading.tokens.iter().enumerate() {
        if let Kind::Number(number) = token.kind
            && token.names.is_empty()
            && !ends_name(reading, at)
        {
            let unit = unit(reading, at)?;
            let price_of = match unit {
                Unit::Money => is_price_of(reading, at, true),
                Unit::None => is_price_of(reading, at, false),
                _ => None,
            };
            let stands = match unit {
                _ if price_of.is_some_and(|item| !is_price(reading, item, number)) => false,
                Unit::Money | Unit::None if is_out_of_reach(reading, at, number) => false,
                Unit::Money => is_money(reading, at, number),
                Unit::Copies => {
                    is_copies(reading, at, number) || counts_pieces(reading, at, number)
                }
                Unit::Items => is_count(reading, number) || is_stated(reading, number),
                Unit::Years => {
                    (compares_years(reading) && is_years(reading, number))
                        || is_span(reading, number)
                        || (is_own(reading, number) && !is_bounded(reading))
                }
                Unit::Time => {
                    is_time(reading, number)
                        || is_compared(reading, at, number)
                        || (is_own(reading, number) && reading.at.is_question)
                }
                Unit::Days => {
                    is_span(reading, number) || (is_own(reading, number) && reading.at.is_question)
                }
                Unit::Percent | Unit::Other => {
                    is_stated(reading, number) || is_compared(reading, at, number)
                }
                Unit::None => is_bare(reading, at, number),
            };
            if !stands || (is_joined(reading, at) && !is_stated(reading, number)) {
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

/// Whether a number is joined to the word before it: "ISBN-13".
fn is_joined(reading: &Reading<'_>, at: usize) -> bool {
    let Some([word, hyphen, number]) = at.checked_sub(2).map(|from| &reading.tokens[from..=at])
    else {
        return false;
    };
    word.is_word() && hyphen.text == "-" && !hyphen.spaced && !number.spaced
}

/// Whether a number is a part of the name before it: "Dedal 12".
fn ends_name(reading: &Reading<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    let number = &reading.tokens[at].folded;
    before.is_some_and(|name| {
        let mut named = name.names.iter().copied().chain(name.item());
        !name.is_maker && named.any(|item| reading.known[item].title.contains(number))
    })
}

/// The item that a number at `at` is of: named before it in the clause, or after it, or what the clause is about.
pub(super) fn bound(reading: &Reading<'_>, at: usize) -> Vec<usize> {
    /// Words between a number and what it is of: "de la".
    const NEAR: usize = 3;
    let of = |token: &Token| {
        token
            .item()
            .or_else(|| (token.names.len() == 1).then(|| token.names[0]))
    };
    // "Siete de {1} y diez de {5}".
    let behind = &reading.tokens[at + 1..];
    let is_by = behind
        .first()
        .is_some_and(|next| reading.lexicon.markers.stands(&next.folded, "by"));
    let by = || behind.iter().take(NEAR).find_map(of).filter(|_| is_by);
    let before = || reading.tokens[..at].iter().rev().find_map(of);
    let behind = || behind.iter().find_map(of);
    match by().or_else(before).or_else(behind) {
        Some(item) => vec![item],
        None => reading.subject.to_vec(),
    }
}

pub(super) fn is_copies(reading: &Reading<'_>, at: usize, number: i64) -> bool {
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
    // "Há duas peças" counts what is shown, and no copies.
    let counts_items = reading.tokens.get(at + 1).is_some_and(|next| {
        reading.lexicon.units.stands(&next.folded, "items")
            || reading
                .known
                .iter()
                .any(|known| known.is_called(&next.folded))
    });
    let states_stock = ["left", "only"].iter().any(|key| reading.marks(key));
    let states_stock = !counts_items && (states_stock || reading.claims("available"));
    let are_so_many = |items: &[usize]| of_count(items.len()) == number;
    let is_count = are_so_many(reading.named) || (are_so_many(reading.at.whole) && !states_stock);
    if number > 100 && is_count {
        return true;
    }
    // "Not one copy".
    let before = at.checked_sub(1).map(|before| &reading.tokens[before]);
    let is_none = number == 100
        && before.is_some_and(|word| reading.lexicon.markers.stands(&word.folded, "negation"));
    let number = if is_none { 0 } else { number };
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
    // "De los cuatro tengo seis ejemplares": of each, or of all together.
    let has_so_many = |item: &usize| stock(*item) == number;
    let is_of_each = if reading.is_of_all() {
        of.iter().all(has_so_many)
    } else {
        of.iter().any(has_so_many)
    };
    is_of_each || (of.len() > 1 && sum(&of) == number)
}

/// "Mil piezas": pieces are copies, or what an item is made of.
fn counts_pieces(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let units = reading.lexicon.units;
    let next = reading.tokens.get(at + 1);
    let is_pieces = next.is_some_and(|next| units.stands(&next.folded, "pieces"));
    let counts_items = || reading.subject.is_empty() && is_count(reading, number);
    let is_so = || is_stated(reading, number) || is_compared(reading, at, number) || counts_items();
    is_pieces && !reading.marks("left") && is_so()
}

/// How many there are of what is shown: of all, a maker's or a category's, in stock or not, within the shopper's amount or not.
pub(super) fn is_count(reading: &Reading<'_>, number: i64) -> bool {
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

/// Whether it may be years between two that are spoken of, and not an age.
fn compares_years(reading: &Reading<'_>) -> bool {
    reading.at.line.len() > 1 || reading.marks("than") || !is_bounded(reading)
}

/// "Desde los 2 años": said of an item, and no age that the shopper has told.
fn is_bounded(reading: &Reading<'_>) -> bool {
    let mut bounds = ["over", "under", "between"].iter();
    bounds.any(|key| reading.marks(key))
}

pub(super) fn is_years(reading: &Reading<'_>, number: i64) -> bool {
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
pub(super) fn is_stated(reading: &Reading<'_>, number: i64) -> bool {
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
pub(super) fn is_span(reading: &Reading<'_>, number: i64) -> bool {
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

/// Whether the shopper wrote it; what is as long as a code would be an item's, and so would be what may begin one, where nothing is said but
/// their own words.
pub(super) fn is_own(reading: &Reading<'_>, number: i64) -> bool {
    /// Five digits, in hundredths.
    const LONG: i64 = 1_000_000;
    let may_be_own = number < LONG || (number < CODE && !repeats(reading));
    (may_be_own || reading.at.is_question) && reading.wish.numbers.contains(&number)
}

/// Whether a clause is the shopper's own, word by word.
fn repeats(reading: &Reading<'_>) -> bool {
    let words = reading
        .tokens
        .iter()
        .filter(|token| token.is_word() || token.number().is_some());
    let words: Vec<&str> = words.map(|token| token.folded.as_str()).collect();
    let said = format!(" {} ", words.join(" "));
    words.len() > 1 && reading.wish.texts.iter().any(|text| text.contains(&said))
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, packs, tells_apart, told_with};

    #[test]
    fn copies_are_counted_of_what_they_are_of() {
        let pairs = [
            ("{3} has five.", "{3} has three."),
            (
                "{3} is here, with five in stock.",
                "{3} is here, with three in stock.",
            ),
            (
                "Not one copy of {1} is left.",
                "Not one copy of {2} is left.",
            ),
        ];
        tells_apart("en", &novels(), "the sea", &pairs);
        let pairs = [(
            "Hay un ejemplar de {2} y cinco de {3}.",
            "Hay un ejemplar de {2} y tres de {3}.",
        )];
        tells_apart("es", &novels(), "el mar", &pairs);
    }

    /// Whatever else it is: another's copies, a count of what is shown, the shopper's own number.
    #[test]
    fn how_many_are_said_to_be_left_are_left() {
        let es = [
            "Quedan X ejemplares de {3}.",
            "De {3} quedan X.",
            "Quedan X de {3}.",
            "Hay X unidades de {3}.",
            "{3} tiene X ejemplares.",
            "Tenemos X ejemplares de {3}.",
            "{3} está disponible: quedan X.",
            "{3} está disponible, con X unidades.",
            "{3} es una historia del mar y quedan X.",
            "{2} te gustará, y de {3} quedan X.",
            "{3} (X ejemplares).",
        ];
        let en = [
            "We have X copies of {3}.",
            "X copies of {3} are left.",
            "There are X left of {3}.",
            "{3} has X copies.",
            "{3} is available, with X in stock.",
            "{3} is a story of the sea. X are left.",
            "{3} (X copies).",
        ];
        let pt = [
            "Restam X exemplares de {3}.",
            "Há X unidades de {3}.",
            "{3} tem X exemplares.",
            "{3} está disponível, com X unidades.",
        ];
        let asked = [
            ("es", &es[..], "busco 4 libros del mar, somos 6"),
            ("en", &en, "I want 4 books of the sea, we are 6"),
            ("pt", &pt, "quero 4 livros do mar, somos 6"),
        ];
        for (language, lines, message) in asked {
            let told = told_with(
                language,
                &novels(),
                message,
                lines,
                &[2, 3, 4, 6, 7, 10, 20],
            );
            assert!(told.is_empty(), "{told:#?}");
        }
    }

    #[test]
    fn the_year_that_an_item_is_said_to_be_of_is_its_year() {
        let es = [
            "{1} es de X.",
            "{1} se publicó en X.",
            "{1} (X).",
            "{1}, de X, es una historia del mar.",
            "{2} es una historia del mar y {1} es de X.",
            "{1} es una historia del mar de X.",
        ];
        let en = [
            "{1} is from X.",
            "{1} was published in X.",
            "{1} (X).",
            "{1}, from X, is a story of the sea.",
            "{2} is a story of the sea, and {1} is from X.",
        ];
        let pt = [
            "{1} é de X.",
            "{1} foi publicado em X.",
            "{1} (X).",
            "{1}, de X, é uma história do mar.",
        ];
        let asked = [
            ("es", &es[..], "algo del mar, de 2008"),
            ("en", &en, "the sea, from 2008"),
            ("pt", &pt, "o mar, de 2008"),
        ];
        for (language, lines, message) in asked {
            let told = told_with(
                language,
                &novels(),
                message,
                lines,
                &[1998, 2000, 2005, 2008, 2012],
            );
            assert!(told.is_empty(), "{told:#?}");
        }
    }

    #[test]
    fn an_age_that_bounds_is_the_items() {
        let pairs = [(
            "Para tu hija de 2 años, {3}.",
            "{3} está recomendado desde los 2 años.",
        )];
        tells_apart("es", &novels(), "algo para mi hija de 2 años", &pairs);
    }

    #[test]
    fn pieces_are_copies_or_what_an_item_is_made_of() {
        let mut items = packs();
        let pieces = ("piezas".to_owned(), vec!["60".to_owned()]);
        items[0].attributes.extend([pieces]);
        let pairs = [("{1} has sixty pieces.", "{1} has seventy pieces.")];
        tells_apart("en", &items, "a pack", &pairs);
    }

    #[test]
    fn a_number_alone_is_a_sum_of_what_is_named() {
        let pairs = [(
            "Si se lleva {1} y {3} gasta 40.",
            "Si se lleva {1} y {3} gasta 41.",
        )];
        tells_apart("es", &novels(), "el mar", &pairs);
    }
}
