//! A run as a trace that other viewers open: Trace Event JSON, for ui.perfetto.dev and chrome://tracing.
//!
//! Everything in `event` is written, merged over ranks and recordings: intervals as complete events, moments as instants,
//! arrows as flows; measurements (`sample`, and what allocators hold) as counters. Processes and threads have names and an
//! order. Intervals that overlap in part go to lanes of their own, so that no viewer drops one. Times count from
//! `baseTimeNanoseconds`, in us, from the integers and not through floating point. Rows are read in windows of time, so that
//! memory is bounded, and written as they come.
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
mod recorded;
mod root;
mod scan;
mod track;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;

use arrow::array::Array;

use self::args::Source;
use self::event::{Allocations, Events};
use self::flow::Flows;
use self::name::Object;
use self::out::Out;
use self::scan::{Clock, Scan, columns, doubles, integer, integers, text, texts};
use self::track::Tracks;
use self::write::Writer;
use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;

/// The formats of an export.
const FORMATS: &[&str] = &["chrome"];

/// Times count from a whole second.
const SECOND: i64 = 1_000_000_000;

/// What an export wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// Name of the run.
    pub run: String,
    /// Intervals: events with a duration.
    pub slices: u64,
    /// Events without one, or with one below zero.
    pub instants: u64,
    /// Ends of arrows.
    pub flows: u64,
    /// Values of counters: measurements, and what allocators hold.
    pub counters: u64,
    /// Intervals on further lanes, because they overlap others of their track in part.
    pub moved: u64,
    /// Rows that have no time, and measurements that are no number.
    pub excluded: u64,
    /// Bytes of JSON, before packing.
    pub bytes: u64,
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} slices ({} on separate lanes), {} instants, {} flows, {} counter values, {:.1} MB of JSON",
            self.run,
            self.slices,
            self.moved,
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
    /// Writes a run as a trace for other viewers; the only `format` is `chrome`: Trace Event JSON, which ui.perfetto.dev
    /// and chrome://tracing open. For a file, packed if its name says so, see [`crate::cli::export_file`].
    ///
    /// All rows of `event` that have a time are written, over all ranks and recordings, and `sample` and what allocators
    /// hold as counters. A file is one recording to whoever reads it: of several ranks, flows have other ids than in the
    /// profile, and processes and threads other numbers where two have the same.
    ///
    /// # Units
    /// `ts` and `dur` of the file are us with up to three decimals, exact; `ts` counts from `baseTimeNanoseconds`.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for an unknown format; whatever reading meets; Exhausted when `out` takes no
    /// more.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/pytorch_ddp";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let mut file = Vec::new();
    /// let exported = s.export("pytorch_ddp", "chrome", &mut file)?;
    /// let events = s.sql("select count(*) as n from event")?.value::<i64>(0, "n")?;
    /// assert_eq!(Some((exported.slices + exported.instants + exported.flows) as i64), events);
    /// assert_eq!(exported.bytes, file.len() as u64);
    /// # Ok(())
    /// # }
    /// ```
    pub fn export(&self, run: &str, format: &str, out: &mut dyn Write) -> Result<Exported> {
        if !FORMATS.contains(&format) {
            return Err(Error::unknown("export format", format, FORMATS).of_kind(ErrorKind::Argument));
        }
        let scan = Scan::new(self, &self.select_run(run)?)?;
        let (seen, absolute, untimed) = scan.tracks()?;
        let recorded = if untimed > 0 { scan.recorded()? } else { scan::Span::default() };
        let (measured, samples, unmeasured) = scan.measured()?;

        let starts = [absolute, samples].map(|span| (span.events > 0).then_some(span.first));
        let base = starts.into_iter().flatten().min().map(|first| first.div_euclid(SECOND) * SECOND);
        let times = Times {
            base: base.unwrap_or_default(),
            // What counts from an unknown start begins where the rest does; alone it stays as it is, but for times below 0,
            // which viewers drop.
            shift: match base {
                Some(_) => recorded.first.saturating_neg(),
                None => recorded.first.min(0).saturating_neg(),
            },
        };

        let (objects, sources, recordings) = objects(&scan);
        let tracks = Tracks::new(&seen, &objects, &measured.into_iter().collect::<BTreeSet<_>>());
        let members = root::members(&scan, base)?;
        let mut writer = Writer {
            out: Out::begin(out, &members),
            tracks,
            sources,
            flows: Flows { recordings },
            times_as_recorded: false,
            told: Exported { run: run.to_owned(), ..Exported::default() },
        };
        writer.told.excluded = untimed - recorded.events + unmeasured;
        writer.names()?;
        events(&scan, Clock::Absolute, absolute, times.base.saturating_neg(), &mut writer)?;
        writer.times_as_recorded = base.is_none() && times.shift == 0;
        events(&scan, Clock::Recorded, recorded, times.shift, &mut writer)?;
        if samples.events > 0 {
            counters(&scan, times.base, &mut writer)?;
        }
        writer.told.bytes = writer.out.end()?;
        Ok(writer.told)
    }
}

/// What times of the file count from.
struct Times {
    base: i64,
    /// What is added to times that count from an unknown start.
    shift: i64,
}

/// Writes the events of one clock, window by window.
fn events(scan: &Scan<'_>, clock: Clock, span: scan::Span, shift: i64, writer: &mut Writer<'_>) -> Result<()> {
    if span.events == 0 {
        return Ok(());
    }
    let windows = scan.windows(clock, span)?;
    let mut next = None;
    for (number, window) in windows.iter().enumerate() {
        let batches = match next.take() {
            Some(batches) => batches,
            None => scan.events(clock, *window)?,
        };
        let mut events = Events::default();
        events.read(batches, shift)?;
        let mut allocations = Allocations::default();
        if let Some(batches) = scan.allocations(clock, *window)? {
            allocations.read(batches)?;
        }
        // The engine reads on while this window is written.
        if let Some(window) = windows.get(number + 1) {
            next = Some(scan.events(clock, *window)?);
        }
        for row in events.in_order() {
            writer.event(&row, &allocations)?;
        }
    }
    Ok(())
}

/// Writes the measurements.
fn counters(scan: &Scan<'_>, base: i64, writer: &mut Writer<'_>) -> Result<()> {
    for batch in scan.samples()? {
        let batch = batch?;
        let [node, resource, device, metric, unit, raw_name, raw_dimension] = columns(0, |n| texts(&batch, n))?;
        let (rank, ts, value) = (integers(&batch, 7)?, integers(&batch, 8)?, doubles(&batch, 9)?);
        for row in 0..batch.num_rows() {
            let process = writer.tracks.resources(text(&node, row), integer(&rank, row));
            let value = value.is_valid(row).then(|| value.value(row)).filter(|number| number.is_finite());
            let (Some(process), Some(ts), Some(value)) = (process, integer(&ts, row), value) else {
                writer.told.excluded += 1;
                continue;
            };
            let pid = process.pid;
            let ts = ts.saturating_sub(base);
            let resource = text(&resource, row).unwrap_or_default();
            match (resource, text(&raw_name, row), text(&raw_dimension, row)) {
                // A counter of a trace, or a scalar of the training: named as it was.
                ("training", Some(name), Some(key)) => writer.counter(pid, ts, (name, key), value)?,
                _ => {
                    let what = text(&device, row).unwrap_or(resource);
                    let name = format!("{what} {}", text(&metric, row).unwrap_or_default());
                    writer.counter(pid, ts, (&name, text(&unit, row).unwrap_or("value")), value)?;
                }
            }
        }
    }
    Ok(())
}

/// What is known of the objects, by number; and how many of them are recordings.
fn objects(scan: &Scan<'_>) -> (BTreeMap<i64, Object>, BTreeMap<i64, Source>, u64) {
    let (mut objects, mut sources, mut recordings) = (BTreeMap::new(), BTreeMap::new(), 0);
    for entry in &scan.manifest.objects {
        let format = entry.format.as_deref();
        let recording = entry.recording.map(|_| recordings);
        recordings += u64::from(recording.is_some());
        objects.insert(
            entry.id,
            Object {
                nameless: if recording.is_some() { entry.id.saturating_add(1) } else { 0 },
                file: entry.url.rsplit('/').next().unwrap_or_default().to_owned(),
                process_in_track: format == Some("chrome_trace"),
            },
        );
        let is_trace = matches!(format, Some("kineto" | "chrome_trace"));
        sources.insert(entry.id, Source { is_trace, recording: recording.unwrap_or_default() });
    }
    (objects, sources, recordings)
}
