//! A turn's output: by a model, line by line as it passes the guard, or without one.

mod prompt;
mod receive;
mod uses;
mod window;

use std::{collections::BTreeMap, pin::pin, time::Duration};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Either, select},
};
use secrecy::SecretString;
use time::OffsetDateTime;

use receive::{Drafts, Received, receive};
use uses::Called;
use window::{Window, WindowLimits, window};

use super::{
    emit::{Emitter, emit_lines},
    types::{Caller, Found, Prepared, ToolUse, TurnEngine, TurnOutput, What},
};
use crate::{
    answer::{GuardTrace, LlmTrace, compose, render::Line, stream::Lines},
    catalogue::ItemResult,
    chain::Chain,
    clock::elapsed_ms,
    ids::Owner,
    language::Language,
    log::{Commit, ContextLimits, Event, Summary},
    model::{Completion, ModelError, ModelRequest, StopReason, ToolSpec, Usage},
    shop::Profile,
    tools::{self, May},
};

/// How often a turn looks whether it has been cancelled: most are over before the first look, and each costs a read unit.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What the steps of a turn may take longer than one call.
const GRACE: Duration = Duration::from_secs(1);

/// A turn's first call of its model; nothing is sent before it is polled.
pub(super) struct PendingRequest {
    request: ModelRequest,
    summary: Option<Summary>,
    requested_at: OffsetDateTime,
    pub(super) completion: BoxFuture<'static, Result<Completion, ModelError>>,
}

impl TurnOutput {
    /// Records which model answered, and its usage.
    fn note(&mut self, received: &Received) {
        if received.model.is_some() {
            self.model.clone_from(&received.model);
            self.trace.model.clone_from(&received.model);
        }
        if let Some(usage) = received.usage {
            let before = self.trace.usage.unwrap_or_default();
            self.trace.usage = Some(Usage {
                input_tokens: before.input_tokens.saturating_add(usage.input_tokens),
                output_tokens: before.output_tokens.saturating_add(usage.output_tokens),
            });
        }
        self.stop_reason = received.stop_reason;
    }

    /// Why a model that could be reached has no line in the answer.
    fn why_silent(&self) -> &'static str {
        let guard = self.trace.guard.as_ref();
        match self.stop_reason {
            Some(StopReason::Refused) => "refused",
            _ if guard.is_some() => "guard_rejected",
            _ => "empty",
        }
    }
}

impl TurnEngine {
    /// What the tools of a turn may do.
    fn may(&self, caller: &Caller, prepared: &Prepared) -> May {
        May {
            look_up: caller.owner.is_some(),
            propose: prepared.context.is_some(),
            book: self.approvals.counter.reception.is_some(),
        }
    }

    /// The output without a model, for `reason` where one could have been called.
    pub(super) fn fallback(
        &self,
        prepared: &Prepared,
        language: Language,
        reason: Option<&str>,
    ) -> TurnOutput {
        let policy = &self.settings.policy;
        let (request, found) = (&prepared.request, &prepared.found);
        let locale = prepared.locale(language);
        let record = prepared.record.as_ref();
        let record = record.map(|record| (&record.lines[..], record.error));
        TurnOutput {
            lines: compose::lines(
                prepared.step,
                compose::Read {
                    record,
                    beside: &prepared.beside.lines,
                },
                found,
                &prepared.cited,
                locale,
            ),
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
            context_limits: None,
            thinking: None,
            elapsed_ms: 0,
            uses: Vec::new(),
            approval: prepared.approval.clone(),
            is_out_of_steps: false,
        }
    }

    /// Calls a model with the conversation and what was found.
    pub(super) fn ask(
        &self,
        caller: &Caller,
        prepared: &Prepared,
        key: Option<SecretString>,
    ) -> PendingRequest {
        let question = &prepared.request;
        let (summary, commits) = prepared.earlier();
        let context = context_window(summary, commits, self.settings.context_limits);
        let summary = summary.filter(|_| context.with_summary).cloned();
        let read = prepared.read_aloud();
        let known = prompt::Known {
            found: &prepared.found,
            read: &read,
            cited: &prepared.cited,
            notes: &prepared.notes,
        };
        let request = ModelRequest {
            model: question.model.clone(),
            messages: prompt::prompt(
                &question.message,
                known,
                context.traced(),
                prepared.locale(caller.language),
            ),
            tools: self.tools(1, self.may(caller, prepared), &prepared.shop),
            thinking: question.enable_thinking.then_some(question.thinking_budget),
            key,
        };
        let (model, first) = (self.model.clone(), request.clone());
        PendingRequest {
            request,
            summary,
            requested_at: self.clock.now(),
            completion: async move { model.ask(first).await }.boxed(),
        }
    }

    /// The tools of a step; the last one has none.
    fn tools(&self, step: u32, may: May, shop: &Profile) -> Vec<ToolSpec> {
        let offers = step < self.settings.max_steps;
        let offered = offers.then(|| tools::offered(may, shop));
        offered.unwrap_or_default()
    }

    /// Runs a model, and emits the lines of it that pass, as they come. Where that is no answer, it is
    /// made one without the model.
    pub(super) async fn run_model(
        &self,
        caller: &Caller,
        question: Option<&Commit>,
        prepared: &Prepared,
        pending: PendingRequest,
        emitter: &mut Emitter<'_>,
    ) -> TurnOutput {
        let request = &prepared.request;
        let mut output = self.fallback(prepared, caller.language, None);
        output.trace.model.clone_from(&output.model);
        output.summary.clone_from(&pending.summary);
        output.context_limits = Some(self.settings.context_limits);
        let requested_at = pending.requested_at;
        let locale = prepared.locale(caller.language);
        let mut drafts = Drafts::new(locale, request.enable_thinking);
        drafts.show(&prepared.found.results);
        let (_, commits) = prepared.earlier();
        let notes = prepared.notes.iter().map(|note| note.text.as_str());
        let own = questions_in(commits).chain([request.message.as_str()]);
        drafts.take_messages(own.chain(notes));
        drafts.take_documents(&prepared.cited);
        drafts.emit_record(&mut prepared.read_aloud(), emitter);
        let turn = caller.owner.as_ref().zip(question);
        // Of all steps together; a model that is late in the first times out in its adapter.
        let total = Duration::from_secs(self.settings.policy.timeout_seconds) + GRACE;
        let talk = async {
            let sinks = (&mut drafts, &mut output, &mut *emitter);
            self.dialogue(caller, (prepared, pending), sinks).await
        };
        let mut too_late = pin!(async {
            self.clock.pause(total).await;
            Err(ModelError::Timeout)
        });
        // The answer's own commit finds a turn given up, too.
        let mut given_up = pin!(async {
            self.given_up(turn).await;
            Ok(())
        });
        let ends = select(too_late.as_mut(), given_up.as_mut());
        let outcome = match select(pin!(talk), ends).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right((Either::Left((outcome, _)) | Either::Right((outcome, _)), _)) => outcome,
        };
        output.elapsed_ms = elapsed_ms(requested_at, self.clock.now());
        if let Err(error) = outcome {
            tracing::warn!(
                error = %Chain(&error),
                code = error.code(),
                "the model gave no answer, or not all of it"
            );
            output.trace.error = Some(error.code().to_owned());
        }
        drafts.end_of_thoughts(emitter);
        if let Some(asks) = prepared.record.as_ref().filter(|record| record.asks)
            && output.approval.is_none()
            && !drafts.has_asked()
        {
            drafts.emit_record(&mut asks.clone(), emitter);
        }
        drafts.message.close();
        output.trace.guard = judged(&drafts.message);
        if output.stop_reason == Some(StopReason::Refused) {
            let why = "provider".to_owned();
            emitter.transient(What::ContentRefused { why });
        }
        output.thinking = drafts.thought().filter(|_| request.persist_thinking);
        // Records that the shop rendered are not the model's.
        output.by_model = drafts.message.verdict().passed > 0;
        complete(drafts.message.passed(), &mut output, emitter);
        output
    }

    /// Receives a completion, runs the tools that it calls, and calls the model with what they found, step by step.
    async fn dialogue(
        &self,
        caller: &Caller,
        (prepared, pending): (&Prepared, PendingRequest),
        (drafts, output, emitter): (&mut Drafts<'_>, &mut TurnOutput, &mut Emitter<'_>),
    ) -> Result<(), ModelError> {
        let may = self.may(caller, prepared);
        let mut request = pending.request;
        let mut completion = pending.completion.await?;
        let mut step = 1;
        loop {
            let mut received = Received::default();
            let outcome = receive(completion, drafts, &mut received, emitter).await;
            output.note(&received);
            outcome?;
            if received.calls.is_empty() {
                return Ok(());
            }
            if step >= self.settings.max_steps {
                output.is_out_of_steps = true;
                return Ok(());
            }
            let known = prepared.found.results.iter();
            let known = known.chain(output.uses.iter().flat_map(ToolUse::items));
            let known: Vec<ItemResult> = known.cloned().collect();
            let (turn, with) = ((caller, prepared), (&known[..], may));
            let Called { uses, proposal } = self
                .run_calls(turn, received.calls, with, &output.uses, emitter)
                .await;
            if let Some((question, approval)) = proposal {
                if !drafts.message.has_room_for(&question) {
                    // There are buttons for it below the answer.
                    return Ok(());
                }
                let passed = drafts.message.passed();
                let question = match passed {
                    [] => Line::of_text(question),
                    _ => Line::of_text(question).listed(),
                };
                let question = [question];
                emit_lines(&question, passed.len(), emitter);
                output.lines = [passed, &question].concat();
                output.approval = Some(approval);
                return Ok(());
            }
            if uses.is_empty() {
                // The same again: it will not get any further.
                output.is_out_of_steps = true;
                return Ok(());
            }
            let mut uses = uses;
            for used in &mut uses {
                drafts.show(used.items());
                if let Ok(Found::Record(record)) = &mut used.found {
                    drafts.emit_record(record, emitter);
                }
            }
            let number = |item: &ItemResult| drafts.message.number(item.libro_id);
            let messages = uses::messages(
                received.words,
                &uses,
                &number,
                prepared.locale(caller.language),
            );
            request.messages.extend(messages);
            output.uses.extend(uses);
            step += 1;
            request.tools = self.tools(step, may, &prepared.shop);
            completion = self.model.ask(request.clone()).await?;
        }
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

/// What the guard made of a model's lines, if there were any.
fn judged(lines: &Lines<'_>) -> Option<GuardTrace> {
    let verdict = lines.verdict();
    let rejected = verdict.rejected.iter();
    let rejected: BTreeMap<String, usize> = rejected
        .map(|(code, count)| ((*code).to_owned(), *count))
        .collect();
    if !rejected.is_empty() {
        tracing::warn!(?rejected, "a model's lines were not emitted");
    }
    let wrote_any = verdict.passed > 0 || !rejected.is_empty();
    wrote_any.then_some(GuardTrace {
        passed: verdict.passed,
        repaired: verdict.repaired,
        rejected,
    })
}

/// Takes the lines that passed as the answer; where none did, it is made without the model.
fn complete(passed: &[Line], output: &mut TurnOutput, emitter: &mut Emitter<'_>) {
    if passed.is_empty() && output.trace.error.is_none() && output.approval.is_none() {
        output.trace.error = Some(output.why_silent().to_owned());
    }
    // The question is asked already.
    if output.approval.is_some() {
        return;
    }
    if passed.is_empty() {
        emit_lines(&output.lines, 0, emitter);
    } else {
        output.lines = passed.to_vec();
    }
}

/// What the shopper wrote in commits.
fn questions_in(commits: &[Commit]) -> impl Iterator<Item = &str> + Clone {
    let events = commits.iter().flat_map(|commit| &commit.events);
    events.filter_map(|event| match event.known() {
        Some(Event::UserMessageSent { content }) => Some(content.as_str()),
        _ => None,
    })
}

/// The part of a conversation for a prompt; its commits come newest first.
pub(super) fn context_window(
    summary: Option<&Summary>,
    commits: &[Commit],
    within: ContextLimits,
) -> Window {
    let limits = WindowLimits {
        messages: within.messages,
        chars: within.chars,
        tokens: within.tokens,
        tool_use: within.tools,
    };
    window(summary, commits, limits)
}
