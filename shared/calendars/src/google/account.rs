//! An account of a service, by whose key Google's API is used.

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use mostrador_core::booking::RemoteError;
use reqwest::{
    Method, StatusCode, Url,
    header::{CONTENT_TYPE, IF_MATCH},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    sync::Mutex,
    time::{Duration, Instant},
};

use crate::{
    Patience,
    http::{Answer, Caller},
};

/// Events may be read and written, and nothing else.
const SCOPE: &str = "https://www.googleapis.com/auth/calendar.events";
/// Longest that Google lets an assertion be valid.
const ASSERTION_SECONDS: i64 = 3_600;
/// So long before its end a token is no longer used.
const TOKEN_MARGIN: Duration = Duration::from_secs(120);
/// The reasons of a refusal that passes.
const BUSY: [&str; 3] = [
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "quotaExceeded",
];

/// What is no key of a service's account, or no address of Google's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no key of a service account, or no address")]
pub struct InvalidAccount;

/// An account of a service. Its token is shared by all calendars that are used by it.
pub struct GoogleAccount {
    caller: Caller,
    base: Url,
    token_url: Url,
    client_email: String,
    key_id: Option<String>,
    key: EncodingKey,
    token: Mutex<Option<Token>>,
}

/// A call of the API.
pub(super) struct Call<'a> {
    pub(super) method: Method,
    pub(super) url: &'a Url,
    /// The version that it is for.
    pub(super) if_match: Option<&'a str>,
    pub(super) body: Option<&'a Value>,
}

impl<'a> Call<'a> {
    pub(super) fn get(url: &'a Url) -> Self {
        Self {
            method: Method::GET,
            url,
            if_match: None,
            body: None,
        }
    }
}

struct Token {
    text: SecretString,
    until: Instant,
}

/// The file that Google gives for an account, so far as it is used.
#[derive(Deserialize)]
struct KeyFile {
    client_email: String,
    private_key: SecretString,
    private_key_id: Option<String>,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

#[derive(Deserialize)]
struct Granted {
    access_token: SecretString,
    expires_in: u64,
}

impl GoogleAccount {
    /// Where Google's own API is.
    pub const BASE_URL: &str = "https://www.googleapis.com/calendar/v3";
    /// Where Google gives tokens.
    pub const TOKEN_URL: &str = "https://oauth2.googleapis.com/token";

    /// The account of a key file, with the addresses of Google's API and of its tokens. An address in the file is not used: a file from
    /// elsewhere would have assertions sent there.
    ///
    /// # Errors
    /// [`InvalidAccount`].
    pub fn new(
        key_file: &SecretString,
        base_url: &str,
        token_url: &str,
        patience: Patience,
    ) -> Result<Self, InvalidAccount> {
        let file: KeyFile =
            serde_json::from_str(key_file.expose_secret()).map_err(|_| InvalidAccount)?;
        let key = EncodingKey::from_rsa_pem(file.private_key.expose_secret().as_bytes());
        let address = |text: &str| {
            let url = Url::parse(text).ok();
            let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
            url.ok_or(InvalidAccount)
        };
        Ok(Self {
            caller: Caller::new(patience).ok_or(InvalidAccount)?,
            base: address(base_url)?,
            token_url: address(token_url)?,
            client_email: file.client_email,
            key_id: file.private_key_id,
            key: key.map_err(|_| InvalidAccount)?,
            token: Mutex::new(None),
        })
    }

    pub(super) fn address(&self, parts: &[&str]) -> Result<Url, InvalidAccount> {
        let mut url = self.base.clone();
        let path = url.path_segments_mut();
        path.map_err(|()| InvalidAccount)?
            .pop_if_empty()
            .extend(parts);
        Ok(url)
    }

    /// Calls the API with a token; with another one, where a kept one is not taken any more.
    pub(super) async fn call(&self, call: &Call<'_>) -> Result<Answer, RemoteError> {
        let (token, is_new) = self.token(None).await?;
        let answer = self.call_with(&token, call).await?;
        if answer.status != StatusCode::UNAUTHORIZED || is_new {
            return Ok(answer);
        }
        let (token, _) = self.token(Some(&token)).await?;
        self.call_with(&token, call).await
    }

    async fn call_with(
        &self,
        token: &SecretString,
        call: &Call<'_>,
    ) -> Result<Answer, RemoteError> {
        let with = |mut request: reqwest::RequestBuilder| {
            request = request.bearer_auth(token.expose_secret());
            if let Some(version) = call.if_match {
                request = request.header(IF_MATCH, version);
            }
            match call.body {
                Some(body) => request.json(body),
                None => request,
            }
        };
        self.caller
            .call(&call.method, call.url, with, is_busy)
            .await
    }

    /// A token, and whether it is new; another one than `refused`. Callers that come meanwhile wait for the same.
    async fn token(
        &self,
        refused: Option<&SecretString>,
    ) -> Result<(SecretString, bool), RemoteError> {
        let mut kept = self.token.lock().await;
        let is_refused = |token: &Token| {
            refused.is_some_and(|it| it.expose_secret() == token.text.expose_secret())
        };
        let good = kept
            .as_ref()
            .filter(|token| Instant::now() < token.until && !is_refused(token));
        if let Some(token) = good {
            return Ok((token.text.clone(), false));
        }
        let granted = self.grant().await?;
        let lasting = Duration::from_secs(granted.expires_in).saturating_sub(TOKEN_MARGIN);
        let text = granted.access_token;
        *kept = Some(Token {
            text: text.clone(),
            until: Instant::now() + lasting,
        });
        Ok((text, true))
    }

    async fn grant(&self) -> Result<Granted, RemoteError> {
        let now = Timestamp::now().as_second();
        let claims = Claims {
            iss: &self.client_email,
            scope: SCOPE,
            aud: self.token_url.as_str(),
            iat: now,
            exp: now + ASSERTION_SECONDS,
        };
        let header = Header {
            kid: self.key_id.clone(),
            ..Header::new(Algorithm::RS256)
        };
        let assertion = jsonwebtoken::encode(&header, &claims, &self.key);
        let assertion = assertion.map_err(|_| RemoteError::Refused { status: 401 })?;
        // It has nothing that would have to be written otherwise in a form.
        let body = format!(
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}"
        );
        let with = |request: reqwest::RequestBuilder| {
            let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            request.body(body.clone())
        };
        let call = self
            .caller
            .call(&Method::POST, &self.token_url, with, |_| false);
        let answer = call.await?;
        if !answer.status.is_success() {
            return Err(answer.refused());
        }
        let granted = answer.json();
        granted.ok_or_else(|| RemoteError::Unreadable("it gives no token".to_owned()))
    }
}

/// Whether a refusal is for too many calls.
fn is_busy(answer: &Answer) -> bool {
    if answer.status != StatusCode::FORBIDDEN {
        return false;
    }
    let json: Value = answer.json().unwrap_or_default();
    let errors = json["error"]["errors"].as_array();
    let mut reasons = errors.into_iter().flatten().map(|error| &error["reason"]);
    reasons.any(|reason| reason.as_str().is_some_and(|reason| BUSY.contains(&reason)))
}
