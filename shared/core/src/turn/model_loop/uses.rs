//! The tools that a model uses in a turn: run at once, told and remembered in order, each call with its result.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::json;

use super::prompt;
use crate::{
    catalogue::BookResult,
    clock::elapsed_ms,
    model::{ModelMessage, ToolCall},
    shop::Locale,
    tools::{Proposal, Wanted, wanted},
    turn::{
        emit::{Teller, tell_tool},
        types::{Prepared, ToolUse, TurnEngine},
    },
};

/// Most calls that are taken of what a model says at once; more are told to be too many.
const CALLS_MAX: usize = 4;
/// Longest that a result is for a model, in characters.
const RESULT_CHARS: usize = 6_000;

/// Longest that a call's arguments are for the model that made it, in bytes.
const ARGUMENTS_BYTES: usize = 2_000;

/// All that came of what a model called at once.
#[derive(Default)]
pub(super) struct Called {
    pub(super) uses: Vec<ToolUse>,
    /// The first change that it proposed, with the question to the customer.
    pub(super) proposal: Option<(Proposal, String)>,
}

impl ToolUse {
    /// The call as its model is shown it: an object, and a name that every provider takes back.
    fn shown(&self) -> ToolCall {
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

    fn result(&self, number: &dyn Fn(&BookResult) -> usize, locale: Locale<'_>) -> String {
        match &self.found {
            Ok(found) => prompt::results(&found.results, found.error, RESULT_CHARS, number, locale),
            Err(error) => json!({"error": error}).to_string(),
        }
    }
}

/// What a model said before it called, its calls and their results, as it is shown them next.
pub(super) fn shown(
    said: String,
    uses: &[ToolUse],
    number: &dyn Fn(&BookResult) -> usize,
    locale: Locale<'_>,
) -> Vec<ModelMessage> {
    let calling = ModelMessage::Assistant {
        content: said,
        tool_calls: uses.iter().map(ToolUse::shown).collect(),
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
        (prepared, locale): (&Prepared, Locale<'_>),
        calls: Vec<ToolCall>,
        (books, can_propose): (&[BookResult], bool),
        before: &[ToolUse],
        teller: &mut Teller<'_>,
    ) -> Called {
        let mut called = Called::default();
        let mut seen: HashSet<(String, String)> = before
            .iter()
            .map(|used| (used.call.name.clone(), used.call.arguments.to_string()))
            .collect();
        let mut ids = HashSet::new();
        let mut asked = Vec::new();
        for call in calls {
            let is_new = seen.insert((call.name.clone(), call.arguments.to_string()));
            if !ids.insert(call.id.clone()) || !is_new {
                continue;
            }
            let wanted = if asked.len() < CALLS_MAX {
                wanted(&call, can_propose)
            } else {
                Err(format!("at most {CALLS_MAX} calls at once"))
            };
            let wanted = match wanted {
                Ok(Wanted::Propose(proposal)) => match proposal.question(books, locale) {
                    Ok(question) => {
                        called.proposal.get_or_insert((proposal, question));
                        continue;
                    }
                    Err(error) => Err(error),
                },
                Ok(Wanted::Read { route, text, top_k }) => Ok((route, text, top_k)),
                Err(error) => Err(error),
            };
            asked.push((call, wanted));
        }
        // What the customer is asked to confirm is asked about now, with what is known.
        if called.proposal.is_some() {
            return called;
        }
        let runs = asked.iter().map(async |(_, wanted)| {
            let (route, text, top_k) = wanted.as_ref().map_err(Clone::clone)?;
            let (prefer_vector, now) = (prepared.request.prefer_vector, self.clock.now());
            let run = self
                .retrieval
                .run(route, text, *top_k, prefer_vector, false, now);
            let found = run.await;
            Ok((found, elapsed_ms(now, self.clock.now())))
        });
        let ran: Vec<Result<_, String>> = join_all(runs).await;
        let is_kept = prepared.context.is_some();
        for ((call, _), ran) in asked.into_iter().zip(ran) {
            let (found, duration_ms) = match ran {
                Ok((found, duration_ms)) => (Ok(found), duration_ms),
                Err(error) => (Err(error), 0),
            };
            let used = ToolUse {
                id: self.clock.new_id(),
                call,
                found,
                duration_ms,
                use_index: teller.next(),
                result_index: teller.next() + 1,
            };
            tell_tool(used.events(), is_kept, teller);
            called.uses.push(used);
        }
        called
    }
}

#[cfg(test)]
mod fuzz;
