//! When a person of the shop has the word, and when one is called.

use super::types::{Caller, Handoff, Prepared, SIGNED_OUT, TurnEngine};
use crate::{
    dialogue::plainly,
    language::Language,
    log::{Commit, Escalation, EscalationReason, Event},
    text::words,
    tools::shop_info,
    understand::{
        Step,
        intent::{Intent, meant},
        route, sought, step,
        topic::Topic,
    },
};

/// Why no model is asked where a person has the word, or is called.
const PERSON: &str = "person";

impl TurnEngine {
    /// Leaves the message to the person of the shop who has the word, where one has it; whether it did.
    pub(super) fn leave_to_person(&self, caller: &Caller, prepared: &mut Prepared) -> bool {
        let now = self.clock.now();
        let waiting = escalation(prepared.context.as_deref());
        let Some(waiting) = waiting.filter(|waiting| waiting.is_with_person(now)) else {
            return false;
        };
        // To somebody in distress something is said at once.
        if prepared.step == Step::Say(Intent::Distress) {
            return false;
        }
        let is_answered = waiting.answered_by.is_some();
        prepared.back = Some(prepared.locale(caller.language).text("person-back"));
        prepared.without_model = Some(PERSON);
        let goes_on = goes_on_without(&prepared.request.message, prepared);
        // Who waits for somebody may ask how else the shop is reached, and is told that alone.
        let is_of_shop = prepared.step == Step::Read(shop_info::NAME);
        let reaches = is_of_shop && prepared.topic.is_some_and(Topic::is_of_reaching);
        prepared.beside = Default::default();
        if reaches && !is_answered && !goes_on {
            return true;
        }
        prepared.found.results.clear();
        prepared.found.absent = None;
        prepared.found.error = None;
        prepared.record = None;
        prepared.topic = None;
        prepared.cited.clear();
        prepared.step = Step::Leave;
        if goes_on {
            prepared.step = Step::Ask("person-no-more");
            prepared.handoff = Some(Handoff::Ended);
        }
        true
    }

    /// Calls a person of the shop, where one is asked for or needed, or offers to.
    pub(super) fn call_person(&self, caller: &Caller, prepared: &mut Prepared) {
        let is_decided = prepared.decision.is_some()
            || prepared.approval.is_some()
            || prepared.task.is_some()
            || prepared.record.is_some();
        let commits = prepared.context.as_deref().unwrap_or_default();
        let had_nothing = |before: usize| {
            let commit = commits.get(before);
            commit.is_some_and(|commit| got_nothing(commit, &prepared.shop.currency))
        };
        let accepts =
            || plainly(&prepared.request.message) == Some(true) && had_nothing(0) && had_nothing(1);
        let wants_person = match prepared.step {
            Step::Say(Intent::Person) => true,
            Step::Say(Intent::Yes) => accepts(),
            _ => false,
        };
        let finds_nothing = || {
            let found = &prepared.found;
            let is_empty = found.results.is_empty() && prepared.cited.is_empty();
            is_empty && found.absent.is_none() && found.error.is_none() && had_nothing(0)
        };
        let is_offered = matches!(prepared.step, Step::Ask("unclear") | Step::Find)
            && !is_decided
            && finds_nothing();
        let locale = prepared.shop.locale(caller.language);
        // Who keeps nothing cannot be answered later.
        let is_kept = prepared.context.is_some() && prepared.shop.handoff;
        let beside = &mut prepared.beside;
        match prepared.step {
            _ if wants_person && is_kept && !is_decided => {
                prepared.step = Step::Ask("person-called");
                prepared.handoff = Some(Handoff::Requested(EscalationReason::Person));
                prepared.back = Some(locale.text("person-back"));
                prepared.without_model = Some(PERSON);
                beside.lines.extend(locale.contact());
            }
            Step::Say(Intent::Person) if prepared.shop.handoff && caller.owner.is_none() => {
                beside.lines.push(locale.text("person-signed-in"));
                beside.error = Some(SIGNED_OUT);
            }
            Step::Say(Intent::Complaint) if is_kept => {
                prepared.handoff = Some(Handoff::Requested(EscalationReason::Complaint));
                beside.lines.push(locale.text("person-told"));
            }
            Step::Say(Intent::Distress) if is_kept => {
                prepared.handoff = Some(Handoff::Requested(EscalationReason::Distress));
            }
            _ if is_offered => {
                let offer = if is_kept { "person-offer" } else { "person" };
                beside.lines.push(locale.text(offer));
                let contact = locale.contact().filter(|_| !is_kept);
                beside.lines.extend(contact);
            }
            _ => {}
        }
    }
}

/// Why the conversation that a turn goes on with waits for a person, where it does.
fn escalation(commits: Option<&[Commit]>) -> Option<&Escalation> {
    let newest = commits?.first().filter(|newest| !newest.state.archived)?;
    newest.state.escalation.as_ref()
}

/// Whether a message says, in the words that were offered for it, that the customer goes on with the assistant.
fn goes_on_without(message: &str, prepared: &Prepared) -> bool {
    let said = words(message);
    let mut languages = Language::all();
    languages.any(|language| words(&prepared.locale(language).text("person-back")) == said)
}

/// Whether a turn without a model found nothing to answer with.
fn got_nothing(commit: &Commit, currency: &str) -> bool {
    let mut events = commit.events.iter().filter_map(|event| event.known());
    let question = events.clone().find_map(|event| match event {
        Event::UserMessageSent { content } => Some(content.as_str()),
        _ => None,
    });
    let is_empty = events.any(|event| {
        matches!(event, Event::ToolUseCompleted { results, error: None, .. } if results.is_empty())
    });
    let is_of_nothing = |question: &str| match step(meant(question), &route(question, currency)) {
        Step::Ask("unclear") => true,
        Step::Find => sought(question).is_none(),
        _ => false,
    };
    is_empty && question.is_some_and(is_of_nothing)
}
