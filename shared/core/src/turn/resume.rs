//! A turn resumed from the log, after a cut or by its request's key; and a turn cancelled.

use uuid::Uuid;

use super::{
    emit::{
        CANCELLED, TURN_FAILED, Tools, complete, ending_with, failed, message, notice, paused,
        question_seq, resolution, thought_through,
    },
    types::{FIRST_LINE, Persistence, QUESTION, TurnEngine, TurnEvent, TurnFailure, What},
};
use crate::{
    answer::{Action, Approval, compose, listed_in_order},
    catalogue::ItemResult,
    ids::{Owner, Seq},
    language::Language,
    log::{AppendFailure, Commit, Draft, Event, ListedItem, Place, Position, append, look_back},
    shop::{Locale, Profile},
};

/// Commits read at once of what has come since a turn was read, and how often at one look; the next look goes on from there.
const READ_AT_ONCE: usize = 100;
const READS_AT_MOST: usize = 10;

/// What is in the log of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptTurn {
    question: Commit,
    /// What else of the turn is there, and what became of it, oldest first.
    rest: Vec<Commit>,
    /// How far its conversation has been read.
    through: Seq,
}

/// Why a turn is not cancelled.
#[derive(Debug, thiserror::Error)]
#[error("the turn is not open")]
struct NotOpen;

impl KeptTurn {
    #[must_use]
    pub fn turn_id(&self) -> Uuid {
        self.question.turn_id
    }

    /// The language that it is answered in, as [`Profile::language_of`] its question, else `accepted`.
    #[must_use]
    pub fn language(&self, accepted: Language, shop: &Profile) -> Language {
        let question = self.events().find_map(|(_, event)| match event {
            Event::UserMessageSent { content } => Some(content.as_str()),
            _ => None,
        });
        shop.language_of(question.unwrap_or_default(), accepted)
    }

    /// Whether it has come to an end, of whatever kind.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.events().any(|(_, event)| ends(event))
    }

    /// What came of a proposal of the turn, or that it waits.
    fn decided(&self, approval: Uuid) -> (Option<Seq>, What) {
        let mut resolutions = self.rest.iter().filter_map(resolution);
        let resolved = resolutions.find(|(_, what)| {
            matches!(what, What::ApprovalResolved { approval: of, .. } if *of == approval)
        });
        let resolved = resolved.map(|(seq, what)| (Some(seq), what));
        resolved.unwrap_or((None, paused()))
    }

    /// That a person of the shop has the word behind the answer that stands there, where one has.
    fn person(&self, answer: Seq, locale: Locale<'_>) -> Option<Action> {
        let mut commits = std::iter::once(&self.question).chain(&self.rest);
        let commit =
            commits.find(|commit| (commit.first_seq..=commit.last_seq()).contains(&answer))?;
        let escalation = commit.state.escalation.as_ref();
        let is_with_person = escalation?.is_with_person(commit.at);
        is_with_person.then(|| Action::Person {
            back: locale.text("person-back"),
        })
    }

    /// Where its conversation was archived.
    fn archived(&self) -> Option<Seq> {
        let mut events = self.events();
        events
            .find_map(|(seq, event)| matches!(event, Event::ConversationArchived {}).then_some(seq))
    }

    fn events(&self) -> impl Iterator<Item = (Seq, &Event)> {
        let commits = std::iter::once(&self.question).chain(&self.rest);
        let events = commits.flat_map(Commit::numbered);
        events.filter_map(|(seq, event)| Some((seq, event.known()?)))
    }
}

/// Whether there may be in it what became of an earlier turn.
fn follows(commit: &Commit) -> bool {
    let mut events = commit.events.iter().filter_map(|event| event.known());
    events.any(|event| {
        matches!(
            event,
            Event::ApprovalResolved { .. } | Event::ConversationArchived {}
        )
    })
}

fn ends(event: &Event) -> bool {
    matches!(
        event,
        Event::AgentMessageSent { .. } | Event::TurnFailed { .. }
    )
}

impl TurnEngine {
    /// The turn as it is in the log.
    ///
    /// # Errors
    /// [`TurnFailure::NotFound`] where this owner has none of that id.
    pub async fn kept_turn(&self, owner: &Owner, turn_id: Uuid) -> Result<KeptTurn, TurnFailure> {
        let mut rest = Vec::new();
        let mut newest: Option<Place> = None;
        let of_turn = |commit: Commit| {
            // The first one of each conversation is its newest.
            let place = (commit.conversation, commit.last_seq());
            newest = newest.filter(|newest| newest.0 == place.0).or(Some(place));
            if commit.turn_id != turn_id {
                if follows(&commit) {
                    rest.push(commit);
                }
                return None;
            }
            let mut events = commit.events.iter().filter_map(|event| event.known());
            if events.any(|event| matches!(event, Event::UserMessageSent { .. })) {
                return Some(commit);
            }
            rest.push(commit);
            None
        };
        let found = look_back(&*self.log, owner, turn_id, of_turn).await;
        let question = found?.ok_or(TurnFailure::NotFound)?;
        rest.retain(|commit: &Commit| commit.conversation == question.conversation);
        rest.reverse();
        let through = newest.map_or(question.last_seq(), |(_, newest)| newest);
        Ok(KeptTurn {
            question,
            rest,
            through,
        })
    }

    /// The turn with what has come since it was read.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`].
    pub async fn later(&self, owner: &Owner, mut turn: KeptTurn) -> Result<KeptTurn, TurnFailure> {
        let (turn_id, conversation) = (turn.turn_id(), turn.question.conversation);
        let log = &self.log;
        for _ in 0..READS_AT_MOST {
            let after = log.after(owner, conversation, turn.through, READ_AT_ONCE);
            let mut commits = after.await?;
            let Some(newest) = commits.last() else { break };
            turn.through = newest.last_seq();
            let is_all = commits.len() < READ_AT_ONCE;
            commits.retain(|commit| commit.turn_id == turn_id || follows(commit));
            turn.rest.append(&mut commits);
            if is_all || turn.is_over() {
                break;
            }
        }
        Ok(turn)
    }

    /// Whether the turn can still come to an end by itself.
    #[must_use]
    pub fn is_open(&self, turn: &KeptTurn) -> bool {
        let left = self.settings.time_left(turn.question.at, self.clock.now());
        !turn.is_over() && left.is_positive()
    }

    /// What of a turn's events comes after number `after`: those that are in the log, the whole message for its lines. Of a turn
    /// that is over, its end is among them.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`] where the items it listed cannot be read.
    pub async fn events_after(
        &self,
        turn: &KeptTurn,
        after: Option<u32>,
        language: Language,
    ) -> Result<Vec<TurnEvent>, TurnFailure> {
        let shop = self.shop.current().await;
        let mut resumed = Resumed {
            turn,
            after,
            events: Vec::new(),
        };
        resumed.transient(
            0,
            What::SessionStart {
                conversation: Some(turn.question.conversation),
                notice: notice(Some(&turn.question), language),
            },
        );
        let mut tools = Tools::default();
        let mut listed: Vec<Vec<ListedItem>> = Vec::new();
        let mut approval = None;
        for (seq, event) in turn.events() {
            match event {
                Event::UserMessageSent { content } => {
                    let confirmed = What::UserMessageConfirmed {
                        message_id: Some(question_seq(&turn.question)),
                        event_id: Some(turn.question.commit_id),
                        content: content.clone(),
                    };
                    resumed.persisted(QUESTION, seq, confirmed);
                }
                Event::ApprovalRequested {
                    approval_id,
                    tool_name,
                    args,
                    expires_at,
                } => {
                    approval = Some(Approval {
                        approval: *approval_id,
                        action: tool_name.clone(),
                        payload: args.clone(),
                        expires_at: *expires_at,
                    });
                }
                Event::AgentMessageSent {
                    stop_reason,
                    event_index,
                    thinking,
                    segments,
                    ..
                } => {
                    if let Some(thought) = thinking {
                        let content = thought.content.clone();
                        resumed.transient(thought.event_index, thought_through(content));
                    }
                    let index = event_index.unwrap_or(FIRST_LINE);
                    let results = match after {
                        // They are there already.
                        Some(after) if after >= index => Vec::new(),
                        _ => self.items(listed_in_order(segments, &listed)).await?,
                    };
                    let proposed = approval.take();
                    let offered = compose::actions(&results, true, shop.locale(language));
                    let approval_action = proposed.clone().map(Action::Approval);
                    let person = turn.person(seq, shop.locale(language));
                    let actions = approval_action.into_iter().chain(offered).chain(person);
                    let actions = actions.collect();
                    let Some(message) = message(event.clone(), Some(seq), results, actions) else {
                        continue;
                    };
                    let waits = proposed.as_ref();
                    let waits = waits.map(|proposed| turn.decided(proposed.approval));
                    let own = turn.rest.iter();
                    let own = own.filter(|commit| commit.turn_id == turn.turn_id());
                    let resolved = own.chain([&turn.question]).find_map(resolution);
                    let decided = waits.or(resolved.map(|(seq, what)| (Some(seq), what)));
                    resumed.persisted(index, seq, ending_with(proposed, Box::new(message)));
                    resumed.rest(index + 1, decided, complete(stop_reason.clone()));
                }
                Event::TurnFailed { code } => resumed.failed(code, language),
                Event::ToolUseRequested { event_index, .. }
                | Event::ToolUseCompleted { event_index, .. } => {
                    if let Event::ToolUseCompleted { results, .. } = event {
                        listed.push(results.clone());
                    }
                    if let Some(what) = tools.what(event.clone()) {
                        resumed.persisted(event_index.unwrap_or_default(), seq, what);
                    }
                }
                _ => {}
            }
        }
        if !turn.is_over() && !self.is_open(turn) {
            resumed.failed(TURN_FAILED, language);
        }
        // What was thought comes before the tools that were used for it.
        resumed.events.sort_by_key(|event| event.event_index);
        Ok(resumed.events)
    }

    /// Items as they were listed.
    async fn items(&self, listed: Vec<&ListedItem>) -> Result<Vec<ItemResult>, TurnFailure> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<u64> = listed.iter().map(|item| item.libro_id).collect();
        let items = self.retrieval.catalogue.get(&ids, false).await;
        let items = items.map_err(|error| TurnFailure::Unavailable(Box::new(error)))?;
        let as_listed = listed.into_iter().filter_map(|listed| {
            let mut items = items.iter();
            let found = items.find(|found| found.item.libro_id == listed.libro_id)?;
            let mut item = found.item.clone();
            item.precio = listed.precio;
            Some(ItemResult::new(item, listed.stock, None))
        });
        Ok(as_listed.collect())
    }

    /// Cancels a turn that is open: it gets no answer. Tells whether it was.
    ///
    /// # Errors
    /// [`TurnFailure`].
    pub async fn cancel(&self, owner: &Owner, turn_id: Uuid) -> Result<bool, TurnFailure> {
        let turn = self.kept_turn(owner, turn_id).await?;
        let decide = |newest: Option<&Commit>, _| {
            let newest = newest.ok_or(NotOpen)?;
            let open = newest
                .state
                .open_turn
                .filter(|open| open.turn_id == turn_id);
            open.ok_or(NotOpen)?;
            Ok(Draft {
                position: Position::after(newest),
                events: vec![Event::TurnFailed {
                    code: CANCELLED.to_owned(),
                }],
                settlement: None,
            })
        };
        let target = (Some(turn.question.conversation), turn_id);
        let appended = append(&*self.log, &*self.clock, owner, target, None, decide).await;
        match appended {
            Ok(_) => Ok(true),
            Err(AppendFailure::Refused(NotOpen)) => Ok(false),
            Err(AppendFailure::Conflict | AppendFailure::Overtaken) => Err(TurnFailure::Conflict),
            Err(AppendFailure::Read(error)) => Err(error.into()),
            Err(AppendFailure::TooLarge(error)) => Err(TurnFailure::Unavailable(Box::new(error))),
            Err(AppendFailure::Unknown(source)) => Err(TurnFailure::Unavailable(source)),
        }
    }
}

/// The events of a resumed turn.
struct Resumed<'a> {
    turn: &'a KeptTurn,
    after: Option<u32>,
    events: Vec<TurnEvent>,
}

impl Resumed<'_> {
    fn emit(&mut self, index: u32, persistence_state: Persistence, seq: Option<Seq>, what: What) {
        if self.after.is_some_and(|after| index <= after) {
            return;
        }
        self.events.push(TurnEvent {
            event_index: index,
            turn_id: self.turn.turn_id(),
            timestamp: self.turn.question.at,
            persistence_state,
            sequence_number: seq,
            what,
        });
    }

    fn persisted(&mut self, index: u32, seq: Seq, what: What) {
        self.emit(index, Persistence::Persisted, Some(seq), what);
    }

    fn transient(&mut self, index: u32, what: What) {
        self.emit(index, Persistence::Transient, None, what);
    }

    /// What follows the answer, from number `index` on.
    fn rest(&mut self, index: u32, decided: Option<(Option<Seq>, What)>, complete: What) {
        let conversation = self.turn.question.conversation;
        let archived = self.turn.archived();
        let ended = archived.map(|seq| (Some(seq), What::SessionEnd { conversation }));
        let events = decided.into_iter().chain(ended).chain([(None, complete)]);
        for (index, (seq, what)) in (index..).zip(events) {
            match seq {
                Some(seq) => self.persisted(index, seq, what),
                None => self.transient(index, what),
            }
        }
    }

    /// Told in any case: what came before it was not counted in the log.
    fn failed(&mut self, code: &str, language: Language) {
        let index = self
            .after
            .map_or(FIRST_LINE, |after| after.saturating_add(1));
        let index = index.max(FIRST_LINE);
        for (index, what) in (index..).zip(failed(code, language)) {
            self.transient(index, what);
        }
    }
}
