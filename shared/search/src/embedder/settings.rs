//! Which embedder there is, by the environment.

use std::sync::Arc;

use aws_config::{BehaviorVersion, Region};
use secrecy::SecretString;

use super::{BedrockEmbedder, Embedder, ServiceEmbedder, ServiceSettings};

const DIMENSIONS_MAX: usize = 4_096;
const DIMENSIONS: &str = "a number from 1 to 4096";

/// A variable that does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[error("{name} is not {expected}")]
pub struct InvalidSetting {
    name: &'static str,
    expected: &'static str,
}

/// Which embedder `EMBEDDER` names, described by the other variables that begin with `EMBEDDING_`; the spaces of prefixes belong to them:
/// `read` must not trim. `None` for the static model, which comes with the index.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub async fn configured(
    read: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Result<Option<Arc<dyn Embedder>>, InvalidSetting> {
    let whole = |name: &str| read(name).filter(|value| !value.trim().is_empty());
    let text = |name: &str| whole(name).map(|value| value.trim().to_owned());
    let needed = |name, expected| text(name).ok_or(InvalidSetting { name, expected });
    let described = || {
        let model = needed("EMBEDDING_MODEL", "a model's name")?;
        let dimensions = needed("EMBEDDING_DIMENSIONS", DIMENSIONS)?.parse().ok();
        let dimensions = dimensions.filter(|dimensions| (1..=DIMENSIONS_MAX).contains(dimensions));
        let dimensions = dimensions.ok_or(InvalidSetting {
            name: "EMBEDDING_DIMENSIONS",
            expected: DIMENSIONS,
        })?;
        Ok((model, dimensions))
    };
    match text("EMBEDDER").as_deref() {
        None | Some("static") => Ok(None),
        Some("openai_compatible") => {
            const URL: &str = "an http or https URL";
            let base_url = needed("EMBEDDING_BASE_URL", URL)?;
            let (model, dimensions) = described()?;
            let service = ServiceEmbedder::new(ServiceSettings {
                base_url,
                model,
                dimensions,
                key: text("EMBEDDING_API_KEY").map(SecretString::from),
                query_prefix: whole("EMBEDDING_QUERY_PREFIX").unwrap_or_default(),
                document_prefix: whole("EMBEDDING_DOCUMENT_PREFIX").unwrap_or_default(),
            });
            let service = service.ok_or(InvalidSetting {
                name: "EMBEDDING_BASE_URL",
                expected: URL,
            })?;
            Ok(Some(Arc::new(service)))
        }
        Some("bedrock") => {
            let (model, dimensions) = described()?;
            let mut shared = aws_config::defaults(BehaviorVersion::latest());
            if let Some(region) = text("EMBEDDING_REGION") {
                shared = shared.region(Region::new(region));
            }
            let shared = shared.load().await;
            let embedder = BedrockEmbedder::new(&shared, &model, dimensions);
            let embedder = embedder.ok_or(InvalidSetting {
                name: "EMBEDDING_MODEL",
                expected: "one that Bedrock embeds with in EMBEDDING_DIMENSIONS: amazon.titan-embed-text-v2:0 (256, 512, 1024), \
                           cohere.embed-multilingual-v3 (1024), cohere.embed-v4:0 (256, 512, 1024, 1536)",
            })?;
            Ok(Some(Arc::new(embedder)))
        }
        Some(_) => Err(InvalidSetting {
            name: "EMBEDDER",
            expected: "static, bedrock or openai_compatible",
        }),
    }
}
