//! What comes after a document or its owner has gone, and what is left of them.

use std::path::Path;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::Digest;

use super::{FILES, LIGHTHOUSE, announce, ask, bring, read};
use crate::harness::{Setup, upload, wait};

/// An address is good for one upload: not for another, and not for one that comes after the document or its owner has gone.
#[test]
fn what_is_uploaded_late_stays_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let shop = Setup::new().stored_inside().kept_in(folder.path()).start();
    let customer = shop.customer("latecomer");
    let text = LIGHTHOUSE.as_bytes();
    let announced = |name: &str| {
        let announced = announce(&customer, name, "text/plain", text.len()).is(201);
        let id = announced["file"]["file_id"]
            .as_str()
            .expect("an identifier");
        (id.to_owned(), announced["upload"].clone())
    };
    let (read_id, read_to) = announced("leído.txt");
    assert_eq!(wait(upload(&read_to, text)), 200);
    assert_eq!(wait(upload(&read_to, text)), 412);
    read(&customer, &read_id).is(200);
    let (removed_id, removed_to) = announced("quitado.txt");
    let removed = customer.call("DELETE", &format!("{FILES}{removed_id}/"));
    assert_eq!(removed.send().status, 204);
    let (_, waiting_to) = announced("nunca.txt");
    let everything = || {
        let mut names = Vec::new();
        names_in(folder.path(), &mut names);
        names
    };
    let owner = format!("default#{}", customer.name);
    let hash = sha2::Sha256::digest(owner.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(everything().iter().any(|name| name.contains(&hash)));
    let erase = || {
        customer
            .call("DELETE", "/api/agent/history/all/")
            .send()
            .is(200)
    };
    assert_eq!(erase()["files"], 2);
    for to in [&read_to, &removed_to, &waiting_to] {
        assert_eq!(wait(upload(to, text)), 412);
    }
    // Nothing there identifies its owner, be it the names of files, and nothing of it is there.
    let left = everything();
    let names = [hash.as_str(), customer.name.as_str()];
    let cited_late = left
        .iter()
        .find(|name| names.iter().any(|owner| name.contains(owner)));
    assert_eq!(cited_late, None);
    let uploads = folder.path().join("s3/mostrador-files/uploads");
    for entry in std::fs::read_dir(uploads).expect("a folder") {
        assert_eq!(entry.expect("an entry").metadata().expect("known").len(), 0);
    }
    assert_eq!(erase()["files"], 0);
}

/// A list that cannot be read is a list of nothing, and what it named goes with its owner.
#[test]
fn a_damaged_list_costs_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let shop = Setup::new().stored_inside().kept_in(folder.path()).start();
    let customer = shop.customer("unlisted");
    let file = bring(&customer, "faro.txt", "text/plain", LIGHTHOUSE.as_bytes());
    let lists = folder.path().join("s3/mostrador-files/files");
    for entry in std::fs::read_dir(lists).expect("a folder") {
        std::fs::write(entry.expect("an entry").path(), "{").expect("damaged");
    }
    assert_eq!(customer.get(FILES).is(200), json!({"files": []}));
    let more = json!({"attachments": [file["file_id"]]});
    ask(&customer, "¿qué hay del faro?", &more).is(200);
    assert_eq!(customer.get("/api/agent/history/export/").status, 200);
    bring(&customer, "otro.txt", "text/plain", LIGHTHOUSE.as_bytes());
    customer
        .call("DELETE", "/api/agent/history/all/")
        .send()
        .is(200);
    let mut names = Vec::new();
    names_in(&folder.path().join("s3/mostrador-files"), &mut names);
    assert!(
        names.iter().all(|name| !name.contains("texts")),
        "{names:?}"
    );
}

/// The paths of everything in a folder, and what stands for names in them.
fn names_in(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        let parts = name.split(['.', '-', '/']);
        let decoded = parts.filter_map(|part| BASE64_URL_SAFE_NO_PAD.decode(part).ok());
        names.extend(decoded.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        names.push(name);
        if path.is_dir() {
            names_in(&path, names);
        }
    }
}
