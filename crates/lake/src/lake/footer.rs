//! Reads the footers of data files.

use object_store::ObjectStoreExt;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::{DataFile, Lake};
use crate::error::{Error, ErrorKind, ErrorSubject, Result};
use crate::source::StoreAction;

/// Bytes that the first request reads from the end of a file; nearly all footers are shorter.
const FIRST_READ: u64 = 64 << 10;

impl Lake {
    /// Reads the footer of the data file of a part.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed if the file has no valid footer.
    pub(super) async fn read_footer(&self, part: &DataFile) -> Result<ParquetMetaData> {
        let (location, size) = (self.location.resolve(&part.path), part.file_bytes());
        let mut reader = ParquetMetaDataReader::new();
        let mut end = FIRST_READ;
        loop {
            let range = size.saturating_sub(end)..size;
            let bytes = self.location.store().get_range(&location, range).await;
            match reader.try_parse_sized(&bytes.map_err(self.error(StoreAction::Read, &location))?, size) {
                Ok(()) => break,
                Err(ParquetError::NeedMoreData(more)) if (more as u64) > end => end = more as u64,
                Err(error) => return Err(self.footer_error(part, &error)),
            }
        }
        reader.finish().map_err(|error| self.footer_error(part, &error))
    }

    /// The error of a data file with an invalid footer.
    pub(super) fn footer_error(&self, part: &DataFile, error: &ParquetError) -> Error {
        let text = format!("cannot read {}: {error}", self.location.url_of(&self.location.resolve(&part.path)));
        Error::new(ErrorKind::Malformed, text)
            .with_subject(ErrorSubject::Output)
            .with_hint("run `tracelake check` for details")
    }
}

/// Returns the number of rows of a file.
pub(super) fn row_count(footer: &ParquetMetaData) -> u64 {
    u64::try_from(footer.file_metadata().num_rows()).unwrap_or_default()
}
