//! What is said of several: as many as are counted have it, and each of all.

use super::{
    Fault,
    reading::Reading,
    token::{Token, of_count},
    words::LETTERS,
};

pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let mut otherwise = ["negation", "than", "if", "unknown", "one-of"].iter();
    let is_said = !reading.at.is_question && !otherwise.any(|key| reading.marks(key));
    if is_said && (counts_too_many(reading) || is_not_of_each(reading)) {
        return Err(Fault::Claim);
    }
    Ok(())
}

/// "Tres de los cuatro son de lana": whether fewer have the words that tell what is shown apart.
fn counts_too_many(reading: &Reading<'_>) -> bool {
    let Some(count) = partitive(reading) else {
        return false;
    };
    let telling: Vec<&str> = telling(reading).collect();
    let has_all = |item: &&usize| telling.iter().all(|word| reading.known[**item].has(word));
    reading.named.is_empty()
        && !telling.is_empty()
        && reading.everything.iter().filter(has_all).count() < count
}

/// How many a clause says that they are of those that are shown: "three of the four", "duas destas".
fn partitive(reading: &Reading<'_>) -> Option<usize> {
    let words = reading.tokens.iter().filter(|token| token.mark().is_none());
    let words: Vec<&Token> = words.collect();
    let folded: Vec<&str> = words.iter().map(|token| token.folded.as_str()).collect();
    let mut places = (0..words.len()).filter(|at| {
        let mut behind = reading.lexicon.markers.all(&folded[at + 1..]);
        behind.any(|(place, found)| place == 0 && found.key == "of-those")
    });
    let number = words[places.next()?].number()?;
    usize::try_from(number / 100).ok()
}

/// "Todas admiten un portátil de 15,6 pulgadas": whether the texts of some have a number, and not those of each.
fn is_not_of_each(reading: &Reading<'_>) -> bool {
    let numbers = reading.tokens.iter().filter_map(Token::number);
    // What may count those that are shown is no measure of each.
    let shown = of_count(reading.everything.len());
    let mut numbers =
        numbers.filter(|number| *number > shown && !reading.wish.budgets.contains(number));
    let states = |item: &usize, number| reading.known[*item].states(number);
    reading.is_of_all()
        && numbers.any(|number| {
            let mut items = reading.subject.iter();
            reading.subject.iter().any(|item| states(item, number))
                && !items.all(|item| states(item, number))
        })
}

/// Words of a clause that what is shown is told apart by: what some are called by, or who publishes them.
fn telling<'a>(reading: &'a Reading<'_>) -> impl Iterator<Item = &'a str> {
    let words = reading.tokens.iter().filter(|token| token.is_plain_word());
    let words = words.map(|token| token.folded.as_str());
    words.filter(|word| {
        let mut known = reading.known.iter();
        word.chars().count() >= LETTERS
            && !reading.lexicon.is_function(word)
            && !reading.lexicon.has(word)
            && known.any(|known| known.is_told_by(word))
    })
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{packs, tells_apart};

    #[test]
    fn as_many_have_it_as_are_counted() {
        let pairs = [
            ("Two of the three are red.", "Three of the three are red."),
            ("One of them is blue.", "Two of them are blue."),
            ("{1} holds 40 litres.", "All three hold 40 litres."),
        ];
        tells_apart("en", &packs(), "a pack for 40 litres", &pairs);
    }
}
