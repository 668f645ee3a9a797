//! The text normalisation of BERT models: control characters dropped, accents stripped, lower-cased, split into words.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// Calls `emit` with each word of `text` in order: runs without spaces, each punctuation mark and each Chinese
/// character being a word of its own.
pub(super) fn for_each_word(text: &str, mut emit: impl FnMut(&str)) {
    let mut word = String::with_capacity(32);
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            emit(word);
            word.clear();
        }
    };
    let mut take = |c: char| match class(c) {
        Class::Space => flush(&mut word),
        Class::Punctuation => {
            flush(&mut word);
            word.push(c);
            flush(&mut word);
        }
        Class::Letter => word.push(c),
    };
    if text.is_ascii() {
        text.chars()
            .filter_map(clean)
            .for_each(|c| take(c.to_ascii_lowercase()));
    } else {
        // Lower-casing comes after the accents are gone, so that `İ` becomes a plain `i`.
        text.chars()
            .filter_map(clean)
            .flat_map(set_apart)
            .flatten()
            .nfd()
            .filter(|c| !c.is_mark_nonspacing())
            .flat_map(char::to_lowercase)
            .for_each(&mut take);
    }
    take(' ');
}

enum Class {
    Space,
    Punctuation,
    Letter,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            ' ' | '\t'..='\r' => Class::Space,
            _ if c.is_ascii_punctuation() => Class::Punctuation,
            _ => Class::Letter,
        };
    }
    if c.is_whitespace() {
        Class::Space
    } else if c.is_punctuation() {
        Class::Punctuation
    } else {
        Class::Letter
    }
}

/// Nothing for control and format characters, a space for any white space.
fn clean(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' => Some(' '),
        '\u{20}'..='\u{7e}' => Some(c),
        '\u{fffd}' => None,
        _ if c.is_other() => None,
        _ if c.is_whitespace() => Some(' '),
        _ => Some(c),
    }
}

fn set_apart(c: char) -> [Option<char>; 3] {
    if is_chinese(c) {
        [Some(' '), Some(c), Some(' ')]
    } else {
        [Some(c), None, None]
    }
}

/// The blocks that BERT's tokenizer takes for Chinese; kana and hangul are not among them.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}'
        | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.to_owned()));
        assert_eq!(words, expected, "{text:?}");
    }

    #[test]
    fn splits_as_bert_does() {
        check(
            "¿Cien AÑOS, de soledad?",
            &["¿", "cien", "anos", ",", "de", "soledad", "?"],
        );
        check("İstanbul a\u{200b}b\u{a0}c", &["istanbul", "ab", "c"]);
        check("你好world", &["你", "好", "world"]);
        check("  \u{1}\t", &[]);
        check("e\u{301}té x\u{7}y", &["ete", "xy"]);
    }
}
