//! One bit a dimension: a first look at every row that reads an eighth of its bytes and finds those worth an exact one.
//!
//! A row, less the mean of all rows and turned ([`super::rotation`]), is cut down to its signs. What the signs say about the
//! row's product with a query is an estimate without bias once it is multiplied by the row's *factor*, the square of its
//! length over the sum of its magnitudes (the estimator of `RaBitQ`). The mean's own product with the query is the same for
//! every row, so an order of rows has no need of it.
//!
//! Rows lie in blocks of 32: 32 f32 factors, then for each eight dimensions one byte a row, the lowest bit first. A query
//! becomes a table of 16 sums for each four dimensions, so that a row's estimate is as many look-ups, 32 rows at once.

use std::io::{self, Write};

use super::{
    rotation::turned_dimensions,
    simd::{self, LANES},
    to_f32,
};
use crate::layout::slice;

/// The largest magnitude of a turned query in fixed point; the sums of eight dimensions then fit a byte.
const QUERY_LIMIT: i8 = 15;
/// What makes the sum over four dimensions at least zero.
const SUM_OFFSET: i8 = 4 * QUERY_LIMIT;
/// With more dimensions the sum of a row would not fit 16 bits.
pub(super) const MAX_DIMENSIONS: usize = 2_048;

/// Bytes of a block.
pub(super) fn block_bytes(dimensions: usize) -> usize {
    LANES * (4 + columns(dimensions))
}

/// Bytes of a row's code.
fn columns(dimensions: usize) -> usize {
    turned_dimensions(dimensions) / 8
}

/// A query as tables: for each eight dimensions 16 sums of the first four, then 16 of the others.
pub(super) struct CodeQuery {
    tables: Vec<u8>,
    /// What all tables together add to a sum.
    offset: i32,
    /// What one is worth in a sum.
    scale: f32,
}

impl CodeQuery {
    /// Of a turned query.
    pub(super) fn new(turned: &[f32]) -> Self {
        let largest = turned.iter().fold(0.0f32, |max, x| max.max(x.abs()));
        let scale = largest.max(f32::MIN_POSITIVE) / f32::from(QUERY_LIMIT);
        let mut tables = Vec::with_capacity(turned.len() * 4);
        for four in turned.chunks_exact(4) {
            // The sum without any sign set, and then with one more at a time.
            let doubled = [0, 1, 2, 3].map(|place| 2 * fixed(four[place] / scale));
            let none = SUM_OFFSET - doubled.iter().map(|value| value / 2).sum::<i8>();
            let start = tables.len();
            tables.push(none.cast_unsigned());
            for value in doubled {
                for other in start..tables.len() {
                    tables.push(tables[other].wrapping_add_signed(value));
                }
            }
        }
        let tables_count = i32::try_from(turned.len() / 4).unwrap_or(i32::MAX);
        Self {
            tables,
            offset: tables_count.saturating_mul(i32::from(SUM_OFFSET)),
            scale,
        }
    }
}

/// The `keep` rows of `count` with the highest estimates among those that `admits` lets in, in no order; only rows of the
/// `numbers`ed blocks are looked at. Where there are `scores`, a row's is added to its estimate.
pub(super) fn first_look(
    blocks: &[u8],
    numbers: impl Iterator<Item = usize>,
    count: usize,
    query: &CodeQuery,
    scores: Option<&[f32]>,
    keep: usize,
    admits: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let block_bytes = LANES * 4 + query.tables.len();
    let mut best = Best::new(keep);
    for number in numbers {
        let block = number
            .checked_mul(block_bytes)
            .and_then(|at| slice(blocks, at, block_bytes));
        let Some(block) = block else { continue };
        let (factors, codes) = block.split_at(LANES * 4);
        let first = number * LANES;
        let scores = scores
            .and_then(|scores| scores.get(first..))
            .unwrap_or_default();
        let mut estimates = scores.first_chunk().copied().unwrap_or_else(|| {
            let mut last = [0.0; LANES];
            last.iter_mut()
                .zip(scores)
                .for_each(|(place, score)| *place = *score);
            last
        });
        let tables = simd::Tables {
            sums: &query.tables,
            offset: query.offset,
            scale: query.scale,
        };
        let mut above = simd::estimate(codes, &tables, factors, best.threshold, &mut estimates);
        while above != 0 {
            let lane = crate::layout::index(above.trailing_zeros());
            above &= above - 1;
            let row = first + lane;
            if row < count && admits(row) {
                best.take(row, estimates[lane]);
            }
        }
    }
    best.rows()
}

/// The best rows so far, cut down whenever there are twice as many as wanted.
pub(super) struct Best {
    keep: usize,
    rows: Vec<(f32, usize)>,
    /// Nothing at or below it can be among the best.
    threshold: f32,
}

impl Best {
    pub(super) fn new(keep: usize) -> Self {
        Self {
            keep,
            rows: Vec::with_capacity(2 * keep),
            threshold: f32::NEG_INFINITY,
        }
    }

    pub(super) fn take(&mut self, row: usize, estimate: f32) {
        // The threshold may have risen since the block was looked at.
        if estimate > self.threshold {
            self.rows.push((estimate, row));
            if self.rows.len() >= 2 * self.keep {
                self.cut();
            }
        }
    }

    /// Of equals the first rows stay.
    fn cut(&mut self) {
        if self.keep < self.rows.len() {
            let last = self.keep.saturating_sub(1);
            self.rows
                .select_nth_unstable_by(last, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            self.rows.truncate(self.keep);
            self.threshold = self
                .rows
                .last()
                .map_or(f32::INFINITY, |(estimate, _)| *estimate);
        }
    }

    pub(super) fn rows(mut self) -> Vec<usize> {
        self.cut();
        self.rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// Writes blocks row by row.
pub(super) struct Writer {
    columns: usize,
    factors: Vec<f32>,
    codes: Vec<u8>,
}

impl Writer {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            columns: columns(dimensions),
            factors: Vec::with_capacity(LANES),
            codes: Vec::new(),
        }
    }

    /// Adds a turned row, which is `scale` times `values`; appends a block to `out` where that fills one.
    pub(super) fn add(
        &mut self,
        values: &[u8],
        scale: f32,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let values = || values.iter().map(|value| i32::from(value.cast_signed()));
        let squares = to_f32(values().map(|x| x * x).sum());
        let magnitude = to_f32(values().map(i32::abs).sum());
        self.factors.push(if magnitude > 0.0 {
            scale * squares / magnitude
        } else {
            0.0
        });
        let mut code = vec![0u8; self.columns];
        for (place, value) in values().enumerate() {
            if value >= 0 {
                code[place / 8] |= 1 << (place % 8);
            }
        }
        self.codes.extend_from_slice(&code);
        if self.factors.len() == LANES {
            self.flush(out)?;
        }
        Ok(())
    }

    /// Writes the last block, filled with rows that are worth nothing.
    pub(super) fn finish(mut self, out: &mut impl Write) -> io::Result<()> {
        if self.factors.is_empty() {
            return Ok(());
        }
        self.flush(out)
    }

    fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.factors.resize(LANES, 0.0);
        self.codes.resize(LANES * self.columns, 0);
        for factor in self.factors.drain(..) {
            out.write_all(&factor.to_le_bytes())?;
        }
        for column in 0..self.columns {
            let codes = self.codes.chunks_exact(self.columns);
            let column: Vec<u8> = codes.map(|code| code[column]).collect();
            out.write_all(&column)?;
        }
        self.codes.clear();
        Ok(())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "scaled into the range before"
)]
fn fixed(value: f32) -> i8 {
    value.round() as i8
}

#[cfg(test)]
mod tests {
    use super::{
        super::{rotation::rotate, write::quantise},
        *,
    };

    /// Numbers that look like chance and are always the same.
    fn noise(seed: usize) -> f32 {
        let mut mixed = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 40) as f32) / ((1u64 << 23) as f32) - 1.0
    }

    fn unit(mut vector: Vec<f32>) -> Vec<f32> {
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    /// Rows around a mean that is far from zero, as embeddings are.
    fn rows(count: usize, dimensions: usize) -> Vec<Vec<f32>> {
        (0..count)
            .map(|row| {
                unit(
                    (0..dimensions)
                        .map(|d| 0.5 + noise(row * dimensions + d))
                        .collect(),
                )
            })
            .collect()
    }

    fn blocks(rows: &[Vec<f32>]) -> Vec<u8> {
        let dimensions = rows[0].len();
        let centre: Vec<f32> = (0..dimensions)
            .map(|d| rows.iter().map(|row| row[d]).sum::<f32>() / rows.len() as f32)
            .collect();
        let mut out = Vec::new();
        let mut writer = Writer::new(dimensions);
        for row in rows {
            let less_mean: Vec<f32> = row.iter().zip(&centre).map(|(x, c)| x - c).collect();
            let (values, scale) = quantise(&rotate(&less_mean));
            writer.add(&values, scale, &mut out).unwrap();
        }
        writer.finish(&mut out).unwrap();
        out
    }

    fn seen(
        blocks: &[u8],
        count: usize,
        query: &[f32],
        scores: Option<&[f32]>,
        keep: usize,
        admits: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let query = CodeQuery::new(&rotate(query));
        first_look(
            blocks,
            0..count.div_ceil(32),
            count,
            &query,
            scores,
            keep,
            admits,
        )
    }

    #[test]
    fn the_nearest_is_seen_at_first_look() {
        for dimensions in [64, 100, 256] {
            let rows = rows(1_000, dimensions);
            let blocks = blocks(&rows);
            assert_eq!(blocks.len(), 32 * block_bytes(dimensions));
            for nth in 0..100 {
                let near = rows[nth * 7].iter().enumerate();
                let query = unit(near.map(|(d, x)| x + 0.1 * noise(nth + d * 31)).collect());
                let found = seen(&blocks, 1_000, &query, None, 20, |_| true);
                assert!(found.contains(&(nth * 7)), "{dimensions} {nth}");
                let alike = |row: usize| row.is_multiple_of(7);
                let found = seen(&blocks, 1_000, &query, None, 20, alike);
                assert!(found.iter().all(|&row| alike(row)) && found.len() == 20);
                assert!(found.contains(&(nth * 7)), "{dimensions} {nth}");
            }
        }
    }

    #[test]
    fn a_score_counts_as_much_as_nearness() {
        let rows = rows(997, 64);
        let blocks = blocks(&rows);
        let mut scores = vec![0.0; rows.len()];
        scores[996] = 10.0;
        let mut found = seen(&blocks, rows.len(), &rows[3], Some(&scores), 2, |_| true);
        found.sort_unstable();
        assert_eq!(found, [3, 996]);
    }

    #[test]
    fn the_last_block_has_no_rows_beyond_the_last() {
        let rows = rows(33, 8);
        let mut found = seen(&blocks(&rows), 33, &rows[0], None, 50, |_| true);
        found.sort_unstable();
        assert_eq!(found, (0..33).collect::<Vec<_>>());
    }
}
