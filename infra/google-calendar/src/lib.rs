//! Google Calendar's API on one machine, written from the published description of its version 3 and from the pages about
//! synchronisation, errors and service accounts.
//!
//! | method | what of it |
//! |---|---|
//! | token endpoint | `jwt-bearer` assertions by RS256: signature, `iss`, `aud`, `scope`, `iat`, `exp` |
//! | `events.list` | `singleEvents`, `timeMin`, `timeMax`, `showDeleted`, `maxResults`, `pageToken`, `syncToken`, `fields` |
//! | `events.get` | of an event, or of one time of a series |
//! | `events.insert` | with an id of one's own, or without |
//! | `events.update`, `events.patch`, `events.delete` | with `If-Match`; of one time of a series as well, which makes an exception of it |
//!
//! Deleted events keep their ids, are told as `cancelled`, and come back by an update. Errors have the bodies that are documented; some of
//! them come on demand. A parameter that is not named here is refused with 400, so that nobody relies on one.
//!
//! Recurrences are `mostrador-calendars`'s, which are held against another implementation there.

mod authority;
mod calendar;
mod error;
mod fields;
mod list;
mod resource;
mod series;
mod serve;

pub use error::Fault;
pub use serve::GoogleCalendar;
