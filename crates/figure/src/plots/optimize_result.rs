//! Data loader settings that a search tried, with their results.

use plotly::common::{DashType, ErrorData, ErrorType, Line, Marker, Mode, Orientation};
use plotly::{Bar, Plot, Scatter};
use tracelake_model::unit::Unit;

use crate::kit::label::Scale;
use crate::kit::read::{FieldSource, group_by, row_types};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "optimize_result",
    doc: "The throughput and the memory of each data loader setting that a search tried, with the best one marked, \
          compared with the throughput without waiting for data.",
    queries: &[FigureQuery::new("loader.trials")],
    draw,
};

/// Maximum number of failed settings listed in the notes.
const FAILED: usize = 3;
/// Maximum ratio of the memory limit to the largest memory use. A higher limit is not drawn: it would shrink the bars.
const MAX_LIMIT_RATIO: f64 = 3.0;

row_types! {
    /// A setting, or the replay. Throughputs are in batches or samples per second, sizes in bytes.
    #[derive(Debug)]
    struct LoaderSetting {
        run: String,
        node: String,
        rank: Option<i64>,
        pid: Option<i64>,
        name: String = SettingNames,
        variant: String,
        trials: i64,
        batches: f64 = "batches_per_s",
        samples: f64 = "samples_per_s",
        low: f64 = "low_per_s",
        high: f64 = "high_per_s",
        bytes: f64,
        limit: f64 = "limit_bytes",
        is_baseline: bool,
        chosen: bool,
        /// Error message of a failed setting.
        failed: String,
    }

    /// The options of a loader in a setting.
    struct LoaderOptions {
        workers: Option<i64> = "num_workers",
        batch_size: Option<i64>,
        prefetch_factor: Option<i64>,
        persistent_workers: bool,
        pin_memory: bool,
    }
}

impl LoaderSetting {
    fn throughput(&self) -> f64 {
        if self.samples.is_nan() { self.batches } else { self.samples }
    }

    fn is_replay(&self) -> bool {
        self.variant == "ideal"
    }

    /// `best: 2 workers, batch 8`
    fn marked_name(&self) -> String {
        let marks = [(self.chosen, "best"), (self.is_baseline, "baseline"), (!self.failed.is_empty(), "failed")];
        let marks: Vec<&str> = marks.into_iter().filter_map(|(holds, mark)| holds.then_some(mark)).collect();
        label::join(&[&marks.join(", "), &self.name], ": ")
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let settings = LoaderSetting::read(read::frame(frames, 0)?)?;
    if settings.iter().all(|setting| setting.throughput().is_nan()) {
        let why = "Search for the best settings with tracelake.record.optimize(loader, step, path=\"runs/search\").";
        return Ok(sheet::message_plot("Search for loader settings", "no search in this profile", why));
    }
    let mut notes = vec!["bars: median trial; error bars: slowest to fastest trial".to_owned()];
    // A search is a process.
    let mut panels = group_by(&settings, |setting| (&setting.run, &setting.node, setting.rank, setting.pid));
    let ((run, node, rank, _), first) = &panels[0];
    let name = if panels.len() > 1 { label::capitalize(&label::process(run, node, *rank)) } else { String::new() };
    let title = label::join(&[&name, &title(first)], ": ");
    read::truncate(&mut panels, PANELS / 2, "searches", &mut notes);
    let mut sheet = Sheet::default();
    let several = panels.len() > 1;
    for ((run, node, rank, _), settings) in &panels {
        let label = if several { label::process(run, node, *rank) } else { String::new() };
        let (replays, settings): (Vec<&LoaderSetting>, Vec<&LoaderSetting>) =
            settings.iter().copied().partition(|setting| setting.is_replay());
        draw_throughput(&mut sheet, &label, &settings, replays.first().copied());
        draw_memory(&mut sheet, &label, &settings, &mut notes);
        let failed = settings.iter().filter(|setting| !setting.failed.is_empty()).take(FAILED);
        notes.extend(failed.map(|setting| format!("failed: {}: {}", setting.name, label::clip(&setting.failed, 80))));
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// The names of the settings, such as `2 workers, batch 8, pinned`.
struct SettingNames;

impl FieldSource<String> for SettingNames {
    fn values(self, frame: &Frame) -> Result<Vec<Option<String>>> {
        let options = LoaderOptions::read(frame)?;
        // Batch sizes are shown only if they differ.
        let with_batch_size = options.iter().any(|row| row.batch_size != options[0].batch_size);
        let name = |row: &LoaderOptions| {
            let workers = row.workers.map_or(String::new(), |n| label::count(n, "worker"));
            let batch = label::numbered("batch", row.batch_size.filter(|_| with_batch_size));
            let prefetch = label::numbered("prefetch", row.prefetch_factor);
            let persistent = if row.persistent_workers { "persistent workers" } else { "" };
            let pinned = if row.pin_memory { "pinned" } else { "" };
            Some(label::join(&[&workers, &batch, &prefetch, persistent, pinned], ", "))
        };
        Ok(options.iter().map(name).collect())
    }
}

/// Draws the throughput of the settings, with the line of the replay.
fn draw_throughput(sheet: &mut Sheet, label: &str, settings: &[&LoaderSetting], replay: Option<&LoaderSetting>) {
    let unit = if settings.iter().all(|setting| setting.samples.is_nan()) { "batches/s" } else { "samples/s" };
    let names: Vec<String> = settings.iter().map(|setting| setting.marked_name()).collect();
    let label = label::join(&[label, &format!("throughput ({unit})")], ", ");
    let x = theme::axis_from_zero("throughput", unit);
    let axes = stack::add_panel(sheet, &label, 30 + 30 * names.len(), x, &names);
    let hover = |setting: &&LoaderSetting| {
        format!(
            "{}<br>{} {unit}, median of {}<br>slowest {}, fastest {}",
            setting.marked_name(),
            label::number(setting.throughput()),
            label::count(setting.trials, "trial"),
            label::number(setting.low),
            label::number(setting.high)
        )
    };
    let column = |value: fn(&LoaderSetting) -> f64| settings.iter().map(|setting| value(setting)).collect();
    let error = ErrorData::new(ErrorType::Data)
        .symmetric(false)
        .array(column(|setting| setting.high - setting.throughput()))
        .array_minus(column(|setting| setting.throughput() - setting.low))
        .color(theme::INK);
    let bars = bars("throughput", theme::color("busy"), &axes, settings, column(LoaderSetting::throughput));
    sheet.add_trace(bars.error_x(error).hover_texts(settings.iter().map(hover).collect()));
    if let Some(replay) = replay.map(LoaderSetting::throughput).filter(|throughput| !throughput.is_nan()) {
        let hover = format!("{} {unit} without waiting for data", label::number(replay));
        draw_line(sheet, &axes, "without waiting for data", replay, settings.len(), &hover);
    }
}

/// Draws the memory of the settings, with the line of the limit. Draws nothing if memory is unknown.
fn draw_memory(sheet: &mut Sheet, label: &str, settings: &[&LoaderSetting], notes: &mut Vec<String>) {
    let max = settings.iter().map(|setting| setting.bytes).filter(|bytes| !bytes.is_nan()).fold(0.0, f64::max);
    if max <= 0.0 {
        return;
    }
    let scale = Scale::bytes(max);
    let names: Vec<String> = settings.iter().map(|setting| setting.name.clone()).collect();
    let label = label::join(&[label, "resident memory"], ", ");
    let x = theme::axis_from_zero("resident memory", scale.unit);
    let axes = stack::add_panel(sheet, &label, 30 + 20 * names.len(), x, &names);
    let hover =
        settings.iter().map(|setting| format!("{}<br>at most {}", setting.marked_name(), scale.text(setting.bytes)));
    let values = settings.iter().map(|setting| scale.convert(setting.bytes)).collect();
    let bars = bars("memory", theme::color("memory"), &axes, settings, values);
    sheet.add_trace(bars.hover_texts(hover.collect()));
    let Some(limit) = settings.iter().map(|setting| setting.limit).find(|limit| !limit.is_nan()) else { return };
    let text = format!("memory limit of a setting: {}", label::amount(limit, Some(Unit::Bytes)));
    if limit <= MAX_LIMIT_RATIO * max {
        draw_line(sheet, &axes, "memory limit", scale.convert(limit), settings.len(), &text);
    }
    notes.push(text);
}

/// A bar for each setting. The best one has the full color.
fn bars(
    name: &str,
    color: &str,
    axes: &PanelAxes,
    settings: &[&LoaderSetting],
    values: Vec<f64>,
) -> Box<Bar<f64, f64>> {
    let colors =
        settings.iter().map(|setting| if setting.chosen { color.to_owned() } else { theme::with_opacity(color, 0.4) });
    let rows: Vec<f64> = (0..values.len()).map(|row| row as f64).collect();
    Bar::new(values, rows)
        .name(name)
        .show_legend(false)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color_array(colors.collect()))
        .on_axes(axes)
}

/// Draws a vertical line over all rows, as a trace, so that the axis range includes it.
fn draw_line(sheet: &mut Sheet, axes: &PanelAxes, name: &str, x: f64, rows: usize, hover: &str) {
    let line = Scatter::new(vec![x, x], vec![-0.5, rows as f64 - 0.5])
        .mode(Mode::Lines)
        .line(Line::new().color(theme::color("outlier")).width(1.5).dash(DashType::Dash))
        .hover_texts(vec![hover.to_owned(); 2]);
    sheet.add_named_trace(axes, name, line);
}

/// `2 workers: 1.9x as fast as 0 workers; 5.1x without waiting for data`
fn title(settings: &[&LoaderSetting]) -> String {
    let find = |holds: fn(&LoaderSetting) -> bool| {
        settings.iter().find(|setting| holds(setting) && !setting.throughput().is_nan())
    };
    let Some(baseline) = find(|setting| setting.is_baseline) else {
        return format!("{} tried; the search did not finish", label::count(settings.len(), "setting"));
    };
    let factor = |setting: &LoaderSetting| format!("{}x", label::number(setting.throughput() / baseline.throughput()));
    let without_waits = find(LoaderSetting::is_replay)
        .map_or(String::new(), |replay| format!("; {} without waiting for data", factor(replay)));
    match find(|setting| setting.chosen && !setting.is_baseline) {
        Some(best) => format!("{}: {} as fast as {}{without_waits}", best.name, factor(best), baseline.name),
        None => format!("No setting is reliably faster than {}{without_waits}", baseline.name),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    /// A search over 0, 2 and 4 workers, and the replay. With 4 workers, memory runs out.
    fn trials(limit: i64, has_samples: bool) -> Frame {
        let unknown = [f64::NAN; 4];
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &["n"; 4]),
            nullable_ints("rank", &[-1; 4]),
            nullable_ints("pid", &[7; 4]),
            texts("variant", &["real", "real", "real", "ideal"]),
            nullable_ints("num_workers", &[0, 2, 4, 0]),
            nullable_ints("batch_size", &[8; 4]),
            nullable_ints("prefetch_factor", &[-1, 4, -1, -1]),
            flags("persistent_workers", &[false, true, false, false]),
            flags("pin_memory", &[false; 4]),
            nullable_ints("trials", &[5, 5, 0, 5]),
            floats("batches_per_s", &[10.0, 20.0, f64::NAN, 50.0]),
            floats("samples_per_s", if has_samples { &[80.0, 160.0, f64::NAN, 400.0] } else { &unknown }),
            floats("low_per_s", &[72.0, 150.0, f64::NAN, 390.0]),
            floats("high_per_s", &[88.0, 165.0, f64::NAN, 410.0]),
            nullable_ints("bytes", &[100_000_000, 200_000_000, -1, 100_000_000]),
            nullable_ints("limit_bytes", &[limit; 4]),
            flags("is_baseline", &[true, false, false, false]),
            flags("chosen", &[false, true, false, false]),
            texts("failed", &["", "", "MemoryError: <much>", ""]),
        ])
    }

    #[test]
    fn the_best_setting_is_compared_with_the_replay() {
        let plot = to_value(&draw(&[trials(300_000_000, true)]).unwrap());
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
            heading(&plot),
            "2 workers, prefetch 4, persistent workers: 2x as fast as 0 workers; 5x without waiting for data | \
             bars: median trial; error bars: slowest to fastest trial memory limit of a setting: 300 MB \
             failed: 4 workers: MemoryError: &lt;much&gt;"
        );
    }

    #[test]
    fn a_distant_limit_is_only_in_the_notes() {
        let plot = to_value(&draw(&[trials(20_000_000_000, false)]).unwrap());
        assert_eq!(plot["data"].as_array().unwrap().len(), 3);
        assert!(heading(&plot).contains("memory limit of a setting: 20 GB"), "{}", heading(&plot));
        assert_eq!(plot["data"][0]["x"], json!([10.0, 20.0, null]));
        assert_eq!(plot["layout"]["annotations"][0]["text"], "throughput (batches/s)");
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&trials(1, true))]).unwrap());
        assert_eq!(title, "<b>Search for loader settings</b>");
        assert!(note.contains("tracelake.record.optimize"), "{note}");
    }
}
