//! The runs that a command is about.

use clap::Args;

/// Runs by name, or profiles by path; without any, all runs of the lake.
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// Name of a run, or the path or URL of a profile, which is read first; `*` stands for many [default: all runs]
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// The same as an option; may be given several times
    #[arg(long = "run", value_name = "RUN")]
    more: Vec<String>,
}

impl Runs {
    pub(super) fn names(&self) -> Vec<String> {
        self.runs.iter().chain(&self.more).cloned().collect()
    }
}
