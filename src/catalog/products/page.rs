//! `docs/queries.md`: every query with its question, how to ask it, and what comes back.

use super::{ORIGIN, families, items, python};
use crate::catalog::{Param, Query};
use crate::unit::Type;

const INTRODUCTION: &str = "\
Each query is one file, `sql/<family>/<question>.sql`. It has the same name everywhere: query `step.duration` is
`step_duration` in SQL, a view with the default parameters and a table function for others. Parameters are positional in
the order given here, or `name => value`. `run` is always the first column and never a parameter: in SQL filter on it,
elsewhere give the name of a run, or several. A named call returns the rows in the order given here; a select from a
view has no order.

Times are nanoseconds unless the name says otherwise; unit `time` is nanoseconds since the Unix epoch, UTC, and is shown
as a timestamp. The same text is available with `select * from help_queries`, `tracelake queries step.duration`.
";

/// The text of `docs/queries.md`.
pub fn queries_page(queries: &[Query]) -> String {
    let families = families(queries);
    let mut out = format!("# Canned queries\n\n<!-- {ORIGIN} -->\n\n{INTRODUCTION}\n");
    for (family, members) in &families {
        let link = |query: &&Query| format!("[`{}`](#{})", query.question(), query.name.replace('.', ""));
        let links: Vec<String> = members.iter().map(link).collect();
        out.push_str(&format!("- **{family}**: {}\n", links.join(", ")));
    }
    for (family, members) in &families {
        out.push_str(&format!("\n## {family}\n"));
        for query in members {
            section(&mut out, query);
        }
    }
    out
}

fn section(out: &mut String, query: &Query) {
    let header = &query.header;
    out.push_str(&format!("\n### {}\n\n{}\n", query.name, prose(&header.summary)));
    if !header.detail.is_empty() {
        out.push_str(&format!("\n{}\n", prose(&header.detail)));
    }
    out.push_str(&format!(
        "\n| in | |\n| --- | --- |\n| SQL | `{}` |\n| Python | `{}` |\n| Rust | `{}` |\n| shell | `{}` |\n",
        cell(&sql(query)),
        cell(&python::usage(query)),
        cell(&rust(query)),
        cell(&shell(query)),
    ));
    if !header.params.is_empty() {
        out.push_str("\n| parameter | type | default | |\n| --- | --- | --- | --- |\n");
        for param in &header.params {
            let default = param.default.as_ref().map_or("must be given".to_owned(), |text| format!("`{text}`"));
            let (name, ty) = (&param.name, param.sql_type());
            out.push_str(&format!("| `{name}` | {ty} | {} | {} |\n", cell(&default), cell(&prose(&param.doc))));
        }
    }
    out.push_str("\n| column | type | unit | |\n| --- | --- | --- | --- |\n");
    for column in &header.columns {
        let (name, ty, unit) = (&column.name, column.ty, column.unit);
        out.push_str(&format!("| `{name}` | {ty} | {unit} | {} |\n", cell(&prose(&column.doc))));
    }
    let list = |words: &[String]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    out.push_str(&format!("\nOrder: {}. Reads: {}.", list(&header.order), list(&header.needs)));
    if !header.sources.is_empty() {
        out.push_str(&format!(" Filled by: {}.", list(&header.sources)));
    }
    out.push('\n');
    if header.finding.is_some() {
        let id = query.question();
        out.push_str(&format!("\nLimits, their sources and examples: [findings/{id}.md](findings/{id}.md).\n"));
    }
    if !header.empty.is_empty() {
        out.push_str(&format!("\nNo rows: {}.\n", prose(&header.empty)));
    }
}

fn sql(query: &Query) -> String {
    let given = |param: &Param| format!("{} => {}", param.name, param.default.as_deref().unwrap_or("..."));
    match query.header.params.as_slice() {
        [] => format!("select * from {}", query.sql_name()),
        params => {
            format!("select * from {}({})", query.sql_name(), params.iter().map(given).collect::<Vec<_>>().join(", "))
        }
    }
}

fn rust(query: &Query) -> String {
    let value = |param: &Param| {
        let one = |text: &str| match param.ty {
            Type::Double => text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| format!("{number:?}")),
            Type::Text => format!("\"{}\"", text.trim_matches('\'')),
            Type::Bigint | Type::Boolean => text.to_lowercase(),
        };
        let text = param.default.as_deref()?;
        // Null has no value: the method is left out.
        match (text.eq_ignore_ascii_case("null"), param.list) {
            (true, _) => None,
            (false, true) => Some(format!("&[{}]", items(text).map(one).collect::<Vec<_>>().join(", "))),
            (false, false) => Some(one(text)),
        }
    };
    let given = |param: &Param| match (value(param), &param.default) {
        (Some(value), _) => format!(".{}({value})", param.name),
        (None, None) => format!(".{}(...)", param.name),
        (None, Some(_)) => String::new(),
    };
    let params = query.header.params.iter().map(given).collect::<Vec<_>>().concat();
    format!("s.{}().{}(){params}.fetch()?", query.family().unwrap_or_default(), query.question())
}

fn shell(query: &Query) -> String {
    let given = |param: &Param| match param.default.as_deref() {
        Some(text) if text.contains([' ', '\'']) => format!(" --param '{}={}'", param.name, text.replace('\'', "")),
        text => format!(" --param {}={}", param.name, text.unwrap_or("...")),
    };
    format!("tracelake query {}{}", query.name, query.header.params.iter().map(given).collect::<String>())
}

/// Prose as Markdown: what looks like a tag is none.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Every second piece stands in backticks.
    for (n, piece) in text.split('`').enumerate() {
        if n > 0 {
            out.push('`');
        }
        if n % 2 == 0 { out.push_str(&piece.replace('<', "\\<")) } else { out.push_str(piece) }
    }
    out
}

/// Text in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_ask_is_shown() {
        let sql = "-- Is a < b?\n--\n-- param edges double[] = [0, 10] edges\n-- param kind text = 'a|b' which\n--\n\
                   -- column run text id run\n-- order run\n-- needs step\nSELECT $edges, $kind FROM step";
        let page = queries_page(&[Query::parse("step/x.sql", sql).unwrap()]);
        for line in [
            "- **step**: [`x`](#stepx)\n",
            "\nIs a \\< b?\n",
            "| SQL | `select * from step_x(edges => [0, 10], kind => 'a\\|b')` |\n",
            "| Python | `s.step.x(edges=(0.0, 10.0), kind=\"a\\|b\")` |\n",
            "| Rust | `s.step().x().edges(&[0.0, 10.0]).kind(\"a\\|b\").fetch()?` |\n",
            "| shell | `tracelake query step.x --param 'edges=[0, 10]' --param 'kind=a\\|b'` |\n",
            "| `edges` | double[] | `[0, 10]` | edges |\n",
            "\nOrder: `run`. Reads: `step`.\n",
        ] {
            assert!(page.contains(line), "{line}{page}");
        }
    }
}
