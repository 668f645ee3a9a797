//! How often somebody may call.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use mostrador_core::limits::{Limits, LimitsError, Rate, RateDecision, Scope, WindowKey};
use time::OffsetDateTime;

use crate::{Environment, SettingError};

/// The rate of each scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    pub chat: Rate,
    pub search: Rate,
    pub action: Rate,
    pub history: Rate,
    pub guest_model: Rate,
}

impl Rates {
    /// Reads `AGENT_RATE_LIMIT_CHAT`, `…_SEARCH`, `…_ACTION`, `…_HISTORY` and `…_GUEST_MODEL`, each such as `30/min`.
    ///
    /// # Errors
    /// [`SettingError`] for a rate that is none.
    pub fn from_environment(environment: &Environment<'_>) -> Result<Self, SettingError> {
        let rate =
            |name: &'static str, limit: u32, window_seconds: u32| match environment.text(name) {
                None => Ok(Rate {
                    limit,
                    window_seconds,
                }),
                Some(text) => Rate::parse(&text).ok_or(SettingError::Invalid {
                    name,
                    expected: "a rate such as 30/min",
                }),
            };
        Ok(Self {
            chat: rate("AGENT_RATE_LIMIT_CHAT", 30, 60)?,
            search: rate("AGENT_RATE_LIMIT_SEARCH", 60, 60)?,
            action: rate("AGENT_RATE_LIMIT_ACTION", 20, 60)?,
            history: rate("AGENT_RATE_LIMIT_HISTORY", 60, 60)?,
            guest_model: rate("AGENT_RATE_LIMIT_GUEST_MODEL", 600, 3_600)?,
        })
    }

    #[must_use]
    pub fn of(&self, scope: Scope) -> Rate {
        match scope {
            Scope::Chat => self.chat,
            Scope::Search => self.search,
            Scope::Action => self.action,
            Scope::History => self.history,
            Scope::GuestModel => self.guest_model,
        }
    }
}

/// Takes tokens from rate windows. Where a limit is high it takes several at once and hands them out from memory, so that a
/// busy caller costs few writes; they are all counted beforehand, so the window is never overshot.
pub struct Throttle {
    limits: Arc<dyn Limits>,
    rates: Rates,
    leases: Mutex<HashMap<WindowKey, Arc<Lease>>>,
}

/// Tokens of one window that are counted and not yet spent. Held by whoever spends one or gets more, so that nobody is sent
/// the window is full while tokens of it lie in memory.
type Lease = tokio::sync::Mutex<Held>;

#[derive(Debug, Clone, Copy, Default)]
struct Held {
    tokens: u32,
    used: u32,
}

/// A limit is cut into so many leases: what an instance holds back from the others is at most this share of it.
const LEASES_PER_WINDOW: u32 = 100;
/// Windows remembered at once; those that are over go first.
const WINDOWS: usize = 1_024;

impl Throttle {
    #[must_use]
    pub fn new(limits: Arc<dyn Limits>, rates: Rates) -> Self {
        Self {
            limits,
            rates,
            leases: Mutex::default(),
        }
    }

    #[must_use]
    pub fn rates(&self) -> &Rates {
        &self.rates
    }

    /// Takes one token of `subject`'s window.
    ///
    /// # Errors
    /// [`LimitsError`] where the table cannot be reached.
    pub async fn take(
        &self,
        scope: Scope,
        subject: String,
        now: OffsetDateTime,
    ) -> Result<RateDecision, LimitsError> {
        let rate = self.rates.of(scope);
        let (window, reset_seconds) =
            rate.window_at(u64::try_from(now.unix_timestamp()).unwrap_or(0));
        let key = WindowKey {
            scope,
            subject,
            window,
        };
        let used = match rate.limit / LEASES_PER_WINDOW {
            0 | 1 => self.limits.take(&key, 1, rate).await?,
            lease => self.spend_lease(&key, lease, rate).await?,
        };
        Ok(RateDecision {
            admitted: used.is_some(),
            limit: rate.limit,
            remaining: rate.limit.saturating_sub(used.unwrap_or(rate.limit)),
            reset_seconds,
        })
    }

    async fn spend_lease(
        &self,
        key: &WindowKey,
        lease: u32,
        rate: Rate,
    ) -> Result<Option<u32>, LimitsError> {
        let slot = self.slot(key);
        let mut held = slot.lock().await;
        if held.tokens == 0 {
            // The last tokens of a window may be fewer than a lease.
            for tokens in [lease, 1] {
                if let Some(used) = self.limits.take(key, tokens, rate).await? {
                    *held = Held {
                        tokens,
                        used: used.saturating_sub(tokens),
                    };
                    break;
                }
            }
        }
        if held.tokens == 0 {
            return Ok(None);
        }
        held.tokens -= 1;
        held.used += 1;
        Ok(Some(held.used))
    }

    fn slot(&self, key: &WindowKey) -> Arc<Lease> {
        let mut leases = self.leases.lock().unwrap_or_else(PoisonError::into_inner);
        if leases.len() >= WINDOWS && !leases.contains_key(key) {
            leases.retain(|other, _| other.scope != key.scope || other.window >= key.window);
            if leases.len() >= WINDOWS {
                leases.clear();
            }
        }
        Arc::clone(leases.entry(key.clone()).or_default())
    }
}
