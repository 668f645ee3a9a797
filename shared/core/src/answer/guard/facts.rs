//! What the results state, folded once.

use std::collections::{HashMap, HashSet};

use super::{
    line::{Line, Word, clean, folded},
    words,
};
use crate::catalogue::BookResult;

/// A book as far as it can be spoken of.
pub(super) struct Known {
    libro_id: u64,
    pub(super) isbn: String,
    pub(super) precio_minor: i64,
    pub(super) stock: u64,
    pub(super) publicado: Option<u64>,
    titulo: Vec<String>,
    /// The title as far as its subtitle.
    short: Vec<String>,
    names: Vec<Vec<String>>,
    /// Words without a capital are no names: `~` stands before them.
    descripcion: Vec<String>,
}

impl Known {
    fn new(book: &BookResult) -> Self {
        let titulo = folded(&book.titulo);
        let short = book.titulo.split([':', '(', '[']).next();
        Self {
            libro_id: book.libro_id,
            isbn: book.isbn.clone(),
            precio_minor: book.precio.minor(),
            stock: book.stock.into(),
            publicado: book.publicado.and_then(|year| u64::try_from(year).ok()),
            short: folded(short.unwrap_or_default()),
            titulo,
            names: [&book.autor, &book.categoria, &book.editorial]
                .into_iter()
                .map(|name| folded(name))
                .filter(|name| !name.is_empty())
                .collect(),
            descripcion: told(&book.descripcion),
        }
    }

    pub(super) fn has_id(&self, number: u64) -> bool {
        self.libro_id == number
    }
}

/// Words that stand for books, and which.
struct Title {
    words: Vec<String>,
    books: Vec<usize>,
}

/// A title named in a line.
pub(super) struct Mention<'a> {
    first: usize,
    end: usize,
    books: &'a [usize],
    /// Quoted or capitalised: certainly the title, and not words that happen to be the same.
    certain: bool,
}

/// The books that the last title named stands for, by their numbers; none where none has been named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Subject(Vec<u64>);

/// Everything the results state.
#[derive(Default)]
pub(super) struct Facts {
    books: Vec<Known>,
    /// What the customer's own documents are called.
    documents: Vec<Vec<String>>,
    titles: Vec<Title>,
    /// The titles that begin with a word, the longest first.
    by_first_word: HashMap<String, Vec<usize>>,
    /// All texts of each book as `" one two | three "`.
    texts: Vec<String>,
    words: HashSet<String>,
}

impl Facts {
    pub(super) fn new(results: &[BookResult]) -> Self {
        let mut facts = Self::default();
        facts.know(results);
        facts
    }

    /// Adds books; one that is known already is replaced.
    pub(super) fn know(&mut self, results: &[BookResult]) {
        for book in results {
            self.books.retain(|known| !known.has_id(book.libro_id));
            self.books.push(Known::new(book));
        }
        self.titles.clear();
        self.by_first_word.clear();
        self.texts.clear();
        self.words.clear();
        let mut places: HashMap<&[String], usize> = HashMap::new();
        for at in 0..self.books.len() {
            let book = &self.books[at];
            let whole = |words: &[String]| self.books.iter().any(|other| other.titulo == words);
            let short = (!whole(&book.short)).then_some(&book.short);
            for words in std::iter::once(&book.titulo).chain(short) {
                let Some(first) = words.first() else { continue };
                let place = *places.entry(words).or_insert_with(|| {
                    let place = self.titles.len();
                    let begun = self.by_first_word.entry(first.clone()).or_default();
                    begun.push(place);
                    self.titles.push(Title {
                        words: words.clone(),
                        books: Vec::new(),
                    });
                    place
                });
                self.titles[place].books.push(at);
            }
            let mut spoken = String::from("| ");
            let texts = [&book.titulo, &book.descripcion];
            for text in texts.into_iter().chain(&book.names) {
                for word in text {
                    spoken.push_str(word);
                    spoken.push(' ');
                    self.words.insert(word.clone());
                }
                spoken.push_str("| ");
            }
            self.texts.push(spoken);
        }
        for places in self.by_first_word.values_mut() {
            places.sort_by_key(|&place| std::cmp::Reverse(self.titles[place].words.len()));
        }
    }

    /// Adds names of documents.
    pub(super) fn know_documents<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        self.documents.extend(names.map(folded));
    }

    /// How many books there are.
    pub(super) fn len(&self) -> u64 {
        self.books.len() as u64
    }

    /// Whether a folded word stands in any text of a result.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains(word) || self.words.contains(&format!("~{word}"))
    }

    /// Whether `" one two "` stands in a text of a result.
    pub(super) fn has_run(&self, run: &str) -> bool {
        match run.trim() {
            word if !word.contains(' ') => self.words.contains(word),
            _ => self.texts.iter().any(|texts| texts.contains(run)),
        }
    }

    /// Whether `" one two "` stands in a text of a book that is named.
    pub(super) fn has_run_of(&self, mention: &Mention<'_>, run: &str) -> bool {
        mention
            .books
            .iter()
            .any(|&book| self.texts[book].contains(run))
    }

    /// Whether a result has exactly this author, category or publisher, or a document this name.
    pub(super) fn has_name(&self, words: &[&str]) -> bool {
        self.books
            .iter()
            .flat_map(|book| &book.names)
            .chain(&self.documents)
            .any(|name| name == words)
    }

    /// The books with exactly this title.
    pub(super) fn titled(&self, words: &[&str]) -> Option<&[usize]> {
        let places = self.by_first_word.get(*words.first()?)?;
        let title = places
            .iter()
            .map(|&place| &self.titles[place])
            .find(|title| title.words == words)?;
        Some(&title.books)
    }

    /// The books whose title is cut short to these words.
    pub(super) fn titles_cut_to(&self, words: &[&str]) -> Option<&[usize]> {
        let places = self.by_first_word.get(*words.first()?)?;
        let title = places
            .iter()
            .map(|&place| &self.titles[place])
            .find(|title| {
                title.words.len() >= words.len()
                    && title
                        .words
                        .iter()
                        .zip(words)
                        .all(|(ours, word)| ours == word)
            })?;
        Some(&title.books)
    }

    /// Whether an author, category or publisher is cut short to these words.
    pub(super) fn name_cut_to(&self, words: &[&str]) -> bool {
        self.books.iter().flat_map(|book| &book.names).any(|name| {
            name.len() >= words.len() && name.iter().zip(words).all(|(ours, word)| ours == word)
        })
    }

    /// Finds the names and titles that stand in a line without quotation marks, and marks their words.
    pub(super) fn find_names<'a>(&'a self, line: &mut Line<'_>, mentions: &mut Vec<Mention<'a>>) {
        let mut at = 0;
        while at < line.words.len() {
            if line.words[at].quoted {
                at += 1;
                continue;
            }
            let places = self.by_first_word.get(line.word(at));
            let found = places.into_iter().flatten().find_map(|&place| {
                let title = &self.titles[place];
                stands(line, at, &title.words).then_some(title)
            });
            let Some(title) = found.filter(|title| !is_figure(line, at, title)) else {
                at += 1;
                continue;
            };
            let end = at + title.words.len();
            let certain = !line.words[at]
                .text
                .chars()
                .next()
                .is_some_and(char::is_lowercase);
            for word in &mut line.words[at..end] {
                word.titled = true;
                // One capitalised word may be a title by chance: "Gratis".
                word.named |= certain && title.words.len() > 1;
            }
            mentions.push(Mention {
                first: at,
                end,
                books: &title.books,
                certain,
            });
            at = end;
        }
        self.find_authors(line);
        mentions.sort_by_key(|mention| mention.first);
    }

    fn find_authors(&self, line: &mut Line<'_>) {
        for name in self.books.iter().flat_map(|book| &book.names) {
            if name.len() < 2 {
                continue;
            }
            for at in 0..line.words.len() {
                if line.words[at].is_capitalised() && stands(line, at, name) {
                    for word in &mut line.words[at..at + name.len()] {
                        word.named = true;
                    }
                }
            }
        }
    }

    /// Where the books of a subject are.
    pub(super) fn places_of(&self, subject: &Subject) -> Vec<usize> {
        let books = self.books.iter().enumerate();
        books
            .filter(|(_, book)| subject.0.contains(&book.libro_id))
            .map(|(place, _)| place)
            .collect()
    }

    /// Whether `states` holds of a book that a title stands for.
    pub(super) fn is_any(&self, title: &Mention<'_>, states: impl Fn(&Known) -> bool) -> bool {
        title.books.iter().any(|&book| states(&self.books[book]))
    }

    /// Whether `states` holds of every book.
    pub(super) fn are_all(&self, states: impl Fn(&Known) -> bool) -> bool {
        self.books.iter().all(states)
    }

    /// Whether `states` holds of every book but those that a title stands for.
    pub(super) fn are_others(&self, title: &Mention<'_>, states: impl Fn(&Known) -> bool) -> bool {
        let books = self.books.iter().enumerate();
        let mut others = books.filter(|(place, _)| !title.books.contains(place));
        others.all(|(_, book)| states(book))
    }

    /// What the titles named in a line leave to be spoken of.
    pub(super) fn last_subject(&self, mentions: &[Mention<'_>]) -> Option<Subject> {
        let last = mentions.iter().rfind(|mention| mention.certain)?;
        let books = last.books.iter();
        Some(Subject(
            books.map(|&book| self.books[book].libro_id).collect(),
        ))
    }

    /// Whether `states` holds of the book that word `at` speaks of: that of the nearest title before it, of the first one after it where
    /// none is, or the only book where none has been named.
    pub(super) fn state(
        &self,
        mentions: &[Mention<'_>],
        at: usize,
        states: impl Fn(&Known) -> bool,
    ) -> bool {
        let is_only = self.books.len() == 1;
        self.hold(mentions, at, |book| {
            book.map_or_else(|| is_only && states(&self.books[0]), &states)
        })
    }

    /// The same of what tells a book from others, which may be any of them where none has been named.
    pub(super) fn state_of_any(
        &self,
        mentions: &[Mention<'_>],
        at: usize,
        states: impl Fn(&Known) -> bool,
    ) -> bool {
        self.hold(mentions, at, |book| {
            book.map_or_else(|| self.books.iter().any(&states), &states)
        })
    }

    fn hold(
        &self,
        mentions: &[Mention<'_>],
        at: usize,
        states: impl Fn(Option<&Known>) -> bool,
    ) -> bool {
        let holds = |only_certain: bool| {
            let mut named = mentions
                .iter()
                .filter(|mention| mention.certain || !only_certain);
            let before = named.clone().take_while(|mention| mention.end <= at).last();
            match before.or_else(|| named.find(|mention| mention.first > at)) {
                Some(mention) => {
                    let mut books = mention.books.iter();
                    books.any(|&book| states(Some(&self.books[book])))
                }
                None => (only_certain && !mentions.is_empty()) || states(None),
            }
        };
        // Words that are a title by chance must not lend their price to another, nor hide one.
        holds(true) && holds(false)
    }
}

impl<'a> Mention<'a> {
    /// Of books that the lines before speak of.
    pub(super) fn before_line(books: &'a [usize]) -> Self {
        Self::quoted(0, 0, books)
    }

    pub(super) fn quoted(first: usize, end: usize, books: &'a [usize]) -> Self {
        Self {
            first,
            end,
            books,
            certain: true,
        }
    }

    /// Its words.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }

    /// The word after it.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Whether it is certainly named from one of these words on.
    pub(super) fn begins_within(&self, words: &std::ops::Range<usize>) -> bool {
        self.certain && self.first < self.end && words.contains(&self.first)
    }

    /// Whether it is certainly named between these words.
    pub(super) fn is_within(&self, words: &std::ops::Range<usize>) -> bool {
        self.certain && self.first >= words.start && self.end <= words.end && self.first < self.end
    }

    /// Whether the title is named before word `at`.
    pub(super) fn is_before(&self, at: usize) -> bool {
        self.end <= at
    }
}

fn told(descripcion: &str) -> Vec<String> {
    let text = clean(descripcion);
    let line = Line::new(&text);
    let mark = |word: &Word<'_>| if word.is_capitalised() { "" } else { "~" };
    line.words
        .iter()
        .map(|word| format!("{}{}", mark(word), word.folded))
        .collect()
}

fn stands(line: &Line<'_>, at: usize, words: &[String]) -> bool {
    line.words.len() >= at + words.len()
        && line.words[at..]
            .iter()
            .zip(words)
            .all(|(word, ours)| !word.quoted && word.folded == *ours)
}

/// Whether a title of nothing but digits stands there as a number.
fn is_figure(line: &Line<'_>, at: usize, title: &Title) -> bool {
    let digits = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    let end = at + title.words.len();
    title.words.iter().all(digits)
        && (words::MEASURED.contains(line.word(end))
            || words::BEFORE_FIGURES.contains(line.word_before(at, 1))
            || line.gap(end).trim_start().starts_with(['€', '$', '%', '£'])
            || line
                .gap(at)
                .trim_end()
                .ends_with(['€', '$', '£', '#', '.', ',', '(', '-'])
                && at > 0
                && !line.gap(at).ends_with(". ")
            || (!line.gap(end).is_empty()
                && line.word(end).starts_with(|c: char| c.is_numeric())
                && !line.gap(end).contains(' ')))
}
