//! Shards that close and have children, iterators that expire, a stream that is away: on a scripted one.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpClient, SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use mostrador_engine::local;
use mostrador_pump::{Client, Mapping, connect};
use serde_json::{Value, json};

use crate::shop::{Kept, Notes, TABLE, quick};

const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/now";

/// A stream of two shards, `parent` and `child`. Iterators are `<shard>/<place>`.
#[derive(Debug, Default)]
struct Script {
    /// The records of either shard, by number.
    parent: Vec<usize>,
    child: Vec<usize>,
    parent_closed: bool,
    /// Errors that calls meet first, each once: an operation and an error's name, or none.
    troubles: VecDeque<(&'static str, &'static str)>,
    requested: Vec<String>,
}

impl Script {
    fn answer(&mut self, operation: &str, request: &Value) -> (u16, Value) {
        let meets = self
            .troubles
            .front()
            .is_some_and(|(of, _)| *of == operation);
        let trouble = if meets {
            self.troubles.pop_front()
        } else {
            None
        };
        if let Some((_, name)) = trouble.filter(|(_, name)| !name.is_empty()) {
            let away = name == "InternalServerError";
            let error = json!({"__type": name, "message": "as the script has it"});
            return (if away { 500 } else { 400 }, error);
        }
        let answer = match operation {
            "ListStreams" => {
                json!({"Streams": [{"StreamArn": ARN, "TableName": TABLE, "StreamLabel": "now"}]})
            }
            "DescribeStream" => {
                let shards = json!([{"ShardId": "child", "ParentShardId": "parent"}, {"ShardId": "parent", "ParentShardId": "trimmed"}]);
                json!({"StreamDescription": {"StreamArn": ARN, "Shards": shards}})
            }
            "GetShardIterator" => {
                let shard = request["ShardId"].as_str().unwrap();
                let after = request["SequenceNumber"].as_str();
                self.requested.push(format!("{shard} after {after:?}"));
                let place = after.map_or(0, |after| {
                    let last = self
                        .records(shard)
                        .iter()
                        .position(|n| sequence(*n) == after);
                    last.unwrap() + 1
                });
                json!({"ShardIterator": format!("{shard}/{place}")})
            }
            _ => {
                let (shard, place) = request["ShardIterator"]
                    .as_str()
                    .unwrap()
                    .split_once('/')
                    .unwrap();
                let place: usize = place.parse().unwrap();
                let all = self.records(shard);
                // Two a page.
                let page = &all[place..all.len().min(place + 2)];
                let records: Vec<Value> = page.iter().map(|number| record(*number)).collect();
                let end = place + page.len();
                let closed = shard == "parent" && self.parent_closed && end == all.len();
                json!({"Records": records, "NextShardIterator": (!closed).then(|| format!("{shard}/{end}"))})
            }
        };
        (200, answer)
    }

    fn records(&self, shard: &str) -> &[usize] {
        if shard == "parent" {
            &self.parent
        } else {
            &self.child
        }
    }
}

fn sequence(number: usize) -> String {
    format!("{number:021}")
}

fn record(number: usize) -> Value {
    json!({"eventID": "e", "eventName": "INSERT", "dynamodb": {
        "SequenceNumber": sequence(number), "NewImage": {"number": {"N": number.to_string()}},
    }})
}

#[derive(Debug, Clone)]
struct Peer(Arc<Mutex<Script>>);

impl Peer {
    fn with(script: Script) -> Self {
        Self(Arc::new(Mutex::new(script)))
    }

    async fn client(&self) -> Client {
        let shared = local("http://scripted.invalid").await;
        let http = SharedHttpClient::new(self.clone());
        connect(&shared.into_builder().http_client(http).build())
    }

    fn change(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.0.lock().unwrap());
    }
}

impl HttpClient for Peer {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Peer {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap();
        let (prefix, operation) = target.split_once('.').unwrap();
        assert_eq!(prefix, "DynamoDBStreams_20120810");
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let (status, answer) = self.0.lock().unwrap().answer(operation, &body);
        if status == 500 {
            return HttpConnectorFuture::ready(Err(ConnectorError::io("it is away".into())));
        }
        let status = StatusCode::try_from(status).unwrap();
        let response = HttpResponse::new(status, SdkBody::from(answer.to_string()));
        HttpConnectorFuture::ready(Ok(response))
    }
}

#[tokio::test(start_paused = true)]
async fn a_child_follows_its_parent_and_a_restart_knows_it() {
    let peer = Peer::with(Script {
        parent: vec![1, 2, 3],
        child: vec![4, 5],
        ..Script::default()
    });
    let folder = tempfile::tempdir().unwrap();
    let mapping = Mapping {
        folder: Some(folder.path().to_owned()),
        ..quick()
    };
    let notes = Notes::content();
    let kept: Arc<Kept> = Arc::default();
    let start = async || {
        let consumer = Arc::clone(&notes);
        let client = peer.client().await;
        mapping
            .clone()
            .start(client, TABLE, consumer, Arc::clone(&kept) as _)
    };
    let running = start().await;
    while notes.all().len() < 3 {
        tokio::time::sleep(mapping.poll).await;
    }
    tokio::time::sleep(mapping.poll * 10).await;
    assert_eq!(notes.all(), [1, 2, 3], "the parent is open");
    peer.change(|script| script.parent_closed = true);
    running.drained().await;
    assert_eq!(notes.all(), [1, 2, 3, 4, 5]);
    running.stop().await;
    peer.change(|script| {
        script.child.push(6);
        script.requested.clear();
    });
    let running = start().await;
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.all(), [1, 2, 3, 4, 5, 6]);
    let requested = peer.0.lock().unwrap().requested.clone();
    assert_eq!(
        requested,
        [format!("child after Some(\"{}\")", sequence(5))]
    );
}

/// Every record once and in order, whatever the stream answered in between.
async fn despite(troubles: &[(&'static str, &'static str)], expected: &[usize]) {
    let peer = Peer::with(Script {
        parent: vec![1, 2, 3],
        child: vec![4, 5],
        parent_closed: true,
        troubles: troubles.iter().copied().collect(),
        ..Script::default()
    });
    let notes = Notes::content();
    let kept: Arc<Kept> = Arc::default();
    let consumer = Arc::clone(&notes);
    let running = quick().start(peer.client().await, TABLE, consumer, kept);
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.all(), expected, "{troubles:?}");
    let left = &peer.0.lock().unwrap().troubles;
    assert!(left.is_empty(), "not met: {left:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_in_trouble_is_read_on_where_it_was_left() {
    let all = [1, 2, 3, 4, 5];
    let away = |operation| [(operation, "InternalServerError"); 9];
    despite(&away("ListStreams"), &all).await;
    despite(&away("DescribeStream"), &all).await;
    despite(&away("GetShardIterator"), &all).await;
    despite(&away("GetRecords"), &all).await;
    // Not before the last shard.
    let late = [&[("GetRecords", ""); 2][..], &away("GetRecords")].concat();
    despite(&late, &all).await;
    despite(&[("GetRecords", "ExpiredIteratorException")], &all).await;
    despite(&[("GetRecords", "ResourceNotFoundException")], &all).await;
    despite(
        &[("GetRecords", "ProvisionedThroughputExceededException")],
        &all,
    )
    .await;
    despite(&[("GetShardIterator", "TrimmedDataAccessException")], &all).await;
}

/// Reading begins again at the oldest record when the place that was reached is gone from the stream.
#[tokio::test(start_paused = true)]
async fn a_place_that_was_trimmed_is_not_waited_for() {
    let peer = Peer::with(Script {
        parent: vec![1, 2],
        ..Script::default()
    });
    let notes = Notes::content();
    let kept: Arc<Kept> = Arc::default();
    let consumer = Arc::clone(&notes);
    let running = quick().start(peer.client().await, TABLE, consumer, kept);
    while notes.all().len() < 2 {
        tokio::time::sleep(quick().poll).await;
    }
    peer.change(|script| {
        script.parent = vec![8, 9];
        script.parent_closed = true;
        script.troubles = [("GetRecords", "TrimmedDataAccessException")].into();
    });
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.all(), [1, 2, 8, 9]);
}
