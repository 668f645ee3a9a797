//! What an endpoint answers with.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::{StreamExt, stream::BoxStream};
use http::StatusCode;
use http_body::Frame;
use mostrador_core::{language::Language, limits::StoredAnswer};
use serde::Serialize;

/// What an answer holds: all there is, or what comes little by little.
pub enum Body {
    Whole(Bytes),
    Stream(BoxStream<'static, Bytes>),
}

impl Body {
    /// What is there at once: nothing, of a stream.
    #[must_use]
    pub fn whole(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Stream(_) => &[],
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Self::Whole(Bytes::new())
    }
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self::Whole(bytes.into())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::Stream(stream) => stream
                .poll_next_unpin(context)
                .map(|next| next.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn size_hint(&self) -> http_body::SizeHint {
        match self {
            Self::Whole(bytes) => http_body::SizeHint::with_exact(bytes.len() as u64),
            Self::Stream(_) => http_body::SizeHint::default(),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(bytes) if bytes.is_empty())
    }
}

/// Status and body; the headers that every answer carries are the gate's.
pub struct Reply {
    pub status: StatusCode,
    pub content_type: &'static str,
    pub body: Body,
    /// Whether the request was settled with what it did, this answer included.
    pub settled: bool,
    /// The language that it is in, where that need not be the one that the caller accepts.
    pub language: Option<Language>,
}

impl Reply {
    /// A JSON body.
    #[must_use]
    pub fn json(status: StatusCode, body: &impl Serialize) -> Self {
        // The bodies are our own types: strings, numbers, lists and objects with string keys.
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self {
            status,
            content_type: "application/json",
            body: body.into(),
            settled: false,
            language: None,
        }
    }

    /// 200 with a JSON body.
    #[must_use]
    pub fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// Nothing.
    #[must_use]
    pub fn no_content() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            content_type: "application/json",
            body: Body::default(),
            settled: false,
            language: None,
        }
    }

    /// This answer, as it is kept for a request's key.
    #[must_use]
    pub fn stored(&self) -> StoredAnswer {
        StoredAnswer {
            status: self.status.as_u16(),
            content_type: self.content_type.to_owned(),
            body: String::from_utf8_lossy(self.body.whole()).into_owned(),
        }
    }
}
