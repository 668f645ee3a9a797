//! Tokens, good and forged.

use std::{
    sync::LazyLock,
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, crypto::sign};
use serde_json::{Value, json};

use super::stack::stack;

/// The secret that the tests' servers check tokens with, or the stack.
pub(crate) static SECRET: LazyLock<String> = LazyLock::new(|| match stack() {
    Some(stack) => stack.jwt_secret.clone(),
    None => "a secret for tests only, longer than 32 bytes".to_owned(),
});

/// A good token for `user`.
pub(crate) fn token(user: &str) -> String {
    signed(&json!({"sub": user, "exp": in_seconds(3_600)}))
}

/// A token with these claims, signed as it should be.
pub(crate) fn signed(claims: &Value) -> String {
    forged(
        r#"{"alg":"HS256","typ":"JWT"}"#,
        &claims.to_string(),
        SECRET.as_bytes(),
    )
}

/// A token of these two texts, whatever they say, with an HS256 signature by `secret`.
pub(crate) fn forged(header: &str, claims: &str, secret: &[u8]) -> String {
    let parts = [header, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
    let message = parts.join(".");
    let key = EncodingKey::from_secret(secret);
    let signature = sign(message.as_bytes(), &key, Algorithm::HS256).expect("a signature");
    format!("{message}.{signature}")
}

/// Seconds since 1970, so many from now.
pub(crate) fn in_seconds(seconds: i64) -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    i64::try_from(since.as_secs()).expect("this century") + seconds
}
