//! The conditions of a search as the set of rows that meet them.

use mostrador_core::{index::Filters, text};

use crate::{
    artifact::{
        items::Items,
        keywords::{Field, Keywords},
    },
    tuning::TYPO_LETTERS,
};

/// Which rows meet the conditions; everything where there are none.
#[derive(Debug, Default)]
pub(super) struct Admission {
    rows: Option<Vec<bool>>,
    /// By category number: whether its words are exactly those asked for.
    exact_categories: Vec<bool>,
}

impl Admission {
    pub(super) fn new(filters: &Filters, items: &Items, keywords: &Keywords) -> Self {
        if filters.is_empty() {
            return Self::default();
        }
        let mut rows = vec![true; items.len()];
        for (field, condition) in [
            (Field::Category, &filters.categoria),
            (Field::Author, &filters.autor),
            (Field::Publisher, &filters.editorial),
        ] {
            for word in text::words(condition.as_deref().unwrap_or_default()) {
                keep_with_word(&mut rows, keywords, field, &word);
            }
        }
        let wanted = filters.wanted_attributes();
        for (row, admitted) in rows.iter_mut().enumerate() {
            *admitted = *admitted
                && filters.admit_live(items.price(row), items.stock(row))
                && (wanted.is_empty() || wanted.admit(&items.attributes(row)));
        }
        let exact_categories = filters
            .categoria
            .as_deref()
            .map_or_else(Vec::new, |wanted| {
                let wanted = text::words(wanted);
                let categories = items.categories().iter();
                categories
                    .map(|category| text::words(category) == wanted)
                    .collect()
            });
        Self {
            rows: Some(rows),
            exact_categories,
        }
    }

    /// Whether there are no conditions.
    pub(super) fn is_open(&self) -> bool {
        self.rows.is_none()
    }

    pub(super) fn admits(&self, row: usize) -> bool {
        self.rows
            .as_ref()
            .is_none_or(|rows| rows.get(row).copied().unwrap_or_default())
    }

    pub(super) fn is_exact_category(&self, items: &Items, row: usize) -> bool {
        !self.exact_categories.is_empty()
            && self
                .exact_categories
                .get(crate::layout::index(items.category_number(row)))
                .copied()
                .unwrap_or_default()
    }
}

/// Drops the rows whose `field` lacks `word`; where no item has it there, a word one edit away will do.
fn keep_with_word(rows: &mut [bool], keywords: &Keywords, field: Field, word: &str) {
    let mut with_word = vec![false; rows.len()];
    let mut mark = |field, list: &_| {
        keywords.visit(field, list, |row| {
            if let Some(has) = with_word.get_mut(row) {
                *has = true;
            }
        });
    };
    match keywords.list(field, word) {
        Some(list) => mark(field, &list),
        None if word.chars().count() >= TYPO_LETTERS => {
            keywords.similar(&[field], word, 1, mark);
        }
        None => {}
    }
    for (kept, has) in rows.iter_mut().zip(with_word) {
        *kept = *kept && has;
    }
}
