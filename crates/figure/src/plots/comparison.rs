//! Waterfall from the mean step of one group of runs to the mean step of another group.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "comparison",
    doc: "How much longer or shorter each part of the mean step is in runs b than in runs a; a panel for each run b.",
    queries: &[Ask::new("change.roles")],
    draw,
};

/// A role on both sides, in ns of a mean step.
struct Row {
    run: String,
    role: String,
    a: f64,
    b: f64,
    low: f64,
    high: f64,
    kind: String,
}

impl Row {
    fn differs(&self) -> bool {
        (self.b - self.a).abs() > 0.0
    }
}

/// A bar of the waterfall, with its start and end.
struct Bar {
    name: String,
    from: f64,
    to: f64,
    /// Whether it is a whole step and not a change.
    whole: bool,
    hover: String,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = rows(read::answer(frames, 0)?)?;
    if !rows.iter().any(Row::differs) {
        let (what, why) = if rows.is_empty() {
            let why = "One of the two sides has no steps and no recording with times. Set a and b to runs with steps.";
            ("nothing to compare", why)
        } else {
            ("the two sides are the same", "Set a and b to other runs: a=[\"before\"], b=[\"after\"].")
        };
        return Ok(sheet::message("Comparison", what, why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(rows.iter().map(|row| row.run.as_str()));
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let scale = Scale::time(rows.iter().map(|row| row.a.max(row.b)).fold(0.0, f64::max));
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    for (run, members) in &runs {
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        panel(&mut sheet, run, &waterfall(&rows), scale);
    }
    let first: Vec<&Row> =
        runs.first().map(|(_, members)| members.iter().map(|row| &rows[*row]).collect()).unwrap_or_default();
    Ok(sheet.plot(&title(&first), &notes))
}

fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let (run, role, kind) = (read::texts(frame, "run")?, read::texts(frame, "name")?, read::texts(frame, "kind")?);
    let (a, b) = (read::floats(frame, "a")?, read::floats(frame, "b")?);
    let (low, high) = (read::floats(frame, "low")?, read::floats(frame, "high")?);
    let rows = run.into_iter().zip(role).zip(kind).enumerate().map(|(row, ((run, role), kind))| Row {
        run,
        role,
        a: if a[row].is_nan() { 0.0 } else { a[row] },
        b: if b[row].is_nan() { 0.0 } else { b[row] },
        low: low[row],
        high: high[row],
        kind,
    });
    Ok(rows.collect())
}

/// The step of a, then the changed roles in the order of the query, then the step of b. Unchanged roles are excluded.
fn waterfall(rows: &[&Row]) -> Vec<Bar> {
    let before: f64 = rows.iter().map(|row| row.a).sum();
    let after: f64 = rows.iter().map(|row| row.b).sum();
    let whole = |name: &str, dur: f64| Bar {
        name: name.to_owned(),
        from: 0.0,
        to: dur,
        whole: true,
        hover: format!("mean step of {name}<br>{}", label::duration(dur)),
    };
    let mut bars = vec![whole("a", before)];
    let mut at = before;
    for row in rows.iter().filter(|row| row.differs()) {
        let to = at + row.b - row.a;
        bars.push(Bar { name: row.role.clone(), from: at, to, whole: false, hover: hover(row) });
        at = to;
    }
    bars.push(whole("b", after));
    bars
}

fn panel(sheet: &mut Sheet, run: &str, bars: &[Bar], scale: Scale) {
    let names: Vec<String> = bars.iter().map(|bar| bar.name.clone()).collect();
    let x = theme::axis(&format!("mean step ({})", scale.unit)).range_mode(RangeMode::ToZero);
    let at = sheet.panel(&format!("b: {run}"), 40 + 24 * bars.len(), x, stack::side(&names), true);
    let part = |name: &str, color: String, value: &dyn Fn(&Bar) -> f64| Part {
        name: name.to_owned(),
        color,
        values: bars.iter().map(|bar| scale.of(value(bar))).collect(),
        hover: bars.iter().map(|bar| bar.hover.clone()).collect(),
    };
    let change = |bar: &Bar| if bar.whole { 0.0 } else { bar.to - bar.from };
    let parts = vec![
        // The invisible base of a change.
        part("unchanged", "rgba(0,0,0,0)".to_owned(), &|bar| if bar.whole { 0.0 } else { bar.from.min(bar.to) }),
        part("whole step", theme::color("idle").to_owned(), &|bar| if bar.whole { bar.to } else { 0.0 }),
        part("longer", theme::color("outlier").to_owned(), &|bar| change(bar).max(0.0)),
        part("shorter", theme::color("kernel").to_owned(), &|bar| (-change(bar)).max(0.0)),
    ];
    // Registered here so that it does not get a legend entry.
    sheet.first("unchanged");
    stack::draw(sheet, &at, parts, &Orientation::Horizontal);
}

fn hover(row: &Row) -> String {
    let sign = if row.b > row.a { "+" } else { "-" };
    let interval = if row.low.is_nan() || row.high.is_nan() {
        "no confidence interval: too few values".to_owned()
    } else {
        format!("{} to {} times", label::number(row.low), label::number(row.high))
    };
    format!(
        "{}: {sign}{}<br>{} to {}<br>{interval}<br>{}",
        label::plain(&row.role),
        label::duration((row.b - row.a).abs()),
        label::duration(row.a),
        label::duration(row.b),
        label::plain(&row.kind)
    )
}

/// `mean step 100 ms to 120 ms: loader +18 ms, kernel +4 ms`
fn title(rows: &[&Row]) -> String {
    let sum = |value: fn(&Row) -> f64| rows.iter().map(|row| value(row)).sum::<f64>();
    let mut most: Vec<&&Row> = rows.iter().filter(|row| row.differs()).collect();
    most.sort_by(|x, y| (y.b - y.a).abs().total_cmp(&(x.b - x.a).abs()));
    let named = most.iter().take(2).map(|row| {
        let sign = if row.b > row.a { "+" } else { "-" };
        format!("{} {sign}{}", row.role, label::duration((row.b - row.a).abs()))
    });
    let named: Vec<String> = named.collect();
    format!(
        "mean step {} to {}: {}",
        label::duration(sum(|row| row.a)),
        label::duration(sum(|row| row.b)),
        named.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, message, none, texts, told, value};

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

    #[test]
    fn changes_lead_from_one_step_to_the_other() {
        // 8 ms, 2 more of waiting, 1 less of kernels, 9 ms
        let plot = value(&draw(&[roles([3e6, 2e6, 4e6])]).unwrap());
        let data = &plot["data"];
        assert_eq!(data[0]["x"], json!([0.0, 8.0, 9.0, 0.0]));
        assert_eq!(data[1]["x"], json!([8.0, 0.0, 0.0, 9.0]));
        assert_eq!(data[2]["x"], json!([0.0, 2.0, 0.0, 0.0]));
        assert_eq!(data[3]["x"], json!([0.0, 0.0, 1.0, 0.0]));
        assert_eq!(data[0]["marker"]["color"], "rgba(0,0,0,0)");
        assert_eq!(data[2]["hovertext"][1], "loader: +2 ms<br>1 ms to 3 ms<br>2.5 to 3.5 times<br>slower");
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["a", "loader", "kernel", "b"]));
        assert_eq!(told(&plot), "mean step 8 ms to 9 ms: loader +2 ms, kernel -1 ms");
    }

    #[test]
    fn what_is_missing_is_said() {
        let (title, note) = message(&draw(&[roles([1e6, 2e6, 5e6])]).unwrap());
        assert_eq!(title, "<b>Comparison</b>");
        assert!(note.starts_with("<b>the two sides are the same</b>"), "{note}");
        let (_, note) = message(&draw(&[none(&roles([0.0; 3]))]).unwrap());
        assert!(note.starts_with("<b>nothing to compare</b>"), "{note}");
    }
}
