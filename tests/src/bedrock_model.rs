//! A model of Bedrock at the counter, its service played by a server that answers in the service's frames.

use std::sync::{Arc, Mutex};

use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};
use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};

use crate::harness::{Setup, serve};

/// The models that were asked, and with what.
type Requests = Arc<Mutex<Vec<(String, Value)>>>;

fn frame(kind: &str, payload: &Value) -> Vec<u8> {
    let mut message = Message::new(payload.to_string());
    for (name, value) in [
        (":message-type", "event"),
        (":event-type", kind),
        (":content-type", "application/json"),
    ] {
        let value = HeaderValue::String(value.to_owned().into());
        message = message.add_header(Header::new(name, value));
    }
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).expect("a frame");
    bytes
}

async fn converse(
    State(requests): State<Requests>,
    Path(model): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let signature = headers[AUTHORIZATION].to_str().expect("a signature");
    assert!(
        signature.contains("/eu-west-3/bedrock/aws4_request"),
        "{signature}"
    );
    requests
        .lock()
        .expect("the record")
        .push((model.clone(), body));
    if model == "busy" {
        let name = [("x-amzn-errortype", "ThrottlingException")];
        let body_sent = Json(json!({"message": "Too many."}));
        return (StatusCode::TOO_MANY_REQUESTS, name, body_sent).into_response();
    }
    let texts = [
        "- «Conversación en La Catedral», de Mario ",
        "Vargas Llosa: 14,95 €, 22 ejemplares.\n- ¿Te lo llevas?",
    ];
    let mut answer = frame("messageStart", &json!({"role": "assistant"}));
    for text in texts {
        let delta = json!({"contentBlockIndex": 0, "delta": {"text": text}});
        answer.extend(frame("contentBlockDelta", &delta));
    }
    answer.extend(frame("contentBlockStop", &json!({"contentBlockIndex": 0})));
    answer.extend(frame("messageStop", &json!({"stopReason": "end_turn"})));
    let usage = json!({"inputTokens": 300, "outputTokens": 40, "totalTokens": 340});
    let metadata = json!({"usage": usage, "metrics": {"latencyMs": 5}});
    answer.extend(frame("metadata", &metadata));
    let kind = [("content-type", "application/vnd.amazon.eventstream")];
    (kind, answer).into_response()
}

/// A shop that asks `model`, then one of Bedrock's.
fn setup(model: &str) -> (Setup, Requests) {
    let requests = Requests::default();
    let router = Router::new()
        .route("/model/{model}/converse-stream", post(converse))
        .with_state(requests.clone());
    let setup = Setup::new()
        .set("LLM_MODEL", model)
        .set("LLM_MODELS", "eu.amazon.nova-lite-v1:0")
        .set("LLM_REGION", "eu-west-3")
        .set("AWS_REGION", "eu-south-2")
        .set("AWS_ACCESS_KEY_ID", "a-key")
        .set("AWS_SECRET_ACCESS_KEY", "a-secret")
        .set("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", &serve(router));
    (setup, requests)
}

/// Nova refuses whatever else is at the top of a schema.
fn is_as_nova_takes_it(schema: &Value) {
    let members = schema.as_object().expect("an object");
    for name in members.keys() {
        assert!(["type", "properties", "required"].contains(&name.as_str()));
    }
    let properties = schema["properties"].as_object().expect("properties");
    for (name, property) in properties {
        assert!(property["type"].is_string(), "{name}: {property}");
    }
}

#[test]
fn a_model_of_bedrock_answers_and_another_stands_in() {
    let (setup, requests) = setup("busy");
    let shop = setup.start();
    let customer = shop.customer("ana");
    let question = json!({"message": "libro 12", "trace": true});
    let answer = customer.post("/api/agent/", &question).is(200);
    assert_eq!(
        answer["message"],
        "- «Conversación en La Catedral», de Mario Vargas Llosa: 14,95 €, 22 ejemplares.\n- ¿Te lo llevas?"
    );
    let usage = json!({"input_tokens": 300, "output_tokens": 40});
    assert_eq!(
        answer["trace"]["llm"],
        json!({"provider": "bedrock", "model": "eu.amazon.nova-lite-v1:0", "error": null, "usage": usage, "guard": {"passed": 2, "repaired": 0}})
    );
    let requests = requests.lock().expect("the record");
    let models: Vec<&str> = requests.iter().map(|(model, _)| model.as_str()).collect();
    assert_eq!(models, ["busy", "busy", "eu.amazon.nova-lite-v1:0"]);
    let (_, body) = &requests[2];
    assert_eq!(body["messages"][0]["role"], "user");
    let tools = body["toolConfig"]["tools"].as_array().expect("tools");
    assert!(!tools.is_empty());
    for tool in tools {
        is_as_nova_takes_it(&tool["toolSpec"]["inputSchema"]["json"]);
    }
    let body_sent = body["system"][0]["text"].as_str().expect("instructions");
    assert!(body_sent.contains("counter of a shop"), "{body_sent}");
    drop(requests);
    let status = customer.get("/api/agent/status/").is(200);
    assert_eq!(
        (&status["llm"]["provider"], &status["llm"]["model"]),
        (&json!("bedrock"), &json!("busy"))
    );
}

#[test]
fn a_model_of_bedrock_stands_in_for_that_of_a_url() {
    let refusing = post(async || StatusCode::UNAUTHORIZED);
    let url = serve(Router::new().route("/v1/chat/completions", refusing));
    let (setup, requests) = setup("gpt-4o-mini");
    let shop = setup
        .set("LLM_PROVIDER", "auto")
        .set("LLM_BASE_URL", &format!("{url}/v1"))
        .start();
    let question = json!({"message": "libro 12", "trace": true});
    let answer = shop.customer("ana").post("/api/agent/", &question).is(200);
    let llm = &answer["trace"]["llm"];
    assert_eq!(
        (&llm["provider"], &llm["model"], &llm["error"]),
        (
            &json!("auto"),
            &json!("eu.amazon.nova-lite-v1:0"),
            &Value::Null
        )
    );
    let requests = requests.lock().expect("the record");
    let models: Vec<&str> = requests.iter().map(|(model, _)| model.as_str()).collect();
    assert_eq!(models, ["eu.amazon.nova-lite-v1:0"]);
}
