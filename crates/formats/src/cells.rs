//! Cuts a CSV file that arrives in chunks into cells: for tables with very many columns and few values.
//!
//! A line feed ends a record even inside quotes. A stray quote then costs one line and not the rest of the
//! file. So this reader is for numbers, which have no line feeds, and not for texts. csv-core reads a
//! line feed in quotes as a part of the cell, and has no option against it.

use super::position::Position;

/// Maximum length of a cell in bytes. No number is longer; the end of a longer cell is dropped.
pub(super) const MAX_CELL: usize = 256;

/// A cell, or the end of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CsvItem<'a> {
    /// Column from 0 and content of a cell that is not blank, without its quotes.
    Cell(usize, &'a [u8]),
    /// The end of a record: its number of cells, and whether a quote is still open. A blank line has one
    /// cell.
    End { cells: usize, open: bool },
}

/// Cuts chunks into cells. Memory: one cell of at most 256 bytes.
#[derive(Debug)]
pub(super) struct CsvCells {
    delimiter: u8,
    cell: Vec<u8>,
    column: usize,
    in_quotes: bool,
    /// Where the record starts.
    pub(super) place: Position,
    /// Offset of the next byte in the file.
    offset: u64,
    /// The record has at least one byte.
    pub(super) is_inside: bool,
}

impl CsvCells {
    /// Starts at `place` in the file.
    pub(super) fn new(delimiter: u8, place: Position) -> Self {
        let offset = place.offset;
        Self { delimiter, cell: Vec::new(), column: 0, in_quotes: false, place, offset, is_inside: false }
    }

    /// Takes the next bytes and calls `each` for every piece that ends in them, with the position of its
    /// record.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(CsvItem<'_>, Position)) {
        for byte in chunk {
            self.offset += 1;
            match *byte {
                b'\n' => {
                    self.end_cell(&mut each);
                    self.end_record(&mut each);
                    continue;
                }
                b'"' => self.in_quotes = !self.in_quotes,
                byte if byte == self.delimiter && !self.in_quotes => {
                    self.end_cell(&mut each);
                    self.column += 1;
                }
                byte if self.cell.len() < MAX_CELL => self.cell.push(byte),
                _ => {}
            }
            self.is_inside = true;
        }
    }

    fn end_cell(&mut self, each: &mut impl FnMut(CsvItem<'_>, Position)) {
        let text = self.cell.trim_ascii();
        if !text.is_empty() {
            each(CsvItem::Cell(self.column, text), self.place);
        }
        self.cell.clear();
    }

    fn end_record(&mut self, each: &mut impl FnMut(CsvItem<'_>, Position)) {
        each(CsvItem::End { cells: self.column + 1, open: self.in_quotes }, self.place);
        (self.column, self.in_quotes, self.is_inside) = (0, false, false);
        self.place = Position { line: self.place.line + 1, offset: self.offset };
    }
}

/// The names in a record that has no line feed at its end. Removes quotes; two quotes inside quotes become
/// one.
pub(super) fn names(record: &[u8], delimiter: u8) -> Vec<Vec<u8>> {
    let mut names = vec![Vec::new()];
    let (mut in_quotes, mut after_quote) = (false, false);
    for byte in record {
        let Some(name) = names.last_mut() else { break };
        match *byte {
            b'"' => {
                // The second of two quotes in a row inside quotes.
                if !in_quotes && after_quote {
                    name.push(b'"');
                }
                after_quote = in_quotes;
                in_quotes = !in_quotes;
                continue;
            }
            byte if byte == delimiter && !in_quotes => names.push(Vec::new()),
            byte => name.push(byte),
        }
        after_quote = false;
    }
    names
}

/// The end of the first record in `text`, after its line feed. None if the record does not end. `in_quotes`
/// says whether a quote is open at the start of `text`; it is updated to the end of the record or of `text`.
pub(super) fn first_record_end(text: &[u8], in_quotes: &mut bool) -> Option<usize> {
    let end = text.iter().position(|byte| {
        *in_quotes ^= *byte == b'"';
        *byte == b'\n' && !*in_quotes
    });
    end.map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &[u8], size: usize) -> (Vec<String>, bool) {
        let mut cells = CsvCells::new(b',', Position::START);
        let mut out = Vec::new();
        for chunk in text.chunks(size) {
            cells.push(chunk, |piece, place| {
                out.push(match piece {
                    CsvItem::Cell(column, text) => format!("{column}={}", String::from_utf8_lossy(text)),
                    CsvItem::End { cells, open } => format!("{}:{cells}{}", place, if open { "!" } else { "" }),
                });
            });
        }
        (out, cells.is_inside)
    }

    #[test]
    fn any_chunking_gives_the_same_cells() {
        let text = b",1.5,\r\n\r\n\"2,5\",,\"x\n3,\"\"\"4\"\"\",5\r\n,7";
        let whole = pieces(text, text.len());
        assert_eq!(
            whole.0,
            [
                "1=1.5",
                "line 1 (byte 0):3",
                "line 2 (byte 7):1",
                "0=2,5",
                "2=x",
                "line 3 (byte 9):3!",
                "0=3",
                "1=4",
                "2=5",
                "line 4 (byte 19):3"
            ]
        );
        assert!(whole.1);
        for size in 1..text.len() {
            assert_eq!(pieces(text, size), whole, "{size}");
        }
    }

    #[test]
    fn a_long_cell_is_cut() {
        let text = [vec![b'1'; 100_000], b",2\n".to_vec()].concat();
        let (pieces, inside) = pieces(&text, 1000);
        assert_eq!((pieces[0].len(), pieces[1].as_str(), inside), (MAX_CELL + 2, "1=2", false));
    }

    #[test]
    fn names_can_have_any_characters() {
        let record = b"step,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",,x\"y\"";
        let names = names(record, b',');
        let names: Vec<&str> = names.iter().map(|name| str::from_utf8(name).unwrap()).collect();
        assert_eq!(names, ["step", "a,b", "say \"hi\"", "two\nlines", "", "xy"]);
        let mut in_quotes = false;
        assert_eq!(first_record_end(b"a,\"b\nc\"\r\nrest", &mut in_quotes), Some(9));
        assert_eq!((first_record_end(b"a,\"b\nc", &mut in_quotes), in_quotes), (None, true));
        assert_eq!(first_record_end(b"\"\n", &mut in_quotes), Some(2));
    }
}
