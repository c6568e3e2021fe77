//! `event`: what a framework profiler saw, on host or device.

use super::data_table;

data_table! {
    "event",
    "One row per interval or instant that a framework profiler recorded, on host or device.",
    Event, Builder {
        span: Bigint Id "recording of the process within the run, from 0",
        category: Text Name "kind of work, from a closed list (operator, kernel, loader, phase, ...)",
        raw_category: Text Name "category as the profiler named it",
        name: Text Name "name of the event",
        track: Text Name "row of the event in a trace viewer: phase, thread or stream",
        ts: Bigint Time "start",
        dur: Bigint Ns "duration; null for an instant",
        step: Bigint Id "step the profiler wrote on the event; null when it wrote none",
        mode: Text Name "train, eval, predict or global, if the profiler recorded it",
        pid: Bigint Id "operating system process id",
        tid: Bigint Id "thread id",
        device: Text Name "device it ran on (cpu, gpu0, ...)",
        stream: Bigint Id "device stream",
        correlation: Bigint Id "links a launch to the device work that it launched",
        external_id: Bigint Id "links device work to the operator that launched it",
        args: Text Json "everything else the profiler wrote on the event",
    }
}

/// The closed list of `event.category`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Mark of a training step.
    Step,
    /// Framework operator.
    Operator,
    /// Kernel on a device.
    Kernel,
    /// Memory copy.
    Memcpy,
    /// Memory set.
    Memset,
    /// Collective or point-to-point communication.
    Communication,
    /// Call into the device runtime.
    Runtime,
    /// Call into the device driver.
    Driver,
    /// Synchronization.
    Sync,
    /// Action of a data loader.
    Loader,
    /// Python function.
    Python,
    /// Module of the model.
    Module,
    /// Mark that a user set.
    Annotation,
    /// Memory event.
    Memory,
    /// Work of the profiler itself.
    Overhead,
    /// Phase of a step (forward, backward).
    Phase,
    /// Arrow between two events.
    Flow,
    /// Anything else.
    Other,
}

impl Category {
    /// The word in the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Operator => "operator",
            Self::Kernel => "kernel",
            Self::Memcpy => "memcpy",
            Self::Memset => "memset",
            Self::Communication => "communication",
            Self::Runtime => "runtime",
            Self::Driver => "driver",
            Self::Sync => "sync",
            Self::Loader => "loader",
            Self::Python => "python",
            Self::Module => "module",
            Self::Annotation => "annotation",
            Self::Memory => "memory",
            Self::Overhead => "overhead",
            Self::Phase => "phase",
            Self::Flow => "flow",
            Self::Other => "other",
        }
    }
}
