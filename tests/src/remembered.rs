//! What is remembered of conversations: their list, search, ratings, export, replay; and how a customer is forgotten.

use std::{
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, ModelPeer, Setup, all_at_once, keys, shop};

const CONVERSATIONS: &str = "/api/agent/history/conversations/";
const SEARCH: &str = "/api/agent/history/search/";
const EXPORT: &str = "/api/agent/history/export/";
const ALL: &str = "/api/agent/history/all/";

fn archive(customer: &Caller<'_>) {
    let archived = customer.call("DELETE", "/api/agent/history/").send();
    archived.is(200);
}

fn rate(customer: &Caller<'_>, conversation: impl std::fmt::Display, body: &Value) -> Answer {
    let path = format!("/api/agent/history/{conversation}/rating/");
    customer.call("PATCH", &path).json(body).send()
}

fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let lines = answer.text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Every part of an export, without the lines with where it goes on.
fn export(customer: &Caller<'_>) -> Vec<Value> {
    let mut all = Vec::new();
    let mut path = EXPORT.to_owned();
    loop {
        let mut part = lines(&customer.get(&path));
        let last = part.pop().expect("a last line");
        all.append(&mut part);
        match last["next"].as_str() {
            Some(next) => path = format!("{EXPORT}?after={next}"),
            None => {
                assert_eq!(last, json!({"type": "end"}));
                return all;
            }
        }
    }
}

/// Waits until the view and the summaries have caught up.
#[track_caller]
fn eventually<T>(look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < deadline, "it never came");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn conversations_are_listed_newest_first_and_always_as_they_are() {
    let customer = shop().customer("lister");
    let nothing = json!({"conversations": [], "next": null});
    assert_eq!(customer.get(CONVERSATIONS).is(200), nothing);
    for number in 1..=5 {
        customer.chat(&format!("libro 1{number}")).is(200);
        // At once, whether the view has it yet or not.
        let list = customer.get(CONVERSATIONS).is(200);
        assert_eq!(list["conversations"][0]["id"], number);
        assert_eq!(list["conversations"][0]["message_count"], 2);
        archive(&customer);
    }
    let list = customer.get(CONVERSATIONS).is(200)["conversations"].clone();
    assert_eq!(keys(&list, "id"), [6, 5, 4, 3, 2, 1]);
    assert_eq!(keys(&list, "status")[..2], ["active", "archived"]);
    assert_eq!(list[1]["title"], "libro 15");
    let page = |query: &str| customer.get(&format!("{CONVERSATIONS}{query}")).is(200);
    let first = page("?limit=4");
    assert_eq!(
        (keys(&first["conversations"], "id"), &first["next"]),
        (vec![json!(6), json!(5), json!(4), json!(3)], &json!(3))
    );
    let rest = page("?limit=4&before=3");
    assert_eq!(
        (keys(&rest["conversations"], "id"), &rest["next"]),
        (vec![json!(2), json!(1)], &Value::Null)
    );
    for query in ["?before=x", "?limit=-1"] {
        let refused = customer.get(&format!("{CONVERSATIONS}{query}"));
        refused.problem(400, "invalid_request");
    }
    let stranger = shop().customer("stranger");
    assert_eq!(stranger.get(CONVERSATIONS).is(200), nothing);
    shop()
        .guest()
        .get(CONVERSATIONS)
        .problem(401, "auth_required");
}

#[test]
fn a_rating_is_kept_and_listed_at_once() {
    let customer = shop().customer("rater");
    customer.chat("libro 12").is(200);
    archive(&customer);
    let rated = rate(&customer, 1, &json!({"rating": 4})).is(200);
    assert_eq!((&rated["id"], &rated["rating"]), (&json!(1), &json!(4)));
    let list = customer.get(CONVERSATIONS).is(200);
    assert_eq!(list["conversations"][1], rated);
    // To JSON, this is 5.
    rate(&customer, 1, &json!({"rating": 5.0})).is(200);
    assert_eq!(
        customer.history("?conversation=1").is(200)["conversation"]["rating"],
        5
    );
    for body in [
        json!({}),
        json!({"rating": 0}),
        json!({"rating": 6}),
        json!({"rating": 4.5}),
        json!({"rating": "5"}),
        json!({"rating": 4.5}),
    ] {
        rate(&customer, 1, &body).problem(400, "invalid_rating");
    }
    for unknown in ["9", "0", "x", "99999999999", "%2e%2e"] {
        rate(&customer, unknown, &json!({"rating": 3})).problem(404, "not_found");
    }
    // Somebody else's looks the same as none.
    let stranger = shop().customer("rating-stranger");
    rate(&stranger, 1, &json!({"rating": 3})).problem(404, "not_found");
}

#[test]
fn messages_are_found_whatever_their_accents() {
    let customer = shop().customer("finder");
    for text in ["El águila y el ñandú", "otra cosa", "un AGUILA sin tilde"] {
        customer.add_message("user", text).is(201);
        archive(&customer);
    }
    let find = |query: &str| customer.get(&format!("{SEARCH}?q={query}")).is(200);
    let found = find("aguila");
    assert_eq!(keys(&found["matches"], "conversation"), [3, 1]);
    assert_eq!(found["matches"][1]["excerpt"], "El águila y el ñandú");
    assert_eq!(
        keys(&find("%C3%81GUILA%20nandu")["matches"], "conversation"),
        [1]
    );
    assert_eq!(find("aguila%20cosa")["matches"], json!([]));
    assert_eq!(find("")["matches"], json!([]));
    let first = find("aguila&limit=1");
    let next = first["next"].as_str().expect("more");
    assert_eq!(
        keys(
            &find(&format!("aguila&limit=1&after={next}"))["matches"],
            "conversation"
        ),
        [1]
    );
    for after in ["x", "1", "1.0", "0.1", "1.99999999999999999999"] {
        let refused = customer.get(&format!("{SEARCH}?q=aguila&after={after}"));
        refused.problem(400, "invalid_request");
    }
    let stranger = shop().customer("finding-stranger");
    assert_eq!(
        stranger.get(&format!("{SEARCH}?q=aguila")).is(200)["matches"],
        json!([])
    );
}

#[test]
fn a_long_conversation_gets_a_summary() {
    let customer = shop().customer("talkative");
    for text in [
        "libro 12",
        "isbn 9788413311098",
        "categoria: novela, precio_max: 20",
        "libro 14",
    ] {
        customer.chat(text).is(200);
    }
    let summary = eventually(|| {
        let history = customer.history("").is(200);
        history["conversation"]["summary"]
            .as_str()
            .map(str::to_owned)
    });
    assert!(summary.contains("Cliente: libro 12"), "{summary}");
    let list = customer.get(CONVERSATIONS).is(200);
    assert!(list["conversations"][0]["summary"].is_string(), "{list}");
}

#[test]
fn everything_is_exported() {
    let customer = shop().customer("exporter");
    customer.chat("libro 12").is(200);
    archive(&customer);
    customer.chat("libro 13").is(200);
    customer.act("add_to_cart", json!({"book_id": 12})).is(200);
    customer.act("reserve_book", json!({"book_id": 13})).is(400);
    customer.act("reserve_book", json!({"book_id": 14})).is(200);
    let all = export(&customer);
    let kinds = keys(&json!(all), "type");
    let expected = [
        ["event"; 6].as_slice(),
        &["conversation"],
        &["event"; 5],
        &["conversation", "cart", "reservation"],
    ];
    assert_eq!(kinds, expected.concat());
    assert_eq!(
        all[1]["event"],
        json!({"type": "user_message_sent", "v": 1, "content": "libro 12"})
    );
    assert_eq!(keys(&json!(all[..6]), "id"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(all[6]["conversation"]["status"], "archived");
    customer
        .get(&format!("{EXPORT}?after=x"))
        .problem(400, "invalid_request");
    assert_eq!(export(&shop().customer("nothing-to-export")).len(), 1);
}

fn found_in(folder: &Path, canary: &str) -> Vec<String> {
    let output = Command::new("grep")
        .args(["-rlaF", canary])
        .arg(folder)
        .output();
    let found = output.expect("grep runs").stdout;
    String::from_utf8_lossy(&found)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn run(setup: &Setup, folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = setup
        .command()
        .args(arguments)
        .arg("--data-dir")
        .arg(folder)
        .output();
    let output = output.expect("the command runs");
    let run = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&run).into_owned(),
    )
}

/// A hundred conversations of a hundred turns, some of them at once: the view is the fold of the log; they are paged through,
/// searched and exported; and one customer is erased without a trace on disk.
#[test]
fn a_hundred_conversations_are_folded_found_exported_and_erased() {
    const TURNS: usize = 100;
    if std::env::var_os("MOSTRADOR_TEST_DYNAMODB_ENDPOINT").is_some() {
        // It is about the embedded engine's own file.
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    let shop = setup.start();
    let names: Vec<String> = (0..10).map(|number| format!("cliente-{number}")).collect();
    let canary = |place: usize| format!("canario-{place}-zanahoria-7781");
    // Ten customers with ten conversations each, whose first turn is asked for and the others brought along.
    all_at_once(names.len(), |place| {
        let (customer, canary) = (shop.signed_in_as(&names[place]), canary(place));
        for conversation in 0..10 {
            customer
                .chat(&format!("libro 1{conversation} {canary}"))
                .is(200);
            for turn in 1..TURNS {
                let text = format!("{conversation}.{turn} {canary}");
                let messages = json!({"messages": [
                    {"role": "user", "content": format!("pregunta {text}")},
                    {"role": "assistant", "content": format!("- respuesta {text}")},
                ]});
                customer
                    .post("/api/agent/history/messages/", &messages)
                    .is(201);
            }
            archive(&customer);
        }
    });
    let customer = shop.signed_in_as(&names[3]);
    let mut seen = 0;
    let mut before = String::new();
    loop {
        let page = customer
            .history(&format!("?conversation=7&limit=33{before}"))
            .is(200);
        let messages = page["messages"].as_array().expect("messages");
        seen += messages.len();
        match page["next"].as_u64() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    assert_eq!(seen, 2 * TURNS);
    let mut found = 0;
    let mut after = String::new();
    loop {
        let page = customer
            .get(&format!("{SEARCH}?q=pregunta&limit=100{after}"))
            .is(200);
        found += page["matches"].as_array().expect("matches").len();
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(found, 10 * (TURNS - 1));
    let events = export(&customer);
    let of_type = |kind: &str| events.iter().filter(|line| line["type"] == kind).count();
    // Ten archived ones and the one that the last archiving has begun.
    assert_eq!((of_type("conversation"), events.len() > 2_000), (11, true));
    customer.act("add_to_cart", json!({"book_id": 12})).is(200);
    customer.act("checkout", json!({})).is(200);
    let stock = customer.stock(14);
    customer.act("reserve_book", json!({"book_id": 14})).is(200);
    assert!(!found_in(folder.path(), &names[3]).is_empty());

    assert_eq!(shop.interrupt().code(), Some(0));
    let (whole, checked) = run(&setup, folder.path(), &["rebuild-view", "--check"]);
    assert!(
        whole && checked.contains("110 as they should be"),
        "{checked}"
    );
    println!("{}", checked.trim());

    let shop = setup.start();
    let customer = shop.signed_in_as(&names[3]);
    assert!(!found_in(folder.path(), &canary(3)).is_empty());
    let erased = customer.call("DELETE", ALL).send().is(200);
    assert_eq!(
        (&erased["conversations"], &erased["cancelled"]),
        (&json!(11), &json!(2))
    );
    assert_eq!(found_in(folder.path(), &canary(3)), Vec::<String>::new());
    assert_eq!(customer.stock(14), stock);
    let nothing = json!({"conversation": null, "messages": [], "next": null});
    assert_eq!(customer.history("").is(200), nothing);
    customer
        .history("?conversation=7")
        .problem(404, "not_found");
    let found = customer.get(&format!("{SEARCH}?q=pregunta")).is(200);
    assert_eq!(found["matches"], json!([]));
    assert_eq!(export(&customer), [json!({"type": "cart", "lineas": []})]);
    // Everybody else has what is theirs.
    let other = shop.signed_in_as(&names[4]);
    let list = other.get(CONVERSATIONS).is(200);
    assert_eq!(list["conversations"].as_array().map(Vec::len), Some(11));
    assert!(!found_in(folder.path(), &canary(4)).is_empty());
    // Who comes back begins anew.
    let repeated = customer.chat("libro 12").is(200);
    assert_eq!(
        (
            &repeated["conversation"],
            &repeated["persist_history_confirmation"]
        ),
        (&json!(12), &json!(true))
    );
    assert_eq!(
        customer.history("").is(200)["conversation"]["message_count"],
        2
    );
    customer.call("DELETE", ALL).send().is(200);
    shop.guest()
        .call("DELETE", ALL)
        .send()
        .problem(401, "auth_required");
    assert_eq!(found_in(folder.path(), &canary(3)), Vec::<String>::new());
}

#[test]
fn a_turn_is_replayed_from_the_log_alone() {
    let peer = ModelPeer::start();
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new()
        .stored_inside()
        .kept_in(folder.path())
        .set("LLM_PROVIDER", "openai_compatible")
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "grounded")
        .set("SUMMARY_AFTER_MESSAGES", "2");
    let shop = setup.start();
    let customer = shop.signed_in_as("ana");
    for turn in 0..14 {
        customer
            .chat(&format!("libro 1{} turno {turn}", turn % 10))
            .is(200);
    }
    eventually(|| {
        let history = customer.history("").is(200);
        history["conversation"]["summary"]
            .as_str()
            .map(str::to_owned)
    });
    customer.chat("libro 12 el turno que se repite").is(200);
    let history = customer.history("?limit=1").is(200);
    let until = history["messages"][0]["id"].to_string();
    let request = peer.requests_about("el turno que se repite");
    let prompt = &request.last().expect("it was asked").body["messages"];
    let prompt = prompt.as_array().expect("messages");
    assert_eq!(shop.interrupt().code(), Some(0));

    // Whatever is set since.
    let setup = setup.set("LLM_MAX_HISTORY_MESSAGES", "1");
    let (done, replayed) = run(&setup, folder.path(), &["replay", "ana", "--until", &until]);
    let replayed: Value = serde_json::from_str(&replayed).unwrap_or_default();
    assert!(done, "{replayed}");
    // Behind the instructions with their example, and before the question with its results. On the wire the summary is one text with
    // the instructions, and a user is first.
    let replayed_prompt = replayed["shown"].as_array().expect("messages");
    let summary = replayed_prompt[0]["content"].as_str().expect("a text");
    let system = prompt[0]["content"].as_str().expect("a text");
    assert!(system.ends_with(&format!("\n\n{summary}")), "{system}");
    assert_eq!(prompt[3], json!({"role": "user", "content": "…"}));
    assert_eq!(replayed_prompt[1..], prompt[4..prompt.len() - 1]);
    assert!(replayed["summary"]["text"].is_string(), "{replayed}");
    assert_eq!(replayed["question"], "libro 12 el turno que se repite");
    let [at_once] = replayed["tools"].as_array().expect("tools").as_slice() else {
        panic!("{replayed}")
    };
    assert_eq!(at_once["name"], "lookup_book");
    assert_eq!(keys(&at_once["results"], "libro_id"), [12]);
    assert!(at_once["index"].is_string(), "{replayed}");
    assert_eq!(replayed["settings"], "the turn's");
    assert_eq!(replayed["answer"]["provider"], "openai_compatible");
    let (done, refused) = run(&setup, folder.path(), &["replay", "ana", "--until", "9999"]);
    assert!(
        !done && refused.contains("no turn with message 9999"),
        "{refused}"
    );
}

#[test]
fn the_command_line_exports_erases_and_rebuilds() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    let shop = setup.start();
    shop.signed_in_as("luisa").chat("libro 12").is(200);
    assert_eq!(shop.interrupt().code(), Some(0));
    let run = |arguments: &[&str]| run(&setup, folder.path(), arguments);
    let (done, exported) = run(&["export", "luisa"]);
    assert!(
        done && exported.contains(r#""content":"libro 12""#),
        "{exported}"
    );
    assert!(
        exported.trim_end().ends_with(r#"{"type":"end"}"#),
        "{exported}"
    );
    let (done, refused) = run(&["erase", "luisa"]);
    assert!(!done && refused.contains("say --yes"), "{refused}");
    let (done, erased) = run(&["erase", "luisa", "--yes"]);
    assert!(
        done && erased.contains("erased luisa: 1 conversations"),
        "{erased}"
    );
    let (done, exported) = run(&["export", "luisa"]);
    assert!(done && !exported.contains("libro 12"), "{exported}");
    let (done, rebuilt) = run(&["rebuild-view"]);
    assert!(
        done && rebuilt.contains("0 differed, 0 were missing"),
        "{rebuilt}"
    );
}

#[test]
fn a_turn_logs_its_cost() {
    let shop = Setup::new().set("RUST_LOG", "info").start();
    shop.customer("thrifty").chat("libro 12").is(200);
    let run = shop.output_when(|written| written.contains("write_units"));
    let line = run.lines().find(|line| line.contains("write_units"));
    let line = line.expect("the cost of the turn");
    let units = |name: &str| {
        let rest = line.split_once(name).expect("units").1;
        let number: String = rest
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        number.parse::<f64>().expect("a number")
    };
    let (calls, read, write) = (units("calls="), units("read_units="), units("write_units="));
    // DynamoDB Local charges nothing for a query that finds nothing.
    let is_charged = |units: f64| units > 0.0 && units <= 6.0;
    assert!(
        calls >= 3.0 && is_charged(read) && is_charged(write),
        "{line}"
    );
}
