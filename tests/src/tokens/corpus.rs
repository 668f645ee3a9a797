//! Tokens that are wrong in every way we know of.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, crypto::sign};
use serde_json::{Value, json};

use crate::harness::{SECRET, forged, in_seconds, token};

const HS256: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

/// Good claims as text.
fn claims() -> String {
    json!({"sub": "mallory", "exp": in_seconds(3_600)}).to_string()
}

/// Good claims under this header, signed with the right secret.
fn headed(header: &str) -> String {
    forged(header, &claims(), SECRET.as_bytes())
}

/// These claims, signed with the right secret.
fn claiming(claims: &str) -> String {
    forged(HS256, claims, SECRET.as_bytes())
}

fn unsigned(token: &str) -> String {
    let (message, _) = token.rsplit_once('.').expect("a signature");
    format!("{message}.")
}

pub(super) fn headers() -> Vec<String> {
    let mut tokens = Vec::new();
    for alg in [
        "none", "None", "NONE", "nOnE", "", "hs256", "HS384", "HS512", "RS256", "ES256", "EdDSA",
        "PS256",
    ] {
        let token = headed(&json!({"alg": alg, "typ": "JWT"}).to_string());
        tokens.extend([unsigned(&token), token]);
    }
    // Truly signed by the longer hashes: the configuration has HS256.
    for algorithm in [Algorithm::HS384, Algorithm::HS512] {
        let header = json!({"alg": format!("{algorithm:?}")}).to_string();
        let message = [header, claims()]
            .map(|part| BASE64_URL_SAFE_NO_PAD.encode(part))
            .join(".");
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        let signature = sign(message.as_bytes(), &key, algorithm).expect("a signature");
        tokens.push(format!("{message}.{signature}"));
    }
    let critical = [
        r#"["exp"]"#,
        r#"["b64"]"#,
        r#"["http://example.com/x"]"#,
        "[]",
    ];
    tokens.extend(critical.map(|crit| headed(&format!(r#"{{"alg":"HS256","crit":{crit}}}"#))));
    for header in [
        r#"{"typ":"JWT"}"#,
        r#"{"alg":"none","alg":"HS256"}"#,
        r#"{"alg":"HS256","alg":"HS256"}"#,
        r#"{"alg":["HS256"]}"#,
        r#"{"alg":null}"#,
        r#"["HS256"]"#,
        "null",
        "",
        "HS256",
        "{",
    ] {
        tokens.push(headed(header));
    }
    tokens
}

/// Keys that the token itself brings along or points at.
pub(super) fn brought_keys(url: &str) -> Vec<String> {
    let own = b"the attacker's own key, of a good length";
    let encoded = BASE64_URL_SAFE_NO_PAD.encode(own);
    let header = |more: Value| {
        let mut header = json!({"alg": "HS256", "typ": "JWT"});
        header
            .as_object_mut()
            .expect("members")
            .extend(more.as_object().cloned().expect("members"));
        header.to_string()
    };
    let jwk = json!({"kty": "oct", "k": encoded, "alg": "HS256", "kid": "own"});
    let mut tokens: Vec<String> = [
        json!({"jwk": jwk, "kid": "own"}),
        json!({"jku": url, "kid": "own"}),
        json!({"x5u": url}),
        json!({"x5c": [encoded]}),
        json!({"jku": "file:///etc/hostname"}),
    ]
    .map(|more| forged(&header(more), &claims(), own))
    .into();
    for kid in [
        "../../../../dev/null",
        "/dev/null",
        "..%2f..%2fdev%2fnull",
        "' UNION SELECT 'key",
        "",
        "\0",
    ] {
        for secret in [&b""[..], b"\0", b"key"] {
            tokens.push(forged(&header(json!({"kid": kid})), &claims(), secret));
        }
    }
    tokens.push(forged(
        &header(json!({"kid": "k".repeat(65_536)})),
        &claims(),
        own,
    ));
    tokens
}

pub(super) fn bad_claims() -> Vec<String> {
    let (later, past) = (in_seconds(3_600), in_seconds(-60));
    let long = "x".repeat(513);
    let mut texts = vec![
        json!({"sub": "mallory"}).to_string(),
        format!(r#"{{"sub":"mallory","exp":"{later}"}}"#),
        format!(r#"{{"sub":"mallory","exp":{later}.5}}"#),
        format!(r#"{{"sub":"mallory","exp":{later}.0}}"#),
        r#"{"sub":"mallory","exp":1e400}"#.to_owned(),
        r#"{"sub":"mallory","exp":-1e400}"#.to_owned(),
        r#"{"sub":"mallory","exp":1e300}"#.to_owned(),
        r#"{"sub":"mallory","exp":NaN}"#.to_owned(),
        format!(r#"{{"sub":"mallory","exp":{past}}}"#),
        r#"{"sub":"mallory","exp":0}"#.to_owned(),
        r#"{"sub":"mallory","exp":-1}"#.to_owned(),
        r#"{"sub":"mallory","exp":null}"#.to_owned(),
        r#"{"sub":"mallory","exp":true}"#.to_owned(),
        format!(r#"{{"sub":"mallory","exp":[{later}]}}"#),
        format!(r#"{{"sub":"mallory","exp":{past},"exp":{later}}}"#),
        format!(r#"{{"sub":"mallory","exp":{later},"exp":{past}}}"#),
        format!(r#"{{"sub":"mallory","sub":"ana","exp":{later}}}"#),
        format!(r#"{{"sub":"ana","sub":"mallory","exp":{later}}}"#),
        format!(r#"{{"sub":"mallory","exp":{later},"tenant":"norte","tenant":"sur"}}"#),
        format!(r#"{{"sub":"mallory","exp":{later},"more":1,"more":1}}"#),
        "null".to_owned(),
        "[]".to_owned(),
        "\"mallory\"".to_owned(),
        String::new(),
        "{".to_owned(),
    ];
    for nbf in [
        json!(in_seconds(120)),
        json!("0"),
        json!(0.5),
        json!(true),
        json!([]),
        json!(-1),
    ] {
        texts.push(json!({"sub": "mallory", "exp": later, "nbf": nbf}).to_string());
    }
    for sub in [
        json!(""),
        json!(null),
        json!(-1),
        json!(1.5),
        json!(["mallory"]),
        json!({}),
        json!("a\0b"),
        json!("\n"),
        json!(long),
    ] {
        texts.push(json!({"sub": sub, "exp": later}).to_string());
    }
    texts.push(json!({"exp": later}).to_string());
    for tenant in [json!("a#b"), json!(""), json!(7), json!(null), json!({})] {
        texts.push(json!({"sub": "mallory", "exp": later, "tenant": tenant}).to_string());
    }
    // A hundred kilobytes, all of it signed as it should be.
    texts.push(json!({"sub": "mallory", "exp": later, "more": "x".repeat(100 * 1024)}).to_string());
    texts.iter().map(|text| claiming(text)).collect()
}

pub(super) fn bad_signatures() -> Vec<String> {
    let good = token("mallory");
    let parts: Vec<&str> = good.split('.').collect();
    let [header, claims, signature] = parts[..] else {
        panic!("{good}")
    };
    // The last of 43 characters carries two bits that mean nothing: another spelling of the same bytes.
    let last = signature.chars().last().expect("a character");
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let at = alphabet.find(last).expect("in the alphabet");
    let respelled = format!("{}{}", &signature[..42], &alphabet[at + 1..at + 2]);
    let other = token("somebody else");
    let other = other.rsplit('.').next().expect("a signature");
    let mut tokens = vec![
        forged(
            HS256,
            &self::claims(),
            b"another secret that is also longer than 32",
        ),
        forged(HS256, &self::claims(), b""),
        good.to_uppercase(),
        good.replace('.', ".."),
        format!("{good}="),
        format!("{good}.{signature}"),
        format!("{good}.{header}.{claims}"),
        format!("{header}.{claims}"),
        header.to_owned(),
        "..".to_owned(),
        ".".to_owned(),
        format!(".{claims}.{signature}"),
        format!("{header}..{signature}"),
        format!("{claims}.{header}.{signature}"),
        format!("{header}.{claims}.{header}"),
        format!("{header}%2e{claims}%2e{signature}"),
        format!("{good} {good}"),
        format!("{good},{good}"),
        "x".repeat(100 * 1024),
        "ñ.ñ.ñ".to_owned(),
    ];
    let signatures = [
        "",
        &signature[..42],
        &signature[..20],
        &signature[1..],
        &respelled,
        other,
        "AAAA",
    ];
    tokens.extend(signatures.map(|signature| format!("{header}.{claims}.{signature}")));
    tokens.extend((0..43).step_by(7).map(|at| {
        let mut broken: Vec<char> = signature.chars().collect();
        broken[at] = if broken[at] == 'A' { 'B' } else { 'A' };
        format!("{header}.{claims}.{}", broken.iter().collect::<String>())
    }));
    tokens
}
