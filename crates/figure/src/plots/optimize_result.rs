//! Data loader settings that a search tried, with their results.

use plotly::common::{DashType, ErrorData, ErrorType, Line, Marker, Mode, Orientation};
use plotly::layout::{BarMode, RangeMode};
use plotly::{Bar, Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "optimize_result",
    doc: "The throughput and the memory of each data loader setting that a search tried, with the best one marked, \
          compared with the throughput without waiting for data.",
    queries: &[Ask::new("loader.trials")],
    draw,
};

/// Maximum number of failed settings listed in the notes.
const FAILED: usize = 3;
/// Maximum ratio of the memory limit to the largest memory use. A higher limit is not drawn: it would shrink the bars.
const NEAR: f64 = 3.0;

/// The process that ran the search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Search {
    run: String,
    node: String,
    rank: Option<i64>,
    pid: Option<i64>,
}

/// A setting, or the replay. Throughputs are in the unit of the search.
#[derive(Debug)]
struct Tried {
    search: Search,
    name: String,
    is_replay: bool,
    trials: usize,
    batches: f64,
    samples: f64,
    low: f64,
    high: f64,
    bytes: f64,
    limit: f64,
    is_baseline: bool,
    chosen: bool,
    failed: String,
}

impl Tried {
    fn pace(&self) -> f64 {
        if self.samples.is_nan() { self.batches } else { self.samples }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = tried(read::answer(frames, 0)?)?;
    if rows.iter().all(|row| row.pace().is_nan()) {
        let why = "Search for the best settings with tracelake.record.optimize(loader, step, path=\"runs/search\").";
        return Ok(sheet::message("Search for loader settings", "no search in this profile", why));
    }
    let mut notes = vec!["bars: median trial; error bars: slowest to fastest trial".to_owned()];
    let mut panels = groups(rows.iter().map(|row| row.search.clone()));
    let title =
        panels.first().map_or_else(String::new, |(_, of)| title(&of.iter().map(|row| &rows[*row]).collect::<Vec<_>>()));
    read::cap(&mut panels, PANELS / 2, "searches", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Overlay);
    let alone = panels.len() == 1;
    for (search, of) in &panels {
        let label = label::join(&[&format!("run {}", search.run), &label::place(&search.node, search.rank)], ", ");
        let label = if alone { "" } else { &label };
        let of: Vec<&Tried> = of.iter().map(|row| &rows[*row]).collect();
        let (replay, settings): (Vec<&Tried>, Vec<&Tried>) = of.into_iter().partition(|row| row.is_replay);
        paces(&mut sheet, label, &settings, replay.first().copied());
        memory(&mut sheet, label, &settings, &mut notes);
        let failed = settings.iter().filter(|row| !row.failed.is_empty());
        notes.extend(failed.take(FAILED).map(|row| format!("failed: {}: {}", row.name, label::clip(&row.failed, 80))));
    }
    Ok(sheet.plot(&title, &notes))
}

fn tried(frame: &Frame) -> Result<Vec<Tried>> {
    let (text, integer) = (|name| read::texts(frame, name), |name| read::integers(frame, name));
    let (value, flag) = (|name| read::floats(frame, name), |name| frame.column::<bool>(name));
    let (runs, nodes, variants, failed) = (text("run")?, text("node")?, text("variant")?, text("failed")?);
    let (ranks, pids, trials) = (integer("rank")?, integer("pid")?, integer("trials")?);
    let (workers, sizes, ahead) = (integer("num_workers")?, integer("batch_size")?, integer("prefetch_factor")?);
    let (kept, pinned) = (flag("persistent_workers")?, flag("pin_memory")?);
    let (batches, samples) = (value("batches_per_s")?, value("samples_per_s")?);
    let (low, high, bytes, limit) = (value("low_per_s")?, value("high_per_s")?, value("bytes")?, value("limit_bytes")?);
    let (is_baseline, chosen) = (flag("is_baseline")?, flag("chosen")?);
    // Batch sizes are shown only if they differ.
    let sized = sizes.iter().any(|size| *size != sizes[0]);
    let name = |row: usize| {
        let count = |value: Option<i64>, what: &str| value.map_or(String::new(), |n| format!("{what} {n}"));
        let workers = workers[row].map_or(String::new(), |n| label::count(usize::try_from(n).unwrap_or(0), "worker"));
        let flag = |value: Option<bool>, what: &str| if value == Some(true) { what.to_owned() } else { String::new() };
        let parts = [
            workers,
            count(sizes[row].filter(|_| sized), "batch"),
            count(ahead[row], "prefetch"),
            flag(kept[row], "persistent workers"),
            flag(pinned[row], "pinned"),
        ];
        label::join(&parts.each_ref().map(String::as_str), ", ")
    };
    let rows = runs.into_iter().zip(nodes).zip(failed).enumerate();
    let rows = rows.map(|(row, ((run, node), failed))| Tried {
        search: Search { run, node, rank: ranks[row], pid: pids[row] },
        name: name(row),
        is_replay: variants[row] == "ideal",
        trials: trials[row].and_then(|n| usize::try_from(n).ok()).unwrap_or(0),
        batches: batches[row],
        samples: samples[row],
        low: low[row],
        high: high[row],
        bytes: bytes[row],
        limit: limit[row],
        is_baseline: is_baseline[row].unwrap_or(false),
        chosen: chosen[row].unwrap_or(false),
        failed,
    });
    Ok(rows.collect())
}

/// `best: 2 workers, batch 8`
fn marked(row: &Tried) -> String {
    let marks = [(row.chosen, "best"), (row.is_baseline, "baseline"), (!row.failed.is_empty(), "failed")];
    let marks: Vec<&str> = marks.into_iter().filter_map(|(holds, mark)| holds.then_some(mark)).collect();
    label::join(&[&marks.join(", "), &row.name], ": ")
}

/// Draws the throughput panel with the line of the replay.
fn paces(sheet: &mut Sheet, label: &str, settings: &[&Tried], replay: Option<&Tried>) {
    let unit = unit(settings);
    let x = theme::axis(&format!("throughput ({unit})")).range_mode(RangeMode::ToZero);
    let names: Vec<String> = settings.iter().map(|row| marked(row)).collect();
    let label = label::join(&[label, &format!("throughput ({unit})")], ", ");
    let at = sheet.panel(&label, 30 + 30 * names.len(), x, stack::side(&names), true);
    let hover = |row: &Tried| {
        format!(
            "{}<br>{} {unit}, median of {}<br>slowest {}, fastest {}",
            marked(row),
            label::number(row.pace()),
            label::count(row.trials, "trial"),
            label::number(row.low),
            label::number(row.high)
        )
    };
    let reach = |value: fn(&Tried) -> f64| settings.iter().map(|row| value(row)).collect();
    let range = ErrorData::new(ErrorType::Data)
        .symmetric(false)
        .array(reach(|row| row.high - row.pace()))
        .array_minus(reach(|row| row.pace() - row.low))
        .color(theme::INK);
    bars(
        sheet,
        &at,
        "throughput",
        settings,
        reach(Tried::pace),
        settings.iter().map(|row| hover(row)).collect(),
        Some(range),
    );
    if let Some(replay) = replay.filter(|row| !row.pace().is_nan()) {
        let text = format!("{} {unit} without waiting for data", label::number(replay.pace()));
        line(sheet, &at, "without waiting for data", replay.pace(), settings.len(), &text);
    }
}

/// Draws the memory panel with the line of the limit. Draws nothing if memory is unknown.
fn memory(sheet: &mut Sheet, label: &str, settings: &[&Tried], notes: &mut Vec<String>) {
    let most = settings.iter().map(|row| row.bytes).filter(|bytes| !bytes.is_nan()).fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    let scale = Scale::bytes(most);
    let x = theme::axis(&format!("resident memory ({})", scale.unit)).range_mode(RangeMode::ToZero);
    let names: Vec<String> = settings.iter().map(|row| row.name.clone()).collect();
    let label = label::join(&[label, "resident memory"], ", ");
    let at = sheet.panel(&label, 30 + 20 * names.len(), x, stack::side(&names), true);
    let hover = settings.iter().map(|row| format!("{}<br>at most {}", marked(row), scale.text(row.bytes)));
    let values = settings.iter().map(|row| scale.of(row.bytes)).collect();
    bars(sheet, &at, "memory", settings, values, hover.collect(), None);
    let Some(limit) = settings.iter().map(|row| row.limit).find(|limit| !limit.is_nan()) else { return };
    let text = format!("memory limit of a setting: {}", Scale::bytes(limit).text(limit));
    if limit <= NEAR * most {
        line(sheet, &at, "memory limit", scale.of(limit), settings.len(), &text);
    }
    notes.push(text);
}

/// Draws a bar for each setting. The best one has the full color.
fn bars(
    sheet: &mut Sheet,
    at: &Place,
    name: &str,
    settings: &[&Tried],
    values: Vec<f64>,
    hover: Vec<String>,
    range: Option<ErrorData>,
) {
    let color = theme::color(if name == "memory" { "memory" } else { "busy" });
    let colors = settings.iter().map(|row| if row.chosen { color.to_owned() } else { theme::faint(color, 0.4) });
    let rows: Vec<f64> = (0..values.len()).map(|row| row as f64).collect();
    let mut bars = Bar::new(values, rows)
        .name(name)
        .show_legend(false)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color_array(colors.collect()))
        .hover_text_array(hover)
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y);
    if let Some(range) = range {
        bars = bars.error_x(range);
    }
    sheet.trace(bars);
}

/// Draws a vertical line over all rows, as a trace, so that the axis range includes it.
fn line(sheet: &mut Sheet, at: &Place, name: &str, x: f64, rows: usize, hover: &str) {
    let show = sheet.first(name);
    let line = Scatter::new(vec![x, x], vec![-0.5, rows as f64 - 0.5])
        .mode(Mode::Lines)
        .name(name)
        .legend_group(name)
        .show_legend(show)
        .line(Line::new().color(theme::color("outlier")).width(1.5).dash(DashType::Dash))
        .hover_text_array(vec![hover.to_owned(); 2])
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y);
    sheet.trace(line);
}

fn unit(settings: &[&Tried]) -> &'static str {
    if settings.iter().all(|row| row.samples.is_nan()) { "batches/s" } else { "samples/s" }
}

/// `2 workers: 1.9x as fast as 0 workers; 5.1x without waiting for data`
fn title(rows: &[&Tried]) -> String {
    let find = |holds: fn(&Tried) -> bool| rows.iter().find(|row| holds(row) && !row.pace().is_nan());
    let Some(baseline) = find(|row| row.is_baseline) else {
        return format!("{} tried; the search did not finish", label::count(rows.len(), "setting"));
    };
    let factor = |row: &Tried| format!("{}x", label::number(row.pace() / baseline.pace()));
    let free = find(|row| row.is_replay)
        .map_or(String::new(), |replay| format!("; {} without waiting for data", factor(replay)));
    match find(|row| row.chosen && !row.is_baseline) {
        Some(best) => format!("{}: {} as fast as {}{free}", best.name, factor(best), baseline.name),
        None => format!("no setting is reliably faster than {}{free}", baseline.name),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, known, message, none, texts, told, value};

    /// A search over 0, 2 and 4 workers, and the replay. With 4 workers, memory runs out.
    fn answer(limit: i64, sized: bool) -> Frame {
        let unknown = [f64::NAN; 4];
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &["n"; 4]),
            known("rank", &[-1; 4]),
            known("pid", &[7; 4]),
            texts("variant", &["real", "real", "real", "ideal"]),
            known("num_workers", &[0, 2, 4, 0]),
            known("batch_size", &[8; 4]),
            known("prefetch_factor", &[-1, 4, -1, -1]),
            flags("persistent_workers", &[false, true, false, false]),
            flags("pin_memory", &[false; 4]),
            known("trials", &[5, 5, 0, 5]),
            floats("batches_per_s", &[10.0, 20.0, f64::NAN, 50.0]),
            floats("samples_per_s", if sized { &[80.0, 160.0, f64::NAN, 400.0] } else { &unknown }),
            floats("low_per_s", &[72.0, 150.0, f64::NAN, 390.0]),
            floats("high_per_s", &[88.0, 165.0, f64::NAN, 410.0]),
            known("bytes", &[100_000_000, 200_000_000, -1, 100_000_000]),
            known("limit_bytes", &[limit; 4]),
            flags("is_baseline", &[true, false, false, false]),
            flags("chosen", &[false, true, false, false]),
            texts("failed", &["", "", "MemoryError: <much>", ""]),
        ])
    }

    #[test]
    fn the_best_setting_stands_beside_the_replay() {
        let plot = value(&draw(&[answer(300_000_000, true)]).unwrap());
        let bars = &plot["data"][0];
        assert_eq!(bars["x"], json!([80.0, 160.0, null]));
        assert_eq!(bars["error_x"]["array"], json!([8.0, 5.0, null]));
        assert_eq!(bars["error_x"]["arrayminus"], json!([8.0, 10.0, null]));
        let colors = bars["marker"]["color"].as_array().unwrap();
        assert!(colors[1] == theme::color("busy") && colors[0] != colors[1] && colors[0] == colors[2]);
        assert_eq!(
            plot["layout"]["yaxis"]["ticktext"],
            json!(["baseline: 0 workers", "best: 2 workers, prefetch 4, persiste…", "failed: 4 workers"])
        );
        assert_eq!(
            (&plot["data"][1]["x"], &plot["data"][1]["name"]),
            (&json!([400.0, 400.0]), &json!("without waiting for data"))
        );
        assert_eq!(plot["data"][2]["x"], json!([100.0, 200.0, null]));
        assert_eq!((&plot["data"][3]["x"], &plot["data"][3]["name"]), (&json!([300.0, 300.0]), &json!("memory limit")));
        assert_eq!(plot["layout"]["annotations"][0]["text"], "throughput (samples/s)");
        assert_eq!(plot["layout"]["xaxis2"]["title"]["text"], "resident memory (MB)");
        assert_eq!(
            told(&plot),
            "2 workers, prefetch 4, persistent workers: 2x as fast as 0 workers; 5x without waiting for data | \
             bars: median trial; error bars: slowest to fastest trial memory limit of a setting: 300 MB \
             failed: 4 workers: MemoryError: &lt;much&gt;"
        );
    }

    #[test]
    fn a_limit_far_off_is_said_and_not_drawn() {
        let plot = value(&draw(&[answer(20_000_000_000, false)]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 3);
        assert!(told(&plot).contains("memory limit of a setting: 20 GB"), "{}", told(&plot));
        assert_eq!(plot["data"][0]["x"], json!([10.0, 20.0, null]));
        assert_eq!(plot["layout"]["annotations"][0]["text"], "throughput (batches/s)");
    }

    #[test]
    fn nothing_tried_is_said() {
        let (title, note) = message(&draw(&[none(&answer(1, true))]).unwrap());
        assert_eq!(title, "<b>Search for loader settings</b>");
        assert!(note.contains("tracelake.record.optimize"), "{note}");
    }
}
