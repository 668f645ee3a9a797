//! Many writers on few conversations: the responses they got, against what is in the log.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::Arc,
    time::Duration,
};

use futures_util::future::join_all;
use mostrador_core::{
    clock::Clock,
    history::{History, HistoryError, Message, NewMessage, PageRequest},
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, Event, Log, Position, Stored},
};
use mostrador_dynamodb::{DynamoLog, DynamoView, connect};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::Map;
use tokio::time::timeout;

use super::{LATE_IS_DONE, World, clock::SeededClock};

/// More than any conversation of a world gets.
const EVERYTHING: usize = 10_000;
/// One message that somebody wanted in the log, from when to when, and what became of it.
struct Response {
    content: String,
    owner: usize,
    began: u64,
    ended: u64,
    outcome: Outcome,
    /// The conversation that was listed right after it, and whether the message was in it.
    listed: Option<(ConversationNumber, bool)>,
}

enum Outcome {
    Acknowledged(Seq),
    /// Not in the log.
    Refused,
    /// In it once or not at all.
    Unknown,
}

struct Writers<'a> {
    history: History,
    owners: &'a [Owner],
    responses: RefCell<Vec<Response>>,
    ticks: Cell<u64>,
}

impl Writers<'_> {
    fn tick(&self) -> u64 {
        self.ticks.set(self.ticks.get() + 1);
        self.ticks.get()
    }

    async fn write(&self, writer: u64, mut rng: StdRng) {
        for turn in 0..rng.random_range(2..7u32) {
            let owner = rng.random_range(0..self.owners.len());
            match rng.random_range(0..20u32) {
                0 => {
                    let _ = self.history.archive(&self.owners[owner]).await;
                }
                1 => {
                    let _ = self.history.open(&self.owners[owner]).await;
                }
                _ => {
                    // Some hang up before they are answered.
                    let patience = rng.random_bool(0.1);
                    let patience = patience.then(|| rng.random_range(0..2_500u64));
                    self.add(owner, format!("{writer}.{turn}"), patience).await;
                }
            }
            tokio::time::sleep(Duration::from_millis(rng.random_range(0..20))).await;
        }
    }

    async fn add(&self, owner: usize, content: String, patience_ms: Option<u64>) {
        let message = NewMessage {
            role: "user".into(),
            content: content.clone(),
            meta: Map::new(),
        };
        let began = self.tick();
        let owned_by = &self.owners[owner];
        let adding = self.history.add(owned_by, vec![message], |_| None);
        let added = match patience_ms {
            None => Some(adding.await),
            Some(patience) => timeout(Duration::from_millis(patience), adding).await.ok(),
        };
        let ended = self.tick();
        let outcome = match added {
            Some(Ok(added)) => match &added[..] {
                [Message { id, .. }] => Outcome::Acknowledged(*id),
                _ => Outcome::Unknown,
            },
            Some(Err(HistoryError::Unavailable(_))) | None => Outcome::Unknown,
            Some(Err(_)) => Outcome::Refused,
        };
        let listed = match outcome {
            Outcome::Acknowledged(_) => self.listed(owner, &content).await,
            Outcome::Refused | Outcome::Unknown => None,
        };
        self.responses.borrow_mut().push(Response {
            content,
            owner,
            began,
            ended,
            outcome,
            listed,
        });
    }

    async fn listed(&self, owner: usize, content: &str) -> Option<(ConversationNumber, bool)> {
        let request = PageRequest {
            conversation: None,
            before: None,
            skip: 0,
            limit: EVERYTHING,
        };
        let page = self.history.page(&self.owners[owner], request).await.ok()?;
        let is_in = page
            .messages
            .iter()
            .any(|message| message.content == content);
        Some((page.conversation?.id, is_in))
    }
}

/// One world: its writers' time, and the check of what they leave.
pub(super) async fn world(world: &mut World) -> Result<(), String> {
    let mut rng = StdRng::seed_from_u64(world.seed);
    let owners: Vec<Owner> = (0..rng.random_range(1..3u32))
        .filter_map(|number| Owner::new("shop", &format!("customer-{number}")).ok())
        .collect();
    let clock: Arc<dyn Clock> = Arc::new(SeededClock::new(world.seed));
    let client = connect(&world.faulty.configuration().await);
    let writers = Writers {
        history: History {
            log: Arc::new(DynamoLog::new(client.clone(), &world.tables)),
            view: Arc::new(DynamoView::new(client, &world.tables)),
            clock,
        },
        owners: &owners,
        responses: RefCell::default(),
        ticks: Cell::default(),
    };
    let crowd = rng.random_range(2..6u64);
    join_all((0..crowd).map(|writer| writers.write(writer, StdRng::seed_from_u64(rng.random()))))
        .await;
    tokio::time::sleep(LATE_IS_DONE).await;

    let client = connect(&world.engine.configuration().await);
    let log = DynamoLog::new(client, &world.tables);
    let responses = writers.responses.take();
    for (place, owner) in owners.iter().enumerate() {
        let there = conversations(&log, owner).await?;
        let of_owner: Vec<&Response> = responses
            .iter()
            .filter(|response| response.owner == place)
            .collect();
        check_responses(&of_owner, &there)?;
        world.tried.count(
            "events",
            there
                .iter()
                .flatten()
                .map(|commit| commit.events.len())
                .sum(),
        );
    }
    for response in &responses {
        world.tried.count(
            match response.outcome {
                Outcome::Acknowledged(_) => "acknowledged",
                Outcome::Refused => "refused",
                Outcome::Unknown => "unknown",
            },
            1,
        );
    }
    Ok(())
}

/// All that an owner has, conversation by conversation, oldest first; numbers without a gap, states that are the fold.
pub(super) async fn conversations(
    log: &DynamoLog,
    owner: &Owner,
) -> Result<Vec<Vec<Commit>>, String> {
    let read = |error: mostrador_core::log::ReadError| format!("the log cannot be read: {error}");
    let newest = log.newest(owner, None, 1).await.map_err(read)?.pop();
    let mut conversations = Vec::new();
    for number in 1..=newest.map_or(0, |newest| newest.conversation.0) {
        let number = ConversationNumber(number);
        let mut commits = log
            .newest(owner, Some(number), EVERYTHING)
            .await
            .map_err(read)?;
        commits.reverse();
        if commits.is_empty() {
            return Err(format!("conversation {number} is missing"));
        }
        let mut position = Position::start_of(number);
        for commit in &commits {
            if commit.first_seq != position.first_seq {
                let Seq(expected) = position.first_seq;
                return Err(format!(
                    "{number}: {} stands where {expected} should",
                    commit.first_seq
                ));
            }
            let folded = Commit::at(
                position,
                commit.events.clone(),
                commit.commit_id,
                commit.turn_id,
                commit.at,
            );
            if folded.state != commit.state {
                return Err(format!(
                    "{number}#{}: its state is not the fold",
                    commit.first_seq
                ));
            }
            position = Position::after(commit);
        }
        conversations.push(commits);
    }
    Ok(conversations)
}

/// Where a message is.
type Place = (ConversationNumber, Seq);

fn check_responses(responses: &[&Response], there: &[Vec<Commit>]) -> Result<(), String> {
    let mut places: HashMap<&str, Vec<Place>> = HashMap::new();
    for commit in there.iter().flatten() {
        for (seq, event) in commit.numbered() {
            if let Stored::Known(Event::MessageAdded { content, .. }) = event {
                places
                    .entry(content)
                    .or_default()
                    .push((commit.conversation, seq));
            }
        }
    }
    let mut acknowledged: Vec<(&Response, Place)> = Vec::new();
    for response in responses {
        let content = &response.content;
        let found = places.remove(content.as_str()).unwrap_or_default();
        match (&response.outcome, found.as_slice()) {
            (_, [_, _, ..]) => {
                return Err(format!("message {content} is there {} times", found.len()));
            }
            (Outcome::Acknowledged(_), []) => {
                return Err(format!("message {content} was acknowledged and is lost"));
            }
            (Outcome::Acknowledged(seq), [place]) if place.1 != *seq => {
                return Err(format!(
                    "message {content} was said to be {seq} and is {}",
                    place.1
                ));
            }
            (Outcome::Acknowledged(_), [place]) => {
                if response
                    .listed
                    .is_some_and(|(conversation, is_in)| conversation == place.0 && !is_in)
                {
                    return Err(format!(
                        "message {content} was not shown to who had written it"
                    ));
                }
                acknowledged.push((response, *place));
            }
            (Outcome::Refused, [_]) => {
                return Err(format!("message {content} was refused and is there"));
            }
            (Outcome::Refused, []) | (Outcome::Unknown, _) => {}
        }
    }
    if let Some(stranger) = places.keys().next() {
        return Err(format!("nobody wrote message {stranger}"));
    }
    for (earlier, before) in &acknowledged {
        for (later, after) in &acknowledged {
            if earlier.ended < later.began && before >= after {
                return Err(format!(
                    "message {} came before {} and stands after it",
                    earlier.content, later.content
                ));
            }
        }
    }
    Ok(())
}

/// What the log rests on, and what becomes of it without.
pub(super) const GUARDS: &[(&str, mostrador_engine::Tamper)] = &[
    ("a place is taken once", |_, request, answer| {
        if answer.is_none() {
            super::without_condition(request, "events");
        }
    }),
    (
        "a commit is known again by its identifier",
        |_, _, answer| {
            if let Some(answer) = answer {
                super::rename(answer, "commit_id");
            }
        },
    ),
    ("reads are consistent", |operation, request, answer| {
        if answer.is_none() && operation == "Query" {
            super::remove(request, &["ConsistentRead"]);
        }
    }),
];
