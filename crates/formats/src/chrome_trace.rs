//! Decodes trace-event JSON of any other writer into `event`: viztracer, Ray, JAX, Chrome itself.
//!
//! The decoder is that of the PyTorch profiler's traces. `B` and `E`, and asynchronous `b` and `e`, become
//! intervals. Names of processes are part of `track`, and categories are stored as written. Most of these
//! traces do not have the base of their times; then `ts` is null and the time as written is in `args`.
//!
//! # Source
//! [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).

use super::kineto::{Dialect, Kineto, TraceDecoder, has_events};
use super::{Descriptor, Format, FormatDecoder, ObjectInfo, Probe};

/// Trace-event JSON.
#[derive(Debug)]
pub struct ChromeTrace;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "chrome_trace",
    doc: "trace-event JSON of any other writer: viztracer, Ray, JAX, Chrome",
    files: "*.json[.gz]",
    tables: &["event", "step", "loader", "allocation", "sample", "device", "run_attribute"],
    fields: &[
        ("file or folder name: rank<n>", "rank; else worker<n>"),
        ("baseTimeNanoseconds, also of viztracer_metadata", "what event.ts counts from; run_attribute"),
        ("members of the root object", "run_attribute"),
        ("metadata process_name, thread_name", "event.track"),
        ("name", "event.name"),
        ("cat", "event.raw_category; event.category if PyTorch has this category too"),
        ("ph", "event.args.ph of a flow, and of types other than X, B, E, b, e, S, F, i, I, n"),
        ("ts", "event.ts; event.args.ts where it cannot be converted"),
        ("dur", "event.dur"),
        ("pid, tid", "event.pid, event.tid; event.track if they are texts"),
        ("args, other members of the event", "event.args; as in kineto if they have its names"),
        ("args of a counter", "sample.value, one row for each number"),
    ],
    not_read: &[
        "s of an instant, bp of a flow: how a viewer draws them",
        "ts of metadata; process_labels, process_sort_index, thread_sort_index: what a viewer prints next to its rows",
        "pid, tid and id of a counter",
    ],
    source: "Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU",
    version: 7,
};

impl Format for ChromeTrace {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        has_events(probe.head)
    }

    fn needs_rank(&self, object: &ObjectInfo) -> bool {
        Kineto.needs_rank(object)
    }

    fn rank(&self, object: &ObjectInfo, head: &[u8]) -> Option<i64> {
        Kineto.rank(object, head)
    }

    fn number_ranks(&self, files: &[(&str, Option<i64>)]) -> Vec<Option<i64>> {
        Kineto.number_ranks(files)
    }

    fn number_recordings(&self, files: &[(&str, Option<i64>)], existing: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        Kineto.number_recordings(files, existing)
    }

    fn is_file_independent(&self) -> bool {
        false
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Sections(Box::new(TraceDecoder::new(Dialect::Chrome, &DESCRIPTOR)))
    }
}
