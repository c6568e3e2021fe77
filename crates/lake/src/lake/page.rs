//! Writes pages of a Parquet column chunk with a checksum, which the writer of the parquet crate does not set.
//!
//! A header is a Thrift struct in the compact protocol, as `parquet.thrift` of the Parquet format defines it.

use parquet::basic::Encoding;
use parquet::errors::Result;

/// The header of a 32-bit field. Its id is that of the previous field plus one.
const NEXT_I32: u8 = 0x15;
const END: u8 = 0;

/// The kind of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    /// The levels and values of rows.
    Data,
    /// Distinct values.
    Dictionary,
}

/// Appends a page of `values` values to a chunk. Returns the size of its header in bytes.
pub(super) fn write_page(
    chunk: &mut Vec<u8>,
    kind: PageKind,
    values: usize,
    encoding: Encoding,
    uncompressed: usize,
    compressed: &[u8],
) -> Result<usize> {
    let start = chunk.len();
    let checksum = crc32fast::hash(compressed).cast_signed();
    let kind_id = if kind == PageKind::Data { 0 } else { 2 };
    for number in [kind_id, i32::try_from(uncompressed)?, i32::try_from(compressed.len())?, checksum] {
        push_i32(chunk, number);
    }
    // The header of a struct. Its id is that of the previous field plus 1 (data page) or 3 (dictionary page).
    chunk.push(if kind == PageKind::Data { 0x1c } else { 0x3c });
    push_i32(chunk, i32::try_from(values)?);
    push_i32(chunk, encoding as i32);
    match kind {
        PageKind::Data => {
            // The encodings of definition and repetition levels.
            push_i32(chunk, Encoding::RLE as i32);
            push_i32(chunk, Encoding::RLE as i32);
        }
        // A false flag: the values are not sorted.
        PageKind::Dictionary => chunk.push(0x12),
    }
    chunk.extend([END, END]);
    let header = chunk.len() - start;
    chunk.extend_from_slice(compressed);
    Ok(header)
}

/// Appends the next field, a zigzag number of variable length.
fn push_i32(chunk: &mut Vec<u8>, number: i32) {
    chunk.push(NEXT_I32);
    let mut rest = (number << 1 ^ number >> 31).cast_unsigned();
    while rest > 0x7f {
        chunk.push(u8::try_from(rest & 0x7f).unwrap_or_default() | 0x80);
        rest >>= 7;
    }
    chunk.push(u8::try_from(rest).unwrap_or_default());
}
