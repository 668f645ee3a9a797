//! Items that a text names by their titles.

use mostrador_core::index::Index;

use crate::query::shelf;

#[tokio::test]
async fn titles_are_found() {
    let index = shelf().await;
    for (text, expected) in [
        ("Rayuela", Some((1, "1.00"))),
        ("¡CIEN AÑOS DE SOLEDAD!", Some((2, "1.00"))),
        (
            "cien años de soledad de Gabriel García Márquez",
            Some((2, "1.00")),
        ),
        ("it", Some((15, "1.00"))),
        ("1984", Some((10, "1.00"))),
        ("rayuella", Some((1, "0.85"))),
        ("el hobit", Some((5, "0.86"))),
        ("señor anillos", Some((4, "0.96"))),
        ("crónica de una muerte", Some((9, "0.81"))),
        ("algo sobre dragones", None),
        ("hola", None),
        ("", None),
    ] {
        let found = index
            .find_title(text)
            .map(|(id, share)| (id, format!("{share:.2}")));
        let found = found.as_ref().map(|(id, share)| (*id, share.as_str()));
        assert_eq!(found, expected, "{text}");
    }
}

#[tokio::test]
async fn whole_titles_are_found_where_they_stand() {
    let index = shelf().await;
    for (text, expected) in [
        (
            "tenéis Rayuela y Cien años de soledad?",
            vec![(1..2, 1), (3..7, 2)],
        ),
        // A slip of a long title is one, and a part is none.
        ("cien años de soledat", vec![(0..4, 2)]),
        ("cien años", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(index.titles_in(text), expected, "{text}");
    }
}
