//! Appointments by words: what is still to be known is asked for, in whatever order it is said, and then whether it is to be done.

mod book;
mod own;
mod said;
mod time;

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};

use self::{
    said::{Said, kind_of},
    time::Start,
};
use super::{
    change,
    types::{Caller, Prepared, Record, SIGNED_OUT, TurnEngine},
};
use crate::{
    actions::{Counter, Outcome, Payload, approvals::Decision, offered},
    booking::{Business, Reception, Service},
    chain::Chain,
    dialogue::{Awaited, Errand, Kind, Proposed, agrees_to, last_sentence, plainly},
    language::List,
    text::words,
    understand::{
        MAYBE_DISTRESS, Route, Step,
        hour::Times,
        intent::{Intent, meant_of_all},
    },
};

/// Surer than this, a message is about appointments by what it is for.
const SURE: f32 = 0.5;
/// The same where items are found for it: "quiero reservar El Quijote".
const SURE_BESIDE_ITEMS: f32 = 0.8;
/// Most words that say nothing of an appointment in a message that goes on with one.
const OTHERS: usize = 3;
/// Most lines of a list with a question behind it.
const LINES: usize = 4;
/// The tool of the answers that ask for more.
const SLOTS: &str = "get_available_slots";
/// Why no model is asked.
const ERRAND: &str = "errand";

/// A turn about an appointment, with whose it is and with what is offered.
struct Desk<'a> {
    caller: &'a Caller,
    counter: Counter,
    business: &'a Business,
    today: Date,
    now: Timestamp,
    said: Said<'a>,
    message: &'a str,
}

/// What is said in a turn, and what is open after it.
struct Told {
    tool: &'static str,
    record: Record,
    errand: Option<Errand>,
    /// What the customer is asked to agree to.
    proposal: Option<(&'static str, Payload)>,
}

impl Told {
    fn new(tool: &'static str, record: Record, errand: Option<Errand>) -> Self {
        Self {
            tool,
            record,
            errand,
            proposal: None,
        }
    }
}

impl TurnEngine {
    /// Sees to what a message says of an appointment, or else to the change that is wanted.
    pub(super) async fn see_to_wish(
        &self,
        caller: &Caller,
        said: change::Said,
        prepared: &mut Prepared,
    ) {
        if !self.see_to_appointments(caller, prepared).await {
            self.see_to_changes(caller, said, prepared).await;
        }
    }

    /// Whether a message is about an appointment; then it is seen to.
    async fn see_to_appointments(&self, caller: &Caller, prepared: &mut Prepared) -> bool {
        let Some(reception) = &self.approvals.counter.reception else {
            return false;
        };
        let is_urgent = matches!(
            prepared.step,
            Step::Leave | Step::Say(Intent::Distress) | Step::Ask(MAYBE_DISTRESS)
        );
        if is_urgent || prepared.request.files.is_some() {
            return false;
        }
        let message = prepared.request.message.clone();
        let commits = prepared.context.as_deref().unwrap_or_default();
        let proposed = Proposed::of_log(commits, self.clock.now());
        let asked = proposed.filter(|proposed| proposed.is_asked);
        let answer = last_sentence(&message).unwrap_or(&message);
        if asked.is_some() && plainly(answer).is_some() {
            return false;
        }
        let brought = || prepared.request.shown.as_ref()?.errand.clone();
        let open = Errand::of_log(commits).or_else(brought);
        let meant = meant_of_all(&message);
        let is_found = !prepared.found.results.is_empty();
        // Who names an item wants that.
        let is_of_item = is_found && prepared.route != Route::Search;
        let sure = if is_found { SURE_BESIDE_ITEMS } else { SURE };
        let is_sure = meant.confidence >= sure && !is_of_item;
        let kind = kind_of(meant.intent).filter(|_| is_sure);
        // What the shop would else say that it cannot do.
        let is_wanted = prepared.step == Step::Say(Intent::BookAppointment);
        let kind = kind.or(is_wanted.then_some(Kind::Book));
        if kind.is_none() && open.is_none() && is_found {
            return false;
        }
        let Some(business) = business(reception).await else {
            return false;
        };
        let now = self.clock.now().unix_timestamp_nanos();
        let now = Timestamp::from_nanosecond(now).unwrap_or(Timestamp::UNIX_EPOCH);
        let today = business.date_of(now);
        let desk = Desk {
            caller,
            counter: self.counter(&prepared.shop),
            business: &business,
            today,
            now,
            said: Said::read(&message, &business, today),
            message: &message,
        };
        // "Sí, cancélala."
        if let Some(asked) = asked.filter(|asked| is_of_appointment(&asked.action))
            && !desk.said.says_any()
        {
            let drops = asked.action == "cancel_appointment";
            if agrees_to(&message, &asked.question, None, drops).is_some() {
                change::decide(&asked, Decision::Approve, prepared);
                return true;
            }
        }
        let Some(told) = desk.hear(kind, open, prepared).await else {
            return false;
        };
        self.tell(caller, told, prepared).await;
        true
    }

    /// Puts what is said into the turn, and asks what there is to agree to.
    async fn tell(&self, caller: &Caller, told: Told, prepared: &mut Prepared) {
        let Told {
            tool,
            record,
            errand,
            proposal,
        } = told;
        prepared.found.results.clear();
        prepared.found.error = None;
        prepared.topic = None;
        prepared.beside = Record::default();
        prepared.without_model = Some(ERRAND);
        prepared.step = Step::Read(tool);
        prepared.record = Some(record);
        prepared.errand = errand;
        let owner = caller.owner.as_ref().filter(|_| prepared.context.is_some());
        let Some((action, payload)) = proposal else {
            return;
        };
        let Some(owner) = owner else {
            let text = prepared.locale(caller.language).text("sign-in-to-do");
            prepared.record = Some(Record {
                lines: vec![text],
                error: Some(SIGNED_OUT),
                ..Record::default()
            });
            return;
        };
        match self
            .ask_about(caller, owner, action, payload, prepared)
            .await
        {
            Ok((record, approval)) => {
                // What cannot be had is not asked for once more.
                if approval.is_none() {
                    prepared.errand = prepared.errand.take().map(Errand::at_another_time);
                }
                prepared.record = Some(record);
                prepared.approval = approval;
            }
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "an appointment cannot be asked about");
                prepared.record = Some(Record::unavailable());
            }
        }
    }
}

/// Surer than this, what is found is what was looked for.
const SURE_OF_FINDING: f32 = 0.8;

/// Whether a message looks for items of the shop, and finds some.
fn looks_for_items(prepared: &Prepared) -> bool {
    let is_find = prepared.step == Step::Find && prepared.meant.intent == Intent::Find;
    is_find && prepared.meant.confidence >= SURE_OF_FINDING && !prepared.found.results.is_empty()
}

fn is_of_appointment(action: &str) -> bool {
    [
        "create_appointment",
        "reschedule_appointment",
        "cancel_appointment",
    ]
    .contains(&action)
}

async fn business(reception: &Reception) -> Option<Business> {
    match reception.business(None).await {
        Ok(business) => business,
        Err(error) => {
            tracing::warn!(error = %Chain(&error), "the business cannot be read");
            None
        }
    }
}

impl Desk<'_> {
    /// What is said to the message; nothing where it is about no appointment.
    async fn hear(
        &self,
        kind: Option<Kind>,
        open: Option<Errand>,
        prepared: &Prepared,
    ) -> Option<Told> {
        let said = &self.said;
        if let Some(open) = open {
            let goes_on = match open.awaited {
                Some(Awaited::Name) if self.name().is_some() => true,
                // It goes without one.
                Some(Awaited::Name) if plainly(self.message) == Some(true) => true,
                // After signing in.
                Some(Awaited::Answer) if plainly(self.message) == Some(true) => true,
                Some(Awaited::Time) if Times::answer(self.message).is_some() => true,
                Some(Awaited::Branch | Awaited::Time) if said.times.is_open => true,
                Some(Awaited::Appointment) if self.place(&open).is_some() => true,
                Some(Awaited::Answer) if said::introduced(self.message).is_some() => true,
                _ => said.says_any() && said.others <= OTHERS && !looks_for_items(prepared),
            };
            // What nothing is found for is an answer that was not understood: it is asked again.
            let is_awaited = matches!(open.awaited, Some(Awaited::Service | Awaited::Branch));
            let is_nothing = prepared.step == Step::Find && prepared.found.results.is_empty();
            let goes_on = goes_on || (is_awaited && is_nothing && kind.is_none());
            // "No, mejor a las doce" changes what is asked about.
            let is_same = kind.is_none_or(|kind| match kind {
                Kind::Book | Kind::Move => true,
                Kind::Cancel | Kind::View => kind == open.kind,
            });
            if goes_on && is_same {
                return Some(self.go_on(open).await);
            }
        }
        match kind {
            Some(kind) => Some(self.go_on(Errand::new(kind)).await),
            // "¿Cuánto cuesta la manicura?"
            None => {
                let is_open = matches!(prepared.step, Step::Find | Step::Read(_) | Step::Say(_));
                let is_found = !prepared.found.results.is_empty();
                let is_named = match said.services[..] {
                    [] => false,
                    [one] if is_found => self.is_whole(one),
                    _ => !is_found || said.calendar.is_some(),
                };
                // Whatever is said around a service and a place or a time.
                let is_short = said.others <= OTHERS || said.says_where_or_when();
                if !(is_open && is_named && is_short) {
                    return None;
                }
                Some(self.go_on(Errand::new(Kind::Book)).await)
            }
        }
    }

    /// Whether a service is named by a word that no other service has.
    fn is_whole(&self, service: &Service) -> bool {
        let said = words(self.message);
        let own: Vec<String> = service.names().flat_map(words).collect();
        let others = self.business.services.iter();
        let others = others.filter(|other| other.id != service.id);
        let others = others.flat_map(Service::names).flat_map(words);
        let others: Vec<String> = others.collect();
        own.iter()
            .filter(|word| !List::is_small(word))
            .any(|word| said.contains(word) && !others.contains(word))
    }

    async fn go_on(&self, mut errand: Errand) -> Told {
        if errand.awaited == Some(Awaited::Name) {
            errand.full_name = errand.full_name.or_else(|| self.name());
        }
        let introduced = said::introduced(self.message);
        errand.full_name = errand.full_name.or(introduced);
        if self.said.times.is_open {
            match errand.awaited {
                Some(Awaited::Branch) => errand.is_anywhere = true,
                Some(Awaited::Time) => errand.is_earliest = true,
                _ => {}
            }
        }
        match errand.kind {
            Kind::View => self.view().await,
            Kind::Cancel => self.cancel(errand).await,
            Kind::Move => self.reschedule(errand).await,
            Kind::Book => {
                self.said.add_to(&mut errand, self.today);
                if self.said.times.is_same_day && errand.dates.is_none() {
                    let date = self.last_date().await;
                    errand.dates = date.map(|date| (date.clone(), date));
                }
                if let Some(hour) = self.answered_hour(&errand) {
                    errand.hour = Some(hour);
                }
                self.book(errand).await
            }
        }
    }

    fn text(&self, key: &str) -> String {
        self.caller.language.text(key)
    }

    /// The name that a message gives in answer to whose it is: "Ana Ruiz", "a nombre de Ana Ruiz".
    fn name(&self) -> Option<String> {
        let is_plain = plainly(self.message).is_none() && !self.message.contains('?');
        is_plain.then(|| said::name(self.message)).flatten()
    }

    /// What a service is and costs, in a line.
    async fn details(&self, service: &Service) -> Option<String> {
        let payload = json!({"service_name": service.id});
        let outcome = self.look("get_service_details", &payload).await.ok()?;
        let line = outcome.message.split(". ").next().map(str::to_owned);
        line.filter(|line| !line.is_empty())
    }

    /// What anybody may look up.
    async fn look(&self, action: &'static str, payload: &Value) -> Result<Outcome, Told> {
        let language = self.caller.language;
        let payload = members(payload);
        let looked = offered(&self.counter, language, action, &payload).await;
        looked.map_err(|error| {
            tracing::warn!(error = %Chain(&error), "appointments cannot be read");
            Told::new(action, Record::unavailable(), None)
        })
    }
}

fn told(lines: Vec<String>) -> Record {
    Record {
        lines,
        ..Record::default()
    }
}

fn members(payload: &Value) -> Payload {
    Payload(payload.as_object().cloned().unwrap_or_default())
}
