//! Categories of events that have none, by the names of their process and thread.
//!
//! Three writers name the process instead of the category: `torch_npu` and msprof for Ascend (`trace_view.json`), the
//! profiler of JAX and TensorFlow (a process per device, a thread per stream), and the autograd profiler of PyTorch before 1.8.1
//! (`export_chrome_trace` of `torch/autograd/profiler.py`, in which the process is a text).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::track_id::TrackId;
use crate::json;
use crate::number::leading_number;

/// A category that an event without one has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImpliedCategory {
    /// As JSON, like the categories in files.
    pub(super) raw: &'static str,
    /// Number of the device.
    pub(super) device: Option<i64>,
}

impl ImpliedCategory {
    const fn new(raw: &'static str, device: Option<i64>) -> Self {
        Self { raw, device }
    }
}

/// Processes and threads with names that imply a category.
#[derive(Debug, Default, Clone)]
pub(super) struct ImpliedCategories {
    processes: HashMap<TrackId, ImpliedCategory>,
    /// Streams of a device. Other threads of its process repeat the work of streams in larger units.
    streams: HashSet<(TrackId, TrackId)>,
}

impl ImpliedCategories {
    /// Reads the name of a process. Returns true if it implies a category.
    pub(super) fn add_process(&mut self, pid: &TrackId, name: &str) -> bool {
        let implied = by_process(name);
        self.processes.extend(implied.map(|implied| (pid.clone(), implied)));
        implied.is_some()
    }

    /// Reads the name of a thread.
    pub(super) fn add_thread(&mut self, pid: &TrackId, tid: &TrackId, name: &str) {
        if name.starts_with("Stream #") {
            self.streams.insert((pid.clone(), tid.clone()));
        }
    }

    /// The category of an event that has none.
    #[inline]
    pub(super) fn find(&self, pid: Option<&str>, tid: Option<&str>) -> Option<ImpliedCategory> {
        let is_text = pid.is_some_and(|pid| pid.starts_with('"'));
        if self.processes.is_empty() && !is_text { None } else { self.look_up(pid, tid) }
    }

    fn look_up(&self, pid: Option<&str>, tid: Option<&str>) -> Option<ImpliedCategory> {
        let id = TrackId::parse(pid);
        let implied = match self.processes.get(&id) {
            Some(implied) => *implied,
            None => by_process(&pid.and_then(json::unquote).unwrap_or(Cow::Borrowed("")))?,
        };
        let is_work = implied.raw != XLA_STREAM.raw || self.streams.contains(&(id, TrackId::parse(tid)));
        is_work.then_some(implied)
    }
}

const XLA_STREAM: ImpliedCategory = ImpliedCategory::new("\"gpu_stream\"", None);

/// The category that the name of a process implies.
fn by_process(name: &str) -> Option<ImpliedCategory> {
    Some(match name {
        "Ascend Hardware" => ImpliedCategory::new("\"npu_task\"", Some(0)),
        "Communication" | "HCCL" => ImpliedCategory::new("\"npu_communication\"", Some(0)),
        "CANN" => ImpliedCategory::new("\"cann_runtime\"", None),
        "CPU functions" => ImpliedCategory::new("\"cpu_op\"", None),
        "CUDA functions" => ImpliedCategory::new("\"cuda_function\"", Some(0)),
        _ => ImpliedCategory { device: leading_number(name.strip_prefix("/device:GPU:")?), ..XLA_STREAM },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_streams_of_a_device_of_jax_have_work() {
        let mut implied = ImpliedCategories::default();
        assert_eq!(implied.find(Some("1"), Some("14")), None);
        let (pid, stream) = (TrackId::Number(1), TrackId::Number(14));
        assert!(implied.add_process(&pid, "/device:GPU:3 (pid 1)"));
        implied.add_thread(&pid, &stream, "Stream #14(Compute)");
        implied.add_thread(&pid, &TrackId::Number(16), "XLA Modules");
        assert_eq!(implied.find(Some("1"), Some("14")), Some(ImpliedCategory { device: Some(3), ..XLA_STREAM }));
        assert_eq!(implied.find(Some("1"), Some("16")), None);
        assert_eq!(implied.find(Some("\"CPU functions\""), Some("1")).unwrap().raw, "\"cpu_op\"");
        assert!(!implied.add_process(&pid, "Python"));
    }
}
