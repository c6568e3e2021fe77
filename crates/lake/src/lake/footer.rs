//! The footer of a part, read alone.

use object_store::ObjectStoreExt;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::{Lake, Part};
use crate::error::{Error, ErrorKind, Result};
use crate::source::{Action, store_error};

/// What is read first of the end of a part; nearly all footers are shorter.
const END: u64 = 64 << 10;

impl Lake {
    /// What the footer of a part's file says.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed for a part without a footer.
    pub(super) async fn footer_of(&self, part: &Part) -> Result<ParquetMetaData> {
        let (location, size) = (self.place.at(&part.path), part.file_bytes());
        let mut reader = ParquetMetaDataReader::new();
        let mut end = END;
        loop {
            let range = size.saturating_sub(end)..size;
            let bytes = self.place.store().get_range(&location, range).await;
            let bytes = bytes.map_err(|error| store_error(Action::Read, &self.place.url_of(&location), error))?;
            match reader.try_parse_sized(&bytes, size) {
                Ok(()) => break,
                Err(ParquetError::NeedMoreData(more)) if (more as u64) > end => end = more as u64,
                Err(error) => return Err(self.damaged(part, &error)),
            }
        }
        reader.finish().map_err(|error| self.damaged(part, &error))
    }

    /// A part whose footer is none.
    pub(super) fn damaged(&self, part: &Part, error: &ParquetError) -> Error {
        let text = format!("cannot read {}: {error}", self.place.url_of(&self.place.at(&part.path)));
        Error::new(ErrorKind::Malformed, text).with_hint("run `tracelake check` for details")
    }
}
