//! Topics: what only the shop's own texts may speak of.

use super::{
    Fault,
    reading::Reading,
    token::{Kind, Token},
    words::LETTERS,
};
use crate::{answer::part::Field, language::List};

/// A topic in a clause.
struct Topic<'a> {
    reading: &'a Reading<'a>,
    key: &'static str,
    /// Where it begins among the clause's words.
    at: usize,
    phrase: &'a [String],
}

/// A topic stands where the texts of what is spoken of have its words, or where it claims nothing of an item or the shop.
pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let words = reading.words;
    let mut at = 0;
    while at < words.len() {
        let Some(found) = reading.lexicon.topics.at(&words[at..]) else {
            at += 1;
            continue;
        };
        let topic = Topic {
            reading,
            key: found.key,
            at,
            phrase: &words[at..at + found.words],
        };
        if !topic.is_stated() && !topic.claims_nothing() {
            return Err(if found.key == "done" {
                Fault::Action
            } else {
                Fault::Topic
            });
        }
        at += found.words;
    }
    Ok(())
}

impl Topic<'_> {
    /// Whether it is what an item is by its own texts. What the shop does, and on which day, is not an item's to say.
    fn is_stated(&self) -> bool {
        let mut facts = self.reading.tokens.iter().map(|token| &token.kind);
        let mut has_fact = || facts.any(|kind| matches!(kind, Kind::Fact(_, Field::Attribute(_))));
        let mut says = self.phrase.iter().filter(|word| self.says(word));
        !is_service(self.key)
            && !self.is_day()
            && (self.states_age()
                || says.all(|word| self.reading.states(word))
                || self.has_kin()
                || has_fact())
    }

    fn claims_nothing(&self) -> bool {
        let reading = self.reading;
        // Asking back what the shopper spoke of claims nothing, nor does saying that nothing shown has it.
        let is_question = reading.at.is_question;
        let denies = reading.marks("negation") && !is_service(self.key);
        // Where nothing is named yet, it is the wish that is spoken of.
        let is_wish = reading.at.line.is_empty() && !is_service(self.key) && self.key != "date";
        // "Si prefieres tapa dura": nobody says that anything is.
        let is_conditional = !is_service(self.key)
            && reading
                .words
                .first()
                .is_some_and(|word| reading.lexicon.markers.stands(word, "if"));
        // "Ninguna ficha trae el número de páginas".
        let says = |word: &&String| self.says(word);
        let none_states = reading.subject.is_empty()
            && denies
            && reading.known.iter().all(|known| {
                let mut words = self.phrase.iter().filter(says);
                !words.all(|word| known.has(word))
            });
        let is_storys = is_made(self.key) && !reading.has_attributes();
        (is_question
            && (self.key == "done" || (reading.subject.is_empty() && !is_service(self.key))))
            || is_storys
            || is_conditional
            || none_states
            || ((is_wish || is_question || denies) && self.is_own())
            || self.only_introduces()
            || (self.key == "sizing" && reading.has_wished_value())
            || self.is_shoppers_day()
            || self.is_shoppers_age()
            || self.is_noun()
            || self.is_of_shopper()
            || self.is_form()
            || (self.key == "edition" && reading.names_publisher())
            || self.is_compared()
            || self.is_purpose()
    }

    /// "Te sobran 4 € para el papel de regalo": what the shopper may do with what is left.
    fn is_purpose(&self) -> bool {
        let reading = self.reading;
        let purposes = List::Amounts.in_all();
        let mut before = reading.words[..self.at].iter();
        reading.marks("difference")
            && !matches!(self.key, "delivery" | "discount")
            && before.any(|word| purposes.stands(word, "whom"))
    }

    /// Whether a word says something.
    fn says(&self, word: &str) -> bool {
        word.chars().count() >= LETTERS && !self.reading.lexicon.is_function(word)
    }

    /// "It has to be washed by hand", of what is "hand wash": a word of the same topic that begins alike.
    fn has_kin(&self) -> bool {
        /// So many letters make a root.
        const ROOT: usize = 4;
        let [word] = self.phrase else { return false };
        let root: String = word.chars().take(ROOT).collect();
        let topics = self.reading.lexicon.topics;
        let is_kin = |other: &String| {
            other.starts_with(&root)
                && topics
                    .at(&[other])
                    .is_some_and(|found| found.key == self.key)
        };
        let mut items = self.reading.spoken_of().into_iter();
        root.chars().count() == ROOT
            && items.any(|item| self.reading.known[item].words().any(is_kin))
    }

    /// Whether the shopper spoke of it.
    fn is_own(&self) -> bool {
        let phrase: Vec<&str> = self.phrase.iter().map(String::as_str).collect();
        self.reading.is_own(&phrase)
    }

    /// "Para 8 a 12 años", where the item's text has both numbers.
    fn states_age(&self) -> bool {
        let mut numbers = self
            .reading
            .tokens
            .iter()
            .filter_map(Token::number)
            .peekable();
        // "It suits a seven-year-old", of what is for ages 6 to 9.
        if self.is_within_ages() {
            return true;
        }
        let states = |number| {
            let mut items = self.reading.spoken_of().into_iter();
            items.any(|item| self.reading.known[item].states_span(number))
        };
        self.key == "age" && numbers.peek().is_some() && numbers.all(states)
    }

    /// Whether the shopper's ages are among those that what is spoken of is for.
    fn is_within_ages(&self) -> bool {
        let reading = self.reading;
        let mut numbers = reading.tokens.iter().filter_map(Token::number).peekable();
        let is_within = |number: i64| {
            let mut items = reading.subject.iter();
            reading.wish.numbers.contains(&number)
                && items.any(|item| reading.known[*item].is_for_age(number))
        };
        self.key == "age" && numbers.peek().is_some() && numbers.all(is_within)
    }

    /// "Indicado para arroces", "aimed at players with some experience": what is said by it is the item's.
    fn only_introduces(&self) -> bool {
        let reading = self.reading;
        let behind = &reading.words[self.at + self.phrase.len()..];
        let rest = reading.words[..self.at].iter().chain(behind);
        let mut rest = rest
            .filter(|word| *word != "·" && self.says(word) && !reading.lexicon.has(word))
            .peekable();
        matches!(self.key, "age" | "sizing" | "origin")
            && !reading.subject.is_empty()
            && rest.peek().is_some()
            && rest.all(|word| reading.states(word))
    }

    /// "For your train on Friday I've found five".
    fn is_shoppers_day(&self) -> bool {
        let reading = self.reading;
        let behind = &reading.words[self.at + self.phrase.len()..];
        let mut rest = reading.words[..self.at].iter().chain(behind);
        self.key == "date"
            && reading.at.line.is_empty()
            && (reading.marks("person") || rest.all(|word| reading.lexicon.is_function(word)))
            && self.is_own()
            && !self.is_day()
    }

    /// "For a nine-year-old", who is the shopper's.
    fn is_shoppers_age(&self) -> bool {
        /// No age, in hundredths.
        const TOO_OLD: i64 = 10_000;
        let numbers = self.reading.tokens.iter().filter_map(Token::number);
        let mut ages = numbers.filter(|number| *number < TOO_OLD).peekable();
        self.key == "age"
            && self.reading.marks("person")
            && ages.peek().is_some()
            && ages.all(|age| self.reading.wish.numbers.contains(&age))
    }

    /// "Two Royal Navy ships are stuck in the ice": the item's own word, where nobody is spoken to.
    fn is_noun(&self) -> bool {
        let [word] = self.phrase else { return false };
        let mut items = self.reading.subject.iter();
        self.key == "delivery"
            && !self.reading.marks("person")
            && items.any(|item| self.reading.known[*item].has_word(word))
    }

    /// "Un jersey abierto", "por serem abertos": how a thing is, and not when the shop is.
    fn is_form(&self) -> bool {
        let reading = self.reading;
        let mut topics = reading.lexicon.topics.all(reading.words);
        self.key == "opening"
            && self.phrase.len() == 1
            && !reading.named.is_empty()
            && !reading.tokens.iter().any(|token| token.number().is_some())
            && !topics.any(|(_, found)| found.key == "date")
    }

    /// "£4.80 stays in your pocket", "it fits your budget".
    fn is_of_shopper(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.reading.words[at]);
        let markers = &self.reading.lexicon.markers;
        let is_possessed = before.is_some_and(|word| markers.stands(word, "possessive"));
        let has_number = || {
            self.reading
                .tokens
                .iter()
                .any(|token| token.number().is_some())
        };
        !is_service(self.key)
            && ((is_possessed && has_number())
                || (self.key == "sizing" && self.reading.marks("budget")))
    }

    /// "Trocar {1} por {2}", "you'd pay £5 more", "half the price": what is compared, and not what the shop does.
    fn is_compared(&self) -> bool {
        let reading = self.reading;
        let has_number = || reading.tokens.iter().any(|token| token.number().is_some());
        match self.key {
            "discount" => {
                reading.claims("half")
                    || reading.claims("double")
                    || (has_number() && self.is_own() && !reading.at.line.is_empty())
            }
            "payment" => reading.named.len() > 1 || has_number(),
            "returns" => reading.named.len() > 1,
            _ => false,
        }
    }

    /// "Until 12 March": a day is no story's, but a commitment.
    fn is_day(&self) -> bool {
        /// Days of a month, in hundredths.
        const DAYS: std::ops::RangeInclusive<i64> = 100..=3100;
        let tokens = self.reading.tokens.iter().enumerate();
        let mut words = tokens.filter(|(_, token)| token.mark().is_none());
        let place = words.nth(self.at).map_or(0, |(place, _)| place);
        let near = self.reading.tokens[place.saturating_sub(2)..]
            .iter()
            .take(5);
        let mut numbers = near.filter_map(Token::number);
        self.key == "date" && numbers.any(|number| DAYS.contains(&number))
    }
}

/// Whether a topic is how a thing is made: it says something where things have attributes, and is a story's word elsewhere.
fn is_made(topic: &str) -> bool {
    matches!(topic, "care" | "colour" | "fabric" | "sizing")
}

/// Whether a topic is what the shop does, and not what an item is.
pub(super) fn is_service(topic: &str) -> bool {
    matches!(
        topic,
        "delivery"
            | "discount"
            | "done"
            | "guarantee"
            | "opening"
            | "payment"
            | "returns"
            | "sales"
            | "service"
            | "wrapping"
    )
}
