//! The edges of the graph of a critical path.

/// What an edge means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EdgeKind {
    /// The host worked in an operator or a call.
    Host,
    /// The host worked in a call of a data loader.
    Loader,
    /// A kernel, copy or fill ran.
    Work,
    /// The delay from the end of a kernel, copy or fill to the start of the next one on its stream.
    KernelDelay,
    /// The delay from the start of a launch to the start of the launched work.
    LaunchDelay,
    /// The host waited for a device.
    Wait,
    /// An outermost call ended, and the next one of its thread started.
    Sequence,
    /// A call got the lock of the runtime from another call.
    Lock,
    /// A device finished the work that a call or another stream waited for.
    Sync,
}

impl EdgeKind {
    /// The name in the result of the function.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Loader => "loader",
            Self::Work => "work",
            Self::KernelDelay => "kernel_delay",
            Self::LaunchDelay => "launch_delay",
            Self::Wait => "wait",
            Self::Sequence => "sequence",
            Self::Lock => "lock",
            Self::Sync => "sync",
        }
    }
}

/// An edge of the graph. Nodes are numbers from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphEdge {
    pub(super) source: usize,
    pub(super) target: usize,
    /// At least 0.
    pub(super) weight: i64,
    pub(super) kind: EdgeKind,
    /// The row of the event that the edge stands for.
    pub(super) row: i64,
}
