//! `tracelake compare`, `baseline` and `gate`: compare runs with other runs.

#![expect(clippy::disallowed_methods, reason = "rules are read here")]

use std::path::PathBuf;

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::{self, OutputArgs};
use crate::diagnosis::{Inconclusive, Rule, Rules};
use crate::error::{Error, ErrorKind};
use crate::session::Runs;
use crate::source;

/// The values that an argument for a group of runs accepts.
pub(super) const GROUP: &str = "runs: names, baselines, patterns such as 'job-*', conditions such as commit=3fa2, or paths of profiles, separated by commas; `\\,` is a comma in a name";

#[derive(Debug, Args)]
#[command(after_help = format!("A and B are {GROUP}.\n
Examples:
  tracelake compare before/profile after/profile
  tracelake compare main commit=3fa2 --format csv"))]
pub(super) struct CompareArgs {
    /// Baseline: the runs before the change
    a: String,
    /// Candidate: the runs after the change
    b: String,
    /// Use only this recording of each run of A; the first is 0 [default: all]
    #[arg(long)]
    a_span: Option<i64>,
    /// Use only this recording of each run of B; the first is 0 [default: all]
    #[arg(long)]
    b_span: Option<i64>,
    /// Noise between runs of the same code that is assumed: standard deviation divided by the value, 0.005 is 0.5 %
    #[arg(long, default_value_t = crate::statistics::NOISE)]
    noise: f64,
    /// Confidence level of the intervals, between 0 and 1
    #[arg(long, default_value_t = crate::statistics::CONFIDENCE)]
    confidence: f64,
    /// Number of operators and kernels to report, those with the largest changes
    #[arg(long, default_value_t = 20)]
    top: i64,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake baseline
  tracelake baseline main run_1 run_2 run_3
  tracelake baseline main 'branch=main'")]
pub(super) struct BaselineArgs {
    /// Name of the baseline [default: list the baselines]
    name: Option<String>,
    /// New runs of the baseline: names, patterns such as 'job-*' or conditions such as commit=3fa2 [default: list its runs]
    runs: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Baseline and candidate are {GROUP}.\nExit code 0: all limits are met; 1: a limit is not met; 6: none is known to fail, but some are inconclusive or have no data.\n
Examples:
  tracelake gate --baseline main --candidate path/to/profile --max-regression 1.02
  tracelake gate --baseline main --candidate my_run --rules rules.toml --junit gate.xml"))]
pub(super) struct GateArgs {
    /// Runs to compare the candidate with; limits on ratios need it
    #[arg(long)]
    baseline: Option<String>,
    /// Runs to check
    #[arg(long)]
    candidate: String,
    /// TOML file with rules
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Maximum share of time that processes wait for data, from 0 to 1
    #[arg(long, value_name = "RATIO")]
    max_loader_ratio: Option<f64>,
    /// Maximum ratio of the median step to that of the baseline, such as 1.02 for 2 % slower
    #[arg(long, value_name = "FACTOR")]
    max_regression: Option<f64>,
    /// Noise between runs of the same code that is assumed: standard deviation divided by the value, 0.005 is 0.5 %
    /// [default: 0.005]
    #[arg(long)]
    noise: Option<f64>,
    /// Confidence level at which a change counts as more than noise, between 0 and 1 [default: 0.95]
    #[arg(long)]
    confidence: Option<f64>,
    /// What to do if no limit fails, but some are inconclusive or have no data: report it by exit code 6, pass or fail
    /// [default: report]
    #[arg(long, value_name = "OUTCOME", value_parser = Inconclusive::WORDS)]
    inconclusive: Option<String>,
    /// Write the outcomes as JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the outcomes as Markdown to this file; `-` writes to stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the outcomes as JSON to this file; `-` writes to stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Returns the names in a list with commas. A comma after a backslash is part of a name. A local path is one name: it may
/// contain commas.
pub(super) fn split_names(text: &str) -> Vec<String> {
    if source::is_local(text) {
        return vec![text.to_owned()];
    }
    let (mut names, mut rest) = (vec![String::new()], text.chars());
    while let Some(c) = rest.next() {
        let Some(name) = names.last_mut() else { break };
        match c {
            '\\' if rest.as_str().starts_with(',') => name.extend(rest.next()),
            ',' => names.push(String::new()),
            c => name.push(c),
        }
    }
    names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// Returns the names as a session takes them.
pub(super) fn as_names(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

pub(super) fn compare(lake: &LakeArgs, arguments: CompareArgs) -> Result<(), CommandFailure> {
    let CompareArgs { a, b, a_span, b_span, noise, confidence, top, shown } = arguments;
    let output = shown.output()?;
    let options = crate::diagnosis::Compare { a_span, b_span, noise, confidence, top };
    let (a, b) = (split_names(&a), split_names(&b));
    let (a, b) = (as_names(&a), as_names(&b));
    output.write(&lake.open_for(&[&a[..], &b[..]].concat())?.compare_with(&a, &b, &options)?)
}

pub(super) fn baseline(lake: &LakeArgs, arguments: BaselineArgs) -> Result<(), CommandFailure> {
    if lake.ephemeral {
        return Err(LakeArgs::needs_path("`baseline` stores a name in the lake").into());
    }
    let session = lake.open_for(&arguments.runs)?;
    let Some(name) = arguments.name else {
        let all = session.baselines().map_err(CommandFailure::lake)?;
        return all.iter().try_for_each(|(name, runs)| output::print_line(&format!("{name}: {}", runs.join(", "))));
    };
    if arguments.runs.is_empty() {
        let runs = session.group(&name)?;
        return output::print_line(&format!("{name}: {}", runs.join(", ")));
    }
    let runs = session.resolve(&arguments.runs)?;
    session.set_baseline(&name, runs.iter().map(String::as_str).collect::<Vec<_>>())?;
    output::print_line(&format!("{name}: {}", runs.join(", ")))
}

/// Checks the rules. The exit code is that of the gate.
pub(super) fn gate(lake: &LakeArgs, arguments: GateArgs) -> Result<u8, CommandFailure> {
    let mut rules = match &arguments.rules {
        None => Rules::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Error::new(ErrorKind::NotFound, format!("cannot read {}: {error}", path.display())))?;
            Rules::from_toml(&text).map_err(|error| error.with_context("file", path.display().to_string()))?
        }
    };
    rules.rules.extend(arguments.max_regression.map(Rule::max_regression));
    rules.rules.extend(arguments.max_loader_ratio.map(Rule::max_loader_ratio));
    rules.noise = arguments.noise.unwrap_or(rules.noise);
    rules.confidence = arguments.confidence.unwrap_or(rules.confidence);
    if let Some(word) = &arguments.inconclusive {
        rules.inconclusive = Inconclusive::from_word(word)?;
    }
    if rules.rules.is_empty() {
        let error = Error::new(ErrorKind::Argument, "cannot check the runs: there are no rules")
            .with_hint("give a file with --rules rules.toml, or a limit such as --max-regression 1.02");
        return Err(error.into());
    }
    let baseline = arguments.baseline.as_deref().map(split_names).unwrap_or_default();
    let candidate = split_names(&arguments.candidate);
    let (baseline, candidate) = (as_names(&baseline), as_names(&candidate));
    let baseline_runs = if baseline.is_empty() { Runs::all() } else { Runs::from(&baseline) };
    let gate = lake.open_for(&[&baseline[..], &candidate[..]].concat())?.gate(baseline_runs, &candidate, &rules)?;
    let mut uses_stdout = false;
    for (file, text) in
        [(&arguments.junit, gate.junit()), (&arguments.markdown, gate.markdown()), (&arguments.json, gate.json())]
    {
        let Some(path) = file else { continue };
        if path.as_os_str() == "-" {
            uses_stdout = true;
            output::write_text(text.trim_end(), None)?;
        } else {
            output::write_text_file(&text, path)?;
        }
    }
    if !uses_stdout {
        output::print_line(&gate.text())?;
    }
    Ok(gate.exit_code())
}
