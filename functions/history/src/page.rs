//! The newest messages, or older ones; a conversation's beginning and end.

use http::StatusCode;
use mostrador_core::{
    history::{History, HistoryError, Page, PageRequest},
    ids::{Owner, Seq},
};
use mostrador_web::{Call, Problem, Query, Reply};

use crate::parameters::conversation;

/// Messages given where nothing else is asked for, and at most.
const LIMIT: usize = 100;
const LIMIT_MAX: usize = 500;
/// Numbered pages: whoever wants more reads on with `before`.
pub(crate) const PAGE_MAX: usize = 10_000;

/// The newest messages, or those that are asked for.
pub(crate) async fn read(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    let page = history.page(owner, request(&call.query)?).await?;
    Ok(Reply::ok(&page))
}

/// The active conversation, which is begun if there is none.
pub(crate) async fn open(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    // There is nothing to say in the body, but what is there must be JSON.
    if call.has_body() {
        call.json()?;
    }
    let page = newest(history, owner).await?;
    Ok(Reply::json(StatusCode::CREATED, &page))
}

/// Ends the active conversation.
pub(crate) async fn archive(history: &History, owner: &Owner) -> Result<Reply, Problem> {
    let conversation = history.archive(owner).await?;
    Ok(Reply::ok(&Page {
        conversation: Some(conversation),
        messages: Vec::new(),
        next: None,
    }))
}

/// The newest messages of the active conversation, which is begun if there is none.
async fn newest(history: &History, owner: &Owner) -> Result<Page, HistoryError> {
    let conversation = history.open(owner).await?;
    let newest = PageRequest {
        conversation: Some(conversation.id),
        before: None,
        skip: 0,
        limit: LIMIT,
    };
    history.page(owner, newest).await
}

fn request(query: &Query) -> Result<PageRequest, Problem> {
    let size = |name| query.size(name, LIMIT_MAX);
    let per_page = size("per_page")?;
    let limit = per_page.or(size("limit")?).unwrap_or(LIMIT);
    let page = query.number("page")?.map_or(1, |page| page.max(1));
    let page = usize::try_from(page)
        .ok()
        .filter(|page| *page <= PAGE_MAX)
        .ok_or_else(|| Problem::invalid(format!("`page` is at most {PAGE_MAX}")))?;
    Ok(PageRequest {
        conversation: conversation(query, "conversation")?,
        before: query.number("before")?.map(Seq),
        skip: (page - 1) * limit,
        limit,
    })
}
