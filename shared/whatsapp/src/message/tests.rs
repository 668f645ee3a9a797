use insta::assert_json_snapshot;
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::{
    ids::{MessageId, Phone, UserId},
    measure::length,
};

fn wording() -> Wording {
    Wording {
        open_list: "Ver las opciones disponibles".to_owned(),
        more: Choice {
            id: "more".to_owned(),
            title: "Ver más".to_owned(),
            description: None,
        },
    }
}

fn choice(id: &str, title: &str, description: &str) -> Choice {
    Choice {
        id: id.to_owned(),
        title: title.to_owned(),
        description: Some(description.to_owned()).filter(|text| !text.is_empty()),
    }
}

fn outgoing(text: &str, choices: &[(&str, &str, &str)]) -> Outgoing {
    let choices = choices.iter();
    Outgoing {
        choices: choices
            .map(|(id, title, text)| choice(id, title, text))
            .collect(),
        ..Outgoing::plain(text)
    }
}

fn sent(outgoing: &Outgoing) -> Value {
    let body = outgoing.body(&wording()).unwrap();
    let to = Recipient::Phone(Phone::new("34600111222").unwrap());
    serde_json::to_value(Request::new(&to, body)).unwrap()
}

#[test]
fn an_answer_is_one_message() {
    assert_json_snapshot!("text", sent(&outgoing(" «M*A*S*H»: 9 €\n- *uno* ", &[])));
    assert_json_snapshot!(
        "buttons",
        sent(&outgoing(
            "¿Lo aparto?",
            &[("yes", "Sí", ""), ("no", "No,\ngracias", "")]
        ))
    );
    let long = "Cien años de soledad, edición conmemorativa";
    let rows = [
        ("1", long, "25,99 €"),
        ("2", long, ""),
        ("3", "Rayuela", "12 €"),
        ("4", "", ""),
    ];
    assert_json_snapshot!("list", sent(&outgoing("Elige:", &rows)));
    // A title that no button shows whole.
    assert_json_snapshot!("list_of_two", sent(&outgoing("Elige:", &rows[..2])));
    let link = Outgoing {
        link: Some(Link {
            title: "Abrir la ficha del libro".into(),
            url: "https://a.example/x_y".into(),
        }),
        ..Outgoing::plain("Aquí está.")
    };
    assert_json_snapshot!("link", sent(&link));
    let both = Outgoing {
        choices: vec![choice("1", "Otro", "")],
        ..link
    };
    assert_json_snapshot!("link_and_choice", sent(&both));
}

#[test]
fn more_than_ten_are_nine_and_more() {
    let titles: Vec<String> = (1..=12)
        .map(|n| format!("Martes 14 a las {n:02}:00 horas"))
        .collect();
    let choices = titles.iter().map(|title| choice(title, title, ""));
    let outgoing = Outgoing {
        choices: choices.collect(),
        ..Outgoing::plain("Elige:")
    };
    let sent = sent(&outgoing);
    let rows = sent["interactive"]["action"]["sections"][0]["rows"]
        .as_array()
        .unwrap();
    let titles: Vec<&str> = rows
        .iter()
        .map(|row| row["title"].as_str().unwrap())
        .collect();
    assert_json_snapshot!("more", titles);
}

#[test]
fn a_text_too_long_for_buttons_has_a_list() {
    let text = format!("{} Fin.", "Una frase. ".repeat(100));
    let value = sent(&outgoing(&text, &[("1", "Sí", "")]));
    assert_eq!(value["interactive"]["type"], "list");
    assert_eq!(value["interactive"]["body"]["text"], text);
    let text = "Una frase. ".repeat(500);
    let value = sent(&outgoing(&text, &[("1", "Sí", "")]));
    let body = value["interactive"]["body"]["text"].as_str().unwrap();
    assert!(
        body.ends_with("Una frase. …") && length(body) <= 4096,
        "{}",
        length(body)
    );
}

#[test]
fn a_link_is_whole_whatever_is_cut() {
    let link = Some(Link {
        title: "Abrir".into(),
        url: "https://a.example/~x".into(),
    });
    for choices in [vec![], vec![choice("1", "Sí", "")]] {
        let outgoing = Outgoing {
            link: link.clone(),
            choices,
            ..Outgoing::plain("Una frase. ".repeat(500))
        };
        let value = sent(&outgoing);
        let (text, list) = (
            &value["text"]["body"],
            &value["interactive"]["body"]["text"],
        );
        let body = text.as_str().or(list.as_str()).unwrap();
        let end = "Una frase. …\n\nAbrir\nhttps://a.example/%7Ex";
        assert!(body.ends_with(end) && length(body) <= 4096, "{body}");
    }
}

#[test]
fn what_is_ours_to_give_is_not_made_up() {
    let refused = |outgoing: Outgoing| outgoing.body(&wording()).unwrap_err();
    assert_eq!(refused(outgoing(" \n ", &[])), InvalidMessage::Empty);
    let unseen = "\u{200b}\u{feff}\u{0}";
    assert_eq!(refused(outgoing(unseen, &[])), InvalidMessage::Empty);
    assert_eq!(
        refused(outgoing("a", &[("", "x", "")])),
        InvalidMessage::ChoiceId
    );
    assert_eq!(
        refused(outgoing("a", &[(&"x".repeat(201), "x", "")])),
        InvalidMessage::ChoiceId
    );
    assert_eq!(
        refused(outgoing("a", &[("1", "x", ""), ("1", "y", "")])),
        InvalidMessage::SameId
    );
    for url in ["", "javascript:alert(1)", "https://a b", "//a.example"] {
        let link = Some(Link {
            title: "x".into(),
            url: url.into(),
        });
        assert_eq!(
            refused(Outgoing {
                link,
                ..Outgoing::plain("a")
            }),
            InvalidMessage::Link
        );
    }
}

#[test]
fn templates_replies_and_receipts() {
    let template = Template {
        name: "appointment_reminder".into(),
        language: "es".into(),
        parameters: vec![
            Parameter {
                name: None,
                text: "Ana\n\tMª   López".into(),
            },
            Parameter {
                name: Some("time".into()),
                text: " ".into(),
            },
        ],
        payloads: vec!["confirm:7".into(), "cancel:7".into()],
    };
    let to = Recipient::UserId(UserId::new("ES.1a").unwrap());
    let id = MessageId::new("wamid.HBgL").unwrap();
    let request = Request::new(&to, Body::Template(template))
        .replying_to(&id)
        .with_tracker("turn-1");
    assert_json_snapshot!("template", request);
    assert_json_snapshot!("typing", [Receipt::read(&id), Receipt::typing(&id)]);
}

/// The lengths of a message, counted by nothing of ours.
fn check_limits(value: &Value) -> Result<(), TestCaseError> {
    let units = |value: &Value| value.as_str().unwrap_or_default().encode_utf16().count();
    let within = |value: &Value, most: usize| {
        let count = units(value);
        prop_assert!(count >= 1 && count <= most, "{count} of {most}: {value}");
        Ok(())
    };
    if value["type"] == "text" {
        return within(&value["text"]["body"], 4096);
    }
    let interactive = &value["interactive"];
    let action = &interactive["action"];
    let mut titles = std::collections::BTreeSet::new();
    match interactive["type"].as_str() {
        Some("button") => {
            within(&interactive["body"]["text"], 1024)?;
            let buttons = action["buttons"].as_array().unwrap();
            prop_assert!((1..=3).contains(&buttons.len()));
            for button in buttons {
                within(&button["reply"]["title"], 20)?;
                prop_assert!(titles.insert(button["reply"]["title"].to_string()));
            }
        }
        Some("list") => {
            within(&interactive["body"]["text"], 4096)?;
            within(&action["button"], 20)?;
            let rows = action["sections"][0]["rows"].as_array().unwrap();
            prop_assert!((1..=10).contains(&rows.len()));
            for row in rows {
                within(&row["title"], 24)?;
                if !row["description"].is_null() {
                    within(&row["description"], 72)?;
                }
                prop_assert!(titles.insert(row["title"].to_string()), "{}", value);
            }
        }
        Some("cta_url") => {
            within(&interactive["body"]["text"], 1024)?;
            within(&action["parameters"]["display_text"], 20)?;
        }
        other => prop_assert!(false, "{other:?}"),
    }
    Ok(())
}

proptest! {
    #[test]
    fn whatever_is_sent_fits(
        text in "\\PC{1,40}|[a😀 .*_\n]{1,6000}",
        titles in prop::collection::vec(("[ab \u{301}👨‍👩‍👧😀*\n]{0,40}", prop::option::of("\\PC{0,90}")), 0..14),
        link in prop::option::of(("\\PC{0,30}", "[a~_/*?é]{0,700}|[a~]{0,2100}")),
    ) {
        prop_assume!(!measure::is_blank(&text));
        let choices = titles.into_iter().enumerate();
        let outgoing = Outgoing {
            choices: choices.map(|(id, (title, description))| Choice { id: id.to_string(), title, description }).collect(),
            link: link.map(|(title, path)| Link { title, url: format!("https://a.example/{path}") }),
            ..Outgoing::plain(text)
        };
        if outgoing.body(&wording()) != Err(InvalidMessage::Link) {
            check_limits(&sent(&outgoing))?;
        }
    }
}
