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
    /// An attribute of the shop's, by its place in the profile.
    Attribute(usize),
    /// What no catalogue tells: how many pages it has.
    Unknown,
}

impl Fact {
    fn read(key: &str) -> Option<Self> {
        Some(match key {
            "price" | "price-each" => Self::Price,
            "copies" => Self::Copies,
            "maker" => Self::Maker,
            "year" => Self::Year,
            "publisher" => Self::Publisher,
            "about" => Self::About,
            "unknown" => Self::Unknown,
            _ => return None,
        })
    }

    /// Whether a word asks for one.
    pub(crate) fn stands(word: &str) -> bool {
        let found = List::Facts.in_all().at(&[word]);
        found.is_some_and(|found| Self::read(found.key).is_some())
    }

    /// The facts that are asked for in some words, each once: "y de qué año es, y quién es el autor".
    pub(crate) fn in_words(said: &[String]) -> Vec<Self> {
        let [facts, agreement] = [List::Facts, List::Agreement].map(List::in_all);
        let (mut asked, mut may_agree) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < said.len() {
            let found = facts.at(&said[at..]);
            if let Some(fact) = found.as_ref().and_then(|found| Self::read(found.key)) {
                // "Vale, ¿y quién lo escribió?" asks for no price.
                let length = found.as_ref().map_or(0, |found| found.words);
                let agreed = agreement.at(&said[at..]);
                let agrees = agreed.is_some_and(|agreed| agreed.words >= length);
                let of_these = if agrees { &mut may_agree } else { &mut asked };
                if !of_these.contains(&fact) {
                    of_these.push(fact);
                }
            }
            at += found.map_or(1, |found| found.words.max(1));
        }
        if asked.is_empty() { may_agree } else { asked }
    }

    /// The facts that a message asks for where it says nothing else: then they are asked of what was shown.
    pub(crate) fn alone(message: &str) -> Vec<Self> {
        /// Most words of a clause beside it that calls somebody, or exclaims: "¿qué precio tiene, guapa?", "that's it! Year?"
        const CALLED: usize = 3;
        let of_clause = || {
            let asks = |clause: &&str| !Self::of_all(clause).is_empty();
            let (asking, others): (Vec<&str>, Vec<&str>) = clauses(message).partition(asks);
            match others.iter().all(|clause| words(clause).len() <= CALLED) {
                true => Self::in_words(&words(&asking.join(" "))),
                false => Vec::new(),
            }
        };
        match Self::of_all(message) {
            facts if facts.is_empty() => of_clause(),
            facts => facts,
        }
    }

    /// Whether a message asks what all of it comes to, and says nothing else: "¿cuánto es todo junto?"
    pub(crate) fn is_total(message: &str) -> bool {
        Self::alone(message).contains(&Self::Price)
            && List::Facts.in_all().says(&words(message), "total")
    }

    /// Whether a message asks for the price of several, and says nothing else: "how much are they?"
    pub(crate) fn is_of_each(message: &str) -> bool {
        Self::alone(message).contains(&Self::Price)
            && List::Facts.in_all().says(&words(message), "price-each")
    }

    fn of_all(message: &str) -> Vec<Self> {
        let said = words(message);
        let lists = [&[List::Facts], &List::SMALL[..]].concat();
        let others = List::beside(&lists, &said);
        // "Y cuánto vale, hija."
        let markers = List::Markers.in_all();
        let is_called = others.iter().all(|word| markers.stands(word, "called"));
        match is_called {
            true => Self::in_words(&said),
            false => Vec::new(),
        }
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
            assert_eq!(Fact::alone(message), [fact], "{message}");
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
            assert_eq!(Fact::alone(message), [], "{message}");
        }
        let said = words("¿cuánto cuesta Rayuela?");
        assert_eq!(Fact::in_words(&said), [Fact::Price]);
    }

    #[test]
    fn what_all_of_it_comes_to_is_a_total() {
        for message in [
            "¿cuánto es todo junto?",
            "y cuánta plata es en total",
            "how much is it all together?",
            "quanto fica ao todo",
            "quanto dá tudo",
        ] {
            assert!(Fact::is_total(message), "{message}");
        }
        for message in [
            "¿cuánto cuesta?",
            "total",
            "¿cuánto cuesta todo lo de Lorca?",
            "todo",
        ] {
            assert!(!Fact::is_total(message), "{message}");
        }
    }

    #[test]
    fn several_facts_are_asked_for_at_once() {
        use Fact::{About, Copies, Maker, Price, Publisher, Year};
        for (message, facts) in [
            ("how much is it and what year is it from", vec![Price, Year]),
            ("how much n who publishes it", vec![Price, Publisher]),
            ("¿de qué año es y cuánto vale?", vec![Year, Price]),
            (
                "¿quién lo escribió? ¿y cuántos quedan?",
                vec![Maker, Copies],
            ),
            ("quanto custa e sobre o que é?", vec![Price, About]),
            (
                "when was it first published, and who wrote it?",
                vec![Year, Maker],
            ),
            ("vale, ¿y quién lo escribió?", vec![Maker]),
            ("who wrote it and when?", vec![Maker, Year]),
            ("¿cuánto cuesta y cuánto vale?", vec![Price]),
        ] {
            assert_eq!(Fact::alone(message), facts, "{message}");
        }
    }
}
