//! What every language must have.

use super::*;

#[test]
fn follows_the_weights() {
    for (header, expected) in [
        ("", "es"),
        ("en", "en"),
        ("en-GB,es;q=0.8", "en"),
        ("fr, es;q=0.5, en;q=0.4", "es"),
        ("en;q=0", "es"),
        ("de,*;q=0.1", "es"),
        ("en;q=x", "es"),
    ] {
        assert_eq!(
            Language::from_accept_language(header).tag(),
            expected,
            "{header}"
        );
    }
}
