//! Publishing while people search, and what damage does.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::harness::{Setup, keys};

/// The exit code and what was printed.
fn verify(setup: &Setup, folder: &Path) -> (Option<i32>, String) {
    let output = setup
        .command()
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
    let (code, printed) = verify(&setup, folder.path());
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("mostrador index publish"), "{printed}");

    drop(setup.start());
    let (code, printed) = verify(&setup, folder.path());
    assert_eq!(code, Some(0), "{printed}");
    assert!(!printed.contains("DAMAGED"), "{printed}");

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
        let (code, printed) = verify(&setup, folder.path());
        let damaged: Vec<&str> = printed
            .lines()
            .filter(|line| line.starts_with("DAMAGED"))
            .collect();
        assert_eq!((code, damaged.len()), (Some(1), 1), "{printed}");
        assert!(
            damaged[0].contains(&format!("{key} {section}: ")),
            "{printed}"
        );

        let shop = setup.start();
        let found = shop.guest().search(&[("q", "tolkien")]).is(200);
        assert_eq!(keys(&found["results"], "autor").len(), 3);
        assert_eq!(found["degraded"], false);
        drop(shop);
        assert_eq!(verify(&setup, folder.path()).0, Some(0));
    }
}

/// A disk that is full while rows are put aside, while an index is written to its folder, and while it is stored.
#[test]
fn a_full_disk_is_reported_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside().kept_in(folder.path());
    drop(setup.start());
    let out = folder.path().join("out");
    for (blocks, arguments, complaint) in [
        (
            200,
            vec!["build", "--out"],
            "the files of the build cannot be written",
        ),
        (
            2_000,
            vec!["build", "--out"],
            "out/embedder cannot be written",
        ),
        (2_000, vec!["publish"], "the object store cannot be reached"),
    ] {
        // No file may grow beyond so many blocks of 512 bytes; the signal that would tell of it is turned off.
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" index \"$@\"");
        let program = setup.command();
        command
            .env_clear()
            .envs(
                program
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .args(["-c", &script])
            .arg(program.get_program())
            .args(&arguments);
        if arguments.len() > 1 {
            command.arg(&out);
        }
        let output = command
            .arg("--data-dir")
            .arg(folder.path())
            .output()
            .expect("sh runs");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(printed.contains(complaint), "{printed}");
        let (code, printed) = verify(&setup, folder.path());
        assert_eq!(code, Some(0), "{printed}");
    }
}

const CLIENTS: usize = 50;
const REFRESH_SECONDS: u64 = 1;

#[test]
fn a_publication_disturbs_nobody() {
    let setup = Setup::new()
        .stored_inside()
        .option("--dynamodb-port", "0")
        .set("INDEX_REFRESH_SECONDS", &REFRESH_SECONDS.to_string());
    let mut shop = setup.start();
    let (dynamodb, s3) = (
        shop.announced("DynamoDB engine at"),
        shop.announced(", S3 at"),
    );
    let run = |arguments: &[&str]| {
        let mut command = setup.command();
        command
            .args(arguments)
            .args(["--ephemeral", "--dynamodb-endpoint", &dynamodb]);
        let output = command.args(["--s3-endpoint", &s3]).output();
        let output = output.expect("the command runs");
        assert!(output.status.success(), "{output:?}");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let item = json!({
        "libro_id": 9001, "titulo": "Zarzaparrilla y otros refrescos", "autor": "Nadie Todavía", "precio": 9.5,
        "categoria": "Cocina", "editorial": "Ninguna", "stock": 3
    });
    let file = folder.path().join("nuevo.jsonl");
    fs::write(&file, item.to_string()).expect("a file");
    let old = shop.guest().get("/healthz").is(200)["index"].clone();

    let (stop, found) = (AtomicBool::new(false), AtomicUsize::new(0));
    let ask = || {
        let request = json!({"message": "zarzaparrilla y refrescos", "trace": true});
        let answer = shop.guest().post("/api/agent/", &request).is(200);
        assert_eq!(answer["trace"]["degraded"], false);
        let ids = keys(&answer["results"], "libro_id");
        let index = answer["trace"]["index"].as_str().expect("a build");
        (index.to_owned(), json!(ids).to_string())
    };
    let (seen, took) = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = BTreeSet::new();
                    let mut request = 0;
                    while !stop.load(Ordering::SeqCst) {
                        let (index, ids) = ask();
                        if ids.starts_with("[9001") {
                            found.fetch_add(1, Ordering::SeqCst);
                        }
                        seen.insert((index, ids));
                        request += 1;
                    }
                    (request, seen)
                })
            })
            .collect();
        run(&["import", file.to_str().expect("a path")]);
        run(&["index", "publish"]);
        let published = Instant::now();
        // A loaded machine answers fifty clients slowly.
        while found.load(Ordering::SeqCst) == 0 && published.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(10));
        }
        let took = published.elapsed();
        thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::SeqCst);
        let seen: Vec<_> = clients
            .into_iter()
            .map(|client| client.join().expect("a client that is always answered"))
            .collect();
        (seen, took)
    });
    let request: usize = seen.iter().map(|(request, _)| request).sum();
    let mut by_build: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (index, ids) in seen.into_iter().flat_map(|(_, seen)| seen) {
        by_build.entry(index).or_default().insert(ids);
    }
    assert_eq!(
        by_build.len(),
        2,
        "one build before and one after: {by_build:?}"
    );
    assert!(
        by_build.values().all(|answers| answers.len() == 1),
        "a build gives one answer: {by_build:?}"
    );
    assert!(by_build.contains_key(old.as_str().expect("a build")));
    assert!(
        took < Duration::from_secs(REFRESH_SECONDS + 5),
        "found after {took:?}"
    );
    println!(
        "publication: {CLIENTS} clients, {request} answers, 0 errors, 0 mixed, found after {took:?}"
    );
}
