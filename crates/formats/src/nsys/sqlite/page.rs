//! A page of a table's tree: a leaf with rows, or one that says where they are.

use super::Fault;
use super::row::varint;

/// A page, its kind and its cells checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'a> {
    number: u32,
    bytes: &'a [u8],
    leaf: bool,
    cells: usize,
    /// Where the list of the cells begins.
    list: usize,
    /// The last child of a page that is no leaf.
    right: u32,
}

/// A row as a leaf holds it: what does not fit follows elsewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) rowid: i64,
    /// Bytes of the row, also of what is elsewhere.
    pub(super) size: u64,
    /// From the row's first byte to the end of the page.
    pub(super) payload: &'a [u8],
}

impl<'a> Page<'a> {
    pub(super) fn new(number: u32, bytes: &'a [u8]) -> Result<Self, Fault> {
        let damaged = |why| Fault::Damaged { page: number, why };
        // page 1 begins with the header of the file
        let at = if number == 1 { 100 } else { 0 };
        let head = bytes.get(at..at + 12).ok_or(damaged("it is too short"))?;
        let leaf = match head[0] {
            13 => true,
            5 => false,
            _ => return Err(damaged("it is not a page of a table")),
        };
        let cells = usize::from(u16::from_be_bytes([head[3], head[4]]));
        let list = at + if leaf { 8 } else { 12 };
        if list + 2 * cells > bytes.len() {
            return Err(damaged("it declares more cells than fit"));
        }
        let right = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
        Ok(Self { number, bytes, leaf, cells, list, right })
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.leaf
    }

    /// Rows of a leaf, or children but the last one.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    fn damaged(&self) -> Fault {
        Fault::Damaged { page: self.number, why: "a cell lies outside of it" }
    }

    fn at(&self, nth: usize) -> Result<&'a [u8], Fault> {
        let pointer = self.list + 2 * nth;
        let at = usize::from(u16::from_be_bytes([self.bytes[pointer], self.bytes[pointer + 1]]));
        self.bytes.get(at..).filter(|cell| !cell.is_empty()).ok_or_else(|| self.damaged())
    }

    /// A row of a leaf.
    pub(super) fn cell(&self, nth: usize) -> Result<Cell<'a>, Fault> {
        let cell = self.at(nth)?;
        let (size, after) = varint(cell).ok_or_else(|| self.damaged())?;
        let (rowid, then) = varint(&cell[after..]).ok_or_else(|| self.damaged())?;
        Ok(Cell { rowid: rowid.cast_signed(), size, payload: &cell[after + then..] })
    }

    /// A child of a page that is no leaf, with the largest rowid below it; the last one has none.
    pub(super) fn child(&self, nth: usize) -> Result<(u32, Option<i64>), Fault> {
        if nth == self.cells {
            return Ok((self.right, None));
        }
        let cell = self.at(nth)?;
        let [a, b, c, d, rest @ ..] = cell else { return Err(self.damaged()) };
        let (rowid, _) = varint(rest).ok_or_else(|| self.damaged())?;
        Ok((u32::from_be_bytes([*a, *b, *c, *d]), Some(rowid.cast_signed())))
    }

    /// The child below which a rowid is.
    pub(super) fn child_of(&self, rowid: i64) -> Result<u32, Fault> {
        let (mut low, mut high) = (0, self.cells);
        while low < high {
            let middle = low.midpoint(high);
            match self.child(middle)? {
                (_, Some(largest)) if largest < rowid => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(self.child(low)?.0)
    }

    /// The row of a leaf with this rowid.
    pub(super) fn cell_of(&self, rowid: i64) -> Result<Option<Cell<'a>>, Fault> {
        let (mut low, mut high) = (0, self.cells);
        while low < high {
            let middle = low.midpoint(high);
            if self.cell(middle)?.rowid < rowid {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == self.cells {
            return Ok(None);
        }
        Ok(Some(self.cell(low)?).filter(|cell| cell.rowid == rowid))
    }
}
