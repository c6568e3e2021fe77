//! How often a GPU was idle while a CPU core was busy or waiting for I/O.

use plotly::Plot;

use crate::kit::read::{group_by, rows};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_bottleneck",
    doc: "The share of snapshots with an idle GPU while a CPU core was busy or waiting for I/O (rules CPUBottleneck \
          and IOBottleneck), with the limit above which the rules are triggered.",
    queries: &[FigureQuery::new("rules.cpu_bottleneck"), FigureQuery::new("rules.io_bottleneck")],
    draw,
};

/// The result of a rule for a run.
struct BottleneckRule {
    run: String,
    /// State of the CPU core that the rule checks.
    core: &'static str,
    triggered: bool,
    violations: i64,
    /// Number of snapshots with an idle GPU.
    low_gpu: i64,
    datapoints: i64,
    parameters: String,
}

impl BottleneckRule {
    fn percent(&self, snapshots: i64) -> f64 {
        if self.datapoints > 0 { 100.0 * snapshots as f64 / self.datapoints as f64 } else { 0.0 }
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut rules = read_rules(read::frame(frames, 0)?, "busy core")?;
    rules.extend(read_rules(read::frame(frames, 1)?, "waiting core")?);
    if rules.is_empty() {
        let why = "No machine was sampled. This figure needs the system metrics of SageMaker.";
        return Ok(sheet::message_plot("Bottlenecks", "no system metrics in this profile", why));
    }
    let mut notes = vec!["dashed: share above which the rule is triggered".to_owned()];
    let mut runs = group_by(&rules, |rule| rule.run.as_str());
    let title = title(runs[0].0, runs.len(), &runs[0].1);
    read::truncate(&mut runs, PANELS, "runs", &mut notes);
    let mut sheet = Sheet::with_stacked_bars();
    for (run, rules) in &runs {
        let names: Vec<String> = rules.iter().map(|rule| rule.core.to_owned()).collect();
        let x = theme::axis("snapshots (%)").range(vec![0.0, 100.0]).n_ticks(6);
        let label = format!("run {run}: idle GPU with a");
        let axes = stack::add_panel(&mut sheet, &label, 30 + 34 * names.len(), x, &names);
        let part = |name: &str, role: &str, snapshots: fn(&BottleneckRule) -> i64| {
            let value = |rule: &&BottleneckRule| rule.percent(snapshots(rule));
            BarPart::new(name, theme::color(role), rules, value, |rule| hover(rule, name, snapshots(rule)))
        };
        let parts = [
            part("idle GPU with such a core", "outlier", |rule| rule.violations),
            part("idle GPU without such a core", "idle", |rule| rule.low_gpu - rule.violations),
            part("no idle GPU", "busy", |rule| rule.datapoints - rule.low_gpu),
        ];
        stack::draw(&mut sheet, &axes, parts);
        boxes::draw_limits(&mut sheet, &axes, rules.iter().map(|rule| rule.parameters.as_str()), &["threshold"]);
    }
    Ok(sheet.into_plot(&title, &notes))
}

fn read_rules(frame: &Frame, core: &'static str) -> Result<Vec<BottleneckRule>> {
    let core = vec![core; frame.len()?];
    Ok(rows!(frame, BottleneckRule { run, core: core, triggered, violations, low_gpu, datapoints, parameters }))
}

fn hover(rule: &BottleneckRule, name: &str, snapshots: i64) -> String {
    let limit = boxes::parse_limit(&rule.parameters, "threshold").map_or("?".to_owned(), label::number);
    format!(
        "run {}, {}<br>{name}: {} of {} snapshots ({} %)<br>{}; the limit is {limit} %",
        label::sanitize(&rule.run),
        rule.core,
        label::group_digits(snapshots),
        label::group_digits(rule.datapoints),
        label::number(rule.percent(snapshots)),
        if rule.triggered { "triggered" } else { "not triggered" }
    )
}

/// `idle GPU with a busy core in 1.67 % of 359 snapshots, with a waiting core in 8.91 %`
fn title(run: &str, runs: usize, rules: &[&BottleneckRule]) -> String {
    let prefix = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    let mut shares = rules.iter().map(|rule| {
        let triggered = if rule.triggered { " (triggered)" } else { "" };
        format!("with a {} in {} %{triggered}", rule.core, label::number(rule.percent(rule.violations)))
    });
    let snapshots = rules.first().map_or(0, |rule| rule.datapoints);
    let first = shares.next().unwrap_or_default();
    let rest: Vec<String> = shares.map(|share| format!(", {share}")).collect();
    format!("{prefix}idle GPU {first} of {} snapshots{}", label::group_digits(snapshots), rest.concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, heading, ints, message, texts, to_value, without_rows};

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
        let plot = to_value(&draw(&[rule(4, false), rule(24, true)]).unwrap());
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
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&rule(0, false)), without_rows(&rule(0, false))]).unwrap());
        assert_eq!(title, "<b>Bottlenecks</b>");
        assert!(note.starts_with("<b>no system metrics in this profile</b>"), "{note}");
    }
}
