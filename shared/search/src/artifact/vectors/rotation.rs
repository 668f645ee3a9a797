//! Turns vectors so that what they hold is spread evenly over their dimensions, as one-bit codes need it.
//!
//! Three rounds of random signs and a Hadamard transform: as good as a random rotation, without a matrix to store.

/// The dimensions after a turn: the next power of two.
pub(super) fn padded(dimensions: usize) -> usize {
    dimensions.next_power_of_two()
}

const ROUNDS: usize = 3;

/// `vector` padded with zeros and turned. Lengths and angles stay.
pub(super) fn rotate(vector: &[f32]) -> Vec<f32> {
    let mut turned = vector.to_vec();
    turned.resize(padded(vector.len()), 0.0);
    let mut signs = Signs::new();
    for _ in 0..ROUNDS {
        for value in &mut turned {
            *value = signs.apply(*value);
        }
        hadamard(&mut turned);
    }
    turned
}

/// The Walsh-Hadamard transform, scaled so that lengths stay.
fn hadamard(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let scale = 1.0 / (values.len() as f32).sqrt();
    for value in values {
        *value *= scale;
    }
}

/// The same signs every time: the bits of `SplitMix64` from a fixed seed, lowest first.
struct Signs {
    state: u64,
    bits: u64,
    left: u32,
}

impl Signs {
    fn new() -> Self {
        Self {
            state: 0x4d4f_5354_5241_444f,
            bits: 0,
            left: 0,
        }
    }

    fn apply(&mut self, value: f32) -> f32 {
        if self.left == 0 {
            self.bits = self.next();
            self.left = 64;
        }
        let negative = self.bits & 1 == 1;
        self.bits >>= 1;
        self.left -= 1;
        if negative { -value } else { value }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_angles_stay() {
        let dot = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for dimensions in [1, 2, 3, 200, 256] {
            let a: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 0.7).sin()).collect();
            let b: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 1.3).cos()).collect();
            let (turned_a, turned_b) = (rotate(&a), rotate(&b));
            assert_eq!(turned_a.len(), padded(dimensions));
            for (before, after) in [
                (dot(&a, &a), dot(&turned_a, &turned_a)),
                (dot(&a, &b), dot(&turned_a, &turned_b)),
            ] {
                assert!(
                    (before - after).abs() < 1e-3,
                    "{dimensions}: {before} {after}"
                );
            }
        }
    }

    #[test]
    fn a_single_dimension_is_spread_over_all() {
        let mut vector = vec![0.0; 256];
        vector[17] = 1.0;
        let largest = rotate(&vector)
            .iter()
            .fold(0.0f32, |max, x| max.max(x.abs()));
        assert!(largest < 0.3, "{largest}");
    }
}
