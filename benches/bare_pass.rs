//! The reference for an ingest: serde_json over the same bytes, with borrowed fields and without output.
//!
//! `cargo bench --bench bare_pass -- FOLDER` visits every event of the timelines (the root array), every line of the samples
//! and every event of traces (the member `traceEvents` of the root). It skips args and uses one thread. Prints bytes, entries
//! and seconds of processor time as JSON: `seconds` includes reading the files, `visiting` does not.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads files and prints")]

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A string, borrowed if it has no escapes. serde borrows only if the type is exactly `Cow<str>`.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    ph: Option<Text<'a>>,
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
    #[serde(default)]
    ts: Option<f64>,
    #[serde(default)]
    dur: Option<f64>,
    #[serde(default)]
    pid: Option<i64>,
    #[serde(default, rename = "args")]
    _args: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Sample<'a> {
    #[serde(borrow, rename = "Type")]
    kind: Text<'a>,
    #[serde(borrow, rename = "Name")]
    name: Option<Text<'a>>,
    #[serde(borrow, rename = "Dimension")]
    dimension: Text<'a>,
    #[serde(rename = "Value")]
    value: Option<f64>,
    #[serde(borrow, rename = "NodeId")]
    node: Text<'a>,
    #[serde(rename = "Timestamp")]
    timestamp: f64,
}

/// An event of a trace. Its ids may be numbers or texts.
#[derive(Deserialize)]
struct TraceEvent<'a> {
    #[serde(borrow, default)]
    ph: Option<Text<'a>>,
    #[serde(borrow, default)]
    cat: Option<Text<'a>>,
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
    #[serde(default)]
    ts: Option<f64>,
    #[serde(default)]
    dur: Option<f64>,
    #[serde(default)]
    pid: Option<Id>,
    #[serde(default)]
    tid: Option<Id>,
    #[serde(default, rename = "args")]
    _args: Option<IgnoredAny>,
}

/// A number, or the length of a text.
struct Id(i64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = Id;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number or a text")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Id, E> {
                Ok(Id(number))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.cast_signed()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Id, E> {
                Ok(Id(text.len().cast_signed() as i64))
            }
        }
        json.deserialize_any(IdVisitor)
    }
}

/// Counts and sums, so that the compiler cannot remove the work.
#[derive(Default)]
struct Totals {
    entries: u64,
    bytes: u64,
    sum: f64,
    /// Seconds without reading the files.
    visiting: f64,
}

struct Events<'s>(&'s mut Totals);

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of events")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut events: S) -> Result<(), S::Error> {
        while let Some(event) = events.next_element::<Event<'de>>()? {
            let texts = [&event.ph, &event.name].map(|text| text.as_ref().map_or(0, |text| text.0.len()));
            self.0.entries += 1;
            self.0.sum += event.ts.unwrap_or(0.0) + event.dur.unwrap_or(0.0) + texts.iter().sum::<usize>() as f64;
            self.0.sum += event.pid.unwrap_or(0) as f64;
        }
        Ok(())
    }
}

/// The events of a trace: the root array, or a member of the root object.
struct TraceEvents<'s>(&'s mut Totals);

impl<'de> Visitor<'de> for TraceEvents<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a trace")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut events: S) -> Result<(), S::Error> {
        while let Some(event) = events.next_element::<TraceEvent<'de>>()? {
            let texts = [&event.ph, &event.cat, &event.name].map(|text| text.as_ref().map_or(0, |text| text.0.len()));
            let ids = [&event.pid, &event.tid].map(|id| id.as_ref().map_or(0, |id| id.0));
            self.0.entries += 1;
            self.0.sum += event.ts.unwrap_or(0.0) + event.dur.unwrap_or(0.0) + texts.iter().sum::<usize>() as f64;
            self.0.sum += ids.iter().sum::<i64>() as f64;
        }
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
        while let Some(key) = members.next_key::<Text<'de>>()? {
            if key.0 == "traceEvents" {
                members.next_value_seed(TraceEvents(self.0))?;
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for TraceEvents<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

/// Processor time of this process so far, s; wall time if the system does not report it.
fn now(start: Instant) -> f64 {
    let statistics = fs::read_to_string("/proc/self/schedstat").ok();
    let ns = statistics.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ns.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Visits all files below a folder.
fn visit(folder: &Path, totals: &mut Totals, start: Instant) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            visit(&path, totals, start);
            continue;
        }
        let name = path.to_string_lossy().into_owned();
        let is_trace = name.ends_with(".trace.json");
        if !name.ends_with(".json") || !(name.contains("/system/") || name.contains("/pevents/") || is_trace) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        totals.bytes += text.len() as u64;
        let visit_start = now(start);
        if name.contains("/system/") {
            for line in text.lines() {
                let Ok(sample) = serde_json::from_str::<Sample<'_>>(line) else { continue };
                let texts = [&sample.kind, &sample.dimension, &sample.node].map(|text| text.0.len());
                totals.entries += 1;
                totals.sum += sample.timestamp + sample.value.unwrap_or(0.0) + texts.iter().sum::<usize>() as f64;
                totals.sum += sample.name.map_or(0.0, |name| name.0.len() as f64);
            }
        } else if is_trace {
            let _ = TraceEvents(totals).deserialize(&mut serde_json::Deserializer::from_str(&text));
        } else {
            let _ = serde_json::Deserializer::from_str(&text).deserialize_seq(Events(totals));
        }
        totals.visiting += now(start) - visit_start;
    }
}

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("usage: cargo bench --bench bare_pass -- FOLDER");
        return;
    };
    let start = Instant::now();
    let mut totals = Totals::default();
    visit(Path::new(&folder), &mut totals, start);
    let Totals { bytes, entries, sum, visiting } = totals;
    println!(
        "{{\"bytes\": {bytes}, \"entries\": {entries}, \"seconds\": {:.4}, \"visiting\": {visiting:.4}, \"checksum\": {sum}}}",
        now(start)
    );
}
