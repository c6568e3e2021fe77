//! Frames as tables of text, for terminals and Markdown.

use std::fmt;
use std::io::Write;

use arrow::array::RecordBatch;
use arrow::compute::BatchCoalescer;
use arrow::datatypes::SchemaRef;
use comfy_table::{CellAlignment, ColumnConstraint, Table, TableComponent, Width, presets};

use super::display::{display_columns, time_digits};
use super::selection::Selection;
use super::{Batches, ColumnInfo, DISPLAY_ROWS, Frame, internal};
use crate::error::{Error, ErrorKind, Result};
use crate::unit::Unit;

/// Rows in a block: a table is laid out and written block by block.
const BLOCK: usize = 1000;

/// The syntax of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Terminal,
    Markdown,
}

/// Maximum number of characters of a cell in a preview; a longer text would take too much room.
const MAX_CHARACTERS: usize = 500;

/// Cuts a long text, and adds its length.
fn cut_text(text: String) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

/// Whether a character changes the direction of text or starts a line, but is not a control
/// character.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters and invisible characters, which a terminal would interpret.
fn escape_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_invisible(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

impl Style {
    fn cell(self, text: &str) -> String {
        match self {
            Self::Terminal => escape_controls(text),
            // In Markdown, a bar ends a cell and a line break ends the row.
            Self::Markdown => {
                let lines: Vec<String> = text.split('\n').map(escape_controls).collect();
                lines.join("<br>").replace('|', "\\|")
            }
        }
    }
}

/// Lays out blocks of rows below each other.
struct Layout {
    style: Style,
    headings: Vec<String>,
    numeric: Vec<bool>,
    /// Width of each column with padding; set by the first block.
    widths: Option<Vec<u16>>,
}

impl Layout {
    /// Lays out the selected columns. `headings` has the texts of their headings.
    fn new(columns: &[ColumnInfo], style: Style, selection: &Selection, headings: Vec<String>) -> Self {
        let numeric = selection.shown.iter().map(|index| columns[*index].is_number_or_time()).collect();
        Self { style, headings, numeric, widths: None }
    }

    /// Returns the lines of a block without the last line break. The first block has the header.
    fn block(&mut self, rows: &[Vec<String>]) -> String {
        let mut table = Table::new();
        table.load_preset(match self.style {
            Style::Terminal => presets::NOTHING,
            Style::Markdown => presets::ASCII_MARKDOWN,
        });
        if self.style == Style::Terminal {
            // The only line is below the header.
            table.set_style(TableComponent::HeaderLines, '─');
            table.set_style(TableComponent::MiddleHeaderIntersections, '─');
        }
        if self.widths.is_none() {
            table.set_header(&self.headings);
        }
        for row in rows {
            table.add_row(row);
        }
        for (index, numeric) in self.numeric.iter().enumerate() {
            let Some(column) = table.column_mut(index) else { continue };
            if *numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
            if let Some(width) = self.widths.as_ref().and_then(|widths| widths.get(index)) {
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(*width)));
            }
        }
        if self.widths.is_none() {
            let padded = |width: u16| width.saturating_add(2);
            self.widths = Some(table.column_max_content_widths().into_iter().map(padded).collect());
        }
        match self.style {
            Style::Terminal => table.trim_fmt(),
            Style::Markdown => table.to_string(),
        }
    }
}

/// The first rows of a frame as texts, for text and HTML.
pub(super) struct PreviewTexts {
    pub(super) selection: Selection,
    /// A text for each selected column; long ones are cut.
    pub(super) rows: Vec<Vec<String>>,
    /// The number of all rows.
    pub(super) count: usize,
}

impl Frame {
    /// Returns the first 50 rows as texts.
    pub(super) fn preview_texts(&self) -> Result<PreviewTexts> {
        let (preview, columns) = (self.preview(DISPLAY_ROWS)?, self.columns());
        let ids = match self.state.cached.get() {
            Some(batch) => self.constant_ids(batch),
            None => preview.ids,
        };
        let selection = Selection::new(self, &columns, &ids);
        let digits = time_digits(&preview.batch, &columns);
        let rows = self.texts(&preview.batch, &columns, &selection, &digits).into_iter();
        let rows = rows.map(|row| row.into_iter().map(cut_text).collect()).collect();
        Ok(PreviewTexts { selection, rows, count: preview.rows })
    }

    /// Returns the texts of the selected columns, row by row.
    fn texts(
        &self,
        batch: &RecordBatch,
        columns: &[ColumnInfo],
        selection: &Selection,
        digits: &[u32],
    ) -> Vec<Vec<String>> {
        let mut cells = display_columns(batch, columns, self.view.zone, digits);
        let mut text = |row: usize, column: usize| cells[column][row].take().map_or_else(String::new, |cell| cell.text);
        (0..batch.num_rows()).map(|row| selection.shown.iter().map(|column| text(row, *column)).collect()).collect()
    }

    /// Returns the headings of the selected columns.
    fn headings(&self, columns: &[ColumnInfo], selection: &Selection, style: Style) -> Vec<String> {
        selection.shown.iter().map(|index| style.cell(self.label(&columns[*index].name))).collect()
    }

    fn write_table(&self, style: Style, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns();
        let mut blocks = blocks(self.schema(), self.stream()?);
        let first = blocks.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(self.schema())))?;
        let second = blocks.next().transpose()?;
        // Later rows may have other ids and times with more decimals.
        let digits = if second.is_none() { time_digits(&first, &columns) } else { vec![9; columns.len()] };
        let mut selection = match (style, &second) {
            (Style::Terminal, None) => Selection::new(self, &columns, &self.constant_ids(&first)),
            (Style::Terminal, Some(_)) => Selection::new(self, &columns, &[]),
            (Style::Markdown, _) => Selection::all(columns.len()),
        };
        let escaped = |batch: &RecordBatch, selection: &Selection| -> Vec<Vec<String>> {
            let rows = self.texts(batch, &columns, selection, &digits).into_iter();
            rows.map(|row| row.iter().map(|text| style.cell(text)).collect()).collect()
        };
        let mut headings = self.headings(&columns, &selection, style);
        let mut rows = escaped(&first, &selection);
        if let (Style::Terminal, Some(width)) = (style, self.view.width) {
            selection.fit(&columns, width, &mut headings, &mut rows);
        }
        let failed = |error| Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}"));
        if let Some(title) = self.title() {
            write!(out, "{}\n\n", style.cell(title)).map_err(failed)?;
        }
        let mut layout = Layout::new(&columns, style, &selection, headings);
        writeln!(out, "{}", layout.block(&rows)).map_err(failed)?;
        let mut count = first.num_rows();
        for block in second.map(Ok).into_iter().chain(blocks) {
            let block = block?;
            count += block.num_rows();
            let mut rows = escaped(&block, &selection);
            selection.shorten(&mut rows);
            writeln!(out, "{}", layout.block(&rows)).map_err(failed)?;
        }
        match style {
            Style::Terminal => writeln!(out, "{}", self.summary(count, count, &selection)).map_err(failed),
            Style::Markdown => Ok(()),
        }
    }

    fn to_table(&self, style: Style) -> Result<String> {
        let mut out = Vec::new();
        self.write_table(style, &mut out)?;
        let text = String::from_utf8_lossy(&out);
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// Writes all rows as a Markdown table, 1,000 rows at a time.
    ///
    /// # Shape
    /// The first 1,000 rows determine the widths of the columns in the source. A wider cell in a
    /// later block widens only this block. The rendered table is the same.
    ///
    /// # Errors
    /// The error of the query; Exhausted if writing to `out` fails.
    pub fn write_markdown(&self, out: &mut dyn Write) -> Result<()> {
        self.write_table(Style::Markdown, out)
    }

    /// Writes all rows as a table for a terminal, 1,000 rows at a time. Control characters are
    /// escaped.
    ///
    /// # Shape
    /// The first 1,000 rows determine the widths of the columns. A wider cell in a later block
    /// widens only this block.
    ///
    /// # Errors
    /// The error of the query; Exhausted if writing to `out` fails.
    pub fn write_text(&self, out: &mut dyn Write) -> Result<()> {
        self.write_table(Style::Terminal, out)
    }

    /// Returns all rows as a Markdown table; see [`Frame::write_markdown`].
    ///
    /// # Errors
    /// The error of the query.
    pub fn to_markdown(&self) -> Result<String> {
        self.to_table(Style::Markdown)
    }

    /// Returns all rows as a table for a terminal; see [`Frame::write_text`].
    ///
    /// # Errors
    /// The error of the query.
    pub fn to_text(&self) -> Result<String> {
        self.to_table(Style::Terminal)
    }

    /// Formats the line below a table: the number of rows (`3 rows`), how many are shown, or why there are none;
    /// what is not in the table; and the time zone if there are times.
    pub(super) fn summary(&self, shown: usize, count: usize, selection: &Selection) -> String {
        let rows = match (count, &self.why_empty) {
            (0, Some(why)) => return format!("0 rows: {why}"),
            (1, _) => "1 row".to_owned(),
            _ if count > shown => format!("{shown} of {count} rows shown"),
            _ => format!("{count} rows"),
        };
        let columns = self.columns();
        let has_times = selection.shown.iter().any(|index| columns[*index].unit == Some(Unit::Time));
        let zone = has_times.then(|| format!("times in {}", self.view.zone.name()));
        let notes = selection.notes().into_iter().map(|note| escape_controls(&note)).chain(zone);
        [rows].into_iter().chain(notes).collect::<Vec<_>>().join(", ")
    }
}

/// Joins and splits batches into blocks of 1,000 rows.
fn blocks(schema: SchemaRef, mut batches: Batches) -> impl Iterator<Item = Result<RecordBatch>> {
    let mut coalescer = BatchCoalescer::new(schema, BLOCK);
    let mut is_finished = false;
    std::iter::from_fn(move || {
        loop {
            if let Some(block) = coalescer.next_completed_batch() {
                return Some(Ok(block));
            }
            if is_finished {
                return None;
            }
            let batch = batches.next();
            is_finished = !matches!(batch, Some(Ok(_)));
            let pushed = match batch {
                Some(batch) => batch.and_then(|batch| coalescer.push_batch(batch).map_err(internal)),
                None => coalescer.finish_buffered_batch().map_err(internal),
            };
            if let Err(error) = pushed {
                is_finished = true;
                return Some(Err(error));
            }
        }
    })
}

/// Shows the first 50 rows, and the number of all rows.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style::Terminal;
        let PreviewTexts { mut selection, rows, count } = match self.preview_texts() {
            Ok(preview) => preview,
            Err(error) => return write!(f, "{error}"),
        };
        if let Some(title) = self.title() {
            write!(f, "{}\n\n", style.cell(title))?;
        }
        let columns = self.columns();
        let mut headings = self.headings(&columns, &selection, style);
        let mut rows: Vec<Vec<String>> =
            rows.into_iter().map(|row| row.iter().map(|text| style.cell(text)).collect()).collect();
        if let Some(width) = self.view.width {
            selection.fit(&columns, width, &mut headings, &mut rows);
        }
        let table = Layout::new(&columns, style, &selection, headings).block(&rows);
        write!(f, "{table}\n{}", self.summary(DISPLAY_ROWS, count, &selection))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    fn frame(texts: Vec<String>) -> Frame {
        let numbers = 0..i64::try_from(texts.len()).unwrap();
        let numbers: ArrayRef = Arc::new(numbers.collect::<Int64Array>());
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        Frame::from_batch(RecordBatch::try_from_iter([("n", numbers), ("t", texts)]).unwrap())
    }

    #[test]
    fn later_blocks_have_no_header_and_may_be_wider() {
        let mut texts = vec!["ab".to_owned(); 2 * BLOCK + 1];
        texts[BLOCK + 1] = "abcdef".to_owned();
        let text = frame(texts.clone()).to_text().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3 + texts.len());
        assert_eq!(lines[..3], ["   n   t", "──────────", "   0   ab"]);
        assert_eq!(lines[2 + BLOCK..][..2], ["1000   ab", "1001   abcdef"].map(|line| format!(" {line}")));
        assert_eq!(lines[2 + 2 * BLOCK], " 2000   ab");

        let text = frame(texts).to_markdown().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["|   n | t  |", "|-----|----|", "|   0 | ab |"]);
        assert_eq!(lines[2 + BLOCK..][..2], ["| 1000 | ab     |", "| 1001 | abcdef |"]);
        assert_eq!(lines[2 + 2 * BLOCK], "| 2000 | ab |");
    }

    #[test]
    fn no_empty_block_follows_a_full_one() {
        let text = frame(vec!["ab".to_owned(); BLOCK]).to_text().unwrap();
        assert_eq!(text.lines().count(), 3 + BLOCK);
    }

    #[test]
    fn control_characters_are_escaped() {
        let frame = frame(vec!["\u{1b}[31mred\n\t\u{9b}".to_owned()]);
        let escaped = " 0   \\u{1b}[31mred\\n\\t\\u{9b}";
        assert!(frame.to_text().unwrap().lines().any(|line| line == escaped));
        assert!(frame.to_string().lines().any(|line| line == escaped));
        assert_eq!(frame.to_markdown().unwrap().lines().last(), Some("| 0 | \\u{1b}[31mred<br>\\t\\u{9b} |"));
    }

    #[test]
    fn only_characters_that_change_the_direction_are_escaped() {
        let text = frame(vec!["abc\u{202e}gnp\u{2067} \u{5d0}\u{5d1}\u{2028}x".to_owned()]).to_string();
        assert!(text.contains("abc\\u{202e}gnp\\u{2067} \u{5d0}\u{5d1}\\u{2028}x"), "{text}");
    }

    #[test]
    fn long_texts_are_cut_in_previews_only() {
        let frame = frame(vec!["\u{e4}".repeat(10_000)]);
        let shown = format!("{}... (10000 characters)", "\u{e4}".repeat(500));
        assert!(frame.to_string().lines().any(|line| line.ends_with(&shown)));
        assert!(frame.to_html().unwrap().contains(&format!(">{shown}</td>")));
        assert!(frame.to_text().unwrap().contains(&"\u{e4}".repeat(10_000)));
    }
}
