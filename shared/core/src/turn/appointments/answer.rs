//! Whether a message goes on with what is open, begins something, or is about no appointment.

use super::{
    Awaited, Desk, Errand, Kind, LINES, OTHERS, Prepared, Reply, Step, Times, name, names,
};
use crate::{catalogue::ItemResult, dialogue::plainly, text::words, understand::intent::Intent};

impl Desk<'_> {
    /// What is said to the message; nothing where it is about no appointment.
    pub(super) async fn answer(
        &self,
        kind: Option<Kind>,
        open: Option<Errand>,
        prepared: &Prepared,
    ) -> Option<Reply> {
        let said = &self.details;
        if let Some(open) = open {
            let goes_on = match open.awaited {
                Some(Awaited::Name) if self.name().is_some() => true,
                // It goes without one.
                Some(Awaited::Name) if plainly(self.message) == Some(true) => true,
                // After signing in.
                Some(Awaited::Answer) if plainly(self.message) == Some(true) => true,
                Some(Awaited::Time) if Times::answer(self.message).is_some() => true,
                Some(Awaited::Branch | Awaited::Time) if said.times.is_open => true,
                Some(Awaited::Appointment) if self.place(&open, LINES).is_some() => true,
                Some(Awaited::Service)
                    if names::for_whom(self.message, &open.among, self.business).is_some() =>
                {
                    true
                }
                _ if open.kind == Kind::Book && self.is_named(prepared) => true,
                _ => said.says_any() && said.others <= OTHERS && !looks_for_items(prepared),
            };
            // What nothing is found for is an answer that was not understood: it is asked again.
            let is_awaited = match open.awaited {
                Some(Awaited::Service | Awaited::Branch) => true,
                Some(Awaited::Time) => said.others <= 1,
                _ => false,
            };
            let found = &prepared.found;
            let is_nothing = found.results.is_empty() && found.absent.is_none();
            let is_nothing = is_nothing && prepared.step == Step::Find;
            let goes_on = goes_on || (is_awaited && is_nothing && kind.is_none());
            // "No, mejor a las doce" changes what is asked about.
            let is_same = kind.is_none_or(|kind| match (kind, open.kind) {
                (Kind::Book, Kind::Book) => true,
                (Kind::Book, _) => !said.times.is_another,
                (Kind::Move, _) => true,
                // "Em vez da unha quero um corte."
                (Kind::Cancel, Kind::Book) => said.says_any(),
                (Kind::View, Kind::Book) => !said.services.is_empty(),
                (Kind::Cancel | Kind::View, of) => kind == of,
            });
            // "Can we make it 6 instead?"
            let goes_on = goes_on || self.answered_hour(&open).is_some();
            let goes_on = goes_on || (kind == Some(Kind::Move) && open.kind == Kind::Book);
            // "¿Qué días hay?" is of what is open.
            let own = open.service.as_deref();
            let is_of_open = said.services.iter().all(|one| Some(one.id.as_str()) == own);
            let is_new = said.times.is_another || !is_of_open;
            let goes_on =
                goes_on || (kind == Some(Kind::Book) && open.kind == Kind::Book && !is_new);
            let goes_on = goes_on
                || (open.awaited == Some(Awaited::Appointment)
                    && kind.is_none_or(|kind| kind == open.kind)
                    && said.others <= OTHERS);
            if goes_on && is_same {
                return Some(self.go_on(open).await);
            }
        }
        match kind {
            Some(kind) => Some(self.go_on(Errand::new(kind)).await),
            // "¿Cuánto cuesta la manicura?"
            None => {
                let is_found = !prepared.found.results.is_empty();
                // "Ponme una manicura a las doce" is for no cart.
                let is_open = match prepared.step {
                    Step::Find | Step::Read(_) | Step::Say(_) => true,
                    Step::Propose(_) => !is_found,
                    Step::Ask(_) | Step::Leave => false,
                };
                // "Mujercitas" is no haircut.
                let is_of_items = is_found && (!said.is_whole || self.is_of_items(prepared));
                let is_named = said.is_head || said.is_whole || said.says_where_or_when();
                let is_named = is_named && !said.services.is_empty() && !is_of_items;
                // Whatever is said around a service and a place or a time.
                let is_short = said.others <= OTHERS || said.says_where_or_when();
                if !(is_open && is_named && is_short) {
                    return None;
                }
                Some(self.go_on(Errand::new(Kind::Book)).await)
            }
        }
    }

    /// Whether a message that names a service is for items: it says what they are called, or one that was found has the whole name.
    fn is_of_items(&self, prepared: &Prepared) -> bool {
        let titles = prepared.found.results.iter().flat_map(ItemResult::titles);
        let mut titles = titles.map(words);
        titles.any(|title| self.details.names_all_in(&title))
            || prepared.shop.says_noun(self.message)
    }

    /// Whether a message says whose an appointment is to be, and looks for nothing.
    fn is_named(&self, prepared: &Prepared) -> bool {
        let is_introduced = name::introduced(self.message, self.business).is_some();
        let is_given = name::given(self.message, self.business).is_some();
        is_introduced || (is_given && !looks_for_items(prepared))
    }
}

/// Surer than this, what is found is what was looked for.
const SURE_OF_FINDING: f32 = 0.8;

/// Whether a message looks for items of the shop, and finds some.
fn looks_for_items(prepared: &Prepared) -> bool {
    let is_find = prepared.step == Step::Find && prepared.meant.intent == Intent::Find;
    is_find && prepared.meant.confidence >= SURE_OF_FINDING && !prepared.found.results.is_empty()
}
