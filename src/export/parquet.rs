//! Writes a frame as one Parquet file.

use std::io::Write;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Frame, file_batch, file_schema};

/// Size of a row group. The writer buffers one.
const GROUP_BYTES: usize = 64 << 20;

/// Writes all rows as a Parquet file, one row group at a time. The metadata of the fields has the units. Times are
/// bigint, as in the files of a lake: every reader understands them.
///
/// # Errors
/// Errors of the query; Exhausted when writing to `out` fails.
pub fn write_parquet(frame: &Frame, out: &mut dyn Write) -> Result<()> {
    let failed = |error: parquet::errors::ParquetError| {
        Error::new(ErrorKind::Internal, "cannot write the result as Parquet").with_source(error)
    };
    let write_error =
        |error: std::io::Error| Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}"));
    let schema = file_schema(&frame.schema());
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(zstd).set_max_row_group_bytes(Some(GROUP_BYTES));
    // The writer needs a sink that is `Send`, which `out` is not. So it writes to a buffer, which is copied to `out` after
    // each batch.
    let mut writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), Some(properties.build())).map_err(failed)?;
    for batch in frame.stream()? {
        writer.write(&file_batch(&batch?, &schema)?).map_err(failed)?;
        let bytes = std::mem::take(writer.inner_mut());
        out.write_all(&bytes).map_err(write_error)?;
    }
    out.write_all(&writer.into_inner().map_err(failed)?).map_err(write_error)
}
