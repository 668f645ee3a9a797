//! Partial answers: `items(id,start/dateTime),nextPageToken`.

use serde_json::{Map, Value};

use crate::error::ApiError;

/// A field that is wanted, and what of it; nothing where all of it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    name: String,
    fields: Vec<Field>,
}

/// What is wanted of an answer.
///
/// # Errors
/// [`ApiError`] where it cannot be understood.
pub(crate) fn partial(answer: &Value, wanted: &str) -> Result<Value, ApiError> {
    let mut rest = wanted;
    let fields = read(&mut rest);
    let is_read = rest.is_empty();
    let fields = fields.filter(|_| is_read);
    let fields = fields.ok_or(ApiError::invalid("Invalid field selection."))?;
    Ok(cut(answer, &fields))
}

fn read(rest: &mut &str) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    loop {
        fields.push(field(rest)?);
        match rest.strip_prefix(',') {
            Some(more) => *rest = more,
            None => return Some(fields),
        }
    }
}

fn field(rest: &mut &str) -> Option<Field> {
    let end = rest.find([',', '(', ')', '/']).unwrap_or(rest.len());
    let name = rest[..end].to_owned();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    *rest = &rest[end..];
    let fields = if let Some(more) = rest.strip_prefix('/') {
        *rest = more;
        vec![field(rest)?]
    } else if let Some(more) = rest.strip_prefix('(') {
        *rest = more;
        let fields = read(rest)?;
        *rest = rest.strip_prefix(')')?;
        fields
    } else {
        Vec::new()
    };
    Some(Field { name, fields })
}

fn cut(value: &Value, fields: &[Field]) -> Value {
    if fields.is_empty() {
        return value.clone();
    }
    match value {
        Value::Array(list) => list.iter().map(|item| cut(item, fields)).collect(),
        Value::Object(object) => {
            let wanted = fields.iter().filter_map(|field| {
                let value = object.get(&field.name)?;
                Some((field.name.clone(), cut(value, &field.fields)))
            });
            Value::Object(wanted.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
