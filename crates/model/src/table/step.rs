//! `step`: the steps of a training loop, as each rank marked them.

use super::data_table;

data_table! {
    "step",
    "One row per step of a rank.",
    Step, Builder {
        span: Bigint Id "recording of the process within the run, from 0",
        step: Bigint Id "step number as the profiler wrote it",
        mode: Text Name "train, eval, predict or global",
        ts: Bigint Time "start",
        dur: Bigint Ns "duration",
        complete: Boolean Flag "false when the recording ended inside the step",
    }
}

/// The closed list of `step.mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Training.
    Train,
    /// Evaluation.
    Eval,
    /// Prediction.
    Predict,
    /// The script did not say.
    Global,
}

impl Mode {
    /// The word in the column.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Eval => "eval",
            Self::Predict => "predict",
            Self::Global => "global",
        }
    }
}
