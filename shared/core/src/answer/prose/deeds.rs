//! Deeds: what the one who writes does, has done or will do. Showing, finding and saying are what an answer does; all else is for the
//! customer to do, or for the shop to promise.

use super::{Fault, reading::Reading, token::Token};

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let words = reading.tokens.iter().filter(|token| token.mark().is_none());
    let words: Vec<&Token> = words.collect();
    let mut places = 0..words.len();
    if !reading.at.is_question && places.any(|at| is_deed(reading, &words, at)) {
        return Err(Fault::Action);
    }
    Ok(())
}

/// Whether the word at `at` says what is done in the first person: "reservei", or "I've just emailed", by what stands before it.
fn is_deed(reading: &Reading<'_>, words: &[&Token], at: usize) -> bool {
    let lexicon = reading.lexicon;
    let stands = |word: &str, key: &str| lexicon.markers.stands(word, key);
    let verb = words[at].folded.as_str();
    let says_something = words[at].is_plain_word()
        && !words[at].is_capitalised()
        && !lexicon.is_function(verb)
        && !stands(verb, "shown")
        && !reading.is_known_word(verb);
    let before = words[..at].iter().rev();
    let mut before: Vec<&str> = before
        .map(|token| token.folded.as_str())
        .skip_while(|word| stands(word, "meanwhile"))
        .take(3)
        .collect();
    before.reverse();
    let mut auxiliaries = lexicon.markers.all(&before);
    let follows = auxiliaries
        .any(|(place, found)| found.key == "deed" && place + found.words == before.len());
    let ends = || {
        let endings = verb.char_indices().skip(2);
        let mut endings = endings.map(|(place, _)| &verb[place..]);
        endings.any(|ending| stands(ending, "deed-ending"))
    };
    // "Te sumé": stressed at its end, behind whom it is done for.
    let is_stressed = || {
        let object = before
            .last()
            .is_some_and(|word| stands(word, "deed-object"));
        object && words[at].text.ends_with('é')
    };
    says_something && (follows || ends() || is_stressed())
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart};

    #[test]
    fn nothing_is_said_to_be_done_but_finding_and_showing() {
        for (language, right, wrong) in [
            ("en", "I've found {2} for you.", "I've emailed you {2}."),
            ("en", "I'll start with {2}.", "I'll wrap {2} in gold."),
            ("es", "He encontrado {2}.", "{2} ya te lo he envuelto."),
            ("es", "Te lo recomiendo: {2}.", "Te lo envolvemos: {2}."),
            ("pt", "Encontrei {2}.", "Já embrulhei {2}."),
            ("pt", "Vou mostrar {2}.", "Vou embrulhar {2}."),
        ] {
            tells_apart(language, &novels(), "the sea", &[(right, wrong)]);
        }
    }
}
