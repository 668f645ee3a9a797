//! Words, names, quotations and languages: what a clause may say beside topics and numbers.

use super::{
    Fault, Lexicon,
    anothers::is_anothers_name,
    deeds,
    items::Known,
    reading::Reading,
    token::{Kind, Token},
    topics::{self, is_service},
};
use crate::language::Language;

/// Fewest letters of a word that says something.
pub(super) const LETTERS: usize = 3;

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    services_in_other_words(reading)?;
    deeds::check(reading)?;
    // Saying that something is not known promises nothing.
    if !reading.marks("unknown") {
        topics::check(reading)?;
        is_supported(reading)?;
    }
    quotations(reading)?;
    makers(reading)?;
    names(reading)
}

/// What says something of an item has a word in common with its texts, or with what the shopper wrote. An opinion, what is said of the
/// shopper, and what is computed say nothing of the kind.
fn is_supported(reading: &Reading<'_>) -> Result<(), Fault> {
    /// Markers of what is computed, hedged or said of someone.
    const OTHERWISE: [&str; 8] = [
        "budget",
        "costs",
        "difference",
        "left",
        "less",
        "more",
        "opinion",
        "person",
    ];
    /// So many words of which nothing is known.
    const FEWEST: usize = 3;
    /// So many unknown words one that is known bears.
    const MOST_FOR_EACH: usize = 4;
    let lexicon = reading.lexicon;
    let is_computed = reading
        .tokens
        .iter()
        .any(|token| token.number().is_some() || matches!(token.kind, Kind::Fact(..)));
    let is_conditional = reading
        .words
        .first()
        .is_some_and(|word| lexicon.markers.stands(word, "if"));
    let claims = lexicon.claims.find(reading.words).is_some();
    let otherwise = || OTHERWISE.iter().any(|key| reading.marks(key));
    // A line that names nothing offers or asks: "Puedo contarte de qué trata".
    if reading.subject.is_empty()
        || reading.at.line.is_empty()
        || reading.at.is_question
        || is_computed
        || is_conditional
        || claims
        || otherwise()
    {
        return Ok(());
    }
    if reading
        .subject
        .iter()
        .any(|item| reading.known[*item].is_in_other_words(lexicon.language))
    {
        return Ok(());
    }
    let words = reading.words.iter().map(String::as_str);
    let says = words.filter(|word| {
        word.chars().count() >= LETTERS && !lexicon.is_function(word) && !lexicon.has(word)
    });
    let whole_states = |word: &str| {
        let mut whole = reading.at.whole.iter();
        whole.any(|item| reading.known[*item].has(word))
    };
    let mut unknown = 0;
    let mut known = 0;
    for word in says {
        if reading.states(word)
            || whole_states(word)
            || reading.is_own(&[word])
            || reading.known.iter().any(|known| known.is_called(word))
        {
            known += 1;
        } else {
            unknown += 1;
        }
    }
    if known > 0 && unknown <= MOST_FOR_EACH * known {
        return Ok(());
    }
    if unknown < FEWEST {
        Ok(())
    } else {
        Err(Fault::Unsupported)
    }
}

/// What the shop does and when, in the words of another language: a clause that has no small word of its own may be in any.
fn services_in_other_words(reading: &Reading<'_>) -> Result<(), Fault> {
    if !reading.at.is_question && speaks_of_service(*reading.lexicon, reading.words) {
        return Err(Fault::Language);
    }
    Ok(())
}

/// Whether words that are in no language for sure say in another than `own` what the shop does, and when. What is a word of `own`, too,
/// is that: "vale" is a voucher in Portuguese, and a price or an agreement in Spanish.
pub(super) fn speaks_of_service(own: Lexicon, words: &[String]) -> bool {
    let others = Language::all().filter(|language| *language != own.language);
    others.map(Lexicon::of).any(|other| {
        let is_own = |word: &String| own.is_function(word) && !other.is_function(word);
        let mut topics = other.topics.all(words);
        !words.iter().any(is_own)
            && topics.any(|(at, found)| {
                let phrase = &words[at..at + found.words];
                (is_service(found.key) || found.key == "date")
                    && !phrase.iter().all(|word| own.has(word))
            })
    })
}

/// "{3}, from Fairhaven": whose an item is said to be right behind its name.
fn makers(reading: &Reading<'_>) -> Result<(), Fault> {
    let says: Vec<&Token> = reading
        .tokens
        .iter()
        .filter(|token| token.mark().is_none())
        .collect();
    let is_anothers = says.windows(3).any(|run| {
        let [named, by, maker] = run else {
            return false;
        };
        let is_by = reading.lexicon.markers.stands(&by.folded, "by");
        let is_its = |item| maker.names.contains(&item);
        maker.is_maker && is_by && named.one_item().is_some_and(|item| !is_its(item))
    });
    if is_anothers {
        Err(Fault::Name)
    } else {
        Ok(())
    }
}

/// What is quoted stands in a text of what is shown, or in the shopper's own words.
fn quotations(reading: &Reading<'_>) -> Result<(), Fault> {
    let mut at = 0;
    while at < reading.tokens.len() {
        let rest = reading.tokens[at..].iter();
        let run: Vec<&Token> = rest
            .take_while(|token| token.quoted && token.item().is_none())
            .collect();
        let Some(begun) = run.first() else {
            at += 1;
            continue;
        };
        let words = run.iter().filter(|token| token.mark().is_none());
        let words: Vec<&str> = words.map(|token| token.folded.as_str()).collect();
        let is_quoted = |token: &&&Token| token.mark().is_some_and(|mark| "»”\"’".contains(mark));
        // Emphasis alone is a title's where it begins like one.
        let is_title = run.iter().any(|token| is_quoted(&token))
            || (begun.is_capitalised() && (at > 0 || !reading.at.begins_sentence));
        let is_named = is_part_of_a_name(reading, &run);
        if is_title && !is_named && !words.is_empty() && !reading.has_run(&words) {
            return Err(Fault::Title);
        }
        at += run.len();
    }
    Ok(())
}

/// Whether all that a run of words says is in the name of one item: "El caso Harry Quebert".
fn is_part_of_a_name(reading: &Reading<'_>, run: &[&Token]) -> bool {
    let says = |token: &&&Token| token.is_word() && !reading.lexicon.is_function(&token.folded);
    let mut says = run.iter().filter(says);
    let Some(first) = says.next() else {
        return false;
    };
    let rest: Vec<_> = says.collect();
    let mut items = first.names.iter();
    items.any(|item| rest.iter().all(|token| token.names.contains(item)))
}

/// Whether what begins with a capital in the midst of a clause stands so in a text: "también El perfume".
fn begins_title_that_is_known(reading: &Reading<'_>, at: usize) -> bool {
    /// "I" is always written so.
    const SHORTEST: usize = 2;
    let word = &reading.tokens[at].folded;
    if word.len() < SHORTEST && !reading.lexicon.is_article(word) {
        return true;
    }
    let is_title = |known: &Known| known.title == [reading.tokens[at].folded.as_str()];
    if reading.known.iter().any(is_title) {
        return true;
    }
    let next = reading.tokens.get(at + 1).filter(|next| next.is_word());
    next.is_none_or(|next| {
        !next.names.is_empty() || reading.has_run(&[&reading.tokens[at].folded, &next.folded])
    })
}

/// Capitalised words are names, unless they begin a sentence; a name is of what is spoken of, or the shopper's.
fn names(reading: &Reading<'_>) -> Result<(), Fault> {
    let first = reading
        .tokens
        .iter()
        .position(|token| matches!(token.kind, Kind::Word | Kind::Number(_) | Kind::Item(_)));
    for (at, token) in reading.tokens.iter().enumerate() {
        if !token.is_word() || !token.is_capitalised() {
            continue;
        }
        if !token.names.is_empty() {
            // The maker of another.
            let is_anothers = !reading.subject.is_empty()
                && !reading.at.is_question
                && !reading.marks("negation")
                && !token
                    .names
                    .iter()
                    .any(|item| reading.subject.contains(item) || reading.named.contains(item))
                && !reading
                    .subject
                    .iter()
                    .any(|item| reading.known[*item].has_word(&token.folded));
            if is_anothers {
                return Err(Fault::Name);
            }
            continue;
        }
        // "De Onetti no tengo nada, pero sí {1}".
        let mut before = reading.tokens[..at].iter();
        let mut is_free = || before.all(|token| token.item().is_none() && token.names.is_empty());
        let is_denied = reading.marks("negation") && (reading.named.is_empty() || is_free());
        let is_day = reading.lexicon.markers.stands(&token.folded, "calendar");
        let is_plain = reading.lexicon.is_function(&token.folded);
        if is_plain && Some(at) != first && !begins_title_that_is_known(reading, at) {
            return Err(Fault::Title);
        }
        let is_said_of = !is_plain && !is_day && Some(at) != first;
        if is_said_of && is_anothers_name(reading, &token.folded) {
            return Err(Fault::Name);
        }
        if is_plain || is_day || is_denied || reading.is_known_word(&token.folded) {
            continue;
        }
        let begins = reading.at.begins_sentence && Some(at) == first;
        let next = reading.tokens.get(at + 1);
        let goes_on = next.is_some_and(|next| {
            next.is_plain_word()
                && next.is_capitalised()
                && !reading.lexicon.is_function(&next.folded)
        });
        if !begins || goes_on {
            return Err(Fault::Name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart};

    #[test]
    fn a_title_in_quotes_is_one_that_is_shown() {
        let mut items = novels();
        items[0].title = "La verdad sobre el caso Harry Quebert".to_owned();
        let pairs = [(
            "También está \"El caso Harry Quebert\".",
            "Junto a {2} va \"La casa de los relojes sordos\".",
        )];
        tells_apart("es", &items, "el mar", &pairs);
    }

    #[test]
    fn whom_the_shop_has_nothing_by_may_be_named() {
        let pairs = [(
            "De Peter Carlos Onetti no tengo nada, pero sí {2}.",
            "{2} es de Peter Carlos Onetti.",
        )];
        tells_apart("es", &novels(), "algo de Onetti", &pairs);
    }

    #[test]
    fn an_item_is_of_whom_it_is_of() {
        let pairs = [(
            "{2} by Peter Quill costs €14.50.",
            "{2} by Ines Valdor costs €14.50.",
        )];
        tells_apart("en", &novels(), "the sea", &pairs);
    }
}
