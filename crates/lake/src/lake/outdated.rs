//! Parts that an older version wrote: their tables have other columns now.

use std::sync::Arc;

use arrow::datatypes::{Field, SchemaRef};
use futures::{StreamExt, TryStreamExt};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::{Lake, Manifest, PARALLEL, Part};
use crate::error::{Error, Result};
use crate::table::table;

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
        let footer = self.footer_of(part).await?;
        let opened = ArrowReaderMetadata::try_new(Arc::new(footer), ArrowReaderOptions::new())
            .map_err(|error| self.damaged(part, &error))?;
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
