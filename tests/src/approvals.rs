//! Models that use tools, and what they propose: nothing is changed but by the customer's word, once, and exactly as asked.

use serde_json::{Value, json};

use crate::harness::{
    Answer, Caller, ModelPeer, Setup, Shop, all_at_once, check_laws, keys, masked, names, of,
    stream_events,
};

/// A shop with these models, any of which may be asked for.
fn start(models: &str) -> (ModelPeer, Shop) {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", models)
        .set("LLM_TIMEOUT_SECONDS", "10")
        .start();
    (peer, shop)
}

fn stream(caller: &Caller, model: &str, message: &str) -> Vec<Value> {
    let body = json!({"message": message, "model": model});
    stream_events(&caller.call("POST", "/api/agent/stream").json(&body).send())
}

#[test]
fn a_model_uses_tools_and_answers_with_their_results() {
    let (peer, shop) = start("searcher");
    let customer = shop.customer("reader");
    for caller in [&customer, &shop.guest()] {
        let events = stream(caller, "searcher", "libro 12");
        check_laws(&events, caller.token.is_some());
        assert_eq!(
            names(&events),
            [
                "session_start",
                "user_message_confirmed",
                "tool_use",
                "tool_result",
                "tool_use",
                "tool_result",
                "message_chunk",
                "message_chunk",
                "message",
                "complete"
            ]
        );
        let message = of(&events, "message")[0];
        let content = message["content"].as_str().unwrap_or_default();
        assert!(content.contains("Tolkien"), "{content}");
        // What was looked for last comes first, and what was found at once is still there.
        let titles = keys(&message["results"], "autor");
        assert!(titles[0].to_string().contains("Tolkien"), "{titles:?}");
        assert!(
            titles
                .iter()
                .any(|author| author == &json!("Mario Vargas Llosa")),
            "{titles:?}"
        );
        assert_eq!(
            message["usage"],
            json!({"input_tokens": 20, "output_tokens": 10})
        );
    }
    // The calls are in the prompt with their results, whole.
    let proposal = peer.requests_about("tolkien");
    let messages = proposal[0].body["messages"].as_array().expect("messages");
    let [.., calling, result] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert_eq!(calling["tool_calls"][0]["id"], result["tool_call_id"]);
    assert_eq!(
        calling["tool_calls"][0]["function"]["name"],
        "search_catalog"
    );
    // The turn is resumed with all of it.
    let events = stream(&customer, "searcher", "libro 12");
    // And the history has the same books.
    let history = customer.get("/api/agent/history/").is(200);
    let messages = history["messages"].as_array().expect("messages");
    let kept = &messages[messages.len() - 1]["meta"]["results"];
    let emitted = &of(&events, "message")[0]["results"];
    assert_eq!(keys(kept, "libro_id"), keys(emitted, "libro_id"));
    let turn_id = events[0]["turn_id"].as_str().expect("an id");
    let repeated = stream_events(&customer.get(&format!("/api/agent/stream/{turn_id}")));
    let lasting = |events: &[Value]| -> Vec<Value> {
        let lasting = events
            .iter()
            .filter(|event| event["type"] != "message_chunk");
        let members = [
            "type",
            "event_index",
            "tool_use_id",
            "args",
            "result",
            "content",
            "results",
            "actions",
        ];
        lasting
            .map(|event| members.iter().map(|name| event[*name].clone()).collect())
            .collect()
    };
    assert_eq!(lasting(&repeated), lasting(&events));
}

#[test]
fn calls_are_checked_counted_and_ended() {
    let (peer, shop) = start("doubtful, looping, stuck");
    let customer = shop.customer("careful");
    let before = customer.act("view_cart", json!({})).is(200);
    let events = stream(&customer, "doubtful", "libro 12");
    check_laws(&events, true);
    let results = of(&events, "tool_result").into_iter().skip(1);
    let outcomes: Vec<_> = results
        .map(|event| (event["tool_name"].clone(), event["error"].clone()))
        .collect();
    let wrong = json!("invalid_arguments");
    assert_eq!(
        json!(outcomes),
        json!([
            ["search_catalog", null],
            ["search_catalog", wrong],
            ["unknown_tool", wrong],
            ["checkout", wrong],
            ["add_to_cart", wrong],
        ])
    );
    assert_eq!(customer.act("view_cart", json!({})).is(200), before);

    let events = stream(&customer, "looping", "libro 13");
    check_laws(&events, true);
    assert_eq!(peer.requests_about("libro 13").len(), 3);
    assert_eq!(events.last().expect("an end")["reason"], "max_turns");
    // The last time it was offered nothing.
    let proposal = peer.requests_about("libro 13");
    let offered: Vec<bool> = proposal
        .iter()
        .map(|proposal| proposal.body["tools"].is_array())
        .collect();
    assert_eq!(offered, [true, true, false]);

    stream(&customer, "stuck", "libro 14");
    assert_eq!(peer.requests_about("libro 14").len(), 2);
}

/// The approval that a stream asks for.
#[track_caller]
fn proposal_in(events: &[Value]) -> Value {
    check_laws(events, true);
    let [proposal] = of(events, "approval_requested")[..] else {
        panic!("{events:?}")
    };
    proposal.clone()
}

fn decide(caller: &Caller, decision: &str, approval: &Value) -> Answer {
    caller.act(decision, json!({"approval": approval}))
}

#[test]
fn a_proposal_is_carried_out_once_approved() {
    let (_peer, shop) = start("reserver, seller");
    let customer = shop.customer("buyer");
    let stock = customer.stock(12);
    let events = stream(&customer, "reserver", "libro 12");
    let proposal = proposal_in(&events);
    assert_eq!(
        proposal["content"],
        "¿Te reservo 2 ejemplares de «Conversación en La Catedral», a 14,95 € cada uno?"
    );
    assert_eq!(
        (&proposal["action"], &proposal["payload"]),
        (
            &json!("reserve_book"),
            &json!({"book_id": 12, "cantidad": 2})
        )
    );
    assert_eq!(proposal["actions"][0]["approval"], proposal["approval"]);
    // Nothing has happened yet.
    assert_eq!(customer.stock(12), stock);
    let done = decide(&customer, "approve", &proposal["approval"]).is(200);
    assert_eq!(done["actions"][0]["action"], "approve");
    assert_eq!(customer.stock(12), stock - 2);
    // Whoever has lost the answer gets the outcome, and nothing else.
    let repeated = decide(&customer, "approve", &proposal["approval"]);
    assert_eq!(repeated.code(), "approval_closed");
    assert_eq!(repeated.is(400)["message"], done["message"]);
    assert_eq!(customer.stock(12), stock - 2);
    // The conversation knows of it.
    let history = customer.history("").is(200);
    let messages = history["messages"].as_array().expect("messages");
    let [.., question, outcome] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert_eq!(question["content"], proposal["content"]);
    assert_eq!(outcome["content"], done["message"]);
    assert_eq!(outcome["meta"]["approved"], true);

    // In one answer too, and refused.
    let body = json!({"message": "libro 14", "model": "seller"});
    let answer = customer.post("/api/agent/", &body).is(200);
    let approval = &answer["actions"][0];
    assert_eq!(
        (&approval["type"], &approval["action"]),
        (&json!("approval"), &json!("add_to_cart"))
    );
    decide(&customer, "reject", &approval["approval"]).is(200);
    decide(&customer, "approve", &approval["approval"]).is(400);
    let cart = customer.act("view_cart", json!({})).is(200);
    assert_eq!(cart["results"], json!([]));
    // Guests are proposed nothing.
    let events = stream(&shop.guest(), "reserver", "libro 12");
    assert_eq!(of(&events, "approval_requested").len(), 0);
}

#[test]
fn a_resumed_turn_repeats_its_proposal() {
    let (peer, shop) = start("reserver, grounded");
    let customer = shop.customer("returning");
    let proposal = proposal_in(&stream(&customer, "reserver", "libro 12"));
    // Behind much that came since, in a conversation that is over.
    for number in 0..12 {
        let note = format!("nota {number}");
        customer.add_message("user", &note).is(201);
    }
    let archived = customer.call("DELETE", "/api/agent/history/").send();
    archived.is(200);
    stream(&customer, "grounded", "libro 14");
    let turn_id = proposal["turn_id"].as_str().expect("an id");
    let path = format!("/api/agent/stream/{turn_id}");
    let back = || customer.call("GET", &path);
    let index = proposal["event_index"].as_u64().expect("a number");
    let before = (index - 1).to_string();
    for call in [back(), back().header("last-event-id", before)] {
        let events = stream_events(&call.send());
        let repeated = of(&events, "approval_requested");
        assert_eq!(repeated.len(), 1, "{events:?}");
        for member in ["approval", "action", "payload", "expires_at"] {
            assert!(!proposal[member].is_null(), "{member}: {proposal}");
            assert_eq!(repeated[0][member], proposal[member]);
        }
        let whole = |event: &Value| masked(event.clone(), &["timestamp"]);
        assert_eq!(whole(repeated[0]), whole(&proposal));
    }
    assert_eq!(peer.requests_about("libro 12").len(), 1);
    // It waits still, though its conversation is over.
    let follows = |after: Option<u64>| {
        let mut call = back();
        if let Some(after) = after {
            call = call.header("last-event-id", after.to_string());
        }
        let mut events = stream_events(&call.send());
        events.retain(|event| event["event_index"].as_u64() > Some(index));
        let numbers = events.iter().map(|event| event["event_index"].as_u64());
        let expected = [1, 2, 3].map(|later| Some(index + later));
        assert_eq!(numbers.collect::<Vec<_>>(), expected);
        events
    };
    let conversation = archived.json()["conversation"]["id"]
        .as_u64()
        .expect("a number")
        - 1;
    for after in [None, Some(index - 1), Some(index)] {
        let events = follows(after);
        assert_eq!(names(&events), ["turn_paused", "session_end", "complete"]);
        assert_eq!(events[0]["why"], "approval");
        assert_eq!(events[1]["conversation"], conversation);
        assert_eq!(events[1]["persistence_state"], "persisted");
    }
    // It is what the customer may still approve.
    let stock = customer.stock(12);
    let done = decide(&customer, "approve", &proposal["approval"]).is(200);
    assert_eq!(customer.stock(12), stock - 2);
    // Then the outcome is there, and no model is called for it.
    for after in [None, Some(index)] {
        let events = follows(after);
        assert_eq!(
            names(&events),
            ["approval_resolved", "session_end", "complete"]
        );
        assert_eq!(
            (
                &events[0]["approval"],
                &events[0]["approved"],
                &events[0]["content"]
            ),
            (&proposal["approval"], &json!(true), &done["message"])
        );
        assert!(events[0]["sequence_number"].as_u64() > events[1]["sequence_number"].as_u64());
    }
}

#[test]
fn a_model_sees_the_outcome_of_its_proposal() {
    let (peer, shop) = start("reserver, grounded");
    let customer = shop.customer("decided");
    for (decision, question) in [("reject", "libro 15"), ("approve", "libro 14")] {
        let proposal = proposal_in(&stream(&customer, "reserver", "libro 12"));
        let decided = decide(&customer, decision, &proposal["approval"]).is(200);
        let outcome = decided["message"].as_str().expect("a sentence");
        stream(&customer, "grounded", question);
        let proposal = peer.requests_about(question);
        assert_eq!(proposal.len(), 1);
        let messages = proposal[0].body["messages"].as_array().expect("messages");
        let [.., before, _] = &messages[..] else {
            panic!("{messages:?}")
        };
        assert_eq!(before["role"], "assistant");
        let contents = before["content"].as_str().unwrap_or_default();
        assert!(contents.ends_with(outcome), "no {outcome:?}: {messages:?}");
    }
}

#[test]
fn only_the_requested_approval_is_accepted() {
    let (_peer, shop) = start("reserver");
    let (customer, other) = (shop.customer("owner"), shop.customer("thief"));
    let stock = customer.stock(12);
    let mut refused = 0;
    let mut check = |answer: Answer, code: &str| {
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, code),
            "{answer:?}"
        );
        assert_eq!(customer.stock(12), stock, "{answer:?}");
        refused += 1;
    };
    let proposal = proposal_in(&stream(&customer, "reserver", "libro 12"));
    let approval = &proposal["approval"];
    let text = approval.as_str().expect("an identifier");
    let flipped = if text.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{flipped}", &text[..text.len() - 1]);
    // Of a time long past, whoever's it is; and of one to come.
    let old = json!("01890000-0000-7000-8000-000000000000");
    check(decide(&customer, "approve", &old), "approval_closed");
    for wrong in [
        json!(forged),
        json!("ffff0000-0000-7000-8000-000000000000"),
        json!("00000000-0000-0000-0000-000000000000"),
        json!(format!("{text}0")),
        json!("../../approval"),
        json!(12),
        json!(null),
        json!([text]),
        proposal["turn_id"].clone(),
        json!(""),
    ] {
        check(decide(&customer, "approve", &wrong), "approval_not_found");
    }
    // Somebody else's.
    check(decide(&other, "approve", approval), "approval_not_found");
    check(decide(&other, "reject", approval), "approval_not_found");
    shop.guest()
        .act("approve", json!({"approval": approval}))
        .problem(401, "auth_required");
    // Other arguments than those that were asked about.
    for meant in [
        json!({"book_id": 13, "cantidad": 2}),
        json!({"book_id": 12, "cantidad": 3}),
        json!({"book_id": 12, "cantidad": "2"}),
        json!({"book_id": 12}),
        json!({"book_id": 12, "cantidad": 2, "precio": "0.01"}),
        json!("book 12"),
    ] {
        let body = json!({"approval": approval, "payload": meant});
        check(customer.act("approve", body), "approval_mismatch");
    }
    // By many at once, and repeatedly: it is done once, and all answers that come are the same.
    let mut many = all_at_once(16, |_| decide(&customer, "approve", approval));
    many.push(decide(&customer, "approve", approval));
    let contents = many.iter().filter_map(|answer| match answer.status {
        200 => Some(answer.json()["message"].clone()),
        400 => {
            assert_eq!(answer.code(), "approval_closed");
            Some(answer.json()["message"].clone())
        }
        _ => {
            answer.problem(409, "in_progress");
            None
        }
    });
    let contents: Vec<Value> = contents.collect();
    assert!(many.iter().any(|answer| answer.status == 200), "{many:?}");
    assert!(
        contents.iter().all(|message| *message == contents[0]),
        "{many:?}"
    );
    assert_eq!(customer.stock(12), stock - 2);
    let listed = customer.act("list_reservations", json!({})).is(200);
    assert_eq!(keys(&listed["results"], "cantidad"), [2]);
    let repeated = decide(&customer, "reject", approval);
    assert_eq!(
        (repeated.status, repeated.code().as_str()),
        (400, "approval_closed")
    );
    refused += 1;
    assert_eq!(customer.stock(12), stock - 2);
    // Approved and rejected at once: one of them is what happens.
    let proposal = proposal_in(&stream(&other, "reserver", "libro 12"));
    let before = other.stock(12);
    let both = all_at_once(2, |place| {
        let decision = if place == 0 { "approve" } else { "reject" };
        decide(&other, decision, &proposal["approval"])
    });
    let done: Vec<_> = both.iter().map(|answer| answer.status == 200).collect();
    let taken = before - other.stock(12);
    match done[..] {
        [true, false] => assert_eq!(taken, 2),
        [false, true] => assert_eq!(taken, 0),
        _ => panic!("{both:?}"),
    }
    println!("approvals: {refused} attacks refused, 0 effects of them");
}
