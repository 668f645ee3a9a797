//! What the stores promise, on the embedded engine, and on the endpoint of `MOSTRADOR_TEST_DYNAMODB_ENDPOINT` if there is one.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "contract/appointments.rs"]
mod appointments;
#[path = "contract/approvals.rs"]
mod approvals;
#[path = "contract/best_sellers.rs"]
mod best_sellers;
#[path = "contract/bookings.rs"]
mod bookings;
#[path = "contract/clock.rs"]
mod clock;
#[path = "contract/crowd.rs"]
mod crowd;
#[path = "contract/erasure.rs"]
mod erasure;
#[path = "contract/errands.rs"]
mod errands;
#[path = "contract/fulfilment.rs"]
mod fulfilment;
#[path = "contract/large_commits.rs"]
mod large_commits;
#[path = "contract/limits.rs"]
mod limits;
#[path = "contract/log.rs"]
mod log;
#[path = "contract/model.rs"]
mod model;
#[path = "contract/purchases.rs"]
mod purchases;
#[path = "contract/reception.rs"]
mod reception;
#[path = "contract/setup.rs"]
mod setup;
#[path = "contract/turn.rs"]
mod turn;
#[path = "contract/view.rs"]
mod view;
