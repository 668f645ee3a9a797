//! What a customer has changed by words: asked about first, and done once they have said yes.

use futures_util::FutureExt;
use uuid::Uuid;

use super::{
    read::SIGNED_OUT,
    types::{Caller, Prepared, Record, Resolved, TurnEngine},
};
use crate::{
    actions::{
        ActionFailure, Outcome, Payload,
        approvals::{Decision, VALID_FOR},
        choices, of_item, propose,
    },
    answer::{Approval, compose},
    catalogue::ItemResult,
    chain::Chain,
    dialogue::{Proposed, Shown, Task, agrees, chosen, copies, is_plain, named_items, says_one},
    ids::Owner,
    retrieval::Retrieved,
    text::{name, words},
    understand::{Change, Route, Step, intent::Intent},
};

/// Why no model is asked about a change.
const TASK: &str = "task";
/// Most items among which the customer is asked to choose.
const ASKED_AMONG: usize = 3;

impl TurnEngine {
    /// Sees to a change that is wanted, or that was asked about before: what is said to it, and what the customer is asked. `number` is
    /// the item's number that the message says.
    pub(super) async fn see_to_changes(
        &self,
        caller: &Caller,
        number: Option<u64>,
        prepared: &mut Prepared,
    ) {
        let now = self.clock.now();
        let commits = prepared.context.as_deref().unwrap_or_default();
        let message = prepared.request.message.clone();
        let proposed = Proposed::of_log(commits, now);
        let brought = || prepared.request.shown.as_ref()?.task.clone();
        let open = Task::of_log(commits).or_else(brought);
        let asked = proposed.as_ref().filter(|proposed| proposed.is_asked);
        let is_plain = is_plain(&message);
        match (prepared.step, asked, open) {
            (Step::Propose(change), ..) => {
                let task = Task::new(change, None);
                self.see_to(caller, task, number, prepared).boxed().await;
            }
            (Step::Say(Intent::Yes), Some(asked), _) if agrees(&message, prepared.meant) => {
                decide(asked, Decision::Approve, prepared);
            }
            (
                step @ (Step::Find | Step::Ask(_) | Step::Say(Intent::Yes | Intent::No)),
                Some(asked),
                _,
            ) => match asked.with_copies_of(&message) {
                Some(payload) => {
                    self.propose_again(caller, asked, payload, prepared)
                        .boxed()
                        .await
                }
                None if step == Step::Say(Intent::No) && is_plain => {
                    decide(asked, Decision::Reject, prepared);
                }
                // It may be a yes, and that is not enough.
                None if step == Step::Say(Intent::Yes) => {
                    let payload = asked.payload.clone();
                    self.propose_again(caller, asked, payload, prepared)
                        .boxed()
                        .await;
                }
                None => {}
            },
            (Step::Say(Intent::Yes), None, Some(task)) if is_plain => {
                self.see_to(caller, task, number, prepared).boxed().await;
            }
            (Step::Find | Step::Ask(_), None, Some(task)) if prepared.request.files.is_none() => {
                self.go_on(caller, task, number, prepared).boxed().await;
            }
            // What came between is answered, so it is asked about again.
            (Step::Say(Intent::Yes), None, None) if is_plain => {
                if let Some(proposed) = &proposed {
                    let payload = proposed.payload.clone();
                    self.propose_again(caller, proposed, payload, prepared)
                        .boxed()
                        .await;
                }
            }
            _ => {}
        }
    }

    /// Goes on with a change, where the message says what it is of.
    async fn go_on(
        &self,
        caller: &Caller,
        task: Task,
        number: Option<u64>,
        prepared: &mut Prepared,
    ) {
        if task.change.is_of_item() {
            if let Some(item) = self.item_said(prepared) {
                let item = Some(item);
                let task = Task { item, ..task };
                self.see_to(caller, task, number, prepared).boxed().await;
            }
            return;
        }
        let Some(owner) = &caller.owner else { return };
        let counter = self.counter(&prepared.shop);
        let action = task.change.action();
        let found = choices(&counter, owner, caller.language, action).await;
        let found = found.unwrap_or_default();
        // One alone would be taken whatever is said.
        let others = &prepared.found.results;
        if found.len() > 1 && chosen(&prepared.request.message, &found, others).is_some() {
            self.see_to(caller, task, number, prepared).boxed().await;
        }
    }

    /// The item that a message says and nothing else: by its place or number, its whole title, or as one of those shown.
    fn item_said(&self, prepared: &Prepared) -> Option<u64> {
        let (message, found) = (&prepared.request.message, &prepared.found.results);
        let number = |item: &ItemResult| item.libro_id;
        if let Route::LookupId(_) | Route::LookupIsbn(_) = prepared.route {
            return found.first().map(number);
        }
        let title = words(message);
        let mut whole = found.iter().filter(|item| words(&item.titulo) == title);
        if let Some(item) = whole.next() {
            return whole.next().is_none().then(|| number(item));
        }
        let of_log = prepared.context.as_deref().map(Shown::of_log);
        let shown = of_log.or_else(|| prepared.request.shown.clone())?;
        let among: Vec<_> = found
            .iter()
            .filter(|item| shown.has(number(item)))
            .cloned()
            .collect();
        match named_items(message, &among)[..] {
            [one] => among.get(one).map(number),
            _ => None,
        }
    }

    /// Asks about a change, or what it is to be of.
    async fn see_to(
        &self,
        caller: &Caller,
        mut task: Task,
        number: Option<u64>,
        prepared: &mut Prepared,
    ) {
        let change = task.change;
        let keeps = prepared.context.is_some();
        let owner = caller.owner.as_ref().filter(|_| keeps);
        if caller.owner.is_some() && !keeps {
            // A proposal is found again in the log.
            prepared.step = Step::Say(Intent::Unclear);
            prepared.found.results.clear();
            return;
        }
        let message = prepared.request.message.clone();
        let item = if change.is_of_item() {
            match self.item_of(&task, prepared).await {
                Ok(item) => Some(item),
                Err(among) => {
                    task.copies = task.copies.or_else(|| copies(&message, "", number));
                    ask_which_item(caller, &among, prepared);
                    prepared.task = Some(task);
                    return;
                }
            }
        } else {
            None
        };
        prepared.step = Step::Propose(change);
        prepared.without_model = Some(TASK);
        let name = item.as_ref().map(|item| item.titulo.as_str());
        let said = copies(&message, name.unwrap_or_default(), number);
        // A line of the cart is taken out whole where no number is said.
        let one = (change == Change::RemoveFromCart && says_one(&message)).then_some(1);
        if change.has_copies() {
            task.copies = task.copies.or(said).or(one);
        }
        prepared.found.results = item.iter().cloned().collect();
        let Some(owner) = owner else {
            task.item = item.as_ref().map(|item| item.libro_id);
            sign_in_first(caller, item.as_ref(), prepared);
            prepared.task = Some(task);
            return;
        };
        let payload = match &item {
            Some(item) => of_item(&item.id()),
            None => match self.payload_of(caller, owner, &task, prepared).await {
                Some(payload) => payload,
                None => return,
            },
        };
        let payload = with_copies(payload, &task);
        self.propose(caller, owner, change.action(), payload, prepared)
            .await;
    }

    /// The item that a change is of; or those among which it is.
    async fn item_of(
        &self,
        task: &Task,
        prepared: &mut Prepared,
    ) -> Result<ItemResult, Vec<ItemResult>> {
        if let Some(number) = task.item {
            prepared.route = Route::LookupId(number);
            let lookup = (&prepared.route, &prepared.request.message);
            let found = self
                .retrieval
                .run(lookup.0, lookup.1, 1, false, false, self.clock.now());
            prepared.found = found.await;
        }
        let Retrieved { results, .. } = &prepared.found;
        let is_said = match &prepared.route {
            Route::LookupId(_) | Route::LookupIsbn(_) => true,
            Route::Filter { sort, .. } => !sort.is_relevance(),
            _ => false,
        };
        if let Some(first) = results.first().filter(|_| is_said) {
            return Ok(first.clone());
        }
        let named = named_items(&prepared.request.message, results);
        match named[..] {
            [one] => Ok(results[one].clone()),
            _ => Err(named.iter().map(|place| results[*place].clone()).collect()),
        }
    }

    /// What of the customer's own a change is of; where that is not said, it is asked.
    async fn payload_of(
        &self,
        caller: &Caller,
        owner: &Owner,
        task: &Task,
        prepared: &mut Prepared,
    ) -> Option<Payload> {
        let change = task.change;
        if matches!(change, Change::ClearCart | Change::Checkout) {
            return Some(Payload::default());
        }
        let counter = self.counter(&prepared.shop);
        let found = choices(&counter, owner, caller.language, change.action()).await;
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                prepared.record = Some(unavailable(&error));
                return None;
            }
        };
        let message = &prepared.request.message;
        let one = chosen(message, &found, &prepared.found.results);
        if let Some(one) = one.and_then(|one| found.get(one)) {
            return Some(one.payload.clone());
        }
        let locale = prepared.locale(caller.language);
        let opening = locale.text(match (change, found.is_empty()) {
            (Change::CancelReservation, true) => "no-reservation",
            (Change::CancelOrder, true) => "no-open-order",
            (_, true) => "cart-empty",
            (Change::CancelReservation, _) => "which-reservation",
            (Change::CancelOrder, _) => "which-order",
            (_, false) => "which-line",
        });
        let is_open = !found.is_empty();
        let lines = found.into_iter().map(|choice| choice.line);
        prepared.record = Some(Record {
            lines: std::iter::once(opening).chain(lines).collect(),
            error: None,
        });
        prepared.task = is_open.then(|| task.clone());
        None
    }

    /// Asks the customer whether this is to be done, where it can be.
    async fn propose(
        &self,
        caller: &Caller,
        owner: &Owner,
        action: &str,
        payload: Payload,
        prepared: &mut Prepared,
    ) {
        match self
            .ask_about(caller, owner, action, payload, prepared)
            .await
        {
            Ok((record, approval)) => {
                prepared.record = Some(record);
                prepared.approval = approval;
            }
            Err(error) => prepared.record = Some(unavailable(&error)),
        }
    }

    /// The question whether this is to be done, and what stands for it; or why it cannot be.
    pub(super) async fn ask_about(
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
        // What is ordered is what the customer has been told.
        if let Some(total) = outcome.data.get("total").filter(|_| action == "checkout") {
            payload.0.insert("total".to_owned(), total.clone());
        }
        let approval = outcome.effective.then(|| Approval {
            approval: self.clock.new_id(),
            action: action.to_owned(),
            payload: payload.0.into(),
            expires_at: self.clock.now() + VALID_FOR,
        });
        let lines = std::iter::once(outcome.message).chain(outcome.details);
        let record = Record {
            lines: lines.collect(),
            error: outcome.error,
        };
        Ok((record, approval))
    }

    /// Asks once more about what was asked before, at what it costs now; unless it was done, and the log knows nothing of it.
    async fn propose_again(
        &self,
        caller: &Caller,
        proposed: &Proposed,
        payload: Payload,
        prepared: &mut Prepared,
    ) {
        let Some(owner) = &caller.owner else { return };
        let mut payload = payload;
        payload.0.remove("total");
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
        if let Some(number) = payload.item() {
            prepared.route = Route::LookupId(number);
            let lookup = (&prepared.route, &prepared.request.message);
            let found = self
                .retrieval
                .run(lookup.0, lookup.1, 1, false, false, self.clock.now());
            prepared.found = found.await;
        }
        self.propose(caller, owner, &proposed.action, payload, prepared)
            .await;
    }

    /// Sees to a decision once its question is in the log: it stands where the question follows what was asked, and nothing came
    /// between; the log tells so to every attempt at the turn.
    pub(super) async fn keep_decision(
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
    pub(super) async fn settle(&self, caller: &Caller, prepared: &mut Prepared) {
        let Some((owner, (proposed, decision))) =
            caller.owner.as_ref().zip(prepared.decision.take())
        else {
            return;
        };
        let settled = self
            .approvals
            .settle(owner, caller.language, decision, proposed.approval);
        match settled.boxed().await {
            Ok(outcome) => resolve(proposed.approval, decision, outcome, prepared),
            Err(error) => prepared.record = Some(unavailable(&error)),
        }
    }
}

/// The turn decides on what was asked.
fn decide(proposed: &Proposed, decision: Decision, prepared: &mut Prepared) {
    prepared.decision = Some((proposed.clone(), decision));
    prepared.without_model = Some(TASK);
}

/// What came of a decision is the turn's answer.
fn resolve(approval: Uuid, decision: Decision, outcome: Outcome, prepared: &mut Prepared) {
    prepared.resolved = Some(Resolved {
        approval,
        approved: decision == Decision::Approve,
        error: outcome.error,
    });
    let lines = std::iter::once(outcome.message).chain(outcome.details);
    prepared.record = Some(Record {
        lines: lines.collect(),
        error: outcome.error,
    });
}

fn with_copies(mut payload: Payload, task: &Task) -> Payload {
    // A line is taken out whole where no number is said.
    let copies = match task.change {
        Change::RemoveFromCart => task.copies,
        change => task.copies.or(change.has_copies().then_some(1)),
    };
    if let Some(copies) = copies {
        payload.0.insert("cantidad".to_owned(), copies.into());
    }
    payload
}

/// Shows the items among which a change is of one, and asks which one. Where there are none, what was found is shown as ever.
fn ask_which_item(caller: &Caller, among: &[ItemResult], prepared: &mut Prepared) {
    prepared.step = Step::Find;
    if among.is_empty() {
        return;
    }
    prepared.without_model = Some(TASK);
    let locale = prepared.locale(caller.language);
    let lines = among.iter().take(ASKED_AMONG);
    let lines = lines.map(|item| compose::described(item, locale));
    let record = Record {
        lines: std::iter::once(locale.text("which-item"))
            .chain(lines)
            .collect(),
        error: None,
    };
    prepared.record = Some(record);
    prepared.found.results = among.to_vec();
}

/// A guest has nothing of their own; what they want waits until they have signed in.
fn sign_in_first(caller: &Caller, item: Option<&ItemResult>, prepared: &mut Prepared) {
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
    });
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> Record {
    tracing::warn!(error = %Chain(error), "a change cannot be asked about");
    Record {
        lines: Vec::new(),
        error: Some("unavailable"),
    }
}
