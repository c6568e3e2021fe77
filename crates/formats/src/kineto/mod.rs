//! Decodes traces of the PyTorch profiler (Kineto), torch 1.8 to 2.15.
//!
//! A trace is trace-event JSON. Members of its root object describe the job. Every event except metadata is
//! a row of `event`, in the order of the file, with any duration and any overlap. Step marks are also rows of
//! `step`, calls of a data loader's iterator rows of `loader`, and events of an allocator rows of
//! `allocation`, each with the same `object` and `row`. Counters become `sample`.
//!
//! # Units
//! `ts` and `dur` of the files are us with up to three decimals. They are converted from the text, exactly.
//! Times are relative to `baseTimeNanoseconds`, or absolute if they are after 2001. Without a base,
//! `ts` counts from the first event. The base may be after the events: see
//! [`super::Stream::needs_tail`].
//!
//! # Source
//! pytorch/kineto `libkineto/src/output_json.cpp` writes the files; `torch/csrc/profiler/kineto_shim.cpp`
//! and `torch/csrc/autograd/profiler_kineto.cpp` of PyTorch name the arguments.

mod args;
mod header;
mod implied;
mod label;
mod loader_calls;
mod name;
mod overlap;
mod process;
mod root;
mod step_marks;
mod trace;
mod track;
mod track_id;
mod vocabulary;

use std::any::Any;
use std::sync::Arc;

use super::trace_event::{EventReader, TraceItem, find_last_event};
use super::{Decoder, Descriptor, FindSectionStart, Format, FormatDecoder, ObjectInfo, Probe, Sections, Stream};
use crate::error::Result;
use crate::table::Rows;
use header::FilePreview;
use name::TracePath;
use trace::KinetoWriter;

pub(super) use loader_calls::LoaderCalls;
pub(super) use step_marks::StepMarks;
pub(super) use trace::Dialect;
pub(super) use vocabulary::{
    LoaderCall, NamedStep, by_name, is_training, loader as loader_mark, parse_named_step, step_row,
};

/// The rank in a path.
pub(super) fn parse_rank(path: &str) -> Option<i64> {
    TracePath::parse(path).rank()
}

/// Traces of the PyTorch profiler.
#[derive(Debug)]
pub struct Kineto;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "kineto",
    doc: "traces of the PyTorch profiler (Kineto), torch 1.8 to 2.15",
    files: "<worker>.<stamp>.pt.trace.json[.gz], or any name",
    tables: &["event", "step", "loader", "allocation", "sample", "device", "run_attribute"],
    fields: &[
        ("file name: worker, stamp", "event.span, with the rank; node where the worker is <host>_<pid>"),
        ("file or folder name: rank<n>", "rank if distributedInfo does not have it; else worker<n>"),
        ("file name: training_step, validation_step, test_step, predict_step", "event.mode, step.mode of a step mark"),
        ("names: autograd::engine::evaluate_function, Optimizer.step", "step.mode: train for a step with such work"),
        ("baseTimeNanoseconds", "what event.ts counts from; run_attribute"),
        ("distributedInfo.rank", "rank; run_attribute"),
        ("other members of distributedInfo", "run_attribute"),
        ("host_name", "node; run_attribute"),
        ("deviceProperties", "device"),
        ("other members of the root object", "run_attribute"),
        ("metadata thread_name", "event.track"),
        (
            "name",
            "event.name; step.step of a step mark, also of one that the user names; loader.loader of a data loader's",
        ),
        ("cat", "event.raw_category, event.category"),
        ("ph", "event.args.ph of a flow, and of types other than X, B, E, b, e, S, F, i, I, n"),
        ("ts", "event.ts, step.ts, loader.ts, allocation.ts; event.args.ts where it cannot be converted"),
        ("dur", "event.dur, step.dur, loader.dur"),
        ("pid", "event.pid, event.device of device work; event.track if it is a text"),
        ("tid", "event.tid, event.stream of device work; event.track"),
        ("id", "event.correlation of a flow from a launch; else event.args"),
        ("args.External id, args.external id", "event.external_id"),
        ("args.correlation", "event.correlation"),
        ("args.stream", "event.stream"),
        ("args.device", "event.device of device work; else event.args"),
        ("args.finished", "step.complete; event.args"),
        ("args.Addr, Bytes, Total Allocated, Total Reserved", "allocation"),
        ("args.Device Type, Device Id", "allocation.device, event.device of an allocator's event"),
        ("other members of args and of the event", "event.args"),
        ("args of a counter", "sample.value, one row for each number"),
    ],
    not_read: &[
        "s of an instant, bp of a flow: how a viewer draws them",
        "ts of metadata; process_labels, process_sort_index, thread_sort_index: what a viewer prints next to its rows",
        "pid, tid and id of a counter",
        "*.pftrace, *.perfetto-trace, memory timelines and execution traces: other outputs, refused by name or content",
    ],
    source: "pytorch/kineto, libkineto/src/output_json.cpp; pytorch/pytorch, torch/csrc/profiler/kineto_shim.cpp",
    version: 9,
};

impl Format for Kineto {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let preview = FilePreview::of_start(probe.head);
        preview.is_kineto || preview.is_execution_trace
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        TracePath::parse(&object.path).is_from_handler.then(|| Arc::clone(&object.path))
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        let stem = name.strip_suffix(".gz").unwrap_or(name);
        if [".pftrace", ".perfetto-trace"].iter().any(|end| stem.ends_with(end)) {
            return Some("a Perfetto trace in protobuf, which is not read; convert it to JSON with traceconv");
        }
        if stem.ends_with(".pt.trace.json.tmp") {
            return Some("a trace that is still being written");
        }
        if stem.contains("memory_timeline") || stem.ends_with(".raw.json") {
            return Some("a memory timeline, which is not read; the allocations of the trace give the same sums");
        }
        (stem.ends_with("_et.json") || stem.contains("execution_trace") && stem.ends_with(".json"))
            .then_some("an execution trace, which has no times and is not read")
    }

    fn needs_rank(&self, object: &ObjectInfo) -> bool {
        TracePath::parse(&object.path).needs_rank()
    }

    fn rank(&self, _object: &ObjectInfo, head: &[u8]) -> Option<i64> {
        FilePreview::of_start(head).header.rank
    }

    fn number_ranks(&self, files: &[(&str, Option<i64>)]) -> Vec<Option<i64>> {
        name::number_ranks(files)
    }

    fn number_recordings(&self, files: &[(&str, Option<i64>)], existing: &[(Option<i64>, i64)]) -> Vec<Option<i64>> {
        name::number_recordings(files, existing).into_iter().map(Some).collect()
    }

    fn is_file_independent(&self) -> bool {
        false
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Sections(Box::new(TraceDecoder::new(Dialect::Kineto, &DESCRIPTOR)))
    }
}

/// Returns true if a file with these first bytes has trace events.
pub(super) fn has_events(head: &[u8]) -> bool {
    FilePreview::of_start(head).has_events
}

/// Decodes traces. Each file is independent.
#[derive(Debug)]
pub(super) struct TraceDecoder {
    dialect: Dialect,
    descriptor: &'static Descriptor,
    path: Arc<str>,
    reader: EventReader,
    trace: KinetoWriter,
}

impl TraceDecoder {
    pub(super) fn new(dialect: Dialect, descriptor: &'static Descriptor) -> Self {
        let trace = KinetoWriter::new(dialect, &ObjectInfo::default());
        Self { dialect, descriptor, path: Arc::default(), reader: EventReader::default(), trace }
    }
}

impl Decoder for TraceDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.reader = EventReader::default();
        self.trace = KinetoWriter::new(self.dialect, object);
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let trace = &mut self.trace;
        let root = self.reader.end(&mut |item: TraceItem<'_>| trace.add_item(&item, rows));
        trace.end(rows);
        let result = if trace.is_execution_trace {
            Err("it is an execution trace, which has no times; ingest its Kineto trace")
        } else {
            trace.summary.check(root, rows)
        };
        result.map_err(|why| self.descriptor.malformed(&self.path, why))
    }
}

impl Stream for TraceDecoder {
    fn needs_tail(&self, head: &[u8]) -> bool {
        // Writers that write the base before the events write all other members before them too.
        !FilePreview::of_start(head).has_early_base
    }

    fn tail(&mut self, tail: &[u8]) {
        self.trace.read_tail(tail);
    }

    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let trace = &mut self.trace;
        let result = self.reader.push(chunk, &mut |item: TraceItem<'_>| trace.add_item(&item, rows));
        result.map_err(|why| self.descriptor.malformed(&self.path, &why))
    }
}

impl Sections for TraceDecoder {
    fn section_start_finder(&self) -> FindSectionStart {
        find_last_event
    }

    fn section_decoder(&self) -> Option<Box<dyn Sections>> {
        let (trace, reader) = (self.trace.for_section()?, EventReader::at_event());
        Some(Box::new(Self { path: Arc::default(), reader, trace, ..*self }))
    }

    fn join(&mut self, section: Box<dyn Sections>) -> Option<i64> {
        let section = (section as Box<dyn Any>).downcast::<Self>().ok()?;
        if !self.reader.is_between_events() || !section.reader.is_between_events() {
            return None;
        }
        let first_row = self.trace.merge_section(section.trace)?;
        self.reader.skip_section(&section.reader);
        Some(first_row)
    }
}

#[cfg(test)]
mod tests;
