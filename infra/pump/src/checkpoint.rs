//! How far each shard is done, over restarts.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// How far one shard is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    /// Up to and with this sequence number.
    Through(String),
    /// All of it, and nothing more comes.
    Closed,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Places {
    /// The ARN of the stream that the shards are of.
    stream: String,
    shards: BTreeMap<String, Place>,
}

/// The places of a mapping, in a file if there is one.
pub(crate) struct Checkpoint {
    file: Option<PathBuf>,
    places: Mutex<State>,
}

struct State {
    places: Places,
    /// Whether it was logged that the file cannot be written.
    reported: bool,
}

impl Checkpoint {
    /// What was kept under the name before. A file that cannot be read counts as none: everything comes again.
    pub(crate) fn open(folder: Option<&Path>, name: &str) -> Self {
        let file = folder.map(|folder| folder.join(format!("stream-{name}.json")));
        let places = file.as_deref().and_then(|file| {
            read(file)
                .inspect_err(|error| {
                    tracing::warn!(
                        consumer = name,
                        %error,
                        "the checkpoint cannot be read; the stream is read from its beginning"
                    );
                })
                .ok()
        });
        Self {
            file,
            places: Mutex::new(State {
                places: places.unwrap_or_default(),
                reported: false,
            }),
        }
    }

    /// Forgets the places of other streams, and those of shards that are gone.
    pub(crate) async fn keep_only(&self, stream: &str, shards: &BTreeSet<&str>) {
        let places = &mut self.places.lock().await.places;
        if places.stream != stream {
            *places = Places {
                stream: stream.to_owned(),
                shards: BTreeMap::new(),
            };
        }
        places
            .shards
            .retain(|shard, _| shards.contains(shard.as_str()));
    }

    pub(crate) async fn of(&self, shard: &str) -> Option<Place> {
        self.places.lock().await.places.shards.get(shard).cloned()
    }

    /// Notes how far a shard is done. Where the file cannot be written, a restart begins further back.
    pub(crate) async fn advance(&self, shard: &str, place: Place) {
        let mut state = self.places.lock().await;
        state.places.shards.insert(shard.to_owned(), place);
        let Some(file) = self.file.clone() else {
            return;
        };
        let written = match serde_json::to_vec_pretty(&state.places) {
            Ok(json) => tokio::task::spawn_blocking(move || replace(&file, &json))
                .await
                .unwrap_or_else(|error| Err(io::Error::other(error))),
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(()) => state.reported = false,
            Err(error) if !state.reported => {
                state.reported = true;
                tracing::warn!(%error, "the checkpoint cannot be written; a restart will deliver again what is done");
            }
            Err(_) => {}
        }
    }
}

fn read(file: &Path) -> Result<Places, String> {
    let json = match std::fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Places::default()),
        read => read.map_err(|error| error.to_string())?,
    };
    serde_json::from_slice(&json).map_err(|error| error.to_string())
}

/// Whoever reads the file finds the old content or the new.
fn replace(file: &Path, json: &[u8]) -> io::Result<()> {
    let beside = file.with_extension("json.new");
    std::fs::write(&beside, json)?;
    std::fs::rename(&beside, file)
}
