//! The fact of an item that a question asks for: "¿cuánto cuesta?", "who wrote it?".

use crate::{language::List, text::words};

/// What may be asked of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    Price,
    Copies,
    Maker,
    Year,
    /// What it is about.
    About,
}

impl Fact {
    fn read(key: &str) -> Option<Self> {
        Some(match key {
            "price" => Self::Price,
            "copies" => Self::Copies,
            "maker" => Self::Maker,
            "year" => Self::Year,
            "about" => Self::About,
            _ => return None,
        })
    }

    /// The last fact that a message asks for: "de qué año es, y quién es el autor".
    pub(crate) fn in_message(message: &str) -> Option<Self> {
        let facts = List::Facts.in_all();
        let said = words(message);
        let mut asked = said.iter().rev();
        asked.find_map(|word| Self::read(facts.at(&[word])?.key))
    }

    /// The fact that a message asks for where it says nothing else: then it is asked of what was shown.
    pub(crate) fn alone(message: &str) -> Option<Self> {
        let small = [
            List::Light,
            List::Function,
            List::Agreement,
            List::Courtesies,
            List::Facts,
        ];
        let small = small.map(List::in_all);
        let said = words(message);
        let is_small = |word: &String| small.iter().any(|list| list.has(word));
        let fact = Self::in_message(message)?;
        said.iter().all(is_small).then_some(fact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_asked_for_by_small_words() {
        for (message, fact) in [
            ("¿cuánto cuesta?", Fact::Price),
            ("y quién la escribió?", Fact::Maker),
            ("¿de qué año es?", Fact::Year),
            ("¿cuántos ejemplares quedan?", Fact::Copies),
            ("¿de qué va?", Fact::About),
            ("how much is it", Fact::Price),
            ("who wrote it?", Fact::Maker),
            ("and what year is it from", Fact::Year),
            ("how many are left?", Fact::Copies),
            ("quem é o autor?", Fact::Maker),
            ("quanto custa?", Fact::Price),
        ] {
            assert_eq!(Fact::alone(message), Some(fact), "{message}");
        }
        for message in [
            "",
            "gracias",
            "¿cuánto cuesta el envío?",
            "quién es Cortázar",
            "¿cuánto cuesta Rayuela?",
        ] {
            assert_eq!(Fact::alone(message), None, "{message}");
        }
        assert_eq!(
            Fact::in_message("¿cuánto cuesta Rayuela?"),
            Some(Fact::Price)
        );
    }
}
