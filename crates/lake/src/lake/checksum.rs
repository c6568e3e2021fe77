//! Checksums of data files: CRC-32 of a whole file; of a shared file, of each slice and of all bytes that are in no slice.

use std::ops::Range;

use bytes::Bytes;

use super::DataFile;
use crate::error::{Error, ErrorKind, Result};

/// No bytes.
const NONE: Range<u64> = 0..0;
const ALL: Range<u64> = 0..u64::MAX;

/// Returns the CRC-32 of a range of a file, which is in these blocks, without a range within it.
fn checksum(blocks: &[Bytes], range: Range<u64>, without: Range<u64>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for range in [range.start..without.start, without.end.max(range.start)..range.end] {
        let mut start = 0;
        for block in blocks {
            let offset = |byte: u64| usize::try_from(byte.saturating_sub(start)).unwrap_or(usize::MAX).min(block.len());
            hasher.update(&block[offset(range.start)..offset(range.end).max(offset(range.start))]);
            start += block.len() as u64;
        }
    }
    hasher.finalize()
}

/// Sets the checksum of a data file with these bytes.
pub(super) fn set_checksum(file: &mut DataFile, blocks: &[Bytes]) {
    file.crc32 = Some(checksum(blocks, ALL, NONE));
}

/// Sets the checksums of the slices of a shared file, in the order of the file.
pub(super) fn set_slice_checksums(slices: &mut [&mut DataFile], blocks: &[Bytes]) {
    let starts = slices.iter().filter_map(|part| part.slice).map(|slice| slice.start);
    let ends = slices.iter().filter_map(|part| part.slice).map(|slice| slice.end);
    let (Some(first), Some(end)) = (starts.min(), ends.max()) else { return };
    let frame = checksum(blocks, ALL, first..end);
    for part in slices {
        let Some(slice) = &mut part.slice else { continue };
        (slice.slices, slice.frame_crc32) = (Some((first, end)), Some(frame));
        part.crc32 = Some(checksum(blocks, slice.start..slice.end, NONE));
    }
}

/// Returns the message of a part with other bytes than were written, from the bytes of its file. None if they are the same,
/// or if an older version wrote the file.
pub(super) fn find_changed_bytes(part: &DataFile, file: &Bytes) -> Option<String> {
    let blocks = std::slice::from_ref(file);
    let differs = |range: Range<u64>, without: Range<u64>, expected: Option<u32>| {
        let (actual, expected) = (checksum(blocks, range, without), expected?);
        (actual != expected)
            .then(|| format!("its bytes have checksum {actual:08x}, expected {expected:08x} by the manifest"))
    };
    match part.slice {
        None => differs(ALL, NONE, part.crc32),
        Some(slice) => differs(slice.start..slice.end, NONE, part.crc32).or_else(|| {
            let (first, end) = slice.slices?;
            differs(ALL, first..end, slice.frame_crc32)
        }),
    }
}

/// Checks that these bytes of the file of a part were written.
///
/// # Errors
/// Malformed for other bytes.
pub(super) fn check_bytes(part: &DataFile, file: &Bytes) -> Result<()> {
    match find_changed_bytes(part, file) {
        Some(why) => Err(Error::new(ErrorKind::Malformed, format!("cannot read {}: {why}", part.path))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_can_span_blocks() {
        let blocks = [Bytes::from_static(b"abc"), Bytes::new(), Bytes::from_static(b"defg")];
        assert_eq!(checksum(&blocks, ALL, NONE), crc32fast::hash(b"abcdefg"));
        assert_eq!(checksum(&blocks, 1..5, NONE), crc32fast::hash(b"bcde"));
        assert_eq!(checksum(&blocks, ALL, 2..6), crc32fast::hash(b"abg"));
        assert_eq!(checksum(&blocks, 5..5, NONE), crc32fast::hash(b""));
    }
}
