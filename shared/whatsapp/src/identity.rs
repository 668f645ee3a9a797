//! Which customer somebody is: by a user id, by a number, or by both, however these change.
//!
//! All of it is within one business: user ids mean nothing elsewhere. What is known lies with two links, user id → customer and
//! number → customer. A decision takes what the links say now, and gives the steps that make them right; who keeps them takes
//! the steps in one transaction.
//!
//! A parent id spans businesses, so it is no link here.
//!
//! - A user id is one person's for good: it is never given to another, and who gets a new one keeps the old.
//! - A number is lent. Who comes with it and another user id has it from then on, and gets nothing of who had it before.
//! - Customers are merged, never split: the merged one's id leads to the other from then on.
//! - A message with a number alone is of who has the number now. There are none since April 2026.
//! - What comes late (deliveries repeat for seven days) takes no number from who has it since.

mod directory;
#[cfg(test)]
mod tests;

use time::OffsetDateTime;

pub use directory::Directory;

use crate::{
    ids::{Phone, UserId},
    webhook::{Change, Sender},
};

/// A customer of a business. The id is of whoever keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer<Id> {
    pub id: Id,
    /// Orders customers by their first message; of two that are merged the older stays.
    pub since: OffsetDateTime,
    /// Whether a user id was ever theirs.
    pub has_user_id: bool,
    pub phone: Option<Phone>,
    /// When the number was last seen to be theirs, or to be theirs no more. None: no number was ever known.
    pub phone_at: Option<OffsetDateTime>,
}

/// What a message shows of its sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    pub user_id: Option<UserId>,
    pub phone: Option<Phone>,
    pub at: OffsetDateTime,
}

impl Sighting {
    #[must_use]
    pub fn of(sender: &Sender, at: OffsetDateTime) -> Self {
        Self {
            user_id: sender.user_id.clone(),
            phone: sender.phone.clone(),
            at,
        }
    }
}

/// What a system message says of a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    pub before: Names,
    pub after: Names,
    pub at: OffsetDateTime,
}

/// How a customer is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub user_id: Option<UserId>,
    pub phone: Option<Phone>,
}

impl Renaming {
    #[must_use]
    pub fn of(change: &Change) -> Self {
        Self {
            before: Names {
                user_id: change.before.user_id.clone(),
                phone: change.before.phone.clone(),
            },
            after: Names {
                user_id: change.after.user_id.clone(),
                phone: change.after.phone.clone(),
            },
            at: change.at,
        }
    }
}

/// What the links say now of the names in a sighting, or of those after a renaming.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<Id> {
    pub by_user_id: Option<Customer<Id>>,
    pub by_phone: Option<Customer<Id>>,
}

/// A change of what is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<Id> {
    Create {
        customer: Id,
        since: OffsetDateTime,
    },
    /// The user id leads to the customer.
    Link {
        user_id: UserId,
        customer: Id,
    },
    /// The number leads to the customer, and to nobody else; their former number leads nowhere.
    Lend {
        phone: Phone,
        customer: Id,
        at: OffsetDateTime,
    },
    /// All that leads to `from` leads to `into`, and `from` is another name of it.
    Merge {
        from: Id,
        into: Id,
    },
}

/// Who it is, and what to do so that they are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision<Id> {
    pub customer: Id,
    pub steps: Vec<Step<Id>>,
}

/// The customer of a message. `fresh` is the id of a customer who is not known yet.
pub fn sighted<Id: Clone + PartialEq>(
    sighting: &Sighting,
    found: Found<Id>,
    fresh: Id,
) -> Decision<Id> {
    let Sighting { user_id, phone, at } = sighting;
    let mut decision = Deciding::new(found.by_phone.as_ref(), *at);
    let customer = match (user_id, found.by_user_id, found.by_phone) {
        (Some(_), Some(known), Some(other))
            if known.id != other.id && is_same(&known, &other, *at) =>
        {
            decision.merge(known, other)
        }
        (Some(_), Some(known), Some(_) | None) => known,
        // A number of before there were user ids.
        (Some(_), None, Some(known)) if !known.has_user_id => known,
        (None, _, Some(known)) => known,
        (Some(_), None, Some(_)) | (_, None, None) | (None, Some(_), None) => {
            decision.create(fresh)
        }
    };
    decision.link(user_id.as_ref(), &customer);
    decision.lend(phone.as_ref(), &customer);
    decision.made(customer)
}

/// The customer whom a system message renames. `before` and `after` are what the links say of the names of either side.
pub fn renamed<Id: Clone + PartialEq>(
    renaming: &Renaming,
    before: Found<Id>,
    after: Found<Id>,
    fresh: Id,
) -> Decision<Id> {
    let mut decision = Deciding::new(after.by_phone.as_ref(), renaming.at);
    // By a number only where there is no user id to go by, and where nobody has come with that number since.
    let names_user_id = renaming.before.user_id.is_some();
    let by_phone = before.by_phone.filter(|known| {
        let is_theirs_still = known.phone_at.is_none_or(|seen| seen <= renaming.at);
        is_theirs_still && !(names_user_id && known.has_user_id)
    });
    let former = match (before.by_user_id, by_phone) {
        // It shows both former names, as a message may.
        (Some(known), Some(other))
            if known.id != other.id && is_same(&known, &other, renaming.at) =>
        {
            Some(decision.merge(known, other))
        }
        (Some(known), _) | (None, Some(known)) => Some(known),
        (None, None) => None,
    };
    let customer = match (former, after.by_user_id, after.by_phone) {
        // The new name was in use before its message came in.
        (Some(former), Some(latter), _) if former.id != latter.id => decision.merge(former, latter),
        (Some(known), _, _) | (None, Some(known), _) => known,
        (None, None, Some(known)) if is_named_by(&renaming.after, names_user_id, &known) => known,
        (None, None, Some(_) | None) => decision.create(fresh),
    };
    decision.link(renaming.before.user_id.as_ref(), &customer);
    decision.link(renaming.after.user_id.as_ref(), &customer);
    decision.lend(renaming.after.phone.as_ref(), &customer);
    decision.made(customer)
}

/// Whether a customer whose number was never seen before `at` is who wrote with that number before there were user ids. Who is
/// known to have had another number by then is somebody else, to whom this one was lent.
fn is_same<Id>(known: &Customer<Id>, other: &Customer<Id>, at: OffsetDateTime) -> bool {
    // A late delivery is what it would have been in time: the first that is known of them.
    let is_first = known.phone_at.is_none() || at < known.since;
    is_first && !other.has_user_id
}

/// Whether the new number alone says who it is: the same message once more, or numbers of before there were user ids.
fn is_named_by<Id>(after: &Names, names_user_id: bool, known: &Customer<Id>) -> bool {
    match &after.user_id {
        Some(_) => !known.has_user_id,
        None => !names_user_id,
    }
}

/// A decision as it comes together.
struct Deciding<Id> {
    at: OffsetDateTime,
    /// Who has the number now, and since when.
    holder: Option<(Id, Option<OffsetDateTime>)>,
    steps: Vec<Step<Id>>,
}

impl<Id: Clone + PartialEq> Deciding<Id> {
    fn new(holder: Option<&Customer<Id>>, at: OffsetDateTime) -> Self {
        Self {
            at,
            holder: holder.map(|holder| (holder.id.clone(), holder.phone_at)),
            steps: Vec::new(),
        }
    }

    fn made(self, customer: Customer<Id>) -> Decision<Id> {
        Decision {
            customer: customer.id,
            steps: self.steps,
        }
    }

    fn create(&mut self, fresh: Id) -> Customer<Id> {
        self.steps.push(Step::Create {
            customer: fresh.clone(),
            since: self.at,
        });
        Customer {
            id: fresh,
            since: self.at,
            has_user_id: false,
            phone: None,
            phone_at: None,
        }
    }

    fn merge(&mut self, one: Customer<Id>, other: Customer<Id>) -> Customer<Id> {
        let (into, from) = if other.since < one.since {
            (other, one)
        } else {
            (one, other)
        };
        self.steps.push(Step::Merge {
            from: from.id,
            into: into.id.clone(),
        });
        // The number that was seen last is theirs.
        let (phone, phone_at) = if from.phone_at > into.phone_at {
            (from.phone, from.phone_at)
        } else {
            (into.phone, into.phone_at)
        };
        Customer {
            has_user_id: into.has_user_id || from.has_user_id,
            phone,
            phone_at,
            ..into
        }
    }

    fn link(&mut self, user_id: Option<&UserId>, customer: &Customer<Id>) {
        self.steps.extend(user_id.map(|user_id| Step::Link {
            user_id: user_id.clone(),
            customer: customer.id.clone(),
        }));
    }

    /// Not where the customer, or whoever has the number, was seen with one later than what is said here.
    fn lend(&mut self, phone: Option<&Phone>, customer: &Customer<Id>) {
        let is_news = |seen: Option<OffsetDateTime>| seen.is_none_or(|seen| seen <= self.at);
        let holder = self.holder.as_ref();
        let is_free = holder.is_none_or(|(_, since)| is_news(*since));
        if let Some(phone) = phone.filter(|_| is_free && is_news(customer.phone_at)) {
            self.steps.push(Step::Lend {
                phone: phone.clone(),
                customer: customer.id.clone(),
                at: self.at,
            });
        }
    }
}
