//! Writes a vectors file.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    CLUSTER_BYTES, HEADER_BYTES, MAGIC, VERSION, block_bytes, coded_blocks, codes, to_f32, to_i16,
    turned_dimensions,
};
use crate::{artifact::Sections, layout::number};

/// A turned row less the mean, in fixed point: `scale` times `values` has the row's own product with itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnedRow {
    pub(crate) values: Vec<u8>,
    pub(crate) scale: f32,
}

/// Rows that lie together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cluster {
    pub(crate) rows: u32,
    /// The mean of the rows, times `scale`.
    pub(crate) centre: Vec<u8>,
    pub(crate) scale: f32,
    /// How much nearer than the centre a cluster's nearest row may be expected to be.
    pub(crate) reach: f32,
}

/// Writes rows in their order, of `dimensions` before they were turned, to a new file; gives what it consists of.
///
/// # Errors
/// Whatever writing or `row` fails with.
pub(crate) fn write(
    path: &Path,
    dimensions: usize,
    mean: &[f32],
    clusters: &[Cluster],
    count: usize,
    mut row: impl FnMut(usize) -> io::Result<TurnedRow>,
) -> io::Result<Sections> {
    let width = turned_dimensions(dimensions);
    let blocks = coded_blocks(count, dimensions);
    let sections = [
        ("header", HEADER_BYTES),
        ("mean", 4 * width),
        ("clusters", CLUSTER_BYTES * clusters.len()),
        ("centres", width * clusters.len()),
        ("codes", blocks * block_bytes(dimensions)),
        ("scales", 4 * count),
        ("rows", width * count),
    ];
    let mut head = Vec::new();
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    for value in [dimensions, count, blocks, clusters.len()] {
        head.extend_from_slice(&number(value)?);
    }
    head.resize(HEADER_BYTES, 0);
    mean.iter()
        .for_each(|x| head.extend_from_slice(&x.to_le_bytes()));
    for cluster in clusters {
        head.extend_from_slice(&cluster.rows.to_le_bytes());
        head.extend_from_slice(&cluster.scale.to_le_bytes());
        head.extend_from_slice(&cluster.reach.to_le_bytes());
    }
    clusters
        .iter()
        .for_each(|cluster| head.extend_from_slice(&cluster.centre));
    File::create(path)?.write_all(&head)?;
    // One pass over the rows writes to three places.
    let place = |names: usize| -> io::Result<BufWriter<File>> {
        let before: usize = sections[..names].iter().map(|(_, len)| len).sum();
        let mut file = File::options().write(true).open(path)?;
        file.seek(SeekFrom::Start(before as u64))?;
        Ok(BufWriter::with_capacity(1 << 18, file))
    };
    let (mut code_place, mut scale_place, mut row_place) = (place(4)?, place(5)?, place(6)?);
    let mut writer = (blocks > 0).then(|| codes::Writer::new(dimensions));
    for place in 0..count {
        let TurnedRow { values, scale } = row(place)?;
        if let Some(writer) = &mut writer {
            writer.add(&values, scale, &mut code_place)?;
        }
        scale_place.write_all(&scale.to_le_bytes())?;
        row_place.write_all(&values)?;
    }
    if let Some(writer) = writer {
        writer.finish(&mut code_place)?;
    }
    for mut place in [code_place, scale_place, row_place] {
        place.flush()?;
    }
    Ok(Sections::of(&sections))
}

/// A turned row in fixed point. The scale is such that the row's product with itself, which rounding has shortened, is right
/// again, so that the nearest rows are not told to be farther than they are.
pub(crate) fn quantise(turned: &[f32]) -> (Vec<u8>, f32) {
    let largest = turned.iter().fold(0.0f32, |max, x| max.max(x.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        return (vec![0; turned.len()], 0.0);
    }
    let step = largest / 127.0;
    let values: Vec<i8> = turned
        .iter()
        .map(|x| i8::try_from(to_i16(x / step)).unwrap_or_default())
        .collect();
    let squares: f32 = turned.iter().map(|x| x * x).sum();
    let product: f32 = turned
        .iter()
        .zip(&values)
        .map(|(x, value)| x * to_f32(i32::from(*value)))
        .sum();
    let values = values.into_iter().map(i8::cast_unsigned).collect();
    (values, squares / product.max(f32::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Scores, Vectors, rotate},
        *,
    };

    /// A file of `vectors` whose clusters are so many rows each.
    fn written(vectors: &[Vec<f32>], sizes: &[u32]) -> Vectors {
        let dimensions = vectors[0].len();
        let turned: Vec<Vec<f32>> = vectors.iter().map(|vector| rotate(vector)).collect();
        let mean: Vec<f32> = (0..turned[0].len())
            .map(|d| turned.iter().map(|row| row[d]).sum::<f32>() / turned.len() as f32)
            .collect();
        let rows: Vec<TurnedRow> = turned
            .iter()
            .map(|row| {
                let less_mean: Vec<f32> = row.iter().zip(&mean).map(|(x, m)| x - m).collect();
                let (values, scale) = quantise(&less_mean);
                TurnedRow { values, scale }
            })
            .collect();
        let mut first = 0;
        let clusters: Vec<Cluster> = sizes
            .iter()
            .map(|&size| {
                let TurnedRow { values, scale } = rows[first].clone();
                first += size as usize;
                Cluster {
                    rows: size,
                    centre: values,
                    scale,
                    reach: 0.0,
                }
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let row = |place: usize| Ok(rows[place].clone());
        let sections = write(&path, dimensions, &mean, &clusters, rows.len(), row).unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(sections.total(), bytes.len());
        Vectors::open(bytes.into()).unwrap()
    }

    #[test]
    fn cosines_are_those_of_the_floats() {
        let vectors = written(
            &[
                vec![1.0, 0.0, 0.0],
                vec![0.6, 0.8, 0.0],
                vec![0.0; 3],
                vec![-0.6, 0.0, 0.8],
            ],
            &[],
        );
        let query = vectors.query(&[0.6, 0.8, 0.0]).unwrap();
        for ((row, cosine), expected) in vectors
            .nearest(&query, None, 4, None)
            .into_iter()
            .zip([0.6, 1.0, 0.0, -0.36])
        {
            assert!((cosine - expected).abs() < 0.01, "{row}: {cosine}");
        }
        assert!(vectors.query_of(2).is_none() && vectors.query_of(4).is_none());
        assert!(vectors.query(&[1.0; 4]).is_none() && vectors.query(&[0.0; 3]).is_none());
    }

    #[test]
    fn the_longest_sum_stays_in_32_bits() {
        for dimensions in [1, 255, 256, 1024, 4096] {
            let mut vectors = vec![vec![1.0; dimensions], vec![-1.0; dimensions]];
            let length = (dimensions as f32).sqrt();
            vectors.iter_mut().flatten().for_each(|x| *x /= length);
            let file = written(&vectors, &[]);
            let cosine = file.cosine(0, &file.query(&vectors[0]).unwrap());
            assert!((cosine - 1.0).abs() < 1e-2, "{dimensions}: {cosine}");
        }
    }

    /// Three clusters of 1,000 rows about an axis each, and a query on the first.
    #[test]
    fn far_clusters_are_looked_at_for_words_and_for_conditions_only() {
        let vectors: Vec<Vec<f32>> = (0..3_000)
            .map(|row| {
                let mut vector = vec![0.01; 16];
                vector[row / 1_000] = 1.0;
                vector[3 + row % 13] = 0.3;
                vector
            })
            .collect();
        let file = written(&vectors, &[1_000; 3]);
        let mut near_first = vec![0.0; 16];
        near_first[0] = 1.0;
        let query = file.query(&near_first).unwrap();
        let found = |scores: Option<Scores<'_>>, admits: Option<&dyn Fn(usize) -> bool>| {
            let near = file.nearest(&query, scores, 10, admits);
            near.into_iter().map(|(row, _)| row).collect::<Vec<_>>()
        };
        // A block may belong to two clusters.
        assert!(found(None, None).iter().all(|&row| row < 1_024));
        let of: Vec<f32> = (0..3_000).map(|row| f32::from(row == 2_500)).collect();
        let scores = Scores {
            of: &of,
            rows: &[2_500],
        };
        assert!(found(Some(scores), None).contains(&2_500));
        let admits = |row: usize| row >= 2_990;
        let admitted = found(None, Some(&admits));
        assert_eq!(admitted, (2_990..3_000).collect::<Vec<_>>());
    }
}
