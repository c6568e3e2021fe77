//! The one streaming reader of Chrome trace-event JSON, shared by all formats that are written in it.
//!
//! Takes chunks of any size and gives each element of the event list as text with its place. The list
//! is the root array, or the member `traceEvents` of the root object; the other members of that object
//! are handed out too. Nothing is parsed here: a scan over quotes and brackets finds where an event
//! ends. Memory: one event, at most [`MAX_ITEM`].
//!
//! Damage is reported and reading goes on at the next event. A string that goes on in the next line and
//! does not end there as strings do, and a `{` where no value can stand, show that an event was cut off.
//! Then what followed the cut event's first byte is searched for the next `{` at the start of a line. One
//! after `},` may stand in a list of the cut event: it counts if it begins an object with a `ph`, or if no
//! line begins soon. That loses one line of a file with one event on each line. From then on a `]` closes
//! the list only if the end of the root object may follow. Real writers are killed in the middle of a line,
//! so a file may end anywhere.
//!
//! # Source
//! [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU),
//! "JSON Array Format" (the closing bracket is optional) and "JSON Object Format".

pub(super) mod counter;
mod fields;
mod gaps;
pub(super) mod interval;
mod plain;
mod report;

use std::borrow::Cow;

use gaps::Gaps;

use super::place::Place;
use super::scanner::{Scanner, plain_string};

pub(super) use fields::{Fields, Member};
pub(super) use plain::last_event;
pub(super) use report::{bad, read};

/// The largest event, and the largest other member, that is kept.
const MAX_ITEM: usize = 16 << 20;

/// The deepest nesting inside one event.
const MAX_DEPTH: u32 = 64;

/// How far it is looked for what follows a string.
const MAX_BLANKS: usize = 256;

/// How far a line that begins with an event is looked for behind damage.
const LINE: usize = 64 << 10;

/// How far it is looked whether a `]` behind damage can close the list.
const CLOSING: usize = 1 << 10;

/// Input is looked at in pieces of this size, so that a large chunk needs no large buffer.
const PIECE: usize = 1 << 20;

/// So much of a piece is copied first: behind it events are read where they lie.
const FIRST: usize = 16 << 10;

/// What the reader found.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// An element of the event list: an object, with its members if they were read on the way; else it is
    /// in balance but not checked further.
    Event(&'a str, Option<&'a Fields<'a>>, Place),
    /// A member of the root object beside the events: name and raw value, which is in balance but not
    /// checked further.
    Entry(&'a str, &'a str, Place),
    /// Something that could not be read, or could be read only in part.
    Damage(Damage, Place),
}

/// What is wrong with the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    /// The event that follows has bytes that are no UTF-8; they were replaced.
    NotUtf8,
    /// An event could not be read and was left out.
    Event(&'static str),
    /// A member of the root object was left out.
    Member(&'static str),
    /// The file ended inside an event, which is lost.
    TruncatedEvent,
    /// The file ended before its closing bracket; no event is lost.
    Truncated,
    /// The event list goes on: members since its last bracket may be those of a damaged event.
    Reopened,
    /// Something stands where no event or member can; what follows in the file is not read.
    Structure(&'static str),
}

/// What the root of the file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// Nothing but blanks.
    Empty,
    /// A list of events, or an object that holds one.
    Events,
    /// An object without `traceEvents`.
    OtherObject,
}

/// The file begins with a byte that no trace begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotATrace {
    pub(super) byte: u8,
    pub(super) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Before the first bracket.
    #[default]
    Start,
    /// In the root object, before a name.
    Top,
    /// In a name of the root object.
    Key,
    /// After a name of the root object.
    Colon,
    /// Before a value of the root object.
    Value,
    /// In a value of the root object.
    InValue,
    /// In the event list, between events.
    Between,
    /// In an event.
    Event,
    /// In an element of the event list that is no object.
    Other,
    /// In the event list, looking for the next event after damage.
    Resync(Sync),
    /// After the root's closing bracket.
    After,
    /// Nothing more is read.
    Lost,
}

/// What the last bytes were while looking for the next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sync {
    Text,
    LineStart,
    Close,
    Comma,
}

/// How far the scan of one value has come.
#[derive(Debug, Clone, Copy, Default)]
struct Scan {
    depth: u32,
    /// One bit for each level, lowest = innermost: 1 for an object, 0 for a list.
    kinds: u64,
    in_string: bool,
    /// The string has a line feed.
    folded: bool,
}

/// What a scan came to.
enum Scanned {
    Incomplete,
    Complete,
    Broken(&'static str),
}

/// Finds the events of one file.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact")]
pub(super) struct Reader {
    buffer: Vec<u8>,
    /// Offset of the buffer's first byte in the file.
    base: u64,
    /// Next byte to look at.
    at: usize,
    /// First byte of the value being scanned.
    start: usize,
    /// Line feeds before `at`, and before `start`.
    lines: u64,
    start_lines: u64,
    state: State,
    scan: Scan,
    /// Name of the root object's member being read.
    key: String,
    /// Where its value begins.
    value: Place,
    /// The value is too large to keep.
    dropping: bool,
    /// The root is an object.
    object: bool,
    /// An event list was found.
    events: bool,
    /// There was damage: brackets may be those of a damaged event.
    unsure: bool,
    /// The file ended.
    ended: bool,
    /// Up to where no line begins with `{`, as far as was looked.
    no_line: u64,
    gaps: Gaps,
}

impl Reader {
    /// Begins somewhere in the event list of an object.
    pub(super) fn amid() -> Self {
        let state = State::Resync(Sync::Text);
        Self { state, object: true, events: true, unsure: true, ..Self::default() }
    }

    /// Begins at an event in the list of a file that another reader reads.
    pub(super) fn at_event() -> Self {
        Self { state: State::Between, events: true, ..Self::default() }
    }

    /// Whether it stands between events with nothing held back and without damage before.
    pub(super) fn is_between(&self) -> bool {
        self.state == State::Between && self.buffer.is_empty() && !self.unsure
    }

    /// Passes over what another one has read, from one event to another; both stand between events.
    pub(super) fn pass(&mut self, other: &Self) {
        self.base += other.base;
        self.lines += other.lines;
    }

    /// Takes the next bytes and calls `each` for everything that ends in them.
    pub(super) fn push(&mut self, chunk: &[u8], each: &mut impl FnMut(Item<'_>)) -> Result<(), NotATrace> {
        for piece in chunk.chunks(PIECE) {
            let mut rest = piece;
            if self.state != State::Between || !self.buffer.is_empty() {
                let (first, others) = rest.split_at(rest.len().min(FIRST));
                let held = self.buffer.len();
                self.buffer.extend_from_slice(first);
                let result = self.run(held, each);
                rest = match self.at.checked_sub(held) {
                    // what the piece before ended in is complete: from here on nothing has to be copied
                    Some(taken) if self.state == State::Between => {
                        self.buffer.clear();
                        self.base += std::mem::take(&mut self.at) as u64;
                        &rest[taken..]
                    }
                    _ => others,
                };
                result?;
            }
            if self.state == State::Between && self.buffer.is_empty() {
                let mut place = self.place();
                rest = &rest[plain::events(rest, &mut self.gaps, &mut place, each)..];
                (self.base, self.lines) = (place.offset, place.line - 1);
            }
            self.buffer.extend_from_slice(rest);
            let result = self.run(usize::MAX, each);
            let keep = match self.state {
                State::Event | State::Other | State::Key | State::InValue => self.start,
                _ => self.at,
            };
            self.buffer.drain(..keep);
            self.base += keep as u64;
            self.at -= keep;
            self.start = self.start.saturating_sub(keep);
            result?;
        }
        Ok(())
    }

    /// The file ended; says what it was.
    pub(super) fn end(&mut self, each: &mut impl FnMut(Item<'_>)) -> Root {
        self.ended = true;
        // what was waited for does not come; before the first bracket nothing is waited for
        let _ = self.run(usize::MAX, each);
        match self.state {
            State::Event | State::Other => each(Item::Damage(Damage::TruncatedEvent, self.start_place())),
            State::Start if self.buffer.is_empty() => {}
            State::After | State::Lost | State::Resync(_) => {}
            _ => each(Item::Damage(Damage::Truncated, self.place())),
        }
        match self.state {
            State::Start => Root::Empty,
            _ if self.events => Root::Events,
            _ => Root::OtherObject,
        }
    }

    /// The member of the root object that the bytes end in, as far as it goes.
    pub(super) fn open_entry(&self) -> Option<(&str, Cow<'_, str>)> {
        let value = || self.buffer.get(self.start..).map(String::from_utf8_lossy);
        if self.state == State::InValue { Some((&self.key, value()?)) } else { None }
    }

    /// Whether the root was closed and nothing followed.
    pub(super) fn is_closed(&self) -> bool {
        self.state == State::After
    }

    fn place(&self) -> Place {
        Place { line: self.lines + 1, offset: self.base + self.at as u64 }
    }

    fn start_place(&self) -> Place {
        Place { line: self.start_lines + 1, offset: self.base + self.start as u64 }
    }

    /// Passes over blanks, and commas if asked; gives the byte behind them.
    fn next(&mut self, commas: bool) -> Option<u8> {
        while let Some(byte) = self.buffer.get(self.at) {
            match byte {
                b'\n' => self.lines += 1,
                b' ' | b'\t' | b'\r' => {}
                b',' if commas => {}
                _ => return Some(*byte),
            }
            self.at += 1;
        }
        None
    }

    /// A value starts at the next byte.
    fn begin(&mut self, state: State) {
        self.start = self.at;
        self.start_lines = self.lines;
        self.scan = Scan::default();
        self.dropping = false;
        self.state = state;
    }

    fn lose(&mut self, why: &'static str, each: &mut impl FnMut(Item<'_>)) {
        if self.unsure && self.events {
            // the list was not closed after all
            each(Item::Damage(Damage::Reopened, self.place()));
            self.state = State::Resync(Sync::Text);
            return;
        }
        each(Item::Damage(Damage::Structure(why), self.place()));
        self.state = State::Lost;
    }

    /// Reads what the buffer holds; no further than to where the next event is looked for from byte `enough` on.
    fn run(&mut self, enough: usize, each: &mut impl FnMut(Item<'_>)) -> Result<(), NotATrace> {
        loop {
            match self.state {
                State::Start => {
                    if self.base == 0 && self.at == 0 {
                        const BOM: &[u8] = b"\xEF\xBB\xBF";
                        if self.buffer.len() < 3 && BOM.starts_with(&self.buffer) {
                            return Ok(());
                        }
                        if self.buffer.starts_with(BOM) {
                            self.at = 3;
                        }
                    }
                    let Some(byte) = self.next(false) else { return Ok(()) };
                    match byte {
                        b'[' => (self.state, self.events) = (State::Between, true),
                        b'{' => (self.state, self.object) = (State::Top, true),
                        byte => return Err(NotATrace { byte, place: self.place() }),
                    }
                    self.at += 1;
                }
                State::Top => {
                    let Some(byte) = self.next(true) else { return Ok(()) };
                    match byte {
                        b'"' => self.begin(State::Key),
                        b'}' => {
                            self.at += 1;
                            self.state = State::After;
                        }
                        _ => self.lose("expected a name in quotes", each),
                    }
                }
                State::Key => match self.scan() {
                    _ if self.at - self.start > MAX_ITEM => self.lose("a name is too long", each),
                    Scanned::Incomplete => return Ok(()),
                    Scanned::Broken(why) => self.lose(why, each),
                    Scanned::Complete => {
                        let raw = String::from_utf8_lossy(&self.buffer[self.start..self.at]);
                        self.key = super::json::unquote(&raw).map(Cow::into_owned).unwrap_or_default();
                        self.state = State::Colon;
                    }
                },
                State::Colon => {
                    let Some(byte) = self.next(false) else { return Ok(()) };
                    if byte == b':' {
                        self.at += 1;
                        self.state = State::Value;
                    } else {
                        self.lose("expected a colon", each);
                    }
                }
                State::Value => {
                    let Some(byte) = self.next(false) else { return Ok(()) };
                    if byte == b'[' && self.key == "traceEvents" {
                        self.at += 1;
                        self.events = true;
                        self.state = State::Between;
                    } else {
                        self.begin(State::InValue);
                        self.value = self.place();
                    }
                }
                State::InValue => match self.scan() {
                    Scanned::Incomplete => {
                        if self.at - self.start > MAX_ITEM {
                            self.dropping = true;
                            self.start = self.at;
                        }
                        return Ok(());
                    }
                    Scanned::Broken(why) => self.lose(why, each),
                    Scanned::Complete => {
                        if self.dropping || self.at - self.start > MAX_ITEM {
                            each(Item::Damage(Damage::Member("larger than 16 MiB"), self.value));
                        } else {
                            let value = &self.buffer[self.start..self.at];
                            if str::from_utf8(value).is_err() {
                                each(Item::Damage(Damage::NotUtf8, self.value));
                            }
                            each(Item::Entry(&self.key, &String::from_utf8_lossy(value), self.value));
                        }
                        self.state = State::Top;
                    }
                },
                State::Between if self.at >= enough => return Ok(()),
                State::Between => {
                    let Some(byte) = self.next(true) else { return Ok(()) };
                    match byte {
                        b'{' if self.read(each) => {}
                        b'{' => self.begin(State::Event),
                        b']' if self.unsure => match self.closes() {
                            None => return Ok(()),
                            Some(true) => self.close(),
                            Some(false) => self.state = State::Resync(Sync::Text),
                        },
                        b']' => self.close(),
                        // what is left of a damaged event, which was reported
                        _ if self.unsure => self.state = State::Resync(Sync::Text),
                        b'}' | b':' => {
                            each(Item::Damage(Damage::Event("expected an object"), self.place()));
                            self.unsure = true;
                            self.state = State::Resync(Sync::Text);
                        }
                        _ => self.begin(State::Other),
                    }
                }
                State::Other => match self.scan() {
                    _ if self.at - self.start > MAX_ITEM => self.rewind("larger than 16 MiB", each),
                    Scanned::Incomplete => return Ok(()),
                    Scanned::Broken(why) => self.rewind(why, each),
                    // events of their own may stand in the lines of a list
                    Scanned::Complete if self.lines > self.start_lines => self.rewind("expected an object", each),
                    Scanned::Complete => {
                        each(Item::Damage(Damage::Event("expected an object"), self.start_place()));
                        self.state = State::Between;
                    }
                },
                State::Event => match self.scan() {
                    // whatever the scan says: the answer must not depend on where chunks end
                    _ if self.at - self.start > MAX_ITEM => {
                        self.rewind("larger than 16 MiB", each);
                    }
                    Scanned::Incomplete => return Ok(()),
                    Scanned::Broken(why) => self.rewind(why, each),
                    Scanned::Complete => {
                        let place = self.start_place();
                        let bytes = &self.buffer[self.start..self.at];
                        if let Ok(text) = str::from_utf8(bytes) {
                            each(Item::Event(text, None, place));
                        } else {
                            each(Item::Damage(Damage::NotUtf8, place));
                            each(Item::Event(&String::from_utf8_lossy(bytes), None, place));
                        }
                        self.state = State::Between;
                    }
                },
                State::Resync(sync) => {
                    if !self.resync(sync) {
                        return Ok(());
                    }
                }
                State::After => {
                    let Some(_) = self.next(false) else { return Ok(()) };
                    self.lose("text follows the closing bracket", each);
                }
                State::Lost => {
                    self.at = self.buffer.len();
                    return Ok(());
                }
            }
        }
    }

    /// Reads the events from here on that are all there and plain JSON, without looking for their ends
    /// before; whether there was one.
    fn read(&mut self, each: &mut impl FnMut(Item<'_>)) -> bool {
        let mut place = self.place();
        let read = plain::events(&self.buffer[self.at..], &mut self.gaps, &mut place, each);
        self.at += read;
        self.lines = place.line - 1;
        read > 0
    }

    /// The event cannot be read: looks for the next one behind its first byte.
    fn rewind(&mut self, why: &'static str, each: &mut impl FnMut(Item<'_>)) {
        each(Item::Damage(Damage::Event(why), self.start_place()));
        self.at = self.start + 1;
        self.lines = self.start_lines;
        self.unsure = true;
        self.state = State::Resync(Sync::Text);
    }

    /// Looks for the start of an event, or the end of the list; whether it found one.
    fn resync(&mut self, mut sync: Sync) -> bool {
        while let Some(byte) = self.buffer.get(self.at).copied() {
            let may_begin = match (byte, sync) {
                (b'{', Sync::LineStart) => Some(true),
                (b'{', Sync::Comma) => self.begins_event(),
                _ => Some(false),
            };
            let may_close = match (byte, sync) {
                (b']', Sync::LineStart | Sync::Close | Sync::Comma) => self.closes(),
                _ => Some(false),
            };
            let (Some(begins), Some(closes)) = (may_begin, may_close) else { break };
            if begins {
                self.begin(State::Event);
                return true;
            }
            if closes {
                self.close();
                return true;
            }
            sync = match (byte, sync) {
                (b'\n', _) => {
                    self.lines += 1;
                    Sync::LineStart
                }
                (b' ' | b'\t' | b'\r', sync) => sync,
                (b'}', _) => Sync::Close,
                (b',', Sync::Close) => Sync::Comma,
                _ => Sync::Text,
            };
            self.at += 1;
        }
        self.state = State::Resync(sync);
        false
    }

    /// Passes over the bracket that closes the list.
    fn close(&mut self) {
        self.at += 1;
        self.state = if self.object { State::Top } else { State::After };
    }

    /// Whether the `{` here, after `},` behind damage, begins an event; none if more bytes are needed to tell.
    fn begins_event(&mut self) -> Option<bool> {
        let near = &self.buffer[self.at..self.buffer.len().min(self.at + LINE)];
        let mut room = Vec::new();
        if Fields::scan(&mut Scanner::new(plain::utf8(near), 0), &mut self.gaps, &mut room)
            .is_some_and(|fields| fields.ph.is_some())
        {
            return Some(true);
        }
        if near.len() < LINE && !self.ended {
            return None;
        }
        let known = usize::try_from(self.no_line.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let from = known.saturating_sub(self.at).min(near.len());
        let mut line = false;
        for byte in &near[from..] {
            line = match byte {
                b'\n' => true,
                b'{' if line => return Some(false),
                b' ' | b'\t' | b'\r' => line,
                _ => false,
            };
        }
        if !line {
            self.no_line = self.base + (self.at + near.len()) as u64;
        }
        Some(true)
    }

    /// Whether the `]` here, behind damage, closes the event list, by what follows; none if more bytes are
    /// needed to tell.
    fn closes(&self) -> Option<bool> {
        let rest = &self.buffer[self.at + 1..];
        let rest = &rest[..rest.len().min(CLOSING)];
        let mut depth = 0_u32;
        let (mut in_string, mut escaped, mut closed) = (false, false, !self.object);
        let mut before = b']';
        for byte in rest {
            if in_string {
                in_string = escaped || *byte != b'"';
                escaped = !escaped && *byte == b'\\';
                continue;
            }
            if byte.is_ascii_whitespace() {
                continue;
            }
            match byte {
                // something follows the root
                _ if closed => return Some(false),
                b'}' if depth == 0 => closed = true,
                b']' if depth == 0 => return Some(false),
                b'}' | b']' => depth -= 1,
                b',' => {}
                // only a name or a bracket can follow a member
                _ if depth == 0 && before == b']' => return Some(false),
                b'"' if depth == 0 && !matches!(before, b',' | b':') => return Some(false),
                b'{' | b'[' if depth == 0 && before != b':' => return Some(false),
                b'{' | b'[' => depth += 1,
                b'"' => in_string = true,
                _ => {}
            }
            before = *byte;
        }
        (self.ended || rest.len() == CLOSING).then_some(true)
    }

    /// Goes on to the end of the value that began at `start`.
    fn scan(&mut self) -> Scanned {
        let bytes = self.buffer.as_slice();
        let Scan { mut depth, mut kinds, mut in_string, mut folded } = self.scan;
        let mut at = self.at;
        let result = loop {
            if in_string {
                at += plain_string(&bytes[at..]);
                match (bytes.get(at), bytes.get(at + 1)) {
                    (None, _) | (Some(b'\\'), None) => break Scanned::Incomplete,
                    (Some(b'\n'), _) => {
                        folded = true;
                        self.lines += 1;
                        at += 1;
                    }
                    (Some(b'\\'), Some(b'\n')) => at += 1,
                    (Some(b'\\'), _) => at += 2,
                    (Some(b'"'), _) => {
                        if folded {
                            // a quote that does not end a string here began one: the event was cut off
                            let rest = &bytes[at + 1..];
                            match rest.iter().take(MAX_BLANKS).find(|byte| !byte.is_ascii_whitespace()) {
                                None if rest.len() < MAX_BLANKS => break Scanned::Incomplete,
                                Some(b',' | b'}' | b']' | b':') => folded = false,
                                _ => break Scanned::Broken("the line ends inside a string"),
                            }
                        }
                        at += 1;
                        in_string = false;
                        if depth == 0 {
                            break Scanned::Complete;
                        }
                    }
                    // a control character, which is mended later
                    _ => at += 1,
                }
                continue;
            }
            let Some(byte) = bytes.get(at) else { break Scanned::Incomplete };
            match byte {
                // a number or a word ends here
                b'"' | b'{' | b'[' if depth == 0 && at > self.start => break Scanned::Complete,
                b'"' => in_string = true,
                b'{' | b'[' => {
                    if depth > 0 && !value_may_follow(&bytes[self.start..at], kinds & 1 == 1) {
                        break Scanned::Broken("an opening bracket where no value is allowed");
                    }
                    if depth == MAX_DEPTH {
                        break Scanned::Broken("nested too deeply");
                    }
                    depth += 1;
                    kinds = kinds << 1 | u64::from(*byte == b'{');
                }
                b'}' | b']' => {
                    if depth == 0 {
                        break Scanned::Complete;
                    }
                    if (kinds & 1 == 1) != (*byte == b'}') {
                        break Scanned::Broken("brackets do not match");
                    }
                    depth -= 1;
                    kinds >>= 1;
                    if depth == 0 {
                        at += 1;
                        break Scanned::Complete;
                    }
                }
                b'\n' | b',' | b' ' | b'\t' | b'\r' if depth == 0 => break Scanned::Complete,
                b'\n' => self.lines += 1,
                _ => {}
            }
            at += 1;
        };
        self.scan = Scan { depth, kinds, in_string, folded };
        self.at = at;
        result
    }
}

/// Whether a value can stand after `before`, which reaches back to the start of the outermost value.
fn value_may_follow(before: &[u8], in_object: bool) -> bool {
    match before.iter().rev().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b':') => in_object,
        Some(b'[' | b',') => !in_object,
        Some(_) => false,
        None => true, // the start of the value was dropped
    }
}

#[cfg(test)]
mod tests;
