//! Text reports of PyTorch Lightning's profilers, into `action` and `function`.
//!
//! An action is a hook, a step or any other block inside `Profiler.profile`. `SimpleProfiler` reports how often each action
//! ran and how long it took. `AdvancedProfiler` reports the functions that ran in each action.
//!
//! Both append to a file when a stage ends, and reports are numbered within the file. Rows are in the order of the file, and
//! none is dropped. Do not sum rows or reports: a later report of one `SimpleProfiler` includes the earlier stages, and
//! actions are nested. The dumps that `AdvancedProfiler` writes next to its report have format `cprofile`.
//!
//! # Units
//! Times are s, as printed: five digits, or three decimals.
//!
//! # Source
//! Lightning 2.6.6, `src/lightning/pytorch/profilers/{profiler,simple,advanced,pytorch}.py`; CPython 3.11, `Lib/pstats.py`
//! (`print_stats`, `print_title`, `print_line`, `func_std_string`). Layouts of releases before 1.6 follow the examples in
//! their documentation.

mod advanced;
mod name;
mod report;
mod simple;
mod writer;

pub(super) use name::parse_dump_name;

use super::{Descriptor, Format, FormatDecoder, Probe};

const SOURCE: &str = "Lightning 2.6.6, lightning/pytorch/profilers/profiler.py, simple.py, advanced.py and pytorch.py";

const RANK_FIELD: (&str, &str) =
    ("name: rank", "rank if those of all files are 0..n-1 and no other folder has a file of this name");
const STAGE_FIELD: (&str, &str) =
    ("first line of a report", "action.stage, in lower case; action.report, function.report, from 0");

/// Reports of `SimpleProfiler`.
#[derive(Debug)]
pub struct LightningSimple;

static SIMPLE: Descriptor = Descriptor {
    name: "lightning_simple",
    doc: "reports of PyTorch Lightning's SimpleProfiler: number of calls and duration of each action",
    files: "<stage>-<name>[-<rank>].txt",
    tables: &["action"],
    fields: &[
        RANK_FIELD,
        STAGE_FIELD,
        ("Action", "action.action"),
        ("Mean duration (s)", "action.mean_s"),
        ("Num calls", "action.calls; total / mean, rounded, if the report has none"),
        ("Total time (s)", "action.total_s"),
        ("Percentage %", "action.percent"),
        ("row Total", "action.report_calls and action.report_s of the rows after it; it has no row of its own"),
    ],
    not_read: &[
        "stage and name in the file's name: the report has its stage",
        "reports that a job without a file name writes to its log",
    ],
    source: SOURCE,
    version: 2,
};

/// Reports of `AdvancedProfiler`.
#[derive(Debug)]
pub struct LightningAdvanced;

static ADVANCED: Descriptor = Descriptor {
    name: "lightning_advanced",
    doc: "reports of PyTorch Lightning's AdvancedProfiler: the functions that ran in each action",
    files: "<stage>-<name>[-<rank>].txt",
    tables: &["action", "function"],
    fields: &[
        RANK_FIELD,
        STAGE_FIELD,
        ("Profile stats for: action, rank", "action.action; rank if no other folder has a file of this name"),
        ("stage and action", "function.scope, as JSON"),
        ("function calls, primitive calls", "action.function_calls, action.primitive_calls"),
        ("seconds", "action.total_s"),
        ("List reduced from, to, due to restriction", "action.reduced_from, action.reduced_to, action.restriction"),
        ("ncalls", "function.calls, function.primitive_calls"),
        ("tottime, cumtime", "function.own_s, function.cumulative_s"),
        (
            "filename:lineno(function)",
            "function.file, function.line, function.function; built-in functions have ~ and 0, as in a dump",
        ),
    ],
    not_read: &["percall: time / calls", "the order of functions: column row has it"],
    source: SOURCE,
    version: 2,
};

/// Reports of `PyTorchProfiler`: recognized, but not read.
#[derive(Debug)]
pub struct LightningPytorch;

static PYTORCH: Descriptor = Descriptor {
    name: "lightning_pytorch",
    doc: "reports of PyTorch Lightning's PyTorchProfiler: recognized, but not read; the trace next to them has more data (kineto)",
    files: "<stage>-<name>[-<rank>].txt",
    tables: &[],
    fields: &[],
    not_read: &[
        "the table of sums: it has 20 rows, long names are cut, and own times of nested ranges may be negative",
    ],
    source: SOURCE,
    version: 2,
};

/// The profiler that wrote the first report of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportKind {
    Simple,
    Advanced,
    Pytorch,
}

/// The kind of the first report in these first bytes of a file; none if they do not begin a report.
fn detect_kind(head: &[u8]) -> Option<ReportKind> {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    report::parse_title(lines.next()?)?;
    // a report without actions is only a title
    while lines.next_if(|line| report::parse_title(line).is_some()).is_some() {}
    let Some(line) = lines.find(|line| !report::is_rule(line)) else { return Some(ReportKind::Simple) };
    if !line.starts_with("Profile stats for: ") {
        return simple::ActionTable::parse_header(line).map(|_| ReportKind::Simple);
    }
    let has_rule = lines.next().is_some_and(report::is_rule);
    Some(if has_rule { ReportKind::Pytorch } else { ReportKind::Advanced })
}

/// Parses a number. A number that is not finite gives `Some(None)`.
#[expect(clippy::option_option, reason = "not a number, not finite, a number")]
fn parse_finite(text: &str) -> Option<Option<f64>> {
    text.parse().ok().map(|number: f64| Some(number).filter(|number| number.is_finite()))
}

macro_rules! impl_format {
    ($format:ident, $kind:ident, $descriptor:ident) => {
        impl Format for $format {
            fn descriptor(&self) -> &'static Descriptor {
                &$descriptor
            }

            fn sniff(&self, probe: &Probe<'_>) -> bool {
                detect_kind(probe.head) == Some(ReportKind::$kind)
            }

            fn decoder(&self) -> FormatDecoder {
                FormatDecoder::Stream(Box::new(report::ReportsDecoder::default()))
            }
        }
    };
}

impl_format!(LightningSimple, Simple, SIMPLE);
impl_format!(LightningAdvanced, Advanced, ADVANCED);
impl_format!(LightningPytorch, Pytorch, PYTORCH);
