//! How many tokens a text takes.

/// The text's tokens in the vocabulary `cl100k_base`, which is loaded by the first count. Every model has a vocabulary of its own;
/// of Spanish this one makes a twelfth more tokens than its successor `o200k_base`, which has twice the words.
pub(crate) fn count(text: &str) -> usize {
    tiktoken_rs::cl100k_base_singleton().count_ordinary(text)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tokens_are_those_of_the_vocabulary() {
        for (text, tokens) in [("", 0), ("hello world", 2)] {
            assert_eq!(count(text), tokens, "{text}");
        }
    }

    #[test]
    fn long_texts_of_one_kind_are_counted_too() {
        for unit in [" ", "\n", "a", "ñ", "—", "\u{1F4DA}", "1", " a", "\0"] {
            let text = unit.repeat(50_000) + "x";
            let tokens = count(&text);
            assert!((1..=text.len()).contains(&tokens), "{unit:?}: {tokens}");
        }
    }
}
