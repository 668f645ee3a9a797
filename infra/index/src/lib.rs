//! From a shop's file to a catalogue: JSON Lines or CSV, read whole and checked whole before anything is written.

mod csv_file;
mod json_lines;
mod row;

use std::path::Path;

use mostrador_core::catalogue::Book;

/// Something wrong with a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    pub line: usize,
    pub problem: String,
}

/// Why a file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{0} cannot be read")]
    Unreadable(String, #[source] std::io::Error),
    #[error("{0} is neither .jsonl nor .csv")]
    UnknownKind(String),
    #[error(
        "the header in line 1 has no column {}; it names {}",
        .missing.join(", "), .named.join(", ")
    )]
    Columns {
        missing: Vec<&'static str>,
        named: Vec<String>,
    },
    #[error("{} of its lines cannot be taken", .0.len())]
    Lines(Vec<LineError>),
}

/// Reads a `.jsonl` or `.csv` file: every book with its copies. A price of 0 is taken for a slip, unless `allow_free` says otherwise.
///
/// # Errors
/// [`SourceError`]; with `Lines`, every line that is wrong is named.
pub fn read_file(path: &Path, allow_free: bool) -> Result<Vec<(Book, u32)>, SourceError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| SourceError::Unreadable(name.clone(), error))?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl" | "ndjson") => read_json_lines(&text, allow_free),
        Some("csv") => read_csv(&text, allow_free),
        _ => Err(SourceError::UnknownKind(name)),
    }
}

/// Reads JSON Lines: one object a line; blank lines and lines that begin with `#` are passed over.
///
/// # Errors
/// [`SourceError::Lines`].
pub fn read_json_lines(text: &str, allow_free: bool) -> Result<Vec<(Book, u32)>, SourceError> {
    row::collect(json_lines::rows(text), allow_free)
}

/// Reads CSV with a header line, separated by commas or semicolons.
///
/// # Errors
/// [`SourceError::Columns`] where the header lacks what every book needs, [`SourceError::Lines`].
pub fn read_csv(text: &str, allow_free: bool) -> Result<Vec<(Book, u32)>, SourceError> {
    csv_file::check_header(text)?;
    row::collect(csv_file::rows(text), allow_free)
}

#[cfg(test)]
mod tests {
    use mostrador_core::price::Price;

    use super::*;

    fn book(libro_id: u64) -> (Book, u32) {
        let book = Book {
            libro_id,
            titulo: "Rayuela".into(),
            autor: "Julio Cortázar".into(),
            isbn: "9780307474728".into(),
            precio: Price::from_minor(1895),
            categoria: "Novela".into(),
            editorial: "Alfaguara".into(),
            publicado: Some(1963),
            descripcion: "París, y un juego.".into(),
        };
        (book, 4)
    }

    fn errors(read: Result<Vec<(Book, u32)>, SourceError>) -> Vec<String> {
        match read {
            Err(SourceError::Lines(lines)) => lines.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_formats_say_the_same() {
        let json = "# demo\n\n{\"libro_id\":1,\"titulo\":\"Rayuela\",\"autor\":\"Julio Cortázar\",\"isbn\":\"0-307-47472-0\",\
                    \"precio\":\"18.95\",\"categoria\":\"Novela\",\"stock\":4,\"editorial\":\"Alfaguara\",\
                    \"año_publicacion\":1963,\"descripcion\":\"París, y un juego.\"}\n";
        let csv = "\u{feff}libro_id;titulo;autor;isbn;precio;categoria;stock;editorial;anio_publicacion;descripcion\r\n\
                   1;Rayuela;Julio Cortázar;9780307474728;18,95;Novela;4;Alfaguara;1963;\"París, y un juego.\"\r\n";
        assert_eq!(read_json_lines(json, false).unwrap(), vec![book(1)]);
        assert_eq!(read_csv(csv, false).unwrap(), vec![book(1)]);
    }

    #[test]
    fn every_bad_line_is_named() {
        let json = r#"{"libro_id":1,"titulo":"a","precio":"1"}
            {"libro_id":1,"titulo":"b","precio":"1"}
            nonsense
            {"libro_id":0,"titulo":"c","precio":"1"}
            {"libro_id":2,"precio":"1"}
            {"libro_id":3,"titulo":"d","precio":"-1"}
            {"libro_id":4,"titulo":"e","precio":"1","isbn":"9780307474729"}
            {"libro_id":5,"titulo":"f","precio":"1","stock":1.5}
            {"libro_id":6,"titulo":["g"],"precio":"1"}
            {"libro_id":7,"titulo":"h","precio":"$10"}
            {"libro_id":8,"titulo":"i","precio":"10 €"}
            {"libro_id":9,"titulo":"j","precio":0}"#;
        insta::assert_snapshot!(errors(read_json_lines(json, false)).join("\n"), @r#"
        line 2: libro_id 1 was already on line 1
        line 3: not a JSON object: expected ident at line 1 column 2
        line 4: libro_id "0" is not a positive whole number
        line 5: titulo is missing
        line 6: precio "-1" is not an amount with at most two decimals
        line 7: isbn "9780307474729" is not a valid ISBN-10 or ISBN-13
        line 8: stock "1.5" is not a whole number from 0 to 1000000
        line 9: titulo is neither text nor a number
        line 10: precio "$10" is not an amount with at most two decimals
        line 11: precio "10 €" is not an amount with at most two decimals
        line 12: precio "0" is a price for nothing; --allow-free takes it
        "#);
        let csv = "libro_id,titulo,precio\n1,a,1\n2,b\n3,c,gratis\n";
        insta::assert_snapshot!(errors(read_csv(csv, false)).join("\n"), @r#"
        line 3: not CSV: 2 values where the header names 3
        line 4: precio "gratis" is not an amount with at most two decimals
        "#);
        let free = read_csv("libro_id,titulo,precio\n1,a,0\n", true).unwrap();
        assert_eq!(free[0].0.precio, Price::from_minor(0));
    }

    #[test]
    fn a_header_that_lacks_columns_is_told_as_such() {
        for (csv, expected) in [
            (
                "sku;name;price\n7;Rayuela;18,95\n",
                "the header in line 1 has no column libro_id, titulo, precio; it names sku, name, price",
            ),
            (
                "libro_id,titulo\n1,a\n",
                "the header in line 1 has no column precio; it names libro_id, titulo",
            ),
            (
                "",
                "the header in line 1 has no column libro_id, titulo, precio; it names nothing",
            ),
        ] {
            let refused = read_csv(csv, false).unwrap_err().to_string();
            assert_eq!(refused, expected);
        }
    }
}
