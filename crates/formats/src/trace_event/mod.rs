//! The streaming reader of Chrome trace-event JSON, which all formats with such events share.
//!
//! Input: chunks of any size. Output: each element of the event list as text with its position, and each
//! other member of the root object. The event list is the root array, or the member `traceEvents` of the
//! root object. The reader does not parse values: it scans quotes and brackets to find where a value ends.
//! Memory: one event, at most [`MAX_ITEM`].
//!
//! The reader reports a corrupt event and continues at the next one. Two things show that an event was cut
//! off: a string with a line feed that does not end as strings do, and a `{` where JSON allows no value.
//! The reader then searches for the next `{` at the start of a line, from the second byte of the cut event
//! on. A `{` after `},` can belong to a list inside the cut event. It counts if it starts an object with a
//! `ph`, or if no line near it starts with `{`. In a file with one event on each line, this loses one line.
//! After a corrupt event, a `]` closes the list only if the end of the root object can follow. Writers are
//! often killed in the middle of a line, so a file may end anywhere.
//!
//! # Source
//! [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU),
//! "JSON Array Format" (the closing bracket is optional) and "JSON Object Format".

pub(super) mod args;
pub(super) mod counter;
mod fields;
mod gaps;
pub(super) mod interval;
mod plain;
mod report;

use std::borrow::Cow;

use gaps::Gaps;

use super::position::Position;
use super::repair::repair_json;
use super::scanner::{Scanner, plain_length};

pub(super) use fields::{ArgMember, EventFields};
pub(super) use plain::find_last_event;
pub(super) use report::{FileSummary, read};

/// Maximum size of an event, and of another member of the root object, in bytes.
const MAX_ITEM: usize = 16 << 20;

/// Maximum nesting inside one event.
const MAX_DEPTH: u32 = 64;

/// Maximum number of bytes to look at after a string with a line feed, to see what follows it.
const MAX_BLANKS: usize = 256;

/// Number of bytes after a corrupt event in which to search for a line that starts with an event.
const LINE_SEARCH: usize = 64 << 10;

/// Number of bytes to look at after a `]` that follows a corrupt event, to decide whether it closes the list.
const CLOSE_SEARCH: usize = 1 << 10;

/// Size of the blocks in which input is read, so that a large chunk does not need a large buffer.
const BLOCK: usize = 1 << 20;

/// Number of bytes of a block to copy to the buffer first. Events after them are read zero-copy.
const COPIED_START: usize = 16 << 10;

/// What the reader found.
#[derive(Debug)]
pub(super) enum TraceItem<'a> {
    /// An object in the event list. Its members are present if they were read with it. Otherwise the brackets
    /// of the text match, and nothing else was checked.
    Event(&'a str, Option<&'a EventFields<'a>>, Position),
    /// Another member of the root object: name and raw value. Its brackets match; nothing else was checked.
    Entry(&'a str, &'a str, Position),
    /// Something that could not be read, or only in part.
    Problem(TraceProblem, Position),
}

/// What is wrong with the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TraceProblem {
    /// The event that follows has bytes that are not UTF-8; they were replaced.
    NotUtf8,
    /// An event could not be read and was skipped.
    Event(&'static str),
    /// A member of the root object was skipped.
    Member(&'static str),
    /// The file ended inside an event, which is lost.
    TruncatedEvent,
    /// The file ended before its closing bracket; no event is lost.
    Truncated,
    /// The event list continues: members since its last bracket may be those of a corrupt event.
    Reopened,
    /// Something where JSON allows neither an event nor a member. The rest of the file is not read.
    Structure(&'static str),
}

/// What the root of the file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootKind {
    /// Only blanks.
    Empty,
    /// A list of events, or an object that has one.
    Events,
    /// An object without `traceEvents`.
    OtherObject,
}

/// Where the reader is in the structure of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ReaderState {
    /// Before the first bracket.
    #[default]
    Start,
    /// In the root object, before a name.
    BeforeName,
    /// In a name of the root object.
    Name,
    /// After a name of the root object.
    Colon,
    /// Before a value of the root object.
    BeforeValue,
    /// In a value of the root object.
    Value,
    /// In the event list, between events.
    Between,
    /// In an event.
    Event,
    /// In an element of the event list that is not an object.
    OtherElement,
    /// In the event list, searching for the next event after a corrupt one.
    Resync(LastBytes),
    /// After the closing bracket of the root.
    AfterRoot,
    /// The rest of the file is not read.
    Stopped,
}

/// What the last bytes were while the reader searches for the next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastBytes {
    Text,
    LineStart,
    ClosingBrace,
    CommaAfterBrace,
}

/// The state of the scan of one value.
#[derive(Debug, Clone, Copy, Default)]
struct ValueScan {
    depth: u32,
    /// One bit for each level, lowest = innermost: 1 for an object, 0 for a list.
    kinds: u64,
    in_string: bool,
    /// The string has a line feed.
    has_line_feed: bool,
}

/// How a scan ended.
enum ScanResult {
    Incomplete,
    Complete,
    Broken(&'static str),
}

/// Finds the events of one file.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact")]
pub(super) struct EventReader {
    buffer: Vec<u8>,
    /// Offset of the buffer's first byte in the file.
    base: u64,
    /// Position of the next byte in the buffer.
    pos: usize,
    /// First byte of the value being scanned.
    start: usize,
    /// Line feeds before `pos`, and before `start`.
    lines: u64,
    start_lines: u64,
    state: ReaderState,
    scan: ValueScan,
    /// Name of the root object's member being read.
    member_name: String,
    /// Where its value starts.
    value_place: Position,
    /// The value is too large, so its bytes are dropped.
    is_dropping: bool,
    is_root_object: bool,
    /// The file has an event list.
    has_list: bool,
    /// There was a corrupt event: brackets may belong to it.
    had_corrupt_event: bool,
    file_ended: bool,
    /// Offset in the file. No line before it starts with `{`, as far as the reader has searched.
    line_searched_to: u64,
    gaps: Gaps,
}

impl EventReader {
    /// A reader that starts anywhere in the event list of an object.
    pub(super) fn inside_list() -> Self {
        let state = ReaderState::Resync(LastBytes::Text);
        Self { state, is_root_object: true, has_list: true, had_corrupt_event: true, ..Self::default() }
    }

    /// A reader that starts at an event of a file. Another reader reads the events before it.
    pub(super) fn at_event() -> Self {
        Self { state: ReaderState::Between, has_list: true, ..Self::default() }
    }

    /// Returns true between events if the buffer is empty and no event before was corrupt.
    pub(super) fn is_between_events(&self) -> bool {
        self.state == ReaderState::Between && self.buffer.is_empty() && !self.had_corrupt_event
    }

    /// Skips the section that another reader has read. Both readers must be between events.
    pub(super) fn skip_section(&mut self, other: &Self) {
        self.base += other.base;
        self.lines += other.lines;
    }

    /// Takes the next bytes and calls `each` for every item that ends in them. An error is the reason why the file is
    /// not a trace: it starts with a byte that no trace starts with.
    pub(super) fn push(&mut self, chunk: &[u8], each: &mut impl FnMut(TraceItem<'_>)) -> Result<(), String> {
        for block in chunk.chunks(BLOCK) {
            let mut rest = block;
            if self.state != ReaderState::Between || !self.buffer.is_empty() {
                let (first, others) = rest.split_at(rest.len().min(COPIED_START));
                let buffered = self.buffer.len();
                self.buffer.extend_from_slice(first);
                let result = self.run(buffered, each);
                rest = match self.pos.checked_sub(buffered) {
                    // The value that the last block ended in is complete. Nothing has to be copied from here
                    // on.
                    Some(read) if self.state == ReaderState::Between => {
                        self.buffer.clear();
                        self.base += std::mem::take(&mut self.pos) as u64;
                        &rest[read..]
                    }
                    _ => others,
                };
                result?;
            }
            if self.state == ReaderState::Between && self.buffer.is_empty() {
                let mut place = self.place();
                rest = &rest[plain::read_events(rest, &mut self.gaps, &mut place, each)..];
                (self.base, self.lines) = (place.offset, place.line - 1);
            }
            self.buffer.extend_from_slice(rest);
            let result = self.run(usize::MAX, each);
            let finished = match self.state {
                ReaderState::Event | ReaderState::OtherElement | ReaderState::Name | ReaderState::Value => self.start,
                _ => self.pos,
            };
            self.buffer.drain(..finished);
            self.base += finished as u64;
            self.pos -= finished;
            self.start = self.start.saturating_sub(finished);
            result?;
        }
        Ok(())
    }

    /// Ends the file. Returns what its root was.
    pub(super) fn end(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> RootKind {
        self.file_ended = true;
        // Bytes that the reader waited for do not come. It waits for none before the first bracket.
        let _ = self.run(usize::MAX, each);
        match self.state {
            ReaderState::Event | ReaderState::OtherElement => {
                each(TraceItem::Problem(TraceProblem::TruncatedEvent, self.start_place()));
            }
            ReaderState::Start if self.buffer.is_empty() => {}
            ReaderState::AfterRoot | ReaderState::Stopped | ReaderState::Resync(_) => {}
            _ => each(TraceItem::Problem(TraceProblem::Truncated, self.place())),
        }
        match self.state {
            ReaderState::Start => RootKind::Empty,
            _ if self.has_list => RootKind::Events,
            _ => RootKind::OtherObject,
        }
    }

    /// The name and the partial value of the root object's member that the bytes end in.
    pub(super) fn unfinished_member(&self) -> Option<(&str, Cow<'_, str>)> {
        let value = self.buffer.get(self.start..).filter(|_| self.state == ReaderState::Value)?;
        Some((&self.member_name, String::from_utf8_lossy(value)))
    }

    /// Returns true if the root was closed and nothing followed.
    pub(super) fn is_closed(&self) -> bool {
        self.state == ReaderState::AfterRoot
    }

    fn place(&self) -> Position {
        Position { line: self.lines + 1, offset: self.base + self.pos as u64 }
    }

    fn start_place(&self) -> Position {
        Position { line: self.start_lines + 1, offset: self.base + self.start as u64 }
    }

    /// Skips blanks, and also commas if `skip_commas`. Returns the byte after them.
    fn next(&mut self, skip_commas: bool) -> Option<u8> {
        while let Some(byte) = self.buffer.get(self.pos) {
            match byte {
                b'\n' => self.lines += 1,
                b' ' | b'\t' | b'\r' => {}
                b',' if skip_commas => {}
                _ => return Some(*byte),
            }
            self.pos += 1;
        }
        None
    }

    /// Starts to scan the value at the next byte.
    fn start_value(&mut self, state: ReaderState) {
        self.start = self.pos;
        self.start_lines = self.lines;
        self.scan = ValueScan::default();
        self.is_dropping = false;
        self.state = state;
    }

    /// Moves to the next byte and to this state.
    fn step(&mut self, state: ReaderState) {
        self.pos += 1;
        self.state = state;
    }

    /// Reports that the structure is broken here, and stops. After a corrupt event, the list was not closed:
    /// the reader then searches for the next event.
    fn stop(&mut self, why: &'static str, each: &mut impl FnMut(TraceItem<'_>)) {
        let (damage, state) = if self.had_corrupt_event && self.has_list {
            (TraceProblem::Reopened, ReaderState::Resync(LastBytes::Text))
        } else {
            (TraceProblem::Structure(why), ReaderState::Stopped)
        };
        each(TraceItem::Problem(damage, self.place()));
        self.state = state;
    }

    /// Reads the bytes in the buffer. Returns early between events once the position is `stop_after` or more.
    fn run(&mut self, stop_after: usize, each: &mut impl FnMut(TraceItem<'_>)) -> Result<(), String> {
        loop {
            let progress = match self.state {
                ReaderState::Start => self.read_start().transpose()?,
                ReaderState::BeforeName | ReaderState::Colon | ReaderState::BeforeValue => self.read_root_object(each),
                ReaderState::Name => self.read_name(each),
                ReaderState::Value => self.read_value(each),
                ReaderState::Between if self.pos >= stop_after => None,
                ReaderState::Between => self.read_list(each),
                ReaderState::Event | ReaderState::OtherElement => self.read_element(each),
                ReaderState::Resync(last) => self.find_next_event(last),
                ReaderState::AfterRoot => self.next(false).map(|_| self.stop("text follows the closing bracket", each)),
                ReaderState::Stopped => {
                    self.pos = self.buffer.len();
                    None
                }
            };
            if progress.is_none() {
                return Ok(());
            }
        }
    }

    /// Reads the first bracket. Like all steps of [`EventReader::run`], returns none if it needs more bytes.
    fn read_start(&mut self) -> Option<Result<(), String>> {
        const BOM: &[u8] = b"\xEF\xBB\xBF";
        if self.base == 0 && self.pos == 0 {
            if self.buffer.len() < 3 && BOM.starts_with(&self.buffer) {
                return None;
            }
            if self.buffer.starts_with(BOM) {
                self.pos = 3;
            }
        }
        match self.next(false)? {
            b'[' => {
                self.has_list = true;
                self.step(ReaderState::Between);
            }
            b'{' => {
                self.is_root_object = true;
                self.step(ReaderState::BeforeName);
            }
            byte => {
                let (offset, byte) = (self.place().offset, char::from(byte).escape_default());
                return Some(Err(format!("byte {offset} is `{byte}`, expected `[` or `{{`")));
            }
        }
        Some(Ok(()))
    }

    /// Reads the next byte of the root object outside of names and values.
    fn read_root_object(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> Option<()> {
        let byte = self.next(self.state == ReaderState::BeforeName)?;
        match (self.state, byte) {
            (ReaderState::BeforeName, b'"') => self.start_value(ReaderState::Name),
            (ReaderState::BeforeName, b'}') => self.step(ReaderState::AfterRoot),
            (ReaderState::BeforeName, _) => self.stop("expected a name in quotes", each),
            (ReaderState::Colon, b':') => self.step(ReaderState::BeforeValue),
            (ReaderState::Colon, _) => self.stop("expected a colon", each),
            (_, b'[') if self.member_name == "traceEvents" => {
                self.has_list = true;
                self.step(ReaderState::Between);
            }
            _ => {
                self.start_value(ReaderState::Value);
                self.value_place = self.place();
            }
        }
        Some(())
    }

    /// Reads a name of the root object.
    fn read_name(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> Option<()> {
        match self.scan() {
            _ if self.pos - self.start > MAX_ITEM => self.stop("a name is too long", each),
            ScanResult::Incomplete => return None,
            ScanResult::Broken(why) => self.stop(why, each),
            ScanResult::Complete => {
                let raw = String::from_utf8_lossy(&self.buffer[self.start..self.pos]);
                self.member_name = super::json::unquote(&raw).map(Cow::into_owned).unwrap_or_default();
                self.state = ReaderState::Colon;
            }
        }
        Some(())
    }

    /// Reads a value of the root object that is not the event list.
    fn read_value(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> Option<()> {
        match self.scan() {
            ScanResult::Incomplete => {
                if self.pos - self.start > MAX_ITEM {
                    self.is_dropping = true;
                    self.start = self.pos;
                }
                return None;
            }
            ScanResult::Broken(why) => self.stop(why, each),
            ScanResult::Complete => {
                if self.is_dropping || self.pos - self.start > MAX_ITEM {
                    each(TraceItem::Problem(TraceProblem::Member("larger than 16 MiB"), self.value_place));
                } else {
                    let text = self.value_text(self.value_place, each);
                    each(TraceItem::Entry(&self.member_name, &text, self.value_place));
                }
                self.state = ReaderState::BeforeName;
            }
        }
        Some(())
    }

    /// Reads the next events, or the next byte of the event list.
    fn read_list(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> Option<()> {
        match self.next(true)? {
            b'{' => {
                // Reads complete events of plain JSON at once, without a search for their ends.
                let mut place = self.place();
                let length = plain::read_events(&self.buffer[self.pos..], &mut self.gaps, &mut place, each);
                self.pos += length;
                self.lines = place.line - 1;
                if length == 0 {
                    self.start_value(ReaderState::Event);
                }
            }
            b']' if !self.had_corrupt_event || self.closes_list()? => self.close_list(),
            // The rest of a corrupt event, which was reported.
            _ if self.had_corrupt_event => self.state = ReaderState::Resync(LastBytes::Text),
            b'}' | b':' => {
                each(TraceItem::Problem(TraceProblem::Event("expected an object"), self.place()));
                self.had_corrupt_event = true;
                self.state = ReaderState::Resync(LastBytes::Text);
            }
            _ => self.start_value(ReaderState::OtherElement),
        }
        Some(())
    }

    /// Reads an element of the event list up to its end.
    fn read_element(&mut self, each: &mut impl FnMut(TraceItem<'_>)) -> Option<()> {
        match self.scan() {
            // Checked before the result of the scan: what is read must not depend on where chunks end.
            _ if self.pos - self.start > MAX_ITEM => self.skip_corrupt_event("larger than 16 MiB", each),
            ScanResult::Incomplete if !self.file_ended => return None,
            result @ (ScanResult::Incomplete | ScanResult::Broken(_)) => match (self.repairable_line(), result) {
                (Some(length), _) => {
                    (self.pos, self.lines) = (self.start + length, self.start_lines);
                    self.add_event(each);
                }
                (None, ScanResult::Broken(why)) => self.skip_corrupt_event(why, each),
                (None, _) => return None,
            },
            ScanResult::Complete if self.state == ReaderState::Event => self.add_event(each),
            // The lines of a list can be events.
            ScanResult::Complete if self.lines > self.start_lines => {
                self.skip_corrupt_event("expected an object", each);
            }
            ScanResult::Complete => {
                each(TraceItem::Problem(TraceProblem::Event("expected an object"), self.start_place()));
                self.state = ReaderState::Between;
            }
        }
        Some(())
    }

    /// Passes on the event that was scanned.
    fn add_event(&mut self, each: &mut impl FnMut(TraceItem<'_>)) {
        let place = self.start_place();
        let text = self.value_text(place, each);
        each(TraceItem::Event(&text, None, place));
        self.state = ReaderState::Between;
    }

    /// The length of a corrupt event that is the rest of its line and can be repaired, such as one with an odd number of
    /// quotes. The error was found after the line, or the file ended.
    fn repairable_line(&self) -> Option<usize> {
        let scanned = self.buffer.get(self.start..self.pos).filter(|_| self.state == ReaderState::Event)?;
        let line = scanned.split(|byte| *byte == b'\n').next().filter(|line| line.len() < scanned.len())?;
        let line = line.trim_ascii_end();
        let line = line.strip_suffix(b",").unwrap_or(line).trim_ascii_end();
        let repaired = repair_json(str::from_utf8(line).ok().filter(|line| line.ends_with('}'))?)?;
        serde_json::from_str::<serde::de::IgnoredAny>(&repaired).is_ok().then_some(line.len())
    }

    /// The text of the value that was scanned. Replaces and reports bytes that are not UTF-8.
    fn value_text(&self, place: Position, each: &mut impl FnMut(TraceItem<'_>)) -> Cow<'_, str> {
        let bytes = &self.buffer[self.start..self.pos];
        str::from_utf8(bytes).map_or_else(
            |_| {
                each(TraceItem::Problem(TraceProblem::NotUtf8, place));
                String::from_utf8_lossy(bytes)
            },
            Cow::Borrowed,
        )
    }

    /// Reports an event that cannot be read, and searches for the next one from its second byte on.
    fn skip_corrupt_event(&mut self, why: &'static str, each: &mut impl FnMut(TraceItem<'_>)) {
        each(TraceItem::Problem(TraceProblem::Event(why), self.start_place()));
        self.pos = self.start + 1;
        self.lines = self.start_lines;
        self.had_corrupt_event = true;
        self.state = ReaderState::Resync(LastBytes::Text);
    }

    /// Searches for the start of an event or the end of the list. Returns none if it needs more bytes.
    fn find_next_event(&mut self, mut last: LastBytes) -> Option<()> {
        while let Some(byte) = self.buffer.get(self.pos).copied() {
            let is_found = match (byte, last) {
                (b'{', LastBytes::LineStart) => Some(true),
                (b'{', LastBytes::CommaAfterBrace) => self.starts_event(),
                (b']', LastBytes::LineStart | LastBytes::ClosingBrace | LastBytes::CommaAfterBrace) => {
                    self.closes_list()
                }
                _ => Some(false),
            };
            match is_found {
                None => break,
                Some(false) => {}
                Some(true) if byte == b'{' => {
                    self.start_value(ReaderState::Event);
                    return Some(());
                }
                Some(true) => {
                    self.close_list();
                    return Some(());
                }
            }
            last = match (byte, last) {
                (b'\n', _) => {
                    self.lines += 1;
                    LastBytes::LineStart
                }
                (b' ' | b'\t' | b'\r', last) => last,
                (b'}', _) => LastBytes::ClosingBrace,
                (b',', LastBytes::ClosingBrace) => LastBytes::CommaAfterBrace,
                _ => LastBytes::Text,
            };
            self.pos += 1;
        }
        self.state = ReaderState::Resync(last);
        None
    }

    /// Moves past the bracket that closes the list.
    fn close_list(&mut self) {
        self.step(if self.is_root_object { ReaderState::BeforeName } else { ReaderState::AfterRoot });
    }

    /// Whether the `{` here, after `},` and a corrupt event, starts an event. None if more bytes are needed.
    fn starts_event(&mut self) -> Option<bool> {
        let near = &self.buffer[self.pos..self.buffer.len().min(self.pos + LINE_SEARCH)];
        let mut members = Vec::new();
        if EventFields::scan(&mut Scanner::new(plain::valid_utf8(near), 0), &mut self.gaps, &mut members)
            .is_some_and(|fields| fields.ph.is_some())
        {
            return Some(true);
        }
        if near.len() < LINE_SEARCH && !self.file_ended {
            return None;
        }
        let searched = usize::try_from(self.line_searched_to.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let start = searched.saturating_sub(self.pos).min(near.len());
        let mut at_line_start = false;
        for byte in &near[start..] {
            at_line_start = match byte {
                b'\n' => true,
                b'{' if at_line_start => return Some(false),
                b' ' | b'\t' | b'\r' => at_line_start,
                _ => false,
            };
        }
        if !at_line_start {
            self.line_searched_to = self.base + (self.pos + near.len()) as u64;
        }
        Some(true)
    }

    /// Whether the `]` here, after a corrupt event, closes the event list. This depends on what follows it.
    /// None if more bytes are needed.
    fn closes_list(&self) -> Option<bool> {
        let rest = &self.buffer[self.pos + 1..];
        let rest = &rest[..rest.len().min(CLOSE_SEARCH)];
        let mut depth = 0_u32;
        let (mut in_string, mut is_escaped, mut is_root_closed) = (false, false, !self.is_root_object);
        let mut previous = b']';
        for byte in rest {
            if in_string {
                in_string = is_escaped || *byte != b'"';
                is_escaped = !is_escaped && *byte == b'\\';
                continue;
            }
            if byte.is_ascii_whitespace() {
                continue;
            }
            match byte {
                // Something follows the root.
                _ if is_root_closed => return Some(false),
                b'}' if depth == 0 => is_root_closed = true,
                b']' if depth == 0 => return Some(false),
                b'}' | b']' => depth -= 1,
                b',' => {}
                // Only a name or a bracket can follow a member.
                _ if depth == 0 && previous == b']' => return Some(false),
                b'"' if depth == 0 && !matches!(previous, b',' | b':') => return Some(false),
                b'{' | b'[' if depth == 0 && previous != b':' => return Some(false),
                b'{' | b'[' => depth += 1,
                b'"' => in_string = true,
                _ => {}
            }
            previous = *byte;
        }
        (self.file_ended || rest.len() == CLOSE_SEARCH).then_some(true)
    }

    /// Scans on to the end of the value that starts at `start`.
    fn scan(&mut self) -> ScanResult {
        // Copies, which the compiler can hold in registers.
        let (mut scan, mut pos, mut lines) = (self.scan, self.pos, self.lines);
        let result = loop {
            let stop = if scan.in_string {
                scan.scan_string(&self.buffer, &mut pos, &mut lines)
            } else {
                scan.scan_byte(&self.buffer, self.start, &mut pos, &mut lines)
            };
            if let Some(result) = stop {
                break result;
            }
        };
        (self.scan, self.pos, self.lines) = (scan, pos, lines);
        result
    }
}

impl ValueScan {
    /// Scans on in a string, to its end or to an escape or control character. Returns a result where the scan
    /// stops.
    #[inline]
    fn scan_string(&mut self, bytes: &[u8], pos: &mut usize, lines: &mut u64) -> Option<ScanResult> {
        *pos += plain_length(&bytes[*pos..]);
        match (bytes.get(*pos), bytes.get(*pos + 1)) {
            (None, _) | (Some(b'\\'), None) => return Some(ScanResult::Incomplete),
            (Some(b'\n'), _) => {
                self.has_line_feed = true;
                *lines += 1;
                *pos += 1;
            }
            (Some(b'\\'), Some(b'\n')) => *pos += 1,
            (Some(b'\\'), _) => *pos += 2,
            (Some(b'"'), _) => {
                if self.has_line_feed {
                    // A quote that does not end a string here started one: the event was cut off.
                    let rest = &bytes[*pos + 1..];
                    match rest.iter().take(MAX_BLANKS).find(|byte| !byte.is_ascii_whitespace()) {
                        None if rest.len() < MAX_BLANKS => return Some(ScanResult::Incomplete),
                        Some(b',' | b'}' | b']' | b':') => self.has_line_feed = false,
                        _ => return Some(ScanResult::Broken("the line ends inside a string")),
                    }
                }
                *pos += 1;
                self.in_string = false;
                return (self.depth == 0).then_some(ScanResult::Complete);
            }
            // A control character, which is repaired later.
            _ => *pos += 1,
        }
        None
    }

    /// Scans the next byte outside of a string. Returns a result where the scan stops.
    #[inline]
    fn scan_byte(&mut self, bytes: &[u8], start: usize, pos: &mut usize, lines: &mut u64) -> Option<ScanResult> {
        let Some(byte) = bytes.get(*pos) else { return Some(ScanResult::Incomplete) };
        match byte {
            // A number or a word ends here.
            b'"' | b'{' | b'[' if self.depth == 0 && *pos > start => return Some(ScanResult::Complete),
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                if self.depth > 0 && !may_value_follow(&bytes[start..*pos], self.kinds & 1 == 1) {
                    return Some(ScanResult::Broken("an opening bracket where no value is allowed"));
                }
                if self.depth == MAX_DEPTH {
                    return Some(ScanResult::Broken("nested too deeply"));
                }
                self.depth += 1;
                self.kinds = self.kinds << 1 | u64::from(*byte == b'{');
            }
            b'}' | b']' | b'\n' | b',' | b' ' | b'\t' | b'\r' if self.depth == 0 => return Some(ScanResult::Complete),
            b'}' | b']' => {
                if (self.kinds & 1 == 1) != (*byte == b'}') {
                    return Some(ScanResult::Broken("brackets do not match"));
                }
                self.depth -= 1;
                self.kinds >>= 1;
                *pos += 1;
                return (self.depth == 0).then_some(ScanResult::Complete);
            }
            b'\n' => *lines += 1,
            _ => {}
        }
        *pos += 1;
        None
    }
}

/// Whether a value can follow `text`, which starts at the outermost value.
fn may_value_follow(text: &[u8], in_object: bool) -> bool {
    match text.iter().rev().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b':') => in_object,
        Some(b'[' | b',') => !in_object,
        Some(_) => false,
        None => true, // The start of the value was dropped.
    }
}

#[cfg(test)]
mod tests;
