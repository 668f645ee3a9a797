//! How many tokens a text takes.

/// The text's tokens in the vocabulary `r50k_base`, which is loaded by the first count. Every model has a vocabulary of its own; this one is
/// half as large in an archive as `cl100k_base`, and makes a seventh more tokens of English and two fifths more of Spanish.
pub(crate) fn count(text: &str) -> usize {
    tiktoken::get_encoding("r50k_base").map_or(text.len(), |vocabulary| vocabulary.count(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::count;

    fn counted_by_another(text: &str) -> usize {
        tiktoken_rs::r50k_base_singleton().count_ordinary(text)
    }

    #[test]
    fn tokens_are_those_of_the_vocabulary() {
        for (text, tokens) in [
            ("", 0),
            ("antidisestablishmentarianism", 5),
            ("2 + 2 = 4", 5),
            ("お誕生日おめでとう", 14),
        ] {
            assert_eq!(count(text), tokens, "{text}");
        }
    }

    #[test]
    fn long_texts_of_one_kind_are_counted_too() {
        for unit in [" ", "\n", "a", "ñ", "—", "\u{1F4DA}", "1", " a", "\0"] {
            let text = unit.repeat(50_000) + "x";
            assert_eq!(count(&text), counted_by_another(&text), "{unit:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn another_counts_the_same(
            text in prop_oneof![
                "(¿?[a-zñáéíóúü]{1,12}[,.;:?!]? {1,3}|[0-9]{1,7},[0-9]{2} €|«[A-ZÁÉÍÓÚ][a-z']{0,9}»|\n{1,3}|\t| +|[A-Z]+'LL){0,40}",
                "\\PC{0,200}",
                any::<String>(),
            ],
        ) {
            let tokens = count(&text);
            prop_assert_eq!(tokens, counted_by_another(&text));
            prop_assert!(tokens <= text.len());
        }
    }
}
