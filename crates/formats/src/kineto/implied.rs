//! Categories of events that have none, by the names of their process and thread.
//!
//! Three writers name the process instead of the category: `torch_npu` and msprof for Ascend (`trace_view.json`), the
//! profiler of JAX and TensorFlow (a process per device, a thread per stream of a GPU, threads of XLA's operations on a
//! TPU), and the autograd profiler of PyTorch before 1.8.1
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

/// A thread of a process of XLA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum XlaThread {
    /// A stream of a GPU. A GPU has a thread of operations, too, which repeats the work of its streams.
    Stream,
    /// What the core of a TPU does.
    Operations,
    /// What a TPU transfers at the same time.
    AsyncOperations,
}

/// Processes and threads with names that imply a category.
#[derive(Debug, Default, Clone)]
pub(super) struct ImpliedCategories {
    processes: HashMap<TrackId, ImpliedCategory>,
    /// Whether a process of Ascend has a name: others may have one called `Communication`.
    has_npu: bool,
    /// Threads with a name of XLA. The kind of device decides which of them have its work: other threads of its process
    /// repeat it.
    threads: HashMap<(TrackId, TrackId), XlaThread>,
    /// Processes with a thread of asynchronous operations.
    asynchronous: HashSet<TrackId>,
}

impl ImpliedCategories {
    /// Reads the name of a process. Returns true if it implies a category that was not known.
    pub(super) fn add_process(&mut self, pid: &TrackId, name: &str) -> bool {
        let Some(implied) = by_process(name).filter(|_| self.processes.len() < MAX_NAMES) else { return false };
        self.has_npu |= matches!(implied.raw, NPU_TASK | NPU_RUNTIME);
        self.processes.insert(pid.clone(), implied).is_none()
    }

    /// Reads the name of a thread. Returns true if it implies a category.
    pub(super) fn add_thread(&mut self, pid: &TrackId, tid: &TrackId, name: &str) -> bool {
        let thread = match name {
            "XLA Ops" => XlaThread::Operations,
            "Async XLA Ops" => XlaThread::AsyncOperations,
            _ if name.starts_with("Stream #") => XlaThread::Stream,
            _ => return false,
        };
        if self.threads.len() >= MAX_NAMES {
            return false;
        }
        if thread == XlaThread::AsyncOperations {
            self.asynchronous.insert(pid.clone());
        }
        self.threads.insert((pid.clone(), tid.clone()), thread).is_none()
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
        let thread = TrackId::parse(tid);
        match implied.raw {
            XLA_STREAM => (self.threads.get(&(id, thread)) == Some(&XlaThread::Stream)).then_some(implied),
            TPU_OPERATION => {
                let has_transfers = self.asynchronous.contains(&id);
                match self.threads.get(&(id, thread))? {
                    XlaThread::Stream => None,
                    XlaThread::Operations if has_transfers => Some(ImpliedCategory { raw: TPU_CORE, ..implied }),
                    XlaThread::Operations => Some(implied),
                    XlaThread::AsyncOperations => Some(ImpliedCategory { raw: TPU_TRANSFER, ..implied }),
                }
            }
            NPU_COMMUNICATION => self.has_npu.then_some(implied),
            // The thread is the device.
            CUDA_FUNCTION => Some(ImpliedCategory { device: thread.number(), ..implied }),
            _ => Some(implied),
        }
    }
}

const XLA_STREAM: &str = "\"gpu_stream\"";
const TPU_OPERATION: &str = "\"tpu_op\"";
/// An operation of the core, if another thread has what it transfers.
const TPU_CORE: &str = "\"tpu_core_op\"";
const TPU_TRANSFER: &str = "\"tpu_async_op\"";
const CUDA_FUNCTION: &str = "\"cuda_function\"";
const NPU_TASK: &str = "\"npu_task\"";
const NPU_RUNTIME: &str = "\"cann_runtime\"";
const NPU_COMMUNICATION: &str = "\"npu_communication\"";

/// Maximum number of processes and of streams with such names.
const MAX_NAMES: usize = 1 << 16;

/// The category that the name of a process implies.
fn by_process(name: &str) -> Option<ImpliedCategory> {
    Some(match name {
        "Ascend Hardware" => ImpliedCategory::new(NPU_TASK, Some(0)),
        "Communication" | "HCCL" => ImpliedCategory::new(NPU_COMMUNICATION, Some(0)),
        "CANN" => ImpliedCategory::new(NPU_RUNTIME, None),
        "CPU functions" => ImpliedCategory::new("\"cpu_op\"", None),
        "CUDA functions" => ImpliedCategory::new(CUDA_FUNCTION, None),
        _ => match name.strip_prefix("/device:TPU:") {
            Some(number) => ImpliedCategory::new(TPU_OPERATION, leading_number(number)),
            None => ImpliedCategory::new(XLA_STREAM, leading_number(name.strip_prefix("/device:GPU:")?)),
        },
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
        assert!(implied.add_thread(&pid, &stream, "Stream #14(Compute)"));
        assert!(!implied.add_thread(&pid, &TrackId::Number(16), "XLA Modules"));
        assert_eq!(implied.find(Some("1"), Some("14")), Some(ImpliedCategory::new(XLA_STREAM, Some(3))));
        assert_eq!(implied.find(Some("1"), Some("16")), None);
        let (tpu, operations) = (TrackId::Number(3), TrackId::Number(2));
        assert!(implied.add_process(&tpu, "/device:TPU:1"));
        assert!(implied.add_thread(&tpu, &operations, "XLA Ops"));
        assert_eq!(implied.find(Some("3"), Some("2")), Some(ImpliedCategory::new(TPU_OPERATION, Some(1))));
        assert!(implied.add_thread(&tpu, &stream, "Async XLA Ops"));
        assert_eq!(implied.find(Some("3"), Some("14")), Some(ImpliedCategory::new(TPU_TRANSFER, Some(1))));
        assert!(implied.add_thread(&pid, &operations, "XLA Ops"));
        assert_eq!(implied.find(Some("1"), Some("2")), None);
        assert!(!implied.add_thread(&tpu, &TrackId::Number(1), "Steps"));
        assert_eq!(implied.find(Some("3"), Some("2")), Some(ImpliedCategory::new(TPU_CORE, Some(1))));
        assert_eq!(implied.find(Some("3"), Some("1")), None);
        assert_eq!(implied.find(Some("\"CPU functions\""), Some("1")).unwrap().raw, "\"cpu_op\"");
        assert!(!implied.add_process(&pid, "Python"));
        let second = implied.find(Some("\"CUDA functions\""), Some("1"));
        assert_eq!(second, Some(ImpliedCategory::new(CUDA_FUNCTION, Some(1))));
        // A process of another program may be called so.
        assert!(implied.add_process(&TrackId::Number(5), "Communication"));
        assert_eq!(implied.find(Some("5"), Some("1")), None);
        assert!(implied.add_process(&TrackId::Number(6), "Ascend Hardware"));
        assert_eq!(implied.find(Some("5"), Some("1")).unwrap().raw, NPU_COMMUNICATION);
    }
}
