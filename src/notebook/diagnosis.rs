//! HTML of a diagnosis, a finding, the decision tree and a gate.

use std::fmt::Write as _;

use tracelake_model::notebook::{HTML, TEXT, block, show};

use crate::diagnosis::{DecisionTree, Diagnosis, Finding, Gate, Outcome, Verdict};
use crate::frame::escape;

const LEFT_ALIGNED: &str = "text-align:left;white-space:pre-wrap";

/// Returns the CSS color of a severity.
fn color(severity: Option<&str>) -> &'static str {
    match severity {
        Some("critical") => "#b3261e",
        Some("warning") => "#9a5b00",
        Some("notice") => "#3a5f8a",
        _ => "inherit",
    }
}

/// Returns a table with two columns: name and value. Skips empty values.
fn name_value_table(rows: &[(&str, String)]) -> String {
    let mut html = String::from("<table class=\"tracelake\"><tbody>\n");
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(
            html,
            "<tr><th style=\"text-align:left\">{name}</th><td style=\"{LEFT_ALIGNED}\">{}</td></tr>",
            escape(value)
        );
    }
    html + "</tbody></table>\n"
}

impl Verdict {
    /// Returns the verdict as HTML: one line.
    pub fn to_html(&self) -> String {
        let [run, verdict, sentence] = [&self.run, &self.verdict, &self.sentence].map(|text| escape(text));
        format!("<h4>{run}: {verdict}: {sentence}</h4>\n")
    }
}

impl Finding {
    /// Returns the finding as HTML: what was found, the numbers behind it, and what to do.
    pub fn to_html(&self) -> String {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
        let word = self.severity.as_deref().unwrap_or(match self.outcome {
            Outcome::Found => "found",
            Outcome::Passed => "passed",
            Outcome::NoData => "no data",
        });
        let heading = format!(
            "<p><b style=\"color:{}\">{}</b> <code>{}</code> of {}: {}</p>\n",
            color(self.severity.as_deref()),
            escape(word),
            escape(&self.id),
            escape(&self.run),
            escape(&self.sentence)
        );
        heading
            + &name_value_table(&[
                ("potential saving, up to", self.saving().unwrap_or_default()),
                ("cause", self.cause.clone()),
                ("what to do", self.what_to_do()),
                ("value", number(self.value)),
                ("limit", number(self.threshold)),
                ("where limits come from", self.threshold_source.clone()),
                ("based on", self.steps.map_or_else(String::new, |steps| format!("{steps} steps, batches or samples"))),
                ("confidence", self.confidence.clone().unwrap_or_default()),
                ("evidence", self.evidence.join(", ")),
            ])
    }

    fn row(&self) -> String {
        format!(
            "<tr><td style=\"text-align:left;color:{};font-weight:bold\">{}</td>\
             <td style=\"{LEFT_ALIGNED}\"><code>{}</code> {}</td><td style=\"text-align:right\">{}</td>\
             <td style=\"{LEFT_ALIGNED}\">{}</td></tr>\n",
            color(self.severity.as_deref()),
            escape(self.severity.as_deref().unwrap_or_default()),
            escape(&self.id),
            escape(&self.sentence),
            self.saving().unwrap_or_default(),
            escape(&self.what_to_do())
        )
    }

    fn text(&self) -> String {
        let word = self.severity.as_deref().unwrap_or(self.outcome.as_str());
        format!("{word}: {} ({})\n  cause:  {}\n  remedy: {}", self.sentence, self.id, self.cause, self.what_to_do())
    }

    /// Shows the finding below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html()) + &block(TEXT, &self.text())));
    }
}

impl Diagnosis {
    /// Returns the diagnosis as HTML: below the verdict of each run a table of its findings, and the checks without data
    /// and those that passed as lists that can be unfolded.
    pub fn to_html(&self) -> String {
        let mut html = String::new();
        for verdict in &self.verdicts {
            html.push_str(&verdict.to_html());
            let with_outcome = |outcome| {
                let matches = move |finding: &&Finding| finding.run == verdict.run && finding.outcome == outcome;
                self.findings.iter().filter(matches)
            };
            let rows: String = with_outcome(Outcome::Found).map(Finding::row).collect();
            if !rows.is_empty() {
                let left = "<th style=\"text-align:left\">";
                let _ = write!(
                    html,
                    "<table class=\"tracelake\">\n<thead><tr>{left}severity</th>{left}finding</th>\
                     <th style=\"text-align:right\">potential saving, up to</th>{left}what to do</th></tr></thead>\n\
                     <tbody>\n{rows}</tbody></table>\n"
                );
            }
            let passed = format!("{} checks passed", with_outcome(Outcome::Passed).count());
            let lists = [(Outcome::NoData, verdict.missing_data.as_deref()), (Outcome::Passed, Some(passed.as_str()))];
            for (outcome, title) in lists.into_iter().filter_map(|(outcome, title)| Some((outcome, title?))) {
                let line = |f: &Finding| format!("<li><code>{}</code> {}</li>\n", escape(&f.id), escape(&f.sentence));
                let lines: String = with_outcome(outcome).map(line).collect();
                let _ = writeln!(html, "<details><summary>{}</summary><ul>\n{lines}</ul></details>", escape(title));
            }
        }
        html
    }

    /// Shows the diagnosis below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html()) + &block(TEXT, &self.to_string())));
    }
}

impl DecisionTree {
    /// Shows the decision tree below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        let text = self.to_string();
        let html = format!("<pre style=\"{LEFT_ALIGNED}\">{}</pre>", escape(&text));
        show(&(block(HTML, &html) + &block(TEXT, &text)));
    }
}

impl Gate {
    /// Returns the gate as HTML: whether it passes, and a row for each limit of a rule.
    pub fn to_html(&self) -> String {
        let color = if self.passed() { "#2e7d32" } else { "#b3261e" };
        let text = self.text();
        let summary = text.lines().last().unwrap_or_default();
        let left = "<th style=\"text-align:left\">";
        let mut html = format!(
            "<p><b style=\"color:{color}\">{}</b></p>\n<table class=\"tracelake\">\n\
             <thead><tr>{left}outcome</th>{left}rule</th>{left}found</th></tr></thead>\n<tbody>\n",
            escape(summary)
        );
        for verdict in &self.verdicts {
            let weight = if verdict.passed { "normal" } else { "bold" };
            let _ = writeln!(
                html,
                "<tr><td style=\"text-align:left;font-weight:{weight}\">{}</td>\
                 <td style=\"{LEFT_ALIGNED}\">{}</td><td style=\"{LEFT_ALIGNED}\">{}</td></tr>",
                verdict.outcome.as_str(),
                escape(&verdict.rule),
                escape(&verdict.sentence)
            );
        }
        html + "</tbody></table>\n"
    }

    /// Shows the verdicts of the gate below the cell of a Rust notebook.
    pub fn evcxr_display(&self) {
        show(&(block(HTML, &self.to_html()) + &block(TEXT, &self.text())));
    }
}

#[cfg(test)]
mod tests {
    use crate::{OpenOptions, open_with};

    #[test]
    fn names_and_sentences_are_escaped() {
        let hostile = "<script>alert('1')</script>\u{202e}\"&\n";
        let profile = "tests/data/first_look/profiler-output";
        let s = open_with(profile, OpenOptions { ephemeral: true, ..OpenOptions::default() }).unwrap();
        let mut diagnosis = s.diagnose(["first_look"], "").unwrap();
        hostile.clone_into(&mut diagnosis.verdicts[0].run);
        hostile.clone_into(&mut diagnosis.verdicts[0].sentence);
        for finding in &mut diagnosis.findings {
            for text in [&mut finding.run, &mut finding.id, &mut finding.sentence] {
                hostile.clone_into(text);
            }
            finding.recommendation = Some(hostile.to_owned());
            finding.severity = Some(hostile.to_owned());
        }
        let mut gate = s.gate(["first_look"], ["first_look"], &rules(1.02)).unwrap();
        hostile.clone_into(&mut gate.verdicts[0].rule);
        hostile.clone_into(&mut gate.verdicts[0].sentence);
        for html in [diagnosis.to_html(), diagnosis.findings[0].to_html(), gate.to_html()] {
            assert!(html.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;\\u{202e}&quot;&amp;"), "{html}");
            assert!(!html.contains("<script") && !html.contains('\u{202e}'));
        }
    }

    fn rules(ratio: f64) -> crate::diagnosis::Rules {
        let rule = crate::diagnosis::Rule::max_regression(ratio);
        crate::diagnosis::Rules { rules: vec![rule], ..Default::default() }
    }

    #[test]
    fn a_gate_begins_with_its_result() {
        let profile = "tests/data/first_look/profiler-output";
        let s = open_with(profile, OpenOptions { ephemeral: true, ..OpenOptions::default() }).unwrap();
        let html = |ratio| s.gate(["first_look"], ["first_look"], &rules(ratio)).unwrap().to_html();
        assert!(html(1.1).starts_with("<p><b style=\"color:#2e7d32\">pass: first_look against first_look, 1 of 1"));
        let failed = html(0.5);
        assert!(failed.starts_with("<p><b style=\"color:#b3261e\">fail: "), "{failed}");
        assert!(failed.contains("font-weight:bold\">fail</td>"), "{failed}");
    }
}
