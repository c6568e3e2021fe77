//! Shares of samples by utilization range.

use plotly::common::{Marker, Orientation};
use plotly::layout::{BarMode, CategoryOrder};
use plotly::{Bar, Plot};

use crate::kit::load::words;
use crate::kit::read::{groups, natural};
use crate::kit::sheet::Sheet;
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_buckets",
    doc: "The share of samples in each utilization range, from idle to busy; a bar per machine and metric.",
    queries: &[Ask::new("utilization.buckets")],
    draw,
};

/// Maximum number of bars in the figure.
const BARS: usize = 60;

struct Bucket {
    run: String,
    node: String,
    resource: String,
    metric: String,
    lower: f64,
    upper: f64,
    n: i64,
    ratio: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let buckets = buckets(read::answer(frames, 0)?)?;
    if buckets.is_empty() {
        let why = format!("No utilization in percent was recorded. {}", sheet::MACHINES);
        return Ok(sheet::message("Utilization buckets", "no system metrics in this profile", &why));
    }
    let mut notes = Vec::new();
    let several = |part: fn(&Bucket) -> &str| groups(buckets.iter().map(part)).len() > 1;
    let (runs, nodes) = (several(|bucket| &bucket.run), several(|bucket| &bucket.node));
    let mut bars =
        groups(buckets.iter().map(|bucket| {
            (bucket.run.as_str(), bucket.node.as_str(), bucket.resource.as_str(), bucket.metric.as_str())
        }));
    bars.sort_by_key(|((run, node, resource, metric), _)| {
        (natural(run), natural(node), *resource != "gpu", *resource, *metric != "utilization", *metric)
    });
    read::cap(&mut bars, BARS, "machines and metrics", &mut notes);
    let outside =
        bars.iter().filter(|(_, rows)| rows.iter().map(|row| buckets[*row].ratio).sum::<f64>() < 0.999).count();
    if outside > 0 {
        notes.push(format!("{} with samples outside the ranges", label::count(outside, "bar")));
    }
    let mut names: Vec<String> = Vec::new();
    let mut members: Vec<(String, usize)> = Vec::new();
    for ((run, node, resource, metric), rows) in &bars {
        let who = [if runs { run } else { "" }, if nodes { node } else { "" }, &words(resource, metric)];
        let name = label::plain(&label::join(&who, " "));
        members.extend(rows.iter().map(|row| (name.clone(), *row)));
        names.push(name);
    }
    let mut edges =
        groups(members.iter().map(|(_, row)| (buckets[*row].lower.to_bits(), buckets[*row].upper.to_bits())));
    edges.sort_by(|a, b| f64::from_bits(a.0.0).total_cmp(&f64::from_bits(b.0.0)));
    names.reverse();
    let y = theme::axis("").category_order(CategoryOrder::Array).category_array(names.clone());
    let x = theme::axis("share of the samples (%)").range(vec![0.0, 100.0]).n_ticks(6);
    let mut sheet = Sheet::default();
    let at = sheet.panel("", (names.len() * 24).max(60), x, y, true);
    sheet.bars(BarMode::Stack);
    let top = edges.len().saturating_sub(1);
    let colors = theme::ladder(edges.len());
    for (place, ((_, rows), color)) in edges.iter().zip(colors).enumerate() {
        let part: Vec<(&String, &Bucket)> =
            rows.iter().map(|row| (&members[*row].0, &buckets[members[*row].1])).collect();
        let name = range(part[0].1, place == top);
        let show = sheet.first(&name);
        let bars = Bar::new(
            part.iter().map(|(_, bucket)| 100.0 * bucket.ratio).collect(),
            part.iter().map(|(name, _)| (*name).clone()).collect(),
        )
        .name(label::plain(&name))
        .show_legend(show)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color(color))
        .hover_text_array(part.iter().map(|(_, bucket)| hover(bucket, place == top)).collect())
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y);
        sheet.trace(bars);
    }
    Ok(sheet.plot(&title(&buckets), &notes))
}

fn buckets(frame: &Frame) -> Result<Vec<Bucket>> {
    let text = |name| read::texts(frame, name);
    let (runs, nodes, resources, metrics) = (text("run")?, text("node")?, text("resource")?, text("metric")?);
    let (lower, upper, ratio) =
        (read::floats(frame, "lower")?, read::floats(frame, "upper")?, read::floats(frame, "ratio")?);
    let counts = read::integers(frame, "n")?;
    Ok((0..runs.len())
        .map(|row| Bucket {
            run: runs[row].clone(),
            node: nodes[row].clone(),
            resource: resources[row].clone(),
            metric: metrics[row].clone(),
            lower: lower[row],
            upper: upper[row],
            n: counts[row].unwrap_or(0),
            ratio: ratio[row],
        })
        .collect())
}

/// `0 to below 10 %`. The last bucket includes its upper edge.
fn range(bucket: &Bucket, last: bool) -> String {
    let to = if last { "to" } else { "to below" };
    format!("{} {to} {} %", label::number(bucket.lower), label::number(bucket.upper))
}

fn hover(bucket: &Bucket, last: bool) -> String {
    let who = label::join(&[&format!("run {}", bucket.run), &bucket.node], ", ");
    let what = words(&bucket.resource, &bucket.metric);
    let (who, what) = (label::plain(&who), label::plain(&what));
    let n = label::count(usize::try_from(bucket.n).unwrap_or(0), "sample");
    format!("{who}<br>{what}<br>{} of the samples at {}<br>{n}", label::share(bucket.ratio, 1.0), range(bucket, last))
}

/// `gpu utilization: 62 % of the samples at 0 to below 10 %`, for the machine with the most such samples.
fn title(buckets: &[Bucket]) -> String {
    let rank = |bucket: &Bucket| (bucket.metric == "utilization", bucket.resource == "gpu", bucket.resource == "cpu");
    let best = buckets.iter().map(rank).max().unwrap_or_default();
    let least = buckets.iter().map(|bucket| bucket.lower).fold(f64::INFINITY, f64::min);
    let of_best = buckets.iter().filter(|bucket| rank(bucket) == best);
    let machines = groups(of_best.clone().map(|bucket| (&bucket.run, &bucket.node))).len();
    let lowest = of_best.filter(|bucket| bucket.lower.to_bits() == least.to_bits());
    let Some(bucket) = lowest.max_by(|a, b| a.ratio.total_cmp(&b.ratio)) else {
        return "Utilization buckets".to_owned();
    };
    let last = buckets.iter().all(|other| other.upper <= bucket.upper);
    let what = words(&bucket.resource, &bucket.metric);
    let of = if machines > 1 { format!(", the maximum of {machines} machines") } else { String::new() };
    format!("{what}: {} of the samples at {}{of}", label::share(bucket.ratio, 1.0), range(bucket, last))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, message, none, texts, told, value};

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
        let plot = value(&draw(&[three()]).unwrap());
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
            told(&plot),
            "gpu utilization: 50 % of the samples at 0 to below 10 %, the maximum of 2 machines | 1 bar with samples outside the ranges"
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&three())]).unwrap());
        assert_eq!(title, "<b>Utilization buckets</b>");
        assert!(
            note.starts_with("<b>no system metrics in this profile</b><br>No utilization in percent was recorded."),
            "{note}"
        );
    }
}
