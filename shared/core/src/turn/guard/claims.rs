//! What no result can state: discounts, days, deliveries, and things done that only a customer may do.

use super::{
    Violation,
    facts::{Facts, Mention},
    line::Line,
    words,
};
use crate::language::Language;

/// What a line claims beyond the results.
pub(super) fn violations(
    line: &Line<'_>,
    facts: &Facts,
    named: &[Mention<'_>],
    language: Option<Language>,
) -> Vec<Violation> {
    let spoken = line.spoken();
    [
        (is_discount(&spoken, language), Violation::Price),
        (misstates_stock(line, facts, named), Violation::Number),
        (has_date(line, &spoken), Violation::Date),
        (
            line.sentences()
                .iter()
                .any(|(sentence, asks)| is_action(sentence, *asks)),
            Violation::Action,
        ),
    ]
    .into_iter()
    .filter_map(|(claimed, violation)| claimed.then_some(violation))
    .collect()
}

fn is_discount(spoken: &str, language: Option<Language>) -> bool {
    // "Sale" is also Spanish for "comes out".
    let sale = language == Some(Language::English)
        && (spoken.contains(" sale ") || spoken.contains(" sales "))
        && !spoken.contains(" for sale ");
    let free = spoken.match_indices(" free ").any(|(at, _)| {
        !spoken[..at].ends_with(" feel") && !spoken[..at].ends_with(" are")
            || spoken[at..].starts_with(" free of ")
    });
    sale || free || words::DISCOUNTS.stand_in(spoken)
}

/// "agotado" of a book that is there, and "disponible" of one that is not. What is denied or asked is left alone.
fn misstates_stock(line: &Line<'_>, facts: &Facts, named: &[Mention<'_>]) -> bool {
    line.words.iter().enumerate().any(|(at, word)| {
        if word.named || !named.iter().any(|mention| mention.is_before(at)) {
            return false;
        }
        let begun = (0..at)
            .rev()
            .find(|&from| line.begins(from) && !line.words[from].quoted)
            .unwrap_or(0);
        let asked = line.gap(begun).contains('¿')
            || (at..=line.words.len()).any(|to| line.gap(to).contains('?'));
        let denied = (begun..at).any(|from| {
            matches!(
                line.word(from),
                "no" | "not" | "t" | "sin" | "ni" | "never" | "nunca" | "cannot" | "if" | "si"
            )
        });
        if asked || denied {
            return false;
        }
        let out = match word.folded.as_str() {
            "agotado" | "agotada" | "agotados" | "agotadas" => true,
            "sold" | "out" => {
                matches!((line.word(at), line.word(at + 1)), ("sold", "out"))
                    || (line.word(at + 1) == "of" && line.word(at + 2) == "stock")
            }
            _ => false,
        };
        let counted = line.words[at.saturating_sub(3)..at]
            .iter()
            .any(|word| word.has_number() && !word.titled);
        let there = !counted
            && match word.folded.as_str() {
                "disponible" | "disponibles" | "available" => true,
                "stock" => matches!(line.word_before(at, 1), "en" | "in"),
                _ => false,
            };
        (out && !facts.state(named, at, |book| book.stock == 0))
            || (there && !facts.state(named, at, |book| book.stock > 0))
    })
}

fn has_date(line: &Line<'_>, spoken: &str) -> bool {
    words::TERMS.stand_in(spoken)
        || line.words.iter().enumerate().any(|(at, word)| {
            let folded = word.folded.as_str();
            let figure = |at: Option<usize>| {
                at.and_then(|at| line.words.get(at))
                    .is_some_and(super::line::Word::has_number)
            };
            let month = words::MONTHS_WITH_CAPITAL.contains(folded)
                && ((word.is_capitalised() && !line.begins(at))
                    || figure(at.checked_sub(1))
                    || figure(Some(at + 1)));
            let tomorrow = folded == "manana" && !words::MORNING.contains(line.word_before(at, 1));
            !word.named && (month || tomorrow || words::DAYS.contains(folded))
        })
}

/// Whether a sentence says that something is done, or will be, that only a customer may do.
fn is_action(sentence: &str, asks: bool) -> bool {
    let spoken: Vec<&str> = sentence.split_whitespace().collect();
    let near = |at: usize, most: usize, of: &words::Words| {
        spoken
            .iter()
            .skip(at + 1)
            .take(most)
            .any(|word| of.contains(word))
    };
    let done = spoken.iter().enumerate().any(|(at, &word)| {
        (words::FIRST_PERSON.contains(word) && near(at, 4, &words::DONE))
            || (words::BECOMES.contains(word) && near(at, 2, &words::DONE_TO))
            || (words::DEALS.contains(word) && near(at, 4, &words::DONE_TO))
            || (words::DONE_TO.contains(word) && near(at, 3, &words::DEALS))
            || (words::ME.contains(word) && near(at, 1, &words::DONE_BY_ME))
    });
    // "Reservado." says it all.
    let short = spoken.len() <= 3 && spoken.iter().any(|word| words::DONE_TO.contains(word));
    let doing = spoken.windows(3).any(|three| {
        let acts = |verb: &str| words::STEMS.iter().any(|stem| verb.starts_with(stem));
        matches!(three, ["acabo" | "acabamos", "de", verb] | ["voy" | "vamos" | "procedo", "a", verb] if acts(verb))
    });
    let offers = asks || words::OFFERS.stand_in(sentence);
    let promised = || {
        let will = spoken.windows(3).any(|three| {
            matches!(three, ["i" | "we", "ll" | "will" | "shall", verb] if words::WILL_DO_ENGLISH.contains(verb))
        });
        will || words::WILL_DO.stand_in(sentence)
    };
    done || doing
        || (short && !asks)
        || words::DONE_DEALS.stand_in(sentence)
        || (!offers && promised())
}
