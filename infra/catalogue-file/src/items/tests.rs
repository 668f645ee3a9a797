use mostrador_core::shop::Profile;
use serde_json::json;

use super::*;

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
    read_catalogue(&path, shop)
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
    line 3: precio "25.999" is not an amount with at most 2 decimals
    line 4: precio "0.00" is not more than nothing; zero_prices = true takes it
    line 5: not a JSON object: expected ident at line 1 column 2
    line 6: moneda "USD" is not EUR
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
    line 3: precio "10.5" is not an amount with at most 0 decimals
    line 5: not CSV: 2 values where the header names 3
    "#);
}
