//! Documents that must say what the code says. `UPDATE=1` writes the generated one.

use std::fmt::Write as _;
use std::path::Path;

use tracelake::figure::FIGURES;
use tracelake::format::FORMATS;
use tracelake::table::TABLES;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

#[test]
fn the_page_of_the_tables_is_fresh() {
    let mut page = String::from(
        "<!-- generated from src/table/ by `UPDATE=1 cargo test docs`; do not edit -->\n\n# Tables\n\n\
         Every data table starts with the keys `run`, `node`, `rank` and ends with `object` and `row`. Unit `time` is ns since\n\
         the Unix epoch, UTC; `ns` is a duration. The same list is in SQL: `select * from help_columns`.\n",
    );
    for table in TABLES {
        write!(
            page,
            "\n## {}\n\n{}\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n",
            table.name, table.doc
        )
        .unwrap();
        for column in table.columns() {
            writeln!(page, "| `{}` | {} | {} | {} |", column.name, column.ty, column.unit, column.doc).unwrap();
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tables.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    assert!(read("docs/tables.md") == page, "docs/tables.md is stale: run `UPDATE=1 cargo test docs`");
}

#[test]
fn the_page_of_the_figures_is_fresh() {
    let mut page = String::from(
        "<!-- generated from src/figure/ by `UPDATE=1 cargo test docs`; do not edit -->\n\n# Figures\n\n\
         `s.figure(\"step_timeline\")` in Python, `s.figure(\"step_timeline\", &[(\"run\", \"job-7\")])?` in Rust,\n\
         `tracelake figure step_timeline -o page.html` in the shell. Parameters of the queries are those of the figure:\n\
         `s.figure(\"trace_timeline\", rank=3)`, `--param rank=3`. The numbers of a figure are its frames. The same list is in SQL:\n\
         `select * from help_figures`.\n\n| figure | what you see | queries | parameters |\n| --- | --- | --- | --- |\n",
    );
    for figure in FIGURES {
        let query = |name: &str| format!("[`{name}`](queries.md#{})", name.replace('.', ""));
        let asked: Vec<String> = figure.queries.iter().map(|ask| query(ask.query)).collect();
        let known = |name: &str| tracelake::catalog::queries().iter().find(|query| query.name == name);
        let params = figure.queries.iter().filter_map(|ask| known(ask.query)).flat_map(|query| &query.header.params);
        let mut params: Vec<String> = params.map(|param| format!("`{}`", param.name)).collect();
        params.dedup();
        writeln!(page, "| `{}` | {} | {} | {} |", figure.name, figure.doc, asked.join(", "), params.join(", "))
            .unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/figures.md"), &page).unwrap();
    }
    assert!(read("docs/figures.md") == page, "docs/figures.md is stale: run `UPDATE=1 cargo test docs`");
}

#[test]
fn the_page_of_the_formats_lists_every_field() {
    let page = read("docs/formats.md").replace('`', "");
    for format in FORMATS {
        let descriptor = format.descriptor();
        assert!(
            page.contains(&format!("## {}", descriptor.name)),
            "docs/formats.md has no heading {}",
            descriptor.name
        );
        for (field, column) in descriptor.fields {
            let row = format!("| {field} | {column} |").replace('`', "");
            assert!(page.contains(&row), "docs/formats.md, {}: no line {row}", descriptor.name);
        }
    }
}

#[test]
fn tables_filled_and_queries_drawn_are_there() {
    for format in FORMATS {
        for name in format.descriptor().tables {
            assert!(tracelake::table::table(name).is_some(), "{}: no table {name}", format.descriptor().name);
        }
    }
    for figure in FIGURES {
        for ask in figure.queries {
            let known = tracelake::catalog::queries().iter().find(|query| query.name == ask.query);
            let query = known.unwrap_or_else(|| panic!("{}: no query {}", figure.name, ask.query));
            for (param, _) in ask.params {
                let has = query.header.params.iter().any(|p| p.name == *param);
                assert!(has, "{}: {} has no param {param}", figure.name, ask.query);
            }
        }
    }
}
