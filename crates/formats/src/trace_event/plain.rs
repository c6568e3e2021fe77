//! Events that are all there and plain JSON, which nearly all are: read at once, where they lie.

use super::fields::Member;
use super::gaps::Gaps;
use super::{Fields, Item};
use crate::place::Place;
use crate::scanner::Scanner;

/// Bytes that are looked at together: what is damaged or cut off costs little.
const WINDOW: usize = 16 << 10;

/// How far back the start of an event is looked for.
const FAR: usize = 64 << 10;

/// Reads the events that `bytes` begins with, commas and blanks between them, up to what is cut off or no plain JSON.
/// Moves `place` behind the last one and gives how many bytes that were.
pub(super) fn events(bytes: &[u8], gaps: &mut Gaps, place: &mut Place, each: &mut impl FnMut(Item<'_>)) -> usize {
    let mut room = Vec::new();
    let mut read = 0;
    loop {
        let length = window(&bytes[read..], gaps, place, &mut room, each);
        read += length;
        if length == 0 || read == bytes.len() {
            return read;
        }
    }
}

fn window<'a>(
    bytes: &'a [u8],
    gaps: &mut Gaps,
    place: &mut Place,
    room: &mut Vec<Member<'a>>,
    each: &mut impl FnMut(Item<'_>),
) -> usize {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let mut scanner = Scanner::new(utf8(window), 0);
    let from = *place;
    loop {
        match scanner.blank() {
            Some(b'{') => {}
            Some(b',') => {
                scanner.step();
                continue;
            }
            _ => break,
        }
        let start = scanner.at();
        let at = Place { line: from.line + scanner.lines(), offset: from.offset + start as u64 };
        let read = Fields::scan(&mut scanner, gaps, room);
        let Some(fields) = &read else { break };
        let Some(text) = scanner.since(start) else { break };
        each(Item::Event(text, Some(fields), at));
        *place = Place { line: from.line + scanner.lines(), offset: from.offset + scanner.at() as u64 };
    }
    usize::try_from(place.offset - from.offset).unwrap_or(0)
}

/// The bytes up to the first that is no UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Where the last event seems to begin: a `{` behind `},`, at the start of a line if there is one.
pub(crate) fn last_event(bytes: &[u8]) -> Option<usize> {
    let end = bytes.len().saturating_sub(FAR);
    let mut in_line = None;
    for at in (end..bytes.len()).rev().filter(|at| bytes[*at] == b'{') {
        let mut before =
            bytes[..at].iter().rev().copied().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).peekable();
        let starts_line = before.peek() == Some(&b'\n');
        let mut before = before.filter(|byte| *byte != b'\n');
        if before.next() == Some(b',') && before.next() == Some(b'}') {
            if starts_line {
                return Some(at);
            }
            in_line = in_line.or(Some(at));
        }
    }
    in_line
}
