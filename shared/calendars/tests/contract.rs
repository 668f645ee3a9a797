//! What the port of a calendar elsewhere promises, on the servers at hand: Google's API on our own, and `CalDAV` on Radicale, of whose
//! Python `MOSTRADOR_TEST_RADICALE` names the folder.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "contract/appointments.rs"]
mod appointments;
#[path = "contract/changes.rs"]
mod changes;
#[path = "contract/draft.rs"]
mod draft;
#[path = "contract/events.rs"]
mod events;
#[path = "contract/faults.rs"]
mod faults;
#[path = "contract/google.rs"]
mod google;
#[path = "contract/google_faults.rs"]
mod google_faults;
#[path = "contract/mirror.rs"]
mod mirror;
#[path = "contract/radicale.rs"]
mod radicale;
#[path = "contract/scripted.rs"]
mod scripted;
#[path = "contract/setup.rs"]
mod setup;
