//! The embedding models of Amazon Bedrock: Titan Text Embeddings V2 and Cohere Embed.

use std::time::Duration;

use async_trait::async_trait;
use aws_config::{SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_bedrockruntime::{
    Client, config::Builder, error::SdkError, operation::invoke_model::InvokeModelError,
    primitives::Blob,
};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    DOCUMENTS_WITHIN, EmbedError, Embedder, EmbedderIdentity, Purpose, QUERY_WITHIN, TRIES, all,
    hex, unit,
};

/// Calls under way at once while documents are embedded: Titan takes one text each.
const CALLS_AT_ONCE: usize = 8;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// [`Embedder`] by `InvokeModel`.
pub struct BedrockEmbedder {
    /// One that answers a shopper in time or not at all, and one that tries until documents are embedded.
    for_queries: Client,
    for_documents: Client,
    family: Family,
    identity: EmbedderIdentity,
}

/// Models that are asked in the same way.
#[derive(Debug, Clone, Copy)]
enum Family {
    Titan,
    Cohere3,
    Cohere4,
}

#[derive(Deserialize)]
struct TitanAnswer {
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct CohereAnswer {
    embeddings: Embeddings,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Embeddings {
    Plain(Vec<Vec<f32>>),
    ByType { float: Vec<Vec<f32>> },
}

impl Family {
    /// By a model's ID, which may stand behind the name of a region's inference profile: `eu.cohere.embed-v4:0`.
    fn of(model: &str) -> Option<Self> {
        [
            ("titan-embed-text-v2", Self::Titan),
            ("cohere.embed-multilingual-v3", Self::Cohere3),
            ("cohere.embed-english-v3", Self::Cohere3),
            ("cohere.embed-v4", Self::Cohere4),
        ]
        .into_iter()
        .find_map(|(name, family)| model.contains(name).then_some(family))
    }

    fn dimensions(self) -> &'static [usize] {
        match self {
            Self::Titan => &[256, 512, 1_024],
            Self::Cohere3 => &[1_024],
            Self::Cohere4 => &[256, 512, 1_024, 1_536],
        }
    }

    fn texts_per_call(self) -> usize {
        match self {
            Self::Titan => 1,
            Self::Cohere3 | Self::Cohere4 => 96,
        }
    }

    fn body(self, texts: &[&str], purpose: Purpose, dimensions: usize) -> Value {
        let input_type = match purpose {
            Purpose::Query => "search_query",
            Purpose::Document => "search_document",
        };
        match self {
            Self::Titan => json!({"inputText": texts.concat(), "dimensions": dimensions}),
            Self::Cohere3 => json!({
                "texts": texts.iter().map(|text| beginning(text)).collect::<Vec<_>>(),
                "input_type": input_type,
                "embedding_types": ["float"],
                "truncate": "END",
            }),
            Self::Cohere4 => json!({
                "texts": texts,
                "input_type": input_type,
                "embedding_types": ["float"],
                "output_dimension": dimensions,
                "truncate": "RIGHT",
            }),
        }
    }

    fn read(self, bytes: &[u8]) -> Option<Vec<Vec<f32>>> {
        match self {
            Self::Titan => {
                let answer: TitanAnswer = serde_json::from_slice(bytes).ok()?;
                Some(vec![answer.embedding])
            }
            Self::Cohere3 | Self::Cohere4 => {
                let answer: CohereAnswer = serde_json::from_slice(bytes).ok()?;
                Some(match answer.embeddings {
                    Embeddings::Plain(float) | Embeddings::ByType { float } => float,
                })
            }
        }
    }
}

/// As much of a text as Cohere Embed v3 takes.
fn beginning(text: &str) -> &str {
    const CHARACTERS_MAX: usize = 2_048;
    let end = text.char_indices().nth(CHARACTERS_MAX);
    end.map_or(text, |(end, _)| &text[..end])
}

impl BedrockEmbedder {
    /// `None` where no known family has this model, or the model no vectors of so many dimensions.
    #[must_use]
    pub fn new(shared: &SdkConfig, model: &str, dimensions: usize) -> Option<Self> {
        let family = Family::of(model)?;
        if !family.dimensions().contains(&dimensions) {
            return None;
        }
        let client = |within, tries| {
            let timeouts = TimeoutConfig::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .operation_attempt_timeout(within)
                .operation_timeout(within * tries)
                .build();
            let settings = Builder::from(shared)
                .timeout_config(timeouts)
                .retry_config(RetryConfig::standard().with_max_attempts(tries));
            Client::from_conf(settings.build())
        };
        Some(Self {
            for_queries: client(QUERY_WITHIN, 1),
            for_documents: client(DOCUMENTS_WITHIN, TRIES),
            family,
            identity: EmbedderIdentity {
                name: model.to_owned(),
                dimensions,
                sha256: hex(&Sha256::digest(model)),
            },
        })
    }

    async fn call(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let EmbedderIdentity {
            name, dimensions, ..
        } = &self.identity;
        let client = match purpose {
            Purpose::Query => &self.for_queries,
            Purpose::Document => &self.for_documents,
        };
        let body = self.family.body(texts, purpose, *dimensions).to_string();
        let request = client.invoke_model().model_id(name);
        let request = request
            .content_type("application/json")
            .accept("application/json");
        let answer = request
            .body(Blob::new(body))
            .send()
            .await
            .map_err(failure)?;
        let vectors = self.family.read(answer.body().as_ref());
        vectors
            .filter(|vectors| vectors.len() == texts.len())
            .and_then(|vectors| {
                let units = vectors.into_iter().map(|vector| unit(vector, *dimensions));
                units.collect()
            })
            .ok_or(EmbedError::Malformed)
    }
}

fn failure(error: SdkError<InvokeModelError>) -> EmbedError {
    let status = error
        .raw_response()
        .map(|response| response.status().as_u16());
    match (status, error.into_service_error()) {
        (Some(status), error) => EmbedError::Refused {
            status,
            reason: name(&error),
        },
        (None, error) => EmbedError::Unavailable(error.into()),
    }
}

/// The service's own words are not repeated: they may repeat what was asked.
fn name(error: &InvokeModelError) -> &'static str {
    match error {
        InvokeModelError::AccessDeniedException(_) => "AccessDeniedException",
        InvokeModelError::ModelErrorException(_) => "ModelErrorException",
        InvokeModelError::ModelNotReadyException(_) => "ModelNotReadyException",
        InvokeModelError::ModelTimeoutException(_) => "ModelTimeoutException",
        InvokeModelError::ResourceNotFoundException(_) => "ResourceNotFoundException",
        InvokeModelError::ServiceQuotaExceededException(_) => "ServiceQuotaExceededException",
        InvokeModelError::ServiceUnavailableException(_) => "ServiceUnavailableException",
        InvokeModelError::ThrottlingException(_) => "ThrottlingException",
        InvokeModelError::ValidationException(_) => "ValidationException",
        _ => "",
    }
}

#[async_trait]
impl Embedder for BedrockEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let calls: Vec<_> = texts
            .chunks(self.family.texts_per_call())
            .map(|texts| self.call(texts, purpose))
            .collect();
        all(calls, CALLS_AT_ONCE).await
    }
}
