//! Reports how a query ran: what it read, what it skipped, and the time of each step of its plan.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::metrics::{MetricValue, MetricsSet};
use datafusion::physical_plan::{ExecutionPlan, displayable};
use futures::TryStreamExt;
use object_store::path::Path;
use tracelake_engine::query_error;

use super::execution::PlannedQuery;
use crate::error::Result;
use crate::frame::Frame;
use crate::lake::DataFile;
use crate::session::columns::{count_column, text_column};
use crate::unit::Unit;

/// A step of a plan, or the whole query.
#[derive(Debug, Default)]
struct PlanStep {
    depth: usize,
    operator: String,
    detail: String,
    rows: Option<usize>,
    /// Wall time.
    dur: Option<Duration>,
    /// Processor time, ns.
    cpu: Option<usize>,
    scan: Option<ScanStats>,
}

/// What a scan read and what it skipped.
#[derive(Debug, Default, Clone, Copy)]
struct ScanStats {
    parts: usize,
    parts_pruned: usize,
    /// None if a cluster read the files.
    parquet: Option<ParquetStats>,
}

/// What a scan read of Parquet files.
#[derive(Debug, Default, Clone, Copy)]
struct ParquetStats {
    bytes: usize,
    row_groups: usize,
    row_groups_pruned: usize,
}

impl ScanStats {
    fn add(self, other: Self) -> Self {
        let parquet = self.parquet.zip(other.parquet).map(|(one, other)| ParquetStats {
            bytes: one.bytes + other.bytes,
            row_groups: one.row_groups + other.row_groups,
            row_groups_pruned: one.row_groups_pruned + other.row_groups_pruned,
        });
        Self { parts: self.parts + other.parts, parts_pruned: self.parts_pruned + other.parts_pruned, parquet }
    }
}

impl PlannedQuery {
    /// Runs the query again, and reports how it ran.
    pub(super) fn explain_query(&self) -> Result<Frame> {
        let _span = tracing::info_span!("explain", question = self.question()).entered();
        let start = Instant::now();
        let (plan, batches) = self.start_uncached()?;
        let planning = start.elapsed();
        let rows = self.session.inner.engine.run(async move {
            let counted = batches.try_fold(0, |rows, batch| std::future::ready(Ok(rows + batch.num_rows())));
            counted.await.map_err(|error| query_error(&error))
        })?;
        let total = start.elapsed();

        let mut steps = Vec::new();
        self.add_steps(&plan, 1, &mut steps);
        let whole = PlanStep {
            operator: "question".to_owned(),
            rows: Some(rows),
            dur: Some(total),
            cpu: Some(steps.iter().filter_map(|step| step.cpu).sum()),
            scan: steps.iter().filter_map(|step| step.scan).reduce(ScanStats::add),
            ..PlanStep::default()
        };
        let planning =
            PlanStep { depth: 1, operator: "planning".to_owned(), dur: Some(planning), ..PlanStep::default() };
        steps.splice(0..0, [whole, planning]);
        frame(&steps)
    }

    /// Appends the steps of a plan, each before its inputs.
    fn add_steps(&self, plan: &Arc<dyn ExecutionPlan>, depth: usize, steps: &mut Vec<PlanStep>) {
        let metrics = plan.metrics();
        let shown = displayable(plan.as_ref()).one_line().to_string();
        let detail = shown.trim_end().strip_prefix(plan.name()).unwrap_or(&shown).trim_start_matches([':', ' ']);
        let scan = self.scan(plan, metrics.as_ref());
        let metric = |value: fn(&MetricsSet) -> Option<usize>| metrics.as_ref().and_then(value);
        steps.push(PlanStep {
            depth,
            operator: plan.name().to_owned(),
            detail: scan.as_ref().map_or(detail.to_owned(), |(table, _)| format!("{table}: {}", without_files(detail))),
            rows: metric(MetricsSet::output_rows),
            // A scan has a separate metric for the time of decoding.
            cpu: metric(|all| Some(all.sum_by_name("time_elapsed_processing")?.as_usize()))
                .or(metric(MetricsSet::elapsed_compute)),
            dur: None,
            scan: scan.map(|(_, stats)| stats),
        });
        plan.children().into_iter().for_each(|child| self.add_steps(child, depth + 1, steps));
    }

    /// Returns the table of the lake that a step reads, and what it read.
    fn scan(&self, plan: &Arc<dyn ExecutionPlan>, metrics: Option<&MetricsSet>) -> Option<(String, ScanStats)> {
        let source =
            plan.downcast_ref::<DataSourceExec>().and_then(DataSourceExec::downcast_to_file_source::<ParquetSource>);
        // A map, because there may be thousands of files.
        let mut files: BTreeMap<&Path, Vec<&PartitionedFile>> = BTreeMap::new();
        for file in source?.0.file_groups.iter().flat_map(FileGroup::iter) {
            files.entry(&file.object_meta.location).or_default().push(file);
        }
        let location = self.session.inner.lake.location();
        let mut below = files.first_key_value()?.0.prefix_match(location.root())?;
        let table = below.next()?.as_ref().to_owned();
        let all = || self.snapshot.values().flat_map(|run| &run.parts).filter(|part| part.table == table);
        let is_read = |part: &&DataFile| {
            let overlaps = |file: &&PartitionedFile| match (&file.range, part.slice) {
                (Some(range), Some(slice)) => {
                    let byte = |offset: i64| u64::try_from(offset).unwrap_or(0);
                    slice.start < byte(range.end) && byte(range.start) < slice.end
                }
                _ => true,
            };
            files.get(&location.resolve(&part.path)).is_some_and(|files| files.iter().any(overlaps))
        };
        let parts = all().filter(is_read).count();
        // A scan that ran in this process has metrics.
        let parquet = metrics.filter(|metrics| metrics.iter().next().is_some()).map(parquet_stats);
        let stats = ScanStats { parts, parts_pruned: all().count() - parts, parquet };
        Some((table, stats))
    }
}

fn parquet_stats(metrics: &MetricsSet) -> ParquetStats {
    let mut stats = ParquetStats::default();
    for metric in metrics.iter() {
        match metric.value() {
            MetricValue::Count { name, count } if name == "bytes_scanned" => stats.bytes += count.value(),
            MetricValue::Count { name, count } if name == "row_groups_pruned_dynamic_filter" => {
                stats.row_groups_pruned += count.value();
            }
            MetricValue::PruningMetrics { name, pruning_metrics: groups } => match name.as_ref() {
                "row_groups_pruned_statistics" => {
                    stats.row_groups += groups.pruned() + groups.matched();
                    stats.row_groups_pruned += groups.pruned();
                }
                "limit_pruned_row_groups" => stats.row_groups_pruned += groups.pruned(),
                _ => {}
            },
            _ => {}
        }
    }
    // The metrics count pruned row groups, too.
    stats.row_groups = stats.row_groups.saturating_sub(stats.row_groups_pruned);
    stats
}

/// Removes the list of files, which may have thousands of entries, from the description of a scan.
fn without_files(detail: &str) -> &str {
    detail.find("projection=").map_or(detail, |start| &detail[start..])
}

/// Returns the steps as rows.
fn frame(steps: &[PlanStep]) -> Result<Frame> {
    let numbers: Vec<usize> = (1..=steps.len()).collect();
    let counts = |value: fn(&PlanStep) -> Option<usize>| count_column(steps, value);
    let scan = |value: fn(&ScanStats) -> usize| count_column(steps, |step| step.scan.as_ref().map(value));
    let parquet =
        |value: fn(&ParquetStats) -> usize| count_column(steps, |step| step.scan.as_ref()?.parquet.as_ref().map(value));
    let texts =
        |value: fn(&PlanStep) -> &str| text_column(steps, |step| Some(value(step)).filter(|text| !text.is_empty()));
    Frame::from_columns(vec![
        ("step", Unit::Id, count_column(&numbers, |number| Some(*number))),
        ("depth", Unit::Count, counts(|step| Some(step.depth))),
        ("operator", Unit::Name, texts(|step| &step.operator)),
        ("detail", Unit::Text, texts(|step| &step.detail)),
        ("rows", Unit::Count, counts(|step| step.rows)),
        ("dur", Unit::Ns, count_column(steps, |step| Some(step.dur?.as_nanos()))),
        ("cpu", Unit::Ns, counts(|step| step.cpu)),
        ("bytes", Unit::Bytes, parquet(|stats| stats.bytes)),
        ("parts", Unit::Count, scan(|stats| stats.parts)),
        ("parts_pruned", Unit::Count, scan(|stats| stats.parts_pruned)),
        ("row_groups", Unit::Count, parquet(|stats| stats.row_groups)),
        ("row_groups_pruned", Unit::Count, parquet(|stats| stats.row_groups_pruned)),
    ])
}
