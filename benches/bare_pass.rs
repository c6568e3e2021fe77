//! The yardstick of an ingest: serde_json over the same bytes, borrowed fields, no output.
//!
//! `cargo bench --bench bare_pass -- FOLDER` visits every event of the timelines (a bare array is the sequence) and every
//! line of the samples, args skipped, on one thread. Prints bytes, entries and seconds of processor time as JSON.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads files and prints")]

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// Borrowed where the string has no escapes; serde borrows only where the type is exactly `Cow<str>`.
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

/// Counts and sums, so that nothing is optimised away.
#[derive(Default)]
struct Seen {
    entries: u64,
    bytes: u64,
    sum: f64,
}

struct Events<'s>(&'s mut Seen);

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

fn visit(folder: &Path, seen: &mut Seen) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            visit(&path, seen);
            continue;
        }
        let name = path.to_string_lossy().into_owned();
        if !name.ends_with(".json") || !(name.contains("/system/") || name.contains("/pevents/")) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        seen.bytes += text.len() as u64;
        if name.contains("/system/") {
            for line in text.lines() {
                let Ok(sample) = serde_json::from_str::<Sample<'_>>(line) else { continue };
                let texts = [&sample.kind, &sample.dimension, &sample.node].map(|text| text.0.len());
                seen.entries += 1;
                seen.sum += sample.timestamp + sample.value.unwrap_or(0.0) + texts.iter().sum::<usize>() as f64;
                seen.sum += sample.name.map_or(0.0, |name| name.0.len() as f64);
            }
        } else {
            let _ = serde_json::Deserializer::from_str(&text).deserialize_seq(Events(seen));
        }
    }
}

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("usage: cargo bench --bench bare_pass -- FOLDER");
        return;
    };
    let begun = Instant::now();
    let mut seen = Seen::default();
    visit(Path::new(&folder), &mut seen);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{{\"bytes\": {}, \"entries\": {}, \"seconds\": {seconds:.4}, \"checksum\": {}}}",
        seen.bytes, seen.entries, seen.sum
    );
}
