//! Signatures of the crate, one on each line. They are never compiled. `tests/it/shim.rs` compares them with the library.

/// Errors.
pub mod error {
    /// The result of every fallible call.
    pub type Result<T, E = Error> = std::result::Result<T, E>;

    /// An error, with a hint if there is one.
    #[derive(Debug)]
    pub struct Error;
    impl Error {
        /// The kind of the error.
        pub fn kind(&self) -> ErrorKind { loop {} }
        /// The first line, without context and hint.
        pub fn message(&self) -> &str { loop {} }
        /// What the user can do about the error, if that is known.
        pub fn hint(&self) -> Option<&str> { loop {} }
    }
    impl std::fmt::Display for Error { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }
    impl std::error::Error for Error {}

    /// The kind of an error.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ErrorKind {
        NotFound,
        Denied,
        Unreachable,
        Unrecognized,
        Malformed,
        Query,
        Argument,
        Conflict,
        Exhausted,
        Cancelled,
        Internal,
    }
    impl ErrorKind {
        /// The name of the kind.
        pub fn name(self) -> &'static str { loop {} }
    }
}

/// A trace of tracelake itself.
mod self_trace {
    use super::error::*;

    /// Writes a trace of tracelake into a file, until the value is ended or dropped.
    pub fn self_trace(path: impl AsRef<std::path::Path>) -> Result<SelfTrace> { loop {} } // impl AsRef<std::path::Path> = &'static str

    /// A trace of tracelake that is being written.
    #[derive(Debug)]
    pub struct SelfTrace;
    impl SelfTrace {
        /// Completes the file.
        pub fn end(self) -> Result<()> { loop {} }
    }
}

/// Reads profiles into lakes.
pub mod ingest {
    use super::{error::*, source::*};
    use std::collections::BTreeMap;

    /// The profile to ingest, and its settings.
    #[derive(Debug, Clone, Default)]
    pub struct Request {
        /// Address of the profile.
        pub url: String,
        /// Name of the run. By default it is derived from the address.
        pub run: Option<String>,
        /// Options of the store.
        pub options: Options,
        /// Tags of the run.
        pub tags: BTreeMap<String, String>,
        /// Added to every time of the profile, ns.
        pub clock_offset: Option<i64>,
        /// Name of the annotation that marks steps in traces, instead of `ProfilerStep#<n>`.
        pub step_annotation: Option<String>,
        pub rank_from: Option<String>,
        /// Names of the columns of data loader timings: `load_s` is `data_ms:ms`.
        pub loader_columns: Option<BTreeMap<String, String>>,
        /// Also delete the rows of files that no longer exist.
        pub prune: bool,
        /// Read and write nothing. The report has the objects that would be read.
        pub dry_run: bool,
        /// Share the profiles with other processes. The lease of a process expires if it is not renewed for this long.
        pub share: Option<std::time::Duration>,
    }
    impl From<&str> for Request { fn from(url: &str) -> Self { loop {} } }

    /// The result of an ingest.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct IngestReport {
        /// Name of the run.
        pub run: String,
        /// Address of the profile.
        pub url: String,
        /// Generation of the run after the ingest.
        pub generation: u64,
        /// Objects that this ingest read.
        pub read: u64,
        /// Objects that had not changed and were not fetched.
        pub unchanged: u64,
        /// Objects that are empty, or that no format recognizes.
        pub ignored: u64,
        /// Objects in which nothing could be read.
        pub failed: u64,
        /// Objects that no longer exist. Their rows were deleted.
        pub pruned: u64,
        /// Bytes that this ingest read, as stored.
        pub bytes: u64,
        /// Rows that this ingest wrote, by table.
        pub rows: BTreeMap<String, i64>,
        /// Entries that were skipped. Table `problem` counts each of them.
        pub skipped: i64,
        /// Requests to stores over the network.
        pub traffic: Traffic,
        /// Whether the ingest was a dry run, so that the numbers are those of an ingest without that option.
        pub dry_run: bool,
        /// Duration in seconds.
        pub seconds: f64,
        /// The error of this profile, if several were ingested.
        pub error: Option<String>,
    }
    impl IngestReport {
        /// Shows the report below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
    impl std::fmt::Display for IngestReport { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }

    /// The progress of an ingest.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Progress {
        /// Number of objects to read.
        pub objects: u64,
        /// Number of bytes to read, as stored.
        pub bytes: u64,
        /// Number of objects that were read.
        pub objects_done: u64,
        /// Number of bytes that were read.
        pub bytes_done: u64,
    }

    /// Receives the progress; returns false to stop.
    pub type ProgressCallback = std::sync::Arc<dyn Fn(Progress) -> bool + Send + Sync>;
}

/// Files and object stores.
pub mod source {
    /// Options of a store by name.
    pub type Options = std::collections::BTreeMap<String, String>;

    /// Requests to stores over the network.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Traffic {
        /// Requests for a page of a listing.
        pub list: u64,
        /// Requests for an object, or a range of one.
        pub get: u64,
        /// Requests whether an object exists, or in which region a bucket is.
        pub head: u64,
        /// Requests that write an object.
        pub put: u64,
        /// Requests that delete up to a thousand objects.
        pub delete: u64,
        /// Bytes of response bodies.
        pub received: u64,
        /// Bytes of request bodies.
        pub sent: u64,
    }
    impl Traffic {
        /// The requests since `before`.
        pub fn since(&self, before: &Traffic) -> Traffic { loop {} }
    }
    impl std::fmt::Display for Traffic { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }
}

/// Results of queries.
pub mod frame {
    use super::{arrow::array::*, arrow::datatypes::*, error::*, unit::*};

    /// Batches as they arrive.
    pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

    /// Rows in order.
    pub type ResultRows = Box<dyn Iterator<Item = Result<ResultRow>> + Send>;

    /// A Rust type that a column can be read as: `i64`, `f64`, `bool`, `String`.
    pub trait Cell: Sized {}
    impl Cell for i64 {}
    impl Cell for f64 {}
    impl Cell for bool {}
    impl Cell for String {}

    /// The time zone in which a frame shows its times.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Zone {
        Utc,
        Local,
    }

    /// Name, type and unit of a column.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ColumnInfo {
        /// Name of the column.
        pub name: String,
        /// Arrow type.
        pub data_type: DataType,
        /// Unit of the values. `None` for a column computed in SQL.
        pub unit: Option<Unit>,
    }

    /// A row of a frame.
    #[derive(Debug, Clone)]
    pub struct ResultRow;
    impl ResultRow {
        /// The value of a column. Null is `None`.
        pub fn get<T: Cell>(&self, name: &str) -> Result<Option<T>> { loop {} } // T = i64
    }

    /// The rows of one query. The notebook shows it as a table if it is the last expression of a cell.
    #[derive(Debug, Clone)]
    pub struct Frame;
    impl Frame {
        /// A frame of these rows.
        pub fn from_batch(batch: RecordBatch) -> Self { loop {} }
        /// The Arrow schema.
        pub fn schema(&self) -> SchemaRef { loop {} }
        /// Name, type and unit of every column, in order.
        pub fn columns(&self) -> Vec<ColumnInfo> { loop {} }
        /// The same rows, with times shown in this time zone.
        pub fn in_zone(&self, zone: Zone) -> Self { loop {} }
        /// The same rows, with all columns in text and HTML.
        pub fn wide(&self) -> Self { loop {} }
        /// The same rows, for a terminal of this width in characters.
        pub fn fit(&self, width: usize) -> Self { loop {} }
        /// The number of rows.
        pub fn len(&self) -> Result<usize> { loop {} }
        /// The rows one by one.
        pub fn rows(&self) -> Result<ResultRows> { loop {} }
        /// A frame of the first rows.
        pub fn head(&self, rows: usize) -> Result<Self> { loop {} }
        /// A frame of some rows from a position on.
        pub fn slice(&self, offset: usize, rows: usize) -> Result<Self> { loop {} }
        /// A frame of these columns.
        pub fn select(&self, names: &[&str]) -> Result<Self> { loop {} }
        /// Why there are no rows. `None` if there are rows, or if the reason is unknown.
        pub fn why_empty(&self) -> Result<Option<&str>> { loop {} }
        /// How the query runs: what it reads, what it skips, and the time of each step.
        pub fn explain(&self) -> Result<Frame> { loop {} }
        /// The values of a column. `T` is `i64`, `f64`, `bool` or `String`.
        pub fn column<T: Cell>(&self, name: &str) -> Result<Vec<Option<T>>> { loop {} } // T = f64
        /// One value. Null is `None`.
        pub fn value<T: Cell>(&self, row: usize, name: &str) -> Result<Option<T>> { loop {} } // T = i64
        /// All rows as one batch.
        pub fn batch(&self) -> Result<RecordBatch> { loop {} }
        /// All rows as batches.
        pub fn batches(&self) -> Result<Vec<RecordBatch>> { loop {} }
        /// The rows as batches, as they arrive. They are not cached.
        pub fn stream(&self) -> Result<Batches> { loop {} }
        /// All rows as CSV with a heading.
        pub fn to_csv(&self) -> Result<String> { loop {} }
        /// The first 50 rows as an HTML table.
        pub fn to_html(&self) -> Result<String> { loop {} }
        /// All rows as a Markdown table.
        pub fn to_markdown(&self) -> Result<String> { loop {} }
        /// All rows as a table for a terminal.
        pub fn to_text(&self) -> Result<String> { loop {} }
        /// Shows the rows below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
    impl std::fmt::Display for Frame { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }
}

/// Figures of query results.
pub mod figure {
    use super::{error::*, frame::*, plotly::*};

    /// A drawn figure. The notebook shows it if it is the last expression of a cell.
    #[derive(Debug, Clone)]
    pub struct DrawnFigure;
    impl DrawnFigure {
        /// The name of the figure.
        pub fn name(&self) -> &'static str { loop {} }
        /// The data of the figure.
        pub fn frames(&self) -> &[Frame] { loop {} }
        /// The plot, for your own changes.
        pub fn plot(&self) -> Result<Plot> { loop {} }
        /// The plot as Plotly JSON.
        pub fn to_json(&self) -> &str { loop {} }
        /// An HTML page that needs no network.
        pub fn to_html_page(&self) -> String { loop {} }
        /// The figure as a static picture.
        pub fn to_svg(&self) -> String { loop {} }
        /// The figure, also with HTML in its output, for pages that are made from the notebook.
        pub fn embed(self) -> Self { loop {} }
        /// Writes the figure by the extension of the file: .html, .json, or a picture such as .png, which a browser draws.
        pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<()> { loop {} } // impl AsRef<std::path::Path> = &'static str
        /// Shows the figure below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
}

/// Reports: pages about runs.
pub mod report {
    /// A page about a run, a comparison or a lake. The notebook shows it if it is the last expression of a cell.
    #[derive(Debug, Clone)]
    pub struct ReportPage;
    impl ReportPage {
        /// The title of the page.
        pub fn title(&self) -> &str { loop {} }
        /// The page as HTML that needs no network.
        pub fn html(&self) -> &str { loop {} }
        /// Shows the page below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
}

/// Units and types of columns.
pub mod unit {
    /// The unit of the values of a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Unit {
        Id,
        Name,
        Flag,
        Time,
        Ns,
        Us,
        Ms,
        S,
        Count,
        Ratio,
        Factor,
        Percent,
        Bytes,
        PerS,
        BytesPerS,
        Text,
        Url,
        Json,
        Mixed,
    }
    impl Unit {
        /// The word for it in a header.
        pub fn as_str(self) -> &'static str { loop {} }
    }

    /// The SQL type of a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Type {
        Bigint,
        Double,
        Text,
        Boolean,
    }
    impl Type {
        /// The word for it in a header.
        pub fn as_str(self) -> &'static str { loop {} }
    }
}

/// Columns in memory. The library exports the whole crate.
pub mod arrow {
    /// Batches.
    pub mod array {
        /// Rows as columns.
        #[derive(Debug, Clone, PartialEq)]
        pub struct RecordBatch;
        impl RecordBatch {
            /// The number of rows.
            pub fn num_rows(&self) -> usize { loop {} }
            /// The number of columns.
            pub fn num_columns(&self) -> usize { loop {} }
        }
    }
    /// Types.
    pub mod datatypes {
        /// Names and types of columns.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Schema;
        /// A schema that is shared.
        pub type SchemaRef = std::sync::Arc<Schema>;
        /// Type of a column.
        #[derive(Debug, Clone, PartialEq)]
        pub struct DataType;
    }
}

/// The query engine. The library exports the whole crate.
pub mod datafusion {}

/// Plots. The library exports the whole crate.
pub mod plotly {
    /// A plot.
    #[derive(Debug, Clone)]
    pub struct Plot;
    impl Plot {
        /// The plot as JSON.
        pub fn to_json(&self) -> String { loop {} }
    }
}

/// Corrupt files of a lake.
pub mod lake {
    /// A manifest or data file that is missing or corrupt.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LakeFault {
        /// The run of the file, if it is known.
        pub run: Option<String>,
        /// Path of the file in the lake.
        pub path: String,
        /// Size of the file in bytes. `None` if it is missing.
        pub bytes: Option<u64>,
        /// The error, and the expected state.
        pub message: String,
    }
}

/// Sessions, on which all calls are made.
pub mod session {
    use super::{error::*, figure::*, frame::*, ingest::*, lake::*, report::*, source::*};
    use std::collections::BTreeMap;

    /// Opens a profile or a lake.
    pub fn open(url: &str) -> Result<Session> { loop {} }
    /// Opens a profile or a lake, with options.
    pub fn open_with(url: &str, options: OpenOptions) -> Result<Session> { loop {} }
    /// Opens the default lake.
    pub fn open_default() -> Result<Session> { loop {} }
    /// Opens the default lake, with options.
    pub fn open_default_with(options: OpenOptions) -> Result<Session> { loop {} }
    /// Opens a lake, and creates it if it does not exist.
    pub fn create(url: &str) -> Result<Session> { loop {} }

    /// Polled while a call waits. Returns true to cancel the call.
    pub type Interrupt = std::sync::Arc<dyn Fn() -> bool + Send + Sync>;

    /// Receives the text of a warning.
    pub type Warn = std::sync::Arc<dyn Fn(&str) + Send + Sync>;

    /// How to open a session.
    #[derive(Clone, Default)]
    pub struct OpenOptions {
        /// Options of the store: `region`, `endpoint`, `access_key_id`, `skip_signature`, ...
        pub options: Options,
        /// Create the lake if it does not exist.
        pub create: bool,
        /// Store the rows of a profile in a temporary folder, which is deleted with the session.
        pub ephemeral: bool,
        /// Allow DDL and DML in `sql`.
        pub writable: bool,
        /// A folder with your own canned queries.
        pub queries: Option<String>,
        /// Name of the run of a profile.
        pub run: Option<String>,
        /// Names of the columns of data loader timings: `load_s` is `data_ms:ms`.
        pub loader_columns: Option<BTreeMap<String, String>>,
        /// Also delete the rows of files of a profile that no longer exist.
        pub prune: bool,
        /// Address of a cluster that runs queries instead of this process: `df://host:50050`.
        pub cluster: Option<String>,
        /// Run queries in this process if the cluster cannot run them. Without it, they are errors.
        pub local_fallback: bool,
        /// Called with the progress while a profile is read.
        pub watch: Option<ProgressCallback>,
        /// Called with each warning.
        pub warn: Option<Warn>,
        /// Polled while a call waits. Returns true to cancel the call.
        pub interrupt: Option<Interrupt>,
    }

    impl std::fmt::Debug for OpenOptions { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }

    /// How to follow a profile. The default is to check for new files every 10 seconds, until the job ends.
    #[derive(Clone, Default)]
    pub struct FollowOptions {
        /// Time between two checks.
        pub every: std::time::Duration,
        /// Ends after this time without new files. `None` waits for the end of the job.
        pub idle: Option<std::time::Duration>,
        /// Called with the progress of each check that reads files.
        pub watch: Option<ProgressCallback>,
    }

    /// An iterator over the reports of a profile that is being written. There is a report for each check that finds new files.
    #[derive(Debug)]
    pub struct Follower;
    impl Iterator for Follower { type Item = Result<IngestReport>; fn next(&mut self) -> Option<Result<IngestReport>> { loop {} } }

    /// A lake as SQL for DuckDB.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DuckdbScript {
        /// Statements that create views and macros.
        pub text: String,
        /// Names in SQL of the tables, views and queries in the script.
        pub names: Vec<String>,
        /// Names in SQL of the views and queries that are not in the script, with the reasons.
        pub excluded: BTreeMap<String, String>,
    }

    /// The value of a parameter. `into()` converts numbers, texts, booleans and lists.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Value {
        Null,
        Bigint(i64),
        Double(f64),
        Text(String),
        Boolean(bool),
        List(Vec<Value>),
    }
    impl From<i32> for Value { fn from(value: i32) -> Self { loop {} } }
    impl From<i64> for Value { fn from(value: i64) -> Self { loop {} } }
    impl From<f64> for Value { fn from(value: f64) -> Self { loop {} } }
    impl From<bool> for Value { fn from(value: bool) -> Self { loop {} } }
    impl From<&str> for Value { fn from(value: &str) -> Self { loop {} } }
    impl From<String> for Value { fn from(value: String) -> Self { loop {} } }
    impl From<Vec<f64>> for Value { fn from(value: Vec<f64>) -> Self { loop {} } }
    impl From<Vec<i64>> for Value { fn from(value: Vec<i64>) -> Self { loop {} } }
    impl From<Vec<String>> for Value { fn from(value: Vec<String>) -> Self { loop {} } }
    impl std::fmt::Display for Value { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }

    /// The runs that a method is about: `()` for all, else a name or several.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Runs;
    impl From<()> for Runs { fn from(value: ()) -> Self { loop {} } }
    impl From<&str> for Runs { fn from(value: &str) -> Self { loop {} } }
    impl From<String> for Runs { fn from(value: String) -> Self { loop {} } }
    impl From<Vec<&str>> for Runs { fn from(value: Vec<&str>) -> Self { loop {} } }
    impl From<Vec<String>> for Runs { fn from(value: Vec<String>) -> Self { loop {} } }
    impl<const N: usize> From<[&str; N]> for Runs { fn from(value: [&str; N]) -> Self { loop {} } }
    impl<const N: usize> From<&[&str; N]> for Runs { fn from(value: &[&str; N]) -> Self { loop {} } }

    /// The values of parameters: `()` for none, else `[("name", value)]`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Arguments;
    impl From<()> for Arguments { fn from(value: ()) -> Self { loop {} } }
    impl<V: Into<Value> + Clone> From<&[(&str, V)]> for Arguments { fn from(value: &[(&str, V)]) -> Self { loop {} } }
    impl<V: Into<Value> + Clone, const N: usize> From<[(&str, V); N]> for Arguments { fn from(value: [(&str, V); N]) -> Self { loop {} } }
    impl<V: Into<Value> + Clone, const N: usize> From<&[(&str, V); N]> for Arguments { fn from(value: &[(&str, V); N]) -> Self { loop {} } }

    /// Whether a method changes the lake, or only returns what it would change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Mode {
        Apply,
        DryRun,
    }

    /// How much of the files of a lake a check reads.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CheckDepth {
        Sizes,
        Contents,
    }

    /// A lake, or one profile of it, that can be queried.
    #[derive(Clone, Debug)]
    pub struct Session;
    impl Session {
        /// The address of the lake.
        pub fn url(&self) -> &str { loop {} }
        /// The run of the profile that was opened.
        pub fn run(&self) -> Option<&str> { loop {} }
        /// Runs SQL.
        pub fn sql(&self, text: &str) -> Result<Frame> { loop {} }
        /// Runs SQL with values for `$name`: `s.sql_with(text, [("x", 3)])`.
        pub fn sql_with(&self, text: &str, params: impl Into<Arguments>) -> Result<Frame> { loop {} } // impl Into<Arguments> = ()
        /// Runs a canned query by name: `s.query("step.duration", [("run", "job-7")])`; `()` for no arguments.
        pub fn query(&self, name: &str, arguments: impl Into<Arguments>) -> Result<Frame> { loop {} } // impl Into<Arguments> = ()
        /// Runs a canned query for some runs, or for all.
        pub fn query_runs(&self, name: &str, runs: impl Into<Runs>, values: impl Into<Arguments>) -> Result<Frame> { loop {} } // impl Into<Runs> = &'static str; impl Into<Arguments> = ()
        /// A whole table, or some of its columns, for some runs or all.
        pub fn table(&self, name: &str, runs: impl Into<Runs>, columns: Option<&[String]>) -> Result<Frame> { loop {} } // impl Into<Runs> = &'static str
        /// Everything recorded between two times (ns since the Unix epoch), by table.
        pub fn window(&self, start: i64, end: i64, runs: impl Into<Runs>) -> Result<BTreeMap<String, Frame>> { loop {} } // impl Into<Runs> = &'static str
        /// The runs of the lake.
        pub fn runs(&self) -> Result<Frame> { loop {} }
        /// The Parquet files of a table.
        pub fn files(&self, name: &str, runs: impl Into<Runs>) -> Result<Vec<String>> { loop {} } // impl Into<Runs> = &'static str
        /// Reads a profile into the lake: `s.ingest("traces/job-7")`. With `*` in the address, it reads many.
        pub fn ingest(&self, request: impl Into<Request>) -> Result<Vec<IngestReport>> { loop {} } // impl Into<Request> = &'static str
        /// Reads a profile, and calls `watch` about the progress; `false` ends it.
        pub fn ingest_watched(&self, request: impl Into<Request>, watch: Option<ProgressCallback>) -> Result<Vec<IngestReport>> { loop {} } // impl Into<Request> = &'static str
        /// Follows a profile while its job writes it.
        pub fn follow(&self, request: Request, options: FollowOptions) -> Result<Follower> { loop {} }
        /// The requests of this session to stores.
        pub fn traffic(&self) -> Traffic { loop {} }
        /// Loads the commits of other writers.
        pub fn refresh(&self) -> Result<()> { loop {} }
        /// Deletes runs. `vacuum` removes their files.
        pub fn delete(&self, runs: impl Into<Runs>) -> Result<()> { loop {} } // impl Into<Runs> = &'static str
        /// Renames a run.
        pub fn rename(&self, run: &str, new_name: &str) -> Result<()> { loop {} }
        /// Changes the tags of runs. `None` as a value removes a tag.
        pub fn tag(&self, runs: impl Into<Runs>, tags: &[(&str, Option<&str>)]) -> Result<Vec<String>> { loop {} } // impl Into<Runs> = &'static str
        /// Runs with last rows that are older than `age`.
        pub fn outdated(&self, runs: impl Into<Runs>, age: std::time::Duration) -> Result<Vec<String>> { loop {} } // impl Into<Runs> = &'static str
        /// Checks the files of the lake against its manifests: their sizes, or all their contents.
        pub fn check(&self, depth: CheckDepth) -> Result<Frame> { loop {} }
        /// Repairs the faults that `check` finds.
        pub fn repair(&self, depth: CheckDepth) -> Result<Frame> { loop {} }
        /// Corrupt manifests and data files that this session has met so far.
        pub fn faults(&self) -> Vec<LakeFault> { loop {} }
        /// Shifts the times of runs, so that the clocks of their ranks agree.
        pub fn align_clocks(&self, runs: impl Into<Runs>) -> Result<Frame> { loop {} } // impl Into<Runs> = &'static str
        /// Restores the recorded times.
        pub fn restore_clocks(&self, runs: impl Into<Runs>) -> Result<Frame> { loop {} } // impl Into<Runs> = &'static str
        /// Merges the small data files of many runs into few files.
        pub fn compact(&self, mode: Mode) -> Result<Frame> { loop {} }
        /// Rewrites the runs that an older version wrote.
        pub fn upgrade(&self, mode: Mode) -> Result<Frame> { loop {} }
        /// Makes every table a Delta Lake table, in place, or updates these tables.
        pub fn export_delta(&self) -> Result<Frame> { loop {} }
        /// Tables, views and canned queries as SQL for DuckDB. `cli::export_duckdb` also writes the files that the SQL reads.
        pub fn duckdb_script(&self, folder: &str) -> Result<DuckdbScript> { loop {} }
        /// Removes files that are no longer used.
        pub fn vacuum(&self, age: std::time::Duration, mode: Mode) -> Result<Frame> { loop {} }
        /// Draws a figure: `s.figure("step_timeline", [("run", "job-7")])`.
        pub fn figure(&self, name: &str, arguments: impl Into<Arguments>) -> Result<DrawnFigure> { loop {} } // impl Into<Arguments> = ()
        /// Searches the queries, tables, columns, figures and findings for words.
        pub fn help(&self, words: &str) -> Result<Frame> { loop {} }
        /// Stores a query in the lake. The values are the defaults of `$name` in the SQL.
        pub fn save_query(&self, name: &str, sql: &str, defaults: impl Into<Arguments>) -> Result<()> { loop {} } // impl Into<Arguments> = ()
        /// Removes a saved query.
        pub fn delete_query(&self, name: &str) -> Result<()> { loop {} }
        /// Names of the saved queries.
        pub fn saved_queries(&self) -> Vec<String> { loop {} }
        /// Saved queries that cannot be used, with the reasons.
        pub fn broken_queries(&self) -> BTreeMap<String, String> { loop {} }
        /// A page about a run, `s.report(&["job-7".into()])`, about two sides, or without a side about the lake.
        pub fn report(&self, sides: &[Runs]) -> Result<ReportPage> { loop {} }
        /// The names of all figures.
        pub fn figures(&self) -> Vec<&'static str> { loop {} }
        /// Shows the address and the number of runs below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }

    /// A builder for a call of a canned query.
    #[derive(Debug, Clone)]
    pub struct QueryCall<'a>(&'a Session);
    impl<'a> QueryCall<'a> {
        /// Only this run, or these runs.
        pub fn run(self, runs: impl Into<Runs>) -> Self { loop {} } // impl Into<Runs> = &'static str
        /// Runs the query.
        pub fn fetch(self) -> Result<Frame> { loop {} }
    }

    // The query families. `tracelake jupyter install` writes this file.
    include!("families.rs");
}

pub use error::{Error, ErrorKind, Result};
pub use figure::DrawnFigure;
pub use frame::Frame;
pub use ingest::{IngestReport, Request};
pub use self_trace::{SelfTrace, self_trace};
pub use session::{FollowOptions, Follower, OpenOptions, Session, Value, create, open, open_default, open_default_with, open_with};
pub use source::Traffic;
pub use unit::{Type, Unit};
