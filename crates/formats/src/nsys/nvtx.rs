//! NVTX: ranges and marks that a program and its libraries set, and the steps and waits for data among them.

use std::sync::Arc;

use super::cells::Cells;
use super::column::Column;
use super::cuda::times;
use super::job::{pid, tid};
use super::text::{clean, masked};
use super::{Export, Map};
use crate::kineto::{Loader as LoaderMark, Named, by_name, loader_mark, named_step};
use crate::secret;
use crate::table::{Category, Event, Loader, Rows, Severity, Step};

/// Types of rows (`ENUM_NSYS_EVENT_TYPE`); the ranges of nvtxt files have numbers of their own.
const CATEGORY: i64 = 33;
const MARK: i64 = 34;
const THREAD: i64 = 39;
const PUSH_POP: [i64; 2] = [59, 70];
const START_END: [i64; 2] = [60, 71];
const DOMAIN: i64 = 75;
const DOMAIN_END: i64 = 76;

/// What people call the ranges of their steps, with a number behind it.
const STEPS: [&str; 10] = [
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

/// What people call the range in which a step waits for its data.
const DATA: [&str; 9] =
    ["data", "dataload", "dataloading", "data_loading", "dataloader", "load_batch", "get_batch", "next_batch", "fetch"];

/// Ranges that may be steps which are kept, 32 bytes each; domains and categories that have names.
const MAX_STEPS: usize = 1 << 20;
const MAX_NAMES: usize = 1 << 16;

/// Ranges of one kind of name: how many ended, and how long they were together.
#[derive(Debug, Default, Clone, Copy)]
struct Kind {
    ranges: u64,
    dur: i128,
}

impl Kind {
    fn add(&mut self, dur: i64) {
        self.ranges += 1;
        self.dur += i128::from(dur);
    }
}

/// The kind whose ranges are the longest: what lies outside lasts longer than what lies in it.
fn outermost(kinds: &[Kind]) -> Option<usize> {
    let seen = kinds.iter().enumerate().filter(|(_, kind)| kind.ranges > 0);
    seen.max_by_key(|(_, kind)| kind.dur / i128::from(kind.ranges)).map(|(nth, _)| nth)
}

/// What is known of all ranges before the first is written.
#[derive(Debug, Default)]
pub(super) struct Nvtx {
    /// The name that the user gave to steps.
    annotation: Option<Arc<str>>,
    /// Names by process, domain and, for categories, number.
    domains: Map<(i64, i64), Arc<str>>,
    categories: Map<(i64, i64, i64), Arc<str>>,
    steps: [Kind; STEPS.len()],
    data: [Kind; DATA.len()],
    /// Thread, start, end and kind of ranges that may be steps.
    candidates: Vec<(i64, i64, i64, usize)>,
    full: bool,
    step_kind: Option<usize>,
    data_kind: Option<usize>,
}

/// A name with a number behind it: which of the usual names of steps, and the number.
fn numbered(text: &str) -> Option<(usize, i64)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = text.split_at(text.len() - digits);
    let number = number.parse().ok()?;
    let name = before.trim_end_matches([' ', '#', '_', ':', '=', '-']);
    // at most one sign between blanks
    let nth = STEPS.iter().position(|step| step.eq_ignore_ascii_case(name))?;
    (before.len() - name.len() <= 3).then_some((nth, number))
}

impl Nvtx {
    pub(super) fn new(annotation: Option<Arc<str>>) -> Self {
        Self { annotation, ..Self::default() }
    }

    /// Takes a row before any is written: names, and what may be a step. `text` is that of the row, where it stands in it.
    pub(super) fn learn(&mut self, cells: &Cells<'_>, text: &str, rows: &mut Rows) {
        let kind = cells.int(Column::EventType).unwrap_or(0);
        let thread = cells.int(Column::GlobalTid).unwrap_or(0);
        let domain = cells.int(Column::DomainId).unwrap_or(0);
        match kind {
            DOMAIN if self.domains.len() < MAX_NAMES => {
                self.domains.insert((pid(thread), domain), clean(text, rows));
            }
            CATEGORY if self.categories.len() < MAX_NAMES => {
                let number = cells.int(Column::CategoryId).unwrap_or(0);
                self.categories.insert((pid(thread), domain, number), clean(text, rows));
            }
            _ if PUSH_POP.contains(&kind) || START_END.contains(&kind) => self.range(cells, kind, thread, text),
            _ => {}
        }
    }

    fn range(&mut self, cells: &Cells<'_>, kind: i64, thread: i64, text: &str) {
        let Some((start, end)) = closed(cells) else { return };
        if !on_one_thread(cells, kind, thread) {
            return;
        }
        let nth = match &self.annotation {
            Some(annotation) => named_step(text, annotation).map(|_| 0),
            None => numbered(text).map(|(nth, _)| nth),
        };
        if let Some(nth) = nth {
            self.steps[nth].add(end.saturating_sub(start));
            self.full |= self.candidates.len() >= MAX_STEPS;
            if !self.full {
                self.candidates.push((thread, start, end, nth));
            }
        } else if let Some(nth) = DATA.iter().position(|name| name.eq_ignore_ascii_case(text)) {
            self.data[nth].add(end.saturating_sub(start));
        }
    }

    /// Says what there was no room for.
    pub(super) fn end(&self, rows: &mut Rows) {
        if self.full {
            rows.problem(Severity::Warning, "many_steps", None, || {
                format!(
                    "more than {MAX_STEPS} ranges have names of steps: waits for data in the later ones are annotations"
                )
            });
        }
    }

    /// Settles which ranges are steps.
    pub(super) fn settle(&mut self) {
        self.step_kind = outermost(&self.steps);
        self.data_kind = outermost(&self.data);
        let kind = self.step_kind;
        self.candidates.retain(|(.., nth)| Some(*nth) == kind);
        self.candidates.sort_unstable();
    }

    /// Whether a range lies in a step of its thread.
    fn is_in_step(&self, thread: i64, start: i64, end: i64) -> bool {
        let behind = self.candidates.partition_point(|(other, from, ..)| (*other, *from) <= (thread, start));
        let before = behind.checked_sub(1).map(|nth| self.candidates[nth]);
        before.is_some_and(|(other, from, till, _)| other == thread && from <= start && end <= till)
    }

    /// Whether a range is a step, and its number if it has one.
    fn step(&self, text: &str) -> Option<Named> {
        match &self.annotation {
            Some(annotation) => named_step(text, annotation),
            None => {
                numbered(text).filter(|(nth, _)| Some(*nth) == self.step_kind).map(|(_, step)| Named::Numbered(step))
            }
        }
    }
}

/// Whether a range ends where it began.
fn on_one_thread(cells: &Cells<'_>, kind: i64, thread: i64) -> bool {
    PUSH_POP.contains(&kind) || cells.id(Column::EndGlobalTid).is_none_or(|end| end == thread)
}

/// What `torch.autograd.profiler.emit_nvtx` puts behind the name of an operator.
#[derive(Debug, PartialEq, Eq)]
struct Tail<'a> {
    name: &'a str,
    sequence: Option<i64>,
    sizes: Option<&'a str>,
}

/// Takes the tail off a name: `aten::addmm, seq = 123, sizes = [[8, 4], []], op_id = 9`.
fn tail(text: &str) -> Option<Tail<'_>> {
    let at = [", seq = ", ", sizes = ", ", op_id = "].iter().filter_map(|word| text.find(word)).min()?;
    let (name, tail) = text.split_at(at);
    let after = |word: &str| tail.split_once(word).map(|(_, rest)| rest);
    let number = |rest: &str| rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok();
    let sizes = after("sizes = ").map(|rest| rest.split(", op_id").next().unwrap_or(rest).trim());
    let is_list = |sizes: &&str| serde_json::from_str::<serde_json::Value>(sizes).is_ok_and(|list| list.is_array());
    Some(Tail { name, sequence: after("seq = ").and_then(number), sizes: sizes.filter(is_list) })
}

/// A row of `NVTX_EVENTS`.
pub(super) fn row(cells: &Cells<'_>, export: &mut Export, rows: &mut Rows) {
    let kind = cells.int(Column::EventType).unwrap_or(0);
    let thread = cells.int(Column::GlobalTid).unwrap_or(0);
    // empty in exports of 2021, where later ones have null
    let own = cells.text(Column::Text).filter(|text| !text.is_empty());
    let text = export.text(own, cells.int(Column::TextId), rows).unwrap_or_else(|| "[unnamed]".into());
    let is_range = PUSH_POP.contains(&kind) || START_END.contains(&kind);
    let whole = is_range && on_one_thread(cells, kind, thread);
    let domain_key = (pid(thread), cells.int(Column::DomainId).unwrap_or(0));
    let domain = export.nvtx.domains.get(&domain_key).cloned();
    let category_id = cells.id(Column::CategoryId).filter(|_| kind != CATEGORY);
    let named = category_id.and_then(|id| export.nvtx.categories.get(&(domain_key.0, domain_key.1, id)).cloned());
    let step = export.nvtx.step(&text).filter(|_| whole);
    let tail = tail(&text).filter(|_| is_range);
    let name = tail.as_ref().map_or(&*text, |tail| tail.name);

    let category = match kind {
        _ if step.is_some() => Category::Step,
        MARK => Category::Annotation,
        _ if !is_range => Category::Other,
        _ if domain.as_deref() == Some("NCCL") => Category::Communication,
        _ => match by_name(name, Category::Annotation) {
            // steps are those of one kind of name
            Category::Step => Category::Annotation,
            Category::Annotation if is_data(export, cells, &text, whole, thread) => Category::Loader,
            Category::Annotation if tail.is_some() || domain.is_none() && name.contains("::") => Category::Operator,
            category => category,
        },
    };

    let track = export.track(thread, rows);
    let process = export.job.process(thread);
    let payload = payload(cells);
    let json = export.text(cells.text(Column::JsonText), cells.id(Column::JsonTextId), rows);
    let json = json.map(|json| json_payload(&json, rows));
    let args = export.args.clear();
    args.text("domain", domain.as_deref()).text("category", named.as_deref());
    args.text("style", START_END.contains(&kind).then_some("start_end"));
    args.add("end_tid", cells.id(Column::EndGlobalTid).filter(|_| is_range && !whole).map(tid));
    args.json("payload", payload.as_deref()).json("json", json.as_deref());
    if let Some(tail) = &tail {
        args.add("Sequence number", tail.sequence).json("Input Dims", tail.sizes);
    }
    args.text("type", type_name(kind));
    let ended = closed(cells).is_some();
    if is_range && !ended {
        args.flag("open", true);
        rows.problem(Severity::Notice, "open_range", None, || {
            format!("range `{text}` has no end; its duration is unknown")
        });
    }
    let (ts, dur) = times(cells, &mut export.args, &export.job, rows);
    let dur = dur.filter(|_| is_range && ended);
    let number = match step {
        Some(Named::Numbered(number)) => Some(number),
        Some(Named::Unnumbered) | None => None,
    };
    let event = export.job.event(&export.table, process, export.row);
    rows.event(&Event {
        category: Some(category.as_str()),
        name: Some(name),
        track: Some(&track),
        ts,
        dur,
        step: number,
        pid: Some(pid(thread)),
        tid: Some(tid(thread)),
        device: Some("cpu"),
        args: export.args.all(),
        ..event
    });
    if step.is_some() {
        let mark = Step {
            node: event.node,
            rank: event.rank,
            span: event.span,
            step: number,
            mode: None,
            ts,
            dur,
            complete: Some(ended),
            row: event.row,
        };
        match number {
            Some(_) => rows.step(&mark),
            None => export.unnumbered.push(&mark, rows),
        }
    }
    if category == Category::Loader {
        let mark = loader_mark(&text);
        let LoaderMark { kind, class, num_workers } =
            mark.unwrap_or(LoaderMark { kind: "next", class: &text, num_workers: None });
        rows.loader(&Loader {
            node: event.node,
            rank: event.rank,
            kind: Some(kind),
            ts,
            dur,
            num_workers,
            pid: Some(pid(thread)),
            loader: Some(class),
            row: event.row,
            ..Loader::default()
        });
    }
}

/// From when to when a range was open; none of one that was never closed, as whose end exports of 2021 have 0.
fn closed(cells: &Cells<'_>) -> Option<(i64, i64)> {
    cells.int(Column::Start).zip(cells.int(Column::End)).filter(|(start, end)| start <= end)
}

/// Whether a range is that in which a step waits for its data.
fn is_data(export: &Export, cells: &Cells<'_>, text: &str, whole: bool, thread: i64) -> bool {
    let Some(name) = export.nvtx.data_kind.map(|nth| DATA[nth]) else { return false };
    let Some((start, end)) = closed(cells) else { return false };
    whole && name.eq_ignore_ascii_case(text) && export.nvtx.is_in_step(thread, start, end)
}

/// What a row is that is neither a range nor a mark.
fn type_name(kind: i64) -> Option<&'static str> {
    match kind {
        CATEGORY => Some("category"),
        THREAD => Some("thread"),
        DOMAIN => Some("domain"),
        DOMAIN_END => Some("domain end"),
        MARK => Some("mark"),
        _ => None,
    }
}

/// The number that a program gave a range, as JSON.
fn payload(cells: &Cells<'_>) -> Option<String> {
    let whole = [Column::Uint64Value, Column::Int64Value, Column::Uint32Value, Column::Int32Value];
    let whole = || whole.iter().filter_map(|column| cells.int(*column));
    let number = || [Column::DoubleValue, Column::FloatValue].iter().filter_map(|column| cells.number(*column));
    // a 0 may stand where others have null
    let text = |number| serde_json::to_string(&number).ok();
    (whole().find(|value| *value != 0).map(|value| value.to_string()))
        .or_else(|| number().find(|value| *value != 0.0).and_then(text))
        .or_else(|| whole().next().map(|value| value.to_string()))
        .or_else(|| number().next().and_then(text))
}

/// What a program attached as JSON, without secrets; as a text where it is none.
fn json_payload(text: &str, rows: &mut Rows) -> String {
    let is_json = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
    if !is_json {
        let mut quoted = String::new();
        crate::json::add_string(&mut quoted, text);
        return quoted;
    }
    let compact = crate::json::compact(text);
    match secret::hidden("", &compact) {
        Some(hidden) => {
            masked(rows);
            hidden
        }
        None => compact.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_steps() {
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
            assert_eq!(numbered(text).map(|(nth, number)| (STEPS[nth], number)), expected, "{text}");
        }
    }

    #[test]
    fn the_longest_ranges_are_outermost() {
        let kind = |ranges, dur| Kind { ranges, dur };
        assert_eq!(outermost(&[kind(0, 0), kind(4, 40), kind(2, 30), kind(0, 0)]), Some(2));
        assert_eq!(outermost(&[kind(0, 0)]), None);
    }

    #[test]
    fn operators_of_pytorch() {
        let text = "aten::addmm, seq = 123, sizes = [[8, 4], []], op_id = 9";
        let expected = Tail { name: "aten::addmm", sequence: Some(123), sizes: Some("[[8, 4], []]") };
        assert_eq!(tail(text), Some(expected));
        assert_eq!(tail("aten::t, op_id = 7"), Some(Tail { name: "aten::t", sequence: None, sizes: None }));
        assert_eq!(tail("a, sizes = [[8"), Some(Tail { name: "a", sequence: None, sizes: None }));
        assert_eq!(tail("forward, backward"), None);
    }
}
