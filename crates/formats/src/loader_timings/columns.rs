//! Which columns of a table of timings mean what: the names of the format, or those that the user declared.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};

/// How many columns have a meaning.
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

/// Units of times, with the power of ten that makes them ns.
const UNITS: [(&str, u32); 4] = [("s", 9), ("ms", 6), ("us", 3), ("ns", 0)];

/// Power of ten that makes seconds ns.
const SECONDS: u32 = 9;

/// What the columns are called: never guessed, only declared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// For each field the name that the user gave it, and the power of ten that makes its values ns.
    declared: [Option<(String, u32)>; FIELDS],
}

/// Where a file has a field: the column, and the power of ten that makes its values ns.
pub(super) type Bound = [Option<(usize, u32)>; FIELDS];

impl Columns {
    /// The columns that the user declared: `load_s` is `data_time`, or `data_ms:ms` where the unit is not s.
    ///
    /// A file without the declared column is looked at for the name of the format.
    ///
    /// ```
    /// use tracelake_formats::loader_timings::Columns;
    /// let declare = |name: &str, column: &str| Columns::declared(&[(name.into(), column.into())].into());
    /// assert!(declare("load_s", "data_ms:ms").is_ok());
    /// assert!(declare("loading", "data_ms:ms").is_err());
    /// ```
    ///
    /// # Errors
    /// Argument for a name that the format does not have, a column without a name, or a unit where there is none.
    pub fn declared(names: &BTreeMap<String, String>) -> Result<Self> {
        let mut columns = Self::default();
        for (name, column) in names {
            let refused = |why: String| {
                Error::new(ErrorKind::Argument, format!("cannot read `{column}` as loader column `{name}`: {why}"))
            };
            let Some(field) = NAMES.iter().position(|known| known == name) else {
                return Err(refused(format!("there is no such column; there are {}", NAMES.join(", "))));
            };
            let unit = column.rsplit_once(':').and_then(|(source, unit)| {
                UNITS.iter().find(|(known, _)| *known == unit).map(|(_, scale)| (source.to_owned(), *scale))
            });
            if unit.is_some() && field > STEP_TIME {
                return Err(refused("it is not a time, so it has no unit".to_owned()));
            }
            let (source, scale) = unit.unwrap_or_else(|| (column.clone(), SECONDS));
            if source.trim().is_empty() {
                return Err(refused("the column has no name".to_owned()));
            }
            columns.declared[field] = Some((source.trim().to_owned(), scale));
        }
        Ok(columns)
    }

    /// The columns of a file with these names, of which the first of a name counts.
    pub(super) fn bind(&self, header: &[&str]) -> Bound {
        std::array::from_fn(|field| {
            let at = |name: &str| header.iter().position(|column| column.trim() == name);
            let declared = self.declared[field].as_ref().and_then(|(name, scale)| Some((at(name)?, *scale)));
            declared.or_else(|| Some((at(NAMES[field])?, SECONDS)))
        })
    }

    /// Whether this name is that of a field.
    pub(super) fn has(&self, name: &str) -> bool {
        NAMES.contains(&name) || self.declared.iter().flatten().any(|(column, _)| column == name)
    }

    /// Whether a file with columns of these names holds timings.
    pub(super) fn know(&self, header: &[&str]) -> bool {
        self.bind(header)[LOAD].is_some()
    }

    /// Why a table with these columns is no table of timings, if it may well be one.
    pub(super) fn miss(&self, header: &[&str]) -> Option<String> {
        let declared = self.declared[LOAD].as_ref().map(|(name, _)| name.as_str());
        let alike: Vec<&str> = header.iter().copied().filter(|name| is_like_a_time(name)).collect();
        if self.know(header) || (declared.is_none() && alike.is_empty()) {
            return None;
        }
        let quoted =
            |names: &[&str]| names.iter().take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Some(match declared {
            Some(name) => format!("a table without column `{name}`, declared as load_s; it has {}", quoted(header)),
            None => format!(
                "a table without column `load_s`; if another column has the waits for data, name it: \
                 loader_columns={{\"load_s\": \"{0}\"}}, --loader-column load_s={0}, followed by :ms for milliseconds; \
                 it has {1}",
                alike[0],
                quoted(&alike)
            ),
        })
    }
}

/// Whether a column may hold how long loading or computing took: asked for the sake of a hint, never to read it.
fn is_like_a_time(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    if name.contains(char::is_whitespace) {
        return false;
    }
    let has = |words: &[&str]| name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    has(&["load", "loading", "data", "fetch", "wait", "dataloader", "loader", "batch"])
        && has(&["time", "times", "s", "sec", "secs", "seconds", "ms", "us", "ns", "duration", "dur", "wait"])
}
