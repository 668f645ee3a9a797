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

/// A set that was fetched is not asked for again before, however many tokens name keys that are not in it.
const REFRESH_EVERY: Duration = Duration::from_secs(60);
/// A set is asked for again after so long even where all keys are known: some may have been withdrawn.
const BELIEVED_FOR: Duration = Duration::from_secs(60 * 60);
/// After a fetch that failed the next one waits so long, and twice as long after each that follows, up to [`REFRESH_EVERY`].
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// Largest key set read.
const SET_BYTES_MAX: usize = 256 * 1024;

/// A provider's published keys, fetched when a token needs one that is not known yet.
pub(super) struct KeySet {
    url: String,
    client: reqwest::Client,
    known: RwLock<Arc<Known>>,
    /// Held by whoever fetches.
    next: Mutex<Next>,
}

/// What the last fetch that succeeded has brought.
#[derive(Default)]
struct Known {
    keys: Vec<Published>,
    fetched_at: Option<Instant>,
}

/// When the keys may be asked for again.
#[derive(Default)]
struct Next {
    not_before: Option<Instant>,
    /// Fetches that have failed since the last one that did not.
    failed: u32,
}

/// The provider does not give its keys, and the one that is needed is not known: try again in so many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeysUnavailable {
    pub(super) retry_after_seconds: u64,
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
            known: RwLock::default(),
            next: Mutex::default(),
        }
    }

    /// The key with this id; without an id, the only key there is. `None` where the provider has no such key.
    ///
    /// # Errors
    /// [`KeysUnavailable`] where that is not known, since the provider does not answer. A key that is known goes on being used.
    pub(super) async fn find(
        &self,
        kid: Option<&str>,
    ) -> Result<Option<(DecodingKey, Algorithm)>, KeysUnavailable> {
        let known = self.known();
        let found = known.find(kid);
        if found.is_some() && known.is_fresh() {
            return Ok(found);
        }
        match self.refresh().await {
            // Somebody else may have fetched them, or they were fetched a moment ago.
            Ok(()) => Ok(self.known().find(kid)),
            Err(_) if found.is_some() => Ok(found),
            Err(unavailable) => Err(unavailable),
        }
    }

    fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Fetches the keys, unless that was done a moment ago.
    async fn refresh(&self) -> Result<(), KeysUnavailable> {
        let mut next = self.next.lock().await;
        let wait = next
            .not_before
            .map(|not_before| not_before.saturating_duration_since(Instant::now()))
            .filter(|wait| !wait.is_zero());
        if let Some(wait) = wait {
            return if next.failed == 0 {
                Ok(())
            } else {
                Err(KeysUnavailable::after(wait))
            };
        }
        match self.fetch().await {
            Ok(set) => {
                let fetched = Known {
                    keys: usable(&set),
                    fetched_at: Some(Instant::now()),
                };
                *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(fetched);
                *next = Next {
                    not_before: Some(Instant::now() + REFRESH_EVERY),
                    failed: 0,
                };
                Ok(())
            }
            Err(error) => {
                tracing::error!(
                    error = %mostrador_core::chain::Chain(&*error),
                    "the identity provider's keys could not be fetched"
                );
                let wait = FIRST_RETRY.saturating_mul(1 << next.failed.min(16));
                let wait = wait.min(REFRESH_EVERY);
                *next = Next {
                    not_before: Some(Instant::now() + wait),
                    failed: next.failed + 1,
                };
                Err(KeysUnavailable::after(wait))
            }
        }
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

impl Known {
    fn find(&self, kid: Option<&str>) -> Option<(DecodingKey, Algorithm)> {
        let found = match kid {
            Some(_) => self.keys.iter().find(|key| key.kid.as_deref() == kid),
            None => self.keys.first().filter(|_| self.keys.len() == 1),
        }?;
        Some((found.key.clone(), found.algorithm))
    }

    fn is_fresh(&self) -> bool {
        self.fetched_at
            .is_some_and(|fetched_at| fetched_at.elapsed() < BELIEVED_FOR)
    }
}

impl KeysUnavailable {
    fn after(wait: Duration) -> Self {
        Self {
            retry_after_seconds: wait.as_millis().div_ceil(1_000).try_into().unwrap_or(60),
        }
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
