//! `serve --shop FOLDER`: what becomes of the shop that the data folder holds already.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Setup, Shop, local_only};

/// A folder with a profile and a catalogue.
fn folder(profile: &str, catalogue: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("shop.toml", profile), ("catalogue.jsonl", catalogue)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn kept_in(data: &Path) -> Setup {
    local_only("a data folder of its own");
    Setup::new().kept_in(data).stored_inside()
}

fn named(shop: &Shop) -> Value {
    let profile = shop.guest().call("GET", "/api/agent/shop/").send();
    profile.is(200)["name"].clone()
}

#[test]
fn a_catalogue_with_a_fault_leaves_the_shop_as_it_was() {
    let data = tempfile::tempdir().expect("a folder");
    let setup = kept_in(data.path());
    setup.start().interrupt();
    let faulty = folder(
        "name = 'Ana'\n",
        "{\"id\": \"a\", \"titulo\": \"Camisa\", \"precio\": \"gratis\"}\n",
    );
    let mut command = setup.command();
    command.args(["serve", "--port", "0", "--data-dir"]);
    command.arg(data.path()).arg("--shop").arg(faulty.path());
    let output = command.output().expect("the server ends");
    let written = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{written}");
    assert!(written.contains("nothing was imported"), "{written}");
    let shop = setup.start();
    assert_eq!(named(&shop), "Librería Macondo");
}

#[test]
fn the_demo_users_have_a_past_where_the_demo_is_sold() {
    let data = tempfile::tempdir().expect("a folder");
    let clothes = folder(
        "name = 'Hilo'\n",
        "{\"id\": \"camisa\", \"titulo\": \"Camisa\", \"precio\": \"39.90\", \"stock\": 3}\n",
    );
    let setup = kept_in(data.path());
    let orders = |shop: &Shop| {
        let made = shop.signed_in_as("ana").act("list_orders", json!({}));
        made.is(200)["results"].as_array().map(Vec::len)
    };
    let first = setup.clone();
    let first = first.option("--shop", &clothes.path().display().to_string());
    let shop = first.start();
    assert_eq!(orders(&shop), Some(0));
    shop.interrupt();
    let shop = setup.start();
    assert_eq!((named(&shop), orders(&shop)), (json!("Hilo"), Some(0)));
}

#[test]
fn what_another_shop_left_is_named() {
    let data = tempfile::tempdir().expect("a folder");
    let setup = kept_in(data.path());
    let shop = setup.start();
    let quiet = shop.output();
    assert!(!quiet.contains("other items"), "{quiet}");
    shop.interrupt();
    let clothes = folder(
        "name = 'Hilo'\n",
        "{\"id\": \"camisa\", \"titulo\": \"Camisa\", \"precio\": \"39.90\", \"stock\": 3}\n",
    );
    let setup = setup.option("--shop", &clothes.path().display().to_string());
    let shop = setup.start();
    let warned = shop.output_when(|written| written.contains("other items"));
    assert!(warned.contains("holds other items as well"), "{warned}");
}

/// Whoever asks in another language, and whatever of the answer: the shop has one.
#[test]
fn a_shop_of_one_language_answers_in_it_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let clothes = folder(
        "name = 'Hilo'\nlanguages = ['es']\n",
        "{\"id\": \"camisa\", \"titulo\": \"Camisa de lino\", \"precio\": \"39.90\", \"stock\": 3}\n",
    );
    let setup = kept_in(data.path()).option("--shop", &clothes.path().display().to_string());
    let shop = setup.start();
    let customer = shop.customer("abroad");
    let send = |method: &str, path: &str, body: &Value| {
        let call = customer.call(method, path).json(body);
        call.header("accept-language", "en-GB").send()
    };
    let message = json!({"message": "do you have a shirt?"});
    let answer = send("POST", "/api/agent/", &message);
    assert_eq!(answer.header("content-language"), Some("es"));
    let notice = answer.is(200)["notice"].clone();
    assert!(notice.to_string().contains("asistente"), "{notice}");
    let stream = send("POST", "/api/agent/stream", &message);
    assert_eq!(stream.header("content-language"), Some("es"));
    for (action, status, word) in [
        (json!({"action": "view_cart"}), 200, "carrito"),
        (
            json!({"action": "approve", "payload": {"approval": "x"}}),
            400,
            "No hay nada",
        ),
    ] {
        let answer = send("POST", "/api/agent/actions/", &action);
        assert_eq!(answer.header("content-language"), Some("es"), "{action}");
        let message = answer.is(status)["message"].clone();
        assert!(message.to_string().contains(word), "{message}");
    }
    let refused = send("POST", "/api/agent/", &json!({"message": ""}));
    assert_eq!(refused.header("content-language"), Some("es"));
    assert!(refused.is(400)["message"].to_string().contains("Mensaje"));
}
