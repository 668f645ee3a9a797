//! Which crate may depend on which, and on what of others.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use serde_json::Value;

use super::root;

/// The packages of the workspace, as cargo describes them.
fn packages() -> Vec<Value> {
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
    metadata["packages"].as_array().unwrap().clone()
}

fn named(value: &Value) -> String {
    value["name"].as_str().unwrap().to_owned()
}

/// What a package depends on outside of tests.
fn needed(package: &Value) -> impl Iterator<Item = &Value> {
    let needed = package["dependencies"].as_array().unwrap().iter();
    needed.filter(|needed| needed["kind"].is_null())
}

/// Each package of the workspace with what it depends on outside of tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    packages()
        .iter()
        .map(|package| (named(package), needed(package).map(named).collect()))
        .collect()
}

const FUNCTIONS: [&str; 12] = [
    "mostrador-chat",
    "mostrador-stream",
    "mostrador-search-function",
    "mostrador-actions",
    "mostrador-history",
    "mostrador-staff",
    "mostrador-erase",
    "mostrador-files",
    "mostrador-page",
    "mostrador-project",
    "mostrador-summarise",
    "mostrador-reindex",
];

#[test]
fn dependencies_point_one_way() {
    let dependencies = dependencies();
    let adapters = [
        "mostrador-calendars",
        "mostrador-dynamodb",
        "mostrador-llm",
        "mostrador-search",
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
        .chain(["mostrador-web", "mostrador-catalogue-file"])
    {
        assert_eq!(
            ours(package),
            BTreeSet::from(["mostrador-core"]),
            "{package} knows the core alone"
        );
    }
    // A channel's wire and rules are the same for whatever talks over it.
    assert_eq!(
        ours("mostrador-whatsapp"),
        BTreeSet::new(),
        "the channel knows nobody"
    );
    assert_eq!(
        ours("mostrador-whatsapp-simulator"),
        BTreeSet::from(["mostrador-whatsapp"]),
        "the simulator knows what it plays against alone"
    );
    let allowed: BTreeSet<&str> = adapters
        .into_iter()
        .chain(["mostrador-web", "mostrador-core"])
        .collect();
    let wiring = ours("mostrador-wiring");
    assert!(wiring.is_subset(&allowed), "the wiring knows {wiring:?}");
    for function in FUNCTIONS {
        let mut known = ours(function);
        known.remove("mostrador-wiring");
        assert!(known.is_subset(&allowed), "{function} knows {known:?}");
    }
    for package in dependencies.keys().map(String::as_str) {
        let known = ours(package);
        assert!(
            !known.contains("mostrador-local") || package == "mostrador-prove",
            "{package} knows the local runner"
        );
        assert!(
            !known.contains("mostrador-prove"),
            "{package} knows what proves it"
        );
        assert!(
            !known.contains("mostrador-google-calendar"),
            "{package} knows Google's calendars on one machine outside of tests"
        );
    }
}

/// What each function has of the wiring beside the tables.
#[test]
fn functions_carry_what_they_need() {
    let wired = |name: &str| -> Option<BTreeSet<String>> {
        let packages = packages();
        let package = packages.iter().find(|package| named(package) == name);
        let wiring = needed(package.unwrap()).find(|needed| named(needed) == "mostrador-wiring")?;
        let features = wiring["features"].as_array().unwrap();
        let features = features
            .iter()
            .map(|name| name.as_str().unwrap().to_owned());
        Some(features.collect())
    };
    for (function, expected) in [
        ("mostrador-chat", Some(vec!["turn"])),
        ("mostrador-stream", Some(vec!["turn"])),
        ("mostrador-search-function", Some(vec!["model", "search"])),
        ("mostrador-actions", Some(vec!["search"])),
        ("mostrador-history", Some(vec!["search"])),
        ("mostrador-staff", Some(vec!["search"])),
        ("mostrador-erase", Some(vec!["search"])),
        ("mostrador-files", Some(vec!["search"])),
        ("mostrador-page", Some(vec!["search"])),
        ("mostrador-project", Some(vec![])),
        ("mostrador-summarise", Some(vec!["model"])),
        ("mostrador-reindex", Some(vec!["search"])),
    ] {
        let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect());
        assert_eq!(wired(function), expected, "{function}");
    }
}

/// A program names what it runs; what it works with is wired elsewhere.
#[test]
fn programs_are_short() {
    for package in packages() {
        let is_one = FUNCTIONS.contains(&&*named(&package)) || named(&package) == "mostrador-local";
        if !is_one {
            continue;
        }
        let folder = package["manifest_path"].as_str().unwrap();
        let main = Path::new(folder).with_file_name("src/main.rs");
        let lines = std::fs::read_to_string(&main).unwrap().lines().count();
        assert!(lines < 30, "{}: {lines} lines", main.display());
        let sdk = needed(&package).find(|needed| named(needed) == "aws-config");
        assert!(
            sdk.is_none() || named(&package) == "mostrador-local",
            "{} connects to stores itself",
            named(&package)
        );
    }
}

/// A library leaves the allocator to the programs that it is linked into.
#[test]
fn programs_name_the_allocator() {
    for package in packages() {
        let folder = package["manifest_path"].as_str().unwrap();
        let names_it = |file: &str| {
            let source = std::fs::read_to_string(Path::new(folder).with_file_name(file));
            source.is_ok_and(|source| source.contains("#[global_allocator]"))
        };
        let name = named(&package);
        let is_program =
            FUNCTIONS.contains(&&*name) || ["mostrador-local", "mostrador-prove"].contains(&&*name);
        assert_eq!(names_it("src/main.rs"), is_program, "{name}");
        assert!(!names_it("src/lib.rs"), "{name}");
    }
}

/// The local runner mounts libraries; what only Lambda needs is not built for it.
#[test]
fn the_local_runner_is_built_without_lambda() {
    for package in packages() {
        let of_functions = needed(&package).filter(|needed| FUNCTIONS.contains(&&*named(needed)));
        for function in of_functions {
            assert_eq!(
                function["uses_default_features"],
                false,
                "{} of {}",
                named(function),
                named(&package)
            );
        }
    }
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
        ("lambda_http", "mostrador-web"),
        ("lambda_runtime", "mostrador-web"),
        ("dynoxide-rs", "mostrador-engine"),
        ("rusqlite", "mostrador-engine"),
        ("roxmltree", "mostrador-calendars"),
        ("hmac", "mostrador-whatsapp"),
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
