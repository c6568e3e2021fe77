//! The rows that a decoder produces, collected by table.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;

use super::{
    Action, Allocation, Call, CallPath, Class, Device, Event, Function, Incident, Loader, Problem, RuleReport,
    RunAttribute, Sample, Severity, Step, Table, action, allocation, call, call_path, device, event, function,
    incident, loader, problem, rule_report, run_attribute, sample, step, without_dictionaries,
};

/// Limit of negative times and of durations, about 36 years in ns. Within these limits, neither the
/// end of an interval nor the difference of two ends overflows 64 bits, in SQL and in Rust.
const MAX_DURATION: i64 = 1 << 60;

/// The first time that is too late to be stored, in 2116.
const END_OF_TIME: i64 = 1 << 62;

/// Kind of the problem of a time or duration beyond the limits.
const OUT_OF_RANGE: &str = "out_of_range";

fn is_time(ts: Option<i64>) -> bool {
    ts.is_none_or(|ts| (-MAX_DURATION..END_OF_TIME).contains(&ts))
}

fn is_duration(dur: Option<i64>) -> bool {
    dur.is_none_or(|dur| -MAX_DURATION < dur && dur < MAX_DURATION)
}

/// A hash of the time, the duration and the name of an event (the finalizer of MurmurHash3). Of a name, the length and the
/// first and last bytes count: names that differ in their middle alone are rare, and this is fast.
fn hash(event: &Event<'_>) -> u64 {
    let (ts, dur) = (event.ts.unwrap_or(i64::MIN).cast_unsigned(), event.dur.unwrap_or(-1).cast_unsigned());
    let name = event.name.unwrap_or_default().as_bytes();
    let (first, last) = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => {
            let short = name.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            (short, short)
        }
    };
    let name_hash = first ^ last.rotate_left(17) ^ name.len() as u64;
    let mut hash = ts ^ dur.rotate_left(32) ^ name_hash;
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53_u64] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    hash ^ hash >> 33
}

/// Calls a macro with the names of all tables that a decoder fills.
macro_rules! each_table {
    ($do:ident) => {
        $do! {
            event, call_path, step, sample, loader, device, run_attribute, problem, allocation, incident, function,
            call, action, rule_report
        }
    };
}

macro_rules! declare_builders {
    ($($name:ident),*) => {
        /// The builders of all tables.
        #[derive(Debug, Default)]
        struct Builders { $($name: $name::Builder),* }
    };
}
each_table!(declare_builders);

/// The rows of all tables that a decoder has produced and that are not written yet.
///
/// Rows belong to the object of the last call of [`Rows::begin`]. [`Rows::problem`] reports
/// problems. It counts repetitions of one kind in one object instead of listing them.
#[derive(Debug)]
pub struct Rows {
    run: String,
    object: i64,
    /// The rank of all rows of the object, if the user set it.
    rank: Option<i64>,
    summary: ObjectSummary,
    /// Number of collected rows that a summary has counted already, by table.
    counted: BTreeMap<&'static str, usize>,
    last_node: Option<String>,
    last_rank: Option<i64>,
    /// Number of the first row of `problem`.
    first_problem: i64,
    problem_groups: BTreeMap<String, ProblemGroup>,
    builders: Builders,
}

/// Summary of the rows of one object, for the manifest.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ObjectSummary {
    /// Rows by table.
    pub rows: BTreeMap<&'static str, i64>,
    /// Number of skipped entries; each is counted in `problem`.
    pub skipped: i64,
    /// Number of corrupt entries that were repaired.
    pub repaired: i64,
    /// Machines that the rows name.
    pub nodes: BTreeSet<String>,
    /// Ranks that the rows name.
    pub ranks: BTreeSet<i64>,
    /// The framework that wrote the profile.
    pub framework: Option<String>,
    /// Earliest `ts`.
    pub started: Option<i64>,
    /// Latest `ts + dur`.
    pub ended: Option<i64>,
    /// Sum of a hash of time, duration and name over the events. It does not depend on their order.
    pub event_hash: u64,
    /// What `ts` counts from, on a clock with an unknown start; none if `ts` counts from the Unix epoch.
    pub clock_start: Option<i64>,
}

#[derive(Debug)]
struct ProblemGroup {
    severity: Severity,
    byte_offset: Option<i64>,
    message: String,
    count: i64,
}

macro_rules! push {
    ($($(#[$doc:meta])* $method:ident($row:ident)),* $(,)?) => {
        $($(#[$doc])*
        pub fn $method(&mut self, row: &$row<'_>) {
            self.record_process(row.node, row.rank);
            self.builders.$method.push((self.object, self.rank), row);
        })*
    };
}

impl Rows {
    /// Creates an empty collection for this run.
    pub fn new(run: &str) -> Self {
        Self {
            run: run.to_owned(),
            object: -1,
            rank: None,
            summary: ObjectSummary::default(),
            counted: BTreeMap::new(),
            last_node: None,
            last_rank: None,
            first_problem: 0,
            problem_groups: BTreeMap::new(),
            builders: Builders::default(),
        }
    }

    /// Starts the object with this id: rows belong to it from here on.
    pub fn begin(&mut self, object: i64) {
        self.object = object;
        self.rank = None;
    }

    /// Sets the rank of all rows of the current object, whatever the file says.
    pub fn set_rank(&mut self, rank: Option<i64>) {
        self.rank = rank;
    }

    push! {
        /// Adds a row to `device`.
        device(Device),
        /// Adds a row to `run_attribute`.
        run_attribute(RunAttribute),
        /// Adds a row to `function`.
        function(Function),
        /// Adds a row to `call`.
        call(Call),
        /// Adds a row to `call_path`.
        call_path(CallPath),
        /// Adds a row to `action`.
        action(Action),
        /// Adds a row to `rule_report`.
        rule_report(RuleReport),
    }

    /// Adds a row to `event`.
    pub fn event(&mut self, row: &Event<'_>) {
        self.record_process(row.node, row.rank);
        // Most rows of a profile are events. So only an event that is out of range is copied.
        if !is_time(row.ts) || !is_duration(row.dur) {
            let row = Event { ts: self.time(row.ts), dur: self.duration(row.dur), ..*row };
            return self.event(&row);
        }
        self.extend_time_range(row.ts, row.dur);
        self.summary.event_hash = self.summary.event_hash.wrapping_add(hash(row));
        self.builders.event.push((self.object, self.rank), row);
    }

    /// Adds a row to `step`.
    pub fn step(&mut self, row: &Step<'_>) {
        self.record_process(row.node, row.rank);
        let row = Step { ts: self.time(row.ts), dur: self.duration(row.dur), ..*row };
        self.extend_time_range(row.ts, row.dur);
        self.builders.step.push((self.object, self.rank), &row);
    }

    /// Adds a row to `sample`.
    pub fn sample(&mut self, row: &Sample<'_>) {
        self.record_process(row.node, row.rank);
        let row = Sample { ts: self.time(row.ts), ..*row };
        self.extend_time_range(row.ts, None);
        self.builders.sample.push((self.object, self.rank), &row);
    }

    /// Adds a row to `loader`.
    pub fn loader(&mut self, row: &Loader<'_>) {
        self.record_process(row.node, row.rank);
        let (ts, dur, compute_dur) = (self.time(row.ts), self.duration(row.dur), self.duration(row.compute_dur));
        self.extend_time_range(ts, dur);
        self.builders.loader.push((self.object, self.rank), &Loader { ts, dur, compute_dur, ..*row });
    }

    /// Adds a row to `allocation`.
    pub fn allocation(&mut self, row: &Allocation<'_>) {
        self.record_process(row.node, row.rank);
        let row = Allocation { ts: self.time(row.ts), ..*row };
        self.builders.allocation.push((self.object, self.rank), &row);
    }

    /// Adds a row to `incident`.
    pub fn incident(&mut self, row: &Incident<'_>) {
        self.record_process(row.node, row.rank);
        let row = Incident { ts: self.time(row.ts), ..*row };
        self.builders.incident.push((self.object, self.rank), &row);
    }

    /// Counts one skipped entry and reports why. `kind` is a short name such as `bad_line`;
    /// `message` has the position of the first such entry and what was expected.
    pub fn skip(&mut self, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.skip_many(1, kind, byte_offset, message);
    }

    /// Counts several skipped entries of a kind.
    pub fn skip_many(&mut self, count: i64, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.summary.skipped += count;
        self.problems(count, Severity::Warning, kind, byte_offset, message);
    }

    /// Counts one corrupt entry that was repaired.
    pub fn repair(&mut self, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.summary.repaired += 1;
        self.problem(Severity::Warning, kind, byte_offset, message);
    }

    /// Reports a problem or a notice in the current object.
    pub fn problem(
        &mut self,
        severity: Severity,
        kind: &str,
        byte_offset: Option<i64>,
        message: impl FnOnce() -> String,
    ) {
        self.problems(1, severity, kind, byte_offset, message);
    }

    /// Numbers the rows of `problem` from here on, because the object has earlier ones.
    pub fn start_problems_at(&mut self, row: i64) {
        self.first_problem = row;
    }

    /// Reports several problems of a kind; a count of 0 is ignored.
    pub fn problems(
        &mut self,
        count: i64,
        severity: Severity,
        kind: &str,
        byte_offset: Option<i64>,
        message: impl FnOnce() -> String,
    ) {
        if let Some(group) = self.problem_groups.get_mut(kind) {
            group.count += count;
        } else if count > 0 {
            let group = ProblemGroup { severity, byte_offset, message: message(), count };
            self.problem_groups.insert(kind.to_owned(), group);
        }
    }

    /// Reports that nothing relates the clock of the current object to the Unix epoch. `ts` of its rows then
    /// counts from this time of the clock, in ns.
    pub fn counts_from(&mut self, clock_start: i64) {
        if self.summary.clock_start.is_none() {
            self.summary.clock_start = Some(clock_start);
            self.problem(Severity::Notice, "no_epoch", None, || {
                "the file does not say what its times count from, so they count from the first event; to set the start of \
                 the clock, use `--clock-offset`"
                    .to_owned()
            });
        }
    }

    /// Reports that times of the current object count from the Unix epoch after all. The times before, which are few, count
    /// from another moment.
    pub fn counts_from_epoch(&mut self) {
        self.problem_groups.remove("no_epoch");
        (self.summary.clock_start, self.summary.started, self.summary.ended) = (None, None, None);
        self.problem(Severity::Warning, "other_clock", None, || {
            "the first times do not count from the Unix epoch, as the later ones do".to_owned()
        });
    }

    /// Whether the current object has no reported problems.
    pub fn has_no_problems(&self) -> bool {
        self.problem_groups.is_empty()
    }

    /// Adds the summary of rows of the current object that were collected elsewhere.
    pub fn absorb(&mut self, other: ObjectSummary) {
        let ObjectSummary { rows, skipped, repaired, nodes, ranks, framework, started, ended, event_hash, clock_start } =
            other;
        for (table, rows) in rows {
            *self.summary.rows.entry(table).or_default() += rows;
        }
        let summary = &mut self.summary;
        summary.skipped += skipped;
        summary.repaired += repaired;
        summary.nodes.extend(nodes);
        summary.ranks.extend(ranks);
        summary.framework = framework.or(summary.framework.take());
        summary.started = [summary.started, started].into_iter().flatten().min();
        summary.ended = [summary.ended, ended].into_iter().flatten().max();
        summary.clock_start = summary.clock_start.or(clock_start);
        summary.event_hash = summary.event_hash.wrapping_add(event_hash);
    }

    /// Sets the framework that wrote the profile.
    pub fn framework(&mut self, name: &str) {
        self.summary.framework = Some(name.to_owned());
    }

    /// Ends the current object: adds its `problem` rows and returns its summary.
    pub fn end(&mut self) -> ObjectSummary {
        for (row, (kind, group)) in
            (std::mem::take(&mut self.first_problem)..).zip(std::mem::take(&mut self.problem_groups))
        {
            let ProblemGroup { severity, byte_offset, message, count } = &group;
            let class = Some(Class::new(&kind, *severity).as_str());
            let (severity, count) = (Some(severity.as_str()), Some(*count));
            let (kind, message, byte_offset) = (Some(kind.as_str()), Some(message.as_str()), *byte_offset);
            let problem = Problem { severity, byte_offset, kind, message, count, class, row, ..Problem::default() };
            self.builders.problem.push((self.object, self.rank), &problem);
        }
        self.count_new_rows();
        (self.last_node, self.last_rank) = (None, None);
        std::mem::take(&mut self.summary)
    }

    /// Returns the number of collected rows over all tables.
    pub fn len(&self) -> usize {
        macro_rules! sum {
            ($($name:ident),*) => { 0 $(+ self.builders.$name.len())* };
        }
        each_table!(sum)
    }

    /// Whether there are no collected rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the rows: one batch for each table that has any.
    pub fn take(&mut self) -> Vec<(&'static Table, RecordBatch)> {
        let batches = self.take_dictionaries().into_iter().map(|(table, batch)| {
            // A dictionary of texts can always be cast to texts.
            let Ok(batch) = without_dictionaries(&batch) else { unreachable!() };
            (table, batch)
        });
        batches.collect()
    }

    /// Like [`Rows::take`], but with repeated texts as dictionaries, which is faster to write.
    pub fn take_dictionaries(&mut self) -> Vec<(&'static Table, RecordBatch)> {
        self.count_new_rows();
        self.counted.clear();
        let mut batches = Vec::new();
        macro_rules! take {
            ($($name:ident),*) => {
                $(if self.builders.$name.len() > 0 {
                    // The columns of a builder have the same length.
                    let Ok(batch) = self.builders.$name.finish(&self.run) else { unreachable!() };
                    batches.push((&$name::TABLE, batch));
                })*
            };
        }
        each_table!(take);
        batches
    }

    /// Adds the rows since the last call to the summary of the current object. This is faster than
    /// counting row by row.
    fn count_new_rows(&mut self) {
        macro_rules! count {
            ($($name:ident),*) => {
                $(if self.builders.$name.len() > 0 {
                    let counted = self.counted.insert(stringify!($name), self.builders.$name.len()).unwrap_or(0);
                    let new = i64::try_from(self.builders.$name.len() - counted).unwrap_or(i64::MAX);
                    if new > 0 {
                        *self.summary.rows.entry(stringify!($name)).or_default() += new;
                    }
                })*
            };
        }
        each_table!(count);
    }

    /// Records machine and rank. Rows of one process follow each other, so most calls change
    /// nothing.
    fn record_process(&mut self, node: Option<&str>, rank: Option<i64>) {
        let rank = self.rank.or(rank);
        if let Some(node) = node
            && self.last_node.as_deref() != Some(node)
        {
            self.last_node = Some(node.to_owned());
            self.summary.nodes.insert(node.to_owned());
        }
        if let Some(rank) = rank
            && self.last_rank != Some(rank)
        {
            self.last_rank = Some(rank);
            self.summary.ranks.insert(rank);
        }
    }

    /// Returns the time; reports a problem and returns null if it is out of range.
    fn time(&mut self, ts: Option<i64>) -> Option<i64> {
        self.null_unless(is_time(ts), ts, "a time is before June 1933 or after February 2116; it is stored as null")
    }

    /// Returns the duration; reports a problem and returns null if it is out of range.
    fn duration(&mut self, dur: Option<i64>) -> Option<i64> {
        self.null_unless(is_duration(dur), dur, "a duration is longer than 36 years; it is stored as null")
    }

    fn null_unless(&mut self, in_range: bool, value: Option<i64>, message: &str) -> Option<i64> {
        if in_range {
            return value;
        }
        self.repair(OUT_OF_RANGE, None, || message.to_owned());
        None
    }

    /// Extends the time range of the current object.
    fn extend_time_range(&mut self, ts: Option<i64>, dur: Option<i64>) {
        let Some(ts) = ts else { return };
        let end = ts.saturating_add(dur.unwrap_or(0).max(0));
        self.summary.started = Some(self.summary.started.map_or(ts, |first| first.min(ts)));
        self.summary.ended = Some(self.summary.ended.map_or(end, |last| last.max(end)));
    }
}
