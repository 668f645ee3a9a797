//! Damaged vectors, asked everything that a query asks.

use std::sync::LazyLock;

use bolero::TypeGenerator;

use super::*;
use crate::artifact::{
    FileName,
    fuzz::{Damage, built, damaged},
};

const DIMENSIONS: usize = 8;

#[derive(Debug, TypeGenerator)]
struct Given {
    base: u8,
    damage: Vec<Damage>,
    query: [i8; DIMENSIONS],
    count: u8,
    scored: Vec<u16>,
    admits: Option<u8>,
}

/// Few rows, which have no codes; more, which have; and these in clusters.
static BASES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    [
        built(FileName::Vectors),
        written(&[]),
        written(&[1_000, 1_001, 99]),
    ]
});

fn written(clusters: &[u32]) -> Vec<u8> {
    let row = |row: usize| TurnedRow {
        values: (0..DIMENSIONS)
            .map(|at| u8::try_from((row * 31 + at * 7) % 256).expect("a byte"))
            .collect(),
        scale: 0.01,
    };
    let cluster = |(number, rows): (usize, &u32)| Cluster {
        rows: *rows,
        centre: row(number * 700).values,
        scale: 0.01,
        reach: 0.1,
    };
    let clusters: Vec<Cluster> = clusters.iter().enumerate().map(cluster).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("vectors");
    let mean = [0.1; DIMENSIONS];
    write(&path, DIMENSIONS, &mean, &clusters, 2_100, |at| Ok(row(at))).expect("written");
    std::fs::read(path).expect("a file")
}

fn check_rows(rows: &[(usize, f32)], count: usize) {
    assert!(
        rows.iter()
            .all(|(row, cosine)| *row < count && cosine.is_finite())
    );
    let mut numbers: Vec<usize> = rows.iter().map(|(row, _)| *row).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), rows.len(), "none comes twice");
}

#[test]
fn damaged_vectors_are_refused_or_answer() {
    let target = bolero::check!().with_iterations(200);
    target.with_type::<Given>().for_each(|given: &Given| {
        let base = &BASES[usize::from(given.base) % BASES.len()];
        let file = damaged(base, &given.damage);
        let Ok(vectors) = Vectors::open(file.clone()) else {
            return;
        };
        let count = vectors.len();
        assert!(vectors.dimensions() <= file.len() && count <= file.len());
        let mut of = vec![0.0; count];
        let mut rows: Vec<usize> = given.scored.iter().map(|&row| row.into()).collect();
        rows.retain(|row| *row < count);
        rows.sort_unstable();
        rows.dedup();
        rows.iter().for_each(|row| of[*row] = 1.0);
        let scores = Scores {
            of: &of,
            rows: &rows,
        };
        let admits = given
            .admits
            .map(|of| move |row: usize| row % 256 >= of.into());
        let admits = admits
            .as_ref()
            .map(|admits| admits as &dyn Fn(usize) -> bool);
        let numbers = given.query.iter().cycle().take(vectors.dimensions());
        let query: Vec<f32> = numbers.map(|&x| f32::from(x)).collect();
        let queries = [
            vectors.query(&query),
            vectors.query_of(0),
            vectors.query_of(usize::MAX),
        ];
        for query in queries.iter().flatten() {
            for scores in [None, Some(scores)] {
                let near = vectors.nearest(query, scores, given.count.into(), admits);
                check_rows(&near, count);
            }
            assert!(vectors.cosine(count, query) == 0.0);
        }
        for row in 0..count.min(64) + 1 {
            let _ = vectors.commonness(row);
        }
    });
}
