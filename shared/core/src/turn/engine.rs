//! The turn engine: what happens between a question and its answer, in order.

mod caller;
mod settings;

use std::{pin::pin, sync::Arc};

use futures_util::{
    FutureExt,
    future::{Either, OptionFuture, join4, ready, select},
};
use secrecy::SecretString;
use time::OffsetDateTime;
use uuid::Uuid;

pub use caller::{Caller, GUESTS_HAD_THEIRS, KeptAs};
pub use settings::{TokenLimit, TurnSettings};

use super::{
    event::{Listener, Teller},
    request::ChatRequest,
    speak::{Asked, Said},
    told::{Ending, tell_end, tell_lines},
};
use crate::{
    answer::{Action, Answer, Explanation, Timings, ToolTrace, Trace, compose},
    chain::Chain,
    clock::{Clock, elapsed_ms},
    files::{Citation, Files, FoundInFiles, Wanted},
    ids::{ConversationNumber, Owner, Seq},
    limits::BegunTurn,
    log::{Commit, Log, ReadError, Summary},
    model::{Model, ModelChoice},
    retrieval::{Retrieval, Retrieved},
    understand::{Route, route},
    view::View,
};

/// Everything a turn works with.
#[derive(Clone)]
pub struct TurnEngine {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    pub retrieval: Retrieval,
    pub files: Arc<dyn Files>,
    pub model: Arc<dyn Model>,
    pub clock: Arc<dyn Clock>,
    pub settings: TurnSettings,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TurnFailure {
    #[error("the caller has no such conversation")]
    NotFound,
    #[error("only a signed-in caller has documents")]
    SignedOut,
    #[error("a turn of this conversation is still open")]
    Busy { retry_after_seconds: u64 },
    #[error("other turns came first")]
    Conflict,
    #[error("another attempt at the request is under way")]
    InProgress,
    #[error("the log cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A turn with everything read and nothing written.
pub struct Prepared {
    pub(super) request: ChatRequest,
    pub(super) route: Route,
    pub(super) found: Retrieved,
    /// Newest first; `None` where nothing is to be kept.
    pub(super) context: Option<Vec<Commit>>,
    /// The question's commit, where an earlier attempt has put it.
    question: Option<Commit>,
    /// Of what a model is not shown of the conversation, where there is one.
    pub(super) summary: Option<Summary>,
    started_at: OffsetDateTime,
    pub(super) retrieval_ms: u64,
    /// What was found in the caller's own documents.
    pub(super) cited: Vec<Citation>,
    pub(super) tool_use_id: Uuid,
    /// Why no model is asked, whatever was wanted.
    without_model: Option<&'static str>,
}

impl Prepared {
    /// The turn without a model, for this reason.
    #[must_use]
    pub fn without_model(self, reason: &'static str) -> Self {
        Self {
            without_model: Some(reason),
            ..self
        }
    }

    /// What a model may be shown of the conversation: nothing of one that is archived.
    pub(super) fn earlier(&self) -> (Option<&Summary>, &[Commit]) {
        let commits = self.context.as_deref().unwrap_or_default();
        match commits.first() {
            Some(newest) if newest.state.archived => (None, &[]),
            _ => (self.summary.as_ref(), commits),
        }
    }
}

/// A turn whose question is in the log, where it is to be kept.
pub struct Begun {
    pub turn_id: Uuid,
    question: Option<Commit>,
    stage: Stage,
    prepared: Prepared,
}

enum Stage {
    /// Still to be answered, by a model that may have been asked.
    Open(ModelChoice, Option<Asked>),
    /// Answered, and in the log with its question.
    Answered(Box<(Said, Answer)>),
}

impl Begun {
    /// Whether it is in the log, and can be told again from there.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.question.is_some()
    }
}

impl TurnEngine {
    /// Reads what the turn needs: the conversation so far and the books, at once. Nothing is written.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`] where the conversation cannot be read, [`TurnFailure::SignedOut`] where a guest names documents.
    pub async fn prepare(
        &self,
        caller: &Caller,
        mut request: ChatRequest,
    ) -> Result<Prepared, TurnFailure> {
        let started_at = self.clock.now();
        request.keep_to_models(&self.settings.policy, caller.byo_key.as_ref());
        if caller.owner.is_none() && matches!(request.files, Some(Wanted::Attached(_))) {
            return Err(TurnFailure::SignedOut);
        }
        let route = route(&request.message);
        let asks_model = self.settings.policy.is_configured() && request.use_llm;
        // At most one commit a message; without a model the newest one tells where the next goes.
        let wanted = if asks_model {
            self.settings.max_history_messages.max(1)
        } else {
            1
        };
        let owner = caller.owner.as_ref().filter(|_| request.save_history);
        let context = OptionFuture::from(owner.map(async |owner| match caller.begun {
            None => self.log.newest(owner, request.conversation, wanted).await,
            Some(BegunTurn {
                conversation,
                first_seq,
            }) => {
                let after = first_seq.plus(1);
                let log = &self.log;
                log.before(owner, conversation, after, wanted + 1).await
            }
        }));
        // Which conversation it is, the log tells; the newest summary is its own or none is.
        let newest_summary = OptionFuture::from(owner.filter(|_| asks_model).map(async |owner| {
            let conversation = request
                .conversation
                .or(caller.begun.map(|begun| begun.conversation));
            let below = conversation.map(ConversationNumber::next);
            self.view.summaries(owner, below, 1).await
        }));
        let retrieve = async {
            let found = self
                .retrieval
                .run(
                    &route,
                    &request.message,
                    request.top_k,
                    request.prefer_vector,
                    request.trace,
                    started_at,
                )
                .await;
            (found, elapsed_ms(started_at, self.clock.now()))
        };
        let look_up = self.look_into_files(caller, &request);
        let (context, summaries, (found, retrieval_ms), (cited, warnings)) =
            join4(context, newest_summary, retrieve, look_up).await;
        let mut context = context.transpose().map_err(unreadable)?;
        let question = context.as_mut().and_then(|commits| {
            let begun = caller.begun?;
            let newest = commits.first()?.first_seq;
            (newest == begun.first_seq).then(|| commits.remove(0))
        });
        let summary = match summaries {
            Some(Ok(mut summaries)) => question
                .as_ref()
                .or(context.as_ref().and_then(|commits| commits.first()))
                .and_then(|newest| summaries.remove(&newest.conversation)),
            Some(Err(error)) => {
                // The model is shown the newest messages all the same.
                tracing::warn!(error = %Chain(&error), "the summary cannot be read");
                None
            }
            None => None,
        };
        request.warnings.extend(warnings);
        Ok(Prepared {
            request,
            route,
            found,
            context,
            question,
            summary,
            started_at,
            retrieval_ms,
            cited,
            tool_use_id: self.clock.new_id(),
            without_model: None,
        })
    }

    /// Whether a model is asked for this request.
    #[must_use]
    pub fn asks_model(&self, caller: &Caller, request: &ChatRequest) -> bool {
        let policy = &self.settings.policy;
        let choice = policy.choose(request.use_llm, caller.byo_key.clone());
        matches!(choice, ModelChoice::Ask { .. })
    }

    /// What the caller's documents say of the question, where they are to be looked into; and what could not be had.
    async fn look_into_files(
        &self,
        caller: &Caller,
        request: &ChatRequest,
    ) -> (Vec<Citation>, Vec<String>) {
        let Some((owner, wanted)) = caller.owner.as_ref().zip(request.files.as_ref()) else {
            return Default::default();
        };
        match self.files.find(owner, wanted, &request.message).await {
            Ok(FoundInFiles { citations, missing }) => {
                let missing = missing.iter();
                let missing = missing.map(|id| format!("attachments: there is no document {id}"));
                (citations, missing.collect())
            }
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "documents cannot be read");
                let warning = "attachments: documents cannot be read right now";
                (Vec::new(), vec![warning.to_owned()])
            }
        }
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
        let mut asked = None;
        let question = match (owner, prepared.question.take(), &choice) {
            (None, ..) => None,
            (Some(_), Some(question), _) => Some(question),
            (Some(owner), None, ModelChoice::Ask { key }) => {
                let (key, prepared) = (key.clone(), &mut prepared);
                let (question, speech) = self
                    .begin_asking(owner, caller, turn_id, prepared, key)
                    .await?;
                asked = speech;
                Some(question)
            }
            // Nothing slow comes between question and answer, so both are in the log or neither is.
            (Some(owner), None, ModelChoice::Skip { reason }) => {
                let said = self.unsaid(&prepared, caller.language, Some(reason));
                let answer = self.compose(caller, &prepared, &said);
                let (answer, commit) = self
                    .whole_turn(owner, caller, turn_id, &prepared, &said, answer)
                    .await?;
                return Ok(Begun {
                    turn_id,
                    question: Some(commit),
                    stage: Stage::Answered(Box::new((said, answer))),
                    prepared,
                });
            }
        };
        Ok(Begun {
            turn_id,
            question,
            stage: Stage::Open(choice, asked),
            prepared,
        })
    }

    /// Answers a turn that has begun, telling `listener` of it as it goes on, and keeps the answer in the log where it is to be
    /// kept. Tells what became of it there.
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
            prepared,
        } = begun;
        let mut teller = Teller::new(turn_id, &*self.clock, listener);
        let question = question.as_ref();
        self.tell_beginning(caller, question, &prepared, &mut teller);
        let (said, answer, ending) = match stage {
            Stage::Answered(answered) => {
                let (said, answer) = *answered;
                tell_lines(&said.lines, 0, &mut teller);
                let seq = question.map(Commit::last_seq);
                (said, answer, seq.map_or(Ending::Unkept, Ending::Kept))
            }
            Stage::Open(choice, asked) => {
                let said = match choice {
                    ModelChoice::Ask { key } => {
                        let ask = || self.ask(caller.language, &prepared, key);
                        let asked = asked.unwrap_or_else(ask);
                        self.hear_model(caller, question, &prepared, asked, &mut teller)
                            .await
                    }
                    ModelChoice::Skip { reason } => {
                        let said = self.unsaid(&prepared, caller.language, Some(reason));
                        tell_lines(&said.lines, 0, &mut teller);
                        said
                    }
                };
                let mut answer = self.compose(caller, &prepared, &said);
                let owner = caller.owner.as_ref();
                let ending = match owner.zip(question) {
                    Some((owner, question)) => {
                        let turn = (question, &prepared, &said);
                        let next = teller.next();
                        self.end_turn(owner, caller, turn, next, &mut answer).await
                    }
                    None => Ending::Unkept,
                };
                (said, answer, ending)
            }
        };
        tell_end(caller, &said, &answer, ending, &mut teller);
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
    ) -> Result<(Commit, Option<Asked>), TurnFailure> {
        let mut asked = self
            .may_begin(prepared)
            .then(|| self.ask(caller.language, prepared, key));
        let question = {
            let turn = self.begin_turn(owner, caller, turn_id, prepared);
            match &mut asked {
                None => turn.await?,
                Some(Asked { speech, .. }) => match select(&mut *speech, pin!(turn)).await {
                    Either::Left((begun, turn)) => {
                        *speech = ready(begun).boxed();
                        turn.await?
                    }
                    Either::Right((question, _)) => question?,
                },
            }
        };
        let is_as_read = self.see_what_came_before(owner, &question, prepared).await;
        Ok((question, asked.filter(|_| is_as_read)))
    }

    /// Reads the conversation again where others wrote between reading it and the question: the model is shown all that comes
    /// before the question, and a replay finds the same. Whether nobody did.
    async fn see_what_came_before(
        &self,
        owner: &Owner,
        question: &Commit,
        prepared: &mut Prepared,
    ) -> bool {
        let mut is_as_read = true;
        let context = prepared.context.get_or_insert_default();
        let newest = context.first();
        if newest.is_some_and(|newest| newest.conversation != question.conversation) {
            // Archived before or meanwhile: nothing of that is said in another conversation.
            is_as_read = newest.is_some_and(|newest| newest.state.archived);
            context.clear();
            prepared.summary = None;
        }
        let newest = context.first();
        let follows = newest.map_or(Seq::FIRST, |newest| newest.last_seq().plus(1));
        if question.first_seq != follows {
            is_as_read = false;
            let wanted = self.settings.max_history_messages.max(1);
            let before = (question.conversation, question.first_seq);
            match self.log.before(owner, before.0, before.1, wanted).await {
                Ok(read) => *context = read,
                // The question is in the log, so it is answered, from what was read before.
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), "the conversation cannot be read again");
                }
            }
        }
        is_as_read
    }

    /// The answer, not kept so far.
    fn compose(&self, caller: &Caller, prepared: &Prepared, said: &Said) -> Answer {
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
                name: found.tool.to_owned(),
                ok: found.error.is_none(),
                error: found.error.map(str::to_owned),
            },
            timings_ms: Timings {
                retrieval: prepared.retrieval_ms,
                llm: said.elapsed_ms,
                total: elapsed_ms(prepared.started_at, self.clock.now()),
            },
            llm: said.trace.clone(),
            index: found.build_id.clone(),
            explain: Explanation::of(found),
        });
        let results = said.results(found);
        let is_signed_in = caller.owner.is_some();
        let offered = compose::actions(&results, is_signed_in, caller.language);
        let approval = said.approval.clone().map(Action::Approval);
        Answer {
            message: said.lines.join("\n"),
            actions: approval.into_iter().chain(offered).collect(),
            results,
            citations: prepared.cited.clone(),
            conversation: None,
            persist_history_confirmation: None,
            trace,
        }
    }
}

pub(super) fn unreadable(error: ReadError) -> TurnFailure {
    TurnFailure::Unavailable(Box::new(error))
}
