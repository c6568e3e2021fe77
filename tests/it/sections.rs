//! Sections of a file that are decoded in parallel give the same rows as one decoder, wherever they are cut.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use proptest::prelude::*;

use crate::decode::decode;
use crate::decode_sections::{PATH, decode_in_sections, event_starts};
use crate::format_laws::kineto;

fn rows_of(bytes: &[u8]) -> BTreeMap<&'static str, RecordBatch> {
    decode(&[(PATH.to_owned(), bytes.to_vec())], usize::MAX).tables
}

#[test]
fn well_formed_sections_are_joined() {
    let event = |time: u32, list: &str| {
        format!(
            "  {{\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k{}\", \"pid\": 0, \"tid\": {}, \"ts\": {time}.5, \"dur\": 3.25\n    ,\n    \"args\": {{\"stream\": 7, \"x\": {list}}}\n  }}",
            time % 3,
            time % 2,
        )
    };
    // text inside a line that looks like an event counts only if no line begins with an event
    for (separator, list) in [(",\n", r#"[{"a": 1}, {"b": 2}]"#), (", ", "[1, 2]")] {
        let events: Vec<_> = (0..40).map(|time| event(time, list)).collect();
        let text = format!("{{\"baseTimeNanoseconds\": 5, \"traceEvents\": [\n{}\n]}}", events.join(separator));
        let starts = event_starts(text.as_bytes());
        for workers in 1..5 {
            let (rows, joined) = decode_in_sections(text.as_bytes(), &starts, workers);
            assert_eq!(rows, rows_of(text.as_bytes()));
            // the first ones, which find the tracks, and the last one, which ends the list, are not joined
            assert!(joined >= 40 - 2 * workers - 3, "{joined} of {} by {workers}", starts.len());
        }
    }
}

proptest! {
    #[test]
    fn sections_may_be_cut_anywhere(
        text in kineto(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        workers in 1_usize..4,
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len())).chain([0]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        prop_assert_eq!(decode_in_sections(text.as_bytes(), &cuts, workers).0, rows_of(text.as_bytes()));
    }

    #[test]
    fn sections_may_be_cut_at_events(text in kineto(), workers in 1_usize..4) {
        prop_assert_eq!(decode_in_sections(text.as_bytes(), &event_starts(text.as_bytes()), workers).0, rows_of(text.as_bytes()));
    }

    #[test]
    fn sections_may_be_corrupt(
        text in kineto(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        workers in 1_usize..4,
    ) {
        let starts = event_starts(text.as_bytes());
        let mut bytes = text.into_bytes();
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        prop_assume!(!rows_of(&bytes).is_empty());
        prop_assert_eq!(decode_in_sections(&bytes, &starts, workers).0, rows_of(&bytes));
    }
}
