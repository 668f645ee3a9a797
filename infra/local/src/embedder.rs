//! The default embedder, which ships inside the program.

use anyhow::Context;
use mostrador_search::embedder::StaticEmbedder;

const MODEL: &[u8] = include_bytes!("../../embedder/model.safetensors");
const TOKENIZER: &[u8] = include_bytes!("../../embedder/tokenizer.json");

/// The embedder with its prepared file, which is published beside the index.
pub(crate) struct Prepared {
    pub(crate) embedder: StaticEmbedder,
    pub(crate) file: bytes::Bytes,
}

/// Prepares the embedder; a second of work in a debug build.
pub(crate) async fn prepare() -> anyhow::Result<Prepared> {
    tokio::task::spawn_blocking(|| {
        let file = bytes::Bytes::from(
            mostrador_search::embedder::prepare(MODEL, TOKENIZER)
                .context("the embedder's files")?,
        );
        let embedder =
            StaticEmbedder::from_prepared(file.clone()).context("the prepared embedder")?;
        Ok(Prepared { embedder, file })
    })
    .await?
}
