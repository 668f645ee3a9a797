//! Our reader of the static model against its reference implementation.

use std::time::{Duration, Instant};

use bytes::Bytes;
use model2vec_rs::model::StaticModel;
use mostrador_search::embedder::{Embedder, InvalidEmbedder, StaticEmbedder, prepare};
use proptest::prelude::*;

use crate::library;

const TEXTS: &[&str] = &[
    "",
    "   ",
    "a",
    "¿?",
    "Cien años de soledad",
    "CIEN AÑOS DE SOLEDAD",
    "El Señor de los Anillos: La Comunidad del Anillo",
    "novelas históricas ambientadas en la Barcelona de posguerra",
    "corazón corazo\u{301}n",
    "pingüino, vergüenza y cigüeña",
    "ñandú",
    "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)",
    "don't, can't; won't!",
    "co-operate e-mail naïve café",
    "İstanbul STRASSE straße",
    "1984",
    "Fahrenheit 451",
    "20.000 leguas de viaje submarino",
    "3,14159 10€ $5.00 50% #1",
    "ISBN 978-84-376-0457-2",
    "你好世界 mixed 测试 text",
    "東京Tokyo",
    "こんにちは カタカナ",
    "안녕하세요",
    "豈 𠀀",
    "，。、！？",
    "Преступление и наказание",
    "Ω µ ΟΔΟΣ Σίσυφος",
    "hello 👋 world 🌍",
    "👨\u{200d}👩\u{200d}👧",
    "🇪🇸🇺🇸",
    "😀",
    "a\u{200b}b\u{feff}c",
    "a\u{a0}b\u{2009}c",
    "a\u{0}b\u{7}c\u{fffd}d",
    "tab\tnew\nline\rend\u{b}\u{c}x",
    "e\u{301} a\u{300} n\u{303} x\u{323}\u{301}y",
    "ﬁle ﬀ",
    "ＦＵＬＬＷＩＤＴＨ",
    "«comillas» “smart” ‘quotes’ —dash– …",
    "a≤b x→y n≠m",
    "क्षत्रि",
    "ᚠᚢᚦ 𐐀𐐁",
    "asdfgh qwerty zzqxjk",
    "supercalifragilisticexpialidocious",
    "internationalization preprocessing",
    "costureras desencuadernadas",
    "o que é que você quer ler hoje",
    "The quick brown fox jumps over the lazy dog",
    "a story about surveillance and dictatorship",
    "[unk] [pad",
    "under_score CamelCase snake_case",
    "\\ / | ` ~ ^",
];

/// The texts above, those of the sample books, and long ones.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = TEXTS.iter().map(|&text| text.to_owned()).collect();
    for (item, _) in library::items() {
        texts.extend([item.titulo, item.autor, item.descripcion]);
    }
    texts.push("a".repeat(100));
    texts.push("a".repeat(101));
    texts.push("字".repeat(120));
    texts.push(texts.join(" "));
    texts
}

fn reference() -> StaticModel {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/embedder");
    StaticModel::from_pretrained(path, None, None, None).unwrap()
}

fn assert_same(ours: &[f32], theirs: &[f32], text: &str) {
    let known = |vector: &[f32]| vector.iter().any(|x| *x != 0.0);
    assert_eq!(known(ours), known(theirs), "{text:?}");
    let cosine: f32 = ours.iter().zip(theirs).map(|(a, b)| a * b).sum();
    assert!(!known(ours) || cosine > 0.9999, "{text:?}: {cosine}");
}

#[test]
fn vectors_are_those_of_model2vec() {
    let (ours, theirs) = (library::embedder(), reference());
    for text in texts() {
        assert_same(&ours.vector(&text), &theirs.encode_single(&text), &text);
    }
}

#[test]
fn vectors_of_any_text_are_those_of_model2vec() {
    let (ours, theirs) = (library::embedder(), reference());
    proptest!(|(text in "\\PC{0,40}|[a-zñáéüA-Z0-9 .,¿?'-]{0,80}")| {
        // The reference takes its markers in a text for what they mark; to us they are text.
        prop_assume!(!text.contains("[PAD]") && !text.contains("[UNK]"));
        assert_same(&ours.vector(&text), &theirs.encode_single(&text), &text);
    });
}

#[test]
fn words_are_distinguished_from_random_keys() {
    let embedder = library::embedder();
    for (word, expected) in [
        ("novela", true),
        ("años", true),
        ("costureras", true),
        ("1984", true),
        ("asdfgh", false),
        ("xkcd", false),
        ("zzzz", false),
        ("👋", false),
        ("", false),
    ] {
        assert_eq!(embedder.knows(word), expected, "{word}");
    }
}

#[test]
fn loads_within_ten_milliseconds() {
    let prepared = library::prepared();
    let fastest = (0..5)
        .map(|_| {
            let start = Instant::now();
            StaticEmbedder::from_prepared(prepared.clone()).unwrap();
            start.elapsed()
        })
        .min();
    assert!(fastest < Some(Duration::from_millis(10)), "{fastest:?}");
}

#[test]
fn foreign_files_are_refused() {
    assert!(prepare(b"", b"{}").is_err());
    assert!(prepare(&[0xff; 64], b"{}").is_err());
    for bytes in [&b""[..], b"MOSTEMBD", &[0; 200], &[0xff; 200]] {
        let refused = StaticEmbedder::from_prepared(Bytes::from_static(bytes));
        assert_eq!(refused.err(), Some(InvalidEmbedder));
    }
}

#[test]
fn damage_never_panics() {
    let prepared = library::prepared();
    proptest!(ProptestConfig::with_cases(64), |(at in 0..prepared.len(), flip in 1u8.., header in 0..80usize)| {
        let cut = StaticEmbedder::from_prepared(prepared.slice(..at));
        prop_assert_eq!(cut.err(), Some(InvalidEmbedder));
        for place in [at, header] {
            let mut damaged = prepared.to_vec();
            damaged[place] ^= flip;
            if let Ok(embedder) = StaticEmbedder::from_prepared(damaged.into()) {
                prop_assert_eq!(embedder.vector("Cien años de soledad").len(), embedder.identity().dimensions);
                embedder.knows("desencuadernadas");
            }
        }
    });
}
