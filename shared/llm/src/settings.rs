//! Which model there is, by the environment.

use std::{str::FromStr, sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, Region};
use mostrador_core::{
    log::ContextLimits,
    model::{CostMode, Model, ModelPolicy},
    turn::TurnSettings,
};
use secrecy::SecretString;

use crate::{
    Bedrock, NoModel, OpenAiCompatible,
    by_name::ByName,
    fallback::{Deadlines, Fallback},
};

/// A variable that does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[error("{name} is not {expected}")]
pub struct InvalidSetting {
    name: &'static str,
    expected: &'static str,
}

/// Where variables are read from.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Bedrock and a URL, each for the models that are its own by their names.
const AUTO: &str = "auto";
const BEDROCK: &str = "bedrock";
const OPENAI_COMPATIBLE: &str = "openai_compatible";
/// Longest that models may take in all, unless set otherwise; the rest of a turn fits into the 29 seconds of an HTTP API.
const TIMEOUT_SECONDS: u64 = 20;
/// Longest from a question to the first word, so that there is time for another model, and from one word to the next.
const FIRST_BYTE_SECONDS: u64 = 10;
const IDLE_SECONDS: u64 = 10;
/// Most models asked one after another.
const MODELS_MAX: usize = 8;
/// Five bullets of Spanish take about 300 tokens.
const MAX_TOKENS: u32 = 400;

/// Which models may be asked, on whose account: `LLM_PROVIDER`, `LLM_BASE_URL`, `LLM_MODEL`, `LLM_MODELS`, `LLM_COST_MODE`,
/// `LLM_ALLOW_BYO_KEY`, `LLM_TIMEOUT_SECONDS` and `LLM_MAX_TOKENS`.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub fn policy(read: Read<'_>) -> Result<ModelPolicy, InvalidSetting> {
    let text = |name: &str| text(read, name);
    let provider = match text("LLM_PROVIDER").as_deref() {
        Some("none") => return Ok(ModelPolicy::none()),
        Some("auto") => AUTO,
        Some("bedrock") => BEDROCK,
        Some("openai_compatible") => OPENAI_COMPATIBLE,
        None if text("LLM_BASE_URL").is_some() => OPENAI_COMPATIBLE,
        None if text("LLM_MODEL").is_some() => BEDROCK,
        None => return Ok(ModelPolicy::none()),
        Some(_) => {
            return Err(InvalidSetting {
                name: "LLM_PROVIDER",
                expected: "none, bedrock, openai_compatible or auto",
            });
        }
    };
    let models = models(text("LLM_MODEL"), text("LLM_MODELS"))?;
    if provider == BEDROCK && models.is_empty() {
        return Err(InvalidSetting {
            name: "LLM_MODEL",
            expected: "the ID of a model of Bedrock or of an inference profile",
        });
    }
    let cost_mode = match text("LLM_COST_MODE").as_deref() {
        None | Some("paid") => CostMode::Paid,
        Some("byo_key" | "hybrid") if provider != OPENAI_COMPATIBLE => {
            return Err(InvalidSetting {
                name: "LLM_COST_MODE",
                expected: "paid, as Bedrock is paid by the account",
            });
        }
        Some("byo_key") => CostMode::ByoKey,
        Some("hybrid") => CostMode::Hybrid,
        Some(_) => {
            return Err(InvalidSetting {
                name: "LLM_COST_MODE",
                expected: "paid, byo_key or hybrid",
            });
        }
    };
    let allow_byo_key = flag(read, "LLM_ALLOW_BYO_KEY")?.unwrap_or(cost_mode != CostMode::Paid);
    let expected = "a number from 1 to 100000";
    let max_tokens = number(read, "LLM_MAX_TOKENS", (1, 100_000), expected)?;
    Ok(ModelPolicy {
        provider,
        models,
        cost_mode,
        allow_byo_key,
        timeout_seconds: seconds(read, "LLM_TIMEOUT_SECONDS")?.unwrap_or(TIMEOUT_SECONDS),
        max_tokens: max_tokens.unwrap_or(MAX_TOKENS),
    })
}

/// The models of a policy: `LLM_BASE_URL`, `LLM_API_KEY`, `LLM_REGION`, `LLM_FIRST_BYTE_SECONDS` and `LLM_IDLE_SECONDS`.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub async fn model(policy: &ModelPolicy, read: Read<'_>) -> Result<Arc<dyn Model>, InvalidSetting> {
    let wait = |name, default| {
        let seconds = seconds(read, name)?.unwrap_or(default);
        Ok::<_, InvalidSetting>(Duration::from_secs(seconds))
    };
    let deadlines = Deadlines {
        first: wait("LLM_FIRST_BYTE_SECONDS", FIRST_BYTE_SECONDS)?,
        idle: wait("LLM_IDLE_SECONDS", IDLE_SECONDS)?,
        total: Duration::from_secs(policy.timeout_seconds),
    };
    let provider: Arc<dyn Model> = match policy.provider {
        AUTO => Arc::new(ByName {
            url: Arc::new(openai_compatible(policy, read)?),
            bedrock: Arc::new(bedrock(policy, read).await),
        }),
        BEDROCK => Arc::new(bedrock(policy, read).await),
        OPENAI_COMPATIBLE => Arc::new(openai_compatible(policy, read)?),
        _ => return Ok(Arc::new(NoModel)),
    };
    let names = policy.models.clone();
    Ok(Arc::new(Fallback::new(provider, names, deadlines)))
}

async fn bedrock(policy: &ModelPolicy, read: Read<'_>) -> Bedrock {
    let mut shared = aws_config::defaults(BehaviorVersion::latest());
    if let Some(region) = text(read, "LLM_REGION") {
        shared = shared.region(Region::new(region));
    }
    Bedrock::new(&shared.load().await, policy.max_tokens)
}

fn openai_compatible(
    policy: &ModelPolicy,
    read: Read<'_>,
) -> Result<OpenAiCompatible, InvalidSetting> {
    let base_url = text(read, "LLM_BASE_URL").unwrap_or_default();
    let is_http = base_url.starts_with("http://") || base_url.starts_with("https://");
    let key = text(read, "LLM_API_KEY").map(SecretString::from);
    let provider = OpenAiCompatible::new(&base_url, key, policy.max_tokens);
    provider.filter(|_| is_http).ok_or(InvalidSetting {
        name: "LLM_BASE_URL",
        expected: "an http or https URL",
    })
}

/// The one model, then the others, each once.
fn models(one: Option<String>, others: Option<String>) -> Result<Vec<String>, InvalidSetting> {
    let others = others.unwrap_or_default();
    let others = others.split(',').map(|name| name.trim().to_owned());
    let mut models: Vec<String> = Vec::new();
    for name in one.into_iter().chain(others) {
        if !name.is_empty() && !models.contains(&name) {
            models.push(name);
        }
    }
    if models.len() > MODELS_MAX {
        return Err(InvalidSetting {
            name: "LLM_MODELS",
            expected: "at most 8 names with commas between them",
        });
    }
    Ok(models)
}

/// Reads `LLM_MAX_HISTORY_MESSAGES`, `LLM_MAX_HISTORY_CHARS`, `LLM_MAX_HISTORY_TOKENS` and `LLM_HISTORY_TOOLS`, what a model is
/// given of a conversation, and `LLM_MAX_STEPS`, how often it is called in a turn.
///
/// # Errors
/// [`InvalidSetting`], naming the variable.
pub fn turn_settings(policy: ModelPolicy, read: Read<'_>) -> Result<TurnSettings, InvalidSetting> {
    let default = TurnSettings::default();
    let expected = "a number of messages from 1 to 500";
    let messages = number(read, "LLM_MAX_HISTORY_MESSAGES", (1, 500), expected)?;
    let expected = "a number of characters from 300 to 1000000";
    let chars = number(read, "LLM_MAX_HISTORY_CHARS", (300, 1_000_000), expected)?;
    let expected = "a number from 1 to 10";
    let steps = number(read, "LLM_MAX_STEPS", (1, 10), expected)?;
    let expected = "a number of tokens from 300 to 1000000";
    let tokens = number(read, "LLM_MAX_HISTORY_TOKENS", (300, 1_000_000), expected)?;
    let within = default.context_limits;
    Ok(TurnSettings {
        context_limits: ContextLimits {
            messages: messages.unwrap_or(within.messages),
            chars: chars.unwrap_or(within.chars),
            tokens,
            tools: flag(read, "LLM_HISTORY_TOOLS")?.unwrap_or(within.tools),
        },
        policy,
        max_steps: steps.unwrap_or(default.max_steps),
        alone_since: default.alone_since,
    })
}

fn text(read: Read<'_>, name: &str) -> Option<String> {
    read(name)
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}

fn flag(read: Read<'_>, name: &'static str) -> Result<Option<bool>, InvalidSetting> {
    match text(read, name).as_deref() {
        None => Ok(None),
        Some("true" | "1" | "yes" | "on") => Ok(Some(true)),
        Some("false" | "0" | "no" | "off") => Ok(Some(false)),
        Some(_) => Err(InvalidSetting {
            name,
            expected: "true or false",
        }),
    }
}

fn seconds(read: Read<'_>, name: &'static str) -> Result<Option<u64>, InvalidSetting> {
    number(read, name, (1, 600), "a number of seconds from 1 to 600")
}

fn number<T: FromStr + PartialOrd>(
    read: Read<'_>,
    name: &'static str,
    (least, most): (T, T),
    expected: &'static str,
) -> Result<Option<T>, InvalidSetting> {
    let Some(text) = text(read, name) else {
        return Ok(None);
    };
    let number = text.parse().ok();
    let allowed = number.filter(|number| (least..=most).contains(number));
    allowed.map(Some).ok_or(InvalidSetting { name, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn with(name: &str, value: &str) -> Result<TurnSettings, String> {
        let read = |variable: &str| match variable {
            "LLM_BASE_URL" => Some("http://127.0.0.1:1/v1".to_owned()),
            variable if variable == name => Some(value.to_owned()),
            _ => None,
        };
        let policy = policy(&read).map_err(|error| error.to_string())?;
        model(&policy, &read)
            .await
            .map_err(|error| error.to_string())?;
        turn_settings(policy, &read).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn what_is_set_is_within_its_limits_or_named() {
        for (name, [low, least, most, high]) in [
            ("LLM_TIMEOUT_SECONDS", ["0", "1", "600", "601"]),
            ("LLM_FIRST_BYTE_SECONDS", ["0", "1", "600", "601"]),
            ("LLM_IDLE_SECONDS", ["0", "1", "600", "601"]),
            ("LLM_MAX_TOKENS", ["0", "1", "100000", "100001"]),
            ("LLM_MAX_STEPS", ["0", "1", "10", "11"]),
            ("LLM_MAX_HISTORY_MESSAGES", ["0", "1", "500", "501"]),
            (
                "LLM_MAX_HISTORY_CHARS",
                ["299", "300", "1000000", "1000001"],
            ),
            (
                "LLM_MAX_HISTORY_TOKENS",
                ["299", "300", "1000000", "1000001"],
            ),
        ] {
            for wrong in [low, high, "-1", "many", "3.5"] {
                let error = with(name, wrong).await.expect_err(wrong);
                assert!(error.starts_with(name), "{name}={wrong}: {error}");
            }
            for right in [least, most, "", &format!(" {least} ")] {
                with(name, right).await.expect(right);
            }
        }
    }

    #[tokio::test]
    async fn tokens_are_limited_only_where_that_is_wanted() {
        let default = with("", "").await.expect("defaults");
        assert!(default.context_limits.tokens.is_none() && !default.context_limits.tools);
        let set = with("LLM_MAX_HISTORY_TOKENS", "400")
            .await
            .expect("a limit");
        assert_eq!(set.context_limits.tokens, Some(400));
    }

    /// The provider, or the variable that is wrong, where these are set.
    fn provider(variables: &[(&str, &str)]) -> String {
        let read = |variable: &str| {
            let found = variables.iter().find(|(name, _)| *name == variable);
            found.map(|(_, value)| (*value).to_owned())
        };
        match policy(&read) {
            Ok(policy) => policy.provider.to_owned(),
            Err(error) => error.name.to_owned(),
        }
    }

    #[test]
    fn the_provider_is_the_one_that_is_named_or_meant() {
        let (url, model) = (("LLM_BASE_URL", "http://a/v1"), ("LLM_MODEL", "m"));
        let set = |name| ("LLM_PROVIDER", name);
        let paid_by = |who| ("LLM_COST_MODE", who);
        for (variables, expected) in [
            (&[][..], "none"),
            (&[url], "openai_compatible"),
            (&[url, model], "openai_compatible"),
            (&[model], "bedrock"),
            (&[set("none"), url, model], "none"),
            (&[set("bedrock"), url, model], "bedrock"),
            (&[set("bedrock"), url], "LLM_MODEL"),
            (&[set("auto"), url, model], "auto"),
            (&[set("auto"), url], "auto"),
            (&[set("nobody"), url, model], "LLM_PROVIDER"),
            (&[url, paid_by("hybrid")], "openai_compatible"),
            (&[model, paid_by("byo_key")], "LLM_COST_MODE"),
            (&[set("auto"), url, paid_by("hybrid")], "LLM_COST_MODE"),
        ] {
            assert_eq!(provider(variables), expected, "{variables:?}");
        }
    }
}
