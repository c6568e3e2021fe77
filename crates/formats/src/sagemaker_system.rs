//! System metrics of SageMaker Debugger: JSON lines with one measurement each, into `sample` and `device`.
//!
//! The system profiler writes one file per machine and minute, `system/incremental/<hour>/<minute>.algo-<n>.json`,
//! with a line for every core, GPU and counter at every tick (500 ms unless configured). The files of one
//! machine and hour are decoded together. Every line becomes one
//! row, in the order of the file: nothing is averaged, filled or dropped, also not duplicates, negative
//! values, or samples outside the minute in the file's name.
//!
//! # Units
//! `Timestamp` is seconds with a decimal fraction; the decimal text becomes ns exactly. Values keep the
//! unit they were recorded in, which column `unit` says.
//!
//! # Source
//! `awslabs/sagemaker-debugger` 1.0.34 (commit 3b82de3), `smdebug/profiler/system_metrics_reader.py` and
//! `smdebug/profiler/system_profiler_file_parser.py`, which fix the keys and their types;
//! `awsdocs/amazon-sagemaker-developer-guide`, `doc_source/debugger-*.md`, for the sampling intervals.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::json;
use super::lines::{Line, Lines};
use super::number::{Number, scaled};
use super::place::Place;
use super::secret;
use super::template::Template;
use super::{Decoder, Decoding, Descriptor, Format, ObjectInfo, Probe, Stream};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Device, Resource, Rows, Sample, Severity};

/// System metrics of SageMaker Debugger.
#[derive(Debug)]
pub struct SagemakerSystem;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "sagemaker_system",
    doc: "system metrics of SageMaker Debugger: utilization of CPU, GPU, memory, disk and network",
    files: "system/incremental/<hour>/<minute>.algo-<n>.json",
    tables: &["sample", "device"],
    fields: &[
        ("Type", "sample.resource, device.kind"),
        ("Name", "sample.device of cpu and gpu, else sample.metric; sample.raw_name"),
        ("Dimension", "sample.metric and sample.unit of cpu and gpu; sample.raw_dimension"),
        ("Value", "sample.value"),
        ("NodeId", "node"),
        ("Timestamp", "sample.ts"),
    ],
    not_read: &[
        "the minute and the node in the file's name: every line has its own",
        "training_job_end.ts: an empty file that marks the end of the job",
    ],
    source: "awslabs/sagemaker-debugger 1.0.34, smdebug/profiler/system_profiler_file_parser.py",
    version: 1,
};

impl Format for SagemakerSystem {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn sniff(&self, probe: &Probe<'_>) -> bool {
        let head = String::from_utf8_lossy(probe.head);
        head.lines().find(|line| !line.trim().is_empty()).is_some_and(is_metric)
            || (probe.head.is_empty() && self.group(probe.info).is_some())
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        let (folder, name) = object.path.rsplit_once('/')?;
        let node = node_of_name(name)?;
        folder.split('/').any(|part| part == "system").then(|| format!("{folder}/{node}").into())
    }

    fn ignores(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        if name == "training_job_end.ts" {
            return Some("an empty file that marks the end of the job");
        }
        let unfinished = name.strip_suffix(".tmp").is_some_and(|name| node_of_name(name).is_some());
        unfinished.then_some("still being written")
    }

    fn decoder(&self) -> Decoding {
        Decoding::Stream(Box::new(SystemDecoder::default()))
    }
}

/// The node in a name such as `1591160699.algo-1.json`.
fn node_of_name(name: &str) -> Option<&str> {
    let (minute, rest) = name.split_once('.')?;
    let node = rest.strip_suffix(".json")?;
    let number = node.strip_prefix("algo-")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (minute.len() == 10 && digits(minute) && digits(number)).then_some(node)
}

/// Whether a line is a measurement, as far as its keys say.
fn is_metric(line: &str) -> bool {
    let mut found = 0;
    let keys = ["Type", "Dimension", "Value", "NodeId", "Timestamp"];
    let read = json::members(line, |key, _| found += u32::from(keys.contains(&key)));
    read.is_ok() && found == 5
}

/// Decodes the files of one machine and hour.
#[derive(Debug, Default)]
struct SystemDecoder {
    path: Arc<str>,
    lines: Lines,
    metrics: Metrics,
}

impl Decoder for SystemDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.lines = Lines::default();
        self.metrics.begin();
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let metrics = &mut self.metrics;
        self.lines.end(|line, place| metrics.line(line, place, rows));
        if metrics.row == 0 && metrics.bad == 0 && metrics.truncated == 0 {
            let message = || "the file holds no measurement".to_owned();
            rows.problem(Severity::Notice, "empty_file", None, message);
        }
        if metrics.row == 0 && metrics.bad > 0 {
            let text = format!("cannot read {}: no line is a measurement", self.path);
            return Err(Error::new(ErrorKind::Malformed, text).with_context("format", DESCRIPTOR.name));
        }
        Ok(())
    }
}

impl Stream for SystemDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let metrics = &mut self.metrics;
        self.lines.push(chunk, |line, place| metrics.line(line, place, rows));
        Ok(())
    }
}

/// What a measurement is about: the part that repeats at every tick.
#[derive(Debug)]
struct Series {
    /// `Type`, `Name` and `Dimension` as the file writes them, quotes included.
    raw: [Option<Box<str>>; 3],
    resource: Option<&'static str>,
    device: Option<Box<str>>,
    metric: Option<Box<str>>,
    unit: Option<&'static str>,
    raw_name: Option<Box<str>>,
    raw_dimension: Option<Box<str>>,
    /// Something was masked in it.
    masked: bool,
    /// The [`Metrics::described`] for which its device was looked up.
    described: u64,
    /// A line of it of that machine and file.
    template: Option<Template>,
}

/// More series than any machine has; beyond that the memory of them starts anew.
const MAX_SERIES: usize = 1 << 16;

/// Turns lines into rows.
#[derive(Debug, Default)]
struct Metrics {
    series: Vec<Series>,
    /// Position of a series by its raw text.
    known: HashMap<String, usize>,
    /// The series of the line before: the next line usually has the one after it.
    last: usize,
    /// Counts machines and files: changes when a series' device may have to be described again.
    described: u64,
    /// The machine of the line before, if it had one.
    node: String,
    /// Devices described so far by this file.
    devices: BTreeSet<(String, String)>,
    row: i64,
    device_row: i64,
    bad: i64,
    truncated: i64,
}

/// The members of a line, raw.
#[derive(Debug, Default, Clone, Copy)]
struct Members<'a> {
    series: [Option<&'a str>; 3],
    value: Option<&'a str>,
    node: Option<&'a str>,
    time: Option<&'a str>,
}

impl<'a> Members<'a> {
    fn parse(line: &'a str) -> serde_json::Result<Self> {
        let mut members = Self::default();
        json::members(line, |key, raw| match key {
            "Type" => members.series[0] = Some(raw),
            "Name" => members.series[1] = Some(raw),
            "Dimension" => members.series[2] = Some(raw),
            "Value" => members.value = Some(raw),
            "NodeId" => members.node = Some(raw),
            "Timestamp" => members.time = Some(raw),
            _ => {}
        })?;
        Ok(members)
    }
}

impl Metrics {
    fn begin(&mut self) {
        (self.row, self.device_row, self.bad, self.truncated) = (0, 0, 0, 0);
        // Each file describes its devices, so that a file read again alone gives the same rows.
        self.devices.clear();
        self.described += 1;
    }

    fn line(&mut self, line: Line<'_>, place: Place, rows: &mut Rows) {
        let (bytes, last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => return self.bad(rows, place, "longer than 1 MiB"),
        };
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() || self.again(bytes, rows) {
            return;
        }
        let text = match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            // a file may end inside a character
            Err(_) if last => return self.truncated(rows, place),
            Err(_) => {
                rows.repair("not_utf8", place.byte(), || format!("{place}: bytes that are not UTF-8 were replaced"));
                String::from_utf8_lossy(bytes)
            }
        };
        match Members::parse(&text) {
            Ok(members) => self.measurement(members, Some(&text), place, rows),
            Err(error) => match json::mend(&text).as_deref() {
                Some(mended) if let Ok(members) = Members::parse(mended) => {
                    rows.repair("mended", place.byte(), || format!("{place}: not valid JSON ({error}); read anyway"));
                    self.measurement(members, None, place, rows);
                }
                _ if last => self.truncated(rows, place),
                _ => self.bad(rows, place, &error.to_string()),
            },
        }
    }

    fn bad(&mut self, rows: &mut Rows, place: Place, why: &str) {
        self.bad += 1;
        rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
    }

    fn truncated(&mut self, rows: &mut Rows, place: Place) {
        self.truncated += 1;
        rows.skip("truncated", place.byte(), || format!("{place}: the file ends inside this line"));
    }

    /// Reads a line that says of the series that comes next what it said before, with other numbers; whether it was one.
    fn again(&mut self, line: &[u8], rows: &mut Rows) -> bool {
        for at in [self.last + 1, 0] {
            let series = self.series.get(at).filter(|series| series.described == self.described);
            let Some(series) = series else { continue };
            let Some([value, time]) = series.template.as_ref().and_then(|known| known.numbers(line)) else { continue };
            // what these cannot hold is left to the long way
            let (Ok(Some(value)), Number::Is(ts)) = (read_value(value), scaled(time, 9)) else { return false };
            rows.sample(&series.sample(Some(&self.node), Some(ts), Some(value), self.row));
            self.last = at;
            self.row += 1;
            return true;
        }
        false
    }

    /// Takes the members of a line, of which `line` is the text if it was read as it stands.
    fn measurement(&mut self, members: Members<'_>, line: Option<&str>, place: Place, rows: &mut Rows) {
        let [kind, _, dimension] = members.series;
        let required = [
            ("Type", kind),
            ("Dimension", dimension),
            ("Value", members.value),
            ("NodeId", members.node),
            ("Timestamp", members.time),
        ];
        if let Some((key, _)) = required.iter().find(|(_, raw)| raw.is_none()) {
            return self.bad(rows, place, &format!("no {key}"));
        }
        let raw_time = members.time.unwrap_or_default();
        let ts = match scaled(json::number_text(raw_time), 9) {
            Number::Is(ts) => Some(ts),
            Number::OutOfRange => {
                rows.repair("out_of_range", place.byte(), || {
                    format!("{place}: Timestamp is {raw_time}, which does not fit in 64 bits of ns")
                });
                None
            }
            Number::Not => {
                let why = format!("Timestamp is {raw_time}, expected a number of seconds");
                return self.bad(rows, place, &why);
            }
        };
        let raw_value = members.value.unwrap_or_default();
        let Ok(value) = read_value(raw_value) else {
            let why = format!("Value is {raw_value}, expected a number");
            return self.bad(rows, place, &why);
        };
        let node = members.node.and_then(json::unquote).filter(|node| !node.is_empty());
        if let Some(node) = &node
            && self.node != **node
        {
            self.node.clear();
            self.node.push_str(node);
            self.described += 1;
        }
        let series = self.series(members.series, place, rows);
        let Some(series) = self.series.get_mut(series) else { return };
        if series.masked {
            rows.problem(Severity::Notice, "masked", place.byte(), || {
                format!("{place}: text that looks like a credential was masked")
            });
        }
        let is_new = node.is_some() && std::mem::replace(&mut series.described, self.described) != self.described;
        if let (true, Some(node), Some(device)) = (is_new, &node, &series.device)
            && self.devices.insert((node.to_string(), device.to_string()))
        {
            rows.device(&Device {
                node: Some(node),
                kind: series.resource,
                device: Some(device),
                row: self.device_row,
                ..Device::default()
            });
            self.device_row += 1;
        }
        // what has to be reported of each line is not read the short way
        let line = line.filter(|_| node.is_some() && !series.masked);
        series.template = line.and_then(|line| Template::of(line, raw_value, raw_time));
        rows.sample(&series.sample(node.as_deref(), ts, value, self.row));
        self.row += 1;
    }

    /// The position of the series with these raw texts, which is described if it is new.
    fn series(&mut self, raw: [Option<&str>; 3], place: Place, rows: &mut Rows) -> usize {
        let next = self.last + 1;
        for at in [next, 0, self.last] {
            if self.series.get(at).is_some_and(|series| series.is(raw)) {
                self.last = at;
                return at;
            }
        }
        // raw JSON has no bare control characters, so they can separate and stand for null
        let key = raw.map(|part| part.unwrap_or("\u{0}")).join("\u{1}");
        if let Some(at) = self.known.get(&key) {
            self.last = *at;
            return *at;
        }
        if self.series.len() >= MAX_SERIES {
            self.series.clear();
            self.known.clear();
        }
        let series = Series::describe(raw);
        if series.resource.is_none() {
            let raw_type = raw[0].unwrap_or("null").to_owned();
            rows.problem(Severity::Warning, "unknown_type", place.byte(), || {
                format!("{place}: Type is {raw_type}, expected cpu, gpu, memory, i/o or network")
            });
        }
        self.last = self.series.len();
        self.known.insert(key, self.last);
        self.series.push(series);
        self.last
    }
}

/// A number, also one in quotes; null and what is not finite is no value; anything else is an error.
fn read_value(raw: &str) -> Result<Option<f64>, std::num::ParseFloatError> {
    if raw == "null" {
        return Ok(None);
    }
    let value: f64 = json::number_text(raw).parse()?;
    Ok(value.is_finite().then_some(value))
}

impl Series {
    fn is(&self, raw: [Option<&str>; 3]) -> bool {
        self.raw.iter().zip(raw).all(|(mine, theirs)| mine.as_deref() == theirs)
    }

    fn sample<'a>(&'a self, node: Option<&'a str>, ts: Option<i64>, value: Option<f64>, row: i64) -> Sample<'a> {
        Sample {
            node,
            ts,
            resource: self.resource,
            device: self.device.as_deref(),
            metric: self.metric.as_deref(),
            value,
            unit: self.unit,
            raw_name: self.raw_name.as_deref(),
            raw_dimension: self.raw_dimension.as_deref(),
            row,
            ..Sample::default()
        }
    }

    fn describe(raw: [Option<&str>; 3]) -> Self {
        let mut masked = false;
        let [kind, name, dimension] = raw.map(|raw| {
            let text = raw.and_then(json::unquote)?;
            let clean = secret::mask(&text);
            masked |= matches!(clean, Cow::Owned(_));
            Some(clean.into_owned().into_boxed_str()).filter(|text| !text.is_empty())
        });
        let resource = match kind.as_deref() {
            Some("cpu") => Some(Resource::Cpu),
            Some("gpu") => Some(Resource::Gpu),
            Some("memory") => Some(Resource::Memory),
            Some("i/o") => Some(Resource::Io),
            Some("network") => Some(Resource::Network),
            _ => None,
        };
        let (device, what) = match resource {
            Some(Resource::Cpu | Resource::Gpu) => (name.clone(), dimension.as_deref()),
            // these have the metric in the name, and sometimes a group in the dimension
            _ => (None, name.as_deref().or(dimension.as_deref())),
        };
        let (metric, unit) = match what {
            Some(what) => {
                let (metric, unit) = metric(what);
                (Some(metric.into_owned().into_boxed_str()), unit)
            }
            None => (None, None),
        };
        Self {
            raw: raw.map(|raw| raw.map(Box::from)),
            resource: resource.map(Resource::as_str),
            device,
            metric,
            unit,
            raw_name: name,
            raw_dimension: dimension,
            masked,
            described: 0,
            template: None,
        }
    }
}

/// The metric and unit of a name of SageMaker's.
fn metric(name: &str) -> (Cow<'static, str>, Option<&'static str>) {
    let known = match name {
        "CPUUtilization" | "GPUUtilization" => ("utilization", "percent"),
        "I/OWaitPercentage" => ("iowait", "percent"),
        "GPUMemoryUtilization" => ("memory_utilization", "percent"),
        "MemoryUsedPercent" => ("used", "percent"),
        "IOPS" => ("operations", "per_s"),
        "ReadThroughputInBytesPerSecond" => ("read", "bytes_per_s"),
        "WriteThroughputInBytesPerSecond" => ("write", "bytes_per_s"),
        "ReceiveBytesPerSecond" => ("receive", "bytes_per_s"),
        "TransmitBytesPerSecond" => ("transmit", "bytes_per_s"),
        _ => return (Cow::Owned(snake_case(name)), unit_of(name)),
    };
    (Cow::Borrowed(known.0), Some(known.1))
}

/// The unit a name ends in.
fn unit_of(name: &str) -> Option<&'static str> {
    let units = [
        ("BytesPerSecond", "bytes_per_s"),
        ("PerSecond", "per_s"),
        ("Percent", "percent"),
        ("Percentage", "percent"),
        ("Utilization", "percent"),
        ("Bytes", "bytes"),
    ];
    units.iter().find(|(end, _)| name.ends_with(end)).map(|(_, unit)| *unit)
}

/// `GPUMemoryUsed` as `gpu_memory_used`; what is neither letter nor digit divides words.
pub(super) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (i, char) in chars.iter().enumerate() {
        if !char.is_alphanumeric() {
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            continue;
        }
        let before = i.checked_sub(1).and_then(|i| chars.get(i));
        let after = chars.get(i + 1);
        let starts_word = char.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if starts_word && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(char.to_lowercase());
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(path: &str) -> ObjectInfo {
        ObjectInfo { path: path.into(), ..ObjectInfo::default() }
    }

    #[test]
    fn names_tell_node_and_hour() {
        let group = |path| SagemakerSystem.group(&info(path));
        assert_eq!(
            group("system/incremental/2020091312/1600000200.algo-1.json").as_deref(),
            Some("system/incremental/2020091312/algo-1")
        );
        assert_eq!(group("a/system/1600000200.algo-10.json").as_deref(), Some("a/system/algo-10"));
        for path in [
            "system/incremental/abc.json",
            "system/1600000200.lgo-1.json",
            "system/160000020.algo-1.json",
            "framework/1600000200.algo-1.json",
            "system/1600000200.algo-1.json.corrupt",
        ] {
            assert_eq!(group(path), None, "{path}");
        }
        assert!(SagemakerSystem.ignores(&info("system/x/1600000200.algo-1.json.tmp")).is_some());
        assert!(SagemakerSystem.ignores(&info("system/training_job_end.ts")).is_some());
        assert!(SagemakerSystem.ignores(&info("system/x/1600000200.algo-1.json")).is_none());
    }

    #[test]
    fn content_is_recognized() {
        let sniff = |head: &str| {
            let info = info("somewhere/abc.json");
            SagemakerSystem.sniff(&Probe { info: &info, head: head.as_bytes(), tail: b"" })
        };
        let line = r#"{"Type":"cpu","Name":"cpu5","Dimension":"CPUUtilization","Value":1.36,"NodeId":"algo-1","Timestamp":1591748109.2}"#;
        assert!(sniff(line) && sniff(&format!("\n{line}\n{{\"Ty")));
        assert!(!sniff(r#"{"Type":"cpu","Value":1}"#) && !sniff("") && !sniff("[]"));
    }

    #[test]
    fn series_are_named() {
        let describe = |kind: &str, name: Option<&str>, dimension: &str| {
            let raw = [Some(kind), name, Some(dimension)];
            let raw = raw.map(|part| part.map(|part| format!("\"{part}\"")));
            let s = Series::describe([raw[0].as_deref(), raw[1].as_deref(), raw[2].as_deref()]);
            [s.resource.map(Box::from), s.device, s.metric, s.unit.map(Box::from), s.raw_dimension]
                .map(|part: Option<Box<str>>| part.map_or("-".to_owned(), String::from))
                .join(" ")
        };
        for (kind, name, dimension, expected) in [
            ("cpu", Some("cpu5"), "CPUUtilization", "cpu cpu5 utilization percent CPUUtilization"),
            ("cpu", Some("cpu5"), "I/OWaitPercentage", "cpu cpu5 iowait percent I/OWaitPercentage"),
            ("memory", Some("MemoryUsedPercent"), "", "memory - used percent -"),
            ("memory", None, "MemoryUtilization", "memory - memory_utilization percent MemoryUtilization"),
            ("network", Some("ReceiveBytesPerSecond"), "Platform", "network - receive bytes_per_s Platform"),
            ("i/o", Some("IOPS"), "", "io - operations per_s -"),
            ("gpu", Some("gpu0"), "GPUSMClock", "gpu gpu0 gpusm_clock - GPUSMClock"),
            ("disk", Some("DiskBytes"), "", "- - disk_bytes bytes -"),
        ] {
            assert_eq!(describe(kind, name, dimension), expected);
        }
    }

    #[test]
    fn words_are_divided() {
        for (name, snake) in [
            ("GPUMemoryUsed", "gpu_memory_used"),
            ("I/OWait", "i_o_wait"),
            ("already_snake", "already_snake"),
            ("loss 2", "loss_2"),
            ("__x__", "x"),
        ] {
            assert_eq!(snake_case(name), snake);
        }
    }

    #[test]
    fn values_are_numbers_or_null() {
        assert_eq!(read_value("1.36"), Ok(Some(1.36)));
        assert_eq!(read_value("\"1.5\""), Ok(Some(1.5)));
        assert_eq!(read_value("null"), Ok(None));
        assert_eq!(read_value("\"NaN\""), Ok(None));
        assert!(read_value("true").is_err() && read_value("{}").is_err());
    }
}
