//! Text as people compare it: without case, accents or punctuation.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Lower-cases `text` and strips its accents, keeping everything else (`¿Ñandú?` becomes `¿nandu?`).
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        // The order of marks is of no account, for none is kept.
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            decompose_canonical(c, |part| {
                if !is_combining_mark(part) {
                    folded.extend(part.to_lowercase());
                }
            });
        }
    }
    folded
}

/// The words of `text`, folded: maximal runs of letters and digits.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    fold(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What closes a clause.
pub(crate) const CLOSING: [char; 6] = [',', '.', ';', '!', '?', '\n'];

/// The clauses of a text that have a word in them, each without what closes it.
pub(crate) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let clauses = text.split(CLOSING);
    clauses.filter(|clause| clause.contains(char::is_alphanumeric))
}

/// Where some words stand in others, one after the other; nowhere where there are none.
#[must_use]
pub fn place_of(words: &[String], said: &[String]) -> Option<usize> {
    let mut runs = said.windows(words.len().max(1));
    runs.position(|run| run == words)
}

/// Where a name stands in some words, where one of its words may be a slip away; of a short name, or of one word, none: "historia" is no
/// "Historias".
#[must_use]
pub fn place_of_name(name: &[String], said: &[String]) -> Option<usize> {
    /// A slip away from a shorter name is another one.
    const LETTERS: usize = 8;
    place_of(name, said).or_else(|| {
        let letters: usize = name.iter().map(|word| word.chars().count()).sum();
        let mut runs = said.windows(name.len().max(1));
        runs.position(|run| {
            let pairs = || run.iter().zip(name);
            name.len() > 1
                && letters >= LETTERS
                && pairs().filter(|(said, own)| said != own).count() == 1
                && pairs().all(|(said, own)| is_slip(said, own))
        })
    })
}

/// Whether a word is a name, or a slip away from it: one letter more, less, other or swapped in a long one.
#[must_use]
pub fn is_slip(word: &str, name: &str) -> bool {
    /// Shorter names are a slip away from too much.
    const LETTERS: usize = 6;
    // Most words are told apart by their length alone.
    let is_near = word.len().abs_diff(name.len()) <= 1 && name.len() >= LETTERS;
    word == name
        || (is_near && name.chars().count() >= LETTERS && strsim::osa_distance(word, name) == 1)
}

/// A sentence with its first letter as a capital.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Whether two folded words are the same, as one or as several: "abrigo", "abrigos"; "luz", "luces"; "lady", "ladies".
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    /// How the end of a word changes with its number, beside what is put behind it.
    const ENDINGS: [(&str, &str); 3] = [("z", "ces"), ("ao", "oes"), ("y", "ies")];
    let is_plural = |several: &str, one: &str| {
        let is_longer = matches!(several.strip_prefix(one), Some("" | "s" | "es"));
        let changes = |(end, ends): (&str, &str)| {
            let roots = one.strip_suffix(end).zip(several.strip_suffix(ends));
            roots.is_some_and(|(one, several)| one == several && !one.is_empty())
        };
        is_longer || ENDINGS.into_iter().any(changes)
    };
    is_plural(one, other) || is_plural(other, one)
}

/// The first `max_chars` characters of `text`, with an ellipsis where something was cut.
#[must_use]
pub fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = &text[..end];
            let kept = kept.rsplit_once(' ').map_or(kept, |(head, _)| head);
            format!("{}…", kept.trim_end_matches([',', ';', ':', '.', ' ']))
        }
    }
}

/// Longest title or maker that is rendered, in characters: five lines must fit an answer.
const NAME_CHARS: usize = 60;

/// A title or a maker as it is rendered.
pub(crate) fn name(text: &str) -> String {
    truncate(&plain(text), NAME_CHARS)
}

/// A catalogue text as one harmless line: it may hold whatever a supplier wrote.
pub(crate) fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| {
        if c.is_control() || "`{}[]<>«»“”".contains(c) {
            ' '
        } else {
            c
        }
    });
    kept.collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, folded: &str, split: &[&str]) {
        assert_eq!(
            (fold(given).as_str(), words(given)),
            (folded, split.iter().map(|&w| w.to_owned()).collect())
        );
    }

    #[test]
    fn folds_case_and_accents() {
        check("García Márquez", "garcia marquez", &["garcia", "marquez"]);
        check(
            "¿Ñandú, pingüino?",
            "¿nandu, pinguino?",
            &["nandu", "pinguino"],
        );
        check("ISBN 978-84", "isbn 978-84", &["isbn", "978", "84"]);
        check("", "", &[]);
    }

    #[test]
    fn a_name_may_have_a_slip_in_it() {
        for (name, said, place) in [
            ("Fahrenheit 451", "bota o farenheit 451", Some(2)),
            (
                "El guardián entre el centeno",
                "el guardian entre el zenteno",
                Some(0),
            ),
            (
                "El guardián entre el centeno",
                "el gardian entre el zenteno",
                None,
            ),
            ("El túnel", "el tunal", None),
            ("Historias", "una historia de amor", None),
            ("Historias", "historias", Some(0)),
            ("It", "is it", Some(1)),
        ] {
            assert_eq!(place_of_name(&words(name), &words(said)), place, "{said}");
        }
    }

    #[test]
    fn one_and_several_are_the_same_word() {
        for (one, several) in [
            ("una", "unas"),
            ("raiz", "raices"),
            ("coloracao", "coloracoes"),
            ("lady", "ladies"),
            ("color", "colores"),
        ] {
            assert!(is_same(one, several) && is_same(several, one), "{one}");
        }
        for (one, other) in [
            ("raiz", "raza"),
            ("z", "ces"),
            ("mano", "mania"),
            ("lado", "lados de"),
        ] {
            assert!(!is_same(one, other), "{one}");
        }
    }

    #[test]
    fn truncates_at_a_word() {
        assert_eq!(truncate("Cien años de soledad", 40), "Cien años de soledad");
        assert_eq!(truncate("Cien años de soledad", 12), "Cien años…");
        assert_eq!(truncate("ñññññ", 3), "ñññ…");
    }
}
