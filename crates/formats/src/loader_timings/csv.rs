//! Timings as CSV: a line with the names of the columns, and a line for each row.

use super::columns::{ColumnBinding, FIELDS, LoaderColumns};
use super::row::{TimingCells, TimingsWriter};
use crate::cells::{CsvCells, CsvItem, MAX_CELL, first_record_end, names};
use crate::line_ends::{LineEnds, convert_head};
use crate::position::Position;
use crate::table::Rows;

/// Maximum size of a header in bytes. A longer header is a problem, and the file is not read.
const MAX_HEADER: usize = 64 << 20;

/// Reads one file. A line feed always ends a row, so that an unclosed quote affects one row and not the rest of the file.
#[derive(Debug, Default)]
pub(super) struct Csv {
    ends: LineEnds,
    /// The header so far, its position, and whether a quote is open in it.
    head: Vec<u8>,
    place: Position,
    quoted: bool,
    /// True if the header is too long: the rest of the file is ignored.
    is_unreadable: bool,
    table: Option<(CsvCells, Row)>,
}

/// The current row.
#[derive(Debug, Default)]
struct Row {
    bound: ColumnBinding,
    width: usize,
    /// The texts of the bound columns. Blank cells are skipped by the splitter.
    texts: [String; FIELDS],
    blank: bool,
    /// Digits after the decimal point in the last cell, and their minimum over the previous rows.
    decimals: usize,
    min_decimals: Option<usize>,
}

impl Csv {
    pub(super) fn push(&mut self, chunk: &[u8], columns: &LoaderColumns, writer: &mut TimingsWriter, rows: &mut Rows) {
        let chunk = self.ends.convert(chunk);
        self.read(&chunk, columns, writer, rows);
    }

    fn read(&mut self, chunk: &[u8], columns: &LoaderColumns, writer: &mut TimingsWriter, rows: &mut Rows) {
        let mut rest = chunk;
        while self.table.is_none() && !self.is_unreadable {
            let end = first_record_end(rest, &mut self.quoted);
            self.head.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.head.len() > MAX_HEADER {
                writer.skip("bad_line", Some(self.place), rows, "the header does not end");
                (self.is_unreadable, self.head) = (true, Vec::new());
            }
            let Some(end) = end else { return };
            rest = &rest[end..];
            self.read_header(columns, rows);
        }
        self.rows(rest, false, writer, rows);
    }

    pub(super) fn end(&mut self, columns: &LoaderColumns, writer: &mut TimingsWriter, rows: &mut Rows) {
        let rest = self.ends.end();
        self.read(&rest, columns, writer, rows);
        if self.table.as_ref().is_some_and(|(cells, _)| cells.is_inside) {
            self.rows(b"\n", true, writer, rows);
        }
    }

    /// Parses a complete header. A blank line is skipped.
    fn read_header(&mut self, columns: &LoaderColumns, rows: &mut Rows) {
        let (head, place) = (std::mem::take(&mut self.head), self.place);
        self.place = self.place.after(&head);
        let Some((delimiter, names)) = split_header(&head) else { return };
        let mut unique = std::collections::BTreeSet::new();
        if let Some(repeated) = names.iter().find(|name| columns.has(name) && !unique.insert(name.as_str())) {
            let why = format!("column `{repeated}` occurs twice; the first one is read");
            place.notice(rows, "repeated_column", || why);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let row = Row { bound: columns.bind(&names), width: names.len(), blank: true, ..Row::default() };
        self.table = Some((CsvCells::new(delimiter, self.place), row));
    }

    fn rows(&mut self, chunk: &[u8], last: bool, writer: &mut TimingsWriter, rows: &mut Rows) {
        let Some((cells, row)) = &mut self.table else { return };
        cells.push(chunk, |piece, place| match piece {
            CsvItem::Cell(column, text) => row.cell(column, text),
            CsvItem::End { cells, open } => row.end(cells, open, last, place, writer, rows),
        });
    }
}

impl Row {
    fn cell(&mut self, column: usize, text: &[u8]) {
        self.blank = false;
        let text = String::from_utf8_lossy(text);
        for (field, binding) in self.bound.iter().enumerate() {
            if binding.is_some_and(|(bound, _)| bound == column) {
                self.texts[field].push_str(&text);
                if text.len() >= MAX_CELL {
                    // A truncated text must not parse as a number.
                    self.texts[field].push_str("...");
                }
            }
        }
        if column + 1 == self.width {
            self.decimals = text.rsplit_once(['.', ',']).map_or(0, |(_, digits)| digits.len());
        }
    }

    fn end(
        &mut self,
        cells: usize,
        open: bool,
        last: bool,
        place: Position,
        writer: &mut TimingsWriter,
        rows: &mut Rows,
    ) {
        let width = self.width;
        // Fewer digits than in every previous row indicate that the last number is truncated.
        let is_truncated =
            open || cells < width || self.min_decimals.is_some_and(|min_decimals| self.decimals < min_decimals);
        if self.blank && cells == 1 {
            return;
        } else if last && is_truncated {
            writer.skip("truncated", Some(place), rows, "the file ends inside this row");
        } else if open || cells != width {
            let quote = if open { ", and a quote that is not closed" } else { "" };
            let why = format!("{cells} cells{quote}, the header has {width}");
            writer.skip("wrong_cells", Some(place), rows, why);
        } else {
            if last {
                place.notice(rows, "no_line_feed", || "the last row has no line feed: it may be incomplete");
            }
            self.min_decimals =
                Some(self.min_decimals.map_or(self.decimals, |min_decimals| min_decimals.min(self.decimals)));
            let texts: TimingCells<'_> =
                std::array::from_fn(|field| self.bound[field].map(|(_, scale)| (self.texts[field].as_str(), scale)));
            writer.row(&texts, Some(place), rows);
        }
        self.texts.iter_mut().for_each(String::clear);
        (self.blank, self.decimals) = (true, 0);
    }
}

/// Returns the column names if the first bytes of a file contain a header.
pub(super) fn parse_header(head: &[u8]) -> Option<Vec<String>> {
    let head = convert_head(head.trim_ascii_start());
    let end = first_record_end(&head, &mut false).unwrap_or(head.len());
    str::from_utf8(&head[..end]).ok()?;
    split_header(&head[..end]).map(|(_, names)| names)
}

/// Returns the delimiter and the column names; `None` for a blank line.
fn split_header(head: &[u8]) -> Option<(u8, Vec<String>)> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_end();
    // If cells contain commas, the delimiter is another one, or the cells are quoted.
    let delimiter = [b';', b'\t'].into_iter().find(|byte| head.contains(byte)).unwrap_or(b',');
    let names = names(head, delimiter).into_iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
    (!head.is_empty()).then(|| (delimiter, names.collect()))
}
