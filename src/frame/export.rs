//! A frame as CSV or JSON. Times are written as UTC timestamps, everything else as it is.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Int64Type, Schema};

use super::{ColumnInfo, Frame, cell};
use crate::error::{Error, ErrorKind, Result};
use crate::unit::Unit;

impl Frame {
    /// Writes all rows as CSV with a heading, batch by batch.
    ///
    /// # Errors
    /// Whatever the query meets; Exhausted when `out` takes no more.
    pub fn write_csv(&self, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns();
        // The first rows come before the heading: a query that fails writes nothing.
        let mut batches = self.stream()?;
        let first = batches.next().transpose()?.unwrap_or_else(|| RecordBatch::new_empty(self.schema()));
        let mut writer = arrow::csv::Writer::new(out);
        for batch in std::iter::once(Ok(first)).chain(batches) {
            writer.write(&readable(&batch?, &columns)?).map_err(|error| unwritten(&error))?;
        }
        Ok(())
    }

    /// All rows as CSV with a heading.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_csv(&self) -> Result<String> {
        let mut out = Vec::new();
        self.write_csv(&mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Writes all rows as JSON lines, one object per row; null keys are left out.
    ///
    /// # Errors
    /// Whatever the query meets; Exhausted when `out` takes no more.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns();
        let mut writer = arrow::json::LineDelimitedWriter::new(out);
        for batch in self.stream()? {
            writer.write(&readable(&batch?, &columns)?).map_err(|error| unwritten(&error))?;
        }
        writer.finish().map_err(|error| unwritten(&error))
    }
}

fn unwritten(error: &arrow::error::ArrowError) -> Error {
    Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}"))
}

/// The batch with times as text.
fn readable(batch: &RecordBatch, columns: &[ColumnInfo]) -> Result<RecordBatch> {
    let mut fields = Vec::with_capacity(columns.len());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for (column, array) in columns.iter().zip(batch.columns()) {
        match array.as_primitive_opt::<Int64Type>().filter(|_| column.unit == Some(Unit::Time)) {
            Some(times) => {
                let texts: StringArray = times.iter().map(|ns| ns.map(cell::timestamp)).collect();
                fields.push(Field::new(&column.name, DataType::Utf8, true));
                arrays.push(Arc::new(texts));
            }
            None => {
                fields.push(Field::new(&column.name, array.data_type().clone(), true));
                arrays.push(Arc::clone(array));
            }
        }
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(super::internal)
}
