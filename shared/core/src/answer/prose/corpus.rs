//! The corpus of answers: how much of what is true is told, and how much of what is false.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::{
    Item, Part, Prose, titles,
    token::{Kind, tokens},
};
use crate::{
    answer::part::Field, language::Language, price::Price, shop::currency::Notation, text,
};

#[derive(Deserialize)]
struct Scene {
    scene: String,
    lang: String,
    message: String,
    #[serde(default)]
    before: Vec<String>,
    results: Vec<Shown>,
}

#[derive(Deserialize)]
struct Shown {
    id: String,
    titulo: String,
    autor: String,
    editorial: String,
    isbn: String,
    precio: String,
    moneda: String,
    categoria: String,
    stock: u32,
    #[serde(rename = "año_publicacion")]
    year: Option<i32>,
    descripcion: String,
    #[serde(default)]
    atributos: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Answer {
    scene: String,
    kind: String,
    class: String,
    say: String,
    #[serde(default, rename = "false")]
    wrong: Vec<String>,
}

impl Shown {
    fn item(&self) -> Item {
        let listed = |value: &serde_json::Value| match value {
            serde_json::Value::Array(values) => values
                .iter()
                .map(|value| {
                    value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned)
                })
                .collect(),
            serde_json::Value::String(text) => vec![text.clone()],
            other => vec![other.to_string()],
        };
        Item {
            id: self.id.parse().unwrap(),
            title: self.titulo.clone(),
            maker: self.autor.clone(),
            price_minor: Price::parse(&self.precio).unwrap().minor(),
            stock: self.stock,
            year: self.year,
            publisher: self.editorial.clone(),
            category: self.categoria.clone(),
            code: self.isbn.clone(),
            description: self.descripcion.clone(),
            attributes: self
                .atributos
                .iter()
                .map(|(key, value)| (key.clone(), listed(value)))
                .collect(),
        }
    }
}

/// A line as it reads: what is referred to, in words.
fn read(parts: &[Part], items: &[Item], money: &Notation, language: Language) -> String {
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Item(at) => items[*at].title.clone(),
        Part::Fact(at, field) => fact(&items[*at], field, money, language),
    });
    parts.collect()
}

fn fact(item: &Item, field: &Field, money: &Notation, language: Language) -> String {
    match field {
        Field::Price => money.write(item.price_minor),
        Field::Stock => language.message("stock", &[("count", item.stock.into())]),
        field => item.value(field).unwrap_or_default(),
    }
}

/// The words of a text, of which a title is one, however it is written; what is filled in is in words.
fn words_of(text: &str, prose: &Prose, money: &Notation) -> Vec<String> {
    let mut tokens = tokens(text, prose.known.len());
    titles::resolve(&mut tokens, &prose.known, &prose.lexicon);
    let words = tokens.iter().flat_map(|token| match &token.kind {
        Kind::Item(at) => vec![format!("{{{at}}}")],
        Kind::Fact(at, field) => {
            let item = &prose.known[*at].item;
            text::words(&fact(item, field, money, prose.lexicon.language))
        }
        _ => text::words(&token.text),
    });
    words.collect()
}

/// How many of `part`'s words stand in `whole` in their order, as a share.
fn share(part: &[String], whole: &[String]) -> f64 {
    let mut lengths = vec![0_usize; whole.len() + 1];
    for word in part {
        let mut before = 0;
        for (at, other) in whole.iter().enumerate() {
            let above = lengths[at + 1];
            lengths[at + 1] = if word == other {
                before + 1
            } else {
                above.max(lengths[at])
            };
            before = above;
        }
    }
    lengths[whole.len()] as f64 / part.len().max(1) as f64
}

#[derive(Default)]
struct Count {
    all: usize,
    told: usize,
}

/// What is held, in percent: true in form and true in free form that is told at least, false that is told at most.
const HALVES: [(&str, [f64; 3]); 15] = [
    ("fitted", [99.0, 97.0, 8.0]),
    ("second", [97.5, 93.5, 7.0]),
    ("third", [97.5, 93.5, 5.5]),
    ("fourth", [99.5, 88.5, 13.5]),
    ("fifth", [92.5, 91.0, 9.5]),
    ("sixth", [96.5, 92.5, 8.0]),
    ("seventh", [96.0, 88.5, 8.5]),
    ("eighth", [93.0, 85.5, 6.5]),
    ("ninth", [88.5, 89.5, 8.0]),
    ("tenth", [96.5, 84.0, 7.5]),
    ("eleventh", [91.0, 91.0, 3.0]),
    ("twelfth", [91.5, 99.5, 12.0]),
    ("thirteenth", [84.5, 87.0, 6.0]),
    ("fourteenth", [85.0, 84.5, 12.0]),
    ("held", [95.0, 87.0, 8.5]),
];

#[test]
fn what_is_true_is_told_and_what_is_false_is_not() {
    let only = std::env::var("HALF").ok();
    let is_known = |only: &String| HALVES.iter().any(|(half, _)| only == half);
    assert!(only.as_ref().is_none_or(is_known), "HALF is none of them");
    let halves = HALVES.iter();
    for (half, [form, free, wrong]) in
        halves.filter(|(half, _)| only.as_deref().is_none_or(|only| only == *half))
    {
        let told = told(half);
        assert!(told("form") >= *form, "{half}");
        assert!(told("free") >= *free, "{half}");
        assert!(told("false") <= *wrong, "{half}");
    }
}

/// Judges a half, prints what became of it by kind and class, and gives the share of a kind that is told. `MISSES` names kinds of which
/// each line that went wrong is printed, of the class in `ONLY` if that is set.
fn told(half: &str) -> impl Fn(&str) -> f64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/answers");
    let misses = std::env::var("MISSES").unwrap_or_default();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut counts: BTreeMap<(String, String), Count> = BTreeMap::new();
    let mut lost: BTreeMap<(String, &str), u32> = BTreeMap::new();
    let mut lines = 0_u32;
    let mut took = std::time::Duration::ZERO;
    for language in Language::all() {
        // A language may come without answers, but not without a half of them.
        let folder = root.join(language.tag());
        if !folder.exists() {
            continue;
        }
        let folder = folder.join(half);
        let scenes = std::fs::read_to_string(folder.join("scenes.jsonl")).unwrap();
        let scenes: Vec<Scene> = scenes
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let answers = std::fs::read_to_string(folder.join("answers.jsonl")).unwrap();
        for answer in answers.lines() {
            let answer: Answer = serde_json::from_str(answer).unwrap();
            let scene = scenes
                .iter()
                .find(|scene| scene.scene == answer.scene)
                .unwrap();
            assert_eq!(scene.lang, language.tag());
            let items: Vec<Item> = scene.results.iter().map(Shown::item).collect();
            let currency = &scene.results[0].moneda;
            let money = Notation::of(language, currency);
            let mut prose = Prose::new(language, currency);
            prose.show(items.iter().cloned());
            for message in scene.before.iter().chain([&scene.message]) {
                prose.take_message(message);
            }
            let started = std::time::Instant::now();
            let judged = prose.judge(&answer.say);
            took += started.elapsed();
            lines += 1;
            let new = read(&judged.parts, &items, &money, language);
            let mut note = |kind: &str, class: &str, told: usize, all: usize| {
                for class in [class, "~"] {
                    let count = counts
                        .entry((kind.to_owned(), class.to_owned()))
                        .or_default();
                    count.all += all;
                    count.told += told;
                }
            };
            if answer.kind == "false" {
                let whole = words_of(&new, &prose, &money);
                let is_told =
                    |wrong: &&String| share(&words_of(wrong, &prose, &money), &whole) >= 0.8;
                let told_new = answer.wrong.iter().filter(is_told).count();
                note("false", &answer.class, told_new, answer.wrong.len());
                if told_new > 0 && misses.contains("false") && answer.class.contains(&only) {
                    println!(
                        "TOLD {} {}: {} || {:?}",
                        answer.scene, answer.class, answer.say, answer.wrong
                    );
                }
            } else {
                let is_told = judged.faults.is_empty() && !judged.parts.is_empty();
                note(&answer.kind, &answer.class, usize::from(is_told), 1);
                for fault in &judged.faults {
                    *lost.entry((answer.kind.clone(), fault.code())).or_default() += 1;
                }
                if !is_told && misses.contains(&answer.kind) && answer.class.contains(&only) {
                    println!(
                        "LOST {} {} {:?}: {} || {new}",
                        answer.scene, answer.class, judged.faults, answer.say
                    );
                }
            }
        }
    }
    println!(
        "{half}: {lines} lines, {:.0} µs each",
        took.as_secs_f64() * 1e6 / f64::from(lines.max(1))
    );
    println!("clauses left out of true lines: {lost:?}");
    for ((kind, class), count) in &counts {
        let share = |told: usize| 100.0 * told as f64 / count.all as f64;
        println!(
            "{kind:6} {class:12} {:4}  {:5.1} %",
            count.all,
            share(count.told)
        );
    }
    move |kind| {
        let count = &counts[&(kind.to_owned(), "~".to_owned())];
        100.0 * count.told as f64 / count.all as f64
    }
}
