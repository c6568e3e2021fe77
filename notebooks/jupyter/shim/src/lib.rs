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
            /// How long did each action of a PyTorch Lightning job take, with and without the actions inside it?
            ///
            /// One row per action of a report of SimpleProfiler or AdvancedProfiler, longest first. Actions are nested,
            /// so `total_s` and `percent` do not add up. `own_s` excludes the actions directly inside and does add up
            /// (`action.tree`). If a later report continues an earlier one, the earlier one is excluded (view
            /// `action_latest`), so that nothing is counted twice. For example, the report of a test continues that of
            /// the fit before it.
            ///
            /// Times are as printed: with five digits by SimpleProfiler, with three decimals by AdvancedProfiler.
            /// AdvancedProfiler stops the time of an action when another action begins inside it. `truncated` marks
            /// such actions. Do not compare their times with other times.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `report` (bigint, id): report within the file, from 0
            /// - column `stage` (text, name): stage of Lightning: fit, validate, test or predict; null when unknown
            /// - column `action` (text, name): name of the action of Lightning
            /// - column `calls` (bigint, count): calls; null from AdvancedProfiler
            /// - column `mean_s` (double, s): mean duration; null from AdvancedProfiler
            /// - column `total_s` (double, s): total duration
            /// - column `percent` (double, percent): share of the time since the profiler was made, as reported
            /// - column `own_s` (double, s): time in it alone; without the actions directly within; null when unknown
            /// - column `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small
            pub fn summary(self) -> Call<'a> { loop {} }
            /// Which actions of a PyTorch Lightning job ran inside which others, and where did the time go?
            ///
            /// The rows of `action.summary`, depth first: each action is below the action that encloses it, and the
            /// longest is first. The nesting is known from Lightning's loops, not from the report (view
            /// `action_nested`). For each parent, the `parent_ratio` of its actions and the share of its `own_s` add up
            /// to 1.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `report` (bigint, id): report within the file, from 0
            /// - column `sort_path` (text, id): sorts the actions of a report depth first
            /// - column `depth` (bigint, count): rows that enclose it
            /// - column `action` (text, name): name of the action of Lightning
            /// - column `parent_action` (text, name): action around it; null for one that stands by itself
            /// - column `calls` (bigint, count): calls; null from AdvancedProfiler
            /// - column `total_s` (double, s): total duration
            /// - column `own_s` (double, s): time in it alone; without the actions directly within; null when unknown
            /// - column `parent_ratio` (double, ratio): `total_s` over that of `parent_action`; null where that was cut short
            /// - column `truncated` (boolean, flag): whether actions within cut it short, so that `total_s` is too small
            pub fn tree(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `annotation`.
        #[derive(Debug, Clone, Copy)]
        pub struct AnnotationQueries<'a>(&'a Session);
        impl<'a> AnnotationQueries<'a> {
            /// What did the marked ranges of the program run on the device, and how long did that take there?
            ///
            /// One row per name and process rank, for ranges on the host that contain launches of device work. Ranges
            /// are annotations, step marks, calls of a data loader, collectives and operators. Kernels, copies and
            /// fills belong to a range if the call that launched them lies inside it, on the same thread of the same
            /// process. The projection of a range lasts from the start of its first device work to the end of its last,
            /// on any device and stream. Gaps count. Work that other threads launched in the meantime does not count.
            /// Work belongs to all ranges around its call, not only to the innermost one, so sums over different names
            /// count it more than once. If ranges overlap in part, each range has the work of the calls inside it.
            ///
            /// The definition is that of the report `nvtx_gpu_proj_sum` of `nsys stats`, which writes the domain in
            /// front of the name of the range. A graph that was recorded as a whole is one operation. A trace of
            /// PyTorch has other ranges, drawn on the device (`annotation.summary`, `device`). `operator.summary` adds
            /// up the durations of device work instead.
            ///
            /// Excluded: ranges without device work, ranges that ended on another thread, ranges that were never
            /// closed, and work without a recorded launch.
            ///
            /// - column `run` (text, id): name of the run
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
            /// - column `dur_sum` (bigint, ns): sum of the durations
            pub fn gpu_projection(self) -> Call<'a> { loop {} }
            /// How long did the marked ranges of the program last, on the host and on the device?
            ///
            /// One row per name, device, process rank and domain. An annotation is a range that the program or PyTorch
            /// marked: `record_function`, ranges of NVTX, optimizer steps, collectives, calls of a data loader and step
            /// marks. On the host it lasts as long as the marked code. On a device, the profiler of PyTorch draws it
            /// from the first to the last kernel launched inside. For recordings of Nsight Systems,
            /// `annotation.gpu_projection` computes this.
            ///
            /// `dur_sum` adds up durations, so parallel or nested ranges count more than once. `busy` is the time in
            /// which at least one of that name ran. Percentiles are exact, with linear interpolation between the
            /// closest values.
            ///
            /// The numbers are those of `get_gpu_user_annotation_breakdown` of HTA with all its steps, and of the
            /// report `nvtx_sum` of `nsys stats`. That report writes the domain in front of the name of the range.
            ///
            /// Excluded: operators, which PyTorch also marks with NVTX (`operator.summary`), and ranges that were never
            /// closed.
            ///
            /// - column `run` (text, id): name of the run
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
            /// Did the share of time spent waiting for data, the load of the machines or the memory in use change?
            ///
            /// One row per quantity. Quantities are the share of time in which processes waited for data
            /// (`job.key_metrics`) and the maximum memory in use on each device. Means of the measurements of cores,
            /// GPUs, memory, disks and network are also quantities. `a` and `b` are lists of runs, which the query
            /// compares as two groups. Without `b`, it compares each run by itself with side a. With `a_span` and
            /// `b_span`, it compares two recordings of a run.
            ///
            /// Each run has one value. The interval therefore covers the noise between runs, but not the variation
            /// within a run (`change.steps`).
            ///
            /// - parameter `a` (text[]): Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            /// - parameter `confidence` (double): Share of such intervals that contain the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): Only this recording of the runs of side b; null for all. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): loader, utilization or memory
            /// - column `name` (text, name): quantity or device
            /// - column `statistic` (text, name): mean or max
            /// - column `unit` (text, name): unit as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            /// - column `kind` (text, name): added, gone, more, less, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn measures(self) -> ChangeMeasures<'a> { loop {} }
            /// What changed between two runs or groups of runs, and by how much?
            ///
            /// The rows of `change.steps`, `change.roles`, `change.measures` and `change.work` in one result. Rows that
            /// are not part of a step come first, then the rows that add most to a step. Rows that became faster come
            /// last. Of operators and kernels, only those with the largest changes are shown. The rows of steps, roles,
            /// operators and kernels describe the same time in four ways: add up those of one subject only.
            ///
            /// `a` and `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run
            /// by itself with side a. With `a_span` and `b_span`, it compares two recordings of a run. `change.steps`
            /// explains the intervals.
            ///
            /// - parameter `a` (text[]): Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            /// - parameter `confidence` (double): Share of such intervals that contain the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): Only this recording of the runs of side b; null for all. Default: `null`.
            /// - parameter `top` (bigint): Number of operators and kernels shown per run, those with the largest changes, at least 0. Default: `20`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): step, role, loader, utilization, memory, operator or kernel
            /// - column `name` (text, name): mode, role, quantity, device, operator or kernel
            /// - column `statistic` (text, name): p50, p95, mean, max or sum
            /// - column `unit` (text, name): unit as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            /// - column `kind` (text, name): added, gone, slower, faster (more or less if it is not a time), or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn report(self) -> ChangeReport<'a> { loop {} }
            /// Which part of a step became slower or faster: device, communication, data loading, host?
            ///
            /// One row per role of `step.breakdown`, with its mean time in a step of a rank. The changes of all roles
            /// add up to the change of the mean step. `a` and `b` are lists of runs, which the query compares as two
            /// groups. Without `b`, it compares each run by itself with side a. With `a_span` and `b_span`, it compares
            /// two recordings of a run.
            ///
            /// Intervals are those of a mean and include the noise between runs that `change.steps` explains. Small
            /// roles vary a lot.
            ///
            /// Excluded: steps that a recording cut short.
            ///
            /// - parameter `a` (text[]): Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            /// - parameter `confidence` (double): Share of such intervals that contain the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): Only this recording of the runs of side b; null for all. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): role
            /// - column `name` (text, name): kernel, memcpy, memset, communication, runtime, loader, cpu or other
            /// - column `statistic` (text, name): mean
            /// - column `unit` (text, name): unit as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn roles(self) -> ChangeRoles<'a> { loop {} }
            /// Did steps become slower or faster, and is that more than noise?
            ///
            /// One row per mode of the steps and statistic. `change_steps(['before'], ['after'])` compares two runs.
            /// `a` and `b` are lists of runs, which the query compares as two groups. Without `b`, it compares each run
            /// by itself with side a. With `a_span` and `b_span`, it compares two recordings of a run. For several
            /// runs, a value is the mean over the runs. Durations are those of `step.duration`.
            ///
            /// `low` and `high` are the ends of an interval of the ratio, with the given `confidence`. The interval
            /// covers two kinds of noise. The first is the variation of the steps within a run, by their order
            /// statistics. The second is the noise between runs of the same code. It is estimated from the runs of a
            /// side and from `noise`, which counts as if it had been measured on five runs. An end is null if there are
            /// too few steps for it: a 95th percentile needs about 73. A change is `significant` if the interval
            /// excludes 1.
            ///
            /// Excluded: steps that a recording cut short.
            ///
            /// - parameter `a` (text[]): Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            /// - parameter `confidence` (double): Share of such intervals that contain the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): Only this recording of the runs of side b; null for all. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): step
            /// - column `name` (text, name): mode of the steps; step when the profiler did not say
            /// - column `statistic` (text, name): p50, p95 or mean
            /// - column `unit` (text, name): unit as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn steps(self) -> ChangeSteps<'a> { loop {} }
            /// Which operators and kernels take more or less of the time of a step?
            ///
            /// One row per operator, with its host time without the calls inside it. One row per kernel or copy, with
            /// its time on the devices. Both times are summed and divided by the number of steps. `a` and `b` are lists
            /// of runs, which the query compares as two groups. Without `b`, it compares each run by itself with side
            /// a. With `a_span` and `b_span`, it compares two recordings of a run.
            ///
            /// Each run has one value. The interval therefore covers the noise between runs, but not the variation
            /// within a run (`change.steps`).
            ///
            /// - parameter `a` (text[]): Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            /// - parameter `b` (text[]): Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            /// - parameter `noise` (double): Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            /// - parameter `confidence` (double): Share of such intervals that contain the true ratio. Default: `0.95`.
            /// - parameter `a_span` (bigint): Only this recording of the runs of side a; null for all. Default: `null`.
            /// - parameter `b_span` (bigint): Only this recording of the runs of side b; null for all. Default: `null`.
            /// - column `run` (text, id): what is compared: the run, or the names of all runs of side b
            /// - column `subject` (text, name): operator or kernel
            /// - column `name` (text, name): name of the operator or kernel
            /// - column `statistic` (text, name): sum over a step
            /// - column `unit` (text, name): unit as recorded
            /// - column `a` (double, mixed): value of side a, in the unit of column unit; null where it has none
            /// - column `b` (double, mixed): the same of side b
            /// - column `change` (double, mixed): `b` less `a`
            /// - column `ratio` (double, factor): `b` over `a`; null unless both are positive
            /// - column `low` (double, factor): lower end of the interval of `ratio`; null when unknown
            /// - column `high` (double, factor): upper end of it
            /// - column `significant` (boolean, flag): whether the interval leaves out 1; null when unknown
            /// - column `contribution` (double, ns): what the change adds to a step; null if it is not a part of a step
            /// - column `kind` (text, name): added, gone, slower, faster, or same when it may be noise
            /// - column `runs_a` (bigint, count): runs of side a with values
            /// - column `runs_b` (bigint, count): the same of side b
            pub fn work(self) -> ChangeWork<'a> { loop {} }
        }

        /// A call of `change.measures`.
        #[derive(Debug, Clone)]
        pub struct ChangeMeasures<'a>(Call<'a>);
        impl<'a> ChangeMeasures<'a> {
            /// Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// Share of such intervals that contain the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// Only this recording of the runs of side b; null for all. Default: `null`.
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
            /// Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// Share of such intervals that contain the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// Only this recording of the runs of side b; null for all. Default: `null`.
            pub fn b_span(self, b_span: i64) -> Self { loop {} }
            /// Number of operators and kernels shown per run, those with the largest changes, at least 0. Default: `20`.
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
            /// Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// Share of such intervals that contain the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// Only this recording of the runs of side b; null for all. Default: `null`.
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
            /// Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// Share of such intervals that contain the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// Only this recording of the runs of side b; null for all. Default: `null`.
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
            /// Runs of side a, the baseline; null for the runs of side b. Default: `null`.
            pub fn a(self, a: &[&str]) -> Self { loop {} }
            /// Runs of side b, the candidates, taken together; null for each run by itself. Default: `null`.
            pub fn b(self, b: &[&str]) -> Self { loop {} }
            /// Standard deviation between runs of the same code, relative to the value, at least 0. Default: `0.005`.
            pub fn noise(self, noise: f64) -> Self { loop {} }
            /// Share of such intervals that contain the true ratio. Default: `0.95`.
            pub fn confidence(self, confidence: f64) -> Self { loop {} }
            /// Only this recording of the runs of side a; null for all. Default: `null`.
            pub fn a_span(self, a_span: i64) -> Self { loop {} }
            /// Only this recording of the runs of side b; null for all. Default: `null`.
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
            /// running. `track_n` counts the same for the whole track of the event: its phase, thread or stream. Ranks
            /// and machines are taken together. To find the cause of a bottleneck, compare a list of times inside it
            /// with a list of other times. Without a list, the query profiles the whole run at 100 evenly spread times.
            /// An event runs from its start until just before its end. A time that is given twice counts once.
            ///
            /// `get_framework_metrics_by_timesteps` of smdebug instead adds up the full durations of the events, once
            /// for each time, and excludes the last time.
            ///
            /// - parameter `times` (bigint[]): Times in ns since the Unix epoch; null for 100 times evenly spread over the run. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `category` (text, name): what sort of work it is
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `name` (text, name): name of the event
            /// - column `n` (bigint, count): times at which it ran
            /// - column `ratio` (double, ratio): their share of all given times
            /// - column `track_n` (bigint, count): times at which anything ran on the track
            /// - column `track_ratio` (double, ratio): their share of all given times
            pub fn at_times(self) -> EventAtTimes<'a> { loop {} }
            /// What ran during given time windows, and for what share of them?
            ///
            /// Window number i begins at `starts[i]` and ends before `ends[i]`. Overlapping windows count as one. One
            /// row per name of an event, with the time in which at least one event of that name was running.
            /// `track_busy` is the same for the whole track of the event: its phase, thread or stream. If an event
            /// reaches beyond a window, only the part inside counts. Ranks and machines are taken together. For
            /// example, compare the windows of slow steps with those of the other steps. Without lists, the windows are
            /// the steps of the run.
            ///
            /// `get_framework_metrics_by_begin_and_end_timesteps` of smdebug adds up the full durations of all events
            /// that touch a window.
            ///
            /// - parameter `starts` (bigint[]): Starts of the windows in ns since the Unix epoch; null for the steps of the run. Default: `null`.
            /// - parameter `ends` (bigint[]): Ends of the windows in ns since the Unix epoch, one for each start. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `category` (text, name): what sort of work it is
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `name` (text, name): name of the event
            /// - column `busy` (bigint, ns): time in which at least one ran; within the windows
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
            /// Starts of the windows in ns since the Unix epoch; null for the steps of the run. Default: `null`.
            pub fn starts(self, starts: &[i64]) -> Self { loop {} }
            /// Ends of the windows in ns since the Unix epoch, one for each start. Default: `null`.
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
            /// Is accelerator utilization below the MLPerf Storage target?
            ///
            /// Accelerator utilization is compute time divided by the sum of compute time and waiting time. The first
            /// batch of each pass is excluded. The value is the mean of the loops (`loader.utilization`). It does not
            /// show what the accelerator did while the loop computed.
            ///
            /// - parameter `target` (double): Accelerator utilization below which it is low; MLPerf Storage requires 0.7 for some models. Default: `0.9`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn accelerator_utilization_low(self) -> FindingAcceleratorUtilizationLow<'a> { loop {} }
            /// Is the GPU busy most of the time?
            ///
            /// GPU utilization is that of view `evidence_gpu`. Above `target`, data loading does not limit training,
            /// even if the share of waiting is large. This finding is a good sign, not a problem. Its severity is
            /// always notice.
            ///
            /// - parameter `target` (double): GPU utilization above which the GPU counts as busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn balanced(self) -> FindingBalanced<'a> { loop {} }
            /// Do the waits for batches vary a lot?
            ///
            /// The value is the 95th percentile of the waits divided by their median. First batches of a pass are
            /// excluded. Too few workers deliver batches in bursts. In that case, the number of batches from one long
            /// wait to the next equals the number of workers.
            ///
            /// - parameter `factor` (double): Ratio of the 95th percentile to the median above which the finding is a notice. Default: `2.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn batch_time_unsteady(self) -> FindingBatchTimeUnsteady<'a> { loop {} }
            /// Is there room for larger batches?
            ///
            /// This is smdebug's rule BatchSize, evaluated at the end of each minute once there are more than
            /// `patience` values. It takes the 95th percentile of the last 500 values of three series: the mean
            /// utilization of the cores, the utilization of a GPU, and the use of the memory of that GPU. All three
            /// percentiles must be below `limit`. The largest of the three counts. The value is its minimum over all
            /// GPUs and minutes (view `evidence_minute`).
            ///
            /// - parameter `limit` (double): 95th percentile below which cores, GPU and memory have room. Default: `0.7`.
            /// - parameter `patience` (bigint): Number of values of each series; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn batch_too_small(self) -> FindingBatchTooSmall<'a> { loop {} }
            /// Is there much time between batches although the next batch is ready?
            ///
            /// A pause is a batch that takes at least twice the median of its loop and spends more of the extra time on
            /// other work than on waiting for data. The value is the extra time of all pauses divided by the time of
            /// the loop (view `evidence_pause`). First batches of a pass are excluded.
            ///
            /// - parameter `warning` (double): Share of loop time above which the finding is a warning. Default: `0.2`.
            /// - parameter `notice` (double): Share of loop time above which the finding is a notice. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn between_batches_slow(self) -> FindingBetweenBatchesSlow<'a> { loop {} }
            /// Does training stop while checkpoints are saved?
            ///
            /// The value is the share of time, from the first to the last step, that is spent in long gaps between
            /// steps during which something was saved. With a report of Lightning's SimpleProfiler, it is the share of
            /// training time that the report attributes to saving (view `evidence_checkpoint`). Above `notice` the
            /// finding is a notice, above `warning` a warning. If no recording shows whether something was saved in the
            /// long gaps, there is not enough data.
            ///
            /// - parameter `warning` (double): Share above which the finding is a warning. Default: `0.2`.
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn checkpoint_stalls(self) -> FindingCheckpointStalls<'a> { loop {} }
            /// Is most of the communication exposed, that is, not hidden by computation?
            ///
            /// The value is the share of communication kernel time during which no compute kernel runs (exposed
            /// communication: 1 minus HTA's overlap). The finding also requires that exposed communication takes more
            /// than `notable` of step time.
            ///
            /// - parameter `high` (double): Share of communication time above which exposed communication is high. Default: `0.5`.
            /// - parameter `notable` (double): Share of step time above which exposed communication matters. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn communication_exposed(self) -> FindingCommunicationExposed<'a> { loop {} }
            /// Do collectives take a large share of the step?
            ///
            /// The value is the share of step time in which a rank only communicates (exposed communication, view
            /// `evidence_role`), for the rank with the largest share. It includes waiting for the other ranks. It is
            /// the TensorBoard plugin's share of communication.
            ///
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.1`.
            /// - parameter `warning` (double): Share above which the finding is a warning. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn communication_high(self) -> FindingCommunicationHigh<'a> { loop {} }
            /// Are GPUs idle because the CPU cannot keep up?
            ///
            /// This is smdebug's rule CPUBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is
            /// below 10 % while that of a core is above 90 %. More than `patience` snapshots are required. A snapshot
            /// is a set of samples with nearly the same time. It counts if it has samples of both a GPU and the cores
            /// (view `evidence_machine`). `rules.cpu_bottleneck` counts all snapshots.
            ///
            /// - parameter `limit` (double): Share of snapshots above which the CPU is a bottleneck. Default: `0.5`.
            /// - parameter `patience` (bigint): Number of snapshots; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn cpu_bottleneck(self) -> FindingCpuBottleneck<'a> { loop {} }
            /// Does one process drive several GPUs with DataParallel?
            ///
            /// The finding applies if a trace contains calls of DataParallel and its process used more than one device.
            ///
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn data_parallel(self) -> Call<'a> { loop {} }
            /// Do the ranks of a GPU job communicate through a backend other than NCCL?
            ///
            /// Checks the backend that the trace names (`distributedInfo`). The finding applies only to jobs with
            /// several ranks and GPU work.
            ///
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn ddp_without_nccl(self) -> Call<'a> { loop {} }
            /// What share of the loop is evaluation?
            ///
            /// The value is evaluation time divided by the sum of training and evaluation time (view
            /// `evidence_evaluation`). It includes the time between the steps. The times come from steps with a
            /// recorded mode, or from the training epochs in a report of Lightning's SimpleProfiler. In such a report,
            /// the sanity check counts as evaluation.
            ///
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn evaluation_share(self) -> FindingEvaluationShare<'a> { loop {} }
            /// Are the recorded files corrupt or incomplete?
            ///
            /// Counts entries that were skipped or repaired, files that are truncated, empty or unreadable, and
            /// recordings without an end (view `evidence_problem`). The other findings of such a run use only the
            /// remaining data.
            ///
            /// - parameter `limit` (bigint): Corrupt entries and unreadable files above which the finding is a notice, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn evidence_corrupt(self) -> FindingEvidenceCorrupt<'a> { loop {} }
            /// Is the first batch of an epoch much slower than the others?
            ///
            /// In each pass, the wait for the first batch is divided by the median of the other waits. The value is the
            /// maximum over the passes.
            ///
            /// - parameter `factor` (double): Ratio of the first wait to the median of the others above which the finding is a notice. Default: `10.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn first_batch_slow(self) -> FindingFirstBatchSlow<'a> { loop {} }
            /// Is GPU utilization neither low nor high?
            ///
            /// PyTorch's tutorial calls GPU utilization below `low` a problem and above `target` the goal. It does not
            /// rate the values in between, which include both limits. This finding reports such a value without rating
            /// it. GPU utilization is that of view `evidence_gpu`.
            ///
            /// - parameter `low` (double): GPU utilization below which the GPU counts as idle. Default: `0.5`.
            /// - parameter `target` (double): GPU utilization above which the GPU counts as busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_between(self) -> FindingGpuBetween<'a> { loop {} }
            /// Does a GPU alternate between busy and idle?
            ///
            /// This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than
            /// `patience` values. Of the last 500 values of a GPU, the 95th percentile is above `busy` and the 5th
            /// percentile is below `limit`. The value is the minimum 5th percentile over all GPUs and minutes in which
            /// the 95th percentile is above `busy` (view `evidence_minute`).
            ///
            /// - parameter `limit` (double): 5th percentile of utilization below which a GPU that is busy at other times fluctuates. Default: `0.1`.
            /// - parameter `busy` (double): 95th percentile of utilization above which the GPU is busy at other times. Default: `0.7`.
            /// - parameter `patience` (bigint): Number of values; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_fluctuating(self) -> FindingGpuFluctuating<'a> { loop {} }
            /// Is the GPU idle for a reason other than data loading?
            ///
            /// GPU utilization is below `low`, although the share of waiting (view `evidence_load`) is not above
            /// `notable`. With a larger share, waiting for data is a cause: see `load_share_high` and
            /// `gpu_starved_by_loader`.
            ///
            /// - parameter `low` (double): GPU utilization below which the GPU counts as idle. Default: `0.5`.
            /// - parameter `notable` (double): Share of waiting up to which waiting for data is not a cause. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_low_not_loader(self) -> FindingGpuLowNotLoader<'a> { loop {} }
            /// Does the memory use of a GPU keep growing?
            ///
            /// With more than 1000 samples in percent, this is smdebug's rule GPUMemoryIncrease: the mean of ten values
            /// exceeds the mean of the values before by more than `points` percentage points. With fewer samples, or if
            /// the memory allocated by an allocator was logged instead, the last tenth of the values is compared with
            /// the second tenth, as in `host_memory_growth`. Column `threshold` has the limit that applies.
            ///
            /// - parameter `points` (double): Growth in percentage points of device memory above which the finding is a warning. Default: `5`.
            /// - parameter `factor` (double): Ratio of the last tenth to the second tenth above which memory grows. Default: `1.1`.
            /// - parameter `rising` (double): Minimum share of the changes between tenths that go up. Default: `0.8`.
            /// - parameter `min_values` (bigint): Minimum number of values, at least 10. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_memory_growth(self) -> FindingGpuMemoryGrowth<'a> { loop {} }
            /// Is the memory of a GPU nearly full?
            ///
            /// The value is the maximum share of device memory that an allocator had allocated, or that samples show in
            /// use (view `evidence_memory`). Samples include memory that the allocator only caches. A high share in
            /// samples is therefore not always a risk. The sentence names the source.
            ///
            /// - parameter `warning` (double): Share above which the finding is a warning. Default: `0.97`.
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.9`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_memory_peak(self) -> FindingGpuMemoryPeak<'a> { loop {} }
            /// Are the GPUs idle because data arrives too slowly?
            ///
            /// GPU utilization is below `low` while the share of waiting (view `evidence_load`) is above `high`:
            /// waiting for data is the main cause. A share between `notable` and `high` (0.05 and 0.2 by default) is
            /// too small for this finding. `load_share_high` reports it as a notice, and `unattributed` names it as one
            /// cause.
            ///
            /// - parameter `low` (double): GPU utilization below which the GPU counts as idle. Default: `0.5`.
            /// - parameter `high` (double): Share of waiting above which it is high. Default: `0.2`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_starved_by_loader(self) -> FindingGpuStarvedByLoader<'a> { loop {} }
            /// Does a GPU have little work?
            ///
            /// This is smdebug's rule LowGPUUtilization, evaluated at the end of each minute once there are more than
            /// `patience` values: the 95th percentile of the last 500 values of a GPU is below `limit`. The value is
            /// the minimum over all GPUs and minutes (view `evidence_minute`). Minutes at the end of a run, after
            /// training has ended, count too.
            ///
            /// - parameter `limit` (double): 95th percentile of utilization below which a GPU is underused. Default: `0.7`.
            /// - parameter `patience` (bigint): Number of values; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn gpu_underused(self) -> FindingGpuUnderused<'a> { loop {} }
            /// Does the use of main memory keep growing?
            ///
            /// The mean of the last tenth of the values is above `factor` times that of the second tenth, and at least
            /// `rising` of the nine changes between the means of the tenths go up (view `evidence_growth`). The main
            /// memory of each machine is one series. In recordings of `tracelake record`, each process is also a
            /// series. The finding checks one series: the one that grows most. Series that go up that often have
            /// priority.
            ///
            /// - parameter `factor` (double): Ratio of the last tenth to the second tenth above which memory grows. Default: `1.1`.
            /// - parameter `rising` (double): Minimum share of the changes between tenths that go up. Default: `0.8`.
            /// - parameter `min_values` (bigint): Minimum number of values, at least 10. Default: `50`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn host_memory_growth(self) -> FindingHostMemoryGrowth<'a> { loop {} }
            /// Do copies to the device delay the steps?
            ///
            /// The value is the share of step time in which a copy runs and no kernel runs (exposed copies, view
            /// `evidence_role`), for the rank with the largest share. At least half of the copy time must go from host
            /// to device.
            ///
            /// - parameter `notice` (double): Share from which the finding is a notice. Default: `0.1`.
            /// - parameter `warning` (double): Share from which the finding is a warning. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn host_to_device_copy(self) -> FindingHostToDeviceCopy<'a> { loop {} }
            /// How much faster would an epoch be without data loading?
            ///
            /// The value is the real time of a pass divided by its ideal time. The ideal time is that of a pass that
            /// replays batches cached in memory.
            ///
            /// - parameter `critical` (double): Speed-up above which the finding is critical: loading is the bottleneck. Default: `1.5`.
            /// - parameter `warning` (double): Speed-up above which the finding is a warning: there is something to gain. Default: `1.1`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn ideal_speedup(self) -> FindingIdealSpeedup<'a> { loop {} }
            /// Is data ready before the loop requests it?
            ///
            /// The value is the share of waits of at most 50 us. From `ratio` on, data is ready in time because
            /// prefetching is ahead of training. This finding is for information only: its outcome is `passed` or
            /// `no_data`, never `found`. A low share is not a problem by itself; `load_share_high` checks whether the
            /// waits slow training down.
            ///
            /// - parameter `ratio` (double): Share of waits of at most 50 us from which data counts as ready. Default: `0.95`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn input_ready(self) -> FindingInputReady<'a> { loop {} }
            /// Are GPUs idle because disks or the network cannot keep up?
            ///
            /// This is smdebug's rule IOBottleneck: in more than `limit` of the snapshots, the utilization of a GPU is
            /// below 10 % while a core spends more than half of its time in I/O wait. More than `patience` snapshots
            /// are required. A snapshot is a set of samples with nearly the same time. It counts if it has samples of
            /// both a GPU and the I/O wait (view `evidence_machine`). `rules.io_bottleneck` counts all snapshots.
            ///
            /// - parameter `limit` (double): Share of snapshots above which I/O is a bottleneck. Default: `0.5`.
            /// - parameter `patience` (bigint): Number of snapshots; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn io_bottleneck(self) -> FindingIoBottleneck<'a> { loop {} }
            /// Is the GPU idle because the host has not launched its next work yet?
            ///
            /// The GPU is not busy, waiting for data explains less than half of its idle time, and most of the idle
            /// time of its main stream passes before the next work is launched (`host_wait` of HTA's idle time
            /// breakdown). Kernels may be of any size; `small_kernels` checks whether they are small.
            ///
            /// - parameter `waiting` (double): Share of idle time above which the host is the cause. Default: `0.5`.
            /// - parameter `busy` (double): GPU utilization from which the GPU counts as busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn launch_bound(self) -> FindingLaunchBound<'a> { loop {} }
            /// Does training wait for data?
            ///
            /// The value is the share of waiting of view `evidence_load`, by the best measure that the profiles allow.
            /// The sentence names the measure. Above `notice` the finding is a notice, above `warning` a warning, above
            /// `critical` critical. A value equal to a limit is not above it. The potential saving is the waiting
            /// beyond `notice`. First batches of a pass are excluded where each batch was timed; `loader_ratio` of
            /// `loader.share` includes them.
            ///
            /// - parameter `critical` (double): Share above which the finding is critical: loading is the bottleneck. Default: `0.3`.
            /// - parameter `warning` (double): Share above which the finding is a warning. Default: `0.2`.
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn load_share_high(self) -> FindingLoadShareHigh<'a> { loop {} }
            /// Does only the start of each epoch wait for data?
            ///
            /// The share of waiting over all batches is above `bottleneck`, but without the first batch of each pass it
            /// is not. A short recording then shows the start of the workers rather than training.
            ///
            /// - parameter `bottleneck` (double): Share above which loading is the bottleneck. Default: `0.3`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn load_share_startup_only(self) -> FindingLoadShareStartupOnly<'a> { loop {} }
            /// Do some batches take much longer than the others?
            ///
            /// Counts waits of at least twice the median. First batches of a pass are excluded from the count and from
            /// the median. If a run has several loops, the sentence is about the loop with the largest share of such
            /// waits. The potential saving is the longest wait of that loop.
            ///
            /// - parameter `ratio` (double): Share of such waits above which the finding is a notice. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn loader_outliers(self) -> FindingLoaderOutliers<'a> { loop {} }
            /// Does the loader restart its workers for every pass?
            ///
            /// A process creates at least two iterators, and at least as many as it makes passes over its data. The
            /// value is the share of time spent on creating iterators. Above `notice` the finding is a notice, above
            /// `warning` a warning (view `evidence_setup`).
            ///
            /// - parameter `warning` (double): Share of the time above which the finding is a warning. Default: `0.05`.
            /// - parameter `notice` (double): Share of the time above which the finding is a notice. Default: `0.01`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn loader_reinitialized(self) -> FindingLoaderReinitialized<'a> { loop {} }
            /// Does one rank wait longer for its data than the other ranks?
            ///
            /// The value is the mean wait for a batch on the rank that waits longest, minus the median over the ranks,
            /// divided by the mean time of a batch (view `evidence_rank`).
            ///
            /// - parameter `notice` (double): Share of the time of a batch above which the finding is a notice. Default: `0.1`.
            /// - parameter `warning` (double): Share of the time of a batch above which the finding is a warning. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn loader_straggler(self) -> FindingLoaderStraggler<'a> { loop {} }
            /// Does the training process load its own data and wait for it?
            ///
            /// The loader has no worker processes, and the share of waiting (view `evidence_load`) is above `warning`.
            ///
            /// - parameter `warning` (double): Share of waiting above which the finding is a warning. Default: `0.2`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn no_workers(self) -> FindingNoWorkers<'a> { loop {} }
            /// Did training run out of memory?
            ///
            /// Counts out-of-memory errors of main memory and of GPU memory that a recording contains, or that CUDA's
            /// allocator counted (view `evidence_incident`). An error that the program caught also counts.
            ///
            /// - parameter `limit` (bigint): Errors above which the finding is critical, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn out_of_memory(self) -> FindingOutOfMemory<'a> { loop {} }
            /// Are batches copied to the GPU from memory that is not pinned?
            ///
            /// A loader has `pin_memory` set to false, and a GPU is used: its utilization is above `used` (view
            /// `evidence_setup`). A copy from memory that is not pinned is slower, and the host waits for it. The
            /// copies in a trace show whether that matters.
            ///
            /// - parameter `used` (double): GPU utilization above which a GPU counts as used. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn pin_memory_off(self) -> FindingPinMemoryOff<'a> { loop {} }
            /// Did the profiler itself take much of the recorded time?
            ///
            /// The value is the share of a recording in which the trace reports work of the profiling library (view
            /// `evidence_profiler`). Above `notice` the finding is a notice, above `warning` a warning. Durations in
            /// such a recording are longer than in training without the profiler.
            ///
            /// - parameter `warning` (double): Share above which the finding is a warning. Default: `0.2`.
            /// - parameter `notice` (double): Share above which the finding is a notice. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn profiler_overhead(self) -> FindingProfilerOverhead<'a> { loop {} }
            /// Do the GPUs of a run have different loads?
            ///
            /// This is smdebug's rule LoadBalancing: the Jensen-Shannon distance between the utilization histograms of
            /// two GPUs is above `limit`. Each GPU must have more than `patience` values. The value is the maximum
            /// distance over all pairs (view `evidence_pair`).
            ///
            /// - parameter `limit` (double): Distance above which the loads differ; 0 means equal, 0.83 means no overlap. Default: `0.2`.
            /// - parameter `patience` (bigint): Number of values of each GPU; more than this many are required, at least 0. Default: `1000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn rank_imbalance(self) -> FindingRankImbalance<'a> { loop {} }
            /// Does one rank delay the other ranks?
            ///
            /// Checks the rank that delays the others most because it arrives last at collectives (view
            /// `evidence_rank`). The value is this delay minus that of the rank with the next largest delay, divided by
            /// step time. If different ranks are late alternately, the value is small. The sentence names the activity
            /// that takes the most extra time on that rank compared with the others.
            ///
            /// - parameter `warning` (double): Share of step time above which the finding is a warning. Default: `0.1`.
            /// - parameter `critical` (double): Share of step time above which the finding is critical. Default: `0.2`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn rank_straggler(self) -> FindingRankStraggler<'a> { loop {} }
            /// Does it take long until training starts?
            ///
            /// The value is the time from the first sample of the machine to the first step, in minutes. If no steps
            /// were recorded, it is the time to the first request for a batch (view `evidence_start`). This is
            /// smdebug's rule MaxInitializationTime, for runs with a known start of the job.
            ///
            /// - parameter `minutes` (double): Minutes until the start of training above which the finding is a warning. Default: `20`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn slow_initialization(self) -> FindingSlowInitialization<'a> { loop {} }
            /// Does it take long to read one item?
            ///
            /// The value is the mean time of an item, or of a call of `__getitem__` in a Python profile.
            ///
            /// - parameter `limit` (bigint): Ns above which an item is slow, at least 0. Default: `10000000`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn slow_sample(self) -> FindingSlowSample<'a> { loop {} }
            /// Are the kernels too small to keep the GPU busy?
            ///
            /// The mean kernel duration is at most `short`, the GPU is not busy, and waiting for data explains less
            /// than half of its idle time. `launch_bound` checks whether the host launches work too late.
            ///
            /// - parameter `short` (bigint): Mean kernel duration in ns up to which kernels are small. Default: `25000`.
            /// - parameter `busy` (double): GPU utilization from which the GPU counts as busy. Default: `0.8`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn small_kernels(self) -> FindingSmallKernels<'a> { loop {} }
            /// Did some steps last much longer than the others, and what took the extra time?
            ///
            /// This is smdebug's rule StepOutlier: more than `n_outliers` steps of a process last longer than the mean
            /// plus 3 standard deviations. More than `patience` steps are required. The sentence names the activity
            /// (kernels, copies, waiting for data, ...) that takes most of the extra time, if a trace shows it. It also
            /// states the number of steps between outliers, if that is constant.
            ///
            /// - parameter `n_outliers` (bigint): Number of outliers above which the finding is a warning. Default: `10`.
            /// - parameter `patience` (bigint): Number of steps; more than this many are required. Default: `100`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn step_outliers(self) -> FindingStepOutliers<'a> { loop {} }
            /// Do convolutions and matrix multiplications run without tensor cores?
            ///
            /// A device has tensor cores, no kernel uses them, and there are operators that could use them (view
            /// `evidence_kernel`). Only NVIDIA devices are checked.
            ///
            /// - parameter `capability` (double): Compute capability from which a device has tensor cores. Default: `7`.
            /// - parameter `eligible` (double): Share of kernel time that could run on tensor cores above which the finding is a warning. Default: `0.0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn tensor_cores_unused(self) -> FindingTensorCoresUnused<'a> { loop {} }
            /// Is the GPU idle without a recorded cause?
            ///
            /// The GPU is not busy, and no recorded data shows one of these causes: waiting for data, communication,
            /// copies, small kernels or late launches. The sentence names the data that was not recorded. The limits
            /// are those from which the other findings report these activities. For waiting this is the low limit
            /// `waiting` (0.05 by default): above it, `load_share_high` is a notice and waiting is one cause.
            /// `gpu_starved_by_loader` has a higher limit (0.2 by default), because it reports waiting as the main
            /// cause. With a share between these two limits, both findings pass.
            ///
            /// - parameter `busy` (double): GPU utilization from which the GPU counts as busy. Default: `0.8`.
            /// - parameter `waiting` (double): Share of waiting for data above which it is a cause. Default: `0.05`.
            /// - parameter `communication` (double): Share of communication above which it is a cause. Default: `0.1`.
            /// - parameter `copies` (double): Share of copies from which they are a cause. Default: `0.1`.
            /// - parameter `short` (bigint): Mean kernel duration in ns up to which kernels are small. Default: `25000`.
            /// - parameter `launches` (double): Share of idle time before the next launch above which late launches are a cause. Default: `0.5`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn unattributed(self) -> FindingUnattributed<'a> { loop {} }
            /// Do some items take very long to read?
            ///
            /// The value is the longest time of an item. Without recorded item times, the finding uses the incidents of
            /// slow items that the recorder wrote.
            ///
            /// - parameter `limit` (bigint): Ns above which an item is very slow, at least 0. Default: `1000000000`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn very_slow_sample(self) -> FindingVerySlowSample<'a> { loop {} }
            /// Did the first steps take much longer than the others?
            ///
            /// Compares the first step of a process with the median of its steps (view `evidence_step`). The first step
            /// includes compilation, allocation and cold caches. A benchmark that counts it measures these too. If
            /// steps become long again later, for example because a graph is recompiled, `step_outliers` reports them.
            ///
            /// - parameter `factor` (double): Ratio of the first step to the median from which the finding is a notice. Default: `2.0`.
            /// - parameter `min_steps` (bigint): Minimum number of steps for a median. Default: `5`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn warmup_steps(self) -> FindingWarmupSteps<'a> { loop {} }
            /// Does the loader have too few or too many workers for the cores?
            ///
            /// This is smdebug's rule Dataloader. It counts the live workers of a machine in each second. The value is
            /// the median of these counts divided by the number of cores, for the machine where it is farthest from one
            /// worker per core (view `evidence_cores`). The finding is a notice. It is a warning if the share of
            /// waiting (view `evidence_load`) is above `warning`, because too few or too many workers then slow
            /// training down. Only then is there a potential saving: the waiting beyond `notable`, above which
            /// `load_share_high` is a notice.
            ///
            /// - parameter `low` (double): Workers per core below which there are too few. Default: `0.7`.
            /// - parameter `high` (double): Workers per core above which there are too many. Default: `2.0`.
            /// - parameter `seconds` (bigint): Number of seconds with workers; more than this many are required. Default: `10`.
            /// - parameter `warning` (double): Share of waiting above which the finding is a warning. Default: `0.2`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn worker_count_vs_cores(self) -> FindingWorkerCountVsCores<'a> { loop {} }
            /// Did a worker of the loader exit unexpectedly?
            ///
            /// Counts the incidents of kind `worker_exit` in recordings (view `evidence_incident`): PyTorch reported
            /// that a worker exited unexpectedly or was killed by a signal.
            ///
            /// - parameter `limit` (bigint): Incidents above which the finding is critical, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn worker_exit(self) -> FindingWorkerExit<'a> { loop {} }
            /// Did training time out while it waited for a worker?
            ///
            /// Counts the incidents of kind `worker_timeout` in recordings (view `evidence_incident`): PyTorch reported
            /// `DataLoader timed out`.
            ///
            /// - parameter `limit` (bigint): Incidents above which the finding is critical, at least 0. Default: `0`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn worker_timeout(self) -> FindingWorkerTimeout<'a> { loop {} }
            /// Are there too few workers for the pace of training?
            ///
            /// The number of workers needed is the batch size times the mean time of an item, divided by the mean
            /// compute time of a batch, rounded up. With that many workers, loading keeps up with computation. The
            /// finding also requires that the share of waiting is above `notable`.
            ///
            /// - parameter `notable` (double): Share of waiting above which the finding applies; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn workers_needed(self) -> FindingWorkersNeeded<'a> { loop {} }
            /// Do more workers no longer help?
            ///
            /// Compares loops of the same run that have different numbers of workers. The finding requires that the
            /// share of waiting is above `high`. In addition, the best rate is not reached with the maximum number of
            /// workers, or the last doubling of workers gained less than `gain`.
            ///
            /// - parameter `gain` (double): Minimum share that the last doubling of workers must gain. Default: `0.1`.
            /// - parameter `high` (double): Share of waiting above which the finding applies. Default: `0.2`.
            /// - parameter `notable` (double): Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
            /// - column `run` (text, id): run
            /// - column `id` (text, name): name of the finding
            /// - column `outcome` (text, name): found, passed or no_data
            /// - column `severity` (text, name): notice, warning or critical; null unless found; a notice at most below 20 steps
            /// - column `confidence` (text, name): low below 20 steps, medium below 100, else high; null for no_data
            /// - column `sentence` (text, text): what was found, why the check passed, or what is missing and how to record it
            /// - column `value` (double, mixed): the quantity that was checked; null for no_data
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null if there is none
            /// - column `threshold_source` (text, text): where the limits come from
            /// - column `steps` (bigint, count): number of steps, batches or samples that the value is based on; null if not applicable
            /// - column `potential_saving` (bigint, ns): maximum time that a remedy can save; null if unknown; do not add those of findings with one cause
            /// - column `cause` (text, text): cause of the finding
            /// - column `recommendation` (text, text): recommended action
            /// - column `evidence` (text, name): canned queries that return the evidence, separated by commas
            pub fn workers_saturated(self) -> FindingWorkersSaturated<'a> { loop {} }
        }

        /// A call of `finding.accelerator_utilization_low`.
        #[derive(Debug, Clone)]
        pub struct FindingAcceleratorUtilizationLow<'a>(Call<'a>);
        impl<'a> FindingAcceleratorUtilizationLow<'a> {
            /// Accelerator utilization below which it is low; MLPerf Storage requires 0.7 for some models. Default: `0.9`.
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
            /// GPU utilization above which the GPU counts as busy. Default: `0.8`.
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
            /// Ratio of the 95th percentile to the median above which the finding is a notice. Default: `2.0`.
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
            /// 95th percentile below which cores, GPU and memory have room. Default: `0.7`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Number of values of each series; more than this many are required, at least 0. Default: `1000`.
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
            /// Share of loop time above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share of loop time above which the finding is a notice. Default: `0.05`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// Share above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share above which the finding is a notice. Default: `0.05`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// Share of communication time above which exposed communication is high. Default: `0.5`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share of step time above which exposed communication matters. Default: `0.05`.
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
            /// Share above which the finding is a notice. Default: `0.1`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
            /// Share above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
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
            /// Share of snapshots above which the CPU is a bottleneck. Default: `0.5`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Number of snapshots; more than this many are required, at least 0. Default: `1000`.
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
            /// Share above which the finding is a notice. Default: `0.2`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
            /// Only this run.
            pub fn run(self, run: &str) -> Self { loop {} }
            /// Only these runs.
            pub fn runs(self, runs: &[&str]) -> Self { loop {} }
            /// Runs the query.
            pub fn fetch(self) -> Result<Frame> { loop {} }
        }

        /// A call of `finding.evidence_corrupt`.
        #[derive(Debug, Clone)]
        pub struct FindingEvidenceCorrupt<'a>(Call<'a>);
        impl<'a> FindingEvidenceCorrupt<'a> {
            /// Corrupt entries and unreadable files above which the finding is a notice, at least 0. Default: `0`.
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
            /// Ratio of the first wait to the median of the others above which the finding is a notice. Default: `10.0`.
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
            /// GPU utilization below which the GPU counts as idle. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// GPU utilization above which the GPU counts as busy. Default: `0.8`.
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
            /// 5th percentile of utilization below which a GPU that is busy at other times fluctuates. Default: `0.1`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// 95th percentile of utilization above which the GPU is busy at other times. Default: `0.7`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Number of values; more than this many are required, at least 0. Default: `1000`.
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
            /// GPU utilization below which the GPU counts as idle. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Share of waiting up to which waiting for data is not a cause. Default: `0.05`.
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
            /// Growth in percentage points of device memory above which the finding is a warning. Default: `5`.
            pub fn points(self, points: f64) -> Self { loop {} }
            /// Ratio of the last tenth to the second tenth above which memory grows. Default: `1.1`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Minimum share of the changes between tenths that go up. Default: `0.8`.
            pub fn rising(self, rising: f64) -> Self { loop {} }
            /// Minimum number of values, at least 10. Default: `50`.
            pub fn min_values(self, min_values: i64) -> Self { loop {} }
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
            /// Share above which the finding is a warning. Default: `0.97`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share above which the finding is a notice. Default: `0.9`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// GPU utilization below which the GPU counts as idle. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Share of waiting above which it is high. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// 95th percentile of utilization below which a GPU is underused. Default: `0.7`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Number of values; more than this many are required, at least 0. Default: `1000`.
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
            /// Ratio of the last tenth to the second tenth above which memory grows. Default: `1.1`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Minimum share of the changes between tenths that go up. Default: `0.8`.
            pub fn rising(self, rising: f64) -> Self { loop {} }
            /// Minimum number of values, at least 10. Default: `50`.
            pub fn min_values(self, min_values: i64) -> Self { loop {} }
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
            /// Share from which the finding is a notice. Default: `0.1`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
            /// Share from which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
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
            /// Speed-up above which the finding is critical: loading is the bottleneck. Default: `1.5`.
            pub fn critical(self, critical: f64) -> Self { loop {} }
            /// Speed-up above which the finding is a warning: there is something to gain. Default: `1.1`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
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
            /// Share of snapshots above which I/O is a bottleneck. Default: `0.5`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Number of snapshots; more than this many are required, at least 0. Default: `1000`.
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
            /// Share of idle time above which the host is the cause. Default: `0.5`.
            pub fn waiting(self, waiting: f64) -> Self { loop {} }
            /// GPU utilization from which the GPU counts as busy. Default: `0.8`.
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
            /// Share above which the finding is critical: loading is the bottleneck. Default: `0.3`.
            pub fn critical(self, critical: f64) -> Self { loop {} }
            /// Share above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share above which the finding is a notice. Default: `0.05`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// Share of such waits above which the finding is a notice. Default: `0.05`.
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
            /// Share of the time above which the finding is a warning. Default: `0.05`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share of the time above which the finding is a notice. Default: `0.01`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// Share of the time of a batch above which the finding is a notice. Default: `0.1`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
            /// Share of the time of a batch above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
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
            /// Share of waiting above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// Errors above which the finding is critical, at least 0. Default: `0`.
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
            /// GPU utilization above which a GPU counts as used. Default: `0`.
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
            /// Share above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share above which the finding is a notice. Default: `0.05`.
            pub fn notice(self, notice: f64) -> Self { loop {} }
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
            /// Distance above which the loads differ; 0 means equal, 0.83 means no overlap. Default: `0.2`.
            pub fn limit(self, limit: f64) -> Self { loop {} }
            /// Number of values of each GPU; more than this many are required, at least 0. Default: `1000`.
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
            /// Share of step time above which the finding is a warning. Default: `0.1`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Share of step time above which the finding is critical. Default: `0.2`.
            pub fn critical(self, critical: f64) -> Self { loop {} }
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
            /// Minutes until the start of training above which the finding is a warning. Default: `20`.
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
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// Mean kernel duration in ns up to which kernels are small. Default: `25000`.
            pub fn short(self, short: i64) -> Self { loop {} }
            /// GPU utilization from which the GPU counts as busy. Default: `0.8`.
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
            /// Number of outliers above which the finding is a warning. Default: `10`.
            pub fn n_outliers(self, n_outliers: i64) -> Self { loop {} }
            /// Number of steps; more than this many are required. Default: `100`.
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
            /// Share of kernel time that could run on tensor cores above which the finding is a warning. Default: `0.0`.
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
            /// GPU utilization from which the GPU counts as busy. Default: `0.8`.
            pub fn busy(self, busy: f64) -> Self { loop {} }
            /// Share of waiting for data above which it is a cause. Default: `0.05`.
            pub fn waiting(self, waiting: f64) -> Self { loop {} }
            /// Share of communication above which it is a cause. Default: `0.1`.
            pub fn communication(self, communication: f64) -> Self { loop {} }
            /// Share of copies from which they are a cause. Default: `0.1`.
            pub fn copies(self, copies: f64) -> Self { loop {} }
            /// Mean kernel duration in ns up to which kernels are small. Default: `25000`.
            pub fn short(self, short: i64) -> Self { loop {} }
            /// Share of idle time before the next launch above which late launches are a cause. Default: `0.5`.
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
            /// Ratio of the first step to the median from which the finding is a notice. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Minimum number of steps for a median. Default: `5`.
            pub fn min_steps(self, min_steps: i64) -> Self { loop {} }
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
            /// Workers per core below which there are too few. Default: `0.7`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Workers per core above which there are too many. Default: `2.0`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Number of seconds with workers; more than this many are required. Default: `10`.
            pub fn seconds(self, seconds: i64) -> Self { loop {} }
            /// Share of waiting above which the finding is a warning. Default: `0.2`.
            pub fn warning(self, warning: f64) -> Self { loop {} }
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// Incidents above which the finding is critical, at least 0. Default: `0`.
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
            /// Incidents above which the finding is critical, at least 0. Default: `0`.
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
            /// Share of waiting above which the finding applies; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// Minimum share that the last doubling of workers must gain. Default: `0.1`.
            pub fn gain(self, gain: f64) -> Self { loop {} }
            /// Share of waiting above which the finding applies. Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Acceptable share of waiting; the potential saving is the waiting beyond it. Default: `0.05`.
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
            /// After which runs did the level of a key metric change?
            ///
            /// One row per change of level: `run` is the first run after the change, `previous` the last run before it.
            /// The query cuts the runs of a series where the ranks of their values before and after differ most. It
            /// cuts only if chance makes such a difference in at most a share `max_p` of 1000 shuffles of the same
            /// runs. Then it searches both sides again (window function `change_point`). A single slow run is therefore
            /// not a change. No distribution is assumed, only that runs are independent of each other: a metric that
            /// drifts is cut more than once. A change is detected when `min_runs` runs have followed it. With the
            /// defaults, ten runs before and five after are enough if their values do not overlap.
            ///
            /// `before` and `after` are the medians on both sides, from the previous change to the next one.
            /// `confidence` is high if no shuffle reached such a difference and both sides have at least ten runs.
            /// Otherwise it is medium. `worse` says whether the change is for the worse.
            ///
            /// A filter on `run` selects the rows that are shown. The changes are computed over all runs.
            ///
            /// - parameter `metric` (text): Name of the metric, see view `run_metric`. Default: `'step_p50'`.
            /// - parameter `order_by` (text): Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            /// - parameter `series` (text): Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            /// - parameter `max_p` (double): Maximum share of shuffles that make such a change by chance. Default: `0.01`.
            /// - parameter `min_runs` (bigint): Minimum number of runs on each side of a change, at least 1. Default: `5`.
            /// - parameter `min_change` (double): Minimum relative change of the median; smaller changes are not shown, at least 0. Default: `0.01`.
            /// - column `run` (text, id): name of the run
            /// - column `series` (text, name): value of the attribute that divides the runs into series; null without one
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `order_value` (text, name): value of the attribute that orders the runs; null without one
            /// - column `previous` (text, id): last run before the change
            /// - column `metric` (text, name): name of the metric
            /// - column `before` (double, mixed): median of the runs before
            /// - column `after` (double, mixed): median of the runs behind
            /// - column `relative_change` (double, factor): change relative to the value before, 0.05 is 5 % more; the median before the change
            /// - column `worse` (boolean, flag): whether that is to the worse; null where neither direction is
            /// - column `runs_before` (bigint, count): runs before, up to the change before
            /// - column `runs_after` (bigint, count): runs behind, up to the next change
            /// - column `p` (double, ratio): share of 1000 shuffles that make such a change by chance
            /// - column `confidence` (text, name): high or medium
            pub fn regressions(self) -> FleetRegressions<'a> { loop {} }
            /// Which runs are there, and what are the key metrics of each?
            ///
            /// One row per run, from table `run` alone. The query reads no rows of a profile, so it is fast even for
            /// thousands of runs. The key metrics are those of `job.key_metrics` at the last ingest. `gpu_idle_ratio`
            /// and its parts are shares of the GPU-seconds. They are upper bounds of the potential saving.
            ///
            /// - parameter `attribute` (text): Attribute to show in column `attribute_value`, such as commit or model. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `framework` (text, name): framework that wrote the profile
            /// - column `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data; `job.verdict` looks closer
            /// - column `steps` (bigint, count): steps over all modes and recordings
            /// - column `step_p50` (double, ns): median step of the main mode
            /// - column `step_p95` (double, ns): 95th percentile of that
            /// - column `loader_ratio` (double, ratio): share of loop time spent waiting for data; waits over waits and steps, mean over the processes
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            /// - column `ranks` (bigint, count): ranks; null when none is known
            /// - column `gpus` (bigint, count): devices that worked or were measured
            /// - column `recorded_s` (double, s): time that recordings cover
            /// - column `gpu_s` (double, s): GPU-seconds that the recordings cover
            /// - column `gpu_idle_ratio` (double, ratio): share of the GPU-seconds without computing and copying
            /// - column `gpu_idle_loader_ratio` (double, ratio): share of GPU-seconds idle while the process waited for data; an upper bound
            /// - column `gpu_idle_communication_ratio` (double, ratio): share in communication alone
            /// - column `gpu_idle_other_ratio` (double, ratio): share of all else
            /// - column `attribute_value` (text, text): value of the attribute that was asked for
            /// - column `attributes` (text, json): tags, and what the profile says of the whole run
            pub fn runs(self) -> FleetRuns<'a> { loop {} }
            /// How did a key metric change from run to run?
            ///
            /// One row per run with a known value, in the order in which the runs started or in that of an attribute.
            /// View `run_metric` has the names of the metrics. `median` is that of the `window` runs before it in its
            /// series. `relative_change` is the difference of the run from that median: 0.05 is 5 % more. Both are null
            /// for the first run of a series. `fleet.regressions` shows which changes are more than noise.
            ///
            /// A filter on `run` selects the rows that are shown. The medians are those of all runs.
            ///
            /// - parameter `metric` (text): Name of the metric, see view `run_metric`. Default: `'step_p50'`.
            /// - parameter `order_by` (text): Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            /// - parameter `series` (text): Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            /// - parameter `window` (bigint): Number of runs in the rolling median, at least 1. Default: `20`.
            /// - column `run` (text, id): name of the run
            /// - column `series` (text, name): value of the attribute that divides the runs into series; null without one
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `order_value` (text, name): value of the attribute that orders the runs; null without one
            /// - column `metric` (text, name): name of the metric
            /// - column `value` (double, mixed): its value, in the unit that it has in table `run`
            /// - column `median` (double, mixed): median of the runs before it
            /// - column `relative_change` (double, factor): change relative to the value before, 0.05 is 5 % more; the median of the runs before
            pub fn trend(self) -> FleetTrend<'a> { loop {} }
            /// How much device time was idle, and why?
            ///
            /// One row per run and cause. `communication`: only collectives ran. `loader`: the device had no work while
            /// its process waited for a batch. `other`: everything else, such as a host that launches too little.
            /// `unknown`: idle by samples of its utilization, which do not show the cause. The causes of a run add up
            /// to all of its idle time. Each cause is an upper bound. A device may be idle for two reasons at once, and
            /// time saved in one place may be spent waiting in the next.
            ///
            /// Times are GPU-seconds: 3600 of them are one GPU-hour. `fleet_s` and `fleet_ratio` are over all runs with
            /// known devices and are the same in all rows of a cause. A filter on `run` does not change them.
            ///
            /// Excluded: causes without any time, and runs with neither kernels nor samples of GPU utilization.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `idle_cause` (text, name): communication, loader, other or unknown
            /// - column `idle_s` (double, s): idle GPU-seconds of this cause; an upper bound
            /// - column `gpu_s` (double, s): GPU-seconds that the recordings cover
            /// - column `ratio` (double, ratio): `idle_s` over `gpu_s`
            /// - column `fleet_s` (double, s): idle GPU-seconds of this cause over all runs
            /// - column `fleet_ratio` (double, ratio): that over the GPU-seconds of all runs
            pub fn waste(self) -> Call<'a> { loop {} }
        }

        /// A call of `fleet.regressions`.
        #[derive(Debug, Clone)]
        pub struct FleetRegressions<'a>(Call<'a>);
        impl<'a> FleetRegressions<'a> {
            /// Name of the metric, see view `run_metric`. Default: `'step_p50'`.
            pub fn metric(self, metric: &str) -> Self { loop {} }
            /// Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            pub fn order_by(self, order_by: &str) -> Self { loop {} }
            /// Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            pub fn series(self, series: &str) -> Self { loop {} }
            /// Maximum share of shuffles that make such a change by chance. Default: `0.01`.
            pub fn max_p(self, max_p: f64) -> Self { loop {} }
            /// Minimum number of runs on each side of a change, at least 1. Default: `5`.
            pub fn min_runs(self, min_runs: i64) -> Self { loop {} }
            /// Minimum relative change of the median; smaller changes are not shown, at least 0. Default: `0.01`.
            pub fn min_change(self, min_change: f64) -> Self { loop {} }
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
            /// Attribute to show in column `attribute_value`, such as commit or model. Default: `null`.
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
            /// Name of the metric, see view `run_metric`. Default: `'step_p50'`.
            pub fn metric(self, metric: &str) -> Self { loop {} }
            /// Attribute that orders the runs, such as the number of a commit; null for the start. Default: `null`.
            pub fn order_by(self, order_by: &str) -> Self { loop {} }
            /// Attribute that divides the runs, such as the model; null for one series. Default: `null`.
            pub fn series(self, series: &str) -> Self { loop {} }
            /// Number of runs in the rolling median, at least 1. Default: `20`.
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
            /// One row per phase, function and process. Phases are `initialization` (up to the first step),
            /// `training_loop` and `finalization` (after the last step). With `modes`, each pair of modes in which
            /// profiles begin and end has its own rows. All profiles of a process are added up, as `pstats.Stats.add`
            /// does. Profiles of cProfile and of pyinstrument are added up separately.
            ///
            /// The phases are those of `fetch_profile_stats_by_job_phase` and, with `modes`,
            /// `fetch_profile_stats_by_training_phase` of smdebug. The latter has only the last pair of modes for
            /// `initialization` and `finalization`.
            ///
            /// Excluded: profiles that do not record what they cover.
            ///
            /// - parameter `by` (text): Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown for each phase, at least 1. Default: `20`.
            /// - parameter `modes` (boolean): Whether each pair of modes has its own rows. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `job_phase` (text, name): initialization, training_loop or finalization
            /// - column `start_mode` (text, name): mode in which the profiles begin; null without `modes`
            /// - column `end_mode` (text, name): mode in which the profiles end; null without `modes`
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in the file
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in it alone
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the phase
            pub fn by_phase(self) -> FunctionByPhase<'a> { loop {} }
            /// Which Python functions took most time in a time window or a range of steps?
            ///
            /// One row per function and process. Profiles that overlap the window count as a whole: a profile is a sum
            /// and cannot be cut. Windows and profiles that only touch do not overlap. A range of steps includes its
            /// first and last step. It selects profiles that cover a part of one of its steps or lie between two of
            /// them. All profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of
            /// pyinstrument are added up separately.
            ///
            /// Excluded: profiles that do not record what they cover. `fetch_profile_stats_by_time` of smdebug also
            /// excludes a profile that contains the window.
            ///
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first profile. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last profile. Default: `null`.
            /// - parameter `first_step` (bigint): First step of the range; null for all steps up to `last_step`. Default: `null`.
            /// - parameter `last_step` (bigint): Last step of the range; null for all steps from `first_step` on. Default: `null`.
            /// - parameter `mode` (text): Only profiles that begin and end in this mode: train, eval, predict or global. Default: `null`.
            /// - parameter `by` (text): Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown for each process, at least 1. Default: `20`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in the file
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in it alone
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the window
            pub fn by_window(self) -> FunctionByWindow<'a> { loop {} }
            /// Which functions called each Python function, and how long did the calls take?
            ///
            /// One row per function, caller and process. A function without any caller has one row with a null caller.
            /// All profiles of a process are added up, as `pstats.Stats.add` does. Profiles of cProfile and of
            /// pyinstrument are added up separately. Times are those of the called function while it was called from
            /// this caller. `ratio` is the share of its cumulative time.
            ///
            /// Excluded: reports of Lightning, which do not record callers. The dumps of Lightning's profiler do record
            /// them.
            ///
            /// - parameter `function` (text): Text within `file:line(function)` of the called function; null for all. Default: `null`.
            /// - parameter `limit` (bigint): Rows shown for each process, those with most time; null for all. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `function` (text, name): name of the function; as file:line(function)
            /// - column `function_own_s` (double, s): time in it, from all callers
            /// - column `function_cumulative_s` (double, s): time in it and all it called, from all callers
            /// - column `caller` (text, name): calling function; null if there is none
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in it alone; of its calls from this caller
            /// - column `cumulative_s` (double, s): time in it and all it called; of its calls from this caller
            /// - column `ratio` (double, ratio): `cumulative_s` over that from all callers
            pub fn callers(self) -> FunctionCallers<'a> { loop {} }
            /// How much time did each module of the model take, on the host and on the device?
            ///
            /// One row per chain of modules on a process rank, from traces that record modules (`with_modules=True` and
            /// `with_stack=True` of the PyTorch profiler). `path_id` identifies the chain of names and is the same in
            /// every run. `host_self` excludes the calls inside: other modules, operators and calls into the runtime.
            /// `device_self` is the device work launched inside this module and no other. `device_total` also has the
            /// device work of the modules inside. Both add up durations, so parallel device work counts more than once.
            ///
            /// The backward pass runs on another thread, which no module encloses. Its time is in `operator.call_tree`.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `path_id` (bigint, id): identifies the path of names from the outermost to this one, in any run
            /// - column `parent_id` (bigint, id): `path_id` of the enclosing row; null for the outermost
            /// - column `depth` (bigint, count): rows that enclose it
            /// - column `module` (text, name): class and number of the module
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            pub fn modules(self) -> Call<'a> { loop {} }
            /// Which Python profiles are there, and what do they cover?
            ///
            /// One row per file of cProfile or pyinstrument, as in `list_profile_stats` of smdebug, and one per action
            /// in a report of Lightning's AdvancedProfiler. Profiles of SageMaker Debugger reach from one phase of a
            /// step to another. The name of their folder records these phases. Dumps and reports of Lightning record
            /// stage and action. For other profiles, the coverage is not known.
            ///
            /// A profile of a Lightning action does not contain the functions of the actions inside it: while these
            /// run, the outer action is not profiled.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `profile` (text, id): profile within the run: path of its file
            /// - column `job_phase` (text, name): initialization, training_loop or finalization
            /// - column `start_mode` (text, name): mode in which the profiles begin; train, eval, predict, global or, before the first step, prestepzero
            /// - column `start_step` (bigint, id): step in which it begins; null before the first
            /// - column `start_phase` (text, name): start, stepstart, forwardpassend or stepend
            /// - column `end_mode` (text, name): mode in which the profiles end; train, eval, predict, global or, after the last step, posthookclose
            /// - column `end_step` (bigint, id): step in which it ends; null behind the last
            /// - column `end_phase` (text, name): stepstart, forwardpassend, stepend or end
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `functions` (bigint, count): functions in it
            /// - column `own_s` (double, s): time in it alone
            /// - column `stage` (text, name): stage of Lightning: fit, validate, test or predict; else null
            /// - column `action` (text, name): name of the action of Lightning; else null
            /// - column `report` (bigint, id): report within the file, from 0; null where a file is one profile
            pub fn profiles(self) -> Call<'a> { loop {} }
            /// How much time did each Python function take, and how much device work did it launch?
            ///
            /// One row per function and process rank, from traces that record every call (`with_stack=True` of the
            /// PyTorch profiler). `host_total` is the time in calls, added up over the threads; recursion counts once.
            /// `host_self` excludes the Python functions called inside, but not the operators. Modules appear as
            /// functions named `nn.Module: ...`, and `function.modules` has their tree. A function of the interpreter
            /// (`<built-in method ...>`) has no file.
            ///
            /// Device work counts for all functions that enclose the launching call on the same thread. Traces of
            /// PyTorch 2.3 to 2.7 have functions on a separate thread, where device work is 0.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `function` (text, name): name of the function
            /// - column `file` (text, name): source file; null for built-in functions and modules
            /// - column `line` (bigint, id): line in the file
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            pub fn python_trace(self) -> Call<'a> { loop {} }
            /// Which Python functions took most time, or were called most often?
            ///
            /// One row per function and process. All profiles of a process are added up, as `pstats.Stats.add` does.
            /// Profiles of cProfile, profiles of pyinstrument and reports of Lightning are added up separately. Reports
            /// of Lightning have file names without folders, and may list only the first functions of each action.
            /// `cumulative_s` counts recursion once. It includes the time of called functions, so its sum over
            /// functions has no meaning. For traces that record every call, `function.python_trace` has the same
            /// numbers.
            ///
            /// - parameter `by` (text): Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            /// - parameter `limit` (bigint): Functions shown for each process, at least 1. Default: `20`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `profiler` (text, name): profiler that wrote the report: simple, advanced, cprofile, pyinstrument or lightning_advanced
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `file` (text, name): source file; ~ for built-ins
            /// - column `line` (bigint, id): line in the file
            /// - column `function` (text, name): name of the function
            /// - column `profiles` (bigint, count): profiles that it is in
            /// - column `calls` (bigint, count): calls; null from a sampler
            /// - column `primitive_calls` (bigint, count): calls that were not recursive; null from a sampler
            /// - column `own_s` (double, s): time in it alone
            /// - column `cumulative_s` (double, s): time in it and all it called
            /// - column `ratio` (double, ratio): `own_s` over that of all functions of the process
            pub fn top(self) -> FunctionTop<'a> { loop {} }
        }

        /// A call of `function.by_phase`.
        #[derive(Debug, Clone)]
        pub struct FunctionByPhase<'a>(Call<'a>);
        impl<'a> FunctionByPhase<'a> {
            /// Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown for each phase, at least 1. Default: `20`.
            pub fn limit(self, limit: i64) -> Self { loop {} }
            /// Whether each pair of modes has its own rows. Default: `false`.
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
            /// Start of the window, in ns since the Unix epoch; null for the first profile. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last profile. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// First step of the range; null for all steps up to `last_step`. Default: `null`.
            pub fn first_step(self, first_step: i64) -> Self { loop {} }
            /// Last step of the range; null for all steps from `first_step` on. Default: `null`.
            pub fn last_step(self, last_step: i64) -> Self { loop {} }
            /// Only profiles that begin and end in this mode: train, eval, predict or global. Default: `null`.
            pub fn mode(self, mode: &str) -> Self { loop {} }
            /// Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown for each process, at least 1. Default: `20`.
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
            /// Text within `file:line(function)` of the called function; null for all. Default: `null`.
            pub fn function(self, function: &str) -> Self { loop {} }
            /// Rows shown for each process, those with most time; null for all. Default: `null`.
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
            /// Measure that orders the functions: own, cumulative, calls or primitive_calls. Default: `'own'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Functions shown for each process, at least 1. Default: `20`.
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
            /// One row per run and kind of incident: slow_item, exception, out_of_memory, worker_timeout, worker_exit,
            /// program_exit.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `kind` (text, name): what happened
            /// - column `incidents` (bigint, count): how often
            /// - column `ranks` (bigint, count): ranks; those with such an incident
            /// - column `workers` (bigint, count): workers that it happened in
            /// - column `items` (bigint, count): different items that it is about
            /// - column `ts` (bigint, time): when it happened first
            /// - column `last_ts` (bigint, time): when it happened last
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `worker` (bigint, id): worker number; of the first incident; null when it was none, or unknown
            /// - column `item` (bigint, id): index of the item; null when it is about none, or unknown
            /// - column `message` (text, text): the message the first time
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// The canned queries about `job`.
        #[derive(Debug, Clone, Copy)]
        pub struct JobQueries<'a>(&'a Session);
        impl<'a> JobQueries<'a> {
            /// Which attributes does each run have?
            ///
            /// One row per run and key of table `run_attribute`: tags of the user, and settings and versions from the
            /// profile. `value` is the value on which all processes and files of the run agree, and null if they
            /// differ. `n` is the number of different values. A tag of the user overrides the value of a profile. Table
            /// `run` has the short attributes as JSON in column `attributes`.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `key` (text, name): name of the attribute
            /// - column `value` (text, text): its value; null where there are several
            /// - column `n` (bigint, count): different values
            pub fn attributes(self) -> Call<'a> { loop {} }
            /// Which path does each run take through the decision tree of PyTorch's tutorial?
            ///
            /// One row per run and line of the tree. It asks: Is GPU utilization low and, if so, is loading time high?
            /// Do workers time out? Does memory grow? `holds` marks the questions that can be decided and the answers
            /// that follow, from the first question to the advice. `not` marks the other answers. If something was not
            /// recorded, the question and the lines that depend on it are `unknown`, and `evaluation` says what to
            /// record.
            ///
            /// The tree gives no numbers; they are from other tables of the tutorial. Utilization (view `evidence_gpu`)
            /// is low below `low` and good above `high`. Between the two it is `unknown`, because the tutorial does not
            /// cover this range. Loading time (view `evidence_load`) is high above a share of `load`. The advice is
            /// then to use more workers, even if no utilization was measured. The other two questions are the findings
            /// `worker_timeout` and `host_memory_growth`, with their limits. With fewer than two measurements, a
            /// question is unknown.
            ///
            /// - parameter `load` (double): Share of time spent waiting for data above which loading time is high. Default: `0.3`.
            /// - parameter `low` (double): GPU utilization below which it is low. Default: `0.5`.
            /// - parameter `high` (double): GPU utilization above which it is good. Default: `0.8`.
            /// - column `run` (text, id): name of the run
            /// - column `line` (bigint, id): line of the tree, from 1
            /// - column `depth` (bigint, count): rows that enclose it
            /// - column `text` (text, text): the question, or an answer and what to do then
            /// - column `mark` (text, name): holds, not or unknown
            /// - column `evaluation` (text, text): what a question was answered by, or what is missing and how to record it; null of answers that ask nothing more
            /// - column `value` (double, mixed): the quantity that a question was answered by; null of answers, and when unknown
            /// - column `threshold` (double, mixed): the limit that the value was compared with; null of answers
            /// - column `drawn` (text, text): the line as it is shown: `>` holds, `?` unknown, indented by depth
            pub fn decision_tree(self) -> JobDecisionTree<'a> { loop {} }
            /// What are the key metrics of each run?
            ///
            /// The key metrics in table `run`, computed again. The main mode is `train` if the run has steps of it,
            /// else the mode with the most time. The durations are those of `step.duration`. If a run recorded no steps
            /// but its loader, they are those of its batches, including the work on them (view `step_time`).
            ///
            /// `loader_ratio` is the time in which a process waited for a batch, divided by the time in which it did a
            /// step or waited. It is a mean over the processes that recorded both (view `process_wait`).
            /// `gpu_utilization` is the mean of all samples of GPU utilization.
            ///
            /// `gpus` and all GPU-seconds are computed from kernels if there are any, else from samples of GPU
            /// utilization. With kernels, a device counts from the first work, step or wait of its recording to the
            /// last one. `idle_s` is the time without a computing kernel, copy or fill. It has three parts. In
            /// `idle_communication_s`, only collectives ran. In `idle_loader_s`, nothing ran and the process waited for
            /// a batch. `idle_other_s` is the rest: the host launched nothing. With samples, a device counts from its
            /// first sample to the last one, and its idle time follows from the mean. `idle_loader_s` is then the mean
            /// wait of a process times the number of devices, at most `idle_s`. The other two parts are null. Each part
            /// is an upper bound of the potential saving: a device may wait for something else at the same time.
            ///
            /// `verdict` follows the rule of `job.verdict`, with its limits, over these figures alone. It is `no_data`
            /// if they are null. `job.verdict` also uses the steps of a trace and reports. With kernels, the shares are
            /// those of the GPU-seconds. Otherwise the input share is `loader_ratio`, or the median share of the
            /// batches if that is smaller. With samples, the device share is their mean while the run trained.
            ///
            /// `recorded_s` is the union of these times. Without devices it is the time from the first to the last time
            /// in the profile.
            ///
            /// Excluded from the percentiles: steps that a recording cut short. A figure is null if its rows are
            /// missing.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `steps` (bigint, count): steps over all modes and recordings
            /// - column `step_p50` (double, ns): median step of the main mode
            /// - column `step_p95` (double, ns): 95th percentile of that
            /// - column `loader_ratio` (double, ratio): share of loop time spent waiting for data; waits over waits and steps, mean over the processes
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            /// - column `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            /// - column `gpus` (bigint, count): devices that worked or were measured
            /// - column `recorded_s` (double, s): time that recordings cover
            /// - column `gpu_s` (double, s): GPU-seconds that the recordings cover
            /// - column `idle_s` (double, s): of these GPU-seconds, without computing and copying
            /// - column `idle_loader_s` (double, s): idle GPU-seconds in which the process waited for data; an upper bound
            /// - column `idle_communication_s` (double, s): of the idle ones, in communication alone
            /// - column `idle_other_s` (double, s): of the idle ones, all else
            pub fn key_metrics(self) -> Call<'a> { loop {} }
            /// How long did a job run, and how much of that was spent before, in and after its training loop?
            ///
            /// The job lasts from the first to the last time in its profile, of samples and events alike.
            /// Initialization ends when the first step starts. The loop lasts until the last step of any mode ends. The
            /// rest is finalization. The three parts add up to the whole. A profile without steps has no loop, and its
            /// parts are null.
            ///
            /// The definitions are those of `get_job_statistics` of smdebug, with one difference. smdebug counts
            /// initialization from the full minute in the name of the first file of samples, up to 60 s before the
            /// first measurement. Here it starts at the first recorded time.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `ended` (bigint, time): last time in its profile
            /// - column `dur` (bigint, ns): from the first to the last time
            /// - column `init_dur` (bigint, ns): from the first time to the start of the first step
            /// - column `loop_dur` (bigint, ns): from there to the end of the last step
            /// - column `final_dur` (bigint, ns): from there to the last time
            /// - column `init_ratio` (double, ratio): `init_dur` over `dur`
            /// - column `loop_ratio` (double, ratio): `loop_dur` over `dur`
            /// - column `final_ratio` (double, ratio): `final_dur` over `dur`
            /// - column `steps` (bigint, count): steps over all modes and recordings; null when none were marked
            /// - column `ranks` (bigint, count): ranks; null when none is known
            /// - column `nodes` (bigint, count): machines seen
            pub fn overview(self) -> Call<'a> { loop {} }
            /// Which phases did a job go through, and when?
            ///
            /// Each stretch of consecutive steps of one mode is a phase. The time before the first step, between two
            /// stretches and after the last step is also a phase. The names distinguish them: `before train`, `train`,
            /// `between train and eval`, `eval`, `after eval`. Intervals are half-open: a phase ends where the next one
            /// starts, and the last one ends with the last recorded time.
            ///
            /// The definition is that of `get_training_phase_intervals` of smdebug over all modes. smdebug gives
            /// inclusive ends, names the modes of a gap in alphabetical order, and orders steps by their position in
            /// the files instead of by time.
            ///
            /// Excluded: runs without steps, and gaps of zero length.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `phase` (text, name): name of the phase
            /// - column `mode` (text, name): train, eval, predict or global; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `steps` (bigint, count): steps in it; 0 before, between and after
            pub fn phases(self) -> Call<'a> { loop {} }
            /// Which phases did each rank of a job go through, and when?
            ///
            /// The phases of `job.phases`, for each rank by itself. Each stretch of consecutive steps of one mode is a
            /// phase. The time before the first step, between two stretches and after the last step is also a phase. A
            /// rank that starts late or waits for the others is visible here. The phases of the whole job, in contrast,
            /// begin with its first rank and end with its last one. Intervals are half-open. The first one begins and
            /// the last one ends with the run.
            ///
            /// Excluded: ranks without steps, and gaps of zero length.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `phase` (text, name): name of the phase
            /// - column `mode` (text, name): train, eval, predict or global; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            /// - column `steps` (bigint, count): steps in it; 0 before, between and after
            pub fn phases_by_rank(self) -> Call<'a> { loop {} }
            /// What is each run bound by: its input, computing, communication, or the host that launches the work?
            ///
            /// One row per run, from the evidence that the findings of `diagnosis` use. A stall is a share of the loop
            /// or of the steps in which the run could not continue. `input_ratio` is the share of waiting for data, by
            /// the best measure of the profiles (view `evidence_load`), for the rank that waits most.
            /// `communication_ratio` is the share in which only collectives ran (`step.breakdown`), for the rank with
            /// the largest share. `host_ratio` is the rest of the time in which the device did nothing. With the
            /// kernels of a trace, it is the share of the steps in which only calls, operators or nothing recorded ran.
            /// With samples of the GPU, it is the idle time that input and communication do not explain.
            /// `compute_ratio` is the share in which the device worked.
            ///
            /// The first rule that applies decides. If the GPU is busy for more than `busy`, waiting for data does not
            /// count as a stall. (1) Fewer than two steps: `no_data`. (2) The two largest stalls are above `high` and
            /// within `near` of each other: `mixed`. (3) The largest stall is above `high`, and is input or
            /// communication: `input-bound` or `communication-bound`. (4) The device idles for more than `idle`, and
            /// input and communication explain less than half of that: `host-bound`. (5) No stall is above `high`, and
            /// the device works for more than `busy`: `compute-bound`. (6) Input and device were both recorded:
            /// `mixed`, without a single bottleneck. (7) Otherwise `no_data`; the sentence says what to record.
            ///
            /// - parameter `high` (double): Share above which a stall counts (XProf). Default: `0.2`.
            /// - parameter `near` (double): Factor within which two stalls count as about the same (our own). Default: `2.0`.
            /// - parameter `idle` (double): Share of idle time above which the host can be the cause (PyTorch's tutorial). Default: `0.5`.
            /// - parameter `busy` (double): Share of device work above which a device is busy (PyTorch's tutorial). Default: `0.8`.
            /// - column `run` (text, id): name of the run
            /// - column `verdict` (text, name): input-bound, compute-bound, communication-bound, host-bound, mixed or no_data
            /// - column `sentence` (text, text): the numbers that decided, and what they rest on
            /// - column `steps` (bigint, count): steps, batches or samples that they rest on; null when unknown
            /// - column `input_ratio` (double, ratio): share of waiting for data; null when unknown
            /// - column `compute_ratio` (double, ratio): share in which the device worked; null when unknown
            /// - column `communication_ratio` (double, ratio): share in which only collectives ran; null when unknown
            /// - column `host_ratio` (double, ratio): share in which the device waited for the host; null when unknown
            pub fn verdict(self) -> JobVerdict<'a> { loop {} }
        }

        /// A call of `job.decision_tree`.
        #[derive(Debug, Clone)]
        pub struct JobDecisionTree<'a>(Call<'a>);
        impl<'a> JobDecisionTree<'a> {
            /// Share of time spent waiting for data above which loading time is high. Default: `0.3`.
            pub fn load(self, load: f64) -> Self { loop {} }
            /// GPU utilization below which it is low. Default: `0.5`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// GPU utilization above which it is good. Default: `0.8`.
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
            /// Factor within which two stalls count as about the same (our own). Default: `2.0`.
            pub fn near(self, near: f64) -> Self { loop {} }
            /// Share of idle time above which the host can be the cause (PyTorch's tutorial). Default: `0.5`.
            pub fn idle(self, idle: f64) -> Self { loop {} }
            /// Share of device work above which a device is busy (PyTorch's tutorial). Default: `0.8`.
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
            /// Which operators launched which kernels, with what shape, and how well did the kernels fill the device?
            ///
            /// One row per process, kernel, operator and shape of the launch. The operator is the innermost one that
            /// encloses the launch on its thread. It is null if the recording does not show it. `dur_sum` adds up
            /// durations, so parallel kernels count more than once. `blocks_per_sm` and `occupancy` are means of the
            /// values that the profiler wrote for each kernel, weighted by its duration. `blocks_per_sm` is the number
            /// of blocks of the grid divided by the number of multiprocessors of the device. `occupancy` is the
            /// estimated share of active warps. Both are null if the profiler does not write them, as on AMD.
            /// Recordings of a process are taken together.
            ///
            /// The table is the kernel table by operator of the TensorBoard plugin. The plugin finds the operator by
            /// its external id. If ids are missing or wrong, it finds no operator or a wrong one.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the kernel
            /// - column `operator` (text, name): name of the operator; the innermost one around the launch
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
            /// - column `occupancy` (double, ratio): estimated occupancy, mean over the kernels weighted by their time
            /// - column `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name
            pub fn by_operator(self) -> Call<'a> { loop {} }
            /// How much device time went into computation, communication and memory, alone and in parallel?
            ///
            /// One row per recording of a process and set of types that ran at the same time, over all its devices and
            /// streams together. Each moment of device work counts in exactly one row, so the rows of a recording add
            /// up to the time in which anything ran. `types` names the set, such as `computation` or `computation
            /// overlapping communication`. `memory` means copies and fills.
            ///
            /// The table is HTA's `get_gpu_kernel_breakdown`, which adds up all ranks.
            ///
            /// Excluded: sets that did not occur.
            ///
            /// - column `run` (text, id): name of the run
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
            /// time in which at least one communication kernel ran. `overlap` is the part of it in which a computing
            /// kernel ran too. `exposed` is the rest, for which the process waited. Copies and fills do not count on
            /// either side. Collectives that run on the host (gloo) are not kernels; `step.breakdown` has them.
            ///
            /// `overlap_ratio` is that of HTA's `get_comm_comp_overlap`. It is null without communication. A recording
            /// without kernels has no row.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `n` (bigint, count): communicating kernels
            /// - column `communication` (bigint, ns): time in which a collective ran; kernels of collectives
            /// - column `computation` (bigint, ns): time in which a computing kernel ran
            /// - column `overlap` (bigint, ns): time in which communication and computation both ran
            /// - column `exposed` (bigint, ns): time in which a communicating kernel ran and no computing one
            /// - column `overlap_ratio` (double, ratio): `overlap` over `communication`
            pub fn comm_overlap(self) -> Call<'a> { loop {} }
            /// What did the hardware counters measure for each operator?
            ///
            /// One row per process, operator and counter of CUPTI's range profiler, which measures one kernel after the
            /// other. Its recordings do not show to which launch a range belongs. The query matches the ranges of a
            /// file, in the order of time, with its calls that launch kernels, as HTA's
            /// `get_cupti_counter_data_with_operators` does. If the numbers of ranges and calls differ, the operators
            /// are null. `operator` is the innermost one around the launch, `outer_operator` the outermost. `flops` is
            /// the number of operations that the counter represents. It is two for each instruction that multiplies and
            /// adds, and one for each other instruction of the counters of additions and multiplications. It is null
            /// for other counters. Recordings of a process are taken together.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `outer_operator` (text, name): outermost operator around the launch
            /// - column `operator` (text, name): name of the operator; the innermost one around the launch
            /// - column `counter` (text, name): counter, as the profiler names it
            /// - column `n` (bigint, count): kernels
            /// - column `value_sum` (double, count): sum over the kernels
            /// - column `value_mean` (double, count): mean
            /// - column `value_min` (double, count): minimum
            /// - column `value_max` (double, count): maximum
            /// - column `flops` (double, count): floating-point operations
            pub fn counters(self) -> Call<'a> { loop {} }
            /// How did the time of kernels and copies change compared with another run, recording, rank or step?
            ///
            /// One row per name, with counts and summed durations on both sides and their differences. The run of the
            /// row is one side, `base` is the other: `kernel_diff('before') where run = 'after'`. Without `base`, a run
            /// is compared with itself: `kernel_diff(base_span => 0, span => 1)` compares its second recording with its
            /// first. `base_step` and `step` do the same for steps, `base_rank` and `rank` for ranks. If a parameter of
            /// the base is not given, the base uses the value of the other side. For example, `kernel_diff('before',
            /// rank => 0, step => 7)` compares step 7 of rank 0 in both runs. Without a selection, all ranks,
            /// recordings and steps are added up. Without any parameter, both sides are equal.
            ///
            /// `change_kind` depends on the counts: added and deleted names are on one side only. Durations are added
            /// up, so parallel work counts more than once. `steps` and `base_steps` are the numbers of steps that were
            /// added up, over all ranks, because the two sides may differ. A kernel belongs to the step that launched
            /// it (view `event_step`). It belongs to no step if its launch is before the recording.
            ///
            /// Counts, durations and categories are those of HTA's TraceDiff for the device. TraceDiff compares one
            /// step of one rank and counts synchronization as work.
            ///
            /// - parameter `base` (text): Run to compare with; null for the run itself. Default: `null`.
            /// - parameter `rank` (bigint): Only this rank; null for all. Default: `null`.
            /// - parameter `span` (bigint): Only this recording; null for all. Default: `null`.
            /// - parameter `step` (bigint): Only this step; null for all. Default: `null`.
            /// - parameter `base_rank` (bigint): Only this rank of the base; null for that of `rank`. Default: `null`.
            /// - parameter `base_span` (bigint): Only this recording of the base; null for that of `span`. Default: `null`.
            /// - parameter `base_step` (bigint): Only this step of the base; null for that of `step`. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `base` (text, id): run that it is compared with
            /// - column `type` (text, name): computation, communication or memory (copies and fills)
            /// - column `name` (text, name): name of the kernel or copy
            /// - column `change_kind` (text, name): added, deleted, increased, decreased or unchanged, by the counts
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
            /// Which sequences of kernels do operators launch most often?
            ///
            /// One row per process, name of a call and sequence of device work: candidates for fusion, a graph or a
            /// better kernel. Calls are operators, annotations, collectives, modules and Python functions with
            /// `operator` in their name. Of nested calls, only the outermost counts. Its sequence contains all work
            /// launched inside it on its thread, including copies and fills, in the order in which the work began.
            /// Names are joined by ` -> `. Only sequences of at least `min_kernels` count. For each process, the `top`
            /// most frequent sequences are shown. Of equally frequent ones, those with the most time on the device come
            /// first. Recordings of a process are taken together.
            ///
            /// HTA's `get_frequent_cuda_kernel_sequences` takes the calls at the minimum depth at which the name
            /// occurs, and includes synchronization in the kernels. It raises an error if calls begin at the same time.
            ///
            /// - parameter `operator` (text): Text that the names of the calls contain. Default: `'aten::'`.
            /// - parameter `min_kernels` (bigint): Minimum number of kernels, copies and fills in a sequence, at least 1. Default: `3`.
            /// - parameter `top` (bigint): Sequences shown for each process, at least 1. Default: `10`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the call
            /// - column `sequence` (text, name): names of the kernels, copies and fills, in the order in which they began
            /// - column `n` (bigint, count): calls with this sequence
            /// - column `kernels` (bigint, count): kernels, copies and fills of the sequence
            /// - column `kernel_sum` (bigint, ns): sum of the durations of the kernels
            /// - column `host_sum` (bigint, ns): durations of the calls, added up
            pub fn frequent_sequences(self) -> KernelFrequentSequences<'a> { loop {} }
            /// Why did each stream of a device wait for work?
            ///
            /// One row per stream and cause. A stream is idle from the end of all its work so far to the start of its
            /// next work. The cause of such an interval is the first of these that applies. `unknown`: no launch of the
            /// next work was recorded. `host_wait`: the next work was launched after the interval had begun, so the
            /// stream waited for the host. `kernel_wait`: the interval is shorter than `threshold`, the cost of
            /// starting one kernel after another. `other`: everything else, such as a wait for another stream. The time
            /// before the first and after the last work of a stream is not an interval. `ratio` is the share in the
            /// idle time of the stream.
            ///
            /// Causes and threshold are those of HTA's `get_idle_time_breakdown`. HTA measures from the end of the
            /// previous kernel, so overlapping work counts as negative idle time. If no launch was recorded, HTA uses
            /// the length alone.
            ///
            /// - parameter `threshold` (bigint): Length in ns from which an interval is longer than the wait for the next kernel, at least 0. Default: `30000`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `idle_cause` (text, name): host_wait, kernel_wait, other or unknown
            /// - column `n` (bigint, count): intervals
            /// - column `dur_sum` (bigint, ns): sum of the durations
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
            /// One row per process, operator and sequence of kernels. Only calls of an operator with recorded launches
            /// count. A launch belongs to the innermost operator around it on its thread (`event_operator`).
            /// `kernel_names` are the names in the order of their launches, joined by ` -> `. `operator_delay_mean` is
            /// the mean time from the start of the operator to its first launch: host work before the device gets
            /// anything to do. `launch_delay_mean` is the mean time from the start of the first launch to the start of
            /// its kernel. It is long if the device is busy with earlier work. Copies and fills do not count.
            /// Recordings of a process are taken together.
            ///
            /// The means are those of HTA's `get_aten_op_kernels_and_delay`. HTA knows only operators of ATen and
            /// launches by CUDA, and takes the operator from any thread.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `operator` (text, name): name of the operator
            /// - column `kernel_names` (text, name): names of the kernels that it launched, in that order
            /// - column `n` (bigint, count): calls of the operator
            /// - column `operator_delay_mean` (double, ns): from the start of the operator to its first launch, mean
            /// - column `operator_delay_max` (bigint, ns): longest of these
            /// - column `launch_delay_mean` (double, ns): from the start of the first launch to the start of its kernel, mean
            /// - column `launch_delay_max` (bigint, ns): longest of these
            /// - column `kernel_sum` (bigint, ns): sum of the durations of the kernels
            pub fn launch_delay_by_operator(self) -> Call<'a> { loop {} }
            /// How long do launches take on the host, and how long is the delay until their work begins?
            ///
            /// One row per recording of a process and kind of work: kernels, copies (`memcpy`) and fills (`memset`). A
            /// call that launches several work items, as a graph does, is one launch, and their durations are added up.
            /// `delay` is the time from the end of the call to the start of its first work. It is 0 if the work began
            /// before the end of the call. Short delays and a queue that runs empty mean that the device waits for the
            /// host. `short_launches` counts work that took less time on the device than its call on the host. It
            /// counts only calls of at most `host_limit`. Such a launch costs more time than its work. `slow_calls`
            /// counts longer calls. `late_launches` counts work with a delay above `delay_limit`. Percentiles are
            /// exact, with linear interpolation between the closest values.
            ///
            /// Times and counts are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no
            /// driver, no HIP, no graphs). `kernel.launches` has single launches.
            ///
            /// Excluded: work without a recorded launch.
            ///
            /// - parameter `host_limit` (bigint): Duration in ns above which a call is slow, at least 0. Default: `50000`.
            /// - parameter `delay_limit` (bigint): Delay in ns above which work is late, at least 0. Default: `100000`.
            /// - column `run` (text, id): name of the run
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
            /// - column `short_launches` (bigint, count): work that took less time on the device than on the host, in calls that are not slow
            /// - column `slow_calls` (bigint, count): calls that took longer than `host_limit`
            /// - column `late_launches` (bigint, count): work with a delay above `delay_limit`
            pub fn launch_stats(self) -> KernelLaunchStats<'a> { loop {} }
            /// How long did each launch take on the host, how long until its work began, and how long on the device?
            ///
            /// One row per call that launched kernels, copies or fills. A call that launched several kinds of work or
            /// used several streams, as a graph does, has one row per stream and kind. `delay` is the time from the end
            /// of the call to the start of its first work. It is 0 if the work began before the end of the call. Three
            /// columns mark launches. `is_short`: the work took less time on the device than the call took on the host,
            /// and the call took at most `host_limit`. `slow_call`: the call took longer than `host_limit`. `is_late`:
            /// the delay is above `delay_limit`.
            ///
            /// Times and marks are those of HTA's `get_cuda_kernel_launch_stats`, which knows CUDA's runtime only (no
            /// driver, no HIP, no graphs). For many launches, `kernel.launch_stats` has their statistics.
            ///
            /// Excluded: work without a recorded launch.
            ///
            /// - parameter `host_limit` (bigint): Duration in ns above which a call is slow, at least 0. Default: `50000`.
            /// - parameter `delay_limit` (bigint): Delay in ns above which work is late, at least 0. Default: `100000`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `launch_ts` (bigint, time): start of the call that launched it
            /// - column `launch_name` (text, name): name of the call
            /// - column `launch_dur` (bigint, ns): duration of the call
            /// - column `delay` (bigint, ns): from the end of the call to the start of the work, at least 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `category` (text, name): kernel, memcpy or memset
            /// - column `name` (text, name): name of the kernel or copy, of several the first
            /// - column `ts` (bigint, time): start of the work
            /// - column `dur` (bigint, ns): duration of the work, of several their sum
            /// - column `correlation` (bigint, id): ties a call to the work that it launched
            /// - column `is_short` (boolean, flag): whether it took less time on the device than on the host, in a call that is not slow
            /// - column `slow_call` (boolean, flag): whether the call took longer than `host_limit`
            /// - column `is_late` (boolean, flag): whether the delay was above `delay_limit`
            /// - column `n` (bigint, count): kernels, copies or fills that it launched
            pub fn launches(self) -> KernelLaunches<'a> { loop {} }
            /// How well were the devices used: busy, filled with blocks and warps, on tensor cores?
            ///
            /// One row per recording of a process and device, over the time of view `profiled_window`. It lasts from
            /// the first step to the last one, including the work that they launched. Without steps it is the whole
            /// recording. Of each kernel, only the part inside this time counts. `gpu_utilization` is the share of that
            /// time in which at least one kernel ran. `sm_efficiency` weights each moment by the blocks per
            /// multiprocessor of the running kernels, at most 1. A kernel with fewer blocks than multiprocessors leaves
            /// some of them idle. `occupancy` is the mean of the estimated occupancy of the kernels, weighted by their
            /// time. `tensor_core_ratio` is the share of kernel time in kernels on tensor cores, by their names. Copies
            /// and fills do not count.
            ///
            /// The first three are those of the TensorBoard plugin. Its share of tensor cores does not know names later
            /// than Ampere, and counts only kernels for which it found the operator. `sm_efficiency` and `occupancy`
            /// are null if the profiler writes neither blocks nor occupancy for kernels, as on AMD.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `ts` (bigint, time): start of the time
            /// - column `dur` (bigint, ns): length of the time
            /// - column `kernels` (bigint, count): kernels in it
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            /// - column `sm_efficiency` (double, ratio): share of the multiprocessors that had a block, mean over the time
            /// - column `occupancy` (double, ratio): estimated occupancy, mean over the kernels weighted by their time
            /// - column `tensor_core_ratio` (double, ratio): time of kernels on tensor cores over that of all kernels
            pub fn occupancy(self) -> Call<'a> { loop {} }
            /// For how long was the queue of a stream full, so that the host had to wait for the device?
            ///
            /// One row per stream of a recording. The queue counts as full while at least `limit` launches wait in it.
            /// CUDA usually holds 1024 launches, and then blocks the calls that launch more. `ratio` is the share in
            /// the time from the first launch to the last start of work on any stream of the recording. A queue that is
            /// full much of the time is a good sign: the device is the limit, not the host. `kernel.queue_length`
            /// defines a launch.
            ///
            /// Time and share are those of HTA's `get_time_spent_blocked_on_full_queue`, which covers only one stream
            /// of a rank.
            ///
            /// - parameter `limit` (bigint): Number of launches from which the queue is full, at least 1. Default: `1024`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `length_max` (bigint, count): maximum length of the queue
            /// - column `n` (bigint, count): how often the queue became full
            /// - column `dur_sum` (bigint, ns): sum of the durations; of the times in which the queue was full
            /// - column `ratio` (double, ratio): `dur_sum` over the time of the recording's launches
            pub fn queue_full_time(self) -> KernelQueueFullTime<'a> { loop {} }
            /// How long was the queue of each stream of a device after every change?
            ///
            /// Two rows per launch and stream. The call on the host adds the launch to the queue of the stream (`delta`
            /// 1). The start of its work removes it (`delta` -1). `length` is the number of launches in the queue from
            /// `ts` on. A stream with an empty queue waits for the host next. A host with a full queue (usually 1024
            /// launches, `kernel.queue_full_time`) waits for the device. A call that launches several work items onto a
            /// stream, as a graph does, is one launch. If the clocks put a start before its call, the start counts at
            /// the time of the call.
            ///
            /// The length is that of HTA's `get_queue_length_time_series`. HTA knows only some names of calls (no
            /// graphs, no cooperative launches) and does not define the order of changes at the same time. Here calls
            /// come before starts.
            ///
            /// Excluded: work without a recorded launch.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `ts` (bigint, time): when the length changed
            /// - column `dur` (bigint, ns): from there to the next change; null for the last one
            /// - column `delta` (bigint, count): 1 for a launch, -1 for the start of its work
            /// - column `length` (bigint, count): launches in the queue afterwards
            pub fn queue_length(self) -> Call<'a> { loop {} }
            /// How did the length of the queue of each stream change over a recording?
            ///
            /// The time from the first launch to the last start of device work in a recording is divided into at most
            /// `bins` bins of equal length. The bins are the same for all processes and streams of a run. A change
            /// belongs to the bin in which it happens. `length_min` and `length_max` are the minimum and maximum length
            /// of the queue in the bin. `length_last` is the length at its end. There are never more than two bins for
            /// each work item of one stream. `kernel.queue_length` defines a launch.
            ///
            /// With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin
            /// also has the length from before the window.
            ///
            /// Excluded: bins without a change of the stream, in which the length stays the same.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first launch. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last start of work. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `stream` (bigint, id): stream of the device
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): changes in it
            /// - column `length_min` (bigint, count): minimum launches in the queue
            /// - column `length_max` (bigint, count): maximum length of the queue
            /// - column `length_last` (bigint, count): launches in the queue after the last change of the bin, and so until the next bin
            pub fn queue_length_over_time(self) -> KernelQueueLengthOverTime<'a> { loop {} }
            /// How long was the queue of each stream of a device on average?
            ///
            /// One row per stream of a recording. `length_mean` weights each length by the time for which it lasted.
            /// `empty_ratio` is the share of the time in which no launch waited: the device is then about to wait for
            /// the host. The other columns on the length are over its `n` values after each change, regardless of the
            /// time between changes. They are those of HTA's `get_queue_length_summary`: HTA's mean is `point_mean`.
            /// `kernel.queue_length` defines a launch.
            ///
            /// - column `run` (text, id): name of the run
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
            /// - column `length_max` (bigint, count): maximum length of the queue
            pub fn queue_length_summary(self) -> Call<'a> { loop {} }
            /// How much device time did each kernel and copy take?
            ///
            /// One row per process and name. `dur_sum` adds up durations, so parallel work counts more than once.
            /// `busy` is the time in which at least one of that name ran. `ratio` is `dur_sum` divided by that of all
            /// kernels and copies of the process. Percentiles are exact, with linear interpolation between the closest
            /// values. Recordings of a process are taken together.
            ///
            /// The sums are those of the kernel table of the TensorBoard plugin, and of HTA's
            /// `get_gpu_kernel_breakdown` for all kernels. HTA's default computes mean, minimum and maximum over sums,
            /// not over kernels.
            ///
            /// - column `run` (text, id): name of the run
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
            /// - column `tensor_core` (boolean, flag): whether the kernel runs on tensor cores, by its name; null for copies and fills
            pub fn summary(self) -> Call<'a> { loop {} }
            /// How much of the time was a device computing, doing something else, or idle?
            ///
            /// One row per recording of a process, over all its devices and streams together. `dur` is the time from
            /// the start of its first kernel, copy or fill to the end of the last one. `computation` is the time in
            /// which at least one computing kernel ran. `non_computation` is the time in which only communication,
            /// copies or fills ran. `idle` is the rest. The three add up to `dur`. `kernel`, `communication` and
            /// `memory` are the times in which at least one kernel, one communication kernel, or one copy or fill ran.
            /// Only `kernel_sum` adds up durations, so parallel kernels count more than once there.
            ///
            /// The three parts are those of HTA's `get_temporal_breakdown`. HTA rounds times with fractions to whole
            /// microseconds, drops the last step, and counts synchronization as work. A recording without device work
            /// has no row.
            ///
            /// - column `run` (text, id): name of the run
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
            /// - column `kernel_sum` (bigint, ns): sum of the durations of the kernels
            /// - column `kernel` (bigint, ns): time in which a kernel ran
            /// - column `communication` (bigint, ns): time in which a collective ran; kernels of collectives
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
            /// Only this rank of the base; null for that of `rank`. Default: `null`.
            pub fn base_rank(self, base_rank: i64) -> Self { loop {} }
            /// Only this recording of the base; null for that of `span`. Default: `null`.
            pub fn base_span(self, base_span: i64) -> Self { loop {} }
            /// Only this step of the base; null for that of `step`. Default: `null`.
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
            /// Text that the names of the calls contain. Default: `'aten::'`.
            pub fn operator(self, operator: &str) -> Self { loop {} }
            /// Minimum number of kernels, copies and fills in a sequence, at least 1. Default: `3`.
            pub fn min_kernels(self, min_kernels: i64) -> Self { loop {} }
            /// Sequences shown for each process, at least 1. Default: `10`.
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
            /// Length in ns from which an interval is longer than the wait for the next kernel, at least 0. Default: `30000`.
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
            /// Duration in ns above which a call is slow, at least 0. Default: `50000`.
            pub fn host_limit(self, host_limit: i64) -> Self { loop {} }
            /// Delay in ns above which work is late, at least 0. Default: `100000`.
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
            /// Duration in ns above which a call is slow, at least 0. Default: `50000`.
            pub fn host_limit(self, host_limit: i64) -> Self { loop {} }
            /// Delay in ns above which work is late, at least 0. Default: `100000`.
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
            /// Number of launches from which the queue is full, at least 1. Default: `1024`.
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
            /// Maximum number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Start of the window, in ns since the Unix epoch; null for the first launch. Default: `null`.
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
            /// How many data loader workers were alive in each second, and how many cores did the machine have?
            ///
            /// One row per machine and second of the clock in which a worker was alive or a batch was requested.
            /// `alive` counts the worker processes that lived at any time in that second. `delivering` counts the
            /// workers of the batches that were requested in it. `cores` counts the cores that were sampled on the
            /// machine. With far more workers than cores, the workers compete for the cores. With far fewer, the
            /// machine is idle while the training waits.
            ///
            /// Excluded: workers without a recorded time, and workers that lived for more than a week.
            ///
            /// smdebug's rule Dataloader counts the processes of all loader events in the second in which an event
            /// starts. This includes the training processes.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): start of the second
            /// - column `alive` (bigint, count): worker processes that lived in it
            /// - column `delivering` (bigint, count): workers with a batch that was requested in it
            /// - column `cores` (bigint, count): cores of the machine; null when none was sampled
            /// - column `relative` (double, factor): `alive` over `cores`
            pub fn active_workers(self) -> Call<'a> { loop {} }
            /// How much time passes from one batch to the next?
            ///
            /// The time between the starts of two consecutive calls for a batch in one process: the wait for the batch
            /// and the work on it. It shows the pace of the input side of the loop and needs no step marks. Breaks
            /// between epochs are included. Percentiles are exact, with linear interpolation between the closest
            /// values.
            ///
            /// Excluded: the first call of each process, which ends no interval, and calls without a time.
            ///
            /// - column `run` (text, id): name of the run
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
            /// After which batches did the request for the next batch come much later than usual?
            ///
            /// The query compares the time between the starts of two consecutive calls of one process with the median
            /// of its run, over all processes. It is an outlier when it lasted at least `factor` times the median.
            /// Breaks between epochs also count as outliers.
            ///
            /// - parameter `factor` (double): Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `ts` (bigint, time): start of the earlier call
            /// - column `dur` (bigint, ns): from there to the start of the later call
            /// - column `worker` (bigint, id): worker number; of the later call
            /// - column `epoch` (bigint, id): epoch as recorded
            /// - column `batch` (bigint, id): batch number as recorded; of the later call
            /// - column `dur_p50` (double, ns): median; of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn batch_time_outliers(self) -> LoaderBatchTimeOutliers<'a> { loop {} }
            /// How did the waits for batches and the work on them change from batch to batch?
            ///
            /// One row per bin of consecutive batches of a loop. A loop with more than `bins` batches gets at most
            /// `bins` bins, with equally many batches in each. A shorter loop gets one bin per batch. A bin ends early
            /// at the end of a pass, so there may be a few more bins. `load_so_far` is the mean wait from the first
            /// batch of the loop to the end of the bin. A monitor that never resets its counters prints this value,
            /// which hides a loader that slows down late.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins of a loop, at least 1. Default: `500`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `position` (bigint, id): position in its group, from 0
            /// - column `n` (bigint, count): batches in the bin
            /// - column `ts` (bigint, time): start of the first wait; null when no time was recorded
            /// - column `load_mean` (double, ns): mean wait
            /// - column `load_min` (bigint, ns): shortest wait
            /// - column `load_max` (bigint, ns): longest wait
            /// - column `compute_mean` (double, ns): mean work on a batch; null when unknown
            /// - column `load_so_far` (double, ns): mean wait up to the end of the bin, over all passes of the loop
            pub fn batches(self) -> LoaderBatches<'a> { loop {} }
            /// What did the machines and the framework do while the training process waited unusually long for a batch?
            ///
            /// A long wait is a call for a batch that lasted at least `factor` times the median of its run, on any
            /// rank. The query compares everything recorded during these waits with everything else from the start of
            /// the first call to the end of the last call. Set-up and shutdown are therefore not counted. For samples,
            /// the values are means, separately for each machine and quantity. For events, the values are shares of the
            /// time: 0.25 means that at least one event of that name was running in a quarter of the time of the long
            /// waits. Events that overlap count once. An event that is partly inside a long wait counts with that part.
            ///
            /// A run without a long wait has no rows. Waits are often shorter than the pause between two samples:
            /// `n_during` is the number of samples in a mean. The rows include the events of the loader itself, which
            /// show the waits.
            ///
            /// Excluded: waits of an ideal replay, everything without a time, and events without a length.
            ///
            /// - parameter `factor` (double): Minimum duration of a long wait, as a multiple of the median. Default: `2.0`.
            /// - column `run` (text, id): name of the run
            /// - column `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            /// - column `node` (text, id): machine; null for events, which are taken over all machines
            /// - column `category` (text, name): resource of the samples, or category of the events
            /// - column `name` (text, name): metric of the samples, or name of the events
            /// - column `unit` (text, name): unit as recorded; `ratio` for events
            /// - column `during` (double, mixed): value during the long waits; null when nothing was sampled in them
            /// - column `otherwise` (double, mixed): value at all other times between the first and the last call
            /// - column `difference` (double, mixed): `during` less `otherwise`
            /// - column `n_during` (bigint, count): samples during the long waits; null for events
            /// - column `n_otherwise` (bigint, count): samples at the other times; null for events
            pub fn during_outliers(self) -> LoaderDuringOutliers<'a> { loop {} }
            /// How long were the waits for batches in each epoch?
            ///
            /// One row per pass of a loop over its data. A new pass begins where the epoch changes, where a recording
            /// begins, and where the process makes a new iterator. The numbers are those of the DataLoaderProfiler of
            /// PyTorch's tutorial, but for the waits only. The tutorial has a clock at the top of the loop, which also
            /// includes the work on the previous batch (`loader.jitter`, part `interval`).
            ///
            /// The standard deviation has the divisor n-1 and is null for one batch.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `batches` (bigint, count): batches
            /// - column `load` (bigint, ns): time waited for batches
            /// - column `load_mean` (double, ns): mean wait
            /// - column `load_std` (double, ns): standard deviation of the waits, divisor n-1
            /// - column `load_min` (bigint, ns): shortest wait
            /// - column `load_max` (bigint, ns): longest wait
            /// - column `load_first` (bigint, ns): wait for the first batch; null if it was excluded as corrupt
            /// - column `compute` (bigint, ns): time of the work on the batches; of those with a known time; null when unknown
            /// - column `loader_ratio` (double, ratio): share of loop time spent waiting for data
            /// - column `batches_per_s` (double, per_s): batches over the time of the loop; null when unknown
            pub fn epochs(self) -> Call<'a> { loop {} }
            /// Was the first batch of an epoch much slower than the others?
            ///
            /// One row per pass of a loop. `relative` is the wait for its first batch over the median of its other
            /// waits. A large value comes from the start of the workers, a cold cache or a compiler.
            /// `persistent_workers=True` and a few warm-up batches help. A slow first batch says nothing about the
            /// steps after it. A recording that begins in the middle of an epoch does not contain the first batch of
            /// that epoch and does not show its wait.
            ///
            /// - parameter `factor` (double): The first wait is slow above this multiple of the median of the other waits. Default: `10.0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `rest` (bigint, count): other batches
            /// - column `load_first` (bigint, ns): wait for the first batch; null if it was excluded as corrupt
            /// - column `rest_p50` (double, ns): median wait for the others; null if there are none
            /// - column `relative` (double, factor): `load_first` over `rest_p50`
            /// - column `slow` (boolean, flag): whether `relative` lies above `factor`; null when it is unknown
            pub fn first_batch(self) -> LoaderFirstBatch<'a> { loop {} }
            /// How long did it take to set up the data loader, and how was it configured?
            ///
            /// One row per process rank, iterator and configuration. Unless its workers persist, a loader is set up
            /// again for every pass over the data, and this time recurs in every epoch.
            ///
            /// Excluded: initializations without a duration.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `num_workers` (bigint, count): worker processes of the loader
            /// - column `prefetch_factor` (bigint, count): batches that each worker prepares ahead
            /// - column `persistent_workers` (boolean, flag): whether workers outlive a pass
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory
            /// - column `n` (bigint, count): initializations
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            pub fn init(self) -> Call<'a> { loop {} }
            /// Which initializations of the data loader took much longer than usual?
            ///
            /// An initialization is an outlier when it lasted at least `factor` times the median of its run and
            /// iterator, over all processes.
            ///
            /// - parameter `factor` (double): Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `num_workers` (bigint, count): worker processes of the loader
            /// - column `ts` (bigint, time): start; null when no time was recorded
            /// - column `dur` (bigint, ns): duration
            /// - column `dur_p50` (double, ns): median; of its run and iterator
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn init_outliers(self) -> LoaderInitOutliers<'a> { loop {} }
            /// Which items of the dataset took longest to read, and which worker read them?
            ///
            /// One row per item, with its slowest access, for the slowest items of each loader. An item is what the
            /// dataset returns for one index. For an iterable dataset, each worker numbers its items separately.
            /// `relative` compares with the median over all accesses of the loader. The file is known only if the
            /// dataset has a list of files and the item was slow enough for an incident.
            ///
            /// - parameter `limit` (bigint): Number of items per loader, at least 1. Default: `20`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `position` (bigint, id): position in its group, from 1
            /// - column `item` (bigint, id): index of the item; null where it has none
            /// - column `worker` (bigint, id): worker number; of the slowest access; null in the training process
            /// - column `pid` (bigint, id): operating system process id
            /// - column `ts` (bigint, time): start of the slowest access
            /// - column `accesses` (bigint, count): how often it was read
            /// - column `dur_max` (bigint, ns): longest
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_p50` (double, ns): median; of all accesses of the loader
            /// - column `relative` (double, factor): `dur_max` over `dur_p50`
            /// - column `bytes` (bigint, bytes): size of the item
            /// - column `message` (text, text): what the incident of a slow item says, such as its file
            pub fn items(self) -> LoaderItems<'a> { loop {} }
            /// How much do the waits for batches, and the steps around them, vary?
            ///
            /// One row per loop and part of a step. `load` is the wait. `load_rest` is the wait without the first batch
            /// of each pass: judge a loader by this part. `compute` is the work on a batch. `step` is wait and work
            /// together. `interval` is the time from batch to batch, as a clock at the top of the loop measures it.
            /// Unknown parts have no row.
            ///
            /// `unsteadiness` is the 95th percentile over the median. Above 2, the loader or its storage delivers in
            /// bursts. Outliers lasted at least `factor` times the median; `loader.slow_batches` lists them.
            /// Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// - parameter `factor` (double): Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `part` (text, name): load, load_rest, compute, step or interval
            /// - column `n` (bigint, count): durations
            /// - column `dur` (bigint, ns): their sum
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_std` (double, ns): standard deviation; null for one
            /// - column `variation` (double, factor): `dur_std` over `dur_mean`
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
            /// one call was waiting: calls that overlap count once. `loader.share` has the share of the loop.
            /// Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// Excluded: waits of an ideal replay. `wait` is null when the profile recorded no times.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `n` (bigint, count): calls
            /// - column `wait` (bigint, ns): time in which at least one call was waiting
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            pub fn next(self) -> Call<'a> { loop {} }
            /// For which batches did the training process wait much longer than usual?
            ///
            /// A wait is an outlier when it lasted at least `factor` times the median of its run, over all processes.
            ///
            /// Excluded: waits of an ideal replay.
            ///
            /// - parameter `factor` (double): Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            /// - parameter `start` (bigint): Only waits that begin at this time or later, in ns since the Unix epoch; null for all. Default: `null`.
            /// - parameter `end` (bigint): Only waits that begin before this time, in ns since the Unix epoch; null for all. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker number
            /// - column `epoch` (bigint, id): epoch as recorded
            /// - column `batch` (bigint, id): batch number as recorded
            /// - column `ts` (bigint, time): start of the wait; null when no time was recorded
            /// - column `dur` (bigint, ns): length of the wait
            /// - column `dur_p50` (double, ns): median; of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn next_outliers(self) -> LoaderNextOutliers<'a> { loop {} }
            /// How did the waits for batches change in the course of a run?
            ///
            /// The query divides the time from the first to the last call of a run into at most `bins` bins of equal
            /// length, the same for all ranks. A call belongs to the bin in which it starts. The number of bins is at
            /// most the largest number of calls of a rank.
            ///
            /// Excluded: empty bins and calls without a time. With `start` or `end`, calls that begin outside of that
            /// window are also excluded. The bins then divide the time from the first to the last call in the window.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first call. Default: `null`.
            /// - parameter `end` (bigint): End of the window (exclusive), in ns since the Unix epoch; null for the last call. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): calls that start in it
            /// - column `wait_min` (bigint, ns): shortest wait
            /// - column `wait_mean` (double, ns): mean wait
            /// - column `wait_max` (bigint, ns): longest wait
            pub fn next_over_time(self) -> LoaderNextOverTime<'a> { loop {} }
            /// How much faster would an epoch be if loading its data took no time?
            ///
            /// For DALI's Loader Evaluator, the query compares each real pass with each ideal pass of the same run, or
            /// of any run if `across` is true. An ideal pass is a replay of cached batches. `speedup` is the real time
            /// over the ideal time. Both passes must have ended and must have the same number of batches. If they do
            /// not, or if a pass has no counterpart, `why` gives the reason. A replay repeats a few batches, so caches,
            /// and work that depends on the input, make the ideal pass look too fast. It does not include the start of
            /// workers. One pass on each side has no error bar.
            ///
            /// For other loops, the ideal is the same steps without their waits (`measure` steps or calls). It stands
            /// for a loader that never makes the loop wait and costs the steps nothing. This ideal time is computed;
            /// that of a replay is measured.
            ///
            /// - parameter `bottleneck` (double): Speed-up above which loading is the bottleneck (notebook of DALI's Loader Evaluator). Default: `1.5`.
            /// - parameter `potential` (double): Speed-up above which loading may be a bottleneck. Default: `1.1`.
            /// - parameter `across` (boolean): Whether passes of different runs are compared with each other. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `ideal_run` (text, id): run of the ideal side; null when there is none
            /// - column `ideal_loader` (text, name): loader of the ideal side
            /// - column `ideal_object` (bigint, id): file of the ideal side
            /// - column `measure` (text, name): replay, steps or calls; null when nothing was recorded to compare with
            /// - column `batches` (bigint, count): batches; of the real side
            /// - column `ideal_batches` (bigint, count): batches of the ideal side
            /// - column `load_mean` (double, ns): mean wait; of the real side
            /// - column `real` (bigint, ns): time on the real side; null when unknown
            /// - column `ideal` (bigint, ns): time on the ideal side; null when unknown
            /// - column `speedup` (double, factor): how many times as fast
            /// - column `saved` (bigint, ns): `real` without `ideal`
            /// - column `saved_ratio` (double, ratio): `saved` over `real`
            /// - column `rating` (text, name): bottleneck, potential or none; null when there is no speed-up
            /// - column `why` (text, text): why the result is null; else null
            pub fn real_vs_ideal(self) -> LoaderRealVsIdeal<'a> { loop {} }
            /// How does the training speed change with the settings of the data loader?
            ///
            /// One row per loop, over all runs: the settings of its loader (view `loader_setup`) and the speed of its
            /// steps. `speedup` compares with the baseline: by samples if both batch sizes are known, otherwise by
            /// batches. `baseline` names the loader or the run of the baseline. Without it, or if several loops match,
            /// the baseline is the loop with the fewest workers, and the slowest of these. If a format does not record
            /// the number of workers, set it with a tag: `ingest(..., tags={"num_workers": 4})`.
            ///
            /// Change one setting at a time, with the same sampler and the same model. `speedup_rest` excludes the
            /// first batch of each pass, and with it the start of the workers, which short recordings overstate.
            ///
            /// A filter on `run` selects the rows; the baseline is always that of all runs.
            ///
            /// Excluded: replays, and loops without a time to compare their batches with.
            ///
            /// - parameter `baseline` (text): Loader or run to compare the others with; null for the loop with the fewest workers. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `num_workers` (bigint, count): worker processes of the loader; null when unknown
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `prefetch_factor` (bigint, count): batches that each worker prepares ahead; null when unknown
            /// - column `persistent_workers` (boolean, flag): whether workers outlive a pass; null when unknown
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory; null when unknown
            /// - column `batches` (bigint, count): batches; those with a time
            /// - column `batches_per_s` (double, per_s): batches over the time of the loop
            /// - column `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            /// - column `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            /// - column `is_baseline` (boolean, flag): whether it is the baseline that others are compared with
            /// - column `speedup` (double, factor): how many times as fast; relative to the baseline; null without one
            /// - column `speedup_rest` (double, factor): the same without the first batch of each pass
            pub fn scaling(self) -> LoaderScaling<'a> { loop {} }
            /// What share of the training loop was spent waiting for data, and is that a bottleneck?
            ///
            /// One row per loop, or per pass of a loop if `by` is epoch. Each row has the share of all batches and the
            /// share without the first batch of each pass. With worker processes, the first wait includes their start.
            /// This alone can lift the share of a short recording above the limit. `is_bottleneck` compares
            /// `loader_ratio_rest` with `bottleneck`, or `loader_ratio` if that is null.
            ///
            /// `measure` is what the waits are compared with. `steps`: the sum of load and compute that a loop
            /// recorded. `calls`: the time from call to call. `pass`: the whole pass that DALI's Loader Evaluator
            /// timed; workers that start in it make the share too small. `report`: the time of the training epochs in a
            /// report of Lightning's SimpleProfiler. It includes validation, and it does not show the first batch
            /// separately. Compare only shares of the same measure. `step.loader_share` is a different measure: waits
            /// that no other work hid.
            ///
            /// Excluded: replays of cached batches, which load nothing (see `loader.real_vs_ideal`). If `by` is epoch,
            /// also Lightning's reports.
            ///
            /// - parameter `by` (text): One row per loader (all passes together) or per epoch: loader or epoch. Default: `'loader'`.
            /// - parameter `bottleneck` (double): Share above which loading is the bottleneck (PyTorch's tutorial). Default: `0.3`.
            /// - parameter `high` (double): Share above which loading is high (XProf). Default: `0.2`.
            /// - parameter `notable` (double): Share above which loading is notable (XProf, TensorBoard plugin). Default: `0.05`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `pass` (bigint, id): pass of the loop, from 0; null unless `by` is epoch
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown, or unless `by` is epoch
            /// - column `measure` (text, name): steps, calls, pass or report; null when nothing was recorded to compare the waits with
            /// - column `batches` (bigint, count): batches
            /// - column `load` (bigint, ns): time waited for batches; null when `total` is
            /// - column `total` (bigint, ns): time that the ratios of the row are a share of; `loader_ratio_rest` excludes the first batch of each pass from it
            /// - column `loader_ratio` (double, ratio): share of loop time spent waiting for data
            /// - column `loader_ratio_rest` (double, ratio): the same without the first batch of each pass; null when unknown
            /// - column `band` (text, name): ok, notable, high or bottleneck, by `loader_ratio`
            /// - column `band_rest` (text, name): the same by `loader_ratio_rest`
            /// - column `is_bottleneck` (boolean, flag): whether `loader_ratio_rest`, or `loader_ratio` where there is none, lies above `bottleneck`
            /// - column `disagree` (boolean, flag): whether all batches and the rest lie on different sides of `bottleneck`; null when one is unknown
            /// - column `why` (text, text): why the result is null; else null
            pub fn share(self) -> LoaderShare<'a> { loop {} }
            /// For which batches was the wait, or the work, much longer than for others?
            ///
            /// The query lists a batch when its part of the step lasted at least `factor` times the median of that part
            /// in its loop. By default (`part` is load_rest), first batches of a pass are excluded from both the list
            /// and the median. `loader.next_outliers` compares calls with the median of their whole run instead.
            ///
            /// - parameter `factor` (double): Minimum duration of a listed part, as a multiple of the median of its loop. Default: `2.0`.
            /// - parameter `part` (text): Load_rest (waits without the first of each pass), load, compute, step or interval: load_rest, load, compute, step or interval. Default: `'load_rest'`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `pass` (bigint, id): pass of the loop, from 0
            /// - column `epoch` (bigint, id): epoch as recorded; null when unknown
            /// - column `position` (bigint, id): position in its group, from 0
            /// - column `batch` (bigint, id): batch number as recorded; null when unknown
            /// - column `ts` (bigint, time): start of the wait; null when no time was recorded
            /// - column `dur` (bigint, ns): duration of the part
            /// - column `dur_p50` (double, ns): median; of the loop
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn slow_batches(self) -> LoaderSlowBatches<'a> { loop {} }
            /// How many batches and samples per second did a training loop process?
            ///
            /// One row per loop. The rates are over the time of the steps, waits and work together. If only whole
            /// passes were timed, the rates are over the time of the passes. Each row has the rate of all batches and
            /// the rate without the first batch of each pass. `loads_per_s` is what the loader would deliver to a loop
            /// that only waits for it. If it is close to `batches_per_s`, the loader sets the pace. Samples need a
            /// batch size (view `loader_setup`); the last batch of an epoch counts as a full batch.
            ///
            /// `load`, `compute`, `total` and their means are those of `measure_loading_overhead` of PyTorch's
            /// tutorial, for real steps.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `variant` (text, name): real or ideal, of tools that time a replay; else null
            /// - column `measure` (text, name): steps, calls or pass, as in `loader.share`; null when there is no total
            /// - column `batches` (bigint, count): batches; those with a time
            /// - column `load` (bigint, ns): time waited for batches
            /// - column `compute` (bigint, ns): time of the work on the batches; of measure pass with all else that happened in it
            /// - column `total` (bigint, ns): time that the ratios of the row are a share of
            /// - column `load_mean` (double, ns): mean wait
            /// - column `compute_mean` (double, ns): mean work on a batch
            /// - column `batches_per_s` (double, per_s): batches over the time of the loop
            /// - column `rest_batches_per_s` (double, per_s): the same without the first batch of each pass
            /// - column `loads_per_s` (double, per_s): batches over `load`; null for a loader that was never waited for
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`
            pub fn throughput(self) -> Call<'a> { loop {} }
            /// Which data loader settings did the search try, and how fast was each?
            ///
            /// One row per setting that `tracelake.record.optimize` tried, and one for the replay from memory
            /// (`variant` ideal). The replay shows the speed if loading data took no time. A trial is one pass with a
            /// setting. `dur` of a trial is the time per batch over a whole epoch, including start-up. The rate is that
            /// of the median trial; its range is from the slowest to the fastest trial. The range of n trials contains
            /// the true median in 1 - 2^(1-n) of all cases: in 94 % for 5 trials.
            ///
            /// The search compares settings by trials of the same round. Of settings that are equally fast, it takes
            /// the one that needs fewer resources. The chosen setting is therefore not always the fastest here. Trials
            /// of one process count together, even if it searched several times.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `loader` (text, name): name of the loader or iterator; `replay` of the replay
            /// - column `variant` (text, name): real or ideal, of tools that time a replay
            /// - column `num_workers` (bigint, count): worker processes of the loader
            /// - column `batch_size` (bigint, count): items in a batch; null when unknown
            /// - column `prefetch_factor` (bigint, count): batches that each worker prepares ahead; null for the default
            /// - column `persistent_workers` (boolean, flag): whether workers outlive a pass
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory
            /// - column `trials` (bigint, count): trials that gave a time
            /// - column `batches_per_s` (double, per_s): batches over the time of the loop; in the median trial; null if all failed
            /// - column `samples_per_s` (double, per_s): `batches_per_s` times `batch_size`; null where a batch does not show how many it has
            /// - column `low_per_s` (double, per_s): the slowest trial, in samples where these are known, else in batches
            /// - column `high_per_s` (double, per_s): the fastest trial, likewise
            /// - column `dur_p50` (double, ns): median; of the trials
            /// - column `bytes` (bigint, bytes): most resident memory at the end of a trial, of the process and its workers; null when unknown
            /// - column `limit_bytes` (bigint, bytes): memory above which a setting was not taken; null for none
            /// - column `is_baseline` (boolean, flag): whether it is the baseline that others are compared with
            /// - column `chosen` (boolean, flag): whether the search found it best; the baseline if nothing was surely faster
            /// - column `failed` (text, text): why it was given up; null if it was not
            pub fn trials(self) -> Call<'a> { loop {} }
            /// How busy does the data loader keep an accelerator, by the definition of MLPerf Storage?
            ///
            /// One row per loop. Accelerator utilization is the computing time over the sum of computing time and waits
            /// for data. MLPerf Storage excludes the first step (`accelerator_utilization_rest`), requires 90 % for its
            /// image models and 70 % for CosmoFlow, and takes the mean over ranks and epochs. Accelerator utilization
            /// is 1 minus the share of `loader.share`. It does not show what the accelerator did while the loop
            /// computed: `utilization.gpu_load` shows that, from samples.
            ///
            /// A pass that was timed only as a whole has no utilization. Its time outside of the waits includes the
            /// start of the workers, which would count as computing.
            ///
            /// - parameter `target` (double): Minimum accelerator utilization. Default: `0.9`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object; null where calls have times
            /// - column `measure` (text, name): steps, calls or pass, as in `loader.share`; null when nothing was recorded to compare the waits with
            /// - column `compute` (bigint, ns): time of the work on the batches; null when unknown
            /// - column `total` (bigint, ns): time that the ratios of the row are a share of
            /// - column `accelerator_utilization` (double, ratio): `compute` over `total`
            /// - column `accelerator_utilization_rest` (double, ratio): the same without the first batch of each pass
            /// - column `reached` (boolean, flag): whether `accelerator_utilization_rest` is at least `target`; null when unknown
            /// - column `why` (text, text): why the result is null; else null
            pub fn utilization(self) -> LoaderUtilization<'a> { loop {} }
            /// Which data loader workers lived much longer than usual?
            ///
            /// A worker is an outlier when it lived for at least `factor` times the median of its run, over all
            /// processes. The workers of a training loader live longer than those of a short evaluation and are then
            /// the outliers. Compare only workers of the same loader.
            ///
            /// - parameter `factor` (double): Minimum lifetime of an outlier, as a multiple of the median. Default: `2.0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker number
            /// - column `ts` (bigint, time): start of its life; null when no time was recorded
            /// - column `dur` (bigint, ns): length of its life
            /// - column `dur_p50` (double, ns): median; of the run
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn worker_outliers(self) -> LoaderWorkerOutliers<'a> { loop {} }
            /// When did each data loader worker live, and for how long?
            ///
            /// One row per life of a worker, from its start to its exit. Workers that live for only one epoch are
            /// started again for the next one.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id
            /// - column `worker` (bigint, id): worker number
            /// - column `ts` (bigint, time): start of its life; null when no time was recorded
            /// - column `dur` (bigint, ns): length of its life
            pub fn workers(self) -> Call<'a> { loop {} }
            /// Which worker of the loader is slow, and is the time in its items or in its collate calls?
            ///
            /// One row per worker of a loader, or for the training process if it reads the items itself. `relative` is
            /// the worker's median time of an item over the median of these medians for all workers of the loader. A
            /// worker with a value of about 1 is like the others.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator
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
            /// One row per batch that a worker made, see `worker_batch`. `queue_dur` is the time from when the worker
            /// finished the batch until the training process received it. It includes the transfer between the
            /// processes. Long times in the queue mean that the workers are ahead of the training. With no time in the
            /// queue, the training waits for the workers.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `loader` (text, name): name of the loader or iterator
            /// - column `worker` (bigint, id): worker number; null in the training process
            /// - column `pid` (bigint, id): operating system process id
            /// - column `epoch` (bigint, id): epoch as recorded; null where the worker does not know it
            /// - column `batch` (bigint, id): batch number as recorded; null where the worker does not know it
            /// - column `ts` (bigint, time): start of its first item
            /// - column `dur` (bigint, ns): until the end of its collate call
            /// - column `items` (bigint, count): items read
            /// - column `item_dur` (bigint, ns): time in items
            /// - column `collate_dur` (bigint, ns): time in collate calls; null if it was never made
            /// - column `queue_dur` (bigint, ns): until the training process had it; null where that is not known
            pub fn workers_timeline(self) -> Call<'a> { loop {} }
        }

        /// A call of `loader.batch_time_outliers`.
        #[derive(Debug, Clone)]
        pub struct LoaderBatchTimeOutliers<'a>(Call<'a>);
        impl<'a> LoaderBatchTimeOutliers<'a> {
            /// Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
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
            /// Maximum number of bins of a loop, at least 1. Default: `500`.
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
            /// Minimum duration of a long wait, as a multiple of the median. Default: `2.0`.
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
            /// The first wait is slow above this multiple of the median of the other waits. Default: `10.0`.
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
            /// Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
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
            /// Number of items per loader, at least 1. Default: `20`.
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
            /// Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
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
            /// Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only waits that begin at this time or later, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// Only waits that begin before this time, in ns since the Unix epoch; null for all. Default: `null`.
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
            /// Maximum number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Start of the window, in ns since the Unix epoch; null for the first call. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window (exclusive), in ns since the Unix epoch; null for the last call. Default: `null`.
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
            /// Speed-up above which loading may be a bottleneck. Default: `1.1`.
            pub fn potential(self, potential: f64) -> Self { loop {} }
            /// Whether passes of different runs are compared with each other. Default: `false`.
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
            /// Loader or run to compare the others with; null for the loop with the fewest workers. Default: `null`.
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
            /// One row per loader (all passes together) or per epoch: loader or epoch. Default: `'loader'`.
            pub fn by(self, by: &str) -> Self { loop {} }
            /// Share above which loading is the bottleneck (PyTorch's tutorial). Default: `0.3`.
            pub fn bottleneck(self, bottleneck: f64) -> Self { loop {} }
            /// Share above which loading is high (XProf). Default: `0.2`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Share above which loading is notable (XProf, TensorBoard plugin). Default: `0.05`.
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
            /// Minimum duration of a listed part, as a multiple of the median of its loop. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Load_rest (waits without the first of each pass), load, compute, step or interval: load_rest, load, compute, step or interval. Default: `'load_rest'`.
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
            /// Minimum accelerator utilization. Default: `0.9`.
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
            /// Minimum lifetime of an outlier, as a multiple of the median. Default: `2.0`.
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
            /// How fast did copies and fills move memory after every change?
            ///
            /// Two rows per copy or fill: its bandwidth is added at its start and subtracted at its end. `name` is the
            /// direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, ...; `Memcpy Unknown` if it
            /// was not recorded) or `Memset`. `bytes_per_s` is the sum over all that run on the device in that
            /// direction, from `ts` on. The bandwidth of a copy is the one that the profiler wrote (GB of 10^9 bytes),
            /// else its bytes divided by its duration. A copy with a duration of 0, shorter than the resolution of the
            /// clock, counts as one microsecond long.
            ///
            /// The series is that of HTA's `get_memory_bw_time_series`. HTA adds up all devices of a rank and does not
            /// define the order of changes at the same time. Here ends come before starts.
            ///
            /// Excluded: copies with neither a recorded bandwidth nor a recorded size.
            ///
            /// - column `run` (text, id): name of the run
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
            /// How fast did copies and fills move memory over a recording?
            ///
            /// The time from the start of the first copy to the end of the last one in a recording is divided into at
            /// most `bins` bins of equal length. The bins are the same for all processes, devices and directions of a
            /// run. A change belongs to the bin in which it happens. `max_bytes_per_s` is the maximum bandwidth in the
            /// bin. `last_bytes_per_s` is the bandwidth at its end, which lasts until the next bin. `copied_bytes` is
            /// the size of the copies that began in it. There are never more bins than changes in one direction.
            /// `memory.bandwidth` defines the directions and the bandwidth.
            ///
            /// With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin
            /// also has the bandwidth from before the window.
            ///
            /// Excluded: bins without a change, in which the bandwidth stays the same.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first copy. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last copy. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `name` (text, name): direction of the copies, or Memset
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): copies that began in it
            /// - column `copied_bytes` (bigint, bytes): sum of the sizes; null where none is on record
            /// - column `max_bytes_per_s` (double, bytes_per_s): maximum bandwidth
            /// - column `last_bytes_per_s` (double, bytes_per_s): bandwidth after the last change of the bin
            pub fn bandwidth_over_time(self) -> MemoryBandwidthOverTime<'a> { loop {} }
            /// How fast did copies and fills move memory on average?
            ///
            /// One row per recording of a process, device and direction. `mean_bytes_per_s` is the mean over the time
            /// in which a copy of that direction ran (`busy`). The columns `point_*` are over the `n` values of the
            /// bandwidth above 0 after each change, regardless of the time between changes. They are those of HTA's
            /// `get_memory_bw_summary`: HTA's mean is `point_mean_bytes_per_s`. `memory.bandwidth` defines the
            /// directions and the bandwidth.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `name` (text, name): direction of the copies, or Memset
            /// - column `copies` (bigint, count): copies or fills
            /// - column `copied_bytes` (bigint, bytes): sum of the sizes; null where none is on record
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in the time in which at least one ran
            /// - column `n` (bigint, count): values of the bandwidth above 0
            /// - column `point_mean_bytes_per_s` (double, bytes_per_s): mean of these
            /// - column `point_std_bytes_per_s` (double, bytes_per_s): standard deviation of these; null for a single one
            /// - column `min_bytes_per_s` (double, bytes_per_s): minimum of these
            /// - column `p25_bytes_per_s` (double, bytes_per_s): 25th percentile
            /// - column `p50_bytes_per_s` (double, bytes_per_s): median
            /// - column `p75_bytes_per_s` (double, bytes_per_s): 75th percentile
            /// - column `max_bytes_per_s` (double, bytes_per_s): maximum bandwidth
            pub fn bandwidth_summary(self) -> Call<'a> { loop {} }
            /// Which operators allocated memory on which device, and how much?
            ///
            /// One row per process, device and operator inside which memory was allocated or freed. An event of the
            /// allocator belongs to the innermost operator that encloses it on its thread (the `self_` columns), and to
            /// all operators around that one. It counts once for an operator that is inside another call of the same
            /// name. `increase_bytes` is the allocated memory minus the freed memory, whatever operator allocated it.
            /// `alloc_bytes` excludes the freed memory. Recordings of a process are taken together.
            ///
            /// The table is the memory view of the TensorBoard plugin.
            ///
            /// Excluded: events outside of all operators.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `device` (text, name): device of the memory (cpu, gpu0)
            /// - column `operator` (text, name): name of the operator
            /// - column `n` (bigint, count): calls of the operator, with and without events of the allocator
            /// - column `increase_bytes` (bigint, bytes): bytes allocated less bytes freed, in it and the operators it called
            /// - column `self_increase_bytes` (bigint, bytes): the same without the operators it called
            /// - column `allocs` (bigint, count): allocations in it and the operators it called
            /// - column `self_allocs` (bigint, count): allocations without the operators it called
            /// - column `alloc_bytes` (bigint, bytes): bytes allocated in it and the operators it called
            /// - column `self_alloc_bytes` (bigint, bytes): bytes allocated without the operators it called
            pub fn by_operator(self) -> Call<'a> { loop {} }
            /// How did the memory in use change over a run?
            ///
            /// The time from the first to the last event of an allocator in a recording is divided into at most `bins`
            /// bins of equal length. The bins are the same for all processes and devices of a run. An event belongs to
            /// the bin in which it lies. `min_bytes` and `max_bytes` are the minimum and maximum number of bytes in use
            /// after an event of the bin, so that no peak is lost. `reserved_bytes` is the maximum that the allocator
            /// held. These and `last_bytes` are null in recordings that have only the size of each event (torch before
            /// 1.10). `increase_bytes` is the allocated memory minus the freed memory from the first event of the
            /// recording to the end of the bin. There are never more bins than events of one device.
            ///
            /// With `start` or `end`, the bins divide that window, as far as it lies within this time. The first bin
            /// also has the values from before the window.
            ///
            /// Excluded: bins without events, in which nothing changed.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins, at least 1. Default: `200`.
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device of the memory (cpu, gpu0)
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): events in it
            /// - column `min_bytes` (bigint, bytes): minimum bytes in use
            /// - column `max_bytes` (bigint, bytes): most bytes in use
            /// - column `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            /// - column `increase_bytes` (bigint, bytes): bytes allocated less bytes freed from the first event to the end of the bin
            /// - column `last_bytes` (bigint, bytes): bytes in use after the last event of the bin, and so until the next bin
            pub fn curve(self) -> MemoryCurve<'a> { loop {} }
            /// What was the peak memory of each device, and when was it reached?
            ///
            /// One row per recording of a process and device with events of an allocator. `peak_bytes` is the maximum
            /// number of bytes in use after an event of the allocator. `ts` is the first time at which it was reached.
            /// `reserved_bytes` is the maximum that the allocator held. The three are null in recordings that have only
            /// the size of each event (torch before 1.10). In these, only `increase_bytes` is known, the maximum
            /// increase since the first event. The memory in use before the first event is unknown.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device of the memory (cpu, gpu0)
            /// - column `n` (bigint, count): events of the allocator
            /// - column `ts` (bigint, time): when the peak was reached first
            /// - column `peak_bytes` (bigint, bytes): most bytes in use
            /// - column `reserved_bytes` (bigint, bytes): most bytes held by the allocator
            /// - column `increase_bytes` (bigint, bytes): maximum increase of the bytes in use since the first event
            /// - column `device_bytes` (bigint, bytes): memory of the device
            /// - column `peak_ratio` (double, ratio): `peak_bytes` over `device_bytes`
            pub fn peak(self) -> Call<'a> { loop {} }
            /// How much memory was copied and filled, in which direction, in which sizes, and how fast?
            ///
            /// One row per device and kind of a process rank. With `sizes`, each class of size has its own row. A kind
            /// is a direction (`Memcpy HtoD` from host to device, `Memcpy DtoH`, `Memcpy DtoD`, `Memcpy PtoP`, ...;
            /// `Memcpy Unknown` if it was not recorded), `Memset`, or a migration of unified memory that no call
            /// requested (`Memcpy HtoD (Unified)`). Apart from migrations, kinds are the directions of
            /// `memory.bandwidth`. The class of a size is the smallest power of 4 that is not below it. For example,
            /// 1048576 is the class of copies of more than 256 KiB and up to 1 MiB.
            ///
            /// `dur_sum` adds up durations, so parallel copies count more than once. `busy` is the time in which at
            /// least one ran. `mean_bytes_per_s` is `bytes` divided by the time in which copies of known size ran.
            /// `sizes` shows how much many small copies cost. Counts, bytes and `dur_sum` of the classes add up to
            /// those of the kind, but `busy` may not. Recordings of a process are taken together.
            ///
            /// The numbers are those of the reports `cuda_gpu_mem_time_sum` and `cuda_gpu_mem_size_sum` of `nsys
            /// stats`. The names of copies in `kernel.summary` show whether the memory of the host was pinned.
            ///
            /// - parameter `sizes` (boolean): Whether each class of size has its own row. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `device` (text, name): device (gpu0)
            /// - column `kind` (text, name): direction of the copies, or Memset
            /// - column `size_bytes` (bigint, bytes): maximum size of the class; null for all sizes together, and for unknown ones
            /// - column `n` (bigint, count): copies or fills
            /// - column `bytes` (bigint, bytes): sum of their sizes; null where none is on record
            /// - column `mean_bytes` (double, bytes): mean size
            /// - column `min_bytes` (bigint, bytes): minimum size
            /// - column `p50_bytes` (double, bytes): median size
            /// - column `max_bytes` (bigint, bytes): maximum size
            /// - column `dur_sum` (bigint, ns): sum of the durations
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            /// - column `mean_bytes_per_s` (double, bytes_per_s): mean bandwidth in the time in which at least one ran
            pub fn transfers(self) -> MemoryTransfers<'a> { loop {} }
        }

        /// A call of `memory.bandwidth_over_time`.
        #[derive(Debug, Clone)]
        pub struct MemoryBandwidthOverTime<'a>(Call<'a>);
        impl<'a> MemoryBandwidthOverTime<'a> {
            /// Maximum number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Start of the window, in ns since the Unix epoch; null for the first copy. Default: `null`.
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
            /// Maximum number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Start of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
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
            /// Whether each class of size has its own row. Default: `false`.
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
            /// How much time did each operator take for each shape of its inputs?
            ///
            /// One row per operator name, shapes of the inputs and process rank. The columns are those of
            /// `operator.summary`. The shapes are as the profiler wrote them, one list per input. They are null if the
            /// profiler did not write them (`record_shapes=True` enables them).
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `shapes` (text, json): shapes of the inputs; null when not recorded
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_max` (bigint, ns): longest
            pub fn by_shape(self) -> Call<'a> { loop {} }
            /// From which places in the code were operators called, and how much time did they take there?
            ///
            /// One row per operator name, Python stack and process rank. The other columns are those of
            /// `operator.summary`. The stack is the one that the profiler wrote for the operator (until PyTorch 1.12).
            /// Otherwise it is the Python functions and modules that enclose the operator on its thread, innermost
            /// first, with `;` between them. It is null if none was recorded (`with_stack=True` enables it), and on the
            /// separate thread of a device's backward pass.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `stack` (text, text): Python functions around it, innermost first; null when not recorded
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            pub fn by_stack(self) -> Call<'a> { loop {} }
            /// Which calls ran inside which others, and where in that tree did the time of host and device go?
            ///
            /// One row per chain of names on a process rank. All calls with the same enclosing calls are one node,
            /// regardless of thread and step. Nodes are operators, annotations, collectives and calls of a data loader,
            /// and with `python` also Python functions and modules. A call is inside the last call of its thread that
            /// began no later, ends no earlier and still runs. `path_id` identifies the chain of names: the same chain
            /// has the same `path_id` in every run.
            ///
            /// `host_self` is the time in which nothing ran directly inside. `device_self` is the device work that the
            /// calls launched themselves. `device_total` also has the device work of everything inside. Both add up
            /// durations, so parallel device work counts more than once. The `host_total` of all children of a node
            /// adds up to at most that of the node, unless they overlap in part.
            ///
            /// Excluded: step marks, which would divide the tree into steps.
            ///
            /// - parameter `python` (boolean): Whether Python functions and modules are nodes. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `path_id` (bigint, id): identifies the path of names from the outermost to this one, in any run
            /// - column `parent_id` (bigint, id): `path_id` of the enclosing row; null for the outermost
            /// - column `depth` (bigint, count): rows that enclose it
            /// - column `category` (text, name): operator, annotation, communication, loader, python or module
            /// - column `name` (text, name): name of the call
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            pub fn call_tree(self) -> OperatorCallTree<'a> { loop {} }
            /// How did the time of operators and other host calls change compared with another run, recording, rank or step?
            ///
            /// One row per name, with counts and summed durations on both sides and their differences. Names are those
            /// of operators, annotations, collectives, calls of a data loader and calls into a device's runtime or
            /// driver. With `python`, Python functions and modules are included. The run of the row is one side, `base`
            /// is the other: `operator_diff('before') where run = 'after'`. Without `base`, a run is compared with
            /// itself: `operator_diff(base_span => 0, span => 1)` compares its second recording with its first.
            /// `base_step` and `step` do the same for steps, `base_rank` and `rank` for ranks. If a parameter of the
            /// base is not given, the base uses the value of the other side. For example, `operator_diff('before', rank
            /// => 0, step => 7)` compares step 7 of rank 0 in both runs. Without a selection, all ranks, recordings and
            /// steps are added up. Without any parameter, both sides are equal.
            ///
            /// `change_kind` depends on the counts: added and deleted names are on one side only. Durations are those
            /// of the calls, including everything that ran inside. `steps` and `base_steps` are the numbers of steps
            /// that were added up, over all ranks, because the two sides may differ.
            ///
            /// Counts, durations and categories are those of HTA's TraceDiff for the host. TraceDiff compares one step
            /// of one rank and includes the mark of the step.
            ///
            /// - parameter `base` (text): Run to compare with; null for the run itself. Default: `null`.
            /// - parameter `rank` (bigint): Only this rank; null for all. Default: `null`.
            /// - parameter `span` (bigint): Only this recording; null for all. Default: `null`.
            /// - parameter `step` (bigint): Only this step; null for all. Default: `null`.
            /// - parameter `base_rank` (bigint): Only this rank of the base; null for that of `rank`. Default: `null`.
            /// - parameter `base_span` (bigint): Only this recording of the base; null for that of `span`. Default: `null`.
            /// - parameter `base_step` (bigint): Only this step of the base; null for that of `step`. Default: `null`.
            /// - parameter `python` (boolean): Whether Python functions and modules are compared. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `base` (text, id): run that it is compared with
            /// - column `category` (text, name): operator, annotation, communication, loader, runtime, driver, python or module
            /// - column `name` (text, name): name of the call
            /// - column `change_kind` (text, name): added, deleted, increased, decreased or unchanged, by the counts
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
            /// How many floating-point operations did the operators perform, and how fast?
            ///
            /// One row per operator name and process rank. The numbers are the profiler's own estimates. With
            /// `with_flops=True`, it estimates them from the shapes of the inputs for a few operators (convolutions,
            /// products of matrices, sums, products). The rate is over the device work that the operators launched, or
            /// over their time on the host if they launched none.
            ///
            /// Excluded: operators without an estimate. The result is empty if the profile has no estimates.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `n` (bigint, count): calls with an estimate
            /// - column `flops` (double, count): floating-point operations
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `flops_per_s` (double, per_s): `flops` over `device_total`, or over `host_total` where that is 0
            pub fn flops(self) -> Call<'a> { loop {} }
            /// How much time did each operator take, on the host and on the device?
            ///
            /// One row per operator name and process rank. `host_total` is the time in calls of that name, added up
            /// over the threads; recursion counts once. `host_self` excludes the calls inside: other operators,
            /// annotations and calls into the runtime. `device_self` is the device work that its own calls launched.
            /// `device_total` also has the device work of everything inside. Both add up durations, so parallel device
            /// work counts more than once. A launch belongs to the innermost call around it on its thread (view
            /// `host_frame`), so traces without `External id` have these numbers too.
            ///
            /// The definitions are those of the operator table of the TensorBoard plugin of PyTorch, with two
            /// differences. The plugin excludes operators that overlap another one in part. If the only child of an
            /// operator has the same name, the plugin merges the two.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `name` (text, name): name of the operator
            /// - column `n` (bigint, count): calls
            /// - column `host_total` (bigint, ns): time in its calls, thread by thread
            /// - column `host_self` (bigint, ns): time in it and in nothing inside
            /// - column `device_total` (bigint, ns): device work launched in it and everything inside
            /// - column `device_self` (bigint, ns): device work that it launched itself, not in rows inside
            /// - column `dur_mean` (double, ns): mean
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
            /// Only this rank of the base; null for that of `rank`. Default: `null`.
            pub fn base_rank(self, base_rank: i64) -> Self { loop {} }
            /// Only this recording of the base; null for that of `span`. Default: `null`.
            pub fn base_span(self, base_span: i64) -> Self { loop {} }
            /// Only this step of the base; null for that of `step`. Default: `null`.
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
            /// `collective`). The shortest duration over the ranks is the transfer. The rest is waiting for the rank
            /// that arrived last. Times are unions over the streams: parallel collectives count once.
            ///
            /// `overlap` is the part of `communication` in which the rank also computed. For a kernel, that means
            /// computing kernels. For a collective on the host, it means operators and annotations of the host.
            /// `lateness_mean` and the skew compare the starts on several ranks and need synchronized clocks.
            /// `transfer` and `synchronization` do not.
            ///
            /// Transfer and waiting are those of the TensorBoard plugin's distributed view. The plugin compares nothing
            /// unless all ranks have the same number of collectives. Here only a step or a name that differs has no
            /// values (`matched` is smaller than `n`).
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `category` (text, name): kernel, or communication for collectives that ran on the host
            /// - column `name` (text, name): name of the kernel, or of the mark on the host
            /// - column `n` (bigint, count): how often it ran
            /// - column `matched` (bigint, count): those that were found on another rank too
            /// - column `communication` (bigint, ns): time in which a collective ran
            /// - column `transfer` (bigint, ns): time of the transfer itself: the shortest duration over the ranks; null without `matched`
            /// - column `synchronization` (bigint, ns): time of waiting for the last rank: what is not `transfer`; null without `matched`
            /// - column `synchronization_ratio` (double, ratio): `synchronization` over both
            /// - column `overlap` (bigint, ns): time in which communication and computation both ran
            /// - column `overlap_ratio` (double, ratio): `overlap` over `communication`
            /// - column `lateness_mean` (double, ns): mean time from the first rank's start to this one's
            /// - column `skew_p50` (double, ns): median time from the first rank's start to the last one's
            /// - column `skew_max` (bigint, ns): longest time of that
            /// - column `times_last` (bigint, count): collectives to which this rank came last
            pub fn communication(self) -> Call<'a> { loop {} }
            /// How unevenly is the work of a step distributed over the ranks?
            ///
            /// One row per run and part of a step: the step itself (`step`) and the eight roles of `step.breakdown`,
            /// which divide every moment of it. Each rank counts with the mean over its steps, all recordings together.
            /// `imbalance` is the maximum of these means divided by their mean. A value of 1 is even. A value of 1.5
            /// means that the busiest rank takes 50 % more than the average. All others may have to wait for it. Ranks
            /// that wait for a straggler have more `communication`. The straggler has more of the part that made it
            /// late.
            ///
            /// Steps are those of `step.breakdown`, with the same `extended`. Runs of a single rank have no row.
            ///
            /// Excluded: steps that a recording cut short, and processes without a rank.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `part` (text, name): step, kernel, memcpy, memset, communication, runtime, loader, cpu or other
            /// - column `ranks` (bigint, count): ranks
            /// - column `dur_mean` (double, ns): mean; over the means of the ranks
            /// - column `dur_std` (double, ns): standard deviation; over the means of the ranks
            /// - column `dur_min` (double, ns): shortest; of the means of the ranks
            /// - column `min_rank` (bigint, id): rank that has it; of several the lowest
            /// - column `dur_max` (double, ns): longest; of the means of the ranks
            /// - column `max_rank` (bigint, id): rank that has it; of several the lowest
            /// - column `imbalance` (double, factor): `dur_max` over `dur_mean`; null where no rank has any
            /// - column `spread` (double, ns): `dur_max` less `dur_min`
            pub fn imbalance(self) -> RankImbalance<'a> { loop {} }
            /// Which ranks do the others wait for, and how long?
            ///
            /// One row per rank that took part in a collective that another rank recorded too (view `collective`). In
            /// each such collective, one rank comes last and the others wait for it. `held_up` adds up their waiting
            /// time, over all of these ranks and collectives. `caused_delay` is how much sooner the collectives would
            /// have begun to transfer if this rank had come together with the second-to-last rank. A straggler has a
            /// large `held_up_ratio` and waits little itself. `rank.imbalance` shows what it was doing in the meantime,
            /// `step.breakdown` shows when.
            ///
            /// The rank that comes last is the one with the shortest duration, because all ranks end together. Unlike
            /// the latest start, that needs no synchronized clocks. HTA's `get_potential_stragglers` uses the start of
            /// one kernel on one stream in each step. It only names the candidates, and does not know kernels of NCCL
            /// 2.19 and later.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process
            /// - column `collectives` (bigint, count): collectives found on at least two ranks
            /// - column `times_last` (bigint, count): collectives to which this rank came last
            /// - column `last_ratio` (double, ratio): `times_last` over `collectives`
            /// - column `held_up` (bigint, ns): time that other ranks waited for this one, added up over them
            /// - column `held_up_ratio` (double, ratio): `held_up` over that of all ranks of the run
            /// - column `caused_delay` (bigint, ns): time by which this rank alone held the collectives up
            /// - column `caused_delay_max` (bigint, ns): longest delay that it caused in a single collective
            /// - column `waited` (bigint, ns): time that this rank waited for others
            /// - column `lateness_mean` (double, ns): mean time from the first rank's start to this one's; by the clocks of the machines
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
            /// Does the hardware have room for larger batches?
            ///
            /// smdebug's rule BatchSize, over the whole run. One row per GPU. The rule is evaluated at the end of every
            /// minute (view `system_recent`), including the last one, once there are more than `patience` and more than
            /// `window` values. It uses the 95th percentiles of the last `window` values of the cores (their mean), of
            /// the GPU and of its memory. A minute is a violation when all three percentiles are below their limits.
            /// One violation triggers the rule.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never
            /// evaluates the last minute. In its box plot, the whiskers of the memory use a quartile of the GPU's
            /// utilization; here they use the quartiles of the memory.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `cpu_threshold_p95` (double): Percent below which the cores have room; null for the published limit. Default: `null`.
            /// - parameter `gpu_threshold_p95` (double): Percent below which a GPU has room; null for the published limit. Default: `null`.
            /// - parameter `gpu_memory_threshold_p95` (double): Percent below which its memory has room; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Number of last values to look at; 500 in all sources, at least 1. Default: `500`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): minutes that ended with room
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
            /// Do the rules report the same today as while the job ran?
            ///
            /// One row per rule report that the job wrote (`rules.reported`), together with what `rules.report` says
            /// about the run. By default, the run is evaluated with the limits in its own reports. LowGPUUtilization
            /// and BatchSize always use the last 500 values (`window`), whatever the report says. `why` has the first
            /// reason for different numbers: different limits, different datapoints, or a different way of counting.
            ///
            /// `defaults` selects the source of the limits: reported (the run's own report, or history where it has no
            /// limit), history (smdebug's code), rulesconfig (AWS's package) or docs (AWS's guide of 2023).
            ///
            /// smdebug evaluates a job minute by minute, counts values on a border twice, and skips the last minute.
            /// Its datapoints therefore usually differ.
            ///
            /// - parameter `defaults` (text): Source of the limits (see above): history, rulesconfig, docs or reported. Default: `'reported'`.
            /// - column `run` (text, id): name of the run
            /// - column `rule` (text, name): name of the rule
            /// - column `reported_triggered` (boolean, flag): whether it was triggered
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null when that cannot be known
            /// - column `agrees` (boolean, flag): whether the two verdicts are the same; null without one of them
            /// - column `reported_violations` (bigint, count): violations as reported
            /// - column `violations` (bigint, count): violations here
            /// - column `reported_datapoints` (bigint, count): what was judged
            /// - column `datapoints` (bigint, count): what is judged here
            /// - column `reported_parameters` (text, json): limits of the report
            /// - column `parameters` (text, json): limits that were used
            /// - column `why` (text, text): why the result is null; or why the numbers differ; null where all are the same
            /// - column `object` (bigint, id): file of the row, see table object
            pub fn compared(self) -> RulesCompared<'a> { loop {} }
            /// Were GPUs idle while cores were busy?
            ///
            /// smdebug's rule CPUBottleneck, over the whole run. One row per run. A snapshot of a machine (view
            /// `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and its busiest core
            /// is above `cpu_threshold`. The rule is triggered when there are more than `patience` snapshots and more
            /// than `threshold` percent of them are violations. `utilization.cpu_bottleneck` lists such snapshots.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `threshold` (double): Percent of violations above which the rule is triggered; null for the published limit. Default: `null`.
            /// - parameter `gpu_threshold` (double): Percent below which a GPU is idle; null for the published limit. Default: `null`.
            /// - parameter `cpu_threshold` (double): Percent above which a core is busy; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more snapshots than this; null for the published limit, at least 0. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): snapshots with an idle GPU next to a busy core
            /// - column `datapoints` (bigint, count): snapshots, those of all machines
            /// - column `low_gpu` (bigint, count): snapshots with an idle GPU
            /// - column `violation_ratio` (double, ratio): violations among the snapshots
            /// - column `first_ts` (bigint, time): first violation
            /// - column `last_ts` (bigint, time): last violation
            /// - column `parameters` (text, json): limits that were used
            pub fn cpu_bottleneck(self) -> RulesCpuBottleneck<'a> { loop {} }
            /// Were there too few or too many data loader workers for the cores?
            ///
            /// smdebug's rule Dataloader, over the whole run. One row per machine. The rule counts the worker processes
            /// in each second in which a worker lived (view `worker_second`). It is triggered when the median of these
            /// counts is below `min_threshold` or above `max_threshold` percent of the cores, over more than `patience`
            /// seconds. Violations are the seconds with a count beyond one of these limits.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit). For this rule, docs has no limits and uses those of rulesconfig.
            ///
            /// smdebug counts the processes of the events that start in a second, including the training processes. A
            /// worker therefore counts only in the first second of its life. smdebug evaluates each window separately,
            /// and its data loading time mixes the lifetimes of workers with waits.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `min_threshold` (double): Percent of the cores below which there are too few workers; null for the published limit, at least 0. Default: `null`.
            /// - parameter `max_threshold` (double): Percent of the cores above which there are too many workers; null for the published limit, at least 0. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more seconds than this; null for the published limit, at least 0. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null where no core was sampled
            /// - column `violations` (bigint, count): seconds with too few or too many workers; null where no core was sampled
            /// - column `datapoints` (bigint, count): seconds in which a worker lived
            /// - column `workers_p50` (double, count): median of the worker processes in them
            /// - column `workers_max` (bigint, count): maximum number of workers
            /// - column `cores` (bigint, count): cores of the machine; null when none was sampled
            /// - column `num_workers` (bigint, count): worker processes of the loader; maximum over the loaders
            /// - column `pin_memory` (boolean, flag): whether batches go to pinned memory
            /// - column `prefetch_factor` (bigint, count): batches that each worker prepares ahead
            /// - column `wait_p25` (double, ns): lower quartile of the waits for a batch
            /// - column `wait_p50` (double, ns): median
            /// - column `wait_p95` (double, ns): 95th percentile
            /// - column `parameters` (text, json): limits that were used
            pub fn dataloader(self) -> RulesDataloader<'a> { loop {} }
            /// Did the memory in use on a GPU grow?
            ///
            /// smdebug's rule GPUMemoryIncrease, over the whole run. One row per GPU. A value is a violation when the
            /// mean of the last `window` values is more than `increase` above the mean of the `window` - 1 values that
            /// begin one value earlier. The rule needs more than `patience` values and more than `window` + 1 values.
            /// One violation triggers the rule.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug counts a value on the border of two of its windows twice, and no value of the last minute.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `increase` (double): Growth of the mean in percentage points that is allowed; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Number of values in a mean; null for the published limit, at least 2. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): values at which the mean had grown by more than `increase`
            /// - column `datapoints` (bigint, count): values of the memory of the GPU
            /// - column `increase` (double, percent): growth at the last violation, in percentage points
            /// - column `last_ts` (bigint, time): last violation
            /// - column `p5` (double, percent): 5th percentile
            /// - column `p25` (double, percent): lower quartile
            /// - column `p50` (double, percent): median
            /// - column `p75` (double, percent): upper quartile
            /// - column `p95` (double, percent): 95th percentile
            /// - column `max` (double, percent): maximum value
            /// - column `lower` (double, percent): lower whisker
            /// - column `upper` (double, percent): upper whisker
            /// - column `parameters` (text, json): limits that were used
            pub fn gpu_memory_increase(self) -> RulesGpuMemoryIncrease<'a> { loop {} }
            /// Were GPUs idle while cores waited for disks or network?
            ///
            /// smdebug's rule IOBottleneck, over the whole run. One row per run. A snapshot of a machine (view
            /// `system_extreme`) is a violation when its least busy GPU is below `gpu_threshold` and the core that
            /// waits most is above `io_threshold`. The rule is triggered when there are more than `patience` snapshots
            /// and more than `threshold` percent of them are violations. `utilization.io_bottleneck` lists such
            /// snapshots.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug counts a snapshot on the border of two of its windows twice, and no snapshot of the last minute.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `threshold` (double): Percent of violations above which the rule is triggered; null for the published limit. Default: `null`.
            /// - parameter `gpu_threshold` (double): Percent below which a GPU is idle; null for the published limit. Default: `null`.
            /// - parameter `io_threshold` (double): Percent above which a core waits; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more snapshots than this; null for the published limit, at least 0. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): snapshots with an idle GPU next to a core that waits
            /// - column `datapoints` (bigint, count): snapshots, those of all machines
            /// - column `low_gpu` (bigint, count): snapshots with an idle GPU
            /// - column `violation_ratio` (double, ratio): violations among the snapshots
            /// - column `first_ts` (bigint, time): first violation
            /// - column `last_ts` (bigint, time): last violation
            /// - column `parameters` (text, json): limits that were used
            pub fn io_bottleneck(self) -> RulesIoBottleneck<'a> { loop {} }
            /// Do the GPUs of a run carry different loads?
            ///
            /// smdebug's rule LoadBalancing, over the whole run. One row per pair of GPUs (view `gpu_pair`), on any
            /// machines. A pair is a violation, and triggers the rule, when the Jensen-Shannon distance of the
            /// histograms of their utilization is above `threshold` and both have more than `patience` values.
            /// `utilization.gpu_balance` has the same distances.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// Because of an error in a loop, smdebug never compares two GPUs, and its rule is never triggered. Its
            /// histograms end at 98 percent.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `threshold` (double): Distance above which the loads differ; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more values of each GPU than this; null for the published limit, at least 0. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the first GPU
            /// - column `other_node` (text, id): machine of the second GPU
            /// - column `other_device` (text, name): the second GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): 1 where the loads differ, else 0
            /// - column `datapoints` (bigint, count): values of the GPU that has fewer
            /// - column `distance` (double, factor): Jensen-Shannon distance of the two histograms
            /// - column `parameters` (text, json): limits that were used
            pub fn load_balancing(self) -> RulesLoadBalancing<'a> { loop {} }
            /// Was a GPU underused, or did its utilization fluctuate?
            ///
            /// smdebug's rule LowGPUUtilization, over the whole run. One row per GPU. The rule is evaluated at the end
            /// of every minute (view `system_recent`), including the last one, once there are more than `patience`
            /// values. The minute is a violation in two cases. Underused: the 95th percentile of the last `window`
            /// values is below `threshold_p95`. Fluctuating: that percentile is above `threshold_p95`, and the 5th
            /// percentile is below `threshold_p5`. One violation triggers the rule.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug evaluates at the end of each of its one-minute windows, which share their borders, and never
            /// evaluates the last minute.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `threshold_p95` (double): Percent below which the 95th percentile means underused; null for the published limit. Default: `null`.
            /// - parameter `threshold_p5` (double): Percent below which the 5th percentile means fluctuating; null for the published limit. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            /// - parameter `window` (bigint): Number of last values to look at; 500 in all sources, at least 1. Default: `500`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): minutes that ended with the GPU underused or fluctuating
            /// - column `datapoints` (bigint, count): values of the GPU
            /// - column `underused` (bigint, count): minutes that ended with the GPU underused
            /// - column `fluctuating` (bigint, count): minutes that ended with the GPU fluctuating
            /// - column `last_ts` (bigint, time): start of the last such minute
            /// - column `recent_p5` (double, percent): 5th percentile of the last `window` values of the run
            /// - column `recent_p95` (double, percent): 95th percentile of the same
            /// - column `p25` (double, percent): lower quartile
            /// - column `p50` (double, percent): median
            /// - column `p75` (double, percent): upper quartile
            /// - column `p95` (double, percent): 95th percentile
            /// - column `max` (double, percent): maximum value
            /// - column `lower` (double, percent): lower whisker
            /// - column `upper` (double, percent): upper whisker
            /// - column `parameters` (text, json): limits that were used
            pub fn low_gpu_utilization(self) -> RulesLowGpuUtilization<'a> { loop {} }
            /// Did it take long until the first step?
            ///
            /// smdebug's rule MaxInitializationTime, over the whole run. One row per run. The run is a violation, and
            /// triggers the rule, when more than `threshold` minutes pass between the first recorded time and the first
            /// step of any mode.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug counts from its first window, and one violation for every minute without a step. Here, a run
            /// without steps has null, because the start of its training is not known. smdebug treats such a run as one
            /// in which training never began.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `threshold` (double): Minutes until the first step above which the rule is triggered; null for the published limit. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null without steps
            /// - column `violations` (bigint, count): 1 where the first step came late, else 0; null without steps
            /// - column `datapoints` (bigint, count): steps, each once over all ranks
            /// - column `started` (bigint, time): earliest time in its profile
            /// - column `first_ts` (bigint, time): start of the first step
            /// - column `last_ts` (bigint, time): start of the last step
            /// - column `ended` (bigint, time): last time in its profile
            /// - column `dur` (bigint, ns): from the first recorded time to the first step
            /// - column `parameters` (text, json): limits that were used
            pub fn max_initialization_time(self) -> RulesMaxInitializationTime<'a> { loop {} }
            /// What did the framework spend its time on?
            ///
            /// smdebug's rule OverallFrameworkMetrics, over the whole run. One row per part and name, with the share of
            /// the name in its part. The parts are: `ratio`, the host and the devices; `cpu`, each operator; `gpu`,
            /// each kernel, copy and fill; `phase`, the steps of each mode and the gaps between the steps (`others`);
            /// `forward_backward`, the modules in forward and in backward passes; `general`, everything else, by its
            /// track. Events of one process that overlap count once; the times of several processes add up. The rule is
            /// never triggered.
            ///
            /// smdebug adds up durations, excludes operators below 2 percent, and subtracts its `others` from the gaps
            /// a second time.
            ///
            /// Excluded: events without a time, and events that last more than a week.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `part` (text, name): ratio, cpu, gpu, phase, forward_backward or general
            /// - column `name` (text, name): host or device, operator, mode, pass or track
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): always 0
            /// - column `datapoints` (bigint, count): events
            /// - column `dur` (bigint, ns): time in which at least one of them ran, summed over the processes
            /// - column `ratio` (double, ratio): share of `dur` of all names of the part
            pub fn overall_framework_metrics(self) -> Call<'a> { loop {} }
            /// How busy were the machines of a run as a whole?
            ///
            /// smdebug's rule OverallSystemUsage, over the whole run. One row per machine and quantity (view
            /// `system_box`): the mean over cores or GPUs in one snapshot, main memory, disks, and the sum of the bytes
            /// sent and received. The rule is never triggered. smdebug's Network is `traffic_algorithm`, and its I/O is
            /// `iowait` of the cores. smdebug never includes the last minute, rounds values, and replaces negative
            /// values by 0.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `unit` (text, name): unit as recorded
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): always 0
            /// - column `datapoints` (bigint, count): snapshots with this quantity
            /// - column `min` (double, mixed): minimum value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): maximum value
            /// - column `p25` (double, mixed): lower quartile
            /// - column `p75` (double, mixed): upper quartile
            /// - column `lower` (double, mixed): lower whisker
            /// - column `upper` (double, mixed): upper whisker
            pub fn overall_system_usage(self) -> Call<'a> { loop {} }
            /// Which rules does a run trigger?
            ///
            /// smdebug's ProfilerReport. One row per run and rule that has data, over the rows of the queries
            /// `rules.*`. A rule is triggered if it is triggered for any machine, GPU, pair or process of the run.
            /// Violations and datapoints add up. A rule without data has no row.
            ///
            /// `defaults` selects the source of the limits: history (smdebug's code), rulesconfig (AWS's package), docs
            /// (AWS's guide of 2023) or reported (the run's own report, or history where it has no limit).
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - column `run` (text, id): name of the run
            /// - column `rule` (text, name): name of the rule
            /// - column `triggered` (boolean, flag): whether the rule is triggered; null when that cannot be known
            /// - column `violations` (bigint, count): what the rule counts as violations; null when that cannot be known
            /// - column `datapoints` (bigint, count): what was judged
            /// - column `parameters` (text, json): limits that were used; {} for a rule without
            /// - column `advice` (text, text): what to do when it is triggered
            pub fn report(self) -> RulesReport<'a> { loop {} }
            /// What did the rules report while the job ran?
            ///
            /// One row per rule report that the job wrote (`rule-output/` of SageMaker Debugger), unchanged.
            /// `rules.compared` shows next to it what the rules report today.
            ///
            /// smdebug counts a rule as triggered once for each window in which its condition was true.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `rule` (text, name): name of the rule
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `times_triggered` (bigint, count): how often it was triggered
            /// - column `violations` (bigint, count): what it counted as violations
            /// - column `datapoints` (bigint, count): what was judged
            /// - column `parameters` (text, json): limits that were used
            /// - column `details` (text, json): what else it reported
            /// - column `object` (bigint, id): file of the row, see table object
            pub fn reported(self) -> Call<'a> { loop {} }
            /// Did some steps last much longer than the others of their rank?
            ///
            /// smdebug's rule StepOutlier, over the whole run. One row per process and mode. A step is an outlier when
            /// it lasts more than `stddev` standard deviations (of the population) above the mean. If there are more
            /// than `n_outliers` outliers and more than `patience` steps, the outliers are violations and trigger the
            /// rule. Each step counts once. `step.outliers` is similar, but uses the median, and spans over all ranks.
            ///
            /// `defaults` selects the source of the limits that you do not pass: history (smdebug's code), rulesconfig
            /// (AWS's package), docs (AWS's guide of 2023) or reported (the run's own report, or history where it has
            /// no limit).
            ///
            /// smdebug counts the outliers of earlier windows again in each window, and steps on the border of two
            /// windows twice. It uses only the last mode of a process, whatever its `mode` says.
            ///
            /// Excluded: steps that a recording cut short.
            ///
            /// - parameter `defaults` (text): Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            /// - parameter `stddev` (double): Standard deviations above the mean that make a step an outlier; null for the published limit. Default: `null`.
            /// - parameter `n_outliers` (bigint): The rule needs more outliers than this; null for the published limit, at least 0. Default: `null`.
            /// - parameter `mode` (text): Only steps of this mode; null for each mode: train, eval, predict or global. Default: `null`.
            /// - parameter `patience` (bigint): The rule needs more steps than this; fixed in smdebug, at least 0. Default: `100`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `triggered` (boolean, flag): whether the rule is triggered
            /// - column `violations` (bigint, count): outliers, if they are more than `n_outliers`
            /// - column `datapoints` (bigint, count): steps
            /// - column `outliers` (bigint, count): outliers, however few
            /// - column `dur_limit` (double, ns): duration above which a step is an outlier
            /// - column `dur_mean` (double, ns): mean
            /// - column `dur_stddev` (double, ns): its standard deviation, that of a population
            /// - column `dur_min` (bigint, ns): shortest
            /// - column `dur_p50` (double, ns): median
            /// - column `dur_p95` (double, ns): 95th percentile
            /// - column `dur_p99` (double, ns): 99th percentile
            /// - column `dur_max` (bigint, ns): longest
            /// - column `parameters` (text, json): limits that were used
            pub fn step_outlier(self) -> RulesStepOutlier<'a> { loop {} }
        }

        /// A call of `rules.batch_size`.
        #[derive(Debug, Clone)]
        pub struct RulesBatchSize<'a>(Call<'a>);
        impl<'a> RulesBatchSize<'a> {
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent below which the cores have room; null for the published limit. Default: `null`.
            pub fn cpu_threshold_p95(self, cpu_threshold_p95: f64) -> Self { loop {} }
            /// Percent below which a GPU has room; null for the published limit. Default: `null`.
            pub fn gpu_threshold_p95(self, gpu_threshold_p95: f64) -> Self { loop {} }
            /// Percent below which its memory has room; null for the published limit. Default: `null`.
            pub fn gpu_memory_threshold_p95(self, gpu_memory_threshold_p95: f64) -> Self { loop {} }
            /// The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Number of last values to look at; 500 in all sources, at least 1. Default: `500`.
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
            /// Source of the limits (see above): history, rulesconfig, docs or reported. Default: `'reported'`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of violations above which the rule is triggered; null for the published limit. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Percent below which a GPU is idle; null for the published limit. Default: `null`.
            pub fn gpu_threshold(self, gpu_threshold: f64) -> Self { loop {} }
            /// Percent above which a core is busy; null for the published limit. Default: `null`.
            pub fn cpu_threshold(self, cpu_threshold: f64) -> Self { loop {} }
            /// The rule needs more snapshots than this; null for the published limit, at least 0. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of the cores below which there are too few workers; null for the published limit, at least 0. Default: `null`.
            pub fn min_threshold(self, min_threshold: f64) -> Self { loop {} }
            /// Percent of the cores above which there are too many workers; null for the published limit, at least 0. Default: `null`.
            pub fn max_threshold(self, max_threshold: f64) -> Self { loop {} }
            /// The rule needs more seconds than this; null for the published limit, at least 0. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Growth of the mean in percentage points that is allowed; null for the published limit. Default: `null`.
            pub fn increase(self, increase: f64) -> Self { loop {} }
            /// The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Number of values in a mean; null for the published limit, at least 2. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent of violations above which the rule is triggered; null for the published limit. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// Percent below which a GPU is idle; null for the published limit. Default: `null`.
            pub fn gpu_threshold(self, gpu_threshold: f64) -> Self { loop {} }
            /// Percent above which a core waits; null for the published limit. Default: `null`.
            pub fn io_threshold(self, io_threshold: f64) -> Self { loop {} }
            /// The rule needs more snapshots than this; null for the published limit, at least 0. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Distance above which the loads differ; null for the published limit. Default: `null`.
            pub fn threshold(self, threshold: f64) -> Self { loop {} }
            /// The rule needs more values of each GPU than this; null for the published limit, at least 0. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Percent below which the 95th percentile means underused; null for the published limit. Default: `null`.
            pub fn threshold_p95(self, threshold_p95: f64) -> Self { loop {} }
            /// Percent below which the 5th percentile means fluctuating; null for the published limit. Default: `null`.
            pub fn threshold_p5(self, threshold_p5: f64) -> Self { loop {} }
            /// The rule needs more values than this; null for the published limit, at least 0. Default: `null`.
            pub fn patience(self, patience: i64) -> Self { loop {} }
            /// Number of last values to look at; 500 in all sources, at least 1. Default: `500`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Minutes until the first step above which the rule is triggered; null for the published limit. Default: `null`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
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
            /// Source of the default limits (see above): history, rulesconfig, docs or reported. Default: `'history'`.
            pub fn defaults(self, defaults: &str) -> Self { loop {} }
            /// Standard deviations above the mean that make a step an outlier; null for the published limit. Default: `null`.
            pub fn stddev(self, stddev: f64) -> Self { loop {} }
            /// The rule needs more outliers than this; null for the published limit, at least 0. Default: `null`.
            pub fn n_outliers(self, n_outliers: i64) -> Self { loop {} }
            /// Only steps of this mode; null for each mode: train, eval, predict or global. Default: `null`.
            pub fn mode(self, mode: &str) -> Self { loop {} }
            /// The rule needs more steps than this; fixed in smdebug, at least 0. Default: `100`.
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
            /// How much time did each call into the operating system take?
            ///
            /// One row per name of a call and process rank, such as `poll`, `read` or `pthread_cond_wait`, as Nsight
            /// Systems records them with `--trace=osrt`. Most of these calls wait. The reason of a wait is not
            /// recorded, and a long wait of a thread without work is not a loss. `dur_sum` adds up durations, so calls
            /// of several threads count more than once, and a call inside another one counts in both. `busy` is the
            /// time in which at least one of that name ran. Percentiles are exact, with linear interpolation between
            /// the closest values. Recordings of a process are taken together.
            ///
            /// Calls that are shorter than a threshold are not recorded, so `n` and the percentiles cover only the
            /// longer ones. If the export has the threshold, it is in table `run_attribute`, under a key that begins
            /// with `nsys.` and ends with `DURATION_THRESHOLD_NS`.
            ///
            /// The numbers are those of the report `osrt_sum` of `nsys stats`, which adds up all processes of a file.
            ///
            /// Excluded: marks of the start or end of a call, which have no duration.
            ///
            /// - column `run` (text, id): name of the run
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
            /// How much host time did each call into the device's runtime and driver take?
            ///
            /// One row per name of a call and process rank: launches, copies, allocations and synchronization.
            /// `dur_sum` adds up durations. Calls of several threads therefore count more than once, and so does a
            /// driver call inside a runtime call. `busy` is the time in which at least one of that name ran. A call
            /// that waits for the device lasts as long as it waits. Percentiles are exact, with linear interpolation
            /// between the closest values. Recordings of a process are taken together.
            ///
            /// The numbers are those of the report `cuda_api_sum` of `nsys stats`, which adds up all processes of a
            /// file.
            ///
            /// - column `run` (text, id): name of the run
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
            /// One row per step of a rank. Every moment of the step counts for the first of eight roles that had work
            /// then, in the order of the columns. The eight columns therefore add up to `dur` exactly. View `step_role`
            /// defines each role. For a GPU job, `exposed_loader_ratio` is the share of the step in which the device
            /// was idle while the process waited for data.
            ///
            /// A step is what the profiler marked on the host. With `extended`, it lasts until the last device work
            /// that it launched has ended, as in the overview of the TensorBoard plugin (view `step_extent`). A
            /// recording without step marks is one step without a number. Steps that a recording cut short are included
            /// and marked.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it; null for a recording without steps
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): duration
            /// - column `kernel` (bigint, ns): time in which a kernel ran
            /// - column `memcpy` (bigint, ns): time in which a copy ran, and none of the roles before
            /// - column `memset` (bigint, ns): time in which a fill ran, and none of the roles before
            /// - column `communication` (bigint, ns): time in which a collective ran; and no role before it was active
            /// - column `runtime` (bigint, ns): a call into runtime or driver ran, and none of the roles before
            /// - column `exposed_loader` (bigint, ns): time in which the process only waited for the data loader; no role before it was active
            /// - column `cpu` (bigint, ns): the host computed, and none of the roles before
            /// - column `other` (bigint, ns): none of them
            /// - column `exposed_loader_ratio` (double, ratio): `exposed_loader` over the time of the steps
            /// - column `complete` (boolean, flag): false when the recording ended inside the step
            pub fn breakdown(self) -> StepBreakdown<'a> { loop {} }
            /// What is the critical path of each step, edge by edge?
            ///
            /// The longest path through a graph of dependencies: what had to end before something else could continue.
            /// The nodes are the starts and ends of operators, of calls into the runtime or driver, and of calls of a
            /// data loader that start in the window. The starts and ends of the device work that these calls launched
            /// are also nodes. View `path_event` lists these events. The weight of an edge is the time between its
            /// nodes, or 0. `kind` is one of the following.
            ///
            /// `host`: from one start or end to the next on a thread while a call is open; the row is the innermost
            /// call. `loader`: the same inside a call of a data loader. `sequence`, with weight 0: from the end of an
            /// outermost call to the start of the next one on its thread. `wait`, with weight 0: a call that waits for
            /// a device and does nothing else. `lock`, with weight 0: calls that hold the lock of the CUDA runtime and
            /// overlap, on any threads, get the lock one after the other, in the order in which they end.
            ///
            /// `work`: a kernel, copy or fill, from its start to its end. If the next one on its stream starts before
            /// that end, an edge goes to that start. `launch_delay`: from the start of a call to the start of the work
            /// that it launched, if that work waited for nothing else. This means: from the launch to the start,
            /// nothing else was queued on the stream. When the call began, the previous work on the stream, and the
            /// work that the stream waited for, had ended. `kernel_delay`: otherwise, from the end of the previous work
            /// on the stream, if that end is less than 1.5 ms earlier and the work that the stream waited for had ended
            /// before it. `sync`, with weight 0: from the end of work to the end of the call that waited for it, or to
            /// the start of the work on another stream that waited for it.
            ///
            /// If exactly one thread has operators or annotations with `forward` in their names and exactly one has
            /// them with `autograd`, the two count as one thread: the backward pass follows the forward pass.
            ///
            /// `bound_by` is what the weight was spent on: `host`, `loader`, `computation`, `communication` (NCCL
            /// kernels, and collectives on the host), `memory` (copies and fills), `launch_delay` or `kernel_delay`. It
            /// is null for edges with weight 0. `gap` is time on the path without weight: Python between outermost
            /// operators, and waits. `dur` and `gap` of a path add up to the time from its first node to its last node.
            /// A path ends with its last edge that has weight.
            ///
            /// The window is the longest complete step of each recording. With `annotation`, it is the longest
            /// annotation with that text in its name. `step` and `instance` select other windows. A recording without
            /// steps is one window. `synced` is false if the recording has device work and no synchronization. No
            /// `sync` edge is known then: a host that waits for a device seems idle, and streams seem not to wait for
            /// each other. CUPTI records synchronization if you enable it
            /// (`torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True)`). For ROCm and other devices,
            /// nothing records it.
            ///
            /// The definition is that of HTA's `critical_path_analysis`, at exact times. HTA rounds times, so that
            /// short calls have no length and are excluded, and it counts work that overlaps on a stream twice. HTA's
            /// `gpu_compute_bound` is `computation` and `memory` together.
            ///
            /// - parameter `step` (bigint): Only the step with this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            /// - parameter `annotation` (text): Windows are the annotations with this text in their names, instead of the steps. Default: `null`.
            /// - parameter `instance` (bigint): Only the window with this number in its recording, in order of time, from 0. Default: `null`.
            /// - parameter `loader` (text): Regular expression: operators and annotations with a matching name also count as data loading. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `instance` (bigint, id): number of the window in its recording, from 0
            /// - column `position` (bigint, id): position in its group, from 0
            /// - column `annotation` (text, name): name of the annotation; null for a step
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it; null for an annotation or a recording without steps
            /// - column `window_ts` (bigint, time): start of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `kind` (text, name): what the edge stands for
            /// - column `bound_by` (text, name): what the time was spent on; null without one
            /// - column `category` (text, name): category of the event that the edge is about
            /// - column `name` (text, name): its name
            /// - column `pid` (bigint, id): operating system process id; null on a device
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `device` (text, name): device it ran on (cpu, gpu0)
            /// - column `ts` (bigint, time): time of the node that the edge leaves
            /// - column `dur` (bigint, ns): weight
            /// - column `gap` (bigint, ns): time between the nodes that has no weight
            /// - column `row` (bigint, id): ordinal of the row in its file
            /// - column `nodes` (bigint, count): nodes of the graph of the window
            /// - column `edges` (bigint, count): its edges
            /// - column `synced` (boolean, flag): whether the recording has synchronization; null without device work
            pub fn critical_path(self) -> StepCriticalPath<'a> { loop {} }
            /// What was the critical path of each step bound by: host, loading, computation, communication, delays?
            ///
            /// One row per step, or instance of an annotation, and what its critical path was spent on.
            /// `step.critical_path` defines the path and has its edges. `ratio` is the share of the length of the path,
            /// as in the summary of HTA's `critical_path_analysis`. The row without `bound_by` has the time on the path
            /// without weight: Python between outermost operators, and waits.
            ///
            /// The windows are all steps unless you select others. A recording without steps is one window.
            ///
            /// - parameter `step` (bigint): Only the step with this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            /// - parameter `annotation` (text): Windows are the annotations with this text in their names, instead of the steps. Default: `null`.
            /// - parameter `instance` (bigint): Only the window with this number in its recording, in order of time, from 0. Default: `null`.
            /// - parameter `loader` (text): Regular expression: operators and annotations with a matching name also count as data loading. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `instance` (bigint, id): number of the window in its recording, from 0
            /// - column `bound_by` (text, name): what the time was spent on; null for time without weight
            /// - column `annotation` (text, name): name of the annotation; null for a step
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it; null for an annotation or a recording without steps
            /// - column `window_ts` (bigint, time): start of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `n` (bigint, count): edges of the path
            /// - column `dur` (bigint, ns): their weight
            /// - column `ratio` (double, ratio): `dur` over `path_dur`
            /// - column `gap` (bigint, ns): time between the nodes that has no weight
            /// - column `path_dur` (bigint, ns): length of the whole path: weights of all its edges
            /// - column `nodes` (bigint, count): nodes of the graph of the window
            /// - column `edges` (bigint, count): its edges
            /// - column `synced` (boolean, flag): whether the recording has synchronization; null without device work
            pub fn critical_path_summary(self) -> StepCriticalPathSummary<'a> { loop {} }
            /// How long do the steps of a run take, by mode?
            ///
            /// The duration of a step is its span over all ranks, from the earliest start to the latest end;
            /// `step.duration_by_rank` has each rank separately. A step number that occurs again in another recording
            /// or mode counts as another step. Percentiles are exact, with linear interpolation between the closest
            /// values.
            ///
            /// Excluded: steps that a recording cut short. The first step of a run often includes compilation and
            /// warm-up and is not excluded: compare mean and median. The definition is that of `get_step_statistics` of
            /// smdebug by training phase.
            ///
            /// - column `run` (text, id): name of the run
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
            /// A duration is a span: from the first start to the last end of the events with one name in one step, over
            /// all ranks. It is not a sum and includes the time between the events. View `event_step` assigns each
            /// event to a step: the step in which it starts, or for device work the step that launched it. Steps with
            /// the same number in different modes or recordings count as different steps. Percentiles are exact, with
            /// linear interpolation.
            ///
            /// Excluded: steps that a recording cut short, and events outside of all steps. An event that carries a
            /// step number but is outside of all steps counts for that step, without a mode.
            ///
            /// The definition is that of `get_step_statistics` of smdebug by framework metric. smdebug merges the same
            /// name in all modes where step numbers are equal, and takes steps from any event that carries a number.
            ///
            /// - column `run` (text, id): name of the run
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
            /// all ranks. It is not a sum and includes the time between the events. View `event_step` assigns each
            /// event to a step: the step in which it starts, or for device work the step that launched it. Steps with
            /// the same number in different modes or recordings count as different steps. Percentiles are exact, with
            /// linear interpolation.
            ///
            /// Excluded: steps that a recording cut short, and events outside of all steps. An event that carries a
            /// step number but is outside of all steps counts for that step, without a mode.
            ///
            /// The definition is that of `get_step_statistics` of smdebug by process. smdebug makes one span of the
            /// events of all modes where step numbers are equal.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
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
            /// ranks. With only one rank it is 1. `skip` excludes the first steps of each run and mode, which include
            /// compilation and warm-up.
            ///
            /// Excluded: steps that the recording cut short.
            ///
            /// - parameter `skip` (bigint): Number of steps to skip at the start of each run and mode, at least 0. Default: `0`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): duration on this rank
            /// - column `relative` (double, factor): `dur` over the median of that step across ranks
            pub fn duration_by_rank(self) -> StepDurationByRank<'a> { loop {} }
            /// How are the durations of the steps distributed, by mode?
            ///
            /// `bins` bins of equal width cover the durations from the shortest step to twice the median, or to the
            /// longest step if that is shorter. Longer steps are together in one additional row, which has `bin` =
            /// `bins`. Otherwise a single slow step would push all others into the first bin. A bin includes its lower
            /// edge but not its upper edge. The last bin includes both edges, and the additional row only its upper
            /// edge. The duration of a step is its span over all ranks.
            ///
            /// Excluded: empty bins, and steps that a recording cut short.
            ///
            /// - parameter `bins` (bigint): Number of bins, at least 1. Default: `50`.
            /// - column `run` (text, id): name of the run
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `bin` (bigint, id): number of the bin, from 0
            /// - column `dur_from` (bigint, ns): lower edge of the bin
            /// - column `dur_to` (bigint, ns): upper edge of the bin
            /// - column `n` (bigint, count): steps in it
            pub fn histogram(self) -> StepHistogram<'a> { loop {} }
            /// When did each rank run steps of one mode, and how much time was between them?
            ///
            /// The query divides the time of a run into intervals, for each rank and mode. There is one interval for
            /// every step, one before the first step of the mode (`before train`), one for every gap between two steps
            /// (`between train and train`), and one after the last step (`after train`). Intervals are half-open: each
            /// ends where the next one starts. They overlap only where steps overlap. Gaps include everything else that
            /// ran, also steps of other modes. `job.phases_by_rank` merges consecutive steps of a mode instead.
            ///
            /// Excluded: steps without a time or a duration, and gaps of zero length.
            ///
            /// The definition is that of `get_training_phase_intervals` of smdebug with a single phase. smdebug has
            /// inclusive ends and takes the steps of several ranks in the order of the files, so that gaps may have
            /// negative lengths.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `phase` (text, name): name of the phase
            /// - column `step` (bigint, id): step number as the profiler wrote it; null before, between and after
            /// - column `ts` (bigint, time): start
            /// - column `dur` (bigint, ns): length
            pub fn intervals(self) -> Call<'a> { loop {} }
            /// What share of the step time was spent waiting only for the data loader?
            ///
            /// One row per recording of a rank. Only time counts in which the process waited for a batch while no
            /// device worked and no collective or call into the runtime ran: waits that device work hides cost nothing.
            /// `exposed_loader_ratio` is that time over the duration of all steps, as in the overview of the
            /// TensorBoard plugin for the average step. Above 0.05, the plugin reports a high cost of data loading. The
            /// steps are those of `step.breakdown`, with the same `extended`. tracelake recognizes the mark of a data
            /// loader by its name. The last release of the plugin searches only one category and finds no data loader
            /// since PyTorch 1.12.
            ///
            /// Excluded: steps that a recording cut short.
            ///
            /// - parameter `extended` (boolean): Whether a step lasts until the device work that it launched has ended. Default: `false`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `steps` (bigint, count): steps; a recording without step marks is one
            /// - column `dur` (bigint, ns): duration of the steps together
            /// - column `exposed_loader` (bigint, ns): time in which the process only waited for the data loader
            /// - column `exposed_loader_ratio` (double, ratio): `exposed_loader` over the time of the steps
            /// - column `ratio_p50` (double, ratio): median over the steps of each step's share
            /// - column `ratio_max` (double, ratio): maximum share of a step
            pub fn loader_share(self) -> StepLoaderShare<'a> { loop {} }
            /// Which steps took much longer than usual?
            ///
            /// A step is an outlier when its span over all ranks is at least `factor` times the median of its run and
            /// mode.
            ///
            /// Excluded: steps that a recording cut short.
            ///
            /// - parameter `factor` (double): Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            /// - parameter `start` (bigint): Only steps that begin at this time or later, in ns since the Unix epoch; null for all. Default: `null`.
            /// - parameter `end` (bigint): Only steps that begin before this time, in ns since the Unix epoch; null for all. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): earliest start over the ranks
            /// - column `dur` (bigint, ns): from there to the latest end over the ranks
            /// - column `dur_p50` (double, ns): median; of its run and mode
            /// - column `relative` (double, factor): `dur` over `dur_p50`
            pub fn outliers(self) -> StepOutliers<'a> { loop {} }
            /// How did the duration of the steps change in the course of a run?
            ///
            /// One row per step, in order of time. The duration is the span of the step over all ranks.
            ///
            /// Excluded: steps without a time. With `start` or `end`, steps that begin outside of that window are also
            /// excluded. Steps that a recording cut short are included and marked.
            ///
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first step. Default: `null`.
            /// - parameter `end` (bigint): End of the window (exclusive), in ns since the Unix epoch; null for the last step. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `mode` (text, name): train, eval, predict or global; null when the profiler did not say
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `ts` (bigint, time): earliest start over the ranks
            /// - column `dur` (bigint, ns): from there to the latest end over the ranks
            /// - column `ranks` (bigint, count): ranks; null when no rank is known
            /// - column `complete` (boolean, flag): false when the recording ended inside the step
            pub fn over_time(self) -> StepOverTime<'a> { loop {} }
            /// What was recorded from one step of a run to another?
            ///
            /// All samples and events from the start of step `first` to the end of step `last`, over all ranks. Each
            /// mode and each recording has its own time range; ranges that overlap are merged. For samples, a row has
            /// their number, mean, minimum and maximum, separately for each machine and quantity. For events, a row has
            /// the number of events of that name that touch the range. It also has the time in which at least one of
            /// them was running, clipped to the range, and the share of that time.
            ///
            /// `get_profiler_data_by_step` of smdebug returns the rows themselves, and only events that carry a step
            /// number.
            ///
            /// - parameter `first` (bigint): Number of the first step; null for the first step of the run. Default: `null`.
            /// - parameter `last` (bigint): Number of the last step (inclusive); null for the last step of the run. Default: `null`.
            /// - parameter `mode` (text): Only steps of this mode; null for all: train, eval, predict or global. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `source` (text, name): `sample` for what the machines measured, `event` for what the framework recorded
            /// - column `node` (text, id): machine; null for events, which are taken over all machines
            /// - column `category` (text, name): resource of the samples, or category of the events
            /// - column `name` (text, name): metric of the samples, or name of the events
            /// - column `unit` (text, name): unit as recorded; null for events
            /// - column `n` (bigint, count): samples, or events that touch the stretch
            /// - column `mean` (double, mixed): mean
            /// - column `min` (double, mixed): minimum value
            /// - column `max` (double, mixed): maximum value
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `ratio` (double, ratio): `busy` over the length of the stretch
            pub fn recorded(self) -> StepRecorded<'a> { loop {} }
            /// How did loss, learning rate, throughput and other logged metrics change from step to step?
            ///
            /// One row for each scalar of the training that a logger wrote, in order of step. A scalar that is both in
            /// `metrics.csv` and in event files of TensorBoard has one row, with its time. A step may have several rows
            /// of a metric: the learning rate is logged again when an epoch begins. For the throughput, the steps of
            /// `validate/...` and `test/...` are batches of their own loop. Units are known only for Lightning's
            /// callbacks.
            ///
            /// Excluded: device measurements of callbacks (see `utilization.device_stats`).
            ///
            /// - parameter `metric` (text): Only this metric; null for all. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `metric` (text, name): name of the metric
            /// - column `step` (bigint, id): step number as the profiler wrote it
            /// - column `epoch` (bigint, id): epoch as recorded; null when none was
            /// - column `ts` (bigint, time): when it was logged; null when only `metrics.csv` has it
            /// - column `value` (double, mixed): the value; NaN or infinite where the training diverged
            /// - column `unit` (text, name): unit as recorded; null when unknown
            /// - column `object` (bigint, id): file of the row, see table object
            /// - column `row` (bigint, id): ordinal of the row in its file
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
            /// Only the step with this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// Windows are the annotations with this text in their names, instead of the steps. Default: `null`.
            pub fn annotation(self, annotation: &str) -> Self { loop {} }
            /// Only the window with this number in its recording, in order of time, from 0. Default: `null`.
            pub fn instance(self, instance: i64) -> Self { loop {} }
            /// Regular expression: operators and annotations with a matching name also count as data loading. Default: `null`.
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
            /// Only the step with this number, as the profiler wrote it; not with `annotation`. Default: `null`.
            pub fn step(self, step: i64) -> Self { loop {} }
            /// Windows are the annotations with this text in their names, instead of the steps. Default: `null`.
            pub fn annotation(self, annotation: &str) -> Self { loop {} }
            /// Only the window with this number in its recording, in order of time, from 0. Default: `null`.
            pub fn instance(self, instance: i64) -> Self { loop {} }
            /// Regular expression: operators and annotations with a matching name also count as data loading. Default: `null`.
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
            /// Number of steps to skip at the start of each run and mode, at least 0. Default: `0`.
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
            /// Minimum duration of an outlier, as a multiple of the median. Default: `2.0`.
            pub fn factor(self, factor: f64) -> Self { loop {} }
            /// Only steps that begin at this time or later, in ns since the Unix epoch; null for all. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// Only steps that begin before this time, in ns since the Unix epoch; null for all. Default: `null`.
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
            /// Start of the window, in ns since the Unix epoch; null for the first step. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window (exclusive), in ns since the Unix epoch; null for the last step. Default: `null`.
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
            /// Number of the first step; null for the first step of the run. Default: `null`.
            pub fn first(self, first: i64) -> Self { loop {} }
            /// Number of the last step (inclusive); null for the last step of the run. Default: `null`.
            pub fn last(self, last: i64) -> Self { loop {} }
            /// Only steps of this mode; null for all: train, eval, predict or global. Default: `null`.
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
            /// The window from `start` to `end` is divided into `bins` bins. An interval that lasts at least one bin
            /// has its own row. Shorter intervals are merged by lane and bin. Their row has their number (`n`), the
            /// time in which at least one ran (`busy`), and the name of the longest. A lane is a thread or stream
            /// (`track`) and the number of calls that enclose the interval there (`depth`). The intervals of a lane do
            /// not overlap, with one exception. If two intervals of a track overlap in part, neither encloses the
            /// other, and both are in one lane.
            ///
            /// Intervals that begin before the window or end after it are cut at its edges. The window is cut at the
            /// edges of the recording. A window is empty if its `end` is not after its `start`. However long a
            /// recording is, a lane has at most about two rows for each bin. Only the `lanes` busiest lanes of a run
            /// are returned.
            ///
            /// Only one rank of each run is shown: the given `rank`, else the lowest. Of this rank, only the first
            /// recording with an interval in the window is shown. With `python`, Python functions and modules are
            /// intervals too. Kernels that communicate (`nccl` in their name) have the category `communication`, as in
            /// view `device_work`.
            ///
            /// Excluded: instants, the mark of the recording itself, and calls that are enclosed by more than `depth`
            /// others. Durations above seven days are also excluded: they are caused by clock overflows.
            ///
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            /// - parameter `end` (bigint): End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            /// - parameter `rank` (bigint): Rank to show; null for the lowest. Default: `null`.
            /// - parameter `bins` (bigint): Number of bins in the window, at least 1. Default: `400`.
            /// - parameter `python` (boolean): Whether Python functions and modules are intervals. Default: `false`.
            /// - parameter `depth` (bigint): Maximum number of enclosing calls, at least 0. Default: `8`.
            /// - parameter `lanes` (bigint): Maximum number of lanes of a run, at least 1. Default: `40`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `pid` (bigint, id): operating system process id; null on other devices than the CPU
            /// - column `track` (text, name): row a viewer would draw it on: phase, thread or stream
            /// - column `device` (text, name): device it ran on (cpu, gpu0); null when unknown
            /// - column `depth` (bigint, count): rows that enclose it
            /// - column `category` (text, name): category of the interval, of several that of the longest
            /// - column `name` (text, name): name of the interval, of several that of the longest
            /// - column `ts` (bigint, time): start; of several that of their bin
            /// - column `dur` (bigint, ns): duration within the window; of several that of their bin
            /// - column `n` (bigint, count): how many intervals the row stands for
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `bin_dur` (bigint, ns): length of a bin
            /// - column `window_ts` (bigint, time): start of the window
            /// - column `window_dur` (bigint, ns): its length
            /// - column `excluded_lanes` (bigint, count): lanes that the run has beyond those given
            pub fn timeline(self) -> TraceTimeline<'a> { loop {} }
        }

        /// A call of `trace.timeline`.
        #[derive(Debug, Clone)]
        pub struct TraceTimeline<'a>(Call<'a>);
        impl<'a> TraceTimeline<'a> {
            /// Start of the window, in ns since the Unix epoch; null for the first event. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window, in ns since the Unix epoch; null for the last event. Default: `null`.
            pub fn end(self, end: i64) -> Self { loop {} }
            /// Rank to show; null for the lowest. Default: `null`.
            pub fn rank(self, rank: i64) -> Self { loop {} }
            /// Number of bins in the window, at least 1. Default: `400`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Whether Python functions and modules are intervals. Default: `false`.
            pub fn python(self, python: bool) -> Self { loop {} }
            /// Maximum number of enclosing calls, at least 0. Default: `8`.
            pub fn depth(self, depth: i64) -> Self { loop {} }
            /// Maximum number of lanes of a run, at least 1. Default: `40`.
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
            /// includes its lower edge but not its upper edge; the last bucket includes both. The share is that of all
            /// samples of the machine and quantity. The shares therefore do not add up to 1 if there are values outside
            /// of the edges.
            ///
            /// Excluded: quantities that were not recorded in percent.
            ///
            /// smdebug's `get_device_usage_stats` returns counts instead of shares and mixes the quantities of a
            /// resource. Its ranges include both ends and may overlap.
            ///
            /// - parameter `edges` (double[]): Edges of the buckets, in percent, in ascending order. Default: `[0, 10, 90, 100]`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `bucket` (bigint, id): number of the bucket, from 0
            /// - column `lower` (double, percent): lower edge
            /// - column `upper` (double, percent): upper edge
            /// - column `n` (bigint, count): samples in the bucket
            /// - column `ratio` (double, ratio): their share of all samples of the machine and quantity
            pub fn buckets(self) -> UtilizationBuckets<'a> { loop {} }
            /// How busy were the machines in each phase of a run: before, during, between and after its steps?
            ///
            /// The phases are those of `job.phases`; phases with the same name are merged. A sample belongs to the
            /// phase that began last, before the sample or at its time. The phases of a run apply to all its machines.
            /// Quantities are never mixed, and percentiles are exact, as in `utilization.summary`.
            ///
            /// Excluded: runs without steps, and samples without a time.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `unit` (text, name): unit as recorded
            /// - column `phase` (text, name): name of the phase
            /// - column `n` (bigint, count): samples
            /// - column `mean` (double, mixed): mean
            /// - column `min` (double, mixed): minimum value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): maximum value
            /// - column `ts` (bigint, time): first sample in the phase
            pub fn by_phase(self) -> Call<'a> { loop {} }
            /// When was a GPU idle while a core was busy?
            ///
            /// One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the
            /// utilization of at least one GPU was at most `gpu` and that of at least one core was above `cpu`. A core
            /// at its limit next to an idle GPU is a sign that preprocessing, or the Python code that launches the
            /// work, cannot keep up. `utilization.gpu_load` has the share of such samples.
            ///
            /// smdebug's rule CPUBottleneck requires a utilization below `gpu`. It reports the same snapshots if no
            /// value equals the limit.
            ///
            /// - parameter `gpu` (double): Utilization up to which a GPU is idle. Default: `0.1`.
            /// - parameter `cpu` (double): Utilization above which a core is busy. Default: `0.9`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): first sample of the snapshot
            /// - column `gpus` (bigint, count): GPUs that were idle
            /// - column `cores` (bigint, count): cores that were busy
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the least busy GPU
            /// - column `cpu_utilization` (double, ratio): utilization of the busiest core
            pub fn cpu_bottleneck(self) -> UtilizationCpuBottleneck<'a> { loop {} }
            /// What did Lightning's DeviceStatsMonitor measure on the devices?
            ///
            /// One row per metric and hook, over all steps that were logged. The Trainer logs every 50th step unless
            /// you change that. A measurement that is both in `metrics.csv` and in event files of TensorBoard counts
            /// once.
            ///
            /// There is no GPU utilization: for CUDA devices, the monitor records only counters of the memory
            /// allocator. The CPU load is that of the whole machine since the previous call. The first value means
            /// nothing. Values of calls within a tenth of a second are not reliable, such as at the start of a batch
            /// right after the end of the previous one. Running totals (`allocated_bytes.all.allocated`, `...freed`,
            /// `num_...`) only grow: use `last_value` for them.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `resource` (text, name): cpu, memory, gpu or allocator; null for an unknown metric
            /// - column `device` (text, name): device measured; null for the whole machine, and where the monitor did not say
            /// - column `metric` (text, name): name of the metric
            /// - column `hook` (text, name): hook of the training in which it was measured
            /// - column `unit` (text, name): unit as recorded; null when unknown
            /// - column `n` (bigint, count): measurements
            /// - column `min` (double, mixed): minimum value
            /// - column `mean` (double, mixed): mean
            /// - column `max` (double, mixed): maximum value
            /// - column `last_value` (double, mixed): value of the last step
            /// - column `first_step` (bigint, id): first step in it; the first one with a value
            /// - column `last_step` (bigint, id): last step in it; the last one with a value
            /// - column `raw_name` (text, name): name as the logger wrote it
            pub fn device_stats(self) -> Call<'a> { loop {} }
            /// Are the GPUs of a run equally busy?
            ///
            /// One row per pair of GPUs of a run, on any machines, with the Jensen-Shannon distance of the histograms
            /// of their utilization. It is the square root of the mean of the Kullback-Leibler divergences to the
            /// average of both, with natural logarithms. It is 0 for equal histograms and 0.83 (root of ln 2) for GPUs
            /// that were never equally busy. The range from 0 to 100 percent is divided into `bins` bins of equal
            /// width. Values of 100 and above belong to the last bin, and values below 0 to the first bin.
            ///
            /// The definition is that of smdebug's rule LoadBalancing. smdebug excludes values above 98 and, because of
            /// an error, never compares two GPUs.
            ///
            /// - parameter `threshold` (double): Distance above which a pair is unbalanced. Default: `0.5`.
            /// - parameter `bins` (bigint): Number of bins of a histogram, at least 1. Default: `50`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the first GPU
            /// - column `other_node` (text, id): machine of the second GPU
            /// - column `other_device` (text, name): the second GPU
            /// - column `n` (bigint, count): samples of the first GPU
            /// - column `other_n` (bigint, count): samples of the second GPU
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the first GPU
            /// - column `other_utilization` (double, ratio): mean utilization of the second GPU
            /// - column `distance` (double, factor): Jensen-Shannon distance of the two histograms
            /// - column `unbalanced` (boolean, flag): whether the distance is above `threshold`
            pub fn gpu_balance(self) -> UtilizationGpuBalance<'a> { loop {} }
            /// How busy was each device with kernels in the course of a run?
            ///
            /// For recordings without measurements of the machine: utilization computed from the kernels that ran. The
            /// query divides the time of each recording (`profiled_window`) into `bins` bins of equal length.
            /// `gpu_utilization` is the share of a bin in which at least one kernel ran on the device. Bins without a
            /// kernel are included, with 0. Copies and fills do not count.
            ///
            /// `kernel.occupancy` has the share over the whole time, and how well the kernels filled the device. A
            /// recording without kernels has no rows.
            ///
            /// - parameter `bins` (bigint): Number of bins of a recording, at least 1. Default: `200`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `rank` (bigint, id): global rank of the process; null when unknown
            /// - column `span` (bigint, id): recording of the process within the run, from 0
            /// - column `device` (text, name): device (gpu0)
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `busy` (bigint, ns): time in which at least one ran
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            pub fn gpu_from_kernels(self) -> UtilizationGpuFromKernels<'a> { loop {} }
            /// For what share of the time was each GPU busy, idle, or limited by the host?
            ///
            /// Shares of the samples of a GPU's utilization. `high_ratio`, `between_ratio` and `low_ratio` add up to 1:
            /// samples above `high`, samples between the limits, and samples of at most `low`. A low sample is a CPU
            /// bottleneck if the utilization of a core was above `cpu` in the same snapshot (view `system_snapshot`:
            /// measurements within 20 ms). It is an I/O bottleneck if the I/O wait of a core was above `io`. Both are
            /// parts of `low_ratio`, and a sample may be both. Look first at `zero_ratio` (GPU at 0) and `below_ratio`
            /// (GPU below `below`).
            ///
            /// - parameter `low` (double): Utilization up to which a GPU is idle. Default: `0.1`.
            /// - parameter `high` (double): Utilization above which a GPU is busy. Default: `0.9`.
            /// - parameter `below` (double): Utilization below which samples count for `below_ratio`. Default: `0.5`.
            /// - parameter `cpu` (double): Utilization above which a core is busy. Default: `0.9`.
            /// - parameter `io` (double): Share of I/O wait above which a core waits. Default: `0.5`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `device` (text, name): the GPU
            /// - column `n` (bigint, count): samples
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy
            /// - column `zero_ratio` (double, ratio): samples of 0
            /// - column `below_ratio` (double, ratio): samples less than `below`
            /// - column `low_ratio` (double, ratio): samples of at most `low`
            /// - column `between_ratio` (double, ratio): samples above `low` and at most `high`
            /// - column `high_ratio` (double, ratio): samples above `high`
            /// - column `cpu_bottleneck_ratio` (double, ratio): low samples next to a busy core
            /// - column `io_bottleneck_ratio` (double, ratio): low samples next to a core that waited
            pub fn gpu_load(self) -> UtilizationGpuLoad<'a> { loop {} }
            /// When was a GPU idle while a core waited for disks or network?
            ///
            /// One row per snapshot of a machine (view `system_snapshot`: measurements within 20 ms) in which the
            /// utilization of at least one GPU was at most `gpu` and the I/O wait of at least one core was above `io`.
            /// A core that waits next to an idle GPU is a sign that storage cannot keep up. `utilization.gpu_load` has
            /// the share of such samples.
            ///
            /// smdebug's rule IOBottleneck requires a utilization below `gpu`. It reports the same snapshots if no
            /// value equals the limit.
            ///
            /// - parameter `gpu` (double): Utilization up to which a GPU is idle. Default: `0.1`.
            /// - parameter `io` (double): Share of I/O wait above which a core waits. Default: `0.5`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `ts` (bigint, time): first sample of the snapshot
            /// - column `gpus` (bigint, count): GPUs that were idle
            /// - column `cores` (bigint, count): cores that waited
            /// - column `gpu_utilization` (double, ratio): mean share of time in which the GPU was busy; of the least busy GPU
            /// - column `io_wait` (double, ratio): I/O wait of the core that waited most
            pub fn io_bottleneck(self) -> UtilizationIoBottleneck<'a> { loop {} }
            /// How did the load of the machines change in the course of a run?
            ///
            /// The query divides the time from the first to the last sample of a run into at most `bins` bins of equal
            /// length, the same for all its machines and quantities. Each row has the mean, minimum and maximum of one
            /// bin, so that short stalls stay visible in a long run. With `by_device`, each core or accelerator has its
            /// own rows; otherwise all devices of a machine are merged and `device` is null. The number of bins is at
            /// most the largest number of samples of one device and quantity. A short run is therefore not divided into
            /// bins without samples.
            ///
            /// Excluded: empty bins and samples without a time. With `start` or `end`, samples outside of that window
            /// are also excluded. The bins then divide the time from the first to the last sample in the window.
            ///
            /// - parameter `bins` (bigint): Maximum number of bins, at least 1. Default: `200`.
            /// - parameter `by_device` (boolean): Whether each device has its own rows. Default: `false`.
            /// - parameter `start` (bigint): Start of the window, in ns since the Unix epoch; null for the first sample. Default: `null`.
            /// - parameter `end` (bigint): End of the window (exclusive), in ns since the Unix epoch; null for the last sample. Default: `null`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `unit` (text, name): unit as recorded
            /// - column `device` (text, name): device (cpu5, gpu0); null for all devices of the machine
            /// - column `ts` (bigint, time): start of the bin
            /// - column `dur` (bigint, ns): length of the bin
            /// - column `n` (bigint, count): samples in it
            /// - column `mean` (double, mixed): mean
            /// - column `min` (double, mixed): minimum value
            /// - column `max` (double, mixed): maximum value
            pub fn over_time(self) -> UtilizationOverTime<'a> { loop {} }
            /// How many samples are in each of the given ranges?
            ///
            /// Range number i goes from `lowers[i]` to `uppers[i]`, both included. Ranges may leave gaps and may
            /// overlap: a sample counts for the first range in the lists that contains it. The row without a `bucket`
            /// counts the samples outside of all ranges. The counts of a machine and quantity therefore add up to all
            /// its samples. `utilization.buckets` takes edges instead and has no gaps.
            ///
            /// Excluded: quantities that were not recorded in percent.
            ///
            /// The ranges and their defaults are those of `get_device_usage_stats` of smdebug. smdebug mixes the
            /// quantities of a resource, and does not report how many samples are outside of all ranges.
            ///
            /// - parameter `lowers` (double[]): Lower ends of the ranges, in percent. Default: `[90, 10, 0]`.
            /// - parameter `uppers` (double[]): Upper ends of the ranges, in percent, one for each lower end. Default: `[100, 90, 10]`.
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `bucket` (bigint, id): number of the bucket, from 0; null for what lies in none
            /// - column `lower` (double, percent): lower edge
            /// - column `upper` (double, percent): upper edge
            /// - column `n` (bigint, count): samples
            /// - column `ratio` (double, ratio): their share of all samples of the machine and quantity
            pub fn ranges(self) -> UtilizationRanges<'a> { loop {} }
            /// How busy were the machines of a run?
            ///
            /// One row per machine and measured quantity, over all its devices and all times. Quantities are never
            /// mixed: CPU utilization and I/O wait are two rows, and so are operations and bytes per second.
            /// Percentiles are exact, with linear interpolation between the closest values.
            ///
            /// smdebug's `get_utilization_stats` has one row per resource, which mixes all its quantities. If a
            /// resource has only one quantity (memory), the numbers are the same.
            ///
            /// - column `run` (text, id): name of the run
            /// - column `node` (text, id): machine
            /// - column `resource` (text, name): cpu, gpu, memory, io or network
            /// - column `metric` (text, name): name of the metric
            /// - column `unit` (text, name): unit as recorded
            /// - column `n` (bigint, count): samples
            /// - column `mean` (double, mixed): mean
            /// - column `min` (double, mixed): minimum value
            /// - column `p50` (double, mixed): median
            /// - column `p95` (double, mixed): 95th percentile
            /// - column `p99` (double, mixed): 99th percentile
            /// - column `max` (double, mixed): maximum value
            pub fn summary(self) -> Call<'a> { loop {} }
        }

        /// A call of `utilization.buckets`.
        #[derive(Debug, Clone)]
        pub struct UtilizationBuckets<'a>(Call<'a>);
        impl<'a> UtilizationBuckets<'a> {
            /// Edges of the buckets, in percent, in ascending order. Default: `[0, 10, 90, 100]`.
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
            /// Utilization up to which a GPU is idle. Default: `0.1`.
            pub fn gpu(self, gpu: f64) -> Self { loop {} }
            /// Utilization above which a core is busy. Default: `0.9`.
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
            /// Number of bins of a histogram, at least 1. Default: `50`.
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
            /// Number of bins of a recording, at least 1. Default: `200`.
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
            /// Utilization up to which a GPU is idle. Default: `0.1`.
            pub fn low(self, low: f64) -> Self { loop {} }
            /// Utilization above which a GPU is busy. Default: `0.9`.
            pub fn high(self, high: f64) -> Self { loop {} }
            /// Utilization below which samples count for `below_ratio`. Default: `0.5`.
            pub fn below(self, below: f64) -> Self { loop {} }
            /// Utilization above which a core is busy. Default: `0.9`.
            pub fn cpu(self, cpu: f64) -> Self { loop {} }
            /// Share of I/O wait above which a core waits. Default: `0.5`.
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
            /// Utilization up to which a GPU is idle. Default: `0.1`.
            pub fn gpu(self, gpu: f64) -> Self { loop {} }
            /// Share of I/O wait above which a core waits. Default: `0.5`.
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
            /// Maximum number of bins, at least 1. Default: `200`.
            pub fn bins(self, bins: i64) -> Self { loop {} }
            /// Whether each device has its own rows. Default: `false`.
            pub fn by_device(self, by_device: bool) -> Self { loop {} }
            /// Start of the window, in ns since the Unix epoch; null for the first sample. Default: `null`.
            pub fn start(self, start: i64) -> Self { loop {} }
            /// End of the window (exclusive), in ns since the Unix epoch; null for the last sample. Default: `null`.
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
            /// Upper ends of the ranges, in percent, one for each lower end. Default: `[100, 90, 10]`.
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
