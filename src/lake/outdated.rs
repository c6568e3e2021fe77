//! Parts that an older version wrote: their tables have other columns now.

use std::sync::Arc;

use arrow::datatypes::{Field, SchemaRef};
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStoreExt;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;

use super::{Lake, Manifest, PARALLEL, Part};
use crate::error::{Error, ErrorKind, Result};
use crate::source::store_error;
use crate::table::table;

/// What is read first of the end of a part; nearly all footers are shorter.
const END: u64 = 64 << 10;

impl Lake {
    /// The parts of a run that have other columns than their tables have in this version, by their footers. None of a table that
    /// this version does not know.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed for a part without a footer.
    pub async fn outdated_parts(&self, run: &Manifest) -> Result<Vec<Part>> {
        let known = run.parts.iter().filter_map(|part| Some((part, table(&part.table)?.schema())));
        let looks: Vec<_> = known
            .map(|(part, schema)| async move {
                let written = self.schema_of(part).await?;
                Ok::<_, Error>((!is_same(&written, &schema)).then(|| part.clone()))
            })
            .collect();
        let looked: Vec<Option<Part>> = futures::stream::iter(looks).buffered(PARALLEL).try_collect().await?;
        Ok(looked.into_iter().flatten().collect())
    }

    /// The columns of a part.
    async fn schema_of(&self, part: &Part) -> Result<SchemaRef> {
        let (location, size) = (self.place.at(&part.path), part.file_bytes());
        let damaged = |error: ParquetError| {
            let text = format!("cannot read {}: {error}", self.place.url_of(&location));
            Error::new(ErrorKind::Malformed, text).with_hint("`check` says what is wrong with the lake")
        };
        let mut reader = ParquetMetaDataReader::new();
        let mut end = END;
        loop {
            let range = size.saturating_sub(end)..size;
            let bytes = self.place.store().get_range(&location, range).await;
            let bytes = bytes.map_err(|error| store_error(&format!("read {}", self.place.url_of(&location)), error))?;
            match reader.try_parse_sized(&bytes, size) {
                Ok(()) => break,
                Err(ParquetError::NeedMoreData(more)) if (more as u64) > end => end = more as u64,
                Err(error) => return Err(damaged(error)),
            }
        }
        let footer = reader.finish().map_err(damaged)?;
        let opened = ArrowReaderMetadata::try_new(Arc::new(footer), ArrowReaderOptions::new()).map_err(damaged)?;
        Ok(Arc::clone(opened.schema()))
    }
}

/// Whether the columns have the same names and types, in the same order.
fn is_same(written: &SchemaRef, now: &SchemaRef) -> bool {
    let columns = |schema: &SchemaRef| {
        let column = |field: &Arc<Field>| (field.name().clone(), field.data_type().clone());
        schema.fields().iter().map(column).collect::<Vec<_>>()
    };
    columns(written) == columns(now)
}
