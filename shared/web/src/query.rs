//! The query string, read leniently.

use serde_json::Value;
use url::form_urlencoded;

use crate::Problem;

/// The parameters of a request; of a repeated one the first counts.
#[derive(Debug, Clone, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    #[must_use]
    pub fn parse(query: Option<&str>) -> Self {
        Self(
            form_urlencoded::parse(query.unwrap_or_default().as_bytes())
                .into_owned()
                .collect(),
        )
    }

    /// A parameter's text, unless it is blank.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given(name)
            .map(str::trim)
            .filter(|value| !value.is_empty())
    }

    /// A parameter as it was given.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(key, _)| key == name)?;
        Some(value)
    }

    /// A parameter that must be a whole number if it is there, nothing else.
    ///
    /// # Errors
    /// [`Problem::InvalidRequest`].
    pub fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let read = |text: &str| {
            digits(text).ok_or_else(|| Problem::invalid(format!("`{name}` is not a number")))
        };
        self.given(name).map(read).transpose()
    }

    /// How many are wanted, from 1 to `most`.
    ///
    /// # Errors
    /// [`Problem::InvalidRequest`].
    pub fn size(&self, name: &str, most: usize) -> Result<Option<usize>, Problem> {
        let wanted = self.number(name)?;
        Ok(wanted.map(|n| usize::try_from(n).unwrap_or(most).clamp(1, most)))
    }

    /// The parameters whose names begin with `prefix`, by the rest of their names, unless they are blank.
    pub fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let all = self.0.iter();
        all.filter_map(move |(name, value)| {
            let rest = name.strip_prefix(prefix)?;
            Some((rest, value.trim())).filter(|(_, value)| !value.is_empty())
        })
    }

    /// A parameter as the JSON string that hints are read from.
    #[must_use]
    pub fn hint(&self, name: &str) -> Option<Value> {
        self.text(name).map(Value::from)
    }
}

/// A whole number of at most sixteen digits, and nothing else.
#[must_use]
pub fn digits(text: &str) -> Option<u64> {
    let digits = text.len() <= 16 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
