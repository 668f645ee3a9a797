//! Which embedder there is, by the environment.

use std::sync::Arc;

use secrecy::SecretString;

use super::{Embedder, ServiceEmbedder, ServiceSettings};

/// A variable that does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[error("{name} is not {expected}")]
pub struct InvalidSetting {
    name: &'static str,
    expected: &'static str,
}

/// Reads `EMBEDDER`, `EMBEDDING_BASE_URL`, `EMBEDDING_MODEL`, `EMBEDDING_DIMENSIONS`, `EMBEDDING_API_KEY`, `EMBEDDING_QUERY_PREFIX` and
/// `EMBEDDING_DOCUMENT_PREFIX`, whose spaces belong to them: `read` must not trim. `None` for the static model, which comes with the index.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub fn configured(
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Arc<dyn Embedder>>, InvalidSetting> {
    // A prefix may end in a space that belongs to it.
    let whole = |name: &str| read(name).filter(|value| !value.trim().is_empty());
    let text = |name: &str| whole(name).map(|value| value.trim().to_owned());
    match text("EMBEDDER").as_deref() {
        None | Some("static") => return Ok(None),
        Some("openai_compatible") => {}
        Some(_) => {
            return Err(InvalidSetting {
                name: "EMBEDDER",
                expected: "static or openai_compatible",
            });
        }
    }
    let needed = |name, expected| text(name).ok_or(InvalidSetting { name, expected });
    let dimensions = needed("EMBEDDING_DIMENSIONS", "a number from 1 to 4096")?;
    let settings = ServiceSettings {
        base_url: needed("EMBEDDING_BASE_URL", "an http or https URL")?,
        model: needed("EMBEDDING_MODEL", "a model's name")?,
        dimensions: dimensions
            .parse()
            .ok()
            .filter(|dimensions| (1..=4_096).contains(dimensions))
            .ok_or(InvalidSetting {
                name: "EMBEDDING_DIMENSIONS",
                expected: "a number from 1 to 4096",
            })?,
        key: text("EMBEDDING_API_KEY").map(SecretString::from),
        query_prefix: whole("EMBEDDING_QUERY_PREFIX").unwrap_or_default(),
        document_prefix: whole("EMBEDDING_DOCUMENT_PREFIX").unwrap_or_default(),
    };
    let service = ServiceEmbedder::new(settings).ok_or(InvalidSetting {
        name: "EMBEDDING_BASE_URL",
        expected: "an http or https URL",
    })?;
    Ok(Some(Arc::new(service)))
}
