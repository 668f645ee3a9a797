//! What of a profile makes no sense, and what to write instead.

mod documents;
mod kinds;
mod picks;

use std::collections::BTreeMap;

use super::{
    Attribute, Exception, Fault, Holds, Noun, Place, Profile, Texts, Weekday,
    faults::{Faults, listed},
};
use crate::language::Language;

/// Longest texts, in characters: what a chip, a line, a paragraph and a model's instruction hold.
const WORD_CHARS: usize = 40;
const LINE_CHARS: usize = 120;
const POLICY_CHARS: usize = 600;
/// Most of what is listed to shoppers or in a prompt.
const ATTRIBUTES_MOST: usize = 40;
const STARTERS_MOST: usize = 6;
/// What a profile may ask of an answer at most.
const BULLETS_MOST: u16 = 10;
const CHARS: std::ops::RangeInclusive<u16> = 200..=2_000;
/// What every item has, so that no attribute has its name.
const OF_EVERY_ITEM: [&str; 12] = [
    "id",
    "titulo",
    "precio",
    "moneda",
    "stock",
    "categoria",
    "descripcion",
    "url",
    "imagen",
    "otros_titulos",
    "codigo",
    "publicado_at",
];

impl Profile {
    /// Everything in it that makes no sense; nothing where it can be used.
    #[must_use]
    pub fn check(&self) -> Vec<Fault> {
        let mut check = Check {
            shop: self,
            faults: Faults::default(),
        };
        check.faults.text("name", &self.name, LINE_CHARS);
        check
            .faults
            .optional("assistant", self.assistant.as_deref(), WORD_CHARS);
        check
            .faults
            .optional("tone", self.tone.as_deref(), LINE_CHARS);
        check.languages();
        check.money_and_time();
        for (tag, noun) in &self.noun {
            check.noun(tag, noun);
        }
        check.attributes();
        check.contact();
        check.hours();
        for (place, index) in self.places.iter().zip(0..) {
            check.place(index, place);
        }
        for (topic, texts) in &self.policies {
            check.policy(topic, texts);
        }
        check.documents();
        check.kinds();
        check.picks();
        check.prompt();
        check.starters();
        check.helpline();
        check.faults.0
    }
}

struct Check<'a> {
    shop: &'a Profile,
    faults: Faults,
}

impl Check<'_> {
    /// The tags that this shop may use.
    fn tags(&self) -> String {
        listed(self.shop.languages().into_iter().map(Language::tag))
    }

    fn languages(&mut self) {
        let all = listed(Language::all().map(Language::tag));
        for (index, tag) in self.shop.languages.iter().enumerate() {
            let path = format!("languages[{index}]");
            match Language::from_tag(tag) {
                None => self.faults.add(
                    path,
                    format!("{tag:?} is no language that there is — write one of {all}"),
                ),
                Some(language) if language.tag() != tag => self.faults.add(
                    path,
                    format!(
                        "{tag:?} is more than a language — write {:?}",
                        language.tag()
                    ),
                ),
                Some(_) if self.shop.languages[..index].contains(tag) => {
                    self.faults
                        .add(path, format!("{tag:?} is there twice — leave one"));
                }
                Some(_) => {}
            }
        }
    }

    /// Whether `tag` is one of the shop's languages.
    fn tag(&mut self, path: &str, tag: &str) {
        let mut languages = self.shop.languages().into_iter();
        if !languages.any(|language| language.tag() == tag) {
            let tags = self.tags();
            self.faults.add(
                path,
                format!("{tag:?} is none of the shop's languages — write one of {tags}"),
            );
        }
    }

    /// A text in the shop's languages, the default among them.
    fn texts(&mut self, path: &str, texts: &Texts, most: usize) {
        let default = self.shop.default_language().tag();
        if !texts.contains_key(default) {
            self.faults.add(
                path,
                format!("has no text in the shop's first language — add {default} = \"…\""),
            );
        }
        for (tag, text) in texts {
            let path = format!("{path}.{tag}");
            self.tag(&path, tag);
            self.faults.text(&path, text, most);
        }
    }

    fn money_and_time(&mut self) {
        let shop = self.shop;
        self.faults.currency("currency", &shop.currency);
        match &shop.time_zone {
            Some(name) => {
                self.faults.time_zone("time_zone", name);
            }
            None if !shop.hours.is_empty() => self.faults.add(
                "time_zone",
                "is missing, and hours need it — write one such as \"Europe/Madrid\"",
            ),
            _ => {}
        }
    }

    fn noun(&mut self, tag: &str, noun: &Noun) {
        let path = format!("noun.{tag}");
        self.tag(&path, tag);
        self.faults
            .text(&format!("{path}.one"), &noun.one, WORD_CHARS);
        self.faults
            .text(&format!("{path}.many"), &noun.many, WORD_CHARS);
        if !matches!(noun.gender.as_str(), "f" | "m") {
            self.faults.add(
                format!("{path}.gender"),
                format!("{:?} is no gender — write \"f\" or \"m\"", noun.gender),
            );
        }
    }

    fn attributes(&mut self) {
        let attributes = &self.shop.attributes;
        if attributes.len() > ATTRIBUTES_MOST {
            let count = attributes.len();
            self.faults.add(
                "attributes",
                format!("are {count} — leave {ATTRIBUTES_MOST} at most"),
            );
        }
        for (index, attribute) in attributes.iter().enumerate() {
            self.attribute(index, attribute);
        }
    }

    fn attribute(&mut self, index: usize, attribute: &Attribute) {
        let key = attribute.key.as_str();
        let path = format!("attributes[{index}]");
        let place = format!("{path}.key");
        let before = &self.shop.attributes[..index];
        let is_plain = |c: char| c.is_lowercase() || c.is_numeric() || c == '_';
        let begins = key.starts_with(char::is_lowercase);
        if !begins || !key.chars().all(is_plain) || key.chars().count() > WORD_CHARS {
            self.faults.add(
                place,
                format!(
                    "{key:?} is no name of a column — write small letters, digits and _, such as \"talla\""
                ),
            );
        } else if OF_EVERY_ITEM.contains(&key) {
            self.faults.add(
                place,
                format!("{key:?} is what every item has — leave it out or choose another name"),
            );
        } else if let Some(first) = before.iter().position(|other| other.key == key) {
            self.faults.add(
                place,
                format!("{key:?} is attributes[{first}] already — leave one"),
            );
        }
        self.texts(&format!("{path}.label"), &attribute.label, WORD_CHARS);
        if attribute.names && attribute.holds == Holds::Number {
            self.faults.add(
                format!("{path}.names"),
                "a number names no item — write type = \"text\" or names = false",
            );
        }
    }

    fn contact(&mut self) {
        let contact = &self.shop.contact;
        if let Some(phone) = &contact.phone {
            self.faults.phone("contact.phone", phone);
        }
        if let Some(whatsapp) = &contact.whatsapp {
            self.faults.whatsapp("contact.whatsapp", whatsapp);
        }
        if let Some(email) = &contact.email
            && !is_email(email)
        {
            self.faults.add(
                "contact.email",
                format!("{email:?} is no address — write one such as \"hola@tienda.example\""),
            );
        }
        self.faults.url("contact.url", contact.url.as_deref());
    }

    fn hours(&mut self) {
        let shop = self.shop;
        self.faults.week("hours", &shop.hours);
        if shop.hours.is_empty() && !shop.exceptions.is_empty() {
            let days = listed(Weekday::ALL.map(Weekday::name));
            self.faults.add(
                "hours",
                format!("are missing, and exceptions need them — write [hours] with {days}"),
            );
        }
        for (index, exception) in shop.exceptions.iter().enumerate() {
            self.exception(&format!("exceptions[{index}]"), exception);
        }
    }

    fn exception(&mut self, path: &str, exception: &Exception) {
        self.faults.dates(path, exception);
        self.faults
            .intervals(&format!("{path}.hours"), &exception.hours);
        if !exception.reason.is_empty() {
            self.texts(&format!("{path}.reason"), &exception.reason, LINE_CHARS);
        }
    }

    fn place(&mut self, index: usize, place: &Place) {
        self.faults
            .text(&format!("places[{index}].name"), &place.name, LINE_CHARS);
        self.faults.text(
            &format!("places[{index}].address"),
            &place.address,
            2 * LINE_CHARS,
        );
    }

    fn policy(&mut self, topic: &str, texts: &Texts) {
        let path = format!("policies.{topic}");
        let is_plain = |c: char| c.is_ascii_lowercase() || c == '_';
        if topic.is_empty() || !topic.chars().all(is_plain) {
            self.faults.add(
                &path,
                format!("{topic:?} is no topic — write small letters and _, such as returns"),
            );
        }
        self.texts(&path, texts, POLICY_CHARS);
    }

    fn prompt(&mut self) {
        let prompt = &self.shop.prompt;
        let (least, most, chars) = (prompt.bullets_min, prompt.bullets_max, prompt.max_chars);
        if !(1..=BULLETS_MOST).contains(&most) {
            self.faults.add(
                "prompt.bullets_max",
                format!("{most} is too few or too many — write 1 to {BULLETS_MOST}"),
            );
        } else if least > most {
            self.faults.add(
                "prompt.bullets_min",
                format!("{least} is more than bullets_max, {most} — write {most} at most"),
            );
        }
        if !CHARS.contains(&chars) {
            self.faults.add(
                "prompt.max_chars",
                format!(
                    "{chars} is too few or too many — write {} to {}",
                    CHARS.start(),
                    CHARS.end()
                ),
            );
        }
        self.faults
            .optional("prompt.tone", prompt.tone.as_deref(), LINE_CHARS);
    }

    fn starters(&mut self) {
        let starters: &BTreeMap<_, _> = &self.shop.starters;
        for (tag, starters) in starters {
            let path = format!("starters.{tag}");
            self.tag(&path, tag);
            if starters.len() > STARTERS_MOST {
                self.faults.add(
                    &path,
                    format!("are {} — leave {STARTERS_MOST} at most", starters.len()),
                );
            }
            for (index, starter) in starters.iter().enumerate() {
                self.faults
                    .text(&format!("{path}[{index}]"), starter, LINE_CHARS);
            }
        }
    }

    fn helpline(&mut self) {
        if let Some(helpline) = &self.shop.helpline {
            self.faults
                .text("helpline.name", &helpline.name, LINE_CHARS);
            self.faults.phone("helpline.phone", &helpline.phone);
            self.faults.url("helpline.url", helpline.url.as_deref());
        }
    }
}

fn is_email(text: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\",;".contains(c);
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let has_dot = host.split('.').all(|part| !part.is_empty()) && host.contains('.');
    !name.is_empty() && has_dot && !host.contains('@') && text.chars().all(is_plain)
}
