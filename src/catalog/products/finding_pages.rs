//! `docs/findings/`: a page for each finding of the diagnosis, and an index.

use std::collections::BTreeSet;

use super::page::{cell, prose};
use super::{ORIGIN, capital};
use crate::catalog::{Finding, Param, Query, findings, queries};
use crate::unit::Type;

/// Above a block of a page: each is run, but not by itself, since that would take a diagnosis a page.
const TOGETHER: &str = "<!-- not run: tests/python/test_docs.py gives the limits of all pages to one diagnosis -->\n";

/// What a finding said of a run: a row of `diagnosis`.
#[derive(Debug, Clone)]
pub struct Example {
    /// Name of the finding.
    pub id: String,
    /// found, passed or no_data.
    pub outcome: String,
    /// The run.
    pub run: String,
    /// What was said.
    pub sentence: String,
}

/// The names and texts of the files in `docs/findings/`. Of each finding and outcome the first example is shown; what a finding needs
/// is what all examples of it that could not be told ask for.
pub fn finding_pages(examples: &[Example]) -> Vec<(String, String)> {
    let mut pages = vec![("README.md".to_owned(), index())];
    for (query, finding) in findings() {
        let id = query.question();
        let of_it: Vec<&Example> = examples.iter().filter(|example| example.id == id).collect();
        pages.push((format!("{id}.md"), page(query, finding, &of_it)));
    }
    pages
}

fn index() -> String {
    let mut out = format!(
        "# Findings\n\n<!-- {ORIGIN} -->\n\n\
         The [diagnosis](../diagnosis.md) checks a run for these findings. The page of a finding has its limits and their sources, the data\n\
         that it needs, and its results on real profiles.\n\n\
         A finding that rests on steps, batches or samples needs at least two of them; with fewer than 20 it is at most a notice. Most\n\
         findings about data loading are at most notices while GPU utilization is above 80 %. Findings can have the same cause, so their potential savings must not be added.\n\n\
         | finding | question | limits |\n| --- | --- | --- |\n"
    );
    let mut all: Vec<_> = findings().collect();
    all.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    for (query, finding) in all {
        let id = query.question();
        let (asks, limits) = (cell(&prose(&query.header.summary)), cell(&prose(&finding.limits)));
        out.push_str(&format!("| [`{id}`]({id}.md) | {asks} | {limits} |\n"));
    }
    out
}

fn page(query: &Query, finding: &Finding, examples: &[&Example]) -> String {
    let (id, header) = (query.question(), &query.header);
    let mut out = format!("# {id}\n\n<!-- {ORIGIN} -->\n\n{}\n", prose(&header.summary));
    if !header.detail.is_empty() {
        out.push_str(&format!("\n{}\n", prose(&header.detail)));
    }
    out.push_str(&format!("\n- **Severity**: {}.\n", severities(finding)));
    out.push_str(&format!("- **Cause**: {}.\n- **Remedy**: {}.\n", prose(&finding.cause), prose(&finding.remedy)));
    out.push_str(&limits(query, finding));
    out.push_str(&rests_on(query, finding, examples));
    out.push_str("\n## Results\n\n");
    let mut none = Vec::new();
    let mut rows = String::new();
    for outcome in ["found", "passed", "no_data"] {
        match examples.iter().find(|example| example.outcome == outcome) {
            Some(example) => {
                let sentence = cell(&prose(&example.sentence));
                rows.push_str(&format!("| `{outcome}` | {} | {sentence} |\n", example.run));
            }
            None => none.push(format!("`{outcome}`")),
        }
    }
    if !rows.is_empty() {
        out.push_str(&format!("| outcome | profile | sentence |\n| --- | --- | --- |\n{rows}"));
    }
    if !none.is_empty() {
        out.push_str(&format!("\nNo profile in `tests/data/` gives {}.\n", none.join(" or ")));
    }
    out.push_str(&format!("\n[All findings](README.md), [its query]({}).\n", link("../queries.md", &query.name)));
    out
}

/// The severities that it can have, lowest first.
fn severities(finding: &Finding) -> String {
    let can_be = |severity: &&str| finding.quantity.contains(&format!("THEN '{severity}'"));
    let found: Vec<&str> = ["notice", "warning", "critical"].into_iter().filter(can_be).collect();
    if found.is_empty() { "none, it is never found".to_owned() } else { found.join(", ") }
}

fn limits(query: &Query, finding: &Finding) -> String {
    let (id, params) = (query.question(), &query.header.params);
    let mut out = format!("\n## Limits\n\n{}.\n", capital(&prose(&finding.limits)));
    let Some(first) = params.first() else {
        out.push_str("\nThis finding has no parameters.\n");
        return out;
    };
    out.push_str("\n| parameter | type | default | |\n| --- | --- | --- | --- |\n");
    for param in params {
        let default = cell(default(param));
        out.push_str(&format!(
            "| `{}` | {} | `{default}` | {} |\n",
            param.name,
            param.sql_type(),
            cell(&prose(&param.doc))
        ));
    }
    let (name, value) = (&first.name, plain(first));
    let python = if first.ty == Type::Text { format!("{value:?}") } else { value.to_owned() };
    out.push_str(&format!(
        "\nThese are the defaults. To change them for one call:\n\n\
         {TOGETHER}```python\ns.diagnose(thresholds={{\"{id}\": {{\"{name}\": {python}}}}})\n\
         s.diagnose(thresholds=\"limits.toml\")\n```\n\n\
         {TOGETHER}```sh\ntracelake diagnose --set {id}.{name}={value}\ntracelake diagnose --thresholds limits.toml\n```\n\n\
         {TOGETHER}```sql\nselect * from {}({name} => {})\n```\n\n```toml\n# limits.toml\n[{id}]\n",
        query.sql_name(),
        default(first),
    ));
    for param in params {
        let value = if param.ty == Type::Text { format!("{:?}", plain(param)) } else { plain(param).to_owned() };
        out.push_str(&format!("{} = {value}\n", param.name));
    }
    out.push_str("```\n");
    out
}

/// What it needs to be told, and where that is to be seen.
fn rests_on(query: &Query, finding: &Finding, examples: &[&Example]) -> String {
    let mut out = "\n## Evidence\n\n".to_owned();
    let mut needs = Vec::new();
    // how many there are of what is too few is no other need
    let mut worded = BTreeSet::new();
    for sentence in examples.iter().filter_map(|example| example.sentence.strip_prefix("not enough data: ")) {
        if worded.insert(sentence.replace(|c: char| c.is_ascii_digit(), "")) {
            needs.push(sentence);
        }
    }
    if !needs.is_empty() {
        let items: Vec<String> = needs.iter().map(|sentence| format!("- {}.\n", prose(sentence))).collect();
        let items = items.concat();
        out.push_str(&format!("Without these data the outcome is `no_data`:\n\n{items}\n"));
    }
    let mut views: Vec<String> = Vec::new();
    for need in &query.header.needs {
        let summary = queries().iter().find(|view| view.name == *need).map_or("", |view| view.header.summary.as_str());
        views.push(format!("view `{need}` ({})", prose(summary)));
    }
    out.push_str(&format!("It reads {}.", views.join(" and ")));
    let tables: Vec<String> = tables(query).iter().map(|table| format!("[`{table}`](../tables.md#{table})")).collect();
    out.push_str(&format!(" It uses the tables {}.\n", tables.join(", ")));
    out.push_str("\nIts evidence:\n\n");
    for name in &finding.evidence {
        let summary = queries().iter().find(|query| query.name == *name).map_or("", |q| q.header.summary.as_str());
        out.push_str(&format!("- [`{name}`]({}): {}\n", link("../queries.md", name), prose(summary)));
    }
    out
}

/// The tables that it reads in the end.
fn tables(query: &Query) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = query.header.needs.iter().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        match queries().iter().find(|other| other.sql_name() == name) {
            Some(view) => open.extend(view.header.needs.iter().map(String::as_str)),
            None => {
                found.insert(name);
            }
        }
    }
    found
}

/// The section of a query.
fn link(page: &str, name: &str) -> String {
    format!("{page}#{}", name.replace('.', ""))
}

fn default(param: &Param) -> &str {
    param.default.as_deref().unwrap_or_default()
}

/// A literal without the quotes of SQL.
fn plain(param: &Param) -> &str {
    default(param).trim_matches('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(outcome: &str, run: &str, sentence: &str) -> Example {
        let id = "load_share_high".to_owned();
        Example { id, outcome: outcome.to_owned(), run: run.to_owned(), sentence: sentence.to_owned() }
    }

    #[test]
    fn each_finding_has_a_page_and_a_line_in_the_index() {
        let pages = finding_pages(&[]);
        assert_eq!(pages.len(), 1 + findings().count());
        let index = &pages[0].1;
        for (query, _) in findings() {
            let id = query.question();
            assert!(index.contains(&format!("| [`{id}`]({id}.md) | ")), "{id}");
            assert!(
                pages.iter().any(|(name, text)| *name == format!("{id}.md") && text.starts_with(&format!("# {id}\n")))
            );
        }
    }

    #[test]
    fn a_page_says_limits_needs_and_examples() {
        let examples = [
            example("found", "b", "30 % | of it"),
            example("found", "c", "another"),
            example("no_data", "d", "not enough data: needs x"),
            example("no_data", "e", "not enough data: needs y"),
            example("no_data", "f", "not enough data: needs x"),
        ];
        let pages = finding_pages(&examples);
        let page = &pages.iter().find(|(name, _)| name == "load_share_high.md").unwrap().1;
        for text in [
            "| `notice` | double | `0.05` |",
            "s.diagnose(thresholds={\"load_share_high\": {\"critical\": 0.3}})\n",
            "tracelake diagnose --set load_share_high.critical=0.3\n",
            "[load_share_high]\ncritical = 0.3\nwarning = 0.2\nnotice = 0.05\n```\n",
            "select * from finding_load_share_high(critical => 0.3)\n",
            "- needs x.\n- needs y.\n\n",
            "- [`loader.share`](../queries.md#loadershare): ",
            "[`sample`](../tables.md#sample)",
            "| `found` | b | 30 % \\| of it |\n| `no_data` | d | not enough data: needs x |\n",
            "\nNo profile in `tests/data/` gives `passed`.\n",
        ] {
            assert!(page.contains(text), "{text}{page}");
        }
    }
}
