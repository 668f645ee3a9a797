//! A line as it is judged: cleaned of what nobody sees, and cut into words.

use unicode_normalization::UnicodeNormalization;

use crate::text::fold;

/// `text` as a reader sees it: composed, every space a plain one, nothing invisible.
///
/// What turns the direction of writing, and controls, stay: no shop writes them, and a line with them is not said.
pub(super) fn clean(text: &str) -> String {
    if text.is_ascii() && !text.bytes().any(|b| b.is_ascii_control()) {
        return text.trim().to_owned();
    }
    let seen = text.chars().filter_map(|c| match c {
        '\u{ad}'
        | '\u{34f}'
        | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    });
    seen.nfc().collect::<String>().trim().to_owned()
}

/// Where the words of `text` stand: maximal runs of letters and digits.
pub(super) fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (start, c.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                spans.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        spans.push((from, text.len()));
    }
    spans
}

/// The words of `text` as they are compared.
pub(super) fn folded(text: &str) -> Vec<String> {
    let text = clean(text);
    spans(&text)
        .into_iter()
        .map(|(start, end)| fold(&text[start..end]))
        .collect()
}

/// A word where it stands.
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) folded: String,
    /// Between quotation marks.
    pub(super) quoted: bool,
    /// Part of a title that a result has.
    pub(super) titled: bool,
    /// Part of a title or name that stands as one: the lists of words do not judge it.
    pub(super) named: bool,
}

impl Word<'_> {
    pub(super) fn is_capitalised(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    pub(super) fn has_number(&self) -> bool {
        self.text.chars().any(char::is_numeric)
    }
}

/// A line without its mark.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Word<'a>>,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let words = spans(text)
            .into_iter()
            .map(|(start, end)| Word {
                text: &text[start..end],
                start,
                end,
                folded: fold(&text[start..end]),
                quoted: false,
                titled: false,
                named: false,
            })
            .collect();
        Self { text, words }
    }

    /// What stands between word `at` and the one before it.
    pub(super) fn gap(&self, at: usize) -> &'a str {
        let from = match at.checked_sub(1) {
            Some(before) => self.words.get(before).map_or(0, |word| word.end),
            None => 0,
        };
        let to = self
            .words
            .get(at)
            .map_or(self.text.len(), |word| word.start);
        &self.text[from..to]
    }

    /// The word at `at` as it is compared, or nothing.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.folded)
    }

    /// The word `back` places before `at`, or nothing.
    pub(super) fn word_before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.word(at))
    }

    /// Whether word `at` begins a sentence.
    pub(super) fn begins(&self, at: usize) -> bool {
        if at == 0 {
            return true;
        }
        let initial = self
            .words
            .get(at - 1)
            .is_some_and(|word| word.is_capitalised() && word.text.chars().nth(1).is_none());
        let gap = self.gap(at);
        gap.contains(['!', '?', ':', '…', '¿', '¡', '«', '“', '‘', '„', '‹'])
            || gap.ends_with(['"', '\'']) && gap.len() > 1
            || (gap.contains('.') && !initial)
    }

    /// The words judged by lists, as `" one two "`: names of results are `§`, and figures `#`.
    pub(super) fn spoken(&self) -> String {
        self.spoken_of(0..self.words.len())
    }

    fn spoken_of(&self, range: std::ops::Range<usize>) -> String {
        let mut spoken = String::from(" ");
        for word in &self.words[range] {
            spoken.push_str(match word {
                word if word.named => "§",
                word if word.has_number() => "#",
                word => &word.folded,
            });
            spoken.push(' ');
        }
        spoken
    }

    /// The sentences, in the same form, with whether they ask.
    pub(super) fn sentences(&self) -> Vec<(String, bool)> {
        let mut sentences = Vec::new();
        let mut first = 0;
        let mut asks = self.gap(0).contains('¿');
        for at in 1..=self.words.len() {
            let gap = self.gap(at);
            let last = at == self.words.len();
            let ends =
                gap.contains(['!', '?', ';', '…', '¿', '¡']) || gap.contains(". ") || gap == ".";
            if last || ends {
                asks |= gap
                    .split('¿')
                    .next()
                    .is_some_and(|ending| ending.contains('?'));
                sentences.push((self.spoken_of(first..at), asks));
                first = at;
                asks = gap.contains('¿');
            }
        }
        sentences
    }
}
