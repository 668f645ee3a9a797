//! The command line: what it prints, and how it ends.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Output, Stdio},
};

use crate::harness::Setup;

fn import(setup: &Setup, data: &std::path::Path, name: &str, text: &str, more: &[&str]) -> Output {
    let file = data.join(name);
    fs::write(&file, text).expect("a file");
    let mut command = setup.command();
    let command = command
        .args(["import", "--data-dir"])
        .arg(data.join("data"));
    command.arg(&file).args(more).output().expect("it runs")
}

#[test]
fn an_import_reports_errors_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let setup = Setup::new().stored_inside();
    let refused = [
        (
            "names.csv",
            "sku;name;price\n7;Rayuela;18,95\n",
            "the header in line 1 has no column libro_id, titulo, precio; it names sku, name, price",
        ),
        (
            "dollars.csv",
            "libro_id,titulo,precio\n1,a,$10\n",
            "line 2: precio \"$10\" is not an amount",
        ),
        (
            "euros.csv",
            "libro_id;titulo;precio\n1;a;10 €\n",
            "line 2: precio \"10 €\" is not an amount",
        ),
        (
            "free.csv",
            "libro_id,titulo,precio\n1,a,0\n",
            "line 2: precio \"0\" is a price for nothing",
        ),
    ];
    for (name, text, message) in refused {
        let output = import(&setup, folder.path(), name, text, &[]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && complaint.contains(message),
            "{name}: {complaint}"
        );
    }
    let free = "libro_id,titulo,precio\n1,a,0\n";
    let output = import(&setup, folder.path(), "free.csv", free, &["--allow-free"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.starts_with("1 item read: 1 added"), "{output:?}");
    let mut shop = setup.kept_in(&folder.path().join("data")).start();
    assert!(
        shop.output().contains("(1 item, index"),
        "{}",
        shop.output()
    );
    shop.announced("Mostrador is ready");
}

/// Who has seen enough of what is printed hangs up.
#[test]
fn a_reader_that_hangs_up_is_no_failure() {
    let mut command = Setup::new().command();
    let child = command
        .arg("openapi")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    let mut first = String::new();
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    reader.read_line(&mut first).expect("a line");
    drop(reader);
    let ended = child.wait_with_output().expect("it ends");
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(
        ended.status.success() && complaint.is_empty(),
        "{complaint}"
    );
    assert_eq!(first, "{\n");
}

/// Where no server is, the terminal client says what to do, in the customer's language.
#[test]
fn a_conversation_with_nobody_ends_in_words() {
    let refused = [
        (
            "en",
            "error: Nobody answers at http://127.0.0.1:9. Start the server with “mostrador serve”, or say where it is with --url.\n",
        ),
        (
            "es",
            "error: En http://127.0.0.1:9 no contesta nadie. Arranca el servidor con «mostrador serve», o di con --url dónde está.\n",
        ),
        (
            "pt",
            "error: Em http://127.0.0.1:9 não responde ninguém. Inicie o servidor com “mostrador serve”, ou diga com --url onde está.\n",
        ),
    ];
    for (language, complaint) in refused {
        let mut command = Setup::new().command();
        let command = command.args([
            "chat",
            "--url",
            "http://127.0.0.1:9",
            "--language",
            language,
        ]);
        let ended = command.stdin(Stdio::null()).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&ended.stderr), complaint);
        assert_eq!(String::from_utf8_lossy(&ended.stdout), "");
    }
}
