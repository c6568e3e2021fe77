//! Checks that the blocks of Rust on the pages of the docs compile: each is a function in `pages/blocks.rs`, which
//! `UPDATE=1` writes.
//!
//! Blocks of other languages are run by `tests/python/test_docs.py`.

use std::fmt::Write as _;
use std::path::Path;

use crate::docs::pages;
use crate::products::assert_up_to_date;

#[expect(unused_variables, reason = "generated: blocks as they are on the pages")]
#[rustfmt::skip]
mod blocks;

/// The blocks of Rust on a page.
fn rust_blocks(page: &str) -> Vec<String> {
    let blocks = page.split("```rust\n").skip(1);
    blocks.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.to_owned()).collect()
}

/// Whether the last line ends a statement. In a notebook, the last line of a cell may be a value.
fn ends_with_statement(block: &str) -> bool {
    block.lines().last().and_then(|line| line.split("//").next()).is_some_and(|line| line.trim_end().ends_with(';'))
}

#[test]
fn docs_blocks_of_rust_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::from(
        "//! Blocks of Rust on the pages of the docs, each with a session `s`.\n//!\n\
         //! generated from the pages by `make update`; do not edit\n\nuse tracelake::*;\n",
    );
    let mut names = Vec::new();
    let mut all = pages();
    all.sort();
    for page in all {
        let path = page.strip_prefix(root).unwrap().to_str().unwrap();
        for (nth, block) in rust_blocks(&std::fs::read_to_string(&page).unwrap()).iter().enumerate() {
            let name = format!("{}_{nth}", path.trim_end_matches(".md").to_lowercase().replace(['/', '-'], "_"));
            let end = if ends_with_statement(block) { "" } else { ";\n" };
            write!(text, "\nfn {name}(s: Session) -> Result<()> {{\n{block}{end}    Ok(())\n}}\n").unwrap();
            names.push(name);
        }
    }
    write!(text, "\npub(crate) fn all() -> Vec<fn(Session) -> Result<()>> {{\n    vec![{}]\n}}\n", names.join(", "))
        .unwrap();
    assert_up_to_date("tests/it/pages/blocks.rs", &text);
    assert_eq!(blocks::all().len(), names.len());
}
