//! `prove quality`: how well the search finds what was judged right, by keywords alone, by vectors alone, and fused.

mod off_topic;
mod recognition;

use std::io::{Write, stdout};
use std::{collections::BTreeMap, sync::Arc};

use anyhow::Context;
use mostrador_core::{
    retrieval::Retrieval,
    shop::Profile,
    understand::{Route, route},
};
use mostrador_local::{
    StoreOptions,
    import::{self, bring_in},
    index::publish_if_needed,
    profile,
    stores::Stores,
};
use mostrador_search::{load::Loader, query::Generation};
use serde::Deserialize;
use time::OffsetDateTime;

use crate::cli::QualityOptions;

/// The judgments, made over the demo catalogue.
const JUDGMENTS: &str = include_str!("../quality.jsonl");
/// How far down the list a first right answer still counts.
const DEPTH: usize = 10;

/// What the fused search must keep, by group: recall@5 and MRR.
const KEPT: [(Group, f64, f64); 4] = [
    (Group::Known, 0.99, 0.99),
    (Group::Typos, 0.99, 0.99),
    (Group::Meaning, 0.63, 0.52),
    (Group::Filters, 1.0, 1.0),
];

#[derive(Debug, Deserialize)]
struct Judgment {
    class: String,
    query: String,
    relevant: Vec<u64>,
}

/// What kind of question a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Known,
    Typos,
    Meaning,
    Filters,
}

impl Group {
    fn of(class: &str) -> Self {
        match class {
            "title_typo" | "author_typo" => Self::Typos,
            "meaning_es" | "meaning_en" => Self::Meaning,
            "filter" => Self::Filters,
            _ => Self::Known,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Known => "known items",
            Self::Typos => "with typos",
            Self::Meaning => "meaning",
            Self::Filters => "filters",
        }
    }
}

/// Sums over the questions of a class, and their number.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    questions: f64,
    recall_1: f64,
    recall_5: f64,
    mrr: f64,
}

impl Figures {
    fn of(found: &[u64], relevant: &[u64]) -> Self {
        let first = found.iter().position(|id| relevant.contains(id));
        Self {
            questions: 1.0,
            recall_1: recall(found, relevant, 1),
            recall_5: recall(found, relevant, 5),
            mrr: first.map_or(0.0, |rank| 1.0 / (count(rank) + 1.0)),
        }
    }

    fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.recall_1 += other.recall_1;
        self.recall_5 += other.recall_5;
        self.mrr += other.mrr;
    }

    fn mean(self) -> Self {
        let share = |sum: f64| sum / self.questions.max(1.0);
        Self {
            questions: self.questions,
            recall_1: share(self.recall_1),
            recall_5: share(self.recall_5),
            mrr: share(self.mrr),
        }
    }
}

/// The share of what can be right among the first `depth` that is.
fn recall(found: &[u64], relevant: &[u64], depth: usize) -> f64 {
    let right = found.iter().take(depth).filter(|id| relevant.contains(id));
    count(right.count()) / count(relevant.len().min(depth).max(1))
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred")]
fn count(n: usize) -> f64 {
    n as f64
}

/// Keywords alone, vectors alone, fused.
type Ways = [Figures; 3];

/// Asks every judged question three ways and prints the table; fails where the fused search falls below what is kept, or in
/// any class below one of its halves.
pub(crate) async fn quality(options: QualityOptions) -> anyhow::Result<()> {
    if let Some(folder) = options.utterances {
        return recognition::measure(&folder);
    }
    let stores = Stores::open(&StoreOptions {
        ephemeral: true,
        ..StoreOptions::default()
    })
    .await?;
    bring_in(&stores, &import::demo()?).await?;
    publish_if_needed(&stores).await?;
    let loader = Arc::new(Loader::new(stores.index.clone()));
    let generation = loader.generation().await.context("no index")?;
    profile::publish_demo(&stores).await?;
    // Of no settings: without a model.
    let wiring = stores.wiring(Box::new(|_| None));
    let engine = wiring.turn_engine_of_function().await?;
    let retrieval = Retrieval {
        index: loader,
        catalogue: Arc::new(stores.catalogue()),
        shop: wiring.shop().await?,
    };

    let mut classes: BTreeMap<(Group, String), Ways> = BTreeMap::new();
    for line in JUDGMENTS.lines().filter(|line| !line.starts_with('#')) {
        let judgment: Judgment = serde_json::from_str(line).context("a judgment")?;
        let found = ask(&retrieval, &generation, &judgment.query).await;
        let figures = found
            .each_ref()
            .map(|ids| Figures::of(ids, &judgment.relevant));
        if options.misses && (figures[2].recall_1 < 1.0 || figures[2].recall_5 < 1.0) {
            writeln!(
                stdout(),
                "{}: {:?} should find {:?}, found {:?}",
                judgment.class,
                judgment.query,
                judgment.relevant,
                &found[2][..found[2].len().min(5)]
            )?;
        }
        let class = (Group::of(&judgment.class), judgment.class);
        let ways = classes.entry(class).or_default();
        for (sum, figures) in ways.iter_mut().zip(figures) {
            sum.add(figures);
        }
    }

    writeln!(
        stdout(),
        "| questions | | keywords: recall@1, @5, MRR | vectors | fused |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    let mut groups: BTreeMap<Group, Ways> = BTreeMap::new();
    let mut whole = Ways::default();
    for ((group, class), ways) in &classes {
        writeln!(stdout(), "{}", row(class, ways))?;
        for (way, figures) in ways.iter().enumerate() {
            groups.entry(*group).or_default()[way].add(*figures);
            whole[way].add(*figures);
        }
    }
    for (group, ways) in &groups {
        writeln!(stdout(), "{}", row(&format!("**{}**", group.name()), ways))?;
    }
    writeln!(stdout(), "{}", row("**all**", &whole))?;

    let mut failures = below_kept(&groups);
    for ((_, class), ways) in &classes {
        failures.extend(below_a_half(class, ways));
    }
    failures.extend(below_a_half("all", &whole));
    anyhow::ensure!(failures.is_empty(), "{}", failures.join("; "));
    off_topic::measure(&engine, &options.off_topic, options.misses).await
}

/// The ids that each way finds, best first.
async fn ask(retrieval: &Retrieval, generation: &Generation, message: &str) -> [Vec<u64>; 3] {
    let way = route(message, &Profile::default().currency);
    let now = OffsetDateTime::now_utc();
    let run = async |prefer_vector| {
        let found = retrieval
            .run(&way, message, DEPTH, prefer_vector, false, now)
            .await;
        found.results.iter().map(|item| item.libro_id).collect()
    };
    // What names a book by number is no question for vectors.
    let nearest = match way {
        Route::Search => generation.nearest(message, DEPTH).await,
        _ => Vec::new(),
    };
    let nearest = nearest.iter().map(|hit| hit.item.libro_id).collect();
    [run(false).await, nearest, run(true).await]
}

fn row(name: &str, ways: &Ways) -> String {
    let cells = ways.map(|sum| {
        let mean = sum.mean();
        format!("{:.2} {:.2} {:.3}", mean.recall_1, mean.recall_5, mean.mrr)
    });
    format!("| {name} | {} | {} |", ways[2].questions, cells.join(" | "))
}

fn below_kept(groups: &BTreeMap<Group, Ways>) -> Vec<String> {
    let mut failures = Vec::new();
    for (group, recall_5, mrr) in KEPT {
        let fused = groups
            .get(&group)
            .map_or(Figures::default(), |ways| ways[2].mean());
        for (what, measured, kept) in [
            ("recall@5", fused.recall_5, recall_5),
            ("MRR", fused.mrr, mrr),
        ] {
            if measured < kept {
                let name = group.name();
                failures.push(format!("{name}: {what} {measured:.3} is below {kept}"));
            }
        }
    }
    failures
}

/// Where the fused search is worse than keywords or vectors alone.
fn below_a_half(name: &str, ways: &Ways) -> Vec<String> {
    let [keywords, vectors, fused] = ways.map(Figures::mean);
    let mut shortfalls = Vec::new();
    for (half, alone) in [("keywords", keywords), ("vectors", vectors)] {
        for (what, fused, alone) in [
            ("recall@5", fused.recall_5, alone.recall_5),
            ("MRR", fused.mrr, alone.mrr),
        ] {
            if fused < alone {
                shortfalls.push(format!(
                    "{name}: {what} {fused:.3}, {half} alone {alone:.3}"
                ));
            }
        }
    }
    shortfalls
}
