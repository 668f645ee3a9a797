//! Templates: messages that the platform has approved, which may be sent at any time.

use serde::Serialize;

use crate::measure;

/// The longest text that is put into a template.
const PARAMETER_MOST: usize = 1024;
const PAYLOAD_MOST: usize = 256;
/// An empty parameter is refused by the platform.
const NOTHING: &str = "–";

/// A template with what it is filled with: for reminders, and whatever else is sent outside the 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub name: String,
    /// As the platform writes it: `es`, `es_MX`, `pt_BR`.
    pub language: String,
    pub parameters: Vec<Parameter>,
    /// What comes back from each of its quick-reply buttons, in their order.
    pub payloads: Vec<String>,
}

/// A text in a template: by its place, or by the name that the template has for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: Option<String>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct TemplateObject {
    name: String,
    language: LanguageObject,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    components: Vec<Component>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LanguageObject {
    code: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Component {
    Body {
        parameters: Vec<ParameterObject>,
    },
    Button {
        sub_type: &'static str,
        index: String,
        parameters: Vec<ParameterObject>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ParameterObject {
    Text {
        #[serde(skip_serializing_if = "Option::is_none")]
        parameter_name: Option<String>,
        text: String,
    },
    Payload {
        payload: String,
    },
}

impl Template {
    pub(super) fn object(&self) -> TemplateObject {
        let parameters = self
            .parameters
            .iter()
            .map(|parameter| ParameterObject::Text {
                parameter_name: parameter.name.clone(),
                text: filling(&parameter.text),
            });
        let parameters: Vec<_> = parameters.collect();
        let body = (!parameters.is_empty()).then_some(Component::Body { parameters });
        let buttons = self.payloads.iter().enumerate();
        let buttons = buttons.map(|(index, payload)| Component::Button {
            sub_type: "quick_reply",
            index: index.to_string(),
            parameters: vec![ParameterObject::Payload {
                payload: measure::cut(payload, PAYLOAD_MOST).into_owned(),
            }],
        });
        TemplateObject {
            name: self.name.clone(),
            language: LanguageObject {
                code: self.language.clone(),
            },
            components: body.into_iter().chain(buttons).collect(),
        }
    }
}

/// The platform takes no line breaks, tabs or rows of blanks within a parameter.
fn filling(text: &str) -> String {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.as_str() {
        "" => NOTHING.to_owned(),
        text => measure::cut(text, PARAMETER_MOST).into_owned(),
    }
}
