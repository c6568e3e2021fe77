//! Reads the headers of `sql/**`: a wrong one fails the build with file, line and the allowed words.
//! Writes the list of files and one Rust method per query.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a build script talks to cargo on stdout, reads files and may fail loudly"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tracelake_header::{self as header, Header, unit};

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let sql = root.join("sql");
    println!("cargo::rerun-if-changed=sql");
    println!("cargo::rustc-env=TRACELAKE_TARGET={}", std::env::var("TARGET").expect("cargo sets it"));
    let mut out = String::from("/// Path below `sql/` and text of every file.\nstatic FILES: &[(&str, &str)] = &[\n");
    let mut families: BTreeMap<String, Vec<(String, Header)>> = BTreeMap::new();
    let mut refused = false;
    for path in files(&sql) {
        let name = path.strip_prefix(&sql).expect("it is below").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).expect("a file that was listed can be read");
        match header::parse(&text) {
            Ok((header, _)) => {
                if let Some((family, question)) = name.trim_end_matches(".sql").split_once('/')
                    && family != "view"
                {
                    families.entry(family.to_owned()).or_default().push((question.to_owned(), header));
                }
            }
            Err(error) => {
                refused = true;
                println!("cargo::error=sql/{name}:{error}");
            }
        }
        // The folder is named when the crate is compiled: a cache of builds may serve several checkouts.
        let path = format!("/sql/{name}");
        writeln!(out, "({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),").expect("memory");
    }
    out.push_str("];\n");
    let mut methods = String::new();
    for (family, queries) in &families {
        write_family(&mut methods, family, queries);
    }
    write_session(&mut methods, &families);
    if refused {
        return;
    }
    let to = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(to.join("files.rs"), out).expect("OUT_DIR can be written");
    std::fs::write(to.join("families.rs"), methods).expect("OUT_DIR can be written");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("sql/ is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "sql") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// `by_rank` as `ByRank`.
fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn doc(out: &mut String, indent: &str, header: &Header) {
    for line in std::iter::once(header.summary.as_str()).chain([""]).chain(header.detail.lines()) {
        let line = line.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<");
        writeln!(out, "{indent}/// {line}").expect("memory");
    }
    writeln!(out, "{indent}///\n{indent}/// # Shape").expect("memory");
    for column in &header.columns {
        writeln!(
            out,
            "{indent}/// - `{}` ({}, {}): {}",
            column.name,
            column.ty,
            column.unit,
            column.doc.replace('[', "\\[").replace(']', "\\]")
        )
        .expect("memory");
    }
    writeln!(out, "{indent}///\n{indent}/// Order: {}.", header.order.join(", ")).expect("memory");
}

/// The type behind `s.step()`, and a builder for each query with parameters.
fn write_family(out: &mut String, family: &str, queries: &[(String, Header)]) {
    let ty = camel(family);
    writeln!(out, "/// The canned queries about `{family}`; each method gives a call that [`Call::fetch`] runs.\n#[derive(Clone, Copy)]\npub struct {ty}Queries<'a>(&'a crate::session::Session);\n\nimpl std::fmt::Debug for {ty}Queries<'_> {{\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        f.write_str(&crate::catalog::family_text(\"{family}\"))\n    }}\n}}\n\nimpl<'a> {ty}Queries<'a> {{").expect("memory");
    for (question, header) in queries {
        doc(out, "    ", header);
        let call = format!("crate::session::Call::new(self.0, \"{family}.{question}\")");
        if header.params.is_empty() {
            writeln!(out, "    pub fn {question}(self) -> crate::session::Call<'a> {{ {call} }}\n").expect("memory");
        } else {
            let builder = format!("{ty}{}", camel(question));
            writeln!(out, "    pub fn {question}(self) -> {builder}<'a> {{ {builder}({call}) }}\n").expect("memory");
        }
    }
    out.push_str("}\n\n");
    for (question, header) in queries.iter().filter(|(_, header)| !header.params.is_empty()) {
        let builder = format!("{ty}{}", camel(question));
        writeln!(out, "/// A call of `{family}.{question}`.\n#[derive(Debug, Clone)]\npub struct {builder}<'a>(crate::session::Call<'a>);\n\nimpl {builder}<'_> {{").expect("memory");
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
            writeln!(out, "    /// {} {default}\n    #[must_use]\n    pub fn {1}(mut self, {1}: {ty}) -> Self {{ self.0 = self.0.set(\"{1}\", {1}); self }}\n", capital(&param.doc), param.name).expect("memory");
        }
        out.push_str("    /// Only this run.\n    #[must_use]\n    pub fn run(mut self, run: &str) -> Self { self.0 = self.0.run(run); self }\n\n    /// Only these runs.\n    #[must_use]\n    pub fn runs(mut self, runs: &[&str]) -> Self { self.0 = self.0.runs(runs); self }\n\n    /// Runs the query; see [`Call::fetch`](crate::session::Call::fetch).\n    ///\n    /// # Errors\n    /// As [`Call::fetch`](crate::session::Call::fetch).\n    pub fn fetch(self) -> crate::error::Result<crate::frame::Frame> { self.0.fetch() }\n}\n\n");
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map_or(String::new(), |c| c.to_uppercase().collect());
    first + chars.as_str() + "."
}

fn write_session(out: &mut String, families: &BTreeMap<String, Vec<(String, Header)>>) {
    out.push_str("impl crate::session::Session {\n");
    for family in families.keys() {
        writeln!(out, "    /// The canned queries about `{family}`.\n    pub fn {family}(&self) -> {}Queries<'_> {{ {}Queries(self) }}\n", camel(family), camel(family)).expect("memory");
    }
    out.push_str("}\n");
}
