//! What of a turn is in the log: its question and its answer, in one commit or in two.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    answer::Answer,
    engine::{Caller, Prepared, TurnEngine, TurnFailure, unreadable},
    speak::Said,
};
use crate::{
    chain::Chain,
    ids::{ConversationNumber, Owner},
    limits::{BegunTurn, Kept, Settlement, StoredAnswer},
    log::{AppendFailure, Commit, Draft, Event, Position, ShownBook, append},
    model::StopReason,
};

/// Nothing of the conversation is there any more.
#[derive(Debug, thiserror::Error)]
#[error("the conversation was erased")]
struct Erased;

impl TurnEngine {
    /// Commits the question.
    pub(super) async fn begin_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        prepared: &Prepared,
    ) -> Result<Commit, TurnFailure> {
        let turn_id = self.clock.new_id();
        self.open_turn(owner, turn_id, prepared, |position| {
            let begun = BegunTurn {
                conversation: position.conversation,
                first_seq: position.first_seq,
            };
            (Vec::new(), settled(caller, Kept::Begun(begun)))
        })
        .await
    }

    /// Commits question and answer together.
    pub(super) async fn whole_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        prepared: &Prepared,
        said: &Said,
        mut answer: Answer,
    ) -> Result<Answer, TurnFailure> {
        let turn_id = self.clock.new_id();
        let events = self.answer_events(prepared, said, &answer.message);
        answer.persist_history_confirmation = Some(true);
        self.open_turn(owner, turn_id, prepared, |position| {
            answer.conversation = Some(position.conversation);
            (events.clone(), answered(caller, &answer))
        })
        .await?;
        Ok(answer)
    }

    /// Commits the question, with what else `rest` has for the place that it gets.
    async fn open_turn(
        &self,
        owner: &Owner,
        turn_id: Uuid,
        prepared: &Prepared,
        mut rest: impl FnMut(&Position) -> (Vec<Event>, Option<Settlement>) + Send,
    ) -> Result<Commit, TurnFailure> {
        let newest = prepared
            .context
            .as_ref()
            .and_then(|context| context.first().cloned());
        let wanted = prepared.request.conversation;
        let deadline = Duration::seconds(self.settings.deadline_seconds);
        let decide = |newest: Option<&Commit>, now: OffsetDateTime| {
            let position = turn_position(newest, wanted, deadline, now)?;
            let (known_already, settlement) = rest(&position);
            let question = Event::UserMessageSent {
                content: prepared.request.message.clone(),
            };
            let start = position.is_start().then_some(Event::ConversationStarted {});
            let events = start.into_iter().chain([question]);
            Ok(Draft {
                position,
                events: events.chain(known_already).collect(),
                settlement,
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
            AppendFailure::Overtaken => TurnFailure::InProgress,
            AppendFailure::Read(error) => unreadable(error),
            AppendFailure::TooLarge(error) => TurnFailure::Unavailable(Box::new(error)),
            AppendFailure::Unknown(source) => TurnFailure::Unavailable(source),
        })
    }

    /// What of a turn follows its question.
    fn answer_events(&self, prepared: &Prepared, said: &Said, message: &str) -> Vec<Event> {
        let tool_use_id = self.clock.new_id();
        let found = &prepared.found;
        let context = prepared.context.as_ref();
        let newest = context.and_then(|commits| commits.first());
        let known = newest.and_then(|newest| newest.state.summary_through);
        let summary = said.summary.as_ref();
        let new = summary.filter(|summary| known != Some(summary.through));
        let summarised = new.map(|summary| Event::ConversationSummarised {
            summary: summary.clone(),
        });
        let answer = [
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
                    Some(StopReason::EndTurn | StopReason::ToolUse | StopReason::Refused)
                    | None => "end_turn",
                }
                .to_owned(),
                provider: if said.message.is_some() {
                    said.trace.provider.clone()
                } else {
                    "none".to_owned()
                },
                model: said.model.clone().filter(|_| said.message.is_some()),
                summary_through: summary.map(|summary| summary.through),
            },
        ];
        summarised.into_iter().chain(answer).collect()
    }

    /// Commits the answer, and tells in it whether it is in the log. It goes to its question's conversation, archived meanwhile
    /// or not.
    pub(super) async fn end_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        (question, prepared, said): (&Commit, &Prepared, &Said),
        mut answer: Answer,
    ) -> Answer {
        let events = self.answer_events(prepared, said, &answer.message);
        answer.conversation = Some(question.conversation);
        answer.persist_history_confirmation = Some(true);
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
            Ok::<_, Erased>(Draft {
                position: newest
                    .filter(|newest| !newest.state.erased)
                    .map(Position::after)
                    .ok_or(Erased)?,
                events: events.clone(),
                settlement: answered(caller, &answer),
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
        if let Err(failure) = appended {
            tracing::error!(
                error = %Chain(&failure),
                "an answer was given that is not in the log"
            );
            answer.persist_history_confirmation = Some(false);
        }
        answer
    }
}

/// Where a turn that begins at `now` goes, if it may.
fn turn_position(
    newest: Option<&Commit>,
    wanted: Option<ConversationNumber>,
    deadline: Duration,
    now: OffsetDateTime,
) -> Result<Position, TurnFailure> {
    match (newest, wanted) {
        (None, Some(_)) => Err(TurnFailure::NotFound),
        (Some(newest), Some(_)) if newest.state.archived => Err(TurnFailure::NotFound),
        (None, None) => Ok(Position::start_of(ConversationNumber::FIRST)),
        (Some(newest), None) if newest.state.archived => {
            Ok(Position::start_of(newest.conversation.next()))
        }
        (Some(newest), _) => {
            let open = newest.state.open_turn;
            let left = open.map_or(Duration::ZERO, |open| open.since + deadline - now);
            if left.is_positive() {
                // Most turns end within a second; the deadline is the worst case.
                let retry_after_seconds =
                    u64::try_from(left.whole_seconds()).unwrap_or(0).clamp(1, 2);
                return Err(TurnFailure::Busy {
                    retry_after_seconds,
                });
            }
            Ok(Position::after(newest))
        }
    }
}

/// What becomes of the caller's request, if it is to be known again.
fn settled(caller: &Caller, kept: Kept) -> Option<Settlement> {
    let request = caller.keyed.clone()?;
    Some(Settlement { request, kept })
}

fn answered(caller: &Caller, answer: &Answer) -> Option<Settlement> {
    settled(caller, Kept::Answered(StoredAnswer::json(200, answer)))
}
