//! A calendar: its events, and each change of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    error::ApiError,
    resource::Resource,
    series::{cancelled, horizon, instances},
};

/// The events of a calendar.
#[derive(Debug, Default)]
pub(crate) struct Calendar {
    pub(crate) id: String,
    /// Events and series, by their ids.
    pub(crate) events: BTreeMap<String, Resource>,
    /// What is otherwise of a series than the series says.
    pub(crate) exceptions: BTreeMap<String, Resource>,
    /// The times that a series has no longer.
    pub(crate) lost: BTreeMap<String, Resource>,
    /// The number of the last change.
    pub(crate) change: u64,
    /// Tokens from before are not taken.
    pub(crate) generation: u64,
    /// How many ids were made here.
    made: u64,
}

/// How an event is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// Whole.
    Update,
    /// But for what is not named.
    Patch,
}

impl Calendar {
    pub(crate) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn insert(&mut self, body: Map<String, Value>) -> Result<Value, ApiError> {
        let id = match body.get("id").and_then(Value::as_str) {
            Some(id) => id.to_owned(),
            None => {
                self.made += 1;
                format!("made{:08}", self.made)
            }
        };
        let is_id = id
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'v'));
        if !is_id || !(5..=1024).contains(&id.len()) {
            return Err(ApiError::invalid("Invalid resource id value."));
        }
        if self.events.contains_key(&id) {
            return Err(ApiError::DUPLICATE);
        }
        self.write_event(&id, body)
    }

    /// An event, an exception of a series, or a time of one.
    pub(crate) fn find(&self, id: &str) -> Result<Resource, ApiError> {
        let known = self.events.get(id).or_else(|| self.exceptions.get(id));
        if let Some(known) = known.or_else(|| self.lost.get(id)) {
            return Ok(known.clone());
        }
        let series = id
            .split_once('_')
            .and_then(|(series, _)| self.events.get(series));
        let series = series.filter(|series| series.is_series() && !series.is_cancelled());
        let series = series.ok_or(ApiError::NOT_FOUND)?;
        let span = horizon().ok_or(ApiError::NOT_FOUND)?;
        let mut instances = instances(series, span)?;
        instances.remove(id).ok_or(ApiError::NOT_FOUND)
    }

    pub(crate) fn get(&self, id: &str) -> Result<Value, ApiError> {
        self.find(id).map(|found| found.sent(&self.id))
    }

    pub(crate) fn write(
        &mut self,
        id: &str,
        body: Map<String, Value>,
        write: Write,
        if_match: Option<&str>,
    ) -> Result<Value, ApiError> {
        let there = self.find(id)?;
        holds(&there, if_match)?;
        let mut fields = match write {
            Write::Patch => there.fields.clone(),
            Write::Update => {
                let stays = ["recurringEventId", "originalStartTime"];
                let stays = stays.into_iter().filter_map(|name| {
                    let value = there.fields.get(name)?;
                    Some((name.to_owned(), value.clone()))
                });
                stays.collect()
            }
        };
        for (name, value) in body {
            if value.is_null() {
                fields.remove(&name);
            } else {
                fields.insert(name, value);
            }
        }
        if there.fields.contains_key("recurringEventId") {
            self.write_exception(id, fields)
        } else {
            self.write_event(id, fields)
        }
    }

    pub(crate) fn delete(&mut self, id: &str, if_match: Option<&str>) -> Result<(), ApiError> {
        let there = self.find(id)?;
        holds(&there, if_match)?;
        if there.is_cancelled() {
            return Err(ApiError::DELETED);
        }
        let mut fields = there.fields;
        fields.insert("status".to_owned(), json!("cancelled"));
        if fields.contains_key("recurringEventId") {
            self.write_exception(id, fields)?;
        } else {
            self.write_event(id, fields)?;
        }
        Ok(())
    }

    fn write_exception(
        &mut self,
        id: &str,
        mut fields: Map<String, Value>,
    ) -> Result<Value, ApiError> {
        self.change += 1;
        fields.insert("id".to_owned(), json!(id));
        fields.entry("status").or_insert(json!("confirmed"));
        let change = self.change;
        let mut resource = Resource { fields, change };
        resource.settle_times()?;
        let sent = resource.sent(&self.id);
        self.exceptions.insert(id.to_owned(), resource);
        Ok(sent)
    }

    fn write_event(&mut self, id: &str, mut fields: Map<String, Value>) -> Result<Value, ApiError> {
        fields.insert("id".to_owned(), json!(id));
        fields.entry("status").or_insert(json!("confirmed"));
        fields.insert("iCalUID".to_owned(), json!(format!("{id}@google.com")));
        let change = self.change + 1;
        let mut resource = Resource { fields, change };
        let [start, end] = resource.settle_times()?;
        if end.instant() < start.instant() {
            return Err(ApiError::EMPTY_RANGE);
        }
        let after = times_of(&resource)?;
        let before = match self.events.get(id) {
            Some(there) => times_of(there)?,
            None => BTreeMap::new(),
        };
        self.change = change;
        for (id, instance) in before {
            if !after.contains_key(&id) {
                self.exceptions.remove(&id);
                self.lost
                    .insert(id.clone(), cancelled(&id, &instance, change));
            }
        }
        self.lost.retain(|id, _| !after.contains_key(id));
        let sent = resource.sent(&self.id);
        self.events.insert(id.to_owned(), resource);
        Ok(sent)
    }
}

/// All times of a series, as far as it is followed; of anything else, none.
fn times_of(resource: &Resource) -> Result<BTreeMap<String, Resource>, ApiError> {
    match horizon() {
        Some(span) if resource.is_series() && !resource.is_cancelled() => instances(resource, span),
        _ => Ok(BTreeMap::new()),
    }
}

fn holds(there: &Resource, if_match: Option<&str>) -> Result<(), ApiError> {
    match if_match {
        Some(etag) if etag != "*" && etag != there.etag() => Err(ApiError::CONDITION),
        _ => Ok(()),
    }
}
