//! From the catalogue's items to an artifact, in memory that hardly grows with them: items and vectors wait in files of a
//! temporary folder until all are there and their order is known.

mod cache;
mod partition;
mod recall;
mod spool;

use std::{collections::BTreeSet, io, path::Path};

use mostrador_core::catalogue::Item;

pub use self::{cache::CacheError, recall::recall};
use self::{
    cache::{Cache, Key},
    partition::{Partition, partition},
    spool::{ItemSpool, Records},
};
use crate::{
    artifact::{
        Artifact, FileName,
        items::{ItemsWriter, TextCompressor},
        keywords::KeywordsWriter,
        vectors::{self, TurnedRow, quantise, rotate},
    },
    embedder::{EmbedError, Embedder, Purpose, normalise},
    tuning::TITLE_WEIGHT,
};

/// Items whose texts go to the embedder together.
const BATCH: usize = 32;
/// Items whose texts the symbols are made from.
const SAMPLE: usize = 4_096;

/// Why an index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("two books have the number {libro_id}")]
    Duplicate { libro_id: u64 },
    #[error("the texts cannot be embedded")]
    Embed(#[from] EmbedError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("the keywords cannot be written")]
    Keywords(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the files of the build cannot be written")]
    Files(#[from] io::Error),
}

impl From<tantivy::TantivyError> for BuildError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Keywords(Box::new(error))
    }
}

/// What a build is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Making rows of vectors.
    Turning,
    /// Putting rows into groups, and
    Grouping,
    /// those of a group next to what they are near to.
    Arranging,
    /// Writing the files.
    Writing,
}

/// Takes items as they come.
pub struct Builder<'a> {
    embedder: &'a dyn Embedder,
    cache: Option<Cache>,
    folder: tempfile::TempDir,
    items: ItemSpool,
    vectors: Records,
    /// Of all vectors, in units of 2⁻³², so that their order makes no difference.
    sums: Vec<i64>,
    categories: BTreeSet<String>,
    /// The items' numbers, each with the place where the item came.
    numbers: Vec<(u64, u32)>,
}

impl<'a> Builder<'a> {
    /// # Errors
    /// Where no temporary folder can be made.
    pub fn new(embedder: &'a dyn Embedder) -> Result<Self, BuildError> {
        let folder = tempfile::Builder::new().prefix("mostrador-").tempdir()?;
        let dimensions = embedder.identity().dimensions;
        Ok(Self {
            embedder,
            cache: None,
            items: ItemSpool::new(folder.path())?,
            vectors: Records::new(folder.path(), 4 + 2 * dimensions)?,
            folder,
            sums: vec![0; dimensions],
            categories: BTreeSet::new(),
            numbers: Vec::new(),
        })
    }

    /// Keeps vectors in a file, and takes from there those of texts that have not changed since: a build that was broken off
    /// goes on where it was, and the next one embeds only what is new.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn with_cache(mut self, file: &Path) -> Result<Self, BuildError> {
        self.cache = Some(Cache::open(file, self.embedder.identity())?);
        Ok(self)
    }

    /// Takes more items, each with the copies on hand.
    ///
    /// # Errors
    /// [`BuildError`] where the embedder or a file fails; the builder is then of no more use.
    pub async fn add(&mut self, items: &[(Item, u32)]) -> Result<(), BuildError> {
        for batch in items.chunks(BATCH) {
            let rows = self.item_rows(batch).await?;
            for ((item, stock), row) in batch.iter().zip(rows) {
                let place = u32::try_from(self.numbers.len()).map_err(|_| too_many())?;
                self.numbers.push((item.libro_id, place));
                if !self.categories.contains(&item.categoria) {
                    self.categories.insert(item.categoria.clone());
                }
                self.items.push(item, *stock)?;
                for (sum, value) in self.sums.iter_mut().zip(from_fixed(&row)) {
                    *sum += in_units(value);
                }
                self.vectors.push(&row)?;
            }
        }
        Ok(())
    }

    /// The number of items taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The vectors of items in fixed point, out of the cache where they are there.
    async fn item_rows(&mut self, items: &[(Item, u32)]) -> Result<Vec<Vec<u8>>, BuildError> {
        let dimensions = self.embedder.identity().dimensions;
        let Some(cache) = &mut self.cache else {
            let items: Vec<&(Item, u32)> = items.iter().collect();
            let vectors = item_vectors(&items, self.embedder, dimensions).await?;
            return Ok(vectors.iter().map(|vector| to_fixed(vector)).collect());
        };
        let mut rows = Vec::with_capacity(items.len());
        for (item, _) in items {
            rows.push(cache.get(&Key::of(&item.titulo, synopsis(item)))?);
        }
        let missing: Vec<&(Item, u32)> = items
            .iter()
            .zip(&rows)
            .filter_map(|(item, row)| row.is_none().then_some(item))
            .collect();
        let vectors = item_vectors(&missing, self.embedder, dimensions).await?;
        let mut new = missing.iter().zip(vectors);
        for row in rows.iter_mut().filter(|row| row.is_none()) {
            if let Some(((item, _), vector)) = new.next() {
                let fixed = to_fixed(&vector);
                cache.put(Key::of(&item.titulo, synopsis(item)), &fixed)?;
                *row = Some(fixed);
            }
        }
        Ok(rows.into_iter().flatten().collect())
    }

    /// Makes the artifact of the items taken. The same items and embedder give the same bytes and the same build id, in
    /// whatever order the items came.
    ///
    /// `progress` gets how much of how much of a stage is done.
    ///
    /// # Errors
    /// [`BuildError`] for items that do not fit together, and where a file fails.
    pub async fn finish(
        mut self,
        built_at: &str,
        progress: &mut (dyn FnMut(Stage, usize, usize) + Send),
    ) -> Result<Artifact, BuildError> {
        self.numbers.sort_unstable();
        for pair in self.numbers.windows(2) {
            if pair[0].0 == pair[1].0 {
                let libro_id = pair[0].0;
                return Err(BuildError::Duplicate { libro_id });
            }
        }
        if let Some(cache) = self.cache.take() {
            cache.finish()?;
        }
        let count = self.numbers.len();
        let dimensions = self.sums.len();
        let mean = rotate(&self.mean());
        let mut turned = Records::new(self.folder.path(), 4 + mean.len())?;
        for place in 0..count {
            turned.push(&self.turned(place, &mean)?)?;
            step(progress, Stage::Turning, place + 1, count).await;
        }
        let places: Vec<u32> = self.numbers.iter().map(|(_, place)| *place).collect();
        let Partition { places, clusters } = partition(places, &mut turned, progress).await?;

        let folder = tempfile::Builder::new().prefix("mostrador-").tempdir()?;
        let path = |name: FileName| folder.path().join(name.as_str());
        let row = |row: usize| turned_row(&mut turned, places[row]);
        let file = path(FileName::Vectors);
        let vectors = vectors::write(&file, dimensions, &mean, &clusters, count, row)?;
        drop(turned);

        let mut sample = Vec::new();
        for &place in places.iter().step_by(count.div_ceil(SAMPLE).max(1)) {
            sample.push(self.items.read(place)?.0);
        }
        let compressor = TextCompressor::of(&sample);
        let mut items = ItemsWriter::new(self.folder.path(), compressor, self.categories)?;
        let mut keywords = KeywordsWriter::new()?;
        for (row, &place) in places.iter().enumerate() {
            let (item, stock) = self.items.read(place)?;
            items.add(&item, stock)?;
            keywords.add(&item)?;
            step(progress, Stage::Writing, row + 1, count).await;
        }
        let sections = [
            (FileName::Vectors, vectors),
            (FileName::Items, items.finish(&path(FileName::Items))?),
            (
                FileName::Keywords,
                keywords.finish(&path(FileName::Keywords))?,
            ),
        ];
        let embedder = self.embedder.identity().clone();
        Ok(Artifact::new(folder, &sections, count, embedder, built_at)?)
    }

    fn mean(&self) -> Vec<f32> {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "a mean of numbers from -1 to 1"
        )]
        let mean = |sum: &i64| (*sum as f64 / UNIT / self.numbers.len().max(1) as f64) as f32;
        self.sums.iter().map(mean).collect()
    }

    /// The row of the item that came in at `place`, as the vectors file has it.
    fn turned(&mut self, place: usize, mean: &[f32]) -> io::Result<Vec<u8>> {
        let place = u32::try_from(place).map_err(|_| too_many())?;
        let vector: Vec<f32> = from_fixed(&self.vectors.read(place)?).collect();
        let less_mean: Vec<f32> = rotate(&vector)
            .iter()
            .zip(mean)
            .map(|(x, m)| x - m)
            .collect();
        let (values, scale) = quantise(&less_mean);
        Ok([scale.to_le_bytes().as_slice(), &values].concat())
    }
}

/// Tells how far a stage is, and lets others have the thread now and then: whoever waits for the build may break it off.
async fn step(
    progress: &mut (dyn FnMut(Stage, usize, usize) + Send),
    stage: Stage,
    done: usize,
    of: usize,
) {
    const STEPS: usize = 512;
    if done.is_multiple_of(STEPS) || done == of {
        progress(stage, done, of);
        tokio::task::yield_now().await;
    }
}

/// Builds the index of `items`, each with the copies on hand: [`Builder`] for those who have them in memory.
///
/// # Errors
/// [`BuildError`].
pub async fn build(
    items: &[(Item, u32)],
    embedder: &dyn Embedder,
    built_at: &str,
) -> Result<Artifact, BuildError> {
    let mut builder = Builder::new(embedder)?;
    builder.add(items).await?;
    builder.finish(built_at, &mut |_, _, _| {}).await
}

/// `normalise(v(synopsis) + 0.2 v(title))` for each item, or the title's vector where there is no synopsis.
///
/// # Errors
/// [`EmbedError`], [`EmbedError::Malformed`] where a vector has not `dimensions` numbers.
pub async fn item_vectors(
    items: &[&(Item, u32)],
    embedder: &dyn Embedder,
    dimensions: usize,
) -> Result<Vec<Vec<f32>>, EmbedError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = items
        .iter()
        .flat_map(|(item, _)| [item.titulo.as_str(), synopsis(item)])
        .collect();
    let embedded = embedder.embed(&texts, Purpose::Document).await?;
    if embedded.len() != texts.len() || embedded.iter().any(|row| row.len() != dimensions) {
        return Err(EmbedError::Malformed);
    }
    let vectors = embedded.chunks_exact(2).map(|pair| {
        let mut sum: Vec<f32> = pair[0]
            .iter()
            .zip(&pair[1])
            .map(|(title, synopsis)| title * TITLE_WEIGHT + synopsis)
            .collect();
        normalise(&mut sum);
        sum
    });
    Ok(vectors.collect())
}

/// An item without a synopsis is embedded by its title.
fn synopsis(item: &Item) -> &str {
    if item.descripcion.trim().is_empty() {
        &item.titulo
    } else {
        &item.descripcion
    }
}

/// A row of the file of turned ones.
fn turned_row(turned: &mut Records, place: u32) -> io::Result<TurnedRow> {
    let record = turned.read(place)?;
    let (scale, values) = record
        .split_first_chunk()
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(TurnedRow {
        values: values.to_vec(),
        scale: f32::from_le_bytes(*scale),
    })
}

/// A unit vector as it waits: an f32 scale, and 16 bits a dimension.
fn to_fixed(vector: &[f32]) -> Vec<u8> {
    let largest = vector.iter().fold(0.0f32, |max, x| max.max(x.abs()));
    let step = largest.max(f32::MIN_POSITIVE) / f32::from(i16::MAX);
    let mut row = step.to_le_bytes().to_vec();
    for x in vector {
        #[expect(clippy::cast_possible_truncation, reason = "scaled into the range")]
        let value = (x / step).round() as i16;
        row.extend_from_slice(&value.to_le_bytes());
    }
    row
}

fn from_fixed(row: &[u8]) -> impl Iterator<Item = f32> {
    let (step, values) = row.split_first_chunk().unwrap_or((&[0; 4], &[]));
    let step = f32::from_le_bytes(*step);
    let (values, _) = values.as_chunks();
    values
        .iter()
        .map(move |value| f32::from(i16::from_le_bytes(*value)) * step)
}

const UNIT: f64 = 4_294_967_296.0;

#[expect(
    clippy::cast_possible_truncation,
    reason = "a number from -1 to 1 in units of 2⁻³²"
)]
fn in_units(value: f32) -> i64 {
    (f64::from(value) * UNIT).round() as i64
}

fn too_many() -> io::Error {
    io::Error::from(io::ErrorKind::FileTooLarge)
}
