//! `event`: intervals and instants that a framework profiler recorded, on host or device.

use super::{data_table, words};

data_table! {
    "event",
    "One row per interval or instant that a framework profiler recorded, on host or device.",
    Event, Builder {
        span: Bigint Id "recording of the rank within the run, from 0; other processes of a file: `object`, and their ordinal from bit 32 on",
        category: Text Name "kind of work, from a closed list (operator, kernel, loader, phase, ...)",
        raw_category: Text Name "category as the profiler named it",
        name: Text Name "name of the event",
        track: Text Name "row of the event in a trace viewer: phase, thread or stream",
        ts: Bigint Time "start",
        dur: Bigint Ns "duration; null for an instant",
        step: Bigint Id "step the profiler wrote on the event; null when it wrote none",
        mode: Text Name "train, eval, predict or global, if the profiler recorded it",
        pid: Bigint Id "operating system process id; null when the profiler wrote a text",
        tid: Bigint Id "thread id",
        device: Text Name "device it ran on (cpu, gpu0, ...)",
        stream: Bigint Id "device stream",
        correlation: Bigint Id "links a launch to the device work that it launched; unique in a file",
        external_id: Bigint Id "links device work to the operator that launched it; unique in a file",
        args: Text Json "everything else the profiler wrote on the event",
        process: Text Name "process as the profiler named it, a number or a text; of device work, the process that launched it",
    } derived {
        call_path: Bigint Id "`row` in `call_path`: the path of a call, or that of the innermost call around a launch or an allocation; null for other events",
        python_path: Bigint Id "`row` in `call_path` of the innermost Python function or module around the event on its thread",
        parent_row: Bigint Id "`row` of the innermost call around it on its thread, in the same file; of a Python function the innermost Python function",
        overlap_dur: Bigint Ns "part of `dur` that an earlier call directly inside the same call covers, too; null when there is none",
    }
}

words!(
    /// The closed list of `event.category`.
    Category {
        /// Mark of a training step.
        Step = "step",
        /// Framework operator.
        Operator = "operator",
        /// Kernel on a device.
        Kernel = "kernel",
        /// Memory copy.
        Memcpy = "memcpy",
        /// Memory set.
        Memset = "memset",
        /// Collective or point-to-point communication.
        Communication = "communication",
        /// Call into the device runtime.
        Runtime = "runtime",
        /// Call into the device driver.
        Driver = "driver",
        /// Synchronization.
        Sync = "sync",
        /// Action of a data loader.
        Loader = "loader",
        /// Python function.
        Python = "python",
        /// Module of the model.
        Module = "module",
        /// Mark set by the user.
        Annotation = "annotation",
        /// Memory event.
        Memory = "memory",
        /// Work of the profiler itself.
        Overhead = "overhead",
        /// Phase of a step (forward, backward).
        Phase = "phase",
        /// Arrow between two events.
        Flow = "flow",
        /// Any other category.
        Other = "other",
    }
);
