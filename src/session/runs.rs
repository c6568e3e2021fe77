//! Finds the runs that a user names: by name, baseline, condition or pattern, or by the path of a profile.
//!
//! A baseline is a named set of runs to compare other runs with.

use std::collections::{BTreeMap, BTreeSet};

use tracelake_engine::provider::current_snapshot;

use super::open::with_free_names;
use super::{Runs, Session};
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{Request, has_source, resolve_run_names};
use crate::source;

/// The prefix of a name that is not a path.
const RUN_PREFIX: &str = "run:";

/// Returns true if a text can only be a path or URL: it has a `/`, which names of runs do not have. The value of a
/// condition may have one: `branch=a/b`.
fn is_path(text: &str) -> bool {
    let key = text.split_once('=').map(|(key, _)| key.trim());
    let is_condition = key.is_some_and(|key| !key.is_empty() && !key.contains(['/', ':']));
    matches!(text, "." | "..") || text.contains('/') && !is_condition && !text.starts_with(RUN_PREFIX)
}

impl Session {
    /// Returns the current baselines of the lake: the runs of each name.
    ///
    /// # Errors
    /// Malformed, Denied, Unreachable.
    pub fn baselines(&self) -> Result<BTreeMap<String, Vec<String>>> {
        self.on_lake(|lake| async move { lake.baselines().await })
    }

    /// Sets the runs of a baseline, and creates it if it does not exist. Where calls take names of runs, the name of the
    /// baseline stands for its runs.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for an invalid name, a name that a run has, and for no runs; Denied, Unreachable,
    /// Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.set_baseline("main", &["first_look"])?;
    /// assert_eq!(s.group(&["main"])?, ["first_look"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_baseline(&self, name: &str, runs: impl Into<Runs>) -> Result<()> {
        let runs: Vec<String> = runs.into().selected().unwrap_or_default().to_vec();
        self.filter(Some(&runs))?;
        let refused = |why: &str| Error::new(ErrorKind::Argument, format!("cannot set baseline `{name}`: {why}"));
        if runs.is_empty() {
            return Err(refused("no run is given"));
        }
        if current_snapshot(&self.inner.snapshot).contains_key(name) {
            return Err(refused("a run has this name"));
        }
        let name = name.to_owned();
        self.on_lake(|lake| async move { lake.put_baseline(&name, &runs).await })
    }

    /// Returns the runs that these names match, each once, sorted by name. A name is that of a baseline
    /// ([`Session::set_baseline`]) or of a run, a condition on the attributes of runs, `commit=3fa2` (table `run_attribute`),
    /// or a pattern with `*` for any letters. The prefix `run:` marks a name that is not a path.
    ///
    /// # Errors
    /// NotFound for a name that matches no run; Argument without names.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.group(&["first_*"])?, ["first_look"]);
    /// let error = s.group(&["first_lock"]).unwrap_err();
    /// assert_eq!(error.to_string(), "no run or baseline `first_lock`; did you mean `first_look`?");
    /// # Ok(())
    /// # }
    /// ```
    pub fn group(&self, runs: impl Into<Runs>) -> Result<Vec<String>> {
        self.match_names(&runs.into().names())
    }

    fn match_names(&self, names: &[&str]) -> Result<Vec<String>> {
        if names.is_empty() {
            return Err(Error::new(ErrorKind::Argument, "cannot find runs: no name is given"));
        }
        let baselines = self.baselines()?;
        let mut runs: Vec<String> = self.runs()?.column::<String>("run")?.into_iter().flatten().collect();
        let valid = runs.len();
        // A corrupt run can be named, for example to delete it. Patterns exclude it.
        runs.extend(self.faults().into_iter().filter_map(|fault| fault.run));
        let mut matched = BTreeSet::new();
        for name in names {
            let name = name.strip_prefix(RUN_PREFIX).unwrap_or(name);
            // A run that was ingested later than a baseline may have the name of the baseline.
            if runs.iter().any(|run| run == name) {
                matched.insert(name.to_owned());
                continue;
            }
            if let Some(members) = baselines.get(name) {
                if let Some(missing) = members.iter().find(|run| !runs.contains(run)) {
                    let text = format!("cannot use baseline `{name}`: its run `{missing}` is not in the lake");
                    return Err(Error::new(ErrorKind::NotFound, text));
                }
                matched.extend(members.iter().cloned());
                continue;
            }
            let matching = match name.split_once('=') {
                Some((key, value)) => self.runs_with_attribute(key, value)?,
                None if name.contains('*') => runs[..valid].iter().filter(|run| matches(name, run)).cloned().collect(),
                None => {
                    let known: Vec<&str> = baselines.keys().chain(&runs).map(String::as_str).take(1000).collect();
                    return Err(Error::unknown("run or baseline", name, &known));
                }
            };
            if matching.is_empty() {
                return Err(Error::new(ErrorKind::NotFound, format!("no run matches `{name}`")));
            }
            matched.extend(matching);
        }
        Ok(matched.into_iter().collect())
    }

    /// Returns the runs that these texts match, each once, sorted by name. A text is a name as in [`Session::group`], or the
    /// path or URL of a profile, or of many with `*`, which is read into the lake first. A session reads each path only once
    /// until [`Session::refresh`].
    ///
    /// A text with `/` is a path. `./name` is always the path, `run:name` always the run.
    ///
    /// # Errors
    /// Errors of [`Session::group`] and of [`Session::ingest`]; Argument for a text that is both a run and a path of another
    /// profile.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let folder = tempfile::tempdir().unwrap();
    /// let s = tracelake::create(folder.path().to_str().unwrap())?;
    /// assert_eq!(s.resolve(&["tests/data/first_look", "tests/data/pytorch_ddp"])?, ["first_look", "pytorch_ddp"]);
    /// assert_eq!(s.resolve(&["run:first_look"])?, ["first_look"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn resolve(&self, runs: impl Into<Runs>) -> Result<Vec<String>> {
        self.resolve_run_names(&runs.into().names(), true)
    }

    /// As [`Session::resolve`], but a text that is both a run and a path means the run.
    pub(crate) fn select(&self, runs: impl Into<Runs>) -> Result<Vec<String>> {
        self.resolve_run_names(&runs.into().names(), false)
    }

    /// As [`Session::select`] for queries: fast if all texts are names of runs.
    pub(crate) fn select_runs(&self, runs: Option<&[String]>) -> Result<Option<Vec<String>>> {
        let Some(runs) = runs else { return Ok(None) };
        let snapshot = current_snapshot(&self.inner.snapshot);
        if runs.iter().all(|run| snapshot.contains_key(run)) {
            return Ok(Some(runs.to_vec()));
        }
        if let Some(fault) =
            self.faults().into_iter().find(|fault| fault.run.as_ref().is_some_and(|run| runs.contains(run)))
        {
            return Err(fault.error());
        }
        self.select(runs).map(Some)
    }

    /// As [`Session::select`], for a call on one run.
    pub(crate) fn select_run(&self, text: &str) -> Result<String> {
        one_run(text, self.select_runs(Some(&[text.to_owned()]))?.unwrap_or_default())
    }

    /// Limits the session to these runs, and to those that it ingests itself.
    ///
    /// # Errors
    /// As [`Session::resolve`].
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let folder = tempfile::tempdir().unwrap();
    /// let s = tracelake::create(folder.path().to_str().unwrap())?;
    /// s.resolve(&["tests/data/first_look", "tests/data/pytorch_ddp"])?;
    /// s.limit_to(&["first_look"])?;
    /// assert_eq!(s.runs()?.len()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit_to(&self, runs: impl Into<Runs>) -> Result<()> {
        let runs: BTreeSet<String> = self.select(runs)?.into_iter().collect();
        *self.inner.only.lock() = Some(runs);
        self.refresh()
    }

    /// Returns true if a text may be the path of a profile: it has a `/`, or a file or folder has this name.
    pub fn may_be_path(text: &str) -> bool {
        is_path(text) || source::is_local(text)
    }

    fn resolve_run_names(&self, texts: &[&str], strict: bool) -> Result<Vec<String>> {
        if texts.is_empty() {
            return self.match_names(texts);
        }
        let mut matched = BTreeSet::new();
        for &text in texts {
            if is_path(text) {
                matched.extend(self.read_profiles(text)?);
                continue;
            }
            let local = source::is_local(text);
            match self.match_names(&[text]) {
                Ok(runs) if !(strict && local) => matched.extend(runs),
                // The run was read from this path.
                Ok(runs) if self.has_source(&runs, text)? => matched.extend(self.read_profiles(text)?),
                Ok(_) => {
                    let why = format!("cannot choose between run and path: `{text}` is both");
                    let hint = format!("write ./{text} for the path, {RUN_PREFIX}{text} for the run");
                    return Err(Error::new(ErrorKind::Argument, why).with_hint(hint));
                }
                Err(error) if error.kind() == ErrorKind::NotFound && local => matched.extend(self.read_profiles(text)?),
                Err(error) => return Err(error),
            }
        }
        Ok(matched.into_iter().collect())
    }

    /// Returns true if this is one run that was read from this path.
    fn has_source(&self, runs: &[String], path: &str) -> Result<bool> {
        let location = self.inner.lake.location().open_related(path, &self.inner.settings.options)?;
        let snapshot = current_snapshot(&self.inner.snapshot);
        let [run] = runs else { return Ok(false) };
        Ok(snapshot.get(run).is_some_and(|run| has_source(run, location.url())))
    }

    /// Returns the runs of the profiles at this address, which may have a `*`. Reads profiles that are not in the lake.
    fn read_profiles(&self, address: &str) -> Result<Vec<String>> {
        if let Some(runs) = self.inner.profiles.lock().get(address) {
            return Ok(runs.clone());
        }
        let request = Request {
            url: address.to_owned(),
            options: self.inner.settings.options.clone(),
            loader_columns: self.inner.settings.loader_columns.clone(),
            prune: self.inner.settings.prune,
            ..Request::default()
        };
        let many = address.contains('*');
        let requests = if many { self.expand(&request)? } else { vec![request] };
        let reports = with_free_names(|| {
            self.ingest_each(
                self.name_runs(requests.clone())?,
                many,
                self.inner.settings.watch.clone(),
                &mut |_| Ok(()),
            )
        })?;
        let mut runs = Vec::new();
        for report in reports {
            match report.error {
                Some(error) => self.warn(&format!("{} is excluded: {error}", report.url)),
                None => runs.push(report.run),
            }
        }
        self.inner.profiles.lock().insert(address.to_owned(), runs.clone());
        Ok(runs)
    }

    /// Sets the names of the runs so that no other profile has them.
    fn name_runs(&self, mut requests: Vec<Request>) -> Result<Vec<Request>> {
        let location = self.inner.lake.location();
        let profile = |request: &Request| {
            Ok((location.open_related(&request.url, &request.options)?.url().to_owned(), request.run.clone()))
        };
        let profiles = requests.iter().map(profile).collect::<Result<Vec<_>>>()?;
        let runs = self.on_lake(|lake| async move { resolve_run_names(&lake, &profiles).await })?;
        for (request, run) in requests.iter_mut().zip(runs) {
            request.run = Some(run);
            request.expanded = true;
        }
        Ok(requests)
    }

    /// Returns the runs with this attribute.
    fn runs_with_attribute(&self, key: &str, value: &str) -> Result<Vec<String>> {
        let text = "select distinct run from run_attribute where key = $key and value = $value";
        let frame = self.sql_with(text, [("key", key.trim()), ("value", value.trim())])?;
        Ok(frame.column::<String>("run")?.into_iter().flatten().collect())
    }
}

/// Returns the only run that `text` matches.
pub(super) fn one_run(text: &str, mut runs: Vec<String>) -> Result<String> {
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (_, more) => Err(Error::new(ErrorKind::Argument, format!("`{text}` matches {} runs, expected one", more + 1))),
    }
}

/// Returns true if a name matches a pattern, in which a `*` matches any letters.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut remaining) = name.strip_prefix(begin) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = remaining.split_once(part) else { return false };
        remaining = after;
    }
    remaining.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::{is_path, matches};

    #[test]
    fn a_star_matches_any_letters() {
        for (pattern, name) in
            [("job-*", "job-"), ("*", ""), ("*-b", "job-b-b"), ("j*b*b", "job-bb"), ("a*b*c", "abbc")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("job-*", "jab-1"), ("a*a", "a"), ("j*b*b", "job-"), ("a*b*c", "acb"), ("a", "ab")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_path_has_a_slash_and_a_condition_may_have_one() {
        for path in
            ["traces/", "./traces", "../a", ".", "..", "/a", "s3://b/jobs/*/out", "s3://b/day=1/x", "a/day=1", "~/a"]
        {
            assert!(is_path(path), "{path}");
        }
        for name in ["traces", "job-*", "commit=3fa2", "branch=feature/x", "run:a/b", "trace.json", "url=s3://b/x"] {
            assert!(!is_path(name), "{name}");
        }
    }
}
