//! The parameters of tools, as any provider takes them.

use serde_json::{Map, Value};

/// All that may stand at the top of a schema: Amazon Nova refuses the rest.
const TOP: [&str; 3] = ["type", "properties", "required"];

/// `parameters` without what some providers refuse. It allows somewhat more than they do: whoever reads the arguments is strict.
pub(crate) fn plain(parameters: &Value) -> Value {
    let kept = TOP.iter().filter_map(|name| {
        let value = parameters.get(*name)?;
        Some(((*name).to_owned(), value.clone()))
    });
    let mut plain: Map<String, Value> = kept.collect();
    if let Some(Value::Object(properties)) = plain.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    Value::Object(plain)
}

/// Gemini takes one type, where what may be null may be left out as well, and of the formats of numbers only its own.
fn simplify(property: &mut Value) {
    let Some(members) = property.as_object_mut() else {
        return;
    };
    members.remove("format");
    let types = members.get("type").and_then(Value::as_array);
    let mut types = types.into_iter().flatten();
    let one = types.find(|name| name.as_str() != Some("null")).cloned();
    if let Some(one) = one {
        members.insert("type".to_owned(), one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_holds_what_every_provider_takes() {
        let text = json!({"type": "string", "description": "What is looked for."});
        let parameters = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "SearchCatalog",
            "type": "object",
            "properties": {
                "text": text,
                "k": {"type": ["integer", "null"], "format": "uint", "minimum": 0, "description": "How many."},
                "autor": {"type": ["null", "string"]},
                "anything": true,
            },
            "required": ["text"],
            "additionalProperties": false,
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "text": text,
                "k": {"type": "integer", "minimum": 0, "description": "How many."},
                "autor": {"type": "string"},
                "anything": true,
            },
            "required": ["text"],
        });
        assert_eq!(plain(&parameters), expected);
        assert_eq!(plain(&expected), expected);
        assert_eq!(plain(&json!({"type": "object"})), json!({"type": "object"}));
    }
}
