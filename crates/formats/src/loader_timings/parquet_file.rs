//! Timings as Parquet. The metadata is at the end of a file, so the whole file is buffered.

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, TimeUnit};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};

use super::columns::{ColumnBinding, LoaderColumns, NAMES, STEP_TIME};
use super::row::{TimingCells, TimingsWriter};
use crate::error::catch_panic;
use crate::parquet_pages::{CheckedPages, read_footer, row_limit};
use crate::table::Rows;

/// The first bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// Maximum size of a file in bytes.
pub(super) const MAX_FILE: usize = 256 << 20;

/// Rows per byte of the file beyond which it is not read. Equal values take almost no bytes.
const ROWS_PER_BYTE: u64 = 8;

/// Number of rows that are decoded at once.
const BATCH_ROWS: usize = 8192;

/// The rows of a file that are not written yet.
#[derive(Debug)]
pub(super) struct ParquetTimings {
    reader: ParquetRecordBatchReader,
    bound: ColumnBinding,
    /// Number of rows that may follow.
    rows_left: u64,
}

impl ParquetTimings {
    /// Opens a file. An error is the reason why it cannot be read.
    pub(super) fn open(file: Vec<u8>, columns: &LoaderColumns) -> Result<Self, String> {
        catch_panic(|| Self::open_columns(Bytes::from(file), columns))?
    }

    fn open_columns(file: Bytes, columns: &LoaderColumns) -> Result<Self, String> {
        let rows_left = row_limit(file.len() as u64, ROWS_PER_BYTE);
        let footer = read_footer(&file).map_err(|error| error.to_string())?;
        if u64::try_from(footer.metadata().file_metadata().num_rows()).is_ok_and(|rows| rows > rows_left) {
            return Err("it declares more rows than fit in its bytes".to_owned());
        }
        let names: Vec<&str> = footer.schema().fields().iter().map(|field| field.name().as_str()).collect();
        if !columns.has_load_column(&names) {
            return Err(columns.explain_mismatch(&names).unwrap_or_else(|| "there is no column `load_s`".to_owned()));
        }
        let mut bound = columns.bind(&names);
        let units = duration_units(&footer)?;
        for (field, binding) in bound.iter_mut().enumerate() {
            let Some((column, scale)) = binding else { continue };
            let (is_time, data_type) = (field <= STEP_TIME, footer.schema().field(*column).data_type());
            match units[*column] {
                Some(unit) if is_time => *scale = unit,
                None if is_number(data_type) => {}
                unit => {
                    let actual = unit.map_or_else(|| data_type.to_string(), |_| "Duration".to_owned());
                    let expected = if is_time { "numbers or durations" } else { "integers" };
                    return Err(format!(
                        "column `{}`, {}, has type {actual}, expected {expected}",
                        names[*column], NAMES[field]
                    ));
                }
            }
        }
        let mut projected: Vec<usize> = bound.iter().flatten().map(|(column, _)| *column).collect();
        projected.sort_unstable();
        projected.dedup();
        let bound =
            bound.map(|field| field.and_then(|(column, scale)| Some((projected.binary_search(&column).ok()?, scale))));
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(file), footer);
        let mask = ProjectionMask::roots(builder.parquet_schema(), projected);
        let reader = builder.with_projection(mask).with_batch_size(BATCH_ROWS).build();
        Ok(Self { reader: reader.map_err(|error| error.to_string())?, bound, rows_left })
    }

    /// Writes the next rows. Returns false at the end. An error is the reason why no row could be read.
    pub(super) fn advance(&mut self, writer: &mut TimingsWriter, rows: &mut Rows) -> Result<bool, String> {
        let batch = match catch_panic(|| self.reader.next()) {
            Ok(None) => return Ok(false),
            Ok(Some(batch)) => batch,
            // the reader must not be used again after a panic
            Err(why) => Err(ArrowError::ParquetError(why.to_owned())),
        };
        match batch.map_err(|error| error.to_string()).and_then(|batch| self.write_batch(&batch, writer, rows)) {
            Ok(()) => Ok(true),
            Err(why) if writer.rows_read == 0 => Err(why),
            Err(why) => {
                writer.skip("truncated", None, rows, format_args!("{why}; the rest is not read"));
                Ok(false)
            }
        }
    }

    fn write_batch(&mut self, batch: &RecordBatch, writer: &mut TimingsWriter, rows: &mut Rows) -> Result<(), String> {
        let rows_left = self.rows_left.checked_sub(batch.num_rows() as u64);
        self.rows_left = rows_left.ok_or("it has more rows than fit in its bytes")?;
        let options = FormatOptions::default();
        let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        for row in 0..batch.num_rows() {
            // as text, so that values that are not numbers get the same messages as in CSV and JSON
            let texts = columns.iter().map(|column| column.value(row).try_to_string()).collect::<Result<Vec<_>, _>>();
            let texts = texts.map_err(|error| error.to_string())?;
            let cells: TimingCells<'_> =
                self.bound.map(|field| field.map(|(column, scale)| (texts[column].as_str(), scale)));
            writer.row(&cells, None, rows);
        }
        Ok(())
    }
}

/// For each column of durations, the power of ten that converts them to ns. Parquet has no such type: Arrow writes the
/// integers, and the unit into the metadata of the file.
fn duration_units(footer: &ArrowReaderMetadata) -> Result<Vec<Option<u32>>, String> {
    let file = footer.metadata().file_metadata();
    let schema = catch_panic(|| parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata()))?;
    let schema = schema.map_err(|error| error.to_string())?;
    let unit = |data_type: &DataType| match data_type {
        DataType::Duration(TimeUnit::Second) => Some(9),
        DataType::Duration(TimeUnit::Millisecond) => Some(6),
        DataType::Duration(TimeUnit::Microsecond) => Some(3),
        DataType::Duration(TimeUnit::Nanosecond) => Some(0),
        _ => None,
    };
    let names = footer.schema().fields().iter().map(|field| field.name());
    Ok(names.map(|name| unit(schema.field_with_name(name).ok()?.data_type())).collect())
}

/// Whether the texts of the values are numbers, or texts that a user wrote.
fn is_number(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Null | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        || data_type.is_numeric()
}
