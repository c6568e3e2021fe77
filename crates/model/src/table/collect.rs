//! Columns of rows that are being collected, by type.
//!
//! Most columns of a table stay empty for any one format, and most texts repeat: a column without values
//! costs a count, and a text that was there before costs a key.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayBuilder, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, StringArray,
    StringBuilder, new_null_array,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Int32Type};
use arrow::error::Result;

use super::intern::Interner;

/// Values of which some may be null.
#[derive(Debug)]
pub(super) struct Nullable<T> {
    values: Vec<T>,
    /// Which of them are there; empty while all are.
    valid: Vec<bool>,
    /// Nulls since the last value, which are counted only: they come in runs.
    nulls: usize,
    /// How many there were when they were taken last.
    usual: usize,
    /// Nothing but nulls, shared by all batches that have no value: a writer holds many of them.
    blank: Option<ArrayRef>,
}

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self { values: Vec::new(), valid: Vec::new(), nulls: 0, usual: 0, blank: None }
    }
}

impl<T: Copy + Default> Nullable<T> {
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

    /// Puts the nulls since the last value between the values, and makes room before the first one.
    #[inline(never)]
    fn fill(&mut self) {
        let rows = self.len();
        if self.values.is_empty() {
            self.values.reserve_exact(self.usual.max(rows + 64));
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

    /// The values; none if all are null.
    fn take(&mut self) -> Option<(Vec<T>, Option<NullBuffer>)> {
        if self.values.is_empty() {
            return None;
        }
        self.fill();
        self.usual = self.values.len();
        let valid = (!self.valid.is_empty()).then(|| NullBuffer::from(self.valid.as_slice()));
        self.valid.clear();
        Some((std::mem::take(&mut self.values), valid))
    }

    /// The nulls, when there are no values.
    fn take_blank(&mut self, ty: &DataType) -> ArrayRef {
        let rows = std::mem::take(&mut self.nulls);
        let blank = self.blank.take().filter(|blank| blank.len() >= rows);
        let blank = blank.unwrap_or_else(|| new_null_array(ty, rows));
        let nulls = blank.slice(0, rows);
        self.blank = Some(blank);
        nulls
    }
}

impl Nullable<i64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_blank(&DataType::Int64)) };
        Ok(Arc::new(Int64Array::try_new(values.into(), nulls)?))
    }
}

impl Nullable<f64> {
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_blank(&DataType::Float64)) };
        Ok(Arc::new(Float64Array::try_new(values.into(), nulls)?))
    }
}

impl Nullable<bool> {
    #[expect(clippy::unnecessary_wraps, reason = "like the other types")]
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        let Some((values, nulls)) = self.take() else { return Ok(self.take_blank(&DataType::Boolean)) };
        Ok(Arc::new(BooleanArray::new(values.into(), nulls)))
    }
}

/// After so many different texts it shows whether they repeat: a column of which half is different is written plain.
const TRIAL: usize = 1024;

/// Texts of which some may be null: keys of different texts while texts repeat, else the texts as they are.
#[derive(Debug, Default)]
pub(super) struct Texts {
    keys: Nullable<i32>,
    different: Interner,
    plain: Option<StringBuilder>,
    /// How many plain texts there were when they were taken last, and their length together.
    usual: (usize, usize),
    /// How often they may be taken before it is tried again whether they repeat.
    plain_for: u32,
}

/// Texts that did not repeat are taken so often as they are.
const PLAIN_FOR: u32 = 16;

impl Texts {
    #[inline]
    pub(super) fn push(&mut self, text: Option<&str>) {
        if let Some(plain) = &mut self.plain {
            plain.append_option(text);
            return;
        }
        if self.plain_for > 0 && text.is_some() {
            self.plain_for -= 1;
            self.give_up();
            return self.push(text);
        }
        let key = text.map(|text| self.different.key(text));
        self.keys.push(key);
        if self.different.texts() == TRIAL && self.keys.len() < TRIAL * 2 {
            self.plain_for = PLAIN_FOR;
            self.give_up();
        }
    }

    /// The texts do not repeat: keys would only be in the way.
    #[cold]
    fn give_up(&mut self) {
        let (rows, bytes) = self.usual;
        let mut plain = StringBuilder::with_capacity(rows.max(TRIAL * 2), bytes.max(self.different.bytes() * 2));
        let (keys, nulls) = self.keys.take().unwrap_or_default();
        (0..std::mem::take(&mut self.keys.nulls)).for_each(|_| plain.append_null());
        for (row, key) in keys.into_iter().enumerate() {
            let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            plain.append_option(self.different.get(key).filter(|_| !is_null));
        }
        self.different.clear();
        self.plain = Some(plain);
    }

    /// A dictionary if texts repeat, else plain text.
    pub(super) fn finish(&mut self) -> Result<ArrayRef> {
        if let Some(mut plain) = self.plain.take() {
            // a little more than the last time: what grows is copied
            let room = |usual: usize| usual + usual / 8;
            self.usual = (room(plain.len()), room(plain.values_slice().len()));
            return Ok(Arc::new(plain.finish()));
        }
        let Some((keys, nulls)) = self.keys.take() else {
            let ty = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            return Ok(self.keys.take_blank(&ty));
        };
        let different = StringArray::from_iter_values(self.different.iter());
        self.different.clear();
        let keys = Int32Array::try_new(keys.into(), nulls)?;
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::new(different))?))
    }

    /// These texts, as a dictionary if they repeat.
    pub(super) fn of(texts: &StringArray) -> Result<ArrayRef> {
        let mut builder = Self::default();
        texts.iter().for_each(|text| builder.push(text));
        builder.finish()
    }
}

/// One text, again and again.
pub(super) fn repeated(text: &str, rows: usize) -> Result<ArrayRef> {
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
    fn nulls_before_between_and_after() {
        let mut column = Nullable::<i64>::default();
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
    fn texts_are_keys_while_they_repeat() {
        let mut column = Texts::default();
        let mut cases = vec![(0, true), (7, true), (TRIAL - 1, true), (3000, false)];
        cases.extend([(7, false); PLAIN_FOR as usize]);
        cases.push((7, true));
        for (different, is_dictionary) in cases {
            let texts: Vec<Option<String>> = (0..3000)
                .map(|row| (row % 5 > 0 && different > 0).then(|| (row % different.max(1)).to_string()))
                .collect();
            texts.iter().for_each(|text| column.push(text.as_deref()));
            let array = column.finish().unwrap();
            assert!(plain(&array) == texts, "{different}");
            assert_eq!(array.as_string_opt::<i32>().is_none(), is_dictionary, "{different}");
        }
    }
}
