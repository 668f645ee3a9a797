//! The endpoint for programs.

use mostrador_core::{
    desk::MESSAGE_CHARS,
    history::{Conversation, Message, Page},
    ids::ConversationNumber,
    log::EscalationReason,
    price::{Price, Total},
    purchases::{OrderLine, OrderMove, OrderStatus, ReservationEnd, ReservationStatus},
    turn::VISIBLE,
};
use mostrador_web::openapi::{
    Access, Document, Operation, count, idempotency_parameter, path_parameter, query_parameter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::body::{NOTE_CHARS, TEXT};

/// An order of some customer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct StaffOrder {
    /// What names it in a path.
    pub(crate) id: String,
    /// Whose it is.
    pub(crate) user: String,
    /// Its number in the customer's own series.
    pub(crate) order_id: u32,
    pub(crate) estado: OrderStatus,
    /// Where it may be moved from here.
    pub(crate) next: Vec<OrderStatus>,
    pub(crate) lineas: Vec<OrderLine>,
    #[schemars(with = "Price")]
    pub(crate) total: Total,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) created_at: OffsetDateTime,
    /// How it came there, oldest first.
    pub(crate) moves: Vec<OrderMove>,
}

/// What is put aside for some customer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct StaffReservation {
    /// What names it in a path.
    pub(crate) id: String,
    /// Whose it is.
    pub(crate) user: String,
    /// Its number in the customer's own series.
    pub(crate) reservation_id: u32,
    pub(crate) libro_id: u64,
    pub(crate) titulo: String,
    pub(crate) cantidad: u32,
    pub(crate) estado: ReservationStatus,
    /// Who of the staff has ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ended_by: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) expires_at: OffsetDateTime,
}

/// Orders that stand there, the newest first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OrderPage {
    pub(crate) orders: Vec<StaffOrder>,
    /// The `after` of the next part, where there is one.
    pub(crate) next: Option<String>,
}

/// What waits to be collected, the first to lapse first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReservationPage {
    pub(crate) reservations: Vec<StaffReservation>,
    /// The `after` of the next part, where there is one.
    pub(crate) next: Option<String>,
}

/// A conversation of some customer that waits for a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct StaffConversation {
    /// What names it in a path.
    pub(crate) id: String,
    /// Whose it is.
    pub(crate) user: String,
    /// Its number in the customer's own series.
    pub(crate) conversation: ConversationNumber,
    /// Its first question.
    pub(crate) title: Option<String>,
    pub(crate) reason: EscalationReason,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) since: OffsetDateTime,
    /// Who of the staff has answered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answered_by: Option<String>,
    /// Who of the staff has read it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) read_by: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) last_message_at: OffsetDateTime,
    pub(crate) message_count: u64,
}

/// What waits for a person, who has waited longest first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WaitingPage {
    pub(crate) conversations: Vec<StaffConversation>,
    /// The `after` of the next part, where there is one.
    pub(crate) next: Option<String>,
}

/// What a person says, or that the assistant goes on: one of them at least.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("anyOf" = [
    {"required": ["message"], "properties": {"message": {"type": "string", "pattern": VISIBLE}}},
    {"required": ["hand_back"], "properties": {"hand_back": {"const": true}}},
]))]
struct ReplyBody {
    #[serde(default)]
    #[schemars(length(max = MESSAGE_CHARS), regex(pattern = TEXT))]
    message: Option<String>,
    /// Whether the assistant answers from then on.
    #[serde(default)]
    hand_back: Option<bool>,
}

/// What was said, and the conversation after it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReplyAnswer {
    pub(crate) conversation: Conversation,
    pub(crate) messages: Vec<Message>,
}

/// A step of an order.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct OrderStep {
    to: OrderStatus,
    /// A sentence to the customer, told with the step.
    #[serde(default)]
    #[schemars(length(max = NOTE_CHARS), regex(pattern = TEXT))]
    note: Option<String>,
    /// Whether the copies of a cancelled or returned order go back into stock; they do where it is left out.
    #[serde(default)]
    restock: Option<bool>,
}

/// The end of a reservation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ReservationStep {
    /// Handed over and paid (`vendida`): then it is an order that was delivered. Or called off.
    to: ReservationEnd,
    /// A sentence to the customer, told with the step.
    #[serde(default)]
    #[schemars(length(max = NOTE_CHARS), regex(pattern = TEXT))]
    note: Option<String>,
}

/// What has become of it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct StepAnswer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reservation: Option<StaffReservation>,
    /// The order that was moved, or that the reservation has become.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) order: Option<StaffOrder>,
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let orders = document.schema::<OrderPage>();
    let reservations = document.schema::<ReservationPage>();
    let order_step = document.schema::<OrderStep>();
    let reservation_step = document.schema::<ReservationStep>();
    let answer = document.schema::<StepAnswer>();
    let states = OrderStatus::ALL.map(OrderStatus::name);
    let part = || {
        vec![
            query_parameter(
                "limit",
                "Rows at most: 1 to 100, 20 where it is left out.",
                count(),
            ),
            query_parameter("after", "The `next` of the part before.", Value::Null),
        ]
    };
    let state = query_parameter(
        "state",
        "Where the orders stand; `Pendiente` where it is left out.",
        json!({"type": "string", "enum": states}),
    );
    let reads: &[u16] = &[400, 401, 404, 406, 413, 429, 503];
    let steps: &[u16] = &[400, 401, 404, 406, 409, 413, 415, 422, 429, 503];
    let operation = |path, method, id, summary, problems| Operation {
        problems,
        ..Operation::new(path, method, id, summary, Access::SignedIn)
    };
    let id = || {
        let schema = json!({"type": "string", "pattern": "^[A-Za-z0-9_-]+$", "maxLength": 700});
        vec![
            path_parameter("id", "The `id` that a list has.", schema),
            idempotency_parameter(),
        ]
    };
    let order = json!({
        "id": "MTphbmE", "user": "ana", "order_id": 1, "estado": "En Proceso", "next": ["Entregado", "Cancelado"],
        "lineas": [{"libro_id": 1, "titulo": "Cien años de soledad", "cantidad": 2, "precio": "25.99"}], "total": "51.98",
        "created_at": "2026-11-23T10:00:00Z",
        "moves": [{"to": "En Proceso", "at": "2026-11-23T11:00:00Z", "by": "eva"}],
    });
    let mut sold = order.clone();
    for (name, value) in [
        ("estado", json!("Entregado")),
        ("next", json!(["En Devolución"])),
        (
            "moves",
            json!([{"to": "Entregado", "at": "2026-11-23T11:00:00Z", "by": "eva"}]),
        ),
    ] {
        sold[name] = value;
    }
    let reservation = json!({
        "id": "MTphbmE", "user": "ana", "reservation_id": 1, "libro_id": 1, "titulo": "Cien años de soledad", "cantidad": 1,
        "estado": "activa", "created_at": "2026-11-23T10:00:00Z", "expires_at": "2026-11-24T10:00:00Z",
    });
    let mut collected = reservation.clone();
    collected["estado"] = json!("vendida");
    document.add(Operation {
        parameters: std::iter::once(state).chain(part()).collect(),
        answers: vec![(200, Some(orders))],
        answer_example: json!({"orders": [order.clone()], "next": null}),
        ..operation(
            super::ORDERS,
            "GET",
            "list_staff_orders",
            "For the shop's staff: orders by where they stand, the newest first.",
            reads,
        )
    });
    document.add(Operation {
        parameters: id(),
        request: Some(order_step),
        request_example: json!({"to": "En Proceso", "note": "Sale mañana por la mañana."}),
        answers: vec![(200, Some(answer.clone()))],
        answer_example: json!({"order": order.clone()}),
        ..operation(
            super::ORDER,
            "POST",
            "move_order",
            "For the shop's staff: move an order, and tell its customer.",
            steps,
        )
    });
    document.add(Operation {
        parameters: part(),
        answers: vec![(200, Some(reservations))],
        answer_example: json!({"reservations": [reservation], "next": null}),
        ..operation(
            super::RESERVATIONS,
            "GET",
            "list_staff_reservations",
            "For the shop's staff: what waits to be collected, the first to lapse first.",
            reads,
        )
    });
    document.add(Operation {
        parameters: id(),
        request: Some(reservation_step),
        request_example: json!({"to": "vendida"}),
        answers: vec![(200, Some(answer))],
        answer_example: json!({"reservation": collected, "order": sold}),
        ..operation(
            super::RESERVATION,
            "POST",
            "end_reservation",
            "For the shop's staff: hand over what is put aside, or call it off, and tell its customer.",
            steps,
        )
    });
    describe_conversations(document, &part(), &id());
}

fn describe_conversations(document: &mut Document, part: &[Value], id: &[Value]) {
    let waiting = document.schema::<WaitingPage>();
    let page = document.schema::<Page>();
    let body = document.schema::<ReplyBody>();
    let answer = document.schema::<ReplyAnswer>();
    let message = json!({
        "id": 9, "role": "assistant", "content": "Hola, soy Eva. ¿Qué ha pasado?", "created_at": "2026-11-23T11:00:00.000Z",
        "meta": {"from": "staff"},
    });
    let conversation = json!({
        "id": 1, "user": "ana", "status": "active", "title": "quiero hablar con una persona", "created_at": "2026-11-23T10:00:00.000Z",
        "updated_at": "2026-11-23T11:00:00.000Z", "last_message_at": "2026-11-23T11:00:00.000Z", "message_count": 3, "summary": null,
        "rating": null, "waits_for": "person",
    });
    let reads: &[u16] = &[400, 401, 404, 406, 409, 413, 429, 503];
    let operation = |path, method, id, summary, problems| Operation {
        problems,
        ..Operation::new(path, method, id, summary, Access::SignedIn)
    };
    document.add(Operation {
        parameters: part.to_vec(),
        answers: vec![(200, Some(waiting))],
        answer_example: json!({"conversations": [{
            "id": "MTphbmE", "user": "ana", "conversation": 1, "title": "quiero hablar con una persona", "reason": "person",
            "since": "2026-11-23T10:00:00Z", "last_message_at": "2026-11-23T10:00:00Z", "message_count": 2,
        }], "next": null}),
        ..operation(
            super::CONVERSATIONS,
            "GET",
            "list_waiting_conversations",
            "For the shop's staff: conversations that wait for a person, who has waited longest first.",
            &[400, 401, 404, 406, 413, 429, 503],
        )
    });
    let before = query_parameter("before", "Only messages older than this one.", count());
    let limit = query_parameter(
        "limit",
        "Messages at most: 1 to 500, 100 where it is left out.",
        count(),
    );
    document.add(Operation {
        parameters: vec![id[0].clone(), before, limit],
        answers: vec![(200, Some(page))],
        answer_example: json!({"conversation": conversation.clone(), "messages": [message.clone()], "next": null}),
        ..operation(
            super::CONVERSATION,
            "GET",
            "read_waiting_conversation",
            "For the shop's staff: a conversation that waits for a person. Who has read it is kept in its log.",
            reads,
        )
    });
    document.add(Operation {
        parameters: id.to_vec(),
        request: Some(body),
        request_example: json!({"message": "Hola, soy Eva. ¿Qué ha pasado?"}),
        answers: vec![(200, Some(answer))],
        answer_example: json!({"conversation": conversation, "messages": [message]}),
        ..operation(
            super::CONVERSATION,
            "POST",
            "reply_as_person",
            "For the shop's staff: say something in a conversation that waits for a person, or hand it back to the assistant.",
            &[400, 401, 404, 406, 409, 413, 415, 422, 429, 503],
        )
    });
}
