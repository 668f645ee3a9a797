//! A calendar of Google's, by version 3 of its API.

mod account;
mod wire;

use std::{collections::BTreeSet, sync::Arc};

use async_trait::async_trait;
use jiff::tz::TimeZone;
use mostrador_core::booking::{
    AppointmentId, Changes, Event, Remote, RemoteEntry, RemoteError, RemoteObject, Span,
};
use reqwest::{Method, StatusCode, Url};
use serde::de::DeserializeOwned;

pub use self::account::{GoogleAccount, InvalidAccount};

use self::{
    account::Call,
    wire::{Item, List},
};
use crate::http::Answer;

/// Before Google's own token, so that ours are told from others.
const SYNC: &str = "sync ";
/// Most pages of one list, each of a thousand events.
const PAGES_MAX: usize = 1_000;
/// Events of a page. Four times as many are allowed, and might be larger than what is read.
const PAGE_EVENTS: &str = "1000";
/// What is read of a list; the rest is not sent.
const FIELDS: &str = "kind,nextPageToken,nextSyncToken,items(id,etag,status,recurringEventId,summary,start,end,transparency,\
                      attendees(self,responseStatus),extendedProperties/private)";

/// A calendar of Google's.
pub struct Google {
    account: Arc<GoogleAccount>,
    /// The address of its events.
    events: Url,
    /// Where whole days are.
    zone: TimeZone,
}

/// Which events a list is of.
#[derive(Debug, Clone, Copy)]
enum Wanted<'a> {
    Within(Span),
    /// What has changed since a token of Google's, which takes no span beside it.
    Since(&'a str),
}

impl Google {
    /// The calendar that has that id, such as an e-mail address, as far as `account` may use it. `zone` is where its whole days are.
    ///
    /// # Errors
    /// [`InvalidAccount`] where an account's address takes no path.
    pub fn new(
        account: Arc<GoogleAccount>,
        calendar_id: &str,
        zone: TimeZone,
    ) -> Result<Self, InvalidAccount> {
        let events = account.address(&["calendars", calendar_id, "events"])?;
        Ok(Self {
            account,
            events,
            zone,
        })
    }

    /// The address of an event by its id, which has nothing but letters and digits.
    fn event(&self, id: &str) -> Url {
        let mut url = self.events.clone();
        url.set_path(&format!("{}/{id}", self.events.path()));
        url
    }

    /// All pages of a list.
    async fn list(&self, wanted: Wanted<'_>) -> Result<List, RemoteError> {
        let mut all = List::default();
        for _ in 0..PAGES_MAX {
            let mut url = self.events.clone();
            url.query_pairs_mut()
                .append_pair("singleEvents", "true")
                .append_pair("maxResults", PAGE_EVENTS)
                .append_pair("fields", FIELDS);
            match wanted {
                Wanted::Within(span) => url
                    .query_pairs_mut()
                    .append_pair("timeMin", &span.start().to_string())
                    .append_pair("timeMax", &span.end().to_string()),
                Wanted::Since(token) => url.query_pairs_mut().append_pair("syncToken", token),
            };
            if let Some(page) = &all.next_page_token {
                url.query_pairs_mut().append_pair("pageToken", page);
            }
            let answer = self.account.call(&Call::get(&url)).await?;
            if !answer.status.is_success() {
                return Err(answer.refused());
            }
            let page: List = read(&answer)?;
            if !page.is_one() {
                return Err(unreadable());
            }
            all.items.extend(page.items);
            all.next_page_token = page.next_page_token;
            all.next_sync_token = page.next_sync_token;
            if all.next_page_token.is_none() {
                return Ok(all);
            }
        }
        let what = "its list has no end";
        Err(RemoteError::Unreadable(what.to_owned()))
    }

    /// The event with that id, also where it was deleted.
    async fn get(&self, id: &str) -> Result<Option<Item>, RemoteError> {
        let url = self.event(id);
        let answer = self.account.call(&Call::get(&url)).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            status if status.is_success() => read(&answer).map(Some),
            _ => Err(answer.refused()),
        }
    }

    /// The version of an appointment, where that is what is there.
    async fn version_of(&self, entry: &RemoteEntry) -> Result<String, RemoteError> {
        let there = self.get(&wire::id(&entry.appointment)).await?;
        let there = there.filter(|item| item.is_written(entry));
        there.map(|item| item.etag).ok_or(RemoteError::Conflict)
    }

    async fn insert(&self, entry: &RemoteEntry) -> Result<String, RemoteError> {
        let body = wire::event(entry);
        let call = Call {
            method: Method::POST,
            url: &self.events,
            if_match: None,
            body: Some(&body),
        };
        let answer = self.account.call(&call).await?;
        if answer.status != StatusCode::CONFLICT {
            return written(&answer);
        }
        // Ids of what was deleted stay taken: such an event is brought back.
        let there = self.get(&wire::id(&entry.appointment)).await?;
        match there {
            Some(item) if item.is_deleted() => self.update(entry, &item.etag).await,
            Some(item) if item.is_written(entry) => Ok(item.etag),
            Some(_) | None => Err(RemoteError::Conflict),
        }
    }

    async fn update(&self, entry: &RemoteEntry, version: &str) -> Result<String, RemoteError> {
        let url = self.event(&wire::id(&entry.appointment));
        let body = wire::event(entry);
        let call = Call {
            method: Method::PUT,
            url: &url,
            if_match: Some(version),
            body: Some(&body),
        };
        let answer = self.account.call(&call).await?;
        match answer.status {
            // Also an answer to the second attempt, where the first one's was lost.
            StatusCode::PRECONDITION_FAILED => self.version_of(entry).await,
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(RemoteError::Conflict),
            _ => written(&answer),
        }
    }
}

fn read<T: DeserializeOwned>(answer: &Answer) -> Result<T, RemoteError> {
    answer.json().ok_or_else(unreadable)
}

fn unreadable() -> RemoteError {
    RemoteError::Unreadable("it is no answer of a calendar of Google's".to_owned())
}

/// The version of an event that was written.
fn written(answer: &Answer) -> Result<String, RemoteError> {
    if !answer.status.is_success() {
        return Err(answer.refused());
    }
    read::<Item>(answer).map(|item| item.etag)
}

#[async_trait]
impl Remote for Google {
    async fn changes(&self, window: Span, token: Option<&str>) -> Result<Changes, RemoteError> {
        let list = match token {
            None => self.list(Wanted::Within(window)).await?,
            Some(token) => {
                let token = token.strip_prefix(SYNC);
                let token = token.ok_or(RemoteError::TokenExpired)?;
                match self.list(Wanted::Since(token)).await {
                    // What is no token of this calendar's is an invalid request.
                    Err(RemoteError::Refused { status: 410 | 400 }) => {
                        return Err(RemoteError::TokenExpired);
                    }
                    list => list?,
                }
            }
        };
        let next = list.next_sync_token.ok_or_else(|| {
            RemoteError::Unreadable("it does not say what its changes are since".to_owned())
        })?;
        let is_whole = token.is_none();
        let mut objects = Vec::new();
        let mut gone = BTreeSet::new();
        for item in list.items {
            // What has become a series is no event by itself any more, which is not told.
            gone.extend(item.recurring_event_id.clone());
            if item.is_deleted() {
                gone.insert(item.id);
                continue;
            }
            let event = item.event(window, &self.zone)?;
            objects.push(RemoteObject {
                appointment: item.appointment(),
                events: event.into_iter().collect(),
                id: item.id,
                version: item.etag,
            });
        }
        Ok(Changes {
            objects,
            gone: if is_whole {
                Vec::new()
            } else {
                gone.into_iter().collect()
            },
            is_whole,
            token: format!("{SYNC}{next}"),
        })
    }

    async fn look(&self, span: Span) -> Result<Vec<Event>, RemoteError> {
        let mut events = Vec::new();
        for item in self.list(Wanted::Within(span)).await?.items {
            events.extend(item.event(span, &self.zone)?);
        }
        Ok(events)
    }

    async fn put(&self, entry: &RemoteEntry, version: Option<&str>) -> Result<String, RemoteError> {
        match version {
            None => self.insert(entry).await,
            Some(version) => self.update(entry, version).await,
        }
    }

    async fn remove(
        &self,
        appointment: &AppointmentId,
        version: Option<&str>,
    ) -> Result<(), RemoteError> {
        let id = wire::id(appointment);
        let url = self.event(&id);
        let call = Call {
            method: Method::DELETE,
            url: &url,
            if_match: version,
            body: None,
        };
        let answer = self.account.call(&call).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(()),
            status if status.is_success() => Ok(()),
            // By deleting it, its version has changed as well.
            StatusCode::PRECONDITION_FAILED => match self.get(&id).await? {
                Some(item) if !item.is_deleted() => Err(RemoteError::Conflict),
                Some(_) | None => Ok(()),
            },
            _ => Err(answer.refused()),
        }
    }
}
