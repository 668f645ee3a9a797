//! What is said in a turn: by a model, line by line as it passes the guard, or without one.

use std::{collections::BTreeMap, pin::pin, time::Duration};

use futures_util::{
    StreamExt,
    future::{Either, select},
};
use secrecy::SecretString;

use super::{
    answer::{GuardTrace, LlmTrace},
    compose,
    engine::{Caller, Prepared, TurnEngine, TurnSettings},
    event::Teller,
    guard::LineGuard,
    prompt,
    told::{tell_lines, tell_thought, tell_thoughts_end},
    window::{Window, WindowLimits, window},
};
use crate::{
    chain::Chain,
    clock::elapsed_ms,
    ids::Owner,
    language::Language,
    log::Commit,
    model::{ModelError, ModelEvent, ModelRequest, Speech, StopReason},
    summary::Summary,
};

/// How often a turn looks whether it has been cancelled: most are over before the first look, and each costs a read unit.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// After one of these a line or a sentence may be whole.
const ENDS: [char; 5] = ['\n', '.', '!', '?', '…'];
/// Fewer lines of a model are not an answer.
const LINES_MIN: usize = 2;

/// What is said in a turn, and how it came about.
pub(super) struct Said {
    pub(super) lines: Vec<String>,
    /// Whether a model wrote any of them.
    pub(super) by_model: bool,
    pub(super) trace: LlmTrace,
    pub(super) model: Option<String>,
    pub(super) stop_reason: Option<StopReason>,
    /// The summary that the model was shown.
    pub(super) summary: Option<Summary>,
    pub(super) elapsed_ms: u64,
}

impl Said {
    /// Why the answer ends, as clients know it.
    pub(super) fn stop_reason(&self) -> &'static str {
        match self.stop_reason {
            Some(StopReason::MaxTokens) => "max_tokens",
            Some(StopReason::StopSequence) => "stop_sequence",
            Some(StopReason::EndTurn | StopReason::ToolUse | StopReason::Refused) | None => {
                "end_turn"
            }
        }
    }
}

impl TurnEngine {
    /// What is said without a model, for `reason` where one could have been asked.
    pub(super) fn unsaid(
        &self,
        prepared: &Prepared,
        language: Language,
        reason: Option<&str>,
    ) -> Said {
        let policy = &self.settings.policy;
        let (request, found) = (&prepared.request, &prepared.found);
        let message = compose::message(&request.message, found, language);
        Said {
            lines: message.lines().map(str::to_owned).collect(),
            by_model: false,
            trace: LlmTrace {
                provider: policy.provider.to_owned(),
                model: None,
                error: reason.filter(|_| policy.is_configured()).map(str::to_owned),
                usage: None,
                guard: None,
            },
            model: request.model.clone().or_else(|| policy.model().cloned()),
            stop_reason: None,
            summary: None,
            elapsed_ms: 0,
        }
    }

    /// Shows a model the conversation and what was found, and says what of its words may be said, as they come. Where that is
    /// no answer, it is made one without the model.
    pub(super) async fn ask_model(
        &self,
        caller: &Caller,
        question: Option<&Commit>,
        prepared: &Prepared,
        key: Option<SecretString>,
        teller: &mut Teller<'_>,
    ) -> Said {
        let request = &prepared.request;
        let mut said = self.unsaid(prepared, caller.language, None);
        said.trace.model.clone_from(&said.model);
        let context = prepared.context.as_deref().unwrap_or_default();
        let summary = prepared.summary.as_ref();
        let shown = shown(summary, context, &self.settings);
        said.summary = prepared.summary.clone().filter(|_| shown.with_summary);
        let earlier = shown.traced();
        let messages = prompt::prompt(&request.message, &prepared.found, earlier, caller.language);
        let asked_at = self.clock.now();
        let request = ModelRequest {
            model: request.model.clone(),
            messages,
            key,
            ..ModelRequest::default()
        };
        let guard = || {
            let mut guard = LineGuard::new(caller.language);
            guard.know(&prepared.found.results);
            guard
        };
        let mut guards = Guards {
            message: guard(),
            thoughts: prepared.request.enable_thinking.then(guard),
        };
        let turn = caller.owner.as_ref().zip(question);
        let heard = async {
            let speech = self.model.ask(request).await?;
            hear(speech, &mut guards, &mut said, teller).await
        };
        let outcome = match select(pin!(heard), pin!(self.given_up(turn))).await {
            Either::Left((outcome, _)) => outcome,
            // The answer's own commit finds it so too.
            Either::Right(((), _)) => Ok(true),
        };
        said.elapsed_ms = elapsed_ms(asked_at, self.clock.now());
        let believed = match outcome {
            Ok(believed) => believed,
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    code = error.code(),
                    "the model gave no answer, or not all of it"
                );
                said.trace.error = Some(error.code().to_owned());
                true
            }
        };
        said.trace.guard = judged(&guards.message);
        let lines = guards.message.passed();
        complete(if believed { lines } else { &[] }, &mut said, teller);
        said
    }

    /// Comes back once the turn has been cancelled or erased: never, where it is not in the log.
    async fn given_up(&self, turn: Option<(&Owner, &Commit)>) {
        let Some((owner, question)) = turn else {
            return std::future::pending().await;
        };
        loop {
            self.clock.pause(LOOK_EVERY).await;
            let newest = self.log.newest(owner, Some(question.conversation), 1).await;
            let newest = newest.ok().and_then(|mut newest| newest.pop());
            let given_up = |newest: &Commit| newest.state.gives_up(question.turn_id);
            if newest.as_ref().is_some_and(given_up) {
                return;
            }
        }
    }
}

/// Whoever hears of a model's thoughts hears of them as of its words: what may be said, and not before.
struct Guards {
    message: LineGuard,
    thoughts: Option<LineGuard>,
}

impl Guards {
    fn message(&mut self, delta: &str, teller: &mut Teller<'_>) -> Result<(), Disbelieved> {
        // Piece by piece, however much comes at once: what follows a lie is not even looked at.
        for piece in delta.split_inclusive(ENDS) {
            self.judge(|guard| guard.push(piece), teller)?;
        }
        Ok(())
    }

    fn end_of_message(&mut self, teller: &mut Teller<'_>) -> Result<(), Disbelieved> {
        self.judge(LineGuard::finish, teller)
    }

    fn judge(
        &mut self,
        hear: impl FnOnce(&mut LineGuard) -> Vec<String>,
        teller: &mut Teller<'_>,
    ) -> Result<(), Disbelieved> {
        let guard = &mut self.message;
        let before = guard.passed().len();
        let lines = hear(guard);
        if before == 0 && !guard.verdict().rejected.is_empty() {
            return Err(Disbelieved);
        }
        tell_lines(&lines, before, teller);
        Ok(())
    }

    fn thought(&mut self, delta: &str, teller: &mut Teller<'_>) {
        if let Some(guard) = &mut self.thoughts {
            let before = guard.passed().len();
            tell_thought(&guard.push(delta), before, teller);
        }
    }

    fn end_of_thoughts(&mut self, teller: &mut Teller<'_>) {
        if let Some(mut guard) = self.thoughts.take() {
            let before = guard.passed().len();
            tell_thought(&guard.finish(), before, teller);
            if !guard.passed().is_empty() {
                tell_thoughts_end(guard.passed(), teller);
            }
        }
    }
}

/// The model began with what may not be said, so nothing of it is.
struct Disbelieved;

/// Hears a model out, as long as it is believed.
async fn hear(
    Speech { model, mut events }: Speech,
    guards: &mut Guards,
    said: &mut Said,
    teller: &mut Teller<'_>,
) -> Result<bool, ModelError> {
    if model.is_some() {
        said.model.clone_from(&model);
        said.trace.model = model;
    }
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::ContentDelta(delta) => {
                guards.end_of_thoughts(teller);
                if guards.message(&delta, teller).is_err() {
                    return Ok(false);
                }
            }
            ModelEvent::ReasoningDelta(delta) => guards.thought(&delta, teller),
            // It was offered no tools.
            ModelEvent::ToolCall(_) => {}
            ModelEvent::Usage(usage) => said.trace.usage = Some(usage),
            ModelEvent::End { stop_reason } => said.stop_reason = Some(stop_reason),
        }
    }
    guards.end_of_thoughts(teller);
    // What an answer that was cut off ends with is no line.
    Ok(guards.end_of_message(teller).is_ok())
}

/// What the guard made of a model's lines, if there were any.
fn judged(guard: &LineGuard) -> Option<GuardTrace> {
    let verdict = guard.verdict();
    let rejected = verdict.rejected.iter();
    let rejected: BTreeMap<String, usize> = rejected
        .map(|(code, count)| ((*code).to_owned(), *count))
        .collect();
    if !rejected.is_empty() {
        tracing::warn!(?rejected, "a model's lines were not said");
    }
    let said_any = verdict.passed > 0 || !rejected.is_empty();
    said_any.then_some(GuardTrace {
        passed: verdict.passed,
        repaired: verdict.repaired,
        rejected,
    })
}

/// Takes the lines that passed as the answer, and adds what it lacks.
fn complete(passed: &[String], said: &mut Said, teller: &mut Teller<'_>) {
    if passed.is_empty() && said.trace.error.is_none() {
        said.trace.error = Some("guard_rejected".to_owned());
    }
    said.by_model = !passed.is_empty();
    if passed.len() >= LINES_MIN {
        said.lines = passed.to_vec();
        return;
    }
    // What is said without a model: all of it, or how it ends after a line that passed.
    if !passed.is_empty() {
        said.lines.drain(..said.lines.len() - 1);
    }
    tell_lines(&said.lines, passed.len(), teller);
    said.lines.splice(..0, passed.iter().cloned());
}

/// What a model is shown of a conversation, whose commits come newest first.
pub(super) fn shown(
    summary: Option<&Summary>,
    commits: &[Commit],
    settings: &TurnSettings,
) -> Window {
    let tokens = settings.max_history_tokens;
    let limits = WindowLimits {
        messages: settings.max_history_messages,
        chars: settings.max_history_chars,
        tokens: tokens.map(|limit| limit.most),
        // The request offers no tools.
        tool_use: false,
    };
    let count_tokens = tokens.map_or(str::len as fn(&str) -> usize, |limit| limit.count);
    window(summary, commits, limits, &count_tokens)
}
