//! What a turn reads besides items: what the shop says of itself, and what is the customer's own.

use std::sync::Arc;

use super::types::{Caller, Record, TurnEngine};
use crate::{
    actions::{Counter, Payload, perform},
    chain::Chain,
    shop::Profile,
    tools::shop_info,
};

/// The code of what only a signed-in customer has.
pub(crate) const SIGNED_OUT: &str = "signed_out";

impl TurnEngine {
    /// What the tool of a name reads that takes no arguments.
    pub(super) async fn read(
        &self,
        caller: &Caller,
        shop: &Arc<Profile>,
        tool: &str,
        question: &str,
    ) -> Record {
        if tool == shop_info::NAME {
            let locale = shop.locale(caller.language);
            return Record {
                lines: shop_info::told(question, locale, self.clock.now()),
                error: None,
            };
        }
        if caller.owner.is_none() {
            return Record {
                lines: vec![shop.locale(caller.language).text("sign-in-first")],
                error: Some(SIGNED_OUT),
            };
        }
        self.look_up(caller, shop, tool, &Payload::default()).await
    }

    /// What the shop says of itself.
    pub(super) fn shop_info(&self, caller: &Caller, shop: &Profile) -> Record {
        Record {
            lines: shop_info::lines(shop.locale(caller.language), self.clock.now()),
            error: None,
        }
    }

    /// What actions work on, in the words of the turn's shop.
    pub(super) fn counter(&self, shop: &Arc<Profile>) -> Counter {
        Counter {
            shop: Arc::new(shop.clone()),
            ..self.approvals.counter.clone()
        }
    }

    /// What is the customer's own, from the action that changes nothing.
    pub(super) async fn look_up(
        &self,
        caller: &Caller,
        shop: &Arc<Profile>,
        action: &str,
        payload: &Payload,
    ) -> Record {
        let Some(owner) = &caller.owner else {
            return Record::unavailable();
        };
        let counter = self.counter(shop);
        let looked_up = perform(&counter, owner, caller.language, action, payload, &|_| None);
        match looked_up.await {
            Ok(outcome) => outcome.into(),
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "what is the customer's own cannot be read");
                Record::unavailable()
            }
        }
    }
}
