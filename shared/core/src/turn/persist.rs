//! What of a turn is in the log: its question and its answer, in one commit or in two.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::types::{
    Caller, Ending, FIRST_LINE, KeptAs, Prepared, ToolUse, TurnEngine, TurnFailure, TurnOutput,
    TurnSettings,
};
use crate::{
    answer::Answer,
    chain::Chain,
    files::Citation,
    ids::{ConversationNumber, Owner},
    limits::{BegunTurn, Kept, Settlement, StoredAnswer},
    log::{AppendFailure, Commit, Draft, Event, Position, append},
};

/// The turn gets no answer: its conversation was erased, or it was cancelled.
#[derive(Debug, thiserror::Error)]
#[error("the turn was given up")]
struct GivenUp;

impl TurnEngine {
    /// Commits the question.
    pub(super) async fn begin_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        turn_id: Uuid,
        prepared: &Prepared,
    ) -> Result<Commit, TurnFailure> {
        self.open_turn(owner, turn_id, prepared, |position| {
            let begun = BegunTurn {
                conversation: position.conversation,
                first_seq: position.first_seq,
            };
            (Vec::new(), settled(caller, Kept::Begun(begun)))
        })
        .await
    }

    /// Whether the turn may begin, by what was read.
    pub(super) fn may_begin(&self, prepared: &Prepared) -> bool {
        let context = prepared.context.as_deref().unwrap_or_default();
        let (wanted, now) = (prepared.request.conversation, self.clock.now());
        turn_position(context.first(), wanted, &self.settings, now).is_ok()
    }

    /// Commits question and answer together.
    pub(super) async fn whole_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        turn_id: Uuid,
        prepared: &Prepared,
        output: &TurnOutput,
        mut answer: Answer,
    ) -> Result<(Answer, Commit), TurnFailure> {
        let lines = u32::try_from(output.lines.len()).unwrap_or_default();
        let events = answer_events(prepared, output, FIRST_LINE + lines);
        answer.persist_history_confirmation = Some(true);
        let opened = self.open_turn(owner, turn_id, prepared, |position| {
            answer.conversation = Some(position.conversation);
            let notice = || caller.language.text("notice");
            answer.notice = position.is_silent().then(notice);
            (events.clone(), answered(caller, turn_id, &answer))
        });
        let commit = opened.await?;
        Ok((answer, commit))
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
        let settings = &self.settings;
        let decide = |newest: Option<&Commit>, now: OffsetDateTime| {
            let position = turn_position(newest, wanted, settings, now)?;
            let (known_already, settlement) = rest(&position);
            let known_already = match newest {
                Some(newest) => unresolved(known_already, newest),
                None => known_already,
            };
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
            AppendFailure::Read(error) => error.into(),
            AppendFailure::TooLarge(error) => TurnFailure::Unavailable(Box::new(error)),
            AppendFailure::Unknown(source) => TurnFailure::Unavailable(source),
        })
    }

    /// Commits the answer, and sets in it whether it is in the log. It goes to its question's conversation, archived meanwhile
    /// or not.
    pub(super) async fn end_turn(
        &self,
        owner: &Owner,
        caller: &Caller,
        (question, prepared, output): (&Commit, &Prepared, &TurnOutput),
        event_index: u32,
        answer: &mut Answer,
    ) -> (Ending, Option<Commit>) {
        answer.conversation = Some(question.conversation);
        answer.persist_history_confirmation = Some(true);
        let events = answer_events(prepared, output, event_index);
        let turn_id = question.turn_id;
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
            let newest = newest.ok_or(GivenUp)?;
            if newest.state.gives_up(turn_id) {
                return Err(GivenUp);
            }
            Ok(Draft {
                position: Position::after(newest),
                events: unresolved(events.clone(), newest),
                settlement: answered(caller, turn_id, answer),
            })
        };
        let target = (Some(question.conversation), turn_id);
        let appended = append(
            &*self.log,
            &*self.clock,
            owner,
            target,
            Some(Some(question.clone())),
            decide,
        )
        .await;
        let failure = match appended {
            Ok(commit) => return (Ending::Kept(commit.last_seq()), Some(commit)),
            Err(failure) => failure,
        };
        answer.persist_history_confirmation = Some(false);
        if matches!(failure, AppendFailure::Refused(GivenUp)) {
            return (Ending::GivenUp, None);
        }
        tracing::error!(
            error = %Chain(&failure),
            "an answer was given that is not in the log"
        );
        (Ending::Unkept, None)
    }
}

/// The events without what somebody else has put into the log meanwhile.
fn unresolved(mut events: Vec<Event>, newest: &Commit) -> Vec<Event> {
    let resolved = newest.state.resolved_approval;
    events.retain(|event| {
        !matches!(event, Event::ApprovalResolved { approval_id, .. } if Some(*approval_id) == resolved)
    });
    events
}

/// What of a turn follows its question; its answer is the event of this number in the turn's stream.
fn answer_events(prepared: &Prepared, output: &TurnOutput, event_index: u32) -> Vec<Event> {
    let context = prepared.context.as_ref();
    let newest = context.and_then(|commits| commits.first());
    let known = newest.and_then(|newest| newest.state.summary_through);
    let summary = output.summary.as_ref();
    let new = summary.filter(|summary| known != Some(summary.through));
    let summarised = new.map(|summary| Event::ConversationSummarised {
        summary: summary.clone(),
    });
    let used = output.uses.iter().flat_map(ToolUse::events);
    let answer = output.event(&prepared.citations(output), event_index);
    let approval = output.approval.as_ref();
    let approval = approval.map(|approval| Event::ApprovalRequested {
        approval_id: approval.approval,
        tool_name: approval.action.clone(),
        args: approval.payload.clone(),
        expires_at: approval.expires_at,
    });
    let resolved = prepared.resolved.map(|resolved| Event::ApprovalResolved {
        approval_id: resolved.approval,
        approved: resolved.approved,
        content: String::new(),
        error: resolved.error.map(str::to_owned),
    });
    let handoff = prepared.handoff.map(Event::from);
    let events = summarised.into_iter().chain(prepared.events()).chain(used);
    let events = events.chain(approval).chain(resolved).chain(handoff);
    events.chain([answer]).collect()
}

/// Where a turn that begins at `now` goes, if it may.
fn turn_position(
    newest: Option<&Commit>,
    wanted: Option<ConversationNumber>,
    settings: &TurnSettings,
    now: OffsetDateTime,
) -> Result<Position, TurnFailure> {
    match (newest, wanted) {
        (None, Some(_)) => Err(TurnFailure::NotFound),
        (Some(newest), Some(_)) if newest.state.archived => Err(TurnFailure::NotFound),
        (Some(newest), _) if !newest.state.archived => {
            let open = newest.state.open_turn;
            let left = open.map_or(Duration::ZERO, |open| settings.time_left(open.since, now));
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
        (newest, _) => Ok(Position::active(newest)),
    }
}

/// What becomes of the caller's request, if it is to be known again.
fn settled(caller: &Caller, kept: Kept) -> Option<Settlement> {
    let request = caller.keyed.clone()?;
    Some(Settlement { request, kept })
}

fn answered(caller: &Caller, turn_id: Uuid, answer: &Answer) -> Option<Settlement> {
    let stored = match caller.kept_as {
        // A customer's documents are not copied: they may be taken away tomorrow.
        KeptAs::Answer if !answer.citations.is_empty() => {
            let citations = answer.citations.iter().map(Citation::place);
            let kept = Answer {
                citations: citations.collect(),
                ..answer.clone()
            };
            StoredAnswer::json(200, &kept)
        }
        KeptAs::Answer => StoredAnswer::json(200, answer),
        KeptAs::Turn => StoredAnswer::turn(turn_id),
    };
    settled(caller, Kept::Answered(stored))
}
