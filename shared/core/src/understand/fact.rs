//! The fact of an item that a question asks for: "¿cuánto cuesta?", "who wrote it?".

use crate::{
    language::List,
    text::{clauses, words},
};

/// What may be asked of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    Price,
    Copies,
    Maker,
    Year,
    Publisher,
    /// What it is about.
    About,
    /// What no catalogue tells: how many pages it has.
    Unknown,
}

impl Fact {
    fn read(key: &str) -> Option<Self> {
        Some(match key {
            "price" => Self::Price,
            "copies" => Self::Copies,
            "maker" => Self::Maker,
            "year" => Self::Year,
            "publisher" => Self::Publisher,
            "about" => Self::About,
            "unknown" => Self::Unknown,
            _ => return None,
        })
    }

    /// The last fact that is asked for in some words: "y de qué año es, y quién es el autor".
    pub(crate) fn in_words(said: &[String]) -> Option<Self> {
        let facts = List::Facts.in_all();
        (0..said.len())
            .rev()
            .find_map(|at| Self::read(facts.at(&said[at..])?.key))
    }

    /// The fact that a message asks for where it says nothing else: then it is asked of what was shown.
    pub(crate) fn alone(message: &str) -> Option<Self> {
        /// Most words of a clause beside it that calls somebody, or exclaims: "¿qué precio tiene, guapa?", "that's it! Year?"
        const CALLED: usize = 3;
        let of_clause = || {
            let clauses: Vec<&str> = clauses(message).collect();
            let fact = clauses.iter().find_map(|clause| Self::of_all(clause));
            let mut others = clauses
                .iter()
                .filter(|clause| Self::of_all(clause).is_none());
            let is_short = others.all(|clause| words(clause).len() <= CALLED);
            fact.filter(|_| is_short)
        };
        Self::of_all(message).or_else(of_clause)
    }

    fn of_all(message: &str) -> Option<Self> {
        let said = words(message);
        let lists = [&[List::Facts], &List::SMALL[..]].concat();
        let others = List::beside(&lists, &said);
        // "Y cuánto vale, hija."
        let markers = List::Markers.in_all();
        let is_called = || others.iter().all(|word| markers.stands(word, "called"));
        Self::in_words(&said).filter(|_| is_called())
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
            ("y qué precio tiene", Fact::Price),
            ("me puedes decir el precio", Fact::Price),
            ("¿quién lo escribió, por cierto?", Fact::Maker),
            ("de qué editorial es?", Fact::Publisher),
            ("¿Y qué precio tiene, guapa?", Fact::Price),
            ("who wrote it again?", Fact::Maker),
            ("that's it!! year?", Fact::Year),
            ("y cuanto vale hija", Fact::Price),
            ("esse mesmo! quem é o autor?", Fact::Maker),
            ("how much is it", Fact::Price),
            ("who wrote it?", Fact::Maker),
            ("and what year is it from", Fact::Year),
            ("how many are left?", Fact::Copies),
            ("¿de quién es?", Fact::Maker),
            ("em que ano saiu?", Fact::Year),
            ("quem é o autor?", Fact::Maker),
            ("quanto custa?", Fact::Price),
        ] {
            assert_eq!(Fact::alone(message), Some(fact), "{message}");
        }
        for message in [
            "",
            "gracias",
            "thank you very much",
            "thanks so much!",
            "va",
            "historia",
            "una historia",
            "a good story",
            "¿a qué hora abrís?",
            "¿cuánto cuesta el envío?",
            "quién es Cortázar",
            "¿cuánto cuesta Rayuela?",
        ] {
            assert_eq!(Fact::alone(message), None, "{message}");
        }
        let said = words("¿cuánto cuesta Rayuela?");
        assert_eq!(Fact::in_words(&said), Some(Fact::Price));
    }
}
