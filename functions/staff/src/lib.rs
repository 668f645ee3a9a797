//! `/api/agent/staff/`: what the shop's staff have to see to. For everybody else there is nothing here.
//!
//! A function of its own, since its role alone may reach what is several customers'.

mod body;
mod conversations;
mod describe;
mod failures;
mod orders;
mod page;
mod place;
mod reservations;
mod step;

use std::sync::Arc;

use http::Method;
use mostrador_core::{
    actions::fulfilment::Fulfilment, desk::Desk, limits::Scope, shop::ProfileSource,
};
use mostrador_web::{Call, Gate, Matched, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const ORDERS: &str = "/api/agent/staff/orders/";
const ORDER: &str = "/api/agent/staff/orders/{id}/";
const RESERVATIONS: &str = "/api/agent/staff/reservations/";
const RESERVATION: &str = "/api/agent/staff/reservations/{id}/";
const CONVERSATIONS: &str = "/api/agent/staff/conversations/";
const CONVERSATION: &str = "/api/agent/staff/conversations/{id}/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    ListOrders,
    MoveOrder,
    ListReservations,
    EndReservation,
    ListConversations,
    ReadConversation,
    Reply,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 7] = [
    Route::staff(Method::GET, ORDERS, Scope::History, Operation::ListOrders),
    Route::staff(Method::POST, ORDER, Scope::Action, Operation::MoveOrder),
    Route::staff(
        Method::GET,
        RESERVATIONS,
        Scope::History,
        Operation::ListReservations,
    ),
    Route::staff(
        Method::POST,
        RESERVATION,
        Scope::Action,
        Operation::EndReservation,
    ),
    Route::staff(
        Method::GET,
        CONVERSATIONS,
        Scope::History,
        Operation::ListConversations,
    ),
    Route::staff(
        Method::GET,
        CONVERSATION,
        Scope::History,
        Operation::ReadConversation,
    ),
    Route::staff(Method::POST, CONVERSATION, Scope::Action, Operation::Reply),
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub fulfilment: Fulfilment,
    pub desk: Desk,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring, shop: Arc<dyn ProfileSource>) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring
                .gate(Some(wiring.idempotency()))?
                .of_shop(Arc::clone(&shop)),
            fulfilment: wiring.fulfilment(shop)?,
            desk: wiring.desk(),
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call, matched| {
            dispatch(Arc::clone(&deps), call, matched)
        })
        .await
}

async fn dispatch(
    deps: Arc<Deps>,
    call: Arc<Call>,
    Matched { operation, named }: Matched<Operation>,
) -> Result<Reply, Problem> {
    let staff = call.signed_in()?;
    let (fulfilment, desk) = (&deps.fulfilment, &deps.desk);
    match operation {
        Operation::ListOrders => orders::list(fulfilment, staff, &call).await,
        Operation::MoveOrder => orders::take_step(fulfilment, staff, &named, &call).await,
        Operation::ListReservations => reservations::list(fulfilment, staff, &call).await,
        Operation::EndReservation => reservations::end(fulfilment, staff, &named, &call).await,
        Operation::ListConversations => conversations::list(desk, staff, &call).await,
        Operation::ReadConversation => conversations::read(desk, staff, &named, &call).await,
        Operation::Reply => conversations::reply(desk, staff, &named, &call).await,
    }
}
