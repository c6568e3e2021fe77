//! Utilization of each device over time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plotly::Plot;
use plotly::common::Font;

use crate::kit::load::{Load, metric_name};
use crate::kit::read::{count_distinct, group_by, natural_key};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_heatmap",
    doc: "The load of every CPU core and accelerator over time as colors, a row per device; a panel per run.",
    queries: &[FigureQuery { query: "utilization.over_time", params: &[("by_device", "true")] }],
    draw,
};

/// Maximum number of rows in the figure. A row needs 14 pixels for its label.
const ROWS: usize = 96;
/// Maximum number of columns in a panel. Later bins are excluded.
const COLUMNS: i64 = 2000;

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut loads = Load::read(read::frame(frames, 0)?)?;
    loads.retain(|load| load.unit == "percent");
    if loads.is_empty() {
        let why = format!("No utilization in percent was recorded for any device. {}", sheet::NO_MACHINE_METRICS);
        return Ok(sheet::message_plot("Utilization heatmap", "no system metrics in this profile", &why));
    }
    let width = loads.iter().map(|load| load.dur).max().unwrap_or(0);
    let mut notes = vec![format!("mean in bins of up to {}", label::duration(width as f64))];
    let mut runs = group_by(&loads, |load| load.run.as_str());
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let max_rows = ROWS / runs.len();
    let mut sheet = Sheet::default();
    for (index, (_, loads)) in runs.iter().enumerate() {
        draw_run(&mut sheet, loads, max_rows, index == 0, &mut notes);
    }
    Ok(sheet.into_plot(&title(&loads), &notes))
}

/// Draws the panel of a run, with or without the color bar.
fn draw_run(sheet: &mut Sheet, loads: &[&Load], max_rows: usize, with_color_bar: bool, notes: &mut Vec<String>) {
    let run = &loads[0].run;
    let several_nodes = count_distinct(loads.iter().map(|load| &load.node)) > 1;
    let mut rows = group_by(loads.iter().copied(), |load| (&load.node, &load.resource, &load.metric, &load.device));
    // The limit removes the last rows, so utilization comes first, then accelerators.
    rows.sort_by_key(|((node, resource, metric, device), _)| {
        (*metric != "utilization", *resource != "gpu", natural_key(node), *resource, *metric, natural_key(device))
    });
    read::truncate(&mut rows, max_rows, &format!("rows of {}", label::clip(run, 20)), notes);
    rows.sort_by_key(|((node, resource, metric, device), _)| {
        (
            natural_key(node),
            Reverse(*resource == "gpu"),
            *resource,
            *metric != "utilization",
            *metric,
            natural_key(device),
        )
    });
    let name = |(node, resource, metric, device): (&String, &String, &String, &String)| {
        let device = if device.is_empty() { resource } else { device };
        let node = if several_nodes { node.as_str() } else { "" };
        label::sanitize(&label::join(&[node, &metric_name(device, metric)], " "))
    };
    let names: Vec<String> = rows.iter().map(|(key, _)| name(*key)).collect();
    let (times, means) = load_matrix(loads, rows.iter().map(|(_, loads)| loads.as_slice()));
    let y = theme::category_axis(names.clone()).show_grid(false).dtick(1.0).tick_font(Font::new().size(10));
    let x = theme::time_axis(loads.iter().map(|load| load.ts).min().unwrap_or(0)).n_ticks(4).show_grid(false);
    let axes = sheet.add_panel(&format!("run {run}"), (names.len() * 14).max(40), x, y, true);
    let node = if several_nodes { "" } else { loads[0].node.as_str() };
    let who = label::sanitize(&label::process(run, node, None));
    let hover = format!("{who}<br>%{{y}}<br>mean %{{z:.1f}} %<br>around %{{x}}<extra></extra>");
    let color_bar = with_color_bar.then(|| theme::color_bar("mean (%)", 150));
    sheet.add_trace(series::heatmap(times, names, means, 100.0, color_bar, &axes).hover_template(hover));
}

/// The middles of all bins from the first to the last, and the mean of each row in each bin. `None` means no data.
fn load_matrix<'a>(
    loads: &[&Load],
    rows: impl Iterator<Item = &'a [&'a Load]>,
) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let width = loads.iter().map(|load| load.dur).max().unwrap_or(1).max(1);
    let first = loads.iter().map(|load| load.ts).min().unwrap_or(0);
    let last = loads.iter().map(|load| load.ts).max().unwrap_or(0);
    let columns = (last.saturating_sub(first) / width).saturating_add(1).clamp(1, COLUMNS);
    let times = (0..columns)
        .map(|column| label::time(first.saturating_add(column.saturating_mul(width)).saturating_add(width / 2)))
        .collect();
    let means = rows.map(|loads| {
        let means: BTreeMap<i64, f64> =
            loads.iter().map(|load| (load.ts.saturating_sub(first) / width, load.mean)).collect();
        (0..columns).map(|column| means.get(&column).copied()).collect()
    });
    (times, means.collect())
}

/// `GPU utilization of 4 devices: mean from 3 % (gpu1) to 97 % (gpu3)`
fn title(loads: &[Load]) -> String {
    let resource = if loads.iter().any(|load| load.resource == "gpu") { "gpu" } else { &loads[0].resource };
    let metrics = loads.iter().filter(|load| load.resource == resource).map(|load| load.metric.as_str());
    let metric = metrics.max_by_key(|metric| *metric == "utilization").unwrap_or_default();
    let chosen: Vec<&Load> = loads.iter().filter(|load| load.resource == resource && load.metric == metric).collect();
    let several_runs = count_distinct(chosen.iter().map(|load| &load.run)) > 1;
    let several_nodes = count_distinct(chosen.iter().map(|load| &load.node)) > 1;
    let devices = group_by(chosen, |load| (&load.run, &load.node, &load.device));
    let mut means: Vec<(f64, String)> = devices
        .iter()
        .map(|((run, node, device), loads)| {
            let run = if several_runs { run.as_str() } else { "" };
            let name = label::join(&[run, if several_nodes { node } else { "" }, device], " ");
            (Load::mean_of(loads), if name.is_empty() { resource.to_owned() } else { name })
        })
        .collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let what = label::capitalize(&metric_name(resource, metric));
    let share = |mean: f64| label::percentage(mean, 100.0);
    match &means[..] {
        [(low, low_device), .., (high, high_device)] => format!(
            "{what} of {} devices: mean from {} ({low_device}) to {} ({high_device})",
            means.len(),
            share(*low),
            share(*high)
        ),
        [(mean, device)] => format!("{what} of {device}: mean {}", share(*mean)),
        [] => what,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, texts, to_value, without_rows};

    const S: i64 = 1_000_000_000;

    fn over_time(devices: &[&str]) -> Frame {
        let n = devices.len();
        let ts: Vec<i64> = (0..2 * n).map(|row| if row < n { 0 } else { 20 * S }).collect();
        let mean: Vec<f64> = (0..2 * n).map(|row| row as f64 % 101.0).collect();
        let all: Vec<&str> = devices.iter().chain(devices).copied().collect();
        frame(vec![
            texts("run", &vec!["a"; 2 * n]),
            texts("node", &vec!["n1"; 2 * n]),
            texts("resource", &vec!["cpu"; 2 * n]),
            texts("metric", &vec!["utilization"; 2 * n]),
            texts("unit", &vec!["percent"; 2 * n]),
            texts("device", &all),
            ints("ts", &ts),
            ints("dur", &vec![10 * S; 2 * n]),
            ints("n", &vec![5; 2 * n]),
            floats("mean", &mean),
            floats("min", &mean),
            floats("max", &mean),
        ])
    }

    #[test]
    fn a_row_per_device_and_a_column_per_bin() {
        let plot = to_value(&draw(&[over_time(&["cpu10", "cpu2", "<x>"])]).unwrap());
        let map = &plot["data"][0];
        assert_eq!(map["y"], json!(["&lt;x&gt; utilization", "cpu2 utilization", "cpu10 utilization"]));
        assert_eq!(map["x"], json!(["5000", "15000", "25000"]));
        assert_eq!(map["z"], json!([[2.0, null, 5.0], [1.0, null, 4.0], [0.0, null, 3.0]]));
        assert_eq!((&map["zmin"], &map["zmax"]), (&json!(0.0), &json!(100.0)));
        assert_eq!(map["hovertemplate"], "run a, n1<br>%{y}<br>mean %{z:.1f} %<br>around %{x}<extra></extra>");
        assert_eq!(map["colorbar"]["title"]["text"], "mean (%)");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time since the first event (ms)");
        assert_eq!(
            heading(&plot),
            "CPU utilization of 3 devices: mean from 1.5 % (cpu10) to 3.5 % (&lt;x&gt;) | mean in bins of up to 10 s"
        );
    }

    #[test]
    fn the_number_of_rows_is_limited() {
        let devices: Vec<String> = (0..200).map(|core| format!("cpu{core}")).collect();
        let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
        let plot = to_value(&draw(&[over_time(&devices)]).unwrap());
        assert_eq!(plot["data"][0]["y"].as_array().unwrap().len(), ROWS);
        assert_eq!(plot["data"][0]["y"][95], "cpu95 utilization");
        let title = heading(&plot);
        assert!(title.ends_with("96 of 200 rows of a shown"), "{title}");
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&over_time(&["cpu0"]))]).unwrap());
        assert_eq!(title, "<b>Utilization heatmap</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b><br>"), "{note}");
    }
}
