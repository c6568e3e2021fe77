//! The order of the rows in a row group, and where its pages end.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int32Type, Int64Type};

use crate::table::Interner;

/// The column that says of what kind a row is: most questions are about a few kinds.
pub(super) const KINDS: [&str; 2] = ["category", "metric"];

/// Rows of a page at most: what a reader that skips by time has to unpack at least.
const PAGE_ROWS: usize = 20_000;

/// Kinds with fewer rows share a page, since each page costs a header for each column.
const PAGE_ROWS_LEAST: usize = 1_000;

/// The rows of a row group in their order, and its pages.
#[derive(Debug)]
pub(super) struct Order {
    /// The rows of the batches, numbered through, in the order (node, rank, kind, ts), null first; none if they stand
    /// in it. Rows that are equal in all four keep their order, which is that of their files.
    pub(super) rows: Option<Vec<u32>>,
    /// How many rows each page has, the same for all columns. A page ends with its process and kind, so that a reader
    /// who wants few kinds unpacks few pages.
    pub(super) pages: Vec<usize>,
}

impl Order {
    /// The order of so many rows.
    pub(super) fn of(batches: &[RecordBatch], rows: usize) -> Self {
        let mut keys: Vec<Key> = Vec::with_capacity(rows);
        let (kinds, different) = kinds(batches, rows);
        let mut groups =
            processes(batches, rows).into_iter().zip(kinds).map(|(process, kind)| process * different + kind);
        let mut row = 0_u32;
        for batch in batches {
            let times = integers(batch, "ts");
            for (at, group) in (0..batch.num_rows()).zip(&mut groups) {
                let time = times.filter(|times| times.is_valid(at)).map(|times| times.value(at));
                // numbers that compare like the four, signed and missing times included
                let group = group << 1 | u32::from(time.is_some());
                keys.push(Key { group, row, time: time.unwrap_or(i64::MIN).cast_unsigned() ^ (1 << 63) });
                row += 1;
            }
        }
        let is_sorted = keys.is_sorted_by_key(|key| (key.group, key.time));
        if !is_sorted {
            sort(&mut keys);
        }
        let pages = pages(keys.chunk_by(|one, other| one.group >> 1 == other.group >> 1).map(<[Key]>::len));
        Self { rows: (!is_sorted).then(|| keys.into_iter().map(|key| key.row).collect()), pages }
    }
}

/// Pages of groups with so many rows, one after the other.
fn pages(groups: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut pages = Vec::new();
    let mut page = 0;
    for mut rows in groups {
        if page >= PAGE_ROWS_LEAST && rows >= PAGE_ROWS_LEAST {
            pages.push(std::mem::take(&mut page));
        }
        while page + rows > PAGE_ROWS {
            rows -= PAGE_ROWS - std::mem::take(&mut page);
            pages.push(PAGE_ROWS);
        }
        page += rows;
    }
    pages.extend((page > 0).then_some(page));
    pages
}

/// What a row is sorted by, and the row.
#[derive(Debug, Clone, Copy)]
struct Key {
    group: u32,
    row: u32,
    time: u64,
}

/// Bits of a digit.
const DIGIT: u32 = 11;

/// Sorts by time and then by group, digit by digit from the lowest: the times of a row group differ in few of them.
fn sort(keys: &mut Vec<Key>) {
    let known = || keys.iter().filter(|key| key.group & 1 == 1).map(|key| key.time);
    let least = known().min().unwrap_or_default();
    let range = known().max().unwrap_or_default() - least;
    let groups = keys.iter().map(|key| key.group).max().unwrap_or_default();
    // missing times are of a group of their own
    keys.iter_mut().for_each(|key| key.time = key.time.saturating_sub(least));
    let mut other = keys.clone();
    for shift in (0..u64::BITS - range.leading_zeros()).step_by(DIGIT as usize) {
        by_digit(keys, &mut other, |key| key.time >> shift);
        std::mem::swap(keys, &mut other);
    }
    for shift in (0..u32::BITS - groups.leading_zeros()).step_by(DIGIT as usize) {
        by_digit(keys, &mut other, |key| u64::from(key.group >> shift));
        std::mem::swap(keys, &mut other);
    }
}

/// Puts the keys into the order of one digit; those that are equal keep theirs.
fn by_digit(keys: &[Key], sorted: &mut [Key], digits: impl Fn(&Key) -> u64) {
    let digit = |key: &Key| usize::try_from(digits(key) & ((1 << DIGIT) - 1)).unwrap_or_default();
    let mut next = vec![0_usize; 1 << DIGIT];
    keys.iter().for_each(|key| next[digit(key)] += 1);
    let mut before = 0;
    for count in &mut next {
        before += std::mem::replace(count, before);
    }
    for key in keys {
        let at = &mut next[digit(key)];
        sorted[*at] = *key;
        *at += 1;
    }
}

/// A machine and a rank on it.
type Process<'a> = (Option<&'a str>, Option<i64>);

/// The place of each row's process among the different ones: they are few, so that numbers are compared and not texts.
fn processes(batches: &[RecordBatch], rows: usize) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    let mut all = Vec::with_capacity(rows);
    for batch in batches {
        let ranks = integers(batch, "rank");
        let nodes = batch.column_by_name("node");
        let dictionary = nodes.and_then(|nodes| nodes.as_dictionary_opt::<Int32Type>());
        if let Some(nodes) = dictionary.and_then(DictionaryArray::downcast_dict::<StringArray>) {
            number(nodes.into_iter(), ranks, &mut numbers, &mut all);
        } else if let Some(nodes) = nodes.and_then(|nodes| nodes.as_string_opt::<i32>()) {
            number(nodes.iter(), ranks, &mut numbers, &mut all);
        }
    }
    let mut places = vec![0; numbers.len()];
    for (place, number) in (0..).zip(numbers.into_values()) {
        places[number] = place;
    }
    all.into_iter().map(|number| places[number]).collect()
}

/// Numbers the processes in the order of their first rows.
fn number<'a>(
    nodes: impl Iterator<Item = Option<&'a str>>,
    ranks: Option<&Int64Array>,
    numbers: &mut BTreeMap<Process<'a>, usize>,
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

/// The place of each row's kind among the different ones, 0 for none, and how many places there are.
fn kinds(batches: &[RecordBatch], rows: usize) -> (Vec<u32>, u32) {
    let column = |batch: &RecordBatch| KINDS.iter().find_map(|name| batch.column_by_name(name).cloned());
    let mut different = Interner::default();
    let mut keys: Vec<Option<i32>> = Vec::with_capacity(rows);
    for column in batches.iter().map_while(column) {
        if let Some(column) = column.as_dictionary_opt::<Int32Type>() {
            let texts = column.values().as_string_opt::<i32>().into_iter().flatten();
            let known: Vec<i32> = texts.map(|text| different.key(text.unwrap_or_default())).collect();
            keys.extend(column.keys_iter().map(|key| key.and_then(|key| known.get(key).copied())));
        } else if let Some(texts) = column.as_string_opt::<i32>() {
            keys.extend(texts.iter().map(|text| text.map(|text| different.key(text))));
        }
    }
    keys.resize(rows, None);
    let mut sorted: Vec<(&str, usize)> = different.iter().zip(0..).collect();
    sorted.sort_unstable();
    let mut places = vec![0; sorted.len()];
    for (place, (_, key)) in (1..).zip(sorted) {
        places[key] = place;
    }
    let place = |key: i32| usize::try_from(key).ok().and_then(|key| places.get(key).copied());
    let kinds = keys.into_iter().map(|key| key.and_then(place).unwrap_or_default()).collect();
    (kinds, u32::try_from(places.len()).unwrap_or_default() + 1)
}

fn integers<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int64Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int64Type>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_end_with_their_kind() {
        let pages = |groups: &[usize]| super::pages(groups.iter().copied());
        assert_eq!(pages(&[]), [0; 0]);
        assert_eq!(pages(&[20_000]), [20_000]);
        assert_eq!(pages(&[45_000, 5_000]), [20_000, 20_000, 5_000, 5_000]);
        assert_eq!(pages(&[5_000, 999, 1_000, 19_001, 40_000, 1]), [5_999, 1_000, 19_001, 20_000, 20_000, 1]);
        assert_eq!(pages(&[3, 4, 5_000, 19_999]), [5_007, 19_999]);
    }

    proptest! {
        #[test]
        fn digits_sort_as_a_comparison_does(
            times in proptest::collection::vec((0_u32..6000, prop_oneof![any::<u64>(), 0_u64..5000, 1_u64 << 60..(1 << 60) + 99_999]), 0..300),
        ) {
            let keys: Vec<Key> = (0..).zip(times).map(|(row, (group, time))| {
                Key { group, row, time: if group & 1 == 1 { time } else { 0 } }
            }).collect();
            let mut expected = keys.clone();
            expected.sort_by_key(|key| (key.group, key.time));
            let mut sorted = keys;
            sort(&mut sorted);
            let rows = |keys: &[Key]| keys.iter().map(|key| key.row).collect::<Vec<_>>();
            prop_assert_eq!(rows(&sorted), rows(&expected));
        }
    }
}
