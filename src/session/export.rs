//! A frame as one Parquet file.

use std::io::Write;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;

/// Writes all rows as a Parquet file, batch by batch; units stand in the metadata of the fields.
///
/// # Errors
/// Whatever the query meets; Exhausted when `out` takes no more.
pub fn write_parquet(frame: &Frame, out: &mut dyn Write) -> Result<()> {
    // The writer wants to send its sink to other threads; the bytes are few.
    let mut bytes = Vec::new();
    let failed = |error: parquet::errors::ParquetError| {
        Error::new(ErrorKind::Internal, "cannot write the result as Parquet").with_source(error)
    };
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let mut writer = ArrowWriter::try_new(&mut bytes, frame.schema(), Some(properties)).map_err(failed)?;
    for batch in frame.stream()? {
        writer.write(&batch?).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    out.write_all(&bytes).map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}")))
}
