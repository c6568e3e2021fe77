//! Text reports of PyTorch Lightning's profilers, into `action` and `function`.
//!
//! An action is a hook, a step or whatever else `Profiler.profile` stands around. `SimpleProfiler` says how often each was
//! done and how long it took, `AdvancedProfiler` which functions ran in it. Both append to a file when a stage ends; reports are
//! numbered within the file. Rows are in the order of the file, and all are kept: a later report of one `SimpleProfiler` repeats
//! those of the stages before, with what was added, and actions lie within each other, so that neither rows nor reports may be
//! added up. The dumps that `AdvancedProfiler` writes beside its report are of format `cprofile`.
//!
//! # Units
//! Times are s, as printed: five digits, or three decimals.
//!
//! # Source
//! Lightning 2.6.6, `src/lightning/pytorch/profilers/{profiler,simple,advanced,pytorch}.py`; CPython 3.11, `Lib/pstats.py`
//! (`print_stats`, `print_title`, `print_line`, `func_std_string`). Layouts of releases before 1.6 as their documentation
//! shows them.

mod advanced;
mod name;
mod report;
mod simple;
mod writer;

pub(super) use name::dumped;

use super::{Decoding, Descriptor, Format, Probe};

const SOURCE: &str = "Lightning 2.6.6, lightning/pytorch/profilers/profiler.py, simple.py, advanced.py and pytorch.py";

const NAMES: (&str, &str) =
    ("name: rank", "rank if those of all files are 0..n-1 and no other folder has a file of this name");
const HEAD: (&str, &str) =
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
        NAMES,
        HEAD,
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
    version: 1,
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
        NAMES,
        HEAD,
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
    version: 1,
};

/// Reports of `PyTorchProfiler`, which are known and not read.
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
    version: 1,
};

/// What the first report of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Simple,
    Advanced,
    Pytorch,
}

/// What these first bytes of a file are; none if they are no reports.
fn kind(head: &[u8]) -> Option<Kind> {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    report::stage(lines.next()?)?;
    // a report of nothing has no more than that
    while lines.next_if(|line| report::stage(line).is_some()).is_some() {}
    let Some(line) = lines.find(|line| !report::is_rule(line)) else { return Some(Kind::Simple) };
    if !line.starts_with("Profile stats for: ") {
        return simple::Table::under(line).map(|_| Kind::Simple);
    }
    let is_drawn = lines.next().is_some_and(report::is_rule);
    Some(if is_drawn { Kind::Pytorch } else { Kind::Advanced })
}

macro_rules! format {
    ($format:ident, $kind:ident, $descriptor:ident) => {
        impl Format for $format {
            fn descriptor(&self) -> &'static Descriptor {
                &$descriptor
            }

            fn sniff(&self, probe: &Probe<'_>) -> bool {
                kind(probe.head) == Some(Kind::$kind)
            }

            fn decoder(&self) -> Decoding {
                Decoding::Stream(Box::new(report::Reports::default()))
            }
        }
    };
}

format!(LightningSimple, Simple, SIMPLE);
format!(LightningAdvanced, Advanced, ADVANCED);
format!(LightningPytorch, Pytorch, PYTORCH);
