//! An identity provider's published keys: RS256 and ES256, and no confusion between them and a secret.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der},
    rand::SystemRandom,
    rsa::{KeyPair, KeySize},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use axum::{Router, http::StatusCode, routing::get};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, crypto::sign, jwk::Jwk};
use serde_json::{Value, json};

use crate::harness::{Answer, Setup, Shop, all_at_once, forged, in_seconds, serve, token};

/// A place that counts how often it is asked.
pub(crate) struct Counted {
    pub(crate) url: String,
    count: Arc<AtomicUsize>,
    is_down: Arc<AtomicBool>,
}

impl Counted {
    pub(crate) fn start() -> Self {
        Self::giving("{\"keys\": []}".to_owned())
    }

    fn giving(text: String) -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let is_down = Arc::new(AtomicBool::new(false));
        let (counter, down) = (Arc::clone(&count), Arc::clone(&is_down));
        let router = Router::new().fallback(get(async move || {
            counter.fetch_add(1, Ordering::SeqCst);
            if down.load(Ordering::SeqCst) {
                Err(StatusCode::BAD_GATEWAY)
            } else {
                Ok(text.clone())
            }
        }));
        Self {
            url: serve(router),
            count,
            is_down,
        }
    }

    fn goes_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }

    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

/// A provider with a key of each kind.
struct Provider {
    rsa: EncodingKey,
    rsa_public: Vec<Vec<u8>>,
    elliptic: EncodingKey,
    set: Value,
}

/// In PKCS #8, a 2,048-bit RSA key stands after 26 bytes that say what it is.
const RSA_KEY_AT: usize = 26;

impl Provider {
    fn new() -> Self {
        let pair = KeyPair::generate(KeySize::Rsa2048).expect("an RSA key");
        let wrapped: Pkcs8V1Der<'_> = pair.as_der().expect("its encoding");
        let rsa = EncodingKey::from_rsa_der(&wrapped.as_ref()[RSA_KEY_AT..]);
        let wrapped =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let elliptic = EncodingKey::from_ec_der(wrapped.expect("a P-256 key").as_ref());
        let published = |key: &EncodingKey, algorithm, kid: &str| {
            let jwk = Jwk::from_encoding_key(key, algorithm).expect("a public key");
            let mut jwk = serde_json::to_value(jwk).expect("JSON");
            jwk["kid"] = json!(kid);
            jwk
        };
        let rsa_jwk = published(&rsa, Algorithm::RS256, "r1");
        let secret = BASE64_URL_SAFE_NO_PAD.encode(OCTETS);
        let set = json!({"keys": [
            rsa_jwk,
            published(&elliptic, Algorithm::ES256, "e1"),
            {"kty": "oct", "k": secret, "kid": "h1", "alg": "HS256"},
            {"kty": "from the future", "kid": "f1"},
        ]});
        // What an attacker may have taken for the secret: the public key in each of its spellings.
        let info: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("its encoding");
        let info = info.as_ref().to_vec();
        let text = BASE64_STANDARD.encode(&info);
        let lines: Vec<&str> = (0..text.len())
            .step_by(64)
            .map(|at| &text[at..text.len().min(at + 64)])
            .collect();
        let armoured = format!(
            "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----",
            lines.join("\n")
        );
        let modulus = rsa_jwk["n"].as_str().expect("a modulus");
        let rsa_public = vec![
            pair.public_key().as_ref().to_vec(),
            info,
            armoured.clone().into_bytes(),
            format!("{armoured}\n").into_bytes(),
            modulus.as_bytes().to_vec(),
            BASE64_URL_SAFE_NO_PAD.decode(modulus).expect("a modulus"),
            rsa_jwk.to_string().into_bytes(),
        ];
        Self {
            rsa,
            rsa_public,
            elliptic,
            set,
        }
    }

    /// A token with this header, signed by `key`.
    fn token(&self, header: &Value, key: &EncodingKey, algorithm: Algorithm) -> String {
        let claims = claims();
        let message = [&header.to_string(), &claims]
            .map(|part| BASE64_URL_SAFE_NO_PAD.encode(part))
            .join(".");
        let signature = sign(message.as_bytes(), key, algorithm).expect("a signature");
        format!("{message}.{signature}")
    }

    fn rs256(&self, kid: &str) -> String {
        self.token(
            &json!({"alg": "RS256", "kid": kid}),
            &self.rsa,
            Algorithm::RS256,
        )
    }
}

/// A symmetric key that has no business in a public set.
const OCTETS: &[u8] = b"a symmetric key in a public key set is public";

fn claims() -> String {
    json!({"sub": "mallory", "exp": in_seconds(600)}).to_string()
}

fn status(shop: &Shop, token: &str) -> u16 {
    let answer = shop.bearer("mallory", token).get("/api/agent/status/");
    if answer.status != 200 {
        answer.problem(401, "invalid_token");
    }
    answer.status
}

#[test]
fn published_keys_sign_and_nothing_else_does() {
    let provider = Provider::new();
    let set = Counted::giving(provider.set.to_string());
    let shop = Setup::new().set("JWT_JWKS_URL", &set.url).start();
    let elliptic = |header: Value| provider.token(&header, &provider.elliptic, Algorithm::ES256);
    let rsa = |header: Value, algorithm| provider.token(&header, &provider.rsa, algorithm);
    for good in [
        provider.rs256("r1"),
        elliptic(json!({"alg": "ES256", "kid": "e1", "typ": "JWT"})),
    ] {
        assert_eq!(status(&shop, &good), 200, "{good}");
    }

    let mut tokens = vec![
        // The shop's own secret counts no longer, and neither does a public one.
        token("mallory"),
        forged(r#"{"alg":"HS256","kid":"h1"}"#, &claims(), OCTETS),
        // Without a name it is not known which key is meant.
        rsa(json!({"alg": "RS256"}), Algorithm::RS256),
        // A key is of one kind, whatever the token claims.
        provider.rs256("e1"),
        elliptic(json!({"alg": "ES256", "kid": "r1"})),
        elliptic(json!({"alg": "RS256", "kid": "e1"})),
        rsa(json!({"alg": "ES256", "kid": "r1"}), Algorithm::RS256),
        rsa(json!({"alg": "RS512", "kid": "r1"}), Algorithm::RS512),
        rsa(json!({"alg": "PS256", "kid": "r1"}), Algorithm::PS256),
        provider.rs256("h1"),
        provider.rs256("f1"),
        provider.rs256("R1"),
        provider.rs256("../r1"),
        provider.rs256("r1").replace('.', ".."),
        Provider::new().rs256("r1"),
    ];
    for header in [
        json!({"alg": "none", "kid": "r1"}),
        json!({"alg": "RS256", "kid": "r1"}),
    ] {
        let token = rsa(header, Algorithm::RS256);
        let (message, _) = token.rsplit_once('.').expect("a signature");
        tokens.push(format!("{message}."));
    }
    for public in &provider.rsa_public {
        for kid in ["r1", "e1", "h1"] {
            let header = json!({"alg": "HS256", "typ": "JWT", "kid": kid}).to_string();
            tokens.push(forged(&header, &claims(), public));
        }
        tokens.push(forged(r#"{"alg":"HS256"}"#, &claims(), public));
    }
    let accepted = tokens
        .iter()
        .filter(|token| status(&shop, token) == 200)
        .count();
    println!("published keys: accepted {accepted}/{}", tokens.len());
    assert_eq!(accepted, 0);

    // A flood of unknown names is a flood for us, not for the provider.
    let outcomes = all_at_once(16, |thread| {
        (0..25)
            .map(|n| status(&shop, &provider.rs256(&format!("{thread}-{n}"))))
            .collect::<Vec<_>>()
    });
    assert!(outcomes.concat().iter().all(|status| *status == 401));
    let fetched = set.count();
    println!("published keys: 400 unknown names at once, fetched {fetched} times");
    assert!((1..=2).contains(&fetched), "{fetched}");
    assert_eq!(status(&shop, &provider.rs256("r1")), 200);
}

#[test]
fn a_single_key_needs_no_name() {
    let provider = Provider::new();
    let mut only = provider.set["keys"][0].clone();
    only.as_object_mut().expect("members").remove("kid");
    let set = Counted::giving(json!({"keys": [only]}).to_string());
    let shop = Setup::new().set("JWT_JWKS_URL", &set.url).start();
    let nameless = provider.token(&json!({"alg": "RS256"}), &provider.rsa, Algorithm::RS256);
    assert_eq!(status(&shop, &nameless), 200);
    assert_eq!(status(&shop, &provider.rs256("r1")), 401);
}

/// A provider that fails once kept everybody out for a minute.
#[test]
fn a_provider_that_is_down_makes_nobodys_token_invalid() {
    let provider = Provider::new();
    let set = Counted::giving(provider.set.to_string());
    set.goes_down(true);
    let shop = Setup::new().set("JWT_JWKS_URL", &set.url).start();
    let ask = |kid: &str| {
        shop.bearer("mallory", &provider.rs256(kid))
            .get("/api/agent/status/")
    };
    let wait = |answer: &Answer| -> u64 {
        answer.problem(503, "unavailable");
        let wait = answer.header("retry-after").expect("Retry-After");
        wait.parse().expect("seconds")
    };
    // Everybody at once is one question to the provider.
    let waits = all_at_once(16, |_| wait(&ask("r1")));
    assert_eq!((waits, set.count()), (vec![1; 16], 1));
    thread::sleep(Duration::from_millis(1_050));
    // Longer from failure to failure.
    assert_eq!((wait(&ask("r1")), set.count()), (2, 2));
    set.goes_down(false);
    assert_eq!((wait(&ask("r1")), set.count()), (2, 2));
    thread::sleep(Duration::from_millis(2_050));
    assert_eq!((ask("r1").status, set.count()), (200, 3));

    // What is known goes on being used, and who names what is not is refused: that has just been fetched.
    set.goes_down(true);
    assert_eq!(
        (ask("r1").status, ask("e9").status, set.count()),
        (200, 401, 3)
    );
}
