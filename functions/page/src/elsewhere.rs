//! The origins that the page connects to beside its own.

use http::{Uri, uri::Scheme};
use mostrador_web::{Environment, SettingError};

/// An address of another origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    base: String,
    origin: String,
}

impl Elsewhere {
    /// The variable `name`, where it is set.
    ///
    /// # Errors
    /// [`SettingError`], naming the variable.
    pub fn from_environment(
        environment: &Environment<'_>,
        name: &'static str,
    ) -> Result<Option<Self>, SettingError> {
        let expected = "an address that begins with https:// or http://localhost";
        let Some(text) = environment.text(name) else {
            return Ok(None);
        };
        let url = Self::read(&text).ok_or(SettingError::Invalid { name, expected })?;
        Ok(Some(url))
    }

    /// Reads an address; nothing where a page should not know it.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        // It is put into a page and into a header, so it is made of nothing but what addresses are made of in practice.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/".contains(c);
        let uri: Uri = text.parse().ok().filter(|_| text.chars().all(plain))?;
        let (scheme, authority) = (uri.scheme()?, uri.authority()?);
        let host = authority.host();
        let is_local = *scheme == Scheme::HTTP && matches!(host, "localhost" | "127.0.0.1");
        let is_safe = *scheme == Scheme::HTTPS || is_local;
        if host.is_empty() || !is_safe {
            return None;
        }
        let origin = format!("{scheme}://{authority}");
        let base = format!("{origin}{}", uri.path().trim_end_matches('/'));
        Some(Self { base, origin })
    }

    /// Without a slash at its end, and with nothing in it that HTML or a policy would read otherwise.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// What a browser must be allowed to connect to.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart_or_refused() {
        for (text, expected) in [
            (
                "https://x.lambda-url.eu-west-1.on.aws/",
                Some((
                    "https://x.lambda-url.eu-west-1.on.aws",
                    "https://x.lambda-url.eu-west-1.on.aws",
                )),
            ),
            (
                "HTTPS://Shop.example:8443/a/b/",
                Some(("https://Shop.example:8443/a/b", "https://Shop.example:8443")),
            ),
            (
                "http://localhost:3001",
                Some(("http://localhost:3001", "http://localhost:3001")),
            ),
            ("http://localhost.evil.example", None),
            ("http://shop.example", None),
            ("ws://localhost", None),
            ("https://", None),
            ("https:///a", None),
            ("https://a@b.example", None),
            ("https://a.example/?q", None),
            ("https://a.example/#f", None),
            ("https://a.example; script-src *", None),
            ("https://a.example;script-src", None),
            ("https://*", None),
            ("https://a.example/\"><script>", None),
            ("/api", None),
            ("a.example", None),
        ] {
            let read = Elsewhere::read(text);
            let read = read.as_ref().map(|url| (url.base(), url.origin()));
            assert_eq!(read, expected, "{text}");
        }
    }
}
