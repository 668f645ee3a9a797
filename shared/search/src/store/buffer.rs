//! Memory for an object's bytes.

use std::io;

/// Straight from the system, not from the allocator.
pub type Buffer = memmap2::MmapMut;

/// Zeros, in huge pages where they are many: of a cold start with a hundred thousand items a third goes by with handing out small ones.
pub(crate) fn buffer(bytes: usize) -> io::Result<Buffer> {
    let buffer = Buffer::map_anon(bytes)?;
    // Where there are no huge pages, small ones do.
    #[cfg(target_os = "linux")]
    let _ = buffer.advise(memmap2::Advice::HugePage);
    Ok(buffer)
}

pub(crate) fn copied(bytes: &[u8]) -> io::Result<Buffer> {
    let mut copy = buffer(bytes.len())?;
    copy.copy_from_slice(bytes);
    Ok(copy)
}
