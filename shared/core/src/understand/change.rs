//! What a customer can have changed by saying so.

use serde::{Deserialize, Serialize};

use super::{Route, intent::Intent};
use crate::index::Sort;

/// A change that is asked about before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Change {
    AddToCart,
    SetQuantity,
    RemoveFromCart,
    ClearCart,
    Checkout,
    Reserve,
    CancelReservation,
    CancelOrder,
    ReturnOrder,
    Remember,
    Forget,
}

impl Change {
    const ALL: [Self; 11] = [
        Self::AddToCart,
        Self::SetQuantity,
        Self::RemoveFromCart,
        Self::ClearCart,
        Self::Checkout,
        Self::Reserve,
        Self::CancelReservation,
        Self::CancelOrder,
        Self::ReturnOrder,
        Self::Remember,
        Self::Forget,
    ];

    /// What a message of this intent wants changed.
    pub(crate) fn of(intent: Intent) -> Option<Self> {
        Some(match intent {
            Intent::CartAdd => Self::AddToCart,
            Intent::CartRemove => Self::RemoveFromCart,
            Intent::CartClear => Self::ClearCart,
            Intent::Checkout => Self::Checkout,
            Intent::Reserve => Self::Reserve,
            Intent::ReservationCancel => Self::CancelReservation,
            Intent::OrderCancel => Self::CancelOrder,
            Intent::Remember => Self::Remember,
            Intent::Forget => Self::Forget,
            _ => return None,
        })
    }

    /// The change that an action does, if it is one.
    pub(crate) fn by(action: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|change| change.action() == action)
    }

    /// Whether a message that is routed so may say what it is of.
    pub(super) fn may_be_said_by(self, route: &Route) -> bool {
        match route {
            Route::Search | Route::LookupId(_) | Route::LookupIsbn(_) => true,
            Route::LookupIds(_) => self.is_of_item(),
            // "Recuerda que nunca gasto más de 20 euros."
            Route::Filter { .. } if self.is_of_notes() => true,
            // "Añade el más barato".
            Route::Filter { sort, .. } if self.is_of_item() => !sort.is_relevance(),
            // "Quita el más caro", of the cart.
            Route::Filter { sort, filters, .. } => {
                let is_by_price = matches!(sort, Sort::PriceAsc | Sort::PriceDesc);
                self == Self::RemoveFromCart && is_by_price && filters.is_empty()
            }
            Route::SimilarToId(_) | Route::SimilarToTitle(_) | Route::More { .. } => false,
        }
    }

    /// Whether something is taken back or out by it.
    pub(crate) fn takes_away(self) -> bool {
        matches!(
            self,
            Self::RemoveFromCart
                | Self::ClearCart
                | Self::CancelReservation
                | Self::CancelOrder
                | Self::ReturnOrder
                | Self::Forget
        )
    }

    /// The action that does it.
    pub(crate) fn action(self) -> &'static str {
        match self {
            Self::AddToCart => "add_to_cart",
            Self::SetQuantity => "set_quantity",
            Self::RemoveFromCart => "remove_from_cart",
            Self::ClearCart => "clear_cart",
            Self::Checkout => "checkout",
            Self::Reserve => "reserve_book",
            Self::CancelReservation => "cancel_reservation",
            Self::CancelOrder => "cancel_order",
            Self::ReturnOrder => "return_order",
            Self::Remember => "remember",
            Self::Forget => "forget",
        }
    }

    /// What the action calls the number of what it is of, where that has one.
    pub(crate) fn numbered(self) -> Option<&'static str> {
        match self {
            Self::CancelReservation => Some("reservation_id"),
            Self::CancelOrder | Self::ReturnOrder => Some("order_id"),
            Self::AddToCart
            | Self::SetQuantity
            | Self::RemoveFromCart
            | Self::ClearCart
            | Self::Checkout
            | Self::Reserve
            | Self::Remember
            | Self::Forget => None,
        }
    }

    /// Whether it is of an item of the catalogue, and not of what is the customer's own.
    pub(crate) fn is_of_item(self) -> bool {
        matches!(self, Self::AddToCart | Self::Reserve)
    }

    /// Whether it is of what is remembered of the customer.
    pub(crate) fn is_of_notes(self) -> bool {
        matches!(self, Self::Remember | Self::Forget)
    }

    /// Whether it is of some copies.
    pub(crate) fn has_copies(self) -> bool {
        self.is_of_item() || matches!(self, Self::SetQuantity | Self::RemoveFromCart)
    }

    /// The tool that reads what of the customer's own it can be of.
    pub(crate) fn reads(self) -> &'static str {
        match self {
            Self::AddToCart
            | Self::SetQuantity
            | Self::RemoveFromCart
            | Self::ClearCart
            | Self::Checkout => "view_cart",
            Self::Reserve | Self::CancelReservation => "list_reservations",
            Self::CancelOrder | Self::ReturnOrder => "list_orders",
            Self::Remember | Self::Forget => "view_profile",
        }
    }
}
