//! The name of a profile's run.

use crate::error::{Error, ErrorKind, Result};
use crate::lake::{Lake, Manifest};

/// Folder names that say what is inside and not which job it was.
const GENERIC: &[&str] = &[
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

/// What the folder of a ProfilerReport begins with; SageMaker appends a number.
const REPORT: &str = "profilerreport";

/// The name a run gets from its address: the last folder whose name is not a generic one.
///
/// ```
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/jobs/job-7/profiler-output").unwrap(), "job-7");
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/jobs/job-7").unwrap(), "job-7");
/// assert_eq!(tracelake_lake::ingest::run_name("s3://bucket/job-7/rule-output/ProfilerReport-1600000000").unwrap(), "job-7");
/// ```
///
/// # Errors
/// Argument when no part of the address can serve as a name.
pub fn run_name(url: &str) -> Result<String> {
    run_names(url)?.into_iter().next().ok_or_else(|| unnamed(url))
}

/// The names that a run can get from its address, the shortest first: [`run_name`], then with the folders above it in front.
fn run_names(url: &str) -> Result<Vec<String>> {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let named = parts.iter().rposition(|part| !generic(part)).or(parts.len().checked_sub(1));
    let named = named.ok_or_else(|| unnamed(url))?;
    let decoded: Vec<String> = parts[..=named].iter().map(|part| crate::source::decoded(part)).collect();
    Ok((0..=named).rev().map(|first| decoded[first..].join("-")).collect())
}

/// Whether the name of a folder says what is inside and not which job it was.
fn generic(folder: &str) -> bool {
    let folder = folder.to_lowercase();
    GENERIC.contains(&folder.as_str()) || folder.starts_with(REPORT)
}

fn unnamed(url: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot derive the name of a run from `{url}`"))
        .with_hint("give a name with option `run`")
}

/// The address without the folders at its end that only say what is inside: of a profile and of a folder of it, it is the same.
fn trunk(url: &str) -> &str {
    let mut trunk = url.trim_end_matches('/');
    while let Some((above, _)) = trunk.rsplit_once('/').filter(|(_, last)| generic(last)) {
        trunk = above.trim_end_matches('/');
    }
    trunk
}

/// Whether the run has this profile, or a folder of it, as a source.
#[doc(hidden)]
pub fn is_from(run: &Manifest, url: &str) -> bool {
    run.sources.iter().any(|source| trunk(source) == trunk(url))
}

/// Returns the run of each of these profiles, given by URL and wanted name: the run that the lake already has from this URL, or
/// else the first name, the wanted one or one from the URL, that belongs to no run and to no profile before.
///
/// # Errors
/// Argument when the name cannot be one of a run; Conflict when all names belong to other profiles; as [`Lake::snapshot`].
#[doc(hidden)]
pub async fn runs_of(lake: &Lake, profiles: &[(String, Option<String>)]) -> Result<Vec<String>> {
    let mut runs: Vec<String> = Vec::new();
    let mut known = None;
    for (url, wanted) in profiles {
        let mut names: Vec<String> = wanted.iter().cloned().collect();
        names.extend(run_names(url)?);
        let (mut run, mut free) = (None, None);
        for name in names.into_iter().filter(|name| !runs.contains(name)) {
            match lake.newest_of(&name).await? {
                Some(newest) if newest.deleted => free = Some(name),
                Some(newest) if is_from(&newest, url) => run = Some(name),
                Some(_) => continue,
                None => free = Some(name),
            }
            break;
        }
        if run.is_none() {
            // The profile may have been ingested under another name.
            if known.is_none() {
                known = Some(lake.snapshot().await?.runs);
            }
            let of_profile = known.iter().flat_map(|known| known.values()).find(|run| is_from(run, url));
            run = of_profile.map(|run| run.run.clone());
        }
        runs.push(match run {
            Some(run) => run,
            None => free_name(url, free)?,
        });
    }
    Ok(runs)
}

/// The free name of a profile's run, if it has one that can be a name.
fn free_name(url: &str, free: Option<String>) -> Result<String> {
    let name = free.ok_or_else(|| {
        Error::new(
            ErrorKind::Conflict,
            format!("cannot name the run of {url}: other profiles use all names derived from it"),
        )
        .with_hint("give a name with option `run`")
    })?;
    check_name(&name).map(|()| name)
}

/// Bytes that the name of a run may have as a folder of a lake.
const NAME_BYTES: usize = 200;

/// Refuses names that cannot be a folder of a lake.
pub(super) fn check_name(run: &str) -> Result<()> {
    let bytes = encoded(run);
    let why = match run {
        _ if run.trim().is_empty() => "it is blank".to_owned(),
        "." | ".." => "it names another folder".to_owned(),
        _ if run.contains('/') => "it has a `/`".to_owned(),
        _ if run.chars().any(char::is_control) => "it has a control character".to_owned(),
        _ if bytes > NAME_BYTES => format!(
            "as the name of a folder it has {bytes} bytes, at most {NAME_BYTES} are allowed; non-ASCII bytes \
             and some signs count as 3"
        ),
        _ => return Ok(()),
    };
    let text = format!("cannot use `{}` as the name of a run: {why}", run.escape_debug());
    Err(Error::new(ErrorKind::Argument, text).with_hint("give another name with option `run`"))
}

/// How many bytes a name has in a path of a store, where a byte that is reserved is written as `%` and two digits.
fn encoded(run: &str) -> usize {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"/\\{^}%`]\">[~<#|*?".contains(&byte);
    run.bytes().map(|byte| if plain(byte) { 1 } else { 3 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Place;

    #[test]
    fn names_are_counted_as_the_store_writes_them() {
        let place = Place::open("/", &crate::source::Options::new()).unwrap();
        for c in (' '..='~').chain(['é', '漢', '\u{a0}']).filter(|c| !"/.".contains(*c)) {
            assert_eq!(Some(encoded(&c.to_string())), place.at(&c.to_string()).filename().map(str::len), "{c}");
        }
    }

    #[test]
    fn a_taken_name_gets_the_folder_above_it_in_front() {
        let names = |url: &str| run_names(url).unwrap();
        assert_eq!(names("file:///old/trace.json"), ["trace.json", "old-trace.json"]);
        assert_eq!(names("s3://b/jobs/job%207/profiler-output"), ["job 7", "jobs-job 7", "b-jobs-job 7"]);
        assert_eq!(names("file:///traces"), ["traces"]);
        assert!(run_names("file:///").is_err());
    }

    #[test]
    fn a_profile_and_its_folder_have_one_trunk() {
        for url in ["file:///jobs/job-7", "file:///jobs/job-7/profiler-output", "file:///jobs/job-7/Profiler/traces/"] {
            assert_eq!(trunk(url), "file:///jobs/job-7", "{url}");
        }
        assert_eq!(trunk("s3://b/old/trace.json"), "s3://b/old/trace.json");
    }

    #[test]
    fn a_name_is_refused_with_the_reason() {
        let long = "é".repeat(34);
        let why = |run: &str| check_name(run).map_err(|error| error.message().to_owned());
        let refused = |run: &str, why: &str| Err(format!("cannot use `{run}` as the name of a run: {why}"));
        for fine in ["job-7", "a b", "...", &"x".repeat(200), &long[..66]] {
            assert_eq!(why(fine), Ok(()), "{fine}");
        }
        assert_eq!(why(""), refused("", "it is blank"));
        assert_eq!(why(" \u{3000}"), refused(" \\u{3000}", "it is blank"));
        assert_eq!(why(".."), refused("..", "it names another folder"));
        assert_eq!(why("a\tb"), refused("a\\tb", "it has a control character"));
        let bytes = |n| {
            format!(
                "as the name of a folder it has {n} bytes, at most 200 are allowed; non-ASCII bytes and some signs \
                 count as 3"
            )
        };
        assert_eq!(why(&"x".repeat(201)), refused(&"x".repeat(201), &bytes(201)));
        assert_eq!(why(&long), refused(&long, &bytes(204)));
    }
}
