//! Streams cut after each of their events: whoever comes back has in the end what the uncut stream gives.

use serde_json::{Value, json};

use super::{ask, open_turn, resume, settled, start};
use crate::harness::{Caller, all_at_once, check_laws, events, masked, of, stream_events};

/// Models, and how often some event comes in a turn of theirs: an answer at once and one that is waited for, a tool's loop,
/// thoughts, an approval.
const TURNS: [(&str, &str, usize); 5] = [
    ("grounded", "message", 1),
    ("hesitant", "message_chunk", 2),
    ("searcher", "tool_use", 2),
    ("thinking", "thinking_chunk", 2),
    ("reserver", "approval_requested", 1),
];

/// What a client keeps of a turn, without what no two turns share.
#[track_caller]
fn kept(events: &[Value]) -> Value {
    let results = of(events, "tool_result");
    let uses = of(events, "tool_use").into_iter().map(|used| {
        let mut results = results.iter();
        let result = results.find(|result| result["tool_use_id"] == used["tool_use_id"]);
        let result = result.unwrap_or_else(|| panic!("nothing came of {used}"));
        let given = ["tool_name", "result", "success", "error"].map(|name| &result[name]);
        json!({"tool_name": used["tool_name"], "args": used["args"], "given": given})
    });
    let uses: Vec<Value> = uses.collect();
    assert_eq!(uses.len(), results.len(), "{results:?}");
    let ends = ["message", "approval_requested"].map(|name| of(events, name));
    let (ends, last) = (ends.concat(), of(events, "complete"));
    let ([end], [complete]) = (&ends[..], &last[..]) else {
        panic!("{events:?}")
    };
    let members = [
        "type",
        "message_id",
        "content",
        "results",
        "actions",
        "model",
        "usage",
        "stop_reason",
        "approval",
        "action",
        "payload",
        "expires_at",
    ];
    let members_said: Value = members
        .iter()
        .map(|name| (*name, end[*name].clone()))
        .collect();
    let state = json!({
        "uses": uses, "said": members_said, "reason": complete["reason"], "stop_reason": complete["stop_reason"],
    });
    masked(state, &["approval", "expires_at"])
}

/// What a client has of a turn whose stream is cut after `count` events, once it has come back for the rest.
#[track_caller]
fn cut_after(count: usize, customer: &Caller, body: &Value) -> Vec<Value> {
    let came = ask(customer, body).cut_off(|came| events(came).len() >= count);
    let mut seen = events(&came);
    seen.truncate(count);
    let turn_id = match seen.first() {
        Some(event) => event["turn_id"].as_str().expect("an id").to_owned(),
        // Who has no event of the turn has its history.
        None => open_turn(customer),
    };
    let last = seen.last();
    let is_whole = last.is_some_and(|event| event["type"] == "complete");
    let last = last.and_then(|event| event["event_index"].as_u64());
    let rest = resume(customer, &turn_id, last);
    if is_whole {
        assert_eq!(rest.status, 204, "{rest:?}");
    } else {
        seen.extend(stream_events(&rest));
    }
    let numbers = seen.iter().map(|event| event["event_index"].as_u64());
    let numbers: Vec<_> = numbers.collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    // As it is resumed by whoever has none of it.
    let whole = stream_events(&resume(customer, &turn_id, None));
    assert_eq!(settled(&seen), settled(&whole), "cut after {count} events");
    seen
}

#[test]
fn a_stream_cut_after_any_event_ends_as_if_it_were_uncut() {
    let models = TURNS.map(|(model, ..)| model).join(",");
    let (peer, shop) = start(&models);
    let question = |model: &str, words: &str| {
        let message = format!("libro 12, {words}");
        json!({"message": message, "model": model, "enable_thinking": model == "thinking"})
    };
    let mut cuts = 0;
    for (turn, (model, event, times)) in TURNS.into_iter().enumerate() {
        let words = format!("sin corte, turno {turn}");
        let whole = stream_events(&ask(&shop.customer(model), &question(model, &words)).send());
        check_laws(&whole, true);
        assert_eq!(of(&whole, event).len(), times, "{whole:?}");
        let (expected, request) = (kept(&whole), peer.requests_about(&words).len());
        // After none of them, after each, and after the last.
        let places = whole.len() + 1;
        all_at_once(places, |count| {
            let words = format!("corte {count}, turno {turn}");
            let customer = shop.customer(&format!("cut-{count}"));
            let seen = cut_after(count, &customer, &question(model, &words));
            assert_eq!(kept(&seen), expected, "{model}, cut after {count} events");
            let times = peer.requests_about(&words).len();
            assert_eq!(times, request, "{model}, cut after {count} events");
        });
        cuts += places;
    }
    println!("stream: {cuts} cuts after an event, {cuts} told to their end, 0 asked twice");
    assert!(cuts > 35, "{cuts}");
}
