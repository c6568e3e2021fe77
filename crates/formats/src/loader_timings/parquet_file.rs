//! Timings as Parquet. The metadata is at the end of a file, so the whole file is buffered.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::columns::{ColumnBinding, LoaderColumns};
use super::row::{TimingCells, TimingsWriter};
use crate::error::catch_panic;
use crate::parquet_pages::{CheckedPages, read_footer};
use crate::table::Rows;

/// The first bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// Maximum size of a file in bytes.
pub(super) const MAX_FILE: usize = 256 << 20;

/// Writes the rows of a file. An error is the reason why none could be read.
pub(super) fn read(
    file: Vec<u8>,
    columns: &LoaderColumns,
    writer: &mut TimingsWriter,
    rows: &mut Rows,
) -> Result<(), String> {
    let (mut reader, bound) = catch_panic(|| open(Bytes::from(file), columns))??;
    loop {
        let batch = match catch_panic(|| reader.next()) {
            Ok(None) => break,
            Ok(Some(batch)) => batch,
            // the reader must not be used again after a panic
            Err(why) => Err(ArrowError::ParquetError(why.to_owned())),
        };
        match batch.map_err(|error| error.to_string()).and_then(|batch| write_batch(&batch, &bound, writer, rows)) {
            Ok(()) => {}
            Err(why) if writer.rows_read == 0 => return Err(why),
            Err(why) => {
                writer.skip("truncated", None, rows, format_args!("{why}; the rest is not read"));
                break;
            }
        }
    }
    Ok(())
}

/// Opens a reader of the bound columns. Returns it with the positions of the columns in its batches.
fn open(file: Bytes, columns: &LoaderColumns) -> Result<(ParquetRecordBatchReader, ColumnBinding), String> {
    let footer = read_footer(&file).map_err(|error| error.to_string())?;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(file), footer);
    let schema = Arc::clone(builder.schema());
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let bound = columns.bind(&names);
    if !columns.has_load_column(&names) {
        return Err(columns.explain_mismatch(&names).unwrap_or_else(|| "there is no column `load_s`".to_owned()));
    }
    let mut projected: Vec<usize> = bound.iter().flatten().map(|(column, _)| *column).collect();
    projected.sort_unstable();
    projected.dedup();
    let bound =
        bound.map(|field| field.and_then(|(column, scale)| Some((projected.binary_search(&column).ok()?, scale))));
    let mask = ProjectionMask::roots(builder.parquet_schema(), projected);
    Ok((builder.with_projection(mask).build().map_err(|error| error.to_string())?, bound))
}

fn write_batch(
    batch: &RecordBatch,
    bound: &ColumnBinding,
    writer: &mut TimingsWriter,
    rows: &mut Rows,
) -> Result<(), String> {
    let options = FormatOptions::default();
    let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    for row in 0..batch.num_rows() {
        // as text, so that values that are not numbers get the same messages as in CSV and JSON
        let texts = columns.iter().map(|column| column.value(row).try_to_string()).collect::<Result<Vec<_>, _>>();
        let texts = texts.map_err(|error| error.to_string())?;
        let cells: TimingCells<'_> = bound.map(|field| field.map(|(column, scale)| (texts[column].as_str(), scale)));
        writer.row(&cells, None, rows);
    }
    Ok(())
}
