//! The conversations a customer had, and how good they were.

use mostrador_core::{
    history::History,
    ids::{ConversationNumber, Owner},
};
use mostrador_web::{Call, Problem, Reply, digits};

use crate::parameters::conversation;

/// Conversations given where nothing else is asked for, and at most.
const LIMIT: usize = 20;
const LIMIT_MAX: usize = 100;

pub(crate) async fn list(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    let before = conversation(&call.query, "before")?;
    let limit = call.query.size("limit", LIMIT_MAX)?.unwrap_or(LIMIT);
    let page = history.conversations(owner, before, limit).await;
    Ok(Reply::ok(&page?))
}

pub(crate) async fn rate(
    history: &History,
    owner: &Owner,
    id: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    let conversation = digits(id)
        .and_then(ConversationNumber::of)
        .ok_or(Problem::NotFound)?;
    let rating = call
        .json()?
        .get("rating")
        .and_then(|rating| rating.as_f64());
    // To JSON 4 and 4.0 are one number.
    let rating = (1..=5)
        .find(|stars| rating == Some(f64::from(*stars)))
        .ok_or(Problem::InvalidRating)?;
    let rated = history.rate(owner, conversation, rating).await;
    Ok(Reply::ok(&rated?))
}
