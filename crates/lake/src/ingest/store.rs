//! Stores data files, and rows in data files of their own.

use tokio::runtime::Handle;

use crate::error::Result;
use crate::lake::{DataFile, DataFileWriter, FinishedFile, GROUP_ROWS, Lake};
use crate::table::Rows;

/// Stores finished data files.
pub(super) fn store_files(
    lake: &Lake,
    finished: impl IntoIterator<Item = FinishedFile>,
    new_parts: &mut Vec<DataFile>,
    handle: &Handle,
) -> Result<()> {
    for (part, bytes) in finished {
        handle.block_on(lake.put_data_file(&part.path, bytes))?;
        new_parts.push(part);
    }
    Ok(())
}

/// Writes rows to data files of their own.
pub(super) fn write_rows(lake: &Lake, mut rows: Rows, handle: &Handle) -> Result<Vec<DataFile>> {
    let mut parts = Vec::new();
    for (table, batch) in rows.take() {
        let mut writer = DataFileWriter::new(table, GROUP_ROWS);
        store_files(lake, [writer.write(batch)?, writer.finish()?].into_iter().flatten(), &mut parts, handle)?;
    }
    Ok(parts)
}
