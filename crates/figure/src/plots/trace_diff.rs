//! Kernels and host calls that took longer or shorter than in another run, recording, rank or step.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::BarMode;

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::{label, read, sheet, stack, theme};
use crate::plots::kernel_top::short;
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "trace_diff",
    doc: "Kernels and host calls that took longer or shorter than in the base; two panels per run.",
    queries: &[Ask::new("kernel.diff"), Ask::new("operator.diff")],
    draw,
};

/// Maximum number of names in a panel.
const NAMES: usize = 20;
/// Kinds of bars: legend entry and color role.
const SORTS: &[(&str, &str)] =
    &[("longer", "outlier"), ("shorter", "kernel"), ("only in this run", "memory"), ("only in the base", "idle")];

/// A name on both sides. Durations are in ns, per step if both sides have steps.
struct Row {
    run: String,
    base: String,
    name: String,
    kind: String,
    change: String,
    n: (i64, i64),
    dur: (f64, f64),
    steps: (i64, i64),
}

impl Row {
    fn diff(&self) -> f64 {
        self.dur.1 - self.dur.0
    }

    fn sort(&self) -> usize {
        match self.change.as_str() {
            "added" => 2,
            "deleted" => 3,
            _ => usize::from(self.diff() < 0.0),
        }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let sides = [
        ("kernels and copies", "type", rows(read::answer(frames, 0)?, "type")?),
        ("host calls", "category", rows(read::answer(frames, 1)?, "category")?),
    ];
    let all = || sides.iter().flat_map(|(_, _, rows)| rows);
    if all().all(|row| row.run == row.base && row.n.0 == row.n.1 && row.diff() == 0.0) {
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
        return Ok(sheet::message("Trace difference", what, why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(all().map(|row| row.run.as_str()));
    read::cap(&mut runs, PANELS / 2, "runs", &mut notes);
    let widest = all().map(|row| row.diff().abs()).fold(0.0, f64::max);
    let scale = Scale::time(widest);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Overlay);
    for (run, _) in &runs {
        for (what, _, rows) in &sides {
            let mut here: Vec<&Row> = rows.iter().filter(|row| row.run == *run && row.diff() != 0.0).collect();
            if here.is_empty() {
                continue;
            }
            here.sort_by(|a, b| b.diff().abs().total_cmp(&a.diff().abs()).then_with(|| a.name.cmp(&b.name)));
            let every = here.len();
            here.truncate(NAMES);
            if here.len() < every {
                notes.push(format!("{NAMES} of {every} different {what} shown"));
            }
            here.sort_by(|a, b| b.diff().total_cmp(&a.diff()).then_with(|| a.name.cmp(&b.name)));
            let base = label::clip(&here[0].base, 30);
            bars(&mut sheet, &format!("run {}, {what}, difference from {base}", label::clip(run, 30)), &here, scale);
        }
    }
    if all().any(|row| row.steps.0 > 0 && row.steps.1 > 0 && row.steps != (1, 1)) {
        notes.push("durations are per step of a rank".to_owned());
    }
    Ok(sheet.plot(&title(&sides[0].2, &sides[1].2), &notes))
}

fn rows(frame: &Frame, kind: &str) -> Result<Vec<Row>> {
    let text = |name| read::texts(frame, name);
    let (runs, bases, names, kinds, changes) =
        (text("run")?, text("base")?, text("name")?, text(kind)?, text("change_kind")?);
    let column = |name| -> Result<Vec<i64>> {
        Ok(read::integers(frame, name)?.into_iter().map(|value| value.unwrap_or(0)).collect())
    };
    let (base_n, n, base_dur, dur) = (column("base_n")?, column("n")?, column("base_dur_sum")?, column("dur_sum")?);
    let (base_steps, steps) = (column("base_steps")?, column("steps")?);
    let rows = runs.into_iter().zip(bases).zip(names).zip(kinds).zip(changes).enumerate();
    let rows = rows.map(|(row, ((((run, base), name), kind), change))| {
        let both = base_steps[row] > 0 && steps[row] > 0;
        let per = |steps: i64| if both { steps as f64 } else { 1.0 };
        Row {
            run,
            base,
            name,
            kind,
            change,
            n: (base_n[row], n[row]),
            dur: (base_dur[row] as f64 / per(base_steps[row]), dur[row] as f64 / per(steps[row])),
            steps: (base_steps[row], steps[row]),
        }
    });
    Ok(rows.collect())
}

fn bars(sheet: &mut Sheet, label: &str, rows: &[&Row], scale: Scale) {
    let names: Vec<String> = rows.iter().map(|row| short(&row.name)).collect();
    let x = theme::axis(&format!("difference ({})", scale.unit));
    let at = sheet.panel(label, 22 + 18 * rows.len(), x, stack::side(&names), true);
    let parts = SORTS.iter().enumerate().map(|(sort, (name, role))| Part {
        name: (*name).to_owned(),
        color: theme::color(role).to_owned(),
        // Bars of another kind have length 0 here.
        values: rows.iter().map(|row| if row.sort() == sort { scale.of(row.diff()) } else { 0.0 }).collect(),
        hover: rows.iter().map(|row| hover(row)).collect(),
    });
    stack::draw(sheet, &at, parts.collect(), &Orientation::Horizontal);
}

fn hover(row: &Row) -> String {
    let per = if row.steps.0 > 0 && row.steps.1 > 0 { " per step" } else { "" };
    format!(
        "{}<br>{}, {}<br>{} to {}{per}: {}<br>{} to {} calls in total",
        label::whole(&row.name),
        label::plain(&row.kind),
        label::plain(&row.change),
        label::duration(row.dur.0),
        label::duration(row.dur.1),
        signed(row.diff()),
        label::grouped(row.n.0),
        label::grouped(row.n.1)
    )
}

/// A difference with its sign.
fn signed(ns: f64) -> String {
    format!("{}{}", if ns < 0.0 { "-" } else { "+" }, label::duration(ns.abs()))
}

/// `after compared with before: kernels +12.3 ms (+3.4 %), 27 added, 66 deleted, 24 more or fewer calls; largest change
/// in ampere_sgemm: +4 ms`
fn title(kernels: &[Row], calls: &[Row]) -> String {
    let (what, rows) = if kernels.is_empty() { ("host calls", calls) } else { ("kernels", kernels) };
    let Some(first) = rows.first() else { return "no difference".to_owned() };
    let here: Vec<&Row> = rows.iter().filter(|row| row.run == first.run).collect();
    let with = |change: &str| here.iter().filter(|row| row.change == change).count();
    let changed = with("increased") + with("decreased");
    let against = if first.base == first.run { "itself" } else { first.base.as_str() };
    let runs = format!("{} compared with {}", label::clip(&first.run, 30), label::clip(against, 30));
    let (added, deleted) = (with("added"), with("deleted"));
    let what = if kernels.is_empty() {
        // The time of a call includes its nested calls, so a sum would be meaningless.
        what.to_owned()
    } else {
        let sum = |side: fn(&Row) -> f64| here.iter().map(|row| side(row)).sum::<f64>();
        let (before, after) = (sum(|row| row.dur.0), sum(|row| row.dur.1));
        let share = if before > 0.0 {
            let sign = if after < before { "-" } else { "+" };
            format!(" ({sign}{})", label::share((after - before).abs(), before))
        } else {
            String::new()
        };
        format!("{what} {}{share},", signed(after - before))
    };
    let text = format!("{runs}: {what} {added} added, {deleted} deleted, {changed} with more or fewer calls");
    let most = here.iter().max_by(|a, b| a.diff().abs().total_cmp(&b.diff().abs()));
    match most.filter(|row| row.diff() != 0.0) {
        Some(row) => format!("{text}; largest change in {}: {}", short(&row.name), signed(row.diff())),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, message, none, texts, told, value};

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
    fn bars_go_both_ways_and_say_what_is_new() {
        let kernels = diff("type", "before", &[4_000, 9_000, 0, 1_000], &[6_000, 2_000, 3_000, 0], 0);
        let plot = value(&draw(&[kernels, none(&diff("category", "before", &[1], &[1], 0))]).unwrap());
        let found: Vec<(&str, _)> =
            plot["data"].as_array().unwrap().iter().map(|t| (t["name"].as_str().unwrap(), &t["x"])).collect();
        assert_eq!(
            found,
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
            told(&plot),
            "after compared with before: kernels -3 us (-21.4 %), 1 added, 1 deleted, 0 with more or fewer calls; largest change in k&lt;1&gt;(): -7 us"
        );
    }

    #[test]
    fn sides_with_other_numbers_of_steps_are_compared_per_step() {
        let same = diff("category", "before", &[4_000, 2_000], &[2_000, 3_000], 4);
        let plot = value(&draw(&[none(&diff("type", "before", &[1], &[1], 0)), same]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([1.0]));
        assert_eq!(
            told(&plot),
            "after compared with before: host calls 0 added, 0 deleted, 0 with more or fewer calls; largest change in k&lt;1&gt;(): +1 us | \
             durations are per step of a rank"
        );
    }

    #[test]
    fn names_are_bounded() {
        let (base, dur): (Vec<i64>, Vec<i64>) = (1..500).map(|row| (row, 3 * row)).unzip();
        let many = diff("type", "before", &base, &dur, 0);
        let plot = value(&draw(&[many, none(&diff("category", "before", &[1], &[1], 0))]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(told(&plot).ends_with("| 20 of 499 different kernels and copies shown"), "{}", told(&plot));
    }

    #[test]
    fn what_is_missing_is_said() {
        let none = none(&diff("type", "before", &[1], &[1], 0));
        let nothing = |kernels: Frame, calls: Frame| message(&draw(&[kernels, calls]).unwrap());
        let calls = || diff("category", "after", &[1], &[1], 0);
        let (title, note) = nothing(none.clone(), calls());
        assert_eq!(title, "<b>Trace difference</b>");
        assert!(note.starts_with("<b>nothing to compare with</b><br>Set another run"), "{note}");
        let (_, note) = nothing(none, crate::kit::testing::none(&calls()));
        assert!(note.starts_with("<b>nothing to compare in this profile</b>"), "{note}");
    }
}
