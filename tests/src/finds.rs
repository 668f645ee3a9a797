//! What shoppers must find, at the counter and by the search endpoint.

use serde_json::{Value, json};

use crate::harness::{Answer, behind_a_gateway, cents, item, keys, local_only, masked, shop};

/// Checks what holds for every answer of the counter, and gives the numbers of its results.
#[track_caller]
fn well_formed(answer: &Answer, signed_in: bool) -> Vec<u64> {
    let body = answer.is(200);
    let message = body["message"].as_str().unwrap_or_default();
    assert!(message.chars().count() <= 800, "{message}");
    let lines: Vec<&str> = message.lines().collect();
    let results = body["results"].as_array().cloned().unwrap_or_default();
    let fewest = if results.is_empty() { 1 } else { 2 };
    assert!((fewest..=6).contains(&lines.len()), "{message}");
    assert_eq!(joined(&body["segments"]), message);
    let (opening, listed) = lines.split_first().expect("a line");
    assert!(!opening.starts_with("- "), "{message}");
    assert!(
        listed.iter().all(|line| line.starts_with("- ")),
        "{message}"
    );
    let mut actions: Vec<Value> = results
        .iter()
        .take(5)
        .map(|item| json!({"type": "view_book", "libro_id": item["libro_id"]}))
        .collect();
    if !results.is_empty() {
        actions.push(json!({"type": "refine_search", "hint": "…"}));
    }
    let buyable = results.iter().take(5).filter(|item| item["stock"] != 0);
    for item in buyable.filter(|_| signed_in) {
        actions.push(json!({"type": "add_to_cart", "libro_id": item["libro_id"]}));
        actions.push(json!({"type": "reserve_book", "libro_id": item["libro_id"]}));
    }
    assert_eq!(masked(body["actions"].clone(), &["hint"]), json!(actions));
    numbers(&body)
}

/// The text of segments, line by line.
fn joined(segments: &Value) -> String {
    let lines = segments.as_array().expect("lines").iter();
    let lines = lines.map(|line| keys(line, "text").iter().map(text).collect::<String>());
    lines.collect::<Vec<_>>().join("\n")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A book of the catalogue with what every shop's items have.
fn item_of(number: u64) -> Value {
    let mut expected_item = item(number);
    expected_item["id"] = json!(number.to_string());
    expected_item["codigo"] = expected_item["isbn"].clone();
    expected_item["moneda"] = json!("EUR");
    expected_item["atributos"] = json!({});
    for none in ["url", "imagen"] {
        expected_item[none] = Value::Null;
    }
    expected_item
}

/// The numbers of the results, after checking that each book is as the catalogue has it.
#[track_caller]
fn numbers(body: &Value) -> Vec<u64> {
    let results = body["results"].as_array().expect("results");
    let number = |result: &Value| {
        let number = result["libro_id"].as_u64().expect("a number");
        let as_answered = masked(result.clone(), &["stock", "score"]);
        let mut as_sold = masked(item_of(number), &["stock"]);
        if result.get("score").is_some() {
            as_sold["score"] = json!("…");
        }
        assert_eq!(as_answered, as_sold);
        number
    };
    results.iter().map(number).collect()
}

/// Messages that tell their own language; the others are answered in the caller's.
const CLEAR: [(&str, &str); 14] = [
    ("¿Me enseñas el LIBRO #12, por favor?", "es"),
    ("¿tienes el 9780307474728?", "es"),
    ("novela de realismo mágico sobre una familia", "es"),
    ("Cien años de soledad", "es"),
    ("cien anos de soledda", "es"),
    ("CRIMEN Y CASTIGO dostoievski", "es"),
    ("el hobbit", "es"),
    ("¿Cuánto cuesta Niebla?", "es"),
    ("¿Cuántas copias quedan de Niebla?", "es"),
    ("¿Está disponible «Niebla» y a qué precio?", "es"),
    ("How much is Niebla, and how many copies are left?", "en"),
    ("autor: nadie que exista", "es"),
    ("parecidos al libro 5", "es"),
    ("books similar to Rayuela", "en"),
];

/// Asks as a guest and as a customer, in both languages, and checks the results of each.
#[track_caller]
fn finds(message: &str, tool: &Value, degraded: bool, expected: impl Fn(&[u64], &Value) -> bool) {
    let request = json!({"message": message, "trace": true});
    for (caller, signed_in) in [(shop().guest(), false), (shop().customer("finds"), true)] {
        for language in ["es", "en"] {
            let call = caller.call("POST", "/api/agent/").json(&request);
            let answer = call.header("accept-language", language).send();
            let own = CLEAR.iter().find(|(clear, _)| *clear == message);
            let expected_language = own.map_or(language, |(_, own)| own);
            let answered = answer.header("content-language");
            assert_eq!(answered, Some(expected_language), "{message} ({language})");
            let found = well_formed(&answer, signed_in);
            let body = answer.json();
            let trace = &body["trace"];
            assert!(expected(&found, &body), "{message}: {found:?} {trace}");
            assert_eq!(
                (&trace["tool"], &trace["degraded"]),
                (tool, &json!(degraded)),
                "{message}"
            );
        }
    }
}

fn tool(name: &str) -> Value {
    json!({"name": name, "ok": true})
}

fn missed(name: &str) -> Value {
    json!({"name": name, "ok": false, "error": "book_not_found"})
}

#[test]
fn a_number_or_an_isbn_leads_to_its_item() {
    for (message, libro_id) in [
        ("libro 12", 12),
        ("¿Me enseñas el LIBRO #12, por favor?", 12),
        ("id 12", 12),
        ("isbn 978-0-307-47472-8", 1),
        ("ISBN: 9780307474728", 1),
        ("isbn 0-307-47472-0", 1),
        ("¿tienes el 9780307474728?", 1),
    ] {
        finds(message, &tool("lookup_book"), false, |found, _| {
            found == [libro_id]
        });
    }
    for message in ["libro 999999", "isbn 978-0-307-47472-9"] {
        finds(message, &missed("lookup_book"), true, |_, _| true);
    }
}

#[test]
fn words_lead_to_items() {
    let search = tool("search_catalog");
    finds("tolkien", &search, false, |found, _| {
        let first = &found[..3];
        [231, 232, 233].iter().all(|id| first.contains(id))
    });
    finds("garcia marquez", &search, false, |found, body| {
        let by_him = |author: &Value| author == "Gabriel García Márquez";
        found.len() == 5 && keys(&body["results"], "autor").iter().all(by_him)
    });
    let family = "novela de realismo mágico sobre una familia";
    finds(family, &search, false, |found, _| {
        found[..3].iter().any(|id| [1, 6].contains(id))
    });
    for (message, first) in [
        ("Cien años de soledad", 1),
        ("cien anos de soledda", 1),
        ("CRIMEN Y CASTIGO dostoievski", 82),
        ("el hobbit", 231),
    ] {
        finds(message, &search, false, |found, _| found[0] == first);
    }
    // What is asked about a book is not what is looked for, and it is asked of that book alone.
    for message in [
        "¿Cuánto cuesta Niebla?",
        "¿Cuántas copias quedan de Niebla?",
        "¿Está disponible «Niebla» y a qué precio?",
        "How much is Niebla, and how many copies are left?",
    ] {
        finds(message, &tool("lookup_book"), false, |found, _| {
            found == [67]
        });
    }
}

#[test]
fn filters_hold_for_every_result() {
    let filter = tool("filter_catalog");
    let all = |body: &Value, holds: &dyn Fn(&Value) -> bool| {
        let results = body["results"].as_array().cloned().unwrap_or_default();
        results.len() == 5 && results.iter().all(holds)
    };
    let three = "categoria: novela, precio_max: 20, disponible";
    finds(three, &filter, false, |_, body| {
        all(body, &|item| {
            item["categoria"].as_str().unwrap().starts_with("Novela")
                && cents(&item["precio"]) <= 2_000
                && item["stock"].as_u64() > Some(0)
        })
    });
    finds(
        "Editorial: MINOTAURO; agotado",
        &filter,
        false,
        |found, _| found == [234],
    );
    finds(
        "autor: garcía márquez\nq: coronel",
        &filter,
        false,
        |found, _| found[0] == 4,
    );
    finds("precio_min: 30,50", &filter, false, |_, body| {
        all(body, &|item| cents(&item["precio"]) >= 3_050)
    });
    finds("autor: nadie que exista", &filter, false, |found, _| {
        found.is_empty()
    });
    finds(
        "precio_max: barato, categoria: teatro",
        &filter,
        true,
        |_, body| {
            all(body, &|item| item["categoria"] == "Teatro")
                && body["trace"]["warnings"] == json!(["precio_max: not an amount, ignored"])
        },
    );
}

#[test]
fn a_filter_that_is_not_understood_is_reported() {
    for (message, is_understood) in [
        ("precio_min: 5, autor: Borges", true),
        ("precio_min: abc, autor: Borges", false),
    ] {
        let body = shop().guest().chat(message).is(200);
        let answered = body["message"].as_str().expect("a message");
        let is_reported =
            answered.ends_with("- No entendí una parte de lo que pedías: quizá no todo encaje.");
        // Prices are live, whatever was asked.
        assert_eq!(
            (is_reported, answered.contains("al día")),
            (!is_understood, false)
        );
    }
}

#[test]
fn neighbours_are_never_the_item_itself() {
    let similar = tool("recommend_similar");
    for message in [
        "parecidos a Rayuela",
        "similares a «Rayuela»",
        "parecidos al libro 5",
        "books similar to Rayuela",
    ] {
        finds(message, &similar, false, |found, _| {
            found.len() == 5 && !found.contains(&5)
        });
    }
    // A number that is a title, one that is not, and one of a series.
    finds("parecidos a 1984", &similar, false, |found, _| {
        found.len() == 5 && !found.contains(&201)
    });
    finds("parecidos a 12", &similar, false, |found, _| {
        found.len() == 5 && !found.contains(&12)
    });
    let searched = tool("search_catalog");
    finds("harry potter book 3", &searched, false, |found, _| {
        !found.contains(&3)
    });
    let unknown = "parecidos a zzyzx qwfpgj";
    finds(unknown, &missed("recommend_similar"), true, |_, _| true);
}

#[test]
fn an_answer_is_whole_in_both_languages() {
    let (index, changing): (Value, &[&str]) = if behind_a_gateway() {
        // Functions take up a new index each in its own time.
        (
            json!("…"),
            &[
                "request_id",
                "timings_ms",
                "index",
                "segments",
                "confidence",
            ],
        )
    } else {
        let health = shop().guest().get("/healthz").is(200);
        (
            health["index"].clone(),
            &["request_id", "timings_ms", "segments", "confidence"],
        )
    };
    let expected = |language: &str, message: &str, hint: &str, notice: &str| {
        json!({
            "message": message,
            "notice": notice,
            "context": "{\"i\":[12]}",
            "segments": "…",
            "results": [item_of(12)],
            "actions": [{"type": "view_book", "libro_id": 12}, {"type": "refine_search", "hint": hint}],
            "trace": {
                "request_id": "…", "query": "libro 12", "k": 5, "source": "keyword", "degraded": false, "warnings": [],
                "tool": {"name": "lookup_book", "ok": true}, "timings_ms": "…",
                "intent": {"name": "find", "confidence": "…", "language": language},
                "llm": {"provider": "none", "error": null}, "index": index,
            },
        })
    };
    let spanish = expected(
        "es",
        "Aquí lo tienes:\n- «Conversación en La Catedral», de Mario Vargas Llosa: 14,95 €, quedan 22.\n\
         - ¿Quieres ver libros parecidos?",
        "Puedes pedirme filtrar por autor, ISBN o categoría.",
        "Te responde un asistente automático; los precios y las existencias son los del catálogo.",
    );
    let english = expected(
        "en",
        "Here it is:\n- “Conversación en La Catedral” by Mario Vargas Llosa: €14.95, 22 left.\n\
         - Would you like to see similar books?",
        "You can ask me to filter by author, ISBN or category.",
        "You're chatting with an automated assistant; prices and stock come from the catalogue.",
    );
    for (accepted, expected) in [
        ("", &spanish),
        ("xx, yy;q=0.5", &spanish),
        ("en", &english),
        ("en-GB,es;q=0.8", &english),
        ("en;q=0.2, es-MX", &spanish),
    ] {
        let request = json!({"message": "libro 12", "trace": true});
        let call = shop().guest().call("POST", "/api/agent/").json(&request);
        let answer = call.header("accept-language", accepted).send();
        assert_eq!(
            answer.json()["trace"]["request_id"].as_str(),
            answer.header("x-request-id")
        );
        assert_eq!(answer.seen(changing), (200, expected.clone()), "{accepted}");
    }
}

#[test]
fn the_search_endpoint_takes_each_parameter() {
    let whole = |found: &Answer, source: &str| {
        let body = found.is(200);
        let seen = masked(body.clone(), &["results", "query", "k"]);
        let expected = json!({
            "query": "…", "k": "…", "source": source, "degraded": false, "warnings": [], "results": "…"
        });
        assert_eq!(seen, expected, "{}", found.request);
        (numbers(&body), body)
    };
    let search = |parameters: &[(&str, &str)]| shop().guest().search(parameters);
    let question = "una saga familiar con fantasmas";
    let (found, body) = whole(&search(&[("q", question), ("k", "3")]), "vector");
    assert_eq!(
        (found.len(), &body["k"], &body["query"]),
        (3, &json!(3), &json!(question))
    );
    let by_words = search(&[("q", question), ("prefer_vector", "no")]);
    whole(&by_words, "keyword");
    let typed = search(&[("q", "la casa de los esp"), ("prefix", "true"), ("k", "1")]);
    let (_, body) = whole(&typed, "keyword");
    assert_eq!(
        keys(&body["results"], "titulo"),
        ["La casa de los espíritus"]
    );
    let counted = search(&[("q", "tolkien"), ("facets", "true"), ("k", "1")]).is(200);
    assert_eq!(
        counted["facets"]["autor"][0],
        json!({"value": "J. R. R. Tolkien", "count": 3})
    );
    let empty = search(&[("facets", "true")]).is(200);
    assert_eq!(empty["facets"], json!({"categoria": [], "autor": []}));
    let (found, _) = whole(&search(&[("similar_to", "5"), ("k", "20")]), "vector");
    assert!(found.len() == 20 && !found.contains(&5), "{found:?}");

    type Holds = fn(&Value) -> bool;
    let filters: [(&str, &str, Holds); 7] = [
        ("categoria", "ciencia ficcion", |item| {
            item["categoria"] == "Ciencia ficción"
        }),
        ("autor", "Borges", |item| {
            item["autor"].as_str().unwrap().contains("Borges")
        }),
        ("editorial", "catedra", |item| {
            item["editorial"] == "Cátedra"
        }),
        ("disponible", "true", |item| item["stock"] != 0),
        ("disponible", "0", |item| item["stock"] == 0),
        ("precio_min", "25", |item| cents(&item["precio"]) >= 2_500),
        ("precio_max", "9.50", |item| cents(&item["precio"]) <= 950),
    ];
    for (name, value, holds) in filters {
        let found = search(&[(name, value), ("k", "4")]).is(200);
        let results = found["results"].as_array().unwrap();
        assert!(!results.is_empty() && results.len() <= 4, "{name}: {found}");
        assert!(results.iter().all(holds), "{name}: {found}");
    }
}

/// Author and publisher are a book's own columns, and attributes of the demo's profile.
#[test]
fn a_books_attributes_filter_as_its_columns_do() {
    local_only("the demo's profile");
    for (attribute, column, wanted) in [
        ("atributo.autor", "autor", "cortázar"),
        ("atributo.editorial", "editorial", "catedra"),
    ] {
        let search = |name: &str| shop().guest().search(&[(name, wanted), ("k", "20")]);
        let found = search(attribute).is(200);
        assert_eq!(found["warnings"], json!([]), "{attribute}");
        assert_ne!(found["results"], json!([]), "{attribute}");
        assert_eq!(found, search(column).is(200), "{attribute}");
    }
    let both = [("autor", "cortázar"), ("atributo.autor", "borges")];
    assert_eq!(shop().guest().search(&both).is(200)["results"], json!([]));
    let unread = shop()
        .guest()
        .search(&[("q", "mar"), ("atributo.año_publicacion", "1963")]);
    assert_eq!(
        unread.is(200)["warnings"],
        json!(["atributo.año_publicacion: not understood, ignored"])
    );
}

#[test]
fn an_empty_search_finds_nothing() {
    let expected = json!({
        "query": "", "k": 5, "source": "keyword", "degraded": false, "warnings": ["Empty query"], "results": []
    });
    for parameters in [&[][..], &[("q", "")], &[("q", " \t")], &[("autor", " ")]] {
        let answer = shop().guest().search(parameters);
        assert_eq!(
            answer.seen(&[]),
            (200, expected.clone()),
            "{}",
            answer.request
        );
    }
    let contradiction = [("precio_min", "30"), ("precio_max", "20")];
    assert_eq!(
        shop().guest().search(&contradiction).is(200)["results"],
        json!([])
    );
}

/// Where a result stood in the lists that were fused; nothing where there was nothing to fuse.
#[test]
fn a_trace_explains_the_order() {
    let shop = shop();
    let ranks = |message: &str| {
        let body = shop.guest().chat(message).is(200);
        let explained = body["trace"].get("explain").cloned().unwrap_or_default();
        assert_eq!(
            keys(&explained, "libro_id"),
            if explained.is_null() {
                Vec::new()
            } else {
                keys(&body["results"], "libro_id")
            }
        );
        explained
    };
    let meant = ranks("una saga familiar con fantasmas");
    assert!(
        meant.as_array().is_some_and(|all| all.len() == 5
            && all.iter().any(|one| one["vector"] == 1)
            && all.iter().all(|one| one["score"].is_number())),
        "{meant}"
    );
    let named = ranks("tolkien");
    assert!(
        named
            .as_array()
            .is_some_and(|all| all.iter().take(3).all(|one| one["keyword"] == 1)),
        "{named}"
    );
    assert_eq!(ranks("libro 12"), Value::Null);
}

/// What is only as near as anything else is answers nothing.
#[test]
fn what_nothing_is_near_to_is_not_there() {
    for message in [
        "write a Python function that reverses a string",
        "do you sell maps of the Lake District",
        "I need black trousers for work, waist 34",
    ] {
        let answer = shop().guest().chat(message).is(200);
        let shown = answer["results"].as_array().map(Vec::len);
        assert_eq!(shown, Some(0), "{message}: {answer}");
    }
}
