//! The endpoints with everything they need, as their functions have them in the cloud.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use mostrador_core::{
    actions::{Counter, approvals::Approvals},
    clock::Clock,
    erasure::Erasure,
    history::{Exporter, History},
    index::IndexSource,
    limits::Idempotency,
    model::{Model, ModelPolicy},
    purchases::Purchases,
    retrieval::Retrieval,
    turn::{TurnEngine, TurnSettings},
};
use mostrador_dynamodb::{
    DynamoEraser, DynamoIdempotency, DynamoLimits, DynamoLog, DynamoPurchases, DynamoView,
};
use mostrador_engine::Engine;
use mostrador_llm::turn_settings;
use mostrador_page::Elsewhere;
use mostrador_search::{embedder, files::FileStore, load::Loader};
use mostrador_web::{
    Authenticator, Environment, Gate, Rates, Request, Response, Route, SystemClock, Throttle,
    TokenSettings,
};
use secrecy::SecretString;
use time::OffsetDateTime;

use crate::stores::Stores;

type Handler = Arc<dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync>;

/// All endpoints behind their routes.
pub(crate) struct Shop {
    handlers: Vec<(&'static [Route], Handler)>,
    fallback: Handler,
    pub(crate) index: Arc<dyn IndexSource>,
    pub(crate) purchases: Arc<dyn Purchases>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Which model there is, for the functions behind the streams.
    pub(crate) model: (Arc<dyn Model>, ModelPolicy),
}

impl Shop {
    /// Wires the endpoints to `stores`, by the environment's settings and with `secret` for tokens.
    /// Where nobody else serves the stores, `alone_since` says since when.
    pub(crate) async fn open(
        stores: &Stores,
        secret: &SecretString,
        alone_since: Option<OffsetDateTime>,
    ) -> anyhow::Result<Self> {
        let environment = Environment::of_process();
        let with_secret = |name: &str| match name {
            "JWT_SECRET" => Some(secrecy::ExposeSecret::expose_secret(secret).to_owned()),
            other => environment.text(other),
        };
        let tokens = TokenSettings::from_environment(&Environment::new(&with_secret))?;
        let rates = Rates::from_environment(&environment)?;
        let setting = |name: &str| environment.text(name);
        let policy = mostrador_llm::policy(&setting)?;
        let model = mostrador_llm::model(&policy, &setting).await?;
        let settings = TurnSettings {
            alone_since,
            ..turn_settings(policy.clone(), &setting)?
        };
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let client = &stores.dynamodb;
        let limits = Arc::new(DynamoLimits::new(client.clone(), &stores.tables.limits));
        let idempotency = DynamoIdempotency::new(client.clone(), &stores.tables.limits);
        let idempotency: Arc<dyn Idempotency> = Arc::new(
            idempotency
                .with_lease(settings.lease())
                .alone_since(alone_since),
        );
        let gate = |idempotency: Option<&Arc<dyn Idempotency>>| Gate {
            authenticator: Some(Authenticator::new(tokens.clone())),
            throttle: Some(Throttle::new(limits.clone(), rates)),
            idempotency: idempotency.cloned(),
            clock: clock.clone(),
        };
        let log = Arc::new(DynamoLog::new(client.clone(), &stores.tables));
        let view = Arc::new(DynamoView::new(client.clone(), &stores.tables));
        let catalogue = Arc::new(stores.catalogue());
        let purchases: Arc<dyn Purchases> =
            Arc::new(DynamoPurchases::new(client.clone(), &stores.tables));
        let refresh = environment.seconds("INDEX_REFRESH_SECONDS")?;
        let loader = Loader::new(stores.index.clone())
            .with_refresh(refresh)
            .with_embedder(embedder::configured(&|name| std::env::var(name).ok()).await?);
        let loader = Arc::new(loader);
        let files = Arc::new(FileStore::new(stores.shelves()?, loader.clone()));
        let index: Arc<dyn IndexSource> = loader;
        let retrieval = Retrieval {
            index: index.clone(),
            catalogue: catalogue.clone(),
        };

        let engine = TurnEngine {
            log: log.clone(),
            view: view.clone(),
            retrieval: retrieval.clone(),
            files: files.clone(),
            model: model.clone(),
            clock: clock.clone(),
            settings,
        };
        let chat = Arc::new(mostrador_chat::Deps {
            gate: gate(Some(&idempotency)),
            engine: engine.clone(),
        });
        let heartbeat = environment.seconds("STREAM_HEARTBEAT_SECONDS")?;
        let stream = Arc::new(mostrador_stream::Deps {
            gate: gate(Some(&idempotency)),
            engine,
            heartbeat: heartbeat.unwrap_or(mostrador_stream::HEARTBEAT),
        });
        let search = Arc::new(mostrador_search_function::Deps {
            gate: gate(None),
            retrieval,
            policy: policy.clone(),
        });
        let counter = Counter {
            catalogue,
            purchases: purchases.clone(),
            clock: clock.clone(),
            order_total_max: environment.amount("ORDER_TOTAL_MAX")?,
            shop: Arc::default(),
        };
        let actions = Arc::new(mostrador_actions::Deps {
            gate: gate(Some(&idempotency)),
            approvals: Approvals {
                log: log.clone(),
                idempotency: idempotency.clone(),
                counter: counter.clone(),
            },
        });
        let erasure = erasure(stores, counter)?;
        let erase = Arc::new(mostrador_erase::Deps {
            gate: gate(None),
            erasure,
        });
        let engine = stores.engine.clone();
        let history = Arc::new(mostrador_history::Deps {
            gate: gate(Some(&idempotency)),
            history: History {
                log: log.clone(),
                view: view.clone(),
                clock: clock.clone(),
            },
            exporter: Exporter {
                log,
                view,
                purchases: purchases.clone(),
                shelves: Arc::new(stores.shelves()?),
            },
        });
        let files = Arc::new(mostrador_files::Deps {
            gate: gate(Some(&idempotency)),
            files,
        });
        let page = Arc::new(mostrador_page::Deps {
            gate: Gate::open(),
            stream_url: Elsewhere::from_environment(&environment, "STREAM_URL")?,
            upload_url: Elsewhere::from_environment(&environment, "UPLOAD_URL")?
                .or_else(|| stores.s3_endpoint.as_deref().and_then(Elsewhere::read)),
        });
        let page = handler(page, mostrador_page::handle);
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
            (
                &mostrador_erase::ROUTES[..],
                Arc::new(move |request| {
                    let (erase, engine) = (Arc::clone(&erase), engine.clone());
                    let erased = async move {
                        let response = mostrador_erase::handle(erase, request).await;
                        if response.status().is_success() {
                            scrub(engine).await;
                        }
                        response
                    };
                    erased.boxed()
                }),
            ),
            (
                &mostrador_files::ROUTES[..],
                handler(files, mostrador_files::handle),
            ),
            (&mostrador_page::ROUTES[..], page.clone()),
        ];
        Ok(Self {
            handlers,
            fallback: page,
            index,
            purchases,
            clock,
            model: (model, policy),
        })
    }

    /// Answers a request by whoever its path belongs to; the page answers for what belongs to nobody.
    pub(crate) async fn handle(&self, request: Request) -> Response {
        let path = request.uri().path();
        let owner = self
            .handlers
            .iter()
            .find(|(routes, _)| routes.iter().any(|route| route.matches(path)));
        let handler = owner.map_or(&self.fallback, |(_, handler)| handler);
        handler(request).await
    }
}

/// What erasing works with, over the stores.
pub(crate) fn erasure(stores: &Stores, counter: Counter) -> anyhow::Result<Erasure> {
    Ok(Erasure {
        log: Arc::new(DynamoLog::new(stores.dynamodb.clone(), &stores.tables)),
        counter,
        shelves: Arc::new(stores.shelves()?),
        eraser: Arc::new(DynamoEraser::new(stores.dynamodb.clone(), &stores.tables)),
    })
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

fn handler<D, F, Fut>(deps: Arc<D>, handle: F) -> Handler
where
    D: Send + Sync + 'static,
    F: Fn(Arc<D>, Request) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Response> + Send + 'static,
{
    Arc::new(move |request| handle(Arc::clone(&deps), request).boxed())
}
