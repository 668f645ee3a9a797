//! From Lambda's events to plain requests, and back.

use std::{convert::Infallible, future::Future, sync::Arc};

use bytes::Bytes;
use http_body_util::BodyExt;
use lambda_http::{Body, LambdaEvent, RequestExt, request::RequestContext, service_fn};
use serde::{Serialize, de::DeserializeOwned};

use crate::gate::{Request, Response, SourceAddress};

pub use lambda_http::Error;

/// Serves API Gateway events with `handle` until Lambda ends the process.
///
/// # Errors
/// Where the runtime interface cannot be reached.
pub async fn run<D, F, Fut>(deps: D, handle: F) -> Result<(), Error>
where
    D: Send + Sync + 'static,
    F: Fn(Arc<D>, Request) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Response> + Send,
{
    let deps = Arc::new(deps);
    lambda_http::run(service_fn(move |event: lambda_http::Request| {
        let deps = Arc::clone(&deps);
        async move { Ok::<_, Infallible>(to_event(handle(deps, from_event(event)).await).await) }
    }))
    .await
}

/// Serves the events of a function URL, or of a REST API, with `handle`, whose answers go out as they come, until Lambda ends the process.
///
/// # Errors
/// Where the runtime interface cannot be reached.
pub async fn run_streaming<D, F, Fut>(deps: D, handle: F) -> Result<(), Error>
where
    D: Send + Sync + 'static,
    F: Fn(Arc<D>, Request) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Response> + Send,
{
    let deps = Arc::new(deps);
    lambda_http::run_with_streaming_response(service_fn(move |event: lambda_http::Request| {
        let deps = Arc::clone(&deps);
        async move { Ok::<_, Infallible>(handle(deps, from_event(event)).await) }
    }))
    .await
}

/// Calls `handle` with events that are no requests, such as a stream's, until Lambda ends the process.
///
/// # Errors
/// Where the runtime interface cannot be reached.
pub async fn run_events<D, E, A, F, Fut>(deps: D, handle: F) -> Result<(), Error>
where
    D: Send + Sync + 'static,
    E: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
    F: Fn(Arc<D>, E) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Result<A, Error>> + Send,
{
    let deps = Arc::new(deps);
    let handle = move |event: LambdaEvent<E>| handle(Arc::clone(&deps), event.payload);
    lambda_http::lambda_runtime::run(service_fn(handle)).await
}

fn from_event(event: lambda_http::Request) -> Request {
    let source = match event.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.clone(),
        Some(RequestContext::ApiGatewayV1(context)) => context.identity.source_ip.clone(),
        _ => None,
    };
    let (mut parts, body) = event.into_parts();
    // The context stays behind: an endpoint knows no Lambda.
    parts.extensions.clear();
    if let Some(address) = source {
        parts.extensions.insert(SourceAddress(address));
    }
    let body = match body {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    Request::from_parts(parts, body)
}

async fn to_event(response: Response) -> http::Response<Body> {
    let (parts, body) = response.into_parts();
    let Ok(body) = body.collect().await;
    let body = match String::from_utf8(body.to_bytes().into()) {
        Ok(text) => Body::Text(text),
        Err(not_text) => Body::Binary(not_text.into_bytes()),
    };
    http::Response::from_parts(parts, body)
}
