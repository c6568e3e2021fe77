//! `step`: the steps of a training loop, as marked by each rank.

use super::{data_table, words};

data_table! {
    "step",
    "One row per step of a rank.",
    Step, Builder {
        span: Bigint Id "recording of the rank within the run, from 0; other processes of a file: `object`, and their ordinal from bit 32 on",
        step: Bigint Id "step number as the profiler wrote it",
        mode: Text Name "train, eval, predict or global; of a trace, train if the step has backward or optimizer work; null when unknown: filter with IS DISTINCT FROM, not with !=",
        ts: Bigint Time "start",
        dur: Bigint Ns "duration",
        complete: Boolean Flag "false when the recording ended inside the step",
        process: Text Name "process as the profiler named it, a number or a text",
    }
}

words!(
    /// The closed list of `step.mode`.
    Mode {
        /// Training.
        Train = "train",
        /// Evaluation.
        Eval = "eval",
        /// Prediction.
        Predict = "predict",
        /// Not specified by the script.
        Global = "global",
    }
);
