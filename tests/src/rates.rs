//! Rate windows: exactly as many as allowed, whoever comes at once.

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, ModelPeer, Setup, Shop, all_at_once, in_seconds, signed};

/// Windows of a day, so that none ends in the middle of a test.
fn limited(chat: u32, search: u32, action: u32, history: u32) -> Shop {
    let scopes = [
        ("CHAT", chat),
        ("SEARCH", search),
        ("ACTION", action),
        ("HISTORY", history),
    ];
    let setup = scopes.iter().fold(Setup::new(), |setup, (scope, limit)| {
        setup.set(
            &format!("AGENT_RATE_LIMIT_{scope}"),
            &format!("{limit}/day"),
        )
    });
    setup.start()
}

type Send = fn(&Caller<'_>) -> Answer;

fn chat(caller: &Caller<'_>) -> Answer {
    let request = json!({"message": "libro 12", "save_history": false});
    caller.post("/api/agent/", &request)
}

fn search(caller: &Caller<'_>) -> Answer {
    caller.search(&[])
}

fn status(caller: &Caller<'_>) -> Answer {
    caller.get("/api/agent/status/")
}

fn act(caller: &Caller<'_>) -> Answer {
    caller.act("view_cart", json!({}))
}

fn history(caller: &Caller<'_>) -> Answer {
    caller.history("")
}

/// Sends more than `limit` requests at once and checks who is let in and what each is answered.
#[track_caller]
fn exactly(caller: &Caller<'_>, send: Send, limit: usize, sent: usize) {
    let answers = all_at_once(sent, |_| send(caller));
    let stream_events =
        |answer: &Answer, name: &str| answer.header(name).and_then(|value| value.parse().ok());
    let mut remaining = Vec::new();
    for answer in &answers {
        assert_eq!(
            stream_events(answer, "ratelimit-limit"),
            Some(limit),
            "{answer:?}"
        );
        let reset = stream_events(answer, "ratelimit-reset").expect("seconds");
        assert!((1..=86_400).contains(&reset), "{answer:?}");
        if answer.status == 200 {
            remaining.push(stream_events(answer, "ratelimit-remaining").expect("a number"));
        } else {
            answer.problem(429, "rate_limited");
            assert_eq!(
                stream_events(answer, "ratelimit-remaining"),
                Some(0),
                "{answer:?}"
            );
            let wait = stream_events(answer, "retry-after").expect("seconds");
            assert!((1..=86_400).contains(&wait), "{answer:?}");
        }
    }
    remaining.sort_unstable();
    assert_eq!(
        remaining,
        (0..limit).collect::<Vec<_>>(),
        "of {sent} requests"
    );
}

#[test]
fn exactly_as_many_as_allowed_are_let_in() {
    let shop = limited(3, 2, 5, 1);
    let guest = shop.guest();
    exactly(&guest, chat, 3, 12);
    exactly(&guest, search, 2, 12);
    let scopes: [(Send, usize); 4] = [(chat, 3), (status, 2), (act, 5), (history, 1)];
    for (send, limit) in scopes {
        // Two customers and the guest do not share a window.
        exactly(&shop.customer("first"), send, limit, 12);
        exactly(&shop.customer("second"), send, limit, 12);
    }
    println!("rates: 10 windows, 120 requests at once, 0 overshot");
}

#[test]
fn larger_windows_are_not_overshot_either() {
    // Above a hundred, windows are taken in leases; what is left is then reported to the nearest lease.
    let shop = limited(250, 250, 250, 250);
    let customer = shop.customer("many");
    let answers = all_at_once(280, |_| search(&customer));
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(admitted, 250);
    for refusal in answers.iter().filter(|answer| answer.status != 200) {
        refusal.problem(429, "rate_limited");
    }
}

#[test]
fn what_is_refused_has_no_effect() {
    let shop = limited(1, 10, 2, 3);
    let customer = shop.customer("hasty");
    customer.chat("libro 12").is(200);
    for _ in 0..3 {
        customer.chat("libro 12").problem(429, "rate_limited");
    }
    let messages = customer.history("").is(200)["messages"].clone();
    assert_eq!(messages.as_array().map(Vec::len), Some(2));
    for expected in [200, 200, 429, 429] {
        let answer = customer.act("add_to_cart", json!({"book_id": 12}));
        assert_eq!(answer.status, expected, "{answer:?}");
    }
    let rates = customer.get("/api/agent/status/").is(200)["limits"].clone();
    let rate = |limit: u32| json!({"limit": limit, "window_seconds": 86_400});
    let hourly = json!({"limit": 600, "window_seconds": 3_600});
    let expected: Value = json!({"chat": rate(1), "search": rate(10), "action": rate(2), "history": rate(3), "guest_model": hourly});
    assert_eq!(rates, expected);
}

#[test]
fn a_new_window_admits_more() {
    let shop = Setup::new().set("AGENT_RATE_LIMIT_HISTORY", "1/s").start();
    let customer = shop.customer("waiting");
    let begun = std::time::Instant::now();
    let mut admitted = 0;
    while begun.elapsed() < std::time::Duration::from_millis(3_500) {
        let answer = customer.history("");
        if answer.status == 200 {
            admitted += 1;
        } else {
            answer.problem(429, "rate_limited");
            assert_eq!(answer.header("retry-after"), Some("1"));
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    // Three and a half seconds touch four or five windows of one second; a request a window on a loaded machine may miss one.
    assert!((3..=5).contains(&admitted), "{admitted}");
}

/// A shop pays for each turn, and an attacker has many addresses.
#[test]
fn guests_have_a_models_turns_together() {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "grounded")
        .set("AGENT_RATE_LIMIT_GUEST_MODEL", "3/day")
        .start();
    let guest = shop.guest();
    let llm = |answer: &Answer| answer.is(200)["trace"]["llm"].clone();
    let answers = all_at_once(12, |_| guest.chat("libro 12, primera"));
    let request: Vec<Value> = answers
        .iter()
        .map(|answer| llm(answer)["error"].clone())
        .collect();
    let spent = request
        .iter()
        .filter(|error| **error == "guest_budget")
        .count();
    assert_eq!(
        (request.len() - spent, peer.requests_about("primera").len()),
        (3, 3),
        "{request:?}"
    );
    assert!(answers.iter().all(|answer| {
        !answer.is(200)["results"]
            .as_array()
            .expect("books")
            .is_empty()
    }));
    let stream_events = guest.post(
        "/api/agent/stream",
        &json!({"message": "libro 12, segunda"}),
    );
    assert!(
        stream_events.text.contains("event: complete"),
        "{stream_events:?}"
    );
    assert!(peer.requests_about("segunda").is_empty());
    // Without a model nothing is counted, and who is signed in has their own.
    let brief = json!({"message": "libro 12", "use_llm": false, "trace": true});
    assert_eq!(
        llm(&guest.post("/api/agent/", &brief))["error"],
        "not_wanted"
    );
    let customer = shop.customer("paying");
    assert_eq!(
        llm(&customer.chat("libro 12, tercera"))["error"],
        Value::Null
    );
}

/// A tenant may be called what guests were.
#[test]
fn no_customer_shares_a_window_with_guests() {
    let shop = limited(2, 100, 100, 100);
    let claims = json!({"sub": "127.0.0.1", "tenant": "guest", "exp": in_seconds(600)});
    let namesake = shop.bearer("127.0.0.1", &signed(&claims));
    exactly(&namesake, chat, 2, 4);
    exactly(&shop.guest(), chat, 2, 4);
}
