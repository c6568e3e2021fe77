//! Frames: the result of one query, with the unit of every column.
//!
//! A frame is lazy. It runs its query on the first read, caches the result if it is small, and runs
//! the query again if it is not. So it can be shown, read by cell, and streamed any number of
//! times.

mod cell;
mod display;
mod export;
mod html;
mod selection;
mod sink;
mod text;
mod times;
mod zone;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use arrow::array::{ArrayRef, RecordBatch, UInt32Array};
use arrow::compute::{cast, concat_batches, take_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::{Error, ErrorKind, Result};
use crate::unit::Unit;

use selection::ConstantIds;

pub use cell::Cell;
#[doc(hidden)]
pub use cell::timestamp;
#[doc(hidden)]
pub use display::DisplayCell;
#[doc(hidden)]
pub use html::escape;
#[doc(hidden)]
pub use sink::Sink;
pub use times::TimeFormat;
#[doc(hidden)]
pub use times::{file_batch, file_schema, frame_field};
pub use zone::Zone;

/// The batches of a result, in the order of their arrival.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// The rows of a result, in order.
pub type ResultRows = Box<dyn Iterator<Item = Result<ResultRow>> + Send>;

/// A source of rows that can be read any number of times.
pub trait RowSource: Send + Sync {
    /// Starts a new execution.
    fn stream(&self) -> Result<Batches>;

    /// Runs the query again, and returns the time and the rows of each step.
    fn explain(&self) -> Result<Frame> {
        Err(Error::new(ErrorKind::Argument, "cannot explain these rows: they are not the result of a query"))
    }
}

/// Maximum size of a cached result in bytes.
const CACHE_BYTES: usize = 64 << 20;

/// Number of rows that `Display` and notebooks show.
const DISPLAY_ROWS: usize = 50;

/// The rows of one query.
///
/// # Shape
/// The columns that the query declares, see [`Frame::columns`].
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
/// let frame = Frame::from_columns(vec![
///     ("rank", Unit::Id, Arc::new(Int64Array::from(vec![1, 2]))),
///     ("share", Unit::Ratio, Arc::new(Float64Array::from(vec![Some(2.5), None]))),
/// ])?;
/// assert_eq!(frame.len()?, 2);
/// assert_eq!(frame.column::<i64>("rank")?, [Some(1), Some(2)]);
/// assert_eq!(frame.value::<f64>(0, "share")?, Some(2.5));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Frame {
    state: Arc<FrameState>,
    why_empty: Option<Arc<str>>,
    /// The result in one sentence, above the rows in text and HTML.
    title: Option<Arc<str>>,
    /// Labels of columns in the header of text and HTML.
    labels: Arc<BTreeMap<String, String>>,
    view: View,
}

/// How text and HTML show a frame.
#[derive(Debug, Clone, Copy, Default)]
struct View {
    zone: Zone,
    /// Show all columns, also ids that are the same in all rows.
    is_wide: bool,
    /// Width of the terminal in characters; None for any width.
    width: Option<usize>,
    /// The columns to show; empty for all.
    main_columns: &'static [&'static str],
    times: TimeFormat,
}

/// The query of a frame and its cached results; clones of a frame share it.
struct FrameState {
    schema: SchemaRef,
    query: Box<dyn RowSource>,
    cached: OnceLock<RecordBatch>,
    /// First rows and number of rows of a result that is too large for the cache. A page that shows
    /// it as text and as HTML, and reads its length, runs the query once.
    preview: OnceLock<Preview>,
    /// Whether the result is empty; known after the first complete read.
    empty: OnceLock<bool>,
}

/// First rows of a result, the number of all rows, and the ids that are the same in all of them; see [`ConstantIds`].
#[derive(Clone)]
struct Preview {
    batch: RecordBatch,
    rows: usize,
    ids: Arc<[Option<String>]>,
}

/// Name, type and unit of a column of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnInfo {
    /// Name of the column.
    pub name: String,
    /// Arrow type. A column of unit `time` is a timestamp in UTC, with ns.
    pub data_type: DataType,
    /// Unit of the values; `None` if it cannot be derived for a computed column.
    pub unit: Option<Unit>,
}

impl ColumnInfo {
    /// The SQL name of the type: bigint, double, text, boolean. A time is a bigint in SQL.
    pub fn sql_type(&self) -> String {
        match &self.data_type {
            DataType::Int64 => "bigint".to_owned(),
            DataType::Timestamp(..) if self.unit == Some(Unit::Time) => "bigint".to_owned(),
            DataType::Float64 => "double".to_owned(),
            DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8 => "text".to_owned(),
            DataType::Boolean => "boolean".to_owned(),
            other => other.to_string().to_lowercase(),
        }
    }

    /// Whether text tables align the column to the right and never shorten it.
    fn is_number_or_time(&self) -> bool {
        self.data_type.is_numeric() || self.unit == Some(Unit::Time)
    }
}

impl Frame {
    /// Creates a frame over a query with this schema. The metadata `unit` of each field is its
    /// unit.
    pub fn new(schema: SchemaRef, query: Box<dyn RowSource>) -> Self {
        let (cached, preview, empty) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self {
            state: Arc::new(FrameState { schema, query, cached, preview, empty }),
            why_empty: None,
            title: None,
            labels: Arc::default(),
            view: View::default(),
        }
    }

    /// Sets the reason for an empty result. An empty text sets none.
    #[doc(hidden)]
    #[must_use]
    pub fn with_empty_reason(self, why: &str) -> Self {
        Self { why_empty: Some(why).filter(|why| !why.is_empty()).map(Arc::from), ..self }
    }

    /// Sets a sentence to show above the rows in text and HTML.
    #[doc(hidden)]
    #[must_use]
    pub fn with_title(self, title: &str) -> Self {
        Self { title: Some(Arc::from(title)), ..self }
    }

    /// Sets what text and HTML show in the header instead of the name of a column.
    #[doc(hidden)]
    #[must_use]
    pub fn with_label(mut self, column: &str, label: &str) -> Self {
        Arc::make_mut(&mut self.labels).insert(column.to_owned(), label.to_owned());
        self
    }

    /// Returns what text and HTML show in the header for a column.
    #[doc(hidden)]
    pub fn label<'a>(&'a self, column: &'a str) -> &'a str {
        self.labels.get(column).map_or(column, String::as_str)
    }

    /// Returns the result in one sentence, which text and HTML show above the rows. Only comparisons have one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the same rows with another time zone for their times in text, HTML and notebooks.
    /// Exports always use UTC.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// use tracelake_model::frame::Zone;
    /// let times = arrow::array::Int64Array::from(vec![1_600_000_000_000_000_000]);
    /// let frame = Frame::from_columns(vec![("ts", Unit::Time, std::sync::Arc::new(times))])?;
    /// assert!(frame.to_string().ends_with("1 row, times in UTC"));
    /// assert!(frame.in_zone(Zone::Local).to_string().ends_with("1 row, times in local time"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn in_zone(&self, zone: Zone) -> Self {
        Self { view: View { zone, ..self.view }, ..self.clone() }
    }

    /// Returns the same rows with another format for their times in CSV and JSON.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// use tracelake_model::frame::TimeFormat;
    /// let times = arrow::array::Int64Array::from(vec![1_600_000_000_000_000_001]);
    /// let frame = Frame::from_columns(vec![("ts", Unit::Time, std::sync::Arc::new(times))])?;
    /// assert_eq!(frame.to_csv()?, "ts\n1600000000000000001\n");
    /// assert_eq!(frame.with_times(TimeFormat::Iso).to_csv()?, "ts\n2020-09-13T12:26:40.000000001Z\n");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_times(&self, times: TimeFormat) -> Self {
        Self { view: View { times, ..self.view }, ..self.clone() }
    }

    /// Returns the same rows with all columns in text and HTML. By default, text and HTML omit ids that are the same in all
    /// rows; they are in the line below the table.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use std::sync::Arc;
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let runs = arrow::array::StringArray::from(vec!["a", "a"]);
    /// let ranks = arrow::array::Int64Array::from(vec![0, 1]);
    /// let frame = Frame::from_columns(vec![("run", Unit::Id, Arc::new(runs)), ("rank", Unit::Id, Arc::new(ranks))])?;
    /// assert_eq!(frame.to_string(), " rank\n──────\n    0\n    1\n2 rows, run = a");
    /// assert!(frame.wide().to_string().starts_with(" run   rank\n"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn wide(&self) -> Self {
        Self { view: View { is_wide: true, width: None, ..self.view }, ..self.clone() }
    }

    /// Returns the same rows for a terminal of this width in characters: text shows long texts shortened, and fewer columns
    /// where that is not enough. The line below the table names the others.
    #[must_use]
    pub fn fit(&self, width: usize) -> Self {
        let width = Some(width).filter(|_| !self.view.is_wide);
        Self { view: View { width, ..self.view }, ..self.clone() }
    }

    /// Sets the columns that text and HTML show; [`Frame::wide`] shows all.
    #[doc(hidden)]
    #[must_use]
    pub fn with_main_columns(self, columns: &'static [&'static str]) -> Self {
        Self { view: View { main_columns: columns, ..self.view }, ..self }
    }

    /// Creates a frame of rows in memory.
    pub fn from_batch(batch: RecordBatch) -> Self {
        struct InMemory(RecordBatch);
        impl RowSource for InMemory {
            fn stream(&self) -> Result<Batches> {
                Ok(Box::new(std::iter::once(Ok(self.0.clone()))))
            }
        }
        let frame = Self::new(batch.schema(), Box::new(InMemory(batch.clone())));
        let _ = frame.state.cached.set(batch);
        frame
    }

    /// Creates a frame of columns in memory, each with its unit. All columns must have the same
    /// length.
    #[doc(hidden)]
    pub fn from_columns(columns: Vec<(&str, Unit, ArrayRef)>) -> Result<Self> {
        let field = |name: &str, unit: Unit, values: &ArrayRef| {
            let unit = [("unit".to_owned(), unit.as_str().to_owned())];
            frame_field(Field::new(name, values.data_type().clone(), true).with_metadata(unit.into()))
        };
        let (fields, arrays): (Vec<Field>, Vec<_>) = columns
            .into_iter()
            .map(|(name, unit, values)| {
                let field = field(name, unit, &values);
                let values = cast(&values, field.data_type());
                (field, values)
            })
            .unzip();
        let arrays = arrays.into_iter().collect::<std::result::Result<Vec<ArrayRef>, _>>();
        let batch = arrays.and_then(|arrays| RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays));
        batch
            .map(Self::from_batch)
            .map_err(|error| Error::new(ErrorKind::Internal, "cannot combine columns").with_source(error))
    }

    /// Runs the query again, and returns what it read from the lake, what it skipped, and the time
    /// of each step of its plan.
    ///
    /// # Shape
    /// One row per step, before the steps that it reads from: `step` (from 1, the key), `depth`,
    /// `operator` and `detail` in the words of the engine, `rows` that it returned, `cpu` (ns, over
    /// all cores). Row 1 is the whole query, with `dur` (ns, wall time) and the sums; row 2 is the
    /// planning. Steps that read the lake have `bytes`, `parts` that were read and `parts_pruned`
    /// that were skipped because of their manifests, `row_groups` that were read and
    /// `row_groups_pruned`.
    ///
    /// # Errors
    /// Argument if the rows are not the result of a query; else the errors of reading the rows.
    ///
    /// # Examples
    /// ```
    /// # use tracelake_model::{ErrorKind, Frame, unit::Unit};
    /// let none = arrow::array::Int64Array::from(Vec::<i64>::new());
    /// let made = Frame::from_columns(vec![("bytes", Unit::Bytes, std::sync::Arc::new(none))]).unwrap();
    /// assert_eq!(made.explain().unwrap_err().kind(), ErrorKind::Argument);
    /// ```
    pub fn explain(&self) -> Result<Self> {
        self.state.query.explain()
    }

    /// The Arrow schema.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.state.schema)
    }

    /// Name, type and unit of every column, in order.
    pub fn columns(&self) -> Vec<ColumnInfo> {
        let column = |field: &Arc<Field>| ColumnInfo {
            name: field.name().clone(),
            data_type: field.data_type().clone(),
            unit: field.metadata().get("unit").and_then(|unit| Unit::parse(unit).ok()),
        };
        self.state.schema.fields().iter().map(column).collect()
    }

    /// Returns the rows as a stream of batches, which is not cached.
    ///
    /// # Errors
    /// The error of the query, here or in a later batch.
    pub fn stream(&self) -> Result<Batches> {
        match self.state.cached.get() {
            Some(batch) => Ok(Box::new(std::iter::once(Ok(batch.clone())))),
            None => {
                let (batches, state) = (self.state.query.stream()?, Arc::clone(&self.state));
                Ok(Box::new(EmptyCheck { batches, state, has_rows: false }))
            }
        }
    }

    /// Returns the reason for an empty result, from the header of the canned query. None if there
    /// are rows, or if the reason is unknown.
    ///
    /// # Errors
    /// The error of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let none = arrow::array::Int64Array::from(Vec::<i64>::new());
    /// let frame = Frame::from_columns(vec![("bytes", Unit::Bytes, std::sync::Arc::new(none))])?;
    /// let frame = frame.with_empty_reason("no memory was recorded; record with profile_memory=True");
    /// assert!(frame.why_empty()?.is_some_and(|why| why.contains("profile_memory=True")));
    /// # Ok(())
    /// # }
    /// ```
    pub fn why_empty(&self) -> Result<Option<&str>> {
        let Some(why) = self.why_empty.as_deref() else { return Ok(None) };
        let empty = match self.state.empty.get() {
            Some(empty) => *empty,
            None => self.len()? == 0,
        };
        Ok(empty.then_some(why))
    }

    /// Returns all rows as one batch.
    ///
    /// # Errors
    /// The error of the query.
    pub fn batch(&self) -> Result<RecordBatch> {
        if let Some(batch) = self.state.cached.get() {
            return Ok(batch.clone());
        }
        self.collect_and_cache(self.state.query.stream()?)
    }

    /// Runs the queries of several frames in parallel. Many queries, such as a sort of one series,
    /// keep only one core busy.
    #[doc(hidden)]
    pub fn compute(frames: &[Self]) -> Result<()> {
        let missing: Vec<_> = frames.iter().filter(|frame| frame.state.cached.get().is_none()).collect();
        let streams = missing.iter().map(|frame| frame.state.query.stream()).collect::<Result<Vec<_>>>()?;
        missing.iter().zip(streams).try_for_each(|(frame, batches)| frame.collect_and_cache(batches).map(|_| ()))
    }

    fn collect_and_cache(&self, batches: Batches) -> Result<RecordBatch> {
        let batches: Vec<RecordBatch> = batches.collect::<Result<_>>()?;
        let batch = concat_batches(&self.state.schema, &batches).map_err(internal)?;
        if batch.get_array_memory_size() <= CACHE_BYTES {
            // If two threads ran the query at the same time, the first result stays.
            let _ = self.state.cached.set(batch.clone());
        }
        Ok(batch)
    }

    /// Returns all rows as batches.
    ///
    /// # Errors
    /// The error of the query.
    pub fn batches(&self) -> Result<Vec<RecordBatch>> {
        self.batch().map(|batch| vec![batch])
    }

    /// Returns the number of rows.
    ///
    /// # Errors
    /// The error of the query.
    #[expect(clippy::len_without_is_empty, reason = "both would run the query")]
    pub fn len(&self) -> Result<usize> {
        self.preview(0).map(|preview| preview.rows)
    }

    /// Returns the first rows and facts of all rows. Uses no more memory than a cached result.
    fn preview(&self, rows_wanted: usize) -> Result<Preview> {
        let first = |batch: &RecordBatch| batch.slice(0, rows_wanted.min(batch.num_rows()));
        if let Some(batch) = self.state.cached.get() {
            // Only a table needs the ids of all rows.
            return Ok(Preview { batch: first(batch), rows: batch.num_rows(), ids: Arc::from([]) });
        }
        if let Some(preview) = self.state.preview.get().filter(|preview| rows_wanted <= preview.batch.num_rows()) {
            return Ok(Preview { batch: first(&preview.batch), ..preview.clone() });
        }
        let min_rows = rows_wanted.max(DISPLAY_ROWS);
        let mut ids = ConstantIds::new(&self.columns());
        let (mut collected, mut collected_rows, mut bytes, mut rows) = (Vec::new(), 0, 0, 0);
        for batch in self.state.query.stream()? {
            let batch = batch?;
            ids.update(&batch);
            rows += batch.num_rows();
            bytes += batch.get_array_memory_size();
            if bytes <= CACHE_BYTES || collected_rows < min_rows {
                collected_rows += batch.num_rows();
                collected.push(batch);
            }
        }
        let batch = concat_batches(&self.state.schema, &collected).map_err(internal)?;
        // Copy the rows: a slice would keep the whole batch in memory.
        let indexes: UInt32Array = (0_u32..).take(DISPLAY_ROWS.min(batch.num_rows())).collect();
        let copy = take_record_batch(&batch, &indexes).map_err(internal)?;
        let preview = Preview { batch: copy, rows, ids: ids.values().into() };
        let _ = self.state.preview.set(preview.clone());
        let first = first(&batch);
        if bytes <= CACHE_BYTES {
            let _ = self.state.cached.set(batch);
        }
        Ok(Preview { batch: first, ..preview })
    }

    /// Returns the ids that are the same in all rows of a batch.
    fn constant_ids(&self, batch: &RecordBatch) -> Arc<[Option<String>]> {
        let mut ids = ConstantIds::new(&self.columns());
        ids.update(batch);
        ids.values().into()
    }

    /// Returns a frame of the first rows, and the number of all rows.
    #[doc(hidden)]
    pub fn first(&self, rows: usize) -> Result<(Self, usize)> {
        let preview = self.preview(rows)?;
        Ok((Self { view: self.view, ..Self::from_batch(preview.batch) }, preview.rows))
    }

    /// Returns the rows one by one. They are read in batches and not cached.
    ///
    /// # Errors
    /// The error of the query, here or at a later row.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let ranks = arrow::array::Int64Array::from(vec![Some(0), None]);
    /// let frame = Frame::from_columns(vec![("rank", Unit::Id, std::sync::Arc::new(ranks))])?;
    /// let mut ranks = Vec::new();
    /// for row in frame.rows()? {
    ///     ranks.push(row?.get::<i64>("rank")?);
    /// }
    /// assert_eq!(ranks, [Some(0), None]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn rows(&self) -> Result<ResultRows> {
        let rows = |batch: RecordBatch| {
            let batch = Arc::new(batch);
            (0..batch.num_rows()).map(|index| Ok(ResultRow { batch: Arc::clone(&batch), index })).collect()
        };
        Ok(Box::new(self.stream()?.flat_map(move |batch| batch.map_or_else(|error| vec![Err(error)], rows))))
    }

    /// Returns a frame of the first rows. It does not read more batches than it needs.
    ///
    /// # Errors
    /// The error of the query.
    pub fn head(&self, rows: usize) -> Result<Self> {
        self.slice(0, rows)
    }

    /// Returns a frame of some rows from a position on. It does not read more batches than it needs.
    ///
    /// # Errors
    /// The error of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let ranks = arrow::array::Int64Array::from(vec![0, 1, 2, 3]);
    /// let frame = Frame::from_columns(vec![("rank", Unit::Id, std::sync::Arc::new(ranks))])?;
    /// assert_eq!(frame.slice(1, 2)?.column::<i64>("rank")?, [Some(1), Some(2)]);
    /// assert_eq!(frame.head(9)?.len()?, 4);
    /// # Ok(())
    /// # }
    /// ```
    pub fn slice(&self, offset: usize, rows: usize) -> Result<Self> {
        let (mut batches, mut position) = (Vec::new(), 0);
        let end = offset.saturating_add(rows);
        for batch in self.stream()? {
            let batch = batch?;
            let (first, last) = (offset.max(position), end.min(position + batch.num_rows()));
            if first < last {
                batches.push(batch.slice(first - position, last - first));
            }
            position += batch.num_rows();
            if position >= end {
                break;
            }
        }
        let batch = concat_batches(&self.state.schema, &batches).map_err(internal)?;
        let why_empty = self.why_empty.clone().filter(|_| position == 0);
        Ok(Self { labels: Arc::clone(&self.labels), why_empty, view: self.view, ..Self::from_batch(batch) })
    }

    /// Returns a frame of these columns, in this order.
    ///
    /// # Errors
    /// NotFound for an unknown column; the error of the query.
    ///
    /// # Examples
    /// ```
    /// # fn main() -> tracelake_model::Result<()> {
    /// # use std::sync::Arc;
    /// # use tracelake_model::{Frame, unit::Unit};
    /// let (runs, ranks) = (arrow::array::StringArray::from(vec!["a"]), arrow::array::Int64Array::from(vec![0]));
    /// let frame = Frame::from_columns(vec![("run", Unit::Id, Arc::new(runs)), ("rank", Unit::Id, Arc::new(ranks))])?;
    /// assert_eq!(frame.select(&["rank"])?.columns()[0].name, "rank");
    /// assert!(frame.select(&["rnak"]).unwrap_err().to_string().contains("did you mean `rank`?"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn select(&self, names: &[&str]) -> Result<Self> {
        let indexes = names.iter().map(|name| position(&self.state.schema, name)).collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(self.state.schema.project(&indexes).map_err(internal)?);
        let project = |batch: Result<RecordBatch>| batch?.project(&indexes).map_err(internal);
        let batches = self.stream()?.map(project).collect::<Result<Vec<_>>>()?;
        let batch = concat_batches(&schema, &batches).map_err(internal)?;
        let (labels, why_empty) = (Arc::clone(&self.labels), self.why_empty.clone());
        Ok(Self { labels, why_empty, view: View { main_columns: &[], ..self.view }, ..Self::from_batch(batch) })
    }

    /// Returns the values of a column; `T` is `i64`, `f64`, `bool` or `String`.
    ///
    /// # Errors
    /// NotFound for an unknown column, Argument for a type that does not fit.
    pub fn column<T: Cell>(&self, name: &str) -> Result<Vec<Option<T>>> {
        let index = index_of::<T>(&self.state.schema, name)?;
        let batch = self.batch()?;
        let array = batch.column(index);
        Ok((0..array.len()).map(|row| T::read(array, row)).collect())
    }

    /// Returns one value; null is `None`.
    ///
    /// # Errors
    /// NotFound for an unknown column, Argument for a type that does not fit or a row that does not
    /// exist.
    pub fn value<T: Cell>(&self, row: usize, name: &str) -> Result<Option<T>> {
        let index = index_of::<T>(&self.state.schema, name)?;
        // The first rows of a result that is too large for the cache are cached.
        let preview = self.preview(if row < DISPLAY_ROWS { row + 1 } else { 0 })?;
        if row >= preview.rows {
            let text = format!("no row {row}: the frame has {} rows", preview.rows);
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let batch = if row < preview.batch.num_rows() { preview.batch } else { self.batch()? };
        Ok(T::read(batch.column(index), row))
    }
}

/// Returns the position of a column.
fn position(schema: &Schema, name: &str) -> Result<usize> {
    let fields = schema.fields();
    fields.iter().position(|field| field.name() == name).ok_or_else(|| {
        let known: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
        Error::unknown("column", name, &known)
    })
}

/// Returns the position of a column that can be read as a type.
fn index_of<T: Cell>(schema: &Schema, name: &str) -> Result<usize> {
    let index = position(schema, name)?;
    let data_type = schema.field(index).data_type();
    if T::fits(data_type) {
        return Ok(index);
    }
    let text = format!("cannot read column `{name}` as {}: it is {data_type}", T::NAME);
    Err(Error::new(ErrorKind::Argument, text))
}

/// A row of a frame; see [`Frame::rows`].
#[derive(Debug, Clone)]
pub struct ResultRow {
    batch: Arc<RecordBatch>,
    index: usize,
}

impl ResultRow {
    /// Returns the value of a column; null is `None`. `T` is `i64`, `f64`, `bool` or `String`.
    ///
    /// # Errors
    /// NotFound for an unknown column, Argument for a type that does not fit.
    pub fn get<T: Cell>(&self, name: &str) -> Result<Option<T>> {
        let column = index_of::<T>(self.batch.schema_ref(), name)?;
        Ok(T::read(self.batch.column(column), self.index))
    }
}

/// A stream that records whether there was a row.
struct EmptyCheck {
    batches: Batches,
    state: Arc<FrameState>,
    has_rows: bool,
}

impl Iterator for EmptyCheck {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next();
        match &batch {
            Some(Ok(batch)) if batch.num_rows() > 0 && !self.has_rows => {
                self.has_rows = true;
                let _ = self.state.empty.set(false);
            }
            // After an error it is unknown whether there were rows.
            Some(Err(_)) => self.has_rows = true,
            None if !self.has_rows => _ = self.state.empty.set(true),
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

    /// A result of this number of batches of 1 MiB each, and a counter of its executions.
    struct CountedQuery(SchemaRef, usize, Arc<AtomicUsize>);

    impl RowSource for CountedQuery {
        fn stream(&self) -> Result<Batches> {
            self.2.fetch_add(1, Ordering::Relaxed);
            let rows = Int64Array::from_iter_values(0..131_072);
            let batch = RecordBatch::try_new(Arc::clone(&self.0), vec![Arc::new(rows)]).unwrap();
            Ok(Box::new(std::iter::repeat_n(batch, self.1).map(Ok)))
        }
    }

    #[test]
    fn display_and_count_run_the_query_once_for_any_size() {
        for batches in [1, 80] {
            let runs = Arc::new(AtomicUsize::new(0));
            let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Int64, true)]));
            let frame = Frame::new(Arc::clone(&schema), Box::new(CountedQuery(schema, batches, Arc::clone(&runs))));
            assert_eq!(frame.len().unwrap(), batches * 131_072);
            let text = frame.to_string();
            assert!(text.ends_with(&format!("50 of {} rows shown", batches * 131_072)), "{text}");
            assert!(frame.to_html().unwrap().contains(">49</td>"));
            assert_eq!(runs.load(Ordering::Relaxed), 1, "{batches} batches");
        }
    }
}
