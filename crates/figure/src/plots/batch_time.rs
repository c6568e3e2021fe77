//! Wait and work time of each batch.

use plotly::common::{Line, Mode};
use plotly::layout::{ShapeLayer, ShapeLine};
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::loops::{self, Loop};
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::sum::saturating_sum;
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, series, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "batch_time",
    doc: "How long the training loop waited for each batch and worked on it, in the order of the batches, with \
          outliers and epochs marked; a panel per loop.",
    queries: &[
        FigureQuery::new("loader.batches"),
        FigureQuery { query: "loader.slow_batches", params: &[("factor", "2.0")] },
    ],
    draw,
};

/// Maximum number of outliers and of epochs marked in a panel.
const MARKS: usize = 500;
const EPOCHS: usize = 60;

row_types! {
    /// Consecutive batches of a loop. Times are in ns.
    struct BatchBin {
        training_loop: Loop,
        pass: Option<i64>,
        epoch: Option<i64>,
        /// Index of the first batch in its loop.
        position: i64,
        n: i64,
        mean: f64 = "load_mean",
        min: f64 = "load_min",
        max: f64 = "load_max",
        compute: f64 = "compute_mean",
    }

    /// A batch with a much longer wait than the other batches of its loop.
    struct SlowBatch {
        training_loop: Loop,
        position: i64,
        dur: f64,
        relative: f64,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = BatchBin::read(read::frame(frames, 0)?)?;
    let slow = SlowBatch::read(read::frame(frames, 1)?)?;
    if bins.is_empty() {
        let why = "Measure the wait for each batch in your loop (a CSV or JSON file with load_s), or use DALI's Loader \
                   Evaluator, SageMaker's data loader profiling, or a trace with PyTorch's DataLoader.";
        return Ok(sheet::message_plot("Time of each batch", "no waits for batches in this profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = group_by(&bins, |bin| &bin.training_loop);
    let title = title(&panels, &slow);
    read::truncate(&mut panels, PANELS, "loops", &mut notes);
    let names = loops::labels(panels.iter().map(|(training_loop, _)| *training_loop));
    let height = if panels.len() == 1 { 260 } else { 130 };
    let mut sheet = Sheet::default();
    for ((training_loop, bins), name) in panels.iter().zip(&names) {
        let max =
            bins.iter().map(|bin| if bin.compute > bin.mean { bin.compute } else { bin.mean }).fold(0.0, f64::max);
        let scale = Scale::time(max / 2.0);
        let y = theme::axis_from_zero("time", scale.unit).n_ticks(5);
        let axes = sheet.add_panel(name, height, theme::axis("batch of the loop, from 0"), y, true);
        draw_times(&mut sheet, bins, &axes, scale);
        draw_passes(&mut sheet, bins, &axes);
        let mut outliers: Vec<&SlowBatch> =
            slow.iter().filter(|batch| batch.training_loop == **training_loop).collect();
        outliers.sort_by(|a, b| b.dur.total_cmp(&a.dur));
        let what = format!("outliers of {} (the longest)", label::clip(name, 30));
        read::truncate(&mut outliers, MARKS, &what, &mut notes);
        let points =
            outliers.iter().map(|batch| (batch.position as f64, scale.convert(batch.dur), outlier_hover(batch)));
        series::draw_outliers(&mut sheet, &axes, "outlier", points);
    }
    if bins.iter().any(|bin| bin.n > 1) {
        notes.push("lines: means of consecutive batches; band: their shortest to longest wait".to_owned());
    }
    if bins.iter().any(|bin| bin.pass.is_some_and(|pass| pass > 0)) {
        notes.push("vertical lines: start of a new epoch or pass over the data".to_owned());
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Draws the lines of waits and of work, and a band of the waits if a point represents several batches.
fn draw_times(sheet: &mut Sheet, bins: &[&BatchBin], axes: &PanelAxes, scale: Scale) {
    let x: Vec<f64> = bins.iter().map(|bin| bin.position as f64 + (bin.n - 1) as f64 / 2.0).collect();
    let column = |value: fn(&BatchBin) -> f64| bins.iter().map(move |bin| scale.convert(value(bin)));
    let color = theme::color("loader");
    if bins.iter().any(|bin| bin.n > 1) {
        let band_x = x.iter().chain(x.iter().rev()).copied().collect();
        let band_y = column(|bin| bin.max).chain(column(|bin| bin.min).rev()).collect();
        sheet.add_trace(series::filled_band(band_x, band_y, axes, &theme::with_opacity(color, 0.18)));
    }
    let mut draw_line = |name: &str, color: &str, value: fn(&BatchBin) -> f64| {
        let line = Scatter::new(x.clone(), column(value).collect())
            .mode(if bins.len() > 1 { Mode::Lines } else { Mode::Markers })
            .line(Line::new().color(color.to_owned()).width(1.5))
            .hover_texts(bins.iter().map(|bin| hover(bin)).collect());
        sheet.add_named_trace(axes, name, line);
    };
    if bins.iter().any(|bin| !bin.compute.is_nan()) {
        draw_line("work on the batch", theme::color("busy"), |bin| bin.compute);
    }
    draw_line("wait for the batch", color, |bin| bin.mean);
}

/// Draws a line at the start of each pass after the first one.
fn draw_passes(sheet: &mut Sheet, bins: &[&BatchBin], axes: &PanelAxes) {
    let starts = bins.windows(2).filter(|pair| pair[0].pass != pair[1].pass).map(|pair| pair[1].position as f64 - 0.5);
    for x in starts.take(EPOCHS) {
        let line = ShapeLine::new().width(1.0).color(theme::color("other"));
        sheet.add_shape(series::vertical_line(x, axes, line).layer(ShapeLayer::Below));
    }
}

fn outlier_hover(batch: &SlowBatch) -> String {
    format!(
        "batch {}<br>wait {}, {}x the median",
        batch.position,
        label::duration(batch.dur),
        label::number(batch.relative)
    )
}

fn hover(bin: &BatchBin) -> String {
    let epoch = bin.epoch.map_or(String::new(), |epoch| format!(", epoch {epoch}"));
    let work = if bin.compute.is_nan() { String::new() } else { format!("<br>work {}", label::duration(bin.compute)) };
    if bin.n > 1 {
        return format!(
            "batches {} to {}{epoch}<br>mean wait {}, shortest {}, longest {}{work}",
            bin.position,
            bin.position + bin.n - 1,
            label::duration(bin.mean),
            label::duration(bin.min),
            label::duration(bin.max)
        );
    }
    format!("batch {}{epoch}<br>wait {}{work}", bin.position, label::duration(bin.mean))
}

/// `20 batches of nw2, mean wait 8.93 ms; 3 outliers`: the loop with the longest total wait.
fn title(panels: &[(&Loop, Vec<&BatchBin>)], slow: &[SlowBatch]) -> String {
    let total_wait = |bins: &[&BatchBin]| bins.iter().map(|bin| bin.mean * bin.n as f64).sum::<f64>();
    let by_wait = |a: &usize, b: &usize| total_wait(&panels[*a].1).total_cmp(&total_wait(&panels[*b].1));
    let Some(place) = (0..panels.len()).max_by(by_wait) else { return String::new() };
    let (training_loop, bins) = &panels[place];
    let others = panels.iter().map(|(training_loop, _)| *training_loop);
    let n = saturating_sum(bins.iter().map(|bin| bin.n));
    let outliers = slow.iter().filter(|batch| batch.training_loop == **training_loop).count();
    format!(
        "{} batches of {}, mean wait {}; {}",
        label::group_digits(n),
        loops::labels(others)[place],
        label::duration(total_wait(bins) / n.max(1) as f64),
        label::count(outliers, "outlier")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn batches(n: &[i64]) -> Frame {
        let rows = n.len();
        let position: Vec<i64> = n.iter().scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect();
        let pass: Vec<i64> = (0..rows).map(|row| i64::from(row > 0)).collect();
        frame(vec![
            texts("run", &vec!["a"; rows]),
            texts("node", &vec![""; rows]),
            nullable_ints("rank", &vec![-1; rows]),
            nullable_ints("pid", &vec![-1; rows]),
            texts("loader", &vec!["w0"; rows]),
            nullable_ints("object", &vec![0; rows]),
            nullable_ints("pass", &pass),
            nullable_ints("epoch", &pass),
            ints("position", &position),
            ints("n", n),
            floats("load_mean", &vec![2e6; rows]),
            floats("load_min", &vec![1e6; rows]),
            floats("load_max", &vec![6e6; rows]),
            floats("compute_mean", &vec![4e6; rows]),
        ])
    }

    fn slow() -> Frame {
        frame(vec![
            texts("run", &["a"]),
            texts("node", &[""]),
            nullable_ints("rank", &[-1]),
            nullable_ints("pid", &[-1]),
            texts("loader", &["w0"]),
            nullable_ints("object", &[0]),
            ints("position", &[1]),
            floats("dur", &[6e6]),
            floats("relative", &[3.0]),
        ])
    }

    #[test]
    fn waits_and_work_of_single_batches() {
        let plot = to_value(&draw(&[batches(&[1, 1, 1]), slow()]).unwrap());
        assert_eq!((&plot["data"][0]["y"], &plot["data"][1]["y"]), (&json!([4.0, 4.0, 4.0]), &json!([2.0, 2.0, 2.0])));
        assert_eq!((&plot["data"][2]["x"], &plot["data"][2]["y"]), (&json!([1.0]), &json!([6.0])));
        assert_eq!(plot["layout"]["shapes"].as_array().unwrap().len(), 1);
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(0.5));
        assert_eq!(plot["data"][1]["hovertext"][1], "batch 1, epoch 1<br>wait 2 ms<br>work 4 ms");
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "time (ms)");
        assert!(heading(&plot).starts_with("3 batches of w0, mean wait 2 ms; 1 outlier"), "{}", heading(&plot));
    }

    #[test]
    fn many_batches_are_a_line_with_a_band() {
        let plot = to_value(&draw(&[batches(&[10, 10]), without_rows(&slow())]).unwrap());
        assert_eq!(plot["data"][0]["y"], json!([6.0, 6.0, 1.0, 1.0]));
        assert_eq!(plot["data"][2]["x"], json!([4.5, 14.5]));
        assert!(heading(&plot).contains("band: their shortest to longest wait"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&batches(&[1])), without_rows(&slow())]).unwrap());
        assert_eq!(title, "<b>Time of each batch</b>");
        assert!(note.starts_with("<b>no waits for batches in this profile</b>"), "{note}");
    }
}
