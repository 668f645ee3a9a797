//! Shops in other currencies: prices are written, understood and judged in the shop's own, wherever a shopper sees one.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{ModelPeer, Setup, Shop, keys, of, stream_events};

/// A bookshop in `currency` with three books, and its folder.
fn start(currency: &str, languages: &str, setup: Setup) -> (TempDir, Shop) {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = format!(
        r#"
name = "La Ceiba"
languages = {languages}
currency = "{currency}"
[noun]
es = {{ one = "libro", many = "libros" }}
"#
    );
    fs::write(folder.path().join("shop.toml"), profile).expect("a profile");
    let books = "libro_id;titulo;autor;precio;categoria;stock;descripcion\n\
        1;Pedro Páramo;Juan Rulfo;189,50;Novela;3;Comala y sus voces.\n\
        2;Aura;Carlos Fuentes;120;Novela;0;Una casa y una mujer.\n\
        3;Terra Nostra;Carlos Fuentes;1250;Novela;2;España y América.\n";
    fs::write(folder.path().join("catalogue.csv"), books).expect("a catalogue");
    let shop = setup.option("--shop", &folder.path().display().to_string());
    (folder, shop.start())
}

fn answer(shop: &Shop, language: &str, message: &str) -> Value {
    let guest = shop.guest();
    let call = guest.call("POST", "/api/agent/");
    let call = call.header("accept-language", language);
    call.json(&json!({"message": message})).send().is(200)
}

#[track_caller]
fn says(value: &Value, words: &str) {
    let text = value.as_str().unwrap_or_default();
    assert!(text.contains(words), "{words} in {text}");
    assert!(!text.contains('€') && !text.contains("euro"), "{text}");
}

#[test]
fn prices_are_written_in_the_shops_currency() {
    let (_folder, shop) = start("MXN", r#"["es", "en", "pt"]"#, Setup::new());
    for (language, message, price) in [
        ("es", "libro 1", "$189.50"),
        ("es", "libro 3", "$1,250.00"),
        ("en", "book 1", "MX$189.50"),
        ("pt", "livro 1", "MX$ 189,50"),
    ] {
        let answer = answer(&shop, language, message);
        says(&answer["message"], price);
        assert_eq!(answer["results"][0]["moneda"], "MXN");
        let segments = answer["segments"].to_string();
        assert!(
            segments.contains(&format!("\"text\":\"{price}\"")),
            "{segments}"
        );
        assert!(segments.contains("\"fact\":\"precio\""), "{segments}");
    }
    let customer = shop.customer("buyer");
    let cart = customer.act("add_to_cart", json!({"book_id": 3, "cantidad": 2}));
    cart.is(200);
    says(
        &customer.act("view_cart", json!({})).is(200)["message"],
        "$2,500.00",
    );
    says(
        &customer.act("checkout", json!({})).is(200)["message"],
        "$2,500.00",
    );
    says(
        &customer.act("order_status", json!({"order_id": 1})).is(200)["message"],
        "$2,500.00",
    );
    let page = shop.guest().call("GET", "/?lang=en").send().text;
    assert!(page.contains(r#""before":"MX$","after":"","group":",""#));
}

#[test]
fn a_limit_counts_in_the_shops_currency() {
    let (_folder, shop) = start("MXN", r#"["es", "en", "pt"]"#, Setup::new());
    for (message, found) in [
        ("novela por menos de 150 pesos", &["2"][..]),
        ("novela under $150", &["2"]),
        ("novela, precio_max: $150", &["2"]),
        ("novela, precio_max: 150", &["2"]),
        ("novela por más de 1,000 pesos", &["3"]),
        ("novela por menos de 150 euros", &["1", "2", "3"]),
        ("novela under US$150", &["1", "2", "3"]),
        ("novela até 150 reais", &["1", "2", "3"]),
    ] {
        let answer = answer(&shop, "es", message);
        let mut ids = keys(&answer["results"], "id");
        ids.sort_by_key(Value::to_string);
        assert_eq!(ids, found, "{message}");
    }
    for (bound, found) in [("$150", 1), ("150", 1), ("150 €", 3)] {
        let query = [("categoria", "novela"), ("precio_max", bound)];
        let answer = shop.guest().search(&query).is(200);
        let results = answer["results"].as_array().map_or(0, Vec::len);
        assert_eq!(results, found, "{bound}");
        let is_understood = answer["warnings"] == json!([]);
        assert_eq!(is_understood, found == 1, "{answer}");
    }
}

#[test]
fn a_model_states_prices_in_the_shops_currency_alone() {
    let peer = ModelPeer::start();
    let setup = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", "grounded,dear,foreign,reserver");
    let (_folder, shop) = start("BRL", r#"["es", "pt"]"#, setup);
    let ask = |model: &str| {
        let body = json!({"message": "libro 1", "model": model, "trace": true});
        shop.customer(model).post("/api/agent/", &body).is(200)
    };
    let grounded = ask("grounded");
    says(&grounded["message"], "R$ 189,50, 3 ejemplares");
    assert_eq!(grounded["trace"]["llm"]["guard"]["rejected"], Value::Null);
    for model in ["dear", "foreign"] {
        let answer = ask(model);
        let rejected = &answer["trace"]["llm"]["guard"]["rejected"];
        assert!(rejected["ungrounded_price"].is_number(), "{rejected}");
    }
    let prompt = peer.requests_about("libro 1")[0].body["messages"].to_string();
    assert!(
        prompt.contains("R$ 189,50") && !prompt.contains('€') && !prompt.contains("euros"),
        "{prompt}"
    );

    let body = json!({"message": "libro 1", "model": "reserver"});
    let customer = shop.customer("reserving");
    let call = customer.call("POST", "/api/agent/stream");
    let events = stream_events(&call.json(&body).send());
    says(
        &of(&events, "approval_requested")[0]["content"],
        "R$ 189,50",
    );
}
