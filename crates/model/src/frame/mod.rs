//! An answer: the rows of one query, with the unit of every column.
//!
//! A frame is lazy. It holds the way to run its query, keeps the result if it is small, and runs the
//! query again if it is not; so it can be shown, read cell by cell, and streamed, as often as wanted.

mod cell;
mod export;
mod html;
mod sink;
mod text;
mod zone;

use std::fmt;
use std::sync::{Arc, OnceLock};

use arrow::array::{ArrayRef, RecordBatch, UInt32Array};
use arrow::compute::{concat_batches, take_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::{Error, ErrorKind, Result};
use crate::unit::Unit;

pub use cell::Cell;
#[doc(hidden)]
pub use cell::timestamp;
#[doc(hidden)]
pub use html::escape;
#[doc(hidden)]
pub use sink::Sink;
pub use zone::Zone;

/// Batches as they arrive.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// Something that can be asked for the same rows again and again.
pub trait Rerun: Send + Sync {
    /// Starts a new execution.
    fn stream(&self) -> Result<Batches>;

    /// Executes once more, and says what each step took and read.
    fn explain(&self) -> Result<Frame> {
        Err(Error::new(ErrorKind::Argument, "cannot explain these rows: they are not the result of a query"))
    }
}

/// Results up to this size are kept.
const KEEP_BYTES: usize = 64 << 20;

/// Rows shown by `Display` and in a notebook.
const SHOWN: usize = 50;

/// The rows of one query.
///
/// # Shape
/// Columns as the query declares them, see [`Frame::columns`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake_model::Result<()> {
/// use std::sync::Arc;
///
/// use arrow::array::{Float64Array, Int64Array};
/// use tracelake_model::Frame;
/// use tracelake_model::unit::Unit;
///
/// let frame = Frame::of_columns(vec![
///     ("rank", Unit::Id, Arc::new(Int64Array::from(vec![1, 2]))),
///     ("share", Unit::Ratio, Arc::new(Float64Array::from(vec![Some(2.5), None]))),
/// ])?;
/// assert_eq!(frame.rows()?, 2);
/// assert_eq!(frame.column::<i64>("rank")?, [Some(1), Some(2)]);
/// assert_eq!(frame.value::<f64>(0, "share")?, Some(2.5));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Frame {
    inner: Arc<Inner>,
    why_empty: Option<Arc<str>>,
    zone: Zone,
}

struct Inner {
    schema: SchemaRef,
    query: Box<dyn Rerun>,
    kept: OnceLock<RecordBatch>,
    /// First rows and number of all, of a result that is too large to keep: a page that shows it as text and as HTML, and
    /// asks for its length, runs the query once.
    seen: OnceLock<(RecordBatch, usize)>,
    /// Whether there are no rows, known when they were read once.
    empty: OnceLock<bool>,
}

/// Name, type and unit of a column of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnInfo {
    /// Name of the column.
    pub name: String,
    /// Arrow type.
    pub data_type: DataType,
    /// What the values mean; `None` for a column computed in ad-hoc SQL.
    pub unit: Option<Unit>,
}

impl ColumnInfo {
    /// The type as SQL names it: bigint, double, text, boolean.
    pub fn sql_type(&self) -> String {
        match &self.data_type {
            DataType::Int64 => "bigint".to_owned(),
            DataType::Float64 => "double".to_owned(),
            DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8 => "text".to_owned(),
            DataType::Boolean => "boolean".to_owned(),
            other => other.to_string().to_lowercase(),
        }
    }
}

impl Frame {
    /// A frame over a query that gives this schema. Units are the fields' metadata `unit`.
    pub fn new(schema: SchemaRef, query: Box<dyn Rerun>) -> Self {
        let (kept, seen, empty) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { inner: Arc::new(Inner { schema, query, kept, seen, empty }), why_empty: None, zone: Zone::Utc }
    }

    /// The frame with what there is to say if it has no rows.
    #[doc(hidden)]
    #[must_use]
    pub fn or_else_because(self, why: &str) -> Self {
        Self { why_empty: Some(why).filter(|why| !why.is_empty()).map(Arc::from), ..self }
    }

    /// The same rows, whose times are shown by this clock: in text, in HTML, and in a notebook. Exports stay UTC.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// use tracelake_model::frame::Zone;
    /// let times = arrow::array::Int64Array::from(vec![1_600_000_000_000_000_000]);
    /// let frame = Frame::of_columns(vec![("ts", Unit::Time, std::sync::Arc::new(times))])?;
    /// assert!(frame.to_string().ends_with("1 row, times in UTC"));
    /// assert!(frame.in_zone(Zone::Local).to_string().ends_with("1 row, times in local time"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn in_zone(&self, zone: Zone) -> Self {
        Self { zone, ..self.clone() }
    }

    /// A frame of rows that are there already.
    pub fn from_batch(batch: RecordBatch) -> Self {
        struct Ready(RecordBatch);
        impl Rerun for Ready {
            fn stream(&self) -> Result<Batches> {
                Ok(Box::new(std::iter::once(Ok(self.0.clone()))))
            }
        }
        let frame = Self::new(batch.schema(), Box::new(Ready(batch.clone())));
        let _ = frame.inner.kept.set(batch);
        frame
    }

    /// A frame of columns of one length that are there already, each with its unit.
    #[doc(hidden)]
    pub fn of_columns(columns: Vec<(&str, Unit, ArrayRef)>) -> Result<Self> {
        let field = |name: &str, unit: Unit, values: &ArrayRef| {
            let unit = [("unit".to_owned(), unit.as_str().to_owned())];
            Field::new(name, values.data_type().clone(), true).with_metadata(unit.into())
        };
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) =
            columns.into_iter().map(|(name, unit, values)| (field(name, unit, &values), values)).unzip();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        batch
            .map(Self::from_batch)
            .map_err(|error| Error::new(ErrorKind::Internal, "cannot combine columns").with_source(error))
    }

    /// Answers the question of this frame once more, and says how: what was read of the lake, what could be left out, and what
    /// each step of the plan took.
    ///
    /// # Shape
    /// A row per step, each before the steps that it asks for rows: `step` (from 1, the key), `depth`, `operator` and `detail` as the
    /// engine calls them, `rows` that it handed on, `cpu` (ns, over all cores). Row 1 is the question as a whole, with `dur`
    /// (ns, wall time) and the sums, row 2 the planning. Steps that read the lake have `bytes`, `parts` that were read and
    /// `parts_pruned`, which the manifests told are not needed, `row_groups` that were read and `row_groups_pruned`.
    ///
    /// # Errors
    /// Argument for rows that no query made; else as when the rows are read.
    ///
    /// # Examples
    /// ```
    /// # use tracelake_model::{ErrorKind, Frame, unit::Unit};
    /// let none = arrow::array::Int64Array::from(Vec::<i64>::new());
    /// let made = Frame::of_columns(vec![("bytes", Unit::Bytes, std::sync::Arc::new(none))]).unwrap();
    /// assert_eq!(made.explain().unwrap_err().kind(), ErrorKind::Argument);
    /// ```
    pub fn explain(&self) -> Result<Self> {
        self.inner.query.explain()
    }

    /// The Arrow schema.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.inner.schema)
    }

    /// Name, type and unit of every column, in order.
    pub fn columns(&self) -> Vec<ColumnInfo> {
        self.inner
            .schema
            .fields()
            .iter()
            .map(|field| ColumnInfo {
                name: field.name().clone(),
                data_type: field.data_type().clone(),
                unit: field.metadata().get("unit").and_then(|unit| Unit::parse(unit).ok()),
            })
            .collect()
    }

    /// The rows as batches, as they arrive; nothing is kept.
    ///
    /// # Errors
    /// Whatever the query meets, here or in a later batch.
    pub fn stream(&self) -> Result<Batches> {
        match self.inner.kept.get() {
            Some(batch) => Ok(Box::new(std::iter::once(Ok(batch.clone())))),
            None => {
                Ok(Box::new(Told { batches: self.inner.query.stream()?, inner: Arc::clone(&self.inner), any: false }))
            }
        }
    }

    /// Why there are no rows, as the canned query says it; none if there are some, or nobody knows.
    ///
    /// # Errors
    /// Whatever the query meets.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let none = arrow::array::Int64Array::from(Vec::<i64>::new());
    /// let frame = Frame::of_columns(vec![("bytes", Unit::Bytes, std::sync::Arc::new(none))])?;
    /// let frame = frame.or_else_because("no memory was recorded; record with profile_memory=True");
    /// assert!(frame.why_empty()?.is_some_and(|why| why.contains("profile_memory=True")));
    /// # Ok(())
    /// # }
    /// ```
    pub fn why_empty(&self) -> Result<Option<&str>> {
        let Some(why) = self.why_empty.as_deref() else { return Ok(None) };
        let empty = match self.inner.empty.get() {
            Some(empty) => *empty,
            None => self.rows()? == 0,
        };
        Ok(empty.then_some(why))
    }

    /// All rows as one batch.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn batch(&self) -> Result<RecordBatch> {
        if let Some(batch) = self.inner.kept.get() {
            return Ok(batch.clone());
        }
        self.keep(self.inner.query.stream()?)
    }

    /// Begins frames at the same time, and waits for all: much of a query, as a sort of one series, keeps one core busy only.
    #[doc(hidden)]
    pub fn compute(frames: &[Self]) -> Result<()> {
        let missing: Vec<_> = frames.iter().filter(|frame| frame.inner.kept.get().is_none()).collect();
        let begun = missing.iter().map(|frame| frame.inner.query.stream()).collect::<Result<Vec<_>>>()?;
        missing.iter().zip(begun).try_for_each(|(frame, batches)| frame.keep(batches).map(|_| ()))
    }

    fn keep(&self, batches: Batches) -> Result<RecordBatch> {
        let batches: Vec<RecordBatch> = batches.collect::<Result<_>>()?;
        let batch = concat_batches(&self.inner.schema, &batches).map_err(internal)?;
        if batch.get_array_memory_size() <= KEEP_BYTES {
            // Two threads may have asked at once: the first result stays.
            let _ = self.inner.kept.set(batch.clone());
        }
        Ok(batch)
    }

    /// All rows as batches.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn batches(&self) -> Result<Vec<RecordBatch>> {
        self.batch().map(|batch| vec![batch])
    }

    /// The number of rows.
    ///
    /// # Errors
    /// Whatever the query meets.
    pub fn rows(&self) -> Result<usize> {
        self.head(0).map(|(_, all)| all)
    }

    /// The first rows, and how many there are in all. Holds no more in memory than a small result.
    fn head(&self, wanted: usize) -> Result<(RecordBatch, usize)> {
        if let Some(batch) = self.inner.kept.get() {
            return Ok((batch.slice(0, wanted.min(batch.num_rows())), batch.num_rows()));
        }
        if let Some((first, all)) = self.inner.seen.get().filter(|(first, _)| wanted <= first.num_rows()) {
            return Ok((first.slice(0, wanted), *all));
        }
        let needed = wanted.max(SHOWN);
        let (mut held, mut held_rows, mut bytes, mut all) = (Vec::new(), 0, 0, 0);
        for batch in self.inner.query.stream()? {
            let batch = batch?;
            all += batch.num_rows();
            bytes += batch.get_array_memory_size();
            if bytes <= KEEP_BYTES || held_rows < needed {
                held_rows += batch.num_rows();
                held.push(batch);
            }
        }
        let batch = concat_batches(&self.inner.schema, &held).map_err(internal)?;
        let first = batch.slice(0, wanted.min(batch.num_rows()));
        if bytes <= KEEP_BYTES {
            let _ = self.inner.kept.set(batch);
        } else {
            // Taken and not sliced: a slice would hold the whole batch.
            let rows: UInt32Array = (0_u32..).take(SHOWN.min(batch.num_rows())).collect();
            let _ = self.inner.seen.set((take_record_batch(&batch, &rows).map_err(internal)?, all));
        }
        Ok((first, all))
    }

    /// The first rows as a frame of their own, and how many there are in all.
    #[doc(hidden)]
    pub fn first(&self, rows: usize) -> Result<(Self, usize)> {
        let (batch, all) = self.head(rows)?;
        Ok((Self::from_batch(batch), all))
    }

    /// The values of a column; `T` is `i64`, `f64`, `bool` or `String`.
    ///
    /// # Errors
    /// NotFound for an unknown column, Argument for a type that does not fit.
    pub fn column<T: Cell>(&self, name: &str) -> Result<Vec<Option<T>>> {
        let index = self.index::<T>(name)?;
        let batch = self.batch()?;
        let array = batch.column(index);
        Ok((0..array.len()).map(|row| T::read(array, row)).collect())
    }

    /// One value; null is `None`.
    ///
    /// # Errors
    /// NotFound for an unknown column, Argument for a type that does not fit or a row that is not there.
    pub fn value<T: Cell>(&self, row: usize, name: &str) -> Result<Option<T>> {
        let index = self.index::<T>(name)?;
        let batch = self.batch()?;
        if row >= batch.num_rows() {
            let text = format!("no row {row}: the frame has {} rows", batch.num_rows());
            return Err(Error::new(ErrorKind::Argument, text));
        }
        Ok(T::read(batch.column(index), row))
    }

    fn index<T: Cell>(&self, name: &str) -> Result<usize> {
        let fields = self.inner.schema.fields();
        let index = fields.iter().position(|field| field.name() == name).ok_or_else(|| {
            let known: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            Error::unknown("column", name, &known)
        })?;
        let found = fields[index].data_type();
        if T::fits(found) {
            return Ok(index);
        }
        let text = format!("cannot read column `{name}` as {}: it is {found}", T::NAME);
        Err(Error::new(ErrorKind::Argument, text))
    }
}

/// Batches on their way, that tell whether there was a row.
struct Told {
    batches: Batches,
    inner: Arc<Inner>,
    any: bool,
}

impl Iterator for Told {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next();
        match &batch {
            Some(Ok(batch)) if batch.num_rows() > 0 && !self.any => {
                self.any = true;
                let _ = self.inner.empty.set(false);
            }
            // Nobody knows what would have come.
            Some(Err(_)) => self.any = true,
            None if !self.any => {
                let _ = self.inner.empty.set(true);
            }
            _ => {}
        }
        batch
    }
}

fn internal(error: arrow::error::ArrowError) -> Error {
    Error::new(ErrorKind::Internal, "cannot join the batches of a result").with_source(error)
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use arrow::array::Int64Array;
    use arrow::datatypes::{Field, Schema};

    use super::*;

    /// A result of so many batches of 1 MiB, and how often it was asked for.
    struct Counted(SchemaRef, usize, Arc<AtomicUsize>);

    impl Rerun for Counted {
        fn stream(&self) -> Result<Batches> {
            self.2.fetch_add(1, Ordering::Relaxed);
            let rows = Int64Array::from_iter_values(0..131_072);
            let batch = RecordBatch::try_new(Arc::clone(&self.0), vec![Arc::new(rows)]).unwrap();
            Ok(Box::new(std::iter::repeat_n(batch, self.1).map(Ok)))
        }
    }

    #[test]
    fn a_result_is_shown_and_counted_by_one_run_however_large_it_is() {
        for batches in [1, 80] {
            let runs = Arc::new(AtomicUsize::new(0));
            let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Int64, true)]));
            let frame = Frame::new(Arc::clone(&schema), Box::new(Counted(schema, batches, Arc::clone(&runs))));
            assert_eq!(frame.rows().unwrap(), batches * 131_072);
            let text = frame.to_string();
            assert!(text.ends_with(&format!("50 of {} rows shown", batches * 131_072)), "{text}");
            assert!(frame.to_html().unwrap().contains(">49</td>"));
            assert_eq!(runs.load(Ordering::Relaxed), 1, "{batches} batches");
        }
    }
}
