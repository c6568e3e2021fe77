//! Compares the nesting of random events with its definition, for any division into writers, batches and row groups.

use std::collections::BTreeMap;

use arrow::array::AsArray;
use arrow::compute::concat_batches;
use arrow::datatypes::Int64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;

use super::*;
use crate::table::{Event, table};

const CATEGORIES: [&str; 8] =
    ["operator", "annotation", "communication", "python", "module", "runtime", "memory", "kernel"];

/// An event: category, name, start, length, thread and file.
type Drawn = (usize, usize, i64, i64, i64, i64);

fn is_function(event: &Drawn) -> bool {
    matches!(CATEGORIES[event.0], "python" | "module")
}

fn is_call(event: &Drawn) -> bool {
    event.0 < 5
}

fn name(event: &Drawn) -> &'static str {
    ["a", "b", "c"][event.1]
}

/// Writes the events with this number of writers, one after the other a batch of this size. Returns the rows of `event` and of
/// `call_path`.
fn write(events: &[Drawn], writers: usize, batch: usize, group: usize) -> [RecordBatch; 2] {
    let event = table("event").unwrap();
    let mut all: Vec<NestingWriter> = (0..writers).map(|_| NestingWriter::new(event, group)).collect();
    let mut rows = Rows::new("run");
    let numbered: Vec<(i64, &Drawn)> = (0..).zip(events).collect();
    for (turn, chunk) in numbered.chunks(batch).enumerate() {
        for (row, drawn) in chunk {
            rows.begin(drawn.5);
            rows.event(&Event {
                category: Some(CATEGORIES[drawn.0]),
                name: Some(name(drawn)),
                ts: Some(drawn.2),
                dur: Some(drawn.3),
                tid: Some(drawn.4),
                row: *row,
                ..Event::default()
            });
        }
        for (_, batch) in rows.take_dictionaries() {
            all[turn % writers].write(batch).unwrap();
        }
    }
    let mut batches: BTreeMap<String, Vec<RecordBatch>> = BTreeMap::new();
    NestingWriter::finish(all, "run", |(part, bytes)| {
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes.concat())).unwrap().build().unwrap();
        let read = reader.collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(read.iter().map(RecordBatch::num_rows).sum::<usize>() as u64, part.rows);
        batches.entry(part.table).or_default().extend(read);
        Ok(())
    })
    .unwrap();
    ["event", "call_path"].map(|name| {
        let schema = table(name).unwrap().schema();
        concat_batches(&schema, batches.get(name).map(Vec::as_slice).unwrap_or_default()).unwrap()
    })
}

fn integers(batch: &RecordBatch, column: &str) -> Vec<Option<i64>> {
    batch.column_by_name(column).unwrap().as_primitive::<Int64Type>().iter().collect()
}

/// The derived columns of each row: path, path of Python functions, parent and overlap.
fn derived(events: &RecordBatch) -> BTreeMap<i64, [Option<i64>; 4]> {
    let columns = ["call_path", "python_path", "parent_row", "overlap_dur"].map(|column| integers(events, column));
    let rows = integers(events, "row").into_iter().enumerate();
    rows.map(|(n, row)| (row.unwrap(), std::array::from_fn(|column| columns[column][n]))).collect()
}

/// The names of each path, outermost first, by file and row.
fn paths(call_path: &RecordBatch) -> BTreeMap<(i64, i64), Vec<String>> {
    let [object, row, parent] = ["object", "row", "parent_row"].map(|column| integers(call_path, column));
    let names = call_path.column_by_name("name").unwrap().as_string::<i32>();
    let mut order: Vec<usize> = (0..call_path.num_rows()).collect();
    order.sort_by_key(|n| (object[*n], row[*n]));
    let mut paths: BTreeMap<(i64, i64), Vec<String>> = BTreeMap::new();
    for n in order {
        let mut path = parent[n].map(|parent| paths[&(object[n].unwrap(), parent)].clone()).unwrap_or_default();
        path.push(names.value(n).to_owned());
        paths.insert((object[n].unwrap(), row[n].unwrap()), path);
    }
    paths
}

/// The innermost call of a family around an event: the last one before it, in the order of nesting, that ends no earlier
/// and is still open.
fn parent(events: &[Drawn], row: usize, functions: bool) -> Option<usize> {
    let order = |row: usize| (events[row].2, -events[row].3, !is_call(&events[row]), row);
    let end = |row: usize| events[row].2 + events[row].3;
    let around = (0..events.len()).filter(|other| {
        let (event, other_event) = (&events[row], &events[*other]);
        is_call(other_event)
            && is_function(other_event) == functions
            && (other_event.4, other_event.5) == (event.4, event.5)
            && order(*other) < order(row)
            && end(*other) >= end(row)
            && end(*other) > event.2
    });
    around.max_by_key(|other| order(*other))
}

fn is_operator(event: &Drawn) -> bool {
    matches!(CATEGORIES[event.0], "operator" | "communication")
}

/// The operator around a launch or an allocation, if another call that overlaps it in part is the innermost one.
fn operator_instead(events: &[Drawn], row: usize) -> Option<usize> {
    if is_call(&events[row]) {
        return None;
    }
    // The operators alone, and the event.
    let alone: Vec<usize> = (0..events.len()).filter(|other| *other == row || is_operator(&events[*other])).collect();
    let drawn: Vec<Drawn> = alone.iter().map(|other| events[*other]).collect();
    let place = alone.iter().position(|other| *other == row).unwrap();
    let operator = parent(&drawn, place, false).map(|place| alone[place])?;
    let around = std::iter::successors(parent(events, row, false), |row| parent(events, *row, false));
    let innermost = around.into_iter().find(|row| is_operator(&events[*row]));
    (innermost != Some(operator)).then_some(operator)
}

fn path(events: &[Drawn], row: usize) -> Vec<String> {
    let around = std::iter::successors(Some(row), |row| parent(events, *row, is_function(&events[*row])));
    let mut path: Vec<String> = around.map(|row| name(&events[row]).to_owned()).collect();
    path.reverse();
    path
}

proptest! {
    #[test]
    fn the_nesting_fits_its_definition(
        events in proptest::collection::vec((0_usize..8, 0_usize..3, 0_i64..40, 0_i64..20, 0_i64..2, 0_i64..2), 0..60),
        writers in 1_usize..4,
        batch in 1_usize..20,
        group in 1_usize..30,
    ) {
        let [rows, call_path] = write(&events, writers, batch, group);
        let (nested, known) = (derived(&rows), paths(&call_path));
        let [_, whole] = write(&events, 1, 1000, 1000);
        prop_assert_eq!(&known, &paths(&whole));
        prop_assert_eq!(nested.len(), events.len());
        for (row, event) in events.iter().enumerate() {
            let [call, python, parent_row, overlap] = nested[&i64::try_from(row).unwrap()];
            if CATEGORIES[event.0] == "kernel" {
                prop_assert_eq!([call, python, parent_row, overlap], [None; 4]);
                continue;
            }
            let instead = operator_instead(&events, row);
            let around = instead.or_else(|| parent(&events, row, is_function(event)));
            prop_assert_eq!(parent_row, around.map(|row| i64::try_from(row).unwrap()));
            let expected = if is_call(event) { Some(path(&events, row)) } else { around.map(|row| path(&events, row)) };
            prop_assert_eq!(call.map(|call| known[&(event.5, call)].clone()), expected);
            let function = parent(&events, row, true).filter(|_| !is_function(event));
            let expected = function.map(|row| path(&events, row));
            prop_assert_eq!(python.map(|python| known[&(event.5, python)].clone()), expected);
            // What an earlier interval in the same call covers, too, point by point.
            let earlier = |other: usize| {
                let order = |row: usize| (events[row].2, -events[row].3, !is_call(&events[row]), row);
                let same_family = is_function(&events[other]) == is_function(event);
                let counts = !matches!(CATEGORIES[events[other].0], "kernel" | "memory");
                counts && same_family && order(other) < order(row) && around.is_some() && instead.is_none()
                    && operator_instead(&events, other).is_none()
                    && (events[other].4, events[other].5) == (event.4, event.5)
                    && parent(&events, other, is_function(event)) == around
            };
            let covers = |other: usize, point: i64| (events[other].2..events[other].2 + events[other].3).contains(&point);
            let twice = (event.2..event.2 + event.3)
                .filter(|point| (0..events.len()).any(|other| earlier(other) && covers(other, *point)))
                .count();
            let expected = (twice > 0 && CATEGORIES[event.0] != "memory").then(|| i64::try_from(twice).unwrap());
            prop_assert_eq!(overlap, expected);
        }
    }

    #[test]
    fn paths_inside_a_path_follow_it(
        events in proptest::collection::vec((0_usize..5, 0_usize..3, 0_i64..40, 0_i64..20, 0_i64..2, 0_i64..1), 0..60),
    ) {
        let [_, call_path] = write(&events, 1, 1000, 1000);
        let known = paths(&call_path);
        let inside = integers(&call_path, "paths_inside");
        for (row, inside) in integers(&call_path, "row").into_iter().zip(inside) {
            let (row, inside) = (row.unwrap(), inside.unwrap());
            let path = &known[&(0, row)];
            // Paths of Python functions are a tree of their own, so only these rows are compared.
            for other in row..=row + inside {
                prop_assert!(known[&(0, other)].starts_with(path));
            }
        }
        prop_assert_eq!(known.len(), known.keys().map(|(_, row)| row).max().map_or(0, |last| usize::try_from(*last).unwrap() + 1));
    }
}

#[test]
fn intervals_and_results_keep_their_values() {
    let nested = NestingResult { parent_row: Some(7), overlap: 3, call_path: None, python_path: Some(0), position: 9 };
    assert_eq!(NestingResult::decode(&nested.encode()), nested);
}

#[test]
fn scratch_beyond_memory_is_in_a_file() {
    let mut scratch = scratch::Scratch::default();
    let bytes: Vec<u8> = (0..=250).cycle().take(3 << 20).collect();
    let offsets: Vec<u64> = (0..3).map(|_| scratch.append(&bytes).unwrap()).collect();
    scratch.replace(offsets[1] + 5, b"new").unwrap();
    let mut read = vec![0; bytes.len()];
    scratch.read(offsets[1], &mut read).unwrap();
    assert_eq!((&read[..5], &read[5..8], &read[8..]), (&bytes[..5], &b"new"[..], &bytes[8..]));
    scratch.read(offsets[2], &mut read).unwrap();
    assert_eq!(read, bytes);
}
