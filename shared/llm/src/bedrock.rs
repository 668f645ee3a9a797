//! The models of Amazon Bedrock, whichever family: `ConverseStream`.

mod request;
#[cfg(test)]
mod tests;
mod thinking;

use std::{collections::VecDeque, time::Duration};

use async_trait::async_trait;
use aws_config::{
    SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_bedrockruntime::{
    Client,
    config::Builder,
    error::{ProvideErrorMetadata, SdkError},
    operation::converse_stream::{ConverseStreamError, ConverseStreamOutput as Answer},
    types::{
        ContentBlockDelta, ContentBlockStart, ConverseStreamOutput, InferenceConfiguration,
        ReasoningContentBlockDelta, StopReason as WireStopReason, error::ConverseStreamOutputError,
    },
};
use futures_util::stream::{self, StreamExt};
use mostrador_core::model::{
    Completion, Model, ModelError, ModelEvent, ModelRequest, StopReason, Usage,
};

use self::{
    request::{conversation, tool_config},
    thinking::Thoughts,
};
use crate::{
    ANSWER_BYTES_MAX, TEMPERATURE, TOOL_CALLS_MAX, called,
    forms::{Failed, Form, Forms},
    refusal::refusal,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A model by its ID or its inference profile. It waits as long as it is let.
pub struct Bedrock {
    client: Client,
    max_tokens: i32,
    forms: Forms,
}

impl Bedrock {
    #[must_use]
    pub fn new(shared: &SdkConfig, max_tokens: u32) -> Self {
        // Who asks sets the times, and asks again where that may help.
        let settings = Builder::from(shared)
            .timeout_config(
                TimeoutConfig::builder()
                    .connect_timeout(CONNECT_TIMEOUT)
                    .build(),
            )
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .retry_config(RetryConfig::disabled());
        Self {
            client: Client::from_conf(settings.build()),
            max_tokens: i32::try_from(max_tokens).unwrap_or(i32::MAX),
            forms: Forms::default(),
        }
    }
}

impl Bedrock {
    async fn converse(&self, request: &ModelRequest, form: Form) -> Result<Answer, Failed> {
        let tools = if form.has_tools {
            &request.tools[..]
        } else {
            &[]
        };
        let (system, messages) = conversation(&request.messages, form.has_tools, form.thinks)?;
        let model = request.model.as_deref().unwrap_or_default();
        let budget = request.thinking.filter(|_| form.thinks);
        let thinking = budget.and_then(|budget| thinking::fields(model, budget));
        // What is thought counts too, and who thinks takes no temperature.
        let thought_tokens = budget.filter(|_| thinking.is_some()).unwrap_or_default();
        let thought_tokens = i32::try_from(thought_tokens).unwrap_or(i32::MAX);
        let is_warm = !form.is_plain && thinking.is_none();
        let inference = InferenceConfiguration::builder()
            .max_tokens(self.max_tokens.saturating_add(thought_tokens))
            .set_temperature(is_warm.then_some(TEMPERATURE))
            .build();
        self.client
            .converse_stream()
            .set_model_id(request.model.clone())
            .set_system(Some(system).filter(|system| !system.is_empty()))
            .set_messages(Some(messages))
            .inference_config(inference)
            .set_tool_config(tool_config(tools)?)
            .set_additional_model_request_fields(thinking)
            .send()
            .await
            .map_err(|error| refused(error, request))
    }
}

#[async_trait]
impl Model for Bedrock {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let mut form = self.forms.of(&request);
        let answer = loop {
            match self.converse(&request, form).await {
                Ok(answer) => break answer,
                Err(failed) => form = form.after(failed, &request)?,
            }
        };
        self.forms.note(&request, form);
        let start = (answer, Assembly::default());
        let events = stream::try_unfold(start, |(mut answer, mut so_far)| async move {
            let event = next(&mut answer, &mut so_far).await?;
            Ok(event.map(|event| (event, (answer, so_far))))
        });
        Ok(Completion {
            model: request.model,
            events: events.boxed(),
        })
    }
}

async fn next(
    answer: &mut Answer,
    so_far: &mut Assembly,
) -> Result<Option<ModelEvent>, ModelError> {
    loop {
        if let Some(event) = so_far.ready.pop_front() {
            return Ok(Some(event));
        }
        if so_far.is_finished {
            return Ok(None);
        }
        match answer.stream.recv().await.map_err(broken)? {
            Some(event) => so_far.take(event)?,
            None => so_far.finish()?,
        }
    }
}

/// An answer as it comes together.
#[derive(Default)]
struct Assembly {
    /// Not yet taken.
    ready: VecDeque<ModelEvent>,
    /// Tool calls by the number of their block.
    calls: Vec<Call>,
    calls_made: usize,
    thoughts: Thoughts,
    bytes: usize,
    stop_reason: Option<StopReason>,
    is_finished: bool,
}

/// A tool call as it comes together.
struct Call {
    block: i32,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    fn take(&mut self, event: ConverseStreamOutput) -> Result<(), ModelError> {
        match event {
            ConverseStreamOutput::ContentBlockStart(begun) => {
                if let Some(ContentBlockStart::ToolUse(tool)) = begun.start {
                    self.calls_made += 1;
                    if self.calls_made > TOOL_CALLS_MAX {
                        return Err(ModelError::TooLarge);
                    }
                    self.calls.push(Call {
                        block: begun.content_block_index,
                        id: tool.tool_use_id,
                        name: tool.name,
                        arguments: String::new(),
                    });
                }
            }
            ConverseStreamOutput::ContentBlockDelta(delta) => {
                if let Some(content) = delta.delta {
                    self.take_delta(delta.content_block_index, content)?;
                }
            }
            ConverseStreamOutput::ContentBlockStop(ended) => {
                let block = ended.content_block_index;
                if let Some(place) = self.calls.iter().position(|call| call.block == block) {
                    let call = self.calls.remove(place);
                    let mut call = called(call.id, call.name, call.arguments);
                    call.provider_data = self.thoughts.carried();
                    self.ready.push_back(ModelEvent::ToolCall(call));
                }
            }
            ConverseStreamOutput::MessageStop(stopped) => {
                self.stop_reason = Some(stop_reason(&stopped.stop_reason)?);
            }
            ConverseStreamOutput::Metadata(metadata) => {
                if let Some(usage) = metadata.usage {
                    self.ready.push_back(ModelEvent::Usage(Usage {
                        input_tokens: u64::try_from(usage.input_tokens).unwrap_or(0),
                        output_tokens: u64::try_from(usage.output_tokens).unwrap_or(0),
                    }));
                }
            }
            // A beginning, and whatever may be added.
            _ => {}
        }
        Ok(())
    }

    fn take_delta(&mut self, block: i32, content: ContentBlockDelta) -> Result<(), ModelError> {
        match content {
            ContentBlockDelta::Text(text) if !text.is_empty() => {
                self.count(text.len())?;
                self.ready.push_back(ModelEvent::ContentDelta(text));
            }
            ContentBlockDelta::ReasoningContent(ReasoningContentBlockDelta::Text(text)) => {
                self.count(text.len())?;
                self.thoughts.push_text(block, &text);
                self.ready.push_back(ModelEvent::ReasoningDelta(text));
            }
            ContentBlockDelta::ReasoningContent(ReasoningContentBlockDelta::Signature(part)) => {
                self.count(part.len())?;
                self.thoughts.push_signature(block, &part);
            }
            ContentBlockDelta::ReasoningContent(ReasoningContentBlockDelta::RedactedContent(
                part,
            )) => {
                self.count(part.as_ref().len())?;
                self.thoughts.push_redacted(block, part.as_ref());
            }
            ContentBlockDelta::ToolUse(part) => {
                self.count(part.input.len())?;
                if let Some(call) = self.calls.iter_mut().find(|call| call.block == block) {
                    call.arguments.push_str(&part.input);
                }
            }
            // What was not asked for.
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.bytes += bytes;
        if self.bytes > ANSWER_BYTES_MAX {
            return Err(ModelError::TooLarge);
        }
        Ok(())
    }

    /// Usage comes after the reason, so that the reason is emitted at the very end.
    fn finish(&mut self) -> Result<(), ModelError> {
        let cut = || ModelError::Unreachable("the answer broke off".into());
        let stop_reason = self.stop_reason.ok_or_else(cut)?;
        self.ready.push_back(ModelEvent::End { stop_reason });
        self.is_finished = true;
        Ok(())
    }
}

fn stop_reason(reason: &WireStopReason) -> Result<StopReason, ModelError> {
    Ok(match reason {
        WireStopReason::MaxTokens | WireStopReason::ModelContextWindowExceeded => {
            StopReason::MaxTokens
        }
        WireStopReason::StopSequence => StopReason::StopSequence,
        WireStopReason::ToolUse => StopReason::ToolUse,
        WireStopReason::ContentFiltered | WireStopReason::GuardrailIntervened => {
            StopReason::Refused
        }
        WireStopReason::MalformedModelOutput | WireStopReason::MalformedToolUse => {
            return Err(ModelError::Garbage("malformed by its own account".into()));
        }
        _ => StopReason::EndTurn,
    })
}

/// Why there is no answer.
fn refused(error: SdkError<ConverseStreamError>, request: &ModelRequest) -> Failed {
    let status = error.raw_response().map(|answer| answer.status().as_u16());
    match (status, &error) {
        (Some(status), SdkError::ServiceError(_)) => {
            let (code, message) = (error.code(), error.message());
            let refusal = refusal(status, code, message);
            Failed::refused(refusal, message, request)
        }
        (_, SdkError::ResponseError(_)) => unreadable().into(),
        _ => ModelError::Unreachable(error.into()).into(),
    }
}

/// What cannot be read is not repeated.
fn unreadable() -> ModelError {
    ModelError::Garbage("an answer that cannot be read".into())
}

/// Why an answer ends before its end. The service's own words are not in the error: they may repeat what was asked.
fn broken<R: std::fmt::Debug + Send + Sync + 'static>(
    error: SdkError<ConverseStreamOutputError, R>,
) -> ModelError {
    match &error {
        SdkError::ServiceError(failed) => {
            let (status, name) = match failed.err() {
                ConverseStreamOutputError::ThrottlingException(_) => (429, "ThrottlingException"),
                ConverseStreamOutputError::ServiceUnavailableException(_) => {
                    (503, "ServiceUnavailableException")
                }
                ConverseStreamOutputError::ValidationException(_) => (400, "ValidationException"),
                ConverseStreamOutputError::ModelStreamErrorException(_) => {
                    (500, "ModelStreamErrorException")
                }
                _ => (500, "InternalServerException"),
            };
            ModelError::Rejected(refusal(status, Some(name), None))
        }
        SdkError::ResponseError(_) => unreadable(),
        _ => ModelError::Unreachable(error.into()),
    }
}
