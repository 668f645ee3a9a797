//! Which of a shop's attributes a question asks for: "¿de qué tallas hay?"

use super::profile::Profile;
use crate::{
    language::List,
    text::{is_same, words},
};

impl Profile {
    /// The place of the attribute that a question asks for by what people call it, where it says hardly anything else: "what colour is
    /// it?", "¿la tenéis en la talla M?"
    pub(crate) fn attribute_asked(&self, message: &str) -> Option<usize> {
        /// Most words beside it that say something: a value, or a verb.
        const OTHERS: usize = 1;
        let said = words(message);
        let [light, exclusions] = [List::Light, List::Exclusions].map(List::in_all);
        // "¿Hay otra de la misma talla?"
        if said.iter().any(|word| exclusions.stands(word, "another")) {
            return None;
        }
        let begins = light.at(&said);
        // "Talla M" looks for something.
        let is_question =
            message.contains('?') || begins.is_some_and(|found| found.key == "asking");
        // Who made an item is asked for in other ways, too.
        let mut attributes = self.attributes.iter();
        let place = attributes.position(|attribute| {
            let mut labels = attribute.label.values();
            !attribute.names && labels.any(|label| stands(&words(label), &said))
        })?;
        let label = self.attributes[place].label.values();
        let label: Vec<String> = label.flat_map(|label| words(label)).collect();
        let lists = [&[List::Facts, List::References], &List::SMALL[..]].concat();
        let mut others = List::beside(&lists, &said);
        others.retain(|word| !label.iter().any(|own| is_same(word, own)));
        (is_question && others.len() <= OTHERS).then_some(place)
    }
}

/// Whether a label stands in some words, in the singular or in the plural.
fn stands(label: &[String], said: &[String]) -> bool {
    let mut runs = said.windows(label.len().max(1));
    runs.any(|run| run.iter().zip(label).all(|(said, own)| is_same(said, own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_asked_for_by_its_label() {
        let shop: Profile = serde_json::from_value(serde_json::json!({
            "name": "Hilo",
            "languages": ["es", "en", "pt"],
            "attributes": [
                {"key": "talla", "label": {"es": "Talla", "en": "Size", "pt": "Tamanho"}, "type": "list"},
                {"key": "color", "label": {"es": "Color", "en": "Colour", "pt": "Cor"}, "type": "text"},
            ],
        }))
        .unwrap();
        for (message, place) in [
            ("¿de qué tallas hay?", Some(0)),
            ("¿la tenéis en la talla M?", Some(0)),
            ("what sizes does it come in?", Some(0)),
            ("que tamanhos tem?", Some(0)),
            ("¿de qué color es?", Some(1)),
            ("talla M", None),
            ("¿hay otra de la misma talla?", None),
            ("¿tenéis camisas de lino de la talla M?", None),
            ("¿cuánto cuesta?", None),
        ] {
            assert_eq!(shop.attribute_asked(message), place, "{message}");
        }
    }
}
