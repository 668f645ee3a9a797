//! What a program in another language, or a person with a terminal, does with the simulator.

use std::time::Duration;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    customers::Customer,
    inbound::Inbound,
    sent::SentMessage,
    simulator::{Fault, Receipt, Simulator},
};

/// `/simulator/…`: customers, what they do, what was sent to them, what goes wrong, and the time.
pub fn router(simulator: Simulator) -> Router {
    Router::new()
        .route("/simulator/customers", post(add_customer))
        .route("/simulator/customers/{address}/act", post(act))
        .route("/simulator/sent", get(sent))
        .route("/simulator/receipts", get(receipts))
        .route("/simulator/deliveries", get(deliveries))
        .route("/simulator/deliver", post(deliver))
        .route("/simulator/faults", post(fail_next))
        .route("/simulator/clock", post(advance))
        .with_state(simulator)
}

async fn add_customer(State(simulator): State<Simulator>, Json(customer): Json<Customer>) {
    simulator.add_customer(customer);
}

async fn act(
    State(simulator): State<Simulator>,
    Path(address): Path<String>,
    Json(inbound): Json<Inbound>,
) -> Result<Json<Value>, StatusCode> {
    let id = simulator.act(&address, inbound);
    id.map(|id| Json(json!({ "id": id })))
        .ok_or(StatusCode::NOT_FOUND)
}

async fn sent(State(simulator): State<Simulator>) -> Json<Vec<SentMessage>> {
    Json(simulator.sent())
}

async fn receipts(State(simulator): State<Simulator>) -> Json<Vec<Receipt>> {
    Json(simulator.receipts())
}

async fn deliveries(State(simulator): State<Simulator>) -> Json<Vec<Value>> {
    Json(simulator.deliveries())
}

async fn deliver(State(simulator): State<Simulator>, Json(delivery): Json<Value>) {
    simulator.deliver(delivery);
}

async fn fail_next(State(simulator): State<Simulator>, Json(fault): Json<Fault>) {
    simulator.fail_next(fault);
}

#[derive(Deserialize)]
struct Advance {
    seconds: u64,
}

async fn advance(State(simulator): State<Simulator>, Json(advance): Json<Advance>) {
    simulator
        .clock()
        .advance(Duration::from_secs(advance.seconds));
}
