//! What a question is about, and what merely asks.

use std::sync::LazyLock;

use mostrador_core::{
    language::{Language, List, Phrases},
    text,
};

use crate::tuning::{BEGUN_LETTERS, QUESTION_WORDS};

/// The different words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// Content words.
    pub(super) content: Vec<String>,
    /// Words of grammar and of asking, and single letters: they decide between titles, and find nothing by themselves.
    pub(super) light: Vec<String>,
    /// The category that a word among `light` asks for.
    pub(super) category: Option<&'static str>,
    /// The word among `content` that may be the beginning of one.
    pub(super) begun: Option<String>,
}

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let light_words = light_in(text);
        let (mut content, mut light) = (Vec::new(), Vec::new());
        let mut category = None;
        for word in text::words(text) {
            let found = light_words.at(&[&word]);
            // The "ñ" of "asdf ñ" is in "N. K. Jemisin".
            let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
            let words = match found {
                Some(_) => &mut light,
                None if is_letter => &mut light,
                None => &mut content,
            };
            if words.len() < QUESTION_WORDS && !words.contains(&word) {
                words.push(word);
                let key = found.map(|found| found.key);
                category = category.or(key.filter(|key| !matches!(*key, "grammar" | "asking")));
            }
        }
        Self {
            content,
            light,
            category,
            begun: None,
        }
    }

    /// A question that somebody is still typing: unless it ends in a space, its last word may be the beginning of one.
    pub(super) fn being_typed(text: &str) -> Self {
        let mut question = Self::new(text);
        let ends_in_word = text.chars().next_back().is_some_and(char::is_alphanumeric);
        let Some(last) = text::words(text).pop().filter(|_| ends_in_word) else {
            return question;
        };
        // "Lo" may become a small word, and may become "Lolita"; one letter may become anything.
        question.content.retain(|word| *word != last);
        if last.chars().count() >= BEGUN_LETTERS {
            question.light.retain(|word| *word != last);
            question.content.truncate(QUESTION_WORDS - 1);
            question.content.push(last.clone());
            question.begun = Some(last);
        }
        question
    }

    pub(super) fn is_empty(&self) -> bool {
        self.content.is_empty() && self.light.is_empty()
    }
}

/// The words of grammar and of asking in a text: its language's, or every language's where the text is too short to tell. "Sea" is
/// grammar in Spanish, and what an English question is about.
pub(crate) fn light_in(text: &str) -> &'static Phrases {
    match Language::of_text(text) {
        Some(language) => language.phrases(List::Light),
        None => List::Light.in_all(),
    }
}

/// Other spellings of a folded word that sound like it, one sound at a time: *yano* and *llano*, *stefen* and *stephen*, *kijote* and
/// *quijote*.
pub(super) fn sound_alikes(word: &str) -> Vec<String> {
    static SOUNDS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        let listed = List::Sounds.in_all().listed().into_iter();
        listed
            .filter_map(|(key, words)| Some((key, *words.first()?)))
            .collect()
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_words_are_separated_from_light_ones() {
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
                category: None,
                begun: None,
            }
        );
        let initials = Question::new("Philip K. Dick");
        assert_eq!(initials.content, ["philip", "dick"]);
        assert_eq!(initials.light, ["k"]);
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
    fn a_word_is_light_in_its_own_language() {
        let check = |text, content: &[&str], category| {
            let question = Question::new(text);
            assert_eq!(question.content, content, "{text}");
            assert_eq!(question.category, category, "{text}");
        };
        check("a book about the sea", &["sea"], None);
        check("que sea de terror", &["terror"], None);
        check("quero um romance policial", &["policial"], Some("novela"));
        check("el Romance sonámbulo", &["romance", "sonambulo"], None);
        check("quanto custa Rayuela?", &["rayuela"], None);
    }

    #[test]
    fn spellings_that_sound_the_same() {
        assert_eq!(sound_alikes("yano"), ["llano"]);
        assert_eq!(sound_alikes("stephen"), ["stefen"]);
        assert_eq!(sound_alikes("kiyake"), ["quiyake", "kiyaque", "killake"]);
        assert!(sound_alikes("rosa").is_empty());
    }
}
