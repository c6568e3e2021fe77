//! `notebooks/jupyter/shim/src/lib.rs`: what rust-analyzer reads instead of this crate and the 400 below it.
//!
//! In a Rust notebook the kernel compiles against the finished library, and asks rust-analyzer for the types of
//! variables. The shim shows rustc the library and rust-analyzer a list of signatures: the fixed ones are `shim.rs.in`,
//! those of the families follow from the queries. [`rust_shim_checks`] is the same list as code that only compiles if
//! the library has every one of them.

use super::{ORIGIN, camel, capital, families, paragraphs, wrap};
use crate::catalog::{Param, Query};
use crate::unit::Type;

/// Signatures that do not depend on queries, one a line.
const FIXED: &str = include_str!("shim.rs.in");

/// Longest line of a comment.
const WIDTH: usize = 120;

/// The names at the root of the crate.
const ROOT: &str = "
    pub use error::{Error, ErrorKind, Result};
    pub use figure::Drawn;
    pub use frame::Frame;
    pub use ingest::{Report, Request};
    pub use own_profile::{OwnProfile, own_profile};
    pub use session::{Follow, Following, Open, Session, Value, create, open, open_default, open_default_with, open_with};
    pub use source::Traffic;
    pub use unit::{Type, Unit};
";

/// The text of `notebooks/jupyter/shim/src/lib.rs`.
pub fn rust_shim(queries: &[Query]) -> String {
    format!(
        "//! tracelake for a Rust notebook: rustc sees the finished library, rust-analyzer a list of signatures.\n\
         //!\n//! {ORIGIN}\n\n#[cfg(not(rust_analyzer))]\npub use tracelake_real::*;\n\n\
         // Never compiled: the kernel's rust-analyzer reads it, for the types of variables, completion and help.\n\
         #[cfg(rust_analyzer)]\nmod stub {{\n{}{ROOT}}}\n#[cfg(rust_analyzer)]\npub use stub::*;\n",
        signatures(queries)
    )
}

/// The fixed signatures and those of the families, up to the end of the module `session`.
fn signatures(queries: &[Query]) -> String {
    let mut out = FIXED.to_owned();
    let families = families(queries);
    let mut line = |depth: usize, text: &str| out.push_str(&format!("{}{text}\n", "    ".repeat(depth)));
    line(2, "impl Session {");
    for (family, _) in &families {
        line(3, &format!("/// The canned queries about `{family}`."));
        line(3, &format!("pub fn {family}(&self) -> {}Queries<'_> {{ loop {{}} }}", camel(family)));
    }
    line(2, "}");
    for (family, members) in &families {
        let class = format!("{}Queries", camel(family));
        line(0, "");
        line(2, &format!("/// The canned queries about `{family}`."));
        line(2, "#[derive(Debug, Clone, Copy)]");
        line(2, &format!("pub struct {class}<'a>(&'a Session);"));
        line(2, &format!("impl<'a> {class}<'a> {{"));
        for query in members {
            documentation(query).iter().for_each(|text| line(3, text));
            let to = if query.header.params.is_empty() { "Call".to_owned() } else { builder(family, query) };
            line(3, &format!("pub fn {}(self) -> {to}<'a> {{ loop {{}} }}", query.question()));
        }
        line(2, "}");
        for query in members.iter().filter(|query| !query.header.params.is_empty()) {
            let class = builder(family, query);
            line(0, "");
            line(2, &format!("/// A call of `{}`.", query.name));
            line(2, "#[derive(Debug, Clone)]");
            line(2, &format!("pub struct {class}<'a>(Call<'a>);"));
            line(2, &format!("impl<'a> {class}<'a> {{"));
            for param in &query.header.params {
                line(3, &format!("/// {}", said(param)));
                line(3, &format!("pub fn {0}(self, {0}: {1}) -> Self {{ loop {{}} }}", param.name, rust_type(param)));
            }
            line(3, "/// Only this run.");
            line(3, "pub fn run(self, run: &str) -> Self { loop {} }");
            line(3, "/// Only these runs.");
            line(3, "pub fn runs(self, runs: &[&str]) -> Self { loop {} }");
            line(3, "/// Runs the query.");
            line(3, "pub fn fetch(self) -> Result<Frame> { loop {} }");
            line(2, "}");
        }
    }
    line(1, "}");
    out
}

fn builder(family: &str, query: &Query) -> String {
    format!("{}{}", camel(family), camel(query.question()))
}

/// The type of a parameter's method, as the build script writes it.
fn rust_type(param: &Param) -> &'static str {
    match (param.ty, param.list) {
        (Type::Bigint, false) => "i64",
        (Type::Double, false) => "f64",
        (Type::Text, false) => "&str",
        (Type::Boolean, false) => "bool",
        (Type::Bigint, true) => "&[i64]",
        (Type::Double, true) => "&[f64]",
        (_, true) => "&[&str]",
    }
}

fn said(param: &Param) -> String {
    let default = param.default.as_ref().map_or(String::from("Must be given."), |text| format!("Default: `{text}`."));
    format!("{}. {default}", capital(&param.doc))
}

/// What a notebook shows as help of the method.
fn documentation(query: &Query) -> Vec<String> {
    let header = &query.header;
    let mut lines = vec![header.summary.clone()];
    for paragraph in paragraphs(&header.detail) {
        lines.push(String::new());
        lines.extend(wrap(&paragraph, WIDTH - 16, 0, 0));
    }
    lines.push(String::new());
    for param in &header.params {
        lines.push(format!("- parameter `{}` ({}): {}", param.name, param.sql_type(), said(param)));
    }
    for column in &header.columns {
        lines.push(format!("- column `{}` ({}, {}): {}", column.name, column.ty, column.unit, column.doc));
    }
    lines.iter().map(|line| format!("/// {line}").trim_end().to_owned()).collect()
}

/// The text of `tests/it/products/shim_signatures.rs`: takes every function, field and variant of the shim from the
/// library, with the type that the shim says.
pub fn rust_shim_checks(queries: &[Query]) -> String {
    let mut out = format!(
        "//! The library has all that the shim of the Rust notebook promises.\n//!\n//! {ORIGIN}\n\n\
         use std::collections::BTreeMap;\n\nuse tracelake::arrow::array::RecordBatch;\n\
         use tracelake::arrow::datatypes::{{DataType, SchemaRef}};\nuse tracelake::figure::*;\nuse tracelake::frame::*;\n\
         use tracelake::ingest::*;\nuse tracelake::lake::*;\nuse tracelake::plotly::Plot;\nuse tracelake::report::*;\nuse tracelake::session::*;\nuse tracelake::source::*;\n\
         use tracelake::{{Error, ErrorKind, OwnProfile, Result, Type, Unit, own_profile}};\n\n\
         /// Compiles, or the shim is wrong.\n#[rustfmt::skip]\npub(super) fn fits<'a>() {{\n"
    );
    let mut item = Item::default();
    for line in signatures(queries).lines() {
        if let Some(check) = item.check(line.trim()) {
            out.push_str(&format!("    {check}\n"));
        }
    }
    out.push_str("}\n");
    out
}

/// The type whose block a line stands in.
#[derive(Default)]
struct Item {
    /// With its lifetime: `Call<'a>`.
    name: String,
    kind: &'static str,
}

impl Item {
    /// The check of one line of the signatures, if there is something to check.
    fn check(&mut self, line: &str) -> Option<String> {
        for (start, kind) in
            [("impl<'a> ", "impl"), ("impl ", "impl"), ("pub struct ", "struct"), ("pub enum ", "enum")]
        {
            if let Some(name) = line.strip_prefix(start).and_then(|rest| rest.strip_suffix(" {")) {
                (self.name, self.kind) = (name.to_owned(), kind);
                return None;
            }
        }
        if line == "}" {
            *self = Self::default();
            return None;
        }
        if line.starts_with("///") {
            return None;
        }
        let owner = &self.name;
        let bare = owner.split('<').next().unwrap_or_default();
        match self.kind {
            "struct" => {
                let (name, ty) = line.strip_prefix("pub ")?.trim_end_matches(',').split_once(": ")?;
                Some(format!("let _: fn(&{owner}) -> &{ty} = |it| &it.{name};"))
            }
            "enum" => {
                let variant = line.trim_end_matches(',');
                Some(match variant.strip_suffix(')').and_then(|variant| variant.split_once('(')) {
                    Some((variant, ty)) => format!("let _: fn({ty}) -> {owner} = {owner}::{variant};"),
                    None => format!("let _: {owner} = {owner}::{variant};"),
                })
            }
            "impl" => Some(pointer(line, owner, &format!("{bare}::"))),
            _ => line.starts_with("pub fn ").then(|| pointer(line, "", "")),
        }
    }
}

/// `let _: fn(&Session, &str) -> Result<Frame> = Session::sql;` for the line of a function.
fn pointer(line: &str, owner: &str, path: &str) -> String {
    let (line, generic) = line.split_once(" // ").unwrap_or((line, ""));
    let signature = line.trim_start_matches("pub fn ").trim_end_matches(" { loop {} }");
    let name: String = signature.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let (open, close) = (signature.find('(').unwrap_or(0), matching(signature));
    let arguments: Vec<String> = split(&signature[open + 1..close])
        .into_iter()
        .map(|argument| match argument {
            "self" => owner.to_owned(),
            "&self" => format!("&{owner}"),
            argument => argument.split_once(": ").map_or(argument, |(_, ty)| ty).to_owned(),
        })
        .collect();
    let to = signature[close + 1..].replace("Self", owner);
    let mut check = format!("let _: fn({}){to} = {path}{name};", arguments.join(", "));
    // A generic one is checked with one type.
    if let Some((parameter, ty)) = generic.split_once(" = ") {
        for (before, after) in [("<", ">"), (" ", ")"), (" ", ">"), ("(", ")")] {
            check = check.replace(&format!("{before}{parameter}{after}"), &format!("{before}{ty}{after}"));
        }
    }
    check
}

/// Where the parenthesis closes that opens first.
fn matching(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The arguments between commas that stand in no bracket.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_fields_and_variants_become_checks() {
        let mut item = Item::default();
        let mut check = |line: &str| item.check(line);
        let free = check("pub fn open(url: &str) -> Result<Session> { loop {} }");
        assert_eq!(free.unwrap(), "let _: fn(&str) -> Result<Session> = open;");
        assert_eq!(check("impl<'a> Call<'a> {"), None);
        let method = check("pub fn run(self, run: &str) -> Self { loop {} }");
        assert_eq!(method.unwrap(), "let _: fn(Call<'a>, &str) -> Call<'a> = Call::run;");
        assert_eq!(check("}"), None);
        assert_eq!(check("impl Session {"), None);
        let generic =
            check("pub fn query<V: Into<Value>>(&self, given: &[(&str, V)]) -> Result<Frame> { loop {} } // V = i64");
        assert_eq!(generic.unwrap(), "let _: fn(&Session, &[(&str, i64)]) -> Result<Frame> = Session::query;");
        let nothing = check("pub fn evcxr_display(&self) { loop {} }");
        assert_eq!(nothing.unwrap(), "let _: fn(&Session) = Session::evcxr_display;");
        assert_eq!(check("}"), None);
        assert_eq!(check("pub enum Value {"), None);
        assert_eq!(check("Null,").unwrap(), "let _: Value = Value::Null;");
        assert_eq!(check("List(Vec<Value>),").unwrap(), "let _: fn(Vec<Value>) -> Value = Value::List;");
        assert_eq!(check("}"), None);
        assert_eq!(check("pub struct Open {"), None);
        assert_eq!(check("pub create: bool,").unwrap(), "let _: fn(&Open) -> &bool = |it| &it.create;");
    }
}
