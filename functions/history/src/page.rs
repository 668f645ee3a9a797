//! The newest messages, or older ones.

use mostrador_core::{
    history::{History, HistoryError, Page, PageRequest},
    ids::{ConversationNumber, Owner, Seq},
};
use mostrador_web::{Call, Problem, Query, Reply};

use crate::failed;

/// Messages given where nothing else is asked for, and at most.
const LIMIT: usize = 100;
const LIMIT_MAX: usize = 500;

pub(crate) async fn get(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    let page = history
        .page(owner, read(&call.query)?)
        .await
        .map_err(failed)?;
    Ok(Reply::ok(&page))
}

/// The newest messages of the active conversation, which is begun if there is none.
pub(crate) async fn open(history: &History, owner: &Owner) -> Result<Page, HistoryError> {
    let conversation = history.open(owner).await?;
    let newest = PageRequest {
        conversation: Some(conversation.id),
        before: None,
        skip: 0,
        limit: LIMIT,
    };
    history.page(owner, newest).await
}

fn read(query: &Query) -> Result<PageRequest, Problem> {
    let conversation = match number(query, "conversation")? {
        None => None,
        Some(number) => {
            let number = u32::try_from(number)
                .ok()
                .filter(|n| (1..=ConversationNumber::MAX.0).contains(n));
            Some(ConversationNumber(number.ok_or(Problem::NotFound)?))
        }
    };
    let size = |name| {
        Ok::<_, Problem>(
            number(query, name)?
                .map(|n| usize::try_from(n).unwrap_or(LIMIT_MAX).clamp(1, LIMIT_MAX)),
        )
    };
    let per_page = size("per_page")?;
    let limit = per_page.or(size("limit")?).unwrap_or(LIMIT);
    let page = number(query, "page")?.map_or(1, |page| page.max(1));
    let skip = usize::try_from(page - 1)
        .ok()
        .and_then(|pages| pages.checked_mul(limit))
        .filter(|skip| *skip <= 1_000_000);
    let skip = skip.ok_or_else(|| Problem::invalid("`page` is too large"))?;
    Ok(PageRequest {
        conversation,
        before: number(query, "before")?.map(Seq),
        skip,
        limit,
    })
}

/// A parameter that must be a whole number if it is there: a cursor that is not ours is refused, not guessed at.
fn number(query: &Query, name: &str) -> Result<Option<u64>, Problem> {
    query
        .text(name)
        .map(|text| {
            let digits = text.len() <= 16 && text.bytes().all(|b| b.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| digits)
                .ok_or_else(|| Problem::invalid(format!("`{name}` is not a number")))
        })
        .transpose()
}
