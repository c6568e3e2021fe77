//! A trace of tracelake itself, which trace viewers open and tracelake ingests.
//!
//! The other modules and crates report their work as spans of the crate `tracing`, with targets that begin
//! with `tracelake`. A program with a subscriber of its own receives the spans there. Otherwise
//! [`own_profile`] writes them to a file.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::error::{About, Error, ErrorKind, Result};

/// The target of what runs beside other things on a thread: a viewer gives each a row of its own.
pub(crate) const ASIDE: &str = "tracelake::request";

/// The trace that is being written; of the whole process, as its threads are.
static RECORDING: Mutex<Option<Arc<Recording>>> = Mutex::new(None);

/// Whether the spans of this process come here.
static INSTALLED: OnceLock<bool> = OnceLock::new();

/// Writes what tracelake does from now on into a file, until the value is ended or dropped: opening, listing, reading, decoding,
/// writing and committing, queries and their stages, figures, and each request to a store, with how long it took and on which thread.
///
/// The file is Trace Event JSON: ui.perfetto.dev and chrome://tracing open it, and tracelake ingests it. Events have category
/// `tracelake`, and paths, names of queries, rows and bytes in their arguments; no keys and no contents.
///
/// # Errors
/// Conflict while another profile is written, or if the program has a subscriber of its own for `tracing`; NotFound, Denied or
/// Exhausted for a file that cannot be written.
///
/// # Examples
/// ```
/// # fn main() -> tracelake_model::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("own.json");
/// let watched = tracelake_lake::own_profile(&path)?;
/// tracing::info_span!(target: "tracelake", "ingest").in_scope(|| ());
/// watched.end()?;
/// assert!(std::fs::read_to_string(&path).unwrap().contains("\"ingest\""));
/// # Ok(())
/// # }
/// ```
pub fn own_profile(path: impl AsRef<Path>) -> Result<OwnProfile> {
    let path = path.as_ref();
    let installed =
        INSTALLED.get_or_init(|| tracing::subscriber::set_global_default(Registry::default().with(Spans)).is_ok());
    if !installed {
        let text = "cannot write a profile: this program has its own subscriber for `tracing`";
        return Err(Error::new(ErrorKind::Conflict, text)
            .with_hint("use that subscriber: it receives the spans, with targets that begin with `tracelake`"));
    }
    let mut recording = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(other) = recording.as_ref() {
        let text = format!("cannot write a profile: another one is being written to {}", other.path.display());
        return Err(Error::new(ErrorKind::Conflict, text).with_hint("end that one first"));
    }
    let begun = Arc::new(Recording::begin(path).map_err(|error| unwritten(path, &error))?);
    *recording = Some(Arc::clone(&begun));
    Ok(OwnProfile(Some(begun)))
}

/// A trace of tracelake itself that is being written: see [`own_profile`].
#[derive(Debug)]
#[must_use = "the profile ends when this is dropped"]
pub struct OwnProfile(Option<Arc<Recording>>);

impl OwnProfile {
    /// Ends the file.
    ///
    /// # Errors
    /// Denied or Exhausted, if not all of it could be written.
    pub fn end(mut self) -> Result<()> {
        self.stop()
    }

    fn stop(&mut self) -> Result<()> {
        let Some(recording) = self.0.take() else { return Ok(()) };
        *RECORDING.lock().unwrap_or_else(PoisonError::into_inner) = None;
        recording.end().map_err(|error| unwritten(&recording.path, &error))
    }
}

impl Drop for OwnProfile {
    fn drop(&mut self) {
        // Whoever wants to hear of errors calls `end`.
        let _ = self.stop();
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory | io::ErrorKind::ReadOnlyFilesystem => {
            ErrorKind::Denied
        }
        _ => ErrorKind::Exhausted,
    };
    Error::new(kind, format!("cannot write the profile {}: {error}", path.display())).with_about(About::Output)
}

/// A file, and what is known of its time and its threads.
struct Recording {
    path: PathBuf,
    begun: Instant,
    written: Mutex<Written>,
}

struct Written {
    out: BufWriter<File>,
    /// Threads whose names were told.
    threads: BTreeSet<u64>,
    /// The first error; nothing is written behind it.
    failed: Option<io::Error>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl Recording {
    fn begin(path: &Path) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "the profile of tracelake is not a result of a query")]
        let mut out = BufWriter::new(File::create(path)?);
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let process =
            json!({"ph": "M", "pid": std::process::id(), "name": "process_name", "args": {"name": "tracelake"}});
        // The times of events count from here.
        write!(out, "{{\"baseTimeNanoseconds\": {epoch}, \"traceEvents\": [\n{process}")?;
        let written = Mutex::new(Written { out, threads: BTreeSet::new(), failed: None });
        Ok(Self { path: path.to_owned(), begun: Instant::now(), written })
    }

    /// Writes a span that has ended.
    fn write(&self, metadata: &Metadata<'_>, id: u64, span: Span) {
        let us = |from: Instant, to: Instant| to.saturating_duration_since(from).as_nanos() as f64 / 1e3;
        let now = Instant::now();
        let from = us(self.begun, span.begun);
        let pid = std::process::id();
        let (name, tid, thread) = (metadata.name(), span.thread.0, span.thread.1);
        let event =
            |ph: &str, ts: f64| json!({"ph": ph, "cat": "tracelake", "name": name, "pid": pid, "tid": tid, "ts": ts});
        let mut events = Vec::new();
        if metadata.target() == ASIDE {
            events.extend([event("b", from), event("e", us(self.begun, now))]);
            events.iter_mut().for_each(|event| event["id"] = json!(id));
        } else {
            events.push(event("X", from));
            events[0]["dur"] = json!(us(span.begun, now));
        }
        events[0]["args"] = Value::Object(span.args);

        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if written.failed.is_some() {
            return;
        }
        if written.threads.insert(tid) {
            let named = json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": thread}});
            events.insert(0, named);
        }
        let done = events.iter().try_for_each(|event| write!(written.out, ",\n{event}"));
        written.failed = done.err();
    }

    fn end(&self) -> io::Result<()> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = written.failed.take() {
            return Err(error);
        }
        written.out.write_all(b"\n]}\n")?;
        written.out.flush()
    }
}

/// A number and the name of a thread.
type Thread = (u64, String);

/// The thread that runs.
fn thread() -> Thread {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    let number = NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    });
    (number, std::thread::current().name().unwrap_or("worker").to_owned())
}

/// A span that has not ended.
struct Span {
    begun: Instant,
    thread: Thread,
    args: Map<String, Value>,
}

/// Hands spans to the recording, if there is one.
struct Spans;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        metadata.is_span() && metadata.target().starts_with("tracelake")
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let is_off = RECORDING.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let Some(span) = context.span(id).filter(|_| !is_off) else { return };
        let mut args = Arguments(Map::new());
        attributes.record(&mut args);
        span.extensions_mut().insert(Span { begun: Instant::now(), thread: thread(), args: args.0 });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(span) = extensions.get_mut::<Span>() {
            let mut args = Arguments(std::mem::take(&mut span.args));
            values.record(&mut args);
            span.args = args.0;
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let begun = span.extensions_mut().remove::<Span>();
        let recording = RECORDING.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let (Some(begun), Some(recording)) = (begun, recording) {
            recording.write(span.metadata(), id.into_u64(), begun);
        }
    }
}

/// The fields of a span as arguments of an event.
struct Arguments(Map<String, Value>);

impl Visit for Arguments {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), json!(format!("{value:?}")));
    }
}
