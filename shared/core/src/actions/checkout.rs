//! From cart to order: prices pinned, stock taken, all of it or nothing.

use serde_json::json;

use super::{ActionFailure, Attempt, Outcome, Payload, cart, orders};
use crate::purchases::{Order, OrderLine, ReservationEnd};

pub(super) async fn checkout(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let mut account = attempt.account().await?;
    let priced = cart::priced(attempt, &account).await?;
    if priced.is_empty() {
        return Ok(attempt.refused("empty_cart", &[]));
    }
    let mut active: Vec<_> = account.active(attempt.now).cloned().collect();
    let mut settled = Vec::new();
    let mut lines = Vec::with_capacity(priced.len());
    let mut items = Vec::with_capacity(priced.len());
    for (line, mut stocked) in priced {
        let own: Vec<_> = active
            .iter()
            .filter(|r| r.libro_id == line.libro_id)
            .map(|r| r.hold)
            .collect();
        let available = stocked.available_beside(attempt.now, &own);
        if line.cantidad > available {
            return Ok(attempt.insufficient_stock(&stocked.item.titulo, available));
        }
        // The customer's own reservations are what is sold first.
        let mut wanted = line.cantidad;
        for reservation in active.iter_mut().filter(|r| r.libro_id == line.libro_id) {
            let taken = wanted.min(reservation.cantidad);
            if taken == 0 {
                break;
            }
            wanted -= taken;
            if taken == reservation.cantidad {
                reservation.ended = Some(ReservationEnd::Vendida);
            } else {
                reservation.cantidad -= taken;
            }
            settled.push(reservation.clone());
            for hold in stocked
                .holds
                .iter_mut()
                .filter(|hold| hold.reservation == reservation.hold)
            {
                hold.copies -= taken;
            }
        }
        stocked.on_hand -= line.cantidad;
        stocked.sold = stocked.sold.saturating_add(line.cantidad);
        stocked
            .holds
            .retain(|hold| hold.copies > 0 && hold.until > attempt.now);
        lines.push(OrderLine {
            libro_id: line.libro_id,
            titulo: stocked.item.titulo.clone(),
            cantidad: line.cantidad,
            precio: stocked.item.precio,
        });
        items.push(stocked);
    }
    account.cart.clear();
    account.hold(&settled, attempt.now);
    account.orders_made += 1;
    let order = Order::new(account.orders_made, lines, attempt.now).for_language(attempt.language);
    if let Some(most) = attempt
        .counter
        .order_total_max
        .filter(|most| order.total > *most)
    {
        let (total, most) = (
            order.total.display(attempt.locale()),
            most.display(attempt.locale()),
        );
        let arguments = [("total", (&total).into()), ("most", (&most).into())];
        return Ok(attempt.refused("order_too_large", &arguments));
    }
    // Who was told a total orders at that total.
    let told = payload.0.get("total").filter(|told| !told.is_null());
    if told.is_some_and(|told| *told != json!(order.total)) {
        let total = order.total.display(attempt.locale());
        return Ok(attempt.refused("total_changed", &[("total", (&total).into())]));
    }
    let mut mutation = attempt.mutation(account);
    mutation.items = items;
    mutation.reservations = settled;
    mutation.orders.push((order.clone(), None));
    let total = order.total.display(attempt.locale());
    let arguments = [("id", order.order_id.into()), ("total", (&total).into())];
    let message = attempt.message("order-placed", &arguments);
    let question = || {
        let copies: u32 = order.lineas.iter().map(|line| line.cantidad).sum();
        let arguments = [("count", copies.into()), ("total", (&total).into())];
        attempt.message("propose-order", &arguments)
    };
    let mut outcome = orders::with_order(message, &order);
    if attempt.settle.is_none() {
        outcome.details = attempt.listed(&order.lineas, order.lineas.len(), |line| {
            attempt.bought(&line.titulo, line.cantidad, line.precio)
        });
    }
    attempt.commit(mutation, outcome, question).await
}
