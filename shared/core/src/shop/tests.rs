use crate::language::Language;
use serde_json::json;
use time::{OffsetDateTime, macros::datetime};

use super::*;

fn read(profile: serde_json::Value) -> Result<Profile, Vec<Fault>> {
    let serde_json::Value::Object(members) = profile else {
        panic!("{profile} is no object")
    };
    Profile::read(members)
}

fn faults(profile: serde_json::Value) -> String {
    let faults = read(profile).unwrap_err();
    let lines = faults.iter().map(ToString::to_string);
    let lines = lines.collect::<Vec<_>>().join("\n");
    // Whichever languages there are.
    let all: Vec<&str> = Language::all().map(Language::tag).collect();
    lines.replace(&all.join(", "), "those that there are")
}

#[test]
fn a_shop_without_a_profile_sells_books() {
    let default = Profile::default();
    assert_eq!(default.check(), []);
    let bookshop = serde_json::from_str(include_str!("bookshop.json")).unwrap();
    assert_eq!(default, bookshop);
    assert_eq!(default.noun["en"].many, "books");
    assert!(default.attribute("autor").unwrap().names);
}

/// What a category is called in one language tells it where nothing else does, and nobody has asked for another.
#[test]
fn a_category_tells_a_language() {
    let shop = json!({"name": "Ana", "kinds": {"Crimen": {"en": ["crime"], "pt": ["policial"]}}});
    let shop = read(shop).unwrap();
    let tag = |tag| Language::from_tag(tag).unwrap();
    for (message, accepted, expected) in [
        ("crime", "es", "en"),
        ("policial", "es", "pt"),
        ("crime", "pt", "pt"),
        ("crimen", "es", "es"),
        ("Rayuela", "es", "es"),
        ("¿tenéis crime?", "es", "es"),
    ] {
        assert_eq!(
            shop.language_of(message, tag(accepted)),
            tag(expected),
            "{message}"
        );
    }
}

#[test]
fn a_name_is_enough_and_what_is_written_is_read() {
    assert_eq!(read(json!({"name": "Ana"})), Ok(Profile::named("Ana")));
    for shop in [Profile::default(), Profile::named("Ana")] {
        let written = serde_json::to_value(&shop).unwrap();
        assert_eq!(read(written), Ok(shop));
    }
}

/// What it sells does not follow from what it calls that, in whichever language.
#[test]
fn a_shop_says_whether_it_sells_books() {
    let livro = json!({"pt": {"one": "livro", "many": "livros"}});
    let libro = json!({"es": {"one": "libro", "many": "libros"}});
    for (profile, expected) in [
        (
            json!({"name": "Ana", "languages": ["pt"], "sells": "books", "noun": livro}),
            true,
        ),
        (json!({"name": "Ana", "noun": libro}), false),
        (json!({"name": "Ana", "sells": "other"}), false),
    ] {
        let shop = read(profile.clone()).unwrap();
        assert_eq!(shop.sells_books(), expected, "{profile}");
    }
    read(json!({"name": "Ana", "sells": "libros"})).unwrap_err();
}

#[test]
fn words_are_the_shops_or_general_ones() {
    let noun = json!({"es": {"one": "prenda", "many": "prendas", "gender": "f"}});
    let shop =
        read(json!({"name": "Hilo", "noun": noun, "languages": ["en", "es"], "assistant": "Inés"}));
    let shop = shop.unwrap();
    let tags: Vec<&str> = shop.languages().into_iter().map(Language::tag).collect();
    assert_eq!(tags, ["en", "es"]);
    assert_eq!(shop.default_language().tag(), "en");
    assert_eq!((shop.assistant(), shop.tone()), ("Inés", None));
    let texts = |tags: &[&str]| -> Texts {
        let texts = tags
            .iter()
            .map(|tag| ((*tag).to_owned(), (*tag).to_owned()));
        texts.collect()
    };
    let spanish = Language::from_tag("es").unwrap();
    for (given, expected) in [
        (texts(&["en", "es"]), Some("es")),
        (texts(&["en", "pt"]), Some("en")),
        (texts(&["pt"]), Some("pt")),
        (texts(&[]), None),
    ] {
        assert_eq!(shop.text(&given, spanish), expected, "{given:?}");
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    let profile = json!({
        "name": " ",
        "assistant": "a".repeat(41),
        "tone": "one\ntwo",
        "languages": ["es", "es-MX", "zz", "es"],
        "currency": "eur",
        "time_zone": "Madrid",
        "noun": {"pt-BR": {"one": "livro", "many": "", "gender": "n"}},
        "attributes": [
            {"key": "talla", "label": {"es": "Talla"}, "type": "list"},
            {"key": "Talla", "label": {"es": "Talla"}, "type": "list"},
            {"key": "talla", "label": {"en": "Size"}, "type": "list"},
            {"key": "precio", "label": {"es": "Precio"}, "type": "number", "names": true},
        ],
        "contact": {"phone": "ring us", "whatsapp": "600 000 000", "email": "hola@tienda", "url": "tienda.example"},
        "hours": {"monday": ["14:00-10:00"], "tuesday": ["10-14"], "wednesday": ["10:00-14:00", "13:30-20:00"], "friday": ["9:00-9:00"],
                  "saturday": ["10:00-24:30"], "domingo": []},
        "exceptions": [
            {"date": "2026-02-30"},
            {"date": "2026-08-31", "until": "2026-08-01", "hours": ["x"], "reason": {}},
            {"date": "20260801", "reason": {"en": ""}},
        ],
        "places": [{"name": "", "address": "x"}],
        "policies": {"Envíos": {"es": "48 horas"}, "returns": {"es": "x".repeat(601)}},
        "picks": ["5", 203, "5"],
        "prompt": {"bullets_min": 4, "bullets_max": 3, "max_chars": 20},
        "starters": {"es": ["a", "", "c", "d", "e", "f", "g"]},
        "helpline": {"name": "", "phone": "1"},
    });
    insta::assert_snapshot!(faults(profile), @r#"
    name: is missing or blank — write a text
    assistant: has 41 characters — write 40 at most
    tone: has more than one line — write it in one
    languages[1]: "es-MX" is more than a language — write "es"
    languages[2]: "zz" is no language that there is — write one of those that there are
    languages[3]: "es" is there twice — leave one
    currency: "eur" is no currency — write EUR
    time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid"
    noun.pt-BR: "pt-BR" is none of the shop's languages — write one of es
    noun.pt-BR.many: is missing or blank — write a text
    noun.pt-BR.gender: "n" is no gender — write "f" or "m"
    attributes[1].key: "Talla" is no name of a column — write small letters, digits and _, such as "talla"
    attributes[2].key: "talla" is attributes[0] already — leave one
    attributes[2].label: has no text in the shop's first language — add es = "…"
    attributes[2].label.en: "en" is none of the shop's languages — write one of es
    attributes[3].key: "precio" is what every item has — leave it out or choose another name
    attributes[3].names: a number names no item — write type = "text" or names = false
    contact.phone: "ring us" is no telephone number — write it like "+34 910 000 000"
    contact.whatsapp: "600 000 000" has no country — write it like "+34 600 000 000"
    contact.email: "hola@tienda" is no address — write one such as "hola@tienda.example"
    contact.url: "tienda.example" is no address — write one such as "https://tienda.example"
    hours.domingo: "domingo" is no weekday — write one of monday, tuesday, wednesday, thursday, friday, saturday, sunday
    hours.friday[0]: "9:00-9:00" begins and ends at the same time — write "00:00-24:00" for a whole day
    hours.monday[0]: "14:00-10:00" ends before it begins — write "10:00-14:00", or what is after midnight as the next day's "00:00-…"
    hours.saturday[0]: "10:00-24:30" is not two times of a day — write "10:00-14:00"
    hours.tuesday[0]: "10-14" is not two times of a day — write "10:00-14:00"
    hours.wednesday[1]: "13:30-20:00" begins before the one before it has ended — write them in order, or as one
    exceptions[0].date: "2026-02-30" is no date — write it like "2026-12-25"
    exceptions[1].until: 2026-08-01 is before 2026-08-31 — write the last of the days
    exceptions[1].hours[0]: "x" is not two times of a day — write "10:00-14:00"
    exceptions[2].date: "20260801" is no date — write it like "2026-12-25"
    exceptions[2].reason: has no text in the shop's first language — add es = "…"
    exceptions[2].reason.en: "en" is none of the shop's languages — write one of es
    exceptions[2].reason.en: is missing or blank — write a text
    places[0].name: is missing or blank — write a text
    policies.Envíos: "Envíos" is no topic — write small letters and _, such as returns
    policies.returns.es: has 601 characters — write 600 at most
    picks[2]: "5" is there twice — leave one
    prompt.bullets_min: 4 is more than bullets_max, 3 — write 3 at most
    prompt.max_chars: 20 is too few or too many — write 200 to 2000
    starters.es: are 7 — leave 6 at most
    starters.es[1]: is missing or blank — write a text
    helpline.name: is missing or blank — write a text
    helpline.phone: "1" is no telephone number — write it like "+34 910 000 000"
    "#);
    let unread = json!({
        "name": 7, "nombre": "x", "currency": ["EUR"], "hours": {"monday": "10:00-14:00"}, "attributes": [{"key": "a", "label": {}}],
        "contact": {"fax": "1"}, "prompt": {"bullets_max": 1000}, "exceptions": [{"date": "2026-01-01"}]
    });
    insta::assert_snapshot!(faults(unread), @r#"
    attributes[0]: missing field `type`
    contact.fax: unknown field `fax`, expected one of `phone`, `whatsapp`, `email`, `url`
    currency: invalid type: sequence, expected a string
    hours.monday: invalid type: string "10:00-14:00", expected a sequence
    name: invalid type: integer `7`, expected a string
    nombre: unknown field `nombre`, expected one of `name`, `assistant`, `tone`, `languages`, `currency`, `time_zone`, `sells`, `noun`, `attributes`, `contact`, `hours`, `exceptions`, `places`, `policies`, `documents`, `kinds`, `picks`, `prompt`, `starters`, `zero_prices`, `handoff`, `helpline`
    time_zone: is missing, and hours need it — write one such as "Europe/Madrid"
    prompt.bullets_max: 1000 is too few or too many — write 1 to 10
    "#);
}

fn open(shop: &Profile, now: OffsetDateTime) -> String {
    let opening = shop.opening(now).unwrap();
    let state = if opening.is_open { "open" } else { "closed" };
    match opening.changes_at {
        Some(changes_at) => format!("{state} until {changes_at}"),
        None => state.to_owned(),
    }
}

#[test]
fn it_is_open_by_its_own_clock() {
    let shop = read(json!({
        "name": "Hilo",
        "time_zone": "Europe/Madrid",
        "hours": {"monday": ["10:00-14:00", "17:00-20:30"], "friday": ["20:00-24:00"], "saturday": ["0:00-2:00"], "sunday": ["2:15-4:00"]},
        "exceptions": [
            {"date": "2026-11-30", "hours": ["12:00-13:00"]},
            {"date": "2026-08-01", "until": "2026-08-31", "reason": {"es": "Vacaciones"}},
        ],
    }));
    let shop = shop.unwrap();
    for (now, expected) in [
        (
            datetime!(2026-11-23 09:00 UTC),
            "open until 2026-11-23 14:00:00.0 +01:00:00",
        ),
        (
            datetime!(2026-11-23 13:00 UTC),
            "closed until 2026-11-23 17:00:00.0 +01:00:00",
        ),
        (
            datetime!(2026-11-23 19:29:59 UTC),
            "open until 2026-11-23 20:30:00.0 +01:00:00",
        ),
        // Up to midnight and from midnight on: it does not close in between.
        (
            datetime!(2026-11-27 22:00 UTC),
            "open until 2026-11-28 2:00:00.0 +01:00:00",
        ),
        // An exception counts, and not the weekday.
        (
            datetime!(2026-11-30 09:30 UTC),
            "closed until 2026-11-30 12:00:00.0 +01:00:00",
        ),
        (
            datetime!(2026-07-31 22:00 UTC),
            "closed until 2026-09-04 20:00:00.0 +02:00:00",
        ),
        // 2:15 is left out on the night on which clocks go forward.
        (
            datetime!(2026-03-29 00:30 UTC),
            "closed until 2026-03-29 3:15:00.0 +02:00:00",
        ),
        // On the night on which they go back there are two.
        (
            datetime!(2026-10-25 00:05 UTC),
            "closed until 2026-10-25 2:15:00.0 +02:00:00",
        ),
        (
            datetime!(2026-10-25 01:05 UTC),
            "closed until 2026-10-25 2:15:00.0 +01:00:00",
        ),
        (
            datetime!(2026-10-25 01:30 UTC),
            "open until 2026-10-25 4:00:00.0 +01:00:00",
        ),
    ] {
        assert_eq!(open(&shop, now), expected, "{now}");
    }
    let never = Profile {
        hours: [("monday".to_owned(), Vec::new())].into(),
        exceptions: Vec::new(),
        ..shop
    };
    assert_eq!(open(&never, datetime!(2026-11-23 09:00 UTC)), "closed");
    assert_eq!(
        Profile::default().opening(datetime!(2026-11-23 09:00 UTC)),
        None
    );
}
