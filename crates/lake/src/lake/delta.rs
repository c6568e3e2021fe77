//! Exports the tables of a lake as Delta Lake tables: each gets a log that lists its data files.
//!
//! The log follows the protocol of Delta (version 1 for readers; 7 for writers, with a feature that
//! no other program has, so that no other program writes to the table or removes files that the log
//! does not list). Files of the export have their own folders: `<table>/_delta_log/<version>.json`,
//! and `<table>/delta/<name>.parquet` for rows without a data file of their own.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};

use super::check::data_file_sizes;
use super::checksum::check_bytes;
use super::data_file::unique_name;
use super::footer::row_count;
use super::{
    DataFile, DataFileWriter, Lake, LakeFault, LoadedRuns, Manifest, PARALLEL, Snapshot, group_by_data_file, is_shared,
    now,
};
use crate::error::{Error, ErrorKind, Result};
use crate::source::StoredObject;
use crate::table::{TABLES, Table};
use crate::unit::Type;

/// Maximum number of attempts while other processes export at the same time.
const MAX_ATTEMPTS: usize = 5;

/// Age in ns after which files in `delta/` are removed if no version lists them: a program may
/// still read an older version.
const MIN_AGE: i64 = 24 * 3600 * 1_000_000_000;

/// For this time, a vacuum of another program keeps files that the log does not list: data files of
/// runs that were committed since. Some programs do not check the writer feature.
const RETENTION: &str = "delta.deletedFileRetentionDuration";

/// An exported Delta table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaTable {
    /// Name of the table.
    pub table: String,
    /// Address of the table for other programs.
    pub address: String,
    /// Version of the log; the same as before if nothing has changed.
    pub version: u64,
    /// Number of files that it lists.
    pub files: u64,
    /// Number of rows in the files.
    pub rows: u64,
    /// Size of the files in bytes.
    pub bytes: u64,
}

/// A file that a version of the table lists.
#[derive(Debug)]
struct DeltaFile {
    /// Content that must be written; none if the file exists.
    content: Option<Bytes>,
    rows: u64,
    bytes: u64,
    /// Time of the last commit of its rows, ns.
    committed: i64,
    /// The first and the last run in the file.
    runs: Option<(String, String)>,
    ts: Option<(i64, i64)>,
}

/// The state of the log of a table.
#[derive(Debug, Default)]
struct DeltaLog {
    /// The next version.
    next: u64,
    /// The listed files, by path below the table.
    files: BTreeMap<String, LoggedFile>,
    schema: Option<String>,
}

/// A file in the log.
#[derive(Debug, Clone, Copy)]
struct LoggedFile {
    rows: u64,
    bytes: u64,
}

impl Lake {
    /// Updates the Delta tables of all runs. `build_rows` returns the rows of a table without data
    /// files: their number, and their bytes as Parquet. Also returns the faults of excluded runs: a
    /// manifest is corrupt, or a data file is missing or truncated.
    ///
    /// # Errors
    /// Conflict if other processes export at every attempt; Malformed for a log of another program;
    /// Denied, Unreachable, Exhausted.
    pub async fn export_delta(
        &self,
        build_rows: impl Fn(&'static Table, &Snapshot) -> Result<(u64, Vec<u8>)>,
    ) -> Result<(Vec<DeltaTable>, Vec<LakeFault>)> {
        let mut faults = Vec::new();
        let mut pending: Vec<&'static Table> = TABLES.to_vec();
        let mut done = Vec::new();
        for attempt in 1.. {
            // Read the logs before the runs: if another process then exports newer runs, the commit
            // on top of these logs fails.
            let logs: Vec<_> = pending.iter().map(|table| self.read_delta_log(table)).collect();
            let logs: Vec<DeltaLog> = futures::stream::iter(logs).buffered(PARALLEL).try_collect().await?;
            let LoadedRuns { mut runs, faults: mut new_faults } = self.snapshot().await?;
            let listed = self.location.list_or_empty().await?;
            new_faults.extend(self.compare_sizes(&runs, &mut data_file_sizes(&listed)).await?.0);
            let excluded: BTreeSet<&str> = new_faults.iter().filter_map(|fault| fault.run.as_deref()).collect();
            if !excluded.is_empty() {
                Arc::make_mut(&mut runs).retain(|run, _| !excluded.contains(run.as_str()));
            }
            faults = new_faults;
            let mut conflicts = Vec::new();
            for (table, log) in pending.into_iter().zip(logs) {
                let files = if table.has_parts() {
                    self.list_delta_files(table, &runs, &log).await?
                } else {
                    let (rows, bytes) = build_rows(table, &runs)?;
                    BTreeMap::from([DeltaFile::from_bytes(rows, bytes)])
                };
                match self.commit_delta(table, log, files).await {
                    Err(error) if error.kind() == ErrorKind::Conflict && attempt < MAX_ATTEMPTS => {
                        conflicts.push(table);
                    }
                    result => done.push(result?),
                }
            }
            pending = conflicts;
            if pending.is_empty() {
                break;
            }
        }
        done.sort_by_key(|done| TABLES.iter().position(|table| table.name == done.table));
        Ok((done, faults))
    }

    /// Returns the files with the rows of a table, each row once, by path below the table.
    async fn list_delta_files(
        &self,
        table: &'static Table,
        snapshot: &Snapshot,
        log: &DeltaLog,
    ) -> Result<BTreeMap<String, DeltaFile>> {
        let (shared, exclusive): (Vec<_>, Vec<_>) =
            group_by_data_file(snapshot, table).into_iter().partition(|(_, parts)| is_shared(parts));
        let shared: Vec<_> =
            shared.into_iter().map(|(path, parts)| self.shared_delta_file(table, path, parts, log)).collect();
        let shared: Vec<(String, DeltaFile)> = futures::stream::iter(shared).buffered(PARALLEL).try_collect().await?;
        let exclusive =
            exclusive.into_iter().map(|(path, parts)| (path_below(table, path), DeltaFile::from_parts(&parts)));
        Ok(exclusive.chain(shared).collect())
    }

    /// Returns a file of many runs, or a new file if it has rows that are no longer valid.
    async fn shared_delta_file(
        &self,
        table: &'static Table,
        path: &str,
        parts: Vec<(&Arc<Manifest>, &DataFile)>,
        log: &DeltaLog,
    ) -> Result<(String, DeltaFile)> {
        let (name, mut file) = (path_below(table, path), DeltaFile::from_parts(&parts));
        // A file that was listed with this number of rows has no others.
        if log.files.get(&name).is_some_and(|listed| listed.rows == file.rows)
            || row_count(&self.read_footer(parts[0].1).await?) == file.rows
        {
            return Ok((name, file));
        }
        let valid_runs: BTreeSet<&str> = parts.iter().map(|(run, _)| run.run.as_str()).collect();
        let own = format!("delta/{:016x}.parquet", hash(&(path, valid_runs, file.rows)));
        if let Some(listed) = log.files.get(&own) {
            file.bytes = listed.bytes;
            return Ok((own, file));
        }
        let bytes = self.read_data_file(parts[0].1).await?;
        let mut writer = DataFileWriter::for_slices(table);
        for (_, part) in &parts {
            check_bytes(part, &bytes)?;
            writer.copy(part, bytes.clone(), &BTreeSet::new())?;
        }
        if let Some((_, blocks)) = writer.finish()? {
            let bytes: Bytes = blocks.concat().into();
            (file.bytes, file.content) = (bytes.len() as u64, Some(bytes));
        }
        Ok((own, file))
    }

    /// Commits these files as the table, unless the log lists exactly them.
    async fn commit_delta(
        &self,
        table: &'static Table,
        mut log: DeltaLog,
        files: BTreeMap<String, DeltaFile>,
    ) -> Result<DeltaTable> {
        let folder = self.location.join(table.name);
        for (path, file) in &files {
            if let Some(content) = file.content.as_ref().filter(|_| !log.files.contains_key(path)) {
                self.put_data_file(&format!("{}/{path}", table.name), vec![content.clone()]).await?;
            }
        }
        if let Some(actions) = actions(table, &log, &files) {
            let paths: Vec<String> = files.keys().map(|path| format!("{}/{path}", table.name)).collect();
            self.sync(paths.iter().map(String::as_str)).await?;
            self.put_new(&folder.resolve(&format!("_delta_log/{:020}.json", log.next)), actions).await?;
            log.next += 1;
        }
        self.remove_old_delta_files(table, &files).await;
        Ok(DeltaTable {
            table: table.name.to_owned(),
            address: self.location.address_of(folder.root()),
            version: log.next.saturating_sub(1),
            files: files.len() as u64,
            rows: files.values().map(|file| file.rows).sum(),
            bytes: files.values().map(|file| file.bytes).sum(),
        })
    }

    /// Reads the log of a table.
    async fn read_delta_log(&self, table: &Table) -> Result<DeltaLog> {
        let folder = self.location.join(table.name).join("_delta_log");
        let mut listed = folder.list_or_empty().await?;
        listed.retain(|object| version(&object.path).is_some());
        let log_error = |why: &str| {
            let text = format!("cannot export to {}: {why}", folder.url());
            let hint = "if you do not need its older versions, remove that folder: the next export creates it again";
            Error::new(ErrorKind::Malformed, text).with_hint(hint)
        };
        let texts: Vec<_> = listed.iter().map(|object| self.read_bytes(&object.location)).collect();
        let texts: Vec<Bytes> = futures::stream::iter(texts).buffered(PARALLEL).try_collect().await?;
        let mut log = DeltaLog::default();
        for (object, text) in listed.iter().zip(texts) {
            if version(&object.path) != Some(log.next) {
                return Err(log_error(&format!("version {} is missing", log.next)));
            }
            for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let action: Value =
                    serde_json::from_slice(line).map_err(|_| log_error(&format!("{} is not JSON", object.path)))?;
                log.apply(&action)
                    .ok_or_else(|| log_error(&format!("{} was written by another program", object.path)))?;
            }
            log.next += 1;
        }
        Ok(log)
    }

    /// Removes old files in `delta/` that are not among these. Best effort: they only take space.
    async fn remove_old_delta_files(&self, table: &Table, files: &BTreeMap<String, DeltaFile>) {
        let Ok(listed) = self.location.join(table.name).join("delta").list_or_empty().await else { return };
        let before = now().saturating_sub(MIN_AGE);
        let old =
            |object: &StoredObject| object.modified < before && !files.contains_key(&format!("delta/{}", object.path));
        let _ = self.remove_all(listed.into_iter().filter(old).map(|object| object.location).collect()).await;
    }
}

impl DeltaFile {
    /// Creates a file in `delta/`. Equal bytes have the same path.
    fn from_bytes(rows: u64, bytes: Vec<u8>) -> (String, Self) {
        let path = format!("delta/{:016x}.parquet", hash(&bytes));
        let size = bytes.len() as u64;
        let file = Self { content: Some(bytes.into()), rows, bytes: size, committed: now(), runs: None, ts: None };
        (path, file)
    }

    /// Creates the entry of an existing file with these valid parts.
    fn from_parts(parts: &[(&Arc<Manifest>, &DataFile)]) -> Self {
        let runs = || parts.iter().map(|(run, _)| run.run.as_str());
        let ts = || parts.iter().filter_map(|(_, part)| part.ts);
        Self {
            content: None,
            rows: parts.iter().map(|(_, part)| part.rows).sum(),
            bytes: parts.first().map_or(0, |(_, part)| part.file_bytes()),
            committed: parts.iter().map(|(run, _)| run.committed).max().unwrap_or_default(),
            runs: runs().min().zip(runs().max()).map(|(first, last)| (first.to_owned(), last.to_owned())),
            ts: ts().map(|(start, _)| start).min().zip(ts().map(|(_, end)| end).max()),
        }
    }

    /// Returns statistics that let engines skip the file.
    fn statistics(&self) -> String {
        let (mut min, mut max, mut nulls) = (json!({}), json!({}), json!({}));
        if let Some((first, last)) = &self.runs {
            (min["run"], max["run"], nulls["run"]) = (json!(first), json!(last), json!(0));
        }
        if let Some((start, end)) = self.ts {
            (min["ts"], max["ts"]) = (json!(start), json!(end));
        }
        json!({"numRecords": self.rows, "minValues": min, "maxValues": max, "nullCount": nulls}).to_string()
    }
}

impl DeltaLog {
    /// Applies one line of the log; none if tracelake would not have written it.
    fn apply(&mut self, action: &Value) -> Option<()> {
        if let Some(add) = action.get("add") {
            let statistics: Value = serde_json::from_str(add["stats"].as_str()?).ok()?;
            let listed = LoggedFile { rows: statistics["numRecords"].as_u64()?, bytes: add["size"].as_u64()? };
            self.files.insert(add["path"].as_str()?.to_owned(), listed);
        } else if let Some(remove) = action.get("remove") {
            self.files.remove(remove["path"].as_str()?);
        } else if let Some(metadata) = action.get("metaData") {
            self.schema = Some(metadata["schemaString"].as_str()?.to_owned());
        }
        Some(())
    }
}

/// Returns the lines of the next version; none if nothing has changed.
fn actions(table: &Table, log: &DeltaLog, files: &BTreeMap<String, DeltaFile>) -> Option<String> {
    let (schema, ms) = (schema(table), |ns: i64| ns / 1_000_000);
    let time = ms(now());
    let mut lines = Vec::new();
    if log.schema.as_ref() != Some(&schema) {
        lines.push(json!({"protocol": {
            "minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["tracelake"],
        }}));
        lines.push(json!({"metaData": {
            "id": new_id(), "name": table.name, "description": table.doc, "format": {"provider": "parquet", "options": {}},
            "schemaString": schema, "partitionColumns": [], "configuration": {RETENTION: "interval 36500 days"},
            "createdTime": time,
        }}));
    }
    for path in log.files.keys().filter(|path| !files.contains_key(*path)) {
        lines.push(json!({"remove": {"path": path, "deletionTimestamp": time, "dataChange": true}}));
    }
    // A file never changes, so it is enough to compare names.
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

/// Returns the schema in the format of Delta, with unit and description of each column.
fn schema(table: &Table) -> String {
    let field = |column: &crate::table::TableColumn| {
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

/// Returns a new id for a Delta table, in the form of a UUID.
fn new_id() -> String {
    let text = unique_name().replace('-', "");
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..32])
}

fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Returns the path of a data file below its table.
fn path_below(table: &Table, path: &str) -> String {
    path.strip_prefix(table.name).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path).to_owned()
}

/// Returns the version in the name of a log file.
fn version(path: &str) -> Option<u64> {
    path.strip_suffix(".json").filter(|number| number.len() == 20)?.parse().ok()
}
