//! Temporary bytes: in memory while they are few, else in a temporary file.

use std::io::{Read, Result, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// Size in bytes from which a file is used.
const MAX_MEMORY: usize = 4 << 20;

/// Bytes at offsets. The file has no name, so nothing is left of it after a crash.
#[derive(Debug)]
pub(super) struct Scratch {
    file: SpooledTempFile,
    size: u64,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { file: SpooledTempFile::new(MAX_MEMORY), size: 0 }
    }
}

impl Scratch {
    /// Adds bytes at the end. Returns their offset.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<u64> {
        let offset = self.size;
        self.replace(offset, bytes)?;
        self.size += bytes.len() as u64;
        Ok(offset)
    }

    /// Reads the bytes from an offset on.
    pub(super) fn read(&mut self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(bytes)
    }

    /// Replaces the bytes from an offset on.
    pub(super) fn replace(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(bytes)
    }
}
