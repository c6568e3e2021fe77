//! Files that follow from `sql/**` and are committed: fresh, or this test says which are not. `UPDATE=1` writes them.
//!
//! What belongs in here: one line per generated file.

use std::path::Path;

use tracelake::catalog::{python_module, queries, queries_page, rust_shim, rust_shim_checks};

// Compiles only if the library has every function, field and variant that the shim of the Rust notebook names.
#[expect(clippy::type_complexity, clippy::extra_unused_lifetimes, reason = "generated: a signature a line")]
#[rustfmt::skip]
mod shim_signatures;

/// Compares a committed file with what it should be, or writes it.
fn fresh(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some(line) = (0..).zip(text.lines()).find(|(n, line)| found.lines().nth(*n) != Some(*line)) {
        let (n, line) = line;
        panic!("{path} is stale in line {}: run `UPDATE=1 cargo test docs`\nit should say: {line}", n + 1);
    }
    assert_eq!(found, text, "{path} is stale: run `UPDATE=1 cargo test docs`");
}

#[test]
fn docs_page_of_the_queries_is_fresh() {
    fresh("docs/queries.md", &queries_page(queries()));
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
