//! Languages are data: what people read and what they are understood by stands in the languages' folders and nowhere else.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use mostrador_core::{
    language::{Language, List},
    text,
};

const LANGUAGES: &str = "shared/core/src/language";

/// Folders and files where sentences and words may stand, and why.
const EXCEPT: [(&str, &str); 5] = [
    (LANGUAGES, "the languages' own folders"),
    (
        "shared/core/src/shop.rs",
        "the bookshop that is there to be tried",
    ),
    ("shared/web/src/openapi.rs", "examples"),
    (
        "infra/local/src/seed.rs",
        "what the demo's customers have done",
    ),
    ("infra/prove", "what it asks while it tries and measures"),
];

/// A function's part of the `OpenAPI` document, with examples.
const DESCRIPTION: &str = "/src/describe.rs";

/// Names and values on the wire.
const WIRE: [&str; 5] = ["año_publicacion", "año", "En Devolución", "nombre", "sí"];

/// Literals of the page's script that look like words for people and are none.
const SCRIPT: [&str; 4] = ["use strict", "Bearer ${token}", "row decision", "Enter"];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Every file of the product's whose name ends so, with its text; no tests, and of a source nothing behind its tests' beginning.
fn sources(ending: &str) -> Vec<(String, String)> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_elsewhere = ["target", "tests", "node_modules"].contains(&&*name);
            if path.is_dir() && !is_elsewhere && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(ending) && !["tests.rs", "fuzz.rs"].contains(&&*name) {
                let source = std::fs::read_to_string(&path).unwrap();
                let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let inside = path.strip_prefix(&root).unwrap().display().to_string();
                found.push((inside, source.to_owned()));
            }
        }
    }
    found.sort();
    found
}

/// The string literals of a Rust source, with the numbers of their lines.
fn literals(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(source.lines()) {
        if open.is_none() && line.trim_start().starts_with("//") {
            continue;
        }
        let mut characters = line.chars().peekable();
        while let Some(c) = characters.next() {
            match (c, &mut open) {
                ('\\', Some((_, literal))) => literal.extend(characters.next()),
                ('"', Some(_)) => found.extend(open.take()),
                (c, Some((_, literal))) => literal.push(c),
                // A comment at a line's end.
                ('/', None) if characters.peek() == Some(&'/') => break,
                ('\'', None) if characters.peek() == Some(&'"') => {
                    characters.next();
                }
                ('"', None) => open = Some((number, String::new())),
                _ => {}
            }
        }
    }
    found
}

/// Lists of words that a program's own words are not among.
const DISTINCTIVE: [List; 3] = [List::Function, List::Courtesies, List::Telling];

/// Whether a text is of another language than the code is in: by its letters, or by its small words. One is enough where it stands
/// alone, as in a list of words.
fn is_foreign(text: &str) -> bool {
    let code = Language::from_tag("en").unwrap();
    let is_listed = |language: Language, word: &str| {
        DISTINCTIVE
            .iter()
            .any(|list| language.phrases(*list).has(word))
    };
    let text = WIRE
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(name, ""));
    let words: BTreeSet<String> = text::words(&text).into_iter().collect();
    let small = words.iter().filter(|word| {
        let mut others = Language::all().filter(|language| *language != code);
        word.len() > 1 && !is_listed(code, word) && others.any(|other| is_listed(other, word))
    });
    let small: Vec<&String> = small.collect();
    let is_word_of_a_list = words.len() == 1 && small.iter().any(|word| word.len() > 2);
    let has_words = text.contains(char::is_alphabetic);
    is_word_of_a_list
        || small.len() > 1
        || (has_words && text.contains(|c| "¿¡áéíóúàâêôãõçñüÁÉÍÓÚÑ".contains(c)))
}

/// The string literals of a page's script that look like words for people: two words, or one that begins like a name.
fn labels(page: &str) -> Vec<String> {
    let script = page.split("<script>").skip(1);
    let lines = script.flat_map(str::lines);
    let lines = lines.filter(|line| !line.trim_start().starts_with(['/', '*']));
    let mut found = Vec::new();
    for line in lines {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '`', '\'']) {
            let (quote, behind) = (&rest[at..=at], &rest[at + 1..]);
            let Some(end) = behind.find(quote) else { break };
            let literal = &behind[..end];
            let mut letters = literal.chars();
            let is_name = letters.next().is_some_and(char::is_uppercase)
                && letters.next().is_some_and(char::is_lowercase)
                && !literal.contains('-');
            let mut words = literal.split(' ');
            let is_word = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
            let is_sentence = words.by_ref().filter(|word| is_word(word)).count() > 1;
            if (is_name || is_sentence) && !SCRIPT.contains(&literal) {
                found.push(literal.to_owned());
            }
            rest = &behind[end + 1..];
        }
    }
    found
}

#[test]
fn sentences_are_known_from_code() {
    for sentence in [
        "Tu carrito está vacío.",
        "No hay tal comando",
        "¿libro?",
        "gracias",
    ] {
        assert!(is_foreign(sentence), "{sentence}");
    }
    for own in [
        "Your cart is empty.",
        "año_publicacion {written:?} is not a year",
        "no book of that id",
        "¿?¡!.,",
        "libro_id",
        "no",
    ] {
        assert!(!is_foreign(own), "{own}");
    }
    let script =
        r#"<script>ask("Carrito lleno", `${name} ×`); say('Comprar'); node.className = "soft";"#;
    assert_eq!(labels(script), ["Carrito lleno", "Comprar"]);
}

#[test]
fn nothing_else_holds_a_sentence_or_a_word() {
    let mut foreign = Vec::new();
    let is_excepted = |path: &str| {
        EXCEPT
            .iter()
            .any(|(excepted, _)| path.starts_with(excepted))
    };
    for (path, source) in sources(".rs") {
        let literals = literals(&source).into_iter();
        let found = literals.filter(|(_, literal)| {
            !is_excepted(&path) && !path.ends_with(DESCRIPTION) && is_foreign(literal)
        });
        foreign.extend(found.map(|(line, literal)| format!("{path}:{line}: {literal}")));
    }
    for (path, source) in sources(".html") {
        let lines = (1..).zip(source.lines());
        let found = lines.filter(|(_, line)| is_foreign(line));
        foreign.extend(found.map(|(number, line)| format!("{path}:{number}: {line}")));
        let labels = labels(&source).into_iter();
        foreign.extend(labels.map(|label| format!("{path}: {label}")));
    }
    assert_eq!(foreign, Vec::<String>::new());
}

#[test]
fn what_is_excepted_is_there() {
    for (path, _) in EXCEPT {
        assert!(root().join(path).exists(), "{path}");
    }
}

/// The keys of a file of messages in the default language.
fn keys(file: &str) -> BTreeSet<String> {
    let folder = root().join(LANGUAGES).join(Language::default().tag());
    let file = std::fs::read_to_string(folder.join(file)).unwrap();
    let lines = file.lines().filter(|line| !line.starts_with(['#', ' ']));
    let keys = lines.filter_map(|line| Some(line.split_once(" =")?.0.to_owned()));
    keys.collect()
}

/// What stands between `before` and the next character that is none of a name's, wherever it does.
fn named<'s>(source: &'s str, before: &str) -> Vec<&'s str> {
    let places = source.split(before).skip(1);
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    places
        .map(|rest| &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())])
        .collect()
}

#[test]
fn every_message_is_rendered_and_every_rendered_message_exists() {
    let sources = sources(".rs");
    let sources = sources
        .iter()
        .filter(|(path, _)| !path.starts_with(LANGUAGES));
    let all: String = sources.map(|(_, source)| source.as_str()).collect();
    // One line, as calls may be broken over several.
    let all: String = all
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("( \"", "(\"");
    let (messages, terminal) = (keys("messages.ftl"), keys("terminal.ftl"));
    let folder = root().join(LANGUAGES).join(Language::default().tag());
    let texts = std::fs::read_to_string(folder.join("messages.ftl")).unwrap();
    // The general noun is asked for within the language's own module; a message may be part of another.
    for key in messages.iter().chain(&terminal) {
        let is_rendered = all.contains(&format!("\"{key}\""));
        let is_part = texts.contains(&format!("{{ {key} }}"));
        assert!(is_rendered || is_part, "nobody renders {key}");
    }
    for (call, keys) in [
        (".message(\"", &messages),
        ("language.text(\"", &messages),
        ("locale.text(\"", &messages),
        (".refused(\"", &messages),
        (".terminal(\"", &terminal),
        ("self.words(\"", &terminal),
        ("self.say(\"", &terminal),
        ("conversation.say(\"", &terminal),
        ("self.say_why(\"", &terminal),
    ] {
        for key in named(&all, call) {
            assert!(keys.contains(key), "there is no message {key}, for {call}");
        }
    }
}

#[test]
fn the_page_has_its_strings_and_uses_each() {
    let page = std::fs::read_to_string(root().join("functions/page/src/chat.html")).unwrap();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for before in [
        "text.",
        "data-text=\"",
        "data-label=\"",
        "data-placeholder=\"",
        "{{",
    ] {
        used.extend(named(&page, before));
    }
    let strings = keys("page.ftl");
    let unused = strings.iter().filter(|key| !used.contains(key.as_str()));
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&String>::new());
    for before in [
        "${text.",
        "(text.",
        " text.",
        "data-text=\"",
        "data-label=\"",
        "data-placeholder=\"",
    ] {
        for key in named(&page, before) {
            assert!(strings.contains(key), "there is no string {key}");
        }
    }
}
