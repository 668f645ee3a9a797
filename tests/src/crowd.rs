//! One customer who asks from sixty-four places at once.

use std::collections::BTreeSet;

use serde_json::json;

use crate::harness::{all_at_once, keys, shop, until_admitted};

const TURNS: usize = 64;

#[test]
fn sixty_four_first_messages_open_one_conversation() {
    let customer = shop().customer("crowd");
    let answers = all_at_once(TURNS, |index| {
        let request = json!({"message": format!("libro {}", index + 1)});
        until_admitted(|| customer.post("/api/agent/", &request)).is(200)
    });
    for answer in &answers {
        let kept = (
            &answer["conversation"],
            &answer["persist_history_confirmation"],
        );
        assert_eq!(kept, (&json!(1), &json!(true)));
    }
    let history = customer.history("?limit=500").is(200);
    assert_eq!(history["conversation"]["message_count"], 128);
    assert_eq!(history["next"], json!(null));
    let messages = history["messages"].as_array().unwrap();

    // Event 1 is the start; each turn is a question, two tool events and an answer, and no other turn comes between them.
    let expected: Vec<u64> = (0..TURNS as u64)
        .flat_map(|turn| [4 * turn + 2, 4 * turn + 5])
        .collect();
    assert_eq!(json!(keys(&history["messages"], "id")), json!(expected));

    let mut request = BTreeSet::new();
    for turn in messages.chunks(2) {
        let [question, answer] = turn else {
            panic!("{turn:?}")
        };
        assert_eq!(
            (&question["role"], &answer["role"]),
            (&json!("user"), &json!("assistant"))
        );
        assert_eq!(question["meta"]["turn_id"], answer["meta"]["turn_id"]);
        let number: usize = question["content"].as_str().unwrap()[6..].parse().unwrap();
        assert_eq!(answer["content"], answers[number - 1]["message"]);
        request.insert(number);
    }
    assert_eq!(request, (1..=TURNS).collect());
    println!("crowd: {TURNS} turns at once, 128 messages, 0 gaps, 0 doubled, 0 lost");
}

#[test]
fn the_loser_of_a_race_gets_retry_after() {
    let customer = shop().customer("racing");
    customer.chat("libro 12").is(200);
    let answers = all_at_once(16, |_| customer.chat("novela de aventuras"));
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    assert!(admitted >= 1, "somebody wins");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        let code = answer.code();
        assert!(
            ["conversation_busy", "conflict"].contains(&code.as_str()),
            "{answer:?}"
        );
        answer.problem(409, &code);
    }
    // Refused means absent.
    let count = customer.history("").is(200)["conversation"]["message_count"].clone();
    assert_eq!(count, 2 + 2 * admitted);
}

#[test]
fn archiving_in_the_middle_of_it_loses_nothing() {
    let customer = shop().customer("archived");
    let outcomes = all_at_once(12, |index| {
        if index % 4 == 3 {
            until_admitted(|| customer.call("DELETE", "/api/agent/history/").send()).is(200);
            return None;
        }
        let request = json!({"message": format!("libro {}", index + 1)});
        Some(until_admitted(|| customer.post("/api/agent/", &request)).is(200))
    });
    let mut kept = 0;
    let newest = customer.history("").is(200)["conversation"]["id"]
        .as_u64()
        .unwrap();
    for number in 1..=newest {
        let page = customer.history(&format!("?conversation={number}")).is(200);
        let roles = keys(&page["messages"], "role");
        assert_eq!(page["conversation"]["message_count"], roles.len());
        kept += roles.len();
    }
    assert_eq!(kept, 2 * outcomes.iter().flatten().count());
}
