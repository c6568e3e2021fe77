//! Finds the process of a track, and names processes.

use std::collections::BTreeSet;

/// The values that rows of `event` on one track of one object share.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TrackKey {
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    pub(super) object: i64,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) track: Option<String>,
    /// Device that ran the events, if it is not the CPU.
    pub(super) device: Option<String>,
}

/// An object of the run, as far as names need it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TraceObject {
    /// Number of the recording, which separates the processes of recordings without a rank; 0: not a recording.
    pub(super) recording: i64,
    /// Name of the file.
    pub(super) file: String,
    /// True if the name of a track always begins with the name of the process.
    pub(super) process_in_track: bool,
}

/// Identifies a process; the order is that in the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ProcessKey {
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    /// Number of the recording if there is no rank, else 0.
    pub(super) recording: i64,
    pub(super) kind: ProcessKind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ProcessKind {
    /// A process of the host: number and name.
    Numbered(i64, Option<String>),
    /// A device: number and name.
    Device(Option<i64>, String),
    /// A group of tracks of the profiler without a number, by name.
    Named(String),
    /// Measurements.
    Resources,
    /// Events without a process.
    Other,
}

/// Returns the process of a track, and the name of its thread.
pub(super) fn process_of(key: &TrackKey, object: &TraceObject) -> (ProcessKey, Option<String>) {
    let split = key.track.as_deref().and_then(|track| track.split_once(" / "));
    let in_track = split.filter(|_| object.process_in_track || key.pid.is_none());
    let process = in_track.map(|(process, _)| process.to_owned());
    // The reader of PyTorch's traces uses the name of a thread unchanged.
    let thread = match in_track {
        Some((_, thread)) if object.process_in_track => Some(thread.to_owned()),
        _ => key.track.clone(),
    };
    let kind = match (&key.device, key.pid, process) {
        (Some(device), pid, process) => ProcessKind::Device(pid, process.unwrap_or_else(|| device.clone())),
        (None, Some(pid), process) => ProcessKind::Numbered(pid, process),
        (None, None, Some(process)) => ProcessKind::Named(process),
        (None, None, None) => ProcessKind::Other,
    };
    let recording = if key.rank.is_some() { 0 } else { object.recording };
    (ProcessKey { node: key.node.clone(), rank: key.rank, recording, kind }, thread)
}

/// The parts that names of processes need to be unique.
#[derive(Debug)]
pub(super) struct ProcessNaming {
    with_node: bool,
    with_file: bool,
}

impl ProcessNaming {
    pub(super) fn new<'a>(processes: impl Iterator<Item = &'a ProcessKey>) -> Self {
        let (mut nodes, mut recordings) = (BTreeSet::new(), BTreeSet::new());
        for process in processes {
            nodes.insert(&process.node);
            if process.recording != 0 {
                recordings.insert(process.recording);
            }
        }
        Self { with_node: nodes.len() > 1, with_file: recordings.len() > 1 }
    }

    /// Returns the name of a process of this object.
    pub(super) fn name(&self, process: &ProcessKey, object: &TraceObject) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(process.node.clone().filter(|_| self.with_node));
        parts.extend(process.rank.map(|rank| format!("rank {rank}")));
        parts.extend((self.with_file && process.recording != 0).then(|| object.file.clone()));
        match &process.kind {
            ProcessKind::Numbered(_, Some(name)) | ProcessKind::Device(_, name) | ProcessKind::Named(name) => {
                parts.push(name.clone());
            }
            // Readers of other traces would add the number to the names of the tracks.
            ProcessKind::Numbered(pid, None) if !object.process_in_track || !parts.is_empty() => {
                parts.push(format!("pid {pid}"));
            }
            ProcessKind::Numbered(..) | ProcessKind::Other => {}
            ProcessKind::Resources => parts.push("resources".to_owned()),
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
