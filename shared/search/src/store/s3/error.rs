//! S3's errors in the store's words; nothing else looks at them.

use aws_sdk_s3::{
    error::{ProvideErrorMetadata, SdkError},
    operation::{get_object::GetObjectError, put_object::PutObjectError},
};

use crate::store::StoreError;

type Response = aws_sdk_s3::config::http::HttpResponse;

pub(super) fn is_not_modified(error: &SdkError<GetObjectError, Response>) -> bool {
    status(error) == Some(304)
}

pub(super) fn get_error(key: &str, error: SdkError<GetObjectError, Response>) -> StoreError {
    match status(&error) {
        Some(404) => StoreError::Missing { key: key.into() },
        // The range asked for lies outside the object.
        Some(416) => StoreError::WrongSize { key: key.into() },
        _ if error.code() == Some("AccessDenied") => StoreError::Denied { key: key.into() },
        _ => unavailable(error),
    }
}

pub(super) fn put_error(key: &str, error: SdkError<PutObjectError, Response>) -> StoreError {
    let conflict = error
        .code()
        .is_some_and(|code| matches!(code, "PreconditionFailed" | "ConditionalRequestConflict"));
    if conflict || matches!(status(&error), Some(409 | 412)) {
        StoreError::Conflict { key: key.into() }
    } else if status(&error) == Some(404) {
        // If-Match on an object that is gone.
        StoreError::Missing { key: key.into() }
    } else {
        unavailable(error)
    }
}

pub(in crate::store) fn unavailable(
    error: impl std::error::Error + Send + Sync + 'static,
) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

fn status<E>(error: &SdkError<E, Response>) -> Option<u16> {
    error.raw_response().map(|raw| raw.status().as_u16())
}
