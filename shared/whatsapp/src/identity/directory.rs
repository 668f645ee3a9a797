//! The customers of one business, in memory.

use std::collections::BTreeMap;

use super::{Customer, Decision, Found, Names, Renaming, Sighting, Step, renamed, sighted};
use crate::ids::{Phone, UserId};

/// Customers with their links. What a store does with the steps of a decision, it does the same.
#[derive(Debug, Clone)]
pub struct Directory<Id> {
    customers: BTreeMap<Id, Customer<Id>>,
    by_user_id: BTreeMap<UserId, Id>,
    by_phone: BTreeMap<Phone, Id>,
    /// What a merged customer is called now.
    merged: BTreeMap<Id, Id>,
}

impl<Id> Default for Directory<Id> {
    fn default() -> Self {
        Self {
            customers: BTreeMap::new(),
            by_user_id: BTreeMap::new(),
            by_phone: BTreeMap::new(),
            merged: BTreeMap::new(),
        }
    }
}

impl<Id: Clone + Ord> Directory<Id> {
    /// The customer of a message.
    pub fn see(&mut self, sighting: &Sighting, fresh: Id) -> Id {
        let names = Names {
            user_id: sighting.user_id.clone(),
            phone: sighting.phone.clone(),
        };
        let decision = sighted(sighting, self.find(&names), fresh);
        self.make(decision)
    }

    /// The customer whom a system message renames.
    pub fn rename(&mut self, renaming: &Renaming, fresh: Id) -> Id {
        let before = self.find(&renaming.before);
        let after = self.find(&renaming.after);
        self.make(renamed(renaming, before, after, fresh))
    }

    /// The id that a customer's id has become by merging.
    #[must_use]
    pub fn current(&self, id: &Id) -> Id {
        let mut id = id;
        while let Some(next) = self.merged.get(id) {
            id = next;
        }
        id.clone()
    }

    #[must_use]
    pub fn customer(&self, id: &Id) -> Option<&Customer<Id>> {
        self.customers.get(&self.current(id))
    }

    fn find(&self, names: &Names) -> Found<Id> {
        let customer = |id: &Id| self.customers.get(id).cloned();
        let by_user_id = names
            .user_id
            .as_ref()
            .and_then(|id| self.by_user_id.get(id));
        let by_phone = names
            .phone
            .as_ref()
            .and_then(|phone| self.by_phone.get(phone));
        Found {
            by_user_id: by_user_id.and_then(customer),
            by_phone: by_phone.and_then(customer),
        }
    }

    fn make(&mut self, decision: Decision<Id>) -> Id {
        for step in decision.steps {
            self.take(step);
        }
        decision.customer
    }

    fn take(&mut self, step: Step<Id>) {
        match step {
            Step::Create { customer, since } => {
                let new = Customer {
                    id: customer.clone(),
                    since,
                    has_user_id: false,
                    phone: None,
                    phone_at: None,
                };
                self.customers.insert(customer, new);
            }
            Step::Link { user_id, customer } => {
                if let Some(customer) = self.customers.get_mut(&customer) {
                    customer.has_user_id = true;
                }
                self.by_user_id.insert(user_id, customer);
            }
            Step::Lend {
                phone,
                customer,
                at,
            } => {
                let holder = self.by_phone.insert(phone.clone(), customer.clone());
                let holder = holder.filter(|holder| *holder != customer);
                if let Some(holder) = holder.and_then(|holder| self.customers.get_mut(&holder)) {
                    holder.phone = None;
                    holder.phone_at = Some(at);
                }
                if let Some(customer) = self.customers.get_mut(&customer) {
                    let former = customer.phone.replace(phone.clone());
                    customer.phone_at = Some(at);
                    if let Some(former) = former.filter(|former| *former != phone) {
                        self.by_phone.remove(&former);
                    }
                }
            }
            Step::Merge { from, into } => {
                for id in self
                    .by_user_id
                    .values_mut()
                    .chain(self.by_phone.values_mut())
                {
                    if *id == from {
                        *id = into.clone();
                    }
                }
                let gone = self.customers.remove(&from);
                if let (Some(gone), Some(customer)) = (gone, self.customers.get_mut(&into)) {
                    customer.has_user_id |= gone.has_user_id;
                    let (stays, goes) = if gone.phone_at > customer.phone_at {
                        (gone, customer.clone())
                    } else {
                        (customer.clone(), gone)
                    };
                    customer.phone = stays.phone;
                    customer.phone_at = stays.phone_at;
                    if let Some(former) = goes
                        .phone
                        .filter(|phone| customer.phone.as_ref() != Some(phone))
                    {
                        self.by_phone.remove(&former);
                    }
                }
                self.merged.insert(from, into);
            }
        }
    }
}
