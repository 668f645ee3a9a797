//! Which rows lie together: k-means in two levels over unit vectors.

use std::io;

use super::{Stage, spool::Records, step, turned_row};
use crate::{
    artifact::vectors::{Cluster, FixedPoint, TurnedRow, quantise},
    tuning::{CLUSTERED_ROWS, CLUSTERS, LEARNING_ROUNDS, LEARNT_FROM, REACH},
};

/// The order of rows, by the places where their items came in, and what lies together in it.
pub(super) struct Partition {
    pub(super) places: Vec<u32>,
    pub(super) clusters: Vec<Cluster>,
}

/// Arranges rows, which are given in the order of their items' numbers and stay in it where they are few.
pub(super) async fn partition(
    places: Vec<u32>,
    turned: &mut Records,
    progress: &mut (dyn FnMut(Stage, usize, usize) + Send),
) -> io::Result<Partition> {
    let count = places.len();
    if count < CLUSTERED_ROWS {
        return Ok(Partition {
            places,
            clusters: Vec::new(),
        });
    }
    let clusters = CLUSTERS * to_f32(count).sqrt();
    let groups = to_usize(clusters.sqrt());
    let mut learnt_from = Vec::new();
    for &place in places
        .iter()
        .step_by((count / (groups * LEARNT_FROM)).max(1))
    {
        learnt_from.push(turned_row(turned, place)?);
    }
    let centres = k_means(&learnt_from, groups);
    let mut members = vec![Vec::new(); centres.len()];
    for (done, place) in (1..).zip(places) {
        let row = turned_row(turned, place)?;
        members[nearest(&centres, &row.values)].push(place);
        step(progress, Stage::Grouping, done, count).await;
    }
    let mut arranged = Partition {
        places: Vec::with_capacity(count),
        clusters: Vec::new(),
    };
    for members in members {
        let rows: Vec<TurnedRow> = members
            .iter()
            .map(|&place| turned_row(turned, place))
            .collect::<io::Result<_>>()?;
        let wanted = to_usize(clusters * to_f32(members.len()) / to_f32(count)).max(1);
        let centres = k_means(&rows, wanted);
        let mut parts = vec![Vec::new(); centres.len()];
        for (number, row) in rows.iter().enumerate() {
            parts[nearest(&centres, &row.values)].push(number);
        }
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let rows: Vec<&TurnedRow> = part.iter().map(|&number| &rows[number]).collect();
            arranged.clusters.push(cluster(&rows));
            let part = part.iter().map(|&number| members[number]);
            arranged.places.extend(part);
        }
        progress(Stage::Arranging, arranged.places.len(), count);
        tokio::task::yield_now().await;
    }
    Ok(arranged)
}

/// Centres of `wanted` clusters, or fewer.
fn k_means(rows: &[TurnedRow], wanted: usize) -> Vec<FixedPoint> {
    let step = (rows.len() / wanted.max(1)).max(1);
    let first = rows.iter().step_by(step).take(wanted);
    let mut centres: Vec<FixedPoint> = first.filter_map(|row| unit(&floats(row))).collect();
    for _ in 0..LEARNING_ROUNDS {
        let width = rows.first().map_or(0, |row| row.values.len());
        let mut sums = vec![vec![0.0; width]; centres.len()];
        for row in rows {
            if let Some(sum) = sums.get_mut(nearest(&centres, &row.values)) {
                add(sum, row);
            }
        }
        centres = sums.iter().filter_map(|sum| unit(sum)).collect();
    }
    if centres.is_empty() {
        // Rows that are all alike.
        centres.extend(FixedPoint::new(&[1.0; 8]));
    }
    centres
}

/// The place of the centre that is nearest in direction.
fn nearest(centres: &[FixedPoint], row: &[u8]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (place, centre) in centres.iter().enumerate() {
        let product = centre.product(row);
        if product > best.1 {
            best = (place, product);
        }
    }
    best.0
}

fn cluster(rows: &[&TurnedRow]) -> Cluster {
    let count = to_f32(rows.len());
    let width = rows.first().map_or(0, |row| row.values.len());
    let mut mean = vec![0.0; width];
    rows.iter().for_each(|row| add(&mut mean, row));
    mean.iter_mut().for_each(|x| *x /= count);
    let squares = |values: &[f32]| values.iter().map(|x| x * x).sum::<f32>();
    let of_rows = rows.iter().map(|row| squares(&floats(row))).sum::<f32>() / count;
    let spread = (of_rows - squares(&mean)).max(0.0);
    let (centre, scale) = quantise(&mean);
    Cluster {
        rows: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        centre,
        scale,
        reach: REACH * (spread / to_f32(width.max(1))).sqrt(),
    }
}

fn add(sum: &mut [f32], row: &TurnedRow) {
    for (sum, value) in sum.iter_mut().zip(&row.values) {
        *sum += f32::from(value.cast_signed()) * row.scale;
    }
}

fn floats(row: &TurnedRow) -> Vec<f32> {
    let mut floats = vec![0.0; row.values.len()];
    add(&mut floats, row);
    floats
}

/// The direction of a vector, if it has one.
fn unit(vector: &[f32]) -> Option<FixedPoint> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let unit: Vec<f32> = vector.iter().map(|x| x / length).collect();
    FixedPoint::new(&unit)
}

#[expect(clippy::cast_precision_loss, reason = "a count of rows")]
fn to_f32(count: usize) -> f32 {
    count as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of clusters"
)]
fn to_usize(count: f32) -> usize {
    count as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 8;

    /// A row near one of a hundred directions.
    fn row(number: usize) -> Vec<u8> {
        let mut state = u32::try_from(number % 100).unwrap() * 2_654_435;
        let further = i8::try_from(number / 100 % 7).unwrap();
        let mut values = [0i8; WIDTH];
        for (value, step) in values.iter_mut().zip([0, 1, 2].into_iter().cycle()) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [.., near] = state.to_le_bytes();
            *value = (near.cast_signed() / 2).saturating_add(further * step);
        }
        let mut record = 0.01f32.to_le_bytes().to_vec();
        record.extend(values.map(i8::cast_unsigned));
        record
    }

    /// The rows in the order their items came, and the places in the order of the items' numbers.
    async fn arranged(
        came: impl Iterator<Item = usize>,
        count: usize,
    ) -> (Vec<usize>, Vec<Cluster>) {
        let folder = tempfile::tempdir().unwrap();
        let mut turned = Records::new(folder.path(), 4 + WIDTH).unwrap();
        let came: Vec<usize> = came.collect();
        let mut places = vec![0; count];
        for (place, &number) in (0..).zip(&came) {
            turned.push(&row(number)).unwrap();
            places[number] = place;
        }
        let done = partition(places, &mut turned, &mut |_, _, _| {})
            .await
            .unwrap();
        let numbers = done
            .places
            .iter()
            .map(|&place| came[place as usize])
            .collect();
        (numbers, done.clusters)
    }

    #[tokio::test]
    async fn every_row_is_in_one_cluster_whatever_order_the_items_came_in() {
        let count = CLUSTERED_ROWS + 77;
        let (numbers, clusters) = arranged(0..count, count).await;
        let rows: u32 = clusters.iter().map(|cluster| cluster.rows).sum();
        assert_eq!(rows as usize, count);
        assert!(clusters.len() > 90, "{}", clusters.len());
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..count).collect::<Vec<_>>());
        let reversed = arranged((0..count).rev(), count).await;
        assert!(
            reversed == (numbers, clusters),
            "the order they came in shows"
        );
    }

    #[tokio::test]
    async fn few_rows_stay_in_the_order_of_their_numbers() {
        let (numbers, clusters) = arranged([2, 0, 1].into_iter(), 3).await;
        assert_eq!((numbers, clusters), (vec![0, 1, 2], Vec::new()));
    }
}
