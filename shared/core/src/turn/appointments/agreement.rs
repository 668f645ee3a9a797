//! What agrees to a question about an appointment.

use super::{Desk, Details, Kind, OTHERS, Proposed, kind_of, name};
use crate::{
    dialogue::{agrees_to, joined_parts, outside_phrases, plainly},
    language::List,
    text::{place_of, words},
    understand::intent::{meant_of_all, turns_down},
};

impl Desk<'_> {
    /// Whether a message agrees to what was asked about an appointment, and whether it says more behind that: "sí, cancélala", "sí, y
    /// una cosa, …".
    pub(super) fn agrees(&self, asked: &Proposed) -> Option<bool> {
        let drops = asked.action == "cancel_appointment";
        // "Vale, cancela" is no yes to a new one.
        if !drops && self.turns_down() {
            return None;
        }
        // "Sí, el jueves a las diez" says what was asked; "sí, mejor a las doce" is another time.
        let question = Details::read(&asked.question, self.business, self.today);
        let is_same = self.details.is_within(&question) && self.is_name_of(asked);
        let is_all = agrees_to(self.message, &asked.question, None, drops).is_some();
        if is_all && is_same {
            return Some(false);
        }
        let clause = self.message.split([',', '.', '!', ';', '\n', '?']).next()?;
        let parts = joined_parts(clause);
        let first = parts.first()?.join(" ");
        let says_yes = plainly(&first) == Some(true) || self.begins_with_yes();
        // "Sí, solo la manicura" says what was asked.
        let is_said_again = is_same && self.details.says_any();
        if !says_yes || takes_back(self.message, is_said_again) {
            return None;
        }
        // A question beside a yes makes it none; one in a sentence of its own does not: "sí! y una cosa, ¿…?"
        let sentence = self.message.split(['.', '!', '\n']).next()?;
        if self.message.contains('?') && plainly(sentence) != Some(true) {
            return None;
        }
        is_same.then_some(true)
    }

    /// Whether a short message begins with a yes and then says nothing but what was asked: "sí solo la manicura", "yes 11 is good".
    fn begins_with_yes(&self) -> bool {
        let said = words(self.message);
        let found = List::Agreement.in_all().at(&said);
        found.is_some_and(|found| found.key == "yes") && self.details.others <= OTHERS
    }

    /// Whether a message gives no other name than the question has.
    fn is_name_of(&self, asked: &Proposed) -> bool {
        name::given(self.message, self.business).is_none_or(|name| {
            let question = words(&asked.question);
            place_of(&words(&name), &question).is_some()
        })
    }

    /// Whether something in a message turns down, calls off or cancels.
    pub(super) fn turns_down(&self) -> bool {
        let agreement = List::Agreement.in_all();
        let said = words(&name::without_name(self.message, self.business));
        let is_off = (0..said.len()).any(|at| {
            let found = agreement.at(&said[at..]);
            found.is_some_and(|found| turns_down(found.key))
        });
        is_off || kind_of(meant_of_all(self.message).intent) == Some(Kind::Cancel)
    }
}

/// Whether what follows takes back what is said before it: "sí, pero no"; "only" takes nothing back of what is said again.
fn takes_back(message: &str, is_said_again: bool) -> bool {
    let exclusions = List::Exclusions.in_all();
    let said = words(message);
    outside_phrases(&said).into_iter().any(|at| {
        let found = exclusions.at(&said[at..]);
        found.is_some_and(|found| match found.key {
            "but-not" => true,
            "limits" => !is_said_again,
            _ => false,
        })
    })
}
