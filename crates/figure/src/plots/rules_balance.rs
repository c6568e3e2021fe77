//! Difference between the loads of each pair of GPUs in a run.

use plotly::common::{Anchor, ColorBar, Font, ThicknessMode, Title};
use plotly::{HeatMap, Plot};

use crate::kit::read::{groups, natural};
use crate::kit::sheet::Sheet;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_balance",
    doc: "The difference between the loads of each pair of GPUs (rule LoadBalancing): the distance between their \
          histograms, a cell per pair; a panel per run.",
    queries: &[Ask::new("rules.load_balancing")],
    draw,
};

const RUNS: usize = 4;
/// Maximum number of GPUs in a panel.
const GPUS: usize = 40;
/// The distance of two GPUs whose histograms do not overlap: the square root of ln 2.
const FARTHEST: f64 = 0.832_554_611_157_697_8;

/// Height of the color bar, in pixels.
const KEY: usize = 150;

/// A GPU: machine and device.
type Gpu = (String, String);

struct Pair {
    run: String,
    one: Gpu,
    other: Gpu,
    triggered: bool,
    distance: f64,
    parameters: String,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let pairs = pairs(read::answer(frames, 0)?)?;
    if pairs.is_empty() {
        let why = "Loads are compared within a run, and only if two or more GPUs were sampled.";
        return Ok(sheet::message("Balance of the GPUs", "no two GPUs in this profile", why));
    }
    let mut notes = vec!["distance 0: identical load histograms; 0.83: no overlap".to_owned()];
    let title = title(&pairs);
    let mut runs = groups(pairs.iter().map(|pair| pair.run.as_str()));
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (place, (run, rows)) in runs.iter().enumerate() {
        let here: Vec<&Pair> = rows.iter().map(|row| &pairs[*row]).collect();
        let mut gpus: Vec<&Gpu> =
            groups(here.iter().flat_map(|pair| [&pair.one, &pair.other])).into_iter().map(|(gpu, _)| gpu).collect();
        gpus.sort_by_key(|(node, device)| (natural(node), natural(device)));
        read::cap(&mut gpus, GPUS, &format!("GPUs of {}", label::clip(run, 20)), &mut notes);
        let nodes = groups(gpus.iter().map(|(node, _)| node.as_str())).len();
        let names: Vec<String> =
            gpus.iter().map(|(node, device)| label::join(&[if nodes > 1 { node } else { "" }, device], " ")).collect();
        let (z, hover) = squares(&here, &gpus);
        let (ticks, texts) = stack::ticks(&names, 12);
        let x = theme::axis("GPU").tick_values(ticks).tick_text(texts).show_grid(false);
        let y = stack::side(&names);
        let at = sheet.panel(&format!("run {run}"), (26 * gpus.len()).clamp(KEY, 520), x, y, true);
        let places: Vec<f64> = (0..gpus.len()).map(|gpu| gpu as f64).collect();
        let mut map = HeatMap::new(places.clone(), places, z)
            .zmin(0.0)
            .zmax(FARTHEST)
            .color_scale(theme::heat())
            .show_scale(place == 0)
            .hover_on_gaps(false)
            .hover_text_matrix(hover)
            .hover_template("%{hovertext}<extra></extra>")
            .x_axis(&at.x)
            .y_axis(&at.y);
        if place == 0 {
            map = map.color_bar(
                ColorBar::new()
                    .title(Title::with_text("distance"))
                    .thickness(12)
                    .outline_width(0)
                    .len_mode(ThicknessMode::Pixels)
                    .len(KEY)
                    .tick_font(Font::new().size(11))
                    .y(1.0)
                    .y_anchor(Anchor::Top),
            );
        }
        sheet.trace(map);
    }
    Ok(sheet.plot(&title, &notes))
}

/// Distances and hover texts, a row for each GPU. The diagonal is empty.
fn squares(pairs: &[&Pair], gpus: &[&Gpu]) -> (Vec<Vec<Option<f64>>>, Vec<Vec<String>>) {
    let mut distances = vec![vec![None; gpus.len()]; gpus.len()];
    let mut texts = vec![vec![String::new(); gpus.len()]; gpus.len()];
    for pair in pairs {
        let place = |gpu: &Gpu| gpus.iter().position(|other| *other == gpu);
        let (Some(one), Some(other)) = (place(&pair.one), place(&pair.other)) else { continue };
        for (line, column) in [(one, other), (other, one)] {
            distances[line][column] = Some(pair.distance);
            texts[line][column] = hover(pair);
        }
    }
    (distances, texts)
}

fn hover(pair: &Pair) -> String {
    let name = |(node, device): &Gpu| label::plain(&label::join(&[node, device], " "));
    format!(
        "run {}<br>{} and {}<br>distance {}, limit {}<br>{}",
        label::plain(&pair.run),
        name(&pair.one),
        name(&pair.other),
        label::number(pair.distance),
        limit(pair),
        if pair.triggered { "triggered" } else { "not triggered" }
    )
}

fn limit(pair: &Pair) -> String {
    boxes::limit_of(&pair.parameters, "threshold").map_or("?".to_owned(), label::number)
}

fn pairs(frame: &Frame) -> Result<Vec<Pair>> {
    let text = |name| read::texts(frame, name);
    let (runs, parameters) = (text("run")?, text("parameters")?);
    let (nodes, devices) = (text("node")?, text("device")?);
    let (other_nodes, other_devices) = (text("other_node")?, text("other_device")?);
    let (triggered, distance) = (frame.column::<bool>("triggered")?, read::floats(frame, "distance")?);
    let rows = (0..runs.len()).map(|row| Pair {
        run: runs[row].clone(),
        one: (nodes[row].clone(), devices[row].clone()),
        other: (other_nodes[row].clone(), other_devices[row].clone()),
        triggered: triggered[row] == Some(true),
        distance: distance[row],
        parameters: parameters[row].clone(),
    });
    Ok(rows.collect())
}

/// `2 of 6 pairs of GPUs have different loads: largest for gpu0 and gpu3, distance 0.41 (limit 0.2)`
fn title(pairs: &[Pair]) -> String {
    let different = pairs.iter().filter(|pair| pair.triggered).count();
    let most = pairs.iter().max_by(|a, b| a.distance.total_cmp(&b.distance)).map_or(String::new(), |pair| {
        let name = |(node, device): &Gpu| {
            let node = if pair.one.0 == pair.other.0 { "" } else { node.as_str() };
            label::join(&[node, device], " ")
        };
        let (one, other) = (name(&pair.one), name(&pair.other));
        format!(": largest for {one} and {other}, distance {} (limit {})", label::number(pair.distance), limit(pair))
    });
    let all = if pairs.len() == 1 { "1 pair".to_owned() } else { format!("{} pairs", pairs.len()) };
    format!("{different} of {all} of GPUs have different loads{most}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, message, none, texts, told, value};

    fn loads() -> Frame {
        let limits = r#"{"threshold":0.2,"patience":10}"#;
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("node", &["n", "n", "n"]),
            texts("device", &["gpu0", "gpu0", "gpu10"]),
            texts("other_node", &["n", "n", "n"]),
            texts("other_device", &["gpu10", "gpu<2>", "gpu<2>"]),
            flags("triggered", &[false, true, false]),
            floats("distance", &[0.1, 0.4, 0.15]),
            texts("parameters", &[limits, limits, limits]),
        ])
    }

    #[test]
    fn every_pair_has_its_squares() {
        let plot = value(&draw(&[loads()]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu0", "gpu10", "gpu&lt;2&gt;"]));
        let map = &plot["data"][0];
        assert_eq!(map["z"], json!([[null, 0.1, 0.4], [0.1, null, 0.15], [0.4, 0.15, null]]));
        assert_eq!(
            map["hovertext"][2][0],
            "run a<br>n gpu0 and n gpu&lt;2&gt;<br>distance 0.4, limit 0.2<br>triggered"
        );
        let title =
            "1 of 3 pairs of GPUs have different loads: largest for gpu0 and gpu&lt;2&gt;, distance 0.4 (limit 0.2) | ";
        assert!(told(&plot).starts_with(title), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&loads())]).unwrap());
        assert_eq!(title, "<b>Balance of the GPUs</b>");
        assert!(note.starts_with("<b>no two GPUs in this profile</b>"), "{note}");
    }
}
