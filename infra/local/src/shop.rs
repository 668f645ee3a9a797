//! The endpoints with everything they need, as their functions have them in the cloud.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use mostrador_core::index::IndexSource;
use mostrador_engine::Engine;
use mostrador_page::Elsewhere;
use mostrador_web::{Request, Response, Route};
use mostrador_wiring::Wiring;

use crate::stores::Stores;

type Handler = Arc<dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync>;

/// All endpoints behind their routes.
pub struct Shop {
    handlers: Vec<(&'static [Route], Handler)>,
    fallback: Handler,
    pub(crate) index: Arc<dyn IndexSource>,
}

impl Shop {
    /// Mounts the endpoints on `stores`, which `wiring` is of.
    pub async fn open(stores: &Stores, wiring: &Wiring) -> anyhow::Result<Self> {
        let chat = mostrador_chat::Deps::wire(wiring).await?;
        let stream = mostrador_stream::Deps::wire(wiring).await?;
        let search = mostrador_search_function::Deps::wire(wiring).await?;
        let actions = mostrador_actions::Deps::wire(wiring)?;
        let history = mostrador_history::Deps::wire(wiring)?;
        let erase = Arc::new(mostrador_erase::Deps::wire(wiring)?);
        let files = mostrador_files::Deps::wire(wiring).await?;
        let mut page = mostrador_page::Deps::wire(&wiring.environment())?;
        let uploads = stores.s3_endpoint.as_deref().and_then(Elsewhere::read);
        page.upload_url = page.upload_url.or(uploads);
        let page = handler(page, mostrador_page::handle);
        let engine = stores.engine.clone();
        let erase: Handler = Arc::new(move |request| {
            let (erase, engine) = (Arc::clone(&erase), engine.clone());
            let erased = async move {
                let response = mostrador_erase::handle(erase, request).await;
                if response.status().is_success() {
                    scrub(engine).await;
                }
                response
            };
            erased.boxed()
        });
        let handlers = vec![
            (
                &mostrador_chat::ROUTES[..],
                handler(chat, mostrador_chat::handle),
            ),
            (
                &mostrador_stream::ROUTES[..],
                handler(stream, mostrador_stream::handle),
            ),
            (
                &mostrador_search_function::ROUTES[..],
                handler(search, mostrador_search_function::handle),
            ),
            (
                &mostrador_actions::ROUTES[..],
                handler(actions, mostrador_actions::handle),
            ),
            (
                &mostrador_history::ROUTES[..],
                handler(history, mostrador_history::handle),
            ),
            (&mostrador_erase::ROUTES[..], erase),
            (
                &mostrador_files::ROUTES[..],
                handler(files, mostrador_files::handle),
            ),
            (&mostrador_page::ROUTES[..], page.clone()),
        ];
        Ok(Self {
            handlers,
            fallback: page,
            index: wiring.index().await?,
        })
    }

    /// Answers a request by whoever its path belongs to; the page answers for what belongs to nobody.
    pub async fn handle(&self, request: Request) -> Response {
        let path = request.uri().path();
        let owner = self
            .handlers
            .iter()
            .find(|(routes, _)| routes.iter().any(|route| route.matches(path)));
        let handler = owner.map_or(&self.fallback, |(_, handler)| handler);
        handler(request).await
    }
}

/// Takes what was erased from the embedded engine's file too.
pub(crate) async fn scrub(engine: Option<Engine>) {
    let Some(engine) = engine else { return };
    let scrubbed = tokio::task::spawn_blocking(move || engine.scrub()).await;
    let failed = match scrubbed {
        Ok(scrubbed) => scrubbed.err().map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(error) = failed {
        tracing::error!(
            error,
            "what was erased may still be found in the engine's file"
        );
    }
}

fn handler<D, F, Fut>(deps: D, handle: F) -> Handler
where
    D: Send + Sync + 'static,
    F: Fn(Arc<D>, Request) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Response> + Send + 'static,
{
    let deps = Arc::new(deps);
    Arc::new(move |request| handle(Arc::clone(&deps), request).boxed())
}
