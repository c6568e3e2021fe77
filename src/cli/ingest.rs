//! Reading profiles into the lake, once or while a job writes one.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;

use super::failure::Failure;
use super::place::{Place, unread};
use super::{output, pair, progress};
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Report, Request};
use crate::session::Follow;

#[derive(Debug, Args)]
pub(super) struct Ingest {
    /// Address of the profile
    url: String,
    /// Name of the run [default: the first folder above the profile]
    #[arg(long)]
    run: Option<String>,
    /// What to note about the run; may be given several times
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = pair)]
    tags: Vec<(String, String)>,
    /// Added to every time of the profile, in ns [default: what was given before, else 0]
    #[arg(long, allow_hyphen_values = true, value_name = "NANOSECONDS")]
    clock_offset: Option<i64>,
    /// Annotation that marks steps in traces, alone or with a number behind it [default: what was given before, else
    /// ProfilerStep]
    #[arg(long, value_name = "NAME")]
    step_annotation: Option<String>,
    /// Name of a column of data loader timings, such as load_s=data_ms:ms; may be given several times [default: what was
    /// given before]
    #[arg(long = "loader-column", value_name = "NAME=COLUMN[:UNIT]", value_parser = pair)]
    loader_columns: Vec<(String, String)>,
    /// Also drop rows of files that are no longer there
    #[arg(long, conflicts_with = "follow")]
    prune: bool,
    /// Read and write nothing, and say what would be read
    #[arg(long, conflicts_with = "follow")]
    dry_run: bool,
    /// Share the profiles that a `*` stands for with other processes that do the same at once: each is read by one of them.
    /// Who shows no sign of life for so long is taken for dead [default with --share alone: 60]
    #[arg(long, conflicts_with_all = ["follow", "dry_run"], num_args = 0..=1, require_equals = true,
          default_missing_value = "60", value_name = "SECONDS", value_parser = seconds)]
    share: Option<Duration>,
    /// Go on until the job has ended, and say what has arrived
    #[arg(long)]
    follow: bool,
    /// Time between two looks
    #[arg(long, requires = "follow", default_value = "10", value_name = "SECONDS", value_parser = seconds)]
    every: Duration,
    /// End after so long without news
    #[arg(long, requires = "follow", value_name = "SECONDS", value_parser = seconds)]
    idle: Option<Duration>,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or("expected a time in seconds".to_owned())
}

pub(super) fn run(place: &Place, arguments: Ingest) -> Result<(), Failure> {
    let Ingest {
        url,
        run,
        tags,
        clock_offset,
        step_annotation,
        loader_columns,
        prune,
        dry_run,
        share,
        follow,
        every,
        idle,
    } = arguments;
    if place.ephemeral {
        let error = Error::new(ErrorKind::Argument, "cannot use --ephemeral with `ingest`, which stores rows");
        return Err(error
            .with_hint("use --dry-run, or give the path to another command, `tracelake diagnose PATH`")
            .into());
    }
    let session = if dry_run { place.open_temporary()? } else { place.open_to_write(true)? };
    let tags: BTreeMap<String, String> = tags.into_iter().collect();
    let address = url.clone();
    let options = place.options();
    let loader_columns = (!loader_columns.is_empty()).then(|| loader_columns.into_iter().collect());
    let request = Request {
        url,
        run,
        options,
        tags,
        clock_offset,
        step_annotation,
        loader_columns,
        prune,
        dry_run,
        share,
        ..Request::default()
    };
    if follow {
        // Not drawn: of a bar that comes and goes with every minute nobody learns more than from the lines.
        let arriving = session.follow(request, Follow { every, idle, watch: None })?;
        for report in arriving {
            output::line(&report.map_err(|error| unread(&address, error))?.to_string())?;
        }
        return Ok(());
    }
    let reports = session.ingest(request, Some(progress::bar())).map_err(|error| unread(&address, error))?;
    reports.iter().try_for_each(|report| output::line(&report.to_string()))?;
    let failed: Vec<&Report> = reports.iter().filter(|report| report.error.is_some()).collect();
    let Some(first) = failed.first() else { return Ok(()) };
    let text = format!("cannot read {} of {} profiles", failed.len(), reports.len());
    Err(Error::new(ErrorKind::Malformed, text).with_context("first", &first.url).into())
}
