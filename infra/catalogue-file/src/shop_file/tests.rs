use mostrador_core::language::Language;

use super::*;

fn faults(read: Result<Profile, Vec<PlacedFault>>) -> String {
    let faults = read.unwrap_err();
    let lines = faults.iter().map(ToString::to_string);
    let lines = lines.collect::<Vec<_>>().join("\n");
    // Whichever languages there are.
    let all: Vec<&str> = Language::all().map(Language::tag).collect();
    lines.replace(&all.join(", "), "those that there are")
}

const TOML: &str = r#"
name = "Hilo"
languages = ["es", "en"]
time_zone = "Europe/Madrid"
noun.es = { one = "prenda", many = "prendas", gender = "f" }

[[attributes]]
key = "talla"
label = { es = "Talla", en = "Size" }
type = "list"
filter = true

[hours]
monday = ["10:00-14:00", "17:00-20:30"]

[[exceptions]]
date = 2026-12-25
reason.es = "Navidad"
"#;

#[test]
fn both_forms_are_the_same_profile() {
    let profile = profile_from_toml(TOML).unwrap();
    assert_eq!(profile.exceptions[0].date, "2026-12-25");
    let json = serde_json::to_string(&profile).unwrap();
    assert_eq!(profile_from_json(&json).unwrap(), profile);
}

#[test]
fn every_fault_has_its_place() {
    let toml = TOML
        .replace("\"en\"]", "\"english\"]")
        .replace("gender = \"f\"", "gender = 'x'")
        .replace("10:00-14:00", "ñ")
        .replace("2026-12-25", "2026-12-25T10:00:00Z")
        .replace("filter = true", "filter = \"yes\"")
        .replace("Europe/Madrid", "CET/Madrid");
    insta::assert_snapshot!(faults(profile_from_toml(&toml)), @r#"
    3:20: languages[1]: "english" is no language that there is — write one of those that there are
    4:1: time_zone: "CET/Madrid" is no time zone — write one such as "Europe/Madrid"
    5:47: noun.es.gender: "x" is no gender — write "f" or "m"
    9:25: attributes[0].label.en: "en" is none of the shop's languages — write one of es
    11:1: attributes[0].filter: invalid type: string "yes", expected a boolean
    14:11: hours.monday[0]: "ñ" is not two times of a day — write "10:00-14:00"
    17:1: exceptions[0].date: "2026-12-25T10:00:00Z" is no date — write it like "2026-12-25"
    "#);
    insta::assert_snapshot!(faults(profile_from_toml("\n[hours]\nmonday=['1-2']")), @r#"
    1:1: name: is missing or blank — write a text
    1:1: time_zone: is missing, and hours need it — write one such as "Europe/Madrid"
    3:9: hours.monday[0]: "1-2" is not two times of a day — write "10:00-14:00"
    "#);
    let json = "{\n  \"name\": \"Hilo\",\n  \"currency\": \"euros\", \"contact\": {\"email\": \"x\", \"phone\": \"ñ\"},\n  \"places\": [{\"name\": \"a\", \"address\": \"b\"},\n    {\"name\": \"\", \"address\": \"b\"}]}";
    insta::assert_snapshot!(faults(profile_from_json(json)), @r#"
    3:15: currency: "euros" is no currency — write three letters of ISO 4217, such as EUR
    3:45: contact.email: "x" is no address — write one such as "hola@tienda.example"
    3:59: contact.phone: "ñ" is no telephone number — write it like "+34 910 000 000"
    5:14: places[1].name: is missing or blank — write a text
    "#);
}

#[test]
fn what_is_neither_form_is_named() {
    insta::assert_snapshot!(faults(profile_from_toml("name = Hilo\n[hours\nmonday = 1\n")), @r#"
    1:8: is not TOML — string values must be quoted, expected literal string
    2:7: is not TOML — unclosed table, expected `]`
    "#);
    insta::assert_snapshot!(faults(profile_from_json("{\"name\": \"a\",\n  tono}")), @r#"2:3: is not a JSON object — key must be a string"#);
    insta::assert_snapshot!(faults(profile_from_json("[]")), @r#"1:1: is not a JSON object — invalid type: sequence, expected a map"#);
    let unknown = read_profile(Path::new("shop.yaml")).unwrap_err();
    assert_eq!(unknown.to_string(), "shop.yaml is neither .toml nor .json");
}
