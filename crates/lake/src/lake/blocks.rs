//! A file in memory that grows without copies.

use std::io::{Result, Write};

use bytes::Bytes;

/// Size of a block in bytes.
const BLOCK: usize = 1 << 19;

/// A file in blocks. A single buffer would be copied, and would need twice the memory, each time it
/// grows.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    full: Vec<Bytes>,
    open: Vec<u8>,
}

impl Blocks {
    /// Returns all blocks in order.
    pub(super) fn into_bytes(mut self) -> Vec<Bytes> {
        self.full.push(self.open.into());
        self.full
    }
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.open.capacity() == 0 {
            self.open.reserve_exact(BLOCK);
        }
        let count = bytes.len().min(BLOCK - self.open.len());
        self.open.extend_from_slice(&bytes[..count]);
        if self.open.len() == BLOCK {
            self.full.push(std::mem::take(&mut self.open).into());
        }
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_in_the_blocks() {
        let mut blocks = Blocks::default();
        let bytes: Vec<u8> = (0..=250).cycle().take(3 * BLOCK - 7).collect();
        for piece in bytes.chunks(BLOCK / 3 + 1) {
            blocks.write_all(piece).unwrap();
        }
        let blocks = blocks.into_bytes();
        assert_eq!(blocks.iter().map(Bytes::len).collect::<Vec<_>>(), [BLOCK, BLOCK, BLOCK - 7]);
        assert_eq!(blocks.concat(), bytes);
        assert_eq!(Blocks::default().into_bytes().concat(), b"");
    }
}
