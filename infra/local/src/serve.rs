//! `mostrador serve`: everything in one process, until Ctrl-C.

mod dynamodb;
mod http;
mod local;

use std::{collections::HashSet, net::IpAddr, sync::Arc, time::Duration};

use anyhow::Context;
use mostrador_core::catalogue::{Catalogue, Item, StockedItem};
use time::OffsetDateTime;
use tokio::{net::TcpListener, sync::watch};

use crate::{
    business,
    cli::ServeOptions,
    import, index, profile, secret,
    seed::{self, USERS},
    shop::Shop,
    stores::{Stores, folder},
    streams::Streams,
};
use local::Local;

const DEFAULT_PORT: u16 = 3000;
const SWEEP_EVERY: Duration = Duration::from_mins(1);
/// So many of the items that are there already are compared with those of a shop that is brought in.
const LOOKED_AT: usize = 100;

/// A product that answers, and how to stop it.
pub(crate) struct Running {
    pub(crate) url: String,
    /// Where other processes reach the embedded engine, if it was to be served.
    pub(crate) dynamodb_endpoint: Option<String>,
    pub(crate) stores: Arc<Stores>,
    pub(crate) build_id: String,
    pub(crate) items: usize,
    streams: Option<Streams>,
    stop: watch::Sender<()>,
    served: tokio::task::JoinHandle<()>,
}

impl Running {
    /// Lets requests under way end, and stops.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.served.await;
        if let Some(streams) = self.streams {
            streams.stop().await;
        }
    }
}

#[expect(
    clippy::print_stdout,
    reason = "the ready line is what a person or a script waits for"
)]
pub async fn serve(options: ServeOptions) -> anyhow::Result<()> {
    mostrador_web::logging::start_in_terminal("warn,dynoxide=error");
    let running = start(&options).await?;
    let Running {
        url,
        items,
        build_id,
        ..
    } = &running;
    let (users, items) = (USERS.join(", "), import::counted(*items));
    println!(
        "Mostrador is ready at {url} ({items}, index {build_id}). Demo users: {users}. Ctrl-C stops it."
    );
    if let Some(endpoint) = &running.dynamodb_endpoint {
        println!(
            "DynamoDB engine at {endpoint}, S3 at {}",
            running.stores.s3_endpoint.as_deref().unwrap_or("-")
        );
    }
    interrupted().await?;
    running.stop().await;
    Ok(())
}

/// Starts everything and comes back when it answers.
pub(crate) async fn start(options: &ServeOptions) -> anyhow::Result<Running> {
    let started_at = OffsetDateTime::now_utc();
    let host = options.host.unwrap_or(IpAddr::from([127, 0, 0, 1]));
    let port = options.port.unwrap_or(DEFAULT_PORT);
    // First of all, so that a port in use is known before any work is done.
    let listener = TcpListener::bind((host, port)).await.with_context(|| {
        format!("port {port} on {host} cannot be had: is another Mostrador running? Choose one with --port")
    })?;
    let url = format!("http://{}", listener.local_addr()?);
    let stores = Arc::new(Stores::open(&options.stores).await?);
    let lock = stores.data_dir.as_deref().map(folder::lock).transpose()?;
    let is_new_demo = stock_the_catalogue(options, &stores).await?;
    let business = business::of_shop(options, &stores, is_new_demo).await?;
    let items = index::publish_if_needed(&stores).await?;
    let secret = secret::secret(stores.data_dir.as_deref())?;
    // With tables of its own, nobody else on the folder, and none let in from outside.
    let has_tables = stores.engine.is_some() && options.dynamodb_port.is_none();
    let is_alone = has_tables && (lock.is_some() || stores.data_dir.is_none());
    let alone_since = is_alone.then_some(started_at);
    let settings = business::in_settings(secret::settings(&secret), business);
    let wiring = stores.wiring(settings).alone_since(alone_since);
    let shop = Shop::open(&stores, &wiring).await?;
    seed::seed(&*wiring.purchases(), &wiring.catalogue()).await?;
    let generation = shop
        .index
        .current()
        .await
        .context("the index that was just published cannot be loaded")?;
    let build_id = generation.info().build_id.clone();
    let streams = match &stores.streams {
        Some(client) => Some(Streams::start(&stores, client, &wiring).await?),
        None => None,
    };
    let (stop, stopped) = watch::channel(());
    let dynamodb_endpoint = expose_engine(options, &stores, stopped.clone()).await?;
    tokio::spawn(sweep(Arc::clone(&stores), stopped.clone()));
    let local = Local {
        _lock: lock,
        shop,
        secret,
        dev: host.is_loopback(),
        is_for_this_machine: host.is_loopback(),
    };
    let served = tokio::spawn(http::serve(listener, Arc::new(local), stopped));
    Ok(Running {
        url,
        dynamodb_endpoint,
        stores,
        build_id,
        items,
        streams,
        stop,
        served,
    })
}

/// Brings in what the options name, or the demo shop where there is nothing yet; whether it was that.
async fn stock_the_catalogue(options: &ServeOptions, stores: &Stores) -> anyhow::Result<bool> {
    let of_shop = options
        .shop
        .as_deref()
        .map(profile::of_folder)
        .transpose()?;
    let file = match &of_shop {
        Some((_, Some(file))) => Some(file),
        _ => options.catalogue.as_ref(),
    };
    let there = stores.catalogue().scan(LOOKED_AT).await;
    let there = there.context("the catalogue table")?;
    if of_shop.is_none() && file.is_none() {
        if there.is_empty() {
            profile::publish_demo(stores).await?;
            import::bring_in(stores, &import::demo()?).await?;
        }
        return Ok(there.is_empty());
    }
    // All of it is read before any of it is written: a fault leaves the shop as it was.
    let items = match file {
        Some(file) => {
            let shop = match &of_shop {
                Some((shop, _)) => Arc::new(shop.clone()),
                None => profile::published(stores).await?,
            };
            let reading = import::reading(&shop, options.allow_free, options.columns.clone());
            import::read(file, &reading)?
        }
        None => Vec::new(),
    };
    if let Some((shop, _)) = &of_shop {
        profile::put(stores, shop).await?;
    }
    if !items.is_empty() {
        if of_shop.is_some() {
            warn_of_others(&there, &items);
        }
        import::bring_in(stores, &items).await?;
    }
    Ok(false)
}

/// Says so where the table holds what is not in the shop's own catalogue: it stays on sale, whichever shop's it is.
fn warn_of_others(there: &[StockedItem], of_shop: &[(Item, u32)]) {
    let own: HashSet<u64> = of_shop.iter().map(|(item, _)| item.libro_id).collect();
    let others = there.iter().map(|stocked| &stocked.item);
    let mut others = others.filter(|item| !own.contains(&item.libro_id));
    if let Some(first) = others.next() {
        tracing::warn!(
            "the catalogue table holds other items as well, such as {} ({}): they stay on sale; another --data-dir keeps shops apart",
            first.id(),
            first.titulo
        );
    }
}

/// Ends what has lapsed, as the service does by itself.
async fn sweep(stores: Arc<Stores>, mut stopped: watch::Receiver<()>) {
    loop {
        tokio::select! {
            _ = stopped.changed() => return,
            () = tokio::time::sleep(SWEEP_EVERY) => {}
        }
        let stores = Arc::clone(&stores);
        let swept = tokio::task::spawn_blocking(move || stores.sweep()).await;
        if let Ok(Err(error)) = swept {
            tracing::warn!(%error, "what has lapsed was not removed");
        }
    }
}

async fn expose_engine(
    options: &ServeOptions,
    stores: &Stores,
    stopped: watch::Receiver<()>,
) -> anyhow::Result<Option<String>> {
    let (Some(port), Some(engine)) = (options.dynamodb_port, stores.engine.clone()) else {
        return Ok(None);
    };
    let listener = TcpListener::bind(("127.0.0.1", port))
        .await
        .with_context(|| format!("port {port} cannot be had"))?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    tokio::spawn(dynamodb::serve(listener, engine, stopped));
    Ok(Some(endpoint))
}

/// Waits for Ctrl-C or a request to terminate.
async fn interrupted() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted?,
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    Ok(())
}
