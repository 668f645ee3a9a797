//! Everything that is kept of a customer, line by line.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{HistoryError, conversation_of, rfc3339, with_summary};
use crate::{
    booking::{BookingError, Bookings},
    files::{FilesUnavailable, Shelves},
    ids::Owner,
    log::{Commit, Log, Order, Place, Stretch},
    purchases::{Account, Contact, PurchaseError, Purchases},
    view::{Projected, View},
};

/// An answer holds about so much, since a function's answer ends at 6 MB.
const EXPORT_BYTES: usize = 3 << 20;
/// Commits read at once.
const COMMITS_PER_READ: usize = 100;
/// Orders or reservations read at once.
const PURCHASES_PER_READ: usize = 100;

/// What a customer's data is gathered from.
#[derive(Clone)]
pub struct Exporter {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    pub purchases: Arc<dyn Purchases>,
    pub bookings: Arc<dyn Bookings>,
    pub shelves: Arc<dyn Shelves>,
}

/// A part of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub lines: String,
    /// Where the next part begins, if there is one.
    pub next: Option<Place>,
}

impl From<PurchaseError> for HistoryError {
    fn from(error: PurchaseError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

impl From<BookingError> for HistoryError {
    fn from(error: BookingError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

impl From<FilesUnavailable> for HistoryError {
    fn from(error: FilesUnavailable) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

impl Exporter {
    /// JSON lines from `from` on: the events of every conversation in order, each conversation after its events, and in the end
    /// the purchases, what is remembered, the appointments, what documents there are and a line of type `end`.
    ///
    /// # Errors
    /// [`HistoryError::Unavailable`].
    pub async fn export(&self, owner: &Owner, from: Option<Place>) -> Result<Export, HistoryError> {
        let mut lines = Lines::default();
        let start = from.unwrap_or(Stretch::ALL.from);
        let mut stretch = Stretch::ALL.starting_at(start);
        // A part begins with the commit that the one before ended with, to know whether its conversation has ended.
        let mut last: Option<Commit> = None;
        while let Some(wanted) = stretch {
            let commits = self
                .log
                .read(owner, wanted, Order::OldestFirst, COMMITS_PER_READ)
                .await?;
            let more = commits.len() == COMMITS_PER_READ;
            for commit in commits {
                if let Some(ended) = &last
                    && ended.conversation != commit.conversation
                {
                    lines.push(&self.conversation(owner, ended).await?);
                }
                let place = (commit.conversation, commit.first_seq);
                if commit.state.erased {
                    continue;
                }
                if from != Some(place) {
                    events(&commit).for_each(|line| lines.push(&line));
                }
                last = Some(commit);
                if lines.text.len() >= EXPORT_BYTES {
                    return Ok(Export {
                        lines: lines.text,
                        next: Some(place),
                    });
                }
            }
            let place = last.as_ref().filter(|_| more);
            stretch = place.and_then(|last| {
                let after = last.first_seq.plus(1);
                Stretch::ALL.starting_at((last.conversation, after))
            });
        }
        if let Some(ended) = &last {
            lines.push(&self.conversation(owner, ended).await?);
        }
        self.purchases(owner, &mut lines).await?;
        for (business, kept) in self.bookings.everywhere(owner).await? {
            let appointment = kept.appointment;
            let line =
                json!({"type": "appointment", "business_id": business, "appointment": appointment});
            lines.push(&line);
        }
        for file in self.shelves.list(owner).await? {
            lines.push(&json!({"type": "file", "file": file}));
        }
        lines.push(&json!({"type": "end"}));
        Ok(Export {
            lines: lines.text,
            next: None,
        })
    }

    async fn conversation(&self, owner: &Owner, last: &Commit) -> Result<Value, HistoryError> {
        let conversation = conversation_of(owner, &Projected::from(last), last.at);
        let conversation = with_summary(&*self.view, owner, conversation).await?;
        Ok(json!({"type": "conversation", "conversation": conversation}))
    }

    async fn purchases(&self, owner: &Owner, lines: &mut Lines) -> Result<(), HistoryError> {
        let account = self.purchases.account(owner).await?;
        let Account {
            cart,
            notes,
            contact,
            ..
        } = account;
        lines.push(&json!({"type": "cart", "lineas": cart}));
        for note in notes {
            lines.push(&json!({"type": "note", "note": note}));
        }
        if contact != Contact::default() {
            lines.push(&json!({"type": "contact", "contact": contact}));
        }
        let (mut before, limit) = (None, PURCHASES_PER_READ);
        loop {
            let page = self.purchases.reservations(owner, before, limit).await?;
            before = page.last().map(|oldest| oldest.reservation_id);
            for reservation in &page {
                lines.push(&json!({"type": "reservation", "reservation": reservation}));
            }
            if page.len() < limit {
                break;
            }
        }
        before = None;
        loop {
            let page = self.purchases.orders(owner, before, limit).await?;
            before = page.last().map(|oldest| oldest.order_id);
            for order in &page {
                lines.push(&json!({"type": "order", "order": order}));
            }
            if page.len() < limit {
                return Ok(());
            }
        }
    }
}

fn events(commit: &Commit) -> impl Iterator<Item = Value> + '_ {
    commit.numbered().map(|(id, event)| {
        json!({
            "type": "event",
            "conversation": commit.conversation,
            "id": id,
            "created_at": rfc3339(commit.at),
            "turn_id": commit.turn_id,
            "event": event.encode(),
        })
    })
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn push(&mut self, line: &Value) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
    }
}
