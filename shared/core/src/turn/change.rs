//! What a customer has changed by words: asked about first, and done once they have said yes.

mod items;
mod notes;
mod own;
mod proposal;

use futures_util::FutureExt;

pub(super) use self::proposal::decide;

use self::{
    items::{ask_which_item, called_in, with_copies},
    proposal::{alone, answers_first, repeated, shown, sign_in_first},
};
use super::types::{Caller, Prepared, TurnEngine};
use crate::{
    actions::{approvals::Decision, choices, of_item},
    catalogue::ItemResult,
    dialogue::{
        Proposed, Task, chosen, content, copies, denies, forbids, last_sentence, names_choice,
        number, only_copies, plainly, says_change, says_how_many, says_one, says_one_word,
        says_that, without_name,
    },
    language::List,
    log::{Commit, Event},
    text::words,
    understand::{
        Change, Exclusion, Route, Step,
        intent::{Intent, meant},
    },
};

/// The clause of a message that wants this changed.
fn clause_of(change: Change, message: &str) -> Option<&str> {
    let mut clauses = message.split([',', '.', ';', '!', '\n']);
    clauses.find(|clause| Change::of(meant(clause).intent) == Some(change))
}

/// Whether a message goes on with so many more of what is called so there: "e mais 2 de Sapiens".
fn adds_copies(message: &str, name: &str) -> bool {
    let said = words(message);
    let joined = said.first();
    joined.is_some_and(|word| List::Markers.in_all().stands(word, "clause"))
        && copies(message, name, None).is_some()
}

/// Why no model is asked about a change.
const TASK: &str = "task";

/// Less surely, what says of no item what is to be done with it is a question for it.
const HARDLY: f32 = 0.6;
/// Less sure than this, a message that does not say what is to be done goes on with what was done last.
const SURE_OF_CHANGE: f32 = 0.7;

/// What a message says by its form, whatever it goes back to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said {
    /// The number of an item.
    pub(super) number: Option<u64>,
    /// What it wants changed.
    pub(super) change: Option<Change>,
}

impl Said {
    /// Of a message that is routed so by itself, and for what its words are for.
    pub(super) fn of(route: &Route, step: Step) -> Self {
        Self {
            number: match route {
                Route::LookupId(number) => Some(*number),
                _ => None,
            },
            change: match step {
                Step::Propose(change) => Some(change),
                _ => None,
            },
        }
    }
}

impl TurnEngine {
    /// Sees to a change that is wanted, or that was asked about before: what is said to it, and what the customer is asked.
    pub(super) async fn see_to_changes(
        &self,
        caller: &Caller,
        said: Said,
        prepared: &mut Prepared,
    ) {
        let now = self.clock.now();
        let commits = prepared.context.as_deref().unwrap_or_default();
        let message = prepared.wish.clone();
        let proposed = Proposed::of_log(commits, now);
        let brought = || prepared.request.shown.as_ref()?.task.clone();
        let open = Task::of_log(commits).or_else(brought);
        let said_to_all = prepared.request.message.clone();
        let said_to_it = &prepared.request.message;
        let said_to_it = last_sentence(said_to_it).unwrap_or(said_to_it).to_owned();
        let repeated = repeated(proposed.as_ref(), &said_to_it);
        let asked = proposed.as_ref().filter(|proposed| proposed.is_asked);
        let asked = asked.or(repeated);
        // A question beside it makes a yes none.
        let is_yes = plainly(&said_to_it).or(repeated.map(|_| true));
        // "Sure, and Mort as well": one after the other.
        let answered = asked.and_then(|asked| Some((asked, answers_first(asked, prepared)?)));
        if let Some((asked, payload)) = answered {
            prepared.says_more = true;
            match payload {
                Some(payload) => {
                    self.propose_again(caller, asked, payload, prepared)
                        .boxed()
                        .await;
                }
                None => decide(asked, Decision::Approve, prepared),
            }
            return;
        }
        let first = prepared.found.results.first();
        let name = first.map_or_else(String::new, |item| called_in(item, &message));
        let first = first.map(|item| item.libro_id);
        let another = asked.and_then(|asked| {
            let own = if asked.payload.item() == first {
                &name
            } else {
                ""
            };
            asked.with_copies_of(&message, own).zip(Some(asked))
        });
        if let Some((payload, asked)) = another {
            self.propose_again(caller, asked, payload, prepared)
                .boxed()
                .await;
            return;
        }
        // "Pues tres", of what there are not so many of.
        let fewer = open.as_ref().filter(|task| {
            let is_of_copies = task.items.len() == 1 && task.change.has_copies();
            is_of_copies && asked.is_none() && prepared.step != Step::Say(Intent::Distress)
        });
        if let Some((task, copies)) = fewer.cloned().zip(only_copies(&message)) {
            let copies = Some(copies);
            let task = Task { copies, ..task };
            self.see_to(caller, task, said, prepared).boxed().await;
            return;
        }
        match (prepared.step, asked, open) {
            (Step::Say(Intent::Distress), ..) => {}
            (_, Some(asked), _) if is_yes.is_some() => {
                let decision = match is_yes {
                    Some(true) => Decision::Approve,
                    _ => Decision::Reject,
                };
                decide(asked, decision, prepared);
            }
            // "No, don't cancel it, leave it."
            (_, Some(asked), _)
                if content(&said_to_all).is_empty()
                    && Change::by(&asked.action)
                        .is_some_and(|change| forbids(&said_to_all, change)) =>
            {
                decide(asked, Decision::Reject, prepared);
            }
            (Step::Propose(change), ..) => {
                // "Cancélala" is of what was listed last.
                let is_called_off =
                    matches!(change, Change::CancelOrder | Change::CancelReservation)
                        && says_one_word(&message);
                let listed = listed_for(commits).filter(|_| is_called_off);
                // "And 3 of Cosmos" does not say what is to be done with them.
                let is_unsaid = matches!(change, Change::AddToCart | Change::Reserve)
                    && (prepared.meant.confidence < SURE_OF_CHANGE || adds_copies(&message, &name))
                    && !says_change(&message);
                let last = last_of_item(commits);
                let counts = copies(&message, &name, said.number).is_some();
                // "Y El grúfalo" behind a question asks the same of that.
                let joint = words(&message).into_iter().next();
                let is_joined = |word: String| List::Amounts.in_all().stands(&word, "and");
                let goes_on = joint.is_some_and(is_joined) && !counts;
                if is_unsaid && last.is_none() && goes_on && prepared.meant.confidence < HARDLY {
                    prepared.step = Step::Find;
                    return;
                }
                let unsaid = is_unsaid.then(|| last.unwrap_or(Change::AddToCart));
                let task = Task::new(listed.or(unsaid).unwrap_or(change), None);
                self.see_to(caller, task, said, prepared).boxed().await;
            }
            // "¿De qué año es el segundo?" wants to know that.
            (Step::Find | Step::Ask(_) | Step::Say(Intent::Yes | Intent::No), Some(asked), _)
                if prepared.found.asks_nothing() =>
            {
                self.answer(caller, asked, said, prepared).boxed().await;
            }
            // "Y 12 de Bodas de sangre", behind others.
            (Step::Find, None, _)
                if matches!(prepared.route, Route::LookupId(_))
                    && prepared.found.asks_nothing()
                    && is_counted(&prepared.found.results, &message) =>
            {
                let change = last_of_item(commits).unwrap_or(Change::AddToCart);
                let task = Task::new(change, None);
                self.see_to(caller, task, said, prepared).boxed().await;
            }
            // "Quiero dos", of what was shown last.
            (Step::Find, None, _)
                if only_copies(&message).is_some_and(|copies| copies > 1 || says_one(&message))
                    && said.number.is_none()
                    && prepared.found.asks_nothing()
                    && matches!(prepared.route, Route::LookupId(_)) =>
            {
                let task = Task::new(Change::AddToCart, None);
                self.see_to(caller, task, said, prepared).boxed().await;
            }
            (Step::Ask(_), ..) if said.change.is_some() => {
                let copies = copies(&message, "", said.number);
                prepared.task = said.change.map(|change| Task::new(change, copies));
            }
            // A yes says what to do, and not with what.
            (_, None, Some(task))
                if is_yes == Some(true)
                    && (!task.items.is_empty() || !task.change.is_of_item()) =>
            {
                self.see_to(caller, task, said, prepared).boxed().await;
            }
            (Step::Find | Step::Ask(_), None, Some(task)) if prepared.request.files.is_none() => {
                self.go_on(caller, task, said, prepared).boxed().await;
            }
            // Of what a customer says of themselves, the shop knows nothing.
            (Step::Say(Intent::OffTopic), None, Some(task)) if task.change == Change::Remember => {
                self.go_on(caller, task, said, prepared).boxed().await;
            }
            // What came between is answered, so it is asked about again.
            (_, None, None) if is_yes == Some(true) => {
                if let Some(proposed) = proposed.filter(|proposed| proposed.may_return) {
                    let payload = proposed.payload.clone();
                    self.propose_again(caller, &proposed, payload, prepared)
                        .boxed()
                        .await;
                // "Vale, gracias" wants no more.
                } else if !matches!(prepared.step, Step::Say(Intent::Thanks | Intent::Goodbye))
                    && let Some(number) = alone(prepared)
                {
                    self.show_similar(number, prepared).boxed().await;
                }
            }
            _ => {}
        }
    }

    /// Takes up what is said to a proposal and is no plain yes or no: another item, or what may be either.
    async fn answer(&self, caller: &Caller, asked: &Proposed, said: Said, prepared: &mut Prepared) {
        let message = prepared.wish.clone();
        let change = Change::by(&asked.action).filter(|change| change.is_of_item());
        let item = self.item_said(prepared).filter(|_| said.number.is_none());
        // "Ese no."
        if item.is_some() && item == asked.payload.item() && denies(&message) {
            decide(asked, Decision::Reject, prepared);
            return;
        }
        if let (Some(Change::AddToCart), Route::LookupIds(_)) = (change, &prepared.route) {
            let task = Task::new(Change::AddToCart, None);
            self.see_to(caller, task, said, prepared).await;
            return;
        }
        if let Some((change, item)) = change.zip(item) {
            let copies = asked.payload.quantity().map(|(copies, _)| copies);
            let task = Task {
                items: vec![item],
                ..Task::new(change, copies)
            };
            self.see_to(caller, task, said, prepared).await;
            return;
        }
        match prepared.step {
            Step::Say(Intent::No) => {
                decide(asked, Decision::Reject, prepared);
            }
            // It may be a yes, and that is not enough.
            Step::Say(Intent::Yes) => {
                let payload = asked.payload.clone();
                self.propose_again(caller, asked, payload, prepared).await;
            }
            _ => {}
        }
    }

    /// Goes on with a change, where the message says what it is of.
    async fn go_on(&self, caller: &Caller, task: Task, said: Said, prepared: &mut Prepared) {
        if task.change.is_of_item() {
            let items: Vec<u64> = match &prepared.route {
                Route::LookupIds(items) => items.clone(),
                _ => self.item_said(prepared).into_iter().collect(),
            };
            if !items.is_empty() {
                let task = Task { items, ..task };
                self.see_to(caller, task, said, prepared).boxed().await;
            }
            return;
        }
        let Some(owner) = &caller.owner else { return };
        if notes::goes_on(&task, prepared) {
            self.see_to(caller, task, said, prepared).boxed().await;
            return;
        }
        let counter = self.counter(&prepared.shop);
        let action = task.change.action();
        let found = choices(&counter, owner, caller.language, action).await;
        let found = found.unwrap_or_default();
        // One alone would be taken whatever is said.
        let others = &prepared.found.results;
        let is_meant = match &found[..] {
            [_] => names_choice(&prepared.wish, &found),
            _ => chosen(&prepared.wish, &found, others).is_some(),
        };
        if is_meant {
            self.see_to(caller, task, said, prepared).boxed().await;
        }
    }

    /// Asks about a change, or what it is to be of.
    async fn see_to(&self, caller: &Caller, mut task: Task, said: Said, prepared: &mut Prepared) {
        let keeps = prepared.context.is_some();
        let owner = caller.owner.as_ref().filter(|_| keeps);
        // "Order it", and nothing is in the cart.
        if task.change == Change::Checkout
            && says_that(&prepared.wish)
            && let Some(owner) = owner
            && shown(prepared).is_some_and(|shown| shown.first().is_some())
            && self.has_no_cart(caller, owner, prepared).await
        {
            task = Task::new(Change::AddToCart, None);
        }
        let change = task.change;
        if caller.owner.is_some() && !keeps {
            // A proposal is found again in the log; an item has its buttons.
            prepared.step = Step::Say(Intent::Unclear);
            if !change.is_of_item() {
                prepared.found.results.clear();
            }
            return;
        }
        let message = prepared.wish.clone();
        let left = Exclusion::read(&message);
        let is_left = |item: &ItemResult| left.as_ref().is_some_and(|left| left.leaves_out(item));
        let items = if change.is_of_item() {
            match self.items_of(&task, prepared).await {
                // "Add all of them except The Silmarillion" is of what is not named.
                Ok(items) if !items.is_empty() && items.iter().all(is_left) => {
                    prepared.step = Step::Ask("which-of-these");
                    prepared.found.results.clear();
                    return;
                }
                Ok(items) => items,
                Err(among) => {
                    task.copies = task.copies.or_else(|| copies(&message, "", said.number));
                    ask_which_item(caller, &among, prepared);
                    prepared.task = Some(task);
                    return;
                }
            }
        } else {
            Vec::new()
        };
        prepared.step = Step::Propose(change);
        prepared.without_model = Some(TASK);
        let item = match &items[..] {
            [item] => Some(item),
            _ => None,
        };
        let name = item.map(|item| called_in(item, &message));
        // "Al final somos 2, quita uno."
        let counting = match change {
            Change::RemoveFromCart => clause_of(change, &message).unwrap_or(&message),
            _ => &message,
        };
        let said = copies(counting, name.as_deref().unwrap_or_default(), said.number);
        // A line of the cart is taken out whole where no number is said.
        let one = (change == Change::RemoveFromCart && says_one(counting)).then_some(1);
        if change.has_copies() && items.len() < 2 {
            task.copies = task.copies.or(said).or(one);
        }
        let found = std::mem::replace(&mut prepared.found.results, items.clone());
        let Some(owner) = owner else {
            task.items = items.iter().map(|item| item.libro_id).collect();
            task.text = notes::text_of(&task, &message);
            sign_in_first(caller, item, prepared);
            prepared.task = Some(task);
            return;
        };
        let payload = match (item, &items[..]) {
            (Some(item), _) => of_item(&item.id()),
            (None, [_, ..]) => {
                let said = notes::text_of(&task, &message).unwrap_or(message);
                self.propose_for_cart(caller, owner, (&items, &said), prepared)
                    .await;
                return;
            }
            (None, []) => match self
                .payload_of(caller, owner, (&mut task, &found), prepared)
                .await
            {
                Some(payload) => payload,
                None => return,
            },
        };
        // "Que sean tres" is so many in all, where there are some already.
        let rest = name.and_then(|name| without_name(&message, &name));
        let in_all = says_how_many(rest.as_deref().unwrap_or(&message));
        let in_all = in_all.filter(|_| change == Change::AddToCart);
        if in_all.is_some()
            && self
                .is_in_cart(caller, owner, payload.item(), prepared)
                .await
        {
            task = Task::new(Change::SetQuantity, in_all);
        }
        let payload = with_copies(payload, &task);
        self.propose(caller, owner, task.change.action(), payload, prepared)
            .await;
    }
}

/// Whether a message says a number of copies and the title of the item that was found, and nothing else.
fn is_counted(found: &[ItemResult], message: &str) -> bool {
    let [item] = found else { return false };
    // "Los 3 mosqueteros" counts none of them.
    let (function, units) = (List::Function.in_all(), List::Units.in_all());
    let said = words(message);
    let counts = said.windows(2).any(|pair| {
        let of = function.has(&pair[1]) || units.stands(&pair[1], "copies");
        number(&pair[0]).is_some() && of
    });
    if !counts || message.contains('?') {
        return false;
    }
    let content = content(message);
    let mut titles = item.titles();
    let is_all = |title: &&str| {
        let own = words(title);
        content.iter().all(|word| own.contains(word))
    };
    let title = titles.find(is_all).filter(|_| !content.is_empty());
    title.is_some_and(|title| copies(message, title, None).is_some())
}

/// What was last asked about that is to be done with an item.
fn last_of_item(commits: &[Commit]) -> Option<Change> {
    let events = commits.iter().flat_map(|commit| &commit.events);
    let mut events = events.filter_map(|event| event.known());
    events.find_map(|event| match event {
        Event::ApprovalRequested { tool_name, .. } => {
            Change::by(tool_name).filter(|change| change.is_of_item())
        }
        _ => None,
    })
}

/// What is cancelled of what the newest answer listed of the customer's own.
fn listed_for(commits: &[Commit]) -> Option<Change> {
    let events = commits.first()?.events.iter();
    let mut events = events.filter_map(|event| event.known());
    events.find_map(|event| match event {
        Event::ToolUseRequested { tool_name, .. } => {
            let cancels = [Change::CancelOrder, Change::CancelReservation];
            cancels
                .into_iter()
                .find(|change| change.reads() == tool_name)
        }
        _ => None,
    })
}
