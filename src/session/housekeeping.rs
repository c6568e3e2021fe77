//! Housekeeping of a lake: deletes, renames and tags runs; checks, repairs, compacts, upgrades and vacuums the lake.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tracelake_engine::provider::current_snapshot;

use super::key_metrics::without_key_metrics;
use super::runs::one_run;
use super::{CheckDepth, Mode, Runs, Session};
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::ingest;
use crate::lake::{LakeFault, Manifest, now};
use crate::session::columns::{count_column, flag_column, text_column};
use crate::unit::Unit;

impl Session {
    /// Deletes runs. This session and sessions that are opened later do not see them. Open sessions still read them, so their
    /// files remain until [`Session::vacuum`]. An ingest of the same name creates a new run.
    ///
    /// # Errors
    /// NotFound for an unknown run; Conflict for a run in a baseline, or one that other processes change again and again.
    /// Then nothing is deleted, except in the last case, where the runs before it are.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.delete(&["first_look"])?;
    /// assert_eq!(s.runs()?.len()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn delete(&self, runs: impl Into<Runs>) -> Result<()> {
        let runs = runs.into();
        let Some(names) = runs.selected().map(<[String]>::to_vec) else {
            return Err(Error::new(ErrorKind::Argument, "cannot delete runs: no run is named"));
        };
        let faults = self.faults();
        let is_corrupt = |name: &&String| faults.iter().any(|fault| fault.run.as_ref() == Some(*name));
        let known: Vec<String> = names.iter().filter(|name| !is_corrupt(name)).cloned().collect();
        self.filter(Some(&known))?;
        self.refuse_in_baseline("delete", &names)?;
        let deleted =
            self.change_lake(move |lake, handle| names.iter().try_for_each(|run| ingest::delete(lake, run, handle)));
        self.refresh()?;
        deleted
    }

    /// Renames a run. A pattern or a condition ([`Session::group`]) must match one run. Its rows are rewritten, and the new name
    /// is visible at once. Open sessions still see the old name until they call `refresh`.
    ///
    /// # Errors
    /// NotFound for an unknown run; Argument for an invalid name, or if several runs match; Conflict for a name that another
    /// run has, a run in a baseline, or a run that another process changes at the same time.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.rename("first_look", "job-7")?;
    /// assert_eq!(s.sql("select distinct run from step")?.value::<String>(0, "run")?.as_deref(), Some("job-7"));
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn rename(&self, run: &str, new_name: &str) -> Result<()> {
        let run = &one_run(run, self.group([run])?)?;
        self.filter(Some(&[run.to_owned()]))?;
        self.refuse_in_baseline("rename", &[run.to_owned()])?;
        let (old, new) = (run.to_owned(), new_name.to_owned());
        let renamed = self.change_lake(move |lake, handle| ingest::rename(lake, &old, &new, handle));
        if renamed.is_ok()
            && let Some(only) = self.inner.only.lock().as_mut()
        {
            only.remove(run);
            only.insert(new_name.to_owned());
        }
        self.refresh()?;
        renamed
    }

    /// Returns an error if a baseline contains one of the runs.
    fn refuse_in_baseline(&self, what: &str, names: &[String]) -> Result<()> {
        for (baseline, runs) in self.baselines()? {
            if let Some(run) = names.iter().find(|run| runs.contains(run)) {
                let text = format!("cannot {what} run `{run}`: baseline `{baseline}` contains it");
                return Err(Error::new(ErrorKind::Conflict, text).with_hint("change the runs of the baseline first"));
            }
        }
        Ok(())
    }

    /// Returns those of these runs, or of all runs without names, with no row newer than `age`, sorted by name. For a run
    /// without timestamps, its last commit counts. Names are those of [`Session::group`].
    ///
    /// # Errors
    /// As [`Session::group`].
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # use std::time::Duration;
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.outdated((), Duration::from_hours(24))?, ["first_look"]);
    /// assert!(s.outdated(&["first_*"], Duration::from_hours(1_000_000))?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn outdated(&self, runs: impl Into<Runs>, age: Duration) -> Result<Vec<String>> {
        let before = ago(age, now());
        // Times that do not count from the Unix epoch say nothing about age.
        let end = |run: &Manifest| {
            let dated = run.objects.iter().filter(|object| object.has_epoch() == Some(true));
            dated.filter_map(|object| object.ended).max().unwrap_or(run.committed)
        };
        let snapshot = current_snapshot(&self.inner.snapshot);
        let runs = runs.into();
        let is_all = runs == Runs::all();
        let mut names = if is_all { snapshot.keys().cloned().collect() } else { self.group(runs)? };
        names.retain(|name| snapshot.get(name).is_some_and(|run| end(run) < before));
        Ok(names)
    }

    /// Sets and removes tags of runs: a value sets a tag, None removes it. Tags are rows of table `run_attribute`. Names are
    /// those of [`Session::group`]. Returns the names of the runs.
    ///
    /// # Errors
    /// NotFound for an unknown run; Conflict if other processes change it again and again; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.tag(&["first_look"], &[("commit", Some("3fa2")), ("draft", None)])?;
    /// assert_eq!(s.tag(&["commit=3fa2"], &[("team", Some("red"))])?, ["first_look"]);
    /// assert_eq!(s.group(&["commit=3fa2"])?, ["first_look"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn tag(&self, runs: impl Into<Runs>, tags: &[(&str, Option<&str>)]) -> Result<Vec<String>> {
        let runs = self.group(runs)?;
        self.filter(Some(&runs))?;
        let changes: BTreeMap<String, Option<String>> =
            tags.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        let mut tagged = Vec::new();
        let result = runs.iter().try_for_each(|run| {
            let (name, changes) = (run.clone(), changes.clone());
            tagged.push(Arc::new(self.change_lake(move |lake, handle| ingest::tag(lake, &name, &changes, handle))?));
            Ok(())
        });
        self.add_runs(&tagged);
        self.store_key_metrics(&runs[..tagged.len()])?;
        result.map(|()| runs).map_err(|error: Error| error.with_context("tagged", format!("{} runs", tagged.len())))
    }

    /// Compares the files of the lake with its manifests. `read` also reads every data file completely, which takes as long as
    /// an export.
    ///
    /// # Shape
    /// A row per fault: `fault` (`missing`, `size`, `corrupt`, `manifest`, `newer`, `unlisted`), `loss` (whether rows are lost;
    /// unlisted files only take space), `run`, `path` below the lake, `bytes` of the existing file, `message`. No rows without
    /// faults.
    ///
    /// # Errors
    /// Denied, Unreachable; Unrecognized for a lake of a newer format.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.check(tracelake::CheckDepth::Contents)?.len()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn check(&self, depth: CheckDepth) -> Result<Frame> {
        let read = depth == CheckDepth::Contents;
        let faults = self.on_lake(|lake| async move { lake.check(read).await })?;
        let frame = Frame::from_columns(vec![
            ("fault", Unit::Name, text_column(&faults, |fault| Some(fault.kind.name()))),
            ("loss", Unit::Flag, flag_column(&faults, |fault| Some(fault.is_loss()))),
            ("run", Unit::Id, text_column(&faults, |fault| fault.run.as_deref())),
            ("path", Unit::Name, text_column(&faults, |fault| Some(&fault.path))),
            ("bytes", Unit::Bytes, count_column(&faults, |fault| fault.bytes)),
            ("message", Unit::Text, text_column(&faults, |fault| Some(&fault.message))),
        ])?;
        Ok(frame.with_empty_reason("the files of the lake match its manifests"))
    }

    /// Fixes what [`Session::check`] finds. A run with a corrupt manifest is restored from its newest valid generation. Missing and
    /// corrupt data files are dropped from their run; the next ingest of the profile reads their source files again. No valid data
    /// is removed.
    ///
    /// # Shape
    /// A row per run, or per bundle of manifests: `action` (`restored`; `emptied` if no generation is valid; `renamed` if its rows
    /// have another name; `dropped` for data files; `rewritten` for a bundle), `loss` (whether a profile must be ingested again),
    /// `run`, `path` of the corrupt file below the lake, `message` with what to do. No rows if there is nothing to repair.
    ///
    /// # Errors
    /// Conflict if another process changed the same run; runs that were repaired before it stay repaired. Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.repair(tracelake::CheckDepth::Contents)?.len()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn repair(&self, depth: CheckDepth) -> Result<Frame> {
        let read = depth == CheckDepth::Contents;
        let repairs = self.on_lake(|lake| async move { lake.repair(&lake.check(read).await?).await })?;
        self.refresh()?;
        let runs: Vec<String> = repairs.iter().filter_map(|repair| repair.run.clone()).collect();
        self.store_key_metrics(&runs)?;
        let frame = Frame::from_columns(vec![
            ("action", Unit::Name, text_column(&repairs, |repair| Some(repair.action))),
            ("loss", Unit::Flag, flag_column(&repairs, |repair| Some(repair.loss))),
            ("run", Unit::Id, text_column(&repairs, |repair| repair.run.as_deref())),
            ("path", Unit::Name, text_column(&repairs, |repair| Some(&repair.path))),
            ("message", Unit::Text, text_column(&repairs, |repair| Some(&repair.message))),
        ])?;
        Ok(frame.with_empty_reason("there is nothing to repair"))
    }

    /// Merges the small data files of many runs into few files, and their manifests into one, so that a query opens fewer
    /// files. Results of queries do not change. With `dry` it only reports what it would merge. [`Session::vacuum`] removes the
    /// old files.
    ///
    /// # Shape
    /// A row per table with merged files, sorted by name: `table`, `runs`, `files_before`, `files_after`, `bytes_before`,
    /// `bytes_after`. With `dry`, `files_after` and `bytes_after` are null.
    ///
    /// # Errors
    /// Conflict if another process compacts at the same time; Malformed for a corrupt data file; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// use tracelake::Request;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(folder.path().to_str().unwrap())?;
    /// for run in ["a", "b", "c"] {
    ///     let url = "tests/data/first_look/profiler-output".to_owned();
    ///     s.ingest(Request { url, run: Some(run.to_owned()), ..Request::default() })?;
    /// }
    /// let compacted = s.compact(tracelake::Mode::Apply)?;
    /// assert_eq!(compacted.value::<i64>(0, "runs")?, Some(3));
    /// assert_eq!(s.table("step", None, None)?.len()?, 3 * 220);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn compact(&self, mode: Mode) -> Result<Frame> {
        let dry = mode == Mode::DryRun;
        let (tables, faults) = self.on_lake(|lake| async move { lake.compact(dry).await })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        if !dry {
            self.refresh()?;
        }
        let frame = Frame::from_columns(vec![
            ("table", Unit::Name, text_column(&tables, |table| Some(&table.table))),
            ("runs", Unit::Count, count_column(&tables, |table| Some(table.runs))),
            ("files_before", Unit::Count, count_column(&tables, |table| Some(table.files_before))),
            ("files_after", Unit::Count, count_column(&tables, |table| (!dry).then_some(table.files_after))),
            ("bytes_before", Unit::Bytes, count_column(&tables, |table| Some(table.bytes_before))),
            ("bytes_after", Unit::Bytes, count_column(&tables, |table| (!dry).then_some(table.bytes_after))),
        ])?;
        Ok(frame.with_empty_reason("there are no small files of several runs to merge"))
    }

    /// Rewrites what an older version of tracelake wrote: data files of tables that have other columns now, because other
    /// engines need one schema, and key metrics of other queries. With `dry` it only reports what it would do. Results of
    /// queries do not change, except for new key metrics.
    ///
    /// # Shape
    /// A row per upgraded run, sorted by name: `run`, `parts` (number of rewritten data files), `key_metrics` (whether these
    /// were computed again).
    ///
    /// # Errors
    /// Conflict for a run that other processes change again and again, where the runs before it are done; Malformed for a
    /// corrupt data file; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.upgrade(tracelake::Mode::DryRun)?.len()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn upgrade(&self, mode: Mode) -> Result<Frame> {
        let dry = mode == Mode::DryRun;
        let snapshot = current_snapshot(&self.inner.snapshot);
        let names: Vec<String> = snapshot.keys().cloned().collect();
        let outdated_metrics: BTreeSet<&str> =
            without_key_metrics(&snapshot, &names).into_iter().map(|run| run.run.as_str()).collect();
        let runs = names.clone();
        let (parts, faults): (Vec<usize>, Vec<LakeFault>) = self.change_lake(move |lake, handle| {
            let (mut parts, mut faults) = (Vec::new(), Vec::new());
            for run in &runs {
                match ingest::upgrade(lake, run, dry, handle) {
                    Ok(old) => parts.push(old),
                    Err(error) => {
                        let Some(manifest) = handle.block_on(lake.run(run))? else { return Err(error) };
                        faults.push(handle.block_on(lake.find_fault(&manifest))?.ok_or(error)?);
                        parts.push(0);
                    }
                }
            }
            Ok((parts, faults))
        })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        if !dry {
            self.refresh()?;
            self.store_key_metrics(&names)?;
        }
        let old = names.iter().zip(parts).filter(|(run, parts)| *parts > 0 || outdated_metrics.contains(run.as_str()));
        let old: Vec<(&String, usize)> = old.collect();
        let frame = Frame::from_columns(vec![
            ("run", Unit::Id, text_column(&old, |(run, _)| Some(run))),
            ("parts", Unit::Count, count_column(&old, |(_, parts)| Some(*parts))),
            ("key_metrics", Unit::Flag, flag_column(&old, |(run, _)| Some(outdated_metrics.contains(run.as_str())))),
        ])?;
        Ok(frame.with_empty_reason("all files are as this version writes them"))
    }

    /// Removes manifests that were replaced more than `age` ago, and older data files that no other manifest lists: files of
    /// deleted runs, replaced rows and killed ingests. With `dry` it only reports what it would remove.
    ///
    /// `age` must be longer than any ingest takes and any session stays open without `refresh`; a day is safe for most. It is
    /// measured with the earlier of the clocks of the store and of this machine, and with `dry`, which writes nothing, of this
    /// machine. While any manifest is corrupt, `vacuum` removes neither data files nor manifests: the corrupt manifest may list
    /// them, and `repair` may need an older generation.
    ///
    /// # Shape
    /// A row per file: `kind` (`part`, `manifest`, `claim`, `unfinished`), `path` below the lake, `bytes`, `modified`.
    ///
    /// # Errors
    /// Denied, Unreachable.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # use std::time::Duration;
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
    /// s.delete(&["first_look"])?;
    /// assert_eq!(s.vacuum(Duration::from_hours(24), tracelake::Mode::Apply)?.len()?, 0);
    /// assert!(s.vacuum(Duration::ZERO, tracelake::Mode::Apply)?.len()? > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn vacuum(&self, age: Duration, mode: Mode) -> Result<Frame> {
        let dry = mode == Mode::DryRun;
        let waste = self.on_lake(|lake| async move {
            let now = if dry { now() } else { lake.now().await? };
            let waste = lake.find_unused_files(ago(age, now)).await?;
            if !dry {
                lake.remove(&waste).await?;
            }
            Ok(waste)
        })?;
        let frame = Frame::from_columns(vec![
            ("kind", Unit::Name, text_column(&waste, |file| Some(file.kind))),
            ("path", Unit::Name, text_column(&waste, |file| Some(&file.path))),
            ("bytes", Unit::Bytes, count_column(&waste, |file| Some(file.bytes))),
            ("modified", Unit::Time, count_column(&waste, |file| Some(file.modified))),
        ])?;
        Ok(frame.with_empty_reason("there are no unused files of this age"))
    }
}

/// Returns the time that is `age` before `now`, ns.
fn ago(age: Duration, now: i64) -> i64 {
    now.saturating_sub(i64::try_from(age.as_nanos()).unwrap_or(i64::MAX))
}
