//! An order: what was bought, at what price, where it stands, and how it came there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{
    language::Language,
    price::{Price, Total},
};

/// A purchase, its prices pinned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// 1, 2, 3 … in its owner's series.
    pub order_id: u32,
    pub estado: OrderStatus,
    pub lineas: Vec<OrderLine>,
    pub total: Total,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// How it came to stand where it does, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<OrderMove>,
    /// The tag of the language in which its customer is told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// So many copies of one item at the price of the moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderLine {
    pub libro_id: u64,
    pub titulo: String,
    pub cantidad: u32,
    pub precio: Price,
}

/// An order's step from where it stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderMove {
    pub to: OrderStatus,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub at: OffsetDateTime,
    /// Who of the staff; absent where it was the customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What the customer is told beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether its copies went back into stock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restocked: bool,
}

impl Order {
    /// A new order; its total is the sum of its lines.
    #[must_use]
    pub fn new(order_id: u32, lineas: Vec<OrderLine>, created_at: OffsetDateTime) -> Self {
        let total = lineas
            .iter()
            .map(|line| line.precio.times(line.cantidad))
            .sum();
        Self {
            order_id,
            estado: OrderStatus::Pendiente,
            lineas,
            total,
            created_at,
            moves: Vec::new(),
            language: None,
        }
    }

    /// The same for a customer of that language.
    #[must_use]
    pub fn for_language(self, language: Language) -> Self {
        Self {
            language: Some(language.tag().to_owned()),
            ..self
        }
    }

    /// The language in which its customer is told of it.
    #[must_use]
    pub fn language(&self) -> Language {
        language_of(self.language.as_deref())
    }

    /// Whether its copies are back in stock.
    #[must_use]
    pub fn is_restocked(&self) -> bool {
        self.moves.iter().any(|step| step.restocked)
    }

    /// Takes a step. Whether it may is for [`OrderStatus::next`] to say.
    pub(crate) fn take(&mut self, step: OrderMove) {
        self.estado = step.to;
        self.moves.push(step);
    }
}

/// The language of a tag; what was made before there was one has the default.
pub(super) fn language_of(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_tag).unwrap_or_default()
}

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OrderStatus {
    Pendiente,
    #[serde(rename = "En Proceso")]
    EnProceso,
    Entregado,
    Cancelado,
    #[serde(rename = "En Devolución")]
    EnDevolucion,
    Devuelto,
}

impl OrderStatus {
    pub const ALL: [Self; 6] = [
        Self::Pendiente,
        Self::EnProceso,
        Self::Entregado,
        Self::Cancelado,
        Self::EnDevolucion,
        Self::Devuelto,
    ];

    /// The message that names it for people.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Pendiente => "order-pending",
            Self::EnProceso => "order-in-process",
            Self::Entregado => "order-delivered",
            Self::Cancelado => "order-called-off",
            Self::EnDevolucion => "order-in-return",
            Self::Devuelto => "order-returned",
        }
    }

    /// Its name as the shop writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pendiente => "Pendiente",
            Self::EnProceso => "En Proceso",
            Self::Entregado => "Entregado",
            Self::Cancelado => "Cancelado",
            Self::EnDevolucion => "En Devolución",
            Self::Devuelto => "Devuelto",
        }
    }

    /// Reads its name.
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Where staff may move an order that stands here; nowhere where it is closed.
    #[must_use]
    pub fn next(self) -> &'static [Self] {
        match self {
            Self::Pendiente => &[Self::EnProceso, Self::Cancelado],
            Self::EnProceso => &[Self::Entregado, Self::Cancelado],
            Self::Entregado => &[Self::EnDevolucion],
            // A return may be turned down.
            Self::EnDevolucion => &[Self::Devuelto, Self::Entregado],
            Self::Cancelado | Self::Devuelto => &[],
        }
    }

    /// What the customer themselves may make of it.
    #[must_use]
    pub fn next_by_customer(self) -> Option<Self> {
        match self {
            Self::Pendiente => Some(Self::Cancelado),
            Self::Entregado => Some(Self::EnDevolucion),
            Self::EnProceso | Self::Cancelado | Self::EnDevolucion | Self::Devuelto => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_to_an_end_and_none_comes_back_from_it() {
        for status in OrderStatus::ALL {
            assert_eq!(OrderStatus::read(status.name()), Some(status));
            let own = status.next_by_customer();
            assert!(
                own.is_none_or(|own| status.next().contains(&own)),
                "{status:?}"
            );
            let mut reached = vec![status];
            let mut at = 0;
            while let Some(from) = reached.get(at) {
                let new: Vec<_> = from
                    .next()
                    .iter()
                    .filter(|to| !reached.contains(to))
                    .collect();
                reached.extend(new);
                at += 1;
            }
            assert!(
                reached.iter().any(|status| status.next().is_empty()),
                "{status:?}"
            );
        }
    }

    #[test]
    fn orders_of_before_are_read_and_written_as_they_were() {
        let written = serde_json::json!({
            "order_id": 3, "estado": "En Proceso", "lineas": [], "total": "0.00", "created_at": "2026-01-02T03:04:05Z",
        });
        let order: Order = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(order.language(), Language::default());
        assert_eq!(serde_json::to_value(&order).unwrap(), written);
    }
}
