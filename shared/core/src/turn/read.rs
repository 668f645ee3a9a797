//! What a turn reads besides items: what the shop says of itself, and what is the customer's own.

use std::sync::Arc;

use futures_util::future::join_all;

use super::types::{Caller, Record, SIGNED_OUT, TurnEngine};
use crate::{
    actions::{Counter, Payload, offered, perform},
    chain::Chain,
    dialogue::Shown,
    shop::{Locale, Profile},
    tools::shop_info::{self, Texts},
    understand::{intent::meant, topic::Topic},
};

impl TurnEngine {
    /// What the tool of a name reads that takes no arguments.
    pub(super) async fn read(
        &self,
        caller: &Caller,
        shop: &Arc<Profile>,
        tool: &str,
        (question, topic): (&str, Option<Topic>),
    ) -> Record {
        if tool == shop_info::NAME {
            let topic = topic.unwrap_or_else(|| shop_info::topic_of(question));
            let locale = shop.locale(caller.language);
            return self.shop_info(Some((question, topic)), locale).await;
        }
        if caller.owner.is_none() {
            return Record {
                lines: vec![shop.locale(caller.language).text("sign-in-first")],
                error: Some(SIGNED_OUT),
                ..Record::default()
            };
        }
        self.look_up(caller, shop, tool, &Payload::default()).await
    }

    /// Whether the customer's cart is meant by all of it: where something is in it, as far as that can be known, or where more were shown
    /// than are told at once.
    pub(super) async fn is_of_cart(&self, caller: &Caller, shown: Option<&Shown>) -> bool {
        let Some(owner) = &caller.owner else {
            return false;
        };
        if shown.is_some_and(Shown::are_many) {
            return true;
        }
        let account = self.approvals.counter.purchases.account(owner).await;
        account.map_or(true, |account| !account.cart.is_empty())
    }

    /// What else a message asked for, each by its tool.
    pub(super) async fn read_beside(
        &self,
        caller: &Caller,
        shop: &Arc<Profile>,
        beside: &[(&'static str, String)],
    ) -> Record {
        /// Most lines of one wish: what was asked comes first in them.
        const LINES_MAX: usize = 3;
        /// Surer than this, the shop was asked what it does not know.
        const SURE_OF_ASKING: f32 = 0.8;
        let mut all = Record::default();
        let reads = beside
            .iter()
            .map(|(tool, question)| self.read(caller, shop, tool, (question, None)));
        for (read, (_, question)) in join_all(reads).await.into_iter().zip(beside) {
            // "Le encanta Allende, ¿qué tenéis de ella?" asks nothing else of the shop.
            if read.is_unknown && meant(question).confidence < SURE_OF_ASKING {
                continue;
            }
            let lines = match read.error {
                Some("unavailable") => {
                    vec![shop.locale(caller.language).text("record-unavailable")]
                }
                _ => read.lines,
            };
            let lines = lines.into_iter().take(LINES_MAX);
            for line in lines {
                if !all.lines.contains(&line) {
                    all.lines.push(line);
                }
            }
            all.error = all.error.or(read.error);
            all.sources.extend(read.sources);
        }
        all
    }

    /// What the shop says of itself, to a question about a topic where there is one.
    pub(super) async fn shop_info(
        &self,
        question: Option<(&str, Topic)>,
        locale: Locale<'_>,
    ) -> Record {
        let now = self.clock.now();
        match question {
            Some((question, topic)) => {
                let texts = Texts::of(locale);
                let likeness = self.retrieval.likeness(question, &texts.in_full()).await;
                shop_info::answer((question, &likeness), topic, &texts, (locale, now)).into()
            }
            None => Record {
                lines: shop_info::lines(locale, now),
                ..Record::default()
            },
        }
    }

    /// What actions work on, in the words of the turn's shop.
    pub(super) fn counter(&self, shop: &Arc<Profile>) -> Counter {
        Counter {
            shop: Arc::new(shop.clone()),
            ..self.approvals.counter.clone()
        }
    }

    /// What is the customer's own, or offered to anybody, from the action that changes nothing.
    pub(super) async fn look_up(
        &self,
        caller: &Caller,
        shop: &Arc<Profile>,
        action: &str,
        payload: &Payload,
    ) -> Record {
        let (counter, language) = (self.counter(shop), caller.language);
        let looked_up = match &caller.owner {
            Some(owner) => perform(&counter, owner, language, action, payload, &|_| None).await,
            None => offered(&counter, language, action, payload).await,
        };
        match looked_up {
            Ok(outcome) => outcome.into(),
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "what is the customer's own cannot be read");
                Record::unavailable()
            }
        }
    }
}
