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
        // "Talla M" looks for something, and so does "¿hay otra de la misma talla?"
        let asks = light.at(&said).is_some_and(|found| found.key == "asking");
        let is_another = said.iter().any(|word| exclusions.stands(word, "another"));
        if is_another || !(asks || message.contains('?')) {
            return None;
        }
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
        let is_of_it = others.len() <= OTHERS && !others.iter().any(|word| is_of(word, &said));
        is_of_it.then_some(place)
    }
}

/// Whether a word is what something is asked of: "tallas de las camisas", "sizes in shirts".
fn is_of(word: &String, said: &[String]) -> bool {
    let [markers, references] = [List::Markers, List::References].map(List::in_all);
    let at = said.iter().position(|other| other == word);
    let mut before = said[..at.unwrap_or_default()].iter().rev();
    let before = before.find(|word| !markers.stands(word, "article") || markers.stands(word, "by"));
    before.is_some_and(|word| markers.stands(word, "by") || references.stands(word, "whom"))
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
            ("¿qué tallas hay de camisas?", None),
            ("¿en qué colores hay las del lino?", None),
            ("what sizes are there in shirts?", None),
            ("que tamanhos há das camisas?", None),
            ("¿tenéis camisas de lino de la talla M?", None),
            ("¿cuánto cuesta?", None),
        ] {
            assert_eq!(shop.attribute_asked(message), place, "{message}");
        }
    }
}
