//! Demo users with a past, so that there is something to ask about.

use anyhow::Context;
use mostrador_core::{
    catalogue::{Catalogue, StockedItem},
    clock::Clock,
    ids::Owner,
    price::Price,
    purchases::{Account, Mutation, Order, OrderLine, OrderStatus, Purchases},
};
use mostrador_web::SystemClock;
use time::Duration;

/// Who can sign in on the page at once; any other name works too.
pub(crate) const USERS: [&str; 3] = ["ana", "luis", "marta"];

/// A past order: status, days ago, and lines of number, title, copies and price in minor units.
type Past = (OrderStatus, i64, &'static [(u64, &'static str, u32, i64)]);

const PAST: [(&str, &[Past]); 3] = [
    (
        "ana",
        &[
            (
                OrderStatus::Entregado,
                40,
                &[(1, "Cien años de soledad", 1, 2599)],
            ),
            (
                OrderStatus::EnProceso,
                2,
                &[(5, "Rayuela", 1, 1895), (231, "El hobbit", 2, 1490)],
            ),
        ],
    ),
    (
        "luis",
        &[(OrderStatus::Devuelto, 90, &[(59, "La peste", 1, 1150)])],
    ),
    (
        "marta",
        &[(
            OrderStatus::Pendiente,
            1,
            &[(2, "El amor en los tiempos del cólera", 1, 1295)],
        )],
    ),
];

/// Gives the demo users their orders, unless they have an account already, or the shop sells something else than the demo bookshop.
pub(crate) async fn seed(
    purchases: &dyn Purchases,
    catalogue: &dyn Catalogue,
) -> anyhow::Result<()> {
    let clock = SystemClock;
    for (user, past) in PAST {
        if !sells(catalogue, past).await? {
            continue;
        }
        let owner = Owner::new("default", user)?;
        if purchases
            .account(&owner)
            .await
            .context("the purchases table")?
            .version
            > 0
        {
            continue;
        }
        let orders: Vec<Order> = (1..)
            .zip(past)
            .map(|(order_id, (estado, days, lines))| {
                let lines = lines
                    .iter()
                    .map(|&(libro_id, titulo, cantidad, minor)| OrderLine {
                        libro_id,
                        titulo: titulo.to_owned(),
                        cantidad,
                        precio: Price::from_minor(minor),
                    })
                    .collect();
                Order {
                    estado: *estado,
                    ..Order::new(order_id, lines, clock.now() - Duration::days(*days))
                }
            })
            .collect();
        let items = with_sales(catalogue, &orders).await?;
        let account = Account {
            orders_made: orders.len().try_into()?,
            ..Account::default()
        };
        let mutation = Mutation {
            effect_id: clock.new_id(),
            account,
            items,
            reservations: Vec::new(),
            orders: orders.into_iter().map(|order| (order, None)).collect(),
            settlement: None,
            notice: None,
        };
        purchases
            .commit(&owner, &mutation)
            .await
            .with_context(|| format!("the orders of {user}"))?;
    }
    Ok(())
}

/// The items of some orders with what these have sold of them; what is in stock was counted after that.
async fn with_sales(
    catalogue: &dyn Catalogue,
    orders: &[Order],
) -> anyhow::Result<Vec<StockedItem>> {
    let is_sold =
        |order: &&Order| !matches!(order.estado, OrderStatus::Cancelado | OrderStatus::Devuelto);
    let sold: Vec<&OrderLine> = orders
        .iter()
        .filter(is_sold)
        .flat_map(|order| &order.lineas)
        .collect();
    let ids: Vec<u64> = sold.iter().map(|line| line.libro_id).collect();
    let found = catalogue.get(&ids, true).await;
    let mut items = found.context("the catalogue table")?;
    for stocked in &mut items {
        let lines = sold.iter();
        let lines = lines.filter(|line| line.libro_id == stocked.item.libro_id);
        stocked.sold += lines.map(|line| line.cantidad).sum::<u32>();
    }
    Ok(items)
}

/// Whether the catalogue has the very titles that were ordered.
async fn sells(catalogue: &dyn Catalogue, past: &[Past]) -> anyhow::Result<bool> {
    let lines = || past.iter().flat_map(|(_, _, lines)| *lines);
    let ids: Vec<u64> = lines().map(|&(libro_id, ..)| libro_id).collect();
    let found = catalogue.get(&ids, false).await;
    let found = found.context("the catalogue table")?;
    Ok(lines().all(|&(libro_id, titulo, ..)| {
        let mut items = found.iter().map(|stocked| &stocked.item);
        items.any(|item| item.libro_id == libro_id && item.titulo == titulo)
    }))
}
