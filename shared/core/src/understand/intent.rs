//! What a message is for: one of the shop's intents.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Change;
use crate::{language::List, linear::Weights, text::words};

/// What somebody at a counter wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    Find,
    More,
    Pick,
    Compare,
    CartView,
    CartAdd,
    CartRemove,
    CartClear,
    Checkout,
    Reserve,
    ReservationsView,
    ReservationCancel,
    OrdersView,
    OrderCancel,
    ShopInfo,
    Person,
    BookAppointment,
    AppointmentsView,
    AppointmentChange,
    AppointmentCancel,
    Remember,
    Forget,
    Greeting,
    Thanks,
    Goodbye,
    Yes,
    No,
    Help,
    Complaint,
    Distress,
    OffTopic,
    /// None of these for sure.
    Unclear,
}

impl Intent {
    /// Every one that is learned, in the order of the weights.
    pub const LEARNED: [Self; 31] = [
        Self::Find,
        Self::More,
        Self::Pick,
        Self::Compare,
        Self::CartView,
        Self::CartAdd,
        Self::CartRemove,
        Self::CartClear,
        Self::Checkout,
        Self::Reserve,
        Self::ReservationsView,
        Self::ReservationCancel,
        Self::OrdersView,
        Self::OrderCancel,
        Self::ShopInfo,
        Self::Person,
        Self::BookAppointment,
        Self::AppointmentsView,
        Self::AppointmentChange,
        Self::AppointmentCancel,
        Self::Remember,
        Self::Forget,
        Self::Greeting,
        Self::Thanks,
        Self::Goodbye,
        Self::Yes,
        Self::No,
        Self::Help,
        Self::Complaint,
        Self::Distress,
        Self::OffTopic,
    ];

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Find => "find",
            Self::More => "more",
            Self::Pick => "pick",
            Self::Compare => "compare",
            Self::CartView => "cart_view",
            Self::CartAdd => "cart_add",
            Self::CartRemove => "cart_remove",
            Self::CartClear => "cart_clear",
            Self::Checkout => "checkout",
            Self::Reserve => "reserve",
            Self::ReservationsView => "reservations_view",
            Self::ReservationCancel => "reservation_cancel",
            Self::OrdersView => "orders_view",
            Self::OrderCancel => "order_cancel",
            Self::ShopInfo => "shop_info",
            Self::Person => "person",
            Self::BookAppointment => "book_appointment",
            Self::AppointmentsView => "appointments_view",
            Self::AppointmentChange => "appointment_change",
            Self::AppointmentCancel => "appointment_cancel",
            Self::Remember => "remember",
            Self::Forget => "forget",
            Self::Greeting => "greeting",
            Self::Thanks => "thanks",
            Self::Goodbye => "goodbye",
            Self::Yes => "yes",
            Self::No => "no",
            Self::Help => "help",
            Self::Complaint => "complaint",
            Self::Distress => "distress",
            Self::OffTopic => "off_topic",
            Self::Unclear => "unclear",
        }
    }
}

/// Features of a message are counted in so many buckets.
pub const BUCKETS: usize = 1 << 16;

/// The weights by which a message's intent is told.
pub type IntentWeights = Weights<{ Intent::LEARNED.len() }>;

/// What a message is for, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meant {
    pub intent: Intent,
    pub confidence: f32,
}

/// Of appointments, which nobody can have: what sounds like them is of something else.
const NOT_OFFERED: [Intent; 3] = [
    Intent::AppointmentsView,
    Intent::AppointmentChange,
    Intent::AppointmentCancel,
];

/// What `message` is for by its own words, of what is offered.
#[must_use]
pub fn meant(message: &str) -> Meant {
    meant_among(&OWN, message, |intent| !NOT_OFFERED.contains(&intent))
}

/// The same of all that is learned, appointments among it.
pub(crate) fn meant_of_all(message: &str) -> Meant {
    meant_among(&OWN, message, |_| true)
}

/// The product's weights.
static OWN: LazyLock<IntentWeights> = LazyLock::new(|| Weights::own(BYTES));

/// How likely it is that something is to be changed, whichever it is: "cancel it" may be of an order and of what is put aside.
pub(crate) fn likely_change(message: &str) -> f32 {
    let all = Intent::LEARNED.into_iter().zip(OWN.likelihoods(message));
    let offered = all.filter(|(intent, _)| !NOT_OFFERED.contains(intent));
    let (changes, others): (Vec<_>, Vec<_>) = offered.partition(|(intent, _)| is_change(*intent));
    let [changes, others] =
        [changes, others].map(|some| some.iter().map(|(_, likely)| likely).sum::<f32>());
    changes / (changes + others).max(f32::MIN_POSITIVE)
}

/// The same of all that is learned, by weights that may be others.
#[must_use]
pub fn meant_by(weights: &IntentWeights, message: &str) -> Meant {
    meant_among(weights, message, |_| true)
}

fn meant_among(
    weights: &IntentWeights,
    message: &str,
    is_offered: impl Fn(Intent) -> bool,
) -> Meant {
    // What has no word is a yes where it is a thumb, and else says nothing.
    if !message.chars().any(char::is_alphanumeric) {
        let intent = match message.contains('👍') {
            true => Intent::Yes,
            false => Intent::Unclear,
        };
        return Meant {
            intent,
            confidence: 1.0,
        };
    }
    if asks_for_copies(message) {
        return Meant {
            intent: Intent::CartAdd,
            confidence: SURE_OF_COPIES,
        };
    }
    let likelihoods = weights.likelihoods(message);
    let all = Intent::LEARNED.into_iter().zip(likelihoods);
    let all = all.filter(|(intent, _)| is_offered(*intent));
    // Who says what is to be done, and no yes, agrees to nothing: "cancela eso".
    let may_change = all
        .clone()
        .any(|(intent, likely)| is_change(intent) && likely >= MAY_CHANGE);
    let is_no_yes = may_change && !List::Agreement.in_all().says(&words(message), "yes");
    let all = all.filter(|(intent, _)| !is_no_yes || *intent != Intent::Yes);
    let offered: f32 = all.clone().map(|(_, likelihood)| likelihood).sum();
    let all = all.map(|(intent, likelihood)| (intent, likelihood / offered.max(f32::MIN_POSITIVE)));
    // Nobody is called for what only may be a reason to.
    let most = all
        .clone()
        .filter(|(intent, likely)| !CALLING.contains(intent) || *likely >= SURE_OF_CALLING)
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    let (intent, likelihood) = most.unwrap_or((Intent::Unclear, 0.0));
    // Distress that is likely enough is not overlooked for what is likelier.
    let distress = all.clone().find(|(intent, _)| *intent == Intent::Distress);
    if let Some((intent, confidence)) = distress.filter(|(_, likely)| *likely >= MAY_BE_DISTRESS) {
        return Meant { intent, confidence };
    }
    // Who asks back agrees to nothing: "why?", "why not?"
    let asks_back = || {
        let agreement = List::Agreement.in_all();
        let said = words(message);
        let is_whole = agreement
            .at(&said)
            .is_some_and(|found| found.words == said.len());
        let has_none = !said.iter().any(|word| agreement.has(word));
        message.contains('?')
            && (is_whole || (matches!(intent, Intent::Yes | Intent::No) && has_none))
    };
    if asks_back() {
        return Meant {
            intent: Intent::Unclear,
            confidence: 1.0,
        };
    }
    // "Thanks, bye!" is one as well as the other.
    let courtesies = all.filter(|(intent, _)| COURTESIES.contains(intent));
    let confidence = if COURTESIES.contains(&intent) {
        courtesies.map(|(_, likelihood)| likelihood).sum()
    } else {
        likelihood
    };
    Meant { intent, confidence }
}

/// Likelier than this, a message may be of somebody in distress. Of the judged utterances, 26 of 27 of them are, and 2 of 1,653 others; of
/// 4,653 turns of dialogues, the two that are of somebody in distress.
pub(super) const MAY_BE_DISTRESS: f32 = 0.3;

/// What a person of the shop is called for, likelier than this: "ok get me all three" is none of it, by 0.22.
const SURE_OF_CALLING: f32 = 0.4;
const CALLING: [Intent; 2] = [Intent::Person, Intent::Complaint];

/// What may be done, likelier than this, is no yes by itself.
const MAY_CHANGE: f32 = 0.05;

/// Whether something of the shop's or the customer's is to be changed, and nothing remembered.
fn is_change(intent: Intent) -> bool {
    Change::of(intent).is_some_and(|change| !change.is_of_notes())
}

/// Whether a phrase of agreement turns something down: "no", "olvídalo", and "ya no quiero", which may be why something is to go.
pub(crate) fn turns_down(key: &str) -> bool {
    ["cancel", "drop", "no", "unwanted"].contains(&key)
}

/// How sure it is that somebody who asks for copies wants to buy them.
const SURE_OF_COPIES: f32 = 0.9;

/// Whether a message asks for so many copies and says nothing else: "one copy, please".
fn asks_for_copies(message: &str) -> bool {
    let [numerals, units, agreement, light] =
        [List::Numerals, List::Units, List::Agreement, List::Light].map(List::in_all);
    let said = words(message);
    let is_number = |word: &String| numerals.has(word) || word.parse::<u32>().is_ok();
    let is_copies = |word: &String| units.stands(word, "copies");
    let counts = said
        .windows(2)
        .any(|pair| is_number(&pair[0]) && is_copies(&pair[1]));
    let mut at = 0;
    while counts && at < said.len() {
        let agreed = agreement.at(&said[at..]);
        if agreed.is_some_and(|found| turns_down(found.key)) {
            return false;
        }
        let is_small = |word: &String| is_number(word) || is_copies(word) || light.has(word);
        if agreed.is_none() && !is_small(&said[at]) {
            return false;
        }
        at += agreed.map_or(1, |found| found.words.max(1));
    }
    counts && !message.contains('?')
}

/// The product's weights.
static BYTES: &[u8] = include_bytes!("intents.bin");

/// What is said back alike.
const COURTESIES: [Intent; 3] = [Intent::Greeting, Intent::Thanks, Intent::Goodbye];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_weights_are_of_this_form() {
        let weights = IntentWeights::read(BYTES).expect("weights of this form");
        assert_eq!(weights.write(), BYTES);
        assert_eq!(weights.buckets(), BUCKETS);
    }

    #[test]
    fn names_are_those_of_the_wire() {
        for intent in Intent::LEARNED.into_iter().chain([Intent::Unclear]) {
            assert_eq!(serde_json::to_value(intent).unwrap(), intent.name());
        }
    }

    /// "Cancel it" may be of an order and of what is put aside, and is no yes.
    #[test]
    fn what_may_be_of_either_kind_is_a_change() {
        for message in ["cancélala", "anúlala", "cancela eso", "cancel it"] {
            assert!(is_change(meant(message).intent), "{message}");
            assert!(likely_change(message) >= 0.5, "{message}");
        }
        for message in ["sí", "¿tenéis Dune?", "gracias", "hola"] {
            assert!(likely_change(message) < 0.5, "{message}");
        }
    }

    #[test]
    fn what_is_said_at_a_counter_is_understood() {
        for (message, intent) in [
            ("muchas gracias, muy amable", Intent::Thanks),
            ("¿a qué hora abrís los sábados?", Intent::ShopInfo),
            ("what's in my basket?", Intent::CartView),
            ("o que tenho reservado?", Intent::ReservationsView),
            ("where is my order?", Intent::OrdersView),
            ("até logo!", Intent::Goodbye),
            ("busco una novela de misterio", Intent::Find),
            ("¿¿??", Intent::Unclear),
            ("why?", Intent::Unclear),
            ("¿por qué?", Intent::Unclear),
            ("why not?", Intent::Unclear),
            ("👍", Intent::Yes),
            ("One copy, please.", Intent::CartAdd),
            ("un ejemplar, por favor", Intent::CartAdd),
            ("dois exemplares", Intent::CartAdd),
            // Nobody is called for what is hardly a reason.
            ("ok get me all three", Intent::CartAdd),
            ("i want to talk to somebody", Intent::Person),
            // That is no yes by itself.
            ("cancela eso", Intent::OrderCancel),
            ("sim, cancela isso", Intent::Yes),
            // There are no appointments to cancel.
            ("quiero pedir cita", Intent::BookAppointment),
        ] {
            assert_eq!(meant(message).intent, intent, "{message}");
        }
    }
}
