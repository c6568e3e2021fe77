//! Whose a process is, and how it is called.

use std::collections::BTreeSet;

/// Rows of `event` of one object that lie on one track.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TrackKey {
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    pub(super) object: i64,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) track: Option<String>,
    /// Device whose work it is, if it is a device's.
    pub(super) device: Option<String>,
}

/// What is known of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Object {
    /// A number for a recording without a rank: nothing else tells its processes from those of another one. 0: none.
    pub(super) nameless: i64,
    /// Its file.
    pub(super) file: String,
    /// Names of its tracks begin with that of the process, whatever its number is.
    pub(super) process_in_track: bool,
}

/// Whose a process is, and which: in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Owner {
    pub(super) node: Option<String>,
    pub(super) rank: Option<i64>,
    pub(super) nameless: i64,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A process of the host.
    Numbered(i64, Option<String>),
    Device(Option<i64>, String),
    /// What a profiler keeps beside processes, by name.
    Named(String),
    /// Measurements.
    Resources,
    /// Events of no process.
    Other,
}

/// The process of a row, and how its thread is called.
pub(super) fn owner(seen: &TrackKey, object: &Object) -> (Owner, Option<String>) {
    let split = seen.track.as_deref().and_then(|track| track.split_once(" / "));
    let in_track = split.filter(|_| object.process_in_track || seen.pid.is_none());
    let process = in_track.map(|(process, _)| process.to_owned());
    // A reader of PyTorch's traces takes the name of a thread as it is.
    let thread = match in_track {
        Some((_, thread)) if object.process_in_track => Some(thread.to_owned()),
        _ => seen.track.clone(),
    };
    let kind = match (&seen.device, seen.pid, process) {
        (Some(device), pid, process) => Kind::Device(pid, process.unwrap_or_else(|| device.clone())),
        (None, Some(pid), process) => Kind::Numbered(pid, process),
        (None, None, Some(process)) => Kind::Named(process),
        (None, None, None) => Kind::Other,
    };
    let nameless = if seen.rank.is_some() { 0 } else { object.nameless };
    (Owner { node: seen.node.clone(), rank: seen.rank, nameless, kind }, thread)
}

/// What has to be said of a process so that no other one is called the same.
#[derive(Debug)]
pub(super) struct Naming {
    nodes: bool,
    files: bool,
}

impl Naming {
    pub(super) fn new<'a>(owners: impl Iterator<Item = &'a Owner>) -> Self {
        let (mut nodes, mut files) = (BTreeSet::new(), BTreeSet::new());
        for owner in owners {
            nodes.insert(&owner.node);
            if owner.nameless != 0 {
                files.insert(owner.nameless);
            }
        }
        Self { nodes: nodes.len() > 1, files: files.len() > 1 }
    }

    pub(super) fn name(&self, owner: &Owner, file: &str, chrome: bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(owner.node.clone().filter(|_| self.nodes));
        parts.extend(owner.rank.map(|rank| format!("rank {rank}")));
        parts.extend(Some(file.to_owned()).filter(|_| self.files && owner.nameless != 0));
        match &owner.kind {
            Kind::Numbered(_, Some(name)) | Kind::Device(_, name) | Kind::Named(name) => parts.push(name.clone()),
            // Readers of other traces would make the number a part of the names of the tracks.
            Kind::Numbered(pid, None) if !chrome || !parts.is_empty() => parts.push(format!("pid {pid}")),
            Kind::Numbered(..) | Kind::Other => {}
            Kind::Resources => parts.push("resources".to_owned()),
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
