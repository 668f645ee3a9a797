//! What of a profile's other names for categories makes no sense.

use super::{
    super::kinds::{AGES, read_ages},
    Check, LINE_CHARS, WORD_CHARS,
};

/// Most other names of a category in a language.
const PHRASES_MOST: usize = 20;

impl Check<'_> {
    pub(super) fn kinds(&mut self) {
        for (name, phrases) in &self.shop.kinds.named {
            let path = format!("kinds.{name}");
            self.faults.text(&path, name, LINE_CHARS);
            for (tag, phrases) in phrases {
                let path = format!("{path}.{tag}");
                if tag == AGES {
                    let wrong = phrases.iter().find(|ages| read_ages(ages).is_none());
                    if let Some(ages) = wrong {
                        self.faults
                            .add(&path, format!("{ages:?} are no ages such as \"0-14\""));
                    }
                    continue;
                }
                self.tag(&path, tag);
                if phrases.len() > PHRASES_MOST {
                    self.faults.add(
                        &path,
                        format!("are {} — leave {PHRASES_MOST} at most", phrases.len()),
                    );
                }
                for (index, phrase) in phrases.iter().enumerate() {
                    self.faults
                        .text(&format!("{path}[{index}]"), phrase, WORD_CHARS);
                }
            }
        }
    }
}
