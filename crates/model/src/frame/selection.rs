//! Selects the columns of a table for people, and fits them to the width of the terminal.

use arrow::array::{Array, RecordBatch, Scalar};
use arrow::compute::kernels::cmp::not_distinct;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::cell::format_value;
use super::{ColumnInfo, Frame};
use crate::unit::Unit;

/// Columns of text are cut to this many characters before columns are dropped.
const MIN_TEXT_WIDTH: usize = 24;

/// Characters between the texts of two columns.
const PADDING: usize = 3;

/// Maximum number of names in a note.
const MAX_NAMES: usize = 8;

/// Tells whether all rows have the same id, for each id column of a result.
pub(super) struct ConstantIds {
    first: Option<RecordBatch>,
    is_constant: Vec<bool>,
    rows: usize,
}

impl ConstantIds {
    pub(super) fn new(columns: &[ColumnInfo]) -> Self {
        Self { first: None, is_constant: columns.iter().map(|c| c.unit == Some(Unit::Id)).collect(), rows: 0 }
    }

    /// Adds the next batch of the result.
    pub(super) fn update(&mut self, batch: &RecordBatch) {
        if batch.num_rows() == 0 {
            return;
        }
        self.rows += batch.num_rows();
        let first = self.first.get_or_insert_with(|| batch.slice(0, 1));
        for ((is_constant, array), first) in self.is_constant.iter_mut().zip(batch.columns()).zip(first.columns()) {
            let equal = || not_distinct(array, &Scalar::new(first)).is_ok_and(|equal| equal.false_count() == 0);
            *is_constant = *is_constant && equal();
        }
    }

    /// Returns the text of each id that is the same in all of several rows, or null in all rows; else None.
    pub(super) fn values(&self) -> Vec<Option<String>> {
        let Some(first) = &self.first else { return vec![None; self.is_constant.len()] };
        let value = |(is_constant, array): (&bool, &arrow::array::ArrayRef)| {
            let is_hidden = *is_constant && (self.rows > 1 || array.is_null(0));
            is_hidden.then(|| if array.is_null(0) { String::new() } else { format_value(array, 0) })
        };
        self.is_constant.iter().zip(first.columns()).map(value).collect()
    }
}

/// The columns to show, and what the line below the table says about the others.
pub(super) struct Selection {
    /// Indexes of the columns, in the order of the table.
    pub(super) shown: Vec<usize>,
    /// Ids that are the same in all rows: `run = first_look`.
    ids: Vec<String>,
    /// Names of the other columns that are not shown.
    hidden: Vec<String>,
    /// Maximum widths of the texts; empty without a limit.
    widths: Vec<usize>,
}

impl Selection {
    /// Selects all columns.
    pub(super) fn all(columns: usize) -> Self {
        Self { shown: (0..columns).collect(), ids: Vec::new(), hidden: Vec::new(), widths: Vec::new() }
    }

    /// Selects the main columns of the frame, if it has some, without ids that are the same in all rows.
    pub(super) fn new(frame: &Frame, columns: &[ColumnInfo], ids: &[Option<String>]) -> Self {
        let all = Self::all(columns.len());
        if frame.view.is_wide {
            return all;
        }
        let position = |name: &&str| columns.iter().position(|column| column.name == *name);
        let mut main: Vec<usize> = frame.view.main_columns.iter().filter_map(position).collect();
        if main.is_empty() {
            main.clone_from(&all.shown);
        }
        let (constant, shown): (Vec<usize>, Vec<usize>) =
            main.iter().partition(|index| ids.get(**index).is_some_and(Option::is_some));
        if shown.is_empty() {
            return all;
        }
        let text = |index: usize| {
            let id = ids[index].as_deref().filter(|id| !id.is_empty())?;
            Some(format!("{} = {id}", columns[index].name))
        };
        let hidden = all.shown.iter().filter(|index| !main.contains(index)).map(|index| columns[*index].name.clone());
        Self {
            shown,
            ids: constant.into_iter().filter_map(text).collect(),
            hidden: hidden.collect(),
            widths: Vec::new(),
        }
    }

    /// Returns what the line below the table says: `run = first_look`, `2 columns not shown: p99, max`.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self.ids.clone();
        if !self.hidden.is_empty() {
            let columns = if self.hidden.len() == 1 { "column" } else { "columns" };
            let names: Vec<&str> = self.hidden.iter().take(MAX_NAMES).map(String::as_str).collect();
            let more = if self.hidden.len() > MAX_NAMES { ", ..." } else { "" };
            notes.push(format!("{} {columns} not shown: {}{more}", self.hidden.len(), names.join(", ")));
        }
        notes
    }

    /// Fits the columns to a width: shortens the widest texts, and then drops the last columns. The first column stays.
    ///
    /// `headings` and `rows` have one text for each shown column.
    pub(super) fn fit(
        &mut self,
        columns: &[ColumnInfo],
        width: usize,
        headings: &mut Vec<String>,
        rows: &mut [Vec<String>],
    ) {
        let widths: Vec<usize> = (0..headings.len())
            .map(|column| {
                rows.iter().map(|row| row[column].width()).chain([headings[column].width()]).max().unwrap_or(0)
            })
            .collect();
        let is_text = |column: &usize| !columns[self.shown[*column]].is_number_or_time();
        let excess = |widths: &[usize]| {
            let total = widths.iter().map(|width| width + PADDING).sum::<usize>().saturating_sub(1);
            total.saturating_sub(width)
        };
        let shortened = |count: usize| {
            let mut widths = widths[..count].to_vec();
            while excess(&widths) > 0 {
                let widest = (0..count).filter(is_text).max_by_key(|column| widths[*column]);
                let Some(widest) = widest.filter(|column| widths[*column] > MIN_TEXT_WIDTH) else { break };
                widths[widest] = widths[widest].saturating_sub(excess(&widths)).max(MIN_TEXT_WIDTH);
            }
            widths
        };
        let fitting = (1..=widths.len()).rev().map(shortened).find(|widths| widths.len() == 1 || excess(widths) == 0);
        self.widths = fitting.unwrap_or_default();
        let dropped = self.shown.split_off(self.widths.len()).into_iter().map(|index| columns[index].name.clone());
        self.hidden.splice(0..0, dropped);
        headings.truncate(self.widths.len());
        headings.iter_mut().zip(&self.widths).for_each(|(text, width)| shorten(text, *width));
        self.shorten(rows);
    }

    /// Shortens the texts of rows to the widths that fit.
    pub(super) fn shorten(&self, rows: &mut [Vec<String>]) {
        for row in rows {
            row.truncate(self.shown.len());
            row.iter_mut().zip(&self.widths).for_each(|(text, width)| shorten(text, *width));
        }
    }
}

/// Shortens a text to this many columns of a terminal, and marks that with `…`.
fn shorten(text: &mut String, width: usize) {
    if text.width() <= width {
        return;
    }
    let mut used = 1;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    if let Some((end, _)) = end {
        text.truncate(end);
    }
    text.push('…');
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Int64Array, StringArray};

    use super::*;

    fn frame() -> Frame {
        let texts = |texts: [&str; 2]| Arc::new(StringArray::from(texts.to_vec()));
        Frame::from_columns(vec![
            ("run", Unit::Id, texts(["a", "a"])),
            ("rank", Unit::Id, Arc::new(Int64Array::from(vec![None::<i64>, None]))),
            ("name", Unit::Name, texts(["forward", "a name that is longer than all the others"])),
            ("calls", Unit::Count, Arc::new(Int64Array::from(vec![1, 2]))),
            ("dur", Unit::Ns, Arc::new(Int64Array::from(vec![1_000, 2_000]))),
        ])
        .unwrap()
    }

    #[test]
    fn ids_that_are_equal_in_all_rows_are_below_the_table() {
        let text = frame().to_string();
        assert!(text.starts_with(" name "), "{text}");
        assert_eq!(text.lines().last(), Some("2 rows, run = a"));
        let wide = frame().wide().to_string();
        assert!(wide.starts_with(" run   rank   name "), "{wide}");
        assert_eq!(wide.lines().last(), Some("2 rows"));
    }

    #[test]
    fn an_id_that_differs_in_a_later_row_is_shown() {
        let runs = (0..60).map(|row| if row == 59 { "b" } else { "a" });
        let runs = ("run", Unit::Id, Arc::new(runs.map(Some).collect::<StringArray>()) as arrow::array::ArrayRef);
        let calls =
            ("calls", Unit::Count, Arc::new((0..60).map(Some).collect::<Int64Array>()) as arrow::array::ArrayRef);
        let text = Frame::from_columns(vec![runs, calls]).unwrap().to_string();
        assert!(text.starts_with(" run "), "{text}");
    }

    #[test]
    fn a_single_row_has_its_ids() {
        let batch = frame().batch().unwrap().slice(0, 1);
        let text = Frame::from_batch(batch).to_string();
        assert!(text.starts_with(" run   name "), "{text}");
    }

    #[test]
    fn a_narrow_terminal_gets_shorter_texts_and_then_fewer_columns() {
        let lines = |width| frame().fit(width).to_string().lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(200)[3], " a name that is longer than all the others       2   2 us");
        assert_eq!(lines(45)[3], " a name that is longer than …       2   2 us");
        assert!(lines(45).iter().all(|line| line.chars().count() <= 45));
        let narrow = lines(38);
        assert_eq!(narrow[3], " a name that is longer than …       2");
        assert_eq!(narrow[4], "2 rows, run = a, 1 column not shown: dur");
    }

    #[test]
    fn main_columns_are_shown_until_all_are_wanted() {
        let frame = frame().with_main_columns(&["run", "name", "dur"]);
        assert_eq!(frame.to_string().lines().last(), Some("2 rows, run = a, 2 columns not shown: rank, calls"));
        assert!(frame.wide().to_string().contains("calls"));
    }
}
