//! What a message goes back to: what was shown before, by a guest's context or by the log.

use serde_json::{Value, json};

use crate::harness::{Caller, cents, shop};

/// A conversation: what the last answer said to send back is sent back.
struct Talk<'a> {
    caller: &'a Caller<'a>,
    context: Value,
}

impl<'a> Talk<'a> {
    fn of(caller: &'a Caller<'a>) -> Self {
        Self {
            caller,
            context: Value::Null,
        }
    }

    fn say(&mut self, message: &str) -> Value {
        let body = json!({"message": message, "trace": true, "context": self.context});
        let answer = self.caller.post("/api/agent/", &body).is(200);
        self.context = answer["context"].clone();
        answer
    }
}

fn numbers(answer: &Value) -> Vec<u64> {
    let results = answer["results"].as_array().expect("results");
    let ids = results.iter().map(|item| &item["libro_id"]);
    ids.map(|id| id.as_u64().expect("a number")).collect()
}

#[test]
fn the_second_one_is_the_second_that_was_shown() {
    let (guest, customer) = (shop().guest(), shop().customer("dialogue"));
    for caller in [&guest, &customer] {
        for [question, second, last] in [
            [
                "novelas de misterio",
                "¿y el segundo cuánto vale?",
                "el último",
            ],
            [
                "mystery novels",
                "tell me more about the second one",
                "the last one",
            ],
            ["romances policiais", "quanto custa o segundo?", "o último"],
        ] {
            let mut talk = Talk::of(caller);
            let shown = numbers(&talk.say(question));
            assert!(shown.len() > 2, "{question}: {shown:?}");
            let answer = talk.say(second);
            assert_eq!(numbers(&answer), shown[1..2], "{second}");
            assert_eq!(answer["trace"]["tool"]["name"], "lookup_book", "{second}");
            // One was looked at, and the others are still there.
            let at_end = &shown[shown.len() - 1..];
            assert_eq!(numbers(&talk.say(last)), *at_end, "{last}");
        }
    }
}

#[test]
fn what_was_shown_stays_in_mind_over_a_courtesy() {
    let (guest, customer) = (shop().guest(), shop().customer("dialogue-courtesy"));
    for caller in [&guest, &customer] {
        let mut talk = Talk::of(caller);
        let shown = numbers(&talk.say("novelas de misterio"));
        assert_eq!(numbers(&talk.say("muchas gracias")), [0_u64; 0]);
        assert_eq!(numbers(&talk.say("el primero")), shown[..1]);
    }
}

#[test]
fn a_question_is_narrowed_by_the_next_message() {
    let (guest, customer) = (shop().guest(), shop().customer("dialogue-narrowed"));
    for caller in [&guest, &customer] {
        for [question, cheaper] in [
            ["García Márquez", "¿y algo más barato?"],
            ["books by García Márquez", "anything cheaper?"],
        ] {
            let mut talk = Talk::of(caller);
            talk.say(question);
            let answer = talk.say(cheaper);
            let results = answer["results"].as_array().expect("results");
            assert!(results.len() > 1, "{cheaper}: {results:?}");
            let by = |item: &Value| item["autor"].as_str().map(str::to_owned);
            let all = results.iter().filter_map(by);
            assert!(
                all.into_iter().all(|by| by.contains("Márquez")),
                "{results:?}"
            );
            let price = |item: &Value| (item["stock"] == 0, cents(&item["precio"]));
            assert!(results.is_sorted_by_key(price), "{results:?}");
        }
    }
}

/// With nothing shown, the words are what they are: a title, or a search.
#[test]
fn a_title_is_a_title_whatever_was_shown() {
    let guest = shop().guest();
    let mut talk = Talk::of(&guest);
    talk.say("novelas de misterio");
    let answer = talk.say("Cien años de soledad");
    assert_eq!(answer["results"][0]["titulo"], "Cien años de soledad");
    assert_eq!(answer["trace"]["tool"]["name"], "search_catalog");
}

#[test]
fn of_several_the_nearest_is_meant() {
    let guest = shop().guest();
    let mut talk = Talk::of(&guest);
    let shown = numbers(&talk.say("novelas de misterio"));
    let answer = talk.say("resérvamelo");
    assert_eq!(numbers(&answer), shown[..1]);
    assert_eq!(numbers(&talk.say("el segundo")), shown[1..2]);
}

/// A context is a hint: what is forged in it is at most an item that everybody may see.
#[test]
fn a_forged_context_is_left_out_or_shows_what_anybody_may_see() {
    let guest = shop().guest();
    for context in [
        json!("nonsense"),
        json!(17),
        json!({"i": [1]}),
        json!("x".repeat(5_000)),
    ] {
        let body = json!({"message": "el primero", "trace": true, "context": context});
        let answer = guest.post("/api/agent/", &body).is(200);
        let warnings = answer["trace"]["warnings"].to_string();
        assert!(warnings.contains("context"), "{context} {warnings}");
    }
    let body = json!({"message": "el primero", "context": "{\"i\":[999999999]}"});
    let answer = guest.post("/api/agent/", &body).is(200);
    assert!(answer["message"].is_string());
}

#[test]
fn an_order_in_words_is_over_the_whole_catalogue() {
    let guest = shop().guest();
    let cheapest = guest.search(&[("sort", "price_asc"), ("k", "3")]).is(200);
    let dearest = guest.search(&[("sort", "price_desc"), ("k", "3")]).is(200);
    for (message, expected) in [
        ("el más barato", &cheapest),
        ("¿cuál es el libro más barato que tenéis?", &cheapest),
        ("what's the cheapest book you have?", &cheapest),
        ("qual é o livro mais barato?", &cheapest),
        ("¿cuál es el libro más caro?", &dearest),
    ] {
        let answer = guest.chat(message).is(200);
        let first = numbers(&answer)[..3].to_vec();
        assert_eq!(first, numbers(expected), "{message}");
    }
    let unknown = guest.search(&[("sort", "beauty"), ("q", "amor")]).is(200);
    assert_eq!(
        unknown["warnings"],
        json!(["sort: not understood, ignored"])
    );
}
