//! The canned queries: the files of `sql/**`, which the build script reads and checks.
//!
//! One `.sql` file with a comment header is the only definition of a query. Its SQL view and table function, its methods
//! in Rust and Python, the help tables and the reference pages are generated from it. The catalog has no query engine:
//! it contains the texts and headers of queries, and a session plans them.

mod finding;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

pub use tracelake_header as header;

use crate::error::{Error, ErrorKind, Result};

pub use finding::{DIAGNOSIS, findings};
pub(crate) use finding::{column_sql, derived_sql, found_ids_sql, quantity_query, recorded_query};
pub use tracelake_header::{Column, Domain, FindingHeader, Header, Param};

// Defines `FILES: &[(path, text)]`.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Version of the catalog. Stored key metrics have it, so that a newer version can recompute them.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A canned query, or a view that several queries read.
#[derive(Debug, Clone)]
pub struct Query {
    /// Name with a point, `step.duration_by_rank`; the name of a view has none: `step_span`.
    pub name: String,
    /// The header: question, parameters, columns and order.
    pub header: Header,
    /// The SQL.
    pub body: String,
}

impl Query {
    /// Parses one file; `path` is relative to the folder of queries: `step/duration.sql`.
    ///
    /// # Errors
    /// Query, with the path and the line.
    pub fn parse(path: &str, text: &str) -> Result<Self> {
        let refused =
            |line: usize, message: &str| Error::new(ErrorKind::Query, format!("cannot read {path}:{line}: {message}"));
        let name = path.strip_suffix(".sql").unwrap_or(path);
        let name = match name.split_once('/') {
            Some(("view", name)) => name.to_owned(),
            Some((family, question)) if !question.contains('/') => format!("{family}.{question}"),
            _ => return Err(refused(1, "the file of a query must be <family>/<question>.sql")),
        };
        let (mut header, body) = header::parse(text).map_err(|e| refused(e.line, &e.message))?;
        let body = match &mut header.finding {
            Some(finding) => {
                finding.quantity = finding::quantity_sql(&name, finding, body);
                finding::finding_sql(&finding.quantity)
            }
            None => body.to_owned(),
        };
        Ok(Self { name, header, body })
    }

    /// Returns the name in SQL: `step_duration_by_rank`.
    pub fn sql_name(&self) -> String {
        self.name.replace('.', "_")
    }

    /// Returns the path of the file below the folder of queries: `step/duration_by_rank.sql`.
    pub fn path(&self) -> String {
        format!("{}/{}.sql", self.family().unwrap_or("view"), self.question())
    }

    /// Returns the family; None for a view.
    pub fn family(&self) -> Option<&str> {
        self.name.split_once('.').map(|(family, _)| family)
    }

    /// Returns the name without the family.
    pub fn question(&self) -> &str {
        self.name.split_once('.').map_or(&self.name, |(_, question)| question)
    }

    /// Returns the call in SQL with its parameters: `step_outliers(factor double = 2.0)`.
    pub fn usage(&self) -> String {
        let param = |p: &Param| {
            let default = p.default.as_ref().map_or(String::new(), |d| format!(" = {d}"));
            format!("{} {}{default}", p.name, p.sql_type())
        };
        let params: Vec<String> = self.header.params.iter().map(param).collect();
        format!("{}({})", self.sql_name(), params.join(", "))
    }
}

/// Returns the names of the queries of each family, without views, in alphabetical order.
///
/// ```
/// assert!(tracelake::catalog::families()["step"].contains(&"duration"));
/// ```
pub fn families() -> BTreeMap<&'static str, Vec<&'static str>> {
    let names = FILES.iter().filter_map(|(path, _)| path.strip_suffix(".sql")?.split_once('/'));
    let mut families = BTreeMap::<_, Vec<_>>::new();
    for (family, name) in names.filter(|(family, _)| *family != "view") {
        families.entry(family).or_default().push(name);
    }
    families
}

/// Returns the queries of a family with the questions that they answer, one per line.
pub fn family_text(family: &str) -> String {
    let queries = || queries().iter().filter(|query| query.family() == Some(family));
    let width = queries().map(|query| query.question().len()).max().unwrap_or(0);
    queries().fold(format!("The queries of `{family}`:"), |text, query| {
        format!("{text}\n  {:<width$}  {}", query.question(), query.header.summary)
    })
}

/// Returns all views and queries of this version: each after those that it reads, views first, else by name.
pub fn queries() -> &'static [Query] {
    static QUERIES: LazyLock<Vec<Query>> = LazyLock::new(|| {
        // The build script has already parsed every file.
        let parsed = FILES.iter().filter_map(|(path, text)| Query::parse(path, text).ok());
        sort_by_dependencies(parsed.collect())
    });
    &QUERIES
}

/// Whether a query reads a table, itself or in a view.
pub(crate) fn reads(query: &Query, table: &str) -> bool {
    let (mut open, mut visited) = (vec![query], BTreeSet::new());
    while let Some(query) = open.pop() {
        if query.header.needs.iter().any(|need| need == table) {
            return true;
        }
        let needs = |other: &&Query| query.header.needs.contains(&other.sql_name());
        open.extend(queries().iter().filter(needs).filter(|other| visited.insert(&other.name)));
    }
    false
}

/// Sorts queries so that each comes after the views that it reads, else by family and name; views first.
pub fn sort_by_dependencies(mut queries: Vec<Query>) -> Vec<Query> {
    queries.sort_by(|a, b| a.family().cmp(&b.family()).then_with(|| a.name.cmp(&b.name)));
    let names: Vec<String> = queries.iter().map(Query::sql_name).collect();
    let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    // Topological sort: the number of queries that each still waits for, and the queries that wait for each.
    let mut waiting = vec![0_usize; queries.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); queries.len()];
    for (n, query) in queries.iter().enumerate() {
        let needs = query.header.needs.iter().filter_map(|need| numbers.get(need.as_str()));
        for &need in needs.filter(|need| **need != n) {
            waiting[n] += 1;
            readers[need].push(n);
        }
    }
    let mut remaining: BTreeSet<usize> = (0..queries.len()).collect();
    let mut ready: BTreeSet<usize> = remaining.iter().copied().filter(|n| waiting[*n] == 0).collect();
    let mut order = Vec::with_capacity(queries.len());
    // In a cycle no query is ready, so the first one is taken; planning it reports the missing name.
    while let Some(n) = ready.pop_first().or_else(|| remaining.first().copied()) {
        remaining.remove(&n);
        order.push(n);
        for &reader in &readers[n] {
            waiting[reader] = waiting[reader].saturating_sub(1);
            if waiting[reader] == 0 && remaining.contains(&reader) {
                ready.insert(reader);
            }
        }
    }
    let mut queries: Vec<Option<Query>> = queries.into_iter().map(Some).collect();
    order.into_iter().filter_map(|n| queries[n].take()).collect()
}
