//! The decoder of exports: a SQLite file, or the Parquet files of a folder.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

use super::column::NsysColumn;
use super::export::{NsysExport, OpenTable, PageErrors};
use super::folder::ParquetFolder;
use super::sqlite::Database;
use super::store::Store;
use super::tables::{TableSpec, variant_of};
use super::{DESCRIPTOR, EXPORT_TABLES, metadata, split_table_path, sqlite_log_names};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity};
use crate::{Decoder, ObjectInfo, RandomAccess, SeekableFile, secret};

/// Decodes one export at a time.
#[derive(Default)]
pub(super) struct NsysDecoder {
    /// Files that were opened and did not begin yet.
    opened: Vec<(ObjectInfo, Box<dyn SeekableFile>)>,
    path: Arc<str>,
    /// A folder before its first table is read.
    folder: Option<ParquetFolder>,
    /// Why the file of a table cannot be read, by table.
    errors: BTreeMap<String, Error>,
    export: Option<NsysExport>,
    /// Tables that are not read to the end.
    tables: VecDeque<OpenTable>,
}

impl NsysDecoder {
    fn io_error(&self, error: &io::Error) -> Error {
        DESCRIPTOR.error(ErrorKind::Unreachable, &self.path, &error.to_string())
    }

    /// Fails for a SQLite file that is not an export.
    fn check_tables(&self, database: &Database) -> Result<()> {
        let names: Vec<&str> = database.tables.iter().map(|table| table.name.as_str()).collect();
        // databases of nvprof have tables with the same names
        let is_nvprof = names.contains(&"StringTable") && !names.contains(&"StringIds");
        if is_nvprof && !names.contains(&"META_DATA_EXPORT") {
            let why = "it is a database of nvprof, not an export of Nsight Systems";
            return Err(DESCRIPTOR.error(ErrorKind::Unrecognized, &self.path, why));
        }
        if names.iter().any(|name| EXPORT_TABLES.iter().any(|prefix| name.starts_with(prefix))) {
            return Ok(());
        }
        if database.missing_bytes() > 0 {
            return Err(DESCRIPTOR.malformed(&self.path, "it is a SQLite file that was cut off before its tables"));
        }
        let first = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let has = if first.is_empty() { "it has no table".to_owned() } else { format!("its tables are {first}") };
        let why =
            format!("it is a SQLite file, but not an export of Nsight Systems: {has}; an export has META_DATA_EXPORT");
        Err(DESCRIPTOR.error(ErrorKind::Unrecognized, &self.path, &why))
    }

    /// Begins a SQLite file, which has all tables.
    fn begin_sqlite(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        if let Some(log) = sqlite_log_names(&object.path).find(|log| object.siblings.contains(log)) {
            let why = format!("it is being written, or its writer was stopped: there is a log {log} next to it");
            let error = DESCRIPTOR.malformed(&self.path, &why);
            return Err(error.with_hint("wait for the export to end, or export again"));
        }
        let Some((_, file)) = self.opened.pop_if(|(opened, _)| opened.id == object.id) else { return Ok(()) };
        let mut errors = PageErrors::default();
        let database = Database::open(file, &mut |error| errors.add(error));
        let database = database.map_err(|why| DESCRIPTOR.malformed(&self.path, &why))?;
        self.check_tables(&database)?;
        let (size, missing) = (database.size, database.missing_bytes());
        let export = NsysExport::new(Store::Sqlite(database), object);
        errors.report(&export.store, "sqlite_schema", rows);
        if missing > 0 {
            rows.problem(Severity::Warning, "truncated", i64::try_from(size).ok(), || {
                format!("the file ends {missing} bytes too early, at byte {size}; the missing part is skipped")
            });
        }
        self.start(export, object, rows)
    }

    /// Begins a file of a folder. The first readable file reads the tables of all files: they are one recording, and
    /// rows that belong together must have the same object.
    fn begin_parquet(&mut self, table: &str, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        if !self.opened.is_empty() {
            let mut folder = ParquetFolder::default();
            for (object, file) in std::mem::take(&mut self.opened) {
                let Some((_, table)) = split_table_path(&object) else { continue };
                if let Err(why) = folder.add(table, file) {
                    let error = DESCRIPTOR.malformed(&object.path, &why.to_string());
                    self.errors.insert(table.to_owned(), error);
                }
            }
            self.folder = Some(folder);
        }
        if let Some(error) = self.errors.remove(table) {
            return Err(error);
        }
        let Some(folder) = self.folder.take() else { return Ok(()) };
        self.start(NsysExport::new(Store::Parquet(folder), object), object, rows)
    }

    /// Collects what all rows need, and opens the tables.
    fn start(&mut self, mut export: NsysExport, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        export.prepare(&object.path, rows).map_err(|error| self.io_error(&error))?;
        let known = export.known_tables();
        let is_unknown = |name: &&str| !name.starts_with("ENUM_") && !known.iter().any(|(known, _)| known == name);
        let unknown: Vec<String> = export.store.tables().into_iter().filter(is_unknown).map(str::to_owned).collect();
        for table in unknown {
            report_unknown_table(&mut export, &table, rows).map_err(|error| self.io_error(&error))?;
        }
        self.tables = known.into_iter().filter_map(|(name, spec)| open_table(&export, name, spec)).collect();
        self.export = Some(export);
        Ok(())
    }
}

/// Opens a table before its first row, if its rows are written and the export has it.
fn open_table(export: &NsysExport, name: String, spec: &TableSpec) -> Option<OpenTable> {
    Some(OpenTable { handler: spec.write?, scan: export.store.scan(&name)?, name })
}

/// Reports a table that is not read, with its number of rows.
fn report_unknown_table(export: &mut NsysExport, table: &str, rows: &mut Rows) -> io::Result<()> {
    let count = export.store.count_rows(table)?;
    let name = secret::mask(table);
    // Rows of a variant of a known table are missing in every result.
    let (severity, why) = match variant_of(table).filter(|_| count > 0) {
        Some(spec) => {
            let has = |column: &NsysColumn| export.store.scan(table).is_some_and(|scan| scan.has_columns(&[*column]));
            let missing = spec.needed_columns().iter().filter(|column| !has(column));
            let missing: Vec<&str> = missing.map(|column| column.name()).collect();
            (Severity::Warning, format!("; it lacks {}", missing.join(", ")))
        }
        None => (Severity::Notice, String::new()),
    };
    rows.problems(count, severity, &format!("not_read:{name}"), None, || format!("table {name} is not read{why}"));
    Ok(())
}

impl Decoder for NsysDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.tables.clear();
        match split_table_path(object) {
            Some((_, table)) => self.begin_parquet(table, object, rows),
            None => self.begin_sqlite(object, rows),
        }
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        if let Some(mut export) = self.export.take() {
            export.cuda.report_limits(rows);
            export.nvtx.report_limits(rows);
            let node = export.job.base_event("", 0, 0).node;
            export.step_marks.write(node, None, rows);
            export.loader_calls.write(node, rows);
            let processes = export.job.processes.len();
            if processes > 1 {
                rows.problem(Severity::Notice, "processes", None, || {
                    format!("{processes} processes use devices or mark ranges; column `process` distinguishes them")
                });
            }
        }
        Ok(())
    }
}

impl RandomAccess for NsysDecoder {
    fn open(&mut self, object: &ObjectInfo, file: Box<dyn SeekableFile>) {
        self.opened.push((object.clone(), file));
    }

    fn advance(&mut self, rows: &mut Rows) -> Result<Option<usize>> {
        let (Some(export), Some(mut table)) = (&mut self.export, self.tables.pop_front()) else { return Ok(None) };
        if export.table != table.name {
            export.table.clone_from(&table.name);
        }
        let read = export.read_rows(&mut table, rows);
        match read.and_then(|read| export.error.take().map_or(Ok(read), Err)) {
            Err(error) => Err(self.io_error(&error)),
            Ok(Some(bytes)) => {
                self.tables.push_front(table);
                Ok(Some(bytes))
            }
            Ok(None) => {
                if table.name == "TARGET_INFO_SYSTEM_ENV" {
                    metadata::write_processor(export, rows);
                }
                Ok(Some(0))
            }
        }
    }
}
