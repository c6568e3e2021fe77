//! The arguments that select runs.

use clap::Args;

/// Runs by name, or profiles by path. Without arguments, all runs of the lake.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Name of a run, or path or URL of a profile, which is read first; `*` matches several runs or profiles [default: all runs]
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// The same as RUN, as an option; may be given several times
    #[arg(long = "run", value_name = "RUN")]
    run_options: Vec<String>,
}

impl RunArgs {
    pub(super) fn names(&self) -> Vec<String> {
        self.runs.iter().chain(&self.run_options).cloned().collect()
    }
}
