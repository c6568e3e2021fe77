//! A trace of tracelake itself, which trace viewers open and tracelake ingests.
//!
//! The other modules and crates report their work as spans of the crate `tracing`, with targets
//! that start with `tracelake`. A program with its own subscriber receives the spans there.
//! Otherwise [`self_trace`] writes them to a file. The crate `tracing-chrome` could not: it writes no
//! epoch, so that ingested times would be unknown, and it panics if the file cannot be written.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::error::{Error, ErrorKind, ErrorSubject, Result};

/// Target of spans that overlap on a thread: a viewer shows each in a row of its own.
pub(crate) const OVERLAPPING_TARGET: &str = "tracelake::request";

/// Target of the span of a task that runs at the same time as others on some thread: a viewer shows it, and the spans in it,
/// in a row of their own.
pub const TASK_TARGET: &str = "tracelake::task";

/// Numbers of rows of tasks that have ended, for the next tasks.
static FREE_ROWS: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// The trace that is being written, for all threads of the process.
static CURRENT: Mutex<Option<Arc<TraceFile>>> = Mutex::new(None);

/// Whether this module is the subscriber of the process.
static INSTALLED: OnceLock<bool> = OnceLock::new();

/// Writes a trace of tracelake into a file, until the value is ended or dropped: opening, listing,
/// reading, decoding, writing and committing, queries and their stages, figures, and each request
/// to a store, with duration and thread.
///
/// The file is Trace Event JSON: ui.perfetto.dev and chrome://tracing open it, and tracelake
/// ingests it. Events have category `tracelake`. Their arguments have paths, names of queries, rows
/// and bytes, but no credentials and no content.
///
/// # Errors
/// Conflict while another profile is written, or if the program has its own subscriber of
/// `tracing`; NotFound, Denied or Exhausted for a file that cannot be written.
///
/// # Examples
/// ```
/// # fn main() -> tracelake_model::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("own.json");
/// let watched = tracelake_lake::self_trace(&path)?;
/// tracing::info_span!(target: "tracelake", "ingest").in_scope(|| ());
/// watched.end()?;
/// assert!(std::fs::read_to_string(&path).unwrap().contains("\"ingest\""));
/// # Ok(())
/// # }
/// ```
pub fn self_trace(path: impl AsRef<Path>) -> Result<SelfTrace> {
    let path = path.as_ref();
    let installed =
        INSTALLED.get_or_init(|| tracing::subscriber::set_global_default(Registry::default().with(SpanLayer)).is_ok());
    if !installed {
        let text = "cannot write a profile: this program has its own subscriber for `tracing`";
        return Err(Error::new(ErrorKind::Conflict, text)
            .with_hint("use that subscriber: it receives the spans, with targets that begin with `tracelake`"));
    }
    let mut trace = CURRENT.lock();
    if let Some(other) = trace.as_ref() {
        let text = format!("cannot write a profile: another one is being written to {}", other.path.display());
        return Err(Error::new(ErrorKind::Conflict, text).with_hint("end that one first"));
    }
    let new_trace = Arc::new(TraceFile::begin(path).map_err(|error| write_error(path, &error))?);
    *trace = Some(Arc::clone(&new_trace));
    Ok(SelfTrace(Some(new_trace)))
}

/// A trace of tracelake itself that is being written: see [`self_trace`].
#[derive(Debug)]
#[must_use = "the profile ends when this is dropped"]
pub struct SelfTrace(Option<Arc<TraceFile>>);

impl SelfTrace {
    /// Completes the file.
    ///
    /// # Errors
    /// Denied or Exhausted if the file could not be written completely.
    pub fn end(mut self) -> Result<()> {
        self.stop()
    }

    fn stop(&mut self) -> Result<()> {
        let Some(trace) = self.0.take() else { return Ok(()) };
        *CURRENT.lock() = None;
        trace.end().map_err(|error| write_error(&trace.path, &error))
    }
}

impl Drop for SelfTrace {
    fn drop(&mut self) {
        // Call `end` to get errors.
        let _ = self.stop();
    }
}

fn write_error(path: &Path, error: &io::Error) -> Error {
    use io::ErrorKind::{IsADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    let kind = match error.kind() {
        NotFound => ErrorKind::NotFound,
        PermissionDenied | IsADirectory | ReadOnlyFilesystem => ErrorKind::Denied,
        _ => ErrorKind::Exhausted,
    };
    Error::new(kind, format!("cannot write the profile {}: {error}", path.display())).with_subject(ErrorSubject::Output)
}

/// The file of a trace, and the start of its times.
struct TraceFile {
    path: PathBuf,
    start: Instant,
    writer: Mutex<SelfTraceWriter>,
}

/// The state of writing a trace.
struct SelfTraceWriter {
    out: BufWriter<File>,
    /// Threads with a name in the file.
    named_threads: BTreeSet<u64>,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl fmt::Debug for TraceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl TraceFile {
    fn begin(path: &Path) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "the profile of tracelake is not a result of a query")]
        let mut out = BufWriter::new(File::create(path)?);
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let process =
            json!({"ph": "M", "pid": std::process::id(), "name": "process_name", "args": {"name": "tracelake"}});
        // Times of events are relative to this one.
        write!(out, "{{\"baseTimeNanoseconds\": {epoch}, \"traceEvents\": [\n{process}")?;
        let writer = Mutex::new(SelfTraceWriter { out, named_threads: BTreeSet::new(), error: None });
        Ok(Self { path: path.to_owned(), start: Instant::now(), writer })
    }

    /// Writes a span that has ended.
    fn write(&self, metadata: &Metadata<'_>, id: u64, span: OpenSpan) {
        let us = |start: Instant, end: Instant| end.saturating_duration_since(start).as_nanos() as f64 / 1e3;
        let now = Instant::now();
        let from = us(self.start, span.start);
        let pid = std::process::id();
        let (name, tid, thread) = (metadata.name(), span.thread.0, span.thread.1);
        let event =
            |ph: &str, ts: f64| json!({"ph": ph, "cat": "tracelake", "name": name, "pid": pid, "tid": tid, "ts": ts});
        let mut events = Vec::new();
        if metadata.target() == OVERLAPPING_TARGET {
            events.extend([event("b", from), event("e", us(self.start, now))]);
            events.iter_mut().for_each(|event| event["id"] = json!(id));
        } else {
            events.push(event("X", from));
            events[0]["dur"] = json!(us(span.start, now));
        }
        events[0]["args"] = Value::Object(span.args.0);

        let mut writer = self.writer.lock();
        if writer.error.is_some() {
            return;
        }
        if writer.named_threads.insert(tid) {
            let named = json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": thread}});
            events.insert(0, named);
        }
        let done = events.iter().try_for_each(|event| write!(writer.out, ",\n{event}"));
        writer.error = done.err();
    }

    fn end(&self) -> io::Result<()> {
        let mut writer = self.writer.lock();
        if let Some(error) = writer.error.take() {
            return Err(error);
        }
        writer.out.write_all(b"\n]}\n")?;
        writer.out.flush()
    }
}

/// Number and name of a thread.
type ThreadInfo = (u64, String);

/// Returns a number that no thread and no task has.
fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns the current thread.
fn current_thread() -> ThreadInfo {
    thread_local! {
        static NUMBER: u64 = next_number();
    }
    (NUMBER.with(|number| *number), std::thread::current().name().unwrap_or("worker").to_owned())
}

/// A span that has not ended.
struct OpenSpan {
    start: Instant,
    /// The thread, or the row of the task.
    thread: ThreadInfo,
    is_in_task: bool,
    args: SpanArguments,
}

/// Passes spans to the trace, if there is one.
struct SpanLayer;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        metadata.is_span() && metadata.target().starts_with("tracelake")
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let is_off = CURRENT.lock().is_none();
        let Some(span) = context.span(id).filter(|_| !is_off) else { return };
        let mut args = SpanArguments(Map::new());
        attributes.record(&mut args);
        let of_task = || {
            let parent = span.parent()?;
            let extensions = parent.extensions();
            extensions.get::<OpenSpan>().filter(|parent| parent.is_in_task).map(|parent| parent.thread.clone())
        };
        let row = if attributes.metadata().target() == TASK_TARGET {
            Some((FREE_ROWS.lock().pop_first().unwrap_or_else(next_number), "task".to_owned()))
        } else {
            of_task()
        };
        let is_in_task = row.is_some();
        let thread = row.unwrap_or_else(current_thread);
        span.extensions_mut().insert(OpenSpan { start: Instant::now(), thread, is_in_task, args });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(span) = extensions.get_mut::<OpenSpan>() {
            values.record(&mut span.args);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let open_span = span.extensions_mut().remove::<OpenSpan>();
        let trace = CURRENT.lock().clone();
        if let Some(open_span) = open_span {
            let row = open_span.thread.0;
            if let Some(trace) = trace {
                trace.write(span.metadata(), id.into_u64(), open_span);
            }
            if span.metadata().target() == TASK_TARGET {
                FREE_ROWS.lock().insert(row);
            }
        }
    }
}

/// The fields of a span as arguments of an event.
struct SpanArguments(Map<String, Value>);

impl Visit for SpanArguments {
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
