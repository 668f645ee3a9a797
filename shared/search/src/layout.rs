//! Little-endian numbers, written, and read in place; `None` where the bytes end too early.

use std::{io, ops::Range};

/// `len` bytes from `at` on.
#[inline]
pub(crate) fn slice(bytes: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    bytes.get(at..at.checked_add(len)?)
}

#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(slice(bytes, at, 2)?.try_into().ok()?))
}

#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(slice(bytes, at, 4)?.try_into().ok()?))
}

#[inline]
pub(crate) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    u32_at(bytes, at).map(u32::cast_signed)
}

#[inline]
pub(crate) fn f32_at(bytes: &[u8], at: usize) -> Option<f32> {
    u32_at(bytes, at).map(f32::from_bits)
}

#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(slice(bytes, at, 8)?.try_into().ok()?))
}

#[inline]
pub(crate) fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    u64_at(bytes, at).map(u64::cast_signed)
}

/// A 32-bit count or offset as an index.
#[inline]
pub(crate) fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// `count` records of `size` bytes following each other from `start` on, if that many bytes there are.
pub(crate) fn section(
    start: usize,
    count: usize,
    size: usize,
    total: usize,
) -> Option<Range<usize>> {
    let end = start.checked_add(count.checked_mul(size)?)?;
    (end <= total).then_some(start..end)
}

/// A count or offset as 32 bits.
///
/// # Errors
/// Where it needs more.
pub(crate) fn number(value: usize) -> io::Result<[u8; 4]> {
    let value = u32::try_from(value).map_err(|_| io::ErrorKind::FileTooLarge)?;
    Ok(value.to_le_bytes())
}
