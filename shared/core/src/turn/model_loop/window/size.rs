//! How much room a text takes.

/// Bytes of UTF-8 that count as a token. Every model has a vocabulary of its own: `cl100k_base` makes a token of 3.1 bytes of what
/// customers write in Spanish and Portuguese and of lists with prices, and of 3.9 in English; `o200k_base` of 3.4 to 4.0.
const TOKEN_BYTES: usize = 3;

/// Characters, and tokens by estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) chars: usize,
    pub(super) tokens: usize,
}

impl Size {
    pub(super) const ZERO: Self = Self {
        chars: 0,
        tokens: 0,
    };

    pub(super) fn of(text: &str) -> Self {
        Self {
            chars: text.chars().count(),
            tokens: text.len().div_ceil(TOKEN_BYTES),
        }
    }

    pub(super) fn fits(self, room: Self) -> bool {
        self.chars <= room.chars && self.tokens <= room.tokens
    }

    pub(super) fn plus(self, other: Self) -> Self {
        self.with(other, usize::saturating_add)
    }

    /// What is left without `other`; nothing where it is larger.
    pub(super) fn minus(self, other: Self) -> Self {
        self.with(other, usize::saturating_sub)
    }

    pub(super) fn checked_minus(self, other: Self) -> Option<Self> {
        other.fits(self).then(|| self.minus(other))
    }

    /// One part of `parts` equal ones.
    pub(super) fn part(self, parts: usize) -> Self {
        Self {
            chars: self.chars / parts,
            tokens: self.tokens / parts,
        }
    }

    /// The larger of both in each dimension.
    pub(super) fn or_larger(self, other: Self) -> Self {
        self.with(other, usize::max)
    }

    /// At least `low` and at most `high`, which is not below it.
    pub(super) fn clamp(self, low: Self, high: Self) -> Self {
        self.with(low, usize::max).with(high, usize::min)
    }

    fn with(self, other: Self, each: fn(usize, usize) -> usize) -> Self {
        Self {
            chars: each(self.chars, other.chars),
            tokens: each(self.tokens, other.tokens),
        }
    }
}

/// The largest number up to `most` that `fits`, if a smaller one always does where a larger does; 0 where none is found. What is
/// found does fit in any case, unless it is 0.
pub(super) fn largest(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
