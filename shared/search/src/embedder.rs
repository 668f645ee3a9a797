//! From texts to vectors: the port, the static model that answers it without a network, and services that do over one.

mod bedrock;
mod bert_words;
mod prepare;
mod prepared;
mod service;
mod settings;
mod wordpiece;

use std::{error::Error, time::Duration};

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};

pub use bedrock::BedrockEmbedder;
pub use prepare::{PrepareError, prepare};
pub(crate) use prepared::normalise;
pub use prepared::{InvalidEmbedder, StaticEmbedder};
pub use service::{ServiceEmbedder, ServiceSettings};
pub use settings::{InvalidSetting, configured};

/// Which embedder made a vector: vectors of different identities are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    pub name: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// Hexadecimal SHA-256 of what defines the embedder: the static model's two source files, a service's model and prefixes.
    pub sha256: String,
}

/// Why texts could not be turned into vectors; a search then goes by keywords.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("the embedder cannot be reached")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    #[error("the embedder refused with status {status} {reason}")]
    Refused {
        status: u16,
        /// A code of a closed list, or nothing: whatever else a service says may be a customer's words.
        reason: &'static str,
    },
    #[error("the embedder answered with something other than one vector a text")]
    Malformed,
}

/// What a text is: some models embed a question differently from its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Query,
    Document,
}

/// Turns texts into vectors of length one, or of zeros for a text that holds nothing known.
#[async_trait]
pub trait Embedder: Send + Sync {
    fn identity(&self) -> &EmbedderIdentity;

    /// Whether a word means anything to the model. A question without one such word is not answered by its vector.
    fn knows(&self, word: &str) -> bool {
        !word.is_empty()
    }

    /// The vectors of single words, where the model has such.
    fn words(&self) -> Option<&StaticEmbedder> {
        None
    }

    /// One vector a text, in the same order.
    ///
    /// # Errors
    /// [`EmbedError`] where the model cannot be asked or its answer not be used.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// How long a call with documents to a service may take, and one with a question, for which a shopper waits: it is then answered by
/// keywords.
const DOCUMENTS_WITHIN: Duration = Duration::from_secs(60);
const QUERY_WITHIN: Duration = Duration::from_secs(3);
/// How often a service is asked for the same documents. For a question it is asked once.
const TRIES: u32 = 5;

/// What all calls give, one after another; so many are under way at once.
async fn all(
    calls: Vec<impl Future<Output = Result<Vec<Vec<f32>>, EmbedError>>>,
    at_once: usize,
) -> Result<Vec<Vec<f32>>, EmbedError> {
    stream::iter(calls).buffered(at_once).try_concat().await
}

/// A service's vector at length one; `None` where it has other dimensions, or is no vector.
fn unit(mut vector: Vec<f32>, dimensions: usize) -> Option<Vec<f32>> {
    let usable = vector.len() == dimensions && vector.iter().all(|value| value.is_finite());
    normalise(&mut vector);
    usable.then_some(vector)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
