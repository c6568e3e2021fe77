//! The help tables `help_tables`, `help_columns`, `help_queries`, `help_figures` and `help_formats`.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::datasource::MemTable;

use crate::catalog::Query;
use crate::figure::FIGURES;
use crate::format::FORMATS;
use crate::table::TABLES;

/// Rows of text columns.
type TextRows<const N: usize> = Vec<[String; N]>;
/// A help table: its name, its description, and the name, unit and description of each of its columns, which are texts.
type HelpTable = (&'static str, &'static str, &'static [[&'static str; 3]]);

const TABLES_HELP: HelpTable = (
    "help_tables",
    "The tables, views and queries that SQL can read.",
    &[["name", "name", "name in SQL"], ["kind", "name", "table, view, query or help"], ["doc", "text", "description"]],
);
const COLUMNS_HELP: HelpTable = (
    "help_columns",
    "The columns of all tables, views and queries.",
    &[
        ["relation", "name", "table, view or query in SQL"],
        ["name", "name", "name of the column"],
        ["type", "name", "bigint, double, text or boolean"],
        ["unit", "name", "unit of the values"],
        ["doc", "text", "description"],
        ["origin", "name", "recorded by the profiler, derived at ingest, or computed by the view or query"],
    ],
);
const QUERIES_HELP: HelpTable = (
    "help_queries",
    "The canned queries.",
    &[
        ["name", "name", "name of the query"],
        ["usage", "text", "its call in SQL"],
        ["question", "text", "the question that it answers"],
        ["doc", "text", "description"],
        ["params", "text", "its parameters, one a line"],
        ["ordering", "text", "columns that order the rows"],
        ["sources", "text", "formats that have the data"],
        ["empty", "text", "what an empty result means"],
    ],
);
const FIGURES_HELP: HelpTable = (
    "help_figures",
    "The figures.",
    &[
        ["name", "name", "name of the figure"],
        ["doc", "text", "description"],
        ["queries", "text", "queries that provide its data"],
        ["params", "text", "parameters of these queries"],
    ],
);
const FORMATS_HELP: HelpTable = (
    "help_formats",
    "The formats that can be read.",
    &[
        ["name", "name", "name of the format"],
        ["doc", "text", "description"],
        ["files", "text", "files that have it"],
        ["tables", "text", "tables that it fills"],
        ["not_read", "text", "fields that are not read, one a line"],
        ["source", "text", "where the format is documented"],
    ],
);

fn provider<const N: usize>(help: HelpTable, rows: &TextRows<N>) -> Result<(&'static str, Arc<dyn TableProvider>)> {
    let (name, _, columns) = help;
    let fields: Vec<Field> = columns.iter().map(|[column, ..]| Field::new(*column, DataType::Utf8, true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let columns =
        (0..N).map(|n| -> ArrayRef { Arc::new(rows.iter().map(|row| Some(&row[n])).collect::<StringArray>()) });
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect())?;
    Ok((name, Arc::new(MemTable::try_new(schema, vec![vec![batch]])?)))
}

/// Returns the help tables, each with its name. They describe the tables, formats, figures and these queries.
pub(super) fn tables<'a>(
    queries: impl Iterator<Item = &'a Query>,
) -> Result<Vec<(&'static str, Arc<dyn TableProvider>)>> {
    let queries: Vec<&Query> = queries.collect();
    Ok(vec![
        provider(TABLES_HELP, &table_rows(&queries))?,
        provider(COLUMNS_HELP, &column_rows(&queries))?,
        provider(QUERIES_HELP, &query_rows(&queries))?,
        provider(FIGURES_HELP, &figure_rows(&queries))?,
        provider(FORMATS_HELP, &format_rows())?,
    ])
}

const HELP_TABLES: [HelpTable; 5] = [TABLES_HELP, COLUMNS_HELP, QUERIES_HELP, FIGURES_HELP, FORMATS_HELP];

fn table_rows(queries: &[&Query]) -> TextRows<3> {
    let kind = |query: &Query| if query.family().is_some() { "query" } else { "view" }.to_owned();
    let mut rows: TextRows<3> = TABLES.iter().map(|t| [t.name.into(), "table".into(), t.doc.into()]).collect();
    rows.extend(queries.iter().map(|q| [q.sql_name(), kind(q), q.header.summary.clone()]));
    rows.extend(HELP_TABLES.map(|(name, doc, _)| [name, "help", doc].map(str::to_owned)));
    rows
}

fn column_rows(queries: &[&Query]) -> TextRows<6> {
    let mut rows: TextRows<6> = Vec::new();
    for table in TABLES {
        let row = |c: &crate::table::TableColumn| {
            let origin = if table.is_derived(c) { "derived" } else { "recorded" };
            [table.name.into(), c.name.into(), c.ty.to_string(), c.unit.to_string(), c.doc.into(), origin.into()]
        };
        rows.extend(table.columns().map(row));
    }
    for query in queries {
        let row = |c: &crate::catalog::Column| {
            let (ty, unit) = (c.ty.to_string(), c.unit.to_string());
            [query.sql_name(), c.name.clone(), ty, unit, c.doc.clone(), "computed".into()]
        };
        rows.extend(query.header.columns.iter().map(row));
    }
    for (name, _, columns) in HELP_TABLES {
        rows.extend(
            columns.iter().map(|[column, unit, doc]| [name, column, "text", unit, doc, "computed"].map(str::to_owned)),
        );
    }
    rows
}

fn query_rows(queries: &[&Query]) -> TextRows<8> {
    let row = |query: &&Query| {
        let header = &query.header;
        let params = header.params.iter().map(|p| format!("{} {}: {}", p.name, p.sql_type(), p.doc));
        [
            query.name.clone(),
            query.usage(),
            header.summary.clone(),
            header.detail.clone(),
            params.collect::<Vec<_>>().join("\n"),
            header.order.join(", "),
            header.sources.join(", "),
            header.empty.clone(),
        ]
    };
    queries.iter().filter(|query| query.family().is_some()).map(row).collect()
}

fn figure_rows(queries: &[&Query]) -> TextRows<4> {
    let row = |figure: &&crate::figure::Figure| {
        let names: Vec<&str> = figure.queries.iter().map(|ask| ask.query).collect();
        let drawn = names.iter().filter_map(|name| queries.iter().find(|query| query.name == **name));
        let mut params: Vec<&str> = drawn.flat_map(|query| &query.header.params).map(|p| p.name.as_str()).collect();
        params.sort_unstable();
        params.dedup();
        [figure.name.into(), figure.doc.into(), names.join(", "), params.join(", ")]
    };
    FIGURES.iter().map(row).collect()
}

fn format_rows() -> TextRows<6> {
    let row = |format: &&dyn crate::format::Format| {
        let d = format.descriptor();
        [d.name.into(), d.doc.into(), d.files.into(), d.tables.join(", "), d.not_read.join("\n"), d.source.into()]
    };
    FORMATS.iter().map(row).collect()
}
