//! Through the SDK's own client, against a server that answers frames as the service's description has them.

mod thinking;

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
};

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::{Credentials, provider::SharedCredentialsProvider};
use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use mostrador_core::{
    chain::Chain,
    model::{ModelMessage, ToolCall, ToolSpec},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;

/// A request as it came: its path and its body.
type Requests = Arc<Mutex<Vec<(String, Value)>>>;

/// A model whose service answers every request with `status` and `body`.
async fn serving(status: u16, body: Vec<u8>) -> (Bedrock, Requests) {
    serving_by(move |_| (status, body.clone())).await
}

/// A model whose service answers by what it is sent.
async fn serving_by(
    answer: impl Fn(&Value) -> (u16, Vec<u8>) + Send + Sync + 'static,
) -> (Bedrock, Requests) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (answer, requests) = (Arc::new(answer), Requests::default());
    let record = requests.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (answer, record) = (answer.clone(), record.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let (answer, record) = (answer.clone(), record.clone());
                async move {
                    let path = request.uri().path().to_owned();
                    let signature = request.headers()["authorization"].to_str().expect("text");
                    assert!(signature.contains("/eu-west-3/bedrock/aws4_request"));
                    let sent = request.into_body().collect().await.expect("a body");
                    let sent = serde_json::from_slice(&sent.to_bytes()).expect("JSON");
                    let (status, body) = answer(&sent);
                    record.lock().expect("the record").push((path, sent));
                    let answer = Response::builder().status(status);
                    let answer = match status {
                        200 => answer.header("content-type", "application/vnd.amazon.eventstream"),
                        _ => answer.header("x-amzn-errortype", "ValidationException"),
                    };
                    let body = Full::new(Bytes::from(body));
                    Ok::<_, Infallible>(answer.body(body).expect("an answer"))
                }
            });
            let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            tokio::spawn(serving);
        }
    });
    let keys = Credentials::from_keys("a-key", "a-secret", None);
    let shared = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-west-3"))
        .credentials_provider(SharedCredentialsProvider::new(keys))
        .endpoint_url(format!("http://{address}"))
        .build();
    (Bedrock::new(&shared, 400), requests)
}

fn frame(headers: [(&'static str, &str); 3], payload: &Value) -> Vec<u8> {
    let mut message = Message::new(payload.to_string());
    for (name, value) in headers {
        let value = HeaderValue::String(value.to_owned().into());
        message = message.add_header(Header::new(name, value));
    }
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).expect("a frame");
    bytes
}

fn event(kind: &str, payload: &Value) -> Vec<u8> {
    let headers = [
        (":message-type", "event"),
        (":event-type", kind),
        (":content-type", "application/json"),
    ];
    frame(headers, payload)
}

fn exception(kind: &str) -> Vec<u8> {
    let headers = [
        (":message-type", "exception"),
        (":exception-type", kind),
        (":content-type", "application/json"),
    ];
    frame(headers, &json!({"message": "no"}))
}

fn delta(block: u8, delta: &Value) -> Vec<u8> {
    let payload = json!({"contentBlockIndex": block, "delta": delta});
    event("contentBlockDelta", &payload)
}

fn tool(block: u8, id: &str, name: &str) -> Vec<u8> {
    let tool = json!({"toolUse": {"toolUseId": id, "name": name}});
    let payload = json!({"contentBlockIndex": block, "start": tool});
    event("contentBlockStart", &payload)
}

fn stop(block: u8) -> Vec<u8> {
    event("contentBlockStop", &json!({"contentBlockIndex": block}))
}

fn message_stop(reason: &str) -> Vec<u8> {
    event("messageStop", &json!({"stopReason": reason}))
}

fn question() -> ModelRequest {
    ModelRequest {
        model: Some("eu.anthropic.claude-haiku-4-5".into()),
        messages: vec![ModelMessage::User {
            content: "¿Tenéis Ficciones?".into(),
        }],
        ..ModelRequest::default()
    }
}

fn tool_spec() -> ToolSpec {
    ToolSpec {
        name: "search_catalog".into(),
        description: "Busca libros.".into(),
        parameters: json!({"type": "object"}),
    }
}

/// All that came, and what ended it.
async fn received(model: &Bedrock, request: ModelRequest) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut completion = match model.ask(request).await {
        Ok(completion) => completion,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut received = Vec::new();
    while let Some(event) = completion.events.next().await {
        match event {
            Ok(event) => received.push(event),
            Err(error) => return (received, Some(error)),
        }
    }
    (received, None)
}

fn whole() -> Vec<Vec<u8>> {
    vec![
        event("messageStart", &json!({"role": "assistant"})),
        delta(0, &json!({"reasoningContent": {"text": "Miro."}})),
        delta(0, &json!({"reasoningContent": {"signature": "c2ln"}})),
        stop(0),
        delta(1, &json!({"text": "- Sí, «Fic"})),
        delta(1, &json!({"text": "ciones»."})),
        stop(1),
        tool(2, "t1", "search_catalog"),
        delta(2, &json!({"toolUse": {"input": "{\"query\":"}})),
        delta(2, &json!({"toolUse": {"input": " \"borges\"}"}})),
        stop(2),
        tool(3, "t2", "list_categories"),
        stop(3),
        message_stop("tool_use"),
        event(
            "metadata",
            &json!({"usage": {"inputTokens": 12, "outputTokens": 7, "totalTokens": 19}, "metrics": {"latencyMs": 300}}),
        ),
    ]
}

#[tokio::test]
async fn an_answer_comes_as_it_is_streamed() {
    let (model, requests) = serving(200, whole().concat()).await;
    let call = |id: &str, name: &str, arguments| {
        ModelEvent::ToolCall(ToolCall {
            id: id.into(),
            name: name.into(),
            arguments,
            // What was thought goes back with each call.
            provider_data: Some(json!({"reasoning": [{"text": "Miro.", "signature": "c2ln"}]})),
        })
    };
    let (events, error) = received(&model, question()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(
        events,
        [
            ModelEvent::ReasoningDelta("Miro.".into()),
            ModelEvent::ContentDelta("- Sí, «Fic".into()),
            ModelEvent::ContentDelta("ciones».".into()),
            call("t1", "search_catalog", json!({"query": "borges"})),
            call("t2", "list_categories", json!({})),
            ModelEvent::Usage(Usage {
                input_tokens: 12,
                output_tokens: 7,
            }),
            ModelEvent::End {
                stop_reason: StopReason::ToolUse,
            },
        ]
    );
    let requests = requests.lock().expect("the record");
    assert_eq!(requests.len(), 1);
    assert_eq!(
        requests[0].0,
        "/model/eu.anthropic.claude-haiku-4-5/converse-stream"
    );
}

#[tokio::test]
async fn stop_reasons_are_mapped() {
    for (reason, expected) in [
        ("end_turn", StopReason::EndTurn),
        ("max_tokens", StopReason::MaxTokens),
        ("model_context_window_exceeded", StopReason::MaxTokens),
        ("stop_sequence", StopReason::StopSequence),
        ("guardrail_intervened", StopReason::Refused),
        ("content_filtered", StopReason::Refused),
        ("something_new", StopReason::EndTurn),
    ] {
        let (model, _) = serving(200, message_stop(reason)).await;
        let (events, _) = received(&model, question()).await;
        let stop_reason = expected;
        assert_eq!(events, [ModelEvent::End { stop_reason }], "{reason}");
    }
}

#[tokio::test]
async fn an_answer_cut_anywhere_is_not_whole() {
    let frames = whole();
    let bytes = frames.concat();
    let before_stop: usize = frames[..13].iter().map(Vec::len).sum();
    for length in (0..before_stop).step_by(37).chain([before_stop]) {
        let (model, _) = serving(200, bytes[..length].to_vec()).await;
        let (events, error) = received(&model, question()).await;
        assert!(error.is_some(), "{length}: {events:?}");
    }
}

#[tokio::test]
async fn errors_are_distinguished() {
    for (status, code) in [
        (400, "rejected"),
        (403, "key_rejected"),
        (429, "rate_limited"),
        (503, "rejected"),
    ] {
        let (model, requests) = serving(status, br#"{"message":"no"}"#.to_vec()).await;
        let (_, error) = received(&model, question()).await;
        assert_eq!(error.expect("an error").code(), code, "{status}");
        // Whoever asks decides whether to ask again, but for what the model may only refuse in this form.
        let requests = requests.lock().expect("the record");
        assert_eq!(
            requests.len(),
            if status == 400 { 2 } else { 1 },
            "{status}"
        );
        if let [(_, usual), (_, plain)] = &requests[..] {
            assert!(usual["inferenceConfig"]["temperature"].is_number());
            assert_eq!(plain["inferenceConfig"], json!({"maxTokens": 400}));
        }
    }
    for (kind, code, status) in [
        ("throttlingException", "rate_limited", 429),
        ("serviceUnavailableException", "rejected", 503),
        ("modelStreamErrorException", "rejected", 500),
    ] {
        let first_chunk = delta(0, &json!({"text": "- Sí"}));
        let (model, _) = serving(200, [first_chunk, exception(kind)].concat()).await;
        let (events, error) = received(&model, question()).await;
        assert_eq!(events.len(), 1, "{kind}");
        let error = error.expect("an error");
        assert_eq!(error.code(), code, "{kind}");
        let logged = in_the_log(&error).to_lowercase();
        assert_eq!(logged, format!("status {status}: {}", kind.to_lowercase()));
    }
    let mut torn = whole().concat();
    torn[40] ^= 1;
    let (model, _) = serving(200, torn).await;
    assert!(received(&model, question()).await.1.is_some());
    let flood = delta(0, &json!({"text": "bla ".repeat(1 << 16)}));
    let (model, _) = serving(200, flood.repeat(20)).await;
    let (_, error) = received(&model, question()).await;
    assert_eq!(error.expect("an error").code(), "answer_too_large");
}

/// What the log has of an error beside that there is one.
fn in_the_log(error: &ModelError) -> String {
    let written = Chain(error).to_string();
    let (_, source) = written.split_once(": ").expect("a source");
    source.to_owned()
}

#[tokio::test]
async fn the_log_has_the_services_code_and_none_of_its_words() {
    for (status, message, logged) in [
        (
            400,
            "The provided model identifier is invalid.",
            "status 400: ValidationException",
        ),
        (
            400,
            "Wrong: ¿Tenéis Ficciones?",
            "status 400: ValidationException",
        ),
        (
            403,
            "User: arn:aws:iam::1:role/a",
            "status 403: ValidationException",
        ),
    ] {
        let body = json!({"message": message}).to_string();
        let (model, _) = serving(status, body.into_bytes()).await;
        let (_, error) = received(&model, question()).await;
        assert_eq!(in_the_log(&error.expect("an error")), logged, "{message}");
    }
}

#[tokio::test]
async fn a_model_without_tools_gets_none_from_then_on() {
    let refusal = br#"{"message":"This model doesn't support tool use in streaming mode."}"#;
    let (model, requests) = serving_by(move |sent| {
        if sent["toolConfig"].is_object() {
            (400, refusal.to_vec())
        } else {
            (200, message_stop("end_turn"))
        }
    })
    .await;
    for _ in 0..2 {
        let request = ModelRequest {
            messages: use_of_a_tool(&json!({"query": "mar"})),
            tools: vec![tool_spec()],
            ..question()
        };
        let (_, error) = received(&model, request).await;
        assert!(error.is_none(), "{error:?}");
    }
    let requests = requests.lock().expect("the record");
    let forms = requests.iter().map(|(_, sent)| {
        let calls = sent["messages"].to_string().contains("toolUse");
        let temperature = &sent["inferenceConfig"]["temperature"];
        [
            sent["toolConfig"].is_object(),
            calls,
            temperature.is_number(),
        ]
    });
    let without = [false, false, true];
    assert_eq!(forms.collect::<Vec<_>>(), [[true; 3], without, without]);
}

#[tokio::test]
async fn a_request_is_as_the_service_takes_it() {
    let user = |content: &str| ModelMessage::User {
        content: content.into(),
    };
    let assistant = |content: &str, tool_calls| ModelMessage::Assistant {
        content: content.into(),
        tool_calls,
    };
    let call = |id: &str| ToolCall {
        id: id.into(),
        name: "search_catalog".into(),
        arguments: json!({"query": "mar", "k": 3, "below": -1, "price": 2.5, "flags": [true, null]}),
        provider_data: None,
    };
    let result = |id: &str| ModelMessage::Tool {
        tool_use_id: id.into(),
        content: "[]".into(),
    };
    let (model, requests) = serving(200, message_stop("end_turn")).await;
    let request = ModelRequest {
        messages: vec![
            ModelMessage::System {
                content: "Eres quien atiende.".into(),
            },
            assistant("- Hola.", vec![]),
            user("Hola"),
            user("¿Algo del mar?"),
            assistant(" ", vec![call("a"), call("b")]),
            result("a"),
            result("b"),
            user("¿Y bien?"),
        ],
        tools: vec![ToolSpec {
            parameters: json!({"type": "object", "additionalProperties": false}),
            ..tool_spec()
        }],
        ..question()
    };
    let (events, error) = received(&model, request).await;
    assert!(error.is_none() && events.len() == 1, "{error:?}");
    let used = |id| json!({"toolUse": {"toolUseId": id, "name": "search_catalog", "input": call(id).arguments}});
    let back = |id| json!({"toolResult": {"toolUseId": id, "content": [{"text": "[]"}]}});
    let spec = json!({"name": "search_catalog", "description": "Busca libros.", "inputSchema": {"json": {"type": "object"}}});
    let mut sent = requests.lock().expect("the record")[0].1.clone();
    let temperature = sent["inferenceConfig"]["temperature"].take();
    assert!((temperature.as_f64().expect("a number") - 0.2).abs() < 1e-6);
    assert_eq!(
        sent,
        json!({
            "system": [{"text": "Eres quien atiende."}],
            "messages": [
                {"role": "user", "content": [{"text": "…"}]},
                {"role": "assistant", "content": [{"text": "- Hola."}]},
                {"role": "user", "content": [{"text": "Hola"}, {"text": "¿Algo del mar?"}]},
                {"role": "assistant", "content": [used("a"), used("b")]},
                {"role": "user", "content": [back("a"), back("b"), {"text": "¿Y bien?"}]},
            ],
            "inferenceConfig": {"maxTokens": 400, "temperature": null},
            "toolConfig": {"tools": [{"toolSpec": spec}]},
        })
    );
}

/// The turns of `messages` as they go to the service, each as its role and its blocks.
async fn sent(messages: Vec<ModelMessage>, tools: Vec<ToolSpec>) -> Value {
    let (model, requests) = serving(200, message_stop("end_turn")).await;
    let request = ModelRequest {
        messages,
        tools,
        ..question()
    };
    let (_, error) = received(&model, request).await;
    assert!(error.is_none(), "{error:?}");
    let requests = requests.lock().expect("the record");
    assert_eq!(requests.len(), 1);
    let (_, body) = &requests[0];
    let turns = body["messages"].as_array().expect("turns").iter();
    turns
        .map(|turn| json!([turn["role"], turn["content"]]))
        .collect()
}

fn use_of_a_tool(arguments: &Value) -> Vec<ModelMessage> {
    let call = ToolCall {
        id: "a".into(),
        name: "search_catalog".into(),
        arguments: arguments.clone(),
        provider_data: None,
    };
    vec![
        ModelMessage::User {
            content: "¿Algo del mar?".into(),
        },
        ModelMessage::Assistant {
            content: "Miro.".into(),
            tool_calls: vec![call],
        },
        ModelMessage::Tool {
            tool_use_id: "a".into(),
            content: "[]".into(),
        },
        ModelMessage::User {
            content: "¿Y bien?".into(),
        },
    ]
}

#[tokio::test]
async fn where_no_tools_are_offered_none_were_called() {
    let sent = sent(use_of_a_tool(&json!({"query": "mar"})), vec![]).await;
    let expected = json!([
        ["user", [{"text": "¿Algo del mar?"}]],
        ["assistant", [{"text": "Miro."}]],
        ["user", [{"text": "[]"}, {"text": "¿Y bien?"}]],
    ]);
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn arguments_are_an_object() {
    for (arguments, expected) in [
        (json!({}), json!({})),
        (json!({"query": "mar"}), json!({"query": "mar"})),
        (json!("{\"query\":"), json!({"INVALID_JSON": "{\"query\":"})),
        (json!(["mar"]), json!({"INVALID_JSON": ["mar"]})),
        (Value::Null, json!({"INVALID_JSON": null})),
    ] {
        let sent = sent(use_of_a_tool(&arguments), vec![tool_spec()]).await;
        let input = &sent[1][1][1]["toolUse"]["input"];
        assert_eq!(input, &expected, "{arguments}");
    }
}
