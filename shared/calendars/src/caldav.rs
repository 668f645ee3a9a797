//! A calendar that is reached by `CalDAV` (RFC 4791), of which changes are told by RFC 6578.

mod entry;
mod multistatus;
mod request;

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::tz::TimeZone;
use mostrador_core::booking::{
    AppointmentId, Changes, Event, Remote, RemoteEntry, RemoteError, RemoteObject, Span,
};
use reqwest::{
    Method, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderName, IF_MATCH, IF_NONE_MATCH},
};
use secrecy::{ExposeSecret, SecretString};

use self::multistatus::{Member, Multistatus};
use crate::{
    Patience,
    http::{Answer, Caller},
    ical::{Object, Reading},
    recurrence::Budget,
};

/// Before a server's own token, so that ours are told from it.
const SYNC: &str = "sync ";
/// The token of a server that tells no changes: each time, all is read.
const READ_ALL: &str = "all";
/// Most objects that are asked for at once.
const OBJECTS_MAX: usize = 100;
/// Most parts in which a server may tell changes.
const PARTS_MAX: usize = 1_000;

/// Where a calendar is, and how it is read.
#[derive(Debug, Clone)]
pub struct CalDavSettings {
    /// The collection's address, by `http` or `https`.
    pub collection: String,
    pub user: String,
    pub password: SecretString,
    /// Where times without a zone are.
    pub zone: TimeZone,
    /// The e-mail address of whose calendar it is, of whom an event may say that it was declined.
    pub owner: Option<String>,
    pub patience: Patience,
}

/// What is no address of a calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no address by http or https without a password")]
pub struct InvalidAddress;

/// A calendar on a `CalDAV` server.
pub struct CalDav {
    caller: Caller,
    collection: Url,
    user: String,
    password: SecretString,
    reading: Reading,
}

/// A header of a request.
struct Header<'a> {
    name: HeaderName,
    value: &'a str,
}

fn header(name: HeaderName, value: &str) -> Header<'_> {
    Header { name, value }
}

impl CalDav {
    /// # Errors
    /// [`InvalidAddress`].
    pub fn new(settings: CalDavSettings) -> Result<Self, InvalidAddress> {
        let mut collection = Url::parse(&settings.collection).map_err(|_| InvalidAddress)?;
        if !matches!(collection.scheme(), "http" | "https") || collection.cannot_be_a_base() {
            return Err(InvalidAddress);
        }
        // A name and a password in an address would come into logs with it.
        if !collection.username().is_empty() || collection.password().is_some() {
            return Err(InvalidAddress);
        }
        if !collection.path().ends_with('/') {
            let path = format!("{}/", collection.path());
            collection.set_path(&path);
        }
        Ok(Self {
            caller: Caller::new(settings.patience).ok_or(InvalidAddress)?,
            collection,
            user: settings.user,
            password: settings.password,
            reading: Reading {
                zone: settings.zone,
                owner: settings.owner,
            },
        })
    }

    async fn call(
        &self,
        method: &str,
        url: &Url,
        headers: &[Header<'_>],
        body: Option<&str>,
    ) -> Result<Answer, RemoteError> {
        let method = Method::from_bytes(method.as_bytes());
        let method = method.map_err(|error| RemoteError::Unavailable(Box::new(error)))?;
        let with = |mut request: reqwest::RequestBuilder| {
            request = request.basic_auth(&self.user, Some(self.password.expose_secret()));
            for Header { name, value } in headers {
                request = request.header(name, *value);
            }
            match body {
                Some(body) => request.body(body.to_owned()),
                None => request,
            }
        };
        self.caller.call(&method, url, with, |_| false).await
    }

    /// What a server answers of the collection's members.
    async fn ask(&self, method: &str, depth: &str, body: &str) -> Result<Multistatus, RemoteError> {
        let headers = [
            header(CONTENT_TYPE, "application/xml; charset=utf-8"),
            header(request::DEPTH, depth),
        ];
        let answer = self.call(method, &self.collection, &headers, Some(body));
        let answer = answer.await?;
        if answer.status == StatusCode::MULTI_STATUS {
            return Multistatus::read(answer.text()?, &self.collection);
        }
        if answer.status.is_success() {
            let what = "it does not say what its members are";
            return Err(RemoteError::Unreadable(what.to_owned()));
        }
        let is_too_old = answer.text().is_ok_and(multistatus::names_invalid_token);
        Err(if is_too_old {
            RemoteError::TokenExpired
        } else {
            answer.refused()
        })
    }

    /// The members that have a part of a span, or may have.
    async fn members_within(&self, span: Span) -> Result<Vec<Member>, RemoteError> {
        let found = self.ask("REPORT", "1", &request::query(span)).await?;
        let mut members = Vec::new();
        let mut without_data = Vec::new();
        for member in found.members {
            if member.data.is_some() {
                members.push(member);
            } else if member.exists() {
                without_data.push(member.path);
            }
        }
        members.extend(self.members_at(&without_data).await?);
        Ok(members)
    }

    /// The members at these paths, also those that are there no longer.
    async fn members_at(&self, paths: &[String]) -> Result<Vec<Member>, RemoteError> {
        let mut members = Vec::new();
        for paths in paths.chunks(OBJECTS_MAX) {
            let found = self.ask("REPORT", "1", &request::multiget(paths)).await?;
            members.extend(found.members);
        }
        Ok(members)
    }

    async fn all(&self, window: Span) -> Result<Changes, RemoteError> {
        // The token comes first: what changes meanwhile is told twice rather than never.
        let found = self.ask("PROPFIND", "0", request::TOKEN).await?;
        let members = self.members_within(window).await?;
        let mut objects = Vec::new();
        let mut budget = Budget::of_call();
        for member in members {
            objects.extend(self.object(member, window, &mut budget)?);
        }
        Ok(Changes {
            objects,
            gone: Vec::new(),
            is_whole: true,
            token: match found.sync_token {
                Some(token) => format!("{SYNC}{token}"),
                None => READ_ALL.to_owned(),
            },
        })
    }

    async fn changes_since(&self, window: Span, token: &str) -> Result<Changes, RemoteError> {
        let mut token = token.to_owned();
        // Of each path, whether there is something still.
        let mut statuses: BTreeMap<String, bool> = BTreeMap::new();
        for _ in 0..PARTS_MAX {
            let part = self.ask("REPORT", "0", &request::sync(&token)).await?;
            for member in part.members {
                let exists = member.exists();
                statuses.insert(member.path, exists);
            }
            let next = part.sync_token.ok_or_else(|| {
                RemoteError::Unreadable("it does not say what the changes are since".to_owned())
            })?;
            let goes_on = part.is_truncated && next != token;
            token = next;
            if !goes_on {
                return self.changes_at(window, statuses, &token).await;
            }
        }
        let what = "it tells changes without an end";
        Err(RemoteError::Unreadable(what.to_owned()))
    }

    async fn changes_at(
        &self,
        window: Span,
        statuses: BTreeMap<String, bool>,
        token: &str,
    ) -> Result<Changes, RemoteError> {
        let (there, gone): (Vec<_>, Vec<_>) = statuses.into_iter().partition(|(_, exists)| *exists);
        let mut gone: BTreeSet<String> = gone.into_iter().map(|(path, _)| path).collect();
        let there: Vec<String> = there.into_iter().map(|(path, _)| path).collect();
        let mut objects = Vec::new();
        let mut budget = Budget::of_call();
        for member in self.members_at(&there).await? {
            if member.exists() {
                objects.extend(self.object(member, window, &mut budget)?);
            } else {
                gone.insert(member.path);
            }
        }
        Ok(Changes {
            objects,
            gone: gone.into_iter().collect(),
            is_whole: false,
            token: format!("{SYNC}{token}"),
        })
    }

    /// Nothing where a member has no calendar.
    fn object(
        &self,
        member: Member,
        window: Span,
        budget: &mut Budget,
    ) -> Result<Option<RemoteObject>, RemoteError> {
        let Some(data) = member.data else {
            return Ok(None);
        };
        let Object {
            appointment,
            events,
        } = self.reading.object_within(&data, window, budget)?;
        Ok(Some(RemoteObject {
            id: member.path,
            version: member.etag.unwrap_or_default(),
            appointment,
            events,
        }))
    }

    fn address(&self, appointment: &AppointmentId) -> Url {
        let mut url = self.collection.clone();
        let name = entry::name(appointment);
        url.set_path(&format!("{}{name}.ics", self.collection.path()));
        url
    }

    /// What is at an address, if anything.
    async fn get(&self, url: &Url) -> Result<Option<Answer>, RemoteError> {
        let answer = self.call("GET", url, &[], None).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            status if status.is_success() => Ok(Some(answer)),
            _ => Err(answer.refused()),
        }
    }

    /// The version of an appointment, where that is what is there.
    async fn version_of(&self, url: &Url, entry: &RemoteEntry) -> Result<String, RemoteError> {
        let Some(answer) = self.get(url).await? else {
            return Err(RemoteError::Conflict);
        };
        if !entry::is_written(entry, answer.text()?, &self.reading) {
            return Err(RemoteError::Conflict);
        }
        let etag = answer.etag().map(str::to_owned);
        etag.ok_or_else(|| RemoteError::Unreadable("it has no versions".to_owned()))
    }
}

#[async_trait]
impl Remote for CalDav {
    async fn changes(&self, window: Span, token: Option<&str>) -> Result<Changes, RemoteError> {
        match token {
            None | Some(READ_ALL) => self.all(window).await,
            Some(token) => {
                let token = token.strip_prefix(SYNC);
                let token = token.ok_or(RemoteError::TokenExpired)?;
                self.changes_since(window, token).await
            }
        }
    }

    async fn look(&self, span: Span) -> Result<Vec<Event>, RemoteError> {
        let mut events = Vec::new();
        let mut budget = Budget::of_call();
        for member in self.members_within(span).await? {
            let object = self.object(member, span, &mut budget)?;
            events.extend(object.into_iter().flat_map(|object| object.events));
        }
        Ok(events)
    }

    async fn put(&self, entry: &RemoteEntry, version: Option<&str>) -> Result<String, RemoteError> {
        let url = self.address(&entry.appointment);
        let condition = match version {
            Some(version) => header(IF_MATCH, version),
            None => header(IF_NONE_MATCH, "*"),
        };
        let headers = [
            header(CONTENT_TYPE, "text/calendar; charset=utf-8"),
            condition,
        ];
        let body = entry::calendar(entry, jiff::Timestamp::now());
        let answer = self.call("PUT", &url, &headers, Some(&body)).await?;
        match answer.status {
            status if status.is_success() => match answer.etag() {
                Some(etag) => Ok(etag.to_owned()),
                None => self.version_of(&url, entry).await,
            },
            // Also an answer to the second attempt, where the first one's was lost.
            StatusCode::PRECONDITION_FAILED => self.version_of(&url, entry).await,
            _ if answer.text().is_ok_and(multistatus::names_uid_conflict) => {
                Err(RemoteError::Conflict)
            }
            _ => Err(answer.refused()),
        }
    }

    async fn remove(
        &self,
        appointment: &AppointmentId,
        version: Option<&str>,
    ) -> Result<(), RemoteError> {
        let url = self.address(appointment);
        let condition = version.map(|version| header(IF_MATCH, version));
        let headers: Vec<_> = condition.into_iter().collect();
        let answer = self.call("DELETE", &url, &headers, None).await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(()),
            status if status.is_success() => Ok(()),
            // Some servers say so of what is there no longer.
            StatusCode::PRECONDITION_FAILED => match self.get(&url).await? {
                None => Ok(()),
                Some(_) => Err(RemoteError::Conflict),
            },
            _ => Err(answer.refused()),
        }
    }
}
