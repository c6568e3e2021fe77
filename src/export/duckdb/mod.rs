//! The lake as a script of SQL for DuckDB: its tables, and the views and canned queries over them.
//!
//! A query with parameters is a macro, `step_outliers(p_factor := 3)`. Its parameters begin with `p_`, because a
//! parameter of a macro silently replaces columns of the same name. For the same reason, calls of other queries are
//! written as subqueries.
//!
//! DuckDB binds all that a definition reads, again for each definition. So the script first creates a stub for each view,
//! and then the definitions in reverse order: each reads only tables and stubs, and loads several times faster.

mod rewrite;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write;

use tracelake_engine::provider::current_snapshot;

use self::rewrite::RewriteError;
use crate::catalog::{self, DIAGNOSIS, Query, VERSION};
use crate::error::Result;
use crate::lake::{group_by_data_file, is_shared};
use crate::session::Session;
use crate::table::{TABLES, Table};
use crate::unit::Type;

/// A lake as a script of SQL for DuckDB; see [`Session::duckdb_script`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuckdbScript {
    /// Statements that create views and macros.
    pub text: String,
    /// Tables, views and queries in the script, by name in SQL.
    pub names: Vec<String>,
    /// Views and queries that are not in the script, by name in SQL, and why.
    pub excluded: BTreeMap<String, String>,
}

impl Session {
    /// Returns the tables, views and canned queries as SQL for DuckDB 1.5 or newer, over the Parquet files of the lake.
    ///
    /// The script covers the runs that this session sees, as they are now: it fails when [`Session::vacuum`] has removed
    /// files that it names. Tables without data files (`run`, `object`) are read from `<folder>/run.parquet` and
    /// `<folder>/object.parquet`, which [`crate::cli::export_duckdb`] writes along with the script.
    ///
    /// # Shape
    /// A view for each table, view and query, with the same columns, types and order as here, and a macro for each query
    /// with parameters. Queries that call a function without an equivalent in DuckDB are excluded.
    ///
    /// # Errors
    /// Query for a query of the user's own that cannot be parsed.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake::Result<()> {
    /// let profile = "tests/data/first_look/profiler-output";
    /// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
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
        // The user's own queries come last: they are not tested with DuckDB, which stops at the first error.
        let is_own = |query: &&Query| !catalog::queries().iter().any(|known| known.name == query.name);
        let own = documented.values().filter(is_own).filter(|query| query.name != DIAGNOSIS.name).cloned().collect();
        script.excluded.insert(DIAGNOSIS.sql_name(), "combines all findings".to_owned());
        let (mut stubs, mut definitions, mut own_definitions) = (String::new(), Vec::new(), String::new());
        for query in catalog::queries().iter().chain(&catalog::sort_by_dependencies(own)) {
            if let Some(missing) = query.header.needs.iter().find(|need| script.excluded.contains_key(*need)) {
                script.excluded.insert(query.sql_name(), format!("reads `{missing}`"));
                continue;
            }
            match statements(query, &documented) {
                Ok(statements) => {
                    let definition = format!("\n-- {}\n{};\n", query.header.summary, statements.join(";\n"));
                    if is_own(&query) {
                        own_definitions += &definition;
                    } else {
                        stubs.extend(stub(query));
                        definitions.push(definition);
                    }
                    script.names.push(query.sql_name());
                }
                Err(RewriteError::MissingFunction(function)) => {
                    script.excluded.insert(query.sql_name(), format!("calls `{function}`"));
                }
                Err(RewriteError::Failed(error)) => return Err(error),
            }
        }
        script.text += "\n-- Views that the definitions below replace.\n";
        script.text.extend(std::iter::once(stubs).chain(definitions.into_iter().rev()).chain([own_definitions]));
        Ok(script)
    }

    /// Returns `CREATE VIEW` of a table over its files.
    fn table_view(&self, table: &Table, folder: &str) -> String {
        // A first part without rows declares the names, types and order of the columns, even if there are no files.
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
        let snapshot = current_snapshot(&self.inner.snapshot);
        let place = self.inner.lake.location();
        let file = |path: &str| literal(&place.address_of(&place.resolve(path)));
        let (shared, whole): (Vec<_>, Vec<_>) =
            group_by_data_file(&snapshot, table).into_iter().partition(|(_, entries)| is_shared(entries));
        if !whole.is_empty() {
            let files: Vec<String> = whole.into_iter().map(|(path, _)| file(path)).collect();
            _ = write!(view, "\nUNION ALL BY NAME\nSELECT * FROM read_parquet([\n  {}\n])", files.join(",\n  "));
        }
        // A file that several runs share may have rows of deleted runs.
        for (path, entries) in shared {
            let runs: Vec<String> = entries.iter().map(|(run, _)| literal(&run.run)).collect();
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

/// Returns the statements that create the macro and the view of a query.
fn statements(query: &Query, queries: &BTreeMap<String, Query>) -> Result<Vec<String>, RewriteError> {
    let name = query.sql_name();
    let view = |body: &dyn std::fmt::Display| format!("CREATE OR REPLACE VIEW \"{name}\" AS\n{body:#}");
    let params = &query.header.params;
    let arguments = params
        .iter()
        .map(|param| Ok((param.name.clone(), rewrite::cast_to_param(param, rewrite::parameter(query, param)?))));
    let body = rewrite::select(query, arguments.collect::<Result<_>>()?, queries)?;
    if params.is_empty() {
        return Ok(vec![view(&body)]);
    }
    let mut declared = Vec::new();
    for param in params {
        let default = rewrite::default(query, param)?;
        declared.push(format!("p_{}{}", param.name, default.map_or_else(String::new, |value| format!(" := {value}"))));
    }
    let mut statements =
        vec![format!("CREATE OR REPLACE MACRO \"{name}\"({}) AS TABLE\n{body:#}", declared.join(", "))];
    if params.iter().all(|param| param.default.is_some()) {
        statements.push(view(&format_args!("SELECT * FROM \"{name}\"()")));
    }
    Ok(statements)
}

/// Returns a view with the columns of a query that is an error when it is read. None for a query without a view.
fn stub(query: &Query) -> Option<String> {
    query.header.params.iter().all(|param| param.default.is_some()).then(|| {
        let unfinished = |ty| format!("CAST(tl_unfinished() AS {})", rewrite::data_type(ty));
        let columns = query.header.columns.iter();
        let columns: Vec<String> =
            columns.map(|column| format!("{} AS \"{}\"", unfinished(column.ty), column.name)).collect();
        // The condition is an error, too, for a query that reads no column.
        format!(
            "CREATE OR REPLACE VIEW \"{}\" AS SELECT {} WHERE {};\n",
            query.sql_name(),
            columns.join(", "),
            unfinished(Type::Boolean)
        )
    })
}

/// Returns a text as an SQL literal.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use tracelake_engine::functions::COLLECTIVE_NAMES;

    #[test]
    fn the_macro_knows_the_kernels_of_the_function() {
        assert!(include_str!("prelude.sql").replace("'\n  || '", "").contains(COLLECTIVE_NAMES));
    }
}
