//! Building and publishing the search index.

use std::io::{Write, stdout};
use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context;
use indicatif::ProgressBar;
use mostrador_reindex::{self as reindex, Progress, ReindexError};
use mostrador_search::{
    artifact::{Artifact, FileName, Manifest},
    build::{Stage, recall},
    load::published,
    publish::{publish as publish_artifact, roll_back},
    verify::{Checked, verify as verify_index},
};
use time::OffsetDateTime;

use crate::{
    cli::{IndexBuildOptions, IndexRollbackOptions, StoreOptions},
    embedder::{self, Prepared},
    import::progress,
    stores::Stores,
};

/// Rows that the first look is tried on.
const SAMPLE: usize = 100;

/// A build with what it was built with.
struct Built {
    artifact: Artifact,
    prepared: Prepared,
    took: Duration,
}

pub(crate) async fn build(options: IndexBuildOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let built = build_from(&stores).await?;
    let Built {
        artifact, prepared, ..
    } = &built;
    let folder = options.out.as_path();
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    for name in FileName::ALL {
        let to = folder.join(name.as_str());
        std::fs::copy(artifact.path(name), &to)
            .with_context(|| format!("{} cannot be written", to.display()))?;
    }
    if let Some(file) = &prepared.file {
        write(&folder.join("embedder"), file)?;
    }
    write(
        &folder.join("manifest.json"),
        &serde_json::to_vec_pretty(&artifact.manifest)?,
    )?;
    writeln!(
        stdout(),
        "{}written to {}",
        summary(&built)?,
        folder.display()
    )?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

pub(crate) async fn publish(options: StoreOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options).await?;
    let built = build_from(&stores).await?;
    let report = summary(&built)?;
    publish_artifact(
        &*stores.index,
        &built.artifact,
        built.prepared.file.as_ref(),
    )
    .await?;
    writeln!(
        stdout(),
        "{report}published to {}; running functions take it up within a minute",
        stores.bucket
    )?;
    Ok(())
}

pub(crate) async fn inspect(options: StoreOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options).await?;
    match published(&*stores.index).await.context("the bucket")? {
        Some(manifest) => {
            // Written at once, so that `head` may stop reading.
            let mut report = format!("{}in {}\n", described(&manifest), stores.bucket);
            for build in &manifest.earlier {
                report.push_str(&format!(
                    "earlier: {}, {} items, built {} (mostrador index rollback {0})\n",
                    build.build_id, build.items, build.built_at
                ));
            }
            write!(stdout(), "{report}")?;
        }
        None => writeln!(
            stdout(),
            "no index is published in {}: mostrador index publish",
            stores.bucket
        )?,
    }
    Ok(())
}

pub(crate) async fn rollback(options: IndexRollbackOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let manifest = roll_back(&*stores.index, options.build.as_deref())
        .await
        .context("nothing was changed: mostrador index inspect tells what builds there are")?;
    writeln!(
        stdout(),
        "{}is current again in {}; running functions take it up within a minute",
        described(&manifest),
        stores.bucket
    )?;
    Ok(())
}

pub(crate) async fn verify(options: StoreOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options).await?;
    let verified = verify_index(&*stores.index)
        .await
        .context("the published index cannot be used: mostrador index publish")?;
    let lines = verified.sections.iter().map(|checked| {
        let Checked {
            key,
            section,
            damage,
        } = checked;
        match damage {
            None => format!("ok       {key} {section}\n"),
            Some(damage) => format!("DAMAGED  {key} {section}: {damage}\n"),
        }
    });
    write!(stdout(), "{}", lines.collect::<String>())?;
    let damaged = verified.damaged().count();
    anyhow::ensure!(
        damaged == 0,
        "{damaged} of {} sections of index {} are damaged: mostrador index publish",
        verified.sections.len(),
        verified.manifest.build_id
    );
    write!(stdout(), "{}", described(&verified.manifest))?;
    Ok(())
}

/// Publishes the catalogue as it is, unless that is what is published, undamaged. Gives the number of items.
pub async fn publish_if_needed(stores: &Stores) -> anyhow::Result<usize> {
    let Built {
        artifact, prepared, ..
    } = build_from(stores).await?;
    if let Ok(published) = verify_index(&*stores.index).await
        && published.manifest.build_id == artifact.manifest.build_id
        && published.damaged().next().is_none()
    {
        return Ok(artifact.manifest.items);
    }
    publish_artifact(&*stores.index, &artifact, prepared.file.as_ref())
        .await
        .context("the index cannot be published")?;
    Ok(artifact.manifest.items)
}

async fn build_from(stores: &Stores) -> anyhow::Result<Built> {
    let started = Instant::now();
    let prepared = embedder::prepare().await?;
    let catalogue = stores.catalogue();
    let count = catalogue.rough_count().await.unwrap_or_default();
    // The embedder that ships is quicker than a cache; a service takes its time, and money.
    let cache = match (&prepared.file, &stores.data_dir) {
        (None, Some(folder)) => Some(folder.join("embeddings.cache")),
        _ => None,
    };
    let mut bars = Bars::reading(count);
    let mut report = |progress| bars.update(progress);
    let now = OffsetDateTime::now_utc();
    let built = reindex::build(
        &catalogue,
        &*prepared.embedder,
        cache.as_deref(),
        now,
        &mut report,
    );
    let artifact = match built.await {
        Err(ReindexError::Empty) => anyhow::bail!("the catalogue is empty: mostrador import FILE"),
        built => built?,
    };
    drop(bars);
    Ok(Built {
        artifact,
        prepared,
        took: started.elapsed(),
    })
}

/// A bar for what a build is at.
pub struct Bars {
    bar: ProgressBar,
    stage: Option<Stage>,
}

impl Bars {
    /// Of a build that begins with reading about so many items.
    pub fn reading(count: usize) -> Self {
        Self {
            bar: progress("reading and embedding", count),
            stage: None,
        }
    }

    pub fn update(&mut self, report: Progress) {
        match report {
            Progress::Read(done) => {
                // The table's own count may be hours old.
                let length = self.bar.length().unwrap_or_default().max(done as u64);
                self.bar.set_length(length);
                self.bar.set_position(done as u64);
            }
            Progress::At(stage, done, of) => {
                if self.stage != Some(stage) {
                    self.bar.finish_and_clear();
                    self.stage = Some(stage);
                    let what = match stage {
                        Stage::Turning => "turning vectors",
                        Stage::Grouping => "grouping rows",
                        Stage::Arranging => "arranging rows",
                        Stage::Writing => "writing",
                    };
                    self.bar = progress(what, of);
                }
                self.bar.set_position(done as u64);
            }
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What was built, of what it consists, and what it took.
fn summary(built: &Built) -> anyhow::Result<String> {
    let manifest = &built.artifact.manifest;
    let mut report = described(manifest);
    for name in FileName::ALL {
        let sections = manifest.file(name).sections.iter();
        let sections = sections.map(|section| format!("{} {}", section.name, section.size_bytes));
        report.push_str(&format!(
            "  {}: {}\n",
            name.as_str(),
            sections.collect::<Vec<_>>().join(", ")
        ));
    }
    report.push_str(&format!(
        "built in {:.1} s; of the ten nearest of {SAMPLE} items a look finds {:.1} %\n",
        built.took.as_secs_f64(),
        100.0 * recall(&built.artifact, SAMPLE)?,
    ));
    Ok(report)
}

/// What a build is, line by line.
fn described(manifest: &Manifest) -> String {
    let mut lines = format!(
        "index {}: {} items, built {}\n",
        manifest.build_id, manifest.items, manifest.built_at
    );
    for name in FileName::ALL {
        let record = manifest.file(name);
        lines.push_str(&format!(
            "  {:<40} {:>12} bytes\n",
            record.key, record.size_bytes
        ));
    }
    lines
}
