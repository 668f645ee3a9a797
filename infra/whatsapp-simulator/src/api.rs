//! The messages endpoint of the Graph API.

use std::{io, time::Duration};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use futures_util::stream;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    check::{Checked, Refusal, check},
    simulator::{Behaviour, Fault, Receipt, Simulator},
};

pub(crate) fn router(simulator: Simulator) -> Router {
    Router::new()
        .route("/{version}/{number}/messages", post(messages))
        .with_state(simulator)
}

async fn messages(
    State(simulator): State<Simulator>,
    Path((version, number)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let fault = simulator.state().faults.pop_front();
    if let Some(Fault {
        behaviour,
        is_taken: false,
    }) = fault
    {
        match behaviour {
            Behaviour::Code(_) | Behaviour::Hang | Behaviour::Cut => {
                return faulty(behaviour, json!({})).await;
            }
            Behaviour::Late(_) | Behaviour::FailLater(_) => {}
        }
    }
    let fails_later = match fault.map(|fault| fault.behaviour) {
        Some(Behaviour::FailLater(code)) => Some(code),
        _ => None,
    };
    let answer = answer(&simulator, &version, &number, &headers, &body, fails_later);
    match (answer, fault) {
        (Ok(json), Some(fault)) => faulty(fault.behaviour, json).await,
        (Ok(json), None) => Json(json).into_response(),
        (Err(refusal), _) => {
            let refused = (refusal.code, refusal.details.clone());
            simulator.state().refusals.push(refused);
            error(&refusal)
        }
    }
}

fn answer(
    simulator: &Simulator,
    version: &str,
    number: &str,
    headers: &HeaderMap,
    body: &[u8],
    fails_later: Option<i64>,
) -> Result<Value, Refusal> {
    let expected = format!("Bearer {}", simulator.settings.access_token.expose_secret());
    let given = headers.get("authorization");
    if given.is_none_or(|given| given.as_bytes() != expected.as_bytes()) {
        return Err(Refusal::new(190, "access token"));
    }
    let is_version = version
        .strip_prefix('v')
        .is_some_and(|number| number.parse::<f32>().is_ok());
    if !is_version || number != simulator.settings.phone_number_id {
        return Err(Refusal::new(100, "no such object"));
    }
    match check(body)? {
        Checked::Receipt {
            message_id,
            is_typing,
        } => {
            let mut state = simulator.state();
            if !state.received.contains(&message_id) {
                return Err(Refusal::new(131_009, "message_id"));
            }
            state.receipts.push(Receipt {
                message_id,
                is_typing,
            });
            Ok(json!({ "success": true }))
        }
        Checked::Message {
            address,
            is_template,
            tracker,
        } => {
            let payload = serde_json::from_slice(body).unwrap_or_default();
            let id = simulator.take(&address, is_template, payload)?;
            simulator.report(&address, &id, tracker.as_deref(), fails_later);
            let customer = simulator.customer(&address);
            let mut contact = json!({ "input": address });
            if let Some(customer) = customer {
                contact["user_id"] = json!(customer.user_id);
                if customer.username.is_none() {
                    contact["wa_id"] = json!(customer.phone);
                }
            } else if address.bytes().all(|byte| byte.is_ascii_digit()) {
                contact["wa_id"] = json!(address);
            }
            Ok(json!({
                "messaging_product": "whatsapp",
                "contacts": [contact],
                "messages": [{ "id": id }],
            }))
        }
    }
}

fn error(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST);
    (status, Json(refusal.body())).into_response()
}

async fn faulty(behaviour: Behaviour, answer: Value) -> Response {
    match behaviour {
        Behaviour::Code(code) => error(&Refusal::new(code, "as configured")),
        Behaviour::Hang => {
            sleep(Simulator::HANG).await;
            StatusCode::GATEWAY_TIMEOUT.into_response()
        }
        Behaviour::Cut => {
            let mut half = answer.to_string();
            half.truncate(half.len() / 2);
            let parts = [Ok(half), Err(io::Error::other("cut"))];
            Body::from_stream(stream::iter(parts)).into_response()
        }
        Behaviour::Late(pause_ms) => {
            sleep(Duration::from_millis(pause_ms)).await;
            Json(answer).into_response()
        }
        Behaviour::FailLater(_) => Json(answer).into_response(),
    }
}
