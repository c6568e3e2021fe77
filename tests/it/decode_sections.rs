//! Feeds a trace to several decoders in sections, as the workers of an ingest do.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::Int64Type;
use tracelake::format::{FormatDecoder, ObjectInfo, Sections, format};
use tracelake::table::{Rows, Table};

/// The path of the trace.
pub(crate) const PATH: &str = "worker0.1795225480952904378.pt.trace.json";

/// Returns the rows of a trace, and the number of sections that were joined.
///
/// The decoder of a section is created `workers` sections ahead, as an ingest with that many workers does.
pub(crate) fn decode_in_sections(
    bytes: &[u8],
    cuts: &[usize],
    workers: usize,
) -> (BTreeMap<&'static str, RecordBatch>, usize) {
    let format = format("kineto").unwrap();
    let FormatDecoder::Sections(mut decoder) = format.decoder() else {
        panic!("{} has no sections", format.descriptor().name)
    };
    let mut rows = Rows::new("test");
    let info = ObjectInfo {
        path: PATH.into(),
        siblings: Arc::new([PATH].into_iter().collect()),
        recording: format.number_recordings(&[(PATH, None)], &[]).pop().flatten(),
        ..ObjectInfo::default()
    };
    rows.begin(0);
    decoder.begin(&info, &mut rows).unwrap();
    if decoder.needs_tail(&bytes[..bytes.len().min(64 << 10)]) {
        decoder.tail(&bytes[bytes.len().saturating_sub(64 << 10)..]);
    }
    let mut all = BTreeMap::new();
    let mut joined = 0;
    let mut ahead: VecDeque<Option<Box<dyn Sections>>> = VecDeque::new();
    let ends = cuts.iter().skip(1).copied().chain([bytes.len()]);
    for (start, end) in cuts.iter().copied().zip(ends) {
        while ahead.len() < workers {
            ahead.push_back(decoder.section_decoder());
        }
        let section = &bytes[start..end];
        let mut own = Rows::new("test");
        own.begin(0);
        let done = ahead.pop_front().flatten().and_then(|mut ahead| {
            ahead.push(section, &mut own).ok()?;
            own.has_no_problems().then_some(())?;
            decoder.join(ahead)
        });
        if let Some(first) = done {
            joined += 1;
            rows.absorb(own.end());
            append(&mut all, own.take().into_iter().map(|(table, batch)| (table, shift_row_numbers(&batch, first))));
        } else {
            decoder.push(section, &mut rows).unwrap();
            append(&mut all, rows.take().into_iter());
        }
    }
    // an unreadable trace is an error for a single decoder, too
    let _ = decoder.end(&mut rows);
    decoder.finish(&mut rows).unwrap();
    rows.end();
    append(&mut all, rows.take().into_iter());
    (all, joined)
}

fn append(all: &mut BTreeMap<&'static str, RecordBatch>, batches: impl Iterator<Item = (&'static Table, RecordBatch)>) {
    for (table, batch) in batches {
        let before = all.remove(table.name);
        let both: Vec<_> = before.iter().chain([&batch]).collect();
        all.insert(table.name, concat_batches(&batch.schema(), both).unwrap());
    }
}

/// Adds `first` to the number of each row.
fn shift_row_numbers(batch: &RecordBatch, first: i64) -> RecordBatch {
    let index = batch.schema().index_of("row").unwrap();
    let row = batch.column(index).as_primitive::<Int64Type>().unary::<_, Int64Type>(|row| row + first);
    let mut columns = batch.columns().to_vec();
    columns[index] = Arc::new(row);
    RecordBatch::try_new(batch.schema(), columns).unwrap()
}

/// All offsets at which an event seems to begin, as an ingest finds them.
pub(crate) fn event_starts(bytes: &[u8]) -> Vec<usize> {
    let FormatDecoder::Sections(decoder) = format("kineto").unwrap().decoder() else {
        panic!("kineto has no sections")
    };
    let cut = decoder.section_start_finder();
    let mut starts = vec![0];
    let mut end = bytes.len();
    while let Some(start) = cut(&bytes[..end]) {
        starts.insert(1, start);
        end = start;
    }
    starts
}
