//! The words of one language by which prose is judged.

use crate::language::{Language, List, Phrases};

use super::token::{Kind, Token};

/// Lists of a language, as rules ask for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexicon {
    pub(super) language: Language,
    pub(super) claims: &'static Phrases,
    pub(super) markers: &'static Phrases,
    pub(super) topics: &'static Phrases,
    pub(super) units: &'static Phrases,
    function: &'static Phrases,
    numerals: &'static Phrases,
}

impl Lexicon {
    pub(super) fn of(language: Language) -> Self {
        Self {
            language,
            claims: language.phrases(List::Claims),
            markers: language.phrases(List::Markers),
            topics: language.phrases(List::Topics),
            units: language.phrases(List::Units),
            function: language.phrases(List::Function),
            numerals: language.phrases(List::Numerals),
        }
    }

    pub(super) fn is_function(&self, folded: &str) -> bool {
        self.function.has(folded)
    }

    /// Whether a folded word writes a number that is no article.
    pub(super) fn is_numeral(&self, folded: &str) -> bool {
        let found = self.numerals.at(&[folded]);
        found.is_some_and(|found| found.key != "1")
    }

    pub(super) fn is_article(&self, folded: &str) -> bool {
        self.markers.stands(folded, "article")
    }

    pub(super) fn begins_clause(&self, folded: &str) -> bool {
        self.markers.stands(folded, "clause")
    }

    /// Whether one of the words is, or begins, a phrase of the marker `key`.
    pub(super) fn marks<W: AsRef<str>>(&self, words: &[W], key: &str) -> bool {
        self.markers.all(words).any(|(_, found)| found.key == key)
    }

    /// Makes one number of the words that write it: "treinta y cinco".
    pub(super) fn join_numerals(&self, tokens: &mut Vec<Token>) {
        let mut at = 0;
        while at < tokens.len() {
            let Some((hundredths, length)) = self.numeral(&tokens[at..]) else {
                at += 1;
                continue;
            };
            let text: Vec<&str> = tokens[at..at + length]
                .iter()
                .map(|token| token.text.as_str())
                .collect();
            let joined = Token {
                text: text.join(" "),
                folded: tokens[at].folded.clone(),
                kind: Kind::Number(hundredths),
                spaced: tokens[at].spaced,
                quoted: tokens[at].quoted,
                names: Vec::new(),
            };
            tokens.splice(at..at + length, [joined]);
            at += 1;
        }
    }

    fn value(&self, token: &Token) -> Option<i64> {
        if !token.is_plain_word() {
            return None;
        }
        let found = self.numerals.at(&[token.folded.as_str()])?;
        found.key.parse().ok()
    }

    /// "120 mil": digits, and in words by what they are multiplied.
    fn multiplied(&self, tokens: &[Token]) -> Option<(i64, usize)> {
        let number = tokens[0].number()?;
        let by = self.value(tokens.get(1)?).filter(|by| *by >= 1000)?;
        Some((number.checked_mul(by)?, 2))
    }

    /// The number that begins here in words, in hundredths, and how many tokens it has. "Un" alone is an article.
    fn numeral(&self, tokens: &[Token]) -> Option<(i64, usize)> {
        if let Some(multiplied) = self.multiplied(tokens) {
            return Some(multiplied);
        }
        let first = self.value(&tokens[0])?;
        let (mut sum, mut last, mut length) = (first, first, 1);
        loop {
            let joint = tokens.get(length).is_some_and(|token| {
                token.mark() == Some('-')
                    || (token.is_plain_word() && self.marks(&[&token.folded], "clause"))
            });
            let next = length + usize::from(joint);
            let Some(value) = tokens.get(next).and_then(|token| self.value(token)) else {
                break;
            };
            // Twenty and five; five hundred; a thousand and two hundred. Not "dos, tres".
            let adds = value < last && last >= 20 && (value < 10 || last >= 100);
            let multiplies = value >= 100 && last < value && !joint;
            if multiplies {
                sum = sum - last + last * value;
                last = last * value;
            } else if adds {
                sum += value;
                last = value;
            } else {
                break;
            }
            length = next + 1;
        }
        (length > 1 || first != 1).then_some((sum * 100, length))
    }
}
