//! A part of a list: how much of it, and from where on.

use mostrador_core::{
    ids::Owner,
    purchases::{QueuePlace, Queued},
};
use mostrador_web::{Problem, Query};

use crate::place;

/// Rows given where nothing else is asked for, and at most.
const LIMIT: usize = 20;
const LIMIT_MAX: usize = 100;

/// What is asked for.
pub(crate) struct Wanted {
    pub(crate) limit: usize,
    pub(crate) after: Option<QueuePlace>,
}

impl Wanted {
    pub(crate) fn read(staff: &Owner, query: &Query) -> Result<Self, Problem> {
        let limit = query.size("limit", LIMIT_MAX)?.unwrap_or(LIMIT);
        let after = query.given("after").map(|text| {
            let place = place::read_cursor(staff, text);
            place.ok_or_else(|| Problem::invalid("`after` is not where anything goes on"))
        });
        Ok(Self {
            limit,
            after: after.transpose()?,
        })
    }

    /// Takes what was read, of which there is one more than is wanted where the list goes on: then the cursor says where.
    pub(crate) fn cut<T>(&self, mut read: Vec<Queued<T>>) -> (Vec<Queued<T>>, Option<String>) {
        let goes_on = read.len() > self.limit;
        read.truncate(self.limit);
        let last = read.last().filter(|_| goes_on);
        let next = last.map(|last| place::cursor(&last.place));
        (read, next)
    }
}
