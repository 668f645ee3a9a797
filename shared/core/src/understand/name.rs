//! The name that a message asks for: "¿tenéis Good Omens?". Who asks for a name wants that, and is told where it is not there.

use super::route::word_places;
use crate::{
    language::List,
    text::{fold, words},
};

/// Longest name, in characters.
const NAME_CHARS: usize = 60;

/// The name that a message asks for and nothing else, as it is written: what is in quotes, or begins with a capital inside a sentence,
/// with nothing but small words around it.
pub(crate) fn sought(message: &str) -> Option<&str> {
    let light = List::Light.in_all();
    let references = List::References.in_all();
    let is_light = |word: &str| light.at(&[word]).is_some();
    let (mut from, mut until) = (None, 0);
    // Whether the first word begins with a capital, and whether all do.
    let (mut first, mut all) = (false, true);
    let mut words = 0;
    let mut before = String::new();
    for (place, word) in word_places(message) {
        let folded = fold(word);
        // "Para María" is for somebody, "en inglés" how it is to be.
        if from.is_none() && references.stands(&before, "whom") {
            return None;
        }
        before.clone_from(&folded);
        if is_light(&folded) {
            continue;
        }
        let is_capital = is_capitalised(word);
        first |= from.is_none() && is_capital;
        all &= is_capital;
        words += 1;
        from = from.or(Some(place.start));
        until = place.end;
    }
    let from = from?;
    let before = message[..from].trim_end().chars().next_back();
    let quote = message[..from].rfind(['"', '«', '“', '‘']);
    let opened = quote.and_then(|at| Some(at + message[at..].chars().next()?.len_utf8()));
    let name = &message[opened.unwrap_or(from)..until];
    let begins_sentence = before.is_none_or(|sign| ".!?¿¡:".contains(sign));
    // Any word has a capital where a sentence begins.
    let is_named = first && (!begins_sentence || (all && words > 1));
    let is_short =
        name.chars().count() <= NAME_CHARS && !name.contains(['.', '!', '?', ';', ':', '\n', ',']);
    ((opened.is_some() || is_named) && is_short).then_some(name)
}

/// The same, where one other word stands before several that begin with capitals: "the new Sally Rooney".
pub(crate) fn sought_behind_word(message: &str) -> Option<&str> {
    let light = List::Light.in_all();
    let mut places = word_places(message);
    let (word, _) = places.find(|(_, word)| light.at(&[&fold(word)]).is_none())?;
    let name = sought(&message[word.end..])?;
    let is_several = name.split_whitespace().nth(1).is_some();
    (is_several && name.split_whitespace().all(is_capitalised)).then_some(name)
}

/// Whether a word begins with a capital.
fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// The two or three words behind the last "by" of a message, as they are written: somebody's name, or what something is about.
pub(crate) fn behind_maker(message: &str) -> Option<&str> {
    let exclusions = List::Exclusions.in_all();
    let (mut is_behind, mut own) = (false, Vec::new());
    for (place, word) in word_places(message) {
        let folded = fold(word);
        if exclusions.stands(&folded, "maker") {
            is_behind = true;
            own.clear();
        } else if is_behind && !List::is_small(&folded) {
            own.push(place);
        }
    }
    let is_name = (2..=3).contains(&own.len());
    let (first, last) = (own.first()?, own.last()?);
    is_name.then(|| &message[first.start..last.end])
}

/// Whether a message names a category.
pub(crate) fn names_kind(message: &str) -> bool {
    let light = List::Light.in_all();
    words(message).iter().any(|word| {
        let found = light.at(std::slice::from_ref(word));
        found.is_some_and(|found| !matches!(found.key, "asking" | "grammar"))
    })
}

/// Whether a message asks for something and says nothing of what that is.
pub(crate) fn only_asks(message: &str) -> bool {
    let light = List::Light.in_all();
    let said = words(message);
    !said.is_empty() && said.iter().all(|word| light.has(word))
}

/// Whether a name is in some texts of one item: each of its words, or one that is a slip away from it.
pub(crate) fn is_in(name: &str, texts: &[&str]) -> bool {
    let light = List::Light.in_all();
    let own: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    let wanted = words(name);
    let mut wanted = wanted.iter().filter(|word| light.at(&[word]).is_none());
    wanted.all(|word| own.iter().any(|own| is_near(word, own)))
}

/// Whether two words are the same but for a slip: one letter from four on, two from eight on; or the beginning of the other.
fn is_near(word: &str, other: &str) -> bool {
    let letters = word.chars().count();
    let most = match letters {
        0..=3 => return word == other,
        4..=7 => 1,
        _ => 2,
    };
    strsim::osa_distance(word, other) <= most || other.starts_with(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_is_written_as_one() {
        for (message, name) in [
            ("¿Tenéis Good Omens?", Some("Good Omens")),
            ("busco algo de Megan Maxwell", Some("Megan Maxwell")),
            ("quiero «la casa verde»", Some("la casa verde")),
            ("do you have The Shining?", Some("Shining")),
            ("Harry Potter", Some("Harry Potter")),
            (
                "tem livros da Clarice Lispector?",
                Some("Clarice Lispector"),
            ),
            ("Terror psicológico", None),
            ("Rayuela", None),
            ("novelas de terror", None),
            ("busco un regalo para María", None),
            ("un libro para María", None),
            ("a present for Tom", None),
            ("Do you have books in English?", None),
            ("Hola. Busco novelas", None),
            ("¿Hacéis envíos a Canarias?", None),
            (
                "¿tenéis Cien años de soledad?",
                Some("Cien años de soledad"),
            ),
        ] {
            assert_eq!(sought(message), name, "{message}");
        }
    }

    #[test]
    fn one_word_may_stand_before_a_name() {
        for (message, name) in [
            ("do you have the new Sally Rooney?", Some("Sally Rooney")),
            ("una biografía de Frida Kahlo", Some("Frida Kahlo")),
            ("novelas parecidas a Dune", None),
            ("terror psicológico", None),
            ("", None),
        ] {
            assert_eq!(sought_behind_word(message), name, "{message}");
        }
    }

    #[test]
    fn a_name_may_have_a_slip() {
        let texts = ["Cien años de soledad", "Gabriel García Márquez"];
        for name in [
            "García Márquez",
            "Garcia Marques",
            "Cien anos de Soledad",
            "Gabriel",
        ] {
            assert!(is_in(name, &texts), "{name}");
        }
        for name in ["Megan Maxwell", "Good Omens", "Gabriela Mistral"] {
            assert!(!is_in(name, &texts), "{name}");
        }
    }
}
