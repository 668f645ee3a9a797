//! `cancel_reservation`: a reservation given up, as a proposal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, arguments, proposal};

pub(super) static TOOL: Tool = proposal::tool::<Arguments>(
    "cancel_reservation",
    "Proposes to give up one of the customer's reservations; the customer confirms it.",
    |call| {
        let Arguments { reservation_id } = arguments(call)?;
        Ok(proposal::of_number(
            "cancel_reservation",
            "reservation_id",
            reservation_id,
        ))
    },
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(description = "The reservation's number, which the customer has said.")]
    reservation_id: u32,
}
