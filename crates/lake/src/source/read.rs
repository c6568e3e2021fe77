//! Reads the bytes of objects: decompressed, in chunks of bounded size.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::{GetOptions, GetResultPayload, ObjectMeta, ObjectStoreExt};
use tokio::runtime::Handle;

use super::decompress::{BackgroundReader, ThreadLost};
use super::{Location, StoreAction, StoredObject, store_error};
use crate::error::{Error, ErrorKind, Result};

/// Compression of an object, detected from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    None,
    /// gzip; several members are allowed.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Compression {
    fn detect(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// Number of bytes at the start or end of an object from which its format is detected.
pub const EDGE: usize = 64 << 10;

/// Number of objects for which the first bytes are fetched at the same time.
const PARALLEL_HEADS: usize = 16;

/// Size of a chunk for a decoder in bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// A larger object of a bucket is fetched in ranges, several at the same time, each with its own
/// retries. A single request for all of it would time out.
const SINGLE_REQUEST_BYTES: u64 = 8 << 20;
const RANGE_BYTES: u64 = 4 << 20;
const PARALLEL_RANGES: usize = 4;

/// Maximum ratio of decompressed to compressed size beyond an initial allowance: a guard against
/// decompression bombs. Real traces of one repeated event reach 200.
const MAX_RATIO: u64 = 1000;
const ALLOWED_BYTES: u64 = 64 << 20;

/// The decompressed bytes of one object in order. Blocks: do not use it on a thread of the runtime
/// of the engine.
pub struct Chunks {
    reader: Box<dyn Read + Send>,
    name: String,
    buffer: Vec<u8>,
    bytes_read: u64,
    stored_bytes_read: Arc<AtomicU64>,
    limit: u64,
    compression: Compression,
    corruption: Option<String>,
}

/// An object for random access.
#[derive(Debug)]
pub struct RandomAccessObject {
    /// The decompressed bytes.
    pub file: File,
    /// Number of bytes.
    pub size: u64,
    /// The error that stopped decompression before the end of the object, if there was one.
    pub corruption: Option<String>,
}

impl std::fmt::Debug for Chunks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunks({})", self.name)
    }
}

impl Location {
    /// Starts to read an object of this location.
    ///
    /// The returned chunks fetch data from the network on demand, on the runtime of `handle`. A
    /// file that is still being written is read up to its listed size. Its entry has that size, so
    /// the next ingest reads the rest.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Conflict if the object was replaced since it was listed.
    pub fn read(&self, object: &StoredObject, handle: &Handle) -> Result<Chunks> {
        let name = self.url_of(&object.location);
        let blocking = |stream| Box::new(BlockingStream { stream, handle: handle.clone(), rest: Bytes::new() });
        if self.needs_ranges(object) {
            return Chunks::new(blocking(self.ranges(object, handle)), name, object.size);
        }
        let reader: Box<dyn Read + Send> = match self.get(object, &name, handle)? {
            // A stream would read a file in pieces of 8 KiB, and switch threads twice for each.
            GetResultPayload::File(file, _) => Box::new(file.take(object.size)),
            GetResultPayload::Stream(stream) => blocking(stream),
        };
        Chunks::new(reader, name, object.size)
    }

    /// Requests an object; fails if it is not the listed one.
    fn get(&self, object: &StoredObject, name: &str, handle: &Handle) -> Result<GetResultPayload> {
        let response = handle.block_on(self.store().get_opts(&object.location, self.if_unchanged(object)));
        let response = response.map_err(|error| read_error(name, error))?;
        let is_same = response.meta.e_tag.as_ref().is_none_or(|etag| *etag == object.etag);
        let is_longer = self.is_on_disk() && has_grown(object, &response.meta);
        if !is_same && !is_longer {
            return Err(replaced_error(name));
        }
        if !self.is_on_disk() {
            check_length(response.meta.size, object.size).map_err(|error| read_error(name, error))?;
        }
        Ok(response.payload)
    }

    /// Opens an object for random access: a local file itself, else a decompressed copy in the
    /// folder for temporary files, without a name and private to this process. `go_on` is called
    /// between parts of the copy. Returns `None` after it returned false.
    ///
    /// # Errors
    /// Those of [`Location::read`] and [`Chunks::chunk`]; Exhausted if there is no space for the copy.
    pub fn open_random_access(
        &self,
        object: &StoredObject,
        handle: &Handle,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<RandomAccessObject>> {
        if self.is_on_disk()
            && let GetResultPayload::File(mut file, _) = self.get(object, &self.url_of(&object.location), handle)?
            && is_uncompressed(&mut file).map_err(|error| io_error(&self.url_of(&object.location), error))?
        {
            return Ok(Some(RandomAccessObject { file, size: object.size, corruption: None }));
        }
        let mut chunks = self.read(object, handle)?;
        let mut file = tempfile::tempfile().map_err(|error| copy_error(&chunks.name, error))?;
        while let Some(chunk) = chunks.chunk()? {
            let result = file.write_all(chunk);
            result.map_err(|error| copy_error(&chunks.name, error))?;
            if !go_on() {
                return Ok(None);
            }
        }
        Ok(Some(RandomAccessObject { file, size: chunks.bytes_read, corruption: chunks.corruption }))
    }

    /// Number of GET requests that reading this object takes.
    pub fn get_requests(&self, object: &StoredObject) -> u64 {
        match self.scheme() {
            "file" => 0,
            _ if self.needs_ranges(object) => object.size.div_ceil(RANGE_BYTES),
            _ => 1,
        }
    }

    fn needs_ranges(&self, object: &StoredObject) -> bool {
        self.scheme() == "s3" && object.size > SINGLE_REQUEST_BYTES
    }

    /// Options for a request that a bucket rejects if the object is not the listed one.
    fn if_unchanged(&self, object: &StoredObject) -> GetOptions {
        let if_match = (self.scheme() == "s3").then(|| object.etag.clone());
        GetOptions { if_match, ..GetOptions::default() }
    }

    /// Streams the ranges of an object in order. A task fetches them ahead, and ends with the
    /// stream.
    #[expect(
        clippy::disallowed_methods,
        reason = "no caller waits for it: prefetched data is dropped together with its reader"
    )]
    fn ranges(&self, object: &StoredObject, handle: &Handle) -> BoxStream<'static, object_store::Result<Bytes>> {
        let (store, location, size) = (Arc::clone(self.store()), object.location.clone(), object.size);
        let options = self.if_unchanged(object);
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        handle.spawn(async move {
            let range = |start| {
                let range = Some((start..size.min(start + RANGE_BYTES)).into());
                let options = GetOptions { range, ..options.clone() };
                let (store, location) = (&store, &location);
                async move {
                    let bytes = store.get_opts(location, options).await?.bytes().await?;
                    check_length(bytes.len() as u64, size.min(start + RANGE_BYTES) - start).map(|()| bytes)
                }
            };
            let starts = (0..size.div_ceil(RANGE_BYTES)).map(|n| n * RANGE_BYTES);
            let mut ranges = std::pin::pin!(futures::stream::iter(starts).map(range).buffered(PARALLEL_RANGES));
            while let Some(bytes) = ranges.next().await {
                if sender.send(bytes).await.is_err() {
                    return;
                }
            }
        });
        let mut remaining = size;
        let next = move |context: &mut Context<'_>| {
            let next = receiver.poll_recv(context);
            match &next {
                Poll::Ready(Some(Ok(bytes))) => remaining = remaining.saturating_sub(bytes.len() as u64),
                Poll::Ready(None) if remaining > 0 => {
                    remaining = 0;
                    let source = "the object was not read to its end".into();
                    return Poll::Ready(Some(Err(object_store::Error::Generic { store: "S3", source })));
                }
                _ => {}
            }
            next
        };
        futures::stream::poll_fn(next).boxed()
    }

    /// Reads the first bytes of these objects, decompressed as far as possible, several at the same
    /// time. Calls `look` with the index of each object and its bytes.
    ///
    /// # Errors
    /// Those that `look` returns.
    pub fn read_heads<T>(
        &self,
        objects: &[&StoredObject],
        handle: &Handle,
        look: impl Fn(usize, Result<Vec<u8>>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let look = &look;
        let heads = objects.iter().enumerate().map(|(n, object)| async move { look(n, self.head(object).await) });
        handle.block_on(futures::stream::iter(heads).buffered(PARALLEL_HEADS).try_collect())
    }

    async fn head(&self, object: &StoredObject) -> Result<Vec<u8>> {
        if object.size == 0 {
            return Ok(Vec::new());
        }
        let end = object.size.min(EDGE as u64);
        let name = self.url_of(&object.location);
        let bytes = self.store().get_range(&object.location, 0..end).await;
        let bytes = bytes.and_then(|bytes| check_length(bytes.len() as u64, end).map(|()| bytes));
        let bytes = bytes.map_err(|error| store_error(StoreAction::Read, &name, error))?;
        let mut chunks = Chunks::new(Box::new(bytes.reader()), name, object.size)?;
        // Decompression stops early here, because these are only the first bytes.
        Ok(chunks.chunk()?.map(<[u8]>::to_vec).unwrap_or_default())
    }

    /// Reads the last bytes of an object, decompressed. A compressed object is read completely.
    ///
    /// # Errors
    /// Those of [`Location::read`]; Malformed for a decompression bomb.
    pub fn read_tail(&self, object: &StoredObject, compression: Compression, handle: &Handle) -> Result<Vec<u8>> {
        if compression == Compression::None {
            let name = self.url_of(&object.location);
            let start = object.size.saturating_sub(EDGE as u64);
            let options = GetOptions { range: Some((start..object.size).into()), ..self.if_unchanged(object) };
            let response = async {
                let bytes = self.store().get_opts(&object.location, options).await?.bytes().await?;
                check_length(bytes.len() as u64, object.size - start).map(|()| bytes)
            };
            return handle.block_on(response).map(|bytes| bytes.to_vec()).map_err(|error| read_error(&name, error));
        }
        let mut chunks = self.read(object, handle)?;
        let mut tail = Vec::new();
        while let Some(chunk) = chunks.chunk()? {
            tail.extend_from_slice(&chunk[chunk.len().saturating_sub(EDGE)..]);
            tail.drain(..tail.len().saturating_sub(EDGE));
        }
        Ok(tail)
    }
}

/// Counts the bytes that are read of a compressed object.
struct CountingReader<R> {
    reader: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

/// A blocking reader of the stream of an object.
struct BlockingStream {
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    handle: Handle,
    rest: Bytes,
}

impl Read for BlockingStream {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        while self.rest.is_empty() {
            match self.handle.block_on(self.stream.next()) {
                Some(Ok(bytes)) => self.rest = bytes,
                Some(Err(error)) => return Err(std::io::Error::other(error)),
                None => return Ok(0),
            }
        }
        let n = buf.len().min(self.rest.len());
        self.rest.copy_to_slice(&mut buf[..n]);
        Ok(n)
    }
}

impl Chunks {
    fn new(mut reader: Box<dyn Read + Send>, name: String, size: u64) -> Result<Self> {
        let mut head = Vec::new();
        (&mut reader).take(4).read_to_end(&mut head).map_err(|error| io_error(&name, error))?;
        let compression = Compression::detect(&head);
        let stored_bytes_read = Arc::new(AtomicU64::new(0));
        let reader = Read::chain(Cursor::new(head), reader);
        let buffered = |reader| {
            let counted = CountingReader { reader, bytes: Arc::clone(&stored_bytes_read) };
            BufReader::with_capacity(256 << 10, counted)
        };
        let reader: Box<dyn Read + Send> = match compression {
            Compression::None => Box::new(reader),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(reader))),
            Compression::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(buffered(reader));
                Box::new(decoder.map_err(|error| io_error(&name, error))?)
            }
        };
        let limit = ALLOWED_BYTES + size.saturating_mul(MAX_RATIO);
        let (buffer, bytes_read) = (Vec::new(), 0);
        Ok(Self { reader, name, buffer, bytes_read, stored_bytes_read, limit, compression, corruption: None })
    }

    /// Decompresses in a thread of its own from here on, if the object is compressed and a thread
    /// can be started.
    #[must_use]
    pub fn decompress_in_background(mut self) -> Self {
        if self.compression != Compression::None {
            self.reader = match BackgroundReader::new(self.reader) {
                Ok(reader) => Box::new(reader),
                Err(reader) => reader,
            };
        }
        self
    }

    /// Returns the next chunk. `None` at the end of the object, or where decompression stopped, see
    /// [`Chunks::corruption`].
    ///
    /// # Errors
    /// Unreachable if the store stopped within the body; Malformed for a decompression bomb.
    pub fn chunk(&mut self) -> Result<Option<&[u8]>> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let result = self.fill(&mut buffer, CHUNK_BYTES);
        self.buffer = buffer;
        result?;
        Ok((!self.buffer.is_empty()).then_some(&self.buffer))
    }

    /// Appends the next bytes to `buffer` until it has `size` bytes. Returns whether it has, so
    /// that there may be more.
    ///
    /// # Errors
    /// Those of [`Chunks::chunk`].
    pub fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> Result<bool> {
        let before = buffer.len();
        if self.corruption.is_none() {
            let missing = size.saturating_sub(before) as u64;
            match (&mut self.reader).take(missing).read_to_end(buffer) {
                Ok(_) => {}
                Err(error) if self.compression != Compression::None && !is_transfer_error(&error) => {
                    self.corruption = Some(error.to_string());
                }
                Err(error) => return Err(io_error(&self.name, error)),
            }
        }
        self.bytes_read += (buffer.len() - before) as u64;
        if self.compression == Compression::None {
            self.stored_bytes_read.store(self.bytes_read, Ordering::Relaxed);
        }
        if self.bytes_read > self.limit {
            let text = format!("cannot read {}: it decompresses to more than {} bytes", self.name, self.limit);
            return Err(Error::new(ErrorKind::Malformed, text).with_hint("the file looks like a decompression bomb"));
        }
        Ok(buffer.len() >= size)
    }

    /// The compression of the object.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Number of decompressed bytes that were read.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Number of bytes of the stored object that were read so far, before decompression. It changes while the chunks are
    /// read.
    pub fn stored_bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.stored_bytes_read)
    }

    /// The error that stopped decompression before the end of the object, if there was one.
    pub fn corruption(&self) -> Option<&str> {
        self.corruption.as_deref()
    }
}

/// Checks that the store sent as many bytes as its listing has.
fn check_length(sent: u64, listed: u64) -> object_store::Result<()> {
    if sent == listed {
        return Ok(());
    }
    let source = format!("it sent {sent} bytes, expected {listed} by its listing").into();
    Err(object_store::Error::Generic { store: "the store", source })
}

/// The error if a temporary copy cannot be written.
fn copy_error(name: &str, error: std::io::Error) -> Error {
    let text = format!("cannot read {name}: cannot write a temporary copy: {error}");
    Error::new(ErrorKind::Exhausted, text).with_hint("free some space, or set TMPDIR to another folder")
}

/// Whether the error does not concern the content of the object.
fn is_transfer_error(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<object_store::Error>() || error.is::<ThreadLost>())
}

/// Whether a local file is not compressed. Rewinds the file.
fn is_uncompressed(file: &mut File) -> std::io::Result<bool> {
    let mut head = Vec::new();
    (&mut *file).take(4).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(Compression::detect(&head) == Compression::None)
}

fn io_error(name: &str, error: std::io::Error) -> Error {
    if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<ThreadLost>) {
        return Error::new(ErrorKind::Internal, format!("cannot read {name}: {error}"));
    }
    match error.downcast::<object_store::Error>() {
        Ok(error) => read_error(name, error),
        Err(error) => Error::new(ErrorKind::Unreachable, format!("cannot read {name}: {error}")),
    }
}

/// Whether a file is the listed one and has grown since. The version mark of a file is
/// `inode-mtime-size`.
fn has_grown(listed: &StoredObject, now: &ObjectMeta) -> bool {
    let inode = |etag: &str| etag.split('-').next().map(str::to_owned);
    now.size > listed.size && now.e_tag.as_deref().and_then(inode) == inode(&listed.etag)
}

/// The error of a failed read.
fn read_error(name: &str, error: object_store::Error) -> Error {
    let is_replaced =
        matches!(error, object_store::Error::Precondition { .. }) || error.to_string().contains("PreconditionFailed");
    if is_replaced { replaced_error(name) } else { store_error(StoreAction::Read, name, error) }
}

fn replaced_error(name: &str) -> Error {
    let text = format!("cannot read {name}: it was replaced while it was being read");
    Error::new(ErrorKind::Conflict, text).with_hint("ingest again")
}
