//! An embedder behind any URL with the `OpenAI` wire format.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, StatusCode, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    DOCUMENTS_WITHIN, EmbedError, Embedder, EmbedderIdentity, Purpose, QUERY_WITHIN, TRIES, all,
    hex, unit,
};

/// Texts sent together.
const BATCH: usize = 64;
/// Largest answer read: a batch of 4,096 dimensions in decimal is 4 MB.
const ANSWER_BYTES_MAX: usize = 32 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Batches of documents under way at once.
const BATCHES_AT_ONCE: usize = 4;
/// The pause before a batch is sent again, doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// Where a service is and what it is asked for.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    pub base_url: String,
    pub model: String,
    pub dimensions: usize,
    pub key: Option<SecretString>,
    /// What some models want before a text: `query: ` and `passage: ` for the E5 family.
    pub query_prefix: String,
    pub document_prefix: String,
}

/// [`Embedder`] at `<base URL>/embeddings`.
pub struct ServiceEmbedder {
    client: Client,
    url: Url,
    settings: ServiceSettings,
    identity: EmbedderIdentity,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: Vec<String>,
    encoding_format: &'a str,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    index: usize,
    embedding: Vec<f32>,
}

/// What one attempt came to.
enum Failure {
    /// Another attempt may do better.
    Passing(EmbedError),
    Final(EmbedError),
}

impl ServiceEmbedder {
    /// `None` where the base is no http or https URL, or there are no dimensions.
    #[must_use]
    pub fn new(settings: ServiceSettings) -> Option<Self> {
        let base = settings.base_url.trim_end_matches('/');
        let url = Url::parse(&format!("{base}/embeddings")).ok()?;
        if !matches!(url.scheme(), "http" | "https") || settings.dimensions == 0 {
            return None;
        }
        // A redirect would carry the key to where the shop did not send it.
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .ok()?;
        // Vectors are those of the model and of their prefix before a text, wherever it runs.
        let defined_by = [
            settings.model.as_str(),
            &settings.query_prefix,
            &settings.document_prefix,
        ];
        let identity = EmbedderIdentity {
            name: settings.model.clone(),
            dimensions: settings.dimensions,
            sha256: hex(&Sha256::digest(defined_by.join("\n"))),
        };
        Some(Self {
            client,
            url,
            settings,
            identity,
        })
    }

    async fn batch(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (tries, within) = match purpose {
            Purpose::Query => (1, QUERY_WITHIN),
            Purpose::Document => (TRIES, DOCUMENTS_WITHIN),
        };
        let mut pause = FIRST_PAUSE;
        let mut tried = 1;
        loop {
            let attempt = tokio::time::timeout(within, self.attempt(texts, purpose));
            let failure = match attempt.await {
                Ok(Ok(vectors)) => return Ok(vectors),
                Ok(Err(failure)) => failure,
                Err(elapsed) => Failure::Passing(EmbedError::Unavailable(Box::new(elapsed))),
            };
            match failure {
                Failure::Passing(error) if tried < tries => {
                    tracing::warn!(
                        error = %mostrador_core::chain::Chain(&error),
                        "the embedder is asked again"
                    );
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                    tried += 1;
                }
                Failure::Passing(error) | Failure::Final(error) => return Err(error),
            }
        }
    }

    async fn attempt(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, Failure> {
        let prefix = match purpose {
            Purpose::Query => &self.settings.query_prefix,
            Purpose::Document => &self.settings.document_prefix,
        };
        let body = Body {
            model: &self.settings.model,
            input: texts.iter().map(|text| format!("{prefix}{text}")).collect(),
            encoding_format: "float",
        };
        let mut call = self.client.post(self.url.clone()).json(&body);
        if let Some(key) = &self.settings.key {
            call = call.bearer_auth(key.expose_secret());
        }
        let mut answer = call.send().await.map_err(unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            let refused = EmbedError::Refused {
                status: status.as_u16(),
                reason: "",
            };
            let passing = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            return Err(if passing {
                Failure::Passing(refused)
            } else {
                Failure::Final(refused)
            });
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(Failure::Final(EmbedError::Malformed));
            }
            bytes.extend_from_slice(&chunk);
        }
        self.read(&bytes, texts.len())
            .ok_or(Failure::Final(EmbedError::Malformed))
    }

    /// One vector a text, in the texts' order, whatever the answer's.
    fn read(&self, bytes: &[u8], count: usize) -> Option<Vec<Vec<f32>>> {
        let Answer { data } = serde_json::from_slice(bytes).ok()?;
        let mut vectors = vec![Vec::new(); count];
        for Entry { index, embedding } in data {
            let place = vectors.get_mut(index)?;
            if !place.is_empty() {
                return None;
            }
            *place = unit(embedding, self.identity.dimensions)?;
        }
        vectors
            .iter()
            .all(|vector| !vector.is_empty())
            .then_some(vectors)
    }
}

/// The URL is left out of the error: it may hold a key.
fn unreachable(error: reqwest::Error) -> Failure {
    Failure::Passing(EmbedError::Unavailable(Box::new(error.without_url())))
}

#[async_trait]
impl Embedder for ServiceEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let batches: Vec<_> = texts
            .chunks(BATCH)
            .map(|texts| self.batch(texts, purpose))
            .collect();
        all(batches, BATCHES_AT_ONCE).await
    }
}
