//! What of a customer's own a change can be for: the lines of the cart, what is put aside, orders that are not on their way
//! or were delivered, what is remembered.

use futures_util::FutureExt;
use serde_json::{Map, Value};

use super::{ActionFailure, Attempt, Counter, Payload, cart, notes, orders, reservations};
use crate::{
    catalogue::StockedItem,
    chain::Chain,
    ids::{ItemId, Owner},
    language::Language,
    price::Price,
    purchases::OrderStatus,
};

/// Newest orders among which one is looked for.
const ORDERS: usize = 20;

/// What something is named by.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct KnownAs {
    /// The items that it is of, or the sentence that it is.
    pub(crate) titles: Vec<String>,
    /// Whose it is: the makers of the items.
    pub(crate) makers: Vec<String>,
    /// What the items are about.
    pub(crate) abouts: Vec<String>,
}

impl KnownAs {
    /// Those of items that were called so, and of what the catalogue has of them.
    fn of<'a>(lines: impl Iterator<Item = (u64, &'a str)>, known: &[StockedItem]) -> Self {
        let mut names = Self::default();
        for (number, title) in lines {
            let item = known.iter().find(|known| known.item.libro_id == number);
            let titles = item.into_iter().flat_map(|known| known.item.titles());
            names
                .titles
                .extend([title].into_iter().chain(titles).map(str::to_owned));
            names
                .makers
                .extend(item.map(|known| known.item.autor.clone()));
            names
                .abouts
                .extend(item.map(|known| known.item.descripcion.clone()));
        }
        names
    }
}

/// One of the things that a change can be for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// What names it to the action.
    pub(crate) payload: Payload,
    /// Its number in the customer's series, where it has one.
    pub(crate) number: Option<u32>,
    pub(crate) names: KnownAs,
    /// How many copies there are of it; of a line of the cart alone.
    pub(crate) copies: u32,
    /// What one costs; of a line of the cart alone.
    pub(crate) price: Option<Price>,
    /// For people.
    pub(crate) line: String,
    /// Whether it is the newest order of all.
    pub(crate) is_newest: bool,
}

/// What `action` can be for now, in the order in which it is listed; nothing of one that is for none in particular.
///
/// # Errors
/// [`ActionFailure`].
pub(crate) async fn choices(
    counter: &Counter,
    owner: &Owner,
    language: Language,
    action: &str,
) -> Result<Vec<Choice>, ActionFailure> {
    let shop = counter.shop.current().await;
    let nothing_done = counter.clock.new_id();
    let attempt = Attempt::new(counter, (owner, language), &shop, nothing_done, None);
    match action {
        "remove_from_cart" => cart_lines(&attempt).await,
        "cancel_reservation" => held(&attempt).await,
        "cancel_order" => orders_for(&attempt, OrderStatus::Cancelado).boxed().await,
        "return_order" => {
            orders_for(&attempt, OrderStatus::EnDevolucion)
                .boxed()
                .await
        }
        "forget" => remembered(&attempt).await,
        _ => Ok(Vec::new()),
    }
}

async fn cart_lines(attempt: &Attempt<'_>) -> Result<Vec<Choice>, ActionFailure> {
    let account = attempt.account().await?;
    let priced = cart::priced(attempt, &account).await?;
    let choices = priced.into_iter().map(|(line, stocked)| Choice {
        payload: of_item(&stocked.item.id()),
        number: None,
        copies: line.cantidad,
        price: Some(stocked.item.precio),
        line: attempt.bought(&stocked.item.titulo, line.cantidad, stocked.item.precio),
        names: KnownAs::of(
            [(line.libro_id, stocked.item.titulo.as_str())].into_iter(),
            std::slice::from_ref(&stocked),
        ),
        is_newest: false,
    });
    Ok(choices.collect())
}

async fn held(attempt: &Attempt<'_>) -> Result<Vec<Choice>, ActionFailure> {
    let account = attempt.account().await?;
    let active = account.active(attempt.now);
    let known = catalogued(attempt, active.map(|held| held.libro_id).collect()).await;
    let choices = account.active(attempt.now).map(|reservation| Choice {
        payload: numbered("reservation_id", reservation.reservation_id),
        number: Some(reservation.reservation_id),
        copies: 0,
        price: None,
        line: reservations::line(attempt, reservation),
        names: KnownAs::of(
            [(reservation.libro_id, reservation.titulo.as_str())].into_iter(),
            &known,
        ),
        is_newest: false,
    });
    Ok(choices.collect())
}

/// The orders that the customer may move there.
async fn orders_for(attempt: &Attempt<'_>, to: OrderStatus) -> Result<Vec<Choice>, ActionFailure> {
    let purchases = &attempt.counter.purchases;
    let newest = purchases.orders(attempt.owner, None, ORDERS).await?;
    let newest_id = newest.first().map(|order| order.order_id);
    let mut open = newest;
    open.retain(|order| order.estado.next_by_customer() == Some(to));
    let lines = open.iter().flat_map(|order| &order.lineas);
    let known = catalogued(attempt, lines.map(|line| line.libro_id).collect()).await;
    let choices = open.iter().map(|order| Choice {
        payload: numbered("order_id", order.order_id),
        number: Some(order.order_id),
        copies: 0,
        price: None,
        line: orders::figures(attempt, "order-line", order),
        names: KnownAs::of(
            order
                .lineas
                .iter()
                .map(|line| (line.libro_id, line.titulo.as_str())),
            &known,
        ),
        is_newest: Some(order.order_id) == newest_id,
    });
    Ok(choices.collect())
}

/// What the catalogue has of some items. Without it, they are named as they were called when they were bought.
async fn catalogued(attempt: &Attempt<'_>, numbers: Vec<u64>) -> Vec<StockedItem> {
    let known = attempt.counter.catalogue.get(&numbers, false).await;
    known.unwrap_or_else(|error| {
        tracing::warn!(error = %Chain(&error), "the catalogue cannot be read");
        Vec::new()
    })
}

/// The sentences that are remembered. Their numbers name nothing: "mi hijo tiene 8 años".
async fn remembered(attempt: &Attempt<'_>) -> Result<Vec<Choice>, ActionFailure> {
    let account = attempt.account().await?;
    let choices = account.notes.into_iter().map(|note| Choice {
        payload: numbered("note_id", note.note_id),
        number: None,
        copies: 0,
        price: None,
        line: notes::line(&note),
        names: KnownAs {
            titles: vec![note.text],
            ..KnownAs::default()
        },
        is_newest: false,
    });
    Ok(choices.collect())
}

/// What names an item to an action.
pub(crate) fn of_item(item: &ItemId) -> Payload {
    let (name, value) = match item.own_number() {
        Some(number) => ("book_id", Value::from(number)),
        None => ("item_id", serde_json::json!(item)),
    };
    Payload(Map::from_iter([(name.to_owned(), value)]))
}

fn numbered(name: &str, number: u32) -> Payload {
    Payload(Map::from_iter([(name.to_owned(), number.into())]))
}
