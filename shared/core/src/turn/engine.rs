//! The turn engine: what happens between a question and its answer, in order.

use std::pin::pin;

use futures_util::{
    FutureExt,
    future::{Either, ready, select},
};
use secrecy::SecretString;
use uuid::Uuid;

use super::{
    emit::{Emitter, Listener, emit_end, emit_lines, notice, resolution},
    model_loop::PendingRequest,
    types::{Caller, ChatRequest, Ending, Handoff, Prepared, TurnEngine, TurnFailure, TurnOutput},
};
use crate::{
    answer::{
        Action, Answer, Explanation, IntentTrace, Timings, ToolTrace, Trace, compose, render,
    },
    catalogue::ItemResult,
    clock::elapsed_ms,
    ids::Owner,
    language::Language,
    log::Commit,
    model::ModelChoice,
    segment::placed,
};

/// A turn whose question is in the log, where it is to be kept.
pub struct Begun {
    pub turn_id: Uuid,
    question: Option<Commit>,
    stage: Stage,
    prepared: Prepared,
}

enum Stage {
    /// Still to be answered, by a model that may have been asked.
    Open(ModelChoice, Option<Box<PendingRequest>>),
    /// Answered, and in the log with its question.
    Answered(Box<(TurnOutput, Answer)>),
}

impl Begun {
    #[cfg(test)]
    pub(super) fn prepared(&mut self) -> &mut Prepared {
        &mut self.prepared
    }

    /// Whether it is in the log, and can be resumed from there.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.question.is_some()
    }
}

impl TurnEngine {
    /// Whether a model is asked for this request.
    #[must_use]
    pub fn needs_model(&self, caller: &Caller, request: &ChatRequest) -> bool {
        let policy = &self.settings.policy;
        let choice = policy.choose(request.use_llm, caller.byo_key.clone());
        matches!(choice, ModelChoice::Ask { .. })
    }

    /// Puts the question of a prepared turn into the log where it is to be kept; without a model, its answer too.
    ///
    /// # Errors
    /// [`TurnFailure`]; then the question is not in the log, unless an earlier attempt has put it there.
    pub async fn begin(
        &self,
        caller: &Caller,
        mut prepared: Prepared,
    ) -> Result<Begun, TurnFailure> {
        let policy = &self.settings.policy;
        let choice = match prepared.without_model {
            Some(reason) => ModelChoice::Skip { reason },
            None => policy.choose(prepared.request.use_llm, caller.byo_key.clone()),
        };
        let owner = caller.owner.as_ref();
        let owner = owner.filter(|_| prepared.context.is_some());
        let turn_id = match &prepared.question {
            Some(question) => question.turn_id,
            None => self.clock.new_id(),
        };
        let mut pending = None;
        let question = match (owner, prepared.question.take(), &choice) {
            (None, ..) => None,
            (Some(_), Some(question), _) => Some(question),
            (Some(owner), None, ModelChoice::Ask { key }) => {
                let (key, prepared) = (key.clone(), &mut prepared);
                let (question, completion) = self
                    .begin_asking(owner, caller, turn_id, prepared, key)
                    .await?;
                pending = completion;
                Some(question)
            }
            // What is decided is in the log before it is done.
            (Some(owner), None, ModelChoice::Skip { .. }) if prepared.decision.is_some() => {
                let question = self.begin_turn(owner, caller, turn_id, &prepared).await?;
                let prepared = &mut prepared;
                let is_as_read = self.see_what_came_before(owner, &question, prepared).await;
                self.keep_decision(caller, is_as_read, prepared).await;
                Some(question)
            }
            // Nothing slow comes between question and answer, so both are in the log or neither is.
            (Some(owner), None, ModelChoice::Skip { reason }) => {
                let output = self.fallback(&prepared, caller.language, Some(reason));
                let answer = self.compose(caller, &prepared, &output);
                let (answer, commit) = self
                    .whole_turn(owner, caller, turn_id, &prepared, &output, answer)
                    .await?;
                return Ok(Begun {
                    turn_id,
                    question: Some(commit),
                    stage: Stage::Answered(Box::new((output, answer))),
                    prepared,
                });
            }
        };
        Ok(Begun {
            turn_id,
            question,
            stage: Stage::Open(choice, pending.map(Box::new)),
            prepared,
        })
    }

    /// Answers a turn that has begun, emitting its events to `listener`, and keeps the answer in the log where it is to be
    /// kept. Returns what became of it there.
    pub async fn finish(
        &self,
        caller: &Caller,
        begun: Begun,
        listener: Listener<'_>,
    ) -> (Answer, Ending) {
        let Begun {
            turn_id,
            question,
            stage,
            mut prepared,
        } = begun;
        self.settle(caller, &mut prepared).await;
        let mut emitter = Emitter::new(turn_id, &*self.clock, listener);
        let question = question.as_ref();
        self.emit_start(caller, question, &prepared, &mut emitter);
        let (output, answer, ending, resolved) = match stage {
            Stage::Answered(answered) => {
                let (output, answer) = *answered;
                emit_lines(&output.lines, 0, &mut emitter);
                let seq = question.map(Commit::last_seq);
                let ending = seq.map_or(Ending::Unkept, Ending::Kept);
                (output, answer, ending, question.and_then(resolution))
            }
            Stage::Open(choice, pending) => {
                let output = match choice {
                    ModelChoice::Ask { key } => {
                        let ask = || self.ask(caller, &prepared, key);
                        let pending = pending.map_or_else(ask, |pending| *pending);
                        self.run_model(caller, question, &prepared, pending, &mut emitter)
                            .await
                    }
                    ModelChoice::Skip { reason } => {
                        let output = self.fallback(&prepared, caller.language, Some(reason));
                        emit_lines(&output.lines, 0, &mut emitter);
                        output
                    }
                };
                let mut answer = self.compose(caller, &prepared, &output);
                answer.notice = notice(question, caller.language);
                let owner = caller.owner.as_ref();
                let (ending, commit) = match owner.zip(question) {
                    Some((owner, question)) => {
                        let turn = (question, &prepared, &output);
                        let next = emitter.next();
                        self.end_turn(owner, caller, turn, next, &mut answer).await
                    }
                    None => (Ending::Unkept, None),
                };
                (output, answer, ending, commit.as_ref().and_then(resolution))
            }
        };
        emit_end(caller, &output, &answer, (ending, resolved), &mut emitter);
        (answer, ending)
    }

    /// Puts the question into the log, and asks the model meanwhile, where what was read lets the turn begin and is still so.
    async fn begin_asking(
        &self,
        owner: &Owner,
        caller: &Caller,
        turn_id: Uuid,
        prepared: &mut Prepared,
        key: Option<SecretString>,
    ) -> Result<(Commit, Option<PendingRequest>), TurnFailure> {
        let mut pending = self
            .may_begin(prepared)
            .then(|| self.ask(caller, prepared, key));
        let question = {
            let turn = self.begin_turn(owner, caller, turn_id, prepared);
            match &mut pending {
                None => turn.await?,
                Some(PendingRequest { completion, .. }) => {
                    match select(&mut *completion, pin!(turn)).await {
                        Either::Left((begun, turn)) => {
                            *completion = ready(begun).boxed();
                            turn.await?
                        }
                        Either::Right((question, _)) => question?,
                    }
                }
            }
        };
        let is_as_read = self.see_what_came_before(owner, &question, prepared).await;
        Ok((question, pending.filter(|_| is_as_read)))
    }

    /// What the next message may go back to, where nothing is kept of the conversation.
    fn context(&self, prepared: &Prepared, results: &[ItemResult]) -> Option<String> {
        if prepared.context.is_some() {
            return None;
        }
        let Prepared {
            request,
            route,
            wish,
            ..
        } = prepared;
        let items = results.iter().map(|item| item.libro_id);
        let before = request.shown.clone().unwrap_or_default();
        // What shows nothing leaves what was shown as it was.
        let mut shown = match results {
            [] => before,
            _ => before.then(wish, route, items),
        };
        shown.task.clone_from(&prepared.task);
        shown.errand.clone_from(&prepared.errand);
        shown.topic = prepared.topic;
        shown.language = Language::of_text(&request.message).or(shown.language);
        shown.context()
    }

    /// The answer, not kept so far.
    fn compose(&self, caller: &Caller, prepared: &Prepared, output: &TurnOutput) -> Answer {
        let Prepared { request, found, .. } = prepared;
        let trace = request.trace.then(|| Trace {
            request_id: caller.request_id.to_string(),
            query: request.message.clone(),
            k: request.top_k,
            source: found.source,
            degraded: found.degraded,
            warnings: request
                .warnings
                .iter()
                .chain(&found.warnings)
                .cloned()
                .collect(),
            tool: ToolTrace {
                name: prepared.tool().to_owned(),
                ok: prepared.error().is_none(),
                error: prepared.error().map(str::to_owned),
            },
            intent: IntentTrace {
                name: prepared.meant.intent,
                // Two decimals say as much.
                confidence: (prepared.meant.confidence * 100.0).round() / 100.0,
                language: caller.language.tag().to_owned(),
            },
            timings_ms: Timings {
                retrieval: prepared.retrieval_ms,
                llm: output.elapsed_ms,
                total: elapsed_ms(prepared.started_at, self.clock.now()),
            },
            llm: output.trace.clone(),
            index: found.build_id.clone(),
            explain: Explanation::of(found),
        });
        let results = output.results(found);
        let is_signed_in = caller.owner.is_some();
        let offered = compose::actions(&results, is_signed_in, prepared.locale(caller.language));
        let approval = output.approval.clone().map(Action::Approval);
        let signs_in = prepared.is_to_sign_in();
        let person = prepared
            .back
            .clone()
            .filter(|_| prepared.handoff != Some(Handoff::Ended));
        let person = person.map(|back| Action::Person { back });
        let offered = offered
            .into_iter()
            .chain(signs_in.then_some(Action::SignIn))
            .chain(person);
        Answer {
            message: render::text(&output.lines),
            segments: placed(output.lines.iter().map(|line| &line.segments[..]), &results),
            actions: approval.into_iter().chain(offered).collect(),
            context: self.context(prepared, &results),
            results,
            notice: None,
            citations: prepared.citations(output),
            conversation: None,
            persist_history_confirmation: None,
            trace,
        }
    }
}
