//! Turns vectors so that what they hold is spread evenly over their dimensions, as few bits a dimension need it.
//!
//! Rounds of random signs and a Hadamard transform: as good as a random rotation, without a matrix to store. Where the
//! dimensions are no power of two, rounds turn the first and the last of them by turns, so that nothing is padded.

/// The dimensions after a turn: eights are whole.
pub(crate) fn turned_dimensions(dimensions: usize) -> usize {
    dimensions.next_multiple_of(8).max(8)
}

const ROUNDS: usize = 3;

/// `vector` turned. Lengths and angles stay.
pub(crate) fn rotate(vector: &[f32]) -> Vec<f32> {
    let mut turned = vector.to_vec();
    turned.resize(turned_dimensions(vector.len()), 0.0);
    let mut signs = Signs::new();
    let window = (turned.len() + 1).next_power_of_two() / 2;
    let rest = turned.len() - window;
    // A power of two has one window, and no other at its end.
    let windows = [0, rest];
    let windows = &windows[..if rest == 0 { 1 } else { 2 }];
    for &start in windows.iter().cycle().take(ROUNDS * windows.len()) {
        for value in &mut turned {
            *value = signs.apply(*value);
        }
        hadamard(&mut turned[start..start + window]);
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
        for dimensions in [1usize, 2, 3, 200, 256, 300, 1536] {
            let a: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 0.7).sin()).collect();
            let b: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 1.3).cos()).collect();
            let (turned_a, turned_b) = (rotate(&a), rotate(&b));
            assert_eq!(turned_a.len(), dimensions.next_multiple_of(8));
            for (before, after) in [
                (dot(&a, &a), dot(&turned_a, &turned_a)),
                (dot(&a, &b), dot(&turned_a, &turned_b)),
            ] {
                assert!(
                    (before - after).abs() < 1e-3 * before.abs().max(1.0),
                    "{dimensions}: {before} {after}"
                );
            }
        }
    }

    #[test]
    fn a_single_dimension_is_spread_over_all() {
        for dimensions in [256, 300, 504] {
            let mut vector = vec![0.0; dimensions];
            vector[17] = 1.0;
            let largest = rotate(&vector)
                .iter()
                .fold(0.0f32, |max, x| max.max(x.abs()));
            assert!(largest < 0.3, "{dimensions}: {largest}");
        }
    }
}
