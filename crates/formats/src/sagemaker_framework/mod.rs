//! Framework timelines of SageMaker Debugger, into `event`, `step`, `loader` and `sample`.
//!
//! The hook in the training script and the AWS builds of the frameworks write trace events: JSON arrays with one event
//! on each line, in files of a minute or 10 MiB. The TensorFlow profiler adds whole traces, compressed with gzip. All
//! files of one process and kind are decoded together in the order of their names, because a `B` and its `E` may be in
//! two of them, and names of phases apply to later files.
//!
//! Each event except metadata becomes a row of `event`, in the order of the file. This includes events with zero or
//! negative duration and exact repetitions. A pair of `B` and `E` is one row and belongs to the file of the `E`. Step
//! marks are also rows of `step`, and events of data loaders are also rows of `loader`, with the same `object` and
//! `row`. Counters become rows of `sample`.
//!
//! # Units
//! `ts` and `dur` of the files are us, integer or decimal, and are converted exactly. `ts` counts from the offset in a
//! metadata event, or from the start in the name of a TensorFlow trace's `.metadata` file. Without either, `ts` is null
//! and the raw time is in `args`.
//!
//! # Source
//! `awslabs/sagemaker-debugger` 1.0.34 (commit 3b82de3): `smdebug/core/tfevent/timeline_file_writer.py` writes the
//! files, `smdebug/profiler/trace_event_file_parser.py` and `smdebug/profiler/utils.py` read them.
//! `smdebug/pytorch/hook.py` and `smdebug/tensorflow/keras.py` contain the names of phases.

mod args;
mod names;
mod path;
mod timeline;
mod vocabulary;

pub(super) use path::{find_rank, processes, split_node};

use std::sync::Arc;

use super::trace_event::{EventReader, TraceItem};
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream};
use crate::error::Result;
use crate::table::Rows;
use path::TimelineName;
use timeline::Timeline;

/// Framework timelines of SageMaker Debugger.
#[derive(Debug)]
pub struct SagemakerFramework;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "sagemaker_framework",
    doc: "framework timelines of SageMaker Debugger: steps, phases, modules, operators, data loading, communication",
    files: "framework/pevents/<hour>/<end_us>_<number>-<host>_<kind>.json, framework/tensorflow/detailed_profiling/**/<host>.trace.json.gz",
    tables: &["event", "step", "loader", "sample", "run_attribute"],
    fields: &[
        ("file name: number", "rank if the numbers of all files are 0..n-1, else event.pid; event.span"),
        ("file name: host", "node"),
        ("file name: kind", "event.raw_category"),
        ("metadata file name: start_us", "what event.ts of a TensorFlow trace counts from"),
        ("metadata start_time_since_epoch_in_micros", "what event.ts counts from"),
        ("metadata process_name", "event.track, event.category, event.device"),
        ("metadata thread_name", "event.args.thread_name"),
        ("name", "event.name; event.mode, step.mode of a step mark; loader.loader of an init"),
        ("ph", "event.args.ph of types other than X, B, E, i"),
        ("ts", "event.ts, step.ts, loader.ts; event.args.ts where it cannot be converted"),
        ("dur", "event.dur, step.dur, loader.dur"),
        ("pid", "event.track; event.args.phase where the phase has no name"),
        ("tid", "event.tid"),
        ("args.step_num", "event.step, step.step; event.args.step_num where a writer has it in an unusual form"),
        ("args.pid", "event.pid, loader.pid"),
        ("args.thread_id, args.tid", "event.tid"),
        ("args.worker_id", "loader.worker; event.args"),
        ("args.num_workers, args.pin_memory", "loader.num_workers, loader.pin_memory, run_attribute; event.args"),
        ("args.bytes_fetched", "loader.bytes; event.args"),
        ("other members of args and of the event", "event.args"),
        ("args of a counter", "sample.value, one row for each number"),
    ],
    not_read: &[
        "end_us in a file's name: the events have their end times",
        "process_sort_index, thread_sort_index: order of rows in a viewer",
        "end_us of a TensorFlow trace's metadata file: the events have their end times",
        "*.pb next to a TensorFlow trace: summaries of the same trace",
        "*.tmp: still being written",
    ],
    source: "awslabs/sagemaker-debugger 1.0.34, smdebug/core/tfevent/timeline_file_writer.py and smdebug/profiler/trace_event_file_parser.py",
    version: 3,
};

impl Format for SagemakerFramework {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        let text = head.trim_start_matches('\u{feff}').trim_start();
        let has_offset = match text.bytes().next() {
            Some(b'[') => text.contains("\"start_time_since_epoch_in_micros\""),
            // traces of the TensorFlow profiler look like those of other writers, so only the path counts
            Some(b'{') | None => false,
            Some(_) => return false,
        };
        has_offset || self.group(probe.info).is_some()
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        if path::is_tensorflow_trace(&object.path) {
            return Some(Arc::clone(&object.path));
        }
        if !path::is_timeline(&object.path) {
            return None;
        }
        let name = TimelineName::parse(object.name());
        let folder = object.path.split_once("pevents/").map_or("", |(folder, _)| folder);
        let Some(host) = name.host else { return Some(Arc::clone(&object.path)) };
        let number = name.number.map(|number| format!("{number}-")).unwrap_or_default();
        Some(format!("{folder}pevents/{number}{host}/{}", name.category).into())
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        let is_in = |folder: &str| object.path.split('/').rev().skip(1).any(|part| part == folder);
        match name.rsplit_once('.')?.1 {
            "tmp" if is_in("framework") => Some("still being written"),
            _ if name == "training_job_end.ts" && is_in("framework") => {
                Some("an empty file that marks the end of the job")
            }
            "csv" if is_in("pevents") => Some("not a timeline: the names of timelines end in .json"),
            "metadata" if is_in("detailed_profiling") => Some("its name is read with the trace next to it"),
            "profile-empty" if is_in("detailed_profiling") => Some("an empty marker file of the TensorFlow profiler"),
            "pb" if is_in("detailed_profiling") => Some("a summary of the trace next to it"),
            _ => None,
        }
    }

    fn is_file_independent(&self) -> bool {
        false
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(FrameworkDecoder::default()))
    }
}

/// Decodes the files of one process and kind.
#[derive(Debug, Default)]
struct FrameworkDecoder {
    path: Arc<str>,
    reader: EventReader,
    timeline: Timeline,
}

impl Decoder for FrameworkDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.reader = EventReader::default();
        self.timeline.begin(object, rows);
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let timeline = &mut self.timeline;
        let root = self.reader.end(&mut |item: TraceItem<'_>| timeline.handle_item(&item, rows));
        timeline.end(rows);
        timeline.summary.check(root, rows).map_err(|why| DESCRIPTOR.malformed(&self.path, why))
    }

    fn finish(&mut self, rows: &mut Rows) -> Result<()> {
        self.timeline.finish(rows);
        Ok(())
    }

    fn can_continue(&self, object: &ObjectInfo) -> bool {
        path::is_timeline(&object.path) && self.timeline.can_continue(object)
    }
}

impl Stream for FrameworkDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let timeline = &mut self.timeline;
        let pushed = self.reader.push(chunk, &mut |item: TraceItem<'_>| timeline.handle_item(&item, rows));
        pushed.map_err(|why| DESCRIPTOR.malformed(&self.path, &why))
    }
}

#[cfg(test)]
mod tests;
