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
    /// Starts to read; the thread ends with the content, after an error, or when this is dropped.
    ///
    /// # Errors
    /// What the operating system says when it has no more threads.
    pub(super) fn new(reader: impl Read + Send + 'static) -> Result<Self> {
        let (full_sender, full) = sync_channel(BLOCKS);
        let (free, free_receiver) = channel();
        for _ in 0..BLOCKS {
            // the receiver is here
            let _ = free.send(Vec::new());
        }
        std::thread::Builder::new()
            .name("tracelake-unpack".to_owned())
            .spawn(move || unpack(reader, &free_receiver, &full_sender))?;
        Ok(Self { full, free, block: Vec::new(), at: 0, over: false })
    }
}

/// Fills free blocks until there is nothing more to read, or nobody who reads it.
fn unpack(mut reader: impl Read, free: &Receiver<Vec<u8>>, full: &SyncSender<Result<Vec<u8>>>) {
    while let Ok(mut block) = free.recv() {
        block.clear();
        block.reserve(BLOCK);
        let result = (&mut reader).take(BLOCK as u64).read_to_end(&mut block);
        // what was unpacked before an error counts
        let last = result.is_err() || block.is_empty();
        if full.send(Ok(block)).is_err() {
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
            let block = self.full.recv().unwrap_or_else(|_| Err(Error::other("unpacking ended without a word")));
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
