//! Models of Bedrock and of an OpenAI-compatible URL beside each other: a model's name selects one of them.

use std::sync::Arc;

use async_trait::async_trait;
use mostrador_core::model::{Completion, Model, ModelError, ModelRequest, Refusal};

/// Whose models Bedrock has, as their IDs begin. A model without one of these is the URL's.
const VENDORS: [&str; 16] = [
    "ai21.",
    "amazon.",
    "anthropic.",
    "cohere.",
    "deepseek.",
    "google.",
    "meta.",
    "minimax.",
    "mistral.",
    "moonshot.",
    "moonshotai.",
    "nvidia.",
    "openai.",
    "qwen.",
    "writer.",
    "zai.",
];
/// Where an inference profile may have the answer made, as its ID begins; the model's own ID follows.
const GEOGRAPHIES: [&str; 8] = [
    "us.", "us-gov.", "eu.", "apac.", "jp.", "au.", "ca.", "global.",
];

pub(crate) struct ByName {
    pub(crate) bedrock: Arc<dyn Model>,
    pub(crate) url: Arc<dyn Model>,
}

/// Whether a name is that of a model or a profile of Bedrock.
fn is_of_bedrock(name: &str) -> bool {
    let mut places = GEOGRAPHIES.iter();
    let model = places.find_map(|place| name.strip_prefix(place));
    let model = model.unwrap_or(name);
    name.starts_with("arn:") || VENDORS.iter().any(|vendor| model.starts_with(vendor))
}

#[async_trait]
impl Model for ByName {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let name = request.model.as_deref();
        // A key is for the URL alone, and nobody else's models are asked on the shop's account.
        if request.key.is_none() && name.is_some_and(is_of_bedrock) {
            return self.bedrock.ask(request).await;
        }
        match self.url.ask(request).await {
            // The URL's key is wrong, which after a 401 would be the end of it; Bedrock's models may still answer.
            Err(ModelError::Rejected(Refusal { status: 401, .. })) => {
                let reason = Some("401 of the URL");
                let refusal = Refusal {
                    status: 403,
                    reason,
                };
                Err(ModelError::Rejected(refusal))
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    /// Refuses with a status of its own.
    struct Refusing(u16);

    #[async_trait]
    impl Model for Refusing {
        async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
            Err(ModelError::Rejected(Refusal::of(self.0)))
        }
    }

    async fn answered_by(model: Option<&str>, key: Option<&str>) -> &'static str {
        let models = ByName {
            bedrock: Arc::new(Refusing(400)),
            url: Arc::new(Refusing(401)),
        };
        let request = ModelRequest {
            model: model.map(str::to_owned),
            key: key.map(SecretString::from),
            ..ModelRequest::default()
        };
        match models.ask(request).await {
            Err(ModelError::Rejected(Refusal { status: 400, .. })) => "bedrock",
            Err(ModelError::Rejected(Refusal { status: 403, .. })) => "url",
            _ => "somebody else",
        }
    }

    #[tokio::test]
    async fn a_name_selects_its_provider() {
        for (model, expected) in [
            ("anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock"),
            ("global.anthropic.claude-haiku-4-5-20251001-v1:0", "bedrock"),
            ("eu.amazon.nova-lite-v1:0", "bedrock"),
            ("us-gov.anthropic.claude-sonnet-4-5", "bedrock"),
            ("openai.gpt-oss-120b-1:0", "bedrock"),
            ("mistral.mistral-large-2407-v1:0", "bedrock"),
            (
                "arn:aws:bedrock:eu-west-3:123456789012:application-inference-profile/a1b2",
                "bedrock",
            ),
            ("gpt-4o-mini", "url"),
            ("anthropic/claude-haiku-4.5", "url"),
            ("mistral-large-latest", "url"),
            ("qwen2.5-1.5b-instruct", "url"),
            ("eu.gpt-4o-mini", "url"),
            ("us.eu.amazon.nova-lite-v1:0", "url"),
        ] {
            assert_eq!(answered_by(Some(model), None).await, expected, "{model}");
            assert_eq!(answered_by(Some(model), Some("k")).await, "url", "{model}");
        }
        assert_eq!(answered_by(None, None).await, "url");
    }
}
