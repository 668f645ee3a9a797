//! Records that cannot be read any more: each costs itself and nothing else.

use serde_json::{Value, json};

use crate::harness::{Caller, Setup, Shop, call_engine, keys};

/// What the operator is told of a damaged item of the view.
const VIEW_DAMAGED: &str = "an item of the view cannot be read";

/// The engine behind a server, past every endpoint.
struct Tables {
    url: String,
    names: Vec<(String, String)>,
}

impl Tables {
    /// Sets one attribute of an item to a meaningless text.
    fn damage(&self, table: &str, key: Value, attribute: &str) {
        let name = self
            .names
            .iter()
            .find(|(variable, _)| *variable == format!("{table}_TABLE"));
        let (_, name) = name.expect("a table");
        let body = json!({
            "TableName": name, "Key": key, "UpdateExpression": "SET #a = :v",
            "ExpressionAttributeNames": {"#a": attribute},
            "ExpressionAttributeValues": {":v": {"S": "{damaged"}},
        });
        let status = call_engine(&self.url, "UpdateItem", &body);
        assert_eq!(status, 200, "{body}");
    }
}

fn owned(customer: &Caller<'_>, sort: (&str, &str)) -> Value {
    json!({"owner": {"S": format!("default#{}", customer.name)}, sort.0: {"S": sort.1}})
}

fn everything_works(shop: &Shop, customer: &Caller<'_>) {
    customer.chat("libro 12").is(200);
    customer.history("").is(200);
    customer.get("/api/agent/history/conversations/").is(200);
    customer.get("/api/agent/history/search/?q=libro").is(200);
    assert_eq!(customer.get("/api/agent/history/export/").status, 200);
    customer.act("list_orders", json!({})).is(200);
    customer.act("view_cart", json!({})).is(200);
    shop.guest().search(&[("q", "novela")]).is(200);
}

#[test]
fn what_is_damaged_costs_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    let mut shop = setup.clone().option("--dynamodb-port", "0").start();
    let tables = Tables {
        url: shop.announced("DynamoDB engine at"),
        names: setup.tables(),
    };
    let customer = shop.customer("unlucky");
    for message in ["libro 1", "libro 2", "libro 3"] {
        customer.chat(message).is(200);
    }
    for _ in 0..2 {
        customer.act("add_to_cart", json!({"book_id": 127})).is(200);
        customer.act("checkout", json!({})).is(200);
    }
    let messages_of = |customer: &Caller<'_>| {
        let messages = customer.history("").is(200)["messages"].clone();
        let contents = keys(&messages, "content").into_iter();
        contents
            .filter(|content| content.to_string().starts_with("\"libro "))
            .collect::<Vec<_>>()
    };
    assert_eq!(messages_of(&customer), ["libro 1", "libro 2", "libro 3"]);

    // The second turn's commit, and the last.
    let commits = {
        let export = customer.get("/api/agent/history/export/").text;
        let lines: Vec<Value> = export
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let questions = lines
            .iter()
            .filter(|line| line["event"]["type"] == "user_message_sent");
        questions
            .map(|line| line["id"].as_u64().expect("a number"))
            .collect::<Vec<_>>()
    };
    let second = format!("00000001#{:012}", commits[1]);
    tables.damage("EVENTS", owned(&customer, ("commit", &second)), "events");
    assert_eq!(messages_of(&customer), ["libro 1", "libro 3"]);
    everything_works(&shop, &customer);
    let third = format!("00000001#{:012}", commits[2]);
    for attribute in ["events", "state", "at"] {
        tables.damage("EVENTS", owned(&customer, ("commit", &third)), attribute);
        everything_works(&shop, &customer);
    }
    let export = customer.get("/api/agent/history/export/").text;
    assert!(export.contains(r#"{"type":"damaged"}"#), "{export}");

    // The turn before may still be on its way into the view, and makes it whole again.
    for _ in 0..20 {
        tables.damage(
            "CONVERSATIONS",
            owned(&customer, ("item", "conversation#00000001")),
            "state",
        );
        customer.get("/api/agent/history/conversations/").is(200);
        if shop.output().contains(VIEW_DAMAGED) {
            break;
        }
    }
    everything_works(&shop, &customer);
    tables.damage(
        "PURCHASES",
        owned(&customer, ("item", "order#0000000001")),
        "document",
    );
    let listed = customer.act("list_orders", json!({})).is(200);
    assert_eq!(keys(&listed["results"], "order_id"), [2]);
    everything_works(&shop, &customer);
    tables.damage("PURCHASES", owned(&customer, ("item", "account")), "cart");
    everything_works(&shop, &customer);
    // A book: the others are found, and sold.
    tables.damage("CATALOGUE", json!({"libro_id": {"N": "127"}}), "holds");
    let gone = customer.act("add_to_cart", json!({"book_id": 127}));
    assert_eq!(gone.code(), "book_not_found");
    everything_works(&shop, &customer);
    assert_eq!(shop.guest().chat("libro 127").is(200)["results"], json!([]));
    customer.act("cancel_order", json!({"order_id": 2})).is(200);

    // Told to the operator, by name and place.
    let written = shop.output();
    for printed in [
        format!(
            "a commit cannot be read; the conversation goes on without what it held commit=\"{second}\""
        ),
        VIEW_DAMAGED.to_owned(),
        "item=\"order#0000000001\"".to_owned(),
        "a cart cannot be read".to_owned(),
        "an item of the catalogue cannot be read; import it again libro_id=127".to_owned(),
    ] {
        assert!(written.contains(&printed), "{printed}\n{written}");
    }
    customer
        .call("DELETE", "/api/agent/history/")
        .send()
        .is(200);
    customer.chat("libro 4").is(200);
    let bystander = shop.customer("bystander");
    bystander.chat("libro 5").is(200);
    assert_eq!(shop.interrupt().code(), Some(0));

    // The whole shop's view is made again, and the damage named.
    let mut rebuild = setup.command();
    let rebuild = rebuild
        .args(["rebuild-view", "--data-dir"])
        .arg(folder.path());
    let rebuilt = rebuild.output().expect("it runs");
    let printed = String::from_utf8_lossy(&rebuilt.stdout).into_owned();
    let named = |commit: u64| {
        format!(
            "DAMAGED  conversation 1 of {} (default): the commit at event {commit} cannot be read",
            customer_name(&printed)
        )
    };
    assert!(!rebuilt.status.success(), "{printed}");
    for commit in &commits[1..] {
        assert!(printed.contains(&named(*commit)), "{printed}");
    }
    assert!(
        printed.contains("3 conversations folded from the log"),
        "{printed}"
    );

    let shop = setup.start();
    let customer = shop.signed_in_as(&customer_name(&printed));
    let erased = customer
        .call("DELETE", "/api/agent/history/all/")
        .send()
        .is(200);
    assert_eq!(
        (&erased["conversations"], &erased["orders_kept"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(customer.history("").is(200)["messages"], json!([]));
    customer.chat("libro 12").is(200);
    println!("damage: 8 records, each cost itself");
}

/// Whose log is damaged.
fn customer_name(printed: &str) -> String {
    let (_, rest) = printed.split_once("conversation 1 of ").expect("named");
    rest.split_once(" (default)")
        .expect("a tenant")
        .0
        .to_owned()
}

/// An object of nothing, as a write that was cut off leaves it.
#[test]
fn empty_objects_stop_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    drop(setup.start());
    let index = folder.path().join("s3/mostrador-index/index");
    let manifest = index.join("manifest.json");
    std::fs::write(&manifest, "").expect("emptied");
    let shop = setup.start();
    let found = shop
        .guest()
        .search(&[("q", "una familia en un pueblo")])
        .is(200);
    assert_eq!(found["source"], "vector");
    let build = shop.customer("curious").get("/api/agent/status/").is(200);
    let build = build["retrieval"]["build_id"].clone();
    drop(shop);
    // Files of the build too.
    for entry in std::fs::read_dir(&index).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            std::fs::write(path, "").expect("emptied");
        }
    }
    let shop = setup.start();
    let repeated = shop.customer("curious").get("/api/agent/status/").is(200);
    assert_eq!(repeated["retrieval"]["build_id"], build);
    assert_eq!(
        shop.guest()
            .search(&[("q", "una familia en un pueblo")])
            .is(200)["source"],
        "vector"
    );
}
