//! Requests in the form that their model takes: some models refuse a temperature, some refuse tools.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use mostrador_core::model::{ModelError, ModelRequest, Refusal};

/// What a model is given beside the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Without a temperature and options of streaming.
    pub(crate) is_plain: bool,
    pub(crate) has_tools: bool,
}

impl Form {
    /// The form in which to ask again after `error`: without tools where these may be the reason, else plainly.
    ///
    /// # Errors
    /// `error`, where less would not help.
    pub(crate) fn after(
        self,
        error: ModelError,
        request: &ModelRequest,
    ) -> Result<Self, ModelError> {
        let ModelError::Rejected(refusal) = &error else {
            return Err(error);
        };
        let may_be_any = matches!(refusal.status, 400 | 422);
        if self.has_tools && (names_tools(refusal) || (may_be_any && self.is_plain)) {
            tracing::warn!(
                // What a caller calls the model is the caller's own words.
                model = request.model.as_deref().filter(|_| request.key.is_none()),
                status = refusal.status,
                reason = refusal.reason.as_deref(),
                "the model refuses a call with tools, and is asked without them"
            );
            return Ok(Self {
                has_tools: false,
                ..self
            });
        }
        if may_be_any && !self.is_plain {
            return Ok(Self {
                is_plain: true,
                ..self
            });
        }
        Err(error)
    }
}

/// Whether tools are what a provider says it does not take. `OpenRouter` says so with 404, and llama.cpp has said so with 500.
fn names_tools(refusal: &Refusal) -> bool {
    let reason = refusal.reason.as_deref().unwrap_or_default();
    let reason = reason.to_lowercase();
    let names_them = reason.contains("tool") || reason.contains("function");
    names_them && matches!(refusal.status, 400 | 404 | 422 | 500 | 501)
}

/// The forms that models were found to take, for as long as the process lives.
#[derive(Default)]
pub(crate) struct Forms(Mutex<HashMap<Account, Taken>>);

/// A model by its name, and whether a caller's own key pays for it: what that may have tells nothing of what the shop may.
type Account = (Option<String>, bool);

#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    is_plain: bool,
    /// Where that is known.
    takes_tools: Option<bool>,
}

impl Forms {
    /// Callers with a key of their own may name any number of models.
    const REMEMBERED_MAX: usize = 64;

    /// The form to ask in first.
    pub(crate) fn of(&self, request: &ModelRequest) -> Form {
        let taken = self.taken().get(&account(request)).copied();
        let taken = taken.unwrap_or_default();
        Form {
            is_plain: taken.is_plain,
            has_tools: !request.tools.is_empty() && taken.takes_tools != Some(false),
        }
    }

    /// Takes note of an answer to `request` in `form`. A model that has taken tools takes them: what it refused later was that
    /// one call.
    pub(crate) fn note(&self, request: &ModelRequest, form: Form) {
        let account = account(request);
        let mut models = self.taken();
        let is_full = request.key.is_some() && models.len() >= Self::REMEMBERED_MAX;
        if is_full && !models.contains_key(&account) {
            return;
        }
        let taken = models.entry(account).or_default();
        taken.is_plain |= form.is_plain;
        if !request.tools.is_empty() {
            taken.takes_tools.get_or_insert(form.has_tools);
        }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Account, Taken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn account(request: &ModelRequest) -> Account {
    (request.model.clone(), request.key.is_some())
}

#[cfg(test)]
mod tests {
    use mostrador_core::model::ToolSpec;
    use secrecy::SecretString;
    use serde_json::json;

    use super::*;

    const USUAL: Form = Form {
        is_plain: false,
        has_tools: true,
    };
    const PLAIN: Form = Form {
        is_plain: true,
        has_tools: true,
    };
    const TOOLLESS: Form = Form {
        is_plain: false,
        has_tools: false,
    };
    const LEAST: Form = Form {
        is_plain: true,
        has_tools: false,
    };

    fn request(model: &str) -> ModelRequest {
        ModelRequest {
            model: Some(model.to_owned()),
            tools: vec![ToolSpec {
                name: "search_catalog".into(),
                description: "Busca libros.".into(),
                parameters: json!({"type": "object"}),
            }],
            ..ModelRequest::default()
        }
    }

    /// The forms that follow one another while each is refused.
    fn check(status: u16, reason: Option<&str>, expected: &[Form]) {
        let mut form = Forms::default().of(&request("m"));
        let mut tried = vec![form];
        let refused = || {
            ModelError::Rejected(Refusal {
                status,
                reason: reason.map(str::to_owned),
            })
        };
        while let Ok(lesser) = form.after(refused(), &request("m")) {
            tried.push(lesser);
            form = lesser;
        }
        assert_eq!(tried, expected, "{status} {reason:?}");
    }

    #[test]
    fn what_is_refused_is_asked_again_with_less() {
        check(400, None, &[USUAL, PLAIN, LEAST]);
        check(422, Some("no temperature"), &[USUAL, PLAIN, LEAST]);
        let ollama = "registry.ollama.ai/library/gemma:2b does not support tools";
        check(400, Some(ollama), &[USUAL, TOOLLESS, LEAST]);
        let vllm = "\"auto\" tool choice requires --enable-auto-tool-choice";
        check(400, Some(vllm), &[USUAL, TOOLLESS, LEAST]);
        let mistral = "Function calling is not enabled for this model";
        check(400, Some(mistral), &[USUAL, TOOLLESS, LEAST]);
        let openrouter = "No endpoints found that support tool use.";
        check(404, Some(openrouter), &[USUAL, TOOLLESS]);
        let llama_cpp = "tools param requires --jinja flag";
        check(500, Some(llama_cpp), &[USUAL, TOOLLESS]);
        check(404, Some("The model does not exist"), &[USUAL]);
        check(429, Some("too many calls of tools"), &[USUAL]);
        for status in [401, 403, 404, 500, 503] {
            check(status, None, &[USUAL]);
        }
    }

    #[test]
    fn what_a_model_takes_is_remembered() {
        let forms = Forms::default();
        forms.note(&request("plain"), PLAIN);
        forms.note(&request("toolless"), TOOLLESS);
        assert_eq!(forms.of(&request("plain")), PLAIN);
        assert_eq!(forms.of(&request("toolless")), TOOLLESS);
        assert_eq!(forms.of(&request("another")), USUAL);
        let untooled = ModelRequest {
            tools: vec![],
            ..request("plain")
        };
        assert_eq!(forms.of(&untooled), LEAST);
        // Without tools nothing shows of how it takes them.
        forms.note(&untooled, LEAST);
        assert_eq!(forms.of(&request("plain")), PLAIN);
    }

    #[test]
    fn one_refused_call_takes_no_tools_away() {
        let forms = Forms::default();
        forms.note(&request("m"), USUAL);
        forms.note(&request("m"), TOOLLESS);
        assert_eq!(forms.of(&request("m")), USUAL);
    }

    #[test]
    fn callers_accounts_are_apart_and_do_not_fill_the_memory() {
        let forms = Forms::default();
        let own = |model: &str| ModelRequest {
            key: Some(SecretString::from("k")),
            ..request(model)
        };
        for number in 0..2 * Forms::REMEMBERED_MAX {
            forms.note(&own(&format!("m{number}")), TOOLLESS);
        }
        assert_eq!(forms.taken().len(), Forms::REMEMBERED_MAX);
        assert_eq!(forms.of(&own("m0")), TOOLLESS);
        assert_eq!(forms.of(&request("m0")), USUAL);
        forms.note(&request("m0"), TOOLLESS);
        assert_eq!(forms.of(&request("m0")), TOOLLESS);
    }
}
