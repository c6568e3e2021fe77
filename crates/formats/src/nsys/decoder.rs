//! The decoder: an export as one file, or as the files of a folder.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::LOGS;
use super::export::{Export, Faults, Reading};
use super::folder::Folder;
use super::sqlite::Database;
use super::store::Store;
use super::tables::{KNOWN, Known};
use super::{DESCRIPTOR, OF_EXPORTS, about, table_of};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Rows, Severity, Step};
use crate::{Anywhere, Decoder, ObjectInfo, RandomAccess, secret};

/// Reads exports, each for itself.
#[derive(Default)]
pub(super) struct NsysDecoder {
    /// Files that were opened, before the first of them begins.
    opened: Vec<(ObjectInfo, Box<dyn Anywhere>)>,
    path: Arc<str>,
    /// A folder of which no table was read yet, and what is wrong with its files by table.
    folder: Option<Folder>,
    broken: BTreeMap<String, Error>,
    export: Option<Export>,
    left: VecDeque<Reading>,
}

impl NsysDecoder {
    fn error(&self, kind: ErrorKind, why: &str) -> Error {
        refused(&self.path, kind, why)
    }

    fn unreadable(&self, error: &std::io::Error) -> Error {
        self.error(ErrorKind::Unreachable, &error.to_string())
    }

    /// Refuses a file of SQLite that is no export.
    fn check(&self, database: &Database) -> Result<()> {
        let names: Vec<&str> = database.tables().iter().map(|table| table.name.as_str()).collect();
        let of_export = |name: &&str| OF_EXPORTS.iter().any(|table| name.starts_with(table));
        // nvprof has tables of the same names
        let of_nvprof = names.contains(&"StringTable") && !names.contains(&"StringIds");
        if of_nvprof && !names.contains(&"META_DATA_EXPORT") {
            return Err(
                self.error(ErrorKind::Unrecognized, "it is a database of nvprof, not an export of Nsight Systems")
            );
        }
        if names.iter().any(of_export) {
            return Ok(());
        }
        if database.missing() > 0 {
            return Err(self.error(ErrorKind::Malformed, "it is a SQLite file that was cut off before its tables"));
        }
        let few = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let has = if few.is_empty() { "it has no table".to_owned() } else { format!("its tables are {few}") };
        let why =
            format!("it is a SQLite file, but not an export of Nsight Systems: {has}; an export has META_DATA_EXPORT");
        Err(self.error(ErrorKind::Unrecognized, &why))
    }

    /// Begins a file of SQLite, which has all tables.
    fn sqlite(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        let journal = LOGS.iter().map(|end| format!("{}{end}", object.path));
        if let Some(journal) = journal.into_iter().find(|journal| object.siblings.contains(journal)) {
            let why = format!("it is being written, or its writer was stopped: there is a log {journal} next to it");
            return Err(self
                .error(ErrorKind::Malformed, &why)
                .with_hint("wait for the export to end, or export again"));
        }
        let Some((_, file)) = self.opened.pop_if(|(opened, _)| opened.id == object.id) else { return Ok(()) };
        let mut faults = Faults::default();
        let database = Database::open(file, &mut |fault| faults.add(fault));
        let database = database.map_err(|why| self.error(ErrorKind::Malformed, &why))?;
        self.check(&database)?;
        let (size, missing) = (database.size(), database.missing());
        let export = Export::new(Store::Sqlite(database), object);
        faults.tell(&export.store, "sqlite_schema", rows);
        if missing > 0 {
            rows.problem(Severity::Warning, "truncated", i64::try_from(size).ok(), || {
                format!("the file ends {missing} bytes too early, at byte {size}; the missing part is skipped")
            });
        }
        self.start(export, object, rows)
    }

    /// Begins a file of a folder. All tables are read with the first of them that can be read, since they are one recording: what
    /// belongs together in it is found by its object.
    fn table(&mut self, table: &str, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        if !self.opened.is_empty() {
            let mut folder = Folder::default();
            for (object, file) in std::mem::take(&mut self.opened) {
                let Some((_, table)) = table_of(&object) else { continue };
                if let Err(why) = folder.add(table, file) {
                    let error = refused(&object.path, ErrorKind::Malformed, &why.to_string());
                    self.broken.insert(table.to_owned(), error);
                }
            }
            self.folder = Some(folder);
        }
        if let Some(error) = self.broken.remove(table) {
            return Err(error);
        }
        let Some(folder) = self.folder.take() else { return Ok(()) };
        self.start(Export::new(Store::Parquet(folder), object), object, rows)
    }

    /// Looks up what concerns all rows, and begins with the first table.
    fn start(&mut self, mut export: Export, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        export.prepare(&object.path, rows).map_err(|error| self.unreadable(&error))?;
        let unknown = export.store.tables().into_iter().filter(|name| !is_known(name)).map(str::to_owned);
        for table in unknown.collect::<Vec<_>>() {
            not_read(&mut export, &table, rows).map_err(|error| self.unreadable(&error))?;
        }
        self.left = KNOWN.iter().filter_map(|known| reading(&export, known)).collect();
        self.export = Some(export);
        Ok(())
    }
}

fn refused(path: &str, kind: ErrorKind, why: &str) -> Error {
    Error::new(kind, format!("cannot read {path}: {why}")).with_context("format", DESCRIPTOR.name)
}

/// Whether a table is read, looked up, or says in words what numbers mean.
fn is_known(table: &str) -> bool {
    KNOWN.iter().any(|known| known.name == table) || table.starts_with("ENUM_")
}

/// A table before its first row, if its rows become rows.
fn reading(export: &Export, known: &Known) -> Option<Reading> {
    Some(Reading { name: known.name.to_owned(), reader: known.read?, scan: export.store.scan(known.name)? })
}

/// Tells that a table is not read, and how many rows it has.
fn not_read(export: &mut Export, table: &str, rows: &mut Rows) -> std::io::Result<()> {
    let count = export.store.count(table)?;
    let name = secret::mask(table);
    rows.problems(count, Severity::Notice, &format!("not_read:{name}"), None, || format!("table {name} is not read"));
    Ok(())
}

impl Decoder for NsysDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        self.path.clone_from(&object.path);
        self.left.clear();
        match table_of(object) {
            Some((_, table)) => self.table(table, object, rows),
            None => self.sqlite(object, rows),
        }
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        if let Some(mut export) = self.export.take() {
            export.launches.end(rows);
            export.nvtx.end(rows);
            let whose = export.job.event("", 0, 0);
            let step = Step { node: whose.node, rank: whose.rank, span: whose.span, ..Step::default() };
            export.unnumbered.write(&step, rows);
            let processes = export.job.processes();
            if processes > 1 {
                rows.problem(Severity::Notice, "processes", None, || {
                    format!("{processes} processes use devices or mark ranges; the bits of correlation and span above bit 32 distinguish them")
                });
            }
        }
        Ok(())
    }
}

impl RandomAccess for NsysDecoder {
    fn open(&mut self, object: &ObjectInfo, file: Box<dyn Anywhere>) {
        self.opened.push((object.clone(), file));
    }

    fn advance(&mut self, rows: &mut Rows) -> Result<Option<usize>> {
        let (Some(export), Some(mut table)) = (&mut self.export, self.left.pop_front()) else { return Ok(None) };
        if export.table != table.name {
            export.table.clone_from(&table.name);
        }
        let read = export.read(&mut table, rows);
        let read = read.and_then(|read| export.failed.take().map_or(Ok(read), Err));
        match read {
            Err(error) => Err(self.unreadable(&error)),
            Ok(Some(bytes)) => {
                self.left.push_front(table);
                Ok(Some(bytes))
            }
            Ok(None) => {
                if table.name == "TARGET_INFO_SYSTEM_ENV" {
                    about::processor(export, rows);
                }
                Ok(Some(0))
            }
        }
    }
}
