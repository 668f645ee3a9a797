//! What is another's: said of an item in words that the texts of another have, and its own do not.

use super::{Fault, reading::Reading, words::LETTERS};

/// So many words of another's are no chance.
const FEWEST: usize = 2;

/// "Incógnito incluye el diario de sueño para rellenar", which another item has: whether one that the line does not speak of has more of
/// a clause's words than what it is about, by two at least.
pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    if !says_something_of(reading) || reading.marks("both") {
        return Ok(());
    }
    let lexicon = reading.lexicon;
    let says = reading.words.iter().map(String::as_str).filter(|word| {
        word.chars().count() >= LETTERS && !lexicon.is_function(word) && !lexicon.has(word)
    });
    let (own, foreign): (Vec<&str>, Vec<&str>) = says.partition(|word| {
        let mut whole = reading.at.whole.iter();
        reading.states(word) || whole.any(|item| reading.known[*item].has(word))
    });
    let has = |item: &usize| {
        let known = &reading.known[*item];
        foreign.iter().filter(|word| known.has(word)).count()
    };
    let most = reading.everything.iter().map(has).max();
    if most.is_some_and(|most| most >= FEWEST && most >= own.len() + FEWEST) {
        return Err(Fault::Unsupported);
    }
    Ok(())
}

/// Whether a name stands in the texts of others alone than a clause speaks of: "{2} es de Alianza", which publishes {3}.
pub(super) fn is_anothers_name(reading: &Reading<'_>, folded: &str) -> bool {
    let mut spoken_of = reading.subject.iter().chain(reading.at.whole);
    says_something_of(reading)
        && !reading.wish.words.contains(folded)
        && !spoken_of.any(|item| reading.known[*item].has(folded))
        && reading.known.iter().any(|known| known.has_word(folded))
}

/// Whether a clause says of what it is about that something is so, and speaks of no others.
fn says_something_of(reading: &Reading<'_>) -> bool {
    let mut otherwise = [
        "against", "if", "negation", "none", "others", "than", "unknown",
    ]
    .iter();
    !reading.subject.is_empty()
        && reading.count.is_none()
        && !reading.at.is_question
        && !otherwise.any(|key| reading.marks(key))
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart};

    #[test]
    fn what_the_texts_of_another_say_is_not_said_of_it() {
        let mut items = novels();
        items[0].publisher = "Alder Press".to_owned();
        items[0].description = "A keeper fills in a diary of dreams.".to_owned();
        items[1].publisher = "Birch".to_owned();
        let pairs = [
            ("{1} is from Alder Press.", "{2} is from Alder Press."),
            ("{1} has a diary of dreams.", "{2} has a diary of dreams."),
        ];
        tells_apart("en", &items, "the sea", &pairs);
    }
}
