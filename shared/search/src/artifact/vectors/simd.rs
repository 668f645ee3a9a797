//! The two inner loops of a scan, for the processor at hand. The only unsafe code of the project: loads of 16 and 32 bytes
//! from arrays of that size, prefetches, and calls of what was compiled for AVX2 once the processor is known to have it.

/// Rows of a block.
pub(super) const LANES: usize = 32;

/// What a query is to codes.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    /// For each column 16 sums by the low bits of a byte, and 16 by the high ones.
    pub(super) sums: &'a [u8],
    /// What is too much in the sum of a row.
    pub(super) offset: i32,
    /// What the rest is multiplied by.
    pub(super) scale: f32,
}

/// Adds the estimates of the 32 rows of a block to `estimates`, and gives as bits those that are then above `threshold`.
///
/// `codes` holds a byte a row for each column, `factors` an f32 a row.
pub(super) fn estimate(
    codes: &[u8],
    tables: &Tables<'_>,
    factors: &[u8],
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[expect(unsafe_code, reason = "see the module")]
        return unsafe { avx2::estimate(codes, tables, factors, threshold, estimates) };
    }
    portable::estimate(codes, tables, factors, threshold, estimates)
}

/// The sum of products of an int8 row and a query, which together must not exceed 32 bits.
#[inline]
pub(super) fn dot(row: &[u8], query: &[i16]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[expect(unsafe_code, reason = "see the module")]
        return unsafe { avx2::dot(row, query) };
    }
    portable::dot(row, query)
}

/// Asks for bytes that are needed soon.
pub(super) fn expect(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

mod portable {
    use super::{LANES, Tables};

    pub(super) fn estimate(
        codes: &[u8],
        tables: &Tables<'_>,
        factors: &[u8],
        threshold: f32,
        estimates: &mut [f32; LANES],
    ) -> u32 {
        let mut sums = [0i32; LANES];
        for (column, table) in codes.chunks_exact(LANES).zip(tables.sums.chunks_exact(32)) {
            let (low, high) = table.split_at(16);
            for (sum, byte) in sums.iter_mut().zip(column) {
                let nibbles = (usize::from(byte & 15), usize::from(byte >> 4));
                *sum += i32::from(low[nibbles.0]) + i32::from(high[nibbles.1]);
            }
        }
        let factors = factors
            .as_chunks::<4>()
            .0
            .iter()
            .copied()
            .map(f32::from_le_bytes);
        let mut above = 0;
        for (lane, (sum, factor)) in sums.into_iter().zip(factors).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "17 bits")]
            let sum = (sum - tables.offset) as f32;
            estimates[lane] += sum * (factor * tables.scale);
            above |= u32::from(estimates[lane] > threshold) << lane;
        }
        above
    }

    /// Plain loops over blocks of 32 are what the compiler makes vector instructions of without knowing the processor.
    pub(super) fn dot(row: &[u8], query: &[i16]) -> i32 {
        const BLOCK: usize = 32;
        let product =
            |value: u8, query: i16| i32::from(value.cast_signed()).wrapping_mul(i32::from(query));
        let (rows, row_rest) = row.as_chunks::<BLOCK>();
        let (queries, query_rest) = query.as_chunks::<BLOCK>();
        let mut total = 0i32;
        for (row, query) in rows.iter().zip(queries) {
            let mut sum = 0i32;
            for i in 0..BLOCK {
                sum = sum.wrapping_add(product(row[i], query[i]));
            }
            total = total.wrapping_add(sum);
        }
        for (&value, &query) in row_rest.iter().zip(query_rest) {
            total = total.wrapping_add(product(value, query));
        }
        total
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{LANES, Tables};

    #[target_feature(enable = "avx2")]
    pub(super) fn estimate(
        codes: &[u8],
        tables: &Tables<'_>,
        factors: &[u8],
        threshold: f32,
        estimates: &mut [f32; LANES],
    ) -> u32 {
        let low_bits = _mm256_set1_epi8(15);
        // Sums of two rows a 16-bit lane: the even row's in the low byte. `both` adds them up as they are, `odd` the high
        // byte's alone, and what the low byte's sum carried over is told apart at the end.
        let mut both = _mm256_setzero_si256();
        let mut odd = _mm256_setzero_si256();
        let (pairs, last) = codes.as_chunks::<64>();
        let (pair_sums, last_sums) = tables.sums.as_chunks::<64>();
        let mut add = |column: &[u8; 32], table: &[u8; 32]| {
            let column = load_32(column);
            let (halves, _) = table.as_chunks::<16>();
            let (low, high) = (load_16_twice(&halves[0]), load_16_twice(&halves[1]));
            let low = _mm256_shuffle_epi8(low, _mm256_and_si256(column, low_bits));
            let high_bits = _mm256_and_si256(_mm256_srli_epi16::<4>(column), low_bits);
            let high = _mm256_shuffle_epi8(high, high_bits);
            let sums = _mm256_add_epi8(low, high);
            both = _mm256_add_epi16(both, sums);
            odd = _mm256_add_epi16(odd, _mm256_srli_epi16::<8>(sums));
        };
        for (columns, tables) in pairs.iter().zip(pair_sums) {
            prefetch(columns);
            let (columns, _) = columns.as_chunks::<32>();
            let (tables, _) = tables.as_chunks::<32>();
            add(&columns[0], &tables[0]);
            add(&columns[1], &tables[1]);
        }
        if let (Some(column), Some(table)) = (last.first_chunk(), last_sums.first_chunk()) {
            add(column, table);
        }
        let even = _mm256_sub_epi16(both, _mm256_slli_epi16::<8>(odd));
        // Rows 0 to 7 and 16 to 23, then 8 to 15 and 24 to 31.
        let first = _mm256_unpacklo_epi16(even, odd);
        let second = _mm256_unpackhi_epi16(even, odd);
        let eights = [
            _mm256_castsi256_si128(first),
            _mm256_castsi256_si128(second),
            _mm256_extracti128_si256::<1>(first),
            _mm256_extracti128_si256::<1>(second),
        ];
        let offset = _mm256_set1_epi32(tables.offset);
        let scale = _mm256_set1_ps(tables.scale);
        let threshold = _mm256_set1_ps(threshold);
        let (factors, _) = factors.as_chunks::<32>();
        let (places, _) = estimates.as_chunks_mut::<8>();
        let mut above = 0;
        for (number, ((sums, factors), place)) in
            (0u32..).zip(eights.into_iter().zip(factors).zip(places))
        {
            let sums = _mm256_sub_epi32(_mm256_cvtepu16_epi32(sums), offset);
            let factors = _mm256_mul_ps(_mm256_castsi256_ps(load_32(factors)), scale);
            let product = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), factors);
            let estimate = _mm256_add_ps(load_8(place), product);
            store_8(estimate, place);
            let mask = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(estimate, threshold));
            above |= mask.cast_unsigned() << (8 * number);
        }
        above
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn dot(row: &[u8], query: &[i16]) -> i32 {
        let (rows, row_rest) = row.as_chunks::<16>();
        let (queries, query_rest) = query.as_chunks::<16>();
        let mut sums = _mm256_setzero_si256();
        for (row, query) in rows.iter().zip(queries) {
            let row = _mm256_cvtepi8_epi16(load_16(row));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(row, load_16_wide(query)));
        }
        let mut lanes = [0.0; 8];
        store_8(_mm256_castsi256_ps(sums), &mut lanes);
        let total = lanes.iter().fold(0i32, |sum, lane| {
            sum.wrapping_add(lane.to_bits().cast_signed())
        });
        if row_rest.is_empty() {
            return total;
        }
        total.wrapping_add(super::portable::dot(row_rest, query_rest))
    }

    /// Asks for what comes some blocks later: the processor's own foresight ends with a page of 4 KiB.
    #[target_feature(enable = "avx2")]
    fn prefetch(line: &[u8; 64]) {
        const AHEAD: usize = 4_608;
        let later = line.as_ptr().wrapping_add(AHEAD);
        _mm_prefetch::<_MM_HINT_T0>(later.cast());
    }

    #[target_feature(enable = "avx2")]
    fn load_32(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: 32 bytes are there, and the load asks for no alignment.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm256_loadu_si256(bytes.as_ptr().cast())
        }
    }

    #[target_feature(enable = "avx2")]
    fn load_16(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes are there, and the load asks for no alignment.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm_loadu_si128(bytes.as_ptr().cast())
        }
    }

    #[target_feature(enable = "avx2")]
    fn load_16_wide(values: &[i16; 16]) -> __m256i {
        // SAFETY: 32 bytes are there, and the load asks for no alignment.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm256_loadu_si256(values.as_ptr().cast())
        }
    }

    #[target_feature(enable = "avx2")]
    fn load_16_twice(bytes: &[u8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(load_16(bytes))
    }

    #[target_feature(enable = "avx2")]
    fn load_8(values: &[f32; 8]) -> __m256 {
        // SAFETY: 32 bytes are there, and the load asks for no alignment.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm256_loadu_ps(values.as_ptr())
        }
    }

    #[target_feature(enable = "avx2")]
    fn store_8(values: __m256, place: &mut [f32; 8]) {
        // SAFETY: 32 bytes are there, and the store asks for no alignment.
        #[expect(unsafe_code, reason = "see the module")]
        unsafe {
            _mm256_storeu_ps(place.as_mut_ptr(), values);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the processor, the same estimates to the bit, and the same sums.
        #[test]
        fn all_processors_agree(
            columns in 1usize..=64,
            seed in any::<u64>(),
            threshold in -2.0f32..2.0,
        ) {
            let mut state = seed;
            let mut byte = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_le_bytes()[7]
            };
            let codes: Vec<u8> = (0..columns * LANES).map(|_| byte()).collect();
            let tables: Vec<u8> = (0..columns * 32).map(|_| byte() % 121).collect();
            let factors: Vec<u8> = (0..LANES)
                .flat_map(|_| (f32::from(byte()) / 65_536.0).to_le_bytes())
                .collect();
            let query = Tables {
                sums: &tables,
                offset: 120 * i32::try_from(columns).unwrap(),
                scale: 0.37,
            };
            let (mut here, mut anywhere) = ([0.25; LANES], [0.25; LANES]);
            let above = estimate(&codes, &query, &factors, threshold, &mut here);
            let expected = portable::estimate(&codes, &query, &factors, threshold, &mut anywhere);
            prop_assert_eq!((above, here), (expected, anywhere));

            let query: Vec<i16> = codes.iter().map(|&code| i16::from(code) - 128).collect();
            prop_assert_eq!(dot(&tables, &query), portable::dot(&tables, &query));
        }
    }
}
