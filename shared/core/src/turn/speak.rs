//! What a model makes of a turn, if one is asked.

use secrecy::SecretString;

use super::{
    answer::LlmTrace,
    engine::{Caller, Prepared, TurnEngine, TurnSettings},
    guard, prompt,
    request::ChatRequest,
    window::{Window, WindowLimits, window},
};
use crate::{
    chain::Chain,
    clock::elapsed_ms,
    log::Commit,
    model::{ModelRequest, StopReason, whole_answer},
    summary::Summary,
};

/// What a model made of the turn, or why it made nothing.
pub(super) struct Said {
    pub(super) message: Option<String>,
    pub(super) trace: LlmTrace,
    pub(super) model: Option<String>,
    pub(super) stop_reason: Option<StopReason>,
    /// The summary that the model was shown.
    pub(super) summary: Option<Summary>,
    pub(super) elapsed_ms: u64,
}

impl TurnEngine {
    /// A turn in which no model has said anything, for `reason` where one could have.
    pub(super) fn unsaid(&self, request: &ChatRequest, reason: Option<&str>) -> Said {
        let policy = &self.settings.policy;
        Said {
            message: None,
            trace: LlmTrace {
                provider: policy.provider.to_owned(),
                model: None,
                error: reason.filter(|_| policy.is_configured()).map(str::to_owned),
                usage: None,
                rejected: Vec::new(),
                repaired: false,
            },
            model: request.model.clone().or_else(|| policy.model().cloned()),
            stop_reason: None,
            summary: None,
            elapsed_ms: 0,
        }
    }

    /// Shows a model the conversation and what was found, and takes what it says if it may be said.
    pub(super) async fn ask_model(
        &self,
        caller: &Caller,
        prepared: &Prepared,
        key: Option<SecretString>,
    ) -> Said {
        let request = &prepared.request;
        let mut said = self.unsaid(request, None);
        said.trace.model.clone_from(&said.model);
        let context = prepared.context.as_deref().unwrap_or_default();
        let summary = prepared.summary.as_ref();
        let shown = shown(summary, context, &self.settings);
        said.summary = prepared.summary.clone().filter(|_| shown.with_summary);
        let earlier = shown.traced();
        let messages = prompt::prompt(&request.message, &prepared.found, earlier, caller.language);
        let asked_at = self.clock.now();
        let request = ModelRequest {
            model: request.model.clone(),
            messages,
            key,
            ..ModelRequest::default()
        };
        let answered = whole_answer(&*self.model, request).await;
        said.elapsed_ms = elapsed_ms(asked_at, self.clock.now());
        match answered {
            Ok(answer) => {
                said.stop_reason = Some(answer.stop_reason);
                if answer.model.is_some() {
                    said.model.clone_from(&answer.model);
                    said.trace.model = answer.model;
                }
                said.trace.usage = answer.usage;
                take_guarded(&answer.text, prepared, &mut said);
            }
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    code = error.code(),
                    "the model gave no answer"
                );
                said.trace.error = Some(error.code().to_owned());
            }
        }
        said
    }
}

/// What a model is shown of a conversation, whose commits come newest first.
pub(super) fn shown(
    summary: Option<&Summary>,
    commits: &[Commit],
    settings: &TurnSettings,
) -> Window {
    let tokens = settings.max_history_tokens;
    let limits = WindowLimits {
        messages: settings.max_history_messages,
        chars: settings.max_history_chars,
        tokens: tokens.map(|limit| limit.most),
        // The request offers no tools.
        tool_use: false,
    };
    let count_tokens = tokens.map_or(str::len as fn(&str) -> usize, |limit| limit.count);
    window(summary, commits, limits, &count_tokens)
}

/// Takes the model's words if they pass, or pass once their form is put right.
fn take_guarded(text: &str, prepared: &Prepared, said: &mut Said) {
    let results = &prepared.found.results;
    let mut text = text.trim().to_owned();
    let mut violations = guard::check(&text, results);
    if violations.iter().any(|violation| violation.is_form()) {
        let repaired = guard::repair(&text);
        let left = guard::check(&repaired, results);
        if left.is_empty() {
            said.trace.repaired = true;
            text = repaired;
        }
        violations = left;
    }
    if violations.is_empty() {
        said.message = Some(text);
    } else {
        said.trace.error = Some("guard_rejected".to_owned());
        said.trace.rejected = violations
            .into_iter()
            .map(|violation| violation.code().to_owned())
            .collect();
    }
}
