//! The body of a step.

use mostrador_web::Problem;
use serde_json::{Map, Value};

/// Longest note, in characters.
pub(crate) const NOTE_CHARS: usize = 500;

/// Where something is to go, by its name.
pub(crate) fn to(body: &Map<String, Value>) -> Result<&str, Problem> {
    let to = body.get("to").and_then(Value::as_str);
    to.ok_or_else(|| Problem::invalid("`to` is missing, or not a string"))
}

/// What the customer is told beside it.
pub(crate) fn note(body: &Map<String, Value>) -> Result<Option<String>, Problem> {
    let note = match body.get("note") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(note)) => note.trim(),
        Some(_) => return Err(Problem::invalid("`note` is not a string")),
    };
    if note.chars().count() > NOTE_CHARS {
        return Err(Problem::invalid(format!(
            "`note` is longer than {NOTE_CHARS} characters"
        )));
    }
    if note.chars().any(|sign| sign.is_control() && sign != '\n') {
        return Err(Problem::invalid("`note` has control characters"));
    }
    Ok((!note.is_empty()).then(|| note.to_owned()))
}

/// A yes or no, where there is one.
pub(crate) fn flag(body: &Map<String, Value>, name: &str) -> Result<Option<bool>, Problem> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(Problem::invalid(format!("`{name}` is not true or false"))),
    }
}
