//! Decompression in a thread of its own, so that the decoder does not wait for it.

use std::io::{Cursor, Error, Read, Result};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Size and number of blocks; each block is reused after it was read.
const BLOCK: usize = 256 << 10;
const BLOCKS: usize = 4;

/// A reader of content that another thread decompresses ahead, up to a few blocks.
#[derive(Debug)]
pub(super) struct BackgroundReader {
    full_blocks: Receiver<Result<Vec<u8>>>,
    empty_blocks: Sender<Vec<u8>>,
    block: Cursor<Vec<u8>>,
    ended: bool,
}

impl BackgroundReader {
    /// Starts the thread. It ends with the content, after an error, or when this is dropped.
    /// Returns the reader if no thread can be started.
    pub(super) fn new<R: Read + Send + 'static>(reader: R) -> std::result::Result<Self, R> {
        let (full_sender, full_blocks) = sync_channel(BLOCKS);
        let (empty_blocks, empty_receiver) = channel();
        for _ in 0..BLOCKS {
            // The receiver still exists.
            let _ = empty_blocks.send(Vec::new());
        }
        let (reader_sender, reader_receiver) = channel();
        let thread = std::thread::Builder::new().name("tracelake-unpack".to_owned()).spawn(move || {
            if let Ok(reader) = reader_receiver.recv() {
                decompress(reader, &empty_receiver, &full_sender);
            }
        });
        if thread.is_err() {
            return Err(reader);
        }
        reader_sender.send(reader).map_err(|unsent| unsent.0)?;
        Ok(Self { full_blocks, empty_blocks, block: Cursor::default(), ended: false })
    }
}

/// The error if the thread ended without a result.
#[derive(Debug)]
pub(super) struct ThreadLost;

impl std::fmt::Display for ThreadLost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("decompression stopped: this is a bug")
    }
}

impl std::error::Error for ThreadLost {}

/// Fills free blocks until the content ends, or until no one reads them.
fn decompress(mut reader: impl Read, empty_blocks: &Receiver<Vec<u8>>, full_blocks: &SyncSender<Result<Vec<u8>>>) {
    while let Ok(mut block) = empty_blocks.recv() {
        block.clear();
        block.reserve(BLOCK);
        let result = (&mut reader).take(BLOCK as u64).read_to_end(&mut block);
        let last = result.is_err() || block.is_empty();
        // Send the bytes before an error, too. An empty block marks the end, so none is sent before
        // an error.
        if (result.is_ok() || !block.is_empty()) && full_blocks.send(Ok(block)).is_err() {
            return;
        }
        if let Err(error) = result {
            // If the reader is dropped, the error has no receiver.
            let _ = full_blocks.send(Err(error));
        }
        if last {
            return;
        }
    }
}

impl Read for BackgroundReader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            let length = self.block.read(buffer)?;
            if length > 0 || buffer.is_empty() || self.ended {
                return Ok(length);
            }
            let block = self.full_blocks.recv().unwrap_or_else(|_| Err(Error::other(ThreadLost)));
            // An empty block marks the end.
            self.ended = block.as_ref().map_or(true, Vec::is_empty);
            let block = std::mem::replace(&mut self.block, Cursor::new(block?));
            // The thread may have ended.
            let _ = self.empty_blocks.send(block.into_inner());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader of this number of bytes, then an error.
    struct Fails(usize);

    impl Read for Fails {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            if self.0 == 0 {
                return Err(Error::other("made for a test"));
            }
            let n = buffer.len().min(self.0);
            buffer[..n].fill(7);
            self.0 -= n;
            Ok(n)
        }
    }

    #[test]
    fn an_error_follows_the_bytes_before_it() {
        for bytes in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut reader = BackgroundReader::new(Fails(bytes)).ok().unwrap();
            let mut read = Vec::new();
            let error = reader.read_to_end(&mut read).unwrap_err();
            assert_eq!((read.len(), error.to_string().as_str()), (bytes, "made for a test"), "{bytes}");
        }
    }

    #[test]
    fn all_bytes_are_read_in_order() {
        for bytes in [0, 1, BLOCK, 9 * BLOCK + 5] {
            let content: Vec<u8> = (0..=250).cycle().take(bytes).collect();
            let mut read = Vec::new();
            BackgroundReader::new(std::io::Cursor::new(content.clone())).ok().unwrap().read_to_end(&mut read).unwrap();
            assert!(read == content, "{bytes}");
        }
    }

    #[test]
    fn a_panic_is_an_error() {
        struct Panics;
        impl Read for Panics {
            fn read(&mut self, _: &mut [u8]) -> Result<usize> {
                panic!("made for a test")
            }
        }
        let error = BackgroundReader::new(Panics).ok().unwrap().read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<ThreadLost>));
    }
}
