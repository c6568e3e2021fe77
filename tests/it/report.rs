//! The page of a report: its sections and figures, and that it has no external links.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tracelake::catalog::queries;
use tracelake::ingest::Request;
use tracelake::report::ReportPage;
use tracelake::{ErrorKind, Runs, Session};

use crate::golden::golden;

const MAX_BYTES: usize = 8_000_000;
/// The sections of the page of one run, and of a comparison of two sides.
const RUN: &[&str] = &[
    "verdict",
    "findings",
    "overview",
    "steps",
    "breakdown",
    "loader",
    "utilization",
    "kernels",
    "memory",
    "problems",
    "method",
];

/// The page without the content of its scripts.
fn markup(page: &ReportPage) -> String {
    let mut out = String::new();
    for (n, part) in page.html().split("<script").enumerate() {
        out.push_str(if n == 0 { part } else { part.split_once("</script>").expect("scripts end").1 });
    }
    out
}

/// The values of an attribute, in order.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = html.split(&format!(" {attribute}=\"")).skip(1).collect::<Vec<_>>();
    parts.into_iter().map(|rest| rest.split('"').next().expect("a quote")).collect()
}

/// The text of each element that begins with `begin`, up to `end`.
fn texts<'a>(html: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    let inner = |rest: &'a str| rest.split_once('>').and_then(|(_, rest)| rest.split_once(end)).expect("it ends").0;
    html.split(begin).skip(1).map(inner).collect()
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

/// Checks what every page must have, and returns its markup.
#[track_caller]
fn check_page(session: &Session, page: &ReportPage, sections: &[&str]) -> String {
    assert!(page.html().len() < MAX_BYTES, "{} bytes", page.html().len());
    assert_eq!(page.html().matches("window.Plotly = Plotly;").count(), 1);
    let html = markup(page);
    let ids = values(&html, "id");
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    let duplicates: Vec<&&str> =
        distinct.iter().filter(|id| ids.iter().filter(|other| other == id).count() > 1).collect();
    assert!(duplicates.iter().all(|id| id.starts_with("figure-")), "duplicate ids: {duplicates:?}");

    let headings: Vec<&str> =
        texts(&html, "<section", "</h2>").iter().map(|head| head.rsplit('>').next().unwrap()).collect();
    let position = |section: &&str| ids.iter().position(|id| id == section);
    let positions: Vec<usize> = sections.iter().filter_map(position).collect();
    assert!(positions.len() == sections.len() && positions.is_sorted(), "expected {sections:?}, found {headings:?}");

    for link in values(&html, "href") {
        let anchor = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads out of the page"));
        assert!(distinct.contains(anchor), "{link} leads nowhere");
    }
    for attribute in ["src", "srcset", "action", "data", "poster"] {
        assert_eq!(values(&html, attribute), Vec::<&str>::new(), "{attribute}");
    }
    assert!(!html.contains("@import") && !html.contains("url("));

    let known: BTreeSet<&str> = queries().iter().map(|query| query.name.as_str()).collect();
    let named = texts(&html, "<summary><code", "</code>");
    assert!(named.len() > 5);
    for name in named {
        assert!(known.contains(name) || name == "problem", "no query {name}");
    }
    // Each SQL text on the page can be run, and is shown once.
    let calls = texts(&html, "<pre class=\"call\"", "</pre>");
    let distinct_calls: BTreeSet<&&str> = calls.iter().collect();
    assert_eq!(distinct_calls.len(), calls.len());
    for call in calls {
        session.sql(&unescaped(call)).unwrap_or_else(|error| panic!("{call}\n{error}"));
    }
    html
}

fn sides(names: &[&str]) -> Vec<Runs> {
    names.iter().map(|name| Runs::from(*name)).collect()
}

#[test]
#[ignore = "slow: make test-slow"]
fn the_page_of_each_run_is_consistent() {
    let session = golden();
    for run in crate::session::golden_runs() {
        let page = session.report(&sides(&[&run])).unwrap();
        assert_eq!(page.title(), run);
        let html = check_page(&session, &page, RUN);
        let diagnosis = session.diagnose(&run, "").unwrap();
        assert!(html.contains(&format!("<strong>{}</strong>", diagnosis.verdicts[0].verdict)));
        for finding in &diagnosis.findings {
            assert!(html.contains(&format!("href=\"#sql-finding_{}\"", finding.id)), "{run}: {}", finding.id);
        }
    }
}

#[test]
fn a_section_without_data_has_a_reason() {
    let session = golden();
    let page = session.report(&sides(&["job-d"])).unwrap();
    let html = markup(&page);
    let memory = html.split("<section id=\"memory\">").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(memory.contains("<p class=\"none\">Nothing to show: "), "{memory}");
    assert!(memory.contains("profile_memory=True") && !memory.contains("<figure"), "{memory}");
}

#[test]
#[ignore = "slow: make test-slow"]
fn the_number_of_sides_selects_the_kind_of_page() {
    let session = golden();
    let comparison = session.report(&sides(&["job-a", "job-b"])).unwrap();
    assert_eq!(comparison.title(), "job-a → job-b");
    let html = check_page(&session, &comparison, RUN);
    assert!(html.contains("<bdi class=\"of\">job-a</bdi>") && html.contains("<bdi class=\"of\">job-b</bdi>"));

    let sections = ["verdict", "runs", "trend", "regressions", "waste", "problems", "method"];
    let fleet = session.report(&[]).unwrap();
    let html = check_page(&session, &fleet, &sections);
    for number in 1..=crate::session::golden_runs().len() {
        assert!(html.contains(&format!("<tr id=\"run-{number}\">")), "{number}");
    }
    // Two figures and a table show them, for two key metrics.
    assert_eq!(html.matches("select * from fleet_regressions").count(), 2);
    let some = session.report(&[["job-a", "job-b"].into()]).unwrap();
    assert_eq!(some.title(), "2 runs");
    let html = check_page(&session, &some, &sections);
    assert!(html.contains("<tr id=\"run-2\">") && !html.contains("<tr id=\"run-3\">"));

    let same = session.report(&sides(&["job-a"])).unwrap();
    assert_eq!(same.html(), session.report(&sides(&["job-a"])).unwrap().html());
    let error = session.report(&sides(&["job-x"])).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::NotFound, "no run or baseline `job-x`; did you mean `job-a`?")
    );
    let error = session.report(&sides(&["job-a", "job-b", "job-c"])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
}

#[test]
fn the_page_of_an_opened_profile_shows_its_run() {
    let profile = format!("{}/tests/data/first_look/profiler-output", env!("CARGO_MANIFEST_DIR"));
    let options = tracelake::OpenOptions { ephemeral: true, ..Default::default() };
    let session = tracelake::open_with(&profile, options).unwrap();
    let page = session.report(&[]).unwrap();
    assert_eq!(page.title(), "first_look");
    let html = check_page(&session, &page, RUN);
    // The figures of a profile with steps, samples and waits.
    assert!(html.matches("class=\"tracelake-figure\"").count() >= 6);
    assert!(html.contains("<article class=\"finding notice\" id=\"finding-load_share_high\">"));
}

#[test]
fn untrusted_names_stay_text() {
    let long = "x".repeat(10_000);
    let hostile = [
        "</script><script>alert(1)</script>",
        "\"'><img src=x onerror=alert(1)>",
        "a\nb\r\u{2028}c",
        "\u{202e}\u{5d0}\u{5d1} abc",
        long.as_str(),
    ];
    let mut events = String::new();
    for step in 0..30_i64 {
        let start = 1_000_000 + step * 10_000;
        let mut event = |category: &str, name: &str, ts: i64, dur: i64, tid: &str, args: &str| {
            let name = serde_json::Value::from(name);
            write!(events, "{{\"ph\":\"X\",\"cat\":\"{category}\",\"name\":{name},\"pid\":{},\"tid\":{tid},\"ts\":{ts},\"dur\":{dur},\"args\":{{{args}}}}},", if category == "kernel" { 0 } else { 77 }).unwrap();
        };
        event("user_annotation", &format!("ProfilerStep#{step}"), start, 9_000, "77", "");
        for (n, name) in (0..).zip(hostile) {
            event("cpu_op", name, start + 10 + n * 500, 400, "77", "");
            event("kernel", name, start + 100 + n * 900, 800, "7", "\"device\":0,\"stream\":7");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rank0.1600000000000.pt.trace.json");
    let text = format!(
        "{{\"schemaVersion\":1,\"baseTimeNanoseconds\":1600000000000000000,\"deviceProperties\":[],\"traceEvents\":[{}]}}",
        events.trim_end_matches(',')
    );
    std::fs::write(&file, text).unwrap();
    let session = tracelake::create(folder.path().join("lake").to_str().unwrap()).unwrap();
    let names = ["<script>alert('1')<script>", "\"quoted\" & \u{202e}back"];
    for name in names {
        let request = Request { url: file.display().to_string(), run: Some(name.to_owned()), ..Request::default() };
        session.ingest(request).unwrap();
    }
    let pages = [&names[..1], &names, &[]].map(|runs| session.report(&sides(runs)).unwrap());
    for (n, page) in pages.iter().enumerate() {
        let html = page.html();
        // The only scripts are the library, the figures and the script of the page.
        let figures = html.matches("class=\"tracelake-figure\"").count();
        assert!(figures > 0 || n > 0, "only a comparison of equal runs may have no figures");
        assert_eq!(html.matches("</script>").count(), figures + 2, "{}", page.title());
        let markup = markup(page);
        for tag in ["<script", "<img", "onerror=\""] {
            assert!(!markup.contains(tag), "{tag} in {}", page.title());
        }
        assert!(markup.contains("&lt;script&gt;alert("), "{}", page.title());
    }
    let page = session.report(&sides(&names[..1])).unwrap();
    let html = check_page(&session, &page, RUN);
    assert!(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains(&long));
    let block = page.to_html_block();
    assert_eq!(block.matches('<').count(), 2, "the page is an attribute of a frame");
}
