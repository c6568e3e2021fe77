//! A file in memory that grows without being copied.

use std::io::{Result, Write};

use bytes::Bytes;

/// Bytes of a block.
const BLOCK: usize = 1 << 19;

/// What was written, in blocks: one buffer for all of it would be copied, and held twice, each time it grows.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    full: Vec<Bytes>,
    open: Vec<u8>,
}

impl Blocks {
    /// All blocks in order.
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
        let taken = bytes.len().min(BLOCK - self.open.len());
        self.open.extend_from_slice(&bytes[..taken]);
        if self.open.len() == BLOCK {
            self.full.push(std::mem::take(&mut self.open).into());
        }
        Ok(taken)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_between_blocks() {
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
