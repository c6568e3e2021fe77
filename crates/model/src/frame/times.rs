//! Times of a frame: timestamps in Arrow, integers in files.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit, TimestampNanosecondType};

use super::{cell, internal};
use crate::error::Result;
use crate::unit::Unit;

/// How CSV and JSON write the times of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeFormat {
    /// As in SQL, an integer: ns since the Unix epoch.
    #[default]
    Ns,
    /// RFC 3339 with nine decimals, in UTC: `2020-07-13T17:49:57.737738000Z`. A time that counts from the first event of
    /// its recording is `+12.3 ms`.
    Iso,
}

/// Returns the field of a column in a frame. A bigint of unit `time` is a timestamp in UTC.
#[doc(hidden)]
pub fn frame_field(field: Field) -> Field {
    let is_time = field.data_type() == &DataType::Int64 && has_unit_time(&field);
    if is_time { field.with_data_type(DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()))) } else { field }
}

fn has_unit_time(field: &Field) -> bool {
    field.metadata().get("unit").is_some_and(|unit| unit == Unit::Time.as_str())
}

/// Returns the schema of a file of a frame: there, a time is an integer.
#[doc(hidden)]
pub fn file_schema(schema: &Schema) -> SchemaRef {
    let field = |field: &Arc<Field>| {
        let field = field.as_ref().clone();
        if is_time(&field) { field.with_data_type(DataType::Int64) } else { field }
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

/// Returns a batch of a frame with the schema of a file.
#[doc(hidden)]
pub fn file_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns: std::result::Result<Vec<ArrayRef>, _> =
        columns.map(|(array, field)| cast(array, field.data_type())).collect();
    columns.and_then(|columns| RecordBatch::try_new(Arc::clone(schema), columns)).map_err(internal)
}

/// Returns a batch with its times as they are written to CSV and JSON.
pub(super) fn format_times(batch: &RecordBatch, format: TimeFormat) -> Result<RecordBatch> {
    let schema = file_schema(&batch.schema());
    if format == TimeFormat::Ns {
        return file_batch(batch, &schema);
    }
    let batch_schema = batch.schema();
    let columns = batch_schema.fields().iter().zip(batch.columns()).map(|(field, array)| {
        match array.as_primitive_opt::<TimestampNanosecondType>().filter(|_| is_time(field)) {
            Some(times) => {
                let texts: StringArray = times.iter().map(|ns| ns.map(cell::timestamp)).collect();
                (Field::new(field.name(), DataType::Utf8, true), Arc::new(texts) as ArrayRef)
            }
            None => (field.as_ref().clone(), Arc::clone(array)),
        }
    });
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(internal)
}

/// Whether a column of a frame has times, as [`frame_field`] declares them.
fn is_time(field: &Field) -> bool {
    has_unit_time(field) && matches!(field.data_type(), DataType::Timestamp(TimeUnit::Nanosecond, _))
}
