//! The Python class of a session. It converts arguments and results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::current;
use std::time::Duration;

use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyList};
use tracelake::catalog::Query;
use tracelake::diagnosis::{Compare, Inconclusive, Rule, Rules};
use tracelake::ingest::{Progress, ProgressCallback, Request};
use tracelake::session::{Interrupt, Warn};
use tracelake::{CheckDepth, FollowOptions, Mode, OpenOptions, Runs, Traffic, Value};

use crate::error::{PendingExceptions, refuse};
use crate::figure::PyFigure;
use crate::frame::PyFrame;
use crate::gate::PyGate;
use crate::report::PyReport;
use crate::table::PyTableProvider;
use crate::value::{RunNames, column_names, query_values, run_names};

/// A lake or a profile that can be asked.
#[pyclass(name = "Session", frozen, module = "tracelake._tracelake")]
pub(crate) struct PySession {
    session: tracelake::Session,
    pending: PendingExceptions,
}

/// Returns the function that checks for Ctrl-C while a call waits.
fn interrupt(pending: &PendingExceptions) -> Interrupt {
    let pending = pending.clone();
    Arc::new(move || Python::attach(|py| pending.store(current().id(), py.check_signals())))
}

/// Passes the progress of an ingest to a Python function. An exception that it raises ends the
/// ingest, and is raised by the call of this thread.
fn watch(pending: &PendingExceptions, progress: Option<Py<PyAny>>) -> Option<ProgressCallback> {
    let (pending, caller) = (pending.clone(), current().id());
    let progress = progress?;
    Some(Arc::new(move |now: Progress| {
        Python::attach(|py| {
            let arguments = (now.objects_done, now.objects, now.bytes_done, now.bytes);
            !pending.store(caller, progress.call1(py, arguments))
        })
    }))
}

/// Passes warnings to a Python function. An exception that it raises is raised by the call of this thread.
fn warn(pending: &PendingExceptions, warning: Py<PyAny>) -> Warn {
    let pending = pending.clone();
    Arc::new(move |text| _ = Python::attach(|py| pending.store(current().id(), warning.call1(py, (text,)))))
}

/// Opens the default lake, a lake or a profile, or several profiles.
#[pyfunction]
#[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the Python side names them all")]
pub(crate) fn open(
    py: Python<'_>,
    urls: Vec<String>,
    options: BTreeMap<String, String>,
    create: bool,
    ephemeral: bool,
    writable: bool,
    queries: Option<String>,
    run: Option<String>,
    loader_columns: Option<BTreeMap<String, String>>,
    prune: bool,
    cluster: Option<String>,
    local_fallback: bool,
    progress: Option<Py<PyAny>>,
    warning: Py<PyAny>,
) -> PyResult<PySession> {
    let pending = PendingExceptions::default();
    let how = OpenOptions {
        options,
        create,
        ephemeral,
        writable,
        queries,
        run,
        loader_columns,
        prune,
        cluster,
        local_fallback,
        watch: watch(&pending, progress),
        interrupt: Some(interrupt(&pending)),
        warn: Some(warn(&pending, warning)),
    };
    let session = pending.call(py, || match urls.as_slice() {
        [] => tracelake::open_default_with(how),
        [url] => tracelake::open_with(url, how),
        urls => tracelake::open_all(&str_slices(urls), how),
    })?;
    Ok(PySession { session, pending })
}

fn str_slices(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn named_values(values: &BTreeMap<String, Value>) -> Vec<(&str, Value)> {
    values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
}

/// The result of `diagnose`: text, HTML, verdicts, findings, and a frame of the findings.
type DiagnosisParts<'py> = (String, String, Bound<'py, PyList>, Bound<'py, PyList>, PyFrame);

impl PySession {
    fn frame(&self, frame: tracelake::Frame) -> PyFrame {
        PyFrame { frame, pending: self.pending.clone() }
    }

    /// Calls the library and returns the frame as a Python object.
    fn call(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> tracelake::Result<tracelake::Frame> + Send,
    ) -> PyResult<PyFrame> {
        self.pending.call(py, work).map(|frame| self.frame(frame))
    }
}

#[pymethods]
impl PySession {
    /// Address of the lake.
    #[getter]
    fn url(&self) -> String {
        self.session.url().to_owned()
    }

    /// The profiles in a temporary lake, else the lake.
    fn title(&self) -> String {
        self.session.title()
    }

    /// What is seen, as HTML.
    fn html(&self) -> String {
        self.session.to_html()
    }

    /// The only run that is seen, when a profile was opened.
    #[getter]
    fn run(&self) -> Option<String> {
        self.session.run().map(str::to_owned)
    }

    /// Sees these runs only.
    fn limit_to(&self, py: Python<'_>, names: RunNames) -> PyResult<()> {
        self.pending.call(py, || self.session.limit_to(&names.0))
    }

    /// Runs SQL.
    fn sql(&self, py: Python<'_>, text: &str, params: &Bound<'_, PyDict>) -> PyResult<PyFrame> {
        let values = query_values(params)?;
        self.call(py, || self.session.sql_with(text, &named_values(&values)))
    }

    /// Asks a canned query.
    fn query(&self, py: Python<'_>, name: &str, args: &Bound<'_, PyDict>, run: Option<RunNames>) -> PyResult<PyFrame> {
        let (values, runs) = (query_values(args)?, run_names(run));
        self.call(py, || self.session.query_runs(name, runs.as_deref(), values))
    }

    /// A whole table.
    fn table(
        &self,
        py: Python<'_>,
        name: &str,
        run: Option<RunNames>,
        #[pyo3(from_py_with = column_names)] columns: Option<Vec<String>>,
    ) -> PyResult<PyFrame> {
        let runs = run_names(run);
        self.call(py, || self.session.table(name, runs.as_deref(), columns.as_deref()))
    }

    /// Everything recorded in a time, by table.
    fn window(
        &self,
        py: Python<'_>,
        start: i64,
        end: i64,
        run: Option<RunNames>,
    ) -> PyResult<BTreeMap<String, PyFrame>> {
        let runs = run_names(run);
        let frames = self.pending.call(py, || self.session.window(start, end, runs.as_deref()))?;
        Ok(frames.into_iter().map(|(table, frame)| (table, self.frame(frame))).collect())
    }

    /// The runs.
    fn runs(&self, py: Python<'_>) -> PyResult<PyFrame> {
        self.call(py, || self.session.runs())
    }

    /// Sees what other writers have committed.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        self.pending.call(py, || self.session.refresh())
    }

    /// The Parquet files of a table.
    fn files(&self, py: Python<'_>, table: &str, run: Option<RunNames>) -> PyResult<Vec<String>> {
        let runs = run_names(run);
        self.pending.call(py, || self.session.files(table, runs.as_deref()))
    }

    /// The bytes of an object of a profile.
    fn object_bytes<'py>(&self, py: Python<'py>, url: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.pending.call(py, || self.session.object_bytes(url))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Draws a figure.
    fn figure(
        &self,
        py: Python<'_>,
        name: &str,
        args: &Bound<'_, PyDict>,
        run: Option<RunNames>,
    ) -> PyResult<PyFigure> {
        let values = query_values(args)?;
        let mut arguments = named_values(&values);
        arguments.extend(run_names(run).map(|runs| ("run", Value::from(runs))));
        let figure = self.pending.call(py, || self.session.figure(name, &arguments))?;
        Ok(PyFigure { figure, pending: self.pending.clone() })
    }

    /// What there is to ask about words.
    fn help(&self, py: Python<'_>, words: &str) -> PyResult<PyFrame> {
        self.call(py, || self.session.help(words))
    }

    /// Keeps a query with the lake.
    fn save_query(&self, py: Python<'_>, name: &str, sql: &str, defaults: &Bound<'_, PyDict>) -> PyResult<()> {
        let values = query_values(defaults)?;
        self.pending.call(py, || self.session.save_query(name, sql, &named_values(&values)))
    }

    /// Removes a saved query.
    fn delete_query(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.pending.call(py, || self.session.delete_query(name))
    }

    /// Names of the saved queries.
    fn saved_queries(&self) -> Vec<String> {
        self.session.saved_queries()
    }

    /// Saved queries that cannot be used, and why.
    fn broken_queries(&self) -> BTreeMap<String, String> {
        self.session.broken_queries()
    }

    /// The queries that the catalog does not have: a dict for each.
    fn own_queries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let catalog: BTreeSet<&str> = tracelake::catalog::queries().iter().map(|query| query.name.as_str()).collect();
        let own: Vec<Query> =
            self.session.queries().into_iter().filter(|query| !catalog.contains(query.name.as_str())).collect();
        crate::query_dicts(py, own.iter())
    }

    /// The names of all figures.
    fn figures(&self) -> Vec<&'static str> {
        self.session.figures()
    }

    /// What changed between two groups of runs.
    #[expect(clippy::too_many_arguments, reason = "the Python side names them all")]
    fn compare(
        &self,
        py: Python<'_>,
        a: RunNames,
        b: RunNames,
        a_span: Option<i64>,
        b_span: Option<i64>,
        noise: f64,
        confidence: f64,
        top: i64,
    ) -> PyResult<PyFrame> {
        let how = Compare { a_span, b_span, noise, confidence, top };
        self.call(py, || self.session.compare_with(&a.0, &b.0, &how))
    }

    /// Holds rules, a text of TOML or JSON, and limits against runs.
    #[expect(clippy::too_many_arguments, reason = "the Python side names them all")]
    fn gate(
        &self,
        py: Python<'_>,
        candidate: RunNames,
        baseline: Option<RunNames>,
        toml: Option<String>,
        json: Option<String>,
        max_regression: Option<f64>,
        max_loader_ratio: Option<f64>,
        noise: Option<f64>,
        confidence: Option<f64>,
        inconclusive: Option<String>,
    ) -> PyResult<PyGate> {
        let baseline = run_names(baseline).unwrap_or_default();
        let gate = self.pending.call(py, || {
            let mut rules = match (toml, json) {
                (Some(text), _) => Rules::from_toml(&text)?,
                (None, Some(text)) => Rules::from_json(&text)?,
                (None, None) => Rules::default(),
            };
            rules.rules.extend(max_regression.map(Rule::max_regression));
            rules.rules.extend(max_loader_ratio.map(Rule::max_loader_ratio));
            rules.noise = noise.unwrap_or(rules.noise);
            rules.confidence = confidence.unwrap_or(rules.confidence);
            if let Some(word) = inconclusive {
                rules.inconclusive = Inconclusive::from_word(&word)?;
            }
            let baseline = if baseline.is_empty() { Runs::all() } else { Runs::from(&baseline) };
            self.session.gate(baseline, &candidate.0, &rules)
        })?;
        Ok(PyGate { gate, pending: self.pending.clone() })
    }

    /// The runs that names and paths stand for.
    fn resolve(&self, py: Python<'_>, names: RunNames) -> PyResult<Vec<String>> {
        self.pending.call(py, || self.session.resolve(&names.0))
    }

    /// The runs that names stand for.
    fn group(&self, py: Python<'_>, names: RunNames) -> PyResult<Vec<String>> {
        self.pending.call(py, || self.session.group(&names.0))
    }

    /// The baselines by name.
    fn baselines(&self, py: Python<'_>) -> PyResult<BTreeMap<String, Vec<String>>> {
        self.pending.call(py, || self.session.baselines())
    }

    /// Makes runs the baseline of a name; gives them.
    fn set_baseline(&self, py: Python<'_>, name: &str, runs: RunNames) -> PyResult<Vec<String>> {
        self.pending.call(py, || {
            let runs = self.session.resolve(&runs.0)?;
            self.session.set_baseline(name, &runs)?;
            Ok(runs)
        })
    }

    /// Deletes runs; gives their names.
    fn delete(
        &self,
        py: Python<'_>,
        runs: Option<RunNames>,
        older_than: Option<Duration>,
        dry_run: bool,
    ) -> PyResult<Vec<String>> {
        self.pending.call(py, || {
            let names = run_names(runs);
            let runs = match older_than {
                Some(age) => self.session.outdated(names.as_deref(), age)?,
                None => self.session.group(names.as_deref())?,
            };
            if !dry_run {
                self.session.delete(&runs)?;
            }
            Ok(runs)
        })
    }

    /// Changes the tags of runs.
    fn tag(&self, py: Python<'_>, runs: RunNames, tags: BTreeMap<String, Option<String>>) -> PyResult<Vec<String>> {
        let runs = run_names(Some(runs)).unwrap_or_default();
        let tags: Vec<(&str, Option<&str>)> =
            tags.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect();
        self.pending.call(py, || self.session.tag(&runs, &tags))
    }

    /// Shifts the times of runs, so that the clocks of their ranks agree.
    fn align_clocks(&self, py: Python<'_>, runs: RunNames, undo: bool) -> PyResult<PyFrame> {
        let runs = run_names(Some(runs)).unwrap_or_default();
        self.call(py, || if undo { self.session.restore_clocks(&runs) } else { self.session.align_clocks(&runs) })
    }

    /// What is wrong with the files of the lake.
    fn check(&self, py: Python<'_>, read: bool) -> PyResult<PyFrame> {
        self.call(py, || self.session.check(check_depth(read)))
    }

    /// Fixes corrupt files of the lake.
    fn repair(&self, py: Python<'_>, read: bool) -> PyResult<PyFrame> {
        self.call(py, || self.session.repair(check_depth(read)))
    }

    /// Corrupt files that this session has met: run, kind, path, message.
    fn faults(&self) -> Vec<(Option<String>, String, String, String)> {
        let faults = self.session.faults().into_iter();
        faults.map(|fault| (fault.run, fault.kind.name().to_owned(), fault.path, fault.message)).collect()
    }

    /// Removes files that are no longer used.
    fn vacuum(&self, py: Python<'_>, older_than: Duration, dry_run: bool) -> PyResult<PyFrame> {
        self.call(py, || self.session.vacuum(older_than, mode(dry_run)))
    }

    /// Writes a run as a trace for other viewers.
    fn export<'py>(&self, py: Python<'py>, run: &str, path: PathBuf, format: &str) -> PyResult<Bound<'py, PyDict>> {
        let report = self.pending.call(py, || tracelake::cli::export_file(&self.session, run, format, &path))?;
        let dict = PyDict::new(py);
        dict.set_item("run", &report.run)?;
        dict.set_item("slices", report.slices)?;
        dict.set_item("instants", report.instants)?;
        dict.set_item("flows", report.flows)?;
        dict.set_item("counters", report.counters)?;
        dict.set_item("extra_lanes", report.extra_lanes)?;
        dict.set_item("excluded", report.excluded)?;
        dict.set_item("bytes", report.bytes)?;
        Ok(dict)
    }

    /// Writes tables, views and queries as SQL for DuckDB into a folder.
    fn export_duckdb<'py>(&self, py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let script = self.pending.call(py, || tracelake::cli::export_duckdb(&self.session, &folder))?;
        let dict = PyDict::new(py);
        dict.set_item("names", script.names)?;
        dict.set_item("excluded", script.excluded)?;
        Ok(dict)
    }

    /// Makes every table a Delta Lake table.
    fn export_delta(&self, py: Python<'_>) -> PyResult<PyFrame> {
        self.call(py, || self.session.export_delta())
    }

    /// Writes the reports of the rules of a run into a folder; their paths.
    fn rule_reports(&self, py: Python<'_>, run: &str, folder: PathBuf, defaults: &str) -> PyResult<Vec<PathBuf>> {
        self.pending.call(py, || tracelake::cli::write_rule_reports(&self.session, run, defaults, &folder))
    }

    /// A page about a run, two sides or the lake.
    fn report(&self, py: Python<'_>, sides: Vec<RunNames>) -> PyResult<PyReport> {
        let sides: Vec<Runs> = sides.into_iter().map(|side| Runs::from(side.0)).collect();
        Ok(PyReport { page: self.pending.call(py, || self.session.report(&sides))? })
    }

    /// The diagnosis of runs: as text, as HTML, the verdicts, the findings, and these as a frame.
    fn diagnose<'py>(&self, py: Python<'py>, run: Option<RunNames>, thresholds: &str) -> PyResult<DiagnosisParts<'py>> {
        let runs = run_names(run);
        let diagnosis = self.pending.call(py, || self.session.diagnose(runs.as_deref(), thresholds))?;
        let (text, html) = (diagnosis.to_string(), diagnosis.to_html());
        let verdicts = diagnosis.verdicts.iter();
        let verdicts =
            verdicts.map(|verdict| (&verdict.run, &verdict.verdict, &verdict.sentence, &verdict.missing_data));
        let verdicts = PyList::new(py, verdicts)?;
        let findings = PyList::empty(py);
        for finding in &diagnosis.findings {
            let row = PyDict::new(py);
            row.set_item("run", &finding.run)?;
            row.set_item("id", &finding.id)?;
            row.set_item("outcome", finding.outcome.as_str())?;
            row.set_item("severity", &finding.severity)?;
            row.set_item("confidence", &finding.confidence)?;
            row.set_item("sentence", &finding.sentence)?;
            row.set_item("value", finding.value)?;
            row.set_item("threshold", finding.threshold)?;
            row.set_item("threshold_source", &finding.threshold_source)?;
            row.set_item("steps", finding.steps)?;
            row.set_item("potential_saving", finding.potential_saving)?;
            row.set_item("saving_ratio", finding.saving_ratio)?;
            row.set_item("cause", &finding.cause)?;
            row.set_item("explained_by", &finding.explained_by)?;
            row.set_item("recommendation", &finding.recommendation)?;
            row.set_item("queries", &finding.evidence)?;
            row.set_item("_html", finding.to_html())?;
            findings.append(row)?;
        }
        Ok((text, html, verdicts, findings, self.frame(diagnosis.frame)))
    }

    /// Reads a profile, or many, into the lake; the report of a single one, with all in `reports`.
    #[expect(clippy::too_many_arguments, reason = "the Python side names them all")]
    fn ingest<'py>(
        &self,
        py: Python<'py>,
        url: String,
        run: Option<String>,
        options: BTreeMap<String, String>,
        tags: BTreeMap<String, String>,
        clock_offset: Option<i64>,
        step_annotation: Option<String>,
        rank_from: Option<String>,
        loader_columns: Option<BTreeMap<String, String>>,
        prune: bool,
        dry_run: bool,
        share: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let share = share.map(|share| parse_seconds(py, "share", share)).transpose()?;
        let profile =
            Request { options, tags, clock_offset, step_annotation, rank_from, loader_columns, ..Request::default() };
        let request = Request { url, run, prune, dry_run, share, ..profile };
        let watch = watch(&self.pending, progress);
        let reports = self.pending.call(py, || self.session.ingest_watched(request, watch))?;
        let dicts = reports.iter().map(|report| ingest_report_dict(py, report)).collect::<PyResult<Vec<_>>>()?;
        let result = if let [dict] = dicts.as_slice() { dict.copy()? } else { PyDict::new(py) };
        result.set_item("reports", dicts)?;
        Ok(result)
    }

    /// Gives a run another name.
    fn rename(&self, py: Python<'_>, run: &str, new_name: &str) -> PyResult<()> {
        self.pending.call(py, || self.session.rename(run, new_name))
    }

    /// Brings small files together.
    fn compact(&self, py: Python<'_>, dry_run: bool) -> PyResult<PyFrame> {
        self.call(py, || self.session.compact(mode(dry_run)))
    }

    /// Rewrites the runs that an older version wrote.
    fn upgrade(&self, py: Python<'_>, dry_run: bool) -> PyResult<PyFrame> {
        self.call(py, || self.session.upgrade(mode(dry_run)))
    }

    /// What stores were asked over the network.
    fn traffic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        traffic_dict(py, &self.session.traffic())
    }

    /// Follows a profile while it is written.
    #[expect(clippy::too_many_arguments, reason = "the Python side names them all")]
    fn follow(
        &self,
        py: Python<'_>,
        url: String,
        run: Option<String>,
        options: BTreeMap<String, String>,
        tags: BTreeMap<String, String>,
        clock_offset: Option<i64>,
        step_annotation: Option<String>,
        rank_from: Option<String>,
        loader_columns: Option<BTreeMap<String, String>>,
        every: f64,
        idle: Option<f64>,
    ) -> PyResult<PyFollower> {
        let idle = idle.map(|idle| parse_seconds(py, "idle", idle)).transpose()?;
        let how = FollowOptions { every: parse_seconds(py, "every", every)?, idle, watch: None };
        let request = Request {
            url,
            run,
            options,
            tags,
            clock_offset,
            step_annotation,
            rank_from,
            loader_columns,
            ..Request::default()
        };
        let follower = self.pending.call(py, || self.session.follow(request, how))?;
        Ok(PyFollower { follower: Mutex::new(follower), pending: self.pending.clone() })
    }

    /// A table for an engine in another library.
    fn provider(&self, table: String) -> PyTableProvider {
        PyTableProvider { session: self.session.clone(), name: table, pending: self.pending.clone() }
    }
}

/// Converts the argument `name` from seconds.
fn parse_seconds(py: Python<'_>, name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| refuse(py, format!("cannot use {seconds} as `{name}`: expected a time in seconds")))
}

/// Converts the report of an ingest into a dict.
fn ingest_report_dict<'py>(py: Python<'py>, report: &tracelake::IngestReport) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("run", &report.run)?;
    dict.set_item("url", &report.url)?;
    dict.set_item("generation", report.generation)?;
    dict.set_item("read", report.read)?;
    dict.set_item("unchanged", report.unchanged)?;
    dict.set_item("ignored", report.ignored)?;
    dict.set_item("failed", report.failed)?;
    dict.set_item("pruned", report.pruned)?;
    dict.set_item("bytes", report.bytes)?;
    dict.set_item("rows", report.rows.clone())?;
    dict.set_item("skipped", report.skipped)?;
    dict.set_item("traffic", traffic_dict(py, &report.traffic)?)?;
    dict.set_item("dry_run", report.dry_run)?;
    dict.set_item("seconds", report.seconds)?;
    dict.set_item("error", report.error.as_deref())?;
    Ok(dict)
}

fn traffic_dict<'py>(py: Python<'py>, traffic: &Traffic) -> PyResult<Bound<'py, PyDict>> {
    let Traffic { list, get, head, put, delete, received, sent } = *traffic;
    let names = ["list", "get", "head", "put", "delete", "received", "sent"];
    names.into_iter().zip([list, get, head, put, delete, received, sent]).into_py_dict(py)
}

/// What arrives of a profile that is being written.
#[pyclass(name = "Follower", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyFollower {
    follower: Mutex<tracelake::Follower>,
    pending: PendingExceptions,
}

#[pymethods]
impl PyFollower {
    /// Waits for the next look that finds something; none at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let report = self.pending.call(py, || self.follower.lock().next().transpose())?;
        report.map(|report| ingest_report_dict(py, &report)).transpose()
    }
}

fn mode(dry_run: bool) -> Mode {
    if dry_run { Mode::DryRun } else { Mode::Apply }
}

fn check_depth(read: bool) -> CheckDepth {
    if read { CheckDepth::Contents } else { CheckDepth::Sizes }
}
