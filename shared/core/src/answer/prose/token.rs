//! A line of prose in words, numbers, references and marks.

use unicode_normalization::UnicodeNormalization;

use crate::{answer::part::Field, price::hundredths, text::fold};

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// In hundredths.
    Number(i64),
    /// An item by its place, or something of it. Written as a reference, or found in the prose.
    Item(usize),
    Fact(usize, Field),
    /// A reference to nothing.
    Broken,
    Mark(char),
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) folded: String,
    pub(super) kind: Kind,
    /// Whether something parts it from what stands before.
    pub(super) spaced: bool,
    /// Whether it stands in quotation marks or is emphasised.
    pub(super) quoted: bool,
    /// The items that it names by a part of their title, or by whom they are.
    pub(super) names: Vec<usize>,
    /// Whether it names them by whom they are of.
    pub(super) is_maker: bool,
}

/// A count as a number in a text is read: in hundredths.
pub(super) fn of_count(count: usize) -> i64 {
    i64::try_from(count).map_or(i64::MAX, |count| count.saturating_mul(100))
}

impl Token {
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    pub(super) fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self.kind {
            Kind::Number(hundredths) => Some(hundredths),
            _ => None,
        }
    }

    /// Whether it is prose that names nothing.
    pub(super) fn is_plain_word(&self) -> bool {
        self.is_word() && self.names.is_empty()
    }

    /// The one item that it is, or that a part of a title names.
    pub(super) fn one_item(&self) -> Option<usize> {
        self.item().or_else(|| match self.names[..] {
            [item] if !self.is_maker => Some(item),
            _ => None,
        })
    }

    pub(super) fn item(&self) -> Option<usize> {
        match self.kind {
            Kind::Item(item) | Kind::Fact(item, _) => Some(item),
            _ => None,
        }
    }
}

/// Opening quotation marks with what closes them.
const QUOTES: [(char, char); 5] = [('«', '»'), ('“', '”'), ('„', '“'), ('"', '"'), ('‘', '’')];

/// Cuts `line` into tokens; `items` are as many as can be referred to.
pub(super) fn tokens(line: &str, items: usize) -> Vec<Token> {
    // A letter and its accent are one, however they were written.
    let chars: Vec<char> = line.nfc().collect();
    let mut cut = Cut {
        chars: &chars,
        at: 0,
        items,
        tokens: Vec::new(),
        spaced: false,
        closing: None,
        emphasis: None,
    };
    while cut.at < chars.len() {
        cut.next();
    }
    cut.tokens
}

struct Cut<'a> {
    chars: &'a [char],
    at: usize,
    items: usize,
    tokens: Vec<Token>,
    spaced: bool,
    /// What ends the quotation that is open.
    closing: Option<char>,
    /// The mark that ends what is emphasised.
    emphasis: Option<char>,
}

impl Cut<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn before(&self) -> Option<char> {
        self.at.checked_sub(1).map(|before| self.chars[before])
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let text: String = self.chars[self.at..self.at + length].iter().collect();
        self.tokens.push(Token {
            folded: fold(&text),
            text,
            kind,
            spaced: std::mem::take(&mut self.spaced),
            quoted: self.closing.is_some() || self.emphasis.is_some(),
            names: Vec::new(),
            is_maker: false,
        });
        self.at += length;
    }

    fn next(&mut self) {
        let c = self.chars[self.at];
        if c.is_whitespace() {
            self.spaced = true;
            self.at += 1;
        } else if c == '{' {
            self.reference();
        } else if matches!(c, '*' | '_') {
            self.emphasis(c);
        } else if c.is_ascii_digit() {
            self.number();
        } else if c.is_alphanumeric() {
            let length = self.run(|c| c.is_alphanumeric());
            self.push(length, Kind::Word);
        } else {
            self.mark(c);
        }
    }

    fn run(&self, is_part: impl Fn(char) -> bool) -> usize {
        let rest = self.chars[self.at..].iter();
        rest.take_while(|c| is_part(**c)).count()
    }

    /// Marks of emphasis are left out; what stands between them is as if quoted.
    fn emphasis(&mut self, mark: char) {
        let length = self.run(|c| c == mark);
        let after = self.peek(length);
        let opens = self.emphasis.is_none() && after.is_some_and(|c| !c.is_whitespace());
        let within_word = mark == '_'
            && self.before().is_some_and(char::is_alphanumeric)
            && after.is_some_and(char::is_alphanumeric);
        if within_word {
            self.push(length, Kind::Mark(mark));
            return;
        }
        self.emphasis = opens.then_some(mark);
        self.at += length;
    }

    /// `{3}`, `{3.precio}`.
    fn reference(&mut self) {
        let doubled = usize::from(self.peek(1) == Some('{'));
        let rest = &self.chars[self.at + doubled..];
        let Some(end) = rest.iter().position(|c| *c == '}') else {
            self.push(1, Kind::Broken);
            return;
        };
        let inside: String = rest[1..end].iter().collect();
        let (number, name) = inside.split_once('.').unwrap_or((&inside, ""));
        let place = number.trim().parse::<usize>().ok();
        let place = place.and_then(|number| number.checked_sub(1));
        let kind = match place.filter(|place| *place < self.items) {
            None => Kind::Broken,
            Some(item) => match Field::from_name(&fold(name.trim())) {
                Some(field) => Kind::Fact(item, field),
                None => Kind::Item(item),
            },
        };
        let closing = self.chars[self.at + doubled + end + 1..].first() == Some(&'}');
        self.push(
            end + 1 + doubled + usize::from(doubled == 1 && closing),
            kind,
        );
    }

    fn number(&mut self) {
        let is_digit = |at: usize| self.chars.get(at).is_some_and(char::is_ascii_digit);
        let mut end = self.at;
        // "17:30" is a time, and no two numbers.
        let minutes = |at: usize| self.chars.get(at) == Some(&':') && is_digit(at + 1);
        let hour = self.run(|c| c.is_ascii_digit());
        if minutes(self.at + hour) {
            let rest = self.chars[self.at + hour + 1..].iter();
            let length = hour + 1 + rest.take_while(|c| c.is_ascii_digit()).count();
            self.push(length, Kind::Word);
            return;
        }
        while is_digit(end) || (matches!(self.chars.get(end), Some('.' | ',')) && is_digit(end + 1))
        {
            end += 1;
        }
        let written: String = self.chars[self.at..end].iter().collect();
        let kind = hundredths(&written).map_or(Kind::Broken, Kind::Number);
        self.push(end - self.at, kind);
    }

    fn mark(&mut self, c: char) {
        if self.closing == Some(c) && !(c == '’' && self.peek(1).is_some_and(char::is_alphanumeric))
        {
            // Within what it closes.
            self.push(1, Kind::Mark(c));
            self.closing = None;
            return;
        }
        let begins_word = self.peek(1).is_some_and(|c| !c.is_whitespace());
        let after_word = self.before().is_some_and(char::is_alphanumeric);
        let opened = QUOTES.iter().find(|(opens, _)| *opens == c);
        if let Some((_, closes)) = opened
            && self.closing.is_none()
            && begins_word
            && !after_word
        {
            self.closing = Some(*closes);
        }
        self.push(1, Kind::Mark(c));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_quotations_and_emphasis() {
        let found = tokens("**{1}** cuesta {1.precio}; «Otra vida» no, {9}.", 2);
        let kinds: Vec<&Kind> = found.iter().map(|token| &token.kind).collect();
        assert_eq!(kinds[0], &Kind::Item(0));
        assert_eq!(kinds[2], &Kind::Fact(0, Field::Price));
        assert!(
            found
                .iter()
                .any(|token| token.quoted && token.text == "Otra")
        );
        assert!(kinds.contains(&&Kind::Broken));
    }
}
