//! `help(word)`: what there is to ask about a word, over queries, tables, columns, figures, findings and formats.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use arrow::array::{ArrayRef, StringArray};
use datafusion::catalog::{MemTable, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{ScalarValue, plan_err};

use super::Session;
use super::canned::{NamedQueries, constant};
use crate::catalog::{self, DIAGNOSIS, Query};
use crate::error::{Error, Result};
use crate::figure::FIGURES;
use crate::format::FORMATS;
use crate::frame::Frame;
use crate::table::TABLES;
use crate::unit::Unit;

/// What can be found, in the order in which equally good ones stand.
const KINDS: [&str; 7] = ["query", "finding", "figure", "table", "view", "column", "format"];

/// Relations that a column names; the others are counted.
const NAMED: usize = 3;

/// Something that can be found.
struct Entry {
    kind: &'static str,
    name: String,
    /// How it is asked, in SQL where SQL can.
    ask: String,
    doc: String,
    /// What else is said of it: a word found only here counts least.
    more: String,
}

impl Session {
    /// What there is to ask about a word, or about several that must all fit; everything for an empty text.
    ///
    /// # Shape
    /// One row per query, finding, figure, table, view, column and format that fits, the best first: what has the word as its name or
    /// as a part of it, then what speaks of it. `ask` is how it is asked in SQL, or the call of a figure. If nothing fits,
    /// the frame is empty and says which known word is near.
    ///
    /// # Errors
    /// Internal.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let s = tracelake::create(dir.path().to_str().unwrap())?;
    /// let found = s.help("step outliers")?;
    /// assert_eq!(found.value::<String>(0, "name")?.as_deref(), Some("step.outliers"));
    /// assert_eq!(s.help("laoder")?.why_empty()?, Some("no help on `laoder`; did you mean `loader`?"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn help(&self, words: &str) -> Result<Frame> {
        let queries = self.inner.registry.documented();
        found(&queries.iter().collect::<Vec<_>>(), words)
    }
}

/// As [`Session::help`], over what every session knows.
///
/// # Errors
/// Internal.
pub fn help(words: &str) -> Result<Frame> {
    found(&catalog::queries().iter().chain([&*DIAGNOSIS]).collect::<Vec<_>>(), words)
}

fn found(queries: &[&Query], words: &str) -> Result<Frame> {
    let entries = entries(queries);
    let terms: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let score = |entry: &Entry| {
        let sum = terms.iter().map(|term| entry.score(term)).sum::<Option<usize>>();
        // Many columns share a word with the queries that are wanted.
        sum.map(|sum| sum + usize::from(entry.kind == "column"))
    };
    let mut fitting: Vec<(usize, &Entry)> = entries.iter().filter_map(|entry| Some((score(entry)?, entry))).collect();
    let place = |entry: &Entry| KINDS.iter().position(|kind| *kind == entry.kind);
    fitting.sort_by(|(a, x), (b, y)| a.cmp(b).then(place(x).cmp(&place(y))).then_with(|| x.name.cmp(&y.name)));
    let column = |of: fn(&Entry) -> &str| -> ArrayRef {
        Arc::new(fitting.iter().map(|(_, entry)| Some(of(entry))).collect::<StringArray>())
    };
    let frame = Frame::of_columns(vec![
        ("kind", Unit::Name, column(|e| e.kind)),
        ("name", Unit::Name, column(|e| &e.name)),
        ("ask", Unit::Text, column(|e| &e.ask)),
        ("doc", Unit::Text, column(|e| &e.doc)),
    ])?;
    Ok(frame.or_else_because(&suggestion(&entries, &terms)))
}

/// What is said when nothing fits.
fn suggestion(entries: &[Entry], terms: &[String]) -> String {
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

impl Entry {
    fn new(kind: &'static str, name: &str, ask: String, doc: &str, more: String) -> Self {
        Self { kind, name: name.to_owned(), ask, doc: doc.to_owned(), more: more.to_lowercase() }
    }

    /// How well a word in small letters fits, 0 is best; none if it does not.
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

fn entries(queries: &[&Query]) -> Vec<Entry> {
    let mut entries = Vec::new();
    // By name and meaning: a column of many relations is found once.
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
        entries.push(Entry::new(kind, &query.name, query.usage(), &header.summary, more));
        // Those of a finding are the columns of all findings.
        if header.finding.is_none() {
            for column in &header.columns {
                columns.entry((&column.name, &column.doc)).or_default().push(query.sql_name());
            }
        }
    }
    for table in TABLES {
        entries.push(Entry::new("table", table.name, table.name.to_owned(), table.doc, String::new()));
        for column in table.columns() {
            columns.entry((column.name, column.doc)).or_default().insert(0, table.name.to_owned());
        }
    }
    for ((name, doc), relations) in columns {
        let first: Vec<String> = relations.iter().take(NAMED).map(|relation| format!("{relation}.{name}")).collect();
        let rest = relations.len().saturating_sub(NAMED);
        let rest = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        entries.push(Entry::new("column", name, first.join(", ") + &rest, doc, String::new()));
    }
    for figure in FIGURES {
        let asked = figure.queries.iter().map(|ask| ask.query).collect::<Vec<_>>().join(" ");
        entries.push(Entry::new("figure", figure.name, format!("figure(\"{}\")", figure.name), figure.doc, asked));
    }
    for format in FORMATS {
        let d = format.descriptor();
        entries.push(Entry::new("format", d.name, "ingest".to_owned(), d.doc, d.files.to_owned()));
    }
    entries
}

/// `help('loader')` in SQL.
#[derive(Debug)]
pub(super) struct Help(pub(super) NamedQueries);

impl TableFunctionImpl for Help {
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
        let queries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let frame = found(&queries.values().collect::<Vec<_>>(), &words);
        let batch = frame.and_then(|frame| frame.batch());
        let batch = batch.map_err(|error| datafusion::common::DataFusionError::External(Box::new(error)))?;
        Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
    }
}
