//! The desk of the shop's staff: conversations that wait for a person, what is in them, and a person's answers.

use time::{Duration, OffsetDateTime};

use crate::{
    history::{self, Conversation, History, HistoryError, Message, Page, PageRequest},
    ids::{ConversationNumber, Owner, Seq},
    limits::Settlement,
    log::{Commit, Draft, Event, Log, Position, Stored, append},
    view::{Projected, Waiting, WaitingPlace},
};

/// Longest message of a person, in characters.
pub const MESSAGE_CHARS: usize = 4_000;
/// Who reads on within so long does not read it once more.
const READS_FOR: Duration = Duration::hours(1);
/// Commits that are looked at at once for what staff say.
const COMMITS_AT_ONCE: usize = 50;

/// What staff work with where a person is needed.
#[derive(Clone)]
pub struct Desk {
    pub history: History,
}

/// What a person says in a conversation, and whether the assistant has the word from then on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub message: Option<String>,
    pub hands_back: bool,
}

/// What becomes of the request once this was said, if it is to be known again.
pub type SettleReply<'a> = &'a (dyn Fn(&Conversation, &[Message]) -> Option<Settlement> + Sync);

impl Desk {
    /// Conversations of a tenant's customers that wait for a person, who has waited longest first.
    ///
    /// # Errors
    /// [`HistoryError::Unavailable`].
    pub async fn waiting(
        &self,
        tenant: &str,
        after: Option<&WaitingPlace>,
        limit: usize,
    ) -> Result<Vec<Waiting>, HistoryError> {
        Ok(self.history.view.waiting(tenant, after, limit).await?)
    }

    /// Has `staff` read a conversation that waits for a person; that they did is in its log.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub async fn read(
        &self,
        staff: &Owner,
        customer: &Owner,
        request: PageRequest,
    ) -> Result<Page, HistoryError> {
        let History { log, clock, .. } = &self.history;
        let newest = log.newest(customer, request.conversation, 1).await?.pop();
        let is_known = |newest: &Commit, now: OffsetDateTime| {
            let escalation = newest.state.escalation.as_ref();
            let read = escalation.and_then(|escalation| escalation.read.as_ref());
            read.is_some_and(|read| read.by == staff.user() && now - read.at < READS_FOR)
        };
        let now = clock.now();
        if !newest.as_ref().is_some_and(|newest| is_known(newest, now)) {
            let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
                Ok::<_, HistoryError>(Draft {
                    position: waiting(newest)?,
                    events: vec![Event::ConversationRead {
                        by: staff.user().to_owned(),
                    }],
                    settlement: None,
                })
            };
            let target = (request.conversation, clock.new_id());
            append(&**log, &**clock, customer, target, Some(newest), decide).await?;
        }
        self.history.page(customer, request).await
    }

    /// Has `staff` say something in a conversation that waits for a person, hand it back to the assistant, or both.
    ///
    /// # Errors
    /// [`HistoryError`]; nothing was said, unless the log did not answer.
    pub async fn reply(
        &self,
        staff: &Owner,
        (customer, conversation): (&Owner, ConversationNumber),
        reply: &Reply,
        settle: SettleReply<'_>,
    ) -> Result<(Conversation, Vec<Message>), HistoryError> {
        let by = staff.user();
        let message = reply
            .message
            .clone()
            .map(|content| Event::StaffMessageSent {
                content,
                by: by.to_owned(),
                about: None,
            });
        let handed_back = reply.hands_back.then(|| Event::EscalationEnded {
            by: Some(by.to_owned()),
        });
        let events: Vec<Event> = message.into_iter().chain(handed_back).collect();
        let History { log, clock, .. } = &self.history;
        let (commit_id, turn_id) = (clock.new_id(), clock.new_id());
        let decide = |newest: Option<&Commit>, at: OffsetDateTime| {
            let position = waiting(newest)?;
            let stored = events.iter().cloned().map(Stored::Known).collect();
            let commit = Commit::at(position.clone(), stored, commit_id, turn_id, at);
            let (conversation, messages) = said(customer, &commit);
            Ok::<_, HistoryError>(Draft {
                position,
                events: events.clone(),
                settlement: settle(&conversation, &messages),
            })
        };
        let target = (Some(conversation), turn_id);
        let commit = append(&**log, &**clock, customer, target, None, decide).await?;
        self.history.viewed(customer, &commit).await;
        Ok(said(customer, &commit))
    }
}

/// The place behind a conversation's newest commit, where it waits for a person.
fn waiting(newest: Option<&Commit>) -> Result<Position, HistoryError> {
    let newest = newest.filter(|newest| !newest.state.erased);
    let newest = newest.ok_or(HistoryError::NotFound)?;
    match newest.state.escalation {
        Some(_) => Ok(Position::after(newest)),
        None => Err(HistoryError::NotWaiting),
    }
}

/// A conversation as a commit leaves it, and the messages in that.
fn said(customer: &Owner, commit: &Commit) -> (Conversation, Vec<Message>) {
    let conversation = history::conversation_of(customer, &Projected::from(commit), commit.at);
    (conversation, history::messages_of(commit))
}

/// What staff have said in a conversation since it was last looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    pub messages: Vec<Message>,
    /// How far it was looked at.
    pub through: Seq,
    /// Whether a person still sees to it.
    pub is_waiting: bool,
}

/// What staff have said in a conversation behind `after`, or behind its end where that is not said.
///
/// # Errors
/// [`HistoryError::NotFound`] where the owner has no such conversation.
pub async fn follow(
    log: &dyn Log,
    owner: &Owner,
    conversation: ConversationNumber,
    after: Option<Seq>,
) -> Result<Followed, HistoryError> {
    let there = |commit: &Commit| !commit.state.erased;
    let Some(after) = after else {
        let newest = log.newest(owner, Some(conversation), 1).await?.pop();
        let newest = newest.filter(there).ok_or(HistoryError::NotFound)?;
        return Ok(Followed {
            messages: Vec::new(),
            through: newest.last_seq(),
            is_waiting: newest.state.escalation.is_some(),
        });
    };
    let mut commits = log
        .after(owner, conversation, after, COMMITS_AT_ONCE)
        .await?;
    let goes_on = commits.len() == COMMITS_AT_ONCE;
    commits.retain(there);
    let mut messages: Vec<Message> = commits.iter().flat_map(history::messages_of).collect();
    messages.retain(|message| message.meta.get("from").is_some_and(|from| from == "staff"));
    let newest = match commits.pop() {
        Some(newest) => newest,
        // Nothing has come since.
        None => {
            let newest = log.newest(owner, Some(conversation), 1).await?.pop();
            newest.filter(there).ok_or(HistoryError::NotFound)?
        }
    };
    Ok(Followed {
        messages,
        through: newest.last_seq().max(after),
        // What has come since is not known before all of it is read.
        is_waiting: goes_on || newest.state.escalation.is_some(),
    })
}
