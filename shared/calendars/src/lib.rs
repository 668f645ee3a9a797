//! Calendars that are kept elsewhere, behind the core's port: Google's, and such as are reached by `CalDAV`.

mod caldav;
mod google;
mod http;
mod ical;
mod recurrence;
mod window;

pub use caldav::{CalDav, CalDavSettings, InvalidAddress};
pub use google::{Google, GoogleAccount, InvalidAccount};
pub use http::Patience;
pub use ical::{Object, Reading, Unreadable};
