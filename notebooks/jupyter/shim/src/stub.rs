//! Signatures of the crate, one a line; never compiled. `tests/it/shim.rs` compares them with the library.

/// Errors.
pub mod error {
    /// The result of every fallible call.
    pub type Result<T, E = Error> = std::result::Result<T, E>;

    /// What went wrong, with a hint where there is one.
    #[derive(Debug)]
    pub struct Error;
    impl Error {
        /// What sort of error this is.
        pub fn kind(&self) -> ErrorKind { loop {} }
        /// The first line, without context and hint.
        pub fn message(&self) -> &str { loop {} }
        /// What can be done about it, where that is known.
        pub fn hint(&self) -> Option<&str> { loop {} }
    }
    impl std::fmt::Display for Error { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }
    impl std::error::Error for Error {}

    /// What sort of thing went wrong.
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

/// What tracelake itself does, as a trace.
mod own_profile {
    use super::error::*;

    /// Writes what tracelake does from now on into a file, until the value is ended or dropped.
    pub fn own_profile(path: impl AsRef<std::path::Path>) -> Result<OwnProfile> { loop {} } // impl AsRef<std::path::Path> = &'static str

    /// A trace of tracelake itself that is being written.
    #[derive(Debug)]
    pub struct OwnProfile;
    impl OwnProfile {
        /// Ends the file.
        pub fn end(self) -> Result<()> { loop {} }
    }
}

/// Profiles into lakes.
pub mod ingest {
    use super::error::*;
    use super::source::*;
    use std::collections::BTreeMap;

    /// What to ingest, and as what.
    #[derive(Debug, Clone, Default)]
    pub struct Request {
        /// Address of the profile.
        pub url: String,
        /// Name of the run; taken from the address when none is given.
        pub run: Option<String>,
        /// Options of the store.
        pub options: Options,
        /// What you say about the run.
        pub tags: BTreeMap<String, String>,
        /// Added to every time of the profile, ns.
        pub clock_offset: Option<i64>,
        /// Name of the annotation that marks steps in traces, instead of `ProfilerStep#<n>`.
        pub step_annotation: Option<String>,
        /// Names of the columns of data loader timings: `load_s` is `data_ms:ms`.
        pub loader_columns: Option<BTreeMap<String, String>>,
        /// Rows of files that are no longer there go, too.
        pub prune: bool,
        /// Nothing is read or written: the report says what would be.
        pub dry_run: bool,
        /// Share the profiles with other processes: the claim of a process that does not renew it for this long expires.
        pub share: Option<std::time::Duration>,
    }

    /// What an ingest did.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Report {
        /// Name of the run.
        pub run: String,
        /// Address of the profile.
        pub url: String,
        /// Generation of the run afterwards.
        pub generation: u64,
        /// Objects read now.
        pub read: u64,
        /// Objects that had not changed and were not fetched.
        pub unchanged: u64,
        /// Objects that hold nothing to read, or that no format knows.
        pub ignored: u64,
        /// Objects in which nothing could be read.
        pub failed: u64,
        /// Objects whose rows went, since they are no longer there.
        pub pruned: u64,
        /// Bytes read now, as stored.
        pub bytes: u64,
        /// Rows written now, by table.
        pub rows: BTreeMap<String, i64>,
        /// Entries left out; each is counted in table `problem`.
        pub skipped: i64,
        /// What stores were asked meanwhile over the network.
        pub traffic: Traffic,
        /// Whether nothing was done, so that all this is what would be.
        pub dry_run: bool,
        /// How long it took.
        pub seconds: f64,
        /// Why this profile of many could not be read.
        pub error: Option<String>,
    }
    impl Report {
        /// Shows the report below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
    impl std::fmt::Display for Report { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }

    /// How far an ingest has come.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Progress {
        /// Objects to read in all.
        pub objects: u64,
        /// Bytes to read in all, as stored.
        pub bytes: u64,
        /// Objects read.
        pub objects_done: u64,
        /// Bytes of these.
        pub bytes_done: u64,
    }

    /// Receives the progress; returns false to stop.
    pub type Watch = std::sync::Arc<dyn Fn(Progress) -> bool + Send + Sync>;
}

/// Where bytes come from.
pub mod source {
    /// Options of a store by name.
    pub type Options = std::collections::BTreeMap<String, String>;

    /// What stores were asked over the network.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Traffic {
        /// Pages of listings.
        pub list: u64,
        /// Objects, and ranges of objects.
        pub get: u64,
        /// Whether an object is there, or where a bucket is.
        pub head: u64,
        /// Objects written.
        pub put: u64,
        /// Objects deleted, up to a thousand by one request.
        pub delete: u64,
        /// Bytes of bodies that came.
        pub received: u64,
        /// Bytes of bodies that went.
        pub sent: u64,
    }
    impl Traffic {
        /// What came since `before`.
        pub fn since(&self, before: &Traffic) -> Traffic { loop {} }
    }
    impl std::fmt::Display for Traffic { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }
}

/// Answers.
pub mod frame {
    use super::arrow::array::*;
    use super::arrow::datatypes::*;
    use super::error::*;
    use super::unit::*;

    /// Batches as they arrive.
    pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

    /// A Rust type that a column can be read as: `i64`, `f64`, `bool`, `String`.
    pub trait Cell: Sized {}
    impl Cell for i64 {}
    impl Cell for f64 {}
    impl Cell for bool {}
    impl Cell for String {}

    /// The clock by which a frame shows its times.
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
        /// What the values mean; `None` for a column computed in SQL.
        pub unit: Option<Unit>,
    }

    /// The rows of one query. As the last expression of a cell it is shown as a table.
    #[derive(Debug, Clone)]
    pub struct Frame;
    impl Frame {
        /// A frame of rows that are there already.
        pub fn from_batch(batch: RecordBatch) -> Self { loop {} }
        /// The Arrow schema.
        pub fn schema(&self) -> SchemaRef { loop {} }
        /// Name, type and unit of every column, in order.
        pub fn columns(&self) -> Vec<ColumnInfo> { loop {} }
        /// The same rows, whose times are shown by this clock.
        pub fn in_zone(&self, zone: Zone) -> Self { loop {} }
        /// The number of rows.
        pub fn rows(&self) -> Result<usize> { loop {} }
        /// Why there are no rows; `None` if there are some, or if the reason is unknown.
        pub fn why_empty(&self) -> Result<Option<&str>> { loop {} }
        /// How the query runs: what it reads, what it skips, and the time of each step.
        pub fn explain(&self) -> Result<Frame> { loop {} }
        /// The values of a column; `T` is `i64`, `f64`, `bool` or `String`.
        pub fn column<T: Cell>(&self, name: &str) -> Result<Vec<Option<T>>> { loop {} } // T = f64
        /// One value; null is `None`.
        pub fn value<T: Cell>(&self, row: usize, name: &str) -> Result<Option<T>> { loop {} } // T = i64
        /// All rows as one batch.
        pub fn batch(&self) -> Result<RecordBatch> { loop {} }
        /// All rows as batches.
        pub fn batches(&self) -> Result<Vec<RecordBatch>> { loop {} }
        /// The rows as batches, as they arrive; nothing is kept.
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

/// Pictures of answers.
pub mod figure {
    use super::error::*;
    use super::frame::*;
    use super::plotly::*;

    /// A drawn figure. As the last expression of a cell it is shown.
    #[derive(Debug, Clone)]
    pub struct Drawn;
    impl Drawn {
        /// The figure's name.
        pub fn name(&self) -> &'static str { loop {} }
        /// The numbers of the figure.
        pub fn frames(&self) -> &[Frame] { loop {} }
        /// The plot itself, for changes of your own.
        pub fn plot(&self) -> Result<Plot> { loop {} }
        /// The plot as Plotly JSON.
        pub fn to_json(&self) -> &str { loop {} }
        /// A whole page that needs no network.
        pub fn to_html_page(&self) -> String { loop {} }
        /// Shows the figure below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
}

/// One page about runs.
pub mod report {
    /// A page about a run, a comparison or a lake. As the last expression of a cell it is shown.
    #[derive(Debug, Clone)]
    pub struct Page;
    impl Page {
        /// What the page is about.
        pub fn title(&self) -> &str { loop {} }
        /// The page: HTML that needs no network.
        pub fn html(&self) -> &str { loop {} }
        /// Shows the page below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }
}

/// What a column holds.
pub mod unit {
    /// What the values of a column mean.
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
        /// The word as it stands in a header.
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
        /// The word as it stands in a header.
        pub fn as_str(self) -> &'static str { loop {} }
    }
}

/// Columns in memory; the real crate is whole.
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

/// The engine; the real crate is whole.
pub mod datafusion {}

/// Plots; the real crate is whole.
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
    pub struct Fault {
        /// The run that it concerns, where that is known.
        pub run: Option<String>,
        /// Path below the lake.
        pub path: String,
        /// Size of what is there, in bytes; none when nothing is.
        pub bytes: Option<u64>,
        /// What is wrong, and what was expected.
        pub message: String,
    }
}

/// The one object you hold.
pub mod session {
    use super::error::*;
    use super::figure::*;
    use super::frame::*;
    use super::ingest::*;
    use super::lake::*;
    use super::report::*;
    use super::source::*;
    use std::collections::BTreeMap;

    /// Opens a profile or a lake.
    pub fn open(url: &str) -> Result<Session> { loop {} }
    /// Opens a profile or a lake, with options.
    pub fn open_with(url: &str, options: Open) -> Result<Session> { loop {} }
    /// Opens the default lake.
    pub fn open_default() -> Result<Session> { loop {} }
    /// Opens the default lake, with options.
    pub fn open_default_with(options: Open) -> Result<Session> { loop {} }
    /// Opens a lake, and makes one if there is none.
    pub fn create(url: &str) -> Result<Session> { loop {} }

    /// Asked while a call waits; true gives up.
    pub type Interrupt = std::sync::Arc<dyn Fn() -> bool + Send + Sync>;

    /// Receives the text of a warning.
    pub type Warn = std::sync::Arc<dyn Fn(&str) + Send + Sync>;

    /// How to open a session.
    #[derive(Clone, Default)]
    pub struct Open {
        /// Options of the store: `region`, `endpoint`, `access_key_id`, `skip_signature`, ...
        pub options: Options,
        /// Make a lake of a folder that is none.
        pub create: bool,
        /// Keep what a profile gives in a temporary folder that ends with the session.
        pub ephemeral: bool,
        /// Allow DDL and DML in `sql`.
        pub writable: bool,
        /// A folder of canned queries of your own.
        pub queries: Option<String>,
        /// Name of the run that a profile becomes.
        pub run: Option<String>,
        /// Names of the columns of data loader timings: `load_s` is `data_ms:ms`.
        pub loader_columns: Option<BTreeMap<String, String>>,
        /// Address of a cluster that answers questions instead of this process: `df://host:50050`.
        pub cluster: Option<String>,
        /// This process answers what the cluster cannot; else that is an error.
        pub local_fallback: bool,
        /// Told of the progress when a profile is read.
        pub watch: Option<Watch>,
        /// Called with each warning.
        pub warn: Option<Warn>,
        /// Asked while a call waits; true gives up.
        pub interrupt: Option<Interrupt>,
    }

    impl std::fmt::Debug for Open { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { loop {} } }

    /// How to follow a profile; the default is a look every 10 seconds, to the end of the job.
    #[derive(Clone, Default)]
    pub struct Follow {
        /// Time between two looks.
        pub every: std::time::Duration,
        /// Ends after so long without news; none waits for the end of the job.
        pub idle: Option<std::time::Duration>,
        /// Told of the progress of each look that reads something.
        pub watch: Option<Watch>,
    }

    /// What arrives of a profile that is being written: the report of each look that found something.
    #[derive(Debug)]
    pub struct Following;
    impl Iterator for Following { type Item = Result<Report>; fn next(&mut self) -> Option<Result<Report>> { loop {} } }

    /// A lake as SQL for DuckDB.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DuckdbScript {
        /// Statements that make views and macros.
        pub text: String,
        /// Tables, views and queries that it has, by name in SQL.
        pub names: Vec<String>,
        /// Views and queries that it has not, by name in SQL, and why.
        pub excluded: BTreeMap<String, String>,
    }

    /// The value of a parameter; numbers, texts, booleans and lists become one with `into()`.
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

    /// A lake, or one profile of it, that can be asked.
    #[derive(Clone, Debug)]
    pub struct Session;
    impl Session {
        /// The address of the lake.
        pub fn url(&self) -> &str { loop {} }
        /// The run of the profile that was opened.
        pub fn run(&self) -> Option<&str> { loop {} }
        /// Runs SQL.
        pub fn sql(&self, text: &str) -> Result<Frame> { loop {} }
        /// Runs SQL with values for `$name` in it: `s.sql_with(text, &[("x", 3.into())])`.
        pub fn sql_with(&self, text: &str, params: &[(&str, Value)]) -> Result<Frame> { loop {} }
        /// Runs a canned query by name: `s.query("step.duration", &[("run", "job-7")])`.
        pub fn query<V: Into<Value> + Clone>(&self, name: &str, arguments: &[(&str, V)]) -> Result<Frame> { loop {} } // V = i64
        /// Runs a canned query for some runs, or for all.
        pub fn query_runs(&self, name: &str, runs: Option<&[String]>, values: &BTreeMap<String, Value>) -> Result<Frame> { loop {} }
        /// A whole table, or some of its columns, for some runs or all.
        pub fn table(&self, name: &str, runs: Option<&[String]>, columns: Option<&[String]>) -> Result<Frame> { loop {} }
        /// Everything recorded between two times (ns since the Unix epoch), by table.
        pub fn window(&self, start: i64, end: i64, runs: Option<&[String]>) -> Result<BTreeMap<String, Frame>> { loop {} }
        /// The runs of the lake.
        pub fn runs(&self) -> Result<Frame> { loop {} }
        /// The exact Parquet files of a table.
        pub fn files(&self, name: &str, runs: Option<&[String]>) -> Result<Vec<String>> { loop {} }
        /// Reads a profile into the lake, or many with one `*` in the address.
        pub fn ingest(&self, request: Request, watch: Option<Watch>) -> Result<Vec<Report>> { loop {} }
        /// Follows a profile while its job writes it.
        pub fn follow(&self, request: Request, options: Follow) -> Result<Following> { loop {} }
        /// What stores were asked by this session so far.
        pub fn traffic(&self) -> Traffic { loop {} }
        /// Sees what other writers have committed since.
        pub fn refresh(&self) -> Result<()> { loop {} }
        /// Deletes runs; their files go with `vacuum`.
        pub fn delete(&self, runs: &[&str]) -> Result<()> { loop {} }
        /// Gives a run another name.
        pub fn rename(&self, run: &str, new_name: &str) -> Result<()> { loop {} }
        /// Changes what is said about a run: a value for each tag, none for one that goes.
        pub fn tag(&self, run: &str, tags: &[(&str, Option<&str>)]) -> Result<()> { loop {} }
        /// Runs whose rows end further back than `age`.
        pub fn outdated(&self, runs: &[&str], age: std::time::Duration) -> Result<Vec<String>> { loop {} }
        /// Holds the files of the lake against its manifests; `read` also reads every part to its end.
        pub fn check(&self, read: bool) -> Result<Frame> { loop {} }
        /// Fixes what `check` finds; `read` reads every file completely.
        pub fn repair(&self, read: bool) -> Result<Frame> { loop {} }
        /// Corrupt manifests and data files that this session has met so far.
        pub fn faults(&self) -> Vec<Fault> { loop {} }
        /// Brings the small parts of many runs together in few files.
        pub fn compact(&self, dry: bool) -> Result<Frame> { loop {} }
        /// Brings a lake that an older version wrote to what this one writes.
        pub fn upgrade(&self, dry: bool) -> Result<Frame> { loop {} }
        /// Makes every table a Delta Lake table, in place, or brings these up to date.
        pub fn export_delta(&self) -> Result<Frame> { loop {} }
        /// Tables, views and canned queries as SQL for DuckDB; `cli::export_duckdb` writes it with what it reads.
        pub fn duckdb_script(&self, folder: &str) -> Result<DuckdbScript> { loop {} }
        /// Removes files that are no longer used.
        pub fn vacuum(&self, age: std::time::Duration, dry: bool) -> Result<Frame> { loop {} }
        /// Draws a figure: `s.figure("step_timeline", &[("run", "job-7")])`.
        pub fn figure<V: Into<Value> + Clone>(&self, name: &str, arguments: &[(&str, V)]) -> Result<Drawn> { loop {} } // V = &'static str
        /// What there is to ask about words: queries, tables, columns, figures, findings.
        pub fn help(&self, words: &str) -> Result<Frame> { loop {} }
        /// Keeps a query with the lake; values are the defaults of `$name` in plain SQL.
        pub fn save_query(&self, name: &str, sql: &str, defaults: &[(&str, Value)]) -> Result<()> { loop {} }
        /// Removes a saved query.
        pub fn delete_query(&self, name: &str) -> Result<()> { loop {} }
        /// Names of the saved queries.
        pub fn saved_queries(&self) -> Vec<String> { loop {} }
        /// Saved queries that cannot be used, and why.
        pub fn broken_queries(&self) -> BTreeMap<String, String> { loop {} }
        /// One page: about a run, `s.report(&[&["job-7"]])`, two sides, or without a side the lake.
        pub fn report(&self, sides: &[&[&str]]) -> Result<Page> { loop {} }
        /// The names of all figures.
        pub fn figures(&self) -> Vec<&'static str> { loop {} }
        /// Shows the address and the number of runs below the cell.
        pub fn evcxr_display(&self) { loop {} }
    }

    /// A call of a canned query that is being put together.
    #[derive(Debug, Clone)]
    pub struct Call<'a>(&'a Session);
    impl<'a> Call<'a> {
        /// Only this run.
        pub fn run(self, run: &str) -> Self { loop {} }
        /// Only these runs.
        pub fn runs(self, runs: &[&str]) -> Self { loop {} }
        /// Runs the query.
        pub fn fetch(self) -> Result<Frame> { loop {} }
    }

    // The query families: `tracelake jupyter install` writes this file from what the build made of the queries.
    include!("families.rs");
}

pub use error::{Error, ErrorKind, Result};
pub use figure::Drawn;
pub use frame::Frame;
pub use ingest::{Report, Request};
pub use own_profile::{OwnProfile, own_profile};
pub use session::{Follow, Following, Open, Session, Value, create, open, open_default, open_default_with, open_with};
pub use source::Traffic;
pub use unit::{Type, Unit};
