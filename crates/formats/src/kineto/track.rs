//! Tracks: the rows a viewer would draw, one for each thread and each stream.

use std::borrow::Cow;
use std::collections::HashMap;

use super::args::canonical;
use crate::{json, secret};

/// More tracks than any trace has; further ones stay without a name.
const MAX_TRACKS: usize = 1 << 17;

/// Tracks and names that are copied for each section of a file that is decoded ahead.
const FEW: usize = 1 << 10;

/// Slots of the cache that most events find their track in.
const SLOTS: i64 = 64;

/// A process or thread as events name it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) enum Id {
    /// Not told.
    #[default]
    None,
    /// A number, also of a text such as `"stream 7 "`.
    Number(i64),
    /// Any other text.
    Text(String),
}

impl Id {
    /// Reads a `pid` or `tid`.
    pub(super) fn parse(raw: Option<&str>) -> Self {
        let Some(raw) = raw.filter(|raw| *raw != "null") else { return Self::None };
        if let Ok(number) = raw.parse() {
            return Self::Number(number);
        }
        let text = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
        let text = text.trim();
        let number = text.strip_prefix("stream ").unwrap_or(text).parse();
        match number {
            Ok(number) => Self::Number(number),
            Err(_) if text.is_empty() => Self::None,
            Err(_) => Self::Text(text.to_owned()),
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::None | Self::Text(_) => None,
        }
    }
}

/// What tells one track from another. Numbers of devices and processes, and of streams and threads, can be
/// the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    pid: Id,
    tid: Id,
    on_device: bool,
}

/// On which side of a launch an event's track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    Host,
    Device,
    /// A flow does not say: on the one where other events of these ids are, else as told.
    Either {
        else_device: bool,
    },
}

/// One track.
#[derive(Debug, Clone)]
pub(super) struct Track {
    key: Key,
    name: Option<String>,
}

impl Track {
    pub(super) fn pid(&self) -> Option<i64> {
        self.key.pid.number()
    }

    pub(super) fn tid(&self) -> Option<i64> {
        self.key.tid.number()
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// All tracks of a file. A name holds from the first event of its track on, so that a track has only one.
#[derive(Debug, Clone)]
pub(super) struct Tracks {
    threads: HashMap<(Id, Id), String>,
    processes: HashMap<Id, String>,
    /// Processes are part of a track's name.
    with_process: bool,
    list: Vec<Track>,
    index: HashMap<Key, usize>,
    /// How often a track or a name was added, and how often that was when this was a copy.
    changes: u64,
    copied: u64,
    /// The last event's ids, raw, and its track, by a few of their bits.
    cache: Vec<Option<(Cached, usize)>>,
}

/// Ids of numbers, which nearly all are.
type Cached = (i64, i64, Where);

impl Tracks {
    pub(super) fn new(with_process: bool) -> Self {
        Self {
            threads: HashMap::new(),
            processes: HashMap::new(),
            with_process,
            list: Vec::new(),
            index: HashMap::new(),
            changes: 0,
            copied: 0,
            cache: vec![None; 64],
        }
    }

    /// A copy for a later part of the file; none if it would be large.
    pub(super) fn few(&self) -> Option<Self> {
        let all = self.list.len() + self.threads.len() + self.processes.len();
        (all <= FEW).then(|| Self { copied: self.changes, ..self.clone() })
    }

    /// Takes what was added to a copy, if nothing has been added here since.
    pub(super) fn join(&mut self, copy: Self) -> bool {
        let same = copy.copied == self.changes;
        if same && copy.changes != copy.copied {
            *self = copy;
        }
        same
    }

    /// A track or a name was added: what was found before may be found elsewhere from now on.
    fn changed(&mut self) {
        self.changes += 1;
        self.cache.fill(None);
    }

    /// The number of an event's track; `ids` are `pid` and `tid` where they were read already.
    #[inline]
    pub(super) fn find(&mut self, pid: Option<&str>, tid: Option<&str>, ids: Option<(i64, i64)>, side: Where) -> usize {
        let ids = ids.or_else(|| pid.and_then(canonical).zip(tid.and_then(canonical)));
        let Some((pid_bits, tid_bits)) = ids else { return self.look_up(pid, tid, side) };
        let cached = (pid_bits, tid_bits, side);
        // flows and device work of the same ids take turns
        let turn = match side {
            Where::Host => 0,
            Where::Device => 1,
            Where::Either { else_device } => 2 + i64::from(else_device),
        };
        let spread = pid_bits ^ tid_bits.wrapping_mul(5) ^ turn;
        let slot = usize::try_from(spread.rem_euclid(SLOTS)).unwrap_or(0);
        if let Some(Some((key, track))) = self.cache.get(slot)
            && *key == cached
        {
            return *track;
        }
        let track = self.look_up(pid, tid, side);
        if let Some(entry) = self.cache.get_mut(slot) {
            *entry = Some((cached, track));
        }
        track
    }

    /// The track of this number.
    pub(super) fn get(&self, track: usize) -> Option<&Track> {
        self.list.get(track)
    }

    fn look_up(&mut self, pid: Option<&str>, tid: Option<&str>, side: Where) -> usize {
        let mut key = Key { pid: Id::parse(pid), tid: Id::parse(tid), on_device: side != Where::Host };
        if let Where::Either { else_device } = side
            && !self.index.contains_key(&key)
        {
            key.on_device = false;
            key.on_device = else_device && !self.index.contains_key(&key);
        }
        if let Some(track) = self.index.get(&key) {
            return *track;
        }
        let name = if self.list.len() < MAX_TRACKS {
            self.name(&key)
        } else {
            key = Key { pid: Id::None, tid: Id::None, on_device: false };
            if let Some(track) = self.index.get(&key) {
                return *track;
            }
            None
        };
        self.changed();
        self.list.push(Track { key: key.clone(), name });
        self.index.insert(key, self.list.len() - 1);
        self.list.len() - 1
    }

    fn name(&self, key: &Key) -> Option<String> {
        let thread = self.threads.get(&(key.pid.clone(), key.tid.clone()));
        // Python functions whose thread is unknown stand on process 0, thread 0, which is a stream too
        let thread = thread.filter(|name| key.on_device || !name.starts_with("stream ")).cloned();
        let thread = thread.or_else(|| match &key.tid {
            Id::Number(number) if key.on_device => Some(format!("stream {number}")),
            Id::Number(number) => Some(format!("thread {number}")),
            Id::Text(text) => Some(text.clone()),
            Id::None => None,
        });
        let process = match &key.pid {
            Id::Text(text) => Some(text.clone()),
            pid if self.with_process => self.processes.get(pid).cloned(),
            Id::Number(_) | Id::None => None,
        };
        let name = match (process, thread) {
            (Some(process), Some(thread)) => format!("{process} / {thread}"),
            (process, thread) => process.or(thread)?,
        };
        Some(secret::mask(&name).into_owned())
    }

    /// A thread gets its name; false if it comes after events of the thread, and changes nothing.
    pub(super) fn name_thread(&mut self, pid: Id, tid: Id, name: &str) -> bool {
        let name = &*secret::mask(name.trim());
        let known = self.list.iter().any(|track| track.key.pid == pid && track.key.tid == tid);
        if known {
            return self.threads.get(&(pid, tid)).is_some_and(|known| known == name);
        }
        if self.threads.len() < MAX_TRACKS && !name.is_empty() {
            self.changed();
            self.threads.insert((pid, tid), name.to_owned());
        }
        true
    }

    /// A process gets its name; false if it comes after events of the process.
    pub(super) fn name_process(&mut self, pid: Id, name: &str) -> bool {
        let name = name.trim();
        if !self.with_process || name.is_empty() {
            return true;
        }
        if self.list.iter().any(|track| track.key.pid == pid) {
            return self.processes.get(&pid).is_some_and(|known| known == name);
        }
        if self.processes.len() < MAX_TRACKS {
            self.changed();
            self.processes.insert(pid, name.to_owned());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(tracks: &mut Tracks, pid: &str, tid: &str, on_device: bool) -> String {
        let on_device = if on_device { Where::Device } else { Where::Host };
        let track = tracks.find(Some(pid), Some(tid), pid.parse().ok().zip(tid.parse().ok()), on_device);
        let track = tracks.get(track).unwrap();
        format!("{:?} {:?} {}", track.pid(), track.tid(), track.name().unwrap_or("-"))
    }

    #[test]
    fn numbers_in_every_dress_are_one_track() {
        let mut tracks = Tracks::new(false);
        assert_eq!(name(&mut tracks, "25738", "\"25738\"", false), "Some(25738) Some(25738) thread 25738");
        assert_eq!(name(&mut tracks, "0", "\"stream 7 \"", true), "Some(0) Some(7) stream 7");
        assert_eq!(name(&mut tracks, "0", "7", true), "Some(0) Some(7) stream 7");
        assert_eq!(name(&mut tracks, "0", "7", false), "Some(0) Some(7) thread 7");
        assert_eq!(tracks.list.len(), 3);
        assert_eq!(name(&mut tracks, "\"Spans\"", "\"PyTorch Profiler\"", false), "None None Spans / PyTorch Profiler");
        assert_eq!(name(&mut tracks, "\"\"", "\"\"", false), "None None -");
        assert_eq!(name(&mut tracks, "null", "18446744073709551615", false), "None None 18446744073709551615");
    }

    #[test]
    fn flows_end_where_other_events_are() {
        let mut tracks = Tracks::new(false);
        let device = tracks.find(Some("0"), Some("7"), Some((0, 7)), Where::Device);
        let host = tracks.find(Some("4"), Some("4"), Some((4, 4)), Where::Host);
        for else_device in [false, true] {
            assert_eq!(tracks.find(Some("0"), Some("7"), Some((0, 7)), Where::Either { else_device }), device);
            assert_eq!(tracks.find(Some("4"), Some("4"), Some((4, 4)), Where::Either { else_device }), host);
        }
        let new = tracks.find(Some("0"), Some("8"), Some((0, 8)), Where::Either { else_device: true });
        assert_eq!(tracks.get(new).unwrap().name(), Some("stream 8"));
    }

    #[test]
    fn a_track_keeps_its_first_name() {
        let mut tracks = Tracks::new(false);
        let (pid, tid) = (Id::Number(1), Id::Number(2));
        assert!(tracks.name_thread(pid.clone(), tid.clone(), "thread 2 (python) "));
        assert!(tracks.name_process(pid.clone(), "python"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) thread 2 (python)");
        assert!(tracks.name_thread(pid.clone(), tid.clone(), "thread 2 (python)"));
        assert!(!tracks.name_thread(pid, tid, "thread 2 (gloo)"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) thread 2 (python)");
    }

    #[test]
    fn processes_are_named_where_it_matters() {
        let mut tracks = Tracks::new(true);
        assert!(tracks.name_process(Id::Number(1), "/device:GPU:0"));
        assert!(tracks.name_thread(Id::Number(1), Id::Number(2), "Stream #1"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) /device:GPU:0 / Stream #1");
        assert!(!tracks.name_process(Id::Number(1), "late"));
    }

    #[test]
    fn tracks_are_bounded() {
        let mut tracks = Tracks::new(false);
        for tid in 0..MAX_TRACKS + 2 {
            tracks.find(Some("1"), Some(&tid.to_string()), None, Where::Host);
        }
        assert_eq!(tracks.list.len(), MAX_TRACKS + 1);
        assert_eq!(tracks.get(MAX_TRACKS).unwrap().name(), None);
    }
}
