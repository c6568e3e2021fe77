//! Where a decoder puts its rows.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;

use super::{
    Action, Allocation, Call, Device, Event, Function, Incident, Loader, Problem, RuleReport, RunAttribute, Sample,
    Severity, Step, Table, action, allocation, call, device, event, function, incident, loader, problem, rule_report,
    run_attribute, sample, step, without_dictionaries,
};

/// Earliest time and longest duration, about 36 years in ns. With these limits neither the end of an interval nor the difference of
/// two ends overflows 64 bits, in SQL and in Rust.
const LIMIT: i64 = 1 << 60;

/// The first time that is too late, in 2116.
const END: i64 = 1 << 62;

/// Kind of the problem for a time or duration beyond the limit.
const OUT_OF_RANGE: &str = "out_of_range";

fn is_time(ts: Option<i64>) -> bool {
    ts.is_none_or(|ts| (-LIMIT..END).contains(&ts))
}

fn is_duration(dur: Option<i64>) -> bool {
    dur.is_none_or(|dur| -LIMIT < dur && dur < LIMIT)
}

/// The rows of all tables that came out of a decoder and were not written yet.
///
/// Rows belong to the object named by the last [`Rows::begin`]. Damage is reported through
/// [`Rows::problem`], which counts repetitions of one kind in one object instead of listing them.
#[derive(Debug)]
pub struct Rows {
    run: String,
    object: i64,
    summary: Summary,
    /// Rows held that were counted in a summary already, by table.
    counted: BTreeMap<&'static str, usize>,
    last_node: Option<String>,
    last_rank: Option<i64>,
    damage: BTreeMap<String, Damage>,
    event: event::Builder,
    step: step::Builder,
    sample: sample::Builder,
    loader: loader::Builder,
    device: device::Builder,
    run_attribute: run_attribute::Builder,
    problem: problem::Builder,
    allocation: allocation::Builder,
    incident: incident::Builder,
    function: function::Builder,
    call: call::Builder,
    action: action::Builder,
    rule_report: rule_report::Builder,
}

/// What one object gave, kept in the manifest.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Rows by table.
    pub rows: BTreeMap<&'static str, i64>,
    /// Entries that were left out; each is counted in `problem`.
    pub skipped: i64,
    /// Entries that were damaged and could be read all the same.
    pub repaired: i64,
    /// Machines seen.
    pub nodes: BTreeSet<String>,
    /// Ranks seen.
    pub ranks: BTreeSet<i64>,
    /// The framework that wrote the profile.
    pub framework: Option<String>,
    /// Earliest `ts`.
    pub started: Option<i64>,
    /// Latest `ts + dur`.
    pub ended: Option<i64>,
}

#[derive(Debug)]
struct Damage {
    severity: Severity,
    byte_offset: Option<i64>,
    message: String,
    count: i64,
}

/// Every builder of [`Rows`], named like its table.
macro_rules! each_table {
    ($do:ident) => {
        $do!(
            event,
            step,
            sample,
            loader,
            device,
            run_attribute,
            problem,
            allocation,
            incident,
            function,
            call,
            action,
            rule_report
        )
    };
}

macro_rules! push {
    ($($(#[$doc:meta])* $method:ident($row:ident)),* $(,)?) => {
        $($(#[$doc])*
        pub fn $method(&mut self, row: &$row<'_>) {
            self.seen(row.node, row.rank);
            self.$method.push(self.object, row);
        })*
    };
}

impl Rows {
    /// Rows of this run, with none yet.
    pub fn new(run: &str) -> Self {
        Self {
            run: run.to_owned(),
            object: -1,
            summary: Summary::default(),
            counted: BTreeMap::new(),
            last_node: None,
            last_rank: None,
            damage: BTreeMap::new(),
            event: event::Builder::default(),
            step: step::Builder::default(),
            sample: sample::Builder::default(),
            loader: loader::Builder::default(),
            device: device::Builder::default(),
            run_attribute: run_attribute::Builder::default(),
            problem: problem::Builder::default(),
            allocation: allocation::Builder::default(),
            incident: incident::Builder::default(),
            function: function::Builder::default(),
            call: call::Builder::default(),
            action: action::Builder::default(),
            rule_report: rule_report::Builder::default(),
        }
    }

    /// From here on rows come from the object with this id.
    pub fn begin(&mut self, object: i64) {
        self.object = object;
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
        /// Adds a row to `action`.
        action(Action),
        /// Adds a row to `rule_report`.
        rule_report(RuleReport),
    }

    /// Adds a row to `event`.
    pub fn event(&mut self, row: &Event<'_>) {
        self.seen(row.node, row.rank);
        // Most rows of a profile are events: only one out of range is copied.
        if !is_time(row.ts) || !is_duration(row.dur) {
            let row = Event { ts: self.time(row.ts), dur: self.duration(row.dur), ..*row };
            return self.event(&row);
        }
        self.at(row.ts, row.dur);
        self.event.push(self.object, row);
    }

    /// Adds a row to `step`.
    pub fn step(&mut self, row: &Step<'_>) {
        self.seen(row.node, row.rank);
        let row = Step { ts: self.time(row.ts), dur: self.duration(row.dur), ..*row };
        self.at(row.ts, row.dur);
        self.step.push(self.object, &row);
    }

    /// Adds a row to `sample`.
    pub fn sample(&mut self, row: &Sample<'_>) {
        self.seen(row.node, row.rank);
        let row = Sample { ts: self.time(row.ts), ..*row };
        self.at(row.ts, None);
        self.sample.push(self.object, &row);
    }

    /// Adds a row to `loader`.
    pub fn loader(&mut self, row: &Loader<'_>) {
        self.seen(row.node, row.rank);
        let (ts, dur, compute_dur) = (self.time(row.ts), self.duration(row.dur), self.duration(row.compute_dur));
        self.at(ts, dur);
        self.loader.push(self.object, &Loader { ts, dur, compute_dur, ..*row });
    }

    /// Adds a row to `allocation`.
    pub fn allocation(&mut self, row: &Allocation<'_>) {
        self.seen(row.node, row.rank);
        let row = Allocation { ts: self.time(row.ts), ..*row };
        self.allocation.push(self.object, &row);
    }

    /// Adds a row to `incident`.
    pub fn incident(&mut self, row: &Incident<'_>) {
        self.seen(row.node, row.rank);
        let row = Incident { ts: self.time(row.ts), ..*row };
        self.incident.push(self.object, &row);
    }

    /// Counts one entry that was left out, and says why: `kind` is a short name such as `bad_line`,
    /// `message` the first one's place and what was expected.
    pub fn skip(&mut self, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.skips(1, kind, byte_offset, message);
    }

    /// Counts so many entries of a kind that were left out.
    pub fn skips(&mut self, count: i64, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.summary.skipped += count;
        self.problems(count, Severity::Warning, kind, byte_offset, message);
    }

    /// Counts one entry that was damaged and could be read all the same.
    pub fn repair(&mut self, kind: &str, byte_offset: Option<i64>, message: impl FnOnce() -> String) {
        self.summary.repaired += 1;
        self.problem(Severity::Warning, kind, byte_offset, message);
    }

    /// Notes damage, or something worth knowing, in the current object.
    pub fn problem(
        &mut self,
        severity: Severity,
        kind: &str,
        byte_offset: Option<i64>,
        message: impl FnOnce() -> String,
    ) {
        self.problems(1, severity, kind, byte_offset, message);
    }

    /// Notes so many of a kind; none is not noted.
    pub fn problems(
        &mut self,
        count: i64,
        severity: Severity,
        kind: &str,
        byte_offset: Option<i64>,
        message: impl FnOnce() -> String,
    ) {
        if let Some(damage) = self.damage.get_mut(kind) {
            damage.count += count;
        } else if count > 0 {
            let damage = Damage { severity, byte_offset, message: message(), count };
            self.damage.insert(kind.to_owned(), damage);
        }
    }

    /// Whether nothing was skipped, repaired or noted in the current object.
    pub fn is_undamaged(&self) -> bool {
        self.damage.is_empty()
    }

    /// Counts rows of the current object that were collected elsewhere.
    pub fn absorb(&mut self, other: Summary) {
        let Summary { rows, skipped, repaired, nodes, ranks, framework, started, ended } = other;
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
    }

    /// Names the framework that wrote the profile.
    pub fn framework(&mut self, name: &str) {
        self.summary.framework = Some(name.to_owned());
    }

    /// Ends the current object: writes its `problem` rows and gives what it held.
    pub fn end(&mut self) -> Summary {
        for (row, (kind, damage)) in (0..).zip(std::mem::take(&mut self.damage)) {
            self.problem.push(
                self.object,
                &Problem {
                    severity: Some(damage.severity.as_str()),
                    byte_offset: damage.byte_offset,
                    kind: Some(&kind),
                    message: Some(&damage.message),
                    count: Some(damage.count),
                    row,
                    ..Problem::default()
                },
            );
        }
        self.count();
        (self.last_node, self.last_rank) = (None, None);
        std::mem::take(&mut self.summary)
    }

    /// The number of rows held, over all tables.
    pub fn len(&self) -> usize {
        macro_rules! sum {
            ($($name:ident),*) => { 0 $(+ self.$name.len())* };
        }
        each_table!(sum)
    }

    /// Whether no rows are held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the rows out, one batch for each table that has any.
    pub fn take(&mut self) -> Vec<(&'static Table, RecordBatch)> {
        let batches = self.take_dictionaries().into_iter().map(|(table, batch)| {
            // Every dictionary of texts can be written out.
            let Ok(batch) = without_dictionaries(table, &batch) else { unreachable!() };
            (table, batch)
        });
        batches.collect()
    }

    /// Like [`Rows::take`], with texts that repeat as dictionaries: the shorter way into a part.
    pub fn take_dictionaries(&mut self) -> Vec<(&'static Table, RecordBatch)> {
        self.count();
        self.counted.clear();
        let mut batches = Vec::new();
        macro_rules! take {
            ($($name:ident),*) => {
                $(if self.$name.len() > 0 {
                    // The builders are of one length by construction.
                    let Ok(batch) = self.$name.finish(&self.run) else { unreachable!() };
                    batches.push((&$name::TABLE, batch));
                })*
            };
        }
        each_table!(take);
        batches
    }

    /// Adds the rows since the last count to the current object: here, and not row by row.
    fn count(&mut self) {
        macro_rules! count {
            ($($name:ident),*) => {
                $(if self.$name.len() > 0 {
                    let counted = self.counted.insert(stringify!($name), self.$name.len()).unwrap_or(0);
                    let new = i64::try_from(self.$name.len() - counted).unwrap_or(i64::MAX);
                    if new > 0 {
                        *self.summary.rows.entry(stringify!($name)).or_default() += new;
                    }
                })*
            };
        }
        each_table!(count);
    }

    /// Notes machine and rank. Rows of one process come one after the other: most change nothing.
    fn seen(&mut self, node: Option<&str>, rank: Option<i64>) {
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

    /// The time, or null and a problem if it is out of range.
    fn time(&mut self, ts: Option<i64>) -> Option<i64> {
        if !is_time(ts) {
            self.repair(OUT_OF_RANGE, None, || {
                "a time is before June 1933 or after February 2116; it is stored as null".to_owned()
            });
        }
        ts.filter(|_| is_time(ts))
    }

    /// The duration, or null and a problem if it is out of range.
    fn duration(&mut self, dur: Option<i64>) -> Option<i64> {
        if !is_duration(dur) {
            self.repair(OUT_OF_RANGE, None, || "a duration is longer than 36 years; it is stored as null".to_owned());
        }
        dur.filter(|_| is_duration(dur))
    }

    fn at(&mut self, ts: Option<i64>, dur: Option<i64>) {
        let Some(ts) = ts else { return };
        let end = ts.saturating_add(dur.unwrap_or(0).max(0));
        self.summary.started = Some(self.summary.started.map_or(ts, |first| first.min(ts)));
        self.summary.ended = Some(self.summary.ended.map_or(end, |last| last.max(end)));
    }
}
