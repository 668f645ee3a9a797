//! A customer asks for a person: staff see it, read it and answer, and hand it back; and nobody else has any of it.

use std::{thread, time::Duration};

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, keys, local_only, names, of, shop, stream_events};
use crate::staff::both;

const CONVERSATIONS: &str = "/api/agent/staff/conversations/";
const ASKS: &str = "quiero hablar con una persona";

/// The conversations that wait, once `enough` of them do: the view is a moment late.
fn waiting(staff: &Caller, enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    for _ in 0..200 {
        let found = staff.get(CONVERSATIONS).is(200)["conversations"].clone();
        let found = found.as_array().expect("conversations").clone();
        if enough(&found) {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("they never came, or never went");
}

/// The path of the one that waits.
fn only(staff: &Caller) -> (Value, String) {
    let found = waiting(staff, |found| found.len() == 1)[0].clone();
    let id = found["id"].as_str().expect("an id");
    let path = format!("{CONVERSATIONS}{id}/");
    (found, path)
}

fn back() -> Value {
    json!([{"type": "person", "back": "Seguir con el asistente"}])
}

#[track_caller]
fn is_left(answer: &Answer) {
    let answer = answer.is(200);
    assert_eq!(
        (&answer["message"], &answer["segments"]),
        (&json!(""), &json!([]))
    );
    assert_eq!(
        (&answer["results"], &answer["actions"]),
        (&json!([]), &back())
    );
}

#[test]
fn who_asks_for_a_person_gets_one_and_then_the_assistant_again() {
    let (ana, eva) = both(shop(), "whole");
    ana.chat("hola").is(200);
    assert_eq!(waiting(&eva, <[Value]>::is_empty), Vec::<Value>::new());
    let called = ana.chat(ASKS).is(200);
    let said = called["message"].as_str().expect("a message");
    assert!(said.starts_with("Ya he avisado al equipo"), "{said}");
    assert_eq!(called["actions"], back());
    is_left(&ana.chat("¿hay alguien?"));

    let (listed, path) = only(&eva);
    assert_eq!(
        (&listed["user"], &listed["reason"], &listed["title"]),
        (&json!("ana"), &json!("person"), &json!("hola"))
    );
    let read = eva.get(&path).is(200);
    let contents = keys(&read["messages"], "content");
    assert_eq!(contents.len(), 5, "{contents:?}");
    assert_eq!(contents[4], "¿hay alguien?");
    assert_eq!(read["conversation"]["with_person"], true);

    // The customer's page is open, and is told as it is said.
    let after = read["messages"][4]["id"].clone();
    let follows = format!("/api/agent/stream/?conversation=1&after={after}");
    let told = thread::scope(|scope| {
        let page = scope.spawn(|| ana.get(&follows));
        thread::sleep(Duration::from_millis(300));
        let said = eva.post(&path, &json!({"message": "Hola, soy Eva. ¿Qué ha pasado?"}));
        let said = said.is(200);
        assert_eq!(said["messages"][0]["meta"], json!({"from": "staff"}));
        is_left(&ana.chat("no llega mi pedido"));
        let last = json!({"message": "Sale hoy.", "hand_back": true});
        let last = eva.post(&path, &last).is(200);
        assert_eq!(last["conversation"].get("waits_for"), None);
        page.join().expect("a page")
    });
    let told = stream_events(&told);
    assert_eq!(
        names(&told),
        ["staff_message", "staff_message", "handed_back"]
    );
    let contents: Vec<_> = of(&told, "staff_message")
        .iter()
        .map(|event| event["content"].clone())
        .collect();
    assert_eq!(contents, ["Hola, soy Eva. ¿Qué ha pasado?", "Sale hoy."]);
    // A page that comes back has missed nothing, and waits for nothing more.
    let again = ana.get(&follows);
    assert_eq!(names(&stream_events(&again)), names(&told));
    let through = told[1]["id"].clone();
    let nothing = ana.get(&format!(
        "/api/agent/stream/?conversation=1&after={through}"
    ));
    assert_eq!(nothing.status, 204, "{}", nothing.text);

    assert_eq!(waiting(&eva, <[Value]>::is_empty), Vec::<Value>::new());
    let thanks = ana.chat("gracias").is(200);
    assert!(
        thanks["message"]
            .as_str()
            .expect("a message")
            .starts_with("¡De nada!")
    );
    for (answer, status, code) in [
        (
            eva.post(&path, &json!({"message": "¿Algo más?"})),
            409,
            "not_waiting",
        ),
        (eva.get(&path), 404, "not_found"),
    ] {
        assert_eq!((answer.status, answer.code().as_str()), (status, code));
    }
    let history = ana.history("?limit=500").is(200)["messages"].clone();
    let roles = keys(&history, "role");
    assert_eq!(
        roles,
        [
            "user",
            "assistant",
            "user",
            "assistant",
            "user",
            "assistant",
            "user",
            "assistant",
            "user",
            "assistant"
        ],
        "{history}"
    );
    // Who has read it is the customer's to know.
    let exported = ana.get("/api/agent/history/export/").text;
    assert!(
        exported.contains(r#""type":"conversation_read""#) && exported.contains(r#""by":"eva""#)
    );
}

#[test]
fn a_stream_is_left_too_and_told_again() {
    let (ana, _) = both(shop(), "left");
    ana.chat(ASKS).is(200);
    let body = json!({"message": "¿tenéis Rayuela?"});
    let asked = ana.post("/api/agent/stream/", &body);
    let events = stream_events(&asked);
    let message = of(&events, "message")[0].clone();
    assert_eq!(
        (&message["content"], &message["actions"]),
        (&json!(""), &back())
    );
    assert_eq!(of(&events, "message_chunk"), Vec::<&Value>::new());
    let turn = events[0]["turn_id"].as_str().expect("a turn");
    let again = stream_events(&ana.get(&format!("/api/agent/stream/{turn}/?after=3")));
    let same = of(&again, "message")[0];
    assert_eq!(
        (&same["content"], &same["actions"]),
        (&message["content"], &message["actions"])
    );
    // The AI SDK's chats get an answer without a text.
    let body =
        json!({"messages": [{"role": "user", "parts": [{"type": "text", "text": "¿hola?"}]}]});
    let sdk = ana.post("/api/agent/stream/?dialect=ai-sdk", &body);
    assert_eq!(sdk.status, 200);
    assert!(
        !sdk.text.contains("text-delta") && sdk.text.contains("[DONE]"),
        "{}",
        sdk.text
    );
}

/// Who waits for somebody may ask how else the shop is reached, until somebody has answered.
#[test]
fn who_waits_is_told_how_else_the_shop_is_reached() {
    local_only("the demo shop's own profile");
    let (ana, eva) = both(shop(), "reached");
    ana.chat(ASKS).is(200);
    for (message, said) in [
        ("dame el teléfono", "910 000 000"),
        ("¿a qué hora abrís el lunes?", "10:00"),
        ("¿y dónde está la tienda?", "Calle del Almendro"),
    ] {
        let answer = ana.chat(message).is(200);
        let text = answer["message"].as_str().expect("a message");
        assert!(text.contains(said), "{message}: {answer}");
        assert_eq!(answer["actions"], back(), "{message}");
    }
    is_left(&ana.chat("¿tenéis Rayuela?"));
    is_left(&ana.chat("¿dónde está mi pedido?"));
    let (_, path) = only(&eva);
    eva.post(&path, &json!({"message": "Hola, soy Eva."}))
        .is(200);
    is_left(&ana.chat("dame el teléfono"));
}

#[test]
fn who_goes_on_without_a_person_is_taken_off_the_list() {
    let (ana, eva) = both(shop(), "without");
    ana.chat(ASKS).is(200);
    let (_, path) = only(&eva);
    let back = ana.chat("Seguir con el asistente").is(200);
    assert_eq!(
        (&back["message"], &back["actions"]),
        (&json!("Aquí estoy otra vez. ¿En qué te ayudo?"), &json!([]))
    );
    assert_eq!(waiting(&eva, <[Value]>::is_empty), Vec::<Value>::new());
    let late = eva.post(&path, &json!({"message": "Hola, soy Eva."}));
    assert_eq!((late.status, late.code().as_str()), (409, "not_waiting"));
    // So is one that is ended, and one that is erased.
    for end in ["/api/agent/history/", "/api/agent/history/all/"] {
        ana.chat(ASKS).is(200);
        only(&eva);
        assert!(ana.call("DELETE", end).send().status < 300);
        assert_eq!(
            waiting(&eva, <[Value]>::is_empty),
            Vec::<Value>::new(),
            "{end}"
        );
    }
}

#[test]
fn a_complaint_is_seen_by_staff_and_still_answered() {
    let (ana, eva) = both(shop(), "complaint");
    let answer = ana.chat("sois unos inútiles, llevo días esperando").is(200);
    let said = answer["message"].as_str().expect("a message");
    assert!(
        said.starts_with("Siento que algo") && said.contains("Ya he avisado"),
        "{said}"
    );
    assert_eq!(only(&eva).0["reason"], "complaint");
    let next = ana.chat("¿tenéis Rayuela?").is(200);
    assert_ne!(next["results"], json!([]));
}

#[test]
fn for_everybody_else_no_conversation_waits() {
    let (ana, eva) = both(shop(), "hidden-talk");
    ana.chat(ASKS).is(200);
    let (_, path) = only(&eva);
    for other in [shop().guest(), ana.clone()] {
        for (method, path) in [("GET", CONVERSATIONS), ("GET", &path), ("POST", &path)] {
            let answer = other
                .call(method, path)
                .json(&json!({"message": "Hola."}))
                .send();
            let told = (answer.status, answer.code());
            assert_eq!(
                (told.0, told.1.as_str()),
                (404, "not_found"),
                "{} {method} {path}",
                other.name
            );
        }
    }
    let (luis, elsewhere) = both(shop(), "other-talk");
    assert_eq!(
        waiting(&elsewhere, <[Value]>::is_empty),
        Vec::<Value>::new()
    );
    for (method, path) in [("GET", &path), ("POST", &path)] {
        let answer = elsewhere
            .call(method, path)
            .json(&json!({"message": "Hola."}))
            .send();
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"));
    }
    // Nobody follows what is another customer's.
    let follows = luis.get("/api/agent/stream/?conversation=1");
    assert_eq!(
        (follows.status, follows.code().as_str()),
        (404, "not_found")
    );
    let guest = shop().guest().get("/api/agent/stream/?conversation=1");
    assert_eq!(
        (guest.status, guest.code().as_str()),
        (401, "auth_required")
    );
    assert_eq!(
        eva.get(&path).is(200)["messages"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn what_no_person_can_say_is_refused_and_what_they_say_is_said_once() {
    let (ana, eva) = both(shop(), "said-once");
    ana.chat(ASKS).is(200);
    let (_, path) = only(&eva);
    for body in [
        json!({}),
        json!({"message": 1}),
        json!({"message": "  "}),
        json!({"hand_back": false}),
        json!({"hand_back": "yes"}),
        json!({"message": "x".repeat(4_001)}),
        json!({"message": "a\u{0}b"}),
        json!([]),
    ] {
        let answer = eva.post(&path, &body);
        let told = (answer.status, answer.code());
        assert_eq!(
            (told.0, told.1.as_str()),
            (400, "invalid_request"),
            "{body}"
        );
    }
    for query in ["conversation=x", "", "conversation=1&after=x"] {
        let answer = ana.get(&format!("/api/agent/stream/?{query}"));
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "invalid_request"),
            "{query}"
        );
    }
    let say = || {
        let said = eva
            .call("POST", &path)
            .header("idempotency-key", &path[path.len() - 20..]);
        said.json(&json!({"message": "Hola, soy Eva."})).send()
    };
    let (first, again) = (say(), say());
    assert_eq!(first.is(200), again.is(200));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let messages = eva.get(&path).is(200)["messages"].clone();
    assert_eq!(keys(&messages, "content").len(), 3, "{messages}");
}
