//! Rules about `use` that neither Cargo nor clippy can enforce: which modules a module may use, and
//! which modules of the root crate may use an external crate.
//!
//! The table of crates and modules in docs/design.md is generated from these rules.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// A module, the modules that it may use, and the reason. Modules of other crates have the names
/// under which the root crate re-exports them.
const MODULES: &[(&str, &[&str], &str)] = &[
    ("crates/lake/src/self_trace", &["error"], "the other modules report to it; it depends on none of them"),
    ("crates/lake/src/source", &["error"], "it reads bytes and does not interpret them"),
    (
        "crates/lake/src/lake",
        &["error", "unit", "table", "source", "parquet_pages"],
        "a lake stores rows and does not depend on decoders",
    ),
    (
        "crates/lake/src/ingest",
        &["error", "unit", "table", "source", "format", "lake"],
        "an ingest writes to a lake and does not query it",
    ),
    ("crates/lake/src/notebook", &["ingest"], "it shows what an ingest reports"),
    ("src/catalog", &["error", "unit"], "a catalog describes queries and does not run them"),
    (
        "src/session",
        &["error", "unit", "frame", "table", "source", "catalog", "format", "lake", "ingest", "figure", "statistics"],
        "a session does not depend on how its results are shown",
    ),
    (
        "src/export",
        &["error", "unit", "frame", "table", "catalog", "format", "lake", "figure", "session"],
        "an export writes the results of a session for another program",
    ),
    (
        "src/diagnosis",
        &["amount", "error", "unit", "statistics", "frame", "session"],
        "findings are computed from query results of a session",
    ),
    (
        "src/report",
        &["error", "unit", "frame", "catalog", "figure", "session", "diagnosis"],
        "a page shows query results, figures and findings",
    ),
    (
        "src/shortcuts",
        &["error", "frame", "figure", "session", "diagnosis", "report"],
        "a call on a session that it opens",
    ),
    ("src/notebook", &["frame", "session", "diagnosis", "report"], "it displays values of the public API"),
    (
        "src/cli",
        &[
            "error",
            "unit",
            "frame",
            "table",
            "source",
            "catalog",
            "format",
            "ingest",
            "figure",
            "session",
            "statistics",
            "diagnosis",
            "report",
            "export",
            "self_trace",
        ],
        "a command is a few calls on a session",
    ),
];

/// An external crate or a module of `std`, the modules or files that may use it, and the reason.
const HOMES: &[(&str, &[&str], &str)] = &[
    ("arrow", &["src/session", "src/export", "src/diagnosis/gate/report.rs"], "rows are Arrow"),
    ("async_trait", &["src/session"], "only the traits of the engine are async"),
    ("base64", &["crates/figure/src/picture"], "a browser returns a picture as base64 text"),
    ("clap", &["src/cli"], "only the shell has arguments"),
    ("datafusion", &["src/session", "src/export"], "only a session has an engine; exports use its plans"),
    ("datafusion_ffi", &[], "used by python/; here to keep one selection of features"),
    ("flate2", &["src/export/to_file.rs"], "a trace is compressed when it is written"),
    ("futures", &["src/session"], "the other modules do not wait for anything"),
    ("indicatif", &["src/cli"], "a library draws no progress bars"),
    ("itoa", &["src/export"], "a trace has millions of numbers"),
    ("md5", &[], "not used directly; here to keep one selection of features"),
    ("object_store", &["src/session"], "the other modules name no stores"),
    ("parquet", &["src/session", "src/export/parquet.rs"], "a session reads data files; exports write results"),
    ("plotly", &[], "re-exported; crates/figure draws the figures"),
    ("parking_lot", &["src/session"], "a session is used by several threads"),
    ("serde_json", &["src/session", "src/export", "src/diagnosis", "src/cli/jupyter"], "JSON files and columns"),
    ("tempfile", &["src/session", "src/cli/browser.rs"], "an ephemeral lake, pages for a browser"),
    ("terminal_size", &["src/cli"], "only the shell knows its terminal"),
    ("toml", &["src/session", "src/diagnosis"], "thresholds of findings, rules of a gate"),
    ("tokio", &["src/session"], "the engine owns the runtime"),
    ("tracing", &["src/session", "src/diagnosis", "src/report", "src/export"], "modules with slow operations log them"),
    ("webbrowser", &["src/cli/browser.rs"], "only the shell shows pages"),
    (
        "std::env",
        &[
            "crates/lake/src/source",
            "crates/figure/src/output.rs",
            "src/cli",
            "crates/figure/src/picture",
            "src/main.rs",
        ],
        "options are passed in; only the environment tells which program shows a notebook",
    ),
    (
        "std::fs",
        &[
            "crates/lake/src/source",
            "crates/lake/src/self_trace.rs",
            "crates/model/src/file.rs",
            "crates/figure/src/picture",
            "src/cli",
            "src/export",
        ],
        "all input goes through crates/lake/src/source",
    ),
    (
        "std::process",
        &[
            "src/cli",
            "crates/lake/src/source/nsight_reports.rs",
            "crates/figure/src/picture",
            "src/main.rs",
            "crates/engine/src/runtime.rs",
            "crates/lake/src/self_trace.rs",
        ],
        "only the shell, pictures and exports by `nsys` start or end processes; others ask for their number",
    ),
];

/// Names that `src/lib.rs` re-exports, and their modules.
const RE_EXPORTS: &[(&str, &str)] = &[
    ("Error", "error"),
    ("ErrorKind", "error"),
    ("Frame", "frame"),
    ("Open", "session"),
    ("Result", "error"),
    ("SelfTrace", "self_trace"),
    ("Session", "session"),
    ("Type", "unit"),
    ("Unit", "unit"),
    ("Value", "session"),
    ("create", "session"),
    ("open", "session"),
    ("open_default", "session"),
    ("open_default_with", "session"),
    ("open_with", "session"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Adds the Rust files below a folder to `sources` as `(path, text)`.
///
/// Excluded: `lib.rs` of the root and the lake, which only re-export, and files of tests.
fn read_files(folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            read_files(&path, sources);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("it is text");
            let name = path.strip_prefix(root()).expect("it is below").to_string_lossy().replace('\\', "/");
            if name != "src/lib.rs" && name != "crates/lake/src/lib.rs" && !name.ends_with("/tests.rs") {
                sources.push((name, text));
            }
        }
    }
    sources.sort();
}

/// The names directly after `prefix`: one name, or those of a group in braces.
fn names_after<'a>(code: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut names = BTreeSet::new();
    for (position, _) in code.match_indices(prefix) {
        if code[..position].ends_with(is_word) {
            continue;
        }
        let rest = &code[position + prefix.len()..];
        let mut depth = 0;
        let mut expects_name = true;
        for (n, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => expects_name = true,
                c if is_word(c) && expects_name => {
                    names.insert(rest[n..].split(|c| !is_word(c)).next().unwrap_or_default());
                    expects_name = false;
                }
                _ => {}
            }
            if depth == 0 && !(c.is_whitespace() && expects_name) {
                break;
            }
        }
    }
    names
}

/// Whether the code uses this crate or module of `std` at the start of a path.
fn uses(code: &str, what: &str) -> bool {
    let grouped = what
        .split_once("::")
        .is_some_and(|(parent, module)| names_after(code, &format!("{parent}::")).contains(module));
    grouped
        || code.match_indices(what).any(|(position, _)| {
            let (before, rest) = (&code[..position], &code[position + what.len()..]);
            let starts = !before.ends_with(|c: char| c == '_' || c == ':' || c == '.' || c.is_ascii_alphanumeric());
            let used = before.ends_with("use ") && rest.starts_with([';', ' ']);
            starts && (used || rest.starts_with("::"))
        })
}

/// The violations of a file, one sentence each. Unit tests in the file are exempt.
fn violations(file: &str, text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect();
    let code = code.join("\n");
    // `session` re-exports the public names of `export`. A re-export is not a use.
    let code = code.replace("pub use crate::export::", "");
    let code = code.as_str();
    let is_in =
        |module: &str| file.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']));
    let mut violations = Vec::new();
    for (what, homes, why) in HOMES {
        let held_by_cargo = !what.starts_with("std::") && file.starts_with("crates/");
        if !held_by_cargo && uses(code, what) && !homes.iter().any(|home| is_in(home)) {
            violations.push(format!("{file} uses {what}: {why} (docs/design.md)"));
        }
    }
    let Some((module, allowed, why)) = MODULES.iter().find(|(module, ..)| is_in(module)) else {
        let one_module =
            ["crates/engine/", "crates/figure/", "crates/formats/", "crates/header/", "crates/model/", "src/main.rs"];
        if !one_module.iter().any(|folder| file.starts_with(folder)) {
            violations.push(format!("{file} is in no module: add it to MODULES in tests/it/architecture.rs"));
        }
        return violations;
    };
    let own = module.rsplit('/').next().unwrap_or(module);
    let known = |name: &str| {
        MODULES.iter().any(|(module, allowed, _)| module.ends_with(&format!("/{name}")) || allowed.contains(&name))
    };
    let mut used = names_after(code, "crate::");
    used.extend(names_after(code, "super::").into_iter().filter(|name| known(name)));
    let used: BTreeSet<&str> = used
        .into_iter()
        .map(|name| RE_EXPORTS.iter().find(|(export, _)| *export == name).map_or(name, |(_, module)| module))
        .collect();
    for name in used {
        if name != own && !allowed.contains(&name) {
            violations.push(format!("{file} uses {name}: {why} (docs/design.md)"));
        }
    }
    violations
}

#[test]
fn modules_use_only_allowed_modules() {
    let mut sources = Vec::new();
    read_files(&root().join("src"), &mut sources);
    for folder in std::fs::read_dir(root().join("crates")).expect("it is a folder") {
        read_files(&folder.expect("it can be listed").path().join("src"), &mut sources);
    }
    let violations: Vec<String> = sources.iter().flat_map(|(file, code)| violations(file, code)).collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn every_dependency_has_a_home() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("it has dependencies");
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    for line in
        lines.filter(|line| !line.starts_with(['#', '[']) && !line.starts_with("tracelake-") && !line.is_empty())
    {
        let name = line.split(['.', ' ', '=']).next().unwrap_or(line).replace("md-5", "md5").replace('-', "_");
        assert!(
            HOMES.iter().any(|(home, ..)| *home == name),
            "{name} has no home: add it to HOMES in tests/it/architecture.rs"
        );
    }
}

/// The first sentence of the doc comment of a file.
fn first_sentence(path: &str) -> String {
    let text = std::fs::read_to_string(root().join(path)).expect("it is text");
    let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    paragraph.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// The table of crates and of modules with rules: what each is, and which crates and modules it may use.
fn table() -> String {
    let mut out = "| crate or module | what it is | may use |\n| --- | --- | --- |\n".to_owned();
    let mut add = |name: &str, file: &str, used: &[&str]| {
        let used = if used.is_empty() { "-".to_owned() } else { format!("`{}`", used.join("`, `")) };
        let _ = writeln!(out, "| `{name}` | {} | {used} |", first_sentence(file));
    };
    let modules = |add: &mut dyn FnMut(&str, &str, &[&str]), folder: &str| {
        for (module, allowed, _) in MODULES.iter().filter(|(module, ..)| module.starts_with(folder)) {
            let file = [format!("{module}/mod.rs"), format!("{module}.rs")];
            let file = file.iter().find(|file| root().join(file).exists()).expect("a module is a file or a folder");
            add(module, file, allowed);
        }
    };
    for name in ["header", "model", "formats", "lake", "engine", "figure"] {
        let manifest = std::fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).expect("it is there");
        let used: Vec<&str> = manifest
            .lines()
            .filter_map(|line| line.strip_prefix("tracelake-")?.strip_suffix(".workspace = true"))
            .collect();
        add(&format!("crates/{name}"), &format!("crates/{name}/src/lib.rs"), &used);
        modules(&mut add, &format!("crates/{name}/"));
    }
    modules(&mut add, "src/");
    out
}

#[test]
fn design_page_lists_crates_and_modules() {
    let page = std::fs::read_to_string(root().join("docs/design.md")).expect("it is there");
    let (before, rest) = page.split_once("<!-- modules:").expect("the mark of the table");
    let (mark, rest) = rest.split_once("-->\n").expect("the end of the mark");
    let (_, after) = rest.split_once("<!-- end of modules -->").expect("the mark of its end");
    let text = format!("{before}<!-- modules:{mark}-->\n\n{}\n<!-- end of modules -->{after}", table());
    crate::products::assert_up_to_date("docs/design.md", &text);
    assert!(text.lines().count() < 120, "docs/design.md is meant to be read in one go");
}

#[test]
fn a_forbidden_use_is_reported_in_a_sentence() {
    let expected =
        "src/catalog/mod.rs uses session: a catalog describes queries and does not run them (docs/design.md)";
    for code in [
        "use crate::session::Session;",
        "use crate::{Error, session::Session};",
        "use crate::Session;",
        "use super::super::session;",
        "fn f() { crate::session::open(\"x\"); }",
    ] {
        assert_eq!(violations("src/catalog/mod.rs", code), [expected], "{code}");
    }
    let file = "crates/lake/src/lake/mod.rs";
    for code in ["use std::fs::File;", "use std::{collections::BTreeMap, fs};", "fn f() { std::fs::read(\"x\"); }"] {
        let expected = format!("{file} uses std::fs: all input goes through crates/lake/src/source (docs/design.md)");
        assert_eq!(violations(file, code), [expected]);
    }
    let allowed = "use parquet::arrow::ArrowWriter; use super::Part; // use tokio::spawn;";
    assert_eq!(violations(file, allowed), Vec::<String>::new());
}
