//! Files that follow from `sql/**` and are committed: fresh, or this test says which are not. `UPDATE=1` writes them.
//!
//! What belongs in here: one line per generated file.

use std::path::Path;

use tracelake::Session;
use tracelake::catalog::{Example, finding_pages, python_module, queries, queries_page, rust_shim, rust_shim_checks};
use tracelake::ingest::Request;

use crate::golden::golden;

// Compiles only if the library has every function, field and variant that the shim of the Rust notebook names.
#[expect(clippy::type_complexity, clippy::extra_unused_lifetimes, reason = "generated: a signature a line")]
#[rustfmt::skip]
mod shim_signatures;

/// Compares a committed file with what it should be, or writes it.
pub(crate) fn fresh(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some(line) = (0..).zip(text.lines()).find(|(n, line)| found.lines().nth(*n) != Some(*line)) {
        let (n, line) = line;
        panic!("{path} is stale in line {}: run `make update`\nit should say: {line}", n + 1);
    }
    assert_eq!(found, text, "{path} is stale: run `make update`");
}

#[test]
fn docs_page_of_the_queries_is_fresh() {
    fresh("docs/queries.md", &queries_page(queries()));
}

/// The profiles of `tests/data` whose findings stand on the pages, after the golden ones: the first that gives an outcome is shown.
const PROFILES: [&str; 8] = [
    "first_look",
    "pytorch_ddp",
    "data_loading/timings",
    "dali_loader_evaluator",
    "lightning/advanced",
    "recorder/planted",
    "recorder/w*",
    "before_after/*",
];

/// What is said of all runs of a session; profiles are named as folders below `tests/data`.
fn examples(session: &Session, folder: &str) -> Vec<Example> {
    let frame = session.sql("SELECT id, outcome, run, sentence FROM diagnosis ORDER BY id, run").unwrap();
    let [id, outcome, run, sentence] = ["id", "outcome", "run", "sentence"].map(|name| {
        let column = frame.column::<String>(name).unwrap();
        column.into_iter().map(Option::unwrap_or_default)
    });
    id.zip(outcome)
        .zip(run.zip(sentence))
        .map(|((id, outcome), (run, sentence))| Example { id, outcome, run: format!("{folder}{run}"), sentence })
        .collect()
}

#[test]
#[ignore = "slow: make test-slow"]
fn docs_pages_of_the_findings_are_fresh() {
    let mut all = examples(&golden(), "golden/");
    for profile in PROFILES {
        let folder = tempfile::tempdir().unwrap();
        let session = tracelake::create(folder.path().to_str().unwrap()).unwrap();
        let (above, name) = profile.rsplit_once('/').map_or(("", profile), |(above, name)| (above, name));
        let url = format!("{}/tests/data/{profile}", env!("CARGO_MANIFEST_DIR"));
        let run = (!name.contains('*')).then(|| name.to_owned());
        session.ingest(Request { url, run, ..Request::default() }, None).unwrap();
        all.extend(examples(&session, &if above.is_empty() { String::new() } else { format!("{above}/") }));
    }
    let pages = finding_pages(&all);
    for (name, text) in &pages {
        fresh(&format!("docs/findings/{name}"), text);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings");
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let known = pages.iter().any(|(name, _)| *name == file);
        assert!(known, "docs/findings/{file} is the page of no finding: remove it");
    }
}

#[test]
fn docs_page_of_the_command_is_fresh() {
    fresh("docs/cli.md", &tracelake::cli::reference());
}

#[test]
fn docs_in_python_are_fresh() {
    fresh("python/tracelake/queries.py", &python_module(queries()));
}

#[test]
fn docs_in_the_rust_notebook_are_fresh() {
    fresh("notebooks/jupyter/shim/src/lib.rs", &rust_shim(queries()));
    fresh("tests/it/products/shim_signatures.rs", &rust_shim_checks(queries()));
    shim_signatures::fits();
}
