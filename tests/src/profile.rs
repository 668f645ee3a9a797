//! What the shop remembers of a customer: seen, changed and forgotten by words and by the endpoint, and nobody else's.

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, Shop, in_seconds, shop, signed};

const PROFILE: &str = "/api/agent/profile/";

fn change(caller: &Caller<'_>, body: &Value) -> Answer {
    caller.call("PATCH", PROFILE).json(body).send()
}

/// The sentences of an answer, each with its number.
#[track_caller]
fn listed(answer: &Answer) -> Vec<(u64, String)> {
    let body = answer.is(200);
    let notes = body["notes"].as_array().expect("notes").iter();
    let listed = notes.map(|note| {
        let number = note["note_id"].as_u64().expect("a number");
        let text = note["text"].as_str().expect("a sentence");
        assert!(note["created_at"].is_string(), "{note}");
        (number, text.to_owned())
    });
    listed.collect()
}

fn numbered(notes: &[(u64, &str)]) -> Vec<(u64, String)> {
    let notes = notes.iter();
    notes
        .map(|(number, text)| (*number, (*text).to_owned()))
        .collect()
}

#[test]
fn it_is_read_changed_and_forgotten() {
    let customer = shop().customer("profile");
    assert_eq!(listed(&customer.get(PROFILE)), []);
    let first = change(
        &customer,
        &json!({"notes": ["Leo en ingles", " calzo  un 38\n", "leo en inglés"]}),
    );
    let expected = numbered(&[(1, "Leo en ingles"), (2, "calzo un 38")]);
    assert_eq!(listed(&first), expected);
    assert_eq!(customer.get(PROFILE).json(), first.json());
    // Those that stay keep their numbers and times, written as they are now.
    let second = change(
        &customer,
        &json!({"notes": ["odio el terror", "leo en inglés"]}),
    );
    let expected = numbered(&[(3, "odio el terror"), (1, "leo en inglés")]);
    assert_eq!(listed(&second), expected);
    assert_eq!(
        second.json()["notes"][1]["created_at"],
        first.json()["notes"][0]["created_at"]
    );
    for _ in 0..2 {
        let forgotten = customer.call("DELETE", PROFILE).send();
        assert_eq!(listed(&forgotten), []);
    }
    // No number comes back.
    let third = change(&customer, &json!({"notes": ["leo en inglés"]}));
    assert_eq!(listed(&third), numbered(&[(4, "leo en inglés")]));
    assert_eq!(listed(&change(&customer, &json!({"notes": []}))), []);
}

#[test]
fn what_cannot_be_remembered_changes_nothing() {
    let customer = shop().customer("profile-refused");
    change(&customer, &json!({"notes": ["leo en inglés"]})).is(200);
    let many: Vec<String> = (0..21).map(|number| format!("leo {number}")).collect();
    for (body, code) in [
        (json!({}), "invalid_request"),
        (json!({"notes": null}), "invalid_request"),
        (json!({"notes": "leo en francés"}), "invalid_request"),
        (json!({"notes": ["leo", 3]}), "invalid_request"),
        (json!({"notes": {"1": "leo"}}), "invalid_request"),
        (json!(["leo"]), "invalid_request"),
        (json!({"notes": ["leo", " \n"]}), "note_missing"),
        (json!({"notes": ["¡!"]}), "note_missing"),
        (json!({"notes": ["ñ".repeat(201)]}), "note_too_long"),
        (json!({"notes": many}), "notes_full"),
    ] {
        let message = change(&customer, &body).problem(400, code);
        assert!(!message.is_empty(), "{body}");
    }
    let left = numbered(&[(1, "leo en inglés")]);
    assert_eq!(listed(&customer.get(PROFILE)), left);
    let most = json!({"notes": many[..20]});
    assert_eq!(listed(&change(&customer, &most)).len(), 20);
    let longest = json!({"notes": ["ñ".repeat(200)]});
    assert_eq!(listed(&change(&customer, &longest)).len(), 1);
}

#[test]
fn actions_see_to_one_at_a_time() {
    let customer = shop().customer("profile-actions");
    let refused = |action: &str, payload: Value, code: &str| {
        let answer = customer.act(action, payload);
        assert_eq!((answer.status, answer.code().as_str()), (400, code));
    };
    for payload in [json!({}), json!({"text": 3}), json!({"text": "…"})] {
        refused("remember", payload, "note_missing");
    }
    for text in ["leo en inglés", "calzo un 38"] {
        customer.act("remember", json!({"text": text})).is(200);
    }
    refused(
        "remember",
        json!({"text": "x".repeat(201)}),
        "note_too_long",
    );
    // What names none is none, and not all of them.
    for note_id in [json!(9), json!(null), json!("x"), json!([1])] {
        refused("forget", json!({"note_id": note_id}), "note_not_found");
    }
    let seen = customer.act("view_profile", json!({})).is(200);
    assert_eq!(seen["message"], "Recuerdo 2 cosas de ti:");
    assert_eq!(seen["results"], customer.get(PROFILE).is(200)["notes"]);
    customer.act("forget", json!({"note_id": 1})).is(200);
    let left = numbered(&[(2, "calzo un 38")]);
    assert_eq!(listed(&customer.get(PROFILE)), left);
    customer.act("forget", json!({})).is(200);
    assert_eq!(listed(&customer.get(PROFILE)), []);
}

#[test]
fn words_have_it_remembered_seen_and_forgotten() {
    for (name, messages, text) in [
        (
            "profile-es",
            [
                "recuerda que leo en inglés",
                "sí",
                "¿qué sabes de mí?",
                "olvida que leo en inglés",
                "sí",
            ],
            "leo en inglés",
        ),
        (
            "profile-en",
            [
                "remember that I read in Spanish",
                "yes",
                "what do you know about me?",
                "forget everything you know about me",
                "yes please",
            ],
            "I read in Spanish",
        ),
        (
            "profile-pt",
            [
                "lembra que eu leio em espanhol",
                "sim",
                "o que você sabe de mim?",
                "esquece que eu leio em espanhol",
                "sim",
            ],
            "eu leio em espanhol",
        ),
    ] {
        let customer = shop().customer(name);
        let says = |message: &str, holds: &str| {
            let answer = customer.chat(message).is(200);
            let words = answer["message"].as_str().expect("a message");
            assert!(words.contains(holds), "{message}: {words}");
        };
        let [remember, yes, seen, forget, again] = messages;
        says(remember, text);
        assert_eq!(listed(&customer.get(PROFILE)), [], "{name}");
        says(yes, "");
        let remembered = numbered(&[(1, text)]);
        assert_eq!(listed(&customer.get(PROFILE)), remembered, "{name}");
        says(seen, &format!("\n- {text}"));
        says(forget, text);
        assert_eq!(listed(&customer.get(PROFILE)), remembered, "{name}");
        says(again, "");
        assert_eq!(listed(&customer.get(PROFILE)), [], "{name}");
    }
}

/// The lines of an export that are of what is remembered.
fn exported(customer: &Caller<'_>) -> Vec<Value> {
    let export = customer.get("/api/agent/history/export/");
    assert_eq!(export.status, 200, "{export:?}");
    let lines = export.text.lines();
    let lines = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .filter(|line: &Value| line["type"] == "note")
        .collect()
}

#[test]
fn it_is_exported_and_erased() {
    let customer = shop().customer("profile-erased");
    change(&customer, &json!({"notes": ["leo en inglés"]})).is(200);
    let exported_notes = exported(&customer);
    assert_eq!(exported_notes.len(), 1, "{exported_notes:?}");
    let note = &exported_notes[0]["note"];
    assert_eq!(
        (&note["note_id"], &note["text"]),
        (&json!(1), &json!("leo en inglés"))
    );
    let erased = customer.call("DELETE", "/api/agent/history/all/").send();
    erased.is(200);
    assert_eq!(listed(&customer.get(PROFILE)), []);
    assert_eq!(exported(&customer), [json!(null); 0]);
    let seen = customer.chat("¿qué sabes de mí?").is(200);
    let message = seen["message"].as_str().expect("a message");
    assert!(message.starts_with("No recuerdo nada de ti."), "{message}");
}

fn of_tenant<'a>(shop: &'a Shop, name: &str, tenant: &str) -> Caller<'a> {
    let claims = json!({"sub": name, "tenant": tenant, "exp": in_seconds(600)});
    shop.bearer(name, &signed(&claims))
}

#[test]
fn it_is_nobody_elses() {
    let customer = shop().customer("profile-own");
    change(&customer, &json!({"notes": ["no me gusta el terror"]})).is(200);
    let twin = of_tenant(shop(), &customer.name, "otra");
    for other in [shop().customer("profile-other"), twin] {
        assert_eq!(listed(&other.get(PROFILE)), []);
        let seen = other.chat("¿qué sabes de mí?").text;
        assert!(!seen.contains("no me gusta el terror"), "{seen}");
        other.act("forget", json!({"note_id": 1})).is(400);
        other.call("DELETE", PROFILE).send().is(200);
    }
    let own = numbered(&[(1, "no me gusta el terror")]);
    assert_eq!(listed(&customer.get(PROFILE)), own);
    let guest = shop().guest();
    guest.get(PROFILE).problem(401, "auth_required");
    change(&guest, &json!({"notes": []})).problem(401, "auth_required");
    let forgets = guest.call("DELETE", PROFILE).send();
    forgets.problem(401, "auth_required");
}
