//! From a shop's files to its catalogue, profile and documents, and from a business's file to the business. A catalogue is JSON Lines or
//! CSV, read whole and checked whole before anything is written.

mod books;
mod columns;
mod csv_file;
mod documents;
mod items;
mod json_lines;
mod money;
mod shop_file;
mod table;

use std::{collections::BTreeSet, path::Path};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use mostrador_core::{catalogue::Item, shop::Profile};

use columns::Columns;
pub use columns::Renamed;
pub use documents::document;
pub use shop_file::{
    FileError, PlacedFault, business_from_toml, profile_from_json, profile_from_toml,
    read_business, read_profile,
};
use table::Table;

/// Longest texts taken, in characters.
const NAME_CHARS: usize = 1_000;
const DESCRIPTION_CHARS: usize = 8_000;
/// Most copies of one item.
const STOCK_MAX: u32 = 1_000_000;

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
    #[error("{0} is none of .jsonl, .csv, .tsv and .txt")]
    UnknownKind(String),
    #[error(
        "the header in line 1 has no column {missing}; it names {named}. --columns titulo=Nombre,precio=PVP tells what means what"
    )]
    Columns { missing: String, named: String },
    #[error("{ours} is none of our columns, which are {known}")]
    NoSuchColumn { ours: String, known: String },
    #[error("the columns {} both mean {ours}", .names.join(" and "))]
    Twice { ours: String, names: [String; 2] },
    #[error("the file is empty")]
    Blank,
    #[error("there is no item in it")]
    Empty,
    #[error("{} of its lines cannot be taken", .0.len())]
    Lines(Vec<LineError>),
}

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Whose items it holds; a bookshop's by default.
    pub shop: Profile,
    /// What the file calls otherwise.
    pub columns: Vec<Renamed>,
}

/// What a file holds.
#[derive(Debug, PartialEq)]
pub struct Read {
    /// Every item with its stock; never empty.
    pub items: Vec<(Item, u32)>,
    /// Its columns that mean nothing to us, each with the nearest of ours if one is near.
    pub left_out: BTreeSet<String>,
    /// What its text was written in.
    pub encoding: &'static str,
}

impl Reading {
    /// Reads a `.jsonl` file, or one that a spreadsheet has written (`.csv`, `.tsv`, `.txt`).
    ///
    /// # Errors
    /// [`SourceError`]; with `Lines`, every line that is wrong is named.
    pub fn file(&self, path: &Path) -> Result<Read, SourceError> {
        let name = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|error| SourceError::Unreadable(name.clone(), error))?;
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson") => self.json_lines(&bytes),
            Some("csv" | "tsv" | "txt") => self.csv(&bytes),
            _ => Err(SourceError::UnknownKind(name)),
        }
    }

    /// Reads JSON Lines: one object a line; blank lines and lines that begin with `#` are passed over.
    ///
    /// # Errors
    /// [`SourceError::Lines`], [`SourceError::Empty`], [`SourceError::Blank`], [`SourceError::NoSuchColumn`].
    pub fn json_lines(&self, bytes: &[u8]) -> Result<Read, SourceError> {
        self.read(bytes, json_lines::table)
    }

    /// Reads CSV with a header line, separated by commas, semicolons or tabs.
    ///
    /// # Errors
    /// The same, [`SourceError::Columns`] where the header lacks what every item needs, and [`SourceError::Twice`].
    pub fn csv(&self, bytes: &[u8]) -> Result<Read, SourceError> {
        self.read(bytes, csv_file::table)
    }

    fn read(&self, bytes: &[u8], table: impl Fn(&str) -> Table) -> Result<Read, SourceError> {
        let (text, encoding) = decoded(bytes);
        if text.trim().is_empty() {
            return Err(SourceError::Blank);
        }
        let table = table(&text);
        let columns = Columns::of(&table, &self.shop, &self.columns)?;
        let (lines, left_out) = columns.translate(table);
        let item = if columns.of_books {
            books::book
        } else {
            items::item
        };
        Ok(Read {
            items: table::collect(lines, |members| item(members, &self.shop))?,
            left_out,
            encoding: encoding.name(),
        })
    }
}

/// UTF-8, or UTF-16 with its mark; what is neither is what spreadsheets write where nobody has chosen (and call ANSI or Latin-1).
fn decoded(bytes: &[u8]) -> (String, &'static Encoding) {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    match text {
        Some(text) => (text.into_owned(), encoding),
        None => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            (text.into_owned(), WINDOWS_1252)
        }
    }
}

#[cfg(test)]
mod tests {
    use mostrador_core::{catalogue::Details, price::Price};

    use super::*;

    fn item(libro_id: u64) -> (Item, u32) {
        let item = Item {
            libro_id,
            titulo: "Rayuela".into(),
            autor: "Julio Cortázar".into(),
            isbn: "9780307474728".into(),
            precio: Price::from_minor(1895),
            categoria: "Novela".into(),
            editorial: "Alfaguara".into(),
            publicado: Some(1963),
            descripcion: "París, y un juego.".into(),
            details: Details::default(),
        };
        (item, 4)
    }

    fn errors(read: Result<Read, SourceError>) -> Vec<String> {
        match read {
            Err(SourceError::Lines(lines)) => lines.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_formats_read_alike() {
        let json = "# demo\n\n{\"libro_id\":1,\"titulo\":\"Rayuela\",\"autor\":\"Julio Cortázar\",\"isbn\":\"0-307-47472-0\",\
                    \"precio\":\"18.95\",\"categoria\":\"Novela\",\"stock\":4,\"editorial\":\"Alfaguara\",\
                    \"año_publicacion\":1963,\"descripcion\":\"París, y un juego.\"}\n";
        let csv = "\u{feff}libro_id;titulo;autor;isbn;precio;categoria;stock;editorial;anio_publicacion;descripcion\r\n\
                   1;Rayuela;Julio Cortázar;9780307474728;18,95;Novela;4;Alfaguara;1963;\"París, y un juego.\"\r\n";
        let reading = Reading::default();
        let expected = Read {
            items: vec![item(1)],
            left_out: BTreeSet::new(),
            encoding: "UTF-8",
        };
        assert_eq!(reading.json_lines(json.as_bytes()).unwrap(), expected);
        assert_eq!(reading.csv(csv.as_bytes()).unwrap(), expected);
        // As spreadsheets save it where one does not look: by tabs, and not in UTF-8.
        let tabs = csv.trim_start_matches('\u{feff}').replace(';', "\t");
        let (latin, _, lossy) = WINDOWS_1252.encode(&tabs);
        assert!(!lossy);
        let read = reading.csv(&latin).unwrap();
        assert_eq!((read.items, read.encoding), (vec![item(1)], "windows-1252"));
        let mut utf_16 = vec![0xff, 0xfe];
        utf_16.extend(tabs.encode_utf16().flat_map(u16::to_le_bytes));
        let read = reading.csv(&utf_16).unwrap();
        assert_eq!((read.items, read.encoding), (vec![item(1)], "UTF-16LE"));
    }

    #[test]
    fn columns_are_mapped_by_name_or_option() {
        let renamed = |columns: &str| Reading {
            columns: columns
                .split(',')
                .map(|column| column.parse().unwrap())
                .collect(),
            ..Reading::default()
        };
        let csv =
            "Libro ID;Nombre;TÍTULO;PVP;Año publicación;Talla\n1;Rayuela;otra cosa;18,95;1963;M\n";
        let read = renamed("titulo=nombre,precio=PVP")
            .csv(csv.as_bytes())
            .unwrap();
        let (item, _) = &read.items[0];
        assert_eq!(
            (item.titulo.as_str(), item.precio, item.publicado),
            ("Rayuela", Price::from_minor(1895), Some(1963))
        );
        let left_out = ["TÍTULO", "Talla"].map(str::to_owned);
        assert_eq!(read.left_out, BTreeSet::from(left_out.clone()));
        let json = r#"{"Libro ID": 1, "Nombre": "Rayuela", "TÍTULO": 7, "PVP": 18.95, "año_publicacion": 1963, "Talla": ["M"]}"#;
        let same = renamed("titulo=nombre,precio=PVP").json_lines(json.as_bytes());
        let same = same.unwrap();
        assert_eq!((&same.items, same.left_out), (&read.items, read.left_out));
        let refused = renamed("name=Nombre").csv(csv.as_bytes());
        let refused = refused.unwrap_err().to_string();
        assert!(refused.starts_with("name is none of our columns, which are libro_id, titulo"));
        assert!("titulo".parse::<Renamed>().is_err());
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
        insta::assert_snapshot!(errors(Reading::default().json_lines(json.as_bytes())).join("\n"), @r#"
        line 2: libro_id 1 was already on line 1
        line 3: not a JSON object: expected ident at line 1 column 2
        line 4: libro_id "0" is not a positive whole number
        line 5: titulo is missing
        line 6: precio "-1" is not an amount with at most two decimals, up to 10000000
        line 7: isbn "9780307474729" is not a valid ISBN-10 or ISBN-13
        line 8: stock "1.5" is not a whole number from 0 to 1000000
        line 9: titulo is neither text nor a number
        line 10: precio "$10" is not an amount with at most two decimals, up to 10000000
        line 11: precio "10 €" is not an amount with at most two decimals, up to 10000000
        line 12: precio "0" is a price for nothing; zero_prices = true in the profile takes it, or --allow-free
        "#);
        let csv = "libro_id,titulo,precio\n1,a,1\n2,b\n3,c,gratis\n";
        insta::assert_snapshot!(errors(Reading::default().csv(csv.as_bytes())).join("\n"), @r#"
        line 3: not CSV: 2 values where the header names 3
        line 4: precio "gratis" is not an amount with at most two decimals, up to 10000000
        "#);
        let mut free = Reading::default();
        free.shop.zero_prices = true;
        let free = free.csv(b"libro_id,titulo,precio\n1,a,0\n").unwrap();
        assert_eq!(free.items[0].0.precio, Price::from_minor(0));
    }

    #[test]
    fn a_header_that_lacks_columns_is_reported_as_such() {
        let failure = |columns: &str, csv: &str| {
            let columns = columns.split(',').filter(|column| !column.is_empty());
            let reading = Reading {
                columns: columns.map(|column| column.parse().unwrap()).collect(),
                ..Reading::default()
            };
            reading.csv(csv.as_bytes()).unwrap_err().to_string()
        };
        let way_out = "--columns titulo=Nombre,precio=PVP tells what means what";
        for (columns, csv, expected) in [
            (
                "",
                "sku;name;price\n7;Rayuela;18,95\n",
                "no column libro_id, titulo, precio; it names sku, name, price",
            ),
            (
                "",
                "libro_id,titulo\n1,a\n",
                "no column precio; it names libro_id, titulo",
            ),
            (
                "",
                "libro_id,Titlo,Precios\n1,a,1\n",
                "no column titulo, precio; it names libro_id, Titlo (titulo?), Precios (precio?)",
            ),
            (
                "titulo=Nombre,autor=Autoría",
                "libro_id,titulo,precio\n1,a,1\n",
                "no column Nombre (for titulo), Autoría (for autor); it names libro_id, titulo, precio",
            ),
        ] {
            let expected = format!("the header in line 1 has {expected}. {way_out}");
            assert_eq!(failure(columns, csv), expected);
        }
        assert_eq!(
            failure("", "libro_id,titulo,Título,precio\n1,a,b,1\n"),
            "the columns titulo and Título both mean titulo"
        );
        assert_eq!(
            failure("", "libro_id,titulo,precio\n"),
            "there is no item in it"
        );
        assert_eq!(failure("", " \n"), "the file is empty");
        let nothing = Reading::default().json_lines(b"# nothing yet\n");
        assert!(matches!(nothing, Err(SourceError::Empty)), "{nothing:?}");
    }
}
