//! What is made from the headers and committed: pages of the docs, a Python module, what rust-analyzer reads.
//!
//! Pure functions from queries to text, so that a test can compare the files with what they should be and, with
//! `UPDATE=1`, write them. Shared views have no family and are left out.

#![expect(clippy::format_push_string, reason = "a few pages, made by a test: what reads best")]

mod finding_pages;
mod page;
mod python;
mod shim;

use super::Query;

pub use finding_pages::{Example, finding_pages};
pub use page::queries_page;
pub use python::python_module;
pub use shim::{rust_shim, rust_shim_checks};

/// The first lines of a generated file say this.
const ORIGIN: &str = "generated from sql/ by `make update`; do not edit";

/// The queries by family, both by name.
fn families(queries: &[Query]) -> Vec<(&str, Vec<&Query>)> {
    let mut named: Vec<(&str, &Query)> =
        queries.iter().filter_map(|query| query.family().map(|family| (family, query))).collect();
    named.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    let mut families: Vec<(&str, Vec<&Query>)> = Vec::new();
    for (family, query) in named {
        match families.last_mut() {
            Some((last, members)) if *last == family => members.push(query),
            _ => families.push((family, vec![query])),
        }
    }
    families
}

/// `by_rank` as `ByRank`.
fn camel(name: &str) -> String {
    name.split('_').map(capital).collect()
}

/// The text with a capital letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// The paragraphs of the prose, each on one line.
fn paragraphs(detail: &str) -> Vec<String> {
    let lines: Vec<&str> = detail.lines().map(str::trim).collect();
    let joined = |lines: &[&str]| lines.join(" ");
    lines.split(|line| line.is_empty()).map(joined).filter(|paragraph| !paragraph.is_empty()).collect()
}

/// The items of a list literal: `[1, 2]`.
fn items(literal: &str) -> impl Iterator<Item = &str> {
    let inside = literal.trim().trim_start_matches('[').trim_end_matches(']');
    inside.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// The text in lines of at most `width` characters; the first is indented by `indent`, the others by `hang` more.
/// A longer word has a line of its own.
fn wrap(text: &str, width: usize, indent: usize, hang: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent + hang)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    if !empty {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_their_queries_are_in_order_and_views_are_left_out() {
        let text = "-- A question?\n--\n-- column run text id run\n-- needs step\nSELECT run FROM step";
        let query = |path| Query::parse(path, text).unwrap();
        let queries = [query("step/b.sql"), query("view/v.sql"), query("loader/c.sql"), query("step/a.sql")];
        let found: Vec<(&str, Vec<&str>)> = families(&queries)
            .into_iter()
            .map(|(family, members)| (family, members.iter().map(|query| query.question()).collect()))
            .collect();
        assert_eq!(found, [("loader", vec!["c"]), ("step", vec!["a", "b"])]);
    }

    #[test]
    fn lines_are_filled_and_never_longer() {
        assert_eq!(wrap("aa bb cc dddddddd e", 7, 1, 1), [" aa bb", "  cc", "  dddddddd", "  e"]);
        assert_eq!(wrap("  ", 7, 1, 1), Vec::<String>::new());
        assert_eq!(paragraphs("a\nb\n\n\nc"), ["a b", "c"]);
        assert_eq!(camel("by_rank"), "ByRank");
    }
}
