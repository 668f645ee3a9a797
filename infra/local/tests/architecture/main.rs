//! What the tree must be: who may depend on whom, which routes the template has, how long a file may get.

#![expect(clippy::unwrap_used, reason = "a test")]

mod crates;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use mostrador_dynamodb::stream::{Change, StreamEvent};
use mostrador_web::{Admission, Route};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The core's modules in the order of their use: each knows those before it alone.
const CORE: [&str; 32] = [
    "ids",
    "text",
    "linear",
    "isbn",
    "chain",
    "clock",
    "effects",
    "language",
    "shop",
    "price",
    "catalogue",
    "segment",
    "limits",
    "files",
    "index",
    "model",
    "log",
    "view",
    "booking",
    "purchases",
    "actions",
    "understand",
    "retrieval",
    "answer",
    "dialogue",
    "tools",
    "summary",
    "projection",
    "turn",
    "history",
    "desk",
    "erasure",
];

/// The stages of a turn, likewise.
const TURN: [&str; 12] = [
    "types",
    "emit",
    "read",
    "change",
    "appointments",
    "handoff",
    "prepare",
    "model_loop",
    "persist",
    "engine",
    "resume",
    "replay",
];

/// What a source file names after `path`, but for what its tests do.
fn named_in(source: &str, path: &str) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut named = BTreeSet::new();
    for after in source.split(path).skip(1) {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let Some(group) = after.strip_prefix('{') else {
            named.insert(after.chars().take_while(|c| is_name(*c)).collect());
            continue;
        };
        let (mut depth, mut name) = (0, String::new());
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                // What follows a name's colons is none of the crate's.
                ':' if depth == 0 => name.push(' '),
                ',' if depth == 0 => {
                    named.extend(name.split(' ').next().map(str::to_owned));
                    name.clear();
                }
                c if depth == 0 && is_name(c) => name.push(c),
                _ => {}
            }
        }
        named.extend(name.split(' ').next().map(str::to_owned));
    }
    named.remove("");
    named
}

/// Holds the modules of a folder to their order, by what they name after `paths`; of `super` only in a module's own file.
fn in_order(folder: &Path, order: &[&str], paths: &[&str]) {
    let place = |module: &str| {
        let place = order.iter().position(|known| *known == module);
        place.unwrap_or_else(|| panic!("{module} has no place in the order"))
    };
    let mut back = Vec::new();
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(folder).unwrap();
            let first = inside.iter().next().unwrap().to_string_lossy();
            let module = first.trim_end_matches(".rs").to_owned();
            let is_test = inside
                .iter()
                .any(|part| part == "tests" || part == "tests.rs" || part == "fuzz.rs");
            if module == "lib" || inside.extension().is_none_or(|kind| kind != "rs") || is_test {
                continue;
            }
            let own = place(&module);
            let source = std::fs::read_to_string(&path).unwrap();
            let is_whole = inside.iter().count() == 1;
            let paths = paths.iter().filter(|path| is_whole || **path != "super::");
            for other in paths.flat_map(|path| named_in(&source, path)) {
                if other != module && place(&other) > own {
                    back.push(format!("{} knows {other}", inside.display()));
                }
            }
            found.insert(module);
        }
    }
    assert_eq!(back, Vec::<String>::new());
    let all: BTreeSet<String> = order.iter().map(|module| (*module).to_owned()).collect();
    assert_eq!(found, all);
}

#[test]
fn modules_know_those_before_them() {
    let core = root().join("shared/core/src");
    in_order(&core, &CORE, &["crate::"]);
    in_order(&core.join("turn"), &TURN, &["super::", "turn::"]);
}

/// The paths that each function has in `template.yaml`.
fn template_paths() -> BTreeMap<String, BTreeSet<String>> {
    let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let mut function = String::new();
    let mut paths: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in template.lines() {
        let resource = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with([' ', '#']))
            .and_then(|rest| rest.strip_suffix(':'));
        if let Some(resource) = resource {
            resource.clone_into(&mut function);
        }
        if let (true, Some((_, path))) = (line.contains("Type: HttpApi"), line.split_once("Path: "))
        {
            // In quotes where it holds braces.
            let path = match path.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default(),
                None => path.trim_end_matches([' ', '}']),
            };
            // `/x/{proxy+}` stands for `/x/`: the API keeps no route that ends in a slash.
            let path = path.strip_suffix("{proxy+}").unwrap_or(path);
            paths
                .entry(function.clone())
                .or_default()
                .insert(path.to_owned());
        }
    }
    paths
}

fn with_and_without_slash<O>(routes: &[Route<O>]) -> BTreeSet<String> {
    let paths = routes.iter().map(|route| route.path);
    paths
        .flat_map(|path| [path, path.trim_end_matches('/')])
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_template_routes_what_the_functions_answer() {
    let answered = BTreeMap::from([
        (
            "ChatFunction".to_owned(),
            with_and_without_slash(&mostrador_chat::ROUTES),
        ),
        (
            "SearchFunction".to_owned(),
            with_and_without_slash(&mostrador_search_function::ROUTES),
        ),
        (
            "ActionsFunction".to_owned(),
            with_and_without_slash(&mostrador_actions::ROUTES),
        ),
        (
            "HistoryFunction".to_owned(),
            with_and_without_slash(&mostrador_history::ROUTES),
        ),
        (
            "StaffFunction".to_owned(),
            with_and_without_slash(&mostrador_staff::ROUTES),
        ),
        (
            "EraseFunction".to_owned(),
            with_and_without_slash(&mostrador_erase::ROUTES),
        ),
        (
            "FilesFunction".to_owned(),
            with_and_without_slash(&mostrador_files::ROUTES),
        ),
        (
            "PageFunction".to_owned(),
            with_and_without_slash(&mostrador_page::ROUTES),
        ),
    ]);
    assert_eq!(template_paths(), answered);
}

/// What a table has, as the document says it: method, path, and whether only who is signed in may have it.
fn described<O>(routes: &[Route<O>]) -> impl Iterator<Item = (String, String, bool)> {
    routes.iter().map(|route| {
        let signed_in = matches!(
            route.admission,
            Admission::SignedIn(_) | Admission::Staff(_)
        );
        (route.method.to_string(), route.path.to_owned(), signed_in)
    })
}

#[test]
fn the_document_describes_what_the_functions_answer() {
    let document: Value = serde_json::from_str(mostrador_page::OPENAPI).unwrap();
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let signed_in = operation["security"].as_array().unwrap().len() == 1;
            documented.insert((method.to_uppercase(), path.clone(), signed_in));
        }
    }
    let answered: BTreeSet<_> = described(&mostrador_chat::ROUTES)
        .chain(described(&mostrador_stream::ROUTES))
        .chain(described(&mostrador_search_function::ROUTES))
        .chain(described(&mostrador_actions::ROUTES))
        .chain(described(&mostrador_history::ROUTES))
        .chain(described(&mostrador_staff::ROUTES))
        .chain(described(&mostrador_erase::ROUTES))
        .chain(described(&mostrador_files::ROUTES))
        .collect();
    assert_eq!(documented, answered);
}

/// Whether the function behind a table's stream can read every record of a batch.
fn is_batch_of(table: &str, text: &str) -> bool {
    let each = |readable: fn(&Change) -> bool| {
        serde_json::from_str::<StreamEvent>(text).is_ok_and(|batch| {
            !batch.records.is_empty()
                && batch
                    .records
                    .iter()
                    .all(|record| readable(&record.dynamodb))
        })
    };
    match table {
        "mostrador-catalogue" => serde_json::from_str::<mostrador_reindex::changes::Event>(text)
            .is_ok_and(|changes| changes.outdates(None)),
        "mostrador-events" => each(|change| change.conversation().is_ok()),
        "mostrador-conversations" => each(|change| matches!(change.due(), Ok(Some(_)))),
        _ => false,
    }
}

#[test]
fn every_sample_event_is_one() {
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("events")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let event: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        seen += 1;
        if event == json!({}) {
            // The clock's.
            assert_eq!(name, "waiting.json");
            continue;
        }
        if event.get("Records").is_some() {
            let stream = event["Records"][0]["eventSourceARN"].as_str();
            let table = stream.and_then(|stream| stream.split('/').nth(1));
            assert!(is_batch_of(table.unwrap_or_default(), &text), "{name}");
            continue;
        }
        let request =
            lambda_http::request::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // A REST API's requests are of another shape, and its stage stands before the path.
        let (path, method) = match event["rawPath"].as_str() {
            Some(path) => (path, &event["requestContext"]["http"]["method"]),
            None => (
                event["requestContext"]["path"].as_str().unwrap(),
                &event["httpMethod"],
            ),
        };
        assert_eq!(request.uri().path(), path, "{name}");
        assert_eq!(Some(request.method().as_str()), method.as_str(), "{name}");
        assert_eq!(
            request.headers().get("content-type").is_some(),
            event["body"].is_string(),
            "{name}"
        );
    }
    assert!(seen >= 5, "{seen} events");
}

#[test]
fn files_stay_short() {
    let mut long = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let lines = std::fs::read_to_string(&path).unwrap().lines().count();
                let most = if name == "lib.rs" && !path.starts_with(root().join("infra")) {
                    130
                } else {
                    500
                };
                if lines > most {
                    long.push(format!("{}: {lines}", path.display()));
                }
            }
        }
    }
    assert_eq!(long, Vec::<String>::new());
}

/// What a document names between backticks, where it is a path from the top of the tree to a file.
fn named_files(document: &str) -> impl Iterator<Item = &str> {
    const TOP: [&str; 5] = ["shared/", "functions/", "infra/", "tests/", "events/"];
    document.split('`').skip(1).step_by(2).filter(|name| {
        let is_path = TOP.iter().any(|top| name.starts_with(top));
        is_path && !name.contains(['<', ' ', '*', '{']) && !name.ends_with('/')
    })
}

#[test]
fn documents_name_files_that_there_are() {
    let root = root();
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let tops = ["README.md", "ARCHITECTURE.md"].map(|name| root.join(name));
    let mut named = 0;
    for document in docs.chain(tops) {
        let text = std::fs::read_to_string(&document).unwrap();
        for file in named_files(&text) {
            named += 1;
            assert!(root.join(file).exists(), "{}: {file}", document.display());
        }
    }
    assert!(named > 50, "{named}");
}
