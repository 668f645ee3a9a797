//! S3 on a folder of this machine.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use async_trait::async_trait;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{
    HeaderValue, Method, Request, Response,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ORIGIN,
    },
};
use hyper::body::Incoming;
use s3s::{
    Body, S3, S3ErrorCode, S3Request, S3Response, S3Result,
    dto::{
        CreateBucketInput, CreateBucketOutput, DeleteObjectInput, DeleteObjectOutput,
        GetObjectInput, GetObjectOutput, ListObjectsV2Input, ListObjectsV2Output, PutObjectInput,
        PutObjectOutput,
    },
    s3_error,
    service::S3Service,
};
use tokio::{
    io::{AsyncReadExt, AsyncSeekExt},
    net::TcpListener,
    sync::{RwLock, watch},
};

use crate::sockets::{self, Bounds, is_origin_of_loopback};

/// Whoever uploads nothing for so long, or asks for nothing on a connection that is kept open, is gone.
const SENT_WITHIN: Duration = Duration::from_secs(30);
/// As `ForgetUploads` has it in `template.yaml`.
const UPLOADS_STAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Serves a folder on a free port, for as long as the process lives.
pub(super) async fn serve(folder: &Path) -> anyhow::Result<String> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    let files = s3s_fs::FileSystem::new(folder).map_err(|error| {
        anyhow::anyhow!("{} cannot be served as S3: {error:?}", folder.display())
    })?;
    let mut builder = s3s::service::S3ServiceBuilder::new(Objects {
        files,
        folder: folder.to_owned(),
        one_writer: RwLock::default(),
    });
    // It takes signed requests only; the key is no secret, since the port is open to this machine alone.
    builder.set_auth(s3s::auth::SimpleAuth::from_single("local", "local"));
    let service = builder.build();
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .context("no port for the embedded S3")?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    // Held as long as it serves: it is not stopped.
    let (never, stopped) = watch::channel(());
    let bounds = Bounds {
        sent_within: Some(SENT_WITHIN),
    };
    let answer = move |request, _| {
        let service = service.clone();
        async move { answer(&service, request).await }
    };
    tokio::spawn(async move {
        sockets::serve(listener, stopped, bounds, answer).await;
        drop(never);
    });
    Ok(endpoint)
}

/// What S3 answers, and what lets the page upload to it from another origin, as the bucket's rules do in the cloud.
async fn answer(
    service: &S3Service,
    request: Request<Incoming>,
) -> Result<Response<Body>, s3s::HttpError> {
    let origin = request.headers().get(ORIGIN).cloned();
    let is_ours = |origin: &HeaderValue| origin.to_str().is_ok_and(is_origin_of_loopback);
    let uploads = matches!(*request.method(), Method::OPTIONS | Method::PUT);
    let origin = origin.filter(|origin| uploads && is_ours(origin));
    let mut response = if request.method() == Method::OPTIONS {
        let mut allowed = Response::new(Body::empty());
        let headers = allowed.headers_mut();
        headers.insert(
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("PUT"),
        );
        headers.insert(
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("content-type, if-none-match"),
        );
        allowed
    } else {
        service.call(request.map(Body::from)).await?
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    Ok(response)
}

/// The operations that the index and customers' documents need.
struct Objects {
    files: s3s_fs::FileSystem,
    folder: PathBuf,
    /// `s3s-fs` looks at a condition first and writes afterwards; S3 does both at once.
    one_writer: RwLock<()>,
}

#[async_trait]
impl S3 for Objects {
    async fn create_bucket(
        &self,
        request: S3Request<CreateBucketInput>,
    ) -> S3Result<S3Response<CreateBucketOutput>> {
        self.files.create_bucket(request).await
    }

    async fn put_object(
        &self,
        request: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        let input = &request.input;
        let _alone = match (&input.if_match, &input.if_none_match) {
            (None, None) => None,
            _ => Some(self.one_writer.write().await),
        };
        self.files.put_object(request).await
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        let _alone = self.one_writer.write().await;
        let (bucket, key) = (request.input.bucket.clone(), request.input.key.clone());
        let answer = match self.files.delete_object(request).await {
            // As S3 does: what is not there is deleted.
            Err(error) if *error.code() == S3ErrorCode::NoSuchKey => {
                Ok(S3Response::new(DeleteObjectOutput::default()))
            }
            answer => answer,
        };
        forget(&self.folder, &bucket, &key);
        answer
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        self.files.list_objects_v2(request).await
    }

    /// Reads what is asked for at once: `s3s-fs` takes 4 KiB at a time, each by way of another thread, which makes an
    /// index of 20 MB wait several times as long.
    async fn get_object(
        &self,
        request: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        let _unchanged = self.one_writer.read().await;
        let path = self
            .folder
            .join(&request.input.bucket)
            .join(&request.input.key);
        let mut answer = self.files.get_object(request).await?;
        let start = answer
            .output
            .content_range
            .as_deref()
            .and_then(first_byte)
            .unwrap_or(0);
        let len = answer.output.content_length.unwrap_or_default();
        let bytes = read(&path, start, len)
            .await
            .map_err(|error| s3_error!(error, InternalError))?;
        answer.output.body = Some(Body::from(bytes).into());
        Ok(answer)
    }
}

/// Takes away what `s3s-fs` leaves of an object that is gone, whose key would still be listed: two files beside the buckets, and empty
/// folders.
fn forget(folder: &Path, bucket: &str, key: &str) {
    let [of_bucket, of_key] = [bucket, key].map(|name| BASE64_URL_SAFE_NO_PAD.encode(name));
    for kind in ["internal", "metadata"] {
        let about = format!(".bucket-{of_bucket}.object-{of_key}.{kind}.json");
        let _ = std::fs::remove_file(folder.join(about));
    }
    let bucket = folder.join(bucket);
    let object = bucket.join(key);
    let parents = object.ancestors().skip(1);
    // Up to the first that is not empty.
    for parent in parents.take_while(|parent| *parent != bucket) {
        if std::fs::remove_dir(parent).is_err() {
            break;
        }
    }
}

/// Takes away what was uploaded a day ago, as a rule of the bucket's does in the cloud.
pub(crate) fn expire_uploads(folder: &Path, bucket: &str) -> std::io::Result<usize> {
    let uploads = folder.join(bucket).join("uploads");
    let entries = match std::fs::read_dir(&uploads) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut expired = 0;
    for entry in entries {
        let entry = entry?;
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > UPLOADS_STAY {
            std::fs::remove_file(entry.path())?;
            let name = entry.file_name();
            forget(
                folder,
                bucket,
                &format!("uploads/{}", name.to_string_lossy()),
            );
            expired += 1;
        }
    }
    Ok(expired)
}

/// 8 of `bytes 8-15/100`.
fn first_byte(content_range: &str) -> Option<u64> {
    let (first, _) = content_range.strip_prefix("bytes ")?.split_once('-')?;
    first.parse().ok()
}

async fn read(path: &Path, start: u64, len: i64) -> std::io::Result<Bytes> {
    // Nothing can be read at once of an empty object.
    if len == 0 {
        return Ok(Bytes::new());
    }
    let mut file = tokio::fs::File::open(path).await?;
    let mut bytes = vec![0; usize::try_from(len).unwrap_or_default()];
    file.set_max_buf_size(bytes.len());
    file.seek(std::io::SeekFrom::Start(start)).await?;
    file.read_exact(&mut bytes).await?;
    Ok(bytes.into())
}
