//! Data files of older versions, which have other columns than their tables.

use std::sync::Arc;

use arrow::datatypes::{Field, SchemaRef};
use futures::{StreamExt, TryStreamExt};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::{DataFile, Lake, Manifest, PARALLEL};
use crate::error::{Error, Result};
use crate::table::table;

impl Lake {
    /// Returns the parts of a run that have other columns than their tables, by their footers.
    /// Skips tables that this version does not know.
    ///
    /// # Errors
    /// NotFound, Denied, Unreachable; Malformed for a data file without a valid footer.
    pub async fn outdated_data_files(&self, run: &Manifest) -> Result<Vec<DataFile>> {
        let known = run.parts.iter().filter_map(|part| Some((part, table(&part.table)?.schema())));
        let checks: Vec<_> = known
            .map(|(part, schema)| async move {
                let file_schema = self.read_schema(part).await?;
                Ok::<_, Error>((!has_same_columns(&file_schema, &schema)).then(|| part.clone()))
            })
            .collect();
        let outdated: Vec<Option<DataFile>> = futures::stream::iter(checks).buffered(PARALLEL).try_collect().await?;
        Ok(outdated.into_iter().flatten().collect())
    }

    /// Reads the columns of a part.
    async fn read_schema(&self, part: &DataFile) -> Result<SchemaRef> {
        let footer = self.read_footer(part).await?;
        let metadata = ArrowReaderMetadata::try_new(Arc::new(footer), ArrowReaderOptions::new())
            .map_err(|error| self.footer_error(part, &error))?;
        Ok(Arc::clone(metadata.schema()))
    }
}

/// Whether both have columns of the same names and types in the same order.
fn has_same_columns(file_schema: &SchemaRef, table_schema: &SchemaRef) -> bool {
    let column = |field: &Arc<Field>| (field.name().clone(), field.data_type().clone());
    file_schema.fields().iter().map(column).eq(table_schema.fields().iter().map(column))
}
