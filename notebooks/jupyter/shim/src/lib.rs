//! tracelake for a Rust notebook: rustc sees the finished library, rust-analyzer a list of signatures.
//!
//! generated from sql/ by `make update`; do not edit

#[cfg(not(rust_analyzer))]
pub use tracelake_real::*;

// Never compiled: the kernel's rust-analyzer reads it, for the types of variables, completion and help.
#[cfg(rust_analyzer)]
mod stub {
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
            /// Other processes share the profiles; who shows no sign of life for so long is taken for dead.
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

        /// Is told of progress; false means stop.
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
            /// Why there are no rows; none if there are some, or nobody knows.
            pub fn why_empty(&self) -> Result<Option<&str>> { loop {} }
            /// How the question is answered: what was read, what was left out, what each step took.
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
        pub fn open_with(url: &str, how: Open) -> Result<Session> { loop {} }
        /// Opens the default lake.
        pub fn open_default() -> Result<Session> { loop {} }
        /// Opens the default lake, with options.
        pub fn open_default_with(how: Open) -> Result<Session> { loop {} }
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
            pub left_out: BTreeMap<String, String>,
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
            pub fn follow(&self, request: Request, how: Follow) -> Result<Following> { loop {} }
            /// What stores were asked by this session so far.
            pub fn traffic(&self) -> Traffic { loop {} }
            /// Sees what other writers have committed since.
            pub fn refresh(&self) -> Result<()> { loop {} }
            /// Deletes runs; their files go with `vacuum`.
            pub fn delete(&self, runs: &[&str]) -> Result<()> { loop {} }
            /// Gives a run another name.
            pub fn rename(&self, run: &str, to: &str) -> Result<()> { loop {} }
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
            /// Removes files that nobody reads any more.
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

        impl Session {
            /// The canned queries about `action`.
            pub fn action(&self) -> ActionQueries<'_> { loop {} }
            /// The canned queries about `annotation`.
            pub fn annotation(&self) -> AnnotationQueries<'_> { loop {} }
            /// The canned queries about `change`.
            pub fn change(&self) -> ChangeQueries<'_> { loop {} }
            /// The canned queries about `event`.
            pub fn event(&self) -> EventQueries<'_> { loop {} }
            /// The canned queries about `finding`.
            pub fn finding(&self) -> FindingQueries<'_> { loop {} }
            /// The canned queries about `fleet`.
            pub fn fleet(&self) -> FleetQueries<'_> { loop {} }
            /// The canned queries about `function`.
            pub fn function(&self) -> FunctionQueries<'_> { loop {} }
            /// The canned queries about `incident`.
            pub fn incident(&self) -> IncidentQueries<'_> { loop {} }
            /// The canned queries about `job`.
            pub fn job(&self) -> JobQueries<'_> { loop {} }
            /// The canned queries about `kernel`.
            pub fn kernel(&self) -> KernelQueries<'_> { loop {} }
            /// The canned queries about `loader`.
            pub fn loader(&self) -> LoaderQueries<'_> { loop {} }
            /// The canned queries about `memory`.
            pub fn memory(&self) -> MemoryQueries<'_> { loop {} }
            /// The canned queries about `operator`.
            pub fn operator(&self) -> OperatorQueries<'_> { loop {} }
            /// The canned queries about `rank`.
            pub fn rank(&self) -> RankQueries<'_> { loop {} }
            /// The canned queries about `rules`.
            pub fn rules(&self) -> RulesQueries<'_> { loop {} }
            /// The canned queries about `runtime`.
            pub fn runtime(&self) -> RuntimeQueries<'_> { loop {} }
            /// The canned queries about `step`.
            pub fn step(&self) -> StepQueries<'_> { loop {} }
            /// The canned queries about `trace`.
            pub fn trace(&self) -> TraceQueries<'_> { loop {} }
            /// The canned queries about `utilization`.
            pub fn utilization(&self) -> UtilizationQueries<'_> { loop {} }
        }

        /// The canned queries about `action`.
        #[derive(Debug, Clone, Copy)]
        pub struct ActionQueries<'a>(&'a Session);
        impl<'a> ActionQueries<'a> {
            /// How long did each action of a PyTorch Lightning job take, with and without what ran within it?
            ///
            /// One row per action of a report of SimpleProfiler or AdvancedProfiler, the longest first. Actions lie
            /// within each other, so that neither `total_s` nor `percent` add up: `own_s` does, being without the
            /// actions directly within (`action.tree`). A report that a later one continues, as that of a test does
            /// with the fit before it, is left out (view `action_latest`), so that nothing is counted twice.
            ///
            /// Times are as printed, with five digits (SimpleProfiler) or three decimals. AdvancedProfiler cuts an
            /// action short where another begins in it, which `truncated` says: compare no such time with others.
            ///
            /// - column `run` (text, id): run the report belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): simple or advanced
            /// - column `object` (bigint, id): file of the report
            /// - column `report` (bigint, id): report within the file, from 0
            /// - column `stage` (text, name): stage of the report, which also holds those before it; null when unknown
            /// - column `action` (text, name): name of the action
            /// - column `calls` (bigint, count): how often it was done; null from AdvancedProfiler
            /// - column `mean_s` (double, s): mean duration; null from AdvancedProfiler
            /// - column `total_s` (double, s): total duration
            /// - column `percent` (double, percent): share of the time since the profiler was made, as reported
            /// - column `own_s` (double, s): `total_s` without the actions directly within; null when unknown
            /// - column `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small
            pub fn summary(self) -> Call<'a> { loop {} }
            /// Which actions of a PyTorch Lightning job ran within which, and where did the time go?
            ///
            /// The rows of `action.summary` depth first, each action below the one around it, the longest first. Which
            /// encloses which is known from Lightning's loops and not from the report (view `action_nested`).
            /// `parent_ratio` over the actions of one parent, with the share of its `own_s`, adds up to 1.
            ///
            /// - column `run` (text, id): run the report belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): simple or advanced
            /// - column `object` (bigint, id): file of the report
            /// - column `report` (bigint, id): report within the file, from 0
            /// - column `path` (text, id): sorts the actions of a report depth first
            /// - column `depth` (bigint, count): how many actions are around it
            /// - column `action` (text, name): name of the action
            /// - column `parent` (text, name): action around it; null for one that stands by itself
            /// - column `calls` (bigint, count): how often it was done; null from AdvancedProfiler
            /// - column `total_s` (double, s): total duration
            /// - column `own_s` (double, s): `total_s` without the actions directly within; null when unknown
            /// - column `parent_ratio` (double, ratio): `total_s` over that of `parent`; null where that was cut short
            /// - column `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small
            pub fn tree(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `annotation`.
        #[derive(Debug, Clone, Copy)]
        pub struct AnnotationQueries<'a>(&'a Session);
        impl<'a> AnnotationQueries<'a> {
            /// What did the marked stretches of the program run on the device, and how long did that take there?
            ///
            /// One row per name and process rank, of ranges on the host inside which device work was launched:
            /// annotations, step marks, calls of a data loader, collectives, operators. Kernels, copies and fills
            /// belong to a range if the call that launched them lies within it, on the same thread of the same process.
            /// The projection of a range lasts from the start of the first of them to the end of the last one, on
            /// whatever device and stream: gaps count, and what other threads launched in the meantime does not. All
            /// ranges around a call have its work, not the innermost one only, so that sums over different names count
            /// it more than once; ranges that overlap in part are each asked for what lies within.
            ///
            /// The definition is that of the report `nvtx_gpu_proj_sum` of `nsys stats`, which has the name of the
            /// domain in front of that of the range. A graph that was recorded as a whole is one operation. A trace of
            /// PyTorch has other ranges drawn on the device (`annotation.summary`, `device`); `operator.summary` adds
            /// up the durations of device work instead.
            ///
            /// Left out: ranges without device work, or that ended on another thread, or that were never closed; work
            /// without a launch on record.
            ///
            /// - column `run` (text, id): run the ranges belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `category` (text, name): annotation, step, loader, communication or operator
            /// - column `name` (text, name): name of the range
            /// - column `domain` (text, name): domain of NVTX it was marked in; null for none, and outside of NVTX
            /// - column `n` (bigint, count): ranges with device work
            /// - column `ops` (bigint, count): kernels, copies and fills launched within
            /// - column `projected_sum` (bigint, ns): time from the first start to the last end on the device, added up over the ranges
            /// - column `projected_mean` (double, ns): mean of that
            /// - column `projected_std` (double, ns): standard deviation; null for a single one
            /// - column `projected_min` (bigint, ns): shortest
            /// - column `projected_p50` (double, ns): median
            /// - column `projected_max` (bigint, ns): longest
            /// - column `dur_sum` (bigint, ns): durations of these ranges on the host, added up
            pub fn gpu_projection(self) -> Call<'a> { loop {} }
            /// How long did the marked stretches of the program last, on the host and on the device?
            ///
            /// One row per name, device, process rank and domain. An annotation is what the program or PyTorch itself
            /// marked (`record_function`, ranges of NVTX, optimizer steps, collectives, calls of a data loader, step
            /// marks). On the host it lasts as long as the marked code; on a device the profiler of PyTorch draws it
            /// from the first to the last kernel launched inside, which for recordings of Nsight Systems is computed by
            /// `annotation.gpu_projection`. `dur_sum` adds up durations, so that what ran side by side or nested counts
            /// more than once; `busy` is the time in which at least one of that name ran. Percentiles are exact, with
            /// linear interpolation between the closest values.
            ///
            /// The numbers are those of `get_gpu_user_annotation_breakdown` of HTA with all its steps, and of the
            /// report `nvtx_sum` of `nsys stats`, which has the name of the domain in front of that of the range. Left
            /// out: operators, which PyTorch marks with NVTX too (`operator.summary`), and ranges that were never
            /// closed.
            ///
            /// - column `run` (text, id): run the annotations belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `device` (text, name): cpu, or the device it is drawn on (gpu0)
            /// - column `category` (text, name): annotation, step, loader or communication
            /// - column `name` (text, name): name of the annotation
            /// - column `n` (bigint, count): how often it was marked
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for a single one
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            /// - column `domain` (text, name): domain of NVTX it was marked in; null for none, and outside of NVTX
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `change`.
        #[derive(Debug, Clone, Copy)]
        pub struct ChangeQueries<'a>(&'a Session);
        impl<'a> ChangeQueries<'a> {
            /// Did waiting for data, the load of the machines or the need for memory change?
            ///
            /// One row per quantity: the share of time that processes waited for data (`job.key_figures`), means of
            /// what the machines measured of cores, GPUs, memory, disks and network, and the greatest memory in use on
            /// each device. `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared
            /// with side a by itself, and with `a_span` and `b_span` two recordings of a run. There is one value in a
            /// run: that it scatters within the run is not in the interval, only the noise between runs
            /// (`change.steps`).
            ///
            /// - parameter `a` (text[]): Runs of side a, what was; null for those of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, over the value. Default: `0.005`.
            /// - parameter `confidence` (double): How often such intervals hold the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): The same of side b. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): loader, utilization or memory
            /// - column `name` (text, name): quantity or device
            /// - column `statistic` (text, name): mean or max
            /// - column `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            /// - column `kind` (text, name): added, gone, more, less, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn measures(self) -> ChangeMeasures<'a> { loop {} }
            /// What changed between two runs or groups of runs, and by how much?
            ///
            /// Everything that `change.steps`, `change.roles`, `change.measures` and `change.work` compare, in one
            /// answer: first what is no part of a step, then what adds most to a step, and last what became faster. Of
            /// operators and kernels those with the greatest changes. The rows of steps, of roles, of operators and of
            /// kernels look at the same time in four ways: add up those of one subject only.
            ///
            /// `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by
            /// itself, and with `a_span` and `b_span` two recordings of a run. `change.steps` says what the intervals
            /// hold.
            ///
            /// - parameter `a` (text[]): Runs of side a, what was; null for those of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, over the value. Default: `0.005`.
            /// - parameter `confidence` (double): How often such intervals hold the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): The same of side b. Default: `null`.
            /// - parameter `top` (bigint): Operators and kernels of each run with the greatest changes, at least 0. Default: `20`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): step, role, loader, utilization, memory, operator or kernel
            /// - column `name` (text, name): mode, role, quantity, device, operator or kernel
            /// - column `statistic` (text, name): p50, p95, mean, max or sum
            /// - column `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            /// - column `kind` (text, name): added, gone, slower, faster (more and less of what is no time), or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn report(self) -> ChangeReport<'a> { loop {} }
            /// Which part of a step became slower or faster: device, communication, data loading, host?
            ///
            /// One row per role of `step.breakdown`, with its mean time in a step of a rank: the changes add up to that
            /// of the mean step. `a` and `b` are lists of runs, compared as two groups; without `b` every run is
            /// compared with side a by itself, and with `a_span` and `b_span` two recordings of a run. Intervals are
            /// those of a mean, with the noise between runs that `change.steps` explains. Small roles scatter much.
            ///
            /// Left out: steps that a recording cut short.
            ///
            /// - parameter `a` (text[]): Runs of side a, what was; null for those of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, over the value. Default: `0.005`.
            /// - parameter `confidence` (double): How often such intervals hold the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): The same of side b. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): role
            /// - column `name` (text, name): kernel, memcpy, memset, communication, runtime, loader, cpu or other
            /// - column `statistic` (text, name): mean
            /// - column `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn roles(self) -> ChangeRoles<'a> { loop {} }
            /// Did steps become slower or faster, and is that more than noise?
            ///
            /// One row per mode and statistic of its steps. `change_steps(['before'], ['after'])` compares two runs.
            /// `a` and `b` are lists of runs, compared as two groups; without `b` every run is compared with side a by
            /// itself, and with `a_span` and `b_span` two recordings of a run. Of several runs, a value is the mean
            /// over the runs. Durations are those of `step.duration`.
            ///
            /// `low` and `high` are the ends of an interval of the ratio, with `confidence`. Two kinds of noise are in
            /// it: the scatter of the steps of a run, by their order statistics, and that between runs of the same
            /// code. The latter is taken from the runs of a side, and from `noise`, which counts as if it had been
            /// measured on five runs. An end is null where there are too few steps for one: a 95th percentile needs
            /// about 73. A change is `significant` when the interval leaves out 1.
            ///
            /// Left out: steps that a recording cut short.
            ///
            /// - parameter `a` (text[]): Runs of side a, what was; null for those of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, over the value. Default: `0.005`.
            /// - parameter `confidence` (double): How often such intervals hold the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): The same of side b. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): step
            /// - column `name` (text, name): mode of the steps; step when the profiler did not say
            /// - column `statistic` (text, name): p50, p95 or mean
            /// - column `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn steps(self) -> ChangeSteps<'a> { loop {} }
            /// Which operators and kernels take more or less of a step?
            ///
            /// One row per operator, with its host time without what ran inside, and per kernel or copy, with its time
            /// on the devices: both summed up and divided by the number of steps. `a` and `b` are lists of runs,
            /// compared as two groups; without `b` every run is compared with side a by itself, and with `a_span` and
            /// `b_span` two recordings of a run. There is one value in a run: that it scatters within the run is not in
            /// the interval, only the noise between runs (`change.steps`).
            ///
            /// - parameter `a` (text[]): Runs of side a, what was; null for those of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, over the value. Default: `0.005`.
            /// - parameter `confidence` (double): How often such intervals hold the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): The same of side b. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): operator or kernel
            /// - column `name` (text, name): name of the operator or kernel
            /// - column `statistic` (text, name): sum over a step
            /// - column `unit` (text, name): unit of `a`, `b` and `change`, as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null of what is no part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn work(self) -> ChangeWork<'a> { loop {} }
        }

        /// A call of `change.measures`.
        #[derive(Debug, Clone)]
        pub struct ChangeMeasures<'a>(Call<'a>);
        impl<'a> ChangeMeasures<'a> {
            /// Runs of side a, what was; null for those of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, over the value. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// How often such intervals hold the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// The same of side b. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `change.report`.
        #[derive(Debug, Clone)]
        pub struct ChangeReport<'a>(Call<'a>);
        impl<'a> ChangeReport<'a> {
            /// Runs of side a, what was; null for those of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, over the value. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// How often such intervals hold the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// The same of side b. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Operators and kernels of each run with the greatest changes, at least 0. Default: `20`.
            pub fn top(self, top: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `change.roles`.
        #[derive(Debug, Clone)]
        pub struct ChangeRoles<'a>(Call<'a>);
        impl<'a> ChangeRoles<'a> {
            /// Runs of side a, what was; null for those of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, over the value. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// How often such intervals hold the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// The same of side b. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `change.steps`.
        #[derive(Debug, Clone)]
        pub struct ChangeSteps<'a>(Call<'a>);
        impl<'a> ChangeSteps<'a> {
            /// Runs of side a, what was; null for those of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, over the value. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// How often such intervals hold the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// The same of side b. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `change.work`.
        #[derive(Debug, Clone)]
        pub struct ChangeWork<'a>(Call<'a>);
        impl<'a> ChangeWork<'a> {
            /// Runs of side a, what was; null for those of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, what is, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, over the value. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// How often such intervals hold the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// The same of side b. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `event`.
        #[derive(Debug, Clone, Copy)]
        pub struct EventQueries<'a>(&'a Session);
        impl<'a> EventQueries<'a> {
            /// What was running at given times?
            ///
            /// One row per name of an event, with the number of times at which at least one event of that name was
            /// running, and the same for its whole track (the phase, thread or stream it stands on). Ranks and machines
            /// are taken together. Compare two lists, those of a bottleneck and those without, to see what goes on when
            /// it is slow. Without a list it is a profile of the whole run: 100 times, evenly spread. An event runs
            /// from its start until before its end. A time that is given twice counts once.
            ///
            /// `get_framework_metrics_by_timesteps` of smdebug adds up the full durations of the events instead, once
            /// for each time, and leaves out the last time.
            ///
            /// - parameter `times` (bigint[]): Times in ns since the Unix epoch; null for 100 times evenly spread over the run. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `category` (text, name): what sort of work it is
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `name` (text, name): name of the event
            /// - column `n` (bigint, count): times at which it ran
            /// - column `ratio` (double, ratio): their share of all given times
            /// - column `track_n` (bigint, count): times at which anything ran on the track
            /// - column `track_ratio` (double, ratio): their share of all given times
            pub fn at_times(self) -> EventAtTimes<'a> { loop {} }
            /// What ran during given windows of time, and for what share of them?
            ///
            /// Window number i begins at `starts[i]` and ends before `ends[i]`; windows that overlap are one. One row
            /// per name of an event, with the time in which at least one event of that name was running, and the same
            /// for its whole track (the phase, thread or stream it stands on). An event that reaches out of a window
            /// counts with the part inside. Ranks and machines are taken together. Compare two lists of windows, those
            /// of slow steps and those of the others. Without lists the windows are the steps of the run.
            ///
            /// `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events
            /// that touch a window.
            ///
            /// - parameter `starts` (bigint[]): Starts of the windows in ns since the Unix epoch; null for those of the steps. Default: `null`.
            /// - parameter `ends` (bigint[]): Ends of the windows, as many. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `category` (text, name): what sort of work it is
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `name` (text, name): name of the event
            /// - column `busy` (bigint, ns): time in the windows in which it ran
            /// - column `ratio` (double, ratio): its share of the time in the windows
            /// - column `track_busy` (bigint, ns): time in the windows in which anything ran on the track
            /// - column `track_ratio` (double, ratio): its share of the time in the windows
            pub fn in_windows(self) -> EventInWindows<'a> { loop {} }
        }

        /// A call of `event.at_times`.
        #[derive(Debug, Clone)]
        pub struct EventAtTimes<'a>(Call<'a>);
        impl<'a> EventAtTimes<'a> {
            /// Times in ns since the Unix epoch; null for 100 times evenly spread over the run. Default: `null`.
            pub fn times(self, times: &[i64]) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `event.in_windows`.
        #[derive(Debug, Clone)]
        pub struct EventInWindows<'a>(Call<'a>);
        impl<'a> EventInWindows<'a> {
            /// Starts of the windows in ns since the Unix epoch; null for those of the steps. Default: `null`.
            pub fn starts(self, starts: &[i64]) -> Self { loop {} }
            /// Ends of the windows, as many. Default: `null`.
            pub fn ends(self, ends: &[i64]) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `finding`.
        #[derive(Debug, Clone, Copy)]
        pub struct FindingQueries<'a>(&'a Session);
        impl<'a> FindingQueries<'a> {
            /// Does the loader keep the accelerator as busy as MLPerf Storage asks?
            ///
            /// Computing over computing and waiting for data, the first batch of each pass left out, mean over the
            /// loops (`loader.utilization`). It says nothing of what the accelerator did while the loop computed.
            ///
            /// - parameter `target` (double): Share of computing below which it is low; MLPerf Storage asks for 0.7 of some models. Default: `0.9`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn accelerator_utilization_low(self) -> FindingAcceleratorUtilizationLow<'a> { loop {} }
            /// Does the GPU work most of the time?
            ///
            /// Utilization is that of view `evidence_gpu`. Above `target` loading is not what limits the training,
            /// whatever its share: this finding is good news, and a notice.
            ///
            /// - parameter `target` (double): Utilization above which the GPU is busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn balanced(self) -> FindingBalanced<'a> { loop {} }
            /// Do the waits for batches vary a lot?
            ///
            /// The 95th percentile of the waits over their median, first batches of a pass left out. Workers that are
            /// too few deliver in bursts: then the long waits come at a distance of as many batches as there are
            /// workers.
            ///
            /// - parameter `factor` (double): How many times the median the 95th percentile must exceed. Default: `2.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn batch_time_unsteady(self) -> FindingBatchTimeUnsteady<'a> { loop {} }
            /// Is there room for larger batches?
            ///
            /// smdebug's rule BatchSize: of the last 500 values, at the end of a minute and after `patience` values,
            /// the 95th percentiles of the cores (their mean), of a GPU and of its memory all lie below `limit`. Of all
            /// GPUs and minutes it is the least (view `evidence_minute`).
            ///
            /// - parameter `limit` (double): 95th percentile below which all three have room. Default: `0.7`.
            /// - parameter `patience` (bigint): Values that there must be more than of each, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn batch_too_small(self) -> FindingBatchTooSmall<'a> { loop {} }
            /// Does much time pass between batches although the next one is there?
            ///
            /// Batches that took at least twice the median of their loop, and spent more of that on other things than
            /// on waiting for data: what they took beyond the median, over the time of the loop (view
            /// `evidence_pause`). First batches of a pass are left out.
            ///
            /// - parameter `high` (double): Share of the loop above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share above which it is notable. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn between_batches_slow(self) -> FindingBetweenBatchesSlow<'a> { loop {} }
            /// Does the training stand still for checkpoints?
            ///
            /// The share of the time of the steps that is long gaps between them in which something saved, or of the
            /// training that Lightning's SimpleProfiler reports saving of (view `evidence_checkpoint`): above `notable`
            /// a notice, above `high` a warning. Long gaps of which nobody recorded whether something saved cannot be
            /// told.
            ///
            /// - parameter `high` (double): Share above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share above which it is notable. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn checkpoint_stalls(self) -> FindingCheckpointStalls<'a> { loop {} }
            /// Is communication hidden behind computation?
            ///
            /// The part of the communicating kernels in which no kernel computed (HTA's overlap, turned around), where
            /// it costs a notable part of the step.
            ///
            /// - parameter `high` (double): Part not hidden above which it is high. Default: `0.5`.
            /// - parameter `notable` (double): Share of the step from which it matters. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn communication_exposed(self) -> FindingCommunicationExposed<'a> { loop {} }
            /// Do collectives take much of the step?
            ///
            /// The share of its steps in which a rank did nothing but communicate (view `evidence_role`), of the rank
            /// with most: waiting for the other ranks is in it. It is the TensorBoard plugin's share of communication.
            ///
            /// - parameter `high` (double): Share above which it is high. Default: `0.1`.
            /// - parameter `severe` (double): Share above which it is severe. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn communication_high(self) -> FindingCommunicationHigh<'a> { loop {} }
            /// Are GPUs idle because the processors cannot keep up?
            ///
            /// smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is
            /// below 10 percent while a core is above 90 percent. Snapshots are those in which both were sampled (view
            /// `evidence_machine`); `rules.cpu_bottleneck` counts all.
            ///
            /// - parameter `limit` (double): Share of the snapshots above which it is a bottleneck. Default: `0.5`.
            /// - parameter `patience` (bigint): Snapshots that there must be more than, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn cpu_bottleneck(self) -> FindingCpuBottleneck<'a> { loop {} }
            /// Does one process drive several GPUs with DataParallel?
            ///
            /// A trace has the mark of DataParallel, and its process used more than one device.
            ///
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn data_parallel(self) -> Call<'a> { loop {} }
            /// Do the ranks of a job on GPUs talk through another backend than NCCL?
            ///
            /// The backend that the trace names (`distributedInfo`), of a job of several ranks whose GPUs worked.
            ///
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn ddp_without_nccl(self) -> Call<'a> { loop {} }
            /// How much of the loop is evaluation?
            ///
            /// The time of evaluation over that of training and evaluation (view `evidence_evaluation`), with whatever
            /// happens between their steps: of phases of steps, or of the training epochs in a report of Lightning's
            /// SimpleProfiler, whose sanity check counts as evaluation.
            ///
            /// - parameter `high` (double): Share above which it is high. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn evaluation_share(self) -> FindingEvaluationShare<'a> { loop {} }
            /// Is what was recorded damaged?
            ///
            /// Entries that were left out or repaired, files that are cut, empty or cannot be read, recordings without
            /// an end (view `evidence_damage`). What the other findings say of such a run rests on the rest.
            ///
            /// - parameter `limit` (bigint): Damaged entries and files above which it is said, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn evidence_damaged(self) -> FindingEvidenceDamaged<'a> { loop {} }
            /// Is the first batch of an epoch much slower than the others?
            ///
            /// The greatest wait for the first batch of a pass over the median of the other waits of that pass.
            ///
            /// - parameter `factor` (double): How many times the median of the others the first wait must exceed. Default: `10.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn first_batch_slow(self) -> FindingFirstBatchSlow<'a> { loop {} }
            /// Is the GPU neither idle nor busy?
            ///
            /// PyTorch's tutorial calls utilization below `low` a problem and above `target` the goal, and says nothing
            /// of what lies between, the limits included. Here it is said as a number, and as no verdict. Utilization
            /// is that of view `evidence_gpu`.
            ///
            /// - parameter `low` (double): Utilization below which a GPU idles. Default: `0.5`.
            /// - parameter `target` (double): Utilization above which it is busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_between(self) -> FindingGpuBetween<'a> { loop {} }
            /// Does a GPU change between busy and idle?
            ///
            /// smdebug's rule LowGPUUtilization: of the last 500 values of a GPU, at the end of a minute and after
            /// `patience` values, the 95th percentile lies above `busy` and the 5th below `limit`. Of all GPUs and such
            /// minutes it is the one with the least 5th percentile (view `evidence_minute`).
            ///
            /// - parameter `limit` (double): 5th percentile of the utilization below which a GPU that is busy at other times fluctuates. Default: `0.1`.
            /// - parameter `busy` (double): 95th percentile above which it is busy at other times. Default: `0.7`.
            /// - parameter `patience` (bigint): Values that there must be more than, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_fluctuating(self) -> FindingGpuFluctuating<'a> { loop {} }
            /// Does the GPU idle for another reason than its data?
            ///
            /// Utilization lies below `low` although the share of waiting (view `evidence_load`) is not above
            /// `notable`.
            ///
            /// - parameter `low` (double): Utilization below which a GPU idles. Default: `0.5`.
            /// - parameter `notable` (double): Share of waiting up to which loading is not why. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_low_not_loader(self) -> FindingGpuLowNotLoader<'a> { loop {} }
            /// Does the memory of a GPU keep growing?
            ///
            /// After 1000 samples in percent it is smdebug's rule GPUMemoryIncrease: the mean of ten values lies more
            /// than `points` percentage points above that of the values before. Where there are fewer, or what an
            /// allocator handed out was logged instead, the last tenth of the values is held against the second, as in
            /// `host_memory_growth`. `threshold` is the limit that counts.
            ///
            /// - parameter `points` (double): Percentage points of the memory of the device. Default: `5`.
            /// - parameter `factor` (double): How many times the second tenth the last one must be more than. Default: `1.1`.
            /// - parameter `rising` (double): Share of the changes between tenths that must go up at least. Default: `0.8`.
            /// - parameter `least` (bigint): Values below which nothing is said, at least 10. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_memory_growth(self) -> FindingGpuMemoryGrowth<'a> { loop {} }
            /// Is the memory of a GPU nearly full?
            ///
            /// The greatest share of the memory of a device that an allocator had handed out, or that samples saw in
            /// use (view `evidence_memory`). Samples include what the allocator only keeps, so that they may be near
            /// the end without any danger: the sentence says which it is.
            ///
            /// - parameter `full` (double): Share above which it is a warning. Default: `0.97`.
            /// - parameter `limit` (double): Share above which it is said. Default: `0.9`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_memory_peak(self) -> FindingGpuMemoryPeak<'a> { loop {} }
            /// Do the GPUs idle because data comes too slowly?
            ///
            /// Utilization lies below `low` while the share of waiting (view `evidence_load`) lies above `high`.
            ///
            /// - parameter `low` (double): Utilization below which a GPU idles. Default: `0.5`.
            /// - parameter `high` (double): Share of waiting above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_starved_by_loader(self) -> FindingGpuStarvedByLoader<'a> { loop {} }
            /// Does a GPU have little to do?
            ///
            /// smdebug's rule LowGPUUtilization: the 95th percentile of the last 500 values of a GPU, at the end of a
            /// minute and after `patience` values, lies below `limit`. Of all GPUs and minutes it is the least (view
            /// `evidence_minute`). Minutes at the end of a run, when nothing is trained any more, count too.
            ///
            /// - parameter `limit` (double): 95th percentile of the utilization below which a GPU is underused. Default: `0.7`.
            /// - parameter `patience` (bigint): Values that there must be more than, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn gpu_underused(self) -> FindingGpuUnderused<'a> { loop {} }
            /// Does main memory keep growing?
            ///
            /// The mean of the last tenth of the values lies above `factor` times that of the second tenth, and the
            /// means of the tenths go up in at least `rising` of the nine changes between them (view
            /// `evidence_growth`). Of several series it is one that goes up so often, if there is one, and of those the
            /// one that grows most. Of machines, main memory counts as a whole; of recordings with `tracelake record`,
            /// each process, too.
            ///
            /// - parameter `factor` (double): How many times the second tenth the last one must be more than. Default: `1.1`.
            /// - parameter `rising` (double): Share of the changes that must go up at least. Default: `0.8`.
            /// - parameter `least` (bigint): Values below which nothing is said, at least 10. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn host_memory_growth(self) -> FindingHostMemoryGrowth<'a> { loop {} }
            /// Do copies to the device hold the steps up?
            ///
            /// The share of the steps in which a copy ran and no kernel (view `evidence_role`), of the rank with most,
            /// where at least half of the time in copies goes from host to device.
            ///
            /// - parameter `high` (double): Share from which it is high. Default: `0.1`.
            /// - parameter `severe` (double): Share from which it is severe. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn host_to_device_copy(self) -> FindingHostToDeviceCopy<'a> { loop {} }
            /// How much faster would an epoch be with data that costs nothing?
            ///
            /// Real over ideal time of a pair of passes, the second of which replays batches that are kept in memory.
            ///
            /// - parameter `bottleneck` (double): Speed-up above which loading is the bottleneck. Default: `1.5`.
            /// - parameter `potential` (double): Speed-up above which there is something to gain. Default: `1.1`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn ideal_speedup(self) -> FindingIdealSpeedup<'a> { loop {} }
            /// Is data there before it is asked for?
            ///
            /// A good sign, never an accusation: at least `ratio` of the waits are shorter than 50 us, because prefetch
            /// is ahead of training.
            ///
            /// - parameter `ratio` (double): Share of waits of at most 50 us from which data counts as ready. Default: `0.95`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn input_ready(self) -> FindingInputReady<'a> { loop {} }
            /// Are GPUs idle because disks or network cannot keep up?
            ///
            /// smdebug's rule IOBottleneck: in more than `limit` of the snapshots, of more than `patience`, a GPU is
            /// below 10 percent while a core waits for I/O for more than 50 percent. Snapshots are those in which both
            /// were sampled (view `evidence_machine`); `rules.io_bottleneck` counts all.
            ///
            /// - parameter `limit` (double): Share of the snapshots above which it is a bottleneck. Default: `0.5`.
            /// - parameter `patience` (bigint): Snapshots that there must be more than, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn io_bottleneck(self) -> FindingIoBottleneck<'a> { loop {} }
            /// Does the GPU idle because the host has not launched its next work yet?
            ///
            /// The GPU is not busy, waiting for data explains less than half of its idle time, and most of the idle
            /// time of its main stream passes before the next work is launched (`host_wait` of HTA's idle time
            /// breakdown). Kernels may be of any size: `small_kernels` says whether they are small.
            ///
            /// - parameter `waiting` (double): Share of the idle time above which the host is why. Default: `0.5`.
            /// - parameter `busy` (double): Utilization from which the GPU is busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn launch_bound(self) -> FindingLaunchBound<'a> { loop {} }
            /// Does the training wait for its data?
            ///
            /// The share of waiting is that of view `evidence_load`, by the best measure that the profiles allow: the
            /// sentence names it. Above `notable` it is a notice, above `high` a warning, above `bottleneck` critical;
            /// the limits themselves are not above. At stake is the waiting beyond `notable`.
            ///
            /// - parameter `bottleneck` (double): Share above which loading is the bottleneck. Default: `0.3`.
            /// - parameter `high` (double): Share above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share above which it is notable. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn load_share_high(self) -> FindingLoadShareHigh<'a> { loop {} }
            /// Is it only the start of each epoch that waits for data?
            ///
            /// All batches together lie above the limit, and without the first batch of each pass they do not: a short
            /// recording then says more about the start of the workers than about training.
            ///
            /// - parameter `bottleneck` (double): Share above which loading is the bottleneck. Default: `0.3`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn load_share_startup_only(self) -> FindingLoadShareStartupOnly<'a> { loop {} }
            /// Are there batches that took much longer than the others?
            ///
            /// Waits of at least twice the median, first batches of a pass left out of both.
            ///
            /// - parameter `ratio` (double): Share of such waits above which this is said. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn loader_outliers(self) -> FindingLoaderOutliers<'a> { loop {} }
            /// Are the workers of the loader started anew for every pass?
            ///
            /// A process makes an iterator at least as often as it passes over its data, at least twice, and that takes
            /// more than `notable` of the time: a notice, above `high` a warning (view `evidence_setup`).
            ///
            /// - parameter `high` (double): Share of the time above which it is high. Default: `0.05`.
            /// - parameter `notable` (double): Share of the time above which it is notable. Default: `0.01`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn loader_reinitialized(self) -> FindingLoaderReinitialized<'a> { loop {} }
            /// Does one rank wait longer for its data than the others?
            ///
            /// The longest mean wait for a batch of a rank, less the median over the ranks, over the mean time of a
            /// batch (view `evidence_rank`).
            ///
            /// - parameter `high` (double): Share of the time of a batch above which it is high. Default: `0.1`.
            /// - parameter `severe` (double): Share above which it is severe. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn loader_straggler(self) -> FindingLoaderStraggler<'a> { loop {} }
            /// Does the training process load its data itself, and wait for it?
            ///
            /// The loader has no worker processes, and the share of waiting (view `evidence_load`) lies above `high`.
            ///
            /// - parameter `high` (double): Share of waiting above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn no_workers(self) -> FindingNoWorkers<'a> { loop {} }
            /// Did the training run out of memory?
            ///
            /// Errors that a recording noted, of main memory and of a GPU alike, or that CUDA's allocator counted (view
            /// `evidence_incident`). An error that was caught counts as well.
            ///
            /// - parameter `limit` (bigint): Errors above which it is said, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn out_of_memory(self) -> FindingOutOfMemory<'a> { loop {} }
            /// Do batches go to the GPU from memory that is not pinned?
            ///
            /// A loader says `pin_memory` false, and a GPU is used: its utilization is above `used` (view
            /// `evidence_setup`). A copy from memory that is not pinned is slower, and the host waits for it. Whether
            /// that matters is told by the copies in a trace.
            ///
            /// - parameter `used` (double): Utilization of the GPUs above which they are used. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn pin_memory_off(self) -> FindingPinMemoryOff<'a> { loop {} }
            /// Did the profiler itself take much of the time that it recorded?
            ///
            /// The share of a recording in which the trace says that its own library worked (view `evidence_profiler`):
            /// above `notable` a notice, above `high` a warning. Durations of such a recording are longer than those of
            /// the training without it.
            ///
            /// - parameter `high` (double): Share above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share above which it is notable. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn profiler_overhead(self) -> FindingProfilerOverhead<'a> { loop {} }
            /// Do the GPUs of a run carry different loads?
            ///
            /// smdebug's rule LoadBalancing: the Jensen-Shannon distance of the histograms of the utilization of two
            /// GPUs with more than `patience` values each lies above `limit`. Of all pairs it is the one with the
            /// greatest distance (view `evidence_pair`).
            ///
            /// - parameter `limit` (double): Distance above which the loads differ; 0 is equal, 0.83 never alike. Default: `0.2`.
            /// - parameter `patience` (bigint): Values that each must have more than, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn rank_imbalance(self) -> FindingRankImbalance<'a> { loop {} }
            /// Does one rank hold the others up?
            ///
            /// The rank that came last to its collectives for longest (view `evidence_rank`): how much longer than the
            /// rank after it, over the time of its steps. Ranks that take turns accuse nobody. What it has most more of
            /// than others stands in the sentence.
            ///
            /// - parameter `high` (double): Share of the step time above which it is high. Default: `0.1`.
            /// - parameter `severe` (double): Share above which it is severe. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn rank_straggler(self) -> FindingRankStraggler<'a> { loop {} }
            /// Does it take long until the training starts?
            ///
            /// From the first sample of the machine to the first step, or to the first call for a batch where no steps
            /// were recorded (view `evidence_start`), more than `minutes`. smdebug's rule MaxInitializationTime, where
            /// it is known when the job started.
            ///
            /// - parameter `minutes` (double): Minutes that the start may take. Default: `20`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn slow_initialization(self) -> FindingSlowInitialization<'a> { loop {} }
            /// Does it take long to read one item?
            ///
            /// The mean time of an item, or of a call of `__getitem__` in a Python profile.
            ///
            /// - parameter `limit` (bigint): Ns above which an item is slow, at least 0. Default: `10000000`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn slow_sample(self) -> FindingSlowSample<'a> { loop {} }
            /// Are the kernels too small to keep the GPU busy?
            ///
            /// The mean kernel lasts at most `short`, the GPU is not busy, and waiting for data explains less than half
            /// of its idle time. What the host does meanwhile says `launch_bound`.
            ///
            /// - parameter `short` (bigint): Ns up to which the mean kernel is small. Default: `25000`.
            /// - parameter `busy` (double): Utilization from which the GPU is busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn small_kernels(self) -> FindingSmallKernels<'a> { loop {} }
            /// Did some steps last much longer than the others, and what were they busy with?
            ///
            /// smdebug's rule StepOutlier: more than `n_outliers` steps of a process that last more than 3 standard
            /// deviations above their mean, of more than `patience` steps. The sentence says what they had more of than
            /// the others, where a trace tells, and whether they come at equal distances.
            ///
            /// - parameter `n_outliers` (bigint): Outliers that there must be more than. Default: `10`.
            /// - parameter `patience` (bigint): Steps that there must be more than. Default: `100`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn step_outliers(self) -> FindingStepOutliers<'a> { loop {} }
            /// Do convolutions and products of matrices leave the tensor cores idle?
            ///
            /// A device with tensor cores, no kernel on them, and operators that could use them (view
            /// `evidence_kernel`). NVIDIA's devices only.
            ///
            /// - parameter `capability` (double): Compute capability from which a device has tensor cores. Default: `7`.
            /// - parameter `eligible` (double): Share of kernel time that could run on them above which it is said. Default: `0.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn tensor_cores_unused(self) -> FindingTensorCoresUnused<'a> { loop {} }
            /// Does the GPU idle, and nothing that was recorded says why?
            ///
            /// The GPU is not busy, and neither waiting for data nor communication, copies, small kernels nor late
            /// launches explain it, as far as they are known; what is not known is named. The limits are those of these
            /// findings.
            ///
            /// - parameter `busy` (double): Utilization from which the GPU is busy. Default: `0.8`.
            /// - parameter `waiting` (double): Share of waiting for data. Default: `0.05`.
            /// - parameter `communication` (double): Share of communication. Default: `0.1`.
            /// - parameter `copies` (double): Share of copies. Default: `0.1`.
            /// - parameter `short` (bigint): Ns up to which the mean kernel is small. Default: `25000`.
            /// - parameter `launches` (double): Share of the idle time in which the next kernel is not launched. Default: `0.5`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn unattributed(self) -> FindingUnattributed<'a> { loop {} }
            /// Are there items that take very long to read?
            ///
            /// The longest time of an item; where times of items were not kept, the incidents that the recorder wrote
            /// of slow ones.
            ///
            /// - parameter `limit` (bigint): Ns above which an item is very slow, at least 0. Default: `1000000000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn very_slow_sample(self) -> FindingVerySlowSample<'a> { loop {} }
            /// Were the first steps much longer than the others?
            ///
            /// The first step of a process against the median of its steps (view `evidence_step`): compilation,
            /// allocation and caches come with it, and a benchmark that counts it measures them. Steps that get long
            /// again later are `step_outliers`: a graph that is compiled anew.
            ///
            /// - parameter `factor` (double): Times the median from which a first step is long. Default: `2.0`.
            /// - parameter `least` (bigint): Steps that a median needs. Default: `5`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn warmup_steps(self) -> FindingWarmupSteps<'a> { loop {} }
            /// Are there too few or too many workers of the loader for the cores?
            ///
            /// smdebug's rule Dataloader: the median over the seconds of the workers alive, on the machine where it is
            /// farthest from one per core (view `evidence_cores`). Too few are a notice where the loop hardly waits,
            /// and a warning where it does.
            ///
            /// - parameter `low` (double): Workers per core below which they are too few. Default: `0.7`.
            /// - parameter `high` (double): Workers per core above which they are too many. Default: `2.0`.
            /// - parameter `seconds` (bigint): Seconds that there must be more than. Default: `10`.
            /// - parameter `waiting` (double): Share of waiting above which it matters. Default: `0.2`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn worker_count_vs_cores(self) -> FindingWorkerCountVsCores<'a> { loop {} }
            /// Did a worker of the loader die?
            ///
            /// Incidents of kind `worker_exit` that a recording noted (view `evidence_incident`): PyTorch says that a
            /// worker exited unexpectedly or was killed by a signal.
            ///
            /// - parameter `limit` (bigint): Incidents above which it is said, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn worker_exit(self) -> FindingWorkerExit<'a> { loop {} }
            /// Did the training wait for a worker until it gave up?
            ///
            /// Incidents of kind `worker_timeout` that a recording noted (view `evidence_incident`): PyTorch says
            /// `DataLoader timed out`.
            ///
            /// - parameter `limit` (bigint): Incidents above which it is said, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn worker_timeout(self) -> FindingWorkerTimeout<'a> { loop {} }
            /// Are there enough workers for this pace of training?
            ///
            /// As many workers keep up as batches are loaded while one is worked on: batch size times mean time of an
            /// item over mean compute, rounded up. It is said where the loop does wait.
            ///
            /// - parameter `notable` (double): Share of waiting above which the loop waits; what lies above is at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn workers_needed(self) -> FindingWorkersNeeded<'a> { loop {} }
            /// Do more workers no longer help?
            ///
            /// Of loops with different numbers of workers in the same run: the best rate is not that of the most
            /// workers, or the last doubling gained less than `gain`, while the loop waits.
            ///
            /// - parameter `gain` (double): Share that the last doubling must gain. Default: `0.1`.
            /// - parameter `high` (double): Share of waiting above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Share of waiting that is not at stake. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why it is fine, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was judged; null for no_data
            /// - column `threshold` (double, mixed): the limit it was compared with; null where there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): steps, batches or samples that the value rests on; null where they do not count
            /// - column `potential_saving` (bigint, ns): time that a remedy can save at most; null when unknown
            /// - column `cause` (text, text): why it is so
            /// - column `recommendation` (text, text): what to do about it
            /// - column `evidence` (text, name): canned queries whose rows are the evidence, divided by commas
            pub fn workers_saturated(self) -> FindingWorkersSaturated<'a> { loop {} }
        }

        /// A call of `finding.accelerator_utilization_low`.
        #[derive(Debug, Clone)]
        pub struct FindingAcceleratorUtilizationLow<'a>(Call<'a>);
        impl<'a> FindingAcceleratorUtilizationLow<'a> {
            /// Share of computing below which it is low; MLPerf Storage asks for 0.7 of some models. Default: `0.9`.
            pub fn target(self, target: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.balanced`.
        #[derive(Debug, Clone)]
        pub struct FindingBalanced<'a>(Call<'a>);
        impl<'a> FindingBalanced<'a> {
            /// Utilization above which the GPU is busy. Default: `0.8`.
            pub fn target(self, target: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.batch_time_unsteady`.
        #[derive(Debug, Clone)]
        pub struct FindingBatchTimeUnsteady<'a>(Call<'a>);
        impl<'a> FindingBatchTimeUnsteady<'a> {
            /// How many times the median the 95th percentile must exceed. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.batch_too_small`.
        #[derive(Debug, Clone)]
        pub struct FindingBatchTooSmall<'a>(Call<'a>);
        impl<'a> FindingBatchTooSmall<'a> {
            /// 95th percentile below which all three have room. Default: `0.7`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Values that there must be more than of each, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.between_batches_slow`.
        #[derive(Debug, Clone)]
        pub struct FindingBetweenBatchesSlow<'a>(Call<'a>);
        impl<'a> FindingBetweenBatchesSlow<'a> {
            /// Share of the loop above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is notable. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.checkpoint_stalls`.
        #[derive(Debug, Clone)]
        pub struct FindingCheckpointStalls<'a>(Call<'a>);
        impl<'a> FindingCheckpointStalls<'a> {
            /// Share above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is notable. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.communication_exposed`.
        #[derive(Debug, Clone)]
        pub struct FindingCommunicationExposed<'a>(Call<'a>);
        impl<'a> FindingCommunicationExposed<'a> {
            /// Part not hidden above which it is high. Default: `0.5`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of the step from which it matters. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.communication_high`.
        #[derive(Debug, Clone)]
        pub struct FindingCommunicationHigh<'a>(Call<'a>);
        impl<'a> FindingCommunicationHigh<'a> {
            /// Share above which it is high. Default: `0.1`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is severe. Default: `0.2`.
            pub fn severe(self, severe: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.cpu_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct FindingCpuBottleneck<'a>(Call<'a>);
        impl<'a> FindingCpuBottleneck<'a> {
            /// Share of the snapshots above which it is a bottleneck. Default: `0.5`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Snapshots that there must be more than, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.evaluation_share`.
        #[derive(Debug, Clone)]
        pub struct FindingEvaluationShare<'a>(Call<'a>);
        impl<'a> FindingEvaluationShare<'a> {
            /// Share above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.evidence_damaged`.
        #[derive(Debug, Clone)]
        pub struct FindingEvidenceDamaged<'a>(Call<'a>);
        impl<'a> FindingEvidenceDamaged<'a> {
            /// Damaged entries and files above which it is said, at least 0. Default: `0`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.first_batch_slow`.
        #[derive(Debug, Clone)]
        pub struct FindingFirstBatchSlow<'a>(Call<'a>);
        impl<'a> FindingFirstBatchSlow<'a> {
            /// How many times the median of the others the first wait must exceed. Default: `10.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_between`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuBetween<'a>(Call<'a>);
        impl<'a> FindingGpuBetween<'a> {
            /// Utilization below which a GPU idles. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Utilization above which it is busy. Default: `0.8`.
            pub fn target(self, target: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_fluctuating`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuFluctuating<'a>(Call<'a>);
        impl<'a> FindingGpuFluctuating<'a> {
            /// 5th percentile of the utilization below which a GPU that is busy at other times fluctuates. Default: `0.1`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// 95th percentile above which it is busy at other times. Default: `0.7`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Values that there must be more than, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_low_not_loader`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuLowNotLoader<'a>(Call<'a>);
        impl<'a> FindingGpuLowNotLoader<'a> {
            /// Utilization below which a GPU idles. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Share of waiting up to which loading is not why. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_memory_growth`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuMemoryGrowth<'a>(Call<'a>);
        impl<'a> FindingGpuMemoryGrowth<'a> {
            /// Percentage points of the memory of the device. Default: `5`.
            pub fn points(self, points: f64) -> Self { loop {} }
            /// How many times the second tenth the last one must be more than. Default: `1.1`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Share of the changes between tenths that must go up at least. Default: `0.8`.
            pub fn rising(self, rising: f64) -> Self { loop {} }
            /// Values below which nothing is said, at least 10. Default: `50`.
            pub fn least(self, least: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_memory_peak`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuMemoryPeak<'a>(Call<'a>);
        impl<'a> FindingGpuMemoryPeak<'a> {
            /// Share above which it is a warning. Default: `0.97`.
            pub fn full(self, full: f64) -> Self { loop {} }
            /// Share above which it is said. Default: `0.9`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_starved_by_loader`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuStarvedByLoader<'a>(Call<'a>);
        impl<'a> FindingGpuStarvedByLoader<'a> {
            /// Utilization below which a GPU idles. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Share of waiting above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.gpu_underused`.
        #[derive(Debug, Clone)]
        pub struct FindingGpuUnderused<'a>(Call<'a>);
        impl<'a> FindingGpuUnderused<'a> {
            /// 95th percentile of the utilization below which a GPU is underused. Default: `0.7`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Values that there must be more than, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.host_memory_growth`.
        #[derive(Debug, Clone)]
        pub struct FindingHostMemoryGrowth<'a>(Call<'a>);
        impl<'a> FindingHostMemoryGrowth<'a> {
            /// How many times the second tenth the last one must be more than. Default: `1.1`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Share of the changes that must go up at least. Default: `0.8`.
            pub fn rising(self, rising: f64) -> Self { loop {} }
            /// Values below which nothing is said, at least 10. Default: `50`.
            pub fn least(self, least: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.host_to_device_copy`.
        #[derive(Debug, Clone)]
        pub struct FindingHostToDeviceCopy<'a>(Call<'a>);
        impl<'a> FindingHostToDeviceCopy<'a> {
            /// Share from which it is high. Default: `0.1`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share from which it is severe. Default: `0.2`.
            pub fn severe(self, severe: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.ideal_speedup`.
        #[derive(Debug, Clone)]
        pub struct FindingIdealSpeedup<'a>(Call<'a>);
        impl<'a> FindingIdealSpeedup<'a> {
            /// Speed-up above which loading is the bottleneck. Default: `1.5`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Speed-up above which there is something to gain. Default: `1.1`.
            pub fn potential(self, potential: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.input_ready`.
        #[derive(Debug, Clone)]
        pub struct FindingInputReady<'a>(Call<'a>);
        impl<'a> FindingInputReady<'a> {
            /// Share of waits of at most 50 us from which data counts as ready. Default: `0.95`.
            pub fn ratio(self, ratio: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.io_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct FindingIoBottleneck<'a>(Call<'a>);
        impl<'a> FindingIoBottleneck<'a> {
            /// Share of the snapshots above which it is a bottleneck. Default: `0.5`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Snapshots that there must be more than, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.launch_bound`.
        #[derive(Debug, Clone)]
        pub struct FindingLaunchBound<'a>(Call<'a>);
        impl<'a> FindingLaunchBound<'a> {
            /// Share of the idle time above which the host is why. Default: `0.5`.
            pub fn waiting(self, waiting: f64) -> Self { loop {} }
            /// Utilization from which the GPU is busy. Default: `0.8`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.load_share_high`.
        #[derive(Debug, Clone)]
        pub struct FindingLoadShareHigh<'a>(Call<'a>);
        impl<'a> FindingLoadShareHigh<'a> {
            /// Share above which loading is the bottleneck. Default: `0.3`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Share above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is notable. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.load_share_startup_only`.
        #[derive(Debug, Clone)]
        pub struct FindingLoadShareStartupOnly<'a>(Call<'a>);
        impl<'a> FindingLoadShareStartupOnly<'a> {
            /// Share above which loading is the bottleneck. Default: `0.3`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.loader_outliers`.
        #[derive(Debug, Clone)]
        pub struct FindingLoaderOutliers<'a>(Call<'a>);
        impl<'a> FindingLoaderOutliers<'a> {
            /// Share of such waits above which this is said. Default: `0.05`.
            pub fn ratio(self, ratio: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.loader_reinitialized`.
        #[derive(Debug, Clone)]
        pub struct FindingLoaderReinitialized<'a>(Call<'a>);
        impl<'a> FindingLoaderReinitialized<'a> {
            /// Share of the time above which it is high. Default: `0.05`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of the time above which it is notable. Default: `0.01`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.loader_straggler`.
        #[derive(Debug, Clone)]
        pub struct FindingLoaderStraggler<'a>(Call<'a>);
        impl<'a> FindingLoaderStraggler<'a> {
            /// Share of the time of a batch above which it is high. Default: `0.1`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is severe. Default: `0.2`.
            pub fn severe(self, severe: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.no_workers`.
        #[derive(Debug, Clone)]
        pub struct FindingNoWorkers<'a>(Call<'a>);
        impl<'a> FindingNoWorkers<'a> {
            /// Share of waiting above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.out_of_memory`.
        #[derive(Debug, Clone)]
        pub struct FindingOutOfMemory<'a>(Call<'a>);
        impl<'a> FindingOutOfMemory<'a> {
            /// Errors above which it is said, at least 0. Default: `0`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.pin_memory_off`.
        #[derive(Debug, Clone)]
        pub struct FindingPinMemoryOff<'a>(Call<'a>);
        impl<'a> FindingPinMemoryOff<'a> {
            /// Utilization of the GPUs above which they are used. Default: `0`.
            pub fn used(self, used: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.profiler_overhead`.
        #[derive(Debug, Clone)]
        pub struct FindingProfilerOverhead<'a>(Call<'a>);
        impl<'a> FindingProfilerOverhead<'a> {
            /// Share above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is notable. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.rank_imbalance`.
        #[derive(Debug, Clone)]
        pub struct FindingRankImbalance<'a>(Call<'a>);
        impl<'a> FindingRankImbalance<'a> {
            /// Distance above which the loads differ; 0 is equal, 0.83 never alike. Default: `0.2`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Values that each must have more than, at least 0. Default: `1000`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.rank_straggler`.
        #[derive(Debug, Clone)]
        pub struct FindingRankStraggler<'a>(Call<'a>);
        impl<'a> FindingRankStraggler<'a> {
            /// Share of the step time above which it is high. Default: `0.1`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is severe. Default: `0.2`.
            pub fn severe(self, severe: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.slow_initialization`.
        #[derive(Debug, Clone)]
        pub struct FindingSlowInitialization<'a>(Call<'a>);
        impl<'a> FindingSlowInitialization<'a> {
            /// Minutes that the start may take. Default: `20`.
            pub fn minutes(self, minutes: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.slow_sample`.
        #[derive(Debug, Clone)]
        pub struct FindingSlowSample<'a>(Call<'a>);
        impl<'a> FindingSlowSample<'a> {
            /// Ns above which an item is slow, at least 0. Default: `10000000`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.small_kernels`.
        #[derive(Debug, Clone)]
        pub struct FindingSmallKernels<'a>(Call<'a>);
        impl<'a> FindingSmallKernels<'a> {
            /// Ns up to which the mean kernel is small. Default: `25000`.
            pub fn short(self, short: i64) -> Self { loop {} }
            /// Utilization from which the GPU is busy. Default: `0.8`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.step_outliers`.
        #[derive(Debug, Clone)]
        pub struct FindingStepOutliers<'a>(Call<'a>);
        impl<'a> FindingStepOutliers<'a> {
            /// Outliers that there must be more than. Default: `10`.
            pub fn n_outliers(self, n_outliers: i64) -> Self { loop {} }
            /// Steps that there must be more than. Default: `100`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.tensor_cores_unused`.
        #[derive(Debug, Clone)]
        pub struct FindingTensorCoresUnused<'a>(Call<'a>);
        impl<'a> FindingTensorCoresUnused<'a> {
            /// Compute capability from which a device has tensor cores. Default: `7`.
            pub fn capability(self, capability: f64) -> Self { loop {} }
            /// Share of kernel time that could run on them above which it is said. Default: `0.0`.
            pub fn eligible(self, eligible: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.unattributed`.
        #[derive(Debug, Clone)]
        pub struct FindingUnattributed<'a>(Call<'a>);
        impl<'a> FindingUnattributed<'a> {
            /// Utilization from which the GPU is busy. Default: `0.8`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Share of waiting for data. Default: `0.05`.
            pub fn waiting(self, waiting: f64) -> Self { loop {} }
            /// Share of communication. Default: `0.1`.
            pub fn communication(self, communication: f64) -> Self { loop {} }
            /// Share of copies. Default: `0.1`.
            pub fn copies(self, copies: f64) -> Self { loop {} }
            /// Ns up to which the mean kernel is small. Default: `25000`.
            pub fn short(self, short: i64) -> Self { loop {} }
            /// Share of the idle time in which the next kernel is not launched. Default: `0.5`.
            pub fn launches(self, launches: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.very_slow_sample`.
        #[derive(Debug, Clone)]
        pub struct FindingVerySlowSample<'a>(Call<'a>);
        impl<'a> FindingVerySlowSample<'a> {
            /// Ns above which an item is very slow, at least 0. Default: `1000000000`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.warmup_steps`.
        #[derive(Debug, Clone)]
        pub struct FindingWarmupSteps<'a>(Call<'a>);
        impl<'a> FindingWarmupSteps<'a> {
            /// Times the median from which a first step is long. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Steps that a median needs. Default: `5`.
            pub fn least(self, least: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.worker_count_vs_cores`.
        #[derive(Debug, Clone)]
        pub struct FindingWorkerCountVsCores<'a>(Call<'a>);
        impl<'a> FindingWorkerCountVsCores<'a> {
            /// Workers per core below which they are too few. Default: `0.7`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Workers per core above which they are too many. Default: `2.0`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Seconds that there must be more than. Default: `10`.
            pub fn seconds(self, seconds: i64) -> Self { loop {} }
            /// Share of waiting above which it matters. Default: `0.2`.
            pub fn waiting(self, waiting: f64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.worker_exit`.
        #[derive(Debug, Clone)]
        pub struct FindingWorkerExit<'a>(Call<'a>);
        impl<'a> FindingWorkerExit<'a> {
            /// Incidents above which it is said, at least 0. Default: `0`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.worker_timeout`.
        #[derive(Debug, Clone)]
        pub struct FindingWorkerTimeout<'a>(Call<'a>);
        impl<'a> FindingWorkerTimeout<'a> {
            /// Incidents above which it is said, at least 0. Default: `0`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.workers_needed`.
        #[derive(Debug, Clone)]
        pub struct FindingWorkersNeeded<'a>(Call<'a>);
        impl<'a> FindingWorkersNeeded<'a> {
            /// Share of waiting above which the loop waits; what lies above is at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.workers_saturated`.
        #[derive(Debug, Clone)]
        pub struct FindingWorkersSaturated<'a>(Call<'a>);
        impl<'a> FindingWorkersSaturated<'a> {
            /// Share that the last doubling must gain. Default: `0.1`.
            pub fn gain(self, gain: f64) -> Self { loop {} }
            /// Share of waiting above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of waiting that is not at stake. Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `fleet`.
        #[derive(Debug, Clone, Copy)]
        pub struct FleetQueries<'a>(&'a Session);
        impl<'a> FleetQueries<'a> {
            /// Since which run has a key figure been another one?
            ///
            /// One row per change of level: `run` is the first one behind it, `previous` the last one before it. The
            /// runs of a series are cut where their ranks before and after differ most, if chance makes such a
            /// difference in at most `max_p` of 1000 shuffles of the same runs; then both sides are searched again
            /// (window function `change_point`). So one slow run alone is no change, and no distribution is assumed,
            /// but that runs do not depend on each other: a figure that drifts is cut more than once. A change is seen
            /// once `least_runs` runs have come behind it; with the defaults, ten before and five behind are enough
            /// where they do not overlap.
            ///
            /// `before` and `after` are the medians on both sides, from the change before to the one behind.
            /// `confidence` is high where no shuffle came near and both sides have ten runs or more, else medium.
            /// `worse` says whether the change is to the worse.
            ///
            /// A filter on `run` chooses what is shown; the changes are those over all runs.
            ///
            /// - parameter `figure` (text): Which figure: see view `run_figure`. Default: `'step_p50'`.
            /// - parameter `position` (text): Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            /// - parameter `series` (text): Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            /// - parameter `max_p` (double): How often chance may make such a change; at least 0.001. Default: `0.01`.
            /// - parameter `least_runs` (bigint): Runs on each side of a change, at least 1. Default: `5`.
            /// - parameter `least_change` (double): Changes of the median by less are not shown. Default: `0.01`.
            /// - column `run` (text, id): first run behind the change
            /// - column `series` (text, name): value of the attribute that divides the runs; null without one
            /// - column `place` (bigint, id): place of the run in its series, from 1
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `position` (text, name): value of the attribute that orders the runs; null without one
            /// - column `previous` (text, id): last run before the change
            /// - column `figure` (text, name): the figure
            /// - column `before` (double, mixed): median of the runs before
            /// - column `after` (double, mixed): median of the runs behind
            /// - column `change` (double, factor): `after` over `before`, less 1
            /// - column `worse` (boolean, flag): whether that is to the worse; null where neither direction is
            /// - column `runs_before` (bigint, count): runs before, up to the change before
            /// - column `runs_after` (bigint, count): runs behind, up to the next change
            /// - column `p` (double, ratio): how often chance makes such a change, in thousandths
            /// - column `confidence` (text, name): high or medium
            pub fn regressions(self) -> FleetRegressions<'a> { loop {} }
            /// Which runs are there, and how did each do?
            ///
            /// One row per run, from table `run` alone: no rows of a profile are read, so that thousands of runs answer
            /// at once. The key figures are those of `job.key_figures` at the last ingest. `idle_ratio` and the parts
            /// of it are shares of the GPU-seconds, and upper bounds of what can be gained.
            ///
            /// - parameter `attribute` (text): Attribute whose value stands in column `value`, such as commit or model. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `framework` (text, name): framework that wrote the profile
            /// - column `verdict` (text, name): what the key figures say the run was bound by; `job.verdict` looks closer
            /// - column `steps` (bigint, count): steps over all modes
            /// - column `step_p50` (double, ns): median step of the main mode
            /// - column `step_p95` (double, ns): 95th percentile of that
            /// - column `loader_ratio` (double, ratio): waiting for data over waiting and stepping
            /// - column `gpu_percent` (double, percent): mean GPU utilization
            /// - column `ranks` (bigint, count): ranks seen; null when none is known
            /// - column `gpus` (bigint, count): devices that worked or were measured
            /// - column `recorded_s` (double, s): time that recordings cover
            /// - column `gpu_s` (double, s): the same summed over the devices, in GPU-seconds
            /// - column `idle_ratio` (double, ratio): share of the GPU-seconds without computing and copying
            /// - column `idle_loader_ratio` (double, ratio): share in which the process waited for data; at most
            /// - column `idle_communication_ratio` (double, ratio): share in communication alone
            /// - column `idle_other_ratio` (double, ratio): share of all else
            /// - column `value` (text, text): value of the attribute that was asked for
            /// - column `attributes` (text, json): tags, and what the profile says of the whole run
            pub fn runs(self) -> FleetRuns<'a> { loop {} }
            /// How did a key figure go from run to run?
            ///
            /// One row per run whose figure is known (view `run_figure` has the names of the figures), in the order in
            /// which the runs started or in that of an attribute. `median` is that of the `window` runs before it in
            /// its series, and `change` how far the run is from that: 0.05 is 5 % more. Null for the first run of a
            /// series. `fleet.regressions` says which changes are more than noise.
            ///
            /// A filter on `run` chooses what is shown; the medians are those of all runs.
            ///
            /// - parameter `figure` (text): Which figure. Default: `'step_p50'`.
            /// - parameter `position` (text): Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            /// - parameter `series` (text): Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            /// - parameter `window` (bigint): Runs of the rolling median, at least 1. Default: `20`.
            /// - column `run` (text, id): name of the run
            /// - column `series` (text, name): value of the attribute that divides them; null without one
            /// - column `place` (bigint, id): place of the run in its series, from 1
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `position` (text, name): value of the attribute that orders them; null without one
            /// - column `figure` (text, name): the figure
            /// - column `value` (double, mixed): its value, in the unit that it has in table `run`
            /// - column `median` (double, mixed): median of the runs before it
            /// - column `change` (double, factor): `value` over `median`, less 1
            pub fn trend(self) -> FleetTrend<'a> { loop {} }
            /// How much time of devices was idle, and why?
            ///
            /// One row per run and cause. `communication`: only collectives ran; `loader`: the device had nothing to do
            /// while its process waited for a batch; `other`: all else, such as a host that launches too little;
            /// `unknown`: idle by samples of its utilization, which do not say why. The causes of a run add up to all
            /// of its idle time. Each is an upper bound: a device may be idle for two reasons at once, and what is
            /// gained at one place may be waited for at the next.
            ///
            /// Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs
            /// whose devices are known, the same in all rows of a cause; a filter on `run` does not change them.
            ///
            /// Left out: causes without any time, and runs without kernels and without samples of GPU utilization.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `cause` (text, name): communication, loader, other or unknown
            /// - column `idle_s` (double, s): idle GPU-seconds of this cause; at most
            /// - column `gpu_s` (double, s): GPU-seconds of the run in all
            /// - column `ratio` (double, ratio): `idle_s` over `gpu_s`
            /// - column `fleet_s` (double, s): idle GPU-seconds of this cause over all runs
            /// - column `fleet_ratio` (double, ratio): that over the GPU-seconds of all runs
            pub fn waste(self) -> Call<'a> { loop {} }
        }

        /// A call of `fleet.regressions`.
        #[derive(Debug, Clone)]
        pub struct FleetRegressions<'a>(Call<'a>);
        impl<'a> FleetRegressions<'a> {
            /// Which figure: see view `run_figure`. Default: `'step_p50'`.
            pub fn figure(self, figure: &str) -> Self { loop {} }
            /// Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            pub fn position(self, position: &str) -> Self { loop {} }
            /// Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            pub fn series(self, series: &str) -> Self { loop {} }
            /// How often chance may make such a change; at least 0.001. Default: `0.01`.
            pub fn max_p(self, max_p: f64) -> Self { loop {} }
            /// Runs on each side of a change, at least 1. Default: `5`.
            pub fn least_runs(self, least_runs: i64) -> Self { loop {} }
            /// Changes of the median by less are not shown. Default: `0.01`.
            pub fn least_change(self, least_change: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `fleet.runs`.
        #[derive(Debug, Clone)]
        pub struct FleetRuns<'a>(Call<'a>);
        impl<'a> FleetRuns<'a> {
            /// Attribute whose value stands in column `value`, such as commit or model. Default: `null`.
            pub fn attribute(self, attribute: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `fleet.trend`.
        #[derive(Debug, Clone)]
        pub struct FleetTrend<'a>(Call<'a>);
        impl<'a> FleetTrend<'a> {
            /// Which figure. Default: `'step_p50'`.
            pub fn figure(self, figure: &str) -> Self { loop {} }
            /// Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            pub fn position(self, position: &str) -> Self { loop {} }
            /// Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            pub fn series(self, series: &str) -> Self { loop {} }
            /// Runs of the rolling median, at least 1. Default: `20`.
            pub fn window(self, window: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `function`.
        #[derive(Debug, Clone, Copy)]
        pub struct FunctionQueries<'a>(&'a Session);
        impl<'a> FunctionQueries<'a> {
            /// Which Python functions took most time in each phase of the job?
            ///
            /// One row per phase, function and process. Phases are `initialization`, up to the first step,
            /// `training_loop` and `finalization`, behind the last step; with `modes` each pair of modes in which
            /// profiles begin and end stands by itself. All profiles of a process are added up, as `pstats.Stats.add`
            /// does: those of cProfile and those of pyinstrument by themselves. Profiles that do not say what they
            /// cover are left out.
            ///
            /// The phases are those of `fetch_profile_stats_by_job_phase` and, with `modes`,
            /// `fetch_profile_stats_by_training_phase` of smdebug, which keeps only the last pair of modes for
            /// `initialization` and `finalization`.
            ///
            /// - parameter `by` (text): What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown of each phase, at least 1. Default: `20`.
            /// - parameter `modes` (boolean): Whether each pair of modes has rows of its own. Default: `false`.
            /// - column `run` (text, id): run the functions belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): cprofile or pyinstrument
            /// - column `job_phase` (text, name): initialization, training_loop or finalization
            /// - column `start_mode` (text, name): mode in which the profiles begin; null without `modes`
            /// - column `end_mode` (text, name): mode in which the profiles end; null without `modes`
            /// - column `place` (bigint, count): place among the functions of the phase, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in it
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in the function itself
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the phase
            pub fn by_phase(self) -> FunctionByPhase<'a> { loop {} }
            /// Which Python functions took most time in a window of time or a range of steps?
            ///
            /// One row per function and process, from the profiles that overlap the window, whole: a profile is a sum
            /// and cannot be cut. Windows and profiles that only touch do not overlap. A range of steps, both included,
            /// has the profiles that cover a part of one of them or lie between two of them. All profiles of a process
            /// are added up, as `pstats.Stats.add` does: those of cProfile and those of pyinstrument by themselves.
            /// Profiles that do not say what they cover are left out.
            ///
            /// `fetch_profile_stats_by_time` of smdebug leaves out a profile that contains the window.
            ///
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first profile. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last profile. Default: `null`.
            /// - parameter `first_step` (bigint): First step; null for all before `last_step`, too. Default: `null`.
            /// - parameter `last_step` (bigint): Last step; null for all from `first_step` on. Default: `null`.
            /// - parameter `mode` (text): Only profiles that begin and end in this mode: train, eval, predict or global. Default: `null`.
            /// - parameter `by` (text): What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown of each process, at least 1. Default: `20`.
            /// - column `run` (text, id): run the functions belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): cprofile or pyinstrument
            /// - column `place` (bigint, count): place among the functions of the window, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in it
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in the function itself
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the window
            pub fn by_window(self) -> FunctionByWindow<'a> { loop {} }
            /// Who called which Python function, and how long did it take?
            ///
            /// One row per function, caller and process; a function that nobody called has one with a null caller. All
            /// profiles of a process are added up, as `pstats.Stats.add` does: those of cProfile and those of
            /// pyinstrument by themselves. Reports of Lightning do not say who called, and are left out: its dumps do.
            /// Times are those of the called function while it was called from there, and `ratio` is their share in its
            /// cumulative time.
            ///
            /// - parameter `function` (text): Part of `file:line(function)` of the called function; null for all. Default: `null`.
            /// - parameter `limit` (bigint): Rows shown of each process, those with most time; null for all. Default: `null`.
            /// - column `run` (text, id): run the functions belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): cprofile or pyinstrument
            /// - column `function` (text, name): called function, as file:line(function)
            /// - column `function_own_s` (double, s): time in it, from all callers
            /// - column `function_cumulative_s` (double, s): time in it and all it called, from all callers
            /// - column `caller` (text, name): calling function; null if there is none
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in the function itself, when called from there
            /// - column `cumulative_s` (double, s): time in it and all it called, when called from there
            /// - column `ratio` (double, ratio): `cumulative_s` over that from all callers
            pub fn callers(self) -> FunctionCallers<'a> { loop {} }
            /// Which modules of the model took how much time, on the host and on the device?
            ///
            /// One row per chain of modules on a process rank, from the traces that record them (`with_modules=True`
            /// and `with_stack=True` of the PyTorch profiler). `id` stands for the chain of names and is the same in
            /// every run. `host_self` leaves out what ran inside: other modules, operators, calls into the runtime.
            /// `device_self` is the device work launched inside this module and no other, `device_total` that of the
            /// modules inside as well; what ran side by side on a device counts for each.
            ///
            /// The backward pass runs on another thread, which no module encloses: its time is in `operator.call_tree`.
            ///
            /// - column `run` (text, id): run the modules belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `id` (bigint, id): stands for the modules from the outermost to this one
            /// - column `parent` (bigint, id): `id` of the enclosing module; null for the outermost
            /// - column `depth` (bigint, count): enclosing modules
            /// - column `module` (text, name): class and number of the module
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which nothing ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work launched in it, outside of modules inside
            pub fn modules(self) -> Call<'a> { loop {} }
            /// Which Python profiles are there, and what do they cover?
            ///
            /// One row per file of cProfile or pyinstrument, as `list_profile_stats` of smdebug, and per action in a
            /// report of Lightning's AdvancedProfiler. Profiles of SageMaker Debugger reach from a phase of a step to
            /// another one, and their folder says so; dumps and reports of Lightning say stage and action. Of other
            /// profiles this is not known.
            ///
            /// An action of Lightning has no functions of the actions within it: while these run, it is not profiled.
            ///
            /// - column `run` (text, id): run the profile belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): cprofile, pyinstrument or lightning_advanced
            /// - column `profile` (text, id): profile within the run: path of its file
            /// - column `job_phase` (text, name): initialization, training_loop or finalization
            /// - column `start_mode` (text, name): train, eval, predict, global or, before the first step, prestepzero
            /// - column `start_step` (bigint, id): step in which it begins; null before the first
            /// - column `start_phase` (text, name): start, stepstart, forwardpassend or stepend
            /// - column `end_mode` (text, name): train, eval, predict, global or, behind the last step, posthookclose
            /// - column `end_step` (bigint, id): step in which it ends; null behind the last
            /// - column `end_phase` (text, name): stepstart, forwardpassend, stepend or end
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `functions` (bigint, count): functions in it
            /// - column `own_s` (double, s): time in them
            /// - column `stage` (text, name): stage of Lightning: fit, validate, test or predict; else null
            /// - column `action` (text, name): action of Lightning; else null
            /// - column `report` (bigint, id): report within the file, from 0; null where a file is one profile
            pub fn profiles(self) -> Call<'a> { loop {} }
            /// Which Python functions took how much time, and how much device work did they launch?
            ///
            /// One row per function and process rank, from the traces that record every call (`with_stack=True` of the
            /// PyTorch profiler). `host_total` is the time in calls, thread by thread; recursion counts once.
            /// `host_self` leaves out the Python functions called inside, not the operators. Modules stand here as
            /// functions named `nn.Module: ...`; `function.modules` has their tree. A function of the interpreter
            /// (`<built-in method ...>`) has no file.
            ///
            /// Device work counts for the functions that enclose the call which launched it on the same thread; traces
            /// of PyTorch 2.3 to 2.7 put functions on a thread of their own, where it is 0.
            ///
            /// - column `run` (text, id): run the functions belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `function` (text, name): name of the function
            /// - column `file` (text, name): file it stands in; null for built-in functions and modules
            /// - column `line` (bigint, id): line in that file
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which no other Python function ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work launched in it, outside of functions called inside
            pub fn python_trace(self) -> Call<'a> { loop {} }
            /// Which Python functions took most time, or were called most often?
            ///
            /// One row per function and process. All profiles of a process are added up, as `pstats.Stats.add` does:
            /// those of cProfile, those of pyinstrument and those in reports of Lightning by themselves. Reports of
            /// Lightning know files without their folders, and may list the first functions of each action only.
            /// `cumulative_s` counts recursion once; it holds the time of called functions, so that its sum means
            /// nothing. `function.python_trace` answers the same of traces that record every call.
            ///
            /// - parameter `by` (text): What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown of each process, at least 1. Default: `20`.
            /// - column `run` (text, id): run the functions belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): cprofile, pyinstrument or lightning_advanced
            /// - column `place` (bigint, count): place among the functions of the process, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in it
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in the function itself
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the process
            pub fn top(self) -> FunctionTop<'a> { loop {} }
        }

        /// A call of `function.by_phase`.
        #[derive(Debug, Clone)]
        pub struct FunctionByPhase<'a>(Call<'a>);
        impl<'a> FunctionByPhase<'a> {
            /// What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown of each phase, at least 1. Default: `20`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Whether each pair of modes has rows of its own. Default: `false`.
            pub fn modes(self, modes: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `function.by_window`.
        #[derive(Debug, Clone)]
        pub struct FunctionByWindow<'a>(Call<'a>);
        impl<'a> FunctionByWindow<'a> {
            /// Begin of the window, in ns since the Unix epoch; null for the first profile. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last profile. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// First step; null for all before `last_step`, too. Default: `null`.
            pub fn first_step(self, first_step: i64) -> Self { loop {} }
            /// Last step; null for all from `first_step` on. Default: `null`.
            pub fn last_step(self, last_step: i64) -> Self { loop {} }
            /// Only profiles that begin and end in this mode: train, eval, predict or global. Default: `null`.
            pub fn mode(self, mode: &str) -> Self { loop {} }
            /// What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown of each process, at least 1. Default: `20`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `function.callers`.
        #[derive(Debug, Clone)]
        pub struct FunctionCallers<'a>(Call<'a>);
        impl<'a> FunctionCallers<'a> {
            /// Part of `file:line(function)` of the called function; null for all. Default: `null`.
            pub fn function(self, function: &str) -> Self { loop {} }
            /// Rows shown of each process, those with most time; null for all. Default: `null`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `function.top`.
        #[derive(Debug, Clone)]
        pub struct FunctionTop<'a>(Call<'a>);
        impl<'a> FunctionTop<'a> {
            /// What they are ordered by: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown of each process, at least 1. Default: `20`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `incident`.
        #[derive(Debug, Clone, Copy)]
        pub struct IncidentQueries<'a>(&'a Session);
        impl<'a> IncidentQueries<'a> {
            /// What went wrong in the job, how often, and where first?
            ///
            /// One row per kind of incident of a run: slow_item, exception, out_of_memory, worker_timeout, worker_exit,
            /// program_exit.
            ///
            /// - column `run` (text, id): run the incidents belong to
            /// - column `kind` (text, name): what happened
            /// - column `incidents` (bigint, count): how often
            /// - column `ranks` (bigint, count): ranks that it happened on
            /// - column `workers` (bigint, count): workers that it happened in
            /// - column `items` (bigint, count): different items that it is about
            /// - column `ts` (bigint, time): when it happened first
            /// - column `last_ts` (bigint, time): when it happened last
            /// - column `rank` (bigint, id): rank of the first; null when unknown
            /// - column `worker` (bigint, id): worker of the first; null when it was none, or unknown
            /// - column `item` (bigint, id): item of the first; null when it is about none, or unknown
            /// - column `message` (text, text): what was said the first time
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `job`.
        #[derive(Debug, Clone, Copy)]
        pub struct JobQueries<'a>(&'a Session);
        impl<'a> JobQueries<'a> {
            /// What is said about each run as a whole?
            ///
            /// One row per run and key of table `run_attribute`: tags of the user, settings and versions that a profile
            /// names. `value` is the one that all processes and files of the run agree on, and null where they differ;
            /// `n` says how many there are. What the user says holds against what a profile says. Table `run` keeps the
            /// short ones as JSON in column `attributes`.
            ///
            /// - column `run` (text, id): run that it is said about
            /// - column `key` (text, name): name of the attribute
            /// - column `value` (text, text): its value; null where there are several
            /// - column `n` (bigint, count): different values
            pub fn attributes(self) -> Call<'a> { loop {} }
            /// Which way does each run take through the decision tree of PyTorch's tutorial?
            ///
            /// One row per run and line of the tree: is GPU utilization low and, if so, loading time high? Do workers
            /// time out? Does memory grow? `holds` are the questions that can be answered and the answers that follow,
            /// from the first question to what to do; `not` are the other answers. Where something was not recorded,
            /// the question and what depends on it are `unknown`, and `seen` says what would have to be recorded.
            ///
            /// The tree gives no numbers; those are of the tutorial's other tables. Utilization (view `evidence_gpu`)
            /// is low below `low` and fine above `high`, and what lies between is `unknown`: the tutorial says nothing
            /// of it. Loading time (view `evidence_load`) is high above a share of `load`; then more workers are its
            /// advice even where no utilization was measured. The other two questions are findings `worker_timeout` and
            /// `host_memory_growth`, with their limits. What rests on less than two measurements is unknown.
            ///
            /// - parameter `load` (double): Share of waiting above which loading time is high. Default: `0.3`.
            /// - parameter `low` (double): Utilization below which it is low. Default: `0.5`.
            /// - parameter `high` (double): Utilization above which it is what is aimed at. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `line` (bigint, id): line of the tree, from 1
            /// - column `depth` (bigint, count): answers that lead to it
            /// - column `text` (text, text): the question, or an answer and what to do then
            /// - column `mark` (text, name): holds, not or unknown
            /// - column `seen` (text, text): what a question was answered by, or what is missing and how to record it; null of answers that ask nothing more
            /// - column `value` (double, mixed): the quantity that a question was answered by; null of answers, and when unknown
            /// - column `threshold` (double, mixed): the limit that it was held against; null of answers
            /// - column `drawn` (text, text): the line as it is shown: `>` holds, `?` unknown, indented by depth
            pub fn decision_tree(self) -> JobDecisionTree<'a> { loop {} }
            /// What is there to say about a run in one line?
            ///
            /// The key figures that table `run` keeps, computed anew. The main mode is `train` if the run has steps of
            /// it, else the mode that most time went into. The durations are those of `step.duration`; of a run that
            /// recorded no steps, but its loader, those of its batches with the work on them (view `step_time`).
            ///
            /// `loader_ratio` is the time in which a process waited for a batch over the time in which it did a step or
            /// waited, as a mean over the processes that recorded both (view `process_wait`). `gpu_percent` is the mean
            /// of all samples of GPU utilization.
            ///
            /// `gpus` and all GPU-seconds are told by kernels where there are any, else by samples of GPU utilization.
            /// With kernels a device counts from the first work, step or wait of its recording to the last one;
            /// `idle_s` is the time without a computing kernel, copy or fill. Of that, in `idle_communication_s` only
            /// collectives ran, in `idle_loader_s` nothing ran and the process waited for a batch, and `idle_other_s`
            /// is the rest: the host launched nothing. With samples a device counts from its first sample to the last
            /// one and is idle by the mean; `idle_loader_s` is the mean wait of a process times the devices, at most
            /// `idle_s`, and the other two are null. Each is an upper bound of what can be gained: a device may wait
            /// for something else meanwhile.
            ///
            /// `verdict` follows the rule of `job.verdict`, with its limits, over these figures alone; it is `no_data`
            /// where they are null. `job.verdict` also uses the steps of a trace and reports. With kernels the shares
            /// are those of the GPU-seconds, else `loader_ratio` (the median share of the batches, if that is less),
            /// and with samples their mean while the run trained.
            ///
            /// `recorded_s` is the union of these times; without devices from the first time in the profile to the last
            /// one.
            ///
            /// Left out of the percentiles: steps that a recording cut short. A figure is null where its rows are
            /// missing.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `steps` (bigint, count): steps over all modes and recordings
            /// - column `step_p50` (double, ns): median step of the main mode
            /// - column `step_p95` (double, ns): 95th percentile of that
            /// - column `loader_ratio` (double, ratio): waiting for data over waiting and stepping
            /// - column `gpu_percent` (double, percent): mean GPU utilization
            /// - column `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            /// - column `gpus` (bigint, count): devices that worked or were measured
            /// - column `recorded_s` (double, s): time that recordings cover
            /// - column `gpu_s` (double, s): the same summed over the devices, in GPU-seconds
            /// - column `idle_s` (double, s): of these GPU-seconds, without computing and copying
            /// - column `idle_loader_s` (double, s): of the idle ones, while the process waited for data; at most
            /// - column `idle_communication_s` (double, s): of the idle ones, in communication alone
            /// - column `idle_other_s` (double, s): of the idle ones, all else
            pub fn key_figures(self) -> Call<'a> { loop {} }
            /// How long did a job run, and how much of that was spent before, in and after its training loop?
            ///
            /// The job lasts from the first to the last time in its profile, samples and events alike. Initialization
            /// ends where the first step starts; the loop lasts until the last step of any mode ends; the rest is
            /// finalization. The three add up to the whole. A profile without steps has no loop: its parts are null.
            ///
            /// The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts
            /// initialization from the full minute in the name of the first file of samples, up to 60 s before anything
            /// was measured; here it starts with the first recorded time.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `started` (bigint, time): first time in the profile
            /// - column `ended` (bigint, time): last time in the profile
            /// - column `dur` (bigint, ns): from the first to the last time
            /// - column `init_dur` (bigint, ns): from the first time to the start of the first step
            /// - column `loop_dur` (bigint, ns): from there to the end of the last step
            /// - column `final_dur` (bigint, ns): from there to the last time
            /// - column `init_ratio` (double, ratio): `init_dur` over `dur`
            /// - column `loop_ratio` (double, ratio): `loop_dur` over `dur`
            /// - column `final_ratio` (double, ratio): `final_dur` over `dur`
            /// - column `steps` (bigint, count): steps over all modes and recordings; null when none were marked
            /// - column `ranks` (bigint, count): ranks seen; null when none is known
            /// - column `nodes` (bigint, count): machines seen
            pub fn overview(self) -> Call<'a> { loop {} }
            /// Which phases did a job go through, and when?
            ///
            /// Each stretch of consecutive steps of one mode is a phase; so is the time before the first step, between
            /// two stretches and after the last step. Names tell them apart: `before train`, `train`, `between train
            /// and eval`, `eval`, `after eval`. Intervals are half-open: a phase ends where the next one starts, and
            /// the last one ends with the last recorded time.
            ///
            /// Left out: runs without steps, and gaps of no length. The definition is that of
            /// `get_training_phase_intervals` of smdebug over all modes, which gives inclusive ends, names the modes of
            /// a gap in alphabetical order, and orders steps as they stand in the files instead of by time.
            ///
            /// - column `run` (text, id): run the phase belongs to
            /// - column `phase` (text, name): name of the phase
            /// - column `mode` (text, name): mode of its steps; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `steps` (bigint, count): steps in it; 0 before, between and after
            pub fn phases(self) -> Call<'a> { loop {} }
            /// Which phases did each rank of a job go through, and when?
            ///
            /// As `job.phases`, for each rank by itself: each stretch of consecutive steps of one mode is a phase; so
            /// is the time before the first step, between two stretches and after the last step. A rank that starts
            /// late or waits for the others shows here, where the phases of the whole job begin with its first rank and
            /// end with its last.
            ///
            /// Left out: ranks without steps, and gaps of no length. Intervals are half-open; the first one begins and
            /// the last one ends with the run.
            ///
            /// - column `run` (text, id): run the phase belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `phase` (text, name): name of the phase
            /// - column `mode` (text, name): mode of its steps; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `steps` (bigint, count): steps in it; 0 before, between and after
            pub fn phases_by_rank(self) -> Call<'a> { loop {} }
            /// What is each run bound by: its input, computing, communication, or the host that launches the work?
            ///
            /// One row per run, over the evidence that the findings of `diagnosis` rest on. A stall is a share of the
            /// loop or of the steps in which the run could not go on: `input` is the share of waiting for data by the
            /// best measure of the profiles (view `evidence_load`), of the rank that waits most; `communication` the
            /// share in which only collectives ran (`step.breakdown`), of the rank with most; `host` the rest of the
            /// time in which the device did nothing: by the kernels of a trace what calls, operators and nothing on
            /// record take of the steps, by samples of the GPU what idle time neither of the others explains. `compute`
            /// is the share in which the device worked.
            ///
            /// One stall above `high` that is the largest gives `input-bound` or `communication-bound`; two above it
            /// within `near` of each other give `mixed`. `host-bound` are runs whose device idles for more than `idle`
            /// while input and communication explain less than half of that; `compute-bound` runs without a stall above
            /// `high` whose device works for more than `busy`. A GPU that is busy for more than `busy` all the same
            /// waits for nothing. Otherwise the run is `mixed` if both input and device were recorded: it has no single
            /// bottleneck. If one is missing or there are fewer than two steps, the verdict is `no_data`, and the
            /// sentence says what to record.
            ///
            /// - parameter `high` (double): Share above which a stall counts (XProf). Default: `0.2`.
            /// - parameter `near` (double): Factor within which two stalls are about the same (our own). Default: `2.0`.
            /// - parameter `idle` (double): Share of idle time above which the host can be why (PyTorch's tutorial). Default: `0.5`.
            /// - parameter `busy` (double): Share of working above which a device is busy (PyTorch's tutorial). Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            /// - column `sentence` (text, text): the numbers that decided, and what they rest on
            /// - column `steps` (bigint, count): steps, batches or samples that they rest on; null when unknown
            /// - column `input` (double, ratio): share of waiting for data; null when unknown
            /// - column `compute` (double, ratio): share in which the device worked; null when unknown
            /// - column `communication` (double, ratio): share in which only collectives ran; null when unknown
            /// - column `host` (double, ratio): share in which the device waited for the host; null when unknown
            pub fn verdict(self) -> JobVerdict<'a> { loop {} }
        }

        /// A call of `job.decision_tree`.
        #[derive(Debug, Clone)]
        pub struct JobDecisionTree<'a>(Call<'a>);
        impl<'a> JobDecisionTree<'a> {
            /// Share of waiting above which loading time is high. Default: `0.3`.
            pub fn load(self, load: f64) -> Self { loop {} }
            /// Utilization below which it is low. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Utilization above which it is what is aimed at. Default: `0.8`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `job.verdict`.
        #[derive(Debug, Clone)]
        pub struct JobVerdict<'a>(Call<'a>);
        impl<'a> JobVerdict<'a> {
            /// Share above which a stall counts (XProf). Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Factor within which two stalls are about the same (our own). Default: `2.0`.
            pub fn near(self, near: f64) -> Self { loop {} }
            /// Share of idle time above which the host can be why (PyTorch's tutorial). Default: `0.5`.
            pub fn idle(self, idle: f64) -> Self { loop {} }
            /// Share of working above which a device is busy (PyTorch's tutorial). Default: `0.8`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `kernel`.
        #[derive(Debug, Clone, Copy)]
        pub struct KernelQueries<'a>(&'a Session);
        impl<'a> KernelQueries<'a> {
            /// Which operators launched which kernels, with what shape, and how well did these fill the device?
            ///
            /// One row per process, kernel, operator and shape of the launch. The operator is the innermost one that
            /// encloses the launch on its thread; it is null where the recording does not tell. `dur_sum` adds up
            /// durations, so that kernels which ran side by side count more than once. `blocks_per_sm` and `occupancy`
            /// are means of what the profiler wrote on each kernel, weighted by its duration: blocks of the grid over
            /// multiprocessors of the device, and the estimated share of warps that were active. Both are null where
            /// the profiler writes none, as on AMD. Recordings of a process are taken together.
            ///
            /// The table is the kernel table by operator of the TensorBoard plugin, which takes the operator by its
            /// external id and so misses or mistakes it where ids are missing or wrong.
            ///
            /// - column `run` (text, id): run the kernels belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the kernel
            /// - column `operator` (text, name): operator that launched it
            /// - column `grid` (text, json): blocks of the grid in x, y, z
            /// - column `block` (text, json): threads of a block in x, y, z
            /// - column `registers` (bigint, count): registers per thread
            /// - column `shared_memory_bytes` (bigint, bytes): shared memory of a block
            /// - column `n` (bigint, count): how often it ran
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_max` (bigint, ns): longest
            /// - column `blocks_per_sm` (double, factor): blocks over multiprocessors of the device, mean weighted by duration
            /// - column `occupancy` (double, ratio): estimated occupancy, mean weighted by duration
            /// - column `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name
            pub fn by_operator(self) -> Call<'a> { loop {} }
            /// How much device time went into computation, communication and memory, alone and side by side?
            ///
            /// One row per recording of a process and set of types that ran at the same time, over all its devices and
            /// streams together: each moment of device work counts in exactly one row, so that the rows of a recording
            /// add up to the time in which anything ran. `types` names the set, as `computation` or `computation
            /// overlapping communication`. `memory` are copies and fills.
            ///
            /// The table is HTA's `get_gpu_kernel_breakdown`, which adds up all ranks. Left out: sets that did not
            /// occur.
            ///
            /// - column `run` (text, id): run the recording belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `types` (text, name): types that ran at the same time
            /// - column `dur` (bigint, ns): time in which exactly these ran
            /// - column `ratio` (double, ratio): `dur` over the time in which anything ran
            pub fn by_type(self) -> Call<'a> { loop {} }
            /// How much of the communication was hidden behind computation?
            ///
            /// One row per recording of a process, over all its devices and streams together. `communication` is the
            /// time in which at least one communicating kernel ran, `overlap` the part of it in which a computing
            /// kernel ran too, `exposed` the rest, which the process waited for. Copies and fills count on neither
            /// side. Collectives that run on the host (gloo) are no kernels: `step.breakdown` has them.
            ///
            /// `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication; a recording
            /// without kernels has no row.
            ///
            /// - column `run` (text, id): run the recording belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `n` (bigint, count): communicating kernels
            /// - column `communication` (bigint, ns): time in which a communicating kernel ran
            /// - column `computation` (bigint, ns): time in which a computing kernel ran
            /// - column `overlap` (bigint, ns): time in which both ran
            /// - column `exposed` (bigint, ns): time in which a communicating kernel ran and no computing one
            /// - column `overlap_ratio` (double, ratio): `overlap` over `communication`
            pub fn comm_overlap(self) -> Call<'a> { loop {} }
            /// Which operators made the hardware count what?
            ///
            /// One row per process, operator and counter of CUPTI's range profiler, which measures one kernel after the
            /// other. Its recordings do not say which launch a range belongs to: the ranges of a file in the order of
            /// time are those of its calls that launch kernels, as HTA's `get_cupti_counter_data_with_operators` has
            /// it. Where there are not as many of one as of the other, the operators are null. `operator` is the
            /// innermost one around the launch, `outer_operator` the outermost. `flops` are the operations that the
            /// counter stands for: two to an instruction that multiplies and adds, one to any other of those that count
            /// additions and multiplications; null for other counters. Recordings of a process are taken together.
            ///
            /// - column `run` (text, id): run the kernels belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `outer_operator` (text, name): outermost operator around the launch
            /// - column `operator` (text, name): innermost operator around the launch
            /// - column `counter` (text, name): counter, as the profiler names it
            /// - column `n` (bigint, count): kernels
            /// - column `value_sum` (double, count): sum over the kernels
            /// - column `value_mean` (double, count): mean
            /// - column `value_min` (double, count): least
            /// - column `value_max` (double, count): greatest
            /// - column `flops` (double, count): floating-point operations that the sum stands for
            pub fn counters(self) -> Call<'a> { loop {} }
            /// What did kernels and copies take compared with another run, recording, rank or step?
            ///
            /// One row per name, with counts and summed durations on both sides and their differences. The run that is
            /// asked for is one side, `base` the other: `kernel_diff('before') where run = 'after'`. Without `base` a
            /// run is compared with itself: `kernel_diff(base_span => 0, span => 1)` holds its second recording against
            /// its first, `base_step` and `step`, `base_rank` and `rank` do the same for steps and ranks. What is not
            /// said about the base holds for it as for the other side, so that `kernel_diff('before', rank => 0, step
            /// => 7)` compares step 7 of rank 0 in both runs. What is not said at all is not looked at: ranks,
            /// recordings and steps are added up. Where nothing is said, nothing differs.
            ///
            /// `change` goes by the counts: added and deleted names are on one side only. Durations are added up, so
            /// that what ran side by side counts more than once. `steps` and `base_steps` say how many steps of how
            /// many ranks were added up, where that differs. A kernel belongs to the step that launched it (view
            /// `event_step`), and to none if its launch lies before the recording. Counts, durations and categories are
            /// those of HTA's TraceDiff for the device, which compares one step of one rank, and counts synchronization
            /// as work.
            ///
            /// - parameter `base` (text): Run to compare with; null for the run itself. Default: `null`.
            /// - parameter `rank` (bigint): Only this rank; null for all. Default: `null`.
            /// - parameter `span` (bigint): Only this recording; null for all. Default: `null`.
            /// - parameter `step` (bigint): Only this step; null for all. Default: `null`.
            /// - parameter `base_rank` (bigint): The same of the base; null for that of `rank`. Default: `null`.
            /// - parameter `base_span` (bigint): The same of the base; null for that of `span`. Default: `null`.
            /// - parameter `base_step` (bigint): The same of the base; null for that of `step`. Default: `null`.
            /// - column `run` (text, id): run that is compared
            /// - column `base` (text, id): run that it is compared with
            /// - column `type` (text, name): computation, communication or memory (copies and fills)
            /// - column `name` (text, name): name of the kernel or copy
            /// - column `change` (text, name): added, deleted, increased, decreased or unchanged, by the counts
            /// - column `base_n` (bigint, count): how often it ran in the base
            /// - column `n` (bigint, count): how often it ran
            /// - column `n_diff` (bigint, count): `n` less `base_n`
            /// - column `base_dur_sum` (bigint, ns): sum of the durations in the base
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `dur_diff` (bigint, ns): `dur_sum` less `base_dur_sum`
            /// - column `dur_ratio` (double, factor): `dur_sum` over `base_dur_sum`; null where the base has none
            /// - column `base_steps` (bigint, count): steps that were added up in the base, each rank's; 0 without step marks
            /// - column `steps` (bigint, count): steps that were added up, each rank's
            pub fn diff(self) -> KernelDiff<'a> { loop {} }
            /// Which sequences of kernels do operators launch again and again?
            ///
            /// One row per process, name of a call and sequence of what ran on the device: candidates for fusion, a
            /// graph or a better kernel. Calls are operators, annotations, collectives, modules and Python functions
            /// whose name contains `operator`; of those inside each other the outermost. To its sequence belongs all
            /// work launched inside it on its thread, copies and fills too, in the order in which it began; names are
            /// joined by ` -> `. Only sequences of at least `min_kernels` count, and of each process the `top` most
            /// frequent are shown, of equally frequent ones those with most time on the device. Recordings of a process
            /// are taken together.
            ///
            /// HTA's `get_frequent_cuda_kernel_sequences` takes the calls at the least depth at which the name occurs,
            /// and has synchronization among the kernels; it raises where calls begin at the same time.
            ///
            /// - parameter `operator` (text): Part of the names of the calls. Default: `'aten::'`.
            /// - parameter `min_kernels` (bigint): Least kernels, copies and fills of a sequence, at least 1. Default: `3`.
            /// - parameter `top` (bigint): Sequences shown of each process, at least 1. Default: `10`.
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the call
            /// - column `sequence` (text, name): names of the kernels, copies and fills, in the order in which they began
            /// - column `n` (bigint, count): calls with this sequence
            /// - column `kernels` (bigint, count): kernels, copies and fills of the sequence
            /// - column `kernel_sum` (bigint, ns): their durations in all calls, added up
            /// - column `host_sum` (bigint, ns): durations of the calls, added up
            pub fn frequent_sequences(self) -> KernelFrequentSequences<'a> { loop {} }
            /// Why did each stream of a device wait for work?
            ///
            /// One row per stream and cause. A stream is idle from the end of all that it ran so far to the start of
            /// what it runs next. The cause of such an interval is `host_wait` if what ran next was launched only after
            /// the interval had begun, so that the stream waited for the host; else `kernel_wait` if the interval is
            /// shorter than `threshold`, the price of starting one kernel after another; else `other`, such as a wait
            /// for another stream. Where no launch is on record the cause is `unknown`. Time before the first and after
            /// the last work of a stream is no interval. `ratio` is the share in the idle time of the stream.
            ///
            /// Causes and threshold are those of HTA's `get_idle_time_breakdown`, which measures from the end of the
            /// previous kernel, so that overlapping work counts as negative idle time, and goes by the length alone
            /// where no launch is on record.
            ///
            /// - parameter `threshold` (bigint): Ns from which an interval is longer than the wait for the next kernel, at least 0. Default: `30000`.
            /// - column `run` (text, id): run the stream belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `cause` (text, name): host_wait, kernel_wait, other or unknown
            /// - column `n` (bigint, count): intervals
            /// - column `dur_sum` (bigint, ns): time in them
            /// - column `ratio` (double, ratio): `dur_sum` over the idle time of the stream
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for a single one
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p25` (double, ns): 25th percentile
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p75` (double, ns): 75th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn idle_breakdown(self) -> KernelIdleBreakdown<'a> { loop {} }
            /// How long after the start of an operator, and after its launch, do its kernels begin?
            ///
            /// One row per process, operator and sequence of kernels. The calls of an operator are those whose own
            /// launches are on record: a launch belongs to the innermost operator around it on its thread
            /// (`event_operator`). `kernels` are the names in the order of their launches, joined by ` -> `.
            /// `operator_delay_mean` is the mean time from the start of the operator to its first launch, work of the
            /// host before the device hears of it; `launch_delay_mean` that from the start of the first launch to the
            /// start of its kernel, long where the device is busy with what was launched before. Copies and fills do
            /// not count. Recordings of a process are taken together.
            ///
            /// The means are those of HTA's `get_aten_op_kernels_and_delay`, which knows operators of ATen and launches
            /// by CUDA only, and takes the operator from any thread.
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `operator` (text, name): name of the operator
            /// - column `kernels` (text, name): names of the kernels that it launched, in that order
            /// - column `n` (bigint, count): calls of the operator
            /// - column `operator_delay_mean` (double, ns): from the start of the operator to its first launch, mean
            /// - column `operator_delay_max` (bigint, ns): longest of these
            /// - column `launch_delay_mean` (double, ns): from the start of the first launch to the start of its kernel, mean
            /// - column `launch_delay_max` (bigint, ns): longest of these
            /// - column `kernel_sum` (bigint, ns): durations of the kernels, added up
            pub fn launch_delay_by_operator(self) -> Call<'a> { loop {} }
            /// How long do launches take on the host, and how long until their work begins?
            ///
            /// One row per recording of a process and sort of work: kernels, copies (`memcpy`) and fills (`memset`). A
            /// call that launches several pieces of work, as a graph does, is one launch, and their durations are added
            /// up. `delay` is the time from the end of the call to the start of its first work, 0 where that began
            /// before: little of it and a queue that runs empty mean that the device waits for the host. `short` counts
            /// work that took less time on the device than its call on the host, in a call of at most `host_limit`:
            /// launching costs more than it gives. `slow_calls` counts calls that took longer, `late` work with a delay
            /// above `delay_limit`. Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// Times and counts are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no
            /// driver, no HIP, no graphs). `kernel.launches` has single launches.
            ///
            /// Left out: work without a launch on record.
            ///
            /// - parameter `host_limit` (bigint): Ns above which a call is slow, at least 0. Default: `50000`.
            /// - parameter `delay_limit` (bigint): Ns above which work is late, at least 0. Default: `100000`.
            /// - column `run` (text, id): run the launches belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `category` (text, name): kernel, memcpy or memset
            /// - column `n` (bigint, count): launches
            /// - column `host_mean` (double, ns): mean duration of the calls
            /// - column `host_p50` (double, ns): median of that
            /// - column `host_p95` (double, ns): 95th percentile of that
            /// - column `host_max` (bigint, ns): longest call
            /// - column `delay_mean` (double, ns): mean delay
            /// - column `delay_p50` (double, ns): median delay
            /// - column `delay_p95` (double, ns): 95th percentile of the delays
            /// - column `delay_max` (bigint, ns): longest delay
            /// - column `device_mean` (double, ns): mean duration of the work
            /// - column `device_p50` (double, ns): median of that
            /// - column `short` (bigint, count): work that took less time on the device than on the host, in calls that are not slow
            /// - column `slow_calls` (bigint, count): calls that took longer than `host_limit`
            /// - column `late` (bigint, count): work with a delay above `delay_limit`
            pub fn launch_stats(self) -> KernelLaunchStats<'a> { loop {} }
            /// How long did each launch take on the host, until its work began, and on the device?
            ///
            /// One row per call that launched kernels, copies or fills, and per stream and sort of these if it launched
            /// several, as a graph does. `delay` is the time from the end of the call to the start of the first of
            /// them, 0 where that began before. Launches are marked: `short` ran on the device for less time than the
            /// call took on the host, a call of at most `host_limit`; `slow_call` is a call that took longer than that;
            /// `late` has a delay above `delay_limit`.
            ///
            /// Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no
            /// driver, no HIP, no graphs). For many launches `kernel.launch_stats` has their statistics.
            ///
            /// Left out: work without a launch on record.
            ///
            /// - parameter `host_limit` (bigint): Ns above which a call is slow, at least 0. Default: `50000`.
            /// - parameter `delay_limit` (bigint): Ns above which work is late, at least 0. Default: `100000`.
            /// - column `run` (text, id): run the launch belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `launch_ts` (bigint, time): start of the call
            /// - column `launch_name` (text, name): name of the call
            /// - column `launch_dur` (bigint, ns): duration of the call
            /// - column `delay` (bigint, ns): from the end of the call to the start of the work, at least 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `category` (text, name): kernel, memcpy or memset
            /// - column `name` (text, name): name of the kernel or copy, of several the first
            /// - column `ts` (bigint, time): start of the work
            /// - column `dur` (bigint, ns): duration of the work, of several their sum
            /// - column `correlation` (bigint, id): ties call and work together
            /// - column `short` (boolean, flag): whether it took less time on the device than on the host, in a call that is not slow
            /// - column `slow_call` (boolean, flag): whether the call took longer than `host_limit`
            /// - column `late` (boolean, flag): whether the delay was above `delay_limit`
            /// - column `n` (bigint, count): kernels, copies or fills that it launched
            pub fn launches(self) -> KernelLaunches<'a> { loop {} }
            /// How well were the devices used: busy, filled with blocks and warps, on tensor cores?
            ///
            /// One row per recording of a process and device, over the time of `profiled_window`: from the first step
            /// to the last one and the work that they launched, or the whole recording if it has no steps. Kernels
            /// count as far as they lie in it. `utilization` is the share of that time in which at least one kernel
            /// ran. `sm_efficiency` weighs each moment by the blocks per multiprocessor of the kernels that run, at
            /// most 1: a kernel with fewer blocks than multiprocessors leaves some idle. `occupancy` is the mean of the
            /// estimated occupancy of the kernels, weighted by their time, `tensor_core_ratio` the share of kernel time
            /// in kernels on tensor cores, by their names. Copies and fills do not count.
            ///
            /// The first three are the TensorBoard plugin's. Its share of tensor cores knows no names later than Ampere
            /// and counts only kernels of which it found the operator. `sm_efficiency` and `occupancy` are null where
            /// the profiler writes neither blocks nor occupancy on kernels, as on AMD.
            ///
            /// - column `run` (text, id): run the device belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `ts` (bigint, time): start of the time
            /// - column `dur` (bigint, ns): length of the time
            /// - column `kernels` (bigint, count): kernels in it
            /// - column `busy` (bigint, ns): time in which a kernel ran
            /// - column `utilization` (double, ratio): `busy` over `dur`
            /// - column `sm_efficiency` (double, ratio): share of the multiprocessors that had a block, mean over the time
            /// - column `occupancy` (double, ratio): estimated occupancy, mean over the kernels weighted by their time
            /// - column `tensor_core_ratio` (double, ratio): time of kernels on tensor cores over that of all kernels
            pub fn occupancy(self) -> Call<'a> { loop {} }
            /// For how long was the queue of a stream full, so that the host had to wait for the device?
            ///
            /// One row per stream of a recording. The queue counts as full while at least `limit` launches wait in it;
            /// CUDA holds 1024 as a rule, and then blocks the calls that launch more. `ratio` is the share in the time
            /// from the first launch to the last start of work on any stream of the recording. A queue that is full
            /// much of the time is a good sign: the device is the limit, not the host. `kernel.queue_length` says what
            /// counts as a launch.
            ///
            /// Time and share are those of HTA's `get_time_spent_blocked_on_full_queue`, which keeps one stream of a
            /// rank.
            ///
            /// - parameter `limit` (bigint): Launches from which the queue is full, at least 1. Default: `1024`.
            /// - column `run` (text, id): run the stream belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `length_max` (bigint, count): most launches in the queue
            /// - column `n` (bigint, count): how often the queue became full
            /// - column `dur_sum` (bigint, ns): time in which it was full
            /// - column `ratio` (double, ratio): `dur_sum` over the time of the recording's launches
            pub fn queue_full_time(self) -> KernelQueueFullTime<'a> { loop {} }
            /// How long was the queue of each stream of a device, at every change?
            ///
            /// Two rows per launch and stream: the call of the host puts it into the queue of the stream (`change` 1),
            /// the start of its work takes it out (`change` -1). `length` is the number of launches in the queue from
            /// `ts` on. A stream whose queue is empty waits for the host next; a host whose queue is full (1024
            /// launches as a rule, `kernel.queue_full_time`) waits for the device. A call that launches several pieces
            /// of work onto a stream, as a graph does, is one launch. Where the clocks put a start before its call, it
            /// counts at the time of the call.
            ///
            /// The length is that of HTA's `get_queue_length_time_series`, which knows some names of calls (no graphs,
            /// no cooperative launches) and leaves the order of what happens at one time open; here calls come before
            /// starts.
            ///
            /// Left out: work without a launch on record.
            ///
            /// - column `run` (text, id): run the stream belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `ts` (bigint, time): when the length changed
            /// - column `dur` (bigint, ns): from there to the next change; null for the last one
            /// - column `change` (bigint, count): 1 for a launch, -1 for the start of its work
            /// - column `length` (bigint, count): launches in the queue afterwards
            pub fn queue_length(self) -> Call<'a> { loop {} }
            /// How did the length of the queue of each stream change in the course of a recording?
            ///
            /// The time from the first launch to the last start of device work in a recording is cut into at most
            /// `bins` bins of equal length, the same for all processes and streams of a run; a change belongs to the
            /// bin in which it happens. `length_min` and `length_max` are the least and the greatest length that the
            /// queue had in the bin, `length_last` the one with which it left it. There are never more bins than two
            /// for each piece of work of one stream. `kernel.queue_length` says what counts as a launch.
            ///
            /// With `start` or `end` the bins divide that window, as far as it lies within this time; the first one
            /// also has what held before.
            ///
            /// Left out: bins without a change of the stream, in which the length stays as it was.
            ///
            /// - parameter `bins` (bigint): Greatest number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first launch. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last start of work. Default: `null`.
            /// - column `run` (text, id): run the stream belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): changes in it
            /// - column `length_min` (bigint, count): least launches in the queue
            /// - column `length_max` (bigint, count): most launches in the queue
            /// - column `length_last` (bigint, count): launches in the queue after the last change of the bin, and so until the next bin
            pub fn queue_length_over_time(self) -> KernelQueueLengthOverTime<'a> { loop {} }
            /// How long was the queue of each stream of a device as a rule?
            ///
            /// One row per stream of a recording. `length_mean` weighs each length by the time for which it lasted,
            /// `empty_ratio` is the share of the time in which no launch waited: the device is then about to wait for
            /// the host. The other columns on the length are over its values after each change, `n` of them, whatever
            /// time lies between: those of HTA's `get_queue_length_summary`, whose mean is `point_mean`.
            /// `kernel.queue_length` says what counts as a launch.
            ///
            /// - column `run` (text, id): run the stream belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `ts` (bigint, time): first launch
            /// - column `dur` (bigint, ns): from there to the last start of work
            /// - column `launches` (bigint, count): launches
            /// - column `length_mean` (double, count): mean length over the time
            /// - column `empty_ratio` (double, ratio): share of the time in which the queue was empty
            /// - column `n` (bigint, count): changes of the length
            /// - column `point_mean` (double, count): mean length after a change
            /// - column `point_std` (double, count): standard deviation of that
            /// - column `point_p25` (double, count): 25th percentile of that
            /// - column `point_p50` (double, count): median of that
            /// - column `point_p75` (double, count): 75th percentile of that
            /// - column `length_max` (bigint, count): greatest length
            pub fn queue_length_summary(self) -> Call<'a> { loop {} }
            /// Which kernels and copies took how much time of the devices?
            ///
            /// One row per process and name. `dur_sum` adds up durations, so that work which ran side by side counts
            /// more than once; `busy` is the time in which at least one of that name ran. `ratio` is `dur_sum` over
            /// that of all kernels and copies of the process. Percentiles are exact, with linear interpolation between
            /// the closest values. Recordings of a process are taken together.
            ///
            /// The sums are those of the kernel table of the TensorBoard plugin and of HTA's `get_gpu_kernel_breakdown`
            /// for all kernels; HTA's default computes mean, least and greatest value over sums, not over kernels.
            ///
            /// - column `run` (text, id): run the kernels belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `type` (text, name): computation, communication or memory (copies and fills)
            /// - column `name` (text, name): name of the kernel or copy
            /// - column `n` (bigint, count): how often it ran
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `ratio` (double, ratio): `dur_sum` over that of all kernels and copies of the process
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for a single one
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            /// - column `tensor_core` (boolean, flag): whether its name is that of a kernel on tensor cores; null for copies and fills
            pub fn summary(self) -> Call<'a> { loop {} }
            /// How much of the time was a device computing, doing something else, or idle?
            ///
            /// One row per recording of a process, over all its devices and streams together, from the start of its
            /// first kernel, copy or fill to the end of the last one (`dur`). `computation` is the time in which at
            /// least one computing kernel ran, `non_computation` that in which only communication, copies or fills ran,
            /// and `idle` the rest: the three add up to `dur`. `kernel`, `communication` and `memory` are the times in
            /// which at least one kernel, communicating kernel, copy or fill ran. Only `kernel_sum` adds up durations,
            /// so that kernels which ran side by side count more than once.
            ///
            /// The three parts are those of HTA's `get_temporal_breakdown`, which rounds times with fractions to whole
            /// microseconds, drops the last step, and counts synchronization as work. A recording without device work
            /// has no row.
            ///
            /// - column `run` (text, id): run the recording belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `ts` (bigint, time): start of the first kernel, copy or fill
            /// - column `dur` (bigint, ns): from there to the end of the last one
            /// - column `computation` (bigint, ns): time in which a computing kernel ran
            /// - column `non_computation` (bigint, ns): time in which only communication, copies or fills ran
            /// - column `idle` (bigint, ns): time in which nothing ran
            /// - column `computation_ratio` (double, ratio): `computation` over `dur`
            /// - column `non_computation_ratio` (double, ratio): `non_computation` over `dur`
            /// - column `idle_ratio` (double, ratio): `idle` over `dur`
            /// - column `kernels` (bigint, count): kernels
            /// - column `kernel_sum` (bigint, ns): sum of their durations
            /// - column `kernel` (bigint, ns): time in which a kernel ran
            /// - column `communication` (bigint, ns): time in which a communicating kernel ran
            /// - column `memory` (bigint, ns): time in which a copy or fill ran
            pub fn temporal_breakdown(self) -> Call<'a> { loop {} }
        }

        /// A call of `kernel.diff`.
        #[derive(Debug, Clone)]
        pub struct KernelDiff<'a>(Call<'a>);
        impl<'a> KernelDiff<'a> {
            /// Run to compare with; null for the run itself. Default: `null`.
            pub fn base(self, base: &str) -> Self { loop {} }
            /// Only this rank; null for all. Default: `null`.
            pub fn rank(self, rank: i64) -> Self { loop {} }
            /// Only this recording; null for all. Default: `null`.
            pub fn span(self, span: i64) -> Self { loop {} }
            /// Only this step; null for all. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// The same of the base; null for that of `rank`. Default: `null`.
            pub fn base_rank(self, base_rank: i64) -> Self { loop {} }
            /// The same of the base; null for that of `span`. Default: `null`.
            pub fn base_span(self, base_span: i64) -> Self { loop {} }
            /// The same of the base; null for that of `step`. Default: `null`.
            pub fn base_step(self, base_step: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.frequent_sequences`.
        #[derive(Debug, Clone)]
        pub struct KernelFrequentSequences<'a>(Call<'a>);
        impl<'a> KernelFrequentSequences<'a> {
            /// Part of the names of the calls. Default: `'aten::'`.
            pub fn operator(self, operator: &str) -> Self { loop {} }
            /// Least kernels, copies and fills of a sequence, at least 1. Default: `3`.
            pub fn min_kernels(self, min_kernels: i64) -> Self { loop {} }
            /// Sequences shown of each process, at least 1. Default: `10`.
            pub fn top(self, top: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.idle_breakdown`.
        #[derive(Debug, Clone)]
        pub struct KernelIdleBreakdown<'a>(Call<'a>);
        impl<'a> KernelIdleBreakdown<'a> {
            /// Ns from which an interval is longer than the wait for the next kernel, at least 0. Default: `30000`.
            pub fn threshold(self, threshold: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.launch_stats`.
        #[derive(Debug, Clone)]
        pub struct KernelLaunchStats<'a>(Call<'a>);
        impl<'a> KernelLaunchStats<'a> {
            /// Ns above which a call is slow, at least 0. Default: `50000`.
            pub fn host_limit(self, host_limit: i64) -> Self { loop {} }
            /// Ns above which work is late, at least 0. Default: `100000`.
            pub fn delay_limit(self, delay_limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.launches`.
        #[derive(Debug, Clone)]
        pub struct KernelLaunches<'a>(Call<'a>);
        impl<'a> KernelLaunches<'a> {
            /// Ns above which a call is slow, at least 0. Default: `50000`.
            pub fn host_limit(self, host_limit: i64) -> Self { loop {} }
            /// Ns above which work is late, at least 0. Default: `100000`.
            pub fn delay_limit(self, delay_limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.queue_full_time`.
        #[derive(Debug, Clone)]
        pub struct KernelQueueFullTime<'a>(Call<'a>);
        impl<'a> KernelQueueFullTime<'a> {
            /// Launches from which the queue is full, at least 1. Default: `1024`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `kernel.queue_length_over_time`.
        #[derive(Debug, Clone)]
        pub struct KernelQueueLengthOverTime<'a>(Call<'a>);
        impl<'a> KernelQueueLengthOverTime<'a> {
            /// Greatest number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Begin of the window, in ns since the Unix epoch; null for the first launch. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last start of work. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `loader`.
        #[derive(Debug, Clone, Copy)]
        pub struct LoaderQueries<'a>(&'a Session);
        impl<'a> LoaderQueries<'a> {
            /// How many workers of the data loader were there in each second, and how many cores for them?
            ///
            /// One row per machine and second of the clock in which a worker lived or a batch was asked for. `alive`
            /// counts the worker processes that lived at any time in that second, `delivering` the workers whose
            /// batches were asked for in it. `cores` are those that were sampled on the machine. Far more workers than
            /// cores get into each other's way; far fewer leave the machine idle while the training waits.
            ///
            /// Left out: workers whose life has no time or lasted more than a week.
            ///
            /// smdebug's rule Dataloader counts the processes of all events of the loader by the second in which they
            /// start, the training processes among them.
            ///
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): start of the second
            /// - column `alive` (bigint, count): worker processes that lived in it
            /// - column `delivering` (bigint, count): workers whose batches were asked for in it
            /// - column `cores` (bigint, count): cores of the machine; null when none was sampled
            /// - column `relative` (double, factor): `alive` over `cores`
            pub fn active_workers(self) -> Call<'a> { loop {} }
            /// How much time passes from one batch to the next?
            ///
            /// The time between the starts of two consecutive calls for a batch, in one process: waiting for the batch
            /// and working on it. It is the pace of the input side of the loop and needs no step marks. Breaks between
            /// epochs are included. Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// Left out: the first call of each process, which ends no interval, and calls without a time.
            ///
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `n` (bigint, count): intervals
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn batch_time(self) -> Call<'a> { loop {} }
            /// After which batches did it take much longer than usual until the next one was asked for?
            ///
            /// The time between the starts of two consecutive calls of one process is an outlier when it lasted at
            /// least `factor` times the median of its run, over all processes. One of exactly that length counts.
            /// Breaks between epochs are found too.
            ///
            /// - parameter `factor` (double): How many times the median an interval must last. Default: `2.0`.
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `ts` (bigint, time): start of the earlier call
            /// - column `dur` (bigint, ns): from there to the start of the later call
            /// - column `worker` (bigint, id): worker that made the batch of the later call
            /// - column `epoch` (bigint, id): epoch of the later call
            /// - column `batch` (bigint, id): batch number of the later call
            /// - column `dur_p50` (double, ns): median of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn batch_time_outliers(self) -> LoaderBatchTimeOutliers<'a> { loop {} }
            /// How did waits and work go from batch to batch?
            ///
            /// Batches of a loop in the order in which they came, in at most `bins` bins of equally many; a loop of no
            /// more batches has one bin for each. A bin ends early where a pass does, so that there may be a few more.
            /// `load_so_far` is the mean wait from the first batch of the loop to the end of the bin: what a monitor
            /// prints that never resets its counters, and what hides a loader that slows down late.
            ///
            /// - parameter `bins` (bigint): Most bins of a loop, at least 1. Default: `500`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `place` (bigint, id): place of the first batch of the bin in its loop, from 0
            /// - column `n` (bigint, count): batches in the bin
            /// - column `ts` (bigint, time): start of the first wait; null when no time was kept
            /// - column `load_mean` (double, ns): mean wait
            /// - column `load_min` (bigint, ns): shortest wait
            /// - column `load_max` (bigint, ns): longest wait
            /// - column `compute_mean` (double, ns): mean work on a batch; null when unknown
            /// - column `load_so_far` (double, ns): mean wait up to the end of the bin, over all passes of the loop
            pub fn batches(self) -> LoaderBatches<'a> { loop {} }
            /// What did the machines and the framework do while the training process waited unusually long for a batch?
            ///
            /// A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any
            /// rank. Everything recorded during these waits is compared with everything else between the start of the
            /// first call and the end of the last one, so that set-up and wind-up do not count. For samples the values
            /// are means, each machine and quantity for itself. For events they are shares of the time: in 0.25 of the
            /// long waits at least one event of that name was running. Events that overlap count once, and an event
            /// that reaches into a long wait counts with the part inside.
            ///
            /// A run without a long wait gives no rows. Waits are often shorter than the pause between two samples:
            /// `n_during` says how many samples a mean rests on. Events of the loader itself are among the rows, and
            /// show the waits.
            ///
            /// Left out: waits of an ideal replay, everything without a time, and events without a length.
            ///
            /// - parameter `factor` (double): How many times the median a wait must last. Default: `2.0`.
            /// - column `run` (text, id): run
            /// - column `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            /// - column `node` (text, id): machine of the samples; null for events, which are taken over all machines
            /// - column `category` (text, name): resource of the samples, or category of the events
            /// - column `name` (text, name): metric of the samples, or name of the events
            /// - column `unit` (text, name): unit of the values; `ratio` for events
            /// - column `during` (double, mixed): value during the long waits; null when nothing was sampled in them
            /// - column `otherwise` (double, mixed): value at all other times between the first and the last call
            /// - column `difference` (double, mixed): `during` less `otherwise`
            /// - column `n_during` (bigint, count): samples during the long waits; null for events
            /// - column `n_otherwise` (bigint, count): samples at the other times; null for events
            pub fn during_outliers(self) -> LoaderDuringOutliers<'a> { loop {} }
            /// How did the waits for batches go, epoch by epoch?
            ///
            /// One row per pass of a loop over its data: where the epoch changes, a recording begins or the process
            /// makes a new iterator, another begins. These are the numbers of the tutorial's DataLoaderProfiler, for
            /// the waits alone: a clock at the top of the loop, as it has, adds the work on the batch before
            /// (`loader.jitter`, part `interval`).
            ///
            /// The standard deviation has the divisor n-1 and is null for one batch.
            ///
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `batches` (bigint, count): batches
            /// - column `load` (bigint, ns): sum of the waits
            /// - column `load_mean` (double, ns): mean
            /// - column `load_std` (double, ns): standard deviation of the sample
            /// - column `load_min` (bigint, ns): shortest
            /// - column `load_max` (bigint, ns): longest
            /// - column `load_first` (bigint, ns): wait for the first batch; null if it was left out as damaged
            /// - column `compute` (bigint, ns): work on the batches of which it is known; null when unknown
            /// - column `load_ratio` (double, ratio): share of waiting, as in `loader.share`
            /// - column `batches_per_s` (double, per_s): batches over the time of the steps or of the pass; null when unknown
            pub fn epochs(self) -> Call<'a> { loop {} }
            /// Was the first batch of an epoch much slower than the others?
            ///
            /// One row per pass of a loop. `relative` holds the wait for its first batch against the median of its
            /// other waits. A large one is the start of the workers, a cold cache or a compiler:
            /// `persistent_workers=True` and a few batches of warm-up help, and neither says anything about the steps
            /// after it. A recording that begins in the middle of an epoch has no such batch, and shows none.
            ///
            /// - parameter `factor` (double): How many times the median of the others the first wait must exceed to be slow. Default: `10.0`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `rest` (bigint, count): other batches
            /// - column `load_first` (bigint, ns): wait for the first batch; null if it was left out as damaged
            /// - column `rest_p50` (double, ns): median wait for the others; null if there are none
            /// - column `relative` (double, factor): `load_first` over `rest_p50`
            /// - column `slow` (boolean, flag): whether `relative` lies above `factor`; null when it is unknown
            pub fn first_batch(self) -> LoaderFirstBatch<'a> { loop {} }
            /// How long did it take to set up the data loader, and how was it configured?
            ///
            /// One row per process, iterator and configuration. A loader is set up anew for every pass over the data
            /// unless its workers persist, so that this time comes back every epoch.
            ///
            /// Left out: initializations without a duration.
            ///
            /// - column `run` (text, id): run the loader belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `num_workers` (bigint, count): number of workers
            /// - column `prefetch_factor` (bigint, count): batches each worker prepares ahead
            /// - column `persistent_workers` (boolean, flag): whether workers outlive an epoch
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory
            /// - column `n` (bigint, count): initializations
            /// - column `dur_mean` (double, ns): mean duration
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            pub fn init(self) -> Call<'a> { loop {} }
            /// Which initializations of the data loader took much longer than usual?
            ///
            /// An initialization is an outlier when it lasted at least `factor` times the median of its run and
            /// iterator, over all processes. One of exactly that length counts.
            ///
            /// - parameter `factor` (double): How many times the median an initialization must last. Default: `2.0`.
            /// - column `run` (text, id): run the loader belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `num_workers` (bigint, count): number of workers
            /// - column `ts` (bigint, time): start; null when no time was kept
            /// - column `dur` (bigint, ns): duration
            /// - column `dur_p50` (double, ns): median of its run and iterator
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn init_outliers(self) -> LoaderInitOutliers<'a> { loop {} }
            /// Which items of the dataset took longest to read, and which worker read them?
            ///
            /// One row per item, with its slowest access, for the slowest items of each loader. An item is what the
            /// dataset gives for one index; of a dataset that is iterated, items are numbered in each worker by
            /// themselves. `relative` compares with the median over all accesses of the loader. The file is known where
            /// the dataset keeps a list of files and the item was slow enough for an incident.
            ///
            /// - parameter `limit` (bigint): Items shown of each loader, at least 1. Default: `20`.
            /// - column `run` (text, id): run the items belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader
            /// - column `place` (bigint, count): place among the items of the loader, from 1
            /// - column `item` (bigint, id): index of the item; null where it has none
            /// - column `worker` (bigint, id): worker of the slowest access; null in the training process
            /// - column `pid` (bigint, id): process of the slowest access
            /// - column `ts` (bigint, time): start of the slowest access
            /// - column `accesses` (bigint, count): how often it was read
            /// - column `dur_max` (bigint, ns): the slowest access
            /// - column `dur_mean` (double, ns): mean of its accesses
            /// - column `dur_p50` (double, ns): median of all accesses of the loader
            /// - column `relative` (double, factor): `dur_max` over `dur_p50`
            /// - column `bytes` (bigint, bytes): size of the item
            /// - column `message` (text, text): what the incident of a slow item says, such as its file
            pub fn items(self) -> LoaderItems<'a> { loop {} }
            /// How much do the waits for batches, and the steps around them, differ from each other?
            ///
            /// One row per loop and part of a step: `load`, the wait; `load_rest`, the wait without the first batch of
            /// each pass, which is the one to judge by; `compute`, the work on a batch; `step`, both; `interval`, from
            /// batch to batch as a clock at the top of the loop sees it. Parts that are not known have no row.
            ///
            /// `unsteadiness` is the 95th percentile over the median; above 2 the loader delivers in bursts or its
            /// storage does. Outliers lasted at least `factor` times the median; `loader.slow_batches` lists them.
            /// Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// - parameter `factor` (double): How many times the median an outlier must last. Default: `2.0`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `part` (text, name): load, load_rest, compute, step or interval
            /// - column `n` (bigint, count): durations
            /// - column `dur` (bigint, ns): their sum
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation of the sample; null for one
            /// - column `variation` (double, ratio): `dur_std` over `dur_mean`
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p90` (double, ns): 90th percentile
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            /// - column `unsteadiness` (double, factor): `dur_p95` over `dur_p50`
            /// - column `outliers` (bigint, count): durations of at least `factor` times the median; null if that is 0
            /// - column `outlier_ratio` (double, ratio): `outliers` over `n`
            pub fn jitter(self) -> LoaderJitter<'a> { loop {} }
            /// How long did the training process wait for its batches?
            ///
            /// One row per process rank. A wait is one call for the next batch. `wait` is the time in which at least
            /// one call was waiting: calls that overlap count once. `wait_ratio` puts it against the time from the
            /// start of the first call to the end of the last one. Percentiles are exact, with linear interpolation
            /// between the closest values.
            ///
            /// Left out: waits of an ideal replay. Both `wait` columns are null when the profile kept no times.
            ///
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `n` (bigint, count): calls
            /// - column `wait` (bigint, ns): time in which at least one call was waiting
            /// - column `wait_ratio` (double, ratio): `wait` over the time from the first call to the end of the last one
            /// - column `dur_mean` (double, ns): mean wait of a call
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn next(self) -> Call<'a> { loop {} }
            /// Which batches kept the training process waiting much longer than usual?
            ///
            /// A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes.
            /// One of exactly that length counts.
            ///
            /// Left out: waits of an ideal replay.
            ///
            /// - parameter `factor` (double): How many times the median a wait must last. Default: `2.0`.
            /// - parameter `start` (bigint): Only waits that begin from then on, in ns since the Unix epoch; null for all. Default: `null`.
            /// - parameter `end` (bigint): Only waits that begin before, in ns since the Unix epoch; null for all. Default: `null`.
            /// - column `run` (text, id): run the call belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker that made the batch
            /// - column `epoch` (bigint, id): epoch
            /// - column `batch` (bigint, id): batch number
            /// - column `ts` (bigint, time): start of the wait; null when no time was kept
            /// - column `dur` (bigint, ns): length of the wait
            /// - column `dur_p50` (double, ns): median of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn next_outliers(self) -> LoaderNextOutliers<'a> { loop {} }
            /// How did the waits for batches change in the course of a run?
            ///
            /// The time from the first to the last call of a run is cut into at most `bins` bins of equal length, the
            /// same for all ranks; a call belongs to the bin in which it starts. There are never more bins than calls
            /// of one rank.
            ///
            /// Left out: empty bins, calls without a time, and with `start` or `end` calls that begin outside of that
            /// window, which the bins then divide.
            ///
            /// - parameter `bins` (bigint): Greatest number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first call. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last call. Default: `null`.
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): calls that start in it
            /// - column `wait_min` (bigint, ns): shortest wait
            /// - column `wait_mean` (double, ns): mean wait
            /// - column `wait_max` (bigint, ns): longest wait
            pub fn next_over_time(self) -> LoaderNextOverTime<'a> { loop {} }
            /// How much faster would an epoch be if its data were free?
            ///
            /// Of DALI's Loader Evaluator each real pass is held against each ideal one, a replay of kept batches, of
            /// the same run, or of any run where `across` says so: `speedup` is the real time over the ideal. Both
            /// passes must have ended and have equally many batches; where they do not, `why` says so, and so it does
            /// for a pass without a counterpart. A replay repeats a few batches, so that caches and work that depends
            /// on the input flatter it; it holds no start of workers; and one pass on each side has no error bar.
            ///
            /// Of other loops the ideal is the same steps without their waits (`measure` steps or calls), for a loader
            /// that is never waited for and costs the steps nothing. That is computed, where a replay is tried.
            ///
            /// - parameter `bottleneck` (double): Speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator). Default: `1.5`.
            /// - parameter `potential` (double): Speed-up above which it may be one. Default: `1.1`.
            /// - parameter `across` (boolean): Whether passes of different runs are held against each other. Default: `false`.
            /// - column `run` (text, id): run of the real side
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): loader of the real side; null when unknown
            /// - column `object` (bigint, id): file of the real side, where it is a loop of its own
            /// - column `ideal_run` (text, id): run of the ideal side; null when there is none
            /// - column `ideal_loader` (text, name): loader of the ideal side
            /// - column `ideal_object` (bigint, id): file of the ideal side
            /// - column `measure` (text, name): replay, steps or calls; null when nothing was kept to compare with
            /// - column `batches` (bigint, count): batches of the real side
            /// - column `ideal_batches` (bigint, count): batches of the ideal side
            /// - column `load_mean` (double, ns): mean wait on the real side, known in any case
            /// - column `real` (bigint, ns): time on the real side; null when unknown
            /// - column `ideal` (bigint, ns): time on the ideal side; null when unknown
            /// - column `speedup` (double, factor): `real` over `ideal`
            /// - column `saved` (bigint, ns): `real` without `ideal`
            /// - column `saved_ratio` (double, ratio): `saved` over `real`
            /// - column `verdict` (text, name): bottleneck, potential or none; null when there is no speed-up
            /// - column `why` (text, text): why there is none; else null
            pub fn real_vs_ideal(self) -> LoaderRealVsIdeal<'a> { loop {} }
            /// How does the pace of training change with the settings of its data loader?
            ///
            /// One row per loop, over all runs: how its loader was set up (view `loader_setup`) and how fast its steps
            /// went. `speedup` is against the baseline, by samples where both batch sizes are known and by batches
            /// where not. The baseline is the loop of that loader or run, else the one with the fewest workers, and of
            /// those the slowest. Where formats do not keep the number of workers, a tag does: `ingest(...,
            /// tags={"num_workers": 4})`.
            ///
            /// Change one setting at a time, with the same sampler and the same model; `speedup_rest` leaves the first
            /// batch of each pass out, and with it the start of the workers, which short recordings overstate.
            ///
            /// A filter on `run` chooses what is shown; the baseline is that of all runs. Left out: replays, and loops
            /// without a time to hold their batches against.
            ///
            /// - parameter `baseline` (text): Loader or run that others are compared with; null for the one with the fewest workers. Default: `null`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `num_workers` (bigint, count): worker processes; null when unknown
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `prefetch_factor` (bigint, count): batches each worker prepares ahead; null when unknown
            /// - column `persistent_workers` (boolean, flag): whether workers outlive an epoch; null when unknown
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory; null when unknown
            /// - column `batches` (bigint, count): batches that are timed
            /// - column `batches_per_s` (double, per_s): batches over the time of the steps
            /// - column `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            /// - column `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            /// - column `is_baseline` (boolean, flag): whether others are compared with this loop
            /// - column `speedup` (double, factor): its rate over that of the baseline; null without one
            /// - column `speedup_rest` (double, factor): the same without the first batch of each pass
            pub fn scaling(self) -> LoaderScaling<'a> { loop {} }
            /// What share of the training loop was waiting for data, and is that a bottleneck?
            ///
            /// One row per loop, or per pass of it (`by`), all batches and without the first batch of each pass: with
            /// worker processes the first one holds their start, and alone can lift a short recording over the limit.
            /// The verdict rests on the share without them where there is one.
            ///
            /// `measure` says what the waits are held against. `steps`: the sum of load and compute that a loop kept.
            /// `calls`: the time from call to call. `pass`: the whole pass that DALI's Loader Evaluator timed; workers
            /// that start in it make the share too small. `report`: the time of the training epochs in a report of
            /// Lightning's SimpleProfiler, with validation in them, and nothing of the first batch. These are different
            /// measures, to be compared with themselves only; `step.loader_share` is another one, of waits that nothing
            /// else hid.
            ///
            /// Left out: replays of kept batches, where loading is none; they belong to `loader.real_vs_ideal`.
            /// Lightning's reports when `by` is epoch.
            ///
            /// - parameter `by` (text): What a row is: loader (passes together) or epoch. Default: `'loader'`.
            /// - parameter `bottleneck` (double): Share above which loading is the bottleneck (PyTorch's tutorial). Default: `0.3`.
            /// - parameter `high` (double): Share above which it is high (XProf). Default: `0.2`.
            /// - parameter `notable` (double): Share above which it is notable (XProf, TensorBoard plugin). Default: `0.05`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `pass` (bigint, id): pass of the loop, from 0; null unless `by` is epoch
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown, or unless `by` is epoch
            /// - column `measure` (text, name): steps, calls, pass or report; null when nothing was kept to hold the waits against
            /// - column `batches` (bigint, count): batches
            /// - column `load` (bigint, ns): time waited for them; null when `total` is
            /// - column `total` (bigint, ns): time that it is a part of
            /// - column `load_ratio` (double, ratio): `load` over `total`
            /// - column `load_ratio_rest` (double, ratio): the same without the first batch of each pass; null when unknown
            /// - column `band` (text, name): ok, notable, high or bottleneck, by `load_ratio`
            /// - column `band_rest` (text, name): the same by `load_ratio_rest`
            /// - column `is_bottleneck` (boolean, flag): whether `load_ratio_rest`, or `load_ratio` where there is none, lies above `bottleneck`
            /// - column `disagree` (boolean, flag): whether all batches and the rest lie on different sides of `bottleneck`; null when one is unknown
            /// - column `why` (text, text): why there is no share; else null
            pub fn share(self) -> LoaderShare<'a> { loop {} }
            /// Which batches were waited for, or worked on, much longer than others?
            ///
            /// A batch is listed when its part of the step lasted at least `factor` times the median of that part in
            /// its loop; one of exactly that length counts. First batches of a pass are left out of both unless `part`
            /// says otherwise. `loader.next_outliers` holds calls with a time against the median of their whole run.
            ///
            /// - parameter `factor` (double): How many times the median of its loop the part must last. Default: `2.0`.
            /// - parameter `part` (text): Load_rest (waits without the first of each pass), load, compute, step or interval. Default: `'load_rest'`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `place` (bigint, id): place of the batch in its loop, from 0
            /// - column `batch` (bigint, id): batch number as recorded; null when unknown
            /// - column `ts` (bigint, time): start of the wait; null when no time was kept
            /// - column `dur` (bigint, ns): duration of the part
            /// - column `dur_p50` (double, ns): median of the loop
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn slow_batches(self) -> LoaderSlowBatches<'a> { loop {} }
            /// How many batches and samples a second did a training loop get through?
            ///
            /// One row per loop. The rates are over the time of the steps, waits and work together, or over the passes
            /// where these were timed as a whole, once with all batches and once without the first of each pass.
            /// `loads_per_s` is what the loader would deliver to a loop that only waits for it: near `batches_per_s`
            /// the loader sets the pace. Samples need a batch size (view `loader_setup`), and take the last batch of an
            /// epoch for a full one.
            ///
            /// `load`, `compute`, `total` and their means are those of `measure_loading_overhead` of PyTorch's
            /// tutorial, of real steps.
            ///
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `measure` (text, name): steps, calls or pass, as in `loader.share`; null when there is no total
            /// - column `batches` (bigint, count): batches that are timed
            /// - column `load` (bigint, ns): time waited for them
            /// - column `compute` (bigint, ns): `total` without `load`; of measure pass with all else that happened in it
            /// - column `total` (bigint, ns): time of the steps or of the passes
            /// - column `load_mean` (double, ns): mean wait
            /// - column `compute_mean` (double, ns): mean of the rest of a step
            /// - column `batches_per_s` (double, per_s): batches over `total`
            /// - column `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            /// - column `loads_per_s` (double, per_s): batches over `load`; null for a loader that was never waited for
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            pub fn throughput(self) -> Call<'a> { loop {} }
            /// What did the search for the best settings of a data loader try, and how fast was each?
            ///
            /// One row per setting that `tracelake.record.optimize` tried, and one for the replay from memory
            /// (`variant` ideal): the pace if data were free. A trial is one pass with a setting: `dur` is the time
            /// that a batch takes over a whole epoch, start-up included. The pace is that of the median trial, from the
            /// slowest to the fastest; the range of n trials holds the true median in 1 - 2^(1-n) of all cases, of 5 in
            /// 94 %.
            ///
            /// The search compares settings by trials of the same round, and takes of those that are as fast the one
            /// that takes less: the setting that it chose need not be the fastest here. Trials of one process count
            /// together, however often it searched.
            ///
            /// - column `run` (text, id): run of the search
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `loader` (text, name): the setting in words, which is the name of its loader; `replay` of the replay
            /// - column `variant` (text, name): real, or ideal for the replay
            /// - column `num_workers` (bigint, count): worker processes
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `prefetch_factor` (bigint, count): batches each worker prepares ahead; null for the default
            /// - column `persistent_workers` (boolean, flag): whether workers outlive an epoch
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory
            /// - column `trials` (bigint, count): trials that gave a time
            /// - column `batches_per_s` (double, per_s): batches per second in the median trial; null if all failed
            /// - column `samples_per_s` (double, per_s): the same in samples; null where a batch does not show how many it has
            /// - column `low_per_s` (double, per_s): the slowest trial, in samples where these are known, else in batches
            /// - column `high_per_s` (double, per_s): the fastest trial, likewise
            /// - column `dur_p50` (double, ns): time of a batch in the median trial
            /// - column `bytes` (bigint, bytes): most resident memory at the end of a trial, of the process and its workers; null when unknown
            /// - column `limit_bytes` (bigint, bytes): memory above which a setting was not taken; null for none
            /// - column `is_baseline` (boolean, flag): whether the loader was set up like this
            /// - column `chosen` (boolean, flag): whether the search found it best; the baseline if nothing was surely faster
            /// - column `failed` (text, text): why it was given up; null if it was not
            pub fn trials(self) -> Call<'a> { loop {} }
            /// How busy does its data loader keep an accelerator, as MLPerf Storage counts?
            ///
            /// One row per loop. Accelerator utilization is computing over computing and waiting for data; MLPerf
            /// Storage leaves the first step out (`utilization_rest`), asks for 90 % of its image models and for 70 %
            /// of CosmoFlow, and takes the mean over ranks and epochs. It is 1 less the share of `loader.share`, and
            /// says nothing of what the accelerator did while it computed: `utilization.gpu_load` has that, from
            /// samples.
            ///
            /// A pass that was timed as a whole has none: what is not waiting holds the start of the workers too, and
            /// would pass for computing.
            ///
            /// - parameter `target` (double): Utilization that must be reached. Default: `0.9`.
            /// - column `run` (text, id): run the loop belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file that is a loop of its own; null where calls have times
            /// - column `measure` (text, name): steps, calls or pass, as in `loader.share`; null when nothing was kept to hold the waits against
            /// - column `compute` (bigint, ns): time computed; null when unknown
            /// - column `total` (bigint, ns): time computed and waited
            /// - column `utilization` (double, ratio): `compute` over `total`
            /// - column `utilization_rest` (double, ratio): the same without the first batch of each pass
            /// - column `reached` (boolean, flag): whether `utilization_rest` is at least `target`; null when unknown
            /// - column `why` (text, text): why there is no utilization; else null
            pub fn utilization(self) -> LoaderUtilization<'a> { loop {} }
            /// Which workers of the data loader lived much longer than usual?
            ///
            /// A worker is an outlier when its life lasted at least `factor` times the median of its run, over all
            /// processes. One of exactly that length counts. The workers of a training loader live longer than those of
            /// a short evaluation, and then they are the outliers: compare lives of the same loader.
            ///
            /// - parameter `factor` (double): How many times the median a life must last. Default: `2.0`.
            /// - column `run` (text, id): run the worker belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process it worked for; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker number
            /// - column `ts` (bigint, time): start of its life; null when no time was kept
            /// - column `dur` (bigint, ns): length of its life
            /// - column `dur_p50` (double, ns): median of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn worker_outliers(self) -> LoaderWorkerOutliers<'a> { loop {} }
            /// When did each worker of the data loader live, and for how long?
            ///
            /// One row per life of a worker: it begins with the start of the worker and ends with its exit. Workers
            /// that live for one epoch only are started again for the next.
            ///
            /// - column `run` (text, id): run the worker belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process it worked for; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker number
            /// - column `ts` (bigint, time): start of its life; null when no time was kept
            /// - column `dur` (bigint, ns): length of its life
            pub fn workers(self) -> Call<'a> { loop {} }
            /// Which worker of the loader is slow, and is it the items or the collate call?
            ///
            /// One row per worker of a loader, or for the training process where that reads the items itself.
            /// `relative` is the median time of an item over the median of those of all workers of the loader: a worker
            /// of about 1 is like the others.
            ///
            /// - column `run` (text, id): run the worker belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process that it works for; null when unknown
            /// - column `loader` (text, name): name of the loader
            /// - column `worker` (bigint, id): worker number; null for the training process
            /// - column `items` (bigint, count): items read
            /// - column `item_p50` (double, ns): median time of an item
            /// - column `item_max` (bigint, ns): its slowest item
            /// - column `item_dur` (bigint, ns): time in items
            /// - column `collates` (bigint, count): collate calls
            /// - column `collate_p50` (double, ns): median time of a collate call
            /// - column `collate_dur` (bigint, ns): time in collate calls
            /// - column `relative` (double, factor): `item_p50` over the median of all workers of the loader
            pub fn workers_compared(self) -> Call<'a> { loop {} }
            /// When did each worker of the loader make each batch, and how long did the batch wait for the training?
            ///
            /// One row per batch as its worker made it, see `worker_batch`. `queue_dur` goes from the end of the making
            /// until the training process had the batch in hand: long waits in the queue say that the workers are
            /// ahead, none that the training waits for them. It holds the way between the processes.
            ///
            /// - column `run` (text, id): run the batch belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process that it was made for; null when unknown
            /// - column `loader` (text, name): name of the loader
            /// - column `worker` (bigint, id): worker number; null in the training process
            /// - column `pid` (bigint, id): process that made it
            /// - column `epoch` (bigint, id): epoch; null where the worker does not know it
            /// - column `batch` (bigint, id): batch number; null where the worker does not know it
            /// - column `ts` (bigint, time): start of its first item
            /// - column `dur` (bigint, ns): until the end of its collate call
            /// - column `items` (bigint, count): items read
            /// - column `item_dur` (bigint, ns): time in items
            /// - column `collate_dur` (bigint, ns): time in the collate call; null if it was never made
            /// - column `queue_dur` (bigint, ns): until the training process had it; null where that is not known
            pub fn workers_timeline(self) -> Call<'a> { loop {} }
        }

        /// A call of `loader.batch_time_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderBatchTimeOutliers<'a>(Call<'a>);
        impl<'a> LoaderBatchTimeOutliers<'a> {
            /// How many times the median an interval must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.batches`.
        #[derive(Debug, Clone)]
        pub struct LoaderBatches<'a>(Call<'a>);
        impl<'a> LoaderBatches<'a> {
            /// Most bins of a loop, at least 1. Default: `500`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.during_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderDuringOutliers<'a>(Call<'a>);
        impl<'a> LoaderDuringOutliers<'a> {
            /// How many times the median a wait must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.first_batch`.
        #[derive(Debug, Clone)]
        pub struct LoaderFirstBatch<'a>(Call<'a>);
        impl<'a> LoaderFirstBatch<'a> {
            /// How many times the median of the others the first wait must exceed to be slow. Default: `10.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.init_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderInitOutliers<'a>(Call<'a>);
        impl<'a> LoaderInitOutliers<'a> {
            /// How many times the median an initialization must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.items`.
        #[derive(Debug, Clone)]
        pub struct LoaderItems<'a>(Call<'a>);
        impl<'a> LoaderItems<'a> {
            /// Items shown of each loader, at least 1. Default: `20`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.jitter`.
        #[derive(Debug, Clone)]
        pub struct LoaderJitter<'a>(Call<'a>);
        impl<'a> LoaderJitter<'a> {
            /// How many times the median an outlier must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.next_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderNextOutliers<'a>(Call<'a>);
        impl<'a> LoaderNextOutliers<'a> {
            /// How many times the median a wait must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only waits that begin from then on, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// Only waits that begin before, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.next_over_time`.
        #[derive(Debug, Clone)]
        pub struct LoaderNextOverTime<'a>(Call<'a>);
        impl<'a> LoaderNextOverTime<'a> {
            /// Greatest number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Begin of the window, in ns since the Unix epoch; null for the first call. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last call. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.real_vs_ideal`.
        #[derive(Debug, Clone)]
        pub struct LoaderRealVsIdeal<'a>(Call<'a>);
        impl<'a> LoaderRealVsIdeal<'a> {
            /// Speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator). Default: `1.5`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Speed-up above which it may be one. Default: `1.1`.
            pub fn potential(self, potential: f64) -> Self { loop {} }
            /// Whether passes of different runs are held against each other. Default: `false`.
            pub fn across(self, across: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.scaling`.
        #[derive(Debug, Clone)]
        pub struct LoaderScaling<'a>(Call<'a>);
        impl<'a> LoaderScaling<'a> {
            /// Loader or run that others are compared with; null for the one with the fewest workers. Default: `null`.
            pub fn baseline(self, baseline: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.share`.
        #[derive(Debug, Clone)]
        pub struct LoaderShare<'a>(Call<'a>);
        impl<'a> LoaderShare<'a> {
            /// What a row is: loader (passes together) or epoch. Default: `'loader'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Share above which loading is the bottleneck (PyTorch's tutorial). Default: `0.3`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Share above which it is high (XProf). Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which it is notable (XProf, TensorBoard plugin). Default: `0.05`.
            pub fn notable(self, notable: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.slow_batches`.
        #[derive(Debug, Clone)]
        pub struct LoaderSlowBatches<'a>(Call<'a>);
        impl<'a> LoaderSlowBatches<'a> {
            /// How many times the median of its loop the part must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Load_rest (waits without the first of each pass), load, compute, step or interval. Default: `'load_rest'`.
            pub fn part(self, part: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.utilization`.
        #[derive(Debug, Clone)]
        pub struct LoaderUtilization<'a>(Call<'a>);
        impl<'a> LoaderUtilization<'a> {
            /// Utilization that must be reached. Default: `0.9`.
            pub fn target(self, target: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `loader.worker_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderWorkerOutliers<'a>(Call<'a>);
        impl<'a> LoaderWorkerOutliers<'a> {
            /// How many times the median a life must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `memory`.
        #[derive(Debug, Clone, Copy)]
        pub struct MemoryQueries<'a>(&'a Session);
        impl<'a> MemoryQueries<'a> {
            /// How fast did copies and fills move memory, at every change?
            ///
            /// Two rows per copy or fill: its bandwidth is added at its start and taken away at its end. `name` is the
            /// direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, ...; `Memcpy Unknown` where
            /// it is not told) or `Memset`. `bytes_per_s` is the sum over all that run on the device in that direction,
            /// from `ts` on. The bandwidth of a copy is the one that the profiler wrote (GB of 10^9 bytes), else its
            /// bytes over its duration. A copy of no duration, shorter than the clock can tell, counts as one
            /// microsecond long.
            ///
            /// The series is that of HTA's `get_memory_bw_time_series`, which adds up all devices of a rank and leaves
            /// the order of what happens at one time open; here ends come before starts.
            ///
            /// Left out: copies of which neither bandwidth nor size is on record.
            ///
            /// - column `run` (text, id): run the copies belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `name` (text, name): direction of the copies, or Memset
            /// - column `ts` (bigint, time): when the bandwidth changed
            /// - column `dur` (bigint, ns): from there to the next change; null for the last one
            /// - column `change_bytes_per_s` (double, bytes_per_s): bandwidth of the copy that began, less than 0 for one that ended
            /// - column `bytes_per_s` (double, bytes_per_s): bandwidth of all afterwards
            pub fn bandwidth(self) -> Call<'a> { loop {} }
            /// How fast did copies and fills move memory in the course of a recording?
            ///
            /// The time from the start of the first copy to the end of the last one in a recording is cut into at most
            /// `bins` bins of equal length, the same for all processes, devices and directions of a run; a change
            /// belongs to the bin in which it happens. `max_bytes_per_s` is the greatest bandwidth that there was in
            /// the bin, `last_bytes_per_s` the one at its end and so until the next bin. `copied_bytes` are those of
            /// the copies that began in it. There are never more bins than changes in one direction. `memory.bandwidth`
            /// says what the directions are, and what the bandwidth is.
            ///
            /// With `start` or `end` the bins divide that window, as far as it lies within this time; the first one
            /// also has what held before.
            ///
            /// Left out: bins without a change, in which the bandwidth stays as it was.
            ///
            /// - parameter `bins` (bigint): Greatest number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first copy. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last copy. Default: `null`.
            /// - column `run` (text, id): run the copies belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `name` (text, name): direction of the copies, or Memset
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): copies that began in it
            /// - column `copied_bytes` (bigint, bytes): size of these; null where none is on record
            /// - column `max_bytes_per_s` (double, bytes_per_s): greatest bandwidth in the bin
            /// - column `last_bytes_per_s` (double, bytes_per_s): bandwidth after the last change of the bin
            pub fn bandwidth_over_time(self) -> MemoryBandwidthOverTime<'a> { loop {} }
            /// How fast did copies and fills move memory as a rule?
            ///
            /// One row per recording of a process, device and direction. `mean_bytes_per_s` is the mean over the time
            /// in which a copy of that direction ran (`busy`). The columns `point_*` are over the values of the
            /// bandwidth after each change, `n` of them, as far as they are above 0, whatever time lies between: those
            /// of HTA's `get_memory_bw_summary`, whose mean is `point_mean_bytes_per_s`. `memory.bandwidth` says what
            /// the directions are, and what the bandwidth is.
            ///
            /// - column `run` (text, id): run the copies belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `name` (text, name): direction of the copies, or Memset
            /// - column `copies` (bigint, count): copies or fills
            /// - column `copied_bytes` (bigint, bytes): their size; null where none is on record
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in that time
            /// - column `n` (bigint, count): values of the bandwidth above 0
            /// - column `point_mean_bytes_per_s` (double, bytes_per_s): mean of these
            /// - column `point_std_bytes_per_s` (double, bytes_per_s): standard deviation of these; null for a single one
            /// - column `min_bytes_per_s` (double, bytes_per_s): least of these
            /// - column `p25_bytes_per_s` (double, bytes_per_s): 25th percentile
            /// - column `p50_bytes_per_s` (double, bytes_per_s): median
            /// - column `p75_bytes_per_s` (double, bytes_per_s): 75th percentile
            /// - column `max_bytes_per_s` (double, bytes_per_s): greatest
            pub fn bandwidth_summary(self) -> Call<'a> { loop {} }
            /// Which operators allocated memory on which device, and how much?
            ///
            /// One row per process, device and operator inside which memory was allocated or freed. An event of the
            /// allocator belongs to the innermost operator that encloses it on its thread (the `self_` columns), and
            /// with it to all operators around that one; it counts once for an operator that is inside another call of
            /// the same name. `increase_bytes` is what was allocated less what was freed, whoever allocated it;
            /// `alloc_bytes` leaves out what was freed. Recordings of a process are taken together.
            ///
            /// The table is the memory view of the TensorBoard plugin. Left out: events outside of all operators.
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `device` (text, name): device whose memory it is (cpu, gpu0)
            /// - column `operator` (text, name): name of the operator
            /// - column `n` (bigint, count): calls of the operator, with and without events of the allocator
            /// - column `increase_bytes` (bigint, bytes): bytes allocated less bytes freed, in it and the operators it called
            /// - column `self_increase_bytes` (bigint, bytes): the same without the operators it called
            /// - column `allocs` (bigint, count): allocations in it and the operators it called
            /// - column `self_allocs` (bigint, count): allocations without the operators it called
            /// - column `alloc_bytes` (bigint, bytes): bytes allocated in it and the operators it called
            /// - column `self_alloc_bytes` (bigint, bytes): bytes allocated without the operators it called
            pub fn by_operator(self) -> Call<'a> { loop {} }
            /// How did the memory in use change in the course of a run?
            ///
            /// The time from the first to the last event of an allocator in a recording is cut into at most `bins` bins
            /// of equal length, the same for all processes and devices of a run; an event belongs to the bin in which
            /// it lies. `min_bytes` and `max_bytes` are the least and the greatest number of bytes in use after an
            /// event of the bin, so that no peak is lost, `reserved_bytes` the most that the allocator held. They and
            /// `last_bytes` are null in recordings that keep only the size of each event (torch before 1.10).
            /// `increase_bytes` is what was allocated less what was freed since the first event of the recording, at
            /// the end of the bin. There are never more bins than events of one device.
            ///
            /// With `start` or `end` the bins divide that window, as far as it lies within this time; the first one
            /// also has what held before.
            ///
            /// Left out: bins without events, in which nothing changed.
            ///
            /// - parameter `bins` (bigint): Greatest number of bins. Default: `200`.
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            /// - column `run` (text, id): run the events belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device whose memory it is (cpu, gpu0)
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): events in it
            /// - column `min_bytes` (bigint, bytes): least bytes in use
            /// - column `max_bytes` (bigint, bytes): most bytes in use
            /// - column `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            /// - column `increase_bytes` (bigint, bytes): bytes allocated less bytes freed from the first event to the end of the bin
            /// - column `last_bytes` (bigint, bytes): bytes in use after the last event of the bin, and so until the next bin
            pub fn curve(self) -> MemoryCurve<'a> { loop {} }
            /// How much memory did each device need at most, and when?
            ///
            /// One row per recording of a process and device whose allocator was watched. `peak_bytes` is the greatest
            /// number of bytes in use after an event of the allocator, `ts` the first time it was reached,
            /// `reserved_bytes` the most that the allocator held. The three are null in recordings that keep only the
            /// size of each event (torch before 1.10). There `increase_bytes`, the greatest increase since the first
            /// event, is what can be told: how much was in use before it is unknown.
            ///
            /// - column `run` (text, id): run the device belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device whose memory it is (cpu, gpu0)
            /// - column `n` (bigint, count): events of the allocator
            /// - column `ts` (bigint, time): when the peak was reached first
            /// - column `peak_bytes` (bigint, bytes): most bytes in use
            /// - column `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            /// - column `increase_bytes` (bigint, bytes): greatest increase of the bytes in use since the first event
            /// - column `device_bytes` (bigint, bytes): memory of the device
            /// - column `peak_ratio` (double, ratio): `peak_bytes` over `device_bytes`
            pub fn peak(self) -> Call<'a> { loop {} }
            /// How much memory was copied and filled, in which direction, in pieces of which size, and how fast?
            ///
            /// One row per device and kind of a process rank, with `sizes` per class of size as well. A kind is a
            /// direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...; `Memcpy
            /// Unknown` where it is not told), `Memset`, or a migration of unified memory, which no call asked for
            /// (`Memcpy HtoD (Unified)`). With that exception kinds are the directions of `memory.bandwidth`. The class
            /// of a size is the least power of 4 that holds it: 1048576 is that of copies of more than 256 KiB and up
            /// to 1 MiB.
            ///
            /// `dur_sum` adds up durations, so that copies which ran side by side count more than once; `busy` is the
            /// time in which at least one ran. `mean_bytes_per_s` is `bytes` over the time in which copies ran whose
            /// size is known: what many small copies lose is seen by `sizes`. Counts, bytes and `dur_sum` of classes
            /// add up to those of the kind, `busy` may not. Recordings of a process are taken together.
            ///
            /// The numbers are those of the reports `cuda_gpu_mem_time_sum` and `cuda_gpu_mem_size_sum` of `nsys
            /// stats`. Whether the memory of the host was pinned is in the names of copies, which `kernel.summary` has.
            ///
            /// - parameter `sizes` (boolean): Whether each class of size is a row of its own. Default: `false`.
            /// - column `run` (text, id): run the copies belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `device` (text, name): device (gpu0)
            /// - column `kind` (text, name): direction of the copies, or Memset
            /// - column `size_bytes` (bigint, bytes): greatest size of the class; null for all sizes together, and for unknown ones
            /// - column `n` (bigint, count): copies or fills
            /// - column `bytes` (bigint, bytes): sum of their sizes; null where none is on record
            /// - column `mean_bytes` (double, bytes): mean size
            /// - column `min_bytes` (bigint, bytes): least size
            /// - column `p50_bytes` (double, bytes): median size
            /// - column `max_bytes` (bigint, bytes): greatest size
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `dur_mean` (double, ns): mean duration
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            /// - column `mean_bytes_per_s` (double, bytes_per_s): bytes over the time in which at least one ran
            pub fn transfers(self) -> MemoryTransfers<'a> { loop {} }
        }

        /// A call of `memory.bandwidth_over_time`.
        #[derive(Debug, Clone)]
        pub struct MemoryBandwidthOverTime<'a>(Call<'a>);
        impl<'a> MemoryBandwidthOverTime<'a> {
            /// Greatest number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Begin of the window, in ns since the Unix epoch; null for the first copy. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last copy. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `memory.curve`.
        #[derive(Debug, Clone)]
        pub struct MemoryCurve<'a>(Call<'a>);
        impl<'a> MemoryCurve<'a> {
            /// Greatest number of bins. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Begin of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `memory.transfers`.
        #[derive(Debug, Clone)]
        pub struct MemoryTransfers<'a>(Call<'a>);
        impl<'a> MemoryTransfers<'a> {
            /// Whether each class of size is a row of its own. Default: `false`.
            pub fn sizes(self, sizes: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `operator`.
        #[derive(Debug, Clone, Copy)]
        pub struct OperatorQueries<'a>(&'a Session);
        impl<'a> OperatorQueries<'a> {
            /// Which operators took how much time for which shapes of their inputs?
            ///
            /// One row per operator name, shapes of the inputs and process rank; the columns are those of
            /// `operator.summary`. The shapes are as the profiler wrote them, one list per input; they are null when it
            /// did not (`record_shapes=True` makes it).
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `shapes` (text, json): shapes of the inputs; null when not recorded
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which nothing ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work that it launched itself
            /// - column `dur_mean` (double, ns): mean duration of a call
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            pub fn by_shape(self) -> Call<'a> { loop {} }
            /// From which places in the code were operators called, and how much time did they take there?
            ///
            /// One row per operator name, Python stack and process rank; the other columns are those of
            /// `operator.summary`. The stack is the one that the profiler wrote on the operator (until PyTorch 1.12),
            /// else the Python functions and modules that enclose it on its thread, innermost first, with `;` between.
            /// It is null where none was recorded (`with_stack=True` makes it), as on the thread that a device's
            /// backward pass has for itself.
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `stack` (text, text): Python functions around it, innermost first; null when not recorded
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which nothing ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work that it launched itself
            pub fn by_stack(self) -> Call<'a> { loop {} }
            /// Which calls led to which, and where in that tree did the time of host and device go?
            ///
            /// One row per chain of names on a process rank: all calls that the same calls enclose are one node,
            /// whatever their thread and step. Nodes are operators, annotations, collectives and calls of a data
            /// loader, with `python` also Python functions and modules. A call is inside the last one of its thread
            /// that began no later, ends no earlier and still runs. `id` stands for the chain of names: the same chain
            /// has the same `id` in every run.
            ///
            /// `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the
            /// calls launched themselves, `device_total` that of everything inside as well; what ran side by side on a
            /// device counts for each. Over the children of a node, `host_total` adds up to no more than that of the
            /// node, unless they overlap in part.
            ///
            /// Left out: step marks, which would cut the tree into steps.
            ///
            /// - parameter `python` (boolean): Whether Python functions and modules are nodes. Default: `false`.
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `id` (bigint, id): stands for the names from the outermost call to this one
            /// - column `parent` (bigint, id): `id` of the enclosing node; null for the outermost
            /// - column `depth` (bigint, count): enclosing nodes
            /// - column `category` (text, name): operator, annotation, communication, loader, python or module
            /// - column `name` (text, name): name of the call
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which nothing ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work that it launched itself
            pub fn call_tree(self) -> OperatorCallTree<'a> { loop {} }
            /// What did operators and other calls of the host take compared with another run, recording, rank or step?
            ///
            /// One row per name, with counts and summed durations on both sides and their differences: operators,
            /// annotations, collectives, calls of a data loader and calls into a device's runtime or driver; with
            /// `python` Python functions and modules too. The run that is asked for is one side, `base` the other:
            /// `operator_diff('before') where run = 'after'`. Without `base` a run is compared with itself:
            /// `operator_diff(base_span => 0, span => 1)` holds its second recording against its first, `base_step` and
            /// `step`, `base_rank` and `rank` do the same for steps and ranks. What is not said about the base holds
            /// for it as for the other side, so that `operator_diff('before', rank => 0, step => 7)` compares step 7 of
            /// rank 0 in both runs. What is not said at all is not looked at: ranks, recordings and steps are added up.
            /// Where nothing is said, nothing differs.
            ///
            /// `change` goes by the counts: added and deleted names are on one side only. Durations are those of the
            /// calls, with all that ran inside. `steps` and `base_steps` say how many steps of how many ranks were
            /// added up, where that differs. Counts, durations and categories are those of HTA's TraceDiff for the
            /// host, which compares one step of one rank, and has the mark of the step too.
            ///
            /// - parameter `base` (text): Run to compare with; null for the run itself. Default: `null`.
            /// - parameter `rank` (bigint): Only this rank; null for all. Default: `null`.
            /// - parameter `span` (bigint): Only this recording; null for all. Default: `null`.
            /// - parameter `step` (bigint): Only this step; null for all. Default: `null`.
            /// - parameter `base_rank` (bigint): The same of the base; null for that of `rank`. Default: `null`.
            /// - parameter `base_span` (bigint): The same of the base; null for that of `span`. Default: `null`.
            /// - parameter `base_step` (bigint): The same of the base; null for that of `step`. Default: `null`.
            /// - parameter `python` (boolean): Whether Python functions and modules are compared. Default: `false`.
            /// - column `run` (text, id): run that is compared
            /// - column `base` (text, id): run that it is compared with
            /// - column `category` (text, name): operator, annotation, communication, loader, runtime, driver, python or module
            /// - column `name` (text, name): name of the call
            /// - column `change` (text, name): added, deleted, increased, decreased or unchanged, by the counts
            /// - column `base_n` (bigint, count): how often it ran in the base
            /// - column `n` (bigint, count): how often it ran
            /// - column `n_diff` (bigint, count): `n` less `base_n`
            /// - column `base_dur_sum` (bigint, ns): sum of the durations in the base
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `dur_diff` (bigint, ns): `dur_sum` less `base_dur_sum`
            /// - column `dur_ratio` (double, factor): `dur_sum` over `base_dur_sum`; null where the base has none
            /// - column `base_steps` (bigint, count): steps that were added up in the base, each rank's; 0 without step marks
            /// - column `steps` (bigint, count): steps that were added up, each rank's
            pub fn diff(self) -> OperatorDiff<'a> { loop {} }
            /// How many floating point operations did the operators do, and how fast?
            ///
            /// One row per operator name and process rank. The numbers are the profiler's own estimates, which it makes
            /// from the shapes of the inputs for a few operators (convolutions, products of matrices, sums, products)
            /// with `with_flops=True`. The rate is taken over the device work that the operators launched, or, where
            /// they launched none, over their time on the host.
            ///
            /// Left out: operators without an estimate. The answer is empty where the profile has none.
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `n` (bigint, count): calls with an estimate
            /// - column `flops` (double, count): floating point operations
            /// - column `host_total` (bigint, ns): time in these calls, thread by thread
            /// - column `device_total` (bigint, ns): device work launched in them
            /// - column `flops_per_s` (double, per_s): `flops` over `device_total`, or over `host_total` where that is 0
            pub fn flops(self) -> Call<'a> { loop {} }
            /// Which operators took how much time, on the host and on the device?
            ///
            /// One row per operator name and process rank. `host_total` is the time in calls of that name, thread by
            /// thread; recursion counts once. `host_self` leaves out what ran inside: other operators, annotations,
            /// calls into the runtime. `device_self` is the device work that its own calls launched, `device_total`
            /// that of everything inside as well; what ran side by side on a device counts for each. A launch belongs
            /// to the innermost call around it on its thread (view `host_frame`), so that traces without `External id`
            /// have these numbers too.
            ///
            /// The definitions are those of the operator table of the TensorBoard plugin of PyTorch, which leaves out
            /// operators that overlap another one in part and takes an operator whose only child has its own name for
            /// one with it.
            ///
            /// - column `run` (text, id): run the operators belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in calls, thread by thread
            /// - column `host_self` (bigint, ns): the part of it in which nothing ran inside
            /// - column `device_total` (bigint, ns): device work launched in it
            /// - column `device_self` (bigint, ns): device work that it launched itself
            /// - column `dur_mean` (double, ns): mean duration of a call
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// A call of `operator.call_tree`.
        #[derive(Debug, Clone)]
        pub struct OperatorCallTree<'a>(Call<'a>);
        impl<'a> OperatorCallTree<'a> {
            /// Whether Python functions and modules are nodes. Default: `false`.
            pub fn python(self, python: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `operator.diff`.
        #[derive(Debug, Clone)]
        pub struct OperatorDiff<'a>(Call<'a>);
        impl<'a> OperatorDiff<'a> {
            /// Run to compare with; null for the run itself. Default: `null`.
            pub fn base(self, base: &str) -> Self { loop {} }
            /// Only this rank; null for all. Default: `null`.
            pub fn rank(self, rank: i64) -> Self { loop {} }
            /// Only this recording; null for all. Default: `null`.
            pub fn span(self, span: i64) -> Self { loop {} }
            /// Only this step; null for all. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// The same of the base; null for that of `rank`. Default: `null`.
            pub fn base_rank(self, base_rank: i64) -> Self { loop {} }
            /// The same of the base; null for that of `span`. Default: `null`.
            pub fn base_span(self, base_span: i64) -> Self { loop {} }
            /// The same of the base; null for that of `step`. Default: `null`.
            pub fn base_step(self, base_step: i64) -> Self { loop {} }
            /// Whether Python functions and modules are compared. Default: `false`.
            pub fn python(self, python: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `rank`.
        #[derive(Debug, Clone, Copy)]
        pub struct RankQueries<'a>(&'a Session);
        impl<'a> RankQueries<'a> {
            /// How much of the communication of a rank was transfer, how much waiting for others, and how much was hidden?
            ///
            /// One row per recording of a process and name of a collective: kernels of NCCL and RCCL, and collectives
            /// that run on the host (gloo). Each collective is compared with itself on the other ranks (view
            /// `collective`): what the shortest of them took is the transfer, the rest is waiting for the rank that
            /// arrived last. Times are unions over the streams: what ran side by side counts once.
            ///
            /// `overlap` is the part of `communication` in which the rank computed too: computing kernels for a kernel,
            /// operators and annotations of the host for a collective on the host. `late_mean` and the skew compare the
            /// starts on several ranks, which needs clocks that agree; `transfer` and `synchronization` do not.
            ///
            /// Transfer and waiting are those of the TensorBoard plugin's distributed view, which compares nothing
            /// unless all ranks have as many collectives as the others. Here only a step, or a name, that differs has
            /// none (`matched` is less than `n`).
            ///
            /// - column `run` (text, id): run the recording belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `category` (text, name): kernel, or communication for collectives that ran on the host
            /// - column `name` (text, name): name of the kernel, or of the mark on the host
            /// - column `n` (bigint, count): how often it ran
            /// - column `matched` (bigint, count): those that were found on another rank too
            /// - column `communication` (bigint, ns): time in which at least one ran
            /// - column `transfer` (bigint, ns): time in which one transferred; null without `matched`
            /// - column `synchronization` (bigint, ns): the rest of the time of those that were matched; null without `matched`
            /// - column `synchronization_ratio` (double, ratio): `synchronization` over both
            /// - column `overlap` (bigint, ns): time in which one ran and the rank computed
            /// - column `overlap_ratio` (double, ratio): `overlap` over `communication`
            /// - column `late_mean` (double, ns): mean time from the first rank's start to this one's
            /// - column `skew_p50` (double, ns): median time from the first rank's start to the last one's
            /// - column `skew_max` (bigint, ns): longest time of that
            /// - column `last` (bigint, count): collectives to which this rank came last
            pub fn communication(self) -> Call<'a> { loop {} }
            /// How unevenly is the work of a step spread over the ranks?
            ///
            /// One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`,
            /// which divide every moment of it. Each rank counts with the mean over its steps, all recordings together.
            /// `imbalance` is the greatest of these means over their mean: 1 is even, and 1.5 says that the busiest
            /// rank has half as much again as the average, which all others may have to wait for. Ranks that wait for a
            /// straggler have more `communication`, and the straggler has more of what it was late with.
            ///
            /// Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.
            ///
            /// Left out: steps that a recording cut short; processes without a rank.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): run the ranks belong to
            /// - column `part` (text, name): step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
            /// - column `ranks` (bigint, count): ranks
            /// - column `mean` (double, ns): mean over the ranks of each one's mean per step
            /// - column `std` (double, ns): standard deviation over the ranks
            /// - column `least` (double, ns): least of these means
            /// - column `least_rank` (bigint, id): rank that has it; of several the lowest
            /// - column `most` (double, ns): greatest of these means
            /// - column `most_rank` (bigint, id): rank that has it; of several the lowest
            /// - column `imbalance` (double, factor): `most` over `mean`; null where no rank has any
            /// - column `spread` (double, ns): `most` less `least`
            pub fn imbalance(self) -> RankImbalance<'a> { loop {} }
            /// Which ranks do the others wait for, and how long?
            ///
            /// One row per rank that took part in a collective which another rank recorded too (view `collective`). To
            /// each such collective one rank comes last, and the others wait for it: `held_up` adds up what they
            /// waited, over all of them, `delay` how much sooner the collective had begun to transfer if this rank had
            /// come with the last but one. A straggler has a large `held_up_ratio` and waits little itself.
            /// `rank.imbalance` says what it was doing meanwhile, `step.breakdown` when.
            ///
            /// The rank that comes last is the one with the shortest duration, since all end together: unlike the
            /// latest start, that needs no clocks that agree. HTA's `get_potential_stragglers` goes by the start of one
            /// kernel on one stream in each step, names the candidates only, and knows no kernels of NCCL 2.19 and
            /// later.
            ///
            /// - column `run` (text, id): run the rank belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process
            /// - column `collectives` (bigint, count): collectives that were found on another rank too
            /// - column `last` (bigint, count): those to which this rank came last
            /// - column `last_ratio` (double, ratio): `last` over `collectives`
            /// - column `held_up` (bigint, ns): time that other ranks waited for this one, added up over them
            /// - column `held_up_ratio` (double, ratio): `held_up` over that of all ranks of the run
            /// - column `delay` (bigint, ns): time by which this rank alone held the collectives up
            /// - column `delay_max` (bigint, ns): longest delay of a single collective
            /// - column `waited` (bigint, ns): time that this rank waited for others
            /// - column `late_mean` (double, ns): mean time from the first rank's start to this one's, by the clocks of the machines
            pub fn stragglers(self) -> Call<'a> { loop {} }
        }

        /// A call of `rank.imbalance`.
        #[derive(Debug, Clone)]
        pub struct RankImbalance<'a>(Call<'a>);
        impl<'a> RankImbalance<'a> {
            /// Whether a step lasts until the device work that it launched has ended. Default: `false`.
            pub fn extended(self, extended: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `rules`.
        #[derive(Debug, Clone, Copy)]
        pub struct RulesQueries<'a>(&'a Session);
        impl<'a> RulesQueries<'a> {
            /// Would the hardware have room for larger batches?
            ///
            /// smdebug's rule BatchSize, over the whole run. One row per GPU. It is judged at the end of every minute
            /// (view `system_recent`), the last one included, once there are more than `patience` and more than
            /// `window` values: the minute is a violation when the 95th percentiles of the last `window` values of the
            /// cores (their mean), of the GPU and of its memory all are below their limits. One violation triggers the
            /// rule.
            ///
            /// smdebug judges at the end of each of its windows of a minute, which share their borders, and never sees
            /// the last minute. The whiskers of its box plot of memory use a quartile of the GPU's utilization; here
            /// they are those of memory.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `cpu_threshold_p95` (double): Percent below which the cores have room; null for the published one. Default: `null`.
            /// - parameter `gpu_threshold_p95` (double): Percent below which a GPU has room; null for the published one. Default: `null`.
            /// - parameter `gpu_memory_threshold_p95` (double): Percent below which its memory has room; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Values that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Values looked back at; all sources say 500, at least 1. Default: `500`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): minutes at whose end there was room
            /// - column `datapoints` (bigint, count): values of the GPU
            /// - column `last_ts` (bigint, time): start of the last such minute
            /// - column `cpu_p25` (double, percent): lower quartile of the mean over the cores
            /// - column `cpu_p50` (double, percent): median
            /// - column `cpu_p75` (double, percent): upper quartile
            /// - column `cpu_p95` (double, percent): 95th percentile
            /// - column `cpu_lower` (double, percent): lower whisker of the box plot
            /// - column `cpu_upper` (double, percent): upper whisker
            /// - column `gpu_p25` (double, percent): lower quartile of the GPU's utilization
            /// - column `gpu_p50` (double, percent): median
            /// - column `gpu_p75` (double, percent): upper quartile
            /// - column `gpu_p95` (double, percent): 95th percentile
            /// - column `gpu_lower` (double, percent): lower whisker of the box plot
            /// - column `gpu_upper` (double, percent): upper whisker
            /// - column `memory_p25` (double, percent): lower quartile of the GPU's memory
            /// - column `memory_p50` (double, percent): median
            /// - column `memory_p75` (double, percent): upper quartile
            /// - column `memory_p95` (double, percent): 95th percentile
            /// - column `memory_lower` (double, percent): lower whisker of the box plot
            /// - column `memory_upper` (double, percent): upper whisker
            /// - column `parameters` (text, json): limits that were used
            pub fn batch_size(self) -> RulesBatchSize<'a> { loop {} }
            /// Do the rules say today what they said while the job ran?
            ///
            /// One row per report of a rule that the job left (`rules.reported`), with what `rules.report` says about
            /// the run. The run is judged by the limits that its reports name, unless `defaults` says otherwise; a rule
            /// looks back at 500 values (`window` of LowGPUUtilization and of BatchSize) whatever the report says.
            /// `why` has the first reason for other numbers: limits that differ, other datapoints, or that the two
            /// count differently.
            ///
            /// smdebug judges a job minute by minute, counts what lies on a border twice, and leaves out the last
            /// minute: its datapoints differ as a rule.
            ///
            /// - parameter `defaults` (text): Whose limits hold here: reported (those of the report, else history), history (the code), rulesconfig or docs (both AWS). Default: `'reported'`.
            /// - column `run` (text, id): run
            /// - column `rule` (text, name): name of the rule
            /// - column `reported_triggered` (boolean, flag): whether it was triggered
            /// - column `triggered` (boolean, flag): whether it is triggered here; null when that cannot be known
            /// - column `agrees` (boolean, flag): whether the two verdicts are the same; null without one of them
            /// - column `reported_violations` (bigint, count): violations as reported
            /// - column `violations` (bigint, count): violations here
            /// - column `reported_datapoints` (bigint, count): what was judged
            /// - column `datapoints` (bigint, count): what is judged here
            /// - column `reported_parameters` (text, json): limits of the report
            /// - column `parameters` (text, json): limits here
            /// - column `why` (text, text): why the numbers differ; null where all three are the same
            /// - column `object` (bigint, id): file of the report, see table object
            pub fn compared(self) -> RulesCompared<'a> { loop {} }
            /// Were GPUs idle while cores were busy?
            ///
            /// smdebug's rule CPUBottleneck, over the whole run. One row per run. A snapshot of a machine (view
            /// `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its busiest core
            /// above `cpu_threshold`. The rule is triggered by more than `threshold` percent of violations among more
            /// than `patience` snapshots. `utilization.cpu_bottleneck` lists such snapshots.
            ///
            /// smdebug sees a snapshot on the border of two of its windows twice, and none of the last minute.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `threshold` (double): Percent of violations above which the rule is triggered; null for the published one. Default: `null`.
            /// - parameter `gpu_threshold` (double): Percent below which a GPU is idle; null for the published one. Default: `null`.
            /// - parameter `cpu_threshold` (double): Percent above which a core is busy; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Snapshots that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): snapshots with an idle GPU beside a busy core
            /// - column `datapoints` (bigint, count): snapshots, those of all machines
            /// - column `low_gpu` (bigint, count): snapshots with an idle GPU
            /// - column `percent` (double, percent): violations among the snapshots
            /// - column `first_ts` (bigint, time): first violation
            /// - column `last_ts` (bigint, time): last violation
            /// - column `parameters` (text, json): limits that were used
            pub fn cpu_bottleneck(self) -> RulesCpuBottleneck<'a> { loop {} }
            /// Were there too few or too many workers of the data loader for the cores?
            ///
            /// smdebug's rule Dataloader, over the whole run. One row per machine: in each second in which a worker
            /// lived (view `worker_second`) the worker processes are counted. The rule is triggered when the median of
            /// these counts is below `min_threshold` or above `max_threshold` percent of the cores, over more than
            /// `patience` seconds. Violations are the seconds that are themselves beyond one of these limits.
            ///
            /// smdebug counts the processes of the events that start in a second, the training processes among them, so
            /// that a worker counts in the first second of its life only; it judges each window by itself, and its
            /// dataloading time mixes lives of workers with waits.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS; docs has none, and takes those of rulesconfig) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `min_threshold` (double): Percent of the cores below which there are too few workers; null for the published one. Default: `null`.
            /// - parameter `max_threshold` (double): Percent of the cores above which there are too many; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Seconds that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null where no core was sampled
            /// - column `violations` (bigint, count): seconds with too few or too many workers; null where no core was sampled
            /// - column `datapoints` (bigint, count): seconds in which a worker lived
            /// - column `workers` (double, count): median of the worker processes in them
            /// - column `workers_max` (bigint, count): most of them in a second
            /// - column `cores` (bigint, count): cores of the machine; null when none was sampled
            /// - column `num_workers` (bigint, count): greatest number of workers that a loader was made with
            /// - column `pin_memory` (boolean, flag): whether a loader hands its batches on in pinned memory
            /// - column `prefetch_factor` (bigint, count): batches that each worker prepares ahead, at most
            /// - column `wait_p25` (double, ns): lower quartile of the waits for a batch
            /// - column `wait_p50` (double, ns): median
            /// - column `wait_p95` (double, ns): 95th percentile
            /// - column `parameters` (text, json): limits that were used
            pub fn dataloader(self) -> RulesDataloader<'a> { loop {} }
            /// Did the memory in use on a GPU grow?
            ///
            /// smdebug's rule GPUMemoryIncrease, over the whole run. One row per GPU. A value is a violation when the
            /// mean of the last `window` values is more than `increase` above that of the `window` - 1 values that
            /// begin one value earlier, once there are more than `patience` values and more than `window` + 1. One
            /// violation triggers the rule.
            ///
            /// smdebug sees a value on the border of two of its windows twice, and none of the last minute.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `increase` (double): Percentage points that the mean must grow by more than; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Values that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Values of a mean; null for the published one, at least 2. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): values at which the mean had grown by more than `increase`
            /// - column `datapoints` (bigint, count): values of the memory of the GPU
            /// - column `increase` (double, percent): growth at the last violation, in percentage points
            /// - column `last_ts` (bigint, time): last violation
            /// - column `p5` (double, percent): 5th percentile of all values
            /// - column `p25` (double, percent): lower quartile
            /// - column `p50` (double, percent): median
            /// - column `p75` (double, percent): upper quartile
            /// - column `p95` (double, percent): 95th percentile
            /// - column `max` (double, percent): greatest value
            /// - column `lower` (double, percent): lower whisker of the box plot
            /// - column `upper` (double, percent): upper whisker
            /// - column `parameters` (text, json): limits that were used
            pub fn gpu_memory_increase(self) -> RulesGpuMemoryIncrease<'a> { loop {} }
            /// Were GPUs idle while cores waited for disks or network?
            ///
            /// smdebug's rule IOBottleneck, over the whole run. One row per run. A snapshot of a machine (view
            /// `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its core that
            /// waits most above `io_threshold`. The rule is triggered by more than `threshold` percent of violations
            /// among more than `patience` snapshots. `utilization.io_bottleneck` lists such snapshots.
            ///
            /// smdebug sees a snapshot on the border of two of its windows twice, and none of the last minute.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `threshold` (double): Percent of violations above which the rule is triggered; null for the published one. Default: `null`.
            /// - parameter `gpu_threshold` (double): Percent below which a GPU is idle; null for the published one. Default: `null`.
            /// - parameter `io_threshold` (double): Percent above which a core waits; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Snapshots that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): snapshots with an idle GPU beside a core that waits
            /// - column `datapoints` (bigint, count): snapshots, those of all machines
            /// - column `low_gpu` (bigint, count): snapshots with an idle GPU
            /// - column `percent` (double, percent): violations among the snapshots
            /// - column `first_ts` (bigint, time): first violation
            /// - column `last_ts` (bigint, time): last violation
            /// - column `parameters` (text, json): limits that were used
            pub fn io_bottleneck(self) -> RulesIoBottleneck<'a> { loop {} }
            /// Do the GPUs of a run carry different loads?
            ///
            /// smdebug's rule LoadBalancing, over the whole run. One row per pair of GPUs (view `gpu_pair`), on
            /// whatever machines. A pair is a violation, and triggers the rule, when the Jensen-Shannon distance of the
            /// histograms of their utilization is above `threshold` and both have more than `patience` values.
            /// `utilization.gpu_balance` has the same distances.
            ///
            /// smdebug compares no two GPUs, for an error in a loop, so that its rule is never triggered, and its
            /// histograms end at 98 percent.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `threshold` (double): Distance above which the loads differ; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Values that each must have more than; null for the published one, at least 0. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine of the first GPU
            /// - column `device` (text, name): the first GPU
            /// - column `other_node` (text, id): machine of the second GPU
            /// - column `other_device` (text, name): the second GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): 1 where the loads differ, else 0
            /// - column `datapoints` (bigint, count): values of the GPU that has fewer
            /// - column `distance` (double, factor): Jensen-Shannon distance of the two histograms
            /// - column `parameters` (text, json): limits that were used
            pub fn load_balancing(self) -> RulesLoadBalancing<'a> { loop {} }
            /// Was a GPU underused, or did its use fluctuate?
            ///
            /// smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. It is judged at the end of every
            /// minute (view `system_recent`), the last one included, once it has more than `patience` values. The
            /// minute is a violation when the 95th percentile of the last `window` values is below `threshold_p95`
            /// (underused), or that is above and the 5th percentile below `threshold_p5` (fluctuating). One violation
            /// triggers the rule.
            ///
            /// smdebug judges at the end of each of its windows of a minute, which share their borders, and never sees
            /// the last minute.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `threshold_p95` (double): Percent below which the 95th percentile means that a GPU is underused; null for the published one. Default: `null`.
            /// - parameter `threshold_p5` (double): Percent below which the 5th percentile means that its use fluctuates; null for the published one. Default: `null`.
            /// - parameter `patience` (bigint): Values that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Values looked back at; all sources say 500, at least 1. Default: `500`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): minutes at whose end the GPU was underused or fluctuated
            /// - column `datapoints` (bigint, count): values of the GPU
            /// - column `underused` (bigint, count): minutes at whose end it was underused
            /// - column `fluctuating` (bigint, count): minutes at whose end it fluctuated
            /// - column `last_ts` (bigint, time): start of the last such minute
            /// - column `recent_p5` (double, percent): 5th percentile of the last `window` values of the run
            /// - column `recent_p95` (double, percent): 95th percentile of the same
            /// - column `p25` (double, percent): lower quartile of all values
            /// - column `p50` (double, percent): median
            /// - column `p75` (double, percent): upper quartile
            /// - column `p95` (double, percent): 95th percentile
            /// - column `max` (double, percent): greatest value
            /// - column `lower` (double, percent): lower whisker of the box plot
            /// - column `upper` (double, percent): upper whisker
            /// - column `parameters` (text, json): limits that were used
            pub fn low_gpu_utilization(self) -> RulesLowGpuUtilization<'a> { loop {} }
            /// Did it take long until the first step?
            ///
            /// smdebug's rule MaxInitializationTime, over the whole run. One row per run: it is a violation, and
            /// triggers the rule, when more than `threshold` minutes lie between the first recorded time and the first
            /// step of any mode.
            ///
            /// smdebug counts from its first window, and once for every minute without a step. A run without steps is
            /// null here: nobody knows when its training began; smdebug takes it for one that never began.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `threshold` (double): Minutes that the first step may take to come; null for the published one. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null without steps
            /// - column `violations` (bigint, count): 1 where the first step came late, else 0; null without steps
            /// - column `datapoints` (bigint, count): steps, each once over all ranks
            /// - column `started` (bigint, time): first recorded time
            /// - column `first_ts` (bigint, time): start of the first step
            /// - column `last_ts` (bigint, time): start of the last step
            /// - column `ended` (bigint, time): last recorded time
            /// - column `dur` (bigint, ns): from the first recorded time to the first step
            /// - column `parameters` (text, json): limits that were used
            pub fn max_initialization_time(self) -> RulesMaxInitializationTime<'a> { loop {} }
            /// What did the framework spend its time with?
            ///
            /// smdebug's rule OverallFrameworkMetrics, over the whole run. One row per part and name, with the share of
            /// the names of a part: `ratio` has host against devices, `cpu` each operator, `gpu` each kernel and copy,
            /// `phase` the steps of each mode and the gaps between the steps (`others`), `forward_backward` the modules
            /// in forward and in backward passes, `general` everything else by its track. What runs side by side in one
            /// process counts once; processes add up. It is never triggered.
            ///
            /// smdebug adds up durations, leaves out operators below 2 percent, and takes its `others` off the gaps a
            /// second time.
            ///
            /// Left out: events without a time, and those that last more than a week.
            ///
            /// - column `run` (text, id): run
            /// - column `part` (text, name): ratio, cpu, gpu, phase, forward_backward or general
            /// - column `name` (text, name): host or device, operator, mode, pass or track
            /// - column `triggered` (boolean, flag): always false
            /// - column `violations` (bigint, count): always 0
            /// - column `datapoints` (bigint, count): events
            /// - column `dur` (bigint, ns): time in which at least one of them ran, summed over the processes
            /// - column `ratio` (double, ratio): share of `dur` of all names of the part
            pub fn overall_framework_metrics(self) -> Call<'a> { loop {} }
            /// How busy were the machines of a run as a whole?
            ///
            /// smdebug's rule OverallSystemUsage, over the whole run. One row per machine and quantity (view
            /// `system_box`): the mean over cores or GPUs in one snapshot, main memory, disks, and the bytes sent and
            /// received together. It is never triggered. smdebug's Network is `traffic_algorithm`, its I/O `iowait` of
            /// the cores; it never sees the last minute, rounds, and takes negative values for 0.
            ///
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `unit` (text, name): unit of the values, as recorded
            /// - column `triggered` (boolean, flag): always false
            /// - column `violations` (bigint, count): always 0
            /// - column `datapoints` (bigint, count): snapshots with this quantity
            /// - column `min` (double, mixed): least value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): greatest value
            /// - column `p25` (double, mixed): lower quartile
            /// - column `p75` (double, mixed): upper quartile
            /// - column `lower` (double, mixed): lower whisker of the box plot
            /// - column `upper` (double, mixed): upper whisker
            pub fn overall_system_usage(self) -> Call<'a> { loop {} }
            /// Which rules does a run break?
            ///
            /// smdebug's ProfilerReport. One row per run and rule with something to judge, over the rows of the queries
            /// `rules.*`: a rule is triggered if it is so for any machine, GPU, pair or process of the run, and
            /// violations and datapoints add up. A rule without data has no row.
            ///
            /// - parameter `defaults` (text): Whose limits hold: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - column `run` (text, id): run
            /// - column `rule` (text, name): name of the rule in smdebug
            /// - column `triggered` (boolean, flag): whether it is triggered; null when that cannot be known
            /// - column `violations` (bigint, count): what the rule counts as violations; null when that cannot be known
            /// - column `datapoints` (bigint, count): what was judged
            /// - column `parameters` (text, json): limits that were used; {} for a rule without
            /// - column `advice` (text, text): what to do when it is triggered
            pub fn report(self) -> RulesReport<'a> { loop {} }
            /// What did the rules say while the job ran?
            ///
            /// One row per report of a rule that the job left (`rule-output/` of SageMaker Debugger), as it stands
            /// there. `rules.compared` has what the rules say today beside it.
            ///
            /// smdebug counts a rule as triggered once for each window in which its condition held.
            ///
            /// - column `run` (text, id): run
            /// - column `rule` (text, name): name of the rule
            /// - column `triggered` (boolean, flag): whether it was triggered
            /// - column `times` (bigint, count): how often it was triggered
            /// - column `violations` (bigint, count): what it counted as violations
            /// - column `datapoints` (bigint, count): what was judged
            /// - column `parameters` (text, json): limits that were used
            /// - column `details` (text, json): what else it reported
            /// - column `object` (bigint, id): file of the report, see table object
            pub fn reported(self) -> Call<'a> { loop {} }
            /// Did some steps last much longer than the others of their rank?
            ///
            /// smdebug's rule StepOutlier, over the whole run. One row per process and mode. A step is an outlier when
            /// it lasts more than `stddev` standard deviations (of the population) above the mean; more than
            /// `n_outliers` of them are violations and trigger the rule, where there are more than `patience` steps.
            /// Each step counts once. `step.outliers` asks the same with the median, of spans over all ranks.
            ///
            /// smdebug counts the outliers of earlier windows again in each window, and steps on the border of two
            /// windows twice; it keeps only the last mode of a process, whatever its `mode` says.
            ///
            /// Left out: steps that a recording cut short.
            ///
            /// - parameter `defaults` (text): Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            /// - parameter `stddev` (double): Standard deviations above the mean from which a step is an outlier; null for the published one. Default: `null`.
            /// - parameter `n_outliers` (bigint): Outliers that there must be more than; null for the published one, at least 0. Default: `null`.
            /// - parameter `mode` (text): Only steps of this mode (train, eval, predict or global); null for each mode. Default: `null`.
            /// - parameter `patience` (bigint): Steps that there must be more than; fixed in smdebug, at least 0. Default: `100`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): outliers, if they are more than `n_outliers`
            /// - column `datapoints` (bigint, count): steps
            /// - column `outliers` (bigint, count): outliers, however few
            /// - column `dur_limit` (double, ns): duration above which a step is an outlier
            /// - column `dur_mean` (double, ns): mean duration
            /// - column `dur_stddev` (double, ns): its standard deviation, that of a population
            /// - column `dur_min` (bigint, ns): shortest step
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest step
            /// - column `parameters` (text, json): limits that were used
            pub fn step_outlier(self) -> RulesStepOutlier<'a> { loop {} }
        }

        /// A call of `rules.batch_size`.
        #[derive(Debug, Clone)]
        pub struct RulesBatchSize<'a>(Call<'a>);
        impl<'a> RulesBatchSize<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent below which the cores have room; null for the published one. Default: `null`.
            pub fn cpu_threshold_p95(self, cpu_threshold_p95: f64) -> Self { loop {} }
            /// Percent below which a GPU has room; null for the published one. Default: `null`.
            pub fn gpu_threshold_p95(self, gpu_threshold_p95: f64) -> Self { loop {} }
            /// Percent below which its memory has room; null for the published one. Default: `null`.
            pub fn gpu_memory_threshold_p95(self, gpu_memory_threshold_p95: f64) -> Self { loop {} }
            /// Values that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Values looked back at; all sources say 500, at least 1. Default: `500`.
            pub fn window(self, window: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.compared`.
        #[derive(Debug, Clone)]
        pub struct RulesCompared<'a>(Call<'a>);
        impl<'a> RulesCompared<'a> {
            /// Whose limits hold here: reported (those of the report, else history), history (the code), rulesconfig or docs (both AWS). Default: `'reported'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.cpu_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct RulesCpuBottleneck<'a>(Call<'a>);
        impl<'a> RulesCpuBottleneck<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of violations above which the rule is triggered; null for the published one. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Percent below which a GPU is idle; null for the published one. Default: `null`.
            pub fn gpu_threshold(self, gpu_threshold: f64) -> Self { loop {} }
            /// Percent above which a core is busy; null for the published one. Default: `null`.
            pub fn cpu_threshold(self, cpu_threshold: f64) -> Self { loop {} }
            /// Snapshots that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.dataloader`.
        #[derive(Debug, Clone)]
        pub struct RulesDataloader<'a>(Call<'a>);
        impl<'a> RulesDataloader<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS; docs has none, and takes those of rulesconfig) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of the cores below which there are too few workers; null for the published one. Default: `null`.
            pub fn min_threshold(self, min_threshold: f64) -> Self { loop {} }
            /// Percent of the cores above which there are too many; null for the published one. Default: `null`.
            pub fn max_threshold(self, max_threshold: f64) -> Self { loop {} }
            /// Seconds that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.gpu_memory_increase`.
        #[derive(Debug, Clone)]
        pub struct RulesGpuMemoryIncrease<'a>(Call<'a>);
        impl<'a> RulesGpuMemoryIncrease<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percentage points that the mean must grow by more than; null for the published one. Default: `null`.
            pub fn increase(self, increase: f64) -> Self { loop {} }
            /// Values that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Values of a mean; null for the published one, at least 2. Default: `null`.
            pub fn window(self, window: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.io_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct RulesIoBottleneck<'a>(Call<'a>);
        impl<'a> RulesIoBottleneck<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of violations above which the rule is triggered; null for the published one. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Percent below which a GPU is idle; null for the published one. Default: `null`.
            pub fn gpu_threshold(self, gpu_threshold: f64) -> Self { loop {} }
            /// Percent above which a core waits; null for the published one. Default: `null`.
            pub fn io_threshold(self, io_threshold: f64) -> Self { loop {} }
            /// Snapshots that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.load_balancing`.
        #[derive(Debug, Clone)]
        pub struct RulesLoadBalancing<'a>(Call<'a>);
        impl<'a> RulesLoadBalancing<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Distance above which the loads differ; null for the published one. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Values that each must have more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.low_gpu_utilization`.
        #[derive(Debug, Clone)]
        pub struct RulesLowGpuUtilization<'a>(Call<'a>);
        impl<'a> RulesLowGpuUtilization<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent below which the 95th percentile means that a GPU is underused; null for the published one. Default: `null`.
            pub fn threshold_p95(self, threshold_p95: f64) -> Self { loop {} }
            /// Percent below which the 5th percentile means that its use fluctuates; null for the published one. Default: `null`.
            pub fn threshold_p5(self, threshold_p5: f64) -> Self { loop {} }
            /// Values that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Values looked back at; all sources say 500, at least 1. Default: `500`.
            pub fn window(self, window: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.max_initialization_time`.
        #[derive(Debug, Clone)]
        pub struct RulesMaxInitializationTime<'a>(Call<'a>);
        impl<'a> RulesMaxInitializationTime<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Minutes that the first step may take to come; null for the published one. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.report`.
        #[derive(Debug, Clone)]
        pub struct RulesReport<'a>(Call<'a>);
        impl<'a> RulesReport<'a> {
            /// Whose limits hold: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `rules.step_outlier`.
        #[derive(Debug, Clone)]
        pub struct RulesStepOutlier<'a>(Call<'a>);
        impl<'a> RulesStepOutlier<'a> {
            /// Whose limits hold where none is given: history (the code), rulesconfig, docs (both AWS) or reported (those of the run's own report, else history). Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Standard deviations above the mean from which a step is an outlier; null for the published one. Default: `null`.
            pub fn stddev(self, stddev: f64) -> Self { loop {} }
            /// Outliers that there must be more than; null for the published one, at least 0. Default: `null`.
            pub fn n_outliers(self, n_outliers: i64) -> Self { loop {} }
            /// Only steps of this mode (train, eval, predict or global); null for each mode. Default: `null`.
            pub fn mode(self, mode: &str) -> Self { loop {} }
            /// Steps that there must be more than; fixed in smdebug, at least 0. Default: `100`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `runtime`.
        #[derive(Debug, Clone, Copy)]
        pub struct RuntimeQueries<'a>(&'a Session);
        impl<'a> RuntimeQueries<'a> {
            /// Which calls into the operating system took how much time?
            ///
            /// One row per name of a call and process rank: `poll`, `read`, `pthread_cond_wait`, as Nsight Systems
            /// records them with `--trace=osrt`. Most of them wait: what a call waited for is not on record, and a long
            /// one of a thread that has nothing to do is no loss. `dur_sum` adds up durations, so that calls of several
            /// threads count more than once, and a call inside of another one counts in both; `busy` is the time in
            /// which at least one of that name ran. Percentiles are exact, with linear interpolation between the
            /// closest values. Recordings of a process are taken together.
            ///
            /// Calls that are shorter than a threshold are not recorded, so that `n` and the percentiles are those of
            /// the longer ones: table `run_attribute` has it under a key that begins with `nsys.` and ends with
            /// `DURATION_THRESHOLD_NS`, where the export tells.
            ///
            /// The numbers are those of the report `osrt_sum` of `nsys stats`, which adds up all processes of a file.
            /// Left out: marks of the begin or end of a call, which have no duration.
            ///
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the call
            /// - column `n` (bigint, count): calls
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `ratio` (double, ratio): `dur_sum` over that of all calls of the process
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for a single one
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn os_calls(self) -> Call<'a> { loop {} }
            /// Which calls into the device's runtime and driver took how much time on the host?
            ///
            /// One row per name of a call and process rank: launches, copies, allocations, synchronization. `dur_sum`
            /// adds up durations, so that calls of several threads, and a call into the driver inside of one into the
            /// runtime, count more than once; `busy` is the time in which at least one of that name ran. A call that
            /// waits for the device lasts as long as it waits. Percentiles are exact, with linear interpolation between
            /// the closest values. Recordings of a process are taken together.
            ///
            /// The numbers are those of the report `cuda_api_sum` of `nsys stats`, which adds up all processes of a
            /// file.
            ///
            /// - column `run` (text, id): run the calls belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `category` (text, name): runtime or driver
            /// - column `name` (text, name): name of the call
            /// - column `n` (bigint, count): calls
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `ratio` (double, ratio): `dur_sum` over that of all calls of the process
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for a single one
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `step`.
        #[derive(Debug, Clone, Copy)]
        pub struct StepQueries<'a>(&'a Session);
        impl<'a> StepQueries<'a> {
            /// Where did the time of each step go: device, communication, data loading, host?
            ///
            /// One row per step of a rank. Every moment of the step belongs to the first of eight roles that had work
            /// then, in the order of the columns, so that they add up to `dur` exactly. View `step_role` says what each
            /// of them is. `loader_ratio` of a GPU job is the part of the step in which the device idled while the
            /// process waited for data.
            ///
            /// A step is taken as the profiler marked it on the host, or with `extended` until the last device work
            /// that it launched has ended, as the overview of the TensorBoard plugin takes it (view `step_extent`). A
            /// recording without step marks is one step without a number. Steps that a recording cut short are kept and
            /// marked.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): run the step belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it; null for a recording without steps
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): duration
            /// - column `kernel` (bigint, ns): a kernel computed
            /// - column `memcpy` (bigint, ns): a copy ran on a device, and none of the roles before
            /// - column `memset` (bigint, ns): a fill ran on a device, and none of the roles before
            /// - column `communication` (bigint, ns): a collective ran, and none of the roles before
            /// - column `runtime` (bigint, ns): a call into runtime or driver ran, and none of the roles before
            /// - column `loader` (bigint, ns): a data loader was waited for, and none of the roles before
            /// - column `cpu` (bigint, ns): the host computed, and none of the roles before
            /// - column `other` (bigint, ns): none of them
            /// - column `loader_ratio` (double, ratio): `loader` over `dur`
            /// - column `complete` (boolean, flag): false when the recording ended inside the step
            pub fn breakdown(self) -> StepBreakdown<'a> { loop {} }
            /// What did each moment of a step wait for: its critical path, edge by edge?
            ///
            /// The longest path through the graph of what had to end before what could go on. Its nodes are the starts
            /// and ends of operators, calls into the runtime or driver, and calls of a data loader that start in the
            /// window, and of the device work that these calls launched; view `path_event` says which events they are.
            /// An edge weighs the time between its nodes, or nothing. `kind`:
            ///
            /// `host`: from mark to mark of a thread while a call is open; the row is the innermost call. `loader`: the
            /// same inside a call of a data loader. `sequence`, weighs nothing: from the end of an outermost call to
            /// the start of the next one on its thread. `wait`, weighs nothing: a call that waits for a device and does
            /// nothing else. `lock`, weighs nothing: calls that hold the lock of the CUDA runtime and overlap, on
            /// whatever threads, get it one after the other as they end. `work`: a kernel, copy or fill, from its start
            /// to its end; up to the start of the next one on its stream where that does not wait for the end.
            /// `launch_delay`: from the start of a call to the start of what it launched, where that waited for nothing
            /// else: nothing was queued before it until it started, and the work before it on its stream, and what that
            /// stream waited for, had ended when the call began. `kernel_delay`: else, from the end of the work before
            /// it on its stream, if that is less than 1.5 ms earlier and what the stream waited for had ended before
            /// that. `sync`, weighs nothing: from the end of work to the end of the call that waited for it, or to the
            /// start of the work of another stream that waited for it. Where exactly one thread has operators or
            /// annotations with `forward` in their names and exactly one with `autograd`, they are one thread: the
            /// backward pass follows the forward pass.
            ///
            /// `bound_by` is what the weight was spent on: `host`, `loader`, `computation`, `communication` (kernels of
            /// NCCL, collectives on the host), `memory` (copies and fills), `launch_delay` or `kernel_delay`; null for
            /// what weighs nothing. `gap` is time on the path that is no weight: Python between outermost operators,
            /// and waits. `dur` and `gap` of a path add up to the time from its first node to its last one. A path ends
            /// with its last weight.
            ///
            /// The window is the longest complete step of each recording, or with `annotation` the longest of these, or
            /// those that `step` or `instance` ask for; a recording without steps is one window. `synced` is false
            /// where the recording has device work and no synchronization: then no `sync` edge is known, so that a host
            /// which waits for a device seems idle, and streams seem not to wait for each other. CUPTI records it if
            /// asked to (`torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True)`); for ROCm and other
            /// devices nothing does.
            ///
            /// The definition is that of HTA's `critical_path_analysis`, at exact times: HTA rounds, so that short
            /// calls have no length and are left out, and counts work that overlaps on a stream twice. Its
            /// `gpu_compute_bound` is `computation` and `memory` together.
            ///
            /// - parameter `step` (bigint): The step of this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            /// - parameter `annotation` (text): Windows are the annotations with this in their names, not the steps. Default: `null`.
            /// - parameter `instance` (bigint): The window of this number in its recording, in the order of time, from 0. Default: `null`.
            /// - parameter `loader` (text): Regular expression: operators and annotations of such names load data, too. Default: `null`.
            /// - column `run` (text, id): run the path belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `object` (bigint, id): file of the recording
            /// - column `instance` (bigint, id): number of the window in its recording, from 0
            /// - column `place` (bigint, id): place of the edge on the path, from 0
            /// - column `annotation` (text, name): name of the annotation; null for a step
            /// - column `mode` (text, name): mode of the step; null when the profiler did not say
            /// - column `step` (bigint, id): number of the step; null for an annotation or a recording without steps
            /// - column `window_ts` (bigint, time): start of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `kind` (text, name): what the edge stands for
            /// - column `bound_by` (text, name): what its weight was spent on; null without one
            /// - column `category` (text, name): category of the event that the edge is about
            /// - column `name` (text, name): its name
            /// - column `pid` (bigint, id): operating system process id; null on a device
            /// - column `track` (text, name): thread or stream of the event
            /// - column `device` (text, name): device it ran on (cpu, gpu0)
            /// - column `ts` (bigint, time): time of the node that the edge leaves
            /// - column `dur` (bigint, ns): weight
            /// - column `gap` (bigint, ns): time between the nodes that is no weight
            /// - column `row` (bigint, id): ordinal of the event in the file
            /// - column `nodes` (bigint, count): nodes of the graph of the window
            /// - column `edges` (bigint, count): its edges
            /// - column `synced` (boolean, flag): whether the recording has synchronization; null without device work
            pub fn critical_path(self) -> StepCriticalPath<'a> { loop {} }
            /// What was the critical path of each step bound by: host, loading, computation, communication, delays?
            ///
            /// One row per step, or instance of an annotation, and what the path through it was spent on.
            /// `step.critical_path` says what the path is, and has its edges. `ratio` is the share of the length of the
            /// path, as in the summary of HTA's `critical_path_analysis`; in the row without `bound_by` is the time on
            /// the path that is no weight: Python between outermost operators, and waits.
            ///
            /// All steps that are not asked for otherwise; a recording without steps is one window.
            ///
            /// - parameter `step` (bigint): The step of this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            /// - parameter `annotation` (text): Windows are the annotations with this in their names, not the steps. Default: `null`.
            /// - parameter `instance` (bigint): The window of this number in its recording, in the order of time, from 0. Default: `null`.
            /// - parameter `loader` (text): Regular expression: operators and annotations of such names load data, too. Default: `null`.
            /// - column `run` (text, id): run the path belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `object` (bigint, id): file of the recording
            /// - column `instance` (bigint, id): number of the window in its recording, from 0
            /// - column `bound_by` (text, name): what the path was spent on; null for time that is no weight
            /// - column `annotation` (text, name): name of the annotation; null for a step
            /// - column `mode` (text, name): mode of the step; null when the profiler did not say
            /// - column `step` (bigint, id): number of the step; null for an annotation or a recording without steps
            /// - column `window_ts` (bigint, time): start of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `n` (bigint, count): edges of the path
            /// - column `dur` (bigint, ns): their weight
            /// - column `ratio` (double, ratio): `dur` over `path_dur`
            /// - column `gap` (bigint, ns): time between their nodes that is no weight
            /// - column `path_dur` (bigint, ns): length of the whole path: weights of all its edges
            /// - column `nodes` (bigint, count): nodes of the graph of the window
            /// - column `edges` (bigint, count): its edges
            /// - column `synced` (boolean, flag): whether the recording has synchronization; null without device work
            pub fn critical_path_summary(self) -> StepCriticalPathSummary<'a> { loop {} }
            /// How long do the steps of a run take, by mode?
            ///
            /// The duration of a step is its span over all ranks, from the earliest start to the latest end;
            /// `step.duration_by_rank` has each rank for itself. A step number that comes again in another recording or
            /// mode counts as another step. Percentiles are exact, with linear interpolation between the closest
            /// values.
            ///
            /// Left out: steps that a recording cut short. The first step of a run often holds compilation and warm-up
            /// and is kept: compare mean and median. The definition is that of `get_step_statistics` of smdebug by
            /// training phase.
            ///
            /// - column `run` (text, id): run the steps belong to
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `n` (bigint, count): steps
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn duration(self) -> Call<'a> { loop {} }
            /// How long did the events of each name take in a step, by mode?
            ///
            /// A duration is a span: from the first start to the last end of the events of a name in one step, over all
            /// ranks. It is not a sum, and holds the time between them. An event belongs to the step that view
            /// `event_step` names: the one it lies in, for device work the one that launched it. Steps of equal numbers
            /// in different modes and recordings count as different steps. Percentiles are exact, with linear
            /// interpolation.
            ///
            /// Left out: steps that a recording cut short, and what lies outside of all steps. An event that carries
            /// the number of a step and lies in none counts for that one, without a mode.
            ///
            /// The definition is that of `get_step_statistics` of smdebug by framework metric, which merges equal names
            /// of all modes where step numbers are equal, and takes steps from whatever event carries a number.
            ///
            /// - column `run` (text, id): run the events belong to
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `name` (text, name): name of the event
            /// - column `n` (bigint, count): steps with such events
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn duration_by_metric(self) -> Call<'a> { loop {} }
            /// How long did each phase, thread or stream take in a step, by mode?
            ///
            /// A duration is a span: from the first start to the last end of the events of a track in one step, over
            /// all ranks. It is not a sum, and holds the time between them. An event belongs to the step that view
            /// `event_step` names: the one it lies in, for device work the one that launched it. Steps of equal numbers
            /// in different modes and recordings count as different steps. Percentiles are exact, with linear
            /// interpolation.
            ///
            /// Left out: steps that a recording cut short, and what lies outside of all steps. An event that carries
            /// the number of a step and lies in none counts for that one, without a mode.
            ///
            /// The definition is that of `get_step_statistics` of smdebug by process, which makes one span of the
            /// events of all modes where step numbers are equal.
            ///
            /// - column `run` (text, id): run the events belong to
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `track` (text, name): row a viewer would draw them on: phase, thread or stream
            /// - column `n` (bigint, count): steps with such events
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn duration_by_process(self) -> Call<'a> { loop {} }
            /// How long did each step take on each rank, and how far was that from its peers?
            ///
            /// One row per step as one rank marked it. `relative` compares it with the median of the same step over all
            /// ranks: on one rank it is 1. The first `skip` steps of each run and mode can be left out: they hold
            /// compilation and warm-up.
            ///
            /// Left out: steps that the recording cut short.
            ///
            /// - parameter `skip` (bigint): Steps dropped at the start of each run and mode, at least 0. Default: `0`.
            /// - column `run` (text, id): run the step belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): duration on this rank
            /// - column `relative` (double, factor): `dur` over the median of that step across ranks
            pub fn duration_by_rank(self) -> StepDurationByRank<'a> { loop {} }
            /// How are the durations of the steps distributed, by mode?
            ///
            /// `bins` bins of equal width cover the durations from the shortest step to twice the median, or to the
            /// longest step if that is less. Longer steps stand together in one further row, whose `bin` is `bins`: a
            /// single slow step would otherwise push all others into the first bin. A bin takes in its lower edge and
            /// not its upper one; the further row has both. The duration of a step is its span over all ranks.
            ///
            /// Left out: empty bins, and steps that a recording cut short.
            ///
            /// - parameter `bins` (bigint): Number of bins, at least 1. Default: `50`.
            /// - column `run` (text, id): run the steps belong to
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `bin` (bigint, id): number of the bin, from 0
            /// - column `dur_from` (bigint, ns): lower edge of the bin
            /// - column `dur_to` (bigint, ns): upper edge of the bin
            /// - column `n` (bigint, count): steps in it
            pub fn histogram(self) -> StepHistogram<'a> { loop {} }
            /// When did each rank do steps of one mode, and what time lay between them?
            ///
            /// The time of a run as each rank and mode cut it up: an interval for every step, one before the first step
            /// of the mode (`before train`), one for every gap between two of them (`between train and train`), one
            /// behind the last (`after train`). Intervals are half-open: each ends where the next one starts; only
            /// steps that overlap overlap here. Gaps hold whatever else went on, steps of other modes included.
            /// `job.phases_by_rank` takes consecutive steps of a mode together instead.
            ///
            /// Left out: steps without a time or a duration, and gaps of no length.
            ///
            /// The definition is that of `get_training_phase_intervals` of smdebug with a single phase, which has
            /// inclusive ends, and takes the steps of several ranks as they stand in the files, so that gaps may have
            /// negative lengths.
            ///
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `phase` (text, name): name of the interval
            /// - column `step` (bigint, id): step number as the profiler wrote it; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            pub fn intervals(self) -> Call<'a> { loop {} }
            /// What share of the step time was spent waiting for the data loader and for nothing else?
            ///
            /// One row per recording of a rank. Only the time counts in which the process waited for a batch and
            /// neither a device worked nor a collective or a call into the runtime ran: waits that device work hides
            /// cost nothing. `loader_ratio` is that time over the duration of all steps, as the overview of the
            /// TensorBoard plugin has it for the average step; above 0.05 the plugin speaks of a high cost of data
            /// loading. Steps are those of `step.breakdown`, with the same `extended`. The mark of a data loader is
            /// told by its name: the plugin's last release looks into one category only and finds none since PyTorch
            /// 1.12.
            ///
            /// Left out: steps that a recording cut short.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): run the steps belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `steps` (bigint, count): steps; a recording without step marks is one
            /// - column `dur` (bigint, ns): duration of the steps together
            /// - column `loader` (bigint, ns): time in which only the data loader was waited for
            /// - column `loader_ratio` (double, ratio): `loader` over `dur`
            /// - column `ratio_p50` (double, ratio): median over the steps of each step's share
            /// - column `ratio_max` (double, ratio): greatest share of a step
            pub fn loader_share(self) -> StepLoaderShare<'a> { loop {} }
            /// Which steps took much longer than usual?
            ///
            /// A step is an outlier when its span over all ranks is at least `factor` times the median of its run and
            /// mode. A step of exactly that length counts.
            ///
            /// Left out: steps that a recording cut short.
            ///
            /// - parameter `factor` (double): How many times the median a step must last. Default: `2.0`.
            /// - parameter `start` (bigint): Only steps that begin from then on, in ns since the Unix epoch; null for all. Default: `null`.
            /// - parameter `end` (bigint): Only steps that begin before, in ns since the Unix epoch; null for all. Default: `null`.
            /// - column `run` (text, id): run the step belongs to
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): earliest start over the ranks
            /// - column `dur` (bigint, ns): from there to the latest end over the ranks
            /// - column `dur_p50` (double, ns): median of its run and mode
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn outliers(self) -> StepOutliers<'a> { loop {} }
            /// How did the duration of the steps change in the course of a run?
            ///
            /// One row per step, in the order of time. The duration is the step's span over all ranks.
            ///
            /// Left out: steps without a time, and with `start` or `end` steps that begin outside of that window. Steps
            /// that a recording cut short are kept and marked.
            ///
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first step. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last step. Default: `null`.
            /// - column `run` (text, id): run the step belongs to
            /// - column `span` (bigint, id): recording within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): earliest start over the ranks
            /// - column `dur` (bigint, ns): from there to the latest end over the ranks
            /// - column `ranks` (bigint, count): ranks that recorded it; null when no rank is known
            /// - column `complete` (boolean, flag): false when a recording ended inside the step
            pub fn over_time(self) -> StepOverTime<'a> { loop {} }
            /// What was recorded from one step of a run to another?
            ///
            /// Everything that was measured and everything that ran from the start of step `first` to the end of step
            /// `last`, over all ranks. Each mode and each recording has a stretch of time of its own; stretches that
            /// overlap are one. For samples the rows have their number, mean, least and greatest value, each machine
            /// and quantity for itself. For events they have how many of that name touch the stretch, the time in which
            /// at least one of them was running, clipped to the stretch, and its share.
            ///
            /// `get_profiler_data_by_step` of smdebug gives the rows themselves, and only those events that carry a
            /// step number.
            ///
            /// - parameter `first` (bigint): Number of the first step; null for the first there is. Default: `null`.
            /// - parameter `last` (bigint): Number of the last step, which is included; null for the last there is. Default: `null`.
            /// - parameter `mode` (text): Only steps of this mode; null for all. Default: `null`.
            /// - column `run` (text, id): run
            /// - column `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            /// - column `node` (text, id): machine of the samples; null for events, which are taken over all machines
            /// - column `category` (text, name): resource of the samples, or category of the events
            /// - column `name` (text, name): metric of the samples, or name of the events
            /// - column `unit` (text, name): unit of mean, min and max; null for events
            /// - column `n` (bigint, count): samples, or events that touch the stretch
            /// - column `mean` (double, mixed): mean of the samples
            /// - column `min` (double, mixed): least sample
            /// - column `max` (double, mixed): greatest sample
            /// - column `busy` (bigint, ns): time in which at least one such event was running
            /// - column `ratio` (double, ratio): `busy` over the length of the stretch
            pub fn recorded(self) -> StepRecorded<'a> { loop {} }
            /// How did loss, learning rate, throughput and all else that was logged change from step to step?
            ///
            /// One row for each scalar of the training that a logger wrote, in the order of its steps. What stands in
            /// `metrics.csv` and in event files of TensorBoard is there once, with its time. A step may have several
            /// rows of a metric: the learning rate is logged anew when an epoch begins, and steps of `validate/...` and
            /// `test/...` of the throughput are batches of their own loop. Units are known of Lightning's callbacks
            /// only.
            ///
            /// Left out: what callbacks measured of devices, which `utilization.device_stats` has.
            ///
            /// - parameter `metric` (text): Only this metric; null for all. Default: `null`.
            /// - column `run` (text, id): run the scalar belongs to
            /// - column `metric` (text, name): name as the logger wrote it
            /// - column `step` (bigint, id): step, as logged
            /// - column `epoch` (bigint, id): epoch, as logged; null when none was
            /// - column `ts` (bigint, time): when it was logged; null when only `metrics.csv` has it
            /// - column `value` (double, mixed): the value; NaN or infinite where the training diverged
            /// - column `unit` (text, name): unit of `value`; null when nobody knows
            /// - column `object` (bigint, id): file it stands in, see table object
            /// - column `row` (bigint, id): ordinal of the scalar in that file
            pub fn scalars(self) -> StepScalars<'a> { loop {} }
        }

        /// A call of `step.breakdown`.
        #[derive(Debug, Clone)]
        pub struct StepBreakdown<'a>(Call<'a>);
        impl<'a> StepBreakdown<'a> {
            /// Whether a step lasts until the device work that it launched has ended. Default: `false`.
            pub fn extended(self, extended: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.critical_path`.
        #[derive(Debug, Clone)]
        pub struct StepCriticalPath<'a>(Call<'a>);
        impl<'a> StepCriticalPath<'a> {
            /// The step of this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// Windows are the annotations with this in their names, not the steps. Default: `null`.
            pub fn annotation(self, annotation: &str) -> Self { loop {} }
            /// The window of this number in its recording, in the order of time, from 0. Default: `null`.
            pub fn instance(self, instance: i64) -> Self { loop {} }
            /// Regular expression: operators and annotations of such names load data, too. Default: `null`.
            pub fn loader(self, loader: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.critical_path_summary`.
        #[derive(Debug, Clone)]
        pub struct StepCriticalPathSummary<'a>(Call<'a>);
        impl<'a> StepCriticalPathSummary<'a> {
            /// The step of this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// Windows are the annotations with this in their names, not the steps. Default: `null`.
            pub fn annotation(self, annotation: &str) -> Self { loop {} }
            /// The window of this number in its recording, in the order of time, from 0. Default: `null`.
            pub fn instance(self, instance: i64) -> Self { loop {} }
            /// Regular expression: operators and annotations of such names load data, too. Default: `null`.
            pub fn loader(self, loader: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.duration_by_rank`.
        #[derive(Debug, Clone)]
        pub struct StepDurationByRank<'a>(Call<'a>);
        impl<'a> StepDurationByRank<'a> {
            /// Steps dropped at the start of each run and mode, at least 0. Default: `0`.
            pub fn skip(self, skip: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.histogram`.
        #[derive(Debug, Clone)]
        pub struct StepHistogram<'a>(Call<'a>);
        impl<'a> StepHistogram<'a> {
            /// Number of bins, at least 1. Default: `50`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.loader_share`.
        #[derive(Debug, Clone)]
        pub struct StepLoaderShare<'a>(Call<'a>);
        impl<'a> StepLoaderShare<'a> {
            /// Whether a step lasts until the device work that it launched has ended. Default: `false`.
            pub fn extended(self, extended: bool) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.outliers`.
        #[derive(Debug, Clone)]
        pub struct StepOutliers<'a>(Call<'a>);
        impl<'a> StepOutliers<'a> {
            /// How many times the median a step must last. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only steps that begin from then on, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// Only steps that begin before, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.over_time`.
        #[derive(Debug, Clone)]
        pub struct StepOverTime<'a>(Call<'a>);
        impl<'a> StepOverTime<'a> {
            /// Begin of the window, in ns since the Unix epoch; null for the first step. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last step. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.recorded`.
        #[derive(Debug, Clone)]
        pub struct StepRecorded<'a>(Call<'a>);
        impl<'a> StepRecorded<'a> {
            /// Number of the first step; null for the first there is. Default: `null`.
            pub fn first(self, first: i64) -> Self { loop {} }
            /// Number of the last step, which is included; null for the last there is. Default: `null`.
            pub fn last(self, last: i64) -> Self { loop {} }
            /// Only steps of this mode; null for all. Default: `null`.
            pub fn mode(self, mode: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `step.scalars`.
        #[derive(Debug, Clone)]
        pub struct StepScalars<'a>(Call<'a>);
        impl<'a> StepScalars<'a> {
            /// Only this metric; null for all. Default: `null`.
            pub fn metric(self, metric: &str) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `trace`.
        #[derive(Debug, Clone, Copy)]
        pub struct TraceQueries<'a>(&'a Session);
        impl<'a> TraceQueries<'a> {
            /// What ran when, on which thread or stream, at a resolution that fits on a screen?
            ///
            /// The window from `start` to `end` is cut into `bins` bins. An interval that lasts a bin or longer is a
            /// row of its own; shorter ones are merged by lane and bin, so that a row says how many there were (`n`),
            /// how long at least one ran (`busy`) and what the longest was. A lane is a thread or stream (`track`) and
            /// how many calls enclose the interval there (`depth`). The intervals of a lane lie side by side, except
            /// where some of a track overlap in part: none of them encloses the other, so that they lie over each other
            /// in one lane. Intervals that begin before the window or end after it are cut at its edges, and the window
            /// at those of the recording; one whose `end` is not after its `start` holds nothing. However long a
            /// recording is, a lane has at most about two rows for each bin, and only the `lanes` busiest lanes of a
            /// run are given.
            ///
            /// One rank of each run: the one that is asked for, else the lowest; of it the first recording that has
            /// anything in the window. Python functions and modules are intervals with `python`.
            ///
            /// Kernels that communicate (`nccl` in their name) have the category `communication`, as in view
            /// `device_work`.
            ///
            /// Left out: instants, the mark of the recording itself, and durations above seven days, which come of
            /// clocks that overflowed; calls that are enclosed by more than `depth` others.
            ///
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            /// - parameter `rank` (bigint): Rank to show; null for the lowest. Default: `null`.
            /// - parameter `bins` (bigint): Bins that the window is cut into, at least 1. Default: `400`.
            /// - parameter `python` (boolean): Whether Python functions and modules are intervals. Default: `false`.
            /// - parameter `depth` (bigint): Greatest number of enclosing calls, at least 0. Default: `8`.
            /// - parameter `lanes` (bigint): Greatest number of lanes of a run, at least 1. Default: `40`.
            /// - column `run` (text, id): run the intervals belong to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null on other devices than the CPU
            /// - column `track` (text, name): thread or stream
            /// - column `device` (text, name): device it ran on (cpu, gpu0); null when unknown
            /// - column `depth` (bigint, count): enclosing intervals on the track
            /// - column `category` (text, name): category of the interval, of several that of the longest
            /// - column `name` (text, name): name of the interval, of several that of the longest
            /// - column `ts` (bigint, time): start; of several that of their bin
            /// - column `dur` (bigint, ns): duration within the window; of several that of their bin
            /// - column `n` (bigint, count): how many intervals the row stands for
            /// - column `busy` (bigint, ns): time in which at least one of them ran
            /// - column `bin` (bigint, ns): length of a bin
            /// - column `window_ts` (bigint, time): begin of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `left_out` (bigint, count): lanes that the run has beyond those given
            pub fn timeline(self) -> TraceTimeline<'a> { loop {} }
        }

        /// A call of `trace.timeline`.
        #[derive(Debug, Clone)]
        pub struct TraceTimeline<'a>(Call<'a>);
        impl<'a> TraceTimeline<'a> {
            /// Begin of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Rank to show; null for the lowest. Default: `null`.
            pub fn rank(self, rank: i64) -> Self { loop {} }
            /// Bins that the window is cut into, at least 1. Default: `400`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Whether Python functions and modules are intervals. Default: `false`.
            pub fn python(self, python: bool) -> Self { loop {} }
            /// Greatest number of enclosing calls, at least 0. Default: `8`.
            pub fn depth(self, depth: i64) -> Self { loop {} }
            /// Greatest number of lanes of a run, at least 1. Default: `40`.
            pub fn lanes(self, lanes: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// The canned queries about `utilization`.
        #[derive(Debug, Clone, Copy)]
        pub struct UtilizationQueries<'a>(&'a Session);
        impl<'a> UtilizationQueries<'a> {
            /// What share of the samples was idle, in between or busy?
            ///
            /// The edges divide the values into buckets, in ascending order: three edges make two buckets. A bucket
            /// takes in its lower edge and not its upper one; the last one has both. The share is taken of all samples
            /// of the machine and quantity, so that it does not add up to 1 where values lie outside of the edges.
            ///
            /// Left out: quantities that were not recorded in percent.
            ///
            /// smdebug's `get_device_usage_stats` counts instead of giving shares, mixes the quantities of a resource,
            /// and has ranges that are closed at both ends and may overlap.
            ///
            /// - parameter `edges` (double[]): Edges of the buckets, in percent, ascending. Default: `[0, 10, 90, 100]`.
            /// - column `run` (text, id): run the samples belong to
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `bucket` (bigint, id): number of the bucket, from 0
            /// - column `lower` (double, percent): lower edge
            /// - column `upper` (double, percent): upper edge
            /// - column `n` (bigint, count): samples in the bucket
            /// - column `ratio` (double, ratio): their share of all samples of the machine and quantity
            pub fn buckets(self) -> UtilizationBuckets<'a> { loop {} }
            /// How busy were the machines in each phase of a run: before, during, between and after its steps?
            ///
            /// The phases are those of `job.phases`; phases of the same name are taken together. A sample belongs to
            /// the phase that began last before it or at its time. The phases of a run hold for all its machines.
            /// Quantities are never mixed, and percentiles are exact, as in `utilization.summary`.
            ///
            /// Left out: runs without steps, and samples without a time.
            ///
            /// - column `run` (text, id): run the samples belong to
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `unit` (text, name): unit of the values, as recorded
            /// - column `phase` (text, name): phase of the run
            /// - column `n` (bigint, count): samples
            /// - column `mean` (double, mixed): mean, in the unit of column unit
            /// - column `min` (double, mixed): least value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): greatest value
            /// - column `ts` (bigint, time): first sample in the phase
            pub fn by_phase(self) -> Call<'a> { loop {} }
            /// When was a GPU idle while a core was busy?
            ///
            /// One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms) in which the
            /// utilization of at least one GPU was at most `gpu` and that of at least one core above `cpu`. A core at
            /// its limit beside an idle GPU is a sign that preprocessing, or the Python that launches the work, cannot
            /// keep up. `utilization.gpu_load` has the share of such samples.
            ///
            /// smdebug's rule CPUBottleneck asks for a utilization below `gpu`, and reports the same snapshots where no
            /// value lies on the limit.
            ///
            /// - parameter `gpu` (double): Percent up to which a GPU is idle. Default: `10`.
            /// - parameter `cpu` (double): Percent above which a core is busy. Default: `90`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): first sample of the snapshot
            /// - column `gpus` (bigint, count): GPUs that were idle
            /// - column `cores` (bigint, count): cores that were busy
            /// - column `gpu_percent` (double, percent): utilization of the least busy GPU
            /// - column `cpu_percent` (double, percent): utilization of the busiest core
            pub fn cpu_bottleneck(self) -> UtilizationCpuBottleneck<'a> { loop {} }
            /// What did Lightning's DeviceStatsMonitor measure of the devices?
            ///
            /// One row per metric and hook, over all steps that were logged, which is each fiftieth unless the Trainer
            /// was told otherwise. What stands in `metrics.csv` and in event files of TensorBoard counts once.
            ///
            /// There is no utilization of a GPU in it: of CUDA devices it has counters of the memory allocator only.
            /// The load of the CPU is that of the whole machine since the call before; the first one means nothing, and
            /// calls that follow each other within a tenth of a second are not to be trusted, such as those of the
            /// start of a batch after the end of the one before. Running totals (`allocated_bytes.all.allocated`,
            /// `...freed`, `num_...`) only grow: of them `last` is what counts.
            ///
            /// - column `run` (text, id): run the statistics belong to
            /// - column `resource` (text, name): cpu, memory, gpu or allocator; null for a metric that nobody knows
            /// - column `device` (text, name): device measured; null for the whole machine, and where the monitor did not say
            /// - column `metric` (text, name): what was measured
            /// - column `hook` (text, name): hook of the training in which it was measured
            /// - column `unit` (text, name): unit of the values; null when nobody knows
            /// - column `n` (bigint, count): measurements
            /// - column `min` (double, mixed): least value, in the unit of column unit
            /// - column `mean` (double, mixed): mean
            /// - column `max` (double, mixed): greatest value
            /// - column `last` (double, mixed): value of the last step
            /// - column `first_step` (bigint, id): first step that has one
            /// - column `last_step` (bigint, id): last step that has one
            /// - column `raw_name` (text, name): name as the logger wrote it
            pub fn device_stats(self) -> Call<'a> { loop {} }
            /// Are the GPUs of a run equally busy?
            ///
            /// One row per pair of GPUs of a run, on whatever machines, with the Jensen-Shannon distance of the
            /// histograms of their utilization: the root of the mean of the Kullback-Leibler divergences to the average
            /// of both, with natural logarithms. It is 0 for equal histograms and 0.83 (root of ln 2) for GPUs that
            /// were never equally busy. 0 to 100 percent are cut into `bins` bins of equal width; 100 belongs to the
            /// last bin, as does what lies above, and what lies below 0 to the first.
            ///
            /// The definition is that of smdebug's rule LoadBalancing, which leaves out values above 98, and compares
            /// no two GPUs.
            ///
            /// - parameter `threshold` (double): Distance above which a pair is unbalanced. Default: `0.5`.
            /// - parameter `bins` (bigint): Bins of a histogram, at least 1. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine of the first GPU
            /// - column `device` (text, name): the first GPU
            /// - column `other_node` (text, id): machine of the second GPU
            /// - column `other_device` (text, name): the second GPU
            /// - column `n` (bigint, count): samples of the first GPU
            /// - column `other_n` (bigint, count): samples of the second GPU
            /// - column `gpu_percent` (double, percent): mean utilization of the first GPU
            /// - column `other_percent` (double, percent): mean utilization of the second GPU
            /// - column `distance` (double, factor): Jensen-Shannon distance of the two histograms
            /// - column `unbalanced` (boolean, flag): whether the distance is above `threshold`
            pub fn gpu_balance(self) -> UtilizationGpuBalance<'a> { loop {} }
            /// How busy was each device with kernels in the course of a run?
            ///
            /// For recordings without measurements of the machine: utilization from what ran. The time of each
            /// recording (`profiled_window`) is cut into `bins` bins of equal length; `ratio` is the share of a bin in
            /// which at least one kernel ran on the device. Bins in which none ran are there, with 0. Copies and fills
            /// do not count.
            ///
            /// `kernel.occupancy` has the share over the whole time, and how far the kernels filled the device. A
            /// recording without kernels has no rows.
            ///
            /// - parameter `bins` (bigint): Number of bins of a recording. Default: `200`.
            /// - column `run` (text, id): run the device belongs to
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `busy` (bigint, ns): time in which a kernel ran
            /// - column `ratio` (double, ratio): `busy` over `dur`
            pub fn gpu_from_kernels(self) -> UtilizationGpuFromKernels<'a> { loop {} }
            /// For what share of the time was each GPU busy, idle, or held up by the host?
            ///
            /// Shares of the samples of a GPU's utilization. `high`, `between` and `low` add up to 1: above `high`, up
            /// to `low`, and the rest. A low sample is a CPU bottleneck if the utilization of a core was above `cpu` in
            /// the same snapshot (view `system_snapshot`: what was measured within 20 ms), and an I/O bottleneck if the
            /// I/O wait of a core was above `io`; both are parts of `low_ratio`, and a sample may be both. `zero_ratio`
            /// and `below_ratio` are the first things to look at: a GPU at 0, and one below `below`.
            ///
            /// - parameter `low` (double): Percent up to which a GPU is idle. Default: `10`.
            /// - parameter `high` (double): Percent above which a GPU is busy. Default: `90`.
            /// - parameter `below` (double): Percent below which samples count for `below_ratio`. Default: `50`.
            /// - parameter `cpu` (double): Percent above which a core is busy. Default: `90`.
            /// - parameter `io` (double): Percent above which a core waits. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `n` (bigint, count): samples
            /// - column `mean` (double, percent): mean utilization
            /// - column `zero_ratio` (double, ratio): samples of 0
            /// - column `below_ratio` (double, ratio): samples less than `below`
            /// - column `low_ratio` (double, ratio): samples of at most `low`
            /// - column `between_ratio` (double, ratio): samples above `low` and at most `high`
            /// - column `high_ratio` (double, ratio): samples above `high`
            /// - column `cpu_bottleneck_ratio` (double, ratio): low samples beside a busy core
            /// - column `io_bottleneck_ratio` (double, ratio): low samples beside a core that waited
            pub fn gpu_load(self) -> UtilizationGpuLoad<'a> { loop {} }
            /// When was a GPU idle while a core waited for disks or network?
            ///
            /// One row per snapshot of a machine (view `system_snapshot`: what was measured within 20 ms) in which the
            /// utilization of at least one GPU was at most `gpu` and the I/O wait of at least one core above `io`. A
            /// core that waits beside an idle GPU is a sign that storage cannot keep up. `utilization.gpu_load` has the
            /// share of such samples.
            ///
            /// smdebug's rule IOBottleneck asks for a utilization below `gpu`, and reports the same snapshots where no
            /// value lies on the limit.
            ///
            /// - parameter `gpu` (double): Percent up to which a GPU is idle. Default: `10`.
            /// - parameter `io` (double): Percent above which a core waits. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): first sample of the snapshot
            /// - column `gpus` (bigint, count): GPUs that were idle
            /// - column `cores` (bigint, count): cores that waited
            /// - column `gpu_percent` (double, percent): utilization of the least busy GPU
            /// - column `io_percent` (double, percent): I/O wait of the core that waited most
            pub fn io_bottleneck(self) -> UtilizationIoBottleneck<'a> { loop {} }
            /// How did the load of the machines change in the course of a run?
            ///
            /// The time from the first to the last sample of a run is cut into at most `bins` bins of equal length, the
            /// same for all its machines and quantities; each row has mean, least and greatest value of one bin. Short
            /// stalls therefore stay visible in a long run. With `by_device` each core or accelerator has rows of its
            /// own; otherwise all devices of a machine are taken together and `device` is null. There are never more
            /// bins than samples of one device and quantity, so that a short run is not cut into bins without samples.
            ///
            /// Left out: empty bins, samples without a time, and with `start` or `end` what lies outside of that
            /// window, which the bins then divide.
            ///
            /// - parameter `bins` (bigint): Greatest number of bins, at least 1. Default: `200`.
            /// - parameter `by_device` (boolean): Whether each device has rows of its own. Default: `false`.
            /// - parameter `start` (bigint): Begin of the window, in ns since the Unix epoch; null for the first sample. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last sample. Default: `null`.
            /// - column `run` (text, id): run the samples belong to
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `unit` (text, name): unit of the values, as recorded
            /// - column `device` (text, name): device (cpu5, gpu0); null for all devices of the machine
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): samples in it
            /// - column `mean` (double, mixed): mean, in the unit of column unit
            /// - column `min` (double, mixed): least value
            /// - column `max` (double, mixed): greatest value
            pub fn over_time(self) -> UtilizationOverTime<'a> { loop {} }
            /// How many samples lie in each of the ranges that I give?
            ///
            /// Range number i goes from `lowers[i]` to `uppers[i]`, both of them included. Ranges may leave gaps and
            /// overlap: a sample counts for the first range in the lists that holds it. The row without a `bucket` has
            /// the samples that lie in none, so that the counts of a machine and quantity add up to all its samples.
            /// `utilization.buckets` takes edges instead, and has no gaps.
            ///
            /// Left out: quantities that were not recorded in percent.
            ///
            /// The ranges are those of `get_device_usage_stats` of smdebug, the defaults too; it mixes the quantities
            /// of a resource, and does not say how many samples lie in none.
            ///
            /// - parameter `lowers` (double[]): Lower ends of the ranges, in percent. Default: `[90, 10, 0]`.
            /// - parameter `uppers` (double[]): Upper ends of the ranges, as many. Default: `[100, 90, 10]`.
            /// - column `run` (text, id): run the samples belong to
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `bucket` (bigint, id): place of the range in the lists, from 0; null for what lies in none
            /// - column `lower` (double, percent): lower end
            /// - column `upper` (double, percent): upper end
            /// - column `n` (bigint, count): samples
            /// - column `ratio` (double, ratio): their share of all samples of the machine and quantity
            pub fn ranges(self) -> UtilizationRanges<'a> { loop {} }
            /// How busy were the machines of a run?
            ///
            /// One row per machine and measured quantity, over all its devices and all times. Quantities are never
            /// mixed: CPU utilization and I/O wait are two rows, and so are operations and bytes per second.
            /// Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// smdebug's `get_utilization_stats` has one row per resource, which mixes all its quantities; where a
            /// resource has only one (memory), the numbers are the same.
            ///
            /// - column `run` (text, id): run the samples belong to
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): what was measured
            /// - column `unit` (text, name): unit of the values, as recorded
            /// - column `n` (bigint, count): samples
            /// - column `mean` (double, mixed): mean, in the unit of column unit
            /// - column `min` (double, mixed): least value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): greatest value
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// A call of `utilization.buckets`.
        #[derive(Debug, Clone)]
        pub struct UtilizationBuckets<'a>(Call<'a>);
        impl<'a> UtilizationBuckets<'a> {
            /// Edges of the buckets, in percent, ascending. Default: `[0, 10, 90, 100]`.
            pub fn edges(self, edges: &[f64]) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.cpu_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct UtilizationCpuBottleneck<'a>(Call<'a>);
        impl<'a> UtilizationCpuBottleneck<'a> {
            /// Percent up to which a GPU is idle. Default: `10`.
            pub fn gpu(self, gpu: f64) -> Self { loop {} }
            /// Percent above which a core is busy. Default: `90`.
            pub fn cpu(self, cpu: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.gpu_balance`.
        #[derive(Debug, Clone)]
        pub struct UtilizationGpuBalance<'a>(Call<'a>);
        impl<'a> UtilizationGpuBalance<'a> {
            /// Distance above which a pair is unbalanced. Default: `0.5`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Bins of a histogram, at least 1. Default: `50`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.gpu_from_kernels`.
        #[derive(Debug, Clone)]
        pub struct UtilizationGpuFromKernels<'a>(Call<'a>);
        impl<'a> UtilizationGpuFromKernels<'a> {
            /// Number of bins of a recording. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.gpu_load`.
        #[derive(Debug, Clone)]
        pub struct UtilizationGpuLoad<'a>(Call<'a>);
        impl<'a> UtilizationGpuLoad<'a> {
            /// Percent up to which a GPU is idle. Default: `10`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Percent above which a GPU is busy. Default: `90`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Percent below which samples count for `below_ratio`. Default: `50`.
            pub fn below(self, below: f64) -> Self { loop {} }
            /// Percent above which a core is busy. Default: `90`.
            pub fn cpu(self, cpu: f64) -> Self { loop {} }
            /// Percent above which a core waits. Default: `50`.
            pub fn io(self, io: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.io_bottleneck`.
        #[derive(Debug, Clone)]
        pub struct UtilizationIoBottleneck<'a>(Call<'a>);
        impl<'a> UtilizationIoBottleneck<'a> {
            /// Percent up to which a GPU is idle. Default: `10`.
            pub fn gpu(self, gpu: f64) -> Self { loop {} }
            /// Percent above which a core waits. Default: `50`.
            pub fn io(self, io: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.over_time`.
        #[derive(Debug, Clone)]
        pub struct UtilizationOverTime<'a>(Call<'a>);
        impl<'a> UtilizationOverTime<'a> {
            /// Greatest number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Whether each device has rows of its own. Default: `false`.
            pub fn by_device(self, by_device: bool) -> Self { loop {} }
            /// Begin of the window, in ns since the Unix epoch; null for the first sample. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last sample. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `utilization.ranges`.
        #[derive(Debug, Clone)]
        pub struct UtilizationRanges<'a>(Call<'a>);
        impl<'a> UtilizationRanges<'a> {
            /// Lower ends of the ranges, in percent. Default: `[90, 10, 0]`.
            pub fn lowers(self, lowers: &[f64]) -> Self { loop {} }
            /// Upper ends of the ranges, as many. Default: `[100, 90, 10]`.
            pub fn uppers(self, uppers: &[f64]) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }
    }

    pub use error::{Error, ErrorKind, Result};
    pub use figure::Drawn;
    pub use frame::Frame;
    pub use ingest::{Report, Request};
    pub use own_profile::{OwnProfile, own_profile};
    pub use session::{Follow, Following, Open, Session, Value, create, open, open_default, open_default_with, open_with};
    pub use source::Traffic;
    pub use unit::{Type, Unit};
}
#[cfg(rust_analyzer)]
pub use stub::*;
