//! Timings as CSV: a line with the names of the columns, and a line for each row.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::columns::{Bound, Columns};
use super::row::{Cells, Writer};
use crate::format::lines::{Line, Lines};
use crate::format::place::Place;
use crate::table::{Rows, Severity};

/// The longest line that is kept.
const MAX_LINE: usize = 16 << 20;

/// Reads one file. A line feed always ends a row: so a quote that stays open costs one row and not the rest.
#[derive(Debug)]
pub(super) struct Csv {
    lines: Lines,
    table: Table,
}

#[derive(Debug)]
struct Table {
    columns: Columns,
    cells: Splitter,
    /// What the header said: which columns are read, and how many there are.
    header: Option<(Bound, usize)>,
    /// The fewest digits that any row had behind the point of its last cell.
    digits: Option<usize>,
}

impl Csv {
    pub(super) fn new(columns: Columns) -> Self {
        let table = Table { columns, cells: Splitter::default(), header: None, digits: None };
        Self { lines: Lines::up_to(MAX_LINE), table }
    }

    pub(super) fn push(&mut self, chunk: &[u8], writer: &mut Writer, rows: &mut Rows) {
        let table = &mut self.table;
        self.lines.push(chunk, |line, place| table.line(line, place, writer, rows));
    }

    pub(super) fn end(&mut self, writer: &mut Writer, rows: &mut Rows) {
        let table = &mut self.table;
        self.lines.end(|line, place| table.line(line, place, writer, rows));
    }
}

/// The names in a header, which may not be all there; none if it is no text.
pub(super) fn header(head: &[u8]) -> Option<Vec<String>> {
    let line = head.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    let text = str::from_utf8(line).ok()?;
    let mut cells = Splitter::default();
    cells.split(begun(text).as_bytes());
    Some(cells.texts().map(str::to_owned).collect())
}

/// The first line without a byte order mark.
fn begun(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}

impl Table {
    fn line(&mut self, line: Line<'_>, place: Place, writer: &mut Writer, rows: &mut Rows) {
        let (bytes, last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => {
                return writer.skip("bad_line", writer.at(Some(place)), rows, || "longer than 16 MiB".to_owned());
            }
        };
        let text = String::from_utf8_lossy(bytes);
        let text = if self.header.is_none() { begun(&text) } else { &*text };
        if text.trim().is_empty() {
            return;
        }
        self.cells.split(text.as_bytes());
        let Some((bound, width)) = self.header else {
            let names: Vec<&str> = self.cells.texts().collect();
            self.header = Some((self.columns.bind(&names), names.len()));
            let mut seen = std::collections::BTreeSet::new();
            if let Some(twice) = names.iter().find(|name| self.columns.has(name.trim()) && !seen.insert(name.trim())) {
                let text = || format!("{place}: column `{}` stands twice; the first one is read", twice.trim());
                rows.problem(Severity::Notice, "repeated_column", place.byte(), text);
            }
            return;
        };
        let (found, at) = (self.cells.len(), writer.at(Some(place)));
        let decimals = self.cells.text(found.saturating_sub(1)).map_or(0, decimals);
        // who writes 9 digits everywhere did not mean to write 4 in the last cell of all
        let cut = last && (found < width || self.digits.is_some_and(|digits| decimals < digits));
        if cut {
            return writer.skip("truncated", at, rows, || "the file ends inside this row".to_owned());
        }
        if found != width {
            let why = || format!("{found} cells, the header has {width}");
            return writer.skip("wrong_cells", at, rows, why);
        }
        if last {
            let text = || format!("{place}: the last row has no line feed: whether it is whole is not certain");
            rows.problem(Severity::Notice, "no_line_feed", place.byte(), text);
        }
        self.digits = Some(self.digits.map_or(decimals, |digits| digits.min(decimals)));
        let cells: Cells<'_> =
            bound.map(|column| column.and_then(|(column, scale)| Some((self.cells.text(column)?, scale))));
        writer.row(&cells, at, rows);
    }
}

/// Digits behind the point of a number; of one with an exponent, all that follows the point.
fn decimals(cell: &str) -> usize {
    cell.trim().rsplit_once(['.', ',']).map_or(0, |(_, digits)| digits.len())
}

/// Cuts a line into cells, without quotes.
#[derive(Debug)]
struct Splitter {
    reader: Option<Reader>,
    text: Vec<u8>,
    ends: Vec<usize>,
    len: usize,
}

impl Default for Splitter {
    fn default() -> Self {
        Self { reader: None, text: vec![0; 256], ends: vec![0; 16], len: 0 }
    }
}

impl Splitter {
    fn split(&mut self, line: &[u8]) {
        // the first line says what stands between cells
        let reader = self.reader.get_or_insert_with(|| ReaderBuilder::new().delimiter(delimiter(line)).build());
        reader.reset();
        let (mut read, mut written, mut ended) = (0, 0, 0);
        loop {
            // behind the line comes nothing, which ends the row
            let (result, taken, text, ends) =
                reader.read_record(&line[read..], &mut self.text[written..], &mut self.ends[ended..]);
            (read, written, ended) = (read + taken, written + text, ended + ends);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        self.len = ended;
    }

    fn len(&self) -> usize {
        self.len
    }

    /// The text of a cell, if it is text: what was no UTF-8 was replaced before.
    fn text(&self, cell: usize) -> Option<&str> {
        let end = *self.ends[..self.len].get(cell)?;
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        str::from_utf8(&self.text[start..end]).ok()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.len).map(|cell| self.text(cell).unwrap_or_default())
    }
}

/// What stands between the names of a header. Cells with a comma in them need another one, or quotes.
fn delimiter(header: &[u8]) -> u8 {
    [b';', b'\t'].into_iter().find(|byte| header.contains(byte)).unwrap_or(b',')
}
