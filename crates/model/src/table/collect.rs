//! Builders of the columns of a batch, by type.
//!
//! A format fills only a few columns of a table, and most texts repeat. So a column without values
//! stores only the number of its nulls, and a repeated text stores only a key.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayBuilder, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, StringArray,
    StringBuilder, new_null_array,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Int32Type};
use arrow::error::Result;

use super::intern::Interner;

/// Builders of columns, by the name of their type.
pub(super) type Bigint = NullableColumn<i64>;
pub(super) type Double = NullableColumn<f64>;
pub(super) type Boolean = NullableColumn<bool>;
pub(super) type Text = TextColumn;

/// A column of values and nulls.
#[derive(Debug)]
pub(super) struct NullableColumn<T> {
    values: Vec<T>,
    /// Whether each value is valid, that is, not null; empty while no value is null.
    valid: Vec<bool>,
    /// Number of nulls after the last value. They are only counted, because nulls often follow each
    /// other.
    nulls: usize,
    /// Number of values in the previous batch.
    previous: usize,
    /// An array of nulls that all batches without values share, because a writer holds many such
    /// batches.
    null_array: Option<ArrayRef>,
}

impl<T> Default for NullableColumn<T> {
    fn default() -> Self {
        Self { values: Vec::new(), valid: Vec::new(), nulls: 0, previous: 0, null_array: None }
    }
}

impl<T: Copy + Default> NullableColumn<T> {
    #[inline]
    pub(super) fn push(&mut self, value: Option<T>) {
        match value {
            Some(value) => {
                if self.nulls > 0 || self.values.is_empty() {
                    self.fill();
                }
                self.values.push(value);
                if !self.valid.is_empty() {
                    self.valid.push(true);
                }
            }
            None => self.nulls += 1,
        }
    }

    /// Inserts the counted nulls between the values, and allocates memory before the first value.
    #[inline(never)]
    fn fill(&mut self) {
        let rows = self.len();
        if self.values.is_empty() {
            self.values.reserve_exact(self.previous.max(rows + 64));
        }
        if self.nulls > 0 {
            self.valid.resize(self.values.len(), true);
            self.values.resize(rows, T::default());
            self.valid.resize(rows, false);
            self.nulls = 0;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() + self.nulls
    }

    /// Takes the values and their nulls; `None` if all are null.
    fn take(&mut self) -> Option<(Vec<T>, Option<NullBuffer>)> {
        if self.values.is_empty() {
            return None;
        }
        self.fill();
        self.previous = self.values.len();
        let valid = (!self.valid.is_empty()).then(|| NullBuffer::from(self.valid.as_slice()));
        self.valid.clear();
        Some((std::mem::take(&mut self.values), valid))
    }

    /// Takes the array of nulls of a batch without values.
    fn take_nulls(&mut self, ty: &DataType) -> ArrayRef {
        let rows = std::mem::take(&mut self.nulls);
        let null_array = self.null_array.take().filter(|null_array| null_array.len() >= rows);
        let null_array = null_array.unwrap_or_else(|| new_null_array(ty, rows));
        let nulls = null_array.slice(0, rows);
        self.null_array = Some(null_array);
        nulls
    }
}

impl NullableColumn<i64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_nulls(&DataType::Int64)) };
        Ok(Arc::new(Int64Array::try_new(values.into(), nulls)?))
    }
}

impl NullableColumn<f64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_nulls(&DataType::Float64)) };
        Ok(Arc::new(Float64Array::try_new(values.into(), nulls)?))
    }
}

impl NullableColumn<bool> {
    #[expect(clippy::unnecessary_wraps, reason = "like the other types")]
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_nulls(&DataType::Boolean)) };
        Ok(Arc::new(BooleanArray::new(values.into(), nulls)))
    }
}

/// Number of distinct texts at which the column becomes plain text if it has fewer than twice as
/// many rows.
const TRIAL_TEXTS: usize = 1024;

/// A column of texts and nulls: a dictionary with keys while texts repeat, else plain text.
#[derive(Debug, Default)]
pub(super) struct TextColumn {
    keys: NullableColumn<i32>,
    distinct: Interner,
    plain: Option<StringBuilder>,
    /// Number of rows and of bytes to reserve for plain text: slightly more than in the previous
    /// batch.
    previous: (usize, usize),
    /// Number of further batches that become plain text before the column tries keys again.
    plain_batches: u32,
}

/// Number of batches that become plain text after a batch with too few repeated texts.
const PLAIN_BATCHES: u32 = 16;

impl TextColumn {
    #[inline]
    pub(super) fn push(&mut self, text: Option<&str>) {
        if let Some(plain) = &mut self.plain {
            plain.append_option(text);
            return;
        }
        if self.plain_batches > 0 && text.is_some() {
            self.plain_batches -= 1;
            self.switch_to_plain();
            return self.push(text);
        }
        let key = text.map(|text| self.distinct.key(text));
        self.keys.push(key);
        if self.distinct.texts() == TRIAL_TEXTS && self.keys.len() < TRIAL_TEXTS * 2 {
            self.plain_batches = PLAIN_BATCHES;
            self.switch_to_plain();
        }
    }

    /// Converts the column to plain text, including the rows that it already has.
    #[cold]
    fn switch_to_plain(&mut self) {
        let (rows, bytes) = self.previous;
        let mut plain = StringBuilder::with_capacity(rows.max(TRIAL_TEXTS * 2), bytes.max(self.distinct.bytes() * 2));
        let (keys, nulls) = self.keys.take().unwrap_or_default();
        (0..std::mem::take(&mut self.keys.nulls)).for_each(|_| plain.append_null());
        for (row, key) in keys.into_iter().enumerate() {
            let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            plain.append_option(self.distinct.get(key).filter(|_| !is_null));
        }
        self.distinct.clear();
        self.plain = Some(plain);
    }

    /// Takes the column: a dictionary if texts repeat, else plain text.
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        if let Some(mut plain) = self.plain.take() {
            // Reserve a little more than in the previous batch, because growth copies the texts.
            let reserve = |previous: usize| previous + previous / 8;
            self.previous = (reserve(plain.len()), reserve(plain.values_slice().len()));
            return Ok(Arc::new(plain.finish()));
        }
        let Some((keys, nulls)) = self.keys.take() else {
            let ty = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            return Ok(self.keys.take_nulls(&ty));
        };
        let distinct = StringArray::from_iter_values(self.distinct.iter());
        self.distinct.clear();
        let keys = Int32Array::try_new(keys.into(), nulls)?;
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(distinct))?))
    }

    /// Converts an array: a dictionary if texts repeat, else plain text.
    pub(super) fn from_array(texts: &StringArray) -> Result<ArrayRef> {
        let mut builder = Self::default();
        texts.iter().for_each(|text| builder.push(text));
        builder.finish()
    }
}

/// Returns a column that repeats one text.
pub(super) fn repeat_text(text: &str, rows: usize) -> Result<ArrayRef> {
    let keys = Int32Array::from_value(0, rows);
    let text = StringArray::from_iter_values([text]);
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(text))?))
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::compute::cast;
    use arrow::datatypes::Int64Type;

    use super::*;

    fn plain(texts: &ArrayRef) -> Vec<Option<String>> {
        let texts = cast(texts, &DataType::Utf8).unwrap();
        texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn nulls_may_be_anywhere() {
        let mut column = NullableColumn::<i64>::default();
        for values in [
            vec![None, None, Some(3), None, Some(5)],
            vec![Some(1), Some(2)],
            vec![None; 4],
            vec![Some(7), None],
            vec![None; 3],
            vec![],
        ] {
            values.iter().for_each(|value| column.push(*value));
            assert_eq!(column.len(), values.len());
            let array = column.finish().unwrap();
            assert_eq!(array.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), values);
            assert_eq!(column.len(), 0);
        }
    }

    #[test]
    fn texts_are_dictionaries_while_they_repeat() {
        let mut column = TextColumn::default();
        let mut cases = vec![(0, true), (7, true), (TRIAL_TEXTS - 1, true), (3000, false)];
        cases.extend([(7, false); PLAIN_BATCHES as usize]);
        cases.push((7, true));
        for (distinct, is_dictionary) in cases {
            let texts: Vec<Option<String>> = (0..3000)
                .map(|row| (row % 5 > 0 && distinct > 0).then(|| (row % distinct.max(1)).to_string()))
                .collect();
            texts.iter().for_each(|text| column.push(text.as_deref()));
            let array = column.finish().unwrap();
            assert!(plain(&array) == texts, "{distinct}");
            assert_eq!(array.as_string_opt::<i32>().is_none(), is_dictionary, "{distinct}");
        }
    }
}
