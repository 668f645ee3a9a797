//! Whether what looks like a search is of anything that a shop has to do with.

use std::sync::LazyLock;

use super::intent::Intent;
use crate::linear::Weights;

/// What is told apart, in the order of the weights.
pub const LEARNED: [Intent; 2] = [Intent::Find, Intent::OffTopic];

/// Features of a message are counted in so many buckets.
pub const BUCKETS: usize = 1 << 16;

/// The weights by which a search is told from what is off topic.
pub type SubjectWeights = Weights<{ LEARNED.len() }>;

/// The product's weights.
static BYTES: &[u8] = include_bytes!("subjects.bin");

/// How likely it is that a message is off topic, if it is a search or off topic.
pub(crate) fn likely_off_topic(message: &str) -> f32 {
    static OWN: LazyLock<SubjectWeights> = LazyLock::new(|| Weights::own(BYTES));
    OWN.likelihoods(message)[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_weights_are_of_this_form() {
        let weights = SubjectWeights::read(BYTES).expect("weights of this form");
        assert_eq!(weights.write(), BYTES);
        assert_eq!(weights.buckets(), BUCKETS);
    }

    #[test]
    fn what_no_shop_has_is_told_from_a_rare_subject() {
        for message in [
            "¿va a llover mañana en Sevilla?",
            "what is 17 times 23",
            "quem ganhou o jogo ontem?",
        ] {
            assert!(likely_off_topic(message) > 0.5, "{message}");
        }
        for message in [
            "whale hunting",
            "novelas de vampiros",
            "um livro para crianças",
        ] {
            assert!(likely_off_topic(message) < 0.5, "{message}");
        }
    }
}
