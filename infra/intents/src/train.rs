//! The recipe: multinomial logistic regression, learned by `AdaGrad` with dropout, averaged over the last epochs of several runs, and rounded to
//! four bits.

use mostrador_core::linear::{Weights, features};

/// An utterance in features, and which of the things that are learned it is.
pub(crate) struct Sample {
    buckets: Vec<u32>,
    class: usize,
}

impl Sample {
    pub(crate) fn new(say: &str, buckets: usize, class: usize) -> Self {
        Self {
            buckets: features(say, buckets),
            class,
        }
    }
}

pub(crate) struct Recipe {
    pub(crate) runs: u64,
    pub(crate) epochs: usize,
    pub(crate) rate: f32,
    pub(crate) decay: f32,
    /// How many of an utterance's features are left out each time that it is seen, others each time, so that none is relied on.
    pub(crate) dropout: f32,
}

/// Learns which of `N` things utterances are, from their features in so many buckets: the mean of several runs, since what one learns
/// depends on the order in which it sees them.
pub(crate) fn train<const N: usize>(
    samples: &[&Sample],
    buckets: usize,
    recipe: &Recipe,
) -> Weights<N> {
    let mut mean = Learned::<N> {
        weights: vec![0.0; buckets * N],
        biases: [0.0; N],
    };
    for run in 0..recipe.runs {
        learn(samples, run, recipe, &mut mean);
    }
    centre::<N>(&mut mean.weights);
    rounded(&mean.weights, mean.biases)
}

/// For each bucket a weight a thing, and a bias a thing.
struct Learned<const N: usize> {
    weights: Vec<f32>,
    biases: [f32; N],
}

/// Adds to the mean what one run learns, which is the same every time.
fn learn<const N: usize>(samples: &[&Sample], run: u64, recipe: &Recipe, mean: &mut Learned<N>) {
    const SEED: u64 = 7;
    let mut random = fastrand::Rng::with_seed(SEED + run);
    let mut weights = vec![0_f32; mean.weights.len()];
    let mut seen = vec![1e-6_f32; weights.len()];
    let (mut biases, mut bias_seen) = ([0_f32; N], [1e-6_f32; N]);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    // What is learned last depends on what was seen last; the mean of what it goes back and forth between does not.
    let averaged = recipe.epochs.div_ceil(2);
    let share = 1.0 / (averaged as f32 * recipe.runs as f32);
    for epoch in 0..recipe.epochs {
        random.shuffle(&mut order);
        for at in &order {
            let Sample { buckets, class } = samples[*at];
            let kept = buckets.iter().filter(|_| random.f32() >= recipe.dropout);
            let buckets: Vec<u32> = kept.copied().collect();
            let value = 1.0 / (buckets.len().max(1) as f32).sqrt();
            let mut scores = biases;
            for bucket in &buckets {
                let row = &weights[*bucket as usize * N..][..N];
                for (score, weight) in scores.iter_mut().zip(row) {
                    *score += weight * value;
                }
            }
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            let mut sum = 0.0;
            for score in &mut scores {
                *score = (*score - most).exp();
                sum += *score;
            }
            for score in &mut scores {
                *score /= sum;
            }
            // What was thought too likely.
            scores[*class] -= 1.0;
            for (place, error) in scores.iter().enumerate() {
                bias_seen[place] += error * error;
                biases[place] -= recipe.rate * error / bias_seen[place].sqrt();
            }
            for bucket in &buckets {
                let from = *bucket as usize * N;
                let row = weights[from..from + N].iter_mut();
                let row = row.zip(&mut seen[from..from + N]);
                for ((weight, seen), error) in row.zip(&scores) {
                    let step = error * value + recipe.decay * *weight;
                    *seen += step * step;
                    *weight -= recipe.rate * step / seen.sqrt();
                }
            }
        }
        if epoch + averaged >= recipe.epochs {
            let learned = weights.iter().chain(&biases);
            let means = mean.weights.iter_mut().chain(&mut mean.biases);
            for (mean, weight) in means.zip(learned) {
                *mean += weight * share;
            }
        }
    }
}

/// Takes from what a bucket says of each what it says of all: nothing is any likelier for that, and most weights are 0.
fn centre<const N: usize>(weights: &mut [f32]) {
    for row in weights.chunks_exact_mut(N) {
        let mut sorted: Vec<f32> = row.to_vec();
        sorted.sort_by(f32::total_cmp);
        let middle = sorted[N / 2];
        row.iter_mut().for_each(|weight| *weight -= middle);
    }
}

/// Weights as whole numbers, with a scale for each thing.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a weight is at most its thing's greatest, which is `LEVELS`"
)]
fn rounded<const N: usize>(weights: &[f32], biases: [f32; N]) -> Weights<N> {
    /// Levels on either side of zero: twelve tell no more, and need twice as many bits.
    const LEVELS: f32 = 5.0;
    /// Likelihoods are held this near to each other: what is done about a message goes by weights that were less sure.
    const HELD: f32 = 0.9;
    let scales: [f32; N] = std::array::from_fn(|class| {
        let of_class = weights.iter().skip(class).step_by(N);
        of_class.fold(0_f32, |most, weight| most.max(weight.abs())) / LEVELS
    });
    let whole = weights.iter().enumerate().map(|(at, weight)| {
        let scale = scales[at % N].max(f32::MIN_POSITIVE);
        (weight / scale).round() as i8
    });
    let whole: Vec<i8> = whole.collect();
    let [scales, biases] = [scales, biases].map(|of_each| of_each.map(|value| value * HELD));
    Weights::new(scales, biases, &whole)
}
