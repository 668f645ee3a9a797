//! Events as they go over the wire: `text/event-stream`, with a comment now and then while nothing happens.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, future::ready, stream::BoxStream};
use http::StatusCode;
use mostrador_core::{
    language::Language,
    turn::{TurnEvent, What},
};
use mostrador_web::{Body, Reply};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};

use crate::dialect::{Dialect, Writer};

/// Where a turn's events go. Never more than an answer holds, which is little.
pub(crate) type Sender = UnboundedSender<TurnEvent>;

pub(crate) const HEARTBEAT: &str = ": \n\n";

/// An answer that goes on until the sender is dropped.
pub(crate) fn reply(heartbeat: Duration, language: Language, dialect: Dialect) -> (Sender, Reply) {
    let (sender, receiver) = unbounded_channel();
    let reply = Reply {
        status: StatusCode::OK,
        content_type: "text/event-stream",
        body: Body::Stream(written(receiver, dialect.writer(), heartbeat, language)),
        settled: true,
        language: Some(language),
    };
    (sender, reply)
}

/// How far a stream has come.
struct Progress {
    receiver: UnboundedReceiver<TurnEvent>,
    writer: Writer,
    last: Option<TurnEvent>,
    is_over: bool,
}

fn written(
    receiver: UnboundedReceiver<TurnEvent>,
    writer: Writer,
    heartbeat: Duration,
    language: Language,
) -> BoxStream<'static, Bytes> {
    let start = Progress {
        receiver,
        writer,
        last: None,
        is_over: false,
    };
    let next = move |mut progress: Progress| async move {
        if progress.is_over {
            return None;
        }
        let bytes = match timeout(heartbeat, progress.receiver.recv()).await {
            Err(_) => Bytes::from_static(HEARTBEAT.as_bytes()),
            Ok(Some(event)) => {
                let bytes = progress.writer.write(&event);
                progress.last = Some(event);
                bytes
            }
            Ok(None) => {
                progress.is_over = true;
                let is_whole = progress
                    .last
                    .as_ref()
                    .is_some_and(|last| matches!(last.what, What::Complete { .. }));
                if is_whole {
                    return None;
                }
                // The task that ran it is gone: a fault of ours, which is no reason to leave a client waiting.
                let broken_off = progress
                    .last
                    .iter()
                    .flat_map(|last| last.broken_off(language));
                broken_off
                    .map(|event| progress.writer.write(&event))
                    .fold(Vec::new(), |mut all, bytes| {
                        all.extend_from_slice(&bytes);
                        all
                    })
                    .into()
            }
        };
        Some((bytes, progress))
    };
    let bytes = futures_util::stream::unfold(start, next);
    bytes.filter(|bytes| ready(!bytes.is_empty())).boxed()
}
