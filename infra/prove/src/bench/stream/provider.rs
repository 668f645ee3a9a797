//! A scripted model: an OpenAI-compatible server in this process that writes about the first item in the prompt, each word at a moment
//! that is known beforehand.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use http::{HeaderValue, StatusCode, header::CONTENT_TYPE};
use http_body_util::{BodyExt, StreamBody};
use hyper::{
    body::{Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// When the first line of [`Script::TwoLines`] is whole.
pub(super) const FIRST_LINE: Duration = Duration::from_millis(20);
/// The end of a line, as JSON has it.
const LINE_END: &str = "\\n";
/// From one word of [`Script::FiveLines`] to the next.
const WORD_EVERY: Duration = Duration::from_millis(1);
/// From one thought of [`Script::Thinking`] to the next, unless there would be too many.
pub(super) const THOUGHT_EVERY: Duration = Duration::from_millis(10);
/// What the product reads of an answer is 4 MiB; a tenth of it is left for what is no thought.
const THOUGHTS_BYTES_MAX: u32 = (4 << 20) / 10 * 9;
/// A hundred bytes.
const THOUGHT: &str = "Quien pregunta busca un libro; miro cuál de los que hay le iría mejor y qué puedo decir de cada uno.";

/// How the model answers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Script {
    /// The first line comes word by word. The second follows at once: until it begins, the first may be the whole answer, and is not
    /// told of.
    TwoLines,
    FiveLines,
    /// Two lines after so long.
    Silent(Duration),
    /// Two lines after so long, in which its thinking is streamed.
    Thinking(Duration),
}

/// Ends with this value.
pub(super) struct Provider {
    /// As `LLM_BASE_URL` has it.
    pub(super) url: String,
    newest: Newest,
    _serving: JoinSet<()>,
}

/// What was asked and answered last.
#[derive(Default)]
struct Exchange {
    /// The request's body.
    question: Bytes,
    /// When the end of the first line went out.
    first_line: Option<Instant>,
}

type Newest = Arc<Mutex<Exchange>>;
/// A server-sent event, and how long after the question it is sent.
type Timed = (Duration, String);
/// An answer's body.
type Frames = BoxStream<'static, Result<Frame<Bytes>, Infallible>>;

impl Provider {
    pub(super) async fn start(script: Script) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let newest = Newest::default();
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, script, Arc::clone(&newest)));
        Ok(Self {
            url,
            newest,
            _serving: serving,
        })
    }

    /// What it was asked last, as it came.
    pub(super) fn question(&self) -> Bytes {
        locked(&self.newest).question.clone()
    }

    /// When it had written the first line of its last answer.
    pub(super) fn first_line(&self) -> Option<std::time::Instant> {
        locked(&self.newest).first_line.map(Instant::into_std)
    }
}

fn locked(newest: &Newest) -> MutexGuard<'_, Exchange> {
    newest.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, script: Script, newest: Newest) {
    // A question that is not taken is a turn without the model's lines, which ends the bench.
    while let Ok((socket, _)) = listener.accept().await {
        let _ = socket.set_nodelay(true);
        let newest = Arc::clone(&newest);
        let service = service_fn(move |request| answer(request, script, Arc::clone(&newest)));
        let connection = http1::Builder::new()
            .header_read_timeout(None::<Duration>)
            .serve_connection(TokioIo::new(socket), service);
        tokio::spawn(async move {
            let _ = connection.await;
        });
    }
}

async fn answer(
    request: http::Request<Incoming>,
    script: Script,
    newest: Newest,
) -> Result<http::Response<StreamBody<Frames>>, hyper::Error> {
    let begun = Instant::now();
    let question = request.into_body().collect().await?.to_bytes();
    let item = first_item(&question);
    *locked(&newest) = Exchange {
        question,
        first_line: None,
    };
    let Some(item) = item else {
        let mut response = http::Response::new(StreamBody::new(stream::empty().boxed()));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        return Ok(response);
    };
    let start = (script.events(&item), newest);
    let frames = stream::unfold(start, move |(mut events, newest)| async move {
        let (after, event) = events.next()?;
        let due = begun + after;
        if due > Instant::now() {
            sleep_until(due).await;
        }
        if event.contains(LINE_END) {
            locked(&newest).first_line.get_or_insert_with(Instant::now);
        }
        let frame = Ok::<_, Infallible>(Frame::data(Bytes::from(event)));
        Some((frame, (events, newest)))
    });
    let mut response = http::Response::new(StreamBody::new(frames.boxed()));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// From one thought to the next where the model thinks for so long.
pub(super) fn thought_every(lasts: Duration) -> Duration {
    let bytes = u32::try_from(thought(0).len()).unwrap_or(u32::MAX);
    let thoughts_max = (THOUGHTS_BYTES_MAX / bytes).max(1);
    THOUGHT_EVERY.max(lasts / thoughts_max)
}

impl Script {
    fn events(self, item: &PromptItem) -> Box<dyn Iterator<Item = Timed> + Send> {
        let [first, second, ..] = lines(item);
        match self {
            Self::TwoLines => {
                let first = words(&first);
                let count = u32::try_from(first.len()).unwrap_or(u32::MAX);
                let numbered = (1_u32..).zip(first);
                let first = numbered.map(move |(place, word)| (FIRST_LINE * place / count, word));
                let second = at(FIRST_LINE, words(&second));
                Box::new(first.chain(second).chain(at(FIRST_LINE, end())))
            }
            Self::FiveLines => {
                let all = words(&lines(item).concat()).into_iter().chain(end());
                let numbered = (0_u32..).zip(all);
                Box::new(numbered.map(|(place, event)| (WORD_EVERY * place, event)))
            }
            Self::Silent(lasts) => {
                let two = words(&format!("{first}{second}"));
                Box::new(at(lasts, two).chain(at(lasts, end())))
            }
            Self::Thinking(lasts) => {
                let every = thought_every(lasts);
                let thoughts = (0_u32..)
                    .map(move |place| (every * place, thought(place)))
                    .take_while(move |(after, _)| *after < lasts);
                let two = words(&format!("{first}{second}"));
                Box::new(thoughts.chain(at(lasts, two)).chain(at(lasts, end())))
            }
        }
    }
}

/// An item as far as it is written about.
struct PromptItem {
    titulo: String,
    precio: String,
    stock: u32,
}

/// The first item in the last message of a prompt: "- «Dune», de Frank Herbert: 18,95 €, 3 ejemplares disponibles. …"
fn first_item(question: &[u8]) -> Option<PromptItem> {
    let question: Value = serde_json::from_slice(question).ok()?;
    let content = question["messages"].as_array()?.last()?["content"].as_str()?;
    let (titulo, rest) = content.split_once("- «")?.1.split_once('»')?;
    let (_, rest) = rest.split_once(": ")?;
    let (precio, rest) = rest.split_once(", ")?;
    let mut words = rest.split('.').next()?.split(' ');
    Some(PromptItem {
        titulo: titulo.to_owned(),
        precio: precio.to_owned(),
        stock: words.find_map(|word| word.parse().ok()).unwrap_or_default(),
    })
}

/// Lines about an item.
fn lines(item: &PromptItem) -> [String; 5] {
    let PromptItem {
        titulo,
        precio,
        stock,
    } = item;
    [
        format!("- «{titulo}»: {precio}, {stock} ejemplares.\n"),
        format!("- De «{titulo}» quedan {stock} ejemplares.\n"),
        format!("- «{titulo}» cuesta {precio}.\n"),
        "- ¿Te lo llevas?\n".to_owned(),
        "- ¿Quieres ver libros parecidos?\n".to_owned(),
    ]
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_inclusive([' ', '\n']);
    words.map(|word| delta(&json!({"content": word}))).collect()
}

/// One line in four thoughts.
fn thought(place: u32) -> String {
    let mark = if place % 4 == 3 { '\n' } else { ' ' };
    delta(&json!({"reasoning_content": format!("{THOUGHT}{mark}")}))
}

fn at(after: Duration, events: impl IntoIterator<Item = String>) -> impl Iterator<Item = Timed> {
    events.into_iter().map(move |event| (after, event))
}

fn delta(delta: &Value) -> String {
    event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

/// What follows the last word.
fn end() -> [String; 3] {
    let stop = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}});
    [event(&stop), event(&usage), "data: [DONE]\n\n".to_owned()]
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}
