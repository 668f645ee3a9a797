//! Turns that are streamed: in order, line by line, resumed after a cut, and cancelled.

mod cuts;
mod hung_up;
mod races;
mod torn;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{
    Answer, Call, Caller, ModelPeer, Setup, Shop, check_laws, events, keys, names, of, shop,
    stream_events,
};

/// A shop with these models, of which the first is asked unless another is asked for.
fn start(models: &str) -> (ModelPeer, Shop) {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", models)
        .set("LLM_TIMEOUT_SECONDS", "10")
        .set("STREAM_HEARTBEAT_SECONDS", "1")
        .start();
    (peer, shop)
}

fn ask(caller: &Caller, body: &Value) -> Call {
    caller.call("POST", "/api/agent/stream").json(body)
}

fn resume(caller: &Caller, turn_id: &str, after: Option<u64>) -> Answer {
    let call = caller.call("GET", &format!("/api/agent/stream/{turn_id}"));
    match after {
        Some(after) => call.header("last-event-id", after.to_string()).send(),
        None => call.send(),
    }
}

/// What is left of a stream for whoever has all of its events: neither times nor lines that the message holds too.
fn settled(events: &[Value]) -> Vec<Value> {
    let passing = ["message_chunk", "thinking_chunk", "thinking_complete"];
    let lasting = events
        .iter()
        .filter(|event| !passing.contains(&event["type"].as_str().unwrap_or_default()));
    let without_times = lasting.cloned().map(|mut event| {
        for passing in ["timestamp", "persistence_state", "sequence_number"] {
            event.as_object_mut().expect("an event").remove(passing);
        }
        event
    });
    without_times.collect()
}

fn is_confirmed(came: &str) -> bool {
    came.contains("tool_result")
}

#[test]
fn a_turn_is_streamed_in_order() {
    let question = json!({"message": "libro 12"});
    let (peer, shop) = start("grounded");
    let (customer, guest) = (shop.customer("listener"), shop.guest());
    for (caller, body, kept) in [
        (&customer, question.clone(), true),
        (&guest, question.clone(), false),
        (
            &customer,
            json!({"message": "libro 12", "use_llm": false}),
            true,
        ),
        (
            &guest,
            json!({"message": "libro 12", "use_llm": false}),
            false,
        ),
        (
            &customer,
            json!({"message": "libro 12", "save_history": false}),
            false,
        ),
    ] {
        let answer = ask(caller, &body).send();
        let events = stream_events(&answer);
        check_laws(&events, kept);
        assert_eq!(
            names(&events)[2..4],
            ["tool_use", "tool_result"],
            "{events:?}"
        );
        let whole = caller.post("/api/agent/", &body).is(200);
        let message = of(&events, "message")[0];
        assert_eq!(message["content"], whole["message"]);
        assert_eq!(message["results"], whole["results"]);
        assert_eq!(message["actions"], whole["actions"]);
    }
    assert_eq!(peer.requests_about("libro 12").len(), 6);
    // As it is streamed, so it is remembered.
    let history = customer.history("").is(200);
    let roles: Vec<_> = history["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|message| message["role"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(roles, ["user", "assistant"].repeat(4));
}

#[test]
fn lines_are_streamed_as_they_pass_with_heartbeats_between() {
    let (_peer, shop) = start("hesitant");
    let customer = shop.customer("patient");
    let begun = Instant::now();
    let first = ask(&customer, &json!({"message": "libro 12"}))
        .cut_off(|came| came.contains("message_chunk"));
    // The first of two lines, of which each takes 400 ms; the end comes later still.
    assert!(first.contains("message_chunk"), "{first}");
    assert!(begun.elapsed() < Duration::from_millis(1_100));

    let (_peer, shop) = start("stalling");
    let body = json!({"message": "libro 12"});
    let answer = ask(&shop.guest(), &body).send();
    let beats = answer.text.matches(":\u{20}\n\n").count();
    assert!((5..=11).contains(&beats), "{beats} in {}", answer.text);
    check_laws(&stream_events(&answer), false);
}

#[test]
fn thinking_is_streamed_on_request_and_judged_like_the_answer() {
    let (_peer, shop) = start("thinking");
    let customer = shop.customer("curious");
    for (wanted, thoughts) in [
        (json!(null), json!([])),
        (
            json!(true),
            json!(["El cliente quiere el libro.\n- Se lo digo con su precio de verdad."]),
        ),
    ] {
        let body = json!({"message": "libro 12", "enable_thinking": wanted});
        let events = stream_events(&ask(&customer, &body).send());
        check_laws(&events, true);
        let complete = of(&events, "thinking_complete").into_iter();
        let received: Vec<_> = complete.map(|event| event["content"].clone()).collect();
        assert_eq!(json!(received), thoughts);
        let names = names(&events);
        let last_thought = names.iter().rposition(|name| name.starts_with("thinking"));
        let first_line = names.iter().position(|name| *name == "message_chunk");
        assert!(last_thought < first_line, "{names:?}");
    }
}

#[test]
fn a_stream_cut_anywhere_is_resumed_to_its_end() {
    let (peer, shop) = start("grounded");
    let mut cuts = 0;
    let mut at = 1;
    loop {
        let customer = shop.customer(&format!("cut-{at}"));
        let body = json!({"message": "libro 12", "k": 3});
        let words = format!("corte {at}");
        let body = masked_message(body, &format!("libro 12, {words}"));
        let came = ask(&customer, &body).cut_off(|came| came.len() >= at);
        let came: String = came.chars().take(at).collect();
        let mut seen = events(&came);
        let is_whole = names(&seen).last() == Some(&"complete");
        // Who has no event of the turn has its history.
        let turn_id = match seen.first() {
            Some(event) => event["turn_id"].as_str().expect("an id").to_owned(),
            None => {
                at += 150;
                continue;
            }
        };
        let last = seen.last().and_then(|event| event["event_index"].as_u64());
        let rest = resume(&customer, &turn_id, last);
        if is_whole {
            assert_eq!(rest.status, 204, "{rest:?}");
        } else {
            seen.extend(stream_events(&rest));
        }
        let whole = stream_events(&resume(&customer, &turn_id, None));
        assert_eq!(settled(&seen), settled(&whole), "cut after {at} bytes");
        assert_eq!(peer.requests_about(&words).len(), 1, "cut after {at} bytes");
        cuts += 1;
        if is_whole {
            break;
        }
        at += 97;
    }
    println!("stream: {cuts} cuts, {cuts} told to their end, 0 asked twice");
    assert!(cuts > 20, "{cuts}");
}

fn masked_message(mut body: Value, message: &str) -> Value {
    body["message"] = json!(message);
    body
}

#[test]
fn a_turn_that_goes_on_is_waited_for() {
    let (peer, shop) = start("hesitant");
    let customer = shop.customer("waiting");
    let came = ask(&customer, &json!({"message": "libro 12"})).cut_off(is_confirmed);
    let seen = events(&came);
    let turn_id = seen[0]["turn_id"].as_str().expect("an id");
    let last = seen.last().and_then(|event| event["event_index"].as_u64());
    let rest = stream_events(&resume(&customer, turn_id, last));
    let names = names(&rest);
    assert_eq!(names[names.len() - 2..], ["message", "complete"]);
    assert_eq!(peer.requests_about("libro 12").len(), 1);
    // Somebody else's turn, and one that never was.
    for unknown in [turn_id, "01890000-0000-7000-8000-000000000000", "no-id"] {
        let other = shop.customer("other");
        resume(&other, unknown, None).problem(404, "not_found");
    }
    let repeated = customer.call("GET", &format!("/api/agent/stream/{turn_id}?after=x"));
    repeated.send().problem(400, "invalid_request");
    let guest = shop.guest();
    resume(&guest, turn_id, None).problem(401, "auth_required");
}

#[test]
fn an_answer_is_found_behind_what_was_written_meanwhile() {
    let (_peer, shop) = start("hesitant");
    let customer = shop.customer("talkative");
    let came = ask(&customer, &json!({"message": "libro 12"})).cut_off(is_confirmed);
    let seen = events(&came);
    let turn_id = seen[0]["turn_id"].as_str().expect("an id");
    for number in 0..12 {
        let note = format!("nota {number}");
        customer.add_message("user", &note).is(201);
    }
    let last = seen.last().and_then(|event| event["event_index"].as_u64());
    let rest = stream_events(&resume(&customer, turn_id, last));
    let names = names(&rest);
    assert_eq!(names[names.len() - 2..], ["message", "complete"]);
}

#[test]
fn a_turn_is_cancelled_by_its_owner() {
    let (peer, shop) = start("stalling");
    let (customer, other) = (shop.customer("hasty"), shop.customer("meddling"));
    let came = ask(&customer, &json!({"message": "libro 12"})).cut_off(is_confirmed);
    let seen = events(&came);
    let turn_id = seen[0]["turn_id"].as_str().expect("an id").to_owned();
    let path = format!("/api/agent/stream/{turn_id}");
    other.call("DELETE", &path).send().problem(404, "not_found");
    shop.guest()
        .call("DELETE", &path)
        .send()
        .problem(401, "auth_required");
    let cancelled = customer.call("DELETE", &path).send().is(200);
    assert_eq!(cancelled, json!({"turn_id": turn_id, "cancelled": true}));
    let repeated = customer.call("DELETE", &path).send().is(200);
    assert_eq!(repeated, json!({"turn_id": turn_id, "cancelled": false}));
    let last = seen.last().and_then(|event| event["event_index"].as_u64());
    let rest = stream_events(&resume(&customer, &turn_id, last));
    assert_eq!(names(&rest)[rest.len() - 2..], ["error", "complete"]);
    assert_eq!(of(&rest, "error")[0]["code"], "user_cancelled");
    assert_eq!(rest[rest.len() - 1]["reason"], "user_cancelled");
    // The conversation goes on at once, and what was cancelled is never answered.
    let plain = json!({"message": "libro 13", "use_llm": false});
    customer.post("/api/agent/", &plain).is(200);
    std::thread::sleep(Duration::from_secs(4));
    let roles = customer.history("").is(200);
    let roles: Vec<_> = roles["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|message| message["role"].clone())
        .collect();
    assert_eq!(json!(roles), json!(["user", "user", "assistant"]));
    assert_eq!(peer.requests_about("libro 12").len(), 1);

    // Whoever is still listening gets it.
    let listening = {
        let customer = customer.clone();
        std::thread::scope(|scope| {
            let must_end = scope
                .spawn(|| stream_events(&ask(&customer, &json!({"message": "libro 14"})).send()));
            while peer.requests_about("libro 14").is_empty() {
                std::thread::sleep(Duration::from_millis(20));
            }
            let open = open_turn(&customer);
            customer
                .call("DELETE", &format!("/api/agent/stream/{open}"))
                .send()
                .is(200);
            must_end.join().expect("a stream")
        })
    };
    check_laws(&listening, true);
    let last = listening.last().expect("events");
    assert_eq!(last["reason"], "user_cancelled", "{listening:?}");
}

#[test]
fn what_was_cancelled_stays_so_whatever_is_cancelled_next() {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "stalling")
        .set("LLM_TIMEOUT_SECONDS", "4")
        .start();
    let customer = shop.customer("wavering");
    // All of it before the first turn looks whether it goes on.
    let cancelled = ["libro 12", "libro 13", "libro 14"].map(|message| {
        let came = ask(&customer, &json!({"message": message})).cut_off(is_confirmed);
        let turn_id = events(&came)[0]["turn_id"].clone();
        let turn_id = turn_id.as_str().expect("an id").to_owned();
        let path = format!("/api/agent/stream/{turn_id}");
        let cancelled = customer.call("DELETE", &path).send().is(200);
        assert_eq!(cancelled["cancelled"], true);
        turn_id
    });
    // Longer than the model has.
    std::thread::sleep(Duration::from_secs(6));
    let history = customer.history("").is(200);
    assert_eq!(keys(&history["messages"], "role"), ["user"; 3]);
    for turn_id in cancelled {
        let repeated = stream_events(&resume(&customer, &turn_id, None));
        let last = repeated.last().expect("events");
        assert_eq!(last["reason"], "user_cancelled");
    }
}

/// The turn that is open, from the history's own words.
fn open_turn(customer: &Caller) -> String {
    let history = customer.history("?limit=1").is(200);
    let message = &history["messages"][0];
    message["meta"]["turn_id"]
        .as_str()
        .unwrap_or_else(|| panic!("{history}"))
        .to_owned()
}

#[test]
fn a_cancelled_turn_is_not_run_twice_by_its_key() {
    let (peer, shop) = start("stalling");
    let customer = shop.customer("firm");
    let body = json!({"message": "libro 12"});
    let keyed = || ask(&customer, &body).header("idempotency-key", "k-1");
    let came = keyed().cut_off(is_confirmed);
    let turn_id = events(&came)[0]["turn_id"].clone();
    let path = format!("/api/agent/stream/{}", turn_id.as_str().expect("an id"));
    customer.call("DELETE", &path).send().is(200);
    // Until the turn has noticed, its request is under way.
    let repeated = loop {
        let repeated = keyed().send();
        if repeated.status != 409 {
            break repeated;
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    let events = stream_events(&repeated);
    assert_eq!(events[0]["turn_id"], turn_id);
    assert_eq!(events[events.len() - 1]["reason"], "user_cancelled");
    assert_eq!(peer.requests_about("libro 12").len(), 1);
}

#[test]
fn a_stream_is_replayed_by_its_key() {
    let (peer, shop) = start("grounded");
    let customer = shop.customer("careful");
    let body = json!({"message": "libro 12"});
    let keyed = || {
        ask(&customer, &body)
            .header("idempotency-key", "k-1")
            .send()
    };
    let (first, second) = (keyed(), keyed());
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(
        settled(&stream_events(&first)),
        settled(&stream_events(&second))
    );
    assert_eq!(peer.requests_about("libro 12").len(), 1);
    let other = ask(&customer, &json!({"message": "libro 13"}));
    other
        .header("idempotency-key", "k-1")
        .send()
        .problem(422, "idempotency_mismatch");
    // What is not kept cannot be resumed, and its key is free.
    let unkept = json!({"message": "libro 15", "save_history": false});
    for _ in 0..2 {
        let answer = ask(&customer, &unkept)
            .header("idempotency-key", "k-2")
            .send();
        check_laws(&stream_events(&answer), false);
        assert_eq!(answer.header("idempotent-replayed"), None);
    }
    assert_eq!(peer.requests_about("libro 15").len(), 2);
}

#[test]
fn what_cannot_be_streamed_is_a_problem_before_it_begins() {
    let shop = shop();
    let customer = shop.customer("mistaken");
    for (body, status, code) in [
        (json!({}), 400, "invalid_request"),
        (json!({"message": " "}), 400, "invalid_request"),
        (
            json!({"message": "hola", "conversation": 99}),
            404,
            "not_found",
        ),
    ] {
        ask(&customer, &body).send().problem(status, code);
    }
    let call = customer.call("PUT", "/api/agent/stream");
    let refused = call.json(&json!({})).send();
    assert_eq!(
        (refused.status, refused.header("allow")),
        (405, Some("POST, GET"))
    );
    let events = ask(&customer, &json!({"message": "hola"}))
        .header("accept", "text/event-stream")
        .send();
    check_laws(&stream_events(&events), true);
}
