//! The name of a profile's run.

use crate::error::{Error, ErrorKind, Result};
use crate::lake::Lake;

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
/// assert_eq!(tracelake::ingest::run_name("s3://bucket/jobs/job-7/profiler-output").unwrap(), "job-7");
/// assert_eq!(tracelake::ingest::run_name("s3://bucket/jobs/job-7").unwrap(), "job-7");
/// assert_eq!(tracelake::ingest::run_name("s3://bucket/job-7/rule-output/ProfilerReport-1600000000").unwrap(), "job-7");
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
    let generic = |part: &str| GENERIC.contains(&part) || part.starts_with(REPORT);
    let named = parts.iter().rposition(|part| !generic(&part.to_lowercase())).or(parts.len().checked_sub(1));
    let named = named.ok_or_else(|| unnamed(url))?;
    let decoded: Vec<String> = parts[..=named].iter().map(|part| crate::source::decoded(part)).collect();
    Ok((0..=named).rev().map(|first| decoded[first..].join("-")).collect())
}

fn unnamed(url: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot name a run after `{url}`")).with_hint("give a name with run=")
}

/// Returns the run of the profile at `url`: the one that the lake already has from this address, or else the first name in
/// `wanted` or from the address that no run has.
///
/// # Errors
/// Conflict when all names belong to other profiles; as [`Lake::snapshot`].
pub(crate) async fn run_of(lake: &Lake, url: &str, wanted: Option<String>) -> Result<String> {
    let mut names: Vec<String> = wanted.into_iter().collect();
    names.extend(run_names(url)?);
    let mut free = None;
    for name in names {
        match lake.newest_of(&name).await? {
            Some(run) if run.deleted => free = Some(name),
            Some(run) if run.sources.iter().any(|source| source == url) => return Ok(name),
            Some(_) => continue,
            None => free = Some(name),
        }
        break;
    }
    // Somebody may have given the profile's run another name.
    let known = lake.snapshot().await?.runs;
    if let Some((name, _)) = known.iter().find(|(_, run)| run.sources.iter().any(|source| source == url)) {
        return Ok(name.clone());
    }
    free.filter(|name| check_name(name).is_ok()).ok_or_else(|| {
        Error::new(ErrorKind::Conflict, format!("cannot name the run of {url}: other profiles have all names from it"))
            .with_hint("ingest it with a name: run= (--run in the shell)")
    })
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
            "as a folder of a lake it has {bytes} bytes, at most {NAME_BYTES} fit, and all but plain letters, digits and \
             a few signs count threefold"
        ),
        _ => return Ok(()),
    };
    let text = format!("cannot use `{}` as the name of a run: {why}", run.escape_debug());
    Err(Error::new(ErrorKind::Argument, text).with_hint("give another name with run= (--run in the shell)"))
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
                "as a folder of a lake it has {n} bytes, at most 200 fit, and all but plain letters, digits and a few \
                 signs count threefold"
            )
        };
        assert_eq!(why(&"x".repeat(201)), refused(&"x".repeat(201), &bytes(201)));
        assert_eq!(why(&long), refused(&long, &bytes(204)));
    }
}
