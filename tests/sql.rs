//! Runs each `.slt` file of tests/sql as a separate test over a lake of the golden profiles.
//!
//! `cargo test --test sql -- step/` runs the files of one family. `UPDATE=1` rewrites the expected rows. It writes what
//! the engine returns today, bugs included: compare the diff with the hand computation above each block.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read and make files, and fail loudly")]

#[path = "it/golden.rs"]
mod golden;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use sqllogictest::{DB, DBOutput, DefaultColumnType, Runner};
use tracelake::arrow::array::{Array, ArrayRef};
use tracelake::arrow::datatypes::DataType;
use tracelake::frame::Cell;
use tracelake::{Frame, Session};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql");
    let test = |file: PathBuf| {
        let name = file.strip_prefix(&folder).unwrap().with_extension("").display().to_string();
        Trial::test(name, move || run(&file))
    };
    let tests = golden::files(&folder, "slt").into_iter().map(test).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// Compares the expected rows of a file with the results of its queries, or rewrites them.
fn run(file: &Path) -> Result<(), Failed> {
    let mut runner = Runner::new(|| async { Ok(GoldenLake(golden::golden())) });
    if std::env::var_os("UPDATE").is_none() {
        return runner.run_file(file).map_err(|error| error.display(false).to_string().into());
    }
    let update = runner.update_test_file(
        file,
        " ",
        sqllogictest::default_validator,
        sqllogictest::default_normalizer,
        sqllogictest::default_column_validator,
    );
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(update).map_err(|error| error.to_string().into())
}

/// A session on the golden lake, as a database of sqllogictest.
struct GoldenLake(Session);

impl DB for GoldenLake {
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
        DataType::Timestamp(..) => DefaultColumnType::Integer,
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
    if column.is_null(row) {
        return "NULL".to_owned();
    }
    if let DataType::Timestamp(..) = column.data_type() {
        // As in SQL.
        return i64::read(column, row).unwrap_or_default().to_string();
    }
    match String::read(column, row) {
        Some(text) if text.is_empty() => "(empty)".to_owned(),
        text => text.unwrap_or_default(),
    }
}
