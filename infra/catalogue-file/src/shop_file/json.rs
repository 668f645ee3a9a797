//! JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, value::RawValue};

use super::{Members, Step, SyntaxError};

/// A file and what it holds.
pub(super) struct Parsed<'a> {
    text: &'a str,
    members: Map<String, Value>,
}

pub(super) fn parse(text: &str) -> Result<Parsed<'_>, Vec<SyntaxError>> {
    match serde_json::from_str(text) {
        Ok(members) => Ok(Parsed { text, members }),
        Err(error) => {
            let line = error.line().saturating_sub(1);
            let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let message = error.to_string();
            // Its place is ours to write.
            let message = message.split(" at line ").next().unwrap_or_default();
            Err(vec![SyntaxError {
                offset: before + error.column().saturating_sub(1),
                message: format!("is not a JSON object — {message}"),
            }])
        }
    }
}

impl Members for Parsed<'_> {
    fn read(&self) -> Map<String, Value> {
        self.members.clone()
    }

    fn offset(&self, path: &[Step<'_>]) -> usize {
        let mut inside = self.text;
        for step in path {
            let found: Option<&RawValue> = match *step {
                Step::Name(name) => serde_json::from_str::<BTreeMap<String, &RawValue>>(inside)
                    .ok()
                    .and_then(|members| members.get(name).copied()),
                Step::Index(index) => serde_json::from_str::<Vec<&RawValue>>(inside)
                    .ok()
                    .and_then(|items| items.get(index).copied()),
            };
            let Some(value) = found else { break };
            inside = value.get();
        }
        // What is borrowed lies within the text.
        inside.as_ptr().addr() - self.text.as_ptr().addr()
    }
}
