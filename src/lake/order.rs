//! The order of the rows in a row group.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int32Type, Int64Type};

/// The rows of the batches, numbered through, in the order (node, rank, ts), null first; none if they stand in it.
/// Rows that are equal in all three keep their order, which is that of their files.
pub(super) fn order(batches: &[RecordBatch], rows: usize) -> Option<Vec<u32>> {
    let mut keys: Vec<u128> = Vec::with_capacity(rows);
    let mut processes = processes(batches, rows).into_iter();
    let mut row = 0_u32;
    for batch in batches {
        let times = integers(batch, "ts");
        for (at, process) in (0..batch.num_rows()).zip(&mut processes) {
            let time = times.filter(|times| times.is_valid(at)).map(|times| times.value(at));
            // one number that compares like the three, signed and missing times included
            let known = u128::from(time.is_some());
            let time = time.unwrap_or_default().cast_unsigned() ^ (1 << 63);
            keys.push(u128::from(process) << 97 | known << 96 | u128::from(time) << 32 | u128::from(row));
            row += 1;
        }
    }
    if keys.is_sorted() {
        return None;
    }
    keys.sort_unstable();
    let row_of = |key: u128| u32::try_from(key & u128::from(u32::MAX)).unwrap_or_default();
    Some(keys.into_iter().map(row_of).collect())
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
        if let Some(nodes) = dictionary.and_then(|nodes| nodes.downcast_dict::<StringArray>()) {
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

fn integers<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int64Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int64Type>()
}
