//! What is told of something that no result is: "La casa de los espíritus: 21,90 €."

use std::{ops::Range, sync::LazyLock};

use super::{
    facts::{Facts, Mention},
    line::Line,
    words::{self, Words, words},
};

/// Longest that a title begins a sentence without quotation marks, in words.
const TITLE_WORDS: usize = 8;

/// Verbs by which something is told of a book.
static STATES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     cuesta cuestan vale valen sale salen puedes puede podras encuentras encontraras llevas recuerda ten confirmo edito \
     aparecio salio can get find came appeared ve es son esta estan tiene tienen hay queda quedan tengo tenemos tienes \
     publico publicado publicada editado editada escrito escrita costs cost is are s has have was were published \
     written left remain remains",
    )
});

/// Words that name no book.
static PLAIN: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     te with currently presently paperback hardcover tapa blanda dura bolsillo tienda vez originalmente please note \
     a al an and ano apenas as at available but by catalogo con copy current de del desde disponibilidad documento \
     documentos documents e en encontre entre existencias for found from hasta haz i in it its las lo los mas me mi \
     mismo momento muy my near nearest numero o of on or para pero por precio precios price prices pues que referencia \
     sin sobre solo su sus the to todavia total tu tus un una unos unas we y year you your aun cercano cerca claro \
     datos edicion editorial formato fue han ha nuestro nuestra os nos ofrecemos pagina page publicacion publication \
     release actual actualmente stock unidades º cada ademas tambien aunque though just about there their otro \
     otra otros otras other primero primera segundo segunda tercero tercera ultimo ultima first second third last",
    )
});

/// What may be written by somebody, and is no title.
static WORKS: LazyLock<Words> =
    LazyLock::new(|| words("un una unos unas otra otro otras otros a an another some"));

/// Whether a line tells of what is no result, where no title stands: a figure of it, or what it is about. `is_known` says that the
/// lines before have named what this one may speak of.
pub(super) fn are_told_of(
    line: &Line<'_>,
    facts: &Facts,
    named: &[Mention<'_>],
    is_known: bool,
) -> bool {
    let others = Others {
        line,
        facts,
        named,
        is_known,
    };
    (0..line.words.len()).any(|at| {
        (others.is_figure(at) && others.is_told_of_another(at))
            || (line.begins(at) && others.begins_another(at))
    })
}

struct Others<'a> {
    line: &'a Line<'a>,
    facts: &'a Facts,
    named: &'a [Mention<'a>],
    is_known: bool,
}

impl Others<'_> {
    /// A figure that is a book's, and no count of what was found.
    fn is_figure(&self, at: usize) -> bool {
        let word = &self.line.words[at];
        let counts = (1..=2).any(|on| words::BOOKS.contains(self.line.word(at + on)))
            || words::ARTICLES.contains(self.line.word_before(at, 1));
        word.has_number() && !word.titled && !word.named && !counts
    }

    /// Goes back from a figure, clause by clause, to what it is told of.
    fn is_told_of_another(&self, at: usize) -> bool {
        let sentence = self.sentence(at);
        let titled = self.names_title(&sentence);
        // Once it is known what is spoken of, it may be said in any words.
        let is_known = self.is_known || titled || self.names_title(&(0..sentence.start));
        let mut end = at;
        let begins = (sentence.start + 1..=at).rev();
        let begins = begins.filter(|&from| self.begins_clause(from));
        for first in begins.chain([sentence.start]) {
            let clause = first..end;
            end = first;
            let verb = clause
                .clone()
                .find(|&at| STATES.contains(self.line.word(at)));
            if self.names_title(&clause) {
                return false;
            }
            let judged = match verb {
                Some(verb) if is_known => first..verb,
                // What is put in behind the title says more of it.
                None if self.names_title(&(sentence.start..first)) => continue,
                // "Una novela breve, por 12,50 €: «Pedro Páramo»."
                None if titled && self.is_work(first) => continue,
                _ => clause,
            };
            if !self.is_plain(judged) {
                return true;
            }
            if verb.is_some() {
                return false;
            }
        }
        false
    }

    /// "La casa de los espíritus narra", "La casa de los espíritus, de Isabel Allende": words that stand where a title stands.
    fn begins_another(&self, at: usize) -> bool {
        let line = self.line;
        let first = &line.words[at];
        if !first.is_capitalised() || first.titled || first.named || first.quoted {
            return false;
        }
        let end = line.words.len().min(at + TITLE_WORDS + 1);
        let title_end = (at + 1..end).find(|&to| {
            let told = line.gap(to) == " " && words::AFTER_TITLES.contains(line.word(to));
            let written = line.gap(to).trim() == ","
                && matches!(line.word(to), "de" | "by")
                && line.words.get(to + 1).is_some_and(|word| word.named);
            told || written || line.gap(to) != " "
        });
        let Some(to) = title_end else { return false };
        let written = line.gap(to).trim() == ",";
        // "Puedo contarte de qué trata."
        let told = words::TITLE_ARTICLES.contains(line.word(at))
            && words::AFTER_TITLES.contains(line.word(to))
            && line.gap(to) == " ";
        let by = matches!(line.word(to), "de" | "by")
            && line.words.get(to + 1).is_some_and(|word| word.named);
        if !(told || (written && by)) || self.names_title(&(at..to)) {
            return false;
        }
        let is_work = WORKS.contains(line.word(at))
            || words::BEFORE_NAMES.contains(line.word(at))
            || words::SUBJECTS.contains(line.word(at + 1));
        !is_work && !(at..to).all(|at| self.is_plain(at..at + 1) || self.is_of_results(at))
    }

    /// "una novela", "otro libro"
    fn is_work(&self, at: usize) -> bool {
        WORKS.contains(self.line.word(at)) && words::BOOKS.contains(self.line.word(at + 1))
    }

    fn is_of_results(&self, at: usize) -> bool {
        self.facts.has_word(self.line.word(at))
    }

    fn names_title(&self, range: &Range<usize>) -> bool {
        self.named.iter().any(|mention| mention.is_within(range))
    }

    fn sentence(&self, at: usize) -> Range<usize> {
        let line = self.line;
        let begins = |&to: &usize| {
            let gap = line.gap(to);
            gap.contains(['!', '?', ';', '…', '¿', '¡']) || gap.contains(". ")
        };
        let start = (1..=at).rev().find(begins).unwrap_or(0);
        let end = (at + 1..line.words.len()).find(begins);
        start..end.unwrap_or(line.words.len())
    }

    fn begins_clause(&self, at: usize) -> bool {
        // «Rojo y negro» is one.
        let is_in_title = |at: usize| {
            let word = &self.line.words[at];
            word.titled || word.quoted
        };
        if is_in_title(at - 1) && is_in_title(at) {
            return false;
        }
        let gap = self.line.gap(at);
        gap.contains([',', ':', '(', ')', '—', '–', '·', '|', '='])
            || gap == " - "
            || matches!(
                self.line.word(at),
                "y" | "e" | "o" | "pero" | "aunque" | "and" | "or" | "but" | "though"
            )
    }

    /// Whether every word is one that names no book.
    fn is_plain(&self, mut range: Range<usize>) -> bool {
        range.all(|at| {
            let word = &self.line.words[at];
            let folded = word.folded.as_str();
            let lists = [
                &PLAIN,
                &STATES,
                &words::SUBJECTS,
                &words::COSTS,
                &words::COPIES,
                &words::IN_STOCK,
                &words::STOCKED,
                &words::LEFT,
                &words::BOOKS,
                &words::NUMBERS,
                &words::EUROS,
                &words::CENTS,
                &words::SAID,
            ];
            word.has_number() || word.named || lists.iter().any(|list| list.contains(folded))
        })
    }
}
