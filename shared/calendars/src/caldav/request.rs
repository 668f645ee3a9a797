//! What is asked of a server, in XML.

use jiff::{Timestamp, tz::Offset};
use mostrador_core::booking::Span;
use reqwest::header::HeaderName;

/// How deep in a collection a request looks.
pub(super) const DEPTH: HeaderName = HeaderName::from_static("depth");

/// The collection's token of changes.
pub(super) const TOKEN: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:"><d:prop><d:sync-token/></d:prop></d:propfind>"#;

/// The events that have a part of a span, each time that they recur.
pub(super) fn query(span: Span) -> String {
    let (start, end) = (utc(span.start()), utc(span.end()));
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="{start}" end="{end}"/>
</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>"#
    )
}

/// What has changed since a token.
pub(super) fn sync(token: &str) -> String {
    let token = escaped(token);
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<d:sync-collection xmlns:d="DAV:"><d:sync-token>{token}</d:sync-token><d:sync-level>1</d:sync-level>
<d:prop><d:getetag/></d:prop></d:sync-collection>"#
    )
}

/// The objects at these paths.
pub(super) fn multiget(paths: &[String]) -> String {
    let hrefs = paths
        .iter()
        .map(|path| format!("<d:href>{}</d:href>", escaped(path)));
    let hrefs: String = hrefs.collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<c:calendar-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop>
{hrefs}</c:calendar-multiget>"#
    )
}

/// An instant as iCalendar has it.
pub(super) fn utc(at: Timestamp) -> String {
    let local = Offset::UTC.to_datetime(at);
    local.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
