//! Makes the rows of the tables `run`, `object` and `time_share` from the manifests of a snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringViewArray};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::error::Result;

use crate::lake::{Entry, KeyMetrics, Manifest, Snapshot, TimeShare};
use crate::table::{OBJECT, RUN, TIME_SHARE, Table};

fn texts<'a, T, S: AsRef<str>>(items: &'a [T], text: impl Fn(&'a T) -> Option<S>) -> ArrayRef {
    Arc::new(items.iter().map(text).collect::<StringViewArray>())
}

fn integers<T>(items: &[T], integer: impl Fn(&T) -> Option<i64>) -> ArrayRef {
    Arc::new(items.iter().map(integer).collect::<Int64Array>())
}

fn doubles<T>(items: &[T], double: impl Fn(&T) -> Option<f64>) -> ArrayRef {
    Arc::new(items.iter().map(double).collect::<Float64Array>())
}

fn booleans<T>(items: &[T], boolean: impl Fn(&T) -> Option<bool>) -> ArrayRef {
    Arc::new(items.iter().map(boolean).collect::<BooleanArray>())
}

/// The files of a run with times that count from the Unix epoch, or the files with other times.
fn on_clock(run: &Manifest, has_epoch: bool) -> impl Iterator<Item = &Entry> {
    run.objects.iter().map(Arc::as_ref).filter(move |entry| entry.has_epoch() == Some(has_epoch))
}

/// The files of a run with times that count from the Unix epoch. If there are none, the files with other times.
fn main_clock(run: &Manifest) -> impl Iterator<Item = &Entry> {
    on_clock(run, on_clock(run, true).next().is_some())
}

fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The distinct values of one field of all objects, separated by commas.
fn join_distinct<'a>(run: &'a Manifest, field: impl Fn(&'a Entry) -> Option<&'a str>) -> Option<String> {
    let values: BTreeSet<&str> = run.objects.iter().map(Arc::as_ref).filter_map(field).collect();
    (!values.is_empty()).then(|| values.into_iter().collect::<Vec<_>>().join(", "))
}

/// The names of the attributes of a run: first those of its profile, then its tags.
pub fn attribute_names(run: &Manifest) -> impl Iterator<Item = &str> {
    let profile = run.figures.iter().flat_map(|figures| figures.attributes.keys());
    profile.chain(run.tags.keys()).map(String::as_str)
}

/// The attributes of the profile and the tags of the run, as JSON. A tag overrides an attribute of
/// the same name.
fn attributes(run: &Manifest) -> Option<String> {
    let mut all: BTreeMap<&String, &String> = run.figures.iter().flat_map(|figures| &figures.attributes).collect();
    all.extend(&run.tags);
    serde_json::to_string(&all).ok()
}

/// Returns the function that makes the rows of a table that is not in data files.
pub fn row_builder(table: &Table) -> fn(&Snapshot) -> Result<RecordBatch> {
    match table.name {
        name if name == RUN.name => runs,
        name if name == OBJECT.name => objects,
        _ => time_shares,
    }
}

/// One row per run.
fn runs(snapshot: &Snapshot) -> Result<RecordBatch> {
    let runs: Vec<&Manifest> = snapshot.values().map(Arc::as_ref).collect();
    let runs = runs.as_slice();
    let figure = |run: &&Manifest, field: fn(&KeyMetrics) -> Option<f64>| run.figures.as_ref().and_then(field);
    RecordBatch::try_new(
        read_schema(&RUN),
        vec![
            texts(runs, |run| Some(&run.run)),
            texts(runs, |run| serde_json::to_string(&run.sources).ok()),
            texts(runs, |run| join_distinct(run, |entry| entry.framework.as_deref())),
            texts(runs, |run| join_distinct(run, |entry| entry.format.as_deref())),
            integers(runs, |run| {
                Some(count(run.objects.iter().flat_map(|o| o.nodes.as_ref()).collect::<BTreeSet<_>>().len()))
            }),
            integers(runs, |run| {
                let ranks = run.objects.iter().flat_map(|o| o.ranks.as_ref()).collect::<BTreeSet<_>>().len();
                (ranks > 0).then(|| count(ranks))
            }),
            integers(runs, |run| on_clock(run, true).filter_map(|entry| entry.started).min()),
            integers(runs, |run| on_clock(run, true).filter_map(|entry| entry.ended).max()),
            integers(runs, |run| Some(count(run.objects.iter().filter(|o| o.format.is_some()).count()))),
            integers(runs, |run| {
                let bytes = run.objects.iter().filter(|o| o.format.is_some()).map(|o| o.size).sum::<u64>();
                i64::try_from(bytes).ok()
            }),
            integers(runs, |run| Some(run.committed)),
            integers(runs, |run| run.figures.as_ref().and_then(|figures| figures.steps)),
            doubles(runs, |run| figure(run, |figures| figures.step_p50)),
            doubles(runs, |run| figure(run, |figures| figures.step_p95)),
            doubles(runs, |run| figure(run, |figures| figures.loader_ratio)),
            doubles(runs, |run| figure(run, |figures| figures.gpu_utilization)),
            texts(runs, |run| run.figures.as_ref().and_then(|figures| figures.verdict())),
            texts(runs, |run| run.figures.as_ref().map(|figures| &figures.catalog)),
            texts(runs, |run| run.figures.as_ref().and_then(|figures| figures.gpu_source.as_deref())),
            integers(runs, |run| run.figures.as_ref().and_then(|figures| figures.gpus)),
            doubles(runs, |run| figure(run, |figures| figures.recorded_s)),
            doubles(runs, |run| figure(run, |figures| figures.gpu_s)),
            doubles(runs, |run| figure(run, |figures| figures.idle_s)),
            doubles(runs, |run| figure(run, |figures| figures.idle_loader_s)),
            doubles(runs, |run| figure(run, |figures| figures.idle_communication_s)),
            doubles(runs, |run| figure(run, |figures| figures.idle_other_s)),
            texts(runs, |run| attributes(run)),
            integers(runs, |run| main_clock(run).filter_map(|entry| entry.started).min()),
            integers(runs, |run| main_clock(run).filter_map(|entry| entry.ended).max()),
            booleans(runs, |run| run.objects.iter().filter_map(|entry| entry.has_epoch()).min()),
        ],
    )
}

/// One row per rank of every run.
fn time_shares(snapshot: &Snapshot) -> Result<RecordBatch> {
    let metrics = snapshot.values().filter_map(|run| Some((run.run.as_str(), run.figures.as_ref()?)));
    let shares: Vec<(&str, &TimeShare)> =
        metrics.flat_map(|(run, metrics)| metrics.time_shares.iter().map(move |share| (run, share))).collect();
    let shares = shares.as_slice();
    RecordBatch::try_new(
        read_schema(&TIME_SHARE),
        vec![
            texts(shares, |(run, _)| Some(*run)),
            texts(shares, |(_, share)| share.node.as_deref()),
            integers(shares, |(_, share)| share.rank),
            texts(shares, |(_, share)| share.measure.as_deref()),
            texts(shares, |(_, share)| share.device.as_deref()),
            integers(shares, |(_, share)| share.steps),
            integers(shares, |(_, share)| share.dur),
            doubles(shares, |(_, share)| share.input_ratio),
            doubles(shares, |(_, share)| share.compute_ratio),
            doubles(shares, |(_, share)| share.communication_ratio),
            doubles(shares, |(_, share)| share.host_ratio),
            doubles(shares, |(_, share)| share.gpu_utilization),
        ],
    )
}

/// One row per object of every run.
fn objects(snapshot: &Snapshot) -> Result<RecordBatch> {
    let objects: Vec<(&str, &Entry)> =
        snapshot.values().flat_map(|run| run.objects.iter().map(|entry| (run.run.as_str(), entry.as_ref()))).collect();
    let objects = objects.as_slice();
    RecordBatch::try_new(
        read_schema(&OBJECT),
        vec![
            texts(objects, |(run, _)| Some(*run)),
            integers(objects, |(_, entry)| Some(entry.id)),
            texts(objects, |(_, entry)| Some(&entry.source)),
            texts(objects, |(_, entry)| Some(&entry.url)),
            texts(objects, |(_, entry)| Some(&entry.etag)),
            integers(objects, |(_, entry)| i64::try_from(entry.size).ok()),
            integers(objects, |(_, entry)| Some(entry.modified)),
            texts(objects, |(_, entry)| entry.format.as_deref()),
            integers(objects, |(_, entry)| entry.format_version),
            integers(objects, |(_, entry)| entry.recording),
            texts(objects, |(_, entry)| serde_json::to_string(&entry.rows).ok()),
            integers(objects, |(_, entry)| Some(entry.skipped)),
            integers(objects, |(_, entry)| Some(entry.repaired)),
            texts(objects, |(_, entry)| entry.error.as_deref()),
            integers(objects, |(_, entry)| entry.started),
            integers(objects, |(_, entry)| entry.ended),
            booleans(objects, |(_, entry)| entry.has_epoch()),
            integers(objects, |(_, entry)| entry.clock_start),
        ],
    )
}

/// The schema of a table as queries read it. Text columns are string views, so that rows of a
/// Parquet page share the texts of its dictionary without a copy.
pub(crate) fn read_schema(table: &Table) -> SchemaRef {
    let schema = table.schema();
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        _ => Arc::clone(field),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
