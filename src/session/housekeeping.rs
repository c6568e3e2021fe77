//! Runs that go, what is said about them, and files that nobody reads any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use arrow::array::{ArrayRef, BooleanArray, Int64Array, StringArray};
use tracelake_engine::provider::current;

use super::Session;
use super::key_metrics::without_figures;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::ingest;
use crate::lake::{Compacted, Fault, Manifest, Repair, now};
use crate::unit::Unit;

impl Session {
    /// Deletes runs: at once they are in no answer of a session that is opened from now on, and of this one. Sessions that are open
    /// still read them, and so their files stay until [`Session::vacuum`]. An ingest of the same name makes a new run.
    ///
    /// # Errors
    /// NotFound for a run that is not there; Conflict for one that a baseline names, or that other writers change time after time.
    /// Nothing is deleted then, but for the last of these, where the runs before are.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// s.delete(&["first_look"])?;
    /// assert_eq!(s.runs()?.rows()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn delete(&self, runs: &[&str]) -> Result<()> {
        let names: Vec<String> = runs.iter().map(|run| (*run).to_owned()).collect();
        let damaged = self.faults();
        let is_damaged = |name: &&String| damaged.iter().any(|fault| fault.run.as_ref() == Some(*name));
        let known: Vec<String> = names.iter().filter(|name| !is_damaged(name)).cloned().collect();
        self.filter(Some(&known))?;
        self.refuse_in_baseline("delete", &names)?;
        let (lake, handle) = (self.inner.lake.clone(), self.inner.engine.handle().clone());
        let deleted = self.inner.engine.run_blocking(&AtomicBool::new(false), move || {
            names.iter().try_for_each(|run| ingest::delete(&lake, run, &handle))
        });
        self.refresh()?;
        deleted
    }

    /// Gives a run another name, at once and for all its rows, which are written anew. Sessions that are open read on under the old
    /// name until they `refresh`.
    ///
    /// # Errors
    /// NotFound for a run that is not there; Argument for a name that cannot be one; Conflict for one that is taken, or if a baseline
    /// names the run, or somebody else changes it meanwhile.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// s.rename("first_look", "job-7")?;
    /// assert_eq!(s.sql("select distinct run from step")?.value::<String>(0, "run")?.as_deref(), Some("job-7"));
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn rename(&self, run: &str, to: &str) -> Result<()> {
        self.filter(Some(&[run.to_owned()]))?;
        self.refuse_in_baseline("rename", &[run.to_owned()])?;
        let (lake, handle) = (self.inner.lake.clone(), self.inner.engine.handle().clone());
        let (from, name) = (run.to_owned(), to.to_owned());
        let renamed = self
            .inner
            .engine
            .run_blocking(&AtomicBool::new(false), move || ingest::rename(&lake, &from, &name, &handle));
        if renamed.is_ok()
            && let Some(only) = self.inner.only.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
        {
            only.remove(run);
            only.insert(to.to_owned());
        }
        self.refresh()?;
        renamed
    }

    /// Refuses what would take a run from a baseline.
    fn refuse_in_baseline(&self, what: &str, names: &[String]) -> Result<()> {
        for (baseline, of) in self.baselines()? {
            if let Some(run) = names.iter().find(|run| of.contains(run)) {
                let text = format!("cannot {what} run `{run}`: baseline `{baseline}` contains it");
                return Err(Error::new(ErrorKind::Conflict, text).with_hint("change the runs of the baseline first"));
            }
        }
        Ok(())
    }

    /// Of these runs, or of all if none is named, those whose rows end further back than `age`, sorted by name; where nothing says when
    /// a run was, its last commit counts. Names may be those of [`Session::group`].
    ///
    /// # Errors
    /// As [`Session::group`].
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # use std::time::Duration;
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.outdated(&[], Duration::from_hours(24))?, ["first_look"]);
    /// assert!(s.outdated(&["first_*"], Duration::from_hours(1_000_000))?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn outdated(&self, runs: &[&str], age: Duration) -> Result<Vec<String>> {
        let before = ago(age, now());
        let end = |run: &Manifest| run.objects.iter().filter_map(|object| object.ended).max().unwrap_or(run.committed);
        let snapshot = current(&self.inner.snapshot);
        let mut names = if runs.is_empty() { snapshot.keys().cloned().collect() } else { self.group(runs)? };
        names.retain(|name| snapshot.get(name).is_some_and(|run| end(run) < before));
        Ok(names)
    }

    /// Changes what is said about a run: a value for each tag, none for one that goes. Tags are rows of table `run_attribute`.
    ///
    /// # Errors
    /// NotFound without such a run; Conflict when other writers change it time after time; Denied, Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// s.tag("first_look", &[("commit", Some("3fa2")), ("draft", None)])?;
    /// assert_eq!(s.group(&["commit=3fa2"])?, ["first_look"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn tag(&self, run: &str, tags: &[(&str, Option<&str>)]) -> Result<()> {
        self.filter(Some(&[run.to_owned()]))?;
        let changes: BTreeMap<String, Option<String>> =
            tags.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        let (lake, handle, name) = (self.inner.lake.clone(), self.inner.engine.handle().clone(), run.to_owned());
        let manifest = self
            .inner
            .engine
            .run_blocking(&AtomicBool::new(false), move || ingest::tag(&lake, &name, &changes, &handle))?;
        self.see(&Arc::new(manifest));
        self.keep_key_metrics(&[run.to_owned()])
    }

    /// Holds the lake's files against its manifests; `read` also reads every part to its end, which takes as long as an export.
    ///
    /// # Shape
    /// A row per fault: `fault` (`missing`, `size`, `damaged`, `manifest`, `newer`, `unlisted`), `loss` (whether rows are lost; what nobody reads only
    /// takes space), `run`, `path` below the lake, `bytes` of what is there, `message`. No row when all is well.
    ///
    /// # Errors
    /// Denied, Unreachable; Unrecognized for a lake of a newer format.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.check(true)?.rows()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn check(&self, read: bool) -> Result<Frame> {
        let lake = self.inner.lake.clone();
        let faults = self.inner.engine.run(async move { lake.check(read).await })?;
        let texts = |of: fn(&crate::lake::Fault) -> Option<&str>| -> ArrayRef {
            Arc::new(faults.iter().map(of).collect::<StringArray>())
        };
        let loss: BooleanArray = faults.iter().map(|fault| Some(fault.kind.is_loss())).collect();
        let bytes = faults.iter().map(|fault| fault.bytes.and_then(|bytes| i64::try_from(bytes).ok()));
        let frame = Frame::of_columns(vec![
            ("fault", Unit::Name, texts(|fault| Some(fault.kind.name()))),
            ("loss", Unit::Flag, Arc::new(loss)),
            ("run", Unit::Id, texts(|fault| fault.run.as_deref())),
            ("path", Unit::Name, texts(|fault| Some(&fault.path))),
            ("bytes", Unit::Bytes, Arc::new(bytes.collect::<Int64Array>())),
            ("message", Unit::Text, texts(|fault| Some(&fault.message))),
        ])?;
        Ok(frame.or_else_because("the files of the lake match its manifests"))
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
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.repair(true)?.rows()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn repair(&self, read: bool) -> Result<Frame> {
        let lake = self.inner.lake.clone();
        let repairs = self.inner.engine.run(async move { lake.repair(&lake.check(read).await?).await })?;
        self.refresh()?;
        let runs: Vec<String> = repairs.iter().filter_map(|repair| repair.run.clone()).collect();
        self.keep_key_metrics(&runs)?;
        let texts =
            |of: fn(&Repair) -> Option<&str>| -> ArrayRef { Arc::new(repairs.iter().map(of).collect::<StringArray>()) };
        let loss: BooleanArray = repairs.iter().map(|repair| Some(repair.loss)).collect();
        let frame = Frame::of_columns(vec![
            ("action", Unit::Name, texts(|repair| Some(repair.action))),
            ("loss", Unit::Flag, Arc::new(loss)),
            ("run", Unit::Id, texts(|repair| repair.run.as_deref())),
            ("path", Unit::Name, texts(|repair| Some(&repair.path))),
            ("message", Unit::Text, texts(|repair| Some(&repair.message))),
        ])?;
        Ok(frame.or_else_because("there is nothing to repair"))
    }

    /// Brings the small parts of many runs together in few files, so that a question opens few, and their manifests in one; every
    /// answer stays as it is. With `dry` it only says what would be brought together. The old files go with [`Session::vacuum`].
    ///
    /// # Shape
    /// A row per table in which something was brought together, by name: `table`, `runs`, `files_before`, `files_after`,
    /// `bytes_before`, `bytes_after`; with `dry` the last and `files_after` are null.
    ///
    /// # Errors
    /// Conflict when somebody else compacts at the same time; Malformed for a damaged part; Denied, Unreachable, Exhausted.
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
    ///     s.ingest(Request { url, run: Some(run.to_owned()), ..Request::default() }, None)?;
    /// }
    /// let compacted = s.compact(false)?;
    /// assert_eq!(compacted.value::<i64>(0, "runs")?, Some(3));
    /// assert_eq!(s.table("step", None, None)?.rows()?, 3 * 220);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn compact(&self, dry: bool) -> Result<Frame> {
        let lake = self.inner.lake.clone();
        let (tables, faults) = self.inner.engine.run(async move { lake.compact(dry).await })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        if !dry {
            self.refresh()?;
        }
        let counts = |of: fn(&Compacted) -> u64, known: bool| -> ArrayRef {
            let count = |table: &Compacted| i64::try_from(of(table)).ok().filter(|_| known);
            Arc::new(tables.iter().map(count).collect::<Int64Array>())
        };
        let names: StringArray = tables.iter().map(|table| Some(table.table.as_str())).collect();
        let frame = Frame::of_columns(vec![
            ("table", Unit::Name, Arc::new(names)),
            ("runs", Unit::Count, counts(|table| table.runs, true)),
            ("files_before", Unit::Count, counts(|table| table.files_before, true)),
            ("files_after", Unit::Count, counts(|table| table.files_after, !dry)),
            ("bytes_before", Unit::Bytes, counts(|table| table.bytes_before, true)),
            ("bytes_after", Unit::Bytes, counts(|table| table.bytes_after, !dry)),
        ])?;
        Ok(frame.or_else_because("there are no small files of several runs to merge"))
    }

    /// Brings a lake that an older version wrote to what this one writes: parts whose tables have other columns now are written anew, as
    /// other engines want one schema, and key metrics that other queries made are made anew. With `dry` it only says what would be
    /// done. Answers stay as they are, but for the new figures.
    ///
    /// # Shape
    /// A row per run in which something was old, by name: `run`, `parts` that were written anew, `key_metrics` (whether these
    /// were made anew).
    ///
    /// # Errors
    /// Conflict for a run that other writers change time after time, where the runs before are done; Malformed for a damaged part; Denied,
    /// Unreachable, Exhausted.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// assert_eq!(s.upgrade(true)?.rows()?, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn upgrade(&self, dry: bool) -> Result<Frame> {
        let snapshot = current(&self.inner.snapshot);
        let names: Vec<String> = snapshot.keys().cloned().collect();
        let figures: BTreeSet<&str> =
            without_figures(&snapshot, &names).into_iter().map(|run| run.run.as_str()).collect();
        let (lake, handle, runs) = (self.inner.lake.clone(), self.inner.engine.handle().clone(), names.clone());
        let (parts, faults): (Vec<usize>, Vec<Fault>) =
            self.inner.engine.run_blocking(&AtomicBool::new(false), move || {
                let (mut parts, mut faults) = (Vec::new(), Vec::new());
                for run in &runs {
                    match ingest::upgrade(&lake, run, dry, &handle) {
                        Ok(old) => parts.push(old),
                        Err(error) => match handle.block_on(lake.run(run))? {
                            Some(manifest) => {
                                faults.push(handle.block_on(lake.fault_in(&manifest))?.ok_or(error)?);
                                parts.push(0);
                            }
                            None => return Err(error),
                        },
                    }
                }
                Ok((parts, faults))
            })?;
        faults.into_iter().for_each(|fault| self.report_fault(fault));
        if !dry {
            self.refresh()?;
            self.keep_key_metrics(&names)?;
        }
        let old = names.iter().zip(parts).filter(|(run, parts)| *parts > 0 || figures.contains(run.as_str()));
        let (runs, parts): (Vec<&String>, Vec<usize>) = old.unzip();
        let made: BooleanArray = runs.iter().map(|run| Some(figures.contains(run.as_str()))).collect();
        let frame = Frame::of_columns(vec![
            ("run", Unit::Id, Arc::new(runs.iter().map(Some).collect::<StringArray>())),
            ("parts", Unit::Count, Arc::new(parts.into_iter().map(|n| i64::try_from(n).ok()).collect::<Int64Array>())),
            ("key_metrics", Unit::Flag, Arc::new(made)),
        ])?;
        Ok(frame.or_else_because("all files are as this version writes them"))
    }

    /// Removes manifests that were superseded longer than `age` ago, and parts that are older and that no other manifest lists: of
    /// deleted runs, of rows that were replaced, of killed ingests. With `dry` it only says what would go.
    ///
    /// `age` must be longer than an ingest takes, and than a session stays open without `refresh`: a day is safe for most. It counts
    /// by the clock of the store or by ours, whichever is behind; with `dry`, which writes nothing, by ours. While any manifest is corrupt,
    /// `vacuum` removes neither data files nor manifests: the corrupt manifest may list them, and `repair` may need an older generation.
    ///
    /// # Shape
    /// A row per file: `kind` (`part`, `manifest`, `claim`, `unfinished`), `path` below the lake, `bytes`, `modified`, when it was written.
    ///
    /// # Errors
    /// Denied, Unreachable.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # use std::time::Duration;
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// s.delete(&["first_look"])?;
    /// assert_eq!(s.vacuum(Duration::from_hours(24), false)?.rows()?, 0);
    /// assert!(s.vacuum(Duration::ZERO, false)?.rows()? > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[tracing::instrument(skip_all)]
    pub fn vacuum(&self, age: Duration, dry: bool) -> Result<Frame> {
        let lake = self.inner.lake.clone();
        let waste = self.inner.engine.run(async move {
            let now = if dry { now() } else { lake.now().await? };
            let waste = lake.waste(ago(age, now)).await?;
            if !dry {
                lake.remove(&waste).await?;
            }
            Ok(waste)
        })?;
        let texts = |of: fn(&crate::lake::Waste) -> &str| -> ArrayRef {
            Arc::new(waste.iter().map(|file| Some(of(file))).collect::<StringArray>())
        };
        let bytes = waste.iter().map(|file| i64::try_from(file.bytes).ok());
        let frame = Frame::of_columns(vec![
            ("kind", Unit::Name, texts(|file| file.kind)),
            ("path", Unit::Name, texts(|file| &file.path)),
            ("bytes", Unit::Bytes, Arc::new(bytes.collect::<Int64Array>())),
            ("modified", Unit::Time, Arc::new(waste.iter().map(|file| Some(file.modified)).collect::<Int64Array>())),
        ])?;
        Ok(frame.or_else_because("there are no unused files of this age"))
    }
}

/// So long before a time in ns.
fn ago(age: Duration, now: i64) -> i64 {
    now.saturating_sub(i64::try_from(age.as_nanos()).unwrap_or(i64::MAX))
}
