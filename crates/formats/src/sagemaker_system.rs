//! System metrics of SageMaker Debugger: JSON lines with one measurement each, into `sample` and `device`.
//!
//! The system profiler writes one file per machine and minute, `system/incremental/<hour>/<minute>.algo-<n>.json`, with
//! one line for each core, GPU and counter at each tick (500 ms by default). The files of one machine and hour are
//! decoded together. Each line becomes one row, in the order of the file. Nothing is averaged, filled or dropped. This
//! includes duplicates, negative values, and samples outside of the minute in the file's name.
//!
//! # Units
//! `Timestamp` is in seconds with a decimal fraction, and is converted to ns exactly. Values stay in their recorded
//! unit. Column `unit` names it.
//!
//! # Source
//! `awslabs/sagemaker-debugger` 1.0.34 (commit 3b82de3), `smdebug/profiler/system_metrics_reader.py` and
//! `smdebug/profiler/system_profiler_file_parser.py`, which define the keys and their types;
//! `awsdocs/amazon-sagemaker-developer-guide`, `doc_source/debugger-*.md`, for the sampling intervals.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::json;
use super::lines::{FileLine, LineSplitter, line_text};
use super::number::{ParsedInteger, is_digits, parse_scaled};
use super::position::Position;
use super::secret;
use super::template::LineTemplate;
use super::{Decoder, Descriptor, Format, FormatDecoder, ObjectInfo, Probe, Stream};
use crate::error::Result;
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
        head.lines().find(|line| !line.trim().is_empty()).is_some_and(is_measurement)
            || (probe.head.is_empty() && self.group(probe.info).is_some())
    }

    fn group(&self, object: &ObjectInfo) -> Option<Arc<str>> {
        let (folder, name) = object.path.rsplit_once('/')?;
        let node = parse_node(name)?;
        folder.split('/').any(|part| part == "system").then(|| format!("{folder}/{node}").into())
    }

    fn ignore_reason(&self, object: &ObjectInfo) -> Option<&'static str> {
        let name = object.name();
        if name == "training_job_end.ts" {
            return Some("an empty file that marks the end of the job");
        }
        name.strip_suffix(".tmp").and_then(parse_node).map(|_| "still being written")
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(SystemDecoder::default()))
    }
}

/// The node in a name such as `1591160699.algo-1.json`.
fn parse_node(name: &str) -> Option<&str> {
    let (minute, rest) = name.split_once('.')?;
    let node = rest.strip_suffix(".json")?;
    let number = node.strip_prefix("algo-")?;
    (minute.len() == 10 && is_digits(minute) && is_digits(number)).then_some(node)
}

/// Whether a line has the keys of a measurement.
fn is_measurement(line: &str) -> bool {
    MeasurementMembers::parse(line).is_ok_and(|members| members.missing_key().is_none())
}

/// Decodes the files of one machine and hour.
#[derive(Debug, Default)]
struct SystemDecoder {
    path: Arc<str>,
    lines: LineSplitter,
    metrics: SystemMetrics,
}

impl Decoder for SystemDecoder {
    fn begin(&mut self, object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.lines = LineSplitter::default();
        self.metrics.begin();
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let metrics = &mut self.metrics;
        self.lines.end(|line, place| metrics.read_line(line, place, rows));
        if metrics.row == 0 && metrics.bad == 0 && metrics.truncated == 0 {
            rows.problem(Severity::Notice, "empty_file", None, || "the file holds no measurement".to_owned());
        }
        if metrics.row == 0 && metrics.bad > 0 {
            return Err(DESCRIPTOR.malformed(&self.path, "no line is a measurement"));
        }
        Ok(())
    }
}

impl Stream for SystemDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let metrics = &mut self.metrics;
        self.lines.push(chunk, |line, place| metrics.read_line(line, place, rows));
        Ok(())
    }
}

/// What a measurement is about: the part of its line that is the same at each tick.
#[derive(Debug)]
struct MetricSeries {
    /// Raw `Type`, `Name` and `Dimension`.
    raw: [Option<Box<str>>; 3],
    resource: Option<&'static str>,
    device: Option<Box<str>>,
    metric: Option<Box<str>>,
    unit: Option<&'static str>,
    raw_name: Option<Box<str>>,
    raw_dimension: Option<Box<str>>,
    /// Whether a text of it was masked.
    masked: bool,
    /// The [`SystemMetrics::generation`] of its last line.
    generation: u64,
    /// A line of this series, machine and file.
    template: Option<LineTemplate>,
}

/// The maximum number of series. Then the cache of series is cleared.
const MAX_SERIES: usize = 1 << 16;

/// Converts lines to rows.
#[derive(Debug, Default)]
struct SystemMetrics {
    series: Vec<MetricSeries>,
    /// Index of a series by its raw texts.
    indexes: HashMap<String, usize>,
    /// Index of the series of the previous line. The next line usually has the next series.
    last: usize,
    /// Counts files, and changes of the machine. Each may require the device of a series to be written again.
    generation: u64,
    /// The machine of the previous line that has one.
    node: String,
    /// Node and device of the rows of `device` of the current file.
    devices: BTreeSet<(String, String)>,
    row: i64,
    device_row: i64,
    bad: i64,
    truncated: i64,
}

/// The members of a line. All except the name are required.
const KEYS: [&str; 6] = ["Type", "Name", "Dimension", "Value", "NodeId", "Timestamp"];

/// The raw members of a line, in the order of [`KEYS`].
#[derive(Debug, Default, Clone, Copy)]
struct MeasurementMembers<'a>([Option<&'a str>; KEYS.len()]);

impl<'a> MeasurementMembers<'a> {
    fn parse(line: &'a str) -> serde_json::Result<Self> {
        let mut members = Self::default();
        json::visit_members(line, |key, raw| {
            if let Some(index) = KEYS.iter().position(|known| *known == key) {
                members.0[index] = Some(raw);
            }
        })?;
        Ok(members)
    }

    /// The first required key that is missing.
    fn missing_key(&self) -> Option<&'static str> {
        let mut members = KEYS.into_iter().zip(self.0);
        members.find(|(key, raw)| raw.is_none() && *key != "Name").map(|(key, _)| key)
    }
}

impl SystemMetrics {
    fn begin(&mut self) {
        (self.row, self.device_row, self.bad, self.truncated) = (0, 0, 0, 0);
        // each file has its own devices, so that it gives the same rows if it is read again alone
        self.devices.clear();
        self.generation += 1;
    }

    fn read_line(&mut self, line: FileLine<'_>, place: Position, rows: &mut Rows) {
        let Some((bytes, is_last)) = line.bytes() else { return self.skip_line(rows, place, "longer than 1 MiB") };
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() || self.read_from_template(bytes, rows) {
            return;
        }
        let Some(text) = line_text(bytes, is_last, place, rows) else { return self.skip_truncated(rows, place) };
        let mut repaired = String::new();
        match json::parse_or_repair(&text, &mut repaired, MeasurementMembers::parse, place, rows) {
            Ok(members) => self.read_members(members, &text, place, rows),
            Err(_) if is_last => self.skip_truncated(rows, place),
            Err(error) => self.skip_line(rows, place, &error.to_string()),
        }
    }

    fn skip_line(&mut self, rows: &mut Rows, place: Position, why: &str) {
        self.bad += 1;
        place.skip(rows, "bad_line", || why);
    }

    fn skip_truncated(&mut self, rows: &mut Rows, place: Position) {
        self.truncated += 1;
        place.skip(rows, "truncated", || "the file ends inside this line");
    }

    /// Reads a line that differs from the previous line of its series only in value and time. Returns false if the line
    /// must be parsed.
    fn read_from_template(&mut self, line: &[u8], rows: &mut Rows) -> bool {
        for index in [self.last + 1, 0] {
            let series = self.series.get(index).filter(|series| series.generation == self.generation);
            let Some(series) = series else { continue };
            let Some([value, time]) = series.template.as_ref().and_then(|template| template.numbers(line)) else {
                continue;
            };
            // parsing reports values without a column
            let (Ok(Some(value)), ParsedInteger::Is(ts)) = (parse_value(value), parse_scaled(time, 9)) else {
                return false;
            };
            rows.sample(&series.sample(Some(&self.node), Some(ts), Some(value), self.row));
            self.last = index;
            self.row += 1;
            return true;
        }
        false
    }

    /// Reads the members of a line. They are not parts of its text if it was repaired.
    fn read_members(&mut self, members: MeasurementMembers<'_>, line: &str, place: Position, rows: &mut Rows) {
        if let Some(key) = members.missing_key() {
            return self.skip_line(rows, place, &format!("no {key}"));
        }
        let [kind, name, dimension, value, node, time] = members.0;
        let raw_time = time.unwrap_or_default();
        let ts = parse_scaled(json::number_text(raw_time), 9);
        match ts {
            ParsedInteger::Is(_) => {}
            ParsedInteger::OutOfRange => place.repair(rows, "out_of_range", || {
                format!("Timestamp is {raw_time}, which does not fit in 64 bits of ns")
            }),
            ParsedInteger::Not => {
                let why = format!("Timestamp is {raw_time}, expected a number of seconds");
                return self.skip_line(rows, place, &why);
            }
        }
        let raw_value = value.unwrap_or_default();
        let Ok(value) = parse_value(raw_value) else {
            let why = format!("Value is {raw_value}, expected a number");
            return self.skip_line(rows, place, &why);
        };
        let node = node.and_then(json::unquote).filter(|node| !node.is_empty());
        if let Some(node) = &node
            && self.node != **node
        {
            self.node.clear();
            self.node.push_str(node);
            self.generation += 1;
        }
        let index = self.find_series([kind, name, dimension], place, rows);
        self.write_device(index, node.as_deref(), rows);
        let Some(series) = self.series.get_mut(index) else { return };
        if series.masked {
            place.notice(rows, "masked", || "text that looks like a credential was masked");
        }
        // a masked text is reported for each line, so these lines are always parsed
        let is_template = node.is_some() && !series.masked;
        series.template = is_template.then(|| LineTemplate::new(line, raw_value, raw_time)).flatten();
        rows.sample(&series.sample(node.as_deref(), ts.value(), value, self.row));
        self.row += 1;
    }

    /// The index of the series with these raw texts. Adds new series.
    fn find_series(&mut self, raw: [Option<&str>; 3], place: Position, rows: &mut Rows) -> usize {
        for index in [self.last + 1, 0, self.last] {
            if self.series.get(index).is_some_and(|series| series.has_raw(raw)) {
                self.last = index;
                return index;
            }
        }
        // raw JSON has no control characters, so they can separate the texts and stand for null
        let key = raw.map(|part| part.unwrap_or("\u{0}")).join("\u{1}");
        if let Some(index) = self.indexes.get(&key) {
            self.last = *index;
            return *index;
        }
        if self.series.len() >= MAX_SERIES {
            self.series.clear();
            self.indexes.clear();
        }
        let series = MetricSeries::new(raw);
        if series.resource.is_none() {
            let raw_type = raw[0].unwrap_or("null").to_owned();
            place.warn(rows, "unknown_type", || {
                format!("Type is {raw_type}, expected cpu, gpu, memory, i/o or network")
            });
        }
        self.last = self.series.len();
        self.indexes.insert(key, self.last);
        self.series.push(series);
        self.last
    }

    /// Writes the device of a series once for each machine and file.
    fn write_device(&mut self, index: usize, node: Option<&str>, rows: &mut Rows) {
        let (Some(node), Some(series)) = (node, self.series.get_mut(index)) else { return };
        let is_new = std::mem::replace(&mut series.generation, self.generation) != self.generation;
        if let (true, Some(device)) = (is_new, &series.device)
            && self.devices.insert((node.to_owned(), device.to_string()))
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
    }
}

/// Parses a number, which may be in quotes. Null and numbers that are not finite are `None`.
fn parse_value(raw: &str) -> Result<Option<f64>, std::num::ParseFloatError> {
    if raw == "null" {
        return Ok(None);
    }
    let value: f64 = json::number_text(raw).parse()?;
    Ok(value.is_finite().then_some(value))
}

impl MetricSeries {
    /// The series with this raw `Type`, `Name` and `Dimension`.
    fn new(raw: [Option<&str>; 3]) -> Self {
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
        let (device, counter) = match resource {
            Some(Resource::Cpu | Resource::Gpu) => (name.clone(), dimension.as_deref()),
            // the other types have the counter in the name, and sometimes a group in the dimension
            _ => (None, name.as_deref().or(dimension.as_deref())),
        };
        let (metric, unit) = counter.map(parse_metric).unzip();
        Self {
            raw: raw.map(|raw| raw.map(Box::from)),
            resource: resource.map(Resource::as_str),
            device,
            metric: metric.map(|metric| metric.into_owned().into_boxed_str()),
            unit: unit.flatten(),
            raw_name: name,
            raw_dimension: dimension,
            masked,
            generation: 0,
            template: None,
        }
    }

    fn has_raw(&self, raw: [Option<&str>; 3]) -> bool {
        self.raw.iter().zip(raw).all(|(own, other)| own.as_deref() == other)
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
}

/// The metric and the unit of a counter of SageMaker.
fn parse_metric(name: &str) -> (Cow<'static, str>, Option<&'static str>) {
    let (metric, unit) = match name {
        "CPUUtilization" | "GPUUtilization" => ("utilization", "percent"),
        "I/OWaitPercentage" => ("iowait", "percent"),
        "GPUMemoryUtilization" => ("memory_utilization", "percent"),
        "MemoryUsedPercent" => ("used", "percent"),
        "IOPS" => ("operations", "per_s"),
        "ReadThroughputInBytesPerSecond" => ("read", "bytes_per_s"),
        "WriteThroughputInBytesPerSecond" => ("write", "bytes_per_s"),
        "ReceiveBytesPerSecond" => ("receive", "bytes_per_s"),
        "TransmitBytesPerSecond" => ("transmit", "bytes_per_s"),
        _ => return (Cow::Owned(to_snake_case(name)), parse_unit(name)),
    };
    (Cow::Borrowed(metric), Some(unit))
}

/// The unit at the end of a name.
fn parse_unit(name: &str) -> Option<&'static str> {
    let units = [
        ("BytesPerSecond", "bytes_per_s"),
        ("PerSecond", "per_s"),
        ("Percent", "percent"),
        ("Percentage", "percent"),
        ("Utilization", "percent"),
        ("Bytes", "bytes"),
    ];
    units.iter().find(|(suffix, _)| name.ends_with(suffix)).map(|(_, unit)| *unit)
}

/// Converts a name to snake case: `gpu_memory_used` for `GPUMemoryUsed`. Characters other than letters and digits
/// separate words.
pub(super) fn to_snake_case(name: &str) -> String {
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
    fn files_are_grouped_by_node_and_hour() {
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
        assert!(SagemakerSystem.ignore_reason(&info("system/x/1600000200.algo-1.json.tmp")).is_some());
        assert!(SagemakerSystem.ignore_reason(&info("system/training_job_end.ts")).is_some());
        assert!(SagemakerSystem.ignore_reason(&info("system/x/1600000200.algo-1.json")).is_none());
    }

    #[test]
    fn files_are_recognized_by_their_content() {
        let sniff = |head: &str| {
            let info = info("somewhere/abc.json");
            SagemakerSystem.sniff(&Probe { info: &info, head: head.as_bytes(), tail: b"" })
        };
        let line = r#"{"Type":"cpu","Name":"cpu5","Dimension":"CPUUtilization","Value":1.36,"NodeId":"algo-1","Timestamp":1591748109.2}"#;
        assert!(sniff(line) && sniff(&format!("\n{line}\n{{\"Ty")));
        assert!(!sniff(r#"{"Type":"cpu","Value":1}"#) && !sniff("") && !sniff("[]"));
    }

    #[test]
    fn series_are_described() {
        let describe = |kind: &str, name: Option<&str>, dimension: &str| {
            let raw = [Some(kind), name, Some(dimension)];
            let raw = raw.map(|part| part.map(|part| format!("\"{part}\"")));
            let s = MetricSeries::new([raw[0].as_deref(), raw[1].as_deref(), raw[2].as_deref()]);
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
    fn names_are_converted_to_snake_case() {
        for (name, snake) in [
            ("GPUMemoryUsed", "gpu_memory_used"),
            ("I/OWait", "i_o_wait"),
            ("already_snake", "already_snake"),
            ("loss 2", "loss_2"),
            ("__x__", "x"),
        ] {
            assert_eq!(to_snake_case(name), snake);
        }
    }

    #[test]
    fn values_are_numbers_or_null() {
        assert_eq!(parse_value("1.36"), Ok(Some(1.36)));
        assert_eq!(parse_value("\"1.5\""), Ok(Some(1.5)));
        assert_eq!(parse_value("null"), Ok(None));
        assert_eq!(parse_value("\"NaN\""), Ok(None));
        assert!(parse_value("true").is_err() && parse_value("{}").is_err());
    }
}
