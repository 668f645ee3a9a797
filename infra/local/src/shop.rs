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
    mounted: Vec<Mounted>,
    page: Handler,
    pub(crate) index: Arc<dyn IndexSource>,
}

impl Shop {
    /// Mounts the endpoints on `stores`, which `wiring` is of.
    pub async fn open(stores: &Stores, wiring: &Wiring) -> anyhow::Result<Self> {
        let index = wiring.index().await?;
        let files = wiring.files(index.clone())?;
        let shop = wiring.shop().await?;
        let engine = wiring
            .turn_engine(index.clone(), files.clone(), shop.clone())
            .await?;
        let chat = mostrador_chat::Deps::wire(wiring, engine.clone())?;
        let stream = mostrador_stream::Deps::wire(wiring, engine)?;
        let retrieval = wiring.retrieval(index.clone(), shop.clone());
        let search = mostrador_search_function::Deps::wire(wiring, retrieval, shop.clone())?;
        let actions = mostrador_actions::Deps::wire(wiring, shop.clone())?;
        let history = mostrador_history::Deps::wire(wiring)?;
        let staff = mostrador_staff::Deps::wire(wiring, shop.clone())?;
        let erase = Arc::new(mostrador_erase::Deps::wire(wiring)?);
        let files = mostrador_files::Deps::wire(wiring, files)?;
        let mut page = mostrador_page::Deps::wire(wiring, shop)?;
        let uploads = stores.s3_endpoint.as_deref().and_then(Elsewhere::read);
        page.upload_url = page.upload_url.or(uploads);
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
        let mounted = vec![
            Mounted::new(
                &mostrador_chat::ROUTES,
                handler(chat, mostrador_chat::handle),
            ),
            Mounted::new(
                &mostrador_stream::ROUTES,
                handler(stream, mostrador_stream::handle),
            ),
            Mounted::new(
                &mostrador_search_function::ROUTES,
                handler(search, mostrador_search_function::handle),
            ),
            Mounted::new(
                &mostrador_actions::ROUTES,
                handler(actions, mostrador_actions::handle),
            ),
            Mounted::new(
                &mostrador_history::ROUTES,
                handler(history, mostrador_history::handle),
            ),
            Mounted::new(
                &mostrador_staff::ROUTES,
                handler(staff, mostrador_staff::handle),
            ),
            Mounted::new(&mostrador_erase::ROUTES, erase),
            Mounted::new(
                &mostrador_files::ROUTES,
                handler(files, mostrador_files::handle),
            ),
        ];
        Ok(Self {
            mounted,
            page: handler(page, mostrador_page::handle),
            index,
        })
    }

    /// Answers a request by the function that its path is routed to, as the template routes it; the page's has all other paths.
    pub async fn handle(&self, request: Request) -> Response {
        let path = request.uri().path();
        let mounted = self.mounted.iter().find(|mounted| (mounted.has)(path));
        let handler = mounted.map_or(&self.page, |mounted| &mounted.handler);
        handler(request).await
    }
}

/// A function, and the paths that are routed to it.
struct Mounted {
    has: Box<dyn Fn(&str) -> bool + Send + Sync>,
    handler: Handler,
}

impl Mounted {
    fn new<O: Sync>(routes: &'static [Route<O>], handler: Handler) -> Self {
        Self {
            has: Box::new(|path| routes.iter().any(|route| route.is_at(path))),
            handler,
        }
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
