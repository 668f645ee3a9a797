//! Makes a build the current one, and an earlier one current again.

use std::{collections::BTreeSet, io};

use bytes::Bytes;

use crate::{
    artifact::{Artifact, FileName, MANIFEST_KEY, Manifest, embedder_record},
    load::read_manifest,
    store::{ArtifactStore, StoreError},
    verify::damaged_sections,
};

/// So many builds stay in the store, the current one among them.
pub const KEPT_BUILDS: usize = 3;

/// Why nothing was published, or nothing taken back.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a file of the build cannot be read")]
    File(#[source] io::Error),
    #[error("the manifest cannot be written")]
    Manifest(#[source] serde_json::Error),
    #[error("there is no readable manifest, so nothing is known of earlier builds")]
    NoManifest,
    #[error("a build of {built_at} is published, which is later than this one")]
    Later { built_at: String },
    #[error("no such build is kept")]
    NoSuchBuild,
    #[error("build {build_id} is damaged: its {section}")]
    Damaged { build_id: String, section: String },
}

/// Uploads a build and makes it the current one: its files, the embedder's (none where a service embeds), and last the
/// manifest, only if nobody else published since this began. The manifest keeps what the last [`KEPT_BUILDS`] were; files that
/// no build of it has any more are removed. Gives the manifest as published.
///
/// # Errors
/// [`StoreError::Conflict`] where somebody else published, [`PublishError::Later`] where what is published was built later; that is
/// then the current build.
pub async fn publish(
    store: &dyn ArtifactStore,
    artifact: &Artifact,
    embedder_file: Option<&Bytes>,
) -> Result<Manifest, PublishError> {
    let (before, etag) = current(store).await?;
    let mut manifest = artifact.manifest.clone();
    // Times are all of one form, so that their order is that of their letters.
    let later = before
        .as_ref()
        .filter(|before| before.built_at > manifest.built_at);
    if let Some(later) = later {
        return Err(PublishError::Later {
            built_at: later.built_at.clone(),
        });
    }
    if let Some(file) = embedder_file {
        let record = embedder_record(file);
        store.put(&record.key, file.clone()).await?;
        manifest.embedder_file = Some(record);
    }
    for name in FileName::ALL {
        let bytes = artifact.read(name).map_err(PublishError::File)?;
        store.put(&manifest.file(name).key, bytes.into()).await?;
    }
    let builds = before.map(Manifest::into_builds).unwrap_or_default();
    let known = builds.iter().flat_map(Manifest::keys).collect();
    manifest.earlier = others(builds, &manifest);
    manifest.earlier.truncate(KEPT_BUILDS - 1);
    put(store, &manifest, etag.as_deref()).await?;
    remove_unused(store, known, &manifest).await;
    Ok(manifest)
}

/// Makes an earlier build the current one, the last before it unless `build_id` names another, once all of it is seen to be
/// whole. Until the next publication the one taken back can be had again the same way.
///
/// # Errors
/// [`PublishError`]; the current build is then what it was.
pub async fn roll_back(
    store: &dyn ArtifactStore,
    build_id: Option<&str>,
) -> Result<Manifest, PublishError> {
    let (before, etag) = current(store).await?;
    let builds = before.ok_or(PublishError::NoManifest)?.into_builds();
    let wanted = match build_id {
        Some(build_id) => builds.iter().find(|build| build.build_id == build_id),
        None => builds.get(1),
    };
    let mut manifest = wanted.ok_or(PublishError::NoSuchBuild)?.clone();
    if let Some(checked) = damaged_sections(store, &manifest).await?.into_iter().next() {
        return Err(PublishError::Damaged {
            build_id: manifest.build_id,
            section: format!("{} {}", checked.key, checked.section),
        });
    }
    manifest.earlier = others(builds, &manifest);
    put(store, &manifest, etag.as_deref()).await?;
    Ok(manifest)
}

/// The manifest as it is, if it can be read, and its tag, if there is one.
async fn current(
    store: &dyn ArtifactStore,
) -> Result<(Option<Manifest>, Option<String>), StoreError> {
    match store.get_if_changed(MANIFEST_KEY, None).await {
        Ok(Some(found)) => Ok((read_manifest(&found.bytes).ok(), Some(found.etag))),
        Ok(None) | Err(StoreError::Missing { .. }) => Ok((None, None)),
        Err(error) => Err(error),
    }
}

async fn put(
    store: &dyn ArtifactStore,
    manifest: &Manifest,
    etag: Option<&str>,
) -> Result<(), PublishError> {
    let json = serde_json::to_vec_pretty(manifest).map_err(PublishError::Manifest)?;
    Ok(store.put_if(MANIFEST_KEY, json.into(), etag).await?)
}

fn others(builds: Vec<Manifest>, current: &Manifest) -> Vec<Manifest> {
    let mut builds = builds;
    builds.retain(|build| build.build_id != current.build_id);
    builds
}

/// Removes objects that were known and are no longer. What cannot be removed stays, and costs nothing but its space.
async fn remove_unused(store: &dyn ArtifactStore, known: BTreeSet<String>, manifest: &Manifest) {
    let builds = manifest.clone().into_builds();
    let used: BTreeSet<String> = builds.iter().flat_map(Manifest::keys).collect();
    for key in known.difference(&used) {
        if let Err(error) = store.delete(key).await {
            tracing::warn!(
                key,
                error = %mostrador_core::chain::Chain(&error),
                "a file of a build that is no longer kept could not be removed"
            );
        }
    }
}
