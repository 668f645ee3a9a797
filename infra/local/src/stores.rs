//! The stores: embedded in this process, at an endpoint, or in an account.

pub(crate) mod folder;
mod s3;

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use aws_config::{BehaviorVersion, SdkConfig};
use mostrador_dynamodb::{Client, DynamoCatalogue, Tables, are_outdated, connect, create_tables};
use mostrador_engine::{Engine, local};
use mostrador_search::store::S3Store;
use mostrador_wiring::{Read, Wiring};
use tempfile::TempDir;

use crate::cli::StoreOptions;

/// Where the data lies by default.
pub(crate) const DEFAULT_DATA_DIR: &str = ".mostrador";
/// The buckets of the local product.
const BUCKET: &str = "mostrador-index";
const FILES_BUCKET: &str = "mostrador-files";
/// Where they lie in the data folder.
const S3_FOLDER: &str = "s3";

/// Open stores. What is embedded ends with them.
pub struct Stores {
    pub dynamodb: Client,
    pub tables: Tables,
    pub index: Arc<S3Store>,
    /// How the buckets are reached.
    s3: SdkConfig,
    /// Where customers' documents are, if that is known.
    files_bucket: Option<String>,
    /// The embedded engine, where it is the one in use.
    pub(crate) engine: Option<Engine>,
    /// The endpoint that other processes reach the bucket by.
    pub(crate) s3_endpoint: Option<String>,
    pub(crate) bucket: String,
    /// Where the tables' streams are read, unless Lambda reads them.
    pub streams: Option<mostrador_pump::Client>,
    /// Where this product's own files lie; none where nothing is to stay.
    pub(crate) data_dir: Option<PathBuf>,
    /// The same, or a folder that ends with the stores.
    pub(crate) folder: PathBuf,
    _scratch: Option<TempDir>,
}

/// A setting of the process's environment.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Stores {
    /// Opens what the options name, making tables and bucket where they are ours to make.
    pub async fn open(options: &StoreOptions) -> anyhow::Result<Self> {
        let tables = Tables::from_variables(|name| {
            std::env::var(name).ok().filter(|value| !value.is_empty())
        })?;
        if options.aws {
            let bucket = std::env::var("INDEX_BUCKET")
                .context("INDEX_BUCKET is not set: the stack's output names it")?;
            let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
            return Ok(Self {
                dynamodb: connect(&aws),
                tables,
                index: Arc::new(S3Store::connect(&aws, &bucket)),
                s3: aws,
                files_bucket: std::env::var("FILES_BUCKET").ok(),
                engine: None,
                s3_endpoint: None,
                bucket,
                streams: None,
                data_dir: None,
                folder: PathBuf::new(),
                _scratch: None,
            });
        }
        let folder = DataFolder::of(options)?;
        let (shared, engine) = match &options.dynamodb_endpoint {
            Some(url) => (local(url).await, None),
            None => {
                let engine = if options.ephemeral {
                    Engine::in_memory()?
                } else {
                    Engine::in_file(&folder::database(&folder.path))?
                };
                (engine.configuration().await, Some(engine))
            }
        };
        let no_tables = || match &options.dynamodb_endpoint {
            Some(url) => format!("no DynamoDB answers at {url}"),
            None => "the embedded DynamoDB engine does not answer".to_owned(),
        };
        let dynamodb = connect(&shared);
        create_tables(&dynamodb, &tables)
            .await
            .with_context(no_tables)?;
        anyhow::ensure!(
            !are_outdated(&dynamodb, &tables).await?,
            "the tables in {} were made by an earlier version: choose another folder with --data-dir, or delete this one",
            folder.path.display()
        );
        let s3_endpoint = options.s3_endpoint.clone();
        Self::beside_tables(&shared, dynamodb, tables, engine, s3_endpoint, folder).await
    }

    /// Stores whose tables are made, in a data folder; their buckets are made here.
    async fn beside_tables(
        shared: &SdkConfig,
        dynamodb: Client,
        tables: Tables,
        engine: Option<Engine>,
        s3_endpoint: Option<String>,
        DataFolder { path, scratch }: DataFolder,
    ) -> anyhow::Result<Self> {
        let s3_endpoint = match s3_endpoint {
            Some(url) => url,
            None => s3::serve(&path.join(S3_FOLDER)).await?,
        };
        let s3 = local(&s3_endpoint).await;
        let index = buckets(&s3)
            .await
            .with_context(|| format!("the buckets cannot be made at {s3_endpoint}"))?;
        Ok(Self {
            dynamodb,
            tables,
            index: Arc::new(index),
            s3,
            files_bucket: Some(FILES_BUCKET.to_owned()),
            engine,
            s3_endpoint: Some(s3_endpoint),
            bucket: BUCKET.to_owned(),
            streams: Some(mostrador_pump::connect(shared)),
            data_dir: scratch.is_none().then(|| path.clone()),
            folder: path,
            _scratch: scratch,
        })
    }

    /// Stores on an engine of the caller's, with a bucket that ends with them.
    pub async fn on_engine(engine: Engine) -> anyhow::Result<Self> {
        let folder = DataFolder::scratch()?;
        let tables = Tables::default();
        let shared = engine.configuration().await;
        let dynamodb = connect(&shared);
        create_tables(&dynamodb, &tables).await?;
        Self::beside_tables(&shared, dynamodb, tables, Some(engine), None, folder).await
    }

    /// The same stores, their tables behind another face of the same engine.
    pub async fn with_engine(self, engine: Engine) -> Self {
        let dynamodb = connect(&engine.configuration().await);
        Self {
            dynamodb,
            engine: Some(engine),
            ..self
        }
    }

    /// What works with these stores, by settings that `read` gives.
    pub fn wiring(&self, read: Box<Read>) -> Wiring {
        let (index, files) = (self.bucket.clone(), self.files_bucket.clone());
        let read = move |name: &str| match name {
            "INDEX_BUCKET" => Some(index.clone()),
            "FILES_BUCKET" => files.clone(),
            other => read(other),
        };
        let (dynamodb, tables) = (self.dynamodb.clone(), self.tables.clone());
        Wiring::new(Box::new(read), dynamodb, tables, self.s3.clone())
    }

    /// Removes what has lapsed in the stores of this process.
    pub(crate) fn sweep(&self) -> anyhow::Result<()> {
        if let Some(engine) = &self.engine {
            engine.sweep()?;
        }
        s3::expire_uploads(&self.folder.join(S3_FOLDER), FILES_BUCKET)?;
        Ok(())
    }

    pub fn catalogue(&self) -> DynamoCatalogue {
        DynamoCatalogue::new(self.dynamodb.clone(), &self.tables.catalogue)
    }
}

/// The buckets at an endpoint of this machine, made where they are not there. Gives the index's.
async fn buckets(s3: &SdkConfig) -> anyhow::Result<S3Store> {
    let [index, files] = [BUCKET, FILES_BUCKET].map(|bucket| S3Store::connect(s3, bucket));
    index.create_bucket().await?;
    files.create_bucket().await?;
    Ok(index)
}

/// Where the data lies.
struct DataFolder {
    path: PathBuf,
    /// Removed with it, where nothing is to stay.
    scratch: Option<TempDir>,
}

impl DataFolder {
    fn of(options: &StoreOptions) -> anyhow::Result<Self> {
        if options.ephemeral {
            return Self::scratch();
        }
        let path = options
            .data_dir
            .clone()
            .unwrap_or_else(|| DEFAULT_DATA_DIR.into());
        folder::make_private(&path)?;
        Ok(Self {
            path,
            scratch: None,
        })
    }

    fn scratch() -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir().context("no temporary folder can be made")?;
        Ok(Self {
            path: scratch.path().to_owned(),
            scratch: Some(scratch),
        })
    }
}
