//! Who gives tokens to accounts of services.

use aws_lc_rs::{
    encoding::{AsDer, Pkcs8V1Der},
    error::Unspecified,
    rsa::{KeyPair, KeySize},
    signature::KeyPair as _,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::{Value, json};

const EMAIL: &str = "citas@salon.iam.gserviceaccount.com";
const KEY_ID: &str = "1";
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// The scopes by which events may be read and written.
const SCOPES: [&str; 2] = [
    "https://www.googleapis.com/auth/calendar.events",
    "https://www.googleapis.com/auth/calendar",
];
/// Longest that an assertion may be valid.
const ASSERTION_SECONDS: i64 = 3_600;

/// One account's key, and the tokens that were given for it.
pub(crate) struct Authority {
    token_url: String,
    private_key: String,
    public_key: DecodingKey,
    tokens: Vec<String>,
    granted: usize,
}

#[derive(Deserialize)]
struct Claims {
    scope: String,
    iat: i64,
    exp: i64,
}

impl Authority {
    /// # Errors
    /// Where no key can be made.
    pub(crate) fn new(token_url: String) -> Result<Self, Unspecified> {
        let pair = KeyPair::generate(KeySize::Rsa2048)?;
        let private: Pkcs8V1Der<'_> = pair.as_der()?;
        let text = BASE64_STANDARD.encode(private.as_ref());
        let mut pem = "-----BEGIN PRIVATE KEY-----\n".to_owned();
        for (number, c) in text.chars().enumerate() {
            if number > 0 && number % 64 == 0 {
                pem.push('\n');
            }
            pem.push(c);
        }
        pem.push_str("\n-----END PRIVATE KEY-----\n");
        Ok(Self {
            token_url,
            private_key: pem,
            public_key: DecodingKey::from_rsa_der(pair.public_key().as_ref()),
            tokens: Vec::new(),
            granted: 0,
        })
    }

    /// The file that an account is given.
    pub(crate) fn key_file(&self) -> Value {
        json!({
            "type": "service_account",
            "private_key_id": KEY_ID,
            "private_key": self.private_key,
            "client_email": EMAIL,
            "token_uri": self.token_url,
        })
    }

    /// How many tokens were given to the account.
    pub(crate) fn granted(&self) -> usize {
        self.granted
    }

    pub(crate) fn knows(&self, token: &str) -> bool {
        self.tokens.iter().any(|known| known == token)
    }

    pub(crate) fn revoke(&mut self) {
        self.tokens.clear();
    }

    /// A token, for somebody who needs no assertion.
    pub(crate) fn token(&mut self) -> String {
        let token = format!("local.{}", self.tokens.len() + 1000 * self.granted);
        self.tokens.push(token.clone());
        token
    }

    /// The answer to a form, or what is wrong with it.
    pub(crate) fn grant(&mut self, form: &[u8]) -> Result<Value, Value> {
        let refused = |error: &str, description: &str| {
            Err(json!({"error": error, "error_description": description}))
        };
        let field = |name: &str| {
            let mut fields = url::form_urlencoded::parse(form);
            let field = fields.find(|(field, _)| field == name);
            field.map(|(_, value)| value.into_owned())
        };
        if field("grant_type").as_deref() != Some(GRANT_TYPE) {
            return refused("unsupported_grant_type", "Invalid grant_type.");
        }
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_audience(&[&self.token_url]);
        validation.set_issuer(&[EMAIL]);
        validation.set_required_spec_claims(&["exp", "aud", "iss"]);
        let assertion = field("assertion").unwrap_or_default();
        let decoded = jsonwebtoken::decode::<Claims>(&assertion, &self.public_key, &validation);
        let Ok(decoded) = decoded else {
            return refused("invalid_grant", "Invalid JWT Signature.");
        };
        let Claims { scope, iat, exp } = decoded.claims;
        if decoded.header.kid.is_some_and(|kid| kid != KEY_ID) {
            return refused("invalid_grant", "Invalid JWT: key is unknown.");
        }
        if exp - iat > ASSERTION_SECONDS {
            return refused("invalid_grant", "Invalid JWT: it is valid for too long.");
        }
        if !scope.split(' ').any(|scope| SCOPES.contains(&scope)) {
            return refused("invalid_scope", "Invalid OAuth scope.");
        }
        self.granted += 1;
        let token = self.token();
        Ok(json!({"access_token": token, "expires_in": 3599, "token_type": "Bearer"}))
    }
}
