//! Checks that the library has what the stub of the Rust notebook declares.
//!
//! `notebooks/jupyter/shim/src/stub.rs` is written by hand. This test turns each of its lines into a line of Rust that compiles only
//! if the library has that function, field or variant, with that type. The families of queries are generated in both.

use std::path::Path;

use crate::products::assert_up_to_date;

// Compiles only if the library has every function, field and variant that the stub names.
#[expect(clippy::type_complexity, clippy::extra_unused_lifetimes, reason = "generated: a signature a line")]
#[rustfmt::skip]
mod signatures;

const HEADER: &str = "\
//! Compiles only if the library has everything that the stub of the Rust notebook declares.
//!
//! generated from notebooks/jupyter/shim/src/stub.rs by `make update`; do not edit

use std::collections::BTreeMap;

use tracelake::arrow::array::RecordBatch;
use tracelake::arrow::datatypes::{DataType, SchemaRef};
use tracelake::figure::*;
use tracelake::frame::*;
use tracelake::ingest::*;
use tracelake::lake::*;
use tracelake::plotly::Plot;
use tracelake::report::*;
use tracelake::session::*;
use tracelake::source::*;
use tracelake::{Error, ErrorKind, Result, SelfTrace, Type, Unit, self_trace};

/// Compiles only if the stub is right.
pub(super) fn check_signatures<'a>() {
";

#[test]
fn the_library_has_what_the_stub_declares() {
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks/jupyter/shim/src/stub.rs");
    let mut item = StubItem::default();
    let stub = std::fs::read_to_string(stub).unwrap();
    let checks: Vec<String> = stub.lines().filter_map(|line| item.check(line.trim())).collect();
    assert_up_to_date("tests/it/shim/signatures.rs", &format!("{HEADER}    {}\n}}\n", checks.join("\n    ")));
    signatures::check_signatures();
}

/// The type that the current line belongs to.
#[derive(Default)]
struct StubItem {
    /// The name with its lifetime: `QueryCall<'a>`.
    name: String,
    kind: &'static str,
}

impl StubItem {
    /// Returns the check for one line of the stub, if it declares something.
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
            "impl" => Some(check_function(line, owner, &format!("{bare}::"))),
            _ => line.starts_with("pub fn ").then(|| check_function(line, "", "")),
        }
    }
}

/// Returns the check for the line of a function: `let _: fn(&Session, &str) -> Result<Frame> = Session::sql;`.
fn check_function(line: &str, owner: &str, path: &str) -> String {
    let (line, generic) = line.split_once(" // ").unwrap_or((line, ""));
    let signature = line.trim_start_matches("pub fn ").trim_end_matches(" { loop {} }");
    let name: String = signature.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let (open, close) = (signature.find('(').unwrap_or(0), closing_parenthesis(signature));
    let arguments: Vec<String> = split_arguments(&signature[open + 1..close])
        .into_iter()
        .map(|argument| match argument {
            "self" => owner.to_owned(),
            "&self" => format!("&{owner}"),
            argument => argument.split_once(": ").map_or(argument, |(_, ty)| ty).to_owned(),
        })
        .collect();
    let words = signature[close + 1..].split_inclusive(|c: char| !c.is_alphanumeric());
    let is_self = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()) == "Self";
    let return_type: String =
        words.map(|word| if is_self(word) { word.replace("Self", owner) } else { word.to_owned() }).collect();
    let mut check = format!("let _: fn({}){return_type} = {path}{name};", arguments.join(", "));
    // A generic function is checked with one type.
    for (parameter, ty) in generic.split("; ").filter_map(|generic| generic.split_once(" = ")) {
        if parameter.starts_with("impl ") {
            check = check.replace(parameter, ty);
        }
        for (before, after) in [("<", ">"), (" ", ")"), (" ", ">"), ("(", ")")] {
            check = check.replace(&format!("{before}{parameter}{after}"), &format!("{before}{ty}{after}"));
        }
    }
    check
}

/// The position of the parenthesis that closes the first one.
fn closing_parenthesis(text: &str) -> usize {
    let mut depth = 0;
    for (position, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return position,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Splits arguments at commas outside of brackets.
fn split_arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (position, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
