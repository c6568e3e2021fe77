//! Tables of a lake as Delta Lake tables: a log beside the parts of each, which names those that count.
//!
//! Delta's protocol says how the log is written (version 1 for readers; 7 for writers, with a feature that none of them has, so
//! that nobody else writes to the table, or vacuums what it does not list). Files of Delta's own stand where nothing
//! else of the lake is: `<table>/_delta_log/<version>.json`, and `<table>/delta/<name>.parquet` for rows that no part has alone.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use parquet::file::metadata::ParquetMetaData;
use serde_json::{Value, json};

use super::check::part_sizes;
use super::part::unique;
use super::{Fault, Lake, LoadedRuns, Manifest, PARALLEL, Part, PartWriter, Snapshot, by_file, is_shared, now};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Object;
use crate::table::{TABLES, Table};
use crate::unit::Type;

/// Times that an export begins anew when somebody else exports at the same time.
const TRIES: usize = 5;

/// Files of Delta's own stay so long after no version lists them any more, in ns: somebody may read an older one.
const KEPT: i64 = 24 * 3600 * 1_000_000_000;

/// For how long a vacuum of other programs, of which some ask for no feature, leaves alone what the log does not list: parts of
/// runs that were committed since.
const RETENTION: &str = "delta.deletedFileRetentionDuration";

/// A Delta table as it is after an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaTable {
    /// The table.
    pub table: String,
    /// Where it is, as other programs call it.
    pub address: String,
    /// The version of the log; the same as before if nothing had changed.
    pub version: u64,
    /// Files that it lists.
    pub files: u64,
    /// Rows in them.
    pub rows: u64,
    /// Bytes of them.
    pub bytes: u64,
}

/// A file that a version of the table lists.
#[derive(Debug)]
struct File {
    /// Bytes that are still to be written; none if it is there.
    made: Option<Bytes>,
    rows: u64,
    bytes: u64,
    /// When its rows were committed, ns.
    committed: i64,
    /// The first and the last run in it.
    runs: Option<(String, String)>,
    ts: Option<(i64, i64)>,
}

/// What the log of a table says.
#[derive(Debug, Default)]
struct Log {
    /// The version that comes next.
    next: u64,
    /// The files listed, by path below the table.
    files: BTreeMap<String, Listed>,
    schema: Option<String>,
}

/// A file as the log has it.
#[derive(Debug, Clone, Copy)]
struct Listed {
    rows: u64,
    bytes: u64,
}

impl Lake {
    /// Brings the Delta tables of all runs up to date; `made` gives the rows of a table without parts, their number and their
    /// bytes as Parquet. Also returns the faults of excluded runs: a manifest is corrupt, or a data file is missing or truncated.
    ///
    /// # Errors
    /// Conflict when others export time after time; Malformed for a log that is not ours; Denied, Unreachable, Exhausted.
    pub async fn export_delta(
        &self,
        made: impl Fn(&'static Table, &Snapshot) -> Result<(u64, Vec<u8>)>,
    ) -> Result<(Vec<DeltaTable>, Vec<Fault>)> {
        let mut faults = Vec::new();
        let mut open: Vec<&'static Table> = TABLES.to_vec();
        let mut done = Vec::new();
        for attempt in 1.. {
            // Before the runs are looked at: who exports newer ones meanwhile makes a version that these logs do not know.
            let logs: Vec<_> = open.iter().map(|table| self.delta_log(table)).collect();
            let logs: Vec<Log> = futures::stream::iter(logs).buffered(PARALLEL).try_collect().await?;
            let LoadedRuns { mut runs, faults: mut found } = self.snapshot().await?;
            let listed = self.place.list_if_any().await?;
            found.extend(self.compare_sizes(&runs, &mut part_sizes(&listed)).await?.0);
            let excluded: BTreeSet<&str> = found.iter().filter_map(|fault| fault.run.as_deref()).collect();
            if !excluded.is_empty() {
                Arc::make_mut(&mut runs).retain(|run, _| !excluded.contains(run.as_str()));
            }
            faults = found;
            let mut left = Vec::new();
            for (table, log) in open.into_iter().zip(logs) {
                let files = if table.has_parts() {
                    self.delta_files(table, &runs, &log).await?
                } else {
                    let (rows, bytes) = made(table, &runs)?;
                    BTreeMap::from([File::made(rows, bytes)])
                };
                match self.commit_delta(table, log, files).await {
                    Err(error) if error.kind() == ErrorKind::Conflict && attempt < TRIES => left.push(table),
                    told => done.push(told?),
                }
            }
            open = left;
            if open.is_empty() {
                break;
            }
        }
        let place = |told: &DeltaTable| TABLES.iter().position(|table| table.name == told.table);
        done.sort_by_key(place);
        Ok((done, faults))
    }

    /// The files that hold the rows of a table, each row once, by path below the table.
    async fn delta_files(
        &self,
        table: &'static Table,
        snapshot: &Snapshot,
        log: &Log,
    ) -> Result<BTreeMap<String, File>> {
        let (shared, whole): (Vec<_>, Vec<_>) = by_file(snapshot, table).into_iter().partition(|(_, of)| is_shared(of));
        let shared: Vec<_> =
            shared.into_iter().map(|(path, of)| self.delta_file_of_many(table, path, of, log)).collect();
        let shared: Vec<(String, File)> = futures::stream::iter(shared).buffered(PARALLEL).try_collect().await?;
        let whole = whole.into_iter().map(|(path, of)| (below(table, path), File::of(&of)));
        Ok(whole.chain(shared).collect())
    }

    /// A file of many runs, or a new one in its place if it holds rows that no longer count.
    async fn delta_file_of_many(
        &self,
        table: &'static Table,
        path: &str,
        of: Vec<(&Arc<Manifest>, &Part)>,
        log: &Log,
    ) -> Result<(String, File)> {
        let (name, mut file) = (below(table, path), File::of(&of));
        // What was listed with so many rows had no others.
        if log.files.get(&name).is_some_and(|listed| listed.rows == file.rows)
            || rows_of(&self.footer_of(of[0].1).await?) == file.rows
        {
            return Ok((name, file));
        }
        let counted: BTreeSet<&str> = of.iter().map(|(run, _)| run.run.as_str()).collect();
        let own = format!("delta/{:016x}.parquet", hash(&(path, counted, file.rows)));
        if let Some(listed) = log.files.get(&own) {
            file.bytes = listed.bytes;
            return Ok((own, file));
        }
        let bytes = self.read_part(path).await?;
        let mut writer = PartWriter::of_slices(table);
        for (_, part) in &of {
            writer.copy(part, bytes.clone(), &BTreeSet::new())?;
        }
        if let Some((_, blocks)) = writer.finish()? {
            let bytes: Bytes = blocks.concat().into();
            (file.bytes, file.made) = (bytes.len() as u64, Some(bytes));
        }
        Ok((own, file))
    }

    /// Makes these files the table, unless they are already.
    async fn commit_delta(
        &self,
        table: &'static Table,
        mut log: Log,
        files: BTreeMap<String, File>,
    ) -> Result<DeltaTable> {
        let folder = self.place.join(table.name);
        for (path, file) in &files {
            if let Some(made) = file.made.as_ref().filter(|_| !log.files.contains_key(path)) {
                self.put_part(&format!("{}/{path}", table.name), vec![made.clone()]).await?;
            }
        }
        if let Some(actions) = actions(table, &log, &files) {
            let paths: Vec<String> = files.keys().map(|path| format!("{}/{path}", table.name)).collect();
            self.sync(paths.iter().map(String::as_str)).await?;
            self.put_new(&folder.at(&format!("_delta_log/{:020}.json", log.next)), actions).await?;
            log.next += 1;
        }
        self.tidy_delta(table, &files).await;
        Ok(DeltaTable {
            table: table.name.to_owned(),
            address: self.place.address_of(folder.root()),
            version: log.next.saturating_sub(1),
            files: files.len() as u64,
            rows: files.values().map(|file| file.rows).sum(),
            bytes: files.values().map(|file| file.bytes).sum(),
        })
    }

    /// Reads the log of a table.
    async fn delta_log(&self, table: &Table) -> Result<Log> {
        let folder = self.place.join(table.name).join("_delta_log");
        let mut listed = folder.list_if_any().await?;
        listed.retain(|object| version(&object.path).is_some());
        let damaged = |why: &str| {
            let text = format!("cannot export to {}: {why}", folder.url());
            let hint = "if you do not need its older versions, remove that folder: the next export creates it again";
            Error::new(ErrorKind::Malformed, text).with_hint(hint)
        };
        let texts: Vec<_> = listed.iter().map(|object| self.bytes(&object.location)).collect();
        let texts: Vec<Bytes> = futures::stream::iter(texts).buffered(PARALLEL).try_collect().await?;
        let mut log = Log::default();
        for (object, text) in listed.iter().zip(texts) {
            if version(&object.path) != Some(log.next) {
                return Err(damaged(&format!("version {} is missing", log.next)));
            }
            for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let action: Value =
                    serde_json::from_slice(line).map_err(|_| damaged(&format!("{} is not JSON", object.path)))?;
                log.apply(&action)
                    .ok_or_else(|| damaged(&format!("{} was written by another program", object.path)))?;
            }
            log.next += 1;
        }
        Ok(log)
    }

    /// Removes files of Delta's own that are old and that these are not. Best effort: they only take space.
    async fn tidy_delta(&self, table: &Table, files: &BTreeMap<String, File>) {
        let Ok(listed) = self.place.join(table.name).join("delta").list_if_any().await else { return };
        let before = now().saturating_sub(KEPT);
        let old = |object: &Object| object.modified < before && !files.contains_key(&format!("delta/{}", object.path));
        let _ = self.remove_all(listed.into_iter().filter(old).map(|object| object.location).collect()).await;
    }
}

impl File {
    /// A file of Delta's own, and its path: the same rows have the same.
    fn made(rows: u64, bytes: Vec<u8>) -> (String, Self) {
        let path = format!("delta/{:016x}.parquet", hash(&bytes));
        let size = bytes.len() as u64;
        let file = Self { made: Some(bytes.into()), rows, bytes: size, committed: now(), runs: None, ts: None };
        (path, file)
    }

    /// A file of which these parts are all that counts.
    fn of(parts: &[(&Arc<Manifest>, &Part)]) -> Self {
        let runs = || parts.iter().map(|(run, _)| run.run.as_str());
        let ts = || parts.iter().filter_map(|(_, part)| part.ts);
        Self {
            made: None,
            rows: parts.iter().map(|(_, part)| part.rows).sum(),
            bytes: parts.first().map_or(0, |(_, part)| part.file_bytes()),
            committed: parts.iter().map(|(run, _)| run.committed).max().unwrap_or_default(),
            runs: runs().min().zip(runs().max()).map(|(first, last)| (first.to_owned(), last.to_owned())),
            ts: ts().map(|(from, _)| from).min().zip(ts().map(|(_, to)| to).max()),
        }
    }

    /// What an engine may leave the file out by.
    fn statistics(&self) -> String {
        let (mut least, mut greatest, mut nulls) = (json!({}), json!({}), json!({}));
        if let Some((first, last)) = &self.runs {
            (least["run"], greatest["run"], nulls["run"]) = (json!(first), json!(last), json!(0));
        }
        if let Some((from, to)) = self.ts {
            (least["ts"], greatest["ts"]) = (json!(from), json!(to));
        }
        json!({"numRecords": self.rows, "minValues": least, "maxValues": greatest, "nullCount": nulls}).to_string()
    }
}

impl Log {
    /// Takes one line of the log; none for one that we would not have written.
    fn apply(&mut self, action: &Value) -> Option<()> {
        if let Some(add) = action.get("add") {
            let statistics: Value = serde_json::from_str(add["stats"].as_str()?).ok()?;
            let listed = Listed { rows: statistics["numRecords"].as_u64()?, bytes: add["size"].as_u64()? };
            self.files.insert(add["path"].as_str()?.to_owned(), listed);
        } else if let Some(remove) = action.get("remove") {
            self.files.remove(remove["path"].as_str()?);
        } else if let Some(metadata) = action.get("metaData") {
            self.schema = Some(metadata["schemaString"].as_str()?.to_owned());
        }
        Some(())
    }
}

/// The lines of the next version; none if the log says so already.
fn actions(table: &Table, log: &Log, files: &BTreeMap<String, File>) -> Option<String> {
    let (schema, ms) = (schema(table), |ns: i64| ns / 1_000_000);
    let time = ms(now());
    let mut lines = Vec::new();
    if log.schema.as_ref() != Some(&schema) {
        lines.push(json!({"protocol": {
            "minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["tracelake"],
        }}));
        lines.push(json!({"metaData": {
            "id": id(), "name": table.name, "description": table.doc, "format": {"provider": "parquet", "options": {}},
            "schemaString": schema, "partitionColumns": [], "configuration": {RETENTION: "interval 36500 days"},
            "createdTime": time,
        }}));
    }
    for path in log.files.keys().filter(|path| !files.contains_key(*path)) {
        lines.push(json!({"remove": {"path": path, "deletionTimestamp": time, "dataChange": true}}));
    }
    // A file never changes, so that its name is enough.
    for (path, file) in files.iter().filter(|(path, _)| !log.files.contains_key(*path)) {
        lines.push(json!({"add": {
            "path": path, "partitionValues": {}, "size": file.bytes, "modificationTime": ms(file.committed),
            "dataChange": true, "stats": file.statistics(),
        }}));
    }
    if lines.is_empty() {
        return None;
    }
    let engine = format!("tracelake {}", env!("CARGO_PKG_VERSION"));
    lines.insert(0, json!({"commitInfo": {"timestamp": time, "operation": "EXPORT", "engineInfo": engine}}));
    let mut text: Vec<String> = lines.iter().map(Value::to_string).collect();
    text.push(String::new());
    Some(text.join("\n"))
}

/// The columns as Delta writes them, each with what it means.
fn schema(table: &Table) -> String {
    let field = |column: &crate::table::Column| {
        let ty = match column.ty {
            Type::Bigint => "long",
            Type::Double => "double",
            Type::Text => "string",
            Type::Boolean => "boolean",
        };
        let metadata = json!({"unit": column.unit.as_str(), "comment": column.doc});
        json!({"name": column.name, "type": ty, "nullable": true, "metadata": metadata})
    };
    json!({"type": "struct", "fields": table.columns().map(field).collect::<Vec<_>>()}).to_string()
}

/// The name of a Delta table for machines, which has the form of a UUID.
fn id() -> String {
    let text = unique().replace('-', "");
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..32])
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

fn rows_of(footer: &ParquetMetaData) -> u64 {
    u64::try_from(footer.file_metadata().num_rows()).unwrap_or_default()
}

/// The path of a part below its table.
fn below(table: &Table, path: &str) -> String {
    path.strip_prefix(table.name).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path).to_owned()
}

/// The version that a file of the log is.
fn version(path: &str) -> Option<u64> {
    path.strip_suffix(".json").filter(|number| number.len() == 20)?.parse().ok()
}
