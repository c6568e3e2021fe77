//! Cuts a file that arrives in chunks into records: length, its checksum, payload, its checksum.
//!
//! A corrupt payload costs only its own record. A corrupt length costs the rest of the file, because records have no marker
//! to search for.

use crc32c::{crc32c, crc32c_append};

/// Maximum size of a payload in bytes. Scalars have some hundred bytes; larger payloads are images, sounds and graphs.
const MAX_PAYLOAD: u64 = 16 << 20;

/// Cuts chunks into records. Memory: one record of at most 16 MiB.
#[derive(Debug, Default)]
pub(super) struct RecordReader {
    state: RecordState,
    /// Buffered bytes of the current record.
    bytes: Vec<u8>,
    /// Number of records so far.
    entry: i64,
    /// Offset of the current record.
    start: u64,
    /// Offset of the next byte.
    offset: u64,
}

/// The part of a record that is read next.
#[derive(Debug, Default, Clone, Copy)]
enum RecordState {
    /// Length and its checksum.
    #[default]
    Length,
    Payload {
        length: u64,
        remaining: u64,
        checksum: u32,
    },
    /// The checksum of a payload of this length, and its expected value.
    Checksum {
        length: u64,
        expected: u32,
    },
    /// A length was corrupt: the rest of the file is skipped.
    Lost,
}

/// The content of a record, or the reason why it is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RecordContent<'a> {
    Payload(&'a [u8]),
    BadChecksum,
    BadLength,
    /// Its length in bytes.
    TooLong(u64),
}

/// The bytes at the end of a file that are not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UnreadEnd {
    /// An incomplete record.
    Truncated,
    /// The number of bytes after a corrupt length.
    Lost(u64),
}

/// Masks a checksum, as records store it: a checksum over bytes that contain checksums is weak.
const fn mask(checksum: u32) -> u32 {
    checksum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Parses the length of a record; none if its checksum is wrong.
fn parse_length(header: &[u8]) -> Option<u64> {
    let length = header.first_chunk::<8>()?;
    let is_valid = header.get(8..12)? == mask(crc32c(length)).to_le_bytes();
    is_valid.then(|| u64::from_le_bytes(*length))
}

/// The payload of a file's first record, as far as these first bytes contain it. None if the length is corrupt.
pub(super) fn first_payload(head: &[u8]) -> Option<&[u8]> {
    let length = usize::try_from(parse_length(head)?).unwrap_or(usize::MAX);
    let payload = &head[12..];
    Some(&payload[..length.min(payload.len())])
}

impl RecordReader {
    /// Takes the next bytes and calls `each` for every record that ends in them, with its number and its offset.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(RecordContent<'_>, i64, i64)) {
        let mut rest = chunk;
        loop {
            let start = i64::try_from(self.start).unwrap_or(i64::MAX);
            match &mut self.state {
                RecordState::Length => {
                    if !fill(&mut self.bytes, 12, &mut rest, &mut self.offset) {
                        return;
                    }
                    self.state = match parse_length(&self.bytes) {
                        Some(length) => RecordState::Payload { length, remaining: length, checksum: 0 },
                        None => {
                            each(RecordContent::BadLength, self.entry, start);
                            RecordState::Lost
                        }
                    };
                    self.bytes.clear();
                }
                RecordState::Payload { length, remaining, checksum } => {
                    let available = usize::try_from(*remaining).unwrap_or(usize::MAX).min(rest.len());
                    let (payload, behind) = rest.split_at(available);
                    rest = behind;
                    *checksum = crc32c_append(*checksum, payload);
                    if *length <= MAX_PAYLOAD {
                        self.bytes.extend_from_slice(payload);
                    }
                    *remaining -= available as u64;
                    self.offset += available as u64;
                    if *remaining > 0 {
                        return;
                    }
                    self.state = RecordState::Checksum { length: *length, expected: mask(*checksum) };
                }
                RecordState::Checksum { length, expected } => {
                    // a payload that is too long is not buffered
                    let buffered = usize::try_from(*length).ok().filter(|_| *length <= MAX_PAYLOAD).unwrap_or(0);
                    if !fill(&mut self.bytes, buffered + 4, &mut rest, &mut self.offset) {
                        return;
                    }
                    let (payload, checksum) = self.bytes.split_at(buffered);
                    let content = if checksum != expected.to_le_bytes() {
                        RecordContent::BadChecksum
                    } else if *length > MAX_PAYLOAD {
                        RecordContent::TooLong(*length)
                    } else {
                        RecordContent::Payload(payload)
                    };
                    each(content, self.entry, start);
                    self.bytes.clear();
                    self.entry += 1;
                    self.start = self.offset;
                    self.state = RecordState::Length;
                }
                RecordState::Lost => {
                    self.offset += rest.len() as u64;
                    return;
                }
            }
        }
    }

    /// The bytes that are not read at the end of the file, and their offset.
    pub(super) fn unread_end(&self) -> Option<(UnreadEnd, i64)> {
        let end = match self.state {
            RecordState::Length if self.bytes.is_empty() => return None,
            RecordState::Lost => UnreadEnd::Lost(self.offset - self.start),
            _ => UnreadEnd::Truncated,
        };
        Some((end, i64::try_from(self.start).unwrap_or(i64::MAX)))
    }
}

/// Moves bytes from `rest` to `bytes` until it has `size` bytes. Returns true if it has.
fn fill(bytes: &mut Vec<u8>, size: usize, rest: &mut &[u8], offset: &mut u64) -> bool {
    let available = size.saturating_sub(bytes.len()).min(rest.len());
    let (head, behind) = rest.split_at(available);
    bytes.extend_from_slice(head);
    *rest = behind;
    *offset += available as u64;
    bytes.len() == size
}
