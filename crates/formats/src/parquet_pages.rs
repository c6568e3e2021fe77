//! Parquet that somebody else wrote, or that lay on a disk for long: read only as far as its headers can be true.
//!
//! The reader of Parquet makes room for what headers claim before it looks at a byte: for 500 million values of a dictionary of two
//! bytes, or for 2 GiB that 200 KB are said to unpack to. So each header is looked at first. What writers make is far inside the
//! bounds: a page has 1 MiB, and so has a dictionary at the most.

use std::io::{Cursor, Error, Read};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes that a page may unpack to, and from [`FREE`] on so many times its packed bytes.
const MAX_PAGE: u64 = 128 << 20;
const FREE: u64 = 16 << 20;
const RATIO: u64 = 1000;

/// Bytes of a dictionary, each of whose values has one at least.
const MAX_DICTIONARY: u64 = 16 << 20;

/// Bytes of texts that are told by what each shares with the one before: each may be as long as the page.
const MAX_SHARED: u64 = 1 << 30;

/// Bytes of a value in a column whose values are all as long: there is room for nulls too.
const MAX_FIXED: i32 = 1 << 10;

/// What the header of a page takes at the most, up to what is looked at.
const HEAD: u64 = 64;

/// The footer of a file, so read that texts stay where they are in a page: a text of a dictionary may be meant by each row.
pub fn footer<R: ChunkReader>(file: &R) -> Result<ArrowReaderMetadata> {
    // what Arrow noted of its own types tells nothing more, and makes its reader panic if it is damaged
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let footer = ArrowReaderMetadata::load(file, options.clone())?;
    let columns = footer.parquet_schema().columns();
    if let Some(column) = columns.iter().find(|column| column.type_length() > MAX_FIXED) {
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

/// A file, whose pages are refused where their headers cannot be true.
#[derive(Debug)]
pub struct Pages<R>(pub R);

impl<R: ChunkReader> Length for Pages<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Pages<R> {
    type T = Header<R::T>;

    /// What is read from a place on, and not as bytes, begins with the header of a page.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(Header { head: Cursor::default(), rest: self.0.get_read(start)?, begun: false })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// Bytes that begin with a header, which is looked at when it is read.
#[derive(Debug)]
pub struct Header<T> {
    head: Cursor<Vec<u8>>,
    rest: T,
    begun: bool,
}

impl<T: Read> Read for Header<T> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if !self.begun {
            self.begun = true;
            self.rest.by_ref().take(HEAD).read_to_end(self.head.get_mut())?;
            check(self.head.get_ref()).map_err(Error::other)?;
        }
        match self.head.read(buf)? {
            0 => self.rest.read(buf),
            read => Ok(read),
        }
    }
}

/// Refuses a page that claims more than its bytes can hold.
fn check(mut header: &[u8]) -> Result<(), String> {
    const DATA: usize = 5;
    const DICTIONARY: usize = 7;
    const DATA_V2: usize = 8;
    const DELTA_BYTE_ARRAY: u64 = 7;
    // `PageHeader` of parquet.thrift: sizes are its fields 2 and 3, and behind them comes the struct of its kind
    let Some((page, kind)) = numbers(&mut header) else { return Err("a page has a corrupt header".to_owned()) };
    let (unpacked, packed) = (page[2], page[3]);
    if unpacked > MAX_PAGE || (unpacked > FREE && unpacked / RATIO > packed) {
        return Err(format!("a page of {packed} bytes declares {unpacked} decompressed bytes"));
    }
    let encoding = match kind {
        DATA | DICTIONARY => 2,
        DATA_V2 => 4,
        _ => return Ok(()),
    };
    let Some((about, _)) = numbers(&mut header) else { return Err("a page has a corrupt header".to_owned()) };
    let values = about[1];
    if kind == DICTIONARY && (values > unpacked || unpacked > MAX_DICTIONARY) {
        return Err(format!("a dictionary of {unpacked} bytes declares {values} values"));
    }
    if about[encoding] == DELTA_BYTE_ARRAY && values.saturating_mul(unpacked) > MAX_SHARED {
        return Err(format!("a page of {unpacked} bytes declares {values} texts with shared prefixes"));
    }
    Ok(())
}

/// The whole numbers that a struct begins with, by their field, and the first field that is none. Thrift's compact protocol.
fn numbers(bytes: &mut &[u8]) -> Option<([u64; 9], usize)> {
    const I32: u8 = 5;
    let (mut numbers, mut field) = ([0; 9], 0_usize);
    loop {
        let (head, mut rest) = bytes.split_first()?;
        field += usize::from(head >> 4);
        if head & 0x0f != I32 {
            *bytes = rest;
            return Some((numbers, field));
        }
        if head >> 4 == 0 {
            return None; // a field out of order
        }
        let (mut number, mut shift) = (0_u64, 0_u32);
        loop {
            let (byte, behind) = rest.split_first()?;
            rest = behind;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        // the odd ones are negative, which the reader refuses by itself
        let number = u32::try_from(number).ok()?;
        *numbers.get_mut(field)? = if number & 1 == 0 { u64::from(number >> 1) } else { 0 };
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

    fn written(values: ArrayRef, properties: WriterPropertiesBuilder) -> Bytes {
        let batch = RecordBatch::try_from_iter([("value", values)]).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap().into()
    }

    /// The rows that can be read, and why no more.
    fn read(file: Bytes) -> (usize, Option<String>) {
        let footer = match footer(&file) {
            Ok(footer) => footer,
            Err(error) => return (0, Some(error.to_string())),
        };
        let mut rows = 0;
        for batch in ParquetRecordBatchReaderBuilder::new_with_metadata(Pages(file), footer).build().unwrap() {
            match batch {
                Ok(batch) => rows += batch.num_rows(),
                Err(error) => return (rows, Some(error.to_string())),
            }
        }
        (rows, None)
    }

    fn texts(values: usize) -> ArrayRef {
        Arc::new((0..values).map(|nth| Some(format!("aten::value {nth:06}"))).collect::<StringArray>())
    }

    #[test]
    fn what_writers_make_is_read() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [true, false] {
                let properties = || {
                    WriterProperties::builder()
                        .set_writer_version(version)
                        .set_dictionary_enabled(dictionary)
                        .set_data_page_row_count_limit(1000)
                };
                assert_eq!(read(written(texts(5000), properties())), (5000, None));
                let packed = properties().set_compression(Compression::ZSTD(ZstdLevel::default()));
                assert_eq!(read(written(texts(5000), packed)), (5000, None));
            }
        }
    }

    #[test]
    fn a_dictionary_of_more_values_than_bytes_is_refused() {
        let file = written(texts(100), WriterProperties::builder());
        // fields 1 to 3, and the number of values of field 7: 100 is 200 as it is written, in two bytes
        let at = file.windows(5).position(|bytes| bytes == [0x4c, 0x15, 0xc8, 0x01, 0x15]).unwrap();
        let mut lied = file.to_vec();
        lied[at + 2..at + 4].copy_from_slice(&[0xfe, 0x7f]); // 8191
        let why = "a dictionary of 2200 bytes declares 8191 values";
        let (rows, error) = read(lied.into());
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains(why)), "{error:?}");
    }

    #[test]
    fn a_page_that_unpacks_to_more_than_it_can_is_refused() {
        let packed = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_data_page_size_limit(64 << 20)
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        let text = "a".repeat(40 << 20);
        let (rows, error) = read(written(Arc::new(StringArray::from(vec![text])), packed));
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains("declares 41943")), "{error:?}");
    }

    #[test]
    fn texts_that_share_more_than_fits_are_refused() {
        let shared = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::DELTA_BYTE_ARRAY)
            .set_data_page_size_limit(64 << 20);
        let mut values = StringViewBuilder::new();
        let long = values.append_block("a".repeat(1 << 20).into_bytes().into());
        for _ in 0..1100 {
            values.try_append_view(long, 0, 1 << 20).unwrap();
        }
        let (rows, error) = read(written(Arc::new(values.finish()), shared));
        assert_eq!(rows, 0);
        assert!(error.as_ref().is_some_and(|error| error.contains("texts with shared prefixes")), "{error:?}");
    }

    #[test]
    fn nulls_beside_values_of_a_megabyte_are_refused() {
        let values = FixedSizeBinaryArray::try_from_iter([vec![0_u8; 2000]].into_iter()).unwrap();
        let (_, error) = read(written(Arc::new(values), WriterProperties::builder()));
        assert!(error.is_some_and(|error| error.ends_with("column \"value\" declares values of 2000 bytes")));
    }
}
