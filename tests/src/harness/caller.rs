//! Who talks to a server: a guest or a customer, with one method for each thing they do.

use std::{sync::LazyLock, time::Duration};

use reqwest::{Client, Method, RequestBuilder, Url};
use serde_json::{Value, json};

use super::{Answer, Shop, server::unique, token, wait};

static CLIENT: LazyLock<Client> = LazyLock::new(|| {
    /// Sooner than the server lets go of a connection that nothing comes on, which is after 10 s: what is sent at that moment is lost.
    const KEPT: Duration = Duration::from_secs(5);
    let client = Client::builder()
        .no_proxy()
        .pool_idle_timeout(KEPT)
        .timeout(Duration::from_secs(60));
    client.build().expect("a client")
});

impl Shop {
    pub(crate) fn guest(&self) -> Caller<'_> {
        Caller {
            shop: self,
            name: "guest".to_owned(),
            token: None,
        }
    }

    /// A customer nobody else is.
    pub(crate) fn customer(&self, label: &str) -> Caller<'_> {
        self.signed_in_as(&unique(label))
    }

    pub(crate) fn signed_in_as(&self, name: &str) -> Caller<'_> {
        self.bearer(name, &token(name))
    }

    /// The caller that this token identifies.
    pub(crate) fn bearer(&self, name: &str, token: &str) -> Caller<'_> {
        Caller {
            shop: self,
            name: name.to_owned(),
            token: Some(token.to_owned()),
        }
    }
}

/// Somebody talking to a server.
#[derive(Clone)]
pub(crate) struct Caller<'a> {
    shop: &'a Shop,
    pub(crate) name: String,
    pub(crate) token: Option<String>,
}

impl Caller<'_> {
    /// How many copies of each item are in the cart.
    pub(crate) fn cart(&self) -> Vec<(u64, u64)> {
        let cart = self.act("view_cart", json!({})).is(200);
        let lines = cart["results"].as_array().expect("lines");
        let number = |line: &Value, name: &str| line[name].as_u64().expect("a number");
        let lines = lines.iter();
        lines
            .map(|line| (number(line, "libro_id"), number(line, "cantidad")))
            .collect()
    }

    /// A request with the caller's token, still to be sent.
    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let request = CLIENT.request(method, self.shop.address(path));
        Call(match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        })
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.call("GET", path).send()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path).json(body).send()
    }

    /// Says `message` at the counter, asking for the trace.
    pub(crate) fn chat(&self, message: &str) -> Answer {
        self.post("/api/agent/", &json!({"message": message, "trace": true}))
    }

    /// Searches by the parameters of a query string.
    pub(crate) fn search(&self, parameters: &[(&str, &str)]) -> Answer {
        let url = Url::parse_with_params(&self.shop.url, parameters).expect("a URL");
        let query = url.query().unwrap_or_default();
        self.get(&format!("/api/agent/search/?{query}"))
    }

    pub(crate) fn act(&self, action: &str, payload: Value) -> Answer {
        let body = json!({"action": action, "payload": payload});
        self.post("/api/agent/actions/", &body)
    }

    /// Reads the history; `query` is empty or begins with `?`.
    pub(crate) fn history(&self, query: &str) -> Answer {
        self.get(&format!("/api/agent/history/{query}"))
    }

    /// Adds a message to the active conversation.
    pub(crate) fn add_message(&self, role: &str, content: &str) -> Answer {
        self.post(
            "/api/agent/history/messages/",
            &json!({"role": role, "content": content}),
        )
    }

    /// Copies of a book that anybody may take.
    #[track_caller]
    pub(crate) fn stock(&self, libro_id: u64) -> u64 {
        let found = self.post(
            "/api/agent/",
            &json!({"message": format!("libro {libro_id}"), "save_history": false}),
        );
        let item = found.is(200)["results"][0].clone();
        assert_eq!(item["libro_id"], libro_id, "{item}");
        item["stock"].as_u64().expect("a stock")
    }
}

/// Sends a document's bytes to their address, and gives the status.
pub(crate) async fn upload(to: &Value, bytes: &[u8]) -> u16 {
    let url = to["url"].as_str().expect("an address");
    let mut request = CLIENT.put(url).body(bytes.to_vec());
    for (name, value) in to["headers"].as_object().expect("headers") {
        request = request.header(name, value.as_str().expect("a header"));
    }
    request.send().await.expect("an answer").status().as_u16()
}

/// Calls the engine behind a server as its clients do, and gives the status.
pub(crate) fn call_engine(url: &str, operation: &str, body: &Value) -> u16 {
    let target = format!("DynamoDB_20120810.{operation}");
    let request = CLIENT.post(url).header("x-amz-target", target);
    wait(async {
        let answer = request.json(body).send().await;
        answer.expect("an answer").status().as_u16()
    })
}

/// A request on its way.
pub(crate) struct Call(RequestBuilder);

impl Call {
    pub(crate) fn json(self, body: &Value) -> Self {
        Self(self.0.json(body))
    }

    /// Bytes declared as JSON, whatever they are.
    pub(crate) fn body(self, bytes: impl Into<Vec<u8>>) -> Self {
        let request = self.0.header("content-type", "application/json");
        Self(request.body(bytes.into()))
    }

    /// Bytes declared as nothing.
    pub(crate) fn undeclared(self, bytes: impl Into<Vec<u8>>) -> Self {
        Self(self.0.body(bytes.into()))
    }

    pub(crate) fn header(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        Self(self.0.header(name, value.as_ref()))
    }

    #[track_caller]
    pub(crate) fn send(self) -> Answer {
        match self.attempt() {
            Ok(answer) => answer,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same, to a server that may not be there any more.
    pub(crate) fn attempt(self) -> Result<Answer, String> {
        wait(async {
            let request = self.0.build().expect("a request");
            let summary = format!("{} {}", request.method(), request.url());
            let unanswered = |error| format!("{summary}: no answer: {error:?}");
            let answer = CLIENT.execute(request).await.map_err(unanswered)?;
            let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
            let text = answer.text().await.map_err(unanswered)?;
            Ok(Answer {
                request: summary,
                status,
                headers,
                text,
            })
        })
    }

    /// Sends it, and hangs up once `enough` of the answer has come, or it has ended. Gives what came.
    pub(crate) fn cut_off(self, enough: impl Fn(&str) -> bool) -> String {
        wait(async {
            let mut answer = self.0.send().await.expect("an answer");
            assert_eq!(answer.status().as_u16(), 200, "{answer:?}");
            let mut came = Vec::new();
            loop {
                let text = String::from_utf8_lossy(&came).into_owned();
                if enough(&text) {
                    return text;
                }
                match answer.chunk().await.expect("more of it") {
                    Some(chunk) => came.extend_from_slice(&chunk),
                    None => return text,
                }
            }
        })
    }

    /// Sends it and hangs up without an answer, once `seen` says that it has got where it was to get.
    pub(crate) fn hung_up_on(self, body: &Value, seen: impl Fn() -> bool) {
        let call = self.json(body).0;
        wait(async {
            let request = tokio::spawn(call.send());
            while !seen() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            request.abort();
        });
    }
}
