//! Asking one generation of the index.

mod evidence;
mod filter;
mod fused;
mod likeness;
mod named;
mod ordered;
mod rank;
mod title;
pub(crate) mod words;

use std::{
    collections::HashMap,
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use bytes::Bytes;
use mostrador_core::{
    index::{Facets, Filters, Found, Hit, Index, IndexInfo, IndexQuery, Source},
    text,
};

use self::{
    evidence::Evidence,
    filter::Admission,
    fused::ranks,
    likeness::ItemWords,
    named::Naming,
    rank::{Candidate, best},
    words::Question,
};
use crate::{
    artifact::{
        InvalidFile, Manifest,
        items::Items,
        keywords::Keywords,
        vectors::{QueryVector, Scores, Vectors},
    },
    embedder::{Embedder, Purpose},
    store::{Buffer, copied},
    tuning::{
        FieldWeights, MIN_NEIGHBOUR_COSINE, NAMED, NEAREST, SAME_AUTHOR, SAME_CATEGORY,
        SUFFICIENT_SCORE,
    },
};

/// One build of the index, opened in memory together with the embedder that made its vectors.
pub struct Generation {
    info: IndexInfo,
    embedder: Arc<dyn Embedder>,
    vectors: Vectors,
    items: Items,
    keywords: Keywords,
    /// Tables of evidence that no question is using.
    evidence: Mutex<Vec<Evidence>>,
    /// What items' words are for likeness, of those that have been looked at.
    item_words: Mutex<ItemWords>,
}

/// Why files do not make a generation.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    File(#[from] InvalidFile),
    #[error("the files are of different builds: they differ in the number of books or dimensions")]
    Mismatch,
    #[error("the index was built with the embedder {built_with}, not with {given}")]
    OtherEmbedder { built_with: String, given: String },
}

/// The three files of a build, verified.
#[derive(Debug)]
pub struct Files {
    pub vectors: Buffer,
    pub items: Buffer,
    pub keywords: Buffer,
}

impl Files {
    /// Copies of the vectors, the items and the keywords.
    ///
    /// # Errors
    /// Where there is not so much memory.
    pub fn copied([vectors, items, keywords]: [&[u8]; 3]) -> io::Result<Self> {
        Ok(Self {
            vectors: copied(vectors)?,
            items: copied(items)?,
            keywords: copied(keywords)?,
        })
    }
}

impl Generation {
    /// Opens files without copying or parsing items. Checking them against the manifest's hashes comes before.
    ///
    /// # Errors
    /// [`OpenError`] where a file is not of this format, they do not belong together, or `embedder` is another than the
    /// one that made the vectors.
    pub fn open(
        manifest: &Manifest,
        files: Files,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self, OpenError> {
        if *embedder.identity() != manifest.embedder {
            let name = |identity: &crate::embedder::EmbedderIdentity| {
                format!("{} {:.8}", identity.name, identity.sha256)
            };
            return Err(OpenError::OtherEmbedder {
                built_with: name(&manifest.embedder),
                given: name(embedder.identity()),
            });
        }
        let keywords = Keywords::open(files.keywords)?;
        let vectors = Vectors::open(Bytes::from_owner(files.vectors))?;
        let items = Items::open(Bytes::from_owner(files.items))?;
        let count = manifest.items;
        if [items.len(), vectors.len(), keywords.len()] != [count; 3]
            || vectors.dimensions() != manifest.embedder.dimensions
        {
            return Err(OpenError::Mismatch);
        }
        Ok(Self {
            info: IndexInfo {
                build_id: manifest.build_id.clone(),
                items: count,
                embedder: manifest.embedder.name.clone(),
                built_at: manifest.built_at.clone(),
            },
            embedder,
            vectors,
            items,
            keywords,
            evidence: Mutex::default(),
            item_words: Mutex::default(),
        })
    }

    pub(crate) fn embedder(&self) -> &Arc<dyn Embedder> {
        &self.embedder
    }

    /// The items nearest to a text in meaning, whatever words they share with it: what fusion is measured against.
    pub async fn nearest(&self, text: &str, top_k: usize) -> Vec<Hit> {
        let Some(vector) = self.embed(text).await else {
            return Vec::new();
        };
        let near = self.vectors.nearest(&vector, None, top_k, None);
        let candidates = near.into_iter().map(Candidate::from).collect();
        let found = best(candidates, &Admission::default(), &self.items, top_k);
        self.found(&found, Source::Vector, None).hits
    }

    /// The numbers of the items nearest to a vector, best first: what a vector index is measured by.
    #[must_use]
    pub fn nearest_numbers(&self, vector: &[f32], count: usize) -> Vec<u64> {
        let Some(vector) = self.vectors.query(vector) else {
            return Vec::new();
        };
        let near = self.vectors.nearest(&vector, None, count, None);
        let near = near.into_iter().map(Candidate::from).collect();
        let near = best(near, &Admission::default(), &self.items, count);
        near.iter()
            .map(|candidate| self.items.libro_id(candidate.row))
            .collect()
    }

    /// Meaning and keywords fused, where the question has a meaning; else keywords.
    async fn search_text(&self, question: &Question, query: &IndexQuery) -> Found {
        let admission = Admission::new(&query.filters, &self.items, &self.keywords);
        if question.content.is_empty() {
            let named = self.titles_with(question);
            let found = self.answer(named, &admission, query);
            // "Libros" with conditions asks for whatever meets them, and so does "el más barato".
            return if !found.hits.is_empty() && query.sort.is_relevance() {
                found
            } else if !query.filters.is_empty() {
                self.all_admitted(&admission, query)
            } else if let Some(categoria) = question.category {
                // "Una novela", and nothing else: any of them.
                let filters = Filters {
                    categoria: Some(categoria.to_owned()),
                    ..Filters::default()
                };
                let admission = Admission::new(&filters, &self.items, &self.keywords);
                self.all_admitted(&admission, query)
            } else if !query.sort.is_relevance() {
                self.all_admitted(&admission, query)
            } else {
                found
            };
        }
        let by_meaning = query.prefer_vector && !query.prefix;
        let vector = if by_meaning && self.understands(question) {
            self.embed(&query.text).await
        } else {
            None
        };
        let weights = match vector {
            Some(_) => FieldWeights::FUSED,
            None => FieldWeights::KEYWORDS_ALONE,
        };
        if !query.sort.is_relevance() {
            return self
                .search_in_order(question, &weights, &admission, query)
                .await;
        }
        let mut evidence = self.take_evidence();
        let whole = self.embedder.words();
        let knows =
            |word: &str| vector.is_some() && whole.is_some_and(|words| words.whole(word).is_some());
        evidence.gather(&self.keywords, question, &weights, knows);
        let words = evidence.scores();
        let with_words = || evidence.touched().iter().copied();
        let (candidates, source): (Vec<Candidate>, _) = match vector {
            None => {
                let named = with_words().map(|row| Candidate::from((row, words[row])));
                (named.collect(), Source::Keyword)
            }
            Some(vector) => {
                let near = self.near(&vector, &evidence, query, &admission);
                (near, Source::Vector)
            }
        };
        let naming = Naming::of(&self.items, &self.keywords, question, &query.text);
        let named = |row: usize| {
            // Who shares no word with the question is not named by it.
            match words[row] {
                0.0 => 0.0,
                words => naming.weight(row, words >= NAMED),
            }
        };
        // Those that have all of its words may be it, however many have each of them.
        let with_all = candidates.iter().map(|candidate| candidate.row);
        let with_all = with_all.filter(|&row| words[row] >= NAMED);
        let mut rows = naming.rows();
        rows.extend(with_all);
        let are_named = rows.into_iter().map(|row| (row, named(row)));
        let are_named: HashMap<usize, f32> = are_named.filter(|(_, named)| *named > 0.0).collect();
        let mut facets = query.facets.then(|| {
            let near = candidates.iter().map(|candidate| candidate.row);
            let without_words = near.filter(|&row| words[row] == 0.0);
            self.facets(with_words().chain(without_words), &admission)
        });
        let looked_at = query.explain.then(|| candidates.clone());
        let candidates = if source == Source::Vector {
            self.rescore(candidates, question, &evidence, &admission, query.top_k)
        } else {
            candidates
        };
        let mut found = self.best_named(candidates, are_named, words, &admission, query.top_k);
        let is_near = found.iter().any(|best| best.score >= SUFFICIENT_SCORE);
        if source == Source::Vector && query.filters.is_empty() && !is_near {
            found.clear();
            facets = facets.map(|_| self.facets(std::iter::empty(), &admission));
        }
        let mut answer = self.found(&found, source, facets);
        for (hit, candidate) in answer.hits.iter_mut().zip(&found) {
            hit.ranks = looked_at
                .as_ref()
                .map(|looked_at| ranks(candidate.row, looked_at, source, &evidence, &admission));
        }
        self.return_evidence(evidence);
        answer
    }

    fn take_evidence(&self) -> Evidence {
        let kept = self.lock_evidence().pop();
        kept.unwrap_or_else(|| Evidence::of_rows(self.items.len()))
    }

    fn return_evidence(&self, evidence: Evidence) {
        self.lock_evidence().push(evidence);
    }

    fn lock_evidence(&self) -> std::sync::MutexGuard<'_, Vec<Evidence>> {
        self.evidence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best, once those that are named are lifted.
    fn best_named(
        &self,
        mut candidates: Vec<Candidate>,
        mut named: HashMap<usize, f32>,
        words: &[f32],
        admission: &Admission,
        top_k: usize,
    ) -> Vec<Candidate> {
        for candidate in &mut candidates {
            candidate.score += named.remove(&candidate.row).unwrap_or_default();
        }
        let others = named
            .into_iter()
            .map(|(row, lift)| (row, words[row] + lift));
        candidates.extend(others.map(Candidate::from));
        best(candidates, admission, &self.items, top_k)
    }

    /// Items whose title has every word of a question that is nothing but small words ("It", "El libro").
    fn titles_with(&self, question: &Question) -> Vec<Candidate> {
        let all = evidence::titles_with_all(&self.keywords, &question.light);
        all.into_iter()
            .map(|row| Candidate::from((row, 1.0)))
            .collect()
    }

    fn all_admitted(&self, admission: &Admission, query: &IndexQuery) -> Found {
        let all = (0..self.items.len()).map(|row| Candidate { row, score: 0.0 });
        if query.sort.is_relevance() {
            return self.answer(all.collect(), admission, query);
        }
        let admitted = all.filter(|candidate| admission.admits(candidate.row));
        self.in_order(admitted.collect(), query)
    }

    /// Neighbours of an item, other editions of it left out.
    fn search_neighbours(&self, libro_id: u64, query: &IndexQuery) -> Found {
        let nothing = || self.found(&[], Source::Vector, None);
        let Some(row) = self.items.row(libro_id) else {
            return nothing();
        };
        let Some(vector) = self.vectors.query_of(row) else {
            return nothing();
        };
        let admission = Admission::new(&query.filters, &self.items, &self.keywords);
        let work = self.work(row);
        // Kinship can only lift what is near already, so no more than the nearest are looked at.
        let nearest = query.top_k.saturating_mul(4).max(NEAREST);
        let near = self.nearest_admitted(&vector, None, nearest, &admission);
        let candidates = near
            .into_iter()
            .filter(|(_, cosine)| *cosine >= MIN_NEIGHBOUR_COSINE)
            .map(Candidate::from)
            .collect();
        let mut near = best(candidates, &admission, &self.items, nearest);
        near.retain(|other| self.work(other.row) != work);
        let facets = query
            .facets
            .then(|| self.facets(near.iter().map(|other| other.row), &admission));
        for other in &mut near {
            if self.work(other.row).1 == work.1 {
                other.score += SAME_AUTHOR;
            }
            if self.items.category_number(other.row) == self.items.category_number(row) {
                other.score += SAME_CATEGORY;
            }
        }
        let found = best(near, &admission, &self.items, query.top_k);
        self.found(&found, Source::Vector, facets)
    }

    /// What makes two items editions of one work: the folded title, and the author's folded words in any order.
    fn work(&self, row: usize) -> (Vec<String>, Vec<String>) {
        let mut author = text::words(&self.items.author(row));
        author.sort_unstable();
        (text::words(&self.items.title(row)), author)
    }

    fn nearest_admitted(
        &self,
        vector: &QueryVector,
        scores: Option<Scores<'_>>,
        count: usize,
        admission: &Admission,
    ) -> Vec<(usize, f32)> {
        let admits = |row| admission.admits(row);
        let admits: Option<&dyn Fn(usize) -> bool> = if admission.is_open() {
            None
        } else {
            Some(&admits)
        };
        self.vectors.nearest(vector, scores, count, admits)
    }

    /// Whether any word of the question means something: keys struck at random fall to letters, whose vectors are near
    /// anything short.
    fn understands(&self, question: &Question) -> bool {
        question
            .content
            .iter()
            .any(|word| self.embedder.knows(word))
    }

    async fn embed(&self, text: &str) -> Option<QueryVector> {
        match self.embedder.embed(&[text], Purpose::Query).await {
            Ok(vectors) => vectors
                .first()
                .and_then(|vector| self.vectors.query(vector)),
            Err(error) => {
                tracing::warn!(
                    error = %mostrador_core::chain::Chain(&error),
                    "searching by keywords alone"
                );
                None
            }
        }
    }

    /// What keywords or conditions alone have found.
    fn answer(
        &self,
        candidates: Vec<Candidate>,
        admission: &Admission,
        query: &IndexQuery,
    ) -> Found {
        let rows = || candidates.iter().map(|candidate| candidate.row);
        let facets = query.facets.then(|| self.facets(rows(), admission));
        let found = best(candidates, admission, &self.items, query.top_k);
        self.found(&found, Source::Keyword, facets)
    }

    fn facets(&self, rows: impl Iterator<Item = usize>, admission: &Admission) -> Facets {
        let admitted: Vec<usize> = rows.filter(|&row| admission.admits(row)).collect();
        let rows = || admitted.iter().copied();
        Facets::of(rows().map(|row| (self.items.category(row), self.items.author(row))))
            .with_attributes(rows().map(|row| self.items.attributes(row)))
    }

    fn found(&self, candidates: &[Candidate], source: Source, facets: Option<Facets>) -> Found {
        let hits = candidates.iter().map(|candidate| Hit {
            score: candidate.score,
            ..self.hit(candidate.row)
        });
        Found {
            hits: hits.collect(),
            source,
            facets,
        }
    }

    fn hit(&self, row: usize) -> Hit {
        Hit {
            item: self.items.item(row),
            stock: self.items.stock(row),
            score: 0.0,
            ranks: None,
        }
    }
}

#[async_trait]
impl Index for Generation {
    fn info(&self) -> &IndexInfo {
        &self.info
    }

    async fn search(&self, query: &IndexQuery) -> Found {
        if let Some(libro_id) = query.similar_to {
            return self.search_neighbours(libro_id, query);
        }
        let question = if query.prefix {
            Question::being_typed(&query.text)
        } else {
            Question::new(&query.text)
        };
        if !question.is_empty() {
            return self.search_text(&question, query).await;
        }
        if query.filters.is_empty() && query.sort.is_relevance() {
            return self.found(&[], Source::Keyword, query.facets.then(Facets::default));
        }
        let admission = Admission::new(&query.filters, &self.items, &self.keywords);
        self.all_admitted(&admission, query)
    }

    async fn likeness(&self, question: &str, texts: &[&str]) -> Vec<f32> {
        self.likeness_of(question, texts).await
    }

    fn item(&self, libro_id: u64) -> Option<Hit> {
        self.items.row(libro_id).map(|row| self.hit(row))
    }

    fn find_isbn(&self, isbn: &str) -> Option<u64> {
        let row = self.items.row_of_isbn(isbn);
        row.map(|row| self.items.libro_id(row))
    }

    fn find_title(&self, text: &str) -> Option<(u64, f32)> {
        title::find(&self.items, &self.keywords, text)
    }

    fn is_title(&self, text: &str) -> bool {
        title::is_whole(&self.items, &self.keywords, text)
    }

    fn titles_in(&self, text: &str) -> Vec<(Range<usize>, u64)> {
        title::all_in(&self.items, &self.keywords, text)
    }
}
