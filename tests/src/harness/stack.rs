//! A deployed stack in the place of the shared server.
//!
//! `MOSTRADOR_TEST_STACK` names a JSON file that says where it is. Every test is then tried on it; one that needs what only a
//! local server has ends with [`local_only`], and whoever runs the tests counts it as left out.

use std::{env, fs, sync::LazyLock};

use serde_json::Value;

/// What the last words of a test begin with that a stack cannot run.
const LEFT_OUT: &str = "left out on a stack:";

/// Where a stack is, and what it checks tokens with.
#[derive(Debug)]
pub(crate) struct Stack {
    /// The HTTP API.
    pub(crate) api_url: String,
    /// What streams, under the same paths.
    pub(crate) stream_url: String,
    pub(crate) jwt_secret: String,
}

/// The stack that the tests run on, if they do.
pub(crate) fn stack() -> Option<&'static Stack> {
    static STACK: LazyLock<Option<Stack>> = LazyLock::new(|| {
        let file = env::var_os("MOSTRADOR_TEST_STACK")?;
        let json = fs::read_to_string(file).expect("the stack's file");
        let described: Value = serde_json::from_str(&json).expect("a document");
        let text = |name: &str| described[name].as_str().expect(name).to_owned();
        Some(Stack {
            api_url: text("api_url"),
            stream_url: text("stream_url"),
            jwt_secret: text("jwt_secret"),
        })
    });
    STACK.as_ref()
}

/// Whether API Gateway stands in front, which answers some requests itself and changes others.
pub(crate) fn behind_a_gateway() -> bool {
    stack().is_some()
}

/// Ends a test that is run on a stack, saying what it needs that is not there.
#[track_caller]
pub(crate) fn local_only(need: &str) {
    assert!(stack().is_none(), "{LEFT_OUT} it needs {need}");
}
