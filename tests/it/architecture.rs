//! The rooms of `src/`: who may use whom, and where each crate has its home. docs/design.md has the reasons.
//!
//! What belongs in here: rules about `use` that clippy cannot hold.

use std::collections::BTreeSet;
use std::path::Path;

/// A room, the rooms it may use, and why no others.
const ROOMS: &[(&str, &[&str], &str)] = &[
    ("error", &[], "errors know nobody, so that everybody can use them"),
    ("unit", &[], "build.rs includes it by path"),
    ("statistics", &[], "numbers in, numbers out"),
    ("own_profile", &["error"], "it is told what others do, and knows none of them"),
    ("parquet_pages", &[], "headers are believed or not, whatever the rows mean"),
    ("frame", &["error", "unit"], "a frame is rows with units, wherever they come from"),
    ("table", &["error", "unit"], "what rows are does not depend on who makes or keeps them"),
    ("source", &["error"], "bytes are handed out before anybody knows what they mean"),
    ("catalog", &["error", "unit"], "build.rs reads the headers too, and a promise needs no engine"),
    (
        "format",
        &["error", "unit", "table", "parquet_pages"],
        "a format is handed bytes, so that it can be fuzzed from a slice",
    ),
    ("lake", &["error", "unit", "table", "source", "parquet_pages"], "a lake keeps rows and asks not who decoded them"),
    ("ingest", &["error", "unit", "table", "source", "format", "lake"], "an ingest fills a lake and asks it nothing"),
    ("figure", &["error", "unit", "frame"], "figures are handed Frames"),
    (
        "session",
        &["error", "unit", "frame", "table", "source", "catalog", "format", "lake", "ingest", "figure", "statistics"],
        "a session does not know how its answers are shown",
    ),
    ("diagnosis", &["error", "unit", "statistics", "frame", "session"], "findings are answers of a session, in words"),
    (
        "report",
        &["error", "unit", "frame", "catalog", "figure", "session", "diagnosis"],
        "a page is answers, figures and findings, written down",
    ),
    ("shortcuts", &["error", "frame", "figure", "session", "diagnosis", "report"], "a call on a session that it opens"),
    (
        "notebook",
        &["error", "unit", "frame", "figure", "ingest", "session", "diagnosis", "report"],
        "it shows what the public API gives",
    ),
    (
        "cli",
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
            "own_profile",
        ],
        "a command is a few calls on a session",
    ),
];

/// A crate, or a part of `std`, and its homes: rooms, or single files.
const HOMES: &[(&str, &[&str], &str)] = &[
    (
        "arrow",
        &[
            "table",
            "frame",
            "lake",
            "ingest",
            "session",
            "diagnosis/gate/report.rs",
            "figure/label.rs",
            "figure/made.rs",
            "format/loader_timings/parquet_file.rs",
            "format/nsys/folder.rs",
            "parquet_pages.rs",
        ],
        "rows are Arrow",
    ),
    ("async_trait", &["session", "source"], "only the traits of engine and stores are async"),
    ("aws_config", &["source"], "source/credentials.rs finds keys as AWS's own tools do"),
    ("aws_credential_types", &["source"], "source/credentials.rs finds keys as AWS's own tools do"),
    ("aws_smithy_http_client", &["source"], "source/credentials.rs finds keys as AWS's own tools do"),
    ("base64", &["cli/picture.rs"], "a browser gives a picture as text"),
    (
        "bytes",
        &[
            "source",
            "lake",
            "ingest/commit.rs",
            "format/loader_timings/parquet_file.rs",
            "format/nsys/folder.rs",
            "parquet_pages.rs",
        ],
        "chunks as the stores give them",
    ),
    ("chrono", &["frame/zone.rs"], "the time zone of this machine is asked in one place"),
    ("clap", &["cli"], "only the shell has arguments"),
    ("comfy_table", &["frame"], "a frame prints itself"),
    ("datafusion", &["session"], "only a session has an engine"),
    ("datafusion_proto", &["session/cluster/job.rs"], "only plans that are sent are written"),
    ("datafusion_ffi", &[], "used by python/; here to keep one selection of features"),
    ("dirs", &["source"], "source/home.rs says where the default lake is"),
    ("flate2", &["source", "cli/export.rs"], "decoders are handed unpacked bytes, and a session writes them"),
    ("foldhash", &["format/nsys/mod.rs"], "numbers of an export are looked up for each row"),
    ("futures", &["source", "lake", "session"], "the other rooms do not wait for anything"),
    (
        "getrandom",
        &["session/cluster/client.rs"],
        "nobody else may guess the name of a session; also an anchor for one selection of features",
    ),
    ("http_body_util", &["source"], "source/traffic.rs counts the bytes of bodies"),
    ("indicatif", &["cli"], "a library draws no progress bars"),
    ("itoa", &["format/nsys/args.rs"], "numbers of an export become JSON for each row"),
    ("memchr", &["session/extract_arg.rs", "lake"], "text is searched for a name before, or instead of, parsing it"),
    ("md5", &[], "an anchor: here to keep one selection of features"),
    ("object_store", &["source", "lake", "session"], "the other rooms name no stores"),
    (
        "parquet",
        &["lake", "session", "format/loader_timings/parquet_file.rs", "format/nsys/folder.rs", "parquet_pages.rs"],
        "a lake writes parts, a session reads them; timings and exports of Nsight Systems may be written in it",
    ),
    ("plotly", &["figure"], "figures are drawn in one place"),
    ("reqwest", &["session/cluster/client.rs"], "stores bring their own requests"),
    (
        "serde",
        &["format", "lake", "ingest", "figure", "session/cluster/job.rs", "source/traffic.rs"],
        "what is written or read as JSON",
    ),
    (
        "serde_json",
        &["format", "lake", "figure", "session", "diagnosis", "own_profile.rs"],
        "what is written or read as JSON",
    ),
    ("strsim", &["error"], "suggestions for names are made in one place"),
    (
        "tempfile",
        &["session", "cli/browser.rs", "cli/picture.rs", "source/read.rs"],
        "an ephemeral lake, pages for a browser, copies of objects that are read here and there",
    ),
    ("toml", &["session", "diagnosis"], "thresholds of findings, rules of a gate"),
    ("tokio", &["source", "ingest", "session"], "the engine owns the runtime"),
    (
        "tracing",
        &["own_profile.rs", "source", "lake", "ingest", "session", "diagnosis", "report", "cli/export.rs"],
        "the rooms whose work takes time say what they do",
    ),
    ("tracing_subscriber", &["own_profile.rs"], "spans are written down in one place"),
    ("webbrowser", &["cli/browser.rs"], "only the shell shows pages"),
    ("url", &["source"], "addresses are understood in one place"),
    (
        "zstd",
        &["source", "lake/chunk.rs", "session/cluster/job.rs"],
        "decoders are handed unpacked bytes, parts are packed page by page, plans as a whole",
    ),
    ("std::env", &["source", "cli", "main.rs"], "options are passed in"),
    ("std::fs", &["source", "cli", "own_profile.rs"], "all input goes through source/"),
    (
        "std::process",
        &["cli", "main.rs", "session/engine.rs", "own_profile.rs"],
        "only the shell starts or ends processes; others ask for their number",
    ),
];

/// Names that `lib.rs` takes from a room.
const RE_EXPORTS: &[(&str, &str)] = &[
    ("Error", "error"),
    ("ErrorKind", "error"),
    ("Frame", "frame"),
    ("Open", "session"),
    ("Result", "error"),
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

/// The files of Rust below a folder as `(path below src, text)`, without `lib.rs`, which only re-exports, and without tests.
fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("it is text");
            let name = path.strip_prefix(root().join("src")).expect("it is below").to_string_lossy().replace('\\', "/");
            if name != "lib.rs" && !name.ends_with("/tests.rs") {
                found.push((name, text));
            }
        }
    }
    found.sort();
}

/// The names right after `prefix`: one, or those of a group in braces.
fn after<'a>(code: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(is_word) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let mut depth = 0;
        let mut wanted = true;
        for (n, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => wanted = true,
                c if is_word(c) && wanted => {
                    names.insert(rest[n..].split(|c| !is_word(c)).next().unwrap_or_default());
                    wanted = false;
                }
                _ => {}
            }
            if depth == 0 && !(c.is_whitespace() && wanted) {
                break;
            }
        }
    }
    names
}

/// Whether the code names this crate or module of `std` at the start of a path.
fn names(code: &str, what: &str) -> bool {
    let grouped =
        what.split_once("::").is_some_and(|(parent, module)| after(code, &format!("{parent}::")).contains(module));
    grouped
        || code.match_indices(what).any(|(at, _)| {
            let (before, rest) = (&code[..at], &code[at + what.len()..]);
            let starts = !before.ends_with(|c: char| c == '_' || c == ':' || c == '.' || c.is_ascii_alphanumeric());
            let used = before.ends_with("use ") && rest.starts_with([';', ' ']);
            starts && (used || rest.starts_with("::"))
        })
}

/// What a file breaks, one sentence each. Its unit tests may look further than it does itself.
fn broken(file: &str, text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect();
    let code = code.join("\n");
    let code = code.as_str();
    let room = file.split('/').next().unwrap_or(file).trim_end_matches(".rs");
    let mut told = Vec::new();
    for (what, homes, why) in HOMES {
        if names(code, what) && !homes.iter().any(|home| *home == room || *home == file) {
            told.push(format!("{file} uses {what}: {why} (docs/design.md)"));
        }
    }
    if room == "main" {
        return told;
    }
    let Some((_, may, why)) = ROOMS.iter().find(|(name, ..)| *name == room) else {
        return vec![format!("{file} is in no room: add it to ROOMS in tests/it/architecture.rs")];
    };
    let mut used = after(code, "crate::");
    used.extend(after(code, "super::").into_iter().filter(|name| ROOMS.iter().any(|(room, ..)| room == name)));
    let used: BTreeSet<&str> = used
        .into_iter()
        .map(|name| RE_EXPORTS.iter().find(|(export, _)| *export == name).map_or(name, |(_, room)| room))
        .collect();
    for name in used {
        if name != room && !may.contains(&name) {
            told.push(format!("{file} uses {name}: {why} (docs/design.md)"));
        }
    }
    told
}

#[test]
fn rooms_use_only_what_they_may() {
    let mut found = Vec::new();
    files(&root().join("src"), &mut found);
    let told: Vec<String> = found.iter().flat_map(|(file, code)| broken(file, code)).collect();
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}

#[test]
fn every_dependency_has_a_home() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("it has dependencies");
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let name = line.split(['.', ' ', '=']).next().unwrap_or(line).replace("md-5", "md5").replace('-', "_");
        assert!(
            HOMES.iter().any(|(home, ..)| *home == name),
            "{name} has no home: add it to HOMES in tests/it/architecture.rs"
        );
    }
}

#[test]
fn a_wrong_use_is_told_in_a_sentence() {
    let told = "figure/theme.rs uses session: figures are handed Frames (docs/design.md)";
    for code in [
        "use crate::session::Session;",
        "use crate::{Frame, session::Session};",
        "use crate::Session;",
        "use super::super::session;",
        "fn f() { crate::session::open(\"x\"); }",
    ] {
        assert_eq!(broken("figure/theme.rs", code), [told], "{code}");
    }
    for code in ["use std::fs::File;", "use std::{collections::BTreeMap, fs};", "fn f() { std::fs::read(\"x\"); }"] {
        assert_eq!(
            broken("lake/mod.rs", code),
            ["lake/mod.rs uses std::fs: all input goes through source/ (docs/design.md)"]
        );
    }
    assert_eq!(
        broken("lake/mod.rs", "use parquet::arrow::ArrowWriter; use super::Part; // use tokio::spawn;"),
        Vec::<String>::new()
    );
}
