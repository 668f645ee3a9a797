//! "The only one": whether what is said of an item is so of no other that is shown; and whether there is any.

use super::{reading::Reading, token::Token, words::LETTERS};

/// "La única de lana": whether no other that is shown has all the words that are said of what is spoken of.
fn is_alone_in(reading: &Reading<'_>) -> bool {
    let lexicon = reading.lexicon;
    let [own] = reading.subject else { return true };
    let words = reading.words.iter();
    // "El único de la lista" says which it is, and not how.
    let scopes = lexicon.markers.all(reading.words);
    let scopes = scopes.filter(|(_, found)| matches!(found.key, "group" | "of-all" | "only"));
    let scopes: Vec<usize> = scopes
        .flat_map(|(at, found)| at..at + found.words)
        .collect();
    let said: Vec<&String> = words
        .enumerate()
        .filter(|(at, _)| !scopes.contains(at))
        .map(|(_, word)| word)
        .filter(|word| {
            word.chars().count() >= LETTERS && !lexicon.is_function(word) && !lexicon.has(word)
        })
        .collect();
    let has_all = |at: &usize| said.iter().all(|word| reading.known[*at].has(word));
    let mut others = reading.everything.iter().filter(|at| *at != own);
    if reading.marks("negation") {
        // "La única sin cera": all others have what somebody has of it.
        let mut stated = said
            .iter()
            .filter(|word| reading.known.iter().any(|known| known.has(word)));
        return stated.all(|word| others.clone().all(|at| reading.known[*at].has(word)));
    }
    said.is_empty() || !has_all(own) || !others.any(has_all)
}

/// "El único que queda", "the only one under 20": one alone of all that are shown.
pub(super) fn is_only(reading: &Reading<'_>) -> bool {
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
        (false, true) => return is_alone_in(reading),
    };
    left.len() == 1 && (reading.subject.is_empty() || is_of_group || reading.subject == [*left[0]])
}

/// Whether there is one of an item that is as the clause says: "no green jumper in stock under £60" speaks of no other ones.
pub(super) fn is_there(reading: &Reading<'_>, at: usize) -> bool {
    let known = &reading.known[at];
    let bound = match reading.marks("under") {
        true => reading.tokens.iter().find_map(Token::number),
        false => None,
    };
    // What neither the shopper nor any text speaks of tells nothing apart: "at the moment".
    let mut said = reading.words.iter().filter(|word| {
        let is_small = reading.lexicon.is_function(word) || reading.lexicon.has(word);
        let tells = reading.is_own(&[word]) || reading.known.iter().any(|known| known.has(word));
        word.chars().count() >= LETTERS && !is_small && tells
    });
    known.item.stock > 0
        && bound.is_none_or(|bound| known.item.price_minor <= bound)
        && said.all(|word| known.has(word))
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, packs, tells_apart};

    const MESSAGE: &str = "something for 20 euros";

    #[test]
    fn one_alone_is_so_by_a_word_that_no_other_has() {
        let pairs = [
            (
                "{1} is the only one in blue.",
                "{2} is the only one in red.",
            ),
            (
                "{1} is the only one of the three in blue.",
                "{3} is the only one of the three in blue.",
            ),
        ];
        tells_apart("en", &packs(), MESSAGE, &pairs);
        let pairs = [(
            "{2} is the only one available under €20.",
            "{3} is the only one available.",
        )];
        tells_apart("en", &novels(), MESSAGE, &pairs);
    }

    #[test]
    fn what_is_not_there_is_denied_of_nothing_else() {
        let pairs = [
            (
                "There's no green novel in stock.",
                "There's no story in stock.",
            ),
            (
                "There's no green one in stock at the moment.",
                "There's no story in stock at the moment.",
            ),
        ];
        tells_apart("en", &novels(), "a green novel", &pairs);
    }
}
