//! Generates Rust code from the SQL files in `sql/`: a list of the files, and one method per query.
//!
//! Parses the header of each file. An invalid header fails the build with file, line and the allowed words.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a build script talks to cargo on stdout, reads files and may fail loudly"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tracelake_header::{self as header, Header, unit};

/// The queries of each family: name and header.
type Families = BTreeMap<String, Vec<(String, Header)>>;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let sql = root.join("sql");
    println!("cargo::rerun-if-changed=sql");
    println!("cargo::rustc-env=TRACELAKE_TARGET={}", std::env::var("TARGET").expect("cargo sets it"));
    let mut files = String::from("/// Path below `sql/` and text of every file.\nstatic FILES: &[(&str, &str)] = &[\n");
    let mut families = Families::new();
    let mut has_error = false;
    for path in list_files(&sql) {
        let name = path.strip_prefix(&sql).expect("it is below").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).expect("a file that was listed can be read");
        match header::parse(&text) {
            Ok((header, _)) => {
                if let Some((family, query)) = name.trim_end_matches(".sql").split_once('/')
                    && family != "view"
                {
                    families.entry(family.to_owned()).or_default().push((query.to_owned(), header));
                }
            }
            Err(error) => {
                has_error = true;
                println!("cargo::error=sql/{name}:{error}");
            }
        }
        // The crate's folder becomes part of the path when the crate is compiled: checkouts may share a build cache.
        let path = format!("/sql/{name}");
        writeln!(files, "({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),").expect("memory");
    }
    files.push_str("];\n");
    if has_error {
        return;
    }
    let mut methods = String::new();
    for (family, queries) in &families {
        write_family(&mut methods, family, queries);
    }
    write_session(&mut methods, &families);
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("files.rs"), files).expect("OUT_DIR can be written");
    std::fs::write(out.join("families.rs"), methods).expect("OUT_DIR can be written");
}

/// All SQL files below a folder, sorted within each folder.
fn list_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("sql/ is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            files.extend(list_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Converts `by_rank` to `ByRank`.
fn camel_case(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Escapes text for a doc comment.
fn escape_doc(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// Writes the doc comment of a query.
fn write_doc(out: &mut String, indent: &str, header: &Header) {
    for line in std::iter::once(header.summary.as_str()).chain([""]).chain(header.detail.lines()) {
        writeln!(out, "{indent}/// {}", escape_doc(line).replace('<', "\\<")).expect("memory");
    }
    writeln!(out, "{indent}///\n{indent}/// # Shape").expect("memory");
    for column in &header.columns {
        let doc = escape_doc(&column.doc);
        writeln!(out, "{indent}/// - `{}` ({}, {}): {doc}", column.name, column.ty, column.unit).expect("memory");
    }
    writeln!(out, "{indent}///\n{indent}/// Order: {}.", header.order.join(", ")).expect("memory");
}

/// Writes the type that `session.step()` returns, and a builder for each query with parameters.
fn write_family(out: &mut String, family: &str, queries: &[(String, Header)]) {
    let ty = camel_case(family);
    writeln!(out, "/// The canned queries about `{family}`; each method gives a call that [`QueryCall::fetch`] runs.\n#[derive(Clone, Copy)]\npub struct {ty}Queries<'a>(&'a crate::session::Session);\n\nimpl std::fmt::Debug for {ty}Queries<'_> {{\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        f.write_str(&crate::catalog::family_text(\"{family}\"))\n    }}\n}}\n\nimpl<'a> {ty}Queries<'a> {{").expect("memory");
    for (query, header) in queries {
        write_doc(out, "    ", header);
        let call = format!("crate::session::QueryCall::new(self.0, \"{family}.{query}\")");
        if header.params.is_empty() {
            writeln!(out, "    pub fn {query}(self) -> crate::session::QueryCall<'a> {{ {call} }}\n").expect("memory");
        } else {
            let builder = format!("{ty}{}", camel_case(query));
            writeln!(out, "    pub fn {query}(self) -> {builder}<'a> {{ {builder}({call}) }}\n").expect("memory");
        }
    }
    out.push_str("}\n\n");
    for (query, header) in queries.iter().filter(|(_, header)| !header.params.is_empty()) {
        let builder = format!("{ty}{}", camel_case(query));
        writeln!(out, "/// A call of `{family}.{query}`.\n#[derive(Debug, Clone)]\npub struct {builder}<'a>(crate::session::QueryCall<'a>);\n\nimpl {builder}<'_> {{").expect("memory");
        for param in &header.params {
            let default = param.default.as_ref().map_or(String::from("Must be given."), |d| format!("Default: `{d}`."));
            let ty = match (param.ty, param.list) {
                (unit::Type::Bigint, false) => "i64",
                (unit::Type::Double, false) => "f64",
                (unit::Type::Text, false) => "&str",
                (unit::Type::Boolean, false) => "bool",
                (unit::Type::Bigint, true) => "&[i64]",
                (unit::Type::Double, true) => "&[f64]",
                (_, true) => "&[&str]",
            };
            writeln!(out, "    /// {} {default}\n    #[must_use]\n    pub fn {1}(mut self, {1}: {ty}) -> Self {{ self.0 = self.0.set(\"{1}\", {1}); self }}\n", as_sentence(&param.doc), param.name).expect("memory");
        }
        out.push_str("    /// Only this run, or these runs.\n    #[must_use]\n    pub fn run(mut self, runs: impl Into<crate::session::Runs>) -> Self { self.0 = self.0.run(runs); self }\n\n    /// Runs the query; see [`QueryCall::fetch`](crate::session::QueryCall::fetch).\n    ///\n    /// # Errors\n    /// As [`QueryCall::fetch`](crate::session::QueryCall::fetch).\n    pub fn fetch(self) -> crate::error::Result<crate::frame::Frame> { self.0.fetch() }\n}\n\n");
    }
}

/// Capitalizes the first letter and adds a period.
fn as_sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    first + chars.as_str() + "."
}

/// Writes the methods of `Session`, one for each family.
fn write_session(out: &mut String, families: &Families) {
    out.push_str("impl crate::session::Session {\n");
    for family in families.keys() {
        let ty = camel_case(family);
        writeln!(out, "    /// The canned queries about `{family}`.\n    pub fn {family}(&self) -> {ty}Queries<'_> {{ {ty}Queries(self) }}\n").expect("memory");
    }
    out.push_str("}\n");
}
