//! Records of a file that arrives in chunks: length, its checksum, payload, its checksum.
//!
//! A damaged payload costs its own record. A damaged length costs the rest of the file: nothing marks where a record starts.

use super::crc32c::Crc32c;

/// Scalars take some hundred bytes; larger are images, sounds and graphs.
const MAX_PAYLOAD: u64 = 16 << 20;

/// Cuts chunks into records. Memory: one record of at most 16 MiB.
#[derive(Debug, Default)]
pub(super) struct Records {
    state: State,
    /// The bytes of the current part that are kept.
    bytes: Vec<u8>,
    /// Records so far.
    entry: i64,
    /// Where the current record starts, and the next byte of the file.
    start: u64,
    offset: u64,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// Length and its checksum.
    #[default]
    Length,
    Payload {
        length: u64,
        left: u64,
        sum: Crc32c,
    },
    /// The checksum of a payload of this length, and what it has to be.
    Sum {
        length: u64,
        sum: u32,
    },
    /// No record can be found any more.
    Lost,
}

/// What a record turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read<'a> {
    Payload(&'a [u8]),
    BadChecksum,
    BadLength,
    /// Its length in bytes.
    TooLong(u64),
}

/// What was left when the file ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// A part of a record.
    Cut,
    /// So many bytes behind a damaged length.
    Lost(u64),
}

/// Length in front of a record, if its checksum is right.
fn length(header: &[u8]) -> Option<u64> {
    let length = header.first_chunk::<8>()?;
    let mut sum = Crc32c::default();
    sum.push(length);
    let right = header.get(8..12)? == sum.masked().to_le_bytes();
    right.then(|| u64::from_le_bytes(*length))
}

/// The start of the first payload of a file, if its length is one.
pub(super) fn first(head: &[u8]) -> Option<&[u8]> {
    let length = usize::try_from(length(head)?).unwrap_or(usize::MAX);
    let payload = &head[12..];
    Some(&payload[..length.min(payload.len())])
}

impl Records {
    /// Takes the next bytes and calls `each` for every record that ends in them, with its number and where it starts.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(Read<'_>, i64, i64)) {
        let mut rest = chunk;
        loop {
            let start = i64::try_from(self.start).unwrap_or(i64::MAX);
            match &mut self.state {
                State::Length => {
                    if !take(&mut self.bytes, 12, &mut rest, &mut self.offset) {
                        return;
                    }
                    self.state = match length(&self.bytes) {
                        Some(length) => State::Payload { length, left: length, sum: Crc32c::default() },
                        None => {
                            each(Read::BadLength, self.entry, start);
                            State::Lost
                        }
                    };
                    self.bytes.clear();
                }
                State::Payload { length, left, sum } => {
                    let here = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    let (payload, behind) = rest.split_at(here);
                    rest = behind;
                    sum.push(payload);
                    if *length <= MAX_PAYLOAD {
                        self.bytes.extend_from_slice(payload);
                    }
                    *left -= here as u64;
                    self.offset += here as u64;
                    if *left > 0 {
                        return;
                    }
                    self.state = State::Sum { length: *length, sum: sum.masked() };
                }
                State::Sum { length, sum } => {
                    let have =
                        usize::try_from(*length).ok().filter(|length| *length as u64 <= MAX_PAYLOAD).unwrap_or(0);
                    if !take(&mut self.bytes, have + 4, &mut rest, &mut self.offset) {
                        return;
                    }
                    let (payload, found) = self.bytes.split_at(have);
                    let read = match found == sum.to_le_bytes() {
                        false => Read::BadChecksum,
                        true if *length > MAX_PAYLOAD => Read::TooLong(*length),
                        true => Read::Payload(payload),
                    };
                    each(read, self.entry, start);
                    self.bytes.clear();
                    self.entry += 1;
                    self.start = self.offset;
                    self.state = State::Length;
                }
                State::Lost => {
                    self.offset += rest.len() as u64;
                    return;
                }
            }
        }
    }

    /// What is left where the file ends, and where it starts.
    pub(super) fn rest(&self) -> Option<(Rest, i64)> {
        let rest = match self.state {
            State::Length if self.bytes.is_empty() => return None,
            State::Lost => Rest::Lost(self.offset - self.start),
            _ => Rest::Cut,
        };
        Some((rest, i64::try_from(self.start).unwrap_or(i64::MAX)))
    }
}

/// Fills `bytes` up to `size` from `rest`; whether it is full.
fn take(bytes: &mut Vec<u8>, size: usize, rest: &mut &[u8], offset: &mut u64) -> bool {
    let here = size.saturating_sub(bytes.len()).min(rest.len());
    bytes.extend_from_slice(&rest[..here]);
    *rest = &rest[here..];
    *offset += here as u64;
    bytes.len() == size
}
