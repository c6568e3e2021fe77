//! Distribution of step durations by mode.

use plotly::common::Marker;
use plotly::layout::RangeMode;
use plotly::{Bar, Plot};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::{label, read, sheet, theme};
use crate::plots::step_timeline::name;
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "step_histogram",
    doc: "Histogram of step durations; the last bar counts all steps longer than twice the median; a panel per run and \
          mode.",
    queries: &[Ask::new("step.histogram")],
    draw,
};

const BEYOND: &str = "longer than 2x the median";

struct Bin {
    run: String,
    mode: String,
    from: f64,
    to: f64,
    n: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = bins(read::answer(frames, 0)?)?;
    if bins.is_empty() {
        return Ok(sheet::message("Step histogram", "no steps in this profile", sheet::NO_STEPS));
    }
    let mut notes = vec!["bins of equal width; all steps longer than twice the median are in one bar".to_owned()];
    let mut kinds = groups(bins.iter().map(|bin| (bin.run.as_str(), bin.mode.as_str())));
    let title = title(&bins, &kinds);
    read::cap(&mut kinds, PANELS, "runs and modes", &mut notes);
    let drawn: Vec<f64> = kinds.iter().flat_map(|(_, rows)| rows.iter().map(|row| bins[*row].from)).collect();
    let scale = Scale::time(label::quantile(&drawn, 0.5).unwrap_or(0.0));
    let height = if kinds.len() == 1 { 280 } else { 150 };
    let mut sheet = Sheet::default();
    for ((run, mode), rows) in &kinds {
        let x = theme::axis(&format!("step duration ({})", scale.unit)).n_ticks(8);
        let y = theme::axis("steps (count)").range_mode(RangeMode::ToZero).n_ticks(5);
        let at = sheet.panel(&format!("run {run}, {}", label::join(&[mode, "steps"], " ")), height, x, y, true);
        let rows: Vec<&Bin> = rows.iter().map(|row| &bins[*row]).collect();
        let width = width(&rows);
        let (usual, beyond): (Vec<&Bin>, Vec<&Bin>) = rows.iter().partition(|bin| !is_beyond(bin, width));
        for (part, role, entry) in [(usual, *mode, name(mode)), (beyond, "outlier", BEYOND)] {
            if part.is_empty() {
                continue;
            }
            let x = part.iter().map(|bin| scale.of(bin.from + width / 2.0)).collect();
            let show = sheet.first(entry);
            let bars = Bar::new(x, part.iter().map(|bin| bin.n).collect())
                .name(label::plain(entry))
                .legend_group(label::plain(entry))
                .show_legend(show)
                .width(scale.of(width))
                .marker(Marker::new().color(theme::color(role)))
                .hover_text_array(part.iter().map(|bin| hover(bin, scale)).collect())
                .hover_template("%{hovertext}<extra></extra>")
                .x_axis(&at.x)
                .y_axis(&at.y);
            sheet.trace(bars);
        }
    }
    Ok(sheet.plot(&title, &notes))
}

fn bins(frame: &Frame) -> Result<Vec<Bin>> {
    let (runs, modes) = (read::texts(frame, "run")?, read::texts(frame, "mode")?);
    let (from, to) = (read::floats(frame, "dur_from")?, read::floats(frame, "dur_to")?);
    let counts = read::integers(frame, "n")?;
    let rows = runs.into_iter().zip(modes).zip(from).zip(to).zip(counts);
    Ok(rows.map(|((((run, mode), from), to), n)| Bin { run, mode, from, to, n: n.unwrap_or(0) }).collect())
}

/// The common width of the bins of a run and mode. Only the last bin may differ.
fn width(bins: &[&Bin]) -> f64 {
    let usual = if bins.len() > 1 { &bins[..bins.len() - 1] } else { bins };
    usual.first().map_or(1.0, |bin| (bin.to - bin.from).max(1.0))
}

/// Whether this is the bar of all steps longer than twice the median.
fn is_beyond(bin: &Bin, width: f64) -> bool {
    ((bin.to - bin.from).max(1.0) - width).abs() > 0.5
}

fn hover(bin: &Bin, scale: Scale) -> String {
    let (run, mode) = (label::plain(&bin.run), label::plain(name(&bin.mode)));
    let n = label::count(usize::try_from(bin.n).unwrap_or(0), "step");
    format!("run {run}, {mode}<br>{n} of {} to {}", scale.text(bin.from), scale.text(bin.to))
}

/// `half of 40 train steps at most 84 ms; 3 longer than 2x the median`
fn title(bins: &[Bin], kinds: &[((&str, &str), Vec<usize>)]) -> String {
    let total = |rows: &[usize]| rows.iter().map(|row| bins[*row].n).sum::<i64>();
    let mut parts = Vec::new();
    let mut beyond = 0;
    for ((run, mode), rows) in kinds {
        let all = total(rows);
        let members: Vec<&Bin> = rows.iter().map(|row| &bins[*row]).collect();
        let width = width(&members);
        beyond += members.iter().filter(|bin| is_beyond(bin, width)).map(|bin| bin.n).sum::<i64>();
        let mut seen = 0;
        let half = members.iter().find(|bin| {
            seen += bin.n;
            2 * seen >= all
        });
        let of = if kinds.iter().all(|((other, _), _)| other == run) {
            String::new()
        } else {
            format!(" of {}", label::clip(run, 20))
        };
        let what = label::join(&[mode, if all == 1 { "step" } else { "steps" }], " ");
        let to = half.map_or(0.0, |bin| bin.to);
        parts.push((all, format!("half of {all} {what}{of} at most {}", label::duration(to))));
    }
    parts.sort_by_key(|(all, _)| std::cmp::Reverse(*all));
    let more = parts.len().saturating_sub(2);
    let mut texts: Vec<String> = parts.into_iter().take(2).map(|(_, text)| text).collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    format!("{}; {beyond} {BEYOND}", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, message, none, texts, told, value};

    const MS: i64 = 1_000_000;

    fn histogram() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("mode", &["train", "train", "train"]),
            ints("bin", &[0, 3, 50]),
            ints("dur_from", &[80 * MS, 86 * MS, 168 * MS]),
            ints("dur_to", &[82 * MS, 88 * MS, 900 * MS]),
            ints("n", &[30, 9, 1]),
        ])
    }

    #[test]
    fn bars_stand_over_their_bins_and_the_rest_in_one_bar() {
        let plot = value(&draw(&[histogram()]).unwrap());
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
            told(&plot),
            "half of 40 train steps at most 82 ms; 1 longer than 2x the median | bins of equal width; all steps longer than twice the median are in one bar"
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&histogram())]).unwrap());
        assert_eq!(title, "<b>Step histogram</b>");
        assert!(note.starts_with("<b>no steps in this profile</b><br>"), "{note}");
    }
}
