//! Assigns events to tracks: the rows that a viewer draws, one for each thread and each stream.

use std::collections::HashMap;

use super::args::parse_canonical;
use super::implied::{ImpliedCategories, ImpliedCategory};
pub(super) use super::track_id::TrackId;
use crate::secret;

/// Maximum number of tracks, which no real trace reaches. Further tracks have no name.
const MAX_TRACKS: usize = 1 << 17;

/// Maximum number of tracks and names to copy for a section of a file that another thread decodes.
const MAX_COPIED: usize = 1 << 10;

/// Number of slots of the cache in which most events find their track.
const SLOTS: i64 = 64;

/// The identity of a track. A device and a process can have the same number, and so can a stream and a
/// thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct TrackIds {
    pid: TrackId,
    tid: TrackId,
    on_device: bool,
}

/// The side of a launch on which an event's track is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrackSide {
    Host,
    Device,
    /// The side of a flow is unknown: it is that of other events with these ids. If there are none,
    /// `else_device` says whether it is the device.
    Either {
        else_device: bool,
    },
}

/// One track.
#[derive(Debug, Clone)]
pub(super) struct KinetoTrack {
    ids: TrackIds,
    pub(super) name: Option<String>,
}

impl KinetoTrack {
    pub(super) fn pid(&self) -> Option<i64> {
        self.ids.pid.number()
    }

    pub(super) fn tid(&self) -> Option<i64> {
        self.ids.tid.number()
    }

    pub(super) fn process(&self) -> &TrackId {
        &self.ids.pid
    }

    pub(super) fn is_on_device(&self) -> bool {
        self.ids.on_device
    }
}

/// All tracks of a file. A track gets its name with its first event, so that it has only one name.
#[derive(Debug, Default, Clone)]
pub(super) struct KinetoTracks {
    threads: HashMap<(TrackId, TrackId), String>,
    processes: HashMap<TrackId, String>,
    implied: ImpliedCategories,
    /// The name of the process is part of a track's name.
    with_process: bool,
    list: Vec<KinetoTrack>,
    index: HashMap<TrackIds, usize>,
    /// Number of tracks and names that were added.
    changes: u64,
    /// `changes` at the time when this copy was made.
    changes_at_copy: u64,
    /// Tracks of recent events, in slots by their ids.
    cache: Vec<Option<(CacheKey, usize)>>,
}

/// Ids that are numbers, as nearly all are.
type CacheKey = (i64, i64, TrackSide);

impl KinetoTracks {
    pub(super) fn new(with_process: bool) -> Self {
        Self { with_process, cache: vec![None; 64], ..Self::default() }
    }

    /// A copy for a later section of the file. None if there is much to copy.
    pub(super) fn copy_for_section(&self) -> Option<Self> {
        let size = self.list.len() + self.threads.len() + self.processes.len();
        (size <= MAX_COPIED).then(|| Self { changes_at_copy: self.changes, ..self.clone() })
    }

    /// Takes the tracks and names that were added to a copy. Returns false, and takes none, if some were
    /// added here since it was made.
    pub(super) fn merge(&mut self, copy: Self) -> bool {
        let is_unchanged = copy.changes_at_copy == self.changes;
        if is_unchanged && copy.changes != copy.changes_at_copy {
            *self = copy;
        }
        is_unchanged
    }

    /// Records that a track or a name was added, which can change the track of some ids.
    fn mark_changed(&mut self) {
        self.changes += 1;
        self.cache.fill(None);
    }

    /// The number of an event's track. `ids` are `pid` and `tid` if the scanner parsed them.
    #[inline]
    pub(super) fn find(
        &mut self,
        pid: Option<&str>,
        tid: Option<&str>,
        ids: Option<(i64, i64)>,
        side: TrackSide,
    ) -> usize {
        let ids = ids.or_else(|| pid.and_then(parse_canonical).zip(tid.and_then(parse_canonical)));
        let Some((pid_number, tid_number)) = ids else { return self.look_up(pid, tid, side) };
        let cache_key = (pid_number, tid_number, side);
        // Flows and device work of the same ids get different slots, because they alternate.
        let side_number = match side {
            TrackSide::Host => 0,
            TrackSide::Device => 1,
            TrackSide::Either { else_device } => 2 + i64::from(else_device),
        };
        let hash = pid_number ^ tid_number.wrapping_mul(5) ^ side_number;
        let slot = usize::try_from(hash.rem_euclid(SLOTS)).unwrap_or(0);
        match self.cache.get(slot) {
            Some(Some((key, track))) if *key == cache_key => *track,
            _ => {
                let track = self.look_up(pid, tid, side);
                self.cache[slot] = Some((cache_key, track));
                track
            }
        }
    }

    /// The category of an event that has none, by the names of its process and thread.
    #[inline]
    pub(super) fn implied_category(&self, pid: Option<&str>, tid: Option<&str>) -> Option<ImpliedCategory> {
        self.implied.find(pid, tid)
    }

    /// The track with this number.
    pub(super) fn get(&self, track: usize) -> Option<&KinetoTrack> {
        self.list.get(track)
    }

    fn look_up(&mut self, pid: Option<&str>, tid: Option<&str>, side: TrackSide) -> usize {
        let on_device = side != TrackSide::Host;
        let mut ids = TrackIds { pid: TrackId::parse(pid), tid: TrackId::parse(tid), on_device };
        if let TrackSide::Either { else_device } = side
            && !self.index.contains_key(&ids)
        {
            ids.on_device = false;
            ids.on_device = else_device && !self.index.contains_key(&ids);
        }
        if let Some(track) = self.index.get(&ids) {
            return *track;
        }
        let name = if self.list.len() < MAX_TRACKS {
            self.name(&ids)
        } else {
            ids = TrackIds { pid: TrackId::None, tid: TrackId::None, on_device: false };
            if let Some(track) = self.index.get(&ids) {
                return *track;
            }
            None
        };
        self.mark_changed();
        self.list.push(KinetoTrack { ids: ids.clone(), name });
        self.index.insert(ids, self.list.len() - 1);
        self.list.len() - 1
    }

    fn name(&self, ids: &TrackIds) -> Option<String> {
        let thread = self.threads.get(&(ids.pid.clone(), ids.tid.clone()));
        // Python functions of an unknown thread have process 0 and thread 0. A stream can have the same ids.
        let thread = thread.filter(|name| ids.on_device || !name.starts_with("stream ")).cloned();
        let thread = thread.or_else(|| match &ids.tid {
            TrackId::Number(number) if ids.on_device => Some(format!("stream {number}")),
            TrackId::Number(number) => Some(format!("thread {number}")),
            TrackId::Text(text) => Some(text.clone()),
            TrackId::None => None,
        });
        let process = match &ids.pid {
            TrackId::Text(text) => Some(text.clone()),
            pid if self.with_process => self.processes.get(pid).cloned(),
            TrackId::Number(_) | TrackId::None => None,
        };
        let name = match (process, thread) {
            (Some(process), Some(thread)) => format!("{process} / {thread}"),
            (process, thread) => process.or(thread)?,
        };
        Some(secret::mask(&name).into_owned())
    }

    /// Names a thread. Returns false, and changes nothing, if the thread already has events with another
    /// name.
    pub(super) fn name_thread(&mut self, pid: TrackId, tid: TrackId, name: &str) -> bool {
        let name = &*secret::mask(name.trim());
        if self.implied.add_thread(&pid, &tid, name) {
            self.mark_changed();
        }
        if self.list.iter().any(|track| track.ids.pid == pid && track.ids.tid == tid) {
            return self.threads.get(&(pid, tid)).is_some_and(|known| known == name);
        }
        if self.threads.len() < MAX_TRACKS && !name.is_empty() {
            self.mark_changed();
            self.threads.insert((pid, tid), name.to_owned());
        }
        true
    }

    /// Names a process. Returns false, and changes nothing, if the process already has events with another
    /// name.
    pub(super) fn name_process(&mut self, pid: TrackId, name: &str) -> bool {
        let name = name.trim();
        if self.implied.add_process(&pid, name) {
            self.mark_changed();
            if self.list.iter().any(|track| track.ids.pid == pid) {
                return false;
            }
        }
        if !self.with_process || name.is_empty() {
            return true;
        }
        if self.list.iter().any(|track| track.ids.pid == pid) {
            return self.processes.get(&pid).is_some_and(|known| known == name);
        }
        if self.processes.len() < MAX_TRACKS {
            self.mark_changed();
            self.processes.insert(pid, name.to_owned());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(tracks: &mut KinetoTracks, pid: &str, tid: &str, on_device: bool) -> String {
        let side = if on_device { TrackSide::Device } else { TrackSide::Host };
        let track = tracks.find(Some(pid), Some(tid), pid.parse().ok().zip(tid.parse().ok()), side);
        let track = tracks.get(track).unwrap();
        format!("{:?} {:?} {}", track.pid(), track.tid(), track.name.as_deref().unwrap_or("-"))
    }

    #[test]
    fn numbers_in_any_form_are_one_track() {
        let mut tracks = KinetoTracks::new(false);
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
    fn flows_are_on_the_tracks_of_other_events() {
        let mut tracks = KinetoTracks::new(false);
        let device = tracks.find(Some("0"), Some("7"), Some((0, 7)), TrackSide::Device);
        let host = tracks.find(Some("4"), Some("4"), Some((4, 4)), TrackSide::Host);
        for else_device in [false, true] {
            assert_eq!(tracks.find(Some("0"), Some("7"), Some((0, 7)), TrackSide::Either { else_device }), device);
            assert_eq!(tracks.find(Some("4"), Some("4"), Some((4, 4)), TrackSide::Either { else_device }), host);
        }
        let new = tracks.find(Some("0"), Some("8"), Some((0, 8)), TrackSide::Either { else_device: true });
        assert_eq!(tracks.get(new).unwrap().name.as_deref(), Some("stream 8"));
    }

    #[test]
    fn a_track_keeps_its_first_name() {
        let mut tracks = KinetoTracks::new(false);
        let (pid, tid) = (TrackId::Number(1), TrackId::Number(2));
        assert!(tracks.name_thread(pid.clone(), tid.clone(), "thread 2 (python) "));
        assert!(tracks.name_process(pid.clone(), "python"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) thread 2 (python)");
        assert!(tracks.name_thread(pid.clone(), tid.clone(), "thread 2 (python)"));
        assert!(!tracks.name_thread(pid, tid, "thread 2 (gloo)"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) thread 2 (python)");
    }

    #[test]
    fn track_names_have_the_process_only_if_asked_for() {
        let mut tracks = KinetoTracks::new(true);
        assert!(tracks.name_process(TrackId::Number(1), "/device:GPU:0"));
        assert!(tracks.name_thread(TrackId::Number(1), TrackId::Number(2), "Stream #1"));
        assert_eq!(name(&mut tracks, "1", "2", false), "Some(1) Some(2) /device:GPU:0 / Stream #1");
        assert!(!tracks.name_process(TrackId::Number(1), "late"));
    }

    #[test]
    fn the_number_of_tracks_is_limited() {
        let mut tracks = KinetoTracks::new(false);
        for tid in 0..MAX_TRACKS + 2 {
            tracks.find(Some("1"), Some(&tid.to_string()), None, TrackSide::Host);
        }
        assert_eq!(tracks.list.len(), MAX_TRACKS + 1);
        assert_eq!(tracks.get(MAX_TRACKS).unwrap().name, None);
    }
}
