//! Kernels and host calls that took longer or shorter than in another run, recording, rank or step.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::read::{group_by, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::plots::kernel_top::{AXIS_LETTERS, short_name, without_namespaces};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "trace_diff",
    doc: "Kernels and host calls that took longer or shorter than in the base; two panels per run.",
    queries: &[FigureQuery::new("kernel.diff"), FigureQuery::new("operator.diff")],
    draw,
};

/// Maximum number of names in a panel.
const NAMES: usize = 20;
/// Legend entry and color role of each kind of change, see [`NameDiff::change_index`].
const CHANGES: &[(&str, &str)] =
    &[("longer", "outlier"), ("shorter", "kernel"), ("only in this run", "memory"), ("only in the base", "idle")];

/// A name in the run and in the base. Durations are in ns.
struct NameDiff {
    run: String,
    base: String,
    name: String,
    /// Type of a kernel, or category of a host call.
    kind: String,
    change_kind: String,
    base_n: i64,
    n: i64,
    base_dur_sum: i64,
    dur_sum: i64,
    base_steps: i64,
    steps: i64,
}

impl NameDiff {
    /// Whether durations are per step.
    fn has_steps(&self) -> bool {
        self.base_steps > 0 && self.steps > 0
    }

    fn base_dur(&self) -> f64 {
        self.base_dur_sum as f64 / if self.has_steps() { self.base_steps as f64 } else { 1.0 }
    }

    fn dur(&self) -> f64 {
        self.dur_sum as f64 / if self.has_steps() { self.steps as f64 } else { 1.0 }
    }

    fn diff(&self) -> f64 {
        self.dur() - self.base_dur()
    }

    /// Index in `CHANGES`.
    fn change_index(&self) -> usize {
        match self.change_kind.as_str() {
            "added" => 2,
            "deleted" => 3,
            _ => usize::from(self.diff() < 0.0),
        }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let kernels = read_diffs(read::frame(frames, 0)?, "type")?;
    let calls = read_diffs(read::frame(frames, 1)?, "category")?;
    let all = || kernels.iter().chain(&calls);
    if all().all(|row| row.run == row.base && row.base_n == row.n && row.diff() == 0.0) {
        let (what, why) = if all().next().is_none() {
            (
                "nothing to compare in this profile",
                "One side has neither kernels nor operators, or the base is not the name of a run. Traces of the \
                 PyTorch profiler have kernels and operators.",
            )
        } else {
            (
                "nothing to compare with",
                "Set another run as the base (base=\"before\"), or compare two recordings (base_span=0, span=1), steps \
                 (base_step=5, step=6) or ranks (base_rank=0, rank=1) of one run.",
            )
        };
        return Ok(sheet::message_plot("Trace difference", what, why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(all(), |row| row.run.as_str());
    read::truncate(&mut runs, PANELS / 2, "runs", &mut notes);
    let scale = Scale::time(all().map(|row| row.diff().abs()).fold(0.0, f64::max));
    let mut sheet = Sheet::default();
    for (run, _) in &runs {
        for (what, rows) in [("kernels and copies", &kernels), ("host calls", &calls)] {
            let of_run = rows.iter().filter(|row| row.run == *run && row.diff() != 0.0);
            draw_panel(&mut sheet, what, of_run.collect(), scale, &mut notes);
        }
    }
    if all().any(|row| row.has_steps() && (row.base_steps, row.steps) != (1, 1)) {
        notes.push("durations are per step of a rank".to_owned());
    }
    Ok(sheet.into_plot(&title(&kernels, &calls), &notes))
}

fn read_diffs(frame: &Frame, kind: &str) -> Result<Vec<NameDiff>> {
    Ok(rows!(
        frame,
        NameDiff { run, base, name, kind: kind, change_kind, base_n, n, base_dur_sum, dur_sum, base_steps, steps }
    ))
}

/// Draws the largest differences of a run.
fn draw_panel(sheet: &mut Sheet, what: &str, mut rows: Vec<&NameDiff>, scale: Scale, notes: &mut Vec<String>) {
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|a, b| b.diff().abs().total_cmp(&a.diff().abs()).then_with(|| a.name.cmp(&b.name)));
    read::truncate(&mut rows, NAMES, &format!("different {what}"), notes);
    rows.sort_by(|a, b| b.diff().total_cmp(&a.diff()).then_with(|| a.name.cmp(&b.name)));
    let names: Vec<String> = rows.iter().map(|row| without_namespaces(&row.name)).collect();
    let names = label::distinguish(&names, AXIS_LETTERS);
    let x = theme::axis(&format!("difference ({})", scale.unit));
    let (run, base) = (label::clip(&rows[0].run, 30), label::clip(&rows[0].base, 30));
    let label = format!("run {run}, {what}, difference from {base}");
    let axes = stack::add_panel(sheet, &label, 22 + 18 * rows.len(), x, &names);
    let parts = CHANGES.iter().enumerate().map(|(change, (name, role))| {
        // Bars of another kind have length 0 here.
        let value = |row: &&NameDiff| if row.change_index() == change { scale.convert(row.diff()) } else { 0.0 };
        BarPart::new(name, theme::color(role), &rows, value, |row| hover(row))
    });
    stack::draw(sheet, &axes, parts);
}

fn hover(row: &NameDiff) -> String {
    format!(
        "{}<br>{}, {}<br>{} to {}{}: {}<br>{} to {} calls in total",
        label::wrap_name(&row.name),
        label::sanitize(&row.kind),
        label::sanitize(&row.change_kind),
        label::duration(row.base_dur()),
        label::duration(row.dur()),
        if row.has_steps() { " per step" } else { "" },
        signed_duration(row.diff()),
        label::group_digits(row.base_n),
        label::group_digits(row.n)
    )
}

/// `+12.3 ms`
fn signed_duration(ns: f64) -> String {
    format!("{}{}", if ns < 0.0 { "-" } else { "+" }, label::duration(ns.abs()))
}

/// `after compared with before: kernels +12.3 ms (+3.4 %), 27 added, 66 deleted, 24 with more or fewer calls; largest
/// change in ampere_sgemm: +4 ms`
fn title(kernels: &[NameDiff], calls: &[NameDiff]) -> String {
    let rows = if kernels.is_empty() { calls } else { kernels };
    let Some(first) = rows.first() else { return "no difference".to_owned() };
    let rows: Vec<&NameDiff> = rows.iter().filter(|row| row.run == first.run && row.kind != "memory").collect();
    let base = if first.base == first.run { "itself" } else { first.base.as_str() };
    let runs = format!("{} compared with {}", label::clip(&first.run, 30), label::clip(base, 30));
    // The time of a call includes its nested calls, so a sum would be meaningless.
    let total = if kernels.is_empty() { "host calls".to_owned() } else { format!("kernels {},", total_diff(&rows)) };
    let count = |change: &str| rows.iter().filter(|row| row.change_kind == change).count();
    let (added, deleted) = (count("added"), count("deleted"));
    let changed = count("increased") + count("decreased");
    let text = format!("{runs}: {total} {added} added, {deleted} deleted, {changed} with more or fewer calls");
    let largest = rows.iter().max_by(|a, b| a.diff().abs().total_cmp(&b.diff().abs()));
    match largest.filter(|row| row.diff() != 0.0) {
        Some(row) => format!("{text}; largest change in {}: {}", short_name(&row.name), signed_duration(row.diff())),
        None => text,
    }
}

/// `+12.3 ms (+3.4 %)`: the change of the sum.
fn total_diff(rows: &[&NameDiff]) -> String {
    let before: f64 = rows.iter().map(|row| row.base_dur()).sum();
    let after: f64 = rows.iter().map(|row| row.dur()).sum();
    // A larger share is not readable.
    let share = if before > 0.0 && (after - before).abs() < 99.995 * before {
        let sign = if after < before { "-" } else { "+" };
        format!(" ({sign}{})", label::percentage((after - before).abs(), before))
    } else {
        String::new()
    };
    format!("{}{share}", signed_duration(after - before))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, texts, to_value, without_rows};

    fn diff(kind: &'static str, base: &str, base_dur: &[i64], dur: &[i64], steps: i64) -> Frame {
        let n = dur.len();
        let names: Vec<String> = (0..n).map(|name| format!("void k<{name}>()")).collect();
        let count = |dur: &[i64]| dur.iter().map(|dur| i64::from(*dur > 0)).collect::<Vec<_>>();
        let change = |row: usize| match (base_dur[row], dur[row]) {
            (0, _) => "added",
            (_, 0) => "deleted",
            _ => "unchanged",
        };
        frame(vec![
            texts("run", &vec!["after"; n]),
            texts("base", &vec![base; n]),
            texts(kind, &vec!["operator"; n]),
            texts("name", &names.iter().map(String::as_str).collect::<Vec<_>>()),
            texts("change_kind", &(0..n).map(change).collect::<Vec<_>>()),
            ints("base_n", &count(base_dur)),
            ints("n", &count(dur)),
            ints("base_dur_sum", base_dur),
            ints("dur_sum", dur),
            ints("base_steps", &vec![steps; n]),
            ints("steps", &vec![steps / 2; n]),
        ])
    }

    #[test]
    fn bars_show_both_signs_and_new_names() {
        let kernels = diff("type", "before", &[4_000, 9_000, 0, 1_000], &[6_000, 2_000, 3_000, 0], 0);
        let plot = to_value(&draw(&[kernels, without_rows(&diff("category", "before", &[1], &[1], 0))]).unwrap());
        let traces: Vec<(&str, _)> =
            plot["data"].as_array().unwrap().iter().map(|t| (t["name"].as_str().unwrap(), &t["x"])).collect();
        assert_eq!(
            traces,
            [
                ("longer", &json!([0.0, 2.0, 0.0, 0.0])),
                ("shorter", &json!([0.0, 0.0, 0.0, -7.0])),
                ("only in this run", &json!([3.0, 0.0, 0.0, 0.0])),
                ("only in the base", &json!([0.0, 0.0, -1.0, 0.0])),
            ]
        );
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "difference (us)");
        assert_eq!(
            plot["data"][1]["hovertext"][3],
            "void k&lt;1&gt;()<br>operator, unchanged<br>9 us to 2 us: -7 us<br>1 to 1 calls in total"
        );
        assert_eq!(
            heading(&plot),
            "after compared with before: kernels -3 us (-21.4 %), 1 added, 1 deleted, 0 with more or fewer calls; largest change in k&lt;1&gt;(): -7 us"
        );
    }

    #[test]
    fn sides_with_different_numbers_of_steps_are_compared_per_step() {
        let same = diff("category", "before", &[4_000, 2_000], &[2_000, 3_000], 4);
        let plot = to_value(&draw(&[without_rows(&diff("type", "before", &[1], &[1], 0)), same]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([1.0]));
        assert_eq!(
            heading(&plot),
            "after compared with before: host calls 0 added, 0 deleted, 0 with more or fewer calls; largest change in k&lt;1&gt;(): +1 us | \
             durations are per step of a rank"
        );
    }

    #[test]
    fn the_number_of_names_is_limited() {
        let (base, dur): (Vec<i64>, Vec<i64>) = (1..500).map(|row| (row, 3 * row)).unzip();
        let many = diff("type", "before", &base, &dur, 0);
        let plot = to_value(&draw(&[many, without_rows(&diff("category", "before", &[1], &[1], 0))]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(heading(&plot).ends_with("| 20 of 499 different kernels and copies shown"), "{}", heading(&plot));
    }

    #[test]
    fn a_message_says_what_is_missing() {
        let empty = without_rows(&diff("type", "before", &[1], &[1], 0));
        let nothing = |kernels: Frame, calls: Frame| message(&draw(&[kernels, calls]).unwrap());
        let calls = || diff("category", "after", &[1], &[1], 0);
        let (title, note) = nothing(empty.clone(), calls());
        assert_eq!(title, "<b>Trace difference</b>");
        assert!(note.starts_with("<b>nothing to compare with</b><br>Set another run"), "{note}");
        let (_, note) = nothing(empty, without_rows(&calls()));
        assert!(note.starts_with("<b>nothing to compare in this profile</b>"), "{note}");
    }
}
