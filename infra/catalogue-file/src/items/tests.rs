use mostrador_core::shop::Profile;
use serde_json::json;

use super::*;
use crate::{Read, Reading, SourceError};

fn shop() -> Profile {
    let attributes = json!([
        {"key": "talla", "label": {"es": "Talla"}, "type": "list"},
        {"key": "largo", "label": {"es": "Largo"}, "type": "number"},
        {"key": "marca", "label": {"es": "Marca"}, "type": "text", "names": true},
    ]);
    let Value::Object(members) =
        json!({"name": "Hilo", "languages": ["es"], "attributes": attributes})
    else {
        unreachable!()
    };
    Profile::read(members).unwrap()
}

fn check(name: &str, text: &str, shop: &Profile) -> Result<Read, SourceError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let reading = Reading {
        shop: shop.clone(),
        ..Reading::default()
    };
    reading.file(&path)
}

fn faults(checked: Result<Read, SourceError>) -> String {
    let Err(SourceError::Lines(lines)) = checked else {
        panic!("{checked:?}")
    };
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn items_are_taken_in_both_forms_and_books_as_books() {
    let json = r#"# demo
{"id": "a", "titulo": "Camisa", "precio": "25.90", "moneda": "EUR", "stock": 0, "url": null, "codigo": "8412345678905", "atributos": {"talla": ["S", "M"], "largo": 70, "marca": "Hilo"}, "sku": 1}
"#;
    let csv =
        "id;titulo;precio;talla;largo;Color\na;Camisa;25,9;S|M;70,5;azul\nb;Falda;30;;;rojo\n";
    let books = "libro_id,titulo,precio\n1,Rayuela,18.95\n";
    for (name, text, items, left_out) in [
        ("catalogue.jsonl", json, 1, &["sku"][..]),
        ("catalogue.csv", csv, 2, &["Color"]),
        ("catalogue.csv", books, 1, &[]),
    ] {
        let left_out = left_out.iter().map(|name| (*name).to_owned()).collect();
        let read = check(name, text, &shop()).unwrap();
        assert_eq!((read.items.len(), read.left_out), (items, left_out));
    }
    let (shirt, stock) = check("catalogue.csv", csv, &shop())
        .unwrap()
        .items
        .remove(0);
    insta::assert_snapshot!(
        format!("{} {} {stock} {:?}", shirt.id(), shirt.precio.minor(), shirt.details.atributos),
        @r#"a 2590 0 {"largo": Number(Number(70.5)), "talla": List(["S", "M"])}"#
    );
    assert!(matches!(
        check("catalogue.csv", "id,titulo,precio\n", &shop()),
        Err(SourceError::Empty)
    ));
}

#[test]
fn every_bad_item_is_named() {
    let item =
        |more: &str| format!("{{\"id\": \"a\", \"titulo\": \"x\", \"precio\": \"1\"{more}}}\n");
    let json = [
        "{\"id\": \"a\", \"precio\": \"1\"}\n".to_owned(),
        "{\"id\": \"a b\", \"titulo\": \"x\", \"precio\": \"1\"}\n".to_owned(),
        "{\"id\": \"a\", \"titulo\": \"x\", \"precio\": \"25.999\"}\n".to_owned(),
        "{\"id\": \"a\", \"titulo\": \"x\", \"precio\": \"0.00\"}\n".to_owned(),
        "nonsense\n".to_owned(),
        item(", \"moneda\": \"USD\""),
        item(", \"stock\": -1"),
        item(", \"url\": \"tienda.example\""),
        item(", \"imagen\": \"foto.png\""),
        item(", \"codigo\": \"8412345678906\""),
        item(", \"publicado_at\": \"ayer\""),
        item(", \"atributos\": [\"M\"]"),
        item(", \"atributos\": {\"tala\": [\"M\"]}"),
        item(", \"atributos\": {\"talla\": 7}"),
        item(", \"largo\": \"corto\""),
        item(", \"categoria\": [\"a\"]"),
        item(""),
        item(""),
    ];
    insta::assert_snapshot!(faults(check("catalogue.jsonl", &json.concat(), &shop())), @r#"
    line 1: titulo is missing
    line 2: id "a b" is not text of up to 64 characters without blanks
    line 3: precio "25.999" is not an amount with at most two decimals, up to 10000000
    line 4: precio "0.00" is a price for nothing; zero_prices = true in the profile takes it, or --allow-free
    line 5: not a JSON object: expected ident at line 1 column 2
    line 6: moneda "USD" is not EUR, which the shop's prices are in
    line 7: stock -1 is not a whole number from 0 to 1000000
    line 8: url "tienda.example" is not an address that begins with https://
    line 9: imagen "foto.png" is not an address that begins with https:// or data:image/, of up to 8000 characters
    line 10: codigo "8412345678906" is not an ISBN, EAN or GTIN with a right check digit, or a SKU
    line 11: publicado_at "ayer" is not a date such as 2026-03-01
    line 12: atributos is no object
    line 13: tala is none of the shop's attributes: add it to them or leave it out
    line 14: talla 7 is not a list of texts
    line 15: largo "corto" is not a number
    line 16: categoria ["a"] is not text of up to 1000 characters
    line 18: id a was already on line 17
    "#);
    let yen = Profile {
        currency: "JPY".to_owned(),
        zero_prices: true,
        ..shop()
    };
    let csv = "id,titulo,precio\na,x,1000\nb,x,10.5\nc,x,0\nd,x\n";
    insta::assert_snapshot!(faults(check("catalogue.csv", csv, &yen)), @r#"
    line 3: precio "10.5" is not an amount without decimals, up to 10000000
    line 5: not CSV: 2 values where the header names 3
    "#);
}

#[test]
fn a_spreadsheet_of_items_is_read_like_one_of_books() {
    let read = |columns: &str, bytes: &[u8]| {
        let columns = columns.split(',').filter(|column| !column.is_empty());
        let reading = Reading {
            shop: shop(),
            columns: columns.map(|column| column.parse().unwrap()).collect(),
        };
        reading.csv(bytes)
    };
    // By tabs and in Windows-1252, with names of its own.
    let text = "Código artículo\tNombre\tPVP\tTalla\tColour\tMarca\n7-a\tPantalón\t25,90\tS|M\tazul\tÑandú\n";
    let (latin, _, lossy) = encoding_rs::WINDOWS_1252.encode(text);
    assert!(!lossy);
    let found = read("id=Código artículo,titulo=Nombre,precio=pvp", &latin).unwrap();
    let (item, _) = &found.items[0];
    insta::assert_snapshot!(
        format!(
            "{} {} {} {:?} {:?} {}",
            item.id(), item.titulo, item.precio.minor(), item.details.atributos, found.left_out, found.encoding
        ),
        @r#"7-a Pantalón 2590 {"marca": Text("Ñandú"), "talla": List(["S", "M"])} {"Colour"} windows-1252"#
    );
    let fails = |columns: &str, text: &str| {
        let error = read(columns, text.as_bytes()).unwrap_err();
        error.to_string()
    };
    insta::assert_snapshot!(
        [
            fails("", "Título,precios,tala\na,1,S\n"),
            fails("precio=PVP", "id,titulo,price\na,b,1\n"),
            fails("talla=Tamaño", "id,titulo,precio\na,b,1\n"),
            fails("autor=Nombre", "id,titulo,precio\na,b,1\n"),
            fails("", ""),
            fails("", "\u{feff}\n"),
            fails("", "id,titulo,precio\n"),
        ]
        .join("\n"),
        @r#"
    the header in line 1 has no column id, precio; it names Título, precios (precio?), tala (talla?). --columns titulo=Nombre,precio=PVP tells what means what
    the header in line 1 has no column PVP (for precio); it names id, titulo, price. --columns titulo=Nombre,precio=PVP tells what means what
    the header in line 1 has no column Tamaño (for talla); it names id, titulo, precio. --columns titulo=Nombre,precio=PVP tells what means what
    autor is none of our columns, which are id, titulo, precio, moneda, stock, categoria, descripcion, url, imagen, otros_titulos, codigo, publicado_at, atributos, talla, largo, marca
    the file is empty
    the file is empty
    there is no item in it
    "#
    );
    let near = read("", b"id,titulo,precio,tallas,xyz\na,b,1,S,1\n").unwrap();
    let names: Vec<&str> = near.left_out.iter().map(String::as_str).collect();
    assert_eq!(names, ["tallas (talla?)", "xyz"]);
}

#[test]
fn another_currency_is_refused_of_books_too() {
    let mut reading = Reading::default();
    reading.shop.currency = "MXN".to_owned();
    let csv = b"libro_id,titulo,precio,moneda\n1,a,10,MXN\n2,b,10,EUR\n3,c,10,\n";
    insta::assert_snapshot!(faults(reading.csv(csv)), @r#"line 3: moneda "EUR" is not MXN, which the shop's prices are in"#);
    let json = br#"{"libro_id": 1, "titulo": "a", "precio": 10}"#;
    let read = reading.json_lines(json).unwrap();
    assert_eq!(read.items[0].0.details.moneda.as_deref(), Some("MXN"));
}
