//! Other people's servers: an OpenAI-compatible model that behaves as its name says, and whatever else a test needs.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{
        HeaderMap, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
    routing::post,
};
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{RUNTIME, wait};

/// Serves `router` on a free port for as long as the tests run, and gives its URL.
pub(crate) fn serve(router: Router) -> String {
    let listener = wait(TcpListener::bind(("127.0.0.1", 0))).expect("a port");
    let address = listener.local_addr().expect("an address");
    RUNTIME.spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

/// What a model was asked.
#[derive(Debug, Clone)]
pub(crate) struct ModelRequest {
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

/// A scripted model. The `model` of a request chooses how it behaves.
#[derive(Clone, Default)]
pub(crate) struct ModelPeer {
    request: Arc<Mutex<Vec<ModelRequest>>>,
    pub(crate) url: String,
}

impl ModelPeer {
    pub(crate) fn start() -> Self {
        let request = Arc::default();
        let router = Router::new()
            .route("/v1/chat/completions", post(complete))
            .with_state(Arc::clone(&request));
        let url = format!("{}/v1", serve(router));
        Self { request, url }
    }

    /// What it was asked by turns of conversations that hold `words`; summaries it is asked for are not counted.
    pub(crate) fn requests_about(&self, words: &str) -> Vec<ModelRequest> {
        let request = self.request.lock().expect("the record");
        request
            .iter()
            .filter(|request| request.is_of_a_turn())
            .filter(|request| request.body["messages"].to_string().contains(words))
            .cloned()
            .collect()
    }
}

impl ModelRequest {
    /// The question of a turn comes with what was found for it.
    fn is_of_a_turn(&self) -> bool {
        let messages = self.body["messages"].as_array().into_iter().flatten();
        let mut contents = messages.filter_map(|message| message["content"].as_str());
        contents.any(|content| content.starts_with("<resultados>"))
    }
}

async fn complete(
    State(record): State<Arc<Mutex<Vec<ModelRequest>>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let authorization = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    record.lock().expect("the record").push(ModelRequest {
        authorization: authorization.clone(),
        body: body.clone(),
    });
    let failing = |status: StatusCode| (status, "{\"error\": \"no\"}").into_response();
    match body["model"].as_str().unwrap_or_default() {
        "too-many" => failing(StatusCode::TOO_MANY_REQUESTS),
        // Both tell what was entrusted to them.
        "broken" => {
            let wrong = format!("cannot answer {}", question(&body));
            refused(StatusCode::INTERNAL_SERVER_ERROR, &wrong)
        }
        "stranger" => {
            let wrong = format!("wrong key: {}", authorization.unwrap_or_default());
            refused(StatusCode::UNAUTHORIZED, &wrong)
        }
        "misspelt" => refused(StatusCode::NOT_FOUND, "The model `misspelt` does not exist"),
        "toolless" if body["tools"].is_array() => {
            refused(StatusCode::BAD_REQUEST, "toolless does not support tools")
        }
        // Without a word why.
        "curt" if body["tools"].is_array() => failing(StatusCode::BAD_REQUEST),
        "signing" => signing(&body),
        "garbage" => "<html>not JSON</html>".into_response(),
        "empty" => json!({"choices": []}).to_string().into_response(),
        "moved" => (StatusCode::FOUND, [("location", "/v1/elsewhere")]).into_response(),
        "silent" => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            failing(StatusCode::OK)
        }
        "dripping" => Body::from_stream(stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
        }))
        .into_response(),
        "flood" => {
            let chunks = (0..50).map(|_| Ok::<_, Infallible>(Bytes::from(vec![b' '; 1 << 20])));
            Body::from_stream(stream::iter(chunks)).into_response()
        }
        "cut" => {
            let pieces = [Ok(Bytes::from_static(b"{\"choi")), Err("cut")];
            Body::from_stream(stream::iter(pieces)).into_response()
        }
        "particular" if body["temperature"].is_number() || body["max_tokens"].is_number() => {
            failing(StatusCode::BAD_REQUEST)
        }
        "whole" => whole(&words("grounded", &body)),
        "flaky" if attempts(&record, "flaky") == 1 => failing(StatusCode::SERVICE_UNAVAILABLE),
        "trickling" => streamed(stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((chunk("bla "), ()))
        })),
        "stalling" => streamed(stream::iter([chunk("- Tengo ")]).chain(stream::pending())),
        "gushing" => streamed(stream::iter((0..50).map(|_| chunk(&"bla ".repeat(50_000))))),
        "hesitant" => paced(&body, Duration::from_millis(400)),
        // Done within a tenth of a second.
        "brisk" => paced(&body, Duration::from_millis(20)),
        "thoughtless" if body["reasoning_effort"].is_string() => refused(
            StatusCode::BAD_REQUEST,
            "Unrecognized request argument supplied: reasoning_effort",
        ),
        "thinking" => streamed(stream::iter(
            [
                thought("El cliente quiere el libro.\nCuesta 1 euro.\n"),
                thought("Se lo digo con su precio de verdad.\n"),
            ]
            .into_iter()
            .chain(lines(&words("grounded", &body))),
        )),
        "broken-off" => streamed(stream::iter([chunk("- Tengo justo")])),
        "sorry" => {
            let error = json!({"error": {"code": 503, "message": "overloaded"}});
            streamed(stream::iter([chunk("- Tengo "), event(&error)]))
        }
        // Both have the form of a code.
        name @ ("telling-key" | "telling-word") => {
            let key = authorization.unwrap_or_default();
            let code = match name {
                "telling-key" => key.trim_start_matches("Bearer ").to_owned(),
                _ => "canario".to_owned(),
            };
            let error = json!({"error": {"code": code, "type": code, "message": question(&body)}});
            streamed(stream::iter([chunk("- Tengo "), event(&error)]))
        }
        "babbling" => streamed(stream::iter([
            chunk("- Tengo "),
            "data: {nonsense\n\n".to_owned(),
        ])),
        // Out of tokens in the middle of a line.
        name @ ("torn-first" | "torn-second" | "torn-third") => {
            reply_until(&words(name, &body), "length")
        }
        name => match calls(name, &body) {
            Some(calls) => called(&calls),
            None => reply(&words(name, &body)),
        },
    }
}

/// As most servers refuse.
fn refused(status: StatusCode, message: &str) -> Response {
    let body = json!({"error": {"message": message}});
    (status, body.to_string()).into_response()
}

/// What is asked last, without what was found for it.
fn question(body: &Value) -> String {
    let messages = body["messages"].as_array();
    let last = messages.and_then(|messages| messages.last());
    let content = last.and_then(|message| message["content"].as_str());
    let line = content.and_then(|content| content.lines().last());
    line.unwrap_or_default().to_owned()
}

/// As Gemini does: a tool is called with a signature, without which the call is not taken back.
fn signing(body: &Value) -> Response {
    let signature = json!({"google": {"thought_signature": "ZmlybWE="}});
    let mut messages = body["messages"].as_array().into_iter().flatten();
    let called = messages.find_map(|message| message["tool_calls"].get(0));
    match called {
        Some(call) if call["extra_content"] == signature => reply(&words("grounded", body)),
        Some(_) => refused(
            StatusCode::BAD_REQUEST,
            "Function call is missing a thought_signature",
        ),
        None => {
            let arguments = json!({"text": "tolkien", "k": 2}).to_string();
            let function = json!({"name": "search_catalog", "arguments": arguments});
            let call = json!({"id": "call-0", "type": "function", "function": function, "extra_content": signature});
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            let choice = json!({"message": message, "finish_reason": "tool_calls"});
            json!({"choices": [choice], "usage": usage()})
                .to_string()
                .into_response()
        }
    }
}

/// The tools that a model of this name calls, given its prompt so far.
fn calls(name: &str, body: &Value) -> Option<Vec<(&'static str, Value)>> {
    let messages = body["messages"].as_array()?;
    let results = messages.iter().filter(|message| message["role"] == "tool");
    let step = results.count();
    let offered = body["tools"].is_array();
    let item = results_in(body)[0]["libro_id"].clone();
    match (name, step) {
        ("searcher", 0) => Some(vec![("search_catalog", json!({"text": "tolkien", "k": 2}))]),
        ("doubtful", 0) => Some(vec![
            ("search_catalog", json!({"text": "borges", "k": 1})),
            ("search_catalog", json!({"text": "borges", "k": 1})),
            ("search_catalog", json!({"texto": "borges"})),
            ("drop_tables", json!({})),
            ("checkout", json!({})),
            ("add_to_cart", json!({"book_id": 999_999})),
        ]),
        ("looping", step) => Some(vec![(
            "search_catalog",
            json!({"text": format!("mar {step}")}),
        )]),
        ("stuck", _) => Some(vec![("search_catalog", json!({"text": "mar"}))]),
        ("reserver", 0) if offered => Some(vec![(
            "reserve_book",
            json!({"book_id": item, "cantidad": 2}),
        )]),
        ("viewer" | "liar", 0) if offered => Some(vec![("view_cart", json!({}))]),
        ("tracker", 0) if offered => Some(vec![
            ("order_status", json!({"order_id": 1})),
            ("list_reservations", json!({})),
        ]),
        ("booker", 0) if offered => {
            let mut said = messages.iter().filter(|message| message["role"] == "user");
            let said = said.next_back()?["content"].as_str()?;
            let mut last = said.split_whitespace().rev();
            let (time, date) = (last.next()?, last.next()?);
            Some(vec![(
                "create_appointment",
                json!({"service": "limpieza facial", "date": date, "time": time}),
            )])
        }
        ("seller", 0) if offered => Some(vec![("add_to_cart", json!({"book_id": item}))]),
        _ => None,
    }
}

/// As a server streams calls of tools: the arguments in pieces.
pub(crate) fn called(calls: &[(&str, Value)]) -> Response {
    let mut events = Vec::new();
    let delta = |index: usize, call: Value| {
        let mut call = call;
        call["index"] = json!(index);
        event(
            &json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]}),
        )
    };
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let id = format!("call-{index}");
        events.push(delta(
            index,
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": ""}}),
        ));
        for piece in arguments.to_string().chars().collect::<Vec<_>>().chunks(5) {
            let piece: String = piece.iter().collect();
            events.push(delta(index, json!({"function": {"arguments": piece}})));
        }
    }
    events.extend(end("tool_calls"));
    streamed(stream::iter(events))
}

/// How often a model has been asked, this time included.
fn attempts(record: &Mutex<Vec<ModelRequest>>, model: &str) -> usize {
    let request = record.lock().expect("the record");
    request
        .iter()
        .filter(|request| request.body["model"] == model)
        .count()
}

/// As a server answers that does not stream.
fn whole(text: &str) -> Response {
    let choice =
        json!({"message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    json!({"choices": [choice], "usage": usage()})
        .to_string()
        .into_response()
}

/// As a server streams a completion to its end.
pub(crate) fn reply(text: &str) -> Response {
    reply_until(text, "stop")
}

/// As a server streams: a comment first, then a few letters at a time, and why there are no more.
fn reply_until(text: &str, reason: &str) -> Response {
    let letters: Vec<char> = text.chars().collect();
    let pieces = letters
        .chunks(7)
        .map(|piece| chunk(&piece.iter().collect::<String>()));
    let mut events = vec![": thinking\n\n".to_owned()];
    events.extend(pieces);
    events.extend(end(reason));
    streamed(stream::iter(events))
}

/// A line at a time, and the end, with a pause before each.
fn paced(body: &Value, pause: Duration) -> Response {
    let lines = stream::iter(lines(&words("grounded", body)));
    streamed(lines.then(move |line| async move {
        tokio::time::sleep(pause).await;
        line
    }))
}

/// A line at a time, and the end.
fn lines(text: &str) -> Vec<String> {
    let mut events: Vec<String> = text.split_inclusive('\n').map(chunk).collect();
    events.extend(end("stop"));
    events
}

/// The stop reason, the usage, and the mark of the end.
fn end(reason: &str) -> [String; 3] {
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    let usage = json!({"choices": [], "usage": usage()});
    [event(&end), event(&usage), "data: [DONE]\n\n".to_owned()]
}

fn thought(content: &str) -> String {
    event(
        &json!({"choices": [{"index": 0, "delta": {"reasoning_content": content}, "finish_reason": null}]}),
    )
}

fn usage() -> Value {
    json!({"prompt_tokens": 10, "completion_tokens": 5})
}

fn chunk(content: &str) -> String {
    event(&json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]}))
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn streamed(events: impl Stream<Item = String> + Send + 'static) -> Response {
    let body = Body::from_stream(events.map(|event| Ok::<_, Infallible>(Bytes::from(event))));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// What a model of this name writes about the results in its prompt.
fn words(name: &str, body: &Value) -> String {
    let items = results_in(body);
    let fact = |name: &str| {
        let value = &items[0][name];
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let (titulo, autor, precio, stock) =
        (fact("titulo"), fact("autor"), fact("precio"), fact("stock"));
    let grounded = format!("«{titulo}», de {autor}: {precio}, {stock} ejemplares.");
    match name {
        "dear" => format!("- «{titulo}» cuesta 1.234,56 €.\n- ¿Te lo llevas?"),
        // In a currency that few shops have.
        "foreign" => format!("- «{titulo}» cuesta 250 rupias, o sea ₹250.\n- ¿Te lo llevas?"),
        "generous" => format!("- De «{titulo}» quedan 987654 ejemplares.\n- ¿Te lo llevas?"),
        "inventor" => "- Te recomiendo «El libro que no existe».\n- ¿Te lo llevas?".to_owned(),
        "coder" => format!("```json\n{{\"titulo\": \"{titulo}\"}}\n```"),
        "prose" => format!("Tengo justo lo que buscas. {grounded} ¿Te lo llevas a casa?"),
        "mute" => String::new(),
        "liar" => "Tu carrito suma 1,00 €.\nEn total son 14,95 €.\n¿Busco algo más?".to_owned(),
        "viewer" | "tracker" => "¿Busco algo más?".to_owned(),
        "torn-first" => format!("- «{titulo}», de {autor}: {precio}"),
        "torn-second" => format!("- {grounded}\n- ¿Te lo"),
        "torn-third" => format!("- {grounded}\n- ¿Te lo llevas?\n- ¿Prefieres algo más"),
        "endless" => format!("- {}", "bla ".repeat(300)),
        _ => format!("- {grounded}\n- ¿Te lo llevas?"),
    }
}

/// The books in the last message of a prompt.
pub(crate) fn results_in(body: &Value) -> Value {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let last = messages
        .last()
        .and_then(|message| message["content"].as_str())
        .unwrap_or_default();
    let inside = last
        .split_once("<resultados>")
        .and_then(|(_, rest)| rest.split_once("</resultados>"));
    let lines = inside.map_or("", |(items, _)| items).trim().lines();
    lines.filter_map(item_of).collect()
}

/// "{1} «Dune», de Frank Herbert: 18,95 €, quedan 3. id 40, Ciencia ficción, 1965. Arrakis…"
fn item_of(line: &str) -> Option<Value> {
    let (_, rest) = line.strip_prefix('{')?.split_once("} «")?;
    let (titulo, rest) = rest.split_once('»')?;
    let (autor, rest) = rest.split_once(": ")?;
    let autor = autor.strip_prefix(", de ").unwrap_or_default();
    let (facts, rest) = rest.split_once(". id ")?;
    let (precio, stock) = facts.split_once(", ")?;
    let stock: u64 = stock
        .split(' ')
        .find_map(|word| word.parse().ok())
        .unwrap_or_default();
    let (numbers, _) = rest.split_once(". ")?;
    let (libro_id, categoria) = numbers.split_once(", ")?;
    let (categoria, año) = categoria.rsplit_once(", ").unwrap_or((categoria, ""));
    Some(json!({
        "libro_id": libro_id.parse::<u64>().ok()?, "titulo": titulo, "autor": autor, "precio": precio,
        "stock": stock, "categoria": categoria, "año": año,
    }))
}
