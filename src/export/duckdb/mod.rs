//! The lake for DuckDB: its tables, and the views and canned queries over them, as one script of SQL.
//!
//! A query with parameters is a macro, `step_outliers(p_factor := 3)`, whose parameters begin with `p_`: a macro of DuckDB
//! replaces columns of the same name, too, without a word. Calls of other queries stand in it as subqueries, for the same reason.

mod rewrite;

use std::collections::BTreeMap;
use std::fmt::Write;

use tracelake_engine::provider::current;

use self::rewrite::Stop;
use crate::catalog::{self, DIAGNOSIS, Query, VERSION};
use crate::error::Result;
use crate::lake::{by_file, is_shared};
use crate::session::Session;
use crate::table::{TABLES, Table};

/// A lake as SQL for DuckDB; see [`Session::duckdb_script`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuckdbScript {
    /// Statements that make views and macros.
    pub text: String,
    /// Tables, views and queries that it has, by name in SQL.
    pub names: Vec<String>,
    /// Views and queries that it has not, by name in SQL, and why.
    pub excluded: BTreeMap<String, String>,
}

impl Session {
    /// Tables, views and canned queries as SQL for DuckDB 1.5 or newer, over the Parquet files of the lake.
    ///
    /// All runs that this session sees, as they are now: files that [`Session::vacuum`] removes later are missing then. Tables
    /// without files (`run`, `object`) are read from `<folder>/run.parquet` and `<folder>/object.parquet`, which
    /// [`crate::cli::export_duckdb`] writes along with the script.
    ///
    /// # Shape
    /// A view for each table, view and query, with the columns, types and order that it has here; a macro besides for each that
    /// has parameters. Left out is what calls a function that DuckDB has nothing for.
    ///
    /// # Errors
    /// Query for a query of the user's own that cannot be read.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
    /// let script = s.duckdb_script("views")?;
    /// assert!(script.text.contains("CREATE OR REPLACE VIEW \"step_duration\""));
    /// assert_eq!(script.excluded["step_critical_path"], "reads `path_edge`");
    /// # Ok(())
    /// # }
    /// ```
    pub fn duckdb_script(&self, folder: &str) -> Result<DuckdbScript> {
        let documented: BTreeMap<String, Query> =
            self.inner.registry.documented().into_iter().map(|query| (query.sql_name(), query)).collect();
        let mut script = DuckdbScript { text: String::new(), names: Vec::new(), excluded: BTreeMap::new() };
        let text = &mut script.text;
        _ = writeln!(text, "-- {}, for DuckDB 1.5 or newer; written by tracelake {VERSION}.\n", self.url());
        text.push_str(include_str!("prelude.sql"));
        for table in TABLES {
            _ = write!(text, "\n{};\n", self.table_view(table, folder));
            script.names.push(table.name.to_owned());
        }
        // Those of the user come last: nobody has tried them in DuckDB, and one that it refuses ends the script.
        let is_own = |query: &&Query| !catalog::queries().iter().any(|known| known.name == query.name);
        let own = documented.values().filter(is_own).filter(|query| query.name != DIAGNOSIS.name).cloned().collect();
        script.excluded.insert(DIAGNOSIS.sql_name(), "combines all findings".to_owned());
        for query in catalog::queries().iter().chain(&catalog::ordered(own)) {
            if let Some(missing) = query.header.needs.iter().find(|need| script.excluded.contains_key(*need)) {
                script.excluded.insert(query.sql_name(), format!("reads `{missing}`"));
                continue;
            }
            match statements(query, &documented) {
                Ok(statements) => {
                    _ = writeln!(script.text, "\n-- {}", query.header.summary);
                    for statement in statements {
                        _ = writeln!(script.text, "{statement};");
                    }
                    script.names.push(query.sql_name());
                }
                Err(Stop::Missing(function)) => {
                    script.excluded.insert(query.sql_name(), format!("calls `{function}`"));
                }
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        Ok(script)
    }

    /// `CREATE VIEW` of a table over its files.
    fn table_view(&self, table: &Table, folder: &str) -> String {
        // Names, types and order are those of this version, also where there is no file.
        let columns: Vec<String> = table
            .columns()
            .map(|column| format!("CAST(NULL AS {}) AS \"{}\"", rewrite::data_type(column.ty), column.name))
            .collect();
        let mut view =
            format!("CREATE OR REPLACE VIEW \"{}\" AS\nSELECT {}\nWHERE false", table.name, columns.join(", "));
        if !table.has_parts() {
            let file = format!("{}/{}.parquet", folder.trim_end_matches('/'), table.name);
            _ = write!(view, "\nUNION ALL BY NAME\nSELECT * FROM read_parquet({})", literal(&file));
            return view;
        }
        let snapshot = current(&self.inner.snapshot);
        let place = self.inner.lake.place();
        let file = |path: &str| literal(&place.address_of(&place.at(path)));
        let (shared, whole): (Vec<_>, Vec<_>) =
            by_file(&snapshot, table).into_iter().partition(|(_, of)| is_shared(of));
        if !whole.is_empty() {
            let files: Vec<String> = whole.into_iter().map(|(path, _)| file(path)).collect();
            _ = write!(view, "\nUNION ALL BY NAME\nSELECT * FROM read_parquet([\n  {}\n])", files.join(",\n  "));
        }
        // A file of many runs may hold rows that no longer count.
        for (path, of) in shared {
            let runs: Vec<String> = of.iter().map(|(run, _)| literal(&run.run)).collect();
            _ = write!(
                view,
                "\nUNION ALL BY NAME\nSELECT * FROM read_parquet({}) WHERE run IN ({})",
                file(path),
                runs.join(", ")
            );
        }
        view
    }
}

/// The statements that make a query known.
fn statements(query: &Query, queries: &BTreeMap<String, Query>) -> std::result::Result<Vec<String>, Stop> {
    let name = query.sql_name();
    let view = |body: &dyn std::fmt::Display| format!("CREATE OR REPLACE VIEW \"{name}\" AS\n{body:#}");
    let params = &query.header.params;
    let given =
        params.iter().map(|param| Ok((param.name.clone(), rewrite::of_type(param, rewrite::parameter(query, param)?))));
    let body = rewrite::select(query, given.collect::<Result<_>>()?, queries)?;
    if params.is_empty() {
        return Ok(vec![view(&body)]);
    }
    let mut own = Vec::new();
    for param in params {
        let default = rewrite::default(query, param)?;
        own.push(format!("p_{}{}", param.name, default.map_or_else(String::new, |value| format!(" := {value}"))));
    }
    let mut made = vec![format!("CREATE OR REPLACE MACRO \"{name}\"({}) AS TABLE\n{body:#}", own.join(", "))];
    if params.iter().all(|param| param.default.is_some()) {
        made.push(view(&format_args!("SELECT * FROM \"{name}\"()")));
    }
    Ok(made)
}

/// A text in SQL.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
