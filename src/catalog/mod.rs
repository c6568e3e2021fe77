//! The canned queries: the files of `sql/**`, which the build reads and checks.
//!
//! One `.sql` file with a comment header is the only definition of a query. The SQL view and table
//! function, the methods in Rust and Python, the help tables and the reference of the docs follow from it. The
//! catalog uses no engine: it contains the texts and headers of queries, and a session plans them.

mod finding;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

pub use tracelake_header as header;

use crate::error::{Error, ErrorKind, Result};

pub use finding::{DIAGNOSIS, findings};
pub(crate) use finding::{column_sql, outcome_sql, quantity_query};
pub use tracelake_header::{Column, Domain, Finding, Header, Param};

// `FILES: &[(path, text)]`.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Version of the catalog; key metrics carry it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A canned query, or a view that queries share.
#[derive(Debug, Clone)]
pub struct Query {
    /// Name with a point: `step.duration_by_rank`. Views have none: `step_span`.
    pub name: String,
    /// What it promises.
    pub header: Header,
    /// The SQL.
    pub body: String,
}

impl Query {
    /// Reads one file; `path` is relative to the folder of queries: `step/duration.sql`.
    ///
    /// # Errors
    /// Query, with path and line.
    pub fn parse(path: &str, text: &str) -> Result<Self> {
        let refuse =
            |line: usize, message: &str| Error::new(ErrorKind::Query, format!("cannot read {path}:{line}: {message}"));
        let name = path.strip_suffix(".sql").unwrap_or(path);
        let name = match name.split_once('/') {
            Some(("view", name)) => name.to_owned(),
            Some((family, question)) if !question.contains('/') => format!("{family}.{question}"),
            _ => return Err(refuse(1, "the file of a query must be <family>/<question>.sql")),
        };
        let (mut header, body) = header::parse(text).map_err(|e| refuse(e.line, &e.message))?;
        let body = match &mut header.finding {
            Some(finding) => {
                finding.quantity = finding::quantity_sql(&name, finding, body);
                finding::finding_sql(&finding.quantity)
            }
            None => body.to_owned(),
        };
        Ok(Self { name, header, body })
    }

    /// Its name in SQL: `step_duration_by_rank`.
    pub fn sql_name(&self) -> String {
        self.name.replace('.', "_")
    }

    /// Its file, below the folder of queries: `step/duration_by_rank.sql`.
    pub fn path(&self) -> String {
        format!("{}/{}.sql", self.family().unwrap_or("view"), self.question())
    }

    /// Its family; `None` for a shared view.
    pub fn family(&self) -> Option<&str> {
        self.name.split_once('.').map(|(family, _)| family)
    }

    /// Its name without the family.
    pub fn question(&self) -> &str {
        self.name.split_once('.').map_or(&self.name, |(_, question)| question)
    }

    /// How it is called in SQL: `step_outliers(factor double = 2.0)`.
    pub fn usage(&self) -> String {
        let params: Vec<String> = self
            .header
            .params
            .iter()
            .map(|p| {
                let default = p.default.as_ref().map_or(String::new(), |d| format!(" = {d}"));
                format!("{} {}{default}", p.name, p.sql_type())
            })
            .collect();
        format!("{}({})", self.sql_name(), params.join(", "))
    }
}

/// The names of the queries of each family, without views, in alphabetical order.
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

/// The queries of a family with the questions that they answer, one a line.
pub fn family_text(family: &str) -> String {
    let queries = || queries().iter().filter(|query| query.family() == Some(family));
    let width = queries().map(|query| query.question().len()).max().unwrap_or(0);
    queries().fold(format!("The queries of `{family}`:"), |text, query| {
        format!("{text}\n  {:<width$}  {}", query.question(), query.header.summary)
    })
}

/// All views and queries of this version: views first, each after those it reads; then by name.
pub fn queries() -> &'static [Query] {
    static QUERIES: LazyLock<Vec<Query>> = LazyLock::new(|| {
        // The build script has parsed every file already.
        let parsed = FILES.iter().filter_map(|(path, text)| Query::parse(path, text).ok());
        ordered(parsed.collect())
    });
    &QUERIES
}

/// Views before what reads them, otherwise by kind and name.
pub fn ordered(mut queries: Vec<Query>) -> Vec<Query> {
    queries.sort_by(|a, b| a.family().cmp(&b.family()).then_with(|| a.name.cmp(&b.name)));
    let names: Vec<String> = queries.iter().map(Query::sql_name).collect();
    let places: HashMap<&str, usize> = names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let mut unmet = vec![0_usize; queries.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); queries.len()];
    for (place, query) in queries.iter().enumerate() {
        for read in query.header.needs.iter().filter_map(|need| places.get(need.as_str())) {
            if *read != place {
                unmet[place] += 1;
                readers[*read].push(place);
            }
        }
    }
    let mut left: BTreeSet<usize> = (0..queries.len()).collect();
    let mut ready: BTreeSet<usize> = left.iter().copied().filter(|place| unmet[*place] == 0).collect();
    let mut order = Vec::with_capacity(queries.len());
    // A circle has no beginning: planning will say that the name is not there.
    while let Some(place) = ready.pop_first().or_else(|| left.first().copied()) {
        left.remove(&place);
        order.push(place);
        for reader in &readers[place] {
            unmet[*reader] = unmet[*reader].saturating_sub(1);
            if unmet[*reader] == 0 && left.contains(reader) {
                ready.insert(*reader);
            }
        }
    }
    let mut queries: Vec<Option<Query>> = queries.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| queries[place].take()).collect()
}
