//! Orders after they were placed.

use futures_util::future;
use serde_json::{Value, json};

use super::{ActionFailure, Attempt, Outcome, Payload, seconds};
use crate::purchases::{Order, OrderStatus};

pub(super) async fn status(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let Some(order) = find(attempt, payload).await? else {
        return Ok(not_found(attempt));
    };
    let (id, estado, total) = (
        order.order_id,
        order.estado.name(),
        order.total.display(attempt.language),
    );
    let message = attempt.say(
        format!("Tu pedido {id} está en estado «{estado}»; total {total}."),
        format!("Your order {id} is “{estado}”; total {total}."),
    );
    Ok(shown(message, &order))
}

pub(super) async fn list(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let (purchases, part) = (&attempt.counter.purchases, payload.part());
    // One more than is shown tells whether there are more.
    let found = purchases.orders(attempt.owner, part.before, part.limit + 1);
    let (account, orders) = future::join(attempt.account(), found).await;
    let (count, mut orders) = (account?.orders_made, orders?);
    let has_more = orders.len() > part.limit;
    orders.truncate(part.limit);
    let next = orders.last().filter(|_| has_more);
    let next = next.map(|oldest| oldest.order_id);
    let message = match count {
        0 => attempt.say("Todavía no tienes pedidos.", "You have no orders yet."),
        1 => attempt.say("Tienes 1 pedido.", "You have 1 order."),
        n => attempt.say(
            format!("Tienes {n} pedidos."),
            format!("You have {n} orders."),
        ),
    };
    Ok(Outcome::done(
        message,
        orders.iter().map(described).collect(),
        json!({"count": count, "next": next}),
    ))
}

pub(super) async fn cancel(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let account = attempt.account().await?;
    let Some(mut order) = find(attempt, payload).await? else {
        return Ok(not_found(attempt));
    };
    if order.estado != OrderStatus::Pendiente {
        let estado = order.estado.name();
        return Ok(Outcome::refused(
            "order_closed",
            attempt.say(
                format!("Ese pedido está en estado «{estado}» y ya no se puede cancelar."),
                format!("That order is “{estado}” and can no longer be cancelled."),
            ),
        ));
    }
    let ids: Vec<u64> = order.lineas.iter().map(|line| line.libro_id).collect();
    let mut books = attempt.counter.catalogue.get(&ids, true).await?;
    for book in &mut books {
        let returned: u32 = order
            .lineas
            .iter()
            .filter(|line| line.libro_id == book.book.libro_id)
            .map(|line| line.cantidad)
            .sum();
        book.on_hand += returned;
    }
    order.estado = OrderStatus::Cancelado;
    let mut mutation = attempt.mutation(account);
    mutation.books = books;
    mutation
        .orders
        .push((order.clone(), Some(OrderStatus::Pendiente)));
    let id = order.order_id;
    let message = attempt.say(
        format!("Cancelé tu pedido {id}."),
        format!("I cancelled your order {id}."),
    );
    attempt.commit(mutation, shown(message, &order)).await
}

async fn find(attempt: &Attempt<'_>, payload: &Payload) -> Result<Option<Order>, ActionFailure> {
    match payload.small_id("order_id") {
        Some(id) => Ok(attempt.counter.purchases.order(attempt.owner, id).await?),
        None => Ok(None),
    }
}

fn not_found(attempt: &Attempt<'_>) -> Outcome {
    Outcome::refused(
        "order_not_found",
        attempt.say("No encuentro ese pedido.", "I can't find that order."),
    )
}

/// An outcome about one order.
pub(super) fn shown(message: String, order: &Order) -> Outcome {
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
