//! `tracelake ingest`: reads profiles into the lake, once or while a job writes them.

use std::time::Duration;

use clap::Args;

use super::failure::CommandFailure;
use super::lake_args::{LakeArgs, unread_error};
use super::progress::progress;
use super::{name_and_value, output};
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{IngestReport, Request};
use crate::session::FollowOptions;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
Exit code 3: a file or a profile could not be read; the rows of all others are in the lake.

Examples:
  tracelake ingest path/to/profile
  tracelake ingest s3://bucket/job-7/profiler-output --run job-7 --tag commit=3fa2
  tracelake ingest 's3://bucket/jobs/*/profiler-output'
  tracelake ingest path/to/profile --follow")]
pub(super) struct IngestArgs {
    /// Path or URL of the profile; with `*`, of many profiles: s3://bucket/jobs/*/profiler-output
    url: String,
    /// Name of the run [default: the last folder of the path, except for generic names such as profiler-output]
    #[arg(long)]
    run: Option<String>,
    /// Tag of the run, such as commit=3fa2; may be given several times
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = name_and_value)]
    tags: Vec<(String, String)>,
    /// Offset to add to every timestamp of the profile, in ns. If the timestamps have no date, the Unix time of the start of
    /// their clock [default: the value of the previous ingest, else 0]
    #[arg(long, allow_hyphen_values = true, value_name = "NANOSECONDS")]
    clock_offset: Option<i64>,
    /// Annotation that marks steps in traces, alone or followed by a number [default: the value of the previous ingest,
    /// else ProfilerStep]
    #[arg(long, value_name = "NAME")]
    step_annotation: Option<String>,
    /// Regular expression with a group for the rank in the address of a file, such as 'node([0-9]+)' [default: the value of
    /// the previous ingest]
    #[arg(long, value_name = "PATTERN")]
    rank_from: Option<String>,
    /// Column of a file of data loader timings to read as NAME, such as load_s=data_ms:ms; may be given several times
    /// [default: the value of the previous ingest]
    #[arg(long = "loader-column", value_name = "NAME=COLUMN[:UNIT]", value_parser = name_and_value)]
    loader_columns: Vec<(String, String)>,
    /// Also delete the rows of files that no longer exist
    #[arg(long, conflicts_with = "follow")]
    prune: bool,
    /// Print what would be read; read no contents and write nothing
    #[arg(long, conflicts_with = "follow")]
    dry_run: bool,
    /// Share the profiles that a `*` stands for with other processes that run the same command: one process reads each
    /// profile. A lease expires when its owner has not renewed it for SECONDS [default: do not share; --share alone: 60]
    #[arg(long, conflicts_with_all = ["follow", "dry_run"], num_args = 0..=1, require_equals = true,
          default_missing_value = "60", value_name = "SECONDS", value_parser = seconds)]
    share: Option<Duration>,
    /// Return exit code 0 if some files could not be read, and others could
    #[arg(long)]
    allow_failed: bool,
    /// Repeat until the job has ended, and print what was added
    #[arg(long)]
    follow: bool,
    /// Time between two ingests with --follow, in seconds
    #[arg(long, requires = "follow", default_value = "10", value_name = "SECONDS", value_parser = seconds)]
    every: Duration,
    /// Stop --follow after this time without new data, in seconds [default: wait for the end of the job]
    #[arg(long, requires = "follow", value_name = "SECONDS", value_parser = seconds)]
    idle: Option<Duration>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or("expected a time in seconds".to_owned())
}

pub(super) fn run(lake: &LakeArgs, arguments: IngestArgs) -> Result<(), CommandFailure> {
    if lake.ephemeral {
        let error = Error::new(ErrorKind::Argument, "cannot use --ephemeral: `ingest` stores rows in the lake");
        return Err(error
            .with_hint("use --dry-run, or give the path to another command: `tracelake --ephemeral diagnose PATH`")
            .into());
    }
    let address = arguments.url.clone();
    let loader_columns = arguments.loader_columns;
    let request = Request {
        url: arguments.url,
        run: arguments.run,
        options: lake.options(),
        tags: arguments.tags.into_iter().collect(),
        clock_offset: arguments.clock_offset,
        step_annotation: arguments.step_annotation,
        rank_from: arguments.rank_from,
        loader_columns: (!loader_columns.is_empty()).then(|| loader_columns.into_iter().collect()),
        prune: arguments.prune,
        dry_run: arguments.dry_run,
        share: arguments.share,
        ..Request::default()
    };
    // A wrong argument leaves no empty lake.
    request.check()?;
    let session = if arguments.dry_run { lake.open_temporary()? } else { lake.open_to_write(true)? };
    let mut failed = FailedInput::default();
    if arguments.follow {
        // No progress bar: it would appear and disappear with every ingest, and the lines show the same.
        let options = FollowOptions { every: arguments.every, idle: arguments.idle, watch: None };
        for report in session.follow(request, options)? {
            let report = report.map_err(|error| unread_error(&address, error))?;
            // The files that could not be read are read again each time.
            failed = FailedInput::default();
            failed.add(&report);
            output::print_line(&report.to_string())?;
        }
        return failed.result(arguments.allow_failed);
    }
    let mut print = |report: &IngestReport| {
        failed.add(report);
        output::print_line(&report.to_string()).map_err(CommandFailure::into_error)
    };
    session
        .ingest_with_reports(request, Some(progress()), &mut print)
        .map_err(|error| unread_error(&address, error))?;
    failed.result(arguments.allow_failed)
}

/// Files and profiles that could not be read.
#[derive(Debug, Default)]
struct FailedInput {
    files: u64,
    /// Addresses of profiles.
    profiles: Vec<String>,
}

impl FailedInput {
    fn add(&mut self, report: &IngestReport) {
        self.files += report.failed;
        self.profiles.extend(report.error.is_some().then(|| report.url.clone()));
    }

    fn result(&self, is_allowed: bool) -> Result<(), CommandFailure> {
        let count = |number: u64, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let profiles = self.profiles.len() as u64;
        let what = match (profiles, self.files) {
            (0, 0) => return Ok(()),
            _ if is_allowed => return Ok(()),
            (0, files) => count(files, "file"),
            (profiles, 0) => count(profiles, "profile"),
            (profiles, files) => format!("{} and {}", count(profiles, "profile"), count(files, "file")),
        };
        let mut error = Error::new(ErrorKind::Malformed, format!("cannot read {what}; all others are in the lake"));
        if let Some(first) = self.profiles.first() {
            error = error.with_context("first", first);
        }
        let hint = "column `error` of table `object` has the reason for each file; --allow-failed returns exit code 0";
        Err(error.with_hint(hint).into())
    }
}
