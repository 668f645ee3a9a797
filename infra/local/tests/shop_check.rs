//! `mostrador shop check`: the whole of what it prints, over good and bad files.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{path::Path, process::Command};

use mostrador_core::language::Language;

/// What the program prints, with its exit code, started in `folder`.
fn check(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mostrador"))
        .args(["shop", "check"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    let printed = format!(
        "{}{}exit code {code}",
        text(output.stdout),
        text(output.stderr)
    );
    // Whichever languages there are.
    let all: Vec<&str> = Language::all().map(Language::tag).collect();
    printed.replace(&all.join(", "), "those that there are")
}

fn in_folder(files: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    check(folder.path(), &[])
}

#[test]
fn the_demo_shops_are_good() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    insta::assert_snapshot!(check(&demo, &["bookshop"]), @r#"
    bookshop/shop.toml can be used
      name        Librería Macondo, with Mostrador
      languages   those that there are
      noun        en book, books; es libro, libros; pt livro, livros
      currency    EUR, 2 decimals
      attributes  autor (text, names, filter, facet); editorial (text, filter); año_publicacion (number)
      documents   Services (en, 6 passages); Servicios (es, 6 passages); Serviços (pt, 6 passages)
      picks       5; 61; 153; 269; 297; 157; 209; 137
      items       374 items in bookshop/catalogue.jsonl
    exit code 0
    "#);
    insta::assert_snapshot!(check(&demo, &["clothes"]), @r#"
    clothes/shop.toml can be used
      name        Hilo y Percha, with Inés
      languages   those that there are
      noun        en garment, garments; es prenda, prendas; pt peça, peças
      currency    EUR, 2 decimals
      attributes  talla (list, filter, facet); color (text, filter, facet); material (text, filter); marca (text, names, filter, facet); temporada (text, filter, facet); largo_cm (number)
      documents   A loja (pt, 4 passages); The shop (en, 4 passages); La tienda (es, 4 passages)
      picks       camisa-lino-blanca; gabardina-clasica-beige; jersey-cuello-pico-azul; gorro-punto-pompon; vestido-midi-flores; camiseta-nino-dinosaurio
      items       60 items in clothes/catalogue.jsonl
    exit code 0
    "#);
}

#[test]
fn a_name_is_enough() {
    insta::assert_snapshot!(in_folder(&[("shop.toml", "name = 'Ana'\n")]), @r#"
    ./shop.toml can be used
      name        Ana, with Ana
      languages   those that there are
      noun        none
      currency    EUR, 2 decimals
      attributes  none
      documents   none
      picks       none
      items       no catalogue
    exit code 0
    "#);
    let csv = "id;titulo;precio;talla\na;Camisa;1000;M\n";
    let json = r#"{"name": "Ana", "currency": "JPY", "picks": ["a", 7, "b"]}"#;
    insta::assert_snapshot!(in_folder(&[("shop.json", json), ("catalogue.csv", csv)]), @r#"
    ./shop.json can be used
      name        Ana, with Ana
      languages   those that there are
      noun        none
      currency    JPY, 0 decimals
      attributes  none
      documents   none
      picks       a; 7; b; not in the catalogue: 7, b
      items       1 item in ./catalogue.csv; left out: talla
    exit code 0
    "#);
}

#[test]
fn every_fault_is_printed_with_its_place() {
    let toml = r#"name = ""
languages = ["es", "español"]
currency = "€"
time_zone = "Madrid"
noun.es = { one = "prenda", many = "prendas", gender = "femenino" }

[[attributes]]
key = "Talla"
label = { es = "Talla" }
type = "list"

[[attributes]]
key = "stock"
label = { en = "Stock" }
type = "number"
names = true

[contact]
email = "hola"
whatsapp = "600 000 000"

[hours]
monday = ["14:00-10:00"]
lunes = ["10:00-14:00"]
tuesday = ["10:00-14:00", "13:00-15:00"]

[[exceptions]]
date = 2026-12-24
until = 2026-12-01

[policies]
returns.es = ""

[prompt]
bullets_max = 50

[starters]
fr = ["Bonjour"]

[helpline]
name = "024"
phone = "cero veinticuatro"
"#;
    let catalogue = "{\"id\": 1}\n";
    insta::assert_snapshot!(in_folder(&[("shop.toml", toml), ("catalogue.jsonl", catalogue)]), @r#"
    ./shop.toml:1:1: name: is missing or blank — write a text
    ./shop.toml:2:20: languages[1]: "español" is no language that there is — write one of those that there are
    ./shop.toml:3:1: currency: "€" is no currency — write three letters of ISO 4217, such as EUR
    ./shop.toml:4:1: time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid"
    ./shop.toml:5:47: noun.es.gender: "femenino" is no gender — write "f" or "m"
    ./shop.toml:8:1: attributes[0].key: "Talla" is no name of a column — write small letters, digits and _, such as "talla"
    ./shop.toml:13:1: attributes[1].key: "stock" is what every item has — leave it out or choose another name
    ./shop.toml:14:1: attributes[1].label: has no text in the shop's first language — add es = "…"
    ./shop.toml:14:11: attributes[1].label.en: "en" is none of the shop's languages — write one of es
    ./shop.toml:16:1: attributes[1].names: a number names no item — write type = "text" or names = false
    ./shop.toml:19:1: contact.email: "hola" is no address — write one such as "hola@tienda.example"
    ./shop.toml:20:1: contact.whatsapp: "600 000 000" has no country — write it like "+34 600 000 000"
    ./shop.toml:23:11: hours.monday[0]: "14:00-10:00" ends before it begins — write "10:00-14:00", or what is after midnight as the next day's "00:00-…"
    ./shop.toml:24:1: hours.lunes: "lunes" is no weekday — write one of monday, tuesday, wednesday, thursday, friday, saturday, sunday
    ./shop.toml:25:27: hours.tuesday[1]: "13:00-15:00" begins before the one before it has ended — write them in order, or as one
    ./shop.toml:29:1: exceptions[0].until: 2026-12-01 is before 2026-12-24 — write the last of the days
    ./shop.toml:32:9: policies.returns.es: is missing or blank — write a text
    ./shop.toml:35:1: prompt.bullets_max: 50 is too few or too many — write 1 to 10
    ./shop.toml:38:1: starters.fr: "fr" is none of the shop's languages — write one of es
    ./shop.toml:42:1: helpline.phone: "cero veinticuatro" is no telephone number — write it like "+34 910 000 000"
    error: 20 faults; ./catalogue.jsonl is looked at afterwards
    exit code 1
    "#);
    let unread = "name = \"Ana\"\nhorario = \"10-14\"\ncontact = \"600\"\nattributes = [{ key = \"talla\", label = {}, type = \"lista\" }]\nhours.monday = \"10:00-14:00\"\n";
    insta::assert_snapshot!(in_folder(&[("shop.toml", unread)]), @r#"
    ./shop.toml:1:1: time_zone: is missing, and hours need it — write one such as "Europe/Madrid"
    ./shop.toml:2:1: horario: unknown field `horario`, expected one of `name`, `assistant`, `tone`, `languages`, `currency`, `time_zone`, `sells`, `noun`, `attributes`, `contact`, `hours`, `exceptions`, `places`, `policies`, `documents`, `kinds`, `picks`, `prompt`, `starters`, `zero_prices`, `handoff`, `helpline`
    ./shop.toml:3:1: contact: invalid type: string "600", expected struct Contact
    ./shop.toml:4:44: attributes[0].type: unknown variant `lista`, expected one of `text`, `number`, `list`
    ./shop.toml:5:7: hours.monday: invalid type: string "10:00-14:00", expected a sequence
    error: 5 faults
    exit code 1
    "#);
    insta::assert_snapshot!(in_folder(&[("shop.toml", "name = Ana\n[hours\n")]), @r#"
    ./shop.toml:1:8: is not TOML — string values must be quoted, expected literal string
    ./shop.toml:2:7: is not TOML — unclosed table, expected `]`
    error: 2 faults
    exit code 1
    "#);
}

#[test]
fn the_catalogue_is_looked_at_by_the_profile() {
    let toml = "name = 'Ana'\ncurrency = 'USD'\n";
    let catalogue = "\
{\"id\": \"a\", \"titulo\": \"Camisa\", \"precio\": \"10.00\", \"moneda\": \"EUR\"}
{\"id\": \"b\", \"titulo\": \"Falda\", \"precio\": \"0\"}
{\"id\": \"c\", \"titulo\": \"Gorro\", \"precio\": \"5\", \"atributos\": {\"talla\": [\"M\"]}}
{\"id\": \"d\", \"titulo\": \"Polo\", \"precio\": \"5\"}
{\"id\": \"d\", \"titulo\": \"Polo\", \"precio\": \"5\"}
";
    insta::assert_snapshot!(in_folder(&[("shop.toml", toml), ("catalogue.jsonl", catalogue)]), @r#"
    ./catalogue.jsonl:1: moneda "EUR" is not USD, which the shop's prices are in
    ./catalogue.jsonl:2: precio "0" is a price for nothing; zero_prices = true in the profile takes it, or --allow-free
    ./catalogue.jsonl:3: talla is none of the shop's attributes: add it to them or leave it out
    ./catalogue.jsonl:5: id d was already on line 4
    error: 4 faults
    exit code 1
    "#);
    insta::assert_snapshot!(in_folder(&[("shop.toml", toml), ("catalogue.csv", "id,titulo,precio\n")]), @r#"
    ./catalogue.csv: there is no item in it
    error: 1 fault
    exit code 1
    "#);
    insta::assert_snapshot!(in_folder(&[]), @r#"
    error: there is no shop.toml in .
    exit code 1
    "#);
}

#[test]
fn documents_lie_beside_the_profile() {
    // Those that the product carries are those of the folder.
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/bookshop/about");
    let source = include_str!("../src/profile.rs");
    for entry in std::fs::read_dir(demo).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(source.contains(&format!("about/{name}\"")), "{name}");
    }
    let profile = ("shop.toml", "name = 'Ana'\n");
    let about = "# Servicios\n\nHacemos arreglos.\n\n## Encargos\n\n- Telas\n- Botones\n";
    let files = [
        profile,
        ("about/servicios.es.md", about),
        ("about/notas.txt", "nada"),
    ];
    let printed = in_folder(&files);
    assert!(
        printed.contains("documents   Servicios (es, 2 passages)"),
        "{printed}"
    );
    let long = "palabra ".repeat(100);
    let faulty = [
        profile,
        ("about/largo.es.md", &long),
        ("about/otro.xx.md", "Hola."),
    ];
    insta::assert_snapshot!(in_folder(&faulty), @r#"
    ./about/largo.es.md: passages[0].text: has 799 characters — write 600 at most
    ./about/otro.xx.md: language: "xx" is none of the shop's languages — write one of those that there are
    error: 2 faults
    exit code 1
    "#);
}
