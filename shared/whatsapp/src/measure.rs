//! How long a text is by the platform's limits, and where it is cut.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

/// What stands for what was cut off.
pub const ELLIPSIS: char = '…';

/// The length of a text. The platform's limits are in "characters", without a word on what one is: counted here are UTF-16
/// units, of which no text has fewer than code points or letters as people see them, so that it fits by each reading.
#[must_use]
pub fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Whether nobody sees anything of it.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    let is_unseen = |c: char| {
        let is_format = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
        let is_joiner = matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
        c.is_whitespace() || c.is_control() || is_format || is_joiner
    };
    text.chars().all(is_unseen)
}

/// At most `most` of the text, with an ellipsis where something is missing; no letter is cut in two. `most` is at least 1.
#[must_use]
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if length(text) <= most {
        return Cow::Borrowed(text);
    }
    let head = head(text, most.saturating_sub(1)).trim_end();
    Cow::Owned(format!("{head}{ELLIPSIS}"))
}

/// As [`cut`], after a whole sentence or line, or else after a whole word, if that leaves at least half.
#[must_use]
pub fn cut_at_sentence(text: &str, most: usize) -> Cow<'_, str> {
    if length(text) <= most {
        return Cow::Borrowed(text);
    }
    // A blank and the ellipsis come after a sentence.
    let longest = head(text, most.saturating_sub(2));
    let least = longest.len() / 2;
    let sentence = ends_of_sentences(longest)
        .filter(|end| *end >= least)
        .last();
    if let Some(end) = sentence {
        return Cow::Owned(format!("{} {ELLIPSIS}", longest[..end].trim_end()));
    }
    let longest = head(text, most.saturating_sub(1));
    let word = longest.rfind(char::is_whitespace);
    match word.filter(|end| *end >= least) {
        Some(end) => Cow::Owned(format!("{}{ELLIPSIS}", longest[..end].trim_end())),
        None => cut(text, most),
    }
}

/// The places right after a sentence or before the end of a line.
fn ends_of_sentences(text: &str) -> impl Iterator<Item = usize> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let is_end = match c {
                '.' | '!' | '?' | '…' | '»' | '”' => next.is_some_and(char::is_whitespace),
                '。' | '！' | '？' => true,
                _ => next == Some('\n'),
            };
            if is_end {
                return Some(at + c.len_utf8());
            }
        }
        None
    })
}

/// The longest beginning of whole letters that is not longer than `most`; of code points where the first letter is longer.
fn head(text: &str, most: usize) -> &str {
    let end = whole(text.grapheme_indices(true), most);
    if end > 0 {
        return &text[..end];
    }
    let mut buffer = [0; 4];
    let mut end = 0;
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.encode_utf8(&mut buffer).encode_utf16().count();
        if used > most {
            break;
        }
        end = at + c.len_utf8();
    }
    &text[..end]
}

fn whole<'a>(parts: impl Iterator<Item = (usize, &'a str)>, most: usize) -> usize {
    let mut end = 0;
    let mut used = 0;
    for (at, part) in parts {
        used += length(part);
        if used > most {
            break;
        }
        end = at + part.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_letter_is_cut_in_two() {
        for (text, most, expected) in [
            ("Hola", 4, "Hola"),
            ("Hola a todos", 6, "Hola…"),
            ("Hola a todos", 1, "…"),
            // Four people are one letter of eleven units.
            ("a👨‍👩‍👧‍👦b", 12, "a…"),
            ("a👨‍👩‍👧‍👦b", 13, "a👨‍👩‍👧‍👦b"),
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 20, "👨‍👩‍👧‍👦…"),
            ("e\u{301}e\u{301}e\u{301}", 4, "e\u{301}…"),
            ("🇪🇸🇲🇽", 7, "🇪🇸…"),
            ("שלום עולם", 6, "שלום…"),
        ] {
            assert_eq!(cut(text, most), expected, "{text} {most}");
        }
    }

    #[test]
    fn a_long_text_ends_with_a_sentence_or_a_word() {
        for (text, most, expected) in [
            ("Uno. Dos tres cuatro.", 21, "Uno. Dos tres cuatro."),
            ("Uno dos. Tres cuatro cinco.", 14, "Uno dos. …"),
            ("Uno dos\ntres cuatro cinco", 14, "Uno dos …"),
            ("Uno dos tres cuatro cinco", 14, "Uno dos tres…"),
            ("Unodostrescuatrocinco", 10, "Unodostre…"),
            // The sentence would be less than half.
            ("A. Bcdefghijklmno pqrst", 20, "A. Bcdefghijklmno…"),
        ] {
            assert_eq!(cut_at_sentence(text, most), expected, "{text} {most}");
        }
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in "\\PC{0,60}|[a😀 .\u{301}\n👨‍👩‍👧]{0,60}", most in 1_usize..40) {
            for cut in [cut(&text, most), cut_at_sentence(&text, most)] {
                prop_assert!(length(&cut) <= most);
                prop_assert_eq!(length(&text) <= most, cut == text);
                prop_assert!(cut == text || cut.ends_with(ELLIPSIS));
            }
        }
    }
}
