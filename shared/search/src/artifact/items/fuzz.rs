//! Damaged items, each of them read whole.

use std::sync::LazyLock;

use super::*;
use crate::artifact::{
    FileName,
    fuzz::{Damage, built, damaged},
};

static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| built(FileName::Items));
/// A code stands for so many bytes at most.
const UNFOLDED: usize = 8;
/// Rows that are read of a file, the last ones besides.
const ROWS: usize = 64;

#[test]
fn damaged_items_are_refused_or_read() {
    let target = bolero::check!().with_iterations(300);
    target
        .with_type::<Vec<Damage>>()
        .for_each(|damage: &Vec<Damage>| {
            let file = damaged(&BASE, damage);
            let most = UNFOLDED * file.len();
            let Ok(items) = Items::open(file) else {
                return;
            };
            assert!(items.categories().iter().map(String::len).sum::<usize>() <= most);
            let len = items.len();
            for row in (0..len.min(ROWS))
                .chain(len.saturating_sub(1)..len + 2)
                .chain([usize::MAX])
            {
                let item = items.item(row);
                assert_eq!(item.libro_id, items.libro_id(row));
                assert_eq!(item.titulo, items.title(row));
                assert_eq!(item.autor, items.author(row));
                assert_eq!(item.descripcion, items.synopsis(row));
                assert_eq!(item.precio, items.price(row));
                assert_eq!(item.categoria, items.category(row));
                let _ = (items.stock(row), items.category_number(row));
                let texts = [
                    &item.titulo,
                    &item.autor,
                    &item.isbn,
                    &item.editorial,
                    &item.descripcion,
                ];
                assert!(texts.iter().all(|text| text.len() <= most));
                for found in [items.row(item.libro_id), items.row_of_isbn(&item.isbn)] {
                    assert!(found.is_none_or(|found| found < len));
                }
            }
            for isbn in ["9788437604572", "0000000000000", ""] {
                assert!(items.row_of_isbn(isbn).is_none_or(|found| found < len));
            }
        });
}
