//! A server killed without notice, over and over, while customers write: the answers they got, against what is there.

use std::{
    collections::BTreeMap,
    env,
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use serde_json::json;

use crate::harness::{Caller, Setup};

/// How often it is killed; `MOSTRADOR_TEST_KILLS` names another number.
const KILLS: u64 = 8;
const CUSTOMERS: [&str; 3] = ["ana", "luis", "marta"];
const WRITERS: usize = 6;

/// What became of a message; written down as unknown before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reported {
    Unknown,
    Refused,
    Acknowledged,
}

/// Every message of a customer, by its text.
type Journal = BTreeMap<String, Reported>;

/// Adds messages and asks questions until the server is gone.
fn write(customer: &Caller<'_>, label: &str, journal: &Mutex<Journal>) {
    let note = |text: &str, reported| {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.insert(text.to_owned(), reported);
    };
    for number in 0.. {
        let text = format!("mensaje {label}.{number}");
        let (path, body) = if number % 2 == 0 {
            let body = json!({"role": "user", "content": text});
            ("/api/agent/history/messages/", body)
        } else {
            ("/api/agent/", json!({"message": text}))
        };
        note(&text, Reported::Unknown);
        let Ok(answer) = customer.call("POST", path).json(&body).attempt() else {
            return;
        };
        match answer.status {
            200 | 201 => note(&text, Reported::Acknowledged),
            409 => note(&text, Reported::Refused),
            status => assert_eq!(status, 503, "{}", answer.text),
        }
    }
}

/// How often each text is among the customer's messages, and the messages' numbers in order.
fn messages_of(customer: &Caller<'_>) -> (BTreeMap<String, usize>, Vec<u64>) {
    let (mut texts, mut numbers) = (BTreeMap::new(), Vec::new());
    let mut query = "?limit=500".to_owned();
    loop {
        let page = customer.history(&query).is(200);
        let messages = page["messages"].as_array().expect("messages");
        for message in messages.iter().rev() {
            numbers.push(message["id"].as_u64().expect("a number"));
            if message["role"] == "user" {
                let text = message["content"].as_str().expect("a text").to_owned();
                *texts.entry(text).or_default() += 1;
            }
        }
        let Some(next) = page["next"].as_u64() else {
            numbers.reverse();
            return (texts, numbers);
        };
        query = format!("?limit=500&before={next}");
    }
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled() {
    let kills = env::var("MOSTRADOR_TEST_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    let journals = CUSTOMERS.map(|_| Mutex::new(Journal::new()));
    for round in 0..kills {
        let shop = setup.start();
        thread::scope(|scope| {
            for writer in 0..WRITERS {
                let place = writer % CUSTOMERS.len();
                let (customer, journal) = (shop.signed_in_as(CUSTOMERS[place]), &journals[place]);
                scope.spawn(move || write(&customer, &format!("{round}.{writer}"), journal));
            }
            // Spread over the first fifth of a second, without an order.
            thread::sleep(Duration::from_millis(1 + round * 73 % 200));
            shop.signal("KILL");
        });
    }

    let shop = setup.start();
    let mut counts = [0; 4];
    for (name, journal) in CUSTOMERS.iter().zip(&journals) {
        let (mut texts, numbers) = messages_of(&shop.signed_in_as(name));
        assert!(numbers.is_sorted_by(|a, b| a < b), "{name}: {numbers:?}");
        let journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        for (text, reported) in journal.iter() {
            let there = texts.remove(text).unwrap_or_default();
            let (fits, count) = match reported {
                Reported::Acknowledged => (there == 1, 0),
                Reported::Refused => (there == 0, 1),
                Reported::Unknown => (there <= 1, 2 + there.min(1)),
            };
            assert!(
                fits,
                "{name}: {text} was {reported:?} and is there {there} times"
            );
            counts[count] += 1;
        }
        assert_eq!(texts, BTreeMap::new(), "{name}: nobody wrote these");
    }
    let [acknowledged, refused, absent, present] = counts;
    assert!(
        acknowledged > 0,
        "it was killed before anybody was answered"
    );
    println!(
        "kills: {kills} kills, {acknowledged} acknowledged, {refused} refused, {absent} unknown and absent, {present} unknown and there; \
         0 lost, 0 doubled"
    );
}
