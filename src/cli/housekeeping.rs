//! `tracelake delete`, `rename`, `tag`, `align-clocks`, `check`, `compact`, `upgrade` and `vacuum`: housekeeping of a lake.

use std::time::Duration;

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::LakeArgs;
use super::output::{self, OutputArgs};
use super::{compare, name_and_value};
use crate::error::{Error, ErrorKind};
use crate::session::{CheckDepth, Mode};

#[derive(Debug, Args)]
#[command(after_help = format!("RUNS are {}.\n
Examples:
  tracelake delete my_run
  tracelake delete 'job-*' --older-than 90d --dry-run", compare::GROUP))]
pub(super) struct DeleteArgs {
    /// Runs to delete
    #[arg(required_unless_present = "older_than")]
    runs: Vec<String>,
    /// Delete only runs with no row newer than AGE, such as 90d, 12h or 30m; without RUNS, of all runs
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older_than: Option<Duration>,
    /// Print the runs, and delete nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake rename profiler-output job-7")]
pub(super) struct RenameArgs {
    /// Run: its name, or a pattern or a condition that matches one run
    run: String,
    /// New name of the run
    #[arg(value_name = "TO")]
    new_name: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
RUN is a name, a baseline, a pattern such as 'job-*', or a condition such as commit=3fa2.

Examples:
  tracelake tag my_run commit=3fa2 branch=main
  tracelake tag 'job-*' team=red
  tracelake tag my_run --remove branch")]
pub(super) struct TagArgs {
    /// Run to tag, or several
    run: String,
    /// Tags to set
    #[arg(value_name = "NAME=VALUE", value_parser = name_and_value, required_unless_present = "removed")]
    tags: Vec<(String, String)>,
    /// Tag to remove; may be given several times
    #[arg(long = "remove", value_name = "NAME")]
    removed: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("RUNS are {}.\n
Examples:
  tracelake align-clocks my_run
  tracelake align-clocks my_run --undo", compare::GROUP))]
pub(super) struct AlignClocksArgs {
    /// Runs with clocks to align
    #[arg(required = true)]
    runs: Vec<String>,
    /// Restore the recorded times
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 0: no rows are lost; 1: rows are lost, or, with --repair, profiles must be ingested again.

Examples:
  tracelake check --no-read
  tracelake check --repair")]
pub(super) struct CheckArgs {
    /// Check only that the files exist and have the right size: list the lake and read no data file
    #[arg(long)]
    no_read: bool,
    /// Restore runs from their newest valid manifest, drop missing and corrupt files, and list the profiles to ingest again
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake compact --dry-run
  tracelake compact")]
pub(super) struct CompactArgs {
    /// Print what would be merged, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake upgrade --dry-run
  tracelake upgrade")]
pub(super) struct UpgradeArgs {
    /// Print what would be rewritten, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake vacuum --dry-run
  tracelake vacuum --older-than 7d")]
pub(super) struct VacuumArgs {
    /// Remove only files that have been unused for AGE, such as 7d, 12h or 30m. AGE must be longer than any ingest takes
    /// and any session stays open
    #[arg(long, value_name = "AGE", value_parser = parse_age, default_value = "1d")]
    older_than: Duration,
    /// Print the files, and remove nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    shown: OutputArgs,
}

/// Parses an age such as `90d`.
fn parse_age(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => 0,
    };
    let seconds = number.parse::<u64>().ok().filter(|_| seconds > 0).and_then(|number| number.checked_mul(seconds));
    seconds.map(Duration::from_secs).ok_or("expected a whole number and one of s, m, h, d, w, such as 90d".to_owned())
}

pub(super) fn delete(lake: &LakeArgs, arguments: DeleteArgs) -> Result<(), CommandFailure> {
    let session = lake.open()?;
    let names: Vec<&str> = arguments.runs.iter().map(String::as_str).collect();
    let runs = match arguments.older_than {
        Some(age) => session.outdated(super::non_empty(&arguments.runs), age)?,
        None => session.group(&names)?,
    };
    if !arguments.dry_run {
        session.delete(runs.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let done = if arguments.dry_run { "would delete" } else { "deleted" };
    runs.iter().try_for_each(|run| output::print_line(&format!("{done} {run}")))
}

pub(super) fn rename(lake: &LakeArgs, arguments: RenameArgs) -> Result<(), CommandFailure> {
    Ok(lake.open()?.rename(&arguments.run, &arguments.new_name)?)
}

pub(super) fn tag(lake: &LakeArgs, arguments: TagArgs) -> Result<(), CommandFailure> {
    let TagArgs { run, tags, removed } = arguments;
    if let Some((name, _)) = tags.iter().find(|(name, _)| removed.contains(name)) {
        let text = format!("cannot tag run `{run}`: tag `{name}` is both set and removed");
        return Err(Error::new(ErrorKind::Argument, text).into());
    }
    let set = tags.iter().map(|(name, value)| (name.as_str(), Some(value.as_str())));
    let changes: Vec<(&str, Option<&str>)> = set.chain(removed.iter().map(|name| (name.as_str(), None))).collect();
    let runs = lake.open()?.tag(&run, &changes)?;
    // A single name needs no confirmation.
    if runs != [run] {
        runs.iter().try_for_each(|run| output::print_line(&format!("tagged {run}")))?;
    }
    Ok(())
}

pub(super) fn align_clocks(lake: &LakeArgs, arguments: AlignClocksArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    let session = lake.open_to_write(false)?;
    let clocks =
        if arguments.undo { session.restore_clocks(&arguments.runs) } else { session.align_clocks(&arguments.runs) };
    output.write(&clocks?)
}

/// Returns the exit code: 1 when rows are lost.
pub(super) fn check(lake: &LakeArgs, arguments: CheckArgs) -> Result<u8, CommandFailure> {
    let output = arguments.shown.output()?;
    let session = lake.open()?;
    let depth = if arguments.no_read { CheckDepth::Sizes } else { CheckDepth::Contents };
    let faults = if arguments.repair { session.repair(depth) } else { session.check(depth) }?;
    output.write(&faults)?;
    let lost = faults.column::<bool>("loss")?.contains(&Some(true));
    Ok(u8::from(lost))
}

pub(super) fn compact(lake: &LakeArgs, arguments: CompactArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    output.write(&lake.open()?.compact(mode(arguments.dry_run))?)
}

pub(super) fn upgrade(lake: &LakeArgs, arguments: UpgradeArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    output.write(&lake.open()?.upgrade(mode(arguments.dry_run))?)
}

pub(super) fn vacuum(lake: &LakeArgs, arguments: VacuumArgs) -> Result<(), CommandFailure> {
    let output = arguments.shown.output()?;
    output.write(&lake.open()?.vacuum(arguments.older_than, mode(arguments.dry_run))?)
}

fn mode(dry_run: bool) -> Mode {
    if dry_run { Mode::DryRun } else { Mode::Apply }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_a_unit() {
        assert_eq!(parse_age("90d"), Ok(Duration::from_hours(90 * 24)));
        assert_eq!(parse_age("0s"), Ok(Duration::ZERO));
        for bad in ["", "d", "90", "1.5h", "-1d", "3 d", "9é", "99999999999999999w"] {
            assert!(parse_age(bad).is_err(), "{bad}");
        }
    }
}
