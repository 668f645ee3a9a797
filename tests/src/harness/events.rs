//! A turn's events as they come over the wire, and what always holds of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Answer;

/// The events that are whole in `text`.
#[track_caller]
pub(crate) fn events(text: &str) -> Vec<Value> {
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let blocks = whole.split("\n\n").filter(|block| !block.is_empty());
    let mut events = Vec::new();
    for block in blocks.filter(|block| !block.starts_with(':')) {
        let lines: Vec<&str> = block.lines().collect();
        let [id, name, data] = lines[..] else {
            panic!("{block}")
        };
        let data = data.strip_prefix("data: ").expect("data");
        let event: Value = serde_json::from_str(data).expect("a document");
        // What staff say is no turn's.
        let number = event.get("event_index").or(event.get("id"));
        if let Some(number) = number {
            assert_eq!(id, format!("id: {number}"), "{block}");
        }
        assert_eq!(
            Some(name),
            event["type"]
                .as_str()
                .map(|name| format!("event: {name}"))
                .as_deref()
        );
        events.push(event);
    }
    events
}

pub(crate) fn stream_events(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    events(&answer.text)
}

pub(crate) fn names(events: &[Value]) -> Vec<&str> {
    let names = events.iter().map(|event| event["type"].as_str());
    names.map(Option::unwrap_or_default).collect()
}

pub(crate) fn of<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    let events = events.iter();
    events.filter(|event| event["type"] == name).collect()
}

/// What always holds of a whole stream, whoever asked.
#[track_caller]
pub(crate) fn check_laws(events: &[Value], is_kept: bool) {
    let names = names(events);
    let numbers: Vec<_> = events.iter().map(|event| &event["event_index"]).collect();
    let expected: Vec<Value> = (0..events.len()).map(|index| json!(index)).collect();
    assert_eq!(numbers, expected.iter().collect::<Vec<_>>());
    let turns: BTreeSet<_> = events
        .iter()
        .map(|event| event["turn_id"].as_str())
        .collect();
    assert_eq!(turns.len(), 1);
    assert_eq!(names[..2], ["session_start", "user_message_confirmed"]);
    assert_eq!(names.last(), Some(&"complete"));
    let ends = ["message", "approval_requested", "error"];
    let ending = names.iter().filter(|name| ends.contains(name));
    assert_eq!(ending.count(), 1, "{names:?}");
    // What waits for the customer is marked so.
    let asks = names.iter().position(|name| *name == "approval_requested");
    let waits = names.iter().position(|name| *name == "turn_paused");
    assert_eq!(asks.map(|asks| asks + 1), waits, "{names:?}");
    // Every use of a tool is followed by its one result, under the same name, and no result is without its use.
    let mut used: Vec<(&Value, &Value)> = Vec::new();
    let mut given = BTreeSet::new();
    for event in events {
        let (id, name) = (&event["tool_use_id"], &event["tool_name"]);
        match event["type"].as_str() {
            Some("tool_use") => {
                assert!(
                    used.iter().all(|(known, _)| *known != id),
                    "{id} is used twice"
                );
                used.push((id, name));
            }
            Some("tool_result") => {
                assert!(
                    used.contains(&(id, name)),
                    "{id} has a result before its use"
                );
                assert!(given.insert(id.to_string()), "{id} has two results");
            }
            _ => {}
        }
    }
    assert_eq!(used.len(), given.len(), "a use without a result: {names:?}");
    // Thinking comes before the message.
    let place = |name: &str| names.iter().rposition(|known| known.starts_with(name));
    let first_chunk = names.iter().position(|name| *name == "message_chunk");
    assert!(
        first_chunk.is_none_or(|first_chunk| place("thinking").is_none_or(|thought| thought < first_chunk)),
        "{names:?}"
    );
    // The notice that a machine answers comes once.
    let notices = events.iter().filter(|event| event["notice"].is_string());
    assert!(notices.count() <= 1, "{names:?}");
    // What is persisted has a place, and nothing else.
    for event in events {
        let is_persisted = event["persistence_state"] == "persisted";
        assert_eq!(event["sequence_number"].is_u64(), is_persisted, "{event}");
        assert!(
            is_kept || event["persistence_state"] == "transient",
            "{event}"
        );
    }
    // The chunks are the message.
    if let [message] = of(events, "message")[..] {
        let chunks = of(events, "message_chunk").into_iter();
        let first_chunk: String = chunks
            .filter_map(|chunk| chunk["content"].as_str())
            .collect();
        assert_eq!(message["content"], first_chunk);
    }
}
