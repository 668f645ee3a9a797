//! The language a shopper is answered in.

/// Spanish unless the caller prefers English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    Spanish,
    English,
}

impl Language {
    /// Reads an `Accept-Language` header: the supported language with the highest weight, the first on a tie.
    #[must_use]
    pub fn from_accept_language(header: &str) -> Self {
        let mut best = (Self::Spanish, 0.0_f32);
        for range in header.split(',').take(32) {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let weight = match parameters.trim().strip_prefix("q=") {
                None => 1.0,
                Some(q) => q.trim().parse().unwrap_or(0.0),
            };
            let primary = tag
                .trim()
                .split('-')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase();
            let language = match primary.as_str() {
                "es" => Self::Spanish,
                "en" => Self::English,
                _ => continue,
            };
            if weight > best.1 {
                best = (language, weight);
            }
        }
        best.0
    }

    /// Picks the text of this language.
    #[must_use]
    pub fn pick<T>(self, spanish: T, english: T) -> T {
        match self {
            Self::Spanish => spanish,
            Self::English => english,
        }
    }

    /// The BCP 47 tag, for `Content-Language`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.pick("es", "en")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_weights() {
        for (header, expected) in [
            ("", Language::Spanish),
            ("en", Language::English),
            ("en-GB,es;q=0.8", Language::English),
            ("fr, es;q=0.5, en;q=0.4", Language::Spanish),
            ("en;q=0", Language::Spanish),
            ("de,*;q=0.1", Language::Spanish),
            ("en;q=x", Language::Spanish),
        ] {
            assert_eq!(Language::from_accept_language(header), expected, "{header}");
        }
    }
}
