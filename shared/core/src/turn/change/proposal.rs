//! A change that the customer is asked about, and what becomes of it.

use futures_util::FutureExt;
use serde_json::Value;
use uuid::Uuid;

use super::{TASK, items::lines};
use crate::{
    actions::{
        ActionFailure, Outcome, Payload,
        approvals::{Decision, VALID_FOR},
        propose,
    },
    answer::Approval,
    catalogue::ItemResult,
    chain::Chain,
    dialogue::{
        Errand, Proposed, Shown, Task, agrees_then, agrees_to, agrees_to_all, calls_off,
        joined_parts, plainly, says_yes,
    },
    ids::Owner,
    language::List,
    log::Event,
    text::{name, words},
    turn::types::{Caller, Prepared, Record, Resolved, SIGNED_OUT, TurnEngine},
    understand::{
        Change, Route, Step,
        intent::{Intent, meant},
    },
};

/// Surer than this, what is said beside a yes is a change of its own.
const SURE: f32 = 0.5;

impl TurnEngine {
    /// Asks the customer whether this is to be done, where it can be.
    pub(super) async fn propose(
        &self,
        caller: &Caller,
        owner: &Owner,
        action: &str,
        payload: Payload,
        prepared: &mut Prepared,
    ) {
        let item = payload.item();
        match self
            .ask_about(caller, owner, action, payload, prepared)
            .await
        {
            Ok((record, approval)) => {
                // The customer may want fewer, where there are some.
                let is_there = prepared.found.results.first();
                let is_there = is_there.is_some_and(|item| item.stock > 0);
                if is_there
                    && matches!(
                        record.error,
                        Some("insufficient_stock" | "reservation_limit")
                    )
                {
                    let change = Change::by(action);
                    prepared.task = change.zip(item).map(|(change, item)| Task {
                        items: vec![item],
                        ..Task::new(change, None)
                    });
                }
                prepared.record = Some(record);
                prepared.approval = approval;
            }
            Err(error) => prepared.record = Some(unavailable(&error)),
        }
    }

    /// The question whether this is to be done, and what stands for it; or why it cannot be.
    pub(in crate::turn) async fn ask_about(
        &self,
        caller: &Caller,
        owner: &Owner,
        action: &str,
        mut payload: Payload,
        prepared: &Prepared,
    ) -> Result<(Record, Option<Approval>), ActionFailure> {
        let counter = self.counter(&prepared.shop);
        let outcome = propose(&counter, owner, caller.language, action, &payload);
        let outcome = outcome.boxed().await?;
        // What is done is what the customer has been told.
        let told: &[&str] = match action {
            "checkout" => &["total"],
            "create_appointment" => &["calendar", "price"],
            "reschedule_appointment" => &["appointment_id", "calendar"],
            "cancel_appointment" => &["appointment_id"],
            _ => &[],
        };
        for name in told {
            if let Some(value) = outcome.data.get(name) {
                payload.0.insert((*name).to_owned(), value.clone());
            }
        }
        let approval = outcome.effective.then(|| Approval {
            approval: self.clock.new_id(),
            action: action.to_owned(),
            payload: payload.0.into(),
            expires_at: self.clock.now() + VALID_FOR,
        });
        Ok((outcome.into(), approval))
    }

    /// Asks once more about what was asked before, at what it costs now; unless it was done, and the log knows nothing of it.
    pub(super) async fn propose_again(
        &self,
        caller: &Caller,
        proposed: &Proposed,
        payload: Payload,
        prepared: &mut Prepared,
    ) {
        let Some(owner) = &caller.owner else { return };
        let mut payload = payload;
        payload.0.remove("total");
        payload.0.remove("price");
        prepared.without_model = Some(TASK);
        match self
            .approvals
            .approved_unseen(owner, proposed.approval)
            .await
        {
            Ok(None) => {}
            Ok(Some(outcome)) => {
                resolve(proposed.approval, Decision::Approve, outcome, prepared);
                return;
            }
            Err(error) => {
                prepared.record = Some(unavailable(&error));
                return;
            }
        }
        let lines = payload.lines();
        let numbers: Vec<u64> = lines.iter().filter_map(Payload::item).collect();
        if !numbers.is_empty() {
            self.look_at(&numbers, prepared).await;
        }
        self.propose(caller, owner, &proposed.action, payload, prepared)
            .await;
    }

    /// The items of these numbers, as the turn's results.
    pub(super) async fn look_at(&self, numbers: &[u64], prepared: &mut Prepared) {
        let route = match numbers {
            [number] => Route::LookupId(*number),
            numbers => Route::LookupIds(numbers.to_vec()),
        };
        self.find(route, prepared).await;
    }

    /// Asks whether several items are to be put into the cart, so many of each as is said; those that are sold out are said to be, and
    /// left out.
    pub(super) async fn propose_for_cart(
        &self,
        caller: &Caller,
        owner: &Owner,
        (items, said): (&[ItemResult], &str),
        prepared: &mut Prepared,
    ) {
        let (there, gone): (Vec<_>, Vec<_>) = items
            .iter()
            .zip(lines(items, said))
            .partition(|(item, _)| item.stock > 0);
        let wanted = if there.is_empty() { &gone } else { &there };
        let payload = match &wanted[..] {
            [(_, line)] => line.clone(),
            wanted => {
                let lines = wanted.iter().map(|(_, line)| Value::from(line.0.clone()));
                let lines = ("items".to_owned(), lines.collect());
                Payload([lines].into_iter().collect())
            }
        };
        let action = Change::AddToCart.action();
        self.propose(caller, owner, action, payload, prepared).await;
        let locale = prepared.locale(caller.language);
        let sold_out = gone.iter().map(|(item, _)| {
            let title = name(&item.titulo);
            let arguments = [("title", (&title).into()), ("count", 0_u32.into())];
            locale.message("insufficient_stock", &arguments)
        });
        let sold_out: Vec<String> = sold_out.filter(|_| !there.is_empty()).collect();
        if let Some(record) = &mut prepared.record {
            record.lines.extend(sold_out);
        }
    }

    /// Items like the one of that number, as the turn's results.
    pub(super) async fn show_similar(&self, number: u64, prepared: &mut Prepared) {
        self.find(Route::SimilarToId(number), prepared).await;
        prepared.step = Step::Find;
    }

    async fn find(&self, route: Route, prepared: &mut Prepared) {
        let (top_k, now) = (prepared.request.top_k, self.clock.now());
        let found = self.retrieval.run(&route, "", top_k, false, false, now);
        prepared.found = found.await;
        prepared.route = route;
    }

    /// Sees to a decision once its question is in the log: it stands where the question follows what was asked, and nothing came
    /// between; the log tells so to every attempt at the turn.
    pub(in crate::turn) async fn keep_decision(
        &self,
        caller: &Caller,
        is_as_read: bool,
        prepared: &mut Prepared,
    ) {
        if is_as_read {
            return;
        }
        if let Some((proposed, Decision::Approve)) = prepared.decision.take() {
            let payload = proposed.payload.clone();
            self.propose_again(caller, &proposed, payload, prepared)
                .boxed()
                .await;
        }
    }

    /// Has done, or leaves, what the customer has decided on, and puts what came of it into the turn.
    pub(in crate::turn) async fn settle(&self, caller: &Caller, prepared: &mut Prepared) {
        let Some((owner, (proposed, decision))) =
            caller.owner.as_ref().zip(prepared.decision.take())
        else {
            return;
        };
        let settled = self
            .approvals
            .settle(owner, caller.language, decision, proposed.approval);
        match settled.boxed().await {
            Ok(outcome) => {
                // Who comes too late says another time.
                if outcome.error.is_some() && proposed.action != "cancel_appointment" {
                    let open = prepared.context.as_deref().and_then(Errand::of_log);
                    prepared.errand = open.map(Errand::at_another_time);
                }
                resolve(proposed.approval, decision, outcome, prepared);
                prepared.ask_for_more(caller);
            }
            Err(error) => prepared.record = Some(unavailable(&error)),
        }
    }
}

/// What was proposed, where a message says yes and what is to be done: then it says yes to that, also where a question came between.
pub(super) fn repeated<'a>(proposed: Option<&'a Proposed>, message: &str) -> Option<&'a Proposed> {
    proposed.filter(|proposed| {
        if agrees_to_all(message, proposed.payload.lines().len()) {
            return proposed.is_asked || (proposed.is_right_before && says_yes(message));
        }
        // A question to the shop came between, and nothing else was asked.
        if plainly(message) == Some(true) && proposed.is_right_before && proposed.shop_was_asked {
            return true;
        }
        if agrees_then(message) {
            return proposed.is_asked || proposed.is_right_before;
        }
        let copies = proposed.payload.quantity().map(|(copies, _)| copies);
        let drops = proposed.action == Change::Forget.action();
        let Some(rest) = agrees_to(message, &proposed.question, copies, drops) else {
            return false;
        };
        let found = meant(&rest);
        // "Sí, todo" says nothing of what is to be done.
        let is_all = List::beside(&[List::Facts], &words(&rest)).is_empty();
        let is_said = found.confidence >= SURE && !is_all;
        let wanted = Change::of(found.intent).filter(|_| is_said);
        let change = Change::by(&proposed.action);
        let takes_away = change.is_some_and(Change::takes_away);
        let is_it = match wanted {
            // "Guárdalo" is said of a copy, and of a note.
            Some(Change::Reserve) if change == Some(Change::Remember) => true,
            Some(wanted) => {
                wanted.action() == proposed.action || (takes_away && wanted.takes_away())
            }
            None => takes_away || !calls_off(&rest),
        };
        is_it && (proposed.is_asked || proposed.may_return)
    })
}

/// What a message says first to what was asked, where it wants something done with another item behind that: another number of copies
/// ("na verdade só 1, e adiciona o Ficções"), or else a yes ("sure, and Mort as well").
pub(super) fn answers_first(asked: &Proposed, prepared: &Prepared) -> Option<Option<Payload>> {
    let is_wanted = matches!(prepared.step, Step::Propose(change) if change.is_of_item());
    let is_named = matches!(prepared.route, Route::LookupId(_) | Route::LookupIds(_));
    let lines = asked.payload.lines();
    let is_asked = |item: &ItemResult| {
        let mut own = lines
            .iter()
            .chain([&asked.payload])
            .filter_map(Payload::item);
        own.any(|own| own == item.libro_id)
    };
    let found = &prepared.found.results;
    let is_other = !found.is_empty() && !found.iter().any(is_asked);
    let parts = joined_parts(&prepared.request.message);
    let (first, rest) = parts.split_first()?;
    if !(is_wanted && is_named && is_other) || rest.is_empty() {
        return None;
    }
    let first = first.join(" ");
    let copies = asked.with_copies_of(&first, "");
    (copies.is_some() || plainly(&first) == Some(true)).then_some(copies)
}

/// The turn decides on what was asked.
pub(in crate::turn) fn decide(proposed: &Proposed, decision: Decision, prepared: &mut Prepared) {
    prepared.decision = Some((proposed.clone(), decision));
    prepared.step = Step::Say(match decision {
        Decision::Approve => Intent::Yes,
        Decision::Reject => Intent::No,
    });
    prepared.found.results.clear();
    prepared.without_model = Some(TASK);
}

/// What came of a decision is the turn's answer.
fn resolve(approval: Uuid, decision: Decision, outcome: Outcome, prepared: &mut Prepared) {
    prepared.resolved = Some(Resolved {
        approval,
        approved: decision == Decision::Approve,
        error: outcome.error,
    });
    prepared.record = Some(outcome.into());
}

pub(super) fn unavailable(error: &(dyn std::error::Error + 'static)) -> Record {
    tracing::warn!(error = %Chain(error), "a change cannot be asked about");
    Record::unavailable()
}

/// A guest has nothing of their own; what they want waits until they have signed in.
pub(super) fn sign_in_first(caller: &Caller, item: Option<&ItemResult>, prepared: &mut Prepared) {
    let locale = prepared.locale(caller.language);
    let text = match item {
        Some(item) => {
            let name = name(&item.titulo);
            locale.message("sign-in-for", &[("title", (&name).into())])
        }
        None => locale.text("sign-in-to-do"),
    };
    prepared.record = Some(Record {
        lines: vec![text],
        error: Some(SIGNED_OUT),
        ..Record::default()
    });
}

/// What was shown before the turn.
pub(super) fn shown(prepared: &Prepared) -> Option<Shown> {
    let of_log = prepared.context.as_deref().map(Shown::of_log);
    of_log.or_else(|| prepared.request.shown.clone())
}

/// The one item that the newest answer showed and nothing else, with the offer of others like it.
pub(super) fn alone(prepared: &Prepared) -> Option<u64> {
    let Some(commits) = prepared.context.as_deref() else {
        return prepared.request.shown.as_ref()?.only();
    };
    let events = commits.first()?.events.iter();
    let mut events = events.filter_map(|event| event.known());
    events.find_map(|event| match event {
        Event::ToolUseCompleted { results, lines, .. } if lines.is_empty() => match &results[..] {
            [one] => Some(one.libro_id),
            _ => None,
        },
        _ => None,
    })
}
