//! Rules of SageMaker Debugger that a run triggers.

use plotly::common::{Marker, Orientation, TextPosition};
use plotly::{Bar, Plot};

use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PanelAxes, Sheet};
use crate::kit::trace::TraceExt;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_report",
    doc: "Which profiler rules are triggered and the share of violations of each, with triggered rules on top; a panel \
          per run.",
    queries: &[FigureQuery::new("rules.report")],
    draw,
};

/// Maximum number of runs drawn.
const RUNS: usize = 4;
/// Results of a rule with their legend entries and color roles, the most important first.
const OUTCOMES: [(Option<bool>, &str, &str); 3] =
    [(Some(true), "triggered", "outlier"), (None, "unknown", "other"), (Some(false), "not triggered", "busy")];

row_types! {
    /// The result of a rule for a run.
    struct RuleResult {
        run: String,
        rule: String,
        triggered: Option<bool>,
        violations: i64,
        datapoints: i64,
        advice: String,
    }
}

impl RuleResult {
    /// Share of violations in the data points of the rule, in percent.
    fn percent(&self) -> f64 {
        if self.datapoints > 0 { 100.0 * self.violations as f64 / self.datapoints as f64 } else { 0.0 }
    }

    /// Violations and data points as text: `3 of 1,200`.
    fn counts(&self) -> String {
        format!("{} of {}", label::group_digits(self.violations), label::group_digits(self.datapoints))
    }

    /// Position in `OUTCOMES`.
    fn outcome(&self) -> Option<usize> {
        OUTCOMES.iter().position(|(triggered, ..)| *triggered == self.triggered)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rules = RuleResult::read(read::frame(frames, 0)?)?;
    if rules.is_empty() {
        let why = "No run contains data that a rule can check.";
        return Ok(sheet::message_plot("Profiler rules", "no data for any rule", why));
    }
    let mut notes =
        vec!["bars: share of violations in the data points of a rule; each rule has its own limit".to_owned()];
    let mut runs = group_by(&rules, |rule| rule.run.as_str());
    for (_, rules) in &mut runs {
        rules.sort_by(|a, b| {
            let by_share = b.percent().total_cmp(&a.percent());
            a.outcome().cmp(&b.outcome()).then(by_share).then_with(|| a.rule.cmp(&b.rule))
        });
    }
    let title = title(runs[0].0, runs.len(), &runs[0].1);
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    for (run, rules) in &runs {
        let names: Vec<String> = rules.iter().map(|rule| rule.rule.clone()).collect();
        // Space for the numbers next to the bars.
        let longest = rules.iter().map(|rule| rule.percent()).fold(1.0, f64::max);
        let x = theme::axis("violations (% of data points)").range(vec![0.0, 1.8 * longest]).n_ticks(6);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 26 + 22 * names.len(), x, &names);
        for (triggered, name, role) in OUTCOMES {
            let members = rules.iter().copied().enumerate().filter(|(_, rule)| rule.triggered == triggered);
            draw_bars(&mut sheet, &axes, &members.collect::<Vec<_>>(), name, theme::color(role));
        }
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Draws rules with the same result, each with its position on the axis.
fn draw_bars(sheet: &mut Sheet, axes: &PanelAxes, rules: &[(usize, &RuleResult)], name: &str, color: &'static str) {
    if rules.is_empty() {
        return;
    }
    let (x, y) = rules.iter().map(|(position, rule)| (rule.percent(), *position as f64)).unzip();
    let bars: Box<Bar<f64, f64>> = Bar::new(x, y)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color(color))
        .text_array(rules.iter().map(|(_, rule)| format!("{name}, {}", rule.counts())).collect())
        .text_position(TextPosition::Outside)
        .hover_texts(rules.iter().map(|(_, rule)| hover(rule, name)).collect());
    sheet.add_named_trace(axes, name, bars);
}

fn hover(rule: &RuleResult, name: &str) -> String {
    format!(
        "run {}<br>{}: {name}<br>{} violations ({} %)<br>{}",
        label::sanitize(&rule.run),
        label::sanitize(&rule.rule),
        rule.counts(),
        label::number(rule.percent()),
        label::wrap_name(&rule.advice)
    )
}

/// The title, with the triggered rules of the first run: `2 of 11 rules triggered: LowGPUUtilization, IOBottleneck`.
fn title(run: &str, runs: usize, rules: &[&RuleResult]) -> String {
    let prefix = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    let triggered: Vec<&str> =
        rules.iter().filter(|rule| rule.triggered == Some(true)).map(|rule| rule.rule.as_str()).collect();
    let names = if triggered.is_empty() { String::new() } else { format!(": {}", triggered.join(", ")) };
    format!("{prefix}{} of {} triggered{names}", triggered.len(), label::count(rules.len(), "rule"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, heading, ints, message, texts, to_value, without_rows};

    fn report() -> Frame {
        frame(vec![
            texts("run", &["a", "a", "a"]),
            texts("rule", &["BatchSize", "CPUBottleneck", "<Low>"]),
            flags("triggered", &[false, false, true]),
            ints("violations", &[0, 1, 3]),
            ints("datapoints", &[6, 4, 1_200]),
            texts("advice", &["larger batches", "more workers", "look"]),
        ])
    }

    #[test]
    fn triggered_rules_are_on_top() {
        let plot = to_value(&draw(&[report()]).unwrap());
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["&lt;Low&gt;", "CPUBottleneck", "BatchSize"]));
        let (bad, good) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&bad["name"], &bad["x"], &bad["y"]), (&json!("triggered"), &json!([0.25]), &json!([0.0])));
        assert_eq!(bad["marker"]["color"], theme::color("outlier"));
        assert_eq!((&good["x"], &good["y"]), (&json!([25.0, 0.0]), &json!([1.0, 2.0])));
        assert_eq!(bad["text"], json!(["triggered, 3 of 1,200"]));
        assert_eq!(
            good["hovertext"][0],
            "run a<br>CPUBottleneck: not triggered<br>1 of 4 violations (25 %)<br>more workers"
        );
        assert!(heading(&plot).starts_with("1 of 3 rules triggered: &lt;Low&gt; | bars: "), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&report())]).unwrap());
        assert_eq!(title, "<b>Profiler rules</b>");
        assert!(note.starts_with("<b>no data for any rule</b>"), "{note}");
    }
}
