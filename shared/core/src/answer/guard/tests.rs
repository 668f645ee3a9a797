//! Lines that may be said, and lies, one a row of a text file; and the laws of a guard that hears an answer in parts.

mod composed;
mod laws;

use super::*;
use crate::{catalogue::Book, price::Price};

fn book(row: &str, descripcion: &str) -> BookResult {
    let fields: Vec<&str> = row.split(" | ").collect();
    let [
        id,
        titulo,
        autor,
        isbn,
        precio,
        categoria,
        editorial,
        year,
        stock,
    ] = fields[..]
    else {
        panic!("{row}");
    };
    let book = Book {
        libro_id: id.parse().unwrap(),
        titulo: titulo.into(),
        autor: autor.into(),
        isbn: isbn.into(),
        precio: Price::parse(precio).unwrap(),
        categoria: categoria.into(),
        editorial: editorial.into(),
        publicado: Some(year.parse().unwrap()),
        descripcion: descripcion.into(),
    };
    BookResult::new(book, stock.parse().unwrap(), None)
}

fn shelf() -> Vec<BookResult> {
    [
        ("1 | Cien años de soledad | Gabriel García Márquez | 9780307474728 | 25.99 | Novela | Debolsillo | 1967 | 15", "Siete generaciones de los Buendía en Macondo. Cuesta 1 euro."),
        ("5 | Rayuela | Julio Cortázar | 9788437604947 | 21.90 | Novela | Alfaguara | 1963 | 7", "Horacio Oliveira busca a la Maga por París."),
        ("7 | Pedro Páramo | Juan Rulfo | 9788437604183 | 12.50 | Novela | Cátedra | 1955 | 1", "Juan Preciado llega a Comala."),
        ("77 | 1984 | George Orwell |  | 20.00 | Ciencia ficción | Debolsillo | 1949 | 0", "Winston Smith trabaja para el Partido."),
        ("40 | Dune | Frank Herbert |  | 18.95 | Ciencia ficción | Nova | 1965 | 3", "Arrakis, planeta de arena."),
        ("41 | Dune Messiah | Frank Herbert |  | 16.95 | Ciencia ficción | Ace | 1969 | 4", ""),
        ("52 | Gratis: el futuro de un precio radical | Chris Anderson |  | 19.90 | Ensayo | Tendencias | 2009 | 2", ""),
        ("60 | El hombre que fue jueves | G. K. Chesterton |  | 11.95 | Novela | Alianza | 1908 | 6", ""),
        ("88 | The Left Hand of Darkness | Ursula K. Le Guin |  | 14.50 | Ciencia ficción | Gollancz | 1969 | 9", ""),
        ("90 | Nada | Carmen Laforet |  | 10.95 | Novela | Destino | 1945 | 12", ""),
        ("95 | Sapiens: de animales a dioses | Yuval Noah Harari |  | 23.90 | Ensayo | Debate | 2014 | 5", ""),
        ("120 | Atlas ilustrado | Varios autores |  | 1234.50 | Arte | Taschen | 2019 | 1", ""),
    ]
    .map(|(row, descripcion)| book(row, descripcion))
    .into()
}

/// The rows of a group, their fields apart and their escapes read.
fn rows(group: &str) -> impl Iterator<Item = (Language, Vec<String>)> {
    group
        .lines()
        .filter(|row| !row.starts_with('#'))
        .map(|row| {
            let (language, rest) = row.split_once(" | ").unwrap();
            let language = match language {
                "es" => Language::default(),
                "en" => Language::from_tag("en").unwrap(),
                other => panic!("{other}"),
            };
            let fields = rest.split(" | ").map(unescape).collect();
            (language, fields)
        })
}

fn unescape(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        plain.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        plain.push_str(rest);
    }
    plain
}

/// What a guard says of a line that one with a title follows.
fn said(line: &str, language: Language) -> (Vec<String>, Verdict) {
    said_of(&shelf(), line, language)
}

fn said_of(books: &[BookResult], line: &str, language: Language) -> (Vec<String>, Verdict) {
    let title = format!("- «{}».", books[0].titulo);
    let mut guard = LineGuard::new(language);
    guard.know(books);
    let mut passed = guard.push(line);
    passed.extend(guard.push(&format!("\n{title}\n")));
    passed.extend(guard.finish());
    assert_eq!(passed, guard.passed());
    assert_eq!(passed.pop(), Some(title), "{line}");
    (passed, guard.verdict().clone())
}

#[test]
fn what_the_results_state_is_said() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (language, fields) in rows(include_str!("said.txt")) {
        let (passed, verdict) = said(&fields[0], language);
        if passed.len() != 1 {
            wrong.push((fields[0].clone(), verdict.rejected));
        }
        count += 1;
    }
    assert_eq!(wrong, [], "{} of {count}", wrong.len());
    assert!(count >= 120);
}

#[test]
fn without_a_title_only_the_only_book_is_spoken_of() {
    for (language, fields) in rows(include_str!("alone.txt")) {
        let line = &fields[0];
        let alone = |book| said_of(std::slice::from_ref(book), line, language).0.len();
        assert_eq!(shelf().iter().map(alone).sum::<usize>(), 1, "{line}");
        assert_eq!(said(line, language).0.len(), 0, "{line}");
    }
}

#[test]
fn lies_are_not_said() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (language, fields) in rows(include_str!("unsaid.txt")) {
        let (code, line) = (fields[0].as_str(), fields[1..].join(" | "));
        let (passed, verdict) = said(&line, language);
        let of_language = code == "language";
        let coded = verdict.rejected.contains_key(code)
            || check(&line, &shelf())
                .iter()
                .any(|violation| violation.code() == code);
        let checked = of_language
            || check(&line, &shelf())
                .iter()
                .any(|violation| !violation.is_form());
        if !passed.is_empty() || !coded || !checked {
            wrong.push((line, code.to_owned(), verdict.rejected));
        }
        count += 1;
    }
    assert_eq!(wrong, [], "{} of {count}", wrong.len());
    assert!(count >= 200);
}

#[test]
fn what_cannot_be_told_from_a_lie_is_not_said() {
    let mut wrong = Vec::new();
    for (language, fields) in rows(include_str!("closed.txt")) {
        let (passed, verdict) = said(&fields[1], language);
        if !passed.is_empty() || !verdict.rejected.contains_key(fields[0].as_str()) {
            wrong.push((fields[1].clone(), verdict.rejected));
        }
    }
    assert_eq!(wrong, [], "{}", wrong.len());
}

fn results() -> Vec<BookResult> {
    let book = |libro_id, titulo: &str, autor: &str, isbn: &str, minor, year, stock| {
        BookResult::new(
            Book {
                libro_id,
                titulo: titulo.into(),
                autor: autor.into(),
                isbn: isbn.into(),
                precio: Price::from_minor(minor),
                categoria: "Novela".into(),
                editorial: "Alfaguara".into(),
                publicado: Some(year),
                descripcion: "Cuesta 1 euro.".into(),
            },
            stock,
            None,
        )
    };
    vec![
        book(
            31,
            "Cien años de soledad",
            "Gabriel García Márquez",
            "9780307474728",
            2599,
            1967,
            15,
        ),
        book(77, "1984", "George Orwell", "", 2000, 1949, 0),
    ]
}

fn check_text(text: &str, expected: &[Violation]) {
    assert_eq!(check(text, &results()), expected, "{text}");
}

#[test]
fn what_the_results_state_may_be_said() {
    for text in [
        "- Tengo «Cien años de soledad», de Gabriel García Márquez: 25,99 €, 15 ejemplares.\n- ¿Te lo reservo?",
        "- “1984” costs €20.00 and is sold out (0).\n- Published in 1949.",
        "- ISBN 978-0-307-47472-8, número 31.\n- Son 2 libros de 1967 y 1949.",
        "- 1984 cuesta 20 euros.\n- ¿Algo más?",
    ] {
        check_text(text, &[]);
    }
}

#[test]
fn what_they_do_not_state_may_not() {
    for (text, expected) in [
        (
            "- «Cien años de soledad» cuesta 1 €.\n- ¿Sí?",
            Violation::Price,
        ),
        ("- Vale 25.98.\n- ¿Sí?", Violation::Price),
        ("- Cuesta veinte euros.\n- ¿Sí?", Violation::Price),
        ("- Cuesta 15 €.\n- ¿Sí?", Violation::Price),
        ("- Quedan 16 ejemplares.\n- ¿Sí?", Violation::Number),
        ("- ISBN 9788437604572.\n- ¿Sí?", Violation::Number),
        ("- Es de 1968.\n- ¿Sí?", Violation::Number),
        ("- Te gustará «El Aleph».\n- ¿Sí?", Violation::Title),
        ("- Te gustará **El Aleph**.\n- ¿Sí?", Violation::Title),
    ] {
        check_text(text, &[expected]);
    }
}

#[test]
fn what_is_said_later_is_of_the_title_before() {
    for (text, expected) in [
        ("- Tengo «1984».\n- Cuesta 20 €.", None),
        ("- Tengo «1984».\n- Cuesta 25,99 €.", Some(Violation::Price)),
        (
            "- Tengo «1984».\n- ¿Lo quieres?\n- Vale 25,99 €.",
            Some(Violation::Price),
        ),
        (
            "- Tengo «1984».\n- Quedan 15 ejemplares.",
            Some(Violation::Number),
        ),
        (
            "- Tengo «1984».\n- Está disponible.",
            Some(Violation::Number),
        ),
        ("- Tengo «1984».\n- Está agotado.", None),
        (
            "- Tengo «1984».\n- Y «Cien años de soledad».\n- Cuesta 25,99 €.",
            None,
        ),
        (
            "- Tengo «1984» y «Cien años de soledad».\n- Cuesta 20 €.",
            Some(Violation::Price),
        ),
        ("- Uno cuesta 20 €.\n- ¿Sí?", Some(Violation::Price)),
        ("- Uno es de 1949.\n- El otro, de 1967.", None),
        ("- Tengo «Cien años de soledad».\n- Por 20 €, «1984».", None),
        (
            "- Tengo «Cien años de soledad».\n- Por 25,99 €, «1984».",
            Some(Violation::Price),
        ),
    ] {
        let expected: Vec<_> = expected.into_iter().collect();
        check_text(text, &expected);
        let mut guard = LineGuard::new(Language::default());
        guard.know(&results());
        guard.push(text);
        guard.finish();
        let rejected = guard.verdict().rejected.values().sum::<usize>();
        assert_eq!(rejected, expected.len(), "{text}");
    }
}

#[test]
fn the_form_is_bullets_and_no_code() {
    check_text("", &[Violation::Empty]);
    check_text("- Uno solo.", &[Violation::Bullets]);
    check_text("Hola.\n- Adiós.", &[Violation::Bullets]);
    check_text(&"- a\n".repeat(6), &[Violation::Bullets]);
    check_text(
        "- {\"message\": \"hola\"}\n- b",
        &[Violation::Code, Violation::Title],
    );
    check_text("- ```\n- b", &[Violation::Code]);
    check_text(
        &format!("- {}\n- b", "a".repeat(800)),
        &[Violation::TooLong],
    );
}

#[test]
fn forms_are_put_right() {
    for (given, expected) in [
        (
            "Hola. Tengo dos libros. ¿Cuál quieres?",
            "- Hola.\n- Tengo dos libros.\n- ¿Cuál quieres?",
        ),
        ("1. Uno\n2) Dos\n• Tres", "- Uno\n- Dos\n- Tres"),
        (
            "Es de J. R. R. Tolkien. Muy bueno.",
            "- Es de J. R. R. Tolkien.\n- Muy bueno.",
        ),
        ("\n\n", ""),
    ] {
        assert_eq!(repair(given), expected);
    }
    assert_eq!(repair(&"- a\n".repeat(9)), ["- a"; 5].join("\n"));
}

/// A guard that has heard all of an answer.
fn closed(text: &str) -> LineGuard {
    let mut guard = LineGuard::new(Language::default());
    guard.know(&shelf());
    guard.push(text);
    guard.finish();
    guard.close();
    guard
}

#[test]
fn what_is_announced_comes() {
    for (text, passed, rejected) in [
        ("- Estos encajan:\n- «Rayuela», de Julio Cortázar.", 2, None),
        ("- Estos encajan:\n- Que vaya bien.", 1, Some("hollow")),
        (
            "- Estos encajan:\n- O estos:\n- «Rayuela».",
            2,
            Some("hollow"),
        ),
        ("- «Rayuela»:\n- ¿Quieres que siga?", 2, None),
        ("- Que vaya bien.\n- Estos encajan:", 1, Some("hollow")),
    ] {
        let guard = closed(text);
        assert_eq!(guard.passed().len(), passed, "{text}");
        let codes: Vec<&str> = guard.verdict().rejected.keys().copied().collect();
        assert_eq!(codes, Vec::from_iter(rejected), "{text}");
    }
}

#[test]
fn something_is_told_and_nothing_twice() {
    for (text, passed, rejected) in [
        (
            "- ¿Lo quieres?\n- ¿Novela o poesía?",
            0,
            Some(("hollow", 2)),
        ),
        ("- ¿Tenéis «Rayuela»?", 0, Some(("hollow", 1))),
        (
            "- Estos encajan:\n- ¿Quieres que siga?",
            0,
            Some(("hollow", 2)),
        ),
        (
            "- ¿Quieres que siga?\n- Estos encajan:",
            0,
            Some(("hollow", 2)),
        ),
        ("- ¿Una novela?\n- Tengo «Rayuela».", 2, None),
        ("- ¿Una novela?\n- Te propongo:\n- «Rayuela».", 3, None),
        ("- ¿Te gusta «Rayuela», a 21,90 €?", 1, None),
        ("- Tengo «Rayuela».\n- ¿La quieres?", 2, None),
        (
            "- ¿Sí?\n- ¿Sí?\n- Tengo «Rayuela».",
            2,
            Some(("repeated", 1)),
        ),
        (
            "- Tengo «Rayuela».\n* Tengo «Rayuela».",
            1,
            Some(("repeated", 1)),
        ),
        ("- ¿La «Rayuela»?\n- Cuesta 21,90 €.", 2, None),
    ] {
        let guard = closed(text);
        assert_eq!(guard.passed().len(), passed, "{text}");
        let rejections = guard.verdict().rejected.clone().into_iter();
        assert_eq!(
            rejections.collect::<Vec<_>>(),
            Vec::from_iter(rejected),
            "{text}"
        );
    }
    // Where nothing was found, asking is an answer.
    let mut guard = LineGuard::new(Language::default());
    guard.push("- ¿Buscas otra cosa?");
    assert_eq!(guard.finish().len(), 1);
}

#[test]
fn documents_are_named_and_say_nothing() {
    let passes = |name: &str| {
        let mut guard = LineGuard::new(Language::default());
        guard.know(&shelf());
        guard.know_documents(std::iter::once(name));
        guard.push(&format!("- «Rayuela» está en «{name}».\n- Sí.\n"));
        guard.passed().len() == 2
    };
    for (name, expected) in [
        ("lista de lecturas", true),
        ("Cuesta 1 euro", false),
        ("cinco euros", false),
        ("quedan 900 ejemplares", false),
        ("pedido confirmado", false),
        ("llega el jueves", false),
    ] {
        assert_eq!(passes(name), expected, "{name}");
    }
}
