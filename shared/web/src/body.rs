//! Request bodies: JSON objects of a bounded size.

use http::{HeaderMap, header::CONTENT_TYPE};
use serde_json::{Map, Value};

use crate::Problem;

/// Largest body that endpoints take by default.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// The body's members. Nesting is bounded by the JSON reader (128 levels).
pub(crate) fn json_object(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, Problem> {
    declared_as_json(headers)?;
    match serde_json::from_slice(body) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Problem::invalid("the body is not a JSON object")),
        Err(_) => Err(Problem::invalid("the body is not JSON")),
    }
}

fn declared_as_json(headers: &HeaderMap) -> Result<(), Problem> {
    let declared = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = declared
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let encoded = headers
        .get(http::header::CONTENT_ENCODING)
        .is_some_and(|coding| coding.as_bytes() != b"identity");
    if encoded
        || !(essence == "application/json"
            || (essence.starts_with("application/") && essence.ends_with("+json")))
    {
        return Err(Problem::UnsupportedMediaType);
    }
    Ok(())
}
