//! The paths an endpoint answers.

/// A path with the methods it takes. Paths are written with their trailing slash and match without it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub path: &'static str,
    pub methods: &'static [&'static str],
}

impl Route {
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        path == self.path
            || self
                .path
                .strip_suffix('/')
                .is_some_and(|bare| !bare.is_empty() && path == bare)
    }

    /// The methods as `Allow` lists them.
    #[must_use]
    pub fn allow(&self) -> String {
        self.methods.join(", ")
    }
}
