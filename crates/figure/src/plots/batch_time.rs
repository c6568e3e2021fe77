//! Wait and work time of each batch.

use plotly::common::{Fill, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::layout::{RangeMode, Shape, ShapeLayer, ShapeLine, ShapeType};
use plotly::{Plot, Scatter};

use crate::kit::label::Scale;
use crate::kit::loops::Loop;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::{label, loops, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "batch_time",
    doc: "How long the training loop waited for each batch and worked on it, in the order of the batches, with \
          outliers and epochs marked; a panel per loop.",
    queries: &[Ask::new("loader.batches"), Ask { query: "loader.slow_batches", params: &[("factor", "2.0")] }],
    draw,
};

/// Maximum number of outliers and of epochs marked in a panel.
const MARKS: usize = 500;
const EPOCHS: usize = 60;

/// Consecutive batches of a loop. Times are in ns.
struct Bin {
    whose: Loop,
    pass: Option<i64>,
    epoch: Option<i64>,
    place: i64,
    n: i64,
    mean: f64,
    min: f64,
    max: f64,
    compute: f64,
}

/// A batch whose wait was much longer than the others of its loop.
struct Slow {
    whose: Loop,
    place: i64,
    dur: f64,
    relative: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let bins = bins(read::answer(frames, 0)?)?;
    let slow = slow(read::answer(frames, 1)?)?;
    if bins.is_empty() {
        let why = "Measure the wait for each batch in your loop (a CSV or JSON file with load_s), or use DALI's Loader \
                   Evaluator, SageMaker's data loader profiling, or a trace with PyTorch's DataLoader.";
        return Ok(sheet::message("Time of each batch", "no waits for batches in this profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = groups(bins.iter().map(|bin| bin.whose.clone()));
    let title = title(&panels, &bins, &slow);
    read::cap(&mut panels, PANELS, "loops", &mut notes);
    let names = loops::names(&panels.iter().map(|(whose, _)| whose).collect::<Vec<_>>());
    let height = if panels.len() == 1 { 260 } else { 130 };
    let mut sheet = Sheet::default();
    for ((whose, rows), name) in panels.iter().zip(&names) {
        let rows: Vec<&Bin> = rows.iter().map(|row| &bins[*row]).collect();
        let greatest =
            rows.iter().map(|bin| if bin.compute > bin.mean { bin.compute } else { bin.mean }).fold(0.0, f64::max);
        let scale = Scale::time(greatest / 2.0);
        let y = theme::axis(&format!("time ({})", scale.unit)).range_mode(RangeMode::ToZero).n_ticks(5);
        let at = sheet.panel(name, height, theme::axis("batch of the loop, from 0"), y, true);
        waits(&mut sheet, &rows, &at, scale);
        borders(&mut sheet, &rows, &at);
        let mut marked: Vec<&Slow> = slow.iter().filter(|slow| slow.whose == *whose).collect();
        marked.sort_by(|a, b| b.dur.total_cmp(&a.dur));
        read::cap(&mut marked, MARKS, &format!("outliers of {} (the longest)", label::clip(name, 30)), &mut notes);
        outliers(&mut sheet, &marked, &at, scale);
    }
    if bins.iter().any(|bin| bin.n > 1) {
        notes.push("lines: means of consecutive batches; band: their shortest to longest wait".to_owned());
    }
    if bins.iter().any(|bin| bin.pass.is_some_and(|pass| pass > 0)) {
        notes.push("vertical lines: start of a new epoch or pass over the data".to_owned());
    }
    Ok(sheet.plot(&title, &notes))
}

fn bins(frame: &Frame) -> Result<Vec<Bin>> {
    let integer = |name| read::integers(frame, name);
    let (passes, epochs, places, n) = (integer("pass")?, integer("epoch")?, integer("position")?, integer("n")?);
    let value = |name| read::floats(frame, name);
    let (mean, min, max) = (value("load_mean")?, value("load_min")?, value("load_max")?);
    let compute = value("compute_mean")?;
    let rows = loops::loops(frame)?.into_iter().enumerate();
    let rows = rows.map(|(row, whose)| Bin {
        whose,
        pass: passes[row],
        epoch: epochs[row],
        place: places[row].unwrap_or(0),
        n: n[row].unwrap_or(0),
        mean: mean[row],
        min: min[row],
        max: max[row],
        compute: compute[row],
    });
    Ok(rows.collect())
}

fn slow(frame: &Frame) -> Result<Vec<Slow>> {
    let places = read::integers(frame, "position")?;
    let (dur, relative) = (read::floats(frame, "dur")?, read::floats(frame, "relative")?);
    let rows = loops::loops(frame)?.into_iter().enumerate();
    let rows = rows.map(|(row, whose)| Slow {
        whose,
        place: places[row].unwrap_or(0),
        dur: dur[row],
        relative: relative[row],
    });
    Ok(rows.collect())
}

/// Draws the lines of waits and of work, and a band of the waits if a point represents several batches.
fn waits(sheet: &mut Sheet, rows: &[&Bin], at: &Place, scale: Scale) {
    let middle = |bin: &Bin| bin.place as f64 + (bin.n - 1) as f64 / 2.0;
    let x: Vec<f64> = rows.iter().map(|bin| middle(bin)).collect();
    let hover: Vec<String> = rows.iter().map(|bin| hover(bin)).collect();
    let color = theme::color("loader");
    if rows.iter().any(|bin| bin.n > 1) {
        let around = |value: fn(&Bin) -> f64| rows.iter().map(move |bin| scale.of(value(bin)));
        let ring_x = x.iter().copied().chain(x.iter().rev().copied()).collect();
        let ring_y = around(|bin| bin.max).chain(around(|bin| bin.min).rev()).collect();
        let ring = Scatter::new(ring_x, ring_y)
            .mode(Mode::Lines)
            .fill(Fill::ToSelf)
            .fill_color(theme::faint(color, 0.18))
            .line(Line::new().width(0.0))
            .hover_info(HoverInfo::Skip)
            .show_legend(false)
            .x_axis(&at.x)
            .y_axis(&at.y);
        sheet.trace(ring);
    }
    let mut line = |name: &str, color: &str, value: fn(&Bin) -> f64| {
        let show = sheet.first(name);
        let y = rows.iter().map(|bin| scale.of(value(bin))).collect();
        let line = Scatter::new(x.clone(), y)
            .mode(if rows.len() > 1 { Mode::Lines } else { Mode::Markers })
            .name(name)
            .legend_group(name)
            .show_legend(show)
            .line(Line::new().color(color.to_owned()).width(1.5))
            .hover_text_array(hover.clone())
            .hover_template("%{hovertext}<extra></extra>")
            .x_axis(&at.x)
            .y_axis(&at.y);
        sheet.trace(line);
    };
    if rows.iter().any(|bin| !bin.compute.is_nan()) {
        line("work on the batch", theme::color("busy"), |bin| bin.compute);
    }
    line("wait for the batch", color, |bin| bin.mean);
}

/// Draws a line at the start of each pass after the first one.
fn borders(sheet: &mut Sheet, rows: &[&Bin], at: &Place) {
    let begins = rows.windows(2).filter(|pair| pair[0].pass != pair[1].pass).map(|pair| pair[1].place as f64 - 0.5);
    for x in begins.take(EPOCHS) {
        sheet.shape(
            Shape::new()
                .shape_type(ShapeType::Line)
                .layer(ShapeLayer::Below)
                .x_ref(&at.x)
                .x0(x)
                .x1(x)
                .y_ref(format!("{} domain", at.y))
                .y0(0.0)
                .y1(1.0)
                .line(ShapeLine::new().width(1.0).color(theme::color("other"))),
        );
    }
}

fn outliers(sheet: &mut Sheet, marked: &[&Slow], at: &Place, scale: Scale) {
    if marked.is_empty() {
        return;
    }
    let name = "at least 2x the median wait";
    let show = sheet.first(name);
    let hover = marked.iter().map(|slow| {
        format!(
            "batch {}<br>wait {}, {}x the median",
            slow.place,
            label::duration(slow.dur),
            label::number(slow.relative)
        )
    });
    let (x, y) = marked.iter().map(|slow| (slow.place as f64, scale.of(slow.dur))).unzip();
    let marks = Scatter::new(x, y)
        .mode(Mode::Markers)
        .marker(Marker::new().symbol(MarkerSymbol::X).size(8).color(theme::color("outlier")))
        .name(name)
        .legend_group(name)
        .show_legend(show)
        .hover_text_array(hover.collect())
        .hover_template("%{hovertext}<extra></extra>")
        .x_axis(&at.x)
        .y_axis(&at.y);
    sheet.trace(marks);
}

fn hover(bin: &Bin) -> String {
    let epoch = bin.epoch.map_or(String::new(), |epoch| format!(", epoch {epoch}"));
    let work = if bin.compute.is_nan() { String::new() } else { format!("<br>work {}", label::duration(bin.compute)) };
    if bin.n > 1 {
        return format!(
            "batches {} to {}{epoch}<br>mean wait {}, shortest {}, longest {}{work}",
            bin.place,
            bin.place + bin.n - 1,
            label::duration(bin.mean),
            label::duration(bin.min),
            label::duration(bin.max)
        );
    }
    format!("batch {}{epoch}<br>wait {}{work}", bin.place, label::duration(bin.mean))
}

/// `20 batches of nw2, mean wait 8.93 ms; 3 waits at least 2x the median`
fn title(panels: &[(Loop, Vec<usize>)], bins: &[Bin], slow: &[Slow]) -> String {
    let waited = |rows: &[usize]| rows.iter().map(|row| bins[*row].mean * bins[*row].n as f64).sum::<f64>();
    let Some((whose, rows)) = panels.iter().max_by(|a, b| waited(&a.1).total_cmp(&waited(&b.1))) else {
        return String::new();
    };
    let n: i64 = rows.iter().map(|row| bins[*row].n).sum();
    let outliers = slow.iter().filter(|slow| slow.whose == *whose).count();
    format!(
        "{} batches of {}, mean wait {}; {outliers} waits at least 2x the median",
        label::grouped(n),
        loops::names(&[whose])[0],
        label::duration(waited(rows) / n.max(1) as f64)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

    fn batches(n: &[i64]) -> Frame {
        let rows = n.len();
        let place: Vec<i64> = n.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
        let pass: Vec<i64> = (0..rows).map(|row| i64::from(row > 0)).collect();
        frame(vec![
            texts("run", &vec!["a"; rows]),
            texts("node", &vec![""; rows]),
            known("rank", &vec![-1; rows]),
            known("pid", &vec![-1; rows]),
            texts("loader", &vec!["w0"; rows]),
            known("object", &vec![0; rows]),
            known("pass", &pass),
            known("epoch", &pass),
            ints("position", &place),
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
            known("rank", &[-1]),
            known("pid", &[-1]),
            texts("loader", &["w0"]),
            known("object", &[0]),
            ints("position", &[1]),
            floats("dur", &[6e6]),
            floats("relative", &[3.0]),
        ])
    }

    #[test]
    fn waits_and_work_of_single_batches() {
        let plot = value(&draw(&[batches(&[1, 1, 1]), slow()]).unwrap());
        assert_eq!((&plot["data"][0]["y"], &plot["data"][1]["y"]), (&json!([4.0, 4.0, 4.0]), &json!([2.0, 2.0, 2.0])));
        assert_eq!((&plot["data"][2]["x"], &plot["data"][2]["y"]), (&json!([1.0]), &json!([6.0])));
        assert_eq!(plot["layout"]["shapes"].as_array().unwrap().len(), 1);
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(0.5));
        assert_eq!(plot["data"][1]["hovertext"][1], "batch 1, epoch 1<br>wait 2 ms<br>work 4 ms");
        assert_eq!(plot["layout"]["yaxis"]["title"]["text"], "time (ms)");
        assert!(
            told(&plot).starts_with("3 batches of w0, mean wait 2 ms; 1 waits at least 2x the median"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn many_batches_are_a_line_with_a_band() {
        let plot = value(&draw(&[batches(&[10, 10]), none(&slow())]).unwrap());
        assert_eq!(plot["data"][0]["y"], json!([6.0, 6.0, 1.0, 1.0]));
        assert_eq!(plot["data"][2]["x"], json!([4.5, 14.5]));
        assert!(told(&plot).contains("band: their shortest to longest wait"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&batches(&[1])), none(&slow())]).unwrap());
        assert_eq!(title, "<b>Time of each batch</b>");
        assert!(note.starts_with("<b>no waits for batches in this profile</b>"), "{note}");
    }
}
