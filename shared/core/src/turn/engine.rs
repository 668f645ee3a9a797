//! The turn engine: what happens between a question and its answer, in order.

use std::sync::Arc;

use futures_util::{
    StreamExt,
    future::{OptionFuture, join},
};
use secrecy::SecretString;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    answer::{Answer, Explanation, LlmTrace, Timings, ToolTrace, Trace},
    compose, guard, prompt,
    request::ChatRequest,
    route::{Route, route},
    window::{WindowLimits, window},
};
use crate::{
    chain::Chain,
    clock::{Clock, elapsed_ms},
    ids::{ConversationNumber, Owner},
    language::Language,
    log::{AppendFailure, Commit, Draft, Event, Log, Position, ReadError, ShownBook, append},
    model::{Model, ModelChoice, ModelError, ModelEvent, ModelPolicy, ModelRequest, StopReason},
    retrieval::{Retrieval, Retrieved},
};

/// Who asks, and how they are answered.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `None` for a guest.
    pub owner: Option<Owner>,
    pub language: Language,
    pub request_id: Uuid,
    /// A model key of the caller's own.
    pub byo_key: Option<SecretString>,
}

/// What can be set of a turn.
#[derive(Debug, Clone)]
pub struct TurnSettings {
    /// An open turn older than this has failed, and the conversation goes on.
    pub deadline_seconds: i64,
    /// Messages and characters of the conversation that a model is shown.
    pub max_history_messages: usize,
    pub max_history_chars: usize,
    pub policy: ModelPolicy,
}

impl Default for TurnSettings {
    fn default() -> Self {
        Self {
            deadline_seconds: 30,
            max_history_messages: 20,
            max_history_chars: 8_000,
            policy: ModelPolicy::none(),
        }
    }
}

/// Everything a turn works with.
#[derive(Clone)]
pub struct TurnEngine {
    pub log: Arc<dyn Log>,
    pub retrieval: Retrieval,
    pub model: Arc<dyn Model>,
    pub clock: Arc<dyn Clock>,
    pub settings: TurnSettings,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TurnFailure {
    #[error("the caller has no such conversation")]
    NotFound,
    #[error("a turn of this conversation is still open")]
    Busy { retry_after_seconds: u64 },
    #[error("other turns came first")]
    Conflict,
    #[error("the log cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A turn with everything read and nothing written.
pub struct Prepared {
    request: ChatRequest,
    route: Route,
    found: Retrieved,
    /// Newest first; `None` where nothing is to be kept.
    context: Option<Vec<Commit>>,
    started_at: OffsetDateTime,
    retrieval_ms: u64,
}

/// What a model made of the turn, or why it made nothing.
struct Said {
    message: Option<String>,
    trace: LlmTrace,
    model: Option<String>,
    stop_reason: Option<StopReason>,
    elapsed_ms: u64,
}

impl TurnEngine {
    /// Reads what the turn needs: the conversation so far and the books, at once. Nothing is written.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`] where the conversation cannot be read.
    pub async fn prepare(
        &self,
        caller: &Caller,
        request: ChatRequest,
    ) -> Result<Prepared, TurnFailure> {
        let started_at = self.clock.now();
        let route = route(&request.message);
        let asks_model = self.settings.policy.is_configured() && request.use_llm;
        // At most one commit a message; without a model the newest one tells where the next goes.
        let wanted = if asks_model {
            self.settings.max_history_messages.max(1)
        } else {
            1
        };
        let owner = caller.owner.as_ref().filter(|_| request.save_history);
        let context = OptionFuture::from(
            owner.map(|owner| self.log.newest(owner, request.conversation, wanted)),
        );
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
        let (context, (found, retrieval_ms)) = join(context, retrieve).await;
        let context = context.transpose().map_err(unreadable)?;
        Ok(Prepared {
            request,
            route,
            found,
            context,
            started_at,
            retrieval_ms,
        })
    }

    /// Answers a prepared turn, and keeps question and answer in the log where they are to be kept.
    ///
    /// # Errors
    /// [`TurnFailure`]; then the question is not in the log.
    pub async fn answer(&self, caller: &Caller, prepared: Prepared) -> Result<Answer, TurnFailure> {
        let turn_id = self.clock.new_id();
        let request = &prepared.request;
        let owner = caller.owner.as_ref();
        let kept_by = owner.filter(|_| prepared.context.is_some());
        let choice = self
            .settings
            .policy
            .choose(request.use_llm, caller.byo_key.clone());
        let (said, message, kept) = match choice {
            // Nothing slow comes between question and answer, so both are in the log or neither is.
            ModelChoice::Skip { reason } => {
                let said = self.unsaid(request, Some(reason));
                let message = compose::message(&request.message, &prepared.found, caller.language);
                let kept = match kept_by {
                    Some(owner) => {
                        let answer = self.answer_events(&prepared, &said, &message);
                        let turn = self.begin_turn(owner, turn_id, &prepared, answer).await?;
                        Some((turn.conversation, true))
                    }
                    None => None,
                };
                (said, message, kept)
            }
            ModelChoice::Ask { key } => {
                let question = match kept_by {
                    Some(owner) => {
                        let nothing_yet = Vec::new();
                        let question = self.begin_turn(owner, turn_id, &prepared, nothing_yet);
                        Some((owner, question.await?))
                    }
                    None => None,
                };
                let said = self.ask_model(caller, &prepared, key).await;
                let message = said.message.clone().unwrap_or_else(|| {
                    compose::message(&request.message, &prepared.found, caller.language)
                });
                let kept = match &question {
                    Some((owner, question)) => {
                        let answer = self.answer_events(&prepared, &said, &message);
                        let persisted = self.end_turn(owner, question, answer).await;
                        Some((question.conversation, persisted))
                    }
                    None => None,
                };
                (said, message, kept)
            }
        };
        let found = &prepared.found;
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
            llm: said.trace,
            index: found.build_id.clone(),
            explain: Explanation::of(found),
        });
        Ok(Answer {
            message,
            actions: compose::actions(&found.results, caller.owner.is_some(), caller.language),
            conversation: kept.map(|(conversation, _)| conversation),
            persist_history_confirmation: kept.map(|(_, persisted)| persisted),
            trace,
            results: prepared.found.results,
        })
    }

    /// Commits the question, and with it whatever of the turn is known already.
    async fn begin_turn(
        &self,
        owner: &Owner,
        turn_id: Uuid,
        prepared: &Prepared,
        known_already: Vec<Event>,
    ) -> Result<Commit, TurnFailure> {
        let newest = prepared
            .context
            .as_ref()
            .and_then(|context| context.first().cloned());
        let wanted = prepared.request.conversation;
        let deadline = Duration::seconds(self.settings.deadline_seconds);
        let decide = |newest: Option<&Commit>, now: OffsetDateTime| {
            let question = Event::UserMessageSent {
                content: prepared.request.message.clone(),
            };
            let position = match (newest, wanted) {
                (None, Some(_)) => return Err(TurnFailure::NotFound),
                (Some(newest), Some(_)) if newest.state.archived => {
                    return Err(TurnFailure::NotFound);
                }
                (None, None) => Position::start_of(ConversationNumber::FIRST),
                (Some(newest), None) if newest.state.archived => {
                    Position::start_of(newest.conversation.next())
                }
                (Some(newest), _) => {
                    if let Some(left) = newest
                        .state
                        .open_turn
                        .map(|open| open.since + deadline - now)
                        && left.is_positive()
                    {
                        // Most turns end within a second; the deadline is the worst case.
                        let retry_after_seconds =
                            u64::try_from(left.whole_seconds()).unwrap_or(0).clamp(1, 2);
                        return Err(TurnFailure::Busy {
                            retry_after_seconds,
                        });
                    }
                    Position::after(newest)
                }
            };
            let start = position.is_start().then_some(Event::ConversationStarted {});
            let events = start.into_iter().chain([question]);
            Ok(Draft {
                position,
                events: events.chain(known_already.iter().cloned()).collect(),
            })
        };
        append(
            &*self.log,
            &*self.clock,
            owner,
            (wanted, turn_id),
            Some(newest),
            decide,
        )
        .await
        .map_err(|failure| match failure {
            AppendFailure::Refused(refusal) => refusal,
            AppendFailure::Conflict => TurnFailure::Conflict,
            AppendFailure::Read(error) => unreadable(error),
            AppendFailure::Unknown(source) => TurnFailure::Unavailable(source),
        })
    }

    /// What of a turn follows its question.
    fn answer_events(&self, prepared: &Prepared, said: &Said, message: &str) -> Vec<Event> {
        let tool_use_id = self.clock.new_id();
        let found = &prepared.found;
        vec![
            Event::ToolUseRequested {
                tool_use_id,
                tool_name: prepared.route.tool().to_owned(),
                args: prepared.route.arguments(prepared.request.top_k),
            },
            Event::ToolUseCompleted {
                tool_use_id,
                success: found.error.is_none(),
                error: found.error.map(str::to_owned),
                results: found
                    .results
                    .iter()
                    .map(|book| ShownBook {
                        libro_id: book.libro_id,
                        precio: book.precio,
                        stock: book.stock,
                    })
                    .collect(),
                index: found.build_id.clone(),
            },
            Event::AgentMessageSent {
                content: message.to_owned(),
                stop_reason: match said.stop_reason {
                    Some(StopReason::MaxTokens) => "max_tokens",
                    Some(StopReason::StopSequence) => "stop_sequence",
                    Some(StopReason::EndTurn | StopReason::Refused) | None => "end_turn",
                }
                .to_owned(),
                provider: if said.message.is_some() {
                    said.trace.provider.clone()
                } else {
                    "none".to_owned()
                },
                model: said.model.clone().filter(|_| said.message.is_some()),
            },
        ]
    }

    /// Whether the answer is in the log. It goes to its question's conversation, archived meanwhile or not.
    async fn end_turn(&self, owner: &Owner, question: &Commit, events: Vec<Event>) -> bool {
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
            let position = newest.map_or_else(|| Position::after(question), Position::after);
            Ok::<_, std::convert::Infallible>(Draft {
                position,
                events: events.clone(),
            })
        };
        let target = (Some(question.conversation), question.turn_id);
        let appended = append(
            &*self.log,
            &*self.clock,
            owner,
            target,
            Some(Some(question.clone())),
            decide,
        )
        .await;
        match appended {
            Ok(_) => true,
            Err(failure) => {
                tracing::error!(
                    error = %Chain(&failure),
                    "an answer was given that is not in the log"
                );
                false
            }
        }
    }

    /// A turn in which no model has said anything, for `reason` where one could have.
    fn unsaid(&self, request: &ChatRequest, reason: Option<&str>) -> Said {
        let policy = &self.settings.policy;
        Said {
            message: None,
            trace: LlmTrace {
                provider: policy.provider.to_owned(),
                model: None,
                error: reason.filter(|_| policy.is_configured()).map(str::to_owned),
                rejected: Vec::new(),
                repaired: false,
            },
            model: request.model.clone().or_else(|| policy.model.clone()),
            stop_reason: None,
            elapsed_ms: 0,
        }
    }

    async fn ask_model(
        &self,
        caller: &Caller,
        prepared: &Prepared,
        key: Option<SecretString>,
    ) -> Said {
        let request = &prepared.request;
        let mut said = self.unsaid(request, None);
        let model = said.model.clone();
        said.trace.model.clone_from(&model);
        let limits = WindowLimits {
            messages: self.settings.max_history_messages,
            chars: self.settings.max_history_chars,
            tokens: None,
        };
        let context = prepared.context.as_deref().unwrap_or_default();
        let earlier = window(None, context, limits, &str::len).traced();
        let messages = prompt::prompt(&request.message, &prepared.found, earlier, caller.language);
        let asked_at = self.clock.now();
        let answered = self
            .listen(ModelRequest {
                model,
                messages,
                key,
            })
            .await;
        said.elapsed_ms = elapsed_ms(asked_at, self.clock.now());
        match answered {
            Ok((text, stop_reason)) => {
                said.stop_reason = Some(stop_reason);
                take_guarded(&text, prepared, &mut said);
            }
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    code = error.code(),
                    "the model gave no answer"
                );
                said.trace.error = Some(error.code().to_owned());
            }
        }
        said
    }

    async fn listen(&self, request: ModelRequest) -> Result<(String, StopReason), ModelError> {
        let mut events = self.model.ask(request).await?;
        let mut text = String::new();
        let mut stop_reason = StopReason::EndTurn;
        while let Some(event) = events.next().await {
            match event? {
                ModelEvent::ContentDelta(delta) => text.push_str(&delta),
                ModelEvent::Usage(_) => {}
                ModelEvent::End {
                    stop_reason: reason,
                } => stop_reason = reason,
            }
        }
        Ok((text, stop_reason))
    }
}

/// Takes the model's words if they pass, or pass once their form is put right.
fn take_guarded(text: &str, prepared: &Prepared, said: &mut Said) {
    let results = &prepared.found.results;
    let mut text = text.trim().to_owned();
    let mut violations = guard::check(&text, results);
    if violations.iter().any(|violation| violation.is_form()) {
        let repaired = guard::repair(&text);
        let left = guard::check(&repaired, results);
        if left.is_empty() {
            said.trace.repaired = true;
            text = repaired;
        }
        violations = left;
    }
    if violations.is_empty() {
        said.message = Some(text);
    } else {
        said.trace.error = Some("guard_rejected".to_owned());
        said.trace.rejected = violations
            .into_iter()
            .map(|violation| violation.code().to_owned())
            .collect();
    }
}

fn unreadable(error: ReadError) -> TurnFailure {
    TurnFailure::Unavailable(Box::new(error))
}
