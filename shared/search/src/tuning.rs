//! The numbers that decide what is found, and in which order; each with where it comes from.
//!
//! *Judged questions* are those of `prove quality`, over the demo catalogue; *titles* those of the embedder's card. `prove bench
//! index` measures recall and time at any size. What says *by hand* was set once and is held by these measurements as a whole, not
//! by one of its own. Numbers of the file format, and limits of time and memory, stand where they are used.

use std::ops::RangeInclusive;

// Words of a question and of an item.

/// Most different words of a question that are looked up. By cost: what follows adds time and hardly evidence.
pub(crate) const QUESTION_WORDS: usize = 32;
/// From so many letters on, an unfinished word stands for those that begin with it. By cost: fewer begin too many words.
pub(crate) const BEGUN_LETTERS: usize = 2;
/// From so many letters on, a word may have a slip. By hand: shorter ones are one edit from too many others.
pub(crate) const TYPO_LETTERS: usize = 4;
/// From so many letters on, a word that is nowhere may be two edits away. By hand, likewise.
pub(crate) const TWO_TYPO_LETTERS: usize = 8;
/// A word that more items than this have as it stands is no typo. By hand.
pub(crate) const TYPO_ITEMS: usize = 3;
/// What a word counts at one edit, and at two. Titles with typos: MRR@10 .93 instead of .68 without.
pub(crate) const ONE_EDIT: f32 = 0.85;
pub(crate) const TWO_EDITS: f32 = 0.65;
/// What a word with a slip counts towards naming an item. By hand.
pub(crate) const NAMED_TYPO: f32 = 0.95;
/// What a word counts that begins with the letters typed so far. By hand.
pub(crate) const BEGUN: f32 = 0.9;
/// What a word counts that only shares a stem. By hand.
pub(crate) const STEM: f32 = 0.8;
/// What the words of grammar and of asking count in titles, beside those that say what is sought. By hand.
pub(crate) const LIGHT: f32 = 0.1;

/// What a word counts by the field it is found in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldWeights {
    pub(crate) title: f32,
    pub(crate) author: f32,
    pub(crate) category: f32,
    pub(crate) publisher: f32,
    pub(crate) synopsis: f32,
    pub(crate) stem: f32,
}

impl FieldWeights {
    /// Beside a cosine, which already knows what the item is about, a word found is a word found.
    pub(crate) const FUSED: Self = Self {
        title: 1.0,
        author: 1.0,
        category: 1.0,
        publisher: 1.0,
        synopsis: 1.0,
        stem: STEM,
    };

    /// Keywords alone: who asks for a title or an author gets it before items that mention it. By hand.
    pub(crate) const KEYWORDS_ALONE: Self = Self {
        title: 1.0,
        author: 1.0,
        category: 0.8,
        publisher: 0.7,
        synopsis: 0.6,
        stem: 0.6 * STEM,
    };
}

// What words add to a cosine.

/// What full coverage adds. MRR@10 over titles, authors and questions, in the embedder's card.
pub(crate) const COVERAGE_WEIGHT: f32 = 0.5;
/// What a question that is nothing but an item's title and author adds for that item: enough to lift it above any cosine
/// between texts that have little to do with each other. Half a name adds a sixteenth of it. By hand.
pub(crate) const NAMED_WEIGHT: f32 = 0.5;
/// What words add at least to an item whose title and author have all of them, to within rounding.
pub(crate) const NAMED: f32 = 0.999 * NAMED_WEIGHT;
/// What the whole title, and nothing else, adds on top: *Catedral* is not *La catedral del mar*. By hand.
pub(crate) const WHOLE_TITLE: f32 = 0.2;
/// A title of one word that says something ("Niebla") is named where that stands in a longer question and no more items have the word than
/// these, or one in so many: often it is just a word. One of several words ("quiero dos de *El nombre de la rosa*") always is. By hand.
pub(crate) const RARE_FEWEST: usize = 3;
pub(crate) const RARE_SHARE: usize = 1_000;
/// A word that more titles or makers have names none of them by itself. By cost: each is looked at.
pub(crate) const NAMES: usize = 256;

/// Of items in order of price or year, those are looked at whose words add so much of what the best one's add. By hand: a word in a
/// title or as a category, and not in passing in a text.
pub(crate) const SUCH: f32 = 0.6;
/// What words add at least to an item that has nearly all of them: seven tenths by what they weigh. By hand.
pub(crate) const NEARLY_ALL: f32 = COVERAGE_WEIGHT * 0.49;
/// Where no item has, so many of the nearest are put in order. By hand: more are less and less what was asked for.
pub(crate) const ORDERED: usize = 12;

// Questions about meaning.

/// From this cosine on an item answers a question that it shares no word with. By hand.
pub(crate) const SUFFICIENT_COSINE: f32 = 0.10;
/// That is so if the nearest item of all is as near as this. Of the judged questions 0.22 lets 99 of 100 through; what has nothing
/// to do with books gets past it about every other time, to be answered with the nearest there is.
pub(crate) const NEAR_COSINE: f32 = 0.22;
/// So many of the best are looked at again, word by word, where none of them is named. Judged questions about meaning: recall@5
/// .62 with 20, .63 with 40, .645 with 64.
pub(crate) const SECOND_LOOK: usize = 32;
/// Where the best then has less than this, and nothing was filtered, nothing answers the question. No judged question loses an item by it;
/// of 17 judged searches (`infra/prove/utterances`) that nothing else answered, all were for what the shop does not have.
pub(crate) const SUFFICIENT_SCORE: f32 = 0.2;
/// How much of what an item has in common with all items is taken from its cosine then. The same questions: recall@5 .63 instead of
/// .61 without.
pub(crate) const COMMON: f32 = 0.75;
/// Below this cosine two words have nothing to do with each other. By hand.
pub(crate) const ALIKE: f32 = 0.2;

// Neighbours of an item, and titles that a text names.

/// Below this cosine an item is no neighbour of another. By hand.
pub(crate) const MIN_NEIGHBOUR_COSINE: f32 = 0.15;
/// How many of the nearest items are looked at for kinship. By hand.
pub(crate) const NEAREST: usize = 64;
/// What a shared author or category adds to a neighbour's cosine: a bookseller asked for something like *Rayuela* thinks of
/// Cortázar and of novels. About the spread of the cosines among the twenty nearest books of the demo catalogue.
pub(crate) const SAME_AUTHOR: f32 = 0.10;
pub(crate) const SAME_CATEGORY: f32 = 0.06;
/// Titles that share words with a text, looked at closely. By hand.
pub(crate) const TITLE_CANDIDATES: usize = 64;
/// Below this share a text names no title. By hand.
pub(crate) const TITLE_SHARE_MIN: f32 = 0.5;

// Customers' documents; coverage counts as for items.

/// About so long a passage is, in characters. By hand: what a reader takes in at a glance.
pub(crate) const PASSAGE_CHARS: usize = 700;
/// Below this a passage of a document that nobody attached is not near: three quarters of the words by what they weigh, or about the
/// cosine of texts on one subject. By hand.
pub(crate) const NEAR_PASSAGE: f32 = 0.3;
/// Most passages that are cited. By hand.
pub(crate) const PASSAGES_CITED: usize = 4;

// A first look at vectors.

/// From so many rows on there are codes for a first look. By time: fewer are scanned exactly in less than it saves.
pub(crate) const CODED_ROWS: usize = 2_048;
/// From so many rows on they lie in clusters, of which the nearest part is looked at. By time, likewise.
pub(crate) const CLUSTERED_ROWS: usize = 65_536;
/// Of *k* clusters the nearest 5.4 k^0.62 are looked at: 30 % of 2,046 and 20 % of 6,000. `prove bench index` with the default
/// embedder: recall@10 is then 0.990 over 117,659 rows as over a million; a look at all of them finds 0.994.
pub(crate) const PROBED_FACTOR: f32 = 5.4;
pub(crate) const PROBED_EXPONENT: f32 = 0.62;
/// Of so many rows one is looked at exactly after the first look; within these bounds, and never fewer than are wanted. By hand.
pub(crate) const ROWS_PER_RESCORED: usize = 64;
pub(crate) const RESCORED: RangeInclusive<usize> = 256..=400;

// Building.

/// What a title adds to its synopsis in an item's vector. Titles: MRR@10 .607 instead of .594 without.
pub(crate) const TITLE_WEIGHT: f32 = 0.2;
/// Times the square root of the rows are the clusters: as many as cost a tenth of a look, at 117,659 rows.
pub(crate) const CLUSTERS: f32 = 6.0;
/// Rows a cluster of the first level is learnt from, and how often. By hand.
pub(crate) const LEARNT_FROM: usize = 256;
pub(crate) const LEARNING_ROUNDS: usize = 12;
/// What a cluster may have that is nearer to a query than its centre, in standard deviations of its rows along one dimension. Of 5
/// to 9, this finds most.
pub(crate) const REACH: f32 = 7.0;
