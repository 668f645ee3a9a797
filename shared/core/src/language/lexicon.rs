//! Words by which people are understood and prose is judged: small files, one a purpose and language.
//!
//! A file begins with a line that names its purpose. Every other line is `key: phrase, phrase`, folded (no capitals, no accents)
//! and sorted. A word that ends in `*` stands for every word that begins like it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Language, languages::LANGUAGES};

/// What there is a list for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Small words that hold sentences together.
    Function,
    /// Numbers in words, by their value.
    Numerals,
    /// What is said of price, age and stock.
    Claims,
    /// How a clause is to be read.
    Markers,
    /// What only the shop's own texts may speak of.
    Topics,
    /// What numbers count.
    Units,
    /// What greets and thanks.
    Courtesies,
    /// Words that find nothing by themselves.
    Light,
    /// Spellings that sound alike.
    Sounds,
    /// Names of filters.
    Filters,
    /// What asks for items that are in stock or sold out.
    Availability,
    /// What asks for the cheapest, the dearest, the newest or what sells most first.
    Orderings,
    /// What goes back to what was shown.
    References,
    /// What answers a question with a yes or a no.
    Agreement,
    /// What asks for others like one.
    Similar,
    /// What stands around an item's number.
    Numbered,
    /// What makes an amount behind it a limit.
    BeforeAmount,
    /// What makes an amount before it one.
    BehindAmount,
    /// What else stands around amounts.
    Amounts,
    /// What makes a line of a conversation worth keeping in its summary, or not.
    Telling,
    /// Days, months and holidays.
    Calendar,
    /// Times of day, and what leaves one open.
    Times,
    /// Which fact of an item is asked for.
    Facts,
    /// What leaves something out.
    Exclusions,
    /// What has something remembered of a customer, or forgotten.
    Remembering,
    /// What asks the shop for its own choice.
    Recommending,
    /// Words that are evidence of a language.
    Recognised,
    /// Whom something is for.
    Audience,
    /// What people type for longer words.
    Shorthand,
}

/// The lists by the names of their files, in the order of [`List`].
pub(super) const LISTS: [&str; 29] = [
    "function",
    "numerals",
    "claims",
    "markers",
    "topics",
    "units",
    "courtesies",
    "light",
    "sounds",
    "filters",
    "availability",
    "orderings",
    "references",
    "agreement",
    "similar",
    "numbered",
    "before_amount",
    "behind_amount",
    "amounts",
    "telling",
    "calendar",
    "times",
    "facts",
    "exclusions",
    "remembering",
    "recommending",
    "recognised",
    "audience",
    "shorthand",
];

/// The lists of a language's folder.
macro_rules! lists {
    ($tag:literal) => {
        [
            include_str!(concat!($tag, "/lexicon/function.txt")),
            include_str!(concat!($tag, "/lexicon/numerals.txt")),
            include_str!(concat!($tag, "/lexicon/claims.txt")),
            include_str!(concat!($tag, "/lexicon/markers.txt")),
            include_str!(concat!($tag, "/lexicon/topics.txt")),
            include_str!(concat!($tag, "/lexicon/units.txt")),
            include_str!(concat!($tag, "/lexicon/courtesies.txt")),
            include_str!(concat!($tag, "/lexicon/light.txt")),
            include_str!(concat!($tag, "/lexicon/sounds.txt")),
            include_str!(concat!($tag, "/lexicon/filters.txt")),
            include_str!(concat!($tag, "/lexicon/availability.txt")),
            include_str!(concat!($tag, "/lexicon/orderings.txt")),
            include_str!(concat!($tag, "/lexicon/references.txt")),
            include_str!(concat!($tag, "/lexicon/agreement.txt")),
            include_str!(concat!($tag, "/lexicon/similar.txt")),
            include_str!(concat!($tag, "/lexicon/numbered.txt")),
            include_str!(concat!($tag, "/lexicon/before_amount.txt")),
            include_str!(concat!($tag, "/lexicon/behind_amount.txt")),
            include_str!(concat!($tag, "/lexicon/amounts.txt")),
            include_str!(concat!($tag, "/lexicon/telling.txt")),
            include_str!(concat!($tag, "/lexicon/calendar.txt")),
            include_str!(concat!($tag, "/lexicon/times.txt")),
            include_str!(concat!($tag, "/lexicon/facts.txt")),
            include_str!(concat!($tag, "/lexicon/exclusions.txt")),
            include_str!(concat!($tag, "/lexicon/remembering.txt")),
            include_str!(concat!($tag, "/lexicon/recommending.txt")),
            include_str!(concat!($tag, "/lexicon/recognised.txt")),
            include_str!(concat!($tag, "/lexicon/audience.txt")),
            include_str!(concat!($tag, "/lexicon/shorthand.txt")),
        ]
    };
}

pub(super) use lists;

/// Read once in a process, when the first is needed.
static LEXICON: LazyLock<Vec<[Phrases; LISTS.len()]>> = LazyLock::new(|| {
    LANGUAGES
        .iter()
        .map(|files| files.lists.map(|list| Phrases::read([list])))
        .collect()
});

/// The lists of all languages together.
static OF_ALL: LazyLock<Vec<Phrases>> = LazyLock::new(|| {
    let lists = 0..LISTS.len();
    lists
        .map(|list| Phrases::read(LANGUAGES.iter().map(|files| files.lists[list])))
        .collect()
});

impl Language {
    /// The phrases of a list in this language.
    #[must_use]
    pub fn phrases(self, list: List) -> &'static Phrases {
        &LEXICON[self.index()][list as usize]
    }
}

impl List {
    /// The phrases of this list in every language at once: what a message is understood by, whichever language it is in.
    #[must_use]
    pub fn in_all(self) -> &'static Phrases {
        &OF_ALL[self as usize]
    }

    /// What says nothing of what is meant: words of grammar and of asking, of agreement, and courtesies.
    pub(crate) const SMALL: [Self; 4] = [
        Self::Light,
        Self::Function,
        Self::Agreement,
        Self::Courtesies,
    ];

    /// Whether a folded word by itself says nothing of what is meant.
    pub(crate) fn is_small(word: &str) -> bool {
        Self::SMALL.into_iter().any(|list| list.in_all().has(word))
    }

    /// Folded words with what people type for longer ones as those: "q" as "que".
    pub(crate) fn spelled_out(words: Vec<String>) -> Vec<String> {
        let shorthand = Self::Shorthand.in_all();
        let whole = words.into_iter().flat_map(|word| {
            let found = shorthand.at(&[&word]).map(|found| found.key.split('-'));
            match found {
                Some(parts) => parts.map(str::to_owned).collect(),
                None => vec![word],
            }
        });
        whole.collect()
    }

    /// The folded words that are beside the phrases of some lists, of two that begin alike the longer.
    pub(crate) fn beside(lists: &[Self], words: &[String]) -> Vec<String> {
        let (mut beside, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let found = lists
                .iter()
                .filter_map(|list| list.in_all().at(&words[at..]));
            let longest = found.map(|found| found.words).max();
            if longest.is_none() {
                beside.push(words[at].clone());
            }
            at += longest.unwrap_or(1).max(1);
        }
        beside
    }
}

/// So many bytes begin whatever is only begun.
const ROOT: usize = 2;

fn root(word: &str) -> Option<[u8; ROOT]> {
    word.as_bytes().first_chunk().copied()
}

/// A phrase that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// What it stands for.
    pub key: &'static str,
    /// How many words it has.
    pub words: usize,
}

/// The phrases of one list.
#[derive(Debug)]
pub struct Phrases {
    /// By first word, the longest phrase first.
    whole: FxHashMap<&'static str, Vec<Phrase>>,
    /// Those whose first word is only begun, by what all of them begin with.
    begun: FxHashMap<[u8; ROOT], Vec<Phrase>>,
    keys: Vec<&'static str>,
    longest: usize,
}

#[derive(Debug)]
struct Phrase {
    key: &'static str,
    words: Vec<&'static str>,
}

impl Phrase {
    fn stands<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> bool {
        self.words.iter().all(|ours| {
            words
                .next()
                .is_some_and(|word| match ours.strip_suffix('*') {
                    Some(beginning) => word.starts_with(beginning),
                    None => word == *ours,
                })
        })
    }
}

impl Phrases {
    fn read(files: impl IntoIterator<Item = &'static str>) -> Self {
        let mut phrases = Self {
            whole: FxHashMap::default(),
            begun: FxHashMap::default(),
            keys: Vec::new(),
            longest: 0,
        };
        let lines = files.into_iter().flat_map(str::lines);
        for line in lines.filter(|line| !line.starts_with('#')) {
            let Some((key, listed)) = line.split_once(':') else {
                continue;
            };
            if !phrases.keys.contains(&key) {
                phrases.keys.push(key);
            }
            for phrase in listed.split(',') {
                let words: Vec<&str> = phrase.split_whitespace().collect();
                let Some(first) = words.first().copied() else {
                    continue;
                };
                phrases.longest = phrases.longest.max(words.len());
                let of_first = match root(first).filter(|_| first.ends_with('*')) {
                    Some(root) => phrases.begun.entry(root).or_default(),
                    None => phrases.whole.entry(first).or_default(),
                };
                of_first.push(Phrase { key, words });
            }
        }
        for of_first in phrases.whole.values_mut().chain(phrases.begun.values_mut()) {
            of_first.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
        phrases
    }

    /// Every key, in the order of the file.
    #[must_use]
    pub fn keys(&self) -> &[&'static str] {
        &self.keys
    }

    /// How many words the longest phrase has.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The longest phrase that begins folded `words`.
    #[must_use]
    pub fn at<W: AsRef<str>>(&self, words: &[W]) -> Option<Found> {
        let mut standing = self.all_at(words);
        let longest = standing.next()?;
        let longest = standing.fold(longest, |longest, other| {
            if other.words.len() > longest.words.len() {
                other
            } else {
                longest
            }
        });
        Some(Found {
            key: longest.key,
            words: longest.words.len(),
        })
    }

    /// Every phrase that begins folded `words`.
    fn all_at<'a, W: AsRef<str>>(&'a self, words: &'a [W]) -> impl Iterator<Item = &'a Phrase> {
        let first = words.first().map(AsRef::as_ref).unwrap_or_default();
        let whole = self.whole.get(first).into_iter().flatten();
        let begun = root(first).and_then(|root| self.begun.get(&root));
        whole
            .chain(begun.into_iter().flatten())
            .filter(|phrase| phrase.stands(words.iter().map(AsRef::as_ref)))
    }

    /// Every phrase anywhere in folded `words`, and where it begins.
    pub fn all<'a, W: AsRef<str>>(
        &'a self,
        words: &'a [W],
    ) -> impl Iterator<Item = (usize, Found)> {
        (0..words.len()).flat_map(move |at| {
            self.all_at(&words[at..]).map(move |phrase| {
                let found = Found {
                    key: phrase.key,
                    words: phrase.words.len(),
                };
                (at, found)
            })
        })
    }

    /// Whether a folded word by itself is a phrase of `key`.
    #[must_use]
    pub fn stands(&self, word: &str, key: &str) -> bool {
        self.all_at(&[word]).any(|phrase| phrase.key == key)
    }

    /// Whether a phrase of `key` is anywhere in folded `words`.
    pub fn says<W: AsRef<str>>(&self, words: &[W], key: &str) -> bool {
        self.all(words).any(|(_, found)| found.key == key)
    }

    /// Whether a folded word is a phrase by itself.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.at(&[word]).is_some()
    }

    /// The first phrase anywhere in folded `words`, and where it begins.
    #[must_use]
    pub fn find<W: AsRef<str>>(&self, words: &[W]) -> Option<(usize, Found)> {
        (0..words.len()).find_map(|at| Some((at, self.at(&words[at..])?)))
    }

    /// Phrases of one word, but for those that are only begun.
    pub(super) fn single_words(&self) -> impl Iterator<Item = &'static str> {
        let phrases = self.whole.values().flatten();
        phrases.filter_map(|phrase| match phrase.words[..] {
            [word] => Some(word),
            _ => None,
        })
    }

    /// Every phrase with its key, sorted.
    #[must_use]
    pub fn listed(&self) -> Vec<(&'static str, &[&'static str])> {
        let begun = self.begun.values().flatten();
        let all = self.whole.values().flatten().chain(begun);
        let mut listed: Vec<_> = all
            .map(|phrase| (phrase.key, phrase.words.as_slice()))
            .collect();
        listed.sort_unstable();
        listed
    }
}
