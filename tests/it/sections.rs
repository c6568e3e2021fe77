//! Sections of a file that are decoded ahead give the rows that one decoder gives, wherever they are cut.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use proptest::prelude::*;

use crate::decode::decode;
use crate::decode_sections::{PATH, in_sections, starts};
use crate::format_laws::kineto;

fn rows_of(bytes: &[u8]) -> BTreeMap<&'static str, RecordBatch> {
    decode(&[(PATH.to_owned(), bytes.to_vec())], usize::MAX).tables
}

#[test]
fn plain_sections_are_joined() {
    let event = |at: u32, list: &str| {
        format!(
            "  {{\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k{}\", \"pid\": 0, \"tid\": {}, \"ts\": {at}.5, \"dur\": 3.25\n    ,\n    \"args\": {{\"stream\": 7, \"x\": {list}}}\n  }}",
            at % 3,
            at % 2,
        )
    };
    // what looks like an event in a line counts only where none begins a line
    for (separator, list) in [(",\n", r#"[{"a": 1}, {"b": 2}]"#), (", ", "[1, 2]")] {
        let events: Vec<_> = (0..40).map(|at| event(at, list)).collect();
        let text = format!("{{\"baseTimeNanoseconds\": 5, \"traceEvents\": [\n{}\n]}}", events.join(separator));
        let starts = starts(text.as_bytes());
        for workers in 1..5 {
            let (rows, joined) = in_sections(text.as_bytes(), &starts, workers);
            assert_eq!(rows, rows_of(text.as_bytes()));
            // not the first ones, which find the tracks, and not the last one, which ends the list
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
        prop_assert_eq!(in_sections(text.as_bytes(), &cuts, workers).0, rows_of(text.as_bytes()));
    }

    #[test]
    fn sections_may_be_cut_at_events(text in kineto(), workers in 1_usize..4) {
        prop_assert_eq!(in_sections(text.as_bytes(), &starts(text.as_bytes()), workers).0, rows_of(text.as_bytes()));
    }

    #[test]
    fn sections_may_be_damaged(
        text in kineto(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        workers in 1_usize..4,
    ) {
        let starts = starts(text.as_bytes());
        let mut bytes = text.into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        prop_assume!(!rows_of(&bytes).is_empty());
        prop_assert_eq!(in_sections(&bytes, &starts, workers).0, rows_of(&bytes));
    }
}
