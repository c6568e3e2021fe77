//! `tracelake diagnose`: the findings of runs.

#![expect(clippy::disallowed_methods, reason = "a file of thresholds is read here")]

use std::path::PathBuf;

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::{LakeArgs, RunArgs};
use super::output::{self, OutputArgs};
use crate::error::{Error, ErrorKind};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake diagnose path/to/profile
  tracelake diagnose my_run --set load_share_high.critical=0.4
  tracelake diagnose --all --format csv")]
pub(super) struct DiagnoseArgs {
    #[command(flatten)]
    runs: RunArgs,
    /// TOML file with parameters of findings: a table such as [load_share_high], and in it lines such as critical = 0.4
    #[arg(long, value_name = "FILE")]
    thresholds: Option<PathBuf>,
    /// Parameter of a finding, such as --set load_share_high.critical=0.4; may be given several times
    #[arg(long = "set", value_name = "FINDING.PARAMETER=VALUE", value_parser = setting)]
    settings: Vec<(String, String, String)>,
    /// Write a row for every finding, with any outcome, instead of the text
    #[arg(long)]
    all: bool,
    /// Show the decision tree of PyTorch's data-loading tutorial, with the path of each run, instead of the findings
    #[arg(long, conflicts_with = "all")]
    tree: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

fn setting(text: &str) -> Result<(String, String, String), String> {
    let split = text.split_once('=').and_then(|(name, value)| Some((name.split_once('.')?, value)));
    let ((finding, name), value) = split.ok_or("expected FINDING.PARAMETER=VALUE")?;
    Ok((finding.trim().to_owned(), name.trim().to_owned(), value.trim().to_owned()))
}

/// Runs the command and returns the exit code: 1 when a finding is critical.
pub(super) fn run(lake: &LakeArgs, arguments: DiagnoseArgs) -> Result<u8, CommandFailure> {
    let mut thresholds = match &arguments.thresholds {
        Some(file) => std::fs::read_to_string(file).map_err(|error| {
            Error::new(ErrorKind::NotFound, format!("cannot read the thresholds of {}: {error}", file.display()))
        })?,
        None => String::new(),
    };
    for (finding, name, value) in &arguments.settings {
        // At the end of the file, a dotted key would belong to the last table.
        let value = if is_toml(value) { value.clone() } else { format!("{value:?}") };
        thresholds = format!("{finding}.{name} = {value}\n{thresholds}");
    }
    let rows = arguments.all || arguments.shown.wants_rows();
    let output = arguments.shown.output()?;
    let runs = arguments.runs.names();
    let session = lake.open_for(&runs)?;
    let diagnosis = session.diagnose(super::non_empty(&runs), &thresholds)?;
    let tree = if arguments.tree { Some(diagnosis.tree(&session)?) } else { None };
    if rows {
        output.write(tree.as_ref().map_or(&diagnosis.frame, |tree| &tree.frame))?;
    } else {
        let text = tree.map_or_else(|| diagnosis.to_string(), |tree| tree.to_string());
        output::print_line(text.trim_end())?;
    }
    Ok(u8::from(diagnosis.is_critical()))
}

/// Returns whether TOML accepts the value as it is: a number, a boolean or a quoted text.
fn is_toml(value: &str) -> bool {
    value.parse::<f64>().is_ok() || value == "true" || value == "false" || value.starts_with(['"', '\''])
}
