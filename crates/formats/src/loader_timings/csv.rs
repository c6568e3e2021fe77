//! Timings as CSV: a line with the names of the columns, and a line for each row.

use super::columns::{ColumnBinding, FIELDS, LoaderColumns};
use super::row::{TimingCells, TimingsWriter};
use crate::cells::{CsvCells, CsvItem, MAX_CELL, first_record_end, names};
use crate::place::Position;
use crate::table::{Rows, Severity};

/// The longest header that is kept.
const MAX_HEADER: usize = 64 << 20;

/// Reads one file. A line feed always ends a row: so a quote that stays open costs one row and not the rest.
#[derive(Debug, Default)]
pub(super) struct Csv {
    columns: LoaderColumns,
    /// The header as far as it was pushed, where it begins, and whether a quote is open in it.
    head: Vec<u8>,
    place: Position,
    quoted: bool,
    /// The header does not end.
    lost: bool,
    table: Option<(CsvCells, Row)>,
}

/// The row that is being read.
#[derive(Debug)]
struct Row {
    bound: ColumnBinding,
    width: usize,
    /// Cells that mean something; blank ones are not told.
    texts: [String; FIELDS],
    blank: bool,
    /// Digits behind the point in the last cell, and the fewest that a row before had there.
    decimals: usize,
    fewest: Option<usize>,
}

impl Csv {
    pub(super) fn new(columns: LoaderColumns) -> Self {
        Self { columns, ..Self::default() }
    }

    pub(super) fn push(&mut self, chunk: &[u8], writer: &mut TimingsWriter, rows: &mut Rows) {
        let mut rest = chunk;
        while self.table.is_none() && !self.lost {
            let end = first_record_end(rest, &mut self.quoted);
            self.head.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.head.len() > MAX_HEADER {
                writer.skip("bad_line", writer.at(Some(self.place)), rows, || "the header does not end".to_owned());
                (self.lost, self.head) = (true, Vec::new());
            }
            let Some(end) = end else { return };
            rest = &rest[end..];
            self.header(rows);
        }
        self.rows(rest, false, writer, rows);
    }

    pub(super) fn end(&mut self, writer: &mut TimingsWriter, rows: &mut Rows) {
        if self.table.as_ref().is_some_and(|(cells, _)| cells.is_inside()) {
            self.rows(b"\n", true, writer, rows);
        }
    }

    /// The header ended, unless its line is blank.
    fn header(&mut self, rows: &mut Rows) {
        let (head, place) = (std::mem::take(&mut self.head), self.place);
        self.place = self.place.after(&head);
        let Some((delimiter, names)) = split(&head) else { return };
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| self.columns.has(name) && !seen.insert(name.as_str())) {
            let text = || format!("{place}: column `{twice}` occurs twice; the first one is read");
            rows.problem(Severity::Notice, "repeated_column", place.byte(), text);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let row = Row {
            bound: self.columns.bind(&names),
            width: names.len(),
            texts: Default::default(),
            blank: true,
            decimals: 0,
            fewest: None,
        };
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
        for (field, found) in self.bound.iter().enumerate() {
            if found.is_some_and(|(bound, _)| bound == column) {
                self.texts[field].push_str(&text);
                if text.len() >= MAX_CELL {
                    // what was cut is no number any more
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
        let (at, width) = (writer.at(Some(place)), self.width);
        // who writes 9 digits everywhere did not mean to write 4 in the last cell of all
        let cut = open || cells < width || self.fewest.is_some_and(|fewest| self.decimals < fewest);
        if self.blank && cells == 1 {
            return;
        } else if last && cut {
            writer.skip("truncated", at, rows, || "the file ends inside this row".to_owned());
        } else if open || cells != width {
            let quote = if open { ", and a quote that is not closed" } else { "" };
            writer.skip("wrong_cells", at, rows, || format!("{cells} cells{quote}, the header has {width}"));
        } else {
            if last {
                let text = || format!("{place}: the last row has no line feed: it may be incomplete");
                rows.problem(Severity::Notice, "no_line_feed", place.byte(), text);
            }
            self.fewest = Some(self.fewest.map_or(self.decimals, |fewest| fewest.min(self.decimals)));
            let texts: TimingCells<'_> =
                std::array::from_fn(|field| self.bound[field].map(|(_, scale)| (self.texts[field].as_str(), scale)));
            writer.row(&texts, at, rows);
        }
        self.texts.iter_mut().for_each(String::clear);
        (self.blank, self.decimals) = (true, 0);
    }
}

/// The names in a header, as far as the first bytes of a file tell.
pub(super) fn header(head: &[u8]) -> Option<Vec<String>> {
    let head = head.trim_ascii_start();
    let end = first_record_end(head, &mut false).unwrap_or(head.len());
    str::from_utf8(&head[..end]).ok()?;
    split(&head[..end]).map(|(_, names)| names)
}

/// What stands between cells, and the names; none of a blank line.
fn split(head: &[u8]) -> Option<(u8, Vec<String>)> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_end();
    // cells with a comma in them need another delimiter, or quotes
    let delimiter = [b';', b'\t'].into_iter().find(|byte| head.contains(byte)).unwrap_or(b',');
    let names = names(head, delimiter).into_iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
    (!head.is_empty()).then(|| (delimiter, names.collect()))
}
