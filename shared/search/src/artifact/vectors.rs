//! One int8 row an item, one-bit codes of the rows for a first look, and clusters for where to look first.
//!
//! Rows are what is left of the items' vectors less the mean of them all, turned ([`rotation`]): spread evenly over the
//! dimensions they lose least to int8. A query is turned once, and its product with the mean added to each row's.
//!
//! Little-endian: magic (8 bytes), `u32` version, dimensions *d*, rows, blocks of codes (none where the rows are few), clusters
//! (none either), zeros up to 64 bytes; with *D* for *d* in whole eights then the mean, *D* f32; the clusters, each `u32` rows,
//! f32 scale and f32 reach; their centres, *D* i8 each; the blocks of codes ([`codes`]); an f32 scale a row; the rows, *D* i8 each.
//! The rows of a cluster follow each other.

mod codes;
#[cfg(test)]
mod fuzz;
mod rotation;
mod simd;
mod write;

use std::ops::Range;

use bytes::Bytes;

use self::{
    codes::{Best, CodeQuery, MAX_DIMENSIONS, block_bytes, first_look},
    simd::LANES,
};
pub(crate) use self::{
    rotation::{rotate, turned_dimensions},
    write::{Cluster, TurnedRow, quantise, write},
};
use super::InvalidFile;
use crate::{
    layout::{f32_at, index, section, slice, u32_at},
    tuning::{CODED_ROWS, PROBED_EXPONENT, PROBED_FACTOR, RESCORED, ROWS_PER_RESCORED},
};

const MAGIC: &[u8; 8] = b"MOSTVECT";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 64;
const CLUSTER_BYTES: usize = 12;

/// How many rows before its turn one is asked for.
const ROWS_AHEAD: usize = 8;

/// A vectors file read in place.
#[derive(Debug, Clone)]
pub(crate) struct Vectors {
    file: Bytes,
    layout: Layout,
    mean: Vec<f32>,
    fixed_mean: Option<FixedPoint>,
    mean_with_itself: f32,
    /// By cluster, and a last one, where its rows begin.
    starts: Vec<usize>,
}

/// Where things lie in a vectors file.
#[derive(Debug, Clone)]
struct Layout {
    dimensions: usize,
    mean: Range<usize>,
    clusters: Range<usize>,
    centres: Range<usize>,
    codes: Range<usize>,
    scales: Range<usize>,
    rows: Range<usize>,
}

/// A turned vector with the same in fixed point.
#[derive(Debug, Clone)]
pub(crate) struct FixedPoint {
    values: Vec<i16>,
    scale: f32,
}

/// A query's vector as one index compares it with its rows.
#[derive(Debug, Clone)]
pub(crate) struct QueryVector {
    turned: Vec<f32>,
    fixed: FixedPoint,
    /// Its product with the mean of all rows.
    with_mean: f32,
}

/// What rows are worth besides their vectors.
#[derive(Clone, Copy)]
pub(crate) struct Scores<'a> {
    /// By row.
    pub(crate) of: &'a [f32],
    /// The rows that have any, in no order.
    pub(crate) rows: &'a [usize],
}

impl FixedPoint {
    /// As wide as the sum over a row allows in 32 bits; `None` where the vector is all zeros or not finite: it points nowhere.
    pub(crate) fn new(turned: &[f32]) -> Option<Self> {
        let largest = turned.iter().fold(0.0f32, |max, x| max.max(x.abs()));
        if turned.iter().any(|x| !x.is_finite()) || largest <= 0.0 {
            return None;
        }
        let dimensions = i32::try_from(turned.len()).ok()?;
        let limit = i16::try_from(i32::MAX / 128 / dimensions).unwrap_or(i16::MAX);
        let scale = largest / f32::from(limit);
        let values = turned.iter().map(|x| to_i16(x / scale)).collect();
        Some(Self { values, scale })
    }

    /// The product with an int8 row.
    #[inline]
    pub(crate) fn product(&self, row: &[u8]) -> f32 {
        to_f32(simd::dot(row, &self.values)) * self.scale
    }
}

impl Vectors {
    pub(crate) fn open(file: Bytes) -> Result<Self, InvalidFile> {
        let layout = Layout::of(&file).ok_or(InvalidFile::Vectors)?;
        let mean: Vec<f32> = file[layout.mean.clone()]
            .as_chunks()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let mut starts = vec![0];
        for cluster in file[layout.clusters.clone()].chunks_exact(CLUSTER_BYTES) {
            let before = starts.last().copied().unwrap_or_default();
            starts.push(before + u32_at(cluster, 0).map_or(0, index));
        }
        let vectors = Self {
            file,
            layout,
            fixed_mean: FixedPoint::new(&mean),
            mean_with_itself: mean.iter().map(|x| x * x).sum(),
            mean,
            starts,
        };
        let last = vectors.starts.last().copied();
        if vectors.starts.len() > 1 && last != Some(vectors.len()) {
            return Err(InvalidFile::Vectors);
        }
        Ok(vectors)
    }

    pub(crate) fn len(&self) -> usize {
        self.layout.scales.len() / 4
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.layout.dimensions
    }

    /// `None` where the vector has other dimensions or points nowhere.
    pub(crate) fn query(&self, vector: &[f32]) -> Option<QueryVector> {
        if vector.len() != self.dimensions() {
            return None;
        }
        self.turned_query(rotate(vector))
    }

    /// The vector of one row; `None` where there is no such row or it is all zeros.
    pub(crate) fn query_of(&self, row: usize) -> Option<QueryVector> {
        /// What rounding leaves of a vector of zeros is shorter.
        const NOWHERE: f32 = 0.1;
        let values = self.values(row)?;
        let scale = self.scale(row)?;
        let turned: Vec<f32> = values
            .iter()
            .zip(&self.mean)
            .map(|(value, mean)| f32::from(value.cast_signed()) * scale + mean)
            .collect();
        let squares: f32 = turned.iter().map(|x| x * x).sum();
        if squares < NOWHERE * NOWHERE {
            return None;
        }
        self.turned_query(turned)
    }

    fn turned_query(&self, turned: Vec<f32>) -> Option<QueryVector> {
        let fixed = FixedPoint::new(&turned)?;
        let with_mean = turned.iter().zip(&self.mean).map(|(a, b)| a * b).sum();
        Some(QueryVector {
            turned,
            fixed,
            with_mean,
        })
    }

    /// The rows nearest to `query` with their cosines, in no order: very nearly all of the `count` nearest are among them.
    /// With `scores`, nearest is what cosine and score make together. Where not every row is admitted, all are looked at.
    pub(crate) fn nearest(
        &self,
        query: &QueryVector,
        scores: Option<Scores<'_>>,
        count: usize,
        admits: Option<&dyn Fn(usize) -> bool>,
    ) -> Vec<(usize, f32)> {
        let exactly = |row| (row, self.cosine(row, query));
        let admitted = |row: usize| admits.is_none_or(|admits| admits(row));
        if self.layout.codes.is_empty() {
            return (0..self.len())
                .filter(|&row| admitted(row))
                .map(exactly)
                .collect();
        }
        let keep = (self.len() / ROWS_PER_RESCORED)
            .clamp(*RESCORED.start(), *RESCORED.end())
            .max(count);
        let codes = CodeQuery::new(&query.turned);
        let blocks = &self.file[self.layout.codes.clone()];
        let total = self.len().div_ceil(LANES);
        let of = scores.map(|scores| scores.of);
        let mut rows = if admits.is_some() || self.starts.len() == 1 {
            first_look(blocks, 0..total, self.len(), &codes, of, keep, admitted)
        } else {
            let near = self.blocks_near(query, total);
            let near = near.iter().enumerate().filter(|(_, near)| **near);
            let numbers = near.map(|(number, _)| number);
            let mut rows = first_look(blocks, numbers, self.len(), &codes, of, keep, admitted);
            // What has the most words may lie anywhere.
            if let Some(Scores { of, rows: scored }) = scores {
                let mut best = Best::new(count);
                for &row in scored {
                    best.take(row, of[row]);
                }
                rows.extend(best.rows());
            }
            rows
        };
        // In the order they lie in memory, and asked for some time before they are needed.
        rows.sort_unstable();
        rows.dedup();
        let later = rows
            .iter()
            .skip(ROWS_AHEAD)
            .map(Some)
            .chain(std::iter::repeat(None));
        rows.iter()
            .zip(later)
            .map(|(&row, later)| {
                if let Some(values) = later.and_then(|&later| self.values(later)) {
                    simd::expect(values);
                }
                exactly(row)
            })
            .collect()
    }

    /// How much a row is like all rows together: its product with their mean.
    pub(crate) fn commonness(&self, row: usize) -> f32 {
        let (Some(values), Some(scale)) = (self.values(row), self.scale(row)) else {
            return 0.0;
        };
        let product = self
            .fixed_mean
            .as_ref()
            .map(|mean| mean.product(values) * scale);
        product.unwrap_or_default() + self.mean_with_itself
    }

    /// Which blocks have rows of the clusters nearest to `query`.
    fn blocks_near(&self, query: &QueryVector, total: usize) -> Vec<bool> {
        let width = self.mean.len();
        let clusters = self.file[self.layout.clusters.clone()].chunks_exact(CLUSTER_BYTES);
        let centres = self.file[self.layout.centres.clone()].chunks_exact(width);
        let mut nearest: Vec<(f32, usize)> = clusters
            .zip(centres)
            .enumerate()
            .map(|(number, (cluster, centre))| {
                let scale = f32_at(cluster, 4).unwrap_or_default();
                let reach = f32_at(cluster, 8).unwrap_or_default();
                (query.fixed.product(centre) * scale + reach, number)
            })
            .collect();
        let probed = probed(nearest.len());
        if probed < nearest.len() {
            nearest.select_nth_unstable_by(probed, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            nearest.truncate(probed);
        }
        let mut near = vec![false; total];
        for (_, number) in nearest {
            let rows = self.starts[number]..self.starts[number + 1];
            if !rows.is_empty() {
                near[rows.start / LANES..=(rows.end - 1) / LANES].fill(true);
            }
        }
        near
    }

    /// The numbers of one row.
    fn values(&self, row: usize) -> Option<&[u8]> {
        let width = self.mean.len();
        slice(
            &self.file[self.layout.rows.clone()],
            row.checked_mul(width)?,
            width,
        )
    }

    fn scale(&self, row: usize) -> Option<f32> {
        f32_at(&self.file[self.layout.scales.clone()], row.checked_mul(4)?)
    }

    /// The cosine of one row with `query`; 0 for none.
    pub(crate) fn cosine(&self, row: usize, query: &QueryVector) -> f32 {
        let exact = || {
            let product = query.fixed.product(self.values(row)?) * self.scale(row)?;
            let cosine = product + query.with_mean;
            cosine.is_finite().then_some(cosine)
        };
        exact().unwrap_or_default()
    }
}

impl Layout {
    fn of(file: &[u8]) -> Option<Self> {
        if slice(file, 0, 8)? != MAGIC || u32_at(file, 8)? != VERSION {
            return None;
        }
        let number = |at: usize| u32_at(file, at).map(index);
        let (dimensions, count) = (number(12)?, number(16)?);
        let (blocks, cluster_count) = (number(20)?, number(24)?);
        let zeros = slice(file, 28, HEADER_BYTES - 28)?;
        let width = turned_dimensions(dimensions);
        let total = file.len();
        let mean = section(HEADER_BYTES, width, 4, total)?;
        let clusters = section(mean.end, cluster_count, CLUSTER_BYTES, total)?;
        let centres = section(clusters.end, cluster_count, width, total)?;
        let codes = section(centres.end, blocks, block_bytes(dimensions), total)?;
        let scales = section(codes.end, count, 4, total)?;
        let rows = section(scales.end, count, width, total)?;
        let whole = rows.end == total && zeros.iter().all(|&byte| byte == 0);
        let expected_blocks = coded_blocks(count, dimensions);
        (whole && dimensions > 0 && blocks == expected_blocks).then_some(Self {
            dimensions,
            mean,
            clusters,
            centres,
            codes,
            scales,
            rows,
        })
    }
}

/// How many of so many clusters are looked at.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts"
)]
fn probed(clusters: usize) -> usize {
    let probed = PROBED_FACTOR * (clusters as f32).powf(PROBED_EXPONENT);
    (probed as usize).clamp(1, clusters.max(1))
}

/// How many blocks of codes there are for so many rows.
fn coded_blocks(rows: usize, dimensions: usize) -> usize {
    if rows < CODED_ROWS || dimensions > MAX_DIMENSIONS {
        0
    } else {
        rows.div_ceil(LANES)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float-to-integer cast saturates, and the callers scale into the range"
)]
fn to_i16(value: f32) -> i16 {
    value.round() as i16
}

#[expect(
    clippy::cast_precision_loss,
    reason = "24 bits of a sum are far more than the int8 rows carry"
)]
fn to_f32(value: i32) -> f32 {
    value as f32
}
