//! Utilization of GPUs, GPU memory and CPU cores, compared with the limits of three rules.

use plotly::Plot;
use plotly::common::MarkerSymbol;

use crate::kit::boxes::{Row, Stats};
use crate::kit::read::{groups, natural};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_gpu",
    doc: "Utilization and memory of each GPU and utilization of the CPU cores of its machine, compared with the limits \
          of the rules LowGPUUtilization, GPUMemoryIncrease and BatchSize; three panels per run.",
    queries: &[
        Ask::new("rules.low_gpu_utilization"),
        Ask::new("rules.gpu_memory_increase"),
        Ask::new("rules.batch_size"),
    ],
    draw,
};

/// Maximum number of rows in a panel.
const ROWS: usize = 32;
const P95: (&str, MarkerSymbol) = ("95th percentile", MarkerSymbol::Diamond);

/// The result of a rule for a GPU, or for the CPU cores of its machine.
struct Judged {
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
    let low = low(read::answer(frames, 0)?)?;
    let growth = growth(read::answer(frames, 1)?)?;
    let room = judged(read::answer(frames, 2)?, "cpu_", room)?;
    if low.is_empty() && growth.is_empty() {
        let why = "No GPU was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message("GPU usage", "no samples of a GPU in this profile", why));
    }
    let mut notes =
        vec!["box: quartiles; line in the box: median; dashed: limits of the 95th and 5th percentile".to_owned()];
    let mut runs = groups(low.iter().chain(&growth).map(|row| row.run.as_str()));
    read::cap(&mut runs, PANELS / 3, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, _) in &runs {
        let of = |rows: &'_ [Judged]| rows.iter().filter(|row| row.run == *run).count();
        if of(&low) > 0 {
            let what = "utilization (%)";
            panel(&mut sheet, &mut notes, run, &low, what, ("gpu", "gpu"), &["threshold_p95", "threshold_p5"]);
        }
        if of(&growth) > 0 {
            let limits: Vec<&Judged> = room.iter().filter(|row| row.run == *run).collect();
            let at = panel(&mut sheet, &mut notes, run, &growth, "memory (%)", ("gpu memory", "memory"), &[]);
            let parameters = limits.iter().map(|row| row.parameters.as_str());
            boxes::limits(&mut sheet, &at, parameters, &["gpu_memory_threshold_p95"]);
        }
        if of(&room) > 0 {
            panel(&mut sheet, &mut notes, run, &room, "mean of the cores (%)", ("cpu", "cpu"), &["cpu_threshold_p95"]);
        }
    }
    Ok(sheet.plot(&title(&low, &growth, &room), &notes))
}

/// Draws the rows of a run and the limits with these names.
fn panel(
    sheet: &mut Sheet,
    notes: &mut Vec<String>,
    run: &str,
    rows: &[Judged],
    what: &str,
    (name, role): (&str, &str),
    limits: &[&str],
) -> sheet::Place {
    let mut here: Vec<&Judged> = rows.iter().filter(|row| row.run == run).collect();
    here.sort_by_key(|row| (natural(&row.node), natural(&row.device)));
    read::cap(&mut here, ROWS, &format!("GPUs of {}", label::clip(run, 20)), notes);
    let nodes = groups(here.iter().map(|row| row.node.as_str())).len();
    let names: Vec<String> =
        here.iter().map(|row| label::join(&[if nodes > 1 { &row.node } else { "" }, &row.device], " ")).collect();
    let x = theme::axis(what).range(vec![0.0, 103.0]).n_ticks(6);
    let title = format!("run {run}: {what}");
    let at = sheet.panel(&title, 30 + 26 * names.len(), x, stack::side(&names), true);
    let drawn: Vec<Row> = here
        .iter()
        .enumerate()
        .map(|(place, row)| Row { place, stats: row.stats, triggered: row.triggered, hover: hover(row, name) })
        .collect();
    boxes::draw(sheet, &at, &drawn, name, theme::color(role), P95);
    boxes::limits(sheet, &at, here.iter().map(|row| row.parameters.as_str()), limits);
    at
}

fn judged(frame: &Frame, prefix: &str, finding: impl Fn(bool) -> String) -> Result<Vec<Judged>> {
    let text = |name| read::texts(frame, name);
    let (runs, nodes, devices, parameters) = (text("run")?, text("node")?, text("device")?, text("parameters")?);
    let triggered = frame.column::<bool>("triggered")?;
    let stats = boxes::stats(frame, prefix)?;
    let rows = (0..runs.len()).map(|row| Judged {
        run: runs[row].clone(),
        node: nodes[row].clone(),
        device: devices[row].clone(),
        triggered: triggered[row] == Some(true),
        stats: stats[row],
        parameters: parameters[row].clone(),
        finding: finding(triggered[row] == Some(true)),
    });
    Ok(rows.collect())
}

fn low(frame: &Frame) -> Result<Vec<Judged>> {
    let mut rows = judged(frame, "", |_| String::new())?;
    let (under, fluctuating) = (read::integers(frame, "underused")?, read::integers(frame, "fluctuating")?);
    for (row, (under, fluctuating)) in rows.iter_mut().zip(under.into_iter().zip(fluctuating)) {
        let minutes = |n: Option<i64>| label::grouped(n.unwrap_or(0));
        row.finding = format!(
            "checks at the end of each minute: underused {}, fluctuating {}",
            minutes(under),
            minutes(fluctuating)
        );
    }
    Ok(rows)
}

fn growth(frame: &Frame) -> Result<Vec<Judged>> {
    let mut rows = judged(frame, "", |_| String::new())?;
    let (violations, increase) = (read::integers(frame, "violations")?, read::floats(frame, "increase")?);
    for (row, (violations, increase)) in rows.iter_mut().zip(violations.into_iter().zip(increase)) {
        row.finding = match violations {
            Some(n) if n > 0 => format!(
                "grew {} times, most recently by {} percentage points",
                label::grouped(n),
                label::number(increase)
            ),
            _ => "did not grow by more than the limit".to_owned(),
        };
    }
    Ok(rows)
}

fn room(triggered: bool) -> String {
    let what = if triggered { "cores, GPU and memory allow larger batches" } else { "no capacity for larger batches" };
    what.to_owned()
}

fn hover(row: &Judged, what: &str) -> String {
    let who = label::join(&[&format!("run {}", row.run), &row.node, &row.device], ", ");
    let [low, middle, high, mark] =
        [row.stats.low, row.stats.middle, row.stats.high, row.stats.mark].map(label::number);
    format!(
        "{}<br>{what}: median {middle} %, quartiles {low} and {high} %, 95th percentile {mark} %<br>{}",
        label::plain(&who),
        row.finding
    )
}

/// `2 of 4 GPUs underused or fluctuating; memory grew on 0 of 4; larger batches possible on 1 of 4`
fn title(low: &[Judged], growth: &[Judged], room: &[Judged]) -> String {
    let triggered = |rows: &[Judged]| rows.iter().filter(|row| row.triggered).count();
    let of = if low.is_empty() { growth.len() } else { low.len() };
    let mut parts = Vec::new();
    if !low.is_empty() {
        parts.push(format!("{} of {} underused or fluctuating", triggered(low), label::count(of, "GPU")));
    }
    if !growth.is_empty() {
        parts.push(format!("memory grew on {} of {}", triggered(growth), growth.len()));
    }
    if !room.is_empty() {
        parts.push(format!("larger batches possible on {} of {}", triggered(room), room.len()));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{Made, flags, floats, frame, ints, message, none, texts, told, value};

    fn gpus(prefix: [&'static str; 6], parameters: &'static str, triggered: [bool; 2], more: Vec<Made>) -> Frame {
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

    fn answers() -> [Frame; 3] {
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
        let plot = value(&draw(&answers()).unwrap());
        let layout = &plot["layout"];
        assert_eq!(layout["yaxis"]["ticktext"], json!(["gpu10", "gpu&lt;2&gt;"]));
        let drawn: Vec<&serde_json::Value> = layout["shapes"].as_array().unwrap().iter().collect();
        let lines: Vec<(&str, f64)> =
            drawn.iter().map(|shape| (shape["xref"].as_str().unwrap(), shape["x0"].as_f64().unwrap())).collect();
        assert_eq!(lines, [("x", 70.0), ("x", 10.0), ("x2", 65.0), ("x3", 70.0)]);
        let boxes: Vec<&serde_json::Value> =
            plot["data"].as_array().unwrap().iter().filter(|trace| trace["type"] == "box").collect();
        let told_boxes: Vec<_> = boxes.iter().map(|trace| (&trace["name"], &trace["y"], &trace["median"])).collect();
        assert_eq!(told_boxes[0], (&json!("gpu"), &json!([0.0]), &json!([40.0])));
        assert_eq!(told_boxes[1], (&json!("rule triggered"), &json!([1.0]), &json!([2.0])));
        assert_eq!(told_boxes[2].0, "gpu memory");
        assert_eq!(told_boxes.len(), 5);
        let hovers = plot["data"].to_string();
        assert!(hovers.contains("grew 5 times, most recently by 8.75 percentage points"), "{hovers}");
        let title = "1 of 2 GPUs underused or fluctuating; memory grew on 1 of 2; larger batches possible on 0 of 2 | ";
        assert!(told(&plot).starts_with(title), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let empty = answers().map(|answer| none(&answer));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>GPU usage</b>");
        assert!(note.starts_with("<b>no samples of a GPU in this profile</b>"), "{note}");
    }
}
