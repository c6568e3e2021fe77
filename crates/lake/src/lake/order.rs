//! Sorts the rows of a row group, and divides them into pages.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int32Type, Int64Type};

use crate::table::Interner;

/// Columns with the kind of a row: most queries read a few kinds.
pub(super) const KIND_COLUMNS: [&str; 2] = ["category", "metric"];

/// Maximum number of rows of a page: a reader that skips by time decompresses whole pages.
const MAX_PAGE_ROWS: usize = 20_000;

/// Kinds with fewer rows share a page, because each page has a header in each column.
const MIN_PAGE_ROWS: usize = 1_000;

/// The order of the rows of a row group, and its pages.
#[derive(Debug)]
pub(super) struct Order {
    /// The row numbers over all batches in the order (node, rank, kind, ts), null first; none if
    /// the rows are sorted already. Rows that are equal in all four keep their order, which is that
    /// of their files.
    pub(super) rows: Option<Vec<u32>>,
    /// Number of rows of each page, the same for all columns. A page ends with its process and
    /// kind, so a reader of few kinds decompresses few pages.
    pub(super) pages: Vec<usize>,
}

impl Order {
    /// Sorts this number of rows.
    pub(super) fn new(batches: &[RecordBatch], rows: usize) -> Self {
        let mut keys: Vec<SortKey> = Vec::with_capacity(rows);
        let (kinds, distinct) = rank_kinds(batches, rows);
        let mut groups =
            rank_processes(batches, rows).into_iter().zip(kinds).map(|(process, kind)| process * distinct + kind);
        let mut row = 0_u32;
        for batch in batches {
            let times = integer_column(batch, "ts");
            for (index, group) in (0..batch.num_rows()).zip(&mut groups) {
                let time = times.filter(|times| times.is_valid(index)).map(|times| times.value(index));
                // Numbers that compare like the four columns, including negative and missing times.
                let group = group << 1 | u32::from(time.is_some());
                keys.push(SortKey { group, row, time: time.unwrap_or(i64::MIN).cast_unsigned() ^ (1 << 63) });
                row += 1;
            }
        }
        let is_sorted = keys.is_sorted_by_key(|key| (key.group, key.time));
        if !is_sorted {
            radix_sort(&mut keys);
        }
        let pages =
            divide_into_pages(keys.chunk_by(|one, other| one.group >> 1 == other.group >> 1).map(<[SortKey]>::len));
        Self { rows: (!is_sorted).then(|| keys.into_iter().map(|key| key.row).collect()), pages }
    }
}

/// Divides consecutive groups with these numbers of rows into pages.
fn divide_into_pages(groups: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut pages = Vec::new();
    let mut page = 0;
    for mut rows in groups {
        if page >= MIN_PAGE_ROWS && rows >= MIN_PAGE_ROWS {
            pages.push(std::mem::take(&mut page));
        }
        while page + rows > MAX_PAGE_ROWS {
            rows -= MAX_PAGE_ROWS - std::mem::take(&mut page);
            pages.push(MAX_PAGE_ROWS);
        }
        page += rows;
    }
    pages.extend((page > 0).then_some(page));
    pages
}

/// The sort key of a row, and its number.
#[derive(Debug, Clone, Copy)]
struct SortKey {
    group: u32,
    row: u32,
    time: u64,
}

/// Bits of a digit of the radix sort.
const DIGIT_BITS: u32 = 11;

/// Radix sort by group and time, from the lowest digit: the times of a row group differ in few
/// digits.
fn radix_sort(keys: &mut Vec<SortKey>) {
    let times = || keys.iter().filter(|key| key.group & 1 == 1).map(|key| key.time);
    let min = times().min().unwrap_or_default();
    let range = times().max().unwrap_or_default() - min;
    let groups = keys.iter().map(|key| key.group).max().unwrap_or_default();
    // Missing times have groups of their own.
    keys.iter_mut().for_each(|key| key.time = key.time.saturating_sub(min));
    let mut other = keys.clone();
    for shift in (0..u64::BITS - range.leading_zeros()).step_by(DIGIT_BITS as usize) {
        sort_by_digit(keys, &mut other, |key| key.time >> shift);
        std::mem::swap(keys, &mut other);
    }
    for shift in (0..u32::BITS - groups.leading_zeros()).step_by(DIGIT_BITS as usize) {
        sort_by_digit(keys, &mut other, |key| u64::from(key.group >> shift));
        std::mem::swap(keys, &mut other);
    }
}

/// Stable counting sort by one digit.
fn sort_by_digit(keys: &[SortKey], sorted: &mut [SortKey], digits: impl Fn(&SortKey) -> u64) {
    let digit = |key: &SortKey| usize::try_from(digits(key) & ((1 << DIGIT_BITS) - 1)).unwrap_or_default();
    let mut next = vec![0_usize; 1 << DIGIT_BITS];
    keys.iter().for_each(|key| next[digit(key)] += 1);
    let mut before = 0;
    for count in &mut next {
        before += std::mem::replace(count, before);
    }
    for key in keys {
        let position = &mut next[digit(key)];
        sorted[*position] = *key;
        *position += 1;
    }
}

/// A machine and a rank on it.
type RowProcess<'a> = (Option<&'a str>, Option<i64>);

/// Returns the rank of the process of each row among the sorted processes. There are few of them,
/// so that numbers are compared instead of texts.
fn rank_processes(batches: &[RecordBatch], rows: usize) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    let mut all = Vec::with_capacity(rows);
    for batch in batches {
        let ranks = integer_column(batch, "rank");
        let nodes = batch.column_by_name("node");
        let dictionary = nodes.and_then(|nodes| nodes.as_dictionary_opt::<Int32Type>());
        if let Some(nodes) = dictionary.and_then(DictionaryArray::downcast_dict::<StringArray>) {
            number_processes(nodes.into_iter(), ranks, &mut numbers, &mut all);
        } else if let Some(nodes) = nodes.and_then(|nodes| nodes.as_string_opt::<i32>()) {
            number_processes(nodes.iter(), ranks, &mut numbers, &mut all);
        }
    }
    let mut ranks_by_number = vec![0; numbers.len()];
    for (rank, number) in (0..).zip(numbers.into_values()) {
        ranks_by_number[number] = rank;
    }
    all.into_iter().map(|number| ranks_by_number[number]).collect()
}

/// Numbers the processes in the order of their first rows.
fn number_processes<'a>(
    nodes: impl Iterator<Item = Option<&'a str>>,
    ranks: Option<&Int64Array>,
    numbers: &mut BTreeMap<RowProcess<'a>, usize>,
    all: &mut Vec<usize>,
) {
    let mut last = None;
    for (row, node) in nodes.enumerate() {
        let process = (node, ranks.filter(|ranks| ranks.is_valid(row)).map(|ranks| ranks.value(row)));
        let number = match last {
            Some((same, number)) if same == process => number,
            _ => {
                let next = numbers.len();
                *numbers.entry(process).or_insert(next)
            }
        };
        last = Some((process, number));
        all.push(number);
    }
}

/// Returns the rank of the kind of each row among the sorted kinds, 0 for null, and the number of
/// ranks.
fn rank_kinds(batches: &[RecordBatch], rows: usize) -> (Vec<u32>, u32) {
    let column = |batch: &RecordBatch| KIND_COLUMNS.iter().find_map(|name| batch.column_by_name(name).cloned());
    let mut distinct = Interner::default();
    let mut keys: Vec<Option<i32>> = Vec::with_capacity(rows);
    for column in batches.iter().map_while(column) {
        if let Some(column) = column.as_dictionary_opt::<Int32Type>() {
            let texts = column.values().as_string_opt::<i32>().into_iter().flatten();
            let known: Vec<i32> = texts.map(|text| distinct.key(text.unwrap_or_default())).collect();
            keys.extend(column.keys_iter().map(|key| key.and_then(|key| known.get(key).copied())));
        } else if let Some(texts) = column.as_string_opt::<i32>() {
            keys.extend(texts.iter().map(|text| text.map(|text| distinct.key(text))));
        }
    }
    keys.resize(rows, None);
    let mut sorted: Vec<(&str, usize)> = distinct.iter().zip(0..).collect();
    sorted.sort_unstable();
    let mut ranks_by_number = vec![0; sorted.len()];
    for (rank, (_, key)) in (1..).zip(sorted) {
        ranks_by_number[key] = rank;
    }
    let rank = |key: i32| usize::try_from(key).ok().and_then(|key| ranks_by_number.get(key).copied());
    let kinds = keys.into_iter().map(|key| key.and_then(rank).unwrap_or_default()).collect();
    (kinds, u32::try_from(ranks_by_number.len()).unwrap_or_default() + 1)
}

fn integer_column<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int64Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int64Type>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_end_at_kinds() {
        let pages = |groups: &[usize]| super::divide_into_pages(groups.iter().copied());
        assert_eq!(pages(&[]), [0; 0]);
        assert_eq!(pages(&[20_000]), [20_000]);
        assert_eq!(pages(&[45_000, 5_000]), [20_000, 20_000, 5_000, 5_000]);
        assert_eq!(pages(&[5_000, 999, 1_000, 19_001, 40_000, 1]), [5_999, 1_000, 19_001, 20_000, 20_000, 1]);
        assert_eq!(pages(&[3, 4, 5_000, 19_999]), [5_007, 19_999]);
    }

    proptest! {
        #[test]
        fn radix_sort_equals_comparison_sort(
            times in proptest::collection::vec((0_u32..6000, prop_oneof![any::<u64>(), 0_u64..5000, 1_u64 << 60..(1 << 60) + 99_999]), 0..300),
        ) {
            let keys: Vec<SortKey> = (0..).zip(times).map(|(row, (group, time))| {
                SortKey { group, row, time: if group & 1 == 1 { time } else { 0 } }
            }).collect();
            let mut expected = keys.clone();
            expected.sort_by_key(|key| (key.group, key.time));
            let mut sorted = keys;
            radix_sort(&mut sorted);
            let rows = |keys: &[SortKey]| keys.iter().map(|key| key.row).collect::<Vec<_>>();
            prop_assert_eq!(rows(&sorted), rows(&expected));
        }
    }
}
