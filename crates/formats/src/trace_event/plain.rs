//! Reads events that are complete and plain JSON, zero-copy. Nearly all events are.

use super::fields::ArgMember;
use super::gaps::Gaps;
use super::{EventFields, TraceItem};
use crate::position::Position;
use crate::scanner::Scanner;

/// Number of bytes to read at a time, so that little is read twice after a corrupt or incomplete event.
const WINDOW: usize = 16 << 10;

/// Maximum number of bytes from the end in which to search for the start of an event.
const START_SEARCH: usize = 64 << 10;

/// Reads the events at the start of `bytes`, and commas and blanks between them, up to an event that is
/// incomplete or not plain JSON. Moves `place` past the last event. Returns the number of bytes read.
pub(super) fn read_events(
    bytes: &[u8],
    gaps: &mut Gaps,
    place: &mut Position,
    each: &mut impl FnMut(TraceItem<'_>),
) -> usize {
    let mut members = Vec::new();
    let mut read = 0;
    loop {
        let length = read_window(&bytes[read..], gaps, place, &mut members, each);
        read += length;
        if length == 0 || read == bytes.len() {
            return read;
        }
    }
}

fn read_window<'a>(
    bytes: &'a [u8],
    gaps: &mut Gaps,
    place: &mut Position,
    members: &mut Vec<ArgMember<'a>>,
    each: &mut impl FnMut(TraceItem<'_>),
) -> usize {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let mut scanner = Scanner::new(valid_utf8(window), 0);
    let start = *place;
    loop {
        match scanner.skip_blanks() {
            Some(b'{') => {}
            Some(b',') => {
                scanner.skip(1, 0);
                continue;
            }
            _ => break,
        }
        let event_start = scanner.pos;
        let event_place = Position { line: start.line + scanner.lines, offset: start.offset + event_start as u64 };
        let fields = EventFields::scan(&mut scanner, gaps, members);
        let Some(fields) = &fields else { break };
        let Some(text) = scanner.text_since(event_start) else { break };
        each(TraceItem::Event(text, Some(fields), event_place));
        *place = Position { line: start.line + scanner.lines, offset: start.offset + scanner.pos as u64 };
    }
    usize::try_from(place.offset - start.offset).unwrap_or(0)
}

/// The bytes before the first one that is not UTF-8.
pub(super) fn valid_utf8(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Finds the probable start of the last event: a `{` after `},`, at the start of a line if there is one.
pub(crate) fn find_last_event(bytes: &[u8]) -> Option<usize> {
    let search_end = bytes.len().saturating_sub(START_SEARCH);
    let mut inside_line = None;
    for brace in (search_end..bytes.len()).rev().filter(|i| bytes[*i] == b'{') {
        let mut before =
            bytes[..brace].iter().rev().copied().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).peekable();
        let starts_line = before.peek() == Some(&b'\n');
        let mut before = before.filter(|byte| *byte != b'\n');
        if before.next() == Some(b',') && before.next() == Some(b'}') {
            if starts_line {
                return Some(brace);
            }
            inside_line = inside_line.or(Some(brace));
        }
    }
    inside_line
}
