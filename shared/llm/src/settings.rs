//! Which model there is, by the environment.

use std::{sync::Arc, time::Duration};

use mostrador_core::model::{CostMode, Model, ModelPolicy};
use secrecy::SecretString;

use crate::{NoModel, OpenAiCompatible};

/// A model with the policy it is asked under.
pub struct Configured {
    pub model: Arc<dyn Model>,
    pub policy: ModelPolicy,
}

/// A variable that does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[error("{name} is not {expected}")]
pub struct InvalidSetting {
    name: &'static str,
    expected: &'static str,
}

/// Longest a model may take in all, unless set otherwise; the rest of a turn fits into the 29 seconds of an HTTP API.
const TIMEOUT_SECONDS: u64 = 20;
/// Five bullets of Spanish take about 300 tokens.
const MAX_TOKENS: u32 = 400;

/// Reads `LLM_PROVIDER`, `LLM_MODEL`, `LLM_BASE_URL`, `LLM_API_KEY`, `LLM_COST_MODE`, `LLM_ALLOW_BYO_KEY`,
/// `LLM_TIMEOUT_SECONDS` and `LLM_MAX_TOKENS`.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub fn configure(read: &dyn Fn(&str) -> Option<String>) -> Result<Configured, InvalidSetting> {
    let text = |name: &str| {
        read(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    };
    let base_url = text("LLM_BASE_URL");
    let provider = text("LLM_PROVIDER").unwrap_or_else(|| {
        base_url
            .as_ref()
            .map_or("none", |_| "openai_compatible")
            .into()
    });
    match provider.as_str() {
        "none" => {
            return Ok(Configured {
                model: Arc::new(NoModel),
                policy: ModelPolicy::none(),
            });
        }
        "openai_compatible" => {}
        _ => {
            return Err(InvalidSetting {
                name: "LLM_PROVIDER",
                expected: "none or openai_compatible",
            });
        }
    }
    let base_url = base_url.filter(|url| url.starts_with("http://") || url.starts_with("https://"));
    let base_url = base_url.ok_or(InvalidSetting {
        name: "LLM_BASE_URL",
        expected: "an http or https URL",
    })?;
    let cost_mode = match text("LLM_COST_MODE").as_deref() {
        None | Some("paid") => CostMode::Paid,
        Some("byo_key") => CostMode::ByoKey,
        Some("hybrid") => CostMode::Hybrid,
        Some(_) => {
            return Err(InvalidSetting {
                name: "LLM_COST_MODE",
                expected: "paid, byo_key or hybrid",
            });
        }
    };
    let allow_byo_key = match text("LLM_ALLOW_BYO_KEY").as_deref() {
        None => cost_mode != CostMode::Paid,
        Some("true" | "1" | "yes" | "on") => true,
        Some("false" | "0" | "no" | "off") => false,
        Some(_) => {
            return Err(InvalidSetting {
                name: "LLM_ALLOW_BYO_KEY",
                expected: "true or false",
            });
        }
    };
    let seconds = |name, default| match text(name) {
        None => Ok(default),
        Some(value) => value
            .parse::<u64>()
            .ok()
            .filter(|seconds| (1..=600).contains(seconds))
            .ok_or(InvalidSetting {
                name,
                expected: "a number of seconds from 1 to 600",
            }),
    };
    let timeout_seconds = seconds("LLM_TIMEOUT_SECONDS", TIMEOUT_SECONDS)?;
    let max_tokens = match text("LLM_MAX_TOKENS") {
        None => MAX_TOKENS,
        Some(value) => value.parse().map_err(|_| InvalidSetting {
            name: "LLM_MAX_TOKENS",
            expected: "a number",
        })?,
    };
    let model = OpenAiCompatible::new(
        &base_url,
        text("LLM_API_KEY").map(SecretString::from),
        Duration::from_secs(timeout_seconds),
        max_tokens,
    )
    .ok_or(InvalidSetting {
        name: "LLM_BASE_URL",
        expected: "an http or https URL",
    })?;
    let policy = ModelPolicy {
        provider: "openai_compatible",
        model: text("LLM_MODEL"),
        cost_mode,
        allow_byo_key,
        timeout_seconds,
        max_tokens,
    };
    Ok(Configured {
        model: Arc::new(model),
        policy,
    })
}
