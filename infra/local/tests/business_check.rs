//! `mostrador business check`: the whole of what it prints, over good and bad files.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{path::Path, process::Command};

/// What the program prints, with its exit code, started in `folder`.
fn check(folder: &Path, file: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mostrador"))
        .args(["business", "check", file])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    format!(
        "{}{}exit code {code}",
        text(output.stdout),
        text(output.stderr)
    )
}

fn of_text(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("business.toml"), text).unwrap();
    check(folder.path(), "business.toml")
}

#[test]
fn the_demo_businesses_are_good() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    insta::assert_snapshot!(check(&demo, "salon/business.toml"), @"");
    insta::assert_snapshot!(check(&demo, "clinic/business.toml"), @"");
}

#[test]
fn every_fault_is_printed_with_its_place() {
    let toml = r#"id = "Salón"
business_name = "Salón"
time_zone = "Madrid"
currency = "€"
telefono = "1"

[[branches]]
id = "centro"
name = "Centro"
address = "Calle Mayor, 1"
hours.monday = ["14:00-10:00"]
hours.lunes = ["10:00-14:00"]

[[categories]]
id = "pelo"
name = "Pelo"

[[services]]
id = "corte"
name = "Corte"
category = "cabello"
price = "veinte"
duration_minutes = 0
buffer_after_minutes = -5

[[services]]
id = "corte"
name = "Tinte"
category = "pelo"
price = 30
duration_minutes = "90"

[[calendars]]
id = "ana"
name = "Ana"
branch = "norte"
offers = ["barba"]
"#;
    insta::assert_snapshot!(of_text(toml), @"");
    insta::assert_snapshot!(of_text("id = alba\n[[branches]\n"), @"");
}

#[test]
fn what_is_no_file_of_a_business_is_named() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(check(folder.path(), "business.toml"), @"");
    std::fs::write(folder.path().join("business.json"), "{}").unwrap();
    insta::assert_snapshot!(check(folder.path(), "business.json"), @"");
}
