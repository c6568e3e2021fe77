//! What nesting needs to know of a row, and what it finds out.

use std::cmp::Reverse;

/// Size in bytes of a stored interval, and of the result that takes its place.
pub(super) const BYTES: usize = 36;

/// Categories of rows that are nested.
const CATEGORIES: [&str; 9] =
    ["operator", "communication", "annotation", "loader", "python", "module", "runtime", "driver", "memory"];

/// Category of a nested row: its place in [`CATEGORIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kind(u8);

impl Kind {
    /// Returns the kind of a category; none if its rows are not nested.
    pub(super) fn from_category(category: &str) -> Option<Self> {
        let place = CATEGORIES.iter().position(|known| *known == category)?;
        u8::try_from(place).ok().map(Self)
    }

    /// The category.
    pub(super) fn category(self) -> &'static str {
        CATEGORIES[usize::from(self.0)]
    }

    /// Whether its rows are Python functions or modules. They nest among themselves: profilers of Python and of operators
    /// round times differently, so that their calls overlap in part.
    pub(super) fn is_function(self) -> bool {
        matches!(self.category(), "python" | "module")
    }

    /// Whether its rows enclose others.
    pub(super) fn is_call(self) -> bool {
        !matches!(self.category(), "runtime" | "driver" | "memory")
    }

    pub(super) fn is_operator(self) -> bool {
        matches!(self.category(), "operator" | "communication")
    }

    pub(super) fn is_module(self) -> bool {
        self.category() == "module"
    }

    pub(super) fn is_memory(self) -> bool {
        self.category() == "memory"
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
    pub(super) kind: Kind,
}

/// The order in which intervals are nested: a call comes before the intervals that it encloses.
pub(super) type NestingOrder = (i64, Reverse<i64>, bool, i64);

impl Interval {
    pub(super) fn order(&self) -> NestingOrder {
        (self.ts, Reverse(self.dur), !self.kind.is_call(), self.row)
    }

    pub(super) fn encode(&self) -> [u8; BYTES] {
        let kind_and_name = u32::from(self.kind.0) << 28 | self.name;
        encode([self.ts, self.dur, self.row], [self.position, self.thread, kind_and_name])
    }

    pub(super) fn decode(bytes: &[u8; BYTES]) -> Self {
        let ([ts, dur, row], [position, thread, kind_and_name]) = decode(bytes);
        let kind = Kind(u8::try_from(kind_and_name >> 28).unwrap_or_default());
        Self { ts, dur, row, position, thread, name: kind_and_name & ((1 << 28) - 1), kind }
    }
}

/// The nesting of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Nested {
    pub(super) parent_row: Option<i64>,
    pub(super) overlap: i64,
    pub(super) call_path: Option<u32>,
    pub(super) python_path: Option<u32>,
    pub(super) position: u32,
}

impl Nested {
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
