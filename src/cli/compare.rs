//! `tracelake compare`, `baseline` and `gate`: runs held against others.

#![expect(clippy::disallowed_methods, reason = "rules are read here")]

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::output::{self, Shown};
use super::place::Place;
use crate::diagnosis::{Rule, Rules};
use crate::error::{Error, ErrorKind};
use crate::source;

/// What every name of runs may be.
pub(super) const GROUP: &str = "runs: names, baselines, patterns such as 'job-*', conditions such as commit=3fa2, or paths of profiles, separated by commas";

#[derive(Debug, Args)]
#[command(after_help = format!("A and B are {GROUP}."))]
pub(super) struct Compare {
    /// What was
    a: String,
    /// What is
    b: String,
    /// Only this recording of the runs of A
    #[arg(long)]
    a_span: Option<i64>,
    /// Only this recording of the runs of B
    #[arg(long)]
    b_span: Option<i64>,
    /// Standard deviation between runs of the same code over the value, where it cannot be measured
    #[arg(long, default_value_t = crate::statistics::NOISE)]
    noise: f64,
    /// How often the intervals hold the true ratio
    #[arg(long, default_value_t = crate::statistics::CONFIDENCE)]
    confidence: f64,
    /// How many operators and kernels, those with the greatest changes
    #[arg(long, default_value_t = 20)]
    top: i64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Args)]
pub(super) struct Baseline {
    /// Name of the baseline; without one the baselines are listed
    name: Option<String>,
    /// Its runs from now on: names, patterns such as 'job-*' or conditions such as commit=3fa2
    runs: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Baseline and candidate are {GROUP}.\nExit code 0: all limits hold; 1: a limit is broken, or there is not enough data."))]
pub(super) struct Gate {
    /// What the candidate is held against
    #[arg(long)]
    baseline: Option<String>,
    /// What is judged
    #[arg(long)]
    candidate: String,
    /// File of rules, TOML
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The share of time that processes wait for data is at most this
    #[arg(long, value_name = "RATIO")]
    max_load_ratio: Option<f64>,
    /// The median step is at most so many times that of the baseline
    #[arg(long, value_name = "FACTOR")]
    max_regression: Option<f64>,
    /// Standard deviation between runs of the same code over the value, where it cannot be measured [default: 0.005]
    #[arg(long)]
    noise: Option<f64>,
    /// How sure it must be that a change is no noise [default: 0.95]
    #[arg(long)]
    confidence: Option<f64>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write them as Markdown; `-` is stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write them as JSON; `-` is stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The names in a list with commas. A file or folder may have commas in its name.
pub(super) fn names(text: &str) -> Vec<&str> {
    if source::is_local(text) {
        return vec![text];
    }
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

pub(super) fn compare(place: &Place, arguments: Compare) -> Result<(), Failure> {
    let Compare { a, b, a_span, b_span, noise, confidence, top, shown } = arguments;
    let output = shown.output()?;
    let how = crate::diagnosis::Compare { a_span, b_span, noise, confidence, top };
    let (a, b) = (names(&a), names(&b));
    output.write(&place.open_for(&[&a[..], &b[..]].concat())?.compare_with(&a, &b, &how)?)
}

pub(super) fn baseline(place: &Place, arguments: Baseline) -> Result<(), Failure> {
    if place.ephemeral {
        return Err(Place::needs_path("`baseline`, which stores a name").into());
    }
    let session = place.open_for(&arguments.runs)?;
    let Some(name) = arguments.name else {
        let all = session.baselines().map_err(Failure::lake)?;
        return all.iter().try_for_each(|(name, runs)| output::line(&format!("{name}: {}", runs.join(", "))));
    };
    let given: Vec<&str> = arguments.runs.iter().map(String::as_str).collect();
    if given.is_empty() {
        let runs = session.group(&[&name])?;
        return output::line(&format!("{name}: {}", runs.join(", ")));
    }
    let runs = session.resolve(&given)?;
    session.set_baseline(&name, &runs.iter().map(String::as_str).collect::<Vec<_>>())?;
    output::line(&format!("{name}: {}", runs.join(", ")))
}

/// Judges; the exit code is 1 where a limit is broken.
pub(super) fn gate(place: &Place, arguments: Gate) -> Result<u8, Failure> {
    let mut rules = match &arguments.rules {
        None => Rules::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Error::new(ErrorKind::NotFound, format!("cannot read {}: {error}", path.display())))?;
            Rules::from_toml(&text).map_err(|error| error.with_context("file", path.display().to_string()))?
        }
    };
    rules.rules.extend(arguments.max_regression.map(Rule::max_regression));
    rules.rules.extend(arguments.max_load_ratio.map(Rule::max_load_ratio));
    rules.noise = arguments.noise.unwrap_or(rules.noise);
    rules.confidence = arguments.confidence.unwrap_or(rules.confidence);
    if rules.rules.is_empty() {
        let error = Error::new(ErrorKind::Argument, "cannot judge: there are no rules")
            .with_hint("give a file, --rules rules.toml, or a limit, --max-regression 1.02");
        return Err(error.into());
    }
    let baseline = arguments.baseline.as_deref().map(names).unwrap_or_default();
    let candidate = names(&arguments.candidate);
    let gate = place.open_for(&[&baseline[..], &candidate[..]].concat())?.gate(&baseline, &candidate, &rules)?;
    let mut shown = false;
    for (to, text) in
        [(&arguments.junit, gate.junit()), (&arguments.markdown, gate.markdown()), (&arguments.json, gate.json())]
    {
        let Some(path) = to else { continue };
        if path.as_os_str() == "-" {
            shown = true;
            output::text(text.trim_end(), None)?;
        } else {
            output::text_file(&text, path)?;
        }
    }
    if !shown {
        output::line(&gate.text())?;
    }
    Ok(u8::from(!gate.passed()))
}
