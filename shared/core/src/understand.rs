//! From what a customer writes to what is meant by it.

mod change;
pub(crate) mod day;
mod exclusion;
mod fact;
pub(crate) mod hour;
pub mod intent;
mod name;
mod recommending;
mod remembering;
mod route;
pub mod subject;
pub mod topic;
pub mod wishes;

use intent::{Intent, Meant};

pub(crate) use change::Change;
pub(crate) use exclusion::Exclusion;
pub(crate) use fact::Fact;
pub(crate) use name::{behind_maker, is_in, names_kind, only_asks, sought, sought_behind_word};
pub(crate) use recommending::{beside_recommending, only_recommends, recommends};
pub(crate) use remembering::{
    asks_what_is_remembered, is_of_all, is_to_be_kept, named, to_be_remembered, wants_remembered,
};
pub use route::{Route, amount, route};
pub(crate) use route::{is_id, word_places};

/// Longest message, in characters.
pub(crate) const MESSAGE_CHARS: usize = 4_000;

/// What is done about a message at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Items are looked for.
    Find,
    /// What is said to that.
    Say(Intent),
    /// It cannot be done before the customer has said more: the message of this name asks back.
    Ask(&'static str),
    /// The tool of this name reads it.
    Read(&'static str),
    /// The customer is asked whether it is to be done.
    Propose(Change),
    /// A person of the shop sees to it.
    Leave,
}

/// Surer than this, a message is no search. Of 1,522 judged utterances, 2.3 % of the searches are then taken for something else, and
/// 7.0 % of the others for a search (`intents --judge infra/prove/utterances --sure 0.2`).
const SURE: f32 = 0.2;
/// The same of distress, which is not to be overlooked: one of a thousand other utterances is taken for it.
const SURE_OF_DISTRESS: f32 = 0.4;
/// The same of what the shop knows nothing of: where a search finds nothing, it says so as well.
const SURE_OF_OFF_TOPIC: f32 = 0.5;

/// The same of what is to be remembered: what a customer tells of themselves may be why they ask.
const SURE_OF_REMEMBERING: f32 = 0.5;

/// The message to who may be in distress, and may be looking for something.
pub(crate) const MAYBE_DISTRESS: &str = "maybe-distress";

/// What is done about a message that is meant so, and that is for the tool of `route` by its form.
pub(crate) fn step(meant: Meant, route: &Route) -> Step {
    let sure = match meant.intent {
        Intent::Distress => SURE_OF_DISTRESS,
        Intent::OffTopic => SURE_OF_OFF_TOPIC,
        Intent::Remember | Intent::Forget => SURE_OF_REMEMBERING,
        _ => SURE,
    };
    let change = Change::of(meant.intent).filter(|change| change.may_be_said_by(route));
    if let Some(change) = change.filter(|_| meant.confidence >= sure) {
        return Step::Propose(change);
    }
    if *route == Route::Search && meant.intent == Intent::Distress && meant.confidence < sure {
        return Step::Ask(MAYBE_DISTRESS);
    }
    // A number, a filter or "similar to" says itself what it is for.
    if *route != Route::Search || meant.confidence < sure {
        return Step::Find;
    }
    match meant.intent {
        intent @ (Intent::Greeting
        | Intent::Thanks
        | Intent::Goodbye
        | Intent::Yes
        | Intent::No
        | Intent::Help
        | Intent::Distress
        | Intent::Complaint
        | Intent::Person
        | Intent::OffTopic
        | Intent::BookAppointment) => Step::Say(intent),
        Intent::Unclear => Step::Ask("unclear"),
        Intent::ShopInfo => Step::Read("shop_info"),
        Intent::CartView => Step::Read("view_cart"),
        Intent::OrdersView => Step::Read("list_orders"),
        Intent::ReservationsView => Step::Read("list_reservations"),
        _ => Step::Find,
    }
}
