//! What a question about the shop itself is about.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Fact;
use crate::{language::List, linear::Weights, text::words};

/// What a shop is asked about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    Opening,
    Place,
    Contact,
    Delivery,
    Returns,
    Payment,
    Wrapping,
    Discount,
    Guarantee,
    /// What it sells, and who it is.
    About,
    Other,
}

impl Topic {
    /// All, in the order of the weights.
    pub const ALL: [Self; 11] = [
        Self::Opening,
        Self::Place,
        Self::Contact,
        Self::Delivery,
        Self::Returns,
        Self::Payment,
        Self::Wrapping,
        Self::Discount,
        Self::Guarantee,
        Self::About,
        Self::Other,
    ];

    /// Whether it says what is asked.
    pub(crate) fn is_named(self) -> bool {
        !matches!(self, Self::About | Self::Other)
    }

    /// Whether it is how, when or where the shop is reached.
    pub(crate) fn is_of_reaching(self) -> bool {
        matches!(self, Self::Opening | Self::Place | Self::Contact)
    }

    /// As the utterances name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Place => "place",
            Self::Contact => "contact",
            Self::Delivery => "delivery",
            Self::Returns => "returns",
            Self::Payment => "payment",
            Self::Wrapping => "wrapping",
            Self::Discount => "discount",
            Self::Guarantee => "guarantee",
            Self::About => "about",
            Self::Other => "other",
        }
    }
}

/// Features of a question are counted in so many buckets.
pub const BUCKETS: usize = 1 << 15;

/// The weights by which a question's topic is told.
pub type TopicWeights = Weights<{ Topic::ALL.len() }>;

/// The product's weights.
static BYTES: &[u8] = include_bytes!("topics.bin");

/// How likely each topic is of a question about the shop, the likeliest first.
#[must_use]
pub fn topics(question: &str) -> [(Topic, f32); Topic::ALL.len()] {
    static OWN: LazyLock<TopicWeights> = LazyLock::new(|| Weights::own(BYTES));
    let likelihoods = OWN.likelihoods(question);
    let mut topics = std::array::from_fn(|at| (Topic::ALL[at], likelihoods[at]));
    topics.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    topics
}

/// Whether a message asks what delivery, a return or a payment costs, and hardly says anything else: "qto é o frete".
pub(crate) fn speaks_of_terms(message: &str) -> bool {
    let topics = List::Topics.in_all();
    let said = words(message);
    let mut terms = ["delivery", "payment", "returns"].into_iter();
    let lists = [&[List::Topics, List::Facts], &List::SMALL[..]].concat();
    // "Is shipping free?"
    let asks_cost = Fact::in_words(&said).contains(&Fact::Price) || topics.says(&said, "discount");
    asks_cost && terms.any(|key| topics.says(&said, key)) && List::beside(&lists, &said).len() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_weights_are_of_this_form() {
        let weights = TopicWeights::read(BYTES).expect("weights of this form");
        assert_eq!(weights.write(), BYTES);
        assert_eq!(weights.buckets(), BUCKETS);
    }

    #[test]
    fn names_are_those_of_the_log() {
        for topic in Topic::ALL {
            assert_eq!(serde_json::to_value(topic).unwrap(), topic.name());
        }
    }

    #[test]
    fn what_a_shop_is_asked_about_is_understood() {
        for (question, topic) in [
            ("¿a qué hora abrís los sábados?", Topic::Opening),
            ("where are you?", Topic::Place),
            ("¿hacéis envíos a Canarias?", Topic::Delivery),
            ("posso devolver?", Topic::Returns),
            ("can I pay by card?", Topic::Payment),
            ("¿lo envolvéis para regalo?", Topic::Wrapping),
        ] {
            assert_eq!(topics(question)[0].0, topic, "{question}");
        }
    }
}
