//! Frames as CSV or JSON. All values are written unchanged; see [`super::TimeFormat`] for times.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use arrow::json::writer::{EncoderOptions, make_encoder};

use super::Frame;
use super::sink::Sink;
use super::times::format_times;
use crate::error::{Error, ErrorKind, Result};

impl Frame {
    /// Writes all rows as CSV with a header line, batch by batch. A list or another nested value is
    /// written as JSON. See [`Frame::with_times`] for times.
    ///
    /// # Errors
    /// The error of the query; Exhausted if writing to `out` fails.
    pub fn write_csv(&self, out: &mut dyn Write) -> Result<()> {
        // Get the first batch before the header line is written: a query that fails writes nothing.
        let mut batches = self.stream()?;
        let first = batches.next().transpose()?.unwrap_or_else(|| RecordBatch::new_empty(self.schema()));
        let mut sink = Sink::new(out);
        let mut writer = arrow::csv::Writer::new(&mut sink);
        for batch in std::iter::once(Ok(first)).chain(batches) {
            if let Err(error) = writer.write(&with_nested_as_json(&format_times(&batch?, self.view.times)?)?) {
                drop(writer);
                return Err(write_error(&sink, error));
            }
        }
        Ok(())
    }

    /// Returns all rows as CSV with a header line.
    ///
    /// # Errors
    /// The error of the query.
    pub fn to_csv(&self) -> Result<String> {
        let mut out = Vec::new();
        self.write_csv(&mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Returns all rows as a stream of Arrow's IPC format, with the units of the columns.
    ///
    /// # Errors
    /// The error of the query.
    #[doc(hidden)]
    pub fn to_ipc(&self) -> Result<Vec<u8>> {
        let batch = self.batch()?;
        let failed = |error| Error::new(ErrorKind::Internal, "cannot copy a frame").with_source(error);
        let mut writer = StreamWriter::try_new(Vec::new(), batch.schema_ref()).map_err(failed)?;
        writer.write(&batch).map_err(failed)?;
        writer.into_inner().map_err(failed)
    }

    /// Returns the frame of a stream of Arrow's IPC format; see [`Frame::to_ipc`].
    ///
    /// # Errors
    /// Malformed if it is not such a stream.
    #[doc(hidden)]
    pub fn from_ipc(bytes: &[u8]) -> Result<Self> {
        let failed = |error| Error::new(ErrorKind::Malformed, "cannot read a frame").with_source(error);
        let reader = StreamReader::try_new(bytes, None).map_err(failed)?;
        let schema = reader.schema();
        let batches: Vec<RecordBatch> = reader.collect::<std::result::Result<_, _>>().map_err(failed)?;
        concat_batches(&schema, &batches).map(Self::from_batch).map_err(failed)
    }

    /// Writes all rows as JSON lines: one object per row, without the keys of null values. See [`Frame::with_times`] for times.
    ///
    /// # Errors
    /// The error of the query; Exhausted if writing to `out` fails.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<()> {
        let mut sink = Sink::new(out);
        let mut writer = arrow::json::LineDelimitedWriter::new(&mut sink);
        for batch in self.stream()? {
            if let Err(error) = writer.write(&format_times(&batch?, self.view.times)?) {
                drop(writer);
                return Err(write_error(&sink, error));
            }
        }
        Ok(())
    }
}

/// The error for rows that could not be written: `out` failed, or a value cannot be written in the format.
fn write_error(sink: &Sink<'_>, error: ArrowError) -> Error {
    match sink.failure() {
        Some(failure) => Error::new(ErrorKind::Exhausted, format!("cannot write the result: {failure}")),
        None => format_error(error),
    }
}

fn format_error(error: ArrowError) -> Error {
    Error::new(ErrorKind::Query, "cannot write the result as text")
        .with_source(error)
        .with_hint("cast the column in the SQL, or write Parquet")
}

/// Returns the batch with nested values as JSON text, because CSV has no nested values.
fn with_nested_as_json(batch: &RecordBatch) -> Result<RecordBatch> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, array)| {
        if array.data_type().is_nested() {
            to_json(field, array).map(|texts| text_column(field.name(), texts)).map_err(format_error)
        } else {
            Ok((field.as_ref().clone(), Arc::clone(array)))
        }
    });
    let columns: Vec<(Field, ArrayRef)> = columns.collect::<Result<_>>()?;
    new_batch(columns.into_iter().unzip())
}

fn text_column(name: &str, texts: StringArray) -> (Field, ArrayRef) {
    (Field::new(name, DataType::Utf8, true), Arc::new(texts))
}

fn new_batch((fields, arrays): (Vec<Field>, Vec<ArrayRef>)) -> Result<RecordBatch> {
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(super::internal)
}

/// Returns the values as JSON texts; null stays null.
fn to_json(field: &FieldRef, array: &ArrayRef) -> std::result::Result<StringArray, ArrowError> {
    let options = EncoderOptions::default().with_explicit_nulls(true);
    let mut encoder = make_encoder(field, array, &options)?;
    let texts = (0..array.len()).map(|row| {
        let mut text = Vec::new();
        array.is_valid(row).then(|| encoder.encode(row, &mut text))?;
        Some(String::from_utf8_lossy(&text).into_owned())
    });
    Ok(texts.collect())
}

#[cfg(test)]
mod tests {
    use std::io;

    use arrow::array::{Int64Array, ListArray, StringArray, StructArray};
    use arrow::buffer::OffsetBuffer;

    use super::*;

    fn frame(columns: Vec<(&str, ArrayRef)>) -> Frame {
        Frame::from_batch(
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap(),
        )
    }

    /// `[1, null]`, null and `[]`.
    fn lists() -> ArrayRef {
        let values = Arc::new(Int64Array::from(vec![Some(1), None]));
        let field = Arc::new(Field::new("item", DataType::Int64, true));
        let offsets = OffsetBuffer::from_lengths([2, 0, 0]);
        Arc::new(ListArray::new(field, offsets, values, Some(vec![true, false, true].into())))
    }

    #[test]
    fn nested_values_are_json_in_csv() {
        let texts = StringArray::from(vec![Some("a,\"b\""), None, Some("c")]);
        let pairs =
            StructArray::from(vec![(Arc::new(Field::new("t", DataType::Utf8, true)), Arc::new(texts) as ArrayRef)]);
        let csv = frame(vec![("l", lists()), ("s", Arc::new(pairs))]).to_csv().unwrap();
        assert_eq!(
            csv,
            "l,s\n\"[1,null]\",\"{\"\"t\"\":\"\"a,\\\"\"b\\\"\"\"\"}\"\n,\"{\"\"t\"\":null}\"\n[],\"{\"\"t\"\":\"\"c\"\"}\"\n"
        );
    }

    /// A writer that accepts this number of bytes, then fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.0);
            self.0 -= count;
            if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn exhausted_is_only_for_a_writer_that_fails() {
        let frame = frame(vec![("n", Arc::new(Int64Array::from(vec![1, 2])))]);
        for error in [frame.write_csv(&mut Full(2)).unwrap_err(), frame.write_json(&mut Full(2)).unwrap_err()] {
            assert_eq!(
                (error.kind(), error.message()),
                (ErrorKind::Exhausted, "cannot write the result: no storage space")
            );
        }
        let error = write_error(&Sink::new(&mut Full(0)), ArrowError::CsvError("no such form".to_owned()));
        assert_eq!(error.kind(), ErrorKind::Query);
    }
}
