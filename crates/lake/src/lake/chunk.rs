//! One column of a row group: from batches to the pages of a Parquet column chunk.
//!
//! parquet's own writer looks at every value by itself, and hashes every text again. Here a column is
//! written whole, from rows whose texts are keys already; that is several times as fast. Its metadata
//! and the file around it are parquet's.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Float64Type, Int32Type, Int64Type};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use super::encode;
use super::order::Order;
use crate::table::Interner;

/// A dictionary larger than this no longer pays.
const DICTIONARY_BYTES: usize = 1 << 20;

/// Statistics hold no texts longer than this.
const STATISTICS_BYTES: usize = 1 << 10;

/// The best of what was measured for traces: higher levels take longer and pack no better.
const ZSTD: i32 = 1;

/// Of which values the smallest and the largest are noted. Of a column it is the same in all chunks: some readers take the bounds
/// that a few chunks have for those of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    /// Of the chunk, if they are integers or flags. Rows are in order of time, so those of names say nothing about where one is.
    Chunk,
    /// Of the chunk, of texts as well.
    Texts,
    /// And of each page.
    Pages,
}

/// Packs pages; one is used for many chunks.
pub(super) struct Codec(Compressor<'static>);

impl Codec {
    pub(super) fn new() -> Result<Self> {
        Ok(Self(Compressor::new(ZSTD)?))
    }

    fn pack(&mut self, body: &[u8]) -> Result<Bytes> {
        Ok(self.0.compress(body)?.into())
    }
}

/// A column in the order in which it is written: the values without nulls, and which rows have one.
struct Column<'a> {
    values: Values<'a>,
    present: Vec<bool>,
}

enum Values<'a> {
    /// All rows are null.
    Nothing,
    Integers(Vec<i64>),
    Doubles(Vec<f64>),
    Flags(Vec<bool>),
    /// Texts as keys of different ones.
    Keys(Vec<i32>, &'a Interner),
    Texts(Vec<&'a str>),
}

/// Encodes the column at `index` of the batches, their rows in this order.
pub(super) fn chunk(
    batches: &[RecordBatch],
    index: usize,
    order: &Order,
    noted: Noted,
    descriptor: &ColumnDescPtr,
    codec: &mut Codec,
) -> Result<(Bytes, ColumnCloseResult)> {
    let arrays: Vec<&ArrayRef> = batches.iter().map(|batch| batch.column(index)).collect();
    let mut different = Interner::default();
    let column = Column::read(&arrays, order.rows.as_deref(), &mut different);
    let nulls = column.present.len() - column.values.len();
    let mut file = TrackedWrite::new(Vec::new());
    let mut encodings = vec![Encoding::RLE];
    let mut uncompressed = 0;
    let mut body = Vec::new();
    if let Values::Keys(_, different) = &column.values {
        encode::texts(&mut body, different.iter());
        let page = Page::DictionaryPage {
            buf: codec.pack(&body)?,
            num_values: u32::try_from(different.texts())?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        encodings.push(Encoding::PLAIN);
        let page = CompressedPage::new(page, body.len());
        uncompressed += SerializedPageWriter::new(&mut file).write_page(page)?.uncompressed_size;
    }
    let dictionary = i64::try_from(file.bytes_written())?;

    let mut offsets = OffsetIndexBuilder::new();
    let of_texts = (noted != Noted::Chunk).then(|| column.values.text_bounds(0..column.values.len())).flatten();
    let of_texts = of_texts.filter(|(least, greatest)| least.len().max(greatest.len()) <= STATISTICS_BYTES);
    let paged =
        noted == Noted::Pages && (of_texts.is_some() || !matches!(column.values, Values::Keys(..) | Values::Texts(..)));
    let mut bounds = ColumnIndexBuilder::new(descriptor.physical_type());
    let mut of_all: Option<(i64, i64)> = None;
    let mut start = 0;
    let mut rest = column.present.as_slice();
    for rows in &order.pages {
        let (present, after) = rest.split_at(*rows);
        rest = after;
        let values = start..start + present.iter().filter(|present| **present).count();
        start = values.end;
        body.clear();
        if descriptor.max_def_level() > 0 {
            encode::levels(&mut body, present, values.len());
        }
        let nulls = i64::try_from(present.len() - values.len())?;
        let of_page = column.values.bounds(values.clone());
        of_all = match (of_all, of_page) {
            (Some((least, greatest)), Some((low, high))) => Some((least.min(low), greatest.max(high))),
            (of_all, of_page) => of_all.or(of_page),
        };
        if paged {
            let of_page = of_page.map(|(least, greatest)| (least.to_le_bytes().into(), greatest.to_le_bytes().into()));
            let of_texts =
                || column.values.text_bounds(values.clone()).map(|(least, greatest)| (least.into(), greatest.into()));
            match of_page.or_else(of_texts) {
                Some((least, greatest)) => bounds.append(false, least, greatest, nulls),
                None => bounds.append(true, Vec::new(), Vec::new(), nulls),
            }
        }
        let encoding = column.values.encode(values, &mut body);
        if !encodings.contains(&encoding) {
            encodings.push(encoding);
        }
        let page = Page::DataPage {
            buf: codec.pack(&body)?,
            num_values: u32::try_from(present.len())?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let page = SerializedPageWriter::new(&mut file).write_page(CompressedPage::new(page, body.len()))?;
        uncompressed += page.uncompressed_size;
        offsets.append_row_count(i64::try_from(present.len())?);
        offsets.append_offset_and_size(i64::try_from(page.offset)?, i32::try_from(page.compressed_size)?);
    }

    let bytes = file.into_inner()?;
    let metadata = ColumnChunkMetaData::builder(Arc::clone(descriptor))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD)?))
        .set_encodings(encodings)
        .set_total_compressed_size(i64::try_from(bytes.len())?)
        .set_total_uncompressed_size(i64::try_from(uncompressed)?)
        .set_num_values(i64::try_from(column.present.len())?)
        .set_data_page_offset(dictionary)
        .set_dictionary_page_offset((dictionary > 0).then_some(0))
        .set_statistics(column.values.statistics(descriptor.physical_type(), of_all, of_texts, nulls as u64))
        .build()?;
    let result = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: column.present.len() as u64,
        metadata,
        bloom_filter: None,
        column_index: paged.then(|| bounds.build()).transpose()?,
        offset_index: Some(offsets.build()),
    };
    Ok((bytes.into(), result))
}

impl<'a> Column<'a> {
    fn read(arrays: &[&'a ArrayRef], order: Option<&[u32]>, different: &'a mut Interner) -> Self {
        let rows = arrays.iter().map(Array::len).sum();
        if arrays.iter().all(|array| array.null_count() == array.len()) {
            return Self { values: Values::Nothing, present: vec![false; rows] };
        }
        let mut present = Vec::with_capacity(rows);
        for array in arrays {
            match array.nulls().filter(|nulls| nulls.null_count() > 0) {
                Some(nulls) => present.extend(nulls),
                None => present.resize(present.len() + array.len(), true),
            }
        }
        let is_full = arrays.iter().all(|array| array.null_count() == 0);
        let has_dictionary = |array: &&ArrayRef| matches!(array.data_type(), DataType::Dictionary(..));
        let values = match arrays.first().map(Array::data_type) {
            Some(DataType::Int64) => {
                let values = arrays.iter().map(|array| &array.as_primitive::<Int64Type>().values()[..]);
                Values::Integers(arranged(values.collect::<Vec<_>>().concat(), &present, is_full, order))
            }
            Some(DataType::Float64) => {
                let values = arrays.iter().map(|array| &array.as_primitive::<Float64Type>().values()[..]);
                Values::Doubles(arranged(values.collect::<Vec<_>>().concat(), &present, is_full, order))
            }
            Some(DataType::Boolean) => {
                let values = arrays.iter().flat_map(|array| array.as_boolean().values());
                Values::Flags(arranged(values.collect(), &present, is_full, order))
            }
            _ if arrays.iter().all(has_dictionary) => {
                let keys = arranged(keys(arrays, different), &present, is_full, order);
                let different: &'a Interner = different;
                if different.bytes() > DICTIONARY_BYTES || different.texts() * 2 > keys.len() {
                    Values::Texts(keys.into_iter().filter_map(|key| different.get(key)).collect())
                } else {
                    Values::Keys(keys, different)
                }
            }
            _ => Values::Texts(arranged(texts(arrays), &present, is_full, order)),
        };
        if let Some(order) = order
            && !is_full
        {
            present = order.iter().map(|row| present[*row as usize]).collect();
        }
        Self { values, present }
    }
}

/// The values that are present, in this order; all of them are if it `is_full`.
fn arranged<T: Copy + PartialEq>(mut values: Vec<T>, present: &[bool], is_full: bool, order: Option<&[u32]>) -> Vec<T> {
    let Some(order) = order else {
        if is_full {
            return values;
        }
        let mut present = present.iter();
        values.retain(|_| present.next() == Some(&true));
        return values;
    };
    let Some(first) = values.first().copied() else { return values };
    if is_full {
        // run, machine and rank, as a rule
        if values.iter().all(|value| *value == first) {
            return values;
        }
        return order.iter().map(|row| values[*row as usize]).collect();
    }
    // Every value is written, and the next one over it if it is null: which ones are cannot be foreseen.
    let mut arranged = vec![first; order.len()];
    let mut count = 0;
    for row in order {
        let row = *row as usize;
        arranged[count] = values[row];
        count += usize::from(present[row]);
    }
    arranged.truncate(count);
    arranged
}

/// The keys of all rows among the different texts of all arrays.
fn keys(arrays: &[&ArrayRef], different: &mut Interner) -> Vec<i32> {
    let mut keys = Vec::with_capacity(arrays.iter().map(Array::len).sum());
    for array in arrays {
        let array = array.as_dictionary::<Int32Type>();
        let texts = array.values().as_string::<i32>();
        let key_of: Vec<i32> = texts.iter().map(|text| different.key(text.unwrap_or_default())).collect();
        let known = |key: &i32| usize::try_from(*key).ok().and_then(|key| key_of.get(key).copied());
        keys.extend(array.keys().values().iter().map(|key| known(key).unwrap_or_default()));
    }
    keys
}

/// The texts of all rows; those of nulls are empty.
fn texts<'a>(arrays: &[&'a ArrayRef]) -> Vec<&'a str> {
    let mut all = Vec::with_capacity(arrays.iter().map(Array::len).sum());
    for array in arrays {
        if let Some(texts) = array.as_string_opt::<i32>() {
            all.extend(texts.iter().map(Option::unwrap_or_default));
        } else if let Some(texts) = array.as_dictionary::<Int32Type>().downcast_dict::<StringArray>() {
            all.extend(texts.into_iter().map(Option::unwrap_or_default));
        }
    }
    all
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Integers(values) => values.len(),
            Self::Doubles(values) => values.len(),
            Self::Flags(values) => values.len(),
            Self::Keys(keys, _) => keys.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Adds these values to the body of a page.
    fn encode(&self, range: Range<usize>, body: &mut Vec<u8>) -> Encoding {
        match self {
            _ if range.is_empty() => {}
            Self::Nothing => {}
            Self::Integers(values) => {
                encode::integers(body, &values[range]);
                return Encoding::DELTA_BINARY_PACKED;
            }
            Self::Keys(keys, different) => {
                encode::keys(body, &keys[range], different.texts());
                return Encoding::RLE_DICTIONARY;
            }
            Self::Doubles(values) => encode::doubles(body, &values[range]),
            Self::Flags(values) => encode::flags(body, &values[range]),
            Self::Texts(texts) => encode::texts(body, texts[range].iter().copied()),
        }
        Encoding::PLAIN
    }

    /// The smallest and the largest of these values, if they are integers.
    fn bounds(&self, range: Range<usize>) -> Option<(i64, i64)> {
        let Self::Integers(values) = self else { return None };
        let (first, rest) = values[range].split_first()?;
        Some(rest.iter().fold((*first, *first), |(least, greatest), value| (least.min(*value), greatest.max(*value))))
    }

    /// The first and the last of these texts in the order of their bytes, if they are texts.
    fn text_bounds(&self, range: Range<usize>) -> Option<(&str, &str)> {
        fn ends<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
            texts.fold(None, |ends, text| {
                Some(ends.map_or((text, text), |(least, greatest): (&str, &str)| (least.min(text), greatest.max(text))))
            })
        }
        match self {
            Self::Keys(keys, different) if different.texts() == 1 => {
                ends(keys[range].first().and_then(|key| different.get(*key)).into_iter())
            }
            Self::Keys(keys, different) => {
                let runs = keys[range].chunk_by(|one, other| one == other);
                ends(runs.filter_map(|run| different.get(*run.first()?)))
            }
            Self::Texts(texts) => ends(texts[range].iter().copied()),
            _ => None,
        }
    }

    /// Of integers and of texts the smallest and the largest are known already, where they are noted.
    fn statistics(&self, ty: Type, bounds: Option<(i64, i64)>, texts: Option<(&str, &str)>, nulls: u64) -> Statistics {
        let nulls = Some(nulls);
        match (self, ty) {
            (Self::Flags(values), _) => {
                let (least, greatest) = (values.iter().min().copied(), values.iter().max().copied());
                Statistics::boolean(least, greatest, None, nulls, false)
            }
            (_, Type::BYTE_ARRAY) => {
                let (least, greatest) =
                    texts.map(|(least, greatest)| (ByteArray::from(least), ByteArray::from(greatest))).unzip();
                Statistics::byte_array(least, greatest, None, nulls, false)
            }
            // NaN is none of the bounds, and there are readers that take numbers with bounds for numbers without NaN.
            (_, Type::DOUBLE) => Statistics::double(None, None, None, nulls, false),
            (_, Type::BOOLEAN) => Statistics::boolean(None, None, None, nulls, false),
            _ => Statistics::int64(bounds.map(|b| b.0), bounds.map(|b| b.1), None, nulls, false),
        }
    }
}
