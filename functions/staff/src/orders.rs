//! Orders by where they stand, and their steps.

use mostrador_core::{
    actions::fulfilment::{Fulfilment, StepOf},
    ids::Owner,
    purchases::{Order, OrderStatus, Queued},
};
use mostrador_web::{Call, Problem, Reply};

use crate::{
    body,
    describe::{OrderPage, StaffOrder},
    failures::{names, unread},
    page::Wanted,
    place, step,
};

pub(crate) async fn list(
    fulfilment: &Fulfilment,
    staff: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let estado = match call.query.given("state") {
        // What waits to be seen to.
        None => OrderStatus::Pendiente,
        Some(name) => status("state", name)?,
    };
    let wanted = Wanted::read(staff, &call.query)?;
    let queues = &fulfilment.queues;
    let found = queues.queued_orders(
        staff.tenant(),
        estado,
        wanted.after.as_ref(),
        wanted.limit + 1,
    );
    let (found, next) = wanted.cut(found.await.map_err(unread)?);
    let orders = found
        .into_iter()
        .map(|Queued { place, found }| StaffOrder::new(&place.user, found))
        .collect();
    Ok(Reply::ok(&OrderPage { orders, next }))
}

pub(crate) async fn take_step(
    fulfilment: &Fulfilment,
    staff: &Owner,
    id: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    step::take(fulfilment, staff, id, call, |order_id, body| {
        Ok(StepOf::Order {
            order_id,
            to: status("to", body::to(body)?)?,
            restock: body::flag(body, "restock")?.unwrap_or(true),
        })
    })
    .await
}

fn status(of: &str, name: &str) -> Result<OrderStatus, Problem> {
    OrderStatus::read(name)
        .ok_or_else(|| Problem::invalid(format!("`{of}` is none of {}", names(&OrderStatus::ALL))))
}

impl StaffOrder {
    pub(crate) fn new(user: &str, order: Order) -> Self {
        Self {
            id: place::id(user, order.order_id),
            user: user.to_owned(),
            order_id: order.order_id,
            estado: order.estado,
            next: order.estado.next().to_vec(),
            lineas: order.lineas,
            total: order.total,
            created_at: order.created_at,
            moves: order.moves,
        }
    }
}
