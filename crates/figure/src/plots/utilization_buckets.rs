//! Shares of samples by utilization range.

use plotly::common::{Marker, Orientation};
use plotly::{Bar, Plot};

use crate::kit::load::metric_name;
use crate::kit::read::{count_distinct, group_by, natural_key, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_buckets",
    doc: "The share of samples in each utilization range, from idle to busy; a bar per machine and metric.",
    queries: &[FigureQuery::new("utilization.buckets")],
    draw,
};

/// Maximum number of bars in the figure.
const BARS: usize = 60;

row_types! {
    /// The samples of a metric of a machine in a range, in percent.
    struct UtilizationBucket {
        run: String,
        node: String,
        resource: String,
        metric: String,
        lower: f64,
        upper: f64,
        n: i64,
        ratio: f64,
    }
}

impl UtilizationBucket {
    fn metric_name(&self) -> String {
        metric_name(&self.resource, &self.metric)
    }

    /// `0 to below 10 %`. The last bucket includes its upper edge.
    fn range(&self, is_last: bool) -> String {
        let separator = if is_last { "to" } else { "to below" };
        format!("{} {separator} {} %", label::number(self.lower), label::number(self.upper))
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let buckets = UtilizationBucket::read(read::frame(frames, 0)?)?;
    if buckets.is_empty() {
        let why = format!("No utilization in percent was recorded. {}", sheet::NO_MACHINE_METRICS);
        return Ok(sheet::message_plot("Utilization buckets", "no system metrics in this profile", &why));
    }
    let mut notes = Vec::new();
    let mut bars = group_by(&buckets, |bucket| (&bucket.run, &bucket.node, &bucket.resource, &bucket.metric));
    bars.sort_by_key(|((run, node, resource, metric), _)| {
        (natural_key(run), natural_key(node), *resource != "gpu", *resource, *metric != "utilization", *metric)
    });
    read::truncate(&mut bars, BARS, "machines and metrics", &mut notes);
    let incomplete =
        bars.iter().filter(|(_, buckets)| buckets.iter().map(|bucket| bucket.ratio).sum::<f64>() < 0.999).count();
    if incomplete > 0 {
        notes.push(format!("{} with samples outside the ranges", label::count(incomplete, "bar")));
    }
    let several_runs = count_distinct(buckets.iter().map(|bucket| &bucket.run)) > 1;
    let several_nodes = count_distinct(buckets.iter().map(|bucket| &bucket.node)) > 1;
    let name = |bucket: &UtilizationBucket| {
        let run = if several_runs { bucket.run.as_str() } else { "" };
        let node = if several_nodes { bucket.node.as_str() } else { "" };
        label::sanitize(&label::join(&[run, node, &bucket.metric_name()], " "))
    };
    let names: Vec<String> = bars.iter().map(|(_, buckets)| name(buckets[0])).collect();
    let mut sheet = Sheet::with_stacked_bars();
    let x = theme::axis("share of the samples (%)").range(vec![0.0, 100.0]).n_ticks(6);
    let y = theme::category_axis(names.clone());
    let axes = sheet.add_panel("", (names.len() * 24).max(60), x, y, true);
    let named_buckets: Vec<(&str, &UtilizationBucket)> = bars
        .iter()
        .zip(&names)
        .flat_map(|((_, buckets), name)| buckets.iter().map(|bucket| (name.as_str(), *bucket)))
        .collect();
    draw_ranges(&mut sheet, &axes, &named_buckets);
    Ok(sheet.into_plot(&title(&buckets), &notes))
}

/// Draws the buckets of each range in one color. Each bucket has the name of its bar.
fn draw_ranges(sheet: &mut Sheet, axes: &PanelAxes, buckets: &[(&str, &UtilizationBucket)]) {
    let mut ranges = group_by(buckets.iter().copied(), |(_, bucket)| (bucket.lower.to_bits(), bucket.upper.to_bits()));
    ranges.sort_by(|(_, a), (_, b)| a[0].1.lower.total_cmp(&b[0].1.lower));
    let last = ranges.len().saturating_sub(1);
    let colors = theme::idle_to_busy(ranges.len());
    for (index, ((_, buckets), color)) in ranges.iter().zip(colors).enumerate() {
        let range = buckets[0].1.range(index == last);
        let show = sheet.register_name(&range);
        let (shares, names) = buckets.iter().map(|(name, bucket)| (100.0 * bucket.ratio, (*name).to_owned())).unzip();
        let bars: Box<Bar<f64, String>> = Bar::new(shares, names)
            .name(label::sanitize(&range))
            .show_legend(show)
            .orientation(Orientation::Horizontal)
            .marker(Marker::new().color(color))
            .hover_texts(buckets.iter().map(|(_, bucket)| hover(bucket, index == last)).collect())
            .on_axes(axes);
        sheet.add_trace(bars);
    }
}

fn hover(bucket: &UtilizationBucket, is_last: bool) -> String {
    format!(
        "{}<br>{}<br>{} of the samples at {}<br>{}",
        label::sanitize(&label::process(&bucket.run, &bucket.node, None)),
        label::sanitize(&bucket.metric_name()),
        label::percentage(bucket.ratio, 1.0),
        bucket.range(is_last),
        label::count(bucket.n, "sample")
    )
}

/// `GPU utilization: 62 % of the samples at 0 to below 10 %`, for the machine with the most such samples.
fn title(buckets: &[UtilizationBucket]) -> String {
    let priority = |bucket: &UtilizationBucket| {
        (bucket.metric == "utilization", bucket.resource == "gpu", bucket.resource == "cpu")
    };
    let best = buckets.iter().map(priority).max().unwrap_or_default();
    let min = buckets.iter().map(|bucket| bucket.lower).fold(f64::INFINITY, f64::min);
    let of_best = buckets.iter().filter(|bucket| priority(bucket) == best);
    let machines = count_distinct(of_best.clone().map(|bucket| (&bucket.run, &bucket.node)));
    let lowest = of_best.filter(|bucket| bucket.lower.to_bits() == min.to_bits());
    let Some(bucket) = lowest.max_by(|a, b| a.ratio.total_cmp(&b.ratio)) else {
        return "Utilization buckets".to_owned();
    };
    let is_last = buckets.iter().all(|other| other.upper <= bucket.upper);
    let of_machines = if machines > 1 { format!(", the maximum of {machines} machines") } else { String::new() };
    format!(
        "{}: {} of the samples at {}{of_machines}",
        label::capitalize(&bucket.metric_name()),
        label::percentage(bucket.ratio, 1.0),
        bucket.range(is_last)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, texts, to_value, without_rows};

    fn three() -> Frame {
        frame(vec![
            texts("run", &["a"; 6]),
            texts("node", &["n1", "n1", "n1", "<n2>", "<n2>", "<n2>"]),
            texts("resource", &["gpu"; 6]),
            texts("metric", &["utilization"; 6]),
            ints("bucket", &[0, 1, 2, 0, 1, 2]),
            floats("lower", &[0.0, 10.0, 90.0, 0.0, 10.0, 90.0]),
            floats("upper", &[10.0, 90.0, 100.0, 10.0, 90.0, 100.0]),
            ints("n", &[50, 25, 25, 1, 1, 1]),
            floats("ratio", &[0.5, 0.25, 0.25, 0.25, 0.25, 0.25]),
        ])
    }

    #[test]
    fn buckets_are_stacked_from_idle_to_busy() {
        let plot = to_value(&draw(&[three()]).unwrap());
        let names: Vec<&str> = plot["data"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["0 to below 10 %", "10 to below 90 %", "90 to 100 %"]);
        let first = &plot["data"][0];
        assert_eq!((&first["x"], &first["orientation"]), (&json!([25.0, 50.0]), &json!("h")));
        assert_eq!(first["y"], json!(["&lt;n2&gt; gpu utilization", "n1 gpu utilization"]));
        assert_eq!(
            first["hovertext"][1],
            "run a, n1<br>gpu utilization<br>50 % of the samples at 0 to below 10 %<br>50 samples"
        );
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "share of the samples (%)");
        assert_eq!(
            heading(&plot),
            "GPU utilization: 50 % of the samples at 0 to below 10 %, the maximum of 2 machines | 1 bar with samples outside the ranges"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&three())]).unwrap());
        assert_eq!(title, "<b>Utilization buckets</b>");
        assert!(
            note.starts_with("<b>no system metrics in this profile</b><br>No utilization in percent was recorded."),
            "{note}"
        );
    }
}
