//! Requests in the form that their model takes: some models refuse a temperature, some refuse tools.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mostrador_core::model::{ModelError, ModelRequest, Refusal};
use tokio::time::Instant;

use crate::refusal::mentions;

/// Why a call got no answer.
pub(crate) struct Failed {
    error: ModelError,
    /// Whether tools are what its provider says it does not take.
    names_tools: bool,
    /// Whether thinking is.
    names_thinking: bool,
}

impl Failed {
    /// A refusal, and all that was `message` of it: what names tools there may be left out of what a log may hold.
    pub(crate) fn refused(refusal: Refusal, message: Option<&str>, request: &ModelRequest) -> Self {
        Self {
            names_tools: message
                .is_some_and(|message| names_tools(refusal.status, message, request)),
            names_thinking: message
                .is_some_and(|message| names_thinking(refusal.status, message, request)),
            error: ModelError::Rejected(refusal),
        }
    }
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Self {
            error,
            names_tools: false,
            names_thinking: false,
        }
    }
}

/// `OpenRouter` says so with 404, and llama.cpp has said so with 500.
fn names_tools(status: u16, message: &str, request: &ModelRequest) -> bool {
    let mut names = ["tool", "function"].into_iter();
    matches!(status, 400 | 404 | 422 | 500 | 501)
        && names.any(|name| mentions(message, name, request))
}

fn names_thinking(status: u16, message: &str, request: &ModelRequest) -> bool {
    let mut names = ["thinking", "reasoning"].into_iter();
    matches!(status, 400 | 404 | 422) && names.any(|name| mentions(message, name, request))
}

/// What a model is given beside the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Without a temperature and options of streaming.
    pub(crate) is_plain: bool,
    pub(crate) has_tools: bool,
    /// Whether it is asked to think first.
    pub(crate) thinks: bool,
}

impl Form {
    /// The form in which to ask next: without what may be the reason; where any of it may be, first plainly, then without thinking,
    /// then without tools.
    ///
    /// # Errors
    /// Why the call failed, where less would not help.
    pub(crate) fn after(self, failed: Failed, request: &ModelRequest) -> Result<Self, ModelError> {
        let Failed {
            error,
            names_tools,
            names_thinking,
        } = failed;
        let ModelError::Rejected(refusal) = &error else {
            return Err(error);
        };
        let may_be_any = matches!(refusal.status, 400 | 422);
        if self.thinks && (names_thinking || (may_be_any && self.is_plain && !names_tools)) {
            return Ok(Self {
                thinks: false,
                ..self
            });
        }
        if self.has_tools && (names_tools || (may_be_any && self.is_plain)) {
            tracing::warn!(
                // What a caller calls the model is the caller's own words.
                model = request.model.as_deref().filter(|_| request.key.is_none()),
                status = refusal.status,
                reason = refusal.reason,
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

/// The forms that models were found to take, each for a while.
#[derive(Default)]
pub(crate) struct Forms(Mutex<HashMap<Account, Taken>>);

/// A model by its name, and whether a caller's own key pays for it: what that may have is no evidence of what the shop may.
type Account = (Option<String>, bool);

/// What is known of a model, until when that is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Taken {
    /// It takes nothing but plain requests.
    plain_until: Option<Instant>,
    takes_tools: Option<(bool, Instant)>,
    /// It is not asked to think.
    thoughtless_until: Option<Instant>,
}

impl Taken {
    /// What is still believed.
    fn at(self, now: Instant) -> Self {
        Self {
            plain_until: self.plain_until.filter(|until| now < *until),
            takes_tools: self.takes_tools.filter(|(_, until)| now < *until),
            thoughtless_until: self.thoughtless_until.filter(|until| now < *until),
        }
    }
}

/// What one call was refused may have been a passing thing; a refusal every so often costs little.
const BELIEVED_FOR: Duration = Duration::from_secs(10 * 60);

impl Forms {
    /// Callers with a key of their own may name any number of models.
    const REMEMBERED_MAX: usize = 64;

    /// The form to ask in first.
    pub(crate) fn of(&self, request: &ModelRequest) -> Form {
        let taken = self.taken().get(&account(request)).copied();
        let taken = taken.unwrap_or_default().at(Instant::now());
        let takes_none = matches!(taken.takes_tools, Some((false, _)));
        Form {
            is_plain: taken.plain_until.is_some(),
            has_tools: !request.tools.is_empty() && !takes_none,
            thinks: request.thinking.is_some() && taken.thoughtless_until.is_none(),
        }
    }

    /// Takes note of an answer to `request` in `form`. A model that has taken tools takes them: what it refused later was that
    /// one call. An answer to a reduced request is no evidence about what it refuses.
    pub(crate) fn note(&self, request: &ModelRequest, form: Form) {
        let account = account(request);
        let now = Instant::now();
        let until = now + BELIEVED_FOR;
        let mut models = self.taken();
        models.retain(|_, taken| {
            *taken = taken.at(now);
            *taken != Taken::default()
        });
        let is_full = request.key.is_some() && models.len() >= Self::REMEMBERED_MAX;
        if is_full && !models.contains_key(&account) {
            return;
        }
        let taken = models.entry(account).or_default();
        if form.is_plain {
            taken.plain_until.get_or_insert(until);
        }
        if request.thinking.is_some() && !form.thinks {
            taken.thoughtless_until.get_or_insert(until);
        }
        if form.has_tools {
            taken.takes_tools = Some((true, until));
        } else if !request.tools.is_empty() {
            taken.takes_tools.get_or_insert((false, until));
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
impl Form {
    /// Of a model that takes everything, in a request that does not ask for thinking.
    pub(crate) const USUAL: Self = Self {
        is_plain: false,
        has_tools: true,
        thinks: false,
    };
}

#[cfg(test)]
mod tests {
    use mostrador_core::model::{ModelMessage, ToolSpec};
    use secrecy::SecretString;
    use serde_json::json;
    use tokio::time::advance;

    use super::*;
    use crate::refusal::refusal;

    const USUAL: Form = Form::USUAL;
    const PLAIN: Form = Form {
        is_plain: true,
        has_tools: true,
        thinks: false,
    };
    const TOOLLESS: Form = Form {
        is_plain: false,
        has_tools: false,
        thinks: false,
    };
    const LEAST: Form = Form {
        is_plain: true,
        has_tools: false,
        thinks: false,
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
        let refused = || Failed::refused(Refusal::of(status), reason, &request("m"));
        while let Ok(lesser) = form.after(refused(), &request("m")) {
            tried.push(lesser);
            form = lesser;
        }
        assert_eq!(tried, expected, "{status} {reason:?}");
    }

    #[test]
    fn a_refused_request_is_retried_with_less() {
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
    fn refused_tools_are_recognised_by_a_message_that_no_log_may_hold() {
        let no_tools = "No endpoints found that support tool use";
        let long = format!("{}: {no_tools}", "ñ".repeat(500));
        let echo = format!("{no_tools}, asked '¿Libros de pájaros?'");
        for (prompt, message, expected) in [
            ("¿Libros de pájaros?", long.as_str(), Some(TOOLLESS)),
            ("¿Libros de pájaros?", echo.as_str(), Some(TOOLLESS)),
            // Nothing that a customer writes takes tools away.
            ("¿Functional Rust?", "no, '¿Functional Rust?'", None),
            ("¿Functional Rust?", no_tools, Some(TOOLLESS)),
            ("¿Tools of Titans?", no_tools, Some(TOOLLESS)),
        ] {
            let content = prompt.to_owned();
            let request = ModelRequest {
                messages: vec![ModelMessage::User { content }],
                ..request("m")
            };
            let refusal = refusal(404, None, Some(message));
            let failed = Failed::refused(refusal, Some(message), &request);
            assert_eq!(USUAL.after(failed, &request).ok(), expected, "{message}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_model_takes_is_retried_after_a_while() {
        let forms = Forms::default();
        forms.note(&request("m"), LEAST);
        forms.note(&request("hands"), USUAL);
        advance(BELIEVED_FOR - Duration::from_secs(1)).await;
        assert_eq!(forms.of(&request("m")), LEAST);
        // Asked so because that is believed, so nothing more is known; what is taken again, is.
        forms.note(&request("m"), LEAST);
        forms.note(&request("hands"), USUAL);
        advance(Duration::from_secs(1)).await;
        assert_eq!(forms.of(&request("m")), USUAL);
        forms.note(&request("hands"), TOOLLESS);
        assert_eq!(forms.of(&request("hands")), USUAL);
        forms.note(&request("m"), USUAL);
        forms.note(&request("m"), TOOLLESS);
        assert_eq!(forms.of(&request("m")), USUAL);
        advance(BELIEVED_FOR).await;
        forms.note(&request("another"), USUAL);
        assert_eq!(forms.taken().len(), 1);
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
    fn a_model_that_cannot_think_is_called_without_thinking() {
        let thinking = ModelRequest {
            thinking: Some(2_048),
            ..request("m")
        };
        let thinks = |form| Form {
            thinks: true,
            ..form
        };
        let after = |form: Form, message| {
            let failed =
                Failed::refused(refusal(400, None, Some(message)), Some(message), &thinking);
            form.after(failed, &thinking).ok()
        };
        let unknown = "Unrecognized request argument supplied: reasoning_effort";
        assert_eq!(after(thinks(USUAL), unknown), Some(USUAL));
        // Another reason may be a temperature, and thinking next.
        assert_eq!(after(thinks(USUAL), "no"), Some(thinks(PLAIN)));
        assert_eq!(after(thinks(PLAIN), "no"), Some(PLAIN));
        assert_eq!(after(PLAIN, "no"), Some(LEAST));
        let forms = Forms::default();
        assert_eq!(forms.of(&thinking), thinks(USUAL));
        forms.note(&thinking, USUAL);
        assert_eq!(forms.of(&thinking), USUAL);
        // A request without thinking is no evidence about it.
        let forms = Forms::default();
        forms.note(&request("m"), USUAL);
        assert_eq!(forms.of(&thinking), thinks(USUAL));
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
