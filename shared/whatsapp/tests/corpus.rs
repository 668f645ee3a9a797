//! Every delivery of the corpus, signed, read, and held against what it has to be read as.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use mostrador_whatsapp::{
    signature::{Refused, sign, verify},
    webhook::{Content, InvalidDelivery, Notice, read},
};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::Value;

fn corpus() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = fs::read_dir(folder).unwrap().map(|file| {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    });
    files.collect()
}

fn secret() -> SecretString {
    SecretString::from("corpus")
}

fn notices(body: &[u8]) -> Result<Vec<Notice>, InvalidDelivery> {
    let header = sign(&secret(), body);
    read(verify(&secret(), Some(&header), body).unwrap())
}

#[test]
fn each_delivery_reads_as_it_should() {
    let corpus = corpus();
    assert!(corpus.len() >= 60, "{}", corpus.len());
    for (name, body) in corpus {
        let notices = notices(&body).unwrap();
        insta::with_settings!({ snapshot_path => "corpus_read", prepend_module_to_snapshot => false }, {
            insta::assert_json_snapshot!(name.clone(), notices);
        });
        let json = serde_json::to_string(&notices).unwrap();
        let kept: Vec<Notice> = serde_json::from_str(&json).unwrap();
        assert_eq!(kept, notices, "{name} can be kept");
        // What people wrote is in no log.
        let log = format!("{notices:?}");
        for secret in [
            "soledad",
            "secreto",
            "34600111222",
            "Ana",
            "Mayor 1",
            "Sofía",
        ] {
            assert!(!log.contains(secret), "{name}: {secret} in {log}");
        }
    }
}

#[test]
fn the_corpus_has_every_type_of_message() {
    let mut types = BTreeSet::new();
    for body in corpus().values() {
        for notice in notices(body).unwrap() {
            if let Notice::Message(message) = notice {
                let json = serde_json::to_value(&message.content).unwrap();
                types.insert(json["type"].as_str().unwrap().to_owned());
                let opens = !matches!(
                    message.content,
                    Content::Edit { .. } | Content::Revoke { .. }
                );
                assert_eq!(message.opens_window(), opens);
            }
        }
    }
    insta::assert_snapshot!(
        Vec::from_iter(types).join(" "),
        @"audio button_reply contacts document edit image list_reply location order quick_reply reaction revoke sticker text unknown unsupported video"
    );
}

/// The same JSON in other bytes.
fn encoded_otherwise(body: &[u8]) -> Vec<Vec<u8>> {
    let json: Value = serde_json::from_slice(body).unwrap();
    let compact = serde_json::to_string(&json).unwrap();
    let escaped: String = compact
        .chars()
        .map(|c| match c {
            c if c.is_ascii() => c.to_string(),
            c => {
                let units = c.encode_utf16(&mut [0; 2]).to_vec();
                units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
            }
        })
        .collect();
    let slashes = compact.replace('/', "\\/");
    let mut ended = body.to_vec();
    ended.push(b'\n');
    let windows = String::from_utf8(body.to_vec())
        .unwrap()
        .replace('\n', "\r\n");
    let all = [
        compact.into_bytes(),
        escaped.into_bytes(),
        slashes.into_bytes(),
        ended,
        windows.into_bytes(),
    ];
    all.into_iter().filter(|bytes| bytes != body).collect()
}

#[test]
fn no_other_bytes_have_the_signature() {
    let mut refused = 0;
    for (name, body) in corpus() {
        let header = sign(&secret(), &body);
        for other in encoded_otherwise(&body) {
            let same: Value = serde_json::from_slice(&other).unwrap();
            assert_eq!(same, serde_json::from_slice::<Value>(&body).unwrap());
            let verified = verify(&secret(), Some(&header), &other);
            assert_eq!(verified.err(), Some(Refused::Wrong), "{name}");
            refused += 1;
        }
        for (header, expected) in [
            (None, Refused::Missing),
            (Some(header[..70].to_owned()), Refused::Malformed),
            (Some(header.replace("sha256", "sha1")), Refused::Malformed),
            (
                Some(sign(&SecretString::from("other"), &body)),
                Refused::Wrong,
            ),
        ] {
            let verified = verify(&secret(), header.as_deref(), &body);
            assert_eq!(verified.err(), Some(expected), "{name}");
            refused += 1;
        }
        let cut = &body[..body.len() - 1];
        assert_eq!(
            verify(&secret(), Some(&header), cut).err(),
            Some(Refused::Wrong)
        );
        refused += 1;
    }
    println!("{refused} of {refused} refused");
    assert!(refused >= 500, "{refused}");
}

#[test]
fn what_is_no_delivery_is_none() {
    for (body, expected) in [
        (&b""[..], InvalidDelivery::NotJson),
        (b"{", InvalidDelivery::NotJson),
        (b"\xff\xfe", InvalidDelivery::NotJson),
        (b"[]", InvalidDelivery::NotWhatsApp),
        (b"null", InvalidDelivery::NotWhatsApp),
        (
            br#"{"object":"page","entry":[]}"#,
            InvalidDelivery::NotWhatsApp,
        ),
    ] {
        assert_eq!(notices(body), Err(expected));
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(notices(deep.as_bytes()), Err(InvalidDelivery::NotJson));
}

/// Any JSON in any place of a delivery.
fn replaced(json: &mut Value, path: &mut dyn Iterator<Item = usize>, by: Value) {
    let Some(step) = path.next() else {
        *json = by;
        return;
    };
    match json {
        Value::Array(parts) if !parts.is_empty() => {
            let at = step % parts.len();
            replaced(&mut parts[at], path, by);
        }
        Value::Object(parts) if !parts.is_empty() => {
            let at = step % parts.len();
            replaced(parts.values_mut().nth(at).unwrap(), path, by);
        }
        _ => *json = by,
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        Just(Value::from("x".repeat(300_000))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,8}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_that_is_signed_breaks_the_reader(
        which in any::<prop::sample::Index>(),
        path in prop::collection::vec(any::<usize>(), 0..9),
        by in any_json(),
    ) {
        let corpus = corpus();
        let (_, body) = corpus.iter().nth(which.index(corpus.len())).unwrap();
        let mut json: Value = serde_json::from_slice(body).unwrap();
        replaced(&mut json, &mut path.into_iter(), by);
        if let Ok(notices) = notices(&serde_json::to_vec(&json).unwrap()) {
            let kept = serde_json::to_string(&notices).unwrap();
            prop_assert_eq!(serde_json::from_str::<Vec<Notice>>(&kept).unwrap(), notices);
        }
    }

    #[test]
    fn no_bytes_break_it(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let corpus = corpus();
        let (_, body) = corpus.iter().nth(which.index(corpus.len())).unwrap();
        let mut body = body.clone();
        let at = at.index(body.len());
        body[at] = byte;
        let _ = notices(&body);
        body.truncate(at);
        let _ = notices(&body);
    }
}
