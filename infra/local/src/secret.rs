//! The key that local tokens are signed with, and the tokens.

use std::io::stdout;
use std::{io::Write, path::Path};

use anyhow::Context;
use jsonwebtoken::{EncodingKey, Header, encode};
use mostrador_wiring::Read;
use rand::Rng;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{
    cli::TokenOptions,
    stores::{DEFAULT_DATA_DIR, variable},
};

/// The shortest secret that the authenticator takes.
const SECRET_BYTES_MIN: usize = 32;

/// `JWT_SECRET`, or the data folder's own, made at its first use; without a folder, one for this run.
pub fn secret(data_dir: Option<&Path>) -> anyhow::Result<SecretString> {
    if let Ok(secret) = std::env::var("JWT_SECRET") {
        anyhow::ensure!(
            secret.len() >= SECRET_BYTES_MIN,
            "JWT_SECRET is shorter than {SECRET_BYTES_MIN} bytes"
        );
        return Ok(secret.into());
    }
    let Some(data_dir) = data_dir else {
        return Ok(fresh());
    };
    let path = data_dir.join("jwt-secret");
    match std::fs::read_to_string(&path) {
        Ok(secret) if secret.trim().len() >= SECRET_BYTES_MIN => Ok(secret.trim().into()),
        Ok(_) => anyhow::bail!(
            "{} holds no secret: delete it to have a new one made",
            path.display()
        ),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let secret = fresh();
            std::fs::create_dir_all(data_dir)
                .with_context(|| format!("{} cannot be made", data_dir.display()))?;
            write_private(&path, secret.expose_secret())
                .with_context(|| format!("{} cannot be written", path.display()))?;
            Ok(secret)
        }
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// The process's settings, with this secret; on one's own machine everybody may have a trace, unless it is set otherwise.
#[must_use]
pub fn settings(secret: &SecretString) -> Box<Read> {
    let secret = secret.clone();
    Box::new(move |name| match name {
        "JWT_SECRET" => Some(secret.expose_secret().to_owned()),
        "AGENT_TRACE" => variable(name).or_else(|| Some("all".to_owned())),
        other => variable(other),
    })
}

fn fresh() -> SecretString {
    rand::rng()
        .sample_iter(rand::distr::Alphanumeric)
        .take(48)
        .map(char::from)
        .collect::<String>()
        .into()
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

/// A customer's token, good for `hours`.
pub fn token(secret: &SecretString, subject: &str, hours: i64) -> anyhow::Result<String> {
    signed(secret, &claims(subject, hours))
}

/// A token of one of the shop's staff.
pub(crate) fn staff_token(
    secret: &SecretString,
    subject: &str,
    hours: i64,
) -> anyhow::Result<String> {
    let mut claims = claims(subject, hours);
    claims[claim("JWT_STAFF_CLAIM", "role")] = json!("staff");
    signed(secret, &claims)
}

fn claims(subject: &str, hours: i64) -> Value {
    let expires_at = time::OffsetDateTime::now_utc().unix_timestamp() + hours * 3_600;
    json!({claim("JWT_SUBJECT_CLAIM", "sub"): subject, "exp": expires_at})
}

/// What the authenticator calls a claim.
fn claim(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_owned())
}

fn signed(secret: &SecretString, claims: &Value) -> anyhow::Result<String> {
    let key = EncodingKey::from_secret(secret.expose_secret().as_bytes());
    Ok(encode(&Header::default(), claims, &key)?)
}

pub(crate) fn print_token(options: &TokenOptions) -> anyhow::Result<()> {
    let data_dir = options
        .data_dir
        .clone()
        .unwrap_or_else(|| DEFAULT_DATA_DIR.into());
    let sign = if options.staff { staff_token } else { token };
    let token = sign(&secret(Some(&data_dir))?, &options.name, options.hours)?;
    writeln!(stdout(), "{token}")?;
    Ok(())
}
