//! Rules of SageMaker Debugger that a run triggers.

use plotly::common::{Marker, Orientation, TextPosition};
use plotly::{Bar, Plot};

use crate::kit::read::groups;
use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_report",
    doc: "Which profiler rules are triggered and the share of violations of each, with triggered rules on top; a panel \
          per run.",
    queries: &[Ask::new("rules.report")],
    draw,
};

const RUNS: usize = 4;

struct Verdict {
    run: String,
    rule: String,
    triggered: Option<bool>,
    violations: i64,
    datapoints: i64,
    advice: String,
}

impl Verdict {
    /// Share of violations in the data points of the rule, in percent.
    fn percent(&self) -> f64 {
        if self.datapoints > 0 { 100.0 * self.violations as f64 / self.datapoints as f64 } else { 0.0 }
    }

    fn counts(&self) -> String {
        format!("{} of {}", label::grouped(self.violations), label::grouped(self.datapoints))
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let verdicts = verdicts(read::answer(frames, 0)?)?;
    if verdicts.is_empty() {
        let why = "No run contains data that a rule can check.";
        return Ok(sheet::message("Profiler rules", "no data for any rule", why));
    }
    let mut notes =
        vec!["bars: share of violations in the data points of a rule; each rule has its own limit".to_owned()];
    let mut runs = groups(verdicts.iter().map(|verdict| verdict.run.as_str()));
    let all = runs.len();
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    let mut title = String::new();
    for (run, rows) in &runs {
        let mut here: Vec<&Verdict> = rows.iter().map(|row| &verdicts[*row]).collect();
        let rank = |verdict: &Verdict| match verdict.triggered {
            Some(true) => 0,
            None => 1,
            Some(false) => 2,
        };
        here.sort_by(|a, b| {
            rank(a).cmp(&rank(b)).then(b.percent().total_cmp(&a.percent())).then_with(|| a.rule.cmp(&b.rule))
        });
        if title.is_empty() {
            title = headline(run, all, &here);
        }
        let names: Vec<String> = here.iter().map(|verdict| verdict.rule.clone()).collect();
        // space for the numbers next to the bars
        let longest = here.iter().map(|verdict| verdict.percent()).fold(1.0, f64::max);
        let x = theme::axis("violations (% of data points)").range(vec![0.0, 1.8 * longest]).n_ticks(6);
        let at = sheet.panel(&format!("run {run}"), 26 + 22 * names.len(), x, stack::side(&names), true);
        for (triggered, name, role) in
            [(Some(true), "triggered", "outlier"), (None, "unknown", "other"), (Some(false), "not triggered", "busy")]
        {
            bars(&mut sheet, &at, &here, triggered, name, theme::color(role));
        }
    }
    Ok(sheet.plot(&title, &notes))
}

fn bars(sheet: &mut Sheet, at: &Place, rules: &[&Verdict], triggered: Option<bool>, name: &str, color: &'static str) {
    let members: Vec<(usize, &Verdict)> =
        rules.iter().copied().enumerate().filter(|(_, verdict)| verdict.triggered == triggered).collect();
    if members.is_empty() {
        return;
    }
    let show = sheet.first(name);
    let bars = Bar::new(
        members.iter().map(|(_, verdict)| verdict.percent()).collect(),
        members.iter().map(|(place, _)| *place as f64).collect(),
    )
    .name(name)
    .legend_group(name)
    .show_legend(show)
    .orientation(Orientation::Horizontal)
    .marker(Marker::new().color(color))
    .text_array(members.iter().map(|(_, verdict)| format!("{name}, {}", verdict.counts())).collect())
    .text_position(TextPosition::Outside)
    .hover_text_array(members.iter().map(|(_, verdict)| hover(verdict, name)).collect())
    .hover_template("%{hovertext}<extra></extra>")
    .x_axis(&at.x)
    .y_axis(&at.y);
    sheet.trace(bars);
}

fn hover(verdict: &Verdict, name: &str) -> String {
    format!(
        "run {}<br>{}: {name}<br>{} violations ({} %)<br>{}",
        label::plain(&verdict.run),
        label::plain(&verdict.rule),
        verdict.counts(),
        label::number(verdict.percent()),
        label::whole(&verdict.advice)
    )
}

fn verdicts(frame: &Frame) -> Result<Vec<Verdict>> {
    let (runs, rules, advice) =
        (read::texts(frame, "run")?, read::texts(frame, "rule")?, read::texts(frame, "advice")?);
    let (violations, datapoints) = (read::integers(frame, "violations")?, read::integers(frame, "datapoints")?);
    let triggered = frame.column::<bool>("triggered")?;
    let rows = runs.into_iter().zip(rules).zip(advice).enumerate();
    let rows = rows.map(|(row, ((run, rule), advice))| Verdict {
        run,
        rule,
        triggered: triggered[row],
        violations: violations[row].unwrap_or(0),
        datapoints: datapoints[row].unwrap_or(0),
        advice,
    });
    Ok(rows.collect())
}

/// `2 of 11 rules triggered: LowGPUUtilization, IOBottleneck`
fn headline(run: &str, runs: usize, here: &[&Verdict]) -> String {
    let of = if runs > 1 { format!("{}: ", label::clip(run, 20)) } else { String::new() };
    let triggered: Vec<&str> =
        here.iter().filter(|verdict| verdict.triggered == Some(true)).map(|verdict| verdict.rule.as_str()).collect();
    let names = if triggered.is_empty() { String::new() } else { format!(": {}", triggered.join(", ")) };
    format!("{of}{} of {} triggered{names}", triggered.len(), label::count(here.len(), "rule"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, frame, ints, message, none, texts, told, value};

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
    fn triggered_rules_stand_on_top() {
        let plot = value(&draw(&[report()]).unwrap());
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
        assert!(told(&plot).starts_with("1 of 3 rules triggered: &lt;Low&gt; | bars: "), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&report())]).unwrap());
        assert_eq!(title, "<b>Profiler rules</b>");
        assert!(note.starts_with("<b>no data for any rule</b>"), "{note}");
    }
}
