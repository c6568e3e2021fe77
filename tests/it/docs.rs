//! Pages of the docs that must agree with the code. `UPDATE=1` writes the generated ones.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tracelake::figure::FIGURES;
use tracelake::format::FORMATS;
use tracelake::table::TABLES;

use crate::golden::files;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

#[test]
fn the_page_of_the_tables_is_up_to_date() {
    let mut page = String::from(
        "<!-- generated from crates/model/src/table/ by `make update`; do not edit -->\n\n# Tables\n\n\
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
    assert!(read("docs/tables.md") == page, "docs/tables.md is stale: run `make update`");
}

#[test]
fn the_page_of_the_figures_is_up_to_date() {
    let mut page = String::from(
        "<!-- generated from crates/figure/src/ by `make update`; do not edit -->\n\n# Figures\n\n\
         `s.figure(\"step_timeline\")` in Python, `s.figure(\"step_timeline\", [(\"run\", \"job-7\")])?` in Rust,\n\
         `tracelake figure step_timeline -o page.html` in the shell. A figure has the parameters of its queries:\n\
         `s.figure(\"trace_timeline\", rank=3)`, `--param rank=3`. Its `frames` are the rows that it shows. `select * from help_figures`\n\
         lists all figures in SQL.\n\n\
         The mark \u{2194} means that the figure has a time window: `start` and `end`, in ns, like column `ts`. The bins divide the window,\n\
         so a narrower window shows more detail. In a notebook, `s.explore(\"trace_timeline\")` queries the window again when you zoom:\n\
         [notebooks.md](notebooks.md#figures-to-zoom-into). A summary in the title is about the whole run, not about the window.\n\n\
         The hover text shows the run, the step, the rank, and the value with its unit. The title is the main result. The figure\n\
         follows the light or dark theme. One role, such as kernels or waiting for data, has the same color in all figures.\n\
         A page (`.html`) works without a network. Your Chromium or Chrome renders pictures (`.png`, `.svg`, `.pdf`, `.jpeg`, `.webp`):\n\
         `s.figure(\"step_timeline\").save(\"steps.png\", width=800)`, `tracelake figure step_timeline -o steps.png --width 800`,\n\
         `figure.save(path)?`. `TRACELAKE_BROWSER` selects another browser.\n\n| figure | what you see | queries | parameters |\n| --- | --- | --- | --- |\n",
    );
    for figure in FIGURES {
        let query = |name: &str| format!("[`{name}`](../sql/{}.sql)", name.replace('.', "/"));
        let query_links: Vec<String> = figure.queries.iter().map(|figure_query| query(figure_query.query)).collect();
        let find_query = |name: &str| tracelake::catalog::queries().iter().find(|query| query.name == name);
        let params = figure
            .queries
            .iter()
            .filter_map(|figure_query| find_query(figure_query.query))
            .flat_map(|query| &query.header.params);
        let mut shown: Vec<String> = Vec::new();
        for param in params.map(|param| format!("`{}`", param.name)) {
            if !shown.contains(&param) {
                shown.push(param);
            }
        }
        let first = figure.queries.first().and_then(|figure_query| find_query(figure_query.query));
        let windowed = first.is_some_and(|query| query.header.params.iter().any(|param| param.name == "start"));
        let mark = if windowed { " \u{2194}" } else { "" };
        writeln!(
            page,
            "| `{}`{mark} | {} | {} | {} |",
            figure.name,
            figure.doc,
            query_links.join(", "),
            shown.join(", ")
        )
        .unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/figures.md"), &page).unwrap();
    }
    assert!(read("docs/figures.md") == page, "docs/figures.md is stale: run `make update`");
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

/// All pages: README.md, CONTRIBUTING.md and the pages below `docs/`.
pub(crate) fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = files(&root.join("docs"), "md");
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    pages
}

/// The lines of a page outside of code blocks.
fn lines(page: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    page.lines().filter(move |line| {
        let fence = line.starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// The anchors of the headings of a page, as GitHub generates them.
fn anchors(page: &str) -> Vec<String> {
    let headings = lines(page).filter(|line| line.starts_with('#'));
    let anchor_char = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase().chars().filter_map(anchor_char).collect())
        .collect()
}

#[test]
fn links_between_pages_resolve() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for line in lines(&text) {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
                if target.contains("://") {
                    continue;
                }
                checked += 1;
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let target_file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
                let has_anchor = anchor.is_empty()
                    || std::fs::read_to_string(&target_file)
                        .is_ok_and(|text| anchors(&text).iter().any(|name| name == anchor));
                if !target_file.exists() || !has_anchor {
                    broken.push(format!("{}: {target}", page.display()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(checked > 200, "only {checked} links were checked");
}

#[test]
fn tables_of_formats_and_queries_of_figures_exist() {
    for format in FORMATS {
        for name in format.descriptor().tables {
            assert!(tracelake::table::table(name).is_some(), "{}: no table {name}", format.descriptor().name);
        }
    }
    for figure in FIGURES {
        for figure_query in figure.queries {
            let known = tracelake::catalog::queries().iter().find(|query| query.name == figure_query.query);
            let query = known.unwrap_or_else(|| panic!("{}: no query {}", figure.name, figure_query.query));
            for (param, _) in figure_query.params {
                let has = query.header.params.iter().any(|p| p.name == *param);
                assert!(has, "{}: {} has no param {param}", figure.name, figure_query.query);
            }
        }
    }
}
