//! What every endpoint does alike: who calls, how often, what came in, what goes out.
//!
//! [`Gate::serve`] takes a plain HTTP request through all of it and hands the endpoint a [`Call`]; `lambda::run` brings
//! requests from Lambda, the local runner from a socket. Endpoints see neither.

mod auth;
mod body;
mod call;
mod clock;
mod gate;
mod guests;
mod headers;
mod idempotency;
#[cfg(feature = "lambda")]
pub mod lambda;
pub mod logging;
pub mod openapi;
mod problem;
mod query;
mod rated;
mod respond;
mod route;
mod settings;
mod strict_claims;
mod throttle;
mod traces;

pub use auth::{Authenticator, Identity, TokenError, TokenSettings};
pub use body::BODY_BYTES_MAX;
pub use call::Call;
pub use clock::SystemClock;
pub use gate::{Gate, Request, Response, SourceAddress, language, refusal};
pub use problem::Problem;
pub use query::{Query, digits};
pub use rated::Rated;
pub use respond::{Body, Reply};
pub use route::{Admission, Found, Matched, Route, find};
pub use settings::{Environment, SettingError};
pub use throttle::{Rates, Throttle};
pub use traces::Traces;
