//! A part of a message, and why it is refused.

use serde_json::{Map, Value, json};

/// An error of the Graph API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    pub(crate) details: String,
}

impl Refusal {
    pub(crate) fn new(code: i64, details: &str) -> Self {
        Self {
            code,
            details: details.to_owned(),
        }
    }

    pub(crate) fn status(&self) -> u16 {
        match self.code {
            0 | 190 => 401,
            10 | 200..=299 | 368 | 131_005 | 131_031 => 403,
            132_001 => 404,
            4 | 80_007 | 130_429 => 429,
            131_000 => 500,
            131_016 => 503,
            _ => 400,
        }
    }

    /// As the platform documents error bodies.
    pub(crate) fn body(&self) -> Value {
        json!({ "error": {
            "message": format!("(#{}) refused", self.code),
            "type": "OAuthException",
            "code": self.code,
            "error_data": { "messaging_product": "whatsapp", "details": self.details },
            "fbtrace_id": "simulated",
        } })
    }
}

pub(super) fn invalid(field: &str) -> Refusal {
    Refusal::new(131_009, field)
}

/// An object with fields.
#[derive(Clone, Copy)]
pub(super) struct Part<'a>(&'a Map<String, Value>);

impl<'a> Part<'a> {
    pub(super) fn whole(json: &'a Value) -> Result<Self, Refusal> {
        json.as_object()
            .map(Self)
            .ok_or(Refusal::new(100, "the body is no object"))
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// No other fields than these.
    pub(super) fn only(self, keys: &[&str]) -> Result<(), Refusal> {
        match self.0.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(key) => Err(Refusal::new(100, &format!("unexpected key {key}"))),
            None => Ok(()),
        }
    }

    pub(super) fn object(self, key: &str) -> Result<Self, Refusal> {
        let value = self.0.get(key).ok_or(Refusal::new(131_008, key))?;
        value.as_object().map(Self).ok_or(invalid(key))
    }

    /// The objects of an array, from `least` to `most`.
    pub(super) fn objects(
        self,
        key: &str,
        least: usize,
        most: usize,
    ) -> Result<Vec<Self>, Refusal> {
        let value = self.0.get(key).ok_or(Refusal::new(131_008, key))?;
        let parts = value.as_array().ok_or(invalid(key))?;
        if !(least..=most).contains(&parts.len()) {
            return Err(invalid(key));
        }
        let parts = parts
            .iter()
            .map(|part| part.as_object().map(Self).ok_or(invalid(key)));
        parts.collect()
    }

    /// A text of 1 to `most` characters that is not blank.
    pub(super) fn text(self, key: &str, most: usize) -> Result<&'a str, Refusal> {
        self.optional_text(key, most)?
            .ok_or(Refusal::new(131_008, key))
    }

    pub(super) fn optional_text(self, key: &str, most: usize) -> Result<Option<&'a str>, Refusal> {
        let Some(value) = self.0.get(key) else {
            return Ok(None);
        };
        let text = value.as_str().ok_or(invalid(key))?;
        // The strictest reading of what a character is.
        let is_long = text.encode_utf16().count() > most;
        if text.trim().is_empty() || is_long {
            return Err(invalid(key));
        }
        Ok(Some(text))
    }

    pub(super) fn flag(self, key: &str) -> Result<bool, Refusal> {
        match self.0.get(key) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or(invalid(key)),
        }
    }
}
