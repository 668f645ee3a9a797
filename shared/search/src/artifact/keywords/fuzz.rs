//! Damaged keywords. What the checksums let pass is asked; what they are made right for again, only looked at, since tantivy
//! asserts that its own files are whole.

use std::sync::LazyLock;

use bolero::TypeGenerator;

use super::*;
use crate::{
    artifact::{
        FileName,
        fuzz::{Damage, built, damaged},
    },
    layout::{index, slice, u32_at},
    store::copied,
};

static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| built(FileName::Keywords));

#[derive(Debug, TypeGenerator)]
struct Given {
    damage: Vec<Damage>,
    word: String,
    is_sealed: bool,
}

/// Makes the checksum of the table right.
fn sealed(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let count = u32_at(&file, 12).map_or(0, index);
    let table = count
        .checked_mul(72)
        .and_then(|bytes| slice(&file, 24, bytes));
    if let Some(crc) = table.map(crc32fast::hash) {
        file[16..20].copy_from_slice(&crc.to_le_bytes());
    }
    file
}

fn ask(keywords: &Keywords, word: &str) {
    let fields = Field::all().collect::<Vec<_>>();
    let rows = |field: Field, list: &TermInfo| {
        keywords.visit(field, list, |row| assert!(row < keywords.len()));
    };
    for word in [word, "rayuela", "hobit"] {
        for &field in &fields {
            if let Some(list) = keywords.list(field, word) {
                rows(field, &list);
            }
            keywords.beginning_with(field, word, |list| rows(field, list));
        }
        for edits in [1, 2] {
            keywords.similar(&fields, word, edits, &rows);
        }
    }
}

#[test]
fn damaged_keywords_are_refused_or_answer() {
    let target = bolero::check!().with_iterations(300);
    target.with_type::<Given>().for_each(|given: &Given| {
        let file = damaged(&BASE, &given.damage);
        if given.is_sealed {
            let _ = BundleDirectory::open(OwnedBytes::new(sealed(&file)));
            return;
        }
        let buffer = copied(&file).expect("memory");
        match Keywords::open(buffer) {
            Ok(keywords) => {
                assert_eq!(*file, **BASE, "no damage passes");
                ask(&keywords, &given.word);
            }
            Err(_) => assert_ne!(*file, **BASE),
        }
    });
}
