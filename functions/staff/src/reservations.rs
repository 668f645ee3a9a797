//! What is put aside, and its end: handed over, or called off.

use mostrador_core::{
    actions::fulfilment::{Fulfilment, StepOf},
    ids::Owner,
    purchases::{Queued, Reservation, ReservationEnd},
};
use mostrador_web::{Call, Problem, Reply};
use serde::{Deserialize, de::IntoDeserializer};
use time::OffsetDateTime;

use crate::{
    body,
    describe::{ReservationPage, StaffReservation},
    failures::unread,
    page::Wanted,
    place, step,
};

pub(crate) async fn list(
    fulfilment: &Fulfilment,
    staff: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let wanted = Wanted::read(staff, &call.query)?;
    let queues = &fulfilment.queues;
    let found = queues.queued_reservations(
        staff.tenant(),
        call.now,
        wanted.after.as_ref(),
        wanted.limit + 1,
    );
    let (found, next) = wanted.cut(found.await.map_err(unread)?);
    let reservations = found
        .into_iter()
        .map(|Queued { place, found }| StaffReservation::new(&place.user, found, call.now))
        .collect();
    Ok(Reply::ok(&ReservationPage { reservations, next }))
}

pub(crate) async fn end(
    fulfilment: &Fulfilment,
    staff: &Owner,
    id: &str,
    call: &Call,
) -> Result<Reply, Problem> {
    step::take(fulfilment, staff, id, call, |reservation_id, body| {
        let to = ReservationEnd::deserialize(body::to(body)?.into_deserializer());
        let to = to.map_err(|_: serde::de::value::Error| {
            Problem::invalid("`to` is neither `vendida` nor `cancelada`")
        })?;
        Ok(StepOf::Reservation { reservation_id, to })
    })
    .await
}

impl StaffReservation {
    pub(crate) fn new(user: &str, reservation: Reservation, now: OffsetDateTime) -> Self {
        Self {
            id: place::id(user, reservation.reservation_id),
            user: user.to_owned(),
            reservation_id: reservation.reservation_id,
            libro_id: reservation.libro_id,
            cantidad: reservation.cantidad,
            estado: reservation.status(now),
            ended_by: reservation.ended_by,
            created_at: reservation.created_at,
            expires_at: reservation.expires_at,
            titulo: reservation.titulo,
        }
    }
}
