//! What makes a line as a whole no prose of ours: code, instructions, another language.

use super::{Fault, INSTRUCTION_WORDS, Lexicon, Prose, token::Token};
use crate::language::Language;

impl Prose {
    /// What makes the line as a whole no prose of ours.
    pub(super) fn fault_of_line(&self, tokens: &[Token]) -> Option<Fault> {
        if is_code(tokens) {
            return Some(Fault::Code);
        }
        let words: Vec<&str> = tokens
            .iter()
            .filter(|token| token.is_plain_word() && !token.quoted)
            .map(|token| token.folded.as_str())
            .collect();
        let is_instruction = |run: &[&str]| self.instructions.contains(&run.join(" "));
        if words.windows(INSTRUCTION_WORDS).any(is_instruction) {
            return Some(Fault::Code);
        }
        let is_strange = |token: &Token| {
            let of_others = token
                .text
                .chars()
                .any(|c| c.is_alphabetic() && !is_latin(c));
            of_others && !self.known.iter().any(|known| known.has(&token.folded))
        };
        if tokens.iter().any(is_strange) {
            return Some(Fault::Language);
        }
        self.is_foreign(&words).then_some(Fault::Language)
    }

    /// Whether a line's small words are another language's.
    fn is_foreign(&self, words: &[&str]) -> bool {
        /// So many words say nothing without a small one among them.
        const TOGETHER: usize = 7;
        /// Fewest small words of another language.
        const FEWEST: usize = 3;
        let counts = |lexicon: &Lexicon, unlike: &Lexicon| {
            let of = words
                .iter()
                .filter(|word| lexicon.is_function(word) && !unlike.is_function(word));
            of.count()
        };
        let own = words
            .iter()
            .filter(|word| self.lexicon.is_function(word))
            .count();
        let is_nobodys = words.len() >= TOGETHER && own == 0;
        let is_short = words.len() >= FEWEST && own == 0;
        is_nobodys
            || Language::all()
                .filter(|language| *language != self.lexicon.language)
                .map(Lexicon::of)
                .any(|other| {
                    let theirs = counts(&other, &self.lexicon);
                    let is_clear = theirs >= FEWEST && theirs > 2 * counts(&self.lexicon, &other);
                    is_clear || (is_short && theirs > 0)
                })
    }
}

/// Whether a line has marks, links, calls, paths or characters that nobody sees.
fn is_code(tokens: &[Token]) -> bool {
    let is_mark = |token: &Token, mark: char| token.mark() == Some(mark);
    let hides = |c: char| {
        let is_format = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        let is_unit = matches!(c, '²' | '³' | '¼' | '½' | '¾');
        is_format || (c.is_numeric() && !c.is_ascii() && !is_unit)
    };
    let is_link = |token: &Token| matches!(token.folded.as_str(), "http" | "https" | "www");
    // "12 € + 9 € = 21 €".
    let is_sum = tokens.iter().any(|token| is_mark(token, '+'))
        && tokens
            .iter()
            .filter(|token| token.number().is_some())
            .count()
            > 2;
    let strange = tokens.iter().any(|token| {
        token
            .mark()
            .is_some_and(|mark| "`<>[]{}|\\=#@~^_".contains(mark) && !(is_sum && mark == '='))
            || (token.is_plain_word() && !token.quoted && is_link(token))
            || token.text.chars().any(hides)
    });
    let is_member =
        |pair: &[Token]| is_mark(&pair[0], '"') && is_mark(&pair[1], ':') && !pair[1].spaced;
    let has_member = tokens.windows(2).any(is_member);
    let pairs = tokens.windows(3).any(|three| {
        let [before, mark, after] = three else {
            return false;
        };
        let calls = before.is_plain_word()
            && is_mark(mark, '(')
            && !mark.spaced
            && !after.spaced
            && after.text.chars().count() > 2;
        let is_path = is_mark(mark, '/') && mark.spaced && !after.spaced;
        calls || is_path
    });
    strange || has_member || pairs
}

fn is_latin(c: char) -> bool {
    c.is_ascii()
        || matches!(c, '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}
