//! Metrics of NVIDIA DALI's Loader Evaluator, into `loader`: how long the training loop waited for each batch.
//!
//! `LoaderEvaluator.save_metrics` writes the file: one JSON object about the last pass over a data loader. Batches come from
//! the real loader (mode `log`) or from memory (`replay`). Each entry of `batch_times` becomes a row of kind `next`, and
//! the pass itself becomes one of kind `pass`. The file has no start time, no rank and no loader name; rows have the name of
//! the file as their loader.
//!
//! # Units
//! Times are seconds; the decimal text is rounded to ns. They come from `time.time()`, which has a resolution of 238 ns.
//!
//! # Source
//! nvidia-dali 2.4.0, `nvidia/dali/plugin/pytorch/loader_evaluator/loader_evaluator.py`.

use std::borrow::Cow;
use std::sync::Arc;

use super::elements::{ElementSplitter, JsonElement, JsonEnd};
use super::number::seconds;
use super::position::Position;
use super::secret::quote_masked;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream, file_stem, json};
use crate::error::Result;
use crate::table::{Loader, Rows, Severity};

/// Metrics of NVIDIA DALI's Loader Evaluator.
#[derive(Debug)]
pub struct DaliLoaderEvaluator;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "dali_loader_evaluator",
    doc: "metrics of NVIDIA DALI's Loader Evaluator: wait time for each batch, from the real loader or from memory",
    files: "*.json with `batch_times`; for an empty object, the file name must contain log, replay, dali or loader",
    tables: &["loader"],
    fields: &[
        ("name of the file, without its ending", "loader.loader"),
        ("mode", "loader.variant: replay is ideal, anything else is real"),
        ("batch_times", "loader.dur of a row of kind next each; their index is loader.batch"),
        ("total_time", "loader.dur of the row of kind pass; null if the pass did not end"),
        ("total_batches", "loader.batches of that row"),
        ("cached_batches", "loader.cached_batches of that row"),
    ],
    not_read: &[
        "avg_batch_time, min_batch_time, max_batch_time: compared with batch_times",
        "cache_ready: whether a replay had cached its batches; cached_batches has the same information",
    ],
    source: "nvidia-dali 2.4.0, nvidia/dali/plugin/pytorch/loader_evaluator/loader_evaluator.py",
    version: 1,
};

/// An empty object belongs to this format if the name of its file has one of these words.
const NAME_HINTS: &[&str] =
    &["log", "logs", "replay", "real", "ideal", "dali", "loader", "dataloader", "evaluator", "metrics"];

/// Members with statistics of the entries: mean, minimum and maximum.
const STATISTICS: [&str; 3] = ["avg_batch_time", "min_batch_time", "max_batch_time"];

/// Relative tolerance between the numbers in the file and those computed from its entries.
const TOLERANCE: f64 = 1e-6;

/// Maximum number of entries that are buffered until the mode is known. No real pass has more.
const MAX_BUFFERED: usize = 1 << 24;

impl Format for DaliLoaderEvaluator {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let mut is_known = false;
        ElementSplitter::default().push(probe.head, |item, _| {
            if let JsonElement::Member(name, _) | JsonElement::List(name) = item {
                is_known |= matches!(name, "batch_times" | "total_batches" | "avg_batch_time");
            }
        });
        is_known || (is_empty_object(probe) && has_name_hint(probe.info))
    }

    fn decline_reason(&self, probe: &Probe<'_>) -> Option<String> {
        is_empty_object(probe).then(|| {
            "an empty JSON object; the file name of metrics of DALI's Loader Evaluator must contain a word such as log, \
             replay, dali or loader"
                .to_owned()
        })
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(EvaluatorDecoder::default()))
    }
}

fn is_empty_object(probe: &Probe<'_>) -> bool {
    let (mut elements, mut has_items) = (ElementSplitter::default(), false);
    elements.push(probe.head, |_, _| has_items = true);
    !has_items && elements.end() == JsonEnd::Whole && probe.head.contains(&b'{')
}

fn has_name_hint(info: &ObjectInfo) -> bool {
    let name = info.name().to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| NAME_HINTS.contains(&word))
}

/// Decodes one file.
#[derive(Debug, Default)]
struct EvaluatorDecoder {
    path: Arc<str>,
    elements: ElementSplitter,
    pass: Pass,
}

impl Decoder for EvaluatorDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let pass = Pass { loader: file_stem(object.name()).to_owned(), ..Pass::default() };
        *self = Self { path: Arc::clone(&object.path), elements: ElementSplitter::default(), pass };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let pass = &mut self.pass;
        let is_complete = match self.elements.end() {
            JsonEnd::Whole => true,
            JsonEnd::Empty => {
                rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
                return Ok(());
            }
            JsonEnd::Truncated(position) => {
                let why = "the file ends inside its object; the duration of the pass is unknown";
                position.warn(rows, "truncated", || why);
                false
            }
            JsonEnd::Broken(position, why) if pass.members == 0 => {
                return Err(DESCRIPTOR.malformed(&self.path, &format!("{position}: {why}")));
            }
            JsonEnd::Broken(position, why) => {
                position.warn(rows, "bad_structure", || format!("{why}; the rest is not read"));
                pass.has_list && !pass.in_list
            }
        };
        pass.finish(is_complete, rows);
        Ok(())
    }
}

impl Stream for EvaluatorDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let pass = &mut self.pass;
        self.elements.push(chunk, |item, position| pass.read_item(item, position, rows));
        Ok(())
    }
}

/// One pass, as far as its members were read.
#[derive(Debug, Default)]
struct Pass {
    loader: String,
    mode: Option<String>,
    /// The raw text of `total_time`.
    total_time: Option<String>,
    total_batches: Option<i64>,
    cached_batches: Option<i64>,
    /// [`STATISTICS`] that the file reports.
    reported: [Option<f64>; 3],
    /// Number of members read.
    members: u64,
    /// `batch_times` has begun.
    has_list: bool,
    /// The entries of `batch_times` are being read.
    in_list: bool,
    /// Index and duration of the entries that came before the mode.
    buffered: Vec<(i64, i64)>,
    entries: i64,
    bad_entries: i64,
    /// Statistics of the entries, s.
    sum: f64,
    min: f64,
    max: f64,
    row: i64,
}

impl Pass {
    fn read_item(&mut self, item: JsonElement<'_>, position: Position, rows: &mut Rows) {
        match item {
            JsonElement::Entry(raw) if self.in_list => return self.read_entry(raw, position, rows),
            JsonElement::Entry(_) | JsonElement::Element(_) => return,
            JsonElement::List("batch_times") if !self.has_list => {
                (self.has_list, self.in_list, self.min, self.max) = (true, true, f64::INFINITY, f64::NEG_INFINITY);
            }
            JsonElement::List(_) => self.in_list = false,
            JsonElement::Member(name, raw) => {
                self.in_list = false;
                self.read_member(name, raw, position, rows);
            }
        }
        self.members += 1;
    }

    fn read_member(&mut self, name: &str, raw: &str, position: Position, rows: &mut Rows) {
        if let Some(index) = STATISTICS.iter().position(|known| *known == name) {
            self.reported[index] = raw.parse::<f64>().ok().filter(|value| value.is_finite());
        }
        match name {
            "mode" => self.mode = json::unquote(raw).map(Cow::into_owned),
            "total_time" => self.total_time = Some(raw.to_owned()),
            "total_batches" => self.total_batches = raw.parse().ok(),
            "cached_batches" => self.cached_batches = raw.parse().ok(),
            "batch_times" => {
                position.skip(rows, "bad_value", || format!("batch_times is {}, expected a list", quote_masked(raw)));
            }
            _ => {}
        }
    }

    fn read_entry(&mut self, raw: &str, position: Position, rows: &mut Rows) {
        let (index, value) = (self.entries, raw.parse::<f64>().unwrap_or(f64::NAN));
        self.entries += 1;
        let Some(dur) = seconds(raw).filter(|dur| *dur >= 0 && value >= 0.0) else {
            self.bad_entries += 1;
            return position.skip(rows, "bad_value", || {
                let raw = quote_masked(raw);
                format!("entry {index} of batch_times is {raw}, expected a time that is not negative")
            });
        };
        self.sum += value;
        (self.min, self.max) = (self.min.min(value), self.max.max(value));
        if self.mode.is_none() && self.buffered.len() < MAX_BUFFERED {
            self.buffered.push((index, dur));
        } else {
            self.write_entry(index, dur, rows);
        }
    }

    fn write_entry(&mut self, batch: i64, dur: i64, rows: &mut Rows) {
        self.write(&Loader { kind: Some("next"), dur: Some(dur), batch: Some(batch), ..Loader::default() }, rows);
    }

    /// Writes a row and adds the columns that all rows of the file share.
    fn write(&mut self, row: &Loader<'_>, rows: &mut Rows) {
        // every mode except replay measures the real loader
        let variant = self.mode.as_deref().map(|mode| if mode == "replay" { "ideal" } else { "real" });
        rows.loader(&Loader { loader: Some(&self.loader), variant, row: self.row, ..*row });
        self.row += 1;
    }

    /// Ends the pass and writes its row. `is_complete` is true if all entries were read.
    fn finish(&mut self, is_complete: bool, rows: &mut Rows) {
        for (batch, dur) in std::mem::take(&mut self.buffered) {
            self.write_entry(batch, dur, rows);
        }
        if self.members == 0 && is_complete {
            let text = || "the object is empty: no batch was drawn, or the only pass did not end".to_owned();
            return rows.problem(Severity::Notice, "no_batch", None, text);
        }
        if !matches!(self.mode.as_deref(), Some("log" | "replay")) {
            let mode = self.mode.as_deref().map_or("missing".to_owned(), quote_masked);
            rows.problem(Severity::Notice, "unknown_mode", None, || format!("mode is {mode}, expected log or replay"));
        }
        let mut dur = None;
        if is_complete {
            self.check_statistics(rows);
            dur = self.parse_total_time(rows);
        }
        let (batches, cached_batches) = (self.total_batches, self.cached_batches);
        self.write(&Loader { kind: Some("pass"), dur, batches, cached_batches, ..Loader::default() }, rows);
    }

    /// The duration of the pass in ns. None if the value is impossible: a pass that did not end has 0, or a time less than
    /// the sum of its entries.
    fn parse_total_time(&self, rows: &mut Rows) -> Option<i64> {
        let raw = self.total_time.as_deref().unwrap_or("missing");
        let value = raw.parse::<f64>().ok().filter(|value| value.is_finite());
        let why = match value {
            None => "expected a number".to_owned(),
            Some(value) if value <= 0.0 => "so the pass did not end".to_owned(),
            Some(value) if value < self.sum * (1.0 - TOLERANCE) => {
                format!("less than the {} s of its batches, so the pass did not end", self.sum)
            }
            Some(_) => match seconds(raw) {
                Some(dur) => return Some(dur),
                None => "which does not fit in 64 bits of ns".to_owned(),
            },
        };
        rows.repair("bad_total_time", None, || format!("total_time is {}, {why}", quote_masked(raw)));
        None
    }

    /// Compares the statistics in the file with those of its entries.
    fn check_statistics(&self, rows: &mut Rows) {
        if let Some(total) = self.total_batches.filter(|total| *total != self.entries) {
            let text = || format!("total_batches is {total}, batch_times has {} entries", self.entries);
            rows.problem(Severity::Notice, "total_batches", None, text);
        }
        if self.bad_entries > 0 || self.entries == 0 {
            return;
        }
        let mean = self.sum / self.entries as f64;
        let actual = [mean, self.min, self.max];
        for ((name, reported), actual) in STATISTICS.into_iter().zip(self.reported).zip(actual) {
            if let Some(reported) = reported.filter(|value| (value - actual).abs() > TOLERANCE * actual.abs()) {
                let text = || format!("{name} is {reported}, by batch_times it is {actual}");
                rows.problem(Severity::Notice, name, None, text);
            }
        }
    }
}
