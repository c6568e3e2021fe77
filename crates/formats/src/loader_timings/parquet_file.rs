//! Timings as Parquet. What a file holds stands at its end, so that it is kept until then.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::columns::{Bound, Columns};
use super::row::{Cells, Writer};
use crate::error::caught;
use crate::parquet_pages::{Pages, footer};
use crate::table::Rows;

/// What a Parquet file begins with.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// The largest file that is read.
pub(super) const MAX_FILE: usize = 256 << 20;

/// Writes the rows of a file; says why there are none.
pub(super) fn read(file: Vec<u8>, columns: &Columns, writer: &mut Writer, rows: &mut Rows) -> Result<(), String> {
    let (mut reader, bound) = caught(|| open(Bytes::from(file), columns))??;
    loop {
        let batch = match caught(|| reader.next()) {
            Ok(None) => break,
            Ok(Some(batch)) => batch,
            // which is not to be asked again
            Err(why) => Err(ArrowError::ParquetError(why.to_owned())),
        };
        match batch.map_err(|error| error.to_string()).and_then(|batch| write(&batch, &bound, writer, rows)) {
            Ok(()) => {}
            Err(why) if writer.seen == 0 => return Err(why),
            Err(why) => {
                writer.skip("truncated", writer.at(None), rows, || format!("{why}; the rest is not read"));
                break;
            }
        }
    }
    Ok(())
}

/// A reader of the columns that mean something, and where they stand in what it gives.
fn open(file: Bytes, columns: &Columns) -> Result<(ParquetRecordBatchReader, Bound), String> {
    let footer = footer(&file).map_err(|error| error.to_string())?;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(Pages(file), footer);
    let schema = Arc::clone(builder.schema());
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let bound = columns.bind(&names);
    if !columns.know(&names) {
        return Err(columns.miss(&names).unwrap_or_else(|| "there is no column `load_s`".to_owned()));
    }
    let mut wanted: Vec<usize> = bound.iter().flatten().map(|(column, _)| *column).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let bound = bound.map(|found| found.and_then(|(column, scale)| Some((wanted.binary_search(&column).ok()?, scale))));
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
    Ok((builder.with_projection(mask).build().map_err(|error| error.to_string())?, bound))
}

fn write(batch: &RecordBatch, bound: &Bound, writer: &mut Writer, rows: &mut Rows) -> Result<(), String> {
    let options = FormatOptions::default();
    let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    for row in 0..batch.num_rows() {
        // as text, so that what is no number is told in the words of the other shapes
        let texts = columns.iter().map(|column| column.value(row).try_to_string()).collect::<Result<Vec<_>, _>>();
        let texts = texts.map_err(|error| error.to_string())?;
        let cells: Cells<'_> = bound.map(|found| found.map(|(column, scale)| (texts[column].as_str(), scale)));
        writer.row(&cells, writer.at(None), rows);
    }
    Ok(())
}
