//! Conversations that wait for a person: the list, one of them, and what is said in it.

use mostrador_core::{
    desk::{Desk, MESSAGE_CHARS, Reply as Said},
    history::{Conversation, HistoryError, Message, PageRequest},
    ids::{ConversationNumber, Owner, Seq},
    purchases::{QueuePlace, Queued},
    turn::is_blank,
    view::{Waiting, WaitingPlace},
};
use mostrador_web::{Call, Problem, Reply};

use crate::{
    body,
    describe::{ReplyAnswer, StaffConversation, WaitingPage},
    page::Wanted,
    place,
};

/// Messages given where nothing else is asked for, and at most.
const LIMIT: usize = 100;
const LIMIT_MAX: usize = 500;

pub(crate) async fn list(desk: &Desk, staff: &Owner, call: &Call) -> Result<Reply, Problem> {
    let wanted = Wanted::read(staff, &call.query)?;
    let after = wanted.after.as_ref().map(|place| WaitingPlace {
        since: place.at,
        user: place.user.clone(),
        conversation: ConversationNumber(place.number),
    });
    let found = desk.waiting(staff.tenant(), after.as_ref(), wanted.limit + 1);
    let found = found.await?;
    let (found, next) = wanted.cut(found.into_iter().filter_map(queued).collect());
    let conversations = found
        .into_iter()
        .map(|Queued { found, .. }| found)
        .collect();
    Ok(Reply::ok(&WaitingPage {
        conversations,
        next,
    }))
}

pub(crate) async fn read(
    desk: &Desk,
    staff: &Owner,
    id: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    let (customer, conversation) = named(staff, id)?;
    let request = PageRequest {
        conversation: Some(conversation),
        before: call.query.number("before")?.map(Seq),
        skip: 0,
        limit: call.query.size("limit", LIMIT_MAX)?.unwrap_or(LIMIT),
    };
    let page = desk.read(staff, &customer, request).await;
    // One that does not wait is nothing that staff may know of.
    Ok(Reply::ok(&page.map_err(|error| match error {
        HistoryError::NotWaiting => Problem::NotFound,
        error => error.into(),
    })?))
}

pub(crate) async fn reply(
    desk: &Desk,
    staff: &Owner,
    id: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    let (customer, conversation) = named(staff, id)?;
    let body = call.json()?;
    let said = Said {
        message: body::text(&body, "message", MESSAGE_CHARS)?.filter(|text| !is_blank(text)),
        hands_back: body::flag(&body, "hand_back")?.unwrap_or(false),
    };
    if said.message.is_none() && !said.hands_back {
        return Err(Problem::invalid(
            "there is neither a `message` nor `hand_back`",
        ));
    }
    let reply = |conversation: &Conversation, messages: &[Message]| {
        Reply::ok(&ReplyAnswer {
            conversation: conversation.clone(),
            messages: messages.to_vec(),
        })
    };
    let settle = |conversation: &Conversation, messages: &[Message]| {
        call.settlement(&reply(conversation, messages))
    };
    let to = (&customer, conversation);
    let (conversation, messages) = desk.reply(staff, to, &said, &settle).await?;
    Ok(Reply {
        settled: true,
        ..reply(&conversation, &messages)
    })
}

fn named(staff: &Owner, id: &str) -> Result<(Owner, ConversationNumber), Problem> {
    let named = place::read_id(staff, id).and_then(|(customer, number)| {
        let conversation = ConversationNumber::of(number.into())?;
        Some((customer, conversation))
    });
    named.ok_or(Problem::NotFound)
}

fn queued(Waiting { owner, found }: Waiting) -> Option<Queued<StaffConversation>> {
    let state = found.state;
    let escalation = state.escalation?;
    let millis = escalation.since.unix_timestamp_nanos() / 1_000_000;
    Some(Queued {
        place: QueuePlace {
            at: i64::try_from(millis).ok()?,
            user: owner.user().to_owned(),
            number: found.conversation.0,
        },
        found: StaffConversation {
            id: place::id(owner.user(), found.conversation.0),
            user: owner.user().to_owned(),
            conversation: found.conversation,
            title: state.title,
            reason: escalation.reason,
            since: escalation.since,
            answered_by: escalation.answered_by,
            read_by: escalation.read.map(|read| read.by),
            last_message_at: state.last_message_at,
            message_count: state.message_count,
        },
    })
}
