//! `help(word)`: searches queries, tables, columns, functions, figures, findings and formats.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::catalog::{MemTable, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{ScalarValue, plan_err};
use tracelake_engine::functions::help::FUNCTIONS;

use super::Session;
use super::canned::{NamedQueries, constant};
use crate::catalog::{self, DIAGNOSIS, Query};
use crate::error::{Error, Result};
use crate::figure::FIGURES;
use crate::format::FORMATS;
use crate::frame::Frame;
use crate::session::columns::text_column;
use crate::table::TABLES;
use crate::unit::Unit;

/// The kinds of results, in the order of results with equal scores.
const KINDS: [&str; 8] = ["query", "finding", "figure", "table", "view", "function", "column", "format"];

/// Maximum number of relations that are listed for a column; the others are only counted.
const MAX_RELATIONS: usize = 3;

/// A possible result.
struct HelpEntry {
    kind: &'static str,
    name: String,
    /// The call in SQL, if there is one.
    ask: String,
    doc: String,
    /// Other texts about it. A match in these has the lowest score.
    more: String,
}

impl Session {
    /// Searches the help for a word, or for several words that must all match. An empty text matches everything.
    ///
    /// # Shape
    /// One row per matching query, finding, figure, table, view, function, column and format, the best match first: matches of the name,
    /// then of a part of the name, then of the description. `ask` is the call in SQL, or of a figure. Without a match the frame
    /// is empty, and suggests a similar known word.
    ///
    /// # Errors
    /// Internal.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(dir.path().to_str().unwrap())?;
    /// let results = s.help("step outliers")?;
    /// assert_eq!(results.value::<String>(0, "name")?.as_deref(), Some("step.outliers"));
    /// assert_eq!(s.help("laoder")?.why_empty()?, Some("no help on `laoder`; did you mean `loader`?"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn help(&self, words: &str) -> Result<Frame> {
        let queries = self.inner.registry.documented();
        search(&queries.iter().collect::<Vec<_>>(), words)
    }
}

/// As [`Session::help`], without the user's own and saved queries.
///
/// # Errors
/// Internal.
pub fn help(words: &str) -> Result<Frame> {
    search(&catalog::queries().iter().chain([&*DIAGNOSIS]).collect::<Vec<_>>(), words)
}

fn search(queries: &[&Query], words: &str) -> Result<Frame> {
    let entries = entries(queries);
    let terms: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let score = |entry: &HelpEntry| {
        let sum = terms.iter().map(|term| entry.score(term)).sum::<Option<usize>>();
        // Prefer queries: many columns have the words of a query.
        sum.map(|sum| sum + usize::from(entry.kind == "column"))
    };
    let mut matches: Vec<(usize, &HelpEntry)> =
        entries.iter().filter_map(|entry| Some((score(entry)?, entry))).collect();
    let kind_order = |entry: &HelpEntry| KINDS.iter().position(|kind| *kind == entry.kind);
    matches.sort_by_key(|&(score, entry)| (score, kind_order(entry), entry.name.as_str()));
    let column = |value: fn(&HelpEntry) -> &str| text_column(&matches, |(_, entry)| Some(value(entry)));
    let frame = Frame::from_columns(vec![
        ("kind", Unit::Name, column(|e| e.kind)),
        ("name", Unit::Name, column(|e| &e.name)),
        ("ask", Unit::Text, column(|e| &e.ask)),
        ("doc", Unit::Text, column(|e| &e.doc)),
    ])?;
    Ok(frame.with_empty_reason(&suggestion(&entries, &terms)))
}

/// Returns the explanation of an empty result.
fn suggestion(entries: &[HelpEntry], terms: &[String]) -> String {
    let unknown = |term: &&String| entries.iter().all(|entry| entry.score(term).is_none());
    let Some(term) = terms.iter().find(unknown) else {
        return "nothing contains all of these words; search for one of them".to_owned();
    };
    let mut words: Vec<&str> = entries.iter().flat_map(|entry| entry.name.split(['.', '_'])).collect();
    words.extend(entries.iter().map(|entry| entry.name.as_str()));
    words.sort_unstable();
    words.dedup();
    Error::unknown("help on", term, &words).message().to_owned()
}

impl HelpEntry {
    fn new(kind: &'static str, name: &str, ask: String, doc: &str, more: String) -> Self {
        Self { kind, name: name.to_owned(), ask, doc: doc.to_owned(), more: more.to_lowercase() }
    }

    /// Returns the score of a lower-case word: 0 is best, None if it does not match.
    fn score(&self, term: &str) -> Option<usize> {
        let name = self.name.to_lowercase();
        let mut parts = name.split(['.', '_']);
        if name == term {
            Some(0)
        } else if parts.clone().any(|part| part == term) {
            Some(1)
        } else if parts.any(|part| part.starts_with(term)) {
            Some(2)
        } else if name.contains(term) {
            Some(3)
        } else if self.doc.to_lowercase().contains(term) {
            Some(4)
        } else {
            self.more.contains(term).then_some(6)
        }
    }
}

fn entries(queries: &[&Query]) -> Vec<HelpEntry> {
    let mut entries = Vec::new();
    // By name and description, so that a column of many relations is one result.
    let mut columns: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for query in queries {
        let header = &query.header;
        let kind = match (query.family(), &header.finding) {
            (None, _) => "view",
            (_, Some(_)) => "finding",
            _ => "query",
        };
        let params = header.params.iter().map(|param| format!("{} {}", param.name, param.doc));
        let more = [header.detail.clone(), header.empty.clone(), header.sources.join(" ")].into_iter().chain(params);
        let more = more.collect::<Vec<_>>().join(" ");
        entries.push(HelpEntry::new(kind, &query.name, query.usage(), &header.summary, more));
        // Columns of findings are all the same.
        if header.finding.is_none() {
            for column in &header.columns {
                columns.entry((&column.name, &column.doc)).or_default().push(query.sql_name());
            }
        }
    }
    for table in TABLES {
        entries.push(HelpEntry::new("table", table.name, table.name.to_owned(), table.doc, String::new()));
        for column in table.columns() {
            columns.entry((column.name, column.doc)).or_default().insert(0, table.name.to_owned());
        }
    }
    for ((name, doc), relations) in columns {
        let first: Vec<String> =
            relations.iter().take(MAX_RELATIONS).map(|relation| format!("{relation}.{name}")).collect();
        let rest = relations.len().saturating_sub(MAX_RELATIONS);
        let rest = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        entries.push(HelpEntry::new("column", name, first.join(", ") + &rest, doc, String::new()));
    }
    for figure in FIGURES {
        let names = figure.queries.iter().map(|ask| ask.query).collect::<Vec<_>>().join(" ");
        entries.push(HelpEntry::new("figure", figure.name, format!("figure(\"{}\")", figure.name), figure.doc, names));
    }
    for function in FUNCTIONS {
        let usage = function.usage.to_owned();
        entries.push(HelpEntry::new("function", function.name, usage, function.doc, String::new()));
    }
    for format in FORMATS {
        let d = format.descriptor();
        entries.push(HelpEntry::new("format", d.name, "ingest".to_owned(), d.doc, d.files.to_owned()));
    }
    entries
}

/// Table function `help('loader')` in SQL.
#[derive(Debug)]
pub(super) struct HelpFunction(pub(super) NamedQueries);

impl TableFunctionImpl for HelpFunction {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> datafusion::common::Result<Arc<dyn TableProvider>> {
        let words = match args.exprs() {
            [] => String::new(),
            [word] => match constant(word, args.session())? {
                ScalarValue::Utf8(Some(text))
                | ScalarValue::Utf8View(Some(text))
                | ScalarValue::LargeUtf8(Some(text)) => text,
                other => return plan_err!("help(words text = ''): argument words is {other}, expected a text"),
            },
            many => return plan_err!("help(words text = ''): {} arguments, expected at most 1", many.len()),
        };
        let queries = self.0.read();
        let frame = search(&queries.values().collect::<Vec<_>>(), &words);
        let batch = frame.and_then(|frame| frame.batch());
        let batch = batch.map_err(|error| datafusion::common::DataFusionError::External(Box::new(error)))?;
        Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
    }
}
