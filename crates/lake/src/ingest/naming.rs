//! Names of runs, and which profile a run belongs to.

use object_store::path::PathPart;

use crate::error::{Error, ErrorKind, Result};
use crate::lake::{Lake, Manifest};

/// Folder names that describe the content and not the job.
const GENERIC_FOLDERS: &[&str] = &[
    "profiler-output",
    "profiler",
    "profile",
    "output",
    "profiles",
    "traces",
    "system",
    "framework",
    "rule-output",
    "profiler-reports",
];

/// Prefix of the folder of a ProfilerReport; SageMaker appends a number.
const REPORT_FOLDER: &str = "profilerreport";

/// Returns the name of a run from its address: the last folder without a generic name.
///
/// ```
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/jobs/job-7/profiler-output").unwrap(), "job-7");
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/jobs/job-7").unwrap(), "job-7");
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/job-7/rule-output/ProfilerReport-1600000000").unwrap(), "job-7");
/// ```
///
/// # Errors
/// Argument if no part of the address can be a name.
pub fn run_name(url: &str) -> Result<String> {
    run_names(url)?.into_iter().next().ok_or_else(|| no_name_error(url))
}

/// Returns the possible names of a run from its address, the shortest first: [`run_name`], then
/// with the folders above it in front.
fn run_names(url: &str) -> Result<Vec<String>> {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let last = parts.iter().rposition(|part| !is_generic(part)).or(parts.len().checked_sub(1));
    let last = last.ok_or_else(|| no_name_error(url))?;
    let decoded: Vec<String> = parts[..=last].iter().map(|part| crate::source::decoded(part)).collect();
    Ok((0..=last).rev().map(|first| decoded[first..].join("-")).collect())
}

/// Whether the name of a folder describes its content and not the job.
fn is_generic(folder: &str) -> bool {
    let folder = folder.to_lowercase();
    GENERIC_FOLDERS.contains(&folder.as_str()) || folder.starts_with(REPORT_FOLDER)
}

fn no_name_error(url: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot derive the name of a run from `{url}`"))
        .with_hint("give a name with option `run`")
}

/// Returns the address without generic folders at its end: the same for a profile and for a folder
/// of it.
fn profile_url(url: &str) -> &str {
    let mut base = url.trim_end_matches('/');
    while let Some((above, _)) = base.rsplit_once('/').filter(|(_, last)| is_generic(last)) {
        base = above.trim_end_matches('/');
    }
    base
}

/// Whether this profile, or a folder of it, is a source of the run.
#[doc(hidden)]
pub fn has_source(run: &Manifest, url: &str) -> bool {
    run.sources.iter().any(|source| profile_url(source) == profile_url(url))
}

/// Returns the name of the run of each of these profiles, given by URL and preferred name. It is
/// the run that the lake already has from this URL. Otherwise it is the first name, the preferred
/// one or one from the URL, that no run and no previous profile has.
///
/// # Errors
/// Argument for an invalid name; Conflict if other profiles have all names; those of
/// [`Lake::snapshot`].
#[doc(hidden)]
pub async fn resolve_run_names(lake: &Lake, profiles: &[(String, Option<String>)]) -> Result<Vec<String>> {
    let mut runs: Vec<String> = Vec::new();
    let mut snapshot = None;
    for (url, preferred) in profiles {
        let mut names: Vec<String> = preferred.iter().cloned().collect();
        names.extend(run_names(url)?);
        let (mut run, mut free) = (None, None);
        for name in names.into_iter().filter(|name| !runs.contains(name)) {
            match lake.newest_manifest(&name).await? {
                Some(newest) if newest.deleted => free = Some(name),
                Some(newest) if has_source(&newest, url) => run = Some(name),
                Some(_) => continue,
                None => free = Some(name),
            }
            break;
        }
        if run.is_none() {
            // The profile may be in the lake under another name.
            if snapshot.is_none() {
                snapshot = Some(lake.snapshot().await?.runs);
            }
            let of_profile = snapshot.iter().flat_map(|snapshot| snapshot.values()).find(|run| has_source(run, url));
            run = of_profile.map(|run| run.run.clone());
        }
        runs.push(run.map_or_else(|| free_name(url, free), Ok)?);
    }
    Ok(runs)
}

/// Returns the free name of a profile if it is a valid one.
fn free_name(url: &str, free: Option<String>) -> Result<String> {
    let name = free.ok_or_else(|| {
        let text = format!("cannot name the run of {url}: other profiles use all names derived from it");
        Error::new(ErrorKind::Conflict, text).with_hint("give a name with option `run`")
    })?;
    check_name(&name).map(|()| name)
}

/// Maximum length of the name of a run as a folder of a lake in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Rejects names that cannot be a folder of a lake.
pub(super) fn check_name(run: &str) -> Result<()> {
    // In paths of a store, a reserved byte is encoded as `%` and two digits.
    let bytes = PathPart::from(run).as_ref().len();
    let why = match run {
        _ if run.trim().is_empty() => "it is blank".to_owned(),
        "." | ".." => "it names another folder".to_owned(),
        _ if run.contains('/') => "it has a `/`".to_owned(),
        _ if run.chars().any(char::is_control) => "it has a control character".to_owned(),
        _ if bytes > MAX_NAME_BYTES => format!(
            "as the name of a folder it has {bytes} bytes, at most {MAX_NAME_BYTES} are allowed; non-ASCII bytes \
             and some signs count as 3"
        ),
        _ => return Ok(()),
    };
    let text = format!("cannot use `{}` as the name of a run: {why}", run.escape_debug());
    Err(Error::new(ErrorKind::Argument, text).with_hint("give another name with option `run`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Location;

    #[test]
    fn encoded_lengths_are_those_of_the_store() {
        let location = Location::open("/", &crate::source::Options::new()).unwrap();
        for c in (' '..='~').chain(['é', '漢', '\u{a0}']).filter(|c| !"/.".contains(*c)) {
            assert_eq!(
                Some(PathPart::from(c.to_string()).as_ref().len()),
                location.resolve(&c.to_string()).filename().map(str::len),
                "{c}"
            );
        }
    }

    #[test]
    fn other_names_have_more_folders_in_front() {
        let names = |url: &str| run_names(url).unwrap();
        assert_eq!(names("file:///old/trace.json"), ["trace.json", "old-trace.json"]);
        assert_eq!(names("s3://b/jobs/job%207/profiler-output"), ["job 7", "jobs-job 7", "b-jobs-job 7"]);
        assert_eq!(names("file:///traces"), ["traces"]);
        assert!(run_names("file:///").is_err());
    }

    #[test]
    fn a_profile_and_its_folders_have_one_url() {
        for url in ["file:///jobs/job-7", "file:///jobs/job-7/profiler-output", "file:///jobs/job-7/Profiler/traces/"] {
            assert_eq!(profile_url(url), "file:///jobs/job-7", "{url}");
        }
        assert_eq!(profile_url("s3://b/old/trace.json"), "s3://b/old/trace.json");
    }

    #[test]
    fn errors_of_names_have_a_reason() {
        let long = "é".repeat(34);
        let why = |run: &str| check_name(run).map_err(|error| error.message().to_owned());
        let rejected = |run: &str, why: &str| Err(format!("cannot use `{run}` as the name of a run: {why}"));
        for fine in ["job-7", "a b", "...", &"x".repeat(200), &long[..66]] {
            assert_eq!(why(fine), Ok(()), "{fine}");
        }
        assert_eq!(why(""), rejected("", "it is blank"));
        assert_eq!(why(" \u{3000}"), rejected(" \\u{3000}", "it is blank"));
        assert_eq!(why(".."), rejected("..", "it names another folder"));
        assert_eq!(why("a\tb"), rejected("a\\tb", "it has a control character"));
        let bytes = |n| {
            format!(
                "as the name of a folder it has {n} bytes, at most 200 are allowed; non-ASCII bytes and some signs \
                 count as 3"
            )
        };
        assert_eq!(why(&"x".repeat(201)), rejected(&"x".repeat(201), &bytes(201)));
        assert_eq!(why(&long), rejected(&long, &bytes(204)));
    }
}
