//! From the catalogue table to an artifact.

use std::path::Path;

use mostrador_dynamodb::DynamoCatalogue;
use mostrador_search::{
    artifact::Artifact,
    build::{Builder, Stage},
    embedder::Embedder,
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::ReindexError;

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many items are read and embedded.
    Read(usize),
    /// So much of so much of a stage is done.
    At(Stage, usize, usize),
}

/// Builds the index of the catalogue as it is, which is `now`.
///
/// # Errors
/// [`ReindexError`].
pub async fn build(
    catalogue: &DynamoCatalogue,
    embedder: &dyn Embedder,
    cache: Option<&Path>,
    now: OffsetDateTime,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Artifact, ReindexError> {
    let mut builder = Builder::new(embedder)?;
    if let Some(cache) = cache {
        builder = builder.with_cache(cache)?;
    }
    let mut pages = catalogue.pages();
    while let Some(page) = pages.next().await? {
        // Copies set aside count: they come back without a change in the stream.
        let items: Vec<_> = page
            .into_iter()
            .map(|stocked| (stocked.item, stocked.on_hand))
            .collect();
        builder.add(&items).await?;
        progress(Progress::Read(builder.len()));
    }
    if builder.is_empty() {
        return Err(ReindexError::Empty);
    }
    let built_at = now.replace_nanosecond(0).unwrap_or(now);
    let built_at = built_at.format(&Rfc3339).unwrap_or_default();
    let mut at = |stage, done, of| progress(Progress::At(stage, done, of));
    Ok(builder.finish(&built_at, &mut at).await?)
}
