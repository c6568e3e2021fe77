//! Exports a run as a trace for other viewers: Trace Event JSON, for ui.perfetto.dev and chrome://tracing.
//!
//! The trace has all rows of `event`, merged over ranks and recordings: intervals as complete events, events without a
//! duration as instants, arrows as flows. Measurements (`sample`, and the memory of allocators) are counters. Processes
//! and threads have names and an order. Partly overlapping intervals go to separate lanes, so that no viewer drops one.
//! Timestamps are us since `baseTimeNanoseconds`, computed from integers without floating point. Rows are read in time
//! windows and written immediately, so memory is bounded.
//!
//! # Source
//! [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU);
//! `baseTimeNanoseconds` and the arguments of PyTorch's events are those of pytorch/kineto, `output_json.cpp`.

mod args;
mod event;
mod flow;
mod lane;
mod name;
mod out;
mod reader;
mod root;
mod track;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;

use arrow::array::Array;

use self::args::EventSource;
use self::event::{Allocations, Events};
use self::flow::FlowIds;
use self::name::TraceObject;
use self::out::TraceOutput;
use self::reader::{Clock, RunReader, TimeSpan, columns, doubles, integer, integers, text, texts};
use self::track::ExportTracks;
use self::write::ChromeTraceWriter;
use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;

/// The names of the export formats.
const FORMATS: &[&str] = &["chrome"];

/// The base of timestamps is a whole second, ns.
const SECOND: i64 = 1_000_000_000;

/// Summary of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportSummary {
    /// Name of the run.
    pub run: String,
    /// Intervals: events with a duration.
    pub slices: u64,
    /// Events without a duration, or with a negative one.
    pub instants: u64,
    /// Flow events: ends of arrows.
    pub flows: u64,
    /// Values of counters: measurements, and the memory of allocators.
    pub counters: u64,
    /// Intervals on additional lanes, because they overlap others of their track in part.
    pub extra_lanes: u64,
    /// Rows without a timestamp, and measurements without a number.
    pub excluded: u64,
    /// Bytes of JSON, before compression.
    pub bytes: u64,
}

impl fmt::Display for ExportSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} slices ({} on separate lanes), {} instants, {} flows, {} counter values, {:.1} MB of JSON",
            self.run,
            self.slices,
            self.extra_lanes,
            self.instants,
            self.flows,
            self.counters,
            self.bytes as f64 / 1e6
        )?;
        if self.excluded > 0 {
            write!(f, "; skipped {} rows without a time or a value", self.excluded)?;
        }
        Ok(())
    }
}

impl Session {
    /// Writes a run as a trace for other viewers. The only `format` is `chrome`: Trace Event JSON, for ui.perfetto.dev and
    /// chrome://tracing. To write a file, with compression if its extension says so, see [`crate::cli::export_file`].
    ///
    /// The trace has all rows of `event` that have a timestamp, over all ranks and recordings, and `sample` and the memory of
    /// allocators as counters. Readers take a file as one recording. So with several ranks, flows have other ids than in the
    /// profile, and processes and threads have other numbers if two have the same.
    ///
    /// # Units
    /// `ts` and `dur` in the file are us with up to three decimals, exact; `ts` counts from `baseTimeNanoseconds`.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for an unknown format; errors of the queries; Exhausted when writing to `out`
    /// fails.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/pytorch_ddp";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// let mut file = Vec::new();
    /// let exported = s.export("pytorch_ddp", "chrome", &mut file)?;
    /// let events = s.sql("select count(*) as n from event")?.value::<i64>(0, "n")?;
    /// assert_eq!(Some((exported.slices + exported.instants + exported.flows) as i64), events);
    /// assert_eq!(exported.bytes, file.len() as u64);
    /// # Ok(())
    /// # }
    /// ```
    pub fn export(&self, run: &str, format: &str, out: &mut dyn Write) -> Result<ExportSummary> {
        if !FORMATS.contains(&format) {
            return Err(Error::unknown("export format", format, FORMATS).with_kind(ErrorKind::Argument));
        }
        let reader = RunReader::new(self, &self.select_run(run)?)?;
        let (keys, absolute, without_ts) = reader.tracks()?;
        let recorded = if without_ts > 0 { reader.recorded_span()? } else { TimeSpan::default() };
        let (sample_owners, samples, samples_without_ts) = reader.sample_owners()?;

        let starts = [absolute, samples].map(|span| (span.events > 0).then_some(span.first));
        let base = starts.into_iter().flatten().min().map(|first| first.div_euclid(SECOND) * SECOND);
        // Timestamps since the first event begin at the base. Without a base they stay unchanged, except if some are
        // negative, because viewers drop those.
        let shift = if base.is_some() { recorded.first } else { recorded.first.min(0) }.saturating_neg();

        let (objects, sources, recordings) = describe_objects(&reader);
        let tracks = ExportTracks::new(&keys, &objects, &sample_owners.iter().cloned().collect::<BTreeSet<_>>());
        let members = root::members(&reader, base)?;
        let mut writer = ChromeTraceWriter {
            out: TraceOutput::begin(out, &members),
            tracks,
            sources,
            flow_ids: FlowIds { recordings },
            summary: ExportSummary { run: run.to_owned(), ..ExportSummary::default() },
        };
        writer.summary.excluded = without_ts - recorded.events + samples_without_ts;
        writer.write_names()?;
        let base_ns = base.unwrap_or_default();
        write_events(&reader, Clock::Absolute, absolute, base_ns.saturating_neg(), &mut writer)?;
        write_events(&reader, Clock::Recorded, recorded, shift, &mut writer)?;
        if !sample_owners.is_empty() {
            write_counters(&reader, (base_ns, shift), &mut writer)?;
        }
        writer.summary.bytes = writer.out.finish()?;
        Ok(writer.summary)
    }
}

/// Writes the events of one clock, window by window. `shift` is added to their timestamps.
fn write_events(
    reader: &RunReader<'_>,
    clock: Clock,
    span: TimeSpan,
    shift: i64,
    writer: &mut ChromeTraceWriter<'_>,
) -> Result<()> {
    if span.events == 0 {
        return Ok(());
    }
    let windows = reader.windows(clock, span)?;
    let mut next = None;
    for (number, window) in windows.iter().enumerate() {
        let batches = match next.take() {
            Some(batches) => batches,
            None => reader.events(clock, *window)?,
        };
        let mut events = Events::default();
        events.read(batches, shift)?;
        let mut allocations = Allocations::default();
        if let Some(batches) = reader.allocations(clock, *window)? {
            allocations.read(batches)?;
        }
        // The engine reads the next window while this one is written.
        if let Some(window) = windows.get(number + 1) {
            next = Some(reader.events(clock, *window)?);
        }
        for row in events.sorted() {
            writer.write_event(&row, &allocations)?;
        }
    }
    Ok(())
}

/// Writes the measurements as counters.
fn write_counters(reader: &RunReader<'_>, (base, shift): (i64, i64), writer: &mut ChromeTraceWriter<'_>) -> Result<()> {
    for batch in reader.samples(base, shift)? {
        let batch = batch?;
        let [node, resource, device, metric, unit, raw_name, raw_dimension] = columns(0, |n| texts(&batch, n))?;
        let (rank, ts, value) = (integers(&batch, 7)?, integers(&batch, 8)?, doubles(&batch, 9)?);
        for row in 0..batch.num_rows() {
            let process = writer.tracks.resources(text(&node, row), integer(&rank, row));
            let value = value.is_valid(row).then(|| value.value(row)).filter(|number| number.is_finite());
            let (Some(process), Some(ts), Some(value)) = (process, integer(&ts, row), value) else {
                writer.summary.excluded += 1;
                continue;
            };
            let pid = process.pid;
            let resource = text(&resource, row).unwrap_or_default();
            match (resource, text(&raw_name, row), text(&raw_dimension, row)) {
                // A counter of a trace, or a scalar of the training, has its original name.
                ("training", Some(name), Some(key)) => writer.write_counter(pid, ts, (name, key), value)?,
                _ => {
                    let what = text(&device, row).unwrap_or(resource);
                    let name = format!("{what} {}", text(&metric, row).unwrap_or_default());
                    writer.write_counter(pid, ts, (&name, text(&unit, row).unwrap_or("value")), value)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns what names and arguments need to know about each object, by its number, and the number of recordings.
fn describe_objects(reader: &RunReader<'_>) -> (BTreeMap<i64, TraceObject>, BTreeMap<i64, EventSource>, u64) {
    let (mut objects, mut sources, mut recordings) = (BTreeMap::new(), BTreeMap::new(), 0);
    for entry in &reader.manifest.objects {
        let format = entry.format.as_deref();
        let recording = entry.recording.map(|_| recordings);
        recordings += u64::from(recording.is_some());
        objects.insert(
            entry.id,
            TraceObject {
                recording: if recording.is_some() { entry.id.saturating_add(1) } else { 0 },
                file: entry.url.rsplit('/').next().unwrap_or_default().to_owned(),
                process_in_track: format == Some("chrome_trace"),
            },
        );
        let is_trace = matches!(format, Some("kineto" | "chrome_trace"));
        sources.insert(entry.id, EventSource { is_trace, recording: recording.unwrap_or_default() });
    }
    (objects, sources, recordings)
}
