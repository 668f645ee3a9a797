//! Keys that an identity provider publishes.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, JwkSet},
};
use tokio::sync::Mutex;

/// Keys are asked for again at most so often, however many tokens name unknown ones.
const REFRESH_EVERY: Duration = Duration::from_secs(60);
/// Largest key set read.
const SET_BYTES_MAX: usize = 256 * 1024;

/// A provider's published keys, fetched when a token needs one that is not known yet.
pub(super) struct KeySet {
    url: String,
    client: reqwest::Client,
    keys: RwLock<Arc<Vec<Published>>>,
    asked_at: Mutex<Option<Instant>>,
}

struct Published {
    kid: Option<String>,
    key: DecodingKey,
    algorithm: Algorithm,
}

impl KeySet {
    pub(super) fn new(url: String, timeout: Duration) -> Self {
        let client = reqwest::Client::builder()
            .timeout(timeout)
            .build()
            .unwrap_or_default();
        Self {
            url,
            client,
            keys: RwLock::default(),
            asked_at: Mutex::new(None),
        }
    }

    /// The key with this id; without an id, the only key there is.
    pub(super) async fn find(&self, kid: Option<&str>) -> Option<(DecodingKey, Algorithm)> {
        if let Some(found) = self.known(kid) {
            return Some(found);
        }
        let mut asked_at = self.asked_at.lock().await;
        if let Some(found) = self.known(kid) {
            return Some(found);
        }
        if asked_at.is_some_and(|at| at.elapsed() < REFRESH_EVERY) {
            return None;
        }
        *asked_at = Some(Instant::now());
        match self.fetch().await {
            Ok(set) => {
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(usable(&set))
            }
            Err(error) => {
                tracing::error!(
                    error = %mostrador_core::chain::Chain(&*error),
                    "the identity provider's keys could not be fetched"
                );
            }
        }
        self.known(kid)
    }

    fn known(&self, kid: Option<&str>) -> Option<(DecodingKey, Algorithm)> {
        let keys = Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner));
        let found = match kid {
            Some(_) => keys.iter().find(|key| key.kid.as_deref() == kid),
            None => keys.first().filter(|_| keys.len() == 1),
        }?;
        Some((found.key.clone(), found.algorithm))
    }

    async fn fetch(&self) -> Result<JwkSet, Box<dyn std::error::Error + Send + Sync>> {
        let mut answer = self
            .client
            .get(&self.url)
            .send()
            .await?
            .error_for_status()?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if body.len() + chunk.len() > SET_BYTES_MAX {
                return Err("the key set is too large".into());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(serde_json::from_slice(&body)?)
    }
}

/// The keys we check with: RSA by RS256, P-256 by ES256. The kind of key decides, not what a token claims.
fn usable(set: &JwkSet) -> Vec<Published> {
    set.keys
        .iter()
        .filter_map(|jwk| {
            let algorithm = match &jwk.algorithm {
                AlgorithmParameters::RSA(_) => Algorithm::RS256,
                AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
                    Algorithm::ES256
                }
                _ => return None,
            };
            let key = DecodingKey::from_jwk(jwk).ok()?;
            Some(Published {
                kid: jwk.common.key_id.clone(),
                key,
                algorithm,
            })
        })
        .collect()
}
