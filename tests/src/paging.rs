//! Reading a long history in pages: all of them together are the whole, whatever their size.

use serde_json::{Value, json};

use crate::harness::{Caller, keys, shop};

/// A customer with two turns and messages from outside: 24 messages with gaps between their numbers.
fn talkative(label: &str) -> Caller<'static> {
    let customer = shop().customer(label);
    for round in 0..20 {
        if round % 10 == 5 {
            customer.chat("libro 12").is(200);
        }
        customer
            .add_message("user", &format!("mensaje {round}"))
            .is(201);
    }
    customer
}

fn messages(page: &Value) -> Vec<Value> {
    page["messages"].as_array().cloned().unwrap_or_default()
}

#[test]
fn walking_back_by_cursor_gives_the_whole() {
    let customer = talkative("cursor");
    let whole = messages(&customer.history("?limit=500").is(200));
    assert_eq!(whole.len(), 24);
    assert_eq!(messages(&customer.history("").is(200)), whole);
    for limit in [1, 7, 23, 24, 25] {
        let mut walked = Vec::new();
        let mut query = format!("?limit={limit}");
        loop {
            let page = customer.history(&query).is(200);
            let part = messages(&page);
            assert!(part.len() <= limit, "{query}: {page}");
            walked.splice(0..0, part.clone());
            let Some(next) = page["next"].as_u64() else {
                break;
            };
            assert_eq!(part.len(), limit, "only the last page is short: {query}");
            assert_eq!(part[0]["id"], next);
            query = format!("?limit={limit}&before={next}");
        }
        assert_eq!(walked, whole, "limit {limit}");
    }
}

#[test]
fn numbered_pages_give_the_whole() {
    let customer = talkative("numbered");
    let whole = messages(&customer.history("").is(200));
    for per_page in [1, 5, 24, 100] {
        let mut walked = Vec::new();
        for page in 1.. {
            let part = messages(
                &customer
                    .history(&format!("?page={page}&per_page={per_page}"))
                    .is(200),
            );
            if part.is_empty() {
                break;
            }
            walked.splice(0..0, part);
        }
        assert_eq!(walked, whole, "per_page {per_page}");
    }
}

#[test]
fn sizes_are_clamped_and_bad_cursors_refused() {
    let customer = talkative("sizes");
    let count = |query: &str| messages(&customer.history(query).is(200)).len();
    for (query, expected) in [
        ("?limit=0", 1),
        ("?limit=99999", 24),
        ("?per_page=0&page=0", 1),
        ("?before=2", 0),
        ("?before=0", 0),
        ("?before=9007199254740993", 24),
        ("?page=3&per_page=24", 0),
    ] {
        assert_eq!(count(query), expected, "{query}");
    }
    for value in [
        "-1",
        "x",
        "1.5",
        "1e3",
        "0x1",
        "%00",
        "5%235",
        "99999999999999999999",
        "٣",
    ] {
        for name in ["before", "limit", "page", "per_page", "conversation"] {
            let answer = customer.history(&format!("?{name}={value}"));
            answer.problem(400, "invalid_request");
        }
    }
    let cursor = customer.history("?limit=3").is(200)["next"].clone();
    // A cursor names a place in a conversation of one's own, so in another's hands it reaches nothing.
    let other = shop().customer("stranger");
    let page = other.history(&format!("?before={cursor}")).is(200);
    assert_eq!(
        page,
        json!({"conversation": null, "messages": [], "next": null})
    );
}

#[test]
fn pages_hold_no_message_twice() {
    let customer = talkative("ids");
    let ids = keys(&customer.history("").is(200)["messages"], "id");
    let ids: Vec<u64> = ids.iter().map(|id| id.as_u64().unwrap()).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    let (first, last) = (ids[0], ids[ids.len() - 1]);
    // The start, 20 messages from outside, two turns of four events.
    assert_eq!((first, last), (2, 29));
}
