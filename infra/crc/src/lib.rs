//! The cyclic checksums that S3 knows: what the SDK's client and the S3 server for one machine use of the crate of this name.
//!
//! That crate brings tables for some sixty checksums, which hardly compress: 0.6 MB of each function that reads the index. We
//! verify the index by other means and switch the client's own checksums off, so that these are hardly ever computed and need
//! not be fast.

/// A checksum of S3's, by the name that its parameters are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrcAlgorithm {
    /// S3's `CRC32`.
    Crc32IsoHdlc,
    /// S3's `CRC32C`.
    Crc32Iscsi,
    /// S3's `CRC64NVME`.
    Crc64Nvme,
}

/// A checksum as it comes together.
#[derive(Debug, Clone)]
pub struct Digest {
    table: &'static [u64; 256],
    /// What a checksum starts with, and what is taken off in the end.
    ones: u64,
    state: u64,
}

static CRC32: [u64; 256] = table(0xEDB8_8320);
static CRC32C: [u64; 256] = table(0x82F6_3B78);
static CRC64_NVME: [u64; 256] = table(0x9A6C_9329_AC4B_C9B5);

impl Digest {
    #[must_use]
    pub fn new(algorithm: CrcAlgorithm) -> Self {
        let (table, ones) = match algorithm {
            CrcAlgorithm::Crc32IsoHdlc => (&CRC32, u64::from(u32::MAX)),
            CrcAlgorithm::Crc32Iscsi => (&CRC32C, u64::from(u32::MAX)),
            CrcAlgorithm::Crc64Nvme => (&CRC64_NVME, u64::MAX),
        };
        Self {
            table,
            ones,
            state: ones,
        }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let [low, ..] = self.state.to_le_bytes();
            self.state = self.table[usize::from(low ^ byte)] ^ (self.state >> 8);
        }
    }

    /// The checksum, in the lower half where it is one of 32 bits.
    #[must_use]
    pub fn finalize(self) -> u64 {
        self.state ^ self.ones
    }
}

/// What each byte does to a checksum of this polynomial, which is written with its lowest power first.
const fn table(polynomial: u64) -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut state = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            let carry = if state & 1 == 1 { polynomial } else { 0 };
            state = (state >> 1) ^ carry;
            bit += 1;
        }
        table[byte] = state;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the catalogue of parametrised CRC algorithms has for `123456789`, and RFC 3720 for zeros.
    #[test]
    fn checksums_are_those_of_the_catalogue() {
        for (algorithm, text, expected) in [
            (CrcAlgorithm::Crc32IsoHdlc, &b"123456789"[..], 0xCBF4_3926),
            (CrcAlgorithm::Crc32Iscsi, b"123456789", 0xE306_9283),
            (CrcAlgorithm::Crc64Nvme, b"123456789", 0xAE8B_1486_0A79_9888),
            (CrcAlgorithm::Crc32Iscsi, &[0; 32], 0x8A91_36AA),
            (CrcAlgorithm::Crc32IsoHdlc, b"", 0),
            (CrcAlgorithm::Crc64Nvme, b"", 0),
        ] {
            for cut in 0..=text.len() {
                let (before, after) = text.split_at(cut);
                let mut digest = Digest::new(algorithm);
                digest.update(before);
                digest.update(after);
                assert_eq!(digest.finalize(), expected, "{algorithm:?} at {cut}");
            }
        }
    }
}
