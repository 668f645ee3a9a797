//! Who calls: only a signed token identifies the caller.

#[cfg(test)]
mod fuzz;
mod jwks;

use std::time::Duration;

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use mostrador_core::ids::Owner;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::{Environment, SettingError, strict_claims::StrictClaims};
use jwks::{KeySet, KeysUnavailable};

/// Longest token read, in bytes; real ones are well under 4 KB.
const TOKEN_BYTES_MAX: usize = 8 * 1024;
/// Clocks may differ by so much.
const LEEWAY_SECONDS: u64 = 30;
/// Shortest secret taken: as long as the hash.
const SECRET_BYTES_MIN: usize = 32;

/// Why a token identifies nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is not one of ours, whatever is wrong with it.
    #[error("the token is not valid")]
    Invalid,
    /// It may be one of ours: the identity provider does not give the key that it names.
    #[error("the identity provider does not answer")]
    KeysUnavailable { retry_after_seconds: u64 },
}

/// How tokens are checked.
#[derive(Debug, Clone)]
pub struct TokenSettings {
    pub secret: Option<SecretString>,
    pub jwks_url: Option<String>,
    pub issuer: Option<String>,
    pub audience: Option<String>,
    /// The claim that names the user.
    pub subject_claim: String,
    /// The claim that is, or holds, `staff` where the user is of the shop's.
    pub staff_claim: String,
}

/// The caller that a token identifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub owner: Owner,
    pub is_staff: bool,
}

/// The claim that marks the shop's own people.
const STAFF: &str = "staff";

impl TokenSettings {
    /// Reads `JWT_SECRET` or `JWT_JWKS_URL`, `JWT_ISSUER`, `JWT_AUDIENCE`, `JWT_SUBJECT_CLAIM` and
    /// `JWT_STAFF_CLAIM`.
    ///
    /// # Errors
    /// [`SettingError`] where there is no key, or a secret too short to be one.
    pub fn from_environment(environment: &Environment<'_>) -> Result<Self, SettingError> {
        let secret = environment.text("JWT_SECRET");
        let jwks_url = environment.text("JWT_JWKS_URL");
        if secret.is_none() && jwks_url.is_none() {
            return Err(SettingError::Missing {
                name: "JWT_SECRET",
                why: "tokens are checked with it, or with JWT_JWKS_URL",
            });
        }
        if secret
            .as_ref()
            .is_some_and(|secret| secret.len() < SECRET_BYTES_MIN)
        {
            return Err(SettingError::Invalid {
                name: "JWT_SECRET",
                expected: "at least 32 bytes long",
            });
        }
        Ok(Self {
            secret: secret.map(SecretString::from),
            jwks_url,
            issuer: environment.text("JWT_ISSUER"),
            audience: environment.text("JWT_AUDIENCE"),
            subject_claim: environment
                .text("JWT_SUBJECT_CLAIM")
                .unwrap_or_else(|| "sub".to_owned()),
            staff_claim: environment
                .text("JWT_STAFF_CLAIM")
                .unwrap_or_else(|| "role".to_owned()),
        })
    }
}

/// Checks tokens. The algorithm comes from the key that is configured, never from the token.
pub struct Authenticator {
    keys: Keys,
    settings: TokenSettings,
}

enum Keys {
    Secret(DecodingKey),
    Published(KeySet),
    /// Without a key no token is valid.
    None,
}

impl Authenticator {
    #[must_use]
    pub fn new(settings: TokenSettings) -> Self {
        let keys = match (&settings.jwks_url, &settings.secret) {
            (Some(url), _) => Keys::Published(KeySet::new(url.clone(), Duration::from_secs(5))),
            (None, Some(secret)) => {
                Keys::Secret(DecodingKey::from_secret(secret.expose_secret().as_bytes()))
            }
            (None, None) => Keys::None,
        };
        Self { keys, settings }
    }

    /// The caller that `token` identifies.
    ///
    /// # Errors
    /// [`TokenError::Invalid`] for any token that is not wholly in order.
    pub async fn identify(&self, token: &str) -> Result<Identity, TokenError> {
        if token.len() > TOKEN_BYTES_MAX || token.split('.').count() != 3 {
            return Err(TokenError::Invalid);
        }
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        // We understand no critical extension, so a token that needs one is not for us (RFC 7515, 4.1.11).
        if header.crit.is_some() {
            return Err(TokenError::Invalid);
        }
        match &self.keys {
            Keys::Secret(key) => self.check(token, key, Algorithm::HS256),
            Keys::Published(keys) => {
                let found = keys.find(header.kid.as_deref()).await;
                let found = found.map_err(
                    |KeysUnavailable {
                         retry_after_seconds,
                     }| TokenError::KeysUnavailable {
                        retry_after_seconds,
                    },
                )?;
                let (key, algorithm) = found.ok_or(TokenError::Invalid)?;
                self.check(token, &key, algorithm)
            }
            Keys::None => Err(TokenError::Invalid),
        }
    }

    fn check(
        &self,
        token: &str,
        key: &DecodingKey,
        algorithm: Algorithm,
    ) -> Result<Identity, TokenError> {
        let mut validation = Validation::new(algorithm);
        validation.leeway = LEEWAY_SECONDS;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp"]);
        match &self.settings.audience {
            Some(audience) => {
                validation.set_audience(&[audience]);
                validation.required_spec_claims.insert("aud".to_owned());
            }
            None => validation.validate_aud = false,
        }
        if let Some(issuer) = &self.settings.issuer {
            validation.set_issuer(&[issuer]);
            validation.required_spec_claims.insert("iss".to_owned());
        }
        let StrictClaims(claims) = decode::<StrictClaims>(token, key, &validation)
            .map_err(|_| TokenError::Invalid)?
            .claims;
        // The library forgives times that are not whole numbers; we do not.
        let whole = |name: &str, required: bool| match claims.get(name) {
            None => !required,
            Some(value) => value.is_u64(),
        };
        if !whole("exp", true) || !whole("nbf", false) {
            return Err(TokenError::Invalid);
        }
        let user = match claims.get(&self.settings.subject_claim) {
            Some(Value::String(user)) => user.clone(),
            Some(Value::Number(id)) if id.is_u64() => id.to_string(),
            _ => return Err(TokenError::Invalid),
        };
        let tenant = match claims.get("tenant") {
            None => "default",
            Some(Value::String(tenant)) => tenant,
            Some(_) => return Err(TokenError::Invalid),
        };
        let is_staff = match claims.get(&self.settings.staff_claim) {
            Some(Value::String(role)) => role == STAFF,
            Some(Value::Array(roles)) => roles.iter().any(|role| role == STAFF),
            _ => false,
        };
        let owner = Owner::new(tenant, &user).map_err(|_| TokenError::Invalid)?;
        Ok(Identity { owner, is_staff })
    }
}
