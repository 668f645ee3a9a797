//! What a message is of several things by its words alone: a linear model over its words, its pairs of words and its letters.
//!
//! The weights are made by `infra/intents` from the utterances beside the languages.

use std::borrow::Cow;

use crate::text;

/// Longest message that is looked at, in characters: what it is for stands near its beginning.
const LOOKED_AT: usize = 400;

/// The buckets of a message's features, of `buckets` that there are, sorted, each once.
#[must_use]
pub fn features(message: &str, buckets: usize) -> Vec<u32> {
    /// Letters that are looked at together.
    const LETTERS: [usize; 2] = [3, 5];
    let end = message.char_indices().nth(LOOKED_AT);
    let message = &message[..end.map_or(message.len(), |(at, _)| at)];
    let words = text::words(message);
    let mut found = Vec::new();
    let mut take = |kind: u8, parts: &[&str]| found.push(bucket(kind, parts, buckets));
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
    found.sort_unstable();
    found.dedup();
    found
}

/// FNV-1a, folded to the buckets.
fn bucket(kind: u8, parts: &[&str], buckets: usize) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = [kind]
        .into_iter()
        .chain(bytes)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let folded = (hash ^ (hash >> 32)) % buckets.max(1) as u64;
    u32::try_from(folded).unwrap_or_default()
}

/// The weights for `N` things: of each a scale and a bias, then for each bucket four bits a thing.
#[derive(Debug, Clone)]
pub struct Weights<const N: usize> {
    scales: [f32; N],
    biases: [f32; N],
    /// Two things a byte, the first in its lower half.
    halves: Cow<'static, [u8]>,
}

/// How the bytes begin: the form's version; behind it stands how many things there are.
const MAGIC: &[u8; 8] = b"linear02";

impl<const N: usize> Weights<N> {
    /// The greatest that a weight may be in its thing's scale; the least is as far below zero.
    const MOST: i8 = 7;
    /// Bytes a bucket.
    const ROW: usize = N.div_ceil(2);

    /// Weights of so many buckets, those of each in the order of the things.
    #[must_use]
    pub fn new(scales: [f32; N], biases: [f32; N], weights: &[i8]) -> Self {
        let half = |weight: i8| weight.clamp(-Self::MOST, Self::MOST).cast_unsigned() & 0xf;
        let rows = weights.chunks(N).flat_map(|row| row.chunks(2));
        let bytes =
            rows.map(|two| half(two[0]) | two.get(1).map_or(0, |second| half(*second) << 4));
        Self {
            scales,
            biases,
            halves: bytes.collect::<Vec<u8>>().into(),
        }
    }

    /// The same, with one of the things held less likely: its score is so much lower.
    #[must_use]
    pub fn with_less(mut self, thing: usize, by: f32) -> Self {
        if let Some(bias) = self.biases.get_mut(thing) {
            *bias -= by;
        }
        self
    }

    /// In how many buckets features are counted.
    #[must_use]
    pub fn buckets(&self) -> usize {
        self.halves.len() / Self::ROW
    }

    /// Those of the product. Those of another form know nothing: everything is as likely.
    pub(crate) fn own(bytes: &'static [u8]) -> Self {
        Self::read(bytes).unwrap_or(Self {
            scales: [0.0; N],
            biases: [0.0; N],
            halves: Cow::Borrowed(&[]),
        })
    }

    /// Reads what [`Self::write`] wrote; nothing where it is of another form.
    #[must_use]
    pub fn read(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (things, rest) = rest.split_first_chunk()?;
        if usize::try_from(u32::from_le_bytes(*things)).ok() != Some(N) {
            return None;
        }
        let (head, bytes) = rest.split_at_checked(N * 8)?;
        let mut floats = head.chunks_exact(4).map(|four| {
            let four: [u8; 4] = four.try_into().unwrap_or_default();
            f32::from_le_bytes(four)
        });
        let mut row = || std::array::from_fn(|_| floats.next().unwrap_or_default());
        let (scales, biases) = (row(), row());
        let is_whole = !bytes.is_empty() && bytes.len() % Self::ROW == 0;
        is_whole.then_some(Self {
            scales,
            biases,
            halves: bytes.into(),
        })
    }

    /// The weights as bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let floats = self.scales.iter().chain(&self.biases);
        let head = floats.flat_map(|float| float.to_le_bytes());
        let things = u32::try_from(N).unwrap_or_default().to_le_bytes();
        MAGIC
            .iter()
            .copied()
            .chain(things)
            .chain(head)
            .chain(self.halves.iter().copied())
            .collect()
    }

    /// How likely each of the things is.
    #[must_use]
    pub fn likelihoods(&self, message: &str) -> [f32; N] {
        let buckets = features(message, self.buckets());
        let mut sums = [0_i32; N];
        for bucket in &buckets {
            let from = *bucket as usize * Self::ROW;
            let halves = self.halves.get(from..from + Self::ROW).unwrap_or_default();
            for (two, byte) in sums.chunks_mut(2).zip(halves) {
                // Each half with its sign.
                let weights = [(byte << 4).cast_signed() >> 4, byte.cast_signed() >> 4];
                for (sum, weight) in two.iter_mut().zip(weights) {
                    *sum += i32::from(weight);
                }
            }
        }
        // A long message says no more than a short one.
        let length = (buckets.len().max(1) as f32).sqrt();
        let mut scores: [f32; N] =
            std::array::from_fn(|at| self.biases[at] + sums[at] as f32 * self.scales[at] / length);
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        for score in &mut scores {
            *score = (*score - most).exp();
        }
        let sum: f32 = scores.iter().sum();
        scores.map(|score| score / sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_another_form_know_nothing() {
        assert!(Weights::<2>::read(b"intents0").is_none());
        assert!(Weights::<2>::read(b"linear02").is_none());
        let three = Weights::<3>::new([1.0; 3], [0.0; 3], &[0; 6]);
        let three: &'static [u8] = three.write().leak();
        assert!(Weights::<3>::read(three).is_some());
        assert!(Weights::<2>::read(three).is_none());
        let unlearned = Weights::<2>::own(b"intents0");
        assert_eq!(unlearned.likelihoods("hola"), [0.5, 0.5]);
    }

    #[test]
    fn weights_are_read_as_they_were_made() {
        // One bucket, so that every feature is in it.
        let made = Weights::<3>::new([1.0; 3], [0.0, 0.5, 0.0], &[-7, 3, 0]);
        let read = Weights::<3>::read(made.write().leak()).expect("weights");
        assert_eq!(read.buckets(), 1);
        let likely = made.likelihoods("hola");
        assert_eq!(read.likelihoods("hola"), likely);
        let logits = likely.map(f32::ln);
        assert!((logits[1] - logits[2] - 3.5).abs() < 1e-4, "{logits:?}");
        assert!((logits[2] - logits[0] - 7.0).abs() < 1e-4, "{logits:?}");
    }

    #[test]
    fn a_message_has_features_of_any_length() {
        const BUCKETS: usize = 1 << 14;
        let long = "ñ 😀 ".repeat(10_000);
        assert!(features(&long, BUCKETS).len() < 2_000);
        let buckets = features("¿?", BUCKETS);
        assert!(buckets.iter().all(|bucket| (*bucket as usize) < BUCKETS));
    }
}
