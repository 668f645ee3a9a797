//! The embedder in use: the one that ships inside the program, unless the environment names a service.

use std::sync::Arc;

use anyhow::Context;
use bytes::Bytes;
use mostrador_search::embedder::{Embedder, StaticEmbedder, configured};

const MODEL: &[u8] = include_bytes!("../../embedder/model.safetensors");
const TOKENIZER: &[u8] = include_bytes!("../../embedder/tokenizer.json");

/// An embedder, and the file of it that is published beside the index; a service has none.
pub(crate) struct Prepared {
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) file: Option<Bytes>,
}

/// The embedder that the environment names.
pub(crate) async fn prepare() -> anyhow::Result<Prepared> {
    let service = configured(&|name| std::env::var(name).ok()).await?;
    if let Some(embedder) = service {
        return Ok(Prepared {
            embedder,
            file: None,
        });
    }
    let (embedder, file) = prepare_static().await?;
    Ok(Prepared {
        embedder: Arc::new(embedder),
        file: Some(file),
    })
}

/// The one that ships, with its prepared file; a second of work in a debug build.
pub async fn prepare_static() -> anyhow::Result<(StaticEmbedder, Bytes)> {
    tokio::task::spawn_blocking(|| {
        let file = Bytes::from(
            mostrador_search::embedder::prepare(MODEL, TOKENIZER)
                .context("the embedder's files")?,
        );
        let embedder =
            StaticEmbedder::from_prepared(file.clone()).context("the prepared embedder")?;
        Ok((embedder, file))
    })
    .await?
}
