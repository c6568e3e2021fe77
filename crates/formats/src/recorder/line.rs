//! Lines of a recording to rows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::fields::Fields;
use crate::json;
use crate::lines::Line;
use crate::place::Place;
use crate::table::{
    Category, Device, Event, Incident, Loader, Mode, Resource, Rows, RunAttribute, Sample, Severity, Step,
};

/// More loaders than any process has; beyond that their descriptions are forgotten.
const MAX_LOADERS: usize = 1 << 10;

/// The version of the file that is understood.
const VERSION: i64 = 1;

/// What a file has said so far.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// The first line was read.
    pub(super) begun: bool,
    /// The last line was read, or the file is a block of several.
    pub(super) ended: bool,
    node: Option<String>,
    rank: Option<i64>,
    pid: Option<i64>,
    loaders: BTreeMap<String, Described>,
    row: i64,
}

/// How a loader is set up.
#[derive(Debug, Default, Clone, Copy)]
struct Described {
    num_workers: Option<i64>,
    prefetch_factor: Option<i64>,
    persistent_workers: Option<bool>,
    pin_memory: Option<bool>,
    batch_size: Option<i64>,
}

impl Recording {
    pub(super) fn line(&mut self, line: Line<'_>, place: Place, rows: &mut Rows) {
        let (bytes, last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => return bad(rows, place, "longer than 1 MiB"),
        };
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() {
            return;
        }
        let text = match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            // a file may end inside a character
            Err(_) if last => return truncated(rows, place),
            Err(_) => {
                rows.repair("not_utf8", place.byte(), || format!("{place}: bytes that are not UTF-8 were replaced"));
                String::from_utf8_lossy(bytes)
            }
        };
        match Fields::parse(&text) {
            Ok(fields) => self.fields(&fields, place, rows),
            Err(error) => match json::mend(&text).as_deref() {
                Some(mended) if let Ok(fields) = Fields::parse(mended) => {
                    rows.repair("mended", place.byte(), || format!("{place}: not valid JSON ({error}); read anyway"));
                    self.fields(&fields, place, rows);
                }
                _ if last => truncated(rows, place),
                _ => bad(rows, place, &error.to_string()),
            },
        }
    }

    fn fields(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) {
        let read = if fields.raw("recorder").is_some() {
            self.begin(fields, place, rows)
        } else {
            match fields.text("kind").as_deref() {
                Some("loader") => self.describe(fields),
                Some(kind @ ("next" | "init" | "item" | "collate" | "worker" | "pass" | "trial")) => {
                    self.loader(kind, fields, rows)
                }
                Some("step") => self.step(fields, rows),
                Some("phase") => self.event(Category::Phase, fields, rows),
                Some("annotation") => self.event(Category::Annotation, fields, rows),
                Some("sample") => self.sample(fields, place, rows),
                Some("incident") => self.incident(fields, rows),
                Some("attribute") => {
                    if let Some(key) = fields.text("key") {
                        self.attribute(&key, fields.text("value").as_deref(), rows);
                        Ok(())
                    } else {
                        Err("key")
                    }
                }
                Some("device") => self.device(fields, rows),
                Some("end") => {
                    self.ended = true;
                    Ok(())
                }
                Some(kind) => {
                    rows.skip("unknown_kind", place.byte(), || format!("{place}: unknown kind {kind:?}"));
                    Ok(())
                }
                None => return bad(rows, place, "no kind"),
            }
        };
        if let Err(name) = read {
            let found = fields.raw(name).unwrap_or("missing");
            bad(rows, place, &format!("{name} is {found}"));
        }
    }

    fn begin(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) -> Result<(), &'static str> {
        let (version, rank, pid) = (fields.int("version")?, fields.int("rank")?, fields.int("pid")?);
        let block = fields.int("block")?;
        if version != Some(VERSION) {
            rows.problem(Severity::Warning, "version", place.byte(), || {
                format!("{place}: version is {version:?}, expected {VERSION}; unknown members are not read")
            });
        }
        let row = self.row;
        let node = fields.text("host").map(Cow::into_owned);
        // whether more blocks follow cannot be seen in one
        *self = Self { begun: true, ended: block.is_some(), node, rank, pid, row, ..Self::default() };
        if let Some(framework) = fields.text("framework") {
            rows.framework(&framework);
        }
        if block.unwrap_or(0) > 0 {
            return Ok(());
        }
        for name in ["name", "world_size", "local_rank"] {
            if let Some(value) = fields.text(name) {
                self.attribute(&format!("recorder.{name}"), Some(&value), rows);
            }
        }
        for (name, prefix) in [("versions", "version."), ("attributes", "")] {
            let Some(object) = fields.raw(name) else { continue };
            let mut all = Vec::new();
            json::members(object, |key, _| all.push(key.to_owned())).map_err(|_| name)?;
            let members = Fields::parse(object).map_err(|_| name)?;
            for key in all {
                self.attribute(&format!("{prefix}{key}"), members.text(&key).as_deref(), rows);
            }
        }
        Ok(())
    }

    fn describe(&mut self, fields: &Fields<'_>) -> Result<(), &'static str> {
        let described = Described {
            num_workers: fields.int("num_workers")?,
            prefetch_factor: fields.int("prefetch_factor")?,
            persistent_workers: fields.flag("persistent_workers")?,
            pin_memory: fields.flag("pin_memory")?,
            batch_size: fields.int("batch_size")?,
        };
        if self.loaders.len() >= MAX_LOADERS {
            self.loaders.clear();
        }
        self.loaders.insert(fields.text("loader").unwrap_or_default().into_owned(), described);
        Ok(())
    }

    fn loader(&mut self, kind: &str, fields: &Fields<'_>, rows: &mut Rows) -> Result<(), &'static str> {
        let name = fields.text("loader");
        let described = name.as_deref().and_then(|name| self.loaders.get(name)).copied().unwrap_or_default();
        let own = fields.int("batch_size")?;
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
            num_workers: described.num_workers,
            prefetch_factor: described.prefetch_factor,
            persistent_workers: described.persistent_workers,
            pin_memory: described.pin_memory,
            // that of a batch is what was counted; nothing is assumed of one that was not
            batch_size: if matches!(kind, "init" | "pass") { own.or(described.batch_size) } else { own },
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

    fn step(&mut self, fields: &Fields<'_>, rows: &mut Rows) -> Result<(), &'static str> {
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
            row: self.row,
        });
        self.row += 1;
        Ok(())
    }

    fn event(&mut self, category: Category, fields: &Fields<'_>, rows: &mut Rows) -> Result<(), &'static str> {
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
            row: self.row,
            ..Event::default()
        });
        self.row += 1;
        Ok(())
    }

    fn sample(&mut self, fields: &Fields<'_>, place: Place, rows: &mut Rows) -> Result<(), &'static str> {
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
            rows.problem(Severity::Warning, "unknown_resource", place.byte(), || {
                format!("{place}: resource is {}", fields.raw("resource").unwrap_or("missing"))
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

    fn incident(&mut self, fields: &Fields<'_>, rows: &mut Rows) -> Result<(), &'static str> {
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

    fn attribute(&mut self, key: &str, value: Option<&str>, rows: &mut Rows) {
        rows.run_attribute(&RunAttribute {
            node: self.node.as_deref(),
            rank: self.rank,
            key: Some(key),
            value,
            row: self.row,
        });
        self.row += 1;
    }

    fn device(&mut self, fields: &Fields<'_>, rows: &mut Rows) -> Result<(), &'static str> {
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

fn bad(rows: &mut Rows, place: Place, why: &str) {
    rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
}

fn truncated(rows: &mut Rows, place: Place) {
    rows.skip("truncated", place.byte(), || format!("{place}: the file ends inside this line"));
}
