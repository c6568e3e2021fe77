//! Converts the lines of a recording to rows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::fields::LineFields;
use crate::json;
use crate::lines::{FileLine, line_text};
use crate::position::Position;
use crate::table::{Category, Device, Event, Incident, Loader, Mode, Resource, Rows, RunAttribute, Sample, Step};

/// Maximum number of loaders. No real process has more; the settings of all loaders are forgotten then.
const MAX_LOADERS: usize = 1 << 10;

/// Why the last line of a file is skipped if it is incomplete.
const TRUNCATED: &str = "the file ends inside this line";

/// The version of the file format that is read.
const VERSION: i64 = 1;

/// Reads the lines of a recording.
#[derive(Debug, Default)]
pub(super) struct RecordingReader {
    /// The first line was read.
    pub(super) has_header: bool,
    /// The last line was read, or the file is one of several blocks.
    pub(super) has_end: bool,
    node: Option<String>,
    rank: Option<i64>,
    pid: Option<i64>,
    /// `pid` as a text.
    process: Option<String>,
    loaders: BTreeMap<String, LoaderSettings>,
    row: i64,
}

/// The settings of a data loader.
#[derive(Debug, Default, Clone, Copy)]
struct LoaderSettings {
    num_workers: Option<i64>,
    prefetch_factor: Option<i64>,
    persistent_workers: Option<bool>,
    pin_memory: Option<bool>,
    batch_size: Option<i64>,
}

/// An error is the name of a malformed or missing member.
type FieldResult = Result<(), &'static str>;

impl RecordingReader {
    pub(super) fn read_line(&mut self, line: FileLine<'_>, position: Position, rows: &mut Rows) {
        let Some((bytes, is_last)) = line.bytes() else {
            return position.skip(rows, "bad_line", || "longer than 1 MiB");
        };
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() {
            return;
        }
        let Some(text) = line_text(bytes, is_last, position, rows) else {
            return position.skip(rows, "truncated", || TRUNCATED);
        };
        let mut repaired = String::new();
        match json::parse_or_repair(&text, &mut repaired, LineFields::parse, position, rows) {
            Ok(fields) => self.read_fields(&fields, position, rows),
            Err(_) if is_last => position.skip(rows, "truncated", || TRUNCATED),
            Err(error) => position.skip(rows, "bad_line", || error),
        }
    }

    fn read_fields(&mut self, fields: &LineFields<'_>, position: Position, rows: &mut Rows) {
        let result = if fields.raw("recorder").is_some() {
            self.read_header(fields, position, rows)
        } else {
            match fields.text("kind").as_deref() {
                Some("loader") => self.read_settings(fields),
                Some(kind @ ("next" | "init" | "item" | "collate" | "worker" | "pass" | "trial")) => {
                    self.write_loader(kind, fields, rows)
                }
                Some("step") => self.write_step(fields, rows),
                Some("phase") => self.write_event(Category::Phase, fields, rows),
                Some("annotation") => self.write_event(Category::Annotation, fields, rows),
                Some("sample") => self.write_sample(fields, position, rows),
                Some("incident") => self.write_incident(fields, rows),
                Some("attribute") => fields.text("key").ok_or("key").map(|key| {
                    self.write_attribute(&key, fields.text("value").as_deref(), rows);
                }),
                Some("device") => self.write_device(fields, rows),
                Some("end") => {
                    self.has_end = true;
                    Ok(())
                }
                Some(kind) => {
                    position.skip(rows, "unknown_kind", || format!("unknown kind {kind:?}"));
                    Ok(())
                }
                None => return position.skip(rows, "bad_line", || "no kind"),
            }
        };
        if let Err(name) = result {
            let raw = fields.raw(name).unwrap_or("missing");
            position.skip(rows, "bad_line", || format!("{name} is {raw}"));
        }
    }

    fn read_header(&mut self, fields: &LineFields<'_>, position: Position, rows: &mut Rows) -> FieldResult {
        let (version, rank, pid) = (fields.int("version")?, fields.int("rank")?, fields.int("pid")?);
        let block = fields.int("block")?;
        if version != Some(VERSION) {
            position.warn(rows, "version", || {
                format!("version is {version:?}, expected {VERSION}; unknown members are not read")
            });
        }
        let node = fields.text("host").map(Cow::into_owned);
        // a block does not show whether more blocks follow
        let has_end = block.is_some();
        let process = pid.map(|pid| pid.to_string());
        *self = Self { has_header: true, has_end, node, rank, pid, process, row: self.row, ..Self::default() };
        if let Some(framework) = fields.text("framework") {
            rows.framework(&framework);
        }
        if block.unwrap_or(0) > 0 {
            return Ok(());
        }
        for name in ["name", "world_size", "local_rank"] {
            if let Some(value) = fields.text(name) {
                self.write_attribute(&format!("recorder.{name}"), Some(&value), rows);
            }
        }
        for (name, prefix) in [("versions", "version."), ("attributes", "")] {
            let Some(object) = fields.raw(name) else { continue };
            let mut keys = Vec::new();
            json::visit_members(object, |key, _| keys.push(key.to_owned())).map_err(|_| name)?;
            let members = LineFields::parse(object).map_err(|_| name)?;
            for key in keys {
                self.write_attribute(&format!("{prefix}{key}"), members.text(&key).as_deref(), rows);
            }
        }
        Ok(())
    }

    fn read_settings(&mut self, fields: &LineFields<'_>) -> FieldResult {
        let settings = LoaderSettings {
            num_workers: fields.int("num_workers")?,
            prefetch_factor: fields.int("prefetch_factor")?,
            persistent_workers: fields.flag("persistent_workers")?,
            pin_memory: fields.flag("pin_memory")?,
            batch_size: fields.int("batch_size")?,
        };
        if self.loaders.len() >= MAX_LOADERS {
            self.loaders.clear();
        }
        self.loaders.insert(fields.text("loader").unwrap_or_default().into_owned(), settings);
        Ok(())
    }

    fn write_loader(&mut self, kind: &str, fields: &LineFields<'_>, rows: &mut Rows) -> FieldResult {
        let name = fields.text("loader");
        let settings = name.as_deref().and_then(|name| self.loaders.get(name)).copied().unwrap_or_default();
        let batch_size = fields.int("batch_size")?;
        let variant = fields.text("variant");
        let row = Loader {
            node: self.node.as_deref(),
            rank: self.rank,
            kind: Some(kind),
            ts: fields.int("ts")?,
            dur: fields.int("dur")?,
            compute_dur: fields.int("compute_dur")?,
            epoch: fields.int("epoch")?,
            batch: fields.int("batch")?,
            step: fields.int("step")?,
            item: fields.int("item")?,
            worker: fields.int("worker")?,
            num_workers: settings.num_workers,
            prefetch_factor: settings.prefetch_factor,
            persistent_workers: settings.persistent_workers,
            pin_memory: settings.pin_memory,
            // a batch may be smaller than the setting, so only its measured size is used
            batch_size: batch_size.or(settings.batch_size.filter(|_| matches!(kind, "init" | "pass"))),
            bytes: fields.int("bytes")?,
            pid: self.pid,
            loader: name.as_deref(),
            variant: variant.as_deref().or(Some("real")),
            batches: fields.int("batches")?,
            row: self.row,
            ..Loader::default()
        };
        rows.loader(&row);
        self.row += 1;
        Ok(())
    }

    fn write_step(&mut self, fields: &LineFields<'_>, rows: &mut Rows) -> FieldResult {
        let mode = fields.text("mode");
        let known = [Mode::Train, Mode::Eval, Mode::Predict, Mode::Global].map(Mode::as_str);
        let mode = match mode.as_deref() {
            None => Mode::Global.as_str(),
            Some(mode) => known.into_iter().find(|known| *known == mode).ok_or("mode")?,
        };
        rows.step(&Step {
            node: self.node.as_deref(),
            rank: self.rank,
            span: Some(0),
            step: fields.int("step")?,
            mode: Some(mode),
            ts: fields.int("ts")?,
            dur: fields.int("dur")?,
            complete: Some(fields.flag("complete")?.unwrap_or(true)),
            process: self.process.as_deref(),
            row: self.row,
        });
        self.row += 1;
        Ok(())
    }

    fn write_event(&mut self, category: Category, fields: &LineFields<'_>, rows: &mut Rows) -> FieldResult {
        let name = fields.text("name").ok_or("name")?;
        rows.event(&Event {
            node: self.node.as_deref(),
            rank: self.rank,
            span: Some(0),
            category: Some(category.as_str()),
            name: Some(&name),
            track: fields.text("track").as_deref(),
            ts: fields.int("ts")?,
            dur: fields.int("dur")?,
            step: fields.int("step")?,
            pid: self.pid,
            tid: fields.int("tid")?,
            device: Some("cpu"),
            args: fields.text("args").as_deref(),
            process: self.process.as_deref(),
            row: self.row,
            ..Event::default()
        });
        self.row += 1;
        Ok(())
    }

    fn write_sample(&mut self, fields: &LineFields<'_>, position: Position, rows: &mut Rows) -> FieldResult {
        let resource = fields.text("resource");
        let resource = [
            Resource::Cpu,
            Resource::Gpu,
            Resource::Memory,
            Resource::Io,
            Resource::Network,
            Resource::Allocator,
            Resource::Training,
        ]
        .map(Resource::as_str)
        .into_iter()
        .find(|known| Some(*known) == resource.as_deref());
        if resource.is_none() {
            position.warn(rows, "unknown_resource", || {
                format!("resource is {}", fields.raw("resource").unwrap_or("missing"))
            });
        }
        rows.sample(&Sample {
            node: self.node.as_deref(),
            rank: self.rank,
            ts: fields.int("ts")?,
            step: fields.int("step")?,
            epoch: fields.int("epoch")?,
            resource,
            device: fields.text("device").as_deref(),
            metric: fields.text("metric").as_deref(),
            value: fields.float("value")?,
            unit: fields.text("unit").as_deref(),
            row: self.row,
            ..Sample::default()
        });
        self.row += 1;
        Ok(())
    }

    fn write_incident(&mut self, fields: &LineFields<'_>, rows: &mut Rows) -> FieldResult {
        let kind = fields.text("what").ok_or("what")?;
        rows.incident(&Incident {
            node: self.node.as_deref(),
            rank: self.rank,
            ts: fields.int("ts")?,
            kind: Some(&kind),
            message: fields.text("message").as_deref(),
            worker: fields.int("worker")?,
            item: fields.int("item")?,
            step: fields.int("step")?,
            row: self.row,
        });
        self.row += 1;
        Ok(())
    }

    fn write_attribute(&mut self, key: &str, value: Option<&str>, rows: &mut Rows) {
        rows.run_attribute(&RunAttribute {
            node: self.node.as_deref(),
            rank: self.rank,
            key: Some(key),
            value,
            row: self.row,
        });
        self.row += 1;
    }

    fn write_device(&mut self, fields: &LineFields<'_>, rows: &mut Rows) -> FieldResult {
        rows.device(&Device {
            node: self.node.as_deref(),
            rank: self.rank,
            kind: fields.text("type").as_deref(),
            device: fields.text("device").as_deref(),
            name: fields.text("name").as_deref(),
            memory_bytes: fields.int("memory_bytes")?,
            cores: fields.int("cores")?,
            capability: fields.text("capability").as_deref(),
            row: self.row,
            ..Device::default()
        });
        self.row += 1;
        Ok(())
    }
}
