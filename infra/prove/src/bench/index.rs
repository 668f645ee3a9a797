//! `prove bench index`: the search index over a catalogue of any size, in this process, on one thread.

use std::io::{Write, stdout};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use async_trait::async_trait;
use mostrador_core::{catalogue::Item, index::Index, index::IndexQuery};
use mostrador_local::{embedder, index::Bars};
use mostrador_reindex::Progress;
use mostrador_search::{
    artifact::{Artifact, FileName},
    build::{Builder, item_vectors},
    embedder::{EmbedError, Embedder, EmbedderIdentity, Purpose, StaticEmbedder},
    query::{Files, Generation},
};

use super::{
    catalogues::{read, volumes},
    percentile,
};
use crate::cli::IndexBenchOptions;

/// Queries of each class.
const QUERIES: usize = 300;
/// Items handed to the builder at once, as from a page of the catalogue table.
const BATCH: usize = 1_024;
/// Neighbours that recall is measured on.
const NEIGHBOURS: usize = 10;

pub(crate) async fn bench(options: IndexBenchOptions) -> anyhow::Result<()> {
    let originals = read(&options.file)?;
    anyhow::ensure!(
        !originals.is_empty(),
        "{} holds no items",
        options.file.display()
    );
    let wanted = options.items.and_then(|items| usize::try_from(items).ok());
    let count = wanted.unwrap_or(originals.len());
    let (embedder, _) = embedder::prepare_static().await?;
    let embedder = Arc::new(Jittered(embedder));

    let started = Instant::now();
    let mut builder = Builder::new(&*embedder)?;
    let mut bars = Bars::reading(count);
    let mut items = volumes(&originals, count);
    loop {
        let batch: Vec<_> = items.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        builder.add(&batch).await?;
        bars.update(Progress::Read(builder.len()));
    }
    let mut report = |stage, done, of| bars.update(Progress::At(stage, done, of));
    let artifact = builder.finish("", &mut report).await?;
    drop(bars);
    let built = started.elapsed();
    let sizes = FileName::ALL.map(|name| artifact.manifest.file(name).size_bytes);
    let peak_of_build = peak();
    writeln!(stdout(), "## {count} items\n")?;
    writeln!(stdout(), "| | |\n|---|---|")?;
    writeln!(
        stdout(),
        "| build, embedding included | {:.1} s |",
        built.as_secs_f64()
    )?;
    writeln!(
        stdout(),
        "| build, peak resident memory | {peak_of_build} |"
    )?;
    for name in FileName::ALL {
        let record = artifact.manifest.file(name);
        let sections = record.sections.iter();
        let sections = sections
            .filter(|section| section.size_bytes > 99_999)
            .map(|section| format!("{} {:.1}", section.name, megabytes(section.size_bytes)));
        writeln!(
            stdout(),
            "| {} | {:.1} MB ({}) |",
            name.as_str(),
            megabytes(record.size_bytes),
            sections.collect::<Vec<_>>().join(", ")
        )?;
    }
    writeln!(
        stdout(),
        "| artifact | {:.1} MB |",
        megabytes(sizes.iter().sum())
    )?;

    let (generation, opened) = open(&artifact, embedder.clone())?;
    let first = opened + timed(generation.search(&question("una historia de amor"))).await;
    writeln!(
        stdout(),
        "| buffer in memory to first answer | {:.1} ms |",
        ms(first)
    )?;
    let mut all = Vec::new();
    for (class, ask) in classes() {
        let mut times = Vec::new();
        for _ in 0..options.rounds {
            for (item, _) in sample(&originals) {
                times.push(timed(generation.search(&question(&ask(item)))).await);
            }
        }
        all.extend_from_slice(&times);
        writeln!(stdout(), "| query, {class} | {} |", spread(times))?;
    }
    writeln!(stdout(), "| **query, all** | {} |", spread(all))?;

    let texts: Vec<String> = sample(&originals).map(|(item, _)| meaning(item)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let queries = embedder.0.embed(&texts, Purpose::Query).await?;
    let mut times = Vec::new();
    let mut found = Vec::new();
    for _ in 0..options.rounds {
        found.clear();
        for query in &queries {
            let started = Instant::now();
            let rows = generation.nearest_numbers(query, NEIGHBOURS);
            times.push(started.elapsed());
            found.push(rows);
        }
    }
    let median_ms = percentile(&mut times, 50);
    writeln!(stdout(), "| vectors alone | {} |", spread(times))?;
    let exact = exact(volumes(&originals, count), &*embedder, &queries).await?;
    let right: usize = exact
        .nearest
        .iter()
        .zip(&found)
        .map(|(exact, found)| exact.iter().filter(|id| found.contains(id)).count())
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let recall = right as f64 / exact.nearest.iter().map(Vec::len).sum::<usize>() as f64;
    writeln!(
        stdout(),
        "| vectors alone, recall@{NEIGHBOURS} against exact floats | {recall:.4} |"
    )?;
    if let Some(folder) = &options.dump {
        let ours = serde_json::json!({
            "build_s": built.as_secs_f64(), "load_ms": ms(first), "mb": megabytes(sizes[0]), "recall": recall, "p50": median_ms,
        });
        dump(folder, &exact, &queries, &ours)?;
        writeln!(
            stdout(),
            "\nvectors, queries and true neighbours written to {}",
            folder.display()
        )?;
    }
    Ok(())
}

fn open(
    artifact: &Artifact,
    embedder: Arc<dyn Embedder>,
) -> anyhow::Result<(Generation, Duration)> {
    let files = FileName::ALL.map(|name| artifact.read(name));
    let [vectors, items, keywords] = files;
    let files = Files::copied([&vectors?, &items?, &keywords?])?;
    let started = Instant::now();
    let generation = Generation::open(&artifact.manifest, files, embedder)?;
    Ok((generation, started.elapsed()))
}

type Class = (&'static str, fn(&Item) -> String);

fn classes() -> [Class; 4] {
    [
        ("title", |item| item.titulo.clone()),
        ("title with a slip", |item| slip(&item.titulo)),
        ("title and author", |item| {
            let author = item.autor.split(',').next().unwrap_or_default();
            format!("{} {author}", item.titulo)
        }),
        ("meaning", meaning),
    ]
}

/// What an item is about, in some of its own words: eight from the middle of its synopsis, or its title.
fn meaning(item: &Item) -> String {
    let words: Vec<&str> = item.descripcion.split_whitespace().collect();
    if words.is_empty() {
        return item.titulo.clone();
    }
    let start = words.len().saturating_sub(8) / 2;
    words
        .iter()
        .skip(start)
        .take(8)
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The title with two letters swapped in the middle of its longest word.
fn slip(title: &str) -> String {
    let longest = title
        .split(' ')
        .max_by_key(|word| word.chars().count())
        .unwrap_or_default();
    let mut letters: Vec<char> = longest.chars().collect();
    let middle = letters.len() / 2;
    if middle > 0 {
        letters.swap(middle, middle - 1);
    }
    title.replacen(longest, &letters.iter().collect::<String>(), 1)
}

fn sample(items: &[(Item, u32)]) -> impl Iterator<Item = &(Item, u32)> {
    items.iter().step_by((items.len() / QUERIES).max(1))
}

fn question(text: &str) -> IndexQuery {
    IndexQuery {
        text: text.to_owned(),
        top_k: 10,
        prefer_vector: true,
        ..IndexQuery::default()
    }
}

async fn timed(work: impl Future) -> Duration {
    let started = Instant::now();
    std::hint::black_box(work.await);
    started.elapsed()
}

fn spread(mut times: Vec<Duration>) -> String {
    let mut at = |percent| percentile(&mut times, percent);
    format!("p50 {:.3} ms, p99 {:.3} ms", at(50), at(99))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("not known".to_owned(), |line| line.trim().to_owned())
}

/// All items as floats, and the true neighbours of the queries.
struct Exact {
    vectors: Vec<f32>,
    dimensions: usize,
    /// By item number.
    nearest: Vec<Vec<u64>>,
}

async fn exact(
    mut items: impl Iterator<Item = (Item, u32)>,
    embedder: &dyn Embedder,
    queries: &[Vec<f32>],
) -> anyhow::Result<Exact> {
    let dimensions = embedder.identity().dimensions;
    let (mut vectors, mut numbers) = (Vec::new(), Vec::new());
    loop {
        let batch: Vec<_> = items.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        numbers.extend(batch.iter().map(|(item, _)| item.libro_id));
        let batch: Vec<&(Item, u32)> = batch.iter().collect();
        for row in item_vectors(&batch, embedder, dimensions).await? {
            vectors.extend_from_slice(&row);
        }
    }
    let nearest = queries
        .iter()
        .map(|query| {
            let mut cosines: Vec<(f32, u64)> = vectors
                .chunks_exact(dimensions)
                .zip(&numbers)
                .map(|(row, number)| {
                    let cosine = row.iter().zip(query).map(|(a, b)| a * b).sum();
                    (cosine, *number)
                })
                .collect();
            let last = NEIGHBOURS.min(cosines.len()) - 1;
            cosines.select_nth_unstable_by(last, |a, b| b.0.total_cmp(&a.0));
            cosines.truncate(NEIGHBOURS);
            cosines.into_iter().map(|(_, id)| id).collect()
        })
        .collect();
    Ok(Exact {
        vectors,
        dimensions,
        nearest,
    })
}

/// What `infra/bench/peers.py` reads: little-endian f32 rows and u64 numbers, with a line about their sizes and our figures.
fn dump(
    folder: &Path,
    exact: &Exact,
    queries: &[Vec<f32>],
    ours: &serde_json::Value,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.join(name);
        std::fs::write(&path, bytes)
            .with_context(|| format!("{} cannot be written", path.display()))
    };
    let bytes = |values: &[f32]| {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    write("base.f32", bytes(&exact.vectors))?;
    write("queries.f32", bytes(&queries.concat()))?;
    let nearest = exact.nearest.concat();
    write(
        "nearest.u64",
        nearest.iter().flat_map(|id| id.to_le_bytes()).collect(),
    )?;
    let sizes = serde_json::json!({
        "dimensions": exact.dimensions, "neighbours": NEIGHBOURS, "ours": ours,
    });
    write("sizes.json", sizes.to_string().into_bytes())
}

/// The default embedder, but volumes of one title lie apart from each other.
struct Jittered(StaticEmbedder);

#[async_trait]
impl Embedder for Jittered {
    fn identity(&self) -> &EmbedderIdentity {
        self.0.identity()
    }

    fn knows(&self, word: &str) -> bool {
        self.0.knows(word)
    }

    fn words(&self) -> Option<&StaticEmbedder> {
        Some(&self.0)
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = self.0.embed(texts, purpose).await?;
        for (text, vector) in texts.iter().zip(&mut vectors) {
            if text.contains(", tomo ") {
                jitter(text, vector);
            }
        }
        Ok(vectors)
    }
}

/// Adds noise two and a half times as long as the vector: a title counts a fifth, so an item's vector then lies at a cosine of
/// 0.89 from where it lay.
fn jitter(text: &str, vector: &mut [f32]) {
    let mut state = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut noise: Vec<f32> = Vec::with_capacity(vector.len());
    for _ in 0..vector.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 27;
        let [low, high, ..] = mixed.wrapping_mul(0x94d0_49bb_1331_11eb).to_be_bytes();
        noise.push((f32::from(u16::from_be_bytes([low, high])) - 32_767.5) / 32_767.5);
    }
    let length = noise.iter().map(|x| x * x).sum::<f32>().sqrt();
    for (value, noise) in vector.iter_mut().zip(noise) {
        *value += 2.5 * noise / length;
    }
}
