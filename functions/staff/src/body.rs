//! The body of a step.

use mostrador_web::Problem;
use serde_json::{Map, Value};

/// What a text is written in: no control characters but tabs and ends of lines.
pub(crate) const TEXT: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$";
/// Longest note, in characters.
pub(crate) const NOTE_CHARS: usize = 500;

/// Where something is to go, by its name.
pub(crate) fn to(body: &Map<String, Value>) -> Result<&str, Problem> {
    let to = body.get("to").and_then(Value::as_str);
    to.ok_or_else(|| Problem::invalid("`to` is missing, or not a string"))
}

/// What the customer is told beside it.
pub(crate) fn note(body: &Map<String, Value>) -> Result<Option<String>, Problem> {
    text(body, "note", NOTE_CHARS)
}

/// A text to the customer, where there is one.
pub(crate) fn text(
    body: &Map<String, Value>,
    name: &str,
    chars_max: usize,
) -> Result<Option<String>, Problem> {
    let text = match body.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text,
        Some(_) => return Err(Problem::invalid(format!("`{name}` is not a string"))),
    };
    if text.chars().count() > chars_max {
        return Err(Problem::invalid(format!(
            "`{name}` is longer than {chars_max} characters"
        )));
    }
    if text
        .chars()
        .any(|sign| sign.is_control() && !"\t\r\n".contains(sign))
    {
        return Err(Problem::invalid(format!("`{name}` has control characters")));
    }
    let text = text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// A yes or no, where there is one.
pub(crate) fn flag(body: &Map<String, Value>, name: &str) -> Result<Option<bool>, Problem> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(Problem::invalid(format!("`{name}` is not true or false"))),
    }
}
