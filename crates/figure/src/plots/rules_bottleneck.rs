//! How often a GPU was idle while a CPU core was busy or waiting for I/O.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::BarMode;

use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_bottleneck",
    doc: "The share of snapshots with an idle GPU while a CPU core was busy or waiting for I/O (rules CPUBottleneck \
          and IOBottleneck), with the limit above which the rules are triggered.",
    queries: &[Ask::new("rules.cpu_bottleneck"), Ask::new("rules.io_bottleneck")],
    draw,
};

/// The result of a rule for a run.
struct Bottleneck {
    run: String,
    core: &'static str,
    triggered: bool,
    violations: i64,
    low: i64,
    datapoints: i64,
    parameters: String,
}

impl Bottleneck {
    fn percent(&self, part: i64) -> f64 {
        if self.datapoints > 0 { 100.0 * part as f64 / self.datapoints as f64 } else { 0.0 }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut rules = bottlenecks(read::answer(frames, 0)?, "busy core")?;
    rules.extend(bottlenecks(read::answer(frames, 1)?, "waiting core")?);
    if rules.is_empty() {
        let why = "No machine was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message("Bottlenecks", "no system metrics in this profile", why));
    }
    let mut notes = vec!["dashed: share above which the rule is triggered".to_owned()];
    let mut runs = groups(rules.iter().map(|rule| rule.run.as_str()));
    let all = runs.len();
    read::cap(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    let mut title = String::new();
    for (run, rows) in &runs {
        let here: Vec<&Bottleneck> = rows.iter().map(|row| &rules[*row]).collect();
        if title.is_empty() {
            title = headline(run, all, &here);
        }
        let names: Vec<String> = here.iter().map(|rule| rule.core.to_owned()).collect();
        let x = theme::axis("snapshots (%)").range(vec![0.0, 100.0]).n_ticks(6);
        let at =
            sheet.panel(&format!("run {run}: idle GPU with a"), 30 + 34 * names.len(), x, stack::side(&names), true);
        let part = |name: &str, role: &str, of: fn(&Bottleneck) -> i64| Part {
            name: name.to_owned(),
            color: theme::color(role).to_owned(),
            values: here.iter().map(|rule| rule.percent(of(rule))).collect(),
            hover: here.iter().map(|rule| hover(rule, name, of(rule))).collect(),
        };
        let parts = vec![
            part("idle GPU with such a core", "outlier", |rule| rule.violations),
            part("idle GPU without such a core", "idle", |rule| rule.low - rule.violations),
            part("no idle GPU", "busy", |rule| rule.datapoints - rule.low),
        ];
        stack::draw(&mut sheet, &at, parts, &Orientation::Horizontal);
        boxes::limits(&mut sheet, &at, here.iter().map(|rule| rule.parameters.as_str()), &["threshold"]);
    }
    Ok(sheet.plot(&title, &notes))
}

fn bottlenecks(frame: &Frame, core: &'static str) -> Result<Vec<Bottleneck>> {
    let (runs, parameters) = (read::texts(frame, "run")?, read::texts(frame, "parameters")?);
    let column = |name| read::integers(frame, name);
    let (violations, low, datapoints) = (column("violations")?, column("low_gpu")?, column("datapoints")?);
    let triggered = frame.column::<bool>("triggered")?;
    let rows = runs.into_iter().zip(parameters).enumerate();
    let rows = rows.map(|(row, (run, parameters))| Bottleneck {
        run,
        core,
        triggered: triggered[row] == Some(true),
        violations: violations[row].unwrap_or(0),
        low: low[row].unwrap_or(0),
        datapoints: datapoints[row].unwrap_or(0),
        parameters,
    });
    Ok(rows.collect())
}

fn hover(rule: &Bottleneck, name: &str, n: i64) -> String {
    let limit = boxes::limit_of(&rule.parameters, "threshold").map_or("?".to_owned(), label::number);
    format!(
        "run {}, {}<br>{name}: {} of {} snapshots ({} %)<br>{}; the limit is {limit} %",
        label::plain(&rule.run),
        rule.core,
        label::grouped(n),
        label::grouped(rule.datapoints),
        label::number(rule.percent(n)),
        if rule.triggered { "triggered" } else { "not triggered" }
    )
}

/// `idle GPU with a busy core in 1.67 % of 359 snapshots, with a waiting core in 8.91 %`
fn headline(run: &str, runs: usize, here: &[&Bottleneck]) -> String {
    let of = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    let mut parts = here.iter().map(|rule| {
        let triggered = if rule.triggered { " (triggered)" } else { "" };
        format!("with a {} in {} %{triggered}", rule.core, label::number(rule.percent(rule.violations)))
    });
    let snapshots = here.first().map_or(0, |rule| rule.datapoints);
    let first = parts.next().unwrap_or_default();
    let rest: Vec<String> = parts.map(|part| format!(", {part}")).collect();
    format!("{of}idle GPU {first} of {} snapshots{}", label::grouped(snapshots), rest.concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, ints, message, none, texts, told, value};

    fn rule(violations: i64, triggered: bool) -> Frame {
        frame(vec![
            texts("run", &["<a>"]),
            flags("triggered", &[triggered]),
            ints("violations", &[violations]),
            ints("low_gpu", &[30]),
            ints("datapoints", &[40]),
            texts("parameters", &[r#"{"threshold":50.0,"patience":10}"#]),
        ])
    }

    #[test]
    fn shares_add_up_to_all_snapshots() {
        let plot = value(&draw(&[rule(4, false), rule(24, true)]).unwrap());
        let shares: Vec<_> = plot["data"].as_array().unwrap().iter().map(|bars| &bars["x"]).collect();
        assert_eq!(shares, [&json!([10.0, 60.0]), &json!([65.0, 15.0]), &json!([25.0, 25.0])]);
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["busy core", "waiting core"]));
        assert_eq!(plot["layout"]["shapes"].as_array().unwrap().len(), 1);
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(50.0));
        assert_eq!(
            plot["data"][0]["hovertext"][1],
            "run &lt;a&gt;, waiting core<br>idle GPU with such a core: 24 of 40 snapshots (60 %)<br>triggered; the limit is 50 %"
        );
        let title = "idle GPU with a busy core in 10 % of 40 snapshots, with a waiting core in 60 % (triggered)";
        assert!(told(&plot).starts_with(title), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&rule(0, false)), none(&rule(0, false))]).unwrap());
        assert_eq!(title, "<b>Bottlenecks</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b>"), "{note}");
    }
}
