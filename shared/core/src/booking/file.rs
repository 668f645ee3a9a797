//! A business as its file has it, before anything of it is believed.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize,
    de::{Deserializer, Error, Visitor},
};
use serde_json::Value;

use crate::shop::{Exception, Interval};

/// Everything has a default, so that what is missing is named by the check, beside what is wrong.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BusinessFile {
    pub(super) id: String,
    pub(super) business_name: String,
    pub(super) time_zone: String,
    pub(super) currency: String,
    pub(super) whatsapp_number: Option<String>,
    pub(super) bot_name: Option<String>,
    pub(super) greeting_message: Option<String>,
    pub(super) booking_window_days: Option<Whole>,
    pub(super) min_notice_minutes: Option<Whole>,
    pub(super) availability_marker: Option<String>,
    pub(super) slot_step_minutes: Option<Whole>,
    pub(super) branches: Vec<BranchFile>,
    pub(super) categories: Vec<CategoryFile>,
    pub(super) services: Vec<ServiceFile>,
    pub(super) calendars: Vec<CalendarFile>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct BranchFile {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) hours: BTreeMap<String, Vec<Interval>>,
    pub(super) exceptions: Vec<Exception>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CategoryFile {
    pub(super) id: String,
    pub(super) name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ServiceFile {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) also_called: Vec<String>,
    pub(super) category: String,
    pub(super) description: Option<String>,
    /// A number, or the text of one.
    pub(super) price: Value,
    pub(super) duration_minutes: Option<Whole>,
    pub(super) buffer_before_minutes: Option<Whole>,
    pub(super) buffer_after_minutes: Option<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CalendarFile {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) branch: String,
    pub(super) offers: Vec<String>,
    pub(super) google_calendar_id: Option<String>,
    pub(super) caldav_url: Option<String>,
    pub(super) hours: BTreeMap<String, Vec<Interval>>,
    pub(super) exceptions: Vec<Exception>,
}

/// A whole number, as large as it may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole(pub(super) i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(WholeVisitor)
    }
}

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole, E> {
        Ok(Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole, E> {
        Ok(Whole(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}
