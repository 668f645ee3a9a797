//! Building and publishing the search index.

use std::path::Path;

use anyhow::Context;
use mostrador_search::{
    artifact::{Artifact, FileName, MANIFEST_KEY, Manifest},
    build::build as build_artifact,
    publish::{publish as publish_artifact, roll_back},
    store::{ArtifactStore, StoreError},
    verify::{Checked, verify as verify_index},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    cli::{IndexBuildOptions, IndexRollbackOptions, StoreOptions},
    embedder::{self, Prepared},
    import::progress,
    stores::Stores,
};

/// A build with what it was built with.
struct Built {
    artifact: Artifact,
    prepared: Prepared,
}

#[expect(clippy::print_stdout, reason = "the command's result")]
pub(crate) async fn build(options: IndexBuildOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let Built { artifact, prepared } = build_from(&stores).await?;
    let folder = options.out.as_path();
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    for name in FileName::ALL {
        let record = artifact.manifest.file(name);
        let file_name = Path::new(&record.key)
            .file_name()
            .context("a file without a name")?;
        write(&folder.join(file_name), artifact.file(name))?;
    }
    if let Some(file) = &prepared.file {
        write(&folder.join("embedder"), file)?;
    }
    write(
        &folder.join("manifest.json"),
        &serde_json::to_vec_pretty(&artifact.manifest)?,
    )?;
    println!(
        "{}written to {}",
        described(&artifact.manifest),
        folder.display()
    );
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

#[expect(clippy::print_stdout, reason = "the command's result")]
pub(crate) async fn publish(options: StoreOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options).await?;
    let Built { artifact, prepared } = build_from(&stores).await?;
    let manifest = publish_artifact(&*stores.index, &artifact, prepared.file.as_ref()).await?;
    println!(
        "{}published to {}; running functions take it up within a minute",
        described(&manifest),
        stores.bucket
    );
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command's result")]
pub(crate) async fn inspect(options: StoreOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options).await?;
    match published(&stores).await? {
        Some(manifest) => {
            // Written at once, so that `head` may stop reading.
            let mut told = format!("{}in {}\n", described(&manifest), stores.bucket);
            for build in &manifest.earlier {
                told.push_str(&format!(
                    "earlier: {}, {} items, built {} (mostrador index rollback {0})\n",
                    build.build_id, build.items, build.built_at
                ));
            }
            print!("{told}");
        }
        None => println!(
            "no index is published in {}: mostrador index publish",
            stores.bucket
        ),
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command's result")]
pub(crate) async fn rollback(options: IndexRollbackOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let manifest = roll_back(&*stores.index, options.build.as_deref())
        .await
        .context("nothing was changed: mostrador index inspect tells what builds there are")?;
    println!(
        "{}is current again in {}; running functions take it up within a minute",
        described(&manifest),
        stores.bucket
    );
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command's result")]
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
    print!("{}", lines.collect::<String>());
    let damaged = verified.damaged().count();
    anyhow::ensure!(
        damaged == 0,
        "{damaged} of {} sections of index {} are damaged: mostrador index publish",
        verified.sections.len(),
        verified.manifest.build_id
    );
    print!("{}", described(&verified.manifest));
    Ok(())
}

/// Publishes the catalogue as it is, unless that is what is published, undamaged.
pub(crate) async fn publish_if_needed(stores: &Stores) -> anyhow::Result<()> {
    let Built { artifact, prepared } = build_from(stores).await?;
    if let Ok(published) = verify_index(&*stores.index).await
        && published.manifest.build_id == artifact.manifest.build_id
        && published.damaged().next().is_none()
    {
        return Ok(());
    }
    publish_artifact(&*stores.index, &artifact, prepared.file.as_ref())
        .await
        .context("the index cannot be published")?;
    Ok(())
}

async fn build_from(stores: &Stores) -> anyhow::Result<Built> {
    let prepared = embedder::prepare().await?;
    let now = OffsetDateTime::now_utc();
    let books: Vec<_> = stores
        .catalogue()
        .all()
        .await
        .context("the catalogue table")?
        .into_iter()
        .map(|stocked| {
            let available = stocked.available(now);
            (stocked.book, available)
        })
        .collect();
    anyhow::ensure!(
        !books.is_empty(),
        "the catalogue is empty: mostrador import FILE"
    );
    let built_at = now.replace_nanosecond(0)?.format(&Rfc3339)?;
    let bar = progress("indexing", books.len());
    let artifact = build_artifact(&books, &*prepared.embedder, &built_at, &mut |done, _| {
        bar.set_position(done as u64)
    })
    .await;
    bar.finish_and_clear();
    Ok(Built {
        artifact: artifact?,
        prepared,
    })
}

async fn published(stores: &Stores) -> anyhow::Result<Option<Manifest>> {
    match stores.index.get_if_changed(MANIFEST_KEY, None).await {
        Ok(found) => found
            .map(|found| serde_json::from_slice(&found.bytes).context("the published manifest"))
            .transpose(),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error).context("the bucket"),
    }
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
