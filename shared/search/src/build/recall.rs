//! How many of the nearest a look finds.

use std::io;

use bytes::Bytes;

use crate::artifact::{Artifact, FileName, vectors::Vectors};

/// Neighbours that are looked for.
const NEIGHBOURS: usize = 10;

/// The share of the ten nearest rows of each of `sample` rows, found by an exact scan of all, that is found by a look as questions
/// take one. The whole vectors file is in memory meanwhile.
///
/// # Errors
/// Where the vectors file cannot be read.
pub fn recall(artifact: &Artifact, sample: usize) -> io::Result<f64> {
    let file = Bytes::from(artifact.read(FileName::Vectors)?);
    let vectors = Vectors::open(file).map_err(io::Error::other)?;
    let (mut wanted, mut found) = (0u32, 0u32);
    for row in (0..vectors.len()).step_by(vectors.len().div_ceil(sample.max(1)).max(1)) {
        let Some(query) = vectors.query_of(row) else {
            continue;
        };
        let all = (0..vectors.len()).map(|other| (other, vectors.cosine(other, &query)));
        let exact = nearest(all, row);
        let near = nearest(vectors.nearest(&query, None, NEIGHBOURS + 1, None), row);
        for (other, _) in exact {
            wanted += 1;
            found += u32::from(near.iter().any(|(near, _)| *near == other));
        }
    }
    Ok(f64::from(found) / f64::from(wanted.max(1)))
}

fn nearest(rows: impl IntoIterator<Item = (usize, f32)>, but: usize) -> Vec<(usize, f32)> {
    let mut rows: Vec<(usize, f32)> = rows.into_iter().filter(|(row, _)| *row != but).collect();
    let order = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if rows.len() > NEIGHBOURS {
        rows.select_nth_unstable_by(NEIGHBOURS, order);
        rows.truncate(NEIGHBOURS);
    }
    rows
}
