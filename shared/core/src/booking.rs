//! Appointments: what a business offers, when it is free, and what its calendars' days hold.
//!
//! Times come in as values, and so does what calendars elsewhere hold; but for [`Scheduler`], which reads its clock and what is kept. Nothing
//! here is of a particular calendar, table or channel.

mod appointment;
mod business;
mod check;
mod day;
mod event;
mod file;
mod hours;
mod ids;
mod kept;
mod local_day;
mod reception;
mod remote;
mod scheduler;
mod slots;
mod span;
mod spans;
#[cfg(test)]
mod tests;

pub use appointment::{Appointment, Change, ChangeError, State};
pub use business::{AVAILABILITY_MARKER, Branch, Business, Calendar, Category, Service, Source};
pub use day::{
    Booking, CancelError, ConfirmError, Day, Entry, HOLD_MINUTES, HoldError, InvalidDay, Moved,
    NoRoom, Place, ReleaseError, Reschedule, RescheduleError, reschedule,
};
pub use event::{Event, InvalidMarker, Marker, When};
pub use hours::{Hours, SpecialDays};
pub use ids::{AppointmentId, BranchId, BusinessId, CalendarId, CategoryId, ServiceId};
pub use kept::{BookingError, Bookings, Days, Kept, Mutation};
pub use local_day::LocalDay;
pub use reception::Reception;
pub use remote::{Changes, Remote, RemoteEntry, RemoteError, RemoteObject};
pub use scheduler::{NotBooked, Order, Scheduler, Settle, Wanted, Wish};
pub use slots::{Agenda, Dates, Refusal, STEP_MINUTES, Search, Slot, nearest};
pub use span::Span;
