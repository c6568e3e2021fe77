//! A frame as a table of characters.

use std::fmt;
use std::io::Write;

use arrow::array::RecordBatch;
use comfy_table::{CellAlignment, ColumnConstraint, Table, TableComponent, Width, presets};

use super::{ColumnInfo, Frame, SHOWN, Zone, cell};
use crate::error::{Error, ErrorKind, Result};

/// Rows that are laid out together; more are not held.
const BLOCK: usize = 1000;

/// How a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Terminal,
    Markdown,
}

/// The cells of a batch as people read them.
fn strings(batch: &RecordBatch, columns: &[ColumnInfo], zone: Zone) -> Vec<Vec<String>> {
    let row =
        |row| columns.iter().zip(batch.columns()).map(|(c, array)| cell::text(array, row, c.unit, zone)).collect();
    (0..batch.num_rows()).map(row).collect()
}

/// Letters of a cell that are shown where somebody looks at a few rows; a longer one would push all else aside.
const LETTERS: usize = 500;

/// The beginning of a long text, and how long it is.
fn cut(text: String) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

/// Whether a character turns the direction of what follows, or begins a line, without being a control character.
pub(super) fn is_unruly(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text that does nothing to a terminal: a control character, or one that turns the direction, is written as its escape.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_unruly(c) {
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
            Self::Terminal => harmless(text),
            // A bar ends a cell and a line its row.
            Self::Markdown => {
                let lines: Vec<String> = text.split('\n').map(harmless).collect();
                lines.join("<br>").replace('|', "\\|")
            }
        }
    }

    fn drawn(self, table: &Table) -> String {
        match self {
            Self::Terminal => table.trim_fmt(),
            Self::Markdown => table.to_string(),
        }
    }
}

/// Draws blocks of rows below each other.
struct Layout {
    style: Style,
    headings: Vec<String>,
    numeric: Vec<bool>,
    /// Width of each column, padding included; known when the first block was drawn.
    widths: Option<Vec<u16>>,
}

impl Layout {
    fn new(frame: &Frame, style: Style) -> Self {
        let numeric = frame.columns().iter().map(|column| column.data_type.is_numeric()).collect();
        Self { style, headings: frame.headings(), numeric, widths: None }
    }

    /// The lines of a block, without the last line end; the first has the heading.
    fn block(&mut self, rows: &[Vec<String>]) -> String {
        let mut table = Table::new();
        table.load_preset(match self.style {
            Style::Terminal => presets::NOTHING,
            Style::Markdown => presets::ASCII_MARKDOWN,
        });
        if self.style == Style::Terminal {
            // A line below the heading, and none anywhere else.
            table.set_style(TableComponent::HeaderLines, '─');
            table.set_style(TableComponent::MiddleHeaderIntersections, '─');
        }
        if self.widths.is_none() {
            table.set_header(self.headings.iter().map(|heading| self.style.cell(heading)));
        }
        for row in rows {
            table.add_row(row.iter().map(|cell| self.style.cell(cell)));
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
        self.style.drawn(&table)
    }
}

impl Frame {
    /// The first rows as strings under their headings, long ones cut; the number of all rows.
    pub(super) fn strings(&self, rows: usize) -> Result<(Vec<Vec<String>>, usize)> {
        let (batch, all) = self.head(rows)?;
        let rows = strings(&batch, &self.columns(), self.zone).into_iter();
        Ok((rows.map(|row| row.into_iter().map(cut).collect()).collect(), all))
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

    fn write_table(&self, style: Style, out: &mut dyn Write) -> Result<()> {
        let columns = self.columns();
        let mut layout = Layout::new(self, style);
        let mut held: Vec<Vec<String>> = Vec::new();
        let mut draw = |rows: &[Vec<String>]| {
            let written = writeln!(out, "{}", layout.block(rows));
            written.map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}")))
        };
        let mut blocks = 0;
        for batch in self.stream()? {
            let batch = batch?;
            let mut from = 0;
            while from < batch.num_rows() {
                let rows = (BLOCK - held.len()).min(batch.num_rows() - from);
                held.extend(strings(&batch.slice(from, rows), &columns, self.zone));
                from += rows;
                if held.len() == BLOCK {
                    draw(&held)?;
                    blocks += 1;
                    held.clear();
                }
            }
        }
        // A table without rows has its heading.
        if blocks == 0 || !held.is_empty() { draw(&held) } else { Ok(()) }
    }

    fn table(&self, style: Style) -> Result<String> {
        let mut out = Vec::new();
        self.write_table(style, &mut out)?;
        let text = String::from_utf8_lossy(&out);
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// Writes all rows as a Markdown table, 1,000 at a time.
    ///
    /// # Shape
    /// The first 1,000 rows make the columns as wide as they are in the source; a wider cell further down widens its
    /// block alone. What Markdown shows is the same.
    ///
    /// # Errors
    /// Whatever the query meets; Exhausted when `out` takes no more.
    pub fn write_markdown(&self, out: &mut dyn Write) -> Result<()> {
        self.write_table(Style::Markdown, out)
    }

    /// Writes all rows as a table for a terminal, 1,000 at a time. Control characters are written as escapes.
    ///
    /// # Shape
    /// The first 1,000 rows say how wide the columns are; a wider cell further down widens its block alone.
    ///
    /// # Errors
    /// Whatever the query meets; Exhausted when `out` takes no more.
    pub fn write_text(&self, out: &mut dyn Write) -> Result<()> {
        self.write_table(Style::Terminal, out)
    }

    /// All rows as a Markdown table; see [`Frame::write_markdown`].
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_markdown(&self) -> Result<String> {
        self.table(Style::Markdown)
    }

    /// All rows as a table for a terminal; see [`Frame::write_text`].
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn to_text(&self) -> Result<String> {
        self.table(Style::Terminal)
    }
}

/// The first 50 rows, and how many there are.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.strings(SHOWN) {
            Ok((rows, all)) => {
                write!(f, "{}\n{}", Layout::new(self, Style::Terminal).block(&rows), self.count(all, SHOWN))
            }
            Err(error) => write!(f, "{error}"),
        }
    }
}

impl Frame {
    /// `3 rows`, or how many of them are shown, or why there are none; and the clock of the times among them.
    pub(super) fn count(&self, all: usize, shown: usize) -> String {
        let timed = self.columns().iter().any(|column| column.unit == Some(crate::unit::Unit::Time));
        let zone = if timed { format!(", times in {}", self.zone.name()) } else { String::new() };
        match &self.why_empty {
            Some(why) if all == 0 => format!("0 rows: {why}"),
            _ => Self::counted(all, shown) + &zone,
        }
    }

    fn counted(all: usize, shown: usize) -> String {
        match all {
            1 => "1 row".to_owned(),
            _ if all > shown => format!("{shown} of {all} rows shown"),
            _ => format!("{all} rows"),
        }
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
    fn rows_beyond_the_first_block_stand_below_it() {
        let mut texts = vec!["ab".to_owned(); 2 * BLOCK + 1];
        texts[BLOCK + 1] = "abcdef".to_owned();
        let text = frame(texts.clone()).to_text().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 + texts.len());
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
    fn a_block_that_is_just_full_is_the_last() {
        let text = frame(vec!["ab".to_owned(); BLOCK]).to_text().unwrap();
        assert_eq!(text.lines().count(), 2 + BLOCK);
    }

    #[test]
    fn control_characters_do_nothing_to_a_terminal() {
        let frame = frame(vec!["\u{1b}[31mred\n\t\u{9b}".to_owned()]);
        let escaped = " 0   \\u{1b}[31mred\\n\\t\\u{9b}";
        assert_eq!(frame.to_text().unwrap().lines().last(), Some(escaped));
        assert!(frame.to_string().lines().any(|line| line == escaped));
        assert_eq!(frame.to_markdown().unwrap().lines().last(), Some("| 0 | \\u{1b}[31mred<br>\\t\\u{9b} |"));
    }

    #[test]
    fn characters_that_turn_the_direction_are_seen_and_letters_are_left_alone() {
        let text = frame(vec!["abc\u{202e}gnp\u{2067} \u{5d0}\u{5d1}\u{2028}x".to_owned()]).to_string();
        assert!(text.contains("abc\\u{202e}gnp\\u{2067} \u{5d0}\u{5d1}\\u{2028}x"), "{text}");
    }

    #[test]
    fn what_is_looked_at_is_cut_and_what_is_written_is_whole() {
        let frame = frame(vec!["\u{e4}".repeat(10_000)]);
        let shown = format!("{}... (10000 characters)", "\u{e4}".repeat(500));
        assert!(frame.to_string().lines().any(|line| line.ends_with(&shown)));
        assert!(frame.to_html().unwrap().contains(&format!(">{shown}</td>")));
        assert!(frame.to_text().unwrap().contains(&"\u{e4}".repeat(10_000)));
    }
}
