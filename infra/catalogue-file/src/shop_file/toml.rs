//! TOML.

use serde_json::{Map, Number, Value};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Members, Step, SyntaxError};

pub(super) fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Vec<SyntaxError>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(table);
    }
    let errors = errors.into_iter().map(|error| SyntaxError {
        offset: error.span().map_or(0, |span| span.start),
        message: format!("is not TOML — {}", error.message()),
    });
    Err(errors.collect())
}

impl Members for Spanned<DeTable<'_>> {
    fn read(&self) -> Map<String, Value> {
        members(self.get_ref())
    }

    fn offset(&self, path: &[Step<'_>]) -> usize {
        let mut offset = 0;
        let mut inside: Option<&DeValue<'_>> = None;
        for (index, step) in path.iter().enumerate() {
            let found = match *step {
                Step::Name(name) => {
                    let table = match inside {
                        None if index == 0 => Some(self.get_ref()),
                        None => None,
                        Some(value) => value.as_table(),
                    };
                    let member = table.and_then(|table| table.get_key_value(name));
                    // The name, where there is one: it says what the line is about.
                    member.map(|(name, value)| (name.span().start, value))
                }
                Step::Index(index) => {
                    let value = inside.and_then(|value| value.get(index));
                    value.map(|value| (value.span().start, value))
                }
            };
            let Some((start, value)) = found else { break };
            (offset, inside) = (start, Some(value.get_ref()));
        }
        offset
    }
}

fn members(table: &DeTable<'_>) -> Map<String, Value> {
    let members = table.iter();
    members
        .map(|(name, member)| (name.get_ref().to_string(), value(member.get_ref())))
        .collect()
}

fn value(given: &DeValue<'_>) -> Value {
    match given {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            number.map_or(Value::Null, Value::from)
        }
        DeValue::Float(number) => {
            let number = number.as_str().parse().ok().and_then(Number::from_f64);
            number.map_or(Value::Null, Value::Number)
        }
        DeValue::Boolean(flag) => Value::from(*flag),
        // Dates are texts, so that one may write them with or without quotes.
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(array) => array.iter().map(|item| value(item.get_ref())).collect(),
        DeValue::Table(table) => Value::Object(members(table)),
    }
}
