//! `help_tables`, `help_columns`, `help_queries`, `help_figures`, `help_formats`: the documentation as tables.

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

type Rows<const N: usize> = Vec<[String; N]>;

fn provider<const N: usize>(names: [&str; N], rows: &Rows<N>) -> Result<Arc<dyn TableProvider>> {
    let schema = Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).to_vec()));
    let columns =
        (0..N).map(|n| -> ArrayRef { Arc::new(rows.iter().map(|row| Some(&row[n])).collect::<StringArray>()) });
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect())?;
    Ok(Arc::new(MemTable::try_new(schema, vec![vec![batch]])?))
}

/// The help tables by name, over the tables, formats, figures and these queries.
pub(super) fn tables<'a>(
    queries: impl Iterator<Item = &'a Query>,
) -> Result<Vec<(&'static str, Arc<dyn TableProvider>)>> {
    let queries: Vec<&Query> = queries.collect();
    let kind = |query: &Query| if query.family().is_some() { "query" } else { "view" }.to_owned();
    let mut relations: Rows<3> = TABLES.iter().map(|t| [t.name.into(), "table".into(), t.doc.into()]).collect();
    relations.extend(queries.iter().map(|q| [q.sql_name(), kind(q), q.header.summary.clone()]));

    let mut columns: Rows<5> = Vec::new();
    for table in TABLES {
        let row = |c: &crate::table::Column| {
            [table.name.into(), c.name.into(), c.ty.to_string(), c.unit.to_string(), c.doc.into()]
        };
        columns.extend(table.columns().map(row));
    }
    for query in &queries {
        let row = |c: &crate::catalog::Column| {
            [query.sql_name(), c.name.clone(), c.ty.to_string(), c.unit.to_string(), c.doc.clone()]
        };
        columns.extend(query.header.columns.iter().map(row));
    }

    let asked: Rows<8> = queries
        .iter()
        .filter(|query| query.family().is_some())
        .map(|query| {
            let header = &query.header;
            let params: Vec<String> =
                header.params.iter().map(|p| format!("{} {}: {}", p.name, p.sql_type(), p.doc)).collect();
            [
                query.name.clone(),
                query.usage(),
                header.summary.clone(),
                header.detail.clone(),
                params.join("\n"),
                header.order.join(", "),
                header.sources.join(", "),
                header.empty.clone(),
            ]
        })
        .collect();

    let figures: Rows<4> = FIGURES
        .iter()
        .map(|figure| {
            let asked: Vec<&str> = figure.queries.iter().map(|ask| ask.query).collect();
            let of = |name: &&str| queries.iter().find(|query| query.name == **name).copied();
            let mut params: Vec<&str> =
                asked.iter().filter_map(of).flat_map(|query| &query.header.params).map(|p| p.name.as_str()).collect();
            params.sort_unstable();
            params.dedup();
            [figure.name.into(), figure.doc.into(), asked.join(", "), params.join(", ")]
        })
        .collect();

    let formats: Rows<6> = FORMATS
        .iter()
        .map(|format| {
            let d = format.descriptor();
            [d.name.into(), d.doc.into(), d.files.into(), d.tables.join(", "), d.not_read.join("\n"), d.source.into()]
        })
        .collect();

    Ok(vec![
        ("help_tables", provider(["name", "kind", "doc"], &relations)?),
        ("help_columns", provider(["relation", "name", "type", "unit", "doc"], &columns)?),
        (
            "help_queries",
            provider(["name", "usage", "question", "doc", "params", "ordering", "sources", "empty"], &asked)?,
        ),
        ("help_figures", provider(["name", "doc", "queries", "params"], &figures)?),
        ("help_formats", provider(["name", "doc", "files", "tables", "not_read", "source"], &formats)?),
    ])
}
