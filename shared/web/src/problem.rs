//! Errors as the outside sees them: RFC 9457, and the stable shape of every answer in one body.

use http::StatusCode;
use mostrador_core::{
    history::HistoryError,
    language::Language,
    turn::{InvalidRequest, TurnFailure},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::TokenError;

/// Everything that can be wrong with a request, or with us.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// What is wrong, for programmers; and the message for people.
    #[error("{detail}")]
    InvalidRequest {
        detail: String,
        message: &'static str,
    },
    #[error("there is no such action")]
    InvalidAction,
    #[error("the role is not one of user, assistant and system")]
    InvalidRole,
    #[error("the content is not a text of acceptable length")]
    InvalidContent,
    #[error("the rating is not a whole number from 1 to 5")]
    InvalidRating,
    #[error("{detail}")]
    InvalidFile { detail: &'static str },
    #[error("a document is of 5 MB and 200,000 characters at most")]
    FileTooLarge,
    #[error("a customer has 20 documents at most")]
    TooManyFiles,
    #[error("nothing of the announced size has been uploaded")]
    NotUploaded,
    #[error("a token is needed")]
    AuthRequired,
    #[error("the token is not valid")]
    InvalidToken,
    #[error("not found")]
    NotFound,
    #[error("the method is not allowed here")]
    MethodNotAllowed { allow: String },
    #[error("only JSON is spoken here")]
    NotAcceptable,
    #[error("the body is larger than this endpoint takes")]
    TooLarge,
    #[error("the body is not declared as application/json")]
    UnsupportedMediaType,
    #[error("a turn of this conversation is still open")]
    ConversationBusy { retry_after_seconds: u64 },
    #[error("other changes came first")]
    Conflict,
    #[error("a request with this key is still running")]
    InProgress,
    #[error("the key was used with another body")]
    IdempotencyMismatch,
    #[error("too many requests")]
    RateLimited { retry_after_seconds: u64 },
    #[error("the identity provider does not answer")]
    KeysUnavailable { retry_after_seconds: u64 },
    #[error("this server answers by other names, and no pages of other origins")]
    Misdirected,
    #[error("the body took too long to come")]
    TooSlow,
    #[error("the order has come to its end")]
    OrderClosed,
    #[error("{detail}")]
    MoveNotAllowed { detail: String },
    #[error("the reservation has ended")]
    ReservationClosed,
    #[error(
        "the conversation waits for no person: it was handed back, or its customer goes on without"
    )]
    NotWaiting,
    #[error("the item is no longer sold")]
    ItemGone,
    /// By an action, with its message for people.
    #[error("it is refused: {code}")]
    Refused { code: &'static str, message: String },
    #[error("a store cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A problem's body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemBody {
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub status: u16,
    /// For programmers, in English.
    pub detail: String,
    /// For programs: a stable word.
    pub error: String,
    /// For people, in their language.
    pub message: String,
    /// Always empty; so that a chat page needs one code path.
    pub results: Vec<Value>,
    /// Always empty.
    pub actions: Vec<Value>,
    pub request_id: String,
}

impl Problem {
    /// A body or parameter that cannot be read.
    #[must_use]
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::InvalidRequest {
            detail: detail.into(),
            message: "invalid_request",
        }
    }

    #[must_use]
    pub fn unavailable(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Unavailable(Box::new(source))
    }

    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::InvalidRequest { .. }
            | Self::InvalidAction
            | Self::InvalidRole
            | Self::InvalidContent
            | Self::InvalidRating
            | Self::InvalidFile { .. }
            | Self::TooManyFiles
            | Self::Refused { .. } => StatusCode::BAD_REQUEST,
            Self::AuthRequired | Self::InvalidToken => StatusCode::UNAUTHORIZED,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::TooLarge | Self::FileTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Misdirected => StatusCode::MISDIRECTED_REQUEST,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::ConversationBusy { .. }
            | Self::Conflict
            | Self::InProgress
            | Self::NotUploaded
            | Self::OrderClosed
            | Self::MoveNotAllowed { .. }
            | Self::ReservationClosed
            | Self::NotWaiting
            | Self::ItemGone => StatusCode::CONFLICT,
            Self::IdempotencyMismatch => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::KeysUnavailable { .. } | Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidRequest { .. } => "invalid_request",
            Self::InvalidAction => "invalid_action",
            Self::InvalidRole => "invalid_role",
            Self::InvalidContent => "invalid_content",
            Self::InvalidRating => "invalid_rating",
            Self::InvalidFile { .. } => "invalid_file",
            Self::FileTooLarge => "file_too_large",
            Self::TooManyFiles => "too_many_files",
            Self::NotUploaded => "not_uploaded",
            Self::AuthRequired => "auth_required",
            Self::InvalidToken => "invalid_token",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed { .. } => "method_not_allowed",
            Self::NotAcceptable => "not_acceptable",
            Self::TooLarge => "payload_too_large",
            Self::Misdirected => "misdirected_request",
            Self::TooSlow => "request_timeout",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::ConversationBusy { .. } => "conversation_busy",
            Self::Conflict => "conflict",
            Self::InProgress => "in_progress",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::RateLimited { .. } => "rate_limited",
            Self::OrderClosed => "order_closed",
            Self::MoveNotAllowed { .. } => "move_not_allowed",
            Self::ReservationClosed => "reservation_closed",
            Self::NotWaiting => "not_waiting",
            Self::ItemGone => "book_not_found",
            Self::Refused { code, .. } => code,
            Self::KeysUnavailable { .. } | Self::Unavailable(_) => "unavailable",
        }
    }

    /// The message for people.
    fn message(&self, language: Language) -> String {
        language.text(match self {
            Self::Refused { message, .. } => return message.clone(),
            Self::InvalidRequest { message, .. } => message,
            Self::OrderClosed => "order-over",
            Self::ItemGone => "item-gone",
            _ => self.code(),
        })
    }

    /// Seconds to wait before trying again, where trying again can help.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::ConversationBusy {
                retry_after_seconds,
            }
            | Self::RateLimited {
                retry_after_seconds,
            }
            | Self::KeysUnavailable {
                retry_after_seconds,
            } => Some(*retry_after_seconds),
            Self::Conflict | Self::InProgress | Self::NotUploaded => Some(1),
            Self::Unavailable(_) => Some(5),
            _ => None,
        }
    }

    /// The body in `language`.
    #[must_use]
    pub fn body(&self, language: Language, request_id: Uuid) -> ProblemBody {
        let status = self.status();
        ProblemBody {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or_default().to_owned(),
            status: status.as_u16(),
            detail: self.to_string(),
            error: self.code().to_owned(),
            message: self.message(language),
            results: Vec::new(),
            actions: Vec::new(),
            request_id: request_id.to_string(),
        }
    }
}

impl From<InvalidRequest> for Problem {
    fn from(error: InvalidRequest) -> Self {
        let message = match error {
            InvalidRequest::TooLong => "message-too-long",
            InvalidRequest::Missing | InvalidRequest::NotAString | InvalidRequest::Blank => {
                "message-empty"
            }
        };
        Self::InvalidRequest {
            detail: error.to_string(),
            message,
        }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Invalid => Self::InvalidToken,
            TokenError::KeysUnavailable {
                retry_after_seconds,
            } => Self::KeysUnavailable {
                retry_after_seconds,
            },
        }
    }
}

impl From<HistoryError> for Problem {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::NotFound => Self::NotFound,
            HistoryError::NotWaiting => Self::NotWaiting,
            HistoryError::Conflict => Self::Conflict,
            HistoryError::InProgress => Self::InProgress,
            HistoryError::Unavailable(source) => Self::Unavailable(source),
        }
    }
}

impl From<TurnFailure> for Problem {
    fn from(failure: TurnFailure) -> Self {
        match failure {
            TurnFailure::NotFound => Self::NotFound,
            TurnFailure::SignedOut => Self::AuthRequired,
            TurnFailure::Busy {
                retry_after_seconds,
            } => Self::ConversationBusy {
                retry_after_seconds,
            },
            TurnFailure::Conflict => Self::Conflict,
            TurnFailure::InProgress => Self::InProgress,
            TurnFailure::Unavailable(source) => Self::Unavailable(source),
        }
    }
}
