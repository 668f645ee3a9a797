//! The cart: what a customer means to buy. It takes no stock; checkout does.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{ActionFailure, Attempt, Outcome, Payload, Warning};
use crate::{
    catalogue::StockedItem,
    price::Total,
    purchases::{Account, CART_LINES, CartLine},
    text::name,
};

pub(super) async fn add(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let lines = payload.lines();
    if lines.is_empty() {
        return Ok(attempt.refused("book_not_found", &[]));
    }
    if lines.len() > CART_LINES {
        return Ok(attempt.refused("cart_full", &[("most", CART_LINES.into())]));
    }
    let mut account = attempt.account().await?;
    let ids: BTreeSet<u64> = lines.iter().filter_map(Payload::item).collect();
    let ids: Vec<u64> = ids.into_iter().collect();
    let items = attempt.counter.catalogue.get(&ids, true).await?;
    let (mut added, mut warnings) = (Vec::new(), Vec::new());
    for line in &lines {
        let mut items = items.iter();
        let of_line = items.find(|stocked| Some(stocked.item.libro_id) == line.item());
        let Some(stocked) = of_line.cloned() else {
            return Ok(attempt.refused("book_not_found", &[]));
        };
        let (quantity, warning) = line.quantity().unwrap_or((1, None));
        let wanted = copies_of(&account, &stocked) + quantity;
        if let Some(refused) = put(attempt, &mut account, &stocked, wanted) {
            return Ok(refused);
        }
        warnings.extend(warning);
        added.push((stocked, quantity, wanted));
    }
    let message = match &added[..] {
        [(stocked, _, wanted)] => in_cart(attempt, "cart-added", stocked, *wanted),
        _ => attempt.message("cart-added-several", &[]),
    };
    let question = || match &added[..] {
        [(stocked, quantity, wanted)] => {
            let there = wanted.saturating_sub(*quantity);
            let key = match there {
                0 => "propose-cart",
                _ => "propose-cart-more",
            };
            attempt.of_copies(key, &stocked.item, *quantity, there)
        }
        _ => attempt.message("propose-cart-several", &[]),
    };
    let mut outcome = keep(attempt, account, (message, warnings), question).await?;
    // The question says of each what it costs.
    if attempt.settle.is_none() && added.len() > 1 {
        outcome.details = attempt.listed(&added, added.len(), |(stocked, quantity, _)| {
            attempt.bought(&stocked.item.titulo, *quantity, stocked.item.precio)
        });
    }
    Ok(outcome)
}

/// Has the cart hold so many copies, whatever it held; none of them where none are wanted.
pub(super) async fn set(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    if payload.is_none_wanted() {
        let mut payload = payload.clone();
        payload.0.remove("cantidad");
        return remove(attempt, &payload).await;
    }
    let Some(stocked) = attempt.item(payload.item()).await? else {
        return Ok(attempt.refused("book_not_found", &[]));
    };
    let without_number = (1, Some(Warning::QuantityNotANumber));
    let (wanted, warning) = payload.quantity().unwrap_or(without_number);
    let mut account = attempt.account().await?;
    if let Some(refused) = put(attempt, &mut account, &stocked, wanted) {
        return Ok(refused);
    }
    let question = || attempt.of_copies("propose-quantity", &stocked.item, wanted, 0);
    let message = in_cart(attempt, "cart-set", &stocked, wanted);
    let warnings = warning.into_iter().collect();
    keep(attempt, account, (message, warnings), question).await
}

/// How many copies of an item the cart has.
fn copies_of(account: &Account, stocked: &StockedItem) -> u32 {
    let mut lines = account.cart.iter();
    let line = lines.find(|line| line.libro_id == stocked.item.libro_id);
    line.map_or(0, |line| line.cantidad)
}

/// A message about an item of which the cart has so many copies.
fn in_cart(attempt: &Attempt<'_>, key: &str, stocked: &StockedItem, copies: u32) -> String {
    let arguments = [
        ("title", (&stocked.item.titulo).into()),
        ("count", copies.into()),
    ];
    attempt.message(key, &arguments)
}

/// Has the cart hold so many copies of an item; or why it cannot.
fn put(
    attempt: &Attempt<'_>,
    account: &mut Account,
    stocked: &StockedItem,
    wanted: u32,
) -> Option<Outcome> {
    let libro_id = stocked.item.libro_id;
    let own = super::reservations::own_holds(account, libro_id, attempt.now);
    let available = stocked.available_beside(attempt.now, &own);
    if wanted > available {
        return Some(attempt.insufficient_stock(&stocked.item.titulo, available));
    }
    let lines = account.cart.len();
    let mut in_cart = account.cart.iter_mut();
    match in_cart.find(|line| line.libro_id == libro_id) {
        Some(line) => line.cantidad = wanted,
        None if lines >= CART_LINES => {
            return Some(attempt.refused("cart_full", &[("most", CART_LINES.into())]));
        }
        None => account.cart.push(CartLine {
            libro_id,
            cantidad: wanted,
        }),
    }
    None
}

/// Keeps a cart that has been changed, or asks whether it is to be.
async fn keep(
    attempt: &Attempt<'_>,
    account: Account,
    (message, warnings): (String, Vec<Warning>),
    question: impl FnOnce() -> String + Send,
) -> Result<Outcome, ActionFailure> {
    let mut outcome = with_cart(attempt, &account, message).await?;
    outcome.warnings.extend(warnings);
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, question).await
}

pub(super) async fn view(attempt: &Attempt<'_>) -> Result<Outcome, ActionFailure> {
    let account = attempt.account().await?;
    let priced = priced(attempt, &account).await?;
    let (mut outcome, total) = summed_up(&account, &priced);
    outcome.details = attempt.listed(&priced, priced.len(), |(line, StockedItem { item, .. })| {
        attempt.bought(&item.titulo, line.cantidad, item.precio)
    });
    outcome.message = match outcome.results.len() {
        0 => attempt.message("cart-empty", &[]),
        count => {
            let total = total.display(attempt.locale());
            attempt.message(
                "cart",
                &[("count", count.into()), ("total", (&total).into())],
            )
        }
    };
    Ok(outcome)
}

pub(super) async fn remove(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let mut account = attempt.account().await?;
    let wanted = payload.item();
    let Some(index) = account
        .cart
        .iter()
        .position(|line| Some(line.libro_id) == wanted)
    else {
        return Ok(Outcome::refused(
            "book_not_found",
            attempt.message("not-in-cart", &[]),
        ));
    };
    let quantity = payload.quantity();
    let line = &mut account.cart[index];
    let libro_id = line.libro_id;
    let before = line.cantidad;
    line.cantidad = quantity.map_or(0, |(quantity, _)| line.cantidad.saturating_sub(quantity));
    let left = line.cantidad;
    let removed = before - left;
    if line.cantidad == 0 {
        account.cart.remove(index);
    }
    let message = attempt.message("cart-removed", &[("left", left.into())]);
    let mut outcome = with_cart(attempt, &account, message).await?;
    outcome
        .warnings
        .extend(quantity.and_then(|(_, warning)| warning));
    // Its name is for the question alone.
    let stocked = match attempt.settle {
        None => attempt.item(Some(libro_id)).await?,
        Some(_) => None,
    };
    let question = || {
        let titulo = stocked.as_ref().map(|stocked| name(&stocked.item.titulo));
        let titulo = titulo.unwrap_or_default();
        let arguments = [
            ("title", (&titulo).into()),
            ("count", removed.into()),
            ("left", left.into()),
        ];
        attempt.message("propose-removal", &arguments)
    };
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, question).await
}

pub(super) async fn clear(attempt: &Attempt<'_>) -> Result<Outcome, ActionFailure> {
    let mut account = attempt.account().await?;
    let was_empty = account.cart.is_empty();
    account.cart.clear();
    let message = attempt.message("cart-empty", &[]);
    let outcome = with_cart(attempt, &account, message).await?;
    if was_empty {
        return Ok(outcome);
    }
    let question = || attempt.message("propose-clearing", &[]);
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, question).await
}

/// An outcome about the cart, with its lines and their total.
async fn with_cart(
    attempt: &Attempt<'_>,
    account: &Account,
    message: String,
) -> Result<Outcome, ActionFailure> {
    let (outcome, _) = summed_up(account, &priced(attempt, account).await?);
    Ok(Outcome { message, ..outcome })
}

/// The cart's lines with live prices, and their total.
fn summed_up(account: &Account, priced: &[(CartLine, StockedItem)]) -> (Outcome, Total) {
    let total: Total = priced
        .iter()
        .map(|(line, stocked)| stocked.item.precio.times(line.cantidad))
        .sum();
    let lines: Vec<Value> = priced
        .iter()
        .map(|(line, StockedItem { item, .. })| {
            let mut member = json!({
                "id": item.id(), "titulo": item.titulo, "cantidad": line.cantidad,
                "precio": item.precio, "subtotal": item.precio.times(line.cantidad),
            });
            if item.details.id.is_none() {
                member["libro_id"] = line.libro_id.into();
                member["autor"] = item.autor.as_str().into();
            }
            member
        })
        .collect();
    let missing = lines.len() < account.cart.len();
    let mut outcome = Outcome::done(String::new(), lines, json!({"total": total}));
    outcome
        .warnings
        .extend(missing.then_some(Warning::ItemNoLongerSold));
    (outcome, total)
}

/// The cart's lines whose item is still sold, with the item.
pub(super) async fn priced(
    attempt: &Attempt<'_>,
    account: &Account,
) -> Result<Vec<(CartLine, StockedItem)>, ActionFailure> {
    let ids: Vec<u64> = account.cart.iter().map(|line| line.libro_id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut items = attempt.counter.catalogue.get(&ids, true).await?;
    let mut priced = Vec::with_capacity(ids.len());
    for line in &account.cart {
        if let Some(index) = items
            .iter()
            .position(|stocked| stocked.item.libro_id == line.libro_id)
        {
            priced.push((line.clone(), items.swap_remove(index)));
        }
    }
    Ok(priced)
}
