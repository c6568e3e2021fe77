//! The bytes of an object, decompressed, in chunks of bounded size.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek as _, Write as _};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::{GetOptions, GetResultPayload, ObjectMeta, ObjectStoreExt};
use tokio::runtime::Handle;

use super::unpack::{Ahead, Lost};
use super::{Action, Object, Place, store_error};
use crate::error::{Error, ErrorKind, Result};

/// How the bytes are packed, told by their first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, several members allowed.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Compression {
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// Bytes at the beginning or at the end of an object that tell what it is.
pub const EDGE: usize = 64 << 10;

/// Objects whose first bytes are fetched at once.
const HEADS_AT_ONCE: usize = 16;

/// Bytes of a chunk handed to a decoder at once.
const CHUNK: usize = 1 << 20;

/// An object of a bucket that is larger than this comes in ranges, each tried again by itself and several fetched at once: one
/// request for all of it would run out of time.
const WHOLE: u64 = 8 << 20;
const RANGE: u64 = 4 << 20;
const RANGES_AT_ONCE: usize = 4;

/// Output may be so many times the input and no more, beyond a first allowance: a guard against
/// bombs. Real traces of one repeated event reach 200.
const RATIO: u64 = 1000;
const ALLOWANCE: u64 = 64 << 20;

/// The bytes of one object in order, decompressed. Blocking: not for a thread of the engine's runtime.
pub struct Chunks {
    reader: Box<dyn Read + Send>,
    name: String,
    buffer: Vec<u8>,
    given: u64,
    limit: u64,
    packed: Compression,
    damage: Option<String>,
}

/// An object that can be read at any place.
#[derive(Debug)]
pub struct Whole {
    /// Its bytes, unpacked.
    pub file: File,
    /// How many they are.
    pub given: u64,
    /// Why unpacking stopped before the end of the object, if it did.
    pub damage: Option<String>,
}

impl std::fmt::Debug for Chunks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunks({})", self.name)
    }
}

impl Place {
    /// Starts to read an object of this place.
    ///
    /// The returned chunks pull from the network when asked. `handle` is the runtime that does so. A file that is still
    /// being written is read as far as it was listed: its entry says that size, so the next ingest reads the rest.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Conflict when the object was replaced since it was listed.
    pub fn read(&self, object: &Object, handle: &Handle) -> Result<Chunks> {
        let name = self.url_of(&object.location);
        if self.in_ranges(object) {
            let stream = self.ranges(object, handle);
            return Chunks::new(
                Box::new(Pull { stream, handle: handle.clone(), rest: Bytes::new() }),
                name,
                object.size,
            );
        }
        let reader: Box<dyn Read + Send> = match self.get(object, &name, handle)? {
            // As a stream, a file comes in pieces of 8 KiB, each with a way to another thread and back.
            GetResultPayload::File(file, _) => Box::new(file.take(object.size)),
            GetResultPayload::Stream(stream) => Box::new(Pull { stream, handle: handle.clone(), rest: Bytes::new() }),
        };
        Chunks::new(reader, name, object.size)
    }

    /// What the store gives for this object, if it is the one that was listed.
    fn get(&self, object: &Object, name: &str, handle: &Handle) -> Result<GetResultPayload> {
        let got = handle.block_on(self.store().get_opts(&object.location, self.as_listed(object)));
        let got = got.map_err(|error| not_read(name, error))?;
        let same = got.meta.e_tag.as_ref().is_none_or(|etag| *etag == object.etag);
        let grown = self.scheme() == "file" && has_grown(object, &got.meta);
        if !same && !grown {
            return Err(replaced(name));
        }
        Ok(got.payload)
    }

    /// An object as a file that can be read at any place: one of this machine as it is, else a copy of it, unpacked, in the folder for temporary
    /// files, without a name and for nobody else to read. `go_on` is asked between parts of the copy; none if it said no.
    ///
    /// # Errors
    /// As [`Place::read`] and [`Chunks::chunk`]; Exhausted where there is no room for the copy.
    pub fn whole(&self, object: &Object, handle: &Handle, mut go_on: impl FnMut() -> bool) -> Result<Option<Whole>> {
        if self.scheme() == "file"
            && let GetResultPayload::File(mut file, _) = self.get(object, &self.url_of(&object.location), handle)?
            && is_plain(&mut file).map_err(|error| stopped(&self.url_of(&object.location), error))?
        {
            return Ok(Some(Whole { file, given: object.size, damage: None }));
        }
        let mut chunks = self.read(object, handle)?;
        let mut file = tempfile::tempfile().map_err(|error| no_copy(&chunks.name, error))?;
        while let Some(chunk) = chunks.chunk()? {
            let copied = file.write_all(chunk);
            copied.map_err(|error| no_copy(&chunks.name, error))?;
            if !go_on() {
                return Ok(None);
            }
        }
        Ok(Some(Whole { file, given: chunks.given, damage: chunks.damage }))
    }

    /// GET requests that reading this object takes.
    pub fn gets(&self, object: &Object) -> u64 {
        match self.scheme() {
            "file" => 0,
            _ if self.in_ranges(object) => object.size.div_ceil(RANGE),
            _ => 1,
        }
    }

    fn in_ranges(&self, object: &Object) -> bool {
        self.scheme() == "s3" && object.size > WHOLE
    }

    /// Asks a bucket for an object only as it was listed.
    fn as_listed(&self, object: &Object) -> GetOptions {
        let if_match = (self.scheme() == "s3").then(|| object.etag.clone());
        GetOptions { if_match, ..GetOptions::default() }
    }

    /// The object in ranges, in order, fetched ahead in a task that ends with the stream.
    #[expect(
        clippy::disallowed_methods,
        reason = "no caller waits for it: prefetched data is dropped together with its reader"
    )]
    fn ranges(&self, object: &Object, handle: &Handle) -> BoxStream<'static, object_store::Result<Bytes>> {
        let (store, location, size) = (Arc::clone(self.store()), object.location.clone(), object.size);
        let options = self.as_listed(object);
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        handle.spawn(async move {
            let range = |start| {
                let range = Some((start..size.min(start + RANGE)).into());
                let options = GetOptions { range, ..options.clone() };
                let (store, location) = (&store, &location);
                async move { store.get_opts(location, options).await?.bytes().await }
            };
            let starts = (0..size.div_ceil(RANGE)).map(|n| n * RANGE);
            let mut ranges = std::pin::pin!(futures::stream::iter(starts).map(range).buffered(RANGES_AT_ONCE));
            while let Some(bytes) = ranges.next().await {
                if sender.send(bytes).await.is_err() {
                    return;
                }
            }
        });
        let mut left = size;
        let next = move |context: &mut Context<'_>| {
            let next = receiver.poll_recv(context);
            match &next {
                Poll::Ready(Some(Ok(bytes))) => left = left.saturating_sub(bytes.len() as u64),
                Poll::Ready(None) if left > 0 => {
                    left = 0;
                    let source = "the object was not read to its end".into();
                    return Poll::Ready(Some(Err(object_store::Error::Generic { store: "S3", source })));
                }
                _ => {}
            }
            next
        };
        futures::stream::poll_fn(next).boxed()
    }

    /// The first bytes of these objects, decompressed as far as they go: several are fetched at once, and each is given to
    /// `look` with its place in the list.
    ///
    /// # Errors
    /// What `look` makes of them: NotFound, Denied, Unreachable, Malformed.
    pub fn heads<T>(
        &self,
        objects: &[&Object],
        handle: &Handle,
        look: impl Fn(usize, Result<Vec<u8>>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let look = &look;
        let heads = objects.iter().enumerate().map(|(n, object)| async move { look(n, self.head(object).await) });
        handle.block_on(futures::stream::iter(heads).buffered(HEADS_AT_ONCE).try_collect())
    }

    async fn head(&self, object: &Object) -> Result<Vec<u8>> {
        if object.size == 0 {
            return Ok(Vec::new());
        }
        let end = object.size.min(EDGE as u64);
        let name = self.url_of(&object.location);
        let bytes = self.store().get_range(&object.location, 0..end).await;
        let bytes = bytes.map_err(|error| store_error(Action::Read, &name, error))?;
        let mut chunks = Chunks::new(Box::new(bytes.reader()), name, object.size)?;
        // A cut member is no damage here: it was cut by us.
        Ok(chunks.chunk()?.map(<[u8]>::to_vec).unwrap_or_default())
    }

    /// The last bytes of an object, decompressed: a compressed one is read whole.
    ///
    /// # Errors
    /// As [`Place::read`], and Malformed for a decompression bomb.
    pub fn tail(&self, object: &Object, packed: Compression, handle: &Handle) -> Result<Vec<u8>> {
        if packed == Compression::None {
            let name = self.url_of(&object.location);
            let range = Some((object.size.saturating_sub(EDGE as u64)..object.size).into());
            let options = GetOptions { range, ..self.as_listed(object) };
            let got = async { self.store().get_opts(&object.location, options).await?.bytes().await };
            return handle.block_on(got).map(|bytes| bytes.to_vec()).map_err(|error| not_read(&name, error));
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

/// The stream of an object as a blocking reader.
struct Pull {
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    handle: Handle,
    rest: Bytes,
}

impl Read for Pull {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        while self.rest.is_empty() {
            match self.handle.block_on(self.stream.next()) {
                Some(Ok(bytes)) => self.rest = bytes,
                Some(Err(error)) => return Err(std::io::Error::other(Stopped(error))),
                None => return Ok(0),
            }
        }
        let n = buf.len().min(self.rest.len());
        self.rest.copy_to_slice(&mut buf[..n]);
        Ok(n)
    }
}

/// A store's error on its way through `std::io`.
#[derive(Debug)]
struct Stopped(object_store::Error);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Stopped {}

impl Chunks {
    fn new(mut reader: Box<dyn Read + Send>, name: String, size: u64) -> Result<Self> {
        let mut head = Vec::new();
        (&mut reader).take(4).read_to_end(&mut head).map_err(|error| stopped(&name, error))?;
        let packed = Compression::of(&head);
        let reader = Read::chain(Cursor::new(head), reader);
        let buffered = |reader| BufReader::with_capacity(256 << 10, reader);
        let reader: Box<dyn Read + Send> = match packed {
            Compression::None => Box::new(reader),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(reader))),
            Compression::Zstd => {
                let unpacked = zstd::stream::read::Decoder::with_buffer(buffered(reader));
                Box::new(unpacked.map_err(|error| stopped(&name, error))?)
            }
        };
        let limit = ALLOWANCE + size.saturating_mul(RATIO);
        Ok(Self { reader, name, buffer: Vec::new(), given: 0, limit, packed, damage: None })
    }

    /// Unpacks in a thread of its own from here on, if there is something to unpack and a thread to be had.
    #[must_use]
    pub fn unpack_ahead(mut self) -> Self {
        if self.packed != Compression::None {
            self.reader = match Ahead::new(self.reader) {
                Ok(ahead) => Box::new(ahead),
                Err(reader) => reader,
            };
        }
        self
    }

    /// The next chunk; `None` at the end, also at the end of what could be unpacked, see [`Chunks::damage`].
    ///
    /// # Errors
    /// Unreachable when the store stopped in mid-body; Malformed for a decompression bomb.
    pub fn chunk(&mut self) -> Result<Option<&[u8]>> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let result = self.fill(&mut buffer, CHUNK);
        self.buffer = buffer;
        result?;
        Ok((!self.buffer.is_empty()).then_some(&self.buffer))
    }

    /// Adds the next bytes to `room` until that holds `size`; whether it does, so that there may be more.
    ///
    /// # Errors
    /// As [`Chunks::chunk`].
    pub fn fill(&mut self, room: &mut Vec<u8>, size: usize) -> Result<bool> {
        let before = room.len();
        if self.damage.is_none() {
            let wanted = size.saturating_sub(before) as u64;
            match (&mut self.reader).take(wanted).read_to_end(room) {
                Ok(_) => {}
                Err(error) if self.packed != Compression::None && !is_store(&error) => {
                    self.damage = Some(error.to_string());
                }
                Err(error) => return Err(stopped(&self.name, error)),
            }
        }
        self.given += (room.len() - before) as u64;
        if self.given > self.limit {
            let text = format!("cannot read {}: it decompresses to more than {} bytes", self.name, self.limit);
            return Err(Error::new(ErrorKind::Malformed, text).with_hint("the file looks like a decompression bomb"));
        }
        Ok(room.len() >= size)
    }

    /// How the bytes are packed.
    pub fn packed(&self) -> Compression {
        self.packed
    }

    /// Bytes of the content so far.
    pub fn given(&self) -> u64 {
        self.given
    }

    /// Why unpacking stopped before the end of the object, if it did.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }
}

/// What is said when there is no copy of an object.
fn no_copy(name: &str, error: std::io::Error) -> Error {
    let text = format!("cannot read {name}: cannot write a temporary copy: {error}");
    Error::new(ErrorKind::Exhausted, text).with_hint("free some space, or set TMPDIR to another folder")
}

/// Whether an error says nothing about the content.
fn is_store(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Stopped>() || error.is::<Lost>())
}

/// Whether a file of this machine is not packed; it is read from its beginning afterwards.
fn is_plain(file: &mut File) -> std::io::Result<bool> {
    let mut head = Vec::new();
    (&mut *file).take(4).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(Compression::of(&head) == Compression::None)
}

fn stopped(name: &str, error: std::io::Error) -> Error {
    if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Lost>) {
        return Error::new(ErrorKind::Internal, format!("cannot read {name}: {error}"));
    }
    match error.downcast::<Stopped>() {
        Ok(Stopped(error)) => not_read(name, error),
        Err(error) => Error::new(ErrorKind::Unreachable, format!("cannot read {name}: {error}")),
    }
}

/// Whether a file is the one that was listed, with more written to it. The tag of a file is `inode-mtime-size`.
fn has_grown(listed: &Object, now: &ObjectMeta) -> bool {
    let inode = |etag: &str| etag.split('-').next().map(str::to_owned);
    now.size > listed.size && now.e_tag.as_deref().and_then(inode) == inode(&listed.etag)
}

/// Whether a bucket no longer has the object that it listed, but another in its place.
fn is_replaced(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::Precondition { .. }) || error.to_string().contains("PreconditionFailed")
}

/// Why the store did not give it.
fn not_read(name: &str, error: object_store::Error) -> Error {
    if is_replaced(&error) { replaced(name) } else { store_error(Action::Read, name, error) }
}

fn replaced(name: &str) -> Error {
    let text = format!("cannot read {name}: it was replaced while it was being read");
    Error::new(ErrorKind::Conflict, text).with_hint("ingest again")
}
