//! Orders after they were placed.

use futures_util::future;
use serde_json::{Value, json};

use super::{ActionFailure, Attempt, Outcome, Payload, seconds};
use crate::purchases::{Order, OrderMove, OrderStatus};

pub(super) async fn status(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let Some(order) = find(attempt, payload).await? else {
        return Ok(attempt.refused("order_not_found", &[]));
    };
    let mut outcome = with_order(figures(attempt, "order", &order), &order);
    outcome.details = attempt.listed(&order.lineas, order.lineas.len(), |line| {
        attempt.bought(&line.titulo, line.cantidad, line.precio)
    });
    Ok(outcome)
}

pub(super) async fn list(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let (purchases, part) = (&attempt.counter.purchases, payload.part());
    // One more than the page has: then there are more.
    let found = purchases.orders(attempt.owner, part.before, part.limit + 1);
    let (account, orders) = future::join(attempt.account(), found).await;
    let (count, mut orders) = (account?.orders_made, orders?);
    let has_more = orders.len() > part.limit;
    orders.truncate(part.limit);
    let next = orders.last().filter(|_| has_more);
    let next = next.map(|oldest| oldest.order_id);
    let mut outcome = Outcome::done(
        attempt.message("orders", &[("count", count.into())]),
        orders.iter().map(described).collect(),
        json!({"count": count, "next": next}),
    );
    // They are numbered from 1 on: so many are there from this page on.
    let left = part
        .before
        .map_or(count, |before| count.min(before.saturating_sub(1)));
    let left = usize::try_from(left).unwrap_or(orders.len());
    outcome.details = attempt.listed(&orders, left, |order| figures(attempt, "order-line", order));
    Ok(outcome)
}

pub(super) async fn cancel(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let texts = Texts {
        done: "order-cancelled",
        question: "propose-order-cancellation",
        refusal: "order_closed",
    };
    take_step(attempt, payload, OrderStatus::Cancelado, texts).await
}

/// Asks the shop to take a delivered order back; staff say whether it does, and what becomes of the copies.
pub(super) async fn give_back(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let texts = Texts {
        done: "return-requested",
        question: "propose-return",
        refusal: "order-not-delivered",
    };
    take_step(attempt, payload, OrderStatus::EnDevolucion, texts).await
}

/// The messages of a step, by their keys.
struct Texts {
    done: &'static str,
    question: &'static str,
    refusal: &'static str,
}

/// The customer's own step with an order, where it is theirs to take.
async fn take_step(
    attempt: &Attempt<'_>,
    payload: &Payload,
    to: OrderStatus,
    texts: Texts,
) -> Result<Outcome, ActionFailure> {
    let account = attempt.account().await?;
    let Some(mut order) = find(attempt, payload).await? else {
        return Ok(attempt.refused("order_not_found", &[]));
    };
    let from = order.estado;
    if from.next_by_customer() != Some(to) {
        let status = name(attempt, from);
        let message = attempt.message(texts.refusal, &[("status", (&status).into())]);
        return Ok(Outcome::refused("order_closed", message));
    }
    let mut mutation = attempt.mutation(account);
    let goes_back = to == OrderStatus::Cancelado;
    if goes_back {
        mutation.items = attempt.unsold(&order, goes_back).await?;
    }
    order.take(OrderMove {
        to,
        at: attempt.now,
        by: None,
        note: None,
        restocked: goes_back,
    });
    mutation.orders.push((order.clone(), Some(from)));
    let message = attempt.message(texts.done, &[("id", order.order_id.into())]);
    let question = || {
        let total = order.total.display(attempt.locale());
        let arguments = [("id", order.order_id.into()), ("total", (&total).into())];
        attempt.message(texts.question, &arguments)
    };
    let outcome = with_order(message, &order);
    attempt.commit(mutation, outcome, question).await
}

async fn find(attempt: &Attempt<'_>, payload: &Payload) -> Result<Option<Order>, ActionFailure> {
    match payload.small_id("order_id") {
        Some(id) => Ok(attempt.counter.purchases.order(attempt.owner, id).await?),
        None => Ok(None),
    }
}

/// A message with an order's number, status and total.
pub(super) fn figures(attempt: &Attempt<'_>, key: &str, order: &Order) -> String {
    let (status, total) = (
        name(attempt, order.estado),
        order.total.display(attempt.locale()),
    );
    let arguments = [
        ("id", order.order_id.into()),
        ("status", (&status).into()),
        ("total", (&total).into()),
    ];
    attempt.message(key, &arguments)
}

/// Where an order stands, for people.
fn name(attempt: &Attempt<'_>, status: OrderStatus) -> String {
    attempt.message(status.message(), &[])
}

/// An outcome about one order.
pub(super) fn with_order(message: String, order: &Order) -> Outcome {
    Outcome::done(
        message,
        vec![described(order)],
        json!({"order_id": order.order_id, "estado": order.estado, "total": order.total}),
    )
}

fn described(order: &Order) -> Value {
    json!({
        "order_id": order.order_id,
        "estado": order.estado,
        "lineas": order.lineas,
        "total": order.total,
        "created_at": seconds(order.created_at),
    })
}
