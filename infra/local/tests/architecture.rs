//! What the tree must be: who may depend on whom, which routes the template has, how long a file may get.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use mostrador_dynamodb::stream::{Change, StreamEvent};
use mostrador_web::Route;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Each package of the workspace with what it depends on outside of tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let named = |value: &Value| value["name"].as_str().unwrap().to_owned();
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let needed = package["dependencies"].as_array().unwrap();
            (
                named(package),
                needed
                    .iter()
                    .filter(|needed| needed["kind"].is_null())
                    .map(named)
                    .collect(),
            )
        })
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let dependencies = dependencies();
    let adapters = ["mostrador-dynamodb", "mostrador-search", "mostrador-llm"];
    let functions = [
        "mostrador-chat",
        "mostrador-stream",
        "mostrador-search-function",
        "mostrador-actions",
        "mostrador-history",
        "mostrador-erase",
        "mostrador-files",
        "mostrador-page",
        "mostrador-project",
        "mostrador-summarise",
        "mostrador-reindex",
    ];
    let ours = |package: &str| -> BTreeSet<&str> {
        dependencies[package]
            .iter()
            .map(String::as_str)
            .filter(|name| name.starts_with("mostrador-"))
            .collect()
    };
    assert_eq!(
        ours("mostrador-core"),
        BTreeSet::new(),
        "the core knows nobody"
    );
    for package in adapters
        .into_iter()
        .chain(["mostrador-web", "mostrador-index"])
    {
        assert_eq!(
            ours(package),
            BTreeSet::from(["mostrador-core"]),
            "{package} knows the core alone"
        );
    }
    for function in functions {
        let known = ours(function);
        let allowed: BTreeSet<&str> = adapters
            .into_iter()
            .chain(["mostrador-web", "mostrador-core"])
            .collect();
        assert!(known.is_subset(&allowed), "{function} knows {known:?}");
    }
}

/// The core's modules in the order of their use: each knows those before it alone.
const CORE: [&str; 26] = [
    "ids",
    "text",
    "isbn",
    "chain",
    "clock",
    "language",
    "shop",
    "price",
    "catalogue",
    "limits",
    "files",
    "index",
    "model",
    "log",
    "view",
    "purchases",
    "actions",
    "understand",
    "retrieval",
    "answer",
    "tools",
    "summary",
    "projection",
    "turn",
    "history",
    "erasure",
];

/// The stages of a turn, likewise.
const TURN: [&str; 8] = [
    "types",
    "emit",
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

#[test]
fn the_core_does_nothing_by_itself() {
    let core = &dependencies()["mostrador-core"];
    for outside in [
        "tokio",
        "reqwest",
        "http",
        "rand",
        "lambda_http",
        "aws-config",
    ] {
        assert!(!core.contains(outside), "the core depends on {outside}");
    }
}

#[test]
fn each_sdk_has_one_home() {
    let dependencies = dependencies();
    for (sdk, home) in [
        ("aws-sdk-dynamodb", "mostrador-dynamodb"),
        ("aws-sdk-dynamodbstreams", "mostrador-pump"),
        ("aws-sdk-s3", "mostrador-search"),
        ("tantivy", "mostrador-search"),
        ("tiktoken", "mostrador-llm"),
        ("lambda_runtime", "mostrador-web"),
        ("dynoxide-rs", "mostrador-engine"),
        ("rusqlite", "mostrador-engine"),
    ] {
        let homes: Vec<&String> = dependencies
            .iter()
            .filter(|(_, needed)| needed.contains(sdk))
            .map(|(package, _)| package)
            .collect();
        assert!(
            homes.iter().all(|package| *package == home),
            "{sdk} is named by {homes:?}"
        );
    }
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

#[test]
fn the_template_routes_what_the_functions_answer() {
    let with_and_without_slash = |routes: &[Route]| -> BTreeSet<String> {
        routes
            .iter()
            .flat_map(|route| {
                [
                    route.path.to_owned(),
                    route.path.trim_end_matches('/').to_owned(),
                ]
            })
            .filter(|path| !path.is_empty())
            .collect()
    };
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
