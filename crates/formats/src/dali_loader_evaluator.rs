//! Metrics of NVIDIA DALI's Loader Evaluator, into `loader`: how long the training loop waited for each batch.
//!
//! The file is what `LoaderEvaluator.save_metrics` writes: one JSON object about the last pass over a data loader, by the
//! real loader (mode `log`) or by batches kept in memory (`replay`). Each entry of `batch_times` becomes a row of kind
//! `next`, the pass itself one of kind `pass`. The file says neither when, nor on which rank, nor of which loader: its
//! name is all there is.
//!
//! # Units
//! Times are seconds; the decimal text is rounded to ns. They come from `time.time()`, whose steps are 238 ns.
//!
//! # Source
//! nvidia-dali 2.4.0, `nvidia/dali/plugin/pytorch/loader_evaluator/loader_evaluator.py`.

use std::sync::Arc;

use super::elements::{Elements, End, Item};
use super::number::seconds;
use super::place::Place;
use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream, json, stem};
use crate::error::{Error, ErrorKind, Result};
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

/// Words in the name of a file that say whose an empty object is.
const HINTS: &[&str] =
    &["log", "logs", "replay", "real", "ideal", "dali", "loader", "dataloader", "evaluator", "metrics"];

/// How far the sum of the waits may lie above the time of the pass, and a statistic off what the entries say.
const TOLERANCE: f64 = 1e-6;

/// More entries than any pass has that says its mode behind them: so long they are kept.
const MAX_WAITING: usize = 1 << 24;

impl Format for DaliLoaderEvaluator {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let mut elements = Elements::default();
        let (mut known, mut others) = (false, false);
        elements.push(probe.head, |item, _| match item {
            Item::Member(name, _) | Item::List(name) => {
                known |= matches!(name, "batch_times" | "total_batches" | "avg_batch_time");
                others = true;
            }
            Item::Element(_) => others = true,
            Item::Entry(_) => {}
        });
        known || (!others && is_empty_object(&elements, probe) && has_hint(probe.info))
    }

    fn declines(&self, probe: &Probe<'_>) -> Option<String> {
        let mut elements = Elements::default();
        let mut empty = true;
        elements.push(probe.head, |_, _| empty = false);
        (empty && is_empty_object(&elements, probe)).then(|| {
            "an empty JSON object; the file name of metrics of DALI's Loader Evaluator must contain a word such as log, \
             replay, dali or loader"
                .to_owned()
        })
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(Metrics::default()))
    }
}

fn is_empty_object(elements: &Elements, probe: &Probe<'_>) -> bool {
    elements.end() == End::Whole && probe.head.contains(&b'{')
}

fn has_hint(info: &ObjectInfo) -> bool {
    let name = info.name().to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| HINTS.contains(&word))
}

/// Decodes one file.
#[derive(Debug, Default)]
struct Metrics {
    path: Arc<str>,
    elements: Elements,
    pass: Pass,
}

impl Decoder for Metrics {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        let pass = Pass { loader: stem(object.name()).to_owned(), ..Pass::default() };
        *self = Self { path: Arc::clone(&object.path), elements: Elements::default(), pass };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let (pass, end) = (&mut self.pass, self.elements.end());
        let whole = match end {
            End::Whole => true,
            End::Empty => {
                rows.problem(Severity::Notice, "empty_file", None, || "the file is empty".to_owned());
                return Ok(());
            }
            End::Truncated(place) => {
                let text = || format!("{place}: the file ends inside its object; the duration of the pass is unknown");
                rows.problem(Severity::Warning, "truncated", place.byte(), text);
                false
            }
            End::Broken(place, why) if pass.members == 0 => {
                let text = format!("cannot read {}: {place}: {why}", self.path);
                return Err(Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name));
            }
            End::Broken(place, why) => {
                let text = || format!("{place}: {why}; the rest is not read");
                rows.problem(Severity::Warning, "bad_structure", place.byte(), text);
                pass.listed && !pass.listing
            }
        };
        pass.end(whole, rows);
        Ok(())
    }
}

impl Stream for Metrics {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let pass = &mut self.pass;
        self.elements.push(chunk, |item, place| pass.item(item, place, rows));
        Ok(())
    }
}

/// What is known of the pass, from member to member.
#[derive(Debug, Default)]
struct Pass {
    loader: String,
    mode: Option<String>,
    /// Numbers beside the entries, as written.
    total_time: Option<String>,
    total_batches: Option<i64>,
    cached_batches: Option<i64>,
    average: Option<f64>,
    least: Option<f64>,
    greatest: Option<f64>,
    members: u64,
    /// `batch_times` was met; its entries are being read.
    listed: bool,
    listing: bool,
    /// Entries that came before the mode: index and duration.
    waiting: Vec<(i64, i64)>,
    entries: i64,
    bad: i64,
    sum: f64,
    min: f64,
    max: f64,
    row: i64,
}

impl Pass {
    fn item(&mut self, item: Item<'_>, place: Place, rows: &mut Rows) {
        match item {
            Item::Entry(raw) if self.listing => self.entry(raw, place, rows),
            Item::List("batch_times") if !self.listed => {
                (self.listed, self.listing, self.min, self.max) = (true, true, f64::INFINITY, f64::NEG_INFINITY);
                self.members += 1;
            }
            Item::List(_) => {
                self.listing = false;
                self.members += 1;
            }
            Item::Member(name, raw) => {
                self.listing = false;
                self.members += 1;
                self.member(name, raw, place, rows);
            }
            Item::Entry(_) | Item::Element(_) => {}
        }
    }

    fn member(&mut self, name: &str, raw: &str, place: Place, rows: &mut Rows) {
        let number = || raw.parse::<f64>().ok().filter(|value| value.is_finite());
        match name {
            "mode" => self.mode = json::unquote(raw).map(std::borrow::Cow::into_owned),
            "total_time" => self.total_time = Some(raw.to_owned()),
            "total_batches" => self.total_batches = raw.parse().ok(),
            "cached_batches" => self.cached_batches = raw.parse().ok(),
            "avg_batch_time" => self.average = number(),
            "min_batch_time" => self.least = number(),
            "max_batch_time" => self.greatest = number(),
            "batch_times" => rows.skip("bad_value", place.byte(), || {
                format!("{place}: batch_times is {}, expected a list", super::secret::quote(raw))
            }),
            _ => {}
        }
    }

    fn entry(&mut self, raw: &str, place: Place, rows: &mut Rows) {
        let (index, value) = (self.entries, raw.parse::<f64>().unwrap_or(f64::NAN));
        self.entries += 1;
        let Some(dur) = seconds(raw).filter(|dur| *dur >= 0 && value >= 0.0) else {
            self.bad += 1;
            return rows.skip("bad_value", place.byte(), || {
                let raw = super::secret::quote(raw);
                format!("{place}: entry {index} of batch_times is {raw}, expected a time that is not negative")
            });
        };
        self.sum += value;
        (self.min, self.max) = (self.min.min(value), self.max.max(value));
        if self.mode.is_none() && self.waiting.len() < MAX_WAITING {
            self.waiting.push((index, dur));
        } else {
            self.next(index, dur, rows);
        }
    }

    fn next(&mut self, batch: i64, dur: i64, rows: &mut Rows) {
        rows.loader(&Loader {
            kind: Some("next"),
            dur: Some(dur),
            batch: Some(batch),
            loader: Some(&self.loader),
            variant: self.variant(),
            row: self.row,
            ..Loader::default()
        });
        self.row += 1;
    }

    fn variant(&self) -> Option<&'static str> {
        // what is no replay is timed at the real loader, whatever it is called
        self.mode.as_deref().map(|mode| if mode == "replay" { "ideal" } else { "real" })
    }

    fn end(&mut self, whole: bool, rows: &mut Rows) {
        for (batch, dur) in std::mem::take(&mut self.waiting) {
            self.next(batch, dur, rows);
        }
        if self.members == 0 && whole {
            let text = || "the object is empty: no batch was drawn, or the only pass did not end".to_owned();
            return rows.problem(Severity::Notice, "no_batch", None, text);
        }
        if !matches!(self.mode.as_deref(), Some("log" | "replay")) {
            let mode = self.mode.as_deref().map_or("missing".to_owned(), super::secret::quote);
            rows.problem(Severity::Notice, "unknown_mode", None, || format!("mode is {mode}, expected log or replay"));
        }
        if whole {
            self.compare(rows);
        }
        let dur = if whole { self.total_time(rows) } else { None };
        rows.loader(&Loader {
            kind: Some("pass"),
            dur,
            loader: Some(&self.loader),
            variant: self.variant(),
            batches: self.total_batches,
            cached_batches: self.cached_batches,
            row: self.row,
            ..Loader::default()
        });
    }

    /// The time of the pass, if it can be that: a pass that was left early has 0, or ended before it began.
    fn total_time(&self, rows: &mut Rows) -> Option<i64> {
        let raw = self.total_time.as_deref().unwrap_or("missing");
        let value = raw.parse::<f64>().ok().filter(|value| value.is_finite());
        let refused = match value {
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
        let raw = super::secret::quote(raw);
        rows.repair("bad_total_time", None, || format!("total_time is {raw}, {refused}"));
        None
    }

    /// Holds what stands beside the entries against them.
    fn compare(&self, rows: &mut Rows) {
        if let Some(total) = self.total_batches.filter(|total| *total != self.entries) {
            let text = || format!("total_batches is {total}, batch_times has {} entries", self.entries);
            rows.problem(Severity::Notice, "total_batches", None, text);
        }
        if self.bad > 0 || self.entries == 0 {
            return;
        }
        let mean = self.sum / self.entries as f64;
        for (name, said, found) in [
            ("avg_batch_time", self.average, mean),
            ("min_batch_time", self.least, self.min),
            ("max_batch_time", self.greatest, self.max),
        ] {
            if let Some(said) = said.filter(|said| (said - found).abs() > TOLERANCE * found.abs()) {
                rows.problem(Severity::Notice, name, None, || {
                    format!("{name} is {said}, by batch_times it is {found}")
                });
            }
        }
    }
}
