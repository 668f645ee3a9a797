//! The chat page: what it may reach, and how it knows where turns are streamed.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Setup, Shop, local_only, shop};

/// What the page has of the stream, and where its policy lets it connect.
fn seen(shop: &Shop) -> (String, String) {
    let page = shop.guest().get("/");
    page.is(200);
    let (_, rest) = page
        .text
        .split_once("<meta name=\"mostrador-stream\" content=\"")
        .expect("the page says it");
    let (stream, _) = rest.split_once('"').expect("an end");
    let policy = page.header("content-security-policy").expect("a policy");
    let connects = policy
        .split(';')
        .map(str::trim)
        .find(|rule| rule.starts_with("connect-src "));
    let connects = connects.expect("a rule");
    // The local S3, which documents are uploaded to, is at another port each time.
    let (connects, uploads) = connects.rsplit_once(' ').expect("two origins");
    assert!(uploads.starts_with("http://127.0.0.1:"), "{uploads}");
    (stream.to_owned(), connects.to_owned())
}

#[test]
fn the_page_reaches_the_stream_the_bucket_and_nothing_else() {
    local_only("addresses of its own choice");
    let here = (String::new(), "connect-src 'self'".to_owned());
    assert_eq!(seen(shop()), here);
    let mut tried = 0;
    for (url, stream, origin) in [
        (
            "https://abc.lambda-url.eu-west-1.on.aws/",
            "https://abc.lambda-url.eu-west-1.on.aws",
            "https://abc.lambda-url.eu-west-1.on.aws",
        ),
        (
            "http://localhost:4000/stage/",
            "http://localhost:4000/stage",
            "http://localhost:4000",
        ),
    ] {
        let shop = Setup::new().set("STREAM_URL", url).start();
        let there = (stream.to_owned(), format!("connect-src 'self' {origin}"));
        assert_eq!(seen(&shop), there);
        tried += 1;
    }
    println!("page: {tried} streams elsewhere");
}

#[test]
fn the_page_is_in_the_callers_language() {
    for (address, accepted, language, placeholder) in [
        ("/", "es-ES,es;q=0.9", "es", "¿Qué libro buscas?"),
        ("/", "en-GB", "en", "Which book?"),
        ("/", "xx", "es", "¿Qué libro buscas?"),
        ("/?lang=en", "es", "en", "Which book?"),
        ("/?a=b&lang=xx", "en", "en", "Which book?"),
    ] {
        let call = shop().guest().call("GET", address);
        let page = call.header("accept-language", accepted).send();
        page.is(200);
        let seen = (page.header("content-language"), page.header("vary"));
        assert_eq!(seen, (Some(language), Some("accept-language")), "{address}");
        let root = format!("<html lang=\"{language}\">");
        assert!(page.text.contains(&root), "{address}");
        let texts = data(&page.text, "texts");
        assert_eq!(texts["placeholder"], placeholder, "{address} {accepted}");
        assert!(!page.text.contains("{{"), "{address}");
    }
}

/// A script's data on the page.
fn data(page: &str, id: &str) -> Value {
    let (_, rest) = page
        .split_once(&format!("id=\"{id}\" type=\"application/json\">"))
        .expect("data");
    let (data, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn the_page_bears_the_shops_name_and_its_assistants() {
    local_only("a profile of its own choice");
    let folder = tempfile::tempdir().expect("a folder");
    let profile = r#"{
        "name": "Ana & <Hijas>", "assistant": "</script>", "languages": ["es", "en"],
        "starters": {"es": ["¿Qué hay de nuevo?", "<b>Algo</b> barato"]}
    }"#;
    let catalogue = r#"{"id": "a", "titulo": "Camisa", "precio": "10.00"}"#;
    for (name, text) in [("shop.json", profile), ("catalogue.jsonl", catalogue)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let shop = Setup::new().option("--shop", &folder.path().display().to_string());
    let shop = shop.start();
    for (language, starters) in [
        ("es", json!(["¿Qué hay de nuevo?", "<b>Algo</b> barato"])),
        ("en", json!([])),
    ] {
        let page = shop.guest().get(&format!("/?lang={language}")).text;
        let name = "Ana &amp; &lt;Hijas>";
        for tag in ["title", "h1"] {
            let named = format!("<{tag}>{name}</{tag}>");
            assert!(page.contains(&named), "{named}");
        }
        let expected = json!({"assistant": "</script>", "starters": starters});
        assert_eq!(data(&page, "shop"), expected, "{language}");
        assert!(!page.contains("Mostrador<"), "{language}");
    }
}

#[test]
fn a_stream_that_cannot_be_is_named_at_the_start() {
    for url in [
        "http://abc.example",
        "abc.example",
        "https://a.example; script-src *",
        "https://a.example/\"><script>",
    ] {
        let setup = Setup::new().set("STREAM_URL", url);
        let mut command = setup.command();
        let output = command
            .args(["serve", "--ephemeral", "--port", "0"])
            .output();
        let output = output.expect("the server ends");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{url}");
        assert!(
            printed.contains("STREAM_URL is not an address"),
            "{url}: {printed}"
        );
    }
}
