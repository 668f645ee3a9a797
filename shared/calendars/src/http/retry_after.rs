//! The header by which a server says when to come back.

use std::time::Duration;

use jiff::{Timestamp, fmt::rfc2822::DateTimeParser};

/// So many seconds, or until a date. The clock of this machine is asked, as the server's has been.
pub(super) fn read(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTimeParser::new().parse_timestamp(text).ok()?;
    let left = until.duration_since(Timestamp::now());
    Some(Duration::try_from(left).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_when_to_come_back() {
        for (text, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
        ] {
            let wait = read(text).map(|wait| wait.as_secs());
            assert_eq!(wait, seconds, "{text}");
        }
    }
}
