//! Checks that generated files that are committed are up to date. `UPDATE=1` writes them.

use std::path::Path;

/// Compares a committed file with the expected text, or writes it.
pub(crate) fn assert_up_to_date(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some(line) = (0..).zip(text.lines()).find(|(n, line)| committed.lines().nth(*n) != Some(*line)) {
        let (n, line) = line;
        panic!("{path} is stale in line {}: run `make update`\nit should say: {line}", n + 1);
    }
    assert_eq!(committed, text, "{path} is stale: run `make update`");
}

#[test]
fn docs_page_of_the_command_is_up_to_date() {
    assert_up_to_date("docs/cli.md", &tracelake::cli::reference());
}
