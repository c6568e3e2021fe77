//! Waterfall from the mean step of one group of runs to the mean step of another group.

use std::collections::BTreeMap;

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::read::{group_by, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "comparison",
    doc: "How much longer or shorter each part of the mean step of the candidate is than that of the baseline; a panel for each candidate.",
    queries: &[FigureQuery::new("change.roles"), FigureQuery::new("change.summary")],
    draw,
};

/// A role on both sides, in ns of a mean step.
struct RoleChange {
    run: String,
    role: String,
    a: f64,
    b: f64,
    low: f64,
    high: f64,
    kind: String,
}

impl RoleChange {
    fn difference(&self) -> f64 {
        self.b - self.a
    }

    /// `+18 ms`
    fn signed_difference(&self) -> String {
        let sign = if self.b > self.a { "+" } else { "-" };
        format!("{sign}{}", label::duration(self.difference().abs()))
    }
}

/// A bar of the waterfall, with its start and end in ns.
struct WaterfallBar {
    name: String,
    start: f64,
    end: f64,
    /// Whether it is a whole step and not a change.
    is_step: bool,
    hover: String,
}

impl WaterfallBar {
    fn change(&self) -> f64 {
        if self.is_step { 0.0 } else { self.end - self.start }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let roles = read_roles(read::frame(frames, 0)?)?;
    if roles.iter().all(|role| role.difference() == 0.0) {
        let (what, why) = if roles.is_empty() {
            let why = "One of the two sides has no steps and no recording with times. Set a and b to runs with steps.";
            ("nothing to compare", why)
        } else {
            ("the two sides are the same", "Set a and b to other runs: a=[\"before\"], b=[\"after\"].")
        };
        return Ok(sheet::message_plot("Comparison", what, why));
    }
    let summary = read::frame(frames, 1)?;
    let (names, baselines) = (read::column::<String>(summary, "run")?, read::column::<String>(summary, "baseline")?);
    let baselines: BTreeMap<String, String> = names.into_iter().zip(baselines).collect();
    let mut notes = Vec::new();
    let mut runs = group_by(&roles, |role| role.run.as_str());
    let several = runs.len() > 1;
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let scale = Scale::time(roles.iter().map(|role| role.a.max(role.b)).fold(0.0, f64::max));
    let mut sheet = Sheet::with_stacked_bars();
    for (run, roles) in &runs {
        let baseline = baselines.get(*run).map_or("baseline", String::as_str);
        draw_panel(&mut sheet, run, &waterfall(roles, baseline, run), scale);
    }
    Ok(sheet.into_plot(&title(&runs[0].1, several), &notes))
}

fn read_roles(frame: &Frame) -> Result<Vec<RoleChange>> {
    let side =
        |name| -> Result<Vec<f64>> { Ok(read::column(frame, name)?.into_iter().map(read::zero_if_nan).collect()) };
    Ok(rows!(frame, RoleChange { run, role: "name", a: side("a")?, b: side("b")?, low, high, kind }))
}

/// The step of the baseline, then the changed roles, largest changes first, then the step of the candidate. Unchanged roles
/// are excluded.
fn waterfall(roles: &[&RoleChange], baseline: &str, candidate: &str) -> Vec<WaterfallBar> {
    let step = |name: &str, dur: f64| WaterfallBar {
        name: name.to_owned(),
        start: 0.0,
        end: dur,
        is_step: true,
        hover: format!("mean step of {}<br>{}", label::sanitize(name), label::duration(dur)),
    };
    let mut end: f64 = roles.iter().map(|role| role.a).sum();
    let mut bars = vec![step(baseline, end)];
    for role in changed(roles) {
        let start = end;
        end = start + role.b - role.a;
        bars.push(WaterfallBar { name: role.role.clone(), start, end, is_step: false, hover: hover(role) });
    }
    bars.push(step(candidate, roles.iter().map(|role| role.b).sum()));
    bars
}

/// The changed roles, largest changes first.
fn changed<'a>(roles: &[&'a RoleChange]) -> Vec<&'a RoleChange> {
    let mut changed: Vec<&RoleChange> = roles.iter().copied().filter(|role| role.difference() != 0.0).collect();
    changed.sort_by(|x, y| y.difference().abs().total_cmp(&x.difference().abs()));
    changed
}

fn draw_panel(sheet: &mut Sheet, run: &str, bars: &[WaterfallBar], scale: Scale) {
    let names: Vec<String> = bars.iter().map(|bar| bar.name.clone()).collect();
    let x = theme::axis_from_zero("mean step", scale.unit);
    let axes = stack::add_panel(sheet, run, 40 + 24 * bars.len(), x, &names);
    let part = |name: &str, color: &str, value: fn(&WaterfallBar) -> f64| {
        BarPart::new(name, color, bars, |bar| scale.convert(value(bar)), |bar| bar.hover.clone())
    };
    let parts = [
        // The invisible base of a change.
        part("unchanged", "transparent", |bar| if bar.is_step { 0.0 } else { bar.start.min(bar.end) }),
        part("whole step", theme::color("idle"), |bar| if bar.is_step { bar.end } else { 0.0 }),
        part("longer", theme::color("outlier"), |bar| bar.change().max(0.0)),
        part("shorter", theme::color("kernel"), |bar| (-bar.change()).max(0.0)),
    ];
    // Registered here so that it does not get a legend entry.
    sheet.register_name("unchanged");
    stack::draw(sheet, &axes, parts);
}

fn hover(role: &RoleChange) -> String {
    let interval = if role.low.is_nan() || role.high.is_nan() {
        "no confidence interval: too few values".to_owned()
    } else {
        format!("{} to {} times", label::number(role.low), label::number(role.high))
    };
    format!(
        "{}: {}<br>{} to {}<br>{interval}<br>{}",
        label::sanitize(&role.role),
        role.signed_difference(),
        label::duration(role.a),
        label::duration(role.b),
        label::sanitize(&role.kind)
    )
}

/// `mean step 100 ms to 120 ms: loader +18 ms, kernel +4 ms`
fn title(roles: &[&RoleChange], several: bool) -> String {
    let sum = |value: fn(&RoleChange) -> f64| roles.iter().map(|role| value(role)).sum::<f64>();
    let changes: Vec<String> =
        changed(roles).iter().take(2).map(|role| format!("{} {}", role.role, role.signed_difference())).collect();
    let run = if several { label::clip(&roles[0].run, 30) } else { String::new() };
    let steps = format!("mean step {} to {}", label::duration(sum(|role| role.a)), label::duration(sum(|role| role.b)));
    label::join(&[&run, &steps, &changes.join(", ")], ": ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, message, texts, to_value, without_rows};

    fn roles(b: [f64; 3]) -> Frame {
        frame(vec![
            texts("run", &["after", "after", "after"]),
            texts("name", &["loader", "cpu", "kernel"]),
            texts("kind", &["slower", "same", "faster"]),
            floats("a", &[1e6, 2e6, 5e6]),
            floats("b", &b),
            floats("low", &[2.5, f64::NAN, 0.7]),
            floats("high", &[3.5, f64::NAN, 0.9]),
        ])
    }

    fn summary() -> Frame {
        frame(vec![texts("run", &["after"]), texts("baseline", &["before"])])
    }

    #[test]
    fn changes_lead_from_one_step_to_the_other() {
        // A step of 8 ms: 2 ms more for the loader, 1 ms less for kernels, 9 ms in the end.
        let plot = to_value(&draw(&[roles([3e6, 2e6, 4e6]), summary()]).unwrap());
        let data = &plot["data"];
        assert_eq!(data[0]["x"], json!([0.0, 8.0, 9.0, 0.0]));
        assert_eq!(data[1]["x"], json!([8.0, 0.0, 0.0, 9.0]));
        assert_eq!(data[2]["x"], json!([0.0, 2.0, 0.0, 0.0]));
        assert_eq!(data[3]["x"], json!([0.0, 0.0, 1.0, 0.0]));
        assert_eq!(data[0]["marker"], json!({"color": "transparent"}));
        assert_eq!(data[2]["hovertext"][1], "loader: +2 ms<br>1 ms to 3 ms<br>2.5 to 3.5 times<br>slower");
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["before", "loader", "kernel", "after"]));
        assert_eq!(heading(&plot), "mean step 8 ms to 9 ms: loader +2 ms, kernel -1 ms");
    }

    #[test]
    fn a_message_says_what_is_missing() {
        let (title, note) = message(&draw(&[roles([1e6, 2e6, 5e6]), summary()]).unwrap());
        assert_eq!(title, "<b>Comparison</b>");
        assert!(note.starts_with("<b>the two sides are the same</b>"), "{note}");
        let (_, note) = message(&draw(&[without_rows(&roles([0.0; 3])), summary()]).unwrap());
        assert!(note.starts_with("<b>nothing to compare</b>"), "{note}");
    }
}
