//! A server that is stopped and started again on the same folder has everything.

use serde_json::{Value, json};

use crate::harness::{Caller, ModelPeer, Setup, Shop, keys, until_admitted};

/// Everything a customer can see, as it is written.
fn everything(customer: &Caller<'_>) -> Vec<String> {
    let act = |action: &str, payload: Value| customer.act(action, payload).text;
    vec![
        customer.history("").text,
        customer.history("?conversation=1").text,
        act("view_cart", json!({})),
        act("list_reservations", json!({})),
        act("list_orders", json!({})),
        customer.stock(140).to_string(),
        customer.stock(149).to_string(),
    ]
}

#[test]
fn a_restart_keeps_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().kept_in(folder.path());
    let shop = setup.start();
    let name = shop.customer("loyal").name;
    let customer = shop.signed_in_as(&name);
    customer.chat("libro 12").is(200);
    customer
        .call("DELETE", "/api/agent/history/")
        .send()
        .is(200);
    customer.chat("tolkien").is(200);
    customer.add_message("system", "nota").is(201);
    for (action, payload) in [
        ("add_to_cart", json!({"book_id": 140, "cantidad": 2})),
        ("checkout", json!({})),
        ("reserve_book", json!({"book_id": 149, "cantidad": 3})),
        ("add_to_cart", json!({"book_id": 175})),
    ] {
        customer.act(action, payload).is(200);
    }
    let request = json!({"message": "libro 13"});
    let keyed = |customer: &Caller<'_>| {
        let call = customer.call("POST", "/api/agent/").json(&request);
        call.header("idempotency-key", "across").send()
    };
    let first = keyed(&customer);
    first.is(200);
    let before = everything(&customer);
    let status = shop.interrupt();
    assert_eq!(status.code(), Some(0), "Ctrl-C is no failure");

    let shop = setup.start();
    let customer = shop.signed_in_as(&name);
    assert_eq!(everything(&customer), before);
    let repeated = keyed(&customer);
    assert_eq!((repeated.status, &repeated.text), (200, &first.text));
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    assert_eq!(everything(&customer), before);

    // And life goes on where it stopped.
    assert_eq!(customer.chat("libro 12").is(200)["conversation"], 2);
    customer
        .act("cancel_reservation", json!({"reservation_id": 1}))
        .is(200);
    customer.act("cancel_order", json!({"order_id": 1})).is(200);
    let order = customer.act("checkout", json!({})).is(200);
    assert_eq!(order["actions"][0]["data"]["order_id"], 2);
}

#[test]
fn what_was_answered_survives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().kept_in(folder.path());
    let shop = setup.start();
    let name = shop.customer("unlucky").name;
    let customer = shop.signed_in_as(&name);
    customer.chat("libro 12").is(200);
    customer
        .act("reserve_book", json!({"book_id": 149}))
        .is(200);
    let before = everything(&customer);
    // Dropping it kills it without notice.
    drop(shop);
    let shop = setup.start();
    assert_eq!(everything(&shop.signed_in_as(&name)), before);
}

/// Whether the model was asked about it; then the server is killed, before it could hear of a client that hangs up.
fn is_killed_when_asked(shop: &Shop, peer: &ModelPeer) -> bool {
    let is_asked = !peer.requests_about("libro 12").is_empty();
    if is_asked {
        shop.signal("KILL");
    }
    is_asked
}

/// A turn of a server that is killed in the middle of it, where another goes on with the same tables: it may still be under way, so it
/// is waited for as long as it may take.
#[test]
fn a_turn_that_died_elsewhere_is_given_up_and_the_conversation_goes_on() {
    let peer = ModelPeer::start();
    let own = Setup::new().stored_inside();
    let mut shop = own.clone().option("--dynamodb-port", "0").start();
    let other = own
        .stored_at(&shop.announced("DynamoDB engine at"))
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "silent")
        .start();
    let customer = other.customer("interrupted");
    let name = customer.name.clone();
    customer
        .call("POST", "/api/agent/")
        .hung_up_on(&json!({"message": "libro 12"}), || {
            is_killed_when_asked(&other, &peer)
        });
    drop(other);

    let customer = shop.signed_in_as(&name);
    let brief = json!({"message": "libro 13", "use_llm": false});
    let ask = || customer.post("/api/agent/", &brief);
    ask().problem(409, "conversation_busy");
    let answer = until_admitted(ask).is(200);
    assert_eq!(answer["conversation"], 1);
    let history = customer.history("").is(200);
    let roles = keys(&history["messages"], "role");
    assert_eq!(roles, ["user", "user", "assistant"]);
    let ids = keys(&history["messages"], "id");
    assert_eq!(ids, [2, 3, 6]);
}

/// The same where it was the only server there is: what it was at when it was killed nobody is at any more.
#[test]
fn a_turn_that_died_with_its_server_keeps_nobody_waiting() {
    let peer = ModelPeer::start();
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new()
        .stored_inside()
        .kept_in(folder.path())
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "silent");
    let shop = setup.start();
    let customer = shop.customer("interrupted");
    let name = customer.name.clone();
    let request = json!({"message": "libro 12"});
    let keyed = |customer: &Caller<'_>| {
        let call = customer.call("POST", "/api/agent/");
        call.header("idempotency-key", "killed")
    };
    keyed(&customer).hung_up_on(&request, || is_killed_when_asked(&shop, &peer));
    drop(shop);

    let shop = setup.set("LLM_MODEL", "grounded").start();
    let customer = shop.signed_in_as(&name);
    // The page asks again by the same key: the turn goes on that had begun.
    let answer = keyed(&customer).json(&request).send().is(200);
    assert_eq!(answer["conversation"], 1);
    customer.chat("libro 13").is(200);
    let history = customer.history("").is(200);
    let roles = keys(&history["messages"], "role");
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    let ids = keys(&history["messages"], "id");
    assert_eq!(ids[0], 2);
}

/// Two servers on one folder write over one another's index and streams.
#[test]
fn a_folder_is_one_servers_and_nobody_elses_to_read() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    // As an earlier version left it.
    std::fs::create_dir(&data).expect("made");
    let all = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(&data, all(0o755)).expect("set");
    let setup = Setup::new().stored_inside().kept_in(&data);
    let shop = setup.start();
    shop.customer("first").chat("libro 12").is(200);
    let mode = |path: &std::path::Path| {
        let seen = std::fs::metadata(path).expect("there");
        seen.permissions().mode() & 0o777
    };
    assert_eq!(mode(&data), 0o700);
    for entry in std::fs::read_dir(&data).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
    }
    let mut second = setup.command();
    let second = second
        .args(["serve", "--port", "0", "--data-dir"])
        .arg(&data);
    let second = second.output().expect("it ends");
    let printed = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success());
    assert!(printed.contains("another Mostrador serves"), "{printed}");
    shop.guest().chat("libro 12").is(200);
    assert_eq!(shop.interrupt().code(), Some(0));
    setup.start().guest().chat("libro 12").is(200);
}
