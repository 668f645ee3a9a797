//! The fields of a part of a delivery, read one by one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

use crate::private::Private;

/// Most bytes of a text. The platform lets customers write 65,536 characters; what is longer is nobody's message.
const TEXT_BYTES_MAX: usize = 256 << 10;
/// Most bytes of what is no text of a customer's.
const SHORT_BYTES_MAX: usize = 1024;
/// The last second of the year 9999.
const TIMESTAMP_MAX: i64 = 253_402_300_799;

/// Why a part cannot be read: its field, and what is wrong with it. Never what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The field's name, as the platform documents it.
    pub field: Cow<'static, str>,
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    Missing,
    /// Of another type, too long, or not what such a field holds.
    NotReadable,
}

impl Fault {
    pub(super) const fn missing(field: &'static str) -> Self {
        Self {
            field: Cow::Borrowed(field),
            problem: Problem::Missing,
        }
    }

    pub(super) const fn not_readable(field: &'static str) -> Self {
        Self {
            field: Cow::Borrowed(field),
            problem: Problem::NotReadable,
        }
    }
}

/// An object of a delivery.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(&'a Value);

impl<'a> Fields<'a> {
    pub(super) fn whole(json: &'a Value) -> Result<Self, Fault> {
        match json {
            Value::Object(_) => Ok(Self(json)),
            _ => Err(Fault::not_readable("messages")),
        }
    }

    /// The object that a field holds.
    pub(super) fn of(json: &'a Value, key: &'static str) -> Result<Self, Fault> {
        match &json[key] {
            object @ Value::Object(_) => Ok(Self(object)),
            Value::Null => Err(Fault::missing(key)),
            _ => Err(Fault::not_readable(key)),
        }
    }

    pub(super) fn object(self, key: &'static str) -> Result<Self, Fault> {
        Self::of(self.0, key)
    }

    pub(super) fn optional(self, key: &'static str) -> Result<Option<Self>, Fault> {
        match &self.0[key] {
            Value::Null => Ok(None),
            _ => Self::of(self.0, key).map(Some),
        }
    }

    /// The elements of an array; none where there is no array.
    pub(super) fn list(self, key: &'static str) -> Result<&'a [Value], Fault> {
        match &self.0[key] {
            Value::Array(list) => Ok(list),
            Value::Null => Ok(&[]),
            _ => Err(Fault::not_readable(key)),
        }
    }

    /// A text that must be there, and may be empty.
    pub(super) fn text(self, key: &'static str) -> Result<&'a str, Fault> {
        self.optional_text_as_it_is(key)?.ok_or(Fault::missing(key))
    }

    /// A text; none where it is empty, as the platform writes it for what it does not know.
    pub(super) fn optional_text(self, key: &'static str) -> Result<Option<&'a str>, Fault> {
        let text = self.optional_text_as_it_is(key)?;
        Ok(text.filter(|text| !text.is_empty()))
    }

    fn optional_text_as_it_is(self, key: &'static str) -> Result<Option<&'a str>, Fault> {
        match &self.0[key] {
            Value::Null => Ok(None),
            Value::String(text) if text.len() <= TEXT_BYTES_MAX => Ok(Some(text)),
            _ => Err(Fault::not_readable(key)),
        }
    }

    /// A code or a name of the platform's.
    pub(super) fn optional_short(self, key: &'static str) -> Result<Option<&'a str>, Fault> {
        match self.optional_text(key)? {
            Some(text) if text.len() > SHORT_BYTES_MAX => Err(Fault::not_readable(key)),
            text => Ok(text),
        }
    }

    pub(super) fn private(self, key: &'static str) -> Result<Private, Fault> {
        self.text(key).map(Private::new)
    }

    pub(super) fn optional_private(self, key: &'static str) -> Result<Option<Private>, Fault> {
        Ok(self.optional_text(key)?.map(Private::new))
    }

    pub(super) fn flag(self, key: &'static str) -> Result<bool, Fault> {
        match &self.0[key] {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(Fault::not_readable(key)),
        }
    }

    /// A finite number, which may be written as a text.
    pub(super) fn number(self, key: &'static str) -> Result<f64, Fault> {
        let number = match &self.0[key] {
            Value::Null => return Err(Fault::missing(key)),
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        number
            .filter(|number| number.is_finite())
            .ok_or(Fault::not_readable(key))
    }

    pub(super) fn whole_number(self, key: &'static str) -> Result<i64, Fault> {
        let number = match &self.0[key] {
            Value::Null => return Err(Fault::missing(key)),
            Value::Number(number) => number.as_i64(),
            Value::String(text) if text.len() <= 20 => text.parse().ok(),
            _ => None,
        };
        number.ok_or(Fault::not_readable(key))
    }

    /// Seconds since 1970.
    pub(super) fn time(self, key: &'static str) -> Result<OffsetDateTime, Fault> {
        let seconds = self.whole_number(key)?;
        let fits = (0..=TIMESTAMP_MAX).contains(&seconds);
        let time = OffsetDateTime::from_unix_timestamp(seconds).ok();
        time.filter(|_| fits).ok_or(Fault::not_readable(key))
    }
}
