//! `mostrador index verify`, and what a damaged index does to a server that finds it.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::harness::{Setup, binary, keys};

/// The exit code and what was printed.
fn verify(folder: &Path) -> (Option<i32>, String) {
    let output = Command::new(binary())
        .args(["index", "verify", "--data-dir"])
        .arg(folder)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), printed + &complaint)
}

#[test]
fn damage_is_named_and_mended_at_the_next_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    let (code, told) = verify(folder.path());
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("mostrador index publish"), "{told}");

    drop(setup.start());
    let (code, told) = verify(folder.path());
    assert_eq!(code, Some(0), "{told}");
    assert!(!told.contains("DAMAGED"), "{told}");

    let bucket = folder.path().join("s3/mostrador-index");
    let manifest = fs::read(bucket.join("index/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    for (file, section) in [
        ("vectors", "rows"),
        ("items_file", "texts"),
        ("keywords", "header"),
    ] {
        let key = manifest[file]["key"].as_str().expect("a key");
        let sections = manifest[file]["sections"].as_array().expect("sections");
        let before = sections.iter().take_while(|part| part["name"] != section);
        let start: u64 = before.filter_map(|part| part["size_bytes"].as_u64()).sum();
        let path = bucket.join(key);
        let mut bytes = fs::read(&path).expect("a file");
        bytes[usize::try_from(start).expect("an offset") + 5] ^= 1;
        fs::write(&path, bytes).expect("a file");
        let (code, told) = verify(folder.path());
        let damaged: Vec<&str> = told
            .lines()
            .filter(|line| line.starts_with("DAMAGED"))
            .collect();
        assert_eq!((code, damaged.len()), (Some(1), 1), "{told}");
        assert!(damaged[0].contains(&format!("{key} {section}: ")), "{told}");

        let shop = setup.start();
        let found = shop.guest().search(&[("q", "tolkien")]).is(200);
        assert_eq!(keys(&found["results"], "autor").len(), 3);
        assert_eq!(found["degraded"], false);
        drop(shop);
        assert_eq!(verify(folder.path()).0, Some(0));
    }
}
