//! The vocabulary as an open-addressing hash table that is read in place, and the greedy split of words into its pieces.

use crate::layout::{slice, u16_at, u32_at};

/// Marks a piece that continues a word.
pub(super) const CONTINUATION: &[u8] = b"##";
/// Offset of the piece's bytes in the heap, its number, its length, and 16 bits of its hash.
pub(super) const SLOT_BYTES: usize = 12;
/// The longest piece there may be.
pub(super) const MAX_PIECE_BYTES: usize = 128;
/// The offset that marks a free slot.
pub(super) const FREE: u32 = u32::MAX;

/// FNV-1a: it grows byte by byte, so one pass over a word gives the hash of each of its prefixes.
#[derive(Clone, Copy)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub(super) fn with(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// Where the search for a piece begins in a table of `slots` (a power of two) slots.
    pub(super) fn slot(self, slots: usize) -> usize {
        let mixed = self.0 ^ (self.0 >> 32);
        usize::try_from(mixed & 0xffff_ffff).unwrap_or_default() & (slots - 1)
    }

    pub(super) fn tag(self) -> u16 {
        u16::try_from(self.0 >> 48).unwrap_or_default()
    }
}

/// The pieces a model knows, borrowed from a prepared file.
pub(super) struct Vocabulary<'a> {
    /// A power of two of slots, at least one of them free.
    pub(super) slots: &'a [u8],
    pub(super) heap: &'a [u8],
    /// The longest piece's length without its continuation mark.
    pub(super) longest: usize,
    /// Longer words are unknown as a whole.
    pub(super) max_word_chars: usize,
}

impl Vocabulary<'_> {
    /// Appends the pieces of `word`, or one `None` where it cannot be put together from them.
    pub(super) fn split(&self, word: &str, pieces: &mut Vec<Option<u32>>) {
        if word.len() > self.max_word_chars && word.chars().count() > self.max_word_chars {
            pieces.push(None);
            return;
        }
        let mark = pieces.len();
        let whole = self.for_each_piece(word, |piece, _| pieces.push(Some(piece)));
        if !whole {
            pieces.truncate(mark);
            pieces.push(None);
        }
    }

    /// The length in bytes of the longest piece of `word`; 0 where it cannot be put together from pieces.
    pub(super) fn longest_of(&self, word: &str) -> usize {
        let mut longest = 0;
        let whole = self.for_each_piece(word, |_, len| longest = longest.max(len));
        if whole { longest } else { 0 }
    }

    /// Calls `take` with the number and length of each piece; false where the word ends in something that is none.
    fn for_each_piece(&self, word: &str, mut take: impl FnMut(u32, usize)) -> bool {
        let mut rest = word.as_bytes();
        let mut prefix: &[u8] = b"";
        while !rest.is_empty() {
            let Some((piece, len)) = self.longest_prefix(prefix, rest) else {
                return false;
            };
            take(piece, len);
            rest = &rest[len..];
            prefix = CONTINUATION;
        }
        true
    }

    /// The longest piece `word` starts with, and how many bytes of it that takes.
    fn longest_prefix(&self, prefix: &[u8], word: &[u8]) -> Option<(u32, usize)> {
        let longest = word.len().min(self.longest);
        let mut hash = Hash::EMPTY.with(prefix);
        let mut hashes = [Hash::EMPTY; MAX_PIECE_BYTES];
        let reach = longest.min(hashes.len());
        for (slot, byte) in hashes.iter_mut().zip(&word[..reach]) {
            hash = hash.with(std::slice::from_ref(byte));
            *slot = hash;
        }
        (1..=reach).rev().find_map(|len| {
            let piece = self.find(hashes[len - 1], prefix, &word[..len])?;
            Some((piece, len))
        })
    }

    fn find(&self, hash: Hash, prefix: &[u8], piece: &[u8]) -> Option<u32> {
        let slots = self.slots.len() / SLOT_BYTES;
        let first = hash.slot(slots);
        for step in 0..slots {
            let at = ((first + step) & (slots - 1)) * SLOT_BYTES;
            let offset = u32_at(self.slots, at)?;
            if offset == FREE {
                return None;
            }
            if u16_at(self.slots, at + 10)? != hash.tag() {
                continue;
            }
            let len = usize::from(u16_at(self.slots, at + 8)?);
            let stored = slice(self.heap, usize::try_from(offset).ok()?, len)?;
            if stored.strip_prefix(prefix) == Some(piece) {
                return u32_at(self.slots, at + 4);
            }
        }
        None
    }
}
