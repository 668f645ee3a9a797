//! Lists of events, and what has changed since a token.

use jiff::Timestamp;
use mostrador_core::booking::Span;
use serde_json::{Value, json};

use crate::{
    calendar::Calendar,
    error::ApiError,
    resource::Resource,
    series::{horizon, instances},
};

const RESULTS: usize = 250;
const RESULTS_MAX: usize = 2_500;

/// The parameters of a list.
#[derive(Debug, Default)]
pub(crate) struct Query {
    single_events: bool,
    show_deleted: Option<bool>,
    time_min: Option<Timestamp>,
    time_max: Option<Timestamp>,
    max_results: Option<usize>,
    page_token: Option<String>,
    sync_token: Option<String>,
    pub(crate) fields: Option<String>,
}

/// What a token stands for.
#[derive(Debug, Clone, Copy)]
struct Since {
    generation: u64,
    change: u64,
    from: i64,
    to: i64,
}

impl Query {
    pub(crate) fn read<'a>(
        pairs: impl Iterator<Item = (std::borrow::Cow<'a, str>, std::borrow::Cow<'a, str>)>,
    ) -> Result<Self, ApiError> {
        let mut query = Self::default();
        for (name, value) in pairs {
            let instant = || {
                value
                    .parse()
                    .map_err(|_| ApiError::invalid("Invalid time."))
            };
            let flag = || {
                value
                    .parse()
                    .map_err(|_| ApiError::invalid("Invalid boolean."))
            };
            match name.as_ref() {
                "singleEvents" => query.single_events = flag()?,
                "showDeleted" => query.show_deleted = Some(flag()?),
                "timeMin" => query.time_min = Some(instant()?),
                "timeMax" => query.time_max = Some(instant()?),
                "maxResults" => {
                    let number = value
                        .parse()
                        .map_err(|_| ApiError::invalid("Invalid number."));
                    query.max_results = Some(number?);
                }
                "pageToken" => query.page_token = Some(value.into_owned()),
                "syncToken" => query.sync_token = Some(value.into_owned()),
                "fields" => query.fields = Some(value.into_owned()),
                _ => return Err(ApiError::invalid("A parameter that is not served here.")),
            }
        }
        Ok(query)
    }
}

impl Query {
    /// A page may have fewer results than were asked for.
    pub(crate) fn limit_results(&mut self, most: Option<usize>) {
        let wanted = self.max_results.unwrap_or(RESULTS);
        self.max_results = Some(wanted.min(most.unwrap_or(RESULTS_MAX)));
    }
}

impl Since {
    fn read(token: &str) -> Option<Self> {
        let mut parts = token.strip_prefix("sync.")?.split('.');
        let since = Self {
            generation: parts.next()?.parse().ok()?,
            change: parts.next()?.parse().ok()?,
            from: parts.next()?.parse().ok()?,
            to: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(since)
    }

    fn written(self) -> String {
        let Self {
            generation,
            change,
            from,
            to,
        } = self;
        format!("sync.{generation}.{change}.{from}.{to}")
    }

    fn span(self) -> Option<Span> {
        let at = |second| Timestamp::from_second(second).ok();
        Span::new(at(self.from)?, at(self.to)?)
    }
}

impl Calendar {
    pub(crate) fn list(&self, query: &Query) -> Result<Value, ApiError> {
        let since = self.since(query)?;
        let span = match since {
            Some(since) => since.span(),
            None => self.span(query)?,
        };
        let span = span.ok_or(ApiError::EMPTY_RANGE)?;
        let mut items = if query.single_events {
            self.single(span, since)?
        } else {
            self.events
                .values()
                .chain(self.exceptions.values())
                .cloned()
                .collect()
        };
        let shows_deleted = since.is_some() || query.show_deleted == Some(true);
        items.retain(|item| {
            let is_changed = since.is_none_or(|since| item.change > since.change);
            let is_within = item.is_cancelled() || since.is_some() || has_part(item, span);
            is_changed && is_within && (shows_deleted || !item.is_cancelled())
        });
        items.sort_by(|one, other| one.text("id").cmp(other.text("id")));
        self.page(query, &items, span)
    }

    fn since(&self, query: &Query) -> Result<Option<Since>, ApiError> {
        let Some(token) = &query.sync_token else {
            return Ok(None);
        };
        if query.time_min.is_some() || query.time_max.is_some() || query.show_deleted == Some(false)
        {
            return Err(ApiError::RESTRICTED);
        }
        let since = Since::read(token).ok_or(ApiError::invalid("Invalid sync token value."))?;
        if since.generation != self.generation {
            return Err(ApiError::FULL_SYNC);
        }
        Ok(Some(since))
    }

    fn span(&self, query: &Query) -> Result<Option<Span>, ApiError> {
        let Some(horizon) = horizon() else {
            return Ok(None);
        };
        let from = query.time_min.unwrap_or(horizon.start());
        let to = query.time_max.unwrap_or(horizon.end());
        Span::new(from, to).map(Some).ok_or(ApiError::EMPTY_RANGE)
    }

    /// Events and each time of each series, those that are there no longer as cancelled.
    fn single(&self, span: Span, since: Option<Since>) -> Result<Vec<Resource>, ApiError> {
        let mut items: Vec<Resource> = self.lost.values().cloned().collect();
        for event in self.events.values() {
            if !event.is_series() {
                items.push(event.clone());
            } else if !event.is_cancelled() && since.is_none_or(|it| event.change > it.change) {
                let times = instances(event, span)?;
                let times = times.into_iter();
                let plain = times.filter(|(id, _)| !self.exceptions.contains_key(id));
                items.extend(plain.map(|(_, instance)| instance));
            }
        }
        items.extend(self.exceptions.values().cloned());
        Ok(items)
    }

    fn page(&self, query: &Query, items: &[Resource], span: Span) -> Result<Value, ApiError> {
        let invalid = ApiError::invalid("Invalid page token value.");
        let (start, change) = match &query.page_token {
            None => (0, self.change),
            Some(token) => {
                let parts = token
                    .strip_prefix("page.")
                    .and_then(|rest| rest.split_once('.'));
                let (start, change) = parts.ok_or(invalid)?;
                let start: usize = start.parse().map_err(|_| invalid)?;
                (start, change.parse().map_err(|_| invalid)?)
            }
        };
        let most = query.max_results.unwrap_or(RESULTS).max(1);
        let end = items.len().min(start.saturating_add(most));
        let page = items.get(start.min(end)..end).unwrap_or_default();
        let page: Vec<Value> = page.iter().map(|item| item.sent(&self.id)).collect();
        let mut answer = json!({"kind": "calendar#events", "summary": self.id, "items": page});
        if end < items.len() {
            answer["nextPageToken"] = json!(format!("page.{end}.{change}"));
        } else {
            // What changes while pages are read is told after them.
            let next = Since {
                generation: self.generation,
                change,
                from: span.start().as_second(),
                to: span.end().as_second(),
            };
            answer["nextSyncToken"] = json!(next.written());
        }
        Ok(answer)
    }
}

fn has_part(item: &Resource, span: Span) -> bool {
    item.times()
        .is_ok_and(|[start, end]| start.instant() < span.end() && end.instant() > span.start())
}
