//! Runs every `.slt` file of tests/sql over a lake of the golden profiles.
//!
//! `UPDATE=1` rewrites the expected rows. It encodes whatever the engine says today, bugs included:
//! the hand computation above each block is what a reviewer compares the diff with.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sqllogictest::{DB, DBOutput, DefaultColumnType, Runner};
use tracelake::arrow::array::{Array, ArrayRef};
use tracelake::arrow::datatypes::DataType;
use tracelake::ingest::Request;
use tracelake::{Frame, Session};

/// A session over the golden profiles, one lake for the whole binary.
pub(crate) fn golden() -> Session {
    static LAKE: OnceLock<(tempfile::TempDir, Session)> = OnceLock::new();
    let (_, session) = LAKE.get_or_init(|| {
        // A static is never dropped: not a folder of the system that would stay behind.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
        let url = format!("{}/tests/data/golden/*", env!("CARGO_MANIFEST_DIR"));
        session.ingest(Request { url, ..Request::default() }, None).unwrap();
        (folder, session)
    });
    session.clone()
}

/// The runs of the golden profiles, sorted.
pub(crate) fn golden_runs() -> Vec<String> {
    let folders = std::fs::read_dir(format!("{}/tests/data/golden", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let folders = folders.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_dir());
    let mut runs: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    runs.sort();
    runs
}

struct Engine(Session);

impl DB for Engine {
    type Error = tracelake::Error;
    type ColumnType = DefaultColumnType;

    fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, tracelake::Error> {
        let frame = self.0.sql(sql)?;
        Ok(DBOutput::Rows { types: types(&frame), rows: rows(&frame)? })
    }
}

fn types(frame: &Frame) -> Vec<DefaultColumnType> {
    let kind = |data_type: DataType| match data_type {
        DataType::Float64 => DefaultColumnType::FloatingPoint,
        data_type if data_type.is_integer() => DefaultColumnType::Integer,
        DataType::Boolean => DefaultColumnType::Any,
        _ => DefaultColumnType::Text,
    };
    frame.columns().into_iter().map(|column| kind(column.data_type)).collect()
}

fn rows(frame: &Frame) -> Result<Vec<Vec<String>>, tracelake::Error> {
    let batch = frame.batch()?;
    Ok((0..batch.num_rows()).map(|row| batch.columns().iter().map(|column| text(column, row)).collect()).collect())
}

fn text(column: &ArrayRef, row: usize) -> String {
    use tracelake::frame::Cell;
    if column.is_null(row) {
        return "NULL".to_owned();
    }
    match String::read(column, row) {
        Some(text) if text.is_empty() => "(empty)".to_owned(),
        text => text.unwrap_or_default(),
    }
}

pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn golden_answers() {
    let session = golden();
    let update = std::env::var_os("UPDATE").is_some();
    let mut failed = Vec::new();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql"), "slt") {
        let engine = session.clone();
        let mut runner = Runner::new(move || {
            let engine = engine.clone();
            async move { Ok(Engine(engine)) }
        });
        let result = if update {
            let done = runner.update_test_file(
                &file,
                " ",
                sqllogictest::default_validator,
                sqllogictest::default_normalizer,
                sqllogictest::default_column_validator,
            );
            block_on(done).map_err(|error| error.to_string())
        } else {
            runner.run_file(&file).map_err(|error| error.display(false).to_string())
        };
        if let Err(error) = result {
            failed.push(format!("{}\n{error}", file.display()));
        }
    }
    assert!(failed.is_empty(), "{} golden files differ:\n\n{}", failed.len(), failed.join("\n\n"));
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
