//! A page of a table's tree: a leaf with rows, or an interior page with children.

use super::record::{TRUNCATED_ROW, read_varint};
use super::{PageError, read_u32};

/// The maximum size of a row in bytes. The largest texts of exports have a few KB.
const MAX_ROW: u64 = 16 << 20;

/// A page with a valid header.
#[derive(Debug, Clone, Copy)]
pub(super) struct BtreePage<'a> {
    number: u32,
    bytes: &'a [u8],
    pub(super) is_leaf: bool,
    /// The number of rows of a leaf, or the number of children of an interior page without the last one.
    pub(super) cells: usize,
    /// Offset of the list of cell pointers.
    pointers: usize,
    /// The last child of an interior page.
    last_child: u32,
}

/// A row on a leaf. The end of a large row is on overflow pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafCell<'a> {
    page: u32,
    pub(super) rowid: i64,
    /// Size of the whole row in bytes, including overflow pages.
    pub(super) size: u64,
    /// The bytes from the start of the row to the end of the page.
    pub(super) payload: &'a [u8],
}

impl<'a> BtreePage<'a> {
    pub(super) fn new(number: u32, bytes: &'a [u8]) -> Result<Self, PageError> {
        let malformed = |why| PageError::Malformed { page: number, why };
        // page 1 begins with the header of the file
        let start = if number == 1 { 100 } else { 0 };
        let header = bytes.get(start..start + 12).ok_or(malformed("it is too short"))?;
        let is_leaf = match header[0] {
            13 => true,
            5 => false,
            _ => return Err(malformed("it is not a page of a table")),
        };
        let cells = usize::from(u16::from_be_bytes([header[3], header[4]]));
        let pointers = start + if is_leaf { 8 } else { 12 };
        if pointers + 2 * cells > bytes.len() {
            return Err(malformed("it declares more cells than fit"));
        }
        let last_child = u32::from_be_bytes([header[8], header[9], header[10], header[11]]);
        Ok(Self { number, bytes, is_leaf, cells, pointers, last_child })
    }

    fn malformed_cell(&self) -> PageError {
        PageError::Malformed { page: self.number, why: "a cell lies outside of it" }
    }

    /// The bytes from the start of a cell to the end of the page.
    fn cell_bytes(&self, index: usize) -> Result<&'a [u8], PageError> {
        let pointer = self.pointers + 2 * index;
        let start = usize::from(u16::from_be_bytes([self.bytes[pointer], self.bytes[pointer + 1]]));
        self.bytes.get(start..).filter(|cell| !cell.is_empty()).ok_or_else(|| self.malformed_cell())
    }

    /// The row in a cell of a leaf.
    pub(super) fn cell(&self, index: usize) -> Result<LeafCell<'a>, PageError> {
        let cell = self.cell_bytes(index)?;
        let (size, size_length) = read_varint(cell).ok_or_else(|| self.malformed_cell())?;
        let (rowid, rowid_length) = read_varint(&cell[size_length..]).ok_or_else(|| self.malformed_cell())?;
        let payload = &cell[size_length + rowid_length..];
        Ok(LeafCell { page: self.number, rowid: rowid.cast_signed(), size, payload })
    }

    /// A child of an interior page and the largest rowid below it, which is unknown for the last child.
    pub(super) fn child(&self, index: usize) -> Result<(u32, Option<i64>), PageError> {
        if index == self.cells {
            return Ok((self.last_child, None));
        }
        let cell = self.cell_bytes(index)?;
        let child = read_u32(cell, 0).ok_or_else(|| self.malformed_cell())?;
        let (rowid, _) = read_varint(&cell[4..]).ok_or_else(|| self.malformed_cell())?;
        Ok((child, Some(rowid.cast_signed())))
    }

    /// The child that may contain a rowid.
    pub(super) fn find_child(&self, rowid: i64) -> Result<u32, PageError> {
        let index = self.partition_point(|index| Ok(self.child(index)?.1.is_some_and(|largest| largest < rowid)))?;
        Ok(self.child(index)?.0)
    }

    /// The row of a leaf with this rowid.
    pub(super) fn find_cell(&self, rowid: i64) -> Result<Option<LeafCell<'a>>, PageError> {
        let index = self.partition_point(|index| Ok(self.cell(index)?.rowid < rowid))?;
        if index == self.cells {
            return Ok(None);
        }
        Ok(Some(self.cell(index)?).filter(|cell| cell.rowid == rowid))
    }

    /// The index of the first cell for which `is_before` is false. Cells are sorted by rowid.
    fn partition_point(&self, is_before: impl Fn(usize) -> Result<bool, PageError>) -> Result<usize, PageError> {
        let (mut low, mut high) = (0, self.cells);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

impl<'a> LeafCell<'a> {
    /// The part of the row that is on the leaf, and the first overflow page if there is one. `usable` is the number of
    /// usable bytes of a page.
    pub(super) fn split(&self, usable: usize) -> Result<(&'a [u8], Option<u32>), PageError> {
        let Self { page, size, payload, .. } = *self;
        let truncated = || PageError::Malformed { page, why: TRUNCATED_ROW };
        let max_local = usable - 35;
        if let Some(size) = usize::try_from(size).ok().filter(|size| *size <= max_local) {
            return Ok((payload.get(..size).ok_or_else(truncated)?, None));
        }
        if size > MAX_ROW {
            return Err(PageError::Malformed { page, why: "a row is larger than 16 MiB" });
        }
        let min_local = (usable - 12) * 32 / 255 - 23;
        let tail = usize::try_from((size - min_local as u64) % (usable as u64 - 4)).unwrap_or(0);
        let length = if min_local + tail <= max_local { min_local + tail } else { min_local };
        let local = payload.get(..length).ok_or_else(truncated)?;
        Ok((local, Some(read_u32(payload, length).ok_or_else(truncated)?)))
    }
}
