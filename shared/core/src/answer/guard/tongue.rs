//! The language of a line, by the small words that hold its sentences together.

use std::sync::LazyLock;

use super::{
    facts::Facts,
    line::{Line, Word},
    words::{Words, words},
};
use crate::{language::Language, text::fold};

/// Fewest small words of another language.
const FEWEST: usize = 4;
/// So many words say nothing without a small one among them.
const WORDS_TOGETHER: usize = 7;

static SPANISH: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     el la los las un una unos unas y e o que de del en por para con sin sobre entre es son está están hay se su \
     sus lo le les te tu me mi nos si sí no pero como más muy también este esta estos estas ese esa aquí al a ya \
     tengo tienes tiene tenemos quieres puedo puedes cuesta qué cuál donde cuando porque todo otro otra ha he fue",
    )
});

static ENGLISH: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     the a an and or of to in on at by for from with about is are was were be been it its this that these those i \
     you he she we they my your his her our their have has had do does don not but if as so would can could will \
     like there here what which who how when where up out more one some any all also just into me no",
    )
});

/// Portuguese, French, Catalan, Italian and German: what Spanish and English do not have.
static OTHERS: LazyLock<[Words; 5]> = LazyLock::new(|| {
    [
        words(
            "\
     o os as um uma do da dos das em no na ao à com não é você mas são muito seu sua pelo pela mais isso este esta \
     para que de e a por se tem temos",
        ),
        words(
            "\
     le la les un une des du de et ou est sont dans pour avec qui que vous nous je il elle sur ce cette au aux pas \
     mais plus votre à a en par l d c j",
        ),
        words(
            "\
     el la els les un una i o amb és són per del dels de que aquest aquesta però molt també hi ha en al als si no \
     més tinc teniu vols l d",
        ),
        words(
            "il lo la gli le un una di del della che è per con sono questo questa ma più anche e o non si da ho nel al ti",
        ),
        words(
            "\
     der die das den dem und oder ist sind ein eine einen mit für von zu ich sie wir es nicht auch auf im in aus \
     hier haben",
        ),
    ]
});

/// Whether a line is clearly not in the caller's language.
pub(super) fn is_foreign(line: &Line<'_>, language: Language) -> bool {
    let spoken: Vec<String> = line
        .words
        .iter()
        .filter(|word| !word.quoted && !word.titled && !word.named)
        .map(|word| word.text.to_lowercase())
        .collect();
    let (own, other) = language.pick((&*SPANISH, &*ENGLISH), (&*ENGLISH, &*SPANISH));
    let count = |of: &Words, unlike: &Words| {
        spoken
            .iter()
            .filter(|word| of.contains(word.as_str()) && !unlike.contains(word.as_str()))
            .count()
    };
    let lower = |word: &&Word<'_>| {
        let is_name = word.quoted || word.titled || word.named;
        !is_name && word.text.starts_with(char::is_lowercase)
    };
    let is_nobodys = line.words.iter().filter(lower).count() >= WORDS_TOGETHER
        && !spoken.iter().any(|word| own.contains(word.as_str()));
    is_nobodys
        || OTHERS.iter().chain([other]).any(|other| {
            let foreign = count(other, own);
            foreign >= FEWEST && foreign > 2 * count(own, other)
        })
}

/// Whether a word is written in letters that neither language has, and no result has it: another script, or letters that look like ours.
pub(super) fn has_strange_letters(line: &Line<'_>, facts: &Facts) -> bool {
    line.words.iter().any(|word| {
        let strange = |c: char| {
            c.is_alphabetic()
                && !matches!(c, 'ª' | 'º')
                && !fold(c.encode_utf8(&mut [0; 4])).is_ascii()
        };
        !word.text.is_ascii() && word.text.chars().any(strange) && !facts.has_word(&word.folded)
    })
}
