//! NVTX: ranges and marks of a program and its libraries. Some ranges are training steps or waits for data.

use std::sync::Arc;

use super::column::NsysColumn;
use super::job::{pid, tid};
use super::numbered_name::numbered_name;
use super::row::ExportRow;
use super::text::{mask_text, report_masked};
use super::{IdMap, NsysExport};
use crate::kineto::{
    LoaderCall as LoaderMark, NamedStep, by_name, is_training, loader_mark, parse_named_step, step_row,
};
use crate::number::leading_number;
use crate::table::{Category, Event, Rows, Severity};
use crate::{json, secret};

/// Types of rows (`ENUM_NSYS_EVENT_TYPE`). The second number of ranges is that of nvtxt files.
const CATEGORY: i64 = 33;
const MARK: i64 = 34;
const THREAD: i64 = 39;
const PUSH_POP: [i64; 2] = [59, 70];
const START_END: [i64; 2] = [60, 71];
const DOMAIN: i64 = 75;
const DOMAIN_END: i64 = 76;

/// Common names of ranges that are steps, which a number follows.
const STEP_NAMES: [&str; 10] = [
    "iteration",
    "iter",
    "step",
    "train_step",
    "train step",
    "training_step",
    "training step",
    "global_step",
    "batch",
    "profilerstep",
];

/// Common names of ranges in which a step waits for data.
const DATA_NAMES: [&str; 9] =
    ["data", "dataload", "dataloading", "data_loading", "dataloader", "load_batch", "get_batch", "next_batch", "fetch"];

/// The maximum number of stored ranges that may be steps, 32 bytes each.
const MAX_STEPS: usize = 1 << 20;

/// The maximum number of stored names of domains, and of categories.
const MAX_NAMES: usize = 1 << 16;

/// The number of ranges with one name that ended, and the sum of their durations in ns.
#[derive(Debug, Default, Clone, Copy)]
struct RangeTotals {
    ranges: u64,
    dur: i128,
}

impl RangeTotals {
    fn add(&mut self, dur: i64) {
        self.ranges += 1;
        self.dur += i128::from(dur);
    }
}

/// The index of the name with the longest ranges on average: outer ranges are longer than inner ones.
fn find_outermost(totals: &[RangeTotals]) -> Option<usize> {
    let used = totals.iter().enumerate().filter(|(_, totals)| totals.ranges > 0);
    used.max_by_key(|(_, totals)| totals.dur / i128::from(totals.ranges)).map(|(index, _)| index)
}

/// What the first pass over all ranges collects.
#[derive(Debug, Default)]
pub(super) struct NvtxState {
    /// The step annotation that the user set.
    annotation: Option<Arc<str>>,
    /// Names of domains by process and domain, and of categories by process, domain and category.
    domains: IdMap<(i64, i64), Arc<str>>,
    categories: IdMap<(i64, i64, i64), Arc<str>>,
    /// Totals of each name of [`STEP_NAMES`] and of [`DATA_NAMES`].
    step_totals: [RangeTotals; STEP_NAMES.len()],
    data_totals: [RangeTotals; DATA_NAMES.len()],
    /// Thread, start, end and index of the name of ranges that may be steps.
    candidates: Vec<(i64, i64, i64, usize)>,
    candidates_full: bool,
    /// Index of the name that steps have, and of the name that waits for data have.
    step_name: Option<usize>,
    data_name: Option<usize>,
}

/// Parses a common step name with a number, such as `iteration 12`: the index in [`STEP_NAMES`] and the number.
fn parse_step(text: &str) -> Option<(usize, i64)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = text.split_at(text.len() - digits);
    let number = number.parse().ok()?;
    let name = before.trim_end_matches([' ', '#', '_', ':', '=', '-']);
    // at most one sign with blanks around it
    let index = STEP_NAMES.iter().position(|step| step.eq_ignore_ascii_case(name))?;
    (before.len() - name.len() <= 3).then_some((index, number))
}

impl NvtxState {
    pub(super) fn new(annotation: Option<Arc<str>>) -> Self {
        Self { annotation, ..Self::default() }
    }

    /// Collects a name, or a range that may be a step or a wait for data. `text` is the text of the row.
    pub(super) fn collect(&mut self, row: &ExportRow<'_>, text: &str, rows: &mut Rows) {
        let kind = row.int(NsysColumn::eventType).unwrap_or(0);
        let thread = row.int(NsysColumn::globalTid).unwrap_or(0);
        let domain = row.int(NsysColumn::domainId).unwrap_or(0);
        match kind {
            DOMAIN if self.domains.len() < MAX_NAMES => {
                self.domains.insert((pid(thread), domain), mask_text(text, rows));
            }
            CATEGORY if self.categories.len() < MAX_NAMES => {
                let category = row.int(NsysColumn::category).unwrap_or(0);
                self.categories.insert((pid(thread), domain, category), mask_text(text, rows));
            }
            _ if is_range(kind) => self.collect_range(row, kind, thread, text),
            _ => {}
        }
    }

    fn collect_range(&mut self, row: &ExportRow<'_>, kind: i64, thread: i64, text: &str) {
        let Some((start, end)) = range_bounds(row) else { return };
        if !ends_on_its_thread(row, kind, thread) {
            return;
        }
        let step = match &self.annotation {
            Some(annotation) => parse_named_step(text, annotation).map(|_| 0),
            None => parse_step(text).map(|(index, _)| index),
        };
        if let Some(index) = step {
            self.step_totals[index].add(end.saturating_sub(start));
            self.candidates_full |= self.candidates.len() >= MAX_STEPS;
            if !self.candidates_full {
                self.candidates.push((thread, start, end, index));
            }
        } else if let Some(index) = DATA_NAMES.iter().position(|name| name.eq_ignore_ascii_case(text)) {
            self.data_totals[index].add(end.saturating_sub(start));
        }
    }

    /// Reports limits that were exceeded.
    pub(super) fn report_limits(&self, rows: &mut Rows) {
        if self.candidates_full {
            let effect = "waits for data in the later ones are annotations";
            let message = || format!("more than {MAX_STEPS} ranges have names of steps: {effect}");
            rows.problem(Severity::Warning, "many_steps", None, message);
        }
    }

    /// Determines which ranges are steps and which are waits for data, after all ranges are collected.
    pub(super) fn resolve_steps(&mut self) {
        self.step_name = find_outermost(&self.step_totals);
        self.data_name = find_outermost(&self.data_totals);
        let step_name = self.step_name;
        self.candidates.retain(|(.., index)| Some(*index) == step_name);
        self.candidates.sort_unstable();
    }

    /// Whether a range is inside a step of its thread.
    fn is_in_step(&self, thread: i64, start: i64, end: i64) -> bool {
        let after = self.candidates.partition_point(|(other, from, ..)| (*other, *from) <= (thread, start));
        let step = after.checked_sub(1).map(|index| self.candidates[index]);
        step.is_some_and(|(other, from, until, _)| other == thread && from <= start && end <= until)
    }

    /// The step mark of a range with this text; `None` if the range is not a step.
    fn step(&self, text: &str) -> Option<NamedStep> {
        match &self.annotation {
            Some(annotation) => parse_named_step(text, annotation),
            None => parse_step(text)
                .filter(|(index, _)| Some(*index) == self.step_name)
                .map(|(_, number)| NamedStep::Numbered(number)),
        }
    }
}

fn is_range(kind: i64) -> bool {
    PUSH_POP.contains(&kind) || START_END.contains(&kind)
}

/// Whether a range ends on the thread on which it began.
fn ends_on_its_thread(row: &ExportRow<'_>, kind: i64, thread: i64) -> bool {
    PUSH_POP.contains(&kind) || row.nonzero(NsysColumn::endGlobalTid).is_none_or(|end| end == thread)
}

/// Start and end of a range; `None` if it never ended. Exports of 2021 have 0 as the end of such a range.
fn range_bounds(row: &ExportRow<'_>) -> Option<(i64, i64)> {
    row.int(NsysColumn::start).zip(row.int(NsysColumn::end)).filter(|(start, end)| start <= end)
}

/// The name of an operator, and what `torch.autograd.profiler.emit_nvtx` appends to it.
#[derive(Debug, PartialEq, Eq)]
struct OperatorLabel<'a> {
    name: &'a str,
    sequence: Option<i64>,
    /// A JSON list.
    sizes: Option<&'a str>,
}

impl<'a> OperatorLabel<'a> {
    /// Parses a text such as `aten::addmm, seq = 123, sizes = [[8, 4], []], op_id = 9`.
    fn parse(text: &'a str) -> Option<Self> {
        let end = [", seq = ", ", sizes = ", ", op_id = "].iter().filter_map(|key| text.find(key)).min()?;
        let (name, suffix) = text.split_at(end);
        let after = |key: &str| suffix.split_once(key).map(|(_, rest)| rest);
        let sizes = after("sizes = ").map(|rest| rest.split(", op_id").next().unwrap_or(rest).trim());
        let is_list = |sizes: &&str| serde_json::from_str::<serde_json::Value>(sizes).is_ok_and(|list| list.is_array());
        Some(Self { name, sequence: after("seq = ").and_then(leading_number), sizes: sizes.filter(is_list) })
    }
}

/// A row of `NVTX_EVENTS`, with its names looked up.
struct NvtxEvent<'a> {
    kind: i64,
    thread: i64,
    text: &'a str,
    domain: Option<Arc<str>>,
    /// Name of its NVTX category.
    category_name: Option<Arc<str>>,
    is_range: bool,
    /// Whether it is a range that begins and ends on the same thread.
    is_on_one_thread: bool,
    /// Start and end of a range that ended.
    bounds: Option<(i64, i64)>,
    step: Option<NamedStep>,
    operator: Option<OperatorLabel<'a>>,
}

impl<'a> NvtxEvent<'a> {
    fn new(row: &ExportRow<'_>, text: &'a str, state: &NvtxState) -> Self {
        let kind = row.int(NsysColumn::eventType).unwrap_or(0);
        let thread = row.int(NsysColumn::globalTid).unwrap_or(0);
        let is_range = is_range(kind);
        let is_on_one_thread = is_range && ends_on_its_thread(row, kind, thread);
        let (process, domain) = (pid(thread), row.int(NsysColumn::domainId).unwrap_or(0));
        let category = row.nonzero(NsysColumn::category).filter(|_| kind != CATEGORY);
        Self {
            kind,
            thread,
            text,
            domain: state.domains.get(&(process, domain)).cloned(),
            category_name: category.and_then(|id| state.categories.get(&(process, domain, id)).cloned()),
            is_range,
            is_on_one_thread,
            bounds: range_bounds(row),
            step: state.step(text).filter(|_| is_on_one_thread),
            operator: OperatorLabel::parse(text).filter(|_| is_range),
        }
    }

    fn name(&self) -> &'a str {
        self.operator.as_ref().map_or(self.text, |operator| operator.name)
    }

    fn category(&self, state: &NvtxState) -> Category {
        let name = self.name();
        match self.kind {
            _ if self.step.is_some() => Category::Step,
            MARK => Category::Annotation,
            _ if !self.is_range => Category::Other,
            _ if self.domain.as_deref() == Some("NCCL") => Category::Communication,
            _ => match by_name(name, Category::Annotation) {
                // only ranges of one name are steps, see `NvtxState::resolve_steps`
                Category::Step => Category::Annotation,
                Category::Annotation if self.is_data_wait(state) => Category::Loader,
                Category::Annotation if self.operator.is_some() || self.domain.is_none() && name.contains("::") => {
                    Category::Operator
                }
                category => category,
            },
        }
    }

    /// Whether it is a range in which a step waits for data.
    fn is_data_wait(&self, state: &NvtxState) -> bool {
        let (Some(index), Some((start, end))) = (state.data_name, self.bounds) else { return false };
        self.is_on_one_thread
            && DATA_NAMES[index].eq_ignore_ascii_case(self.text)
            && state.is_in_step(self.thread, start, end)
    }

    /// Puts the arguments of the event into `export.args`.
    fn collect_args(&self, row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
        let payload = format_payload(row);
        let json = export.text_or_id(row.text(NsysColumn::jsonText), row.nonzero(NsysColumn::jsonTextId), rows);
        let json = json.map(|json| mask_json_payload(&json, rows));
        let end_thread = row.nonzero(NsysColumn::endGlobalTid).filter(|_| self.is_range && !self.is_on_one_thread);
        let args = export.args.clear();
        args.add_text("domain", self.domain.as_deref()).add_text("category", self.category_name.as_deref());
        args.add_text("style", START_END.contains(&self.kind).then_some("start_end"));
        args.add("end_tid", end_thread.map(tid));
        args.add_json("payload", payload.as_deref()).add_json("json", json.as_deref());
        if let Some(operator) = &self.operator {
            args.add("Sequence number", operator.sequence).add_json("Input Dims", operator.sizes);
        }
        args.add_text("type", type_label(self.kind));
        if self.is_range && self.bounds.is_none() {
            args.add_flag("open", true);
            rows.problem(Severity::Notice, "open_range", None, || {
                format!("range `{}` has no end; its duration is unknown", self.text)
            });
        }
    }
}

/// Writes a row of `NVTX_EVENTS` as event, and as step or loader if it is one.
pub(super) fn write_row(row: &ExportRow<'_>, export: &mut NsysExport, rows: &mut Rows) {
    // exports of 2021 have an empty text where later ones have null
    let own_text = row.text(NsysColumn::text).filter(|text| !text.is_empty());
    let text = export.text_or_id(own_text, row.int(NsysColumn::textId), rows).unwrap_or_else(|| "[unnamed]".into());
    let event = NvtxEvent::new(row, &text, &export.nvtx);
    let category = event.category(&export.nvtx);
    let track = export.track(event.thread, rows);
    let process = export.job.add_process(event.thread);
    let process_name = numbered_name(&mut export.processes, "", pid(event.thread));
    event.collect_args(row, export, rows);
    let (ts, dur) = export.times(row, rows);
    let dur = dur.filter(|_| event.is_range && event.bounds.is_some());
    let step = match event.step {
        Some(NamedStep::Numbered(number)) => Some(number),
        Some(NamedStep::Unnumbered) | None => None,
    };
    let event_row = Event {
        category: Some(category.as_str()),
        name: Some(event.name()),
        track: Some(&track),
        ts,
        dur,
        step,
        pid: Some(pid(event.thread)),
        process: Some(&process_name),
        tid: Some(tid(event.thread)),
        device: Some("cpu"),
        args: export.args.finish(),
        ..export.job.base_event(&export.table, process, export.row_number)
    };
    rows.event(&event_row);
    if let Some(ts) = ts.filter(|_| event.is_range && is_training(event.name())) {
        export.step_marks.add_training(event_row.span, ts);
    }
    if event.step.is_some() {
        export.step_marks.add(&step_row(&event_row, event.bounds.is_some()), rows);
    }
    if category == Category::Loader {
        let mark = loader_mark(&text).unwrap_or(LoaderMark { kind: "next", class: &text, num_workers: None });
        export.loader_calls.add(event.thread.cast_unsigned(), &mark, &event_row);
    }
    if let Some(ts) = ts.filter(|_| category == Category::Operator) {
        export.loader_calls.add_work(event.thread.cast_unsigned(), ts);
    }
}

/// The type of a row that is not a range.
fn type_label(kind: i64) -> Option<&'static str> {
    match kind {
        CATEGORY => Some("category"),
        THREAD => Some("thread"),
        DOMAIN => Some("domain"),
        DOMAIN_END => Some("domain end"),
        MARK => Some("mark"),
        _ => None,
    }
}

/// The numeric payload of a row as JSON. Unused columns may be 0 instead of null, so other numbers take precedence.
fn format_payload(row: &ExportRow<'_>) -> Option<String> {
    let columns = [NsysColumn::uint64Value, NsysColumn::int64Value, NsysColumn::uint32Value, NsysColumn::int32Value];
    let ints = || columns.iter().filter_map(|column| row.int(*column));
    let floats = || [NsysColumn::doubleValue, NsysColumn::floatValue].iter().filter_map(|column| row.float(*column));
    let to_json = |float| serde_json::to_string(&float).ok();
    (ints().find(|value| *value != 0).map(|value| value.to_string()))
        .or_else(|| floats().find(|value| *value != 0.0).and_then(to_json))
        .or_else(|| ints().next().map(|value| value.to_string()))
        .or_else(|| floats().next().and_then(to_json))
}

/// The JSON payload of a row with credentials masked; a JSON string if the text is not JSON.
fn mask_json_payload(text: &str, rows: &mut Rows) -> String {
    if serde_json::from_str::<&serde_json::value::RawValue>(text).is_err() {
        let mut quoted = String::new();
        json::add_string(&mut quoted, text);
        return quoted;
    }
    let compact = json::compact(text);
    match secret::hide_secrets("", &compact) {
        Some(hidden) => {
            report_masked(rows);
            hidden
        }
        None => compact.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_names_are_parsed() {
        for (text, expected) in [
            ("iteration 12", Some(("iteration", 12))),
            ("Iteration12", Some(("iteration", 12))),
            ("step #3", Some(("step", 3))),
            ("train step: 4", Some(("train step", 4))),
            ("ProfilerStep#5", Some(("profilerstep", 5))),
            ("step", None),
            ("stepper 3", None),
            ("my step 3", None),
            ("step      3", None),
            ("step 99999999999999999999", None),
            ("3", None),
        ] {
            assert_eq!(parse_step(text).map(|(index, number)| (STEP_NAMES[index], number)), expected, "{text}");
        }
    }

    #[test]
    fn the_longest_ranges_are_outermost() {
        let totals = |ranges, dur| RangeTotals { ranges, dur };
        assert_eq!(find_outermost(&[totals(0, 0), totals(4, 40), totals(2, 30), totals(0, 0)]), Some(2));
        assert_eq!(find_outermost(&[totals(0, 0)]), None);
    }

    #[test]
    fn operator_labels_are_parsed() {
        let text = "aten::addmm, seq = 123, sizes = [[8, 4], []], op_id = 9";
        let expected = OperatorLabel { name: "aten::addmm", sequence: Some(123), sizes: Some("[[8, 4], []]") };
        assert_eq!(OperatorLabel::parse(text), Some(expected));
        assert_eq!(
            OperatorLabel::parse("aten::t, op_id = 7"),
            Some(OperatorLabel { name: "aten::t", sequence: None, sizes: None })
        );
        assert_eq!(
            OperatorLabel::parse("a, sizes = [[8"),
            Some(OperatorLabel { name: "a", sequence: None, sizes: None })
        );
        assert_eq!(OperatorLabel::parse("forward, backward"), None);
    }
}
