//! Overall usage of the machines of a run.

use plotly::Plot;

use crate::kit::boxes::{BoxRow, P95_MARK, Stats};
use crate::kit::load::metric_name;
use crate::kit::read::{count_distinct, group_by, natural_key, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_usage",
    doc: "The overall usage of each machine (rule OverallSystemUsage): quartiles, whiskers and 95th percentile of the \
          metrics in percent; a panel per run.",
    queries: &[FigureQuery::new("rules.overall_system_usage")],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 40;

row_types! {
    /// A metric of a machine.
    struct MachineUsage {
        run: String,
        node: String,
        resource: String,
        metric: String,
        unit: String,
        datapoints: i64,
        stats: Stats = "",
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut usages = MachineUsage::read(read::frame(frames, 0)?)?;
    usages.retain(|usage| usage.unit == "percent");
    if usages.is_empty() {
        let why = "No machine was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message_plot("Machine usage", "no system metrics in this profile", why));
    }
    let mut notes =
        vec!["box: quartiles; line in the box: median; whiskers: values within 1.5 times the box".to_owned()];
    let mut runs = group_by(&usages, |usage| usage.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, usages) in &mut runs {
        usages.sort_by_key(|usage| (natural_key(&usage.node), usage.resource != "gpu", &usage.resource));
        read::truncate(usages, ROWS, &format!("metrics of {}", label::clip(run, 20)), &mut notes);
        let with_node = count_distinct(usages.iter().map(|usage| &usage.node)) > 1;
        let name = |usage: &&MachineUsage| {
            let metric = metric_name(&usage.resource, &usage.metric);
            label::join(&[if with_node { &usage.node } else { "" }, &metric], " ")
        };
        let names: Vec<String> = usages.iter().map(name).collect();
        let x = theme::axis("usage of the machine (%)").range(vec![0.0, 103.0]).n_ticks(6);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 30 + 26 * names.len(), x, &names);
        for (resource, members) in group_by(0..usages.len(), |index| usages[index].resource.as_str()) {
            let row = |position: usize| {
                let usage = usages[position];
                BoxRow { position, stats: usage.stats, triggered: false, hover: hover(usage) }
            };
            let rows: Vec<BoxRow> = members.into_iter().map(row).collect();
            boxes::draw(&mut sheet, &axes, &rows, resource, theme::color(resource), P95_MARK);
        }
    }
    Ok(sheet.into_plot(&title(&usages, runs.len()), &notes))
}

fn hover(usage: &MachineUsage) -> String {
    let Stats { lower, low, middle, high, upper, mark } = usage.stats;
    let [lower, low, middle, high, mark, upper] = [lower, low, middle, high, mark, upper].map(label::number);
    format!(
        "{}<br>{}<br>median {middle} %, quartiles {low} and {high} %<br>95th percentile {mark} %, whiskers {lower} and \
         {upper} %<br>{} snapshots",
        label::sanitize(&label::process(&usage.run, &usage.node, None)),
        label::sanitize(&metric_name(&usage.resource, &usage.metric)),
        label::group_digits(usage.datapoints)
    )
}

/// `GPU utilization of algo-1: median 12 %, p95 93 %; cpu utilization of algo-1: median 15 %, p95 52 %`
fn title(usages: &[MachineUsage], runs: usize) -> String {
    let utilization =
        |resource: &str| usages.iter().find(|usage| usage.resource == resource && usage.metric == "utilization");
    let chosen: Vec<&MachineUsage> = ["gpu", "cpu"].into_iter().filter_map(utilization).collect();
    let chosen = if chosen.is_empty() { usages.iter().take(1).collect() } else { chosen };
    let texts = chosen.iter().map(|usage| {
        let run = if runs > 1 { label::clip(&usage.run, 20) } else { String::new() };
        let who = label::join(&[&run, &usage.node], " ");
        format!(
            "{}{}: median {} %, p95 {} %",
            metric_name(&usage.resource, &usage.metric),
            if who.is_empty() { String::new() } else { format!(" of {who}") },
            label::number(usage.stats.middle),
            label::number(usage.stats.mark)
        )
    });
    label::capitalize(&texts.collect::<Vec<String>>().join("; "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, texts, to_value, without_rows};

    fn usage() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["n<1>", "n<1>", "n<1>"]),
            texts("resource", &["cpu", "gpu", "io"]),
            texts("metric", &["utilization", "utilization", "read"]),
            texts("unit", &["percent", "percent", "bytes_per_s"]),
            ints("datapoints", &[40, 40, 3]),
            floats("lower", &[1.0, 0.0, 5.0]),
            floats("p25", &[10.0, 20.0, 5.0]),
            floats("p50", &[15.0, 40.0, 5.0]),
            floats("p75", &[30.0, 60.0, 5.0]),
            floats("upper", &[55.0, 100.0, 5.0]),
            floats("p95", &[52.0, 93.0, 5.0]),
        ])
    }

    #[test]
    fn each_metric_in_percent_has_a_box() {
        let plot = to_value(&draw(&[usage()]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu utilization", "cpu utilization"]));
        let (gpu, mark) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&gpu["type"], &gpu["orientation"]), (&json!("box"), &json!("h")));
        assert_eq!((&gpu["q1"][0], &gpu["median"][0], &gpu["q3"][0]), (&json!(20.0), &json!(40.0), &json!(60.0)));
        assert_eq!((&gpu["lowerfence"][0], &gpu["upperfence"][0]), (&json!(0.0), &json!(100.0)));
        assert_eq!((&mark["x"][0], &mark["y"][0]), (&json!(93.0), &json!(0.0)));
        assert_eq!(plot["data"][2]["median"], json!([15.0]));
        assert!(
            mark["hovertext"][0].as_str().unwrap().starts_with("run a, n&lt;1&gt;<br>gpu utilization<br>median 40 %")
        );
        assert!(
            heading(&plot).starts_with("GPU utilization of n&lt;1&gt;: median 40 %, p95 93 %; cpu"),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&usage())]).unwrap());
        assert_eq!(title, "<b>Machine usage</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b>"), "{note}");
    }
}
