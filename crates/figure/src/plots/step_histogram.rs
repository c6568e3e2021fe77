//! Distribution of step durations by mode.

use plotly::common::Marker;
use plotly::{Bar, Plot};

use crate::kit::label::Scale;
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::sum::saturating_sum;
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, theme};
use crate::plots::step_timeline::mode_name;
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_histogram",
    doc: "Histogram of step durations; the last bar counts all steps longer than twice the median; a panel per run and \
          mode.",
    queries: &[FigureQuery::new("step.histogram")],
    draw,
};

const LONGER: &str = "longer than 2x the median";

row_types! {
    /// A bin of durations in ns.
    struct DurationBin {
        run: String,
        mode: String,
        start: f64 = "dur_from",
        end: f64 = "dur_to",
        n: i64,
        is_longer: bool,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = DurationBin::read(read::frame(frames, 0)?)?;
    if bins.is_empty() {
        return Ok(sheet::message_plot("Step histogram", "no steps in this profile", sheet::NO_STEPS));
    }
    let mut notes = vec!["bins of equal width; all steps longer than twice the median are in one bar".to_owned()];
    let mut panels = group_by(&bins, |bin| (bin.run.as_str(), bin.mode.as_str()));
    let title = title(&panels);
    read::truncate(&mut panels, PANELS, "runs and modes", &mut notes);
    let drawn: Vec<f64> = panels.iter().flat_map(|(_, bins)| bins.iter().map(|bin| bin.start)).collect();
    let scale = Scale::time(label::quantile(&drawn, 0.5).unwrap_or(0.0));
    let height = if panels.len() == 1 { 280 } else { 150 };
    let mut sheet = Sheet::default();
    for ((run, mode), bins) in &panels {
        let x = theme::axis(&format!("step duration ({})", scale.unit)).n_ticks(8);
        let y = theme::axis_from_zero("steps", "count").n_ticks(5);
        let label = format!("run {run}, {}", label::join(&[mode, "steps"], " "));
        let axes = sheet.add_panel(&label, height, x, y, true);
        let width = common_width(bins);
        let (regular, longer): (Vec<&DurationBin>, Vec<&DurationBin>) =
            bins.iter().copied().partition(|bin| !bin.is_longer);
        for (bins, role, entry) in [(regular, *mode, mode_name(mode)), (longer, "outlier", LONGER)] {
            if bins.is_empty() {
                continue;
            }
            let x = bins.iter().map(|bin| scale.convert(bin.start + width / 2.0)).collect();
            let bars = Bar::new(x, bins.iter().map(|bin| bin.n).collect())
                .width(scale.convert(width))
                .marker(Marker::new().color(theme::color(role)))
                .hover_texts(bins.iter().map(|bin| hover(bin, scale)).collect());
            sheet.add_named_trace(&axes, entry, bars);
        }
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// The common width of the bins of a run and mode. Only the last bin may differ.
fn common_width(bins: &[&DurationBin]) -> f64 {
    bins.first().map_or(1.0, |bin| (bin.end - bin.start).max(1.0))
}

fn hover(bin: &DurationBin, scale: Scale) -> String {
    let (run, mode) = (label::sanitize(&bin.run), label::sanitize(mode_name(&bin.mode)));
    let n = label::count(bin.n, "step");
    format!("run {run}, {mode}<br>{n} of {} to {}", scale.text(bin.start), scale.text(bin.end))
}

/// `half of 40 train steps at most 84 ms; 3 longer than 2x the median`
fn title(panels: &[((&str, &str), Vec<&DurationBin>)]) -> String {
    let mut parts = Vec::new();
    let mut longer = 0;
    let several_runs = panels.iter().any(|((run, _), _)| *run != panels[0].0.0);
    for ((run, mode), bins) in panels {
        let all = saturating_sum(bins.iter().map(|bin| bin.n));
        longer = saturating_sum(bins.iter().filter(|bin| bin.is_longer).map(|bin| bin.n).chain([longer]));
        let mut steps = 0_i64;
        let half = bins.iter().find(|bin| {
            steps = steps.saturating_add(bin.n);
            steps >= all.saturating_sub(steps)
        });
        let of_run = if several_runs { format!(" of {}", label::clip(run, 20)) } else { String::new() };
        let what = label::join(&[mode, if all == 1 { "step" } else { "steps" }], " ");
        let max = label::duration(half.map_or(0.0, |bin| bin.end));
        parts.push((all, format!("half of {all} {what}{of_run} at most {max}")));
    }
    parts.sort_by_key(|(all, _)| std::cmp::Reverse(*all));
    let more = parts.len().saturating_sub(2);
    let mut texts: Vec<String> = parts.into_iter().take(2).map(|(_, text)| text).collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    label::capitalize(&format!("{}; {longer} {LONGER}", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, heading, ints, message, texts, to_value, without_rows};

    const MS: i64 = 1_000_000;

    fn histogram() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("mode", &["train", "train", "train"]),
            ints("bin", &[0, 3, 50]),
            ints("dur_from", &[80 * MS, 86 * MS, 168 * MS]),
            ints("dur_to", &[82 * MS, 88 * MS, 900 * MS]),
            ints("n", &[30, 9, 1]),
            flags("is_longer", &[false, false, true]),
        ])
    }

    #[test]
    fn bars_are_above_their_bins_and_long_steps_have_one_bar() {
        let plot = to_value(&draw(&[histogram()]).unwrap());
        let (usual, beyond) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&usual["x"], &usual["y"]), (&json!([81.0, 87.0]), &json!([30, 9])));
        assert_eq!((&usual["width"], &usual["name"]), (&json!(2.0), &json!("train")));
        assert_eq!(usual["hovertext"][0], "run a, train<br>30 steps of 80 ms to 82 ms");
        assert_eq!((&beyond["x"], &beyond["y"]), (&json!([169.0]), &json!([1])));
        assert_eq!(beyond["hovertext"][0], "run a, train<br>1 step of 168 ms to 900 ms");
        assert_eq!(beyond["marker"]["color"], theme::color("outlier"));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "step duration (ms)");
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "steps (count)");
        assert_eq!(plot["layout"]["annotations"][0]["text"], "run a, train steps");
        assert_eq!(
            heading(&plot),
            "Half of 40 train steps at most 82 ms; 1 longer than 2x the median | bins of equal width; all steps longer than twice the median are in one bar"
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&histogram())]).unwrap());
        assert_eq!(title, "<b>Step histogram</b>");
        assert!(note.starts_with("<b>no steps in this profile</b><br>"), "{note}");
    }
}
