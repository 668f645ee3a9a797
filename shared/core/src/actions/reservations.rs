//! Copies put aside for a day.

use futures_util::future;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{ActionFailure, Attempt, Outcome, Payload, seconds};
use crate::{
    catalogue::Hold,
    purchases::{
        Account, HOLDS_PER_ITEM, RESERVATION_HOURS, RESERVED_COPIES, RESERVED_COPIES_PER_TITLE,
        Reservation, ReservationEnd, ReservationStatus,
    },
    text::name,
};

pub(super) async fn reserve(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let Some(mut stocked) = attempt.item(payload.item()).await? else {
        return Ok(attempt.refused("book_not_found", &[]));
    };
    let (quantity, warning) = payload.quantity().unwrap_or((1, None));
    let mut account = attempt.account().await?;
    let of_title: u32 = account
        .active(attempt.now)
        .filter(|r| r.libro_id == stocked.item.libro_id)
        .map(|r| r.cantidad)
        .sum();
    let in_all: u32 = account.active(attempt.now).map(|r| r.cantidad).sum();
    if of_title + quantity > RESERVED_COPIES_PER_TITLE || in_all + quantity > RESERVED_COPIES {
        let arguments = [
            ("of-title", RESERVED_COPIES_PER_TITLE.into()),
            ("in-all", RESERVED_COPIES.into()),
        ];
        return Ok(attempt.refused("reservation_limit", &arguments));
    }
    let available = stocked.available(attempt.now);
    if quantity > available {
        return Ok(attempt.insufficient_stock(&stocked.item.titulo, available));
    }
    stocked.holds.retain(|hold| hold.until > attempt.now);
    if stocked.holds.len() >= HOLDS_PER_ITEM {
        return Ok(Outcome::refused(
            "reservation_limit",
            attempt.message("reservation-crowded", &[]),
        ));
    }
    account.reservations_made += 1;
    // A hold ends with a whole second, and the reservation is to end with its hold.
    let end = attempt.now + Duration::hours(RESERVATION_HOURS);
    let end = end.replace_nanosecond(0).unwrap_or(end);
    let reservation = Reservation {
        reservation_id: account.reservations_made,
        hold: attempt.counter.clock.new_id(),
        libro_id: stocked.item.libro_id,
        titulo: stocked.item.titulo.clone(),
        cantidad: quantity,
        ended: None,
        ended_by: None,
        created_at: attempt.now,
        expires_at: end,
        language: Some(attempt.language.tag().to_owned()),
    };
    stocked.holds.push(Hold {
        reservation: reservation.hold,
        copies: quantity,
        until: reservation.expires_at,
    });
    account.hold(std::slice::from_ref(&reservation), attempt.now);
    let mut mutation = attempt.mutation(account);
    let key = match of_title {
        0 => "propose-reservation",
        _ => "propose-reservation-more",
    };
    let question = attempt.of_copies(key, &stocked.item, quantity, of_title);
    mutation.items.push(stocked);
    mutation.reservations.push(reservation.clone());
    let arguments = [
        ("title", (&reservation.titulo).into()),
        ("count", quantity.into()),
        ("hours", RESERVATION_HOURS.unsigned_abs().into()),
    ];
    let mut outcome = Outcome::done(
        attempt.message("reserved", &arguments),
        vec![described(&reservation, attempt.now)],
        json!({"reservation_id": reservation.reservation_id}),
    );
    outcome.warnings.extend(warning);
    attempt.commit(mutation, outcome, || question).await
}

pub(super) async fn list(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let (purchases, part) = (&attempt.counter.purchases, payload.part());
    // One more than the page has: then there are more.
    let found = purchases.reservations(attempt.owner, part.before, part.limit + 1);
    let (account, reservations) = future::join(attempt.account(), found).await;
    let (account, mut reservations) = (account?, reservations?);
    let active: Vec<&Reservation> = account.active(attempt.now).collect();
    let has_more = reservations.len() > part.limit;
    reservations.truncate(part.limit);
    let next = reservations.last().filter(|_| has_more);
    let next = next.map(|oldest| oldest.reservation_id);
    let listed = reservations
        .iter()
        .map(|r| described(r, attempt.now))
        .collect();
    let mut outcome = Outcome::done(
        attempt.message("reservations", &[("count", active.len().into())]),
        listed,
        json!({"active": active.len(), "next": next}),
    );
    outcome.details = attempt.listed(&active, active.len(), |reservation| {
        line(attempt, reservation)
    });
    Ok(outcome)
}

pub(super) async fn cancel(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let mut account = attempt.account().await?;
    let found = match payload.small_id("reservation_id") {
        Some(id) => {
            attempt
                .counter
                .purchases
                .reservation(attempt.owner, id)
                .await?
        }
        None => None,
    };
    let Some(mut reservation) = found else {
        return Ok(attempt.refused("reservation_not_found", &[]));
    };
    if reservation.status(attempt.now) != ReservationStatus::Activa {
        return Ok(attempt.refused("reservation_closed", &[]));
    }
    reservation.ended = Some(ReservationEnd::Cancelada);
    account.hold(std::slice::from_ref(&reservation), attempt.now);
    let mut mutation = attempt.mutation(account);
    if let Some(mut stocked) = attempt.item(Some(reservation.libro_id)).await? {
        stocked
            .holds
            .retain(|hold| hold.reservation != reservation.hold && hold.until > attempt.now);
        mutation.items.push(stocked);
    }
    mutation.reservations.push(reservation.clone());
    let arguments = [("title", (&reservation.titulo).into())];
    let message = attempt.message("reservation-cancelled", &arguments);
    let outcome = Outcome::done(
        message,
        vec![described(&reservation, attempt.now)],
        json!({"reservation_id": reservation.reservation_id}),
    );
    let question = || {
        let titulo = name(&reservation.titulo);
        attempt.message(
            "propose-reservation-cancellation",
            &[("title", (&titulo).into())],
        )
    };
    attempt.commit(mutation, outcome, question).await
}

/// What is put aside, and for how many whole hours still.
pub(super) fn line(attempt: &Attempt<'_>, reservation: &Reservation) -> String {
    let titulo = name(&reservation.titulo);
    let left = reservation.expires_at - attempt.now;
    let hours = left.whole_hours().max(0).unsigned_abs();
    let arguments = [
        ("title", (&titulo).into()),
        ("count", reservation.cantidad.into()),
        ("hours", hours.into()),
    ];
    attempt.message("reservation-line", &arguments)
}

/// The holds of the customer's active reservations of one item.
pub(super) fn own_holds(account: &Account, libro_id: u64, now: OffsetDateTime) -> Vec<Uuid> {
    let of_item = account.active(now).filter(|r| r.libro_id == libro_id);
    of_item.map(|reservation| reservation.hold).collect()
}

fn described(reservation: &Reservation, now: OffsetDateTime) -> Value {
    json!({
        "reservation_id": reservation.reservation_id,
        "libro_id": reservation.libro_id,
        "titulo": reservation.titulo,
        "cantidad": reservation.cantidad,
        "estado": reservation.status(now),
        "expires_at": seconds(reservation.expires_at),
    })
}
