//! What is said in a turn: by a model, line by line as it passes the guard, or without one.

mod hear;
mod prompt;
mod uses;
mod window;

use std::{collections::BTreeMap, pin::pin, time::Duration};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Either, select},
};
use secrecy::SecretString;
use time::OffsetDateTime;

use hear::{Drafts, Heard, hear};
use uses::Called;
use window::{Window, WindowLimits, window};

use super::{
    emit::{Teller, tell_lines},
    types::{Caller, Prepared, Said, ToolUse, TurnEngine, TurnSettings, What},
};
use crate::{
    actions::approvals::VALID_FOR,
    answer::{Approval, GuardTrace, LlmTrace, compose, render::Line, stream::Lines},
    catalogue::ItemResult,
    chain::Chain,
    clock::elapsed_ms,
    ids::Owner,
    language::Language,
    log::{Commit, Event, ShownWithin, Summary},
    model::{ModelError, ModelRequest, Speech, StopReason, ToolSpec, Usage},
    shop::Profile,
    tools::{self, May},
};

/// How often a turn looks whether it has been cancelled: most are over before the first look, and each costs a read unit.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What the steps of a turn may take longer than one call.
const GRACE: Duration = Duration::from_secs(1);

/// A model asked for the first time in a turn; nothing is sent before somebody waits for it.
pub(super) struct Asked {
    request: ModelRequest,
    summary: Option<Summary>,
    asked_at: OffsetDateTime,
    pub(super) speech: BoxFuture<'static, Result<Speech, ModelError>>,
}

impl Said {
    /// Takes note of who spoke, and of what it took.
    fn heard(&mut self, heard: &Heard) {
        if heard.model.is_some() {
            self.model.clone_from(&heard.model);
            self.trace.model.clone_from(&heard.model);
        }
        if let Some(usage) = heard.usage {
            let before = self.trace.usage.unwrap_or_default();
            self.trace.usage = Some(Usage {
                input_tokens: before.input_tokens.saturating_add(usage.input_tokens),
                output_tokens: before.output_tokens.saturating_add(usage.output_tokens),
            });
        }
        self.stop_reason = heard.stop_reason;
    }

    /// Why a model that could be reached is not heard.
    fn silence(&self) -> &'static str {
        let guard = self.trace.guard.as_ref();
        match self.stop_reason {
            Some(StopReason::Refused) => "refused",
            _ if guard.is_some() => "guard_rejected",
            _ => "empty",
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
        let locale = prepared.locale(language);
        Said {
            lines: compose::lines(&request.message, found, &prepared.cited, locale),
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
            shown_within: None,
            thinking: None,
            elapsed_ms: 0,
            uses: Vec::new(),
            approval: None,
            is_out_of_steps: false,
        }
    }

    /// Shows a model the conversation and what was found.
    pub(super) fn ask(
        &self,
        caller: &Caller,
        prepared: &Prepared,
        key: Option<SecretString>,
    ) -> Asked {
        let question = &prepared.request;
        let (summary, commits) = prepared.earlier();
        let TurnSettings {
            shown_within,
            count_tokens,
            ..
        } = self.settings;
        let shown = shown(summary, commits, shown_within, count_tokens);
        let summary = summary.filter(|_| shown.with_summary).cloned();
        let facts = (&prepared.found, &prepared.cited[..]);
        let request = ModelRequest {
            model: question.model.clone(),
            messages: prompt::prompt(
                &question.message,
                facts,
                shown.traced(),
                prepared.locale(caller.language),
            ),
            tools: self.tools(1, may(caller, prepared), &prepared.shop),
            thinking: question.enable_thinking.then_some(question.thinking_budget),
            key,
        };
        let (model, first) = (self.model.clone(), request.clone());
        Asked {
            request,
            summary,
            asked_at: self.clock.now(),
            speech: async move { model.ask(first).await }.boxed(),
        }
    }

    /// The tools of a step; the last one has none.
    fn tools(&self, step: u32, may: May, shop: &Profile) -> Vec<ToolSpec> {
        let offers = step < self.settings.max_steps;
        let offered = offers.then(|| tools::offered(may, shop));
        offered.unwrap_or_default()
    }

    /// Hears a model out that was asked, and says what of its words may be said, as they come. Where that is no answer, it is
    /// made one without the model.
    pub(super) async fn hear_model(
        &self,
        caller: &Caller,
        question: Option<&Commit>,
        prepared: &Prepared,
        asked: Asked,
        teller: &mut Teller<'_>,
    ) -> Said {
        let request = &prepared.request;
        let mut said = self.unsaid(prepared, caller.language, None);
        said.trace.model.clone_from(&said.model);
        said.summary.clone_from(&asked.summary);
        said.shown_within = Some(self.settings.shown_within);
        let asked_at = asked.asked_at;
        let locale = prepared.locale(caller.language);
        let mut drafts = Drafts::new(locale, request.enable_thinking);
        drafts.show(&prepared.found.results);
        let (_, commits) = prepared.earlier();
        drafts.take_messages(asked_in(commits).chain([request.message.as_str()]));
        drafts.take_documents(&prepared.cited);
        let turn = caller.owner.as_ref().zip(question);
        // Of all steps together; a model that is late in the first is told so by whoever asks it.
        let total = Duration::from_secs(self.settings.policy.timeout_seconds) + GRACE;
        let talk = async {
            let told = (&mut drafts, &mut said, &mut *teller);
            self.dialogue(caller, (prepared, asked), told).await
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
        said.elapsed_ms = elapsed_ms(asked_at, self.clock.now());
        if let Err(error) = outcome {
            tracing::warn!(
                error = %Chain(&error),
                code = error.code(),
                "the model gave no answer, or not all of it"
            );
            said.trace.error = Some(error.code().to_owned());
        }
        drafts.end_of_thoughts(teller);
        drafts.message.close();
        said.trace.guard = judged(&drafts.message);
        if said.stop_reason == Some(StopReason::Refused) {
            let why = "provider".to_owned();
            teller.transient(What::ContentRefused { why });
        }
        said.thinking = drafts.thought().filter(|_| request.persist_thinking);
        // What the shop said of its own accord is not the model's.
        said.by_model = drafts.message.verdict().passed > 0;
        complete(drafts.message.passed(), &mut said, teller);
        said
    }

    /// Hears a model, runs the tools that it calls, and asks it again with what they found.
    async fn dialogue(
        &self,
        caller: &Caller,
        (prepared, asked): (&Prepared, Asked),
        (drafts, said, teller): (&mut Drafts<'_>, &mut Said, &mut Teller<'_>),
    ) -> Result<(), ModelError> {
        let may = may(caller, prepared);
        let mut request = asked.request;
        let mut speech = asked.speech.await?;
        let mut step = 1;
        loop {
            let mut heard = Heard::default();
            let outcome = hear(speech, drafts, &mut heard, teller).await;
            said.heard(&heard);
            outcome?;
            if heard.calls.is_empty() {
                return Ok(());
            }
            if step >= self.settings.max_steps {
                said.is_out_of_steps = true;
                return Ok(());
            }
            let known = prepared.found.results.iter();
            let known = known.chain(said.uses.iter().flat_map(ToolUse::items));
            let known: Vec<ItemResult> = known.cloned().collect();
            let (turn, with) = ((caller, prepared), (&known[..], may));
            let Called { uses, proposal } = self
                .run_calls(turn, heard.calls, with, &said.uses, teller)
                .await;
            if let Some((proposal, question)) = proposal {
                if !drafts.message.has_room_for(&question) {
                    // There are buttons for it below what was said.
                    return Ok(());
                }
                let passed = drafts.message.passed();
                let asked = match passed {
                    [] => Line::of_text(question),
                    _ => Line::of_text(question).listed(),
                };
                let asked = [asked];
                tell_lines(&asked, passed.len(), teller);
                said.lines = [passed, &asked].concat();
                said.approval = Some(Approval {
                    approval: self.clock.new_id(),
                    payload: proposal.payload(),
                    action: proposal.tool.to_owned(),
                    expires_at: self.clock.now() + VALID_FOR,
                });
                return Ok(());
            }
            if uses.is_empty() {
                // The same again: it will not get any further.
                said.is_out_of_steps = true;
                return Ok(());
            }
            for used in &uses {
                drafts.show(used.items());
                if let Some(record) = used.record() {
                    drafts.tell_record(record, teller);
                }
            }
            let number = |item: &ItemResult| drafts.message.number(item.libro_id);
            let shown = uses::shown(
                heard.words,
                &uses,
                &number,
                prepared.locale(caller.language),
            );
            request.messages.extend(shown);
            said.uses.extend(uses);
            step += 1;
            request.tools = self.tools(step, may, &prepared.shop);
            speech = self.model.ask(request.clone()).await?;
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

/// What the tools of a turn may do.
fn may(caller: &Caller, prepared: &Prepared) -> May {
    May {
        look_up: caller.owner.is_some(),
        propose: prepared.context.is_some(),
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
        tracing::warn!(?rejected, "a model's lines were not said");
    }
    let said_any = verdict.passed > 0 || !rejected.is_empty();
    said_any.then_some(GuardTrace {
        passed: verdict.passed,
        repaired: verdict.repaired,
        rejected,
    })
}

/// Takes the lines that passed as the answer; where none did, it is made without the model.
fn complete(passed: &[Line], said: &mut Said, teller: &mut Teller<'_>) {
    if passed.is_empty() && said.trace.error.is_none() && said.approval.is_none() {
        said.trace.error = Some(said.silence().to_owned());
    }
    // The question is asked already.
    if said.approval.is_some() {
        return;
    }
    if passed.is_empty() {
        tell_lines(&said.lines, 0, teller);
    } else {
        said.lines = passed.to_vec();
    }
}

/// What the shopper wrote in commits.
fn asked_in(commits: &[Commit]) -> impl Iterator<Item = &str> + Clone {
    let events = commits.iter().flat_map(|commit| &commit.events);
    events.filter_map(|event| match event.known() {
        Some(Event::UserMessageSent { content }) => Some(content.as_str()),
        _ => None,
    })
}

/// What a model is shown of a conversation, whose commits come newest first.
pub(super) fn shown(
    summary: Option<&Summary>,
    commits: &[Commit],
    within: ShownWithin,
    count_tokens: fn(&str) -> usize,
) -> Window {
    let limits = WindowLimits {
        messages: within.messages,
        chars: within.chars,
        tokens: within.tokens,
        tool_use: within.tools,
    };
    window(summary, commits, limits, &count_tokens)
}
