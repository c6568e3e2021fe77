//! A frame as a table of characters.

use std::fmt;

use comfy_table::{CellAlignment, Table, TableComponent, presets};

use super::{Frame, SHOWN, cell};

impl Frame {
    /// The first rows as strings under their headings; the number of all rows.
    pub(super) fn strings(&self, rows: usize) -> crate::Result<(Vec<Vec<String>>, usize)> {
        let columns = self.columns();
        let (batch, all) = self.head(rows)?;
        let row = |row| columns.iter().zip(batch.columns()).map(|(c, array)| cell::text(array, row, c.unit)).collect();
        Ok(((0..batch.num_rows()).map(row).collect(), all))
    }

    /// Column names with the unit where it is not clear from the name.
    pub(super) fn headings(&self) -> Vec<String> {
        use crate::unit::Unit;
        self.columns()
            .into_iter()
            .map(|column| match column.unit {
                Some(unit @ (Unit::Ns | Unit::Percent)) => format!("{} [{unit}]", column.name),
                _ => column.name,
            })
            .collect()
    }

    fn table(&self, preset: &str, rows: usize) -> crate::Result<(Table, usize)> {
        let (mut cells, all) = self.strings(rows)?;
        if preset == presets::ASCII_MARKDOWN {
            // A bar ends a cell and a line its row.
            cells.iter_mut().flatten().for_each(|cell| *cell = cell.replace('|', "\\|").replace('\n', "<br>"));
        }
        let mut table = Table::new();
        table.load_preset(preset).set_header(self.headings());
        if preset == presets::NOTHING {
            // A line below the heading, and none anywhere else.
            table.set_style(TableComponent::HeaderLines, '─');
            table.set_style(TableComponent::MiddleHeaderIntersections, '─');
        }
        for row in cells {
            table.add_row(row);
        }
        for (index, column) in self.columns().iter().enumerate() {
            if let (true, Some(shown)) = (column.data_type.is_numeric(), table.column_mut(index)) {
                shown.set_cell_alignment(CellAlignment::Right);
            }
        }
        Ok((table, all))
    }

    /// All rows as a Markdown table.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_markdown(&self) -> crate::Result<String> {
        Ok(self.table(presets::ASCII_MARKDOWN, usize::MAX)?.0.to_string())
    }

    /// All rows as a table for a terminal.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_text(&self) -> crate::Result<String> {
        Ok(self.table(presets::NOTHING, usize::MAX)?.0.trim_fmt())
    }
}

/// The first 50 rows, and how many there are.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.table(presets::NOTHING, SHOWN) {
            Ok((table, all)) => {
                write!(f, "{}\n{}", table.trim_fmt(), count(all, SHOWN))
            }
            Err(error) => write!(f, "{error}"),
        }
    }
}

/// `3 rows`, or how many of them are shown.
pub(super) fn count(all: usize, shown: usize) -> String {
    match all {
        1 => "1 row".to_owned(),
        _ if all > shown => format!("{shown} of {all} rows shown"),
        _ => format!("{all} rows"),
    }
}
