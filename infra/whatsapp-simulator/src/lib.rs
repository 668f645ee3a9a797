//! The other side of the WhatsApp Cloud API on one machine.
//!
//! It takes messages where the platform does, and refuses by the documented limits and codes what the platform refuses; it
//! delivers what customers write, and what becomes of our messages, signed, to a webhook, and delivers it over and over until it is
//! taken. It can be made to fail, hang, cut and delay, to deliver twice and in another order, and its clock can be moved.
//!
//! Its checks are its own: it shares with `mostrador-whatsapp` the signature alone, which another client verifies.

mod api;
mod check;
mod clock;
mod control;
mod customers;
mod deliver;
mod inbound;
mod limit;
mod sent;
mod simulator;

pub use clock::Clock;
pub use control::router as control_router;
pub use customers::Customer;
pub use deliver::{Delivered, Order};
pub use inbound::Inbound;
pub use sent::{Offered, SentMessage};
pub use simulator::{Behaviour, Fault, Receipt, Running, Settings, Simulator};
