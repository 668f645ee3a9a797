//! What a message is for: one of the shop's intents, by a linear model over its words, its pairs of words and its letters.
//!
//! The weights are made by `infra/intents` from the utterances beside the languages.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text;

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

/// Features are counted in so many buckets.
pub const BUCKETS: usize = 1 << 14;

/// Longest message that is looked at, in characters: what it is for stands near its beginning.
const LOOKED_AT: usize = 400;

/// The buckets of a message's features, sorted, each once.
#[must_use]
pub fn features(message: &str) -> Vec<u32> {
    /// Letters that are looked at together.
    const LETTERS: [usize; 2] = [3, 4];
    let end = message.char_indices().nth(LOOKED_AT);
    let message = &message[..end.map_or(message.len(), |(at, _)| at)];
    let words = text::words(message);
    let mut buckets = Vec::new();
    let mut take = |kind: u8, parts: &[&str]| buckets.push(bucket(kind, parts));
    if let Some(first) = words.first() {
        take(b'^', &[first]);
    }
    if let Some(last) = words.last() {
        take(b'$', &[last]);
    }
    take(b'n', &[&words.len().min(12).to_string()]);
    if message.contains('?') {
        take(b'?', &[]);
    }
    for word in &words {
        take(b'w', &[word]);
    }
    for pair in words.windows(2) {
        take(b'p', &[&pair[0], &pair[1]]);
    }
    let line = format!(" {} ", words.join(" "));
    let places: Vec<usize> = line
        .char_indices()
        .map(|(at, _)| at)
        .chain([line.len()])
        .collect();
    for letters in LETTERS {
        for run in places.windows(letters + 1) {
            take(b'l', &[&line[run[0]..run[letters]]]);
        }
    }
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}

/// FNV-1a, folded to the buckets.
fn bucket(kind: u8, parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = [kind]
        .into_iter()
        .chain(bytes)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let folded = (hash ^ (hash >> 32)) % BUCKETS as u64;
    u32::try_from(folded).unwrap_or_default()
}

/// The weights: for each learned intent a scale and a bias, then for each bucket a byte an intent.
#[derive(Debug, Clone)]
pub struct Weights {
    pub scales: [f32; Intent::LEARNED.len()],
    pub biases: [f32; Intent::LEARNED.len()],
    pub bytes: std::borrow::Cow<'static, [u8]>,
}

/// How the bytes begin: the form's version.
const MAGIC: &[u8; 8] = b"intents1";

impl Weights {
    /// Those that the product has.
    fn own() -> &'static Self {
        static OWN: OnceLock<Weights> = OnceLock::new();
        OWN.get_or_init(|| {
            let bytes = include_bytes!("intents.bin");
            // Those of another form know nothing: every message is a search.
            Self::read(bytes).unwrap_or_else(Self::unlearned)
        })
    }

    /// To which every intent is as likely.
    fn unlearned() -> Self {
        Self {
            scales: [0.0; Intent::LEARNED.len()],
            biases: [0.0; Intent::LEARNED.len()],
            bytes: vec![0; BUCKETS * Intent::LEARNED.len()].into(),
        }
    }

    /// Reads what [`Self::write`] wrote; nothing where it is of another form.
    #[must_use]
    pub fn read(bytes: &'static [u8]) -> Option<Self> {
        let classes = Intent::LEARNED.len();
        let rest = bytes.strip_prefix(MAGIC)?;
        let (head, bytes) = rest.split_at_checked(classes * 8)?;
        let mut floats = head.chunks_exact(4).map(|four| {
            let four: [u8; 4] = four.try_into().unwrap_or_default();
            f32::from_le_bytes(four)
        });
        let mut row = || std::array::from_fn(|_| floats.next().unwrap_or_default());
        let (scales, biases) = (row(), row());
        (bytes.len() == BUCKETS * classes).then_some(Self {
            scales,
            biases,
            bytes: bytes.into(),
        })
    }

    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let floats = self.scales.iter().chain(&self.biases);
        let head = floats.flat_map(|float| float.to_le_bytes());
        MAGIC
            .iter()
            .copied()
            .chain(head)
            .chain(self.bytes.iter().copied())
            .collect()
    }

    /// How likely each learned intent is.
    #[must_use]
    pub fn likelihoods(&self, message: &str) -> [f32; Intent::LEARNED.len()] {
        let classes = Intent::LEARNED.len();
        let buckets = features(message);
        let mut sums = [0_i32; Intent::LEARNED.len()];
        for bucket in &buckets {
            let from = *bucket as usize * classes;
            let weights = &self.bytes[from..from + classes];
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weight.cast_signed());
            }
        }
        // A long message says no more than a short one.
        let length = (buckets.len().max(1) as f32).sqrt();
        let mut scores: [f32; Intent::LEARNED.len()] =
            std::array::from_fn(|at| self.biases[at] + sums[at] as f32 * self.scales[at] / length);
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        for score in &mut scores {
            *score = (*score - most).exp();
        }
        let sum: f32 = scores.iter().sum();
        scores.map(|score| score / sum)
    }
}

/// What a message is for, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meant {
    pub intent: Intent,
    pub confidence: f32,
}

/// What `message` is for by its own words.
#[must_use]
pub fn meant(message: &str) -> Meant {
    let likelihoods = Weights::own().likelihoods(message);
    let all = Intent::LEARNED.into_iter().zip(likelihoods);
    let most = all
        .clone()
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    let (intent, likelihood) = most.unwrap_or((Intent::Unclear, 0.0));
    // "Thanks, bye!" is one as well as the other.
    let courtesies = all.filter(|(intent, _)| COURTESIES.contains(intent));
    let confidence = if COURTESIES.contains(&intent) {
        courtesies.map(|(_, likelihood)| likelihood).sum()
    } else {
        likelihood
    };
    Meant { intent, confidence }
}

/// What is said back alike.
const COURTESIES: [Intent; 3] = [Intent::Greeting, Intent::Thanks, Intent::Goodbye];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_weights_are_of_this_form() {
        let own = include_bytes!("intents.bin");
        let weights = Weights::read(own).expect("weights of this form");
        assert_eq!(weights.write(), own);
        assert!(Weights::read(&own[..own.len() - 1]).is_none());
        assert!(Weights::read(b"intents0").is_none());
    }

    #[test]
    fn names_are_those_of_the_wire() {
        for intent in Intent::LEARNED.into_iter().chain([Intent::Unclear]) {
            assert_eq!(serde_json::to_value(intent).unwrap(), intent.name());
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
        ] {
            assert_eq!(meant(message).intent, intent, "{message}");
        }
    }

    #[test]
    fn a_message_has_features_of_any_length() {
        assert_eq!(meant("").intent, meant("").intent);
        let long = "ñ 😀 ".repeat(10_000);
        assert!(features(&long).len() < 2_000);
        assert!(
            features("¿?")
                .iter()
                .all(|bucket| (*bucket as usize) < BUCKETS)
        );
    }
}
