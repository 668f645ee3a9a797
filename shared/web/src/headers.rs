//! Values of headers.

use http::{HeaderMap, header::ACCEPT};

/// The trace that a W3C `traceparent` says this request belongs to.
pub(crate) fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.trim().split('-');
    let (version, id, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, length| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_zero = |part: &str| part.bytes().all(|b| b == b'0');
    let well_formed = is_hex(version, 2)
        && version != "ff"
        && is_hex(id, 32)
        && is_hex(parent, 16)
        && is_hex(flags, 2);
    (well_formed && !is_zero(id) && !is_zero(parent)).then_some(id)
}

/// Whether the caller can read JSON; without an `Accept`, anything goes.
pub(crate) fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .peekable();
    ranges.peek().is_none()
        || ranges.flat_map(|value| value.split(',')).any(|range| {
            let (essence, parameters) = range.split_once(';').unwrap_or((range, ""));
            let refused = parameters
                .split(';')
                .any(|p| matches!(p.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let essence = essence.trim().to_ascii_lowercase();
            !refused
                && matches!(
                    essence.as_str(),
                    "*/*"
                        | "application/*"
                        | "application/json"
                        | "application/problem+json"
                        | "application/x-ndjson"
                        | "text/event-stream"
                        | ""
                )
        })
}
