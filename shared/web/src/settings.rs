//! Settings from the environment, with errors that name the variable.

use std::{str::FromStr, time::Duration};

use mostrador_core::price::Total;

/// A variable that does not hold what it should.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("{name} is not set: {why}")]
    Missing {
        name: &'static str,
        why: &'static str,
    },
    #[error("{name} is not {expected}")]
    Invalid {
        name: &'static str,
        expected: &'static str,
    },
}

/// Where variables are read from; a function so that tests need not touch the process's own.
pub struct Environment<'a>(&'a dyn Fn(&str) -> Option<String>);

impl<'a> Environment<'a> {
    #[must_use]
    pub fn new(read: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self(read)
    }

    /// The variable, unless it is unset or blank.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        (self.0)(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    }

    /// # Errors
    /// [`SettingError::Missing`].
    pub fn required(&self, name: &'static str, why: &'static str) -> Result<String, SettingError> {
        self.text(name).ok_or(SettingError::Missing { name, why })
    }

    /// # Errors
    /// [`SettingError::Invalid`] where it is set and not of its type.
    pub fn parsed<T: FromStr>(
        &self,
        name: &'static str,
        default: T,
        expected: &'static str,
    ) -> Result<T, SettingError> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|_| SettingError::Invalid { name, expected }),
        }
    }

    /// A number of seconds, where it is set.
    ///
    /// # Errors
    /// [`SettingError::Invalid`] where it is set and no whole number above zero.
    pub fn seconds(&self, name: &'static str) -> Result<Option<Duration>, SettingError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let seconds = text.parse().ok().filter(|seconds| *seconds > 0);
        let expected = "a number of seconds above zero";
        let invalid = SettingError::Invalid { name, expected };
        seconds.map(Duration::from_secs).map(Some).ok_or(invalid)
    }

    /// An amount of money, where it is set.
    ///
    /// # Errors
    /// [`SettingError::Invalid`] where it is set and not an amount.
    pub fn amount(&self, name: &'static str) -> Result<Option<Total>, SettingError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let expected = "an amount such as 5000 or 5000.00";
        let amount = Total::parse(&text).map_err(|_| SettingError::Invalid { name, expected })?;
        Ok(Some(amount))
    }

    /// # Errors
    /// [`SettingError::Invalid`] where it is set and not a boolean.
    pub fn flag(&self, name: &'static str, default: bool) -> Result<bool, SettingError> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => mostrador_core::turn::flag(&text.into()).ok_or(SettingError::Invalid {
                name,
                expected: "true or false",
            }),
        }
    }
}

fn process(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Environment<'static> {
    /// The process's own environment.
    #[must_use]
    pub fn of_process() -> Self {
        Self(&process)
    }
}
