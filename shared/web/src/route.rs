//! The table of what an endpoint answers, in which a request is looked up once.

use http::Method;
use mostrador_core::limits::Scope;

/// An operation, and the requests that are for it. Paths are written with their trailing slash and match without it too; one
/// `{name}` in a path stands for any segment.
#[derive(Debug)]
pub struct Route<O> {
    pub method: Method,
    pub path: &'static str,
    pub admission: Admission,
    pub operation: O,
}

/// Who may have an operation, and what their calls count as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Anybody, uncounted: it costs nothing.
    Free,
    /// Anybody. The operation counts the call itself, beside what it reads meanwhile.
    Anyone,
    /// Who is signed in; counted before anything is done.
    SignedIn(Scope),
    /// Who works in the shop; counted before anything is done. To anybody else there is nothing.
    Staff(Scope),
}

/// The operation that a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched<O> {
    pub operation: O,
    /// What the request has where the path has `{name}`; empty where it has none.
    pub named: String,
}

/// What a table has for a request.
#[derive(Debug)]
pub enum Found<'r, O> {
    Route(&'r Route<O>, String),
    /// The path, but not its method; `Allow` lists those it has.
    OtherMethods {
        path: &'static str,
        allow: String,
        /// Whether it is there for the staff alone.
        is_staffs: bool,
    },
    Nothing,
}

impl<O> Route<O> {
    /// For anybody, uncounted.
    pub const fn free(method: Method, path: &'static str, operation: O) -> Self {
        Self {
            method,
            path,
            admission: Admission::Free,
            operation,
        }
    }

    /// For anybody, counted by the operation.
    pub const fn anyone(method: Method, path: &'static str, operation: O) -> Self {
        Self {
            method,
            path,
            admission: Admission::Anyone,
            operation,
        }
    }

    /// For who is signed in, counted against `scope`.
    pub const fn signed_in(method: Method, path: &'static str, scope: Scope, operation: O) -> Self {
        Self {
            method,
            path,
            admission: Admission::SignedIn(scope),
            operation,
        }
    }

    /// For the shop's staff, counted against `scope`.
    pub const fn staff(method: Method, path: &'static str, scope: Scope, operation: O) -> Self {
        Self {
            method,
            path,
            admission: Admission::Staff(scope),
            operation,
        }
    }

    /// Whether it is there for the staff alone.
    pub(crate) fn is_staffs(&self) -> bool {
        matches!(self.admission, Admission::Staff(_))
    }

    /// Whether a path is this one's.
    #[must_use]
    pub fn is_at(&self, path: &str) -> bool {
        named(self.path, path).is_some()
    }
}

/// Looks a request up.
#[must_use]
pub fn find<'r, O>(routes: &'r [Route<O>], method: &Method, path: &str) -> Found<'r, O> {
    let mut others: Vec<&Route<O>> = Vec::new();
    for route in routes {
        match named(route.path, path) {
            Some(named) if route.method == *method => return Found::Route(route, named.to_owned()),
            Some(_) => others.push(route),
            None => {}
        }
    }
    let Some(first) = others.first() else {
        return Found::Nothing;
    };
    let methods: Vec<&str> = others.iter().map(|route| route.method.as_str()).collect();
    Found::OtherMethods {
        path: first.path,
        allow: methods.join(", "),
        is_staffs: first.is_staffs(),
    }
}

/// What stands in `path` where `pattern` has `{name}`, empty where it has none; nothing where the path is another.
fn named<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let (ours, theirs) = (segments(pattern), segments(path));
    // The root alone is its own slash; every other path ends with one slash or none.
    let ends = !path.ends_with("//") && (path.len() > 1 || pattern == path);
    if !ends || ours.clone().count() != theirs.clone().count() {
        return None;
    }
    let mut named = "";
    for (ours, theirs) in ours.zip(theirs) {
        if ours.starts_with('{') && !theirs.is_empty() {
            named = theirs;
        } else if ours != theirs {
            return None;
        }
    }
    Some(named)
}

fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.strip_suffix('/').unwrap_or(path).split('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_with_and_without_their_slash() {
        for (pattern, requested, expected) in [
            ("/", "/", Some("")),
            ("/", "", None),
            ("/", "//", None),
            ("/a/", "/a", Some("")),
            ("/a/", "/a/", Some("")),
            ("/a/", "/a//", None),
            ("/a/", "//a", None),
            ("/a/", "/a/b", None),
            ("/a/", "/", None),
            ("/a.json", "/a.json", Some("")),
            ("/a/{id}/b/", "/a/7/b", Some("7")),
            ("/a/{id}/b/", "/a//b", None),
            ("/a/{id}/b/", "/a/7/8/b/", None),
            ("/a/{id}/b/", "/a/7/c/", None),
        ] {
            assert_eq!(named(pattern, requested), expected, "{pattern} {requested}");
        }
    }

    #[test]
    fn a_request_is_for_one_operation() {
        static ROUTES: [Route<&str>; 3] = [
            Route::anyone(Method::GET, "/a/", "list"),
            Route::signed_in(Method::POST, "/a/", Scope::Action, "begin"),
            Route::free(Method::GET, "/a/{id}/", "show"),
        ];
        let found = |method, path| match find(&ROUTES, &method, path) {
            Found::Route(route, named) => format!("{} {named}", route.operation),
            Found::OtherMethods { path, allow, .. } => format!("{path} takes {allow}"),
            Found::Nothing => "nothing".to_owned(),
        };
        assert_eq!(found(Method::GET, "/a"), "list ");
        assert_eq!(found(Method::POST, "/a/"), "begin ");
        assert_eq!(found(Method::GET, "/a/7"), "show 7");
        assert_eq!(found(Method::PATCH, "/a"), "/a/ takes GET, POST");
        assert_eq!(found(Method::HEAD, "/a/7"), "/a/{id}/ takes GET");
        assert_eq!(found(Method::GET, "/b"), "nothing");
    }
}
