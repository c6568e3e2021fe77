//! Cells of a CSV file that arrives in chunks: for tables with very many columns and few values.
//!
//! A line break ends a record also inside quotes: a stray quote then costs its own line, and not the rest of the file. So
//! this reads numbers, whose cells hold no line breaks, and not texts.

use super::place::Place;

/// No number is longer; of a longer cell the start is kept.
pub(super) const MAX_CELL: usize = 256;

/// What a file consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A cell that is not blank, and its column from 0. Its quotes are taken off.
    Cell(usize, &'a [u8]),
    /// A record ended: how many cells it had, and whether a quote was open. A blank line has one cell.
    End { cells: usize, open: bool },
}

/// Cuts chunks into cells. Memory: one cell of at most 256 bytes.
#[derive(Debug)]
pub(super) struct Cells {
    delimiter: u8,
    cell: Vec<u8>,
    column: usize,
    quoted: bool,
    /// Where the record starts.
    place: Place,
    /// Byte of the file that comes next.
    offset: u64,
    /// The record has any bytes.
    begun: bool,
}

impl Cells {
    /// Cells of what follows from `place` on.
    pub(super) fn new(delimiter: u8, place: Place) -> Self {
        let offset = place.offset;
        Self { delimiter, cell: Vec::new(), column: 0, quoted: false, place, offset, begun: false }
    }

    /// Takes the next bytes and calls `each` for every piece that ends in them, with the place of its record.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(Piece<'_>, Place)) {
        for byte in chunk {
            self.offset += 1;
            match *byte {
                b'\n' => {
                    self.cell_ends(&mut each);
                    self.record_ends(&mut each);
                    continue;
                }
                b'"' => self.quoted = !self.quoted,
                byte if byte == self.delimiter && !self.quoted => {
                    self.cell_ends(&mut each);
                    self.column += 1;
                }
                byte if self.cell.len() < MAX_CELL => self.cell.push(byte),
                _ => {}
            }
            self.begun = true;
        }
    }

    /// Whether the bytes so far end inside a record.
    pub(super) fn is_inside(&self) -> bool {
        self.begun
    }

    /// Where the current record starts.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    fn cell_ends(&mut self, each: &mut impl FnMut(Piece<'_>, Place)) {
        let text = self.cell.trim_ascii();
        if !text.is_empty() {
            each(Piece::Cell(self.column, text), self.place);
        }
        self.cell.clear();
    }

    fn record_ends(&mut self, each: &mut impl FnMut(Piece<'_>, Place)) {
        each(Piece::End { cells: self.column + 1, open: self.quoted }, self.place);
        (self.column, self.quoted, self.begun) = (0, false, false);
        self.place = Place { line: self.place.line + 1, offset: self.offset };
    }
}

/// The names in a record, quotes taken off and doubled ones made single; without the line break that ended it.
pub(super) fn names(record: &[u8], delimiter: u8) -> Vec<Vec<u8>> {
    let mut names = vec![Vec::new()];
    let (mut quoted, mut closed) = (false, false);
    for byte in record {
        let Some(name) = names.last_mut() else { break };
        match *byte {
            b'"' => {
                // the second of two quotes in a row inside quotes
                if !quoted && closed {
                    name.push(b'"');
                }
                closed = quoted;
                quoted = !quoted;
                continue;
            }
            byte if byte == delimiter && !quoted => names.push(Vec::new()),
            byte => name.push(byte),
        }
        closed = false;
    }
    names
}

/// The end of the first record in `text`, behind its line break; none if it goes on. `quoted` is whether a quote is open where
/// `text` begins, and then where it ends.
pub(super) fn first_record(text: &[u8], quoted: &mut bool) -> Option<usize> {
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => *quoted = !*quoted,
            b'\n' if !*quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &[u8], size: usize) -> (Vec<String>, bool) {
        let mut cells = Cells::new(b',', Place::START);
        let mut out = Vec::new();
        for chunk in text.chunks(size) {
            cells.push(chunk, |piece, place| {
                out.push(match piece {
                    Piece::Cell(column, text) => format!("{column}={}", String::from_utf8_lossy(text)),
                    Piece::End { cells, open } => format!("{}:{cells}{}", place, if open { "!" } else { "" }),
                });
            });
        }
        (out, cells.is_inside())
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
    fn names_may_hold_anything() {
        let record = b"step,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",,x\"y\"";
        let names = names(record, b',');
        let names: Vec<&str> = names.iter().map(|name| str::from_utf8(name).unwrap()).collect();
        assert_eq!(names, ["step", "a,b", "say \"hi\"", "two\nlines", "", "xy"]);
        let mut quoted = false;
        assert_eq!(first_record(b"a,\"b\nc\"\r\nrest", &mut quoted), Some(9));
        assert_eq!((first_record(b"a,\"b\nc", &mut quoted), quoted), (None, true));
        assert_eq!(first_record(b"\"\n", &mut quoted), Some(2));
    }
}
