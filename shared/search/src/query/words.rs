//! What a question is about, and what merely asks.

use std::{collections::HashSet, sync::LazyLock};

use mostrador_core::text;

use crate::tuning::{BEGUN_LETTERS, QUESTION_WORDS};

/// The different words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// Words that say what is sought.
    pub(super) content: Vec<String>,
    /// Words of grammar and of asking: they decide between titles, and find nothing by themselves.
    pub(super) light: Vec<String>,
    /// The word among `content` that may be the beginning of one.
    pub(super) begun: Option<String>,
}

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let mut content = Vec::new();
        let mut light = Vec::new();
        for word in text::words(text) {
            let words = if is_light(&word) {
                &mut light
            } else {
                &mut content
            };
            if words.len() < QUESTION_WORDS && !words.contains(&word) {
                words.push(word);
            }
        }
        Self {
            content,
            light,
            begun: None,
        }
    }

    /// A question that somebody is still typing: unless it ends in a space, its last word may be the beginning of one.
    pub(super) fn being_typed(text: &str) -> Self {
        let mut question = Self::new(text);
        let ends_in_word = text.chars().next_back().is_some_and(char::is_alphanumeric);
        let last = text::words(text).pop().filter(|_| ends_in_word);
        if let Some(last) = last.filter(|word| word.chars().count() >= BEGUN_LETTERS) {
            // "Lo" may become a small word, and may become "Lolita".
            if !question.content.contains(&last) {
                question.light.retain(|word| *word != last);
                question.content.truncate(QUESTION_WORDS - 1);
                question.content.push(last.clone());
            }
            question.begun = Some(last);
        }
        question
    }

    /// The kind of book that is asked for by a word that otherwise merely asks.
    pub(super) fn genre(&self) -> Option<&'static str> {
        let names_novels =
            |word: &String| matches!(word.as_str(), "novela" | "novelas" | "novel" | "novels");
        self.light.iter().any(names_novels).then_some("novela")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.content.is_empty() && self.light.is_empty()
    }
}

/// Whether a folded word is of grammar or of asking.
pub(crate) fn is_light(word: &str) -> bool {
    static LIGHT: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let lists = [STOP_ES, STOP_EN, REQUEST_ES, REQUEST_EN];
        lists.iter().flat_map(|list| list.split(' ')).collect()
    });
    LIGHT.contains(word)
}

/// What sounds the same and is more than one edit apart: *yano* and *llano*, *stefen* and *stephen*, *kijote* and *quijote*.
const SOUNDS: [(&str, &str); 4] = [("y", "ll"), ("f", "ph"), ("k", "qu"), ("w", "gu")];

/// Other spellings of a folded word that sound like it, one sound at a time.
pub(super) fn sound_alikes(word: &str) -> Vec<String> {
    let both_ways = SOUNDS.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    both_ways
        .flat_map(|(written, meant)| {
            let places = word.match_indices(written).map(|(at, _)| at);
            places.map(move |at| {
                let (before, after) = (&word[..at], &word[at + written.len()..]);
                format!("{before}{meant}{after}")
            })
        })
        .collect()
}

/// Articles, pronouns, prepositions, conjunctions and auxiliaries of Spanish.
const STOP_ES: &str = "\
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella asi aunque cada como \
    con cual cuales cualquier cuando cuanto cuyo de del desde donde e el ella ellas ellos en \
    entre era es esa esas ese eso esos esta estan estas este esto estos fue ha han hasta la las \
    le les lo los mas me mi mis mucho muy nada ni no nos o os otra otras otro otros para pero \
    poco por porque que quien se sea segun ser si sin sobre son su sus tal tambien tan te tu tus \
    u un una unas uno unos y ya yo";

/// The same of English, with the letters that contractions leave behind.
const STOP_EN: &str = "\
    about also an and any are as at be been but by can could d did do does for from had has have \
    he her his how i if in into is it its ll m my not of on or our re s she so some t than that \
    the their them there they this to ve was we were what when where which who will with would \
    you your";

/// What a shopper says to a bookseller around the thing sought, in Spanish.
const REQUEST_ES: &str = "\
    adios ayuda ayudame buen buena buenas buenos busca buscando buscar buscas busco copias cuanta \
    cuantas cuantos cuesta cuestan dame dias dime disponible disponibles ejemplar ejemplares \
    existencias favor gracias gustaria hay hola leer libro libros muestrame necesito noches novela \
    novelas obra obras podrias precio precios puedes queda quedan queria querria quiero \
    recomendacion recomendaciones recomendar recomendarme recomienda recomiendame recomiendas \
    sugiere sugiereme tardes tendran teneis tener tengan tengo tiene tienen tienes titulo titulos trata traten vale valen ver";

/// The same in English.
const REQUEST_EN: &str = "\
    available book books copies cost costs find give hello hey hi left like looking many me much \
    need novel novels please price prices read recommend \
    search show stock suggest tell thank thanks title titles want";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_apart_what_is_sought_and_what_asks() {
        let question = Question::new("¿Tienes algún libro de la Guerra Civil? ¡Guerra, guerra!");
        assert_eq!(
            question,
            Question {
                content: vec!["guerra".into(), "civil".into()],
                light: vec![
                    "tienes".into(),
                    "algun".into(),
                    "libro".into(),
                    "de".into(),
                    "la".into()
                ],
                begun: None,
            }
        );
        let typed = |text| {
            let Question { content, begun, .. } = Question::being_typed(text);
            (content.join(" "), begun)
        };
        assert_eq!(
            typed("el señor de lo"),
            ("senor lo".into(), Some("lo".into()))
        );
        assert_eq!(typed("el señor "), ("senor".into(), None));
        assert_eq!(typed("el señor d"), ("senor".into(), None));
        assert!(Question::new(" ¿? ").is_empty());
    }

    #[test]
    fn spellings_that_sound_the_same() {
        assert_eq!(sound_alikes("yano"), ["llano"]);
        assert_eq!(sound_alikes("stephen"), ["stefen"]);
        assert_eq!(sound_alikes("kiyake"), ["killake", "quiyake", "kiyaque"]);
        assert!(sound_alikes("rosa").is_empty());
    }

    #[test]
    fn the_lists_are_folded() {
        for list in [STOP_ES, STOP_EN, REQUEST_ES, REQUEST_EN] {
            assert_eq!(text::words(list).join(" "), list);
        }
    }
}
