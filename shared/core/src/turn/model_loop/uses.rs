//! The tools that a model uses in a turn: run at once, emitted and kept in order, each call with its result.

use std::collections::HashSet;

use futures_util::{FutureExt, future::join_all};
use serde_json::{Value, json};

use super::{prompt, questions_in};
use crate::{
    actions::Payload,
    answer::Approval,
    catalogue::ItemResult,
    chain::Chain,
    clock::elapsed_ms,
    ids::ItemId,
    model::{ModelMessage, ToolCall},
    shop::Locale,
    text::words,
    tools::{self, May, Proposal, Wanted, shop_info, wanted},
    turn::{
        emit::{Emitter, emit_tool_use},
        types::{Caller, Found, Prepared, Record, ToolUse, TurnEngine},
    },
};

/// Most calls that are taken of one completion; further ones are refused.
const CALLS_MAX: usize = 4;
/// Longest that a result is for a model, in characters.
const RESULT_CHARS: usize = 6_000;

/// Longest that a call's arguments are for the model that made it, in bytes.
const ARGUMENTS_BYTES: usize = 2_000;

/// All that came of what a model called at once.
#[derive(Default)]
pub(super) struct Called {
    pub(super) uses: Vec<ToolUse>,
    /// The question to the customer about the first change that it proposed, and what stands for it.
    pub(super) proposal: Option<(String, Approval)>,
}

impl ToolUse {
    /// The call as it is sent back to its model: an object, and a name that every provider takes back.
    fn as_replayed(&self) -> ToolCall {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name = &self.call.name;
        let is_named = (1..=64).contains(&name.len()) && name.chars().all(is_name);
        let arguments = &self.call.arguments;
        let is_bounded = arguments.is_object() && arguments.to_string().len() <= ARGUMENTS_BYTES;
        ToolCall {
            id: self.id.to_string(),
            name: if is_named { name } else { self.name() }.to_owned(),
            arguments: if is_bounded {
                arguments.clone()
            } else {
                json!({})
            },
            provider_data: self.call.provider_data.clone(),
        }
    }

    fn result(&self, number: &dyn Fn(&ItemResult) -> usize, locale: Locale<'_>) -> String {
        match &self.found {
            Ok(Found::Items(found)) => {
                prompt::results(&found.results, found.error, RESULT_CHARS, number, locale)
            }
            Ok(Found::Record(record)) => prompt::record(record),
            Err(error) => json!({"error": error}).to_string(),
        }
    }
}

/// A completion with calls, and their results, as the next request has them.
pub(super) fn messages(
    content: String,
    uses: &[ToolUse],
    number: &dyn Fn(&ItemResult) -> usize,
    locale: Locale<'_>,
) -> Vec<ModelMessage> {
    let calling = ModelMessage::Assistant {
        content,
        tool_calls: uses.iter().map(ToolUse::as_replayed).collect(),
    };
    let results = uses.iter().map(|used| ModelMessage::Tool {
        tool_use_id: used.id.to_string(),
        content: used.result(number, locale),
    });
    std::iter::once(calling).chain(results).collect()
}

impl TurnEngine {
    /// Runs what a model calls. What it called before in this turn, and what it calls twice, is not run again.
    pub(super) async fn run_calls(
        &self,
        (caller, prepared): (&Caller, &Prepared),
        calls: Vec<ToolCall>,
        (items, may): (&[ItemResult], May),
        before: &[ToolUse],
        emitter: &mut Emitter<'_>,
    ) -> Called {
        let mut called = Called::default();
        let mut seen: HashSet<(String, String)> = before
            .iter()
            .map(|used| (used.call.name.clone(), used.call.arguments.to_string()))
            .collect();
        let mut ids = HashSet::new();
        let mut accepted = Vec::new();
        for call in calls {
            let is_new = seen.insert((call.name.clone(), call.arguments.to_string()));
            if !ids.insert(call.id.clone()) || !is_new {
                continue;
            }
            let wanted = if accepted.len() < CALLS_MAX {
                wanted(&call, may)
            } else {
                Err(format!("at most {CALLS_MAX} calls at once"))
            };
            let wanted = match wanted {
                // The first one is asked about.
                Ok(Wanted::Propose(_)) if called.proposal.is_some() => continue,
                Ok(Wanted::Propose(proposal)) => {
                    match self
                        .question_of(caller, prepared, proposal, items)
                        .boxed()
                        .await
                    {
                        Ok(asked) => {
                            called.proposal = Some(asked);
                            continue;
                        }
                        Err(error) => Err(error),
                    }
                }
                other => other,
            };
            accepted.push((call, wanted));
        }
        // What the customer is asked to confirm is asked about now, with what is known.
        if called.proposal.is_some() {
            return called;
        }
        let runs = accepted.iter().map(async |(_, wanted)| {
            let wanted = wanted.as_ref().map_err(Clone::clone)?;
            let begun_at = self.clock.now();
            let found = self.run_tool((caller, prepared), wanted).await;
            Ok((found, elapsed_ms(begun_at, self.clock.now())))
        });
        let ran: Vec<Result<_, String>> = join_all(runs).await;
        let is_kept = prepared.context.is_some();
        for ((call, _), ran) in accepted.into_iter().zip(ran) {
            let (found, duration_ms) = match ran {
                Ok((found, duration_ms)) => (Ok(found), duration_ms),
                Err(error) => (Err(error), 0),
            };
            let used = ToolUse {
                id: self.clock.new_id(),
                call,
                found,
                duration_ms,
                use_index: emitter.next(),
                result_index: emitter.next() + 1,
            };
            emit_tool_use(used.events(), is_kept, emitter);
            called.uses.push(used);
        }
        called
    }

    /// The question to the customer whether what a model proposes is to be done, and what stands for it; or why it cannot be.
    async fn question_of(
        &self,
        caller: &Caller,
        prepared: &Prepared,
        proposal: Proposal,
        items: &[ItemResult],
    ) -> Result<(String, Approval), String> {
        let Proposal {
            action,
            payload,
            shown,
        } = proposal;
        let is_shown = |item: &ItemId| items.iter().any(|shown| shown.id() == *item);
        if !shown.as_ref().is_none_or(is_shown) {
            return Err("item_id: not among the results".to_owned());
        }
        if !tools::may_be_emitted(&payload.0) && !is_of_customer(&payload, prepared) {
            return Err("text: not in the customer's own words".to_owned());
        }
        let owner = caller
            .owner
            .as_ref()
            .ok_or("the customer is not signed in")?;
        let asked = self
            .ask_about(caller, owner, action, payload, prepared)
            .await;
        let (record, approval) = asked.map_err(|error| {
            tracing::warn!(error = %Chain(&error), "a proposal cannot be asked about");
            "unavailable".to_owned()
        })?;
        let mut lines = record.lines.into_iter();
        let question = lines.next().unwrap_or_default();
        match (approval, record.error) {
            (Some(approval), _) => Ok((question, approval)),
            (None, Some(code)) => Err(format!("{code}: {question}")),
            (None, None) => Err(question),
        }
    }

    async fn run_tool(&self, (caller, prepared): (&Caller, &Prepared), wanted: &Wanted) -> Found {
        match wanted {
            Wanted::Find { route, text, top_k } => {
                let (prefer_vector, now) = (prepared.request.prefer_vector, self.clock.now());
                let found = self
                    .retrieval
                    .run(route, text, *top_k, prefer_vector, false, now);
                Found::Items(found.await)
            }
            Wanted::ShopInfo { question } => {
                let locale = prepared.locale(caller.language);
                let question = question.as_deref();
                let question = question.map(|question| (question, shop_info::topic_of(question)));
                Found::Record(self.shop_info(question, locale).await)
            }
            Wanted::LookUp { action, payload } => {
                Found::Record(self.look_up(caller, &prepared.shop, action, payload).await)
            }
            // Its question is what comes of it.
            Wanted::Propose(_) => Found::Record(Record::default()),
        }
    }
}

/// Whether the customer has written each word of a sentence: a budget is an amount, and theirs to say.
fn is_of_customer(payload: &Payload, prepared: &Prepared) -> bool {
    let (_, commits) = prepared.earlier();
    let written = questions_in(commits).chain([prepared.request.message.as_str()]);
    let written: HashSet<String> = written.flat_map(words).collect();
    let text = payload.0.get("text").and_then(Value::as_str);
    text.is_some_and(|text| words(text).iter().all(|word| written.contains(word)))
}

#[cfg(test)]
mod fuzz;
