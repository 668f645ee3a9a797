//! The paths an endpoint answers.

/// A path with the methods it takes. Paths are written with their trailing slash and match without it too; `{name}` stands for
/// any segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub path: &'static str,
    pub methods: &'static [&'static str],
}

impl Route {
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let (ours, theirs) = (segments(self.path), segments(path));
        // The root alone is its own slash; every other path ends with one slash or none.
        let ends = !path.ends_with("//") && (path.len() > 1 || self.path == path);
        ends && ours.clone().count() == theirs.clone().count()
            && ours.zip(theirs).all(|(ours, theirs)| {
                ours == theirs || (name(ours).is_some() && !theirs.is_empty())
            })
    }

    /// What stands in `path` where this route says `{name}`.
    #[must_use]
    pub fn parameter<'a>(&self, path: &'a str, wanted: &str) -> Option<&'a str> {
        let place = segments(self.path).position(|ours| name(ours) == Some(wanted))?;
        segments(path).nth(place)
    }

    /// The methods as `Allow` lists them.
    #[must_use]
    pub fn allow(&self) -> String {
        self.methods.join(", ")
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.strip_suffix('/').unwrap_or(path).split('/')
}

fn name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_with_and_without_their_slash() {
        let route = |path| Route {
            path,
            methods: &["GET"],
        };
        for (path, asked, expected) in [
            ("/", "/", true),
            ("/", "", false),
            ("/", "//", false),
            ("/a/", "/a", true),
            ("/a/", "/a/", true),
            ("/a/", "/a//", false),
            ("/a/", "//a", false),
            ("/a/", "/a/b", false),
            ("/a/", "/", false),
            ("/a.json", "/a.json", true),
            ("/a/{id}/b/", "/a/7/b", true),
            ("/a/{id}/b/", "/a//b", false),
            ("/a/{id}/b/", "/a/7/8/b/", false),
            ("/a/{id}/b/", "/a/7/c/", false),
        ] {
            assert_eq!(route(path).matches(asked), expected, "{path} {asked}");
        }
        let rating = route("/a/{id}/b/");
        assert_eq!(rating.parameter("/a/7/b", "id"), Some("7"));
        assert_eq!(rating.parameter("/a/7/b", "other"), None);
    }
}
