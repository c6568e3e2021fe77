//! Overall usage of the machines of a run.

use plotly::Plot;
use plotly::common::MarkerSymbol;

use crate::kit::boxes::{Row, Stats};
use crate::kit::load::words;
use crate::kit::read::{groups, natural};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_usage",
    doc: "The overall usage of each machine (rule OverallSystemUsage): quartiles, whiskers and 95th percentile of the \
          metrics in percent; a panel per run.",
    queries: &[Ask::new("rules.overall_system_usage")],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 40;

struct Usage {
    run: String,
    node: String,
    resource: String,
    metric: String,
    datapoints: i64,
    stats: Stats,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let usages = usages(read::answer(frames, 0)?)?;
    if usages.is_empty() {
        let why = "No machine was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message("Machine usage", "no system metrics in this profile", why));
    }
    let mut notes =
        vec!["box: quartiles; line in the box: median; whiskers: values within 1.5 times the box".to_owned()];
    let mut runs = groups(usages.iter().map(|usage| usage.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, rows) in &runs {
        let mut here: Vec<&Usage> = rows.iter().map(|row| &usages[*row]).collect();
        here.sort_by_key(|usage| (natural(&usage.node), usage.resource != "gpu", usage.resource.clone()));
        read::cap(&mut here, ROWS, &format!("metrics of {}", label::clip(run, 20)), &mut notes);
        let nodes = groups(here.iter().map(|usage| usage.node.as_str())).len();
        let name = |usage: &&Usage| {
            label::join(&[if nodes > 1 { &usage.node } else { "" }, &words(&usage.resource, &usage.metric)], " ")
        };
        let names: Vec<String> = here.iter().map(name).collect();
        let x = theme::axis("usage of the machine (%)").range(vec![0.0, 103.0]).n_ticks(6);
        let at = sheet.panel(&format!("run {run}"), 30 + 26 * names.len(), x, stack::side(&names), true);
        for (resource, members) in groups(here.iter().map(|usage| usage.resource.as_str())) {
            let rows: Vec<Row> = members
                .into_iter()
                .map(|place| Row { place, stats: here[place].stats, triggered: false, hover: hover(here[place]) })
                .collect();
            boxes::draw(&mut sheet, &at, &rows, resource, theme::color(resource), P95);
        }
    }
    Ok(sheet.plot(&title(&usages, runs.len()), &notes))
}

const P95: (&str, MarkerSymbol) = ("95th percentile", MarkerSymbol::Diamond);

fn usages(frame: &Frame) -> Result<Vec<Usage>> {
    let text = |name| read::texts(frame, name);
    let (runs, nodes, resources) = (text("run")?, text("node")?, text("resource")?);
    let (metrics, units) = (text("metric")?, text("unit")?);
    let datapoints = read::integers(frame, "datapoints")?;
    let stats = boxes::stats(frame, "")?;
    let rows = (0..runs.len()).filter(|row| units[*row] == "percent");
    let rows = rows.map(|row| Usage {
        run: runs[row].clone(),
        node: nodes[row].clone(),
        resource: resources[row].clone(),
        metric: metrics[row].clone(),
        datapoints: datapoints[row].unwrap_or(0),
        stats: stats[row],
    });
    Ok(rows.collect())
}

fn hover(usage: &Usage) -> String {
    let who = label::join(&[&format!("run {}", usage.run), &usage.node], ", ");
    let Stats { lower, low, middle, high, upper, mark } = usage.stats;
    let parts = [lower, low, middle, high, mark, upper].map(label::number);
    let [lower, low, middle, high, mark, upper] = parts;
    format!(
        "{}<br>{}<br>median {middle} %, quartiles {low} and {high} %<br>95th percentile {mark} %, whiskers {lower} and \
         {upper} %<br>{} snapshots",
        label::plain(&who),
        label::plain(&words(&usage.resource, &usage.metric)),
        label::grouped(usage.datapoints)
    )
}

/// `gpu utilization of algo-1: median 12 %, p95 93 %; cpu utilization median 15 %, p95 52 %`
fn title(usages: &[Usage], runs: usize) -> String {
    let of = |resource: &str| usages.iter().find(|usage| usage.resource == resource && usage.metric == "utilization");
    let chosen: Vec<&Usage> = ["gpu", "cpu"].into_iter().filter_map(of).collect();
    let chosen = if chosen.is_empty() { usages.iter().take(1).collect() } else { chosen };
    let parts: Vec<String> = chosen
        .iter()
        .map(|usage| {
            let run = if runs > 1 { label::clip(&usage.run, 20) } else { String::new() };
            let who = label::join(&[&run, &usage.node], " ");
            let of = if who.is_empty() { String::new() } else { format!(" of {who}") };
            format!(
                "{}{of}: median {} %, p95 {} %",
                words(&usage.resource, &usage.metric),
                label::number(usage.stats.middle),
                label::number(usage.stats.mark)
            )
        })
        .collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, message, none, texts, told, value};

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
    fn each_quantity_in_percent_has_a_box() {
        let plot = value(&draw(&[usage()]).unwrap());
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
            told(&plot).starts_with("gpu utilization of n&lt;1&gt;: median 40 %, p95 93 %; cpu"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&usage())]).unwrap());
        assert_eq!(title, "<b>Machine usage</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b>"), "{note}");
    }
}
