//! What of the customer's own a change is of: a line of the cart, what is put aside, an order, a note.

use super::{listed_for, notes, proposal::unavailable};
use crate::{
    actions::{Choice, Payload, choices},
    catalogue::ItemResult,
    dialogue::{Task, chosen, content, names_choice, says_how_many, says_one_word},
    ids::Owner,
    index::Sort,
    language::List,
    text::words,
    tools::shop_info::topic_of,
    turn::types::{Caller, Prepared, Record, TurnEngine},
    understand::{Change, Exclusion, Route, topic::Topic},
};

impl TurnEngine {
    /// What is taken back of the customer's own, by like words.
    const TAKEN_BACK: [Change; 3] = [
        Change::RemoveFromCart,
        Change::CancelReservation,
        Change::CancelOrder,
    ];

    /// What else of the customer's own is meant where there is nothing of that kind: what was listed last, or what the message names, as in
    /// "anula la de Patria" of what is put aside; or, where it names nothing, the only kind that there is of: "mejor cancélala".
    async fn elsewhere(
        &self,
        caller: &Caller,
        owner: &Owner,
        change: Change,
        prepared: &Prepared,
    ) -> Option<(Change, Vec<Choice>)> {
        let commits = prepared.context.as_deref().unwrap_or_default();
        let listed = listed_for(commits).filter(|_| content(&prepared.wish).is_empty());
        let counter = self.counter(&prepared.shop);
        let mut all = Vec::new();
        for other in Self::TAKEN_BACK
            .into_iter()
            .filter(|other| *other != change)
        {
            let own = choices(&counter, owner, caller.language, other.action()).await;
            let own = own.unwrap_or_else(|error| {
                unavailable(&error);
                Vec::new()
            });
            if !own.is_empty() {
                all.push((other, own));
            }
        }
        let is_meant = |(other, own): &(Change, Vec<Choice>)| {
            listed == Some(*other) || names_choice(&prepared.wish, own)
        };
        let is_only = all.len() == 1 && says_one_word(&prepared.wish);
        let at = all.iter().position(is_meant).or(is_only.then_some(0))?;
        Some(all.swap_remove(at))
    }

    /// The lines of the customer's cart; none where they cannot be read.
    async fn cart_lines(
        &self,
        caller: &Caller,
        owner: &Owner,
        prepared: &Prepared,
    ) -> Option<Vec<Choice>> {
        let counter = self.counter(&prepared.shop);
        let action = Change::RemoveFromCart.action();
        choices(&counter, owner, caller.language, action).await.ok()
    }

    /// Whether the customer's cart has that item in it.
    pub(super) async fn is_in_cart(
        &self,
        caller: &Caller,
        owner: &Owner,
        item: Option<u64>,
        prepared: &Prepared,
    ) -> bool {
        let lines = self.cart_lines(caller, owner, prepared).await;
        let mut lines = lines.into_iter().flatten();
        lines.any(|line| line.payload.item() == item)
    }

    /// Whether nothing is in it.
    pub(super) async fn has_no_cart(
        &self,
        caller: &Caller,
        owner: &Owner,
        prepared: &Prepared,
    ) -> bool {
        let lines = self.cart_lines(caller, owner, prepared).await;
        lines.is_some_and(|lines| lines.is_empty())
    }

    /// What of the customer's own a change is of; where that is not said, it is asked.
    pub(super) async fn payload_of(
        &self,
        caller: &Caller,
        owner: &Owner,
        (task, others): (&mut Task, &[ItemResult]),
        prepared: &mut Prepared,
    ) -> Option<Payload> {
        if task.change == Change::ClearCart && Exclusion::read(&prepared.wish).is_some() {
            *task = Task::new(Change::RemoveFromCart, None);
        }
        let change = task.change;
        if matches!(change, Change::ClearCart | Change::Checkout) {
            return Some(Payload::default());
        }
        if change == Change::Remember {
            return notes::to_remember(caller, task, prepared);
        }
        let counter = self.counter(&prepared.shop);
        let found = choices(&counter, owner, caller.language, change.action()).await;
        let mut found = match found {
            Ok(found) => found,
            Err(error) => {
                prepared.record = Some(unavailable(&error));
                return None;
            }
        };
        if change == Change::Forget {
            return notes::to_forget(caller, task, found, prepared);
        }
        if found.is_empty() && Self::TAKEN_BACK.contains(&change) {
            let elsewhere = self.elsewhere(caller, owner, change, prepared).await;
            if let Some((other, own)) = elsewhere {
                (*task, found) = (Task::new(other, None), own);
            }
        }
        let change = task.change;
        let message = &prepared.wish;
        // "Quita todo menos Rayuela" is of what is not named.
        if let Some(left) = Exclusion::read(message) {
            let is_left =
                |choice: &Choice| left.leaves_out_name(&choice.names.titles, &choice.names.makers);
            let (stays, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_left);
            if others.is_empty() && !stays.is_empty() {
                prepared.record = Some(Record {
                    lines: stays.into_iter().map(|choice| choice.line).collect(),
                    ..Record::default()
                });
                return None;
            }
            found = others;
        }
        // "Quita el más caro."
        let mut one = match &prepared.route {
            Route::Filter { sort, .. }
                if change == Change::RemoveFromCart && !names_choice(message, &found) =>
            {
                first_by(&found, *sort)
            }
            _ => chosen(message, &found, others),
        };
        // What was delivered is no longer called off: it is sent back.
        let is_return = change == Change::CancelOrder
            && (says_return(message) || (found.is_empty() && topic_of(message) == Topic::Returns));
        if change == Change::CancelOrder && (one.is_none() || is_return) {
            let returned = Task::new(Change::ReturnOrder, None);
            let action = returned.change.action();
            let delivered = choices(&counter, owner, caller.language, action).await;
            let delivered = match delivered {
                Ok(delivered) => delivered,
                Err(error) => {
                    prepared.record = Some(unavailable(&error));
                    return None;
                }
            };
            let named = if is_return {
                chosen(message, &delivered, others)
            } else {
                let open = found.len();
                let all: Vec<Choice> = found.iter().chain(&delivered).cloned().collect();
                // One alone is meant unsaid, unless there is a newer order, which cannot be called off either.
                let is_meant = |choice: &Choice| all.len() > 1 || choice.is_newest;
                let named = chosen(message, &all, others);
                let named = named.and_then(|place| place.checked_sub(open));
                named.filter(|place| delivered.get(*place).is_some_and(is_meant))
            };
            if named.is_some() || (is_return && !delivered.is_empty()) {
                (*task, found, one) = (returned, delivered, named);
            }
        }
        let change = task.change;
        if let Some(one) = one.and_then(|one| found.get(one)) {
            let wanted = says_how_many(message).filter(|_| change == Change::RemoveFromCart);
            if wanted == Some(one.copies) {
                prepared.record = Some(Record {
                    lines: vec![one.line.clone()],
                    error: None,
                    ..Record::default()
                });
                return None;
            }
            if wanted.is_some() {
                *task = Task::new(Change::SetQuantity, wanted);
            }
            return Some(one.payload.clone());
        }
        // One that is named by its number, and is none of these: the action says what is wrong with it.
        let number = words(message)
            .iter()
            .find_map(|word| word.parse::<u32>().ok());
        if let Some((name, number)) = change.numbered().zip(number) {
            return Some(Payload(
                [(name.to_owned(), number.into())].into_iter().collect(),
            ));
        }
        let locale = prepared.locale(caller.language);
        // Who has nothing to send back asks how it is done.
        if is_return && found.is_empty() {
            let question = Some((message.as_str(), Topic::Returns));
            prepared.record = Some(self.shop_info(question, locale).await);
            return None;
        }
        let opening = locale.text(match (change, found.is_empty()) {
            (Change::CancelReservation, true) => "no-reservation",
            (Change::CancelOrder | Change::ReturnOrder, true) => "no-open-order",
            (_, true) => "cart-empty",
            (Change::CancelReservation, _) => "which-reservation",
            (Change::CancelOrder, _) => "which-order",
            (Change::ReturnOrder, _) => "which-return",
            (_, false) => "which-line",
        });
        let is_open = !found.is_empty();
        let lines = found.into_iter().map(|choice| choice.line);
        prepared.record = Some(Record {
            lines: std::iter::once(opening).chain(lines).collect(),
            asks: is_open,
            ..Record::default()
        });
        if is_open {
            prepared.without_model = None;
            prepared.task = Some(task.clone());
        }
        None
    }
}

/// The one of the cart's lines that is first in that order.
fn first_by(lines: &[Choice], sort: Sort) -> Option<usize> {
    let places = lines.iter().enumerate();
    let places =
        places.filter_map(|(at, line)| Some((sort.place(line.price?, line.copies, None), at)));
    places.min().map(|(_, at)| at)
}

/// Whether a message says that something is to be sent back.
fn says_return(message: &str) -> bool {
    List::Topics.in_all().says(&words(message), "returns")
}
