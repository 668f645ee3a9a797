//! What is too far from what was asked for to be shown.

use super::Retrieved;
use crate::{
    catalogue::{ItemResult, title_in},
    index::Source,
    language::List,
    shop::Profile,
    text::{is_slip, place_of, words},
    understand::{Route, recommends, subject::likely_off_topic},
};

/// What has a lower score answers nothing that was said to a clerk. Of 78 judged questions about meaning (`prove quality`), one has a lower
/// first score; of the judged searches (`infra/prove/utterances`), nearly all that do are for what the demo catalogue has nothing of.
const NEAR: f32 = 0.39;
/// The same of what asks for one of the shop's items as such: "hay algún libro que haga divertidas las mates?" Such a message says much
/// beside what is meant.
const NEAR_OF_ITEM: f32 = 0.3;
/// What is as likely off topic as not wants so high a first score, and more with the logarithm of the odds that it is. By a logistic
/// regression of score and odds over 825 judged searches that find what they are for and 1,050 everyday messages that are off topic: it shows
/// something to 4.5 % of these, and leaves out what 3.6 % of those find. What has most of an item's name is 0.82 and more.
const NEAR_AT_EVEN_ODDS: f32 = 0.77;
const NEARER_BY_ODDS: f32 = 0.11;
/// As likely off topic as not.
const EVEN: f32 = 0.5;
/// Whoever leaves the choice to the shop is less likely off topic than that: "recommend me a hotel" does not.
const LEAVES_OPEN: f32 = 0.2;

impl Retrieved {
    /// What is near enough to be shown of what a route has found for a text: that of a message, or the part of it that tells what is wanted.
    pub(crate) fn near(self, (route, text): (&Route, &str), message: &str, shop: &Profile) -> Self {
        match route {
            Route::Search => self.without_the_far(text).if_near(message, shop),
            // "Vuelos baratos a Roma", "un hotel por menos de 100".
            Route::Filter { filters, text, .. }
                if !text.is_empty()
                    && (filters.is_empty()
                        || filters.are_of_price_alone() && likely_off_topic(message) > EVEN) =>
            {
                self.if_near(message, shop)
            }
            _ => self,
        }
    }

    /// The same without what fits much worse than the first, where that is named, and with what is sold out and named by nothing behind
    /// what can be had and fits about as well, or without it where one name alone is asked for; and nothing at all of a name that is none
    /// here: "tem dom casmurro?"
    fn without_the_far(mut self, message: &str) -> Self {
        /// What part of the first one's score is too little, and what part is about as much.
        const FAR: f32 = 0.5;
        const ALIKE: f32 = 0.9;
        /// What is near in meaning alone has a higher score.
        const NEAR_ALONE: f32 = 0.3;
        /// So many words may be a name.
        const NAME: std::ops::RangeInclusive<usize> = 2..=3;
        /// Fewer letters are near too much.
        const LETTERS: usize = 5;
        /// A word is likely a slip of one that it is as like.
        const LIKE: f64 = 0.6;
        let score = |item: &ItemResult| item.score.unwrap_or_default();
        let whole = words(message);
        let said = whole.iter().filter(|word| !List::is_small(word));
        let said: Vec<&String> = said.collect();
        let names = |item: &ItemResult| -> Vec<String> {
            let names = item.titles().chain([item.autor.as_str()]);
            names.flat_map(words).collect()
        };
        let Some(first) = self.results.first() else {
            return self;
        };
        let own = names(first);
        let is_own = |word: &&String| own.iter().any(|own| is_slip(word, own));
        let is_all_named = !said.is_empty() && said.iter().all(is_own);
        let least = if is_all_named {
            FAR * score(first)
        } else {
            0.0
        };
        let is_named = |item: &ItemResult| {
            let maker = words(&item.autor);
            let is_made = maker.last().is_some_and(|last| said.contains(&last));
            let mut kinds = words(&item.categoria).into_iter();
            let mut own = names(item).into_iter();
            is_made
                || kinds.any(|kind| whole.contains(&kind))
                || title_in(item.titles(), &whole).is_some()
                || (said.len() == 1 && own.any(|own| is_slip(said[0], &own)))
        };
        let there = self.results.iter().filter(|item| item.stock > 0);
        let best = there.map(score).fold(0.0, f32::max);
        let is_gone =
            |item: &ItemResult| item.stock == 0 && best >= ALIKE * score(item) && !is_named(item);
        // "Un mar" is a subject.
        let numerals = List::Numerals.in_all();
        let is_one = |word: &str| numerals.at(&[word]).is_some_and(|one| one.key == "1");
        let mut pairs = whole.windows(2);
        let is_one_name =
            said.len() == 1 && !pairs.any(|pair| is_one(&pair[0]) && pair[1] == *said[0]);
        self.results
            .retain(|item| score(item) >= least && !(is_one_name && is_gone(item)));
        self.results.sort_by_key(is_gone);
        let long = said.iter().filter(|word| word.chars().count() >= LETTERS);
        let long: Vec<&&String> = long.collect();
        let is_nothing = |item: &ItemResult| {
            let texts = [&item.categoria, &item.descripcion].map(String::as_str);
            let mut own = names(item);
            own.extend(texts.into_iter().flat_map(words));
            let is_own = |word: &&&String| {
                let mut own = own.iter();
                own.any(|own| strsim::normalized_damerau_levenshtein(word, own) >= LIKE)
            };
            let may_be_name = NAME.contains(&said.len()) && !long.is_empty();
            may_be_name && !long.iter().any(is_own) && !is_named(item)
        };
        let mut others = self.results.iter().skip(1);
        if others.all(|item| score(item) < NEAR_ALONE) && self.results.iter().all(is_nothing) {
            self.results.clear();
        }
        self
    }

    /// The same, or nothing at all where even the best is too far from a message that names none of the shop's kinds, nor who made the
    /// best: a clerk says that there is nothing, and does not hold out whatever is nearest.
    fn if_near(mut self, message: &str, shop: &Profile) -> Self {
        let off_topic = likely_off_topic(message);
        let references = List::References.in_all();
        let said = words(message);
        let is_of_item =
            shop.says_noun(message) || said.iter().any(|word| references.stands(word, "whole"));
        let near = match is_of_item {
            true => NEAR_OF_ITEM,
            false => NEAR,
        };
        let odds = off_topic / (1.0 - off_topic).max(f32::MIN_POSITIVE);
        let least = near.max(NEAR_AT_EVEN_ODDS + NEARER_BY_ODDS * odds.ln());
        let scores = self.results.iter().filter_map(|item| item.score);
        let best = scores.fold(0.0, f32::max);
        let is_far = self.source == Source::Vector && best < least;
        let names_kind = || shop.kinds.in_own_words(message).is_some();
        let leaves_open = || recommends(message) && off_topic < LEAVES_OPEN;
        let names_maker = || {
            let first = self.results.first().map(|item| words(&item.autor));
            let first = first.unwrap_or_default();
            let mut pairs = first.windows(2);
            pairs.any(|pair| {
                !pair.iter().any(|word| List::is_small(word)) && place_of(pair, &said).is_some()
            })
        };
        if is_far && !self.results.is_empty() && !names_kind() && !names_maker() && !leaves_open() {
            self.results.clear();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_much_worse_or_is_sold_out_stands_behind() {
        for (message, found, left) in [
            (
                "harry potter",
                &[
                    ("Harry Potter y la piedra filosofal", 1.0, 4),
                    ("El caso Harry Quebert", 0.4, 1),
                ][..],
                &["Harry Potter y la piedra filosofal"][..],
            ),
            // The first is not named whole.
            (
                "un mago y su escuela",
                &[("Harry Potter", 1.0, 4), ("El caso", 0.4, 1)],
                &["Harry Potter", "El caso"],
            ),
            (
                "the one with the sad robot and the towel",
                &[("Yo, robot", 0.91, 0), ("Guía del autoestopista", 0.84, 8)],
                &["Guía del autoestopista", "Yo, robot"],
            ),
            (
                "have you got Yo, robot for my sad sister",
                &[("Yo, robot", 0.91, 0), ("Guía del autoestopista", 0.84, 8)],
                &["Yo, robot", "Guía del autoestopista"],
            ),
            (
                "the old colonel and his pension",
                &[("El coronel", 0.98, 0), ("La isla", 0.55, 14)],
                &["El coronel", "La isla"],
            ),
            (
                "do you have Emma?",
                &[("El Aleph", 0.97, 2), ("Madame Bovary", 0.97, 0)],
                &["El Aleph"],
            ),
            (
                "un mar",
                &[("La isla", 0.97, 2), ("El mapa", 0.97, 0)],
                &["La isla", "El mapa"],
            ),
            (
                "tem dom casmurro?",
                &[("Don Quijote", 0.7, 1), ("Bestiario", 0.2, 3)],
                &[],
            ),
            (
                "tem don quixote?",
                &[("Don Quijote", 0.7, 1), ("Bestiario", 0.2, 3)],
                &["Don Quijote"],
            ),
        ] {
            let items = found.iter().map(|(title, score, stock)| ItemResult {
                score: Some(*score),
                stock: *stock,
                ..ItemResult::named(title, "")
            });
            let found = Retrieved {
                results: items.collect(),
                ..Retrieved::nothing("search_catalog", Source::Vector)
            };
            let results = found.without_the_far(message).results;
            let titles: Vec<&str> = results.iter().map(|item| &*item.titulo).collect();
            assert_eq!(titles, left, "{message}");
        }
    }

    #[test]
    fn what_is_far_from_all_that_there_is_finds_nothing() {
        let kinds = serde_json::json!({"Novela negra": {"en": ["crime"]}});
        let noun = serde_json::json!({"es": {"one": "prenda", "many": "prendas", "gender": "f"}});
        let shop = Profile {
            kinds: serde_json::from_value(kinds).unwrap(),
            noun: serde_json::from_value(noun).unwrap(),
            ..Profile::default()
        };
        for (message, score, left) in [
            ("zapatillas blancas de mujer, talla 38", 0.36, 0),
            ("hay algún libro que haga divertidas las mates", 0.31, 1),
            ("I forgot the title, a man wakes up as a bug", 0.31, 1),
            ("whale hunting", 0.45, 1),
            ("something with crime in it, not too bloody", 0.2, 1),
            ("recomiéndame algo para una tarde de lluvia", 0.3, 1),
            ("una prenda que abrigue y no pese", 0.31, 1),
            ("un tejido que abrigue y no pese", 0.31, 0),
            ("¿qué tiempo va a hacer mañana en Sevilla?", 0.9, 0),
            ("¿qué tiempo va a hacer mañana en Sevilla?", 1.6, 1),
            ("¿me recomiendas un hotel en Roma?", 0.5, 0),
            ("¿cuánto mide la torre de Ernesto Sabato?", 0.5, 1),
            ("¿cuánto mide la torre Eiffel?", 0.5, 0),
        ] {
            let item = ItemResult {
                score: Some(score),
                ..ItemResult::named("La isla", "Ernesto Sabato")
            };
            let found = Retrieved {
                results: vec![item],
                ..Retrieved::nothing("search_catalog", Source::Vector)
            };
            let left_over = found.if_near(message, &shop).results.len();
            assert_eq!(left_over, left, "{message}");
        }
    }
}
