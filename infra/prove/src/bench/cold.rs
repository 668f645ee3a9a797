//! A cold start: the built `search` function, from the start of its process to its first answer.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use anyhow::Context;
use mostrador_core::catalogue::Item;
use mostrador_local::import;
use mostrador_search::{artifact::FileName, load::published, store::S3Store};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    process::Command,
};

use super::{
    catalogues::{read as read_catalogue, volumes},
    child::{Child, resident_mb},
};
use crate::cli::ProductBenchOptions;

pub(super) struct ColdStart {
    pub(super) items: usize,
    pub(super) p50_ms: f64,
    pub(super) p90_ms: f64,
    /// The files of the index.
    pub(super) index_mb: f64,
    /// What the process had in memory after its answer, at most.
    pub(super) resident_mb: f64,
}

const BUCKET: &str = "mostrador-index";
const STARTS: usize = 20;
const ITEMS: usize = 10_000;

/// Starts the function again and again. `None` where it is not built.
pub(super) async fn start(options: &ProductBenchOptions) -> anyhow::Result<Option<ColdStart>> {
    let function = match &options.search_function {
        Some(function) => function.clone(),
        None => std::env::current_exe()?.with_file_name("mostrador-search-function"),
    };
    if !function.exists() {
        return Ok(None);
    }
    let scratch = tempfile::tempdir()?;
    let items = match &options.books {
        Some(file) => read_catalogue(file)?,
        None => volumes(&import::demo()?, ITEMS).collect(),
    };
    let catalogue = write(&items, scratch.path())?;
    let catalogue = catalogue.to_str().context("the temporary folder's name")?;
    let shop = Child::start(&[
        "--ephemeral",
        "--dynamodb-port",
        "0",
        "--catalogue",
        catalogue,
    ])
    .await?;
    let mut times_ms = Vec::new();
    let mut resident_mb = 0.0;
    for _ in 0..STARTS {
        let (time_ms, megabytes) = once(&function, &shop).await?;
        times_ms.push(time_ms);
        resident_mb = f64::max(resident_mb, megabytes);
    }
    times_ms.sort_by(f64::total_cmp);
    Ok(Some(ColdStart {
        items: items.len(),
        p50_ms: times_ms[STARTS / 2],
        p90_ms: times_ms[STARTS * 9 / 10],
        index_mb: index_mb(&shop).await?,
        resident_mb,
    }))
}

/// Lambda's system keeps root certificates in one file; others keep each in one of its own besides, to be read as well.
fn one_bundle() -> Option<(&'static str, &'static str)> {
    const BUNDLE: &str = "/etc/ssl/certs/ca-certificates.crt";
    Path::new(BUNDLE)
        .exists()
        .then_some(("SSL_CERT_FILE", BUNDLE))
}

/// One start: a runtime interface that has one event to give, and takes one answer. Gives the milliseconds to it, and the
/// megabytes in memory then.
async fn once(function: &Path, shop: &Child) -> anyhow::Result<(f64, f64)> {
    let runtime = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = runtime.local_addr()?.to_string();
    let started = Instant::now();
    let mut process = Command::new(function)
        .env_clear()
        .envs([
            ("AWS_LAMBDA_RUNTIME_API", address.as_str()),
            ("AWS_LAMBDA_FUNCTION_NAME", "search"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
            (
                "AWS_ENDPOINT_URL_DYNAMODB",
                shop.dynamodb_endpoint.as_deref().unwrap_or_default(),
            ),
            (
                "AWS_ENDPOINT_URL_S3",
                shop.s3_endpoint.as_deref().unwrap_or_default(),
            ),
            ("INDEX_BUCKET", BUCKET),
            ("JWT_SECRET", "a-secret-for-this-run-only-0123456789abcdef"),
            ("RUST_LOG", "warn"),
            // As the template sets it.
            ("MIMALLOC_ARENA_EAGER_COMMIT", "0"),
        ])
        .envs(one_bundle())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{} cannot be started", function.display()))?;
    loop {
        let (mut socket, _) = runtime.accept().await?;
        // Kept alive: the next event and its answer come over one connection or two.
        while let Some(request) = read(&mut socket).await? {
            if request.starts_with("GET ") {
                give_event(&mut socket).await?;
            } else {
                let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
                anyhow::ensure!(
                    request.contains("\"statusCode\":200"),
                    "not an answer: {request}"
                );
                anyhow::ensure!(
                    request.contains("libro_id"),
                    "no books in the answer: {request}"
                );
                let resident_mb = process.id().map(resident_mb).unwrap_or_default();
                process.start_kill()?;
                process.wait().await?;
                return Ok((elapsed_ms, resident_mb));
            }
        }
    }
}

/// What the published index weighs, without its embedder.
async fn index_mb(shop: &Child) -> anyhow::Result<f64> {
    let endpoint = shop.s3_endpoint.as_deref().unwrap_or_default();
    let store = S3Store::connect(&mostrador_engine::local(endpoint).await, BUCKET);
    let manifest = published(&store).await?.context("no index")?;
    let bytes: u64 = FileName::ALL
        .iter()
        .map(|name| manifest.file(*name).size_bytes)
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    let megabytes = bytes as f64 / 1e6;
    Ok(megabytes)
}

/// A request's head and body; `None` where the connection ended.
async fn read(socket: &mut TcpStream) -> anyhow::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = socket.read(&mut buffer).await?;
        if count == 0 {
            return Ok(None);
        }
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.lines().find_map(|line| {
            line.to_ascii_lowercase()
                .strip_prefix("content-length: ")?
                .parse()
                .ok()
        });
        let chunked = head
            .to_ascii_lowercase()
            .contains("transfer-encoding: chunked");
        if (chunked && body.ends_with("0\r\n\r\n"))
            || (!chunked && body.len() >= length.unwrap_or(0))
        {
            return Ok(Some(text.into_owned()));
        }
    }
}

async fn give_event(socket: &mut TcpStream) -> anyhow::Result<()> {
    let event = json!({
        "version": "2.0", "routeKey": "ANY /api/agent/search", "rawPath": "/api/agent/search",
        "rawQueryString": "q=the+lord+of+the+rings", "headers": {"accept": "application/json"},
        "queryStringParameters": {"q": "the lord of the rings"},
        "requestContext": {
            "accountId": "000000000000", "apiId": "bench", "domainName": "bench.invalid", "domainPrefix": "bench",
            "http": {"method": "GET", "path": "/api/agent/search", "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": "bench"},
            "requestId": "bench", "routeKey": "ANY /api/agent/search", "stage": "$default",
            "time": "21/Nov/2026:00:00:00 +0000", "timeEpoch": 1_795_219_200_000_u64,
        },
        "isBase64Encoded": false,
    })
    .to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         lambda-runtime-aws-request-id: 11111111-2222-3333-4444-555555555555\r\nlambda-runtime-deadline-ms: 4102444800000\r\n\
         lambda-runtime-invoked-function-arn: arn:aws:lambda:us-east-1:000000000000:function:search\r\n\
         lambda-runtime-trace-id: Root=1-00000000-000000000000000000000000\r\n\r\n",
        event.len()
    );
    socket
        .write_all(format!("{head}{event}").as_bytes())
        .await?;
    Ok(())
}

fn write(items: &[(Item, u32)], folder: &Path) -> anyhow::Result<PathBuf> {
    let mut lines = String::new();
    for (item, stock) in items {
        let mut row = serde_json::to_value(item)?;
        row["stock"] = (*stock).into();
        lines.push_str(&row.to_string());
        lines.push('\n');
    }
    let path = folder.join("books.jsonl");
    std::fs::write(&path, lines)?;
    Ok(path)
}
