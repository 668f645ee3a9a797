//! Texts in symbols of up to eight bytes (FSST): a byte of text in about half of one, and any text readable by itself.

use crate::layout::slice;

const SYMBOLS: usize = 255;
/// The code that says the next byte stands for itself.
const ESCAPE: u8 = 255;
const SYMBOL_BYTES: usize = 8;
/// 255 symbols of eight bytes, filled with zeros, and a byte for the length of each.
pub(super) const SYMBOLS_BYTES: usize = SYMBOLS * (SYMBOL_BYTES + 1);

/// What the codes stand for.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    bytes: Vec<[u8; SYMBOL_BYTES]>,
    lens: Vec<u8>,
}

impl Symbols {
    /// `None` where a symbol is longer than one can be.
    pub(super) fn read(section: &[u8]) -> Option<Self> {
        let (bytes, lens) = section.split_at_checked(SYMBOLS * SYMBOL_BYTES)?;
        let (bytes, _) = bytes.as_chunks();
        let sound = |len: &u8| usize::from(*len) <= SYMBOL_BYTES;
        (lens.len() == SYMBOLS && lens.iter().all(sound)).then(|| Self {
            bytes: bytes.to_vec(),
            lens: lens.to_vec(),
        })
    }

    /// The text that codes stand for; empty where they stand for none.
    pub(super) fn text(&self, codes: &[u8]) -> String {
        let mut text = Vec::with_capacity(codes.len() * 3);
        let mut codes = codes.iter();
        while let Some(&code) = codes.next() {
            if code == ESCAPE {
                text.extend(codes.next());
            } else {
                let symbol = usize::from(code);
                let len = usize::from(self.lens[symbol]);
                text.extend_from_slice(slice(&self.bytes[symbol], 0, len).unwrap_or_default());
            }
        }
        String::from_utf8(text).unwrap_or_default()
    }
}
