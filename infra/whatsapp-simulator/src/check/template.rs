//! Templates, as far as their form goes: which there are is another's to know.

use super::part::{Part, Refusal, invalid};

pub(super) fn check(template: Part<'_>) -> Result<(), Refusal> {
    template.only(&["name", "language", "components"])?;
    let name = template.text("name", 512)?;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.chars().all(is_name) {
        return Err(Refusal::new(132_001, "template.name"));
    }
    let written_in = template.object("language")?;
    written_in.only(&["code"])?;
    written_in.text("code", 10)?;
    if !template.has("components") {
        return Ok(());
    }
    for component in template.objects("components", 0, 12)? {
        component.only(&["type", "sub_type", "index", "parameters"])?;
        let of_type = component.text("type", 10)?;
        for parameter in component.objects("parameters", 1, 50)? {
            match (of_type, parameter.text("type", 10)?) {
                ("body", "text") => {
                    parameter.only(&["type", "text", "parameter_name"])?;
                    let text = parameter.text("text", 1024)?;
                    if text.contains(['\n', '\t']) || text.contains("     ") {
                        return Err(Refusal::new(132_012, "template.components.parameters.text"));
                    }
                }
                ("button", "payload") => {
                    parameter.only(&["type", "payload"])?;
                    parameter.text("payload", 256)?;
                    let index = component.text("index", 2)?;
                    let is_place = index.parse::<u8>().is_ok_and(|index| index < 10);
                    if component.text("sub_type", 20)? != "quick_reply" || !is_place {
                        return Err(invalid("template.components.button"));
                    }
                }
                _ => return Err(invalid("template.components.type")),
            }
        }
    }
    Ok(())
}
