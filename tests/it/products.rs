//! Generated files that are committed: fresh, or these tests say which are not. `UPDATE=1` writes them.

use std::path::Path;

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
fn docs_page_of_the_command_is_fresh() {
    fresh("docs/cli.md", &tracelake::cli::reference());
}
