//! The program itself, run without a terminal: what it writes to stdout, stderr and files, and its exit codes.

// Runs as traces for other viewers.
mod export;
// Files that results are written to.
mod file;
// Comparisons of runs.
mod gate;
// Deleting runs, tagging them, and checking and vacuuming a lake.
mod housekeeping;
// `jupyter`, without building a kernel.
mod jupyter;
// Error messages about wrong URLs and names.
mod message;
// `--param`.
mod parameter;
// Paths of profiles in place of names of runs.
mod path;
// Pages about runs.
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tracelake::arrow::array::{AsArray, RecordBatch};
use tracelake::arrow::datatypes::Int64Type;
use tracelake::figure::FIGURES;
use tracelake::format::FORMATS;

use crate::session::golden_runs;

const STEPS: &str =
    "select mode, count(*) as n, sum(dur) as dur from step where run = 'job-a' group by mode order by mode";

/// The result of a call: its exit code, stdout and stderr.
#[derive(Debug, PartialEq)]
struct CliOutput {
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl From<Output> for CliOutput {
    fn from(output: Output) -> Self {
        Self { code: output.status.code(), out: output.stdout, err: String::from_utf8(output.stderr).unwrap() }
    }
}

impl CliOutput {
    /// Stdout of a call that succeeded and wrote nothing to stderr.
    #[track_caller]
    fn text(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        String::from_utf8(self.out).unwrap()
    }

    /// Like [`Self::text`], split into lines.
    #[track_caller]
    fn lines(self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }

    /// Asserts that a call failed with this exit code, exactly this text on stderr, and nothing on stdout.
    #[track_caller]
    fn fails(self, code: i32, err: &str) {
        let out = String::from_utf8_lossy(&self.out).into_owned();
        assert_eq!((self.code, out.as_str(), self.err.as_str()), (Some(code), "", format!("{err}\n").as_str()));
    }
}

/// Runs the program in a temporary folder, with `home` in it as the default lake, without the variables of the user.
struct Shell {
    folder: tempfile::TempDir,
    environment: Vec<(&'static str, String)>,
}

impl Shell {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    /// A shell with the lake of the golden profiles. Tests only read it.
    fn golden() -> Self {
        Self::new().with("TRACELAKE_LAKE", crate::golden::golden().url())
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn url(&self, name: &str) -> String {
        format!("file://{}", std::fs::canonicalize(self.folder.path()).unwrap().join(name).display())
    }

    fn text_of(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> CliOutput {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], stdin: &str) -> CliOutput {
        let mut command = self.command(env!("CARGO_BIN_EXE_tracelake"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that does not read its stdin may exit before everything is written.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        CliOutput::from(child.wait_with_output().unwrap())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("AWS_") || name.to_string_lossy().starts_with("TRACELAKE_") {
                command.env_remove(&name);
            }
        }
        command
            .current_dir(self.folder.path())
            .env("TRACELAKE_HOME", self.path("home"))
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

fn profile(name: &str) -> String {
    format!("{}/tests/data/golden/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The lines of an ingest, without the seconds that it took.
fn lines_without_time(output: CliOutput) -> Vec<String> {
    output.lines().iter().map(|line| line.rsplit_once(" in ").unwrap().0.to_owned()).collect()
}

/// The only batch of a Parquet file.
fn parquet(bytes: Vec<u8>) -> RecordBatch {
    let mut batches = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap().build().unwrap();
    let batch = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none());
    batch
}

#[test]
fn a_profile_is_ingested_once() {
    let shell = Shell::new();
    let ingest = || lines_without_time(shell.run(&["--lake", "lake", "ingest", &profile("job-a")]));
    assert_eq!(ingest(), ["job-a: 132 rows from 9 files (0 unchanged, 1 ignored, 0 failed), 15233 bytes"]);
    assert_eq!(ingest(), ["job-a: 0 rows from 0 files (9 unchanged, 1 ignored, 0 failed), 0 bytes"]);
    let all = lines_without_time(shell.run(&["ingest", &profile("*"), "--lake", "lake"]));
    assert_eq!(
        all[..2],
        [
            "job-a: 0 rows from 0 files (9 unchanged, 1 ignored, 0 failed), 0 bytes",
            "job-b: 5 rows from 1 file (0 unchanged, 0 ignored, 0 failed), 504 bytes",
        ]
    );
    let runs: Vec<&str> = all.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(runs, golden_runs());
    assert!(all.iter().all(|line| line.contains(" 0 failed)")), "{all:?}");
    assert!(!shell.path("home").exists());
}

#[test]
fn name_tags_and_offset_of_a_run_are_stored() {
    let shell = Shell::new();
    let options = ["--run", "mine", "--tag", "commit=3fa2", "--tag", "note=a=b", "--clock-offset", "-200000000000"];
    shell.run(&[&["ingest", &profile("job-b")], &options[..]].concat()).text();
    let tags = "select run, key, value from run_attribute where key in ('commit', 'note') order by key";
    assert_eq!(shell.run(&["sql", tags]).text(), "run,key,value\nmine,commit,3fa2\nmine,note,a=b\n");
    assert_eq!(shell.run(&["sql", "select started from run"]).text(), "started\n1600000000000000000\n");
}

#[test]
fn runs_are_listed_as_csv_in_a_pipe() {
    let shell = Shell::golden();
    let lines = shell.run(&["runs"]).lines();
    assert_eq!(
        lines[0],
        "run,sources,framework,profilers,nodes,ranks,started,ended,objects,bytes,ingested_at,steps,step_p50,step_p95,\
         loader_ratio,gpu_utilization,verdict,catalog_version,gpu_source,gpus,recorded_s,gpu_s,idle_s,idle_loader_s,idle_communication_s,\
         idle_other_s,attributes,first_ts,last_ts,has_epoch"
    );
    let begins = |line: &str, run: &str, rest: &str| {
        line.starts_with(&format!("{run},\"[\"\"file://{}\"\"]\",{rest},1600000200000000000,", profile(run)))
    };
    let runs: Vec<&str> = lines[1..].iter().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(runs, golden_runs());
    let line_of = |run: &str| lines.iter().find(|line| line.starts_with(&format!("{run},"))).unwrap();
    let profilers = "pytorch,\"sagemaker_framework, sagemaker_rule_report, sagemaker_system\",2,2";
    for (run, rest) in [
        ("job-a", profilers),
        ("job-b", ",sagemaker_system,1,"),
        ("job-c", ",sagemaker_framework,1,1"),
        ("job-k", "pytorch,kineto,1,1"),
        ("job-s", "pytorch,kineto,1,1"),
    ] {
        assert!(begins(line_of(run), run, rest), "{}", line_of(run));
    }
    assert!(line_of("job-m").contains(",\"lightning_metrics, tensorboard_events\",1,"), "{}", line_of("job-m"));
    assert!(line_of("job-p").contains(",tensorflow,\"cprofile, pyinstrument\",2,2,,,"), "{}", line_of("job-p"));
    assert!(line_of("job-r").contains(",pytorch,kineto,2,2,"), "{}", line_of("job-r"));
}

#[test]
fn rows_are_written_in_the_requested_format() {
    let shell = Shell::golden();
    let sql = |format: &str| shell.run(&["sql", STEPS, "--format", format]);
    let csv = "mode,n,dur\neval,4,1800000000\ntrain,6,9300000000\n";
    assert_eq!(shell.run(&["sql", STEPS]).text(), csv);
    assert_eq!(sql("csv").text(), csv);
    assert_eq!(
        sql("table").text(),
        " mode    n     dur\n───────────────────\n eval    4   1.8 s\n train   6   9.3 s\n2 rows\n"
    );
    assert_eq!(
        sql("json").text(),
        "{\"mode\":\"eval\",\"n\":4,\"dur\":1800000000}\n{\"mode\":\"train\",\"n\":6,\"dur\":9300000000}\n"
    );
    assert_eq!(
        sql("markdown").text(),
        "| mode  | n |   dur |\n|-------|---|-------|\n| eval  | 4 | 1.8 s |\n| train | 6 | 9.3 s |\n"
    );
    assert_steps(&parquet(sql("parquet").out));
}

/// Asserts that a batch is the result of `STEPS`.
#[track_caller]
fn assert_steps(batch: &RecordBatch) {
    let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["mode", "n", "dur"]);
    let modes: Vec<Option<&str>> = batch.column(0).as_string::<i32>().iter().collect();
    assert_eq!(modes, [Some("eval"), Some("train")]);
    assert_eq!(batch.column(1).as_primitive::<Int64Type>().values(), &[4, 6]);
    assert_eq!(batch.column(2).as_primitive::<Int64Type>().values(), &[1_800_000_000, 9_300_000_000]);
}

#[test]
fn the_extension_of_a_file_selects_its_format() {
    let shell = Shell::golden();
    let csv = "mode,n,dur\neval,4,1800000000\ntrain,6,9300000000\n";
    let json = "{\"mode\":\"eval\",\"n\":4,\"dur\":1800000000}\n{\"mode\":\"train\",\"n\":6,\"dur\":9300000000}\n";
    let markdown = "| mode  | n |   dur |\n|-------|---|-------|\n| eval  | 4 | 1.8 s |\n| train | 6 | 9.3 s |\n";
    let endings = [
        ("x.csv", csv),
        ("x.json", json),
        ("x.jsonl", json),
        ("x.ndjson", json),
        ("x.md", markdown),
        ("x.txt", csv),
        ("x", csv),
    ];
    for (file, expected) in endings {
        assert_eq!(shell.run(&["sql", STEPS, "-o", file]).text(), "", "{file}");
        assert_eq!(shell.text_of(file), expected, "{file}");
    }
    assert_eq!(shell.run(&["sql", STEPS, "--output", "x.parquet"]).text(), "");
    assert_steps(&parquet(std::fs::read(shell.path("x.parquet")).unwrap()));
    // The format option wins over the extension, and an existing file is replaced.
    assert_eq!(shell.run(&["sql", STEPS, "-o", "x.csv", "--format", "json"]).text(), "");
    assert_eq!(shell.text_of("x.csv"), json);
}

#[test]
fn an_empty_result_has_a_header() {
    let shell = Shell::golden();
    let sql = |format: &str| shell.run(&["sql", "select run, step from step where false", "--format", format]).text();
    assert_eq!(sql("csv"), "run,step\n");
    assert_eq!(sql("json"), "");
    assert_eq!(sql("table"), " run   step\n────────────\n0 rows\n");
    assert_eq!(sql("markdown"), "| run | step |\n|-----|------|\n");
}

#[test]
fn sql_takes_values_and_comes_from_stdin() {
    let shell = Shell::golden();
    let values = ["--param", "a=1", "--param", "b=2.5", "--param", "c=true", "--param", "d=it's", "--param", "e="];
    let text = "select $a + 1 as a, $b * 2 as b, not $c as c, $d as d, $e = '' as e";
    assert_eq!(shell.run(&[&["sql", text], &values[..]].concat()).text(), "a,b,c,d,e\n2,5.0,false,it's,true\n");
    assert_eq!(shell.run_with(&["sql", "-"], "select 7 as x\n").text(), "x\n7\n");
    assert_eq!(shell.run_with(&["sql", "-", "--param", "x=8"], "select $x as x").text(), "x\n8\n");
    // The lake may be given before or after the command.
    let lake = shell.environment[0].1.clone();
    let (count, runs) = ("select count(*) as n from run", format!("n\n{}\n", golden_runs().len()));
    assert_eq!(Shell::new().run(&["--lake", &lake, "sql", count]).text(), runs);
    assert_eq!(Shell::new().run(&["sql", count, "--lake", &lake]).text(), runs);
}

#[test]
fn a_query_takes_runs_and_parameters() {
    let shell = Shell::golden();
    assert_eq!(
        shell.run(&["query", "step.outliers", "--param", "factor=2.5"]).text(),
        "run,span,mode,step,ts,dur,dur_p50,relative\n\
         job-a,0,train,2,1600000204500000000,2750000000,1000000000.0,2.75\n\
         job-c,0,train,4,1600000210000000000,10000000000,3000000000.0,3.3333333333333335\n"
    );
    assert_eq!(
        shell.run(&["query", "step.outliers", "--run", "job-c", "--param", "factor=3"]).text(),
        "run,span,mode,step,ts,dur,dur_p50,relative\n\
         job-c,0,train,4,1600000210000000000,10000000000,3000000000.0,3.3333333333333335\n"
    );
    let runs = |arguments: &[&str]| {
        let lines = shell.run(&[&["query", "job.overview"], arguments].concat()).lines();
        lines.iter().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(runs(&[]), golden_runs());
    assert_eq!(runs(&["--run", "job-c", "--run", "job-a"]), ["job-a", "job-c"]);
}

#[test]
fn a_table_is_written_with_the_requested_columns() {
    let shell = Shell::golden();
    let columns = ["table", "step", "--run", "job-c", "--columns", "mode,step"];
    let expected = "mode,step\ntrain,0\ntrain,1\ntrain,2\ntrain,3\ntrain,4\n";
    assert_eq!(shell.run(&columns).text(), expected);
    assert_eq!(shell.run(&[&columns[..], &["-o", "x.csv"]].concat()).text(), "");
    assert_eq!(shell.text_of("x.csv"), expected);
    let all = shell.run(&["table", "step", "--run", "job-a", "--run", "job-c"]).lines();
    assert_eq!(all[0], "run,node,rank,span,step,mode,ts,dur,complete,process,object,row");
    assert_eq!(all.len(), 1 + 10 + 5);
}

#[test]
fn a_figure_is_a_page_or_json() {
    let shell = Shell::golden();
    assert_eq!(shell.run(&["figure", "step_timeline", "-o", "x.html"]).text(), "wrote x.html\n");
    assert_eq!(shell.run(&["figure", "step_timeline", "--run", "job-c", "-o", "x.json"]).text(), "wrote x.json\n");
    let output = shell.run(&["figure", "all", "-o", "all.html"]);
    assert_eq!(output.err, "not in the page, because they have no data: roofline, comparison, trace_diff\n");
    assert_eq!(String::from_utf8(output.out).unwrap(), "wrote all.html\n");
    let (one, all) = (shell.text_of("x.html"), shell.text_of("all.html"));
    for page in [&one, &all] {
        assert_eq!(page.lines().next(), Some("<!DOCTYPE html>"));
        assert_eq!(page.trim_end().lines().last(), Some("</html>"));
    }
    let drawn = FIGURES.len() - 3;
    assert_eq!(one.matches("Plotly.newPlot(").count() + drawn - 1, all.matches("Plotly.newPlot(").count());
    assert!(all.contains(&format!("<h1>Figures of {} runs</h1>", golden_runs().len())));
    let positions = |text: &str| all.match_indices(text).map(|(position, _)| position).collect::<Vec<_>>();
    assert_eq!((positions("<li><a href=\"#").len(), positions("<h2 id=\"").len()), (drawn, drawn));
    assert!(all.find("id=\"step_breakdown\"") < all.find("id=\"job_phases\""), "the most telling figures are first");
    let of_run = shell.run(&["figure", "all", "--run", "job-c"]);
    assert!(of_run.err.contains("kernel_top"), "{}", of_run.err);
    let of_run = String::from_utf8(of_run.out).unwrap();
    assert!(of_run.contains("<h1>Figures of job-c</h1>") && !of_run.contains("kernel_top"));
    let json: serde_json::Value = serde_json::from_str(&shell.text_of("x.json")).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["config", "data", "layout"]);
    // Without a file, the page goes to stdout.
    assert_eq!(shell.run(&["figure", "step_timeline"]).text(), format!("{one}\n"));
}

#[test]
fn a_figure_takes_parameters_of_its_queries() {
    let shell = Shell::golden();
    let bins = |arguments: &[&str]| {
        let all = ["figure", "trace_timeline", "--run", "job-k", "-o", "x.json"];
        shell.run(&[&all, arguments].concat()).text();
        let json: serde_json::Value = serde_json::from_str(&shell.text_of("x.json")).unwrap();
        json["layout"]["title"]["text"].as_str().unwrap().to_owned()
    };
    assert!(bins(&[]).starts_with("<b>22 intervals of rank 0 in 360 us"), "{}", bins(&[]));
    let window = ["--param", "start=1600000200000300000", "--param", "end=1600000200000330000"];
    assert!(bins(&window).starts_with("<b>5 intervals of rank 0 in 30 us"), "{}", bins(&window));
    let fails = |arguments: &[&str], expected: &str| {
        shell.run(arguments).fails(2, expected);
    };
    fails(
        &["figure", "trace_timeline", "--param", "bin=3"],
        "error: cannot draw figure trace_timeline: no parameter `bin`; did you mean `bins`?",
    );
    fails(
        &["figure", "trace_timeline", "--param", "bins=many"],
        "error: cannot draw figure trace_timeline: argument `bins` is `many`, expected bigint",
    );
    fails(
        &["figure", "all", "--param", "bins=3"],
        "error: cannot give a parameter to all figures: each figure has its own parameters\n  \
         hint:   name one figure",
    );
}

#[test]
fn figures_queries_and_formats_are_listed_without_a_lake() {
    let shell = Shell::new();
    let names = |arguments: &[&str]| {
        let lines = shell.run(arguments).lines();
        lines.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["figure"]), FIGURES.iter().map(|figure| figure.name).collect::<Vec<_>>());
    let queries = tracelake::catalog::queries().iter().filter(|query| query.family().is_some());
    assert_eq!(names(&["queries"]), queries.map(|query| query.name.clone()).collect::<Vec<_>>());
    // one line with the name and description of the format, one with the names of its files
    let described = FORMATS.iter().flat_map(|format| {
        let format = format.descriptor();
        [format!("{} {}", format.name, format.doc), format.files.to_owned()]
    });
    let shown: Vec<String> = shell
        .run(&["formats"])
        .lines()
        .iter()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(shown, described.collect::<Vec<_>>());
    assert_eq!(shell.run(&["--version"]).text(), format!("tracelake {}\n", env!("CARGO_PKG_VERSION")));
    assert!(!shell.path("home").exists());
}

#[test]
fn a_query_is_described_in_columns() {
    assert_eq!(
        Shell::new().run(&["queries", "step.outliers"]).text(),
        "Which steps took much longer than usual?

A step is an outlier when its duration, the median over the ranks, is at least `factor` times the median of its run and mode.

Excluded: steps that a recording cut short.

in SQL: step_outliers(factor double = 2.0, start bigint = null, end bigint = null)

  param   factor         double    minimum duration of an outlier, as a multiple of the median
  param   start          bigint    only steps that begin at this time or later, in ns, like `ts`; null for all
  param   end            bigint    only steps that begin before this time, in ns, like `ts`; null for all
  column  run            text      id       name of the run
  column  span           bigint    id       recording of the process within the run, from 0
  column  mode           text      name     train, eval, predict or global; null when unknown: filter with IS DISTINCT FROM, not with !=
  column  step           bigint    id       step number as the profiler wrote it
  column  ts             bigint    time     earliest start over the ranks
  column  dur            bigint    ns       median duration over the ranks
  column  dur_p50        double    ns       median; of its run and mode
  column  relative       double    factor   `dur` over `dur_p50`

order: run, ts, mode, span, step
from:  sagemaker_framework, kineto, nsys
empty: no step took at least `factor` times the median, or there are no steps (`step.duration` shows which)
"
    );
}

#[test]
fn files_of_a_table_can_be_read_by_other_programs() {
    let shell = Shell::golden();
    let rows = |arguments: &[&str]| {
        let files = shell.run(&[&["files", "step"], arguments].concat()).lines();
        files.iter().map(|file| parquet(std::fs::read(file).unwrap()).num_rows()).sum::<usize>()
    };
    assert_eq!((rows(&[]), rows(&["--run", "job-a"]), rows(&["--run", "job-b"])), (17, 10, 0));
}

#[test]
fn the_environment_selects_the_lake() {
    let shell = Shell::new();
    let count = ["sql", "select count(*) as n from run"];
    // The default lake is created when it is first needed.
    assert_eq!(shell.run(&count).text(), "n\n0\n");
    shell.run(&["ingest", &profile("job-b")]).text();
    assert_eq!(shell.run(&count).text(), "n\n1\n");
    assert!(shell.path("home/_manifest").is_dir());
    // TRACELAKE_LAKE wins over it, and --lake wins over both.
    let mut golden = Shell::golden();
    assert_eq!(golden.run(&count).text(), format!("n\n{}\n", golden_runs().len()));
    let home = shell.path("home").to_str().unwrap().to_owned();
    assert_eq!(golden.run(&[&count[..], &["--lake", &home]].concat()).text(), "n\n1\n");
    golden.environment[0].1 = profile("job-c");
    let output = golden.run(&["table", "step", "--columns", "run,step"]);
    assert_eq!(String::from_utf8(output.out).unwrap().lines().count(), 6);
}

#[test]
fn wrong_sql_and_wrong_usage_end_with_2() {
    let shell = Shell::golden();
    let fails = |arguments: &[&str], err: &str| shell.run(arguments).fails(2, err);
    fails(
        &["sql", "selec 1"],
        "error: cannot read the SQL: expected: an SQL statement, found: selec at Line: 1, Column: 1",
    );
    fails(&["sql", "select rnak from step"], "error: no column `rnak`; did you mean `rank`?");
    fails(&["sql", "select * from stepp"], "error: no table `stepp`; did you mean `step`?");
    fails(
        &["sql", "drop table step"],
        "error: cannot run a statement that changes something: `sql` only reads\n  hint:   create tables with `writable` of a session in Python or Rust",
    );
    fails(
        &["query", "step.outliers", "--param", "facto=2.5"],
        "error: cannot run `step.outliers`: no parameter `facto`; did you mean `factor`?",
    );
    fails(
        &["query", "step.outliers", "--param", "factor=long"],
        "error: cannot run `step.outliers`: argument `factor` is `long`, expected double",
    );
    fails(
        &["ingest", &profile("job-a"), "--run", "a/b"],
        "error: cannot use `a/b` as the name of a run: it has a `/`\n  \
         hint:   give another name with --run",
    );
    fails(
        &["figure", "all", "-o", "all.json"],
        "error: cannot write several figures as one JSON file\n  hint:   write a page: -o page.html",
    );
    fails(
        &["nonsense"],
        "error: unrecognized subcommand 'nonsense'\n\nUsage: tracelake [OPTIONS] <COMMAND>\n\n\
         For more information, try '--help'.",
    );
    fails(
        &["sql", "select 1", "--format", "xml"],
        "error: invalid value 'xml' for '--format <FORMAT>'\n  \
         [possible values: table, csv, json, markdown, parquet]\n\nFor more information, try '--help'.",
    );
    fails(
        &["sql", "select $x as x", "--param", "x"],
        "error: invalid value 'x' for '--param <NAME=VALUE>': expected NAME=VALUE\n\n\
         For more information, try '--help'.",
    );
    assert_eq!(shell.run(&[]).code, Some(2));
    assert!(!shell.path("all.json").exists());
}

#[test]
fn an_unknown_name_ends_with_2() {
    let shell = Shell::golden();
    let fails = |arguments: &[&str], err: &str| shell.run(arguments).fails(2, err);
    fails(&["query", "step.duratoin"], "error: no query `step.duratoin`; did you mean `step.duration`?");
    fails(&["queries", "step.outlier"], "error: no query `step.outlier`; did you mean `step.outliers`?");
    fails(&["table", "evnt"], "error: no table `evnt`; did you mean `event`?");
    fails(&["table", "step", "--columns", "run,mod"], "error: no column `mod`; did you mean `mode`?");
    fails(&["files", "stepp"], "error: no table `stepp`; did you mean `step`?");
    fails(
        &["figure", "step_timelin", "-o", "x.html"],
        "error: no figure `step_timelin`; did you mean `step_timeline`?",
    );
    assert!(!shell.path("x.html").exists());
    let nearest =
        "batch_time, kernel_top, rules_steps, fleet_trend, launch_delay, rules_loader, step_breakdown, trace_timeline";
    let hint = format!("the nearest of {} names: {nearest}", FIGURES.len());
    fails(&["figure", "weather"], &format!("error: no figure `weather`\n  hint:   {hint}"));
}

#[test]
fn missing_or_unreadable_input_ends_with_3() {
    let shell = Shell::golden();
    let fails = |arguments: &[&str], err: &str| shell.run(arguments).fails(3, err);
    fails(&["query", "step.duration", "--run", "job-b1"], "error: no run or baseline `job-b1`; did you mean `job-b`?");
    std::fs::create_dir(shell.path("other")).unwrap();
    std::fs::write(shell.path("other/notes.txt"), "to do").unwrap();
    fails(
        &["ingest", "other"],
        &format!(
            "error: cannot read {}: not recognized; looked for: {}\n  \
             found:  1 file: {}\n  \
             hint:   give the folder that holds the profile (for SageMaker: profiler-output)",
            shell.url("other"),
            FORMATS.iter().map(|format| format.descriptor().name).collect::<Vec<_>>().join(", "),
            shell.url("other/notes.txt")
        ),
    );
}

#[test]
fn an_unusable_lake_or_output_ends_with_4() {
    let shell = Shell::golden();
    shell.run(&["--lake", "missing", "runs"]).fails(
        4,
        "error: cannot open lake missing: there is no such file or folder\n  \
         hint:   create a lake there with `tracelake --lake missing ingest PROFILE`",
    );
    assert!(!shell.path("missing").exists());
    std::fs::create_dir(shell.path("folder")).unwrap();
    let fails = |arguments: &[&str], err: &str| shell.run(arguments).fails(4, err);
    fails(
        &["sql", "select 1 as x", "-o", "missing/x.csv"],
        "error: cannot write missing/x.csv: No such file or directory (os error 2)",
    );
    fails(&["runs", "-o", "folder"], "error: cannot write folder: it is a folder");
    fails(
        &["figure", "step_timeline", "-o", "missing/x.html"],
        "error: cannot write missing/x.html: No such file or directory (os error 2)",
    );
    fails(
        &["figure", "step_timeline", "-o", "missing/x.json"],
        "error: cannot write missing/x.json: No such file or directory (os error 2)",
    );
}

#[test]
fn a_name_that_is_taken_ends_with_4() {
    let shell = Shell::new();
    shell.run(&["ingest", &profile("job-b")]).text();
    let twin = shell.path("job-b");
    std::fs::create_dir_all(twin.join("system/incremental/2020091312")).unwrap();
    for file in crate::golden::files(Path::new(&profile("job-b")), "json") {
        std::fs::copy(&file, twin.join("system/incremental/2020091312").join(file.file_name().unwrap())).unwrap();
    }
    let output = shell.run(&["ingest", "job-b"]);
    assert_eq!((output.code, output.out.as_slice()), (Some(4), &b""[..]));
    assert_eq!(
        output.err.lines().next(),
        Some(
            format!(
                "error: cannot ingest {} as run `job-b`: the lake has a run of this name from file://{}",
                shell.url("job-b"),
                profile("job-b")
            )
            .as_str()
        )
    );
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let shell = Shell::golden();
    let program = env!("CARGO_BIN_EXE_tracelake");
    let text = "select a.* from sample as a, sample as b, sample as c";
    for arguments in
        ["figure step_timeline", &format!("sql '{text}'"), &format!("sql '{text}' --format json"), "queries"]
    {
        let script = format!("set -o pipefail; '{program}' {arguments} | head -c 1 >one");
        let output = CliOutput::from(shell.command("bash").args(["-c", &script]).output().unwrap());
        assert_eq!(output.text(), "", "{arguments}");
        assert_eq!(std::fs::metadata(shell.path("one")).unwrap().len(), 1);
    }
}

#[test]
fn a_bar_in_a_value_is_escaped_in_markdown() {
    let shell = Shell::golden();
    assert_eq!(
        shell.run(&["sql", "select 1 as x, 'a|b' as t", "--format", "markdown"]).text(),
        "| x | t    |\n|---|------|\n| 1 | a\\|b |\n"
    );
}

#[test]
fn a_query_that_fails_while_it_runs_leaves_no_file_and_no_header() {
    let shell = Shell::golden();
    let text = "select cast(name as bigint) as x from event where name = 'TrainBatch' or name like '%__init__'";
    for arguments in [&["-o", "x.csv"][..], &["-o", "x.json"], &["-o", "x.parquet"], &["--format", "csv"]] {
        let output = shell.run(&[&["sql", text], arguments].concat());
        assert_eq!((output.code, String::from_utf8(output.out).unwrap().as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!shell.path(arguments[1]).exists(), "{arguments:?}");
    }
}

#[test]
fn user_queries_work_in_the_default_lake() {
    let shell = Shell::new();
    std::fs::create_dir_all(shell.path("mine/step")).unwrap();
    let header = "-- How many steps are there?\n--\n-- A row per run.\n--\n\
                  -- column  run  text    id     run the steps belong to\n\
                  -- column  n    bigint  count  steps\n--\n-- needs   step\n-- order   run\n-- source  sagemaker_framework\n\n";
    let text = format!("{header}SELECT run, count(*) AS n\nFROM step\nGROUP BY run\nORDER BY run\n");
    std::fs::write(shell.path("mine/step/number.sql"), text).unwrap();
    shell.run(&["ingest", &profile("job-c")]).text();
    let query = ["--queries", "mine", "query", "step.number"];
    assert_eq!(shell.run(&[&["--lake", "home"], &query[..]].concat()).text(), "run,n\njob-c,5\n");
    assert_eq!(shell.run(&query).text(), "run,n\njob-c,5\n");
}

#[test]
fn an_unreadable_default_lake_ends_with_4() {
    let shell = Shell::new();
    std::fs::write(shell.path("home"), "a file").unwrap();
    let output = shell.run(&["runs"]);
    assert_eq!((output.code, output.out.as_slice()), (Some(4), &b""[..]), "{}", output.err);
}
