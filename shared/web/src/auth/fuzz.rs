//! Tokens of any kind, and by another way whether they are to be believed.

use std::{
    sync::LazyLock,
    time::{SystemTime, UNIX_EPOCH},
};

use bolero::TypeGenerator;
use serde_json::{Map, json};
use sha2::{Digest, Sha256};
use tokio::runtime::{Builder, Runtime};

use super::*;

const SECRET: &[u8; 32] = b"01234567890123456789012345678901";
const ISSUER: &str = "https://login.example";
const AUDIENCE: &str = "shop";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime")
});

#[derive(Debug, TypeGenerator)]
enum Name {
    Exp,
    Nbf,
    Sub,
    Tenant,
    Iss,
    Aud,
    Alg,
    Typ,
    Kid,
    Crit,
    Any(String),
}

#[derive(Debug, Clone, TypeGenerator)]
enum Given {
    /// Seconds from now; those about the leeway are not tried, since the clock goes on.
    After(i16),
    Whole(u64),
    Float(f64),
    Null,
    Flag(bool),
    Hs256,
    OtherAlgorithm(u8),
    Issuer,
    Audience,
    Text(String),
    Texts(Vec<String>),
    Issuers,
    Audiences,
    Object,
}

/// What is wrong with a token, beside its members.
#[derive(Debug, TypeGenerator)]
enum Fault {
    NoEnd,
    NoUser,
    OtherSecret,
    OtherSignature(Vec<u8>),
    /// A byte of what is sent is another.
    Altered(u16, u8),
}

#[derive(Debug, TypeGenerator)]
struct Token {
    /// In place of the usual one.
    header: Option<Vec<(Name, Given)>>,
    /// Beside an end in an hour and a user.
    claims: [Option<(Name, Given)>; 3],
    is_strict: bool,
    fault: Option<Fault>,
}

impl Name {
    fn get(&self) -> &str {
        match self {
            Self::Exp => "exp",
            Self::Nbf => "nbf",
            Self::Sub => "sub",
            Self::Tenant => "tenant",
            Self::Iss => "iss",
            Self::Aud => "aud",
            Self::Alg => "alg",
            Self::Typ => "typ",
            Self::Kid => "kid",
            Self::Crit => "crit",
            Self::Any(name) => name,
        }
    }
}

impl Given {
    fn value(&self, now: u64) -> Value {
        match self {
            Self::After(seconds) => {
                let leeway = i64::try_from(LEEWAY_SECONDS).expect("seconds");
                let seconds = i64::from(*seconds);
                let is_about = (seconds.abs() - leeway).abs() < 10;
                let seconds = if is_about { 4 * seconds } else { seconds };
                now.saturating_add_signed(seconds).into()
            }
            Self::Whole(number) => (*number).into(),
            Self::Float(number) => (*number).into(),
            Self::Null => Value::Null,
            Self::Flag(flag) => (*flag).into(),
            Self::Hs256 => "HS256".into(),
            Self::OtherAlgorithm(number) => {
                let names = ["none", "HS384", "HS512", "RS256", "ES256", "hs256", ""];
                names[usize::from(*number) % names.len()].into()
            }
            Self::Issuer => ISSUER.into(),
            Self::Audience => AUDIENCE.into(),
            Self::Text(text) => text.as_str().into(),
            Self::Texts(texts) => texts.clone().into(),
            Self::Issuers => json!(["a", ISSUER]),
            Self::Audiences => json!(["a", AUDIENCE]),
            Self::Object => json!({"sub": "b", "exp": 1}),
        }
    }
}

/// RFC 4648, section 5, without padding.
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let letters = bytes.chunks(3).flat_map(|three| {
        let bits = three
            .iter()
            .fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        let letter = move |place: usize| char::from(LETTERS[bits >> (18 - 6 * place) & 63]);
        (0..=three.len()).map(letter)
    });
    letters.collect()
}

/// RFC 2104 with SHA-256, of a secret that is no longer than a block.
fn hmac(secret: &[u8], message: &[u8]) -> Vec<u8> {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        block
            .iter_mut()
            .zip(secret)
            .for_each(|(to, byte)| *to ^= byte);
        block
    };
    let inner = Sha256::new()
        .chain_update(padded(0x36))
        .chain_update(message);
    let outer = Sha256::new()
        .chain_update(padded(0x5c))
        .chain_update(inner.finalize());
    outer.finalize().to_vec()
}

/// An object as it is written, repeated members and all.
fn object(members: &[(String, Value)]) -> String {
    let members = members.iter();
    let members = members.map(|(name, value)| format!("{}:{value}", json!(name)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// One that asks for nothing but an end and a user, and one for its issuer and audience too.
static AUTHENTICATORS: LazyLock<[Authenticator; 2]> = LazyLock::new(|| {
    let secret = str::from_utf8(SECRET).expect("digits");
    [false, true].map(|is_strict| {
        Authenticator::new(TokenSettings {
            secret: Some(secret.into()),
            jwks_url: None,
            issuer: is_strict.then(|| ISSUER.into()),
            audience: is_strict.then(|| AUDIENCE.into()),
            subject_claim: "sub".into(),
            staff_claim: "role".into(),
        })
    })
});

fn owner(token: &str, is_strict: bool) -> Option<Owner> {
    let authenticator = &AUTHENTICATORS[usize::from(is_strict)];
    let identity = RUNTIME.block_on(authenticator.identify(token));
    Some(identity.ok()?.owner)
}

/// The members by name; `None` where one is repeated.
fn unrepeated(members: &[(String, Value)]) -> Option<Map<String, Value>> {
    let map: Map<String, Value> = members.iter().cloned().collect();
    (map.len() == members.len()).then_some(map)
}

/// The caller that the claims identify, if they are to be believed at `now`.
fn expected(claims: &Map<String, Value>, is_strict: bool, now: u64) -> Option<Owner> {
    let time = |name: &str| claims.get(name).map(Value::as_u64);
    let is_in_time = time("exp").flatten()? >= now - LEEWAY_SECONDS
        && match time("nbf") {
            None => true,
            Some(nbf) => nbf? <= now + LEEWAY_SECONDS,
        };
    let names = |claim: &str, name: &str| match claims.get(claim) {
        Some(Value::String(text)) => text == name,
        Some(Value::Array(texts)) => {
            texts.iter().all(Value::is_string) && texts.iter().any(|text| text == name)
        }
        _ => false,
    };
    let is_for_us = !is_strict || (names("iss", ISSUER) && names("aud", AUDIENCE));
    let user = match claims.get("sub")? {
        Value::String(user) => user.clone(),
        id => id.as_u64()?.to_string(),
    };
    let tenant = match claims.get("tenant") {
        None => "default",
        Some(tenant) => tenant.as_str()?,
    };
    let owner = Owner::new(tenant, &user).ok()?;
    (is_in_time && is_for_us).then_some(owner)
}

/// Whether a header is one of ours for sure, or for sure none; nothing where it has what other readers know.
fn is_ours(header: &[(String, Value)]) -> Option<bool> {
    let members = unrepeated(header)?;
    let is_plain = |(name, value): (&String, &Value)| match name.as_str() {
        "alg" => value == "HS256",
        "typ" | "kid" => value.is_string(),
        _ => false,
    };
    let is_foreign = members.get("alg").is_none_or(|alg| alg != "HS256")
        || members.get("crit").is_some_and(|crit| !crit.is_null());
    if is_foreign {
        return Some(false);
    }
    members.iter().all(is_plain).then_some(true)
}

#[test]
fn a_token_is_believed_where_it_is_in_order() {
    let target = bolero::check!().with_iterations(500);
    target.with_type::<Token>().for_each(|token: &Token| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.expect("a time").as_secs();
        let member = |(name, given): &(Name, Given)| (name.get().to_owned(), given.value(now));
        let header = match &token.header {
            Some(header) => header.iter().map(member).collect(),
            None => vec![("alg".to_owned(), json!("HS256"))],
        };
        let mut claims: Vec<(String, Value)> = token.claims.iter().flatten().map(member).collect();
        if !matches!(token.fault, Some(Fault::NoEnd)) {
            claims.push(("exp".to_owned(), json!(now + 3_600)));
        }
        if !matches!(token.fault, Some(Fault::NoUser)) {
            claims.push(("sub".to_owned(), json!("ana")));
        }
        let segments = [&header, &claims].map(|members| base64url(object(members).as_bytes()));
        let signed = segments.join(".");
        let signature = match &token.fault {
            Some(Fault::OtherSecret) => hmac(&[b'x'; 32], signed.as_bytes()),
            Some(Fault::OtherSignature(bytes)) => bytes.clone(),
            _ => hmac(SECRET, signed.as_bytes()),
        };
        let whole = format!("{signed}.{}", base64url(&signature));
        let mut bytes = whole.clone().into_bytes();
        if let Some(Fault::Altered(at, to)) = token.fault {
            let at = usize::from(at) % bytes.len();
            bytes[at] = to;
        }
        let sent = String::from_utf8_lossy(&bytes);
        let found = owner(&sent, token.is_strict);

        let is_signed = sent == whole && signature == hmac(SECRET, signed.as_bytes());
        let believed = unrepeated(&claims)
            .filter(|_| is_signed && sent.len() <= TOKEN_BYTES_MAX)
            .and_then(|claims| expected(&claims, token.is_strict, now));
        match is_ours(&header) {
            Some(true) => assert_eq!(found, believed, "{sent}"),
            Some(false) => assert_eq!(found, None, "{sent}"),
            None => assert!(found.is_none() || found == believed, "{sent}"),
        }
    });
}

#[test]
fn a_text_that_is_no_token_is_refused() {
    let target = bolero::check!().with_iterations(1_000);
    target.for_each(|input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        if owner(&text, false).is_some() {
            let (signed, signature) = text.rsplit_once('.').expect("three parts");
            assert_eq!(signature, base64url(&hmac(SECRET, signed.as_bytes())));
        }
    });
}
