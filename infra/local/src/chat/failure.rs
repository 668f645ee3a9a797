//! Why there is no answer, in the customer's words.

use mostrador_core::language::Language;
use reqwest::{Response, StatusCode, header::RETRY_AFTER};
use serde_json::Value;

#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("nobody answers")]
    Unreachable(#[source] reqwest::Error),
    #[error("no answer came in time")]
    Late(#[source] reqwest::Error),
    /// Refused by Mostrador itself, which says why.
    #[error("refused ({status})")]
    Refused {
        status: StatusCode,
        message: String,
        wait_seconds: Option<u64>,
    },
    /// The server cannot answer now, and says nothing for people.
    #[error("the server cannot answer ({status})")]
    Broken {
        status: StatusCode,
        wait_seconds: Option<u64>,
    },
    #[error("what answers is no Mostrador")]
    Foreign,
    /// A document that cannot be read, or has no name.
    #[error("{0}")]
    Document(String),
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        if error.is_decode() {
            Self::Foreign
        } else if error.is_timeout() && !error.is_connect() {
            Self::Late(error)
        } else {
            Self::Unreachable(error)
        }
    }
}

impl Failure {
    /// What an answer that is no good one says.
    pub(super) async fn of(answer: Response) -> Self {
        let status = answer.status();
        let wait = answer.headers().get(RETRY_AFTER);
        let wait_seconds = wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
        let problem: Value = answer.json().await.unwrap_or_default();
        // Only the API's own errors have a code; a gateway's text is not meant for people.
        let message = problem["message"].as_str();
        match message.filter(|_| problem["error"].is_string()) {
            Some(message) => Self::Refused {
                status,
                message: message.to_owned(),
                wait_seconds,
            },
            None if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Self::Broken {
                    status,
                    wait_seconds,
                }
            }
            None => Self::Foreign,
        }
    }

    pub(super) fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Refused { status, .. } | Self::Broken { status, .. } => Some(*status),
            Self::Unreachable(_) | Self::Late(_) | Self::Foreign | Self::Document(_) => None,
        }
    }

    /// For the customer, who talks to what is at `url`.
    pub(super) fn message(&self, language: Language, url: &str) -> String {
        let at = [("url", url.into())];
        let (message, wait_seconds) = match self {
            Self::Unreachable(_) => (language.terminal("unreachable", &at), None),
            Self::Late(_) => (language.terminal("late", &at), None),
            Self::Foreign => (language.terminal("foreign", &at), None),
            Self::Document(message) => (message.clone(), None),
            Self::Refused {
                message,
                wait_seconds,
                ..
            } => (message.clone(), *wait_seconds),
            Self::Broken {
                status,
                wait_seconds,
            } => {
                let status = status.as_str();
                let arguments = [("status", status.into())];
                (language.terminal("broken", &arguments), *wait_seconds)
            }
        };
        match wait_seconds {
            Some(seconds @ 1..) => {
                let arguments = [("message", (&message).into()), ("seconds", seconds.into())];
                language.terminal("wait", &arguments)
            }
            _ => message,
        }
    }
}
