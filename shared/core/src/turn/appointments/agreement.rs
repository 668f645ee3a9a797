//! What agrees to a question about an appointment.

use super::{Desk, Errand, Kind, Proposed, kind_of};
use crate::{
    dialogue::{agrees_to, joined_parts, plainly},
    language::List,
    text::words,
    understand::intent::{meant_of_all, turns_down},
};

impl Desk<'_> {
    /// Whether a message agrees to what was asked about an appointment, and whether it says more behind that: "sí, cancélala", "sí, y
    /// una cosa, …".
    pub(super) fn agrees(&self, asked: &Proposed, open: Option<&Errand>) -> Option<bool> {
        let drops = asked.action == "cancel_appointment";
        // "Vale, cancela" is no yes to a new one.
        if !drops && self.turns_down() {
            return None;
        }
        let is_all = agrees_to(self.message, &asked.question, None, drops).is_some();
        if is_all && !self.details.says_any() {
            return Some(false);
        }
        let clause = self.message.split([',', '.', '!', ';', '\n', '?']).next()?;
        let parts = joined_parts(clause);
        let first = parts.first()?.join(" ");
        if plainly(&first) != Some(true) || takes_back(self.message) {
            return None;
        }
        // A question beside a yes makes it none; one in a sentence of its own does not: "sí! y una cosa, ¿…?"
        let sentence = self.message.split(['.', '!', '\n']).next()?;
        if self.message.contains('?') && plainly(sentence) != Some(true) {
            return None;
        }
        // "Sí, mejor a las doce" is another time, and "sí, y la pedicura después" another appointment.
        let service = open.and_then(|open| open.service.as_deref());
        let mut named = self.details.services.iter();
        let is_other = named.any(|one| Some(one.id.as_str()) != service);
        (is_other || !self.details.says_any()).then_some(true)
    }

    /// Whether something in a message turns down, calls off or cancels.
    fn turns_down(&self) -> bool {
        let agreement = List::Agreement.in_all();
        let said = words(self.message);
        let is_off = (0..said.len()).any(|at| {
            let found = agreement.at(&said[at..]);
            found.is_some_and(|found| turns_down(found.key))
        });
        is_off || kind_of(meant_of_all(self.message).intent) == Some(Kind::Cancel)
    }
}

/// Whether what follows takes back what is said before it: "sí, pero no".
fn takes_back(message: &str) -> bool {
    let exclusions = List::Exclusions.in_all();
    let said = words(message);
    (0..said.len()).any(|at| {
        let found = exclusions.at(&said[at..]);
        found.is_some_and(|found| ["limits", "but-not"].contains(&found.key))
    })
}
