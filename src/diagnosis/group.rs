//! Groups of runs as a user names them.

use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;

impl Session {
    /// The runs that these names stand for, each once, by name. A name is that of a baseline ([`Session::set_baseline`]) or of a run,
    /// a condition on what is said about runs, `commit=3fa2` (table `run_attribute`), or a pattern with `*` for any letters.
    ///
    /// # Errors
    /// NotFound when a name stands for no run; Argument without names.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.group(&["first_*"])?, ["first_look"]);
    /// let error = s.group(&["first_lock"]).unwrap_err();
    /// assert_eq!(error.to_string(), "no run or baseline `first_lock`; did you mean `first_look`?");
    /// # Ok(())
    /// # }
    /// ```
    pub fn group(&self, names: &[&str]) -> Result<Vec<String>> {
        if names.is_empty() {
            return Err(Error::new(ErrorKind::Argument, "cannot find runs: no name is given"));
        }
        let baselines = self.baselines()?;
        let mut runs: Vec<String> = self.runs()?.column::<String>("run")?.into_iter().flatten().collect();
        let valid = runs.len();
        // A corrupt run can be named, so that it can be deleted. Patterns exclude it.
        runs.extend(self.faults().into_iter().filter_map(|fault| fault.run));
        let mut found = Vec::new();
        for name in names {
            if let Some(of) = baselines.get(*name) {
                if let Some(gone) = of.iter().find(|run| !runs.contains(run)) {
                    let text = format!("cannot use baseline `{name}`: run `{gone}` of it is not there");
                    return Err(Error::new(ErrorKind::NotFound, text));
                }
                found.extend(of.iter().cloned());
                continue;
            }
            if runs.iter().any(|run| run == name) {
                found.push((*name).to_owned());
                continue;
            }
            let matching = match name.split_once('=') {
                Some((key, value)) => self.said(key, value)?,
                None if name.contains('*') => runs[..valid].iter().filter(|run| matches(name, run)).cloned().collect(),
                None => {
                    let known: Vec<&str> = baselines.keys().chain(&runs).map(String::as_str).take(1000).collect();
                    return Err(Error::unknown("run or baseline", name, &known));
                }
            };
            if matching.is_empty() {
                return Err(Error::new(ErrorKind::NotFound, format!("no run is meant by `{name}`")));
            }
            found.extend(matching);
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// The runs about which this is said.
    fn said(&self, key: &str, value: &str) -> Result<Vec<String>> {
        let text = "select distinct run from run_attribute where key = $key and value = $value";
        let frame = self.sql_with(text, &[("key", key.trim().into()), ("value", value.trim().into())])?;
        Ok(frame.column::<String>("run")?.into_iter().flatten().collect())
    }
}

/// Whether a name fits a pattern, in which a `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(begin) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = left.split_once(part) else { return false };
        left = behind;
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name) in
            [("job-*", "job-"), ("*", ""), ("*-b", "job-b-b"), ("j*b*b", "job-bb"), ("a*b*c", "abbc")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("job-*", "jab-1"), ("a*a", "a"), ("j*b*b", "job-"), ("a*b*c", "acb"), ("a", "ab")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
