//! Difference between the loads of each pair of GPUs in a run.

use plotly::Plot;
use plotly::common::Font;

use crate::kit::read::{count_distinct, group_by, natural_key, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::trace::HOVER_TEXT;
use crate::kit::{boxes, label, read, series, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_balance",
    doc: "The difference between the loads of each pair of GPUs (rule LoadBalancing): the distance between their \
          histograms, a cell per pair; a panel per run.",
    queries: &[FigureQuery::new("rules.load_balancing")],
    draw,
};

const RUNS: usize = 4;
/// Maximum number of GPUs in a panel.
const GPUS: usize = 40;
/// The distance of two GPUs with histograms that do not overlap: the square root of ln 2.
const MAX_DISTANCE: f64 = 0.832_554_611_157_697_8;
/// Height of the color bar, in pixels.
const COLOR_BAR_HEIGHT: usize = 150;

/// A GPU: machine and device.
type Gpu<'a> = (&'a str, &'a str);

row_types! {
    /// The result of the rule for two GPUs.
    struct GpuPair {
        run: String,
        node: String,
        device: String,
        other_node: String,
        other_device: String,
        triggered: bool,
        distance: f64,
        parameters: String,
    }
}

impl GpuPair {
    fn gpus(&self) -> [Gpu<'_>; 2] {
        [(&self.node, &self.device), (&self.other_node, &self.other_device)]
    }

    fn limit(&self) -> String {
        boxes::parse_limit(&self.parameters, "threshold").map_or("?".to_owned(), label::number)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let pairs = GpuPair::read(read::frame(frames, 0)?)?;
    if pairs.is_empty() {
        let why = "Loads are compared within a run, and only if two or more GPUs were sampled.";
        return Ok(sheet::message_plot("Balance of the GPUs", "no two GPUs in this profile", why));
    }
    let mut notes = vec!["distance 0: identical load histograms; 0.83: no overlap".to_owned()];
    let mut runs = group_by(&pairs, |pair| pair.run.as_str());
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (index, (run, pairs)) in runs.iter().enumerate() {
        let mut gpus: Vec<Gpu<'_>> =
            group_by(pairs.iter().flat_map(|pair| pair.gpus()), |gpu| gpu).into_iter().map(|(gpu, _)| gpu).collect();
        gpus.sort_by_key(|(node, device)| (natural_key(node), natural_key(device)));
        read::truncate(&mut gpus, GPUS, &format!("GPUs of {}", label::clip(run, 20)), &mut notes);
        let with_node = count_distinct(gpus.iter().map(|(node, _)| node)) > 1;
        let name = |(node, device): &Gpu<'_>| label::join(&[if with_node { node } else { "" }, device], " ");
        let names: Vec<String> = gpus.iter().map(name).collect();
        let (distances, hover) = pair_matrix(pairs, &gpus);
        let (ticks, texts) = stack::ticks(&names, 12);
        let x = theme::axis("GPU").tick_values(ticks).tick_text(texts).show_grid(false);
        let height = (26 * gpus.len()).clamp(COLOR_BAR_HEIGHT, 520);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), height, x, &names);
        let positions: Vec<f64> = (0..gpus.len()).map(|gpu| gpu as f64).collect();
        let color_bar = theme::color_bar("distance", COLOR_BAR_HEIGHT).tick_font(Font::new().size(11));
        let color_bar = (index == 0).then_some(color_bar);
        let map = series::heatmap(positions.clone(), positions, distances, MAX_DISTANCE, color_bar, &axes);
        sheet.add_trace(map.hover_text_matrix(hover).hover_template(HOVER_TEXT));
    }
    Ok(sheet.into_plot(&title(&pairs), &notes))
}

/// Distances and hover texts, a row for each GPU. The diagonal is empty.
fn pair_matrix(pairs: &[&GpuPair], gpus: &[Gpu<'_>]) -> (Vec<Vec<Option<f64>>>, Vec<Vec<String>>) {
    let mut distances = vec![vec![None; gpus.len()]; gpus.len()];
    let mut texts = vec![vec![String::new(); gpus.len()]; gpus.len()];
    for pair in pairs {
        let [Some(first), Some(second)] = pair.gpus().map(|gpu| gpus.iter().position(|other| *other == gpu)) else {
            continue;
        };
        for (row, column) in [(first, second), (second, first)] {
            distances[row][column] = Some(pair.distance);
            texts[row][column] = hover(pair);
        }
    }
    (distances, texts)
}

fn hover(pair: &GpuPair) -> String {
    let [first, second] = pair.gpus().map(|(node, device)| label::sanitize(&label::join(&[node, device], " ")));
    format!(
        "run {}<br>{first} and {second}<br>distance {}, limit {}<br>{}",
        label::sanitize(&pair.run),
        label::number(pair.distance),
        pair.limit(),
        if pair.triggered { "triggered" } else { "not triggered" }
    )
}

/// `2 of 6 pairs of GPUs have different loads: largest for gpu0 and gpu3, distance 0.41 (limit 0.2)`
fn title(pairs: &[GpuPair]) -> String {
    let different = pairs.iter().filter(|pair| pair.triggered).count();
    let largest = pairs.iter().max_by(|a, b| a.distance.total_cmp(&b.distance)).map_or(String::new(), |pair| {
        let same_node = pair.node == pair.other_node;
        let [first, second] =
            pair.gpus().map(|(node, device)| label::join(&[if same_node { "" } else { node }, device], " "));
        let distance = label::number(pair.distance);
        format!(": largest for {first} and {second}, distance {distance} (limit {})", pair.limit())
    });
    format!("{different} of {} of GPUs have different loads{largest}", label::count(pairs.len(), "pair"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, heading, message, texts, to_value, without_rows};

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
    fn every_pair_has_two_cells() {
        let plot = to_value(&draw(&[loads()]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["gpu0", "gpu10", "gpu&lt;2&gt;"]));
        let map = &plot["data"][0];
        assert_eq!(map["z"], json!([[null, 0.1, 0.4], [0.1, null, 0.15], [0.4, 0.15, null]]));
        assert_eq!(
            map["hovertext"][2][0],
            "run a<br>n gpu0 and n gpu&lt;2&gt;<br>distance 0.4, limit 0.2<br>triggered"
        );
        let title =
            "1 of 3 pairs of GPUs have different loads: largest for gpu0 and gpu&lt;2&gt;, distance 0.4 (limit 0.2) | ";
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&loads())]).unwrap());
        assert_eq!(title, "<b>Balance of the GPUs</b>");
        assert!(note.starts_with("<b>no two GPUs in this profile</b>"), "{note}");
    }
}
