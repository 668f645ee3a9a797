//! Who may have the trace of an answer.

use crate::{Environment, SettingError};

/// Whose requests may have a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traces {
    Nobodys,
    Staffs,
    Everybodys,
}

impl Traces {
    /// Reads `AGENT_TRACE`; the staff's alone where it is not set.
    ///
    /// # Errors
    /// [`SettingError::Invalid`].
    pub fn from_environment(environment: &Environment<'_>) -> Result<Self, SettingError> {
        match environment.text("AGENT_TRACE").as_deref() {
            None | Some("staff") => Ok(Self::Staffs),
            Some("off") => Ok(Self::Nobodys),
            Some("all") => Ok(Self::Everybodys),
            Some(_) => Err(SettingError::Invalid {
                name: "AGENT_TRACE",
                expected: "off, staff or all",
            }),
        }
    }

    /// Whether somebody may have one.
    #[must_use]
    pub fn allow(self, is_staff: bool) -> bool {
        match self {
            Self::Nobodys => false,
            Self::Staffs => is_staff,
            Self::Everybodys => true,
        }
    }
}
