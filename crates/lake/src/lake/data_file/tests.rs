//! Compares data files with those of the writer of the parquet crate.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, new_null_array};
use arrow::compute::{
    SortColumn, SortOptions, concat_batches, lexsort_to_indices, max, max_string, min, min_string, take_record_batch,
};
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, RowSelection, RowSelector};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::properties::EnabledStatistics;
use parquet::schema::types::ColumnPath;
use proptest::prelude::*;

use super::*;
use crate::table::{TABLES, table};
use crate::unit::Type;

/// A deterministic generator of test data.
struct TestData(u64);

impl TestData {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()].clone()
    }

    fn integer(&mut self, last: i64) -> i64 {
        match self.below(20) {
            0 => self.pick(&[i64::MIN, i64::MAX, 0, -1]),
            1 => i64::from_ne_bytes(self.0.to_ne_bytes()),
            2..10 => last.wrapping_add(i64::try_from(self.below(1 << 20)).unwrap() - 1000),
            _ => last,
        }
    }

    fn double(&mut self) -> f64 {
        let odd = [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MIN_POSITIVE];
        if self.below(4) == 0 { self.pick(&odd) } else { self.below(10_000) as f64 / 100.0 }
    }

    /// One of few texts, or a text that is probably unique.
    fn text(&mut self, few: bool) -> String {
        match self.below(if few { 6 } else { 40 }) {
            0 => String::new(),
            1 => "Größe".to_owned(),
            2 => "x".repeat(300),
            _ if few => "name".to_owned(),
            _ => format!("text {}", self.below(1 << 40)),
        }
    }

    fn column(&mut self, ty: Type, rows: usize, required: bool) -> ArrayRef {
        // Never, sometimes, mostly or always null.
        let nulls = if required { 0 } else { self.pick(&[0, 1, 9, 10]) };
        let present: Vec<bool> = (0..rows).map(|_| self.below(10) >= nulls).collect();
        match ty {
            Type::Bigint => {
                let mut last = 1_600_000_000_000_000_000;
                let mut next = || {
                    last = self.integer(last);
                    last
                };
                Arc::new(present.into_iter().map(|present| present.then(&mut next)).collect::<Int64Array>())
            }
            Type::Double => Arc::new(present.into_iter().map(|p| p.then(|| self.double())).collect::<Float64Array>()),
            Type::Boolean => {
                Arc::new(present.into_iter().map(|p| p.then(|| self.below(2) == 0)).collect::<BooleanArray>())
            }
            Type::Text => {
                let few = self.below(3) > 0;
                Arc::new(present.into_iter().map(|p| p.then(|| self.text(few))).collect::<StringArray>())
            }
        }
    }

    fn batch(&mut self, table: &'static Table, rows: usize) -> RecordBatch {
        let columns = table.columns().map(|column| match column.name {
            "run" => Arc::new(StringArray::new_repeated("r", rows)) as ArrayRef,
            name => self.column(column.ty, rows, name == "object"),
        });
        RecordBatch::try_new(table.schema(), columns.collect()).unwrap()
    }
}

/// Sorts the rows, and writes them with the writer of the parquet crate.
fn write_with_parquet(table: &Table, batches: &[RecordBatch]) -> Bytes {
    let rows = concat_batches(&table.schema(), batches).unwrap();
    let ordinals: ArrayRef = Arc::new((0..).take(rows.num_rows()).collect::<Int64Array>());
    let options = Some(SortOptions { descending: false, nulls_first: true });
    let keys = ["node", "rank", "category", "metric", "ts"].iter().filter_map(|name| rows.column_by_name(name));
    let keys = keys.chain([&ordinals]).map(|values| SortColumn { values: Arc::clone(values), options });
    let order = lexsort_to_indices(&keys.collect::<Vec<_>>(), None).unwrap();
    let rows = take_record_batch(&rows, &order).unwrap();
    let properties = WriterProperties::builder()
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_statistics_enabled(ColumnPath::from("ts"), EnabledStatistics::Page)
        .set_data_page_row_count_limit(20_000)
        .set_write_batch_size(20_000)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties)).unwrap();
    writer.write(&rows).unwrap();
    writer.into_inner().unwrap().into()
}

fn write_with_tracelake(table: &'static Table, batches: &[RecordBatch]) -> (DataFile, Bytes) {
    let mut writer = DataFileWriter::new(table, usize::MAX);
    for (number, batch) in batches.iter().enumerate() {
        let batch = if number % 3 == 2 { batch.clone() } else { with_dictionaries(table, batch).unwrap() };
        assert!(writer.write(batch).unwrap().is_none());
    }
    let (part, blocks) = writer.finish().unwrap().unwrap();
    (part, blocks.concat().into())
}

/// Reads all rows, or those of a selection.
fn read(bytes: &Bytes, selection: Option<RowSelection>) -> (Arc<ParquetMetaData>, RecordBatch) {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(bytes.clone(), options).unwrap();
    let (metadata, schema) = (Arc::clone(reader.metadata()), Arc::clone(reader.schema()));
    let reader = match selection {
        Some(selection) => reader.with_row_selection(selection),
        None => reader,
    };
    let batches: Vec<RecordBatch> = reader.with_batch_size(7777).build().unwrap().map(Result::unwrap).collect();
    (metadata, concat_batches(&schema, &batches).unwrap())
}

/// Checks that both files have the same rows and metadata.
fn compare_files(table: &'static Table, batches: &[RecordBatch]) {
    let (part, bytes) = write_with_tracelake(table, batches);
    let theirs = write_with_parquet(table, batches);
    let ((own, rows), (other, expected)) = (read(&bytes, None), read(&theirs, None));
    assert_eq!(rows.schema(), table.schema());
    assert_eq!(rows, expected, "{}", table.name);
    assert_eq!(part.rows, rows.num_rows() as u64);
    let selection = RowSelection::from(vec![
        RowSelector::skip(rows.num_rows() / 2),
        RowSelector::select(rows.num_rows() / 4),
        RowSelector::skip(rows.num_rows() - rows.num_rows() / 2 - rows.num_rows() / 4),
    ]);
    let half = expected.slice(rows.num_rows() / 2, rows.num_rows() / 4);
    assert_eq!(read(&bytes, Some(selection)).1, half);

    let (own_file, other_file) = (own.file_metadata(), other.file_metadata());
    assert_eq!(own_file.key_value_metadata(), other_file.key_value_metadata());
    assert_eq!(own_file.schema_descr(), other_file.schema_descr());
    let (own, other) = (own.row_group(0), other.row_group(0));
    for (column, (own, other)) in table.columns().zip(own.columns().iter().zip(other.columns())) {
        let (own, other) = (own.statistics().unwrap(), other.statistics().unwrap());
        assert_eq!(own.null_count_opt(), other.null_count_opt(), "{}", column.name);
        match column.ty {
            Type::Text if KIND_COLUMNS.contains(&column.name) => {} // The writer of parquet cuts long ones.
            Type::Text if column.name == "run" => assert_eq!(own, other),
            Type::Text | Type::Double => assert_eq!((own.min_bytes_opt(), own.max_bytes_opt()), (None, None)),
            _ => assert_eq!(own, other, "{}.{}", table.name, column.name),
        }
    }
}

/// Checks the page index of a column: first row, minimum, maximum and nulls of each page. Returns
/// the first rows.
fn compare_pages(table: &'static Table, batches: &[RecordBatch], column: &str) -> Vec<usize> {
    let (metadata, rows) = read(&write_with_tracelake(table, batches).1, None);
    let index_of_column = table.columns().position(|known| known.name == column).unwrap();
    let pages = &metadata.offset_index().unwrap()[0][index_of_column].page_locations;
    let starts: Vec<usize> = pages.iter().map(|page| usize::try_from(page.first_row_index).unwrap()).collect();
    let index = &metadata.column_index().unwrap()[0][index_of_column];
    for (page, start) in starts.iter().enumerate() {
        let end = starts.get(page + 1).copied().unwrap_or(rows.num_rows());
        let values = rows.column(index_of_column).slice(*start, end - start);
        match index {
            ColumnIndexMetaData::INT64(index) => {
                let values = values.as_primitive::<Int64Type>();
                assert_eq!(index.min_value(page).copied(), min(values));
                assert_eq!(index.max_value(page).copied(), max(values));
            }
            ColumnIndexMetaData::BYTE_ARRAY(index) => {
                let values = values.as_string::<i32>();
                assert_eq!(index.min_value(page), min_string(values).map(str::as_bytes));
                assert_eq!(index.max_value(page), max_string(values).map(str::as_bytes));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(index.null_count(page), Some(i64::try_from(values.null_count()).unwrap()));
    }
    starts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_rows_of_any_table_equal_those_of_parquet(seed in any::<u64>(), sizes in prop::collection::vec(1_usize..300, 1..5)) {
        let mut random = TestData(seed);
        for table in TABLES.iter().filter(|table| table.has_parts()) {
            let batches: Vec<_> = sizes.iter().map(|rows| random.batch(table, *rows)).collect();
            compare_files(table, &batches);
        }
    }
}

#[test]
fn many_pages_have_exact_bounds() {
    let mut random = TestData(1);
    for (name, kind) in [("event", Some("category")), ("sample", Some("metric")), ("step", None)] {
        let table = table(name).unwrap();
        let batches: Vec<_> = (0..3).map(|_| random.batch(table, 15_001)).collect();
        compare_files(table, &batches);
        let starts = compare_pages(table, &batches, "ts");
        assert!(starts.len() >= 3 && starts.windows(2).all(|pair| pair[1] - pair[0] <= 20_000), "{starts:?}");
        if let Some(kind) = kind {
            assert_eq!(compare_pages(table, &batches, kind), starts);
        }
    }
}

/// A reader of one kind decompresses the pages of that kind.
#[test]
fn a_page_holds_rows_of_one_kind() {
    let table = table("event").unwrap();
    let rows = TestData(5).batch(table, 50_000);
    let kinds = ["operator", "kernel", "python", "flow"];
    let kinds: ArrayRef = Arc::new((0..50_000).map(|row| Some(kinds[row * row % 4])).collect::<StringArray>());
    let one = |name: &str, rows: &RecordBatch, values: ArrayRef| {
        let mut columns = rows.columns().to_vec();
        columns[rows.schema().index_of(name).unwrap()] = values;
        RecordBatch::try_new(rows.schema(), columns).unwrap()
    };
    let rows = one("category", &rows, kinds);
    let rows = one("rank", &rows, new_null_array(&DataType::Int64, 50_000));
    let rows = one("node", &rows, Arc::new(StringArray::from(vec!["n"; 50_000])));
    // Half of the rows are of each kind, because squares modulo 4 are 0 or 1.
    assert_eq!(compare_pages(table, &[rows], "category"), [0, 20_000, 25_000, 45_000]);
}

#[test]
fn repeated_texts_are_written_as_dictionary() {
    let table = table("action").unwrap();
    let mut random = TestData(7);
    let rows = random.batch(table, 20_000);
    let few: ArrayRef = Arc::new(StringArray::from_iter_values((0..20_000).map(|row| format!("action {}", row % 7))));
    let stage = rows.schema().index_of("stage").unwrap();
    let mut columns = rows.columns().to_vec();
    columns[stage] = few;
    let rows = RecordBatch::try_new(table.schema(), columns).unwrap();
    let (_, bytes) = write_with_tracelake(table, &[rows]);
    let metadata = read(&bytes, None).0;
    let chunk = metadata.row_group(0).column(stage);
    assert!(chunk.dictionary_page_offset().is_some());
    assert!(chunk.uncompressed_size() < 20_000, "{} bytes", chunk.uncompressed_size());
}

#[test]
fn a_full_data_file_is_closed() {
    let table = table("event").unwrap();
    let mut random = TestData(3);
    let mut writer = DataFileWriter::new(table, 5_000);
    let mut parts = Vec::new();
    let mut rows = 0;
    while parts.len() < 2 {
        parts.extend(writer.write(random.batch(table, 5_000)).unwrap());
        rows += 5_000;
    }
    assert_eq!(parts.iter().map(|(part, _)| part.rows).sum::<u64>(), rows);
    for (part, blocks) in parts {
        let bytes = blocks.concat();
        assert_eq!(part.bytes, bytes.len() as u64);
        assert!(bytes.len() < 2 * FILE_BYTES, "{} bytes", bytes.len());
        assert_eq!(read(&bytes.into(), None).1.num_rows() as u64, part.rows);
    }
}

/// A data file of `step` as a version without column `complete` would have written it, with columns
/// in another order.
fn write_older_version() -> Bytes {
    let schema = Arc::new(arrow::datatypes::Schema::new(vec![
        Field::new("object", arrow::datatypes::DataType::Int64, true),
        Field::new("run", arrow::datatypes::DataType::Utf8, false),
        Field::new("row", arrow::datatypes::DataType::Int64, true),
    ]));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(vec![1, 2, 2])),
        Arc::new(StringArray::from(vec!["a", "a", "a"])),
        Arc::new(Int64Array::from(vec![10, 20, 21])),
    ];
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, None).unwrap();
    writer.write(&batch).unwrap();
    Bytes::from(writer.into_inner().unwrap())
}

#[test]
fn missing_columns_of_an_older_version_become_null() {
    let step = table("step").unwrap();
    let mut writer = DataFileWriter::new(step, GROUP_ROWS);
    let path = "step/x.parquet".to_owned();
    let old = DataFile {
        table: "step".into(),
        path,
        rows: 3,
        bytes: 1,
        slice: None,
        ts: None,
        objects: vec![1, 2],
        crc32: None,
        is_corrupt: false,
    };
    let mut files = writer.copy(&old, write_older_version(), &BTreeSet::from([1])).unwrap();
    files.extend(writer.finish().unwrap());
    let (part, blocks) = &files[0];
    assert_eq!((files.len(), part.rows, part.objects.as_slice()), (1, 2, [2].as_slice()));
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(blocks.concat())).unwrap();
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.schema().fields(), step.schema().fields());
    let rows = batch.column_by_name("row").unwrap().as_primitive::<Int64Type>();
    assert_eq!(rows.values().as_ref(), [20, 21]);
    assert_eq!(batch.column_by_name("complete").unwrap().null_count(), 2);
}

#[test]
fn a_row_group_is_bounded_in_bytes() {
    let event = table("event").unwrap();
    let mut writer = DataFileWriter::new(event, GROUP_ROWS);
    let mut rows = crate::table::Rows::new("r");
    let args = "x".repeat(8 << 20);
    for row in 0..20 {
        rows.event(&crate::table::Event { args: Some(&format!("{row}{args}")), row, ..Default::default() });
        for (_, batch) in rows.take_dictionaries() {
            writer.write(batch).unwrap();
        }
    }
    let (part, blocks) = writer.finish().unwrap().unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(blocks.concat())).unwrap();
    assert_eq!(part.rows, 20);
    assert_eq!(reader.metadata().num_row_groups(), 3);
}
