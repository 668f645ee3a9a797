//! Topics, names, quotations and languages: what a clause may say in words.

use super::{
    Fault, Lexicon,
    items::Known,
    reading::Reading,
    token::{Kind, Token},
};
use crate::{answer::part::Field, language::Language};

/// Fewest letters of a word that says something.
const LETTERS: usize = 3;

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    services_in_other_words(reading)?;
    // Saying that something is not known promises nothing.
    if !reading.marks("unknown") {
        topics(reading)?;
        is_supported(reading)?;
    }
    quotations(reading)?;
    names(reading)
}

/// A topic stands where the texts of what is spoken of have its words, or the shopper only asked for it and it is a question back.
fn topics(reading: &Reading<'_>) -> Result<(), Fault> {
    let words: Vec<&str> = reading.words.iter().map(String::as_str).collect();
    // "Para 8 a 12 años", where the item's text has both: the topic is the item's.
    let mut numbers = reading.tokens.iter().filter_map(Token::number).peekable();
    let has_numbers = numbers.peek().is_some()
        && numbers.all(|number| {
            let mut items = reading.spoken_of().into_iter();
            items.any(|item| reading.known[item].states(number))
        });
    let mut at = 0;
    while at < words.len() {
        let Some(found) = reading.lexicon.topics.at(&words[at..]) else {
            at += 1;
            continue;
        };
        let phrase = &words[at..at + found.words];
        let mut facts = reading.tokens.iter().map(|token| &token.kind);
        let has_fact = facts.any(|kind| matches!(kind, Kind::Fact(_, Field::Attribute(_))));
        let mut says = phrase
            .iter()
            .filter(|word| word.chars().count() >= LETTERS && !reading.lexicon.is_function(word));
        let is_service = is_service(found.key);
        let states_numbers = has_numbers && found.key == "age";
        // "Indicado para arroces", "aimed at players with some experience": what is said by it is the item's.
        let mut rest = words[..at].iter().chain(&words[at + found.words..]);
        let mut others = 0;
        let states_others = rest.all(|word| {
            let says = word.chars().count() >= LETTERS
                && *word != "·"
                && !reading.lexicon.is_function(word)
                && !reading.lexicon.has(word);
            others += usize::from(says);
            !says || reading.states(word)
        }) && others > 0;
        let states_rest = states_others && !reading.subject.is_empty() && is_said_of(found.key);
        // "For your train on Friday I've found five".
        let is_own_day = found.key == "date"
            && reading.at.line.is_empty()
            && reading.marks("person")
            && reading.is_own(phrase)
            && !is_day(reading, found.key, at);
        // "Two Royal Navy ships are stuck in the ice": a word of the item's own text, where nobody is spoken to and nothing is the shop's.
        let is_noun = found.key == "delivery"
            && found.words == 1
            && !reading.subject.is_empty()
            && !reading.marks("person")
            && reading
                .subject
                .iter()
                .any(|item| reading.known[*item].has_word(phrase[0]));
        // "For a nine-year-old", who is the shopper's.
        let is_own_age = found.key == "age" && reading.marks("person") && {
            let numbers = reading.tokens.iter().filter_map(Token::number);
            let mut numbers = numbers.filter(|number| *number < 10_000).peekable();
            numbers.peek().is_some() && numbers.all(|number| reading.wish.numbers.contains(&number))
        };
        let has_wished = found.key == "sizing" && reading.has_wished_value();
        // What the shop does is for the shop's own texts to say, and not for an item's.
        let is_stated = !is_service
            && !is_day(reading, found.key, at)
            && (has_fact || states_numbers || says.all(|word| reading.states(word)));
        // Asking back what the shopper spoke of claims nothing, nor does saying that nothing shown has it.
        let is_question = reading.at.is_question;
        let denies = reading.marks("negation") && !is_service;
        // Where nothing is named yet, it is the wish that is spoken of.
        let is_wish = reading.at.line.is_empty() && !is_service && found.key != "date";
        let is_foreign = is_made(found.key) && !reading.has_attributes();
        // "Trocar {1} por {2}", "you'd pay £5 more": what is compared, and not what the shop does.
        let is_multiple = reading.claims("half") || reading.claims("double");
        let is_compared = (found.key == "discount" && is_multiple)
            || matches!(found.key, "payment" | "returns")
                && (reading.named.len() > 1
                    || (found.key == "payment"
                        && reading.tokens.iter().any(|token| token.number().is_some())));
        let is_free = (is_question && found.key == "done")
            || states_rest
            || has_wished
            || is_own_day
            || is_noun
            || is_own_age
            || is_compared
            || is_foreign
            || (is_wish && reading.is_own(phrase))
            || (reading.is_own(phrase) && (is_question || denies));
        if !is_stated && !is_free {
            return Err(if found.key == "done" {
                Fault::Action
            } else {
                Fault::Topic
            });
        }
        at += found.words;
    }
    Ok(())
}

/// What says something of an item has a word in common with its texts, or with what the shopper wrote. An opinion, what is said of the
/// shopper, and what is computed say nothing of the kind.
fn is_supported(reading: &Reading<'_>) -> Result<(), Fault> {
    /// Markers of what is computed, hedged or said of someone.
    const OTHERWISE: [&str; 13] = [
        "approximately",
        "budget",
        "costs",
        "difference",
        "left",
        "less",
        "more",
        "opinion",
        "others",
        "over",
        "person",
        "sum",
        "under",
    ];
    /// So many words of which nothing is known.
    const FEWEST: usize = 2;
    /// The same where it names what it speaks of: more of it is how that is brought in.
    const FEWEST_NAMED: usize = 3;
    /// So many unknown words one that is known bears.
    const MOST_FOR_EACH: usize = 3;
    let lexicon = reading.lexicon;
    let is_computed = reading.tokens.iter().any(|token| {
        token.number().is_some() || matches!(token.kind, Kind::Fact(..)) || token.quoted
    });
    let is_conditional = reading
        .words
        .first()
        .is_some_and(|word| lexicon.markers.stands(word, "if"));
    let claims = lexicon.claims.find(reading.words).is_some();
    let otherwise = || OTHERWISE.iter().any(|key| reading.marks(key));
    if reading.subject.is_empty()
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
    let mut unknown = 0;
    let mut known = 0;
    for word in says {
        if reading.states(word)
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
    let fewest = if reading.named.is_empty() {
        FEWEST
    } else {
        FEWEST_NAMED
    };
    if unknown < fewest {
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

/// "Until 12 March": a day is no story's, but a commitment.
fn is_day(reading: &Reading<'_>, topic: &str, at: usize) -> bool {
    /// Days of a month, in hundredths.
    const DAYS: std::ops::RangeInclusive<i64> = 100..=3100;
    let mut words = reading
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.mark().is_none());
    let place = words.nth(at).map_or(0, |(place, _)| place);
    let near = reading.tokens[place.saturating_sub(2)..].iter().take(5);
    topic == "date"
        && near
            .filter_map(Token::number)
            .any(|number| DAYS.contains(&number))
}

/// Whether a topic's words only introduce what is said of an item.
fn is_said_of(topic: &str) -> bool {
    matches!(topic, "age" | "sizing" | "origin")
}

/// Whether a topic is how a thing is made: it says something where things have attributes, and is a story's word elsewhere.
fn is_made(topic: &str) -> bool {
    matches!(topic, "care" | "colour" | "fabric" | "sizing")
}

/// Whether a topic is what the shop does, and not what an item is.
pub(super) fn is_service(topic: &str) -> bool {
    matches!(
        topic,
        "delivery"
            | "discount"
            | "done"
            | "guarantee"
            | "opening"
            | "payment"
            | "returns"
            | "sales"
            | "service"
            | "wrapping"
    )
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
        let is_named = run.iter().any(|token| !token.names.is_empty());
        if is_title && !is_named && !words.is_empty() && !reading.has_run(&words) {
            return Err(Fault::Title);
        }
        at += run.len();
    }
    Ok(())
}

/// Whether what begins with a capital in the midst of a clause stands so in a text: "también El perfume".
fn begins_title_that_is_known(reading: &Reading<'_>, at: usize) -> bool {
    /// "I" is always written so.
    const SHORTEST: usize = 2;
    if reading.tokens[at].folded.len() < SHORTEST {
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
                    .any(|item| reading.subject.contains(item) || reading.named.contains(item));
            if is_anothers {
                return Err(Fault::Name);
            }
            continue;
        }
        let is_denied = reading.named.is_empty() && reading.marks("negation");
        let is_day = reading.lexicon.markers.stands(&token.folded, "calendar");
        let is_plain = reading.lexicon.is_function(&token.folded);
        if is_plain && Some(at) != first && !begins_title_that_is_known(reading, at) {
            return Err(Fault::Title);
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
