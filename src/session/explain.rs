//! How a question was answered: what was read for it, what was left out, and what each step of its plan took.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, Int64Array, StringArray};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::metrics::{MetricValue, MetricsSet};
use datafusion::physical_plan::{ExecutionPlan, displayable};
use futures::TryStreamExt;
use object_store::path::Path;
use tracelake_engine::query_error;

use super::answer::Planned;
use crate::error::Result;
use crate::frame::Frame;
use crate::lake::Part;
use crate::unit::Unit;

/// One step of a plan, or the question as a whole.
#[derive(Debug, Default)]
struct Line {
    depth: usize,
    operator: String,
    detail: String,
    rows: Option<usize>,
    /// Wall time.
    dur: Option<Duration>,
    /// Processor time, ns.
    cpu: Option<usize>,
    read: Option<Read>,
}

/// What a scan read, and what it could leave out.
#[derive(Debug, Default, Clone, Copy)]
struct Read {
    parts: usize,
    parts_pruned: usize,
    /// None where a cluster read it.
    within: Option<Within>,
}

/// What was read of parts.
#[derive(Debug, Default, Clone, Copy)]
struct Within {
    bytes: usize,
    row_groups: usize,
    row_groups_pruned: usize,
}

impl Read {
    fn and(self, other: Self) -> Self {
        let within = self.within.zip(other.within).map(|(one, other)| Within {
            bytes: one.bytes + other.bytes,
            row_groups: one.row_groups + other.row_groups,
            row_groups_pruned: one.row_groups_pruned + other.row_groups_pruned,
        });
        Self { parts: self.parts + other.parts, parts_pruned: self.parts_pruned + other.parts_pruned, within }
    }
}

impl Planned {
    /// Answers the question once more, and says how.
    pub(super) fn explained(&self) -> Result<Frame> {
        let _span = tracing::info_span!("explain", question = self.question()).entered();
        let begun = Instant::now();
        let (plan, batches) = self.planned()?;
        let planning = begun.elapsed();
        let rows = self.session.inner.engine.run(async move {
            let counted = batches.try_fold(0, |rows, batch| std::future::ready(Ok(rows + batch.num_rows())));
            counted.await.map_err(|error| query_error(&error))
        })?;
        let whole = begun.elapsed();

        let mut steps = Vec::new();
        self.steps(&plan, 1, &mut steps);
        let read = steps.iter().filter_map(|step| step.read).reduce(Read::and);
        let cpu = steps.iter().filter_map(|step| step.cpu).sum();
        let question = Line { operator: "question".to_owned(), dur: Some(whole), cpu: Some(cpu), ..Line::default() };
        let planned = Line { depth: 1, operator: "planning".to_owned(), dur: Some(planning), ..Line::default() };
        let mut lines = vec![Line { rows: Some(rows), read, ..question }, planned];
        lines.append(&mut steps);
        frame(&lines)
    }

    /// The steps of a plan, each before those that it asks for rows.
    fn steps(&self, plan: &Arc<dyn ExecutionPlan>, depth: usize, lines: &mut Vec<Line>) {
        let metrics = plan.metrics();
        let shown = displayable(plan.as_ref()).one_line().to_string();
        let detail = shown.trim_end().strip_prefix(plan.name()).unwrap_or(&shown).trim_start_matches([':', ' ']);
        let scan = self.scan(plan, metrics.as_ref());
        let sum = |of: fn(&MetricsSet) -> Option<usize>| metrics.as_ref().and_then(of);
        lines.push(Line {
            depth,
            operator: plan.name().to_owned(),
            detail: scan.as_ref().map_or(detail.to_owned(), |(table, _)| format!("{table}: {}", without_files(detail))),
            rows: sum(MetricsSet::output_rows),
            // A scan counts the time in which it decodes by itself.
            cpu: sum(|all| Some(all.sum_by_name("time_elapsed_processing")?.as_usize()))
                .or(sum(MetricsSet::elapsed_compute)),
            dur: None,
            read: scan.map(|(_, read)| read),
        });
        plan.children().into_iter().for_each(|child| self.steps(child, depth + 1, lines));
    }

    /// The table that a step reads from the lake, and what it read of it.
    fn scan(&self, plan: &Arc<dyn ExecutionPlan>, metrics: Option<&MetricsSet>) -> Option<(String, Read)> {
        let source =
            plan.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
        // By their places: there may be thousands of files, and of parts.
        let mut files: BTreeMap<&Path, Vec<&PartitionedFile>> = BTreeMap::new();
        for file in source?.0.file_groups.iter().flat_map(FileGroup::iter) {
            files.entry(&file.object_meta.location).or_default().push(file);
        }
        let place = self.session.inner.lake.place();
        let mut below = files.first_key_value()?.0.prefix_match(place.root())?;
        let table = below.next()?.as_ref().to_owned();
        let all = || self.snapshot.values().flat_map(|run| &run.parts).filter(|part| part.table == table);
        let is_read = |part: &&Part| {
            let overlaps = |file: &&PartitionedFile| match (&file.range, part.slice) {
                (Some(range), Some(slice)) => {
                    let byte = |at: i64| u64::try_from(at).unwrap_or(0);
                    slice.from < byte(range.end) && byte(range.start) < slice.to
                }
                _ => true,
            };
            files.get(&place.at(&part.path)).is_some_and(|files| files.iter().any(overlaps))
        };
        let parts = all().filter(is_read).count();
        // One that ran has counted something.
        let within = metrics.filter(|metrics| metrics.iter().next().is_some()).map(within);
        let read = Read { parts, parts_pruned: all().count() - parts, within };
        Some((table, read))
    }
}

fn within(metrics: &MetricsSet) -> Within {
    let mut read = Within::default();
    for metric in metrics.iter() {
        match metric.value() {
            MetricValue::Count { name, count } if name == "bytes_scanned" => read.bytes += count.value(),
            MetricValue::Count { name, count } if name == "row_groups_pruned_dynamic_filter" => {
                read.row_groups_pruned += count.value();
            }
            MetricValue::PruningMetrics { name, pruning_metrics: groups } => match name.as_ref() {
                "row_groups_pruned_statistics" => {
                    read.row_groups += groups.pruned() + groups.matched();
                    read.row_groups_pruned += groups.pruned();
                }
                "limit_pruned_row_groups" => read.row_groups_pruned += groups.pruned(),
                _ => {}
            },
            _ => {}
        }
    }
    // What was met, less what was left out.
    read.row_groups = read.row_groups.saturating_sub(read.row_groups_pruned);
    read
}

/// What the engine says about a scan, without the list of its files, which may be thousands.
fn without_files(detail: &str) -> &str {
    detail.find("projection=").map_or(detail, |at| &detail[at..])
}

fn frame(lines: &[Line]) -> Result<Frame> {
    let ints = |of: &dyn Fn(&Line) -> Option<usize>| -> ArrayRef {
        let values = lines.iter().map(|line| of(line).and_then(|value| i64::try_from(value).ok()));
        Arc::new(values.collect::<Int64Array>())
    };
    let texts = |of: fn(&Line) -> &str| -> ArrayRef {
        Arc::new(lines.iter().map(|line| Some(of(line)).filter(|text| !text.is_empty())).collect::<StringArray>())
    };
    let read = |of: fn(&Read) -> usize| ints(&|line| line.read.as_ref().map(of));
    let within = |of: fn(&Within) -> usize| ints(&|line| line.read.as_ref()?.within.as_ref().map(of));
    let dur = |line: &Line| usize::try_from(line.dur?.as_nanos()).ok();
    Frame::of_columns(vec![
        ("step", Unit::Id, Arc::new((1..).take(lines.len()).map(Some).collect::<Int64Array>())),
        ("depth", Unit::Count, ints(&|line| Some(line.depth))),
        ("operator", Unit::Name, texts(|line| &line.operator)),
        ("detail", Unit::Text, texts(|line| &line.detail)),
        ("rows", Unit::Count, ints(&|line| line.rows)),
        ("dur", Unit::Ns, ints(&dur)),
        ("cpu", Unit::Ns, ints(&|line| line.cpu)),
        ("bytes", Unit::Bytes, within(|read| read.bytes)),
        ("parts", Unit::Count, read(|read| read.parts)),
        ("parts_pruned", Unit::Count, read(|read| read.parts_pruned)),
        ("row_groups", Unit::Count, within(|read| read.row_groups)),
        ("row_groups_pruned", Unit::Count, within(|read| read.row_groups_pruned)),
    ])
}
