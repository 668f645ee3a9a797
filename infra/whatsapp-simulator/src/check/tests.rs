use mostrador_whatsapp::{
    ids::{MessageId, Phone},
    markup::Span,
    message::{
        Body, Choice, Link, Outgoing, Parameter, Receipt, Recipient, Request, Template, Wording,
    },
};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn message(fields: Value) -> Value {
    let mut message = json!({ "messaging_product": "whatsapp", "to": "34600111222" });
    if let (Value::Object(message), Value::Object(fields)) = (&mut message, fields) {
        message.extend(fields);
    }
    message
}

fn interactive(interactive: Value) -> Value {
    message(json!({ "type": "interactive", "interactive": interactive }))
}

fn buttons(body: &str, titles: &[&str]) -> Value {
    let buttons = titles.iter().enumerate().map(
        |(id, title)| json!({ "type": "reply", "reply": { "id": id.to_string(), "title": title } }),
    );
    let buttons: Vec<Value> = buttons.collect();
    interactive(
        json!({ "type": "button", "body": { "text": body }, "action": { "buttons": buttons } }),
    )
}

fn list(rows: &[(&str, &str, &str)], button: &str) -> Value {
    let rows = rows.iter().map(
        |(id, title, description)| json!({ "id": id, "title": title, "description": description }),
    );
    let rows: Vec<Value> = rows.collect();
    interactive(json!({
        "type": "list",
        "body": { "text": "x" },
        "action": { "button": button, "sections": [{ "rows": rows }] },
    }))
}

#[test]
fn what_is_over_a_documented_limit_is_refused() {
    let long = |most: usize| "x".repeat(most);
    let rows: Vec<String> = (0..11).map(|row| row.to_string()).collect();
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|row| (row.as_str(), "t", "d")).collect();
    let text = |body: &str| message(json!({ "type": "text", "text": { "body": body } }));
    for (payload, expected) in [
        (text(&long(4096)), Ok(())),
        (text(&long(4097)), Err(131_009)),
        // Each has two units.
        (text(&"😀".repeat(2049)), Err(131_009)),
        (text(""), Err(131_009)),
        (text(" \n"), Err(131_009)),
        (message(json!({ "type": "text" })), Err(131_008)),
        (
            message(json!({ "type": "text", "text": { "text": "x" } })),
            Err(100),
        ),
        (
            message(json!({ "type": "text", "text": "x" })),
            Err(131_009),
        ),
        (
            message(json!({ "type": "text", "text": { "body": "x" }, "image": {} })),
            Err(100),
        ),
        (
            message(json!({ "type": "hologram", "hologram": {} })),
            Err(131_051),
        ),
        (
            message(json!({ "type": "text", "text": { "body": "x" }, "to": "nobody" })),
            Err(131_009),
        ),
        (
            json!({ "messaging_product": "whatsapp", "text": { "body": "x" } }),
            Err(131_008),
        ),
        (
            json!({ "to": "34600111222", "text": { "body": "x" } }),
            Err(131_008),
        ),
        (json!([]), Err(100)),
        (buttons("x", &["a", "b", "c"]), Ok(())),
        (buttons(&long(1024), &[&long(20)]), Ok(())),
        (buttons(&long(1025), &["a"]), Err(131_009)),
        (buttons("x", &["a", "b", "c", "d"]), Err(131_009)),
        (buttons("x", &[]), Err(131_009)),
        (buttons("x", &["a", "a"]), Err(131_009)),
        (buttons("x", &[&long(21)]), Err(131_009)),
        (list(&rows[..10], &long(20)), Ok(())),
        (list(&rows, "x"), Err(131_009)),
        (list(&rows[..1], &long(21)), Err(131_009)),
        (list(&[("1", &long(24), &long(72))], "x"), Ok(())),
        (list(&[("1", &long(25), "d")], "x"), Err(131_009)),
        (list(&[("1", "t", &long(73))], "x"), Err(131_009)),
        (list(&[("1", "t", "d"), ("1", "u", "d")], "x"), Err(131_009)),
        (list(&[(&long(201), "t", "d")], "x"), Err(131_009)),
        (
            interactive(json!({ "type": "flow", "body": { "text": "x" }, "action": {} })),
            Err(131_009),
        ),
        (
            message(
                json!({ "type": "template", "template": { "name": "a", "language": { "code": "es" } } }),
            ),
            Ok(()),
        ),
        (
            message(
                json!({ "type": "template", "template": { "name": "a b", "language": { "code": "es" } } }),
            ),
            Err(132_001),
        ),
        (
            json!({ "messaging_product": "whatsapp", "status": "read", "message_id": "wamid.1" }),
            Ok(()),
        ),
        (
            json!({ "messaging_product": "whatsapp", "status": "typing", "message_id": "wamid.1" }),
            Err(131_009),
        ),
    ] {
        let checked = check(payload.to_string().as_bytes());
        assert_eq!(
            checked.map(|_| ()).map_err(|refusal| refusal.code),
            expected,
            "{payload}"
        );
    }
    assert_eq!(check(b"{").unwrap_err().code, 100);
}

fn wording() -> Wording {
    let more = Choice {
        id: "more".into(),
        title: "Ver más resultados de la búsqueda".into(),
        description: None,
    };
    Wording {
        open_list: "Ver las opciones disponibles".into(),
        more,
    }
}

fn taken(request: &impl serde::Serialize) -> Result<(), TestCaseError> {
    let body = serde_json::to_vec(request).unwrap();
    let checked = check(&body);
    prop_assert!(
        checked.is_ok(),
        "{:?}: {}",
        checked,
        String::from_utf8_lossy(&body)
    );
    Ok(())
}

fn to() -> Recipient {
    Recipient::Phone(Phone::new("34600111222").unwrap())
}

proptest! {
    /// Whatever an answer is made of, the platform takes it.
    #[test]
    fn every_answer_is_taken(
        text in "[a-z😀é .*_\n]{1,5000}|\\PC{1,60}",
        choices in prop::collection::vec(("[a-c👩‍🍳 \n]{0,40}", prop::option::of("\\PC{0,100}")), 0..15),
        has_link in any::<bool>(),
        is_bold in any::<bool>(),
    ) {
        prop_assume!(!mostrador_whatsapp::measure::is_blank(&text));
        let choices = choices.into_iter().enumerate();
        let choices = choices.map(|(id, (title, description))| Choice { id: id.to_string(), title, description });
        let outgoing = Outgoing {
            text: vec![if is_bold { Span::bold(text) } else { Span::plain(text) }],
            choices: choices.collect(),
            link: has_link.then(|| Link { title: "Abrir".into(), url: "https://a.example/_x_".into() }),
        };
        let id = MessageId::new("wamid.1").unwrap();
        let request = Request::new(&to(), outgoing.body(&wording()).unwrap());
        taken(&request.replying_to(&id).with_tracker("turn"))?;
        taken(&Receipt::typing(&id))?;
    }

    #[test]
    fn every_template_is_taken(
        texts in prop::collection::vec("[a \n\t]{0,40}|\\PC{0,2000}", 0..5),
        payloads in prop::collection::vec("[a-z:]{1,300}", 0..3),
    ) {
        let parameters = texts.into_iter().map(|text| Parameter { name: None, text }).collect();
        let template = Template { name: "reminder".into(), language: "es_MX".into(), parameters, payloads };
        taken(&Request::new(&to(), Body::Template(template)))?;
    }
}
