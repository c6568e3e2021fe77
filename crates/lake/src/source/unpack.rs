//! Unpacking in a thread of its own, so that whoever decodes the content need not wait for it.

use std::io::{Error, Read, Result};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Bytes of a block, and how many there are: each is used again when it was read.
const BLOCK: usize = 256 << 10;
const BLOCKS: usize = 4;

/// Content that another thread unpacks ahead, up to a few blocks.
#[derive(Debug)]
pub(super) struct Ahead {
    full: Receiver<Result<Vec<u8>>>,
    free: Sender<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
    over: bool,
}

impl Ahead {
    /// Starts to read; the thread ends with the content, after an error, or when this is dropped. Gives the reader back
    /// when there are no more threads.
    pub(super) fn new<R: Read + Send + 'static>(reader: R) -> std::result::Result<Self, R> {
        let (full_sender, full) = sync_channel(BLOCKS);
        let (free, free_receiver) = channel();
        for _ in 0..BLOCKS {
            // the receiver is here
            let _ = free.send(Vec::new());
        }
        let (give, take) = channel();
        let thread = std::thread::Builder::new().name("tracelake-unpack".to_owned()).spawn(move || {
            if let Ok(reader) = take.recv() {
                unpack(reader, &free_receiver, &full_sender);
            }
        });
        if thread.is_err() {
            return Err(reader);
        }
        give.send(reader).map_err(|unsent| unsent.0)?;
        Ok(Self { full, free, block: Vec::new(), at: 0, over: false })
    }
}

/// The thread that unpacked has gone without a word.
#[derive(Debug)]
pub(super) struct Lost;

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("decompression stopped: this is a bug")
    }
}

impl std::error::Error for Lost {}

/// Fills free blocks until there is nothing more to read, or nobody who reads it.
fn unpack(mut reader: impl Read, free: &Receiver<Vec<u8>>, full: &SyncSender<Result<Vec<u8>>>) {
    while let Ok(mut block) = free.recv() {
        block.clear();
        block.reserve(BLOCK);
        let result = (&mut reader).take(BLOCK as u64).read_to_end(&mut block);
        let last = result.is_err() || block.is_empty();
        // What was unpacked before an error counts. A block without bytes is the end, and before an error there is none.
        if (result.is_ok() || !block.is_empty()) && full.send(Ok(block)).is_err() {
            return;
        }
        if let Err(error) = result {
            // whoever reads has gone, or hears it
            let _ = full.send(Err(error));
        }
        if last {
            return;
        }
    }
}

impl Read for Ahead {
    fn read(&mut self, room: &mut [u8]) -> Result<usize> {
        while self.at == self.block.len() && !self.over {
            let block = self.full.recv().unwrap_or_else(|_| Err(Error::other(Lost)));
            match block {
                Ok(block) => {
                    // the thread may have ended
                    let _ = self.free.send(std::mem::replace(&mut self.block, block));
                    self.at = 0;
                }
                Err(error) => {
                    self.over = true;
                    return Err(error);
                }
            }
            self.over |= self.block.is_empty();
        }
        let length = room.len().min(self.block.len() - self.at);
        room[..length].copy_from_slice(&self.block[self.at..][..length]);
        self.at += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many bytes, then an error.
    struct Fails(usize);

    impl Read for Fails {
        fn read(&mut self, room: &mut [u8]) -> Result<usize> {
            if self.0 == 0 {
                return Err(Error::other("made for a test"));
            }
            let n = room.len().min(self.0);
            room[..n].fill(7);
            self.0 -= n;
            Ok(n)
        }
    }

    #[test]
    fn an_error_is_told_wherever_it_comes() {
        for bytes in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut ahead = Ahead::new(Fails(bytes)).ok().unwrap();
            let mut read = Vec::new();
            let error = ahead.read_to_end(&mut read).unwrap_err();
            assert_eq!((read.len(), error.to_string().as_str()), (bytes, "made for a test"), "{bytes}");
        }
    }

    #[test]
    fn all_bytes_come_in_their_order() {
        for bytes in [0, 1, BLOCK, 9 * BLOCK + 5] {
            let content: Vec<u8> = (0..=250).cycle().take(bytes).collect();
            let mut read = Vec::new();
            Ahead::new(std::io::Cursor::new(content.clone())).ok().unwrap().read_to_end(&mut read).unwrap();
            assert!(read == content, "{bytes}");
        }
    }

    #[test]
    fn a_panic_is_no_end() {
        struct Panics;
        impl Read for Panics {
            fn read(&mut self, _: &mut [u8]) -> Result<usize> {
                panic!("made for a test")
            }
        }
        let error = Ahead::new(Panics).ok().unwrap().read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Lost>));
    }
}
