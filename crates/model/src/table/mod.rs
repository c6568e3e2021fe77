//! The canonical tables that every format is decoded into.
//!
//! One file per table declares its columns with type, unit and meaning. This declaration generates
//! the typed row that a decoder fills, its Arrow builder, the schema of the Parquet data files,
//! `help_columns` and docs/tables.md. Every data table starts with the keys `run`, `node`, `rank`
//! and ends with `object` (the file a row came from) and `row` (its ordinal in that file). Together
//! the keys identify a row. `ts` is ns since the Unix epoch, UTC, or since the first event of a
//! recording without an epoch; `dur` is ns. Unknown values are null, never 0 or "".

mod action;
mod allocation;
mod call;
mod call_path;
mod collect;
mod device;
mod event;
mod function;
mod incident;
mod intern;
mod loader;
mod object;
mod problem;
mod rows;
mod rule_report;
mod run;
mod run_attribute;
mod sample;
mod step;
mod time_share;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::unit::{Type, Unit};

pub use action::Action;
pub use allocation::Allocation;
pub use call::Call;
pub use call_path::CallPath;
pub use device::Device;
pub use event::{Category, Event};
pub use function::Function;
pub use incident::Incident;
#[doc(hidden)]
pub use intern::Interner;
pub use loader::Loader;
pub use object::OBJECT;
pub use problem::{Class, Problem, Severity};
pub use rows::{ObjectSummary, Rows};
pub use rule_report::RuleReport;
pub use run::RUN;
pub use run_attribute::RunAttribute;
pub use sample::{Resource, Sample};
pub use step::{Mode, Step};
pub use time_share::TIME_SHARE;

/// From this time on, in 2001, a time in ns counts from the Unix epoch. Earlier ones count from the first event of a
/// recording without an epoch: no profile is older than 2001, and no recording lasts so long.
pub const MIN_EPOCH_TIME: i64 = 1_000_000_000_000_000_000;

/// A column of a canonical table.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    /// Name in SQL, Rust, Python and Parquet.
    pub name: &'static str,
    /// SQL type.
    pub ty: Type,
    /// Unit of the values.
    pub unit: Unit,
    /// One line of description.
    pub doc: &'static str,
}

impl TableColumn {
    /// Returns the Arrow field, with the unit in its metadata.
    fn field(&self) -> Field {
        Field::new(self.name, arrow_type(self.ty), self.name != "run")
            .with_metadata(HashMap::from([("unit".into(), self.unit.as_str().into())]))
    }
}

/// A canonical table: its name, the meaning of a row, and its columns in order.
#[derive(Debug)]
pub struct Table {
    /// Name in SQL, and of the folder in a lake.
    pub name: &'static str,
    /// Meaning of one row.
    pub doc: &'static str,
    /// The columns in order, without the keys of every data table.
    own_columns: &'static [TableColumn],
    /// Columns that follow from other rows, and that an ingest adds.
    derived_columns: &'static [TableColumn],
    /// Whether the keys of data tables surround the columns.
    has_keys: bool,
}

/// Declares columns: name, type, unit and description of each.
macro_rules! columns {
    ($($column:ident: $ty:ident $unit:ident $text:literal),* $(,)?) => {
        &[$($crate::table::TableColumn {
            name: stringify!($column),
            ty: $crate::unit::Type::$ty,
            unit: $crate::unit::Unit::$unit,
            doc: $text,
        }),*]
    };
}

/// The keys at the start of every data table.
const LEADING_KEYS: &[TableColumn] = columns! {
    run: Text Id "run the row belongs to",
    node: Text Id "machine, as the profiler named it; null when unknown",
    rank: Bigint Id "global rank of the process; null when unknown",
};

/// The keys at the end of every data table.
const TRAILING_KEYS: &[TableColumn] = columns! {
    object: Bigint Id "file the row came from, see table object",
    row: Bigint Id "ordinal of the row in that file, from 0",
};

impl Table {
    /// Returns all columns in order, including the keys.
    pub fn columns(&self) -> impl Iterator<Item = &TableColumn> {
        let (leading, trailing): (&[TableColumn], &[TableColumn]) =
            if self.has_keys { (LEADING_KEYS, TRAILING_KEYS) } else { (&[], &[]) };
        leading.iter().chain(self.own_columns).chain(self.derived_columns).chain(trailing)
    }

    /// Returns the columns that an ingest derives from the recorded ones, in order. A decoder does not fill them.
    pub fn derived_columns(&self) -> impl Iterator<Item = &TableColumn> {
        self.derived_columns.iter()
    }

    /// Whether the values of a column are derived from recorded ones.
    pub fn is_derived(&self, column: &TableColumn) -> bool {
        let is_derived_table = [call_path::TABLE.name, TIME_SHARE.name].contains(&self.name);
        is_derived_table || self.derived_columns.iter().any(|derived| derived.name == column.name)
    }

    /// Returns the Arrow schema; each field has its unit in the metadata.
    pub fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns().map(TableColumn::field).collect::<Vec<_>>()))
    }

    /// Whether the rows of this table are in Parquet data files; those of `run`, `object` and `time_share`
    /// are in the manifests.
    pub const fn has_parts(&self) -> bool {
        self.has_keys
    }
}

/// Returns the Arrow type of an SQL type.
pub const fn arrow_type(ty: Type) -> DataType {
    match ty {
        Type::Bigint => DataType::Int64,
        Type::Double => DataType::Float64,
        Type::Text => DataType::Utf8,
        Type::Boolean => DataType::Boolean,
    }
}

/// All tables, in the order of the documentation.
pub static TABLES: &[&Table] = &[
    &run::RUN,
    &run_attribute::TABLE,
    &device::TABLE,
    &object::OBJECT,
    &time_share::TIME_SHARE,
    &problem::TABLE,
    &step::TABLE,
    &event::TABLE,
    &call_path::TABLE,
    &sample::TABLE,
    &allocation::TABLE,
    &loader::TABLE,
    &incident::TABLE,
    &function::TABLE,
    &call::TABLE,
    &action::TABLE,
    &rule_report::TABLE,
];

/// Returns the table with this name.
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().copied().find(|table| table.name == name)
}

/// Declares one data table: its columns, the row that a decoder fills, and the builder of its
/// batches.
macro_rules! data_table {
    ($name:literal, $doc:literal, $row:ident, $builder:ident {
        $($column:ident: $ty:ident $unit:ident $text:literal),* $(,)?
    } $(derived {
        $($derived:ident: $derived_ty:ident $derived_unit:ident $derived_text:literal),* $(,)?
    })?) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $row<'a> {
            /// Machine, as the profiler named it.
            pub node: Option<&'a str>,
            /// Global rank of the process.
            pub rank: Option<i64>,
            $(#[doc = $text] pub $column: $crate::table::field!($ty 'a),)*
            /// Ordinal of the row in its file.
            pub row: i64,
        }

        pub(super) static TABLE: $crate::table::Table = $crate::table::Table {
            name: $name,
            doc: $doc,
            own_columns: $crate::table::columns!($($column: $ty $unit $text),*),
            derived_columns: $crate::table::columns!($($($derived: $derived_ty $derived_unit $derived_text),*)?),
            has_keys: true,
        };

        #[derive(Debug, Default)]
        pub(super) struct $builder {
            node: $crate::table::collect::Text,
            rank: $crate::table::collect::Bigint,
            $($column: $crate::table::collect::$ty,)*
            object: $crate::table::collect::Bigint,
            row: $crate::table::collect::Bigint,
        }

        impl $builder {
            pub(super) fn push(&mut self, (object, rank): (i64, Option<i64>), row: &$row<'_>) {
                self.node.push(row.node);
                self.rank.push(rank.or(row.rank));
                $(self.$column.push($crate::table::known!($ty $unit row.$column));)*
                self.object.push(Some(object));
                self.row.push(Some(row.row));
            }

            pub(super) fn len(&self) -> usize {
                self.row.len()
            }

            /// Returns the rows as a batch of the recorded columns of the table, and empties the builder.
            pub(super) fn finish(&mut self, run: &str) -> arrow::error::Result<arrow::array::RecordBatch> {
                $crate::table::batch(&TABLE, vec![
                    $crate::table::collect::repeat_text(run, self.len())?,
                    self.node.finish()?,
                    self.rank.finish()?,
                    $(self.$column.finish()?,)*
                    self.object.finish()?,
                    self.row.finish()?,
                ])
            }
        }
    };
}

/// The value of a column, or null for a negative count: profilers write -1 where they do not know a count.
macro_rules! known {
    (Bigint Count $value:expr) => {
        $value.filter(|count| *count >= 0)
    };
    ($ty:ident $unit:ident $value:expr) => {
        $value
    };
}

/// Declares the closed list of words of a column: an enum with one word for each variant.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// The word in the column.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }
    };
}

macro_rules! field {
    (Bigint $a:lifetime) => { Option<i64> };
    (Double $a:lifetime) => { Option<f64> };
    (Text $a:lifetime) => { Option<&$a str> };
    (Boolean $a:lifetime) => { Option<bool> };
}

/// Creates a batch of the recorded columns. Texts may be dictionaries.
fn batch(table: &Table, columns: Vec<ArrayRef>) -> arrow::error::Result<RecordBatch> {
    let recorded = LEADING_KEYS.iter().chain(table.own_columns).chain(TRAILING_KEYS).map(TableColumn::field);
    batch_of(recorded, columns)
}

/// Creates a batch of columns with the types that they have instead of those of their fields.
fn batch_of(fields: impl Iterator<Item = Field>, columns: Vec<ArrayRef>) -> arrow::error::Result<RecordBatch> {
    let fields = fields.zip(&columns).map(|(field, column)| field.with_data_type(column.data_type().clone()));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns)
}

/// Returns the batch with repeated texts as dictionaries.
#[doc(hidden)]
pub fn with_dictionaries(table: &Table, rows: &RecordBatch) -> arrow::error::Result<RecordBatch> {
    let columns = rows.columns().iter().map(|column| match column.as_string_opt::<i32>() {
        Some(texts) => collect::TextColumn::from_array(texts),
        None => Ok(Arc::clone(column)),
    });
    batch_of(table.columns().map(TableColumn::field), columns.collect::<arrow::error::Result<_>>()?)
}

/// Returns the batch with all texts as plain strings.
fn without_dictionaries(rows: &RecordBatch) -> arrow::error::Result<RecordBatch> {
    let columns = rows.columns().iter().map(|column| match column.data_type() {
        DataType::Dictionary(..) => arrow::compute::cast(column, &DataType::Utf8),
        _ => Ok(Arc::clone(column)),
    });
    let fields = rows.schema_ref().fields().iter().map(|field| field.as_ref().clone());
    batch_of(fields, columns.collect::<arrow::error::Result<_>>()?)
}

use {columns, data_table, field, known, words};
