//! Errors as Google's API documents them.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

/// An error with its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{status}: {reason}")]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    domain: &'static str,
    reason: &'static str,
    message: &'static str,
}

/// An error that comes on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 403 `rateLimitExceeded`.
    RateLimit,
    /// 403 `userRateLimitExceeded`.
    UserRateLimit,
    /// 403 `quotaExceeded`.
    Quota,
    /// 429 `rateLimitExceeded`.
    TooManyRequests,
    /// 500 `backendError`.
    Backend,
    /// 403 `forbiddenForNonOrganizer`, which does not pass.
    Forbidden,
}

impl Fault {
    pub(crate) fn error(self) -> ApiError {
        let limit = |status, reason, message| ApiError {
            status,
            domain: "usageLimits",
            reason,
            message,
        };
        match self {
            Self::RateLimit => limit(
                StatusCode::FORBIDDEN,
                "rateLimitExceeded",
                "Rate Limit Exceeded",
            ),
            Self::UserRateLimit => limit(
                StatusCode::FORBIDDEN,
                "userRateLimitExceeded",
                "User Rate Limit Exceeded",
            ),
            Self::Quota => limit(
                StatusCode::FORBIDDEN,
                "quotaExceeded",
                "Calendar usage limits exceeded.",
            ),
            Self::TooManyRequests => limit(
                StatusCode::TOO_MANY_REQUESTS,
                "rateLimitExceeded",
                "Rate Limit Exceeded",
            ),
            Self::Backend => ApiError {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                domain: "global",
                reason: "backendError",
                message: "Backend Error",
            },
            Self::Forbidden => ApiError {
                status: StatusCode::FORBIDDEN,
                domain: "calendar",
                reason: "forbiddenForNonOrganizer",
                message: "Shared properties can only be changed by the organizer of the event.",
            },
        }
    }
}

impl ApiError {
    const fn global(status: StatusCode, reason: &'static str, message: &'static str) -> Self {
        Self {
            status,
            domain: "global",
            reason,
            message,
        }
    }

    pub(crate) const UNAUTHORIZED: Self =
        Self::global(StatusCode::UNAUTHORIZED, "authError", "Invalid Credentials");
    pub(crate) const NOT_FOUND: Self = Self::global(StatusCode::NOT_FOUND, "notFound", "Not Found");
    pub(crate) const DELETED: Self =
        Self::global(StatusCode::GONE, "deleted", "Resource has been deleted");
    pub(crate) const DUPLICATE: Self = Self::global(
        StatusCode::CONFLICT,
        "duplicate",
        "The requested identifier already exists.",
    );
    pub(crate) const CONDITION: Self = Self::global(
        StatusCode::PRECONDITION_FAILED,
        "conditionNotMet",
        "Precondition Failed",
    );
    pub(crate) const FULL_SYNC: Self = Self {
        status: StatusCode::GONE,
        domain: "calendar",
        reason: "fullSyncRequired",
        message: "Sync token is no longer valid, a full sync is required.",
    };
    pub(crate) const RESTRICTED: Self = Self {
        status: StatusCode::BAD_REQUEST,
        domain: "calendar",
        reason: "syncTokenWithRequestRestrictions",
        message: "Sync token cannot be used with other request restrictions.",
    };
    pub(crate) const EMPTY_RANGE: Self = Self {
        status: StatusCode::BAD_REQUEST,
        domain: "calendar",
        reason: "timeRangeEmpty",
        message: "The specified time range is empty.",
    };

    pub(crate) const fn invalid(message: &'static str) -> Self {
        Self::global(StatusCode::BAD_REQUEST, "invalid", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({"error": {
            "errors": [{"domain": self.domain, "reason": self.reason, "message": self.message}],
            "code": self.status.as_u16(),
            "message": self.message,
        }});
        (self.status, Json(body)).into_response()
    }
}
