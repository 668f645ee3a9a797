//! Items by their number, their ISBN or their title.

use std::ops::Range;

use time::OffsetDateTime;

use super::{
    Retrieval, Retrieved, SCAN_LIMIT, SNAPSHOT_WARNING, TITLE_NAMED, from_snapshot, source_of,
};
use crate::{
    catalogue::{ItemResult, StockedItem},
    chain::Chain,
    language::List,
    text::{fold, place_of, place_of_name, words},
    understand::{is_id, word_places},
};

impl Retrieval {
    /// Items by number, in that order: live, or from the index where the table cannot be reached. Nothing where none is there.
    pub(super) async fn lookup(&self, ids: &[u64], now: OffsetDateTime) -> Option<Retrieved> {
        if ids.is_empty() {
            return None;
        }
        let index = self.index.current().await;
        let (results, degraded): (Vec<_>, _) = match self.catalogue.get(ids, false).await {
            Ok(items) => {
                let at = |id: &u64| items.iter().find(|stocked| stocked.item.libro_id == *id);
                let result = |stocked: &StockedItem| {
                    ItemResult::new(stocked.item.clone(), stocked.available(now), None)
                };
                (ids.iter().filter_map(at).map(result).collect(), false)
            }
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    "items could not be read live"
                );
                let of_index = |id: &u64| {
                    let hit = index.as_ref()?.item(*id)?;
                    Some(ItemResult {
                        score: None,
                        ..from_snapshot(hit)
                    })
                };
                (ids.iter().filter_map(of_index).collect(), true)
            }
        };
        let source = source_of(index.as_ref());
        (!results.is_empty()).then(|| Retrieved {
            results,
            degraded,
            warnings: if degraded {
                vec![SNAPSHOT_WARNING.into()]
            } else {
                Vec::new()
            },
            build_id: index.map(|index| index.info().build_id.clone()),
            ..Retrieved::nothing("lookup_book", source)
        })
    }

    pub(super) async fn find_isbn(&self, isbn: &str) -> Option<u64> {
        if let Some(id) = self
            .index
            .current()
            .await
            .and_then(|index| index.find_isbn(isbn))
        {
            return Some(id);
        }
        // Not in the index: perhaps newer than its build.
        self.catalogue
            .find_isbn(isbn)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = %Chain(&error),
                    "an ISBN could not be looked up"
                );
                None
            })
    }

    pub(super) async fn find_title(&self, title: &str) -> Option<u64> {
        match self.index.current().await {
            Some(index) => index
                .find_title(title)
                .filter(|(_, share)| *share >= TITLE_NAMED)
                .map(|(id, _)| id),
            None => {
                let wanted = fold(title);
                let items = self.catalogue.scan(SCAN_LIMIT).await.ok()?;
                items
                    .into_iter()
                    .find(|stocked| stocked.item.titles().any(|title| fold(title) == wanted))
                    .map(|stocked| stocked.item.libro_id)
            }
        }
    }

    /// The item that a text names: by nearly its title, by its number, or by its whole title beside other words, as in "dune for my
    /// brother".
    pub(super) async fn named_by(&self, text: &str) -> Option<u64> {
        // A number is a title first: "parecidos a 1984".
        let titled = self.find_title(text).await;
        let number = || text.parse().ok().filter(|id| is_id(*id));
        match titled.or_else(number) {
            None => self.titled(text, text, 1).await,
            named => named,
        }
    }

    /// Whether a text is a title and nothing else: "The Latest" asks for no order.
    pub(crate) async fn is_title(&self, text: &str) -> bool {
        let index = self.index.current().await;
        index.is_some_and(|index| index.is_title(text))
    }

    /// Whether a message has a whole title of several words in it: "then add The Last Unicorn"; `named` is the message without what asks
    /// for it.
    pub(crate) async fn names_title(&self, message: &str, named: &str) -> bool {
        self.is_title(message).await || self.titled(message, named, 2).await.is_some()
    }

    /// Whether some words of a message, several and one after the other, are of the title that is nearest to them, and of nothing that `item`
    /// is called: "y también Harry Potter, el primero" is for none of what was shown.
    pub(crate) async fn names_another(&self, named: &[String], item: u64) -> bool {
        const WORDS: usize = 2;
        let Some(index) = self.index.current().await else {
            return false;
        };
        let Some((nearest, _)) = index.find_title(&named.join(" ")) else {
            return false;
        };
        let names = |id: u64| -> Vec<Vec<String>> {
            let hit = index.item(id);
            let item = hit.iter().flat_map(|hit| {
                let titles = hit.item.titles();
                titles.chain([hit.item.autor.as_str()]).map(words)
            });
            item.collect()
        };
        let (its, own) = (names(nearest), names(item));
        let is_in = |run: &[String], names: &[Vec<String>]| {
            names.iter().any(|name| place_of(run, name).is_some())
        };
        let is_own = |word: &String| own.iter().any(|name| name.contains(word));
        let says_something = |run: &[String]| !run.iter().any(|word| List::is_small(word));
        nearest != item
            && !named.iter().any(is_own)
            && named
                .windows(WORDS)
                .any(|run| says_something(run) && is_in(run, &its))
    }

    /// The item whose whole title is in a message, where all that is named there is of it.
    pub(crate) async fn titled_alone(&self, message: &str, named: &[String]) -> Option<u64> {
        let id = self.titled(message, &named.join(" "), 1).await?;
        let hit = self.index.current().await?.item(id)?;
        let mut titles = hit.item.titles().map(words);
        let is_all = |title: Vec<String>| named.iter().all(|word| title.contains(word));
        titles.any(is_all).then_some(id)
    }

    /// The items of several whole titles that a message has one after the other, with nothing between them but what joins them, how many
    /// there are to be of each, and who made it: "I, Claudius and Memoirs of Hadrian". A title of one word is written as a name is, where anything is.
    pub(crate) async fn titles_joined(&self, message: &str) -> Vec<u64> {
        let Some(index) = self.index.current().await else {
            return Vec::new();
        };
        let said = words(message);
        let places: Vec<Range<usize>> = word_places(message).map(|(place, _)| place).collect();
        let is_capital = |at: &Range<usize>| message[at.clone()].starts_with(char::is_uppercase);
        let is_written_small = !places.iter().skip(1).any(is_capital);
        let is_telling = |place: &Range<usize>| {
            place.len() > 1 || is_written_small || is_capital(&places[place.start])
        };
        let mut titles = index.titles_in(message);
        titles.retain(|(place, _)| place.end <= places.len() && is_telling(place));
        let [function, joints, units, numerals] =
            [List::Function, List::Markers, List::Units, List::Numerals].map(List::in_all);
        let is_joined = |pair: &[(Range<usize>, u64)]| {
            let [(one, number), (other, _)] = pair else {
                return false;
            };
            let between = &message[places[one.end - 1].end..places[other.start].start];
            let maker = index.item(*number).map(|hit| words(&hit.item.autor));
            let maker = maker.unwrap_or_default();
            let is_beside = |word: &String| {
                function.has(word)
                    || joints.stands(word, "clause")
                    || units.stands(word, "copies")
                    || numerals.has(word)
                    || word.parse::<u32>().is_ok()
                    || maker.contains(word)
            };
            let is_one_sentence = !between.contains(['.', '!', '?', '¿', '¡', ';']);
            is_one_sentence && said[one.end..other.start].iter().all(is_beside)
        };
        if titles.len() < 2 || !titles.windows(2).all(is_joined) {
            return Vec::new();
        }
        titles.into_iter().map(|(_, number)| number).collect()
    }

    /// How near a question is in meaning to each of some texts; nothing where that is not known.
    pub(crate) async fn likeness(&self, question: &str, texts: &[String]) -> Vec<f32> {
        let Some(index) = self.index.current().await else {
            return Vec::new();
        };
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        index.likeness(question, &texts).await
    }

    /// Whether some words are nearly a whole title: "one hundred years of solitud".
    pub(crate) async fn is_nearly_title(&self, named: &[String]) -> bool {
        /// Fewer words are near too much.
        const WORDS: usize = 2;
        /// Share of the title's words that are there, a slip counting less.
        const SHARE: f32 = 0.7;
        named.len() >= WORDS && self.share_of_title(named).await >= SHARE
    }

    /// Whether a message goes on with a title from a number on: "the book 100 years of solitude".
    pub(crate) async fn is_title_from(&self, number: u64, message: &str) -> bool {
        /// Fewer words behind it may say what is to be done with that item.
        const WORDS: usize = 3;
        /// A number in digits, where the title has it in words, weighs as much as what is not in it.
        const SHARE: f32 = 0.5;
        let number = number.to_string();
        let said = words(message).into_iter();
        let from: Vec<String> = said.skip_while(|word| *word != number).collect();
        from.len() > WORDS && self.share_of_title(&from).await >= SHARE
    }

    /// How much of some words and of the title that is nearest to them is in the other.
    async fn share_of_title(&self, named: &[String]) -> f32 {
        let index = self.index.current().await;
        let found = index.and_then(|index| index.find_title(&named.join(" ")));
        found.map_or(0.0, |(_, share)| share)
    }

    /// The item whose whole title is in a message, where that has so many words.
    pub(crate) async fn titled(&self, message: &str, named: &str, least: usize) -> Option<u64> {
        let index = self.index.current().await?;
        let (id, _) = index.find_title(named)?;
        let said = words(message);
        let hit = index.item(id)?;
        let mut titles = hit.item.titles().map(words);
        let is_said = |title: Vec<String>| {
            let is_whole = title.len() >= least && place_of_name(&title, &said).is_some();
            is_whole
                || (title.len() > least && stands_behind_article(&title, &said))
                || stands_by_content(&title, &said)
        };
        titles.any(is_said).then_some(id)
    }
}

/// Whether a title stands in a message behind another form of its article: "dos del guardián invisible".
fn stands_behind_article(title: &[String], said: &[String]) -> bool {
    let markers = List::Markers.in_all();
    let is_article = |word: &String| markers.stands(word, "article");
    let Some((first, rest)) = title.split_first() else {
        return false;
    };
    let place = place_of_name(rest, said).filter(|_| !rest.is_empty());
    let before = place.and_then(|at| said.get(at.checked_sub(1)?));
    is_article(first) && before.is_some_and(is_article)
}

/// Whether the words of a title that say something stand in a message one after the other, and are several: "la crónica de la muerte
/// anunciada", "pride & prejudice".
fn stands_by_content(title: &[String], said: &[String]) -> bool {
    let function = List::Function.in_all();
    let [title, said] = [title, said].map(|words| {
        let content = words.iter().filter(|word| !function.has(word));
        content.cloned().collect::<Vec<_>>()
    });
    title.len() > 1 && place_of(&title, &said).is_some()
}
