//! Finds the columns of a table of timings, by the names of the format or by names that the user declared.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};

/// Number of columns that the format defines.
pub(super) const FIELDS: usize = 8;

/// Positions of the columns in [`NAMES`].
pub(super) const LOAD: usize = 0;
pub(super) const COMPUTE: usize = 1;
pub(super) const STEP_TIME: usize = 2;
pub(super) const STEP: usize = 3;
pub(super) const EPOCH: usize = 4;
pub(super) const RANK: usize = 5;
pub(super) const WORKER: usize = 6;
pub(super) const BATCH_SIZE: usize = 7;

/// The names of the format. The first three are times.
pub(super) const NAMES: [&str; FIELDS] =
    ["load_s", "compute_s", "step_s", "step", "epoch", "rank", "worker", "batch_size"];

/// Units of times, each with the power of ten that converts it to ns.
const UNITS: [(&str, u32); 4] = [("s", 9), ("ms", 6), ("us", 3), ("ns", 0)];

/// Power of ten that converts seconds to ns.
const SECONDS: u32 = 9;

/// The names of the columns that the user declared. Undeclared columns have the names of the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoaderColumns {
    /// For each field, the declared name and the power of ten that converts its values to ns.
    declared: [Option<(String, u32)>; FIELDS],
}

/// For each field, the index of its column in a file and the power of ten that converts its values to ns.
pub(super) type ColumnBinding = [Option<(usize, u32)>; FIELDS];

impl LoaderColumns {
    /// Parses declarations of columns: `load_s` is `data_time`, or `data_ms:ms` if the unit is not s.
    ///
    /// In a file without the declared column, the field has the name of the format.
    ///
    /// ```
    /// use tracelake_formats::loader_timings::LoaderColumns;
    /// let declare = |name: &str, column: &str| LoaderColumns::declared(&[(name.into(), column.into())].into());
    /// assert!(declare("load_s", "data_ms:ms").is_ok());
    /// assert!(declare("loading", "data_ms:ms").is_err());
    /// ```
    ///
    /// # Errors
    /// Argument for a name that the format does not have, an empty column name, or a unit of a field that is not a time.
    pub fn declared(names: &BTreeMap<String, String>) -> Result<Self> {
        let mut columns = Self::default();
        for (name, column) in names {
            let invalid = |why: String| {
                Error::new(ErrorKind::Argument, format!("cannot read `{column}` as loader column `{name}`: {why}"))
            };
            let field = NAMES
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| invalid(format!("there is no such column; there are {}", NAMES.join(", "))))?;
            let unit = column.rsplit_once(':').and_then(|(source, unit)| {
                UNITS.iter().find(|(known, _)| *known == unit).map(|(_, scale)| (source.to_owned(), *scale))
            });
            if unit.is_some() && field > STEP_TIME {
                return Err(invalid("it is not a time, so it has no unit".to_owned()));
            }
            let (source, scale) = unit.unwrap_or_else(|| (column.clone(), SECONDS));
            if source.trim().is_empty() {
                return Err(invalid("the column has no name".to_owned()));
            }
            columns.declared[field] = Some((source.trim().to_owned(), scale));
        }
        Ok(columns)
    }

    /// The columns of a file with these names. If a name occurs twice, the first column is used.
    pub(super) fn bind(&self, header: &[impl AsRef<str>]) -> ColumnBinding {
        std::array::from_fn(|field| {
            let index = |name: &str| header.iter().position(|column| column.as_ref().trim() == name);
            let declared = self.declared[field].as_ref().and_then(|(name, scale)| Some((index(name)?, *scale)));
            declared.or_else(|| Some((index(NAMES[field])?, SECONDS)))
        })
    }

    /// Returns true if a field has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        NAMES.contains(&name) || self.declared.iter().flatten().any(|(column, _)| column == name)
    }

    /// Returns true if a file with these column names has the column `load_s`, so that it is a table of timings.
    pub(super) fn has_load_column(&self, header: &[impl AsRef<str>]) -> bool {
        self.bind(header)[LOAD].is_some()
    }

    /// Explains why a table with these column names, which may have timings, is not read. None if it is read, or if no
    /// column looks like timings.
    pub(super) fn explain_mismatch(&self, header: &[impl AsRef<str>]) -> Option<String> {
        if self.has_load_column(header) {
            return None;
        }
        let quote_names = |names: &mut dyn Iterator<Item = &str>| {
            names.take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let mut names = header.iter().map(AsRef::as_ref);
        if let Some((name, _)) = &self.declared[LOAD] {
            let quoted = quote_names(&mut names);
            return Some(format!("a table without column `{name}`, declared as load_s; it has {quoted}"));
        }
        let mut similar = names.filter(|name| looks_like_time(name)).peekable();
        let first = *similar.peek()?;
        Some(format!(
            "a table without column `load_s`; if another column has the waits for data, name it: \
             loader_columns={{\"load_s\": \"{first}\"}}, --loader-column load_s={first}, followed by :ms for milliseconds; \
             it has {}",
            quote_names(&mut similar)
        ))
    }
}

/// Returns true if the name suggests a loading or compute time. Only used for a hint: such a column is never read.
fn looks_like_time(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    if name.contains(char::is_whitespace) {
        return false;
    }
    let has = |words: &[&str]| name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    has(&["load", "loading", "data", "fetch", "wait", "dataloader", "loader", "batch"])
        && has(&["time", "times", "s", "sec", "secs", "seconds", "ms", "us", "ns", "duration", "dur", "wait"])
}
