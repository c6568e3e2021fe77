//! A frame as one Parquet file.

use std::io::Write;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;

/// Bytes of a row group: what is held before it is written.
const GROUP_BYTES: usize = 64 << 20;

/// Writes all rows as a Parquet file, a row group at a time; units stand in the metadata of the fields.
///
/// # Errors
/// Whatever the query meets; Exhausted when `out` takes no more.
pub fn write_parquet(frame: &Frame, out: &mut dyn Write) -> Result<()> {
    let failed = |error: parquet::errors::ParquetError| {
        Error::new(ErrorKind::Internal, "cannot write the result as Parquet").with_source(error)
    };
    let unwritten =
        |error: std::io::Error| Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}"));
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(zstd).set_max_row_group_bytes(Some(GROUP_BYTES));
    // The writer wants a sink that can be sent to other threads, which `out` cannot be: what it has written is handed on
    // after each batch.
    let mut writer = ArrowWriter::try_new(Vec::new(), frame.schema(), Some(properties.build())).map_err(failed)?;
    for batch in frame.stream()? {
        writer.write(&batch?).map_err(failed)?;
        let bytes = std::mem::take(writer.inner_mut());
        out.write_all(&bytes).map_err(unwritten)?;
    }
    out.write_all(&writer.into_inner().map_err(failed)?).map_err(unwritten)
}
