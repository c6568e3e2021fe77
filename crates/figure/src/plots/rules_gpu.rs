//! Utilization of GPUs, GPU memory and CPU cores, compared with the limits of three rules.

use plotly::Plot;

use crate::kit::boxes::{BoxRow, P95_MARK, Stats};
use crate::kit::read::{count_distinct, group_by, natural_key, rows};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_gpu",
    doc: "Utilization and memory of each GPU and utilization of the CPU cores of its machine, compared with the limits \
          of the rules LowGPUUtilization, GPUMemoryIncrease and BatchSize; three panels per run.",
    queries: &[
        FigureQuery::new("rules.low_gpu_utilization"),
        FigureQuery::new("rules.gpu_memory_increase"),
        FigureQuery::new("rules.batch_size"),
    ],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 32;

/// The result of a rule for a GPU, or for the CPU cores of its machine.
struct GpuRule {
    run: String,
    node: String,
    device: String,
    triggered: bool,
    stats: Stats,
    parameters: String,
    /// Finding of the rule, for hover.
    finding: String,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let low = read_low_utilization(read::frame(frames, 0)?)?;
    let growth = read_memory_growth(read::frame(frames, 1)?)?;
    let batch_size = read_batch_size(read::frame(frames, 2)?)?;
    if low.is_empty() && growth.is_empty() {
        let why = "No GPU was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message_plot("GPU usage", "no samples of a GPU in this profile", why));
    }
    let mut notes =
        vec!["box: quartiles; line in the box: median; dashed: limits of the 95th and 5th percentile".to_owned()];
    let mut runs = group_by(low.iter().chain(&growth), |rule| rule.run.as_str());
    read::truncate(&mut runs, PANELS / 3, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, _) in &runs {
        let [low, growth, batch_size] =
            [&low, &growth, &batch_size].map(|rules| rules.iter().filter(|rule| rule.run == *run).collect::<Vec<_>>());
        if !low.is_empty() {
            let limits = ["threshold_p95", "threshold_p5"];
            draw_panel(&mut sheet, &mut notes, &low, "utilization (%)", ("gpu", "gpu"), &limits);
        }
        if !growth.is_empty() {
            let axes = draw_panel(&mut sheet, &mut notes, &growth, "memory (%)", ("gpu memory", "memory"), &[]);
            let parameters = batch_size.iter().map(|rule| rule.parameters.as_str());
            boxes::draw_limits(&mut sheet, &axes, parameters, &["gpu_memory_threshold_p95"]);
        }
        if !batch_size.is_empty() {
            let limits = ["cpu_threshold_p95"];
            draw_panel(&mut sheet, &mut notes, &batch_size, "mean of the cores (%)", ("cpu", "cpu"), &limits);
        }
    }
    Ok(sheet.into_plot(&title(&low, &growth, &batch_size), &notes))
}

/// Draws the results of a rule for a run, and the limits with these names.
fn draw_panel(
    sheet: &mut Sheet,
    notes: &mut Vec<String>,
    rules: &[&GpuRule],
    quantity: &str,
    (name, role): (&str, &str),
    limits: &[&str],
) -> PanelAxes {
    let run = &rules[0].run;
    let mut rules = rules.to_vec();
    rules.sort_by_key(|rule| (natural_key(&rule.node), natural_key(&rule.device)));
    read::truncate(&mut rules, ROWS, &format!("GPUs of {}", label::clip(run, 20)), notes);
    let with_node = count_distinct(rules.iter().map(|rule| &rule.node)) > 1;
    let names: Vec<String> =
        rules.iter().map(|rule| label::join(&[if with_node { &rule.node } else { "" }, &rule.device], " ")).collect();
    let x = theme::axis(quantity).range(vec![0.0, 103.0]).n_ticks(6);
    let axes = stack::add_panel(sheet, &format!("run {run}: {quantity}"), 30 + 26 * names.len(), x, &names);
    let row = |(position, rule): (usize, &&GpuRule)| BoxRow {
        position,
        stats: rule.stats,
        triggered: rule.triggered,
        hover: hover(rule, name),
    };
    let rows: Vec<BoxRow> = rules.iter().enumerate().map(row).collect();
    boxes::draw(sheet, &axes, &rows, name, theme::color(role), P95_MARK);
    boxes::draw_limits(sheet, &axes, rules.iter().map(|rule| rule.parameters.as_str()), limits);
    axes
}

/// Reads the results of a rule, with a finding for each row. Columns with statistics have the prefix.
fn read_rules(frame: &Frame, prefix: &str, findings: Vec<String>) -> Result<Vec<GpuRule>> {
    Ok(rows!(frame, GpuRule { run, node, device, triggered, stats: prefix, parameters, finding: findings }))
}

fn read_low_utilization(frame: &Frame) -> Result<Vec<GpuRule>> {
    let minutes = |name| -> Result<Vec<String>> {
        Ok(read::column::<i64>(frame, name)?.into_iter().map(label::group_digits).collect())
    };
    let finding = |(underused, fluctuating): (String, String)| {
        format!("checks at the end of each minute: underused {underused}, fluctuating {fluctuating}")
    };
    let findings = minutes("underused")?.into_iter().zip(minutes("fluctuating")?).map(finding);
    read_rules(frame, "", findings.collect())
}

fn read_memory_growth(frame: &Frame) -> Result<Vec<GpuRule>> {
    let violations: Vec<i64> = read::column(frame, "violations")?;
    let increases: Vec<f64> = read::column(frame, "increase")?;
    let finding = |(violations, increase): (i64, f64)| {
        if violations > 0 {
            let (times, points) = (label::group_digits(violations), label::number(increase));
            format!("grew {times} times, most recently by {points} percentage points")
        } else {
            "did not grow by more than the limit".to_owned()
        }
    };
    read_rules(frame, "", violations.into_iter().zip(increases).map(finding).collect())
}

fn read_batch_size(frame: &Frame) -> Result<Vec<GpuRule>> {
    let triggered: Vec<bool> = read::column(frame, "triggered")?;
    let finding = |triggered: bool| {
        let text =
            if triggered { "cores, GPU and memory allow larger batches" } else { "no capacity for larger batches" };
        text.to_owned()
    };
    read_rules(frame, "cpu_", triggered.into_iter().map(finding).collect())
}

fn hover(rule: &GpuRule, name: &str) -> String {
    let Stats { low, middle, high, mark, .. } = rule.stats;
    let [low, middle, high, mark] = [low, middle, high, mark].map(label::number);
    format!(
        "{}<br>{name}: median {middle} %, quartiles {low} and {high} %, 95th percentile {mark} %<br>{}",
        label::sanitize(&label::join(&[&format!("run {}", rule.run), &rule.node, &rule.device], ", ")),
        rule.finding
    )
}

/// `2 of 4 GPUs underused or fluctuating; memory grew on 0 of 4; larger batches possible on 1 of 4`
fn title(low: &[GpuRule], growth: &[GpuRule], batch_size: &[GpuRule]) -> String {
    let triggered = |rules: &[GpuRule]| rules.iter().filter(|rule| rule.triggered).count();
    let mut parts = Vec::new();
    if !low.is_empty() {
        parts.push(format!("{} of {} underused or fluctuating", triggered(low), label::count(low.len(), "GPU")));
    }
    if !growth.is_empty() {
        parts.push(format!("memory grew on {} of {}", triggered(growth), growth.len()));
    }
    if !batch_size.is_empty() {
        parts.push(format!("larger batches possible on {} of {}", triggered(batch_size), batch_size.len()));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{
        TestColumn, flags, floats, frame, heading, ints, message, texts, to_value, without_rows,
    };

    fn gpus(prefix: [&'static str; 6], parameters: &'static str, triggered: [bool; 2], more: Vec<TestColumn>) -> Frame {
        let [lower, p25, p50, p75, upper, p95] = prefix;
        let mut columns = vec![
            texts("run", &["a", "a"]),
            texts("node", &["n", "n"]),
            texts("device", &["gpu10", "gpu<2>"]),
            flags("triggered", &triggered),
            floats(lower, &[0.0, 0.0]),
            floats(p25, &[20.0, 1.0]),
            floats(p50, &[40.0, 2.0]),
            floats(p75, &[60.0, 3.0]),
            floats(upper, &[100.0, 4.0]),
            floats(p95, &[93.0, 5.0]),
            texts("parameters", &[parameters, parameters]),
        ];
        columns.extend(more);
        frame(columns)
    }

    const PLAIN: [&str; 6] = ["lower", "p25", "p50", "p75", "upper", "p95"];
    const CPU: [&str; 6] = ["cpu_lower", "cpu_p25", "cpu_p50", "cpu_p75", "cpu_upper", "cpu_p95"];

    fn frames() -> [Frame; 3] {
        let minutes = vec![ints("underused", &[0, 3]), ints("fluctuating", &[0, 0])];
        let grown = vec![ints("violations", &[5, 0]), floats("increase", &[8.75, f64::NAN])];
        let limits = r#"{"cpu_threshold_p95":70.0,"gpu_memory_threshold_p95":65.0}"#;
        [
            gpus(PLAIN, r#"{"threshold_p95":70.0,"threshold_p5":10.0}"#, [false, true], minutes),
            gpus(PLAIN, "{}", [true, false], grown),
            gpus(CPU, limits, [false, false], Vec::new()),
        ]
    }

    #[test]
    fn rules_have_panels_with_their_limits() {
        let plot = to_value(&draw(&frames()).unwrap());
        let layout = &plot["layout"];
        assert_eq!(layout["yaxis"]["ticktext"], json!(["gpu10", "gpu&lt;2&gt;"]));
        let drawn: Vec<&serde_json::Value> = layout["shapes"].as_array().unwrap().iter().collect();
        let lines: Vec<(&str, f64)> =
            drawn.iter().map(|shape| (shape["xref"].as_str().unwrap(), shape["x0"].as_f64().unwrap())).collect();
        assert_eq!(lines, [("x", 70.0), ("x", 10.0), ("x2", 65.0), ("x3", 70.0)]);
        let boxes: Vec<&serde_json::Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "box").collect();
        let box_values: Vec<_> = boxes.iter().map(|trace| (&trace["name"], &trace["y"], &trace["median"])).collect();
        assert_eq!(box_values[0], (&json!("gpu"), &json!([0.0]), &json!([40.0])));
        assert_eq!(box_values[1], (&json!("rule triggered"), &json!([1.0]), &json!([2.0])));
        assert_eq!(box_values[2].0, "gpu memory");
        assert_eq!(box_values.len(), 5);
        let hovers = plot["data"].to_string();
        assert!(hovers.contains("grew 5 times, most recently by 8.75 percentage points"), "{hovers}");
        let title = "1 of 2 GPUs underused or fluctuating; memory grew on 1 of 2; larger batches possible on 0 of 2 | ";
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let empty = frames().map(|frame| without_rows(&frame));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>GPU usage</b>");
        assert!(note.starts_with("<b>no samples of a GPU in this profile</b>"), "{note}");
    }
}
