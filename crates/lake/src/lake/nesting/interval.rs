//! The intervals that are nested, and the results, as bytes of the same length.

use std::cmp::Reverse;

use crate::table::Category;

/// Size in bytes of a stored interval, and of the result that takes its place.
pub(super) const BYTES: usize = 36;

/// Categories of rows that are nested.
const CATEGORIES: [Category; 9] = [
    Category::Operator,
    Category::Communication,
    Category::Annotation,
    Category::Loader,
    Category::Python,
    Category::Module,
    Category::Runtime,
    Category::Driver,
    Category::Memory,
];

/// Category of a nested row: its index in [`CATEGORIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NestedCategory(u8);

impl NestedCategory {
    /// Returns the category with this name; none if its rows are not nested.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let index = CATEGORIES.iter().position(|category| category.as_str() == name)?;
        u8::try_from(index).ok().map(Self)
    }

    pub(super) fn as_str(self) -> &'static str {
        self.category().as_str()
    }

    fn category(self) -> Category {
        CATEGORIES[usize::from(self.0)]
    }

    /// Whether its rows are Python functions or modules. They nest among themselves: profilers of Python and of operators
    /// round times differently, so that their calls overlap in part.
    pub(super) fn is_function(self) -> bool {
        matches!(self.category(), Category::Python | Category::Module)
    }

    /// Whether its rows enclose others.
    pub(super) fn is_call(self) -> bool {
        !matches!(self.category(), Category::Runtime | Category::Driver | Category::Memory)
    }

    pub(super) fn is_operator(self) -> bool {
        matches!(self.category(), Category::Operator | Category::Communication)
    }

    pub(super) fn is_module(self) -> bool {
        self.category() == Category::Module
    }

    pub(super) fn is_memory(self) -> bool {
        self.category() == Category::Memory
    }
}

/// A row that is nested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) ts: i64,
    /// Not negative.
    pub(super) dur: i64,
    /// Ordinal in the file.
    pub(super) row: i64,
    /// Place in the row group.
    pub(super) position: u32,
    /// Number of its thread.
    pub(super) thread: u32,
    /// Number of its name, below 2^28; 0 if it is not a call.
    pub(super) name: u32,
    pub(super) category: NestedCategory,
}

/// The order in which intervals are nested: a call comes before the intervals that it encloses.
pub(super) type NestingOrder = (i64, Reverse<i64>, bool, i64);

impl Interval {
    pub(super) fn order(&self) -> NestingOrder {
        (self.ts, Reverse(self.dur), !self.category.is_call(), self.row)
    }

    pub(super) fn encode(&self) -> [u8; BYTES] {
        let category_and_name = u32::from(self.category.0) << 28 | self.name;
        encode([self.ts, self.dur, self.row], [self.position, self.thread, category_and_name])
    }

    pub(super) fn decode(bytes: &[u8; BYTES]) -> Self {
        let ([ts, dur, row], [position, thread, category_and_name]) = decode(bytes);
        let category = NestedCategory(u8::try_from(category_and_name >> 28).unwrap_or_default());
        Self { ts, dur, row, position, thread, name: category_and_name & ((1 << 28) - 1), category }
    }
}

/// The nesting of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NestingResult {
    pub(super) parent_row: Option<i64>,
    pub(super) overlap: i64,
    pub(super) call_path: Option<u32>,
    pub(super) python_path: Option<u32>,
    pub(super) position: u32,
}

impl NestingResult {
    pub(super) fn encode(&self) -> [u8; BYTES] {
        let path = |path: Option<u32>| path.map_or(0, |path| path + 1);
        let parent = self.parent_row.unwrap_or(i64::MIN);
        encode([parent, self.overlap, 0], [self.position, path(self.call_path), path(self.python_path)])
    }

    pub(super) fn decode(bytes: &[u8; BYTES]) -> Self {
        let ([parent_row, overlap, _], [position, call_path, python_path]) = decode(bytes);
        Self {
            parent_row: (parent_row != i64::MIN).then_some(parent_row),
            overlap,
            call_path: call_path.checked_sub(1),
            python_path: python_path.checked_sub(1),
            position,
        }
    }
}

fn encode(long: [i64; 3], short: [u32; 3]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let (first, last) = bytes.split_at_mut(24);
    for (bytes, value) in first.as_chunks_mut().0.iter_mut().zip(long) {
        *bytes = value.to_le_bytes();
    }
    for (bytes, value) in last.as_chunks_mut().0.iter_mut().zip(short) {
        *bytes = value.to_le_bytes();
    }
    bytes
}

fn decode(bytes: &[u8; BYTES]) -> ([i64; 3], [u32; 3]) {
    let (first, last) = bytes.split_at(24);
    let (mut long, mut short) = ([0; 3], [0; 3]);
    for (value, bytes) in long.iter_mut().zip(first.as_chunks().0) {
        *value = i64::from_le_bytes(*bytes);
    }
    for (value, bytes) in short.iter_mut().zip(last.as_chunks().0) {
        *value = u32::from_le_bytes(*bytes);
    }
    (long, short)
}
