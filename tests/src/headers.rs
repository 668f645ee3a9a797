//! What every answer carries: its request's id, its caller's rate; and that a slash makes no difference.

use crate::{
    errors::{good_body, operations},
    harness::{Answer, shop},
};
use serde_json::json;

#[test]
fn every_answer_names_its_request_and_its_rate() {
    let customer = shop().customer("named");
    let mut ids = Vec::new();
    for (method, path) in operations() {
        for path in [path, path.trim_end_matches('/')] {
            let answer = customer
                .call(method, path)
                .json(&good_body(path_with_slash(path).as_str()))
                .send();
            assert!([200, 201].contains(&answer.status), "{answer:?}");
            assert_eq!(
                answer.header("content-type"),
                Some("application/json"),
                "{answer:?}"
            );
            let rate = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|name| {
                answer
                    .header(name)
                    .and_then(|value| value.parse::<u64>().ok())
            });
            let [Some(limit), Some(remaining), Some(reset)] = rate else {
                panic!("{answer:?}")
            };
            assert!(
                limit == 1_000_000 && remaining < limit && (1..=60).contains(&reset),
                "{answer:?}"
            );
            ids.push(request_id(&answer));
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "each request has an id of its own");
}

#[test]
fn pages_name_their_request_too() {
    for path in ["/openapi.json", "/"] {
        request_id(&shop().guest().get(path));
    }
}

fn path_with_slash(path: &str) -> String {
    format!("{}/", path.trim_end_matches('/'))
}

/// The request's id, which is a UUID of version 7.
#[track_caller]
fn request_id(answer: &Answer) -> String {
    let id = answer
        .header("x-request-id")
        .unwrap_or_else(|| panic!("no id: {} {:?}", answer.request, answer.headers));
    let groups: Vec<usize> = id.split('-').map(str::len).collect();
    assert_eq!(
        (groups.as_slice(), &id[14..15]),
        (&[8, 4, 4, 4, 12][..], "7"),
        "{id}"
    );
    id.to_owned()
}

#[test]
fn a_slash_at_the_end_changes_nothing() {
    let changing = [
        "request_id",
        "timings_ms",
        "created_at",
        "updated_at",
        "id",
        "message_count",
        "last_message_at",
    ];
    let customer = shop().customer("slashes");
    // A conversation that has begun: its first answer has a notice.
    customer
        .post("/api/agent/", &json!({"message": "libro 12"}))
        .is(200);
    for (method, path) in operations().filter(|(method, _)| *method != "DELETE") {
        let send = |path: &str| {
            customer
                .call(method, path)
                .json(&good_body(&path_with_slash(path)))
                .send()
        };
        let [with, without] = [path, path.trim_end_matches('/')].map(send);
        if path != "/api/agent/history/" {
            assert_eq!(
                with.seen(&changing),
                without.seen(&changing),
                "{method} {path}"
            );
        }
        assert_eq!(with.status, without.status, "{method} {path}");
    }
}
