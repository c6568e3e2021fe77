//! Utilization of each device over time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plotly::common::{Anchor, ColorBar, Font, ThicknessMode, Title};
use plotly::layout::CategoryOrder;
use plotly::{HeatMap, Plot};

use crate::kit::load::{Load, loads, words};
use crate::kit::read::{groups, natural};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "utilization_heatmap",
    doc: "The load of every CPU core and accelerator over time as colors, a row per device; a panel per run.",
    queries: &[Ask { query: "utilization.over_time", params: &[("by_device", "true")] }],
    draw,
};

/// Maximum number of rows in the figure. A row needs 14 pixels for its label.
const ROWS: usize = 96;
/// Maximum number of columns in a panel. Later bins are excluded.
const COLUMNS: i64 = 2000;

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut loads = loads(read::answer(frames, 0)?)?;
    loads.retain(|load| load.unit == "percent");
    if loads.is_empty() {
        let why = format!("No utilization in percent was recorded for any device. {}", sheet::MACHINES);
        return Ok(sheet::message("Utilization heatmap", "no system metrics in this profile", &why));
    }
    let title = title(&loads);
    let width = loads.iter().map(|load| load.dur).max().unwrap_or(0);
    let mut notes = vec![format!("mean in bins of up to {}", label::duration(width as f64))];
    let mut runs = groups(loads.iter().map(|load| load.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let most = ROWS / runs.len();
    let mut sheet = Sheet::default();
    for (place, (run, rows)) in runs.iter().enumerate() {
        let rows: Vec<&Load> = rows.iter().map(|row| &loads[*row]).collect();
        let nodes = groups(rows.iter().map(|load| load.node.as_str())).len();
        let mut lines = groups(
            rows.iter()
                .map(|load| (load.node.as_str(), load.resource.as_str(), load.metric.as_str(), load.device.as_str())),
        );
        // The cap removes the last rows, so utilization comes first, then accelerators.
        lines.sort_by_key(|((node, resource, metric, device), _)| {
            (*metric != "utilization", *resource != "gpu", natural(node), *resource, *metric, natural(device))
        });
        read::cap(&mut lines, most, &format!("rows of {}", label::clip(run, 20)), &mut notes);
        lines.sort_by_key(|((node, resource, metric, device), _)| {
            (natural(node), Reverse(*resource == "gpu"), *resource, *metric != "utilization", *metric, natural(device))
        });
        let names: Vec<String> = lines
            .iter()
            .map(|((node, resource, metric, device), _)| {
                let device = if device.is_empty() { *resource } else { *device };
                label::plain(&label::join(&[if nodes > 1 { node } else { "" }, &words(device, metric)], " "))
            })
            .collect();
        let (x, z) = grid(&rows, &lines.into_iter().map(|(_, members)| members).collect::<Vec<_>>());
        let mut upward = names.clone();
        upward.reverse();
        let y = theme::axis("").category_order(CategoryOrder::Array).category_array(upward).show_grid(false);
        let y = y.dtick(1.0).tick_font(Font::new().size(10));
        let x_axis = theme::time_axis().n_ticks(4).show_grid(false);
        let at = sheet.panel(&format!("run {run}"), (names.len() * 14).max(40), x_axis, y, true);
        let node = if nodes > 1 { "" } else { rows[0].node.as_str() };
        let who = label::plain(&label::join(&[&format!("run {run}"), node], ", "));
        let mut map = HeatMap::new(x, names, z)
            .zmin(0.0)
            .zmax(100.0)
            .color_scale(theme::heat())
            .show_scale(place == 0)
            .hover_on_gaps(false)
            .hover_template(format!("{who}<br>%{{y}}<br>mean %{{z:.1f}} %<br>around %{{x}}<extra></extra>"))
            .x_axis(&at.x)
            .y_axis(&at.y);
        if place == 0 {
            map = map.color_bar(bar());
        }
        sheet.trace(map);
    }
    Ok(sheet.plot(&title, &notes))
}

/// The color bar, at the top right.
fn bar() -> ColorBar {
    ColorBar::new()
        .title(Title::with_text("mean (%)"))
        .thickness(12)
        .outline_width(0)
        .len_mode(ThicknessMode::Pixels)
        .len(150)
        .y(1.0)
        .y_anchor(Anchor::Top)
}

/// The middles of all bins from the first to the last, and the mean of each line in each bin. `None` means no data.
fn grid(rows: &[&Load], lines: &[Vec<usize>]) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let width = rows.iter().map(|load| load.dur).max().unwrap_or(1).max(1);
    let first = rows.iter().map(|load| load.ts).min().unwrap_or(0);
    let last = rows.iter().map(|load| load.ts).max().unwrap_or(0);
    let columns = (last.saturating_sub(first) / width).saturating_add(1).clamp(1, COLUMNS);
    let x = (0..columns)
        .map(|column| label::time(first.saturating_add(column.saturating_mul(width)).saturating_add(width / 2)))
        .collect();
    let line = |members: &Vec<usize>| {
        let means: BTreeMap<i64, f64> = members
            .iter()
            .map(|place| {
                let load = rows[*place];
                (load.ts.saturating_sub(first) / width, load.mean)
            })
            .collect();
        (0..columns).map(|column| means.get(&column).copied()).collect()
    };
    (x, lines.iter().map(line).collect())
}

/// `gpu utilization of 4 devices: mean from 3 % (gpu1) to 97 % (gpu3)`
fn title(loads: &[Load]) -> String {
    let resource = if loads.iter().any(|load| load.resource == "gpu") { "gpu" } else { &loads[0].resource };
    let metric = loads.iter().filter(|load| load.resource == resource).map(|load| load.metric.as_str());
    let metric = metric.max_by_key(|metric| *metric == "utilization").unwrap_or_default();
    let chosen: Vec<&Load> = loads.iter().filter(|load| load.resource == resource && load.metric == metric).collect();
    let devices = groups(chosen.iter().map(|load| (load.run.as_str(), load.node.as_str(), load.device.as_str())));
    let several = |part: fn(&Load) -> &str| groups(chosen.iter().map(|load| part(load))).len() > 1;
    let (runs, nodes) = (several(|load| &load.run), several(|load| &load.node));
    let mut means: Vec<(f64, String)> = devices
        .iter()
        .map(|((run, node, device), members)| {
            let members = members.iter().map(|place| chosen[*place]);
            let n: f64 = members.clone().map(|load| load.n).sum();
            let mean = members.map(|load| load.mean * load.n).sum::<f64>() / n;
            let name = label::join(&[if runs { run } else { "" }, if nodes { node } else { "" }, device], " ");
            (mean, if name.is_empty() { resource.to_owned() } else { name })
        })
        .collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let what = words(resource, metric);
    match (means.first(), means.last()) {
        (Some((low, least)), Some((high, most))) if means.len() > 1 => format!(
            "{what} of {} devices: mean from {} ({least}) to {} ({most})",
            means.len(),
            label::share(*low, 100.0),
            label::share(*high, 100.0)
        ),
        (Some((mean, device)), _) => {
            format!("{what} of {device}: mean {}", label::share(*mean, 100.0))
        }
        _ => what,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, message, none, texts, told, value};

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
        let plot = value(&draw(&[over_time(&["cpu10", "cpu2", "<x>"])]).unwrap());
        let map = &plot["data"][0];
        assert_eq!(map["y"], json!(["&lt;x&gt; utilization", "cpu2 utilization", "cpu10 utilization"]));
        assert_eq!(map["x"], json!(["1970-01-01 00:00:05", "1970-01-01 00:00:15", "1970-01-01 00:00:25"]));
        assert_eq!(map["z"], json!([[2.0, null, 5.0], [1.0, null, 4.0], [0.0, null, 3.0]]));
        assert_eq!((&map["zmin"], &map["zmax"]), (&json!(0.0), &json!(100.0)));
        assert_eq!(map["hovertemplate"], "run a, n1<br>%{y}<br>mean %{z:.1f} %<br>around %{x}<extra></extra>");
        assert_eq!(map["colorbar"]["title"]["text"], "mean (%)");
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "time (UTC)");
        assert_eq!(
            told(&plot),
            "cpu utilization of 3 devices: mean from 1.5 % (cpu10) to 3.5 % (&lt;x&gt;) | mean in bins of up to 10 s"
        );
    }

    #[test]
    fn too_many_rows_are_left_out_and_counted() {
        let devices: Vec<String> = (0..200).map(|core| format!("cpu{core}")).collect();
        let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
        let plot = value(&draw(&[over_time(&devices)]).unwrap());
        assert_eq!(plot["data"][0]["y"].as_array().unwrap().len(), ROWS);
        assert_eq!(plot["data"][0]["y"][95], "cpu95 utilization");
        let title = told(&plot);
        assert!(title.ends_with("96 of 200 rows of a shown"), "{title}");
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&over_time(&["cpu0"]))]).unwrap());
        assert_eq!(title, "<b>Utilization heatmap</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b><br>"), "{note}");
    }
}
