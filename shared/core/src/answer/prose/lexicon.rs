//! The words of one language by which prose is judged.

use crate::{
    language::{Language, List, Phrases},
    shop::currency,
};

use super::{
    token::{Kind, Token},
    topics::is_service,
};

/// Most words of a number that is one phrase: "media docena".
const NUMERAL_WORDS: usize = 3;

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
        self.numeral_of(folded).is_some_and(|value| value != "1")
    }

    /// The value of a folded word that writes a number.
    pub(super) fn numeral_of(&self, folded: &str) -> Option<&'static str> {
        self.numerals.at(&[folded]).map(|found| found.key)
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

    /// Whether a folded word is of this language: small, or one by which prose is judged.
    pub(super) fn has(&self, folded: &str) -> bool {
        let lists = [
            List::Function,
            List::Markers,
            List::Claims,
            List::Units,
            List::Light,
            List::Courtesies,
        ];
        lists
            .iter()
            .any(|list| self.language.phrases(*list).has(folded))
    }

    /// Whether a text says an amount or a share, or what the shop does or has done.
    pub(super) fn promises(&self, mut tokens: Vec<Token>, words: &[String]) -> bool {
        self.join_numerals(&mut tokens);
        let has_number = tokens.iter().any(|token| token.number().is_some());
        let is_sign = |token: &Token| {
            let mark = token.mark();
            mark.is_some_and(|mark| mark == '%' || currency::is_symbol(mark))
        };
        let mut units = self.units.all(words);
        let is_amount = has_number
            && (tokens.iter().any(is_sign)
                || units.any(|(_, found)| {
                    currency::is_unit(found.key) || matches!(found.key, "percent" | "cents")
                }));
        let mut topics = self.topics.all(words);
        is_amount || topics.any(|(_, found)| is_service(found.key))
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
                is_maker: false,
            };
            tokens.splice(at..at + length, [joined]);
            at += 1;
        }
    }

    /// The value of the number that begins `tokens` in words, and of how many of them it is.
    fn value(&self, tokens: &[Token]) -> Option<(i64, usize)> {
        let words = tokens.iter().take(NUMERAL_WORDS);
        let words = words.take_while(|token| token.is_plain_word());
        let words: Vec<&str> = words.map(|token| token.folded.as_str()).collect();
        let found = self.numerals.at(&words)?;
        Some((found.key.parse().ok()?, found.words))
    }

    fn is_currency(&self, token: Option<&Token>) -> bool {
        let unit = token.and_then(|token| self.units.at(&[token.folded.as_str()]));
        unit.is_some_and(|found| currency::is_unit(found.key))
    }

    fn has_unit(&self, token: Option<&Token>, key: &str) -> bool {
        token.is_some_and(|token| self.units.stands(&token.folded, key))
    }

    /// "Diez euros y cinco céntimos", "diecisiete con noventa": one amount.
    pub(super) fn join_cents(&self, tokens: &mut Vec<Token>) {
        let mut at = 0;
        while at < tokens.len() {
            let Some(whole) = tokens[at].number() else {
                at += 1;
                continue;
            };
            let has_unit = self.is_currency(tokens.get(at + 1));
            let joint = at + 1 + usize::from(has_unit);
            let joint_is = |key| {
                let token = tokens.get(joint).filter(|token| token.is_plain_word());
                token.is_some_and(|token| self.markers.stands(&token.folded, key))
            };
            let is_named = self.has_unit(tokens.get(joint + 2), "cents");
            // "Diez con cinco" is one amount, "diez y cinco" two, but for "y cinco céntimos".
            let joins =
                (joint_is("cents") && (is_named || !has_unit)) || (joint_is("clause") && is_named);
            // "Twelve pounds fifty", "dois euros e dez", and not "two pounds 50 pages".
            let place = joint + usize::from(joint_is("clause"));
            let counts_nothing = tokens.get(place + 1).is_none_or(|next| {
                let is_small = self.has(&next.folded) && self.units.at(&[&next.folded]).is_none();
                next.mark().is_some() || is_small
            });
            let (place, least, end) = if joins {
                (joint + 1, 100, joint + 2 + usize::from(is_named))
            } else if has_unit && counts_nothing {
                (place, 1_000, place + 1)
            } else {
                at += 1;
                continue;
            };
            let cents = tokens.get(place).and_then(Token::number);
            let cents = cents.filter(|cents| (least..10_000).contains(cents) && cents % 100 == 0);
            if let Some(cents) = cents.filter(|_| whole % 100 == 0) {
                tokens[at].kind = Kind::Number(whole + cents / 100);
                let rest: Vec<String> = tokens[at + 1..end]
                    .iter()
                    .map(|token| token.text.clone())
                    .collect();
                tokens[at].text = format!("{} {}", tokens[at].text, rest.join(" "));
                tokens.drain(at + 1..end);
            }
            at += 1;
        }
    }

    /// "120 mil": digits, and in words by what they are multiplied.
    fn multiplied(&self, tokens: &[Token]) -> Option<(i64, usize)> {
        let number = tokens[0].number()?;
        let (by, words) = self.value(&tokens[1..]).filter(|(by, _)| *by >= 1000)?;
        Some((number.checked_mul(by)?, 1 + words))
    }

    /// The number that begins here in words, in hundredths, and how many tokens it has. "Un" alone is an article.
    fn numeral(&self, tokens: &[Token]) -> Option<(i64, usize)> {
        if let Some(multiplied) = self.multiplied(tokens) {
            return Some(multiplied);
        }
        let (first, words) = self.value(tokens)?;
        let (mut sum, mut last, mut length) = (first, first, words);
        loop {
            let joint = tokens.get(length).is_some_and(|token| {
                token.mark() == Some('-')
                    || (token.is_plain_word() && self.marks(&[&token.folded], "clause"))
            });
            let next = length + usize::from(joint);
            let Some((value, words)) = tokens.get(next..).and_then(|rest| self.value(rest)) else {
                break;
            };
            // Twenty and five; five hundred; a thousand and two hundred. Not "dos, tres".
            let adds = value < last && last >= 20 && (value < 10 || last >= 100);
            let multiplies = value >= 100 && last < value && !joint;
            if multiplies {
                sum = sum - last + last * value;
                last *= value;
            } else if adds {
                sum += value;
                last = value;
            } else {
                break;
            }
            length = next + words;
        }
        // "Un euro" is an amount.
        let unit = tokens.get(length);
        let is_amount = self.is_currency(unit)
            || ["cents", "copies", "time"]
                .iter()
                .any(|key| self.has_unit(unit, key));
        let is_number = length > 1 || first != 1 || is_amount;
        is_number.then_some((sum * 100, length))
    }
}
