//! Reads untrusted or corrupt Parquet files safely: checks page headers before the Parquet reader uses them.
//!
//! The Parquet reader allocates the memory that a header declares before it reads the data. A header can
//! declare 500 million values for a dictionary of two bytes, or 2 GiB of decompressed data for 200 KB. So
//! [`CheckedPages`] checks each header first. Writers stay far below the limits: pages have 1 MiB, and dictionaries
//! have at most as much.

use std::io::{Cursor, Error, Read};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Maximum decompressed size of a page in bytes.
const MAX_PAGE: u64 = 128 << 20;

/// Maximum ratio of decompressed to compressed bytes, for pages of more than [`RATIO_MIN_PAGE`] decompressed
/// bytes.
const MAX_RATIO: u64 = 1000;
const RATIO_MIN_PAGE: u64 = 16 << 20;

/// Maximum size of a dictionary in bytes. Each of its values has at least one byte.
const MAX_DICTIONARY: u64 = 16 << 20;

/// Maximum size of texts that are encoded as a shared prefix and a suffix, in bytes. Each can be as long as
/// the page.
const MAX_PREFIXED: u64 = 1 << 30;

/// Maximum size of a value in a column of fixed-size values, in bytes. The reader allocates it for nulls too.
const MAX_FIXED_VALUE: i32 = 1 << 10;

/// Number of rows that any file may have: millions of equal values take a few bytes.
const MIN_ROW_LIMIT: u64 = 1 << 20;

/// Number of bytes that hold the checked fields of a page header.
const HEADER_BYTES: u64 = 64;

/// Reads the footer of a file. Texts become views into their page, because each row can refer to the same
/// long text of a dictionary.
pub fn read_footer<R: ChunkReader>(file: &R) -> Result<ArrowReaderMetadata> {
    // Arrow's own metadata about types is not needed, and its reader panics if they are corrupt.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let footer = ArrowReaderMetadata::load(file, options.clone())?;
    let columns = footer.parquet_schema().columns();
    if let Some(column) = columns.iter().find(|column| column.type_length() > MAX_FIXED_VALUE) {
        let (path, length) = (column.path(), column.type_length());
        return Err(ParquetError::General(format!("column {path} declares values of {length} bytes")));
    }
    let fields = footer.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(Field::clone(field).with_data_type(DataType::Utf8View)),
        DataType::Binary => Arc::new(Field::clone(field).with_data_type(DataType::BinaryView)),
        _ => Arc::clone(field),
    });
    let schema = Schema::new(fields.collect::<Vec<_>>());
    ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), options.with_schema(Arc::new(schema)))
}

/// Maximum number of rows of a file of this size, if `per_byte` of them may have a byte.
pub fn row_limit(bytes: u64, per_byte: u64) -> u64 {
    bytes.saturating_mul(per_byte).max(MIN_ROW_LIMIT)
}

/// A file that refuses pages with impossible headers.
#[derive(Debug)]
pub struct CheckedPages<R>(pub R);

impl<R: ChunkReader> Length for CheckedPages<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for CheckedPages<R> {
    type T = PageReader<R::T>;

    /// The Parquet reader calls this for bytes that start with a page header, and [`Self::get_bytes`] for all
    /// others.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(PageReader { start: Cursor::default(), rest: self.0.get_read(start)?, is_checked: false })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// Bytes that start with a page header, which is checked at the first read.
#[derive(Debug)]
pub struct PageReader<T> {
    start: Cursor<Vec<u8>>,
    rest: T,
    is_checked: bool,
}

impl<T: Read> Read for PageReader<T> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if !self.is_checked {
            self.is_checked = true;
            self.rest.by_ref().take(HEADER_BYTES).read_to_end(self.start.get_mut())?;
            check_header(self.start.get_ref()).map_err(Error::other)?;
        }
        match self.start.read(buf)? {
            0 => self.rest.read(buf),
            length => Ok(length),
        }
    }
}

/// Refuses a page that declares more data than its bytes can have.
fn check_header(mut header: &[u8]) -> Result<(), String> {
    const DATA: usize = 5;
    const DICTIONARY: usize = 7;
    const DATA_V2: usize = 8;
    const DELTA_BYTE_ARRAY: u64 = 7;
    // `PageHeader` of parquet.thrift: fields 2 and 3 are the sizes. The struct of the page's type follows
    // them.
    let (page, page_type) = read_integers(&mut header).ok_or("a page has a corrupt header")?;
    let (decompressed, compressed) = (page[2], page[3]);
    if decompressed > MAX_PAGE || (decompressed > RATIO_MIN_PAGE && decompressed / MAX_RATIO > compressed) {
        return Err(format!("a page of {compressed} bytes declares {decompressed} decompressed bytes"));
    }
    let encoding_field = match page_type {
        DATA | DICTIONARY => 2,
        DATA_V2 => 4,
        _ => return Ok(()),
    };
    let (fields, _) = read_integers(&mut header).ok_or("a page has a corrupt header")?;
    let values = fields[1];
    if page_type == DICTIONARY && (values > decompressed || decompressed > MAX_DICTIONARY) {
        return Err(format!("a dictionary of {decompressed} bytes declares {values} values"));
    }
    if fields[encoding_field] == DELTA_BYTE_ARRAY && values.saturating_mul(decompressed) > MAX_PREFIXED {
        return Err(format!("a page of {decompressed} bytes declares {values} texts with shared prefixes"));
    }
    Ok(())
}

/// Reads the integers at the start of a struct in Thrift's compact protocol. Returns them by field number,
/// and the number of the first field that is not an integer.
fn read_integers(bytes: &mut &[u8]) -> Option<([u64; 9], usize)> {
    const I32: u8 = 5;
    let (mut integers, mut field) = ([0; 9], 0_usize);
    loop {
        let (field_header, mut rest) = bytes.split_first()?;
        field += usize::from(field_header >> 4);
        if field_header & 0x0f != I32 {
            *bytes = rest;
            return Some((integers, field));
        }
        if field_header >> 4 == 0 {
            return None; // The field is out of order.
        }
        let (mut integer, mut shift) = (0_u64, 0_u32);
        loop {
            let byte = rest.split_off_first()?;
            integer |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        // Odd values encode negative integers, which the Parquet reader refuses itself.
        let integer = u32::try_from(integer).ok()?;
        *integers.get_mut(field)? = if integer & 1 == 0 { u64::from(integer >> 1) } else { 0 };
        *bytes = rest;
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{ArrayRef, FixedSizeBinaryArray, RecordBatch, StringArray, StringViewBuilder};
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::basic::{Compression, Encoding, ZstdLevel};
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};

    use super::*;

    fn write(values: ArrayRef, properties: WriterPropertiesBuilder) -> Bytes {
        let batch = RecordBatch::try_from_iter([("value", values)]).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap().into()
    }

    /// Number of rows that can be read, and the error after them.
    fn read(file: Bytes) -> (usize, Option<String>) {
        let footer = match read_footer(&file) {
            Ok(footer) => footer,
            Err(error) => return (0, Some(error.to_string())),
        };
        let mut rows = 0;
        for batch in ParquetRecordBatchReaderBuilder::new_with_metadata(CheckedPages(file), footer).build().unwrap() {
            match batch {
                Ok(batch) => rows += batch.num_rows(),
                Err(error) => return (rows, Some(error.to_string())),
            }
        }
        (rows, None)
    }

    fn texts(values: usize) -> ArrayRef {
        Arc::new((0..values).map(|i| Some(format!("aten::value {i:06}"))).collect::<StringArray>())
    }

    #[test]
    fn files_of_the_parquet_writer_are_accepted() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [true, false] {
                let properties = || {
                    WriterProperties::builder()
                        .set_writer_version(version)
                        .set_dictionary_enabled(dictionary)
                        .set_data_page_row_count_limit(1000)
                };
                assert_eq!(read(write(texts(5000), properties())), (5000, None));
                let compressed = properties().set_compression(Compression::ZSTD(ZstdLevel::default()));
                assert_eq!(read(write(texts(5000), compressed)), (5000, None));
            }
        }
    }

    #[test]
    fn a_dictionary_of_more_values_than_bytes_is_refused() {
        let file = write(texts(100), WriterProperties::builder());
        // Fields 1 to 3, and the number of values in field 7: 100 is encoded as 200, in two bytes.
        let start = file.windows(5).position(|bytes| bytes == [0x4c, 0x15, 0xc8, 0x01, 0x15]).unwrap();
        let mut corrupt = file.to_vec();
        corrupt[start + 2..start + 4].copy_from_slice(&[0xfe, 0x7f]); // 8191
        let expected = "a dictionary of 2200 bytes declares 8191 values";
        let (rows, error) = read(corrupt.into());
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains(expected)), "{error:?}");
    }

    #[test]
    fn a_page_that_declares_too_many_decompressed_bytes_is_refused() {
        let compressed = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_data_page_size_limit(64 << 20)
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        let text = "a".repeat(40 << 20);
        let (rows, error) = read(write(Arc::new(StringArray::from(vec![text])), compressed));
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains("declares 41943")), "{error:?}");
    }

    #[test]
    fn texts_with_too_long_shared_prefixes_are_refused() {
        let prefixed = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::DELTA_BYTE_ARRAY)
            .set_data_page_size_limit(64 << 20);
        let mut values = StringViewBuilder::new();
        let long = values.append_block("a".repeat(1 << 20).into_bytes().into());
        for _ in 0..1100 {
            values.try_append_view(long, 0, 1 << 20).unwrap();
        }
        let (rows, error) = read(write(Arc::new(values.finish()), prefixed));
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains("texts with shared prefixes")), "{error:?}");
    }

    #[test]
    fn fixed_size_values_that_are_too_long_are_refused() {
        let values = FixedSizeBinaryArray::try_from_iter([vec![0_u8; 2000]].into_iter()).unwrap();
        let (_, error) = read(write(Arc::new(values), WriterProperties::builder()));
        assert!(error.is_some_and(|error| error.ends_with("column \"value\" declares values of 2000 bytes")));
    }
}
