//! What the shop recommends where nothing is named.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Setup, keys, local_only, shop, shown};

/// Those of the demo bookshop's profile.
const PICKS: [u64; 8] = [5, 61, 153, 269, 297, 157, 209, 137];

/// What a guest is answered, and the numbers of the results.
fn answered(message: &Value) -> (String, Vec<u64>, Value) {
    local_only("the demo shop's own profile");
    let guest = shop().guest();
    let answer = guest.call("POST", "/api/agent/").json(message).send();
    let answer = answer.is(200);
    let said = answer["message"].as_str().unwrap_or_default().to_owned();
    (said, shown(&answer), answer)
}

#[test]
fn a_bare_request_is_answered_with_the_shops_own_picks() {
    for (message, begins) in [
        ("¿qué me recomiendas?", "Recomendaciones de la casa:"),
        (
            "recomiéndame algo, por favor",
            "Recomendaciones de la casa:",
        ),
        ("sorpréndeme", "Recomendaciones de la casa:"),
        ("any recommendations?", "Our own recommendations:"),
        ("what do you suggest?", "Our own recommendations:"),
        ("me recomenda alguma coisa?", "Recomendações da casa:"),
        ("o que vocês indicam?", "Recomendações da casa:"),
    ] {
        let (said, items, _) = answered(&json!({"message": message}));
        assert!(said.starts_with(begins), "{message}: {said}");
        assert_eq!(items.len(), 5, "{message}");
        assert!(items.iter().all(|id| PICKS.contains(id)), "{items:?}");
    }
}

#[test]
fn another_one_is_the_next_pick() {
    let (_, first, answer) = answered(&json!({"message": "surprise me"}));
    let (_, next, _) =
        answered(&json!({"message": "anything else?", "context": answer["context"]}));
    assert!(!next.is_empty(), "{answer}");
    for item in next {
        assert!(PICKS.contains(&item) && !first.contains(&item), "{item}");
    }
}

#[test]
fn of_what_was_shown_a_pick_is_chosen() {
    let (_, shown, answer) = answered(&json!({"message": "¿qué tenéis de Cortázar?"}));
    assert!(shown.len() > 1 && shown.contains(&5), "{shown:?}");
    for message in ["¿cuál me recomiendas?", "which of these do you recommend?"] {
        let message = json!({"message": message, "context": answer["context"]});
        assert_eq!(answered(&message).1, [5], "{message}");
    }
}

#[test]
fn the_picks_of_a_kind_come_first() {
    let (_, items, answer) = answered(&json!({"message": "¿qué me recomiendas de poesía?"}));
    assert_eq!(items[0], 157);
    let kinds = keys(&answer["results"], "categoria");
    assert!(kinds.iter().all(|kind| *kind == "Poesía"), "{kinds:?}");
}

#[test]
fn a_shop_may_recommend_what_it_has_no_more_or_nothing() {
    let lines = [
        ("vino", "Vinos", "Alba", 3),
        ("jerez", "Vinos", "Brisa", 0),
        ("queso", "Quesos", "Alba", 3),
        ("miel", "Dulces", "Alba", 3),
    ];
    let lines = lines.map(|(id, category, brand, stock)| {
        let item = json!({
            "id": id, "titulo": id, "precio": "9.50", "categoria": category, "marca": brand, "stock": stock,
        });
        item.to_string()
    });
    let brand =
        "attributes = [{ key = 'marca', label = { es = 'Marca' }, type = 'text', names = true }]\n";
    let names = "name = 'Ana'\nlanguages = ['es']\n";
    let recommended = |picks: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let profile = [names, picks, brand].concat();
        for (name, text) in [
            ("shop.toml", profile),
            ("catalogue.jsonl", lines.join("\n")),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        let shop = Setup::new().option("--shop", &folder.path().display().to_string());
        let answer = shop.start().guest().chat("¿qué me recomiendas?").is(200);
        let said = answer["message"].as_str().unwrap_or_default();
        let opening = said.lines().next().unwrap_or_default().to_owned();
        (
            opening,
            keys(&answer["results"], "id"),
            answer["trace"]["warnings"].clone(),
        )
    };
    let (opening, items, warnings) = recommended("picks = ['jerez', 'orujo', 'miel']\n");
    assert_eq!(opening, "Recomendaciones de la casa:");
    assert_eq!(items, ["miel", "jerez"]);
    let expected = "The shop recommends orujo, which is not in the catalogue";
    assert_eq!(warnings, json!([expected]));
    let (opening, items, warnings) = recommended("");
    assert_eq!(opening, "Un poco de todo, para que elijas:");
    let mut items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
    items.sort_unstable();
    assert_eq!(items, ["miel", "queso", "vino"]);
    assert_eq!(warnings, json!([]));
}
